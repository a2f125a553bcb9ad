//! A whole family of codes at once: the period of each, and which of them have equal sequences.

use std::{collections::HashMap, fmt, sync::Arc};

use grundy_core::{
    notation::{SyntaxError, read_heap_game},
    rulesets::HeapGame,
    theory::Periodicity,
};
use rayon::prelude::*;

use crate::{
    Session,
    answer::Status,
    budget::{Budget, Limit, Meter, StopReason},
    period::{PeriodAnswer, PeriodQuery, default_to},
    sequence::ValueTable,
};

/// Most codes of one pattern.
pub const MOST_CODES: u64 = 1 << 24;

/// A code with places to fill: `d` is any octal digit, `h` any hexadecimal one; everything else stands for itself.
///
/// Codes come in the order of reading, the last place turning fastest: `0.dd` is 0.00, 0.01, …, 0.77. As d0 allows
/// breaking only, a place before the point is any digit too, and most of its codes are equal.
///
/// # Examples
/// ```
/// use grundy::sweep::Pattern;
/// let pattern = Pattern::parse("4.d7").unwrap();
/// assert_eq!(pattern.len(), 8);
/// assert_eq!(pattern.code(5), "4.57");
/// assert!(Pattern::parse("kayles(d)").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    len: u64,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// One of its codes is no code.
    Syntax(String, SyntaxError),
    /// It stands for too many codes.
    TooMany,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Syntax(code, e) => write!(f, "{code}: {}", e.message),
            PatternError::TooMany => write!(f, "a pattern stands for at most {MOST_CODES} codes"),
        }
    }
}

impl std::error::Error for PatternError {}

/// Number of digits that a place may hold, 1 for a character that stands for itself.
fn choices(c: char) -> u64 {
    match c {
        'd' => 8,
        'h' => 16,
        _ => 1,
    }
}

impl Pattern {
    /// Reads a pattern; its first code and its last are tried.
    ///
    /// # Errors
    /// If one of them is no heap game, or there are more than [`MOST_CODES`].
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let len = text.chars().try_fold(1u64, |len, c| len.checked_mul(choices(c)).filter(|len| *len <= MOST_CODES));
        let pattern = Pattern { text: text.to_owned(), len: len.ok_or(PatternError::TooMany)? };
        for i in [0, pattern.len - 1] {
            pattern.game(i)?;
        }
        Ok(pattern)
    }

    /// Number of codes, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The code number `i`, from 0.
    pub fn code(&self, i: u64) -> String {
        let mut rest = i;
        let mut reversed: Vec<char> = Vec::new();
        for c in self.text.chars().rev() {
            let n = choices(c);
            if n == 1 {
                reversed.push(c);
            } else {
                let digit = char::from_digit((rest % n) as u32, 16).unwrap_or('0');
                reversed.push(digit.to_ascii_uppercase());
                rest /= n;
            }
        }
        reversed.into_iter().rev().collect()
    }

    /// The game of code number `i`.
    ///
    /// # Errors
    /// If it is no heap game.
    pub fn game(&self, i: u64) -> Result<Arc<HeapGame>, PatternError> {
        let code = self.code(i);
        read_heap_game(&code).map_err(|e| PatternError::Syntax(code, e))
    }
}

/// The period of every code of a pattern.
#[derive(Clone, Debug)]
pub struct SweepQuery {
    /// The codes.
    pub pattern: Pattern,
    /// Last heap computed for each code; where left out, what `period` takes, but at most 2^14, or 2^17 with `prove`.
    pub to: Option<u64>,
    /// Look further for proofs.
    pub prove: bool,
}

/// One code of a sweep.
#[derive(Clone, Debug)]
pub struct SweepRecord {
    /// The code.
    pub code: String,
    /// Its period, as [`Session::period`] answers.
    pub answer: PeriodAnswer,
    /// The first code of the sweep before this one with an equal sequence.
    pub same_as: Option<Same>,
}

/// A code with an equal sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same {
    /// The code.
    pub code: String,
    /// Proved: equal for all heaps. Computed: equal for all heaps compared.
    pub status: Status,
}

/// Codes that are worked on between two deliveries.
const CHUNK: u64 = 16;

