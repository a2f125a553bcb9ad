//! The lost positions below a board, and so all winning bites of every position.
//!
//! For each tail of the rows below the first at most one length of the first row makes a P-position, for of two of
//! them the longer one could be bitten to the shorter. Call it f(t). A position (a, t) with a >= max(1, t1) is a
//! P-position if no option of t has a for its f, and no bite of the first row leaves one. Bites that leave t whole
//! lead to (c, t) with c < a, so f(t) is the least a that no option of t has. Bites that shorten t leave (c, min(t,
//! c)) with c < t1: if one of them is a P-position, no length makes one of t.
//!
//! The sets of the f of the options come from the same sweep as the values, with one row less; a bit of the first
//! row's sets says that a bite of the first row above wins.
//!
//! In misère play (the poison may not be bitten, and who cannot bite wins) the board of one square is won, which is
//! the only difference.

use grundy_core::theory::Convention;

use crate::budget::{Limit, Meter, StopReason};

use super::{
    shape::{Shape, transposed},
    sweep::{Cell, Rule, Sweep},
};

/// The P-positions below a board.
///
/// # Complexity
/// As [`Values`](super::Values) with one row less: a byte for each tail of the rows below the first.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Length of the first row.
    first: usize,
    /// The rows below it.
    tails: Shape,
    cells: Cells,
    convention: Convention,
}

#[derive(Clone, Debug)]
enum Cells {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

/// The cell of a tail that no first row makes a P-position.
const NONE: (u8, u16) = (u8::MAX, u16::MAX);

impl Outcomes {
    /// The P-positions below the board of `rows`, at least two of them.
    ///
    /// # Complexity
    /// For t tails of n rows below a first row of m squares: time O(t n w) with w = m / 64, about a
    /// nanosecond for each row and tail where w is small; memory as [`Outcomes::bytes_for`] says.
    ///
    /// # Errors
    /// The meter's stop: at once where the positions or the memory do not suffice.
    pub fn new(first: usize, tails: &Shape, convention: Convention, meter: &mut Meter) -> Result<Outcomes, StopReason> {
        let total = tails.all_tails(0);
        if total as u64 > meter.positions_left() {
            return Err(meter.stop(Limit::Positions));
        }
        let mut starts = vec![0];
        for v in 0..=tails.rows()[0] {
            starts.push(starts[v] + tails.tails(1, v));
        }
        let goal = Goal { first, tails, starts: &starts, convention };
        // one bit more, that a bite of the first row wins
        let cells = goal.by_words((first + 2).div_ceil(64), meter)?;
        Ok(Outcomes { first, tails: tails.clone(), cells, convention })
    }

    /// Bytes that [`Outcomes::new`] takes.
    pub fn bytes_for(first: usize, tails: &Shape) -> u64 {
        let words = words((first + 2).div_ceil(64)).unwrap_or(usize::MAX) as u64;
        let cells = tails.all_tails(0) as u64 * if words <= LOOKED_UP as u64 { 1 } else { 2 };
        Sweep::<1>::bytes_for(tails).saturating_mul(words).saturating_add(cells)
    }

    /// Who wins when no move is left.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// The rows below the first row of the board.
    pub fn tails(&self) -> &Shape {
        &self.tails
    }

    /// The P-positions of a box of at least two rows.
    ///
    /// # Errors
    /// As [`Outcomes::new`].
    pub fn of_box(rows: u64, columns: u64, convention: Convention, meter: &mut Meter) -> Result<Outcomes, StopReason> {
        let too_many = || meter.stop(Limit::Memory).reached("the positions of the box are too many for a table");
        let below = rows.saturating_sub(1);
        if below.saturating_mul(columns) > 1 << 28 {
            return Err(too_many());
        }
        let most = meter.positions_left().min(1 << 32);
        let tails = Shape::new(&vec![columns; below as usize], most).ok_or_else(too_many)?;
        Outcomes::new(columns as usize, &tails, convention, meter)
    }

    /// True if `g`, or `g` turned, lies below the board.
    pub fn holds(&self, g: &[u64]) -> bool {
        self.has(g) || transposed(g, self.tails.rows().len() as u64 + 1).is_some_and(|turned| self.has(&turned))
    }

    fn has(&self, g: &[u64]) -> bool {
        g.split_first().is_some_and(|(first, tail)| *first <= self.first as u64 && self.tails.holds(tail))
    }

    /// Every P-position, as its first row and the number of the tail below; by that number.
    pub fn each(&self, mut found: impl FnMut(u64, usize)) {
        for tail in 0..self.tails.all_tails(0) {
            if let Some(first) = self.made_lost(tail) {
                found(first, tail);
            }
        }
    }

    /// True for a P-position, false for any other; None if it is empty or lies below the board neither as it is nor
    /// turned.
    pub fn is_lost(&self, rows: &[u64]) -> Option<bool> {
        if !self.has(rows) {
            let turned = transposed(rows, self.tails.rows().len() as u64 + 1)?;
            return if self.has(&turned) { self.is_lost(&turned) } else { None };
        }
        let (first, tail) = rows.split_first()?;
        Some(self.made_lost(self.tails.rank(0, tail.iter().map(|v| *v as usize))) == Some(*first))
    }

