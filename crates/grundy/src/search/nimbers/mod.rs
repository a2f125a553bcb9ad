//! Grundy values of positions that are sets of free cells.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

mod board;
mod cells;
mod deletion;
mod grid;
mod growing;
mod isomorphism;
mod table;
mod trail;
mod value_set;
mod worker;

use growing::Growing;
use table::{Known, Table};
use trail::{At, Trail};
use value_set::shifted;
use worker::{Reply, Worker};

pub use board::{Board, Stages};
pub use cells::CellSet;
pub use deletion::DeletionBoard;
pub use grid::Grid;
pub use isomorphism::Graph;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions looked at since the search was made.
    pub positions: u64,
    /// Bytes of the table.
    pub bytes: u64,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop<S> {
    /// The limit said so.
    Limit(S),
    /// A Grundy value is larger than 63.
    TooLarge,
}

impl<S: fmt::Display> fmt::Display for Stop<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Limit(stop) => stop.fmt(f),
            Stop::TooLarge => f.write_str("a Grundy value is larger than 63"),
        }
    }
}

/// Searches Grundy values on one board and remembers what it finds, exact values and refutations alike.
///
/// # Complexity
/// Exponential in the cells of the largest component. Memory: 16 bytes a slot of the table and 4 for names of graphs
/// (for sets of one word), at least two and at most three slots for two components of which something is known.
///
/// # Sources
/// `[BR20]` for the question whether a value is in a set, `[LV12]` for the sums of components.
#[derive(Debug)]
pub struct NimberSearch<B: Board> {
    board: B,
    table: Growing,
    workers: Vec<Worker<B::Cells>>,
    trails: [Trail; 2],
}

/// Positions between two looks at the limit.
const POSITIONS_PER_LOOK: u64 = 1000;

