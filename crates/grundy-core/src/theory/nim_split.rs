//! Nim products from below: given one that a move should leave, two factors that the move can reach.
//!
//! In a product of two coin-turning games the head (x, y) is worth a x b, where a and b are the values of the coins. A move
//! there turns S1 x S2 and changes the value of the position by A x B, where A and B are the xors of the values of S1 and S2;
//! S1 exists if a xor A < a, which says that the highest bit of A is one of a, and S2 likewise. So the winning move for the
//! value t of a position is a pair (A, B) with A x B = t and the highest bits of A and B among those of a and b. [`split`]
//! constructs one whenever the highest bit of t is a bit of a x b, as for the heads that Nim would lower.

use super::{nim_product, nimber};

/// The nim field of 64-bit numbers: what [`split`] needs of it. Another implementation may be faster.
pub trait NimField {
    /// a x b.
    fn product(&self, a: u64, b: u64) -> u64;
    /// The one b with a x b = 1; None for 0.
    fn inverse(&self, a: u64) -> Option<u64>;
    /// The one b with b x b = a.
    fn sqrt(&self, a: u64) -> u64;
    /// The even x with x x x + x = a; None if it needs more than 64 bits.
    fn half_solution(&self, a: u64) -> Option<u64>;
}

/// The field by the plain tower of [`nim_product`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainField;

impl NimField for PlainField {
    fn product(&self, a: u64, b: u64) -> u64 {
        nimber::product_64(a, b)
    }

    fn inverse(&self, a: u64) -> Option<u64> {
        nim_product::inverse(a.into()).map(|b| b as u64)
    }

    fn sqrt(&self, a: u64) -> u64 {
        nim_product::sqrt(a.into()) as u64
    }

    fn half_solution(&self, a: u64) -> Option<u64> {
        nim_product::half_solution(a.into()).and_then(|x| u64::try_from(x).ok())
    }
}

/// A pair (A, B) with A x B = t, where the highest bit of A is a bit of `a` and the highest bit of B one of `b`.
///
/// None if the highest bit of t is no bit of a x b, and for t = 0.
///
/// Let F be the least Fermat power 2^(2^k) with a, b < F^2, a = pF + q, b = rF + s, t = xF + y and H = F / 2, so that
/// ab = (ps + qr + pr) F + (qs + H pr). If x has a highest bit, one of ps, qr and pr has it, and x splits there; the other
/// half of t fixes what is left: a quotient, or a square root. If x = 0, the highest bit of y is in qs, where y splits, or in
/// H pr: then y = W c with a c >= H, W = P R splits at p and r, and A = P (F + z) with z^2 + z = c + H has the norm P^2 c.
///
/// # Complexity
/// At most two calls of half the width for one; at 64 bits at most 17 calls in all, each with a few products and at most one
/// inverse and one square root or quadratic equation.
///
/// # Examples
/// ```
/// use grundy_core::theory::nim_split::{NimField, PlainField, split};
/// let (a, b) = (0x1234, 0xabcd);
/// let t = PlainField.product(a, b) ^ 5;
/// let (x, y) = split(&PlainField, t, a, b).unwrap();
/// assert_eq!(PlainField.product(x, y), t);
/// assert!((a ^ x) < a && (b ^ y) < b);
/// assert_eq!(split(&PlainField, 4, 2, 2), None); // 2 x 2 = 3
/// ```
pub fn split(field: &impl NimField, t: u64, a: u64, b: u64) -> Option<(u64, u64)> {
    if !has_highest(field.product(a, b), t) {
        return None;
    }
    let widest = u64::BITS - a.max(b).leading_zeros();
    if widest < 2 {
        return Some((1, 1));
    }
    let h = (widest.next_power_of_two() / 2).max(1);
    let low = (1u64 << h) - 1;
    let ((p, q), (r, s), (x, y)) = ((a >> h, a & low), (b >> h, b & low), (t >> h, t & low));
    let half = 1u64 << (h - 1);
    let over = |n: u64, d: u64| Some(field.product(n, field.inverse(d)?));
    if x != 0 {
        if has_highest(field.product(p, s), x) {
            let (top, factor) = split(field, x, p, s)?;
            return Some((top << h | over(y, factor)?, factor));
        }
        if has_highest(field.product(q, r), x) {
            let (factor, top) = split(field, x, q, r)?;
            return Some((factor, top << h | over(y, factor)?));
        }
        let (top_a, top_b) = split(field, x, p, r)?;
        let ratio = over(top_a, top_b)?;
        let square = field.product(ratio, y) ^ field.product(field.product(top_a, top_a), half);
        let low_a = field.sqrt(square);
        return Some((top_a << h | low_a, top_b << h | over(low_a, ratio)?));
    }
    if has_highest(field.product(q, s), y) {
        return split(field, y, q, s);
    }
    let (both, c) = split(field, y, field.product(p, r), half)?;
    let (top, _) = split(field, both, p, r)?;
    let z = field.half_solution(c ^ half)?;
    let factor = top << h | field.product(z, top);
    Some((factor, over(y, factor)?))
}

/// True if the highest bit of t is a bit of `value`.
fn has_highest(value: u64, t: u64) -> bool {
    t != 0 && value >> (u64::BITS - 1 - t.leading_zeros()) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(t: u64, a: u64, b: u64) {
        let wanted = has_highest(PlainField.product(a, b), t);
        let found = split(&PlainField, t, a, b);
        assert_eq!(found.is_some(), wanted, "{t} {a} {b}");
        if let Some((x, y)) = found {
            assert_eq!(PlainField.product(x, y), t, "{t} {a} {b}");
            assert!((a ^ x) < a && (b ^ y) < b, "{t} {a} {b}: {x} {y}");
        }
    }

    #[test]
    fn every_small_case() {
        for a in 0..20 {
            for b in 0..20 {
                for t in 0..PlainField.product(a, b).next_power_of_two().max(4) {
                    check(t, a, b);
                }
            }
        }
    }

    #[test]
    fn wide_cases() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random ^ random >> 29
        };
        for width in [8, 16, 20, 32, 33, 64] {
            for _ in 0..40 {
                let (a, b) = (next() >> (64 - width), next() >> (64 - width));
                let ab = PlainField.product(a, b);
                // the highest bit of t is a bit of the product
                let mut bits = ab;
                for _ in 0..next() % u64::from(ab.count_ones()).max(1) {
                    bits &= bits - 1;
                }
                let bit = bits & bits.wrapping_neg();
                check(bit | next() & bit.wrapping_sub(1), a, b);
            }
        }
    }
}
