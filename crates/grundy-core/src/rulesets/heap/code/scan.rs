//! Reading codes: the text of one, and where one ends in a longer text.

use core::{error::Error, fmt, ops::Range, str::FromStr};
use std::collections::BTreeSet;

use super::{ALPHABET, Code, Digit, is_zero, leave};
use crate::rulesets::heap::{Leave, Parts};

/// Why a text is no code, with the bytes concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// The bytes of the text concerned; empty at its end where something is missing.
    pub span: Range<usize>,
    /// What to write instead.
    pub hint: Option<String>,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for CodeError {}

fn error<T>(message: impl Into<String>, span: Range<usize>, hint: Option<String>) -> Result<T, CodeError> {
    Err(CodeError { message: message.into(), span, hint })
}

impl Code {
    /// The longest text of a code, in bytes.
    pub const MAX_LEN: usize = 65_536;
    /// The largest number of heaps that may be written in braces.
    pub const MAX_HEAPS: u32 = 65_535;

    /// Reads a code; the whole text must be one.
    ///
    /// A number of heaps below 2 in d0 is refused, since leaving the heap as it is, or leaving nothing of it without
    /// taking, is no move; only `*` before the point is read as `{2+}`.
    ///
    /// # Complexity
    /// Time O(b log b) for b bytes of text, b at most [`Code::MAX_LEN`].
    ///
    /// # Errors
    /// Any other text, with the bytes at fault: lower-case digits, digits beyond V, codes that add tokens (more than one
    /// digit other than leading zeros before the point), doubled or misplaced suffixes, numbers of heaps above
    /// [`Code::MAX_HEAPS`], something open or missing.
    pub fn parse(text: &str) -> Result<Code, CodeError> {
        if text.len() > Self::MAX_LEN {
            let message = format!("the code has {} bytes, more than {}", text.len(), Self::MAX_LEN);
            return error(message, 0..text.len(), None);
        }
        let mut s = Scanner { text, at: 0 };
        let d0 = s.before_point()?;
        s.at += 1;
        let mut digits = Vec::new();
        let mut open = None;
        let mut period = 0;
        while let Some(c) = s.peek() {
            match c {
                b'[' if open.is_none() => {
                    open = Some((digits.len(), s.at));
                    s.at += 1;
                }
                b']' if open.is_some() => {
                    let (start, bracket) = open.take().unwrap_or_default();
                    s.at += 1;
                    period = digits.len() - start;
                    if period == 0 {
                        return error("nothing repeats in []", bracket..s.at, Some("leave out the brackets".into()));
                    }
                    if s.at < text.len() {
                        return error("the repeating part must be the end of the code", s.at..text.len(), None);
                    }
                }
                _ => digits.push(s.digit()?),
            }
        }
        if let Some((_, bracket)) = open {
            return error("the bracket [ is not closed", bracket..bracket + 1, Some("end the code with ]".into()));
        }
        if digits.is_empty() {
            let hint = Some(format!("write {text}0"));
            return error("no digit follows the point", text.len()..text.len(), hint);
        }
        Ok(Code::normalised(d0, digits, period))
    }

    /// How many bytes at the start of `text` are meant as a code; 0 if none.
    ///
    /// A code is told by its point: digits (or one letter, or `*`), the point, and a digit. So a number, a range `1..3`,
    /// copies `2x0.77(5)`, a nimber `*5` and the name of a ruleset are none. The bytes found need not parse: what only
    /// can be a slip of a code (`0.3f`, `0.W`, `20.017`, `.77`) is included, so that [`Code::parse`] can say what is wrong.
    ///
    /// # Complexity
    /// Linear in the bytes up to the end of the code, or of the digits before a missing point.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::rulesets::heap::Code;
    ///
    /// assert_eq!(Code::prefix_len("0.{0,2}(7) + nim(3)"), "0.{0,2}".len());
    /// assert_eq!(Code::prefix_len("4.[3](5)"), "4.[3]".len());
    /// assert_eq!(Code::prefix_len("1..3"), 0);
    /// ```
    pub fn prefix_len(text: &str) -> usize {
        let b = text.as_bytes();
        let Some(point) = prefix_before_point(b) else { return 0 };
        let mut at = point + 1;
        let first = b.get(at).copied().unwrap_or_default();
        if !(first.is_ascii_alphanumeric() || matches!(first, b'{' | b'&' | b'[') || (first == b'*' && point > 0)) {
            return 0;
        }
        let mut bracket = false;
        while let Some(c) = b.get(at) {
            match c {
                b'{' => at += group_len(&b[at..], b'}').1,
                b'&' => at += group_len(&b[at..], b';').1,
                b'[' if !bracket => {
                    bracket = true;
                    at += 1;
                }
                b']' if bracket => {
                    bracket = false;
                    at += 1;
                }
                b'*' | b'!' | b'?' | b'=' => at += 1,
                c if c.is_ascii_alphanumeric() => at += 1,
                _ => break,
            }
        }
        at
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        Code::parse(text)
    }
}

