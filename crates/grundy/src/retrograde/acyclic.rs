//! Grundy values of all vertices of a graph without cycles.

use grundy_core::theory::{Mex, digraph::Digraph};

use crate::{
    budget::{Meter, StopReason},
    frontier::{Counter, force, prefetch},
};

/// The Grundy value of each vertex, or a cycle, vertex by vertex.
///
/// Vertices are numbered so that edges descend or ascend, which is found out on the way, or they are brought into a topological
/// order first.
///
/// # Complexity
/// O(vertices + edges); 4 bytes a vertex and a bit for each value that is possible, 8 bytes more where an order is needed.
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
    if widest < u8::MOVES {
        values(graph, &mut OneHot::<u8>::new(graph), meter)
    } else if widest < u16::MOVES {
        values(graph, &mut OneHot::<u16>::new(graph), meter)
    } else if widest < u32::MOVES {
        values(graph, &mut OneHot::<u32>::new(graph), meter)
    } else if widest < u64::MOVES {
        values(graph, &mut OneHot::<u64>::new(graph), meter)
    } else {
        values(graph, &mut Wide { values: vec![NONE; graph.vertices()], seen: Mex::default() }, meter)
    }
}

/// Values, and how one is found from those of the followers.
trait Values {
    /// Bytes a vertex.
    const WIDTH: usize;
    /// Sets the value of v from those of its followers. Returns whether these are known.
    fn set(&mut self, graph: &Digraph, v: u32) -> bool;
    /// Asks the memory for the value of v.
    fn soon(&self, v: u32);
    fn take(&mut self) -> Vec<u32>;
}

/// Each value as a word with one bit set, so that the set of those of the followers is their union; the top bit where the value is
/// not known yet.
struct OneHot<T>(Vec<T>);

/// Words of such sets.
trait Word: Copy + std::ops::BitOr<Output = Self> + std::ops::BitAnd<Output = Self> {
    /// With fewer moves from every vertex no value reaches the top bit.
    const MOVES: u64;
    const EMPTY: Self;
    const UNKNOWN: Self;
    /// Which of four count, where there are so many.
    const COUNTED: [[Self; 4]; 5];
    /// The least value that is missing, as a word with one bit set; None if one was not known.
    fn missing(self) -> Option<Self>;
    fn value(self) -> u32;
}

macro_rules! words {
    ($($t:ty),+) => {$(
        impl Word for $t {
            const MOVES: u64 = <$t>::BITS as u64 - 1;
            const EMPTY: $t = 0;
            const UNKNOWN: $t = 1 << (<$t>::BITS - 1);
            const COUNTED: [[$t; 4]; 5] = {
                const ALL: $t = <$t>::MAX;
                [[0; 4], [ALL, 0, 0, 0], [ALL, ALL, 0, 0], [ALL, ALL, ALL, 0], [ALL; 4]]
            };

            #[inline(always)]
            fn missing(self) -> Option<$t> {
                (self < <$t as Word>::UNKNOWN).then_some(!self & self.wrapping_add(1))
            }

            fn value(self) -> u32 {
                self.trailing_zeros()
            }
        }
    )+};
}

words!(u8, u16, u32, u64);

impl<T: Word> OneHot<T> {
    fn new(graph: &Digraph) -> OneHot<T> {
        OneHot(vec![T::UNKNOWN; graph.vertices()])
    }
}

impl<T: Word> Values for OneHot<T> {
    const WIDTH: usize = size_of::<T>();

    #[inline(always)]
    fn set(&mut self, graph: &Digraph, v: u32) -> bool {
        let [mut at, end] = [graph.offsets()[v as usize] as usize, graph.offsets()[v as usize + 1] as usize];
        let mut seen = T::EMPTY;
        // four at a time without a branch on how many there are: those of a neighbouring vertex are read and not counted
        while let (true, Some(four)) = (at < end, graph.targets().get(at..at + 4)) {
            let counted = &T::COUNTED[(end - at).min(4)];
            for (w, counted) in four.iter().zip(counted) {
                seen = seen | self.0[*w as usize] & *counted;
            }
            at += 4;
        }
        for w in graph.targets().get(at..end).unwrap_or_default() {
            seen = seen | self.0[*w as usize];
        }
        let missing = seen.missing();
        self.0[v as usize] = missing.unwrap_or(T::UNKNOWN);
        missing.is_some()
    }

    #[inline(always)]
    fn soon(&self, v: u32) {
        prefetch(&self.0, v as usize);
    }

    fn take(&mut self) -> Vec<u32> {
        self.0.iter().map(|word| word.value()).collect()
    }
}

/// For any graph.
struct Wide {
    values: Vec<u32>,
    seen: Mex,
}

/// No value yet; one greater than any.
const NONE: u32 = u32::MAX;

impl Values for Wide {
    const WIDTH: usize = 0;

    fn set(&mut self, graph: &Digraph, v: u32) -> bool {
        let followers = graph.successors(v);
        self.seen.clear();
        let mut known = true;
        for w in followers {
            // no value exceeds the number of followers
            let value = self.values[*w as usize];
            if value as usize <= followers.len() {
                self.seen.insert(value.into());
            }
            known &= value != NONE;
        }
        if known {
            self.values[v as usize] = self.seen.mex() as u32;
        }
        known
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
) -> Result<Result<Vec<u32>, Vec<u32>>, StopReason> {
    let n = graph.vertices() as u32;
    let bytes = (4 + V::WIDTH as u64) * u64::from(n);
    meter.bytes(bytes)?;
    let is_ordered =
        in_blocks(0..n, meter, |v| values.set(graph, v))? || in_blocks((0..n).rev(), meter, |v| values.set(graph, v))?;
    if is_ordered {
        meter.release(bytes);
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
        values.set(graph, order[i]);
    }
    meter.release(8 * u64::from(n) + bytes);
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
        /// Edges from later to earlier, to later, and anywhere; few from each vertex, and many, for sets of every width.
        #[test]
        fn values_are_those_of_the_definition(
            edges in prop::collection::vec((0u32..90, 0u32..90), 0..900), shift in 0u32..90, hub in 0u32..90,
        ) {
            let down = |(a, b): (u32, u32)| (a.max(b), a.min(b));
            let mut edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| a != b).map(down).collect();
            edges.extend((0..hub).map(|w| (89, w)));
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
