//! The sweep over all tails of a board, in order, that both engines of Chomp run.
//!
//! Let D_k(p) be the set of marks of what the bites in row k of p lead to. The bite of one square from the end of row k
//! leads to q, and every other bite in row k of p leads where the same bite of q does, so
//!
//! ```text
//! D_k(p) = D_k(q) ∪ {mark of q}.
//! ```
//!
//! Rows are raised from 0 as the wheels of a counter are, the last one fastest. The *level* of row k keeps D_k, for
//! the current lengths of rows 0 to k, for every tail below row k. When row k is raised from v - 1 to v, the sets of
//! tails that begin with less than v get the marks of the block of v - 1, which stands in one piece in the slab; the
//! sets of tails that begin with v are those of the tails with v - 1 in place of v, which stand in one piece too. So
//! all work is in loops over neighbours.
//!
//! Beside D_k every other level keeps the union of the sets of all rows to k, so that the mark of a position is found
//! from two sets and what the last two rows add.
//!
//! # Complexity
//! A pass over some sets for each position and row; memory of a set for each tail from row 1, and of one or two for
//! each tail from every later row.

use crate::budget::{Meter, StopReason};

use super::shape::Shape;

/// What a position is marked by, stored.
pub(super) trait Cell: Copy + Default {
    /// The mark as a cell.
    fn of(mark: usize) -> Self;
    /// The cell as a mark.
    fn mark(self) -> usize;
}

impl Cell for u8 {
    fn of(mark: usize) -> u8 {
        mark as u8
    }

    fn mark(self) -> usize {
        self.into()
    }
}

impl Cell for u16 {
    fn of(mark: usize) -> u16 {
        mark as u16
    }

    fn mark(self) -> usize {
        self.into()
    }
}

/// How positions are marked, with sets of W words.
pub(super) trait Rule<C, const W: usize> {
    /// Adds the mark of an option to a set.
    fn add(&self, set: &mut [u64; W], mark: C);

    /// Adds the mark of an option by a bite in the first row, which leaves `left` squares of it.
    fn add_first(&self, set: &mut [u64; W], mark: C, left: usize) {
        let _ = left;
        self.add(set, mark);
    }

    /// The mark of a position whose options have the marks of `set`, and whose first row has `first` squares.
    fn mark(&self, set: &[u64; W], first: usize) -> usize;
}

/// The sets of one row.
struct Level<const W: usize> {
    /// D of the row.
    own: Vec<[u64; W]>,
    /// The union of those of this row and all above it; kept for every other row, and not for the first, where it is
    /// the same.
    all: Vec<[u64; W]>,
}

impl<const W: usize> Level<W> {
    fn all(&self) -> &[[u64; W]] {
        if self.all.is_empty() { &self.own } else { &self.all }
    }
}

/// The state of a sweep between two lengths of the first row.
pub(super) struct Sweep<'a, const W: usize> {
    shape: &'a Shape,
    levels: Vec<Level<W>>,
    /// The current lengths of the rows.
    at: Vec<usize>,
    /// Where in the slab the block of the current lengths of rows 1 to k begins.
    block: Vec<usize>,
    bytes: u64,
}

impl<'a, const W: usize> Sweep<'a, W> {
    /// Bytes of the sets for a shape.
    pub fn bytes_for(shape: &Shape) -> u64 {
        let n = shape.rows().len();
        let levels = (n - 1).max(1);
        let sets = |k: usize| shape.all_tails(k + 1) as u64 * if has_union(k, n) { 2 } else { 1 };
        (0..levels).map(sets).fold(0u64, u64::saturating_add).saturating_mul(8 * W as u64)
    }

    /// A sweep of `shape` before its first length.
    ///
    /// # Errors
    /// The meter's stop, before anything is allocated.
    pub fn new(shape: &'a Shape, meter: &mut Meter) -> Result<Self, StopReason> {
        let bytes = Self::bytes_for(shape);
        meter.bytes(bytes)?;
        let n = shape.rows().len();
        let mut levels = Vec::with_capacity(n);
        for k in 0..(n - 1).max(1) {
            let sets = shape.all_tails(k + 1);
            let own = vec![[0; W]; sets];
            let is_kept = has_union(k, n);
            levels.push(Level { own, all: if is_kept { vec![[0; W]; sets] } else { Vec::new() } });
        }
        Ok(Sweep { shape, levels, at: vec![0; n], block: vec![0; n], bytes })
    }

