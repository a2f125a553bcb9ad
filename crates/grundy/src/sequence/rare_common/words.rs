//! Blocks of heaps with AVX2: the options of a heap as bits of a few registers.
//!
//! A class has at most 64 W values that matter, so the options of one heap are W words, and those of four heaps W
//! registers. A rare heap r of index g meets the heaps n - k - r, n + 1 - k - r, … for n, n + 1, …: their indices lie side by
//! side, so one load, one xor with g, and a shift, an or for each word mark an option of four heaps. Rare heaps have a bit
//! above all indices, which shifts their mark out of the words.
//!
//! The proof that rare values are options marks pairs in the same way. Which pairs: those that together hit most of what a
//! sample of heaps needed, chosen greedily when the split is chosen. What they leave is looked for pair by pair, 16 at once.
//!
//! # Complexity
//! (R + P) (2 + 3 W) / 4 operations of 256 bits a heap and amount for R rare heaps and P pairs of the proof.

use std::{arch::x86_64::*, collections::BinaryHeap};

use super::{Rare, Shape, Split};
use crate::{
    budget::{Meter, StopReason},
    sequence::table::{Cells, ValueTable},
};

/// Heaps of a block.
const LANES: usize = 8;

/// Bit of a cell for a rare heap; the index stands below.
const RARE: u16 = 0x8000;

/// The same in the reversed copy, so that two rare heaps never cancel the bits.
const RARE_REVERSED: u16 = 0x4000;

/// Most words of a class.
const MOST_WORDS: usize = 8;

/// Heaps at the start of the table that proofs take one part from.
const REACH: usize = 1 << 13;

/// Heaps that the choice of pairs looks at.
const SAMPLE: usize = 128;

/// Most pairs of a proof.
const MOST_PAIRS: usize = 1024;

/// Where a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// At the last heap asked for.
    Done,
    /// Before a heap whose value does not fit in the words.
    TooNarrow,
}

/// A heap of known index, met at `offset` before the heap in question: its own size and the amount.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Entry {
    offset: u32,
    index: u32,
}

/// What the blocks need beside the table.
#[derive(Debug)]
pub(super) struct Words {
    split: Split,
    shape: Shape,
    /// W, the words of a class.
    width: usize,
    /// For each heap its index, or `RARE` and its index.
    cells: Vec<u16>,
    /// Rare heaps and amounts whose partners for a whole block are known.
    far: Vec<Entry>,
    /// Rare heaps and amounts too close to 0 for that.
    near: Vec<Entry>,
    /// Rare heaps and amounts too new for that.
    new: Vec<Entry>,
    /// Pairs that prove rare values.
    proof: Vec<Entry>,
    /// Cells of the heaps `reach`, `reach - 1`, …, 1.
    reversed: Vec<u16>,
}

