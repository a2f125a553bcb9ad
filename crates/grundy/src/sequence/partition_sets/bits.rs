//! Sets of values as bits of words.

use super::BLOCK;

pub(super) fn insert(set: &mut [u64], v: usize) {
    set[v / 64] |= 1 << (v % 64);
}

pub(super) fn contains(set: &[u64], v: usize) -> bool {
    set.get(v / 64).is_some_and(|w| w >> (v % 64) & 1 == 1)
}

/// The least value from `v` on that is missing; all values past the words are.
pub(super) fn next_missing(set: &[u64], v: usize) -> usize {
    let Some(first) = set.get(v / 64) else { return v };
    let rest = !first >> (v % 64);
    if rest != 0 {
        return v + rest.trailing_zeros() as usize;
    }
    let after = set[v / 64 + 1..].iter().take_while(|w| **w == u64::MAX).count();
    let word = v / 64 + 1 + after;
    64 * word + set.get(word).map_or(0, |w| w.trailing_ones() as usize)
}

/// The largest value of a set, -1 if there is none.
pub(super) fn largest_of(set: &[u64]) -> i32 {
    let word = set.iter().rposition(|w| *w != 0);
    word.map_or(-1, |i| (64 * i) as i32 + 63 - set[i].leading_zeros() as i32)
}

pub(super) fn unite(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to |= from;
    }
}

/// Adds {v xor 64 `high`: v in `from`}: words change places.
pub(super) fn unite_moved(to: &mut [u64], from: &[u64], high: usize) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 is there.
        return unsafe { unite_moved_avx2(to, from, high) };
    }
    unite_moved_plain(to, from, high)
}

/// The same, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) fn unite_moved_avx2(to: &mut [u64], from: &[u64], high: usize) {
    unite_moved_plain(to, from, high)
}

#[inline(always)]
pub(super) fn unite_moved_plain(to: &mut [u64], from: &[u64], high: usize) {
    match high % BLOCK {
        0 => unite_blocks::<0>(to, from, high),
        1 => unite_blocks::<1>(to, from, high),
        2 => unite_blocks::<2>(to, from, high),
        3 => unite_blocks::<3>(to, from, high),
        4 => unite_blocks::<4>(to, from, high),
        5 => unite_blocks::<5>(to, from, high),
        6 => unite_blocks::<6>(to, from, high),
        _ => unite_blocks::<7>(to, from, high),
    }
}

#[inline(always)]
pub(super) fn unite_blocks<const LOW: usize>(to: &mut [u64], from: &[u64], high: usize) {
    let to = to.as_chunks_mut::<BLOCK>().0;
    for (i, from) in from.as_chunks::<BLOCK>().0.iter().enumerate() {
        // sets that reach past all xors of known values do not occur
        let Some(to) = to.get_mut(i ^ (high / BLOCK)) else { continue };
        for j in 0..BLOCK {
            to[j] |= from[j ^ LOW];
        }
    }
}
