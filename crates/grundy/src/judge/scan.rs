//! Reads whole numbers and words from a stream, at a fraction of the time that an answer takes.
//!
//! A judge's input is a long text of decimal numbers: ten positions of a million heaps are 110 MB. A [`Scanner`] reads
//! it in large blocks into one buffer, in constant memory, and hands out numbers that were decoded some thousand bytes
//! ahead.
//!
//! * A *token* is a maximal run of bytes that are not white space: space, `\t`, `\n`, `\v`, `\f`, `\r`, as for C's
//!   `scanf`.
//! * A *number* is a token of ASCII digits, of any length, with a value of at most `u64::MAX`. No sign.
//! * A *line* ends after `\n` (the `\r` of `\r\n` is white space). Lines and columns count from 1, a column is a byte.
//!
//! # Speed
//!
//! Measured on one core of an Intel Xeon (Emerald Rapids, about 2.6 GHz, shared), text in the second-level cache, with
//! Lasker's values folded by xor, in processor cycles for a number:
//!
//! | method | 9 and 10 digits | lengths equally likely up to 10 digits | up to 3 digits |
//! |---|---:|---:|---:|
//! | two passes with AVX2, kept | **5.6** (2.2 ns; 1.9 bytes a cycle) | **5.3** | **4.8** |
//! | a loop over the bits of the mask of ends, one number at a time | 11.9 | 12.0 | 10.6 |
//! | per number: load sixteen bytes, find the length, shuffle, join | 20.2 | 20.3 | 20.3 |
//! | eight digits at a time in a general register: the plain twin | 29 | 36 | 24 |
//!
//! The second loses by the branch that nobody can foresee, whether the block has one more number; the third by its
//! chain, as a number's place is known only after the length of the one before. Tried in the first and of no use: a
//! cheaper test for strange bytes (the vector units are not what is waited for), six or eight ends at a time instead of
//! seven (within the noise), windows of 2 or 8 KiB instead of 4, a read to an aligned address, reads of 32 KiB to 1
//! MiB. Of use: to keep the call for wide numbers out of the loop (0.8 cycles), to keep the compiler from gathering the
//! ends in a vector (0.7), and a fold without branches (0.6).
//!
//! The whole of `examples/scan_bench.rs` on ten positions of a million heaps, 105 MB in a file, takes 0.042 s (user +
//! system, median of 9), a C++ program with a loop of `scanf`, compiled with `-O2` and run in turn with it, 1.54 s: 35
//! times as long. For the other two kinds of numbers the ratio is 27 and 28. A third of the 0.042 s is the system's
//! copy from the file to the buffer. To map the file instead would save about 9 ms of it (measured with a bare pass
//! over the bytes), but not for a pipe, the mapped file would count as memory used, and a file that is cut while it is
//! read would kill the program.
use std::error::Error;
use std::fmt;
use std::io::{self, Read};

use super::digits::{Batch, Kernel, MARGIN, number};

/// The bytes asked for in one read; the text then fits into the second-level cache.
const READ: usize = 256 << 10;

/// The longest token, in bytes.
const LONGEST: usize = 16 << 20;

/// The characters of an offending token that a message shows.
const SHOWN: usize = 40;

/// U+FEFF in UTF-8.
const MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Whether a byte is white space.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// A place in the input, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: u64,
}

/// What [`ScanError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScanErrorKind {
    /// The token is no number: a sign, a letter, a decimal point.
    NotANumber,
    /// The number is above `u64::MAX`.
    TooLarge,
    /// The token is longer than 16 MiB.
    TooLong,
    /// The input ended where a number had to be.
    Ended,
    /// The reader failed; [`Error::source`] says how.
    Read,
}

/// Why the input could not be read, and where.
#[derive(Debug)]
pub struct ScanError(Box<Report>);

#[derive(Debug)]
struct Report {
    kind: ScanErrorKind,
    place: Place,
    token: String,
    source: Option<io::Error>,
}

impl ScanError {
    /// What went wrong.
    pub fn kind(&self) -> ScanErrorKind {
        self.0.kind
    }

