//! Misère quotients of heap games, heap after heap.
//!
//! Two sums of heaps are the same in misère play if no other sum of heaps tells them apart by who wins. The classes of the sums of
//! heaps up to n form a commutative monoid, the quotient, with the set P of the lost ones; with the class of each heap it answers
//! every sum. For one heap more the old quotient may do (`Proof` and the mex of classes say when); else a larger one is guessed, and
//! where the least sum on which it is wrong shows too coarse a guess, heaps of that sum are set free. What is accepted is proved.

mod bits;
mod monoid;
mod presentation;
mod proof;
mod word;

use grundy_core::{rulesets::heap::HeapRule, theory::period::PeriodTheorem};

use crate::budget::{Meter, StopReason};
use bits::Bits;
use monoid::{Monoid, Options};
use proof::{Proof, harmless};
use word::Word;

pub use presentation::{Presentation, Relation};

/// A period of the classes of heaps, which holds for all heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotientPeriod {
    /// Classes of heap n and n + period are equal …
    pub period: u64,
    /// … from here on.
    pub preperiod: u64,
}

/// Why the quotient of one heap more is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit.
    Stopped(StopReason),
    /// No guess was right; the quotient may be infinite.
    GivenUp(String),
}

impl From<StopReason> for Halt {
    fn from(stop: StopReason) -> Self {
        Halt::Stopped(stop)
    }
}

/// Most elements of a guess.
const MOST_GUESSED: usize = 400_000;
/// Most guesses for one heap.
const MOST_ROUNDS: u32 = 400;
/// How much longer than needed the powers of a heap that is set free may be.
const MOST_BOOST: u32 = 6;

/// The quotient of a heap rule for all heaps up to some size, or for all.
///
/// # Complexity
/// For a heap that fits the quotient of order q, O(options + q^2 / 64); for others the guesses, which may have ten times as many
/// elements as the quotient. Memory: 4 bytes for each element and class of heaps, q / 8 bytes for each word of the proof.
///
/// # Sources
/// `[PS08]`
#[derive(Debug)]
pub struct QuotientSearch {
    rule: HeapRule,
    monoid: Monoid,
    options: Options,
    proof: Proof,
    period: Option<QuotientPeriod>,
}

impl QuotientSearch {
    /// Of no heap yet.
    pub fn new(rule: HeapRule) -> Self {
        let (monoid, options) = (Monoid::trivial(), vec![Vec::new()]);
        let proof = match Proof::of(&monoid, &options, &mut Meter::unlimited()) {
            Ok(Ok(proof)) => proof,
            _ => unreachable!("the sum of no heaps is won, and there is no other"),
        };
        QuotientSearch { rule, monoid, options, proof, period: None }
    }

    /// The last heap of which the quotient is known and proved.
    pub fn last(&self) -> u64 {
        self.options.len() as u64 - 1
    }

    /// The period that is proved for all heaps, if one is.
    pub fn period(&self) -> Option<QuotientPeriod> {
        self.period
    }

    /// Number of classes.
    pub fn order(&self) -> usize {
        self.monoid.order
    }

    /// Number of lost classes.
    pub fn lost(&self) -> usize {
        self.monoid.lost.count()
    }

    /// Order of the kernel, the least ideal: the classes of all sums with enough heaps of each class.
    pub fn kernel(&self) -> usize {
        let mut x = 0u32;
        for g in 0..self.monoid.generators.len() {
            let (index, period) = self.monoid.index_and_period(self.monoid.actions[g][0]);
            for _ in 0..index.next_multiple_of(period.max(1)) {
                x = self.monoid.actions[g][x as usize];
            }
        }
        let mut ideal = self.monoid.row(x);
        ideal.sort_unstable();
        ideal.dedup();
        ideal.len()
    }

    /// Whether this is the quotient of a sum of Nim heaps, so that misère Nim's rule decides.
    pub fn is_tame(&self) -> bool {
        let order = self.order();
        order <= 2 || self.lost() == 2 && (order - 2).is_power_of_two() && order > 4
    }

    /// The class of a heap; None if it is not known.
    pub fn class(&self, heap: u64) -> Option<u32> {
        let known = match self.period {
            Some(p) if heap > self.last() => p.preperiod + (heap - p.preperiod) % p.period,
            _ => heap,
        };
        self.monoid.values.get(usize::try_from(known).ok()?).copied()
    }

    /// The class of one heap more.
    pub fn times(&self, class: u32, heap: u64) -> Option<u32> {
        Some(self.proof.rows[&self.class(heap)?][class as usize])
    }

    /// The class of a sum of heaps.
    pub fn class_of_sum(&self, heaps: &[u64]) -> Option<u32> {
        heaps.iter().try_fold(0, |x, heap| self.times(x, *heap))
    }

    /// Whether the sums of a class are lost.
    pub fn is_lost(&self, class: u32) -> bool {
        self.monoid.lost.has(class as usize)
    }

    /// Generators, relations, lost classes and the classes of heaps in words.
    pub fn presentation(&self) -> Presentation {
        Presentation::of(&self.monoid)
    }

