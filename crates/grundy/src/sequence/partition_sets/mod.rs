//! Sequences of rules whose moves may leave three or more heaps, by the sets of values that partitions have.
//!
//! Let X_1\[m\] = {G(m)} and X_j\[m\] the set of all G(a_1) xor … xor G(a_j) with parts a_i >= 1 and a_1 + … + a_j = m. Since some
//! part is smallest,
//!
//! ```text
//! X_j[m] = union over 1 <= a <= m / j of G(a) xor X_{j-1}[m - a],
//! ```
//!
//! and G(n) is the mex of the union of X_j\[n - k\] over all amounts k and numbers j of heaps that the rule allows. For three or
//! more parts these sets are dense below the mex and all but empty above it, while X_2 is thin. So hardly anything of
//! them is computed:
//!
//! * *Certain values.* Two equal parts cancel, so X_{j-2}\[c\] is contained in X_j\[m\] for every c <= m - 2 of the parity of m. The
//!   union of these is kept from heap to heap ([`Certain`]). For arithmetic periodic games it is often everything
//!   below the mex.
//! * *Bounds.* With top(m) >= max X_{j-1}\[m\], a value v can be in X_j\[m\] through a only if v xor G(a) <= top(m - a). This is
//!   compared for many a at once; for v = mex few or none remain, and these are looked up.
//! * *Looks.* A value that is still missing is looked for part by part, first near the part through which it was found last.
//! * *Translates.* Where many looks are needed, whole sets are united: those a whose values agree in the low six bits
//!   together, since then only whole words change places, and the bits in them once for all of these a. Looks pay for
//!   translates step by step; where all translates together are cheaper than to refute one value, all are made.
//! * *Sets on demand.* X_2\[m\] is made when it is asked for the fifth time or wanted whole; before, a value is looked for
//!   among the pairs. Rules that leave four or more heaps need X_2, …, X_{j-1} of every m.
//!
//! Every step is exact for any rule: a value is reported missing only once it is refuted for every a.
//!
//! # Complexity
//! Where the certain values and the bounds decide, O(n) for heap n, eight comparisons at a time with AVX2: of n / 2 pairs, and of
//! n / j bounds for each amount. Where they do not, as in games that look random, also a mark a pair, hundreds of translates
//! of V / 64 words, and tens to hundreds of looks for each value still missing; V is the largest value, up to about n. In the
//! worst case all translates are made: O(n V / 64) an amount. Listing the options, as the direct engine does, is O(n^2) for three
//! heaps and O(n^3) for four.
//!
//! Memory: 45 bytes a heap, and V / 8 bytes for each set that is made: none for 0.8, one for every m in games that look random.
//!
//! # Measured
//! User time of whole runs, one core with AVX2, shared with others: microseconds a value, and the ratio to the direct engine for
//! runs to 2000 in the same session, without the start of the program.
//!
//! | game | its values | to 10^4 | to 10^5 | memory at 10^5 | direct / this, to 2000 |
//! |---|---|---|---|---|---|
//! | 0.8 | period 3, saltus 1 | below 1 | 7 | 9 MB | above 1000 |
//! | 0.28 | period 53, saltus 16 | 8 | 37 | 140 MB | 380 |
//! | 0.3F | period 6, saltus 3 | 8 | 58 | 320 MB | 360 |
//! | 0.2048 | about 0.31 n, no period | 6 | 67 | 200 MB | 390 |
//! | 0.2E | about 0.79 n, no period | 24 | 146 (to 3 10^4) | 52 MB (at 3 10^4) | 130 |
//! | 0.F7 | few, slowly growing | 38 | 128 (to 3 10^4) | 11 MB (at 3 10^4) | 120 |
//!
//! The ratio grows with n. All 0.hh to 1000 as a sweep: 0.33 s instead of 40.9 s. Games with small values, such as 0.F, are
//! proved periodic at once by either engine.
//!
//! # Limits
//! Finitely many amounts and heaps, no conditions; three or more heaps without restriction. Values below 2^30. Games with few
//! rare values, such as 0.F7, would gain from a split into rare and common ones, which is not made here.

