//! The split of values into rare and common ones by a parity of bits.

use super::{
    shape::Shape,
    table::{Cells, ValueTable, with_cells},
};

/// A value v of heap n is *rare* if parity(v & mask), xored with n mod 2 and the parity of the amounts where `turning`
/// is set, is even; else *common*.
///
/// For any mask, two heaps of one class leave a rare value for the heap from which they come, two of different classes a
/// common one: with chi(n) the parity above, chi of G(a) xor G(b) seen from n = a + b + k is chi(a) xor chi(b), since the
/// parities of a, b and n add up to that of k. `turning` is the "domain" type and needs amounts of one parity.
///
/// # Sources
/// `[WW]` chapter 4 (sparse spaces).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Bits whose parity decides; not 0.
    pub mask: u64,
    /// The parity of all amounts that break a heap, if the parity of the heap counts too.
    pub turning: Option<bool>,
}

impl Split {
    /// True if the value `v` is common for heap `n`.
    #[inline]
    pub fn is_common(&self, v: u64, n: usize) -> bool {
        (v & self.mask).count_ones() % 2 != self.turn(n)
    }

    /// What the heap adds to the parity.
    #[inline]
    fn turn(&self, n: usize) -> u32 {
        match self.turning {
            Some(odd) => (n as u32 & 1) ^ u32::from(odd),
            None => 0,
        }
    }

    /// The value without the lowest bit of the mask: an index that, within one class, keeps the order of values and
    /// turns xor into xor.
    #[inline]
    pub fn index(&self, v: u64) -> u64 {
        let low = (self.mask & self.mask.wrapping_neg()) - 1;
        (v >> 1 & !low) | (v & low)
    }

    /// The largest index of a value up to `max`.
    #[inline]
    pub fn largest_index(&self, max: u64) -> u64 {
        let bit = self.mask & self.mask.wrapping_neg();
        if max & bit == 0 {
            self.index(max)
        } else {
            // the same higher bits, this one clear, all lower ones set
            self.index(max) | (bit - 1)
        }
    }

    /// The value of heap `n` with this index in the class.
    #[inline]
    pub fn value(&self, index: u64, common: bool, n: usize) -> u64 {
        let bit = self.mask & self.mask.wrapping_neg();
        let low = bit - 1;
        let v = ((index & !low) << 1) | (index & low);
        let odd = (v & self.mask).count_ones() % 2 != self.turn(n);
        if odd == common { v } else { v | bit }
    }

    /// Number of rare values of heap `n` below the common value with this index: they are those with smaller indices.
    #[inline]
    pub fn rares_below(&self, index: u64, n: usize) -> u64 {
        let bit = self.mask & self.mask.wrapping_neg();
        let block = index & !(bit - 1);
        // within a block of equal high bits all values of one class stand before all of the other
        if self.value(index, true, n) & bit == 0 { block } else { block + bit }
    }
}

/// How often each value occurs at even and at odd heaps, heap 0 left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    /// Of (value, parity of the heap), the parity as the lowest bit.
    counts: Vec<i64>,
    /// Length of the table that is counted.
    len: usize,
}

/// Values from which on nothing is counted.
const MOST_VALUES: u64 = 1 << 20;

impl Histogram {
    /// Counts what the table has more than when it was last counted.
    ///
    /// # Complexity
    /// O(new values + largest value).
    pub(super) fn extend(&mut self, table: &ValueTable) {
        let size = (table.max() as usize + 1).next_power_of_two();
        if table.max() >= MOST_VALUES {
            return;
        }
        self.counts.resize(2 * size, 0);
        let from = self.len.max(1).min(table.len());
        with_cells!(table.cells(), v => count(&v[from..], from, &mut self.counts));
        self.len = table.len();
    }

