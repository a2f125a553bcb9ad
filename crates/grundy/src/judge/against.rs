//! Stress tests: somebody's program against the problem's own answers, on random small inputs.
//!
//! When an answer is wrong, the program hangs or crashes, the input is made smaller as long as that stays so: fewer cases,
//! fewer heaps, smaller numbers, shorter words.

use std::{
    io::{Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{
    error::JudgeError,
    format::Item,
    generate::{Maker, Ranges},
    inputs::{Body, Field},
    preset::Problem,
    program::Program,
};
use crate::budget::{Budget, CancelToken};

/// Most bytes of a program's output that are kept.
const OUTPUT: u64 = 16 << 20;

/// Most runs of the program while an input is made smaller.
const SHRINKS: u32 = 2000;

/// Longest time that an input is made smaller.
const SHRINK_TIME: Duration = Duration::from_secs(20);

/// Shortest time limit while the input of a program that hangs is made smaller.
const QUICK: Duration = Duration::from_millis(100);

/// Largest length of the lists that are tried from below.
const SMALL: u64 = 5;

/// What to test and how long.
#[derive(Clone, Debug)]
pub struct Stress {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Inputs tried.
    pub rounds: u64,
    /// Seed of the inputs.
    pub seed: u64,
    /// Largest number; by default small ones and, every fourth round, those of the problem's ranges.
    pub max: Option<u64>,
    /// Longest run of the program.
    pub timeout: Duration,
}

/// What the program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It answered this.
    Answered(String),
    /// It did not end in time; what it had written.
    Hung(String),
    /// It ended with this status, said in words; what it had written.
    Crashed(String, String),
}

/// An input on which the program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The input, the smallest that was found.
    pub input: String,
    /// The right answer.
    pub expected: String,
    /// What the program did.
    pub got: Outcome,
    /// The round, from 1.
    pub round: u64,
}

/// What came of a stress test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StressReport {
    /// Inputs tried.
    pub rounds: u64,
    /// Cases in them.
    pub cases: u64,
    /// The failure, if there was one.
    pub failing: Option<Failing>,
}

impl Program {
    /// Runs a program on random inputs until an answer differs from the right one, token by token.
    ///
    /// # Complexity
    /// One run of the program a round, and up to some thousand short ones to make a failing input smaller.
    ///
    /// # Errors
    /// If the program cannot be started, the ranges leave no case, or a limit was reached.
    pub fn stress(&self, problem: &Problem, stress: &Stress, budget: &Budget) -> Result<StressReport, JudgeError> {
        let mut report = StressReport { rounds: 0, cases: 0, failing: None };
        let full = Ranges::new(problem, self, stress.max)?;
        let mut maker = Maker::new(self, full, stress.seed, budget);
        let started = Instant::now();
        let mut slowest = Duration::ZERO;
        for round in 1..=stress.rounds {
            if budget.cancel.is_cancelled() || budget.time.is_some_and(|t| started.elapsed() > t) {
                break;
            }
            let small = if round % 4 == 0 { None } else { Some(4 + round / 4) };
            let ranges = Ranges::new(problem, self, stress.max.or(small))?;
            maker.ranges = if round % 8 == 0 { ranges.short(3, self).at_the_edges() } else { ranges };
            let wanted = if maker.level < self.layout.levels.len() { 1 + (round % 10) as usize } else { 1 };
            let (root, _) = maker.input(wanted)?;
            report.rounds = round;
            report.cases += wanted as u64;
            let mut tester = Tester {
                problem,
                maker: &mut maker,
                stress,
                budget,
                left: SHRINKS,
                until: None,
                timeout: stress.timeout,
                slowest,
            };
            if let Some((expected, got)) = tester.fails(&root)? {
                let (root, expected, got) = tester.smallest(root, expected, got)?;
                report.failing = Some(Failing { input: self.write_down(&root), expected, got, round });
                break;
            }
            slowest = tester.slowest;
        }
        Ok(report)
    }

    /// The right answer to an input.
    fn expected(&self, input: &str, budget: &Budget) -> Result<String, JudgeError> {
        let mut out = Vec::new();
        self.run(input.as_bytes(), &mut out, budget)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }
}

/// A failing input, the right answer, what the program did.
type Failure = (Body, String, Outcome);

struct Tester<'m, 'p> {
    problem: &'m Problem,
    maker: &'m mut Maker<'p>,
    stress: &'m Stress,
    budget: &'m Budget,
    /// Runs that are left for making the input smaller.
    left: u32,
    until: Option<Instant>,
    /// Longest run at the moment.
    timeout: Duration,
    /// Longest run that ended.
    slowest: Duration,
}

