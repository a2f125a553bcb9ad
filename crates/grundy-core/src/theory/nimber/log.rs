//! Discrete logarithms up to 128 bits.
//!
//! The logarithm modulo each prime of the order of the base (Pohlig and Hellman) is found in steps of about the root of the prime
//! (Shanks). Up to 64 bits the plain way does, in milliseconds. The field of 128 bits has the prime 67280421310721: 8.2 million
//! small steps are kept in 100 MB, which nobody should get unasked; the next field has one of 22 digits.

use core::fmt;

use super::Nimber;
use crate::theory::{Natural, nim_log, nim_product};

/// Bytes that a logarithm of more than 64 bits takes.
pub const LONG_LOG_BYTES: u64 = (8 << 20) * 8 + (16 << 20) * 4;

/// Why there is no logarithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogError {
    /// 0 has no logarithm, and is the base of none.
    Zero,
    /// No power of the base is the number.
    NoPower,
    /// The field has 128 bits, and the caller did not ask for the long way.
    Long,
    /// The field is wider than 128 bits.
    TooWide,
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LogError::Zero => "0 is no power and the base of no logarithm",
            LogError::NoPower => "no power of the base is the number",
            LogError::Long => {
                "logarithms above 64 bits take some seconds and 128 MiB: the group has a subgroup of 67280421310721 elements"
            }
            LogError::TooWide => {
                "logarithms are found up to 128 bits only: beyond, the group has a subgroup of 5704689200685129054721 elements"
            }
            LogError::Stopped => "stopped",
        })
    }
}

impl core::error::Error for LogError {}

impl Nimber {
    /// The least primitive element of the field of `bits` bits, up to 128: the usual base of logarithms there.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::Nimber;
    /// assert_eq!(Nimber::least_primitive(8), Some(Nimber::from(18u64)));
    /// assert_eq!(Nimber::least_primitive(256), None);
    /// ```
    pub fn least_primitive(bits: u64) -> Option<Nimber> {
        let n: u128 = match bits {
            1 => 1,
            2 => 2,
            4 => 4,
            8 => 0x12,
            16 => 0x102,
            32 => 0x1_0004,
            64 => 0x1_0000_0006,
            128 => 0x1_0000_0000_0000_0002,
            _ => return None,
        };
        Some(Nimber::from(n))
    }

    /// The least k for which the product of k factors `base` is the nimber, up to 64 bits.
    ///
    /// # Complexity
    /// Some thousand products.
    ///
    /// # Errors
    /// A [`LogError`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::{Nimber, nimber::LogError};
    /// let n = |n: u64| Nimber::from(n);
    /// assert_eq!((n(3).log(&n(2)), n(1).log(&n(1)), n(4).log(&n(2))), (Ok(2), Ok(0), Err(LogError::NoPower)));
    /// ```
    pub fn log(&self, base: &Nimber) -> Result<u128, LogError> {
        self.log_while(base, false, &mut || true)
    }

    /// [`log`](Nimber::log), up to 128 bits if the `long` way is wanted; stops as soon as `go_on`, asked every thousand
    /// steps, says no.
    ///
    /// # Complexity
    /// Above 64 bits up to 2 * 8.2 million products by one factor, and [`LONG_LOG_BYTES`].
    ///
    /// # Errors
    /// A [`LogError`].
    pub fn log_while(&self, base: &Nimber, long: bool, go_on: &mut dyn FnMut() -> bool) -> Result<u128, LogError> {
        if self.is_zero() || base.is_zero() {
            return Err(LogError::Zero);
        }
        let (Some(a), Some(base)) = (self.size().to_u128(), base.size().to_u128()) else {
            return Err(LogError::TooWide);
        };
        if a.max(base) >> 64 == 0 {
            return nim_log::log(a, base).map(u128::from).map_err(|e| match e {
                nim_log::LogError::NoPower => LogError::NoPower,
                nim_log::LogError::Zero => LogError::Zero,
                nim_log::LogError::TooWide => LogError::TooWide,
            });
        }
        let order = nim_log::order(base).ok_or(LogError::Zero)?;
        // the group is cyclic, so the elements whose order divides that of the base are its powers
        if power(a, order) != 1 {
            return Err(LogError::NoPower);
        }
        if !long {
            return Err(LogError::Long);
        }
        // k is known modulo `known`, the product of the primes met
        let (mut k, mut known) = (0u128, 1u128);
        for p in nim_log::PRIMES.into_iter().filter(|p| order.is_multiple_of(u128::from(*p))) {
            let rest = order / u128::from(p);
            let digit = log_of_prime_order(power(a, rest), power(base, rest), p, go_on).ok_or(LogError::Stopped)?;
            let wide = u128::from(p);
            let missing = (u128::from(digit) + wide - k % wide) % wide;
            k += known * (missing * nim_log::invert((known % wide) as u64, p) % wide);
            known *= wide;
        }
        Ok(k)
    }
}

