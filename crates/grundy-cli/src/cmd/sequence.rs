//! `grundy sequence`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    formats::{bfile, json},
    query::SequenceQuery,
};
use grundy_core::notation::read_heap_game;

use crate::{
    args::{SequenceArgs, SequenceFormat},
    failure::Failure,
    limits,
};

pub fn run(args: SequenceArgs) -> Result<ExitCode, Failure> {
    let json = matches!(args.format, SequenceFormat::Json | SequenceFormat::Ndjson);
    sequence(&args).map_err(|f| f.in_json(json))
}

fn sequence(args: &SequenceArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let game = read_heap_game(&args.rule).map_err(|e| Failure::syntax(&args.rule, e))?;
    let answer = Session::new().sequence(&SequenceQuery { game, to: args.to }, &budget);
    let mut out = limits::stdout();
    match args.format {
        SequenceFormat::Text => {
            for line in answer.values.chunks(20) {
                let words: Vec<String> = line.iter().map(u64::to_string).collect();
                writeln!(out, "{}", words.join(" "))?;
            }
        }
        SequenceFormat::Csv => {
            writeln!(out, "n,value")?;
            for (n, v) in answer.values.iter().enumerate() {
                writeln!(out, "{n},{v}")?;
            }
        }
        SequenceFormat::Ndjson => {
            for (n, v) in (0u128..).zip(&answer.values) {
                writeln!(out, "{{\"n\":{},\"value\":{}}}", json::integer(n), json::integer((*v).into()))?;
            }
        }
        SequenceFormat::Json => {
            json::write_sequence(&mut out, &answer)?;
            writeln!(out)?;
        }
        SequenceFormat::Bfile => bfile::write(&mut out, &answer.values, args.offset)?,
    }
    out.flush()?;
    if let Some(stop) = &answer.stop {
        let _ = writeln!(io::stderr(), "{stop}");
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    Ok(ExitCode::SUCCESS)
}
