//! Orders and logarithms of nimbers below 2^64.
//!
//! The group has 2^64 - 1 = 65535 * 65537 * (641 * 6700417) elements. A norm brings an element into the field of 16 bits,
//! where a table has its logarithm modulo 65535. For the other factors an element is divided by its conjugate (over the field
//! of half the width): what comes out has the norm 1, so that its inverse is its conjugate and shares its upper half with it.
//! A table by upper halves therefore serves both signs of an exponent: 32769 entries for all of 65537, and for 6700417
//! 65537 entries, from which 52 steps reach everything. What is left has an order that divides 641: a table again. The
//! logarithm to the fixed base 2^32 + 6, put together by the Chinese remainder theorem, gives that to any base.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the field), `[PH78]` (subgroups of prime order), `[Sha71]` (steps of two sizes).

use std::sync::LazyLock;

use grundy_core::theory::nim_log::{LogError, field_bits};

use super::{
    basis::{self, TO_NIM, TO_POLYNOMIAL, apply, apply32},
    carryless, inverse, power,
    sixteen::{self, Sixteen},
};

/// A primitive element: the base of all that is stored.
const BASE: u64 = 0x1_0000_0006;

/// Elements other than 0.
const GROUP: u64 = u64::MAX;

const P16: u64 = sixteen::GROUP as u64;
const P17: u64 = 65_537;
const SMALL: u64 = 641;
const LARGE: u64 = 6_700_417;

/// Largest exponent in the table for [`LARGE`].
const REACH: u64 = 1 << 16;

/// The least k >= 1 for which the product of k factors a is 1; None for 0.
///
/// # Complexity
/// Two inverses, two powers.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::order64;
/// assert_eq!((order64(0), order64(1), order64(4), order64(0x12)), (None, Some(1), Some(15), Some(255)));
/// ```
pub fn order64(a: u64) -> Option<u64> {
    if a == 0 {
        return None;
    }
    let parts = Parts::of(a);
    let mut order = P16 / bezout(Sixteen::get().log(parts.norm) as u64, P16).0;
    for (is_one, prime) in [
        (parts.turn32 == 1, P17),
        (power::of_polynomial(parts.turn64, SMALL) == 1, LARGE),
        (power::of_polynomial(parts.turn64, LARGE) == 1, SMALL),
    ] {
        order *= if is_one { 1 } else { prime };
    }
    Some(order)
}

/// True if the powers of a are all elements other than 0 of the least field that holds a.
///
/// # Complexity
/// That of [`order64`].
///
/// # Examples
/// ```
/// use grundy::nimfield::is_primitive64;
/// assert!(is_primitive64(0x1_0000_0006) && !is_primitive64(0x1_0000_0000));
/// ```
pub fn is_primitive64(a: u64) -> bool {
    order64(a) == Some(GROUP >> (u64::BITS - field_bits(a.into())))
}

/// The least k for which the product of k factors `base` is a.
///
/// # Complexity
/// That of [`LogBase64::new`] and [`LogBase64::log`].
///
/// # Errors
/// [`LogError::Zero`] if a or the base is 0, [`LogError::NoPower`] if a is no power of the base.
///
/// # Examples
/// ```
/// use grundy::nimfield::{log64, power64};
/// use grundy_core::theory::nim_log::LogError;
/// assert_eq!(log64(power64(0x1_0000_0006, 1 << 60), 0x1_0000_0006), Ok(1 << 60));
/// assert_eq!((log64(1, 2), log64(3, 2), log64(4, 2)), (Ok(0), Ok(2), Err(LogError::NoPower)));
/// ```
pub fn log64(a: u64, base: u64) -> Result<u64, LogError> {
    LogBase64::new(base)?.log(a)
}

/// A base for many logarithms.
///
/// # Examples
/// ```
/// use grundy::nimfield::LogBase64;
/// let base = LogBase64::new(2).unwrap();
/// assert_eq!(base.order(), 3);
/// assert_eq!([1, 2, 3].map(|a| base.log(a).unwrap()), [0, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogBase64 {
    order: u64,
    /// 1 / the index of the base, modulo its order.
    factor: u64,
}

