//! Grundy values: a vertex has its value as soon as all its followers have theirs.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{block::Block, spread::Local};

/// No value yet; no vertex has so many followers.
pub const UNKNOWN: u32 = u32::MAX;

/// The values of one block.
#[derive(Debug)]
pub struct Values {
    block: Rc<Block>,
    value: Vec<u32>,
    /// Moves to followers whose values are not known.
    open: Vec<u32>,
    /// The values below 64 of followers, a bit each.
    seen: Vec<u64>,
    /// Of places with 64 moves or more, the larger values of followers.
    wide: FxHashMap<u32, Vec<u64>>,
    /// What has a value, and has not yet told its predecessors.
    stack: Vec<u32>,
}

impl Values {
    /// Values of which some are known, or none if the list is empty.
    ///
    /// Values that are known are told again: what else is known of the others was not kept.
    pub fn new(block: Rc<Block>, known: Vec<u32>) -> Values {
        let places = block.len();
        let mut value = known;
        value.resize(places, UNKNOWN);
        let open: Vec<u32> = (0..places).map(|place| block.moves(place)).collect();
        let mut stack: Vec<u32> = (0..places as u32).filter(|p| value[*p as usize] != UNKNOWN).collect();
        for place in 0..places {
            // nothing will be heard of their followers
            if open[place] == 0 && value[place] == UNKNOWN {
                value[place] = 0;
                stack.push(place as u32);
            }
        }
        Values { block, value, open, seen: vec![0; places], wide: FxHashMap::default(), stack }
    }

    /// The values, [`UNKNOWN`] where there is none.
    pub fn values(&self) -> &[u32] {
        &self.value
    }

    fn follower(&mut self, place: usize, value: u32) {
        if self.value[place] != UNKNOWN {
            return;
        }
        let moves = self.block.moves(place);
        if value < 64 {
            self.seen[place] |= 1 << value;
        } else if value < moves {
            // larger ones do not matter: the mex of so many values is at most their number
            let words = self.wide.entry(place as u32).or_insert_with(|| vec![0; (moves as usize).div_ceil(64)]);
            words[value as usize / 64] |= 1 << (value % 64);
        }
        self.open[place] -= 1;
        if self.open[place] == 0 {
            self.value[place] = self.mex(place);
            self.stack.push(place as u32);
        }
    }

    fn mex(&mut self, place: usize) -> u32 {
        let low = self.seen[place].trailing_ones();
        let Some(words) = self.wide.remove(&(place as u32)) else { return low };
        if low < 64 {
            return low;
        }
        // the first word stands for the values below 64, all of which were seen
        let full = words.iter().skip(1).take_while(|w| **w == u64::MAX).count() + 1;
        64 * full as u32 + words.get(full).map_or(0, |w| w.trailing_ones())
    }
}

impl Local for Values {
    type Note = u32;

    fn hear(&mut self, v: u32, value: u32) {
        if let Some(place) = self.block.place(v) {
            self.follower(place, value);
        }
    }

    fn work(&mut self, edges: usize, mut send: impl FnMut(u32, u32)) -> bool {
        let block = self.block.clone();
        let mut left = edges as isize;
        while left > 0 {
            let Some(place) = self.stack.pop() else { return false };
            let before = block.before(place as usize);
            let value = self.value[place as usize];
            left -= before.len() as isize + 1;
            for v in before {
                match block.place(*v) {
                    Some(place) => self.follower(place, value),
                    None => send(*v, value),
                }
            }
        }
        !self.stack.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::digraph::Digraph;

    #[test]
    fn wide_rows_have_wide_values() {
        // nim heaps: the value of n is n, with n moves
        for n in [63u32, 64, 65, 128, 129, 300] {
            let edges: Vec<(u32, u32)> = (0..=n).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
            let graph = Digraph::from_edges(n as usize + 1, &edges).unwrap();
            let block = Rc::new(Block::cut(&graph, 0..n + 1));
            let mut values = Values::new(block.clone(), vec![]);
            while values.work(100, |_, _| unreachable!()) {}
            assert_eq!(values.values(), (0..=n).collect::<Vec<_>>());
            assert!(values.wide.is_empty());
            // some values known beforehand
            let known = (0..=n).map(|v| if v % 3 == 0 { v } else { UNKNOWN }).collect();
            let mut values = Values::new(block, known);
            while values.work(100, |_, _| unreachable!()) {}
            assert_eq!(values.values(), (0..=n).collect::<Vec<_>>());
        }
    }
}
