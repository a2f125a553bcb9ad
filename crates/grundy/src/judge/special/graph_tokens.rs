//! Tokens on the vertices of a graph without cycles, each going along an arc.
//!
//! The values of the vertices are found once a graph; then each question is a xor.

use grundy_core::theory::digraph::Digraph;

use super::{Case, Ruling};
use crate::{budget::Meter, judge::error::Fault, retrograde::grundy_values};

/// Most vertices of a cycle that a message shows.
const SHOWN: usize = 8;

/// The values of the present graph's vertices.
#[derive(Debug, Default)]
pub(super) struct Values(Vec<u32>);

impl Values {
    /// The tokens on `t`; vertex i of the graph has the next `k` of the successors `s`.
    ///
    /// # Complexity
    /// O(tokens), and once O(vertices + arcs) for a graph.
    pub fn ruling(&mut self, case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
        if case.is_new {
            self.0 = values(case, meter)?;
        }
        let mut value = 0;
        for (i, vertex) in case.list("t")?.into_iter().enumerate() {
            match usize::try_from(vertex).ok().and_then(|v| self.0.get(v)) {
                Some(v) => value ^= u64::from(*v),
                None => return Err(case.fault("t", i, no_vertex(vertex, self.0.len()))),
            }
        }
        Ok(Ruling::of_value(value))
    }
}

fn no_vertex(vertex: u64, vertices: usize) -> String {
    match vertices {
        0 => format!("there is no vertex {vertex}: the graph has none"),
        n => format!("there is no vertex {vertex}: they are 0 to {}", n - 1),
    }
}

/// The values of all vertices.
fn values(case: &Case<'_>, meter: &mut Meter) -> Result<Vec<u32>, Fault> {
    let (counts, successors) = (case.list("k")?, case.list("s")?);
    meter.bytes(8 * (counts.len() as u64 + 1) + 4 * successors.len() as u64)?;
    let mut offsets = vec![0];
    offsets.extend(counts.iter().scan(0, |end, count| {
        *end = count.saturating_add(*end);
        Some(*end)
    }));
    let vertices = counts.len();
    if let Some(i) = successors.iter().position(|s| *s >= vertices as u64) {
        return Err(case.fault("s", i, no_vertex(successors[i], vertices)));
    }
    let targets = successors.iter().map(|s| *s as u32).collect();
    let graph = Digraph::from_rows(offsets.clone(), targets).map_err(|e| Fault::Case(e.to_string()))?;
    grundy_values(&graph, meter)?.map_err(|cycle| {
        let mut round: Vec<String> = cycle.iter().take(SHOWN).map(u32::to_string).collect();
        if cycle.len() > SHOWN {
            round.push("…".into());
        }
        let first = cycle.first().copied().unwrap_or(0);
        round.push(first.to_string());
        let next = cycle.get(1).copied().unwrap_or(first);
        // the arc that begins the cycle
        let row = offsets[first as usize] as usize..offsets[first as usize + 1] as usize;
        let at = row.clone().find(|i| successors[*i] == u64::from(next)).unwrap_or(row.start);
        case.fault("s", at, format!("arcs lead round in a cycle, {}: a token could go on for ever", round.join(" -> ")))
    })
}

#[cfg(test)]
mod tests {
    use grundy_core::theory::mex;
    use proptest::prelude::*;

    use super::super::tests::run;
    use crate::judge::Special;

    const LAYOUT: &str = "*{ n (k s[k])[n] until 0 { m t[m] } }";

    fn naive(rows: &[Vec<usize>], v: usize) -> u64 {
        mex(rows[v].iter().map(|s| naive(rows, *s)))
    }

    /// A graph in a random order of its vertices, and tokens.
    fn graph() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<Vec<usize>>)> {
        (2usize..9).prop_flat_map(|n| {
            let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            let arcs = proptest::collection::vec((0..n, 0..n), 0..20);
            let tokens = proptest::collection::vec(proptest::collection::vec(0..n, 1..5), 1..4);
            (order, arcs, tokens).prop_map(move |(order, arcs, tokens)| {
                let mut rows = vec![Vec::new(); n];
                for (a, b) in arcs {
                    if order[a] > order[b] {
                        rows[a].push(b);
                    }
                }
                (rows, tokens)
            })
        })
    }

    fn lines(rows: &[Vec<usize>]) -> String {
        let line = |row: &Vec<usize>| row.iter().fold(row.len().to_string(), |text, v| format!("{text} {v}")) + "\n";
        rows.iter().map(line).collect()
    }

    proptest! {
        #[test]
        fn two_graphs_in_one_input(first in graph(), second in graph()) {
            let (mut input, mut expected) = (String::new(), String::new());
            for (rows, tokens) in [&first, &second] {
                input += &format!("{}\n{}{}0\n", rows.len(), lines(rows), lines(tokens));
                for list in tokens {
                    let value = list.iter().fold(0, |x, t| x ^ naive(rows, *t));
                    expected += if value == 0 { "second\n" } else { "first\n" };
                }
            }
            prop_assert_eq!(run(Special::GraphTokens, LAYOUT, &input), expected);
        }
    }

    #[test]
    fn faults_have_a_place() {
        let out = run(Special::GraphTokens, LAYOUT, "2\n1 1\n0\n1 0\n1 2\n0\n");
        assert_eq!(out, "first\ncase 1.2: line 5, column 3: there is no vertex 2: they are 0 to 1");
        let out = run(Special::GraphTokens, LAYOUT, "2\n1 7\n0\n1 0\n0\n");
        assert_eq!(out, "case 1.1: line 2, column 3: there is no vertex 7: they are 0 to 1");
        let out = run(Special::GraphTokens, LAYOUT, "3\n1 1\n2 2 0\n0\n1 0\n0\n");
        assert!(out.starts_with("case 1.1: line ") && out.contains("arcs lead round in a cycle, "), "{out}");
        let out = run(Special::GraphTokens, LAYOUT, "1\n1 0\n1 0\n0\n");
        assert_eq!(out, "case 1.1: line 2, column 3: arcs lead round in a cycle, 0 -> 0: a token could go on for ever");
        assert_eq!(
            run(Special::GraphTokens, LAYOUT, "0\n1 0\n0\n"),
            "case 1.1: line 2, column 3: there is no vertex 0: the graph has none"
        );
    }

    #[test]
    fn a_layout_may_end_with_the_tokens() {
        // everything is read anew for each case
        let out = run(Special::GraphTokens, "*{ n (k s[k])[n] m t[m] }", "2\n1 1\n0\n1 0\n2\n0\n0\n1 0\n");
        assert_eq!(out, "first\nsecond\n");
    }
}
