//! The P-positions of rulesets that are played on several heaps: claims proved for all positions, and sets found.
//!
//! In normal play a set of positions is that of the P-positions iff no option of a member is a member, and every other position
//! has an option that is one; in misère play, where whoever cannot move wins, iff no member lacks moves or has an option
//! in the set, and every other position that has a move has such an option. By induction: every play ends, so at most
//! one set does this. With the claim and the moves as automatic relations these are sentences about such
//! relations, and decidable.
//!
//! # Complexity
//! One product of the moves, on twice as many tracks as there are heaps, with the claim; its projection to the position is
//! made deterministic, which in theory may exponentiate the states.
//!
//! # Sources
//! `[B60]`, `[BHMV94]` (the decision procedure).

mod find;
mod moves;
mod plain;
mod symbolic;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use grundy_core::{
    notation::formula::Condition,
    rulesets::{AnyRuleset, HeapGame},
    theory::Convention,
};

use crate::discover::{Halt, compile};
use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    session::Refusal,
};
use plain::{Outcomes, Sought, Unknown};
use symbolic::Judged;

pub use find::{TupleFinding, TupleSearch};

/// Most heaps of a position.
pub const MOST_HEAPS: u8 = 4;

/// The names of the heaps in claims.
pub const NAMES: [&str; MOST_HEAPS as usize] = ["a", "b", "c", "d"];

/// Options that may be looked at to find the smallest wrong position by the definition: some tenths of a second.
const PLAIN_WORK: u64 = 3_000_000;

/// Options of one position that are listed to find the one that matters.
const MOST_LISTED: u64 = 1_000_000;