impl Words {
    /// The state for a table, with at least `least` words, if AVX2 is there and the values fit.
    pub(super) fn new(
        table: &ValueTable,
        shape: &Shape,
        split: Split,
        rares: &[Rare],
        least: usize,
    ) -> Option<Words> {
        let largest = split.index(table.max()) as usize;
        let width = least.max(largest / 64 + 1).next_power_of_two();
        let fits = width <= MOST_WORDS && table.len() > 4 * (shape.span() + LANES) && table.len() < 1 << 31;
        if !fits || shape.pairs.is_empty() || !is_x86_feature_detected!("avx2") {
            return None;
        }
        let cell = |n: usize| {
            let v = table.get(n).unwrap_or_default();
            let index = split.index(v) as u16;
            if n > 0 && split.is_common(v, n) { index } else { RARE | index }
        };
        let mut words = Words {
            split,
            shape: shape.clone(),
            width,
            cells: (0..table.len()).map(cell).collect(),
            far: Vec::new(),
            near: Vec::new(),
            new: Vec::new(),
            proof: Vec::new(),
            reversed: Vec::new(),
        };
        for r in rares {
            words.add_rare(r.heap, split.index(r.value) as u32);
        }
        let reach = REACH.min((table.len() - shape.span()) / 2 - LANES);
        let reverse = |c: u16| if c & RARE == 0 { c } else { c ^ RARE ^ RARE_REVERSED };
        words.reversed = (1..=reach).rev().map(|n| reverse(words.cells[n])).collect();
        words.choose_pairs(table);
        Some(words)
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    fn add_rare(&mut self, heap: usize, index: u32) {
        for p in &self.shape.pairs {
            let entry = Entry { offset: (heap + p.amount) as u32, index };
            if heap + p.amount < LANES { self.near.push(entry) } else { self.new.push(entry) }
        }
    }

    /// Extends the table to heap `last`.
    pub(super) fn run(
        &mut self,
        table: &mut ValueTable,
        rares: &mut Vec<Rare>,
        last: usize,
        meter: &mut Meter,
    ) -> Result<Ran, StopReason> {
        while table.len() <= last {
            let cost = (self.far.len() + self.proof.len()) * (2 + 3 * self.width) + 400;
            meter.steps(cost as u64)?;
            let lanes = LANES.min(last + 1 - table.len());
            // SAFETY: `Words::new` found AVX2.
            let done = unsafe {
                match self.width {
                    1 => self.block::<1>(table, rares, lanes),
                    2 => self.block::<2>(table, rares, lanes),
                    4 => self.block::<4>(table, rares, lanes),
                    _ => self.block::<8>(table, rares, lanes),
                }
            };
            if done < lanes {
                return Ok(Ran::TooNarrow);
            }
        }
        Ok(Ran::Done)
    }

    /// Computes the next `lanes` heaps; returns how many.
    ///
    /// # Safety
    /// Needs AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn block<const W: usize>(&mut self, table: &mut ValueTable, rares: &mut Vec<Rare>, lanes: usize) -> usize {
        let first = table.len();
        if !self.new.is_empty() {
            let far = &mut self.far;
            // partners of a whole block are known, and none is heap 0
            self.new.retain(|e| {
                let known = (e.offset as usize) < first;
                if known {
                    far.push(*e);
                }
                !known
            });
        }
        // room for the cells of the block, written one by one below; loads never reach them
        self.cells.resize(first + LANES, RARE);
        let mut common = [[0u64; LANES]; W];
        let mut rare = [[0u64; LANES]; W];
        // SAFETY: offsets are at least LANES and below `first`, so the loads stay within the cells of known heaps.
        unsafe {
            sweep::<W>(&self.far, self.cells.as_ptr().add(first), &mut common);
            sweep::<W>(&self.proof, self.cells.as_ptr().add(first), &mut rare);
        }
        for lane in 0..lanes {
            let n = first + lane;
            let mut options: [[u64; W]; 2] = [rare.map(|w| w[lane]), common.map(|w| w[lane])];
            self.close_options::<W>(n, &mut options);
            let Some(index) = first_missing(&options[1]) else {
                self.cells.truncate(n);
                return lane;
            };
            let below = self.split.rares_below(index, n);
            let mut value = self.split.value(index, true, n);
            let mut cell = index as u16;
            // rare values below the candidate that no option has shown yet
            for w in 0..W {
                let wanted = below.saturating_sub(64 * w as u64).min(64) as u32;
                let mut missing = !options[0][w] & !u64::MAX.checked_shl(wanted).unwrap_or(0);
                while missing != 0 {
                    let target = 64 * w as u64 + u64::from(missing.trailing_zeros());
                    missing &= missing - 1;
                    // SAFETY: AVX2 is there.
                    if !unsafe { self.is_option(n, target as u16) }
                        && !self.is_option_of_all(table, n, self.split.value(target, false, n))
                    {
                        value = self.split.value(target, false, n);
                        cell = RARE | target as u16;
                        break;
                    }
                }
                if cell & RARE != 0 {
                    break;
                }
            }
            table.push(value);
            self.cells[n] = cell;
            if cell & RARE != 0 {
                rares.push(Rare { heap: n, value });
                self.add_rare(n, u32::from(cell & !RARE));
            }
        }
        self.cells.truncate(first + lanes);
        lanes
    }

