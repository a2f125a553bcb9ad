//! Ordinary whole numbers from 0 on, of any width: what the orders and exponents of wide nimbers are, and how nimbers are read and
//! written.
//!
//! Only what is needed for that: this crate has no dependencies, and the school's methods do for some thousand bits.

use core::{cmp::Ordering, fmt};

/// Largest power of ten in a word, and its number of digits.
const CHUNK: (u64, usize) = (10_000_000_000_000_000_000, 19);

/// A whole number from 0 on.
///
/// # Examples
/// ```
/// use grundy_core::theory::Natural;
/// let big = Natural::from_decimal("340282366920938463463374607431768211456").unwrap();
/// assert_eq!((big.bits(), big.to_u128(), format!("{big:#x}")), (129, None, format!("0x1{}", "0".repeat(32))));
/// assert_eq!(big.minus(&Natural::from(1u64)).unwrap().to_u128(), Some(u128::MAX));
/// assert_eq!(Natural::from(1u64).minus(&big), None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Natural(Limbs);

/// Words of 64 bits, the lowest first.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Limbs {
    One(u64),
    /// At least two, the last one not 0.
    More(Box<[u64]>),
}

impl Natural {
    /// 0
    pub const ZERO: Natural = Natural(Limbs::One(0));
    /// 1
    pub const ONE: Natural = Natural(Limbs::One(1));

    /// From words of 64 bits, the lowest first; zeros at the end do not matter.
    pub fn from_limbs(mut limbs: Vec<u64>) -> Natural {
        while limbs.len() > 1 && limbs.last() == Some(&0) {
            limbs.pop();
        }
        match limbs[..] {
            [] => Natural::ZERO,
            [one] => Natural(Limbs::One(one)),
            _ => Natural(Limbs::More(limbs.into())),
        }
    }

    /// The words of 64 bits, the lowest first: one at least, and of several the last one is not 0.
    pub fn limbs(&self) -> &[u64] {
        match &self.0 {
            Limbs::One(limb) => core::slice::from_ref(limb),
            Limbs::More(limbs) => limbs,
        }
    }

    /// 2^k.
    pub fn power_of_two(k: u32) -> Natural {
        let mut limbs = vec![0; k as usize / 64 + 1];
        limbs[k as usize / 64] = 1 << (k % 64);
        Natural::from_limbs(limbs)
    }

    /// The number of binary digits; 0 for 0.
    pub fn bits(&self) -> u64 {
        let limbs = self.limbs();
        let top = limbs[limbs.len() - 1];
        64 * limbs.len() as u64 - u64::from(top.leading_zeros())
    }

    /// Binary digit k, from the lowest on.
    pub fn bit(&self, k: u64) -> bool {
        let limb = usize::try_from(k / 64).ok().and_then(|i| self.limbs().get(i));
        limb.is_some_and(|limb| limb >> (k % 64) & 1 == 1)
    }

    /// True for 0.
    pub fn is_zero(&self) -> bool {
        *self == Natural::ZERO
    }

    /// The same as a machine number; None from 2^64 on.
    pub fn to_u64(&self) -> Option<u64> {
        match self.0 {
            Limbs::One(limb) => Some(limb),
            Limbs::More(_) => None,
        }
    }

