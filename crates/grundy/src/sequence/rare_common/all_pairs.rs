//! Heaps of a rule without a sparse space, with AVX2: all pairs, few of them marked.
//!
//! The first pairs are marked one by one, about three for each value that can occur, which leaves only a few values below the
//! wanted one. The least of those, the candidates, are compared with the xors of all other pairs, 32 or 16 pairs at once.
//! A candidate that is met is dropped, so that most pairs are compared with one or two.
//!
//! # Complexity
//! n/2 pairs an amount, each 2 (C + 2) / 32 operations of 256 bits for C live candidates of one byte, twice that for two
//! bytes; and the marks.

use std::arch::x86_64::*;

use super::Shape;

/// Most candidates of a round.
const CANDIDATES: usize = 24;

/// Candidates that one pass compares.
const PASS: usize = 8;

/// Pairs that are compared between two looks at the candidates, at first.
const FIRST_CHUNK: usize = 1024;

/// The state beside the table: which values the marked pairs of a heap have.
#[derive(Debug)]
pub(super) struct AllPairs {
    shape: Shape,
    stamps: Vec<u8>,
    now: u8,
    /// Pairs marked for each value that can occur, in quarters.
    quarters: usize,
}

/// A cell of a table of values.
pub(super) trait Cell: Copy + Eq + Into<u64> {
    /// Cells of a register.
    const LANES: usize;

    /// The cell that holds this value.
    fn of(value: u64) -> Self;

    /// Which of `wanted` are the xor of `up[j]` and `down[len - 1 - j]` for some j.
    ///
    /// # Safety
    /// Needs AVX2; the slices have the same length, a multiple of `LANES`.
    unsafe fn find<const C: usize>(up: &[Self], down: &[Self], wanted: &[Self; C]) -> [bool; C];
}

macro_rules! cell {
    ($cell:ty, $lanes:literal, $set:ident, $compare:ident, $reverse:expr) => {
        impl Cell for $cell {
            const LANES: usize = $lanes;

            fn of(value: u64) -> Self {
                value as $cell
            }

            #[target_feature(enable = "avx2")]
            #[inline]
            unsafe fn find<const C: usize>(up: &[Self], down: &[Self], wanted: &[Self; C]) -> [bool; C] {
                let reverse: [i8; 16] = $reverse;
                // SAFETY: 16 bytes.
                let reverse = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(reverse.as_ptr().cast()) });
                let wanted = wanted.map(|w| $set(w as _));
                let mut hits = [_mm256_setzero_si256(); C];
                for (a, b) in up.chunks_exact($lanes).zip(down.rchunks_exact($lanes)) {
                    // SAFETY: both hold a register.
                    let (a, b) =
                        unsafe { (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast())) };
                    let b = _mm256_permute4x64_epi64::<0x4e>(_mm256_shuffle_epi8(b, reverse));
                    let x = _mm256_xor_si256(a, b);
                    for (hit, wanted) in hits.iter_mut().zip(&wanted) {
                        *hit = _mm256_or_si256(*hit, $compare(x, *wanted));
                    }
                }
                hits.map(|h| _mm256_movemask_epi8(h) != 0)
            }
        }
    };
}

