//! Who wins from every vertex, in either convention, and how long that takes.

use grundy_core::theory::{Convention, Outcome, digraph::Digraph, remoteness::Verdict};

use crate::budget::{Meter, StopReason};

/// The outcome of each vertex.
///
/// Backwards from the ends, in the order of remoteness: a vertex with a lost follower is won one move later, one whose
/// followers are all won is lost one move after the last of them. What is never met is drawn.
///
/// # Complexity
/// O(vertices + edges); 16 bytes a vertex beside the graph and its reversal.
///
/// # Errors
/// The meter's stop.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, retrograde::outcomes};
/// use grundy_core::theory::{Convention, Outcome, digraph::Digraph, remoteness::Verdict};
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).unwrap();
/// let found = outcomes(&graph, &graph.reversed(), Convention::Normal, &mut Meter::unlimited()).unwrap();
/// assert_eq!(found.iter().map(|v| v.outcome.word()).collect::<Vec<_>>(), ["P", "N", "P"]);
/// assert_eq!(found[0].remoteness, 2);
/// let misere = outcomes(&graph, &graph.reversed(), Convention::Misere, &mut Meter::unlimited()).unwrap();
/// assert_eq!(misere[0].outcome, Outcome::Draw);
/// ```
pub fn outcomes(
    graph: &Digraph,
    reversed: &Digraph,
    convention: Convention,
    meter: &mut Meter,
) -> Result<Vec<Verdict>, StopReason> {
    let n = graph.vertices() as u32;
    meter.bytes(24 * u64::from(n))?;
    let mut verdicts = vec![Verdict { outcome: Outcome::Draw, remoteness: 0 }; n as usize];
    // followers that are not known to be won
    let mut left: Vec<u32> = (0..n).map(|v| graph.successors(v).len() as u32).collect();
    let mut queue: Vec<u32> = (0..n).filter(|v| left[*v as usize] == 0).collect();
    for v in &queue {
        verdicts[*v as usize].outcome = convention.of_terminal();
    }
    meter.steps(4 * u64::from(n))?;
    let mut next = 0;
    while let Some(v) = queue.get(next).copied() {
        next += 1;
        let Verdict { outcome, remoteness } = verdicts[v as usize];
        let before = reversed.successors(v);
        meter.steps(8 + 4 * before.len() as u64)?;
        for u in before {
            if verdicts[*u as usize].outcome != Outcome::Draw {
                continue;
            }
            left[*u as usize] -= u32::from(outcome == Outcome::N);
            let found = match outcome {
                Outcome::P => Outcome::N,
                _ if left[*u as usize] == 0 => Outcome::P,
                _ => continue,
            };
            verdicts[*u as usize] = Verdict { outcome: found, remoteness: remoteness + 1 };
            queue.push(*u);
        }
    }
    Ok(verdicts)
}