    /// The split with the fewest rare heaps among those counted, and their number.
    ///
    /// A Walsh-Hadamard transform gives the number for all masks at once.
    ///
    /// # Complexity
    /// O(V log V) for values below V.
    pub(super) fn best_split(&self, shape: &Shape) -> Option<(Split, usize)> {
        if self.len < 2 {
            return None;
        }
        let odd = shape.pairs.first().map(|p| p.amount % 2 == 1)?;
        let one_parity = shape.pairs.iter().all(|p| (p.amount % 2 == 1) == odd);
        let mut sums = self.counts.clone();
        transform(&mut sums);
        let heaps = self.len as i64 - 1;
        let mut best: Option<(Split, usize)> = None;
        for mask in 1..sums.len() / 2 {
            let mut offer = |sum: i64, turning| {
                let rares = ((heaps + sum) / 2) as usize;
                if best.is_none_or(|(_, least)| rares < least) {
                    best = Some((Split { mask: mask as u64, turning }, rares));
                }
            };
            offer(sums[2 * mask], None);
            if one_parity {
                // index bit 0 is the parity of the heap; xored with the parity of the amounts it turns the sign of the sum
                let sum = sums[2 * mask + 1];
                offer(if odd { -sum } else { sum }, Some(odd));
            }
        }
        best
    }
}

/// The split with the fewest rare heaps among those of the table, and their number, heap 0 left out.
///
/// # Complexity
/// O(N + V log V) for N values below V.
pub fn best_split(table: &ValueTable, shape: &Shape) -> Option<(Split, usize)> {
    let mut histogram = Histogram::default();
    histogram.extend(table);
    histogram.best_split(shape)
}

/// Adds values of the heaps from `first` on.
fn count<T: Copy + Into<u64>>(values: &[T], first: usize, counts: &mut [i64]) {
    for (n, v) in (first..).zip(values) {
        counts[2 * (*v).into() as usize + n % 2] += 1;
    }
}

/// Replaces h by its sums over x of (-1)^parity(x & y) h(x).
fn transform(h: &mut [i64]) {
    let mut step = 1;
    while step < h.len() {
        for pair in h.chunks_exact_mut(2 * step) {
            let (a, b) = pair.split_at_mut(step);
            for (x, y) in a.iter_mut().zip(b) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
        step *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn index_and_value_are_inverse_and_keep_the_order() {
        for mask in 1..64u64 {
            for turning in [None, Some(false), Some(true)] {
                let split = Split { mask, turning };
                for n in [6, 7] {
                    for common in [false, true] {
                        let class: Vec<u64> = (0..64).filter(|v| split.is_common(*v, n) == common).collect();
                        let back: Vec<u64> = class.iter().map(|v| split.value(split.index(*v), common, n)).collect();
                        assert_eq!(class, back, "{split:?} {n}");
                        assert!(class.windows(2).all(|w| split.index(w[0]) < split.index(w[1])));
                        if common {
                            for v in class {
                                let below = (0..v).filter(|r| !split.is_common(*r, n)).count() as u64;
                                assert_eq!(split.rares_below(split.index(v), n), below, "{split:?} {n} {v}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_index_is_larger_than_the_largest() {
        for mask in 1..256u64 {
            let split = Split { mask, turning: None };
            let mut largest = 0;
            for v in 0..600 {
                largest = largest.max(split.index(v));
                assert_eq!(split.largest_index(v), largest, "{mask} {v}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_best_split_is_counted_right(values in prop::collection::vec(0u64..32, 2..60), amounts in prop::collection::vec(0usize..5, 1..3)) {
            let pairs = amounts.iter().map(|a| super::super::shape::Pairs { amount: *a, unequal: false }).collect();
            let shape = Shape { pairs, ..Shape::default() };
            let table: ValueTable = values.iter().copied().collect();
            let (split, rares) = best_split(&table, &shape).unwrap_or((Split { mask: 1, turning: None }, usize::MAX));
            if rares != usize::MAX {
                let count = |s: &Split| (1..values.len()).filter(|n| !s.is_common(values[*n], *n)).count();
                prop_assert_eq!(count(&split), rares);
                for mask in 1..=table.max() {
                    let plain = count(&Split { mask, turning: None });
                    prop_assert!(plain >= rares);
                }
            }
        }

        #[test]
        fn classes_add(mask in 1u64..512, a in 1usize..99, b in 1usize..99, k in 0usize..9, x in 0u64..512, y in 0u64..512, turns in any::<bool>()) {
            let split = Split { mask, turning: turns.then_some(k % 2 == 1) };
            let n = a + b + k;
            prop_assert_eq!(split.is_common(x ^ y, n), split.is_common(x, a) != split.is_common(y, b));
            prop_assert_eq!(split.index(x ^ y), split.index(x) ^ split.index(y));
        }
    }
}
