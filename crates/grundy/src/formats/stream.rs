//! Values as they come: what takes them, and the formats that are written value by value.

use std::{
    io::{self, Write},
    ops::Range,
};

use super::json::SAFE;
use crate::sequence::{Cells, ValueTable};

/// Consecutive values, as narrow as they are stored.
#[derive(Clone, Copy, Debug)]
pub enum ValueSlice<'a> {
    /// Values below 2^8.
    U8(&'a [u8]),
    /// Values below 2^16.
    U16(&'a [u16]),
    /// Values below 2^32.
    U32(&'a [u32]),
    /// Any values.
    U64(&'a [u64]),
}

impl<'a> ValueSlice<'a> {
    /// The values of a range of a table.
    ///
    /// # Panics
    /// If the range leaves the table.
    pub fn of(table: &'a ValueTable, range: Range<usize>) -> Self {
        match table.cells() {
            Cells::U8(v) => ValueSlice::U8(&v[range]),
            Cells::U16(v) => ValueSlice::U16(&v[range]),
            Cells::U32(v) => ValueSlice::U32(&v[range]),
            Cells::U64(v) => ValueSlice::U64(&v[range]),
        }
    }

    /// Number of values.
    pub fn len(self) -> usize {
        match self {
            ValueSlice::U8(v) => v.len(),
            ValueSlice::U16(v) => v.len(),
            ValueSlice::U32(v) => v.len(),
            ValueSlice::U64(v) => v.len(),
        }
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Calls `f` with each value in turn.
    #[inline]
    pub fn each(self, mut f: impl FnMut(u64)) {
        match self {
            ValueSlice::U8(v) => v.iter().for_each(|x| f((*x).into())),
            ValueSlice::U16(v) => v.iter().for_each(|x| f((*x).into())),
            ValueSlice::U32(v) => v.iter().for_each(|x| f((*x).into())),
            ValueSlice::U64(v) => v.iter().for_each(|x| f(*x)),
        }
    }
}

/// Takes the values of a sequence in order, block by block.
pub trait ValueSink {
    /// Takes the values of heaps `first`, `first + 1`, …; blocks follow one another without a gap.
    ///
    /// # Errors
    /// Those of writing.
    fn take(&mut self, first: u64, values: ValueSlice<'_>) -> io::Result<()>;
}

/// How values are written one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Twenty values a line between blanks.
    Text,
    /// A head `n,value`, then a line a value.
    Csv,
    /// An object `{"n":…,"value":…}` a line; integers above 2^53 - 1 are strings.
    Ndjson,
    /// The inside of a JSON list; integers above 2^53 - 1 are strings.
    JsonList,
    /// A line `n a(n)` a value; heap 0 stands at this index.
    BFile {
        /// Index of heap 0.
        offset: i64,
    },
    /// Little-endian integers of so many bytes (1, 2, 4 or 8), no header.
    Raw {
        /// Bytes a value.
        width: u64,
    },
}

/// Writes values in a style as they come; a buffer of its own saves the writer from small pieces.
///
/// # Complexity
/// A few nanoseconds a value; memory constant.
#[derive(Debug)]
pub struct StreamWriter<W> {
    out: W,
    style: Style,
    buffer: Vec<u8>,
    any: bool,
    column: usize,
}

/// Bytes gathered before they are written.
const GATHERED: usize = 1 << 16;

/// Values a line of text.
const LINE: usize = 20;

impl<W: Write> StreamWriter<W> {
    /// A writer to `out`.
    pub fn new(out: W, style: Style) -> Self {
        let mut buffer = Vec::with_capacity(GATHERED + 64);
        if style == Style::Csv {
            buffer.extend(b"n,value\n");
        }
        StreamWriter { out, style, buffer, any: false, column: 0 }
    }

    /// Ends the last line, writes what is left and gives the writer back.
    ///
    /// # Errors
    /// The writer's.
    pub fn finish(mut self) -> io::Result<W> {
        if self.column > 0 {
            self.buffer.push(b'\n');
        }
        self.out.write_all(&self.buffer)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, n: u64, value: u64, digits: &mut itoa::Buffer) {
        let buffer = &mut self.buffer;
        match self.style {
            Style::Text => {
                if self.column > 0 {
                    buffer.push(b' ');
                }
                buffer.extend(digits.format(value).as_bytes());
                self.column += 1;
                if self.column == LINE {
                    buffer.push(b'\n');
                    self.column = 0;
                }
            }
            Style::Csv => {
                buffer.extend(digits.format(n).as_bytes());
                buffer.push(b',');
                buffer.extend(digits.format(value).as_bytes());
                buffer.push(b'\n');
            }
            Style::Ndjson => {
                buffer.extend(b"{\"n\":");
                put_json(buffer, n, digits);
                buffer.extend(b",\"value\":");
                put_json(buffer, value, digits);
                buffer.extend(b"}\n");
            }
            Style::JsonList => {
                if self.any {
                    buffer.push(b',');
                }
                put_json(buffer, value, digits);
            }
            Style::BFile { offset } => {
                buffer.extend(digits.format(i128::from(n) + i128::from(offset)).as_bytes());
                buffer.push(b' ');
                buffer.extend(digits.format(value).as_bytes());
                buffer.push(b'\n');
            }
            Style::Raw { width } => buffer.extend(&value.to_le_bytes()[..width.min(8) as usize]),
        }
        self.any = true;
    }
}

impl<W: Write> ValueSink for StreamWriter<W> {
    fn take(&mut self, first: u64, values: ValueSlice<'_>) -> io::Result<()> {
        if let Style::Raw { width } = self.style {
            let most = if width >= 8 { u64::MAX } else { (1 << (8 * width)) - 1 };
            let mut fits = true;
            values.each(|v| fits &= v <= most);
            if !fits {
                return Err(io::Error::other(format!("a value does not fit in {width} bytes")));
            }
        }
        let mut n = first;
        let mut digits = itoa::Buffer::new();
        let mut error = None;
        values.each(|v| {
            self.put(n, v, &mut digits);
            n += 1;
            if self.buffer.len() >= GATHERED && error.is_none() {
                error = self.out.write_all(&self.buffer).err();
                self.buffer.clear();
            }
        });
        error.map_or(Ok(()), Err)
    }
}

fn put_json(buffer: &mut Vec<u8>, value: u64, digits: &mut itoa::Buffer) {
    let quote = u128::from(value) > SAFE;
    if quote {
        buffer.push(b'"');
    }
    buffer.extend(digits.format(value).as_bytes());
    if quote {
        buffer.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(style: Style, values: &[u64]) -> Vec<u8> {
        let mut writer = StreamWriter::new(Vec::new(), style);
        let (head, rest) = values.split_at(values.len() / 2);
        writer.take(0, ValueSlice::U64(head)).unwrap();
        writer.take(head.len() as u64, ValueSlice::U64(rest)).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn every_style() {
        let values = [0, 1, 1 << 60];
        let text = |style| String::from_utf8(written(style, &values)).unwrap();
        assert_eq!(text(Style::Text), "0 1 1152921504606846976\n");
        assert_eq!(text(Style::Csv), "n,value\n0,0\n1,1\n2,1152921504606846976\n");
        assert_eq!(
            text(Style::Ndjson),
            "{\"n\":0,\"value\":0}\n{\"n\":1,\"value\":1}\n{\"n\":2,\"value\":\"1152921504606846976\"}\n"
        );
        assert_eq!(text(Style::JsonList), "0,1,\"1152921504606846976\"");
        assert_eq!(text(Style::BFile { offset: -1 }), "-1 0\n0 1\n1 1152921504606846976\n");
        assert_eq!(written(Style::Raw { width: 2 }, &[1, 258]), [1, 0, 2, 1]);
        let many = String::from_utf8(written(Style::Text, &[7; 41])).unwrap();
        assert_eq!(many.lines().map(|l| l.split(' ').count()).collect::<Vec<_>>(), [20, 20, 1]);
        assert_eq!(written(Style::Text, &[]), b"");
    }

    #[test]
    fn a_raw_value_is_never_cut() {
        let mut writer = StreamWriter::new(Vec::new(), Style::Raw { width: 1 });
        assert!(writer.take(0, ValueSlice::U16(&[255])).is_ok());
        assert!(writer.take(1, ValueSlice::U16(&[256])).is_err());
    }
}
