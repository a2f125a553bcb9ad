//! Parity games by Zielonka's recursion on an explicit stack.
//!
//! A part of the game is solved by attracting what has the priorities above all of the other parity, solving what is left, and
//! where the other player wins something there, attracting to that and beginning anew with the rest. Winning loops are attracted
//! first of all.
//!
//! Beginning anew costs as much as the part is large, and in large games it happens often that only a corner of it changes. So the
//! part is divided then into its strongly connected components, which are solved one after another, successors first: what is
//! settled in one spreads to those not yet solved, and what is still open in the next one has all its moves in it. Where edges lead
//! anywhere, components cost more than several rounds; there a part is divided only when the rounds no longer change much.

use grundy_core::theory::{
    parity_game::{ParityGame, Solution},
    scc::Tarjan,
};

use super::{
    bytes_of_graph, most_moves, reversed,
    subgame::{Parts, WHOLE, Word, fits},
    unsolved,
};
use crate::budget::{Meter, StopReason};

/// A part with fewer vertices is divided at once: its components are found in a cache.
const SMALL: usize = 1 << 14;
/// Rounds in a larger part, whose edges lead far, that change less than a quarter of it before it is divided.
const ROUNDS: u32 = 2;
/// Steps down that together attract less than an eighth of a part before the rest is divided; few in tests, whose games are small.
const STEPS: u32 = if cfg!(test) { 2 } else { 16 };

/// Any parity game, and how many parts were begun.
///
/// # Complexity
/// O(vertices^priorities) at worst; that of some attractors of the whole game in most.
///
/// # Errors
/// The limit that stopped it.
///
/// # Sources
/// recursion `[Zie98]`; priorities of one parity at once and components `[FL09]`
pub(super) fn solve(game: &ParityGame, meter: &mut Meter) -> Result<(Solution, u64), StopReason> {
    let mut priorities = game.priority().to_vec();
    priorities.sort_unstable();
    priorities.dedup();
    // a division goes one part deeper
    if fits::<u32>(most_moves(game.graph()), priorities.len() as u64 + 2) {
        solve_with::<u32>(game, meter)
    } else {
        solve_with::<u64>(game, meter)
    }
}

pub(super) fn solve_with<W: Word>(game: &ParityGame, meter: &mut Meter) -> Result<(Solution, u64), StopReason> {
    let vertices = game.graph().vertices();
    let mut found = unsolved(vertices, 0, meter)?;
    let before = reversed(game.graph(), meter)?;
    let bytes = bytes_of_graph(&before) + Parts::<W>::BYTES * vertices as u64;
    meter.bytes(Parts::<W>::BYTES * vertices as u64)?;
    let mut recursion = Recursion {
        parts: Parts::<W>::new(game, before),
        tarjan: None,
        stack: Vec::new(),
        leads_far: game.graph().leads_far(),
        begun: 0,
    };
    recursion.loops(meter)?;
    let open: Vec<u32> = (0..vertices as u32).filter(|v| recursion.parts.is_in(*v, WHOLE)).collect();
    recursion.run(open, meter)?;
    let Parts { winner, strategy, .. } = recursion.parts;
    for (v, to) in (0..).zip(strategy) {
        if winner[v] == game.owner()[v] {
            found.strategy[v] = Some(to);
        }
    }
    found.winner = winner;
    meter.release(bytes + recursion.tarjan.map_or(0, |_| TARJAN * vertices as u64));
    Ok((found, recursion.begun))
}

/// Bytes a vertex of the search for components, and of what it finds.
const TARJAN: u64 = 25;

/// What waits until a smaller part is solved.
enum Waiting<W> {
    /// For the solution of what is left when priorities of the player were attracted.
    Rest { vertices: Vec<u32>, words: Vec<W>, player: u8, part: u64, rounds: Rounds },
    /// For the solution of one component, others to come; all that are not solved are in this part.
    Components { solved: Vec<u32>, open: Vec<Vec<u32>>, part: u64, bytes: u64 },
}

/// How often a part was begun anew without much of it being settled, and how often it may be before it is divided; and how many steps
/// down have led to it from a part that was not much larger.
#[derive(Clone, Copy)]
struct Rounds {
    slow: u32,
    until: u32,
    steps: u32,
    from: usize,
}

