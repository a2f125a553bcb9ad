//! The nim product by the tower of fields 2^(2^k), recursively and with nothing but the definition of the halves: readable,
//! and the oracle of every faster way.
//!
//! Let F = 2^h be a Fermat power (h a power of two), a = a1 F + a0 and b = b1 F + b0 with parts below F, and H = F / 2. Then
//! F x F = F + H (`+` is nim addition, the xor) and x distributes over +, so
//! a x b = (a1 b0 + a0 b1 + a1 b1) F + (a0 b0 + H a1 b1). The numbers below F^2 are a field for each h; the field below F is
//! a part of it.
//!
//! # Complexity
//! 4 products of half the width for a product: O(w^2) elementary operations for width w.
//!
//! # Sources
//! `[ONAG]` chapter 6.

/// Bits of half the least field 2^(2^k) that holds a number of at least two bits; None for 0 and 1.
fn half_of(a: u128) -> Option<u32> {
    let bits = u128::BITS - a.leading_zeros();
    if bits < 2 { None } else { Some((bits.next_power_of_two() / 2).max(1)) }
}

/// The upper and the lower part.
fn split(a: u128, half: u32) -> (u128, u128) {
    (a >> half, a & ((1 << half) - 1))
}

/// a x b.
///
/// # Examples
/// ```
/// use grundy_core::theory::nim_product::product;
/// assert_eq!((product(6, 13), product(4, 7), product(16, 16)), (15, 10, 24));
/// ```
pub fn product(a: u128, b: u128) -> u128 {
    let Some(half) = half_of(a.max(b)) else { return a & b };
    if a == 0 || b == 0 {
        return 0;
    }
    let ((a1, a0), (b1, b0)) = (split(a, half), split(b, half));
    let (low, high) = (product(a0, b0), product(a1, b1));
    // (a1 + a0)(b1 + b0) = a1 b1 + a1 b0 + a0 b1 + a0 b0
    let across = product(a1 ^ a0, b1 ^ b0);
    ((across ^ low) << half) | (low ^ product(high, 1 << (half - 1)))
}

/// a x a, which is additive in a.
pub fn square(a: u128) -> u128 {
    let Some(half) = half_of(a) else { return a };
    let (a1, a0) = split(a, half);
    let high = square(a1);
    high << half | (square(a0) ^ product(high, 1 << (half - 1)))
}

/// The one b with b x b = a.
pub fn sqrt(a: u128) -> u128 {
    let Some(half) = half_of(a) else { return a };
    let (a1, a0) = split(a, half);
    sqrt(a1) << half | sqrt(a0 ^ product(a1, 1 << (half - 1)))
}

/// The one b with a x b = 1; None for 0.
///
/// With the conjugate c = a1 F + (a1 + a0) the product a x c lies below F, so 1 / a = c / (a x c).
pub fn inverse(a: u128) -> Option<u128> {
    let Some(half) = half_of(a) else { return (a == 1).then_some(1) };
    let conjugate = a ^ (a >> half);
    let norm = product(a, conjugate);
    Some(product(conjugate, inverse(norm)?))
}

/// a x a x … x a, k times; 1 for k = 0.
pub fn power(mut a: u128, mut k: u128) -> u128 {
    let mut result = 1;
    while k > 0 {
        if k & 1 == 1 {
            result = product(result, a);
        }
        a = square(a);
        k >>= 1;
    }
    result
}

/// The even x with x x x + x = a, below 2^(2^k) for the least field that holds both a and a solution; the other solution is
/// x + 1. None if it needs more than 128 bits.
///
/// In a field of w bits there is a solution exactly if bit w - 1 of a, its trace, is 0. Else the solutions lie in the field
/// of 2 w bits: x = F + y, where F x F + F = H, and y solves the equation for a + H.
pub fn half_solution(a: u128) -> Option<u128> {
    let Some(half) = half_of(a) else {
        // x x x + x = 1 has the solutions 2 and 3
        return Some(2 * a);
    };
    let width = 2 * half;
    if a >> (width - 1) & 1 == 0 {
        return Some(within(a, half));
    }
    if width == u128::BITS {
        return None;
    }
    Some(1 << width | within(a ^ 1 << (width - 1), half))
}

/// The even solution in the field of 2 `half` bits, for an a whose top bit there is 0.
fn within(a: u128, half: u32) -> u128 {
    if half == 0 {
        return 0;
    }
    // x = x1 F + x0: the upper part of x x x + x is x1 x x1 + x1, the lower x0 x x0 + x0 + H x x1 x x1
    let (a1, a0) = split(a, half);
    let x1 = within(a1, half / 2);
    let rest = a0 ^ product(square(x1), 1 << (half - 1));
    // the trace of the rest must be 0: x1 + 1 solves the upper part too, and changes the rest by H
    let trace = rest >> (half - 1) & 1;
    let x0 = within(rest ^ trace << (half - 1), half / 2);
    (x1 ^ trace) << half | x0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: the least number that is not a' b + a b' + a' b' for any a' < a, b' < b.
    fn by_definition(a: usize, b: usize, known: &[Vec<u128>]) -> u128 {
        let mut seen = vec![false; 4 * (a + 1) * (b + 1) + 4];
        for x in 0..a {
            for y in 0..b {
                let option = (known[x][b] ^ known[a][y] ^ known[x][y]) as usize;
                if let Some(place) = seen.get_mut(option) {
                    *place = true;
                }
            }
        }
        seen.iter().position(|s| !s).unwrap() as u128
    }

    #[test]
    fn products_are_those_of_the_definition() {
        const SIDE: usize = 40;
        let mut known = vec![vec![0u128; SIDE]; SIDE];
        for a in 0..SIDE {
            for b in 0..SIDE {
                known[a][b] = by_definition(a, b, &known);
                assert_eq!(product(a as u128, b as u128), known[a][b], "{a} x {b}");
            }
        }
    }

    #[test]
    fn powers_of_two_multiply_as_they_must() {
        for k in 0..7 {
            let fermat = 1u128 << (1 << k);
            assert_eq!(product(fermat, fermat), fermat + fermat / 2);
            assert_eq!(product(fermat, fermat - 1), fermat * (fermat - 1), "an ordinary product");
        }
        assert_eq!(product((1 << 64) - 1, (1 << 64) - 3), 14554159489527431842);
        assert_eq!(inverse((1 << 32) - 5), Some(4147990372));
        assert_eq!(inverse(0), None);
    }
}
