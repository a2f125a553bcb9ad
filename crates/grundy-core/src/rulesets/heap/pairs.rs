//! Two heaps with a given sum whose values have a given xor.

use super::HeapValues;

/// Most residue classes for which the sum and the xor are solved together.
const MOST_CLASSES: u64 = 1 << 12;
/// Longest period of a closed form that is written out.
const LONGEST_PERIOD: u64 = 1 << 16;

/// What is known of the values that helps to find pairs.
#[derive(Clone, Debug)]
pub(super) enum Law {
    /// G(n0 + i + p x) = s (x + d_i) + r_i with r_i < s, a power of two: one equation for a sum and a xor per class.
    Linear {
        preperiod: u64,
        period: u64,
        /// log2 s.
        log: u32,
        /// d_i and r_i for i in 0..p.
        classes: Vec<(u64, u64)>,
        /// The most by which a value exceeds its heap, if s <= p.
        excess: Option<u64>,
    },
    /// G(n + p) = G(n) from n0 on.
    Periodic {
        preperiod: u64,
        period: u64,
        /// All bits that a value can have.
        bits: u64,
    },
    /// Nothing.
    Unknown,
}

impl Law {
    /// What `values` says of itself.
    ///
    /// # Complexity
    /// O(preperiod + period), or O(1) where a closed form has a long period.
    pub fn of(values: &HeapValues<'_>) -> Law {
        let written;
        let (known, p) = match *values {
            HeapValues::Closed(form) => match form.periodicity() {
                Some(p) if p.period.saturating_add(p.preperiod) <= LONGEST_PERIOD => {
                    let all = (0..p.preperiod + p.period).map(|n| form.value(n));
                    let Some(all) = all.collect::<Option<Vec<u64>>>() else { return Law::Unknown };
                    written = all;
                    (&written[..], p)
                }
                _ => return Law::Unknown,
            },
            HeapValues::Periodic { values, periodicity: p } => {
                let end = p.preperiod.checked_add(p.period).and_then(|end| usize::try_from(end).ok());
                match end.and_then(|end| values.get(..end)) {
                    Some(known) => (known, p),
                    None => return Law::Unknown,
                }
            }
            HeapValues::Table(_) | HeapValues::Form(_) => return Law::Unknown,
        };
        if p.saltus == 0 {
            let most = known.iter().fold(0, |x, v| x | v);
            let bits = most.checked_ilog2().map_or(0, |b| u64::MAX >> (63 - b));
            return Law::Periodic { preperiod: p.preperiod, period: p.period, bits };
        }
        if !p.saltus.is_power_of_two() || p.period > MOST_CLASSES {
            return Law::Unknown;
        }
        let excess = (p.saltus <= p.period)
            .then(|| known.iter().zip(0u64..).map(|(v, n)| v.saturating_sub(n)).max().unwrap_or(0));
        let classes = known[p.preperiod as usize..].iter().map(|v| (v / p.saltus, v % p.saltus)).collect();
        Law::Linear { preperiod: p.preperiod, period: p.period, log: p.saltus.trailing_zeros(), classes, excess }
    }

    /// False only if no `count` or fewer heaps of sum `sum` have the xor `target`.
    pub fn may_have(&self, target: u64, sum: u64, count: u64) -> bool {
        match self {
            Law::Linear { excess: Some(e), .. } => {
                u128::from(target) <= u128::from(sum) + u128::from(*e) * u128::from(count)
            }
            Law::Periodic { bits, .. } => target & !bits == 0,
            _ => true,
        }
    }
}

/// The outcome of a search with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// The smaller heap of the next pair.
    Found(u64),
    /// The limit was reached; ask again.
    OutOfSteps,
    /// There are no more.
    Done,
}

/// All a, ascending, with low <= a <= b, a + b = sum and G(a) xor G(b) = target.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    sum: u64,
    target: u64,
    /// Next a that is looked at.
    a: u64,
    /// Largest a.
    half: u64,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// One a after another.
    Walk,
    /// The classes of a linear law, each with its solutions ascending.
    Classes(Vec<Class>),
    /// One period has been seen from `start`: the hits, and the one that is next.
    Hits { start: u64, hits: Vec<u64>, next: usize },
}

