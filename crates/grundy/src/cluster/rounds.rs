//! What the processes do one after another for each kind of game.

use std::{ops::Range, rc::Rc};

use timely::worker::Worker;

use super::{
    ClusterError,
    attract::{Attract, Bits},
    block::{Block, Blocks},
    saved::{Found, Saved},
    spread::{Local, deliver, spread, tell_all},
    values::Values,
    watch::Watch,
};
use crate::store::StoreError;

/// Numbers that are gathered in one message.
const CHUNK: usize = 1 << 14;

/// A process at work.
pub struct Run<'a> {
    pub worker: &'a mut Worker,
    pub blocks: Blocks,
    pub block: Rc<Block>,
    pub watch: Watch,
    pub saved: Option<Saved>,
}

/// The player who attracts, in one block.
#[derive(Debug)]
pub struct Side {
    /// Where the player moves.
    pub own: Vec<bool>,
    /// Where the player wants to get to.
    pub target: Vec<bool>,
}

impl Run<'_> {
    /// Layers of a reachability or safety game: 2 at the targets, 3 from where they are forced, 0 elsewhere.
    pub fn reach(&mut self, side: &Side, found: Found) -> Result<Vec<u32>, ClusterError> {
        let attractor = self.attractor(side, |_| true, &found.won);
        let attractor = self.spread_and_save(attractor, |saved, a| saved.save(0, &[], a.joined()))?;
        self.save(|saved| saved.save(0, &[], attractor.joined()))?;
        let layer = |place: usize| match side.target[place] {
            true => 2,
            false if attractor.joined().has(place) => 3,
            false => 0,
        };
        Ok((0..self.block.len()).map(layer).collect())
    }

    /// Layers of a game whose player wants to see the targets again and again: 0 where the player wins; else the vertex is taken
    /// away in some round r, and has 2r if no target is forced from it any more, 2r + 1 if it is forced to those by the other player.
    ///
    /// All processes begin after the last round that all of them have saved. The attractor found later, in a smaller game, is part of
    /// that of the round, since what was taken away is left by no choice of the other player: so its bits are a sound beginning.
    pub fn again_and_again(&mut self, side: &Side, found: Found) -> Result<Vec<u32>, ClusterError> {
        let places = self.block.len();
        let rounds = tell_all(self.worker, found.round.into(), &mut self.watch)?;
        let mut round = rounds.into_iter().min().unwrap_or(0) as u32;
        let mut layers = found.numbers;
        layers.resize(places, 0);
        layers.iter_mut().filter(|layer| **layer / 2 > round).for_each(|layer| *layer = 0);
        let mut begin = found.won;
        // the other player forces the play to what is taken away; told once for all rounds
        let missing = (0..places).map(|p| if side.own[p] { self.block.moves(p) } else { 1 }).collect();
        let mut taken = Attract::new(self.block.clone(), missing);
        (0..places).filter(|p| layers[*p] != 0).for_each(|p| taken.join(p));
        taken = self.spread_and_save(taken, |_, _| Ok(()))?;
        loop {
            let attractor = self.attractor(side, |p| layers[p] == 0, &begin);
            let attractor = self.spread_and_save(attractor, |saved, a| saved.save(round, &layers, a.joined()))?;
            let won = attractor.joined();
            let lost: Vec<usize> = (0..places).filter(|p| layers[*p] == 0 && !won.has(*p)).collect();
            let all = tell_all(self.worker, lost.len() as u64, &mut self.watch)?;
            if all.iter().all(|n| *n == 0) {
                self.save(|saved| saved.save(round, &layers, won))?;
                return Ok(layers);
            }
            lost.iter().for_each(|p| taken.join(*p));
            // half a round is not kept: what is forced may not have arrived yet
            taken = self.spread_and_save(taken, |saved, _| saved.save(round, &layers, won))?;
            round += 1;
            lost.iter().for_each(|p| layers[*p] = 2 * round);
            let forced = |p: &usize| layers[*p] == 0 && taken.joined().has(*p);
            let forced: Vec<usize> = (0..places).filter(forced).collect();
            forced.iter().for_each(|p| layers[*p] = 2 * round + 1);
            begin = Bits::default();
        }
    }

    /// Grundy values; unknown on cycles and before them.
    pub fn values(&mut self, found: Found) -> Result<Vec<u32>, ClusterError> {
        let values = Values::new(self.block.clone(), found.numbers);
        let values = self.spread_and_save(values, |saved, v| saved.save(0, v.values(), &Bits::default()))?;
        self.save(|saved| saved.save(0, values.values(), &Bits::default()))?;
        Ok(values.values().to_vec())
    }

    /// All numbers, in the order of the vertices, in process 0; nothing elsewhere.
    pub fn gather(&mut self, numbers: Vec<u32>) -> Result<Vec<u32>, ClusterError> {
        let Range { start, end } = self.block.range();
        let pieces = (start..end).step_by(CHUNK).map(move |first| {
            let from = (first - start) as usize;
            (0u64, (first, numbers[from..numbers.len().min(from + CHUNK)].to_vec()))
        });
        let mut pieces: Vec<(u32, Vec<u32>)> = deliver(self.worker, pieces, &mut self.watch)?;
        pieces.sort_unstable_by_key(|(first, _)| *first);
        Ok(pieces.into_iter().flat_map(|(_, numbers)| numbers).collect())
    }

    /// The attractor of the targets among the vertices in the game, and of those that are known to be in it.
    fn attractor(&self, side: &Side, in_game: impl Fn(usize) -> bool, known: &Bits) -> Attract {
        let places = 0..self.block.len();
        let missing = |p: usize| match () {
            () if !in_game(p) => 0,
            () if side.own[p] => 1,
            () => self.block.moves(p),
        };
        let mut attractor = Attract::new(self.block.clone(), places.clone().map(missing).collect());
        let is_known = |p: usize| !known.words().is_empty() && known.has(p);
        places.filter(|p| in_game(*p) && (side.target[*p] || is_known(*p))).for_each(|p| attractor.join(p));
        attractor
    }

    /// Spreads, and saves when it is time.
    fn spread_and_save<L: Local>(
        &mut self,
        local: L,
        save: impl Fn(&mut Saved, &L) -> Result<(), StoreError>,
    ) -> Result<L, ClusterError> {
        let saved = &mut self.saved;
        let save = |local: &L| saved.as_mut().map_or(Ok(()), |saved| Ok(save(saved, local)?));
        spread(self.worker, self.blocks, local, &mut self.watch, save)
    }

    fn save(&mut self, save: impl FnOnce(&mut Saved) -> Result<(), StoreError>) -> Result<(), ClusterError> {
        Ok(self.saved.as_mut().map_or(Ok(()), save)?)
    }
}
