//! A second thread that sweeps entries far back, some batches of heaps ahead.
//!
//! Heap n meets an entry's partner at n - offset. So while the heaps of one batch of B are computed, all of those in the
//! batch after the next can be given the options of the entries with offset 3 B or more, which lie before all three. The
//! thread keeps what it needs of the heaps itself, and is sent what is new with each batch it is asked for: nothing is shared.
//!
//! A batch that is late is not waited for long: its heaps are computed without it, and the thread leaves it out. What is late
//! also moves pairs of the proof from one thread to the other; and where most batches are missed, since the machine has other
//! work, none is asked for in a while.
//!
//! What an engine makes anew, a split, wider words, other pairs, it makes with a new thread; the old one ends when its
//! [`Ahead`] is dropped, after at most one block. A run that stops and goes on finds its batches waiting.
//!
//! # Where this stands
//! Wall time with one thread over that with two, medians of whole runs in turn (two cores of a shared Sapphire Rapids): 0.6 to
//! 10^6 1.5 (0.82 s to 0.55 s), to 3 10^6 1.5 (2.2 s to 1.5 s), 0.161 to 10^6 1.2 to 1.5, 0.36 to 10^6 1.4, 0.74 to 3 10^5 1.2,
//! the Grundy game to 3 10^5 1.1 to 1.4, of which much is choosing pairs. Time of both threads together is 15 to 30 % above that
//! of one. With a single core for both a run takes 15 to 35 % longer than with one thread. Batches of 128 and 512 heaps did
//! no better. Tried and lost: asking one batch ahead only, which leaves both threads waiting in turn, and waiting for every
//! batch, where other work on the machine made runs slower than with one thread.

use std::{
    hint,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    marks::{BlockPlan, Ranks},
    sweep::{Block, Entry, LANES, RARE, RARE_BYTE, has_512},
};

/// Batches that may be missed, beside as many as are not, before none is asked for in so many.
const MOST_MISSED: u32 = 32;
const REST: usize = 2048;

/// Looks for a message before the thread sleeps: waking it costs more than a block.
const SPINS: u32 = 2000;

/// A batch is waited for up to this part of the time that the last one took.
const PATIENCE: u32 = 4;

/// The longest time that a batch is waited for.
const MOST_PATIENCE: Duration = Duration::from_millis(1);

/// Heaps that may be kept in vain; few in tests, so that they are left out and sent again.
const SLACK: usize = if cfg!(test) { 1 << 8 } else { 1 << 16 };

/// The thread, as the engine sees it.
#[derive(Debug)]
pub(super) struct Ahead {
    kind: Kind,
    to: Option<Sender<Request>>,
    from: Receiver<Marks>,
    thread: Option<JoinHandle<()>>,
    /// Batches before this heap are of no more use; the last number ends the thread.
    passed: Arc<AtomicUsize>,
    /// The batch that heaps are computed from now, and the next one, if it is there.
    ready: Option<Marks>,
    next: Option<Marks>,
    /// First heap of the first batch that was asked for, and the one after the batch that is computed now.
    start: usize,
    end: usize,
    begun: Instant,
    /// Batches missed, less those that were not, and the heap before which none is asked for.
    missed: u32,
    rest: usize,
    /// Number of entries that the thread knows of, beside the pairs of the proof.
    told: usize,
    /// Number of pairs of the proof that it sweeps, and that it could.
    share: usize,
    most: usize,
    /// The largest offset that it was sent.
    reach: usize,
    /// The heaps that it keeps.
    base: usize,
    sent: usize,
}

/// What a batch is asked for with.
#[derive(Debug)]
struct Request {
    /// First heap.
    first: usize,
    /// The cells that are new; all from the first one that is kept on if `base` is there.
    cells: Vec<u16>,
    base: Option<usize>,
    /// Entries that are new.
    entries: Vec<Entry>,
    /// How many of all entries sent are swept, and how many pairs of the proof.
    leading: usize,
    share: usize,
    largest: usize,
    /// Number of entries of the engine from which these are taken.
    told: usize,
}

/// The options of a batch.
#[derive(Debug)]
struct Marks {
    first: usize,
    told: usize,
    share: usize,
    /// For each block of heaps the words of the common options, of the rare ones, and the first common index that is not
    /// known to be one or none: of lane l at \[l\].
    words: Vec<u64>,
}

