//! Where a thread is at work, for other threads to see.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{
    cells::CellSet,
    table::{Table, hash},
};

/// Depth of the stack of questions below which threads do not look at each other's trails.
pub const SHARED_DEPTH: usize = 14;

/// Hashes of the components on the lower part of a thread's stack of questions. Others may read a mixture of old and
/// new: it only steers what they do next.
///
/// Each has cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Trail {
    depth: AtomicUsize,
    components: [AtomicU64; SHARED_DEPTH],
}

impl Trail {
    /// The question at this depth (from 1) is now on top.
    #[inline]
    pub fn step<C: CellSet>(&self, depth: usize, component: &C) {
        if let Some(place) = self.components.get(depth - 1) {
            place.store(hash(component), Ordering::Relaxed);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Whether the thread is at work below this component.
    #[inline]
    pub fn has<C: CellSet>(&self, component: &C) -> bool {
        let wanted = hash(component);
        let depth = self.depth.load(Ordering::Relaxed);
        self.components.iter().take(depth).any(|place| place.load(Ordering::Relaxed) == wanted)
    }
}

/// Where a worker works.
#[derive(Debug)]
pub struct At<'a, B> {
    /// The game.
    pub board: &'a B,
    /// What is known.
    pub table: &'a Table,
    /// The worker's own trail and that of another thread.
    pub trails: Option<(&'a Trail, &'a Trail)>,
}

impl<B> Clone for At<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for At<'_, B> {}
