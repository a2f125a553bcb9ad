//! Directed graphs in compressed rows: vertices are 0, 1, …, the successors of each stand one after another.

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

/// Most vertices.
pub const MOST_VERTICES: usize = u32::MAX as usize;

impl Digraph {
    /// The graph of `vertices` vertices with these edges, from and to.
    ///
    /// # Complexity
    /// O(vertices + edges).
    ///
    /// # Errors
    /// [`NotAGraph`]: too many vertices, or an edge that leaves them.
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Result<Digraph, NotAGraph> {
        if vertices > MOST_VERTICES {
            return Err(NotAGraph::TooManyVertices);
        }
        let mut offsets = vec![0u64; vertices + 1];
        for (from, to) in edges {
            for end in [*from, *to] {
                if end as usize >= vertices {
                    return Err(NotAGraph::NoSuchVertex(end.into()));
                }
            }
            offsets[*from as usize + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; edges.len()];
        for (from, to) in edges {
            let place = &mut next[*from as usize];
            targets[*place as usize] = *to;
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
    /// O(vertices + edges).
    pub fn reversed(&self) -> Digraph {
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
        assert_eq!(Digraph::from_edges(0, &[]).unwrap().vertices(), 0);
    }
}
