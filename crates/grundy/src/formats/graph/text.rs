//! Text with many numbers, written in large blocks.

use std::io::{self, Write};

const BLOCK: usize = 1 << 16;

/// Gathers words and numbers for a writer; must be [ended](Text::end).
pub(super) struct Text<'a, W: Write> {
    out: &'a mut W,
    buffer: Vec<u8>,
    digits: itoa::Buffer,
}

impl<'a, W: Write> Text<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Text { out, buffer: Vec::with_capacity(BLOCK + 256), digits: itoa::Buffer::new() }
    }

    #[inline]
    pub(super) fn word(&mut self, word: &str) -> io::Result<&mut Self> {
        self.buffer.extend_from_slice(word.as_bytes());
        if self.buffer.len() >= BLOCK {
            self.flush()?;
        }
        Ok(self)
    }

    #[inline]
    pub(super) fn number(&mut self, number: u64) -> io::Result<&mut Self> {
        self.buffer.extend_from_slice(self.digits.format(number).as_bytes());
        Ok(self)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}