fn power(a: u128, k: u128) -> u128 {
    Nimber::from(a).power(&Natural::from(k)).size().to_u128().unwrap_or(0)
}

/// The product with one factor, as a sum over the bytes of the other.
struct Times(Vec<[u128; 256]>);

impl Times {
    fn new(factor: u128) -> Times {
        let mut table = vec![[0; 256]; 16];
        for (i, row) in table.iter_mut().enumerate() {
            for byte in 1..256usize {
                let low = byte & byte.wrapping_neg();
                row[byte] = if byte == low {
                    nim_product::product(factor, (byte as u128) << (8 * i))
                } else {
                    row[byte ^ low] ^ row[low]
                };
            }
        }
        Times(table)
    }

    fn by(&self, a: u128) -> u128 {
        self.0.iter().zip(a.to_le_bytes()).fold(0, |sum, (row, byte)| sum ^ row[usize::from(byte)])
    }
}

/// The k below p for which the product of k factors `base` is a; the order of the base is the prime p, and a is a power. None if
/// stopped.
fn log_of_prime_order(a: u128, base: u128, p: u64, go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    let step = p.isqrt() + 1;
    // the small steps by their lower words, in a table of places that is at most half full; 0 is free
    let spread = 64 - (2 * step).next_power_of_two().trailing_zeros();
    let place = |word: u64| (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> spread) as usize;
    let mut places = vec![0u32; 1 << (64 - spread)];
    let mut words = Vec::with_capacity(step as usize);
    let by_base = Times::new(base);
    let mut x = 1;
    for k in 0..step {
        if k % 1024 == 0 && !go_on() {
            return None;
        }
        let mut at = place(x as u64);
        while places[at] != 0 {
            at = (at + 1) & (places.len() - 1);
        }
        words.push(x as u64);
        places[at] = words.len() as u32;
        x = by_base.by(x);
    }
    // x is the base to the power of the step
    let back = Times::new(nim_product::inverse(x)?);
    let mut y = a;
    for turn in 0..step {
        if turn % 1024 == 0 && !go_on() {
            return None;
        }
        let mut at = place(y as u64);
        while places[at] != 0 {
            let small = places[at] as usize - 1;
            if words[small] == y as u64 {
                let k = (turn * step + small as u64) % p;
                // two powers may agree in their lower words
                if power(base, k.into()) == a {
                    return Some(k);
                }
            }
            at = (at + 1) & (places.len() - 1);
        }
        y = back.by(y);
    }
    // not reached: a is a power
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_primitive_elements_are_primitive() {
        for bits in [1, 2, 4, 8, 16, 32, 64, 128] {
            let least = Nimber::least_primitive(bits).unwrap();
            assert_eq!((least.field_bits(), least.is_primitive()), (bits, Ok(true)));
            let half = if bits == 1 { 1 } else { 1u128 << (bits / 2) };
            let least = least.size().to_u128().unwrap();
            assert!((half..least).all(|a| Nimber::from(a).is_primitive() == Ok(false)), "{bits}");
        }
    }

    #[test]
    fn the_product_with_one_factor() {
        let factor = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
        let times = Times::new(factor);
        for a in [0, 1, 2, u128::MAX, 0x55 << 90, factor] {
            assert_eq!(times.by(a), nim_product::product(a, factor));
        }
    }

    #[test]
    fn logarithms_of_a_subgroup_of_128_bits() {
        // without the largest prime, which takes seconds
        let base = power(0x1_0000_0000_0000_0002, 67_280_421_310_721);
        let order = u128::MAX / 67_280_421_310_721;
        for k in [0, 1, 12_345, order - 1, order / 2] {
            let a = Nimber::from(power(base, k));
            assert_eq!(a.log_while(&Nimber::from(base), true, &mut || true), Ok(k));
        }
        let whole = Nimber::least_primitive(128).unwrap();
        assert_eq!(whole.log_while(&Nimber::from(base), true, &mut || true), Err(LogError::NoPower));
        assert_eq!(whole.log(&whole), Err(LogError::Long));
        assert_eq!(whole.log_while(&whole, true, &mut || false), Err(LogError::Stopped));
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "seconds in an optimised build, minutes in another")]
    fn logarithms_of_128_bits() {
        let base = Nimber::least_primitive(128).unwrap();
        let k = 0x0123_4567_89ab_cdef_1122_3344_5566_7788;
        let a = base.power(&Natural::from(k));
        assert_eq!(a.log_while(&base, true, &mut || true), Ok(k));
    }
}
