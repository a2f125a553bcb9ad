//! Sums of products, and polynomials over the nimbers, in the polynomial basis.
//!
//! Slices of [`NimPoly64`] stand for vectors, or for polynomials with the coefficient of x^0 first. Every function has three
//! forms that are tested equal: eight elements at once with VPCLMULQDQ and AVX-512, one at a time with PCLMULQDQ, and without.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the field), `[KO62]` (products of polynomials).

#[cfg(target_arch = "x86_64")]
use super::lanes;
use super::{carryless, polynomial::NimPoly64};

/// The sum of a\[i\] x b\[i\].
///
/// # Complexity
/// A multiplication a term (for eight at once two), and one reduction in all.
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// use grundy::nimfield::{NimPoly64, kernels::dot};
/// let [a, b] = [[6, 2], [13, 2]].map(|a: [u64; 2]| a.map(NimPoly64::from_nimber));
/// assert_eq!(dot(&a, &b).to_nimber(), 15 ^ 3);
/// assert_eq!(dot(&[], &[]), NimPoly64::ZERO);
/// ```
pub fn dot(a: &[NimPoly64], b: &[NimPoly64]) -> NimPoly64 {
    assert!(a.len() == b.len(), "slices of different lengths");
    let (a, b) = (NimPoly64::words(a), NimPoly64::words(b));
    #[cfg(target_arch = "x86_64")]
    if lanes::available() {
        // SAFETY: what it needs is there.
        return NimPoly64::from_bits(unsafe { lanes::dot(a, b) });
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return NimPoly64::from_bits(unsafe { dot_clmul(a, b) });
    }
    NimPoly64::from_bits(dot_by(a, b, carryless::wide))
}