mod batches;
mod bits;
mod rows;

use std::collections::BTreeMap;

use grundy_core::theory::nim::xor_bits;

use self::{
    batches::Batches,
    bits::{contains, insert, largest_of, next_missing, unite, unite_moved},
    rows::{any_within, has_xor, largest_sum, largest_xor},
};
use super::{
    shape::{ManyShape, Pairs},
    table::ValueTable,
};
use crate::budget::{Limit, Meter, StopReason};

/// The largest value that is handled.
pub(super) const MOST_VALUE: u64 = (1 << 30) - 1;

/// Words of a set come in blocks of so many.
const BLOCK: usize = 8;

/// Parts whose bounds are compared at once.
const CHUNK: usize = 128;

/// Parts near a hint that are tried first.
const NEAR: usize = 8;

/// Most translates of one batch.
const BATCH: usize = 64;

/// Looks among the pairs of one heap before their set is made.
const LOOKS: u8 = 4;

/// Values whose heaps can be told apart by nothing but the lowest bits: six bits choose the place in a word.
const CLASSES: usize = 64;

/// The engine. The values themselves are in the caller's table; the copy here is as wide as the kernels want it.
#[derive(Debug)]
pub(super) struct PartitionSets {
    shape: ManyShape,
    values: Vec<i32>,
    /// Words of a set that holds every xor of known values: a power of two, at least [`BLOCK`].
    words: usize,
    /// Heaps from 1 on by the low six bits of their values, ascending.
    classes: Vec<Vec<u32>>,
    /// X_2, X_3, …, one less than the most parts that a move leaves.
    levels: Vec<Level>,
    /// Certain values for the amounts of the rule, by number of parts and parity of the amount, least amount first.
    certain: Vec<Certain>,
    /// Batches of translates that the last heaps of either parity needed.
    batches: [usize; 2],
    /// What refuting a mex cost for the last heaps of either parity, in steps.
    refuted: [u64; 2],
    /// For each value and parity of the sum the part through which it was found last: it, or one near to it, is likely
    /// to do so again.
    hints: Vec<[u32; 2]>,
    marks: Vec<u8>,
    translated: Vec<u64>,
    /// Number of values up to which the bytes are counted.
    counted: usize,
}

/// The sets X_j\[m\] for one j.
#[derive(Debug)]
struct Level {
    parts: usize,
    /// A bound of each set, -1 for the empty one; exact where the set is made.
    tops: Vec<i32>,
    sets: Vec<Option<Box<[u64]>>>,
    /// How often a set that is not made was asked.
    looks: Vec<u8>,
    /// Certain values of the set that is made next.
    certain: Option<Certain>,
}

/// The union of X_{j-2}\[c\] over c < `next`, by the parity of c: contained in X_j\[m\] for m > `next` of the parity.
#[derive(Debug)]
struct Certain {
    parts: usize,
    /// The amount after which the j heaps are left.
    amount: usize,
    next: usize,
    sets: [Vec<u64>; 2],
}

/// A set of options: the values of all partitions of `sum` into `parts` parts.
#[derive(Clone, Copy, Debug)]
struct Source {
    parts: usize,
    sum: usize,
}

/// What [`PartitionSets::settle`] is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The least value that is missing.
    Mex,
    /// All values up to this one.
    All(usize),
}

impl PartitionSets {
    /// An engine that will extend a table of the values of a rule of this shape; the values are at most [`MOST_VALUE`].
    pub(super) fn new(shape: ManyShape) -> Self {
        let most = shape.many.last().map_or(2, |m| m.parts);
        let levels = (2..most).map(Level::new).collect();
        let mut least: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for m in shape.many.iter().rev() {
            least.insert((m.parts, m.amount % 2), m.amount);
        }
        let certain = least.into_iter().map(|((parts, _), amount)| Certain::new(parts, amount)).collect();
        PartitionSets {
            shape,
            values: Vec::new(),
            words: BLOCK,
            classes: vec![Vec::new(); CLASSES],
            levels,
            certain,
            batches: [0; 2],
            refuted: [0; 2],
            hints: Vec::new(),
            marks: Vec::new(),
            translated: Vec::new(),
            counted: 0,
        }
    }