    /// The same as a machine number; None from 2^128 on.
    pub fn to_u128(&self) -> Option<u128> {
        match *self.limbs() {
            [low] => Some(low.into()),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Natural) -> Natural {
        let (a, b) = (self.limbs(), other.limbs());
        let mut sum = Vec::with_capacity(a.len().max(b.len()) + 1);
        let mut carry = false;
        for i in 0..a.len().max(b.len()) {
            let limb = |x: &[u64]| x.get(i).copied().unwrap_or(0);
            let (s, first) = limb(a).overflowing_add(limb(b));
            let (s, second) = s.overflowing_add(carry.into());
            carry = first || second;
            sum.push(s);
        }
        sum.push(carry.into());
        Natural::from_limbs(sum)
    }

    /// The difference; None if it is negative.
    pub fn minus(&self, other: &Natural) -> Option<Natural> {
        if self < other {
            return None;
        }
        let mut rest = self.limbs().to_vec();
        let mut borrow = false;
        for (i, limb) in rest.iter_mut().enumerate() {
            let taken = other.limbs().get(i).copied().unwrap_or(0);
            let (d, first) = limb.overflowing_sub(taken);
            let (d, second) = d.overflowing_sub(borrow.into());
            borrow = first || second;
            *limb = d;
        }
        Some(Natural::from_limbs(rest))
    }

    /// The product.
    ///
    /// # Complexity
    /// O(product of the numbers of words).
    pub fn times(&self, other: &Natural) -> Natural {
        let (a, b) = (self.limbs(), other.limbs());
        let mut product = vec![0; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0u128;
            for (place, y) in product[i..].iter_mut().zip(b.iter().chain(core::iter::once(&0))) {
                carry += u128::from(*x) * u128::from(*y) + u128::from(*place);
                *place = carry as u64;
                carry >>= 64;
            }
        }
        Natural::from_limbs(product)
    }

    /// The ordinary power; None if it has more than `most` binary digits.
    pub fn power(&self, k: &Natural, most: u64) -> Option<Natural> {
        if k.is_zero() || *self == Natural::ONE {
            return Some(Natural::ONE);
        }
        if self.is_zero() {
            return Some(Natural::ZERO);
        }
        // at least 2^((bits - 1) k)
        let k = k.to_u64().filter(|k| (self.bits() - 1).saturating_mul(*k) < most)?;
        let mut power = Natural::ONE;
        for i in (0..64 - k.leading_zeros()).rev() {
            power = power.times(&power);
            if k >> i & 1 == 1 {
                power = power.times(self);
            }
        }
        Some(power).filter(|p| p.bits() <= most)
    }

    /// The number that a text of decimal digits denotes; None for another text.
    ///
    /// # Complexity
    /// O(square of the length).
    pub fn from_decimal(text: &str) -> Option<Natural> {
        if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let mut limbs = Vec::with_capacity(text.len() / CHUNK.1 + 1);
        let mut rest = text;
        while !rest.is_empty() {
            let (head, tail) = rest.split_at(match rest.len() % CHUNK.1 {
                0 => CHUNK.1,
                odd => odd,
            });
            let mut carry = u128::from(head.parse::<u64>().ok()?);
            for limb in &mut limbs {
                carry += u128::from(*limb) * u128::from(CHUNK.0);
                *limb = carry as u64;
                carry >>= 64;
            }
            if carry > 0 {
                limbs.push(carry as u64);
            }
            rest = tail;
        }
        Some(Natural::from_limbs(limbs))
    }

    /// The number that a text of hexadecimal digits denotes; None for another text.
    pub fn from_hexadecimal(text: &str) -> Option<Natural> {
        if text.is_empty() || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        let limb = |chunk: &[u8]| core::str::from_utf8(chunk).ok().and_then(|t| u64::from_str_radix(t, 16).ok());
        text.as_bytes().rchunks(16).map(limb).collect::<Option<Vec<u64>>>().map(Natural::from_limbs)
    }
}

impl From<u64> for Natural {
    fn from(n: u64) -> Natural {
        Natural(Limbs::One(n))
    }
}

impl From<u128> for Natural {
    fn from(n: u128) -> Natural {
        Natural::from_limbs(vec![n as u64, (n >> 64) as u64])
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let (a, b) = (self.limbs(), other.limbs());
        a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In decimal; the time grows with the square of the length.
impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limbs = self.limbs().to_vec();
        let mut chunks = Vec::new();
        while limbs.len() > 1 {
            let mut rest = 0u128;
            for limb in limbs.iter_mut().rev() {
                rest = rest << 64 | u128::from(*limb);
                *limb = (rest / u128::from(CHUNK.0)) as u64;
                rest %= u128::from(CHUNK.0);
            }
            chunks.push(rest as u64);
            while limbs.len() > 1 && limbs.last() == Some(&0) {
                limbs.pop();
            }
        }
        // not 0 where there are chunks: two words are more than one of them
        let mut text = limbs[0].to_string();
        for chunk in chunks.iter().rev() {
            text.push_str(&format!("{chunk:019}"));
        }
        f.pad_integral(true, "", &text)
    }
}

/// In hexadecimal.
impl fmt::LowerHex for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limbs = self.limbs();
        let mut text = format!("{:x}", limbs[limbs.len() - 1]);
        for limb in limbs.iter().rev().skip(1) {
            text.push_str(&format!("{limb:016x}"));
        }
        f.pad_integral(true, "0x", &text)
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn other(n: &Natural) -> BigUint {
        n.limbs().iter().rev().fold(BigUint::ZERO, |sum, limb| (sum << 64) + limb)
    }

    fn natural() -> impl Strategy<Value = Natural> {
        let limb = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0u64..20];
        proptest::collection::vec(limb, 0..12).prop_map(Natural::from_limbs)
    }

    proptest! {
        #[test]
        fn agrees_with_another_implementation(a in natural(), b in natural()) {
            let (x, y) = (other(&a), other(&b));
            prop_assert_eq!(other(&a.plus(&b)), &x + &y);
            prop_assert_eq!(other(&a.times(&b)), &x * &y);
            prop_assert_eq!(a.minus(&b).map(|d| other(&d)), (x >= y).then(|| &x - &y.clone().min(x.clone())));
            prop_assert_eq!((a.cmp(&b), a.bits()), (x.cmp(&y), x.bits()));
            prop_assert_eq!((a.to_string(), format!("{a:x}")), (x.to_string(), format!("{x:x}")));
            prop_assert_eq!(Natural::from_decimal(&a.to_string()), Some(a.clone()));
            prop_assert_eq!(Natural::from_hexadecimal(&format!("{a:X}", a = x)), Some(a));
        }

        #[test]
        fn powers(a in 0u64..40, k in 0u64..40) {
            let power = Natural::from(a).power(&Natural::from(k), 1000);
            prop_assert_eq!(power.map(|p| other(&p)), Some(BigUint::from(a).pow(k as u32)));
        }
    }

    #[test]
    fn powers_have_a_limit() {
        let two = Natural::from(2u64);
        assert_eq!(two.power(&Natural::from(99u64), 100), Some(Natural::power_of_two(99)));
        assert_eq!(two.power(&Natural::from(100u64), 100), None);
        assert_eq!(two.power(&Natural::power_of_two(100), 100), None);
        assert_eq!(Natural::ONE.power(&Natural::power_of_two(100), 1), Some(Natural::ONE));
        assert_eq!(Natural::ZERO.power(&Natural::ZERO, 1), Some(Natural::ONE));
        assert_eq!(Natural::ZERO.power(&two, 1), Some(Natural::ZERO));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", "+1", "-1", "1 ", "١", "0x1", "1_0"] {
            assert_eq!((Natural::from_decimal(text), Natural::from_hexadecimal(text)), (None, None), "{text}");
        }
        assert_eq!(Natural::from_decimal("000"), Some(Natural::ZERO));
        assert_eq!(Natural::ZERO.to_string(), "0");
        assert_eq!(Natural::from(u64::MAX).to_string(), "18446744073709551615");
    }
}
