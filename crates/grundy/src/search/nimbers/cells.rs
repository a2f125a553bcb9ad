//! Sets of cells: one word for boards of up to 64 cells, several words for wider ones.

use std::{fmt::Debug, hash::Hash};

/// A set of cells `0..Self::WIDTH`, with the operations that boards need.
///
/// `u64` is the fast one. `[u64; N]` serves boards with more than 64 cells; cell `c` is bit `c % 64` of word `c / 64`.
pub trait CellSet: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Number of cells that fit.
    const WIDTH: u32;
    /// Number of words.
    const WORDS: usize;
    /// No cell.
    const EMPTY: Self;

    /// Word `i` of the set, cells `64 i..64 i + 64`.
    fn word(&self, i: usize) -> u64;
    /// The set with these words.
    fn from_words(word: impl FnMut(usize) -> u64) -> Self;
    /// Cells in both.
    fn and(self, other: Self) -> Self;
    /// Cells in either.
    fn or(self, other: Self) -> Self;
    /// Cells of `self` outside `other`.
    fn without(self, other: Self) -> Self;
    /// Every cell `c` becomes `c + by`; cells beyond the width are lost. `by < WIDTH`.
    fn up(self, by: u32) -> Self;
    /// Every cell `c` becomes `c - by`; cells below 0 are lost. `by < WIDTH`.
    fn down(self, by: u32) -> Self;
    /// Every cell `c` becomes `WIDTH - 1 - c`.
    fn reversed(self) -> Self;
    /// Number of cells.
    fn count(self) -> u32;
    /// The smallest cell; `WIDTH` for the empty set.
    fn first(self) -> u32;
    /// The set of one cell.
    #[inline]
    fn cell(c: u32) -> Self {
        Self::from_words(|i| if c as usize / 64 == i { 1 << (c % 64) } else { 0 })
    }
    /// The cells `0..n`, `n <= WIDTH`.
    #[inline]
    fn below(n: u32) -> Self {
        Self::from_words(|i| match (n as usize).saturating_sub(64 * i) {
            0 => 0,
            left if left >= 64 => !0,
            left => (1 << left) - 1,
        })
    }
    /// Whether there is no cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    /// Whether cell `c` is in the set.
    #[inline]
    fn has(self, c: u32) -> bool {
        self.word(c as usize / 64) >> (c % 64) & 1 == 1
    }
}

impl CellSet for u64 {
    const WIDTH: u32 = 64;
    const WORDS: usize = 1;
    const EMPTY: Self = 0;

    #[inline]
    fn word(&self, _: usize) -> u64 {
        *self
    }
    #[inline]
    fn from_words(mut word: impl FnMut(usize) -> u64) -> Self {
        word(0)
    }
    #[inline]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    #[inline]
    fn up(self, by: u32) -> Self {
        self << by
    }
    #[inline]
    fn down(self, by: u32) -> Self {
        self >> by
    }
    #[inline]
    fn reversed(self) -> Self {
        self.reverse_bits()
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn first(self) -> u32 {
        self.trailing_zeros()
    }
}

impl<const N: usize> CellSet for [u64; N] {
    const WIDTH: u32 = 64 * N as u32;
    const WORDS: usize = N;
    const EMPTY: Self = [0; N];

    #[inline]
    fn word(&self, i: usize) -> u64 {
        self[i]
    }
    #[inline]
    fn from_words(word: impl FnMut(usize) -> u64) -> Self {
        std::array::from_fn(word)
    }
    #[inline]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & other[i])
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] | other[i])
    }
    #[inline]
    fn without(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & !other[i])
    }
    #[inline]
    fn up(self, by: u32) -> Self {
        let (words, bits) = (by as usize / 64, by % 64);
        std::array::from_fn(|i| {
            let low = if i >= words { self[i - words] << bits } else { 0 };
            let carried = if bits > 0 && i > words { self[i - words - 1] >> (64 - bits) } else { 0 };
            low | carried
        })
    }
    #[inline]
    fn down(self, by: u32) -> Self {
        let (words, bits) = (by as usize / 64, by % 64);
        std::array::from_fn(|i| {
            let high = if i + words < N { self[i + words] >> bits } else { 0 };
            let carried = if bits > 0 && i + words + 1 < N { self[i + words + 1] << (64 - bits) } else { 0 };
            high | carried
        })
    }
    #[inline]
    fn reversed(self) -> Self {
        std::array::from_fn(|i| self[N - 1 - i].reverse_bits())
    }
    #[inline]
    fn count(self) -> u32 {
        self.iter().map(|w| w.count_ones()).sum()
    }
    #[inline]
    fn first(self) -> u32 {
        self.iter().position(|w| *w != 0).map_or(Self::WIDTH, |i| 64 * i as u32 + self[i].trailing_zeros())
    }
}