/// What the thread is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Words of a class.
    pub(super) width: usize,
    /// Heaps of a batch, a multiple of 64.
    pub(super) batch: usize,
    /// Batches from the one that is computed to the one that is asked for.
    pub(super) depth: usize,
    /// True if batches are waited for that are late.
    pub(super) patient: bool,
}

impl Kind {
    /// The least offset of entries whose partners are known when a batch is asked for.
    pub(super) fn least(self) -> usize {
        (self.depth + 1) * self.batch
    }

    /// True if the thread sweeps such entries.
    pub(super) fn takes(self, e: &Entry) -> bool {
        e.offset as usize >= self.least()
    }
}

/// What the engine knows when it begins a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// Number of heaps.
    pub(super) heaps: usize,
    pub(super) cells: &'a [u16],
    /// Entries of rare heaps; only ever more of them.
    pub(super) far: &'a [Entry],
    /// How many of them are swept.
    pub(super) leading: usize,
    /// The largest index.
    pub(super) largest: usize,
}

/// What the thread does for the batch at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// The least offset of its entries.
    pub(super) least: usize,
    /// It knows so many of the entries of rare heaps.
    pub(super) told: usize,
    /// It sweeps so many of the pairs of the proof with that offset.
    pub(super) share: usize,
}

impl Ahead {
    /// A thread that knows the pairs of a proof, if the system has one to give.
    pub(super) fn new(kind: Kind, proof: &[Entry]) -> Option<Ahead> {
        let (to, requests) = channel();
        let (answers, from) = channel();
        let passed = Arc::new(AtomicUsize::new(0));
        let proof: Vec<Entry> = proof.iter().filter(|e| kind.takes(e)).copied().collect();
        let reach = proof.iter().map(|e| e.offset as usize).fold(kind.least(), usize::max);
        let share = proof.len();
        let sweeper = Sweeper {
            kind,
            has_512: has_512(),
            base: 0,
            known: 0,
            cells: Vec::new(),
            bytes: Vec::new(),
            rank: Vec::new(),
            entries: Vec::new(),
            proof,
            plan: BlockPlan::default(),
        };
        let mark = passed.clone();
        let thread = thread::Builder::new()
            .name("sweeper".into())
            .spawn(move || sweeper.serve(&requests, &answers, &mark))
            .ok()?;
        Some(Ahead {
            kind,
            to: Some(to),
            from,
            thread: Some(thread),
            passed,
            ready: None,
            next: None,
            start: usize::MAX,
            end: 0,
            begun: Instant::now(),
            missed: 0,
            rest: 0,
            told: 0,
            share,
            most: share,
            reach,
            base: 0,
            sent: 0,
        })
    }

    /// Called before each block: at the end of a batch takes over the next one and asks for a later one. Returns how many
    /// heaps the block may have and whether a batch begins, or None if the thread is gone.
    pub(super) fn turn(&mut self, known: Known) -> Option<(usize, bool)> {
        let begins = known.heaps >= self.end;
        if begins {
            self.take_over(known.heaps)?;
            if known.heaps >= self.rest {
                self.ask(known)?;
            }
            self.end = known.heaps + self.kind.batch;
        }
        let left = self.end - known.heaps;
        // blocks end where those of the batch do
        Some(((left - 1) % LANES + 1, begins))
    }

