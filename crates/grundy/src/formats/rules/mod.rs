//! Rules of one's own as a TOML file: a name, a kind, and what the kind needs.
//!
//! ```toml
//! name = "halves"
//! kind = "heap"
//! rule = "take 1..3 | split into a, b where a = b"
//! ```
//!
//! | kind | what is played | fields |
//! |---|---|---|
//! | `heap` | heaps, each a component of its own | `rule` |
//! | `grid` | tokens on a grid with obstacles | `steps`, `rides`, `size` or `board`, `blocked`, `tokens` |
//! | `memory` | a heap of which one takes an amount that depends on the last one | `next`, `first` |
//! | `row` | heaps in a row of which only some may be touched | `take`, `from`, `where`, `empty` |
//! | `poset` | elements that go with all above them | `elements`, `covers` |
//! | `deletion` | vertices and edges of a graph that are deleted | `vertices`, `edges`, `delete` |
//!
//! Each may have `about`, a sentence for people. One file of this module a kind.

mod cells;
mod deletion;
mod grid;
mod heap;
mod memory;
mod poset;
mod row;

use std::{fmt, ops::Range};

use grundy_core::{
    notation::{SyntaxError, nearest},
    rulesets::{AnyRuleset, catalogue::entry},
};
use serde::{Deserialize, de::DeserializeOwned};
use toml::Spanned;

pub use deletion::{Delete, DeletionData};
pub use poset::PosetData;

/// Why a file of rules is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// What is wrong.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
    /// The bytes that are wrong.
    pub span: Range<usize>,
    /// Line of the first of them, from 1.
    pub line: usize,
    /// Its column in that line, in characters from 1.
    pub column: usize,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for RulesError {}

/// What is wrong, before the place is counted.
#[derive(Debug)]
struct Wrong {
    message: String,
    hint: Option<String>,
    span: Range<usize>,
}

impl Wrong {
    fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Wrong { message: message.into(), hint: None, span }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn at(self, text: &str) -> RulesError {
        let start = text.floor_char_boundary(self.span.start.min(text.len()));
        let head = &text[..start];
        let line = head.matches('\n').count() + 1;
        let column = head.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        RulesError { message: self.message, hint: self.hint, span: self.span, line, column }
    }
}

/// The kinds, with the field that each cannot do without.
const KINDS: [&str; 6] = ["heap", "grid", "memory", "row", "poset", "deletion"];

#[derive(Deserialize)]
struct Head {
    name: Spanned<String>,
    kind: Spanned<String>,
}

/// Reads a file of rules.
///
/// # Errors
/// What is wrong, with line, column and a remedy.
///
/// # Examples
/// ```
/// use grundy::formats::rules::read_rules;
/// let text = "name = \"halves\"\nkind = \"heap\"\nrule = \"take 1..3 | split into a, b where a = c\"\n";
/// let error = read_rules(text).unwrap_err();
/// assert_eq!((error.line, error.column), (3, 47));
/// ```
pub fn read_rules(text: &str) -> Result<(String, AnyRuleset), RulesError> {
    let read = || {
        let head: Head = parse(text)?;
        let name = checked_name(&head.name)?;
        let ruleset = match head.kind.get_ref().as_str() {
            "heap" => heap::read(text, &name)?,
            "grid" => grid::read(text, &name)?,
            "memory" => memory::read(text, &name)?,
            "row" => row::read(text, &name)?,
            "poset" => poset::read(text, &name)?,
            "deletion" => deletion::read(text, &name)?,
            other => {
                let error = Wrong::new(format!("there is no kind of rules \"{other}\""), head.kind.span());
                return Err(error.hint(match nearest(other, KINDS) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("the kinds are {}", KINDS.join(", ")),
                }));
            }
        };
        Ok((name, ruleset))
    };
    read().map_err(|wrong: Wrong| wrong.at(text))
}

/// Reads a whole file as the fields of a kind.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    toml::from_str(text).map_err(|e: toml::de::Error| {
        let span = e.span().unwrap_or(0..0);
        let message = e.message().lines().collect::<Vec<_>>().join(" ");
        let hint = match message.strip_prefix("missing field `").and_then(|m| m.strip_suffix('`')) {
            Some("name") => "write name = \"my\", the name under which the rules are played".into(),
            Some("kind") => format!("write kind = one of \"{}\"", KINDS.join("\", \"")),
            Some(field) => format!("add a line {field} = …"),
            None => "grundy rules --help shows files of all kinds".into(),
        };
        Wrong::new(message, span).hint(hint)
    })
}

/// The name, if it can stand in the notation.
fn checked_name(name: &Spanned<String>) -> Result<String, Wrong> {
    check_name(name.get_ref())
        .map_err(|(message, hint)| Wrong::new(message, name.span()).hint(hint))
        .map(|()| name.get_ref().clone())
}

/// Accepts names of rules of one's own: those of the notation that no game has.
///
/// # Errors
/// What is wrong, and the remedy.
pub fn check_name(name: &str) -> Result<(), (String, String)> {
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    // letters that begin a code, or a rule in words, are read as such
    let is_read_back = || grundy_core::notation::parse::parse_ruleset(name).is_ok();
    if !is_name || !is_read_back() {
        let hint = "write small letters, digits and _, such as my_game, and no code or word of a rule".to_owned();
        return Err((format!("\"{name}\" is no name for rules"), hint));
    }
    if entry(name).is_some() {
        return Err((format!("{name} is a game of the notation already"), "choose another name".into()));
    }
    Ok(())
}

/// What is wrong in a text of the notation, at its place in the file.
fn inside(text: &str, value: &Spanned<String>, error: SyntaxError, shift: usize) -> Wrong {
    let raw = text.get(value.span()).unwrap_or_default();
    let quoted = raw.get(1..).is_some_and(|r| r.strip_prefix(value.get_ref().as_str()).is_some_and(|r| r.len() == 1));
    let span = match quoted {
        true => {
            let start = value.span().start + 1;
            let at = |i: usize| start + i.saturating_sub(shift).min(value.get_ref().len());
            at(error.span.start)..at(error.span.end)
        }
        // escapes and quotes of several lines move the letters
        false => value.span(),
    };
    Wrong { message: error.message, hint: error.hint, span }
}

#[cfg(test)]
mod tests;
