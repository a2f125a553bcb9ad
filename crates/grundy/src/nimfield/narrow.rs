//! Nimbers of 8, 16 and 32 bits.

use super::{
    basis::{self, SQRT, SQUARE, TO_POLYNOMIAL, apply16, apply32},
    carryless, inverse,
    sixteen::Sixteen,
};

/// All powers of 0x12 are all nimbers below 2^8 but 0.
const GENERATOR: u64 = 0x12;

/// The logarithm of 0: beyond the sum of two others.
const LOG_OF_ZERO: u16 = 512;

/// Logarithms, and powers twice with zeros behind: 1.5 KB.
struct Eight {
    log: [u16; 256],
    power: [u8; 1025],
}

static EIGHT: Eight = {
    let mut eight = Eight { log: [LOG_OF_ZERO; 256], power: [0; 1025] };
    let (mut a, mut k) = (1, 0);
    while k < 510 {
        if k < 255 {
            eight.log[a as usize] = k as u16;
        }
        eight.power[k] = a as u8;
        a = basis::product(a, GENERATOR, 8);
        k += 1;
    }
    eight
};

/// The nim product of nimbers below 2^8.
///
/// # Complexity
/// Three loads.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::product8(128, 2), 192);
/// ```
#[inline]
pub fn product8(a: u8, b: u8) -> u8 {
    EIGHT.power[usize::from(EIGHT.log[usize::from(a)] + EIGHT.log[usize::from(b)])]
}

/// The nim inverse of a nimber below 2^8; None for 0.
///
/// # Complexity
/// Two loads.
///
/// # Examples
/// ```
/// use grundy::nimfield::inverse8;
/// assert_eq!((inverse8(2), inverse8(0)), (Some(3), None));
/// ```
#[inline]
pub fn inverse8(a: u8) -> Option<u8> {
    (a != 0).then(|| EIGHT.power[usize::from(255 - EIGHT.log[usize::from(a)])])
}

/// The nim square of a nimber below 2^8.
#[inline]
pub fn square8(a: u8) -> u8 {
    SQUARE[0][usize::from(a)] as u8
}

/// The nim square root of a nimber below 2^8.
#[inline]
pub fn sqrt8(a: u8) -> u8 {
    SQRT[0][usize::from(a)] as u8
}

/// The nim product of nimbers below 2^16.
///
/// # Complexity
/// Three loads from tables of 768 KB, made at the first call.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::product16(256, 256), 384);
/// ```
#[inline]
pub fn product16(a: u16, b: u16) -> u16 {
    Sixteen::get().product16(a, b)
}

/// The nim inverse of a nimber below 2^16; None for 0.
///
/// # Complexity
/// That of [`product16`].
#[inline]
pub fn inverse16(a: u16) -> Option<u16> {
    (a != 0).then(|| Sixteen::get().inverse16(a))
}

/// The nim square of a nimber below 2^16.
#[inline]
pub fn square16(a: u16) -> u16 {
    apply16(&SQUARE, a) as u16
}

/// The nim square root of a nimber below 2^16.
#[inline]
pub fn sqrt16(a: u16) -> u16 {
    apply16(&SQRT, a) as u16
}

/// The nim product of nimbers below 2^32.
///
/// # Complexity
/// With PCLMULQDQ 12 loads from 12 KB of tables and three carryless multiplications; without, three products by logarithms.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::product32(65536, 65536), 98304);
/// ```
#[inline]
pub fn product32(a: u32, b: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { product32_clmul(a, b) };
    }
    Sixteen::get().product32(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn product32_clmul(a: u32, b: u32) -> u32 {
    basis::to_nim32(carryless::product_clmul(apply32(&TO_POLYNOMIAL, a), apply32(&TO_POLYNOMIAL, b)))
}

/// The nim inverse of a nimber below 2^32; None for 0.
///
/// # Complexity
/// With PCLMULQDQ three products of the polynomial basis; without, six products by logarithms.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::inverse32(u32::MAX - 4), Some(4147990372));
/// ```
#[inline]
pub fn inverse32(a: u32) -> Option<u32> {
    inverse::of_nimber32(a)
}

/// The nim square of a nimber below 2^32.
#[inline]
pub fn square32(a: u32) -> u32 {
    apply32(&SQUARE, a) as u32
}

/// The nim square root of a nimber below 2^32.
#[inline]
pub fn sqrt32(a: u32) -> u32 {
    apply32(&SQRT, a) as u32
}