struct Recursion<'a, W> {
    parts: Parts<'a, W>,
    tarjan: Option<Tarjan>,
    stack: Vec<Waiting<W>>,
    leads_far: bool,
    /// Parts that were begun.
    begun: u64,
}

impl<W: Word> Recursion<'_, W> {
    fn begin(&self, vertices: Vec<u32>, part: u64) -> AtHand {
        let is_cheap = !self.leads_far || vertices.len() < SMALL;
        let until = if is_cheap { 1 } else { ROUNDS };
        let rounds = Rounds { slow: 0, until, steps: 0, from: vertices.len() };
        Some((vertices, part, rounds))
    }

    /// Settles what loops decide: a winning one of the owner's, or no move but a loop.
    fn loops(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        let game = self.parts.game;
        meter.steps(game.graph().edges() as u64)?;
        let winner_of = |v: u32| {
            let moves = game.graph().successors(v);
            let player = (game.priority()[v as usize] % 2) as u8;
            let stays = moves.contains(&v) && (game.owner()[v as usize] == player || moves.iter().all(|w| *w == v));
            stays.then_some(player)
        };
        let mut decided: Vec<(u32, u8)> = Vec::new();
        decided.extend((0..game.graph().vertices() as u32).filter_map(|v| Some((v, winner_of(v)?))));
        for player in [0, 1] {
            for (v, _) in decided.iter().filter(|(_, winner)| *winner == player) {
                self.parts.winner[*v as usize] = player;
                self.parts.strategy[*v as usize] = *v;
                // still in the part: its loop keeps it from being forced elsewhere
                self.parts.take(*v);
            }
            self.parts.attract(player, WHOLE, meter)?;
        }
        Ok(())
    }

    /// Solves the first part, which has these vertices, ascending.
    fn run(&mut self, vertices: Vec<u32>, meter: &mut Meter) -> Result<(), StopReason> {
        let mut at_hand = self.begin(vertices, WHOLE);
        loop {
            at_hand = match at_hand {
                Some((vertices, _, _)) if vertices.is_empty() => None,
                Some((vertices, part, rounds)) => self.down(vertices, part, rounds, meter)?,
                None => match self.stack.pop() {
                    None => return Ok(()),
                    Some(Waiting::Rest { vertices, words, player, part, rounds }) => {
                        self.up(vertices, words, 1 - player, part, rounds, meter)?
                    }
                    Some(Waiting::Components { solved, open, part, bytes }) => {
                        self.next(solved, open, part, bytes, meter)?
                    }
                },
            }
        }
    }

    /// Attracts the greatest priorities; what is left is next.
    fn down(&mut self, vertices: Vec<u32>, part: u64, rounds: Rounds, meter: &mut Meter) -> Result<AtHand, StopReason> {
        meter.steps(8 * vertices.len() as u64)?;
        self.begun += 1;
        let parts = &mut self.parts;
        let priority = |v: &u32| parts.game.priority()[*v as usize];
        let mut most = [None; 2];
        for p in vertices.iter().map(priority) {
            let of_parity = &mut most[p as usize % 2];
            *of_parity = (*of_parity).max(Some(p));
        }
        let player = u8::from(most[1] > most[0]);
        let above = most[1 - usize::from(player)];
        let targets = |parts: &Parts<'_, W>| -> Vec<u32> {
            vertices.iter().copied().filter(|v| Some(parts.game.priority()[*v as usize]) > above).collect()
        };
        if above.is_none() {
            vertices.iter().for_each(|v| parts.stay(*v, player, part));
            vertices.iter().for_each(|v| parts.set_word(*v, W::of(0)));
            return Ok(None);
        }
        meter.bytes(Self::bytes(vertices.len()))?;
        let words: Vec<W> = vertices.iter().map(|v| parts.word(*v)).collect();
        let targets = targets(parts);
        targets.iter().for_each(|v| parts.stay(*v, player, part));
        targets.iter().for_each(|v| parts.take(*v));
        parts.attract(player, part, meter)?;
        let rest: Vec<u32> = vertices.iter().copied().filter(|v| parts.is_in(*v, part)).collect();
        self.stack.push(Waiting::Rest { vertices, words, player, part, rounds });
        let Some((rest, part, begun)) = self.begin(rest, part) else { return Ok(None) };
        if 8 * rest.len() < 7 * rounds.from {
            return Ok(Some((rest, part, begun)));
        }
        // each priority attracts a few vertices only: after many of them the rest may have fallen apart
        let rounds = Rounds { steps: rounds.steps + 1, from: rounds.from, ..begun };
        if rounds.steps < STEPS {
            return Ok(Some((rest, part, rounds)));
        }
        self.divide(rest, part, begun, meter)
    }

    fn bytes(vertices: usize) -> u64 {
        (4 + size_of::<W>() as u64) * vertices as u64
    }

    /// The rest is solved. Where the other player wins nothing in it, the whole part is; else what this player attracts is taken away, and
    /// the part begun anew or divided.
    fn up(
        &mut self,
        mut vertices: Vec<u32>,
        words: Vec<W>,
        other: u8,
        part: u64,
        rounds: Rounds,
        meter: &mut Meter,
    ) -> Result<AtHand, StopReason> {
        meter.steps(8 * vertices.len() as u64)?;
        meter.release(Self::bytes(vertices.len()));
        let parts = &mut self.parts;
        if vertices.iter().all(|v| parts.winner[*v as usize] != other) {
            return Ok(None);
        }
        vertices.iter().zip(&words).for_each(|(v, word)| parts.set_word(*v, *word));
        drop(words);
        for v in &vertices {
            if parts.winner[*v as usize] == other {
                parts.take(*v);
            }
        }
        parts.attract(other, part, meter)?;
        let before = vertices.len();
        vertices.retain(|v| parts.is_in(*v, part));
        let is_slow = 4 * (before - vertices.len()) < before;
        let rounds = Rounds { slow: rounds.slow + u32::from(is_slow || rounds.until == 1), ..rounds };
        if rounds.slow < rounds.until {
            return Ok(Some((vertices, part, rounds)));
        }
        self.divide(vertices, part, rounds, meter)
    }

    fn divide(
        &mut self,
        vertices: Vec<u32>,
        part: u64,
        rounds: Rounds,
        meter: &mut Meter,
    ) -> Result<AtHand, StopReason> {
        meter.steps(20 * vertices.len() as u64)?;
        let graph = self.parts.graph();
        if self.tarjan.is_none() {
            meter.bytes(TARJAN * graph.vertices() as u64)?;
        }
        let parts = &self.parts;
        let tarjan = self.tarjan.get_or_insert_with(|| Tarjan::new(graph.vertices()));
        let components = tarjan.components(&vertices, |v| graph.successors(v), |v| parts.is_in(v, part));
        if components.len() <= 1 {
            return Ok(Some((vertices, part, Rounds { until: 2 * rounds.until, ..rounds })));
        }
        // each is a list of its own, and the one at hand is there twice
        let bytes = 8 * vertices.len() as u64 + 24 * components.len() as u64;
        meter.bytes(bytes)?;
        drop(vertices);
        let open = components.iter().map(|c| {
            let mut vertices = c.to_vec();
            vertices.sort_unstable();
            vertices
        });
        // the next one is taken from the end
        let mut open: Vec<Vec<u32>> = open.collect();
        open.reverse();
        self.next(Vec::new(), open, part, bytes, meter)
    }

    /// Lets the solution of a component spread over the others; what is still open of the next one comes next.
    fn next(
        &mut self,
        solved: Vec<u32>,
        mut open: Vec<Vec<u32>>,
        part: u64,
        bytes: u64,
        meter: &mut Meter,
    ) -> Result<AtHand, StopReason> {
        let parts = &mut self.parts;
        for player in [0, 1] {
            for v in &solved {
                if parts.winner[*v as usize] == player {
                    parts.queue(*v);
                }
            }
            parts.attract(player, part, meter)?;
        }
        loop {
            let Some(mut vertices) = open.pop() else {
                meter.release(bytes);
                return Ok(None);
            };
            meter.steps(2 * vertices.len() as u64 + 10)?;
            vertices.retain(|v| parts.is_in(*v, part));
            if vertices.is_empty() {
                continue;
            }
            vertices.iter().for_each(|v| parts.put(*v, part + 1));
            self.stack.push(Waiting::Components { solved: vertices.clone(), open, part, bytes });
            return Ok(self.begin(vertices, part + 1));
        }
    }
}

/// A part to be solved: its vertices, its number, and how often it was begun; none if the one at hand is solved.
type AtHand = Option<(Vec<u32>, u64, Rounds)>;
