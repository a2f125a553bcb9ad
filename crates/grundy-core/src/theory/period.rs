//! Periods of sequences of Grundy values, and the theorems that turn a finite computation into a proof.
//!
//! A sequence G has *preperiod* n0, *period* p and *saltus* s when G(n + p) = G(n) + s for all n >= n0; n0 is the least
//! such index (heap 0 counted) and p the least such period. A finite prefix proves nothing by itself; the theorems
//! below say how long the prefix must be.

use core::fmt;

/// G(n + period) = G(n) + saltus for every n >= preperiod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Periodicity {
    /// Least n0 from which the equation holds; heap 0 counts.
    pub preperiod: u64,
    /// Least period, at least 1.
    pub period: u64,
    /// Increase from one period to the next; 0 for a periodic sequence.
    pub saltus: u64,
}

impl Periodicity {
    /// G(n) for any n, from the values of heaps `0 .. preperiod + period`.
    ///
    /// None if `values` is too short or the value does not fit in 64 bits.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::Periodicity;
    /// let lasker = Periodicity { preperiod: 1, period: 4, saltus: 4 };
    /// assert_eq!(lasker.value(&[0, 1, 2, 4, 3], 2147483647), Some(2147483648));
    /// ```
    pub fn value(&self, values: &[u64], n: u64) -> Option<u64> {
        if n < self.preperiod {
            return values.get(usize::try_from(n).ok()?).copied();
        }
        let turns = (n - self.preperiod) / self.period;
        let i = self.preperiod + (n - self.preperiod) % self.period;
        let base = *values.get(usize::try_from(i).ok()?)?;
        base.checked_add(turns.checked_mul(self.saltus)?)
    }
}

impl fmt::Display for Periodicity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "period {}, preperiod {}", self.period, self.preperiod)?;
        if self.saltus != 0 {
            write!(f, ", saltus {}", self.saltus)?;
        }
        Ok(())
    }
}

/// A theorem that proves a period from finitely many values.
///
/// # Sources
/// `[GS56]` for octal codes, `[Gol66]` for subtraction sets; the extension to c parts is proved in the docs of
/// [`PeriodTheorem::values_needed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeriodTheorem {
    /// Taking `1..=span` at most, never breaking: each value depends on the `span` values before it.
    Window {
        /// Largest amount that may be taken.
        span: u64,
    },
    /// A finite code: at most `span` taken, at most `parts` heaps left by a move (2: Guy and Smith).
    GuySmith {
        /// Largest amount that may be taken.
        span: u64,
        /// Most heaps that a move may leave, at least 2.
        parts: u64,
    },
}

impl PeriodTheorem {
    /// Number of values G(0), G(1), ... that must be known for the equation to be proved.
    ///
    /// Both theorems need n0 >= 1: a part of exactly p shifted down by p would vanish, and leaving nothing may be allowed
    /// where leaving a heap is not. (0.02 begins 0, 0, 0, 1: with n0 = 0 three values would "prove" the period 1.) An
    /// equation that holds from 0 on holds from 1 on, so preperiod 0 needs the values of n0 = 1.
    ///
    /// *Window.* If G(n + p) = G(n) for `span` consecutive n from n0 on, the two windows are equal and determine
    /// everything after them, since every heap from n0 + span on leaves at least n0 >= 1: n0 + p + span values.
    ///
    /// *Guy-Smith, c parts.* Suppose G(n + p) = G(n) for n0 <= n < c n0 + (c - 1) p + k. Let n >= c n0 + (c - 1) p + k.
    /// An option of n + p leaves at most c parts that sum to at least n + p - k >= c (n0 + p), so its largest part is
    /// at least n0 + p and may be shifted down by p, to at least n0 >= 1, without changing its value, which gives an
    /// option of n of the same value with as many parts. Conversely the largest part of an option of n is at least n0
    /// (n - k >= c n0) and may be shifted up. So the sets of option values agree and G(n + p) = G(n). Known values:
    /// c n0 + c p + k.
    ///
    /// Saltus other than 0 is proved by neither theorem.
    pub fn values_needed(&self, preperiod: u64, period: u64) -> Option<u64> {
        let sum = preperiod.max(1).checked_add(period)?;
        match *self {
            PeriodTheorem::Window { span } => sum.checked_add(span),
            PeriodTheorem::GuySmith { span, parts } => sum.checked_mul(parts.max(2))?.checked_add(span),
        }
    }

