//! Blocks of heaps with AVX2: the options of a heap as bits of a few registers.
//!
//! A class has at most 64 W values that matter, so the options of one heap are W words. A rare heap r of index g meets the
//! heaps n - k - r, n + 1 - k - r, … for n, n + 1, …: their indices lie side by side as bytes, so one load and one xor with g
//! give an option of each of 32 heaps, and shuffles turn it into a bit (`sweep::sweep_bytes`). Rare heaps have the top bit,
//! for which a shuffle gives nothing. Where indices take all eight bits (W = 4), entries that meet rare heaps are swept over
//! cells of 16 bits, with a shift and an or for each word and four heaps; so are all with W = 8.
//!
//! The proof that rare values are options marks pairs in the same way. Which pairs: those that together hit most of what a
//! sample of heaps needed, chosen greedily when the split is chosen. What they leave is looked for pair by pair, 32 at once.
//!
//! With four words only the best entries are swept; the others are compared with the few candidates that are still open,
//! 32 heaps at once (`sweep::verify`), which is cheaper a heap and entry.
//!
//! # Complexity
//! For R rare heaps, P pairs of the proof and indices below 16 Q: (R + P) (4 + 5 Q) / 32 operations of 256 bits a heap and
//! amount, with AVX-512 VL (4 + 3 Q) / 32, with Q = 1 only 6 / 32; an entry that only checks T candidates costs
//! (2 T + 2) / 32.
//!
//! # Where this stands
//! Nanoseconds a value in whole runs (one core of a shared Sapphire Rapids): 0.104 to 10^7 13-20 (20 rare heaps), 0.161 to
//! 3 10^5 220 (488), 0.6 to 10^6 750 (1583). Of 0.6 sweeps take 30 %, the search for what the proof leaves (1.8 a heap)
//! 20 %, checks 13 %, the choice of pairs at each doubling 8 %, the heaps one after another most of the rest: it is bound by
//! branches that cannot be foretold, no longer by marks. Marking bytes in memory, the other known form, is bound by one store
//! a mark, 0.43 ns on Zen 3; a sweep of 16, 64, 128 indices takes 0.2, 0.75, 1.4 operations a mark. Tried and lost: checking
//! candidates with two words (the sweep is as cheap), shifts for all sweeps (5 operations for four heaps and a word), the
//! shift as an intrinsic (see `shift_left`), one-hot cells of 8 bytes (bound by the second cache), the search with registers
//! of 64 bytes.

use std::{array::from_fn, ops::Range};

use super::{
    Rare, Shape, Split,
    ahead::{Ahead, Done, Kind, Known, byte_of},
    marks::{BlockPlan, Ranks, below_in_word, swept_below},
    pairs::{Choice, sample_of},
    sweep::{Block, Entry, LANES, MANY, RARE, RARE_BYTE, columns, has_512, has_xor, has_xor_of_bytes},
};
use crate::{
    budget::{Meter, StopReason},
    sequence::table::{Cells, ValueTable, with_cells},
};

/// Most words of a class.
const MOST_WORDS: usize = 8;

/// Heaps at the start of the table that proofs take one part from.
const REACH: usize = 1 << 13;

/// Numbers of words with which only some entries are swept, and the others check candidates.
const STAGED: [usize; 1] = [4];

/// Unmarked common values below that of a heap that leading entries may leave.
const LEFT: u64 = 5;

/// Chunks of pairs that are searched before other pairs are recalled.
const SOON: usize = 20;

/// Most pairs that are recalled.
const RECALLED: usize = 32;

/// Cost of a search and of the branch to it, in units of one entry's sweep, for 1, 2, 4 and 8 words.
const SEARCH: [u64; 4] = [1000, 250, 200, 50];

/// Most pairs of a proof.
const MOST_PAIRS: usize = 768;

/// Most heaps of a table, so that offsets fit in 32 bits until it has doubled.
const MOST_HEAPS: usize = 1 << 31;

/// Heaps for which the use of the entries is planned.
const PLANNED: usize = 256;

/// Blocks between two looks at the number of leading entries.
const BLOCKS_BETWEEN: u32 = 32;

/// Lanes of which the partners of near heaps are marked together.
const COLUMN: usize = 4;

