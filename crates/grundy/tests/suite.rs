//! One suite judges all engines: every record of `testdata/*.toml` goes through each engine that claims it.

#[path = "suite/boards.rs"]
mod boards;
#[path = "suite/chomp.rs"]
mod chomp;
#[path = "suite/coins.rs"]
mod coins;
#[path = "suite/data.rs"]
mod data;
#[path = "suite/engines.rs"]
mod engines;
#[path = "suite/errata.rs"]
mod errata;
#[path = "suite/facts.rs"]
mod facts;
#[path = "suite/graphs.rs"]
mod graphs;
#[path = "suite/json.rs"]
mod json;
#[path = "suite/nimbers.rs"]
mod nimbers;
#[path = "suite/position.rs"]
mod position;
#[path = "suite/quotients.rs"]
mod quotients;
#[path = "suite/sequence.rs"]
mod sequence;
#[path = "suite/table.rs"]
mod table;
#[path = "suite/treblecross.rs"]
mod treblecross;
#[path = "suite/users.rs"]
mod users;

use std::collections::HashSet;

use data::Records;
use engines::Tally;
use grundy_core::notation::{read_game, read_ruleset};

/// What went wrong with which record.
#[derive(Default)]
pub struct Report {
    failures: Vec<String>,
    checked: usize,
}

impl Report {
    /// Notes a difference.
    pub fn check<T: PartialEq + std::fmt::Debug>(&mut self, id: &str, what: &str, found: T, expected: T) {
        self.checked += 1;
        if found != expected {
            self.failures.push(format!("{id}: {what}: found {found:?}, expected {expected:?}"));
        }
    }

    /// Notes a failure.
    pub fn fail(&mut self, id: &str, what: impl std::fmt::Display) {
        self.failures.push(format!("{id}: {what}"));
    }

