//! Graphs from files, and back: parity games, lists of edges, and what other programs write.
//!
//! A reader takes the bytes of a file and gives a [`GraphFile`], or says with line and column why not. It never panics and uses
//! memory in proportion to the file; what it does not understand it refuses rather than guesses.

mod cursor;
mod dot;
mod edges;
mod error;
mod graphml;
mod json;
mod metis;
mod named;
mod names;
mod numbers;
#[cfg(feature = "parquet")]
mod parquet;
mod pgsolver;
mod pieces;
mod sinks;
mod source;
#[cfg(test)]
mod tests;
mod text;

use std::{
    borrow::Cow,
    io::{Read, Write},
};

use grundy_core::theory::digraph::Digraph;

use edges::Between;
pub use error::{FileError, Place, WriteError};
pub use names::{NameList, Names};
pub use pgsolver::Solution;
pub use source::Source;

/// A graph with what a file says about its vertices; the lists have one entry a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFile {
    /// Vertices 0, 1, … in the order of the input.
    pub graph: Digraph,
    /// What they are called.
    pub names: Names,
    /// Who moves, 0 or 1; without owners both players move everywhere.
    pub owner: Option<Vec<u8>>,
    /// The priorities of a parity game, of which the highest decides.
    pub priority: Option<Vec<u64>>,
    /// Whether a vertex is a target of reachability, or green in a Büchi game.
    pub target: Option<Vec<bool>>,
    /// Where the game starts, if the file says so.
    pub start: Option<u32>,
}

impl GraphFile {
    /// A graph of which nothing more is known.
    pub fn new(graph: Digraph, names: Names) -> GraphFile {
        GraphFile { graph, names, owner: None, priority: None, target: None, start: None }
    }

    /// Turns a parity game in which the lowest priority decides into one in which the highest does: p becomes 2⌈max/2⌉ - p.
    ///
    /// # Errors
    /// There are no priorities, or the largest is 2^64 - 1.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::{GraphFormat, read};
    /// let mut file = read(b"0 0 0 1; 1 1 1 2; 2 3 0 0;", GraphFormat::PgSolver).unwrap();
    /// file.mirror().unwrap();
    /// assert_eq!(file.priority, Some(vec![4, 3, 1]));
    /// ```
    pub fn mirror(&mut self) -> Result<(), &'static str> {
        let priority = self.priority.as_mut().ok_or("there are no priorities to mirror")?;
        let most = priority.iter().max().copied().unwrap_or(0);
        let even = most.checked_add(most % 2).ok_or("a priority of 2^64 - 1 has no mirror image")?;
        priority.iter_mut().for_each(|p| *p = even - *p);
        Ok(())
    }
}

/// A format of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphFormat {
    /// Parity games of PGSolver.
    PgSolver,
    /// An edge a line, its ends between blanks or tabs, as in the SNAP collection.
    EdgeList,
    /// An edge a line, fields between commas.
    Csv,
    /// An edge a line, fields between tabs.
    Tsv,
    /// A part of the language of Graphviz.
    Dot,
    /// GraphML.
    GraphMl,
    /// Our JSON, by its fields `n` and `edges`.
    Json,
    /// JSON of NetworkX, by its fields `nodes` and `links` or `edges`.
    NodeLink,
    /// Neighbours of METIS, without directions.
    Metis,
    /// An edge a row of an Apache Parquet table; read in builds with the feature `parquet`.
    Parquet,
}

