//! Values of a rule that leaves at most two heaps, recomputed in order from heap 0, by plain code.
//!
//! Where a [`Split`] is given the values come in less than quadratic time, exactly, whatever the split: it decides how
//! long the check takes and never what comes out.

use super::certificate::Split;
use crate::rulesets::heap::HeapRule;

/// What may be left after taking one amount.
#[derive(Clone, Copy, Debug, Default)]
struct Digit {
    nothing: bool,
    one: bool,
    two: bool,
}

/// The digits d0, d1, … of a rule; None unless amounts are bounded, heaps left at most two, and nothing else is asked.
fn digits(rule: &HeapRule) -> Option<Vec<Digit>> {
    let span = usize::try_from(rule.period_theorem()?.span()).ok()?;
    if span > 1 << 20 || rule.alternatives().iter().any(|a| a.leave.most().is_none_or(|m| m > 2)) {
        return None;
    }
    let mut digits = vec![Digit::default(); span + 1];
    for (k, digit) in digits.iter_mut().enumerate() {
        // whether an amount may be taken does not depend on the heap, once it is large enough
        let ways = || rule.alternatives().iter().filter(|a| a.take.contains(k as u64, span as u64));
        let leaves = |count: u64| ways().any(|a| a.leave.restriction(count).is_some());
        *digit = Digit { nothing: k > 0 && leaves(0), one: k > 0 && leaves(1), two: leaves(2) };
    }
    Some(digits)
}

/// The values so far, one byte each as long as they fit.
#[derive(Debug)]
enum Values {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

/// Recomputes values one after another.
///
/// Let chi(n) be the parity of the bits of G(n) under the mask; with `by_parity` it is xored with the parities of n and
/// of the amounts after which two heaps may be left, which must all be of one parity. A heap is *rare* if chi is 0.
/// If a and b are what is left of n after taking k, so that n = a + b + k, then G(a) xor G(b), read as a value of n, has
/// chi(a) xor chi(b): two heaps of one class give a rare value, two of different classes a common one. So
///
/// 1. the options that take without breaking, and those with a rare part, give all common values that are options;
/// 2. the value of n is at most c, the least common value that is none of them;
/// 3. the rare values below c that were not met yet can only come of two common parts: these are walked until all are
///    met, and then the value is c; if the walk ends first, the value is the least that was not met.
///
/// Without a split (mask 0) every heap is rare and step 1 meets all options: the definition.
///
/// # Complexity
/// Time O(R + W) a heap and amount, with R rare heaps and a walk of W pairs, at most n / 2; memory one byte a value (four
/// where they exceed 255).
#[derive(Debug)]
pub(super) struct Replay {
    digits: Vec<Digit>,
    /// The amounts after which two heaps may be left.
    breaking: Vec<usize>,
    split: Split,
    values: Values,
    /// Rare heaps, ascending; heap 0 is no part.
    rares: Vec<usize>,
    marks: Marks,
}

/// Values met from one heap, by stamp, so that nothing is cleared between heaps.
#[derive(Debug, Default)]
struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn begin(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Marks a value; true if it is new.
    fn mark(&mut self, v: u32) -> bool {
        let old = std::mem::replace(&mut self.stamps[v as usize], self.now);
        old != self.now
    }

    fn has(&self, v: u32) -> bool {
        self.stamps[v as usize] == self.now
    }
}

impl Replay {
    /// Starts before heap 0.
    ///
    /// # Errors
    /// If the rule is outside of what is recomputed here, or the split does not suit it.
    pub(super) fn new(rule: &HeapRule, split: Split) -> Result<Replay, String> {
        let digits = digits(rule).ok_or("only rules that leave at most two heaps are recomputed")?;
        let breaking: Vec<usize> = (0..digits.len()).filter(|k| digits[*k].two).collect();
        if split.by_parity && breaking.windows(2).any(|w| w[0] % 2 != w[1] % 2) {
            return Err("the split counts the parity of heaps, but heaps are broken after odd and even amounts".into());
        }
        let marks = Marks { stamps: vec![0; 256], now: 0 };
        Ok(Replay { digits, breaking, split, values: Values::Narrow(Vec::new()), rares: Vec::new(), marks })
    }

    /// Number of values known.
    pub(super) fn len(&self) -> usize {
        match &self.values {
            Values::Narrow(v) => v.len(),
            Values::Wide(v) => v.len(),
        }
    }

    /// G(n) of a known heap.
    pub(super) fn value(&self, n: usize) -> u64 {
        match &self.values {
            Values::Narrow(v) => v[n].into(),
            Values::Wide(v) => v[n].into(),
        }
    }

    /// What the class of heap n depends on besides its value.
    fn turn(&self, n: usize) -> u32 {
        let amount = self.breaking.first().copied().unwrap_or(0);
        if self.split.by_parity { (n as u32 ^ amount as u32) & 1 } else { 0 }
    }

