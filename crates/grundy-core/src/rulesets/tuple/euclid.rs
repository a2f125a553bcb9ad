//! Euclid: a move subtracts a positive multiple of the smaller of two numbers from the larger.
//!
//! Positions come in chains (r, a), (r + a, a), (r + 2a, a), … with r < a, where one may go from each to every earlier
//! one, and from (r, a) into the next chain of Euclid's algorithm. A chain is known from its first value.

use core::{fmt, ops::ControlFlow};

use super::print_list;
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{Convention, Outcome},
};

/// When play ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// When one number is 0 (Cole and Davie).
    #[default]
    ToZero,
    /// When the numbers are equal; they stay positive (Grossman).
    ToEqual,
}

/// The ruleset; a position is the two numbers in the order written.
///
/// Equal numbers have one option, (0, a): the first is taken for the larger. A number 0 ends `ToZero` and is refused in
/// `ToEqual` ([`Euclid::check`]; if it gets in all the same, the position has no moves).
///
/// # Sources
/// `[CD69]` for `ToZero`; `[Gro97]`, `[Niv06]` for `ToEqual`; misère play of the latter `[Gur07]`. The chain argument
/// that the code follows is proved at [`Ruleset::value_hint`] and [`Ruleset::outcome_hint`] below.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::tuple::{Euclid, Variant};
/// let value = |variant, g| Euclid { variant }.value_hint(&g).unwrap().answer;
/// assert_eq!(value(Variant::ToZero, [7, 7]), 1);
/// assert_eq!(value(Variant::ToEqual, [7, 7]), 0);
/// assert_eq!(value(Variant::ToEqual, [u64::MAX, 1]), u64::MAX - 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Euclid {
    /// When play ends.
    pub variant: Variant,
}

/// A position of Euclid to equal numbers contains 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroNumber;

impl fmt::Display for ZeroNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the numbers of euclid[\"to-equal\"] are positive; euclid[\"to-zero\"] allows 0")
    }
}

impl core::error::Error for ZeroNumber {}

/// A position as a place in its chain: the larger number is r + q a, a the smaller one.
#[derive(Clone, Copy)]
struct Place {
    a: u64,
    q: u64,
    r: u64,
}

impl Place {
    fn of(g: [u64; 2]) -> Option<Place> {
        let (a, b) = (g[0].min(g[1]), g[0].max(g[1]));
        Some(Place { a, q: b.checked_div(a)?, r: b % a })
    }
}

impl Euclid {
    /// Play until one number is 0.
    pub const TO_ZERO: Euclid = Euclid { variant: Variant::ToZero };
    /// Play until the numbers are equal.
    pub const TO_EQUAL: Euclid = Euclid { variant: Variant::ToEqual };

    /// Accepts the positions of the variant.
    ///
    /// # Errors
    /// [`ZeroNumber`] if a number of `ToEqual` is 0.
    pub fn check(&self, g: &[u64; 2]) -> Result<(), ZeroNumber> {
        if self.variant == Variant::ToEqual && g.contains(&0) { Err(ZeroNumber) } else { Ok(()) }
    }

    /// The least j for which (r + ja, a) is a position of the chain: 1 where the remainder 0 would end in a zero.
    fn first(&self, p: Place) -> u64 {
        u64::from(self.variant == Variant::ToEqual && p.r == 0)
    }

    /// The places of `g` and of the first positions of all later chains, as Euclid's algorithm meets them.
    fn chains(&self, g: &[u64; 2]) -> Vec<Place> {
        let mut places = Vec::new();
        let mut next = Place::of(*g);
        while let Some(p) = next {
            places.push(p);
            next = Place::of([p.r, p.a]);
        }
        places
    }

    /// The value at the start of the chain of `g`: of (r, a), or of (a, a) where the numbers must stay positive.
    fn first_value(&self, g: &[u64; 2]) -> u64 {
        // a chain that ends in a remainder 0 begins with a position without moves
        self.chains(g).iter().skip(1).rev().fold(0, |start, p| value_at(p.q - self.first(*p), start))
    }

    /// The start of the chain of `g` is a P-position.
    fn first_is_p(&self, g: &[u64; 2], convention: Convention) -> bool {
        let end = convention.of_terminal() == Outcome::P;
        self.chains(g).iter().skip(1).rev().fold(end, |start, p| is_p_at(p.q - self.first(*p), start))
    }

