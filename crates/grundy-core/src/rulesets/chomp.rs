//! Chomp: bites from the lower right of a bar of chocolate whose upper left square is poison.

use core::ops::ControlFlow;

use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{
        Convention, Outcome,
        nim::{NimClass, winning_size},
    },
};

/// The ruleset; a position has the lengths of the rows from the top, which do not grow, without empty rows.
///
/// Squares are (row, column), both counted from 0; (0, 0) is the poison. The bite (r, c) of a square of the board
/// takes every square in a row >= r and a column >= c. The poison may not be bitten: in normal play who cannot bite
/// loses, which is the usual Chomp, where the eater of the poison loses. In misère play who cannot bite wins, and
/// that is another game.
///
/// What is proved without looking at other positions:
///
/// * The rows below the first and the columns beside the first of an L (one row and one column) are two heaps of Nim.
/// * Two rows a >= b are a P-position if b = a - 1, for the first row, the second row, or both are bitten away from
///   that, and can be bitten back; so are two columns.
/// * A board that one bite turns into one of these is an N-position. If a board with a square (1, 1) has as many rows
///   as columns, (1, 1) wins, for it leaves an L with equal arms, and no other bite (r, c) with r, c >= 1 does, for
///   (1, 1) answers it.
/// * Strategy stealing: a rectangle is an N-position. If the bite of its last square does not win, some bite answers
///   it, and that bite could have been made at once, for it takes the last square too. This names no bite. In a
///   square board (1, 1) is the only one that wins, since bites in row or column 0 leave rectangles.
///
/// # Sources
/// `[Gal74]`
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::Chomp;
/// use grundy_core::theory::Convention;
/// let wins = Chomp.winning_options(&vec![4; 4], Convention::Normal).unwrap();
/// assert_eq!(wins.options.collect::<Vec<_>>(), [[vec![4, 1, 1, 1]]]);
/// // (1, 2) turns 3 rows of 4 into a P-position, but no theorem says so
/// assert_eq!(Chomp.bite(&[4, 4, 4], 1, 2), Some(vec![4, 2, 2]));
/// assert!(Chomp.winning_options(&vec![4; 3], Convention::Normal).is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chomp;

/// Most rows of a board: they are written down one by one. Columns are not.
pub const MOST_ROWS: u64 = 1 << 20;

/// Why a list of rows is no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBoard {
    /// There is no square, so no poison.
    Empty,
    /// A row, counted from 0, is longer than the one above it.
    Grows(usize),
    /// There are more than [`MOST_ROWS`] rows.
    TooManyRows(u64),
}

impl core::fmt::Display for NoBoard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            NoBoard::Empty => f.write_str("a board of chomp has at least the poisoned square"),
            NoBoard::Grows(r) => write!(f, "row {r} of the board, counted from 0, is longer than the row above it"),
            NoBoard::TooManyRows(rows) => write!(f, "a board has at most {MOST_ROWS} rows, not {rows}"),
        }
    }
}

impl Chomp {
    /// The board with these rows, without the empty ones.
    ///
    /// # Errors
    /// [`NoBoard`].
    pub fn board(&self, rows: &[u64]) -> Result<Vec<u64>, NoBoard> {
        if let Some(r) = (1..rows.len()).find(|r| rows[*r] > rows[r - 1]) {
            return Err(NoBoard::Grows(r));
        }
        let full = rows.iter().take_while(|row| **row > 0).count();
        match full as u64 {
            0 => Err(NoBoard::Empty),
            n if n > MOST_ROWS => Err(NoBoard::TooManyRows(n)),
            _ => Ok(rows[..full].to_vec()),
        }
    }

    /// The board with so many rows of so many squares each.
    ///
    /// # Errors
    /// [`NoBoard`].
    pub fn rectangle(&self, rows: u64, columns: u64) -> Result<Vec<u64>, NoBoard> {
        match (rows, columns) {
            (0, _) | (_, 0) => Err(NoBoard::Empty),
            (rows, _) if rows > MOST_ROWS => Err(NoBoard::TooManyRows(rows)),
            _ => Ok(vec![columns; rows as usize]),
        }
    }

