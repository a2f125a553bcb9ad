//! The engine on explicit graphs against the definitions of the core and the collected facts.

use grundy::{
    budget::{Budget, Limit, Meter},
    retrograde::{grundy_values, labels, outcomes},
};
use grundy_core::theory::{
    Convention, Outcome,
    digraph::Digraph,
    loopy_value::{LoopyValue, check, label_plainly, value_of},
};
use proptest::prelude::*;
use serde_json::Value;

fn meter() -> Meter {
    Meter::unlimited()
}

/// Outcomes by repeating the definition until nothing changes.
fn by_definition(graph: &Digraph, convention: Convention) -> Vec<Outcome> {
    let n = graph.vertices() as u32;
    let mut found = vec![None; n as usize];
    loop {
        let before = found.clone();
        for v in 0..n {
            let to = graph.successors(v);
            found[v as usize] = if to.is_empty() {
                Some(convention.of_terminal())
            } else if to.iter().any(|w| before[*w as usize] == Some(Outcome::P)) {
                Some(Outcome::N)
            } else if to.iter().all(|w| before[*w as usize] == Some(Outcome::N)) {
                Some(Outcome::P)
            } else {
                None
            };
        }
        if found == before {
            return found.into_iter().map(|o| o.unwrap_or(Outcome::Draw)).collect();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn loopy_graphs(n in 1u32..14, edges in prop::collection::vec((0u32..14, 0u32..14), 0..40)) {
        let edges: Vec<(u32, u32)> = edges.into_iter().map(|(a, b)| (a % n, b % n)).collect();
        let graph = Digraph::from_edges(n as usize, &edges).unwrap();
        let reversed = graph.reversed();
        let found = labels(&graph, &reversed, &mut meter()).unwrap();
        prop_assert_eq!(check(&graph, &found), Ok(()));
        let plain = label_plainly(&graph);
        for v in 0..n {
            prop_assert_eq!(value_of(&graph, &found, v), value_of(&graph, &plain, v));
        }
        for convention in [Convention::Normal, Convention::Misere] {
            let verdicts = outcomes(&graph, &reversed, convention, &mut meter()).unwrap();
            let wanted = by_definition(&graph, convention);
            prop_assert_eq!(verdicts.iter().map(|v| v.outcome).collect::<Vec<_>>(), wanted);
            for v in 0..n {
                let to = || graph.successors(v).iter().map(|w| verdicts[*w as usize]);
                let expected = match verdicts[v as usize].outcome {
                    Outcome::Draw => 0,
                    _ if to().next().is_none() => 0,
                    Outcome::N => 1 + to().filter(|w| w.outcome == Outcome::P).map(|w| w.remoteness).min().unwrap(),
                    Outcome::P => 1 + to().map(|w| w.remoteness).max().unwrap(),
                };
                prop_assert_eq!(verdicts[v as usize].remoteness, expected);
            }
        }
        let normal = outcomes(&graph, &reversed, Convention::Normal, &mut meter()).unwrap();
        for v in 0..n {
            prop_assert_eq!(value_of(&graph, &found, v).outcome(), normal[v as usize].outcome);
        }
        match grundy_values(&graph, &mut meter()).unwrap() {
            Ok(values) => {
                for v in 0..n {
                    prop_assert_eq!(value_of(&graph, &found, v), LoopyValue::Finite(values[v as usize].into()));
                }
            }
            Err(cycle) => {
                for (i, v) in cycle.iter().enumerate() {
                    prop_assert!(graph.successors(*v).contains(&cycle[(i + 1) % cycle.len()]));
                }
            }
        }
    }

    #[test]
    fn graphs_without_cycles(edges in prop::collection::vec((0u32..30, 0u32..30), 0..200), turn in any::<bool>(), mix in any::<bool>()) {
        // ascending, descending, or in no order
        let place = |v: u32| if mix { v * 7 % 31 } else { v };
        let edges: Vec<(u32, u32)> = edges
            .into_iter()
            .filter(|(a, b)| a != b)
            .map(|(a, b)| if (a < b) == turn { (place(a), place(b)) } else { (place(b), place(a)) })
            .collect();
        let graph = Digraph::from_edges(31, &edges).unwrap();
        let values = grundy_values(&graph, &mut meter()).unwrap().unwrap();
        for v in 0..31 {
            let to = graph.successors(v).iter().map(|w| u64::from(values[*w as usize]));
            prop_assert_eq!(u64::from(values[v as usize]), grundy_core::theory::mex(to));
        }
    }
}

#[test]
fn many_followers() {
    // Nim heaps of 0 to 199: the mex needs more than a word
    let edges: Vec<(u32, u32)> = (0..200).flat_map(|n| (0..n).map(move |m| (n, m))).collect();
    let graph = Digraph::from_edges(200, &edges).unwrap();
    let values = grundy_values(&graph, &mut meter()).unwrap().unwrap();
    assert!(values.iter().enumerate().all(|(n, v)| n as u32 == *v));
    let loopy = labels(&graph, &graph.reversed(), &mut meter()).unwrap();
    assert_eq!(check(&graph, &loopy), Ok(()));
}

#[test]
fn collected_facts() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/graph_games.json");
    let facts: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut seen = 0;
    for fact in facts.as_array().unwrap() {
        let kind = fact["kind"].as_str().unwrap();
        if !matches!(kind, "loopy-grundy" | "dag-grundy") {
            continue;
        }
        seen += 1;
        let name = &fact["name"];
        let edges: Vec<(u32, u32)> = serde_json::from_value(fact["edges"].clone()).unwrap();
        let n = fact["n"].as_u64().unwrap() as usize;
        let graph = Digraph::from_edges(n, &edges).unwrap();
        let reversed = graph.reversed();
        let found = labels(&graph, &reversed, &mut meter()).unwrap();
        let letter = |o: Outcome| if o == Outcome::Draw { "D" } else { o.word() };
        let misere = outcomes(&graph, &reversed, Convention::Misere, &mut meter()).unwrap();
        for v in 0..n {
            let wanted = match &fact["value"][v] {
                Value::Number(k) => LoopyValue::Finite(k.as_u64().unwrap()),
                set => LoopyValue::Infinite(serde_json::from_value(set["inf"].clone()).unwrap()),
            };
            let value = value_of(&graph, &found, v as u32);
            assert_eq!(value, wanted, "{name} {v}");
            if kind == "loopy-grundy" {
                assert_eq!(letter(value.outcome()), fact["outcome"][v].as_str().unwrap(), "{name} {v}");
            }
            assert_eq!(letter(misere[v].outcome), fact["misere_outcome"][v].as_str().unwrap(), "{name} {v} misère");
        }
        if kind == "dag-grundy" {
            let values = grundy_values(&graph, &mut meter()).unwrap().unwrap();
            assert_eq!(serde_json::to_value(values).unwrap(), fact["value"], "{name}");
        }
    }
    assert!(seen >= 10);
}

#[test]
fn limits_are_heard() {
    let edges: Vec<(u32, u32)> = (1..100_000).map(|v| (v, v - 1)).collect();
    let graph = Digraph::from_edges(100_000, &edges).unwrap();
    let budget = Budget { memory: Some(1000), ..Budget::default() };
    assert_eq!(grundy_values(&graph, &mut Meter::new(&budget)).unwrap_err().limit, Limit::Memory);
    let budget = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
    assert_eq!(labels(&graph, &graph.reversed(), &mut Meter::new(&budget)).unwrap_err().limit, Limit::Time);
}
