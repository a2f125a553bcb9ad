//! Grundy values of all vertices of a graph without cycles.

use grundy_core::theory::{Mex, digraph::Digraph};

use crate::{
    budget::{Meter, StopReason},
    frontier::{Counter, force, prefetch},
};

/// Fewer moves than this from every vertex: values are below, and the set of those of the followers is a word.
const NARROW: u64 = 64;

/// The Grundy value of each vertex, or a cycle, vertex by vertex.
///
/// Vertices are numbered so that edges descend or ascend, which is found out on the way, or they are brought into a topological
/// order first.
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
    let widest = graph.offsets().windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
    meter.bytes(5 * graph.vertices() as u64)?;
    let found = if widest < NARROW {
        let narrow = values(graph, &mut Narrow(vec![0; graph.vertices()]), meter)?;
        narrow.map(|v| v.into_iter().map(u32::from).collect())
    } else {
        values(graph, &mut Wide { values: vec![0; graph.vertices()], seen: Mex::default() }, meter)?
    };
    meter.release(graph.vertices() as u64);
    Ok(found)
}

/// Values, and how one is found from those of the followers.
trait Values {
    type Value;
    /// Sets the value of v from those of its followers. Returns whether these stand on the asked side of v.
    fn set(&mut self, graph: &Digraph, v: u32, side: Side) -> bool;
    /// Asks the memory for the value of v.
    fn soon(&self, v: u32);
    fn take(&mut self) -> Vec<Self::Value>;
}

/// Where the followers of a vertex must stand, so that their values are known.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind,
    Anywhere,
}

impl Side {
    /// Whether w stands there as seen from v.
    #[inline(always)]
    fn holds(self, v: u32, w: u32) -> bool {
        match self {
            Side::Before => w < v,
            Side::Behind => w > v,
            Side::Anywhere => true,
        }
    }
}

/// For graphs with fewer than [`NARROW`] moves from each vertex.
struct Narrow(Vec<u8>);

impl Values for Narrow {
    type Value = u8;

    #[inline(always)]
    fn set(&mut self, graph: &Digraph, v: u32, side: Side) -> bool {
        let [from, to] = [graph.offsets()[v as usize] as usize, graph.offsets()[v as usize + 1] as usize];
        let (mut seen, mut holds) = (0u64, true);
        let mut at = from;
        // four at a time without a branch on how many there are: those of a neighbouring vertex are read and not counted
        while let (true, Some(four)) = (at < to, graph.targets()[at..].first_chunk::<4>()) {
            for (i, w) in four.iter().enumerate() {
                let counts = at + i < to;
                seen |= u64::from(counts) << (self.0[*w as usize] % NARROW as u8);
                holds &= !counts | side.holds(v, *w);
            }
            at += 4;
        }
        for w in graph.targets().get(at..to).unwrap_or_default() {
            seen |= 1 << (self.0[*w as usize] % NARROW as u8);
            holds &= side.holds(v, *w);
        }
        self.0[v as usize] = seen.trailing_ones() as u8;
        holds
    }

