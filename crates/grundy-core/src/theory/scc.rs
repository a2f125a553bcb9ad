//! Strongly connected components: vertices of which each can be reached from each.

use super::digraph::Digraph;

/// The strongly connected components of a graph or of a part of it, successors first: an edge leads into its own component or
/// into one with a smaller number.
///
/// # Examples
/// ```
/// use grundy_core::theory::{digraph::Digraph, scc::Components};
/// let graph = Digraph::from_edges(4, &[(0, 1), (1, 0), (1, 2), (3, 3)]).unwrap();
/// let parts = Components::of_graph(&graph);
/// assert_eq!(parts.len(), 3);
/// let number = |v: u32| (0..parts.len()).find(|c| parts.vertices(*c).contains(&v)).unwrap();
/// assert_eq!(number(0), number(1));
/// assert!(number(2) < number(0));
/// // a vertex alone is trivial unless it has a loop
/// assert!(parts.is_trivial(number(2)) && !parts.is_trivial(number(3)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// The vertices, component after component.
    vertices: Vec<u32>,
    /// Where each component ends.
    ends: Vec<u32>,
    trivial: Vec<bool>,
}

impl Components {
    /// The components of the whole graph.
    ///
    /// # Complexity
    /// O(vertices + edges) time, 25 bytes a vertex; no recursion.
    ///
    /// # Sources
    /// `[Tar72]`
    pub fn of_graph(graph: &Digraph) -> Components {
        let all: Vec<u32> = (0..graph.vertices() as u32).collect();
        Tarjan::new(graph.vertices()).components(&all, |v| graph.successors(v), |_| true)
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The vertices of component c.
    pub fn vertices(&self, c: usize) -> &[u32] {
        let from = c.checked_sub(1).map_or(0, |b| self.ends[b] as usize);
        &self.vertices[from..self.ends[c] as usize]
    }

    /// True if component c has no cycle: one vertex without a loop.
    pub fn is_trivial(&self, c: usize) -> bool {
        self.trivial[c]
    }

    /// All components in turn, successors first.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|c| self.vertices(c))
    }
}

/// Not reached yet.
const FRESH: u32 = 0;
/// In a component that is complete.
const DONE: u32 = u32::MAX;

/// The tables of the search, which many searches of parts of one graph share: each costs the size of its part only.
#[derive(Debug)]
pub struct Tarjan {
    /// When the vertex was reached, from 1; then the earliest vertex that can be reached from it on the stack.
    low: Vec<u32>,
    /// Vertices reached whose component is not complete.
    stack: Vec<u32>,
    /// The path to the vertex at hand, with the number of successors that were looked at and the time of arrival.
    path: Vec<(u32, u32, u32)>,
}

impl Tarjan {
    /// Tables for graphs of so many vertices.
    pub fn new(vertices: usize) -> Tarjan {
        Tarjan { low: vec![FRESH; vertices], stack: Vec::new(), path: Vec::new() }
    }

    /// The components of the part of a graph that `part` lists and `within` contains; edges that leave the part are not there.
    ///
    /// # Complexity
    /// O(vertices of the part + edges from them).
    ///
    /// # Panics
    /// If a vertex is none of the tables'.
    ///
    /// # Sources
    /// `[Tar72]`
    pub fn components<'a>(
        &mut self,
        part: &[u32],
        successors: impl Fn(u32) -> &'a [u32],
        within: impl Fn(u32) -> bool,
    ) -> Components {
        let mut found = Components::default();
        let mut time = 0;
        for root in part.iter().copied() {
            if self.low[root as usize] == FRESH {
                self.reach(root, &mut time);
            }
            while let Some((v, looked, arrived)) = self.path.pop() {
                let next = successors(v)[looked as usize..].iter().zip(looked + 1..).find(|(w, _)| within(**w));
                if let Some((w, looked)) = next {
                    self.path.push((v, looked, arrived));
                    match self.low[*w as usize] {
                        FRESH => self.reach(*w, &mut time),
                        DONE => {}
                        low => self.low[v as usize] = self.low[v as usize].min(low),
                    }
                    continue;
                }
                let low = self.low[v as usize];
                if low == arrived {
                    self.complete(v, &mut found);
                    let c = found.len() - 1;
                    found.trivial[c] = found.vertices(c).len() == 1 && !successors(v).contains(&v);
                }
                if let (Some((parent, ..)), true) = (self.path.last(), low < arrived) {
                    self.low[*parent as usize] = self.low[*parent as usize].min(low);
                }
            }
        }
        part.iter().for_each(|v| self.low[*v as usize] = FRESH);
        found
    }

    fn reach(&mut self, v: u32, time: &mut u32) {
        *time += 1;
        self.low[v as usize] = *time;
        self.stack.push(v);
        self.path.push((v, 0, *time));
    }

    /// Takes the component of v, which was reached before the rest of it, from the stack.
    fn complete(&mut self, v: u32, found: &mut Components) {
        while let Some(w) = self.stack.pop() {
            self.low[w as usize] = DONE;
            found.vertices.push(w);
            if w == v {
                break;
            }
        }
        found.ends.push(found.vertices.len() as u32);
        found.trivial.push(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mutual_reachability(edges in prop::collection::vec((0u32..8, 0u32..8), 0..24), out in 0u32..9) {
            // vertex `out` is left out of the part, if there is one
            let graph = Digraph::from_edges(8, &edges).unwrap();
            let mut reach = [[false; 8]; 8];
            for (a, b) in edges.iter().filter(|(a, b)| *a != out && *b != out) {
                reach[*a as usize][*b as usize] = true;
            }
            for k in 0..8 {
                for a in 0..8 {
                    for b in 0..8 {
                        reach[a][b] |= reach[a][k] && reach[k][b];
                    }
                }
            }
            let part: Vec<u32> = (0..8).filter(|v| *v != out).collect();
            let mut tarjan = Tarjan::new(8);
            let found = tarjan.components(&part, |v| graph.successors(v), |v| v != out);
            let mut number = [usize::MAX; 8];
            for (c, vertices) in found.iter().enumerate() {
                vertices.iter().for_each(|v| number[*v as usize] = c);
                let v = vertices[0] as usize;
                prop_assert_eq!(found.is_trivial(c), !reach[v][v]);
            }
            prop_assert_eq!(found.vertices.len(), part.len());
            for a in part.iter().map(|v| *v as usize) {
                for b in part.iter().map(|v| *v as usize).filter(|b| *b != a) {
                    prop_assert_eq!(number[a] == number[b], reach[a][b] && reach[b][a]);
                    prop_assert!(!reach[a][b] || number[b] <= number[a]);
                }
            }
            // the tables are as good as new
            prop_assert_eq!(tarjan.components(&part, |v| graph.successors(v), |v| v != out), found);
        }
    }

    #[test]
    fn long_paths_need_no_stack() {
        let n = 300_000;
        let mut edges: Vec<(u32, u32)> = (1..n).map(|v| (v - 1, v)).collect();
        let path = Components::of_graph(&Digraph::from_edges(n as usize, &edges).unwrap());
        assert_eq!((path.len(), path.vertices(0)), (n as usize, &[n - 1][..]));
        edges.push((n - 1, 0));
        assert_eq!(Components::of_graph(&Digraph::from_edges(n as usize, &edges).unwrap()).len(), 1);
    }
}
