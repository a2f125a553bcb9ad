//! `grundy sweep`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    budget::StopReason,
    formats::json,
    sweep::{Pattern, PatternError, SweepQuery, SweepRecord, sweep},
};

use crate::{
    args::{SweepArgs, SweepFormat},
    failure::Failure,
    limits,
};

pub fn run(args: SweepArgs) -> Result<ExitCode, Failure> {
    let json = args.format == SweepFormat::Ndjson;
    all(&args).map_err(|f| f.in_json(json))
}

fn all(args: &SweepArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let pattern = Pattern::parse(&args.pattern).map_err(|e| match e {
        PatternError::Syntax(code, e) => Failure::syntax(&code, e),
        e => Failure::usage(e.to_string()),
    })?;
    let query = SweepQuery { pattern, to: args.to, prove: args.prove };
    let mut out = limits::stdout();
    if args.format == SweepFormat::Csv {
        writeln!(out, "code,period,preperiod,saltus,max,status,same_as")?;
    }
    let mut failed = None;
    let mut cut: Option<(StopReason, u64)> = None;
    let stopped = sweep(&query, &budget, |record| {
        if let Some(stop) = &record.answer.stop {
            cut.get_or_insert_with(|| (stop.clone(), 0)).1 += 1;
        }
        match line(&mut out, args.format, &record) {
            Ok(()) => true,
            Err(e) => {
                failed = Some(e);
                false
            }
        }
    });
    if let Some(e) = failed {
        return Err(e.into());
    }
    out.flush()?;
    let cut =
        cut.map(|(stop, codes)| stop.reached(format!("{codes} of the codes could not be looked at as far as asked")));
    match stopped.err().or(cut) {
        None => Ok(ExitCode::SUCCESS),
        Some(stop) => {
            let _ = writeln!(io::stderr(), "{stop}");
            Ok(ExitCode::from(limits::exit_code(&stop)))
        }
    }
}

/// One record; flushed, since the next may take long.
fn line(out: &mut impl Write, format: SweepFormat, record: &SweepRecord) -> io::Result<()> {
    match format {
        SweepFormat::Ndjson => writeln!(out, "{}", json::sweep_record(record))?,
        SweepFormat::Csv => {
            let p = record.answer.period();
            let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
            writeln!(
                out,
                "{},{},{},{},{},{},{}",
                record.code,
                number(p.map(|p| p.period)),
                number(p.map(|p| p.preperiod)),
                number(p.map(|p| p.saltus)),
                number(record.answer.max),
                record.answer.header.status.word(),
                record.same_as.as_ref().map_or("", |s| &s.code)
            )?;
        }
    }
    out.flush()
}
