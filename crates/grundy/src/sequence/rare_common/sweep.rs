//! Marks of many entries on neighbouring heaps, as bits of registers.

use std::arch::{asm, x86_64::*};

use super::candidates::Candidates;

/// Heaps of a block.
pub(super) const LANES: usize = 32;

/// Bit of a cell for a rare heap; the index stands below.
pub(super) const RARE: u16 = 0x8000;

/// Bit of a byte for a rare heap, where indices leave room for it.
pub(super) const RARE_BYTE: u8 = 0x80;

/// A heap of known index, met at `offset` before the heap in question: its own size and the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) offset: u32,
    pub(super) index: u32,
}

/// True if the machine has the operations of AVX-512 that [`sweep_bytes`] can use.
pub(super) fn has_512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl")
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

/// [`sweep`] over bytes, for indices up to `largest`: bytes with `RARE_BYTE` if it is below 128, else of common heaps only.
///
/// Eight indices are a plane of one byte a heap, a bit an index. Shuffles look up the bit of 32 heaps by the low four bits
/// of their indices, a comparison of the high bits tells which two of the planes it belongs to: 5 operations for 16 indices
/// of 32 heaps, 3 with AVX-512, which has an operation for both the and and the or; shifts take 40 for 64 indices.
///
/// # Safety
/// Needs AVX2, and AVX-512 VL if `has_512`; for every entry `LANES` bytes from `at - offset` on must be readable.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn sweep_bytes<const W: usize>(
    entries: &[Entry],
    at: *const u8,
    marks: &mut Block<W>,
    largest: usize,
    has_512: bool,
) {
    let sixteens = largest / 16 + 1;
    // as many planes at once as there are registers
    let together = if has_512 { 8 } else { 4 };
    for (i, marks) in marks.chunks_mut(together / 4).enumerate() {
        let first = together * i;
        if first >= sixteens {
            break;
        }
        // SAFETY: by contract.
        unsafe {
            match ((sixteens - first).min(together), has_512) {
                (1, _) if first == 0 => planes::<0>(entries, at, marks, first),
                (1, false) => planes::<1>(entries, at, marks, first),
                (2, false) => planes::<2>(entries, at, marks, first),
                (3, false) => planes::<3>(entries, at, marks, first),
                (_, false) => planes::<4>(entries, at, marks, first),
                (1, true) => planes_512::<1>(entries, at, marks, first),
                (2, true) => planes_512::<2>(entries, at, marks, first),
                (3, true) => planes_512::<3>(entries, at, marks, first),
                (4, true) => planes_512::<4>(entries, at, marks, first),
                (5, true) => planes_512::<5>(entries, at, marks, first),
                (6, true) => planes_512::<6>(entries, at, marks, first),
                (7, true) => planes_512::<7>(entries, at, marks, first),
                (_, true) => planes_512::<8>(entries, at, marks, first),
            }
        }
    }
}

/// [`mark_planes`] with 32 registers.
///
/// # Safety
/// As [`sweep_bytes`], with AVX-512 VL.
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
unsafe fn planes_512<const Q: usize>(entries: &[Entry], at: *const u8, marks: &mut [[u64; LANES]], first: usize) {
    // SAFETY: by contract.
    unsafe { mark_planes::<Q>(entries, at, marks, first) }
}

/// [`mark_planes`] with 16 registers.
///
/// # Safety
/// As [`sweep_bytes`].
#[target_feature(enable = "avx2")]
unsafe fn planes<const Q: usize>(entries: &[Entry], at: *const u8, marks: &mut [[u64; LANES]], first: usize) {
    // SAFETY: by contract.
    unsafe { mark_planes::<Q>(entries, at, marks, first) }
}

