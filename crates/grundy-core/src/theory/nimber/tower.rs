//! Arithmetic in the tower of fields on limbs of 64 bits, the lowest first, in any width that is a power of two.
//!
//! A list of 2^j limbs is an element of the field of w = 64 * 2^j bits. With F = 2^(w/2) and H = F / 2 it is a1 F + a0, a1 and a0
//! being the upper and the lower half of the list, F x F = F + H, and everything is told by the halves. Below 64 bits the same
//! is done with halves of a word, down to the field of 256 elements, of which the powers of 0x12 are tabled.
//!
//! # Sources
//! `[ONAG]` chapter 6.

/// The powers of 0x12, a primitive element of the field of 8 bits, twice over; and the exponent of each element but 0.
const TABLE: ([u8; 510], [u8; 256]) = table();

const fn table() -> ([u8; 510], [u8; 256]) {
    let (mut power, mut exponent) = ([0u8; 510], [0u8; 256]);
    let (mut x, mut k) = (1u8, 0);
    while k < 255 {
        (power[k], power[k + 255]) = (x, x);
        exponent[x as usize] = k as u8;
        x = plain(4, x, 0x12);
        k += 1;
    }
    (power, exponent)
}

/// a x b in the field of 2 `half` bits by the definition of the halves.
const fn plain(half: u32, a: u8, b: u8) -> u8 {
    if half == 0 || a == 0 || b == 0 {
        return a & b;
    }
    let mask = (1u8 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let (low, high) = (plain(half / 2, a0, b0), plain(half / 2, a1, b1));
    let across = plain(half / 2, a1 ^ a0, b1 ^ b0);
    (across ^ low) << half | (low ^ plain(half / 2, high, 1 << (half - 1)))
}

fn product_8(a: u8, b: u8) -> u8 {
    let (power, exponent) = &TABLE;
    if a == 0 || b == 0 { 0 } else { power[exponent[a as usize] as usize + exponent[b as usize] as usize] }
}

/// The two halves of the lower `bits` bits.
fn halves(bits: u32, a: u64) -> (u64, u64) {
    (a >> (bits / 2), a & ((1 << (bits / 2)) - 1))
}

/// a x b in the field of `bits` bits, 8 to 64.
fn product_in(bits: u32, a: u64, b: u64) -> u64 {
    if bits == 8 {
        return u64::from(product_8(a as u8, b as u8));
    }
    let ((a1, a0), (b1, b0)) = (halves(bits, a), halves(bits, b));
    let half = bits / 2;
    let low = product_in(half, a0, b0);
    let across = product_in(half, a1 ^ a0, b1 ^ b0);
    (across ^ low) << half | (low ^ top_times_in(half, product_in(half, a1, b1)))
}

/// a x b in the field of 64 bits.
///
/// # Complexity
/// 27 look-ups in a table of products of 8 bits, and some hundred operations on words.
///
/// # Examples
/// ```
/// use grundy_core::theory::nimber::product_64;
/// assert_eq!((product_64(6, 13), product_64(1 << 32, 1 << 32)), (15, 3 << 31));
/// ```
pub fn product_64(a: u64, b: u64) -> u64 {
    product_in(64, a, b)
}

/// 2^(bits - 1) x a in the field of `bits` bits, 8 to 64: with T = 2^(half - 1) it is T F x (a1 F + a0).
fn top_times_in(bits: u32, a: u64) -> u64 {
    if bits == 8 {
        return u64::from(product_8(a as u8, 0x80));
    }
    let (half, (a1, a0)) = (bits / 2, halves(bits, a));
    top_times_in(half, a1 ^ a0) << half | top_times_in(half, top_times_in(half, a1))
}

/// The square in the field of `bits` bits.
fn square_in(bits: u32, a: u64) -> u64 {
    if bits == 8 {
        return u64::from(product_8(a as u8, a as u8));
    }
    let (half, (a1, a0)) = (bits / 2, halves(bits, a));
    let high = square_in(half, a1);
    high << half | (square_in(half, a0) ^ top_times_in(half, high))
}

/// The square root in the field of `bits` bits.
fn sqrt_in(bits: u32, a: u64) -> u64 {
    if bits == 8 {
        // a^256 = a
        return (0..7).fold(a, |x, _| square_in(8, x));
    }
    let (half, (a1, a0)) = (bits / 2, halves(bits, a));
    sqrt_in(half, a1) << half | sqrt_in(half, a0 ^ top_times_in(half, a1))
}

fn inverse_in(bits: u32, a: u64) -> u64 {
    if bits == 8 {
        let (power, exponent) = &TABLE;
        // nobody asks for the inverse of 0
        return u64::from(power[255 - exponent[a as usize] as usize]);
    }
    let (half, (a1, a0)) = (bits / 2, halves(bits, a));
    let norm = product_in(half, a0, a0 ^ a1) ^ top_times_in(half, square_in(half, a1));
    let n = inverse_in(half, norm);
    product_in(half, a1, n) << half | product_in(half, a0 ^ a1, n)
}

/// The even x of the field of `bits` bits, 64 at most, with x x x + x = a, for an a whose bit `bits` - 1 is 0.
///
/// x = x1 F + x0: the upper part of x x x + x is x1 x x1 + x1, the lower x0 x x0 + x0 + H x x1 x x1. The trace of what the lower
/// part leaves for x0 must be 0; x1 + 1 solves the upper part too, and changes what is left by H.
fn half_root_in(bits: u32, a: u64) -> u64 {
    if bits == 8 {
        return (0..128).map(|k| 2 * k).find(|x| square_in(8, *x) ^ x == a).unwrap_or(0);
    }
    let (half, (a1, a0)) = (bits / 2, halves(bits, a));
    let x1 = half_root_in(half, a1);
    let rest = a0 ^ top_times_in(half, square_in(half, x1));
    let trace = rest >> (half - 1) & 1;
    (x1 ^ trace) << half | half_root_in(half, rest ^ trace << (half - 1))
}

/// The upper and the lower half.
fn split(a: &[u64]) -> (&[u64], &[u64]) {
    let (low, high) = a.split_at(a.len() / 2);
    (high, low)
}

fn join(low: Vec<u64>, high: &[u64]) -> Vec<u64> {
    let mut joined = low;
    joined.extend_from_slice(high);
    joined
}

/// The nim-sum of two lists of one length.
pub(super) fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

fn is_zero(a: &[u64]) -> bool {
    a.iter().all(|limb| *limb == 0)
}

/// a x b, an element of the wider field of the two; both lengths are powers of two.
///
/// # Complexity
/// For w bits 3^k products of words and O(w^1.58) further operations on them, w = 64 * 2^k. A factor of a smaller field
/// multiplies part by part.
pub(super) fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    if a.len() < b.len() {
        return product(b, a);
    }
    if is_zero(a) || is_zero(b) {
        return vec![0; a.len()];
    }
    if let ([a], [b]) = (a, b) {
        return vec![product_64(*a, *b)];
    }
    let (a1, a0) = split(a);
    if b.len() < a.len() {
        return join(product(a0, b), &product(a1, b));
    }
    let (b1, b0) = split(b);
    // (a1 + a0)(b1 + b0) = a1 b1 + a1 b0 + a0 b1 + a0 b0
    let low = product(a0, b0);
    let across = product(&sum(a1, a0), &sum(b1, b0));
    let high = top_times(&product(a1, b1));
    join(sum(&low, &high), &sum(&across, &low))
}