/// Finds the period of every code, several at a time, and delivers the records in the order of the pattern.
///
/// Two sequences count as equal if the values of heaps 0 .. to agree, `to` being the last heap that both know or that
/// follows from a proved period. If both periods are proved, they are equal *for all heaps* exactly if preperiod, period
/// and saltus are equal and the values of heaps 0 .. preperiod + period agree, and that is what is compared. Each code is
/// compared with the first one of every class of equal ones before it.
///
/// Stops where `deliver` returns false, or where the budget as a whole is spent: that stop is returned, and the codes that
/// it cut short are left out.
///
/// # Complexity
/// That of the periods; the values known are kept to be compared, one byte each where they fit.
pub fn sweep(
    query: &SweepQuery,
    budget: &Budget,
    mut deliver: impl FnMut(SweepRecord) -> bool,
) -> Result<(), StopReason> {
    let meter = Meter::new(budget);
    // a thread a code, and none more within a code; where no threads can be had, those of all sweeps
    let pool = budget.threads.and_then(|n| rayon::ThreadPoolBuilder::new().num_threads(n.get()).build().ok());
    let mut classes = Classes::default();
    let mut start = 0;
    while start < query.pattern.len() {
        let end = query.pattern.len().min(start + CHUNK);
        let all = || (start..end).into_par_iter().map(|i| one(query, i, budget, &meter)).collect();
        let chunk: Vec<Option<(String, PeriodAnswer, Known)>> = match &pool {
            Some(pool) => pool.install(all),
            None => all(),
        };
        let mut stopped = None;
        for found in chunk {
            let Some((code, answer, known)) = found else { continue };
            if let Some(stop) = answer.stop.as_ref().filter(|s| is_global(s, budget)) {
                // the code had what was left of the time; the limit is that of all
                stopped = Some(meter.stop(stop.limit).reached(format!("{code} and the codes after it are missing")));
                break;
            }
            let same_as = classes.place(&code, known);
            if !deliver(SweepRecord { code, answer, same_as }) {
                return Ok(());
            }
        }
        if let Some(stop) = stopped {
            return Err(stop);
        }
        start = end;
    }
    Ok(())
}

/// True if the codes to come would be stopped as well.
fn is_global(stop: &StopReason, budget: &Budget) -> bool {
    budget.cancel.is_cancelled() || stop.limit == Limit::Time
}

fn one(query: &SweepQuery, i: u64, budget: &Budget, meter: &Meter) -> Option<(String, PeriodAnswer, Known)> {
    let game = query.pattern.game(i).ok()?;
    let most = if query.prove { 1 << 17 } else { 1 << 14 };
    let to = query.to.unwrap_or_else(|| default_to(&game).min(most));
    let time = budget.time.map(|t| t.saturating_sub(meter.elapsed()));
    let remaining = Budget { time, threads: None, ..budget.clone() };
    let mut session = Session::new();
    let answer = session.period(&PeriodQuery { game: Arc::clone(&game), to: Some(to), prove: query.prove }, &remaining);
    let proved = answer.period().filter(|_| answer.header.status == Status::Proved);
    // what determines the sequence, or all that is known of it
    let last = match (proved, answer.known_to) {
        (Some(p), _) => p.preperiod.saturating_add(p.period).min(to.saturating_add(1)),
        (None, Some(last)) => last + 1,
        (None, None) => 0,
    };
    let mut values = Vec::new();
    let _ = session.knowledge().values_of(&game, 0..last, &mut Meter::unlimited(), &mut values);
    Some((query.pattern.code(i), answer, Known { proved, values: values.into_iter().collect() }))
}

/// What a sweep keeps of a sequence.
struct Known {
    proved: Option<Periodicity>,
    values: ValueTable,
}

impl Known {
    /// G(n), if it is known or follows from the proved period.
    fn value(&self, n: u64) -> Option<u64> {
        let i = match self.proved {
            Some(p) if n >= p.preperiod => p.preperiod + (n - p.preperiod) % p.period,
            _ => n,
        };
        let base = self.values.get(usize::try_from(i).ok()?)?;
        match self.proved {
            Some(p) if n >= p.preperiod => base.checked_add(((n - p.preperiod) / p.period).checked_mul(p.saltus)?),
            _ => Some(base),
        }
    }

