//! A name for small graphs: equal names mean isomorphic graphs, and isomorphic graphs nearly always get equal names.

/// A graph of at most 255 vertices of degree at most four, and its name.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    neighbours: Vec<[u8; DEGREE]>,
    degrees: Vec<u8>,
    colours: Vec<u64>,
    old: Vec<u64>,
    /// Position in the order of the name; 255 for none yet.
    place: Vec<u8>,
    order: Vec<u8>,
    name: Vec<u8>,
}

/// The largest degree that can be named.
pub const DEGREE: usize = 4;

const NONE: u8 = 255;

impl Graph {
    /// Takes all vertices out.
    pub fn clear(&mut self) {
        self.neighbours.clear();
        self.degrees.clear();
    }

    /// A new vertex; its number.
    #[inline]
    pub fn vertex(&mut self) -> usize {
        self.neighbours.push([0; DEGREE]);
        self.degrees.push(0);
        self.degrees.len() - 1
    }

    /// Joins two vertices; false if one has as many neighbours as can be named, or as there may be vertices.
    #[inline]
    pub fn edge(&mut self, a: usize, b: usize) -> bool {
        if a.max(b) >= usize::from(NONE) {
            return false;
        }
        for (from, to) in [(a, b), (b, a)] {
            let degree = usize::from(self.degrees[from]);
            if degree == DEGREE {
                return false;
            }
            self.neighbours[from][degree] = to as u8;
            self.degrees[from] += 1;
        }
        true
    }

    /// Makes the name and returns a hash of it.
    ///
    /// Vertices are coloured by their surroundings; from a vertex with the least colour they are put in order breadth
    /// first, neighbours by colour. The name lists for each vertex the places of its neighbours before it, so it
    /// describes the graph fully; vertices of equal colour that are not alike may make names differ that need not.
    pub fn make_name(&mut self) -> u64 {
        let n = self.degrees.len();
        let Graph { neighbours, degrees, colours, old, place, order, name } = self;
        colours.clear();
        colours.extend(degrees.iter().map(|d| mix(u64::from(*d) + 1)));
        for _ in 0..ROUNDS {
            std::mem::swap(colours, old);
            colours.clear();
            for v in 0..n {
                let around = neighbours[v][..usize::from(degrees[v])].iter();
                let sum = around.fold(old[v] << 1, |sum, u| sum.wrapping_add(old[usize::from(*u)]));
                colours.push(mix(sum));
            }
        }
        let start = (0..n).min_by_key(|v| colours[*v]).unwrap_or_default();
        place.clear();
        place.resize(n, NONE);
        order.clear();
        name.clear();
        order.push(start as u8);
        place[start] = 0;
        let mut hash = n as u64;
        let mut next = 0;
        while next < order.len() {
            let v = usize::from(order[next]);
            let around = &mut neighbours[v][..usize::from(degrees[v])];
            // insertion sort: at most four
            for i in 1..around.len() {
                let mut j = i;
                while j > 0 && colours[usize::from(around[j])] < colours[usize::from(around[j - 1])] {
                    around.swap(j, j - 1);
                    j -= 1;
                }
            }
            let mut back = [NONE; DEGREE];
            let mut backs = 0;
            for u in around.iter() {
                let at = &mut place[usize::from(*u)];
                if *at == NONE {
                    *at = order.len() as u8;
                    order.push(*u);
                } else if usize::from(*at) < next {
                    back[backs] = *at;
                    backs += 1;
                }
            }
            back[..backs].sort_unstable();
            name.extend(back);
            hash = mix(hash ^ u64::from(u32::from_le_bytes(back)));
            next += 1;
        }
        hash
    }

    /// The name that was made last.
    pub fn name(&self) -> &[u8] {
        &self.name
    }
}

/// Rounds of colouring: each looks one step farther.
const ROUNDS: usize = 3;

#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(vertices: usize, edges: &[(usize, usize)]) -> (u64, Vec<u8>) {
        let mut graph = Graph::default();
        for _ in 0..vertices {
            graph.vertex();
        }
        assert!(edges.iter().all(|(a, b)| graph.edge(*a, *b)));
        (graph.make_name(), graph.name().to_vec())
    }

    #[test]
    fn numbering_does_not_matter() {
        // a square with a tail of two and a tail of one at opposite corners
        let one = named(7, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (2, 6)]);
        let other = named(7, &[(6, 3), (3, 0), (0, 2), (2, 6), (6, 1), (1, 5), (0, 4)]);
        assert_eq!(one, other);
    }

    #[test]
    fn other_graphs_have_other_names() {
        // the tails at neighbouring corners
        let opposite = named(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (2, 5)]);
        let beside = named(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 5)]);
        assert_ne!(opposite.1, beside.1);
    }

    #[test]
    fn large_degrees_are_refused() {
        let mut graph = Graph::default();
        for _ in 0..6 {
            graph.vertex();
        }
        assert!((1..=4).all(|v| graph.edge(0, v)));
        assert!(!graph.edge(0, 5));
    }
}
