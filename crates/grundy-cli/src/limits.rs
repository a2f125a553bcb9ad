//! Limits from flags, environment and the configuration file, and the signals that stop a run.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use grundy::budget::{Budget, CancelToken, Limit, StopReason};

use crate::{
    args::{LimitArgs, threads},
    failure::{Failure, code},
};

/// What a command may spend where nothing was said.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// 10 s and half of the memory: questions about a position.
    Interactive,
    /// Until Ctrl-C, within half of the memory.
    Unlimited,
}

/// Builds the budget: flags, then `GRUNDY_*`, then the configuration file, then the defaults of the command.
pub fn budget(args: &LimitArgs, default: Default) -> Result<Budget, Failure> {
    let config = config()?;
    let text =
        |flag: &Option<String>, key: &str| flag.clone().filter(|t| !t.is_empty()).or_else(|| config_text(&config, key));
    let time = match text(&args.time, "time") {
        Some(t) => parse_time(&t)?,
        None => match default {
            Default::Interactive => Some(Duration::from_secs(10)),
            Default::Unlimited => None,
        },
    };
    let memory = match text(&args.memory, "memory") {
        Some(m) => parse_memory(&m)?,
        None => Some(half_of_the_memory()),
    };
    let positions = match (args.positions, config_text(&config, "positions")) {
        (Some(p), _) => Some(p),
        (None, Some(p)) => Some(p.parse().map_err(|_| Failure::usage(format!("\"{p}\" is no number of positions")))?),
        (None, None) => None,
    };
    let threads = match (args.threads, config_text(&config, "threads")) {
        (Some(n), _) => Some(n),
        (None, Some(n)) => {
            Some(threads(&n).map_err(|e| Failure::usage(format!("\"{n}\" is no number of threads")).hint(e))?)
        }
        (None, None) => None,
    };
    Ok(Budget { time, memory, positions, threads, cancel: CancelToken::from_flag(signals().any.clone()) })
}

/// The exit code of a run that a limit stopped.
pub fn exit_code(stop: &StopReason) -> u8 {
    match stop.limit {
        Limit::Cancelled if signals().term.load(Ordering::Relaxed) => code::TERMINATED,
        Limit::Cancelled => code::INTERRUPTED,
        _ => code::STOPPED,
    }
}

/// True once Ctrl-C or SIGTERM came.
pub fn interrupted() -> bool {
    signals().any.load(Ordering::Relaxed)
}

/// The exit code of an interrupted run without further reason.
pub fn interrupted_code() -> u8 {
    if signals().term.load(Ordering::Relaxed) { code::TERMINATED } else { code::INTERRUPTED }
}

/// Standard input for programs that answer line by line: a signal while it waits ends the program at once.
///
/// Reading is not interrupted by the signals of [`budget`], which only set a flag, so the first Ctrl-C would go unheard until a
/// line comes. Whoever reads from here must have flushed what it has to say.
pub fn stdin() -> impl BufRead {
    BufReader::new(Waiting(io::stdin()))
}

/// Standard output for answers that may be long: a signal that comes while they are written ends the writing.
///
/// A run that was interrupted before still prints what it found.
pub fn stdout() -> io::BufWriter<impl Write> {
    io::BufWriter::with_capacity(1 << 16, Heard { out: io::stdout().lock(), armed: !interrupted() })
}

struct Heard<W> {
    out: W,
    armed: bool,
}

impl<W: Write> Write for Heard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.armed && interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct Waiting(io::Stdin);

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let waiting = &signals().waiting;
        waiting.store(true, Ordering::SeqCst);
        let read = self.0.read(buffer);
        waiting.store(false, Ordering::SeqCst);
        read
    }
}

/// Does work that looks at no meter, such as reading a file or checking a certificate: a signal ends the program at once, with
/// the code of an interrupted run, and a limit on time or memory with that of a stopped one. The work must write nothing, since
/// nothing is cleaned up then.
pub fn unmetered<T>(budget: &Budget, what: &str, json: bool, work: impl FnOnce() -> T) -> T {
    const LOOK: Duration = Duration::from_millis(10);
    let waiting = &signals().waiting;
    if interrupted() {
        std::process::exit(interrupted_code().into());
    }
    waiting.store(true, Ordering::SeqCst);
    let start = Instant::now();
    let done = thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                let stopped = if budget.time.is_some_and(|t| start.elapsed() > t) {
                    "time"
                } else if budget.memory.is_some_and(|m| own_memory() > m) {
                    "memory"
                } else {
                    continue;
                };
                let failure = Failure {
                    code: code::STOPPED,
                    kind: "stopped",
                    ..Failure::usage(format!("stopped by the {stopped} limit: {what}"))
                };
                let _ = failure.hint(format!("raise it with --{stopped}")).in_json(json).report();
                let _ = io::stdout().flush();
                std::process::exit(code::STOPPED.into());
            }
        });
        let done = work();
        drop(end);
        done
    });
    waiting.store(false, Ordering::SeqCst);
    done
}

