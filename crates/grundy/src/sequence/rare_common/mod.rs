//! The rare/common engine: heap n from the few rare heaps and a short proof, in place of all n/2 pairs.
//!
//! For any [`Split`] the options of a common value are exactly the pairs of a rare and a common heap (and the amounts that
//! leave at most one heap). So with R rare heaps
//!
//! 1. all common values among the options follow from R pairs an amount: the least one missing is the candidate c;
//! 2. each rare value below c must be shown to be an option. Almost always it is, and a few pairs show it;
//! 3. if not, that value is G(n) and n is one more rare heap, which only a walk over all pairs can tell.
//!
//! The split is exact for every mask; a good one makes R small. It is chosen anew whenever the table has doubled.
//!
//! [`RareCommon::step`] is the plain form, one heap at a time on any machine; [`words`] computes blocks of heaps with AVX2.
//!
//! # Complexity
//! R marks an amount and the proof, in place of n/2 marks an amount; n/2 only for each new rare heap.
//!
//! # Sources
//! `[WW]` chapter 4 (sparse spaces).

#[cfg(target_arch = "x86_64")]
mod ahead;
#[cfg(target_arch = "x86_64")]
mod all_pairs;
#[cfg(target_arch = "x86_64")]
mod candidates;
#[cfg(target_arch = "x86_64")]
mod marks;
#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod sweep;
#[cfg(target_arch = "x86_64")]
mod words;

use crate::budget::{Meter, StopReason};

use super::{
    shape::Shape,
    split::{Histogram, Split},
    table::{Cells, ValueTable, with_cells},
};

/// A heap with a rare value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rare {
    heap: usize,
    value: u64,
}

/// The engine's state beside the table of values, from which it can be made again.
#[derive(Debug)]
pub(super) struct RareCommon {
    shape: Shape,
    histogram: Histogram,
    split: Option<Split>,
    rares: Vec<Rare>,
    /// Length of the table at which the split is chosen anew.
    choose_at: usize,
    marks: Marks,
    #[cfg(target_arch = "x86_64")]
    words: Option<words::Words>,
    #[cfg(target_arch = "x86_64")]
    all_pairs: Option<all_pairs::AllPairs>,
    portable: bool,
    /// How threads are used, in tests; else by the budget.
    #[cfg(target_arch = "x86_64")]
    threads: Option<words::Threads>,
}

/// Values seen from one heap, by stamp, so that nothing is cleared between heaps.
#[derive(Debug, Default)]
struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn begin(&mut self, max: u64) {
        // an option is a xor of two values, so it has no bit above the largest value
        let size = (max as usize + 1).next_power_of_two() * 2;
        if self.stamps.len() < size {
            self.stamps.resize(size, 0);
        }
        self.now = self.now.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    #[inline]
    fn mark(&mut self, v: u64) {
        self.stamps[v as usize] = self.now;
    }

    #[inline]
    fn has(&self, v: u64) -> bool {
        self.stamps.get(v as usize) == Some(&self.now)
    }
}

/// Length of the table from which on a split can pay.
const FIRST_SPLIT: usize = 256;

impl RareCommon {
    /// An engine that will extend a table of the values of a rule of this shape; `portable` keeps to plain code.
    pub(super) fn new(shape: Shape, portable: bool) -> Self {
        RareCommon {
            shape,
            histogram: Histogram::default(),
            split: None,
            rares: Vec::new(),
            choose_at: 0,
            marks: Marks::default(),
            #[cfg(target_arch = "x86_64")]
            words: None,
            #[cfg(target_arch = "x86_64")]
            all_pairs: None,
            portable,
            #[cfg(target_arch = "x86_64")]
            threads: None,
        }
    }

