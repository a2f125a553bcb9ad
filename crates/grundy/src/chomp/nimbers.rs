//! Grundy values of all positions below a board.

use crate::budget::{Limit, Meter, StopReason};

use super::{
    shape::{Shape, transposed},
    sweep::{Cell, Rule, Sweep},
};

/// The Grundy values of every position below a board, the board included.
///
/// # Complexity
/// See [`Values::new`]; a byte a position where no value exceeds 255, else two.
#[derive(Clone, Debug)]
pub struct Values {
    shape: Shape,
    /// Where the positions with each length of the first row begin.
    starts: Vec<usize>,
    cells: Cells,
}

#[derive(Clone, Debug)]
enum Cells {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

/// Most values that a sweep tells apart.
const MOST_VALUES: usize = 1 << 16;

impl Values {
    /// The values of `shape`, by sweeps of one length of the first row after another; the sets grow when a value does
    /// not fit.
    ///
    /// # Complexity
    /// For p positions of n rows with values below 64 w: time O(p n w), about a nanosecond for each row
    /// and position where w is small; memory as [`Values::bytes_for`] says.
    ///
    /// # Errors
    /// The meter's stop: at once where the positions or the memory do not suffice.
    pub fn new(shape: &Shape, meter: &mut Meter) -> Result<Values, StopReason> {
        let positions = positions(shape);
        if positions > meter.positions_left() {
            return Err(meter.stop(Limit::Positions));
        }
        let first = shape.rows()[0];
        let mut starts = vec![0, 0];
        for v in 1..=first {
            starts.push(starts[v] + shape.tails(1, v));
        }
        let cells = fill(shape, &starts, meter)?;
        Ok(Values { shape: shape.clone(), starts, cells })
    }

    /// Bytes that [`Values::new`] takes at most for a shape with values below 64 `words`.
    pub fn bytes_for(shape: &Shape, words: u64) -> u64 {
        let cell = if words <= 4 { 1 } else { 2 };
        Sweep::<1>::bytes_for(shape).saturating_mul(words).saturating_add(positions(shape).saturating_mul(cell))
    }

    /// The board whose positions these are.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The value of a position, unless it is empty or lies below the board neither as it is nor turned.
    pub fn value(&self, rows: &[u64]) -> Option<u64> {
        if !self.shape.holds(rows) {
            let turned = transposed(rows, self.shape.rows().len() as u64)?;
            return if self.shape.holds(&turned) { self.at(&turned) } else { None };
        }
        self.at(rows)
    }

