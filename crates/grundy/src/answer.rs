//! Whole answers: data, rendered only in the faces.

use std::time::Duration;

use grundy_core::{
    rulesets::AnyComponent,
    theory::{Convention, Outcome, Periodicity, loopy_value::LoopyValue},
};

use crate::{budget::StopReason, explain::Step};

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// By a theorem or an accepted certificate.
    Proved,
    /// Exact, by the definition or an exact engine.
    Computed,
    /// A regularity seen up to a point, without a bound that proves it.
    Observed,
    /// A formula that agrees up to a point.
    Conjectured,
    /// A statement excluded up to a bound.
    Bounded,
    /// A limit was reached first.
    Stopped,
}

impl Status {
    /// The word used in answers.
    pub fn word(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Computed => "computed",
            Status::Observed => "observed",
            Status::Conjectured => "conjectured",
            Status::Bounded => "bounded",
            Status::Stopped => "stopped",
        }
    }
}

/// What every answer says about itself.
#[derive(Clone, Debug)]
pub struct Header {
    /// Who wins when no move is left.
    pub convention: Convention,
    /// How sure the answer is.
    pub status: Status,
    /// How it was found, for people.
    pub method: String,
    /// Keys of `SOURCES.md`.
    pub sources: Vec<&'static str>,
    /// What it cost.
    pub stats: Stats,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Positions looked at.
    pub positions: u64,
}

/// An answer of any kind.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`SolveQuery`](crate::query::SolveQuery).
    Solve(Box<SolveAnswer>),
    /// To [`SequenceQuery`](crate::query::SequenceQuery).
    Sequence(SequenceAnswer),
    /// To [`TableQuery`](crate::query::TableQuery).
    Table(TableAnswer),
}

/// A move from the position asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Index of the component, from 0 as written.
    pub component: usize,
    /// The component before.
    pub from: AnyComponent,
    /// The components that replace it; empty if it vanishes.
    pub to: Vec<AnyComponent>,
    /// Its name for people: `take 2, leave 1 + 6`.
    pub name: String,
    /// Number of equal components for which it stands.
    pub count: u64,
    /// The whole position after it; left out above 64 components.
    pub result: Option<String>,
}

/// Who wins, by which moves, why.
#[derive(Clone, Debug)]
pub struct SolveAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The position in canonical notation.
    pub game: String,
    /// None if a limit was reached first.
    pub outcome: Option<Outcome>,
    /// The Grundy value; None in misère play or where only the outcome is known.
    pub value: Option<u64>,
    /// The infinite value of a position from which play may go on for ever, which has no Grundy value.
    pub infinite: Option<LoopyValue>,
    /// Exact number of winning moves, each component counted; None if it was not counted.
    pub moves_total: Option<u128>,
    /// True if `moves` lists all winning moves.
    pub moves_complete: bool,
    /// Winning moves in the order of moves.
    pub moves: Vec<Move>,
    /// In a lost position the legal move that resists most, in a drawn one a move that keeps the draw.
    pub suggestion: Option<Move>,
    /// True if the suggestion is the longest play, not only a rule of thumb.
    pub suggestion_is_longest: bool,
    /// True if there may be a move, but none was met in the moment that is spent on a suggestion.
    pub suggestion_gave_up: bool,
    /// Moves until the end when the winner hurries and the loser delays, if asked for.
    pub remoteness: Option<u64>,
    /// The explanation, if asked for.
    pub explanation: Vec<Step>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Values from heap 0 on.
#[derive(Clone, Debug)]
pub struct SequenceAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The game's name.
    pub game: String,
    /// G(0), G(1), …
    pub values: Vec<u64>,
    /// A proved period, if one was met.
    pub period: Option<Periodicity>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Values of a box of positions.
#[derive(Clone, Debug)]
pub struct TableAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The ruleset's name.
    pub ruleset: String,
    /// The least number of a position: 0, for coins 1.
    pub first: u64,
    /// Rows of values (one row for a list); empty if P-positions were asked for. None where only a limit was met or the position is not legal.
    pub rows: Vec<Vec<Option<u64>>>,
    /// Lost positions, if asked for.
    pub p_positions: Vec<Vec<u64>>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}
