//! All lost positions of three rows, one first row after another.
//!
//! For a first row a and a third row c at most one second row b makes a P-position, for of two of them the longer one
//! could be bitten to the shorter. With c running upwards from 0, (a, b, c) is a P-position if b is the least number
//! from c to a for which no option is one:
//!
//! * b is no second row of (a, b, c') with c' < c: the *row set* of a;
//! * b is no second row of (x, b, c) with x < a: the *column set* of c;
//! * no bite of the first row leaves a P-position (x, x, c) with c <= x < b: once there is one, x bounds the second
//!   rows of the column c for ever, and when all below x have come, the column is finished;
//! * no bite of the second row leaves a P-position (a, x, x) with x < c: once there is one, the first row a is
//!   finished.
//!
//! What is left when the first row is bitten to less than the third is a rectangle, which is never lost.
//!
//! A block of first rows goes through one column after another, so that a column set is fetched once for the block,
//! and what is asked for of the row sets stays where it is.

use grundy_core::theory::Convention;

use crate::budget::{Meter, StopReason};

/// The lost positions of at most three rows with bounded rows, by the length of the first row.
///
/// # Complexity
/// Some nanoseconds for each lost position; memory of a bit for each second row of each column that is
/// not finished: with rows of at most n squares about n²/18 bytes.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, chomp::ThreeRows};
/// use grundy_core::theory::Convention;
/// let mut meter = Meter::unlimited();
/// let mut rows = ThreeRows::new([4, 4, 4], Convention::Normal, &mut meter).unwrap();
/// let mut lost = Vec::new();
/// while !rows.is_done() {
///     rows.advance(&mut lost, &mut meter).unwrap();
/// }
/// assert_eq!(lost, [[1, 0, 0], [2, 1, 0], [2, 2, 1], [3, 1, 1], [3, 2, 0], [4, 2, 2], [4, 3, 0]]);
/// ```
#[derive(Debug)]
pub struct ThreeRows {
    bounds: [usize; 3],
    convention: Convention,
    /// The first row that comes next.
    first: usize,
    /// The columns that are not finished, ascending.
    columns: Vec<Column>,
    /// Number of columns that have begun.
    begun: usize,
    rows: Vec<Row>,
}

/// A third row.
#[derive(Debug)]
struct Column {
    third: usize,
    /// The second rows that have come, from the word of `third` on.
    taken: Vec<u64>,
    /// The least second row that has not come.
    least: usize,
    /// The last second row that may come.
    last: usize,
}

/// A first row of the block.
#[derive(Debug)]
struct Row {
    /// The second rows of its lost positions.
    taken: Vec<u64>,
    /// The third row of each.
    thirds: Vec<u32>,
    is_finished: bool,
}

/// First rows that go through the columns together.
const BLOCK: usize = 64;