impl LogBase64 {
    /// Prepares a base.
    ///
    /// # Complexity
    /// Some 60 products of the polynomial basis, and half a million at the very first call, for tables of 1.5 MB.
    ///
    /// # Errors
    /// [`LogError::Zero`] if it is 0.
    pub fn new(base: u64) -> Result<LogBase64, LogError> {
        if base == 0 {
            return Err(LogError::Zero);
        }
        let index = Logarithms::get().index(base);
        let (common, factor) = bezout(index, GROUP);
        let order = GROUP / common;
        Ok(LogBase64 { order, factor: factor % order })
    }

    /// The number of powers of the base.
    pub fn order(self) -> u64 {
        self.order
    }

    /// The least k for which the product of k factors of the base is a.
    ///
    /// # Complexity
    /// Some 60 products of the polynomial basis, 30 on average.
    ///
    /// # Errors
    /// [`LogError::Zero`] if a is 0, [`LogError::NoPower`] if it is no power of the base.
    pub fn log(self, a: u64) -> Result<u64, LogError> {
        if a == 0 {
            return Err(LogError::Zero);
        }
        let index = Logarithms::get().index(a);
        let step = GROUP / self.order;
        if !index.is_multiple_of(step) {
            return Err(LogError::NoPower);
        }
        Ok((u128::from(index / step) * u128::from(self.factor) % u128::from(self.order)) as u64)
    }
}

/// What an element is in each part of the group.
struct Parts {
    /// Its norm in the field of 16 bits.
    norm: u16,
    /// The quotient of its norm h in the field of 32 bits and the conjugate of h: a nimber.
    turn32: u32,
    /// The quotient of its conjugate and itself: a polynomial.
    turn64: u64,
}

impl Parts {
    /// For a nimber other than 0.
    fn of(a: u64) -> Parts {
        let conjugate = apply(&TO_POLYNOMIAL, a ^ a >> 32);
        let inverse = inverse::of_polynomial(apply(&TO_POLYNOMIAL, a)).unwrap_or(1);
        let h = basis::to_nim32(carryless::product(apply(&TO_POLYNOMIAL, a), conjugate));
        let by = inverse::of_nimber32(h).unwrap_or(1);
        let turned = carryless::product(apply32(&TO_POLYNOMIAL, h ^ h >> 16), apply32(&TO_POLYNOMIAL, by));
        Parts {
            norm: Sixteen::get().norm16(h),
            turn32: basis::to_nim32(turned),
            turn64: carryless::product(conjugate, inverse),
        }
    }
}

/// Powers of an element of norm 1, by their upper halves.
#[derive(Debug)]
struct Turns {
    /// Upper half, then exponent, then the bit of the lower half at the place of the upper half's lowest bit; 0 for none.
    slots: Box<[u64]>,
    shift: u32,
}

impl Turns {
    const EXPONENT_BITS: u32 = 20;

    /// Some powers, from the 0th on, each as its upper and its lower half.
    fn new(powers: impl ExactSizeIterator<Item = (u32, u32)>) -> Turns {
        let bits = (2 * powers.len()).next_power_of_two().trailing_zeros();
        let mut turns = Turns { slots: vec![0; 1 << bits].into(), shift: u32::BITS - bits };
        for (k, (high, low)) in powers.enumerate().skip(1) {
            let mut slot = turns.first_slot(high);
            while turns.slots[slot] != 0 {
                slot = (slot + 1) % turns.slots.len();
            }
            turns.slots[slot] =
                u64::from(high) << 32 | (k as u64) << 1 | u64::from(low >> (high.trailing_zeros() % 32) & 1);
        }
        turns
    }

