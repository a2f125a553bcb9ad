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

/// Keeps what searches know of components beyond the end of the program.
///
/// A component is the words of its set of cells, as the search numbers them; what is known of it is a word of the search too.
pub trait Keeper: std::fmt::Debug + Send {
    /// Sends all that was kept of a game.
    fn load(&mut self, game: &str, each: &mut dyn FnMut(&[u64], u64));
    /// Keeps what is known of a game, over what was kept of the same components. A failure is the keeper's to tell.
    fn save(&mut self, game: &str, entries: &mut dyn Iterator<Item = (Vec<u64>, u64)>);
}

/// Outcomes of sums, in a convention that the implementor knows.
pub trait Outcomes {
    /// The outcome of the sum of `components`.
    ///
    /// # Errors
    /// The meter's stop.
    fn outcome(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<Outcome, StopReason>;
}
