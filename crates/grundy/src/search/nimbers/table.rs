//! What is known about components, in tables that several threads fill at once without locks.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::cells::CellSet;

/// What is known about the Grundy value of a component: it is exact, or some values are excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known(u64);

/// Values below this one can be excluded; nothing is remembered about the exclusion of larger ones.
pub const EXCLUDABLE: u32 = 48;
const EXCLUDED: u64 = (1 << EXCLUDABLE) - 1;
const EXACT: u64 = 1 << 54;
const BUSY: u64 = 1 << 62;
const READY: u64 = 1 << 63;

impl Known {
    /// Nothing is known.
    pub const NOTHING: Known = Known(0);

    /// The value is `value`, below 64.
    #[inline]
    pub fn exact(value: u32) -> Self {
        Known(EXACT | u64::from(value) << EXCLUDABLE)
    }

    /// The value is none of this set.
    #[inline]
    pub fn not_in(set: u64) -> Self {
        Known(set & EXCLUDED)
    }

    /// The value, if it is known.
    #[inline]
    pub fn value(self) -> Option<u32> {
        (self.0 & EXACT != 0).then_some((self.0 >> EXCLUDABLE) as u32 & 63)
    }

    /// As a word.
    pub fn word(self) -> u64 {
        self.0
    }

    /// From such a word.
    pub fn of_word(word: u64) -> Known {
        Known(word & (EXACT | 63 << EXCLUDABLE | EXCLUDED))
    }

    /// Values that it is known not to be (only asked where the value is not known).
    #[inline]
    pub fn excluded(self) -> u64 {
        self.0 & EXCLUDED
    }
}

/// A number that threads change, in cache lines of its own: what lies beside it is read all the time.
#[derive(Debug)]
#[repr(align(128))]
struct Counter(AtomicUsize);

/// A hash table from components to [`Known`], with open addressing.
///
/// A slot is one word of knowledge and the words of its key. The knowledge of a new slot is claimed by
/// compare-and-swap, then the key is written, then the slot is declared ready; a key never changes afterwards and
/// knowledge only grows by `fetch_or`. So no reader can see a key with the knowledge of another one, whatever the
/// threads do. Growing takes `&mut self`.
#[derive(Debug)]
struct Slots {
    words: Box<[AtomicU64]>,
    stride: usize,
    mask: usize,
    used: Counter,
}

impl Slots {
    fn new<C: CellSet>(log_slots: u32) -> Self {
        let slots = 1usize << log_slots;
        let words = zeros(slots * (C::WORDS + 1));
        Slots { words, stride: C::WORDS + 1, mask: slots - 1, used: Counter(AtomicUsize::new(0)) }
    }

    /// Linear probing stays short up to two thirds.
    #[inline]
    fn is_crowded(&self) -> bool {
        self.used.0.load(Ordering::Relaxed) * 3 > self.mask * 2
    }

    #[inline]
    fn slot(&self, at: usize) -> &[AtomicU64] {
        &self.words[at * self.stride..(at + 1) * self.stride]
    }

