//! Checks that a heap ruleset has a claimed period.
//!
//! *By a theorem about all heaps*: a closed form, or the repeated state of an all-but set, says what the period is, and
//! the claim must be equal to it. *By values*: all values up to the bound of the theorem are recomputed, the equation is
//! compared on them, and the period and the preperiod are checked to be the least.

use super::{
    Verdict,
    certificate::{BLOCK, Certificate, Claim, DIGEST_START, Hints, digest_step},
    replay::Replay,
};
use crate::{
    notation::read_heap_game,
    rulesets::{
        HeapGame,
        heap::{HeapRule, all_but_amounts, all_but_period, direct_values},
    },
    theory::Periodicity,
};

/// Most values that are recomputed by the rule's own list of options, in one step.
const BY_DEFINITION: u64 = 1 << 12;

/// Heaps after which the state of an all-but set must have repeated.
const ALL_BUT_RUN: u64 = 1 << 20;

/// A certificate of a period that is being checked, some steps at a time.
///
/// That of a closed form is accepted by [`check`](super::check) only; here it stays open.
///
/// # Complexity
/// For N values below the bound: those of `replay.rs`, and O(N) comparisons.
///
/// # Examples
/// ```
/// use grundy_core::proof::{Certificate, Check, Verdict};
/// let text = "grundy certificate 1\nsubject 0.07\nclaim period 34 preperiod 53 saltus 0\nend\n";
/// let certificate: Certificate = text.parse().unwrap();
/// let mut check = Check::new(&certificate);
/// assert_eq!(check.needed(), 176);
/// let verdict = loop {
///     if let Some(verdict) = check.advance(1000) {
///         break verdict;
///     }
/// };
/// assert_eq!(verdict, Verdict::Accepted);
/// ```
#[derive(Debug)]
pub struct Check {
    claimed: Periodicity,
    hints: Hints,
    needed: u64,
    work: Work,
    /// Digest of the block begun, blocks finished.
    digest: u64,
    blocks: usize,
}

#[derive(Debug)]
enum Work {
    Done(Verdict),
    /// Few values, all at once.
    Definition(HeapRule),
    Replay(Box<Replay>),
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, Verdict> {
    Err(Verdict::Refused(reason.into()))
}

fn outside<T>(reason: &str) -> Result<T, Verdict> {
    Err(Verdict::Outside(reason.into()))
}

impl Check {
    /// Begins a check; what can be said without values is said at once.
    pub fn new(certificate: &Certificate) -> Check {
        let hints = certificate.hints.clone();
        let (claimed, begun) = match certificate.claim {
            Claim::Period(claimed) => (claimed, begin(&certificate.subject, claimed, &hints)),
            Claim::ClosedForm(_) => (Periodicity { preperiod: 0, period: 1, saltus: 0 }, not_by_values()),
        };
        let (needed, work) = match begun {
            Ok(begun) => begun,
            Err(verdict) => (0, Work::Done(verdict)),
        };
        Check { claimed, hints, needed, work, digest: DIGEST_START, blocks: 0 }
    }

    /// Number of values that the check recomputes.
    pub fn needed(&self) -> u64 {
        self.needed
    }

    /// Number of values recomputed so far.
    pub fn done(&self) -> u64 {
        match &self.work {
            Work::Done(_) => self.needed,
            Work::Definition(_) => 0,
            Work::Replay(replay) => replay.len() as u64,
        }
    }

    /// Looks at about so many options, one heap at least; the verdict, once it is known.
    pub fn advance(&mut self, options: u64) -> Option<Verdict> {
        let verdict = match std::mem::replace(&mut self.work, Work::Done(Verdict::Accepted)) {
            Work::Done(verdict) => verdict,
            Work::Definition(rule) => self.by_definition(&rule),
            Work::Replay(mut replay) => match self.replay(&mut replay, options) {
                Some(verdict) => verdict,
                None => {
                    self.work = Work::Replay(replay);
                    return None;
                }
            },
        };
        self.work = Work::Done(verdict.clone());
        Some(verdict)
    }

    fn by_definition(&mut self, rule: &HeapRule) -> Verdict {
        let values = direct_values(rule, self.needed);
        let said = (0..).zip(&values).try_for_each(|(n, v)| self.hear(n, *v));
        said.and_then(|()| self.equation(|n| values[n as usize])).err().unwrap_or(Verdict::Accepted)
    }

    fn replay(&mut self, replay: &mut Replay, options: u64) -> Option<Verdict> {
        let mut looked = 0;
        while (replay.len() as u64) < self.needed {
            if looked >= options {
                return None;
            }
            let n = replay.len() as u64;
            let (value, steps) = replay.advance();
            looked += steps;
            if let Err(verdict) = self.hear(n, value) {
                return Some(verdict);
            }
        }
        Some(self.equation(|n| replay.value(n as usize)).err().unwrap_or(Verdict::Accepted))
    }

