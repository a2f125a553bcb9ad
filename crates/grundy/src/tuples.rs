//! The P-positions of rulesets that are played on several heaps: claims proved for all positions, and sets found.
//!
//! In normal play a set of positions is that of the P-positions iff no option of a member is a member, and every other position
//! has an option that is one; in misère play, where whoever cannot move wins, iff no member lacks moves or has an option
//! in the set, and every other position that has a move has such an option. By induction: every play ends, so at most
//! one set does this. With the claim and the moves as automatic relations these are sentences about such
//! relations, and decidable. Where a move may leave several heaps of one, a proved form of the values of one heap takes the
//! place of the moves, in normal play.
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
mod values;

use std::ops::ControlFlow;

use grundy_core::{
    notation::{SyntaxError, TupleRule, formula::Condition, read_ruleset},
    rulesets::{AnyRuleset, HeapGame},
    theory::Convention,
};

use crate::discover::{Halt, compile, relation::Relation};
use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    session::Refusal,
};
use plain::{Game, Order, Outcomes, Sought, Unknown};
use symbolic::Judged;

pub use find::{ByValues, TupleFinding, TupleSearch};

/// Most heaps of a position.
pub const MOST_HEAPS: u8 = 4;

/// The names of the heaps in claims, unless a rule of the user's own has others.
pub const NAMES: [&str; MOST_HEAPS as usize] = ["a", "b", "c", "d"];

/// Options that may be looked at to find the smallest wrong position by the definition: some tenths of a second.
const PLAIN_WORK: u64 = 3_000_000;

/// Options of one position that are listed to find the one that matters.
const MOST_LISTED: u64 = 1_000_000;

/// A ruleset that is played on several heaps.
#[derive(Clone, Debug)]
pub enum TupleRuleset {
    /// A ruleset that is known, or a heap game, whose position is one heap for each number.
    Named(AnyRuleset),
    /// A rule of the user's own; every move must make the total smaller, or leave it and make the position smaller in
    /// lexicographic order (or, in all such moves, larger), so that every play ends.
    Own(TupleRule),
}

impl TupleRuleset {
    /// Reads a ruleset without a position.
    ///
    /// # Errors
    /// A [`SyntaxError`] with span.
    ///
    /// # Examples
    /// ```
    /// use grundy::tuples::TupleRuleset;
    /// let own = TupleRuleset::read("[p, q -> x, y where x < p and y < q]").unwrap();
    /// assert_eq!((own.heaps(), own.names(2)), (Some(2), vec!["p".to_owned(), "q".to_owned()]));
    /// let nim = TupleRuleset::read("nim").unwrap();
    /// assert_eq!((nim.heaps(), nim.names(2)), (None, vec!["a".to_owned(), "b".to_owned()]));
    /// ```
    pub fn read(text: &str) -> Result<Self, SyntaxError> {
        Ok(if TupleRule::is_meant(text) {
            TupleRuleset::Own(TupleRule::parse(text)?)
        } else {
            match read_ruleset(text)? {
                AnyRuleset::Digraph(_) => {
                    return Err(SyntaxError::new("tokens on a graph are no heaps", 0..text.len())
                        .with_hint("grundy solve answers sums of them"));
                }
                AnyRuleset::Board(_) => {
                    return Err(SyntaxError::new("a board has cells and no heaps", 0..text.len())
                        .with_hint("grundy solve answers sums of boards"));
                }
                heaps => TupleRuleset::Named(heaps),
            }
        })
    }

    /// How many heaps a position has; None if the ruleset leaves it open.
    pub fn heaps(&self) -> Option<u8> {
        match self {
            TupleRuleset::Named(_) => None,
            TupleRuleset::Own(rule) => u8::try_from(rule.heaps()).ok(),
        }
    }

