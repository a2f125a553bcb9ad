//! Engines for sequences of Grundy values G(0), G(1), … of one heap rule.
//!
//! [`Sequence`] is the resumable state machine that callers drive: it owns the table of values, the engine that extends
//! it, and the look-out for a period. [`Engine`] names the engines; `plan.rs` chooses one.

mod direct;
mod observe;
mod shape;
mod table;
mod tail;

use std::ops::Range;

use grundy_core::{
    rulesets::heap::HeapRule,
    theory::period::{PeriodTheorem, Periodicity},
};

pub use direct::DirectSequence;
pub use observe::{TURNS, observed_period};
pub use shape::Shape;
pub use table::{Cells, ValueTable};
pub use tail::proved_period_of;

use crate::budget::{Meter, StopReason};

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Mark every option: any rule.
    Direct,
}

impl Engine {
    /// What it does, for people.
    pub fn method(self) -> &'static str {
        match self {
            Engine::Direct => "every option of every heap",
        }
    }
}

/// How far a sequence has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of values known: heaps `0 .. heaps`.
    pub heaps: u64,
    /// The largest value.
    pub max: u64,
    /// Number of rare values, if the engine splits them.
    pub rares: Option<u64>,
    /// The mask that splits rare from common values, if the engine has one.
    pub mask: Option<u64>,
}

/// Values of one rule from heap 0 on, growing on demand, with the period once it is proved.
#[derive(Debug)]
pub struct Sequence {
    theorem: Option<PeriodTheorem>,
    table: ValueTable,
    proved: Option<Periodicity>,
    /// Length at which a period is looked for next.
    look_at: usize,
    engine: Running,
}

#[derive(Debug)]
enum Running {
    Direct(Box<DirectSequence>),
}

/// Heaps that an engine computes between two looks of the caller.
const BLOCK: u64 = 1 << 14;

impl Sequence {
    /// A sequence of which nothing is known yet.
    pub fn new(rule: &HeapRule, engine: Engine) -> Self {
        Sequence::resume(rule, engine, ValueTable::new())
    }

    /// Goes on from values that were computed before, by any engine; they are believed.
    pub fn resume(rule: &HeapRule, engine: Engine, table: ValueTable) -> Self {
        let engine = match engine {
            Engine::Direct => Running::Direct(Box::new(DirectSequence::resume(rule, table.iter_from(0).collect()))),
        };
        let look_at = table.len().max(64);
        Sequence { theorem: rule.period_theorem(), table, proved: None, look_at, engine }
    }

    /// The values computed so far. A proved period gives all others: [`Sequence::value`].
    pub fn table(&self) -> &ValueTable {
        &self.table
    }

    /// The period, once it is proved.
    pub fn proved(&self) -> Option<Periodicity> {
        self.proved
    }

    /// The theorem that can prove a period of this rule.
    pub fn theorem(&self) -> Option<PeriodTheorem> {
        self.theorem
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let (rares, mask) = match &self.engine {
            Running::Direct(_) => (None, None),
        };
        Progress { heaps: self.table.len() as u64, max: self.table.max(), rares, mask }
    }

    /// G(n), if it is known or follows from a proved period.
    pub fn value(&self, n: u64) -> Option<u64> {
        if let Some(v) = usize::try_from(n).ok().and_then(|n| self.table.get(n)) {
            return Some(v);
        }
        let p = self.proved?;
        if n < p.preperiod {
            return None;
        }
        let i = p.preperiod + (n - p.preperiod) % p.period;
        let turns = (n - p.preperiod) / p.period;
        self.table.get(usize::try_from(i).ok()?)?.checked_add(turns.checked_mul(p.saltus)?)
    }

    /// Computes values until heap `to` is known, or the period is proved, or the meter stops.
    ///
    /// Returns the heaps that are new. What was computed before a stop is kept, so a later call goes on from there.
    ///
    /// # Complexity
    /// That of the engine; looking for a period adds a few passes over the table in all.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn advance(&mut self, to: u64, meter: &mut Meter) -> Result<Range<u64>, StopReason> {
        let before = self.table.len() as u64;
        while self.proved.is_none() && (self.table.len() as u64) <= to {
            let next = to.min(self.table.len() as u64 + BLOCK).min((self.look_at as u64).max(1) - 1);
            let bytes = self.table.len() as u64 * self.table.width();
            let result = self.compute(next, meter);
            let grown = (self.table.len() as u64 * self.table.width()).saturating_sub(bytes);
            result.and_then(|()| meter.bytes(grown))?;
            if self.table.len() >= self.look_at {
                self.look_for_period();
            }
        }
        Ok(before..self.table.len() as u64)
    }

    fn compute(&mut self, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        match &mut self.engine {
            Running::Direct(direct) => {
                let result = direct.compute(to, meter);
                for v in &direct.values()[self.table.len()..] {
                    self.table.push(*v);
                }
                result
            }
        }
    }

    fn look_for_period(&mut self) {
        // an eighth more each time: a proof is found at most that much late
        self.look_at = self.table.len() + self.table.len() / 8 + 1;
        if let Some(theorem) = &self.theorem {
            self.proved = proved_period_of(&self.table, theorem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn proves_periods_and_answers_beyond_them() {
        for (digits, period, preperiod) in [(&[7, 7][..], 12, 71), (&[0, 7], 34, 53), (&[1, 6, 5], 1550, 5181)] {
            let rule = HeapRule::octal(0, digits);
            let mut s = Sequence::new(&rule, Engine::Direct);
            s.advance(1 << 40, &mut Meter::unlimited()).unwrap();
            assert_eq!(s.proved(), Some(Periodicity { preperiod, period, saltus: 0 }), "{digits:?}");
            let n = 1 << 50;
            assert_eq!(s.value(n), s.table().get((preperiod + (n - preperiod) % period) as usize));
        }
    }

    #[test]
    fn a_stop_keeps_what_was_computed() {
        let rule = HeapRule::octal(0, &[0, 6]);
        let mut s = Sequence::new(&rule, Engine::Direct);
        let mut meter = Meter::new(&Budget { positions: Some(100), ..Budget::default() });
        assert!(s.advance(1000, &mut meter).is_err());
        assert_eq!(s.table().len(), 100);
        assert_eq!(s.advance(200, &mut Meter::unlimited()).unwrap(), 100..201);
        let again = Sequence::resume(&rule, Engine::Direct, s.table().clone());
        assert_eq!(again.table(), s.table());
    }
}
