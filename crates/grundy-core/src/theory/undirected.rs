//! Graphs without directions, with parallel edges and loops: the boards of Node Kayles, geography and Hackenbush.

use super::digraph::Digraph;

/// An undirected graph; edges are numbered by their ends, ascending, parallel ones one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undirected {
    vertices: usize,
    edges: Vec<[u32; 2]>,
    offsets: Vec<usize>,
    /// The other end and the number of the edge.
    incident: Vec<(u32, u32)>,
}

impl Undirected {
    /// The graph with these edges, the smaller end first or not.
    ///
    /// # Complexity
    /// O(vertices + edges log edges); 24 bytes an edge.
    ///
    /// # Panics
    /// If an end is no vertex.
    pub fn new(vertices: usize, edges: &[[u32; 2]]) -> Undirected {
        let mut edges: Vec<[u32; 2]> = edges.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        edges.sort_unstable();
        let mut offsets = vec![0; vertices + 1];
        let ends = |e: &[u32; 2]| if e[0] == e[1] { vec![e[0]] } else { e.to_vec() };
        for v in edges.iter().flat_map(ends) {
            offsets[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut incident = vec![(0, 0); offsets[vertices]];
        for (e, [a, b]) in (0u32..).zip(&edges) {
            for (v, w) in if a == b { vec![(*a, *b)] } else { vec![(*a, *b), (*b, *a)] } {
                incident[next[v as usize]] = (w, e);
                next[v as usize] += 1;
            }
        }
        Undirected { vertices, edges, offsets, incident }
    }

    /// The graph that a directed one means. If every edge also leads back, as files of undirected graphs are read, each such pair
    /// is one edge; else every edge is one, wherever it leads.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::{digraph::Digraph, undirected::Undirected};
    /// let both_ways = Digraph::from_edges(2, &[(0, 1), (1, 0)]).unwrap();
    /// assert_eq!(Undirected::of(&both_ways).edges(), [[0, 1]]);
    /// let twice = Digraph::from_edges(2, &[(0, 1), (0, 1)]).unwrap();
    /// assert_eq!(Undirected::of(&twice).edges(), [[0, 1], [0, 1]]);
    /// ```
    pub fn of(graph: &Digraph) -> Undirected {
        let n = graph.vertices();
        let all: Vec<[u32; 2]> = (0..n as u32).flat_map(|v| graph.successors(v).iter().map(move |w| [v, *w])).collect();
        let (mut there, mut back): (Vec<[u32; 2]>, Vec<[u32; 2]>) =
            all.iter().filter(|[v, w]| v != w).partition(|[v, w]| v < w);
        back.iter_mut().for_each(|e| e.reverse());
        there.sort_unstable();
        back.sort_unstable();
        if there == back {
            Undirected::new(n, &all.into_iter().filter(|[v, w]| v <= w).collect::<Vec<_>>())
        } else {
            Undirected::new(n, &all)
        }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The ends of each edge, the smaller one first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The other ends and the numbers of the edges at v, by number; a loop stands once.
    pub fn incident(&self, v: u32) -> &[(u32, u32)] {
        &self.incident[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    /// The vertices beside v, ascending, each once, without v itself.
    pub fn neighbours(&self, v: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.incident(v).iter().map(|(w, _)| *w).filter(|w| *w != v).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_dropped() {
        let of = |edges: &[(u32, u32)]| Undirected::of(&Digraph::from_edges(4, edges).unwrap());
        assert_eq!(of(&[(2, 1), (1, 2), (0, 3), (3, 0), (1, 1)]).edges(), [[0, 3], [1, 1], [1, 2]]);
        // one edge that leads only there: every one counts
        assert_eq!(of(&[(2, 1), (1, 2), (0, 3)]).edges(), [[0, 3], [1, 2], [1, 2]]);
        let graph = of(&[(0, 1), (2, 0), (0, 0)]);
        assert_eq!(graph.incident(0), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!((graph.neighbours(0), graph.neighbours(1), graph.neighbours(3)), (vec![1, 2], vec![0], vec![]));
    }
}
