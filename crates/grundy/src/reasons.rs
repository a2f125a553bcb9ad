//! Why each vertex of a small graph has its value, outcome or winner: data, which the faces say in words.
//!
//! Vertices come in the order in which they can be labelled: each reason speaks of vertices before it, or says why play can go on for
//! ever. Everything is found again by the definitions, slowly, and agrees with what the engines found.

mod games;
mod values;

use grundy_core::theory::{Outcome, digraph::Digraph, loopy_value::LoopyValue};

pub use games::How;

use crate::{
    graph::{GraphAnswer, Vertices},
    retrograde::Verdict,
};

/// Most vertices that are explained.
pub const MOST: usize = 1000;

/// A vertex and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Which vertex.
    pub vertex: u32,
    /// Why it has what it has.
    pub reason: Reason,
}

/// Why a vertex has its value, outcome or winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its value is the mex of the finite values of its followers.
    Mex {
        /// The value.
        value: u64,
        /// The finite values of its followers, each with the first one that has it.
        followers: Vec<(u64, u32)>,
        /// Followers without a value, or with a larger one, and where the opponent goes back to: a vertex of this value, before it.
        back: Vec<(u32, u32)>,
    },
    /// It has no value: there is always a way on.
    Infinite {
        /// The values in reach.
        value: LoopyValue,
        /// The finite values of its followers, each with the first one that has it.
        followers: Vec<(u64, u32)>,
        /// A follower without a value, in whose set the mex of these values is not.
        way_on: u32,
    },
    /// No move is left.
    End {
        /// Who wins there.
        outcome: Outcome,
    },
    /// A move to a lost vertex wins.
    Wins {
        /// Moves until the end.
        remoteness: u32,
        /// The lost vertex that is nearest to the end.
        to: u32,
    },
    /// All moves lead to won vertices.
    Loses {
        /// Moves until the end.
        remoteness: u32,
        /// The won vertex that is farthest from the end.
        last: u32,
    },
    /// No move leads to a lost vertex, and one to where nobody can force the end.
    Draws {
        /// That vertex.
        to: u32,
    },
    /// A player wins.
    Game {
        /// Who.
        winner: u8,
        /// How.
        how: How,
        /// A move that does it, from a vertex of the winner's; from the opponent's all moves do.
        to: Option<u32>,
    },
}

/// Why a graph is not explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub usize);

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a line for each of {} vertices explains little: graphs are explained up to {MOST} of them", self.0)
    }
}

impl std::error::Error for TooLarge {}

/// Whether a graph is small enough.
///
/// # Errors
/// [`TooLarge`]: more than [`MOST`] vertices.
pub fn check(graph: &Digraph) -> Result<(), TooLarge> {
    if graph.vertices() > MOST { Err(TooLarge(graph.vertices())) } else { Ok(()) }
}

/// The reasons for an answer; none if a limit stopped it.
///
/// # Complexity
/// O(vertices · edges) at worst.
///
/// # Errors
/// [`TooLarge`].
pub fn reasons(answer: &GraphAnswer) -> Result<Vec<Explained>, TooLarge> {
    check(&answer.file.graph)?;
    Ok(match &answer.vertices {
        None => Vec::new(),
        Some(Vertices::Values(values)) => values::of_values(answer, values),
        Some(Vertices::Outcomes(verdicts)) => of_outcomes(answer, verdicts),
        Some(Vertices::Winners(solution)) => games::of_winners(answer, solution),
    })
}

/// By remoteness, draws last.
fn of_outcomes(answer: &GraphAnswer, verdicts: &[Verdict]) -> Vec<Explained> {
    let graph = &answer.file.graph;
    let mut order: Vec<u32> = (0..verdicts.len() as u32).collect();
    order.sort_by_key(|v| {
        let verdict = verdicts[*v as usize];
        (verdict.outcome == Outcome::Draw, verdict.remoteness)
    });
    let reason = |v: u32| {
        let Verdict { outcome, remoteness } = verdicts[v as usize];
        let with = |wanted: Outcome| {
            graph.successors(v).iter().copied().filter(move |w| verdicts[*w as usize].outcome == wanted)
        };
        let far = |w: &u32| verdicts[*w as usize].remoteness;
        // each has a follower of that kind, or the verdicts were wrong
        let found = match outcome {
            _ if graph.successors(v).is_empty() => None,
            Outcome::N => with(Outcome::P).min_by_key(far).map(|to| Reason::Wins { remoteness, to }),
            Outcome::P => with(Outcome::N).max_by_key(far).map(|last| Reason::Loses { remoteness, last }),
            Outcome::Draw => with(Outcome::Draw).next().map(|to| Reason::Draws { to }),
        };
        found.unwrap_or(Reason::End { outcome })
    };
    order.into_iter().map(|vertex| Explained { vertex, reason: reason(vertex) }).collect()
}

#[cfg(test)]
mod tests;
