//! The period of a heap game: proved, observed, excluded up to a bound, or impossible; never more than is known.

use std::sync::Arc;

use grundy_core::{
    rulesets::{HeapGame, heap::ClosedForm},
    theory::{Convention, Periodicity, period::PeriodTheorem},
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    discover::{Form, Halt, Verdict, graph_of, prove},
    plan::{ValuePlan, is_fast},
    sequence::{Sequence, TURNS, observed_period, proved_period_of},
};

pub use crate::plan::default_to;

/// Which period do the Grundy values of a game have?
#[derive(Clone, Debug)]
pub struct PeriodQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// Last heap whose value may be computed; where left out, [`default_to`].
    pub to: Option<u64>,
    /// Only a proof will do: where a theorem can give one, a move leaves at most two heaps and `to` is left out, go on
    /// until it does or the budget ends; where none can, let automata decide whether the period that was seen is one.
    pub prove: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// G(n + p) = G(n) + s from the preperiod on: for ever if the status is proved, as far as was seen if it is observed.
    Periodic(Periodicity),
    /// No such equation holds, whatever the numbers; the reason.
    Never(&'static str),
    /// No period short enough for the theorem's bound (status bounded).
    Excluded,
    /// No theorem applies and no regularity was seen.
    Nothing,
}

/// The period of a game, and how sure it is.
#[derive(Clone, Debug)]
pub struct PeriodAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The game's name.
    pub game: String,
    /// What was found.
    pub finding: Finding,
    /// The theorem on which the answer rests.
    pub theorem: Option<&'static str>,
    /// Proved: the number of values that the theorem needed. Bounded: the number of values that exclude a period. None
    /// where no finite number of values is the proof.
    pub bound: Option<u64>,
    /// Last heap whose value was computed.
    pub known_to: Option<u64>,
    /// The greatest value: of all heaps if the period is proved and the saltus 0, else of those computed.
    pub max: Option<u64>,
    /// What is claimed, in one sentence.
    pub statement: String,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl PeriodAnswer {
    /// The period, if one was proved or observed.
    pub fn period(&self) -> Option<Periodicity> {
        match self.finding {
            Finding::Periodic(p) => Some(p),
            _ => None,
        }
    }
}

/// Most values of a closed form that are looked at for their maximum.
const FEW: u64 = 1 << 20;

/// The answer without its cost.
struct Found {
    status: Status,
    finding: Finding,
    theorem: Option<&'static str>,
    source: Option<&'static str>,
    bound: Option<u64>,
    max: Option<u64>,
    method: String,
    statement: String,
}

impl Found {
    fn saltus(&self) -> u64 {
        match self.finding {
            Finding::Periodic(p) => p.saltus,
            _ => 0,
        }
    }
}

