//! The least period that a table of values carries a proof of.

use grundy_core::theory::period::{PeriodTheorem, Periodicity};

use super::table::{Cells, ValueTable, with_cells};

/// What the tail of a table says about the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The least period, with a proof.
    Proved(Periodicity),
    /// The tail repeats itself; so many values would be a proof if it goes on.
    Repeats {
        /// Number of values G(0), G(1), … that the theorem needs.
        needed: u64,
    },
    /// Neither.
    Open,
}

/// The least period with a proof by `theorem`, if the known values carry one; saltus 0.
///
/// The theorems ask for N >= 2 (n0 + p) + k values (or more), so half of the table, its tail, has period p. The least
/// period of the tail is found by looking backwards for the last few values and comparing on from there; its preperiod by
/// comparing backwards as far as the equation holds.
///
/// # Complexity
/// Time O(N) where occurrences of the tail's end are no more than a few, as in every sequence met so far; no memory.
pub fn proved_period_of(table: &ValueTable, theorem: &PeriodTheorem) -> Option<Periodicity> {
    match tail_of(table, theorem) {
        Tail::Proved(period) => Some(period),
        _ => None,
    }
}

/// [`proved_period_of`], with what to expect where there is no proof yet.
pub fn tail_of(table: &ValueTable, theorem: &PeriodTheorem) -> Tail {
    with_cells!(table.cells(), v => tail_in(v, theorem))
}

fn tail_in<T: Copy + Eq>(values: &[T], theorem: &PeriodTheorem) -> Tail {
    let len = values.len() as u64;
    // the most that n0 + p may be, n0 >= 1: the needed number of values grows with the sum
    let Some(reach) = largest(len, |sum| theorem.values_needed(1, sum - 1).is_some_and(|needed| needed <= len)) else {
        return Tail::Open;
    };
    // n0 + p = len - agreement, so this much agreement is a proof
    let enough = (len - reach) as usize;
    let mut repeats = None;
    let mut agreed = 0;
    let mut p = 1usize;
    while p as u64 <= reach {
        let agreement = agreement(values, p);
        let preperiod = (values.len() - p - agreement) as u64;
        let needed = theorem.values_needed(preperiod, p as u64);
        // preperiod 0 needs the values of preperiod 1
        if agreement >= enough && needed.is_some_and(|needed| needed <= len) {
            return Tail::Proved(Periodicity { preperiod, period: p as u64, saltus: 0 });
        }
        if agreement >= 2 * p.max(64) && repeats.is_none() {
            repeats = needed;
        }
        agreed = agreed.max(agreement);
        // the last agreement + p values have period p, and so period gcd(p, q) if a q up to the agreement is one too (Fine and
        // Wilf); then q agrees no further back than p does
        match next_candidate(values, p.max(agreement), (agreed + 1).clamp(16, 1 << 12).min(enough)) {
            Some(next) => p = next,
            None => break,
        }
    }
    repeats.map_or(Tail::Open, |needed| Tail::Repeats { needed })
}

/// The largest sum in `1 ..= len` that passes a test which holds up to some point.
fn largest(len: u64, test: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if test(middle) { low = middle } else { high = middle - 1 }
    }
    (low > 0).then_some(low)
}

/// Number of n, counted backwards from the end, for which values\[n\] = values\[n + p\].
fn agreement<T: Copy + Eq>(values: &[T], p: usize) -> usize {
    let (mut old, mut new) = (&values[..values.len() - p], &values[p..]);
    let all = old.len();
    const CHUNK: usize = 64;
    while old.len() >= CHUNK {
        let at = old.len() - CHUNK;
        if old[at..] != new[at..] {
            break;
        }
        (old, new) = (&old[..at], &new[..at]);
    }
    let more = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    all - old.len() + more
}

/// The least p above `after` at which the last `end` values recur.
///
/// A period that is refuted after some agreement is refuted by the value before: an end of the table that is longer than
/// the agreement recurs at the true period, but seldom at the refuted ones.
fn next_candidate<T: Copy + Eq>(values: &[T], after: usize, end: usize) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 is there.
        return unsafe { next_candidate_avx2(values, after, end) };
    }
    next_candidate_plain(values, after, end)
}

/// The same, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn next_candidate_avx2<T: Copy + Eq>(values: &[T], after: usize, end: usize) -> Option<usize> {
    next_candidate_plain(values, after, end)
}

#[inline(always)]
fn next_candidate_plain<T: Copy + Eq>(values: &[T], after: usize, end: usize) -> Option<usize> {
    const CHUNK: usize = 64;
    const MANY: usize = 8;
    let len = values.len();
    let pattern = &values[len - end..];
    let is_here = |p: usize| {
        // most places fail at once
        let place = &values[len - end - p..len - p];
        place.iter().rev().zip(pattern.iter().rev()).take(8).all(|(a, b)| a == b) && place == pattern
    };
    let (mut p, last) = (after + 1, len - end);
    // the last few values are compared at many places at once
    if let Some(recent) = pattern.last_chunk::<MANY>() {
        while p + CHUNK <= last {
            let places = &values[len - p - CHUNK + 1 - MANY..len - p];
            let mut equal = [true; CHUNK];
            for (wanted, there) in recent.iter().zip(places.windows(CHUNK)) {
                equal.iter_mut().zip(there).for_each(|(equal, v)| *equal &= v == wanted);
            }
            if equal.contains(&true)
                && let Some(found) = (p..p + CHUNK).find(|p| is_here(*p))
            {
                return Some(found);
            }
            p += CHUNK;
        }
    }
    (p..=last).find(|p| is_here(*p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::period::proved_period;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_theorem_on_all_values(
            start in prop::collection::vec(0u64..3, 0..20),
            turn in prop::collection::vec(0u64..3, 1..12),
            turns in 0usize..12,
            rest in prop::collection::vec(0u64..3, 0..4),
            span in 1u64..8,
            parts in 1u64..4,
        ) {
            let mut values = start;
            for _ in 0..turns {
                values.extend(&turn);
            }
            values.extend(rest);
            let theorem = match parts {
                1 => PeriodTheorem::Window { span },
                parts => PeriodTheorem::GuySmith { span, parts },
            };
            let table: ValueTable = values.iter().copied().collect();
            prop_assert_eq!(proved_period_of(&table, &theorem), proved_period(&values, &theorem));
        }
    }
}
