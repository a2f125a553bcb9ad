//! Games that delete cells, from their list of moves: games on graphs and partially ordered sets.

use grundy_core::rulesets::cells::DeletionGame;

use super::{
    board::{Board, Stages},
    cells::CellSet,
    isomorphism::Graph,
    table::EXCLUDABLE,
};

/// The moves of a game as sets of cells.
#[derive(Clone, Debug)]
pub struct DeletionBoard<C> {
    /// What must be there, and what is gone afterwards.
    moves: Vec<(C, C)>,
    /// For each cell: the cells that some move connects with it.
    neighbours: Vec<C>,
    /// Cells that are a move by themselves when nothing else is left.
    alone: C,
    /// The graph of neighbours decides the value: its moves are all vertices with their neighbours, or all edges.
    is_of_graph: bool,
    /// Least number of cells that a move takes.
    least: u32,
}

impl<C: CellSet> DeletionBoard<C> {
    /// The board of a game; None if it has more cells than `C` holds, or chains of moves, each of which would take the next one,
    /// that are so long that values may be larger than those of which refutations are remembered.
    pub fn new(game: &DeletionGame) -> Option<Self> {
        if game.cells() > C::WIDTH as usize || game.cells() > EXCLUDABLE as usize && has_chains(game) {
            return None;
        }
        let set = |cells: &[u32]| cells.iter().fold(C::EMPTY, |set, c| set.or(C::cell(*c)));
        let neighbours: Vec<C> = (0..game.cells()).map(|c| set(game.neighbours(c))).collect();
        let moves: Vec<(C, C)> = game.moves().iter().map(|m| (set(&m.needed), set(&m.removed))).collect();
        let single = |needed: &C| (needed.count() == 1).then(|| needed.first());
        let takes_neighbours =
            |(needed, removed): &(C, C)| single(needed).is_some_and(|c| *removed == neighbours[c as usize].or(*needed));
        let all_vertices = moves.len() == game.cells() && moves.iter().all(takes_neighbours);
        let all_edges = moves.iter().all(|(needed, removed)| needed == removed && needed.count() == 2);
        Some(DeletionBoard {
            alone: moves.iter().filter(|(needed, _)| needed.count() == 1).fold(C::EMPTY, |all, m| all.or(m.0)),
            is_of_graph: all_vertices || all_edges,
            least: moves.iter().map(|(needed, _)| needed.count()).min().unwrap_or(1),
            moves,
            neighbours,
        })
    }
}

/// Whether a move takes a cell whose own move would take a third one, and so on in one direction, as in a partially ordered set.
fn has_chains(game: &DeletionGame) -> bool {
    let mut own: Vec<&[u32]> = vec![&[]; game.cells()];
    for m in game.moves().iter().filter(|m| m.needed.len() == 1) {
        own[m.needed[0] as usize] = &m.removed;
    }
    own.iter().enumerate().any(|(c, removed)| {
        removed.iter().any(|d| {
            let next = own[*d as usize];
            *d as usize != c && next.len() > 1 && !next.contains(&(c as u32))
        })
    })
}

/// The cells of a set, ascending.
fn each<C: CellSet>(cells: C) -> impl Iterator<Item = u32> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let c = left.first();
        left = left.without(C::cell(c % C::WIDTH));
        (c < C::WIDTH).then_some(c)
    })
}

impl<C: CellSet> Board for DeletionBoard<C> {
    type Cells = C;

    fn moves(&self, cells: C, _: u32, out: &mut Vec<C>) -> Stages {
        let legal = self.moves.iter().filter(|(needed, _)| needed.without(cells).is_empty());
        out.extend(legal.map(|(_, removed)| cells.without(*removed)));
        Stages::Done
    }

    fn split(&self, _: C, cells: C, out: &mut Vec<C>) -> u32 {
        let mut value = 0;
        let mut left = cells;
        while !left.is_empty() {
            let mut part = C::cell(left.first());
            let mut edge = part;
            while !edge.is_empty() {
                let near = each(edge).fold(C::EMPTY, |near, c| near.or(self.neighbours[c as usize]));
                edge = near.and(left).without(part);
                part = part.or(edge);
            }
            left = left.without(part);
            match part.count() {
                1 => value ^= u32::from(!part.and(self.alone).is_empty()),
                _ => out.push(part),
            }
        }
        value
    }

    fn bound(&self, component: C) -> u32 {
        component.count() / self.least.max(1)
    }

    fn graph(&self, component: C, graph: &mut Graph) -> bool {
        if !self.is_of_graph {
            return false;
        }
        graph.clear();
        for (v, c) in each(component).enumerate() {
            graph.vertex();
            let below = self.neighbours[c as usize].and(component).and(C::below(c));
            if !each(below).all(|d| graph.edge(v, component.and(C::below(d)).count() as usize)) {
                return false;
            }
        }
        true
    }
}