    /// The names of so many heaps in claims.
    pub fn names(&self, heaps: u8) -> Vec<String> {
        match self {
            TupleRuleset::Named(_) => NAMES.iter().take(heaps.into()).map(|name| (*name).to_owned()).collect(),
            TupleRuleset::Own(rule) => rule.names().to_vec(),
        }
    }
}

/// Is a claim the set of P-positions?
#[derive(Clone, Debug)]
pub struct TupleQuery {
    /// The ruleset.
    pub ruleset: TupleRuleset,
    /// How many heaps, 1 to [`MOST_HEAPS`].
    pub heaps: u8,
    /// Who wins when no move is left.
    pub convention: Convention,
    /// What is said of the P-positions, and of no others; variable i is heap i, called [`TupleRuleset::names`]`[i]`.
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
    /// The names of the heaps.
    pub names: Vec<String>,
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
    /// A refutation is found by automata. The smallest wrong position is looked for by the definition, and by automata where
    /// that is too far; the answer's method says which, and what was tested.
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
    /// use grundy::{Budget, Session, tuples::{TupleQuery, TupleRuleset, TupleVerdict}};
    /// use grundy_core::{notation::formula::Claim, theory::Convention};
    /// let mut query = TupleQuery {
    ///     ruleset: TupleRuleset::read("nim").unwrap(),
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
        let game = check(&query.ruleset, query.heaps)?;
        let names = query.ruleset.names(query.heaps);
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
            claim: query.claim.display(&names).to_string(),
            names,
            verdict: TupleVerdict::Stopped,
            stop: None,
        };
        match self.decide(query, &mut answer, &mut meter) {
            Ok(()) => {}
            Err(Halt::Stop(stop)) => {
                answer.verdict = TupleVerdict::Stopped;
                answer.header.method = "a limit came before a proof or a counterexample".into();
                answer.stop = Some(stop);
            }
            Err(Halt::Outside(what)) => return Err(outside(&what, &query.ruleset)),
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn decide(&mut self, query: &TupleQuery, answer: &mut TupleAnswer, meter: &mut Meter) -> Result<(), Halt> {
        match moves::compile(&query.ruleset, query.heaps, meter) {
            Ok((moves, game)) => decide_by_moves(query, &moves, game, answer, meter),
            Err(Halt::Outside(what)) => self.decide_by_values(query, what, answer, meter),
            Err(stop) => Err(stop),
        }
    }
}

/// What a proof rests on.
const PROOF: &str =
    "no option of a member is a member, and every other position has an option that is one: decided by automata";
/// The same in misère play.
const MISERE_PROOF: &str = "no member lacks moves or has an option that is a member, and every other position that has a move has an \
                            option that is one: decided by automata";

/// How a proof is told, and of a rule of the user's own why every play ends.
fn method(convention: Convention, game: Game) -> String {
    let proof = match convention {
        Convention::Normal => PROOF,
        Convention::Misere => MISERE_PROOF,
    };
    if let TupleRuleset::Named(_) = game.ruleset {
        return proof.into();
    }
    let ends = match game.order {
        Order::Total => "every move makes the total smaller",
        Order::Smaller => {
            "every move makes the total smaller, or leaves it and makes the first heap that changes smaller"
        }
        Order::Larger => {
            "every move makes the total smaller, or leaves it and makes the first heap that changes larger"
        }
    };
    format!("{ends}; {proof}")
}

/// Keys of what a proof rests on.
const SOURCES: [&str; 2] = ["B60", "BHMV94"];

