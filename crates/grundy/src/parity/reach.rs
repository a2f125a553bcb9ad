//! Reachability and safety: one attractor.

use grundy_core::theory::parity_game::{ParityGame, Solution};

use super::{most_moves, reversed, unsolved};
use crate::{
    budget::{Meter, StopReason},
    frontier::{Counter, force},
};

/// The game in which the player wins by getting to where the play is decided for the player; the other one wins for ever after.
///
/// # Complexity
/// O(vertices + edges).
///
/// # Errors
/// The limit that stopped it.
pub(super) fn solve(game: &ParityGame, player: u8, meter: &mut Meter) -> Result<Solution, StopReason> {
    if most_moves(game.graph()) <= u64::from(u8::MAX) {
        solve_with::<u8>(game, player, meter)
    } else {
        solve_with::<u32>(game, player, meter)
    }
}

fn solve_with<C: Counter>(game: &ParityGame, player: u8, meter: &mut Meter) -> Result<Solution, StopReason> {
    let graph = game.graph();
    let vertices = graph.vertices();
    let mut found = unsolved(game.graph().vertices(), 1 - player, meter)?;
    let before = reversed(graph, meter)?;
    meter.bytes((size_of::<C>() as u64 + 8) * vertices as u64)?;
    let mut moves_left = vec![C::ZERO; vertices];
    let mut queue = vec![0u32; vertices + 1];
    let mut len = 0;
    for v in 0..vertices as u32 {
        match game.decided(v) {
            Some(winner) if winner == player => {
                queue[len] = v;
                len += 1;
            }
            Some(_) => {}
            None if game.owner()[v as usize] == player => moves_left[v as usize] = C::ONE,
            None => moves_left[v as usize] = C::of(graph.successors(v).len() as u64),
        }
    }
    len = force(&before, &mut moves_left, &mut queue, 0, len, meter)?;
    // where the vertex stands in the queue: every move to an earlier one leads on
    let mut rank = vec![u32::MAX; vertices];
    for (i, v) in (0..).zip(&queue[..len]) {
        rank[*v as usize] = i;
        found.winner[*v as usize] = player;
    }
    for v in 0..vertices as u32 {
        let winner = found.winner[v as usize];
        if game.owner()[v as usize] != winner || game.decided(v).is_some() {
            continue;
        }
        let mine = rank[v as usize];
        let leads_on = |w: &&u32| {
            if winner == player { rank[**w as usize] < mine } else { rank[**w as usize] == u32::MAX }
        };
        let moves = graph.successors(v);
        meter.steps(moves.len() as u64)?;
        found.strategy[v as usize] = moves.iter().find(leads_on).copied();
    }
    meter.release((size_of::<C>() as u64 + 8) * vertices as u64 + super::bytes_of_graph(&before));
    Ok(found)
}
