//! What is known about components, in a table that several threads fill at once without locks.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::cells::CellSet;

/// What is known about the Grundy value of a component: it is exact, or some values are excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known(u64);

/// Values below this one can be excluded; nothing is remembered about the exclusion of larger ones.
const EXCLUDABLE: u32 = 48;
/// One name in so many slots.
const NAMES_IN: usize = 4;
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

/// A hash table from components to [`Known`], with open addressing.
///
/// A slot is one word of knowledge and the words of its key. The knowledge of a new slot is claimed by compare-and-swap, then the key
/// is written, then the slot is declared ready; a key never changes afterwards and knowledge only grows by `fetch_or`. So
/// no reader can see a key with the knowledge of another one, whatever the threads do. Growing takes `&mut self`.
#[derive(Debug)]
pub struct Table {
    words: Box<[AtomicU64]>,
    stride: usize,
    mask: usize,
    used: AtomicUsize,
    /// Components by hashes of their graphs; the last one stays.
    names: Box<[AtomicU64]>,
    names_mask: usize,
}

impl Table {
    /// A table for keys of `C` with `2^log_slots` slots.
    pub fn new<C: CellSet>(log_slots: u32) -> Self {
        let stride = C::WORDS + 1;
        let slots = 1usize << log_slots;
        let words = |slots: usize| (0..slots * stride).map(|_| AtomicU64::new(0)).collect();
        let names = (slots / NAMES_IN).max(1);
        Table {
            words: words(slots),
            stride,
            mask: slots - 1,
            used: AtomicUsize::new(0),
            names: words(names),
            names_mask: names - 1,
        }
    }

    /// Number of components about which something is known.
    pub fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.words) + size_of_val(&*self.names)) as u64
    }

    /// Whether it should grow before many more components are stored.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        // linear probing stays short up to two thirds
        self.len() * 3 > self.mask * 2
    }

    /// What is known about `key`.
    #[inline]
    pub fn get<C: CellSet>(&self, key: &C) -> Known {
        let mut at = hash(key) as usize & self.mask;
        loop {
            let slot = &self.words[at * self.stride..(at + 1) * self.stride];
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

    /// All components with what is known of them.
    pub fn entries<C: CellSet>(&self) -> impl Iterator<Item = (C, Known)> {
        self.words.chunks_exact(self.stride).filter_map(|slot| {
            let known = slot[0].load(Ordering::Acquire);
            let is_ready = known & READY != 0;
            is_ready.then(|| (C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)), Known(known & !READY)))
        })
    }

    /// Adds knowledge about `key`. Knowledge is dropped if the table is nearly full: the caller grows it in time.
    pub fn add<C: CellSet>(&self, key: &C, known: Known) {
        if known == Known::NOTHING || self.len() + self.len() / 8 >= self.mask {
            return;
        }
        let mut at = hash(key) as usize & self.mask;
        loop {
            let slot = &self.words[at * self.stride..(at + 1) * self.stride];
            let mut old = slot[0].load(Ordering::Acquire);
            if old == 0 {
                match slot[0].compare_exchange(0, BUSY, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {
                        for i in 0..C::WORDS {
                            slot[i + 1].store(key.word(i), Ordering::Relaxed);
                        }
                        slot[0].store(READY | known.0, Ordering::Release);
                        self.used.fetch_add(1, Ordering::Relaxed);
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

    /// Brings the slots of these keys near, all at once.
    #[inline]
    pub fn touch<C: CellSet>(&self, keys: &[C]) {
        let slots = keys.iter().map(|key| &self.words[(hash(key) as usize & self.mask) * self.stride]);
        // loads that do not wait for each other; black_box keeps them
        std::hint::black_box(slots.fold(0, |sum, slot: &AtomicU64| sum ^ slot.load(Ordering::Relaxed)));
    }

    /// The component that was stored for a hash of its graph; if there is none, stores this one.
    ///
    /// What comes back may be any set of cells.
    pub fn namesake<C: CellSet>(&self, name: u64, component: &C) -> Option<C> {
        let at = (name >> 8) as usize & self.names_mask;
        let slot = &self.names[at * self.stride..(at + 1) * self.stride];
        if slot[0].load(Ordering::Relaxed) == name {
            return Some(C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)));
        }
        slot[0].store(name, Ordering::Relaxed);
        for i in 0..C::WORDS {
            slot[i + 1].store(component.word(i), Ordering::Relaxed);
        }
        None
    }

    /// Doubles the number of slots.
    pub fn grow<C: CellSet>(&mut self) {
        let bigger = Table::new::<C>((self.mask + 1).trailing_zeros() + 1);
        for slot in self.words.chunks_exact(self.stride) {
            let known = slot[0].load(Ordering::Relaxed);
            if known != 0 {
                bigger.add(&C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)), Known(known & !READY));
            }
        }
        for slot in self.names.chunks_exact(self.stride) {
            let name = slot[0].load(Ordering::Relaxed);
            if name != 0 {
                bigger.namesake(name, &C::from_words(|i| slot[i + 1].load(Ordering::Relaxed)));
            }
        }
        *self = bigger;
    }
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
