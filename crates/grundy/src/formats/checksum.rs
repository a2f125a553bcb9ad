//! A checksum of a sequence in one line, to compare long runs of different programs.

use std::{fmt, io};

use super::stream::{ValueSink, ValueSlice};

/// The running checksum of values from heap 0 on, with the last value and the largest.
///
/// Fletcher-like: from a = b = 0, for each value in turn a += G(n), then b += a, both modulo 65536; the checksum is
/// b · 65536 + a. It prints as `N G(N) max CHECKSUM`, the checksum as 8 upper-case hexadecimal digits.
///
/// # Complexity
/// Two additions a value in 16 lanes: a fraction of a nanosecond a value from narrow cells.
///
/// # Examples
/// ```
/// use grundy::formats::{checksum::Checksum, stream::{ValueSink, ValueSlice}};
/// let mut sum = Checksum::default();
/// sum.take(0, ValueSlice::U8(&[0, 1, 2, 3, 1, 4])).unwrap();
/// assert_eq!(sum.to_string(), "5 4 4 001C000B");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum {
    count: u64,
    last: u64,
    max: u64,
    a: u16,
    b: u16,
}

/// Values summed side by side.
const LANES: usize = 16;

/// A value as narrow as it is stored.
trait Cell: Copy + Ord + Default {
    fn low(self) -> u16;
    fn wide(self) -> u64;
}

macro_rules! cell {
    ($($t:ty),*) => {$(
        impl Cell for $t {
            #[inline]
            #[allow(clippy::unnecessary_cast)]
            fn low(self) -> u16 {
                self as u16
            }
            #[inline]
            #[allow(clippy::unnecessary_cast)]
            fn wide(self) -> u64 {
                self as u64
            }
        }
    )*};
}

cell!(u8, u16, u32, u64);

impl Checksum {
    /// Number of values taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The largest value, 0 if there is none.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The checksum itself.
    pub fn digest(&self) -> u32 {
        u32::from(self.b) << 16 | u32::from(self.a)
    }

    /// Lane j sums A_j and, chunk by chunk, B_j: over C chunks B_j is the sum of (C - c) v(c, j). A value at chunk c, lane j
    /// is counted `LANES (C - c) - j` times in b, hence b gains LANES B_j - j A_j beside what the old a gives.
    fn add<T: Cell>(&mut self, values: &[T]) {
        let chunks = values.chunks_exact(LANES);
        let (rest, whole) = (chunks.remainder(), values.len() - chunks.remainder().len());
        let (mut a, mut b, mut max) = ([0u16; LANES], [0u16; LANES], [T::default(); LANES]);
        for chunk in chunks {
            for j in 0..LANES {
                a[j] = a[j].wrapping_add(chunk[j].low());
                b[j] = b[j].wrapping_add(a[j]);
                max[j] = max[j].max(chunk[j]);
            }
        }
        self.b = self.b.wrapping_add((whole as u16).wrapping_mul(self.a));
        for (j, (a, b)) in (0u16..).zip(a.into_iter().zip(b)) {
            self.a = self.a.wrapping_add(a);
            self.b = self.b.wrapping_add((LANES as u16).wrapping_mul(b)).wrapping_sub(j.wrapping_mul(a));
        }
        for v in rest {
            self.a = self.a.wrapping_add(v.low());
            self.b = self.b.wrapping_add(self.a);
        }
        let largest = max.into_iter().chain(rest.iter().copied()).max().unwrap_or_default();
        self.max = self.max.max(largest.wide());
        self.last = values.last().map_or(self.last, |v| v.wide());
        self.count += values.len() as u64;
    }
}

impl ValueSink for Checksum {
    fn take(&mut self, _first: u64, values: ValueSlice<'_>) -> io::Result<()> {
        match values {
            ValueSlice::U8(v) => self.add(v),
            ValueSlice::U16(v) => self.add(v),
            ValueSlice::U32(v) => self.add(v),
            ValueSlice::U64(v) => self.add(v),
        }
        Ok(())
    }
}

impl fmt::Display for Checksum {
    /// `N G(N) max CHECKSUM`, nothing if no value was taken.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count.checked_sub(1) {
            Some(n) => write!(f, "{n} {} {} {:08X}", self.last, self.max, self.digest()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition.
    fn plain(values: &[u64]) -> u32 {
        let (mut a, mut b) = (0u16, 0u16);
        for v in values {
            a = a.wrapping_add(*v as u16);
            b = b.wrapping_add(a);
        }
        u32::from(b) << 16 | u32::from(a)
    }

    proptest! {
        #[test]
        fn equals_the_definition(pieces in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..70), 0..6)) {
            let all: Vec<u64> = pieces.concat();
            let mut sums = [Checksum::default(); 4];
            for piece in &pieces {
                sums[0].take(0, ValueSlice::U64(piece)).unwrap();
                sums[1].take(0, ValueSlice::U32(&piece.iter().map(|v| *v as u32).collect::<Vec<_>>())).unwrap();
                sums[2].take(0, ValueSlice::U16(&piece.iter().map(|v| *v as u16).collect::<Vec<_>>())).unwrap();
                sums[3].take(0, ValueSlice::U8(&piece.iter().map(|v| *v as u8).collect::<Vec<_>>())).unwrap();
            }
            for (sum, mask) in sums.iter().zip([u64::MAX, 0xffff_ffff, 0xffff, 0xff]) {
                let all: Vec<u64> = all.iter().map(|v| v & mask).collect();
                prop_assert_eq!(sum.digest(), plain(&all));
                prop_assert_eq!(sum.max(), all.iter().copied().max().unwrap_or(0));
                prop_assert_eq!((sum.count, sum.last), (all.len() as u64, all.last().copied().unwrap_or(0)));
            }
        }
    }

    #[test]
    fn nothing_prints_nothing() {
        assert_eq!(Checksum::default().to_string(), "");
    }
}
