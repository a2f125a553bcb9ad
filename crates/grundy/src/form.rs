//! The form of a game's values that is known for every heap: what programs and formulas are made of.

use std::{sync::Arc, time::Duration};

use grundy_core::{notation::formula::Formula, proof::Candidate, rulesets::HeapGame, theory::Periodicity};

use crate::{
    Session,
    answer::Status,
    budget::{Budget, Meter, StopReason},
    closed_form::{DISCOVER_TO, DiscoverQuery},
    discover::readable,
    formats::program::{Automaton, ProgramForm},
    period::PeriodQuery,
};

/// A form with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundForm {
    /// The form, right for every n if the status is proved.
    pub form: ProgramForm,
    /// How sure it is: proved or observed.
    pub status: Status,
    /// By what, for people.
    pub method: String,
    /// The last heap whose value was looked at, where the form is not proved.
    pub known_to: Option<u64>,
}

/// Why there is no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoForm {
    /// What was tried.
    pub reason: String,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Longest table that is made of a period.
const LONGEST: u64 = 1 << 20;

/// Most time for the values in which a period is sought, where the budget has no limit of time: there are a million where the
/// engine is fast, but how fast it is depends on the game.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The simplest form known for the values of a game: by a theorem about its rule, or else by its period, proved or observed, as
/// a formula where a readable one is found and as a table elsewhere.
///
/// # Complexity
/// That of [`Session::discover`] in half of the time, of [`Session::period`] on as many values as [`default_to`](crate::period::default_to) says, and then of [`readable()`];
/// where the budget has no limit of time, 10 s are spent on these values at most.
///
/// # Errors
/// [`NoForm`] if no theorem has a formula and no period was found within these values and the budget, or only one with a table of
/// more than 2^20 values.
///
/// # Examples
/// ```
/// use grundy::{Budget, Session, form::find_form, formats::program::ProgramForm};
/// use grundy_core::notation::read_heap_game;
/// let game = read_heap_game("subtraction[{1, 3, 4}]").unwrap();
/// let found = find_form(&mut Session::new(), &game, &Budget::default()).unwrap();
/// let ProgramForm::Formula(formula) = found.form else { panic!() };
/// assert_eq!(formula.to_string(), "n mod 7 = 6: 2; n mod 7 < 2: n mod 7; else n mod 7 - 2");
/// ```
pub fn find_form(session: &mut Session, game: &Arc<HeapGame>, budget: &Budget) -> Result<FoundForm, NoForm> {
    find_within(session, game, budget, MOST_TIME)
}

fn find_within(
    session: &mut Session,
    game: &Arc<HeapGame>,
    budget: &Budget,
    most: Duration,
) -> Result<FoundForm, NoForm> {
    let meter = Meter::new(budget);
    let mut known: Option<FoundForm> = None;
    if let Some(form) = game.closed_form().filter(|_| game.heap_of(0) == Some(0)) {
        let proved = |formula| FoundForm {
            form: ProgramForm::Formula(formula),
            status: Status::Proved,
            method: form.theorem().into(),
            known_to: None,
        };
        let by_theorem = Formula::parse(&form.formula(), &["n"]).ok();
        let by_period = form.periodicity().and_then(|p| {
            let count = p.preperiod.checked_add(p.period).filter(|count| *count <= LONGEST)?;
            let values: Vec<u64> = (0..count).map(|n| form.value(n)).collect::<Option<_>>()?;
            readable(p, &values)
        });
        let shortest = by_theorem.into_iter().chain(by_period).min_by_key(|f| f.to_string().len());
        known = shortest.map(proved);
    }
    if let Some(found) = known {
        return Ok(found);
    }
    // half of the time, so that some is left for the period of what has no such form
    let half = Budget { time: meter.time_left().map(|t| t / 2), ..budget.clone() };
    let discovered = session.discover(&DiscoverQuery { game: game.clone(), to: DISCOVER_TO }, &half);
    if let (Some(form), Status::Proved) = (discovered.form, discovered.header.status) {
        let form = match (form.formula, form.candidate) {
            (Some(formula), _) => Some(ProgramForm::Formula(formula)),
            (None, Candidate::Periodic { preperiod, period, saltus, values }) => {
                Some(ProgramForm::Table { period: Periodicity { preperiod, period, saltus }, values })
            }
            (None, Candidate::Automaton { next, accept }) => {
                let rows: Vec<[usize; 4]> = next.iter().map(|row| row.map(|t| t as usize)).collect();
                Automaton::new(&rows, &accept).map(ProgramForm::Automaton)
            }
        };
        if let Some(form) = form {
            let method = discovered.header.method;
            return Ok(FoundForm { form, status: Status::Proved, method, known_to: None });
        }
    }
    // a proof by more and more values would go on for ever where there is no period, and automata were asked before
    let query = PeriodQuery { game: game.clone(), to: None, prove: false };
    let answer = session.period(&query, &Budget { time: meter.time_left().or(Some(most)), ..budget.clone() });
    let none = |reason: String, stop: Option<StopReason>| NoForm { reason, stop };
    let Some(period) = answer.period() else {
        return Err(none(answer.statement, answer.stop));
    };
    let is_proved = answer.header.status == Status::Proved;
    let values = match values(session, game, period, &meter.rest()) {
        Ok(values) => values,
        Err(stop) => return Err(none(format!("{} has {period}, too long for a table", game.name()), stop)),
    };
    let form = match readable(period, &values) {
        Some(formula) => ProgramForm::Formula(formula),
        None => ProgramForm::Table { period, values },
    };
    Ok(FoundForm {
        form,
        status: answer.header.status,
        method: format!("{}; {}", answer.statement, answer.header.method),
        known_to: if is_proved { None } else { answer.known_to },
    })
}

