//! Rows of 20 cells with pieces that go to the next free cell on their right, over all pieces that stand in between.
//!
//! Cell p is bit 20 - p, so that a move makes the number of a row smaller, and a row's value is found after those of all smaller
//! numbers. A narrower board is the right end of this one.

use super::{Case, Ruling};
use crate::{budget::Meter, judge::error::Fault};

/// Cells of a row.
const CELLS: u64 = 20;

/// The values of rows, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<u8>);

impl Rows {
    /// The sum of rows with `k` pieces on the cells `p`.
    ///
    /// # Complexity
    /// O(pieces), and once O(20 2^20) for the values: one byte each, as far as they are needed.
    pub fn ruling(&mut self, case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
        let (counts, cells) = (case.list("k")?, case.list("p")?);
        let mut value = 0;
        let mut at = 0;
        for count in counts {
            let mut row = 0usize;
            for _ in 0..count {
                let Some(cell) = cells.get(at).copied() else { break };
                if !(1..=CELLS).contains(&cell) {
                    return Err(case.fault("p", at, format!("there is no cell {cell}: they are 1 to {CELLS}")));
                }
                let bit = 1 << (CELLS - cell);
                if row & bit != 0 {
                    return Err(case.fault("p", at, format!("two pieces of a row stand on cell {cell}")));
                }
                row |= bit;
                at += 1;
            }
            self.reach(row, meter)?;
            value ^= u64::from(self.0[row]);
        }
        Ok(Ruling::of_value(value))
    }

    /// Finds the values up to a row.
    fn reach(&mut self, row: usize, meter: &mut Meter) -> Result<(), Fault> {
        if self.0.len() <= row {
            meter.bytes((row + 1 - self.0.len()) as u64)?;
            self.0.reserve_exact(row + 1 - self.0.len());
        }
        while self.0.len() <= row {
            if self.0.len().is_multiple_of(64) {
                meter.steps(64 * 32)?;
            }
            self.0.push(self.value(self.0.len()));
        }
        Ok(())
    }

    /// The value of a row when those of all smaller numbers are known.
    fn value(&self, row: usize) -> u8 {
        let mut seen = 0u32;
        // the free cell that the pieces met so far would go to, from the right end on
        let mut free = None;
        for bit in 0..CELLS {
            match (row >> bit & 1, free) {
                (0, _) => free = Some(bit),
                // 20 pieces have at most 20 moves, so values are below 32
                (_, Some(free)) => seen |= 1 << self.0[row ^ (1 << bit) ^ (1 << free)],
                _ => {}
            }
        }
        seen.trailing_ones() as u8
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_core::theory::mex;
    use proptest::prelude::*;

    use super::{super::tests::run, *};
    use crate::judge::Special;

    const LAYOUT: &str = "T{ n (k p[k])[n] }";

    /// The value of a row by the rules, cells from left to right.
    fn naive(row: &[bool], known: &mut HashMap<Vec<bool>, u64>) -> u64 {
        if let Some(value) = known.get(row) {
            return *value;
        }
        let mut options = Vec::new();
        for from in 0..row.len() {
            let to = (from + 1..row.len()).find(|to| !row[*to]);
            if let (true, Some(to)) = (row[from], to) {
                let mut next = row.to_vec();
                next.swap(from, to);
                options.push(naive(&next, known));
            }
        }
        let value = mex(options);
        known.insert(row.to_vec(), value);
        value
    }

    #[test]
    fn short_rows_by_their_definition() {
        let mut rows = Rows::default();
        rows.reach(1 << 10, &mut Meter::unlimited()).unwrap();
        let mut known = HashMap::new();
        for row in 0..1 << 10 {
            let cells: Vec<bool> = (0..10).rev().map(|bit| row >> bit & 1 == 1).collect();
            assert_eq!(u64::from(rows.0[row]), naive(&cells, &mut known), "{row:b}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn sums_agree(rows in proptest::collection::vec(proptest::collection::btree_set(12u64..=20, 0..6), 1..4)) {
            let mut known = HashMap::new();
            let value = |row: &std::collections::BTreeSet<u64>| {
                naive(&(12..=20).map(|cell| row.contains(&cell)).collect::<Vec<_>>(), &mut known)
            };
            let sum = rows.iter().map(value).fold(0, |x, v| x ^ v);
            let text = |row: &std::collections::BTreeSet<u64>| {
                row.iter().fold(row.len().to_string(), |text, cell| format!("{text} {cell}"))
            };
            let lines: Vec<String> = rows.iter().map(text).collect();
            let got = run(Special::RowPieces, LAYOUT, &format!("1\n{}\n{}\n", rows.len(), lines.join("\n")));
            prop_assert_eq!(got, if sum == 0 { "second\n" } else { "first\n" });
        }
    }

    #[test]
    fn faults_have_a_place() {
        let out = run(Special::RowPieces, LAYOUT, "2\n1\n1 19\n2\n1 3\n2  5 21\n");
        assert_eq!(out, "first\ncase 2: line 6, column 6: there is no cell 21: they are 1 to 20");
        let twice = "case 1: line 3, column 7: two pieces of a row stand on cell 5";
        assert_eq!(run(Special::RowPieces, LAYOUT, "1\n1\n3 5 6 5\n"), twice);
        let ended = "case 1: line 4, column 1: expected a whole number, found the end of the input";
        assert_eq!(run(Special::RowPieces, LAYOUT, "1\n1\n3 5 6\n"), ended);
    }
}
