//! Nim arithmetic at the speed of the machine.
//!
//! The nimbers below 2^64 are a field with the xor for its sum. Products, squares, roots, inverses, powers and logarithms of
//! single nimbers are functions here ([`product64`] and its neighbours); [`products64`] and its neighbours do the same for
//! whole slices.
//!
//! # Sources
//! `[ONAG]` chapter 6.

mod basis;
mod carryless;
mod sixteen;
mod slices;

pub use slices::products64;

use basis::{TO_NIM, TO_POLYNOMIAL, apply};
use sixteen::Sixteen;

/// The nim product a x b of nimbers below 2^64.
///
/// # Complexity
/// With PCLMULQDQ 24 loads from 32 KB of tables and three carryless multiplications; without, 9 products by logarithms.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::product64;
/// assert_eq!(product64(6, 13), 15);
/// assert_eq!(product64(u64::MAX, u64::MAX - 2), 14554159489527431842);
/// ```
#[inline]
pub fn product64(a: u64, b: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { product64_clmul(a, b) };
    }
    Sixteen::get().product64(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn product64_clmul(a: u64, b: u64) -> u64 {
    let (a, b) = (apply(&TO_POLYNOMIAL, a), apply(&TO_POLYNOMIAL, b));
    apply(&TO_NIM, carryless::product_clmul(a, b))
}
