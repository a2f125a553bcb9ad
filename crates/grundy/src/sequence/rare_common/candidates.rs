//! The first indices of each heap that are still open, as bytes.

use std::arch::x86_64::*;

use super::sweep::{Block, LANES};

/// Candidates of a lane that one pass checks.
pub(super) const PASS: usize = 12;

/// Candidates of a block: the t-th of each lane side by side.
pub(super) type Candidates = [[u8; LANES]; PASS];

/// The first open indices of each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) candidates: Candidates,
    /// For each lane the first open index that is none of them, or the number of all indices.
    pub(super) until: [u32; LANES],
}

/// The first T open indices of each lane, in order; a lane with fewer of them has zeros at its end.
///
/// Open indices are set bits; there are at most 256 of them, and T is at most [`PASS`].
pub(super) fn first_open<const W: usize, const T: usize>(open: &Block<W>) -> Open {
    if compresses() {
        // SAFETY: what it needs is there.
        unsafe { by_compression::<W, T>(open) }
    } else {
        one_by_one::<W, T>(open)
    }
}

/// True if the machine can bring chosen bytes of a register together.
fn compresses() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
}

#[inline(always)]
fn one_by_one<const W: usize, const T: usize>(open: &Block<W>) -> Open {
    let mut all = Open { candidates: [[0; LANES]; PASS], until: [64 * W as u32; LANES] };
    for lane in 0..LANES {
        let mut t = 0;
        'words: for (w, word) in open.iter().enumerate() {
            let mut open = word[lane];
            while open != 0 {
                let index = 64 * w as u32 + open.trailing_zeros();
                if t == T {
                    all.until[lane] = index;
                    break 'words;
                }
                all.candidates[t][lane] = index as u8;
                open &= open - 1;
                t += 1;
            }
        }
    }
    all
}

/// [`first_open`] without a branch for each candidate: about 40 operations a lane.
///
/// # Safety
/// Needs AVX-512 F, BW and VBMI 2.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vbmi2")]
unsafe fn by_compression<const W: usize, const T: usize>(open: &Block<W>) -> Open {
    const ROW: usize = 16;
    const { assert!(T <= PASS && PASS < ROW) }
    let mut until = [64 * W as u32; LANES];
    let mut rows = [[0u8; ROW]; LANES];
    // what one word has too many is written over by the next
    let mut list = [0u8; ROW + 64];
    let all: [u8; 64] = std::array::from_fn(|i| i as u8);
    // SAFETY: 64 bytes are read; 64 bytes are written from at most place 16 on.
    unsafe {
        let all = _mm512_loadu_si512(all.as_ptr().cast());
        for lane in 0..LANES {
            let mut found = 0;
            for (w, word) in open.iter().enumerate() {
                let indices = _mm512_or_si512(all, _mm512_set1_epi8(w.wrapping_mul(64) as i8));
                let indices = _mm512_maskz_compress_epi8(word[lane], indices);
                _mm512_storeu_si512(list.as_mut_ptr().add(found).cast(), indices);
                found = (found + word[lane].count_ones() as usize).min(ROW);
            }
            if found > T {
                until[lane] = list[T].into();
                list[T..ROW].fill(0);
            }
            rows[lane].copy_from_slice(&list[..ROW]);
        }
    }
    let mut candidates = [[0; LANES]; PASS];
    for (half, rows) in rows.as_chunks::<ROW>().0.iter().enumerate() {
        // SAFETY: AVX2 is there.
        let columns = unsafe { transposed(rows) };
        for (row, column) in candidates.iter_mut().zip(columns) {
            row[ROW * half..][..ROW].copy_from_slice(&column);
        }
    }
    Open { candidates, until }
}

/// Byte i of row j at byte j of row i.
///
/// # Safety
/// Needs AVX2.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn transposed(rows: &[[u8; 16]; 16]) -> [[u8; 16]; 16] {
    // SAFETY: each row has 16 bytes.
    let mut rows = rows.map(|row| unsafe { _mm_loadu_si128(row.as_ptr().cast()) });
    // four times what stands in rows i and i + 8 is interleaved
    for _ in 0..4 {
        let before = rows;
        for i in 0..8 {
            rows[2 * i] = _mm_unpacklo_epi8(before[i], before[i + 8]);
            rows[2 * i + 1] = _mm_unpackhi_epi8(before[i], before[i + 8]);
        }
    }
    rows.map(|row| {
        let mut bytes = [0; 16];
        // SAFETY: as many bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), row) };
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize, const T: usize>(open: &Block<W>) {
        let found = one_by_one::<W, T>(open);
        for lane in 0..LANES {
            let words = open.map(|word| word[lane]);
            let indices: Vec<usize> = (0..64 * W).filter(|i| words[i / 64] >> (i % 64) & 1 == 1).collect();
            assert_eq!(found.until[lane] as usize, indices.get(T).copied().unwrap_or(64 * W));
            for t in 0..PASS {
                let expected = if t < T { indices.get(t).copied().unwrap_or(0) } else { 0 };
                assert_eq!(usize::from(found.candidates[t][lane]), expected, "candidate {t} of lane {lane}");
            }
        }
        if compresses() {
            // SAFETY: what it needs is there.
            assert_eq!(unsafe { by_compression::<W, T>(open) }, found);
        }
    }

    proptest! {
        #[test]
        fn both_ways_find_the_first_open_indices(words in prop::collection::vec((any::<u64>(), any::<u64>(), 0u8..5), 4 * LANES)) {
            // lanes with many open indices, few and none
            let word = |(a, b, kind): (u64, u64, u8)| match kind {
                0 => a,
                1 => a & b,
                2 => 1 << (a % 64) | 1 << (b % 64),
                3 => u64::MAX,
                _ => 0,
            };
            let open: Block<4> = std::array::from_fn(|w| std::array::from_fn(|lane| word(words[w * LANES + lane])));
            check::<4, PASS>(&open);
            check::<4, 8>(&open);
            check::<2, PASS>(&[open[0], open[3]]);
            check::<1, 8>(&[open[2]]);
        }
    }
}