    /// Marks the options of heap n that involve heaps of its own block, and those that leave at most one heap.
    #[inline(always)]
    fn close_options<const W: usize>(&self, n: usize, options: &mut [[u64; W]; 2]) {
        let mut mark = |index: u16, common: bool| {
            if let Some(word) = options[usize::from(common)].get_mut(usize::from(index >> 6)) {
                *word |= 1 << (index & 63);
            }
        };
        for e in &self.near {
            let partner = self.cells[n - e.offset as usize];
            mark((partner & !RARE) ^ e.index as u16, partner & RARE == 0);
        }
        for e in &self.new {
            // its heap or its partner is of this block; a partner is at least 1
            if let Some(partner) = n.checked_sub(e.offset as usize).filter(|m| *m > 0) {
                let partner = self.cells[partner];
                mark((partner & !RARE) ^ e.index as u16, partner & RARE == 0);
            }
        }
        for k in &self.shape.whole {
            let cell = self.cells[n - k];
            // seen from n the parity of a heap counts otherwise
            let turned = self.split.turning.is_some() && k % 2 == 1;
            mark(cell & !RARE, (cell & RARE == 0) != turned);
        }
    }

    /// True if some pair with one part within reach, both common, leaves this index of the rare class.
    ///
    /// # Safety
    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn is_option(&self, n: usize, index: u16) -> bool {
        let wanted = _mm256_set1_epi16(index as i16);
        let reach = self.reversed.len();
        for p in &self.shape.pairs {
            // reversed[j] is heap reach - j, its partner n - amount - reach + j
            let start = n - p.amount - reach;
            let partners = &self.cells[start..start + reach];
            let mut blocks = self.reversed.chunks_exact(16).zip(partners.chunks_exact(16)).rev();
            let hit = blocks.any(|(a, b)| {
                // SAFETY: both hold 16 cells.
                unsafe {
                    let a = _mm256_loadu_si256(a.as_ptr().cast());
                    let b = _mm256_loadu_si256(b.as_ptr().cast());
                    _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_xor_si256(a, b), wanted)) != 0
                }
            });
            if hit {
                return true;
            }
        }
        false
    }

    /// True if some pair of heaps leaves this value.
    #[target_feature(enable = "avx2")]
    fn is_option_of_all(&self, table: &ValueTable, n: usize, value: u64) -> bool {
        self.shape.pairs.iter().any(|p| {
            let rest = n - p.amount;
            let half = (rest - usize::from(p.unequal)) / 2;
            // a value wider than the cells is the xor of no two of them
            match table.cells() {
                Cells::U8(v) => u8::try_from(value).is_ok_and(|x| has_pair(v, rest, half, x)),
                Cells::U16(v) => u16::try_from(value).is_ok_and(|x| has_pair(v, rest, half, x)),
                Cells::U32(v) => u32::try_from(value).is_ok_and(|x| has_pair(v, rest, half, x)),
                Cells::U64(v) => has_pair(v, rest, half, value),
            }
        })
    }

    /// Chooses the pairs of the proof: each next one hits most of what is left of what a sample of heaps needs.
    fn choose_pairs(&mut self, table: &ValueTable) {
        let reach = self.reversed.len();
        let n = table.len();
        let sample: Vec<usize> = (1..=SAMPLE.min(n / 4)).map(|i| n - i).collect();
        let words = self.width;
        let mut missing: Vec<u64> = vec![0; sample.len() * words];
        let mut left = 0u64;
        for (s, &heap) in sample.iter().enumerate() {
            let value = table.get(heap).unwrap_or_default();
            let below = if self.split.is_common(value, heap) {
                self.split.rares_below(self.split.index(value), heap)
            } else {
                self.split.index(value)
            };
            left += below;
            for i in 0..below {
                missing[s * words + i as usize / 64] |= 1 << (i % 64);
            }
        }
        let cells = &self.cells;
        let hit = |e: Entry, heap: usize| -> Option<u16> {
            let partner = cells[heap - e.offset as usize];
            (partner & RARE == 0).then_some(partner ^ e.index as u16)
        };
        let gain = |e: Entry, missing: &[u64]| -> u64 {
            sample
                .iter()
                .enumerate()
                .filter_map(|(s, &heap)| hit(e, heap).map(|i| (s, i)))
                .map(|(s, i)| missing[s * words + usize::from(i >> 6)] >> (i & 63) & 1)
                .sum()
        };
        let mut queue: BinaryHeap<(u64, u32, u32)> = BinaryHeap::new();
        for heap in (1..reach.min(2048)).filter(|h| cells[*h] & RARE == 0) {
            for p in &self.shape.pairs {
                let e = Entry { offset: (heap + p.amount) as u32, index: u32::from(cells[heap]) };
                if heap + p.amount >= LANES {
                    queue.push((gain(e, &missing), e.offset, e.index));
                }
            }
        }
        self.proof.clear();
        while left > 2 * sample.len() as u64 && self.proof.len() < MOST_PAIRS {
            let Some((promised, offset, index)) = queue.pop() else { break };
            let e = Entry { offset, index };
            let now = gain(e, &missing);
            if now == 0 {
                break;
            }
            // gains only fall, so one that still leads the queue is the largest
            if now < promised && queue.peek().is_some_and(|next| now < next.0) {
                queue.push((now, offset, index));
                continue;
            }
            for (s, &heap) in sample.iter().enumerate() {
                if let Some(i) = hit(e, heap) {
                    missing[s * words + usize::from(i >> 6)] &= !(1 << (i & 63));
                }
            }
            left -= now;
            self.proof.push(e);
        }
    }
}

