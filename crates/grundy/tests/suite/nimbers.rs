//! The tables of nimbers, row by row, as expressions that the session is asked.

use std::fs;

use grundy::{Session, budget::Budget, nimber::NimberQuery};
use grundy_core::notation::nimber::{Expression, NimberValue};

use crate::{Report, data};

/// Files of `testdata/facts/` that are tested whole.
pub const TABLES: [&str; 3] = ["nim_products", "nim_inverse_sqrt_quad", "nim_logs"];

/// The value of an expression as text; roots between commas.
pub fn value(text: &str) -> String {
    let read = Expression::parse(text, 4096).unwrap_or_else(|e| panic!("{text}: {e}"));
    let query = NimberQuery { expression: read, long_logs: false };
    let answer = Session::new().nimber(&query, &Budget::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    match answer.value {
        Some(NimberValue::Nimber(n)) => format!("{n:#x}"),
        Some(NimberValue::Number(n)) => n.to_string(),
        Some(NimberValue::Roots(roots)) => {
            let all = roots.list().unwrap_or_default();
            all.iter().map(|x| format!("{x:#x}")).collect::<Vec<_>>().join(",")
        }
        None => "stopped".into(),
    }
}

#[test]
fn tables_of_nimbers() {
    let mut report = Report::default();
    for table in TABLES {
        let text = fs::read_to_string(data::dir().join(format!("facts/{table}.csv"))).expect("facts are text");
        // logarithms take milliseconds each, and thousands of them in a build without optimisation
        let step = if table == "nim_logs" && cfg!(debug_assertions) { 4 } else { 1 };
        for (number, line) in (1..).zip(text.lines().skip(1)).step_by(step) {
            let id = format!("{table}/{number}");
            let cells: Vec<&str> = line.split(',').collect();
            let mut check = |text: String, expected: &str| report.check(&id, &text, value(&text), expected.to_owned());
            match (table, &cells[..]) {
                ("nim_products", [_, a, b, product]) => {
                    check(format!("{a} * {b}"), product);
                    if *b != "0x0" {
                        check(format!("{product} / {b}"), a);
                    }
                }
                ("nim_inverse_sqrt_quad", [bits, a, inverse, square, root, even]) => {
                    check(format!("inv({a})"), inverse);
                    check(format!("square({a})"), square);
                    check(format!("sqrt({a})"), root);
                    check(format!("trace({a}, {bits})"), if *even == "none" { "0x1" } else { "0x0" });
                    if *even != "none" {
                        let odd = value(&format!("{even} + 1"));
                        check(format!("solve(1, 1, {a})"), &format!("{even},{odd}"));
                    }
                }
                ("nim_logs", [_, base, a, log, order]) => {
                    check(format!("log({a}, {base})"), log);
                    check(format!("order({a})"), order);
                    check(format!("pow({base}, {log})"), a);
                }
                other => panic!("{id}: {other:?}"),
            }
        }
    }
    report.end();
}