/// How a second thread is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threads {
    /// Number of threads.
    pub(super) number: usize,
    /// Heaps of a batch, a multiple of 64.
    pub(super) batch: usize,
    /// Batches from the one that is computed to the one that is swept.
    pub(super) depth: usize,
    /// Length of the table from which on it is used.
    pub(super) from: usize,
    /// Cost of the sweeps that it can take over from which on it is used, in operations of 256 bits a heap.
    pub(super) cost: usize,
    /// True if batches are waited for that are late.
    pub(super) patient: bool,
}

impl Threads {
    /// The same for every game.
    pub(super) fn new(number: usize) -> Threads {
        Threads { number, batch: 256, depth: 2, from: 1 << 14, cost: 300, patient: false }
    }
}

/// Where a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// At the last heap asked for.
    Done,
    /// Before a heap whose value does not fit in the words.
    TooNarrow,
}

/// What the blocks need beside the table.
#[derive(Debug)]
pub(super) struct Words {
    shape: Shape,
    /// W, the words of a class.
    width: usize,
    /// True if AVX-512 is used.
    has_512: bool,
    lookup: Lookup,
    /// For each heap its index, or `RARE` and its index; longer than the table.
    cells: Vec<u16>,
    /// The indices as bytes: with `RARE_BYTE` if that leaves room for them, else alone.
    bytes: Vec<u8>,
    /// Number of rare heaps below 64 i, for each i.
    rank: Vec<u32>,
    /// Rare heaps and amounts whose partners for a whole block are known, the best first.
    far: Vec<Entry>,
    /// How many of them are swept; the others only check candidates.
    leading: usize,
    /// Rare heaps and amounts too close to 0 for that.
    near: Vec<Entry>,
    /// Those whose partners for a column are not known.
    nearest: Vec<Entry>,
    /// Rare heaps and amounts too new for that.
    new: Vec<Entry>,
    /// Pairs that prove rare values, the best first.
    proof: Vec<Entry>,
    plan: BlockPlan,
    /// The thread that sweeps batches ahead, once it pays.
    ahead: Option<Ahead>,
    /// Number of entries and pairs from which on it is looked at whether it does.
    ahead_at: usize,
    /// Cells of the heaps `reach`, `reach - 1`, …, 1, and their bytes. Two rare heaps leave a rare value, as two common ones
    /// do, so their bits may cancel.
    reversed: Vec<u16>,
    reversed_bytes: Vec<u8>,
    /// Pairs beyond reach that proved rare values before.
    recalled: Vec<Entry>,
    /// Length of the table when the pairs were chosen, and the searches since then.
    chosen_at: usize,
    searches: u64,
    /// Candidates that had to be checked one by one, and blocks, since the number of leading entries was last set.
    late: u32,
    blocks: u32,
}

/// The split as tables, by the parity of the heap.
#[derive(Debug)]
struct Lookup {
    split: Split,
    by_parity: [Vec<Looked>; 2],
}

/// What one index stands for.
#[derive(Clone, Copy, Debug)]
struct Looked {
    common: u32,
    rare: u32,
    /// Rare values below the common one.
    below: u32,
}

impl Lookup {
    fn new(split: Split, width: usize) -> Lookup {
        let row = |n: usize| {
            let looked = |i: u64| Looked {
                common: split.value(i, true, n) as u32,
                rare: split.value(i, false, n) as u32,
                below: split.rares_below(i, n).min(64 * width as u64) as u32,
            };
            (0..64 * width as u64).map(looked).collect()
        };
        Lookup { split, by_parity: [row(0), row(1)] }
    }
}