impl Tester<'_, '_> {
    /// The right answer and what the program did, if it fails.
    fn fails(&mut self, root: &Body) -> Result<Option<(String, Outcome)>, JudgeError> {
        let input = self.maker.program.write_down(root);
        let expected = self.maker.program.expected(&input, self.budget)?;
        let started = Instant::now();
        let got = run(&self.stress.command, &input, self.timeout, &self.budget.cancel)?;
        if !matches!(got, Outcome::Hung(_)) {
            self.slowest = self.slowest.max(started.elapsed());
        }
        let agrees = match &got {
            Outcome::Answered(text) => text.split_whitespace().eq(expected.split_whitespace()),
            _ => false,
        };
        Ok((!agrees).then_some((expected, got)))
    }

    /// Makes a failing input smaller.
    fn smallest(&mut self, root: Body, expected: String, got: Outcome) -> Result<Failure, JudgeError> {
        self.until = Some(Instant::now() + SHRINK_TIME);
        // a program that hangs is not run to its time limit hundreds of times
        self.timeout = (self.slowest * 50).max(QUICK).min(self.stress.timeout);
        let first = (root, expected, got);
        // steps down from a large input are many, and may end in a pit: small ones are looked at from below first
        let mut small = None;
        for size in 1..=SMALL {
            small = self.tiny(size)?;
            if small.is_some() {
                break;
            }
        }
        self.maker.ranges = Ranges::new(self.problem, self.maker.program, self.stress.max)?;
        let mut best = self.descend(small.unwrap_or_else(|| first.clone()))?;
        if self.measure(&first.0) < self.measure(&best.0) {
            best = first.clone();
        }
        if matches!(best.2, Outcome::Hung(_)) && self.timeout < self.stress.timeout {
            self.timeout = self.stress.timeout;
            return Ok(match self.fails(&best.0)? {
                Some((expected, got)) => (best.0, expected, got),
                None => first,
            });
        }
        Ok(best)
    }

    /// A failing one among random inputs of this size.
    fn tiny(&mut self, size: u64) -> Result<Option<Failure>, JudgeError> {
        let program = self.maker.program;
        self.maker.ranges = Ranges::new(self.problem, program, Some(2 * size))?.short(size, program);
        let (runs, cases) = if self.maker.level < program.layout.levels.len() { (2, 100) } else { (40, 1) };
        for _ in 0..runs {
            if self.is_over() {
                break;
            }
            // ranges that are too small for the problem's limits hold nothing
            let Ok(root) = self.maker.drawn(cases) else { break };
            self.left -= 1;
            if let Some((expected, got)) = self.fails(&root)? {
                return Ok(Some((root, expected, got)));
            }
        }
        Ok(None)
    }

    /// Steps down until no step fails any more.
    fn descend(&mut self, mut best: Failure) -> Result<Failure, JudgeError> {
        loop {
            let mut smaller = None;
            for next in self.smaller(&best.0) {
                if self.is_over() {
                    return Ok(best);
                }
                let Some(next) = self.maker.program.fitted(next).filter(|n| *n != best.0) else { continue };
                if !self.allowed(0, &next) || self.maker.judged(&next)?.is_none() {
                    continue;
                }
                self.left -= 1;
                if let Some((expected, got)) = self.fails(&next)? {
                    smaller = Some((next, expected, got));
                    break;
                }
            }
            match smaller {
                Some(found) => best = found,
                None => return Ok(best),
            }
        }
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.until.is_some_and(|t| Instant::now() > t) || self.budget.cancel.is_cancelled()
    }

    /// How large an input is: its numbers and words, then its length.
    fn measure(&self, root: &Body) -> (usize, usize) {
        let text = self.maker.program.write_down(root);
        (text.split_whitespace().count(), text.len())
    }