fn decide_by_moves(
    query: &TupleQuery,
    moves: &Relation,
    game: Game,
    answer: &mut TupleAnswer,
    meter: &mut Meter,
) -> Result<(), Halt> {
    let (yes, no) = compile::claim(&query.claim, query.heaps, meter)?;
    if let Some(position) = symbolic::undecided(&yes, &no, meter)? {
        return Err(Halt::Outside(no_value(query, &position)));
    }
    let judged = symbolic::judge(&yes, &no, moves, query.heaps, query.convention, meter)?;
    let Judged::Fails(failing) = judged else {
        answer.verdict = TupleVerdict::Proved;
        answer.header.status = Status::Proved;
        answer.header.method = method(query.convention, game);
        answer.header.sources = SOURCES.to_vec();
        return Ok(());
    };
    let by_definition = smallest_by_definition(query, game, &failing, meter)?;
    let is_found_by_definition = by_definition.is_some();
    let (position, is_smallest) = match by_definition {
        Some(position) => (position, true),
        // where options come first in this order, the smallest position at which the conditions fail is the smallest wrong one
        None => match symbolic::smallest_failing(&yes, &no, moves, query, meter) {
            Ok(Some(position)) => (position, game.order != Order::Larger),
            Ok(None) | Err(Halt::Outside(_) | Halt::Stop(_)) => (failing, false),
        },
    };
    let option = |set: Option<&Relation>| symbolic::option_in(set, moves, &position, query.heaps, meter);
    let Explained { is_member, why, is_tested } = explain(query, game, &yes, &position, option)?;
    answer.verdict = TupleVerdict::Refuted { position, is_member, why, is_smallest };
    answer.header.status = Status::Computed;
    let found = match (is_found_by_definition, is_smallest) {
        (true, _) => "a counterexample by automata, the smallest wrong position by the definition",
        (false, true) => "the smallest wrong position by automata",
        (false, false) => "a counterexample by automata",
    };
    let tested = match (is_found_by_definition, is_tested) {
        (true, _) => "",
        (false, true) => ", the claim tested by the definition there and at the options",
        (false, false) => ", which has too many options to test the claim at all of them",
    };
    answer.header.method = format!("{found}{tested}");
    Ok(())
}