/// Reads digits from a text.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// d0, up to the point.
    fn before_point(&mut self) -> Result<Leave, CodeError> {
        let mut before = Vec::new();
        while self.peek() != Some(b'.') {
            if self.peek().is_none() {
                let hint = if before.is_empty() { "write 0.0".into() } else { format!("write 0.{}", self.text) };
                return error("a code has a point after its first digit", self.at..self.at, Some(hint));
            }
            let start = self.at;
            before.push((self.digit()?, start..self.at));
        }
        let Some((mut d0, span)) = before.pop() else {
            let hint = format!("write 0{}", self.text);
            return error("a digit is missing before the point", 0..1, Some(hint));
        };
        if let Some(i) = before.iter().position(|(d, _)| !is_zero(d)) {
            let (added, at) = (before.len() - i, &before[i].1);
            let message = format!(
                "the digit {} stands {added} before d0, so it would add {added} token{} to the heap; codes that add tokens \
                 are not supported",
                &self.text[at.clone()],
                if added == 1 { "" } else { "s" }
            );
            return error(message, at.clone(), Some("write a single digit before the point".into()));
        }
        let low: Vec<u64> = (0..2).filter(|count| d0.restriction(*count).is_some()).collect();
        d0.exact.retain(|(count, _)| *count >= 2);
        if let Some((start, _)) = &mut d0.from {
            *start = (*start).max(2);
        }
        let any = low.len() == 2 && d0.from.is_some_and(|(start, _)| start == 2);
        if !low.is_empty() && !any {
            let message = match low[..] {
                [0] => "taking nothing and leaving no heap is no move",
                [1] => "taking nothing and leaving one heap is no move",
                _ => "taking nothing and leaving no heap or one heap is no move",
            };
            let hint = format!("d0 starts with two heaps: write {} before the point", Digit(&d0));
            return error(message, span, Some(hint));
        }
        Ok(d0)
    }

    /// One digit with its suffix.
    fn digit(&mut self) -> Result<Leave, CodeError> {
        let start = self.at;
        let Some(c) = self.peek() else { return error("a digit is missing", start..start, None) };
        let mut counts = Vec::new();
        let mut plus = false;
        self.at += 1;
        match c {
            b'*' => {
                counts.push((0, None));
                plus = true;
            }
            b'{' => plus = self.list(start, &mut counts)?,
            b'&' => {
                let (closed, len) = group_len(&self.text.as_bytes()[start..], b';');
                self.at = start + len;
                if !closed {
                    let hint = Some("a digit by its number ends with a semicolon: &35;".into());
                    return error("a number and ; must follow &", start..self.at, hint);
                }
                let Ok(mask) = self.text[start + 1..self.at - 1].parse::<u64>() else {
                    let hint = Some("list the numbers of heaps in braces".into());
                    return error("this is no digit below 2^64", start..self.at, hint);
                };
                counts.extend((0..64).filter(|j| mask >> j & 1 == 1).map(|j| (j, None)));
            }
            _ => match ALPHABET.iter().position(|a| *a == c) {
                Some(mask) => counts.extend((0..5).filter(|j| mask >> j & 1 == 1).map(|j| (j, None))),
                None => return self.no_digit(start, c),
            },
        }
        let common = self.suffix()?;
        if common.is_some() && counts.iter().any(|(_, own)| own.is_some()) {
            let hint = Some("write each suffix inside the braces, or one behind them".into());
            return error("two suffixes for one number of heaps", start..self.at, hint);
        }
        let mut exact: Vec<(u32, Parts)> =
            counts.into_iter().map(|(count, own)| (count, own.or(common).unwrap_or(Parts::Any))).collect();
        let from = if plus { exact.pop() } else { None };
        Ok(leave(exact, from))
    }

    /// The numbers in braces, without the opening one; true if the last is followed by +.
    fn list(&mut self, open: usize, counts: &mut Vec<(u32, Option<Parts>)>) -> Result<bool, CodeError> {
        let mut seen = BTreeSet::new();
        loop {
            self.space();
            let start = self.at;
            while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1;
            }
            if start == self.at {
                if self.peek().is_none() {
                    return error("the brace { is not closed", open..open + 1, None);
                }
                let hint = Some("write numbers of heaps, such as {0,2}; no way to move is the digit 0".into());
                return error("a number of heaps is missing here", start..self.at + self.char_len(), hint);
            }
            let written = &self.text[start..self.at];
            let Some(count) = written.parse::<u32>().ok().filter(|count| *count <= Code::MAX_HEAPS) else {
                return error(format!("more than {} heaps", Code::MAX_HEAPS), start..self.at, None);
            };
            if !seen.insert(count) {
                return error(format!("{count} is listed twice"), start..self.at, None);
            }
            let own = self.suffix()?;
            counts.push((count, own));
            self.space();
            let sign = self.at;
            self.at += self.char_len();
            match self.text.as_bytes().get(sign) {
                None => return error("the brace { is not closed", open..open + 1, None),
                Some(b',') => {}
                Some(b'}') => return Ok(false),
                Some(b'+') => {
                    if self.suffix()?.is_some() {
                        let hint = Some("write the suffix before the +: {2!+}".into());
                        return error("a suffix behind +", sign..self.at, hint);
                    }
                    self.space();
                    if self.peek() != Some(b'}') {
                        let hint = Some("write } here: the + includes all larger numbers".into());
                        return error("the + must be the last sign in the braces", sign..sign + 1, hint);
                    }
                    self.at += 1;
                    if seen.last() != Some(&count) {
                        let hint = Some("list the numbers in ascending order".into());
                        return error(format!("a larger number stands before {count}+"), start..sign + 1, hint);
                    }
                    return Ok(true);
                }
                Some(_) => return error("expected a comma, + or } in the braces", sign..self.at, None),
            }
        }
    }

    /// A suffix, if one follows; an error if two do.
    fn suffix(&mut self) -> Result<Option<Parts>, CodeError> {
        let read = |c| match c {
            Some(b'!') => Some(Parts::Unequal),
            Some(b'?') => Some(Parts::NotAllEqual),
            Some(b'=') => Some(Parts::AllEqual),
            _ => None,
        };
        let found = read(self.peek());
        if found.is_some() {
            self.at += 1;
            if read(self.peek()).is_some() {
                return error("a second suffix after a digit", self.at..self.at + 1, None);
            }
        }
        Ok(found)
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Length of the character here, 0 at the end.
    fn char_len(&self) -> usize {
        self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    fn no_digit<T>(&mut self, start: usize, c: u8) -> Result<T, CodeError> {
        self.at = start;
        let span = start..start + self.char_len();
        let written = &self.text[span.clone()];
        let upper = c.to_ascii_uppercase();
        match upper {
            b'W'..=b'Z' => {
                let hint = format!("write &{};", upper - b'A' + 10);
                error(format!("the digit {written} is beyond V = 31, the last with a letter"), span, Some(hint))
            }
            b'A'..=b'V' => {
                let mut hint = format!("write {}", char::from(upper));
                if matches!(c, b'd' | b'h') {
                    hint.push_str("; only in sweeps a lower-case d or h stands for any digit");
                }
                error(format!("the digit {written} must be upper case"), span, Some(hint))
            }
            b'!' | b'?' | b'=' => error(format!("the suffix {written} follows no digit"), span, None),
            b'[' => error("a repeating part cannot start here", span, Some("write one, at the end: 0.[37]".into())),
            b'.' => error("a second point", span, None),
            _ => error(format!("{written:?} is no digit of a code"), span, None),
        }
    }
}

/// The index of the point if the bytes start as a code does.
fn prefix_before_point(b: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(c) = b.get(at) {
        let len = match c {
            b'.' => return Some(at),
            b'{' => Some(group_len(&b[at..], b'}')).filter(|g| g.0)?.1,
            b'&' => Some(group_len(&b[at..], b';')).filter(|g| g.0)?.1,
            b'0'..=b'9' | b'A'..=b'Z' | b'*' => 1,
            _ => return None,
        };
        let suffix = b.get(at + len).is_some_and(|c| b"!?=".contains(c));
        let end = at + len + usize::from(suffix);
        let alone = at == 0 && b.get(end) == Some(&b'.');
        // letters and * belong to names, copies and nimbers unless they are all there is before the point
        if !alone && (*c >= b'W' && *c <= b'Z' || at == 0 && (c.is_ascii_uppercase() || *c == b'*')) {
            return None;
        }
        at = end;
    }
    None
}

/// Whether `{…}` or `&…;` at the start of `b` is closed, and its length as far as it can be one.
fn group_len(b: &[u8], close: u8) -> (bool, usize) {
    let inside: &[u8] = if close == b'}' { b"0123456789,+!?= \t\r\n" } else { b"0123456789" };
    let len = b.iter().skip(1).position(|c| !inside.contains(c)).map_or(b.len(), |i| i + 1);
    if b.get(len) == Some(&close) { (true, len + 1) } else { (false, len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_point_at_the_fault() {
        for (text, span, message, hint) in [
            ("20.017", 0..1, "would add 1 token ", "single digit"),
            ("80.0", 0..1, "would add 1 token ", "single digit"),
            ("0{2}00.3", 1..4, "would add 2 tokens", "single digit"),
            ("0.3f", 3..4, "upper case", "write F"),
            ("0.ddd", 2..3, "upper case", "sweeps"),
            ("0.3X", 3..4, "beyond V", "write &33;"),
            ("0.z", 2..3, "beyond V", "write &35;"),
            ("7.3", 0..1, "no move", "write 4"),
            ("0{1,3!+}.3", 1..8, "leaving one heap is no move", "write {3+}!"),
            ("77", 2..2, "has a point", "write 0.77"),
            ("", 0..0, "has a point", "write 0.0"),
            (".77", 0..1, "before the point", "write 0.77"),
            ("4!.", 3..3, "follows the point", "write 4!.0"),
            ("0.3.3", 3..4, "second point", ""),
            ("[3].3", 0..1, "cannot start here", ""),
            ("0.[3][3]", 5..8, "must be the end", ""),
            ("0.[3", 2..3, "not closed", ""),
            ("0.3[]", 3..5, "nothing repeats", ""),
            ("0.!", 2..3, "follows no digit", ""),
            ("0.3!?", 4..5, "second suffix", ""),
            ("0.{0,2!}?", 2..9, "two suffixes", ""),
            ("0.{2+!}", 4..6, "behind +", "{2!+}"),
            ("0.{2+,3}", 4..5, "last sign", ""),
            ("0.{3,2+}", 5..7, "a larger number", ""),
            ("0.{2,2!}", 5..6, "listed twice", ""),
            ("0.{65536}", 3..8, "more than 65535", ""),
            ("0.{99999999999}", 3..14, "more than 65535", ""),
            ("0.{}", 3..4, "missing here", "digit 0"),
            ("0.{1", 2..3, "not closed", ""),
            ("0.{1,", 2..3, "not closed", ""),
            ("0.{1é", 4..6, "expected a comma", ""),
            ("0.&35", 2..5, "must follow &", ""),
            ("0.&;", 2..4, "no digit below", ""),
            ("0.&18446744073709551616;", 2..24, "no digit below", "braces"),
            ("0.é", 2..4, "no digit of a code", ""),
            ("-1.3", 0..1, "no digit of a code", ""),
        ] {
            let e = Code::parse(text).expect_err(text);
            assert_eq!(e.span, span, "{text}: {e}");
            assert!(e.message.contains(message), "{text}: {e}");
            assert!(e.hint.clone().unwrap_or_default().contains(hint), "{text}: {:?}", e.hint);
        }
        let long = format!("0.{}", "3".repeat(Code::MAX_LEN - 2));
        assert_eq!(Code::parse(&long).map(|c| c.last_amount()), Ok(Some(65_534)));
        assert!(Code::parse(&(long + "3")).is_err());
    }

    #[test]
    fn finds_a_code_at_the_start_of_a_text() {
        for (text, rest) in [
            ("0.77(5)", "(5)"),
            ("4!.0(20)", "(20)"),
            ("0.{0, 2}(7)", "(7)"),
            ("4.[3](5)", "(5)"),
            ("{2+}.0", ""),
            ("&35;!.0 + 1", " + 1"),
            ("*.0(3)", "(3)"),
            ("C!.3F", ""),
            ("0.77|take any]", "|take any]"),
            ("0.[3]](5)", "](5)"),
            ("0.77+0.137", "+0.137"),
            ("0.*(5)", "(5)"),
            // slips
            ("20.017(3)", "(3)"),
            ("0.3f(3)", "(3)"),
            ("0.3W", ""),
            ("W.0", ""),
            (".77(3)", "(3)"),
            ("0.[3]7(1)", "(1)"),
            ("0.{1(2)", "(2)"),
        ] {
            assert_eq!(&text[Code::prefix_len(text)..], rest, "{text}");
        }
        for none in [
            "",
            "0",
            "77",
            "1..3",
            "1.",
            "0.(5)",
            "2x0.77(5)",
            "2x 0.77",
            "2X0.77",
            "*5",
            "*",
            "*5.0",
            "nim(3)",
            "g.json",
            "KAYLES.5",
            "{1,3}",
            "{(1,2)}.3",
            "..3",
            ".*",
            "[0.77]",
            "é.0",
        ] {
            assert_eq!(Code::prefix_len(none), 0, "{none}");
        }
    }
}
