//! Whole slices of nimbers at once.
//!
//! The fastest way that the machine has is found once a call; what is left over at the end of a slice goes through the same
//! step beside zeros, or one by one if it is little.

use super::{
    basis::{self, Columns, Tables},
    inverse64, product64,
};
#[cfg(target_arch = "x86_64")]
use super::{bits, planes};

/// The nim products of two slices, place by place.
///
/// # Complexity
/// With GFNI and AVX-512 four operations a product, on 64 at once; with AVX2 some 24, on 256 at once; else as [`product64`].
///
/// # Panics
/// If the slices have different lengths.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::products64;
/// let mut out = [0; 3];
/// products64(&[6, 4, 0], &[13, 7, 9], &mut out);
/// assert_eq!(out, [15, 10, 0]);
/// ```
pub fn products64(a: &[u64], b: &[u64], out: &mut [u64]) {
    assert!(a.len() == b.len() && a.len() == out.len(), "slices of different lengths");
    #[cfg(target_arch = "x86_64")]
    try_planes!(products(a, b; out), |[a, b]| product64(a, b));
    products64_without_gfni(a, b, out);
}

/// What [`products64`] does on machines without GFNI, for tests and benchmarks.
///
/// # Panics
/// If the slices have different lengths.
#[doc(hidden)]
pub fn products64_without_gfni(a: &[u64], b: &[u64], out: &mut [u64]) {
    assert!(a.len() == b.len() && a.len() == out.len(), "slices of different lengths");
    #[cfg(target_arch = "x86_64")]
    if bits::available() {
        // SAFETY: what it needs is there.
        let steps = |[a, b]: [&[[u64; bits::STEP]]; 2], out: &mut [_]| unsafe { bits::products(a, b, out) };
        return by_steps([a, b], out, FEW_BITS, steps, |[a, b], out| products_one_by_one(a, b, out));
    }
    products_one_by_one(a, b, out);
}

fn products_one_by_one(a: &[u64], b: &[u64], out: &mut [u64]) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        *out = product64(*a, *b);
    }
}

/// The nim inverses of a slice; 0 has none, and its place holds 0, which is the inverse of nothing.
///
/// # Complexity
/// With GFNI and AVX-512 four operations an inverse, on 64 at once; with AVX2 some 27, on 256 at once; else three products
/// each, and an inverse for every 1024.
///
/// # Panics
/// If the slices have different lengths.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::inverses64;
/// let mut out = [7; 3];
/// inverses64(&[2, 0, 1], &mut out);
/// assert_eq!(out, [3, 0, 1]);
/// ```
pub fn inverses64(a: &[u64], out: &mut [u64]) {
    assert!(a.len() == out.len(), "slices of different lengths");
    #[cfg(target_arch = "x86_64")]
    try_planes!(inverses(a; out), |[a]| inverse64(a).unwrap_or(0));
    inverses64_without_gfni(a, out);
}

/// What [`inverses64`] does on machines without GFNI, for tests and benchmarks.
///
/// # Panics
/// If the slices have different lengths.
#[doc(hidden)]
pub fn inverses64_without_gfni(a: &[u64], out: &mut [u64]) {
    assert!(a.len() == out.len(), "slices of different lengths");
    #[cfg(target_arch = "x86_64")]
    if bits::available() {
        // SAFETY: what it needs is there.
        let steps = |[a]: [&[[u64; bits::STEP]]; 1], out: &mut [_]| unsafe { bits::inverses(a, out) };
        return by_steps([a], out, FEW_BITS, steps, |[a], out| super::polynomial::inverses(a, out));
    }
    super::polynomial::inverses(a, out);
}

/// The nim squares of a slice.
///
/// # Complexity
/// With GFNI and AVX-512 four operations a nimber, on 64 at once; else eight loads.
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// let mut out = [0; 2];
/// grundy::nimfield::squares64(&[2, 16], &mut out);
/// assert_eq!(out, [3, 24]);
/// ```
pub fn squares64(a: &[u64], out: &mut [u64]) {
    images(&SQUARES, a, out);
}

/// The nim square roots of a slice.
///
/// # Complexity
/// That of [`squares64`].
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// let mut out = [0; 2];
/// grundy::nimfield::sqrts64(&[3, 24], &mut out);
/// assert_eq!(out, [2, 16]);
/// ```
pub fn sqrts64(a: &[u64], out: &mut [u64]) {
    images(&SQRTS, a, out);
}

/// The nim products of two slices of bytes, place by place.
///
/// # Complexity
/// With GFNI and AVX-512 four operations for 64 products; else a load for each.
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// let mut out = [0; 2];
/// grundy::nimfield::products8(&[6, 128], &[13, 2], &mut out);
/// assert_eq!(out, [15, 192]);
/// ```
pub fn products8(a: &[u8], b: &[u8], out: &mut [u8]) {
    assert!(a.len() == b.len() && a.len() == out.len(), "slices of different lengths");
    #[cfg(target_arch = "x86_64")]
    try_planes!(products_of_bytes(a, b; out), |[a, b]| super::product8(a, b));
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        *out = super::product8(*a, *b);
    }
}

/// An additive map, in all forms that a way needs.
pub(super) struct Map {
    tables: &'static Tables,
    #[cfg(target_arch = "x86_64")]
    matrix: planes::Matrix,
}

