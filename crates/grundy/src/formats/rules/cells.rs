//! Cells that moves remove: what posets and graph deletion have in common.

use std::{ops::Range, sync::Arc};

use grundy_core::rulesets::{
    AnyRuleset,
    catalogue::BoardRuleset,
    cells::{Deletion, DeletionGame, MOST_DELETED, Writing},
};

use toml::Spanned;

use super::Wrong;

/// Most cells of a board.
pub(super) const MOST_CELLS: usize = MOST_DELETED;

/// The board of these cells and moves, each a star about the first cell that it needs.
pub(super) fn board(
    name: &str,
    cells: Vec<String>,
    moves: Vec<Deletion>,
    span: Range<usize>,
) -> Result<AnyRuleset, Wrong> {
    let count = cells.len();
    match DeletionGame::new(name, cells, moves, Writing::Names) {
        Some(game) => Ok(AnyRuleset::Board(BoardRuleset::Cells(Arc::new(game)))),
        None => Err(Wrong::new(format!("a board has at most {MOST_CELLS} cells, not {count}"), span)
            .hint("a sum of smaller boards is quicker solved, too")),
    }
}

/// The two names of a pair.
pub(super) fn pair<'a>(list: &'a Spanned<Vec<CellName>>, what: &str) -> Result<(&'a CellName, &'a CellName), Wrong> {
    match &list.get_ref()[..] {
        [a, b] => Ok((a, b)),
        other => Err(Wrong::new(format!("{what}, and here are {} names", other.len()), list.span())
            .hint("write one pair after the other: [[1, 2], [2, 3]]")),
    }
}

/// Names of cells as a file gives them: words, or how many there are.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum CellNames {
    /// So many, named by their numbers.
    Count(usize),
    /// These.
    Words(Vec<String>),
}

impl CellNames {
    /// The names, different from one another.
    pub(super) fn read(self, span: Range<usize>, what: &str) -> Result<Vec<String>, Wrong> {
        let names: Vec<String> = match self {
            CellNames::Count(n) if n <= MOST_CELLS => (1..=n).map(|n| n.to_string()).collect(),
            CellNames::Count(_) => Vec::new(),
            CellNames::Words(words) => words,
        };
        if names.is_empty() || names.len() > MOST_CELLS {
            return Err(Wrong::new(format!("a board has 1 to {MOST_CELLS} {what}"), span)
                .hint(format!("write {what} = 5, or {what} = [\"a\", \"b\", \"c\"]")));
        }
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Wrong::new(format!("\"{}\" is named twice", pair[0]), span).hint("each name stands once"));
        }
        if let Some(bad) = names.iter().find(|n| n.is_empty() || n.contains(['"', '\\', '\n'])) {
            return Err(Wrong::new(format!("\"{}\" is no name", bad.escape_debug()), span)
                .hint("names have letters and digits, and neither quotes nor backslashes"));
        }
        Ok(names)
    }
}

/// One end of a pair: a name, or a number where names are numbers.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum CellName {
    /// A number.
    Number(u64),
    /// A word.
    Word(String),
}

impl CellName {
    /// The index of the name.
    pub(super) fn index(&self, names: &[String], span: Range<usize>) -> Result<usize, Wrong> {
        let word = match self {
            CellName::Number(n) => n.to_string(),
            CellName::Word(word) => word.clone(),
        };
        names.iter().position(|n| *n == word).ok_or_else(|| {
            let error = Wrong::new(format!("there is no \"{word}\""), span);
            match grundy_core::notation::nearest(&word, names.iter().map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean \"{near}\"?")),
                None => error.hint("name it in the list first"),
            }
        })
    }
}