    /// Takes the batch at heap `first`, if it is there in time; who is late gets less to do. None if the thread is gone.
    fn take_over(&mut self, first: usize) -> Option<()> {
        let now = Instant::now();
        let patience = now.duration_since(self.begun) / PATIENCE;
        self.begun = now;
        self.ready = None;
        let step = self.share / 32 + 1;
        let mut late = false;
        while first >= self.start {
            let marks = match self.next.take() {
                Some(marks) => Ok(marks),
                None => self.from.try_recv(),
            };
            match marks {
                Ok(marks) if marks.first < first => {}
                Ok(marks) if marks.first > first => {
                    self.next = Some(marks);
                    break;
                }
                Ok(marks) => {
                    self.ready = Some(marks);
                    break;
                }
                Err(TryRecvError::Empty) => {
                    late = true;
                    if !self.kind.patient && now.elapsed() > patience.min(MOST_PATIENCE) {
                        break;
                    }
                    hint::spin_loop();
                }
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        if first >= self.start {
            self.missed = if self.ready.is_some() { self.missed.saturating_sub(1) } else { self.missed + 1 };
        }
        if self.missed == MOST_MISSED {
            self.missed = 0;
            self.start = usize::MAX;
            self.rest = first + REST * self.kind.batch;
            self.passed.store(self.rest, Ordering::Relaxed);
            return Some(());
        }
        if first < self.rest {
            return Some(());
        }
        self.share = if late { self.share - step.min(self.share) } else { (self.share + step).min(self.most) };
        self.passed.store(first + 1, Ordering::Relaxed);
        Some(())
    }

    fn ask(&mut self, known: Known) -> Option<()> {
        let Kind { batch, depth, .. } = self.kind;
        let first = known.heaps + depth * batch;
        let takes = |e: &&Entry| self.kind.takes(e);
        let entries: Vec<Entry> = known.far[self.told..].iter().filter(takes).copied().collect();
        let leading = known.far[..known.leading].iter().filter(takes).count();
        self.reach = entries.iter().map(|e| e.offset as usize).fold(self.reach, usize::max);
        let needed = first.saturating_sub(self.reach) / 64 * 64;
        let kept = known.heaps - self.base;
        let base = if self.sent == 0 || needed < self.base || needed - self.base > SLACK.max(kept / 2) {
            (self.base, self.sent) = (needed, needed);
            Some(needed)
        } else {
            None
        };
        let request = Request {
            first,
            cells: known.cells[self.sent..known.heaps].to_vec(),
            base,
            entries,
            leading,
            share: self.share,
            largest: known.largest,
            told: known.far.len(),
        };
        self.start = self.start.min(first);
        (self.told, self.sent) = (known.far.len(), known.heaps);
        self.to.as_ref()?.send(request).ok()
    }

    /// What the batch at hand has, if there is one.
    pub(super) fn done(&self) -> Option<Done> {
        self.ready.as_ref().map(|m| Done { least: self.kind.least(), told: m.told, share: m.share })
    }

    /// Adds the options that the batch has for the block at heap `first`; says for each lane below which common index they
    /// are known. Lanes beyond those that [`turn`](Self::turn) allows get nothing.
    pub(super) fn add<const W: usize>(
        &self,
        first: usize,
        common: &mut Block<W>,
        rare: &mut Block<W>,
    ) -> Option<[u32; LANES]> {
        let marks = self.ready.as_ref()?;
        let (rows, _) = marks.words.as_chunks::<LANES>();
        let (block, lane) = ((first - marks.first) / LANES, (first - marks.first) % LANES);
        let rows = rows.get((2 * W + 1) * block..)?.get(..2 * W + 1)?;
        let mut known = [0; LANES];
        for (out, row) in common.iter_mut().chain(rare.iter_mut()).zip(rows) {
            for (out, word) in out.iter_mut().zip(&row[lane..]) {
                *out |= word;
            }
        }
        for (out, word) in known.iter_mut().zip(&rows[2 * W][lane..]) {
            *out = *word as u32;
        }
        Some(known)
    }

    /// Bytes of the heaps that the thread keeps.
    pub(super) fn bytes(&self) -> u64 {
        3 * (self.sent - self.base) as u64
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.passed.store(usize::MAX, Ordering::Relaxed);
        // without a sender the thread ends
        self.to = None;
        if let Some(thread) = self.thread.take() {
            // its panic, if it had one, has been told of
            let _ = thread.join();
        }
    }
}

/// The thread, as it sees itself.
struct Sweeper {
    kind: Kind,
    has_512: bool,
    /// The first heap that is kept, a multiple of 64, and the first that is not known.
    base: usize,
    known: usize,
    /// As in the engine, from `base` on and longer than what is known; only what is read.
    cells: Vec<u16>,
    bytes: Vec<u8>,
    rank: Vec<u32>,
    entries: Vec<Entry>,
    proof: Vec<Entry>,
    plan: BlockPlan,
}

impl Sweeper {
    fn serve(mut self, requests: &Receiver<Request>, answers: &Sender<Marks>, passed: &AtomicUsize) {
        while let Some(request) = receive(requests) {
            // SAFETY: who asks has the features.
            let marks = unsafe {
                match self.kind.width {
                    1 => self.batch::<1>(request, passed),
                    2 => self.batch::<2>(request, passed),
                    4 => self.batch::<4>(request, passed),
                    _ => self.batch::<8>(request, passed),
                }
            };
            if marks.is_some_and(|m| answers.send(m).is_err()) {
                return;
            }
        }
    }

    /// The options of a batch, unless it is of no more use.
    ///
    /// # Safety
    /// Needs what [`BlockPlan::mark`] does.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn batch<const W: usize>(&mut self, request: Request, passed: &AtomicUsize) -> Option<Marks> {
        let first = request.first;
        self.learn(&request.cells, request.base, first + self.kind.batch);
        self.entries.extend(request.entries);
        let (leading, others) = self.entries.split_at(request.leading.min(self.entries.len()));
        let share = request.share.min(self.proof.len());
        let ranks = Ranks { base: self.base, known: self.known, rank: &self.rank };
        let span = (first, first + self.kind.batch);
        if passed.load(Ordering::Relaxed) > first {
            return None;
        }
        self.plan.make(span, W, ranks, leading.iter(), others.iter(), self.proof[..share].iter());
        let mut words = Vec::with_capacity((2 * W + 1) * self.kind.batch);
        for block in (first..first + self.kind.batch).step_by(LANES) {
            if passed.load(Ordering::Relaxed) > first {
                return None;
            }
            let (mut common, mut rare): (Block<W>, Block<W>) = ([[0; LANES]; W], [[0; LANES]; W]);
            let at = block - self.base;
            let at =
                (self.cells.get(at..).unwrap_or_default().as_ptr(), self.bytes.get(at..).unwrap_or_default().as_ptr());
            // SAFETY: offsets are at least 2 batches, so the loads stay within what is known; the least heap that is kept was
            // chosen by the largest offset. Cells are kept where they are swept, bytes where they are.
            let known = unsafe { self.plan.mark::<W>(at, (request.largest, self.has_512), &mut common, &mut rare) };
            for row in common.iter().chain(&rare) {
                words.extend_from_slice(row);
            }
            words.extend(known.map(u64::from));
        }
        Some(Marks { first, told: request.told, share, words })
    }

    /// Takes new cells; makes room up to heap `end`.
    fn learn(&mut self, cells: &[u16], base: Option<usize>, end: usize) {
        if let Some(base) = base {
            (self.base, self.known) = (base, base);
            self.rank = vec![0];
        }
        let (from, to) = (self.known - self.base, self.known - self.base + cells.len());
        let Kind { width, batch, .. } = self.kind;
        let room = (end - self.base).next_multiple_of(16 * batch);
        if width > 2 {
            // bytes do not tell rare heaps
            self.cells.resize(room, RARE);
            self.cells[from..to].copy_from_slice(cells);
        }
        if width <= 4 {
            self.bytes.resize(room, RARE_BYTE);
            for (byte, cell) in self.bytes[from..to].iter_mut().zip(cells) {
                *byte = byte_of(*cell, width);
            }
        }
        if width == 4 {
            for i in self.rank.len()..=to / 64 {
                let rares = self.cells[64 * (i - 1)..64 * i].iter().filter(|c| **c & RARE != 0).count();
                self.rank.push(self.rank[i - 1] + rares as u32);
            }
        }
        self.known += cells.len();
    }
}

/// Waits for a message, awake for a while; None if nobody will send one.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Empty) => hint::spin_loop(),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
    from.recv().ok()
}