impl Words {
    /// The state for a table, with at least `least` words, if AVX2 is there and the values fit.
    pub(super) fn new(table: &ValueTable, shape: &Shape, split: Split, rares: &[Rare], least: usize) -> Option<Words> {
        let largest = split.largest_index(table.max()) as usize;
        let width = least.max(largest / 64 + 1).next_power_of_two();
        let fits = width <= MOST_WORDS && table.len() > 4 * (shape.span() + LANES) && table.len() < MOST_HEAPS;
        if !fits || shape.pairs.is_empty() || !has_features() {
            return None;
        }
        let mut words = Words {
            shape: shape.clone(),
            width,
            has_512: has_512(),
            lookup: Lookup::new(split, width),
            cells: with_cells!(table.cells(), v => cells(v, split)),
            bytes: Vec::new(),
            rank: Vec::new(),
            far: Vec::new(),
            leading: 0,
            near: Vec::new(),
            nearest: Vec::new(),
            new: Vec::new(),
            proof: Vec::new(),
            plan: BlockPlan::default(),
            ahead: None,
            ahead_at: 0,
            reversed: Vec::new(),
            reversed_bytes: Vec::new(),
            recalled: Vec::new(),
            chosen_at: table.len(),
            searches: 0,
            late: 0,
            blocks: 0,
        };
        words.bytes = if words.width <= 4 { words.cells.iter().map(|c| words.byte(*c)).collect() } else { Vec::new() };
        if words.checks() {
            words.rank = (0..=table.len() / 64).map(|i| rares.partition_point(|r| r.heap < 64 * i) as u32).collect();
        }
        for r in rares {
            words.add_rare(r.heap, split.index(r.value) as u32);
        }
        let reach = REACH.min((table.len() - shape.span()) / 2 - LANES);
        words.reversed = (1..=reach).rev().map(|n| words.cells[n]).collect();
        if words.width <= 4 {
            words.reversed_bytes = words.reversed.iter().map(|c| words.byte(*c)).collect();
        }
        let choice = Choice { table, split, shape, cells: &words.cells[..table.len()], width, reach };
        if words.checks() {
            let mut far = std::mem::take(&mut words.new);
            words.leading = choice.lead(&mut far, LEFT);
            (words.far, words.new) = far.into_iter().partition(|e| (e.offset as usize) < table.len());
        }
        words.proof = choice.pairs(SEARCH[width.ilog2() as usize], MOST_PAIRS);
        Some(words)
    }

    /// True if entries are not all swept: it takes two words to pay for the checks, and more than four have too many indices.
    fn checks(&self) -> bool {
        STAGED.contains(&self.width)
    }

    /// True if bytes tell rare heaps.
    fn bytes_tell(&self) -> bool {
        self.width <= 2
    }

    /// The byte of a cell.
    #[inline(always)]
    fn byte(&self, cell: u16) -> u8 {
        byte_of(cell, self.width)
    }