    /// The first row that makes the tail of a number a P-position.
    fn made_lost(&self, tail: usize) -> Option<u64> {
        match &self.cells {
            Cells::Narrow(cells) => cells.get(tail).filter(|f| **f != NONE.0).map(|f| (*f).into()),
            Cells::Wide(cells) => cells.get(tail).filter(|f| **f != NONE.1).map(|f| (*f).into()),
        }
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        match &self.cells {
            Cells::Narrow(cells) => cells.len() as u64,
            Cells::Wide(cells) => 2 * cells.len() as u64,
        }
    }
}

/// Most words of sets that are looked up.
const LOOKED_UP: usize = 4;

/// Words that sets come with, for at least so many.
fn words(least: usize) -> Option<usize> {
    [1, 2, 3, 4, 8, 16, 64, 256, 1024].into_iter().find(|w| *w >= least)
}

struct Goal<'a> {
    first: usize,
    tails: &'a Shape,
    starts: &'a [usize],
    convention: Convention,
}

impl Goal<'_> {
    fn by_words(&self, least: usize, meter: &mut Meter) -> Result<Cells, StopReason> {
        macro_rules! of {
            ($($narrow:literal)+; $($wide:literal)+) => {
                match words(least) {
                    $(Some($narrow) => Ok(Cells::Narrow(self.sweep::<u8, $narrow>(meter)?)),)+
                    $(Some($wide) => Ok(Cells::Wide(self.sweep::<u16, $wide>(meter)?)),)+
                    _ => Err(meter.stop(Limit::Memory).reached("a row has more than 65534 squares")),
                }
            };
        }
        of!(1 2 3 4; 8 16 64 256 1024)
    }

    fn sweep<C: Cell, const W: usize>(&self, meter: &mut Meter) -> Result<Vec<C>, StopReason> {
        let none = if W <= LOOKED_UP { NONE.0.into() } else { NONE.1.into() };
        let rule = LeastFirst::<W>::new(self.first, none);
        let total = self.starts[self.starts.len() - 1];
        meter.bytes((total * core::mem::size_of::<C>()) as u64)?;
        let mut cells = vec![C::default(); total];
        let mut sweep = Sweep::<W>::new(self.tails, meter)?;
        // without any square below, one square is lost in normal play, and two in misère play
        let least = if self.convention == Convention::Normal { 1 } else { 2 };
        cells[0] = C::of(if least <= self.first { least } else { none });
        for v in 1..=self.tails.rows()[0] {
            let start = self.starts[v - 1];
            let (before, slab) = cells[start..self.starts[v + 1]].split_at_mut(self.starts[v] - start);
            sweep.raise_first(v, before, &rule);
            meter.steps(before.len() as u64)?;
            sweep.fill(v, slab, &rule, meter)?;
            meter.count_positions(slab.len() as u64);
        }
        sweep.release(meter);
        Ok(cells)
    }
}

/// Sets of first rows; the last bit says that no first row will do.
struct LeastFirst<const W: usize> {
    sets: Vec<[u64; W]>,
    most: usize,
    none: usize,
}

const BAD: u64 = 1 << 63;

impl<const W: usize> LeastFirst<W> {
    fn new(most: usize, none: usize) -> Self {
        let one = |v: usize| core::array::from_fn(|w| if w == v / 64 && v != none { 1 << (v % 64) } else { 0 });
        LeastFirst { sets: if W <= LOOKED_UP { (0..256).map(one).collect() } else { Vec::new() }, most, none }
    }
}

impl<C: Cell, const W: usize> Rule<C, W> for LeastFirst<W> {
    #[inline(always)]
    fn add(&self, set: &mut [u64; W], mark: C) {
        if W <= LOOKED_UP {
            for (set, one) in set.iter_mut().zip(&self.sets[mark.mark()]) {
                *set |= one;
            }
        } else if let Some(word) = set.get_mut(mark.mark() / 64).filter(|_| mark.mark() != self.none) {
            *word |= 1 << (mark.mark() % 64);
        }
    }

    #[inline(always)]
    fn add_first(&self, set: &mut [u64; W], mark: C, left: usize) {
        self.add(set, mark);
        if mark.mark() == left && left > 0 {
            set[W - 1] |= BAD;
        }
    }

    #[inline(always)]
    fn mark(&self, set: &[u64; W], first: usize) -> usize {
        if set[W - 1] & BAD != 0 {
            return self.none;
        }
        let mut below = (1 << (first % 64)) - 1;
        for (w, word) in set.iter().enumerate().skip(first / 64) {
            let taken = *word | below;
            if taken != u64::MAX {
                let least = 64 * w + taken.trailing_ones() as usize;
                return if least <= self.most { least } else { self.none };
            }
            below = 0;
        }
        self.none
    }
}