    /// The position after the bite (r, c); None if the square is poison or not on the board.
    pub fn bite(&self, g: &[u64], r: usize, c: u64) -> Option<Vec<u64>> {
        if (r, c) == (0, 0) || g.get(r).is_none_or(|row| c >= *row) {
            return None;
        }
        if c == 0 {
            return Some(g[..r].to_vec());
        }
        Some(g.iter().enumerate().map(|(i, row)| if i < r { *row } else { c.min(*row) }).collect())
    }

    /// The bite that leads from `g` to `to`, if there is one.
    pub fn bite_to(&self, g: &[u64], to: &[u64]) -> Option<(usize, u64)> {
        let r = (0..g.len()).find(|r| to.get(*r) != Some(&g[*r]))?;
        let c = to.get(r).copied().unwrap_or(0);
        (self.bite(g, r, c).as_deref() == Some(to)).then_some((r, c))
    }

    /// All bites by row, then by column.
    pub fn bites<'a>(&self, g: &'a [u64]) -> impl Iterator<Item = (usize, u64)> + 'a {
        g.iter().enumerate().flat_map(|(r, row)| (u64::from(r == 0)..*row).map(move |c| (r, c)))
    }

    /// A bite that wins in normal play by a theorem, with the theorem; the first one by row and column that is known.
    pub fn proved_bite(&self, g: &[u64]) -> Option<((usize, u64), &'static str)> {
        let [a, b] = arms(g);
        match *g {
            // one bite leaves one or two rows
            [m] if m > 1 => return Some(((0, 1), ARMS)),
            [m, n] if m.saturating_sub(n) > 1 => return Some(((0, n + 1), TWO_ROWS)),
            [m, n] if n == m && m > 1 => return Some(((1, m - 1), TWO_ROWS)),
            _ => {}
        }
        if is_l(g) {
            return match (a, b) {
                _ if a > b => Some(((0, b + 1), ARMS)),
                _ if a < b => Some(((a as usize + 1, 0), ARMS)),
                _ => None,
            };
        }
        // rows that reach to the second column: rows but those of one square
        let two = g.partition_point(|row| *row > 1);
        if two + 1 == g.len() && g[0] > 2 {
            return Some(((0, 2), TWO_COLUMNS));
        }
        if g[0] == 2 && two == g.len() && two > 1 {
            return Some(((two - 1, 1), TWO_COLUMNS));
        }
        if g[0] == 2 && two + 1 < g.len() {
            return Some(((two + 1, 0), TWO_COLUMNS));
        }
        if a == b {
            return Some(((1, 1), EQUAL_ARMS));
        }
        (g.len() > 2 && g[0].checked_sub(g[1]) == Some(1)).then_some(((2, 0), TWO_ROWS))
    }
}

const ARMS: &str = "the two arms of an L are heaps of Nim without the poison";
const EQUAL_ARMS: &str = "with as many rows as columns the bite (1,1) leaves an L with equal arms, which is lost";
const TWO_ROWS: &str = "two rows are lost if the second is one square shorter than the first, and only then";
const TWO_COLUMNS: &str = "two columns are lost if the second is one square shorter than the first, and only then";
const STEALING: &str = "strategy stealing: a bite that answers the bite of the last square of a rectangle could have \
                        been made at once, so some bite wins, though the argument does not say which";

/// Squares of the first row and of the first column without the poison.
fn arms(g: &[u64]) -> [u64; 2] {
    [g.first().map_or(0, |row| row.saturating_sub(1)), (g.len() as u64).saturating_sub(1)]
}

/// True for one row and one column, or less.
fn is_l(g: &[u64]) -> bool {
    g.get(1).is_none_or(|row| *row == 1)
}

fn is_rectangle(g: &[u64]) -> bool {
    g.first() == g.last()
}

impl Ruleset for Chomp {
    type Position = Vec<u64>;

