//! Is a candidate the Grundy function of a rule, for all heaps?
//!
//! A function g is the Grundy function of a rule iff for every n
//!
//! * (E) no option of n has value g(n), and
//! * (C) every v < g(n) is the value of some option of n,
//!
//! where options have the values that g gives them: by induction on n, since the mex has one solution. With g an automatic
//! relation and a rule of the theory both are sentences about automatic relations, and so decidable. That g has a value
//! everywhere is asked too; that it has one only follows from (E) and (C).
//!
//! # Complexity
//! One product for (E) and one for (C). What costs is the relation of options: one projection for each number of heaps that
//! a move may leave, and one for each alternative, each of which may in theory square or exponentiate the states.

use grundy_core::rulesets::heap::HeapRule;

use super::{
    Halt,
    atoms::{self, Linear},
    compile::{HEAP, Options, VALUE},
    relation::{Relation, Track, exists, find, find_outside},
};
use crate::budget::{Limit, Meter};

/// A value below that of the heap.
const LESS: Track = 2;

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is the Grundy function.
    Proved,
    /// It has no value for this heap.
    NoValue(u128),
    /// This heap has an option of the value that the candidate gives it.
    HasOption(u128),
    /// This heap, of this candidate value, lacks an option of the smaller value.
    LacksOption(u128, u128),
}

/// Decides whether `graph`, on the tracks [`HEAP`] and [`VALUE`], is the Grundy function of the rule. A refutation names a
/// heap with the fewest binary digits among those at which the conditions fail.
///
/// # Errors
/// Out of the theory, or the meter's stop.
pub(crate) fn prove(rule: &HeapRule, graph: &Relation, meter: &mut Meter) -> Result<Verdict, Halt> {
    let heaps = exists(&[graph], &[HEAP], meter)?.not(meter)?;
    let number = |tuple: &[(Track, u128)], track| tuple.iter().find(|(t, _)| *t == track).map_or(0, |(_, x)| *x);
    if let Some(tuple) = find(&[&heaps], meter)? {
        return Ok(Verdict::NoValue(number(&tuple, HEAP)));
    }
    let less = Linear { terms: vec![(VALUE, -1), (LESS, 1)], constant: 1 };
    let less = atoms::at_most_zero(&less, meter)?;
    let part = &mut meter.part(FEW_STATES);
    let (options, missing) = match closed(rule, graph, part) {
        Err(Halt::Stop(stop)) if stop.limit == Limit::Positions && meter.positions_left() > FEW_STATES => {
            (Options::open(rule, graph).all(meter)?, None)
        }
        closed => closed.map(|(options, missing)| (options, Some(missing)))?,
    };
    if let Some(tuple) = find(&[graph, &options], meter)? {
        return Ok(Verdict::HasOption(number(&tuple, HEAP)));
    }
    let found = match missing {
        Some(missing) => find(&[graph, &less, &missing.renamed(&[HEAP, LESS])], meter)?,
        None => find_outside(&[graph, &less], &options, [HEAP, LESS], meter)?,
    };
    Ok(match found {
        Some(tuple) => Verdict::LacksOption(number(&tuple, HEAP), number(&tuple, LESS)),
        None => Verdict::Proved,
    })
}

/// States up to which relations are made deterministic: then they are the smallest, if it ends.
const FEW_STATES: u64 = 1 << 16;

/// The options and what they are not.
fn closed(rule: &HeapRule, graph: &Relation, meter: &mut Meter) -> Result<(Relation, Relation), Halt> {
    let options = Options::new(rule, graph).all(meter)?;
    let missing = options.not(meter)?;
    Ok((options, missing))
}
