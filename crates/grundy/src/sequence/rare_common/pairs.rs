//! The choice of pairs that prove rare values.

use std::{
    collections::{BinaryHeap, HashSet},
    ops::Range,
};

use super::{
    super::{shape::Shape, split::Split, table::ValueTable},
    sweep::{Entry, LANES, RARE},
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

impl Choice<'_> {
    /// Pairs in an order in which each next one hits most of what is left of what the last heaps needed (or nearly most:
    /// within an eighth); and how many of them cost less, when swept, than the search for what they hit: `search` is the
    /// cost of a search in units of one entry's sweep.
    ///
    /// # Complexity
    /// One look at each pair and heap of the sample, and few more for each pair chosen, since gains only fall.
    pub(super) fn pairs(&self, search: u64, most: usize) -> (Vec<Entry>, usize) {
        let sample = self.sample();
        let mut missing = Missing::new(self, sample.clone(), false);
        let heaps = if self.width == 1 { 1024 } else { self.reach };
        let offered = heaps.min(self.table.len() / 8) / self.shape.pairs.len();
        let heaps = (1..offered).filter(|h| self.cells[*h] & RARE == 0);
        let offered = heaps.flat_map(|heap| {
            let index = u32::from(self.cells[heap]);
            self.shape.pairs.iter().map(move |p| Entry { offset: (heap + p.amount) as u32, index })
        });
        let offered = offered.filter(|e| e.offset as usize >= LANES).collect();
        let mut worth = 0;
        let chosen = missing.greedy(offered, |gain, chosen| {
            let enough = gain < 2 || chosen >= most;
            if !enough && gain * search > sample.len() as u64 {
                worth = chosen + 1;
            }
            enough
        });
        (chosen, worth)
    }

    /// Orders entries so that the first ones together mark most of the common values below those of the last heaps; returns
    /// after how many no more than `left` a heap are unmarked.
    pub(super) fn lead(&self, entries: &mut Vec<Entry>, left: u64) -> usize {
        let sample = self.sample();
        let mut missing = Missing::new(self, sample.clone(), true);
        let (offered, mut rest): (Vec<_>, Vec<_>) = entries.iter().partition(|e| (e.offset as usize) < sample.start);
        let mut unmarked = missing.wanted.iter().map(|x| u64::from(*x)).sum::<u64>();
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

    /// The heaps that are looked at: the last ones, more of a longer table, and more where a heap costs little.
    fn sample(&self) -> Range<usize> {
        let n = self.table.len();
        let most = if self.width == 1 { 2048 } else { 384 };
        n - (n / 64).clamp(16, most)..n
    }
}

/// Indices that the heaps of the sample need and that no pair has hit yet.
struct Missing<'a> {
    cells: &'a [u16],
    /// Heap of the first row; the others follow.
    first: usize,
    /// Length of a row: an index each, and a last one that nobody needs.
    row: usize,
    wanted: Vec<u8>,
}

impl<'a> Missing<'a> {
    /// Those of the rare class below the value of each heap, or of the common one.
    fn new(choice: &Choice<'a>, heaps: Range<usize>, common: bool) -> Self {
        let row = 64 * choice.width + 1;
        let mut wanted = vec![0; heaps.len() * row];
        for (row, heap) in wanted.chunks_exact_mut(row).zip(heaps.clone()) {
            let value = choice.table.get(heap).unwrap_or_default();
            let index = choice.split.index(value);
            let below = match (choice.split.is_common(value, heap), common) {
                (true, true) | (false, false) => index,
                (true, false) => choice.split.rares_below(index, heap),
                (false, true) => 0,
            };
            row[..below as usize].fill(1);
        }
        Missing { cells: choice.cells, first: heaps.start, row, wanted }
    }

    /// Number of indices that a pair hits.
    fn gain(&self, e: Entry) -> u64 {
        let start = self.first - e.offset as usize;
        let rows = self.wanted.chunks_exact(self.row);
        let gain = |(row, partner): (&[u8], &u16)| row[usize::from(partner ^ e.index as u16).min(row.len() - 1)];
        rows.zip(&self.cells[start..]).map(gain).map(u64::from).sum()
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
        let start = self.first - e.offset as usize;
        for (row, partner) in self.wanted.chunks_exact_mut(self.row).zip(&self.cells[start..]) {
            let index = usize::from(partner ^ e.index as u16).min(row.len() - 1);
            row[index] = 0;
        }
    }
}