    /// Where the token begins, or how far the input was read.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// The offending token, its first 40 characters and `…` if it is longer; empty when there is none.
    pub fn token(&self) -> &str {
        &self.0.token
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { kind, place, token, source } = &*self.0;
        write!(f, "line {}, column {}: ", place.line, place.column)?;
        match kind {
            ScanErrorKind::NotANumber if token.starts_with(['-', '+']) => {
                write!(f, "expected a whole number without a sign, found {token:?}")
            }
            ScanErrorKind::NotANumber => write!(f, "expected a whole number, found {token:?}"),
            ScanErrorKind::TooLarge => write!(f, "number {token:?} is too large; the largest is {}", u64::MAX),
            ScanErrorKind::TooLong => write!(f, "token {token:?} is too long; the longest has {} MiB", LONGEST >> 20),
            ScanErrorKind::Ended => write!(f, "expected a whole number, found the end of the input"),
            ScanErrorKind::Read => match source {
                Some(source) => write!(f, "cannot read on: {source}"),
                None => write!(f, "cannot read on"),
            },
        }
    }
}

impl Error for ScanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

/// Reads numbers and words from `R`.
///
/// A token that is refused is not consumed: the same call fails again, and [`next_word`](Scanner::next_word) takes it.
/// The reader is asked for more only when what is wanted is not in the buffer yet, so a person may type the input.
///
/// # Complexity
///
/// Time O(bytes of the input). Memory: 0.3 MiB, or four times the longest token if that is more.
///
/// # Examples
///
/// ```
/// use grundy::judge::scan::Scanner;
///
/// // Leading zeros and Windows line ends do not matter; the last number needs no line end.
/// let mut scanner = Scanner::new(&b"3\r\n007 0\r\n18446744073709551615"[..]);
/// assert_eq!(scanner.next_u64()?, Some(3));
/// let mut xor = 0;
/// scanner.fold_u64(3, |heap| xor ^= heap)?;
/// assert_eq!(xor, 7 ^ u64::MAX);
/// assert_eq!(scanner.next_u64()?, None);
///
/// let mut scanner = Scanner::new(&b"2\n5 -1\n"[..]);
/// scanner.fold_u64(2, |_| ())?;
/// let error = scanner.next_u64().unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: expected a whole number without a sign, found \"-1\"");
/// # Ok::<(), grundy::judge::scan::ScanError>(())
/// ```
pub struct Scanner<R> {
    reader: R,
    /// `MARGIN` bytes, the text at hand, `MARGIN` bytes of padding (see [`Kernel::decode`]), unused room.
    buffer: Box<[u8]>,
    /// The first byte not consumed; never an inner byte of a token.
    position: usize,
    /// The index after the last byte read.
    filled: usize,
    /// Whether the reader has said that there is no more.
    ended: bool,
    /// Numbers decoded ahead, all in `position..filled`.
    batch: Box<Batch>,
    kernel: Kernel,
    /// Where in the buffer the bytes begin that `lines` and `line_length` do not cover.
    counted: usize,
    /// The line feeds before `counted`.
    lines: u64,
    /// The bytes before `counted` after the last line feed.
    line_length: u64,
}

impl<R: Read> Scanner<R> {
    /// Makes a scanner at the beginning of what `reader` yields; a buffered reader gains nothing.
    pub fn new(reader: R) -> Self {
        Scanner::for_length(reader, READ)
    }

    /// A scanner for an input of about `length` bytes: filling the buffer of a long input costs more than a short one does.
    pub fn for_length(reader: R, length: usize) -> Self {
        Scanner::with(reader, Kernel::detect(), length.clamp(1 << 10, READ).next_power_of_two())
    }

    fn with(reader: R, kernel: Kernel, room: usize) -> Self {
        let mut scanner = Scanner {
            reader,
            buffer: vec![b'0'; MARGIN + room + MARGIN].into(),
            position: MARGIN,
            filled: MARGIN,
            ended: false,
            batch: Batch::new(),
            kernel,
            counted: MARGIN,
            lines: 0,
            line_length: 0,
        };
        scanner.pad();
        scanner
    }

