//! `grundy convert`

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use grundy::formats::graph::{self, GraphFile, GraphFormat, WriteError};

use crate::{args::ConvertArgs, failure::Failure, limits, output::Output};

/// Most bytes that a packed file unpacks to.
const MOST: u64 = 16 << 30;

pub fn run(args: ConvertArgs) -> Result<ExitCode, Failure> {
    let to = target(&args)?;
    let mut file = read_graph(&args.input, args.from)?;
    if args.min {
        file.mirror().map_err(|why| Failure::usage(format!("--min: {why}")))?;
    }
    write(&args, &file, to)?;
    let left_out = graph::left_out(&file, to);
    if !left_out.is_empty() {
        let _ = writeln!(io::stderr(), "left out, as {} has no place for it: {}", to.name(), left_out.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

/// The format to write, known before anything is read.
fn target(args: &ConvertArgs) -> Result<GraphFormat, Failure> {
    let written: Vec<&str> = GraphFormat::ALL.iter().filter(|f| f.is_written()).map(|f| f.name()).collect();
    let hint = format!("--to takes {}", written.join(", "));
    if args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
        return Err(Failure::usage("packed files are read, but not written").hint("write to - and pipe it into gzip"));
    }
    match args.to.or_else(|| GraphFormat::of_name(&args.output.to_string_lossy())) {
        Some(format) if format.is_written() => Ok(format),
        Some(format) => Err(Failure::usage(format!("{} is read, but not written", format.name())).hint(hint)),
        None => {
            let why = format!("{} does not say by its name which format to write", args.output.display());
            Err(Failure::usage(why).hint(hint))
        }
    }
}

/// Reads a graph from a file or standard input, packed or not.
pub(crate) fn read_graph(path: &Path, from: Option<GraphFormat>) -> Result<GraphFile, Failure> {
    let bytes = if is_stream(path) {
        let mut bytes = Vec::new();
        limits::stdin().read_to_end(&mut bytes).map_err(|e| Failure::stream("standard input", &e))?;
        bytes
    } else {
        fs::read(path).map_err(|e| Failure::file(path, &e))?
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

fn write(args: &ConvertArgs, file: &GraphFile, to: GraphFormat) -> Result<(), Failure> {
    let path = (!is_stream(&args.output)).then_some(args.output.as_path());
    let failed = |e: io::Error| match path {
        Some(path) => Failure::file(path, &e),
        None => Failure::from(e),
    };
    let mut out = Output::open(path)?;
    graph::write(&mut out, file, to).map_err(|e| match e {
        WriteError::Io(e) => failed(e),
        WriteError::Refused(why) => Failure { kind: "refused", ..Failure::usage(why) },
    })?;
    out.close().map_err(failed)
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}
