//! Engines for sequences of Grundy values G(0), G(1), … of one heap rule.
//!
//! [`Sequence`] is the resumable state machine that callers drive: it owns the table of values, the engine that extends
//! it, and the look-out for a period. [`Engine`] names the engines; `plan.rs` chooses one.

mod direct;
mod observe;
mod partition_sets;
mod rare_common;
mod shape;
mod split;
mod table;
mod tail;

use std::ops::Range;

use grundy_core::{
    rulesets::heap::HeapRule,
    theory::period::{PeriodTheorem, Periodicity},
};

pub use direct::DirectSequence;
pub use observe::{TURNS, observed_period};
pub use shape::{ManyShape, Shape};
pub use split::{Split, best_split};
pub use table::{Cells, ValueTable};
pub use tail::{Tail, proved_period_of, tail_of};

use crate::budget::{Limit, Meter, StopReason};
use partition_sets::PartitionSets;
use rare_common::RareCommon;

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Mark every option: any rule.
    Direct,
    /// Split the values into rare and common ones: rules with a [`Shape`].
    RareCommon,
    /// The same in plain code on every machine, the twin of the fast form.
    RareCommonPortable,
    /// Sets of the values of all partitions: rules with a [`ManyShape`].
    PartitionSets,
}

impl Engine {
    /// What it does, for people.
    pub fn method(self) -> &'static str {
        match self {
            Engine::Direct => "every option of every heap",
            Engine::RareCommon | Engine::RareCommonPortable => "rare and common values",
            Engine::PartitionSets => "sets of the values of partitions",
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
    RareCommon(Box<RareCommon>),
    PartitionSets(Box<PartitionSets>),
}

/// Heaps that an engine computes between two looks of the caller.
const BLOCK: u64 = 1 << 14;

impl Sequence {
    /// A sequence of which nothing is known yet.
    pub fn new(rule: &HeapRule, engine: Engine) -> Self {
        Sequence::resume(rule, engine, ValueTable::new())
    }

    /// Goes on from values that were computed before, by any engine; they are believed. A rule without the shape that the
    /// engine needs is computed directly.
    pub fn resume(rule: &HeapRule, engine: Engine, table: ValueTable) -> Self {
        let portable = engine == Engine::RareCommonPortable;
        let fast = match engine {
            Engine::Direct => None,
            Engine::RareCommon | Engine::RareCommonPortable => {
                Shape::of(rule).map(|shape| Running::RareCommon(Box::new(RareCommon::new(shape, portable))))
            }
            Engine::PartitionSets => ManyShape::of(rule)
                .filter(|_| table.max() <= partition_sets::MOST_VALUE)
                .map(|shape| Running::PartitionSets(Box::new(PartitionSets::new(shape)))),
        };
        let direct = || Running::Direct(Box::new(DirectSequence::resume(rule, table.iter_from(0).collect())));
        let engine = fast.unwrap_or_else(direct);
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
            Running::Direct(_) | Running::PartitionSets(_) => (None, None),
            Running::RareCommon(engine) => {
                engine.split().map_or((None, None), |(split, rares)| (Some(rares as u64), Some(split.mask)))
            }
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
            let bytes = self.bytes();
            let result = self.compute(next, meter);
            let grown = self.bytes().saturating_sub(bytes);
            result.and_then(|()| meter.bytes(grown))?;
            if self.table.len() >= self.look_at {
                self.look_for_period();
            }
        }
        Ok(before..self.table.len() as u64)
    }

