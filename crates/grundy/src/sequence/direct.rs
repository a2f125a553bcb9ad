//! The direct engine: mark the values of all options, take the mex. Any rule, quadratic for two parts.
//!
//! A resumable state machine: [`DirectSequence::advance`] computes as far as the meter allows and can be called again.
//!
//! Cost for heap n: one mark (an xor, a load pair and a store) an option; options that leave two heaps are about n/2 an
//! amount. Rules with conditions or more than two parts go through the rule's own list of options, which costs some
//! tens of nanoseconds an option.

use core::ops::ControlFlow;
use std::ops::Range;

use grundy_core::{
    ruleset::OptionSink,
    rulesets::heap::{Alternative, AmountSet, Amounts, HeapRule, Parts},
    theory::period::{PeriodTheorem, Periodicity, proved_period},
};

use crate::budget::{Meter, StopReason};

/// Values of one rule from heap 0 on, growing on demand.
#[derive(Debug)]
pub struct DirectSequence {
    scans: Vec<Scan>,
    theorem: Option<PeriodTheorem>,
    values: Vec<u64>,
    proved: Option<Periodicity>,
    /// Length at which a period is looked for next.
    look_at: usize,
    marks: Marks,
}

/// One alternative, compiled.
#[derive(Debug)]
struct Scan {
    take: Take,
    /// Leaving nothing is allowed.
    nothing: bool,
    /// Leaving one heap is allowed.
    whole: bool,
    /// Leaving two heaps is allowed, with this restriction.
    pair: Option<Parts>,
    /// Everything else: listed by the rule itself.
    listed: Option<HeapRule>,
}

#[derive(Debug)]
enum Take {
    Few(Vec<u64>),
    Any(Amounts),
}

/// Values seen from one heap, by stamp, so that nothing is cleared between heaps.
#[derive(Debug, Default)]
struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn begin(&mut self, most: u64) {
        let size = (most as usize + 1).next_power_of_two();
        if self.stamps.len() < size {
            self.stamps.resize(size, 0);
        }
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    #[inline]
    fn mark(&mut self, v: u64) {
        let v = v as usize;
        if v >= self.stamps.len() {
            self.stamps.resize((v + 1).next_power_of_two(), 0);
        }
        self.stamps[v] = self.now;
    }

    fn mex(&self) -> u64 {
        self.stamps.iter().position(|s| *s != self.now).unwrap_or(self.stamps.len()) as u64
    }
}

/// Most amounts that are kept as a list.
const FEW: u64 = 1 << 16;

fn finite_amounts(amounts: &Amounts) -> Option<Vec<u64>> {
    let bound = amounts.bound()?;
    let runs = |s: &AmountSet| matches!(s, AmountSet::Run { .. } | AmountSet::PowersOf(_));
    if bound > FEW || !amounts.include.iter().all(runs) || !amounts.exclude.iter().all(runs) {
        return None;
    }
    Some((0..=bound).filter(|k| amounts.contains(*k, bound.max(*k))).collect())
}

impl Scan {
    fn new(a: &Alternative) -> Scan {
        let take = finite_amounts(&a.take).map_or_else(|| Take::Any(a.take.clone()), Take::Few);
        let simple = a.condition.is_none() && a.leave.most().is_some_and(|m| m <= 2);
        if !simple {
            return Scan {
                take,
                nothing: false,
                whole: false,
                pair: None,
                listed: Some(HeapRule::new(vec![a.clone()])),
            };
        }
        Scan {
            take,
            nothing: a.leave.restriction(0).is_some(),
            whole: a.leave.restriction(1).is_some(),
            pair: a.leave.restriction(2),
            listed: None,
        }
    }

