//! The inverse of one nimber, down the tower by norms.
//!
//! With a = a1 F + a0 the conjugate of a over the half field is c = a1 F + (a1 + a0) = a + a1, the norm a x c lies below F,
//! and 1 / a = c x 1 / (a x c). Twice so from 64 bits to 16, where a table has all inverses. All products are done in the
//! polynomial basis; only what tells a norm's parts apart is converted.
//!
//! # Sources
//! `[ONAG]` chapter 6.

use std::sync::LazyLock;

use super::{
    basis::{self, TO_NIM, TO_POLYNOMIAL, apply, apply16, apply32},
    carryless,
    sixteen::Sixteen,
};

/// The inverses of the nimbers below 2^16, at the places of their polynomials' lowest 16 bits, which tell them apart.
static INVERSES: LazyLock<Box<[u16; 1 << 16]>> = LazyLock::new(|| {
    let mut inverses: Box<[u16; 1 << 16]> = vec![0; 1 << 16].try_into().expect("as many");
    for a in 1..=u16::MAX {
        inverses[usize::from(apply16(&TO_POLYNOMIAL, a) as u16)] = Sixteen::get().inverse16(a);
    }
    inverses
});

/// The nimber 1 / a; None for 0.
#[inline]
pub(super) fn of_nimber(a: u64) -> Option<u64> {
    if a == 0 {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return Some(unsafe { nimber_clmul(a, &INVERSES) });
    }
    Some(Sixteen::get().inverse64(a))
}

/// The polynomial of 1 / a for that of a; None for 0.
#[inline]
pub(super) fn of_polynomial(polynomial: u64) -> Option<u64> {
    if polynomial == 0 {
        return None;
    }
    let a = apply(&TO_NIM, polynomial);
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return Some(unsafe { polynomial_clmul(a, &INVERSES) });
    }
    Some(apply(&TO_POLYNOMIAL, Sixteen::get().inverse64(a)))
}

/// The nimber 1 / a of the field of 32 bits; None for 0.
#[inline]
pub(super) fn of_nimber32(a: u32) -> Option<u32> {
    if a == 0 {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        let inverse = unsafe { polynomial32_clmul(a, apply32(&TO_POLYNOMIAL, a), &INVERSES) };
        return Some(basis::to_nim32(inverse));
    }
    Some(Sixteen::get().inverse32(a))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn nimber_clmul(a: u64, inverses: &[u16; 1 << 16]) -> u64 {
    apply(&TO_NIM, polynomial_clmul(a, inverses))
}

/// The polynomial of 1 / a for a nimber a.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn polynomial_clmul(a: u64, inverses: &[u16; 1 << 16]) -> u64 {
    let (a1, a0) = ((a >> 32) as u32, a as u32);
    let high = apply(&TO_POLYNOMIAL, a ^ u64::from(a0));
    let (here, conjugate) = (high ^ apply32(&TO_POLYNOMIAL, a0), high ^ apply32(&TO_POLYNOMIAL, a0 ^ a1));
    let norm = carryless::product_clmul(here, conjugate);
    carryless::product_clmul(conjugate, polynomial32_clmul(basis::to_nim32(norm), norm, inverses))
}

/// The polynomial of 1 / a for a nimber a below 2^32 and its polynomial.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn polynomial32_clmul(a: u32, polynomial: u64, inverses: &[u16; 1 << 16]) -> u64 {
    let conjugate = apply32(&TO_POLYNOMIAL, a ^ a >> 16);
    let norm = carryless::product_clmul(polynomial, conjugate);
    let by = inverses[usize::from(norm as u16)];
    carryless::product_clmul(conjugate, apply16(&TO_POLYNOMIAL, by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_two_nimbers_below_2_16_share_their_lowest_bits() {
        let mut seen: Vec<u16> = (0..=u16::MAX).map(|a| apply16(&TO_POLYNOMIAL, a) as u16).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1 << 16);
    }

    proptest! {
        #[test]
        fn both_ways_invert_alike(a: u64, width in 0..64u32) {
            let a = (a >> width).max(1);
            let plain = Sixteen::get().inverse64(a);
            prop_assert_eq!(of_nimber(a), Some(plain));
            prop_assert_eq!(of_nimber32((a as u32).max(1)), Some(Sixteen::get().inverse32((a as u32).max(1))));
            prop_assert_eq!(of_polynomial(apply(&TO_POLYNOMIAL, a)), Some(apply(&TO_POLYNOMIAL, plain)));
        }
    }
}
