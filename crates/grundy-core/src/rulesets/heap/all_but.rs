//! Subtraction games where all amounts may be taken but finitely many: their period, proved.

use std::collections::BTreeSet;

use super::{AmountSet, HeapRule, takes::Takes};
use crate::theory::Periodicity;

/// The excluded amounts, ascending, of a rule that means "take any amount but these, leave the rest"; None for other
/// rules, and where the largest of them exceeds about 16000.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::heap::{Alternative, AmountSet, HeapRule, all_but_amounts};
/// let rule = [AmountSet::one(1), AmountSet::one(4), AmountSet::from(6)].map(Alternative::taking);
/// assert_eq!(all_but_amounts(&HeapRule::new(rule.to_vec())), Some(vec![2, 3, 5]));
/// ```
pub fn all_but_amounts(rule: &HeapRule) -> Option<Vec<u64>> {
    let takes = Takes::of(rule.alternatives())?;
    let from = takes.sets()?.iter().find_map(|s| match s {
        AmountSet::Run { first, last: None, step: 1 } => Some(*first),
        _ => None,
    })?;
    (from <= 1 << 14).then(|| (1..from).filter(|k| !takes.contains(*k)).collect())
}

/// What the values of heaps from n on depend on, relative to the base: equal states have equal futures.
#[derive(Clone, PartialEq, Eq)]
struct State {
    /// G(n - span), …, G(n - 1), less the base; None for heaps that do not exist and for values below the base.
    window: Vec<Option<u64>>,
    /// The values above the base of the heaps before the window, less the base.
    above: Vec<u64>,
}

/// The period of the game "take any amount but those of `excluded`", with the values of heaps `0 .. preperiod +
/// period`, from which [`Periodicity::value`] gives every other; None if heaps below `limit` show no proof.
///
/// Let m be the largest excluded amount and V the set of values of the heaps below n - m. Every heap below n - m is an
/// option of n, so G(n) is the mex of V and of some of the last m values. Write b for mex V, the *base*. Values below b
/// belong to V and stay there: the values from G(n) on depend only on the last m values and on the members of V above
/// b, and if both are raised by s (values below b may be anything), all later values are raised by s. Hence, if the
/// state (last m values, members of V above b), taken relative to b, is the same at n and at n + p and the base has
/// grown by s, then G(i + p) = G(i) + s for all i >= n. States are compared whole, not by a hash; the least period
/// divides p, since the differences of neighbours are periodic, and the least preperiod is found by going down from n.
///
/// Every such game has a period (A. Siegel); with at most three excluded amounts the preperiod is 0.
///
/// # Complexity
/// Time O(N m log m) for the N heaps visited, about three times the sum of preperiod and period; memory O(N + m).
/// Never panics.
///
/// # Sources
/// `[SS12]`; the argument above is complete in itself.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::heap::all_but_period;
/// let (p, values) = all_but_period(&[2, 3], 1000).unwrap();
/// assert_eq!((p.period, p.preperiod, p.saltus), (4, 0, 2));
/// assert_eq!(values, [0, 1, 0, 1]);
/// assert_eq!(p.value(&values, 1 << 60), Some(1 << 59));
/// ```
pub fn all_but_period(excluded: &[u64], limit: u64) -> Option<(Periodicity, Vec<u64>)> {
    let excluded: BTreeSet<u64> = excluded.iter().copied().filter(|k| *k > 0).collect();
    let span = excluded.last().copied().unwrap_or(0);
    let limit = usize::try_from(limit).ok()?;
    let span = usize::try_from(span).ok().filter(|m| *m < limit)?;
    // amounts up to the span that may be taken
    let near: Vec<usize> = (1..=span).filter(|k| !excluded.contains(&(*k as u64))).collect();

    let mut values: Vec<u64> = Vec::new();
    let mut base = 0u64;
    let mut above = BTreeSet::new();
    // Brent's cycle search: one state is kept, and replaced when the distance to it has doubled
    let mut kept: Option<(State, usize, u64)> = None;
    let mut reach = 1;
    while values.len() < limit {
        let n = values.len();
        let state = State {
            window: (n as i128 - span as i128..n as i128)
                .map(|i| usize::try_from(i).ok().and_then(|i| values[i].checked_sub(base)))
                .collect(),
            above: above.iter().map(|v| v - base).collect(),
        };
        match &kept {
            Some((old, at, old_base)) if *old == state => {
                return Some(least(values, *at, n - at, base - old_base));
            }
            Some((_, at, _)) if n - at < reach => {}
            _ => {
                reach *= 2;
                kept = Some((state, n, base));
            }
        }
        let mut g = base;
        let reached: BTreeSet<u64> = near.iter().filter_map(|k| n.checked_sub(*k)).map(|i| values[i]).collect();
        while above.contains(&g) || reached.contains(&g) {
            g += 1;
        }
        values.push(g);
        if let Some(left) = values.len().checked_sub(span + 1) {
            let v = values[left];
            if v >= base {
                above.insert(v);
            }
            while above.remove(&base) {
                base += 1;
            }
        }
    }
    None
}

