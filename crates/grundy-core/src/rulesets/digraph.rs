//! A token on a vertex of a directed graph: a move takes it along an edge, and it may come round for ever.

use core::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};
use std::sync::Arc;

use crate::{
    ruleset::{OptionSink, Playable, Ruleset},
    theory::{digraph::Digraph, named_graph::NamedGraph},
};

/// The ruleset of one graph; a position is the vertex on which the token lies.
///
/// Each token is a component of its own: tokens do not hinder one another, and several may lie on one vertex.
///
/// # Examples
/// ```
/// use grundy_core::notation::read_sum;
/// use grundy_core::ruleset::{Ruleset, options_of};
/// use grundy_core::rulesets::AnyComponent;
/// let sum = read_sum("digraph[{a: b c c, b: a, c:}](a)").unwrap();
/// let AnyComponent::Digraph(game, a) = &sum.components()[0] else { panic!() };
/// assert_eq!(options_of(&**game, a), [[1], [2]]);
/// assert!(game.is_loopy());
/// ```
#[derive(Clone, Debug)]
pub struct DigraphGame {
    name: String,
    board: Arc<NamedGraph>,
}

impl DigraphGame {
    /// The game on `board`, printed as `name`.
    pub fn new(name: impl Into<String>, board: Arc<NamedGraph>) -> Self {
        DigraphGame { name: name.into(), board }
    }

    /// The name it was typed with: `digraph["g.json"]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph with the names of its vertices.
    pub fn board(&self) -> &Arc<NamedGraph> {
        &self.board
    }

    /// The graph.
    pub fn graph(&self) -> &Digraph {
        self.board.graph()
    }

    /// The vertex of this name.
    pub fn vertex(&self, name: &str) -> Option<u32> {
        self.board.names().find(name, self.graph().vertices())
    }

    /// Where the token may go from v: its successors ascending, each once.
    ///
    /// # Complexity
    /// O(d log d) for d edges.
    pub fn followers(&self, v: u32) -> Vec<u32> {
        let mut all = self.graph().successors(v).to_vec();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl PartialEq for DigraphGame {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && (Arc::ptr_eq(&self.board, &other.board) || self.board == other.board)
    }
}

impl Eq for DigraphGame {}

impl Hash for DigraphGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // the name may be as long as the graph
        self.board.digest().hash(state);
    }
}

impl Ruleset for DigraphGame {
    type Position = u32;

    fn options(&self, g: &u32, sink: &mut impl OptionSink<u32>) -> ControlFlow<()> {
        self.followers(*g).into_iter().try_for_each(|to| sink.push(to))
    }

    fn is_option(&self, g: &u32, parts: &[u32]) -> bool {
        matches!(parts, [to] if self.graph().successors(*g).contains(to))
    }

    fn is_loopy(&self) -> bool {
        self.board.has_cycle()
    }
}

impl Playable for DigraphGame {
    /// `move to b`.
    fn move_name(&self, _: &u32, to: &[u32]) -> String {
        let to = to.first().map_or_else(String::new, |v| self.board.names().get(*v).into_owned());
        format!("move to {to}")
    }

    fn print_position(&self, g: &u32) -> String {
        format!("\"{}\"", self.board.names().get(*g))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ruleset::laws::laws, theory::named_graph::VertexNames};

    /// Vertices 0 to n - 1; from v to v / 2, v - 1 and v - 3, the first of them twice.
    fn game(n: u32) -> DigraphGame {
        let below = |v: u32| [v / 2, v / 2, v.saturating_sub(1), v.saturating_sub(3)];
        let edges: Vec<(u32, u32)> = (1..n).flat_map(|v| below(v).map(|to| (v, to))).collect();
        let graph = Digraph::from_edges(n as usize, &edges).unwrap();
        let names = VertexNames::given((0..n).map(|v| format!("v{v}"))).unwrap();
        DigraphGame::new("test", Arc::new(NamedGraph::new(graph, names).unwrap()))
    }

    laws! {
        tokens: game(14), (0..14).collect::<Vec<u32>>(), |_, _| 0;
    }

    #[test]
    fn options_stand_once_and_loops_are_seen() {
        let graph = Digraph::from_edges(3, &[(0, 2), (0, 1), (0, 2), (1, 1)]).unwrap();
        let board = NamedGraph::new(graph, VertexNames::Numbered { first: 1 }).unwrap();
        let game = DigraphGame::new("test", Arc::new(board));
        assert_eq!(game.followers(0), [1, 2]);
        assert!(game.is_option(&1, &[1]) && !game.is_option(&1, &[2]) && !game.is_option(&0, &[]));
        assert_eq!([0, 1, 2].map(|v| game.board().is_endless(v)), [true, true, false]);
        assert_eq!(
            (game.vertex("3"), game.vertex("0"), game.move_name(&0, &[2]).as_str()),
            (Some(2), None, "move to 3")
        );
    }
}
