//! All ways to take a given total from at most k heaps, in order and without dead ends.

/// What is left of `heaps` after taking exactly `total` from at most `k` of them, ascending as lists; lazy.
///
/// The walk goes heap by heap and keeps to amounts that the heaps behind can make up for, so every step leads to an
/// option: what j of the later heaps can absorb is the sum of their j largest.
///
/// # Complexity
/// O(number of heaps) for each option, memory O(number of heaps · k), but at most [`Lowerings::TABLE`] sums; beyond, each
/// step sorts anew.
pub(super) struct Lowerings {
    heaps: Vec<u64>,
    k: usize,
    total: u128,
    /// `most[i * (k + 1) + j]` is the sum of the j largest heaps from i on; empty if that would be too much.
    most: Vec<u128>,
    /// Taken from each heap; meaningless before the first option.
    taken: Vec<u64>,
    stage: Stage,
}

enum Stage {
    Fresh,
    Running,
    Done,
}

impl Lowerings {
    const TABLE: usize = 1 << 20;

    /// The walk over all ways to take from `heaps`, for any total; see [`Lowerings::restart`].
    pub(super) fn new(heaps: &[u64], k: usize) -> Self {
        let k = k.min(heaps.len());
        let mut most = Vec::new();
        if (heaps.len() + 1).checked_mul(k + 1).is_some_and(|cells| cells <= Self::TABLE) {
            most = vec![0; (heaps.len() + 1) * (k + 1)];
            let mut largest: Vec<u64> = Vec::new(); // the k largest so far, descending
            for i in (0..heaps.len()).rev() {
                let place = largest.partition_point(|h| *h >= heaps[i]);
                largest.insert(place, heaps[i]);
                largest.truncate(k);
                let mut sum = 0;
                for j in 1..=k {
                    sum += u128::from(largest.get(j - 1).copied().unwrap_or(0));
                    most[i * (k + 1) + j] = sum;
                }
            }
        }
        Lowerings { heaps: heaps.to_vec(), k, total: 0, most, taken: vec![0; heaps.len()], stage: Stage::Done }
    }

    /// Starts again with another total.
    pub(super) fn restart(&mut self, total: u128) {
        self.total = total;
        self.stage = if total > 0 && total <= self.most(0, self.k) { Stage::Fresh } else { Stage::Done };
    }

    /// The most that one move can take.
    pub(super) fn largest_total(&self) -> u128 {
        self.most(0, self.k)
    }

    fn most(&self, i: usize, j: usize) -> u128 {
        match self.most.get(i * (self.k + 1) + j) {
            Some(sum) => *sum,
            None => {
                let mut rest = self.heaps[i..].to_vec();
                rest.sort_unstable_by(|a, b| b.cmp(a));
                rest.iter().take(j).map(|h| u128::from(*h)).sum()
            }
        }
    }

    /// The largest amount up to `limit` that may be taken from heap i, with `rest` to take from here on out of j heaps.
    fn amount(&self, i: usize, rest: u128, j: usize, limit: u64) -> Option<u64> {
        let most = u64::try_from(rest).map_or(limit, |r| r.min(limit));
        if j > 0 && most > 0 && rest - u128::from(most) <= self.most(i + 1, j - 1) {
            return Some(most);
        }
        (rest <= self.most(i + 1, j)).then_some(0)
    }

    /// Fills in the greatest amounts from heap i on.
    fn fill(&mut self, i: usize, mut rest: u128, mut j: usize) {
        for i in i..self.heaps.len() {
            if rest == 0 {
                self.taken[i..].fill(0);
                return;
            }
            let amount = self.amount(i, rest, j, self.heaps[i]).unwrap_or(0);
            self.taken[i] = amount;
            rest -= u128::from(amount);
            j -= usize::from(amount > 0);
        }
    }

    /// Lowers the last amount that can be lowered and refills behind it.
    fn step(&mut self) -> bool {
        let (mut rest, mut j) = (0, self.k - self.taken.iter().filter(|t| **t > 0).count());
        for i in (0..self.heaps.len()).rev() {
            let now = self.taken[i];
            if now == 0 {
                continue;
            }
            rest += u128::from(now);
            j += 1;
            if let Some(less) = self.amount(i, rest, j, now - 1) {
                self.taken[i] = less;
                self.fill(i + 1, rest - u128::from(less), j - usize::from(less > 0));
                return true;
            }
        }
        false
    }
}

