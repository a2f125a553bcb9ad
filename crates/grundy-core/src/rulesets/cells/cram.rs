//! Cram: dominoes on free cells of a board, in either direction.

use core::{fmt::Write, ops::ControlFlow};

use super::set;
use crate::{
    ruleset::{ByTheorem, OptionSink, Playable, Ruleset},
    theory::{Convention, Outcome},
};

/// Free cells of a rectangle: plain numbers, which are rows, columns, and one bit a cell, row after row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid(Vec<u64>);

/// Most cells of a board.
pub const MOST_CELLS: usize = 1 << 20;

/// Why a text is no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBoard {
    /// More than [`MOST_CELLS`].
    Large,
    /// A letter that is neither `.` nor `#`, and its place in the text.
    Letter(char, usize),
    /// A row of another length than the first: its number from 0, and both lengths.
    Row(usize, usize, usize),
}

impl core::fmt::Display for NoBoard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            NoBoard::Large => write!(f, "a board has at most {MOST_CELLS} cells"),
            NoBoard::Letter(c, _) => write!(f, "a cell is . (free) or # (blocked), not {c:?}"),
            NoBoard::Row(row, len, first) => write!(f, "row {row} has {len} cells, row 0 has {first}"),
        }
    }
}

impl Grid {
    /// The rectangle with all cells free.
    ///
    /// # Errors
    /// [`NoBoard::Large`].
    pub fn full(rows: usize, columns: usize) -> Result<Grid, NoBoard> {
        let cells = rows.checked_mul(columns).filter(|n| *n <= MOST_CELLS).ok_or(NoBoard::Large)?;
        let [rows, columns] = if cells == 0 { [0, 0] } else { [rows, columns] };
        Ok(Grid([vec![rows as u64, columns as u64], set::full(cells)].concat()))
    }

    /// The board of a text: `.` is a free cell, `#` a blocked one, `/` ends a row.
    ///
    /// # Errors
    /// What is wrong, and where.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::rulesets::cells::Grid;
    /// let grid = Grid::read("..#/...").unwrap();
    /// assert_eq!((grid.rows(), grid.columns(), grid.free(0, 2), grid.free(1, 2)), (2, 3, false, true));
    /// ```
    pub fn read(text: &str) -> Result<Grid, NoBoard> {
        let columns = text.split('/').next().map_or(0, |row| row.chars().count());
        let rows = if text.is_empty() { 0 } else { text.split('/').count() };
        let mut grid = Grid::full(rows, columns)?;
        let mut at = 0;
        for (r, row) in text.split('/').enumerate() {
            for (c, letter) in row.chars().enumerate() {
                match letter {
                    '.' => {}
                    '#' if c < columns => set::remove(grid.cells_mut(), r * columns + c),
                    '#' => {}
                    other => return Err(NoBoard::Letter(other, at)),
                }
                at += letter.len_utf8();
            }
            at += 1;
            if rows > 0 && row.chars().count() != columns {
                return Err(NoBoard::Row(r, row.chars().count(), columns));
            }
        }
        Ok(grid)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0[0] as usize
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.0[1] as usize
    }

    /// The free cells; row r, column c is cell `r * columns + c`.
    pub fn cells(&self) -> &[u64] {
        &self.0[2..]
    }

    fn cells_mut(&mut self) -> &mut [u64] {
        &mut self.0[2..]
    }

    /// Whether a cell is free.
    pub fn free(&self, row: usize, column: usize) -> bool {
        row < self.rows() && column < self.columns() && set::contains(self.cells(), row * self.columns() + column)
    }

    /// Whether no cell is blocked.
    pub fn is_full(&self) -> bool {
        set::count(self.cells()) == self.rows() * self.columns()
    }

    /// The board as numbers: rows, columns, words of free cells.
    pub fn numbers(&self) -> &[u64] {
        &self.0
    }

    /// The same rectangle with these free cells.
    fn with(&self, cells: &[u64]) -> Grid {
        Grid([&self.0[..2], cells].concat())
    }

    /// The smallest rectangle around the free cells, with them.
    fn trimmed(&self) -> Grid {
        let (mut top, mut bottom, mut left, mut right) = (usize::MAX, 0, usize::MAX, 0);
        let columns = self.columns();
        for cell in set::iter(self.cells()) {
            let (r, c) = (cell / columns, cell % columns);
            (top, bottom, left, right) = (top.min(r), bottom.max(r + 1), left.min(c), right.max(c + 1));
        }
        if top == usize::MAX {
            return Grid(vec![0, 0]);
        }
        self.mapped(bottom - top, right - left, |r, c| (r - top, c - left))
    }

    /// The free cells in other places of a board of so many rows and columns.
    fn mapped(&self, rows: usize, columns: usize, to: impl Fn(usize, usize) -> (usize, usize)) -> Grid {
        let mut grid = Grid([vec![rows as u64, columns as u64], vec![0; set::words(rows * columns)]].concat());
        for cell in set::iter(self.cells()) {
            let (r, c) = to(cell / self.columns(), cell % self.columns());
            set::insert(grid.cells_mut(), r * columns + c);
        }
        grid
    }