/// The solutions of A + B = M, A xor B = T in one class: A = C + S for the subsets S of the bits of T.
#[derive(Clone, Debug)]
struct Class {
    /// a = base + period * S.
    base: i128,
    bits: u64,
    next: Option<u64>,
    last: u64,
}

impl Pairs {
    /// Pairs of positive heaps; a < b is wanted if `unequal`.
    pub fn new(sum: u64, target: u64, low: u64, unequal: bool) -> Pairs {
        let half = sum.saturating_sub(u64::from(unequal)) / 2;
        Pairs { sum, target, a: low.max(1), half, stage: Stage::Walk }
    }

    /// The next pair; each heap or class looked at is a step.
    pub fn next(&mut self, law: &Law, values: &HeapValues<'_>, steps: &mut u64) -> Search {
        loop {
            if *steps == 0 {
                return Search::OutOfSteps;
            }
            *steps -= 1;
            match &mut self.stage {
                Stage::Walk => {
                    if self.a > self.half {
                        return Search::Done;
                    }
                    if let Law::Linear { preperiod, period, log, classes, .. } = law
                        && self.a >= *preperiod
                    {
                        *steps = steps.saturating_sub(*period);
                        self.stage = Stage::Classes(self.classes(*preperiod, *log, classes));
                        continue;
                    }
                    if let Law::Periodic { preperiod, .. } = law
                        && self.a >= *preperiod
                    {
                        self.stage = Stage::Hits { start: self.a, hits: Vec::new(), next: 0 };
                        continue;
                    }
                    let a = self.a;
                    self.a += 1;
                    if self.fits(a, values) {
                        return Search::Found(a);
                    }
                }
                Stage::Classes(classes) => {
                    let Law::Linear { period, .. } = law else { return Search::Done };
                    let heap = |c: &Class| c.next.map(|s| c.base + i128::from(*period) * i128::from(s));
                    let Some(c) = classes.iter_mut().filter(|c| c.next.is_some()).min_by_key(|c| heap(c)) else {
                        return Search::Done;
                    };
                    let found = heap(c).and_then(|a| u64::try_from(a).ok());
                    c.advance();
                    if let Some(a) = found {
                        return Search::Found(a);
                    }
                }
                Stage::Hits { start, hits, next } => {
                    let Law::Periodic { period, .. } = law else { return Search::Done };
                    if self.a > self.half {
                        return Search::Done;
                    }
                    if self.a - *start >= *period {
                        // every later hit is one of the first period, some turns on
                        let Some(hit) = hits.get(*next) else { return Search::Done };
                        let turns = (self.a - *start) / period;
                        let Some(a) = turns.checked_mul(*period).and_then(|t| start.checked_add(t + hit)) else {
                            return Search::Done;
                        };
                        *next += 1;
                        if *next == hits.len() {
                            *next = 0;
                            self.a = self.a.saturating_add(*period);
                        }
                        return if a <= self.half { Search::Found(a) } else { Search::Done };
                    }
                    let a = self.a;
                    self.a += 1;
                    let b = self.sum - a;
                    if values.at(a).zip(values.at(b)).is_some_and(|(x, y)| x ^ y == self.target) {
                        hits.push(a - *start);
                        return Search::Found(a);
                    }
                }
            }
        }
    }