impl Session {
    /// The period of a game with its status.
    ///
    /// Proved by a closed form, by the state of an all-but set, or by a theorem that needs finitely many values, all of
    /// them computed. Observed where at least three periods were seen and no proof is known. Bounded where a theorem
    /// applies and the values exclude every period that it could have proved by now.
    ///
    /// # Complexity
    /// That of the values up to `to`, or up to the proof.
    pub fn period(&mut self, query: &PeriodQuery, budget: &Budget) -> PeriodAnswer {
        let mut meter = Meter::new(budget);
        let game = &query.game;
        let mut known_to = None;
        let mut stop = None;
        let found = if let Some(form) = game.closed_form() {
            by_closed_form(form)
        } else if let Some((p, values)) = self.all_but(game) {
            known_to = (values.len() as u64).checked_sub(1);
            by_state(*p, values)
        } else {
            let far = if query.prove && is_fast(game) { u64::MAX } else { default_to(game) };
            let shift = game.heap_of(0).unwrap_or(0);
            let to = query.to.map_or(far, |to| to.saturating_add(shift));
            let (sequence, stopped) = self.knowledge().run(game, to, &mut meter);
            known_to = (sequence.table().len() as u64).checked_sub(1 + shift);
            stop = stopped.map(|s| match known_to {
                Some(last) => s.reached(format!("values are known to heap {last}")),
                None => s.reached("no value was computed"),
            });
            let (mut found, unseen) = by_values(sequence, shift, &mut meter);
            // where a theorem needs no more than more values it is the proof of choice
            let wanted = !is_fast(game) || found.saltus() > 0;
            if query.prove && shift == 0 && found.status == Status::Observed && wanted {
                match prove_observed(&mut found, game, sequence, &meter) {
                    Err(Halt::Outside(what)) => found.method.push_str(&format!(", nor can automata: {what}")),
                    Err(Halt::Stop(s)) if s.limit == Limit::Positions => {
                        found.method.push_str(&format!(", nor do automata of {MOST_STATES} states"));
                    }
                    Err(Halt::Stop(s)) => stop = Some(s.reached("the period that was seen is not proved")),
                    Ok(()) => {}
                }
            }
            if let Some(s) = unseen {
                stop.get_or_insert(s.reached("the values were not searched for a regularity"));
            }
            found
        };
        let status = if stop.is_some() && found.finding == Finding::Nothing { Status::Stopped } else { found.status };
        PeriodAnswer {
            header: Header {
                convention: Convention::Normal,
                status,
                method: found.method,
                sources: found.source.into_iter().collect(),
                stats: Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() },
            },
            game: game.name().to_owned(),
            finding: found.finding,
            theorem: found.theorem,
            bound: found.bound,
            known_to,
            max: found.max,
            statement: found.statement,
            stop,
        }
    }

    /// The period of an all-but set; None for other games, and where the state did not repeat in time.
    fn all_but(&mut self, game: &Arc<HeapGame>) -> Option<&(Periodicity, Vec<u64>)> {
        if ValuePlan::of_heap_game(game) != ValuePlan::AllBut {
            return None;
        }
        self.knowledge().all_but(game)
    }
}

/// G(n + 12) = G(n) for all n >= 71.
fn equation(p: Periodicity) -> String {
    let saltus = if p.saltus > 0 { format!(" + {}", p.saltus) } else { String::new() };
    format!("G(n + {}) = G(n){saltus} for all n >= {}", p.period, p.preperiod)
}

/// `closed form, G(n) = n mod 3`; a recurrence speaks of smaller heaps, and cases have equals signs of their own.
fn told(formula: &str) -> String {
    let kind = if formula.contains("G(") { "recurrence" } else { "closed form" };
    let sign = if formula.contains(':') { ":" } else { " =" };
    format!("{kind}, G(n){sign} {formula}")
}

fn by_closed_form(form: &ClosedForm) -> Found {
    let (finding, statement, max) = match form.periodicity() {
        Some(p) => {
            let all = p.preperiod.checked_add(p.period).filter(|all| *all <= FEW && p.saltus == 0);
            let max = all.and_then(|all| (0..all).filter_map(|n| form.value(n)).max());
            (Finding::Periodic(p), equation(p), max)
        }
        None => {
            let why = form.why_no_period();
            (Finding::Never(why), format!("the values have no period, with or without a saltus: {why}"), None)
        }
    };
    Found {
        status: Status::Proved,
        finding,
        theorem: Some(form.theorem()),
        source: Some(form.source()),
        bound: None,
        max,
        method: told(&form.formula()),
        statement,
    }
}

fn by_state(p: Periodicity, values: &[u64]) -> Found {
    Found {
        status: Status::Proved,
        finding: Finding::Periodic(p),
        theorem: Some("the state of an all-but set repeats"),
        source: Some("SS12"),
        bound: None,
        max: if p.saltus == 0 { values.iter().copied().max() } else { None },
        method: "all-but set, run until its state repeats".into(),
        statement: equation(p),
    }
}

