//! Nimbers of any width: the tower over limbs of 64 bits.
//!
//! A nimber is a slice of limbs, the lowest first; any number of zero limbs may stand at its end, and results have none (0 has
//! no limbs). The limbs are converted to the polynomial basis once, each step up the tower takes three products of half the
//! width and one by 2^(h - 1), which is cheap, and the result's limbs are converted back. Inverses go down by norms.
//!
//! # Complexity
//! With n limbs, rounded up to a power of two 2^k, a product takes 3^k (1 + k / 3) products of limbs and O(n) memory; squares,
//! roots and solutions about as many as a product or fewer, and an inverse no more than two products.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower), `[KO62]` (three products in place of four).

use super::{
    basis::{
        HALF_SOLUTION_OF_POLYNOMIAL, SQRT_OF_POLYNOMIAL, TO_NIM, TO_POLYNOMIAL, TO_POLYNOMIAL_COLUMNS, apply,
        top_bit_of_polynomial,
    },
    carryless, inverse as single,
};

/// 2^63 in the polynomial basis.
const TOP: u64 = TO_POLYNOMIAL_COLUMNS[63];

/// Limbs of intermediate results for each limb of an operand.
const ROOM: usize = 6;

/// The operations of the tower, with all limbs in the polynomial basis and as many limbs as a power of two.
macro_rules! tower {
    ($module:ident, $product:expr $(, $feature:literal)?) => {
        mod $module {
            use super::*;

            /// c = 2^(h - 1) x c, h the bits of c: H c = H'(c0 + c1) F' + H'(H' c1).
            $(#[target_feature(enable = $feature)])?
            pub(super) fn times_top(c: &mut [u64]) {
                if let [c] = c {
                    *c = $product(*c, TOP);
                    return;
                }
                let (c0, c1) = c.split_at_mut(c.len() / 2);
                add(c0, c1);
                times_top(c0);
                times_top(c1);
                times_top(c1);
                c0.swap_with_slice(c1);
            }

            $(#[target_feature(enable = $feature)])?
            pub(super) fn product(a: &[u64], b: &[u64], out: &mut [u64], room: &mut [u64]) {
                match (a, b, &mut *out) {
                    ([a], [b], [out]) => return *out = $product(*a, *b),
                    ([a0, a1], [b0, b1], [low, high]) => {
                        *low = $product(*a0, *b0);
                        *high = $product(*a0 ^ *a1, *b0 ^ *b1) ^ *low;
                        *low ^= $product($product(*a1, *b1), TOP);
                        return;
                    }
                    _ => {}
                }
                let half = a.len() / 2;
                let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
                let (low, high) = out.split_at_mut(half);
                product(a0, b0, low, room);
                let (sums, more) = room.split_at_mut(2 * half);
                let (a_sum, b_sum) = sums.split_at_mut(half);
                a_sum.copy_from_slice(a0);
                add(a_sum, a1);
                b_sum.copy_from_slice(b0);
                add(b_sum, b1);
                product(a_sum, b_sum, high, more);
                add(high, low);
                let (both, more) = room.split_at_mut(half);
                product(a1, b1, both, more);
                times_top(both);
                add(low, both);
            }

            $(#[target_feature(enable = $feature)])?
            pub(super) fn square(a: &mut [u64], room: &mut [u64]) {
                if let [a] = a {
                    *a = $product(*a, *a);
                    return;
                }
                let (a0, a1) = a.split_at_mut(a.len() / 2);
                square(a1, room);
                square(a0, room);
                let top = &mut room[..a1.len()];
                top.copy_from_slice(a1);
                times_top(top);
                add(a0, top);
            }

            $(#[target_feature(enable = $feature)])?
            pub(super) fn sqrt(a: &mut [u64], room: &mut [u64]) {
                if let [a] = a {
                    *a = apply(&SQRT_OF_POLYNOMIAL, *a);
                    return;
                }
                let (a0, a1) = a.split_at_mut(a.len() / 2);
                let top = &mut room[..a1.len()];
                top.copy_from_slice(a1);
                times_top(top);
                add(a0, top);
                sqrt(a0, room);
                sqrt(a1, room);
            }

            /// 1 / a for an a other than 0.
            $(#[target_feature(enable = $feature)])?
            pub(super) fn inverse(a: &[u64], out: &mut [u64], room: &mut [u64]) {
                if let ([a], [out]) = (a, &mut *out) {
                    *out = single::of_polynomial(*a).unwrap_or(0);
                    return;
                }
                let half = a.len() / 2;
                let (a0, a1) = a.split_at(half);
                let (own, room) = room.split_at_mut(3 * half);
                let (both, own) = own.split_at_mut(half);
                let (norm, by) = own.split_at_mut(half);
                both.copy_from_slice(a0);
                add(both, a1);
                // a0 (a0 + a1) + H a1 a1
                by.copy_from_slice(a1);
                square(by, room);
                times_top(by);
                product(a0, both, norm, room);
                add(norm, by);
                inverse(norm, by, room);
                let (low, high) = out.split_at_mut(half);
                product(both, by, low, room);
                product(a1, by, high, room);
            }

            /// a = the even x with x x x + x = a, for an a whose top bit is 0.
            $(#[target_feature(enable = $feature)])?
            pub(super) fn half_solution(a: &mut [u64], room: &mut [u64]) {
                if let [a] = a {
                    *a = apply(&HALF_SOLUTION_OF_POLYNOMIAL, *a);
                    return;
                }
                let (a0, a1) = a.split_at_mut(a.len() / 2);
                half_solution(a1, room);
                let (top, room) = room.split_at_mut(a1.len());
                top.copy_from_slice(a1);
                square(top, room);
                times_top(top);
                add(a0, top);
                // with x1 + 1 for x1 the rest changes by its top bit
                let last = a0.len() - 1;
                let trace = top_bit_of_polynomial(a0[last]);
                a1[0] ^= trace;
                a0[last] ^= TOP * trace;
                half_solution(a0, room);
            }
        }
    };
}

tower!(portable, carryless::product_portable);
#[cfg(target_arch = "x86_64")]
tower!(clmul, carryless::product_clmul, "pclmulqdq");

fn add(sum: &mut [u64], a: &[u64]) {
    for (sum, a) in sum.iter_mut().zip(a) {
        *sum ^= a;
    }
}

/// Calls a function of the tower in the fastest form that the machine has.
macro_rules! fastest {
    ($function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if carryless::multiplies() {
            // SAFETY: what it needs is there.
            unsafe { clmul::$function($($argument),*) }
        } else {
            portable::$function($($argument),*)
        }
        #[cfg(not(target_arch = "x86_64"))]
        portable::$function($($argument),*)
    }};
}

/// The limbs without zeros at the end.
fn trimmed(a: &[u64]) -> &[u64] {
    &a[..a.len() - a.iter().rev().take_while(|limb| **limb == 0).count()]
}

/// Polynomials of so many limbs.
fn polynomials(a: &[u64], limbs: usize) -> Vec<u64> {
    let mut all: Vec<u64> = a.iter().map(|limb| apply(&TO_POLYNOMIAL, *limb)).collect();
    all.resize(limbs, 0);
    all
}

/// The nimber with these polynomials for limbs.
fn nimber(mut polynomials: Vec<u64>) -> Vec<u64> {
    for limb in &mut polynomials {
        *limb = apply(&TO_NIM, *limb);
    }
    polynomials.truncate(trimmed(&polynomials).len());
    polynomials
}

/// The nim product of nimbers of any width.
///
/// # Complexity
/// That of the module.
///
/// # Sources
/// `[ONAG]` chapter 6.
///
/// # Examples
/// ```
/// use grundy::nimfield::wide::product;
/// // 2^64 x 2^64 = 2^64 + 2^63, and an ordinary product of different Fermat powers
/// assert_eq!(product(&[0, 1], &[0, 1]), [1 << 63, 1]);
/// assert_eq!(product(&[0, 0, 1], &[0, 1]), [0, 0, 0, 1]);
/// assert!(product(&[7], &[0, 0]).is_empty());
/// ```
pub fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (a, b) = (trimmed(a), trimmed(b));
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let limbs = a.len().max(b.len()).next_power_of_two();
    let (a, b) = (polynomials(a, limbs), polynomials(b, limbs));
    let (mut out, mut room) = (vec![0; limbs], vec![0; ROOM * limbs]);
    fastest!(product(&a, &b, &mut out, &mut room));
    nimber(out)
}

/// An operation in place on a nimber that is not 0.
fn in_place(a: &[u64], operation: impl Fn(&mut [u64], &mut [u64])) -> Vec<u64> {
    let a = trimmed(a);
    if a.is_empty() {
        return Vec::new();
    }
    let limbs = a.len().next_power_of_two();
    let mut a = polynomials(a, limbs);
    operation(&mut a, &mut vec![0; ROOM * limbs]);
    nimber(a)
}

/// The nim square of a nimber of any width.
///
/// # Complexity
/// That of the module.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::wide::square(&[0, 0, 1]), [0, 1 << 63, 1]);
/// ```
pub fn square(a: &[u64]) -> Vec<u64> {
    in_place(a, |a, room| fastest!(square(a, room)))
}

/// The nim square root of a nimber of any width.
///
/// # Complexity
/// That of the module.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::wide::sqrt(&[0, 1 << 63, 1]), [0, 0, 1]);
/// ```
pub fn sqrt(a: &[u64]) -> Vec<u64> {
    in_place(a, |a, room| fastest!(sqrt(a, room)))
}

/// The nim inverse of a nimber of any width; None for 0.
///
/// # Complexity
/// That of the module.
///
/// # Examples
/// ```
/// use grundy::nimfield::wide::{inverse, product};
/// assert_eq!(product(&inverse(&[5, 0, 1]).unwrap(), &[5, 0, 1]), [1]);
/// assert_eq!(inverse(&[0]), None);
/// ```
pub fn inverse(a: &[u64]) -> Option<Vec<u64>> {
    let a = trimmed(a);
    if a.is_empty() {
        return None;
    }
    let limbs = a.len().next_power_of_two();
    let a = polynomials(a, limbs);
    let (mut out, mut room) = (vec![0; limbs], vec![0; ROOM * limbs]);
    fastest!(inverse(&a, &mut out, &mut room));
    Some(nimber(out))
}

/// The even x with x x x + x = a for a nimber of any width; the other solution is x + 1.
///
/// If the top bit of the least field of whole limbs that holds a is set, the solutions lie in the field of twice the width.
///
/// # Complexity
/// That of the module.
///
/// # Examples
/// ```
/// use grundy::nimfield::wide::half_solution;
/// assert_eq!(half_solution(&[1]), [2]);
/// // 2^64 x 2^64 + 2^64 = 2^63
/// assert_eq!(half_solution(&[1 << 63]), [0, 1]);
/// ```
pub fn half_solution(a: &[u64]) -> Vec<u64> {
    let a = trimmed(a);
    let limbs = a.len().next_power_of_two();
    let mut rest = polynomials(a, limbs);
    // F x F + F is the top bit
    let is_outside = top_bit_of_polynomial(rest[limbs - 1]) == 1;
    if is_outside {
        rest[limbs - 1] ^= TOP;
    }
    fastest!(half_solution(&mut rest, &mut vec![0; ROOM * limbs]));
    let mut x = nimber(rest);
    if is_outside {
        x.resize(limbs, 0);
        x.push(1);
    }
    x
}

fn limbs(a: u128) -> [u64; 2] {
    [a as u64, (a >> 64) as u64].map(|limb| apply(&TO_POLYNOMIAL, limb))
}

fn number([low, high]: [u64; 2]) -> u128 {
    u128::from(apply(&TO_NIM, high)) << 64 | u128::from(apply(&TO_NIM, low))
}

/// The nim product of nimbers below 2^128.
///
/// # Complexity
/// 48 loads and four products of the polynomial basis.
///
/// # Examples
/// ```
/// assert_eq!(grundy::nimfield::product128(1 << 64, 1 << 64), 3 << 63);
/// ```
#[inline]
pub fn product128(a: u128, b: u128) -> u128 {
    let mut out = [0; 2];
    fastest!(product(&limbs(a), &limbs(b), &mut out, &mut []));
    number(out)
}

/// The nim square of a nimber below 2^128.
///
/// # Complexity
/// 32 loads and three products of the polynomial basis.
#[inline]
pub fn square128(a: u128) -> u128 {
    let mut a = limbs(a);
    fastest!(square(&mut a, &mut [0; 2]));
    number(a)
}

/// The nim square root of a nimber below 2^128.
///
/// # Complexity
/// 48 loads and one product of the polynomial basis.
#[inline]
pub fn sqrt128(a: u128) -> u128 {
    let mut a = limbs(a);
    fastest!(sqrt(&mut a, &mut [0; 2]));
    number(a)
}

/// The nim inverse of a nimber below 2^128; None for 0.
///
/// # Complexity
/// 32 loads, six products of the polynomial basis and the inverse of a nimber below 2^64.
///
/// # Examples
/// ```
/// use grundy::nimfield::{inverse128, product128};
/// assert_eq!(product128(inverse128(1 << 127).unwrap(), 1 << 127), 1);
/// assert_eq!(inverse128(0), None);
/// ```
#[inline]
pub fn inverse128(a: u128) -> Option<u128> {
    let mut out = [0; 2];
    if a == 0 {
        return None;
    }
    fastest!(inverse(&limbs(a), &mut out, &mut [0; 2 * ROOM]));
    Some(number(out))
}

/// The even x below 2^128 with x x x + x = a, the other solution being x + 1; None for an a of 2^127 or more.
///
/// # Complexity
/// 48 loads and two products of the polynomial basis.
#[inline]
pub fn half_solution128(a: u128) -> Option<u128> {
    if a >> 127 == 1 {
        return None;
    }
    let mut a = limbs(a);
    fastest!(half_solution(&mut a, &mut [0; 2 * ROOM]));
    Some(number(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn limbs_of(n: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(any::<u64>(), n)
    }

    /// The definition on halves, down to what the oracle knows.
    fn plain(a: &[u64], b: &[u64]) -> Vec<u64> {
        if let ([a], [b]) = (a, b) {
            return vec![grundy_core::theory::nim_product::product((*a).into(), (*b).into()) as u64];
        }
        let half = a.len() / 2;
        let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
        let xor = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a ^ b).collect::<Vec<u64>>();
        let [p00, p01, p10, p11] = [plain(a0, b0), plain(a0, b1), plain(a1, b0), plain(a1, b1)];
        let mut top = vec![0; half];
        top[half - 1] = 1 << 63;
        let low = xor(&p00, &plain(&p11, &top));
        [low, xor(&xor(&p01, &p10), &p11)].concat()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn products_are_those_of_the_definition(a in limbs_of(8), b in limbs_of(8), zeros in 0..8usize) {
            let mut a = a;
            a[8 - zeros..].fill(0);
            let expected = plain(&a, &b);
            prop_assert_eq!(&product(&a, &b), trimmed(&expected));
            prop_assert_eq!(&product(&b, trimmed(&a)), trimmed(&expected));
        }

        #[test]
        fn the_portable_form_does_the_same(a in limbs_of(16), b in limbs_of(16)) {
            let room = &mut [0; 16 * ROOM];
            let two = |f: &mut dyn FnMut(&mut [u64])| { let mut out = [0; 16]; f(&mut out); nimber(out.to_vec()) };
            let (pa, pb) = (polynomials(&a, 16), polynomials(&b, 16));
            prop_assert_eq!(two(&mut |out| portable::product(&pa, &pb, out, room)), product(&a, &b));
            prop_assert_eq!(two(&mut |out| portable::inverse(&pa, out, room)), inverse(&a).unwrap());
            type InPlace = fn(&mut [u64], &mut [u64]);
            let ways: [(InPlace, Vec<u64>); 2] = [(portable::square, square(&a)), (portable::sqrt, sqrt(&a))];
            for (way, expected) in ways {
                let mut a = pa.clone();
                way(&mut a, room);
                prop_assert_eq!(nimber(a), expected);
            }
            let mut even = a.clone();
            even[15] &= u64::MAX >> 1;
            let mut x = polynomials(&even, 16);
            portable::half_solution(&mut x, room);
            prop_assert_eq!(nimber(x), half_solution(&even));
        }

        #[test]
        fn inverses_roots_and_solutions_of_all_widths(a in limbs_of(1..65)) {
            let a = trimmed(&a);
            prop_assert_eq!(square(a), product(a, a));
            prop_assert_eq!(&sqrt(&square(a)), a);
            prop_assert_eq!(&square(&sqrt(a)), a);
            if let Some(inverse) = inverse(a) {
                prop_assert_eq!(product(a, &inverse), [1]);
            }
            let x = half_solution(a);
            let mut sum = square(&x);
            sum.resize(sum.len().max(x.len()), 0);
            add(&mut sum, &x);
            prop_assert_eq!(trimmed(&sum), a);
            prop_assert!(x.first().is_none_or(|x| x % 2 == 0));
        }
    }

    #[test]
    fn solutions_at_the_edges() {
        let top = |limbs: usize, more: u64| {
            let mut a = vec![0; limbs];
            a[limbs - 1] = 1 << 63;
            a[0] |= more;
            a
        };
        for a in [
            vec![],
            vec![0, 0],
            vec![1 << 62],
            top(1, 0),
            top(1, 5),
            top(2, 1),
            top(4, 0),
            vec![0, 1, 1 << 63],
            vec![1 << 63, 1 << 63],
        ] {
            let x = half_solution(&a);
            let mut sum = square(&x);
            sum.resize(sum.len().max(x.len()), 0);
            add(&mut sum, &x);
            assert_eq!(trimmed(&sum), trimmed(&a), "{a:?}");
        }
    }
}
