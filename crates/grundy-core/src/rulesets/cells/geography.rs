//! Undirected vertex geography: a token goes along edges and never comes back to a vertex where it was.

use core::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};
use std::sync::Arc;

use super::set;
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{Convention, Outcome, matching::largest_matching, named_graph::NamedGraph, undirected::Undirected},
};

/// Most vertices of a graph on which a matching is sought.
const MOST_MATCHED: usize = 2048;

/// The ruleset of one graph. A position is the set of vertices where the token was, that on which it lies among them, and as last
/// number that vertex.
///
/// The player to move wins in normal play if and only if every largest matching of what is left and the token's vertex covers that
/// vertex: the winner moves along the edges of a largest matching. Misère play has no such theorem.
///
/// # Sources
/// `[FSU93]`
///
/// # Examples
/// ```
/// use grundy_core::notation::read_sum;
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::AnyComponent;
/// use grundy_core::theory::{Convention, Outcome};
/// let sum = read_sum("geography[{a: b, b: c, c:}](\"a\")").unwrap();
/// let AnyComponent::Geography(game, at) = &sum.components()[0] else { panic!() };
/// assert_eq!(game.outcome_hint(at, Convention::Normal).unwrap().answer, Outcome::P);
/// ```
#[derive(Clone, Debug)]
pub struct Geography {
    name: String,
    board: Arc<NamedGraph>,
    graph: Undirected,
}

const MATCHING: &str = "the player to move wins if and only if every largest matching covers the vertex of the token: move along its \
                        edges";

impl Geography {
    /// The game on `board`, whose directions do not count, printed as `name`.
    pub fn new(name: impl Into<String>, board: Arc<NamedGraph>) -> Geography {
        let graph = Undirected::of(board.graph());
        Geography { name: name.into(), board, graph }
    }

    /// The name it was typed with: `geography["g.json"]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph with the names of its vertices.
    pub fn board(&self) -> &NamedGraph {
        &self.board
    }

    /// The vertex of this name.
    pub fn vertex(&self, name: &str) -> Option<u32> {
        self.board.names().find(name, self.graph.vertices())
    }

    /// The position with the token on a vertex, after visits to others.
    pub fn position(&self, token: u32, visited: &[u32]) -> Vec<u64> {
        let mut g = vec![0; set::words(self.graph.vertices()) + 1];
        visited.iter().chain([&token]).for_each(|v| set::insert(&mut g, *v as usize));
        if let Some(last) = g.last_mut() {
            *last = token.into();
        }
        g
    }

    /// Where the token lies.
    pub fn token(&self, g: &[u64]) -> u32 {
        g.last().map_or(0, |v| *v as u32)
    }

    fn was_at(&self, g: &[u64], v: u32) -> bool {
        set::contains(&g[..g.len() - 1], v as usize)
    }

    /// Where the token may go, ascending.
    fn followers(&self, g: &[u64]) -> Vec<u32> {
        let mut all = self.graph.neighbours(self.token(g));
        all.retain(|w| !self.was_at(g, *w));
        all
    }

    fn moved(&self, g: &[u64], to: u32) -> Vec<u64> {
        let mut next = g.to_vec();
        set::insert(&mut next, to as usize);
        if let Some(last) = next.last_mut() {
            *last = to.into();
        }
        next
    }

    /// Whether the player to move wins in normal play.
    fn is_won(&self, g: &[u64]) -> bool {
        let token = self.token(g);
        let pairs = |with_token: bool| {
            let inside = |v: u32| if v == token { with_token } else { !self.was_at(g, v) };
            largest_matching(&self.graph, inside).iter().flatten().count()
        };
        pairs(true) > pairs(false)
    }
}

impl PartialEq for Geography {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && (Arc::ptr_eq(&self.board, &other.board) || self.board == other.board)
    }
}

impl Eq for Geography {}

impl Hash for Geography {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.digest().hash(state);
    }
}

impl Ruleset for Geography {
    type Position = Vec<u64>;

    /// The options by the vertex to which the token goes.
    ///
    /// # Complexity
    /// O(words) for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        self.followers(g).into_iter().try_for_each(|to| sink.push(self.moved(g, to)))
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        let [to] = parts else { return false };
        self.followers(g).iter().any(|w| self.moved(g, *w) == *to)
    }

    /// What the token cannot reach any more counts as visited.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let mut canonical = set::full(self.graph.vertices());
        let mut stack = vec![self.token(g)];
        while let Some(v) = stack.pop() {
            for w in self.graph.neighbours(v) {
                if !self.was_at(g, w) && set::contains(&canonical, w as usize) {
                    set::remove(&mut canonical, w as usize);
                    stack.push(w);
                }
            }
        }
        canonical.push(self.token(g).into());
        canonical
    }

    fn outcome_hint(&self, g: &Vec<u64>, convention: Convention) -> Option<ByTheorem<Outcome>> {
        if convention == Convention::Misere || self.graph.vertices() > MOST_MATCHED {
            return None;
        }
        let answer = if self.is_won(g) { Outcome::N } else { Outcome::P };
        Some(ByTheorem { answer, theorem: MATCHING, source: "FSU93" })
    }

    fn winning_options(&self, g: &Vec<u64>, convention: Convention) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        self.outcome_hint(g, convention)?;
        let mut lost: Vec<Vec<Vec<u64>>> = Vec::new();
        for to in self.followers(g) {
            let next = self.moved(g, to);
            if !self.is_won(&next) {
                lost.push(vec![next]);
            }
        }
        Some(OptionsOfValue { count: Some(lost.len() as u128), options: Box::new(lost.into_iter()) })
    }
}

impl Playable for Geography {
    /// `move to b`.
    fn move_name(&self, _: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let to = to.first().map_or_else(String::new, |g| self.board.names().get(self.token(g)).into_owned());
        format!("move to {to}")
    }

    /// The token, then the vertices where it was before.
    fn print_position(&self, g: &Vec<u64>) -> String {
        let name = |v: u32| format!("\"{}\"", self.board.names().get(v));
        let token = self.token(g);
        let before = set::iter(&g[..g.len() - 1]).map(|v| v as u32).filter(|v| *v != token);
        [token].into_iter().chain(before).map(name).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ruleset::laws::laws,
        theory::{digraph::Digraph, named_graph::VertexNames},
    };

    fn game() -> Geography {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (0, 0)];
        let graph = Digraph::from_edges(8, &edges).unwrap();
        let names = VertexNames::given((0..8).map(|v| format!("v{v}"))).unwrap();
        Geography::new("test", Arc::new(NamedGraph::new(graph, names).unwrap()))
    }

    fn positions() -> Vec<Vec<u64>> {
        let game = game();
        let visits: [&[u32]; 5] = [&[], &[0], &[2, 7], &[3], &[1, 5, 6]];
        (0..8).flat_map(|v| visits.map(|visited| game.position(v, visited))).collect()
    }

    laws! {
        geography: game(), positions(), |_, to| u128::from(*to[0].last().unwrap());
    }

    #[test]
    fn the_token_and_its_way_are_written() {
        let game = game();
        let g = game.position(2, &[0]);
        assert_eq!(game.print_position(&g), "\"v2\", \"v0\"");
        assert_eq!(game.followers(&g), [1, 3]);
        assert_eq!((game.vertex("v3"), game.move_name(&g, &[game.moved(&g, 3)])), (Some(3), "move to v3".into()));
    }
}
