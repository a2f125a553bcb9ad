//! The answer as JSON: it parses, carries the fields of the contract, and its games read back to what they print.

use grundy::{answer::SolveAnswer, formats::json};
use grundy_core::{
    notation::{print_component, print_sum, read_game},
    rulesets::AnyComponent,
    theory::{Outcome, Sum},
};
use serde_json::Value;

use crate::Report;

/// Largest integer that every reader of JSON keeps.
const SAFE: u128 = (1 << 53) - 1;

/// An integer of the answer: a number up to 2^53 - 1, a string above.
fn integer(v: &Value) -> Option<u128> {
    match v {
        Value::Number(n) => n.as_u64().map(u128::from).filter(|n| *n <= SAFE),
        Value::String(s) => s.parse().ok().filter(|n| *n > SAFE),
        _ => None,
    }
}

pub fn check(id: &str, sum: &Sum<AnyComponent>, answer: &SolveAnswer, report: &mut Report) {
    let text = json::solve(answer).to_string();
    let v: Value = match serde_json::from_str(&text) {
        Ok(v) => v,
        Err(e) => return report.fail(id, format!("{e}: {text}")),
    };
    let Some(map) = v.as_object() else { return report.fail(id, text) };
    for key in [
        "schema",
        "game",
        "convention",
        "outcome",
        "value",
        "moves_total",
        "moves_complete",
        "moves",
        "suggestion",
        "status",
        "method",
        "sources",
        "stats",
    ] {
        report.check(id, key, map.contains_key(key), true);
    }
    report.check(id, "schema", &v["schema"], &Value::from(1));
    reads_back(id, &v["game"], sum.components(), report);
    report.check(id, "convention", v["convention"].as_str(), Some(answer.header.convention.word()));
    report.check(id, "outcome", v["outcome"].as_str(), answer.outcome.map(Outcome::word));
    report.check(id, "value", integer(&v["value"]), answer.value.map(u128::from));
    report.check(id, "value is null", v["value"].is_null(), answer.value.is_none());
    report.check(id, "moves_total", integer(&v["moves_total"]), answer.moves_total);
    report.check(id, "moves_total is null", v["moves_total"].is_null(), answer.moves_total.is_none());
    report.check(id, "moves_complete", v["moves_complete"].as_bool(), Some(answer.moves_complete));
    report.check(id, "status", v["status"].as_str(), Some(answer.header.status.word()));
    report.check(id, "method", v["method"].as_str().is_some_and(|m| !m.is_empty()), true);
    report.check(id, "sources", v["sources"].as_array().is_some_and(|a| a.iter().all(Value::is_string)), true);
    report.check(
        id,
        "stats",
        v["stats"]["elapsed_ms"].is_number() && integer(&v["stats"]["positions"]).is_some(),
        true,
    );
    report.check(id, "stop", v.get("stop").is_some(), answer.stop.is_some());
    let moves = v["moves"].as_array().cloned().unwrap_or_default();
    report.check(id, "moves", moves.len(), answer.moves.len());
    for (m, meant) in moves.iter().zip(&answer.moves).take(50) {
        let component = m["component"].as_u64().map(|i| i as usize);
        report.check(id, "component", component, Some(meant.component));
        let Some(from) = component.and_then(|i| sum.components().get(i)) else { continue };
        report.check(id, "from", m["from"].as_str(), Some(print_component(from).as_str()));
        reads_back(id, &m["from"], std::slice::from_ref(from), report);
        reads_back(id, &m["to"], &meant.to, report);
        report.check(id, "move", m["move"].as_str().is_some_and(|m| !m.is_empty()), true);
        report.check(id, "count", integer(&m["count"]), Some(u128::from(meant.count)));
        report.check(id, "result", m.get("result").is_some(), sum.len() <= 64);
        if m.get("result").is_some() {
            let next = sum.replaced(meant.component, &meant.to);
            let kept: Vec<AnyComponent> = next.components().iter().filter(|c| !c.is_empty_heap()).cloned().collect();
            reads_back(id, &m["result"], &kept, report);
        }
    }
}

/// The text reads to the components, and printing them gives the text.
fn reads_back(id: &str, text: &Value, components: &[AnyComponent], report: &mut Report) {
    let Some(text) = text.as_str() else { return report.fail(id, format!("{text} is no text")) };
    match read_game(text) {
        Ok(sum) => {
            report.check(id, text, sum.components(), components);
            report.check(id, "printed again", print_sum(sum.components()).as_str(), text);
        }
        Err(e) => report.fail(id, format!("{text}: {}", e.message)),
    }
}
