//! All parts of a heap, some of each class at a time.

use super::{BATCH, CLASSES, Source};

/// Goes through all parts in batches: of each class in turn some [`BATCH`], then some more.
#[derive(Debug)]
pub(super) struct Batches {
    /// How often all classes were gone through.
    pub(super) round: usize,
    /// Number of classes gone through in this round, from another one on for each heap.
    classes: usize,
    shift: usize,
    /// Number of batches so far, and how many there were when the round began.
    pub(super) made: usize,
    before: usize,
    pub(super) done: bool,
}

impl Batches {
    pub(super) fn new(shift: usize) -> Self {
        Batches { round: 0, classes: 0, shift, made: 0, before: 0, done: false }
    }

    /// Number of all batches.
    pub(super) fn count(classes: &[Vec<u32>], sources: &[Source]) -> usize {
        let most = sources.iter().map(|s| s.sum / s.parts).max().unwrap_or(0);
        classes.iter().map(|c| c.partition_point(|a| *a as usize <= most).div_ceil(BATCH)).sum()
    }

    /// The class of the next batch; None after the last.
    pub(super) fn next(&mut self, classes: &[Vec<u32>], sources: &[Source]) -> Option<usize> {
        let most = sources.iter().map(|s| s.sum / s.parts).max().unwrap_or(0);
        while !self.done {
            while self.classes < CLASSES {
                let class = (self.classes + self.shift) % CLASSES;
                self.classes += 1;
                if classes[class].partition_point(|a| *a as usize <= most) > self.round * BATCH {
                    self.made += 1;
                    return Some(class);
                }
            }
            self.done = self.made == self.before;
            (self.round, self.classes, self.before) = (self.round + 1, 0, self.made);
        }
        None
    }
}