    /// Bytes of the table and of what the engine keeps beside it: indices of 3 bytes.
    fn bytes(&self) -> u64 {
        let (beside, ahead) = match &self.engine {
            // they count their own
            Running::Direct(_) | Running::PartitionSets(_) => (0, 0),
            Running::RareCommon(engine) => (3, engine.bytes_ahead()),
        };
        self.table.len() as u64 * (self.table.width() + beside) + ahead
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
            Running::RareCommon(engine) => {
                let known = self.table.len() as u64;
                let room = meter.positions_left();
                if room == 0 {
                    return Err(meter.stop(Limit::Positions));
                }
                let result = engine.compute(&mut self.table, to.min(known.saturating_add(room - 1)), meter);
                meter.count_positions(self.table.len() as u64 - known);
                result
            }
            Running::PartitionSets(engine) => engine.compute(&mut self.table, to, meter),
        }
    }

    fn look_for_period(&mut self) {
        // half more each time, and where a repetition would be proved
        let len = self.table.len();
        self.look_at = len + len / 2 + 1;
        let Some(theorem) = &self.theorem else { return };
        match tail_of(&self.table, theorem) {
            Tail::Proved(period) => self.proved = Some(period),
            Tail::Repeats { needed } => {
                let needed = usize::try_from(needed).unwrap_or(usize::MAX);
                self.look_at = self.look_at.min(needed.max(len + len / 16 + 1));
            }
            Tail::Open => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use grundy_core::rulesets::heap::{Alternative, AmountSet, Amounts, Leave, Parts};
    use proptest::prelude::*;
    use std::time::Duration;

    fn values(rule: &HeapRule, engine: Engine, to: u64) -> Vec<u64> {
        let mut s = Sequence::new(rule, engine);
        s.advance(to, &mut Meter::unlimited()).unwrap();
        (0..=to).map(|n| s.value(n).unwrap()).collect()
    }

    fn unequal(amount: u64) -> Alternative {
        let leave = Leave { exact: vec![(2, Parts::Unequal)], from: None };
        Alternative { take: Amounts::of(AmountSet::one(amount)), leave, condition: None }
    }

    /// Games with few and many rares, of the turning type, of several widths, with values that outgrow their words.
    #[test]
    fn known_games_equal_the_direct_engine() {
        for (digits, to) in [
            (&[0, 6][..], 9_000),
            (&[6], 30_000),
            (&[1, 0, 4], 20_000),
            (&[1, 6, 1], 20_000),
            (&[1, 6, 6], 9_000),
            (&[0, 0, 7], 9_000),
            (&[7, 4], 12_000),
            (&[3, 7, 6], 9_000),
            (&[1, 2, 7], 9_000),
            (&[1, 4, 2], 9_000),
        ] {
            let rule = HeapRule::octal(0, digits);
            let expected = values(&rule, Engine::Direct, to);
            assert!(values(&rule, Engine::RareCommon, to) == expected, "{digits:?}");
            assert!(values(&rule, Engine::RareCommonPortable, to / 3) == expected[..=to as usize / 3], "{digits:?}");
        }
        let grundy = HeapRule::new(vec![unequal(0)]);
        let expected = values(&grundy, Engine::Direct, 9_000);
        assert!(values(&grundy, Engine::RareCommon, 9_000) == expected);
        assert!(values(&grundy, Engine::RareCommonPortable, 9_000) == expected);
    }

    #[test]
    fn resumes_anywhere() {
        let rule = HeapRule::octal(0, &[6]);
        let whole = values(&rule, Engine::RareCommon, 5_000);
        for cut in [1, 7, 255, 256, 1000, 2049, 4095] {
            let table = whole[..cut].iter().copied().collect();
            let mut s = Sequence::resume(&rule, Engine::RareCommon, table);
            for to in (cut as u64..=5_000).step_by(97).chain([5_000]) {
                s.advance(to, &mut Meter::unlimited()).unwrap();
                assert_eq!(s.progress().heaps, (to + 1).max(cut as u64));
            }
            assert!(s.table().iter_from(0).eq(whole.iter().copied()), "{cut}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_engine_equals_the_direct_one(
            four in any::<bool>(),
            digits in prop::collection::vec(0u32..8, 1..5),
            extra in prop::option::of(0u64..4),
            to in 500u64..2500,
        ) {
            let mut rule = HeapRule::octal(if four { 4 } else { 0 }, &digits);
            if let Some(amount) = extra {
                let mut all = rule.alternatives().to_vec();
                all.push(unequal(amount));
                rule = HeapRule::new(all);
            }
            let expected = values(&rule, Engine::Direct, to);
            prop_assert!(values(&rule, Engine::RareCommonPortable, to) == expected);
            prop_assert!(values(&rule, Engine::RareCommon, to) == expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn many_parts_equal_the_direct_engine(
            d0 in 0u32..32,
            digits in prop::collection::vec(0u32..32, 1..4),
            extra in prop::option::of(0u64..4),
            to in 20u64..90,
            cut in 0u64..60,
        ) {
            let mut rule = HeapRule::octal(d0, &digits);
            if let Some(amount) = extra {
                let mut all = rule.alternatives().to_vec();
                all.push(unequal(amount));
                rule = HeapRule::new(all);
            }
            // four parts are some n^3 / 144 options an amount
            let to = if (d0 | digits.iter().fold(0, |all, d| all | d)) >> 4 == 1 { to.min(60) } else { 3 * to };
            let expected = values(&rule, Engine::Direct, to);
            prop_assert!(values(&rule, Engine::PartitionSets, to) == expected);
            let known = expected[..cut.min(to) as usize].iter().copied().collect();
            let mut resumed = Sequence::resume(&rule, Engine::PartitionSets, known);
            resumed.advance(to, &mut Meter::unlimited()).unwrap();
            prop_assert!((0..=to).all(|n| resumed.value(n) == Some(expected[n as usize])));
        }
    }

    /// A sequence of which a second thread computes a part in batches of so many heaps.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, unused_variables))]
    fn helped(rule: &HeapRule, table: ValueTable, batch: usize, depth: usize) -> Sequence {
        let mut s = Sequence::resume(rule, Engine::RareCommon, table);
        #[cfg(target_arch = "x86_64")]
        if let Running::RareCommon(engine) = &mut s.engine {
            engine.hand_over_early(batch, depth);
        }
        s
    }

    fn is_helped(s: &Sequence) -> bool {
        matches!(&s.engine, Running::RareCommon(engine) if engine.is_helped())
    }

    /// True if the machine has what a second thread needs.
    fn can_help() -> bool {
        let mut s = helped(&HeapRule::octal(0, &[6]), ValueTable::new(), 64, 1);
        s.advance(5_000, &mut Meter::unlimited()).unwrap();
        is_helped(&s)
    }

    /// Games of every width, whose masks change and whose values outgrow their words, with batches of all sizes.
    #[test]
    fn two_threads_find_what_one_finds() {
        let rules: Vec<HeapRule> = [&[6][..], &[1, 6, 1], &[3, 6], &[7, 4], &[1, 4, 2], &[1, 0, 4], &[0, 3, 4]]
            .into_iter()
            .map(|digits| HeapRule::octal(0, digits))
            .chain([HeapRule::new(vec![unequal(0)])])
            .collect();
        for (i, rule) in rules.iter().enumerate() {
            let to = 12_000;
            let expected = values(rule, Engine::Direct, to);
            for (batch, depth, step) in [(64, 1, 1 << 14), (64, 2, 1111), (256, 2, 320), (512, 1, 77)] {
                let mut s = helped(rule, ValueTable::new(), batch, depth);
                let mut with_help = 0;
                for last in (0..=to).step_by(step).chain([to]) {
                    s.advance(last, &mut Meter::unlimited()).unwrap();
                    with_help += u32::from(is_helped(&s));
                }
                assert!(s.table().iter_from(0).eq(expected.iter().copied()), "{i} {batch} {depth} {step}");
                let has_few_rares = matches!(i, 0..3 | 7);
                assert!(with_help > 0 || !has_few_rares || !can_help(), "{i} {batch}");
            }
        }
    }

    #[test]
    fn a_second_thread_resumes_anywhere() {
        let rule = HeapRule::octal(0, &[6]);
        let whole = values(&rule, Engine::RareCommon, 9_000);
        for cut in [255, 1000, 2049, 4095, 5003] {
            let mut s = helped(&rule, whole[..cut].iter().copied().collect(), 64, 2);
            for to in (cut as u64..=9_000).step_by(97).chain([9_000]) {
                s.advance(to, &mut Meter::unlimited()).unwrap();
            }
            assert!(s.table().iter_from(0).eq(whole.iter().copied()), "{cut}");
        }
    }

    /// Stops by each limit, with one thread in between, and an end in the middle of a batch.
    #[test]
    fn a_second_thread_stops_and_goes_on() {
        let rule = HeapRule::octal(0, &[1, 6, 1]);
        let to = 20_000;
        let expected = values(&rule, Engine::RareCommon, to);
        let mut s = helped(&rule, ValueTable::new(), 128, 2);
        let mut turn = 0;
        while s.advance(to, &mut Meter::new(&Budget { positions: Some(333), ..Budget::default() })).is_err() {
            let cancelled = Budget::default();
            cancelled.cancel.cancel();
            assert!(s.advance(to, &mut Meter::new(&cancelled)).is_err());
            assert!(
                s.advance(to, &mut Meter::new(&Budget { time: Some(Duration::ZERO), ..Budget::default() })).is_err()
            );
            turn += 1;
            #[cfg(target_arch = "x86_64")]
            if turn % 7 == 0
                && let Running::RareCommon(engine) = &mut s.engine
            {
                engine.go_on_alone();
                s.advance(s.table().len() as u64 + 100, &mut Meter::unlimited()).unwrap();
                let Running::RareCommon(engine) = &mut s.engine else { continue };
                engine.hand_over_early(128, 1 + turn % 2);
            }
        }
        assert!(turn > 30);
        assert!(s.table().iter_from(0).eq(expected.iter().copied()));
        drop(s);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_second_thread_changes_no_value(
            four in any::<bool>(),
            digits in prop::collection::vec(0u32..8, 1..4),
            extra in prop::option::of(0u64..4),
            blocks in 1usize..5,
            depth in 1usize..4,
            steps in prop::collection::vec(1u64..900, 1..12),
        ) {
            let mut rule = HeapRule::octal(if four { 4 } else { 0 }, &digits);
            if let Some(amount) = extra {
                let mut all = rule.alternatives().to_vec();
                all.push(unequal(amount));
                rule = HeapRule::new(all);
            }
            let mut s = helped(&rule, ValueTable::new(), 64 * blocks, depth);
            let mut to = 0;
            for step in steps {
                to += step;
                s.advance(to, &mut Meter::unlimited()).unwrap();
            }
            let expected = values(&rule, Engine::Direct, to);
            prop_assert!((0..=to).all(|n| s.value(n) == Some(expected[n as usize])));
        }
    }

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
