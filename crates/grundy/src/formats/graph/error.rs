//! What is wrong with a graph file, and where.

use std::{fmt, io};

/// A place in a file, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: u64,
}

impl Place {
    /// The place of a byte.
    ///
    /// # Complexity
    /// O(at): for messages only.
    pub(super) fn of(bytes: &[u8], at: usize) -> Place {
        let before = &bytes[..at.min(bytes.len())];
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let line = before[..start].iter().map(|b| u64::from(*b == b'\n')).sum::<u64>() + 1;
        Place { line, column: (before.len() - start) as u64 + 1 }
    }
}

/// Why a file holds no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError(Box<Report>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Report {
    place: Place,
    message: String,
}

impl FileError {
    pub(super) fn new(place: Place, message: impl Into<String>) -> FileError {
        FileError(Box::new(Report { place, message: message.into() }))
    }

    /// Where.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { place, message } = &*self.0;
        write!(f, "line {}, column {}: {message}", place.line, place.column)
    }
}

impl std::error::Error for FileError {}

/// An error while the place is still an index: small, so that results travel in registers.
#[derive(Debug)]
pub(super) struct Fault(Box<(usize, String)>);

impl Fault {
    #[cold]
    #[inline(never)]
    pub(super) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault(Box::new((at, message.into())))
    }

    pub(super) fn in_file(self, bytes: &[u8]) -> FileError {
        FileError::new(Place::of(bytes, self.0.0), self.0.1)
    }
}

/// Why a graph is not written.
#[derive(Debug)]
pub enum WriteError {
    /// The writer's.
    Io(io::Error),
    /// The format cannot hold this graph.
    Refused(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Io(e) => write!(f, "{e}"),
            WriteError::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(e: io::Error) -> Self {
        WriteError::Io(e)
    }
}
