//! Grundy values of all vertices of a graph without cycles.

use grundy_core::theory::{Mex, digraph::Digraph};

use crate::budget::{Meter, StopReason};

/// The Grundy value of each vertex, or a cycle, vertex by vertex.
///
/// Vertices are numbered so that edges ascend or descend, or they are brought into an order first. The mex of few followers is
/// found in one word: with less than 64 of them no larger value matters.
///
/// # Complexity
/// O(vertices + edges); 4 bytes a vertex, 8 more where an order is needed.
///
/// # Errors
/// The meter's stop.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, retrograde::grundy_values};
/// use grundy_core::theory::digraph::Digraph;
/// let graph = Digraph::from_edges(4, &[(0, 1), (0, 2), (1, 2)]).unwrap();
/// assert_eq!(grundy_values(&graph, &mut Meter::unlimited()).unwrap(), Ok(vec![2, 1, 0, 0]));
/// let cycle = Digraph::from_edges(2, &[(0, 1), (1, 0)]).unwrap();
/// assert!(grundy_values(&cycle, &mut Meter::unlimited()).unwrap().is_err());
/// ```
pub fn grundy_values(graph: &Digraph, meter: &mut Meter) -> Result<Result<Vec<u32>, Vec<u32>>, StopReason> {
    let n = graph.vertices() as u32;
    meter.bytes(4 * u64::from(n))?;
    let mut values = vec![0; n as usize];
    let mut wide = Mex::default();
    let ascend = |v: u32| graph.successors(v).iter().all(|w| *w > v);
    let descend = |v: u32| graph.successors(v).iter().all(|w| *w < v);
    if in_blocks(0..n, meter, ascend)? {
        in_blocks((0..n).rev(), meter, |v| set(graph, v, &mut values, &mut wide))?;
    } else if in_blocks(0..n, meter, descend)? {
        in_blocks(0..n, meter, |v| set(graph, v, &mut values, &mut wide))?;
    } else {
        meter.bytes(8 * u64::from(n))?;
        meter.steps(4 * graph.edges() as u64)?;
        match graph.topological_order() {
            Ok(order) => in_blocks(order.iter().rev().copied(), meter, |v| set(graph, v, &mut values, &mut wide))?,
            Err(cycle) => return Ok(Err(cycle)),
        };
        meter.release(8 * u64::from(n));
    }
    Ok(Ok(values))
}

/// Does so with every vertex, as long as the answer is true; looks at the meter now and then.
fn in_blocks(
    vertices: impl Iterator<Item = u32>,
    meter: &mut Meter,
    mut each: impl FnMut(u32) -> bool,
) -> Result<bool, StopReason> {
    for (i, v) in vertices.enumerate() {
        if i % 1024 == 0 {
            meter.steps(1 << 14)?;
        }
        if !each(v) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Sets the value of v, those of whose followers are known.
#[inline]
fn set(graph: &Digraph, v: u32, values: &mut [u32], wide: &mut Mex) -> bool {
    let followers = graph.successors(v);
    let value = if followers.len() < 64 {
        let mut seen = 0u64;
        for w in followers {
            // a value of 64 or more is shifted out
            seen |= 1u64.checked_shl(values[*w as usize]).unwrap_or(0);
        }
        seen.trailing_ones()
    } else {
        wide.clear();
        for w in followers {
            // no value exceeds the number of followers
            let value = values[*w as usize] as usize;
            if value <= followers.len() {
                wide.insert(value as u64);
            }
        }
        wide.mex() as u32
    };
    values[v as usize] = value;
    true
}