impl Iterator for Lowerings {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let found = match self.stage {
            Stage::Fresh => {
                self.fill(0, self.total, self.k);
                true
            }
            Stage::Running => self.step(),
            Stage::Done => false,
        };
        if !found {
            self.stage = Stage::Done;
            return None;
        }
        self.stage = Stage::Running;
        Some(self.heaps.iter().zip(&self.taken).map(|(h, t)| h - t).collect())
    }
}

/// The number of lists below `heaps`, entry by entry, that differ from it by exactly `total`; None where it is not
/// feasible to count.
///
/// Inclusion and exclusion over the sets of heaps from which more than there is would be taken:
/// Σ_S (-1)^|S| C(t - Σ_S (h + 1) + n - 1, n - 1), with t the smaller of `total` and what remains, for these are equally many.
///
/// # Complexity
/// O(2^n · n) for n non-empty heaps, n <= 16; None beyond that, and where a term exceeds 127 bits.
pub(super) fn count(heaps: &[u64], total: u128) -> Option<u128> {
    let heaps: Vec<u128> = heaps.iter().filter(|h| **h > 0).map(|h| u128::from(*h)).collect();
    let sum: u128 = heaps.iter().sum();
    let Some(rest) = sum.checked_sub(total) else { return Some(0) };
    let t = total.min(rest);
    let n = heaps.len();
    if n == 0 {
        return Some(1);
    }
    if n > 16 {
        return None;
    }
    let mut ways = 0i128;
    for set in 0u32..1 << n {
        let over: u128 = heaps.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, h)| h + 1).sum();
        let Some(free) = t.checked_sub(over) else { continue };
        let term = i128::try_from(choose(free + n as u128 - 1, n as u128 - 1)?).ok()?;
        ways = if set.count_ones() % 2 == 0 { ways.checked_add(term)? } else { ways.checked_sub(term)? };
    }
    u128::try_from(ways).ok()
}

/// The binomial coefficient, unless an intermediate product exceeds 128 bits.
pub(super) fn choose(n: u128, r: u128) -> Option<u128> {
    if r > n {
        return Some(0);
    }
    let r = r.min(n - r);
    let mut ways = 1u128;
    for i in 0..r {
        ways = ways.checked_mul(n - i)? / (i + 1);
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulesets::tuple::facts::lists;

    fn below(heaps: &[u64], k: usize, total: u64) -> Vec<Vec<u64>> {
        let most = heaps.iter().copied().max().unwrap_or(0);
        let mut all = lists(heaps.len()..=heaps.len(), most);
        all.retain(|l| {
            let lowered = l.iter().zip(heaps).filter(|(x, h)| x < h).count();
            l.iter().zip(heaps).all(|(x, h)| x <= h)
                && lowered <= k
                && heaps.iter().sum::<u64>() - l.iter().sum::<u64>() == total
        });
        all
    }

    #[test]
    fn every_way_once_in_order() {
        for heaps in [vec![3, 1, 4, 2], vec![0, 5, 5], vec![2, 2, 2, 2], vec![7], vec![0, 0], vec![]] {
            for k in 1..=heaps.len() + 1 {
                let mut walk = Lowerings::new(&heaps, k);
                let mut sorting = Lowerings::new(&heaps, k);
                sorting.most.clear();
                for total in 1..=heaps.iter().sum::<u64>() + 1 {
                    let wanted = below(&heaps, k, total);
                    walk.restart(u128::from(total));
                    sorting.restart(u128::from(total));
                    assert_eq!(walk.by_ref().collect::<Vec<_>>(), wanted, "{heaps:?} {k} {total}");
                    assert_eq!(sorting.by_ref().collect::<Vec<_>>(), wanted, "{heaps:?} {k} {total}");
                    if k >= heaps.len() {
                        assert_eq!(count(&heaps, u128::from(total)), Some(wanted.len() as u128), "{heaps:?} {total}");
                    }
                }
            }
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_none() {
        assert_eq!(count(&[u64::MAX; 2], 1 << 63), Some((1 << 63) + 1));
        assert_eq!(count(&[u64::MAX; 9], 1 << 63), None);
        assert_eq!(count(&[u64::MAX; 9], 9 * u128::from(u64::MAX)), Some(1));
    }
}