    /// Extends the table to heap `to`.
    pub(super) fn compute(&mut self, table: &mut ValueTable, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        while (table.len() as u64) <= to {
            meter.position()?;
            let value = self.next(table, meter)?;
            if value as u64 > MOST_VALUE {
                return Err(meter.stop(Limit::Width));
            }
            table.push(value as u64);
        }
        Ok(())
    }

    /// G(n) for n = the number of values in the table.
    fn next(&mut self, table: &ValueTable, meter: &mut Meter) -> Result<usize, StopReason> {
        if self.counted <= table.len() {
            // value, class, hints, and for each level bound, looks and the place of the set
            meter.bytes(1024 * (24 + 21 * self.levels.len() as u64))?;
            self.counted += 1024;
        }
        while let Some(value) = table.get(self.values.len()) {
            self.take(value as i32);
        }
        let n = self.values.len();
        for level in 0..self.levels.len() {
            while self.levels[level].tops.len() <= n {
                self.extend_level(level, meter)?;
            }
        }
        let mut set = vec![0u64; self.words];
        if self.shape.few.nothing.binary_search(&n).is_ok() {
            set[0] |= 1;
        }
        for k in self.shape.few.whole.iter().take_while(|k| **k < n) {
            insert(&mut set, self.values[n - k] as usize);
        }
        for i in 0..self.certain.len() {
            let mut certain = std::mem::replace(&mut self.certain[i], Certain::new(0, 0));
            let result = self.add_certain(&mut certain, n, &mut set, meter);
            self.certain[i] = certain;
            result?;
        }
        let parts = |m: &super::shape::Many| Source { parts: m.parts, sum: n.saturating_sub(m.amount) };
        let sources: Vec<Source> = self.shape.many.iter().map(parts).filter(|s| s.sum >= s.parts).collect();
        let pairs: Vec<Pairs> = self.shape.few.pairs.iter().copied().filter(|p| p.amount + 2 <= n).collect();
        self.settle(&sources, &pairs, &mut set, Goal::Mex, meter)
    }

    /// Takes in the value of the next heap.
    fn take(&mut self, value: i32) {
        let heap = self.values.len();
        self.values.push(value);
        if heap > 0 {
            self.classes[value as usize % CLASSES].push(heap as u32);
        }
        while value as usize >= 64 * self.words {
            self.words *= 2;
        }
    }

    /// Makes the bound for the next sum of a level, and the set itself if it will be wanted whole.
    fn extend_level(&mut self, level: usize, meter: &mut Meter) -> Result<(), StopReason> {
        let m = self.levels[level].tops.len();
        let parts = self.levels[level].parts;
        meter.steps(m as u64 / 8)?;
        let top = match level.checked_sub(1) {
            _ if m < parts => -1,
            None => largest_xor(&self.values[1..=m / 2], &self.values[m - m / 2..m]),
            Some(below) => {
                let last = m / parts;
                let sum = largest_sum(&self.values[1..=last], &self.levels[below].tops[m - last..m]);
                sum.min((64 * self.words - 1) as i32)
            }
        };
        let made = (self.levels.len() > 1 && m >= parts).then(|| self.make(level, m, top, meter)).transpose()?;
        let this = &mut self.levels[level];
        this.tops.push(made.as_deref().map_or(top, largest_of));
        this.looks.push(0);
        this.sets.push(made);
        Ok(())
    }

