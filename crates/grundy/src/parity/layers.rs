//! Strategies from layers: in what order vertices fell to the player who forces the play, found elsewhere.

use grundy_core::theory::parity_game::{Objective, ParityGame, Solution};

use super::{most_moves, reversed, unsolved};
use crate::{
    budget::{Meter, StopReason},
    frontier::{Counter, force},
};

/// What a player wants to see: once in reachability and safety games (what decides the play), else again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    player: u8,
    /// Büchi games: the least priority that is a target.
    least: Option<u32>,
}

impl Targets {
    /// Those of a game that is none of more than two priorities: player 0 for reachability and Büchi, player 1 for the others.
    pub fn of(game: &ParityGame) -> Targets {
        match game.objective() {
            Objective::Reachability => Targets { player: 0, least: None },
            Objective::Safety => Targets { player: 1, least: None },
            Objective::CoBuchi => Targets { player: 1, least: Some(1) },
            Objective::Buchi | Objective::Parity => Targets { player: 0, least: Some(2) },
        }
    }

    /// The player who wants to see them.
    pub fn player(self) -> u8 {
        self.player
    }

    /// True if v is one.
    #[inline]
    pub fn has(self, game: &ParityGame, v: u32) -> bool {
        match self.least {
            Some(least) => game.parity_priority(v) >= least,
            None => game.decided(v) == Some(self.player),
        }
    }
}

/// The player who forces the play into the layers: who wants to see the targets once, or the opponent of who wants to see them again
/// and again.
fn forcer(objective: Objective) -> u8 {
    match objective {
        Objective::Reachability | Objective::CoBuchi => 0,
        Objective::Safety | Objective::Buchi | Objective::Parity => 1,
    }
}

/// Who wins from each vertex: the forcing player where there is a layer, the other one where it is 0.
pub fn winners_of_layers(objective: Objective, layers: &[u32]) -> Vec<u8> {
    let forcer = forcer(objective);
    layers.iter().map(|layer| if *layer == 0 { 1 - forcer } else { forcer }).collect()
}

/// The solution of a game, but for parity games, of which the layers are known.
///
/// In reachability and safety games a vertex has layer 2 if it is a target, 3 if a player forces the play to one, else 0. In Büchi and
/// co-Büchi games the vertices are taken away in rounds: those of round r from which a target can no longer be forced have layer 2r,
/// those from which the other player forces the play to these have 2r + 1, and those that stay have 0.
///
/// The order in which the layers were filled is found again from the even ones, by one attractor for all rounds. Vertices of an
/// even layer of a Büchi game have a move within it, others one to what was found before. In what stays, each vertex of the
/// other player has a move that stays too, and in Büchi games leads on to the targets by one more attractor. Of layers that are not those
/// of the game comes a solution that the checker refuses.
///
/// # Complexity
/// O(vertices + edges), beside sorting the vertices of even layers.
///
/// # Errors
/// The limit that stopped it.
///
/// # Examples
/// ```
/// use grundy::{budget::Meter, parity};
/// use grundy_core::theory::{digraph::Digraph, parity_game::{Objective, ParityGame}};
/// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 1), (2, 0)]).unwrap();
/// let game = ParityGame::new(graph, vec![0, 0, 1], vec![1, 1, 0], Objective::Buchi).unwrap();
/// // vertex 1 is taken away in the first round
/// let solution = parity::from_layers(&game, &[0, 2, 0], &mut Meter::unlimited()).unwrap();
/// assert_eq!((solution.winner, solution.strategy), (vec![0, 1, 0], vec![Some(2), None, None]));
/// ```
pub fn from_layers(game: &ParityGame, layers: &[u32], meter: &mut Meter) -> Result<Solution, StopReason> {
    if most_moves(game.graph()) <= u64::from(u8::MAX) {
        solve::<u8>(game, layers, meter)
    } else {
        solve::<u32>(game, layers, meter)
    }
}

/// No place in an order.
const NO_RANK: u32 = u32::MAX;