    /// Marks the values of all options of a heap of n = `values.len()`.
    fn mark(&self, values: &[u64], marks: &mut Marks, meter: &mut Meter) -> Result<(), StopReason> {
        let n = values.len() as u64;
        if let Some(rule) = &self.listed {
            return mark_listed(rule, values, marks, meter);
        }
        match &self.take {
            Take::Few(list) => {
                for k in list.iter().take_while(|k| **k <= n) {
                    self.mark_amount(*k, values, marks, meter)?;
                }
            }
            Take::Any(amounts) => {
                let mut next = amounts.next_from(0, n);
                while let Some(k) = next {
                    self.mark_amount(k, values, marks, meter)?;
                    next = amounts.next_from(k + 1, n);
                }
            }
        }
        Ok(())
    }

    fn mark_amount(&self, k: u64, values: &[u64], marks: &mut Marks, meter: &mut Meter) -> Result<(), StopReason> {
        let rest = values.len() - k as usize;
        meter.steps(2)?;
        if rest == 0 {
            if self.nothing {
                marks.mark(0);
            }
            return Ok(());
        }
        if self.whole && k > 0 {
            marks.mark(values[rest]);
        }
        if let Some(restriction) = self.pair {
            meter.steps(rest as u64)?;
            let half = rest / 2;
            let (mut from, mut to) = (1, half);
            match restriction {
                Parts::Any => {}
                Parts::Unequal | Parts::NotAllEqual => to = (rest - 1) / 2,
                Parts::AllEqual if rest.is_multiple_of(2) => from = half,
                Parts::AllEqual => return Ok(()),
            }
            if from <= to {
                let small = &values[from..=to];
                let large = &values[rest - to..=rest - from];
                for (a, b) in small.iter().zip(large.iter().rev()) {
                    marks.mark(a ^ b);
                }
            }
        }
        Ok(())
    }
}

/// Marks the options that the rule lists itself, and listens to the meter meanwhile.
fn mark_listed(rule: &HeapRule, values: &[u64], marks: &mut Marks, meter: &mut Meter) -> Result<(), StopReason> {
    struct Marker<'a> {
        values: &'a [u64],
        marks: &'a mut Marks,
        meter: &'a mut Meter,
        stop: Option<StopReason>,
    }
    impl OptionSink<u64> for Marker<'_> {
        fn push_sum(&mut self, parts: &[u64]) -> ControlFlow<()> {
            self.marks.mark(parts.iter().fold(0, |x, p| x ^ self.values[*p as usize]));
            self.tick()
        }
        fn tick(&mut self) -> ControlFlow<()> {
            match self.meter.steps(16) {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => {
                    self.stop = Some(stop);
                    ControlFlow::Break(())
                }
            }
        }
    }
    let mut marker = Marker { values, marks, meter, stop: None };
    let _ = rule.each_option(values.len() as u64, &mut marker);
    marker.stop.map_or(Ok(()), Err)
}

impl DirectSequence {
    /// A sequence of which nothing is known yet.
    pub fn new(rule: &HeapRule) -> Self {
        DirectSequence {
            scans: rule.alternatives().iter().map(Scan::new).collect(),
            theorem: rule.period_theorem(),
            values: Vec::new(),
            proved: None,
            look_at: 64,
            marks: Marks::default(),
        }
    }

    /// Goes on from values that were computed before; they are believed.
    pub fn resume(rule: &HeapRule, values: Vec<u64>) -> Self {
        let look_at = values.len().max(64);
        DirectSequence { values, look_at, ..DirectSequence::new(rule) }
    }

    /// The values known so far, G(0), G(1), …
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The period, once it is proved.
    pub fn proved(&self) -> Option<Periodicity> {
        self.proved
    }

    /// The theorem that can prove a period of this rule.
    pub fn theorem(&self) -> Option<&PeriodTheorem> {
        self.theorem.as_ref()
    }

