//! `grundy graph --workers HOSTFILE`: starts the processes of this machine, and starts them again when one of them dies.

use std::{
    env,
    ffi::OsString,
    io::{self, Read, Write},
    path::Path,
    process::{Child, ChildStdout, Command, ExitCode, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use grundy::{
    budget::{Budget, Meter, StopReason},
    cluster::saved_marks,
};

use super::cluster::{LOST, TIME_TO_SAVE, kept, read_hosts};
use crate::{
    args::GraphArgs,
    failure::{Failure, code},
    limits,
};

/// How often the processes are started again without having saved anything new.
const MOST_IN_VAIN: u32 = 3;

/// Time in which several processes fail for one reason, such as a file that is wrong: the first of them says so.
const SAME_REASON: Duration = Duration::from_millis(200);

/// Time between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs the processes of this machine until the answer is there.
pub fn supervise(args: &GraphArgs, budget: &Budget) -> Result<ExitCode, Failure> {
    let Some(path) = &args.workers else { return Err(Failure::usage("--workers is missing")) };
    let hosts = read_hosts(path)?;
    limits::parse_time(&args.checkpoint_every)?;
    if args.file.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage("several processes cannot read the same standard input").hint("name a file"));
    }
    let (here, elsewhere): (Vec<usize>, Vec<usize>) = (0..hosts.len()).partition(|k| hosts.is_local(*k));
    if here.is_empty() {
        let why = format!("no line of {} is of this machine", path.display());
        return Err(Failure::usage(why).hint("add a line for it, or start --process K on each of the hosts"));
    }
    for process in elsewhere {
        say(&format!("process {process} is to be started on {} with --process {process}", hosts.address(process)));
    }
    let marks = || args.checkpoint.as_deref().map(|dir| saved_marks(dir, &hosts));
    let mut meter = Meter::new(budget);
    let (mut last, mut in_vain) = (marks(), 0);
    loop {
        let death = match Group::start(&here)?.watch(&mut meter)? {
            End::Code(code) => return Ok(ExitCode::from(code)),
            End::Stopped(stop) => {
                let code = limits::exit_code(&stop);
                let message = stop.reached(kept(args.checkpoint.as_deref())).to_string();
                return Err(Failure { code, kind: "stopped", ..Failure::usage(message) });
            }
            End::Death { why, printed: true } => {
                let message = format!("{why} while the answer was printed: it is not complete");
                let failure = Failure { code: code::STOPPED, kind: "lost", ..Failure::usage(message) };
                return Err(failure.hint("start again; what was found is begun with, where it was saved"));
            }
            End::Death { why, .. } => why,
        };
        let now = marks();
        in_vain = if now == last { in_vain + 1 } else { 0 };
        last = now;
        if in_vain > MOST_IN_VAIN {
            let message = format!("{death}; started again {MOST_IN_VAIN} times without saving anything new");
            let hint = match args.checkpoint {
                Some(_) => "save more often with --checkpoint-every, or see why the process dies: memory?",
                None => "with --checkpoint DIR it goes on from what was found",
            };
            return Err(Failure { code: code::STOPPED, kind: "lost", ..Failure::usage(message) }.hint(hint));
        }
        say(&format!("{death}; all processes of this machine start again"));
    }
}

fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// How a run of the processes ended.
enum End {
    /// With an answer, or for a reason that will not go away: this exit code.
    Code(u8),
    /// By a limit or a signal.
    Stopped(StopReason),
    /// One of them died.
    Death { why: String, printed: bool },
}

/// The processes of this machine. They end when this does, since it holds their standard input.
struct Group {
    processes: Vec<(usize, Child)>,
    /// Passes on what process 0 prints; true once it has printed something.
    printed: Arc<AtomicBool>,
    printer: Option<JoinHandle<io::Result<()>>>,
}

impl Group {
    /// This command again for each process, with its number.
    fn start(here: &[usize]) -> Result<Group, Failure> {
        let program = env::current_exe().map_err(|e| Failure::stream("this program", &e))?;
        let mut typed = env::args_os().skip(1);
        let command: Vec<OsString> = typed.by_ref().take(1).collect();
        let rest: Vec<OsString> = typed.collect();
        let mut group = Group { processes: Vec::new(), printed: Arc::default(), printer: None };
        for process in here {
            let number = process.to_string();
            let mut child = Command::new(&program);
            // the first one says what all would say of the input
            let first = *process == here[0];
            child.args(&command).args(["--process", &number, "--supervised"]).args(&rest);
            child.stdin(Stdio::piped()).stdout(Stdio::piped());
            child.stderr(if first { Stdio::inherit() } else { Stdio::piped() });
            let mut child = child.spawn().map_err(|e| Failure::file(&program, &e))?;
            if *process == 0 {
                let printed = group.printed.clone();
                group.printer = child.stdout.take().map(|out| thread::spawn(move || pass_on(out, &printed)));
            }
            group.processes.push((*process, child));
        }
        Ok(group)
    }