/// The least index that is not among the options.
#[inline(always)]
fn first_missing<const W: usize>(options: &[u64; W]) -> Option<u64> {
    for (w, word) in options.iter().enumerate() {
        if *word != u64::MAX {
            return Some(64 * w as u64 + u64::from(word.trailing_ones()));
        }
    }
    None
}

/// True if values\[i\] xor values\[rest - i\] is `value` for some i in `1 ..= half`.
#[inline(always)]
fn has_pair<T: Copy + Eq + std::ops::BitXor<Output = T>>(values: &[T], rest: usize, half: usize, value: T) -> bool {
    let small = &values[1..=half];
    let large = &values[rest - half..rest];
    small.chunks(256).zip(large.rchunks(256)).any(|(a, b)| {
        // no early end inside, so that it is done many at once
        a.iter().zip(b.iter().rev()).fold(false, |hit, (a, b)| hit | (*a ^ *b == value))
    })
}

/// Marks, for each of the heaps at `at`, the indices that the entries give with their partners.
///
/// # Safety
/// Needs AVX2; `at.sub(offset)` must have LANES readable cells for every entry.
#[target_feature(enable = "avx2")]
unsafe fn sweep<const W: usize>(entries: &[Entry], at: *const u16, marks: &mut [[u64; LANES]; W]) {
    const HALVES: usize = LANES / 4;
    let one = _mm256_set1_epi64x(1);
    let mut words = [[_mm256_setzero_si256(); HALVES]; W];
    for e in entries {
        // SAFETY: by contract 8 cells can be read there.
        let partners = unsafe { _mm_loadu_si128(at.sub(e.offset as usize).cast()) };
        let index = _mm_set1_epi16(e.index as i16);
        let indices = _mm_xor_si128(partners, index);
        let halves = [_mm256_cvtepu16_epi64(indices), _mm256_cvtepu16_epi64(_mm_unpackhi_epi64(indices, indices))];
        for (w, word) in words.iter_mut().enumerate() {
            for (acc, index) in word.iter_mut().zip(halves) {
                // a count of 64 or more, a negative one too, shifts everything out
                let count = if w == 0 { index } else { _mm256_sub_epi64(index, _mm256_set1_epi64x(64 * w as i64)) };
                *acc = _mm256_or_si256(*acc, _mm256_sllv_epi64(one, count));
            }
        }
    }
    for (out, word) in marks.iter_mut().zip(words) {
        for (half, acc) in word.into_iter().enumerate() {
            // SAFETY: four words from 4 * half on are within the 8 lanes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(4 * half).cast(), acc) };
        }
    }
}
