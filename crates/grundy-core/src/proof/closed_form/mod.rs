//! Checks that a closed form gives the Grundy value of every heap of a rule.
//!
//! **Theorem.** A function g is the Grundy function of a rule if and only if for every n (E) no option of n has value g(n),
//! and (C) every v < g(n) is the value of an option of n, where the option a, b, … has value g(a) xor g(b) xor … . (Parts
//! are smaller than n: by induction g(n) is the mex of the true values of the options.)
//!
//! Both are decided for all n at once. A relation between numbers is held as an automaton that reads them in binary, side
//! by side (`automaton.rs`); sums, order, remainders and powers of two have small ones (`arithmetic.rs`), g has one
//! (`candidate.rs`), and "n has an option of value t" is put together from these as the rule says (`options.rs`). Then (E) is
//! that no pair n, t is in this relation with t = g(n), and (C) that all pairs with t < g(n) are: no complement is built, a
//! word of the second is looked for that is none of the first.
//!
//! What is wrong is shown by a heap, and said again by the definition wherever that has few enough options. A limit is
//! never an answer.
//!
//! # Sources
//! `[Spr35]`, `[Gru39]` for the theorem; `[Bue60]` for arithmetic by automata, `[DDHR06]` for the search among
//! sets of states.

mod arithmetic;
mod automaton;
mod candidate;
mod options;

use core::{cmp::Ordering, fmt, ops::ControlFlow};

pub use candidate::Candidate;

use self::{
    arithmetic::{Sum, not_all_equal},
    automaton::{Automaton, Effort, Letter, number},
    options::{N, T, V, Ways},
};
use crate::{
    ruleset::OptionSink,
    rulesets::heap::{Comparison, HeapRule},
    theory::mex,
};

/// A heap at which a closed form is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The heap.
    pub n: u64,
    /// What the closed form says of it.
    pub guessed: u64,
    /// Its Grundy value, where it was computed.
    pub actual: Option<u64>,
    /// Why that is wrong.
    pub why: Mistake,
}

/// Why a value cannot be the least that no option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An option has the same value; its parts, ascending, where they are known.
    OptionHasIt(Option<Vec<u64>>),
    /// No option has this smaller value.
    NoOptionHas(u64),
}

/// Why a closed form is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClosedFormError {
    /// The rule, or what it asks, is outside of what is decided here; the reason.
    OutOfTheory(String),
    /// The closed form is wrong.
    Refuted(Counterexample),
    /// The check would need more states than allowed, or was stopped; nothing is said about the claim.
    Limit(String),
    /// This is no function of n at all; the reason.
    Malformed(String),
}

impl fmt::Display for ClosedFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClosedFormError::OutOfTheory(reason)
            | ClosedFormError::Limit(reason)
            | ClosedFormError::Malformed(reason) => f.write_str(reason),
            ClosedFormError::Refuted(wrong) => wrong.fmt(f),
        }
    }
}

impl core::error::Error for ClosedFormError {}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample { n, guessed, actual, .. } = self;
        if let Some(actual) = actual {
            write!(f, "G({n}) = {actual}, not {guessed}: ")?;
        } else {
            write!(f, "G({n}) is not {guessed}: ")?;
        }
        match &self.why {
            Mistake::OptionHasIt(None) => f.write_str("an option has this value"),
            Mistake::OptionHasIt(Some(parts)) if parts.is_empty() => {
                f.write_str("the option to leave nothing has this value")
            }
            Mistake::OptionHasIt(Some(parts)) => {
                let parts: Vec<String> = parts.iter().map(u64::to_string).collect();
                write!(f, "the option to leave {} has this value", parts.join(" + "))
            }
            Mistake::NoOptionHas(v) => write!(f, "no option has value {v}"),
        }
    }
}

/// Heaps tried by the definition before anything is built, so that what is wrong early is told by its first heap.
const TRIED: u64 = 1 << 8;

/// Heaps and options looked at by the definition, before and after.
const TRIED_OPTIONS: u64 = 1 << 22;

