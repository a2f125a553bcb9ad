//! `grundy rules`, and files of rules for the other commands.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use grundy::{
    Budget, Session,
    formats::{
        checksum::Checksum,
        json,
        rules::{check_name, read_rules},
        stream::{StreamWriter, Style, ValueSink, ValueSlice},
    },
    rules::{RulesAnswer, RulesQuery},
};
use grundy_core::rulesets::{AnyRuleset, DynRuleset};

use crate::{
    args::{
        CHECKED_POSITIONS, OwnRules, RulesArgs, RulesCheckArgs, RulesCommand, SequenceArgs, SequenceFormat, TextOrJson,
    },
    failure::{Failure, Place, code},
    files::Files,
    limits,
    output::Output,
};

pub fn run(args: RulesArgs) -> Result<ExitCode, Failure> {
    match args.command {
        RulesCommand::Check(args) => {
            let json = args.format == TextOrJson::Json;
            check(&args).map_err(|f| f.in_json(json))
        }
    }
}

/// Largest file of rules.
const MOST_BYTES: u64 = 4 << 20;

/// The name and the ruleset of a file.
pub fn load(path: &Path) -> Result<(String, AnyRuleset), Failure> {
    // a pipe may keep the program waiting, and a device has no end; a signal ends the reading
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = limits::unmetered(&Budget::default(), "the rules were being read", false, read);
    let bytes = bytes.map_err(|e| Failure::file(path, &e))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::usage(format!("{}: a file of rules has at most 4 MiB", path.display())));
    }
    let (name, ruleset) = match path.extension().and_then(|e| e.to_str()) {
        Some("wasm" | "wat") => module(path, &bytes)?,
        _ => {
            let text = String::from_utf8(bytes).map_err(|e| {
                let at = e.utf8_error().valid_up_to();
                Failure::usage(format!("{}: byte {} is no UTF-8", path.display(), at + 1))
                    .hint("rules are a TOML file, or a WebAssembly module called .wasm or .wat")
            })?;
            read_rules(&text).map_err(|e| {
                let message = format!("{}:{}:{}: {}", path.display(), e.line, e.column, e.message);
                let source = Some(path.display().to_string());
                let place =
                    has_short_lines(&text).then(|| Box::new(Place { text: text.clone(), span: e.span, source }));
                Failure { kind: "rules", hint: e.hint, place, ..Failure::usage(message) }
            })?
        }
    };
    check_name(&name).map_err(|(message, hint)| Failure::usage(format!("{}: {message}", path.display())).hint(hint))?;
    Ok((name, ruleset))
}

/// Whether lines of the text can be shown as they are.
fn has_short_lines(text: &str) -> bool {
    const MOST: usize = 500;
    text.lines().all(|line| line.len() <= MOST)
}

#[cfg(feature = "wasm")]
fn module(path: &Path, bytes: &[u8]) -> Result<(String, AnyRuleset), Failure> {
    let ruleset = grundy_wasm::load(bytes).map_err(|e| Failure {
        kind: "rules",
        ..Failure::usage(format!("{}: {}", path.display(), e.message)).hint(e.hint)
    })?;
    Ok((ruleset.name().to_owned(), AnyRuleset::Custom(Arc::new(ruleset))))
}

#[cfg(not(feature = "wasm"))]
fn module(path: &Path, _: &[u8]) -> Result<(String, AnyRuleset), Failure> {
    Err(Failure::usage(format!("{}: this build of grundy runs no WebAssembly", path.display()))
        .hint("build it with cargo install --path crates/grundy-cli --features wasm, or write the rules as TOML"))
}

