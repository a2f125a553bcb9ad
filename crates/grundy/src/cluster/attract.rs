//! Attractors: the vertices from which a player forces the play into a set.

use std::rc::Rc;

use super::{block::Block, spread::Local};

/// The part of an attractor that lies in one block.
#[derive(Debug)]
pub struct Attract {
    block: Rc<Block>,
    /// How many moves into the set are missing for the place to join it: one where the player moves, all where the other one does;
    /// zero in the set, and where the place can never join.
    missing: Vec<u32>,
    joined: Bits,
    /// What joined, and has not yet told its predecessors.
    stack: Vec<u32>,
}

impl Attract {
    /// The attractor of nothing yet.
    pub fn new(block: Rc<Block>, missing: Vec<u32>) -> Attract {
        let joined = Bits::new(block.len());
        Attract { block, missing, joined, stack: Vec::new() }
    }

    /// A place joins, unless it is in the set already.
    pub fn join(&mut self, place: usize) {
        if !self.joined.has(place) {
            self.joined.set(place);
            self.missing[place] = 0;
            self.stack.push(place as u32);
        }
    }

    /// The places in the set.
    pub fn joined(&self) -> &Bits {
        &self.joined
    }

    #[inline]
    fn one_less(&mut self, place: usize) {
        match self.missing[place] {
            0 => {}
            1 => self.join(place),
            more => self.missing[place] = more - 1,
        }
    }
}

impl Local for Attract {
    type Note = ();

    fn hear(&mut self, v: u32, (): ()) {
        if let Some(place) = self.block.place(v) {
            self.one_less(place);
        }
    }

    fn work(&mut self, edges: usize, mut send: impl FnMut(u32, ())) -> bool {
        let block = self.block.clone();
        let mut left = edges as isize;
        while left > 0 {
            let Some(place) = self.stack.pop() else { return false };
            let before = block.before(place as usize);
            left -= before.len() as isize + 1;
            for v in before {
                match block.place(*v) {
                    Some(place) => self.one_less(place),
                    None => send(*v, ()),
                }
            }
        }
        !self.stack.is_empty()
    }
}

/// A set of places, a bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of so many places.
    pub fn new(places: usize) -> Bits {
        Bits(vec![0; places.div_ceil(64)])
    }

    /// The set with these words, lowest bit first.
    pub fn of_words(words: Vec<u64>) -> Bits {
        Bits(words)
    }

    /// Its words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// True if the place is in the set.
    #[inline]
    pub fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// Puts a place in.
    #[inline]
    pub fn set(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }
}
