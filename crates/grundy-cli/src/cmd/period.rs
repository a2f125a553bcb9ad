//! `grundy period`

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use grundy::{
    Session,
    answer::Status,
    formats::json,
    period::{PeriodAnswer, PeriodQuery},
};

use crate::{
    args::{PeriodArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
    output::Output,
    render,
};

pub fn run(args: PeriodArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    period(&args).map_err(|f| f.in_json(json))
}

fn period(args: &PeriodArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let game = Files::with(&args.own)?.heap_game(&args.rule)?;
    let query = PeriodQuery { game, to: args.to, prove: args.prove };
    let mut session = Session::new();
    let answer = session.period(&query, &budget);
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::period(&answer))?,
        TextOrJson::Text => {
            render::period::write(&mut out, &answer)?;
            // automata prove no period of positions that are not the heaps of a rule
            if answer.header.status == Status::Observed && !args.prove && query.game.heap_of(0) == Some(0) {
                writeln!(out, "  grundy period '{}' --prove looks for a proof, by automata too", args.rule)?;
            }
        }
    }
    out.flush()?;
    finish(&mut session, &query, &answer, args.certificate.as_deref(), args.with_values)
}

/// Writes the certificate, if one is wanted, and says how the command ends.
pub(super) fn finish(
    session: &mut Session,
    query: &PeriodQuery,
    answer: &PeriodAnswer,
    path: Option<&Path>,
    with_values: bool,
) -> Result<ExitCode, Failure> {
    if let Some(path) = path {
        match session.certificate(&query.game, answer, with_values) {
            Some(certificate) => {
                let mut out = Output::open(Some(path))?;
                let written = out.write_all(certificate.to_string().as_bytes()).and_then(|()| out.close());
                written.map_err(|e| Failure::file(path, &e))?;
            }
            None => {
                let _ = writeln!(io::stderr(), "no period is proved: {} is not written", path.display());
                return Ok(ExitCode::from(answer.stop.as_ref().map_or(code::STOPPED, limits::exit_code)));
            }
        }
    }
    Ok(answer.stop.as_ref().map_or(ExitCode::SUCCESS, |s| ExitCode::from(limits::exit_code(s))))
}