    fn at(&self, rows: &[u64]) -> Option<u64> {
        if rows.is_empty() {
            return None;
        }
        let tail = self.shape.rank(1, rows[1..].iter().map(|v| *v as usize));
        let at = self.starts[rows[0] as usize] + tail;
        match &self.cells {
            Cells::Narrow(cells) => cells.get(at).map(|v| (*v).into()),
            Cells::Wide(cells) => cells.get(at).map(|v| (*v).into()),
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

/// Number of positions below a shape, itself included; the poison is left in all of them.
pub fn positions(shape: &Shape) -> u64 {
    // only the board without squares has no poison
    shape.all_tails(0) as u64 - 1
}

/// About how many words the sets of values take: values are hardly ever above half the number of squares.
pub(super) fn words(shape: &Shape) -> u64 {
    shape.rows().iter().map(|row| *row as u64).sum::<u64>() / 128 + 1
}

/// Sets of values: the mark of a position is the least value that no option has.
struct Mex<const W: usize> {
    /// The set of each value alone, where they are few.
    sets: Vec<[u64; W]>,
}

/// Most words of sets that are looked up.
const LOOKED_UP: usize = 4;

impl<const W: usize> Mex<W> {
    fn new() -> Self {
        let one = |v: usize| core::array::from_fn(|w| if w == v / 64 { 1 << (v % 64) } else { 0 });
        Mex { sets: if W <= LOOKED_UP { (0..256).map(one).collect() } else { Vec::new() } }
    }
}

impl<C: Cell, const W: usize> Rule<C, W> for Mex<W> {
    #[inline(always)]
    fn add(&self, set: &mut [u64; W], mark: C) {
        if W <= LOOKED_UP {
            for (set, one) in set.iter_mut().zip(&self.sets[mark.mark()]) {
                *set |= one;
            }
        } else if let Some(word) = set.get_mut(mark.mark() / 64) {
            *word |= 1 << (mark.mark() % 64);
        }
    }

    #[inline(always)]
    fn mark(&self, set: &[u64; W], _first: usize) -> usize {
        for (w, word) in set.iter().enumerate() {
            if *word != u64::MAX {
                return 64 * w + word.trailing_ones() as usize;
            }
        }
        64 * W
    }
}

/// A sweep that met a value beyond its sets, when the first row had this length.
struct TooNarrow<'a, const W: usize> {
    sweep: Sweep<'a, W>,
    first: usize,
}

/// Goes on from `resume` until the end, or until a value does not fit.
fn stage<'a, C: Cell, const V: usize, const W: usize>(
    shape: &'a Shape,
    starts: &[usize],
    cells: &mut [C],
    resume: Option<TooNarrow<'a, V>>,
    meter: &mut Meter,
) -> Result<Option<TooNarrow<'a, W>>, StopReason> {
    let rule = Mex::<W>::new();
    let mut sweep = Sweep::<W>::new(shape, meter)?;
    let mut first = 1;
    let mut is_raised = false;
    if let Some(narrow) = resume {
        sweep.widen(&narrow.sweep);
        narrow.sweep.release(meter);
        first = narrow.first;
        is_raised = true;
    }
    for v in first..=shape.rows()[0] {
        let (before, slab) = cells[starts[v - 1]..starts[v + 1]].split_at_mut(starts[v] - starts[v - 1]);
        if !is_raised {
            sweep.raise_first(v, before, &rule);
            meter.steps(before.len() as u64)?;
        }
        is_raised = false;
        let most = sweep.fill(v, slab, &rule, meter)?;
        if most >= (64 * W).min(MOST_VALUES - 1) {
            return Ok(Some(TooNarrow { sweep, first: v }));
        }
        meter.count_positions(slab.len() as u64);
    }
    sweep.release(meter);
    Ok(None)
}

/// The values by sets as wide as they must be.
fn fill(shape: &Shape, starts: &[usize], meter: &mut Meter) -> Result<Cells, StopReason> {
    let total = starts[starts.len() - 1];
    meter.bytes(total as u64)?;
    let mut cells = vec![0u8; total];
    // narrower sets would hardly do
    let least = words(shape).min(4);
    macro_rules! narrow {
        ($from:expr, $($wide:literal)+) => {{
            let narrow = $from;
            $(let narrow = if $wide < least {
                None::<TooNarrow<'_, $wide>>
            } else {
                let Some(narrow) = stage::<u8, _, $wide>(shape, starts, &mut cells, narrow, meter)? else {
                    return Ok(Cells::Narrow(cells));
                };
                Some(narrow)
            };)+
            narrow
        }};
    }
    let narrow = narrow!(None::<TooNarrow<'_, 1>>, 1 2 3 4);
    meter.bytes(2 * total as u64)?;
    let mut wide: Vec<u16> = cells.iter().map(|v| (*v).into()).collect();
    drop(cells);
    meter.release(total as u64);
    macro_rules! wide {
        ($from:expr, $($wide:literal)+) => {{
            let narrow = $from;
            $(let Some(narrow) = stage::<u16, _, $wide>(shape, starts, &mut wide, narrow, meter)? else {
                return Ok(Cells::Wide(wide));
            };
            let narrow = Some(narrow);)+
            let _ = narrow;
        }};
    }
    wide!(narrow, 6 8 16 64 256 1024);
    Err(meter.stop(Limit::Memory).reached("a value has more than 16 bits, which no sweep keeps"))
}