impl GraphFormat {
    /// All of them.
    pub const ALL: &[GraphFormat] = &[
        GraphFormat::PgSolver,
        GraphFormat::EdgeList,
        GraphFormat::Csv,
        GraphFormat::Tsv,
        GraphFormat::Dot,
        GraphFormat::GraphMl,
        GraphFormat::Json,
        GraphFormat::NodeLink,
        GraphFormat::Metis,
        GraphFormat::Parquet,
    ];

    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            GraphFormat::PgSolver => "pg",
            GraphFormat::EdgeList => "edges",
            GraphFormat::Csv => "csv",
            GraphFormat::Tsv => "tsv",
            GraphFormat::Dot => "dot",
            GraphFormat::GraphMl => "graphml",
            GraphFormat::Json => "json",
            GraphFormat::NodeLink => "node-link",
            GraphFormat::Metis => "metis",
            GraphFormat::Parquet => "parquet",
        }
    }

    /// Whether [`write()`] knows it.
    pub fn is_written(self) -> bool {
        !matches!(self, GraphFormat::GraphMl | GraphFormat::NodeLink | GraphFormat::Metis | GraphFormat::Parquet)
    }

    /// The format that the end of a file's name says, `.gz` left out; `.json` is either of two.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::GraphFormat;
    /// assert_eq!(GraphFormat::of_name("games/ladder.pg.gz"), Some(GraphFormat::PgSolver));
    /// assert_eq!(GraphFormat::of_name("notes"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<GraphFormat> {
        let name = name.to_ascii_lowercase();
        let (_, end) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        Some(match end {
            "pg" | "gm" => GraphFormat::PgSolver,
            "edges" | "edgelist" | "el" | "snap" => GraphFormat::EdgeList,
            "csv" => GraphFormat::Csv,
            "tsv" => GraphFormat::Tsv,
            "dot" | "gv" => GraphFormat::Dot,
            "graphml" => GraphFormat::GraphMl,
            "json" => GraphFormat::Json,
            "metis" | "graph" => GraphFormat::Metis,
            "parquet" => GraphFormat::Parquet,
            _ => return None,
        })
    }

    /// The format that a file looks like by its beginning, whose first lines are looked at; METIS looks like edges.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::GraphFormat;
    /// assert_eq!(GraphFormat::of_content(b"# a comment\n0 1\n"), Some(GraphFormat::EdgeList));
    /// assert_eq!(GraphFormat::of_content(b"{\"nodes\": [], \"links\": []}"), Some(GraphFormat::NodeLink));
    /// assert_eq!(GraphFormat::of_content(b"Start Middle\n"), Some(GraphFormat::EdgeList));
    /// assert_eq!(GraphFormat::of_content(b"\x00\x01"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<GraphFormat> {
        if bytes.starts_with(b"PAR1") {
            return Some(GraphFormat::Parquet);
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = bytes.split(|b| *b == b'\n').map(|l| l.trim_ascii());
        // a line that is very long is looked at no further
        let mut lines = lines.map(|l| &l[..l.len().min(1 << 12)]).filter(|l| !l.is_empty()).take(1 << 12);
        let first = lines.clone().next()?;
        let starts = |word: &str| first.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word.as_bytes()));
        match first[0] {
            b'{' => return Some(json::which(bytes)),
            b'<' => return Some(GraphFormat::GraphMl),
            b'/' => return Some(GraphFormat::Dot),
            // vertices may be called by these words
            _ if (starts("digraph") || starts("strict") || starts("graph")) && has_brace(bytes) => {
                return Some(GraphFormat::Dot);
            }
            _ if (starts("parity ") || starts("start ")) && first.contains(&b';') => {
                return Some(GraphFormat::PgSolver);
            }
            _ => {}
        }
        let line = lines.find(|l| !matches!(l[0], b'#' | b'%'))?;
        if line.starts_with(b"digraph") && has_brace(bytes) {
            return Some(GraphFormat::Dot);
        }
        let has = |byte: u8| line.contains(&byte);
        match () {
            () if line.iter().any(|b| b.is_ascii_control() && *b != b'\t') => None,
            () if has(b';') && line[0].is_ascii_digit() => Some(GraphFormat::PgSolver),
            () if has(b',') => Some(GraphFormat::Csv),
            () if has(b'\t') || has(b' ') => Some(GraphFormat::EdgeList),
            () => None,
        }
    }

    /// The format of a file by its name, or else by its content; which of the two kinds of JSON always by the content.
    pub fn detect(name: &str, bytes: &[u8]) -> Option<GraphFormat> {
        match GraphFormat::of_name(name) {
            Some(GraphFormat::Json) => Some(json::which(bytes)),
            Some(format) => Some(format),
            None => GraphFormat::of_content(bytes),
        }
    }
}

/// Whether the beginning of a file has an opening brace, as DOT must.
fn has_brace(bytes: &[u8]) -> bool {
    bytes.iter().take(1 << 12).any(|b| *b == b'{')
}

/// The bytes of a file that may be packed by gzip, unpacked.
///
/// # Errors
/// The packed data are damaged or end too early, or unpack to more than `most` bytes; the place is that of the packed file's start.
///
/// # Examples
/// ```
/// use grundy::formats::graph::unpack;
/// assert_eq!(unpack(b"0 1\n", 1 << 20).unwrap(), &b"0 1\n"[..]);
/// assert!(unpack(b"\x1f\x8b\x08 cut", 1 << 20).is_err());
/// ```
pub fn unpack(bytes: &[u8], most: u64) -> Result<Cow<'_, [u8]>, FileError> {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(bytes.into());
    }
    let failed = |why: String| FileError::new(Place { line: 1, column: 1 }, why);
    let mut plain = Vec::new();
    let mut packed = flate2::read::MultiGzDecoder::new(bytes).take(most.saturating_add(1));
    packed.read_to_end(&mut plain).map_err(|e| failed(format!("the file cannot be unpacked: {e}")))?;
    if plain.len() as u64 > most {
        return Err(failed(format!("the file unpacks to more than {most} bytes")));
    }
    Ok(plain.into())
}