#[inline(always)]
fn dot_by(a: &[u64], b: &[u64], wide: impl Fn(u64, u64) -> u128) -> u64 {
    carryless::reduce(a.iter().zip(b).fold(0, |sum, (a, b)| sum ^ wide(*a, *b)))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn dot_clmul(a: &[u64], b: &[u64]) -> u64 {
    dot_by(a, b, |a, b| carryless::wide_clmul(a, b))
}

/// The products a\[i\] x b\[i\].
///
/// # Complexity
/// A multiplication and a reduction for each: 14 operations for eight at once.
///
/// # Panics
/// If the slices have different lengths.
pub fn products(a: &[NimPoly64], b: &[NimPoly64], out: &mut [NimPoly64]) {
    assert!(a.len() == b.len() && a.len() == out.len(), "slices of different lengths");
    let (a, b, out) = (NimPoly64::words(a), NimPoly64::words(b), NimPoly64::words_mut(out));
    #[cfg(target_arch = "x86_64")]
    if lanes::available() {
        // SAFETY: what it needs is there.
        return unsafe { lanes::products(a, b, out) };
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { products_clmul(a, b, out) };
    }
    products_by(a, b, out, carryless::product_portable);
}

#[inline(always)]
fn products_by(a: &[u64], b: &[u64], out: &mut [u64], product: impl Fn(u64, u64) -> u64) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        *out = product(*a, *b);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn products_clmul(a: &[u64], b: &[u64], out: &mut [u64]) {
    products_by(a, b, out, |a, b| carryless::product_clmul(a, b));
}

/// Adds c x a\[i\] to sum\[i\].
///
/// # Complexity
/// That of [`products`].
///
/// # Panics
/// If the slices have different lengths.
pub fn add_multiple(sum: &mut [NimPoly64], c: NimPoly64, a: &[NimPoly64]) {
    assert!(a.len() == sum.len(), "slices of different lengths");
    let (sum, c, a) = (NimPoly64::words_mut(sum), c.bits(), NimPoly64::words(a));
    #[cfg(target_arch = "x86_64")]
    if lanes::available() {
        // SAFETY: what it needs is there.
        return unsafe { lanes::add_multiple(sum, c, a) };
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { add_multiple_clmul(sum, c, a) };
    }
    add_multiple_by(sum, c, a, carryless::product_portable);
}

#[inline(always)]
fn add_multiple_by(sum: &mut [u64], c: u64, a: &[u64], product: impl Fn(u64, u64) -> u64) {
    for (sum, a) in sum.iter_mut().zip(a) {
        *sum ^= product(c, *a);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn add_multiple_clmul(sum: &mut [u64], c: u64, a: &[u64]) {
    add_multiple_by(sum, c, a, |a, b| carryless::product_clmul(a, b));
}

/// The value of a polynomial at x; 0 for no coefficients.
///
/// # Complexity
/// A multiplication a coefficient and a reduction for every eight, by Horner's rule in the eighth power; eight products at
/// once for 64 coefficients and more.
///
/// # Examples
/// ```
/// use grundy::nimfield::{NimPoly64, kernels::value_at};
/// // 1 + x + x x x at 2, whose square is 3
/// assert_eq!(value_at(&[NimPoly64::ONE; 3], NimPoly64::from_nimber(2)), NimPoly64::ZERO);
/// ```
pub fn value_at(coefficients: &[NimPoly64], x: NimPoly64) -> NimPoly64 {
    #[cfg(target_arch = "x86_64")]
    const MANY: usize = 64;
    let (coefficients, x) = (NimPoly64::words(coefficients), x.bits());
    #[cfg(target_arch = "x86_64")]
    if coefficients.len() >= MANY && lanes::available() {
        // SAFETY: what it needs is there.
        return NimPoly64::from_bits(unsafe { lanes::value_at(coefficients, x) });
    }
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return NimPoly64::from_bits(unsafe { value_at_clmul(coefficients, x) });
    }
    NimPoly64::from_bits(value_at_by(coefficients, x, carryless::wide))
}

/// Horner's rule in x^8, for eight coefficients and one reduction at a time.
#[inline(always)]
fn value_at_by(coefficients: &[u64], x: u64, wide: impl Fn(u64, u64) -> u128) -> u64 {
    const BLOCK: usize = 8;
    let mut powers = [1; BLOCK + 1];
    for i in 0..BLOCK {
        powers[i + 1] = carryless::reduce(wide(powers[i], x));
    }
    coefficients.chunks(BLOCK).rev().fold(0, |sum, block| {
        let terms = block.iter().zip(&powers).fold(0, |terms, (c, power)| terms ^ wide(*c, *power));
        carryless::reduce(terms ^ wide(sum, powers[BLOCK]))
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn value_at_clmul(coefficients: &[u64], x: u64) -> u64 {
    value_at_by(coefficients, x, |a, b| carryless::wide_clmul(a, b))
}

/// The values of a polynomial at many places.
///
/// # Complexity
/// A product for each coefficient and place.
///
/// # Panics
/// If `places` and `out` have different lengths.
pub fn values_at(coefficients: &[NimPoly64], places: &[NimPoly64], out: &mut [NimPoly64]) {
    assert!(places.len() == out.len(), "slices of different lengths");
    for (x, out) in places.iter().zip(out) {
        *out = value_at(coefficients, *x);
    }
}

/// The coefficients of the product of two polynomials: one less than both have together; none if one has none.
///
/// # Complexity
/// By Karatsuba's rule O(n m^0.585) multiplications for n >= m coefficients, and a reduction for each of the result's; O(n)
/// memory.
///
/// # Examples
/// ```
/// use grundy::nimfield::{NimPoly64, kernels::convolution};
/// let one = NimPoly64::ONE;
/// // (1 + x)(1 + x) = 1 + x x x
/// assert_eq!(convolution(&[one, one], &[one, one]), [one, NimPoly64::ZERO, one]);
/// assert!(convolution(&[one], &[]).is_empty());
/// ```
pub fn convolution(a: &[NimPoly64], b: &[NimPoly64]) -> Vec<NimPoly64> {
    convolution_with(base(), NimPoly64::words(a), NimPoly64::words(b)).into_iter().map(NimPoly64::from_bits).collect()
}

/// Multiplies short polynomials, without reduction: as many coefficients as both have, the last one 0.
type Base = fn(&[u64], &[u64], &mut [u128]);

/// Longest polynomials that are multiplied term by term.
const SHORT: usize = 32;

/// The fastest base that the machine has.
fn base() -> Base {
    #[cfg(target_arch = "x86_64")]
    {
        const _: () = assert!(SHORT <= lanes::LONGEST);
        if lanes::available() {
            // SAFETY: what it needs is there.
            return |a, b, out| unsafe { lanes::convolution(a, b, out) };
        }
        if carryless::multiplies() {
            // SAFETY: what it needs is there.
            return |a, b, out| unsafe { base_clmul(a, b, out) };
        }
    }
    |a, b, out| base_by(a, b, out, carryless::wide)
}

#[inline(always)]
fn base_by(a: &[u64], b: &[u64], out: &mut [u128], wide: impl Fn(u64, u64) -> u128) {
    out.fill(0);
    for (i, a) in a.iter().enumerate() {
        for (out, b) in out[i..].iter_mut().zip(b) {
            *out ^= wide(*a, *b);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn base_clmul(a: &[u64], b: &[u64], out: &mut [u128]) {
    base_by(a, b, out, |a, b| carryless::wide_clmul(a, b));
}

fn convolution_with(base: Base, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return Vec::new();
    }
    let n = short.len();
    let mut sum = vec![0; long.len() + n];
    let mut part = vec![0; 2 * n];
    let mut room = Room { words: vec![0; 2 * n + 4 * SHORT], wide: vec![0; 2 * n + 4 * SHORT] };
    let mut padded = Vec::new();
    for (i, block) in long.chunks(n).enumerate() {
        let block = if block.len() < n && n > SHORT {
            padded.extend_from_slice(block);
            padded.resize(n, 0);
            &padded
        } else {
            block
        };
        let part = &mut part[..block.len() + n];
        if n <= SHORT {
            base(block, short, part);
        } else {
            karatsuba(base, block, short, part, &mut room.words, &mut room.wide);
        }
        // what a padded block has too many is 0
        for (sum, part) in sum[i * n..].iter_mut().zip(part) {
            *sum ^= *part;
        }
    }
    sum.pop();
    sum.into_iter().map(carryless::reduce).collect()
}

/// What all levels of [`karatsuba`] write in.
struct Room {
    words: Vec<u64>,
    wide: Vec<u128>,
}

/// The product of two polynomials of n coefficients in 2 n, the last one 0; both rooms have 2 n + 4 [`SHORT`] places.
fn karatsuba(base: Base, a: &[u64], b: &[u64], out: &mut [u128], words: &mut [u64], wide: &mut [u128]) {
    let n = a.len();
    if n <= SHORT {
        return base(a, b, out);
    }
    let half = n.div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (low, high) = out.split_at_mut(2 * half);
    karatsuba(base, a0, b0, low, words, wide);
    karatsuba(base, a1, b1, high, words, wide);
    let (sums, words) = words.split_at_mut(2 * half);
    let (across, wide) = wide.split_at_mut(2 * half);
    let (a_sum, b_sum) = sums.split_at_mut(half);
    for (sum, [low, high]) in [(&mut *a_sum, [a0, a1]), (&mut *b_sum, [b0, b1])] {
        sum.copy_from_slice(low);
        for (sum, high) in sum.iter_mut().zip(high) {
            *sum ^= high;
        }
    }
    karatsuba(base, a_sum, b_sum, across, words, wide);
    for (across, low) in across.iter_mut().zip(&*low) {
        *across ^= low;
    }
    for (across, high) in across.iter_mut().zip(&*high) {
        *across ^= high;
    }
    for (out, across) in out[half..].iter_mut().zip(&*across) {
        *out ^= across;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain_convolution(a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = vec![0; (a.len() + b.len()).saturating_sub(1)];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                out[i + j] ^= carryless::product_portable(*a, *b);
            }
        }
        if a.is_empty() || b.is_empty() { Vec::new() } else { out }
    }

    fn elements(words: &[u64]) -> Vec<NimPoly64> {
        words.iter().map(|w| NimPoly64::from_bits(*w)).collect()
    }

    proptest! {
        #[test]
        fn all_ways_agree(pairs in prop::collection::vec(any::<(u64, u64)>(), 0..200), c: u64) {
            let (a, b): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            let product = carryless::product_portable;
            let mut products_found = vec![0; a.len()];
            products_by(&a, &b, &mut products_found, product);
            let dot_found = products_found.iter().fold(0, |sum, p| sum ^ p);
            let mut sum_found = b.clone();
            add_multiple_by(&mut sum_found, c, &a, product);
            let value_found = a.iter().rev().fold(0, |sum, a| product(sum, c) ^ a);

            let (ea, eb, ec) = (elements(&a), elements(&b), NimPoly64::from_bits(c));
            prop_assert_eq!(dot(&ea, &eb).bits(), dot_found);
            prop_assert_eq!(dot_by(&a, &b, carryless::wide), dot_found);
            let mut out = elements(&a);
            products(&ea, &eb, &mut out);
            prop_assert_eq!(NimPoly64::words(&out), &products_found);
            let mut sum = eb.clone();
            add_multiple(&mut sum, ec, &ea);
            prop_assert_eq!(NimPoly64::words(&sum), &sum_found);
            let mut values = [NimPoly64::ZERO; 2];
            values_at(&ea, &[ec, NimPoly64::ZERO], &mut values);
            prop_assert_eq!(values.map(NimPoly64::bits), [value_found, a.first().copied().unwrap_or(0)]);
            prop_assert_eq!(value_at(&ea, ec).bits(), value_found);
            prop_assert_eq!(value_at_by(&a, c, carryless::wide), value_found);
            #[cfg(target_arch = "x86_64")]
            if carryless::multiplies() {
                let mut out = vec![0; a.len()];
                let mut sum = b.clone();
                // SAFETY: what they need is there.
                unsafe {
                    prop_assert_eq!(dot_clmul(&a, &b), dot_found);
                    products_clmul(&a, &b, &mut out);
                    prop_assert_eq!(&out, &products_found);
                    add_multiple_clmul(&mut sum, c, &a);
                    prop_assert_eq!(&sum, &sum_found);
                    prop_assert_eq!(value_at_clmul(&a, c), value_found);
                }
                if lanes::available() {
                    // SAFETY: what it needs is there.
                    prop_assert_eq!(unsafe { lanes::value_at(&a, c) }, value_found);
                }
            }
        }

        #[test]
        fn all_ways_multiply_polynomials_alike(
            a in prop::collection::vec(any::<u64>(), 0..300),
            b in prop::collection::vec(any::<u64>(), 0..150),
        ) {
            let expected = plain_convolution(&a, &b);
            let found = convolution(&elements(&a), &elements(&b));
            prop_assert_eq!(NimPoly64::words(&found), &expected);
            prop_assert_eq!(convolution_with(|a, b, out| base_by(a, b, out, carryless::wide), &b, &a), expected.clone());
            #[cfg(target_arch = "x86_64")]
            if carryless::multiplies() {
                // SAFETY: what it needs is there.
                prop_assert_eq!(convolution_with(|a, b, out| unsafe { base_clmul(a, b, out) }, &a, &b), expected);
            }
        }
    }
}
