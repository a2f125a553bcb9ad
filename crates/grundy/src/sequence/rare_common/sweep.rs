//! Marks of many entries on neighbouring heaps, as bits of registers.

use std::arch::{asm, x86_64::*};

/// Heaps of a block.
pub(super) const LANES: usize = 32;

/// Bit of a cell for a rare heap; the index stands below.
pub(super) const RARE: u16 = 0x8000;

/// A heap of known index, met at `offset` before the heap in question: its own size and the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) offset: u32,
    pub(super) index: u32,
}

/// The options of a block: word w of lane l at \[w\]\[l\].
pub(super) type Block<const W: usize> = [[u64; LANES]; W];

/// Adds to `marks`, for each of the heaps at `at`, the indices that the entries give with their partners.
///
/// # Safety
/// Needs AVX2; for every entry `LANES` cells from `at - offset` on must be readable.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn sweep<const W: usize>(entries: &[Entry], at: *const u16, marks: &mut Block<W>) {
    // as many accumulators as registers allow
    // SAFETY: by contract; the lanes that each call covers are within the block.
    unsafe {
        match W {
            1 => columns::<W, 8>(entries, at, marks, 0),
            2 => (0..2).for_each(|i| columns::<W, 4>(entries, at, marks, 16 * i)),
            4 => (0..4).for_each(|i| columns::<W, 2>(entries, at, marks, 8 * i)),
            _ => (0..8).for_each(|i| columns::<W, 1>(entries, at, marks, 4 * i)),
        }
    }
}

/// [`sweep`] for the 4 Q lanes from `lane` on.
///
/// # Safety
/// As [`sweep`]; `lane + 4 Q` is at most `LANES`.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn columns<const W: usize, const Q: usize>(
    entries: &[Entry],
    at: *const u16,
    marks: &mut Block<W>,
    lane: usize,
) {
    let one = _mm256_set1_epi64x(1);
    let mut words = [[_mm256_setzero_si256(); Q]; W];
    for e in entries {
        let index = _mm_set1_epi16(e.index as i16);
        // SAFETY: by contract.
        let partners = unsafe { at.sub(e.offset as usize).add(lane) };
        for q in 0..Q {
            // SAFETY: four cells of the lanes of this column.
            let four = unsafe { _mm_loadl_epi64(partners.add(4 * q).cast()) };
            let indices = _mm256_cvtepu16_epi64(_mm_xor_si128(four, index));
            for (w, word) in words.iter_mut().enumerate() {
                // a count of 64 or more, a negative one too, shifts everything out
                let count = if w == 0 { indices } else { _mm256_sub_epi64(indices, _mm256_set1_epi64x(64 * w as i64)) };
                // SAFETY: AVX2 is there.
                word[q] = _mm256_or_si256(word[q], unsafe { shift_left(one, count) });
            }
        }
    }
    for (out, word) in marks.iter_mut().zip(words) {
        for (q, acc) in word.into_iter().enumerate() {
            let out = &mut out[lane + 4 * q..lane + 4 * q + 4];
            // SAFETY: four words.
            unsafe {
                let before = _mm256_loadu_si256(out.as_ptr().cast());
                _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_or_si256(before, acc));
            }
        }
    }
}

