//! `grundy compare`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::{
    args::{CompareArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
};
use grundy::{
    Session,
    answer::Status,
    compare::{CompareAnswer, CompareQuery},
    formats::json,
};

pub fn run(args: CompareArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    compare(&args).map_err(|f| f.in_json(json))
}

fn compare(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let files = Files::with(&args.own)?;
    let query = CompareQuery { left: files.heap_game(&args.left)?, right: files.heap_game(&args.right)?, to: args.to };
    let answer = Session::new().compare(&query, &budget);
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::compare(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(match (answer.equal(), &answer.stop) {
        (Some(false), _) => ExitCode::from(code::DOES_NOT_HOLD),
        (_, Some(stop)) => ExitCode::from(limits::exit_code(stop)),
        _ => ExitCode::SUCCESS,
    })
}

fn text(out: &mut impl Write, answer: &CompareAnswer) -> io::Result<()> {
    let [left, right] = &answer.games;
    match (answer.first_difference, answer.equal_to) {
        (Some(d), _) => {
            writeln!(out, "They differ first at heap {}: {left} has {}, {right} has {}.", d.n, d.left, d.right)?;
        }
        (None, Some(_)) if answer.header.status == Status::Proved => writeln!(out, "They are equal for all heaps.")?,
        (None, Some(last)) => writeln!(out, "They are equal at heaps 0 to {last}.")?,
        (None, None) => writeln!(out, "Nothing was compared.")?,
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "{stop}")?;
    }
    writeln!(out, "Status: {}.\n  {}", answer.header.status.word(), answer.header.method)
}
