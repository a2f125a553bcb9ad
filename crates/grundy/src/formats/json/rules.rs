//! What came of a check of rules.

use serde_json::{Map, Value, json};

use super::header;
use crate::rules::RulesAnswer;

/// The object of `rules check`.
pub fn check(answer: &RulesAnswer) -> Value {
    let mut map = Map::new();
    map.insert("schema".into(), json!(super::SCHEMA));
    map.insert("game".into(), json!(answer.name));
    map.insert("accepted".into(), json!(answer.accepted));
    map.insert("checked".into(), json!(answer.extent));
    map.insert("whole".into(), json!(answer.is_whole));
    let tried: Map<String, Value> = answer.tried.iter().map(|(law, n)| (law.word().into(), json!(n))).collect();
    map.insert("laws".into(), Value::Object(tried));
    let violation = answer
        .violation
        .as_ref()
        .map(|v| json!({"law": v.law.word(), "position": v.position, "what": v.what, "cycle": v.cycle}));
    map.insert("reason".into(), json!(answer.violation.as_ref().map(|v| v.what.clone())));
    map.insert("violation".into(), violation.unwrap_or(Value::Null));
    header(&mut map, &answer.header, answer.stop.as_ref());
    Value::Object(map)
}