/// Checks that `candidate` gives the Grundy value of heap n under `rule`, for all n; no automaton may have more than
/// `limit` states.
///
/// # Complexity
/// That of `automaton.rs`: at worst exponential in the number of states of the candidate, which the limit ends; for forms
/// with a period p and saltus s some p + s states, squared where heaps are broken.
///
/// # Errors
/// If the rule is outside of the theory, the closed form is wrong or no function, or the limit is reached.
///
/// # Examples
/// ```
/// use grundy_core::{
///     notation::read_heap_game,
///     proof::{Candidate, ClosedFormError, Mistake, check_closed_form},
/// };
/// let powers = read_heap_game("[take powers of 2]").unwrap();
/// let mod_3 = Candidate::Periodic { preperiod: 0, period: 3, saltus: 0, values: vec![0, 1, 2] };
/// assert_eq!(check_closed_form(powers.rule(), &mod_3, 10_000), Ok(()));
/// let lasker = read_heap_game("lasker").unwrap();
/// let n = Candidate::Periodic { preperiod: 0, period: 1, saltus: 1, values: vec![0] };
/// let Err(ClosedFormError::Refuted(wrong)) = check_closed_form(lasker.rule(), &n, 10_000) else { panic!() };
/// assert_eq!((wrong.n, wrong.why), (3, Mistake::OptionHasIt(Some(vec![1, 2]))));
/// ```
pub fn check_closed_form(rule: &HeapRule, candidate: &Candidate, limit: usize) -> Result<(), ClosedFormError> {
    check_closed_form_while(rule, candidate, limit, &mut || true)
}

