//! Is a ruleset of one's own one of an impartial game that ends? Laws that every ruleset keeps, tried on positions.
//!
//! From each start the walk goes along all options, and looks at a position once all its options were looked at; so the first
//! violation is shown at a small position. Nothing is proved of positions that were not met, and the answer says which were.

mod sums;
mod walk;

use grundy_core::{
    notation::{Resolver, Unresolved, print_sum},
    rulesets::{AnyComponent, AnyRuleset, catalogue::BoardRuleset},
    theory::{Convention, named_graph::NamedGraph},
};
use std::sync::Arc;

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    play::Random,
    session::Refusal,
};

use walk::Walk;

/// What every ruleset keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// No line of play comes back to a position.
    Termination,
    /// The options of a position are the same each time.
    Determinism,
    /// What moves lead to are positions, each option once.
    Options,
    /// The representative of a position is its own representative, and has the value of the position.
    Canonical,
    /// What is printed is read back as the same position.
    Printing,
    /// The number of a position leads back to it, and is greater than those of its options.
    Rank,
    /// The engines find the value that follows from the definition.
    Values,
    /// A sum that is never split has the value that the xor of the values of its parts gives.
    Sums,
}

impl Law {
    /// All of them.
    pub const ALL: [Law; 8] = [
        Law::Termination,
        Law::Determinism,
        Law::Options,
        Law::Canonical,
        Law::Printing,
        Law::Rank,
        Law::Values,
        Law::Sums,
    ];

    /// The word for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Law::Termination => "termination",
            Law::Determinism => "determinism",
            Law::Options => "options",
            Law::Canonical => "canonical",
            Law::Printing => "printing",
            Law::Rank => "rank",
            Law::Values => "values",
            Law::Sums => "sums",
        }
    }

    /// The law in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Law::Termination => "play comes to an end",
            Law::Determinism => "a position has the same options each time",
            Law::Options => "options are positions, each once",
            Law::Canonical => "a representative is its own, and of the same value",
            Law::Printing => "what is printed is read back",
            Law::Rank => "options come before their position in the order of the rules",
            Law::Values => "the engines agree with the definition",
            Law::Sums => "sums have the xor of the values, unsplit too",
        }
    }
}

/// The ruleset under check, and where to begin.
#[derive(Clone, Debug)]
pub struct RulesQuery {
    /// Its name in the notation.
    pub name: String,
    /// The ruleset.
    pub ruleset: AnyRuleset,
    /// Positions to begin with; small and random ones where there is none.
    pub from: Vec<AnyComponent>,
    /// Seed of random choices.
    pub seed: u64,
    /// Most positions that are looked at.
    pub positions: u64,
}

/// The first violation that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The position, in the notation.
    pub position: String,
    /// What is wrong there.
    pub what: String,
    /// A way round, from a position back to it; empty for other laws.
    pub cycle: Vec<String>,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct RulesAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The name of the ruleset.
    pub name: String,
    /// True if no law was violated, false if one was; None if a limit came before anything was known.
    pub accepted: Option<bool>,
    /// Which positions were looked at, for people.
    pub extent: String,
    /// True if all positions below the starts were looked at.
    pub is_whole: bool,
    /// How many times each law was tried.
    pub tried: Vec<(Law, u64)>,
    /// The first violation.
    pub violation: Option<Violation>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Why the walk ends.
enum Halt {
    Violated(Violation),
    Stopped(StopReason),
}

impl From<StopReason> for Halt {
    fn from(stop: StopReason) -> Self {
        Halt::Stopped(stop)
    }
}

/// Knows one ruleset by its name.
struct Only<'a> {
    name: &'a str,
    ruleset: &'a AnyRuleset,
}

impl Resolver for Only<'_> {
    fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved> {
        Err(Unresolved { message: format!("{file} is not read here"), hint: None })
    }

    fn ruleset(&self, name: &str) -> Option<AnyRuleset> {
        (name == self.name).then(|| self.ruleset.clone())
    }
}

/// Where a check begins.
struct Starts {
    positions: Vec<AnyComponent>,
    /// In words.
    text: String,
}

