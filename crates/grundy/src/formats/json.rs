//! Answers as JSON. Field names are a contract: scripts, the server and Python rely on them.

pub mod graph;
mod quotient;
mod reasons;
pub mod rules;
mod statistics;

use std::{
    io::{self, Write},
    time::Duration,
};

use grundy_core::{
    notation::{nimber::NimberValue, print_component, print_sum},
    proof::Candidate,
    theory::{Natural, Periodicity, loopy_value::LoopyValue, nim::NimClass},
};
use serde_json::{Map, Value, json};

use crate::{
    answer::{Header, Move, SequenceAnswer, SolveAnswer, TableAnswer},
    budget::StopReason,
    check::{CheckAnswer, Counterexample},
    closed_form::DiscoverAnswer,
    compare::{CompareAnswer, Difference},
    discover::Form,
    explain::Step,
    nimber::NimberAnswer,
    period::PeriodAnswer,
    prove::ProveAnswer,
    sweep::SweepRecord,
    tuples::{TupleAnswer, TupleFinding, TupleVerdict},
    verify::VerifyAnswer,
};

pub use quotient::quotient;
pub use reasons::explanation;
pub use statistics::statistics;

/// Version of the JSON answers.
pub const SCHEMA: u32 = 1;

/// Largest integer that every JSON reader keeps: 2^53 - 1; larger ones are written as strings.
pub const SAFE: u128 = (1 << 53) - 1;

/// An integer, as a string above 2^53 - 1.
pub fn integer(n: u128) -> Value {
    if n <= SAFE { json!(n as u64) } else { Value::String(n.to_string()) }
}

/// A loopy value: an integer, or a text as `inf(0,2)`.
fn loopy(value: &LoopyValue) -> Value {
    match value {
        LoopyValue::Finite(v) => integer((*v).into()),
        infinite => json!(infinite.to_string()),
    }
}

fn optional(n: Option<u128>) -> Value {
    n.map_or(Value::Null, integer)
}

