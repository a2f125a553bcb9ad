//! Limits as data, and the meter that engines run against.
//!
//! A limit that is reached is a *result with a reason* ([`StopReason`]), not an error and never a value.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use grundy_core::rulesets::custom::Fault;

/// A flag that asks a running computation to stop; cheap to clone, shared by all clones.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token around a flag that somebody else sets, such as a signal handler.
    pub fn from_flag(flag: Arc<AtomicBool>) -> Self {
        CancelToken(flag)
    }

    /// Asks to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a request may spend; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of tables, estimated by the engines.
    pub memory: Option<u64>,
    /// Positions looked at: heap values, states of a search.
    pub positions: Option<u64>,
    /// Threads that may compute at once. Where nothing is said one computes a sequence, and one a core those of a sweep.
    pub threads: Option<NonZeroUsize>,
    /// Stops everything when set.
    pub cancel: CancelToken,
}

impl Budget {
    /// Number of threads that may compute one sequence.
    pub fn threads(&self) -> usize {
        self.threads.map_or(1, NonZeroUsize::get)
    }
}

/// The kind of limit that stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `--time`
    Time,
    /// `--memory`
    Memory,
    /// `--positions`
    Positions,
    /// Ctrl-C or a dropped request.
    Cancelled,
    /// A Grundy value beyond 64 bits.
    Width,
    /// A limit that rules of the user have of their own, such as the time of one position.
    Rules,
    /// Rules of the user that are no rules of a game that ends: a refusal, not a limit.
    Broken,
}

impl Limit {
    /// The word used in answers.
    pub fn word(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Positions => "positions",
            Limit::Cancelled => "interrupted",
            Limit::Width => "width",
            Limit::Rules => "rules",
            Limit::Broken => "broken rules",
        }
    }
}

/// Why a computation stopped, and how far it had come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopReason {
    /// Which limit.
    pub limit: Limit,
    /// The limit's setting for people: `10s`, `512 MiB`.
    pub setting: String,
    /// How far the computation came, for people.
    pub reached: String,
}

impl StopReason {
    /// Rules of the user that break off, or that are found wrong.
    pub fn of_rules(fault: Fault) -> Self {
        let limit = if fault.is_limit { Limit::Rules } else { Limit::Broken };
        StopReason { limit, setting: fault.message, reached: String::new() }
    }

    /// The same stop with a better account of what was reached.
    pub fn reached(mut self, reached: impl Into<String>) -> Self {
        self.reached = reached.into();
        self
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Cancelled => f.write_str(self.limit.word())?,
            Limit::Width => write!(f, "a Grundy value does not fit in 64 bits")?,
            Limit::Rules | Limit::Broken => f.write_str(&self.setting)?,
            _ => write!(f, "stopped by the {} limit ({})", self.limit.word(), self.setting)?,
        }
        if !self.reached.is_empty() {
            write!(f, ": {}", self.reached)?;
        }
        Ok(())
    }
}

/// Counts what a request spends and says when to stop.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    started: Instant,
    positions: u64,
    bytes: u64,
    until_look: u64,
}

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1 << 14;

impl Meter {
    /// Starts the clock.
    pub fn new(budget: &Budget) -> Self {
        Meter { budget: budget.clone(), started: Instant::now(), positions: 0, bytes: 0, until_look: 0 }
    }

    /// A meter that never stops, for tests and tiny computations.
    pub fn unlimited() -> Self {
        Meter::new(&Budget::default())
    }

