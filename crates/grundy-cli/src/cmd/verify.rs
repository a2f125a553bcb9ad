//! `grundy verify`

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use grundy::{
    Budget, Session,
    answer::Status,
    formats::{
        bfile::{self, BFileError},
        json,
    },
    graph,
    verify::{VerifyAnswer, VerifyQuery},
};
use grundy_core::proof::{Certificate, Check, Claim, GraphCertificate};

use super::{convert::read_graph, graph::not_this_game};
use crate::{
    args::{TextOrJson, VerifyArgs},
    failure::{Failure, code},
    limits,
};

pub fn run(args: VerifyArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    verify(&args).map_err(|f| f.in_json(json))
}

fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    if args.sample == Some(0) {
        return Err(Failure::usage("a sample holds at least one heap"));
    }
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("{}: {e}", args.file.display()));
    let text = read(&args.file)?;
    if text.starts_with("grundy graph certificate") {
        return verify_graph(args, &text, &budget);
    }
    if args.graph.is_some() || args.from.is_some() {
        return Err(wrong(&"this is no certificate of grundy graph").hint("leave --graph and --from out"));
    }
    let mut certificate: Certificate = text.parse().map_err(|e| wrong(&e))?;
    if matches!(certificate.claim, Claim::ClosedForm(_)) && (args.sample.is_some() || args.table.is_some()) {
        let flags = "leave --sample and --table out";
        return Err(Failure::usage("a closed form is checked for all heaps at once, by no values").hint(flags));
    }
    if let Some(path) = &args.table {
        if !certificate.hints.values.is_empty() {
            return Err(Failure::usage("the certificate carries its values itself").hint("leave --table out"));
        }
        certificate.hints.values = table(path, Check::new(&certificate).needed())?;
    }
    let query = VerifyQuery { certificate, sample: args.sample, seed: args.seed };
    let answer = Session::new().verify(&query, &budget)?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::verify(&answer))?,
        TextOrJson::Text => write(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(match (answer.accepted, &answer.stop) {
        (Some(false), _) => ExitCode::from(code::DOES_NOT_HOLD),
        (None, Some(stop)) => ExitCode::from(limits::exit_code(stop)),
        // a sample that agrees answers what was asked; the status says what it is worth
        (None, None) if answer.header.status != Status::Observed => ExitCode::from(code::STOPPED),
        _ => ExitCode::SUCCESS,
    })
}

/// Checks a certificate of `grundy graph` against its graph.
fn verify_graph(args: &VerifyArgs, text: &str, budget: &Budget) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    let certificate: GraphCertificate =
        limits::unmetered(budget, "the certificate was being read", json, || text.parse())
            .map_err(|e| Failure::usage(format!("{}: {e}", args.file.display())))?;
    if args.sample.is_some() || args.table.is_some() {
        return Err(Failure::usage("every vertex of a graph is checked").hint("leave --sample and --table out"));
    }
    let path = args.graph.clone().unwrap_or_else(|| PathBuf::from(&certificate.subject));
    if args.graph.is_none() && certificate.subject == "-" {
        let why = "the graph came from standard input";
        return Err(Failure::usage(why).hint("name the file with --graph, or pipe it into --graph -"));
    }
    let read = || read_graph(&path, args.from);
    let file = limits::unmetered(budget, "the graph was being read", json, read).map_err(|f| match args.graph {
        None => f.hint("the certificate names this file; --graph names another place"),
        Some(_) => f,
    })?;
    let check = || graph::verify(file, &certificate);
    let mut answer =
        limits::unmetered(budget, "the certificate was being checked", json, check).map_err(not_this_game)?;
    // what was read, wherever the certificate says that it was
    answer.game = path.display().to_string();
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::verify(&answer))?,
        TextOrJson::Text => write(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(if answer.accepted == Some(true) { ExitCode::SUCCESS } else { ExitCode::from(code::DOES_NOT_HOLD) })
}

/// Largest certificate that is read, and its longest line, in bytes.
const MOST_BYTES: usize = 4 << 30;
const MOST_LINE: usize = 1 << 20;

/// The text of a certificate; what is no certificate, such as a device without an end, is not read to its end.
fn read(path: &Path) -> Result<String, Failure> {
    let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("{}: {e}", path.display()));
    let failed = |e| Failure::file(path, &e);
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    for line in 1u64.. {
        let read = reader.by_ref().take(MOST_LINE as u64 + 1).read_until(b'\n', &mut bytes).map_err(failed)?;
        if read > MOST_LINE {
            return Err(wrong(&format!("line {line} is longer than {} MiB: this is no certificate", MOST_LINE >> 20)));
        }
        if bytes.len() > MOST_BYTES {
            return Err(wrong(&format!("a certificate of more than {} GiB is not read", MOST_BYTES >> 30)));
        }
        if read == 0 {
            break;
        }
    }
    String::from_utf8(bytes).map_err(|e| wrong(&e.utf8_error()))
}

/// The first values of a b-file, which must begin with heap 0.
fn table(path: &Path, needed: u64) -> Result<Vec<u64>, Failure> {
    let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("{}: {e}", path.display()));
    let file = File::open(path).map_err(|e| Failure::file(path, &e))?;
    let mut values = Vec::new();
    for entry in bfile::entries(BufReader::new(file)).take(usize::try_from(needed).unwrap_or(usize::MAX)) {
        let entry = entry.map_err(|e| match e {
            BFileError::Io(e) => Failure::file(path, &e),
            e => wrong(&e),
        })?;
        if i128::try_from(values.len()) != Ok(entry.n) {
            return Err(wrong(&format!("line {}: heap {} was expected", entry.line, values.len())));
        }
        let value = u64::try_from(entry.value);
        values.push(value.map_err(|_| wrong(&format!("line {}: this is no Grundy value", entry.line)))?);
    }
    if (values.len() as u64) < needed {
        return Err(wrong(&format!(
            "the table ends with heap {}, {needed} values are needed",
            values.len() as i128 - 1
        )));
    }
    Ok(values)
}

fn write(out: &mut impl Write, answer: &VerifyAnswer) -> io::Result<()> {
    let word = match answer.accepted {
        Some(true) => "accepted",
        Some(false) => "refused",
        None => "not decided",
    };
    writeln!(out, "{}: {word}; {}.", answer.game, answer.reason)?;
    writeln!(out, "The claim: {}.", answer.claim)?;
    if !answer.checked.is_empty() {
        writeln!(out, "Checked: {}.", answer.checked)?;
    }
    writeln!(out, "  {}", answer.header.method)
}
