//! The fast path: heaps with a closed form or a proved period, folded while they are read, in constant memory.
//!
//! Each form has a loop of its own with the formula compiled into it. What remains to be known of a position is the xor of the
//! values and whether one of them exceeds 1; that decides either convention: in misère play, as long as the closed form
//! allows Bouton's rule, a position is lost when a value exceeds 1 and the xor is 0, or none does and it is 1.

use std::io::Read;

use grundy_core::{
    rulesets::heap::ClosedForm,
    theory::{Convention, Periodicity},
};

use super::scan::{ScanError, Scanner};
use crate::budget::{Meter, StopReason};

/// Numbers read between two looks at the clock.
const STRIDE: u64 = 1 << 18;

/// What is kept of the values of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    /// The xor of all values.
    pub xor: u64,
    /// The binary digits that occur in some value.
    pub seen: u64,
}

impl Census {
    /// With one more value.
    #[inline(always)]
    pub fn add(&mut self, value: u64) {
        self.xor ^= value;
        self.seen |= value;
    }

    /// True if the player to move wins.
    pub fn is_won(self, convention: Convention) -> bool {
        match convention {
            Convention::Normal => self.xor != 0,
            Convention::Misere => self.xor != u64::from(self.seen <= 1),
        }
    }
}

/// Why a list was not folded to its end.
#[derive(Debug)]
pub(super) enum Trouble {
    Scan(ScanError),
    Stop(StopReason),
    /// A number above 2^63 was among those read.
    TooLarge,
    /// A value does not fit.
    Width,
}

impl From<ScanError> for Trouble {
    fn from(e: ScanError) -> Self {
        Trouble::Scan(e)
    }
}

/// What gives the value of every heap at once.
#[derive(Debug)]
pub(super) enum Form<'a> {
    /// A theorem.
    Closed(ClosedForm),
    /// A proved period.
    Periodic(&'a Periodic),
}

/// The values of a game with a proved period.
#[derive(Debug)]
pub(super) struct Periodic {
    periodicity: Periodicity,
    values: Vec<u64>,
    modulus: Modulus,
}

impl Periodic {
    /// A period and the values of heaps `0 .. preperiod + period` at least; None if they are fewer.
    pub fn new(periodicity: Periodicity, mut values: Vec<u64>) -> Option<Periodic> {
        let end = periodicity.preperiod.checked_add(periodicity.period)?;
        values.truncate(usize::try_from(end).ok()?);
        (values.len() as u64 == end).then(|| Periodic {
            periodicity,
            values,
            modulus: Modulus::new(periodicity.period),
        })
    }

    /// The value of a heap; None beyond 64 bits.
    #[inline(always)]
    pub fn value(&self, n: u64) -> Option<u64> {
        let Periodicity { preperiod, saltus, .. } = self.periodicity;
        if n < self.values.len() as u64 {
            return Some(self.values[n as usize]);
        }
        let base = self.values[(preperiod + self.modulus.of(n - preperiod)) as usize];
        if saltus == 0 { Some(base) } else { self.periodicity.value(&self.values, n) }
    }
}

/// Reads `count` heaps and folds their values.
pub(super) fn heaps<R: Read>(
    form: &Form,
    scanner: &mut Scanner<R>,
    count: u64,
    meter: &mut Meter,
) -> Result<Census, Trouble> {
    match form {
        Form::Closed(form) => closed(form, scanner, count, meter),
        Form::Periodic(periodic) => checked(scanner, count, meter, |h| periodic.value(h)),
    }
}

/// Heaps whose values may not fit.
#[inline(always)]
fn checked<R: Read>(
    scanner: &mut Scanner<R>,
    count: u64,
    meter: &mut Meter,
    value: impl Fn(u64) -> Option<u64>,
) -> Result<Census, Trouble> {
    let wide = std::cell::Cell::new(false);
    let census = each(scanner, count, meter, |h| {
        value(h).unwrap_or_else(|| {
            wide.set(true);
            0
        })
    })?;
    if wide.get() { Err(Trouble::Width) } else { Ok(census) }
}

fn closed<R: Read>(
    form: &ClosedForm,
    scanner: &mut Scanner<R>,
    count: u64,
    meter: &mut Meter,
) -> Result<Census, Trouble> {
    match *form {
        ClosedForm::Identity => each(scanner, count, meter, |h| h),
        ClosedForm::Lasker => each(scanner, count, meter, swapped::<4>),
        ClosedForm::ThreeWay => each(scanner, count, meter, swapped::<8>),
        ClosedForm::Steps { step, modulus: Some(q) } if step == 1 && q.is_power_of_two() => {
            each(scanner, count, meter, |h| h & (q - 1))
        }
        ClosedForm::Steps { step, modulus: Some(q) } => {
            let q = Modulus::new(q.max(1));
            match step {
                0 | 1 => each(scanner, count, meter, |h| q.of(h)),
                _ => each(scanner, count, meter, |h| q.of(h) / step),
            }
        }
        ClosedForm::Steps { step, modulus: None } => {
            let step = step.max(1);
            each(scanner, count, meter, |h| h / step)
        }
        _ => checked(scanner, count, meter, |h| form.value(h)),
    }
}

