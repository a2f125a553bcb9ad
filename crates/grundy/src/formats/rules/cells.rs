//! Cells that moves remove: what posets and graph deletion have in common.

use std::ops::ControlFlow;

use grundy_core::rulesets::custom::{DynRuleset, DynSink};

use super::Wrong;

/// Most cells of a board.
pub(super) const MOST_CELLS: usize = 4096;

/// A move: where all of `required` are there, it takes `removed` away, as far as they are.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    /// Numbers of cells, ascending.
    pub required: Vec<u64>,
    /// Numbers of cells, ascending.
    pub removed: Vec<u64>,
    /// The name of the move.
    pub name: String,
}

/// A game on cells numbered from 1; a position is the ascending list of the cells that are left.
#[derive(Debug)]
pub(super) struct Cells {
    pub name: String,
    pub about: String,
    /// The names of the cells, in their order.
    pub cells: Vec<String>,
    pub moves: Vec<Removal>,
}

impl Cells {
    fn after(&self, position: &[u64], removal: &Removal) -> Option<Vec<u64>> {
        let has = |set: &[u64], c: &u64| set.binary_search(c).is_ok();
        removal
            .required
            .iter()
            .all(|c| has(position, c))
            .then(|| position.iter().filter(|c| !has(&removal.removed, c)).copied().collect())
    }
}

impl DynRuleset for Cells {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        let mut sent = std::collections::HashSet::new();
        for removal in &self.moves {
            match self.after(position, removal) {
                Some(left) if sent.insert(left.clone()) => sink.push(&left)?,
                _ => sink.tick()?,
            }
        }
        ControlFlow::Continue(())
    }

    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        let last = self.cells.len() as u64;
        if let Some(n) = position.iter().find(|n| **n == 0 || **n > last) {
            return Err(format!("{} has cells 1 to {last}, not {n}", self.name));
        }
        match position.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(()),
            false => Err(format!("the cells of {} are written in their order, each once", self.name)),
        }
    }

    fn start(&self) -> Option<Vec<u64>> {
        Some((1..=self.cells.len() as u64).collect())
    }

    fn number_of(&self, word: &str) -> Option<u64> {
        self.cells.iter().position(|c| c == word).map(|i| i as u64 + 1)
    }

    fn print_position(&self, position: &[u64]) -> String {
        let name = |n: &u64| match self.cells.get((*n as usize).wrapping_sub(1)) {
            Some(cell) if *cell != n.to_string() => format!("\"{cell}\""),
            _ => n.to_string(),
        };
        position.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let found = self.moves.iter().find(|m| self.after(position, m).is_some_and(|left| to == [left]));
        found.map_or_else(|| "no move".into(), |m| m.name.clone())
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
    pub(super) fn read(self, span: std::ops::Range<usize>, what: &str) -> Result<Vec<String>, Wrong> {
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
    pub(super) fn index(&self, names: &[String], span: std::ops::Range<usize>) -> Result<usize, Wrong> {
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