    /// Panics with everything that went wrong.
    pub fn end(self) {
        assert!(self.checked > 0, "nothing was checked");
        assert!(self.failures.is_empty(), "{} failures:\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

/// Runs all records of a file and demands that the `witnesses` decided some of them.
fn run(file: &str, witnesses: &[&str]) {
    let records: Records = data::read(file);
    let mut report = Report::default();
    let mut tally = Tally::default();
    let mut ids = HashSet::new();
    let mut named = |id: &str, source: &Option<String>, report: &mut Report| {
        if !ids.insert(id.to_owned()) {
            report.fail(id, "the id stands twice");
        }
        if source.is_none() && records.source.is_none() {
            report.fail(id, "no source");
        }
    };
    for case in &records.case {
        named(&case.id, &case.source, &mut report);
        position::check(case, &mut tally, &mut report);
    }
    for sequence in &records.sequence {
        named(&sequence.id, &sequence.source, &mut report);
        sequence::check(sequence, &mut tally, &mut report);
    }
    for table in &records.table {
        named(&table.id, &table.source, &mut report);
        table::check(table, &mut tally, &mut report);
    }
    for reads in &records.reads {
        named(&reads.id, &reads.source, &mut report);
        check_reads(reads, &mut report);
    }
    for refused in &records.refused {
        named(&refused.id, &refused.source, &mut report);
        check_refused(refused, &mut report);
    }
    eprintln!("{file}: {} checks; decided by {tally:?}", report.checked);
    for witness in witnesses {
        if !tally.contains_key(witness) {
            report.fail(file, format!("{witness} decided nothing"));
        }
    }
    report.end();
}

/// A ruleset or a sum, read and printed.
fn printed(text: &str) -> Result<String, grundy_core::notation::SyntaxError> {
    use grundy_core::{notation::print_sum, rulesets::AnyRuleset};
    match read_ruleset(text) {
        Ok(AnyRuleset::Heap(game)) => Ok(game.name().to_owned()),
        Ok(other) => Ok(format!("{other:?}")),
        Err(_) => read_game(text).map(|sum| print_sum(sum.components())),
    }
}

fn check_reads(reads: &data::Reads, report: &mut Report) {
    for text in [&reads.text, &reads.prints] {
        match printed(text) {
            Ok(p) => report.check(&reads.id, text, p, reads.prints.clone()),
            Err(e) => report.fail(&reads.id, format!("{text}: {}", e.message)),
        }
    }
}

fn check_refused(refused: &data::Refused, report: &mut Report) {
    let id = &refused.id;
    match read_game(&refused.text) {
        Ok(sum) => report.fail(id, format!("{} is read as {sum:?}", refused.text)),
        Err(e) => {
            let hint = e.hint.clone().unwrap_or_default();
            let said = format!("message {:?}, hint {hint:?}, span {:?}", e.message, e.span);
            report.check(id, &said, e.message.contains(&refused.message), true);
            if let Some(wanted) = &refused.hint {
                report.check(id, &said, hint.contains(wanted.as_str()), true);
            }
            if let Some(span) = refused.span {
                report.check(id, "span", [e.span.start, e.span.end], span);
            }
            report.check(id, "span within the text", refused.text.get(e.span.clone()).is_some(), true);
        }
    }
}

/// A test for each file of records, and none forgotten.
macro_rules! files {
    ($($test:ident: $file:literal, $witnesses:expr;)+) => {
        $(
            #[test]
            fn $test() {
                run($file, &$witnesses);
            }
        )+

        #[test]
        fn every_file_is_run() {
            assert_eq!(data::record_files(), [$($file),+]);
        }
    };
}

files! {
    codes: "codes.toml", [];
    heap_periods: "heap_periods.toml", ["period by theorem", "period of an all-but set"];
    heap_values: "heap_values.toml", ["value search", "value by definition", "direct sequence"];
    huge: "huge.toml", ["theorem on the value"];
    misere_heaps: "misere_heaps.toml", ["outcome search", "outcome by definition", "remoteness"];
    misere_values: "misere_values.toml", ["outcome search", "outcome by definition"];
    notation: "notation.toml", [];
    sums: "sums.toml", ["outcome search", "outcome by definition", "value search", "value by definition"];
    tuples: "tuples.toml", ["theorem on the value", "value by definition", "outcome by definition"];
}

/// The suite itself must be able to fail.
#[test]
fn a_wrong_record_is_noticed() {
    let right = [
        r#"case = [{ id = "x", game = "nim(3, 5)", convention = "misere", expect = { outcome = "N", moves_total = 1, moves = ["nim(5) -> nim(3)"] } }]"#,
        r#"case = [{ id = "x", game = "kayles(5)", convention = "normal", expect = { value = 4, options_total = 5 } }]"#,
        r#"sequence = [{ id = "x", game = "kayles", values = [0, 1, 2, 3], period = { period = 12, preperiod = 71, saltus = 0 } }]"#,
        r#"sequence = [{ id = "x", game = "kayles", convention = "misere", outcomes = "NPNNP", values = [1, 0, 2] }]"#,
        r#"table = [{ id = "x", game = "wythoff", rows = [[0, 1, 2], [1, 2, 0]] }]"#,
    ];
    for text in right {
        assert_eq!(failures(text), 0, "{text}");
        // every number and every outcome changed by itself
        for (i, c) in text.char_indices() {
            let before = text[..i].chars().next_back();
            let expected =
                i > text.find("expect").or_else(|| text.find("values")).or_else(|| text.find("rows")).unwrap();
            let altered = match c {
                'N' | 'P' if before.is_some_and(|b| "\"NP".contains(b)) => {
                    if c == 'N' {
                        'P'
                    } else {
                        'N'
                    }
                }
                '0'..='8' if expected && !text[i..].contains("convention") => char::from(c as u8 + 1),
                _ => continue,
            };
            let wrong = format!("{}{altered}{}", &text[..i], &text[i + 1..]);
            assert_ne!(failures(&wrong), 0, "{wrong}");
        }
    }
}

/// How many checks of the records fail.
fn failures(text: &str) -> usize {
    let records: Records = toml::from_str(text).expect("records");
    let (mut report, mut tally) = (Report::default(), Tally::default());
    records.case.iter().for_each(|c| position::check(c, &mut tally, &mut report));
    records.sequence.iter().for_each(|s| sequence::check(s, &mut tally, &mut report));
    records.table.iter().for_each(|t| table::check(t, &mut tally, &mut report));
    report.failures.len()
}
