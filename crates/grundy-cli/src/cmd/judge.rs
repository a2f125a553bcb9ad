//! `grundy judge`

use std::{
    cell::RefCell,
    io::{self, Read, Write},
    process::ExitCode,
    rc::Rc,
    time::Duration,
};

use grundy::judge::{
    Balance, Catalogue, Failing, Found, JudgeError, JudgeErrorKind, Outcome, Print, Problem, Program, Special, Stress,
};

use crate::{
    args::{JudgeArgs, JudgePrint},
    failure::{Failure, Place, code},
    limits,
};

pub fn run(args: JudgeArgs) -> Result<ExitCode, Failure> {
    if args.list {
        list(&mut io::BufWriter::new(io::stdout().lock()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let problem = problem(&args)?;
    if args.about {
        about(&mut io::stdout().lock(), &problem)?;
        return Ok(ExitCode::SUCCESS);
    }
    let program = Program::new(&problem).map_err(failure)?;
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    if let Some(cases) = args.generate {
        let (text, Balance { first, second }) =
            program.generate(&problem, cases, args.seed, args.max, &budget).map_err(failure)?;
        io::stdout().lock().write_all(text.as_bytes())?;
        if first + second > 0 {
            let _ = writeln!(io::stderr(), "{first} won by the first player, {second} by the second");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(command) = &args.against {
        if args.rounds == 0 {
            return Err(Failure::usage("0 rounds test nothing").hint("--rounds 1 or more"));
        }
        if limits::parse_time(&args.timeout)?.is_some_and(|t| t.is_zero()) {
            return Err(Failure::usage("no program answers in no time").hint("--timeout 5s"));
        }
        let stress = Stress {
            command: words(command)?,
            rounds: args.rounds,
            seed: args.seed,
            max: args.max,
            timeout: limits::parse_time(&args.timeout)?.unwrap_or(Duration::MAX),
        };
        let report = program.stress(&problem, &stress, &budget).map_err(failure)?;
        let mut out = io::stdout().lock();
        return match report.failing {
            Some(failing) => {
                tell(&mut out, &failing, args.seed)?;
                Ok(ExitCode::from(code::DOES_NOT_HOLD))
            }
            None => {
                writeln!(out, "{} inputs with {} cases: every answer is right", report.rounds, report.cases)?;
                let is_done = report.rounds == args.rounds;
                let stopped = if limits::interrupted() { limits::interrupted_code() } else { code::STOPPED };
                Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(stopped) })
            }
        };
    }
    // what is answered goes out before more input is waited for, so that a signal may end the wait at once
    let out = Rc::new(RefCell::new(io::BufWriter::new(io::stdout().lock())));
    let input = Flushing { input: limits::stdin(), out: Rc::clone(&out) };
    program.run(input, Shared(Rc::clone(&out)), &budget).map_err(failure)?;
    out.borrow_mut().flush()?;
    Ok(ExitCode::SUCCESS)
}

type Output = Rc<RefCell<io::BufWriter<io::StdoutLock<'static>>>>;

/// Input that sends the answers off before it waits.
struct Flushing<R> {
    input: R,
    out: Output,
}

impl<R: Read> Read for Flushing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.out.borrow_mut().flush()?;
        self.input.read(buffer)
    }
}

/// The output that [`Flushing`] flushes.
struct Shared(Output);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// The preset, with the parts that options change.
fn problem(args: &JudgeArgs) -> Result<Problem, Failure> {
    let mut problem = match &args.preset {
        Some(name) => preset(name, args)?,
        None => Problem { layout: "lines".into(), ..Problem::default() },
    };
    if args.game.is_some() || args.wins.is_some() {
        problem.game = args.game.clone();
        problem.wins = args.wins.clone();
        problem.special = None;
        problem.answer = None;
        problem.print = Print::Winner;
    }
    if let Some(layout) = &args.layout {
        problem.layout.clone_from(layout);
    }
    problem.lets.extend_from_slice(&args.lets);
    problem.misere |= args.misere;
    if let Some(say) = &args.say {
        let Some((first, second)) = say.split_once(',') else {
            return Err(Failure::usage(format!("\"{say}\" is not two words")).hint("write --say Alice,Bob"));
        };
        (problem.first, problem.second) = (first.into(), second.into());
    }
    if let Some(prefix) = &args.prefix {
        problem.prefix = prefix.replace("\\n", "\n");
    }
    if let Some(join) = &args.join {
        problem.join = Some(join.replace("\\n", "\n"));
    }
    if let Some(print) = args.print {
        problem.print = match print {
            JudgePrint::Winner => Print::Winner,
            JudgePrint::Value => Print::Value,
            JudgePrint::Moves => Print::Moves,
            JudgePrint::Count => Print::Count,
        };
        problem.tally = None;
    }
    Ok(problem)
}

fn preset(name: &str, args: &JudgeArgs) -> Result<Problem, Failure> {
    if let Some(path) = &args.file {
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file(path, &e))?;
        let own = Catalogue::parse(&text).map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
        if let Found::Preset(p) = own.find(name) {
            return Ok(p.clone());
        }
    }
    let refused = |message: String| Failure { kind: "refused", ..Failure::usage(message) };
    match Catalogue::built_in().find(name) {
        Found::Preset(p) => Ok(p.clone()),
        Found::OutOfReach(u) => Err(refused(format!("{} ({}) is not answered yet: {}", u.name, u.title, u.reason))
            .hint("grundy judge --list shows what is")),
        Found::NotImpartial(u) => Err(refused(format!("{} ({}) is no impartial game: {}", u.name, u.title, u.reason))),
        Found::Unknown(near) => {
            let failure = Failure::usage(format!("unknown judge problem \"{name}\""));
            Err(match &near[..] {
                [] => failure.hint("grundy judge --list shows the known ones; --game and --layout describe any other"),
                near => failure.hint(format!("did you mean {}?", near.join(", "))),
            })
        }
    }
}