    /// Reads the next number, over line ends; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// When the next token is no number or is above `u64::MAX`, or the reader fails.
    #[inline]
    pub fn next_u64(&mut self) -> Result<Option<u64>, ScanError> {
        if self.batch.is_empty() && !self.fetch()? {
            return Ok(None);
        }
        Ok(self.batch.pop().map(|(value, end)| {
            self.position = end;
            value
        }))
    }

    /// Reads the next `count` numbers, over line ends, and calls `f` with each in turn: the fast way to read many.
    ///
    /// # Complexity
    ///
    /// Time O(bytes consumed); see [the measurements](self#speed).
    ///
    /// # Errors
    ///
    /// As for [`next_u64`](Scanner::next_u64), and when the input ends before. `f` has then seen the numbers before.
    ///
    /// # Examples
    ///
    /// ```
    /// # use grundy::judge::scan::{ScanErrorKind, Scanner};
    /// let mut scanner = Scanner::new(&b"1 2 3"[..]);
    /// let mut seen = vec![];
    /// let error = scanner.fold_u64(4, |heap| seen.push(heap)).unwrap_err();
    /// assert_eq!((error.kind(), seen), (ScanErrorKind::Ended, vec![1, 2, 3]));
    /// ```
    #[inline]
    pub fn fold_u64(&mut self, count: u64, mut f: impl FnMut(u64)) -> Result<(), ScanError> {
        let mut left = count;
        while left > 0 {
            if self.batch.is_empty() && !self.fetch()? {
                return Err(self.error(ScanErrorKind::Ended, self.position, 0));
            }
            let values = self.batch.values();
            let count = values.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.kernel.each(&values[..count], &mut f);
            self.position = self.batch.take(count);
            left -= count as u64;
        }
        Ok(())
    }

    /// Reads the next number of the current line; `None` at its end, of which nothing is consumed, or at the end of the
    /// input.
    ///
    /// # Errors
    ///
    /// As for [`next_u64`](Scanner::next_u64).
    ///
    /// # Examples
    ///
    /// One position a line, the middle one has no heaps:
    ///
    /// ```
    /// # use grundy::judge::scan::Scanner;
    /// let mut scanner = Scanner::new(&b"1 2\n\n3"[..]);
    /// let mut positions = vec![];
    /// loop {
    ///     let mut heaps = vec![];
    ///     while let Some(heap) = scanner.next_in_line()? {
    ///         heaps.push(heap);
    ///     }
    ///     positions.push(heaps);
    ///     if !scanner.next_line()? {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(positions, [vec![1, 2], vec![], vec![3]]);
    /// # Ok::<(), grundy::judge::scan::ScanError>(())
    /// ```
    #[inline]
    pub fn next_in_line(&mut self) -> Result<Option<u64>, ScanError> {
        // Nearly always there is one space. Without a number at hand, the digit after it could be padding.
        let single = !self.batch.is_empty() && matches!(self.buffer[self.position..], [b' ', b'0'..=b'9', ..]);
        if single || self.line_goes_on()? { self.next_u64() } else { Ok(None) }
    }

