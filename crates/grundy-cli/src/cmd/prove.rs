//! `grundy prove`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    formats::json,
    prove::{HeapClaim, ProveAnswer, ProveQuery},
};
use grundy_core::notation::formula::{Claim, Formula};

use crate::{
    args::{ProveArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
};

use super::{
    discover::certify,
    tuple::{self, Tuple},
};

pub fn run(args: ProveArgs) -> Result<ExitCode, Failure> {
    let json = args.proof.format == TextOrJson::Json;
    prove(&args).map_err(|f| f.in_json(json))
}

fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    let others = [("--equal", args.equal), ("--zeros", args.zeros), ("--bounded", args.bounded)];
    if let Some(tuple) = Tuple::asked(&args.rule, &args.proof, &others)? {
        let Some(claim) = &args.claim else {
            return Err(Failure::usage("a claim is needed").hint("a condition such as 'a xor b xor c = 0'"));
        };
        return tuple::prove(&tuple, claim);
    }
    let budget = limits::budget(&args.proof.limits, limits::Default::Interactive)?;
    let files = Files::with(&args.own)?;
    let read = |text: &String| files.heap_game(text);
    let game = read(&args.rule)?;
    let claim = match &args.claim {
        _ if args.bounded => HeapClaim::Bounded,
        None if args.zeros => HeapClaim::Zeros(None),
        Some(text) if args.zeros => {
            HeapClaim::Zeros(Some(Claim::parse(text, &["n"]).map_err(|e| Failure::syntax(text, e))?))
        }
        Some(text) if args.equal => HeapClaim::Equal(read(text)?),
        Some(text) => HeapClaim::Formula(Formula::parse(text, &["n"]).map_err(|e| Failure::syntax(text, e))?),
        None if args.equal => return Err(Failure::usage("--equal needs two rules")),
        None => {
            let hint =
                format!("a formula in n, as in grundy prove '{}' 'n mod 4'; or grundy discover finds one", args.rule);
            return Err(Failure::usage("a claim is needed").hint(hint));
        }
    };
    let mut session = Session::new();
    let query = ProveQuery { game, claim };
    let answer = session.prove(&query, &budget)?;
    let mut out = limits::stdout();
    match args.proof.format {
        TextOrJson::Json => writeln!(out, "{}", json::prove(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    let proved = answer.form.as_ref().filter(|_| answer.holds == Some(true));
    if let Some(path) = args.proof.certificate.as_deref().filter(|_| answer.holds == Some(true))
        && let Some(code) = certify(&mut session, &query.game, proved, Some(path))?
    {
        return Ok(code);
    }
    Ok(match (answer.holds, &answer.stop) {
        (Some(true), _) => ExitCode::SUCCESS,
        (Some(false), _) => ExitCode::from(code::DOES_NOT_HOLD),
        (None, Some(stop)) => ExitCode::from(limits::exit_code(stop)),
        (None, None) => ExitCode::from(code::STOPPED),
    })
}

fn text(out: &mut impl Write, answer: &ProveAnswer) -> io::Result<()> {
    match answer.holds {
        Some(true) => writeln!(out, "Proved: {}.", answer.claim)?,
        Some(false) => writeln!(out, "Refuted: {}.", answer.claim)?,
        None => writeln!(out, "Not decided: {}.", answer.claim)?,
    }
    if let Some(c) = &answer.counterexample {
        writeln!(out, "  At heap {} the claim says {}, the value is {}: {}.", c.n, c.guessed, c.actual, c.why)?;
    }
    if let Some(d) = &answer.difference {
        writeln!(out, "  They differ first at heap {}: {} and {}.", d.n, d.left, d.right)?;
    }
    if let Some(note) = &answer.note {
        writeln!(out, "  {note}.")?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "  {stop}")?;
    }
    writeln!(out, "Status: {}.", answer.header.status.word())?;
    if !answer.header.method.is_empty() {
        writeln!(out, "  {}", answer.header.method)?;
    }
    if let Some(time) = answer.proved_in {
        writeln!(out, "  proved in {:.1} ms", time.as_secs_f64() * 1e3)?;
    }
    Ok(())
}