    #[inline]
    fn get<C: CellSet>(&self, key: &C, hash: u64) -> Known {
        let mut at = hash as usize & self.mask;
        loop {
            let slot = self.slot(at);
            let known = slot[0].load(Ordering::Acquire);
            if known == 0 {
                return Known::NOTHING;
            }
            // a slot that is just being written counts as another key's: at worst knowledge is missed
            if known & READY != 0 && (0..C::WORDS).all(|i| slot[i + 1].load(Ordering::Relaxed) == key.word(i)) {
                return Known(known & !READY);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Adds knowledge. It is dropped if the table is nearly full: whoever fills it grows it in time.
    fn add<C: CellSet>(&self, key: &C, hash: u64, known: Known) {
        let used = self.used.0.load(Ordering::Relaxed);
        if known == Known::NOTHING || used + used / 8 >= self.mask {
            return;
        }
        let mut at = hash as usize & self.mask;
        loop {
            let slot = self.slot(at);
            let mut old = slot[0].load(Ordering::Acquire);
            if old == 0 {
                match slot[0].compare_exchange(0, BUSY, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {
                        for i in 0..C::WORDS {
                            slot[i + 1].store(key.word(i), Ordering::Relaxed);
                        }
                        slot[0].store(READY | known.0, Ordering::Release);
                        self.used.0.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                    Err(now) => old = now,
                }
            }
            while old & READY == 0 {
                // another thread is between two stores
                std::hint::spin_loop();
                old = slot[0].load(Ordering::Acquire);
            }
            if (0..C::WORDS).all(|i| slot[i + 1].load(Ordering::Relaxed) == key.word(i)) {
                slot[0].fetch_or(known.0, Ordering::Release);
                return;
            }
            at = (at + 1) & self.mask;
        }
    }

    fn entries<C: CellSet>(&self) -> impl Iterator<Item = (C, Known)> {
        self.words.chunks_exact(self.stride).filter_map(|slot| {
            let known = slot[0].load(Ordering::Acquire);
            let is_ready = known & READY != 0;
            is_ready.then(|| (C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)), Known(known & !READY)))
        })
    }

    /// Doubles the number of slots.
    fn grow<C: CellSet>(&mut self) {
        let bigger = Slots::new::<C>((self.mask + 1).trailing_zeros() + 1);
        for slot in self.words.chunks_exact(self.stride) {
            let known = slot[0].load(Ordering::Relaxed);
            if known != 0 {
                let key = C::from_words(|i| slot[i + 1].load(Ordering::Relaxed));
                bigger.add(&key, hash(&key), Known(known & !READY));
            }
        }
        *self = bigger;
    }
}

/// Everything a search knows about components.
///
/// Exact values, which every option is looked up for, are apart: there are far fewer of them than refutations, and they
/// stay in the processor's caches longer.
#[derive(Debug)]
pub struct Table {
    exact: Slots,
    refuted: Slots,
    /// Components by hashes of the names of their graphs; of two with the same place the last one stays.
    names: Box<[AtomicU64]>,
}

/// Slots of each kind at the start, as a power of two.
const LOG_SLOTS: u32 = 15;

impl Table {
    /// An empty table for keys of `C`.
    pub fn new<C: CellSet>() -> Self {
        Table {
            exact: Slots::new::<C>(LOG_SLOTS),
            refuted: Slots::new::<C>(LOG_SLOTS),
            names: zeros((C::WORDS + 1) << LOG_SLOTS >> NAMES_IN),
        }
    }

    /// Number of components whose value is known, and of those about which something was found out before.
    pub fn known(&self) -> (usize, usize) {
        (self.exact.used.0.load(Ordering::Relaxed), self.refuted.used.0.load(Ordering::Relaxed))
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        let words = self.exact.words.len() + self.refuted.words.len() + self.names.len();
        (words * size_of::<AtomicU64>()) as u64
    }

    /// Whether it should grow before many more components are stored.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.exact.is_crowded() || self.refuted.is_crowded()
    }

    /// What is known about `key`.
    #[inline]
    pub fn get<C: CellSet>(&self, key: &C) -> Known {
        let hash = hash(key);
        let exact = self.exact.get(key, hash);
        if exact == Known::NOTHING { self.refuted.get(key, hash) } else { exact }
    }

    /// The value of `key`, if it is known.
    #[inline]
    pub fn value<C: CellSet>(&self, key: &C) -> Option<u32> {
        self.exact.get(key, hash(key)).value()
    }

    /// Values that `key` is known not to have.
    #[inline]
    pub fn excluded<C: CellSet>(&self, key: &C) -> u64 {
        self.refuted.get(key, hash(key)).excluded()
    }

    /// Adds knowledge about `key`.
    pub fn add<C: CellSet>(&self, key: &C, known: Known) {
        let slots = if known.value().is_some() { &self.exact } else { &self.refuted };
        slots.add(key, hash(key), known);
    }

    /// All components with what is known of them; of those whose value is known, what was found out before too.
    pub fn entries<C: CellSet>(&self) -> impl Iterator<Item = (C, Known)> {
        // whoever keeps one entry a component keeps the last
        self.refuted.entries().chain(self.exact.entries())
    }

    /// Brings the slots for exact values of these keys near, all at once.
    #[inline]
    pub fn touch<C: CellSet>(&self, keys: &[C]) {
        let slots =
            keys.iter().map(|key| &self.exact.words[(hash(key) as usize & self.exact.mask) * self.exact.stride]);
        // loads that do not wait for each other; black_box keeps them
        std::hint::black_box(slots.fold(0, |sum, slot| sum ^ slot.load(Ordering::Relaxed)));
    }

    /// The component that was stored for a hash of the name of its graph; if there is none, stores this one.
    ///
    /// What comes back may be any set of cells.
    pub fn namesake<C: CellSet>(&self, name: u64, component: &C) -> Option<C> {
        let places = self.names.len() / (C::WORDS + 1);
        let at = (name >> 8) as usize & (places - 1);
        let slot = &self.names[at * (C::WORDS + 1)..(at + 1) * (C::WORDS + 1)];
        if slot[0].load(Ordering::Relaxed) == name {
            return Some(C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)));
        }
        slot[0].store(name, Ordering::Relaxed);
        for i in 0..C::WORDS {
            slot[i + 1].store(component.word(i), Ordering::Relaxed);
        }
        None
    }

    /// Doubles what is crowded.
    pub fn grow<C: CellSet>(&mut self) {
        if self.exact.is_crowded() {
            self.exact.grow::<C>();
        }
        if self.refuted.is_crowded() {
            self.refuted.grow::<C>();
            let bigger = zeros(2 * self.names.len());
            let old = std::mem::replace(&mut self.names, bigger);
            for slot in old.chunks_exact(C::WORDS + 1) {
                let name = slot[0].load(Ordering::Relaxed);
                if name != 0 {
                    self.namesake(name, &C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)));
                }
            }
        }
    }
}

/// One name in `2^NAMES_IN` slots for refutations.
const NAMES_IN: u32 = 2;

fn zeros(n: usize) -> Box<[AtomicU64]> {
    (0..n).map(|_| AtomicU64::new(0)).collect()
}

/// Mixes the words of a key; the low bits are good.
#[inline]
pub fn hash<C: CellSet>(key: &C) -> u64 {
    let mut mixed = 0u64;
    for i in 0..C::WORDS {
        let product = u128::from(mixed ^ key.word(i) ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        mixed = product as u64 ^ (product >> 64) as u64;
    }
    mixed
}
