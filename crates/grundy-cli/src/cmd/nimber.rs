//! `grundy nimber`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{Session, formats::json, judge::pairs, nimber::NimberQuery};
use grundy_core::notation::nimber::Expression;

use super::judge;
use crate::{
    args::{NimberArgs, TextOrJson},
    failure::Failure,
    limits, render,
};

/// Widest numbers that --bits allows: limits are looked at between operations, and there an operation takes below a second.
const MOST_BITS: u64 = 1 << 17;

pub fn run(args: NimberArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    let result = if args.mul { multiply(&args) } else { evaluate(&args) };
    result.map_err(|f| f.in_json(json))
}

fn evaluate(args: &NimberArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Interactive)?;
    if !(1..=MOST_BITS).contains(&args.bits) {
        return Err(Failure::usage(format!("--bits is a number from 1 to {MOST_BITS}")));
    }
    let text = args.expression.join(" ");
    let refused = |e| Failure::syntax(&text, e);
    let expression = Expression::parse(&text, args.bits).map_err(refused)?;
    let query = NimberQuery { expression, long_logs: args.long_log };
    let answer = Session::new().nimber(&query, &budget).map_err(refused)?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::nimber(&answer))?,
        TextOrJson::Text => render::nimber::text(&mut out, &answer, args.explain)?,
    }
    out.flush()?;
    let Some(stop) = &answer.stop else { return Ok(ExitCode::SUCCESS) };
    if args.format == TextOrJson::Text {
        let _ = writeln!(io::stderr(), "{stop}");
    }
    Ok(ExitCode::from(limits::exit_code(stop)))
}

fn multiply(args: &NimberArgs) -> Result<ExitCode, Failure> {
    if args.format == TextOrJson::Json {
        return Err(Failure::usage("--mul writes one product a line, and no JSON").hint("leave --format out"));
    }
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    pairs::nim_products(limits::stdin(), limits::stdout(), &budget).map_err(judge::failure)?;
    Ok(ExitCode::SUCCESS)
}