    /// Takes over the sets of the first row from a sweep with narrower sets.
    pub fn widen<const V: usize>(&mut self, from: &Sweep<'_, V>) {
        for (to, from) in self.levels[0].own.iter_mut().zip(&from.levels[0].own) {
            to[..V].copy_from_slice(from);
        }
    }

    /// Gives the memory of the sets back to the meter.
    pub fn release(self, meter: &mut Meter) {
        meter.release(self.bytes);
    }

    /// Raises the first row from `v` - 1 to `v`; `before` has the marks of v - 1, none at the first length.
    pub fn raise_first<C: Cell>(&mut self, v: usize, before: &[C], rule: &impl Rule<C, W>) {
        let own = &mut self.levels[0].own;
        for (set, mark) in own.iter_mut().zip(before) {
            rule.add_first(set, *mark, v - 1);
        }
        if !before.is_empty() {
            for (from, to, sets) in copies(self.shape, 0, v) {
                own.copy_within(from..from + sets, to);
            }
        }
    }

    /// Marks all tails from row 1 for the length `v` of the first row; the largest mark.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn fill<C: Cell>(
        &mut self,
        v: usize,
        slab: &mut [C],
        rule: &impl Rule<C, W>,
        meter: &mut Meter,
    ) -> Result<usize, StopReason> {
        let n = self.shape.rows().len();
        if n == 1 {
            let mark = rule.mark(&self.levels[0].own[0], v);
            slab[0] = C::of(mark);
            return Ok(mark);
        }
        self.at[0] = v;
        let (mut most, mut spent) = (0, 0);
        let mut k = 0;
        loop {
            if k == n - 2 {
                let (marked, largest) = self.last_rows(slab, rule);
                spent += marked;
                most = most.max(largest);
                // the next length of the last row that can be raised
                while k > 0 && self.at[k] == self.at[k - 1].min(self.shape.rows()[k]) {
                    k -= 1;
                }
                if k == 0 {
                    meter.steps(spent as u64)?;
                    return Ok(most);
                }
                self.at[k] += 1;
            } else {
                k += 1;
                self.at[k] = 0;
            }
            // the last level is raised as its tails are marked
            if k < n - 2 {
                spent += self.raise(k, slab, rule);
            }
            if spent > 1 << 14 {
                meter.steps(spent as u64)?;
                spent = 0;
            }
        }
    }

    /// Brings the level of the last row but one to its current length and marks the tails of one length after another
    /// of the last row; their number, and the largest mark.
    #[inline]
    fn last_rows<C: Cell>(&mut self, slab: &mut [C], rule: &impl Rule<C, W>) -> (usize, usize) {
        let (shape, first) = (self.shape, self.at[0]);
        let k = shape.rows().len() - 2;
        let v = self.at[k];
        let most = shape.rows()[k + 1];
        let (above, rest) = self.levels.split_at_mut(k);
        let own = &mut rest[0].own;
        let mut last = LastRow { set: [0; W], most: 0 };
        if k == 0 {
            // already raised
            for (set, cell) in own.iter().zip(&mut slab[..=v.min(most)]) {
                last.mark(set, cell, first, rule);
            }
            return (v.min(most) + 1, last.most);
        }
        let start = self.block[k - 1] + shape.before(k, v);
        self.block[k] = start;
        let (above, between) = self::above(shape, above, &self.at[..k], v);
        if v == 0 {
            own[0] = [0; W];
            last.mark(&union(&above[0], &between[0]), &mut slab[start], first, rule);
            return (1, last.most);
        }
        let known = v.min(most + 1);
        let (before, cells) = slab[start - known..].split_at_mut(known);
        let sets = own[..known].iter_mut().zip(&above[..known]).zip(&between[..known]);
        for ((((own, above), between), before), cell) in sets.zip(before).zip(&mut *cells) {
            rule.add(own, *before);
            last.mark(&union(&union(own, above), between), cell, first, rule);
        }
        if v <= most {
            own[v] = own[v - 1];
            last.mark(&union(&union(&own[v], &above[v]), &between[v]), &mut cells[v], first, rule);
        }
        (v.min(most) + 1, last.most)
    }

    /// Brings the level of row `k` to its current length, one more than before or 0; the number of sets.
    #[inline]
    fn raise<C: Cell>(&mut self, k: usize, slab: &[C], rule: &impl Rule<C, W>) -> usize {
        let (shape, v) = (self.shape, self.at[k]);
        let start = self.block[k - 1] + shape.before(k, v);
        self.block[k] = start;
        let (above, rest) = self.levels.split_at_mut(k);
        let Level { own, all } = &mut rest[0];
        if v == 0 {
            own[0] = [0; W];
            if !all.is_empty() {
                let (above, between) = self::above(shape, above, &self.at[..k], 0);
                all[0] = union(&above[0], &between[0]);
            }
            return 1;
        }
        let known = shape.tails(k + 1, v - 1);
        let marks = &slab[start - known..start];
        if all.is_empty() {
            for (own, mark) in own[..known].iter_mut().zip(marks) {
                rule.add(own, *mark);
            }
            for (from, to, sets) in copies(shape, k, v) {
                own.copy_within(from..from + sets, to);
            }
            return known;
        }
        let (above, between) = self::above(shape, above, &self.at[..k], v);
        let rows = own[..known].iter_mut().zip(&mut all[..known]);
        let rows = rows.zip(&above[..known]).zip(&between[..known]).zip(marks);
        for ((((own, all), above), between), mark) in rows {
            rule.add(own, *mark);
            *all = union(&union(own, above), between);
        }
        for (from, to, sets) in copies(shape, k, v) {
            // side by side with the union, since most copies are of a few sets
            let (source, copy) = own.split_at_mut(to);
            let rows = copy[..sets].iter_mut().zip(&mut all[to..to + sets]).zip(&source[from..from + sets]);
            let rows = rows.zip(&above[to..to + sets]).zip(&between[to..to + sets]);
            for ((((own, all), source), above), between) in rows {
                *own = *source;
                *all = union(&union(own, above), between);
            }
        }
        shape.tails(k + 1, v)
    }
}