    /// Inputs a step smaller, the boldest steps first; their lists may be too long.
    fn smaller(&self, root: &Body) -> Vec<Body> {
        let mut found = Vec::new();
        let mut paths = Vec::new();
        paths_of(root, &mut Vec::new(), &mut paths);
        // fewer cases: one alone, half of them, all but one
        for path in &paths {
            let count = at(root, path).inner.len();
            let level = path.len() + 1;
            let fixed = |r: &super::format::Repeat| matches!(r, super::format::Repeat::Once);
            if count < 2 || self.maker.program.layout.levels.get(level).is_none_or(|l| fixed(&l.repeat)) {
                continue;
            }
            let mut keep = |from: usize, to: usize| {
                let mut next = root.clone();
                let inner = &mut at_mut(&mut next, path).inner;
                *inner = inner[from..to].to_vec();
                found.push(next);
            };
            if count > 2 {
                (0..count).for_each(|i| keep(i, i + 1));
            }
            keep(0, count / 2);
            keep(count / 2, count);
            for i in 0..count {
                let mut next = root.clone();
                at_mut(&mut next, path).inner.remove(i);
                found.push(next);
            }
        }
        // shorter lists: each member goes last, and the length becomes one less
        for path in &paths {
            let items = &self.maker.program.layout.levels[path.len()].items;
            for (i, item) in items.iter().enumerate() {
                let Item::Number(slot) = item else { continue };
                let Field::Number(n) = at(root, path).fields[i] else { continue };
                if !self.maker.program.is_length(*slot) || n <= self.maker.ranges.of(*slot).low {
                    continue;
                }
                let low = self.maker.ranges.of(*slot).low;
                let mut without = |members: &[usize]| {
                    let mut next = root.clone();
                    let body = at_mut(&mut next, path);
                    body.fields[i] = Field::Number(n - members.len() as u64);
                    members.iter().rev().for_each(|j| rotate(body, *j));
                    found.push(next);
                };
                let half = (n / 2) as usize;
                if half > 1 && n - half as u64 >= low {
                    without(&(0..half).collect::<Vec<_>>());
                    without(&(n as usize - half..n as usize).collect::<Vec<_>>());
                }
                let few = n.min(64) as usize;
                (0..few).for_each(|j| without(&[j]));
                // what cancels in a xor goes together
                if n <= 16 && n >= low + 2 {
                    for j in 0..few {
                        (j + 1..few).for_each(|k| without(&[j, k]));
                    }
                }
            }
        }
        // smaller numbers, shorter words
        for path in &paths {
            let items = &self.maker.program.layout.levels[path.len()].items;
            for (i, item) in items.iter().enumerate() {
                let slots = self.maker.program.slots_of(item);
                let mut with = |change: &dyn Fn(&mut Field)| {
                    let mut next = root.clone();
                    change(&mut at_mut(&mut next, path).fields[i]);
                    found.push(next);
                };
                match &at(root, path).fields[i] {
                    Field::Number(n) => {
                        if !self.maker.program.is_length(slots[0]) {
                            for m in lower(*n, self.maker.ranges.of(slots[0]).low) {
                                with(&|f| *f = Field::Number(m));
                            }
                        }
                    }
                    Field::Word(w) => {
                        for k in 0..w.chars().count() {
                            let shorter: String = w.chars().take(k).chain(w.chars().skip(k + 1)).collect();
                            if !shorter.is_empty() {
                                with(&|f| *f = Field::Word(shorter.clone()));
                            }
                        }
                    }
                    Field::List(list) => {
                        for (j, n) in list.iter().enumerate() {
                            for m in lower(*n, self.maker.ranges.of(slots[0]).low) {
                                with(&|f| {
                                    if let Field::List(l) = f {
                                        l[j] = m;
                                    }
                                });
                            }
                        }
                        if let Item::Rest(_) = item {
                            for j in 0..list.len() {
                                with(&|f| {
                                    if let Field::List(l) = f {
                                        l.remove(j);
                                    }
                                });
                            }
                        }
                    }
                    Field::Rows(rows) => {
                        for (r, row) in rows.iter().enumerate() {
                            let can_shrink = row.len() as u64 > self.maker.ranges.of(slots[0]).low;
                            for j in (0..row.len()).filter(|_| can_shrink) {
                                with(&|f| {
                                    if let Field::Rows(rows) = f {
                                        rows[r].remove(j);
                                    }
                                });
                            }
                            for (j, n) in row.iter().enumerate() {
                                for m in lower(*n, self.maker.ranges.of(slots[1]).low) {
                                    with(&|f| {
                                        if let Field::Rows(rows) = f {
                                            rows[r][j] = m;
                                        }
                                    });
                                }
                            }
                        }
                    }
                    // smaller sides make a grid smaller
                    Field::Grid(_) => {}
                    Field::Records(columns) => {
                        for (c, list) in columns.iter().enumerate() {
                            for (j, n) in list.iter().enumerate() {
                                for m in lower(*n, self.maker.ranges.of(slots[c]).low) {
                                    with(&|f| {
                                        if let Field::Records(cs) = f {
                                            cs[c][j] = m;
                                        }
                                    });
                                }
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// True if every list is of its shape.
    fn allowed(&self, k: usize, body: &Body) -> bool {
        let items = &self.maker.program.layout.levels[k].items;
        let fields = body.fields.iter().zip(items).all(|(field, item)| {
            let slots = self.maker.program.slots_of(item);
            match field {
                Field::List(l) => self.maker.ranges.of(slots[0]).allows(l),
                Field::Records(columns) => columns.iter().zip(slots).all(|(l, s)| self.maker.ranges.of(s).allows(l)),
                Field::Rows(rows) => rows.iter().all(|row| self.maker.ranges.of(slots[1]).allows(row)),
                _ => true,
            }
        });
        fields && body.inner.iter().all(|b| self.allowed(k + 1, b))
    }
}

/// Smaller numbers to try, the smallest first.
fn lower(n: u64, low: u64) -> Vec<u64> {
    let mut found = vec![low, low.saturating_add(1), low + n.saturating_sub(low) / 2, n.saturating_sub(1)];
    found.retain(|m| *m >= low && *m < n);
    found.dedup();
    found
}

/// Puts member j of every list of the body last.
fn rotate(body: &mut Body, j: usize) {
    let last = |l: &mut Vec<u64>| {
        if j < l.len() {
            let n = l.remove(j);
            l.push(n);
        }
    };
    for field in &mut body.fields {
        match field {
            Field::List(l) => last(l),
            Field::Records(columns) => columns.iter_mut().for_each(last),
            Field::Rows(rows) if j < rows.len() => rows[j..].rotate_left(1),
            Field::Grid(rows) if j < rows.len() => rows[j..].rotate_left(1),
            _ => {}
        }
    }
    body.inner.iter_mut().for_each(|b| rotate(b, j));
}

/// Where the bodies are, the outermost first.
fn paths_of(body: &Body, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    found.push(path.clone());
    for (i, inner) in body.inner.iter().enumerate() {
        path.push(i);
        paths_of(inner, path, found);
        path.pop();
    }
}

fn at<'a>(root: &'a Body, path: &[usize]) -> &'a Body {
    path.iter().fold(root, |body, i| &body.inner[*i])
}

fn at_mut<'a>(root: &'a mut Body, path: &[usize]) -> &'a mut Body {
    path.iter().fold(root, |body, i| &mut body.inner[*i])
}

/// Runs the program once.
fn run(command: &[String], input: &str, timeout: Duration, cancel: &CancelToken) -> Result<Outcome, JudgeError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(JudgeError::refused("there is no program to test"));
    };
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        // a group of its own, so that what it starts can be ended with it
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let child = command.spawn();
    let mut child = child.map_err(|e| {
        JudgeError::not_startable(format!("cannot start {program}: {e}"))
            .hint("a program in this folder is written ./a.out, one with arguments 'python3 a.py'")
    })?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let text = input.to_owned();
    // a program need not read all of its input before it writes; one that ends early breaks the pipe, which is its right
    let writer = thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(text.as_bytes());
        }
    });
    // a grandchild may hold the pipe open when the program is gone: the reader then ends by itself, later
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let Some(stdout) = stdout else { return };
        let mut stdout = stdout.take(OUTPUT);
        let mut buffer = [0; 8192];
        while let Ok(n @ 1..) = stdout.read(&mut buffer) {
            if sender.send(buffer[..n].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut out = Vec::new();
    let mut is_over = false;
    let status = loop {
        let wait = if is_over { Duration::from_micros(200) } else { Duration::from_millis(2) };
        match receiver.recv_timeout(wait) {
            Ok(bytes) => {
                out.extend(bytes);
                continue;
            }
            // all is written: the end is near
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                if is_over {
                    thread::sleep(wait);
                }
                is_over = true;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() > timeout || cancel.is_cancelled() => break None,
            Ok(None) => {}
            Err(e) => return Err(JudgeError::refused(format!("cannot wait for {program}: {e}"))),
        }
    };
    let Some(status) = status else {
        end(&mut child);
        return Ok(Outcome::Hung(String::from_utf8_lossy(&out).into_owned()));
    };
    // what was written last may still be on its way
    while let Ok(bytes) = receiver.recv_timeout(Duration::from_millis(100)) {
        out.extend(bytes);
    }
    let _ = writer.join();
    let text = String::from_utf8_lossy(&out).into_owned();
    Ok(if status.success() { Outcome::Answered(text) } else { Outcome::Crashed(said(status), text) })
}

/// Ends the program and, where the system groups processes, all that it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

/// An exit status in words.
fn said(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (aborted)",
                8 => " (arithmetic error, perhaps a division by 0)",
                9 => " (killed)",
                11 => " (segmentation fault)",
                _ => "",
            };
            return format!("ended by signal {signal}{name}");
        }
    }
    match status.code() {
        Some(code) => format!("ended with exit status {code}"),
        None => "ended without an exit status".into(),
    }
}
