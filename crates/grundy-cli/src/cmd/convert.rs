//! `grundy convert`

use std::{
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use grundy::{
    Budget,
    formats::graph::{self, GraphFile, GraphFormat, Source, WriteError},
};

use crate::{
    args::{ConvertArgs, Sinks},
    failure::Failure,
    limits,
    output::Output,
};

/// Most bytes that a packed file unpacks to.
const MOST: u64 = 16 << 30;

pub fn run(args: ConvertArgs) -> Result<ExitCode, Failure> {
    let to = format_of(&args.output, args.to)?;
    let read = || read_graph(&args.input, args.from);
    let mut file = limits::unmetered(&Budget::default(), "the graph was being read", false, read)?;
    if args.min {
        file.mirror().map_err(|why| Failure::usage(format!("--min: {why}")))?;
    }
    if let Some(Sinks::Lose) = args.sinks {
        lose_at_dead_ends(&mut file)?;
    }
    write_graph(&args.output, &file, to)?;
    Ok(ExitCode::SUCCESS)
}

/// The format to write, known before anything is read or made.
pub(super) fn format_of(output: &Path, to: Option<GraphFormat>) -> Result<GraphFormat, Failure> {
    let written: Vec<&str> = GraphFormat::ALL.iter().filter(|f| f.is_written()).map(|f| f.name()).collect();
    let hint = format!("--to takes {}", written.join(", "));
    if output.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
        return Err(Failure::usage("packed files are read, but not written").hint("write to - and pipe it into gzip"));
    }
    match to.or_else(|| GraphFormat::of_name(&output.to_string_lossy())) {
        Some(format) if format.is_written() => Ok(format),
        Some(format) => Err(Failure::usage(format!("{} is read, but not written", format.name())).hint(hint)),
        None => {
            let why = format!("{} does not say by its name which format to write", output.display());
            Err(Failure::usage(why).hint(hint))
        }
    }
}

/// Reads a graph from a file or standard input, packed or not.
pub(crate) fn read_graph(path: &Path, from: Option<GraphFormat>) -> Result<GraphFile, Failure> {
    let bytes = if is_stream(path) {
        let mut bytes = Vec::new();
        limits::stdin().read_to_end(&mut bytes).map_err(|e| Failure::stream("standard input", &e))?;
        Source::Read(bytes)
    } else {
        Source::open(path).map_err(|e| Failure::file(path, &e))?
    };
    let wrong = |e: graph::FileError| Failure { kind: "format", ..Failure::usage(format!("{}: {e}", path.display())) };
    let bytes = graph::unpack(&bytes, MOST).map_err(wrong)?;
    let format = from.or_else(|| GraphFormat::detect(&path.to_string_lossy(), &bytes)).ok_or_else(|| {
        let all: Vec<&str> = GraphFormat::ALL.iter().map(|f| f.name()).collect();
        Failure::usage(format!("{}: the format is not known by name or content", path.display()))
            .hint(format!("--from takes {}", all.join(", ")))
    })?;
    graph::read(&bytes, format).map_err(wrong)
}

/// Gives dead ends a loop that their owners lose, and says so on standard error.
fn lose_at_dead_ends(file: &mut GraphFile) -> Result<(), Failure> {
    let count = file
        .lose_at_dead_ends()
        .map_err(|why| Failure::usage(format!("--sinks lose: {why}")).hint("give owners 0 and 1 to the vertices"))?;
    say_lost_ends(count);
    Ok(())
}

/// Says on standard error how many dead ends became lost.
pub(super) fn say_lost_ends(count: usize) {
    if count > 0 {
        let ends = if count == 1 { "1 dead end is".into() } else { format!("{count} dead ends are") };
        let _ = writeln!(io::stderr(), "{ends} lost for whoever must move there");
    }
}

/// Writes a graph to a file or standard output, and says on standard error what of it was left out.
pub(super) fn write_graph(path: &Path, file: &GraphFile, to: GraphFormat) -> Result<(), Failure> {
    let path = (!is_stream(path)).then_some(path);
    let failed = |e: io::Error| match path {
        Some(path) => Failure::file(path, &e),
        None => Failure::from(e),
    };
    let mut out = Output::open(path)?;
    out.heed_signals();
    graph::write(&mut out, file, to).map_err(|e| match e {
        WriteError::Io(e) => failed(e),
        WriteError::Refused(why) => {
            let failure = Failure { kind: "refused", ..Failure::usage(why) };
            let mut all = 0..file.graph.vertices() as u32;
            let has_end = all.any(|v| file.graph.successors(v).is_empty());
            // a game but for its ends
            let is_game = file.owner.is_some() && file.priority.is_some();
            if to == GraphFormat::PgSolver && is_game && has_end {
                failure.hint("--sinks lose makes dead ends lost for whoever must move there")
            } else {
                failure
            }
        }
    })?;
    out.close().map_err(failed)?;
    let left_out = graph::left_out(file, to);
    if !left_out.is_empty() {
        let _ = writeln!(io::stderr(), "left out, as {} has no place for it: {}", to.name(), left_out.join(", "));
    }
    Ok(())
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}