/// The byte of a cell: with `RARE_BYTE` where one or two words leave room for it, else the index alone.
#[inline(always)]
pub(super) fn byte_of(cell: u16, width: usize) -> u8 {
    // the one bit is 8 above the other
    cell as u8 | if width <= 2 { (cell >> 8) as u8 & RARE_BYTE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like random ones.
    fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        }
    }

    fn kind(width: usize, batch: usize, depth: usize) -> Kind {
        Kind { width, batch, depth, patient: true }
    }

    /// Rare heaps that come now and then, late ones among them, and heaps that are no more needed in between.
    fn gives_what_the_entries_give<const W: usize>(batch: usize, depth: usize) {
        let kind = kind(W, batch, depth);
        let mut random = numbers((W * batch + depth) as u64);
        let mut cells: Vec<u16> = (0..12 * kind.least() + 8000)
            .map(|_| random(64 * W) as u16 | if random(9) == 0 { RARE } else { 0 })
            .collect();
        let mut entry = |offset: usize| Entry { offset: offset as u32, index: random(64 * W) as u32 };
        let proof: Vec<Entry> = (0..60).map(|i| entry(40 + 7 * i)).collect();
        let start = 4 * kind.least();
        let mut far: Vec<Entry> = (0..90).map(|i| entry(LANES + 23 * i % (start - LANES))).collect();
        let mut ahead = Ahead::new(kind, &proof).unwrap();
        let (mut heaps, mut helped, mut kept) = (start, 0, 0);
        cells.resize(cells.len() / LANES * LANES, 0);
        while heaps + LANES < cells.len() {
            let leading = if W == 4 { far.len() / 3 } else { far.len() };
            let largest = 64 * W - 1;
            let (room, begins) = ahead.turn(Known { heaps, cells: &cells, far: &far, leading, largest }).unwrap();
            let (mut common, mut rare) = ([[0; LANES]; W], [[0; LANES]; W]);
            let known = ahead.add::<W>(heaps, &mut common, &mut rare);
            assert_eq!(known.is_some(), heaps >= start + depth * batch);
            if let (Some(known), Some(done)) = (known, ahead.done()) {
                let takes = |e: &&Entry| e.offset as usize >= done.least;
                let from_far: Vec<&Entry> = far[..done.told].iter().filter(takes).collect();
                let from_proof: Vec<&Entry> = proof.iter().filter(takes).take(done.share).collect();
                for lane in 0..room {
                    let gives = |entries: &[&Entry], index: usize| {
                        entries.iter().any(|e| cells[heaps + lane - e.offset as usize] ^ e.index as u16 == index as u16)
                    };
                    for index in 0..64 * W {
                        let has = |marks: &Block<W>| marks[index / 64][lane] >> (index % 64) & 1 == 1;
                        assert_eq!(has(&rare), gives(&from_proof, index), "{W} {heaps} {lane} {index}");
                        let is_option = gives(&from_far, index);
                        assert!(!has(&common) || is_option, "{W} {heaps} {lane} {index}");
                        assert!(has(&common) || !is_option || index >= known[lane] as usize);
                    }
                }
                helped += 1;
            }
            if begins && heaps / batch % 5 == 4 {
                // a rare heap of late, whose partners are the first heaps
                far.push(Entry { offset: heaps as u32 - 3, index: 5 });
            }
            kept = kept.max(ahead.base);
            // blocks may be cut short
            heaps += if heaps % 7 == 0 { room.min(5) } else { room };
        }
        assert!(helped > 50 && kept > 0, "{helped} {kept}");
        let passed = ahead.passed.clone();
        drop(ahead);
        assert_eq!(Arc::strong_count(&passed), 1, "the thread has not ended");
    }

    #[test]
    fn batches_are_what_the_entries_give() {
        if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("bmi2") {
            return;
        }
        for (batch, depth) in [(64, 1), (64, 3), (128, 2)] {
            gives_what_the_entries_give::<1>(batch, depth);
            gives_what_the_entries_give::<2>(batch, depth);
            gives_what_the_entries_give::<4>(batch, depth);
            gives_what_the_entries_give::<8>(batch, depth);
        }
    }

    /// Who does not wait goes on, with or without a batch; who is passed leaves batches out.
    #[test]
    fn late_batches_are_left_out() {
        let proof: Vec<Entry> = (0..9).map(|i| Entry { offset: 200 + i, index: i }).collect();
        let mut ahead = Ahead::new(Kind { patient: false, ..kind(1, 64, 2) }, &proof).unwrap();
        let cells = vec![3; 40_000];
        for heaps in (1024..39_000).step_by(64) {
            let known = Known { heaps, cells: &cells, far: &[], leading: 0, largest: 63 };
            assert_eq!(ahead.turn(known), Some((LANES, true)));
            assert!(ahead.ready.as_ref().is_none_or(|m| m.first == heaps));
            assert!(ahead.share <= ahead.most);
        }
        let passed = ahead.passed.clone();
        // what is asked for is still on its way
        drop(ahead);
        assert_eq!(Arc::strong_count(&passed), 1);
    }

    #[test]
    fn a_thread_that_is_gone_is_told_of() {
        let mut ahead = Ahead::new(kind(1, 64, 1), &[]).unwrap();
        let cells = vec![0; 4096];
        let known = |heaps| Known { heaps, cells: &cells, far: &[], leading: 0, largest: 15 };
        assert_eq!(ahead.turn(known(1024)), Some((LANES, true)));
        ahead.to = None;
        ahead.thread.take().unwrap().join().unwrap();
        assert_eq!(ahead.turn(known(1056)), Some((LANES, false)));
        let turns: Vec<_> = (1088..2048).step_by(64).map(|heaps| ahead.turn(known(heaps))).collect();
        assert!(turns.contains(&None));
    }
}