    /// Skips what is left of the current line; says whether another line follows (none does after a last line feed).
    ///
    /// # Errors
    ///
    /// When the reader fails.
    pub fn next_line(&mut self) -> Result<bool, ScanError> {
        loop {
            let rest = &self.buffer[self.position..self.filled];
            if let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
                self.move_to(self.position + length + 1);
                return self.available();
            }
            // The token at the end may go on, but nobody will look at its rest before the line ends.
            self.move_to(self.filled);
            if !self.available()? {
                return Ok(false);
            }
        }
    }

    /// Whether nothing but white space is left, which is consumed.
    ///
    /// # Errors
    ///
    /// When the reader fails.
    pub fn at_end(&mut self) -> Result<bool, ScanError> {
        Ok(!self.skip_space()?)
    }

    /// Reads the next token, over line ends; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// When the token is longer than 16 MiB, or the reader fails.
    pub fn next_word(&mut self) -> Result<Option<&[u8]>, ScanError> {
        if !self.skip_space()? {
            return Ok(None);
        }
        let length = self.run(LONGEST, |byte| !is_space(byte))?;
        let begin = self.position;
        self.move_to(begin + length);
        Ok(Some(&self.buffer[begin..begin + length]))
    }

    /// The place of the first byte not consumed.
    ///
    /// # Complexity
    ///
    /// Time O(bytes in the buffer): for messages, not for every number.
    pub fn place(&self) -> Place {
        self.place_of(self.position)
    }

    /// Where the token begins that was consumed last; to be asked at once after it was.
    ///
    /// # Complexity
    ///
    /// Time O(bytes since the last call): it may be asked for every token.
    pub fn place_of_last(&mut self) -> Place {
        let text = &self.buffer[self.counted..self.position];
        let length = text.iter().rev().take_while(|&&byte| !is_space(byte)).count();
        let at = self.position - length;
        let place = self.place_of(at);
        (self.lines, self.line_length) = (place.line - 1, place.column - 1);
        self.counted = at;
        place
    }

    /// Goes on to `position`, which may lie behind numbers decoded ahead.
    fn move_to(&mut self, position: usize) {
        self.position = position;
        self.batch.skip_to(position);
    }

    /// Decodes numbers from `position` on into the empty batch, one at least; says whether there was one.
    #[cold]
    #[inline(never)]
    fn fetch(&mut self) -> Result<bool, ScanError> {
        self.decode();
        if !self.batch.is_empty() {
            return Ok(true);
        }
        // The end of the buffer, the end of the input, an error, or something very long.
        if !self.skip_space()? {
            return Ok(false);
        }
        let length = self.run(LONGEST, |byte| byte.is_ascii_digit())?;
        let end = self.position + length;
        if length == 0 || (end < self.filled && !is_space(self.buffer[end])) {
            // The message shows how the token begins, which may not be at hand yet; more than that is of no interest.
            let _ = self.run(4 * SHOWN, |byte| !is_space(byte));
            return Err(self.error(ScanErrorKind::NotANumber, self.position, usize::MAX));
        }
        // The padding may continue the number only where more text may follow, and then `end` is before `filled`.
        match number(&self.buffer, self.position) {
            Some((value, end)) => {
                self.batch.clear();
                self.batch.push(value, end);
                Ok(true)
            }
            None => Err(self.error(ScanErrorKind::TooLarge, self.position, usize::MAX)),
        }
    }

    fn decode(&mut self) {
        self.kernel.decode(&self.buffer, self.position, self.filled, &mut self.batch);
    }

    /// Consumes white space, and a byte order mark at the beginning of the input; says whether a token follows.
    fn skip_space(&mut self) -> Result<bool, ScanError> {
        loop {
            let rest = &self.buffer[self.position..self.filled];
            if let Some(length) = rest.iter().position(|&byte| !is_space(byte)) {
                self.move_to(self.position + length);
                if !self.skip_mark()? {
                    return Ok(true);
                }
                continue;
            }
            self.move_to(self.filled);
            if !self.available()? {
                return Ok(false);
            }
        }
    }

    /// Consumes a byte order mark (some editors on Windows write one) if nothing was consumed before; says whether it
    /// did.
    fn skip_mark(&mut self) -> Result<bool, ScanError> {
        let consumed = self.lines + self.line_length + (self.position - self.counted) as u64;
        if consumed > 0 || self.buffer[self.position] != MARK[0] {
            return Ok(false);
        }
        while self.filled - self.position < MARK.len() && self.refill()? {}
        let found = self.buffer[self.position..self.filled].starts_with(&MARK);
        if found {
            self.move_to(self.position + MARK.len());
        }
        Ok(found)
    }

    /// Consumes white space before the next token or line end; says whether a token comes first.
    #[inline]
    fn line_goes_on(&mut self) -> Result<bool, ScanError> {
        loop {
            let rest = &self.buffer[self.position..self.filled];
            if let Some(length) = rest.iter().position(|&byte| byte == b'\n' || !is_space(byte)) {
                let goes_on = rest[length] != b'\n';
                self.position += length;
                return Ok(goes_on);
            }
            self.position = self.filled;
            if !self.available()? {
                return Ok(false);
            }
        }
    }

    /// Whether there is a byte at `position`; reads if need be.
    fn available(&mut self) -> Result<bool, ScanError> {
        if self.position == self.filled {
            self.refill()?;
        }
        Ok(self.position < self.filled)
    }

    /// How many bytes from `position` on have the property; reads until all of them are in the buffer.
    fn run(&mut self, longest: usize, property: impl Fn(u8) -> bool) -> Result<usize, ScanError> {
        let mut length = 0;
        loop {
            let rest = &self.buffer[self.position + length..self.filled];
            if let Some(more) = rest.iter().position(|&byte| !property(byte)) {
                length += more;
                break;
            }
            length = self.filled - self.position;
            if length > longest {
                break;
            }
            if !self.refill()? {
                break;
            }
        }
        if length > longest { Err(self.error(ScanErrorKind::TooLong, self.position, usize::MAX)) } else { Ok(length) }
    }

    /// Drops what is consumed and reads once; says whether there is more text now. Forgets the batch.
    fn refill(&mut self) -> Result<bool, ScanError> {
        if self.ended {
            return Ok(false);
        }
        self.batch.clear();
        self.count_to_position();
        self.buffer.copy_within(self.position..self.filled, MARGIN);
        self.filled -= self.position - MARGIN;
        self.position = MARGIN;
        self.counted = MARGIN;
        if self.filled - MARGIN > (self.buffer.len() - 2 * MARGIN) / 2 {
            let mut larger = vec![b'0'; 2 * self.buffer.len()];
            larger[..self.filled].copy_from_slice(&self.buffer[..self.filled]);
            self.buffer = larger.into();
        }
        let end = self.buffer.len() - MARGIN;
        let room = &mut self.buffer[self.filled..end];
        let result = loop {
            match self.reader.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) if count > room.len() => {
                    break Err(io::Error::other("the reader claims more bytes than there was room for"));
                }
                result => break result,
            }
        };
        let result = match result {
            Ok(count) => {
                self.filled += count;
                self.ended = count == 0;
                Ok(count > 0)
            }
            Err(source) => {
                let mut error = self.error(ScanErrorKind::Read, self.filled, 0);
                error.0.source = Some(source);
                Err(error)
            }
        };
        self.pad();
        result
    }

    /// Writes the padding after the text.
    fn pad(&mut self) {
        self.buffer[self.filled..self.filled + MARGIN].fill(if self.ended { b' ' } else { b'0' });
    }

    /// Counts the line feeds of the text before `position`, once.
    fn count_to_position(&mut self) {
        (self.lines, self.line_length) = self.count_to(self.position);
        self.counted = self.position;
    }

    /// The place of a byte in the buffer.
    fn place_of(&self, at: usize) -> Place {
        let (lines, length) = self.count_to(at);
        Place { line: 1 + lines, column: 1 + length }
    }

    /// The line feeds of the input before a byte in the buffer, and the bytes between the last of them and that byte.
    fn count_to(&self, at: usize) -> (u64, u64) {
        let text = &self.buffer[self.counted..at];
        match self.kernel.count_lines(text) {
            0 => (self.lines, self.line_length + text.len() as u64),
            lines => {
                let length = text.iter().rev().take_while(|&&byte| byte != b'\n').count();
                (self.lines + lines, length as u64)
            }
        }
    }

    /// An error about the token at `at`, of which at most `longest` bytes are shown.
    #[cold]
    fn error(&self, kind: ScanErrorKind, at: usize, longest: usize) -> ScanError {
        let text = &self.buffer[at..self.filled];
        let length = text.iter().position(|&byte| is_space(byte)).unwrap_or(text.len()).min(longest);
        let text = String::from_utf8_lossy(&text[..length.min(8 * SHOWN)]);
        let mut token: String = text.chars().take(SHOWN).collect();
        if token.len() < text.len() {
            token.push('…');
        }
        ScanError(Box::new(Report { kind, place: self.place_of(at), token, source: None }))
    }
}

#[cfg(test)]
mod tests;
