//! `grundy graph --workers HOSTFILE --process K`: one process of several.

use std::{
    fs,
    io::{self, Read, Write},
    panic,
    path::Path,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use grundy::{
    budget::{Budget, CancelToken, Limit},
    cluster::{self, ClusterError, Hosts, Seat},
    graph::{GraphAnswer, GraphQuery},
};

use crate::{
    args::{GraphArgs, GraphOutput},
    failure::{Failure, code},
    limits,
};

/// What a supervisor is told by a process that lost another one.
pub const LOST: u8 = 75;

/// How long a process that lost another one may take to save.
pub const TIME_TO_SAVE: Duration = Duration::from_secs(10);

/// Solves the game together with the other processes; the answer is process 0's.
pub fn take_part(args: &GraphArgs, query: GraphQuery, budget: &Budget) -> Result<Option<GraphAnswer>, Failure> {
    let (Some(path), Some(process)) = (&args.workers, args.process) else {
        return Err(Failure::usage("--process and --workers belong together"));
    };
    let hosts = read_hosts(path)?;
    if process >= hosts.len() {
        let last = hosts.len() - 1;
        return Err(Failure::usage(format!(
            "--process {process}: the processes of {} are 0 to {last}",
            path.display()
        )));
    }
    let every = limits::parse_time(&args.checkpoint_every)?.unwrap_or(Duration::MAX);
    let lost = Arc::new(AtomicBool::new(false));
    let seat = Seat { hosts, process, checkpoint: args.checkpoint.clone(), every, lost: lost.clone() };
    if args.supervised {
        end_with_the_supervisor(budget.cancel.clone());
    }
    let lost_code = if args.supervised { LOST } else { code::STOPPED };
    let solved = Arc::new(AtomicBool::new(false));
    notice_losses(lost, solved.clone(), lost_code);
    let is_plain = args.format == GraphOutput::Text && args.svg.is_none() && !args.explain;
    let strategies = args.strategy || !is_plain;
    let mut note = |text: &str| {
        let _ = writeln!(io::stderr(), "{text}");
    };
    let answer = cluster::answer(query, strategies, &seat, budget, &mut note);
    solved.store(true, Ordering::Relaxed);
    answer.map_err(|e| match e {
        ClusterError::NotThisGame(e) => Failure::usage(e.message).hint(e.hint),
        ClusterError::Store(e) => Failure::from(e),
        ClusterError::Network { message, hint } => {
            Failure { code: code::FILE, kind: "network", ..Failure::usage(message) }.hint(hint)
        }
        // the supervisor says so
        ClusterError::Stopped(stop) if args.supervised && stop.limit == Limit::Cancelled => {
            process::exit(limits::exit_code(&stop).into())
        }
        ClusterError::Lost if args.supervised => process::exit(LOST.into()),
        ClusterError::Stopped(stop) => {
            let message = stop.clone().reached(kept(args.checkpoint.as_deref())).to_string();
            Failure { code: limits::exit_code(&stop), kind: "stopped", ..Failure::usage(message) }
        }
        ClusterError::Lost => {
            let message = format!("process {process}: another process is gone: {}", kept(args.checkpoint.as_deref()));
            Failure { code: lost_code, kind: "lost", ..Failure::usage(message) }
                .hint("start all processes that are not there any more again")
        }
    })
}

/// What becomes of what was found.
pub fn kept(checkpoint: Option<&Path>) -> String {
    match checkpoint {
        Some(dir) => format!("what was found is saved in {}", dir.display()),
        None => "nothing was saved".into(),
    }
}

/// Reads the file of hosts.
pub fn read_hosts(path: &Path) -> Result<Hosts, Failure> {
    let text = fs::read(path).map_err(|e| Failure::file(path, &e))?;
    Hosts::parse(&String::from_utf8_lossy(&text)).map_err(|why| {
        Failure { kind: "format", ..Failure::usage(format!("{}: {why}", path.display())) }
            .hint("write one host:port a line, such as localhost:4001")
    })
}

/// The supervisor holds the other end of standard input; when it lets go, or is gone, there is nobody to work for.
fn end_with_the_supervisor(cancel: CancelToken) {
    thread::spawn(move || {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        cancel.cancel();
    });
}

/// A thread of the network panics when another process is gone. It must not unwind, since that would bring the worker down before it
/// has saved: it waits while the worker does so and the process ends, and ends it itself if that takes too long. The hook
/// stays, for it cannot be taken away while such a thread is in it.
fn notice_losses(lost: Arc<AtomicBool>, solved: Arc<AtomicBool>, lost_code: u8) {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let here = thread::current();
        if !here.name().is_some_and(|name| name.starts_with("timely:") && !name.contains("work")) {
            return usual(info);
        }
        lost.store(true, Ordering::Relaxed);
        thread::sleep(TIME_TO_SAVE);
        while solved.load(Ordering::Relaxed) {
            // the answer is being printed, or the reason why there is none
            thread::park();
        }
        process::exit(lost_code.into());
    }));
}
