//! Misère quotients as JSON.

use serde_json::{Map, Value, json};

use super::{SCHEMA, header, integer};
use crate::quotient::QuotientAnswer;

/// The answer of `quotient`.
pub fn quotient(answer: &QuotientAnswer) -> Value {
    let words = &answer.presentation;
    let list = |all: &[Vec<u32>]| all.iter().map(|word| words.print(word)).collect::<Vec<_>>();
    let mut map = Map::new();
    map.insert("schema".into(), json!(SCHEMA));
    map.insert("game".into(), json!(answer.game));
    map.insert("convention".into(), json!(answer.header.convention.word()));
    map.insert("proved_to".into(), answer.period.map_or(integer(answer.to.into()), |_| json!("all")));
    map.insert("order".into(), json!(answer.order));
    map.insert("lost".into(), json!(answer.lost));
    map.insert("kernel".into(), json!(answer.kernel));
    map.insert("tame".into(), json!(answer.is_tame));
    map.insert("period".into(), answer.period.map_or(Value::Null, |p| integer(p.period.into())));
    map.insert("preperiod".into(), answer.period.map_or(Value::Null, |p| integer(p.preperiod.into())));
    map.insert("generators".into(), json!(words.generators));
    let relations = words.relations.iter().map(|r| [words.print(&r.left), words.print(&r.right)]);
    map.insert("relations".into(), json!(relations.collect::<Vec<_>>()));
    map.insert("p_portion".into(), json!(list(&words.lost)));
    map.insert("heaps".into(), json!(list(&words.heaps)));
    map.insert("given_up".into(), json!(answer.given_up));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}