    /// Holds a value against what the certificate says of it.
    fn hear(&mut self, n: u64, value: u64) -> Result<(), Verdict> {
        if let Some(said) = self.hints.values.get(n as usize)
            && *said != value
        {
            return refuse(format!("the certificate has G({n}) = {said}, it is {value}"));
        }
        self.digest = digest_step(self.digest, value);
        if (n + 1).is_multiple_of(BLOCK) || n + 1 == self.needed {
            let said = self.hints.blocks.get(self.blocks);
            if said.is_some_and(|said| *said != self.digest) {
                return refuse(format!("the values from heap {} on have another digest", self.blocks as u64 * BLOCK));
            }
            self.blocks += 1;
            self.digest = DIGEST_START;
        }
        Ok(())
    }

    /// The claim on the values below the bound.
    fn equation(&self, g: impl Fn(u64) -> u64) -> Result<(), Verdict> {
        let Periodicity { preperiod: n0, period: p, .. } = self.claimed;
        if let Some(n) = (n0..self.needed - p).find(|n| g(*n) != g(n + p)) {
            return refuse(format!("G({n}) = {} but G({}) = {}", g(n), n + p, g(n + p)));
        }
        if n0 > 0 && g(n0 - 1) == g(n0 - 1 + p) {
            return refuse(format!("the preperiod is smaller: G({}) = G({}) already", n0 - 1, n0 - 1 + p));
        }
        // the least period divides every period of the periodic part, and p over a prime is the next candidate
        for q in primes_of(p).into_iter().map(|prime| p / prime) {
            if (n0..n0 + p).all(|n| g(n) == g(n0 + (n - n0 + q) % p)) {
                return refuse(format!("{q} is a smaller period"));
            }
        }
        Ok(())
    }
}

fn not_by_values<T>() -> Result<T, Verdict> {
    Err(Verdict::TooLarge("a closed form is not checked by values".into()))
}

/// The different prime divisors of n.
fn primes_of(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut d = 2;
    while d <= n / d {
        if n.is_multiple_of(d) {
            primes.push(d);
            while n.is_multiple_of(d) {
                n /= d;
            }
        }
        d += 1;
    }
    if n > 1 {
        primes.push(n);
    }
    primes
}

/// The game of a subject.
pub(super) fn read(subject: &str) -> Result<std::sync::Arc<HeapGame>, Verdict> {
    let game = read_heap_game(subject).map_err(|e| Verdict::Outside(format!("the subject is not readable: {e}")))?;
    if game.heap_of(0) != Some(0) {
        return outside("the positions of this game are not the heaps of its rule; the claim must be about the rule");
    }
    Ok(game)
}

/// The period that a theorem about all heaps gives.
fn by_theorem(game: &HeapGame) -> Result<Option<Periodicity>, Verdict> {
    if let Some(form) = game.closed_form() {
        return match form.periodicity() {
            Some(p) => Ok(Some(p)),
            None => refuse("the values of this rule have no period"),
        };
    }
    Ok(all_but_amounts(game.rule()).and_then(|x| all_but_period(&x, ALL_BUT_RUN)).map(|(p, _)| p))
}

fn begin(subject: &str, claimed: Periodicity, hints: &Hints) -> Result<(u64, Work), Verdict> {
    let game = read(subject)?;
    if claimed.period == 0 {
        return refuse("a period is at least 1");
    }
    if let Some(true_period) = by_theorem(&game)? {
        if true_period != claimed {
            return refuse(format!("the rule has {true_period}, by a theorem"));
        }
        if *hints != Hints::default() {
            return refuse("the claim rests on a theorem about all heaps, and on no values");
        }
        return Ok((0, Work::Done(Verdict::Accepted)));
    }
    let Some(theorem) = game.rule().period_theorem() else {
        return outside("no theorem proves a period of this rule from finitely many values");
    };
    if claimed.saltus != 0 {
        return refuse("the theorem proves periods with saltus 0 only");
    }
    let Some(needed) = theorem.values_needed(claimed.preperiod, claimed.period) else {
        return refuse("the bound of the theorem does not fit in 64 bits");
    };
    if let Some(bound) = hints.bound.filter(|b| *b != needed) {
        return refuse(format!("the theorem needs {needed} values, not {bound}"));
    }
    if !hints.blocks.is_empty() && hints.blocks.len() as u64 != needed.div_ceil(BLOCK) {
        return refuse(format!("there are {} digests for {needed} values", hints.blocks.len()));
    }
    if !hints.values.is_empty() && hints.values.len() as u64 != needed {
        return refuse(format!("there are {} values, {needed} are needed", hints.values.len()));
    }
    let replay = Replay::new(game.rule(), hints.split.unwrap_or_default());
    match replay {
        Err(reason) if hints.split.is_some() => refuse(reason),
        _ if needed <= BY_DEFINITION => Ok((needed, Work::Definition(game.rule().clone()))),
        Ok(replay) => Ok((needed, Work::Replay(Box::new(replay)))),
        Err(reason) => Err(Verdict::TooLarge(format!("{needed} values are needed, and {reason}"))),
    }
}

/// Values that are believed, for checks by sample: whether the claim follows from them, and whether single ones are right.
///
/// No sample proves a claim.
#[derive(Debug)]
pub struct Sample<'a, F> {
    rule: HeapRule,
    needed: u64,
    hints: &'a Hints,
    claimed: Periodicity,
    values: F,
}

