//! Games of two players: attractors by the definition, in the rounds of the classical way.

use grundy_core::theory::parity_game::{Objective, ParityGame, Solution};

use super::{Explained, Reason};
use crate::graph::{GraphAnswer, GraphObjective, game_of};

/// How a player wins from a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The play is decided there.
    Decided,
    /// At most so many moves lead to a vertex where it is decided, where a wanted vertex is seen, or where the round's others are
    /// avoided for ever. Moves of the winner go to a vertex that is nearer.
    Nearer {
        /// Moves, 1 or more.
        distance: u32,
        /// The round in which vertices lost by the player who wants to see some again and again are taken away, from 1; none if
        /// that player wins, or there are no rounds.
        round: Option<u32>,
    },
    /// For ever among vertices from where what the opponent wants to see is not forced, or where the opponent lost in a round before.
    Avoids {
        /// The round, from 1; none where there are no rounds.
        round: Option<u32>,
    },
    /// What the winner wants to see infinitely often is seen there, and is forced again from the next vertex on.
    Again,
    /// Whatever cycle the opponent closes, its greatest priority is the winner's.
    Cycles,
}

pub(super) fn of_winners(answer: &GraphAnswer, solution: &Solution) -> Vec<Explained> {
    let GraphObjective::Game(objective) = answer.objective else { return Vec::new() };
    // an answered game is one
    let Ok(game) = game_of(&answer.file, answer.file.graph.clone(), objective) else { return Vec::new() };
    match objective {
        Objective::Reachability => once(&game, 0),
        Objective::Safety => once(&game, 1),
        Objective::Buchi => again(&game, 0),
        Objective::CoBuchi => again(&game, 1),
        Objective::Parity => cycles(solution),
    }
}

const FAR: u32 = u32::MAX;

/// How many moves it takes the player at most to force the token into the targets; FAR where that cannot be forced. Only live vertices
/// are there.
fn distances(game: &ParityGame, player: u8, targets: &[u32], live: &[bool]) -> Vec<u32> {
    let before = game.graph().reversed();
    let mut distance = vec![FAR; live.len()];
    targets.iter().for_each(|v| distance[*v as usize] = 0);
    let is_live = |v: &&u32| live[**v as usize];
    let mut left: Vec<usize> = (0..live.len() as u32).map(|v| game.moves(v).iter().filter(is_live).count()).collect();
    let mut queue = targets.to_vec();
    let mut next = 0;
    while let Some(v) = queue.get(next).copied() {
        next += 1;
        for u in before.successors(v).iter().filter(is_live).map(|u| *u as usize) {
            if distance[u] != FAR || game.moves(u as u32).is_empty() {
                continue;
            }
            left[u] -= 1;
            if game.owner()[u] == player || left[u] == 0 {
                distance[u] = distance[v as usize] + 1;
                queue.push(u as u32);
            }
        }
    }
    distance
}

/// A reason with the move to the live vertex of least rank, where the winner moves.
fn explained(game: &ParityGame, winner: u8, how: How, v: u32, rank: impl Fn(u32) -> u32) -> Explained {
    let moves = || game.moves(v).iter().copied().filter(|w| rank(*w) != FAR);
    let to = if game.owner()[v as usize] == winner { moves().min_by_key(|w| rank(*w)) } else { None };
    Explained { vertex: v, reason: Reason::Game { winner, how, to } }
}

fn by_distance(distance: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..distance.len() as u32).filter(|v| distance[*v as usize] != FAR).collect();
    order.sort_by_key(|v| distance[*v as usize]);
    order
}

/// The player wants the play to be decided; the other one wants it to go on undecided.
fn once(game: &ParityGame, player: u8) -> Vec<Explained> {
    let n = game.graph().vertices() as u32;
    let targets: Vec<u32> = (0..n).filter(|v| game.decided(*v) == Some(player)).collect();
    let distance = distances(game, player, &targets, &vec![true; n as usize]);
    let at = |v: u32| distance[v as usize];
    let mut found: Vec<Explained> = by_distance(&distance)
        .into_iter()
        .map(|v| match at(v) {
            0 => explained(game, player, How::Decided, v, at),
            distance => explained(game, player, How::Nearer { distance, round: None }, v, at),
        })
        .collect();
    let out = |v: u32| if at(v) == FAR { 0 } else { FAR };
    found.extend((0..n).filter(|v| at(*v) == FAR).map(|v| {
        let how = if game.decided(v).is_some() { How::Decided } else { How::Avoids { round: None } };
        explained(game, 1 - player, how, v, out)
    }));
    found
}

/// The player wants to see vertices of the player's parity infinitely often.
fn again(game: &ParityGame, player: u8) -> Vec<Explained> {
    let n = game.graph().vertices() as u32;
    let is_wanted = |v: u32| game.priority()[v as usize] % 2 == u32::from(player);
    let mut live = vec![true; n as usize];
    let mut found = Vec::new();
    for round in 1.. {
        let targets: Vec<u32> = (0..n).filter(|v| live[*v as usize] && is_wanted(*v)).collect();
        let distance = distances(game, player, &targets, &live);
        let at = |v: u32| distance[v as usize];
        let avoiding: Vec<u32> = (0..n).filter(|v| live[*v as usize] && at(*v) == FAR).collect();
        if avoiding.is_empty() {
            found.extend(by_distance(&distance).into_iter().map(|v| match at(v) {
                0 => explained(game, player, How::Again, v, at),
                distance => explained(game, player, How::Nearer { distance, round: None }, v, at),
            }));
            break;
        }
        let round = Some(round);
        let lost = distances(game, 1 - player, &avoiding, &live);
        let at = |v: u32| lost[v as usize];
        found.extend(by_distance(&lost).into_iter().map(|v| match at(v) {
            0 => explained(game, 1 - player, How::Avoids { round }, v, at),
            distance => explained(game, 1 - player, How::Nearer { distance, round }, v, at),
        }));
        lost.iter().zip(&mut live).filter(|(lost, _)| **lost != FAR).for_each(|(_, live)| *live = false);
    }
    found
}

/// The strategy of the solution; why no cycle is lost, its checker finds out as a whole.
fn cycles(solution: &Solution) -> Vec<Explained> {
    let one = |(v, winner): (u32, &u8)| Explained {
        vertex: v,
        reason: Reason::Game { winner: *winner, how: How::Cycles, to: solution.strategy[v as usize] },
    };
    (0..).zip(&solution.winner).map(one).collect()
}
