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
//! One product for (E), and for (C) a search that may meet exponentially many sets of the states of the options. The relation
//! of options is a projection for each number of heaps that a move may leave, and one for each alternative; none is made
//! deterministic, which for sums of heaps took far more states than the whole proof. What keeps them small is that states are
//! merged which lead to the same states.

use grundy_core::rulesets::heap::HeapRule;

use super::{
    Halt,
    atoms::{self, Linear},
    compile::{HEAP, Options, VALUE},
    relation::{Relation, Track, exists, find, find_outside, project},
};
use crate::budget::Meter;

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
    let options = Options::new(rule, graph).all(meter)?;
    if let Some(tuple) = find(&[graph, &options], meter)? {
        return Ok(Verdict::HasOption(number(&tuple, HEAP)));
    }
    let wanted = project(&[graph, &less], &[HEAP, LESS], meter)?.bisimilar(meter)?;
    let options = options.renamed(&[HEAP, LESS], meter)?;
    let found = find_outside(&wanted, &options, meter)?;
    Ok(match found {
        Some(tuple) => Verdict::LacksOption(number(&tuple, HEAP), number(&tuple, LESS)),
        None => Verdict::Proved,
    })
}