    /// The parts that hang together by sides and have at least two cells, each in the same rectangle.
    pub fn parts(&self) -> Vec<Grid> {
        let (rows, columns) = (self.rows(), self.columns());
        let beside = |cell: usize, each: &mut dyn FnMut(usize)| {
            let (r, c) = (cell / columns, cell % columns);
            let by = [(r > 0, 1, columns), (c > 0, 1, 1)];
            by.iter().filter(|(inside, ..)| *inside).for_each(|(_, _, step)| each(cell - step));
            if c + 1 < columns {
                each(cell + 1);
            }
            if r + 1 < rows {
                each(cell + columns);
            }
        };
        let parts = set::parts(self.cells(), beside);
        parts.iter().filter(|p| set::count(p) > 1).map(|p| self.with(p)).collect()
    }

    /// The least of the eight images of the smallest rectangle.
    fn least_image(&self) -> Grid {
        let grid = self.trimmed();
        let (rows, columns) = (grid.rows(), grid.columns());
        let mut least = grid.clone();
        for image in 1..8 {
            let turned = image & 4 != 0;
            let to = |r: usize, c: usize| {
                let r = if image & 1 != 0 { rows - 1 - r } else { r };
                let c = if image & 2 != 0 { columns - 1 - c } else { c };
                if turned { (c, r) } else { (r, c) }
            };
            let other = if turned { grid.mapped(columns, rows, to) } else { grid.mapped(rows, columns, to) };
            least = least.min(other);
        }
        least
    }

    /// True if half a turn of the board maps the free cells to themselves and no two neighbouring ones to each other.
    fn is_symmetric(&self) -> bool {
        let (rows, columns) = (self.rows(), self.columns());
        let turned = |cell: usize| rows * columns - 1 - cell;
        if !set::iter(self.cells()).all(|cell| set::contains(self.cells(), turned(cell))) {
            return false;
        }
        // a domino meets its image only across the middle, or if it covers a middle cell
        let (r, c) = ((rows - 1) / 2, (columns - 1) / 2);
        match (rows % 2, columns % 2) {
            (0, 0) => true,
            (1, 1) => !self.free(r, c),
            (0, _) => !(self.free(r, c) && self.free(r + 1, c)),
            _ => !(self.free(r, c) && self.free(r, c + 1)),
        }
    }
}

/// The ruleset; a position is the free cells of a rectangle.
///
/// A board that half a turn maps to itself, but no domino to one that meets it, has value 0: the second player answers by the
/// turned domino. So boxes of two even sides are lost, and those of one even side are won by the domino in the middle.
///
/// # Sources
/// `[WW]`
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::ruleset::definition::GrundyByDefinition;
/// use grundy_core::rulesets::cells::{Cram, Grid};
/// let board = Grid::read("..#/...").unwrap();
/// assert_eq!(GrundyByDefinition::new(&Cram).value(&board), 0);
/// assert_eq!(Cram.value_hint(&Grid::full(4, 6).unwrap()).unwrap().answer, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cram;

const HALF_TURN: &str = "half a turn of the board keeps it, and no domino meets its image: the second player answers by the turned \
                         domino";

impl Cram {
    /// The domino that was placed, as its two cells; no board is left after the last one.
    fn domino(g: &Grid, to: Option<&Grid>) -> Option<[usize; 2]> {
        let left = |i: usize| to.and_then(|to| to.cells().get(i)).copied().unwrap_or(0);
        let placed: Vec<u64> = g.cells().iter().enumerate().map(|(i, word)| word & !left(i)).collect();
        let mut cells = set::iter(&placed);
        Some([cells.next()?, cells.next()?])
    }
}

impl Ruleset for Cram {
    type Position = Grid;

