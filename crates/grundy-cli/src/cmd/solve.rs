//! `grundy solve`

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
};

use grundy::{
    Budget, Session,
    answer::SolveAnswer,
    formats::json,
    query::{MovesWanted, SolveQuery},
    store::{Failed, SolvedFile},
};
use grundy_core::theory::Convention;

use crate::{
    args::{MovesMode, SolveArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits, render,
};

pub fn run(args: SolveArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    let budget = limits::budget(&args.limits, limits::Default::Interactive).map_err(|f| f.in_json(json))?;
    if args.expression.len() == 1 && args.expression[0].trim() == "-" {
        return stream(&args, &budget);
    }
    let text = args.expression.join(" ");
    let mut session = Session::new();
    let table = Table::open(&mut session, &args).map_err(|f| f.in_json(json))?;
    let answer = Files::with(&args.own).and_then(|files| solve(&mut session, &files, &args, &text, &budget));
    let answer = answer.map_err(|f| f.in_json(json))?;
    table.close(&mut session).map_err(|f| f.in_json(json))?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::solve(&answer))?,
        TextOrJson::Text => render::solve::write(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(answer.stop.as_ref().map_or(ExitCode::SUCCESS, |s| ExitCode::from(limits::exit_code(s))))
}

fn solve(
    session: &mut Session,
    files: &Files,
    args: &SolveArgs,
    text: &str,
    budget: &Budget,
) -> Result<SolveAnswer, Failure> {
    let game = files.game(text)?;
    let convention = if args.misere { Convention::Misere } else { Convention::Normal };
    let query = SolveQuery {
        moves: match args.moves {
            MovesMode::List => MovesWanted::List,
            MovesMode::Count => MovesWanted::Count,
            MovesMode::None => MovesWanted::None,
        },
        limit: usize::try_from(args.limit).unwrap_or(usize::MAX),
        distinct: args.distinct,
        explain: args.explain,
        remoteness: args.remoteness,
        ..SolveQuery::new(game, convention)
    };
    Ok(session.solve(&query, budget)?)
}

/// The file that keeps solved pieces, if one was named.
struct Table(Option<Failed>);

impl Table {
    fn open(session: &mut Session, args: &SolveArgs) -> Result<Table, Failure> {
        let Some(path) = &args.table else { return Ok(Table(None)) };
        let file = SolvedFile::open(path)?;
        let failed = file.failure();
        session.keep_in(Box::new(file));
        Ok(Table(Some(failed)))
    }

    /// Saves what was found. An answer that rests on a damaged row is none.
    fn close(&self, session: &mut Session) -> Result<(), Failure> {
        session.save();
        match self.0.as_ref().and_then(Failed::take) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

/// One expression a line in, one JSON object a line out; a bad line is answered with its error and ends in exit 2.
fn stream(args: &SolveArgs, budget: &Budget) -> Result<ExitCode, Failure> {
    let (mut session, files) = (Session::new(), Files::with(&args.own)?);
    let table = Table::open(&mut session, args)?;
    let mut out = io::stdout().lock();
    let mut worst = 0;
    let mut input = limits::stdin();
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(|e| Failure::stream("standard input", &e))? == 0 {
            break;
        }
        let mut answer = match std::str::from_utf8(&line) {
            Err(e) => Err(Failure::usage(format!("byte {} of the line is no UTF-8", e.valid_up_to() + 1))),
            Ok(text) => {
                let text = text.trim();
                if text.is_empty() || text.starts_with('#') {
                    continue;
                }
                solve(&mut session, &files, args, text, budget)
            }
        };
        let value = match &mut answer {
            Ok(answer) => {
                if let Some(stop) = &answer.stop {
                    worst = worst.max(limits::exit_code(stop));
                }
                let mut value = json::solve(answer);
                value["line"] = number.into();
                value
            }
            Err(failure) => {
                worst = if worst <= code::STOPPED { code::USAGE } else { worst };
                let mut value = failure.to_json();
                value["error"]["line"] = number.into();
                value
            }
        };
        writeln!(out, "{value}")?;
        if limits::interrupted() {
            worst = limits::interrupted_code();
            break;
        }
    }
    out.flush()?;
    table.close(&mut session)?;
    Ok(ExitCode::from(worst))
}
