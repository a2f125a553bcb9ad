//! The closed form of a heap game: the simplest that fits its values, with a proof for all heaps.

use std::{sync::Arc, time::Duration};

use grundy_core::{
    notation::formula::Formula,
    rulesets::HeapGame,
    theory::{Convention, Periodicity},
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    discover::{Attempt, Discovery, Form, discover},
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
    /// Where there is no form: a formula that fits the values, but is outside the theory.
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
        for to in STAGES.into_iter().map(|to| to.min(query.to)) {
            let (values, period, stop) = self.knowledge().sequence(game, to, meter);
            answer.known_to = (values.len() as u64).checked_sub(1);
            if let Some(p) = period {
                let (sequence, _) = self.knowledge().run(game, 0, meter);
                let theorem = sequence.theorem();
                let all: Option<Vec<u64>> = (0..p.preperiod + p.period).map(|n| sequence.value(n)).collect();
                if let Some(all) = all {
                    let name = theorem.map_or("", |t| t.name());
                    return proved(Form::periodic(p, &all), format!("the {name}"), theorem.map(|t| t.source()));
                }
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
            found = discover(game.rule(), &values, period.as_slice(), meter);
            found.attempts.splice(..0, before.attempts);
            found.stop = found.stop.or(stop);
            let is_outside = found.outside.is_some() && found.guess.is_none();
            if found.is_proved || is_outside || found.stop.is_some() || to == query.to {
                break;
            }
        }
        answer.attempts = found.attempts;
        answer.attempts.dedup();
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
