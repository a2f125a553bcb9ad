//! One position through the session, every other engine and JSON.

use grundy::{
    Session,
    answer::{SolveAnswer, Status},
    query::{MovesWanted, SolveQuery},
};
use grundy_core::{
    notation::{print_component, print_sum, read_game},
    rulesets::AnyComponent,
    theory::{Convention, Outcome, Sum},
};

use crate::{
    Report,
    data::Case,
    engines::{self, Tally, Twins},
    json,
};

/// A move as the records write it.
fn written(from: &AnyComponent, to: &[AnyComponent]) -> String {
    format!("{} -> {}", print_component(from), print_sum(to))
}

/// A query for all winning moves.
pub fn query(sum: &Sum<AnyComponent>, convention: Convention) -> SolveQuery {
    SolveQuery { limit: 100_000, ..SolveQuery::new(sum.clone(), convention) }
}

pub fn check(case: &Case, tally: &mut Tally, report: &mut Report) {
    let id = &case.id;
    let sum = match read_game(&case.game) {
        Ok(sum) => sum,
        Err(e) => return report.fail(id, format!("{}: {}", case.game, e.message)),
    };
    let convention = case.convention.into();
    let expect = &case.expect;

    options(case, &sum, report);
    if expect.outcome.is_none() && expect.value.is_none() && !sum.components().iter().all(engines::is_small) {
        // a record of options only
        return;
    }
    let mut session = Session::new();
    let answer = match session.solve(&query(&sum, convention), &engines::allowance()) {
        Ok(answer) => answer,
        Err(e) => return report.fail(id, e),
    };
    if answer.stop.is_some() && (expect.outcome.is_some() || expect.value.is_some() || expect.moves.is_some()) {
        report.fail(id, format!("stopped: {:?}", answer.stop));
    }
    if let Some(outcome) = &expect.outcome {
        report.check(id, "outcome", answer.outcome.map(Outcome::word), Some(outcome.as_str()));
    }
    if let Some(value) = &expect.value {
        report.check(id, "value", answer.value.map(u128::from), Some(value.get()));
    }
    if let Some(total) = &expect.moves_total {
        report.check(id, "moves_total", answer.moves_total, Some(total.get()));
    }
    if let Some(moves) = &expect.moves {
        let distinct = SolveQuery { distinct: true, ..query(&sum, convention) };
        match session.solve(&distinct, &engines::allowance()) {
            Ok(a) => {
                let mut found: Vec<String> = a.moves.iter().map(|m| written(&m.from, &m.to)).collect();
                let mut wanted = moves.clone();
                found.sort();
                wanted.sort();
                report.check(id, "winning moves", found, wanted);
                report.check(id, "all moves listed", a.moves_complete, true);
                let counted: u128 = a.moves.iter().map(|m| u128::from(m.count)).sum();
                report.check(id, "counts of the distinct moves", Some(counted), answer.moves_total);
            }
            Err(e) => report.fail(id, e),
        }
    }
    if expect.remoteness.is_some() {
        let q = SolveQuery { remoteness: true, moves: MovesWanted::None, ..query(&sum, convention) };
        let found = session.solve(&q, &engines::allowance()).ok().and_then(|a| a.remoteness);
        report.check(id, "remoteness", found, expect.remoteness);
    }
    agree(id, &sum, &answer, tally, report);
    json::check(id, &sum, &answer, report);
    law(id, &sum, &answer, &mut session, report);
}

/// Options of the position itself.
fn options(case: &Case, sum: &Sum<AnyComponent>, report: &mut Report) {
    if case.expect.options.is_none() && case.expect.options_total.is_none() {
        return;
    }
    let mut distinct: Vec<&AnyComponent> = Vec::new();
    for c in sum.components() {
        if !distinct.contains(&c) {
            distinct.push(c);
        }
    }
    let all: Vec<String> = distinct.iter().flat_map(|c| engines::options(c)).map(|o| print_sum(&o)).collect();
    if let Some(total) = case.expect.options_total {
        report.check(&case.id, "number of options", all.len(), total);
    }
    if let Some(wanted) = &case.expect.options {
        let sorted = |mut v: Vec<String>| {
            v.sort();
            v
        };
        report.check(&case.id, "options", sorted(all), sorted(wanted.clone()));
    }
}

/// Every engine says what the session says.
fn agree(id: &str, sum: &Sum<AnyComponent>, answer: &SolveAnswer, tally: &mut Tally, report: &mut Report) {
    let convention = answer.header.convention;
    for (engine, outcome) in engines::outcomes(sum, convention, tally) {
        report.check(id, engine, Some(outcome), answer.outcome);
    }
    if convention == Convention::Normal {
        for (engine, value) in engines::values(sum, tally) {
            let outcome = if value == 0 { Outcome::P } else { Outcome::N };
            report.check(id, engine, Some(outcome), answer.outcome);
            if answer.value.is_some() {
                report.check(id, engine, Some(value), answer.value);
            }
        }
    }
    if let Some(twins) = Twins::of(sum.components()) {
        let found: Vec<_> = answer.moves.iter().map(|m| (m.component, m.to.clone())).collect();
        report.check(id, "winning moves by definition, in order", found, twins.winning(convention));
    }
}

/// What holds for every answer.
fn law(id: &str, sum: &Sum<AnyComponent>, answer: &SolveAnswer, session: &mut Session, report: &mut Report) {
    let convention = answer.header.convention;
    if answer.outcome.is_none() {
        report.check(id, "value without an outcome", answer.value, None);
        report.check(id, "status", answer.header.status, Status::Stopped);
        return;
    }
    if convention == Convention::Misere {
        report.check(id, "value in misère play", answer.value, None);
    }
    if answer.moves_complete {
        report.check(id, "moves_total", answer.moves_total, Some(answer.moves.len() as u128));
        let wins = !answer.moves.is_empty()
            || convention == Convention::Misere && !sum.components().iter().any(engines::has_option);
        report.check(id, "won by a winning move, or since no move is left", wins, answer.outcome == Some(Outcome::N));
    }
    for m in answer.moves.iter().take(8) {
        // the position after a winning move is lost
        let next = sum.replaced(m.component, &m.to);
        let q = SolveQuery { moves: MovesWanted::None, ..SolveQuery::new(next, convention) };
        match session.solve(&q, &engines::allowance()) {
            Ok(a) => report.check(id, &m.name, a.outcome, Some(Outcome::P)),
            Err(e) => report.fail(id, e),
        }
    }
    match (&answer.suggestion, answer.outcome) {
        (Some(s), Some(Outcome::P)) => {
            let from = &sum.components()[s.component];
            let legal = engines::is_small(from).then(|| engines::options(from).contains(&s.to));
            report.check(id, "the suggestion is legal", legal.unwrap_or(true), true);
        }
        (Some(_), o) => report.check(id, "a suggestion in a position that is not lost", o, Some(Outcome::P)),
        (None, _) => {}
    }
}