    #[inline(always)]
    fn soon(&self, v: u32) {
        prefetch(&self.0, v as usize);
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// For any graph.
struct Wide {
    values: Vec<u32>,
    seen: Mex,
}

impl Values for Wide {
    type Value = u32;

    fn set(&mut self, graph: &Digraph, v: u32, side: Side) -> bool {
        let followers = graph.successors(v);
        self.seen.clear();
        for w in followers {
            // no value exceeds the number of followers
            let value = self.values[*w as usize] as usize;
            if value <= followers.len() {
                self.seen.insert(value as u64);
            }
        }
        self.values[v as usize] = self.seen.mex() as u32;
        followers.iter().all(|w| side.holds(v, *w))
    }

    fn soon(&self, v: u32) {
        prefetch(&self.values, v as usize);
    }

    fn take(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.values)
    }
}

fn values<V: Values>(
    graph: &Digraph,
    values: &mut V,
    meter: &mut Meter,
) -> Result<Result<Vec<V::Value>, Vec<u32>>, StopReason> {
    let n = graph.vertices() as u32;
    let is_ordered = in_blocks(0..n, meter, |v| values.set(graph, v, Side::Before))?
        || in_blocks((0..n).rev(), meter, |v| values.set(graph, v, Side::Behind))?;
    if is_ordered {
        return Ok(Ok(values.take()));
    }
    meter.bytes(8 * u64::from(n))?;
    let Some(order) = order(graph, meter)? else {
        return Ok(Err(graph.topological_order().err().unwrap_or_default()));
    };
    const AHEAD: usize = 8;
    for i in (0..order.len()).rev() {
        if i % 1024 == 0 {
            meter.steps(1 << 14)?;
        }
        let ahead = |places: usize| i.checked_sub(places).map(|i| order[i]);
        if let Some(v) = ahead(3 * AHEAD) {
            prefetch(graph.offsets(), v as usize);
        }
        if let Some(v) = ahead(2 * AHEAD) {
            prefetch(graph.targets(), graph.offsets()[v as usize] as usize);
        }
        if let Some(v) = ahead(AHEAD) {
            graph.successors(v).iter().take(4).for_each(|w| values.soon(*w));
        }
        values.set(graph, order[i], Side::Anywhere);
    }
    meter.release(8 * u64::from(n));
    Ok(Ok(values.take()))
}

/// A topological order; None if there is a cycle.
pub(super) fn order(graph: &Digraph, meter: &mut Meter) -> Result<Option<Vec<u32>>, StopReason> {
    if graph.edges() <= u32::MAX as usize { order_with::<u32>(graph, meter) } else { order_with::<u64>(graph, meter) }
}

fn order_with<C: Counter>(graph: &Digraph, meter: &mut Meter) -> Result<Option<Vec<u32>>, StopReason> {
    let n = graph.vertices();
    let mut entering = vec![C::ZERO; n];
    graph.targets().iter().for_each(|to| entering[*to as usize] = entering[*to as usize].more());
    meter.steps(2 * graph.edges() as u64)?;
    let mut queue: Vec<u32> = (0..n as u32).filter(|v| entering[*v as usize] == C::ZERO).collect();
    let first = queue.len();
    queue.resize(n + 1, 0);
    let len = force(graph, &mut entering, &mut queue, 0, first, meter)?;
    queue.truncate(len);
    Ok((len == n).then_some(queue))
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

#[cfg(test)]
mod tests {
    use grundy_core::theory::mex;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Edges from later to earlier, to later, and anywhere; few from each vertex, and many.
        #[test]
        fn values_are_those_of_the_definition(
            edges in prop::collection::vec((0u32..90, 0u32..90), 0..900), shift in 0u32..90, many: bool,
        ) {
            let down = |(a, b): (u32, u32)| (a.max(b), a.min(b));
            let mut edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| a != b).map(down).collect();
            if many {
                edges.extend((0..89).map(|w| (89, w)));
            }
            let mut plain = vec![0; 90];
            for v in 0..90 {
                let followers = edges.iter().filter(|(a, _)| *a == v).map(|(_, b)| plain[*b as usize]);
                plain[v as usize] = mex(followers.collect::<Vec<u64>>());
            }
            let renumberings: [&dyn Fn(u32) -> u32; 3] = [&|v| v, &|v| 89 - v, &|v| (v + shift) % 90];
            for number in renumberings {
                let edges: Vec<_> = edges.iter().map(|(a, b)| (number(*a), number(*b))).collect();
                let graph = Digraph::from_edges(90, &edges).unwrap();
                let values = grundy_values(&graph, &mut Meter::unlimited()).unwrap().unwrap();
                for v in 0..90 {
                    prop_assert_eq!(u64::from(values[number(v) as usize]), plain[v as usize]);
                }
            }
        }
    }
}
