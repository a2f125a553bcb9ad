//! The direct engine: mark the values of all options, take the mex. Any rule, quadratic for two parts.
//!
//! A resumable state machine: [`DirectSequence::advance`] computes as far as the meter allows and can be called again.
//!
//! Cost for heap n: one mark (an xor, a load pair and a store) an option; options that leave two heaps are about n/2 an
//! amount. Amounts that do not depend on the heap are found once and kept. A condition on the amount and the one heap that is
//! left is evaluated for each amount. Rules with conditions on several parts, or more than two parts, go through the rule's
//! own list of options, which costs some tens of nanoseconds an option.

use core::ops::ControlFlow;
use std::ops::Range;

use grundy_core::{
    ruleset::OptionSink,
    rulesets::heap::{Alternative, AmountSet, Amounts, Condition, HeapRule, Parts},
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
    /// What the amount and the one heap that is left must satisfy.
    condition: Option<Condition>,
    /// Everything else: listed by the rule itself.
    listed: Option<HeapRule>,
}

#[derive(Debug)]
enum Take {
    /// All amounts.
    Few(Vec<u64>),
    /// The amounts up to the heap, of a set that does not depend on it; `known` of the numbers have been looked at.
    Kept { amounts: Amounts, list: Vec<u64>, known: u64 },
    /// Amounts that depend on the heap.
    Any(Amounts),
}

impl Take {
    fn new(amounts: &Amounts) -> Take {
        if let Some(list) = finite_amounts(amounts) {
            return Take::Few(list);
        }
        let mut sets = amounts.include.iter().chain(&amounts.exclude);
        match sets.any(|set| matches!(set, AmountSet::Divisors)) {
            true => Take::Any(amounts.clone()),
            false => Take::Kept { amounts: amounts.clone(), list: Vec::new(), known: 0 },
        }
    }

    /// Looks for amounts up to n, if they are kept.
    fn find(&mut self, n: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let Take::Kept { amounts, list, known } = self else { return Ok(()) };
        while *known <= n {
            meter.steps(8)?;
            if amounts.contains(*known, *known) {
                if list.len().is_multiple_of(1024) {
                    meter.bytes(1024 * 8)?;
                }
                list.push(*known);
            }
            *known += 1;
        }
        Ok(())
    }
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
        let take = Take::new(&a.take);
        let most = a.leave.most().unwrap_or(u32::MAX);
        if most > 2 || (most == 2 && a.condition.is_some()) {
            let listed = Some(HeapRule::new(vec![a.clone()]));
            return Scan { take, nothing: false, whole: false, pair: None, condition: None, listed };
        }
        Scan {
            take,
            nothing: a.leave.restriction(0).is_some(),
            whole: a.leave.restriction(1).is_some(),
            pair: a.leave.restriction(2),
            condition: a.condition.clone(),
            listed: None,
        }
    }

    /// Marks the values of all options of a heap of n = `values.len()`.
    fn mark(&mut self, values: &[u64], marks: &mut Marks, meter: &mut Meter) -> Result<(), StopReason> {
        let n = values.len() as u64;
        if let Some(rule) = &self.listed {
            return mark_listed(rule, values, marks, meter);
        }
        self.take.find(n, meter)?;
        let list = match &self.take {
            Take::Few(list) | Take::Kept { list, .. } => &list[..list.partition_point(|k| *k <= n)],
            Take::Any(amounts) => {
                let mut next = amounts.next_from(0, n);
                while let Some(k) = next {
                    self.mark_amount(k, values, marks, meter)?;
                    next = amounts.next_from(k + 1, n);
                }
                return Ok(());
            }
        };
        if self.pair.is_some() || self.condition.is_some() || !self.whole {
            return list.iter().try_for_each(|k| self.mark_amount(*k, values, marks, meter));
        }
        // one heap is left, but of the largest amounts
        let (ends, list) = (list.last() == Some(&n), list.strip_prefix(&[0]).unwrap_or(list));
        let list = if ends { &list[..list.len().saturating_sub(1)] } else { list };
        for many in list.chunks(1024) {
            meter.steps(2 * many.len() as u64)?;
            many.iter().for_each(|k| marks.mark(values[(n - k) as usize]));
        }
        if ends { self.mark_amount(n, values, marks, meter) } else { Ok(()) }
    }

    fn mark_amount(&self, k: u64, values: &[u64], marks: &mut Marks, meter: &mut Meter) -> Result<(), StopReason> {
        let rest = values.len() - k as usize;
        meter.steps(2)?;
        let allows =
            |parts: &[u64]| self.condition.as_ref().is_none_or(|c| c.holds_unordered(values.len() as u64, k, parts));
        if self.condition.is_some() {
            meter.steps(20)?;
        }
        if rest == 0 {
            if self.nothing && allows(&[]) {
                marks.mark(0);
            }
            return Ok(());
        }
        if self.whole && k > 0 && allows(&[rest as u64]) {
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
        for scan in &mut self.scans {
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

    /// Amounts of every kind, kept or not, with and without conditions.
    #[test]
    fn rules_in_words_equal_the_twin() {
        for rule in [
            "[take squares]",
            "[take primes]",
            "[take fibonacci]",
            "[take odd but 3, 7]",
            "[take any but squares]",
            "[take any but divisors]",
            "[take divisors but 1]",
            "[take primes | split]",
            "[take squares leaving a, b]",
            "[take 1 | take multiples of 5]",
            "[take k where gcd(k, n) = 1]",
            "[take k where 2*k != n]",
            "[take k where 3*k <= 2*n or k = n]",
            "[take k where n mod 3 = k mod 3]",
            "[take k leaving a where a mod 3 = 1]",
            "[take powers of 2 | take k leaving a, b where a + k = b]",
            "[take any leaving a, b where gcd(a, b) = 1 | take 1]",
            "[take squares | split into a, b, c]",
        ] {
            let rule = grundy_core::notation::read_heap_game(rule).unwrap().rule().clone();
            let to = if rule.alternatives().iter().any(|a| a.leave.most() != Some(1)) { 60 } else { 300 };
            let expected = grundy_core::rulesets::heap::direct_values(&rule, to + 1);
            assert_eq!(sequence(&rule, to), expected, "{rule:?}");
            // from values that were known before
            let mut s = DirectSequence::resume(&rule, expected[..40].to_vec());
            s.fill(to, &mut Meter::unlimited()).unwrap();
            assert_eq!(s.values(), expected, "{rule:?}");
        }
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