    /// The one option i steps after the start of the chain of `g`, if it is earlier than `g`.
    fn option_at(&self, g: &[u64; 2], i: Option<u64>) -> OptionsOfValue<'_, [u64; 2]> {
        let found = Place::of(*g).zip(i).and_then(|(p, i)| {
            let j = i.checked_add(self.first(p))?;
            (j < p.q).then(|| lowered(g, p.r + j * p.a))
        });
        OptionsOfValue {
            count: Some(found.iter().count() as u128),
            options: Box::new(found.into_iter().map(|o| vec![o])),
        }
    }
}

/// The value i steps after a start of value `start`: the mex of all earlier ones.
fn value_at(i: u64, start: u64) -> u64 {
    if i == 0 {
        start
    } else if i <= start {
        i - 1
    } else {
        i
    }
}

/// The inverse of [`value_at`]: each value stands in a chain at most once.
fn step_of_value(value: u64, start: u64) -> Option<u64> {
    match value.cmp(&start) {
        core::cmp::Ordering::Equal => Some(0),
        core::cmp::Ordering::Less => value.checked_add(1),
        core::cmp::Ordering::Greater => Some(value),
    }
}

/// The outcome i steps after the start: the first P-position is the start or the step after it, and all later ones see it.
fn is_p_at(i: u64, start_is_p: bool) -> bool {
    i == u64::from(!start_is_p)
}

/// `g` with its larger number replaced; of equal ones the first.
fn lowered(g: &[u64; 2], larger: u64) -> [u64; 2] {
    if g[0] >= g[1] { [larger, g[1]] } else { [g[0], larger] }
}

impl Ruleset for Euclid {
    type Position = [u64; 2];

    /// The options by the multiple subtracted.
    ///
    /// # Complexity
    /// O(1) for each of the ⌊larger/smaller⌋ options.
    fn options(&self, g: &[u64; 2], sink: &mut impl OptionSink<[u64; 2]>) -> ControlFlow<()> {
        if let Some(p) = Place::of(*g) {
            for j in (self.first(p)..p.q).rev() {
                sink.push(lowered(g, p.r + j * p.a))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &[u64; 2], parts: &[[u64; 2]]) -> bool {
        let ([to], Some(p)) = (parts, Place::of(*g)) else { return false };
        // the larger number after the move, of equal ones the first
        let left = if g[0] >= g[1] { to[0] } else { to[1] };
        let step = left.checked_sub(p.r).filter(|d| d.is_multiple_of(p.a)).map(|d| d / p.a);
        *to == lowered(g, left) && step.is_some_and(|j| (self.first(p)..p.q).contains(&j))
    }

    /// The smaller number first.
    fn canonical(&self, g: &[u64; 2]) -> [u64; 2] {
        [g[0].min(g[1]), g[0].max(g[1])]
    }

    /// With x_i the values of a chain from its start, x_i is the mex of x_0, …, x_{i-1}. So for i >= 1 it is i - 1 as long
    /// as i <= x_0 and i from then on. A chain of remainder 0 starts without moves, x_0 = 0; any other starts with a
    /// position of the next chain.
    ///
    /// # Complexity
    /// O(log of the smaller number): the steps of Euclid's algorithm.
    fn value_hint(&self, g: &[u64; 2]) -> Option<ByTheorem<u64>> {
        let answer = match Place::of(*g) {
            Some(p) => value_at(p.q - self.first(p), self.first_value(g)),
            None => 0,
        };
        let source = if self.variant == Variant::ToEqual { "Niv06" } else { "CD69" };
        Some(ByTheorem { answer, theorem: "values along the chains of Euclid's algorithm", source })
    }

    /// In either convention, by the chains: if the start is P, all that follow are N; otherwise the next one is P, for it has
    /// the start as its only option, and all that follow that are N.
    fn outcome_hint(&self, g: &[u64; 2], convention: Convention) -> Option<ByTheorem<Outcome>> {
        let start = self.first_is_p(g, convention);
        let p = match Place::of(*g) {
            Some(p) => is_p_at(p.q - self.first(p), start),
            None => start,
        };
        let source = match (self.variant, convention) {
            (Variant::ToZero, _) => "CD69",
            (Variant::ToEqual, Convention::Normal) => "Gro97",
            (Variant::ToEqual, Convention::Misere) => "Gur07",
        };
        let answer = if p { Outcome::P } else { Outcome::N };
        Some(ByTheorem { answer, theorem: "outcomes along the chains of Euclid's algorithm", source })
    }

    /// At most one option has a given value.
    fn options_of_value(&self, g: &[u64; 2], target: u64) -> Option<OptionsOfValue<'_, [u64; 2]>> {
        Some(self.option_at(g, step_of_value(target, self.first_value(g))))
    }

    fn winning_options(&self, g: &[u64; 2], convention: Convention) -> Option<OptionsOfValue<'_, [u64; 2]>> {
        Some(self.option_at(g, Some(u64::from(!self.first_is_p(g, convention)))))
    }
}

