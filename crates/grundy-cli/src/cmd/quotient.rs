//! `grundy quotient`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    formats::json,
    quotient::{QuotientAnswer, QuotientQuery},
};

use crate::{
    args::{QuotientArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
    render::solve::{capital, convention},
};

pub fn run(args: QuotientArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    quotient(&args).map_err(|f| f.in_json(json))
}

fn quotient(args: &QuotientArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Interactive)?;
    let game = Files::with(&args.own)?.heap_game(&args.rule)?;
    let answer = Session::new().quotient(&QuotientQuery { game, to: args.to_heap }, &budget)?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::quotient(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(match &answer.stop {
        Some(stop) => ExitCode::from(limits::exit_code(stop)),
        None if answer.given_up.is_some() => ExitCode::from(code::STOPPED),
        None => ExitCode::SUCCESS,
    })
}

fn text(out: &mut impl Write, answer: &QuotientAnswer) -> io::Result<()> {
    let words = &answer.presentation;
    writeln!(out, "quotient of {}   ({})", answer.game, convention(answer.header.convention))?;
    let kind = if answer.is_tame { "tame: misère Nim's rule decides" } else { "wild" };
    writeln!(out, "{} classes, {} of them lost; {kind}; the kernel has {}.", answer.order, answer.lost, answer.kernel)?;
    match answer.period {
        Some(p) => {
            let (period, from) = (p.period, p.preperiod);
            writeln!(out, "Of all heaps: their classes have period {period} from heap {from} on.")?;
        }
        None => writeln!(out, "Of sums of heaps up to {}.", answer.to)?,
    }
    let letters = words.generators.iter().enumerate().map(|(i, heap)| format!("{} heap {heap}", words.letter(i)));
    writeln!(out, "Letters: {}", listed(letters))?;
    let relations = words.relations.iter().map(|r| format!("{} = {}", words.print(&r.left), words.print(&r.right)));
    writeln!(out, "Rules: {}", listed(relations))?;
    writeln!(out, "Lost: {}", listed(words.lost.iter().map(|word| words.print(word))))?;
    let heaps: Vec<String> = words.heaps.iter().map(|word| words.print(word)).collect();
    writeln!(out, "Heaps 0 to {}: {}", answer.to, heaps.join(" "))?;
    if let Some(why) = &answer.given_up {
        writeln!(out, "No quotient of larger heaps was found: {why}.")?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "{}.", capital(&stop.to_string()))?;
    }
    writeln!(out, "Status: {}.\n  {}", answer.header.status.word(), answer.header.method)
}

fn listed(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    if all.is_empty() { "none".into() } else { all.join(", ") }
}
