//! Nimbers kept in the polynomial basis, where a product is one carryless multiplication and its reduction.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, MulAssign},
};

use super::{
    basis::{TO_NIM, TO_POLYNOMIAL, apply},
    carryless,
    slices::{self, TO_NIMBERS, TO_POLYNOMIALS},
};

/// A nimber below 2^64 in the polynomial basis.
///
/// The sum (xor) is the same in both bases. Who multiplies and adds for long converts once, computes here, and converts the
/// results: a product is about three operations then, and a dot product less than one a term. `==` is that of nimbers.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::NimPoly64;
/// let [a, b, c] = [6, 13, 4].map(NimPoly64::from_nimber);
/// assert_eq!((a * b + c).to_nimber(), 15 ^ 4);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct NimPoly64(u64);

impl NimPoly64 {
    /// *0.
    pub const ZERO: NimPoly64 = NimPoly64(0);
    /// *1.
    pub const ONE: NimPoly64 = NimPoly64(1);

    /// Converts a nimber.
    ///
    /// # Complexity
    /// Eight loads.
    #[inline]
    pub fn from_nimber(a: u64) -> NimPoly64 {
        NimPoly64(apply(&TO_POLYNOMIAL, a))
    }

    /// The nimber.
    ///
    /// # Complexity
    /// Eight loads.
    #[inline]
    pub fn to_nimber(self) -> u64 {
        apply(&TO_NIM, self.0)
    }

    /// The element with these coefficients in GF(2)\[x\] / (x^64 + x^4 + x^3 + x + 1): bit i is that of x^i.
    #[inline]
    pub const fn from_bits(bits: u64) -> NimPoly64 {
        NimPoly64(bits)
    }

    /// The coefficients: bit i is that of x^i.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The product with itself.
    #[inline]
    pub fn square(self) -> NimPoly64 {
        self * self
    }

    /// 1 / self; None for 0.
    ///
    /// # Complexity
    /// That of [`super::inverse64`].
    #[inline]
    pub fn inverse(self) -> Option<NimPoly64> {
        super::inverse::of_polynomial(self.0).map(NimPoly64)
    }

    /// self x self x … x self, k times; 1 for k = 0.
    ///
    /// # Complexity
    /// 42 products.
    #[inline]
    pub fn power(self, k: u64) -> NimPoly64 {
        NimPoly64(super::power::of_polynomial(self.0, k))
    }

    /// The coefficients of many.
    #[inline]
    pub(super) fn words(all: &[NimPoly64]) -> &[u64] {
        // SAFETY: a transparent wrapper has the layout of what it wraps.
        unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), all.len()) }
    }

    /// The coefficients of many.
    #[inline]
    pub(super) fn words_mut(all: &mut [NimPoly64]) -> &mut [u64] {
        // SAFETY: a transparent wrapper has the layout of what it wraps, and any bits are an element.
        unsafe { std::slice::from_raw_parts_mut(all.as_mut_ptr().cast(), all.len()) }
    }
}

impl fmt::Debug for NimPoly64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NimPoly64(nimber {})", self.to_nimber())
    }
}

impl Add for NimPoly64 {
    type Output = NimPoly64;
    /// The nim sum.
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the sum of a field of characteristic 2")]
    fn add(self, other: NimPoly64) -> NimPoly64 {
        NimPoly64(self.0 ^ other.0)
    }
}

impl AddAssign for NimPoly64 {
    #[inline]
    fn add_assign(&mut self, other: NimPoly64) {
        *self = *self + other;
    }
}

impl Mul for NimPoly64 {
    type Output = NimPoly64;
    /// The nim product.
    #[inline]
    fn mul(self, other: NimPoly64) -> NimPoly64 {
        NimPoly64(carryless::product(self.0, other.0))
    }
}

impl MulAssign for NimPoly64 {
    #[inline]
    fn mul_assign(&mut self, other: NimPoly64) {
        *self = *self * other;
    }
}

impl Sum for NimPoly64 {
    fn sum<I: Iterator<Item = NimPoly64>>(all: I) -> NimPoly64 {
        all.fold(NimPoly64::ZERO, |sum, a| sum + a)
    }
}

/// Converts nimbers.
///
/// # Complexity
/// That of [`super::squares64`].
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// use grundy::nimfield::{NimPoly64, to_nimbers, to_polynomials};
/// let (mut there, mut back) = ([NimPoly64::ZERO; 2], [0; 2]);
/// to_polynomials(&[5, 1 << 63], &mut there);
/// to_nimbers(&there, &mut back);
/// assert_eq!(back, [5, 1 << 63]);
/// ```
pub fn to_polynomials(a: &[u64], out: &mut [NimPoly64]) {
    slices::images(&TO_POLYNOMIALS, a, NimPoly64::words_mut(out));
}

/// The nimbers of many elements.
///
/// # Complexity
/// That of [`super::squares64`].
///
/// # Panics
/// If the slices have different lengths.
pub fn to_nimbers(a: &[NimPoly64], out: &mut [u64]) {
    slices::images(&TO_NIMBERS, NimPoly64::words(a), out);
}

/// The inverses of nimbers, 0 for 0, by one inverse for every 1024: the product of all is inverted, and the factors are taken
/// off one by one. Four such chains run side by side, so that no product waits for the one before.
///
/// # Sources
/// `[Mon87]`.
pub(super) fn inverses(a: &[u64], out: &mut [u64]) {
    const BLOCK: usize = 1024;
    const CHAINS: usize = 4;
    let mut before = [NimPoly64::ONE; BLOCK];
    let mut converted = [NimPoly64::ZERO; BLOCK];
    for (a, out) in a.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut product = [NimPoly64::ONE; CHAINS];
        for (i, a) in a.iter().enumerate() {
            // 1 in place of 0
            converted[i] = if *a == 0 { NimPoly64::ONE } else { NimPoly64::from_nimber(*a) };
            before[i] = product[i % CHAINS];
            product[i % CHAINS] *= converted[i];
        }
        let mut left = product.map(|p| p.inverse().unwrap_or(NimPoly64::ONE));
        for i in (0..a.len()).rev() {
            out[i] = if a[i] == 0 { 0 } else { (left[i % CHAINS] * before[i]).to_nimber() };
            left[i % CHAINS] *= converted[i];
        }
    }
}
