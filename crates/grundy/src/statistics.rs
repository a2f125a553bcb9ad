//! What kind of graph a graph is, in numbers.

use grundy_core::theory::{digraph::Digraph, scc::Components};

/// Numbers of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Its vertices.
    pub vertices: usize,
    /// Its edges, each as often as it is there.
    pub edges: usize,
    /// Vertices from which no edge leads away.
    pub ends: usize,
    /// Edges from a vertex to itself.
    pub loops: usize,
    /// How it hangs together, where that was asked for.
    pub structure: Option<Structure>,
}

/// How a graph hangs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Strongly connected components, a vertex on no cycle being one by itself.
    pub components: usize,
    /// Vertices of the largest one.
    pub largest: usize,
    /// True if there is no cycle, nor a loop.
    pub is_acyclic: bool,
    /// Edges of the longest path between components: without cycles, the most moves that a play can take.
    pub depth: u32,
}

impl Statistics {
    /// Counts, and finds the structure if it is asked for.
    ///
    /// # Complexity
    /// O(vertices + edges), where counting takes one look at each edge, and the structure far more time and 33 bytes a vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy::statistics::Statistics;
    /// use grundy_core::theory::digraph::Digraph;
    /// let graph = Digraph::from_edges(4, &[(0, 1), (1, 0), (1, 2), (2, 3)]).unwrap();
    /// let found = Statistics::of(&graph, true);
    /// assert_eq!((found.vertices, found.edges, found.ends, found.loops), (4, 4, 1, 0));
    /// let structure = found.structure.unwrap();
    /// assert_eq!((structure.components, structure.largest, structure.is_acyclic, structure.depth), (3, 2, false, 2));
    /// ```
    pub fn of(graph: &Digraph, with_structure: bool) -> Statistics {
        let all = 0..graph.vertices() as u32;
        let (mut ends, mut loops) = (0, 0);
        for v in all {
            let successors = graph.successors(v);
            ends += usize::from(successors.is_empty());
            loops += successors.iter().filter(|w| **w == v).count();
        }
        let structure = with_structure.then(|| structure(graph));
        Statistics { vertices: graph.vertices(), edges: graph.edges(), ends, loops, structure }
    }
}

fn structure(graph: &Digraph) -> Structure {
    let parts = Components::of_graph(graph);
    // of the component of each vertex that is done
    const OPEN: u32 = u32::MAX;
    let mut depth = vec![OPEN; graph.vertices()];
    let mut found = Structure { components: parts.len(), largest: 0, is_acyclic: true, depth: 0 };
    for (c, part) in parts.iter().enumerate() {
        found.largest = found.largest.max(part.len());
        found.is_acyclic &= parts.is_trivial(c);
        // successors come first, and those in this component are open still
        let below = part.iter().flat_map(|v| graph.successors(*v)).map(|w| depth[*w as usize]);
        let own = below.filter(|d| *d != OPEN).map(|d| d + 1).max().unwrap_or(0);
        part.iter().for_each(|v| depth[*v as usize] = own);
        found.depth = found.depth.max(own);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_graphs() {
        let of = |n, edges: &[(u32, u32)]| Statistics::of(&Digraph::from_edges(n, edges).unwrap(), true);
        let empty = Structure { components: 0, largest: 0, is_acyclic: true, depth: 0 };
        assert_eq!(of(0, &[]).structure, Some(empty));
        let looped = of(2, &[(0, 1), (0, 0), (0, 0)]);
        assert_eq!((looped.edges, looped.loops, looped.ends), (3, 2, 1));
        assert_eq!(looped.structure, Some(Structure { components: 2, largest: 1, is_acyclic: false, depth: 1 }));
        let path: Vec<(u32, u32)> = (0..99_999).map(|v| (v, v + 1)).collect();
        let structure = of(100_000, &path).structure.unwrap();
        assert_eq!((structure.depth, structure.is_acyclic, structure.components), (99_999, true, 100_000));
    }
}