impl<'a, F: Fn(u64) -> u64> Sample<'a, F> {
    /// The claim of a certificate about `values`, a table of at least as many as [`Check::needed`] says.
    ///
    /// # Errors
    /// The verdict, where it needs no values.
    pub fn new(certificate: &'a Certificate, values: F) -> Result<Self, Verdict> {
        let Claim::Period(claimed) = certificate.claim else { return not_by_values() };
        let (needed, work) = begin(&certificate.subject, claimed, &certificate.hints)?;
        if let Work::Done(verdict) = work {
            return Err(verdict);
        }
        let rule = read(&certificate.subject)?.rule().clone();
        Ok(Sample { rule, needed, hints: &certificate.hints, claimed, values })
    }

    /// Checks that the table has the digests of the certificate and that the equation holds on it.
    ///
    /// # Errors
    /// The refusal.
    pub fn whole(&self) -> Result<(), Verdict> {
        let work = Work::Done(Verdict::Accepted);
        let hints = self.hints.clone();
        let claimed = self.claimed;
        let mut check = Check { claimed, hints, needed: self.needed, work, digest: DIGEST_START, blocks: 0 };
        (0..self.needed).try_for_each(|n| check.hear(n, (self.values)(n)))?;
        check.equation(&self.values)
    }

    /// Checks the value of heap `n` by the definition: the mex of all its options in the table.
    ///
    /// # Errors
    /// The refusal.
    pub fn heap(&self, n: u64) -> Result<(), Verdict> {
        let mut seen = crate::theory::Mex::default();
        let _ = self.rule.each_option(n, &mut |parts: &[u64]| {
            seen.insert(parts.iter().fold(0, |x, p| x ^ (self.values)(*p)));
            core::ops::ControlFlow::Continue(())
        });
        match (seen.mex(), (self.values)(n)) {
            (right, said) if right != said => refuse(format!("the table has G({n}) = {said}, it is {right}")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{CheckLimits, Split, check, digest};

    fn certificate(subject: &str, period: u64, preperiod: u64, saltus: u64) -> Certificate {
        let claim = Claim::Period(Periodicity { preperiod, period, saltus });
        Certificate { subject: subject.into(), claim, hints: Hints::default() }
    }

    fn verdict(subject: &str, period: u64, preperiod: u64, saltus: u64) -> Verdict {
        check(&certificate(subject, period, preperiod, saltus), CheckLimits::default())
    }

    fn refused(certificate: &Certificate) -> bool {
        matches!(check(certificate, CheckLimits::default()), Verdict::Refused(_))
    }

    #[test]
    fn every_changed_claim_is_refused() {
        for (subject, period, preperiod, saltus) in [
            ("0.77", 12, 71, 0),
            ("dawsons_kayles", 34, 53, 0),
            ("subtraction[{1, 3, 4}]", 7, 0, 0),
            ("0.123", 5, 5, 0),
            ("0.F2", 4, 1, 0),
            ("lasker", 4, 1, 4),
            ("nim", 1, 0, 1),
            ("allbut[{1, 5, 6}]", 18, 0, 6),
        ] {
            assert_eq!(verdict(subject, period, preperiod, saltus), Verdict::Accepted, "{subject}");
            let no = |p: u64, n: u64, s: u64| matches!(verdict(subject, p, n, s), Verdict::Refused(_));
            assert!(no(2 * period, preperiod, 2 * saltus) && no(period + 1, preperiod, saltus), "{subject}");
            assert!(no(0, preperiod, saltus) && no(period, preperiod + 1, saltus), "{subject}");
            assert!(no(period, preperiod, saltus + 1), "{subject}");
            assert!(preperiod == 0 || no(period, preperiod - 1, saltus), "{subject}");
            assert!(saltus == 0 || no(period, preperiod, 0), "{subject}");
        }
        // another subject is another claim
        assert!(refused(&certificate("0.07", 12, 71, 0)));
    }

    #[test]
    fn outside_the_theorems() {
        assert!(matches!(verdict("grundy_game", 3, 5, 0), Verdict::Outside(_)));
        assert!(matches!(verdict("0.02", 1, 0, 0), Verdict::Refused(_)));
        // true, and not by this theorem
        assert!(matches!(verdict("0.8", 3, 1, 1), Verdict::Refused(_)));
        // a theorem says that it has none
        assert!(matches!(verdict("[take divisors]", 1, 0, 0), Verdict::Refused(_)));
        assert!(matches!(verdict("treblecross", 1, 0, 0), Verdict::Outside(_)));
        assert!(matches!(verdict("no such game", 1, 0, 0), Verdict::Outside(_)));
        assert!(matches!(verdict("0.77", 12, 1 << 40, 0), Verdict::TooLarge(_)));
        assert!(matches!(verdict("0.77", u64::MAX, u64::MAX, 0), Verdict::Refused(_)));
        // a period that is true of the first values only
        assert!(matches!(verdict("0.8", 1, 5000, 0), Verdict::TooLarge(_)));
    }

    /// A certificate with all hints, true ones.
    fn full(subject: &str, period: u64, preperiod: u64, split: Split) -> Certificate {
        let mut c = certificate(subject, period, preperiod, 0);
        let game = read_heap_game(subject).unwrap();
        let needed = game.rule().period_theorem().unwrap().values_needed(preperiod, period).unwrap();
        let mut replay = Replay::new(game.rule(), split).unwrap();
        let values: Vec<u64> = (0..needed).map(|_| replay.advance().0).collect();
        let blocks = values.chunks(BLOCK as usize).map(|b| digest(b.iter().copied())).collect();
        c.hints = Hints { bound: Some(needed), split: Some(split), blocks, values };
        c
    }

    #[test]
    fn every_changed_hint_is_refused_or_does_not_matter() {
        let split = Split { mask: 0b11_0000, by_parity: false };
        // 13465 values: by replay; 168: by definition
        for c in [full("0.165", 1550, 5181, split), full("0.77", 12, 71, split)] {
            assert_eq!(check(&c, CheckLimits::default()), Verdict::Accepted);
            let change = |f: &dyn Fn(&mut Hints)| {
                let mut c = c.clone();
                f(&mut c.hints);
                c
            };
            assert!(refused(&change(&|h| h.bound = h.bound.map(|b| b + 1))));
            assert!(refused(&change(&|h| h.bound = h.bound.map(|b| b - 1))));
            assert!(refused(&change(&|h| h.blocks[0] ^= 1)));
            assert!(refused(&change(&|h| h.blocks.push(0))));
            assert!(refused(&change(&|h| h.values[100] ^= 1)));
            assert!(refused(&change(&|h| *h.values.last_mut().unwrap() += 1)));
            assert!(refused(&change(&|h| h.values.truncate(50))));
            // values that are wrong and have the digest that is right for them
            assert!(refused(&change(&|h| {
                h.values[100] ^= 1;
                h.blocks = vec![digest(h.values.iter().copied())];
            })));
            // any mask will do
            let other = change(&|h| h.split = Some(Split { mask: 5, by_parity: false }));
            assert_eq!(check(&other, CheckLimits::default()), Verdict::Accepted);
            // but heaps of 0.165 and 0.77 are broken after amounts of both parities
            assert!(refused(&change(&|h| h.split = Some(Split { mask: 5, by_parity: true }))));
        }
    }

    #[test]
    fn every_changed_claim_about_many_values_is_refused() {
        let mut c = certificate("0.165", 1550, 5181, 0);
        c.hints.split = Some(Split { mask: 0b11_0000, by_parity: false });
        assert_eq!(check(&c, CheckLimits::default()), Verdict::Accepted);
        for (period, preperiod) in [(3100, 5181), (775, 5181), (1550, 5180), (1550, 5182)] {
            c.claim = Claim::Period(Periodicity { period, preperiod, saltus: 0 });
            assert!(refused(&c), "{period} {preperiod}");
        }
    }

    #[test]
    fn a_theorem_needs_no_hints() {
        let mut c = certificate("lasker", 4, 1, 4);
        c.hints.bound = Some(9);
        assert!(refused(&c));
    }

    #[test]
    fn samples() {
        let c = full("0.165", 1550, 5181, Split::default());
        let sample = Sample::new(&c, |n| c.hints.values[n as usize]).unwrap();
        assert_eq!(sample.whole(), Ok(()));
        assert!((0..300).all(|i| sample.heap(i * 44).is_ok()));
        let wrong = Sample::new(&c, |n| c.hints.values[n as usize] ^ u64::from(n == 9000)).unwrap();
        assert!(wrong.whole().is_err() && wrong.heap(9000).is_err() && wrong.heap(8999).is_ok());
    }
}
