//! Zielonka's recursion on an explicit stack, each subgame a list of its vertices.
//!
//! The recursion is the one of the naive twin (`grundy_core::theory::zielonka`), with two differences. All vertices whose priority
//! is above the greatest one of the other parity are attracted at once, so that the recursion is as deep as the parities
//! alternate. And a part of the game is given by the *depth* of its vertices: at the start of each step the vertices of the
//! subgame at hand, and no others, have its depth; what goes a step deeper gets the next one and, once solved, comes back.

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{ParityGame, Solution},
};

use super::decompose::NOBODY;
use crate::budget::{Meter, StopReason};

/// In the attracted set.
const ATTRACTED: u32 = u32::MAX;

/// A subgame whose solution waits for that of a deeper one.
struct Frame {
    /// Its vertices by ascending priority.
    vertices: Vec<u32>,
    /// The player of the greatest priority.
    player: u8,
}

/// The tables of the recursion, for one component after another.
pub(super) struct Subgames<'a> {
    game: &'a ParityGame,
    graph: &'a Digraph,
    before: &'a Digraph,
    /// How deep in the stack the vertex is; zero where nothing is to be solved.
    depth: Vec<u32>,
    /// During an attraction: zero where nothing has been seen; else the moves that are left, or [`ATTRACTED`].
    moves_left: Vec<u32>,
    /// What was attracted, in order.
    queue: Vec<u32>,
    /// Vertices with `moves_left` that are not in the queue, and some that are.
    touched: Vec<u32>,
}

impl<'a> Subgames<'a> {
    /// Tables for the graph, which is that of the game with perhaps some edges left out, and with its edges turned round.
    pub fn new(game: &'a ParityGame, graph: &'a Digraph, before: &'a Digraph) -> Self {
        let vertices = graph.vertices();
        Subgames {
            game,
            graph,
            before,
            depth: vec![0; vertices],
            moves_left: vec![0; vertices],
            queue: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Finds winners and moves for the part of the game with these vertices, from each of which a move stays among them; for at least
    /// one of them. Where more than one repetition of the first step is needed, only the first one is done, and the rest is left
    /// without winner: the caller can part it first.
    ///
    /// # Errors
    /// The limit that stopped it.
    pub fn solve(&mut self, mut vertices: Vec<u32>, found: &mut Solution, meter: &mut Meter) -> Result<(), StopReason> {
        vertices.sort_unstable_by_key(|v| self.game.priority()[*v as usize]);
        meter.steps(20 * vertices.len() as u64)?;
        self.set_depth(&vertices, 1);
        let mut stack: Vec<Frame> = Vec::new();
        let mut at_hand = Some(vertices);
        loop {
            // one step down, or the whole subgame solved
            if let Some(vertices) = at_hand.take() {
                let Some((player, targets)) = self.greatest(&vertices) else { continue };
                meter.steps(4 * vertices.len() as u64)?;
                vertices.iter().for_each(|v| found.winner[*v as usize] = NOBODY);
                self.stay(&vertices[targets..], player, stack.len() as u32 + 1, found, meter)?;
                if targets == 0 {
                    vertices.iter().for_each(|v| found.winner[*v as usize] = player);
                    self.set_depth(&vertices, stack.len() as u32);
                } else {
                    meter.bytes(4 * vertices.len() as u64)?;
                    self.attract(player, &vertices[targets..], stack.len() as u32 + 1, found, meter)?;
                    let is_left = |v: &u32| self.moves_left[*v as usize] != ATTRACTED;
                    let rest: Vec<u32> = vertices.iter().copied().filter(is_left).collect();
                    self.forget();
                    stack.push(Frame { vertices, player });
                    if !rest.is_empty() {
                        self.set_depth(&rest, stack.len() as u32 + 1);
                        at_hand = Some(rest);
                        continue;
                    }
                }
            }
            // one step up
            let Some(Frame { mut vertices, player }) = stack.pop() else { return Ok(()) };
            let depth = stack.len() as u32 + 1;
            let size = vertices.len() as u64;
            meter.steps(4 * size)?;
            let theirs: Vec<u32> =
                vertices.iter().copied().filter(|v| found.winner[*v as usize] == 1 - player).collect();
            if theirs.is_empty() {
                vertices.iter().for_each(|v| found.winner[*v as usize] = player);
                self.set_depth(&vertices, depth - 1);
            } else {
                self.attract(1 - player, &theirs, depth, found, meter)?;
                for v in &self.queue {
                    found.winner[*v as usize] = 1 - player;
                    self.depth[*v as usize] = depth - 1;
                }
                vertices.retain(|v| self.moves_left[*v as usize] != ATTRACTED);
                self.forget();
                if depth == 1 {
                    self.set_depth(&vertices, 0);
                    vertices.iter().for_each(|v| found.winner[*v as usize] = NOBODY);
                } else if !vertices.is_empty() {
                    at_hand = Some(vertices);
                }
            }
            meter.release(4 * size);
        }
    }

    /// The player of the greatest priority, and where in the list the priorities above all those of the other player begin.
    fn greatest(&self, vertices: &[u32]) -> Option<(u8, usize)> {
        let parity = |v: &u32| self.game.priority()[*v as usize] % 2;
        let greatest = vertices.last().map(parity)?;
        let below = vertices.iter().rposition(|v| parity(v) != greatest);
        Some((greatest as u8, below.map_or(0, |b| b + 1)))
    }

    fn set_depth(&mut self, vertices: &[u32], depth: u32) {
        vertices.iter().for_each(|v| self.depth[*v as usize] = depth);
    }

    /// Lets the player move from the vertices anywhere within the subgame.
    fn stay(
        &self,
        vertices: &[u32],
        player: u8,
        depth: u32,
        found: &mut Solution,
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        for v in vertices.iter().filter(|v| self.game.owner()[**v as usize] == player) {
            let moves = self.graph.successors(*v);
            meter.steps(moves.len() as u64)?;
            found.strategy[*v as usize] = moves.iter().find(|w| self.depth[**w as usize] == depth).copied();
        }
        Ok(())
    }

    /// Attracts to the targets what has this depth, into `queue`.
    fn attract(
        &mut self,
        player: u8,
        targets: &[u32],
        depth: u32,
        found: &mut Solution,
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        self.queue.extend(targets);
        targets.iter().for_each(|v| self.moves_left[*v as usize] = ATTRACTED);
        let mut next = 0;
        while let Some(v) = self.queue.get(next).copied() {
            next += 1;
            let predecessors = self.before.successors(v);
            meter.steps(2 * predecessors.len() as u64 + 1)?;
            for u in predecessors.iter().copied() {
                if self.depth[u as usize] != depth || self.moves_left[u as usize] == ATTRACTED {
                    continue;
                }
                let is_own = self.game.owner()[u as usize] == player;
                let left = &mut self.moves_left[u as usize];
                if is_own {
                    found.strategy[u as usize] = Some(v);
                } else {
                    if *left == 0 {
                        let moves = self.graph.successors(u);
                        meter.steps(moves.len() as u64)?;
                        *left = moves.iter().filter(|w| self.depth[**w as usize] == depth).count() as u32;
                        self.touched.push(u);
                    }
                    *left -= 1;
                }
                if is_own || *left == 0 {
                    *left = ATTRACTED;
                    self.queue.push(u);
                }
            }
        }
        Ok(())
    }

    /// Makes the tables ready for the next attraction.
    fn forget(&mut self) {
        self.queue.drain(..).for_each(|v| self.moves_left[v as usize] = 0);
        self.touched.drain(..).for_each(|v| self.moves_left[v as usize] = 0);
    }
}
