//! How an engine asks for what another engine computes: passed in by the session, so that no engine imports another.

use grundy_core::{rulesets::AnyComponent, theory::Outcome};

use crate::budget::{Meter, StopReason};

/// Grundy values of components.
pub trait Values {
    /// The Grundy value of `component`.
    ///
    /// # Errors
    /// The meter's stop.
    fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, StopReason>;
}

/// Outcomes of sums, in a convention that the implementor knows.
pub trait Outcomes {
    /// The outcome of the sum of `components`.
    ///
    /// # Errors
    /// The meter's stop.
    fn outcome(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<Outcome, StopReason>;
}
