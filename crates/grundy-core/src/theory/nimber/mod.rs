//! Nimbers of any width as a field: sums, products, quotients, powers, roots, orders, logarithms.
//!
//! The nimbers below 2^w are a field for each power of two w, with the xor for the sum and x for the product; each is a part of
//! the next. "The field" of a nimber is the least of them that holds it. Everything here is told by halves (see
//! `tower.rs`), in any width, and is the oracle of faster ways in fixed widths; [`nim_product`](super::nim_product) is its
//! own, by the plain definition up to 128 bits.
//!
//! # Sources
//! `[ONAG]` chapter 6.

use core::fmt;

use super::Natural;

mod log;
mod order;
mod roots;
mod tower;

pub use log::{LONG_LOG_BYTES, LogError};
pub use order::{MOST_ORDER_BITS, OrderError};
pub use roots::{Roots, solve};
pub use tower::product_64;

/// A nimber of any width.
///
/// Methods that may take long have a twin with a question that is asked again and again: may it go on?
///
/// # Examples
/// ```
/// use grundy_core::theory::{Natural, Nimber};
/// let n = |n: u64| Nimber::from(n);
/// assert_eq!((n(6).product(&n(13)), n(6).sum(&n(13))), (n(15), n(11)));
/// assert_eq!((n(5).inverse(), n(0).inverse()), (Some(n(12)), None));
/// // a Fermat power and itself: 3/2 of it
/// let f = Nimber::from(Natural::power_of_two(256));
/// assert_eq!(f.square(), f.sum(&Nimber::from(Natural::power_of_two(255))));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nimber(Natural);

impl Nimber {
    /// 0
    pub const ZERO: Nimber = Nimber(Natural::ZERO);
    /// 1
    pub const ONE: Nimber = Nimber(Natural::ONE);

    /// The size n of the Nim heap \*n.
    pub fn size(&self) -> &Natural {
        &self.0
    }

    /// True for 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Bits of the field of the nimber, a power of two: 1 for 0 and 1.
    pub fn field_bits(&self) -> u64 {
        self.0.bits().max(1).next_power_of_two()
    }

    /// As many words as the least field of 64 bits or more has.
    fn padded(&self) -> Vec<u64> {
        let mut limbs = self.0.limbs().to_vec();
        limbs.resize(limbs.len().next_power_of_two(), 0);
        limbs
    }

    fn of(limbs: Vec<u64>) -> Nimber {
        Nimber(Natural::from_limbs(limbs))
    }

    /// The sum, which is the xor; also the difference, since a + a = 0.
    pub fn sum(&self, other: &Nimber) -> Nimber {
        let (a, b) = (self.0.limbs(), other.0.limbs());
        let (mut long, short) = if a.len() < b.len() { (b.to_vec(), a) } else { (a.to_vec(), b) };
        long.iter_mut().zip(short).for_each(|(x, y)| *x ^= y);
        Nimber::of(long)
    }

    /// The product.
    ///
    /// # Complexity
    /// O(w^1.58) operations on words for fields of w bits, w the wider one.
    pub fn product(&self, other: &Nimber) -> Nimber {
        Nimber::of(tower::product(&self.padded(), &other.padded()))
    }

    /// The b with a x b = 1; None for 0.
    ///
    /// # Complexity
    /// That of some products.
    pub fn inverse(&self) -> Option<Nimber> {
        (!self.is_zero()).then(|| Nimber::of(tower::inverse(&self.padded())))
    }

    /// The q with q x other = self; None for other = 0.
    pub fn quotient(&self, other: &Nimber) -> Option<Nimber> {
        Some(self.product(&other.inverse()?))
    }

    /// a x a, which is additive in a.
    pub fn square(&self) -> Nimber {
        Nimber::of(tower::square(&self.padded()))
    }

    /// The one b with b x b = a; additive in a.
    pub fn sqrt(&self) -> Nimber {
        Nimber::of(tower::sqrt(&self.padded()))
    }

    /// The product of k factors a; 1 for k = 0, for a = 0 too.
    ///
    /// # Complexity
    /// O(bits of k) products.
    pub fn power(&self, k: &Natural) -> Nimber {
        // never stopped
        self.power_while(k, &mut || true).unwrap_or(Nimber::ONE)
    }

    /// [`power`](Nimber::power); None as soon as `go_on`, asked before each square, says no.
    pub fn power_while(&self, k: &Natural, go_on: &mut dyn FnMut() -> bool) -> Option<Nimber> {
        power_of(&self.padded(), k, go_on).map(Nimber::of)
    }

    /// The absolute trace in the field of `bits` bits, the sum of a, a^2, a^4, …, a^(2^(bits - 1)), which is 0 or 1: the top digit
    /// there; None if that is no field or does not hold the nimber.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::Nimber;
    /// let a = Nimber::from(13u64);
    /// assert_eq!((a.trace(4), a.trace(8), a.trace(2), a.trace(5)), (Some(true), Some(false), None, None));
    /// ```
    pub fn trace(&self, bits: u64) -> Option<bool> {
        (bits.is_power_of_two() && self.field_bits() <= bits).then(|| self.0.bit(bits - 1))
    }
}

/// The power of an element of the field of a list of words.
fn power_of(a: &[u64], k: &Natural, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<u64>> {
    let mut power = vec![0; a.len()];
    power[0] = 1;
    for i in (0..k.bits()).rev() {
        if !go_on() {
            return None;
        }
        power = tower::square(&power);
        if k.bit(i) {
            power = tower::product(&power, a);
        }
    }
    Some(power)
}

impl From<u64> for Nimber {
    fn from(n: u64) -> Nimber {
        Nimber(n.into())
    }
}

impl From<u128> for Nimber {
    fn from(n: u128) -> Nimber {
        Nimber(n.into())
    }
}

impl From<Natural> for Nimber {
    fn from(n: Natural) -> Nimber {
        Nimber(n)
    }
}

/// As the whole number that it is.
impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::LowerHex for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl fmt::Debug for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "*{}", self.0)
    }
}