/// Bytes in memory that belong to the program alone, files that are mapped left out; 0 where the system does not tell.
fn own_memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok().and_then(|text| {
        let mut numbers = text.split_whitespace().skip(1).map_while(|n| n.parse::<u64>().ok());
        numbers.next()?.checked_sub(numbers.next()?)
    });
    pages.unwrap_or(0) * 4096
}

struct Signals {
    any: Arc<AtomicBool>,
    term: Arc<AtomicBool>,
    /// Nothing runs that could look at the other flags.
    waiting: Arc<AtomicBool>,
}

/// Time after the first signal in which a second one is taken for the same: some senders signal a program and then its group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// Registers the handlers once: the first signal asks to stop; one that comes more than [`SAME_SIGNAL`] later ends the program.
fn signals() -> &'static Signals {
    static SIGNALS: OnceLock<Signals> = OnceLock::new();
    SIGNALS.get_or_init(|| {
        use signal_hook::{consts::*, flag};
        let any = Arc::new(AtomicBool::new(false));
        let term = Arc::new(AtomicBool::new(false));
        let waiting = Arc::new(AtomicBool::new(false));
        let again = Arc::new(AtomicBool::new(false));
        for (signal, exit) in [(SIGINT, code::INTERRUPTED), (SIGTERM, code::TERMINATED)] {
            // a failure to register leaves the system's own behaviour, which ends the program too
            let _ = flag::register_conditional_shutdown(signal, exit.into(), again.clone());
            let _ = flag::register_conditional_shutdown(signal, exit.into(), waiting.clone());
            if signal == SIGTERM {
                let _ = flag::register(signal, term.clone());
            }
            let _ = flag::register(signal, any.clone());
        }
        let first = any.clone();
        thread::spawn(move || {
            while !first.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(100));
            }
            thread::sleep(SAME_SIGNAL);
            again.store(true, Ordering::Relaxed);
        });
        Signals { any, term, waiting }
    })
}

/// `500ms`, `5s`, `2m`, `1h`, bare seconds, or `none`.
pub fn parse_time(text: &str) -> Result<Option<Duration>, Failure> {
    let wrong =
        || Failure::usage(format!("\"{text}\" is no time")).hint("write 500ms, 5s, 2m, 1h, 10 (seconds) or none");
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit.trim() {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| wrong())
}

/// `512MiB`, `2GiB`, bare MiB, or `none`.
pub fn parse_memory(text: &str) -> Result<Option<u64>, Failure> {
    let wrong =
        || Failure::usage(format!("\"{text}\" is no amount of memory")).hint("write 512MiB, 2GiB, 512 (MiB) or none");
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "kib" | "k" => 10,
        "" | "mib" | "m" => 20,
        "gib" | "g" => 30,
        "tib" | "t" => 40,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).map(Some).ok_or_else(wrong)
}

/// Half of the machine's memory, 2 GiB where the system does not tell.
fn half_of_the_memory() -> u64 {
    std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|t| t.lines().find(|l| l.starts_with("MemTotal:"))?.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(2 << 30, |kib| kib * 1024 / 2)
}

fn config_path() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".config")))?;
    Some(base.join("grundy").join("config.toml"))
}

/// The configuration file, if there is one.
fn config() -> Result<Option<toml::Table>, Failure> {
    let Some(path) = config_path() else { return Ok(None) };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(_) => return Ok(None),
    };
    let table: toml::Table =
        text.parse().map_err(|e: toml::de::Error| Failure::usage(format!("{}: {}", path.display(), e.message())))?;
    if let Some(key) = table.keys().find(|k| !["time", "memory", "positions", "threads"].contains(&k.as_str())) {
        return Err(Failure::usage(format!("{}: unknown key \"{key}\"", path.display()))
            .hint("the keys are time, memory, positions and threads"));
    }
    Ok(Some(table))
}

fn config_text(config: &Option<toml::Table>, key: &str) -> Option<String> {
    match config.as_ref()?.get(key)? {
        toml::Value::String(s) => Some(s.clone()),
        toml::Value::Integer(n) => Some(n.to_string()),
        toml::Value::Float(x) => Some(x.to_string()),
        _ => Some("?".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_time("500ms").unwrap(), Some(Duration::from_millis(500)));
        assert_eq!(parse_time("2m").unwrap(), Some(Duration::from_secs(120)));
        assert_eq!(parse_time("10").unwrap(), Some(Duration::from_secs(10)));
        assert_eq!(parse_time("none").unwrap(), None);
        assert!(parse_time("-1").is_err() && parse_time("5 parsecs").is_err() && parse_time("").is_err());
        assert_eq!(parse_memory("512").unwrap(), Some(512 << 20));
        assert_eq!(parse_memory("2GiB").unwrap(), Some(2 << 30));
        assert!(parse_memory("2 elephants").is_err() && parse_memory("99999999999999999").is_err());
    }
}
