//! Parity games part by part: what loops decide, then one strongly connected component after another.

use std::borrow::Cow;

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{ParityGame, Solution},
    scc::Tarjan,
};

use super::{bytes_of_graph, reversed, subgame::Subgames, unsolved};
use crate::budget::{Meter, StopReason};

/// Not known yet.
pub(super) const NOBODY: u8 = 2;

/// Any parity game.
///
/// A loop whose priority is its owner's wins for the owner; other loops are left out where there is another move. Each player
/// wins wherever a win can be forced. Then the components, successors first: what of a component is still open has moves that stay
/// in it, and all moves that leave it lose. The recursion solves it, or finds what the player of smaller priorities wins in it; everything
/// that this decides is decided first, and what is still open then falls into components again, most often small ones.
///
/// # Complexity
/// O(vertices + edges) and the recursions in the components.
///
/// # Errors
/// The limit that stopped it.
pub(super) fn solve(game: &ParityGame, meter: &mut Meter) -> Result<Solution, StopReason> {
    let vertices = game.graph().vertices();
    let found = unsolved(game, NOBODY, meter)?;
    let graph = without_lost_loops(game, meter)?;
    let before = reversed(&graph, meter)?;
    meter.bytes(bytes(vertices))?;
    let open = (0..vertices as u32).map(|v| graph.successors(v).len() as u32).collect();
    let mut parts = Parts { game, graph: &graph, before: &before, found, open, settled: Vec::new() };
    parts.loops(meter)?;
    let rest: Vec<u32> = (0..vertices as u32).filter(|v| parts.is_open(*v)).collect();
    let is_open: Vec<bool> = parts.found.winner.iter().map(|w| *w == NOBODY).collect();
    let mut tarjan = Tarjan::new(vertices);
    let components = tarjan.components(&rest, |v| graph.successors(v), |v| is_open[v as usize]);
    meter.steps(4 * (vertices as u64 + graph.edges() as u64))?;
    let mut subgames = Subgames::new(game, &graph, &before);
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    for component in components.iter() {
        pieces.push(component.to_vec());
        while let Some(mut piece) = pieces.pop() {
            piece.retain(|v| parts.is_open(*v));
            if piece.is_empty() {
                continue;
            }
            subgames.solve(piece.clone(), &mut parts.found, meter)?;
            parts.settled.extend(piece.iter().filter(|v| parts.found.winner[**v as usize] != NOBODY));
            parts.spread(meter)?;
            piece.retain(|v| parts.is_open(*v));
            if piece.is_empty() {
                continue;
            }
            // all moves to other pieces lead to settled ones: what is open is this one
            let smaller = tarjan.components(&piece, |v| graph.successors(v), |v| parts.is_open(v));
            meter.steps(8 * piece.len() as u64)?;
            pieces.extend((0..smaller.len()).rev().map(|c| smaller.vertices(c).to_vec()));
        }
    }
    for v in 0..vertices {
        if parts.found.winner[v] != game.owner()[v] {
            parts.found.strategy[v] = None;
        }
    }
    let copied = if matches!(graph, Cow::Owned(_)) { bytes_of_graph(game.graph()) } else { 0 };
    meter.release(bytes(vertices) + bytes_of_graph(&before) + copied);
    Ok(parts.found)
}

fn bytes(vertices: usize) -> u64 {
    // open moves, what is settled, what is left, the components with their tables, pieces, the recursion's tables
    (4 + 4 + 5 + 25 + 12 + 12) * vertices as u64
}

/// The graph without the loops that their owners would be wrong to use, where they have another move.
fn without_lost_loops<'a>(game: &'a ParityGame, meter: &mut Meter) -> Result<Cow<'a, Digraph>, StopReason> {
    let graph = game.graph();
    meter.steps(graph.edges() as u64)?;
    let is_lost = |v: u32, w: u32| v == w && game.priority()[v as usize] % 2 != u32::from(game.owner()[v as usize]);
    let has_lost = |v: u32| graph.successors(v).iter().any(|w| is_lost(v, *w));
    if !(0..graph.vertices() as u32).any(has_lost) {
        return Ok(Cow::Borrowed(graph));
    }
    meter.bytes(bytes_of_graph(graph))?;
    let (mut offsets, mut targets) = (vec![0u64], Vec::with_capacity(graph.edges()));
    for v in 0..graph.vertices() as u32 {
        let moves = graph.successors(v);
        let must_loop = moves.iter().all(|w| *w == v);
        targets.extend(moves.iter().filter(|w| must_loop || !is_lost(v, **w)));
        offsets.push(targets.len() as u64);
    }
    // rows of a graph, some of them shortened, are rows of a graph
    Ok(Digraph::from_rows(offsets, targets).map_or(Cow::Borrowed(graph), Cow::Owned))
}

struct Parts<'a> {
    game: &'a ParityGame,
    graph: &'a Digraph,
    before: &'a Digraph,
    found: Solution,
    /// The moves of an open vertex that are not known to lose.
    open: Vec<u32>,
    /// Vertices with a winner from which it has not spread yet.
    settled: Vec<u32>,
}

impl Parts<'_> {
    fn is_open(&self, v: u32) -> bool {
        self.found.winner[v as usize] == NOBODY
    }

    fn settle(&mut self, v: u32, winner: u8, to: Option<u32>) {
        self.found.winner[v as usize] = winner;
        self.found.strategy[v as usize] = to;
        self.settled.push(v);
    }

    /// Settles what loops decide: a winning one, or no other move than a losing one.
    fn loops(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        for v in 0..self.graph.vertices() as u32 {
            let moves = self.graph.successors(v);
            meter.steps(moves.len() as u64)?;
            let player = (self.game.priority()[v as usize] % 2) as u8;
            let owner = self.game.owner()[v as usize];
            if moves.contains(&v) {
                // a losing loop is there only if it is the only move
                self.settle(v, player, (owner == player).then_some(v));
            }
        }
        self.spread(meter)
    }

    /// Settles everything from which a player forces a way to what the player wins.
    fn spread(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        while let Some(v) = self.settled.pop() {
            let winner = self.found.winner[v as usize];
            let before = self.before;
            meter.steps(before.successors(v).len() as u64 + 1)?;
            for u in before.successors(v).iter().copied() {
                if !self.is_open(u) {
                    continue;
                }
                if self.game.owner()[u as usize] == winner {
                    self.settle(u, winner, Some(v));
                    continue;
                }
                self.open[u as usize] -= 1;
                if self.open[u as usize] == 0 {
                    self.settle(u, winner, None);
                }
            }
        }
        Ok(())
    }
}
