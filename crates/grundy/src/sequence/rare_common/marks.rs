//! What the entries give a block of heaps: every option of the best ones, and of the others those among a few candidates.

use std::{arch::x86_64::_pdep_u64, array::from_fn};

use super::{
    candidates::{Open, PASS, first_open},
    sweep::{Block, Entry, LANES, sweep, sweep_bytes, verify},
};

/// What is done with the entries in the blocks below heap `until`.
///
/// Where bytes cannot tell rare heaps, an entry that meets one there is swept over the cells.
#[derive(Debug, Default)]
pub(super) struct BlockPlan {
    pub(super) until: usize,
    pub(super) swept: Vec<Entry>,
    pub(super) swept_as_cells: Vec<Entry>,
    pub(super) checked: Vec<Entry>,
    proof_swept: Vec<Entry>,
    proof_swept_as_cells: Vec<Entry>,
}

/// Where rare heaps stand among those that are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranks<'a> {
    /// The first heap that is kept, a multiple of 64.
    pub(super) base: usize,
    /// The first heap that is not known yet.
    pub(super) known: usize,
    /// Number of rare heaps from some heap on to below `base` + 64 i, for each i.
    pub(super) rank: &'a [u32],
}

impl Ranks<'_> {
    /// False if none of the partners of the heaps `first .. until` is rare.
    fn meets_rares(&self, e: &Entry, first: usize, until: usize) -> bool {
        let (from, to) = (first - e.offset as usize, until - e.offset as usize);
        let rank = |i: usize| self.rank.get(i - self.base / 64);
        to > self.known || rank(to.div_ceil(64)) != rank(from / 64)
    }
}

impl BlockPlan {
    /// The plan for the heaps `first .. until`: entries to sweep, to sweep or check, and pairs of the proof.
    ///
    /// `width` is the number of words, of which bytes tell rare heaps if there are one or two; more than four have no bytes.
    pub(super) fn make<'a>(
        &mut self,
        (first, until): (usize, usize),
        width: usize,
        ranks: Ranks,
        leading: impl Iterator<Item = &'a Entry>,
        others: impl Iterator<Item = &'a Entry>,
        proof: impl Iterator<Item = &'a Entry>,
    ) {
        self.until = until;
        let meets_rares = |e: &Entry| ranks.meets_rares(e, first, until);
        let as_cells = |e: &Entry| width > 4 || (width > 2 && meets_rares(e));
        (self.swept_as_cells, self.swept) = leading.partition(|e| as_cells(e));
        (self.proof_swept_as_cells, self.proof_swept) = proof.partition(|e| as_cells(e));
        let met;
        // only four words leave others
        (met, self.checked) = others.partition::<Vec<Entry>, _>(|e| meets_rares(e));
        self.swept_as_cells.extend(met);
    }

    /// Adds what the entries give the block at `cells` and `bytes` to its common and its rare options; says for each lane
    /// below which common index all options are known.
    ///
    /// # Safety
    /// Needs AVX2, BMI 1 and 2, LZCNT and POPCNT, and AVX-512 VL if `has_512`; for every entry `LANES` cells, and with up to
    /// four words as many bytes, must be readable from `offset` before on.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) unsafe fn mark<const W: usize>(
        &self,
        (cells, bytes): (*const u16, *const u8),
        (largest, has_512): (usize, bool),
        common: &mut Block<W>,
        rare: &mut Block<W>,
    ) -> [u32; LANES] {
        // SAFETY: by contract.
        unsafe {
            if W <= 4 {
                sweep_bytes::<W>(&self.swept, bytes, common, largest, has_512);
                sweep_bytes::<W>(&self.proof_swept, bytes, rare, largest, has_512);
            }
            sweep::<W>(&self.swept_as_cells, cells, common);
            sweep::<W>(&self.proof_swept_as_cells, cells, rare);
        }
        let swept = swept_below::<W>(largest) as u32;
        if self.checked.is_empty() {
            return [swept; LANES];
        }
        // SAFETY: the same holds for the bytes.
        unsafe {
            let (soon, late) = self.checked.split_at(self.checked.len() / 4);
            let mut open = common.map(|w| w.map(|x| !x));
            let known_soon = check::<W, PASS>(soon, bytes, &open, common);
            for (w, open) in open.iter_mut().enumerate() {
                for lane in 0..LANES {
                    open[lane] &= !common[w][lane] & below_in_word(known_soon[lane], w);
                }
            }
            let still = check::<W, 8>(late, bytes, &open, common);
            from_fn(|lane| known_soon[lane].min(still[lane]).min(swept))
        }
    }
}

/// The index below which sweeps tell all options, for a table whose largest index is given.
///
/// Those above are hardly ever wanted, so bytes are swept for no others.
pub(super) fn swept_below<const W: usize>(largest: usize) -> usize {
    if W <= 4 { largest / 16 * 16 + 16 } else { 64 * W }
}

/// Checks the first T `open` indices of each lane against the entries and marks those that are options; says below which
/// index all open ones have been looked at.
///
/// # Safety
/// As [`verify`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn check<const W: usize, const T: usize>(
    entries: &[Entry],
    at: *const u8,
    open: &Block<W>,
    marks: &mut Block<W>,
) -> [u32; LANES] {
    let Open { candidates, until } = first_open::<W, T>(open);
    // SAFETY: by contract.
    let hits = unsafe { verify::<T>(entries, at, &candidates) };
    for lane in 0..LANES {
        let mut hits = u64::from(hits[lane]);
        for w in 0..W {
            // the candidates are the open bits in order
            marks[w][lane] |= _pdep_u64(hits, open[w][lane]);
            hits = hits.checked_shr(open[w][lane].count_ones()).unwrap_or(0);
        }
    }
    until
}

/// The bits of word w that stand for indices below `below`.
#[inline(always)]
pub(super) fn below_in_word(below: u32, w: usize) -> u64 {
    match below.saturating_sub(64 * w as u32) {
        wanted @ 0..64 => (1 << wanted) - 1,
        _ => u64::MAX,
    }
}
