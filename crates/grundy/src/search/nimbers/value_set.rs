//! Sets of Grundy values below 64, as bits of a word.

use grundy_core::theory::nim::xor_bits;

/// Moves every value `v` of `set` to `v ^ by`, `by < 64`.
#[inline]
pub fn shifted(set: u64, by: u32) -> u64 {
    xor_bits(set, by.into())
}

/// The values `0..=top`, `top < 64`.
#[inline]
pub fn up_to(top: u32) -> u64 {
    !0 >> (63 - top)
}

/// The largest value of a set that is not empty.
#[inline]
pub fn largest(set: u64) -> u32 {
    63 - set.leading_zeros()
}
