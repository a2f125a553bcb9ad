//! Directed graphs in compressed rows: vertices are 0, 1, …, the successors of each stand one after another.

use core::{mem, ops::Range};

/// A directed graph; parallel edges and loops are kept, successors stand in the order in which they were given.
///
/// Memory: 8 bytes a vertex and 4 bytes an edge.
///
/// # Examples
/// ```
/// use grundy_core::theory::digraph::Digraph;
/// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
/// assert_eq!(graph.successors(0), [1, 2]);
/// assert_eq!(graph.reversed().successors(2), [0, 1]);
/// assert_eq!(graph.topological_order(), Ok(vec![0, 1, 2]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digraph {
    /// Where the successors of each vertex begin; one more entry than vertices.
    offsets: Vec<u64>,
    targets: Vec<u32>,
}

/// Why numbers are no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAGraph {
    /// More than 2^32 - 1 vertices.
    TooManyVertices,
    /// An edge leads to or from a vertex that is not there.
    NoSuchVertex(u64),
    /// The offsets do not ascend from 0 to the number of targets.
    BadOffsets,
}

impl core::fmt::Display for NotAGraph {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            NotAGraph::TooManyVertices => f.write_str("a graph has at most 2^32 - 1 vertices"),
            NotAGraph::NoSuchVertex(v) => write!(f, "there is no vertex {v}"),
            NotAGraph::BadOffsets => f.write_str("the rows of the graph do not fit its edges"),
        }
    }
}

impl core::error::Error for NotAGraph {}

/// Vertices of a block in [`Digraph::reversed`]: counters and sources of one stay in a cache of some hundred kilobytes.
const BLOCK: usize = 1 << 15;
/// Edges that are dealt out at a time.
const PAIRS: usize = 1 << 24;

/// Most vertices.
pub const MOST_VERTICES: usize = u32::MAX as usize;

impl Default for Digraph {
    /// No vertices.
    fn default() -> Self {
        Digraph { offsets: vec![0], targets: Vec::new() }
    }
}

impl Digraph {
    /// The graph of `vertices` vertices with these edges, from and to.
    ///
    /// # Complexity
    /// O(vertices + edges).
    ///
    /// # Errors
    /// [`NotAGraph`]: too many vertices, or an edge that leaves them.
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Result<Digraph, NotAGraph> {
        Self::from_edge_iter(vertices, edges.iter().copied())
    }

