//! The answer of `graph`, which may have millions of vertices: written one after another, never held as a tree.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use grundy_core::theory::Outcome;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{SCHEMA, header, integer, loopy};
use crate::graph::{GraphAnswer, TokenMove, Vertices};

/// The field that is streamed.
const VERTICES: &str = "vertices";

#[derive(Serialize)]
struct Valued<'a> {
    name: Cow<'a, str>,
    value: Value,
    outcome: &'static str,
}

#[derive(Serialize)]
struct Decided<'a> {
    name: Cow<'a, str>,
    outcome: &'static str,
    remoteness: Option<u32>,
}

#[derive(Serialize)]
struct Won<'a> {
    name: Cow<'a, str>,
    winner: u8,
    strategy: Option<Cow<'a, str>>,
}

/// Writes the answer, and behind its fields `more`, as one object on one line.
///
/// # Errors
/// The writer's.
pub fn write(out: &mut impl Write, answer: &GraphAnswer, tokens: &[u32], more: Map<String, Value>) -> io::Result<()> {
    let mut between = "{";
    for (key, field) in fields(answer, tokens).into_iter().chain(more) {
        out.write_all(between.as_bytes())?;
        between = ",";
        serde_json::to_writer(&mut *out, &key)?;
        out.write_all(b":")?;
        if key == VERTICES {
            vertices(out, answer)?;
        } else {
            serde_json::to_writer(&mut *out, &field)?;
        }
    }
    out.write_all(b"}\n")
}

/// All fields in their order; null stands for the vertices.
fn fields(answer: &GraphAnswer, tokens: &[u32]) -> Map<String, Value> {
    let name = |v: u32| answer.file.names.get(v);
    let sum = answer.tokens.as_ref().map(|sum| {
        let one = |m: &TokenMove| json!({"token": m.token, "from": name(tokens[m.token]), "to": name(m.to)});
        let moves: Vec<Value> = sum.moves.iter().map(one).collect();
        json!({"value": loopy(&sum.value), "outcome": sum.outcome.word(), "moves": moves})
    });
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("convention".into(), json!(answer.header.convention.word()));
    map.insert("objective".into(), json!(answer.objective.word()));
    map.insert("edges".into(), integer(answer.file.graph.edges() as u128));
    map.insert(VERTICES.into(), Value::Null);
    map.insert("tokens".into(), sum.unwrap_or(Value::Null));
    map.insert("accepted".into(), json!(answer.verified));
    map.insert("rounds".into(), json!(answer.rounds));
    header(&mut map, &answer.header, answer.stop.as_ref());
    map
}

fn vertices(out: &mut impl Write, answer: &GraphAnswer) -> io::Result<()> {
    let name = |v: u32| answer.file.names.get(v);
    let all = 0..;
    match &answer.vertices {
        None => out.write_all(b"[]"),
        Some(Vertices::Values(values)) => list(
            out,
            all.zip(values).map(|(v, x)| Valued { name: name(v), value: loopy(x), outcome: x.outcome().word() }),
        ),
        Some(Vertices::Outcomes(verdicts)) => list(
            out,
            all.zip(verdicts).map(|(v, x)| {
                let remoteness = (x.outcome != Outcome::Draw).then_some(x.remoteness);
                Decided { name: name(v), outcome: x.outcome.word(), remoteness }
            }),
        ),
        Some(Vertices::Winners(s)) => list(
            out,
            all.zip(&s.winner).map(|(v, w)| Won {
                name: name(v),
                winner: *w,
                strategy: s.strategy[v as usize].map(name),
            }),
        ),
    }
}

fn list<T: Serialize>(out: &mut impl Write, entries: impl Iterator<Item = T>) -> io::Result<()> {
    let mut between = b"[";
    let mut is_empty = true;
    for entry in entries {
        out.write_all(between)?;
        between = b",";
        is_empty = false;
        serde_json::to_writer(&mut *out, &entry)?;
    }
    out.write_all(if is_empty { b"[]" } else { b"]" })
}
