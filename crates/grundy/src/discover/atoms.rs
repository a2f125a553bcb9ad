//! The small relations of which all others are made.

use crate::budget::{Meter, StopReason};

use super::relation::{Relation, Track};

/// `constant + sum of coefficient * number`, each track once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<(Track, i128)>,
    pub(crate) constant: i128,
}

impl Linear {
    pub(crate) fn constant(constant: i128) -> Self {
        Linear { terms: Vec::new(), constant }
    }

    pub(crate) fn track(track: Track) -> Self {
        Linear { terms: vec![(track, 1)], constant: 0 }
    }

    /// The sum of this and `factor` times the other; None beyond 128 bits.
    pub(crate) fn plus(mut self, other: &Linear, factor: i128) -> Option<Linear> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (track, c) in &other.terms {
            let added = c.checked_mul(factor)?;
            match self.terms.iter_mut().find(|(t, _)| t == track) {
                Some((_, old)) => *old = old.checked_add(added)?,
                None => self.terms.push((*track, added)),
            }
        }
        self.terms.retain(|(_, c)| *c != 0);
        self.terms.sort_unstable();
        Some(self)
    }

    /// True if it is never negative.
    pub(crate) fn is_natural(&self) -> bool {
        self.constant >= 0 && self.terms.iter().all(|(_, c)| *c >= 0)
    }

    fn tracks(&self) -> Vec<Track> {
        self.terms.iter().map(|(t, _)| *t).collect()
    }

    /// The sum for one bit of each track.
    fn of_letter(&self, letter: u32) -> i128 {
        self.terms.iter().enumerate().map(|(i, (_, c))| if letter >> i & 1 == 1 { *c } else { 0 }).sum()
    }
}

/// Largest absolute value of a coefficient or constant, so that sums fit.
pub(crate) const MOST: i128 = 1 << 100;

/// `linear = 0`.
///
/// A state is what the bits read so far leave to be made up for: about as many as the coefficients add up to.
pub(crate) fn equal_zero(linear: &Linear, meter: &mut Meter) -> Result<Relation, StopReason> {
    let next = |carry: &i128, letter: u32| {
        let sum = carry + linear.of_letter(letter);
        (sum % 2 == 0).then_some(sum / 2)
    };
    Relation::explore(&linear.tracks(), vec![linear.constant], next, |carry| *carry == 0, meter)
}

/// `linear <= 0`.
pub(crate) fn at_most_zero(linear: &Linear, meter: &mut Meter) -> Result<Relation, StopReason> {
    // the least carry that is left to be made up for, rounded up
    let next = |carry: &i128, letter: u32| Some((carry + linear.of_letter(letter) + 1).div_euclid(2));
    Relation::explore(&linear.tracks(), vec![linear.constant], next, |carry| *carry <= 0, meter)
}

/// All tuples of these tracks.
pub(crate) fn all(tracks: &[Track], meter: &mut Meter) -> Result<Relation, StopReason> {
    Relation::explore(tracks, vec![()], |(), _| Some(()), |()| true, meter)
}

/// Every binary column satisfies the test, which gets one bit of each track and holds for the column of zeros.
pub(crate) fn columnwise(
    tracks: &[Track],
    test: impl Fn(u32) -> bool,
    meter: &mut Meter,
) -> Result<Relation, StopReason> {
    Relation::explore(tracks, vec![()], |(), letter| test(letter).then_some(()), |()| true, meter)
}

/// The powers 1, b, b^2, … of b = 2^`exponent`, `exponent` at least 1.
pub(crate) fn powers(track: Track, exponent: u32, meter: &mut Meter) -> Result<Relation, StopReason> {
    // the place of the next bit modulo the exponent, or none once the one bit has been met
    let next = |place: &Option<u32>, letter: u32| match (place, letter) {
        (Some(0), 1) => Some(None),
        (Some(p), 0) => Some(Some((p + 1) % exponent)),
        (None, 0) => Some(None),
        _ => None,
    };
    Relation::explore(&[track], vec![Some(0)], next, Option::is_none, meter)
}

/// `low` is the greatest power of two that divides `of`, 0 for 0.
pub(crate) fn lowbit(of: Track, low: Track, meter: &mut Meter) -> Result<Relation, StopReason> {
    let next = |met: &bool, letter: u32| match (met, letter) {
        (false, 0) => Some(false),
        (false, 3) => Some(true),
        // the bit of `of`, which is the first track here
        (true, 0 | 1) => Some(true),
        _ => None,
    };
    Relation::explore(&[0, 1], vec![false], next, |_| true, meter)?.renamed(&[of, low], meter)
}

/// `v = g(n)` for the arithmetic periodic g with these first values: from the preperiod on the heaps are
/// n = preperiod + i + period q, the values g(preperiod + i) + saltus q for q = 0, 1, …, so a state is a pair of carries.
pub(crate) fn periodic(
    [n, v]: [Track; 2],
    preperiod: u64,
    period: u64,
    saltus: u64,
    values: &[u64],
    meter: &mut Meter,
) -> Result<Relation, StopReason> {
    // what is left to be read of an exception, or what q adds to
    type State = (bool, u128, u128);
    let starts = (0..).zip(values).map(|(heap, value)| (heap >= preperiod, u128::from(heap), u128::from(*value)));
    let mut result = Relation::explore(
        &[0, 1, 2],
        starts.collect::<Vec<State>>(),
        |(regular, n, v), letter| {
            let q = u128::from(letter >> 2);
            if q == 1 && !regular {
                return None;
            }
            let (n, v) = (n + q * u128::from(period), v + q * u128::from(saltus));
            (n & 1 == u128::from(letter & 1) && v & 1 == u128::from(letter >> 1 & 1)).then_some((
                *regular,
                n >> 1,
                v >> 1,
            ))
        },
        |(_, n, v)| *n == 0 && *v == 0,
        meter,
    )?;
    result = super::relation::project(&[&result], &[0, 1], meter)?;
    result.renamed(&[n, v], meter)
}
