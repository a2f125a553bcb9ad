//! Carryless multiplication and the reduction by x^64 + x^4 + x^3 + x + 1: products in the polynomial basis.
//!
//! With PCLMULQDQ a product is three carryless multiplications, two of them for the reduction (x^64 = x^4 + x^3 + x + 1 =
//! 0x1b, twice). The portable twin multiplies integers whose bits stand four apart, so that no carry reaches the next one.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// x^64 in the polynomial basis.
pub(super) const X64: u64 = 0x1b;

/// True if the machine multiplies without carry.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn multiplies() -> bool {
    is_x86_feature_detected!("pclmulqdq")
}

/// a b in the polynomial basis.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
#[inline]
pub(super) fn product_clmul(a: u64, b: u64) -> u64 {
    let ab = _mm_clmulepi64_si128(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64), 0);
    reduce_clmul(ab)
}

/// The rest of 128 bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
#[inline]
pub(super) fn reduce_clmul(ab: __m128i) -> u64 {
    let x64 = _mm_cvtsi64_si128(X64 as i64);
    // at most 68 bits, then at most 8
    let once = _mm_clmulepi64_si128(ab, x64, 0x01);
    let twice = _mm_clmulepi64_si128(once, x64, 0x01);
    _mm_cvtsi128_si64(_mm_xor_si128(_mm_xor_si128(ab, once), twice)) as u64
}

/// All 127 bits of the product of two polynomials.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
#[inline]
pub(super) fn wide_clmul(a: u64, b: u64) -> u128 {
    let ab = _mm_clmulepi64_si128(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64), 0);
    let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(ab, ab)) as u64;
    u128::from(high) << 64 | u128::from(_mm_cvtsi128_si64(ab) as u64)
}

/// The rest of 128 bits, by shifts.
#[inline(always)]
pub(super) const fn reduce(ab: u128) -> u64 {
    let (high, low) = ((ab >> 64) as u64, ab as u64);
    // what x^4 + x^3 + x pushes out at the top comes in again below
    let high = high ^ high >> 63 ^ high >> 61 ^ high >> 60;
    low ^ high ^ high << 1 ^ high << 3 ^ high << 4
}

/// All 63 bits of the product of two polynomials of 32 bits.
#[inline(always)]
const fn wide32(a: u32, b: u32) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let (a, b) = (a as u64, b as u64);
    let mut parts = [0; 4];
    let mut i = 0;
    while i < 4 {
        let mut j = 0;
        while j < 4 {
            // at most eight ones meet at a place: they fit in its four bits
            parts[(i + j) % 4] ^= (a & EVERY_FOURTH << i).wrapping_mul(b & EVERY_FOURTH << j);
            j += 1;
        }
        i += 1;
    }
    let [p, q, r, s] = parts;
    p & EVERY_FOURTH | q & EVERY_FOURTH << 1 | r & EVERY_FOURTH << 2 | s & EVERY_FOURTH << 3
}

/// All 127 bits of the product of two polynomials.
#[inline]
pub(super) const fn wide(a: u64, b: u64) -> u128 {
    let (a1, a0, b1, b0) = ((a >> 32) as u32, a as u32, (b >> 32) as u32, b as u32);
    let (low, high) = (wide32(a0, b0), wide32(a1, b1));
    let across = wide32(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    (high as u128) << 64 ^ (across as u128) << 32 ^ low as u128
}

/// a b in the polynomial basis: the portable twin.
#[inline]
pub(super) const fn product_portable(a: u64, b: u64) -> u64 {
    reduce(wide(a, b))
}

/// a b in the polynomial basis.
#[inline]
pub(super) fn product(a: u64, b: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { product_clmul(a, b) };
    }
    product_portable(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition.
    fn plain(a: u64, b: u64) -> u128 {
        (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(a) << i)
    }

    proptest! {
        #[test]
        fn all_ways_multiply_alike(a: u64, b: u64) {
            let ab = plain(a, b);
            prop_assert_eq!(wide(a, b), ab);
            let mut rest = ab;
            for bit in (64..127).rev() {
                if rest >> bit & 1 == 1 {
                    rest ^= (1u128 << 64 | u128::from(X64)) << (bit - 64);
                }
            }
            prop_assert_eq!(u128::from(product_portable(a, b)), rest);
            #[cfg(target_arch = "x86_64")]
            if multiplies() {
                // SAFETY: what they need is there.
                let found = unsafe { (wide_clmul(a, b), product_clmul(a, b)) };
                prop_assert_eq!(found, (ab, rest as u64));
            }
        }
    }
}