    #[inline]
    fn first_slot(&self, high: u32) -> usize {
        (high.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }

    /// The exponent of a power, between minus and plus the largest one; None if it is not there.
    #[inline]
    fn exponent(&self, high: u32, low: u32) -> Option<i64> {
        if high == 0 {
            return Some(0);
        }
        let mut slot = self.first_slot(high);
        loop {
            let found = self.slots[slot];
            if found >> 32 == u64::from(high) {
                let k = (found as u32 >> 1 & ((1 << Turns::EXPONENT_BITS) - 1)).into();
                let same = u64::from(low >> high.trailing_zeros() & 1) == found & 1;
                return Some(if same { k } else { -k });
            }
            if found == 0 {
                return None;
            }
            slot = (slot + 1) % self.slots.len();
        }
    }
}

/// Tables for logarithms to the base [`BASE`].
#[derive(Debug)]
struct Logarithms {
    /// 1 / the logarithm of the base's norm, modulo 65535.
    norm_factor: u64,
    turns17: Turns,
    turns_small: Turns,
    turns_large: Turns,
    /// The power of the base's part that leads on by all that [`Logarithms::turns_large`] reaches, inverted.
    stride: u64,
    /// The base's part to the power of minus each byte, at each of the three places of bytes.
    back: [[u64; 256]; 3],
    /// For 65535, 65537 and 2^32 + 1 what is 1 modulo it and 0 modulo the others.
    idempotents: [u64; 3],
}

impl Logarithms {
    fn get() -> &'static Logarithms {
        static TABLES: LazyLock<Logarithms> = LazyLock::new(Logarithms::new);
        &TABLES
    }

    fn new() -> Logarithms {
        let Parts { norm, turn32, turn64 } = Parts::of(BASE);
        let turns17 = {
            let mut a = 1;
            Turns::new((0..P17 as u32 / 2 + 1).map(|_| {
                let here = (a >> 16, a & 0xffff);
                a = super::product32(a, turn32);
                here
            }))
        };
        let powers = |a: u64, count: u32| {
            let mut power = 1;
            (0..count).map(move |_| {
                let here = halves(apply(&TO_NIM, power));
                power = carryless::product(power, a);
                here
            })
        };
        let large = power::of_polynomial(turn64, SMALL);
        let inverted = |a: u64| inverse::of_polynomial(a).unwrap_or(1);
        let back = [0, 8, 16].map(|place| {
            let step = inverted(power::of_polynomial(turn64, 1 << place));
            let mut powers = [1; 256];
            for k in 1..256 {
                powers[k] = carryless::product(powers[k - 1], step);
            }
            powers
        });
        let idempotents = [P16, P17, SMALL * LARGE].map(|m| {
            let others = GROUP / m;
            others * bezout(others % m, m).1
        });
        Logarithms {
            norm_factor: bezout(Sixteen::get().log(norm) as u64, P16).1,
            turns17,
            turns_small: Turns::new(powers(power::of_polynomial(turn64, LARGE), SMALL as u32 / 2 + 1)),
            turns_large: Turns::new(powers(large, REACH as u32 + 1)),
            stride: inverted(power::of_polynomial(large, 2 * REACH + 1)),
            back,
            idempotents,
        }
    }

    /// The logarithm of a nimber other than 0.
    fn index(&self, a: u64) -> u64 {
        let Parts { norm, turn32, turn64 } = Parts::of(a);
        let modulo16 = Sixteen::get().log(norm) as u64 * self.norm_factor % P16;
        let exponent = self.turns17.exponent(turn32 >> 16, turn32 & 0xffff).unwrap_or(0);
        let modulo17 = exponent.rem_euclid(P17 as i64) as u64;
        let modulo33 = self.index_of_turn(turn64);
        let residues = [modulo16, modulo17, modulo33];
        residues.into_iter().zip(self.idempotents).fold(0, |sum, (r, e)| {
            let x = u128::from(r) * u128::from(e) + u128::from(sum);
            // 2^64 is 1
            let x = (x >> 64) + u128::from(x as u64);
            let x = (x >> 64) as u64 + x as u64;
            if x == GROUP { 0 } else { x }
        })
    }

