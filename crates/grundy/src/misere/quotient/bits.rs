//! Sets of elements of a monoid, a bit an element.

/// A subset of `0..n`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set.
    pub fn new(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }

    /// The elements of `0..n` with a property.
    pub fn of(n: usize, has: impl Fn(usize) -> bool) -> Bits {
        let word = |i: usize| (64 * i..n.min(64 * i + 64)).fold(0, |word, x| word | u64::from(has(x)) << (x % 64));
        Bits((0..n.div_ceil(64)).map(word).collect())
    }

    /// Whether `x` is an element.
    #[inline]
    pub fn has(&self, x: usize) -> bool {
        self.0[x / 64] >> (x % 64) & 1 == 1
    }

    /// Puts `x` in.
    #[inline]
    pub fn insert(&mut self, x: usize) {
        self.0[x / 64] |= 1 << (x % 64);
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        8 * self.0.len()
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether all elements are in the other set.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether the sets have an element in common.
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Keeps what is in the other set too.
    pub fn keep(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * i + bit)
            })
        })
    }
}
