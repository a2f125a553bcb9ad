//! The b-file of the OEIS: one line `n a(n)` an index, no gaps, `#` starts a comment.

use std::io::{self, BufRead, Read, Write};

/// What is wrong with a b-file, and where.
#[derive(Debug)]
pub enum BFileError {
    /// Reading failed.
    Io(io::Error),
    /// A line that is no `n a(n)`.
    Malformed {
        /// Line number, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// An index that does not follow the one before.
    Gap {
        /// Line number, from 1.
        line: u64,
        /// The index that should stand there.
        expected: i128,
        /// The index that does.
        found: i128,
    },
}

impl std::fmt::Display for BFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BFileError::Io(e) => write!(f, "{e}"),
            BFileError::Malformed { line, reason } => write!(f, "line {line}: {reason}"),
            BFileError::Gap { line, expected, found } => {
                write!(f, "gap: expected n={expected}, got {found} on line {line}")
            }
        }
    }
}

impl std::error::Error for BFileError {}

/// One line of a b-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Line number, from 1.
    pub line: u64,
    /// The index.
    pub n: i128,
    /// The term.
    pub value: i128,
}

/// Reads a b-file entry by entry; indices must follow one another without a gap.
///
/// # Errors
/// The first line that is malformed or leaves a gap; after an error the iterator ends.
///
/// # Examples
/// ```
/// use grundy::formats::bfile::entries;
/// let error = entries("9673 1\n9675 2\n".as_bytes()).find_map(Result::err).unwrap();
/// assert_eq!(error.to_string(), "gap: expected n=9674, got 9675 on line 2");
/// ```
pub fn entries(mut reader: impl BufRead) -> impl Iterator<Item = Result<Entry, BFileError>> {
    let mut number = 0u64;
    let mut lines = std::iter::from_fn(move || {
        number += 1;
        next_line(&mut reader, number).map(|line| line.map(|l| (l, number))).transpose()
    });
    let mut next: Option<i128> = None;
    let mut failed = false;
    std::iter::from_fn(move || {
        while !failed {
            let read = lines.next()?;
            let line = read.as_ref().map_or(0, |(_, line)| *line);
            let entry = read.and_then(|(text, line)| entry(&text, line));
            let checked = match entry {
                Ok(None) => continue,
                Ok(Some(e)) => match next {
                    Some(expected) if e.n != expected => Err(BFileError::Gap { line, expected, found: e.n }),
                    _ => Ok(e),
                },
                Err(e) => Err(e),
            };
            match &checked {
                Ok(e) => next = e.n.checked_add(1),
                Err(_) => failed = true,
            }
            return Some(checked);
        }
        None
    })
}

/// Longest line that is read, in bytes.
const LONGEST: u64 = 4096;

/// The next line without its end, a byte order mark left out; None at the end of the file.
fn next_line(reader: &mut impl BufRead, line: u64) -> Result<Option<String>, BFileError> {
    let mut bytes = Vec::new();
    let malformed = |reason: String| BFileError::Malformed { line, reason };
    if reader.take(LONGEST).read_until(b'\n', &mut bytes).map_err(BFileError::Io)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        return Err(malformed(format!("the line is longer than {LONGEST} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| malformed("the line is no UTF-8".into()))?;
    Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
}

fn entry(text: &str, line: u64) -> Result<Option<Entry>, BFileError> {
    let text = text.split('#').next().unwrap_or("").trim();
    if text.is_empty() {
        return Ok(None);
    }
    let malformed = |reason: String| BFileError::Malformed { line, reason };
    let mut words = text.split_whitespace();
    let mut number = |what: &str| {
        let word = words.next().ok_or_else(|| malformed(format!("the {what} is missing")))?;
        word.parse::<i128>().map_err(|_| malformed(format!("the {what} \"{}\" is no integer", shorten(word))))
    };
    let (n, value) = (number("index")?, number("term")?);
    match words.next() {
        None if n.abs() > 1 << 63 => Err(malformed(format!("the index {n} is beyond 2^63"))),
        None => Ok(Some(Entry { line, n, value })),
        Some(more) => Err(malformed(format!("\"{}\" after the term", shorten(more)))),
    }
}

fn shorten(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Writes `values` as a b-file whose first index is `offset`.
///
/// # Errors
/// The writer's.
pub fn write(out: &mut impl Write, values: &[u64], offset: i64) -> io::Result<()> {
    for (n, v) in (offset..).zip(values) {
        writeln!(out, "{n} {v}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let mut text = Vec::new();
        write(&mut text, &[0, 1, 2, 3, 1], -2).unwrap();
        let back: Vec<_> = entries(&text[..]).map(|e| e.map(|e| (e.n, e.value)).unwrap()).collect();
        assert_eq!(back, [(-2, 0), (-1, 1), (0, 2), (1, 3), (2, 1)]);
    }

    #[test]
    fn endless_lines_are_refused() {
        let error = entries(io::BufReader::new(io::repeat(0))).next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "line 1: the line is longer than 4096 bytes");
        assert_eq!(entries("\u{feff}0 5\n".as_bytes()).next().unwrap().unwrap().value, 5);
    }

    #[test]
    fn errors_name_the_line() {
        let err = |text: &str| entries(text.as_bytes()).find_map(Result::err).unwrap().to_string();
        assert_eq!(err("# head\n0 1\n\n1 x\n"), "line 4: the term \"x\" is no integer");
        assert_eq!(err("0\n"), "line 1: the term is missing");
        assert_eq!(err("0 1 2\n"), "line 1: \"2\" after the term");
        assert_eq!(err("9223372036854775809 1\n"), "line 1: the index 9223372036854775809 is beyond 2^63");
        assert_eq!(err("3 1\n3 1\n"), "gap: expected n=4, got 3 on line 2");
    }
}
