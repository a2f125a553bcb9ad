//! What kind of graph a graph is, as JSON.

use serde_json::{Value, json};

use super::integer;
use crate::statistics::Statistics;

/// The field `graph` of `graph`; what was not asked for is null.
pub fn statistics(found: &Statistics) -> Value {
    let count = |n: usize| integer(n as u128);
    let structure = found.structure;
    json!({
        "vertices": count(found.vertices), "edges": count(found.edges), "ends": count(found.ends), "loops": count(found.loops),
        "acyclic": structure.map(|s| s.is_acyclic), "components": structure.map(|s| count(s.components)),
        "largest_component": structure.map(|s| count(s.largest)), "depth": structure.map(|s| s.depth),
    })
}
