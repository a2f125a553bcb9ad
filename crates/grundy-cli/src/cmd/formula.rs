//! `grundy formula`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    form::find_form,
    formats::program::{Language, ProgramHead, program},
};
use grundy_core::theory::Convention;

use crate::{
    args::{FormulaArgs, ProgramLanguage},
    failure::{Failure, code},
    files::Files,
    limits,
    output::Output,
};

pub fn run(args: FormulaArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Interactive)?;
    let game = Files::with(&args.own)?.heap_game(&args.rule)?;
    let found = match find_form(&mut Session::new(), &game, &budget) {
        Ok(found) => found,
        Err(none) => {
            let mut notes = io::stderr();
            let _ = writeln!(notes, "no form of the values of {} is known: {}", game.name(), none.reason);
            if let Some(recurrence) = game.closed_form().map(|form| form.formula()).filter(|f| f.contains("G(")) {
                let _ = writeln!(notes, "a recurrence is proved, G(n): {recurrence}");
            }
            if let Some(stop) = &none.stop {
                let _ = writeln!(notes, "{stop}");
            }
            return Ok(ExitCode::from(none.stop.as_ref().map_or(code::STOPPED, limits::exit_code)));
        }
    };
    let head = ProgramHead {
        game: game.name().to_owned(),
        convention: Convention::Normal,
        status: found.status,
        method: found.method,
        known_to: found.known_to,
    };
    let text = program(&found.form, language(args.lang), &head);
    let path = args.out.as_deref();
    let mut out = Output::open(path)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.close());
    written.map_err(|e| path.map_or_else(|| Failure::from(io::Error::from(e.kind())), |p| Failure::file(p, &e)))?;
    Ok(ExitCode::SUCCESS)
}

fn language(typed: ProgramLanguage) -> Language {
    match typed {
        ProgramLanguage::C => Language::C,
        ProgramLanguage::Cpp => Language::Cpp,
        ProgramLanguage::Rust => Language::Rust,
        ProgramLanguage::Python => Language::Python,
        ProgramLanguage::Js => Language::JavaScript,
        ProgramLanguage::Latex => Language::Latex,
    }
}