    /// Adds the certain values of `certain.parts` parts of n - `certain.amount` to `set`.
    fn add_certain(
        &mut self,
        certain: &mut Certain,
        n: usize,
        set: &mut [u64],
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        let Some(m) = n.checked_sub(certain.amount) else { return Ok(()) };
        for kept in &mut certain.sets {
            kept.resize(self.words, 0);
        }
        while certain.next + 2 <= m {
            let c = certain.next;
            let kept = &mut certain.sets[c % 2];
            match certain.parts.checked_sub(4) {
                None => insert(kept, self.values[c] as usize),
                Some(level) if c >= level + 2 => {
                    meter.steps(self.words as u64)?;
                    self.need(level, c, meter)?;
                    unite(kept, self.levels[level].sets[c].as_deref().unwrap_or_default());
                }
                Some(_) => {}
            }
            certain.next += 1;
        }
        unite(set, &certain.sets[m % 2]);
        Ok(())
    }

    /// Completes `set` as far as the goal asks; returns the mex, or where it stopped.
    ///
    /// Values that are missing are looked for one by one; what that costs pays for batches of translates.
    fn settle(
        &mut self,
        sources: &[Source],
        pairs: &[Pairs],
        set: &mut [u64],
        goal: Goal,
        meter: &mut Meter,
    ) -> Result<usize, StopReason> {
        let parity = self.values.len() % 2;
        let usual = if goal == Goal::Mex { self.batches[parity] * 7 / 8 } else { 0 };
        let mut batches = Batches::new(self.values.len());
        while batches.made < usual && !batches.done {
            self.translate(sources, &mut batches, set, meter)?;
        }
        let mut whole = vec![false; pairs.len()];
        if usual > 0 {
            for (p, whole) in pairs.iter().zip(&mut whole) {
                self.unite_pairs(*p, set, meter)?;
                *whole = true;
            }
        }
        let batch_cost = |engine: &Self| (BATCH * sources.len() * engine.words / 8 + 4 * engine.words) as u64;
        let mut spent = 0;
        let mut v = 0;
        let mut all = None;
        let mut refutation = 0;
        loop {
            v = next_missing(set, v);
            if let Goal::All(last) = goal
                && v > last
            {
                break;
            }
            if !batches.done {
                let cost = batch_cost(self);
                // all others together may be cheaper than to refute one value part by part
                let refuted = if goal == Goal::Mex { self.refuted[parity] } else { 0 };
                let finish = refuted > 8 * cost && {
                    let all = *all.get_or_insert_with(|| Batches::count(&self.classes, sources));
                    (all - batches.made.min(all)) as u64 * cost < refuted
                };
                if spent > cost || finish {
                    self.translate(sources, &mut batches, set, meter)?;
                    spent = spent.saturating_sub(cost);
                    continue;
                }
            }
            let before = spent;
            let mut found = false;
            for s in sources.iter().filter(|_| !batches.done) {
                if self.is_value_of(s.parts, s.sum, v, &mut spent, meter)? {
                    found = true;
                    break;
                }
            }
            for (p, whole) in pairs.iter().zip(&whole) {
                let by_unequal = p.unequal && v == 0;
                found = found
                    || match (by_unequal, whole) {
                        (true, _) => self.has_unequal_pair(n_of(p, self.values.len()), meter)?,
                        (false, true) => false,
                        (false, false) => self.is_value_of(2, n_of(p, self.values.len()), v, &mut spent, meter)?,
                    };
            }
            match (found, goal) {
                (true, _) => insert(set, v),
                (false, Goal::Mex) => {
                    refutation = spent - before;
                    break;
                }
                (false, Goal::All(_)) => {}
            }
            v += 1;
        }
        if goal == Goal::Mex {
            self.batches[parity] = batches.made;
            // what is not measured is forgotten, slowly
            let refuted = &mut self.refuted[parity];
            *refuted = if batches.done { *refuted - *refuted / 64 } else { refutation };
        }
        Ok(v)
    }

    /// Adds the values of the pairs that the rule allows after an amount, but for the 0 of unequal ones.
    fn unite_pairs(&mut self, pairs: Pairs, set: &mut [u64], meter: &mut Meter) -> Result<(), StopReason> {
        let m = n_of(&pairs, self.values.len());
        self.need(0, m, meter)?;
        let zero = set[0] & 1;
        unite(set, self.levels[0].sets[m].as_deref().unwrap_or_default());
        if pairs.unequal {
            set[0] = (set[0] & !1) | zero;
        }
        Ok(())
    }