impl Map {
    const fn new(tables: &'static Tables, columns: &Columns) -> Map {
        #[cfg(not(target_arch = "x86_64"))]
        let _ = columns;
        Map {
            tables,
            #[cfg(target_arch = "x86_64")]
            matrix: planes::matrix(columns),
        }
    }
}

static SQUARES: Map = Map::new(&basis::SQUARE, &basis::SQUARE_COLUMNS);
static SQRTS: Map = Map::new(&basis::SQRT, &basis::SQRT_COLUMNS);
pub(super) static TO_POLYNOMIALS: Map = Map::new(&basis::TO_POLYNOMIAL, &basis::TO_POLYNOMIAL_COLUMNS);
pub(super) static TO_NIMBERS: Map = Map::new(&basis::TO_NIM, &basis::POWERS_OF_THE_ROOT);

/// What an additive map makes of a slice.
pub(super) fn images(map: &Map, a: &[u64], out: &mut [u64]) {
    assert!(a.len() == out.len(), "slices of different lengths");
    let one = |[a]: [u64; 1]| basis::apply(map.tables, a);
    #[cfg(target_arch = "x86_64")]
    try_planes!(images(a; out, by &map.matrix), one);
    for (a, out) in a.iter().zip(out) {
        *out = one([*a]);
    }
}

/// So few of a step of byte planes are done one by one.
#[cfg(target_arch = "x86_64")]
const FEW_BYTES: usize = 8;

/// So few of a step of bit planes are done otherwise: about where a whole step takes as long.
#[cfg(target_arch = "x86_64")]
const FEW_BITS: usize = 112;

/// Goes through slices of one length by a step for many at once, and through the last ones by `others` if they are few.
#[cfg(target_arch = "x86_64")]
fn by_steps<const STEP: usize, const N: usize, T: Copy + Default>(
    arguments: [&[T]; N],
    out: &mut [T],
    few: usize,
    steps: impl Fn([&[[T; STEP]]; N], &mut [[T; STEP]]),
    others: impl Fn([&[T]; N], &mut [T]),
) {
    let (whole, rest) = out.as_chunks_mut();
    steps(arguments.map(|a| a.as_chunks().0), whole);
    let rests = arguments.map(|a| a.as_chunks::<STEP>().1);
    if rest.len() <= few {
        others(rests, rest);
    } else {
        let padded = rests.map(|a| {
            let mut step = [T::default(); STEP];
            step[..a.len()].copy_from_slice(a);
            [step]
        });
        let mut found = [[T::default(); STEP]];
        steps(padded.each_ref().map(|a| a.as_slice()), &mut found);
        rest.copy_from_slice(&found[0][..rest.len()]);
    }
}

/// A function of slices by one of single ones.
#[cfg(target_arch = "x86_64")]
fn one_by_one<const N: usize, T: Copy>(one: impl Fn([T; N]) -> T) -> impl Fn([&[T]; N], &mut [T]) {
    move |arguments, out| {
        for (i, out) in out.iter_mut().enumerate() {
            *out = one(arguments.map(|a| a[i]));
        }
    }
}

/// Returns with the work done, if the machine has planes: calls a function of the widest ones.
#[cfg(target_arch = "x86_64")]
macro_rules! try_planes {
    ($function:ident($($argument:ident),*; $out:ident $(, by $map:expr)?), $one:expr) => {
        if planes::avx512::available() {
            let steps = |[$($argument),*]: [&[[_; planes::avx512::STEP]]; _], out: &mut [[_; planes::avx512::STEP]]| {
                // SAFETY: what it needs is there.
                unsafe { planes::avx512::$function($($map,)? $($argument,)* out) }
            };
            return by_steps([$($argument),*], $out, FEW_BYTES, steps, one_by_one($one));
        }
        if planes::avx2::available() {
            let steps = |[$($argument),*]: [&[[_; planes::avx2::STEP]]; _], out: &mut [[_; planes::avx2::STEP]]| {
                // SAFETY: what it needs is there.
                unsafe { planes::avx2::$function($($map,)? $($argument,)* out) }
            };
            return by_steps([$($argument),*], $out, FEW_BYTES, steps, one_by_one($one));
        }
    };
}
#[cfg(target_arch = "x86_64")]
use try_planes;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_and_single_ones_agree(pairs in prop::collection::vec((any::<u64>(), any::<u64>(), 0..9u32), 0..600)) {
            // some zeros among them
            let (a, b): (Vec<u64>, Vec<u64>) =
                pairs.into_iter().map(|(a, b, kind)| (if kind == 0 { 0 } else { a }, b)).unzip();
            let [mut fast, mut plain] = [vec![1; a.len()], vec![2; a.len()]];
            products64(&a, &b, &mut fast);
            products_one_by_one(&a, &b, &mut plain);
            prop_assert_eq!(&fast, &plain);
            fast.fill(0);
            products64_without_gfni(&a, &b, &mut fast);
            prop_assert_eq!(&fast, &plain);
            inverses64(&a, &mut fast);
            super::super::polynomial::inverses(&a, &mut plain);
            prop_assert_eq!(&fast, &plain);
            fast.fill(1);
            inverses64_without_gfni(&a, &mut fast);
            prop_assert_eq!(&fast, &plain);
            for map in [&SQUARES, &SQRTS, &TO_POLYNOMIALS, &TO_NIMBERS] {
                images(map, &a, &mut fast);
                prop_assert!(a.iter().zip(&fast).all(|(a, image)| basis::apply(map.tables, *a) == *image));
            }
        }
    }
}
