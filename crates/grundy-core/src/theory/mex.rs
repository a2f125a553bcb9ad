//! The minimal excludant.

/// The least non-negative integer that is not in `values`: mex{0, 1, 3} = 2, mex{} = 0.
///
/// # Complexity
/// Time and memory O(k) for k values; values at or above k are skipped, since the mex of k values is at most k.
///
/// # Sources
/// `[Spr35]`, `[Gru39]`
///
/// # Examples
/// ```
/// use grundy_core::theory::mex;
/// assert_eq!(mex([]), 0);
/// assert_eq!(mex([0, 1, 3, u64::MAX]), 2);
/// ```
pub fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut set = Mex::default();
    for v in values {
        set.insert(v);
    }
    set.mex()
}

/// A set of values whose mex is asked for; reusable, so that a loop over positions allocates once.
///
/// Values above [`Mex::CEILING`] are counted but not stored: k inserted values cannot have a mex above k, and no
/// position with that many options is ever listed.
#[derive(Clone, Debug, Default)]
pub struct Mex {
    words: Vec<u64>,
}

impl Mex {
    /// Values from here on are ignored: no mex reaches 2^32 by listing options.
    pub const CEILING: u64 = 1 << 32;

    /// Empties the set and keeps its memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds `v` to the set.
    pub fn insert(&mut self, v: u64) {
        if v >= Self::CEILING {
            return;
        }
        let (word, bit) = ((v / 64) as usize, v % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// True if `v` was inserted (and lies below the ceiling).
    pub fn contains(&self, v: u64) -> bool {
        self.words.get((v / 64) as usize).is_some_and(|w| w >> (v % 64) & 1 == 1)
    }

    /// The least value that was not inserted.
    pub fn mex(&self) -> u64 {
        for (i, w) in self.words.iter().enumerate() {
            if *w != u64::MAX {
                return i as u64 * 64 + u64::from(w.trailing_ones());
            }
        }
        self.words.len() as u64 * 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_what_is_there() {
        assert_eq!(mex(0..200), 200);
        assert_eq!(mex((0..200).filter(|v| *v != 77)), 77);
        assert_eq!(mex([1, 2, 3]), 0);
    }

    #[test]
    fn clear_forgets() {
        let mut m = Mex::default();
        m.insert(0);
        m.insert(1);
        assert_eq!(m.mex(), 2);
        assert!(m.contains(1) && !m.contains(2));
        m.clear();
        assert_eq!(m.mex(), 0);
    }
}