    /// Like [`Digraph::from_edges`], from edges that are gone through twice.
    ///
    /// # Errors
    /// [`NotAGraph`].
    pub fn from_edge_iter(
        vertices: usize,
        edges: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Result<Digraph, NotAGraph> {
        if vertices > MOST_VERTICES {
            return Err(NotAGraph::TooManyVertices);
        }
        let mut offsets = vec![0u64; vertices + 1];
        let (mut count, mut last, mut ascend) = (0, 0, true);
        for (from, to) in edges.clone() {
            let larger = from.max(to);
            if larger as usize >= vertices {
                return Err(NotAGraph::NoSuchVertex(larger.into()));
            }
            offsets[from as usize + 1] += 1;
            ascend &= last <= from;
            last = from;
            count += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        if ascend {
            return Ok(Digraph { offsets, targets: edges.map(|(_, to)| to).collect() });
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; count];
        for (from, to) in edges {
            let place = &mut next[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        }
        Ok(Digraph { offsets, targets })
    }

    /// The graph whose vertex v has the successors `targets[offsets[v] .. offsets[v + 1]]`.
    ///
    /// # Complexity
    /// O(vertices + edges), to look whether they are a graph.
    ///
    /// # Errors
    /// [`NotAGraph`].
    pub fn from_rows(offsets: Vec<u64>, targets: Vec<u32>) -> Result<Digraph, NotAGraph> {
        let vertices = offsets.len().checked_sub(1).ok_or(NotAGraph::BadOffsets)?;
        if vertices > MOST_VERTICES {
            return Err(NotAGraph::TooManyVertices);
        }
        let ascend = offsets.windows(2).all(|w| w[0] <= w[1]);
        if offsets[0] != 0 || !ascend || offsets[vertices] != targets.len() as u64 {
            return Err(NotAGraph::BadOffsets);
        }
        match targets.iter().find(|t| **t as usize >= vertices) {
            Some(t) => Err(NotAGraph::NoSuchVertex((*t).into())),
            None => Ok(Digraph { offsets, targets }),
        }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The successors of v, in the order in which they were given.
    #[inline]
    pub fn successors(&self, v: u32) -> &[u32] {
        let [from, to] = [self.offsets[v as usize], self.offsets[v as usize + 1]];
        &self.targets[from as usize..to as usize]
    }

    /// Where the successors of each vertex begin in [`Digraph::targets`]; one more entry than vertices.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The successors of all vertices, one after another.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The graph with all edges turned round; predecessors ascend.
    ///
    /// # Complexity
    /// O(vertices + edges). Beside the result 12 bytes for each of the first 2^24 edges, 2 for each of more.
    ///
    /// Where edges lead far, they are first dealt out by blocks of 2^15 targets, each block then sorted where it fits into the cache: half
    /// the time of the plain way.
    pub fn reversed(&self) -> Digraph {
        if self.leads_far() { self.reversed_by_blocks(PAIRS) } else { self.reversed_plainly() }
    }

    /// Whether a quarter of some edges lead further than 2^15 vertices, so that a walk along edges does not stay in a cache.
    ///
    /// # Complexity
    /// O(1): one edge each of some 4096 vertices.
    pub fn leads_far(&self) -> bool {
        let every = self.vertices() / 4096 + 1;
        let some =
            || (0..self.vertices() as u32).step_by(every).filter_map(|v| Some((v, *self.successors(v).first()?)));
        4 * some().filter(|(v, to)| v.abs_diff(*to) as usize > BLOCK).count() > some().count()
    }

    fn reversed_plainly(&self) -> Digraph {
        let vertices = self.vertices();
        let mut offsets = vec![0u64; vertices + 1];
        for to in &self.targets {
            offsets[*to as usize + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        for v in 0..vertices as u32 {
            for to in self.successors(v) {
                let place = &mut next[*to as usize];
                targets[*place as usize] = v;
                *place += 1;
            }
        }
        Digraph { offsets, targets }
    }

    /// Blocks are taken together until they have `most` edges, or a quarter of all; each such batch is a pass over all edges.
    fn reversed_by_blocks(&self, most: usize) -> Digraph {
        let (vertices, edges) = (self.vertices(), self.edges());
        let most = most.max(edges / 4);
        let block_of = |v: u32| v as usize / BLOCK;
        let blocks = vertices.div_ceil(BLOCK);
        let mut starts = vec![0; blocks + 1];
        for to in &self.targets {
            starts[block_of(*to) + 1] += 1;
        }
        for b in 0..blocks {
            starts[b + 1] += starts[b];
        }
        let mut offsets = vec![0u64; vertices + 1];
        let mut targets = vec![0; edges];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut next = vec![0; BLOCK];
        let mut first = 0;
        while first < blocks {
            let begin = starts[first];
            let fitting = starts[first + 1..].partition_point(|end| end - begin <= most);
            let last = (first + fitting).max(first + 1);
            pairs.resize(starts[last] - begin, (0, 0));
            self.deal_out(first..last, &starts, &mut pairs);
            for b in first..last {
                let edges = starts[b]..starts[b + 1];
                let dealt = &pairs[edges.start - begin..edges.end - begin];
                let vertices = BLOCK * b..vertices.min(BLOCK * (b + 1));
                let ends = &mut offsets[vertices.start + 1..=vertices.end];
                sort_block(dealt, edges.start as u64, ends, &mut targets[edges], &mut next);
            }
            first = last;
        }
        Digraph { offsets, targets }
    }

    /// Writes the edges into the blocks, source and target, in their order; `starts` of the first of them is the place of the first pair.
    fn deal_out(&self, blocks: Range<usize>, starts: &[usize], pairs: &mut [(u32, u32)]) {
        let begin = starts[blocks.start];
        let mut next: Vec<usize> = starts[blocks.clone()].iter().map(|s| s - begin).collect();
        for v in 0..self.vertices() as u32 {
            for to in self.successors(v) {
                // what is in none of the blocks wraps round or lies behind
                let block = (*to as usize / BLOCK).wrapping_sub(blocks.start);
                if let Some(place) = next.get_mut(block) {
                    pairs[*place] = (v, *to);
                    *place += 1;
                }
            }
        }
    }

    /// The vertices so ordered that every edge leads to a later one.
    ///
    /// # Complexity
    /// O(vertices + edges).
    ///
    /// # Errors
    /// A cycle, vertex by vertex, each with an edge to the next one and the last with one to the first.
    pub fn topological_order(&self) -> Result<Vec<u32>, Vec<u32>> {
        let mut entering = vec![0u32; self.vertices()];
        for to in &self.targets {
            entering[*to as usize] = entering[*to as usize].saturating_add(1);
        }
        let mut order: Vec<u32> = (0..self.vertices() as u32).filter(|v| entering[*v as usize] == 0).collect();
        let mut next = 0;
        while let Some(v) = order.get(next).copied() {
            next += 1;
            for to in self.successors(v) {
                let left = &mut entering[*to as usize];
                *left -= 1;
                if *left == 0 {
                    order.push(*to);
                }
            }
        }
        if order.len() == self.vertices() {
            return Ok(order);
        }
        Err(self.cycle_among(&entering))
    }

    /// The vertices from which a walk may go on for ever: those from which a cycle is reached. None if there is no cycle.
    ///
    /// The others are peeled off from the ends: a vertex is one of them once all its successors are.
    ///
    /// # Complexity
    /// O(vertices + edges); no memory where all edges ascend or all descend.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::digraph::Digraph;
    /// let graph = Digraph::from_edges(4, &[(0, 1), (1, 1), (1, 2), (3, 2)]).unwrap();
    /// assert_eq!(graph.endless(), Some(vec![true, true, false, false]));
    /// ```
    pub fn endless(&self) -> Option<Vec<bool>> {
        let vertices = 0..self.vertices() as u32;
        let ascends = |v: u32| self.successors(v).iter().all(|to| *to > v);
        let descends = |v: u32| self.successors(v).iter().all(|to| *to < v);
        if vertices.clone().all(ascends) || vertices.clone().all(descends) {
            return None;
        }
        let before = self.reversed();
        let mut left: Vec<u64> = self.offsets.windows(2).map(|w| w[1] - w[0]).collect();
        let mut ended: Vec<u32> = vertices.filter(|v| left[*v as usize] == 0).collect();
        let mut next = 0;
        while let Some(v) = ended.get(next).copied() {
            next += 1;
            for u in before.successors(v) {
                left[*u as usize] -= 1;
                if left[*u as usize] == 0 {
                    ended.push(*u);
                }
            }
        }
        (ended.len() < self.vertices()).then(|| left.iter().map(|l| *l > 0).collect())
    }

    /// A cycle of vertices with an entering edge left, each of which is entered from another one.
    fn cycle_among(&self, entering: &[u32]) -> Vec<u32> {
        // backwards: every such vertex has a predecessor that is one too
        let before = self.reversed();
        let is_left = |v: &u32| entering[*v as usize] > 0;
        let mut seen = vec![u32::MAX; self.vertices()];
        let mut path = Vec::new();
        let mut at = (0..self.vertices() as u32).find(is_left).unwrap_or(0);
        while seen[at as usize] == u32::MAX {
            seen[at as usize] = path.len() as u32;
            path.push(at);
            at = before.successors(at).iter().copied().find(is_left).unwrap_or(at);
        }
        let mut cycle = path.split_off(seen[at as usize] as usize);
        cycle.reverse();
        cycle
    }
}

/// Sorts the edges of one block by target: sources into `sources`, and into `ends` where those of each vertex end, counted from `start`.
fn sort_block(edges: &[(u32, u32)], start: u64, ends: &mut [u64], sources: &mut [u32], next: &mut [usize]) {
    next.fill(0);
    for (_, to) in edges {
        next[*to as usize % BLOCK] += 1;
    }
    let mut sum = 0;
    for (place, end) in next.iter_mut().zip(ends) {
        let count = mem::replace(place, sum);
        sum += count;
        *end = start + sum as u64;
    }
    for (from, to) in edges {
        let place = &mut next[*to as usize % BLOCK];
        sources[*place] = *from;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_and_reversal_keep_the_edges(edges in prop::collection::vec((0u32..9, 0u32..9), 0..30)) {
            let graph = Digraph::from_edges(9, &edges).unwrap();
            prop_assert_eq!(graph.edges(), edges.len());
            let listed = |g: &Digraph| -> Vec<(u32, u32)> {
                let mut all: Vec<_> = (0..9).flat_map(|v| g.successors(v).iter().map(move |t| (v, *t))).collect();
                all.sort_unstable();
                all
            };
            let mut sorted = edges.clone();
            sorted.sort_unstable();
            prop_assert_eq!(listed(&graph), sorted);
            let mut turned: Vec<_> = edges.iter().map(|(a, b)| (*b, *a)).collect();
            turned.sort_unstable();
            prop_assert_eq!(listed(&graph.reversed()), turned);
            let again = Digraph::from_rows(graph.offsets().to_vec(), graph.targets().to_vec());
            prop_assert_eq!(again, Ok(graph));
        }

        #[test]
        fn blocks_turn_edges_round_like_the_plain_way(
            edges in prop::collection::vec((0u32..200_000, 0u32..200_000), 0..60), most in 1usize..40
        ) {
            let graph = Digraph::from_edges(200_000, &edges).unwrap();
            prop_assert_eq!(graph.reversed_by_blocks(most), graph.reversed_plainly());
        }

        #[test]
        fn an_order_or_a_cycle(edges in prop::collection::vec((0u32..9, 0u32..9), 0..20)) {
            let graph = Digraph::from_edges(9, &edges).unwrap();
            let endless = graph.endless();
            prop_assert_eq!(endless.is_none(), graph.topological_order().is_ok());
            for v in 0..9 {
                // a walk of nine steps meets some vertex twice
                let walk = |from: Vec<u32>, _| from.iter().flat_map(|u| graph.successors(*u)).copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
                let goes_on = !(0..9).fold(vec![v], walk).is_empty();
                prop_assert_eq!(endless.as_ref().is_some_and(|e| e[v as usize]), goes_on);
            }
            match graph.topological_order() {
                Ok(order) => {
                    let place = |v: &u32| order.iter().position(|o| o == v).unwrap();
                    prop_assert_eq!(order.len(), 9);
                    prop_assert!(edges.iter().all(|(a, b)| place(a) < place(b)));
                }
                Err(cycle) => {
                    prop_assert!(!cycle.is_empty());
                    for (i, v) in cycle.iter().enumerate() {
                        prop_assert!(graph.successors(*v).contains(&cycle[(i + 1) % cycle.len()]));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_graph() {
        assert_eq!(Digraph::from_edges(2, &[(0, 2)]), Err(NotAGraph::NoSuchVertex(2)));
        assert_eq!(Digraph::from_rows(vec![0, 2], vec![0]), Err(NotAGraph::BadOffsets));
        assert_eq!(Digraph::from_rows(vec![], vec![]), Err(NotAGraph::BadOffsets));
        assert_eq!(Digraph::from_rows(vec![0, 1], vec![1]), Err(NotAGraph::NoSuchVertex(1)));
        assert_eq!(Digraph::from_edges(0, &[]), Ok(Digraph::default()));
        assert_eq!(Digraph::default().vertices(), 0);
    }
}