fn solve<C: Counter>(game: &ParityGame, layers: &[u32], meter: &mut Meter) -> Result<Solution, StopReason> {
    let graph = game.graph();
    let vertices = graph.vertices();
    let mut found = unsolved(game.graph().vertices(), 0, meter)?;
    if layers.len() != vertices {
        return Ok(found);
    }
    found.winner = winners_of_layers(game.objective(), layers);
    let forcer = forcer(game.objective());
    let targets = Targets::of(game);
    let before = reversed(graph, meter)?;
    let scratch = (size_of::<C>() as u64 + 20) * vertices as u64;
    meter.bytes(scratch)?;
    let layer = |v: u32| layers[v as usize];

    let is_seed = |v: u32| layer(v) != 0 && layer(v).is_multiple_of(2);
    let mut seeds: Vec<u32> = (0..vertices as u32).filter(|v| is_seed(*v)).collect();
    seeds.sort_by_key(|v| layer(*v));
    let missing = |v: u32| match () {
        () if is_seed(v) => C::ZERO,
        () if game.owner()[v as usize] == forcer => C::ONE,
        () => C::of(graph.successors(v).len() as u64),
    };
    let mut order =
        Order { missing: (0..vertices as u32).map(missing).collect(), queue: vec![0; vertices + 1], len: 0 };
    for round in seeds.chunk_by(|v, w| layer(*v) == layer(*w)) {
        order.add(&before, round, meter)?;
    }
    let rank = order.ranks();
    // in Büchi games, the way to the targets in what stays
    let mut onward = Vec::new();
    if targets.player != forcer {
        let stays: Vec<u32> = (0..vertices as u32).filter(|v| layer(*v) == 0).collect();
        order.len = 0;
        order.missing.fill(C::ZERO);
        for v in &stays {
            order.missing[*v as usize] = match () {
                () if targets.has(game, *v) => C::ZERO,
                () if game.owner()[*v as usize] != forcer => C::ONE,
                // none of its moves leads to a layer
                () => C::of(graph.successors(*v).len() as u64),
            };
        }
        let first: Vec<u32> = stays.into_iter().filter(|v| targets.has(game, *v)).collect();
        order.add(&before, &first, meter)?;
        onward = order.ranks();
    }
    for v in 0..vertices as u32 {
        let winner = found.winner[v as usize];
        if game.owner()[v as usize] != winner || game.decided(v).is_some() {
            continue;
        }
        let leads_on = |w: &&u32| match () {
            () if winner == forcer && is_seed(v) => layer(**w) == layer(v),
            () if winner == forcer => rank[**w as usize] < rank[v as usize],
            () if onward.is_empty() || targets.has(game, v) => layer(**w) == 0,
            () => onward[**w as usize] < onward[v as usize],
        };
        let moves = graph.successors(v);
        meter.steps(moves.len() as u64)?;
        found.strategy[v as usize] = moves.iter().find(leads_on).copied();
    }
    meter.release(scratch + super::bytes_of_graph(&before));
    Ok(found)
}

/// The order in which vertices fall.
struct Order<C> {
    missing: Vec<C>,
    queue: Vec<u32>,
    len: usize,
}

impl<C: Counter> Order<C> {
    /// These vertices fall, and then all that are forced into what has fallen.
    fn add(
        &mut self,
        before: &grundy_core::theory::digraph::Digraph,
        fallen: &[u32],
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        let from = self.len;
        let to = from + fallen.len();
        // more than there are vertices only if the layers are wrong
        let Some(places) = self.queue.get_mut(from..to) else { return Ok(()) };
        places.copy_from_slice(fallen);
        self.len = force(before, &mut self.missing, &mut self.queue, from, to, meter)?;
        Ok(())
    }

    fn ranks(&self) -> Vec<u32> {
        let mut rank = vec![NO_RANK; self.missing.len()];
        for (i, v) in (0..).zip(&self.queue[..self.len]) {
            rank[*v as usize] = i;
        }
        rank
    }
}
