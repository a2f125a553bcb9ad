//! Grundy values as narrow as they fit, widened on demand.

use std::ops::Range;

/// A growing table of values, each 1, 2, 4 or 8 bytes wide: the least width that holds all of them.
///
/// A value past the width widens the whole table; none is ever wrapped.
///
/// # Complexity
/// Push: amortised constant; a widening copies the table, at most three times in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    cells: Cells,
    max: u64,
}

/// The cells, by width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Values below 2^8.
    U8(Vec<u8>),
    /// Values below 2^16.
    U16(Vec<u16>),
    /// Values below 2^32.
    U32(Vec<u32>),
    /// The rest.
    U64(Vec<u64>),
}

/// Runs `$body` with `$v` bound to the vector of any width.
macro_rules! with_cells {
    ($cells:expr, $v:ident => $body:expr) => {
        match $cells {
            Cells::U8($v) => $body,
            Cells::U16($v) => $body,
            Cells::U32($v) => $body,
            Cells::U64($v) => $body,
        }
    };
}

pub(super) use with_cells;

impl Default for ValueTable {
    fn default() -> Self {
        ValueTable { cells: Cells::U8(Vec::new()), max: 0 }
    }
}

impl ValueTable {
    /// An empty table.
    pub fn new() -> Self {
        ValueTable::default()
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        with_cells!(&self.cells, v => v.len())
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The largest value, 0 in an empty table.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Bytes a value.
    pub fn width(&self) -> u64 {
        match &self.cells {
            Cells::U8(_) => 1,
            Cells::U16(_) => 2,
            Cells::U32(_) => 4,
            Cells::U64(_) => 8,
        }
    }

    /// The cells by width, for loops that cannot pay for a match a value.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The value at `n`.
    #[inline]
    pub fn get(&self, n: usize) -> Option<u64> {
        #[allow(clippy::useless_conversion)]
        {
            with_cells!(&self.cells, v => v.get(n).map(|x| u64::from(*x)))
        }
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: u64) {
        self.make_room_for(value);
        match &mut self.cells {
            Cells::U8(v) => v.push(value as u8),
            Cells::U16(v) => v.push(value as u16),
            Cells::U32(v) => v.push(value as u32),
            Cells::U64(v) => v.push(value),
        }
    }

    /// Appends many values at once.
    pub fn extend(&mut self, values: &[u32]) {
        // no value is above the or of all, which is the faster to find
        if values.iter().fold(0, |or, v| or | v) as u64 > self.max {
            self.make_room_for(values.iter().copied().max().unwrap_or(0).into());
        }
        match &mut self.cells {
            Cells::U8(v) => v.extend(values.iter().map(|x| *x as u8)),
            Cells::U16(v) => v.extend(values.iter().map(|x| *x as u16)),
            Cells::U32(v) => v.extend(values),
            Cells::U64(v) => v.extend(values.iter().map(|x| u64::from(*x))),
        }
    }

    /// Widens the cells so that `value` fits, and notes it as a possible maximum.
    #[inline]
    fn make_room_for(&mut self, value: u64) {
        if value > self.max {
            self.max = value;
            self.widen();
        }
    }

    #[cold]
    fn widen(&mut self) {
        let needed = match self.max {
            0..0x100 => 1,
            0x100..0x1_0000 => 2,
            0x1_0000..0x1_0000_0000 => 4,
            _ => 8,
        };
        if needed <= self.width() {
            return;
        }
        #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
        {
            self.cells = with_cells!(&self.cells, v => match needed {
                2 => Cells::U16(v.iter().map(|x| *x as u16).collect()),
                4 => Cells::U32(v.iter().map(|x| *x as u32).collect()),
                _ => Cells::U64(v.iter().map(|x| u64::from(*x)).collect()),
            });
        }
    }

    /// Appends the values of `range` to `out`.
    ///
    /// # Panics
    /// If the range leaves the table.
    pub fn read(&self, range: Range<usize>, out: &mut Vec<u64>) {
        #[allow(clippy::useless_conversion)]
        {
            with_cells!(&self.cells, v => out.extend(v[range].iter().map(|x| u64::from(*x))));
        }
    }

    /// All values from `start` on.
    pub fn iter_from(&self, start: usize) -> impl Iterator<Item = u64> + '_ {
        (start..self.len()).map(|n| self.get(n).unwrap_or_default())
    }

    /// Drops all values from index `len` on. The maximum is not lowered.
    pub fn truncate(&mut self, len: usize) {
        with_cells!(&mut self.cells, v => v.truncate(len));
    }
}

impl FromIterator<u64> for ValueTable {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut table = ValueTable::new();
        for v in values {
            table.push(v);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_and_never_wraps() {
        let values = [0, 255, 3, 256, 65_535, 65_536, 7, u64::from(u32::MAX), 1 << 32, u64::MAX];
        let mut table = ValueTable::new();
        let mut widths = Vec::new();
        for v in values {
            table.push(v);
            widths.push(table.width());
        }
        assert_eq!(widths, [1, 1, 1, 2, 2, 4, 4, 4, 8, 8]);
        assert_eq!(table.iter_from(0).collect::<Vec<_>>(), values);
        assert_eq!((table.len(), table.max(), table.get(10)), (10, u64::MAX, None));
        let mut read = vec![9];
        table.read(3..5, &mut read);
        assert_eq!(read, [9, 256, 65_535]);
        assert_eq!(values.into_iter().collect::<ValueTable>(), table);
    }
}
