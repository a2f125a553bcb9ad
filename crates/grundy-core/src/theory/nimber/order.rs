//! Orders and primitive elements.
//!
//! The field of 2^k bits has 2^(2^k) - 1 = F_0 x F_1 x … x F_(k-1) elements other than 0 (an ordinary product of Fermat numbers F_i =
//! 2^(2^i) + 1, pairwise coprime), a cyclic group. In a field of w bits let c be the conjugate a^(2^(w/2)). Then c / a has as its
//! order the part of a's order in F_(k-1), and a x c, which lies in the field of half the bits, has the rest. The parts of F_0 … F_11
//! follow from their primes; F_12 has a part that nobody has factored.

use core::fmt;

use super::{Natural, Nimber, power_of, tower};
use crate::theory::nim_log;

/// Widest field in which orders are found.
pub const MOST_ORDER_BITS: u64 = 4096;

/// The primes of F_6, F_7, …, F_11, each the ascending list of its primes. The largest of F_9, F_10 and F_11 are known to be prime from
/// the literature; the test below finds no witness against them.
///
/// # Sources
/// `[Bre99]`
const PRIMES: [&[&str]; 6] = [
    &["274177", "67280421310721"],
    &["59649589127497217", "5704689200685129054721"],
    &["1238926361552897", "93461639715357977769163558199606896584051237541638188580280321"],
    &[
        "2424833",
        "7455602825647884208337395736200454918783366342657",
        "741640062627530801524787141901937474059940781097519023905821316144415759504705008092818711693940737",
    ],
    &[
        "45592577",
        "6487031809",
        "4659775785220018543264560743076778192897",
        "130439874405488189727484768796509903946608530841611892186895295776832416251471863574140227977573104895898783928842\
         923844831149032913798729088601617946094119449010595906710130531906171018354491609619193912488538116080712299672322\
         806217820753127014424577",
    ],
    &[
        "319489",
        "974849",
        "167988556341760475137",
        "3560841906445833920513",
        "173462447179147555430258970864309778377421844723664084649347019061363579192879108857591038330408837177983810868451\
         546421940712978306134189864280826014542758708589243873685563973118948869399158545506611147420216132557017260564139\
         394366945793220968665108959685482705388072645828554151936401912464931182546092879815733057795573358504982279280090\
         942872567591518912118622751714319229788100979251036035496917279912663527358783236647193154777091427745377038294584\
         918917590325110939381322486044298573971650711059244462177542540706913047034664643603491382441723306598834177",
    ],
];

/// Why there is no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// No power of 0 is 1.
    Zero,
    /// The field is wider than [`MOST_ORDER_BITS`].
    TooWide,
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OrderError::Zero => "0 has no order: none of its powers is 1",
            OrderError::TooWide => {
                "orders are found up to 4096 bits only: beyond, the prime factors of 2^4096 + 1 are not all known"
            }
            OrderError::Stopped => "stopped",
        })
    }
}

impl core::error::Error for OrderError {}

impl Nimber {
    /// The least k >= 1 for which the product of k factors is 1.
    ///
    /// # Complexity
    /// For w bits up to 64 some hundred products; above, O(w) products of w bits.
    ///
    /// # Errors
    /// [`OrderError::Zero`] and [`OrderError::TooWide`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::{Natural, Nimber, nimber::OrderError};
    /// let order = |n: u64| Nimber::from(n).order();
    /// assert_eq!((order(0), order(1), order(4)), (Err(OrderError::Zero), Ok(1u64.into()), Ok(15u64.into())));
    /// let far = Nimber::from(Natural::power_of_two(4096));
    /// assert_eq!(far.order(), Err(OrderError::TooWide));
    /// ```
    pub fn order(&self) -> Result<Natural, OrderError> {
        self.order_while(&mut || true)
    }