/// Is a claim the set of P-positions?
#[derive(Clone, Debug)]
pub struct TupleQuery {
    /// The ruleset; of a heap game the position is one heap for each number.
    pub ruleset: AnyRuleset,
    /// How many heaps, 1 to [`MOST_HEAPS`].
    pub heaps: u8,
    /// Who wins when no move is left.
    pub convention: Convention,
    /// What is said of the P-positions, and of no others; variable i is heap i, called [`NAMES`]`[i]`.
    pub claim: Condition,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TupleVerdict {
    /// It holds at the P-positions and nowhere else.
    Proved,
    /// It does not.
    Refuted {
        /// A position at which it is wrong: if `is_smallest`, the one with the least total, of these the first in
        /// lexicographic order; otherwise the claim is wrong here or at the option that `why` names.
        position: Vec<u64>,
        /// True if the claim holds at the position, so that it counts it among the P-positions.
        is_member: bool,
        /// The option that refutes it, or that there is none.
        why: String,
        /// True if the claim is right at all smaller positions.
        is_smallest: bool,
    },
    /// A limit was reached first.
    Stopped,
}

/// The answer to a [`TupleQuery`].
#[derive(Clone, Debug)]
pub struct TupleAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The ruleset's name.
    pub game: String,
    /// How many heaps.
    pub heaps: u8,
    /// The claim in canonical form.
    pub claim: String,
    /// What became of it.
    pub verdict: TupleVerdict,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl TupleAnswer {
    /// True or false, or None if a limit came first.
    pub fn holds(&self) -> Option<bool> {
        match self.verdict {
            TupleVerdict::Proved => Some(true),
            TupleVerdict::Refuted { .. } => Some(false),
            TupleVerdict::Stopped => None,
        }
    }
}

impl Session {
    /// Decides whether a claim holds at the P-positions of a ruleset and nowhere else.
    ///
    /// A refutation is found by automata, and its position looked for and tested by the definition.
    ///
    /// # Complexity
    /// See the module. The smallest wrong position takes one look at each option of all smaller positions, as long as these
    /// are few, and some more projections else.
    ///
    /// # Errors
    /// A [`Refusal`] if ruleset or claim lie outside the theory, or if the claim has no value somewhere.
    ///
    /// # Examples
    /// ```
    /// use grundy::{Budget, Session, tuples::{TupleQuery, TupleVerdict}};
    /// use grundy_core::{notation::{formula::Claim, read_ruleset}, theory::Convention};
    /// let mut query = TupleQuery {
    ///     ruleset: read_ruleset("nim").unwrap(),
    ///     heaps: 2,
    ///     convention: Convention::Normal,
    ///     claim: Claim::parse("a = b", &["a", "b"]).unwrap().condition().clone(),
    /// };
    /// let answer = Session::new().prove_tuple(&query, &Budget::default()).unwrap();
    /// assert_eq!(answer.verdict, TupleVerdict::Proved);
    /// // in misère play heaps of one are different
    /// query.convention = Convention::Misere;
    /// let answer = Session::new().prove_tuple(&query, &Budget::default()).unwrap();
    /// assert!(matches!(answer.verdict, TupleVerdict::Refuted { position, .. } if position == [0, 0]));
    /// ```
    pub fn prove_tuple(&mut self, query: &TupleQuery, budget: &Budget) -> Result<TupleAnswer, Refusal> {
        let game = check(&query.ruleset, query.heaps, query.convention)?;
        let names = names(query.heaps);
        let mut meter = Meter::new(budget);
        let mut answer = TupleAnswer {
            header: Header {
                convention: query.convention,
                status: Status::Stopped,
                method: String::new(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game,
            heaps: query.heaps,
            claim: query.claim.display(&names).to_string(),
            verdict: TupleVerdict::Stopped,
            stop: None,
        };
        match decide(query, &mut answer, &mut meter) {
            Ok(()) => {}
            Err(Halt::Stop(stop)) => {
                answer.verdict = TupleVerdict::Stopped;
                answer.header.method = "a limit came before a proof or a counterexample".into();
                answer.stop = Some(stop);
            }
            Err(Halt::Outside(what)) => return Err(outside(&what)),
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }
}

/// What a proof rests on.
const PROOF: &str =
    "no option of a member is a member, and every other position has an option that is one: decided by automata";
/// The same in misère play.
const MISERE_PROOF: &str = "no member lacks moves or has an option that is a member, and every other position that has a move has an \
                            option that is one: decided by automata";

/// How a proof is told.
fn method(convention: Convention) -> String {
    match convention {
        Convention::Normal => PROOF.into(),
        Convention::Misere => MISERE_PROOF.into(),
    }
}

/// Keys of what a proof rests on.
const SOURCES: [&str; 2] = ["B60", "BHMV94"];

fn decide(query: &TupleQuery, answer: &mut TupleAnswer, meter: &mut Meter) -> Result<(), Halt> {
    let moves = moves::relation(&query.ruleset, query.heaps, meter)?;
    let (yes, no) = compile::claim(&query.claim, query.heaps, meter)?;
    if let Some(position) = symbolic::undecided(&yes, &no, meter)? {
        return Err(Halt::Outside(no_value(query, &position)));
    }
    let judged = symbolic::judge(&yes, &no, &moves, query.heaps, query.convention, meter)?;
    let Judged::Fails(failing) = judged else {
        answer.verdict = TupleVerdict::Proved;
        answer.header.status = Status::Proved;
        answer.header.method = method(query.convention);
        answer.header.sources = SOURCES.to_vec();
        return Ok(());
    };
    let (position, is_smallest) = match smallest_by_definition(query, &failing, meter)? {
        Some(position) => (position, true),
        // where each move makes the total less, the smallest position at which the conditions fail is the smallest wrong one
        None => match symbolic::smallest_failing(&yes, &no, &moves, query, meter) {
            Ok(Some(position)) => (position, !matches!(query.ruleset, AnyRuleset::Staircase)),
            Ok(None) | Err(Halt::Outside(_) | Halt::Stop(_)) => (failing, false),
        },
    };
    let find = || symbolic::option_in(&yes, &moves, &position, query.heaps, meter);
    let (is_member, why) = explain(query, &position, find)?;
    answer.verdict = TupleVerdict::Refuted { position, is_member, why, is_smallest };
    answer.header.status = Status::Computed;
    answer.header.method = if is_smallest {
        "a counterexample by automata, the smallest wrong position tested by the definition".into()
    } else {
        "a counterexample by automata, tested by the definition".into()
    };
    Ok(())
}

/// The smallest wrong position, by the outcomes of all positions up to the total of one at which the conditions fail. None
/// if that is too much work.
fn smallest_by_definition(query: &TupleQuery, failing: &[u64], meter: &mut Meter) -> Result<Option<Vec<u64>>, Halt> {
    let Some(total) = failing.iter().try_fold(0u64, |t, n| t.checked_add(*n)) else { return Ok(None) };
    let mut outcomes = Outcomes::new(&query.ruleset, query.convention);
    for total in 0..=total {
        let mut wrong: Option<Vec<u64>> = None;
        let mut halt = None;
        let _ = plain::layer(query.heaps.into(), total, |position| {
            let is_lost = match outcomes.decide(position, PLAIN_WORK, meter) {
                Ok(is_lost) => is_lost,
                Err(unknown) => {
                    halt = Some(unknown);
                    return ControlFlow::Break(());
                }
            };
            if plain::holds(&query.claim, position) != Ok(is_lost) {
                wrong = Some(position.to_vec());
            }
            ControlFlow::Continue(())
        });
        match halt {
            Some(Unknown::TooMuch) => return Ok(None),
            // the refutation stands all the same
            Some(Unknown::Stop(_)) => return Ok(None),
            None if wrong.is_some() => return Ok(wrong),
            None => {}
        }
    }
    Err(Halt::outside("a counterexample that the definition does not confirm; please report this"))
}

/// Whether the claim holds at a position at which the conditions fail, and how they fail: by plain evaluation, but that among very
/// many options the one that matters is found, or found not to exist, by `find`.
fn explain(
    query: &TupleQuery,
    position: &[u64],
    find: impl FnOnce() -> Result<Option<Vec<u64>>, Halt>,
) -> Result<(bool, String), Halt> {
    const UNCONFIRMED: &str = "a counterexample that the definition does not confirm; please report this";
    let holds = |p: &[u64]| plain::holds(&query.claim, p);
    let is_member = holds(position).map_err(|e| Halt::outside(e.to_string()))?;
    let option = match plain::option_where(&query.ruleset, position, MOST_LISTED, |o| holds(o) == Ok(true)) {
        Sought::TooMany => match find() {
            Ok(Some(option)) if plain::is_option(&query.ruleset, position, &option) && holds(&option) == Ok(true) => {
                Sought::Found(option)
            }
            Ok(Some(_)) => return Err(Halt::outside(UNCONFIRMED)),
            Ok(None) => Sought::None,
            // the automata said so before
            Err(_) => return Ok((is_member, "a condition fails there, by automata".into())),
        },
        known => known,
    };
    let has_move = plain::option_where(&query.ruleset, position, MOST_LISTED, |_| true) != Sought::None;
    let why = match (is_member, option) {
        (true, Sought::Found(option)) => format!("the claim holds there and at its option {} too", print(&option)),
        (true, _) if query.convention == Convention::Misere && !has_move => {
            "the claim holds there, but no move is left, and in misère play whoever cannot move wins".into()
        }
        (false, Sought::None) if query.convention == Convention::Normal && !has_move => {
            "the claim does not hold there, but no move is left, and whoever cannot move loses".into()
        }
        (false, Sought::None) if has_move => "the claim does not hold there, and at none of its options either".into(),
        _ => return Err(Halt::outside(UNCONFIRMED)),
    };
    Ok((is_member, why))
}

fn no_value(query: &TupleQuery, position: &[u64]) -> String {
    let error = plain::holds(&query.claim, position).err().map_or(String::new(), |e| format!(" ({e})"));
    format!("a claim without a value at {}{error}", print(position))
}

/// `(3, 5)`
fn print(position: &[u64]) -> String {
    format!("({})", position.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

fn names(heaps: u8) -> Vec<String> {
    NAMES[..usize::from(heaps)].iter().map(|n| (*n).to_owned()).collect()
}

/// The name of the ruleset, if it is played on so many heaps.
fn check(ruleset: &AnyRuleset, heaps: u8, convention: Convention) -> Result<String, Refusal> {
    let refuse = |message: String, hint: &str| Err(Refusal { message, hint: Some(hint.into()) });
    if heaps == 0 || heaps > MOST_HEAPS {
        return refuse(format!("{heaps} heaps are not dealt with"), "1 to 4 heaps are");
    }
    if let AnyRuleset::Heap(game) = ruleset {
        let game: &HeapGame = game;
        if game.is_normal_only() {
            return refuse(format!("the heaps of {} are those of another game", game.name()), "ask for 0.007");
        }
        return Ok(game.name().to_owned());
    }
    let _ = convention;
    match ruleset.components(&vec![1; usize::from(heaps)]) {
        Ok(components) => Ok(components.first().map(|c| c.ruleset_name()).unwrap_or_default()),
        Err(message) => Err(Refusal { message, hint: Some("--tuple says how many numbers there are".into()) }),
    }
}

fn outside(what: &str) -> Refusal {
    Refusal {
        message: format!("outside the theory: {what}"),
        hint: Some(
            "P-positions are proved of rules whose moves leave at most one heap of each, and of claims without products, \
             bitlength and negative numbers among bits; grundy table RULESET SHAPE --p-positions lists them"
                .into(),
        ),
    }
}
