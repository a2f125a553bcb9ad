//! The closed form of a heap game: the simplest that fits its values, with a proof for all heaps.

use std::{sync::Arc, time::Duration};

use grundy_core::{
    notation::formula::Formula,
    rulesets::{HeapGame, heap::ClosedForm},
    theory::{Convention, Periodicity},
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    discover::{Attempt, Discovery, Form, discover},
    plan::{default_to, is_fast},
    sequence::{ValueTable, observed_period},
};

/// Which closed form do the Grundy values of a game have?
#[derive(Clone, Debug)]
pub struct DiscoverQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// Last heap whose value may be looked at.
    pub to: u64,
}

/// Last heap looked at where nothing else is said.
pub const DISCOVER_TO: u64 = 1 << 12;

/// Last heaps looked at, one after another.
const STAGES: [u64; 3] = [1 << 8, 1 << 10, u64::MAX];

/// Longest time for values beyond the first ones, with which forms must agree.
pub(crate) const SOON: Duration = Duration::from_secs(1);

/// Longest time for the values by which a theorem may prove a period.
const LATE: Duration = Duration::from_secs(10);

/// What was found.
#[derive(Clone, Debug)]
pub struct DiscoverAnswer {
    /// Convention, status, method, sources, cost. Proved: the form is right for all heaps; conjectured: as far as was seen;
    /// bounded: no form of the kinds that were tried.
    pub header: Header,
    /// The game's name.
    pub game: String,
    /// The form.
    pub form: Option<Form>,
    /// Where there is no form: a formula that is outside the theory; it fits the values, or, if the status is proved, a theorem
    /// states it.
    pub guess: Option<Formula>,
    /// Last heap whose value was looked at.
    pub known_to: Option<u64>,
    /// Time of the search and the proof.
    pub proved_in: Option<Duration>,
    /// Forms that were tried and not proved, in order.
    pub attempts: Vec<Attempt>,
    /// Why the rule, or the guess, is outside the theory, if it is.
    pub outside: Option<String>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl Session {
    /// The simplest closed form of the values of a game, with its proof for all heaps where there is one.
    ///
    /// # Complexity
    /// That of the values up to `to`, and of one proof a form that fits them (see the module).
    pub fn discover(&mut self, query: &DiscoverQuery, budget: &Budget) -> DiscoverAnswer {
        let mut meter = Meter::new(budget);
        let game = &query.game;
        let mut answer = DiscoverAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Bounded,
                method: "forms that fit the first values, proved by automata".into(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game: game.name().to_owned(),
            form: None,
            guess: None,
            known_to: None,
            proved_in: None,
            attempts: Vec::new(),
            outside: None,
            stop: None,
        };
        self.discover_into(&mut answer, query, &mut meter);
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        if answer.header.status == Status::Proved {
            answer.proved_in = Some(meter.elapsed());
        }
        answer
    }

    /// The first values of a game, up to heap `to` or as far as they are cheap.
    fn first_values(&mut self, game: &Arc<HeapGame>, to: u64, meter: &Meter) -> Vec<u64> {
        let time = meter.time_left().map_or(SOON, |left| SOON.min(left / 8));
        // what stops this stops no more than this
        self.knowledge().sequence(game, to.min(DISCOVER_TO), &mut meter.for_time(time)).0
    }

    /// The period of a game that a theorem has proved by the values known so far.
    pub(crate) fn form_by_sequence(&mut self, game: &Arc<HeapGame>) -> Option<(Form, String, &'static str)> {
        let (sequence, _) = self.knowledge().run(game, 0, &mut Meter::unlimited());
        let (p, theorem) = (sequence.proved()?, sequence.theorem()?);
        let values: Vec<u64> = (0..p.preperiod + p.period).map(|n| sequence.value(n)).collect::<Option<_>>()?;
        Some((Form::periodic(p, &values), format!("the {}", theorem.name()), theorem.source()))
    }

    /// The period of a game that a theorem proves by the values up to heap `to`, if these are known soon enough.
    pub(crate) fn form_of_far_values(
        &mut self,
        game: &Arc<HeapGame>,
        to: u64,
        meter: &Meter,
    ) -> Result<Option<(Form, String, &'static str)>, StopReason> {
        let (_, stop) = self.knowledge().run(game, to, &mut meter.for_time(LATE));
        match (self.form_by_sequence(game), stop) {
            (None, Some(stop)) if stop.limit != Limit::Time || meter.time_left().is_some_and(|t| t.is_zero()) => {
                Err(stop)
            }
            (form, _) => Ok(form),
        }
    }

    fn discover_into(&mut self, answer: &mut DiscoverAnswer, query: &DiscoverQuery, meter: &mut Meter) {
        let game = &query.game;
        let mut proved = |form: Form, method: String, source: Option<&'static str>| {
            answer.form = Some(form);
            answer.header.status = Status::Proved;
            answer.header.method = method;
            answer.header.sources.extend(source);
        };
        if game.heap_of(0) != Some(0) {
            answer.outside = Some(format!("positions of {} are not heaps from 0 on", game.name()));
            return;
        }
        if let Some((p, values)) = self.knowledge().all_but(game) {
            let form = Form::periodic(*p, &values[..(p.preperiod + p.period) as usize]);
            return proved(form, "the state of the all-but set repeats".into(), Some("Sie13"));
        }
        let mut found = Discovery::default();
        let mut tried: Vec<Periodicity> = Vec::new();
        // a theorem is waited for no longer than that
        let known = self.first_values(game, query.to, meter);
        if let Some((form, method, source)) = self.form_by_sequence(game) {
            return proved(form, method, Some(source));
        }
        let theorem = game.closed_form();
        for to in STAGES.into_iter().map(|to| to.min(query.to)) {
            let (values, period, stop) = self.knowledge().sequence(game, to, meter);
            answer.known_to = (values.len().max(known.len()) as u64).checked_sub(1);
            if let (Some(_), Some((form, method, source))) = (period, self.form_by_sequence(game)) {
                return proved(form, method, Some(source));
            }
            let table: ValueTable = values.iter().copied().collect();
            let period = match observed_period(&table, meter) {
                Ok(p) => p.filter(|p| !tried.contains(p)),
                Err(s) => {
                    found.stop = Some(s);
                    break;
                }
            };
            tried.extend(period);
            let before = std::mem::take(&mut found);
            let seen = if known.len() > values.len() { &known } else { &values };
            let mut short = meter.for_time(SOON);
            let meter = if theorem.is_some() { &mut short } else { &mut *meter };
            found = discover(game.rule(), &values, seen, period.as_slice(), meter);
            found.attempts.splice(..0, before.attempts);
            found.stop = found.stop.or(stop);
            let is_outside = found.outside.is_some() && found.guess.is_none();
            if found.is_proved || is_outside || found.stop.is_some() || to == query.to || theorem.is_some() {
                break;
            }
        }
        if let Some(theorem) = theorem.filter(|_| !found.is_proved) {
            match by_theorem(theorem) {
                Ok(form) => return proved(form, theorem.theorem().into(), Some(theorem.source())),
                Err(Some(formula)) => {
                    answer.guess = Some(formula);
                    answer.header.status = Status::Proved;
                    answer.header.method = theorem.theorem().into();
                    answer.header.sources.push(theorem.source());
                    return;
                }
                Err(None) => {}
            }
        }
        if !found.is_proved && found.stop.is_none() && is_fast(game) {
            match self.form_of_far_values(game, default_to(game), meter) {
                Ok(Some((form, method, source))) => return proved(form, method, Some(source)),
                Ok(None) => {}
                Err(stop) => found.stop = Some(stop),
            }
        }
        for attempt in found.attempts {
            if !answer.attempts.contains(&attempt) {
                answer.attempts.push(attempt);
            }
        }
        answer.outside = found.outside.filter(|_| !found.is_proved);
        answer.stop = found.stop;
        if found.form.is_none() {
            answer.guess = found.guess;
        }
        answer.header.status = match (&found.form, found.is_proved) {
            (Some(_), true) => Status::Proved,
            (Some(_), false) => Status::Conjectured,
            (None, _) if answer.guess.is_some() => Status::Conjectured,
            (None, _) if answer.stop.is_some() => Status::Stopped,
            (None, _) => Status::Bounded,
        };
        if found.is_proved {
            answer.header.method =
                "no option has the value, and every smaller one has an option: decided by automata".into();
            answer.header.sources.extend(["B60", "BHMV94"]);
            answer.stop = None;
        }
        answer.form = found.form;
    }
}

/// The form that a theorem states, or its formula alone where the values have no period.
pub(crate) fn by_theorem(theorem: &ClosedForm) -> Result<Form, Option<Formula>> {
    let formula = || Formula::parse(&theorem.formula(), &["n"]).ok();
    let Some(p) = theorem.periodicity() else { return Err(formula()) };
    let count = p.preperiod.checked_add(p.period).filter(|count| *count <= LONGEST);
    let values = count.and_then(|count| (0..count).map(|n| theorem.value(n)).collect::<Option<Vec<u64>>>());
    values.map(|values| Form::periodic(p, &values)).ok_or_else(formula)
}

/// Most values that a form is made of.
const LONGEST: u64 = 1 << 20;
