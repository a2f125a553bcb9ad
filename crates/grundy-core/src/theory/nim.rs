//! Nim: Bouton's theorem in both conventions, with every winning move.

use super::{Convention, Outcome};

/// The kinds of Nim position that one has to tell apart, in either convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NimClass {
    /// No heap bigger than 1, an odd number of ones.
    OddOnes,
    /// No heap bigger than 1, an even number of ones (the empty position included).
    EvenOnes,
    /// Exactly one heap bigger than 1.
    OneBig,
    /// At least two heaps bigger than 1, nim-sum 0.
    Balanced,
    /// At least two heaps bigger than 1, nim-sum not 0.
    Unbalanced,
}

impl NimClass {
    /// The class of a position.
    pub fn of(heaps: &[u64]) -> NimClass {
        let big = heaps.iter().filter(|h| **h > 1).count();
        let ones = heaps.iter().filter(|h| **h == 1).count();
        match big {
            0 if ones % 2 == 1 => NimClass::OddOnes,
            0 => NimClass::EvenOnes,
            1 => NimClass::OneBig,
            _ if nim_sum(heaps) == 0 => NimClass::Balanced,
            _ => NimClass::Unbalanced,
        }
    }

    /// The outcome of every position of the class.
    ///
    /// # Sources
    /// `[Bou02]`
    pub fn outcome(self, convention: Convention) -> Outcome {
        let p = matches!(
            (self, convention),
            (NimClass::EvenOnes, Convention::Normal)
                | (NimClass::OddOnes, Convention::Misere)
                | (NimClass::Balanced, _)
        );
        if p { Outcome::P } else { Outcome::N }
    }
}

/// The xor of the heaps: the Grundy value of the position.
pub fn nim_sum(heaps: &[u64]) -> u64 {
    heaps.iter().fold(0, |x, h| x ^ h)
}

/// The sizes to which heap `i` may be lowered so that the mover wins, at most one; None if there is none.
///
/// Normal play: h -> h xor x, where x is the nim-sum, if that is smaller. Misère play: the same while at least two heaps
/// exceed 1; with one such heap, lower it to 1 or 0 so that an odd number of ones is left; with none, take a
/// heap of 1 if their number is even.
///
/// # Complexity
/// O(number of heaps).
///
/// # Panics
/// If `i` is not an index of `heaps`.
///
/// # Sources
/// `[Bou02]`
///
/// # Examples
/// ```
/// use grundy_core::theory::{Convention, nim::winning_size};
/// assert_eq!(winning_size(&[1, 1, 2], 2, Convention::Normal), Some(0));
/// assert_eq!(winning_size(&[1, 1, 2], 2, Convention::Misere), Some(1));
/// assert_eq!(winning_size(&[1, 1, 1], 0, Convention::Misere), None);
/// ```
pub fn winning_size(heaps: &[u64], i: usize, convention: Convention) -> Option<u64> {
    let h = heaps[i];
    let class = NimClass::of(heaps);
    if class.outcome(convention) == Outcome::P || h == 0 {
        return None;
    }
    match (class, convention) {
        (NimClass::OneBig, Convention::Misere) => {
            let ones = heaps.iter().filter(|x| **x == 1).count();
            (h > 1).then_some(if ones % 2 == 0 { 1 } else { 0 })
        }
        (NimClass::EvenOnes, Convention::Misere) => Some(0),
        _ => {
            let to = h ^ nim_sum(heaps);
            (to < h).then_some(to)
        }
    }
}

/// A set of numbers below 64 as a word, each member xored with g < 64: halves, quarters and so on change places.
///
/// # Complexity
/// O(1).
///
/// # Examples
/// ```
/// use grundy_core::theory::nim::xor_bits;
/// assert_eq!(xor_bits(1 << 5 | 1 << 6, 3), 1 << 6 | 1 << 5); // 5 xor 3 = 6, 6 xor 3 = 5
/// ```
#[inline]
pub fn xor_bits(mut word: u64, g: u64) -> u64 {
    const LOW_HALVES: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (i, low) in LOW_HALVES.iter().enumerate() {
        if g >> i & 1 == 1 {
            word = (word >> (1 << i) & low) | (word & low) << (1 << i);
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Misère or normal outcome by plain recursion over sorted heaps.
    fn naive(heaps: &[u64], convention: Convention) -> Outcome {
        let mut any = false;
        for i in 0..heaps.len() {
            for to in 0..heaps[i] {
                any = true;
                let mut next = heaps.to_vec();
                next[i] = to;
                if naive(&next, convention) == Outcome::P {
                    return Outcome::N;
                }
            }
        }
        if any { Outcome::P } else { convention.of_terminal() }
    }

    #[test]
    fn bouton_agrees_with_plain_recursion() {
        for convention in [Convention::Normal, Convention::Misere] {
            for code in 0..5u64.pow(3) {
                let heaps = [code % 5, code / 5 % 5, code / 25];
                let got = match (heaps.iter().all(|h| *h == 0), convention) {
                    (true, c) => c.of_terminal(),
                    (false, c) => NimClass::of(&heaps).outcome(c),
                };
                assert_eq!(got, naive(&heaps, convention), "{heaps:?} {convention}");
                for i in 0..3 {
                    let winning: Vec<u64> = (0..heaps[i])
                        .filter(|to| {
                            let mut next = heaps;
                            next[i] = *to;
                            naive(&next, convention) == Outcome::P
                        })
                        .collect();
                    assert_eq!(
                        winning_size(&heaps, i, convention).into_iter().collect::<Vec<_>>(),
                        winning,
                        "{heaps:?}"
                    );
                }
            }
        }
    }
}