    /// Computes the next value; returns it with the number of options looked at.
    pub(super) fn advance(&mut self) -> (u64, u64) {
        let n = self.len();
        let turn = self.turn(n);
        let rule = Step { digits: &self.digits, breaking: &self.breaking, mask: self.split.mask, turn };
        let (value, looked) = match &self.values {
            Values::Narrow(v) => rule.value(v, &self.rares, &mut self.marks),
            Values::Wide(v) => rule.value(v, &self.rares, &mut self.marks),
        };
        if n > 0 && rule.is_rare(value) {
            self.rares.push(n);
        }
        if let (Values::Narrow(v), true) = (&self.values, value > 0xFF) {
            self.values = Values::Wide(v.iter().map(|x| u32::from(*x)).collect());
        }
        // xors of values stay below the next power of two
        let room = (value as usize + 1).next_power_of_two();
        if self.marks.stamps.len() < room {
            self.marks.stamps.resize(room, 0);
        }
        match &mut self.values {
            Values::Narrow(v) => v.push(value as u8),
            Values::Wide(v) => v.push(value),
        }
        (value.into(), looked)
    }
}

/// One heap at work.
struct Step<'a> {
    digits: &'a [Digit],
    breaking: &'a [usize],
    mask: u64,
    turn: u32,
}

impl Step<'_> {
    fn is_rare(&self, v: u32) -> bool {
        (u64::from(v) & self.mask).count_ones() % 2 == self.turn
    }

    fn value<T: Copy + Into<u32>>(&self, values: &[T], rares: &[usize], marks: &mut Marks) -> (u32, u64) {
        let n = values.len();
        let g = |i: usize| -> u32 { values[i].into() };
        marks.begin();
        let mut looked = 1;
        for (k, digit) in self.digits.iter().enumerate().take(n + 1) {
            if digit.nothing && k == n {
                marks.mark(0);
            }
            if digit.one && k < n {
                marks.mark(g(n - k));
            }
            looked += 1;
        }
        for k in self.breaking.iter().take_while(|k| **k < n) {
            let rest = n - k;
            for r in rares.iter().take_while(|r| **r < rest) {
                marks.mark(g(*r) ^ g(rest - r));
                looked += 1;
            }
        }
        // every option is below the number of stamps, so that number itself bounds the value
        let end = marks.stamps.len() as u32;
        let c = (0..end).find(|v| !self.is_rare(*v) && !marks.has(*v)).unwrap_or(end);
        let mut missing = (0..c).filter(|v| !marks.has(*v)).count();
        let commons = n.saturating_sub(1 + rares.len());
        let mut a = 1;
        while missing > 0 && commons > 0 {
            let mut any = false;
            for k in self.breaking.iter().take_while(|k| **k + 2 * a <= n) {
                any = true;
                looked += 1;
                let v = g(a) ^ g(n - k - a);
                if marks.mark(v) && v < c {
                    missing -= 1;
                }
            }
            if !any {
                break;
            }
            a += 1;
        }
        let value = if missing == 0 { c } else { (0..c).find(|v| !marks.has(*v)).unwrap_or(c) };
        (value, looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::read_heap_game, rulesets::heap::direct_values};
    use proptest::prelude::*;

    fn replayed(rule: &HeapRule, split: Split, count: usize) -> Result<Vec<u64>, String> {
        let mut replay = Replay::new(rule, split)?;
        Ok((0..count).map(|_| replay.advance().0).collect())
    }

    proptest! {
        #[test]
        fn any_split_gives_the_values_of_the_definition(
            d0 in 0u32..2,
            digits in prop::collection::vec(0u32..8, 1..5),
            mask in 0u64..64,
            by_parity in any::<bool>(),
        ) {
            let rule = HeapRule::octal(4 * d0, &digits);
            let even = (0..).zip([4 * d0].iter().chain(&digits)).filter(|(k, d)| *d & 4 != 0 && k % 2 == 0).count();
            let odd = (0..).zip([4 * d0].iter().chain(&digits)).filter(|(k, d)| *d & 4 != 0 && k % 2 == 1).count();
            let found = replayed(&rule, Split { mask, by_parity }, 90);
            if by_parity && even > 0 && odd > 0 {
                prop_assert!(found.is_err());
            } else {
                prop_assert_eq!(found.unwrap(), direct_values(&rule, 90));
            }
        }
    }

    #[test]
    fn values_above_255_are_kept_whole() {
        // taking 1 to 300 leaves values up to 300
        let game = read_heap_game("[take 1..300]").unwrap();
        let found = replayed(game.rule(), Split::default(), 700).unwrap();
        assert!(found.iter().enumerate().all(|(n, v)| *v == n as u64 % 301));
    }

    #[test]
    fn a_good_split_is_fast_and_a_bad_one_only_slow() {
        let rule = HeapRule::octal(0, &[1, 6]);
        let looked = |mask| {
            let mut replay = Replay::new(&rule, Split { mask, by_parity: false }).unwrap();
            let mut looked = 0;
            let values: Vec<u64> = (0..3000)
                .map(|_| {
                    let (v, l) = replay.advance();
                    looked += l;
                    v
                })
                .collect();
            (values, looked)
        };
        let all: Vec<(Vec<u64>, u64)> = (0..32).map(looked).collect();
        assert!(all.iter().all(|(values, _)| *values == all[0].0));
        let least = all.iter().map(|(_, l)| *l).min().unwrap();
        assert!(5 * least < all[0].1, "{least} of {}", all[0].1);
    }

    #[test]
    fn three_heaps_are_refused() {
        assert!(Replay::new(&HeapRule::octal(0, &[8]), Split::default()).is_err());
        assert!(Replay::new(read_heap_game("grundy_game").unwrap().rule(), Split::default()).is_err());
    }
}