    /// [`order`](Nimber::order); stops as soon as `go_on`, asked before each product, says no.
    ///
    /// # Errors
    /// Every [`OrderError`].
    pub fn order_while(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Natural, OrderError> {
        if self.is_zero() {
            return Err(OrderError::Zero);
        }
        if self.field_bits() > MOST_ORDER_BITS {
            return Err(OrderError::TooWide);
        }
        let mut a = self.padded();
        let mut order = Natural::ONE;
        while a.len() > 1 {
            let part = tower::product(&tower::conjugate(&a), &tower::inverse(&a));
            // two words are the field of 2^7 bits, whose last Fermat number is F_6
            let primes = PRIMES[a.len().trailing_zeros() as usize - 1];
            let primes: Vec<Natural> = primes.iter().filter_map(|p| Natural::from_decimal(p)).collect();
            order = order.times(&order_among(&part, &primes, go_on).ok_or(OrderError::Stopped)?);
            a = tower::norm(&a);
        }
        let rest = nim_log::order(a[0].into()).ok_or(OrderError::Zero)?;
        Ok(order.times(&rest.into()))
    }

    /// True if the powers are all elements other than 0 of the field of the nimber.
    ///
    /// # Complexity
    /// That of [`order`](Nimber::order).
    ///
    /// # Errors
    /// [`OrderError::TooWide`].
    pub fn is_primitive(&self) -> Result<bool, OrderError> {
        match self.order() {
            Ok(order) => Ok(Some(order) == self.group()),
            Err(OrderError::Zero) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// The number of elements other than 0 of the field of the nimber; None beyond 2^(2^31).
    pub fn group(&self) -> Option<Natural> {
        Natural::power_of_two(u32::try_from(self.field_bits()).ok()?).minus(&Natural::ONE)
    }
}

/// The order of an element whose order divides the product of the primes, which are pairwise different; None if stopped.
fn order_among(a: &[u64], primes: &[Natural], go_on: &mut dyn FnMut() -> bool) -> Option<Natural> {
    if a[0] == 1 && a[1..].iter().all(|limb| *limb == 0) {
        return Some(Natural::ONE);
    }
    let Some((last, others)) = primes.split_last() else { return Some(Natural::ONE) };
    if others.is_empty() {
        return Some(last.clone());
    }
    let all_others = others.iter().fold(Natural::ONE, |all, p| all.times(p));
    let has_last = order_among(&power_of(a, &all_others, go_on)?, core::slice::from_ref(last), go_on)?;
    Some(has_last.times(&order_among(&power_of(a, last, go_on)?, others, go_on)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn big(p: &str) -> BigUint {
        p.parse().unwrap()
    }

    #[test]
    fn the_primes_are_all_those_of_the_fermat_numbers() {
        for (i, primes) in PRIMES.iter().enumerate() {
            let product: BigUint = primes.iter().map(|p| big(p)).product();
            assert_eq!(product, (BigUint::from(1u8) << (1 << (i + 6))) + 1u8, "F_{}", i + 6);
            assert!(primes.iter().zip(&primes[1..]).all(|(p, q)| big(p) < big(q)));
        }
    }

    /// Miller and Rabin's test finds no witness among the first primes.
    #[test]
    fn nothing_tells_that_they_are_not_prime() {
        for p in PRIMES.iter().flat_map(|primes| primes.iter()).map(|p| big(p)) {
            let below = &p - 1u8;
            let twos = below.trailing_zeros().unwrap();
            for base in [2u8, 3, 5, 7, 11, 13] {
                let mut x = BigUint::from(base).modpow(&(&below >> twos), &p);
                let mut fine = x == BigUint::from(1u8);
                for _ in 0..twos {
                    fine |= x == below;
                    x = &x * &x % &p;
                }
                assert!(fine, "{p}: {base}");
            }
        }
    }

    #[test]
    fn orders_are_those_of_the_plain_way() {
        for a in (1..400u128).chain([1 << 64, (1 << 64) + 1, (1 << 64) + 2, u128::MAX, u128::MAX - 5, 0x1_0000_0006]) {
            let order = Nimber::from(a).order().unwrap();
            assert_eq!(order.to_u128(), nim_log::order(a), "{a}");
        }
    }

    #[test]
    fn orders_divide_and_nothing_less_does() {
        for k in [128u32, 200, 256, 600, 1023] {
            let a = Nimber::from(Natural::power_of_two(k)).sum(&Nimber::from(6u64));
            let order = a.order().unwrap();
            assert_eq!(a.power(&order), Nimber::ONE, "{a}");
            // the order of a^3 is a third if 3 divides that of a
            let third = a.power(&3u64.into()).order().unwrap();
            assert!(third.times(&3u64.into()) == order || third == order);
        }
    }

    #[test]
    fn a_stop_is_no_order() {
        let a = Nimber::from(Natural::power_of_two(300));
        let mut left = 5;
        let mut some = || {
            left -= 1;
            left > 0
        };
        assert_eq!(a.order_while(&mut some), Err(OrderError::Stopped));
        assert_eq!(Nimber::ONE.is_primitive(), Ok(true));
        assert_eq!(Nimber::ZERO.is_primitive(), Ok(false));
    }
}
