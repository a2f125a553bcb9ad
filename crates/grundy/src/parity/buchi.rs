//! Büchi games: one player wants to see a set of vertices infinitely often.
//!
//! The classical way: A, the vertices from which the player forces a visit to the set. From what is left the player cannot force
//! one, so the other player wins there, and wherever that can be forced from; take all this away, once more. When nothing is left
//! over, the player wins the rest. Each round costs as much as the game is large, and a chain of n vertices has n/3 rounds.
//!
//! Here A is kept from round to round and mended. Each vertex of A has a *rank*, which grows along the order in which A was found:
//! the player has a move to a vertex of smaller rank, the other player only such moves. When vertices are taken away, only the
//! player's own vertices that had a move to them can be without such a move (a vertex of the other player with a move to them
//! would have been taken away too). What has no move to a smaller rank any more is *lost*, and so on backwards; then the lost
//! vertices from which A can be forced after all join it again, with ranks greater than all before. Those that stay lost are what
//! is left over this time.
//!
//! A vertex looks for its move to a smaller rank from where it found the last one: the ranks of others only grow, so what was no
//! such move stays none until the vertex itself gets a new rank. Thus a vertex costs its edges once for every rank it is given.

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{ParityGame, Solution},
};

use super::{most_moves, reversed, unsolved};
use crate::{
    budget::{Meter, StopReason},
    frontier::{Counter, force},
};

/// Lost, or not in the game any more.
const NO_RANK: u32 = u32::MAX;

/// The vertex belongs to the player who wants to see the set.
const OWN: u8 = 1;
/// The vertex is in the set.
const TARGET: u8 = 2;

/// When more than this part of what is in the game is taken away or lost in a round, A is found from scratch.
const MANY: usize = 8;

/// The game in which vertices of priority `least` or more, all of one parity, are to be seen infinitely often by the player of that
/// parity, all others having the other parity; and the number of rounds.
///
/// # Complexity
/// O(vertices · edges) at worst; O(edges) for each vertex that is given only a bounded number of ranks.
///
/// # Errors
/// The limit that stopped it.
///
/// # Sources
/// rounds `[Tho95]`; ranks that only grow `[ES81]`; mending them `[own]`
pub(super) fn solve(game: &ParityGame, least: u32, meter: &mut Meter) -> Result<(Solution, u64), StopReason> {
    if most_moves(game.graph()) <= u64::from(u8::MAX) {
        Rounds::<u8>::new(game, least, meter)?.run(meter)
    } else {
        Rounds::<u32>::new(game, least, meter)?.run(meter)
    }
}

struct Rounds<'a, C> {
    graph: &'a Digraph,
    before: Digraph,
    player: u8,
    kind: Vec<u8>,
    /// Moves that are left to the player's vertices in the game, one for the other's, zero for all that are taken away.
    left: Vec<C>,
    /// Zero in A and for what is taken away; else how many moves to A or out of the game are missing for the vertex to be in A.
    missing: Vec<C>,
    rank: Vec<u32>,
    next_rank: u32,
    /// The move of a vertex of the player that was last seen to lead to a smaller rank.
    cursor: Vec<u32>,
    /// What is taken away, in order.
    taken: Vec<u32>,
    taken_len: usize,
    queue: Vec<u32>,
    /// Vertices in the game, and some that no longer are.
    live: Vec<u32>,
    lost: Vec<u32>,
}

impl<'a, C: Counter> Rounds<'a, C> {
    fn new(game: &'a ParityGame, least: u32, meter: &mut Meter) -> Result<Self, StopReason> {
        let graph = game.graph();
        let vertices = graph.vertices();
        let player = (least % 2) as u8;
        let before = reversed(graph, meter)?;
        meter.bytes(Self::bytes(vertices))?;
        let kind = |v: usize| {
            let own = if game.owner()[v] == player { OWN } else { 0 };
            own | if game.parity_priority(v as u32) >= least { TARGET } else { 0 }
        };
        let kind: Vec<u8> = (0..vertices).map(kind).collect();
        let moves = |v: usize| if kind[v] & OWN == 0 { C::ONE } else { C::of(graph.successors(v as u32).len() as u64) };
        let left = (0..vertices).map(moves).collect();
        Ok(Rounds {
            graph,
            before,
            player,
            kind,
            left,
            missing: vec![C::ZERO; vertices],
            rank: vec![NO_RANK; vertices],
            next_rank: 0,
            cursor: vec![0; vertices],
            taken: vec![0; vertices + 1],
            taken_len: 0,
            queue: vec![0; vertices + 1],
            live: (0..vertices as u32).collect(),
            lost: Vec::new(),
        })
    }