cell!(u8, 32, _mm256_set1_epi8, _mm256_cmpeq_epi8, [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
cell!(u16, 16, _mm256_set1_epi16, _mm256_cmpeq_epi16, [14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);

/// Pairs of one amount: heaps `from ..= half` with `rest` less them.
#[derive(Clone, Copy, Debug)]
struct Span {
    rest: usize,
    from: usize,
    half: usize,
}

impl AllPairs {
    /// The state for a rule, if AVX2 is there.
    pub(super) fn new(shape: &Shape) -> Option<AllPairs> {
        let fits = is_x86_feature_detected!("avx2") && !shape.pairs.is_empty();
        fits.then(|| AllPairs { shape: shape.clone(), stamps: Vec::new(), now: 0, quarters: 12 })
    }

    /// G(n) for n = the number of values, none of which exceeds `max`.
    pub(super) fn next<T: Cell>(&mut self, values: &[T], max: u64) -> u64 {
        let n = values.len();
        // an option is a xor of two values, so it has no bit above the largest value
        let size = (max as usize + 1).next_power_of_two();
        if self.stamps.len() < size || self.now == u8::MAX {
            self.stamps = vec![0; size.max(self.stamps.len())];
            self.now = 0;
        }
        self.now += 1;
        self.mark_single(values);
        let marked = self.quarters * size / 4 / self.shape.pairs.len();
        let mut spans = Vec::with_capacity(self.shape.pairs.len());
        for p in self.shape.pairs.iter().take_while(|p| p.amount + 1 < n) {
            let rest = n - p.amount;
            let half = (rest - usize::from(p.unequal)) / 2;
            let last = marked.min(half);
            let (up, down) = (&values[1..=last], &values[rest - last..rest]);
            for (a, b) in up.iter().zip(down.iter().rev()) {
                let v = ((*a).into() ^ (*b).into()) as usize;
                debug_assert!(v < self.stamps.len());
                // SAFETY: both values are at most `max`, so their xor is below `size`, the least length of the stamps.
                unsafe { *self.stamps.get_unchecked_mut(v) = self.now };
            }
            spans.push(Span { rest, from: last + 1, half });
        }
        let mut rounds = 0;
        loop {
            let mut alive: Vec<u64> = (0..=size as u64).filter(|v| !self.has(*v)).take(CANDIDATES).collect();
            self.drop_met(values, size as u64, spans.clone(), &mut alive);
            rounds += 1;
            if let Some(value) = alive.first() {
                match rounds {
                    1 if self.now.is_multiple_of(16) => self.quarters = (self.quarters - 1).max(4),
                    1 => {}
                    _ => self.quarters = (self.quarters + 1).min(64),
                }
                return *value;
            }
        }
    }

    fn has(&self, v: u64) -> bool {
        self.stamps.get(v as usize) == Some(&self.now)
    }

    /// Marks the options that leave at most one heap.
    fn mark_single<T: Cell>(&mut self, values: &[T]) {
        let n = values.len();
        if self.shape.nothing.binary_search(&n).is_ok() {
            self.stamps[0] = self.now;
        }
        for k in self.shape.whole.iter().take_while(|k| **k < n) {
            self.stamps[values[n - k].into() as usize] = self.now;
        }
    }

    /// Marks and drops the candidates that some pair of the spans has; those not below `size` no pair has.
    fn drop_met<T: Cell>(&mut self, values: &[T], size: u64, mut spans: Vec<Span>, alive: &mut Vec<u64>) {
        let mut chunk = FIRST_CHUNK;
        while !spans.is_empty() && alive.first().is_some_and(|v| *v < size) {
            for s in &mut spans {
                let many = chunk.min(s.half + 1 - s.from);
                let up = &values[s.from..s.from + many];
                let down = &values[s.rest - s.from - many + 1..s.rest - s.from + 1];
                let whole = many - many % T::LANES;
                // SAFETY: `AllPairs::new` found AVX2; the slices have equal lengths, a multiple of the lanes.
                let mut met = unsafe { met(&up[..whole], &down[many - whole..], alive) };
                for (a, b) in up[whole..].iter().zip(down[..many - whole].iter().rev()) {
                    let v = (*a).into() ^ (*b).into();
                    for (met, c) in met.iter_mut().zip(&*alive) {
                        *met |= v == *c;
                    }
                }
                let mut place = 0;
                alive.retain(|v| {
                    let met = met[place] && *v < size;
                    place += 1;
                    if met {
                        self.stamps[*v as usize] = self.now;
                    }
                    !met
                });
                s.from += many;
            }
            spans.retain(|s| s.from <= s.half);
            chunk *= 2;
        }
    }
}

/// Which of the candidates are met.
///
/// # Safety
/// As [`Cell::find`].
#[target_feature(enable = "avx2")]
unsafe fn met<T: Cell>(up: &[T], down: &[T], candidates: &[u64]) -> [bool; CANDIDATES] {
    let mut all = [false; CANDIDATES];
    for (candidates, met) in candidates.chunks(PASS).zip(all.chunks_mut(PASS)) {
        let wanted = |i: usize| T::of(candidates[i.min(candidates.len() - 1)]);
        // SAFETY: by contract.
        unsafe {
            match candidates.len() {
                1 => met[..1].copy_from_slice(&T::find(up, down, &std::array::from_fn::<_, 1, _>(wanted))),
                2 => met[..2].copy_from_slice(&T::find(up, down, &std::array::from_fn::<_, 2, _>(wanted))),
                3..=4 => met[..4].copy_from_slice(&T::find(up, down, &std::array::from_fn::<_, 4, _>(wanted))),
                _ => met.copy_from_slice(&T::find(up, down, &std::array::from_fn::<_, PASS, _>(wanted))),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_single_xors_find(
            bytes in prop::collection::vec(0u8.., 64..65),
            wanted in prop::collection::vec(0u64..256, 1..CANDIDATES),
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let words: Vec<u16> = bytes.iter().map(|b| u16::from(*b)).collect();
            // SAFETY: AVX2 is there, and 32 is a multiple of both numbers of lanes.
            let (narrow, wide) = unsafe {
                (met(&bytes[..32], &bytes[32..], &wanted), met(&words[..32], &words[32..], &wanted))
            };
            for (i, w) in wanted.iter().enumerate() {
                let found = (0..32).any(|j| u64::from(bytes[j] ^ bytes[63 - j]) == *w);
                prop_assert_eq!((narrow[i], wide[i]), (found, found));
            }
        }
    }
}
