//! Values: mex, moves that are taken back, and ways on for ever.

use grundy_core::theory::{
    digraph::Digraph,
    loopy_value::{Label, LoopyValue},
    mex,
};

use super::{Explained, Reason};
use crate::{
    budget::Meter,
    graph::{GraphAnswer, GraphObjective},
    retrograde,
};

/// By counter, so that what is taken back leads to an earlier vertex; without values last.
pub(super) fn of_values(answer: &GraphAnswer, values: &[LoopyValue]) -> Vec<Explained> {
    let graph = &answer.file.graph;
    let counters = counters(graph, answer.objective);
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by_key(|v| counters.get(*v as usize));
    let reason = |v: u32| {
        let followers = finite(graph, values, v);
        match &values[v as usize] {
            LoopyValue::Finite(value) => {
                // without cycles the mex says it all
                let is_loopy = answer.objective == GraphObjective::Loopy;
                let back = if is_loopy { back(graph, values, &counters, v, *value) } else { Vec::new() };
                Reason::Mex { value: *value, followers, back }
            }
            infinite => {
                let missing = mex(followers.iter().map(|(value, _)| *value));
                let goes_on =
                    |w: &u32| matches!(&values[*w as usize], LoopyValue::Infinite(k) if !k.contains(&missing));
                // there is one, or the values were wrong
                let way_on = graph.successors(v).iter().copied().find(goes_on).unwrap_or(v);
                Reason::Infinite { value: infinite.clone(), followers, way_on }
            }
        }
    };
    order.into_iter().map(|vertex| Explained { vertex, reason: reason(vertex) }).collect()
}

/// When each vertex can be labelled: from the ends backwards, or by the counters of the labels.
fn counters(graph: &Digraph, objective: GraphObjective) -> Vec<u32> {
    if let (GraphObjective::Grundy, Ok(order)) = (objective, graph.topological_order()) {
        let mut counters = vec![0; order.len()];
        (0..).zip(order.iter().rev()).for_each(|(i, v)| counters[*v as usize] = i);
        return counters;
    }
    let found = retrograde::labels(graph, &graph.reversed(), &mut Meter::unlimited());
    let counter = |label| match label {
        Label::Finite { counter, .. } => counter,
        Label::Infinite => u32::MAX,
    };
    found.unwrap_or_default().into_iter().map(counter).collect()
}

/// The finite values of the followers, ascending, each with the first vertex that has it.
fn finite(graph: &Digraph, values: &[LoopyValue], v: u32) -> Vec<(u64, u32)> {
    let value = |w: &u32| match values[*w as usize] {
        LoopyValue::Finite(value) => Some((value, *w)),
        LoopyValue::Infinite(_) => None,
    };
    let mut found: Vec<(u64, u32)> = graph.successors(v).iter().filter_map(value).collect();
    found.sort_unstable();
    found.dedup_by_key(|(value, _)| *value);
    found
}

/// The followers without a value or with a larger one, and an earlier vertex of this value to which one can go from there.
fn back(graph: &Digraph, values: &[LoopyValue], counters: &[u32], v: u32, value: u64) -> Vec<(u32, u32)> {
    let is_larger = |w: &u32| !matches!(values[*w as usize], LoopyValue::Finite(other) if other <= value);
    let is_earlier =
        |x: &u32| values[*x as usize] == LoopyValue::Finite(value) && counters[*x as usize] < counters[v as usize];
    let larger = graph.successors(v).iter().copied().filter(is_larger);
    let mut found: Vec<(u32, u32)> =
        larger.filter_map(|w| Some((w, graph.successors(w).iter().copied().find(is_earlier)?))).collect();
    found.sort_unstable();
    found.dedup();
    found
}
