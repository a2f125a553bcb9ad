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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Yields the text in pieces of the sizes given, in a circle.
    struct Pieces<'a> {
        text: &'a [u8],
        sizes: Vec<usize>,
        next: usize,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes[self.next % self.sizes.len()].min(room.len());
            self.next += 1;
            self.text.read(&mut room[..size])
        }
    }

    /// What a scanner may be asked for.
    #[derive(Clone, Debug)]
    enum Ask {
        Number,
        Numbers(u64),
        InLine,
        Line,
        Word,
        AtEnd,
    }

    /// The scanner's twin: the whole text, an index, and nothing clever.
    struct Naive<'a> {
        text: &'a [u8],
        at: usize,
    }

    impl Naive<'_> {
        fn space(&mut self, stop: Option<u8>) {
            let rest = &self.text[self.at..];
            self.at += rest.iter().take_while(|&&byte| is_space(byte) && Some(byte) != stop).count();
        }

        fn token(&self) -> &[u8] {
            let rest = &self.text[self.at..];
            &rest[..rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len())]
        }

        fn place(&self) -> (u64, u64) {
            let before = &self.text[..self.at];
            let line = before.split(|&byte| byte == b'\n').count();
            (line as u64, 1 + before.split(|&byte| byte == b'\n').next_back().map_or(0, <[u8]>::len) as u64)
        }

        fn number(&mut self) -> String {
            self.space(None);
            let token = self.token().to_vec();
            if token.is_empty() {
                return "none".into();
            }
            let digits = token.iter().all(u8::is_ascii_digit);
            match String::from_utf8_lossy(&token).parse::<u64>() {
                Ok(value) if digits => {
                    self.at += token.len();
                    value.to_string()
                }
                _ => {
                    // A run of digits that is too long for u64 may go on as something else; then it is no number.
                    let kind = if digits { ScanErrorKind::TooLarge } else { ScanErrorKind::NotANumber };
                    format!("{kind:?} at {:?}", self.place())
                }
            }
        }

        fn ask(&mut self, ask: &Ask) -> String {
            match ask {
                Ask::Number => self.number(),
                Ask::Numbers(count) => {
                    let mut said = vec![];
                    for _ in 0..*count {
                        let number = self.number();
                        if number == "none" {
                            said.push(format!("Ended at {:?}", self.place()));
                            break;
                        }
                        let refused = number.contains("at");
                        said.push(number);
                        if refused {
                            break;
                        }
                    }
                    said.join(" ")
                }
                Ask::InLine => {
                    self.space(Some(b'\n'));
                    if matches!(self.text.get(self.at), None | Some(b'\n')) { "none".into() } else { self.number() }
                }
                Ask::Line => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| length + 1);
                    (self.at < self.text.len()).to_string()
                }
                Ask::Word => {
                    self.space(None);
                    let word = self.token().to_vec();
                    self.at += word.len();
                    if word.is_empty() { "none".into() } else { format!("{word:?}") }
                }
                Ask::AtEnd => {
                    self.space(None);
                    (self.at == self.text.len()).to_string()
                }
            }
        }
    }

    /// A refusal as the naive twin says it.
    fn refusal(error: &ScanError) -> String {
        format!("{:?} at {:?}", error.kind(), (error.place().line, error.place().column))
    }

    fn ask<R: Read>(scanner: &mut Scanner<R>, ask: &Ask) -> String {
        fn said<T>(answer: Result<T, ScanError>, say: impl Fn(T) -> String) -> String {
            answer.map_or_else(|error| refusal(&error), say)
        }
        let number = |number: Option<u64>| number.map_or("none".into(), |number| number.to_string());
        match ask {
            Ask::Number => said(scanner.next_u64(), number),
            Ask::Numbers(count) => {
                let mut seen = vec![];
                let answer = scanner.fold_u64(*count, |number| seen.push(number.to_string()));
                seen.extend(answer.err().map(|error| refusal(&error)));
                seen.join(" ")
            }
            Ask::InLine => said(scanner.next_in_line(), number),
            Ask::Line => said(scanner.next_line(), |more| more.to_string()),
            Ask::Word => said(scanner.next_word(), |word| word.map_or("none".into(), |word| format!("{word:?}"))),
            Ask::AtEnd => said(scanner.at_end(), |end| end.to_string()),
        }
    }

    fn asks() -> impl Strategy<Value = Vec<Ask>> {
        let ask = prop_oneof![
            4 => Just(Ask::Number), 4 => (0..60u64).prop_map(Ask::Numbers), 4 => Just(Ask::InLine),
            1 => Just(Ask::Line),
            1 => Just(Ask::Word), 1 => Just(Ask::AtEnd),
        ];
        proptest::collection::vec(ask, 1..60)
    }

    /// Mostly numbers, in a small alphabet that has all kinds of bytes.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(
            prop_oneof![
                30 => "[0-9]{1,10}[ \n]", 8 => "[0-9]{1,22} ", 4 => Just("\r\n".to_owned()),
                4 => Just(" \n".to_owned()), 2 => "[ \t\r\n\x0b\x0c]{0,40}",
                1 => "[-+0-9a-zé]{1,50}[ \n]?",
            ],
            0..120,
        )
        .prop_map(|parts| parts.concat().into_bytes())
    }

    proptest! {
        /// Whatever is asked in whatever order, over every split of the input into reads and buffers.
        #[test]
        fn a_scanner_is_equal_to_its_twin(
            text in text(), asks in asks(), room in prop_oneof![1usize..8, 1usize..300],
            sizes in proptest::collection::vec(prop_oneof![1usize..4, 1usize..300], 1..4)
        ) {
            for kernel in [Kernel::Plain, Kernel::detect()] {
                let reader = Pieces { text: &text, sizes: sizes.clone(), next: 0 };
                let mut scanner = Scanner::with(reader, kernel, room);
                let mut naive = Naive { text: &text, at: 0 };
                for what in &asks {
                    prop_assert_eq!(ask(&mut scanner, what), naive.ask(what), "{:?}", what);
                    let place = scanner.place();
                    prop_assert_eq!((place.line, place.column), naive.place(), "after {:?}", what);
                }
            }
        }
    }

    #[test]
    fn lines_are_the_same_over_every_split() {
        let text = b" 12 3 \n4\r\n\n  5\t6 \r\n 7 8x 9\n18446744073709551615 0018446744073709551616\n0";
        let asks = [Ask::InLine, Ask::InLine, Ask::InLine, Ask::Line];
        for split in 0..=text.len() {
            for (kernel, room) in [(Kernel::Plain, 100), (Kernel::detect(), 100), (Kernel::detect(), 1)] {
                let reader = text[..split].chain(&text[split..]);
                let mut scanner = Scanner::with(reader, kernel, room);
                let mut naive = Naive { text, at: 0 };
                for what in asks.iter().cycle().take(40) {
                    assert_eq!(ask(&mut scanner, what), naive.ask(what), "{what:?} at {} of {split}", naive.at);
                }
            }
        }
    }

    fn scanner(text: &[u8]) -> Scanner<&[u8]> {
        Scanner::new(text)
    }

    fn message(text: &str) -> String {
        scanner(text.as_bytes()).fold_u64(u64::MAX, |_| ()).unwrap_err().to_string()
    }

    #[test]
    fn messages_name_the_place_the_token_and_the_remedy() {
        assert_eq!(message("1\n 2 -3"), "line 2, column 4: expected a whole number without a sign, found \"-3\"");
        assert_eq!(message("1\r\n2,3"), "line 2, column 1: expected a whole number, found \"2,3\"");
        assert_eq!(message("1\n2\n"), "line 3, column 1: expected a whole number, found the end of the input");
        let largest = "the largest is 18446744073709551615";
        let too_large = "18446744073709551616";
        assert_eq!(message(too_large), format!("line 1, column 1: number \"{too_large}\" is too large; {largest}"));
        let long = format!("\n{}", "é".repeat(41));
        let shown = "é".repeat(40);
        assert_eq!(message(&long), format!("line 2, column 1: expected a whole number, found \"{shown}…\""));
        assert_eq!(message(&shown), format!("line 1, column 1: expected a whole number, found \"{shown}\""));
    }

    #[test]
    fn places_are_right_far_into_the_input() {
        let text = format!("{}\n{} x", "12 34\r\n".repeat(100_000), "567890 ".repeat(100_000));
        let mut scanner = scanner(text.as_bytes());
        scanner.fold_u64(300_000, |_| ()).unwrap();
        assert_eq!(scanner.place(), Place { line: 100_002, column: 700_000 });
        let error = scanner.next_u64().unwrap_err();
        assert_eq!((error.place(), error.token()), (Place { line: 100_002, column: 700_002 }, "x"));
    }

    #[test]
    fn tokens_have_places_over_every_split() {
        let text = b"\n 12 3 \n\n4\r\n  0005\t6 word \n7";
        let places = [(2, 2), (2, 5), (4, 1), (5, 3), (5, 8), (5, 10), (6, 1)];
        for split in 0..=text.len() {
            for (kernel, room) in [(Kernel::Plain, 100), (Kernel::detect(), 100), (Kernel::detect(), 1)] {
                let mut scanner = Scanner::with(text[..split].chain(&text[split..]), kernel, room);
                for (i, (line, column)) in places.into_iter().enumerate() {
                    let found = if i == 5 {
                        scanner.next_word().unwrap().is_some()
                    } else {
                        scanner.next_u64().unwrap().is_some()
                    };
                    assert!(found);
                    assert_eq!(scanner.place_of_last(), Place { line, column }, "token {i}, split {split}");
                }
                assert_eq!(scanner.place(), Place { line: 6, column: 2 });
            }
        }
    }

    #[test]
    fn a_refused_token_is_not_consumed() {
        let mut scanner = scanner(b"1 two 3");
        assert_eq!(scanner.next_u64().unwrap(), Some(1));
        for _ in 0..2 {
            assert_eq!(scanner.next_u64().unwrap_err().kind(), ScanErrorKind::NotANumber);
        }
        assert_eq!(scanner.next_word().unwrap(), Some(&b"two"[..]));
        assert_eq!(scanner.next_u64().unwrap(), Some(3));
        assert!(scanner.at_end().unwrap());
    }

    #[test]
    fn tokens_have_a_longest_length() {
        let mut text = vec![b'0'; LONGEST];
        text[LONGEST - 1] = b'1';
        assert_eq!(scanner(&text).next_u64().unwrap(), Some(1));
        assert_eq!(scanner(&text).next_word().unwrap(), Some(&text[..]));
        text.push(b'1');
        for error in [scanner(&text).next_u64().unwrap_err(), scanner(&text).next_word().unwrap_err()] {
            assert_eq!((error.kind(), error.token().chars().count()), (ScanErrorKind::TooLong, SHOWN + 1));
        }
        // A line of any length is skipped in constant memory.
        text.extend_from_slice(&text.repeat(3));
        text.extend_from_slice(b"\n7");
        let mut scanner = scanner(&text);
        assert!(scanner.next_line().unwrap());
        assert_eq!(scanner.buffer.len(), MARGIN + READ + MARGIN);
        assert_eq!(scanner.next_in_line().unwrap(), Some(7));
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_beginning_only() {
        for size in 1..5 {
            let reader = Pieces { text: b"\xef\xbb\xbf12 \xef\xbb\xbf3", sizes: vec![size], next: 0 };
            let mut scanner = Scanner::new(reader);
            assert_eq!(scanner.next_u64().unwrap(), Some(12));
            assert_eq!(scanner.next_u64().unwrap_err().place(), Place { line: 1, column: 7 });
        }
        assert_eq!(scanner(b"\xef\xbb").next_word().unwrap(), Some(&b"\xef\xbb"[..]));
        assert_eq!(scanner(b"\xef\xbb\xbf").next_word().unwrap(), None);
    }

    #[test]
    fn the_readers_whims_are_borne() {
        /// Interrupted, then `1 2`, then a space, then a lie about the length, then broken.
        struct Whims(u32);
        impl Read for Whims {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    2 => room[..3].copy_from_slice(b"1 2"),
                    3 => room[..1].copy_from_slice(b" "),
                    4 => return Ok(usize::MAX),
                    5 => return Err(io::Error::other("the cable is out")),
                    _ => return Err(io::ErrorKind::Interrupted.into()),
                }
                Ok(if self.0 == 2 { 3 } else { 1 })
            }
        }
        let mut scanner = Scanner::new(Whims(0));
        assert_eq!(scanner.next_u64().unwrap(), Some(1));
        assert_eq!(scanner.next_u64().unwrap(), Some(2));
        let error = scanner.next_u64().unwrap_err();
        assert_eq!((error.kind(), error.place().column), (ScanErrorKind::Read, 5));
        assert!(error.to_string().contains("claims more bytes"));
        let error = scanner.next_u64().unwrap_err();
        assert!(error.to_string().ends_with("cannot read on: the cable is out"));
        assert!(error.source().is_some());
    }

    #[test]
    fn nothing_is_read_before_it_is_wanted() {
        /// Panics when it is asked for a second line.
        struct Typist(bool);
        impl Read for Typist {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "nobody has typed the next line yet");
                room[..4].copy_from_slice(b"3 4\n");
                Ok(4)
            }
        }
        let mut scanner = Scanner::new(Typist(false));
        scanner.fold_u64(2, |_| ()).unwrap();
        assert_eq!(scanner.next_in_line().unwrap(), None);
    }
}
