//! Orders, primitive elements and discrete logarithms of nimbers.
//!
//! The nimbers below 2^w, w a power of two, are a field; without 0 they are a cyclic group of 2^w - 1 elements, which for w up
//! to 128 is a product of distinct primes.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the field). Logarithms by the subgroups of prime order (Pohlig and Hellman), in these by a table of
//! about the root of the order (Shanks).

use core::fmt;

use super::nim_product::{inverse, power, product};

/// The primes whose product is 2^128 - 1; the first ones make up 2^w - 1 for each smaller w.
pub(super) const PRIMES: [u64; 9] = [3, 5, 17, 257, 65_537, 641, 6_700_417, 274_177, 67_280_421_310_721];

/// Widest field in which logarithms are found: the largest prime of the next one is 67280421310721.
const MOST_BITS: u32 = 64;

/// Bits of the least field that holds a number.
pub fn field_bits(a: u128) -> u32 {
    (u128::BITS - a.leading_zeros()).max(1).next_power_of_two()
}

/// The number of elements other than 0 of the least field that holds a number.
fn group(a: u128) -> u128 {
    u128::MAX >> (u128::BITS - field_bits(a))
}

/// The least k >= 1 for which the product of k factors a is 1; None for 0.
///
/// # Complexity
/// At most nine powers.
///
/// # Examples
/// ```
/// use grundy_core::theory::nim_log::order;
/// assert_eq!((order(0), order(1), order(2), order(4), order(0x12)), (None, Some(1), Some(3), Some(15), Some(255)));
/// ```
pub fn order(a: u128) -> Option<u128> {
    if a == 0 {
        return None;
    }
    let all = group(a);
    let primes = PRIMES.into_iter().map(u128::from).filter(|p| all.is_multiple_of(*p));
    Some(primes.fold(all, |order, p| if power(a, order / p) == 1 { order / p } else { order }))
}

/// True if the powers of a are all elements other than 0 of the least field that holds a.
///
/// # Complexity
/// That of [`order`].
pub fn is_primitive(a: u128) -> bool {
    order(a) == Some(group(a))
}

/// Why there is no logarithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogError {
    /// 0 has no logarithm, and is the base of none.
    Zero,
    /// No power of the base is the number.
    NoPower,
    /// The field is wider than 64 bits, and its group has a part too large to search.
    TooWide,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LogError::Zero => "0 is no power and the base of no logarithm",
            LogError::NoPower => "no power of the base is the number",
            LogError::TooWide => {
                "logarithms are found below 2^64 only: beyond, the group has a subgroup of 67280421310721 elements"
            }
        })
    }
}

impl core::error::Error for LogError {}

/// The least k for which the product of k factors `base` is a.
///
/// # Complexity
/// Some thousand products and a table of as many entries: for every prime p of the order of the base, two times the root of p.
///
/// # Errors
/// A [`LogError`].
///
/// # Examples
/// ```
/// use grundy_core::theory::nim_log::{LogError, log};
/// assert_eq!((log(1, 2), log(3, 2), log(2, 3)), (Ok(0), Ok(2), Ok(2)));
/// assert_eq!((log(4, 2), log(0, 2)), (Err(LogError::NoPower), Err(LogError::Zero)));
/// ```
pub fn log(a: u128, base: u128) -> Result<u64, LogError> {
    let Some(order) = order(base).filter(|_| a != 0) else { return Err(LogError::Zero) };
    if field_bits(a.max(base)) > MOST_BITS {
        return Err(LogError::TooWide);
    }
    // the group is cyclic, so the elements whose order divides that of the base are its powers
    if power(a, order) != 1 {
        return Err(LogError::NoPower);
    }
    let mut sum = 0;
    for p in PRIMES.into_iter().filter(|p| order.is_multiple_of(u128::from(*p))) {
        let rest = order / u128::from(p);
        let digit = log_of_prime_order(power(a, rest), power(base, rest), p);
        // what is `digit` modulo p and 0 modulo the other primes
        let share = u128::from(digit) * invert((rest % u128::from(p)) as u64, p) % u128::from(p);
        sum = (sum + share * rest) % order;
    }
    Ok(sum as u64)
}

/// The k below p for which the product of k factors `base` is a; the order of the base is the prime p, and a is a power.
fn log_of_prime_order(a: u128, base: u128, p: u64) -> u64 {
    let step = p.isqrt() + 1;
    let mut small = Vec::with_capacity(step as usize);
    let mut x = 1;
    for k in 0..step {
        small.push((x, k));
        x = product(x, base);
    }
    small.sort_unstable();
    // x is the base to the power of the step
    let back = inverse(x).unwrap_or(1);
    let mut y = a;
    for turn in 0..step {
        if let Ok(place) = small.binary_search_by_key(&y, |(x, _)| *x) {
            return (turn * step + small[place].1) % p;
        }
        y = product(y, back);
    }
    // not reached: a is a power
    0
}

/// 1 / a modulo the prime p.
pub(super) fn invert(a: u64, p: u64) -> u128 {
    let (mut result, mut a, mut k, p) = (1u128, u128::from(a), p - 2, u128::from(p));
    while k > 0 {
        if k & 1 == 1 {
            result = result * a % p;
        }
        a = a * a % p;
        k >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_are_all() {
        let mut product = 1u128;
        for (p, w) in PRIMES.into_iter().zip([2, 4, 8, 16, 32, 0, 64, 0, 128]) {
            product = product.wrapping_mul(u128::from(p));
            let all = if w == 0 { 0 } else { u128::MAX >> (128 - w) };
            assert!(w == 0 || product == all, "{p}");
        }
        assert_eq!(product, u128::MAX);
    }

    #[test]
    fn logarithms_are_inverse_to_powers() {
        for base in [2, 4, 5, 0x12, 0x102] {
            let order = order(base).unwrap() as u64;
            for k in (0..order.min(300)).chain(order.saturating_sub(20)..order) {
                assert_eq!(log(power(base, u128::from(k)), base), Ok(k), "{base}");
            }
        }
    }

    #[test]
    fn least_primitive_elements() {
        for (bits, least) in [(2, 2u128), (4, 4), (8, 0x12), (16, 0x102), (32, 0x10004), (64, 0x1_0000_0006)] {
            let from = if bits == 2 { 2 } else { 1 << (bits / 2) };
            assert_eq!((from..).find(|a| is_primitive(*a)), Some(least), "{bits}");
        }
    }
}
