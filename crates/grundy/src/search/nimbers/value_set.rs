//! Sets of Grundy values below 64, as bits of a word.

/// Moves every value `v` of `set` to `v ^ by`, `by < 64`.
#[inline]
pub fn shifted(mut set: u64, by: u32) -> u64 {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (i, low) in LOW.iter().enumerate() {
        if by >> i & 1 == 1 {
            set = (set & low) << (1 << i) | (set >> (1 << i)) & low;
        }
    }
    set
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
