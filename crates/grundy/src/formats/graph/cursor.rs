//! Reads numbers and words from bytes, some eight digits at a time.

use super::error::Fault;

/// A place in bytes that moves on.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

/// Whether a byte is white space.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// How many of the eight bytes from the lowest on are digits, and the value of these.
#[inline(always)]
fn eight(word: u64) -> (u32, u64) {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    const HIGH: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    // a digit has the high half 3 and keeps it when 6 is added
    let odd = ((word & HIGH) ^ ZEROS) | ((word.wrapping_add(0x0606_0606_0606_0606) & HIGH) ^ ZEROS);
    let count = odd.trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // the digits move to the top, zeros stand before them
    let digits = (word << (64 - 8 * count)) & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    (count, fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF)
}

impl<'a> Cursor<'a> {
    /// At the beginning, a byte order mark left out.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// The byte here; 0 at the end, where [`Cursor::at_end`] tells it from a byte 0.
    #[inline(always)]
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline(always)]
    pub(super) fn skip_space(&mut self) {
        while is_space(self.peek()) {
            self.at += 1;
        }
    }

    /// Goes over `byte` if it is here.
    #[inline(always)]
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let is_here = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_here);
        is_here
    }

    /// A number of at most `u64::MAX` without a sign; `what` it is for the message.
    #[inline(always)]
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Fault> {
        if let Some(word) = self.bytes.get(self.at..self.at + 8) {
            let word = u64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]]);
            let (count, value) = eight(word);
            if count.wrapping_sub(1) < 7 {
                self.at += count as usize;
                return Ok(value);
            }
        }
        self.long_number(what)
    }

    /// The plain way: none, eight or more digits, or near the end.
    #[inline(never)]
    fn long_number(&mut self, what: &str) -> Result<u64, Fault> {
        let start = self.at;
        let mut value = 0u64;
        while let digit @ 0..=9 = self.peek().wrapping_sub(b'0') {
            let next = value.checked_mul(10).and_then(|v| v.checked_add(digit.into()));
            value = next.ok_or_else(|| Fault::new(start, format!("the {what} is above 2^64 - 1")))?;
            self.at += 1;
        }
        if self.at == start { Err(self.expected(&format!("the {what}, a whole number"))) } else { Ok(value) }
    }

    /// A number of a vertex, below 2^32 - 1.
    #[inline(always)]
    pub(super) fn vertex(&mut self, what: &str) -> Result<u32, Fault> {
        let start = self.at;
        let value = self.number(what)?;
        if value < u64::from(u32::MAX) { Ok(value as u32) } else { Err(self.too_large(start, what)) }
    }

    #[cold]
    fn too_large(&self, start: usize, what: &str) -> Fault {
        Fault::new(start, format!("the {what} is above 2^32 - 2, the largest number of a vertex"))
    }

    /// Something else stands here than `what`.
    #[cold]
    #[inline(never)]
    pub(super) fn expected(&self, what: &str) -> Fault {
        Fault::new(self.at, format!("expected {what}, found {}", found(&self.bytes[self.at.min(self.bytes.len())..])))
    }
}

/// How a message shows what begins here.
pub(super) fn found(rest: &[u8]) -> String {
    let Some(first) = rest.first() else { return "the end of the file".into() };
    if *first == b'\n' {
        return "the end of the line".into();
    }
    let word = rest.iter().take(30).take_while(|b| !is_space(**b)).count().max(1);
    format!("{:?}", String::from_utf8_lossy(&rest[..word]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_equal_to_their_twin(text in "[0-9]{0,22}[ ,;:/a]?[0-9]{0,9}") {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            let mut cursor = Cursor::new(text.as_bytes());
            let read = cursor.number("id");
            prop_assert_eq!(read.as_ref().ok().copied(), digits.parse::<u64>().ok());
            if read.is_ok() {
                prop_assert_eq!(cursor.at, digits.len());
            }
        }

        #[test]
        fn any_eight_bytes(bytes in prop::array::uniform8(any::<u8>())) {
            let digits: String = bytes.iter().take_while(|b| b.is_ascii_digit()).map(|b| char::from(*b)).collect();
            let (count, value) = eight(u64::from_le_bytes(bytes));
            prop_assert_eq!(count as usize, digits.len());
            prop_assert_eq!(value, digits.parse().unwrap_or(0));
        }
    }
}