    /// The options by the row, then the column of the bite.
    ///
    /// # Complexity
    /// O(rows) for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        self.bites(g).filter_map(|(r, c)| self.bite(g, r, c)).try_for_each(|to| sink.push(to))
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        matches!(parts, [to] if self.bite_to(g, to).is_some())
    }

    /// The board and its transpose are the same; the one with fewer rows stands for both, of two with as many the
    /// later one.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let columns = g.first().copied().unwrap_or(0);
        if columns > g.len() as u64 {
            return g.clone();
        }
        let turned: Vec<u64> = (0..columns).map(|c| g.partition_point(|row| *row > c) as u64).collect();
        if columns < g.len() as u64 { turned } else { turned.max(g.clone()) }
    }

    /// Of an L, and of lost boards of two rows or columns.
    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        if is_l(g) {
            let [a, b] = arms(g);
            return Some(ByTheorem { answer: a ^ b, theorem: ARMS, source: "Bou02" });
        }
        let two_columns = g[0] == 2 && g.partition_point(|row| *row > 1) + 1 == g.len();
        match g[..] {
            [a, b] if a.checked_sub(b) == Some(1) => Some(ByTheorem { answer: 0, theorem: TWO_ROWS, source: "Gal74" }),
            _ if two_columns => Some(ByTheorem { answer: 0, theorem: TWO_COLUMNS, source: "Gal74" }),
            _ => None,
        }
    }

    fn outcome_hint(&self, g: &Vec<u64>, convention: Convention) -> Option<ByTheorem<Outcome>> {
        let won = |theorem| Some(ByTheorem { answer: Outcome::N, theorem, source: "Gal74" });
        match convention {
            Convention::Misere if is_l(g) => {
                let answer = NimClass::of(&arms(g)).outcome(convention);
                Some(ByTheorem { answer, theorem: ARMS, source: "Bou02" })
            }
            // the bite of the last square leaves more than the poison, so the argument is the same
            Convention::Misere => is_rectangle(g).then(|| won(STEALING)).flatten(),
            Convention::Normal => {
                if let Some(value) = self.value_hint(g) {
                    return Some(value.map(|v| if v == 0 { Outcome::P } else { Outcome::N }));
                }
                match self.proved_bite(g) {
                    Some((_, theorem)) => won(theorem),
                    None => is_rectangle(g).then(|| won(STEALING)).flatten(),
                }
            }
        }
    }

    /// Of an L.
    fn options_of_value(&self, g: &Vec<u64>, target: u64) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        if !is_l(g) {
            return None;
        }
        let [a, b] = arms(g);
        let shorter = (target ^ b < a).then(|| (0, (target ^ b) + 1));
        let lower = (target ^ a < b).then(|| ((target ^ a) as usize + 1, 0));
        Some(self.by_bites(g, shorter.into_iter().chain(lower)))
    }

    /// Of an L, two rows or columns, and a square board.
    fn winning_options(&self, g: &Vec<u64>, convention: Convention) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        if is_l(g) {
            let arms = arms(g);
            let shorter = winning_size(&arms, 0, convention).map(|left| (0, left + 1));
            let lower = winning_size(&arms, 1, convention).map(|left| (left as usize + 1, 0));
            return Some(self.by_bites(g, shorter.into_iter().chain(lower)));
        }
        if convention == Convention::Misere {
            return None;
        }
        let is_square = is_rectangle(g) && g[0] == g.len() as u64;
        (g.len() == 2 || g[0] == 2 || is_square).then(|| self.by_bites(g, self.proved_bite(g).map(|(bite, _)| bite)))
    }
}

impl Chomp {
    fn by_bites<'a>(&self, g: &[u64], bites: impl IntoIterator<Item = (usize, u64)>) -> OptionsOfValue<'a, Vec<u64>> {
        let found: Vec<Vec<Vec<u64>>> =
            bites.into_iter().filter_map(|(r, c)| self.bite(g, r, c)).map(|to| vec![to]).collect();
        OptionsOfValue { count: Some(found.len() as u128), options: Box::new(found.into_iter()) }
    }
}