impl Playable for Euclid {
    /// `subtract 2 x 3`: the multiple, then the smaller number.
    fn move_name(&self, g: &[u64; 2], to: &[[u64; 2]]) -> String {
        let Some(to) = to.first() else { return String::new() };
        let a = g[0].min(g[1]);
        let less: u64 = g.iter().zip(to).map(|(x, y)| x.saturating_sub(*y)).max().unwrap_or(0);
        format!("subtract {} x {a}", less.checked_div(a).unwrap_or(0))
    }

    fn print_position(&self, g: &[u64; 2]) -> String {
        print_list(g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ruleset::laws::laws, rulesets::tuple::facts};

    const FACTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/euclid.json"));

    fn square(from: u64, to: u64) -> Vec<[u64; 2]> {
        (from..=to).flat_map(|a| (from..=to).map(move |b| [a, b])).collect()
    }

    fn subtracted(g: &[u64; 2], to: &[[u64; 2]]) -> u128 {
        u128::from(g[0] - to[0][0] + g[1] - to[0][1])
    }

    laws! {
        laws_to_zero: Euclid::TO_ZERO, square(0, 40), subtracted;
        laws_to_equal: Euclid::TO_EQUAL, square(1, 40), subtracted;
    }

    #[test]
    fn values_of_the_tables() {
        for (rule, key) in [(Euclid::TO_EQUAL, "to_equal"), (Euclid::TO_ZERO, "to_zero")] {
            let values = facts::numbers(FACTS, key);
            assert_eq!(values.len(), 900);
            for (g, value) in square(1, 30).iter().zip(&values) {
                assert_eq!(rule.value_hint(g).map(|h| h.answer), Some(*value), "{key} {g:?}");
            }
        }
    }

    /// ⌊|b/a - a/b|⌋ in integers.
    fn nivasch(a: u64, b: u64) -> u64 {
        let (a, b) = (u128::from(a.min(b)), u128::from(a.max(b)));
        u64::try_from((b * b - a * a) / (a * b)).unwrap()
    }

    #[test]
    fn nivasch_agrees_at_any_size() {
        for [a, b] in square(1, 300) {
            assert_eq!(Euclid::TO_EQUAL.value_hint(&[a, b]).map(|h| h.answer), Some(nivasch(a, b)), "{a} {b}");
        }
        let mut x = 88172645463325252u64; // xorshift
        for _ in 0..20_000 {
            let mut random = || {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                (x >> (x % 61)).max(1)
            };
            let (a, b) = (random(), random());
            assert_eq!(Euclid::TO_EQUAL.value_hint(&[a, b]).map(|h| h.answer), Some(nivasch(a, b)), "{a} {b}");
        }
    }

    #[test]
    fn cole_and_davie_agree() {
        // N iff the numbers are equal or their ratio exceeds φ: b(b - a) > a²
        for [a, b] in square(1, 300) {
            let (small, large) = (a.min(b), a.max(b));
            let n = a == b || large * (large - small) > small * small;
            let got = Euclid::TO_ZERO.outcome_hint(&[a, b], Convention::Normal).unwrap().answer;
            assert_eq!(got == Outcome::N, n, "{a} {b}");
        }
    }

    #[test]
    fn huge_numbers() {
        let g = [3, u64::MAX - 1];
        for rule in [Euclid::TO_ZERO, Euclid::TO_EQUAL] {
            let value = rule.value_hint(&g).unwrap().answer;
            for target in [0, 1, value - 1, value, u64::MAX] {
                let found: Vec<_> = rule.options_of_value(&g, target).unwrap().options.flatten().collect();
                assert_eq!(found.len(), usize::from(target < value), "{target}");
                assert!(found.iter().all(|o| rule.value_hint(o).unwrap().answer == target));
            }
        }
        assert_eq!(Euclid::TO_EQUAL.check(&[0, 3]), Err(ZeroNumber));
        assert_eq!(Euclid::TO_ZERO.check(&[0, 3]), Ok(()));
    }

    #[test]
    fn names() {
        assert_eq!(Euclid::TO_ZERO.move_name(&[3, 7], &[[3, 1]]), "subtract 2 x 3");
        assert_eq!(Euclid::TO_ZERO.move_name(&[4, 4], &[[0, 4]]), "subtract 1 x 4");
    }
}