    fn bytes(vertices: usize) -> u64 {
        // six tables of words, kinds, and two tables of counters
        (24 + 1 + 2 * size_of::<C>() as u64) * vertices as u64
    }

    fn run(mut self, meter: &mut Meter) -> Result<(Solution, u64), StopReason> {
        self.find_anew(meter)?;
        let mut rounds = 1;
        while !self.lost.is_empty() {
            rounds += 1;
            let round = self.take_away(meter)?;
            let in_game = self.live_count();
            let mended = (self.taken_len - round) * MANY <= in_game && self.mend(round, in_game / MANY, meter)?;
            if !mended {
                self.find_anew(meter)?;
            }
        }
        let released = Self::bytes(self.graph.vertices()) + super::bytes_of_graph(&self.before);
        let found = self.winners(meter)?;
        meter.release(released);
        Ok((found, rounds))
    }

    fn is_live(&self, v: u32) -> bool {
        self.left[v as usize] != C::ZERO
    }

    fn live_count(&self) -> usize {
        self.graph.vertices() - self.taken_len
    }

    /// Finds A anew; what is left over is lost.
    fn find_anew(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        let mut live = std::mem::take(&mut self.live);
        meter.steps(4 * live.len() as u64)?;
        live.retain(|v| self.is_live(*v));
        let mut len = 0;
        for v in &live {
            let kind = self.kind[*v as usize];
            self.rank[*v as usize] = NO_RANK;
            self.cursor[*v as usize] = 0;
            self.missing[*v as usize] = if kind & TARGET != 0 {
                self.queue[len] = *v;
                len += 1;
                C::ZERO
            } else if kind & OWN != 0 {
                C::ONE
            } else {
                // none of its moves leads out of the game
                C::of(self.graph.successors(*v).len() as u64)
            };
        }
        len = force(&self.before, &mut self.missing, &mut self.queue, 0, len, meter)?;
        for (i, v) in (0..).zip(&self.queue[..len]) {
            self.rank[*v as usize] = i;
        }
        self.next_rank = len as u32;
        self.lost.clear();
        self.lost.extend(live.iter().filter(|v| self.missing[**v as usize] != C::ZERO));
        self.live = live;
        Ok(())
    }

    /// The other player wins what is lost and where it can be forced from. Returns where these begin in `taken`.
    fn take_away(&mut self, meter: &mut Meter) -> Result<usize, StopReason> {
        let start = self.taken_len;
        for v in self.lost.drain(..) {
            self.taken[self.taken_len] = v;
            self.taken_len += 1;
            self.left[v as usize] = C::ZERO;
        }
        self.taken_len = force(&self.before, &mut self.left, &mut self.taken, start, self.taken_len, meter)?;
        for v in &self.taken[start..self.taken_len] {
            self.rank[*v as usize] = NO_RANK;
            self.missing[*v as usize] = C::ZERO;
        }
        Ok(start)
    }

    /// Looks for a move to a smaller rank, from the last one on.
    #[inline]
    fn is_supported(&mut self, v: u32, meter: &mut Meter) -> Result<bool, StopReason> {
        let moves = self.graph.successors(v);
        let (mine, start) = (self.rank[v as usize], self.cursor[v as usize]);
        let next = moves[start as usize..].iter().position(|w| self.rank[*w as usize] < mine);
        let passed = next.map_or(moves.len() as u32 - start, |n| n as u32);
        self.cursor[v as usize] = start + passed;
        meter.steps(u64::from(passed) + 1)?;
        Ok(next.is_some())
    }

