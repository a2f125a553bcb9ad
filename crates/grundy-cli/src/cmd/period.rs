//! `grundy period`

use std::{
    fs,
    io::{self, Write},
    process::ExitCode,
};

use grundy::{Session, formats::json, period::PeriodQuery};
use grundy_core::notation::read_heap_game;

use crate::{
    args::{PeriodArgs, TextOrJson},
    failure::{Failure, code},
    limits, render,
};

pub fn run(args: PeriodArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    period(&args).map_err(|f| f.in_json(json))
}

fn period(args: &PeriodArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let game = read_heap_game(&args.rule).map_err(|e| Failure::syntax(&args.rule, e))?;
    let query = PeriodQuery { game, to: args.to, prove: args.prove };
    let mut session = Session::new();
    let answer = session.period(&query, &budget);
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::period(&answer))?,
        TextOrJson::Text => render::period::write(&mut out, &answer)?,
    }
    out.flush()?;
    if let Some(path) = &args.certificate {
        match session.certificate(&query.game, &answer, args.with_values) {
            Some(certificate) => fs::write(path, certificate.to_string()).map_err(|e| Failure::file(path, &e))?,
            None => {
                let _ = writeln!(io::stderr(), "no period is proved: {} is not written", path.display());
                return Ok(ExitCode::from(answer.stop.as_ref().map_or(code::STOPPED, limits::exit_code)));
            }
        }
    }
    Ok(answer.stop.as_ref().map_or(ExitCode::SUCCESS, |s| ExitCode::from(limits::exit_code(s))))
}
