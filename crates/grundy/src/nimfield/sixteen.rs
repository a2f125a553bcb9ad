//! The nimbers below 2^16 by logarithms, and the wider ones over them: products without any special instruction.
//!
//! The powers of 10279 are all nimbers below 2^16 but 0, and 10279^3 = 2^15: a product by 2^15, which the tower needs at each
//! level, adds 3 to a logarithm. 0 has a logarithm so large that every sum with it falls among zeros.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower).

use std::sync::LazyLock;

use super::basis;

/// Elements other than 0.
pub(super) const GROUP: usize = 65_535;

const GENERATOR: u64 = 10_279;

/// The logarithm of 2^15.
const TOP: usize = 3;

/// The logarithm of 0: beyond the sum of two others and [`TOP`].
const LOG_OF_ZERO: u32 = 2 * GROUP as u32 + TOP as u32;

/// Logarithms and powers: 256 KB and 512 KB.
#[derive(Debug)]
pub(super) struct Sixteen {
    log: Box<[u32; 1 << 16]>,
    /// Twice all powers, then zeros.
    power: Box<[u16; 1 << 19]>,
}

impl Sixteen {
    /// The tables, made at the first call (less than a millisecond).
    #[inline]
    pub(super) fn get() -> &'static Sixteen {
        static TABLES: LazyLock<Sixteen> = LazyLock::new(Sixteen::new);
        &TABLES
    }

    fn new() -> Sixteen {
        let columns: [u16; 16] = std::array::from_fn(|i| basis::product(GENERATOR, 1 << i, 16) as u16);
        let mut log: Box<[u32; 1 << 16]> = vec![LOG_OF_ZERO; 1 << 16].try_into().expect("as many");
        let mut power: Box<[u16; 1 << 19]> = vec![0; 1 << 19].try_into().expect("as many");
        let mut a = 1u16;
        for k in 0..2 * GROUP + TOP {
            power[k] = a;
            if k < GROUP {
                log[usize::from(a)] = k as u32;
            }
            a = (0..16).filter(|i| a >> i & 1 == 1).fold(0, |sum, i| sum ^ columns[i]);
        }
        Sixteen { log, power }
    }

    /// The k below 65535 with 10279^k = a; a is not 0.
    #[inline]
    pub(super) fn log(&self, a: u16) -> usize {
        self.log[usize::from(a)] as usize
    }

    #[inline(always)]
    fn power(&self, k: usize) -> u16 {
        // a sum of two logarithms and the one of 2^15 stays below 2^19, which the compiler sees so
        self.power[k & ((1 << 19) - 1)]
    }

    #[inline(always)]
    pub(super) fn product16(&self, a: u16, b: u16) -> u16 {
        self.power(self.log(a) + self.log(b))
    }

    /// 2^15 x a x b.
    #[inline(always)]
    fn product16_top(&self, a: u16, b: u16) -> u16 {
        self.power(self.log(a) + self.log(b) + TOP)
    }

    /// 2^15 x a.
    #[inline(always)]
    fn top(&self, a: u16) -> u16 {
        self.power(self.log(a) + TOP)
    }

    /// 1 / a; 0 for 0.
    #[inline(always)]
    pub(super) fn inverse16(&self, a: u16) -> u16 {
        if a == 0 { 0 } else { self.power(GROUP - self.log(a)) }
    }

    #[inline(always)]
    pub(super) fn product32(&self, a: u32, b: u32) -> u32 {
        let (a1, a0, b1, b0) = ((a >> 16) as u16, a as u16, (b >> 16) as u16, b as u16);
        let low = self.product16(a0, b0);
        let across = self.product16(a0 ^ a1, b0 ^ b1);
        u32::from(across ^ low) << 16 | u32::from(low ^ self.product16_top(a1, b1))
    }

    /// 2^31 x a.
    #[inline(always)]
    fn top32(&self, a: u32) -> u32 {
        let (a1, a0) = ((a >> 16) as u16, a as u16);
        u32::from(self.top(a0 ^ a1)) << 16 | u32::from(self.power(self.log(a1) + 2 * TOP))
    }

    /// 1 / a; 0 for 0.
    #[inline]
    pub(super) fn inverse32(&self, a: u32) -> u32 {
        let (a1, a0) = ((a >> 16) as u16, a as u16);
        let norm = self.product16(a0, a0 ^ a1) ^ self.product16_top(a1, a1);
        let by = self.inverse16(norm);
        u32::from(self.product16(a1, by)) << 16 | u32::from(self.product16(a0 ^ a1, by))
    }

    #[inline]
    pub(super) fn product64(&self, a: u64, b: u64) -> u64 {
        let (a1, a0, b1, b0) = ((a >> 32) as u32, a as u32, (b >> 32) as u32, b as u32);
        let (low, high) = (self.product32(a0, b0), self.product32(a1, b1));
        let across = self.product32(a0 ^ a1, b0 ^ b1);
        u64::from(across ^ low) << 32 | u64::from(low ^ self.top32(high))
    }

    /// The product of a with its conjugate over the field of 32 bits.
    #[inline]
    pub(super) fn norm32(&self, a: u64) -> u32 {
        let (a1, a0) = ((a >> 32) as u32, a as u32);
        self.product32(a0, a0 ^ a1) ^ self.top32(self.product32(a1, a1))
    }

    /// The product of a with its conjugate over the field of 16 bits.
    #[inline]
    pub(super) fn norm16(&self, a: u32) -> u16 {
        let (a1, a0) = ((a >> 16) as u16, a as u16);
        self.product16(a0, a0 ^ a1) ^ self.product16_top(a1, a1)
    }

    /// 1 / a; 0 for 0.
    #[inline]
    pub(super) fn inverse64(&self, a: u64) -> u64 {
        let by = self.inverse32(self.norm32(a));
        let (a1, a0) = ((a >> 32) as u32, a as u32);
        u64::from(self.product32(a1, by)) << 32 | u64::from(self.product32(a0 ^ a1, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::nim_product;
    use proptest::prelude::*;

    #[test]
    fn the_generator_is_one() {
        let tables = Sixteen::get();
        assert_eq!(tables.power(TOP), 1 << 15);
        assert_eq!(tables.log.iter().filter(|k| **k == LOG_OF_ZERO).count(), 1);
        assert_eq!((tables.inverse16(0), tables.inverse32(0), tables.inverse64(0)), (0, 0, 0));
    }

    proptest! {
        #[test]
        fn products_and_inverses_are_those_of_the_oracle(a: u64, b: u64, width in 0..64u32) {
            let (a, b) = (a >> width, b >> (width / 2));
            let tables = Sixteen::get();
            let oracle = |a: u64, b: u64| nim_product::product(a.into(), b.into()) as u64;
            prop_assert_eq!(tables.product64(a, b), oracle(a, b));
            let (c, d) = (a as u32, b as u32);
            prop_assert_eq!(u64::from(tables.product32(c, d)), oracle(c.into(), d.into()));
            prop_assert_eq!(u64::from(tables.product16(c as u16, d as u16)), oracle(c as u16 as u64, d as u16 as u64));
            prop_assert_eq!(tables.top32(c), oracle(c.into(), 1 << 31) as u32);
            prop_assert_eq!(nim_product::inverse(a.into()).unwrap_or(0), u128::from(tables.inverse64(a)));
            prop_assert_eq!(nim_product::inverse(c.into()).unwrap_or(0), u128::from(tables.inverse32(c)));
            prop_assert_eq!(u64::from(tables.norm32(a)), oracle(a, a ^ a >> 32));
            prop_assert_eq!(u64::from(tables.norm16(c)), oracle(c.into(), (c ^ c >> 16).into()));
        }
    }
}