/// The smallest wrong position, by the outcomes of all positions up to the total of one at which the conditions fail. None
/// if that is too much work.
fn smallest_by_definition(
    query: &TupleQuery,
    game: Game,
    failing: &[u64],
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Halt> {
    let Some(total) = failing.iter().try_fold(0u64, |t, n| t.checked_add(*n)) else { return Ok(None) };
    let mut outcomes = Outcomes::new(game, query.convention);
    for total in 0..=total {
        let mut wrong: Option<Vec<u64>> = None;
        let mut halt = None;
        let _ = plain::layer(query.heaps.into(), total, game.order, |position| {
            let is_lost = match outcomes.decide(position, PLAIN_WORK, meter) {
                Ok(is_lost) => is_lost,
                Err(unknown) => {
                    halt = Some(unknown);
                    return ControlFlow::Break(());
                }
            };
            let is_first = wrong.as_ref().is_none_or(|first| position < &first[..]);
            if is_first && plain::holds(&query.claim, position) != Ok(is_lost) {
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

/// How a claim fails at a position.
struct Explained {
    /// True if the claim holds there.
    is_member: bool,
    why: String,
    /// True if that was seen by plain evaluation alone.
    is_tested: bool,
}

/// How the conditions fail at a position: by plain evaluation, but that among very many options the one that matters is found,
/// or found not to exist, by `option`, which looks for one in a set or for any.
fn explain(
    query: &TupleQuery,
    game: Game,
    yes: &Relation,
    position: &[u64],
    mut option: impl FnMut(Option<&Relation>) -> Result<Option<Vec<u64>>, Halt>,
) -> Result<Explained, Halt> {
    let unconfirmed = || Halt::outside("a counterexample that the definition does not confirm; please report this");
    let holds = |p: &[u64]| plain::holds(&query.claim, p);
    let is_member = holds(position).map_err(|e| Halt::outside(e.to_string()))?;
    let (mut is_tested, mut is_known) = (true, true);
    // the first option in the set, or the first of all
    let mut seek = |set: Option<&Relation>| -> Result<Option<Vec<u64>>, Halt> {
        let wanted = |o: &[u64]| set.is_none() || holds(o) == Ok(true);
        match plain::option_where(&game, position, MOST_LISTED, wanted) {
            Sought::Found(found) => return Ok(Some(found)),
            Sought::None => return Ok(None),
            Sought::TooMany => {}
        }
        match option(set) {
            Ok(Some(found)) if plain::is_option(&game, position, &found) && wanted(&found) => return Ok(Some(found)),
            Ok(Some(_)) => return Err(unconfirmed()),
            Ok(None) => is_tested = false,
            Err(_) => is_known = false,
        }
        Ok(None)
    };
    let in_set = seek(Some(yes))?;
    let has_move = in_set.is_some() || seek(None)?.is_some();
    if !is_known {
        // the automata said so before
        return Ok(Explained { is_member, why: "a condition fails there, by automata".into(), is_tested: false });
    }
    let why = match (is_member, in_set) {
        (true, Some(option)) => format!("the claim holds there and at its option {} too", print(&option)),
        (true, None) if query.convention == Convention::Misere && !has_move => {
            "the claim holds there, but no move is left, and in misère play whoever cannot move wins".into()
        }
        (false, None) if query.convention == Convention::Normal && !has_move => {
            "the claim does not hold there, but no move is left, and whoever cannot move loses".into()
        }
        (false, None) if has_move => "the claim does not hold there, and at none of its options either".into(),
        _ => return Err(unconfirmed()),
    };
    Ok(Explained { is_member, why, is_tested })
}

fn no_value(query: &TupleQuery, position: &[u64]) -> String {
    let error = plain::holds(&query.claim, position).err().map_or(String::new(), |e| format!(" ({e})"));
    format!("a claim without a value at {}{error}", print(position))
}

/// `(3, 5)`
fn print(position: &[u64]) -> String {
    format!("({})", position.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

/// The name of the ruleset, if it is played on so many heaps.
fn check(ruleset: &TupleRuleset, heaps: u8) -> Result<String, Refusal> {
    let refuse = |message: String, hint: &str| Err(Refusal { message, hint: Some(hint.into()) });
    if heaps == 0 || heaps > MOST_HEAPS {
        return refuse(format!("{heaps} heaps are not dealt with"), "1 to 4 heaps are");
    }
    let ruleset = match ruleset {
        TupleRuleset::Named(ruleset) => ruleset,
        TupleRuleset::Own(rule) if rule.heaps() == usize::from(heaps) => return Ok(rule.to_string()),
        TupleRuleset::Own(rule) => {
            return refuse(format!("the rule is for {} heaps, not for {heaps}", rule.heaps()), "leave --tuple out");
        }
    };
    if let AnyRuleset::Heap(game) = ruleset {
        let game: &HeapGame = game;
        if game.is_normal_only() {
            return refuse(format!("the heaps of {} are those of another game", game.name()), "ask for 0.007");
        }
        return Ok(game.name().to_owned());
    }
    match ruleset.components(&vec![1; usize::from(heaps)]) {
        Ok(components) => Ok(components.first().map(|c| c.ruleset_name()).unwrap_or_default()),
        Err(message) => Err(Refusal { message, hint: Some("--tuple says how many numbers there are".into()) }),
    }
}

fn outside(what: &str, ruleset: &TupleRuleset) -> Refusal {
    let hint = match ruleset {
        TupleRuleset::Named(_) => {
            "P-positions are proved of rules whose moves leave at most one heap of each, in normal play of heap games with a proved \
             form of the values too, and of claims without products, bitlength and negative numbers among bits; grundy table RULESET SHAPE --p-positions lists them"
        }
        TupleRuleset::Own(_) => {
            "every move must make the total smaller, or leave it and make the first heap that changes smaller (or, in all such \
             moves, larger); conditions have no products, bitlength and negative numbers among bits: x <= a and ... guards a - x"
        }
    };
    Refusal { message: format!("outside the theory: {what}"), hint: Some(hint.into()) }
}
