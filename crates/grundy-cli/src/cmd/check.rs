//! `grundy check`

use std::{
    fs::File,
    io::{self, BufReader, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    check::{CheckAnswer, CheckQuery, Guess},
    formats::{bfile, json},
};
use grundy_core::{notation::formula::Formula, rulesets::AnyRuleset};

use crate::{
    args::{CheckArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
};

pub fn run(args: CheckArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    check(&args).map_err(|f| f.in_json(json))
}

fn check(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let files = Files::with(&args.own)?;
    let ruleset = files.any_ruleset(&args.rule)?;
    let guess = match (&args.formula, &args.bfile) {
        (_, Some(path)) => {
            let file = File::open(path).map_err(|e| Failure::file(path, &e))?;
            let mut entries = Vec::new();
            for entry in bfile::entries(BufReader::new(file)) {
                let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("{}: {e}", path.display()));
                let entry = entry.map_err(|e| match e {
                    bfile::BFileError::Io(e) => Failure::file(path, &e),
                    e => wrong(&e),
                })?;
                if u64::try_from(entry.n).is_err() {
                    return Err(wrong(&format!("line {}: there is no heap of {}", entry.line, entry.n)));
                }
                entries.push(entry);
            }
            if entries.is_empty() {
                return Err(Failure::usage(format!("{}: the file holds no terms", path.display())));
            }
            Guess::Terms(entries)
        }
        (Some(text), None) => Guess::Formula(Formula::parse(text, &["n"]).map_err(|e| Failure::syntax(text, e))?),
        (None, None) => return Err(Failure::usage("a formula or --bfile is needed")),
    };
    let mut session = Session::new();
    let answer = match ruleset {
        AnyRuleset::Custom(own) => session.check_own(&own, &guess, args.to, &budget)?,
        _ => session.check(&CheckQuery { game: files.heap_game(&args.rule)?, guess, to: args.to }, &budget),
    };
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::check(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(match (&answer.counterexample, &answer.stop) {
        (Some(_), _) => ExitCode::from(code::DOES_NOT_HOLD),
        (None, Some(stop)) => ExitCode::from(limits::exit_code(stop)),
        (None, None) => ExitCode::SUCCESS,
    })
}

fn text(out: &mut impl Write, answer: &CheckAnswer) -> io::Result<()> {
    if let Some(c) = &answer.counterexample {
        write!(out, "Does not hold for {}: at heap {} ", answer.game, c.n)?;
        if let Some(line) = c.line {
            write!(out, "(line {line}) ")?;
        }
        writeln!(out, "the guess is {}, the value is {}.", c.guessed, c.actual)?;
        return writeln!(out, "  {}", c.why);
    }
    match (&answer.checked_to, &answer.stop) {
        (Some(_), _) if answer.header.status == grundy::answer::Status::Proved => {
            writeln!(out, "Holds for {} at all heaps: it is the formula of a theorem (status: proved).", answer.game)?;
            writeln!(out, "  {}", answer.header.method)?;
        }
        (Some(to), _) => writeln!(
            out,
            "Holds for {} at heaps {} to {to} (status: {}; a finite check is no proof for all heaps).",
            answer.game,
            answer.from,
            answer.header.status.word()
        )?,
        (None, _) => writeln!(out, "Nothing was checked.")?,
    }
    if let (true, Some(formula)) = (answer.is_provable, &answer.formula) {
        writeln!(out, "  For all heaps it is decided by: grundy prove '{}' '{formula}'", answer.game)?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "{stop}")?;
    }
    Ok(())
}
