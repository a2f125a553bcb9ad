//! Games on graphs: parity, Büchi, co-Büchi, reachability and safety, with winning strategies for both players.
//!
//! [`solve`] is the one entry. Every solution is accepted by the checker of the core
//! ([`grundy_core::theory::parity_game::check`]), which knows none of these algorithms.

mod buchi;
mod generate;
mod layers;
mod reach;
mod subgame;
#[cfg(test)]
mod tests;
mod zielonka;

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{Objective, ParityGame, Solution},
};

pub use generate::{Parts, Recipe, Shape, TooLarge, generate};
pub use layers::{Targets, from_layers, winners_of_layers};

use crate::budget::{Meter, StopReason};

/// Who wins from each vertex of the game, and how.
///
/// | game | way |
/// |---|---|
/// | reachability, safety | one attractor |
/// | Büchi, co-Büchi, parity games whose odd priorities are all below the even ones, or all above | `buchi.rs`: rounds of two attractors, each mended where the round before broke it |
/// | priorities of one parity | any moves |
/// | any other parity game | `zielonka.rs`: Zielonka's recursion, divided into strongly connected components where it begins anew often |
///
/// # Complexity
/// O(vertices + edges) for reachability and safety; O(vertices · edges) at worst for Büchi and co-Büchi games, and next to linear
/// in all that were measured; O(vertices^priorities) at worst for parity games. Some 40 bytes a vertex and 4 an edge, beside the
/// game; in the recursion 8 bytes more for each vertex of each of the parts at hand, which are as many as the parities of the
/// priorities alternate at worst: some 10^5 different priorities in one game need gigabytes. No recursion on the machine's stack.
///
/// # Errors
/// The limit that stopped it; nothing is known then.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, parity};
/// use grundy_core::theory::{digraph::Digraph, parity_game::{Objective, ParityGame}};
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).unwrap();
/// // player 1, who moves from 1, must get to vertex 2 from there, which is not green
/// let game = ParityGame::new(graph, vec![0, 1, 0], vec![0, 0, 1], Objective::Safety).unwrap();
/// let solution = parity::solve(&game, &mut Meter::unlimited()).unwrap();
/// assert_eq!((solution.winner, solution.strategy), (vec![1, 1, 1], vec![None, Some(2), None]));
/// ```
pub fn solve(game: &ParityGame, meter: &mut Meter) -> Result<Solution, StopReason> {
    Ok(solve_counted(game, meter)?.0)
}

/// Like [`solve`], with the number of rounds that it took: 1 for an attractor; how often a Büchi or co-Büchi game was looked through
/// again; parts of a parity game that were begun.
///
/// # Errors
/// The limit that stopped it.
pub fn solve_counted(game: &ParityGame, meter: &mut Meter) -> Result<(Solution, u64), StopReason> {
    let once = |solution| (solution, 1);
    match game.objective() {
        Objective::Reachability => reach::solve(game, 0, meter).map(once),
        Objective::Safety => reach::solve(game, 1, meter).map(once),
        Objective::Buchi => buchi::solve(game, 2, meter),
        Objective::CoBuchi => buchi::solve(game, 1, meter),
        Objective::Parity => {
            meter.steps(game.graph().vertices() as u64)?;
            match blocks(game.priority()) {
                Blocks::One(player) => one_parity(game, player, meter).map(once),
                Blocks::Two(least) => buchi::solve(game, least, meter),
                Blocks::More => zielonka::solve(game, meter),
            }
        }
    }
}

/// How the parities of the priorities alternate from the greatest one down.
#[derive(Debug, PartialEq, Eq)]
enum Blocks {
    /// All have the parity of this player.
    One(u8),
    /// Those from this one on have one parity, all smaller ones the other.
    Two(u32),
    More,
}

fn blocks(priorities: &[u32]) -> Blocks {
    let greatest = priorities.iter().max().copied().unwrap_or(0);
    let alike = |p: &u32| p % 2 == greatest % 2;
    let Some(other) = priorities.iter().filter(|p| !alike(p)).max() else { return Blocks::One((greatest % 2) as u8) };
    match priorities.iter().filter(|p| alike(p)).min() {
        Some(least) if least > other => Blocks::Two(*least),
        _ => Blocks::More,
    }
}

fn one_parity(game: &ParityGame, player: u8, meter: &mut Meter) -> Result<Solution, StopReason> {
    let mut found = unsolved(game.graph().vertices(), 1 - player, meter)?;
    for (v, owner) in (0..).zip(game.owner()) {
        found.winner[v as usize] = player;
        if *owner == player {
            found.strategy[v as usize] = game.graph().successors(v).first().copied();
        }
    }
    Ok(found)
}

/// Room for a solution in which, until something else is known, one player wins everything.
fn unsolved(vertices: usize, winner: u8, meter: &mut Meter) -> Result<Solution, StopReason> {
    meter.bytes(9 * vertices as u64)?;
    meter.steps(vertices as u64)?;
    Ok(Solution { winner: vec![winner; vertices], strategy: vec![None; vertices] })
}

/// The edges turned round.
fn reversed(graph: &Digraph, meter: &mut Meter) -> Result<Digraph, StopReason> {
    meter.bytes(bytes_of_graph(graph))?;
    let before = graph.reversed();
    meter.steps(graph.vertices() as u64 + 4 * graph.edges() as u64)?;
    Ok(before)
}

fn bytes_of_graph(graph: &Digraph) -> u64 {
    8 * graph.vertices() as u64 + 4 * graph.edges() as u64
}

/// The greatest number of moves from one vertex.
fn most_moves(graph: &Digraph) -> u64 {
    graph.offsets().windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)
}