impl<B: Board> NimberSearch<B> {
    /// A search with an empty table, by one or two threads; more are not used.
    pub fn new(board: B, threads: usize) -> Self {
        NimberSearch {
            board,
            table: Growing::new(Table::new::<B::Cells>()),
            workers: (0..threads.clamp(1, 2)).map(|_| Worker::new()).collect(),
            trails: Default::default(),
        }
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// What has been spent so far.
    pub fn progress(&self) -> Progress {
        Progress { positions: self.workers.iter().map(|w| w.positions).sum(), bytes: self.table.read().bytes() }
    }

    /// Number of components whose value is known, and of those about which something was found out before.
    pub fn known(&self) -> (usize, usize) {
        self.table.read().known()
    }

    /// All that is known: the words of each component, and a word of knowledge for [`NimberSearch::learn`].
    pub fn entries(&self, each: &mut dyn FnMut(Vec<u64>, u64)) {
        for (cells, known) in self.table.read().entries::<B::Cells>() {
            each((0..B::Cells::WORDS).map(|i| cells.word(i)).collect(), known.word());
        }
    }

    /// Takes over what another search of the same board knew.
    pub fn learn(&mut self, words: &[u64], known: u64) {
        if words.len() != B::Cells::WORDS {
            return;
        }
        let table = self.table.get_mut();
        if table.is_crowded() {
            table.grow::<B::Cells>();
        }
        table.add(&B::Cells::from_words(|i| words[i]), Known::of_word(known));
    }

    /// The Grundy value of a position.
    ///
    /// `limit` is called every thousand positions or so and may stop the search. What was found until then stays and is
    /// right.
    ///
    /// # Errors
    /// The limit's stop, or a value above 63.
    pub fn value<S>(
        &mut self,
        cells: B::Cells,
        limit: &mut dyn FnMut(Progress) -> Result<(), S>,
    ) -> Result<u32, Stop<S>> {
        let mut parts = Vec::new();
        let known = self.board.split(cells, cells, &mut parts);
        parts.into_iter().try_fold(known, |sum, part| Ok(sum ^ self.value_of(part, limit)?))
    }

    /// The Grundy value of a position if it is in `set` (bit `v` for value `v`, below 64).
    ///
    /// Cheaper than the value where the answer is no, and often where it is yes.
    ///
    /// # Errors
    /// As [`NimberSearch::value`].
    pub fn is_in<S>(
        &mut self,
        cells: B::Cells,
        set: u64,
        limit: &mut dyn FnMut(Progress) -> Result<(), S>,
    ) -> Result<Option<u32>, Stop<S>> {
        let mut parts = Vec::new();
        let mut sum = self.board.split(cells, cells, &mut parts);
        parts.sort_unstable_by_key(|part| self.board.weight(*part));
        let largest = parts.pop();
        for part in parts {
            sum ^= self.value_of(part, limit)?;
        }
        let value = match largest {
            None => Some(sum),
            Some(part) if sum < 64 => match self.ask(part, shifted(set, sum), limit)? {
                Reply::Exact(value) => Some(sum ^ value),
                Reply::NotIn => None,
                Reply::TooLarge | Reply::Later => return Err(Stop::TooLarge),
            },
            Some(_) => return Err(Stop::TooLarge),
        };
        Ok(value.filter(|v| *v < 64 && set >> v & 1 == 1))
    }

    /// The value of a canonical component: is it 0, is it 1, …
    fn value_of<S>(
        &mut self,
        component: B::Cells,
        limit: &mut dyn FnMut(Progress) -> Result<(), S>,
    ) -> Result<u32, Stop<S>> {
        for guess in 0..64 {
            match self.ask(component, 1 << guess, limit)? {
                Reply::Exact(value) => return Ok(value),
                Reply::NotIn => {}
                Reply::TooLarge | Reply::Later => break,
            }
        }
        Err(Stop::TooLarge)
    }

    /// Whether the value of a canonical component is in `request`.
    fn ask<S>(
        &mut self,
        component: B::Cells,
        request: u64,
        limit: &mut dyn FnMut(Progress) -> Result<(), S>,
    ) -> Result<Reply, Stop<S>> {
        let NimberSearch { board, table, workers, trails } = self;
        for worker in workers.iter_mut() {
            worker.clear();
        }
        let Some((first, others)) = workers.split_first_mut() else { return Err(Stop::TooLarge) };
        let [own, other] = &*trails;
        if let Some(second) = others.first_mut() {
            let shared = Shared {
                stop: AtomicBool::new(false),
                positions: AtomicU64::new(second.positions),
                reply: Mutex::new(None),
            };
            return thread::scope(|scope| {
                scope.spawn(|| shared.help(&*board, table, second, (other, own), component, request));
                let mut spend = |progress: Progress| {
                    let positions = progress.positions + shared.positions.load(Ordering::Relaxed);
                    limit(Progress { positions, ..progress })
                };
                let done = || shared.stop.load(Ordering::Relaxed);
                let result = drive(&*board, table, first, Some((own, other)), (component, request), &mut spend, &done);
                shared.stop.store(true, Ordering::Relaxed);
                match result? {
                    Some(reply) => Ok(reply),
                    None => shared.reply.lock().unwrap_or_else(PoisonError::into_inner).ok_or(Stop::TooLarge),
                }
            });
        }
        let result = drive(&*board, table, first, None, (component, request), limit, &|| false)?;
        result.ok_or(Stop::TooLarge)
    }
}

/// Works at a question until it is answered, somebody else is done, or the limit stops it.
fn drive<B: Board, S>(
    board: &B,
    table: &Growing,
    worker: &mut Worker<B::Cells>,
    trails: Option<(&Trail, &Trail)>,
    (component, request): (B::Cells, u64),
    limit: &mut dyn FnMut(Progress) -> Result<(), S>,
    done: &dyn Fn() -> bool,
) -> Result<Option<Reply>, Stop<S>> {
    while !done() {
        let guard = table.read();
        let reply = worker.ask(At { board, table: &guard, trails }, component, request, POSITIONS_PER_LOOK);
        let (crowded, bytes) = (guard.is_crowded(), guard.bytes());
        drop(guard);
        if reply.is_some() {
            return Ok(reply);
        }
        if crowded {
            table.grow::<B::Cells>();
        }
        limit(Progress { positions: worker.positions, bytes }).map_err(Stop::Limit)?;
    }
    Ok(None)
}

/// What two threads that work at the same question share beside the table.
#[derive(Debug)]
struct Shared {
    stop: AtomicBool,
    /// Positions of the second thread.
    positions: AtomicU64,
    /// The second thread's answer.
    reply: Mutex<Option<Reply>>,
}

impl Shared {
    /// The work of the second thread.
    fn help<B: Board>(
        &self,
        board: &B,
        table: &Growing,
        worker: &mut Worker<B::Cells>,
        trails: (&Trail, &Trail),
        component: B::Cells,
        request: u64,
    ) {
        let mut spend = |progress: Progress| {
            self.positions.store(progress.positions, Ordering::Relaxed);
            Ok::<(), ()>(())
        };
        let done = || self.stop.load(Ordering::Relaxed);
        if let Ok(Some(reply)) = drive(board, table, worker, Some(trails), (component, request), &mut spend, &done) {
            *self.reply.lock().unwrap_or_else(PoisonError::into_inner) = Some(reply);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
