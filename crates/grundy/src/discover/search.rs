//! The search for a closed form: values, the simplest forms that fit them, a proof of the first that has one.

use std::time::Duration;

use grundy_core::{notation::formula::Formula, proof::Candidate, rulesets::heap::HeapRule, theory::Periodicity};

use super::{
    Halt, atoms,
    compile::{HEAP, VALUE, graph, inside},
    learn::learn,
    prove::{Verdict, prove},
    readable::readable,
    relation::Relation,
    simple::simple_forms,
};
use crate::budget::{Budget, Limit, Meter, StopReason};

/// A function of the heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// As the checker of proofs reads it.
    pub candidate: Candidate,
    /// As people read it, where there is a formula of moderate length.
    pub formula: Option<Formula>,
}

impl Form {
    /// The form with this period; `values` are those of heaps `0 .. preperiod + period`.
    pub fn periodic(p: Periodicity, values: &[u64]) -> Self {
        let Periodicity { preperiod, period, saltus } = p;
        let candidate = Candidate::Periodic { preperiod, period, saltus, values: values.to_vec() };
        Form { candidate, formula: readable(p, values) }
    }

    /// The value of heap n; None if it does not fit.
    pub fn value(&self, n: u64) -> Option<u64> {
        self.candidate.value(n)
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.formula, &self.candidate) {
            (Some(formula), _) => formula.fmt(f),
            (None, Candidate::Periodic { preperiod, period, saltus, .. }) => {
                write!(f, "period {period}, preperiod {preperiod}, saltus {saltus}")
            }
            (None, Candidate::Automaton { next, .. }) => write!(f, "an automaton of {} states", next.len()),
        }
    }
}

/// A form that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The form, for people.
    pub form: String,
    /// What became of it, for people.
    pub outcome: String,
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    /// The form that was proved, or else one that was not refuted.
    pub form: Option<Form>,
    /// True if it was proved.
    pub is_proved: bool,
    /// A formula that fits the values, but is outside the theory.
    pub guess: Option<Formula>,
    /// Forms that were tried and refuted.
    pub attempts: Vec<Attempt>,
    /// Why the rule, or the guess, is outside the theory, if it is.
    pub outside: Option<String>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Most time and states that the proof of one form may take.
const MOST_TIME: Duration = Duration::from_secs(8);
const MOST_STATES: u64 = 1 << 22;

/// Most forms with operations on bits that are tried.
const MOST_FORMS: usize = 12;

/// Looks for a form of the first values of a rule; `periods` are those that these suggest, the best first.
///
/// Forms are made of `values`; `known` has these and may have more, with which a form must agree before a proof is tried.
pub fn discover(
    rule: &HeapRule,
    values: &[u64],
    known: &[u64],
    periods: &[Periodicity],
    meter: &mut Meter,
) -> Discovery {
    let mut found = Discovery::default();
    let values = Values { values, known };
    match found.run(rule, values, periods, meter) {
        Ok(()) => {}
        Err(Halt::Stop(stop)) => found.stop = Some(stop),
        Err(Halt::Outside(reason)) => found.outside = Some(reason),
    }
    found
}

/// The values that forms are made of, and those with which they must agree.
#[derive(Clone, Copy)]
struct Values<'a> {
    values: &'a [u64],
    known: &'a [u64],
}

impl Values<'_> {
    /// The first heap at which a form is wrong.
    fn first_wrong(self, form: &Form) -> Option<u64> {
        (0..).zip(self.known).find(|(n, v)| form.value(*n) != Some(**v)).map(|(n, _)| n)
    }
}

/// Values of a formula at heaps near and far, by which two formulas of one function are told to be that.
fn fingerprint(formula: &Formula) -> Vec<Option<i128>> {
    let far = [12, 20, 33, 47, 62].into_iter().flat_map(|e| (0..24).map(move |i| (1i128 << e) + 7 * i - 80));
    (0..64).chain(far).map(|n| formula.eval(&[n]).ok()).collect()
}

