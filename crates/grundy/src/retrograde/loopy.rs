//! Values of all vertices of any graph, by the labels of Smith and of Fraenkel and Perl.

use grundy_core::theory::{digraph::Digraph, loopy_value::Label};

use super::acyclic::{grundy_values, order};
use crate::budget::{Meter, StopReason};

/// No value: infinite, or not labelled yet.
const OPEN: u32 = u32::MAX;
const INFINITE: u32 = u32::MAX - 1;

/// The label of each vertex.
///
/// Pass i gives the value i. A vertex is covered once it has a follower of value i. An open vertex gets the value when it is not
/// covered and each of its followers that has no value is: then the opponent's move to that follower can be taken back. Whoever
/// is neither covered nor labelled at the end of a pass is infinite. A vertex with all such followers covered cannot become
/// covered itself, since covered vertices get no value in this pass, so each vertex is met once.
///
/// A graph without cycles has finite values only, and any topological order backwards is an order of labelling.
///
/// # Complexity
/// O(vertices + edges) for each value and one pass more, but once only without cycles; 25 bytes a vertex beside the graph and its
/// reversal.
///
/// # Errors
/// The meter's stop.
///
/// # Sources
/// `[Smi66]`, `[FP75]`
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, retrograde::labels};
/// use grundy_core::theory::{digraph::Digraph, loopy_value::value_of};
/// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 0), (1, 2)]).unwrap();
/// let labels = labels(&graph, &graph.reversed(), &mut Meter::unlimited()).unwrap();
/// assert_eq!(value_of(&graph, &labels, 1).to_string(), "inf(0)");
/// ```
pub fn labels(graph: &Digraph, reversed: &Digraph, meter: &mut Meter) -> Result<Vec<Label>, StopReason> {
    let n = graph.vertices() as u32;
    meter.bytes(25 * u64::from(n))?;
    if let Some(order) = order(graph, meter)?
        && let Ok(values) = grundy_values(graph, meter)?
    {
        let mut counter = vec![0; n as usize];
        for (i, v) in (0..).zip(order.iter().rev()) {
            counter[*v as usize] = i;
        }
        let label = |(value, counter)| Label::Finite { value, counter };
        return Ok(values.into_iter().zip(counter).map(label).collect());
    }
    let mut value = vec![OPEN; n as usize];
    let mut counter = vec![0u32; n as usize];
    // followers without a value that are not covered, in this pass
    let mut loose = vec![0u32; n as usize];
    let mut covered = vec![false; n as usize];
    let mut queue: Vec<u32> = Vec::new();
    let mut labelled = 0u32;
    let mut open = n;
    let mut pass = 0;
    while open > 0 {
        queue.clear();
        for v in 0..n {
            covered[v as usize] = false;
            if value[v as usize] != OPEN {
                continue;
            }
            let followers = graph.successors(v);
            meter.steps(4 + followers.len() as u64)?;
            loose[v as usize] = followers.iter().filter(|w| value[**w as usize] >= INFINITE).count() as u32;
            if loose[v as usize] == 0 {
                queue.push(v);
            }
        }
        let mut next = 0;
        while let Some(u) = queue.get(next).copied() {
            next += 1;
            value[u as usize] = pass;
            counter[u as usize] = labelled;
            labelled += 1;
            open -= 1;
            for v in reversed.successors(u) {
                if value[*v as usize] < INFINITE || std::mem::replace(&mut covered[*v as usize], true) {
                    continue;
                }
                meter.steps(8 + reversed.successors(*v).len() as u64)?;
                for t in reversed.successors(*v) {
                    if value[*t as usize] != OPEN {
                        continue;
                    }
                    let left = &mut loose[*t as usize];
                    *left -= 1;
                    if *left == 0 && !covered[*t as usize] {
                        queue.push(*t);
                    }
                }
            }
        }
        for v in 0..n as usize {
            if value[v] == OPEN && !covered[v] {
                value[v] = INFINITE;
                open -= 1;
            }
        }
        meter.steps(u64::from(n))?;
        pass += 1;
    }
    let label = |(value, counter): (u32, u32)| match value {
        INFINITE => Label::Infinite,
        value => Label::Finite { value, counter },
    };
    Ok(value.into_iter().zip(counter).map(label).collect())
}
