//! Graphs from files, and back: parity games, lists of edges, and what other programs write.
//!
//! A reader takes the bytes of a file and gives a [`GraphFile`], or says with line and column why not. It never panics and uses
//! memory in proportion to the file; what it does not understand it refuses rather than guesses.

mod cursor;
mod error;
mod names;
mod pgsolver;
mod text;

use std::io::Write;

use grundy_core::theory::digraph::Digraph;

pub use error::{FileError, Place, WriteError};
pub use names::{NameList, Names};
pub use pgsolver::Solution;

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
}

impl GraphFormat {
    /// All of them.
    pub const ALL: &[GraphFormat] = &[GraphFormat::PgSolver];

    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            GraphFormat::PgSolver => "pg",
        }
    }
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
    };
    file.map_err(|f| f.in_file(bytes))
}

/// Writes a file.
///
/// # Errors
/// The writer's, or why the format cannot hold this graph.
pub fn write(out: &mut impl Write, file: &GraphFile, format: GraphFormat) -> Result<(), WriteError> {
    match format {
        GraphFormat::PgSolver => pgsolver::write(out, file),
    }
}