    /// The options by the upper left cell of the domino, row after row, the domino along the row before the one along the column.
    ///
    /// # Complexity
    /// O(words) for each option.
    fn options(&self, g: &Grid, sink: &mut impl OptionSink<Grid>) -> ControlFlow<()> {
        let columns = g.columns();
        for cell in set::iter(g.cells()) {
            let beside = (!(cell + 1).is_multiple_of(columns)).then_some(cell + 1);
            let below = Some(cell + columns);
            for other in [beside, below].into_iter().flatten().filter(|c| set::contains(g.cells(), *c)) {
                let mut to = g.clone();
                set::remove(to.cells_mut(), cell);
                set::remove(to.cells_mut(), other);
                if set::is_empty(to.cells()) {
                    sink.push_sum(&[])?
                } else {
                    sink.push(to)?
                };
            }
            sink.tick()?;
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Grid, parts: &[Grid]) -> bool {
        let to = match parts {
            [] => None,
            [to] if !set::is_empty(to.cells()) && g.numbers()[..2] == to.numbers()[..2] => Some(to),
            _ => return false,
        };
        if to.is_some_and(|to| g.cells().iter().zip(to.cells()).any(|(a, b)| b & !a != 0)) {
            return false;
        }
        let beside = |[a, b]: [usize; 2]| b == a + g.columns() || (b == a + 1 && !b.is_multiple_of(g.columns()));
        set::count(g.cells()) == to.map_or(0, |to| set::count(to.cells())) + 2
            && Cram::domino(g, to).is_some_and(beside)
    }

    fn canonical(&self, g: &Grid) -> Grid {
        g.least_image()
    }

    fn split(&self, g: &Grid) -> Option<Vec<Grid>> {
        let parts = g.parts();
        (parts.len() != 1).then_some(parts)
    }

    fn value_hint(&self, g: &Grid) -> Option<ByTheorem<u64>> {
        let zero = |theorem| Some(ByTheorem { answer: 0, theorem, source: "WW" });
        let board = g.trimmed();
        if set::is_empty(board.cells()) {
            return zero("no cell is free");
        }
        board.is_symmetric().then_some(()).and_then(|()| zero(HALF_TURN))
    }

    fn outcome_hint(&self, g: &Grid, convention: Convention) -> Option<ByTheorem<Outcome>> {
        let board = g.trimmed();
        if convention == Convention::Misere {
            let is_empty = set::is_empty(board.cells());
            return is_empty.then_some(ByTheorem { answer: Outcome::N, theorem: "no cell is free", source: "WW" });
        }
        if let Some(hint) = self.value_hint(g) {
            return Some(hint.map(|_| Outcome::P));
        }
        let one_is_even = (board.rows() + board.columns()) % 2 == 1;
        (one_is_even && board.is_full()).then_some(ByTheorem {
            answer: Outcome::N,
            theorem: "the domino in the middle of a box of one even side leaves a board that half a turn keeps, and no domino \
                      meets its image there",
            source: "WW",
        })
    }
}

impl Playable for Cram {
    /// `(0,1)-(0,2)`, rows and columns from 0, the upper left one first.
    fn move_name(&self, g: &Grid, to: &[Grid]) -> String {
        let place = |cell: usize| format!("({},{})", cell / g.columns(), cell % g.columns());
        Cram::domino(g, to.first()).map_or_else(String::new, |[a, b]| format!("{}-{}", place(a), place(b)))
    }

    fn print_position(&self, g: &Grid) -> String {
        if g.is_full() && g.rows() > 0 && g.columns() > 0 {
            return format!("{}x{}", g.rows(), g.columns());
        }
        let mut text = String::from("\"");
        for r in 0..g.rows() {
            if r > 0 {
                text.push('/');
            }
            let _ = (0..g.columns()).try_for_each(|c| text.write_char(if g.free(r, c) { '.' } else { '#' }));
        }
        text.push('"');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::{definition::GrundyByDefinition, laws::laws};

    /// Boards of every shape up to 3x3 and some larger ones.
    fn boards() -> Vec<Grid> {
        let mut boards = vec![Grid::full(0, 0).unwrap(), Grid::full(2, 5).unwrap(), Grid::full(3, 4).unwrap()];
        for (rows, columns) in [(1, 4), (2, 2), (2, 3), (3, 3)] {
            let step = if rows * columns == 9 { 7 } else { 1 };
            for free in (0u64..1 << (rows * columns)).step_by(step) {
                boards.push(Grid::full(rows, columns).unwrap().with(&[free]));
            }
        }
        boards
    }

    fn amount(g: &Grid, to: &[Grid]) -> u128 {
        let [a, b] = Cram::domino(g, to.first()).unwrap();
        (a * g.rows() * g.columns() + b) as u128
    }

    laws! {
        cram: Cram, boards(), amount;
    }

    #[test]
    fn parts_have_the_value_of_the_whole() {
        let mut twin = GrundyByDefinition::new(&Cram);
        for board in boards() {
            let Some(parts) = Cram.split(&board) else { continue };
            let value = parts.iter().fold(0, |x, p| x ^ twin.value(p));
            assert_eq!(value, twin.value(&board), "{board:?}");
        }
    }

    #[test]
    fn boards_are_read_as_they_are_printed() {
        for board in boards() {
            let text = Cram.print_position(&board);
            let again = match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
                Some(drawn) => Grid::read(drawn),
                None => Grid::full(board.rows(), board.columns()),
            };
            assert_eq!(again, Ok(board));
        }
        assert_eq!(Grid::read("../.x"), Err(NoBoard::Letter('x', 4)));
        assert_eq!(Grid::read("../.../"), Err(NoBoard::Row(1, 3, 2)));
        assert_eq!(Grid::full(1 << 11, 1 << 10), Err(NoBoard::Large));
    }
}
