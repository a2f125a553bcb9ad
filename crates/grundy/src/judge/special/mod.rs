//! Games that no rule of the notation says, each with a program of its own.
//!
//! A layout reads the case, as for any other problem; the program looks at the numbers by their names, which the layout must have,
//! and says who wins. Words, prefix, tally, test files and stress tests are those of every problem.

mod blocks;
mod boxes;
mod digit_strings;
mod every_euclid;
mod graph_tokens;
mod k_nim;
mod row_pieces;
mod two_teams;

use serde::Deserialize;

use super::{
    error::{Fault, JudgeError},
    format::Kind,
    green,
    scan::Place,
    text::{Names, Value},
};
use crate::budget::Meter;

/// A game with a program of its own; the names that the layout must have are given with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Special {
    /// The nim product of each pair of numbers below 2^64 is printed; the layout is `T{ a b }`.
    NimProducts,
    /// The fields are printed from which the first player wins the [green game](super::green), which has a layout of its own.
    GreenGame,
    /// Each pair of the lists `p` and `q` is a game of Euclid down to 0, and every move is a move in all pairs that are left.
    EveryEuclid,
    /// Row after row of 20 cells, `k` pieces on the cells `p`: a piece goes to the next free cell on its right.
    RowPieces,
    /// Tokens on the vertices `t` of a graph without cycles in which vertex 0, 1, … has `k` successors, listed in `s`.
    GraphTokens,
    /// Boxes that hold `s` stones, with `c` of them inside: one may add up to `c * c`.
    Boxes,
    /// 2x2 blocks on the cells 0 of the grid `b` of `n` rows and `m` columns.
    Blocks,
    /// The word `s` of up to 9 digits: a digit is lowered, or a 0 is erased with all that follows.
    DigitStrings,
    /// A heap of `n`: the first move takes less than all, the others up to `k` times what the move before took.
    KNim,
    /// A heap of `s`: the players take up to `m` objects in turn, each with a limit of his own; the last one loses for his team.
    TwoTeams,
}

/// What a program says about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    pub won: bool,
    /// The Grundy value, where the game has one and it was found.
    pub value: Option<u64>,
    /// What the smallest winning move takes.
    pub take: Option<u64>,
}

impl Ruling {
    fn of_value(value: u64) -> Ruling {
        Ruling { won: value != 0, value: Some(value), take: None }
    }

    fn of_winner(won: bool) -> Ruling {
        Ruling { won, value: None, take: None }
    }
}

/// What is found once and serves later cases.
#[derive(Debug, Default)]
pub(super) struct Tables {
    rows: row_pieces::Rows,
    graph: graph_tokens::Values,
    blocks: blocks::Pieces,
    digits: digit_strings::Strings,
    openings: k_nim::Openings,
}

impl Special {
    /// The name by which a problem asks for it.
    pub fn name(self) -> &'static str {
        match self {
            Special::NimProducts => "nim-products",
            Special::GreenGame => "green-game",
            Special::EveryEuclid => "every-euclid",
            Special::RowPieces => "row-pieces",
            Special::GraphTokens => "graph-tokens",
            Special::Boxes => "boxes",
            Special::Blocks => "blocks",
            Special::DigitStrings => "digit-strings",
            Special::KNim => "k-nim",
            Special::TwoTeams => "two-teams",
        }
    }

    /// What is printed, where that is no winner.
    ///
    /// # Examples
    /// ```
    /// use grundy::judge::Special;
    /// assert_eq!(Special::NimProducts.prints(), Some("the nim product of each pair"));
    /// assert_eq!(Special::Boxes.prints(), None);
    /// ```
    pub fn prints(self) -> Option<&'static str> {
        match self {
            Special::NimProducts => Some("the nim product of each pair"),
            Special::GreenGame => Some("how many fields the first player wins from, and these, one a line"),
            _ => None,
        }
    }

    /// The layout of a question that reads its whole input itself.
    pub(super) fn layout(self) -> Option<&'static str> {
        match self {
            Special::NimProducts => Some("T{ a b }"),
            Special::GreenGame => Some(green::LAYOUT),
            _ => None,
        }
    }

    /// True if the game has Grundy values that its program finds.
    pub(super) fn has_values(self) -> bool {
        use Special::{Blocks, Boxes, GraphTokens, RowPieces};
        matches!(self, RowPieces | GraphTokens | Boxes | Blocks)
    }

    /// True if the program finds a winning move.
    pub(super) fn has_moves(self) -> bool {
        self == Special::KNim
    }

    /// Names from which something is found that is kept as long as they stand.
    pub(super) fn kept(self) -> &'static [&'static str] {
        if self == Special::GraphTokens { &["k", "s"] } else { &[] }
    }

    /// The names that the layout must have.
    fn needs(self) -> &'static [(&'static str, Needed)] {
        use Needed::{List, Number, Word};
        match self {
            Special::NimProducts | Special::GreenGame => &[],
            Special::EveryEuclid => &[("p", List), ("q", List)],
            Special::RowPieces => &[("k", List), ("p", List)],
            Special::GraphTokens => &[("k", List), ("s", List), ("t", List)],
            Special::Boxes => &[("s", List), ("c", List)],
            Special::Blocks => &[("n", Number), ("m", Number), ("b", Word)],
            Special::DigitStrings => &[("s", Word)],
            Special::KNim => &[("n", Number), ("k", Number)],
            Special::TwoTeams => &[("s", Number), ("m", List)],
        }
    }

    /// Looks whether the layout has the names.
    pub(super) fn fits(self, names: &Names) -> Result<(), JudgeError> {
        for (name, needed) in self.needs() {
            let kind = names.find(name).map(|slot| names.kind(slot));
            let (fits, what) = match needed {
                Needed::Number => (kind == Some(Kind::Number), "a number"),
                Needed::List => (matches!(kind, Some(Kind::List | Kind::Column)), "a list"),
                Needed::Word => (kind == Some(Kind::Word), "a word"),
            };
            if !fits {
                return Err(JudgeError::wrong(format!("{} needs {what} \"{name}\" in the layout", self.name())));
            }
        }
        Ok(())
    }

    /// Who wins the case.
    ///
    /// # Errors
    /// A number that does not belong there, with its place; the meter's stop.
    pub(super) fn ruling(self, case: &Case<'_>, tables: &mut Tables, meter: &mut Meter) -> Result<Ruling, Fault> {
        match self {
            // these read their input themselves
            Special::NimProducts | Special::GreenGame => Err(Fault::Case(format!("{} has no cases", self.name()))),
            Special::EveryEuclid => every_euclid::ruling(case),
            Special::RowPieces => tables.rows.ruling(case, meter),
            Special::GraphTokens => tables.graph.ruling(case, meter),
            Special::Boxes => boxes::ruling(case),
            Special::Blocks => tables.blocks.ruling(case, meter),
            Special::DigitStrings => tables.digits.ruling(case, meter),
            Special::KNim => tables.openings.ruling(case, meter),
            Special::TwoTeams => two_teams::ruling(case, meter),
        }
    }
}