/// What a sequence shows; heap `shift` of the rule is position 0 of the game.
fn by_values(sequence: &Sequence, shift: u64, meter: &mut Meter) -> (Found, Option<StopReason>) {
    let table = sequence.table();
    let len = table.len() as u64;
    let shifted = |p: Periodicity| Periodicity { preperiod: p.preperiod.saturating_sub(shift), ..p };
    if let Some(theorem) = sequence.theorem() {
        // the sequence looks for a period now and then, not after the last value
        let proved = sequence.proved().or_else(|| proved_period_of(table, &theorem));
        if let Some(p) = proved {
            let needed = theorem.values_needed(p.preperiod, p.period);
            let found = Found {
                status: Status::Proved,
                finding: Finding::Periodic(shifted(p)),
                theorem: Some(theorem.name()),
                source: Some(theorem.source()),
                bound: needed,
                max: table.iter_from(0).take((p.preperiod + p.period) as usize).max(),
                method: match needed {
                    Some(n) => format!("the equation holds on the {n} values that the {} needs", theorem.name()),
                    None => theorem.name().to_owned(),
                },
                statement: equation(shifted(p)),
            };
            return (found, None);
        }
    }
    let (observed, unseen) = match observed_period(table, meter) {
        Ok(observed) => (observed, None),
        Err(stop) => (None, Some(stop)),
    };
    if let Some(p) = observed {
        let (p, last) = (shifted(p), len - 1 - shift);
        let saltus = if p.saltus > 0 { format!(" + {}", p.saltus) } else { String::new() };
        let found = Found {
            status: Status::Observed,
            finding: Finding::Periodic(p),
            max: Some(table.max()),
            method: match sequence.theorem() {
                Some(t) if p.saltus == 0 => {
                    let needed =
                        t.values_needed(p.preperiod + shift, p.period).map_or("more".into(), |n| n.to_string());
                    format!(
                        "seen in the values, at least {TURNS} periods of them; the {} needs {needed} values",
                        t.name()
                    )
                }
                _ => format!("seen in the values, at least {TURNS} periods of them; no theorem here proves it"),
            },
            statement: format!(
                "G(n + {}) = G(n){saltus} for n from {} to {}, which is no proof for larger heaps",
                p.period,
                p.preperiod,
                last - p.period
            ),
            ..nothing(sequence)
        };
        return (found, None);
    }
    let found = match sequence.theorem() {
        Some(theorem) if len > 0 => Found {
            status: Status::Bounded,
            finding: Finding::Excluded,
            theorem: Some(theorem.name()),
            source: Some(theorem.source()),
            bound: Some(len),
            method: format!("a period within the bound would have been proved by the {}", theorem.name()),
            statement: match theorem {
                PeriodTheorem::Window { span } => {
                    format!("no period p with preperiod n0 >= 1 satisfies n0 + p + {span} <= {len}")
                }
                PeriodTheorem::GuySmith { span, parts } => {
                    format!("no period p with preperiod n0 >= 1 satisfies {} (n0 + p) + {span} <= {len}", parts.max(2))
                }
            },
            ..nothing(sequence)
        },
        _ if unseen.is_some() => Found {
            method: "no theorem gives this rule a period, and the values were not searched for a regularity".into(),
            ..nothing(sequence)
        },
        _ => nothing(sequence),
    };
    (found, unseen)
}

/// What automata decide.
pub(crate) const BY_AUTOMATA: &str = "no option has the value, and every smaller one has an option";

/// Most states that a proof by automata may meet.
const MOST_STATES: u64 = 1 << 22;

/// Lets automata decide whether the period that was seen holds for all heaps.
fn prove_observed(found: &mut Found, game: &HeapGame, sequence: &Sequence, meter: &Meter) -> Result<(), Halt> {
    let Finding::Periodic(p) = found.finding else { return Ok(()) };
    let meter = &mut meter.part(MOST_STATES);
    let values: Vec<u64> = sequence.table().iter_from(0).take((p.preperiod + p.period) as usize).collect();
    let graph = graph_of(&Form::periodic(p, &values), meter)?;
    if prove(game.rule(), &graph, meter)? == Verdict::Proved {
        found.status = Status::Proved;
        found.theorem = Some(BY_AUTOMATA);
        found.source = Some("BHMV94");
        found.max = if p.saltus == 0 { values.iter().copied().max() } else { None };
        found.method = "seen in the values, and then decided for all heaps by automata".into();
        found.statement = equation(p);
    }
    Ok(())
}