impl Session {
    /// Looks for a violation of the laws of rulesets.
    ///
    /// # Complexity
    /// The positions below the starts, up to [`RulesQuery::positions`], each with all its options, twice.
    ///
    /// # Errors
    /// A [`Refusal`] if no position to begin with is found.
    pub fn check_rules(&mut self, query: &RulesQuery, budget: &Budget) -> Result<RulesAnswer, Refusal> {
        let mut meter = Meter::new(budget);
        let starts = starts(query)?;
        let mut walk = Walk::new(query);
        let mut finished = 0;
        let mut ended: Option<Halt> = None;
        for start in &starts.positions {
            match walk.visit(start, &mut meter) {
                Ok(()) => finished += 1,
                Err(halt) => {
                    ended = Some(halt);
                    break;
                }
            }
        }
        let mut random = Random::new(query.seed);
        let is_whole = ended.is_none();
        if !matches!(ended, Some(Halt::Violated(_))) {
            // what was met so far is compared, even if not everything was met
            let later = walk.values(self, &mut random, &mut meter).and_then(|()| walk.sums(&mut random, &mut meter));
            if let Err(halt) = later
                && (ended.is_none() || matches!(halt, Halt::Violated(_)))
            {
                ended = Some(halt);
            }
        }
        let met = walk.finished();
        let (violation, stop) = match ended {
            Some(Halt::Violated(v)) => (Some(v), None),
            Some(Halt::Stopped(s)) => (None, Some(s)),
            None => (None, None),
        };
        let mut extent = match is_whole {
            true => format!("all {met} positions from {}", starts.text),
            false => format!(
                "sampled: {met} positions, from the first {finished} of {} starts: {}",
                starts.positions.len(),
                starts.text
            ),
        };
        if violation.is_some() {
            extent = format!("{met} positions before the violation");
        }
        let accepted = match (&violation, met) {
            (Some(_), _) => Some(false),
            (None, 0) => None,
            (None, _) if finished == 0 => None,
            (None, _) => Some(true),
        };
        // a bound that was asked for is no failure; the extent says how far it reached
        let stop = stop.filter(|s| accepted.is_none() || s.limit != Limit::Positions);
        Ok(RulesAnswer {
            header: Header {
                convention: Convention::Normal,
                status: match accepted {
                    Some(false) => Status::Computed,
                    Some(true) if is_whole => Status::Computed,
                    Some(true) => Status::Observed,
                    None => Status::Stopped,
                },
                method: "laws of rulesets, tried position by position".into(),
                sources: Vec::new(),
                stats: Stats { elapsed: meter.elapsed(), positions: met },
            },
            name: query.name.clone(),
            accepted,
            extent,
            is_whole,
            tried: walk.tried(),
            violation,
            stop,
        })
    }
}

/// Larger positions to begin with, chosen by chance.
const RANDOM: usize = 16;

fn starts(query: &RulesQuery) -> Result<Starts, Refusal> {
    if !query.from.is_empty() {
        let text = print_sum(&query.from);
        if !query.from.iter().any(|c| c.ruleset_name() == query.name) {
            return Err(Refusal {
                message: format!("{text} is no position of {}", query.name),
                hint: Some(format!("begin with a sum in which {} is played", query.name)),
            });
        }
        return Ok(Starts { positions: query.from.clone(), text });
    }
    let whole = match &query.ruleset {
        AnyRuleset::Custom(own) => own.start().map(|start| AnyComponent::Custom(own.clone(), start)),
        AnyRuleset::Board(BoardRuleset::Cells(game)) => Some(AnyComponent::Cells(game.clone(), game.whole())),
        _ => None,
    };
    if let Some(whole) = whole {
        return Ok(Starts { positions: vec![whole], text: format!("the whole board of {}", query.name) });
    }
    let lengths: Vec<usize> = match (&query.ruleset, query.ruleset.dimension()) {
        (_, Some(d)) => vec![d],
        (AnyRuleset::Heap(_), None) => vec![1],
        (AnyRuleset::Custom(own), None) if own.is_heap() => vec![1],
        _ => vec![1, 2, 3],
    };
    let mut positions = Vec::new();
    let mut bounds = Vec::new();
    for d in lengths {
        // so many numbers that their lists are some hundreds
        let bound = (1..=256u64).rev().find(|b| b.checked_pow(d as u32).is_some_and(|all| all <= 512)).unwrap_or(1);
        bounds.push(bound);
        let total = bound.pow(d as u32);
        for index in 0..total {
            let list: Vec<u64> = (0..d as u32).map(|i| index / bound.pow(i) % bound).collect();
            positions.extend(query.ruleset.components(&list).unwrap_or_default());
        }
    }
    positions.sort_by_key(|c| c.numbers().iter().sum::<u64>());
    positions.dedup();
    if positions.is_empty() {
        return Err(Refusal {
            message: format!("no list of small numbers is a position of {}", query.name),
            hint: Some(format!("name a position to begin with, as in --from '{}(4, 7)'", query.name)),
        });
    }
    let text = match bounds[..] {
        [bound] => format!("those of {} with numbers below {bound} and {RANDOM} random ones", query.name),
        _ => format!("those of {} with 1 to {} small numbers and {RANDOM} random ones", query.name, bounds.len()),
    };
    // all of them, and a few that are larger
    let mut random = Random::new(query.seed);
    let d = positions[0].numbers().len();
    for _ in 0..RANDOM {
        let list: Vec<u64> = (0..d).map(|_| random.below(4 * bounds[0])).collect();
        positions.extend(query.ruleset.components(&list).unwrap_or_default());
    }
    Ok(Starts { positions, text })
}

#[cfg(test)]
mod tests;
