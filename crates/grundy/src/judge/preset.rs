//! Judge problems as data: what is read, which game it is, what is printed.
//!
//! The problems that everybody knows are in `presets.toml`, compiled into the program; a file of one's own has the same form.

use std::{collections::BTreeMap, sync::OnceLock};

use grundy_core::notation::nearest;
use serde::Deserialize;

use super::special::Special;

/// What is printed for a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Print {
    /// The word for the winner.
    #[default]
    Winner,
    /// The Grundy value.
    Value,
    /// The winning moves.
    Moves,
    /// The number of winning moves.
    Count,
    /// The number that a formula gives, or the word with that number.
    Answer,
}

/// Which of the two wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// The player to move.
    First,
    /// The other one.
    Second,
}

/// How winning moves are printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveFormat {
    /// Printed before the moves.
    pub won: String,
    /// Printed when there is no winning move.
    pub lost: String,
    /// One move: `{index}` (of its component, from 1), `{before}` and `{after}` (the component's numbers; 0 for nothing left),
    /// `{take}` (objects fewer in a heap), `{move}` (its name).
    pub each: String,
    /// Between two moves.
    pub join: String,
    /// Moves that print alike are printed once.
    pub distinct: bool,
    /// Moves that take the same from both numbers of a pair come first.
    pub both_first: bool,
}

impl Default for MoveFormat {
    fn default() -> Self {
        MoveFormat {
            won: String::new(),
            lost: "-".into(),
            each: "{before} {after}".into(),
            join: "\n".into(),
            distinct: false,
            both_first: false,
        }
    }
}

/// A judge problem: layout, game or claim, words.
///
/// See [the module](super) for how the parts work together.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Problem {
    /// Its name, the judge's id in lower case.
    pub name: String,
    /// Other judges' ids of the same problem.
    pub aliases: Vec<String>,
    /// Its title.
    pub title: String,
    /// The [layout](super::format).
    pub layout: String,
    /// Definitions `name = formula` or `name = list | step | …`, in order.
    pub lets: Vec<String>,
    /// A claim that every case must satisfy: the limits within which the rest is true.
    pub require: Option<String>,
    /// The game, with `$name` for what was read.
    pub game: Option<String>,
    /// Who cannot move wins.
    pub misere: bool,
    /// When the first player wins; instead of the game, or with `won` (1 or 0) and `g` (the value) for its result.
    pub wins: Option<String>,
    /// The number printed by [`Print::Answer`].
    pub answer: Option<String>,
    /// A game, or another question, with a program of its own in place of `game`.
    pub special: Option<Special>,
    /// Words printed for the answers 0, 1, 2, …
    pub answers: Vec<String>,
    /// What is printed.
    pub print: Print,
    /// The word when the first player wins.
    pub first: String,
    /// The word when the second player wins.
    pub second: String,
    /// How moves are printed.
    pub moves: MoveFormat,
    /// Printed before each line; `%d` is the number of the line.
    pub prefix: String,
    /// Between the results of the innermost loop, which then stand on one line.
    pub join: Option<String>,
    /// Print how many cases of the innermost ranges this player wins.
    pub tally: Option<Winner>,
    /// Why the claim or the game is right, and its source.
    pub theory: String,
    /// What contestants get wrong.
    pub trap: String,
    /// From what test files are made: `n = "1..10"`, see [`Range`](super::generate).
    pub ranges: BTreeMap<String, String>,
}

impl Default for Problem {
    /// Nothing but the words `first` and `second`.
    fn default() -> Self {
        Problem {
            name: String::new(),
            aliases: Vec::new(),
            title: String::new(),
            layout: String::new(),
            lets: Vec::new(),
            require: None,
            game: None,
            misere: false,
            wins: None,
            answer: None,
            special: None,
            answers: Vec::new(),
            print: Print::Winner,
            first: "first".into(),
            second: "second".into(),
            moves: MoveFormat::default(),
            prefix: String::new(),
            join: None,
            tally: None,
            theory: String::new(),
            trap: String::new(),
            ranges: BTreeMap::new(),
        }
    }
}

/// A known problem that is not answered, and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unanswered {
    /// The judge's id in lower case.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Why it is not answered.
    pub reason: String,
}

/// A list of problems.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Catalogue {
    /// Those that are answered.
    #[serde(rename = "preset")]
    pub presets: Vec<Problem>,
    /// Those that are not answered yet.
    #[serde(rename = "out-of-reach")]
    pub out_of_reach: Vec<Unanswered>,
    /// Those that are no impartial games.
    #[serde(rename = "not-impartial")]
    pub not_impartial: Vec<Unanswered>,
}

/// What a name was found to be.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    /// A problem that is answered.
    Preset(&'a Problem),
    /// A problem that is not answered yet.
    OutOfReach(&'a Unanswered),
    /// A problem about no impartial game.
    NotImpartial(&'a Unanswered),
    /// Nothing of that name; the nearest names.
    Unknown(Vec<&'a str>),
}

impl Catalogue {
    /// Reads a list in the form of `presets.toml`.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn parse(text: &str) -> Result<Catalogue, String> {
        toml::from_str(text).map_err(|e| match e.span() {
            Some(span) => {
                let line = 1 + text[..span.start.min(text.len())].bytes().filter(|b| *b == b'\n').count();
                format!("line {line}: {}", e.message())
            }
            None => e.message().to_owned(),
        })
    }

    /// The list that the program knows.
    ///
    /// # Examples
    /// ```
    /// use grundy::judge::{Catalogue, Found};
    /// let known = Catalogue::built_in();
    /// assert!(matches!(known.find("HDU-3032"), Found::Preset(p) if p.first == "Alice"));
    /// assert!(matches!(known.find("cf-1704f"), Found::NotImpartial(_)));
    /// assert!(matches!(known.find("hdu-3023"), Found::Unknown(near) if near.contains(&"hdu-3032")));
    /// ```
    pub fn built_in() -> &'static Catalogue {
        static KNOWN: OnceLock<Catalogue> = OnceLock::new();
        KNOWN.get_or_init(|| Catalogue::parse(include_str!("presets.toml")).unwrap_or_default())
    }

    /// Looks a name up; case does not matter, and `_` or nothing may stand for `-`.
    pub fn find(&self, name: &str) -> Found<'_> {
        let wanted = folded(name);
        let is = |n: &str| folded(n) == wanted;
        if let Some(p) = self.presets.iter().find(|p| is(&p.name) || p.aliases.iter().any(|a| is(a))) {
            return Found::Preset(p);
        }
        if let Some(u) = self.not_impartial.iter().find(|u| is(&u.name)) {
            return Found::NotImpartial(u);
        }
        if let Some(u) = self.out_of_reach.iter().find(|u| is(&u.name)) {
            return Found::OutOfReach(u);
        }
        let mut names: Vec<&str> = self.presets.iter().map(|p| p.name.as_str()).collect();
        names.extend(self.presets.iter().flat_map(|p| p.aliases.iter().map(String::as_str)));
        let mut near = Vec::new();
        while near.len() < 3
            && let Some(n) = nearest(name, names.iter().copied())
        {
            near.push(n);
            names.retain(|other| *other != n);
        }
        Found::Unknown(near)
    }
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}
