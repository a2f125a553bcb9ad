//! Parts of a game, and who is forced into a set within one.

use grundy_core::theory::{digraph::Digraph, parity_game::ParityGame};

use crate::{
    budget::{Meter, StopReason},
    frontier::{AHEAD, prefetch},
};

/// What is known of a vertex in one word: its owner in the lowest bit, above it how many moves stay in its part, above that the
/// number of its part; zero where it is in none.
pub(super) trait Word: Copy + Eq {
    /// Where the number of the part begins.
    const PART: u32;
    fn of(word: u64) -> Self;
    fn get(self) -> u64;
}

impl Word for u32 {
    const PART: u32 = 17;
    fn of(word: u64) -> Self {
        word as u32
    }
    fn get(self) -> u64 {
        self.into()
    }
}

impl Word for u64 {
    const PART: u32 = 33;
    fn of(word: u64) -> Self {
        word
    }
    fn get(self) -> u64 {
        self
    }
}

/// The first part; zero is none.
pub(super) const WHOLE: u64 = 1;

/// Whether words of this size hold so many moves and parts.
pub(super) fn fits<W: Word>(moves: u64, parts: u64) -> bool {
    moves < 1 << (W::PART - 1) && parts < 1 << (8 * size_of::<W>() as u32 - W::PART)
}

/// The parts that the vertices are in, with winners and moves of those that are in none any more.
pub(super) struct Parts<'a, W> {
    pub game: &'a ParityGame,
    before: Digraph,
    words: Vec<W>,
    pub winner: Vec<u8>,
    /// The winner's move; of no meaning for vertices of the other player.
    pub strategy: Vec<u32>,
    queue: Vec<u32>,
    /// Whose move into the set each of the queue was attracted by.
    via: Vec<u32>,
    len: usize,
}

impl<'a, W: Word> Parts<'a, W> {
    /// Bytes a vertex.
    pub const BYTES: u64 = size_of::<W>() as u64 + 13;

    /// All vertices are in the first part.
    pub fn new(game: &'a ParityGame, before: Digraph) -> Self {
        let graph = game.graph();
        let vertices = graph.vertices();
        let word = |(v, owner): (u32, &u8)| {
            let moves = graph.successors(v).len() as u64;
            W::of(WHOLE << W::PART | moves << 1 | u64::from(*owner))
        };
        Parts {
            game,
            before,
            words: (0..).zip(game.owner()).map(word).collect(),
            winner: vec![0; vertices],
            strategy: vec![0; vertices],
            queue: vec![0; vertices + 1],
            via: vec![0; vertices + 1],
            len: 0,
        }
    }

    pub fn graph(&self) -> &'a Digraph {
        self.game.graph()
    }

    pub fn word(&self, v: u32) -> W {
        self.words[v as usize]
    }

    pub fn set_word(&mut self, v: u32, word: W) {
        self.words[v as usize] = word;
    }

    pub fn is_in(&self, v: u32, part: u64) -> bool {
        self.words[v as usize].get() >> W::PART == part
    }

    /// Moves a vertex that is in a part to another one.
    pub fn put(&mut self, v: u32, part: u64) {
        let word = self.words[v as usize].get() & ((1 << W::PART) - 1);
        self.words[v as usize] = W::of(word | part << W::PART);
    }

    /// Lets the player win at v and move from there to any vertex of the part, if the vertex is the player's.
    pub fn stay(&mut self, v: u32, player: u8, part: u64) {
        self.winner[v as usize] = player;
        if self.game.owner()[v as usize] == player {
            let stays = self.graph().successors(v).iter().find(|w| self.is_in(**w, part));
            self.strategy[v as usize] = stays.copied().unwrap_or(v);
        }
    }

    /// Takes v out of its part; what is forced to it follows with [`Parts::attract`].
    pub fn take(&mut self, v: u32) {
        self.words[v as usize] = W::of(0);
        self.queue(v);
    }

    /// Like [`Parts::take`], for a vertex that is in no part.
    pub fn queue(&mut self, v: u32) {
        self.queue[self.len] = v;
        self.len += 1;
    }

    /// The player wins where a move to what was taken can be forced within the part, which leaves it too. What stays in the part knows
    /// how many of its moves do.
    ///
    /// # Complexity
    /// O(edges that lead to what is taken and attracted).
    pub fn attract(&mut self, player: u8, part: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let first = self.len;
        let (before, queue, via, words) = (&self.before, &mut self.queue, &mut self.via, &mut self.words);
        let (offsets, sources) = (before.offsets(), before.targets());
        let mask = part << W::PART;
        let (mut next, mut len) = (0, first);
        while next < len {
            if let Some(v) = queue.get(next + 3 * AHEAD) {
                prefetch(offsets, *v as usize);
            }
            if let Some(v) = queue.get(next + 2 * AHEAD) {
                prefetch(sources, offsets[*v as usize] as usize);
            }
            if let Some(v) = queue.get(next + AHEAD) {
                before.successors(*v).iter().take(4).for_each(|u| prefetch(words, *u as usize));
            }
            let v = queue[next];
            next += 1;
            let predecessors = before.successors(v);
            meter.steps(2 * predecessors.len() as u64 + 1)?;
            for u in predecessors {
                let word = words[*u as usize].get();
                // owner and moves alone if it is in the part, else more
                let inside = word ^ mask;
                let is_in = inside < 1 << W::PART;
                let joins = is_in & ((inside & 1 == u64::from(player)) | (inside >> 1 == 1));
                queue[len] = *u;
                via[len] = v;
                len += usize::from(joins);
                words[*u as usize] = W::of(if joins { 0 } else { word - 2 * u64::from(is_in) });
            }
        }
        for (u, v) in self.queue[..len].iter().zip(&self.via).skip(first) {
            self.winner[*u as usize] = player;
            self.strategy[*u as usize] = *v;
        }
        self.len = 0;
        Ok(())
    }
}
