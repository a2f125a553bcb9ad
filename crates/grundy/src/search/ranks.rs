//! Grundy values of all positions of a ruleset that numbers them so that every part of every option comes before its position.

use std::{ops::ControlFlow, sync::Arc};

use grundy_core::{
    rulesets::custom::{DynRuleset, DynSink, Fault},
    theory::Mex,
};

use crate::budget::{Meter, StopReason};

/// The values of positions of rank 0, 1, 2, …, one after another.
#[derive(Debug)]
pub struct RankTable {
    ruleset: Arc<dyn DynRuleset>,
    values: Vec<u64>,
}

impl RankTable {
    /// Nothing computed yet.
    pub fn new(ruleset: Arc<dyn DynRuleset>) -> Self {
        RankTable { ruleset, values: Vec::new() }
    }

    /// The values known so far, those of ranks `0 .. len`.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// Computes the values up to `rank`.
    ///
    /// # Complexity
    /// One listing of the options of each position; 8 bytes each.
    ///
    /// # Errors
    /// The meter's stop; what was found before is kept. Also a stop where the ruleset's numbers are not what it says.
    pub fn advance(&mut self, rank: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let ruleset = Arc::clone(&self.ruleset);
        let wrong = |message: String| StopReason::of_rules(Fault { is_limit: false, message });
        let mut mex = Mex::default();
        while self.values.len() as u64 <= rank {
            let n = self.values.len() as u64;
            meter.position()?;
            meter.bytes(8)?;
            let position = ruleset.unrank(n);
            let position = position.ok_or_else(|| wrong(format!("{} has no position of rank {n}", ruleset.name())))?;
            mex.clear();
            let mut sink = Options {
                ruleset: &*ruleset,
                values: &self.values,
                mex: &mut mex,
                meter,
                value: 0,
                later: None,
                stop: None,
            };
            let _ = ruleset.options(&position, &mut sink);
            let Options { later, stop, .. } = sink;
            if let Some(part) = later {
                let name = ruleset.name();
                return Err(wrong(format!(
                    "a move from {name}({}) leads to {name}({}), which does not come before it, as the rules claim",
                    ruleset.print_position(&position),
                    ruleset.print_position(&part)
                )));
            }
            if let Some(stop) = stop.or_else(|| ruleset.take_fault().map(StopReason::of_rules)) {
                return Err(stop);
            }
            self.values.push(mex.mex());
        }
        Ok(())
    }
}

/// Collects the values of options, each the xor of the values of its parts.
struct Options<'a> {
    ruleset: &'a dyn DynRuleset,
    values: &'a [u64],
    mex: &'a mut Mex,
    meter: &'a mut Meter,
    value: u64,
    /// A part whose value is not known yet.
    later: Option<Vec<u64>>,
    stop: Option<StopReason>,
}

impl Options<'_> {
    fn spend(&mut self, steps: u64) -> ControlFlow<()> {
        match self.meter.steps(steps) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

impl DynSink for Options<'_> {
    fn part(&mut self, position: &[u64]) {
        let rank = self.ruleset.rank(position).and_then(|r| usize::try_from(r).ok());
        match rank.and_then(|r| self.values.get(r)) {
            Some(v) => self.value ^= v,
            None => {
                self.later.get_or_insert_with(|| position.to_vec());
            }
        }
    }

    fn option(&mut self) -> ControlFlow<()> {
        if self.later.is_some() {
            return ControlFlow::Break(());
        }
        self.mex.insert(core::mem::take(&mut self.value));
        self.spend(8)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.spend(16)
    }
}
