//! The choice of pairs that prove rare values.

use std::{
    collections::{BinaryHeap, HashSet},
    ops::Range,
};

use super::{
    super::{shape::Shape, split::Split, table::ValueTable},
    marks::below_in_word,
    sweep::{Entry, LANES, RARE, count_wanted},
};

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

/// Most heaps of a sample, for classes of so many words: more where a heap costs little.
pub(super) fn sample_of(width: usize) -> usize {
    if width == 1 { 1024 } else { 512 }
}

impl Choice<'_> {
    /// Pairs in an order in which each next one hits most of what is left of what the last heaps needed (or nearly most:
    /// within an eighth), while one costs less, when swept, than the search for what it hits: `search` is the cost of a
    /// search in units of one entry's sweep.
    ///
    /// # Complexity
    /// One look at each pair and heap of the sample, and few more for each pair chosen, since gains only fall.
    pub(super) fn pairs(&self, search: u64, most: usize) -> Vec<Entry> {
        let sample = self.sample();
        let mut missing = Missing::new(self, sample.clone(), false);
        // the fewer words, the less a heap costs, and so the choice may
        let heaps = [512, 2048, self.reach, self.reach][self.width.ilog2() as usize];
        let offered = heaps.min(self.table.len() / 8) / self.shape.pairs.len();
        let heaps = (1..offered).filter(|h| self.cells[*h] & RARE == 0);
        let offered = heaps.flat_map(|heap| {
            let index = u32::from(self.cells[heap]);
            self.shape.pairs.iter().map(move |p| Entry { offset: (heap + p.amount) as u32, index })
        });
        let offered = offered.filter(|e| e.offset as usize >= LANES).collect();
        missing.greedy(offered, |gain, chosen| gain < 2 || gain * search <= sample.len() as u64 || chosen >= most)
    }

    /// Orders entries so that the first ones together mark most of the common values below those of the last heaps; returns
    /// after how many no more than `left` a heap are unmarked.
    pub(super) fn lead(&self, entries: &mut Vec<Entry>, left: u64) -> usize {
        let sample = self.sample();
        let mut missing = Missing::new(self, sample.clone(), true);
        let (offered, mut rest): (Vec<_>, Vec<_>) = entries.iter().partition(|e| (e.offset as usize) < sample.start);
        let mut unmarked = missing.left();
        let mut leading = 0;
        let mut chosen = missing.greedy(offered.clone(), |gain, chosen| {
            if unmarked > left * sample.len() as u64 {
                leading = chosen + 1;
            }
            unmarked -= gain;
            false
        });
        let known: HashSet<Entry> = chosen.iter().copied().collect();
        chosen.extend(offered.into_iter().filter(|e| !known.contains(e)));
        chosen.append(&mut rest);
        *entries = chosen;
        leading
    }

    /// The heaps that are looked at: the last ones, more of a longer table.
    fn sample(&self) -> Range<usize> {
        let n = self.table.len();
        n - (n / 64).clamp(16, sample_of(self.width)) / 4 * 4..n
    }
}

/// Indices that the heaps of the sample need and that no pair has hit yet.
struct Missing<'a> {
    cells: &'a [u16],
    /// First heap of the sample.
    first: usize,
    /// For each word of a class and each heap the bits of the indices that it needs.
    wanted: Vec<Vec<u64>>,
}

impl<'a> Missing<'a> {
    /// Those of the rare class below the value of each heap, or of the common one.
    fn new(choice: &Choice<'a>, heaps: Range<usize>, common: bool) -> Self {
        let below = |heap: usize| {
            let value = choice.table.get(heap).unwrap_or_default();
            let index = choice.split.index(value);
            match (choice.split.is_common(value, heap), common) {
                (true, true) | (false, false) => index,
                (true, false) => choice.split.rares_below(index, heap),
                (false, true) => 0,
            }
        };
        let word = |w: usize| heaps.clone().map(|heap| below_in_word(below(heap) as u32, w)).collect();
        Missing { cells: choice.cells, first: heaps.start, wanted: (0..choice.width).map(word).collect() }
    }

    /// Number of indices that are wanted.
    fn left(&self) -> u64 {
        self.wanted.iter().flatten().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Number of indices that a pair hits.
    fn gain(&self, e: Entry) -> u64 {
        // SAFETY: the engine asks for AVX2 before it chooses pairs; the cells reach as far as the sample.
        unsafe { count_wanted(&self.cells[self.first - e.offset as usize..], e.index, &self.wanted) }
    }

    /// Entries in the order in which each next one hits most of what is left, until `enough(gain, number)`.
    fn greedy(&mut self, offered: Vec<Entry>, mut enough: impl FnMut(u64, usize) -> bool) -> Vec<Entry> {
        let mut queue: BinaryHeap<(u64, u32, u32)> =
            offered.into_iter().map(|e| (self.gain(e), e.offset, e.index)).collect();
        let mut chosen = Vec::new();
        while let Some((promised, offset, index)) = queue.pop() {
            let e = Entry { offset, index };
            let gain = self.gain(e);
            if gain < promised && queue.peek().is_some_and(|next| gain + gain / 8 < next.0) {
                queue.push((gain, offset, index));
                continue;
            }
            if gain == 0 || enough(gain, chosen.len()) {
                break;
            }
            self.strike(e);
            chosen.push(e);
        }
        chosen
    }

    /// Takes away what a pair hits.
    fn strike(&mut self, e: Entry) {
        let partners = &self.cells[self.first - e.offset as usize..];
        for (w, words) in self.wanted.iter_mut().enumerate() {
            for (word, partner) in words.iter_mut().zip(partners) {
                let index = usize::from(partner ^ e.index as u16);
                if index / 64 == w {
                    *word &= !(1 << (index % 64));
                }
            }
        }
    }
}