    /// The number of pairs; None if counting would take more steps.
    pub fn count(mut self, law: &Law, values: &HeapValues<'_>, steps: &mut u64) -> Option<u128> {
        let mut count = 0u128;
        loop {
            match &self.stage {
                Stage::Classes(classes) => {
                    return Some(count + classes.iter().map(Class::count).sum::<u128>());
                }
                Stage::Hits { start, hits, .. } => {
                    let Law::Periodic { period, .. } = law else { return None };
                    if self.a - *start >= *period {
                        // the hits of the first period have been counted
                        let more = hits.iter().map(|h| {
                            let first = start.checked_add(h + period);
                            first.filter(|f| *f <= self.half).map_or(0, |f| u128::from((self.half - f) / period) + 1)
                        });
                        return Some(count + more.sum::<u128>());
                    }
                }
                Stage::Walk => {}
            }
            // one step at a time, so that a change of the stage is seen
            if *steps == 0 {
                return None;
            }
            *steps -= 1;
            match self.next(law, values, &mut 1) {
                Search::Found(_) => count += 1,
                Search::OutOfSteps => {}
                Search::Done => return Some(count),
            }
            if let (Stage::Classes(_), Law::Linear { period, .. }) = (&self.stage, law) {
                *steps = steps.saturating_sub(*period);
            }
        }
    }

    fn fits(&self, a: u64, values: &HeapValues<'_>) -> bool {
        values.at(a).zip(values.at(self.sum - a)).is_some_and(|(x, y)| x ^ y == self.target)
    }

    /// The classes of a that have solutions, for a from self.a on.
    fn classes(&self, preperiod: u64, log: u32, classes: &[(u64, u64)]) -> Vec<Class> {
        let p = classes.len() as u64;
        let Some(rest) = preperiod.checked_mul(2).and_then(|n| self.sum.checked_sub(n)) else { return Vec::new() };
        let (high, low) = (self.target >> log, self.target & ((1 << log) - 1));
        let mut found = Vec::new();
        for (i, (d, r)) in classes.iter().enumerate() {
            let i = i as u64;
            // b is of the class j, and p (x + y) = rest - i - j
            let j = (rest % p + p - i % p) % p;
            let (e, q) = classes[j as usize];
            let Some(turns) = rest.checked_sub(i + j).map(|t| t / p) else { continue };
            if r ^ q != low {
                continue;
            }
            let total = u128::from(turns) + u128::from(*d) + u128::from(e);
            let Some(common) = total.checked_sub(u128::from(high)).filter(|c| c % 2 == 0).map(|c| c / 2) else {
                continue;
            };
            let Ok(common) = u64::try_from(common) else { continue };
            if common & high != 0 {
                continue;
            }
            // A = common + S, x = A - d >= 0, y = total - A - e >= 0, and low <= a = n0 + i + p x <= half
            let start = preperiod + i;
            let x_first = self.a.saturating_sub(start).div_ceil(p);
            let Some(x_last) = self.half.checked_sub(start).map(|h| h / p) else { continue };
            let bound = |x: u128| x as i128 - i128::from(common);
            // values have to fit in 64 bits
            let top = u128::from(u64::MAX >> log);
            let first = bound(u128::from(x_first) + u128::from(*d)).max(bound(total.saturating_sub(top))).max(0);
            let last = bound(u128::from(x_last) + u128::from(*d)).min(bound(total - u128::from(e))).min(bound(top));
            if last < first || first > i128::from(high) {
                continue;
            }
            let next = subset_from(high, first as u64).filter(|s| i128::from(*s) <= last);
            let base = i128::from(start) + i128::from(p) * (i128::from(common) - i128::from(*d));
            let last = u64::try_from(last).unwrap_or(u64::MAX);
            if next.is_some() {
                found.push(Class { base, bits: high, next, last });
            }
        }
        found
    }
}

impl Class {
    fn advance(&mut self) {
        self.next = self.next.and_then(|s| s.checked_add(1)).and_then(|s| subset_from(self.bits, s));
        self.next = self.next.filter(|s| *s <= self.last);
    }

    /// How many solutions are left.
    fn count(&self) -> u128 {
        match self.next {
            None => 0,
            Some(0) => subsets_to(self.bits, self.last),
            Some(s) => subsets_to(self.bits, self.last) - subsets_to(self.bits, s - 1),
        }
    }
}