/// The answer of `solve`.
pub fn solve(answer: &SolveAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    map.insert("convention".into(), json!(answer.header.convention.word()));
    map.insert("outcome".into(), answer.outcome.map_or(Value::Null, |o| json!(o.word())));
    map.insert("value".into(), answer.infinite.as_ref().map_or(optional(answer.value.map(u128::from)), loopy));
    map.insert("moves_total".into(), optional(answer.moves_total));
    map.insert("moves_complete".into(), json!(answer.moves_complete));
    map.insert("moves".into(), answer.moves.iter().map(one_move).collect());
    map.insert("suggestion".into(), answer.suggestion.as_ref().map_or(Value::Null, one_move));
    if let Some(r) = answer.remoteness {
        map.insert("remoteness".into(), integer(r.into()));
    }
    if !answer.explanation.is_empty() {
        map.insert("explanation".into(), answer.explanation.iter().map(step).collect());
    }
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The fields that every answer ends with.
pub fn header(map: &mut Map<String, Value>, header: &Header, stop: Option<&StopReason>) {
    map.insert("status".into(), json!(header.status.word()));
    map.insert("method".into(), json!(header.method));
    map.insert("sources".into(), json!(header.sources));
    map.insert(
        "stats".into(),
        json!({
            "elapsed_ms": (header.stats.elapsed.as_secs_f64() * 1e6).round() / 1e3,
            "positions": integer(header.stats.positions.into()),
        }),
    );
    if let Some(stop) = stop {
        map.insert(
            "stop".into(),
            json!({"limit": stop.limit.word(), "setting": stop.setting, "reached": stop.reached}),
        );
    }
}

/// One move.
pub fn one_move(m: &Move) -> Value {
    let mut map = Map::new();
    map.insert("component".into(), json!(m.component));
    map.insert("from".into(), json!(print_component(&m.from)));
    map.insert("to".into(), json!(print_sum(&m.to)));
    map.insert("move".into(), json!(m.name));
    map.insert("count".into(), integer(m.count.into()));
    if let Some(result) = &m.result {
        map.insert("result".into(), json!(result));
    }
    Value::Object(map)
}

/// The answer of `table`.
pub fn table(answer: &TableAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("ruleset".into(), json!(answer.ruleset));
    map.insert("convention".into(), json!(answer.header.convention.word()));
    map.insert("first".into(), json!(answer.first));
    let row = |r: &Vec<Option<u64>>| -> Value { r.iter().map(|v| optional(v.map(u128::from))).collect() };
    if answer.rows.is_empty() {
        let positions: Vec<Value> =
            answer.p_positions.iter().map(|p| p.iter().map(|n| integer((*n).into())).collect()).collect();
        map.insert("p_positions".into(), positions.into());
    } else if answer.rows.len() == 1 {
        map.insert("values".into(), row(&answer.rows[0]));
    } else {
        map.insert("values".into(), answer.rows.iter().map(row).collect());
    }
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The name of a class of Nim positions, as in explanations.
pub fn class_name(class: NimClass) -> &'static str {
    match class {
        NimClass::OddOnes => "odd number of ones",
        NimClass::EvenOnes => "even number of ones",
        NimClass::OneBig => "one heap bigger than 1",
        NimClass::Balanced => "balanced",
        NimClass::Unbalanced => "unbalanced",
    }
}

/// One step of an explanation.
pub fn step(step: &Step) -> Value {
    let big = |v: &u64| integer((*v).into());
    let list = |vs: &[u64]| -> Value { vs.iter().map(big).collect() };
    match step {
        Step::Convention(c) => json!({"step": "convention", "convention": c.word()}),
        Step::Rules { text } => json!({"step": "rules", "text": text}),
        Step::NoMoves(c) => json!({"step": "no moves", "convention": c.word(), "outcome": c.of_terminal().word()}),
        Step::Components(all) => json!({
            "step": "components",
            "components": all.iter().map(|c| json!({"component": c.text, "value": big(&c.value), "reason": c.reason})).collect::<Vec<_>>(),
        }),
        Step::Heads { component, heads, value } => json!({
            "step": "heads", "component": component, "value": big(value),
            "heads": heads.iter().map(|h| json!({
                "at": list(&h.at), "coordinates": list(&h.coordinates), "value": big(&h.value),
            })).collect::<Vec<_>>(),
        }),
        Step::Columns { values, sum } => json!({"step": "columns", "values": list(values), "sum": big(sum)}),
        Step::Pair(x) => json!({"step": "pair", "value": big(x)}),
        Step::Triple(t) => json!({"step": "triple", "values": list(t)}),
        Step::Class { class, outcome, convention } => json!({
            "step": "class", "class": class_name(*class), "outcome": outcome.word(), "convention": convention.word(),
        }),
        Step::WhyWinning { name, from, to, before, after } => json!({
            "step": "winning move", "move": name, "from": from, "to": to, "before": big(before), "after": big(after),
        }),
        Step::LoopyValues { components, sum } => json!({
            "step": "loopy values", "sum": loopy(sum),
            "components": components.iter().map(|c| json!({
                "component": c.text, "value": loopy(&c.value), "reason": c.reason,
            })).collect::<Vec<_>>(),
        }),
        Step::WhyWinningLoopy { name, from, to, before, after } => json!({
            "step": "winning move", "move": name, "from": from, "to": to, "before": loopy(before), "after": big(after),
        }),
        Step::WhyLost => json!({"step": "lost"}),
        Step::Theorem { text, outcome } => json!({"step": "theorem", "text": text, "outcome": outcome.word()}),
        Step::MooreColumns { k, heaps, sums } => json!({
            "step": "column sums", "modulus": integer(u128::from(*k) + 1), "heaps": list(heaps), "sums": list(sums),
        }),
        Step::Line { moves } => {
            let moves: Vec<Value> = moves.iter().map(|m| json!({"component": m.component, "move": m.name})).collect();
            json!({"step": "line", "moves": moves})
        }
        Step::Searched { states } => json!({"step": "searched", "states": big(states)}),
        Step::XorMisleads { normal, misere, trap } => json!({
            "step": "xor misleads", "normal": normal.word(), "misere": misere.word(), "trap": trap,
        }),
    }
}

/// The answer of `check`.
pub fn check(answer: &CheckAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    if let Some(f) = &answer.formula {
        map.insert("formula".into(), json!(f));
    }
    map.insert("holds".into(), json!(answer.holds()));
    map.insert("from".into(), integer(answer.from.into()));
    map.insert("checked_to".into(), optional(answer.checked_to.map(u128::from)));
    map.insert("counterexample".into(), counterexample(answer.counterexample.as_ref()));
    map.insert("provable".into(), json!(answer.is_provable));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

fn counterexample(counterexample: Option<&Counterexample>) -> Value {
    counterexample.map_or(Value::Null, |c| {
        let guessed = c.guessed.parse::<i128>().ok().map_or_else(
            || json!(c.guessed),
            |g| if g.unsigned_abs() <= SAFE { json!(g as i64) } else { json!(g.to_string()) },
        );
        json!({"n": integer(c.n.into()), "guessed": guessed, "actual": integer(c.actual.into()), "why": c.why, "line": c.line})
    })
}

/// The answer of `discover`.
pub fn discover(answer: &DiscoverAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    insert_form(&mut map, answer.form.as_ref());
    if let Some(guess) = &answer.guess {
        map.insert("formula".into(), json!(guess.to_string()));
    }
    map.insert("proved_in_ms".into(), milliseconds(answer.proved_in));
    map.insert("known_to".into(), optional(answer.known_to.map(u128::from)));
    let attempts = answer.attempts.iter().map(|a| json!({"form": a.form, "outcome": a.outcome}));
    map.insert("attempts".into(), attempts.collect());
    map.insert("outside".into(), json!(answer.outside));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The answer of `prove`.
pub fn prove(answer: &ProveAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    map.insert("claim".into(), json!(answer.claim));
    map.insert("holds".into(), json!(answer.holds));
    insert_form(&mut map, answer.form.as_ref());
    map.insert("counterexample".into(), counterexample(answer.counterexample.as_ref()));
    map.insert("first_difference".into(), difference(answer.difference.as_ref()));
    map.insert("note".into(), json!(answer.note));
    map.insert("proved_in_ms".into(), milliseconds(answer.proved_in));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// `formula`, and what there is of a form that has none.
fn insert_form(map: &mut Map<String, Value>, form: Option<&Form>) {
    map.insert("formula".into(), json!(form.and_then(|f| f.formula.as_ref()).map(ToString::to_string)));
    let periodic = match form.map(|f| &f.candidate) {
        Some(Candidate::Periodic { preperiod, period, saltus, .. }) => Some((*preperiod, *period, *saltus)),
        _ => None,
    };
    map.insert("period".into(), optional(periodic.map(|p| p.1.into())));
    map.insert("preperiod".into(), optional(periodic.map(|p| p.0.into())));
    map.insert("saltus".into(), optional(periodic.map(|p| p.2.into())));
    let states = match form.map(|f| &f.candidate) {
        Some(Candidate::Automaton { next, .. }) => Some(next.len() as u128),
        _ => None,
    };
    map.insert("states".into(), optional(states));
}

fn milliseconds(time: Option<Duration>) -> Value {
    time.map_or(Value::Null, |t| json!((t.as_secs_f64() * 1e6).round() / 1e3))
}

fn difference(difference: Option<&Difference>) -> Value {
    difference.map_or(
        Value::Null,
        |d| json!({"n": integer(d.n.into()), "left": integer(d.left.into()), "right": integer(d.right.into())}),
    )
}

/// The answer of `period`.
pub fn period(answer: &PeriodAnswer) -> Value {
    let mut map = Map::new();
    let period = answer.period();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    map.insert("period".into(), optional(period.map(|p| p.period.into())));
    map.insert("preperiod".into(), optional(period.map(|p| p.preperiod.into())));
    map.insert("saltus".into(), optional(period.map(|p| p.saltus.into())));
    map.insert("bound".into(), optional(answer.bound.map(u128::from)));
    map.insert("theorem".into(), answer.theorem.map_or(Value::Null, |t| json!(t)));
    map.insert("statement".into(), json!(answer.statement));
    map.insert("known_to".into(), optional(answer.known_to.map(u128::from)));
    map.insert("max".into(), optional(answer.max.map(u128::from)));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// A record of `sweep`.
pub fn sweep_record(record: &SweepRecord) -> Value {
    let period = record.answer.period();
    let same = record.same_as.as_ref();
    json!({
        "code": record.code,
        "period": optional(period.map(|p| p.period.into())),
        "preperiod": optional(period.map(|p| p.preperiod.into())),
        "saltus": optional(period.map(|p| p.saltus.into())),
        "max": optional(record.answer.max.map(u128::from)),
        "status": record.answer.header.status.word(),
        "same_as": same.map(|s| &s.code),
        "same_status": same.map(|s| s.status.word()),
    })
}

/// The answer of `verify`.
pub fn verify(answer: &VerifyAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    map.insert("claim".into(), json!(answer.claim));
    map.insert("accepted".into(), json!(answer.accepted));
    map.insert("reason".into(), json!(answer.reason));
    map.insert("checked".into(), json!(answer.checked));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The answer of `nimber`: `value` is a list for the roots of an equation, and null where every nimber is one.
pub fn nimber(answer: &NimberAnswer) -> Value {
    let natural = |n: &Natural| match n.to_u128() {
        Some(n) => integer(n),
        None => Value::String(n.to_string()),
    };
    let hexadecimal = |n: &Natural| Value::String(format!("{n:#x}"));
    let (kind, value, hex) = match &answer.value {
        None => (Value::Null, Value::Null, Value::Null),
        Some(NimberValue::Nimber(n)) => ("nimber".into(), natural(n.size()), hexadecimal(n.size())),
        Some(NimberValue::Number(n)) => ("number".into(), natural(n), hexadecimal(n)),
        Some(NimberValue::Roots(roots)) => {
            let list = |f: &dyn Fn(&Natural) -> Value| -> Value {
                roots.list().map_or(Value::Null, |all| all.iter().map(|x| f(x.size())).collect())
            };
            ("roots".into(), list(&natural), list(&hexadecimal))
        }
    };
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("expression".into(), json!(answer.expression));
    map.insert("kind".into(), kind);
    map.insert("value".into(), value);
    map.insert("hex".into(), hex);
    map.insert("field_bits".into(), json!(answer.field_bits));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The answer of `compare`.
pub fn compare(answer: &CompareAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("games".into(), json!(answer.games));
    map.insert("equal".into(), json!(answer.equal()));
    map.insert("first_difference".into(), difference(answer.first_difference.as_ref()));
    map.insert("equal_to".into(), optional(answer.equal_to.map(u128::from)));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The answer of `prove --tuple`.
pub fn prove_tuple(answer: &TupleAnswer) -> Value {
    let mut map = tuple_head(&answer.game, &answer.names, &answer.header);
    map.insert("claim".into(), json!(answer.claim));
    map.insert("holds".into(), json!(answer.holds()));
    let counterexample = match &answer.verdict {
        TupleVerdict::Refuted { position, is_member, why, is_smallest } => json!({
            "position": position.iter().map(|n| integer((*n).into())).collect::<Vec<_>>(),
            "claimed": if *is_member { "P" } else { "N" },
            "smallest": is_smallest,
            "why": why,
        }),
        TupleVerdict::Proved | TupleVerdict::Stopped => Value::Null,
    };
    map.insert("counterexample".into(), counterexample);
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

/// The answer of `discover --tuple`.
pub fn discover_tuple(answer: &TupleFinding) -> Value {
    let mut map = tuple_head(&answer.game, &answer.names, &answer.header);
    map.insert("claim".into(), answer.claim.as_ref().map_or(Value::Null, |c| json!(c.to_string())));
    let by_values = answer.by_values.as_ref().map(|by| {
        let mut values = Map::new();
        values.insert("claim".into(), json!(by.claim));
        insert_form(&mut values, Some(&by.form));
        values
    });
    map.insert("by_values".into(), by_values.map_or(Value::Null, Value::Object));
    map.insert("theorem".into(), json!(answer.theorem));
    map.insert("states".into(), optional(answer.states.map(u128::from)));
    map.insert("side".into(), integer(answer.side.into()));
    let list = |p: &Vec<u64>| -> Value { p.iter().map(|n| integer((*n).into())).collect() };
    map.insert("p_positions".into(), answer.members.iter().map(list).collect());
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}

fn tuple_head(game: &str, names: &[String], header: &Header) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(game));
    map.insert("heaps".into(), json!(names));
    map.insert("convention".into(), json!(header.convention.word()));
    map
}

/// Writes the answer of `sequence` as one object, value by value: there may be more values than would fit twice.
///
/// # Errors
/// The writer's.
pub fn write_sequence(out: &mut impl Write, answer: &SequenceAnswer) -> io::Result<()> {
    out.write_all(sequence_head(&answer.game, &answer.header).as_bytes())?;
    for (i, v) in answer.values.iter().enumerate() {
        write!(out, "{}{}", if i > 0 { "," } else { "" }, integer((*v).into()))?;
    }
    out.write_all(sequence_tail(answer.period, &answer.header, answer.stop.as_ref()).as_bytes())
}

/// The object of `sequence` up to its list of values, which follow one by one.
pub fn sequence_head(game: &str, header: &Header) -> String {
    let (game, convention) = (json!(game), json!(header.convention.word()));
    format!("{{\"schema\":{SCHEMA},\"game\":{game},\"convention\":{convention},\"values\":[")
}

/// The object of `sequence` after its values: what is known only at the end.
pub fn sequence_tail(period: Option<Periodicity>, head: &Header, stop: Option<&StopReason>) -> String {
    let mut rest = Map::new();
    let period = period.map_or(Value::Null, |p| {
        json!({"period": integer(p.period.into()), "preperiod": integer(p.preperiod.into()), "saltus": integer(p.saltus.into())})
    });
    rest.insert("period".into(), period);
    header(&mut rest, head, stop);
    let rest = Value::Object(rest).to_string();
    format!("],{}", &rest[1..])
}
