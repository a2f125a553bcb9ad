//! Sums of heaps as words.

use std::cmp::Ordering;

/// A sum of heaps: each size with its number of heaps, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(pub Vec<(usize, u32)>);

impl Word {
    /// With one more heap.
    pub fn times(&self, heap: usize) -> Word {
        let mut word = self.0.clone();
        match word.iter().position(|(h, _)| *h <= heap) {
            Some(i) if word[i].0 == heap => word[i].1 += 1,
            Some(i) => word.insert(i, (heap, 1)),
            None => word.push((heap, 1)),
        }
        Word(word)
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    /// By the number of the largest heaps, then of the next ones: every move leads to a smaller word.
    fn cmp(&self, other: &Self) -> Ordering {
        let differ = self.0.iter().zip(&other.0).find(|(a, b)| a != b);
        differ.map_or(self.0.len().cmp(&other.0.len()), |(a, b)| a.cmp(b))
    }
}
