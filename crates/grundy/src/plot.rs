//! A sequence as a picture: data for a plot of n against G(n), drawn by the faces.
//!
//! Neighbouring heaps share a column when there are more heaps than columns; a column keeps the least and the largest of its
//! values, so nothing that stands out is lost. Few values that are of interest by themselves are marked.

use std::io;

use crate::formats::stream::{ValueSink, ValueSlice};

/// A plot of the values of heaps `0 .. count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotSeries {
    /// Number of values.
    pub count: u64,
    /// Heaps a column; column i holds heaps `i * width ..`.
    pub width: u64,
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// The largest value.
    pub max: u64,
    /// What is marked, if anything is.
    pub marked: Option<Marked>,
}

/// The values of neighbouring heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The least.
    pub min: u64,
    /// The largest.
    pub max: u64,
    /// The marked heaps of least and of largest value, with their values.
    pub marks: Option<[(u64, u64); 2]>,
}

/// Which values are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// The smaller class of values by the parity of their bits in this mask, and of the heap where that splits better.
    Rare {
        /// The bits.
        mask: u64,
        /// Number of such values.
        total: u64,
    },
    /// Values that occur only once.
    Once {
        /// Number of such values.
        total: u64,
    },
}

/// Gathers a [`PlotSeries`] from values as they come.
///
/// # Complexity
/// A few nanoseconds a value; memory O(columns), and without a mask O(max) up to 8 MiB.
#[derive(Debug)]
pub struct PlotBuilder {
    width: u64,
    count: u64,
    columns: Vec<(u64, u64)>,
    marker: Marker,
}

#[derive(Debug)]
enum Marker {
    /// Parity of the value alone, and xored with that of the heap, even or odd.
    Rare { mask: u64, classes: [Class; 3] },
    /// The heap where a value came first, or one of the words below.
    Once(Vec<u64>),
    /// There are too many.
    Off,
}

#[derive(Clone, Debug, Default)]
struct Class {
    total: u64,
    marks: Vec<Option<[(u64, u64); 2]>>,
}

const NEVER: u64 = u64::MAX;
const OFTEN: u64 = u64::MAX - 1;

/// Values from here on are not counted.
const COUNTED: u64 = 1 << 20;

impl PlotBuilder {
    /// A plot of `count` values in at most `columns` columns. With a mask that splits rare from common values the rare ones are
    /// marked, else those that occur only once.
    pub fn new(count: u64, columns: u64, mask: Option<u64>) -> Self {
        let marker = match mask {
            Some(mask) => Marker::Rare { mask, classes: Default::default() },
            None => Marker::Once(Vec::new()),
        };
        PlotBuilder { width: count.div_ceil(columns.max(1)).max(1), count: 0, columns: Vec::new(), marker }
    }

    fn add(&mut self, n: u64, v: u64) {
        let column = (n / self.width) as usize;
        match self.columns.get_mut(column) {
            Some((min, max)) => {
                *min = v.min(*min);
                *max = v.max(*max);
            }
            None => self.columns.push((v, v)),
        }
        match &mut self.marker {
            Marker::Rare { mask, classes } => {
                let parity = (v & *mask).count_ones() as u64 % 2;
                let [plain, even, odd] = classes;
                if parity == 0 {
                    plain.add(column, n, v);
                }
                (if (parity ^ n) & 1 == 0 { even } else { odd }).add(column, n, v);
            }
            Marker::Once(first) => {
                if v >= COUNTED {
                    self.marker = Marker::Off;
                } else {
                    let v = v as usize;
                    if v >= first.len() {
                        first.resize(v + 1, NEVER);
                    }
                    first[v] = if first[v] == NEVER { n } else { OFTEN };
                }
            }
            Marker::Off => {}
        }
    }

    /// The plot of what was taken.
    pub fn finish(self) -> PlotSeries {
        let (marked, class) = match self.marker {
            Marker::Rare { mask, classes } => {
                let class = classes.into_iter().min_by_key(|c| c.total).unwrap_or_default();
                (Some(Marked::Rare { mask, total: class.total }), class)
            }
            Marker::Once(first) => {
                let mut class = Class::default();
                let mut once: Vec<(u64, u64)> =
                    (0..).zip(first).filter(|(_, n)| *n < OFTEN).map(|(v, n)| (n, v)).collect();
                once.sort_unstable();
                // where most values occur once, none stands out
                if once.len() as u64 * 8 <= self.count {
                    once.into_iter().for_each(|(n, v)| class.add((n / self.width) as usize, n, v));
                }
                ((class.total > 0).then_some(Marked::Once { total: class.total }), class)
            }
            Marker::Off => (None, Class::default()),
        };
        let marks = class.marks.into_iter().chain(std::iter::repeat(None));
        let columns: Vec<Column> =
            self.columns.into_iter().zip(marks).map(|((min, max), marks)| Column { min, max, marks }).collect();
        let max = columns.iter().map(|c| c.max).max().unwrap_or(0);
        PlotSeries { count: self.count, width: self.width, columns, max, marked }
    }
}

impl Class {
    fn add(&mut self, column: usize, n: u64, v: u64) {
        self.total += 1;
        if column >= self.marks.len() {
            self.marks.resize(column + 1, None);
        }
        let marks = self.marks[column].get_or_insert([(n, v); 2]);
        if v < marks[0].1 {
            marks[0] = (n, v);
        }
        if v > marks[1].1 {
            marks[1] = (n, v);
        }
    }
}

impl ValueSink for PlotBuilder {
    fn take(&mut self, first: u64, values: ValueSlice<'_>) -> io::Result<()> {
        let mut n = first;
        values.each(|v| {
            self.add(n, v);
            n += 1;
        });
        self.count = n;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(values: &[u64], columns: u64, mask: Option<u64>) -> PlotSeries {
        let mut builder = PlotBuilder::new(values.len() as u64, columns, mask);
        builder.take(0, ValueSlice::U64(values)).unwrap();
        builder.finish()
    }

    #[test]
    fn a_column_keeps_its_extremes() {
        let series = plot(&[5, 1, 3, 9, 2, 2, 2], 3, None);
        assert_eq!((series.count, series.width, series.max), (7, 3, 9));
        let ranges: Vec<_> = series.columns.iter().map(|c| (c.min, c.max)).collect();
        assert_eq!(ranges, [(1, 5), (2, 9), (2, 2)]);
        assert_eq!(series.marked, None);
        assert_eq!(plot(&[], 3, None).columns, []);
    }

    #[test]
    fn values_that_occur_once_are_marked_unless_most_do() {
        let mut values = [1, 2].repeat(20);
        values[17] = 7;
        let series = plot(&values, 8, None);
        assert_eq!(series.marked, Some(Marked::Once { total: 1 }));
        assert_eq!(series.columns[3].marks, Some([(17, 7); 2]));
        assert_eq!(series.columns.iter().filter(|c| c.marks.is_some()).count(), 1);
    }

    #[test]
    fn rare_values_are_the_smaller_class() {
        // parity of the value and the heap is even but at heaps 3 and 4
        let values: Vec<u64> = (0..40).map(|n| if n == 3 || n == 4 { 2 + n % 2 + 1 } else { 2 + n % 2 }).collect();
        let series = plot(&values, 4, Some(1));
        assert_eq!(series.marked, Some(Marked::Rare { mask: 1, total: 2 }));
        assert_eq!(series.columns[0].marks, Some([(4, 3), (3, 4)]));
    }
}