    /// Goes on to heap `to`, or until a period is proved.
    ///
    /// # Errors
    /// Why it goes no further; what was proved before stays.
    pub fn extend(&mut self, to: u64, meter: &mut Meter) -> Result<(), Halt> {
        while self.last() < to && self.period.is_none() {
            let mut options: Vec<Vec<usize>> = Vec::new();
            let mut stopped = Ok(());
            let _ = self.rule.each_option(self.last() + 1, &mut |parts: &[u64]| {
                stopped = meter.steps(50);
                options.push(parts.iter().map(|part| *part as usize).collect());
                if stopped.is_ok() { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
            });
            stopped?;
            meter.position()?;
            self.add(options, meter)?;
            self.period = self.proved_period();
        }
        Ok(())
    }

    fn add(&mut self, options: Vec<Vec<usize>>, meter: &mut Meter) -> Result<(), Halt> {
        let order = self.monoid.order;
        let values = self.monoid.option_values(&options, &self.proof.rows);
        let is_dead = options.is_empty();
        if is_dead {
            self.monoid.values.push(0);
            self.options.push(options);
            return Ok(());
        }
        let mut all = self.options.clone();
        all.push(options);
        meter.steps((values.len() * order) as u64)?;
        let harmless = harmless(&self.monoid, &values, &self.proof.rows);
        let is_lost = !values.iter().any(|v| self.is_lost(*v));
        // classes that the heap may have: lost or not as it is, and lost with nothing that its options are lost with
        let mut candidates = Vec::new();
        for x in (0..order as u32).filter(|x| self.is_lost(*x) == is_lost) {
            meter.steps(order as u64)?;
            let row = self.proof.rows.get(&x).cloned().unwrap_or_else(|| self.monoid.row(x));
            let lost = Bits::of(order, |y| self.monoid.lost.has(row[y] as usize));
            if !lost.is_within(&harmless) {
                continue;
            }
            let mut failing = Bits::of(order, |y| !lost.has(y));
            failing.keep(&harmless);
            if self.proof.is_covered(x, &failing) {
                // it fails nowhere, since a word of its class with as many options does not
                self.proof.rows.entry(x).or_insert(row);
                self.monoid.values.push(x);
                self.options = all;
                return Ok(());
            }
            candidates.push(x);
        }
        for x in candidates {
            let mut monoid = self.monoid.clone();
            monoid.values.push(x);
            if let Ok(proof) = Proof::of(&monoid, &all, meter)? {
                self.accept(monoid, all, proof, meter);
                return Ok(());
            }
        }
        let heap = all.len() - 1;
        let mut base = self.monoid.clone();
        base.values.push(0);
        let too_large = || Halt::GivenUp(format!("a guess for heap {heap} has more than {MOST_GUESSED} elements"));
        let mut guess = base.freed(&[(heap, 2, 2)], MOST_GUESSED).ok_or_else(too_large)?;
        guess.colour(&all, meter)?;
        guess = guess.reduced(meter)?;
        for _ in 0..MOST_ROUNDS {
            match Proof::of(&guess, &all, meter)? {
                Ok(proof) => {
                    self.accept(guess, all, proof, meter);
                    return Ok(());
                }
                Err(word) => {
                    let finer = recalibrated(&guess, &word, &all, meter)?;
                    guess = finer.ok_or_else(|| {
                        Halt::GivenUp(format!(
                            "no guess for heap {heap} was right; the last had {} classes",
                            guess.order
                        ))
                    })?;
                }
            }
        }
        Err(Halt::GivenUp(format!(
            "{MOST_ROUNDS} guesses for heap {heap} were wrong; the last had {} classes",
            guess.order
        )))
    }

    fn accept(&mut self, monoid: Monoid, options: Options, proof: Proof, meter: &mut Meter) {
        self.proof.forget(meter);
        (self.monoid, self.options, self.proof) = (monoid, options, proof);
    }

    /// The least period that the heaps so far prove for all.
    ///
    /// If a move takes at most k and leaves at most t heaps, and classes have period p from n on (n at least 1) up to heap
    /// t n + t p + k - 1, a later heap has the same classes of options as the one a period before it, since the largest part of an
    /// option is far enough to have the period; so it has the same class, and the quotient stays as it is.
    fn proved_period(&self) -> Option<QuotientPeriod> {
        let (span, parts) = match self.rule.period_theorem()? {
            PeriodTheorem::Window { span } => (span, 1),
            PeriodTheorem::GuySmith { span, parts } => (span, parts.max(1)),
        };
        let (values, last) = (&self.monoid.values, self.last());
        (1..=last / parts).find_map(|period| {
            let differs = |n: &u64| values[*n as usize] != values[(n + period) as usize];
            let preperiod = (1..=last - period).rev().find(differs).map_or(1, |n| n + 1);
            let reach = parts.checked_mul(preperiod + period)?.checked_add(span)?;
            (reach <= last + 1).then_some(QuotientPeriod { period, preperiod })
        })
    }
}

/// A guess in which heaps of the word are free, the fewest that change whether the word is lost; None if none of them do.
fn recalibrated(guess: &Monoid, word: &Word, options: &Options, meter: &mut Meter) -> Result<Option<Monoid>, Halt> {
    let was_lost = guess.lost.has(guess.value(word, &guess.rows()) as usize);
    let heaps = word.0.len().min(12);
    let mut subsets: Vec<u32> = (1..1u32 << heaps).collect();
    subsets.sort_by_key(|set| set.count_ones());
    for boost in 0..MOST_BOOST {
        for set in &subsets {
            let chosen = (0..heaps).filter(|i| set >> i & 1 == 1).map(|i| word.0[i]);
            let free: Vec<(usize, u32, u32)> = chosen
                .map(|(heap, count)| {
                    let (index, _) = guess.index_and_period(guess.values[heap]);
                    (heap, index.max(count - 1) + boost, 2)
                })
                .collect();
            let Some(mut finer) = guess.freed(&free, MOST_GUESSED) else { continue };
            finer.colour(options, meter)?;
            if finer.lost.has(finer.value(word, &finer.rows()) as usize) != was_lost {
                return Ok(Some(finer.reduced(meter)?));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