    /// True if two different heaps that sum to m have equal values.
    fn has_unequal_pair(&self, m: usize, meter: &mut Meter) -> Result<bool, StopReason> {
        let half = (m - 1) / 2;
        meter.steps(half as u64 / 4)?;
        Ok(has_xor(&self.values[1..=half], &self.values[m - half..m], 0))
    }

    /// True if v is the value of some partition of m into so many parts, at least two.
    fn is_value_of(
        &mut self,
        parts: usize,
        m: usize,
        v: usize,
        spent: &mut u64,
        meter: &mut Meter,
    ) -> Result<bool, StopReason> {
        let level = parts - 2;
        if m < parts || v > MOST_VALUE as usize {
            return Ok(false);
        }
        // the set that is being made has no bound yet
        if let Some(known) = self.levels.get(level)
            && let Some(top) = known.tops.get(m)
        {
            if v as i32 > *top {
                return Ok(false);
            }
            if let Some(set) = &known.sets[m] {
                *spent += 2;
                return Ok(contains(set, v));
            }
        }
        let Some(below) = level.checked_sub(1) else {
            if self.levels[0].looks[m] >= LOOKS {
                self.need(0, m, meter)?;
                return self.is_value_of(parts, m, v, spent, meter);
            }
            self.levels[0].looks[m] += 1;
            *spent += m as u64 / 8 + 8;
            meter.steps(m as u64 / 8 + 8)?;
            return Ok(has_xor(&self.values[1..=m / 2], &self.values[m - m / 2..m], v as i32));
        };
        let hint = self.hints.get(v).map_or(0, |h| h[m % 2] as usize);
        if hint > 0 {
            for step in 0..NEAR {
                // hint, hint + 1, hint - 1, hint + 2, …
                let a = if step % 2 == 1 { hint + step.div_ceil(2) } else { hint.saturating_sub(step / 2) };
                if (1..=m / parts).contains(&a) && self.is_value_through(parts, m, a, v, spent, meter)? {
                    self.hints[v][m % 2] = a as u32;
                    return Ok(true);
                }
            }
        }
        let mut end = m / parts + 1;
        while end > 1 {
            let start = end.saturating_sub(CHUNK).max(1);
            *spent += (end - start) as u64 / 4 + 4;
            meter.steps((end - start) as u64 / 4 + 4)?;
            if any_within(&self.values[start..end], &self.levels[below].tops[m + 1 - end..=m - start], v as i32) {
                for a in (start..end).rev() {
                    if self.is_value_through(parts, m, a, v, spent, meter)? {
                        if self.hints.len() <= v {
                            self.hints.resize((v + 1).next_power_of_two(), [0; 2]);
                        }
                        self.hints[v][m % 2] = a as u32;
                        return Ok(true);
                    }
                }
            }
            end = start;
        }
        Ok(false)
    }

    /// True if v is the value of some partition of m into so many parts, at least three, one of them `a`.
    #[inline]
    fn is_value_through(
        &mut self,
        parts: usize,
        m: usize,
        a: usize,
        v: usize,
        spent: &mut u64,
        meter: &mut Meter,
    ) -> Result<bool, StopReason> {
        let x = self.values[a] ^ v as i32;
        Ok(x <= self.levels[parts - 3].tops[m - a] && self.is_value_of(parts - 1, m - a, x as usize, spent, meter)?)
    }