/// The values that a period needs; an error without a reason if they are too many.
fn values(
    session: &mut Session,
    game: &Arc<HeapGame>,
    period: Periodicity,
    budget: &Budget,
) -> Result<Vec<u64>, Option<StopReason>> {
    let count = period.preperiod.checked_add(period.period).filter(|count| *count <= LONGEST).ok_or(None)?;
    let mut values = Vec::new();
    let mut meter = Meter::new(budget);
    match game.closed_form() {
        Some(form) => values.extend((0..count).map_while(|n| form.value(n))),
        None => session.knowledge().values_of(game, 0..count, &mut meter, &mut values).map_err(Some)?,
    }
    if values.len() as u64 == count { Ok(values) } else { Err(None) }
}

#[cfg(test)]
mod tests {
    use grundy_core::{notation::read_heap_game, rulesets::AnyComponent};

    use super::*;
    use crate::formats::program::{Language, ProgramHead, program};

    fn find(game: &str) -> Result<FoundForm, NoForm> {
        find_form(&mut Session::new(), &read_heap_game(game).unwrap(), &seconds(5))
    }

    fn seconds(n: u64) -> Budget {
        Budget { time: Some(Duration::from_secs(n)), ..Budget::default() }
    }

    fn formula(game: &str) -> String {
        match find(game).map(|f| f.form) {
            Ok(ProgramForm::Formula(f)) => f.to_string(),
            other => panic!("{game}: {other:?}"),
        }
    }

    #[test]
    fn forms_of_games() {
        let rows = [
            ("nim", "n"),
            ("lasker", "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n"),
            ("[take powers of 2]", "n mod 3"),
            ("[take 1..3]", "n mod 4"),
            ("allbut[{1, 2, 3}]", "n div 4"),
            ("[take divisors]", "bitlength(lowbit(n))"),
            ("0.8", "max((n - 1) div 3, 0)"),
        ];
        for (game, expected) in rows {
            assert_eq!(formula(game), expected, "{game}");
        }
        assert_eq!(find("0.8").unwrap().status, Status::Proved);
        assert!(matches!(find("kayles").unwrap().form, ProgramForm::Table { .. }));
        assert!(find("[take k where 3*k <= n]").is_err());
        let (budget, game) = (Budget { positions: Some(500), ..Budget::default() }, read_heap_game("0.007").unwrap());
        assert!(find_form(&mut Session::new(), &game, &budget).unwrap_err().stop.is_some());
    }

    #[test]
    fn what_has_no_form_ends_without_a_limit() {
        for game in ["0.007", "treblecross"] {
            let game = read_heap_game(game).unwrap();
            let most = Duration::from_millis(200);
            let none = find_within(&mut Session::new(), &game, &Budget::default(), most).unwrap_err();
            assert!(none.reason.starts_with("no period p "), "{}", none.reason);
            assert_eq!(none.stop.map(|s| s.limit), Some(crate::budget::Limit::Time));
        }
    }

    #[test]
    fn every_form_agrees_with_the_values() {
        for game in ["nim", "lasker", "kayles", "0.137", "allbut[{1, 5, 6}]", "subtraction[{2, 5}]", "4.[7]", "0.33"] {
            let parsed = read_heap_game(game).unwrap();
            let mut session = Session::new();
            let found = find_form(&mut session, &parsed, &seconds(5)).unwrap();
            for n in 0..300 {
                let actual =
                    session.valued(&AnyComponent::Heap(parsed.clone(), n), &mut Meter::unlimited()).unwrap().value;
                let value = match &found.form {
                    ProgramForm::Formula(f) => f.eval(&[n.into()]).ok(),
                    ProgramForm::Table { period, values } => period.value(values, n).map(i128::from),
                    ProgramForm::Automaton(a) => a.value(n).map(|v| v as i128),
                };
                assert_eq!(value, Some(actual.into()), "{game} at {n}");
            }
            let head = ProgramHead {
                game: game.into(),
                convention: grundy_core::theory::Convention::Normal,
                status: found.status,
                method: found.method,
                known_to: found.known_to,
            };
            assert!(program(&found.form, Language::C, &head).contains("grundy("));
        }
    }
}
