//! Parity games by the proof that they are determined: short, slow, and the oracle of faster ways.

use super::parity_game::{ParityGame, Solution};

/// Winners and strategies of a game of any objective, by Zielonka's recursion.
///
/// Let p be the greatest priority of the game and i its player. A: the vertices from which i forces a visit to p. Solve the game
/// without A. If i wins all of it, i wins everything: either A is visited for ever, or the rest is kept to. Else let B be the
/// vertices from which the opponent forces a visit to what the opponent wins there: the opponent wins B; take B away, once more.
///
/// # Complexity
/// O(vertices^priorities) at worst. The recursion is one level deep for each different priority, the repetitions are a loop:
/// games with 10^5 priorities overflow the stack, and each level passes over all vertices. For tests.
///
/// # Sources
/// `[Zie98]`; decided vertices are loops for their winner
///
/// # Examples
/// ```
/// use grundy_core::theory::{digraph::Digraph, parity_game::{Objective, ParityGame}, zielonka};
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2), (2, 2)]).unwrap();
/// let game = ParityGame::new(graph, vec![0, 1, 0], vec![1, 1, 2], Objective::Buchi).unwrap();
/// let solution = zielonka::solve(&game);
/// assert_eq!(solution.winner, [1, 1, 0]);
/// assert_eq!(solution.strategy, [None, Some(0), Some(2)]);
/// ```
pub fn solve(game: &ParityGame) -> Solution {
    let vertices = game.graph().vertices();
    let mut found = Solution { winner: vec![0; vertices], strategy: vec![None; vertices] };
    recurse(game, &vec![true; vertices], &mut found);
    for v in 0..vertices {
        if found.winner[v] != game.owner()[v] || game.decided(v as u32).is_some() {
            found.strategy[v] = None;
        }
    }
    found
}

/// The priority of v, and of whose loop it is where the play is decided.
fn priority(game: &ParityGame, v: usize) -> u32 {
    game.decided(v as u32).map_or_else(|| game.parity_priority(v as u32), u32::from)
}

/// Solves the part of the game that is `within`, in which every vertex has a successor.
fn recurse(game: &ParityGame, within: &[bool], found: &mut Solution) {
    let mut within = within.to_vec();
    let all = |within: &[bool]| -> Vec<usize> { (0..within.len()).filter(|v| within[*v]).collect() };
    while let Some(greatest) = all(&within).into_iter().map(|v| priority(game, v)).max() {
        let player = (greatest % 2) as u8;
        let mut rest = within.clone();
        for v in all(&within) {
            // any move that stays
            found.strategy[v] = game.moves(v as u32).iter().copied().find(|w| within[*w as usize]);
        }
        let visits: Vec<usize> = all(&within).into_iter().filter(|v| priority(game, *v) == greatest).collect();
        let forced = attract(game, player, &visits, &within, found);
        forced.iter().for_each(|v| rest[*v] = false);
        recurse(game, &rest, found);
        let theirs: Vec<usize> = all(&rest).into_iter().filter(|v| found.winner[*v] != player).collect();
        if theirs.is_empty() {
            forced.iter().for_each(|v| found.winner[*v] = player);
            return;
        }
        for v in attract(game, 1 - player, &theirs, &within, found) {
            found.winner[v] = 1 - player;
            within[v] = false;
        }
    }
}

/// The vertices from which the player forces a visit to the targets; sets the moves that do it.
fn attract(game: &ParityGame, player: u8, targets: &[usize], within: &[bool], found: &mut Solution) -> Vec<usize> {
    let mut forced = targets.to_vec();
    let mut is_forced = vec![false; within.len()];
    targets.iter().for_each(|v| is_forced[*v] = true);
    loop {
        let before = forced.len();
        for v in (0..within.len()).filter(|v| within[*v]) {
            let mut moves = game.moves(v as u32).iter().filter(|w| within[**w as usize]);
            if is_forced[v] || game.decided(v as u32).is_some() {
                continue;
            }
            let into = moves.clone().find(|w| is_forced[**w as usize]).copied();
            let forces = if game.owner()[v] == player { into.is_some() } else { moves.all(|w| is_forced[*w as usize]) };
            if forces {
                is_forced[v] = true;
                forced.push(v);
                found.strategy[v] = into;
            }
        }
        if forced.len() == before {
            return forced;
        }
    }
}
