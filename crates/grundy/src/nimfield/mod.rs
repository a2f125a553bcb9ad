//! Nim arithmetic at the speed of the machine.
//!
//! The nimbers below 2^64 are a field with the xor for its sum. Products, squares, roots, inverses, powers and logarithms of
//! single nimbers are functions here ([`product64`] and its neighbours); [`products64`], [`inverses64`], [`squares64`] and
//! [`sqrts64`] do the same for whole slices. Who computes for long keeps elements in the polynomial basis ([`NimPoly64`]) and
//! finds dot products and polynomials over the nimbers in [`kernels`]. There are the widths of 8, 16, 32 and 128 bits too,
//! and any other in [`wide`]. Everything is tested equal to `grundy_core::theory::nim_product`, which is the definition.
//!
//! # Which way is taken
//!
//! The machine is asked at run time (the answer is one load afterwards), once a call.
//!
//! | what | with | way |
//! |---|---|---|
//! | one product, inverse, power | PCLMULQDQ | to the polynomial basis by tables, one carryless multiplication, and back |
//! | | else | logarithms in the field of 16 bits, Karatsuba's rule above |
//! | slices | GFNI and AVX-512 or AVX2 | byte planes of 64 or 32 nimbers, the tower over the field of bytes |
//! | | AVX2 | products and inverses by bit planes of 256 nimbers, also for a rest of 113 and more; fewer as below |
//! | | else | one by one; inverses by one for many |
//! | polynomial basis | VPCLMULQDQ and AVX-512 | eight elements at once |
//! | | PCLMULQDQ | one at a time |
//! | | else | integer multiplications of bits four apart |
//!
//! # How far from the limit
//!
//! Against the plain way of contest libraries (logarithms of 16 bits and Karatsuba's rule, its tables at hand), in one run of
//! `cargo bench -p grundy-bench --bench nimfield` on a Sapphire Rapids core; other machines have other ratios.
//! On the same core with AVX-512 left unused: [`products64`] 13, [`inverses64`] 25, [`squares64`] 12, [`kernels::dot`] 22; with
//! GFNI left unused as well (the bench has rows for both ways by bit planes): 4.8, 8.7, 7 and 22. That product is 24 vector
//! operations, three a cycle: 1.3 times that bound; of a slice of 256 alone the ratio is 4.6.
//!
//! | operation | ratio | cost, and what bounds it |
//! |---|---|---|
//! | [`product64`] | 2.2 | 24 loads, 3 multiplications and some 75 operations in all, six a cycle: about 1.5 times that bound |
//! | [`products64`] | 18 | four vector operations a product, two a cycle: 1.2 times that bound |
//! | [`inverse64`] | 2.0 | 33 loads and 4 multiplications with reductions, each after the other |
//! | [`inverses64`] | 37 | as [`products64`]: the tower's norms end in an inverse of bytes that GFNI has |
//! | [`squares64`], [`sqrts64`] | 16 | 64 maps of bytes for 64 nimbers, one a cycle, and two transpositions |
//! | [`power64`] | 15 | 42 products of the polynomial basis, each after the other |
//! | [`LogBase64::log`] | 58 | (against steps of two sizes over the standard library's hash tables) 30 products each after the other, and tables of 1 MB: half a microsecond when they are in the cache, one when not |
//! | [`kernels::dot`] | 138 | two multiplications for eight terms, one a cycle: 1.1 to 1.3 times that bound |
//! | [`kernels::products`] | 34 | 14 operations for eight products, two a cycle: 1.5 times that bound |
//! | [`kernels::value_at`] | 77 | as [`kernels::products`] |
//! | [`kernels::convolution`] | 156 | (1024 by 1024 coefficients, against term by term) Karatsuba's rule down to 32 terms; half of the time are those, a fifth sums |
//! | [`products8`] | 43 | four operations for 64 products |
//! | [`product32`] | 1.4 | 12 loads and three multiplications |
//! | [`product128`] | 2.1 | 48 loads and four products of the polynomial basis |
//! | [`wide::product`], 4096 bits | 11 | 2187 products of the polynomial basis, one at a time |
//!
//! # Sources
//! `[ONAG]` chapter 6 (the field and its tower), `[KO62]` (three products in place of four), `[PH78]` and `[Sha71]`
//! (logarithms), `[Str64]` (powers), `[Mon87]` (one inverse for many).

