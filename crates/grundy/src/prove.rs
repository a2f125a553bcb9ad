//! Claims about a heap game, decided for all heaps.

use std::{sync::Arc, time::Duration};

use grundy_core::{
    notation::formula::{Claim, Formula},
    proof::Candidate,
    rulesets::HeapGame,
    theory::Convention,
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    check::{CheckQuery, Counterexample, Guess},
    closed_form::{DISCOVER_TO, DiscoverQuery, SOON, by_theorem},
    compare::{CompareQuery, Difference},
    discover::{
        Form, HEAP, Halt, Linear, Relation, VALUE, Verdict, at_most_zero, claim, equal_zero, exists, find, graph,
        graph_of, prove, table_of,
    },
    plan::{default_to, is_fast},
    session::Refusal,
};

/// What is claimed for all heaps.
#[derive(Clone, Debug)]
pub enum HeapClaim {
    /// The Grundy value of heap n is the value of this formula in n.
    Formula(Formula),
    /// The other game has the same values.
    Equal(Arc<HeapGame>),
    /// The heaps of value 0 are those for which this condition on n holds; without one, which heaps are they?
    Zeros(Option<Claim>),
    /// No value is larger than some number.
    Bounded,
}

/// Does a claim hold for all heaps of a game?
#[derive(Clone, Debug)]
pub struct ProveQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// The claim.
    pub claim: HeapClaim,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct ProveAnswer {
    /// Convention, status, method, sources, cost. Proved: it holds for all heaps. Computed: it does not.
    pub header: Header,
    /// The game's name.
    pub game: String,
    /// The claim in one sentence.
    pub claim: String,
    /// True or false, or None if it was not decided.
    pub holds: Option<bool>,
    /// The smallest heap at which a formula, or the claim about zeros, is wrong.
    pub counterexample: Option<Counterexample>,
    /// The smallest heap at which two games differ.
    pub difference: Option<Difference>,
    /// The values of the game.
    pub form: Option<Form>,
    /// What else is known, for people: the least bound, the heaps of value 0.
    pub note: Option<String>,
    /// Time until it was proved.
    pub proved_in: Option<Duration>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// A form, the theorem that gives it, and a key of `SOURCES.md`.
type ByTheorem = (Form, String, Option<&'static str>);

/// Heaps at which a claim is tried before it is proved.
const TRIED: u64 = 1 << 9;

/// Heaps up to which the smallest counterexample is looked for by plain evaluation.
const MOST_EVALUATED: u128 = 1 << 14;

impl Session {
    /// Proves or refutes a claim for all heaps.
    ///
    /// # Complexity
    /// That of the sentences about automata (see the module), after a look at the first 512 heaps.
    ///
    /// # Errors
    /// A [`Refusal`] if the rule or the formula is outside the theory, with what to ask instead.
    pub fn prove(&mut self, query: &ProveQuery, budget: &Budget) -> Result<ProveAnswer, Refusal> {
        let mut meter = Meter::new(budget);
        let game = &query.game;
        let name = game.name();
        let claim = match &query.claim {
            HeapClaim::Formula(f) => format!("the Grundy value of heap n of {name} is {f}"),
            HeapClaim::Equal(other) => format!("{name} and {} have the same Grundy values", other.name()),
            HeapClaim::Zeros(Some(c)) => {
                format!("the heaps of value 0 of {name} are those with {}", c.condition().display(c.variables()))
            }
            HeapClaim::Zeros(None) => format!("of {name} some heaps have value 0"),
            HeapClaim::Bounded => format!("the Grundy values of {name} are bounded"),
        };
        let mut answer = ProveAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Stopped,
                method: String::new(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game: name.to_owned(),
            claim,
            holds: None,
            counterexample: None,
            difference: None,
            form: None,
            note: None,
            proved_in: None,
            stop: None,
        };
        let decided = match &query.claim {
            HeapClaim::Formula(formula) => match self.prove_formula(&mut answer, game, formula, budget, &mut meter) {
                Err(Halt::Outside(_)) if is_that_of_a_theorem(&mut answer, game, formula) => Ok(()),
                decided => decided,
            },
            HeapClaim::Equal(other) => self.prove_equal(&mut answer, game, other, budget, &mut meter),
            HeapClaim::Zeros(condition) => self.prove_zeros(&mut answer, game, condition.as_ref(), &mut meter),
            HeapClaim::Bounded => self.prove_bounded(&mut answer, game, &mut meter),
        };
        match decided {
            Ok(()) => {}
            Err(Halt::Stop(stop)) => answer.stop = Some(stop),
            Err(Halt::Outside(what)) => {
                let hint = match &query.claim {
                    HeapClaim::Formula(f) => {
                        format!("a finite range can be checked: grundy check '{name}' '{f}' --to 100000")
                    }
                    HeapClaim::Equal(other) => format!(
                        "a finite range can be compared: grundy compare '{name}' '{}' --to 100000",
                        other.name()
                    ),
                    _ => format!("the first values: grundy sequence '{name}' --to 1000"),
                };
                return Err(Refusal { message: format!("outside what automata can decide: {what}"), hint: Some(hint) });
            }
        }
        if answer.holds.is_some() {
            answer.stop = None;
        }
        answer.header.status = match answer.holds {
            Some(true) => Status::Proved,
            // by the form of all values, not by one heap
            Some(false) if matches!(query.claim, HeapClaim::Bounded) => Status::Proved,
            Some(false) => Status::Computed,
            None => Status::Stopped,
        };
        if answer.holds == Some(true) {
            answer.proved_in = Some(meter.elapsed());
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn prove_formula(
        &mut self,
        answer: &mut ProveAnswer,
        game: &Arc<HeapGame>,
        formula: &Formula,
        budget: &Budget,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        starts_at_zero(game)?;
        let check = |session: &mut Session, to: u64, answer: &mut ProveAnswer| {
            let query = CheckQuery { game: game.clone(), guess: Guess::Formula(formula.clone()), to };
            answer.counterexample = session.check(&query, budget).counterexample;
            if answer.counterexample.is_some() {
                answer.holds = Some(false);
                answer.header.method = "values compared heap by heap".into();
            }
            answer.counterexample.is_some()
        };
        if check(self, TRIED, answer) {
            return Ok(());
        }
        let claimed = graph(formula, meter)?;
        // what a theorem knows is only compared
        if let Some((form, method, source)) = self.form_by_theorem(game, meter)? {
            let known = graph_of(&form, meter)?;
            answer.header.method = format!("{method}; that the formula gives these values was decided by automata");
            answer.header.sources.extend(source);
            answer.form = Some(form);
            match differ(&known, &claimed, meter)? {
                None => answer.holds = Some(true),
                Some(n) => {
                    answer.holds = Some(false);
                    self.refute(answer, n, |s, to, a| check(s, to, a));
                }
            }
            return Ok(());
        }
        answer.header.method =
            "no option has the value, and every smaller one has an option: decided by automata".into();
        answer.header.sources.extend(["B60", "BHMV94"]);
        match prove(game.rule(), &claimed, meter)? {
            Verdict::Proved => {
                answer.holds = Some(true);
                answer.form = Some(Form { candidate: table_of(&claimed, meter)?, formula: Some(formula.clone()) });
            }
            Verdict::NoValue(n) | Verdict::HasOption(n) | Verdict::LacksOption(n, _) => {
                answer.holds = Some(false);
                self.refute(answer, n, |s, to, a| check(s, to, a));
            }
        }
        Ok(())
    }

    /// Looks for the smallest counterexample by plain evaluation, given one.
    fn refute(
        &mut self,
        answer: &mut ProveAnswer,
        n: u128,
        check: impl FnOnce(&mut Session, u64, &mut ProveAnswer) -> bool,
    ) {
        let found = n <= MOST_EVALUATED && check(self, n as u64, answer);
        answer.holds = Some(false);
        if !found {
            answer.note = Some(format!("it fails at or below heap {n}, too far for plain evaluation"));
        }
    }

    /// The values of a game that a theorem knows.
    fn form_by_theorem(&mut self, game: &Arc<HeapGame>, meter: &mut Meter) -> Result<Option<ByTheorem>, Halt> {
        if let Some((p, values)) = self.knowledge().all_but(game) {
            let form = Form::periodic(*p, &values[..(p.preperiod + p.period) as usize]);
            return Ok(Some((form, "the state of the all-but set repeats".into(), Some("Sie13"))));
        }
        if game.rule().period_theorem().is_none() {
            return Ok(None);
        }
        let to = if is_fast(game) { default_to(game) } else { DISCOVER_TO };
        let known = self.form_of_far_values(game, to, meter)?;
        Ok(known.map(|(form, method, source)| (form, method, Some(source))))
    }

    /// A proved form of a game, by theorem or discovered. None, with a note in the answer, if none is found.
    fn proved_form(
        &mut self,
        answer: &mut ProveAnswer,
        game: &Arc<HeapGame>,
        meter: &Meter,
    ) -> Result<Option<Form>, Halt> {
        starts_at_zero(game)?;
        let found = self.discover(&DiscoverQuery { game: game.clone(), to: DISCOVER_TO }, &meter.rest());
        if found.header.status == Status::Proved
            && let Some(form) = found.form
        {
            answer.header.method = found.header.method;
            answer.header.sources.extend(found.header.sources);
            return Ok(Some(form));
        }
        match (found.stop, found.outside, found.header.status) {
            (_, _, Status::Proved) => {
                let formula = found.guess.map_or(String::new(), |f| format!(": {f}"));
                Err(Halt::outside(format!(
                    "the values of {}, of which a theorem states a formula{formula}",
                    game.name()
                )))
            }
            (Some(stop), ..) => Err(stop.into()),
            (None, Some(outside), _) => Err(Halt::Outside(outside)),
            (None, None, _) => {
                answer.note = Some(format!("no closed form of {} was found", game.name()));
                answer.header.method = "the claim is decided by a closed form of the values".into();
                Ok(None)
            }
        }
    }

    fn prove_equal(
        &mut self,
        answer: &mut ProveAnswer,
        left: &Arc<HeapGame>,
        right: &Arc<HeapGame>,
        budget: &Budget,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        let compare = |session: &mut Session, to: u64, budget: &Budget, answer: &mut ProveAnswer| {
            let query = CompareQuery { left: left.clone(), right: right.clone(), to };
            let compared = session.compare(&query, budget);
            answer.difference = compared.first_difference;
            if compared.header.status == Status::Proved {
                answer.holds = Some(true);
                answer.header = compared.header;
            } else if answer.difference.is_some() {
                answer.holds = Some(false);
                answer.header.method = "values compared heap by heap".into();
            }
            answer.holds.is_some()
        };
        let soon = meter.time_left().map_or(SOON, |left| SOON.min(left / 8));
        if compare(self, DISCOVER_TO, meter.for_time(soon).budget(), answer) {
            return Ok(());
        }
        // the form of either one will do
        let (form, other) = match self.proved_form(answer, left, meter) {
            Ok(Some(form)) => (form, right),
            first => match self.proved_form(answer, right, meter) {
                Ok(Some(form)) => (form, left),
                _ => return first.map(drop),
            },
        };
        answer.note = None;
        starts_at_zero(other)?;
        let known = graph_of(&form, meter)?;
        let wrong = match self.form_by_theorem(other, meter)? {
            Some((second, method, source)) => {
                answer.header.method = format!("{}; {method}", answer.header.method);
                answer.header.sources.extend(source);
                differ(&known, &graph_of(&second, meter)?, meter)?
            }
            None => match prove(other.rule(), &known, meter)? {
                Verdict::Proved => None,
                Verdict::NoValue(n) | Verdict::HasOption(n) | Verdict::LacksOption(n, _) => Some(n),
            },
        };
        answer.form = Some(form);
        match wrong {
            None => answer.holds = Some(true),
            Some(n) => self.refute(answer, n, |s, to, a| compare(s, to, budget, a)),
        }
        Ok(())
    }

    fn prove_zeros(
        &mut self,
        answer: &mut ProveAnswer,
        game: &Arc<HeapGame>,
        condition: Option<&Claim>,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        if let Some(condition) = condition
            && starts_at_zero(game).is_ok()
        {
            let soon = meter.time_left().map_or(SOON, |left| SOON.min(left / 8));
            let (values, ..) = self.knowledge().sequence(game, DISCOVER_TO, &mut meter.for_time(soon));
            answer.counterexample = first_wrong_zero(condition, values.len() as u64, |n| Some(values[n as usize]));
            if answer.counterexample.is_some() {
                answer.holds = Some(false);
                answer.header.method = "values compared heap by heap".into();
                return Ok(());
            }
        }
        let Some(form) = self.proved_form(answer, game, meter)? else { return Ok(()) };
        let Some(condition) = condition else {
            answer.claim = format!("of {} {}", answer.game, zeros(&form));
            answer.holds = Some(true);
            answer.form = Some(form);
            return Ok(());
        };
        let zero = equal_zero(&Linear::track(VALUE), meter)?;
        let known = exists(&[&graph_of(&form, meter)?, &zero], &[HEAP], meter)?;
        let (yes, no) = claim(condition.condition(), 1, meter)?;
        let extra = find(&[&yes, &known.not(meter)?], meter)?;
        let wrong = match extra {
            Some(tuple) => Some(tuple),
            None => find(&[&known, &yes.not(meter)?], meter)?,
        };
        drop(no);
        answer.holds = Some(wrong.is_none());
        if let Some(tuple) = wrong {
            let limit = tuple.first().map_or(0, |(_, n)| *n).min(MOST_EVALUATED) as u64;
            answer.counterexample = first_wrong_zero(condition, limit + 1, |n| form.value(n));
            if answer.counterexample.is_none()
                && let Some((_, n)) = tuple.first()
            {
                answer.note = Some(format!("it fails at or below heap {n}, too far for plain evaluation"));
            }
        }
        answer.form = Some(form);
        Ok(())
    }

    fn prove_bounded(&mut self, answer: &mut ProveAnswer, game: &Arc<HeapGame>, meter: &mut Meter) -> Result<(), Halt> {
        let Some(form) = self.proved_form(answer, game, meter)? else { return Ok(()) };
        let bound = match &form.candidate {
            Candidate::Periodic { saltus: 0, values, .. } => values.iter().max().map(|m| u128::from(*m)),
            Candidate::Periodic { .. } => None,
            Candidate::Automaton { .. } => {
                let values = exists(&[&graph_of(&form, meter)?], &[VALUE], meter)?;
                // a path without a loop has no more letters than states
                let states = values.states().min(100) as u32;
                let far = Linear { terms: vec![(VALUE, -1)], constant: 1 << states };
                match find(&[&values, &at_most_zero(&far, meter)?], meter)? {
                    Some(_) => None,
                    None => (0..1u128 << states.min(20)).rev().find(|v| values.contains(&[*v])),
                }
            }
        };
        answer.holds = Some(bound.is_some());
        answer.note = Some(match bound {
            Some(bound) => format!("the largest value is {bound}"),
            None => format!("they grow without bound: {form}"),
        });
        answer.form = Some(form);
        Ok(())
    }
}

/// True if the formula is the one that a theorem states.
fn is_that_of_a_theorem(answer: &mut ProveAnswer, game: &HeapGame, formula: &Formula) -> bool {
    let Some(theorem) = game.closed_form().filter(|_| game.heap_of(0) == Some(0)) else { return false };
    if Formula::parse(&theorem.formula(), &["n"]).as_ref() != Ok(formula) {
        return false;
    }
    answer.holds = Some(true);
    answer.header.method = theorem.theorem().into();
    answer.header.sources = vec![theorem.source()];
    answer.form = by_theorem(theorem).ok();
    true
}

/// The first of the heaps below `end` whose value is 0 where the condition denies it, or not where it says so.
fn first_wrong_zero(condition: &Claim, end: u64, value: impl Fn(u64) -> Option<u64>) -> Option<Counterexample> {
    (0..end).find_map(|n| {
        let actual = value(n)?;
        let says = condition.eval(&[n.into()]);
        (says != Ok(actual == 0)).then(|| Counterexample {
            n,
            guessed: match says {
                Ok(true) => "0".into(),
                Ok(false) => "not 0".into(),
                Err(e) => format!("undefined ({e})"),
            },
            actual,
            why: format!("{} option of heap {n} has value 0", if actual == 0 { "no" } else { "an" }),
            line: None,
        })
    })
}

fn starts_at_zero(game: &HeapGame) -> Result<(), Halt> {
    match game.heap_of(0) {
        Some(0) => Ok(()),
        _ => Err(Halt::outside(format!("positions of {} are not heaps from 0 on", game.name()))),
    }
}

/// A heap at which two functions differ, if there is one: where the second has another value than the first, or none.
fn differ(first: &Relation, second: &Relation, meter: &mut Meter) -> Result<Option<u128>, StopReason> {
    let tuple = find(&[first, &second.not(meter)?], meter)?;
    Ok(tuple.and_then(|t| t.iter().find(|(track, _)| *track == HEAP).map(|(_, n)| *n)))
}

/// The heaps of value 0 in words.
fn zeros(form: &Form) -> String {
    let Candidate::Periodic { preperiod, period, saltus, values } = &form.candidate else {
        let few: Vec<String> =
            (0..1000).filter(|n| form.value(*n) == Some(0)).take(12).map(|n| n.to_string()).collect();
        return format!("the heaps of value 0 begin with {}", few.join(", "));
    };
    let is_zero = |n: &u64| values.get(*n as usize) == Some(&0);
    let mut parts: Vec<String> = (0..*preperiod).filter(is_zero).map(|n| format!("n = {n}")).collect();
    for n in (*preperiod..preperiod + period).filter(is_zero) {
        parts.push(match (saltus, period) {
            (0, 1) => format!("n >= {preperiod}"),
            (0, _) if *preperiod == 0 => format!("n mod {period} = {}", n % period),
            (0, _) => format!("n >= {preperiod} and n mod {period} = {}", n % period),
            _ => format!("n = {n}"),
        });
    }
    if parts.is_empty() {
        "no heap has value 0".into()
    } else {
        format!("a heap has value 0 if and only if {}", parts.join(" or "))
    }
}
