//! Many positions of a ruleset whose position is a tuple.

use grundy::{
    Session,
    budget::Budget,
    query::{MovesWanted, SolveQuery, TableQuery},
};
use grundy_core::{
    notation::read_ruleset,
    rulesets::{AnyComponent, AnyRuleset},
    theory::{Convention, Outcome, Sum},
};

use crate::{
    Report, data,
    engines::{self, Tally},
};

pub fn check(record: &data::Table, tally: &mut Tally, report: &mut Report) {
    let id = &record.id;
    let ruleset = match read_ruleset(&record.game) {
        Ok(ruleset) => ruleset,
        Err(e) => return report.fail(id, format!("{}: {}", record.game, e.message)),
    };
    if let Some(rows) = &record.rows {
        let from = record.from as usize;
        let shape = vec![(from + rows.len()) as u64, (from + rows[0].len()) as u64];
        let query = TableQuery { ruleset: ruleset.clone(), shape, convention: Convention::Normal, p_positions: false };
        match Session::new().table(&query, &Budget::default()) {
            Ok(answer) => {
                let found: Vec<Vec<u64>> =
                    answer.rows.iter().skip(from).map(|r| r.iter().skip(from).flatten().copied().collect()).collect();
                report.check(id, "table", &found, rows);
            }
            Err(e) => report.fail(id, e),
        }
        for (a, row) in (record.from..).zip(rows) {
            for (b, value) in (record.from..).zip(row) {
                one(id, &ruleset, &[a, b], *value, tally, report);
            }
        }
    }
    for entry in record.entries.iter().flatten() {
        let (value, position) = entry.split_last().expect("an entry ends with its value");
        one(id, &ruleset, position, *value, tally, report);
    }
    if let Some(lost) = &record.p_positions {
        p_positions(record, &ruleset, lost, tally, report);
    }
}

fn component(id: &str, ruleset: &AnyRuleset, position: &[u64], report: &mut Report) -> Option<Vec<AnyComponent>> {
    ruleset.components(position).map_err(|e| report.fail(id, format!("{position:?}: {e}"))).ok()
}

/// The value of one position by every engine.
fn one(id: &str, ruleset: &AnyRuleset, position: &[u64], value: u64, tally: &mut Tally, report: &mut Report) {
    let Some(components) = component(id, ruleset, position, report) else { return };
    let sum = Sum::new(components);
    let query = SolveQuery::new(sum.clone(), Convention::Normal);
    match Session::new().solve(&query, &engines::allowance()) {
        Ok(answer) => {
            report.check(id, &format!("value of {position:?}"), answer.value, Some(value));
            report.check(id, &format!("{position:?} is won"), answer.moves.is_empty(), value == 0);
        }
        Err(e) => report.fail(id, e),
    }
    for (engine, found) in engines::values(&sum, tally) {
        report.check(id, &format!("value of {position:?}, {engine}"), found, value);
    }
}

fn p_positions(record: &data::Table, ruleset: &AnyRuleset, lost: &[Vec<u64>], tally: &mut Tally, report: &mut Report) {
    let id = &record.id;
    let convention = record.convention.into();
    let to = record.to.expect("a list of lost positions says up to where");
    let query = TableQuery { ruleset: ruleset.clone(), shape: vec![to + 1; 2], convention, p_positions: true };
    match Session::new().table(&query, &Budget::default()) {
        Ok(answer) => {
            let found: Vec<Vec<u64>> = answer.p_positions.into_iter().filter(|p| p[0] <= p[1]).collect();
            report.check(id, "lost positions", found.as_slice(), lost);
        }
        Err(e) => report.fail(id, e),
    }
    let mut session = Session::new();
    for a in 0..=to {
        for b in a..=to {
            let Some(components) = component(id, ruleset, &[a, b], report) else { continue };
            let sum = Sum::new(components);
            let expected = if lost.contains(&vec![a, b]) { Outcome::P } else { Outcome::N };
            let query = SolveQuery { moves: MovesWanted::None, ..SolveQuery::new(sum.clone(), convention) };
            match session.solve(&query, &engines::allowance()) {
                Ok(answer) => report.check(id, &format!("({a}, {b})"), answer.outcome, Some(expected)),
                Err(e) => report.fail(id, e),
            }
            for (engine, found) in engines::outcomes(&sum, convention, tally) {
                report.check(id, &format!("({a}, {b}), {engine}"), found, expected);
            }
        }
    }
}
