//! The choice of pairs that prove rare values.

use std::collections::BinaryHeap;

use super::{
    super::{shape::Shape, split::Split, table::ValueTable},
    sweep::{Entry, LANES, RARE},
};

/// Heaps at the start of the table that are offered as one part of a pair.
const OFFERED: usize = 2048;

/// Most pairs of a proof.
const MOST: usize = 1024;

/// What the choice looks at.
pub(super) struct Choice<'a> {
    pub(super) table: &'a ValueTable,
    pub(super) split: Split,
    pub(super) shape: &'a Shape,
    pub(super) cells: &'a [u16],
    /// Words of a class.
    pub(super) width: usize,
    /// Heaps below this one may be one part.
    pub(super) reach: usize,
}

impl Choice<'_> {
    /// Each next pair hits most of what is left of what the last heaps needed, as long as it costs less than the search for
    /// what it hits: `search` is the cost of a search in units of one entry's sweep.
    ///
    /// # Complexity
    /// One look at each pair and heap of the sample, and few more for each pair chosen, since gains only fall.
    pub(super) fn pairs(&self, sample: usize, search: u64) -> Vec<Entry> {
        let n = self.table.len();
        let sample: Vec<usize> = (1..=sample.min(n / 4)).map(|i| n - i).collect();
        let mut missing = Missing::new(self, &sample);
        let mut queue: BinaryHeap<(u64, u32, u32)> = BinaryHeap::new();
        for heap in (1..self.reach.min(OFFERED)).filter(|h| self.cells[*h] & RARE == 0) {
            for p in &self.shape.pairs {
                let e = Entry { offset: (heap + p.amount) as u32, index: u32::from(self.cells[heap]) };
                if heap + p.amount >= LANES {
                    queue.push((missing.hits(e).count() as u64, e.offset, e.index));
                }
            }
        }
        let mut chosen = Vec::new();
        while chosen.len() < MOST
            && let Some((promised, offset, index)) = queue.pop()
        {
            let e = Entry { offset, index };
            let gain = missing.hits(e).count() as u64;
            if gain < promised && queue.peek().is_some_and(|next| gain < next.0) {
                queue.push((gain, offset, index));
                continue;
            }
            if gain * search <= sample.len() as u64 {
                break;
            }
            missing.strike(e);
            chosen.push(e);
        }
        chosen
    }
}

/// Rare indices that the heaps of the sample need and that no pair has hit yet.
struct Missing<'a> {
    cells: &'a [u16],
    sample: &'a [usize],
    width: usize,
    bits: Vec<u64>,
}

impl<'a> Missing<'a> {
    fn new(choice: &Choice<'a>, sample: &'a [usize]) -> Self {
        let width = choice.width;
        let mut bits = vec![0; sample.len() * width];
        for (words, &heap) in bits.chunks_exact_mut(width).zip(sample) {
            let value = choice.table.get(heap).unwrap_or_default();
            let index = choice.split.index(value);
            let below = if choice.split.is_common(value, heap) { choice.split.rares_below(index, heap) } else { index };
            for i in 0..below as usize {
                words[i / 64] |= 1 << (i % 64);
            }
        }
        Missing { cells: choice.cells, sample, width, bits }
    }

    /// The places of what a pair hits: word and bit.
    fn hits(&self, e: Entry) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.sample.iter().enumerate().filter_map(move |(s, &heap)| {
            let partner = self.cells[heap - e.offset as usize];
            let index = usize::from(partner) ^ e.index as usize;
            let place = (s * self.width + index / 64, index as u32 % 64);
            (partner & RARE == 0 && index < 64 * self.width && self.bits[place.0] >> place.1 & 1 == 1).then_some(place)
        })
    }

    fn strike(&mut self, e: Entry) {
        let places: Vec<_> = self.hits(e).collect();
        for (word, bit) in places {
            self.bits[word] &= !(1 << bit);
        }
    }
}