impl ThreeRows {
    /// The positions with rows of at most these lengths, but at most 2^31.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn new(bounds: [u64; 3], convention: Convention, meter: &mut Meter) -> Result<Self, StopReason> {
        // no row is longer than the one above
        let first = bounds[0].min(1 << 31);
        let second = bounds[1].min(first);
        let third = bounds[2].min(second);
        let words = second / 64 + 1;
        meter.bytes(BLOCK as u64 * (8 * words + 4 * (second + 1)))?;
        let row = || Row { taken: vec![0; words as usize], thirds: vec![0; second as usize + 1], is_finished: false };
        Ok(ThreeRows {
            bounds: [first as usize, second as usize, third as usize],
            convention,
            first: 1,
            columns: Vec::new(),
            begun: 0,
            rows: (0..BLOCK).map(|_| row()).collect(),
        })
    }

    /// True once all first rows have come.
    pub fn is_done(&self) -> bool {
        self.first > self.bounds[0]
    }

    /// The first row that comes next: all lost positions with shorter ones have come.
    pub fn first(&self) -> u64 {
        self.first as u64
    }

    /// Appends the lost positions of the next block of first rows to `lost`, in lexicographic order.
    ///
    /// # Errors
    /// The meter's stop, after which nothing more can be asked for.
    pub fn advance(&mut self, lost: &mut Vec<[u32; 3]>, meter: &mut Meter) -> Result<(), StopReason> {
        let start = self.first;
        let end = (start + BLOCK).min(self.bounds[0] + 1);
        self.first = end;
        self.new_columns(end, meter)?;
        for row in &mut self.rows {
            row.taken.fill(0);
            row.is_finished = false;
        }
        if start == 1 && self.convention == Convention::Misere {
            // the poison alone is won
            self.rows[0].taken[0] = 1;
        }
        let mut words = 0;
        for column in &mut self.columns {
            let skipped = column.third.saturating_sub(start);
            for (row, first) in self.rows.iter_mut().zip(start..end).skip(skipped) {
                if !row.is_finished {
                    words += place(column, row, first);
                }
            }
            if words > 1 << 12 {
                meter.steps(2 * words)?;
                words = 0;
            }
        }
        if start == 1 && self.convention == Convention::Misere {
            self.rows[0].taken[0] &= !1;
        }
        for (row, first) in self.rows.iter().zip(start..end) {
            for (w, word) in row.taken.iter().enumerate() {
                let mut left = *word;
                while left != 0 {
                    let second = 64 * w + left.trailing_zeros() as usize;
                    lost.push([first as u32, second as u32, row.thirds[second]]);
                    left &= left - 1;
                }
            }
        }
        self.columns.retain(|column| {
            let is_open = column.least <= column.last;
            if !is_open {
                meter.release(8 * column.taken.len() as u64);
            }
            is_open
        });
        Ok(())
    }

    /// Begins the columns shorter than `end`.
    fn new_columns(&mut self, end: usize, meter: &mut Meter) -> Result<(), StopReason> {
        let [_, last, most] = self.bounds;
        while self.begun < end.min(most + 1) {
            let third = self.begun;
            let words = last / 64 + 1 - third / 64;
            meter.bytes(8 * words as u64)?;
            self.columns.push(Column { third, taken: vec![0; words], least: third, last });
            self.begun += 1;
        }
        Ok(())
    }
}

/// Looks for the lost position with this first and this third row; how many words were looked at.
#[inline]
fn place(column: &mut Column, row: &mut Row, first: usize) -> u64 {
    let last = column.last.min(first);
    if column.least > last {
        return 1;
    }
    let base = column.third / 64;
    let from = column.least / 64;
    let mut below = (1u64 << (column.least % 64)) - 1;
    let pairs = column.taken[from - base..=last / 64 - base].iter_mut().zip(&mut row.taken[from..=last / 64]);
    for (w, (in_column, in_row)) in pairs.enumerate() {
        let free = !(*in_column | *in_row | below);
        below = 0;
        if free == 0 {
            continue;
        }
        let second = 64 * (from + w) + free.trailing_zeros() as usize;
        if second > last {
            break;
        }
        let bit = free & free.wrapping_neg();
        *in_column |= bit;
        *in_row |= bit;
        row.thirds[second] = column.third as u32;
        row.is_finished = second == column.third;
        if second == first {
            // a bite of any longer first row leads here, if the second is longer too
            column.last = first - 1;
        }
        if second == column.least {
            column.least = next_free(&column.taken, base, second);
        }
        return w as u64 + 2;
    }
    (last / 64 - from) as u64 + 2
}

/// The least second row from `from` on that a column has not.
fn next_free(taken: &[u64], base: usize, from: usize) -> usize {
    let mut below = (1u64 << (from % 64)) - 1;
    for (w, word) in taken.iter().enumerate().skip(from / 64 - base) {
        let free = !(word | below);
        if free != 0 {
            return 64 * (base + w) + free.trailing_zeros() as usize;
        }
        below = 0;
    }
    64 * (base + taken.len())
}