/// The least number that is at least x and has only bits of `bits`.
fn subset_from(bits: u64, x: u64) -> Option<u64> {
    let Some(bad) = (x & !bits).checked_ilog2() else { return Some(x) };
    // above the highest bit of x that is not allowed, the lowest allowed one that x lacks has to be set
    let free = bits & !x & (u64::MAX.checked_shl(bad + 1).unwrap_or(0));
    (free != 0).then(|| {
        let set = free.trailing_zeros();
        (x >> set | 1) << set
    })
}

/// How many numbers up to x have only bits of `bits`.
fn subsets_to(bits: u64, x: u64) -> u128 {
    let mut count = 0u128;
    for i in (0..64).rev() {
        let below = 1u128 << (bits & ((1u64 << i) - 1)).count_ones();
        match (x >> i & 1, bits >> i & 1) {
            (1, 1) => count += below,
            (1, 0) => return count + below,
            _ => {}
        }
    }
    count + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rulesets::heap::ClosedForm, theory::Periodicity};

    #[test]
    fn subsets() {
        for bits in 0u64..64 {
            for x in 0..80 {
                let all: Vec<u64> = (0..64).filter(|s| s & !bits == 0).collect();
                assert_eq!(subset_from(bits, x), all.iter().copied().find(|s| *s >= x), "{bits:b} {x:b}");
                assert_eq!(subsets_to(bits, x), all.iter().filter(|s| **s <= x).count() as u128, "{bits:b} {x:b}");
            }
        }
        assert_eq!(subset_from(1 << 63, (1 << 62) + 1), Some(1 << 63));
        assert_eq!(subset_from(u64::MAX >> 1, 1 << 63), None);
        assert_eq!(subsets_to(u64::MAX, u64::MAX), 1 << 64);
    }

    fn check(values: HeapValues<'_>, to: u64) {
        let law = Law::of(&values);
        for sum in 0..to {
            for target in 0..20 {
                for low in [1, 2, 7, 30] {
                    for unequal in [false, true] {
                        let expect: Vec<u64> = (low..=sum / 2)
                            .filter(|a| !unequal || 2 * a < sum)
                            .filter(|a| values.at(*a).unwrap() ^ values.at(sum - a).unwrap() == target)
                            .collect();
                        let mut pairs = Pairs::new(sum, target, low, unequal);
                        let count = pairs.clone().count(&law, &values, &mut 100_000);
                        let mut found = Vec::new();
                        loop {
                            // few steps at a time: nothing may be lost
                            match pairs.next(&law, &values, &mut 2) {
                                Search::Found(a) => found.push(a),
                                Search::OutOfSteps => {}
                                Search::Done => break,
                            }
                        }
                        assert_eq!(found, expect, "{values:?} sum {sum} target {target} from {low} {unequal}");
                        assert_eq!(count, Some(expect.len() as u128));
                        assert!(expect.is_empty() || law.may_have(target, sum, 2));
                    }
                }
            }
        }
    }

    #[test]
    fn pairs_of_every_law() {
        check(HeapValues::Closed(&ClosedForm::Identity), 60);
        check(HeapValues::Closed(&ClosedForm::Lasker), 60);
        check(HeapValues::Closed(&ClosedForm::ThreeWay), 60);
        check(HeapValues::Closed(&ClosedForm::Splits), 40);
        check(HeapValues::Closed(&ClosedForm::Steps { step: 3, modulus: Some(11) }), 60);
        check(HeapValues::Closed(&ClosedForm::Steps { step: 3, modulus: None }), 60);
        check(HeapValues::Closed(&ClosedForm::Divisors { proper: false }), 40);
        let values = [0, 3, 1, 0, 7, 2, 9, 4, 5];
        for (preperiod, period, saltus) in [(4, 5, 0), (0, 9, 0), (3, 4, 4), (3, 6, 2), (3, 2, 8), (5, 4, 1), (1, 3, 3)]
        {
            check(HeapValues::Periodic { values: &values, periodicity: Periodicity { preperiod, period, saltus } }, 60);
        }
        let table: Vec<u64> = (0..60).map(|n: u64| n * n % 11).collect();
        check(HeapValues::Table(&table), 60);
    }
}
