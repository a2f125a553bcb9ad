//! Sets of numbers that repeat: the heaps of one value, the amounts that lead to them.

use super::amounts::gcd;

/// Most single numbers into which intervals are broken up.
const MOST_NUMBERS: u64 = 1 << 20;

/// The x in `first ..= last` for which (x - first) mod period lies in one of the intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cyclic {
    first: u64,
    last: u64,
    /// At least 1.
    period: u64,
    /// Disjoint intervals below the period, ascending.
    intervals: Vec<(u64, u64)>,
}

impl Cyclic {
    /// The numbers from `first` to `last` whose distance from `first` is, modulo `period`, in one of the intervals,
    /// which are ascending and disjoint.
    pub fn new(first: u64, last: u64, period: u64, intervals: Vec<(u64, u64)>) -> Cyclic {
        Cyclic { first, last, period: period.max(1), intervals }
    }

    /// The numbers from `first` to `last`; none if `first > last`.
    pub fn interval(first: u64, last: u64) -> Cyclic {
        Cyclic { first, last, period: 1, intervals: vec![(0, 0)] }
    }

    /// These numbers, ascending, without repetition.
    pub fn list(numbers: &[u64]) -> Cyclic {
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Cyclic::interval(1, 0) };
        let mut intervals: Vec<(u64, u64)> = Vec::new();
        for x in numbers {
            let x = x - first;
            match intervals.last_mut() {
                Some((_, high)) if *high + 1 == x => *high = x,
                _ => intervals.push((x, x)),
            }
        }
        Cyclic { first: *first, last: *last, period: (last - first).saturating_add(1), intervals }
    }

    /// The least member that is at least `x`.
    pub fn next_from(&self, x: u64) -> Option<u64> {
        let x = x.max(self.first);
        if x > self.last {
            return None;
        }
        let (turn, at) = ((x - self.first) / self.period, (x - self.first) % self.period);
        let i = self.intervals.partition_point(|(_, high)| *high < at);
        let found = match self.intervals.get(i) {
            Some((low, _)) => x.checked_add((*low).max(at) - at)?,
            None => {
                let next = (turn + 1).checked_mul(self.period)?.checked_add(self.intervals.first()?.0)?;
                self.first.checked_add(next)?
            }
        };
        (found <= self.last).then_some(found)
    }

    /// The number of members.
    pub fn count(&self) -> u128 {
        if self.first > self.last {
            return 0;
        }
        let (turns, rest) = ((self.last - self.first) / self.period, (self.last - self.first) % self.period);
        let size = |low: u64, high: u64| u128::from(high - low) + 1;
        self.intervals
            .iter()
            .map(|(low, high)| {
                let partial = if *low <= rest { size(*low, rest.min(*high)) } else { 0 };
                u128::from(turns) * size(*low, *high) + partial
            })
            .sum()
    }

    /// The members between `low` and `high`.
    pub fn between(mut self, low: u64, high: u64) -> Cyclic {
        self.last = self.last.min(high);
        if low > self.first && low <= self.last {
            self.turn_by(low - self.first);
            self.first = low;
        } else if low > self.last {
            return Cyclic::interval(1, 0);
        }
        self
    }

    /// Replaces every offset x by (x - by) mod period.
    fn turn_by(&mut self, by: u64) {
        let (p, by) = (self.period, by % self.period);
        let i = self.intervals.partition_point(|(_, high)| *high < by);
        let (before, after) = self.intervals.split_at(i);
        let mut turned = Vec::with_capacity(self.intervals.len() + 1);
        let mut end = None;
        for (low, high) in after {
            if *low < by {
                // the first of these lies on both sides
                end = Some((p - (by - low), p - 1));
            }
            turned.push((low.saturating_sub(by), high - by));
        }
        turned.extend(before.iter().map(|(low, high)| (p - (by - low), p - (by - high))));
        turned.extend(end);
        self.intervals = turned;
    }

    /// The set of n - x for the members x, all of which are at most n.
    pub fn reflected(&self, n: u64) -> Cyclic {
        if self.first > self.last {
            return Cyclic::interval(1, 0);
        }
        let p = self.period;
        // the offset x becomes s - x, modulo the period
        let s = (self.last - self.first) % p;
        let i = self.intervals.partition_point(|(low, _)| *low <= s);
        let (before, after) = self.intervals.split_at(i);
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut end = None;
        for (low, high) in before.iter().rev() {
            if *high > s {
                // the last of these lies on both sides
                end = Some((p - (high - s), p - 1));
            }
            intervals.push((s.saturating_sub(*high), s - low));
        }
        intervals.extend(after.iter().rev().map(|(low, high)| (p - (high - s), p - (low - s))));
        intervals.extend(end);
        Cyclic { first: n - self.last, last: n - self.first, period: p, intervals }
    }

    /// The j with `first + step * j` in the set and at most `last`; None if they have no short description.
    pub fn thinned(self, first: u64, last: u64, step: u64) -> Option<Cyclic> {
        let set = self.between(first, last);
        if set.first > set.last {
            return Some(Cyclic::interval(1, 0));
        }
        // start at the first amount that is not below the set
        let skipped = (set.first - first).div_ceil(step);
        let Some(start) = skipped.checked_mul(step).and_then(|s| first.checked_add(s)).filter(|s| *s <= set.last)
        else {
            return Some(Cyclic::interval(1, 0));
        };
        let end = set.last;
        let set = set.between(start, end);
        let span = end - start;
        let p = set.period;
        let (period, intervals) = if p > span || p.is_multiple_of(step) {
            // no turn is completed, or every turn meets the same offsets
            let inner = |(low, high): &(u64, u64)| {
                let (low, high) = (low.div_ceil(step), high / step);
                (low <= high).then_some((low, high))
            };
            let period = if p > span { (span / step).saturating_add(1) } else { p / step };
            (period, set.intervals.iter().filter_map(inner).collect())
        } else {
            let g = gcd(p, step);
            let q = p / g;
            let numbers: u64 =
                set.intervals.iter().map(|(low, high)| (high - low) / g + 1).fold(0, u64::saturating_add);
            if numbers > MOST_NUMBERS {
                return None;
            }
            let inverse = inverse(step / g % q.max(1), q)?;
            let mut offsets = Vec::new();
            for (low, high) in &set.intervals {
                let mut x = low.div_ceil(g);
                while x <= high / g {
                    offsets.push((u128::from(x) * u128::from(inverse) % u128::from(q)) as u64);
                    x += 1;
                }
            }
            offsets.sort_unstable();
            (q, offsets.into_iter().map(|x| (x, x)).collect())
        };
        let last = skipped + span / step;
        Some(Cyclic { first: skipped, last, period, intervals })
    }
}