    /// The largest amount that may be taken.
    pub fn span(&self) -> u64 {
        match *self {
            PeriodTheorem::Window { span } | PeriodTheorem::GuySmith { span, .. } => span,
        }
    }

    /// One line that names the theorem.
    pub fn name(&self) -> &'static str {
        match self {
            PeriodTheorem::Window { .. } => "window of a subtraction set (Golomb 1966)",
            PeriodTheorem::GuySmith { parts: 0..=2, .. } => "octal periodicity theorem (Guy and Smith 1956)",
            PeriodTheorem::GuySmith { .. } => "octal periodicity theorem for moves into more parts",
        }
    }

    /// Key of `SOURCES.md`.
    pub fn source(&self) -> &'static str {
        match self {
            PeriodTheorem::Window { .. } => "Gol66",
            PeriodTheorem::GuySmith { .. } => "GS56",
        }
    }
}

/// The least period with a proof by `theorem`, if the known `values` carry one.
///
/// For each p, the least n0 with values\[n + p\] = values\[n\] for all known n >= n0 comes from one pass of the
/// Z function over the reversed values; the smallest p for which the theorem's bound is met wins, which is the
/// minimal period, and its n0 is the true preperiod.
///
/// # Complexity
/// Time and memory O(N) for N values.
pub fn proved_period(values: &[u64], theorem: &PeriodTheorem) -> Option<Periodicity> {
    let len = values.len();
    let z = z_function_reversed(values);
    for (p, matched) in z.iter().enumerate().skip(1) {
        // rev[0..matched] = rev[p..p+matched]: values[n] = values[n + p] for n >= len - p - matched
        let preperiod = (len - p - matched) as u64;
        if *matched == 0 {
            continue;
        }
        if theorem.values_needed(preperiod, p as u64).is_some_and(|needed| needed <= len as u64) {
            return Some(Periodicity { preperiod, period: p as u64, saltus: 0 });
        }
    }
    None
}

/// z\[i\] = length of the longest common prefix of the reversed values and their suffix from i.
fn z_function_reversed(values: &[u64]) -> Vec<usize> {
    let n = values.len();
    let at = |i: usize| values[n - 1 - i];
    let mut z = vec![0; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        if i < right {
            z[i] = z[i - left].min(right - i);
        }
        while i + z[i] < n && at(z[i]) == at(i + z[i]) {
            z[i] += 1;
        }
        if i + z[i] > right {
            (left, right) = (i, i + z[i]);
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_least_period_and_preperiod() {
        let mut v = vec![9, 9, 7];
        for i in 0..60u64 {
            v.push([1, 2, 1, 3][(i % 4) as usize]);
        }
        let got = proved_period(&v, &PeriodTheorem::Window { span: 5 }).unwrap();
        assert_eq!(got, Periodicity { preperiod: 3, period: 4, saltus: 0 });
        assert_eq!(got.value(&v, 1_000_000_000_003), Some(v[3]));
    }

    #[test]
    fn a_short_prefix_proves_nothing() {
        let v: Vec<u64> = (0..20).map(|i| i % 5).collect();
        let octal = |span| PeriodTheorem::GuySmith { span, parts: 2 };
        assert!(proved_period(&v, &octal(8)).is_some());
        assert!(proved_period(&v, &octal(9)).is_none());
        assert!(proved_period(&v[..4], &PeriodTheorem::Window { span: 1 }).is_none());
    }

    #[test]
    fn preperiod_0_needs_one_value_more() {
        // take 2 and leave a heap: 0, 0, 0, 1, 1, 0, 0, 1, …
        assert_eq!(proved_period(&[0, 0, 0], &PeriodTheorem::Window { span: 2 }), None);
        assert_eq!(PeriodTheorem::Window { span: 2 }.values_needed(0, 1), Some(4));
    }
}