#[inline(always)]
fn each<R: Read>(
    scanner: &mut Scanner<R>,
    count: u64,
    meter: &mut Meter,
    value: impl Fn(u64) -> u64,
) -> Result<Census, Trouble> {
    let mut census = Census::default();
    // h and h - 1 have both their highest bit exactly if h > 2^63
    let mut large = 0;
    let mut left = count;
    while left > 0 {
        let now = left.min(STRIDE);
        let (mut xor, mut seen) = (0, 0);
        scanner.fold_u64(now, |h| {
            large |= h & h.wrapping_sub(1);
            let v = value(h);
            xor ^= v;
            seen |= v;
        })?;
        census.xor ^= xor;
        census.seen |= seen;
        if large >> 63 != 0 {
            return Err(Trouble::TooLarge);
        }
        meter.steps(now).map_err(Trouble::Stop)?;
        left -= now;
    }
    Ok(census)
}

/// n with Qk + Q - 1 and Qk + Q exchanged, without a branch.
#[inline(always)]
fn swapped<const Q: u64>(n: u64) -> u64 {
    let r = n & (Q - 1);
    n.wrapping_add(u64::from(r == Q - 1)).wrapping_sub(u64::from(r == 0) & u64::from(n != 0))
}

/// Remainders by one modulus: two multiplications for numbers of 32 bits.
///
/// With m = floor((2^64 - 1) / q) + 1 the remainder of n is the high word of (m n mod 2^64) q, for n and q below 2^32.
#[derive(Clone, Copy, Debug)]
struct Modulus {
    q: u64,
    m: u64,
}

impl Modulus {
    fn new(q: u64) -> Self {
        Modulus { q, m: if q > 1 { u64::MAX / q + 1 } else { 0 } }
    }

    #[inline(always)]
    fn of(self, n: u64) -> u64 {
        if (n | self.q) >> 32 == 0 {
            ((u128::from(self.m.wrapping_mul(n)) * u128::from(self.q)) >> 64) as u64
        } else {
            n % self.q
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders() {
        let numbers = [0, 1, 2, 3, 5, 7, 99, 1 << 20, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, u64::MAX];
        for q in numbers.into_iter().skip(1).chain(2..200) {
            for n in numbers.into_iter().chain(0..500) {
                assert_eq!(Modulus::new(q).of(n), n % q, "{n} mod {q}");
            }
        }
    }

    #[test]
    fn every_loop_agrees_with_its_form() {
        let forms = [
            ClosedForm::Identity,
            ClosedForm::Lasker,
            ClosedForm::ThreeWay,
            ClosedForm::Steps { step: 1, modulus: Some(4) },
            ClosedForm::Steps { step: 1, modulus: Some(7) },
            ClosedForm::Steps { step: 3, modulus: Some(10) },
            ClosedForm::Steps { step: 5, modulus: None },
            ClosedForm::Pair { a: 2, b: 5 },
            ClosedForm::Divisors { proper: false },
        ];
        let heaps: Vec<u64> = (0..50).chain([2147483647, 2147483648, (1 << 63) - 1, 1 << 63]).collect();
        for form in forms {
            for h in &heaps {
                let text = h.to_string();
                let mut scanner = Scanner::new(text.as_bytes());
                let census = super::heaps(&Form::Closed(form), &mut scanner, 1, &mut Meter::unlimited()).unwrap();
                assert_eq!(Some(census.xor), form.value(*h), "{form:?} {h}");
            }
        }
    }

    #[test]
    fn periods_are_followed() {
        let period = |preperiod, period, saltus| Periodicity { preperiod, period, saltus };
        // Lasker's Nim, and take 1 to 3 with a needless preperiod
        let lasker = Periodic::new(period(1, 4, 4), vec![0, 1, 2, 4, 3, 5]).unwrap();
        let bash = Periodic::new(period(2, 4, 0), vec![0, 1, 2, 3, 0, 1]).unwrap();
        for n in (0..100).chain([2147483647, 1 << 40, 1 << 63]) {
            assert_eq!(lasker.value(n), ClosedForm::Lasker.value(n), "{n}");
            assert_eq!(bash.value(n), Some(n % 4), "{n}");
        }
        assert!(Periodic::new(period(1, 4, 4), vec![0, 1, 2]).is_none());
        let census = heaps(&Form::Periodic(&bash), &mut Scanner::new(&b"5 6 7 100"[..]), 4, &mut Meter::unlimited());
        assert_eq!(census.unwrap().xor, 1 ^ 2 ^ 3);
    }

    #[test]
    fn numbers_above_the_largest_heap_are_refused() {
        let text = format!("1 {}", (1u64 << 63) + 1);
        let mut scanner = Scanner::new(text.as_bytes());
        let trouble = heaps(&Form::Closed(ClosedForm::Identity), &mut scanner, 2, &mut Meter::unlimited());
        assert!(matches!(trouble, Err(Trouble::TooLarge)));
    }

    #[test]
    fn misere_outcomes_follow_bouton() {
        use grundy_core::theory::nim::NimClass;
        for code in 0..4u64.pow(3) {
            let heaps = [code % 4, code / 4 % 4, code / 16];
            let mut census = Census::default();
            heaps.iter().for_each(|h| census.add(*h));
            for convention in [Convention::Normal, Convention::Misere] {
                let won = NimClass::of(&heaps).outcome(convention) == grundy_core::theory::Outcome::N;
                assert_eq!(census.is_won(convention), won, "{heaps:?} {convention}");
            }
        }
    }
}
