//! How far a long run has come, on standard error.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use grundy::run::RunProgress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::args::ProgressMode;

/// Shows progress now and then.
pub struct Reporter {
    kind: Kind,
    all: u64,
    known: u64,
    started: Instant,
    /// Time and count of the last report.
    last: (Instant, u64),
    rate: f64,
}

enum Kind {
    Silent,
    Json,
    /// The bar appears once the run has taken a moment.
    Bar(Option<ProgressBar>),
}

/// Time between two JSON reports, and between two looks at the speed.
const INTERVAL: Duration = Duration::from_secs(1);

/// A run that ends before shows no bar.
const MOMENT: Duration = Duration::from_millis(500);

impl Reporter {
    /// Reports on a run to heap `to` of which so many values were known before.
    pub fn new(mode: ProgressMode, to: u64, known: u64) -> Self {
        let kind = match mode {
            ProgressMode::Json => Kind::Json,
            ProgressMode::Auto if io::stderr().is_terminal() => Kind::Bar(None),
            ProgressMode::Auto | ProgressMode::None => Kind::Silent,
        };
        let now = Instant::now();
        Reporter { kind, all: to.saturating_add(1), known, started: now, last: (now, known), rate: 0.0 }
    }

    /// True if people are watching.
    pub fn is_watched(&self) -> bool {
        matches!(self.kind, Kind::Bar(_))
    }

    /// Takes note, and reports if it is time to.
    pub fn report(&mut self, progress: &RunProgress) {
        if matches!(self.kind, Kind::Silent) {
            return;
        }
        let elapsed = self.last.0.elapsed();
        let is_due = elapsed >= INTERVAL;
        if is_due || self.rate == 0.0 {
            self.rate = progress.count.saturating_sub(self.last.1) as f64 / elapsed.as_secs_f64().max(1e-9);
        }
        match &mut self.kind {
            Kind::Json if is_due => self.write_json(progress),
            Kind::Bar(bar) if self.started.elapsed() >= MOMENT => {
                let bar = bar.get_or_insert_with(|| new_bar(self.all));
                bar.set_position(progress.count);
                bar.set_message(words(progress, self.rate, self.all));
            }
            _ => {}
        }
        if is_due {
            self.last = (Instant::now(), progress.count);
        }
    }

    /// The last word: a JSON line in any case; a bar disappears.
    pub fn finish(&mut self, progress: Option<&RunProgress>) {
        match (&self.kind, progress) {
            (Kind::Json, Some(progress)) => {
                let seconds = self.started.elapsed().as_secs_f64().max(1e-9);
                self.rate = progress.count.saturating_sub(self.known) as f64 / seconds;
                self.write_json(progress);
            }
            (Kind::Bar(Some(bar)), _) => bar.finish_and_clear(),
            _ => {}
        }
    }

    fn write_json(&self, progress: &RunProgress) {
        let engine = progress.engine;
        let line = json!({
            "heaps": progress.count,
            "of": self.all,
            "values_per_s": self.rate.round(),
            "rares": engine.and_then(|e| e.rares),
            "max": engine.map(|e| e.max),
            "period": progress.period.map(|p| p.period),
            "elapsed_s": (self.started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            "eta_s": seconds_left(progress.count, self.all, self.rate),
        });
        let _ = writeln!(io::stderr(), "{line}");
    }
}

fn new_bar(all: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// At the present speed; none before there is one.
fn seconds_left(count: u64, all: u64, rate: f64) -> Option<u64> {
    (rate > 0.0).then(|| (all.saturating_sub(count) as f64 / rate).round() as u64)
}

fn words(progress: &RunProgress, rate: f64, all: u64) -> String {
    let mut words = format!("{}/s", short(rate));
    if let Some(engine) = progress.engine {
        if let Some(rares) = engine.rares {
            words += &format!(", {rares} rare");
        }
        words += &format!(", max {}", engine.max);
    }
    if let Some(period) = progress.period {
        words += &format!(", {period}");
    }
    if let Some(left) = seconds_left(progress.count, all, rate) {
        words += &format!(", {} left", time(left));
    }
    words
}

fn short(rate: f64) -> String {
    match rate {
        r if r >= 1e9 => format!("{:.2} G", r / 1e9),
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e3 => format!("{:.1} k", r / 1e3),
        r => format!("{r:.0} "),
    }
}

fn time(seconds: u64) -> String {
    match seconds {
        s if s >= 86_400 => format!("{} d {} h", s / 86_400, s % 86_400 / 3600),
        s if s >= 3600 => format!("{} h {} min", s / 3600, s % 3600 / 60),
        s if s >= 60 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{s} s"),
    }
}

/// What a run is busy with, where nobody can say how far it is: on a terminal a line that disappears, as JSON one line at each
/// beginning.
pub struct Phases {
    kind: PhasesKind,
    started: Instant,
}

enum PhasesKind {
    Silent,
    Json,
    Line(ProgressBar),
}

impl Phases {
    /// Nothing has begun yet.
    pub fn new(mode: ProgressMode) -> Self {
        let kind = match mode {
            ProgressMode::Json => PhasesKind::Json,
            ProgressMode::Auto if io::stderr().is_terminal() => PhasesKind::Line(ProgressBar::new_spinner()),
            ProgressMode::Auto | ProgressMode::None => PhasesKind::Silent,
        };
        Phases { kind, started: Instant::now() }
    }

    /// This begins, and what was before is done.
    pub fn begin(&mut self, phase: &'static str) {
        match &self.kind {
            PhasesKind::Silent => {}
            PhasesKind::Json => {
                let elapsed = (self.started.elapsed().as_secs_f64() * 1e3).round() / 1e3;
                let _ = writeln!(io::stderr(), "{}", json!({"phase": phase, "elapsed_s": elapsed}));
            }
            PhasesKind::Line(line) => {
                line.set_message(phase);
                // drawn by a thread, first after this time
                line.enable_steady_tick(MOMENT);
            }
        }
    }

    /// All is done.
    pub fn end(&self) {
        if let PhasesKind::Line(line) = &self.kind {
            line.finish_and_clear();
        }
    }
}

impl Drop for Phases {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_people() {
        let progress = RunProgress { count: 1000, engine: None, period: None };
        assert_eq!(words(&progress, 2500.0, 501_000), "2.5 k/s, 3 min 20 s left");
        assert_eq!((time(7), time(7200), time(90_000)), ("7 s".into(), "2 h 0 min".into(), "1 d 1 h".into()));
        assert_eq!((short(3.2e7), short(12.0)), ("32.00 M".into(), "12 ".into()));
        assert_eq!(seconds_left(5, 10, 0.0), None);
    }
}