    /// From now on uses a second thread from the start on, with small batches, and waits for each.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(super) fn hand_over_early(&mut self, batch: usize, depth: usize) {
        self.threads = Some(words::Threads { number: 2, batch, depth, from: 0, cost: 0, patient: true });
    }

    /// Goes on with one thread.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(super) fn go_on_alone(&mut self) {
        self.threads = None;
    }

    /// True if heaps are computed with the help of a second thread.
    #[cfg(test)]
    pub(super) fn is_helped(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.words.as_ref().is_some_and(words::Words::is_helped);
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Bytes that another thread keeps.
    pub(super) fn bytes_ahead(&self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(words) = &self.words {
            return words.bytes_ahead();
        }
        0
    }

    /// The split and the number of rare heaps.
    pub(super) fn split(&self) -> Option<(Split, usize)> {
        self.split.map(|s| (s, self.rares.len()))
    }

    /// Extends the table to heap `to`.
    pub(super) fn compute(&mut self, table: &mut ValueTable, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        while (table.len() as u64) <= to {
            if table.len() >= self.choose_at {
                self.choose_split(table);
            }
            let last = to.min(self.choose_at as u64 - 1) as usize;
            #[cfg(target_arch = "x86_64")]
            if let Some(words) = &mut self.words {
                let threads = self.threads.unwrap_or_else(|| words::Threads::new(meter.budget().threads()));
                match words.run(table, &mut self.rares, last, meter, threads)? {
                    words::Ran::Done => {}
                    words::Ran::TooNarrow => self.set_up_words(table, true),
                }
                continue;
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(all) = &mut self.all_pairs {
                let value = match table.cells() {
                    Cells::U8(v) => Some(all.next(v, table.max())),
                    Cells::U16(v) => Some(all.next(v, table.max())),
                    _ => None,
                };
                if let Some(value) = value {
                    meter.steps(1000 + (table.len() * self.shape.pairs.len()) as u64 / 8)?;
                    table.push(value);
                    continue;
                }
            }
            let value = with_cells!(table.cells(), v => self.step(v, table.max(), meter)?);
            let n = table.len();
            if self.split.is_some_and(|s| !s.is_common(value, n)) {
                self.rares.push(Rare { heap: n, value });
            }
            table.push(value);
        }
        Ok(())
    }

    fn choose_split(&mut self, table: &ValueTable) {
        self.choose_at = (2 * table.len()).max(FIRST_SPLIT);
        self.histogram.extend(table);
        let best_split = self.histogram.best_split(&self.shape).filter(|_| table.len() >= FIRST_SPLIT);
        let best = best_split.filter(|(_, rares)| *rares < table.len() / 2).map(|(split, _)| split);
        #[cfg(target_arch = "x86_64")]
        if best == self.split && self.words.as_ref().is_some_and(|w| !w.is_stale(table)) {
            return;
        }
        self.split = best;
        self.rares.clear();
        #[cfg(target_arch = "x86_64")]
        {
            self.all_pairs = None;
            let few = best_split.is_some_and(|(split, rares)| self.splitting_pays(split, rares, table));
            if !few && !self.portable && table.len() >= FIRST_SPLIT {
                self.all_pairs = all_pairs::AllPairs::new(&self.shape);
                if self.all_pairs.is_some() {
                    (self.split, self.words) = (None, None);
                    return;
                }
            }
        }
        if let Some(split) = best {
            self.rares = (1..table.len())
                .filter_map(|heap| table.get(heap).map(|value| Rare { heap, value }))
                .filter(|r| !split.is_common(r.value, r.heap))
                .collect();
        }
        #[cfg(target_arch = "x86_64")]
        self.set_up_words(table, false);
    }

    /// True if marking the rare heaps costs less than going through all pairs, in operations of 256 bits a heap.
    #[cfg(target_arch = "x86_64")]
    fn splitting_pays(&self, split: Split, rares: usize, table: &ValueTable) -> bool {
        let amounts = self.shape.pairs.len();
        let words = split.index(table.max()) as usize / 64 + 1;
        // where rare heaps go on coming, each costs a walk over all pairs
        rares < table.len() / 8 && rares * amounts * (1 + 3 * words) / 4 < 8000 + amounts * table.len() / 3
    }

    /// Makes the AVX2 form for this split, if it can be used; `wider` asks for more room for values than they need now.
    #[cfg(target_arch = "x86_64")]
    fn set_up_words(&mut self, table: &ValueTable, wider: bool) {
        let width = self.words.take().map_or(0, |w| w.width());
        let least = if wider { 2 * width } else { 1 };
        if let (Some(split), false) = (self.split, self.portable) {
            self.words = words::Words::new(table, &self.shape, split, &self.rares, least);
        }
    }

    /// G(n) for n = the number of values, in plain code.
    fn step<T: Copy + Into<u64>>(&mut self, values: &[T], max: u64, meter: &mut Meter) -> Result<u64, StopReason> {
        let n = values.len();
        let get = |i: usize| -> u64 { values[i].into() };
        self.marks.begin(max);
        if self.shape.nothing.binary_search(&n).is_ok() {
            self.marks.mark(0);
        }
        for k in self.shape.whole.iter().take_while(|k| **k < n) {
            self.marks.mark(get(n - k));
        }
        let Some(split) = self.split else {
            for p in self.shape.pairs.iter().take_while(|p| p.amount + 1 < n) {
                let rest = n - p.amount;
                meter.steps(rest as u64 / 2)?;
                for i in 1..=(rest - usize::from(p.unequal)) / 2 {
                    self.marks.mark(get(i) ^ get(rest - i));
                }
            }
            return Ok((0..).find(|v| !self.marks.has(*v)).unwrap_or(0));
        };
        for p in self.shape.pairs.iter().take_while(|p| p.amount + 1 < n) {
            let rest = n - p.amount;
            meter.steps(self.rares.len() as u64)?;
            for r in self.rares.iter().take_while(|r| r.heap < rest) {
                if !(p.unequal && 2 * r.heap == rest) {
                    self.marks.mark(r.value ^ get(rest - r.heap));
                }
            }
        }
        let common = |i: u64| split.value(i, true, n);
        let index = (0..).find(|i| !self.marks.has(common(*i))).unwrap_or(0);
        let rare = |i: u64| split.value(i, false, n);
        let below = split.rares_below(index, n);
        let mut missing = (0..below).filter(|i| !self.marks.has(rare(*i))).count();
        let candidate = common(index);
        // amounts side by side: a value that only one amount reaches would cost a whole walk over each amount before it
        let half = n / 2;
        let mut i = 1;
        while missing > 0 && i <= half {
            meter.steps(64)?;
            for i in i..=half.min(i + 31) {
                for p in self.shape.pairs.iter().take_while(|p| p.amount + 1 < n) {
                    let rest = n - p.amount;
                    if 2 * i > rest || (p.unequal && 2 * i == rest) {
                        continue;
                    }
                    let v = get(i) ^ get(rest - i);
                    if v < candidate && !self.marks.has(v) {
                        self.marks.mark(v);
                        missing -= 1;
                    }
                }
            }
            i += 32;
        }
        if missing == 0 {
            return Ok(candidate);
        }
        Ok((0..below).map(rare).find(|v| !self.marks.has(*v)).unwrap_or(candidate))
    }
}