/// The inverse of x modulo q, for x prime to q; 0 for q = 1.
fn inverse(x: u64, q: u64) -> Option<u64> {
    let (mut a, mut b) = (i128::from(q), i128::from(x));
    let (mut s, mut t) = (0i128, 1i128);
    while b != 0 {
        let d = a / b;
        (a, b) = (b, a - d * b);
        (s, t) = (t, s - d * t);
    }
    if a == 1 { u64::try_from(s.rem_euclid(i128::from(q))).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(c: &Cyclic) -> Vec<u64> {
        let mut found = Vec::new();
        let mut x = 0;
        while let Some(next) = c.next_from(x) {
            found.push(next);
            x = next + 1;
        }
        assert_eq!(c.count(), found.len() as u128, "{c:?}");
        found
    }

    fn examples() -> Vec<Cyclic> {
        let mut all =
            vec![Cyclic::interval(1, 0), Cyclic::interval(3, 17), Cyclic::list(&[]), Cyclic::list(&[2, 3, 9])];
        for p in 1..9u64 {
            for bits in 0u64..1 << p {
                let mut intervals: Vec<(u64, u64)> = Vec::new();
                for x in (0..p).filter(|x| bits >> x & 1 == 1) {
                    match intervals.last_mut() {
                        Some((_, high)) if *high + 1 == x && bits % 3 > 0 => *high = x,
                        _ => intervals.push((x, x)),
                    }
                }
                all.push(Cyclic::new(bits % 5, 24 + bits % 7, p, intervals));
            }
        }
        all
    }

    #[test]
    fn operations_agree_with_the_members() {
        for c in examples() {
            let all = members(&c);
            for (low, high) in [(0, 30), (4, 30), (7, 19), (13, 13), (20, 10), (29, 40)] {
                let expect: Vec<u64> = all.iter().copied().filter(|x| (low..=high).contains(x)).collect();
                assert_eq!(members(&c.clone().between(low, high)), expect, "{c:?} {low} {high}");
            }
            for n in [31, 40] {
                let mut expect: Vec<u64> = all.iter().map(|x| n - x).collect();
                expect.reverse();
                assert_eq!(members(&c.reflected(n)), expect, "{c:?} {n}");
            }
            for first in [0, 1, 5, 26] {
                for step in 1..8 {
                    let expect: Vec<u64> = (0..28).filter(|j| all.contains(&(first + step * j))).collect();
                    let expect: Vec<u64> = expect.into_iter().filter(|j| first + step * j <= 27).collect();
                    let got = c.clone().thinned(first, 27, step).unwrap();
                    assert_eq!(members(&got), expect, "{c:?} from {first} by {step}");
                }
            }
        }
    }

    #[test]
    fn the_whole_range_of_64_bits() {
        let odd = Cyclic::new(1, u64::MAX, 2, vec![(0, 0)]);
        assert_eq!(odd.count(), 1 << 63);
        assert_eq!(odd.next_from(u64::MAX - 1), Some(u64::MAX));
        let threes = odd.clone().thinned(3, u64::MAX, 3).unwrap();
        assert_eq!(threes.next_from(1), Some(2));
        let back = odd.reflected(u64::MAX);
        assert_eq!((back.next_from(0), back.next_from(1)), (Some(0), Some(2)));
        let wide = Cyclic::new(0, u64::MAX, u64::MAX, vec![(0, 1)]);
        assert_eq!(wide.count(), 3);
        assert_eq!(wide.reflected(u64::MAX).count(), 3);
    }
}
