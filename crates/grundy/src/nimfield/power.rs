//! Powers of one nimber.
//!
//! a^(2^16), a^(2^32) and a^(2^48) are additive in a: eight loads each. Of the exponent's four parts of 16 bits one bit each
//! is taken a step, from the top: a square and the product of one of 16 prepared ones.
//!
//! # Sources
//! `[Str64]` (several powers by common squarings).

use super::{
    basis::{self, Tables, apply},
    carryless,
};

/// The polynomial of a to that of a^(2^16).
static FROBENIUS16: Tables = {
    let (mut x, mut i) = (2, 0);
    while i < 16 {
        x = carryless::product_portable(x, x);
        i += 1;
    }
    let (mut columns, mut i) = ([1; 64], 1);
    while i < 64 {
        columns[i] = carryless::product_portable(columns[i - 1], x);
        i += 1;
    }
    basis::tables(&columns)
};

/// The k-th power, all in the polynomial basis.
pub(super) fn of_polynomial(a: u64, k: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if carryless::multiplies() {
        // SAFETY: what it needs is there.
        return unsafe { of_polynomial_clmul(a, k) };
    }
    by(a, k, carryless::product_portable)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "pclmulqdq")]
fn of_polynomial_clmul(a: u64, k: u64) -> u64 {
    by(a, k, |a, b| carryless::product_clmul(a, b))
}

#[inline(always)]
fn by(a: u64, k: u64, product: impl Fn(u64, u64) -> u64) -> u64 {
    // the product of those of the four that a set's bits name
    let mut prepared = [1; 16];
    let mut one = a;
    for i in 0..4 {
        prepared[1 << i] = one;
        for rest in 1..1 << i {
            prepared[1 << i | rest] = product(one, prepared[rest]);
        }
        one = apply(&FROBENIUS16, one);
    }
    let mut result = 1;
    for bit in (0..16).rev() {
        let set = (0..4).fold(0, |set, i| set | (k >> (16 * i + bit) & 1) << i);
        result = product(product(result, result), prepared[set as usize]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::nim_product;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn powers_are_those_of_the_oracle(a: u64, k: u64, width in 0..64u32) {
            let k = k >> width;
            let expected = apply(&basis::TO_POLYNOMIAL, nim_product::power(a.into(), k.into()) as u64);
            let a = apply(&basis::TO_POLYNOMIAL, a);
            prop_assert_eq!(of_polynomial(a, k), expected);
            prop_assert_eq!(by(a, k, carryless::product_portable), expected);
        }
    }
}