    /// The logarithm of an element of norm 1 to the base's part, modulo 2^32 + 1.
    fn index_of_turn(&self, turn: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if carryless::multiplies() {
            // SAFETY: what it needs is there.
            return unsafe { self.index_of_turn_clmul(turn) };
        }
        self.index_of_turn_by(turn, carryless::product_portable)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "pclmulqdq")]
    fn index_of_turn_clmul(&self, turn: u64) -> u64 {
        self.index_of_turn_by(turn, |a, b| carryless::product_clmul(a, b))
    }

    #[inline(always)]
    fn index_of_turn_by(&self, turn: u64, product: impl Fn(u64, u64) -> u64) -> u64 {
        // turn^641: 641 = 512 + 128 + 1
        let mut a = turn;
        let mut seventh = turn;
        for k in 0..9 {
            if k == 7 {
                seventh = a;
            }
            a = product(a, a);
        }
        let mut a = product(product(a, seventh), turn);
        let mut modulo_large = 0;
        // a last step beyond all of them ends the search for what cannot be there
        for step in 0..=(LARGE / (2 * REACH + 1)) as i64 {
            let (high, low) = halves(apply(&TO_NIM, a));
            if let Some(k) = self.turns_large.exponent(high, low) {
                modulo_large = (step * (2 * REACH as i64 + 1) + k).rem_euclid(LARGE as i64) as u64;
                break;
            }
            a = product(a, self.stride);
        }
        let [b0, b1, b2, ..] = modulo_large.to_le_bytes().map(usize::from);
        let back = product(product(self.back[0][b0], self.back[1][b1]), self.back[2][b2]);
        let (high, low) = halves(apply(&TO_NIM, product(turn, back)));
        let rest = self.turns_small.exponent(high, low).unwrap_or(0).rem_euclid(SMALL as i64) as u64;
        modulo_large + LARGE * rest
    }
}

fn halves(a: u64) -> (u32, u32) {
    ((a >> 32) as u32, a as u32)
}

/// The greatest common divisor d of a and m, and the k below m with k a = d modulo m; (m, 0) for a = 0.
fn bezout(a: u64, m: u64) -> (u64, u64) {
    let (mut r, mut s) = ((m, a), (0u64, 1u64));
    // r.0 = +-s.0 a, r.1 = -+s.1 a modulo m
    let mut positive = true;
    while r.1 != 0 {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 % r.1);
        s = (s.1, s.0.wrapping_add(quotient.wrapping_mul(s.1)));
        positive = !positive;
    }
    (r.0, if s.0 == 0 || !positive { s.0 % m } else { m - s.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::nim_log;
    use proptest::prelude::*;

    #[test]
    fn the_primes_are_all() {
        assert_eq!(P16 * P17 * SMALL * LARGE, GROUP);
        assert_eq!(order64(BASE), Some(GROUP));
    }

    #[test]
    fn common_divisors() {
        for (a, m) in [(0, 7), (1, 7), (3, 7), (12, 18), (18, 12), (GROUP - 1, GROUP), (5, GROUP), (1, 1)] {
            let (d, k) = bezout(a, m);
            assert!(m.is_multiple_of(d) && a.is_multiple_of(d), "{a} {m}: {d}");
            assert_eq!(u128::from(k) * u128::from(a) % u128::from(m), u128::from(d % m), "{a} {m}: {k}");
        }
    }

    proptest! {
        #[test]
        fn logarithms_of_powers(k: u64, part in 0..128u32) {
            // bases of many orders
            let factor = [3, 5, 17, 257, 641, 65_537, 6_700_417].into_iter().enumerate();
            let index = factor.filter(|(i, _)| part >> i & 1 == 1).fold(1, |product: u64, (_, p)| product.wrapping_mul(p));
            let base = super::super::power64(BASE, index);
            let prepared = LogBase64::new(base).unwrap();
            prop_assert_eq!(Some(prepared.order()), order64(base));
            prop_assert_eq!(u128::from(prepared.order()), nim_log::order(base.into()).unwrap());
            let a = super::super::power64(base, k);
            prop_assert_eq!(log64(a, base), Ok(k % prepared.order()));
        }

        #[test]
        fn the_portable_search_finds_the_same(a in 1..u64::MAX) {
            let turn = Parts::of(a).turn64;
            let tables = Logarithms::get();
            prop_assert_eq!(tables.index_of_turn_by(turn, carryless::product_portable), tables.index_of_turn(turn));
        }

        #[test]
        fn orders_are_those_of_the_oracle(a: u64, width in 0..64u32) {
            let a = a >> width;
            prop_assert_eq!(order64(a).map(u128::from), nim_log::order(a.into()));
            prop_assert_eq!(is_primitive64(a), nim_log::is_primitive(a.into()));
        }

        #[test]
        fn small_logarithms_are_those_of_the_oracle(a in 0..300u64, base in 0..300u64) {
            prop_assert_eq!(log64(a, base), nim_log::log(a.into(), base.into()));
        }
    }
}
