//! Two hundred and fifty-six products at once, bit by bit: for machines with AVX2 alone.
//!
//! Bit i of 256 nimbers stands in one register, the *plane* i; a product of single bits is then an `and`, and the tower is
//! gone up from there by Karatsuba's rule: M(2h) = 3 M(h) + 4 h + C(h) operations for a product and C(2h) = h + 3 C(h) for one
//! by 2^(h - 1), 4182 for 64 bits. With the three transpositions of 64 x 64 bits it is some 30 operations a product.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower), `[KO62]` (three products in place of four).

use std::arch::x86_64::*;

/// Nimbers that one step takes.
pub(super) const STEP: usize = 256;

/// True if the machine has what the steps need.
#[inline]
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx2")
}

#[target_feature(enable = "avx2")]
#[inline]
fn xor(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}

#[target_feature(enable = "avx2")]
#[inline]
fn top1(_: &mut [__m256i; 1]) {}

#[target_feature(enable = "avx2")]
#[inline]
fn product1(a: &[__m256i; 1], b: &[__m256i; 1], out: &mut [__m256i; 1]) {
    out[0] = _mm256_and_si256(a[0], b[0]);
}

/// Products by the topmost power of two, one step up the tower.
macro_rules! top_step {
    ($top:ident, $bits:literal over $half_top:ident, $half:literal) => {
        /// c = 2^($bits - 1) x c: H c = H'(c0 + c1) F' + H'(H' c1).
        #[target_feature(enable = "avx2")]
        #[inline]
        fn $top(c: &mut [__m256i; $bits]) {
            let mut low: [__m256i; $half] = std::array::from_fn(|i| c[$half + i]);
            let mut high: [__m256i; $half] = std::array::from_fn(|i| xor(c[i], low[i]));
            $half_top(&mut low);
            $half_top(&mut low);
            $half_top(&mut high);
            c[..$half].copy_from_slice(&low);
            c[$half..].copy_from_slice(&high);
        }
    };
}

top_step!(top2, 2 over top1, 1);
top_step!(top4, 4 over top2, 2);
top_step!(top8, 8 over top4, 4);
top_step!(top16, 16 over top8, 8);
top_step!(top32, 32 over top16, 16);

/// Products, one step up the tower.
macro_rules! product_step {
    ($product:ident, $bits:literal over $half_product:ident, $half_top:ident, $half:literal, $inline:meta) => {
        #[target_feature(enable = "avx2")]
        #[$inline]
        fn $product(a: &[__m256i; $bits], b: &[__m256i; $bits], out: &mut [__m256i; $bits]) {
            let none = [_mm256_setzero_si256(); $half];
            let (mut low, mut high, mut across) = (none, none, none);
            let [a0, b0] = [a, b].map(|a| a.first_chunk::<$half>().expect("two halves"));
            let [a1, b1] = [a, b].map(|a| a.last_chunk::<$half>().expect("two halves"));
            $half_product(a0, b0, &mut low);
            $half_product(a1, b1, &mut high);
            let [a, b]: [[__m256i; $half]; 2] =
                [(a0, a1), (b0, b1)].map(|(low, high)| std::array::from_fn(|i| xor(low[i], high[i])));
            $half_product(&a, &b, &mut across);
            $half_top(&mut high);
            for i in 0..$half {
                out[i] = xor(low[i], high[i]);
                out[$half + i] = xor(across[i], low[i]);
            }
        }
    };
}

// Four bits in registers, larger ones by calls: inlined further, they spill.
product_step!(product2, 2 over product1, top1, 1, inline);
product_step!(product4, 4 over product2, top2, 2, inline);
product_step!(product8, 8 over product4, top4, 4, inline(never));
product_step!(product16, 16 over product8, top8, 8, inline(never));
product_step!(product32, 32 over product16, top16, 16, inline(never));
product_step!(product64, 64 over product32, top32, 32, inline(never));

/// Bit i of word r at bit r of word i, in each of the four columns of words.
#[target_feature(enable = "avx2")]
fn transpose(planes: &mut [__m256i; 64]) {
    /// Swaps the upper bits of the words at 0 to $j - 1 of each 2 $j with the lower ones of those behind.
    macro_rules! swap {
        ($j:literal) => {{
            let lower = _mm256_set1_epi64x((u64::MAX / ((1 << $j) + 1)) as i64);
            for block in planes.as_chunks_mut::<{ 2 * $j }>().0 {
                for i in 0..$j {
                    let (a, b) = (block[i], block[i + $j]);
                    let differ = _mm256_and_si256(xor(_mm256_srli_epi64::<$j>(a), b), lower);
                    block[i + $j] = xor(b, differ);
                    block[i] = xor(a, _mm256_slli_epi64::<$j>(differ));
                }
            }
        }};
    }
    swap!(32);
    swap!(16);
    swap!(8);
    swap!(4);
    swap!(2);
    swap!(1);
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(words: &[u64; STEP]) -> [__m256i; 64] {
    let mut planes = [_mm256_setzero_si256(); 64];
    for (plane, words) in planes.iter_mut().zip(words.as_chunks::<4>().0) {
        // SAFETY: four words have as many bytes.
        *plane = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    }
    transpose(&mut planes);
    planes
}

/// The nim products of steps, place by place.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx2")]
pub(super) fn products(a: &[[u64; STEP]], b: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    let mut planes = [_mm256_setzero_si256(); 64];
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        product64(&load(a), &load(b), &mut planes);
        transpose(&mut planes);
        for (plane, words) in planes.iter().zip(out.as_chunks_mut::<4>().0) {
            // SAFETY: as many bytes.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), *plane) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn products_are_those_of_single_ones(
            a in prop::collection::vec(any::<u64>(), STEP),
            b in prop::collection::vec(any::<u64>(), STEP),
            width in 0..64u32,
        ) {
            let (mut a, b): ([u64; STEP], [u64; STEP]) = (a.try_into().unwrap(), b.try_into().unwrap());
            a.iter_mut().step_by(3).for_each(|a| *a >>= width);
            if available() {
                let mut out = [[0; STEP]];
                // SAFETY: what it needs is there.
                unsafe { products(&[a], &[b], &mut out) };
                for i in 0..STEP {
                    prop_assert_eq!(out[0][i], super::super::product64(a[i], b[i]));
                }
            }
        }
    }
}