/// Marks the indices of the Q sixteens from the `first` on; Q = 0 stands for one that is all there is.
///
/// # Safety
/// As [`sweep_bytes`].
#[inline(always)]
unsafe fn mark_planes<const Q: usize>(entries: &[Entry], at: *const u8, marks: &mut [[u64; LANES]], first: usize) {
    const BITS: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: by contract.
    unsafe {
        let low = _mm256_broadcastsi128_si256(_mm_set_epi64x(0, BITS));
        let high = _mm256_broadcastsi128_si256(_mm_set_epi64x(BITS, 0));
        let nibble = _mm256_set1_epi8(15);
        let mut planes = [_mm256_setzero_si256(); 16];
        for e in entries {
            let partners = _mm256_loadu_si256(at.sub(e.offset as usize).cast());
            let indices = _mm256_xor_si256(partners, _mm256_set1_epi8(e.index as i8));
            if Q == 0 {
                // bit 7 gives nothing
                planes[0] = _mm256_or_si256(planes[0], _mm256_shuffle_epi8(low, indices));
                planes[1] = _mm256_or_si256(planes[1], _mm256_shuffle_epi8(high, indices));
                continue;
            }
            let below = _mm256_and_si256(indices, nibble);
            let above = _mm256_andnot_si256(nibble, indices);
            let bits = [_mm256_shuffle_epi8(low, below), _mm256_shuffle_epi8(high, below)];
            for q in 0..Q {
                let here = _mm256_cmpeq_epi8(above, _mm256_set1_epi8((16 * (first + q)) as i8));
                for (i, bits) in bits.into_iter().enumerate() {
                    planes[2 * q + i] = _mm256_or_si256(planes[2 * q + i], _mm256_and_si256(bits, here));
                }
            }
        }
        for (marks, planes) in marks.iter_mut().zip(planes.as_chunks().0) {
            add_words(planes, marks);
        }
    }
}

/// Adds to `marks` the words that eight planes side by side are.
///
/// # Safety
/// Needs AVX2.
#[inline(always)]
unsafe fn add_words(planes: &[__m256i; 8], marks: &mut [u64; LANES]) {
    let [a, b, c, d, e, f, g, h] = *planes;
    // SAFETY: by contract; four words are read and written.
    unsafe {
        let bytes = |x, y| [_mm256_unpacklo_epi8(x, y), _mm256_unpackhi_epi8(x, y)];
        let (ab, cd, ef, gh) = (bytes(a, b), bytes(c, d), bytes(e, f), bytes(g, h));
        for half in 0..2 {
            let (low, high) = (ab[half], cd[half]);
            let front = [_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high)];
            let (low, high) = (ef[half], gh[half]);
            let back = [_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high)];
            for quarter in 0..2 {
                // heaps i, i + 1, 16 + i, 17 + i and i + 2, i + 3, 18 + i, 19 + i
                let low = _mm256_unpacklo_epi32(front[quarter], back[quarter]);
                let high = _mm256_unpackhi_epi32(front[quarter], back[quarter]);
                let i = 8 * half + 4 * quarter;
                let near = _mm256_permute2x128_si256::<0x20>(low, high);
                let far = _mm256_permute2x128_si256::<0x31>(low, high);
                for (lane, words) in [(i, near), (16 + i, far)] {
                    let out = &mut marks[lane..lane + 4];
                    let before = _mm256_loadu_si256(out.as_ptr().cast());
                    _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_or_si256(before, words));
                }
            }
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