/// As [`check_closed_form`], and stops with [`ClosedFormError::Limit`] once `go_on` says no; it is asked every some
/// thousand steps.
///
/// # Errors
/// As there.
pub fn check_closed_form_while(
    rule: &HeapRule,
    candidate: &Candidate,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ClosedFormError> {
    candidate.check_shape()?;
    let effort = &mut Effort::new(limit, go_on);
    let ways = Ways::of(rule, effort)?;
    if let Candidate::Automaton { .. } = candidate {
        check_function(&candidate.relation(N, V, effort)?, effort)?;
    }
    if let (Some(wrong), _) = first_mistake(rule, candidate, TRIED) {
        return Err(ClosedFormError::Refuted(wrong));
    }
    let g = candidate.relation(N, V, effort)?;
    let options = ways.values(&g, effort)?;
    // (E) no option of n has the value of n
    let same = g.rename(&[(N, N), (V, T)]);
    let mut with_it: Option<Vec<Letter>> = None;
    for way in &options {
        let word = Automaton::join(&[way, &same], N | T, effort)?.shortest(effort)?;
        with_it = [with_it, word].into_iter().flatten().min_by_key(Vec::len);
    }
    if let Some(word) = with_it {
        return Err(refuted(rule, candidate, &word, |_| Mistake::OptionHasIt(None)));
    }
    // (C) every smaller value is that of an option
    let less = Sum::of(&[(1, T), (-1, V)], 0).compare(Comparison::Less, effort)?;
    let wanted = Automaton::join(&[&g, &less], N | T, effort)?;
    let options = Automaton::union(&options, N | T).merge_by_past(effort)?;
    match wanted.shortest_outside(&options, effort)? {
        Some(word) => Err(refuted(rule, candidate, &word, Mistake::NoOptionHas)),
        None => Ok(()),
    }
}

/// Checks that every n has one value; by a formula it always has.
fn check_function(g: &Automaton, effort: &mut Effort) -> Result<(), ClosedFormError> {
    let malformed = |word: &[Letter], what: &str| {
        let n = number(word, N).map_or("a number beyond 64 bits".into(), |n| n.to_string());
        Err(ClosedFormError::Malformed(format!("the automaton accepts {what} for {n}")))
    };
    let other = g.rename(&[(N, N), (V, T)]);
    if let Some(word) = Automaton::join(&[g, &other, &not_all_equal(V | T)], N, effort)?.shortest(effort)? {
        return malformed(&word, "two values");
    }
    let defined = Automaton::join(&[g], N, effort)?;
    let all = Automaton { tracks: N, start: vec![0], edges: vec![vec![(0, 0), (N, 0)]], accept: vec![true] };
    match all.shortest_outside(&defined, effort)? {
        Some(word) => malformed(&word, "no value"),
        None => Ok(()),
    }
}

/// The error for what an automaton found: the heap and the value of a word. The definition has the last word, about every
/// heap up to that one, or about that one alone, unless there are too many options.
fn refuted(
    rule: &HeapRule,
    candidate: &Candidate,
    word: &[Letter],
    mistake: impl Fn(u64) -> Mistake,
) -> ClosedFormError {
    let (Some(n), Some(t)) = (number(word, N), number(word, T)) else {
        return ClosedFormError::Limit("the closed form is wrong, first for a heap beyond 64 bits".into());
    };
    let Some(guessed) = candidate.value(n) else {
        return ClosedFormError::Limit(format!("the closed form is wrong: its value of {n} has more than 64 bits"));
    };
    let (first, all) = first_mistake(rule, candidate, n.saturating_add(1));
    let alone = || mistake_at(rule, n, guessed, |p| candidate.value(p), &mut { TRIED_OPTIONS });
    let wrong = match (first, all) {
        (Some(first), _) => Some(first),
        (None, true) => None,
        (None, false) => match alone() {
            // what is right about the heaps below is not known
            Some(found) => found.map(|(_, why)| Counterexample { n, guessed, actual: None, why }),
            None => Some(Counterexample { n, guessed, actual: None, why: mistake(t) }),
        },
    };
    match wrong {
        Some(wrong) => ClosedFormError::Refuted(wrong),
        None => ClosedFormError::Limit(format!("the automata and the definition disagree about heap {n}")),
    }
}

/// The first heap below `end` at which the candidate is wrong, by the definition; and whether all were tried.
fn first_mistake(rule: &HeapRule, candidate: &Candidate, end: u64) -> (Option<Counterexample>, bool) {
    let mut values: Vec<u64> = Vec::new();
    let mut left = TRIED_OPTIONS;
    for n in 0..end {
        let Some(guessed) = candidate.value(n) else { return (None, false) };
        match mistake_at(rule, n, guessed, |p| values.get(p as usize).copied(), &mut left) {
            None => return (None, false),
            Some(None) => values.push(guessed),
            Some(Some((actual, why))) => {
                return (Some(Counterexample { n, guessed, actual: Some(actual), why }), true);
            }
        }
    }
    (None, true)
}

/// What is wrong with the value of heap n, and the right one, if these are the values below it; None if there are more options
/// than are left to be looked at.
fn mistake_at(
    rule: &HeapRule,
    n: u64,
    guessed: u64,
    value: impl Fn(u64) -> Option<u64>,
    left: &mut u64,
) -> Option<Option<(u64, Mistake)>> {
    // heaps without options cost something too
    *left = left.checked_sub(1)?;
    let mut same = None;
    let mut found = Vec::new();
    let mut known = true;
    let visit = |parts: &[u64]| match parts.iter().try_fold(0, |x, p| Some(x ^ value(*p)?)) {
        Some(v) => {
            if v == guessed && same.is_none() {
                same = Some(parts.to_vec());
            }
            found.push(v);
        }
        None => known = false,
    };
    if rule.each_option(n, &mut Tried { left, visit }).is_break() || !known {
        return None;
    }
    // a mex is at most the number of values
    let most = found.len() as u64;
    let actual = mex(found.into_iter().filter(|v| *v <= most));
    Some(match actual.cmp(&guessed) {
        Ordering::Equal => None,
        Ordering::Less => Some((actual, Mistake::NoOptionHas(actual))),
        Ordering::Greater => Some((actual, Mistake::OptionHasIt(same))),
    })
}

/// Visits options until so many were looked at.
struct Tried<'a, F> {
    left: &'a mut u64,
    visit: F,
}

impl<F: FnMut(&[u64])> OptionSink<u64> for Tried<'_, F> {
    fn push_sum(&mut self, parts: &[u64]) -> ControlFlow<()> {
        (self.visit)(parts);
        self.tick()
    }

    fn tick(&mut self) -> ControlFlow<()> {
        match self.left.checked_sub(1) {
            Some(left) => {
                *self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

#[cfg(test)]
mod tests;