/// Values, and no regularity among them.
fn nothing(sequence: &Sequence) -> Found {
    Found {
        status: Status::Computed,
        finding: Finding::Nothing,
        theorem: None,
        source: None,
        bound: None,
        max: (!sequence.table().is_empty()).then(|| sequence.table().max()),
        method: "no theorem gives this rule a period, and no regularity was seen".into(),
        statement: "nothing is known about a period".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::read_heap_game;

    fn ask(game: &str, to: Option<u64>) -> PeriodAnswer {
        let query = PeriodQuery { game: read_heap_game(game).unwrap(), to, prove: false };
        Session::new().period(&query, &Budget::default())
    }

    fn numbers(answer: &PeriodAnswer) -> Option<(u64, u64, u64)> {
        answer.period().map(|p| (p.period, p.preperiod, p.saltus))
    }

    #[test]
    fn proved() {
        // game; period, preperiod, saltus; bound; greatest value
        let rows = [
            ("0.07", (34, 53, 0), Some(176), Some(9)),
            ("kayles", (12, 71, 0), Some(168), Some(8)),
            ("subtraction[{1, 3, 4}]", (7, 0, 0), Some(12), Some(3)),
            ("lasker", (4, 1, 4), None, None),
            ("4.[3]", (4, 1, 4), None, None),
            ("nim", (1, 0, 1), None, None),
            ("allbut[{1, 2, 3}]", (4, 0, 1), None, None),
            ("[take 1..3]", (4, 0, 0), None, Some(3)),
        ];
        for (game, expected, bound, max) in rows {
            let answer = ask(game, None);
            assert_eq!(numbers(&answer), Some(expected), "{game}");
            assert_eq!((answer.header.status, answer.bound, answer.max), (Status::Proved, bound, max), "{game}");
            assert!(answer.theorem.is_some() && answer.stop.is_none(), "{game}");
        }
    }

    #[test]
    fn proved_by_the_last_value_and_not_before() {
        let exact = ask("0.07", Some(175));
        assert_eq!((exact.header.status, numbers(&exact)), (Status::Proved, Some((34, 53, 0))));
        let short = ask("0.07", Some(174));
        assert_eq!((short.header.status, numbers(&short)), (Status::Observed, Some((34, 53, 0))));
        let none = ask("0.07", Some(100));
        assert_eq!((none.header.status, &none.finding, none.bound), (Status::Bounded, &Finding::Excluded, Some(101)));
        assert_eq!(none.statement, "no period p with preperiod n0 >= 1 satisfies 2 (n0 + p) + 2 <= 101");
    }

    #[test]
    fn observed_never_proved() {
        for (game, expected) in [("0.8", (3, 1, 1)), ("0.3F", (6, 0, 3)), ("0.33[1]", (3, 1, 0)), ("4.[7]", (1, 2, 2))]
        {
            let answer = ask(game, Some(200));
            assert_eq!((answer.header.status, numbers(&answer)), (Status::Observed, Some(expected)), "{game}");
            assert_eq!((answer.theorem, answer.bound), (None, None), "{game}");
        }
    }

    #[test]
    fn nothing_and_never() {
        let grundy = ask("grundy_game", Some(300));
        assert_eq!((grundy.header.status, &grundy.finding), (Status::Computed, &Finding::Nothing));
        let divisors = ask("[take divisors]", None);
        assert_eq!(divisors.header.status, Status::Proved);
        assert!(matches!(divisors.finding, Finding::Never(_)));
        let officers = ask("0.6", Some(2000));
        assert_eq!((officers.header.status, officers.bound), (Status::Bounded, Some(2001)));
    }

    #[test]
    fn a_limit_leaves_what_is_known() {
        let query = PeriodQuery { game: read_heap_game("0.6").unwrap(), to: None, prove: true };
        let budget = Budget { positions: Some(500), ..Budget::default() };
        let answer = Session::new().period(&query, &budget);
        assert_eq!((answer.header.status, answer.bound, answer.known_to), (Status::Bounded, Some(500), Some(499)));
        assert!(answer.stop.is_some());
        let budget = Budget { positions: Some(0), ..Budget::default() };
        let answer = Session::new().period(&query, &budget);
        assert_eq!((answer.header.status, answer.known_to, answer.max), (Status::Stopped, None, None));
    }

    #[test]
    fn positions_of_treblecross_are_heaps_of_0_007() {
        let (a, b) = (ask("treblecross", Some(100)), ask("0.007", Some(102)));
        assert_eq!((a.bound, a.known_to), (b.bound, b.known_to.map(|n| n - 2)));
    }
}
