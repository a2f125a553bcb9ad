//! Sets of amounts that may be taken.

use core::ops::ControlFlow;

/// One kind of amounts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AmountSet {
    /// `first, first + step, …` up to `last` (included), or without end.
    Run {
        /// Least amount; 0 stands for breaking without taking.
        first: u64,
        /// Largest amount, or None without bound.
        last: Option<u64>,
        /// Distance of neighbours, at least 1.
        step: u64,
    },
    /// 1, b, b^2, …; for b = 1 just 1.
    PowersOf(u64),
    /// 1, 4, 9, …
    Squares,
    /// 2, 3, 5, 7, …
    Primes,
    /// 1, 2, 3, 5, 8, …
    Fibonacci,
    /// The divisors of the heap, the heap included.
    Divisors,
}

impl AmountSet {
    /// The single amount `k`.
    pub fn one(k: u64) -> Self {
        AmountSet::Run { first: k, last: Some(k), step: 1 }
    }

    /// `first..` without bound.
    pub fn from(first: u64) -> Self {
        AmountSet::Run { first, last: None, step: 1 }
    }

    /// True if `k` may be taken from a heap of `n` as far as this set says.
    pub fn contains(&self, k: u64, n: u64) -> bool {
        match self {
            AmountSet::Run { first, last, step } => {
                k >= *first && last.is_none_or(|l| k <= l) && (k - first).is_multiple_of((*step).max(1))
            }
            AmountSet::Divisors => k > 0 && n.is_multiple_of(k),
            _ => k > 0 && self.next_from(k, n) == Some(k),
        }
    }

    /// The least amount of the set that is at least `k` and at most `n`, the heap.
    ///
    /// # Complexity
    /// O(1) for runs and squares, O(log n) for powers and Fibonacci numbers, O(gap · log^2 n) for primes; for divisors the
    /// distance to the next divisor below 2^32, and a factorisation, O(n^(1/4)), above.
    pub fn next_from(&self, k: u64, n: u64) -> Option<u64> {
        let found = match self {
            AmountSet::Run { first, last, step } => {
                let step = (*step).max(1);
                let next = if k <= *first {
                    *first
                } else {
                    first.checked_add((k - first).div_ceil(step).checked_mul(step)?)?
                };
                last.is_none_or(|l| next <= l).then_some(next)
            }
            AmountSet::PowersOf(b) => {
                let mut power = 1u64;
                while power < k {
                    if *b < 2 {
                        return None;
                    }
                    power = power.checked_mul(*b)?;
                }
                Some(power)
            }
            AmountSet::Squares => {
                let mut root = k.isqrt().max(1);
                if root * root < k {
                    root += 1;
                }
                root.checked_mul(root)
            }
            AmountSet::Primes => (k.max(2)..=n).find(|c| is_prime(*c)),
            AmountSet::Fibonacci => {
                let (mut a, mut b) = (1u64, 2u64);
                while a < k {
                    (a, b) = (b, a.checked_add(b)?);
                }
                Some(a)
            }
            AmountSet::Divisors => next_divisor(n, k.max(1)),
        };
        found.filter(|f| *f <= n)
    }

    /// The largest amount of a set that has one whatever the heap is.
    pub fn bound(&self) -> Option<u64> {
        match self {
            AmountSet::Run { first, last: Some(l), step } if l >= first => Some(l - (l - first) % (*step).max(1)),
            AmountSet::Run { last: Some(_), .. } => Some(0),
            AmountSet::PowersOf(0 | 1) => Some(1),
            _ => None,
        }
    }
}

/// The amounts of one alternative: those included and not excluded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Amounts {
    /// Union of these …
    pub include: Vec<AmountSet>,
    /// … without the union of these.
    pub exclude: Vec<AmountSet>,
}

impl Amounts {
    /// Exactly the amounts of one set.
    pub fn of(set: AmountSet) -> Self {
        Amounts { include: vec![set], exclude: Vec::new() }
    }

    /// Only 0: breaking without taking.
    pub fn nothing() -> Self {
        Amounts::of(AmountSet::one(0))
    }

    /// True if `k` may be taken from `n`.
    pub fn contains(&self, k: u64, n: u64) -> bool {
        k <= n && self.include.iter().any(|s| s.contains(k, n)) && !self.exclude.iter().any(|s| s.contains(k, n))
    }

    /// The least amount that is at least `k` and at most `n`.
    ///
    /// # Complexity
    /// A step for each excluded candidate, but runs of excluded neighbours are passed at once, and the search in a run
    /// ends when excluded runs have covered a whole period of it.
    pub fn next_from(&self, k: u64, n: u64) -> Option<u64> {
        match self.next_watched(k, n, n, &mut || ControlFlow::Continue(())) {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(()) => None,
        }
    }