fn check(args: &RulesCheckArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Interactive)?;
    let files = Files::with(&OwnRules { files: vec![args.file.clone()] })?;
    let (name, ruleset) = files.only_rules().ok_or_else(|| Failure::usage("no rules were read"))?;
    let from = match &args.from {
        Some(text) => files.game(text)?.into_components(),
        None => Vec::new(),
    };
    let positions = args.limits.positions.unwrap_or(CHECKED_POSITIONS);
    // the limit is that of the walk; the comparisons after it have their own
    let budget = grundy::Budget { positions: None, ..budget };
    let query = RulesQuery { name, ruleset, from, seed: args.seed, positions };
    let answer = Session::new().check_rules(&query, &budget)?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::rules::check(&answer))?,
        TextOrJson::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(match (answer.accepted, &answer.stop) {
        (Some(true), None) => ExitCode::SUCCESS,
        (Some(false), _) => ExitCode::from(code::DOES_NOT_HOLD),
        (_, Some(stop)) => ExitCode::from(limits::exit_code(stop)),
        (None, None) => ExitCode::from(code::STOPPED),
    })
}

fn text(out: &mut impl Write, answer: &RulesAnswer) -> io::Result<()> {
    let verdict = match answer.accepted {
        Some(true) => "accepted",
        Some(false) => "not accepted",
        None => "undecided",
    };
    writeln!(out, "{}: {verdict}", answer.name)?;
    if let Some(v) = &answer.violation {
        writeln!(out, "  {} at {}: {}", v.law.word(), v.position, v.what)?;
        writeln!(out, "  the law: {}", v.law.sentence())?;
    }
    writeln!(out, "  looked at: {}", answer.extent)?;
    for (law, n) in answer.tried.iter().filter(|(_, n)| *n > 0) {
        writeln!(out, "  {:12} {}, tried {n} times", law.word(), law.sentence())?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "  {stop}")?;
    }
    let note = match (answer.accepted, answer.is_whole) {
        (Some(true), true) => "; a finite check is no proof for larger positions",
        (Some(true), false) => "; no law was seen broken, and not all positions were looked at",
        _ => "",
    };
    writeln!(out, "Status: {}{note}.", answer.header.status.word())
}

/// `grundy sequence` for rules that are no rule of heaps.
pub fn sequence(args: &SequenceArgs, own: &Arc<dyn DynRuleset>) -> Result<ExitCode, Failure> {
    let unused =
        [("--prove", args.prove), ("--checkpoint", args.checkpoint.is_some()), ("--plot", args.plot.is_some())];
    if let Some((flag, _)) = unused.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!("{flag} is for heap games, and {} is none", own.name()))
            .hint("rules of kind = \"heap\" take it"));
    }
    let style = match args.format {
        SequenceFormat::Text => Some(Style::Text),
        SequenceFormat::Csv => Some(Style::Csv),
        SequenceFormat::Ndjson => Some(Style::Ndjson),
        SequenceFormat::Bfile => Some(Style::BFile { offset: args.offset.unwrap_or(0) }),
        SequenceFormat::Json | SequenceFormat::Checksum => None,
        SequenceFormat::Raw | SequenceFormat::Parquet => {
            return Err(Failure::usage(format!("this format is for heap games, and {} is none", own.name()))
                .hint("write --format csv, ndjson, json, bfile or checksum"));
        }
    };
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let mut out = Output::open(args.out.as_deref())?;
    let failed = |e: io::Error| match &args.out {
        Some(path) => Failure::file(path, &e),
        None => e.into(),
    };
    let answer = Session::new().own_sequence(own, args.to.unwrap_or(100), &budget)?;
    match style {
        Some(style) => {
            let mut writer = StreamWriter::new(out, style);
            writer.take(0, ValueSlice::U64(&answer.values)).map_err(failed)?;
            out = writer.finish().map_err(failed)?;
        }
        None if args.format == SequenceFormat::Json => json::write_sequence(&mut out, &answer).map_err(failed)?,
        None => {
            let mut sum = Checksum::default();
            sum.take(0, ValueSlice::U64(&answer.values)).map_err(failed)?;
            if !answer.values.is_empty() {
                writeln!(out, "{sum}").map_err(failed)?;
            }
        }
    }
    out.end(answer.stop.is_none()).map_err(failed)?;
    if let Some(stop) = &answer.stop {
        let _ = writeln!(io::stderr(), "{stop}");
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    Ok(ExitCode::SUCCESS)
}