    /// Waits until all have ended, or one of them has for a reason that ends all.
    fn watch(mut self, meter: &mut Meter) -> Result<End, Failure> {
        let failed = |status: &ExitStatus| !matches!(status.code(), Some(0 | 1));
        loop {
            if let Err(stop) = meter.steps(u64::MAX) {
                self.end()?;
                return Ok(End::Stopped(stop));
            }
            let ended = self.statuses()?;
            if ended.iter().any(|(_, status)| failed(status)) {
                break;
            }
            if ended.len() == self.processes.len() {
                let answer = ended.iter().find(|(process, _)| *process == 0);
                let code = answer.and_then(|(_, status)| status.code()).unwrap_or(0);
                self.finish_printing()?;
                return Ok(End::Code(code as u8));
            }
            thread::sleep(PAUSE);
        }
        // others may be about to fail for the same reason, or are saving since they lost the one that died
        thread::sleep(SAME_REASON);
        let ended = self.end()?;
        let lasting = |status: &ExitStatus| matches!(status.code(), Some(2..=4));
        if let Some((process, status)) = ended.iter().find(|(_, status)| lasting(status)) {
            self.finish_printing()?;
            self.print_of(*process)?;
            return Ok(End::Code(status.code().unwrap_or(0) as u8));
        }
        if let Err(stop) = meter.steps(u64::MAX) {
            // a signal to all of them, of which the others heard first
            return Ok(End::Stopped(stop));
        }
        let died = |(_, status): &&(usize, ExitStatus)| failed(status) && status.code() != Some(LOST.into());
        let why = match ended.iter().find(died) {
            Some((process, status)) => format!("process {process} died ({status})"),
            None => "a process elsewhere is gone".into(),
        };
        Ok(End::Death { why, printed: self.printed.load(Ordering::Relaxed) })
    }

    fn statuses(&mut self) -> Result<Vec<(usize, ExitStatus)>, Failure> {
        let mut ended = Vec::new();
        for (process, child) in &mut self.processes {
            if let Some(status) = child.try_wait().map_err(|e| Failure::stream("a process", &e))? {
                ended.push((*process, status));
            }
        }
        Ok(ended)
    }

    /// Asks all to save and end, and kills those that do not. Only what ended before was not asked to: the others count as lost.
    fn end(&mut self) -> Result<Vec<(usize, ExitStatus)>, Failure> {
        let before = self.statuses()?;
        self.processes.iter_mut().for_each(|(_, child)| drop(child.stdin.take()));
        let deadline = Instant::now() + TIME_TO_SAVE;
        while self.statuses()?.len() < self.processes.len() && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
        for (_, child) in &mut self.processes {
            // it may have ended by now
            let _ = child.kill();
            let _ = child.wait();
        }
        Ok(before)
    }

    fn finish_printing(&mut self) -> Result<(), Failure> {
        match self.printer.take().map(JoinHandle::join) {
            Some(Ok(Err(e))) => Err(Failure::from(e)),
            _ => Ok(()),
        }
    }

    /// What a process other than the first has said, which nobody has seen yet.
    fn print_of(&mut self, process: usize) -> Result<(), Failure> {
        let Some((_, child)) = self.processes.iter_mut().find(|(k, _)| *k == process) else { return Ok(()) };
        if let Some(mut out) = child.stdout.take() {
            io::copy(&mut out, &mut io::stdout())?;
        }
        if let Some(mut out) = child.stderr.take() {
            let _ = io::copy(&mut out, &mut io::stderr());
        }
        Ok(())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for (_, child) in &mut self.processes {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn pass_on(mut from: ChildStdout, printed: &AtomicBool) -> io::Result<()> {
    let mut bytes = vec![0; 1 << 16];
    let mut out = io::stdout().lock();
    loop {
        let n = match from.read(&mut bytes) {
            Ok(0) => return out.flush(),
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        printed.store(true, Ordering::Relaxed);
        out.write_all(&bytes[..n])?;
    }
}