impl Playable for Chomp {
    /// `(3,8)`: the row and the column of the bite.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let bite = to.first().and_then(|to| self.bite_to(g, to));
        bite.map_or_else(String::new, |(r, c)| format!("({r},{c})"))
    }

    /// `8x10` for a rectangle, else `5, 5, 3`.
    fn print_position(&self, g: &Vec<u64>) -> String {
        if is_rectangle(g) {
            return format!("{}x{}", g.len(), g.first().copied().unwrap_or(0));
        }
        g.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ruleset::{
            definition::{GrundyByDefinition, OutcomeByDefinition},
            laws::laws,
        },
        theory::Outcome,
    };

    /// All boards within so many rows and columns.
    fn boards(rows: usize, columns: u64) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        let mut layer = vec![Vec::new()];
        for _ in 0..rows {
            let longer = |g: &Vec<u64>| {
                let most = g.last().copied().unwrap_or(columns);
                let g = g.clone();
                (1..=most).map(move |row| [&g[..], &[row]].concat())
            };
            layer = layer.iter().flat_map(longer).collect();
            all.extend_from_slice(&layer);
        }
        all.remove(0);
        all
    }

    laws! {
        laws_of_chomp: Chomp, boards(4, 5), |g: &Vec<u64>, to: &[Vec<u64>]| {
            Chomp.bite_to(g, &to[0]).map_or(0, |(r, c)| (r as u128) << 64 | u128::from(c))
        };
    }

    #[test]
    fn theorems_on_larger_boards() {
        let mut values = GrundyByDefinition::new(&Chomp);
        let mut outcomes = [Convention::Normal, Convention::Misere].map(|c| (c, OutcomeByDefinition::new(&Chomp, c)));
        let mut by_theorem = [0; 3];
        for g in boards(5, 5).into_iter().chain(boards(2, 9)).chain(boards(9, 2)) {
            if let Some(hint) = Chomp.value_hint(&g) {
                assert_eq!(hint.answer, values.value(&g), "{g:?}: {}", hint.theorem);
                by_theorem[0] += 1;
            }
            for (convention, twin) in &mut outcomes {
                if let Some(hint) = Chomp.outcome_hint(&g, *convention) {
                    assert_eq!(hint.answer, twin.outcome(core::slice::from_ref(&g)), "{g:?}: {}", hint.theorem);
                    by_theorem[1] += 1;
                }
            }
            if let Some(((r, c), theorem)) = Chomp.proved_bite(&g) {
                let to = Chomp.bite(&g, r, c).unwrap_or_else(|| panic!("{g:?}: no bite ({r},{c}): {theorem}"));
                assert_eq!(outcomes[0].1.outcome(&[to]), Outcome::P, "{g:?}: {theorem}");
                by_theorem[2] += 1;
            }
        }
        assert!(by_theorem.iter().all(|n| *n > 50), "{by_theorem:?}");
    }

    #[test]
    fn huge_boards_are_answered_at_once() {
        let square = Chomp.rectangle(1 << 20, 1 << 20).unwrap();
        let wins = Chomp.winning_options(&square, Convention::Normal).unwrap();
        assert_eq!(wins.count, Some(1));
        assert_eq!(Chomp.proved_bite(&square).unwrap().0, (1, 1));
        assert_eq!(Chomp.value_hint(&vec![u64::MAX]).unwrap().answer, u64::MAX - 1);
        assert_eq!(Chomp.proved_bite(&[u64::MAX, u64::MAX]).unwrap().0, (1, u64::MAX - 1));
        assert_eq!(Chomp.outcome_hint(&vec![u64::MAX; 3], Convention::Normal).unwrap().answer, Outcome::N);
        assert_eq!(Chomp.canonical(&vec![u64::MAX; 3]), vec![u64::MAX; 3]);
        assert_eq!(Chomp.rectangle(1 << 40, 2), Err(NoBoard::TooManyRows(1 << 40)));
    }

    #[test]
    fn boards_and_names() {
        assert_eq!(Chomp.board(&[5, 5, 3, 0]), Ok(vec![5, 5, 3]));
        assert_eq!(Chomp.board(&[5, 3, 4]), Err(NoBoard::Grows(2)));
        assert_eq!((Chomp.board(&[0, 0]), Chomp.board(&[])), (Err(NoBoard::Empty), Err(NoBoard::Empty)));
        assert_eq!(Chomp.print_position(&vec![10; 8]), "8x10");
        assert_eq!(Chomp.print_position(&vec![5, 5, 3]), "5, 5, 3");
        assert_eq!(Chomp.move_name(&vec![3, 3, 3], &[vec![3, 1, 1]]), "(1,1)");
        assert_eq!(Chomp.bite(&[3, 3], 0, 0), None);
        assert_eq!(Chomp.bite(&[3, 2], 1, 2), None);
        assert_eq!(Chomp.bite(&[3, 2], 2, 0), None);
    }
}