    /// True if the state must be made anew for a table that has doubled: offsets would not fit, the pairs were chosen by a
    /// sample that was smaller than it can be now, or proofs have become so much longer since then that others should be.
    pub(super) fn is_stale(&self, table: &ValueTable) -> bool {
        self.chosen_at < 64 * sample_of(self.width)
            || table.len() >= MOST_HEAPS
            || self.searches > (table.len() - self.chosen_at) as u64 * 4
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    fn add_rare(&mut self, heap: usize, index: u32) {
        for p in &self.shape.pairs {
            let entry = Entry { offset: (heap + p.amount) as u32, index };
            match heap + p.amount {
                0..COLUMN => self.nearest.push(entry),
                COLUMN..LANES => self.near.push(entry),
                _ => self.new.push(entry),
            }
        }
    }

    /// Extends the table to heap `last`.
    pub(super) fn run(
        &mut self,
        table: &mut ValueTable,
        rares: &mut Vec<Rare>,
        last: usize,
        meter: &mut Meter,
        threads: Threads,
    ) -> Result<Ran, StopReason> {
        if threads.number == 1 {
            self.go_on_alone();
        }
        while table.len() <= last {
            let cost = (self.far.len() + self.proof.len()) * (1 + 3 * self.width) * 3 + 1000;
            meter.steps(cost as u64)?;
            let mut lanes = LANES.min(last + 1 - table.len());
            if threads.number > 1 {
                lanes = lanes.min(self.turn(table, threads));
            }
            // SAFETY: `Words::new` found the features.
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
            self.blocks += 1;
            if self.blocks == BLOCKS_BETWEEN && self.checks() {
                self.set_leading();
            }
        }
        Ok(Ran::Done)
    }

    /// Has batches of options made by the other thread, if that pays; returns how many heaps the next block may have.
    fn turn(&mut self, table: &ValueTable, threads: Threads) -> usize {
        let first = table.len();
        let largest = self.lookup.split.largest_index(table.max()) as usize;
        if self.ahead.is_none() && first >= threads.from && self.far.len() + self.proof.len() >= self.ahead_at {
            self.look_whether_ahead_pays(first, largest, threads);
        }
        let Some(ahead) = &mut self.ahead else { return LANES };
        let leading = if STAGED.contains(&self.width) { self.leading } else { self.far.len() };
        let known = Known { heaps: first, cells: &self.cells, far: &self.far, leading, largest };
        match ahead.turn(known) {
            Some((room, begins)) => {
                if begins {
                    self.plan.until = 0;
                }
                room
            }
            None => {
                self.go_on_alone();
                self.ahead_at = usize::MAX;
                LANES
            }
        }
    }

    /// Starts the other thread where what it can do is worth the messages.
    #[cold]
    fn look_whether_ahead_pays(&mut self, first: usize, largest: usize, threads: Threads) {
        let kind = Kind { width: self.width, batch: threads.batch, depth: threads.depth, patient: threads.patient };
        let entries = self.far.len() + self.proof.len();
        let of_one = if self.width > 4 { 8 * (1 + 3 * self.width) } else { 4 + 5 * (largest / 16 + 1) };
        if first < 2 * kind.least() {
            return;
        }
        let taken = self.far.iter().chain(&self.proof).filter(|e| kind.takes(e)).count();
        if taken * of_one / 32 < threads.cost {
            self.ahead_at = entries + entries / 8 + 1;
            return;
        }
        self.ahead = Ahead::new(kind, &self.proof);
        // where no thread can be had, none is asked for again
        self.ahead_at = if self.ahead.is_none() { usize::MAX } else { 0 };
    }

    /// Ends the other thread, if there is one.
    fn go_on_alone(&mut self) {
        if self.ahead.take().is_some() {
            // the plan left its entries out
            self.plan.until = 0;
        }
    }

    #[cfg(test)]
    pub(super) fn is_helped(&self) -> bool {
        self.ahead.as_ref().is_some_and(|a| a.done().is_some())
    }

    /// Bytes of the heaps that the other thread keeps.
    pub(super) fn bytes_ahead(&self) -> u64 {
        self.ahead.as_ref().map_or(0, Ahead::bytes)
    }

    /// Sweeps more entries if candidates had to be checked one by one too often, fewer if hardly ever.
    fn set_leading(&mut self) {
        let heaps = self.blocks * LANES as u32;
        if self.late * 16 > heaps {
            self.leading = (self.leading + self.leading / 16 + 8).min(self.far.len());
        } else if self.late * 64 < heaps {
            self.leading -= self.leading / 32;
        }
        (self.late, self.blocks) = (0, 0);
    }

    /// Computes the next `lanes` heaps; returns how many.
    ///
    /// # Safety
    /// Needs [`has_features`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn block<const W: usize>(&mut self, table: &mut ValueTable, rares: &mut Vec<Rare>, lanes: usize) -> usize {
        let first = table.len();
        if !self.new.is_empty() {
            let (far, swept) = (&mut self.far, &mut self.plan.swept_as_cells);
            // partners of a whole block are known, and none is heap 0
            self.new.retain(|e| {
                let known = (e.offset as usize) < first;
                if known {
                    far.push(*e);
                    swept.push(*e);
                }
                !known
            });
        }
        if first + LANES > self.plan.until {
            self.plan_blocks(first);
        }
        if self.cells.len() < first + LANES {
            // cells of heaps to come are written one by one below
            self.cells.resize(first + (1 << 12), RARE);
            if W <= 4 {
                self.bytes.resize(self.cells.len(), RARE_BYTE);
            }
        }
        let mut common: Block<W> = [[0; LANES]; W];
        let mut rare: Block<W> = [[0; LANES]; W];
        let largest = self.lookup.split.largest_index(table.max()) as usize;
        let ahead = self.ahead.as_ref().and_then(|a| a.add::<W>(first, &mut common, &mut rare));
        let at = (self.cells[first..].as_ptr(), self.bytes.get(first..).unwrap_or_default().as_ptr());
        // SAFETY: offsets are at least LANES and below `first`, so the loads stay within the cells and bytes of known heaps.
        let mut known = unsafe { self.plan.mark::<W>(at, (largest, self.has_512), &mut common, &mut rare) };
        if let Some(ahead) = ahead {
            known = from_fn(|lane| known[lane].min(ahead[lane]));
        }
        let mut values = [0u32; LANES];
        let mut done = 0;
        'block: while done < lanes {
            // SAFETY: offsets are at least COLUMN, so partners of the column are known; a column reads 4 cells.
            unsafe { columns::<W, 1>(&self.near, self.cells[first..].as_ptr(), &mut common, done) };
            let column = done..lanes.min(done + COLUMN);
            for lane in column {
                let n = first + lane;
                let mut options: [[u64; W]; 2] = [from_fn(|w| rare[w][lane]), from_fn(|w| common[w][lane])];
                self.close_options::<W>(n, &mut options);
                let Some(index) = self.first_missing::<W>(n, &mut options[1], (known[lane], largest)) else {
                    break 'block;
                };
                let looked = self.lookup.by_parity[n % 2][index];
                values[lane] = looked.common;
                let mut cell = index as u16;
                // rare values below the candidate that no option has shown yet
                let mut any = 0;
                let mut missing = [0u64; W];
                for w in 0..W {
                    missing[w] = !options[0][w] & below_in_word(looked.below, w);
                    any |= missing[w];
                }
                // SAFETY: AVX2 is there.
                if any != 0
                    && let Some(target) = unsafe { self.not_an_option(table, n, &values[..lane], missing) }
                {
                    let value = self.lookup.by_parity[n % 2][usize::from(target)].rare;
                    values[lane] = value;
                    cell = RARE | target;
                    rares.push(Rare { heap: n, value: value.into() });
                    self.add_rare(n, target.into());
                }
                self.cells[n] = cell;
                if W <= 4 {
                    self.bytes[n] = self.byte(cell);
                }
                done += 1;
            }
        }
        table.extend(&values[..done]);
        if self.checks() {
            for n in first..first + done {
                if n % 64 == 63 {
                    // the block may hold rare heaps beyond n
                    self.rank.push(rares.partition_point(|r| r.heap <= n) as u32);
                }
            }
        }
        done
    }

    /// Decides for the blocks from heap `first` on which entries are swept.
    fn plan_blocks(&mut self, first: usize) {
        if !self.checks() {
            self.leading = self.far.len();
        }
        let ranks = Ranks { base: 0, known: first, rank: &self.rank };
        let span = (first, first + PLANNED);
        let (leading, others) = self.far.split_at(self.leading);
        match self.ahead.as_ref().and_then(Ahead::done) {
            None => self.plan.make(span, self.width, ranks, leading.iter(), others.iter(), self.proof.iter()),
            Some(Done { least, told, share }) => {
                let near = |e: &&Entry| (e.offset as usize) < least;
                // what the other thread has not been told of yet stands at the end
                let (old, untold) = self.far.split_at(told);
                let sweep = old.iter().filter(near).chain(untold);
                let far_proof = self.proof.iter().filter(|e| !near(e)).skip(share);
                let proof = self.proof.iter().filter(near).chain(far_proof);
                self.plan.make(span, self.width, ranks, sweep, [].iter(), proof);
            }
        }
    }

    /// The least common index that is no option of heap n, if the words hold it; from `known` on not all entries have been
    /// looked at; `largest` is the largest index of the table.
    #[inline(always)]
    fn first_missing<const W: usize>(
        &mut self,
        n: usize,
        options: &mut [u64; W],
        (known, largest): (u32, usize),
    ) -> Option<usize> {
        loop {
            let index = first_missing(options)?;
            if index < known as usize {
                return Some(index);
            }
            self.late += u32::from(self.checks());
            if !self.is_late_option(n, index as u16, index < swept_below::<W>(largest)) {
                return Some(index);
            }
            options[index / 64] |= 1 << (index % 64);
        }
    }

    #[cold]
    #[inline(never)]
    fn is_late_option(&self, n: usize, index: u16, is_swept: bool) -> bool {
        let hits = |e: &Entry| self.cells[n - e.offset as usize] ^ e.index as u16 == index;
        if self.ahead.is_some() {
            // the plan has only some of the entries
            return self.far.iter().any(hits);
        }
        let swept = if is_swept { &[][..] } else { &self.plan.swept };
        self.plan.checked.iter().chain(swept).any(hits)
    }

    /// Marks the options of heap n that involve heaps of its own column or new rare heaps, and those that leave one heap.
    #[inline(always)]
    fn close_options<const W: usize>(&self, n: usize, options: &mut [[u64; W]; 2]) {
        let mut mark = |index: u16, common: bool| {
            let bit = 1 << (index & 63);
            if W == 1 {
                // in registers, and without a branch
                let mask = u64::from(common).wrapping_neg();
                options[0][0] |= bit & !mask;
                options[1][0] |= bit & mask;
            } else if let Some(word) = options[usize::from(common)].get_mut(usize::from(index >> 6)) {
                *word |= bit;
            }
        };
        for e in &self.nearest {
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
            let turned = self.lookup.split.turning.is_some() && k % 2 == 1;
            mark(cell & !RARE, (cell & RARE == 0) != turned);
        }
    }

    /// The least of the `missing` rare indices that no option of heap n leaves.
    ///
    /// # Safety
    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn not_an_option<const W: usize>(
        &mut self,
        table: &mut ValueTable,
        n: usize,
        newest: &[u32],
        missing: [u64; W],
    ) -> Option<u16> {
        self.searches += missing.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        for (w, mut word) in missing.into_iter().enumerate() {
            while word != 0 {
                let target = 64 * w as u16 + word.trailing_zeros() as u16;
                word &= word - 1;
                // SAFETY: AVX2 is there.
                let found = unsafe {
                    self.is_option(n, target, 0..SOON)
                        || self.is_recalled(n, target)
                        || self.is_option(n, target, SOON..usize::MAX)
                };
                if !found && !self.is_option_of_all(table, n, newest, target) {
                    return Some(target);
                }
            }
        }
        None
    }

    /// True if a pair that had to be looked for in all of the table before leaves this index again.
    fn is_recalled(&mut self, n: usize, index: u16) -> bool {
        let hit = self.recalled.iter().position(|e| self.cells[n - e.offset as usize] ^ e.index as u16 == index);
        if let Some(place) = hit {
            // what hits moves towards the front, what does not falls out
            self.recalled.swap(place, place / 2);
        }
        hit.is_some()
    }

    /// True if some pair with one part within reach, both common, leaves this index of the rare class; `chunks` says which
    /// of the pairs, those with the smallest heaps first.
    ///
    /// # Safety
    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn is_option(&self, n: usize, index: u16, chunks: Range<usize>) -> bool {
        let reach = self.reversed.len();
        for chunk in chunks.start..chunks.end.min(reach / MANY) {
            let end = reach - MANY * chunk;
            let from = end - MANY;
            for p in &self.shape.pairs {
                // reversed[j] is heap reach - j, its partner n - amount - reach + j
                let start = n - p.amount - reach;
                let partners = start + from..start + end;
                // SAFETY: AVX2 is there.
                let found = unsafe {
                    // where bytes do not tell rare heaps, a rare and a common one may seem to do
                    self.may_have_xor(from..end, partners.clone(), index)
                        && (self.bytes_tell() || has_xor(&self.reversed[from..end], &self.cells[partners], index))
                };
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// False if no two bytes of these places leave the index; true if there are no bytes.
    ///
    /// # Safety
    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn may_have_xor(&self, reversed: Range<usize>, partners: Range<usize>, index: u16) -> bool {
        let reversed = self.reversed_bytes.get(reversed).and_then(|r| r.first_chunk());
        let partners = self.bytes.get(partners).and_then(|p| p.first_chunk());
        match (reversed, partners) {
            // SAFETY: by contract.
            (Some(a), Some(b)) => unsafe { has_xor_of_bytes(a, b, index as u8) },
            _ => true,
        }
    }

    /// True if some pair of heaps leaves this rare index; `newest` are the values that follow the table.
    #[target_feature(enable = "avx2")]
    fn is_option_of_all(&mut self, table: &mut ValueTable, n: usize, newest: &[u32], index: u16) -> bool {
        let value = u64::from(self.lookup.by_parity[n % 2][usize::from(index)].rare);
        let known = table.len();
        table.extend(newest);
        let found = self.shape.pairs.iter().find_map(|p| {
            let rest = n - p.amount;
            let half = (rest - usize::from(p.unequal)) / 2;
            // a value wider than the cells is the xor of no two of them
            let heap = match table.cells() {
                Cells::U8(v) => find_pair(v, rest, half, u8::try_from(value).ok()?),
                Cells::U16(v) => find_pair(v, rest, half, u16::try_from(value).ok()?),
                Cells::U32(v) => find_pair(v, rest, half, u32::try_from(value).ok()?),
                Cells::U64(v) => find_pair(v, rest, half, value),
            };
            heap.map(|heap| (heap, p.amount))
        });
        table.truncate(known);
        if let Some((heap, amount)) = found
            && self.cells[heap] & RARE == 0
            && !self.shape.pairs.iter().any(|p| p.unequal)
        {
            self.recalled.truncate(RECALLED - 1);
            self.recalled.push(Entry { offset: (heap + amount) as u32, index: self.cells[heap].into() });
        }
        found.is_some()
    }
}

/// True if the machine has what the blocks are compiled for.
fn has_features() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// The cells of all heaps.
fn cells<T: Copy + Into<u64>>(values: &[T], split: Split) -> Vec<u16> {
    let cell = |(n, v): (usize, &T)| {
        let v = (*v).into();
        let index = split.index(v) as u16;
        if n > 0 && split.is_common(v, n) { index } else { RARE | index }
    };
    values.iter().enumerate().map(cell).collect()
}

/// The least index that is not among the options.
#[inline(always)]
fn first_missing<const W: usize>(options: &[u64; W]) -> Option<usize> {
    for (w, word) in options.iter().enumerate() {
        if *word != u64::MAX {
            return Some(64 * w + word.trailing_ones() as usize);
        }
    }
    None
}

/// Some i in `1 ..= half` for which values\[i\] xor values\[rest - i\] is `value`.
#[inline(always)]
fn find_pair<T>(values: &[T], rest: usize, half: usize, value: T) -> Option<usize>
where
    T: Copy + Eq + std::ops::BitXor<Output = T>,
{
    const MANY: usize = 256;
    let small = &values[1..=half];
    let large = &values[rest - half..rest];
    let hit = |(a, b): (&T, &T)| *a ^ *b == value;
    // no early end inside, so that it is done many at once
    let any = |(a, b): (&[T], &[T])| a.iter().zip(b.iter().rev()).fold(false, |any, pair| any | hit(pair));
    let chunk = small.chunks(MANY).zip(large.rchunks(MANY)).position(any)?;
    (MANY * chunk + 1..=half).find(|i| hit((&values[*i], &values[rest - i])))
}

#[cfg(test)]
mod tests {
    use super::super::RareCommon;
    use super::*;
    use grundy_core::rulesets::heap::HeapRule;

    /// What the plan of the blocks rests on: a rare heap that it misses would be taken for a common one.
    #[test]
    fn ranks_count_rare_heaps() {
        let mut seen = 0;
        for digits in [&[0, 3, 4][..], &[6], &[1, 4, 2], &[7, 4]] {
            let shape = Shape::of(&HeapRule::octal(0, digits)).unwrap();
            let (mut engine, mut table) = (RareCommon::new(shape, false), ValueTable::new());
            for to in (1000..40_000).step_by(1013) {
                engine.compute(&mut table, to, &mut Meter::unlimited()).unwrap();
                let Some(words) = engine.words.as_ref().filter(|w| w.checks()) else { continue };
                assert_eq!(words.rank.len(), table.len() / 64 + 1);
                for (i, rank) in words.rank.iter().enumerate() {
                    let below = engine.rares.iter().filter(|r| r.heap < 64 * i).count();
                    assert_eq!(*rank as usize, below, "{digits:?} heaps below {}", 64 * i);
                }
                seen += 1;
            }
        }
        assert!(seen > 20 || !has_features(), "{seen}");
    }
}