    /// Mends A after `taken[round..]` were taken away; what stays outside is lost. False, and everything is to be found anew, if
    /// more than `most` are lost on the way.
    fn mend(&mut self, round: usize, most: usize, meter: &mut Meter) -> Result<bool, StopReason> {
        for i in round..self.taken_len {
            self.lose_before(self.taken[i], false, meter)?;
            if self.lost.len() > most {
                return Ok(false);
            }
        }
        let mut next = 0;
        while next < self.lost.len() {
            self.lose_before(self.lost[next], true, meter)?;
            next += 1;
            if self.lost.len() > most {
                return Ok(false);
            }
        }
        self.regain(meter)
    }

    /// Finds what is lost because v is.
    fn lose_before(&mut self, v: u32, was_in_a: bool, meter: &mut Meter) -> Result<(), StopReason> {
        let [from, to] = [self.before.offsets()[v as usize], self.before.offsets()[v as usize + 1]];
        meter.steps(to - from)?;
        for i in from as usize..to as usize {
            let u = self.before.targets()[i];
            let kind = self.kind[u as usize];
            if kind & TARGET != 0 || !self.is_live(u) {
                continue;
            }
            let was_lost = self.missing[u as usize] != C::ZERO;
            if kind & OWN == 0 {
                // has no move to what is taken away
                debug_assert!(was_in_a);
                self.missing[u as usize] = self.missing[u as usize].more();
            } else if was_lost || self.is_supported(u, meter)? {
                continue;
            } else {
                self.missing[u as usize] = C::ONE;
            }
            if !was_lost {
                self.rank[u as usize] = NO_RANK;
                self.lost.push(u);
            }
        }
        Ok(())
    }

    /// Lets the lost join A again where it can be forced.
    fn regain(&mut self, meter: &mut Meter) -> Result<bool, StopReason> {
        if self.next_rank as usize + self.lost.len() >= NO_RANK as usize {
            return Ok(false);
        }
        let mut len = 0;
        for v in &self.lost {
            self.cursor[*v as usize] = 0;
            let moves = self.graph.successors(*v);
            meter.steps(moves.len() as u64)?;
            let is_own = self.kind[*v as usize] & OWN != 0;
            if is_own && moves.iter().any(|w| self.rank[*w as usize] != NO_RANK) {
                self.missing[*v as usize] = C::ZERO;
                self.queue[len] = *v;
                len += 1;
            }
        }
        len = force(&self.before, &mut self.missing, &mut self.queue, 0, len, meter)?;
        for v in &self.queue[..len] {
            self.rank[*v as usize] = self.next_rank;
            self.next_rank += 1;
        }
        self.lost.retain(|v| self.missing[*v as usize] != C::ZERO);
        Ok(true)
    }

    /// The player wins what is left, by the move to the smallest rank there is: a smaller one, but from the set, where any move that
    /// stays does.
    ///
    /// The other player wins what was taken away, by the move to what was taken first. For what was forced that was taken before;
    /// what was lost had no move to anything taken before it was, and has one to what was lost with it, which was taken before what
    /// was forced then.
    fn winners(mut self, meter: &mut Meter) -> Result<Solution, StopReason> {
        let vertices = self.graph.vertices();
        // the tables of the rounds are not needed any more
        self.lost = Vec::new();
        self.queue = Vec::new();
        self.live = Vec::new();
        let mut place = std::mem::take(&mut self.cursor);
        place.fill(u32::MAX);
        for (i, v) in (0..).zip(&self.taken[..self.taken_len]) {
            place[*v as usize] = i;
        }
        let mut found = unsolved(vertices, self.player, meter)?;
        meter.steps(4 * (vertices as u64 + self.graph.edges() as u64))?;
        for v in 0..vertices as u32 {
            let is_own = self.kind[v as usize] & OWN != 0;
            let is_live = self.is_live(v);
            found.winner[v as usize] ^= u8::from(!is_live);
            if is_own == is_live {
                let key = if is_live { &self.rank } else { &place };
                found.strategy[v as usize] = self.graph.successors(v).iter().copied().min_by_key(|w| key[*w as usize]);
            }
        }
        Ok(found)
    }
}
