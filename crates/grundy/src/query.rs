//! Whole requests: what the command line, the server and Python pass to a [`Session`](crate::session::Session).

use std::sync::Arc;

use grundy_core::{
    rulesets::{AnyComponent, AnyRuleset, HeapGame},
    theory::{Convention, Sum},
};

/// A request.
#[derive(Clone, Debug)]
pub enum Query {
    /// Who wins a sum, and by which moves.
    Solve(SolveQuery),
    /// Grundy values of one heap game from heap 0 on.
    Sequence(SequenceQuery),
    /// Values of a ruleset on a box of positions.
    Table(TableQuery),
}

/// How winning moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MovesWanted {
    /// The moves themselves.
    #[default]
    List,
    /// Their number.
    Count,
    /// Nothing.
    None,
}

/// Who wins, by which moves, why.
#[derive(Clone, Debug)]
pub struct SolveQuery {
    /// The position, as written.
    pub game: Sum<AnyComponent>,
    /// Who wins when no move is left.
    pub convention: Convention,
    /// What is wanted of the winning moves.
    pub moves: MovesWanted,
    /// Most moves listed.
    pub limit: usize,
    /// Equal components share one entry with its count.
    pub distinct: bool,
    /// Explain the answer.
    pub explain: bool,
    /// Ask how long play lasts.
    pub remoteness: bool,
}

impl SolveQuery {
    /// The plain question: all moves up to the usual limit of 1000.
    pub fn new(game: Sum<AnyComponent>, convention: Convention) -> Self {
        SolveQuery {
            game,
            convention,
            moves: MovesWanted::List,
            limit: 1000,
            distinct: false,
            explain: false,
            remoteness: false,
        }
    }
}

/// Values of heaps `0 ..= to`.
#[derive(Clone, Debug)]
pub struct SequenceQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// Last heap, included.
    pub to: u64,
}

/// Values of all positions of a shape.
#[derive(Clone, Debug)]
pub struct TableQuery {
    /// The ruleset.
    pub ruleset: AnyRuleset,
    /// Sides: one number (a list of values) or two (rows and columns); positions start at 0, coins at 1.
    pub shape: Vec<u64>,
    /// Who wins when no move is left; values exist in normal play only.
    pub convention: Convention,
    /// List the lost positions instead of the values.
    pub p_positions: bool,
}
