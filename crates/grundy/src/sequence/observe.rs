//! Regularities seen in a table of values: periods, with or without a saltus, that nothing proves yet.

use grundy_core::theory::Periodicity;

use super::table::{Cells, ValueTable, with_cells};
use crate::budget::{Meter, StopReason};

/// Full periods that must have been seen after the preperiod.
pub const TURNS: u64 = 3;

/// The least period p such that G(n + p) - G(n) is one number s >= 0 for all known n from some n0 on, with the least n0,
/// if the evidence suffices: the regular part holds at least three full periods and at least half of the values.
///
/// An observation and no proof. What is claimed is true of the values seen, and that no smaller p has as much evidence.
///
/// # Complexity
/// One comparison of the differences, from the end backwards, for each p up to a third of the table; a comparison that
/// fails is short in every sequence met so far. Time O(N) then, no memory.
///
/// # Errors
/// The meter's stop.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, sequence::{ValueTable, observed_period}};
/// let table: ValueTable = [7, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5].into_iter().collect();
/// let seen = observed_period(&table, &mut Meter::unlimited()).unwrap().unwrap();
/// assert_eq!((seen.period, seen.preperiod, seen.saltus), (3, 1, 1));
/// ```
pub fn observed_period(table: &ValueTable, meter: &mut Meter) -> Result<Option<Periodicity>, StopReason> {
    with_cells!(table.cells(), v => observed_in(v, meter))
}

fn observed_in<T: Copy + Into<u64>>(values: &[T], meter: &mut Meter) -> Result<Option<Periodicity>, StopReason> {
    let len = values.len();
    let at = |n: usize| -> u64 { values[n].into() };
    for p in 1..=len / TURNS as usize {
        // the regular part is values[n0 ..], of which n0 .. len - p are compared
        let needed = (TURNS as usize * p).max(len.div_ceil(2));
        let last = len - p - 1;
        let Some(saltus) = at(last + p).checked_sub(at(last)) else {
            meter.steps(2)?;
            continue;
        };
        let agreed = (0..=last).rev().take_while(|n| at(n + p).checked_sub(at(*n)) == Some(saltus)).count();
        meter.steps(agreed as u64 + 2)?;
        let preperiod = len - p - agreed;
        if len - preperiod >= needed {
            return Ok(Some(Periodicity { preperiod: preperiod as u64, period: p as u64, saltus }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(values: &[u64]) -> Option<(u64, u64, u64)> {
        let table: ValueTable = values.iter().copied().collect();
        observed_period(&table, &mut Meter::unlimited()).unwrap().map(|p| (p.period, p.preperiod, p.saltus))
    }

    #[test]
    fn little_evidence_is_none() {
        assert_eq!(seen(&[]), None);
        assert_eq!(seen(&[4, 4]), None);
        assert_eq!(seen(&[4, 4, 4]), Some((1, 0, 0)));
        // a constant end shorter than half of the table
        assert_eq!(seen(&[0, 1, 3, 0, 9, 2, 2, 2]), None);
        // two and a half periods
        assert_eq!(seen(&[0, 1, 5, 2, 0, 1, 5, 2, 0, 1]), None);
        assert_eq!(seen(&[0, 1, 5, 2, 0, 1, 5, 2, 0, 1, 5, 2]), Some((4, 0, 0)));
        // falling values are no saltus
        assert_eq!(seen(&[9, 8, 7, 6, 5, 4, 3]), None);
    }

    proptest! {
        #[test]
        fn least_and_true_of_what_was_seen(
            start in prop::collection::vec(0u64..4, 0..12),
            turn in prop::collection::vec(0u64..4, 1..8),
            turns in 3u64..9,
            saltus in 0u64..3,
        ) {
            let mut values = start.clone();
            for t in 0..turns {
                values.extend(turn.iter().map(|v| v + t * saltus));
            }
            let found = seen(&values);
            let regular = values.len() - start.len();
            if 2 * regular >= values.len() {
                let (p, n0, _) = found.expect("three periods in half of the table");
                prop_assert!(p <= turn.len() as u64 && (p < turn.len() as u64 || n0 <= start.len() as u64));
            }
            if let Some((p, n0, s)) = found {
                let holds = |p: usize, s: u64, n: usize| values[n + p] == values[n].wrapping_add(s);
                let (p, n0) = (p as usize, n0 as usize);
                prop_assert!((n0..values.len() - p).all(|n| holds(p, s, n)));
                prop_assert!(n0 == 0 || !holds(p, s, n0 - 1));
            }
        }
    }
}