    /// Unites the next batch of translates with `set`: parts a whose values agree in the low six bits.
    fn translate(
        &mut self,
        sources: &[Source],
        batches: &mut Batches,
        set: &mut [u64],
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        let Some(class) = batches.next(&self.classes, sources) else { return Ok(()) };
        let mut translated = std::mem::take(&mut self.translated);
        translated.clear();
        translated.resize(self.words, 0);
        let mut result = Ok(());
        'sources: for s in sources {
            let all = self.classes[class].partition_point(|a| *a as usize <= s.sum / s.parts);
            let rounds = all.div_ceil(BATCH);
            if batches.round >= rounds {
                continue;
            }
            // spread over the class: neighbouring parts find the same bands of values
            for i in (batches.round..all).step_by(rounds) {
                let a = self.classes[class][i] as usize;
                let level = s.parts - 3;
                result = self.need(level, s.sum - a, meter);
                if result.is_err() {
                    break 'sources;
                }
                let from = self.levels[level].sets[s.sum - a].as_deref().unwrap_or_default();
                unite_moved(&mut translated, from, self.values[a] as usize / 64);
            }
        }
        let stepped = meter.steps((BATCH * sources.len() * self.words / 8 + 8 * self.words) as u64);
        for (to, from) in set.iter_mut().zip(&translated) {
            *to |= xor_bits(*from, class as u64);
        }
        self.translated = translated;
        result.and(stepped)
    }

    /// Makes a set if it is not there.
    fn need(&mut self, level: usize, m: usize, meter: &mut Meter) -> Result<(), StopReason> {
        if self.levels[level].sets[m].is_none() && m >= self.levels[level].parts {
            let set = self.make(level, m, self.levels[level].tops[m], meter)?;
            self.levels[level].sets[m] = Some(set);
        }
        Ok(())
    }

    /// The set X_j\[m\], whose values are at most `top`, in as many blocks of words as it needs.
    fn make(&mut self, level: usize, m: usize, top: i32, meter: &mut Meter) -> Result<Box<[u64]>, StopReason> {
        let blocks = |top: i32| (top.max(0) as usize / (64 * BLOCK) + 1) * BLOCK;
        if level == 0 {
            meter.steps(m as u64 / 2)?;
            meter.bytes(8 * blocks(top) as u64)?;
            return Ok(self.pairs_of(m, blocks(top)));
        }
        let mut set = vec![0u64; self.words];
        if let Some(mut certain) = self.levels[level].certain.take() {
            let result = self.add_certain(&mut certain, m, &mut set, meter);
            self.levels[level].certain = Some(certain);
            result?;
        }
        let parts = self.levels[level].parts;
        self.settle(&[Source { parts, sum: m }], &[], &mut set, Goal::All(top.max(0) as usize), meter)?;
        set.truncate(blocks(largest_of(&set)));
        meter.bytes(8 * set.len() as u64)?;
        Ok(set.into_boxed_slice())
    }

    /// X_2\[m\] in so many words: a mark for each pair, eight marks to a byte.
    fn pairs_of(&mut self, m: usize, words: usize) -> Box<[u64]> {
        let bytes = 64 * self.words;
        if self.marks.len() != bytes {
            self.marks.resize(bytes, 0);
        }
        let marks = &mut self.marks[..];
        let last = marks.len() - 1;
        let half = m / 2;
        for (a, b) in self.values[1..=half].iter().zip(self.values[m - half..m].iter().rev()) {
            // the length is a power of two above all values
            marks[(a ^ b) as usize & last] = 1;
        }
        let mut set = vec![0u64; words].into_boxed_slice();
        for (word, marks) in set.iter_mut().zip(marks.as_chunks_mut::<64>().0) {
            for (i, eight) in marks.as_chunks::<8>().0.iter().enumerate() {
                let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                *word |= bits << (8 * i);
            }
            marks.fill(0);
        }
        set
    }
}

/// The heap sum that is left after the amount of a pair.
fn n_of(pairs: &Pairs, n: usize) -> usize {
    n - pairs.amount
}

impl Level {
    fn new(parts: usize) -> Self {
        let certain = (parts > 2).then(|| Certain::new(parts, 0));
        Level { parts, tops: Vec::new(), sets: Vec::new(), looks: Vec::new(), certain }
    }
}

impl Certain {
    fn new(parts: usize, amount: usize) -> Self {
        Certain { parts, amount, next: 1, sets: [Vec::new(), Vec::new()] }
    }
}

#[cfg(test)]
mod tests;