/// [`shift_left`] to the right.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn shift_right(words: __m256i, counts: __m256i) -> __m256i {
    let shifted;
    // SAFETY: one AVX2 instruction on registers.
    unsafe {
        asm!("vpsrlvq {0}, {1}, {2}", lateout(ymm_reg) shifted, in(ymm_reg) words, in(ymm_reg) counts,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// Number of heaps for which the index that an entry gives with their partners is among the wanted ones: word w of heap i
/// at \[w\]\[i\]. The heaps are a multiple of four, and there are as many partners.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn count_wanted(partners: &[u16], index: u32, wanted: &[Vec<u64>]) -> u64 {
    let heaps = wanted.first().map_or(0, Vec::len).min(partners.len());
    let index = _mm_set1_epi16(index as i16);
    let mut count = _mm256_setzero_si256();
    for i in (0..heaps / 4 * 4).step_by(4) {
        let mut hit = _mm256_setzero_si256();
        // SAFETY: four cells and four words from `i` on are within their bounds.
        unsafe {
            let four = _mm_loadl_epi64(partners.as_ptr().add(i).cast());
            let indices = _mm256_cvtepu16_epi64(_mm_xor_si128(four, index));
            for (w, words) in wanted.iter().enumerate() {
                let words = _mm256_loadu_si256(words[i..i + 4].as_ptr().cast());
                let counts = _mm256_sub_epi64(indices, _mm256_set1_epi64x(64 * w as i64));
                hit = _mm256_or_si256(hit, shift_right(words, counts));
            }
        }
        count = _mm256_add_epi64(count, _mm256_and_si256(hit, _mm256_set1_epi64x(1)));
    }
    let mut counts = [0u64; 4];
    // SAFETY: four words.
    unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), count) };
    counts.iter().sum()
}

/// For each lane which of the first T candidates the entries give with their partners, the t-th as bit t. Cells hold
/// indices only.
///
/// # Safety
/// Needs AVX2; for every entry `LANES` cells from `at - offset` on must be readable.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn verify<const T: usize>(entries: &[Entry], at: *const u8, candidates: &Candidates) -> [u16; LANES] {
    let mut hits = [_mm256_setzero_si256(); T];
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
    let mut bits = [_mm256_setzero_si256(); 2];
    for (t, hit) in hits.into_iter().enumerate() {
        let bit = _mm256_set1_epi8(1u8.wrapping_shl(t as u32 % 8) as i8);
        bits[t / 8] = _mm256_or_si256(bits[t / 8], _mm256_and_si256(hit, bit));
    }
    let mut rows = [[0u8; LANES]; 2];
    for (row, bits) in rows.iter_mut().zip(bits) {
        // SAFETY: a row holds 32 bytes.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), bits) };
    }
    std::array::from_fn(|lane| u16::from_le_bytes([rows[0][lane], rows[1][lane]]))
}

/// Bytes that are searched at once.
pub(super) const MANY: usize = 128;