fn list(out: &mut impl Write) -> io::Result<()> {
    let known = Catalogue::built_in();
    for p in &known.presets {
        let also = if p.aliases.is_empty() { String::new() } else { format!(" (also {})", p.aliases.join(", ")) };
        writeln!(out, "{:<22} {}{also}", p.name, p.title)?;
    }
    writeln!(out, "\nNot answered yet:")?;
    for u in &known.out_of_reach {
        writeln!(out, "{:<22} {}: {}", u.name, u.title, u.reason)?;
    }
    writeln!(out, "\nNo impartial games:")?;
    for u in &known.not_impartial {
        writeln!(out, "{:<22} {}: {}", u.name, u.title, u.reason)?;
    }
    out.flush()
}

fn about(out: &mut impl Write, p: &Problem) -> io::Result<()> {
    let mut line = |key: &str, text: &str| {
        if text.is_empty() { Ok(()) } else { writeln!(out, "{key:<9} {}", text.replace('\n', "\\n")) }
    };
    line("problem", &p.name)?;
    line("title", &p.title)?;
    line("layout", &p.layout)?;
    for definition in &p.lets {
        line("where", definition)?;
    }
    line("requires", p.require.as_deref().unwrap_or_default())?;
    line("game", p.game.as_deref().unwrap_or_default())?;
    line("misère", if p.misere { "who cannot move wins" } else { "" })?;
    line("wins", p.wins.as_deref().unwrap_or_default())?;
    line("answer", p.answer.as_deref().unwrap_or_default())?;
    line("special", p.special.map_or("", Special::name))?;
    match (p.print, p.special.and_then(Special::prints)) {
        (_, Some(what)) => line("prints", what)?,
        (Print::Winner, None) => {
            line("prints", &format!("{} when the first player wins, {} when the second does", p.first, p.second))?;
        }
        (Print::Value, None) => line("prints", "the Grundy value")?,
        (Print::Count, None) => line("prints", "the number of winning moves")?,
        (Print::Moves, None) if p.special.is_some() => line("prints", "the smallest winning move")?,
        (Print::Moves, None) => line("prints", "the winning moves")?,
        (Print::Answer, None) => line("prints", "the answer")?,
    }
    line("prefix", &p.prefix)?;
    line("theory", &p.theory)?;
    line("trap", &p.trap)?;
    for (name, range) in &p.ranges {
        line("tests", &format!("{name} = {range}"))?;
    }
    Ok(())
}

/// A failing input, what is right and what came.
fn tell(out: &mut impl Write, failing: &Failing, seed: u64) -> io::Result<()> {
    let (what, got) = match &failing.got {
        Outcome::Answered(text) => ("the answer is wrong".to_owned(), text),
        Outcome::Hung(text) => ("the program does not end in time".to_owned(), text),
        Outcome::Crashed(how, text) => (format!("the program {how}"), text),
    };
    writeln!(out, "round {} of seed {seed}: {what}", failing.round)?;
    for (title, text) in [("input", &failing.input), ("expected", &failing.expected), ("got", got)] {
        writeln!(out, "--- {title}")?;
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(out)?;
        }
    }
    out.flush()
}

/// The words of a command, as a shell would split them; quotes keep words together.
fn words(command: &str) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Failure::usage(format!("a quote in \"{command}\" is never closed")));
    }
    words.extend(word);
    Ok(words)
}

/// What the judge says, as a failure.
pub(super) fn failure(error: JudgeError) -> Failure {
    let (message, remedy) = (error.to_string(), error.remedy().map(str::to_owned));
    let place = error.place().map(|(text, span)| Box::new(Place { text: text.to_owned(), span, source: None }));
    let (code, kind) = match error.kind() {
        JudgeErrorKind::Definition => (code::USAGE, "syntax"),
        JudgeErrorKind::Input => (code::USAGE, "input"),
        JudgeErrorKind::Stopped => (error.stop().map_or(code::STOPPED, limits::exit_code), "stopped"),
        JudgeErrorKind::Read => (code::FILE, "io"),
        JudgeErrorKind::Write => {
            return match error.into_io() {
                Some(io) => io.into(),
                None => Failure::usage(message),
            };
        }
        _ => (code::USAGE, "refused"),
    };
    Failure { code, kind, hint: remedy, place, ..Failure::usage(message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split() {
        assert_eq!(words("./a.out").unwrap(), ["./a.out"]);
        assert_eq!(words("python3 'my program.py'  -v \"\"").unwrap(), ["python3", "my program.py", "-v", ""]);
        assert!(words("'a").is_err());
    }
}