/// Reads a file.
///
/// # Complexity
/// Time and memory O(bytes).
///
/// # Errors
/// With line and column: what the format does not allow, or what of it is not read here.
///
/// # Examples
/// ```
/// use grundy::formats::graph::{GraphFormat, read};
/// let error = read(b"0 0 0 1;\n1 1 1;", GraphFormat::PgSolver).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 6: vertex 1 has no successor, which a parity game does not allow");
/// ```
pub fn read(bytes: &[u8], format: GraphFormat) -> Result<GraphFile, FileError> {
    let file = match format {
        GraphFormat::PgSolver => pgsolver::read(bytes),
        GraphFormat::EdgeList => edges::read(bytes, Between::Space),
        GraphFormat::Csv => edges::read(bytes, Between::Comma),
        GraphFormat::Tsv => edges::read(bytes, Between::Tab),
        GraphFormat::Dot => dot::read(bytes),
        GraphFormat::GraphMl => graphml::read(bytes),
        GraphFormat::Json => json::read(bytes),
        GraphFormat::NodeLink => json::read_node_link(bytes),
        GraphFormat::Metis => metis::read(bytes),
        #[cfg(feature = "parquet")]
        GraphFormat::Parquet => parquet::read(bytes),
        #[cfg(not(feature = "parquet"))]
        GraphFormat::Parquet => Err(error::Fault::new(
            0,
            "this build of grundy has no Parquet: build it with --features parquet, or bring the edges as CSV",
        )),
    };
    file.map_err(|f| f.in_file(bytes))
}

/// Writes a file. What the format has no place for is left out: [`left_out`] says what.
///
/// # Complexity
/// Time O(vertices + edges + names), memory O(names).
///
/// # Errors
/// The writer's, or why the format cannot hold this graph: a parity game without priorities, a name that cannot be written, two
/// vertices of one name where a name is all there is.
pub fn write(out: &mut impl Write, file: &GraphFile, format: GraphFormat) -> Result<(), WriteError> {
    if !matches!(format, GraphFormat::PgSolver | GraphFormat::Json) {
        only_once(file)?;
    }
    match format {
        GraphFormat::PgSolver => pgsolver::write(out, file),
        GraphFormat::EdgeList => edges::write(out, file, Between::Space),
        GraphFormat::Csv => edges::write(out, file, Between::Comma),
        GraphFormat::Tsv => edges::write(out, file, Between::Tab),
        GraphFormat::Dot => dot::write(out, file),
        GraphFormat::Json => json::write(out, file),
        GraphFormat::GraphMl | GraphFormat::NodeLink | GraphFormat::Metis | GraphFormat::Parquet => {
            Err(WriteError::Refused(format!("{} is read, but not written", format.name())))
        }
    }
}

/// What of this file the format has no place for.
///
/// # Examples
/// ```
/// use grundy::formats::graph::{GraphFormat, left_out, read};
/// let file = read(b"0 2 0 0;", GraphFormat::PgSolver).unwrap();
/// assert_eq!(left_out(&file, GraphFormat::Csv), ["owner", "priority"]);
/// assert!(left_out(&file, GraphFormat::Json).is_empty());
/// ```
pub fn left_out(file: &GraphFile, format: GraphFormat) -> Vec<&'static str> {
    let (vertices, target, start) = match format {
        GraphFormat::PgSolver => (true, false, true),
        GraphFormat::Dot => (true, true, false),
        GraphFormat::Json => (true, true, true),
        _ => (false, false, false),
    };
    let said = [
        ("owner", file.owner.is_some(), vertices),
        ("priority", file.priority.is_some(), vertices),
        ("target", file.target.is_some(), target),
        ("start", file.start.is_some(), start),
    ];
    said.into_iter().filter(|(_, is_there, is_kept)| *is_there && !is_kept).map(|(what, ..)| what).collect()
}

/// No two vertices have the same name.
fn only_once(file: &GraphFile) -> Result<(), WriteError> {
    let Names::Given(_) = file.names else { return Ok(()) };
    let mut names = names::Interner::default();
    for v in 0..file.graph.vertices() as u32 {
        let name = file.names.get(v);
        if names.id(&name) != Some(v) {
            return Err(WriteError::Refused(format!(
                "two vertices are called {name:?}, which this format cannot hold"
            )));
        }
    }
    Ok(())
}