/// Shifts each word left by its own count; counts of 64 or more leave 0.
///
/// The intrinsic says the same, but the compiler then tests the narrow counts by four more operations.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn shift_left(words: __m256i, counts: __m256i) -> __m256i {
    let shifted;
    // SAFETY: one AVX2 instruction on registers.
    unsafe {
        asm!("vpsllvq {0}, {1}, {2}", lateout(ymm_reg) shifted, in(ymm_reg) words, in(ymm_reg) counts,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// Candidates of a lane that are checked together.
pub(super) const TOGETHER: usize = 12;

/// Candidates of a block: the t-th of each lane side by side.
pub(super) type Candidates = [[u8; LANES]; TOGETHER];

/// Which of the candidates the entries give with their partners: all bits set for a hit. Cells hold indices only.
///
/// # Safety
/// Needs AVX2; for every entry `LANES` cells from `at - offset` on must be readable.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn verify(entries: &[Entry], at: *const u8, candidates: &Candidates) -> Candidates {
    let mut hits = [_mm256_setzero_si256(); TOGETHER];
    for e in entries {
        // SAFETY: by contract.
        let partners = unsafe { _mm256_loadu_si256(at.sub(e.offset as usize).cast()) };
        let indices = _mm256_xor_si256(partners, _mm256_set1_epi8(e.index as i8));
        for (hit, wanted) in hits.iter_mut().zip(candidates) {
            // SAFETY: a row holds 32 bytes.
            let wanted = unsafe { _mm256_loadu_si256(wanted.as_ptr().cast()) };
            *hit = _mm256_or_si256(*hit, _mm256_cmpeq_epi8(indices, wanted));
        }
    }
    let mut out = [[0; LANES]; TOGETHER];
    for (out, hit) in out.iter_mut().zip(hits) {
        // SAFETY: a row holds 32 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), hit) };
    }
    out
}

/// True if `a[j] ^ b[j] == wanted` for some j; whole groups of 16 only.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn has_xor(a: &[u16], b: &[u16], wanted: u16) -> bool {
    let wanted = _mm256_set1_epi16(wanted as i16);
    let mut hits = _mm256_setzero_si256();
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        // SAFETY: both hold 16 cells.
        unsafe {
            let a = _mm256_loadu_si256(a.as_ptr().cast());
            let b = _mm256_loadu_si256(b.as_ptr().cast());
            hits = _mm256_or_si256(hits, _mm256_cmpeq_epi16(_mm256_xor_si256(a, b), wanted));
        }
    }
    _mm256_movemask_epi8(hits) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize>(cells: &[u16], entries: &[Entry]) {
        let at = cells.len() - LANES;
        let mut marks = [[0; LANES]; W];
        // SAFETY: offsets are at most `at`, and the caller has looked for AVX2.
        unsafe { sweep::<W>(entries, cells.as_ptr().add(at), &mut marks) };
        for lane in 0..LANES {
            let mut expected = [0u64; W];
            for e in entries {
                let index = usize::from(cells[at + lane - e.offset as usize]) ^ e.index as usize;
                if index < 64 * W {
                    expected[index / 64] |= 1 << (index % 64);
                }
            }
            assert_eq!(marks.map(|w| w[lane]), expected);
        }
    }

    proptest! {
        #[test]
        fn verifies_as_it_sweeps(
            cells in prop::collection::vec(0u16..256, 80..200),
            entries in prop::collection::vec((0u32..48, 0u32..256), 0..40),
            candidates in prop::collection::vec(0u8.., LANES * TOGETHER),
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let bytes: Vec<u8> = cells.iter().map(|c| *c as u8).collect();
            let entries: Vec<Entry> = entries.into_iter().map(|(offset, index)| Entry { offset, index }).collect();
            let mut asked = [[0; LANES]; TOGETHER];
            for (i, c) in candidates.into_iter().enumerate() {
                asked[i % TOGETHER][i / TOGETHER] = c;
            }
            let at = cells.len() - LANES;
            let mut marks = [[0; LANES]; 4];
            // SAFETY: offsets are below the place, and AVX2 is there.
            let hits = unsafe {
                sweep::<4>(&entries, cells.as_ptr().add(at), &mut marks);
                verify(&entries, bytes.as_ptr().add(at), &asked)
            };
            for lane in 0..LANES {
                for (c, hit) in asked.iter().map(|c| c[lane]).zip(hits.iter().map(|h| h[lane])) {
                    let expected = marks[usize::from(c) / 64][lane] >> (c % 64) & 1 == 1;
                    prop_assert_eq!(hit, if expected { u8::MAX } else { 0 });
                }
            }
        }

        #[test]
        fn sweeps_equal_single_marks(
            cells in prop::collection::vec((0u16..512, 0u32..8), 80..200),
            entries in prop::collection::vec((0u32..48, 0u32..512), 0..40),
            wanted in 0u16..512,
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let cells: Vec<u16> = cells.into_iter().map(|(c, rare)| if rare == 0 { c | RARE } else { c }).collect();
            let entries: Vec<Entry> = entries.into_iter().map(|(offset, index)| Entry { offset, index }).collect();
            check::<1>(&cells, &entries);
            check::<2>(&cells, &entries);
            check::<4>(&cells, &entries);
            check::<8>(&cells, &entries);
            let (a, b) = (&cells[..48], &cells[cells.len() - 48..]);
            // SAFETY: AVX2 is there.
            let found = unsafe { has_xor(a, b, wanted) };
            prop_assert_eq!(found, a.iter().zip(b).any(|(a, b)| a ^ b == wanted));
        }
    }
}
