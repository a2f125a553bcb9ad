//! Largest matchings of graphs without directions.

use std::collections::VecDeque;

use super::undirected::Undirected;

const NONE: u32 = u32::MAX;

/// A largest set of edges of which no two meet, among the vertices for which `is_in` holds: the partner of each vertex.
///
/// From each vertex without a partner a path is sought on which edges of the matching and others alternate and which ends at
/// another such vertex; cycles of odd length that are met on the way are shrunk to their bases.
///
/// # Complexity
/// O(vertices³) at worst; O(vertices) memory.
///
/// # Sources
/// `[Edm65]`
///
/// # Examples
/// ```
/// use grundy_core::theory::{matching::largest_matching, undirected::Undirected};
/// let triangle_with_tail = Undirected::new(4, &[[0, 1], [1, 2], [2, 0], [2, 3]]);
/// let matched = largest_matching(&triangle_with_tail, |_| true);
/// assert_eq!(matched, [Some(1), Some(0), Some(3), Some(2)]);
/// ```
pub fn largest_matching(graph: &Undirected, is_in: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let n = graph.vertices();
    let neighbours: Vec<Vec<u32>> = (0..n as u32)
        .map(|v| if is_in(v) { graph.neighbours(v).into_iter().filter(|w| is_in(*w)).collect() } else { Vec::new() })
        .collect();
    let mut search = Search {
        neighbours,
        partner: vec![NONE; n],
        parent: vec![NONE; n],
        base: (0..n as u32).collect(),
        is_outer: vec![false; n],
        queue: VecDeque::new(),
    };
    for v in 0..n as u32 {
        if search.partner[v as usize] == NONE {
            let greedy = search.neighbours[v as usize].iter().find(|w| search.partner[**w as usize] == NONE).copied();
            if let Some(w) = greedy {
                search.partner[v as usize] = w;
                search.partner[w as usize] = v;
            }
        }
    }
    for root in 0..n as u32 {
        if search.partner[root as usize] == NONE && !search.neighbours[root as usize].is_empty() {
            search.augment_from(root);
        }
    }
    search.partner.into_iter().map(|w| (w != NONE).then_some(w)).collect()
}

struct Search {
    neighbours: Vec<Vec<u32>>,
    partner: Vec<u32>,
    /// The vertex before one on the way from the root, for vertices at odd distance and within shrunk cycles.
    parent: Vec<u32>,
    /// The vertex to which the cycle of one was shrunk.
    base: Vec<u32>,
    is_outer: Vec<bool>,
    queue: VecDeque<u32>,
}

impl Search {
    fn augment_from(&mut self, root: u32) {
        self.parent.fill(NONE);
        self.is_outer.fill(false);
        for (v, base) in (0..).zip(&mut self.base) {
            *base = v;
        }
        self.queue.clear();
        self.is_outer[root as usize] = true;
        self.queue.push_back(root);
        while let Some(v) = self.queue.pop_front() {
            for i in 0..self.neighbours[v as usize].len() {
                let w = self.neighbours[v as usize][i];
                if self.base[v as usize] == self.base[w as usize] || self.partner[v as usize] == w {
                    continue;
                }
                let after = self.partner[w as usize];
                if w == root || (after != NONE && self.parent[after as usize] != NONE) {
                    self.shrink(v, w);
                } else if self.parent[w as usize] == NONE {
                    self.parent[w as usize] = v;
                    if after == NONE {
                        return self.turn(w);
                    }
                    self.is_outer[after as usize] = true;
                    self.queue.push_back(after);
                }
            }
        }
    }

    /// Turns the path that ends at w: edges of the matching leave it, the others join.
    fn turn(&mut self, mut w: u32) {
        while w != NONE {
            let v = self.parent[w as usize];
            let next = self.partner[v as usize];
            self.partner[v as usize] = w;
            self.partner[w as usize] = v;
            w = next;
        }
    }

    /// Shrinks the odd cycle that the edge from v to w closes.
    fn shrink(&mut self, v: u32, w: u32) {
        let base = self.meeting(v, w);
        let mut in_cycle = vec![false; self.base.len()];
        self.mark(v, base, w, &mut in_cycle);
        self.mark(w, base, v, &mut in_cycle);
        for u in 0..self.base.len() {
            if in_cycle[self.base[u] as usize] {
                self.base[u] = base;
                if !self.is_outer[u] {
                    self.is_outer[u] = true;
                    self.queue.push_back(u as u32);
                }
            }
        }
    }

    /// The base at which the ways from the root to a and b part.
    fn meeting(&self, mut a: u32, mut b: u32) -> u32 {
        let mut seen = vec![false; self.base.len()];
        loop {
            a = self.base[a as usize];
            seen[a as usize] = true;
            let partner = self.partner[a as usize];
            if partner == NONE || self.parent[partner as usize] == NONE {
                break;
            }
            a = self.parent[partner as usize];
        }
        loop {
            b = self.base[b as usize];
            if seen[b as usize] {
                return b;
            }
            b = self.parent[self.partner[b as usize] as usize];
        }
    }

    /// Marks the cycle from v down to the base, and makes it passable the other way round by the edge to `child`.
    fn mark(&mut self, mut v: u32, base: u32, mut child: u32, in_cycle: &mut [bool]) {
        while self.base[v as usize] != base {
            let partner = self.partner[v as usize];
            in_cycle[self.base[v as usize] as usize] = true;
            in_cycle[self.base[partner as usize] as usize] = true;
            self.parent[v as usize] = child;
            child = partner;
            v = self.parent[partner as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs in a largest matching, by trying everything: the first vertex stays alone or goes with a neighbour.
    fn by_trying(graph: &Undirected, left: u32) -> u32 {
        if left == 0 {
            return 0;
        }
        let v = left.trailing_zeros();
        let rest = left & (left - 1);
        let beside = graph.neighbours(v).into_iter().filter(|w| rest >> w & 1 == 1);
        beside.map(|w| 1 + by_trying(graph, rest & !(1 << w))).chain([by_trying(graph, rest)]).max().unwrap_or(0)
    }

    #[test]
    fn as_large_as_any() {
        let mut random = 1u64;
        let mut next = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        for round in 0..600 {
            let n = 1 + next(11);
            let edges: Vec<[u32; 2]> = (0..next(2 * n + 1)).map(|_| [next(n) as u32, next(n) as u32]).collect();
            let graph = Undirected::new(n as usize, &edges);
            let inside = (next(1 << n) | next(1 << n)) as u32;
            let matched = largest_matching(&graph, |v| inside >> v & 1 == 1);
            let mut pairs = 0;
            for (v, w) in (0u32..).zip(&matched) {
                let Some(w) = w else { continue };
                pairs += 1;
                assert_eq!(matched[*w as usize], Some(v));
                assert!(graph.neighbours(v).contains(w) && inside >> v & 1 == 1, "{edges:?}");
            }
            assert_eq!(pairs / 2, by_trying(&graph, inside), "{round}: {edges:?} {inside:b}");
        }
    }
}
