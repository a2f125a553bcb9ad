//! What one process keeps of a game: the edges into its block of vertices.

use std::ops::Range;

use grundy_core::theory::digraph::Digraph;

/// Vertices 0, 1, … in as many blocks of neighbours as there are processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    vertices: u32,
    size: u32,
}

impl Blocks {
    /// Blocks of equal size; the last ones may be shorter, or empty.
    pub fn new(vertices: u32, processes: usize) -> Blocks {
        let size = u64::from(vertices).div_ceil(processes as u64).max(1);
        Blocks { vertices, size: size as u32 }
    }

    /// The number of all vertices.
    pub fn vertices(self) -> u32 {
        self.vertices
    }

    /// The process that has this vertex.
    #[inline]
    pub fn of(self, v: u32) -> usize {
        (v / self.size) as usize
    }

    /// The vertices of a process.
    pub fn range(self, process: usize) -> Range<u32> {
        let at = |k: usize| (k as u64 * u64::from(self.size)).min(self.vertices.into()) as u32;
        at(process)..at(process + 1)
    }
}

/// The block of one process. Vertices are numbered over all blocks outside and from 0 inside (*places*).
///
/// Memory: 12 bytes a vertex of the block and 4 for each edge into it.
#[derive(Debug)]
pub struct Block {
    range: Range<u32>,
    /// Where the predecessors of each place begin; one more entry than places.
    offsets: Vec<u64>,
    predecessors: Vec<u32>,
    /// The number of moves from each place.
    moves: Vec<u32>,
}

impl Block {
    /// Cuts the vertices of `range` out of a graph.
    ///
    /// # Complexity
    /// O(vertices + edges) of the whole graph.
    pub fn cut(graph: &Digraph, range: Range<u32>) -> Block {
        let len = range.len();
        let place = |v: &u32| (v - range.start) as usize;
        let is_here = |v: &&u32| range.contains(*v);
        let mut offsets = vec![0u64; len + 1];
        for to in graph.targets().iter().filter(is_here) {
            offsets[place(to) + 1] += 1;
        }
        for i in 0..len {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut predecessors = vec![0; offsets[len] as usize];
        for v in 0..graph.vertices() as u32 {
            for to in graph.successors(v).iter().filter(is_here) {
                let at = &mut next[place(to)];
                predecessors[*at as usize] = v;
                *at += 1;
            }
        }
        let moves = range.clone().map(|v| graph.successors(v).len() as u32).collect();
        Block { range, offsets, predecessors, moves }
    }

    /// The bytes that a block of a graph takes, at most.
    pub fn bytes(graph: &Digraph, range: &Range<u32>) -> u64 {
        12 * range.len() as u64 + 4 * graph.edges() as u64
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The vertices.
    pub fn range(&self) -> Range<u32> {
        self.range.clone()
    }

    /// The place of a vertex, if it is in this block.
    #[inline]
    pub fn place(&self, v: u32) -> Option<usize> {
        let place = v.wrapping_sub(self.range.start) as usize;
        (place < self.moves.len()).then_some(place)
    }

    /// The vertices, of any block, with a move to this place; with several, several times.
    #[inline]
    pub fn before(&self, place: usize) -> &[u32] {
        &self.predecessors[self.offsets[place] as usize..self.offsets[place + 1] as usize]
    }

    /// The number of moves from a place.
    pub fn moves(&self, place: usize) -> u32 {
        self.moves[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_are_the_graph(edges in prop::collection::vec((0u32..11, 0u32..11), 0..40), processes in 1usize..15) {
            let graph = Digraph::from_edges(11, &edges).unwrap();
            let before = graph.reversed();
            let blocks = Blocks::new(11, processes);
            let mut seen = 0;
            for process in 0..processes {
                let block = Block::cut(&graph, blocks.range(process));
                for (place, v) in block.range().enumerate() {
                    prop_assert_eq!((v, blocks.of(v), block.place(v)), (seen, process, Some(place)));
                    prop_assert_eq!(block.before(place), before.successors(v));
                    prop_assert_eq!(block.moves(place) as usize, graph.successors(v).len());
                    seen += 1;
                }
                prop_assert_eq!(block.place(blocks.range(process).end), None);
            }
            prop_assert_eq!(seen, 11);
        }
    }

    #[test]
    fn the_widest_numbers_fit() {
        let blocks = Blocks::new(u32::MAX, 3);
        assert_eq!((blocks.range(2).end, blocks.of(u32::MAX - 1)), (u32::MAX, 2));
        assert_eq!(Blocks::new(u32::MAX, 1).range(0), 0..u32::MAX);
        assert!(Blocks::new(0, 2).range(1).is_empty());
    }
}