/// What a name must stand for.
#[derive(Clone, Copy, Debug)]
enum Needed {
    Number,
    List,
    Word,
}

/// A case as its layout read it.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub names: &'a Names,
    pub values: &'a [Value],
    /// For each name where its numbers or words stand; empty for what was not read.
    pub places: &'a [Vec<Place>],
    /// The names of [`Special::kept`] may have changed since the case before.
    pub is_new: bool,
    /// The Grundy value will be looked at.
    pub wants_value: bool,
}

impl Case<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.names.find(name).and_then(|slot| self.values.get(slot))
    }

    fn number(&self, name: &str) -> Result<u64, Fault> {
        match self.value(name) {
            Some(Value::Number(n)) => self.natural(name, 0, *n),
            _ => Err(Fault::Case(format!("there is no number {name}"))),
        }
    }

    fn list(&self, name: &str) -> Result<Vec<u64>, Fault> {
        let list = self.value(name).map_or(&[][..], Value::list);
        list.iter().enumerate().map(|(i, n)| self.natural(name, i, *n)).collect()
    }

    fn natural(&self, name: &str, index: usize, n: i128) -> Result<u64, Fault> {
        // only a definition makes others
        u64::try_from(n).map_err(|_| self.fault(name, index, format!("{n} is no number from 0 to {}", u64::MAX)))
    }

    fn word(&self, name: &str) -> &[u8] {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => &[],
        }
    }

    /// What is wrong with a number or word of the case, with its place.
    #[cold]
    fn fault(&self, name: &str, index: usize, message: impl Into<String>) -> Fault {
        self.fault_inside(name, index, 0, message)
    }

    /// What is wrong with a letter of a word.
    #[cold]
    fn fault_inside(&self, name: &str, index: usize, letter: usize, message: impl Into<String>) -> Fault {
        let message = message.into();
        let places = self.names.find(name).and_then(|slot| self.places.get(slot));
        Fault::Case(match places.and_then(|p| p.get(index)) {
            Some(Place { line, column }) => format!("line {line}, column {}: {message}", column + letter as u64),
            None => message,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Budget,
        judge::{Problem, Program, Special},
    };

    /// The answers of a special game to an input; a fault comes last.
    pub(super) fn run(special: Special, layout: &str, input: &str) -> String {
        run_within(special, layout, input, &Budget::default())
    }

    pub(super) fn run_within(special: Special, layout: &str, input: &str, budget: &Budget) -> String {
        let problem = Problem { special: Some(special), layout: layout.into(), ..Problem::default() };
        let mut out = Vec::new();
        let result = Program::new(&problem).unwrap().run(input.as_bytes(), &mut out, budget);
        let out = String::from_utf8(out).unwrap();
        match result {
            Ok(()) => out,
            Err(e) => format!("{out}{e}"),
        }
    }

    #[test]
    fn names_are_needed() {
        let wrong = |special, layout: &str| {
            let problem = Problem { special: Some(special), layout: layout.into(), ..Problem::default() };
            Program::new(&problem).unwrap_err().to_string()
        };
        assert_eq!(wrong(Special::KNim, "T{ n m }"), "k-nim needs a number \"k\" in the layout");
        assert_eq!(wrong(Special::KNim, "T{ n k[n] }"), "k-nim needs a number \"k\" in the layout");
        assert_eq!(wrong(Special::DigitStrings, "*{ s }"), "digit-strings needs a word \"s\" in the layout");
        let other = "nim-products has the layout T{ a b }, and nothing else is asked";
        assert_eq!(wrong(Special::NimProducts, "*{ a b }"), other);
    }
}