    /// [`Amounts::next_from`] up to `last`, at most `n`; tells `tick` of each excluded candidate and breaks when that does.
    pub(crate) fn next_watched(
        &self,
        k: u64,
        last: u64,
        n: u64,
        tick: &mut impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<u64>> {
        let mut least = None;
        for set in &self.include {
            let end = least.map_or(last, |l: u64| l.saturating_sub(1));
            let mut stopped = ControlFlow::Continue(());
            let found = self.next_of(set, k, n, end, &mut || {
                stopped = tick();
                stopped.is_continue()
            });
            stopped?;
            least = found.or(least);
        }
        ControlFlow::Continue(least)
    }

    /// The least amount of an included set from `k` to `end`, both at most `n`; None also if `go_on` says no at an excluded
    /// candidate.
    fn next_of(
        &self,
        set: &AmountSet,
        mut k: u64,
        n: u64,
        mut end: u64,
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<u64> {
        let limit = end;
        let mut passed = 0u32;
        loop {
            let next = set.next_from(k, n).filter(|next| *next <= end)?;
            let excludes = |s: &&AmountSet| s.contains(next, n);
            let run = self.exclude.iter().filter(|s| matches!(s, AmountSet::Run { .. })).find(excludes);
            if run.is_none() && !self.exclude.iter().any(|s| excludes(&s)) {
                return Some(next);
            }
            if !go_on() {
                return None;
            }
            k = match run {
                Some(AmountSet::Run { last, step: 0 | 1, .. }) => (*last)?.checked_add(1)?,
                _ => next.checked_add(1)?,
            };
            if run.is_none() {
                (passed, end) = (0, limit);
            } else if passed < 256 {
                passed += 1;
            } else if passed == 256 {
                passed += 1;
                let turn = self.repeats_from(set).and_then(|(start, period)| k.max(start).checked_add(period));
                end = turn.map_or(limit, |e| e.min(limit));
            }
        }
    }

    /// From where on, and with which period, a run and the excluded runs repeat together.
    fn repeats_from(&self, set: &AmountSet) -> Option<(u64, u64)> {
        let runs = self.exclude.iter().filter(|s| matches!(s, AmountSet::Run { .. }));
        runs.chain([set]).try_fold((0u64, 1u64), |(start, period), set| match set {
            AmountSet::Run { last: Some(l), .. } => Some((start.max(l.checked_add(1)?), period)),
            AmountSet::Run { first, last: None, step } => {
                let step = (*step).max(1);
                Some((start.max(*first), (period / gcd(period, step)).checked_mul(step)?))
            }
            _ => None,
        })
    }

    /// The largest amount if the set is finite whatever the heap is.
    pub fn bound(&self) -> Option<u64> {
        self.include.iter().map(AmountSet::bound).try_fold(0, |m, b| b.map(|b| m.max(b)))
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least divisor of n that is at least k.
fn next_divisor(n: u64, k: u64) -> Option<u64> {
    if n == 0 || k > n {
        return None;
    }
    if n >> 32 != 0 {
        return divisors(n).into_iter().filter(|d| *d >= k).min();
    }
    let root = n.isqrt();
    if let Some(d) = (k..=root).find(|d| n.is_multiple_of(*d)) {
        return Some(d);
    }
    // d > root means n / d <= n / max(k, root + 1): take the largest cofactor that still divides
    let most = n / k.max(root + 1);
    (1..=most).rev().find(|c| n.is_multiple_of(*c)).map(|c| n / c)
}

/// All divisors of n >= 1, in no order; at most 103 680 below 2^64.
fn divisors(n: u64) -> Vec<u64> {
    let mut all = vec![1];
    let mut primes = prime_factors(n);
    primes.sort_unstable();
    let mut from = 0;
    for (i, p) in primes.iter().enumerate() {
        // an equal prime multiplies only what the one before it made
        if i == 0 || primes[i - 1] != *p {
            from = 0;
        }
        let end = all.len();
        for j in from..end {
            all.push(all[j] * p);
        }
        from = end;
    }
    all
}

/// The prime factors of n >= 1 with multiplicity: trial division by small numbers, then Pollard's rho.
fn prime_factors(n: u64) -> Vec<u64> {
    let mut left = n;
    let mut primes = Vec::new();
    for d in 2..1 << 10 {
        while left.is_multiple_of(d) {
            primes.push(d);
            left /= d;
        }
    }
    let mut parts = vec![left];
    while let Some(m) = parts.pop() {
        if m == 1 {
            continue;
        }
        if is_prime(m) {
            primes.push(m);
        } else {
            let d = proper_divisor(m);
            parts.extend([d, m / d]);
        }
    }
    primes
}

/// A divisor other than 1 and m of a composite odd m, by Pollard's rho with the sequences x^2 + c, c = 1, 2, …
///
/// About sqrt(p) steps for the least prime factor p, some milliseconds below 2^64.
fn proper_divisor(m: u64) -> u64 {
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(m)) as u64;
    for c in 1.. {
        let step = |x: u64| ((u128::from(mul(x, x)) + c) % u128::from(m)) as u64;
        let (mut slow, mut fast) = (2, 2);
        loop {
            slow = step(slow);
            fast = step(step(fast));
            let d = gcd(slow.abs_diff(fast), m);
            if d == m {
                break;
            }
            if d > 1 {
                return d;
            }
        }
    }
    m
}

/// Deterministic Miller-Rabin for 64 bits with the bases of Sorenson and Webster (2015): the first twelve primes.
pub(crate) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    for p in BASES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let (mut d, mut r) = (n - 1, 0);
    while d % 2 == 0 {
        d /= 2;
        r += 1;
    }
    'bases: for a in BASES {
        let (mut x, mut base, mut e) = (1, a % n, d);
        while e > 0 {
            if e & 1 == 1 {
                x = mul(x, base);
            }
            base = mul(base, base);
            e >>= 1;
        }
        if x == 1 || x == n - 1 {
            continue;
        }
        for _ in 1..r {
            x = mul(x, x);
            if x == n - 1 {
                continue 'bases;
            }
        }
        return false;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(set: &AmountSet, n: u64) -> Vec<u64> {
        let mut found = Vec::new();
        let mut k = 1;
        while let Some(next) = set.next_from(k, n) {
            found.push(next);
            k = next + 1;
        }
        let slow: Vec<u64> = (1..=n).filter(|k| set.contains(*k, n)).collect();
        assert_eq!(found, slow, "{set:?} {n}");
        found
    }

    #[test]
    fn each_set_as_the_notation_says() {
        assert_eq!(all(&AmountSet::PowersOf(2), 20), [1, 2, 4, 8, 16]);
        assert_eq!(all(&AmountSet::PowersOf(1), 20), [1]);
        assert_eq!(all(&AmountSet::Squares, 20), [1, 4, 9, 16]);
        assert_eq!(all(&AmountSet::Primes, 20), [2, 3, 5, 7, 11, 13, 17, 19]);
        assert_eq!(all(&AmountSet::Fibonacci, 20), [1, 2, 3, 5, 8, 13]);
        assert_eq!(all(&AmountSet::Divisors, 20), [1, 2, 4, 5, 10, 20]);
        assert_eq!(all(&AmountSet::Divisors, 36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!(all(&AmountSet::Run { first: 3, last: Some(11), step: 3 }, 20), [3, 6, 9]);
        assert_eq!(all(&AmountSet::Run { first: 1, last: None, step: 2 }, 6), [1, 3, 5]);
    }

    #[test]
    fn ends_of_the_range_do_not_overflow() {
        let huge = u64::MAX;
        assert_eq!(AmountSet::Squares.next_from(huge - 1, huge), None);
        assert_eq!(AmountSet::Fibonacci.next_from(huge, huge), None);
        assert_eq!(AmountSet::PowersOf(3).next_from(huge, huge), None);
        assert_eq!(
            AmountSet::Run { first: 2, last: None, step: 5 }.next_from(huge, huge),
            Some(huge).filter(|h| h % 5 == 2)
        );
        assert!(is_prime(18446744073709551557) && !is_prime(18446744073709551556));
    }

    #[test]
    fn divisors_of_huge_heaps_are_found_by_factoring() {
        for n in (1..3000).chain([5_040, 65_536, 1_000_003, 720_720]) {
            let mut all = divisors(n);
            all.sort_unstable();
            assert_eq!(all, (1..=n).filter(|d| n % d == 0).collect::<Vec<_>>(), "{n}");
        }
        let huge = 4_294_967_291 * 4_294_967_279;
        assert_eq!(AmountSet::Divisors.next_from(2, huge), Some(4_294_967_279));
        assert_eq!(AmountSet::Divisors.next_from(4_294_967_280, huge), Some(4_294_967_291));
        assert_eq!(AmountSet::Divisors.next_from((1 << 62) + 1, 1 << 63), Some(1 << 63));
        assert_eq!(AmountSet::Divisors.next_from(3, (1 << 61) - 1), Some((1 << 61) - 1));
        assert_eq!(divisors(897_612_484_786_617_600).len(), 103_680);
    }

    #[test]
    fn but_takes_away() {
        let allbut = Amounts { include: vec![AmountSet::from(1)], exclude: vec![AmountSet::one(3), AmountSet::one(5)] };
        assert_eq!((1..8).filter(|k| allbut.contains(*k, 9)).collect::<Vec<_>>(), [1, 2, 4, 6, 7]);
        assert_eq!(allbut.next_from(3, 9), Some(4));
        assert_eq!(allbut.bound(), None);
        let none = Amounts {
            include: vec![AmountSet::from(1)],
            exclude: vec![AmountSet::from(1 << 20), AmountSet::Run { first: 0, last: Some(1 << 60), step: 1 }],
        };
        assert_eq!(none.next_from(1, u64::MAX), None);
        let run = |first, step| AmountSet::Run { first, last: None, step };
        let sixes = Amounts { include: vec![run(6, 6), AmountSet::one(5)], exclude: vec![run(2, 4), run(4, 4)] };
        assert_eq!(sixes.next_from(0, u64::MAX), Some(5));
        assert_eq!(sixes.next_from(6, u64::MAX), None);
        let fours = Amounts {
            include: vec![run(4, 4), AmountSet::PowersOf(4)],
            exclude: vec![run(8, 4), AmountSet::PowersOf(2)],
        };
        assert_eq!(fours.next_from(0, u64::MAX), None);
    }
}