    /// Counts `n` elementary steps (about a nanosecond each); looks at the clock now and then.
    #[inline]
    pub fn steps(&mut self, n: u64) -> Result<(), StopReason> {
        if self.until_look > n {
            self.until_look -= n;
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), StopReason> {
        self.until_look = STEPS_PER_LOOK;
        if self.budget.cancel.is_cancelled() {
            return Err(self.stop(Limit::Cancelled));
        }
        if self.budget.time.is_some_and(|t| self.started.elapsed() >= t) {
            return Err(self.stop(Limit::Time));
        }
        Ok(())
    }

    /// Counts one position.
    #[inline]
    pub fn position(&mut self) -> Result<(), StopReason> {
        self.positions += 1;
        if self.budget.positions.is_some_and(|p| self.positions > p) {
            self.positions -= 1;
            return Err(self.stop(Limit::Positions));
        }
        self.steps(16)
    }

    /// Number of positions that may still be looked at.
    pub fn positions_left(&self) -> u64 {
        self.budget.positions.map_or(u64::MAX, |p| p.saturating_sub(self.positions))
    }

    /// Counts `n` positions at once, which the caller knows to be left.
    pub fn count_positions(&mut self, n: u64) {
        self.positions = self.positions.saturating_add(n);
    }

    /// Counts `n` bytes of table before they are allocated.
    pub fn bytes(&mut self, n: u64) -> Result<(), StopReason> {
        self.bytes = self.bytes.saturating_add(n);
        if self.budget.memory.is_some_and(|m| self.bytes > m) {
            self.bytes = self.bytes.saturating_sub(n);
            return Err(self.stop(Limit::Memory));
        }
        Ok(())
    }

    /// Gives `n` bytes back.
    pub fn release(&mut self, n: u64) {
        self.bytes = self.bytes.saturating_sub(n);
    }

    /// The stop for `limit`, with its setting.
    pub fn stop(&self, limit: Limit) -> StopReason {
        let setting = match limit {
            Limit::Time => self.budget.time.map(|t| format!("{} ms", t.as_millis())).unwrap_or_default(),
            Limit::Memory => self.budget.memory.map(|m| format!("{} MiB", m.div_ceil(1 << 20))).unwrap_or_default(),
            Limit::Positions => self.budget.positions.map(|p| p.to_string()).unwrap_or_default(),
            Limit::Cancelled | Limit::Width | Limit::Rules | Limit::Broken => String::new(),
        };
        StopReason { limit, setting, reached: String::new() }
    }

    /// A meter for a part of the computation: what is left of this one's time, as much memory, and so many positions at most.
    pub fn part(&self, positions: u64) -> Meter {
        let time = self.time_left();
        Meter::new(&Budget { time, positions: Some(positions.min(self.positions_left())), ..self.budget.clone() })
    }

    /// A meter for a part of the computation that may take so much time, and what is left of this one's positions.
    pub fn for_time(&self, time: Duration) -> Meter {
        let rest = self.rest();
        Meter::new(&Budget { time: Some(rest.time.map_or(time, |t| t.min(time))), ..rest })
    }

    /// What is left of the time and of the positions, as much memory: the budget of a part of the computation.
    pub fn rest(&self) -> Budget {
        Budget {
            time: self.time_left(),
            positions: self.budget.positions.map(|_| self.positions_left()),
            ..self.budget.clone()
        }
    }

    /// What is left of the time, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.budget.time.map(|t| t.saturating_sub(self.elapsed()))
    }

    /// Time since the meter started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Positions counted so far.
    pub fn positions_seen(&self) -> u64 {
        self.positions
    }

    /// Bytes counted so far.
    pub fn bytes_used(&self) -> u64 {
        self.bytes
    }

    /// The budget that this meter watches.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_step_has_what_is_left() {
        let hour = Duration::from_secs(3600);
        let m = Meter::new(&Budget { time: Some(hour), ..Budget::default() });
        std::thread::sleep(Duration::from_millis(2));
        assert!(m.rest().time.is_some_and(|t| t < hour));
        assert_eq!(Meter::unlimited().rest().time, None);
    }

    #[test]
    fn each_limit_stops_with_its_name() {
        let mut m = Meter::new(&Budget { positions: Some(2), ..Budget::default() });
        assert!(m.position().is_ok() && m.position().is_ok());
        let stop = m.position().unwrap_err();
        assert_eq!((stop.limit, m.positions_seen()), (Limit::Positions, 2));

        let mut m = Meter::new(&Budget { memory: Some(100), ..Budget::default() });
        assert!(m.bytes(60).is_ok());
        assert_eq!(m.bytes(60).unwrap_err().limit, Limit::Memory);
        assert_eq!(m.bytes_used(), 60);

        let mut m = Meter::new(&Budget { time: Some(Duration::ZERO), ..Budget::default() });
        assert_eq!(m.steps(1).unwrap_err().limit, Limit::Time);

        let budget = Budget::default();
        budget.cancel.cancel();
        assert_eq!(Meter::new(&budget).steps(1).unwrap_err().limit, Limit::Cancelled);
    }
}