    /// Computes values until heap `to` is known, or its period is proved, or the meter stops.
    ///
    /// Returns the heaps that are new. What was computed before a stop is kept, so a later call goes on from there.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn advance(&mut self, to: u64, meter: &mut Meter) -> Result<Range<u64>, StopReason> {
        let before = self.values.len() as u64;
        while self.proved.is_none() && (self.values.len() as u64) <= to {
            self.compute_next(meter)?;
            if self.values.len() == self.look_at {
                self.look_for_period();
            }
        }
        Ok(before..self.values.len() as u64)
    }

    /// Computes values up to heap `to` and looks for no period.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn compute(&mut self, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        while (self.values.len() as u64) <= to {
            self.compute_next(meter)?;
        }
        Ok(())
    }

    /// Computes values up to heap `to` even where a proved period would already answer.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn fill(&mut self, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        while (self.values.len() as u64) <= to {
            if let Some(p) = self.proved {
                meter.position()?;
                let v = p.value(&self.values, self.values.len() as u64).unwrap_or_default();
                self.values.push(v);
            } else {
                self.compute_next(meter)?;
                if self.values.len() == self.look_at {
                    self.look_for_period();
                }
            }
        }
        Ok(())
    }

    /// G(n), if it is known or follows from a proved period.
    pub fn value(&self, n: u64) -> Option<u64> {
        match self.proved {
            Some(p) => p.value(&self.values, n),
            None => self.values.get(usize::try_from(n).ok()?).copied(),
        }
    }

    fn compute_next(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        meter.position()?;
        if self.values.len().is_multiple_of(1024) {
            meter.bytes(1024 * 8)?;
        }
        let most = self.values.len() as u64;
        // values never exceed the number of marks; a sequence of small values keeps a small table
        self.marks.begin(self.marks.stamps.len().min(most as usize) as u64);
        for scan in &self.scans {
            scan.mark(&self.values, &mut self.marks, meter)?;
        }
        self.values.push(self.marks.mex());
        Ok(())
    }

    fn look_for_period(&mut self) {
        // a quarter more each time: a proof is found at most 25 % late, and all looks together cost five passes
        self.look_at += self.look_at / 4;
        if let Some(theorem) = &self.theorem {
            self.proved = proved_period(&self.values, theorem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use grundy_core::ruleset::definition::GrundyByDefinition;
    use grundy_core::rulesets::heap::Leave;
    use proptest::prelude::*;

    fn sequence(rule: &HeapRule, to: u64) -> Vec<u64> {
        let mut s = DirectSequence::new(rule);
        s.fill(to, &mut Meter::unlimited()).unwrap();
        s.values().to_vec()
    }

    #[test]
    fn kayles_is_proved_at_once() {
        let mut s = DirectSequence::new(&HeapRule::octal(0, &[7, 7]));
        s.advance(1 << 40, &mut Meter::unlimited()).unwrap();
        assert_eq!(s.proved(), Some(Periodicity { preperiod: 71, period: 12, saltus: 0 }));
        assert!(s.values().len() < 300);
        let mut s = DirectSequence::new(&HeapRule::octal(0, &[0, 7]));
        s.advance(1 << 40, &mut Meter::unlimited()).unwrap();
        assert_eq!(s.proved(), Some(Periodicity { preperiod: 53, period: 34, saltus: 0 }));
    }

    #[test]
    fn a_stop_keeps_what_was_computed() {
        let mut s = DirectSequence::new(&HeapRule::octal(0, &[0, 6]));
        let mut meter = Meter::new(&Budget { positions: Some(100), ..Budget::default() });
        assert!(s.advance(1000, &mut meter).is_err());
        assert_eq!(s.values().len(), 100);
        assert_eq!(s.advance(200, &mut Meter::unlimited()).unwrap(), 100..201);
    }

    proptest! {
        #[test]
        fn equals_the_definition(d0 in 0u32..16, digits in prop::collection::vec(0u32..16, 0..4), squares in any::<bool>()) {
            let mut rule = HeapRule::octal(d0 & !3, &digits);
            if squares {
                let mut all = rule.alternatives().to_vec();
                all.push(Alternative { take: Amounts::of(AmountSet::Squares), leave: Leave::exactly(2), condition: None });
                rule = HeapRule::new(all);
            }
            let mut naive = GrundyByDefinition::new(&rule);
            let expected: Vec<u64> = (0..30).map(|n| naive.value(&n)).collect();
            prop_assert_eq!(sequence(&rule, 29), expected);
        }
    }
}