/// The top power of two of the field times a: with T = H' it is T F x (a1 F + a0) = T (a1 + a0) F + T T a1.
fn top_times(a: &[u64]) -> Vec<u64> {
    if let [a] = a {
        return vec![top_times_in(64, *a)];
    }
    let (a1, a0) = split(a);
    join(top_times(&top_times(a1)), &top_times(&sum(a1, a0)))
}

/// a x a.
pub(super) fn square(a: &[u64]) -> Vec<u64> {
    if let [a] = a {
        return vec![square_in(64, *a)];
    }
    let (a1, a0) = split(a);
    let high = square(a1);
    join(sum(&square(a0), &top_times(&high)), &high)
}

/// The one b with b x b = a.
pub(super) fn sqrt(a: &[u64]) -> Vec<u64> {
    if let [a] = a {
        return vec![sqrt_in(64, *a)];
    }
    let (a1, a0) = split(a);
    join(sqrt(&sum(a0, &top_times(a1))), &sqrt(a1))
}

/// a to the power of F, which is its conjugate over the field of half the width: a1 F + (a1 + a0).
pub(super) fn conjugate(a: &[u64]) -> Vec<u64> {
    let (a1, a0) = split(a);
    join(sum(a0, a1), a1)
}

/// a times its conjugate, an element of the field of half the width.
pub(super) fn norm(a: &[u64]) -> Vec<u64> {
    let (a1, a0) = split(a);
    sum(&product(a0, &sum(a0, a1)), &top_times(&square(a1)))
}

/// 1 / a, for an a that is not 0.
pub(super) fn inverse(a: &[u64]) -> Vec<u64> {
    if let [a] = a {
        return vec![inverse_in(64, *a)];
    }
    product(&conjugate(a), &inverse(&norm(a)))
}

/// The even x of the same field with x x x + x = a, for an a whose top bit is 0; told at the word's twin.
pub(super) fn half_root(a: &[u64]) -> Vec<u64> {
    if let [a] = a {
        return vec![half_root_in(64, *a)];
    }
    let (a1, a0) = split(a);
    let mut x1 = half_root(a1);
    let mut rest = sum(a0, &top_times(&square(&x1)));
    let top = rest.len() - 1;
    x1[0] ^= rest[top] >> 63;
    rest[top] &= u64::MAX >> 1;
    join(half_root(&rest), &x1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::nim_product;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_those_of_the_plain_product(a: u64, b: u64) {
            let (wide_a, wide_b) = (u128::from(a), u128::from(b));
            prop_assert_eq!(u128::from(product_in(64, a, b)), nim_product::product(wide_a, wide_b));
            prop_assert_eq!(u128::from(square_in(64, a)), nim_product::square(wide_a));
            prop_assert_eq!(u128::from(sqrt_in(64, a)), nim_product::sqrt(wide_a));
            prop_assert_eq!(u128::from(top_times_in(64, a)), nim_product::product(wide_a, 1 << 63));
            let root = half_root_in(64, a >> 1);
            prop_assert_eq!(Some(u128::from(root)), nim_product::half_solution(wide_a >> 1));
            if a > 0 {
                prop_assert_eq!(Some(u128::from(inverse_in(64, a))), nim_product::inverse(wide_a));
            }
        }
    }

    #[test]
    fn the_table_is_the_plain_product() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                assert_eq!(u128::from(product_8(a, b)), nim_product::product(a.into(), b.into()));
            }
        }
    }
}