    /// How the sequence equals another; None if it does not.
    fn equals(&self, other: &Known) -> Option<Status> {
        match (self.proved, other.proved) {
            (Some(a), Some(b)) if a != b => None,
            (Some(a), Some(_)) => {
                let whole = a.preperiod.checked_add(a.period) == Some(self.values.len() as u64);
                let status = if whole { Status::Proved } else { Status::Computed };
                (self.values == other.values).then_some(status)
            }
            (a, b) => {
                let unbounded = |k: &Known, p: Option<Periodicity>| p.map_or(k.values.len(), |_| usize::MAX);
                let len = unbounded(self, a).min(unbounded(other, b)) as u64;
                (len > 0 && (0..len).all(|n| self.value(n) == other.value(n))).then_some(Status::Computed)
            }
        }
    }
}

/// Classes of equal sequences, each by its first code, found by their first values.
#[derive(Default)]
struct Classes {
    firsts: HashMap<Vec<Option<u64>>, Vec<(String, Known)>>,
}

/// Values by which candidates are found.
const HEAD: u64 = 32;

impl Classes {
    /// The class of a code, or a new one.
    fn place(&mut self, code: &str, known: Known) -> Option<Same> {
        let head: Vec<Option<u64>> = (0..HEAD).map(|n| known.value(n)).collect();
        let class = self.firsts.entry(head).or_default();
        for (first, other) in class.iter() {
            if let Some(status) = known.equals(other) {
                return Some(Same { code: first.clone(), status });
            }
        }
        class.push((code.to_owned(), known));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pattern: &str, to: Option<u64>) -> Vec<SweepRecord> {
        let query = SweepQuery { pattern: Pattern::parse(pattern).unwrap(), to, prove: false };
        let mut records = Vec::new();
        sweep(&query, &Budget::default(), |r| {
            records.push(r);
            true
        })
        .unwrap();
        records
    }

    #[test]
    fn patterns() {
        let p = Pattern::parse("0.dh").unwrap();
        assert_eq!(p.len(), 128);
        assert_eq!([p.code(0), p.code(15), p.code(16), p.code(127)], ["0.00", "0.0F", "0.10", "0.7F"]);
        assert_eq!(Pattern::parse("0.77").unwrap().len(), 1);
        assert!(matches!(Pattern::parse("0.dx"), Err(PatternError::Syntax(..))));
        assert_eq!(Pattern::parse("0.hhhhhhh"), Err(PatternError::TooMany));
    }

    #[test]
    fn two_digit_octals() {
        let records = all("0.dd", Some(2000));
        let codes: Vec<String> = records.iter().map(|r| r.code.clone()).collect();
        assert_eq!(codes, (0..64).map(|i| format!("0.{}{}", i / 8, i % 8)).collect::<Vec<_>>());
        let of = |code: &str| records.iter().find(|r| r.code == code).unwrap();
        let kayles = of("0.77").answer.period().unwrap();
        assert_eq!((kayles.period, kayles.preperiod), (12, 71));
        assert_eq!(of("0.27").same_as, Some(Same { code: "0.26".into(), status: Status::Proved }));
        assert_eq!(of("0.26").same_as, None);
        assert_eq!(of("0.06").answer.header.status, Status::Bounded);
        // every class is one of equal values, and its first member comes first
        for r in records.iter().filter(|r| r.same_as.is_some()) {
            let first = of(&r.same_as.as_ref().unwrap().code);
            assert_eq!(first.same_as, None);
            let game = |code: &str| read_heap_game(code).unwrap();
            let query = crate::compare::CompareQuery { left: game(&r.code), right: game(&first.code), to: 300 };
            assert_eq!(Session::new().compare(&query, &Budget::default()).equal(), Some(true), "{}", r.code);
        }
    }

    #[test]
    fn equal_as_far_as_seen_is_not_proved() {
        let query = SweepQuery { pattern: Pattern::parse("0.6d").unwrap(), to: Some(60), prove: false };
        let mut count = 0;
        sweep(&query, &Budget::default(), |r| {
            count += 1;
            if let Some(same) = r.same_as {
                assert!(same.status == Status::Proved || r.answer.header.status != Status::Proved);
            }
            count < 3
        })
        .unwrap();
        assert_eq!(count, 3);
    }

    #[test]
    fn a_spent_budget_ends_the_sweep() {
        let query = SweepQuery { pattern: Pattern::parse("0.ddd").unwrap(), to: None, prove: false };
        let budget = Budget { time: Some(std::time::Duration::from_millis(30)), ..Budget::default() };
        let mut count = 0;
        let stop = sweep(&query, &budget, |_| {
            count += 1;
            true
        });
        assert!(stop.is_err() && count < 512, "{count}");
    }
}