// what only the forms for one machine use stands idle on others
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_imports))]

mod basis;
#[cfg(target_arch = "x86_64")]
mod bits;
mod carryless;
mod inverse;
pub mod kernels;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod log;
mod narrow;
#[cfg(target_arch = "x86_64")]
mod planes;
mod polynomial;
mod power;
mod sixteen;
mod slices;
pub mod wide;

pub use log::{LogBase64, is_primitive64, log64, order64};
pub use narrow::{
    inverse8, inverse16, inverse32, product8, product16, product32, sqrt8, sqrt16, sqrt32, square8, square16, square32,
};
pub use polynomial::{NimPoly64, to_nimbers, to_polynomials};
pub use slices::{inverses64, products8, products64, sqrts64, squares64};
#[doc(hidden)]
pub use slices::{inverses64_without_gfni, products64_without_gfni};
pub use wide::{half_solution128, inverse128, product128, sqrt128, square128};

use grundy_core::theory::nim_split::NimField;

use basis::{HALF_SOLUTION, SQRT, SQUARE, TO_NIM, TO_POLYNOMIAL, apply};
use sixteen::Sixteen;

/// The field of 64-bit nimbers by these functions, for algorithms that are written for any implementation of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastField;

impl NimField for FastField {
    fn product(&self, a: u64, b: u64) -> u64 {
        product64(a, b)
    }

    fn inverse(&self, a: u64) -> Option<u64> {
        inverse64(a)
    }

    fn sqrt(&self, a: u64) -> u64 {
        sqrt64(a)
    }

    fn half_solution(&self, a: u64) -> Option<u64> {
        half_solution64(a)
    }
}

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

/// The nim square a x a, which is additive in a.
///
/// # Complexity
/// Eight loads from 16 KB of tables.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::square64(1 << 32), (1 << 32) + (1 << 31));
/// ```
#[inline]
pub fn square64(a: u64) -> u64 {
    apply(&SQUARE, a)
}

/// The one b with b x b = a.
///
/// # Complexity
/// Eight loads from 16 KB of tables.
///
/// # Examples
/// ```
/// use grundy::nimfield::{sqrt64, square64};
/// assert_eq!(square64(sqrt64(123_456_789)), 123_456_789);
/// ```
#[inline]
pub fn sqrt64(a: u64) -> u64 {
    apply(&SQRT, a)
}

/// The one b with a x b = 1; None for 0.
///
/// # Complexity
/// With PCLMULQDQ four products of the polynomial basis and 33 loads; without, 30 products by logarithms.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::{inverse64, product64};
/// assert_eq!(inverse64(0), None);
/// assert_eq!(product64(inverse64(1 << 63).unwrap(), 1 << 63), 1);
/// ```
#[inline]
pub fn inverse64(a: u64) -> Option<u64> {
    inverse::of_nimber(a)
}

/// The one c with b x c = a; None for b = 0.
///
/// # Complexity
/// An inverse and a product.
///
/// # Examples
/// ```
/// use grundy::nimfield::divide64;
/// assert_eq!((divide64(15, 13), divide64(0, 0)), (Some(6), None));
/// ```
#[inline]
pub fn divide64(a: u64, b: u64) -> Option<u64> {
    Some(product64(a, inverse64(b)?))
}

/// a x a x … x a, k times; 1 for k = 0.
///
/// # Complexity
/// 43 products of the polynomial basis.
///
/// # Examples
/// ```
/// use grundy::nimfield::power64;
/// assert_eq!((power64(2, 3), power64(0, 0), power64(7, u64::MAX)), (1, 1, 1));
/// ```
pub fn power64(a: u64, k: u64) -> u64 {
    NimPoly64::from_nimber(a).power(k).to_nimber()
}

/// The even x below 2^64 with x x x + x = a, the other solution being x + 1; None for an a of 2^63 or more, whose solutions
/// lie between 2^64 and 2^65.
///
/// # Complexity
/// Eight loads from 16 KB of tables.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::half_solution64;
/// assert_eq!((half_solution64(1), half_solution64(1 << 63)), (Some(2), None));
/// ```
#[inline]
pub fn half_solution64(a: u64) -> Option<u64> {
    (a >> 63 == 0).then(|| apply(&HALF_SOLUTION, a))
}
