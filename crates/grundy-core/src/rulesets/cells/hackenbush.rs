//! Green Hackenbush: a move cuts an edge, and all that is not connected with the ground any more falls.

use core::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};
use std::sync::Arc;

use super::set;
use crate::{
    ruleset::{ByTheorem, OptionSink, Playable, Ruleset},
    theory::{named_graph::NamedGraph, undirected::Undirected},
};

/// The ruleset of one graph; a position is the set of edges that stand.
///
/// The ground is the vertex called `ground`, else that called `0`, else the first. The value of a picture follows from two
/// theorems: a stalk below a picture of value x makes it x + 1 (colon principle), and the vertices of a cycle may be fused into one,
/// where each edge becomes a loop of value 1 (fusion principle).
///
/// # Sources
/// `[ONAG]`, `[WW]`
///
/// # Examples
/// ```
/// use grundy_core::notation::read_sum;
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::AnyComponent;
/// // a stalk of 1 with a triangle on it
/// let sum = read_sum("green_hackenbush[{ground: a, a: b c, b: c, c:}]").unwrap();
/// let AnyComponent::Hackenbush(game, whole) = &sum.components()[0] else { panic!() };
/// assert_eq!(game.value_hint(whole).unwrap().answer, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Hackenbush {
    name: String,
    board: Arc<NamedGraph>,
    graph: Undirected,
    ground: u32,
}

impl Hackenbush {
    /// The game on `board`, whose directions do not count, printed as `name`; None without a vertex, which could be the ground.
    pub fn new(name: impl Into<String>, board: Arc<NamedGraph>) -> Option<Hackenbush> {
        let graph = Undirected::of(board.graph());
        let n = graph.vertices();
        let ground = ["ground", "0"].iter().find_map(|name| board.names().find(name, n)).or((n > 0).then_some(0))?;
        Some(Hackenbush { name: name.into(), board, graph, ground })
    }

    /// The name it was typed with: `green_hackenbush["g.json"]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The vertex on which everything stands.
    pub fn ground(&self) -> u32 {
        self.ground
    }

    /// The graph with the names of its vertices.
    pub fn board(&self) -> &NamedGraph {
        &self.board
    }

    /// Number of edges of the whole picture.
    pub fn edges(&self) -> usize {
        self.graph.edges().len()
    }

    /// The picture with all edges that are connected with the ground.
    pub fn whole(&self) -> Vec<u64> {
        self.standing(&set::full(self.edges()))
    }

    /// Whether all edges are there.
    pub fn is_whole(&self, g: &[u64]) -> bool {
        *g == *self.whole()
    }

    /// The name of an edge: its ends, and a prime for each parallel edge before it.
    pub fn edge_name(&self, edge: usize) -> String {
        let ends = self.graph.edges()[edge];
        let before = self.graph.edges()[..edge].iter().rev().take_while(|e| **e == ends).count();
        let [a, b] = ends.map(|v| self.board.names().get(v));
        format!("{a}-{b}{}", "'".repeat(before))
    }

    /// The edge of this name.
    pub fn edge(&self, name: &str) -> Option<usize> {
        let plain = name.trim_end_matches('\'');
        let n = self.graph.vertices();
        // a hyphen may be part of a name
        let pairs = plain.match_indices('-').filter_map(|(i, _)| {
            let ends = [&plain[..i], &plain[i + 1..]].map(|end| self.board.names().find(end, n));
            Some([ends[0]?, ends[1]?])
        });
        for [a, b] in pairs {
            let first = self.graph.edges().partition_point(|e| *e < [a.min(b), a.max(b)]);
            let edge = first + (name.len() - plain.len());
            if self.graph.edges().get(edge).is_some_and(|e| *e == [a.min(b), a.max(b)]) {
                return Some(edge);
            }
        }
        None
    }

    /// The edges that are connected with the ground.
    ///
    /// # Complexity
    /// O(vertices + edges).
    pub fn standing(&self, g: &[u64]) -> Vec<u64> {
        let mut standing = vec![0; g.len()];
        let mut reached = vec![false; self.graph.vertices()];
        let mut stack = vec![self.ground];
        reached[self.ground as usize] = true;
        while let Some(v) = stack.pop() {
            for (w, e) in self.graph.incident(v).iter().filter(|(_, e)| set::contains(g, *e as usize)) {
                set::insert(&mut standing, *e as usize);
                if !core::mem::replace(&mut reached[*w as usize], true) {
                    stack.push(*w);
                }
            }
        }
        standing
    }

    fn cut(&self, g: &[u64], edge: usize) -> Vec<u64> {
        let mut left = g.to_vec();
        set::remove(&mut left, edge);
        self.standing(&left)
    }

