//! Every verified row of the table of periods is reproduced with its proof.

use std::{fs, path::Path};

use grundy::{
    Session,
    answer::Status,
    budget::Budget,
    period::{PeriodAnswer, PeriodQuery},
};
use grundy_core::{notation::read_heap_game, theory::Periodicity};

/// Largest preperiod + period of the rows that every run of the tests reproduces; the rest is one `--ignored` test.
const EVERY_RUN: u64 = 1_000_000;

/// One verified row.
struct Row {
    game: String,
    period: Periodicity,
    max: u64,
}

/// `S(1 4 10)` in the table is `subtraction[{1, 4, 10}]`.
fn notation(code: &str) -> String {
    match code.strip_prefix("S(").and_then(|s| s.strip_suffix(')')) {
        Some(set) => format!("subtraction[{{{}}}]", set.replace(' ', ", ")),
        None => code.to_owned(),
    }
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/heap_periods.csv");
    let text = fs::read_to_string(path).expect("the table is there");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("code,period,preperiod,saltus,max_value,kind,verified,method,N_computed"));
    let cells = lines.map(|l| l.split(',').collect::<Vec<_>>()).filter(|c| c[6] == "yes");
    cells
        .map(|c| {
            let number = |i: usize| c[i].parse::<u64>().unwrap_or_else(|e| panic!("{c:?}: {e}"));
            let period = Periodicity { period: number(1), preperiod: number(2), saltus: number(3) };
            Row { game: notation(c[0]), period, max: number(4) }
        })
        .collect()
}

/// Asks for the period as `period --prove` does.
fn prove(game: &str) -> PeriodAnswer {
    let query = PeriodQuery { game: read_heap_game(game).unwrap(), to: None, prove: true };
    Session::new().period(&query, &Budget::default())
}

fn reproduce(rows: &[Row]) {
    assert!(!rows.is_empty());
    let mut wrong = Vec::new();
    for row in rows {
        let answer = prove(&row.game);
        let found = (answer.header.status, answer.period(), answer.max);
        let expected = (Status::Proved, Some(row.period), Some(row.max));
        if found != expected {
            wrong.push(format!("{}: found {found:?}, expected {expected:?}", row.game));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn short_periods() {
    let rows: Vec<Row> = rows().into_iter().filter(|r| r.period.preperiod + r.period.period <= EVERY_RUN).collect();
    assert!(rows.len() >= 404, "{}", rows.len());
    reproduce(&rows);
}

/// `cargo test --release --test known_periods -- --ignored`: up to 4.2 · 10^8 values, with an engine for sparse spaces.
#[test]
#[ignore = "hundreds of millions of values"]
fn long_periods() {
    let rows: Vec<Row> = rows().into_iter().filter(|r| r.period.preperiod + r.period.period > EVERY_RUN).collect();
    reproduce(&rows);
}