/// True for the rows, every other one, whose levels keep the union with the rows above; the last level is read as it
/// is raised.
fn has_union(k: usize, rows: usize) -> bool {
    k > 0 && k.is_multiple_of(2) && k + 2 < rows
}

/// Two lists of sets of which the unions, one by one, are those of all rows above the last of `levels` and of that
/// row, for the tails that begin with `v`; `at` has the lengths of the rows.
#[inline]
fn above<'l, const W: usize>(
    shape: &Shape,
    levels: &'l [Level<W>],
    at: &[usize],
    v: usize,
) -> (&'l [[u64; W]], &'l [[u64; W]]) {
    let k = levels.len();
    let start = shape.before(k, v);
    let nearest = &levels[k - 1];
    if k == 1 || !nearest.all.is_empty() {
        let sets = &nearest.all()[start..];
        return (sets, sets);
    }
    let upper = &levels[k - 2];
    (&upper.all()[shape.before(k - 1, at[k - 1]) + start..], &nearest.own[start..])
}

/// The blocks of the tails below row `k` that begin with `v`, each with the block of those that have v - 1 in place
/// of v: where that one begins, where it begins, and how long both are.
#[inline]
fn copies(shape: &Shape, k: usize, v: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let (mut from, mut to) = (0, 0);
    let long = (k + 1..shape.rows().len()).take_while(move |j| shape.rows()[*j] >= v);
    long.map(move |j| {
        // rows k + 1 to j have v, the rows after j less
        from += shape.before(j, v - 1);
        to += shape.before(j, v);
        (from, to, shape.tails(j + 1, v - 1))
    })
}

#[inline(always)]
fn union<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    core::array::from_fn(|w| a[w] | b[w])
}

/// The wheel that turns fastest.
struct LastRow<const W: usize> {
    /// D of the last row.
    set: [u64; W],
    /// The largest mark.
    most: usize,
}

impl<const W: usize> LastRow<W> {
    #[inline(always)]
    fn mark<C: Cell>(&mut self, others: &[u64; W], cell: &mut C, first: usize, rule: &impl Rule<C, W>) {
        let mark = rule.mark(&union(&self.set, others), first);
        self.most = self.most.max(mark);
        *cell = C::of(mark);
        rule.add(&mut self.set, *cell);
    }
}