    /// The value by the colon and fusion principles, in one walk from the ground.
    ///
    /// What stands on v is worth the xor of what its edges are worth. An edge that leads up to a vertex from which nothing leads back
    /// below is a stalk under it; the edges of cycles are loops on the one vertex into which these are fused.
    ///
    /// # Complexity
    /// O(vertices + edges).
    fn value(&self, g: &[u64]) -> u64 {
        struct Visit {
            vertex: u32,
            by: Option<u32>,
            next: usize,
            low: u32,
            worth: u64,
        }
        let mut order = vec![0u32; self.graph.vertices()];
        let mut count = 1;
        order[self.ground as usize] = count;
        let start = |vertex, by, low| Visit { vertex, by, next: 0, low, worth: 0 };
        let mut path = vec![start(self.ground, None, 1)];
        loop {
            let Some(top) = path.last_mut() else { return 0 };
            if let Some((w, e)) = self.graph.incident(top.vertex).get(top.next).copied() {
                top.next += 1;
                if !set::contains(g, e as usize) || top.by == Some(e) {
                    continue;
                }
                let seen = order[w as usize];
                if seen == 0 {
                    count += 1;
                    order[w as usize] = count;
                    path.push(start(w, Some(e), count));
                } else if seen <= order[top.vertex as usize] {
                    // a loop, or an edge that closes a cycle, seen from above: from below it is passed over
                    top.low = top.low.min(seen);
                    top.worth ^= 1;
                }
                continue;
            }
            let (low, worth, at) = (top.low, top.worth, order[top.vertex as usize]);
            path.pop();
            let Some(below) = path.last_mut() else { return worth };
            below.low = below.low.min(low);
            below.worth ^= if low == at { worth + 1 } else { worth ^ 1 };
        }
    }
}

impl PartialEq for Hackenbush {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && (Arc::ptr_eq(&self.board, &other.board) || self.board == other.board)
    }
}

impl Eq for Hackenbush {}

impl Hash for Hackenbush {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.digest().hash(state);
    }
}

impl Ruleset for Hackenbush {
    type Position = Vec<u64>;

    /// The options by the number of the edge that is cut.
    ///
    /// # Complexity
    /// O(vertices + edges) for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        set::iter(g).try_for_each(|edge| {
            let to = self.cut(g, edge);
            if set::is_empty(&to) { sink.push_sum(&[]) } else { sink.push(to) }
        })
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        let nothing = vec![0; g.len()];
        let to = match parts {
            [] => &nothing,
            [to] if !set::is_empty(to) => to,
            _ => return false,
        };
        set::iter(g).filter(|e| !set::contains(to, *e)).any(|edge| self.cut(g, edge) == *to)
    }

    /// What stands on the ground in several places is several pictures.
    fn split(&self, g: &Vec<u64>) -> Option<Vec<Vec<u64>>> {
        let beside = |edge: usize, each: &mut dyn FnMut(usize)| {
            let above = self.graph.edges()[edge].into_iter().filter(|v| *v != self.ground);
            above.for_each(|v| self.graph.incident(v).iter().for_each(|(_, e)| each(*e as usize)));
        };
        let parts = set::parts(g, beside);
        (parts.len() != 1).then_some(parts)
    }

    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        Some(ByTheorem { answer: self.value(g), theorem: "colon principle and fusion principle", source: "WW" })
    }
}

impl Playable for Hackenbush {
    /// `cut a-b`.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let nothing = vec![0; g.len()];
        let to = to.first().unwrap_or(&nothing);
        let fallen = set::iter(g).filter(|e| !set::contains(to, *e));
        let cut = fallen.into_iter().find(|e| self.cut(g, *e) == *to);
        cut.map_or_else(String::new, |e| format!("cut {}", self.edge_name(e)))
    }

    /// Nothing for the whole picture, else the edges that stand.
    fn print_position(&self, g: &Vec<u64>) -> String {
        set::iter(g).map(|e| format!("\"{}\"", self.edge_name(e))).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ruleset::laws::laws,
        theory::{digraph::Digraph, named_graph::VertexNames},
    };

    fn game(n: usize, edges: &[(u32, u32)]) -> Hackenbush {
        let graph = Digraph::from_edges(n, edges).unwrap();
        let names = VertexNames::given((0..n).map(|v| format!("v{v}"))).unwrap();
        Hackenbush::new("test", Arc::new(NamedGraph::new(graph, names).unwrap())).unwrap()
    }

    fn tangle() -> Hackenbush {
        game(6, &[(0, 1), (1, 2), (1, 3), (3, 2), (2, 4), (4, 4), (0, 5), (0, 5), (5, 5)])
    }

    fn positions() -> Vec<Vec<u64>> {
        let game = tangle();
        (0u64..512).step_by(11).chain([511]).map(|g| game.standing(&[g])).collect()
    }

    laws! {
        green_hackenbush: tangle(), positions(), |g, to| {
            let nothing = vec![0];
            let to = to.first().unwrap_or(&nothing);
            set::iter(g).position(|e| tangle().cut(g, e) == *to).unwrap() as u128
        };
    }

    #[test]
    fn edges_have_names() {
        let game = tangle();
        for edge in 0..game.edges() {
            assert_eq!(game.edge(&game.edge_name(edge)), Some(edge));
        }
        assert_eq!((game.edge("v5-v0'"), game.edge("v0-v5''"), game.edge("v0")), (Some(2), None, None));
    }

    #[test]
    fn what_is_cut_off_falls() {
        let game = game(4, &[(0, 1), (1, 2), (2, 3), (3, 2)]);
        assert_eq!(game.value_hint(&game.whole()).unwrap().answer, 2);
        assert_eq!(game.cut(&game.whole(), 1), [0b0001]);
        assert_eq!(game.move_name(&game.whole(), &[vec![0b0111]]), "cut v2-v3'");
    }
}