/// The least period and preperiod of a sequence with G(i + p) = G(i) + s from `start` on, and the values it needs.
fn least(mut values: Vec<u64>, start: usize, p: usize, s: u64) -> (Periodicity, Vec<u64>) {
    let at = |i: usize| if i < values.len() { values[i] } else { values[i - p] + s };
    let step = |i: usize| at(i + 1).wrapping_sub(at(i));
    let period = (1..=p)
        .filter(|d| p.is_multiple_of(*d))
        .find(|d| (start..start + p - d).all(|i| step(i) == step(i + d)))
        .unwrap_or(p);
    let saltus = at(start + period) - at(start);
    let mut preperiod = start;
    while preperiod > 0 && at(preperiod - 1 + period) == at(preperiod - 1).wrapping_add(saltus) {
        preperiod -= 1;
    }
    values.truncate(preperiod + period);
    (Periodicity { preperiod: preperiod as u64, period: period as u64, saltus }, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    fn by_definition(excluded: &[u64], to: u64) -> Vec<u64> {
        let mut g: Vec<u64> = Vec::new();
        for n in 0..=to {
            let v = mex((1..=n).filter(|k| !excluded.contains(k)).map(|k| g[(n - k) as usize]));
            g.push(v);
        }
        g
    }

    fn check(excluded: &[u64]) -> Periodicity {
        let (p, values) = all_but_period(excluded, 1 << 20).unwrap_or_else(|| panic!("no period for {excluded:?}"));
        let to = p.preperiod + 3 * p.period + 40;
        let slow = by_definition(excluded, to.min(1500));
        for (n, v) in slow.iter().enumerate() {
            assert_eq!(p.value(&values, n as u64), Some(*v), "all but {excluded:?}, heap {n}");
        }
        // least: no smaller n0, and no smaller period with any saltus
        let at = |n: u64| p.value(&values, n).unwrap();
        if let Some(n) = p.preperiod.checked_sub(1) {
            assert_ne!(at(n + p.period), at(n) + p.saltus);
        }
        for d in 1..p.period {
            let s = at(p.preperiod + d) - at(p.preperiod).min(at(p.preperiod + d));
            assert!((0..p.period).any(|i| at(p.preperiod + i + d) != at(p.preperiod + i) + s), "{excluded:?} {d}");
        }
        p
    }

    #[test]
    fn facts() {
        type Row<'a> = (&'a [u64], (u64, u64, u64));
        // excluded; period, preperiod, saltus: computed by brute force to heap 3000
        let rows: [Row; 8] = [
            (&[1, 2, 3], (4, 0, 1)),
            (&[1, 3, 5], (2, 0, 1)),
            (&[1, 3], (2, 0, 1)),
            (&[1, 4], (2, 0, 1)),
            (&[1, 5, 6], (18, 0, 6)),
            (&[2, 3], (4, 0, 2)),
            (&[2, 5], (4, 0, 2)),
            (&[], (1, 0, 1)),
        ];
        for (excluded, expect) in rows {
            let p = check(excluded);
            assert_eq!((p.period, p.preperiod, p.saltus), expect, "{excluded:?}");
        }
    }

    #[test]
    fn every_small_set() {
        for bits in 0u64..1 << 9 {
            let excluded: Vec<u64> = (1..=9).filter(|k| bits >> (k - 1) & 1 == 1).collect();
            let p = check(&excluded);
            if excluded.len() <= 3 {
                assert_eq!(p.preperiod, 0, "{excluded:?}");
            }
        }
    }

    #[test]
    fn zero_and_repetitions_do_not_matter() {
        assert_eq!(all_but_period(&[0, 3, 3, 2], 1000), all_but_period(&[2, 3], 1000));
    }

    #[test]
    fn a_limit_is_no_answer() {
        assert_eq!(all_but_period(&[2, 3], 4), None);
        assert_eq!(all_but_period(&[u64::MAX], 1000), None);
    }
}
