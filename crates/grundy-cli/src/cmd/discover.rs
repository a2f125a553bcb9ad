//! `grundy discover`

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use grundy::{
    Session,
    answer::Status,
    closed_form::{DISCOVER_TO, DiscoverAnswer, DiscoverQuery},
    discover::Form,
    formats::json,
};
use grundy_core::rulesets::HeapGame;

use crate::{
    args::{DiscoverArgs, TextOrJson},
    failure::{Failure, code},
    files::Files,
    limits,
    output::Output,
    render::form::{self, FormText},
};

use super::tuple::{self, Tuple};

pub fn run(args: DiscoverArgs) -> Result<ExitCode, Failure> {
    let json = args.proof.format == TextOrJson::Json;
    discover(&args).map_err(|f| f.in_json(json))
}

fn discover(args: &DiscoverArgs) -> Result<ExitCode, Failure> {
    if let Some(tuple) = Tuple::asked(&args.rule, &args.proof, &[("--to", args.to.is_some())])? {
        return tuple::discover(&tuple);
    }
    let budget = limits::budget(&args.proof.limits, limits::Default::Interactive)?;
    let game = Files::with(&args.own)?.heap_game(&args.rule)?;
    let query = DiscoverQuery { game, to: args.to.unwrap_or(DISCOVER_TO) };
    let mut session = Session::new();
    let answer = session.discover(&query, &budget);
    let mut out = limits::stdout();
    match args.proof.format {
        TextOrJson::Json => writeln!(out, "{}", json::discover(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    let proved = answer.form.as_ref().filter(|_| answer.header.status == Status::Proved);
    if let Some(code) = certify(&mut session, &query.game, proved, args.proof.certificate.as_deref())? {
        return Ok(code);
    }
    Ok(answer.stop.as_ref().map_or(ExitCode::SUCCESS, |s| ExitCode::from(limits::exit_code(s))))
}

/// Writes the certificate of a proved form, if one is wanted; the exit code if none is proved.
pub(super) fn certify(
    session: &mut Session,
    game: &Arc<HeapGame>,
    proved: Option<&Form>,
    path: Option<&Path>,
) -> Result<Option<ExitCode>, Failure> {
    let Some(path) = path else { return Ok(None) };
    match proved.and_then(|form| session.form_certificate(game, form)) {
        Some(certificate) => {
            let mut out = Output::open(Some(path))?;
            let written = out.write_all(certificate.to_string().as_bytes()).and_then(|()| out.close());
            written.map_err(|e| Failure::file(path, &e))?;
            Ok(None)
        }
        None => {
            let _ = writeln!(io::stderr(), "no form is proved: {} is not written", path.display());
            Ok(Some(ExitCode::from(code::STOPPED)))
        }
    }
}

/// Writes the whole answer for people.
pub(super) fn text(out: &mut impl Write, answer: &DiscoverAnswer) -> io::Result<()> {
    let game = &answer.game;
    let is_proved = answer.header.status == Status::Proved;
    let guess =
        || answer.guess.as_ref().map(|f| FormText { lines: vec![form::equal(&f.to_string())], notes: Vec::new() });
    let found = answer.form.as_ref().map(|f| form::form(f, game, is_proved)).or_else(guess);
    match &found {
        Some(found) => {
            let heaps = if is_proved { "every heap n" } else { "the heaps that were looked at" };
            writeln!(out, "{game}: for {heaps}")?;
            found.lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        }
        None => writeln!(out, "No closed form of {game} was found.")?,
    }
    for note in found.iter().flat_map(|found| &found.notes) {
        writeln!(out, "  ({note})")?;
    }
    for attempt in &answer.attempts {
        writeln!(out, "  tried {}: {}", form::shortened(&attempt.form), attempt.outcome)?;
    }
    if let Some(outside) = &answer.outside {
        writeln!(out, "  no proof: outside what automata can decide: {outside}")?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "  {stop}")?;
    }
    match (answer.header.status, answer.known_to) {
        (Status::Proved, _) | (_, None) => writeln!(out, "Status: {}.", answer.header.status.word())?,
        (status, Some(to)) => writeln!(out, "Status: {}, from the values of heaps 0 to {to}.", status.word())?,
    }
    writeln!(out, "  {}", answer.header.method)?;
    if let Some(time) = answer.proved_in {
        writeln!(out, "  found and proved in {:.1} ms", time.as_secs_f64() * 1e3)?;
    }
    Ok(())
}