/// True if `a[j] ^ b[j] == wanted` for some j.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn has_xor_of_bytes(a: &[u8; MANY], b: &[u8; MANY], wanted: u8) -> bool {
    let wanted = _mm256_set1_epi8(wanted as i8);
    let mut hits = _mm256_setzero_si256();
    for i in (0..MANY).step_by(32) {
        // SAFETY: 32 bytes from `i` on are within both.
        unsafe {
            let a = _mm256_loadu_si256(a.as_ptr().add(i).cast());
            let b = _mm256_loadu_si256(b.as_ptr().add(i).cast());
            hits = _mm256_or_si256(hits, _mm256_cmpeq_epi8(_mm256_xor_si256(a, b), wanted));
        }
    }
    _mm256_movemask_epi8(hits) != 0
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
    use super::super::candidates::PASS;
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

    /// Bytes of indices up to each largest one are swept as cells are.
    fn check_bytes<const W: usize>(cells: &[u16], entries: &[Entry]) {
        let at = cells.len() - LANES;
        for largest in (15..64 * W).step_by(16) {
            let below = (largest as u16 + 1).next_power_of_two();
            // bytes of rare heaps are as those of common ones where indices take all bits
            let kept = if below <= 128 { RARE | (below - 1) } else { below - 1 };
            let cells: Vec<u16> = cells.iter().map(|c| c & kept).collect();
            let index = |e: &Entry| Entry { index: e.index & u32::from(below - 1), ..*e };
            let entries: Vec<Entry> = entries.iter().map(index).collect();
            let bytes: Vec<u8> = cells.iter().map(|c| *c as u8 | if c & RARE == 0 { 0 } else { RARE_BYTE }).collect();
            let mut expected = [[0; LANES]; W];
            // SAFETY: offsets are at most `at`, and the caller has looked for AVX2.
            unsafe { sweep::<W>(&entries, cells.as_ptr().add(at), &mut expected) };
            for has_512 in [false, has_512()] {
                let mut marks = [[0; LANES]; W];
                // SAFETY: as before.
                unsafe {
                    let at = bytes.as_ptr().add(at);
                    sweep_bytes::<W>(&entries, at, &mut marks, usize::from(below - 1), has_512);
                }
                assert_eq!(marks, expected, "{below} {has_512}");
            }
        }
    }

    proptest! {
        #[test]
        fn verifies_as_it_sweeps(
            cells in prop::collection::vec(0u16..256, 80..200),
            entries in prop::collection::vec((0u32..48, 0u32..256), 0..40),
            candidates in prop::collection::vec(0u8.., LANES * PASS),
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let bytes: Vec<u8> = cells.iter().map(|c| *c as u8).collect();
            let entries: Vec<Entry> = entries.into_iter().map(|(offset, index)| Entry { offset, index }).collect();
            let mut asked = [[0; LANES]; PASS];
            for (i, c) in candidates.into_iter().enumerate() {
                asked[i % PASS][i / PASS] = c;
            }
            let at = cells.len() - LANES;
            let mut marks = [[0; LANES]; 4];
            // SAFETY: offsets are below the place, and AVX2 is there.
            let hits = unsafe {
                sweep::<4>(&entries, cells.as_ptr().add(at), &mut marks);
                (verify::<PASS>(&entries, bytes.as_ptr().add(at), &asked), verify::<8>(&entries, bytes.as_ptr().add(at), &asked))
            };
            for lane in 0..LANES {
                for (t, c) in asked.iter().map(|c| c[lane]).enumerate() {
                    let expected = marks[usize::from(c) / 64][lane] >> (c % 64) & 1;
                    prop_assert_eq!(u64::from(hits.0[lane] >> t & 1), expected);
                    prop_assert_eq!(u64::from(hits.1[lane] >> t & 1), if t < 8 { expected } else { 0 });
                }
            }
        }

        #[test]
        fn wanted_indices_are_counted(
            partners in prop::collection::vec((0u16..256, 0u32..8), 64),
            index in 0u32..256,
            words in prop::collection::vec(any::<u64>(), 256),
            width in 1usize..5,
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let partners: Vec<u16> = partners.into_iter().map(|(c, rare)| if rare == 0 { c | RARE } else { c }).collect();
            let wanted: Vec<Vec<u64>> = words.chunks(64).take(width).map(<[u64]>::to_vec).collect();
            let is_wanted = |(i, p): (usize, &u16)| {
                let index = usize::from(*p) ^ index as usize;
                wanted.get(index / 64).is_some_and(|w| w[i] >> (index % 64) & 1 == 1)
            };
            let expected = partners.iter().enumerate().filter(|p| is_wanted(*p)).count();
            // SAFETY: AVX2 is there.
            prop_assert_eq!(unsafe { count_wanted(&partners, index, &wanted) }, expected as u64);
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
            check_bytes::<1>(&cells, &entries);
            check_bytes::<2>(&cells, &entries);
            check_bytes::<4>(&cells, &entries);
            check::<4>(&cells, &entries);
            check::<8>(&cells, &entries);
            let (a, b) = (&cells[..48], &cells[cells.len() - 48..]);
            // SAFETY: AVX2 is there.
            let found = unsafe { has_xor(a, b, wanted) };
            prop_assert_eq!(found, a.iter().zip(b).any(|(a, b)| a ^ b == wanted));
            let bytes: Vec<u8> = cells.iter().map(|c| *c as u8).collect();
            if let (Some(a), Some(b)) = (bytes.first_chunk(), bytes.last_chunk()) {
                // SAFETY: AVX2 is there.
                let found = unsafe { has_xor_of_bytes(a, b, wanted as u8) };
                prop_assert_eq!(found, a.iter().zip(b).any(|(a, b)| a ^ b == wanted as u8));
            }
        }
    }
}