impl Discovery {
    fn run(&mut self, rule: &HeapRule, values: Values, periods: &[Periodicity], meter: &mut Meter) -> Result<(), Halt> {
        inside(rule, meter)?;
        for p in periods {
            let Some(first) = values.values.get(..(p.preperiod + p.period) as usize) else { continue };
            let form = Form::periodic(*p, first);
            if let Some(n) = values.first_wrong(&form) {
                self.refuted(&form, format!("wrong at heap {n}"));
                continue;
            }
            let graph = atoms::periodic([HEAP, VALUE], p.preperiod, p.period, p.saltus, first, meter)?;
            if self.prove(rule, form, &graph, meter)? {
                return Ok(());
            }
        }
        let mut tried = Vec::new();
        for formula in simple_forms(values.values).into_iter().take(MOST_FORMS) {
            let function = fingerprint(&formula);
            if tried.contains(&function) {
                continue;
            }
            tried.push(function);
            let is_wrong = |(n, v): (i128, &u64)| formula.eval(&[n]) != Ok(i128::from(*v));
            if let Some(n) = (0..).zip(values.known).position(is_wrong) {
                self.attempts.push(Attempt { form: formula.to_string(), outcome: format!("wrong at heap {n}") });
                continue;
            }
            let graph = match graph(&formula, meter) {
                Err(Halt::Outside(what)) => {
                    self.guess.get_or_insert(formula);
                    self.outside.get_or_insert(what);
                    continue;
                }
                graph => graph?,
            };
            let form = Form { candidate: table_of(&graph, meter)?, formula: Some(formula) };
            if self.prove(rule, form, &graph, meter)? {
                return Ok(());
            }
        }
        if let Some(graph) = learn(values.values, meter)? {
            let graph = graph.minimised(meter)?;
            let form = Form { candidate: table_of(&graph, meter)?, formula: None };
            // what is learnt may fail on values that decided nothing
            match values.first_wrong(&form) {
                Some(n) => self.refuted(&form, format!("wrong at heap {n}")),
                None => {
                    self.prove(rule, form, &graph, meter)?;
                }
            }
        }
        Ok(())
    }

    fn refuted(&mut self, form: &Form, outcome: String) {
        self.attempts.push(Attempt { form: form.to_string(), outcome });
    }

    /// True if the form is proved. It is kept as long as it is not refuted.
    fn prove(&mut self, rule: &HeapRule, form: Form, graph: &Relation, meter: &mut Meter) -> Result<bool, Halt> {
        if self.form.is_none() {
            self.form = Some(form.clone());
        }
        // one form must not take what all may
        let part = Budget {
            time: Some(meter.time_left().map_or(MOST_TIME, |left| left.min(MOST_TIME))),
            ..meter.part(MOST_STATES).budget().clone()
        };
        let verdict = match prove(rule, graph, &mut Meter::new(&part)) {
            Err(Halt::Stop(stop)) if is_own(&stop, meter) => {
                let reason = format!("not decided: {stop}");
                self.attempts.push(Attempt { form: form.to_string(), outcome: reason });
                return Ok(false);
            }
            verdict => verdict?,
        };
        let outcome = match verdict {
            Verdict::Proved => {
                (self.form, self.is_proved) = (Some(form), true);
                return Ok(true);
            }
            Verdict::NoValue(n) => format!("it has no value for heap {n}"),
            Verdict::HasOption(n) => format!("refuted: heap {n} has an option of the value that it gives heap {n}"),
            Verdict::LacksOption(n, v) => format!("refuted: heap {n} lacks an option of value {v}, which is less"),
        };
        if self.form.as_ref() == Some(&form) {
            self.form = None;
        }
        self.refuted(&form, outcome);
        Ok(false)
    }
}

/// True if a part stopped by its own limits and the whole may go on.
fn is_own(stop: &StopReason, meter: &Meter) -> bool {
    match stop.limit {
        Limit::Time => meter.time_left().is_none_or(|left| !left.is_zero()),
        Limit::Positions => meter.positions_left() > MOST_STATES,
        _ => false,
    }
}

/// A relation of heap and value as the checker of proofs reads it.
pub(crate) fn table_of(graph: &Relation, meter: &mut Meter) -> Result<Candidate, StopReason> {
    let (rows, accept) = graph.table(meter)?;
    let next = rows.iter().map(|row| [row[0], row[1], row[2], row[3]]).collect();
    Ok(Candidate::Automaton { next, accept })
}

/// The relation of heap and value of a form.
pub(crate) fn graph_of(form: &Form, meter: &mut Meter) -> Result<Relation, StopReason> {
    match &form.candidate {
        Candidate::Periodic { preperiod, period, saltus, values } => {
            atoms::periodic([HEAP, VALUE], *preperiod, *period, *saltus, values, meter)
        }
        Candidate::Automaton { next, accept } => Relation::explore(
            &[HEAP, VALUE],
            vec![0u32],
            |s, letter| next.get(*s as usize)?.get(letter as usize).copied(),
            |s| accept.get(*s as usize) == Some(&true),
            meter,
        ),
    }
}
