//! Words, numbers and signs of formulas, and what writers of other languages put in their place.

use core::ops::Range;

use crate::notation::SyntaxError;

use super::ast::Level;

/// One word, number or sign; the text of a name is found by its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(u128),
    Name,
    Mod,
    Div,
    BitAnd,
    Xor,
    BitOr,
    LowBit,
    BitLength,
    Min,
    Max,
    Columns,
    Not,
    And,
    Or,
    Else,
    Plus,
    Minus,
    Star,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Open,
    Close,
    Comma,
    Colon,
    Semicolon,
    End,
}

impl Token {
    /// How tightly this token binds as an operator between two operands; `None` if it is none.
    pub(super) fn level(self) -> Option<Level> {
        Some(match self {
            Token::Star | Token::Mod | Token::Div => Level::Product,
            Token::Plus | Token::Minus => Level::Sum,
            Token::ShiftLeft | Token::ShiftRight => Level::Shift,
            Token::BitAnd => Level::BitAnd,
            Token::Xor => Level::Xor,
            Token::BitOr => Level::BitOr,
            Token::Equal | Token::NotEqual | Token::Less => Level::Compare,
            Token::LessOrEqual | Token::Greater | Token::GreaterOrEqual => Level::Compare,
            Token::And => Level::And,
            Token::Or => Level::Or,
            _ => return None,
        })
    }

    /// True if an operand may begin with this token.
    pub(super) fn begins_operand(self) -> bool {
        matches!(
            self,
            Token::Number(_)
                | Token::Name
                | Token::LowBit
                | Token::BitLength
                | Token::Min
                | Token::Max
                | Token::Columns
                | Token::Not
                | Token::Open
        )
    }
}

/// The words between two operands.
pub(super) const OPERATORS: [(&str, Token); 7] = [
    ("mod", Token::Mod),
    ("div", Token::Div),
    ("xor", Token::Xor),
    ("bitand", Token::BitAnd),
    ("bitor", Token::BitOr),
    ("and", Token::And),
    ("or", Token::Or),
];

/// The words that are followed by arguments.
pub(super) const FUNCTIONS: [(&str, Token); 5] = [
    ("lowbit", Token::LowBit),
    ("bitlength", Token::BitLength),
    ("min", Token::Min),
    ("max", Token::Max),
    ("columns", Token::Columns),
];

const OTHER_WORDS: [(&str, Token); 2] = [("not", Token::Not), ("else", Token::Else)];

/// The token of a word of the language in any case; `None` for other names.
pub(super) fn word(name: &str) -> Option<Token> {
    OPERATORS
        .iter()
        .chain(&FUNCTIONS)
        .chain(&OTHER_WORDS)
        .find(|(text, _)| text.eq_ignore_ascii_case(name))
        .map(|(_, token)| *token)
}

/// Signs of this language, the longer ones before their beginnings.
const SIGNS: [(&str, Token); 17] = [
    ("<<", Token::ShiftLeft),
    (">>", Token::ShiftRight),
    ("==", Token::Equal),
    ("!=", Token::NotEqual),
    ("<=", Token::LessOrEqual),
    (">=", Token::GreaterOrEqual),
    ("=", Token::Equal),
    ("<", Token::Less),
    (">", Token::Greater),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Star),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
    (":", Token::Colon),
    (";", Token::Semicolon),
];

/// Signs of other languages and of paper, with what is written here; looked up before [`SIGNS`].
const FOREIGN_SIGNS: [(&str, &str); 25] = [
    ("===", "="),
    ("!==", "!="),
    (">>>", ">>"),
    ("=<", "<="),
    ("=>", ">="),
    ("<>", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("//", "div"),
    ("%", "mod"),
    ("^", "xor"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("/", "div"),
    ("\u{2212}", "-"),
    ("\u{d7}", "*"),
    ("\u{b7}", "*"),
    ("\u{f7}", "div"),
    ("\u{2295}", "xor"),
    ("\u{2260}", "!="),
    ("\u{2264}", "<="),
    ("\u{2265}", ">="),
    ("\u{2227}", "and"),
    ("\u{2228}", "or"),
    ("\u{ac}", "not"),
];

/// Names that other languages give to what has a name here; too far off or too near to a wrong word for guessing.
const FOREIGN_WORDS: [(&str, &str); 9] = [
    ("modulo", "mod"),
    ("rem", "mod"),
    ("bxor", "xor"),
    ("bitxor", "xor"),
    ("nimsum", "xor"),
    ("band", "bitand"),
    ("bor", "bitor"),
    ("true", "0 = 0"),
    ("false", "0 = 1"),
];

/// What is written here for a name of another language.
pub(super) fn foreign_word(name: &str) -> Option<&'static str> {
    FOREIGN_WORDS.iter().find(|(text, _)| text.eq_ignore_ascii_case(name)).map(|(_, here)| *here)
}

/// `text` in quotes for a message, cut if long, with control characters made visible.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The token at or after byte `from` of `text`, and where it stands; at the end [`Token::End`] with an empty span.
pub(super) fn token(text: &str, from: usize) -> Result<(Token, Range<usize>), SyntaxError> {
    let start = text.len() - text[from..].trim_start().len();
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        return Ok((Token::End, start..start));
    };
    if first.is_ascii_digit() {
        return number(text, start);
    }
    if first.is_ascii_alphabetic() {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let token = word(&rest[..length]).unwrap_or(Token::Name);
        return Ok((token, start..start + length));
    }
    if let Some((sign, here)) = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let message = format!("{} is not a sign of formulas", quoted(sign));
        return Err(SyntaxError::new(message, start..start + sign.len()).with_suggestion(*here));
    }
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((*token, start..start + sign.len()));
    }
    let span = start..start + first.len_utf8();
    match first {
        // Not in the table of foreign signs, where it would hide "!=".
        '!' => Err(SyntaxError::new("\"!\" is not a sign of formulas", span).with_suggestion("not")),
        '?' => {
            let message = "\"?\" is not a sign of formulas; cases are written condition: term; else term";
            Err(SyntaxError::new(message, span))
        }
        _ => Err(SyntaxError::new(format!("unexpected character {}", quoted(&rest[..first.len_utf8()])), span)),
    }
}

/// A number that begins at byte `start`: digits with `_` between them, or a power `a^b` written without spaces.
fn number(text: &str, start: usize) -> Result<(Token, Range<usize>), SyntaxError> {
    let base_end = digits(text, start)?;
    let after = &text.as_bytes()[base_end..];
    let digit_at = |i: usize| after.get(i).is_some_and(u8::is_ascii_digit);
    if let (b"0", Some(b'x' | b'X' | b'b' | b'B' | b'o' | b'O')) = (&text.as_bytes()[start..base_end], after.first()) {
        let radix = match after[0].to_ascii_lowercase() {
            b'x' => 16,
            b'o' => 8,
            _ => 2,
        };
        let length = after[1..].iter().take_while(|c| (**c as char).is_digit(radix)).count();
        if length > 0 {
            let end = base_end + 1 + length;
            let error = SyntaxError::new("numbers are written in decimal here", start..end);
            return Err(match u128::from_str_radix(&text[base_end + 1..end], radix) {
                Ok(value) => error.with_suggestion(value.to_string()),
                Err(_) => error,
            });
        }
    }
    if after.first() == Some(&b'.') && digit_at(1) {
        return Err(SyntaxError::new("numbers are integers here", start..base_end + 2));
    }
    let base = decimal(&text[start..base_end]);
    let (value, end) = if after.first() == Some(&b'^') && digit_at(1) {
        let end = digits(text, base_end + 1)?;
        let exponent = decimal(&text[base_end + 1..end]);
        (base.and_then(|base| power(base, exponent)), end)
    } else {
        (base, base_end)
    };
    // 2^127 itself is let through: with a minus sign before it, it is the least integer.
    match value {
        Some(value) if value <= 1 << 127 => Ok((Token::Number(value), start..end)),
        _ => Err(too_large(start..end)),
    }
}

pub(super) fn too_large(span: Range<usize>) -> SyntaxError {
    SyntaxError::new("number too large: the greatest is 2^127 - 1", span)
}

/// The end of the digits and underscores that begin at byte `start`.
fn digits(text: &str, start: usize) -> Result<usize, SyntaxError> {
    let bytes = &text.as_bytes()[start..];
    let length = bytes.iter().take_while(|c| c.is_ascii_digit() || **c == b'_').count();
    if bytes[length - 1] == b'_' {
        return Err(SyntaxError::new(
            "\"_\" in a number stands between two digits",
            start + length - 1..start + length,
        ));
    }
    Ok(start + length)
}

/// The value of digits and underscores; `None` if it does not fit.
fn decimal(digits: &str) -> Option<u128> {
    digits
        .bytes()
        .filter(u8::is_ascii_digit)
        .try_fold(0u128, |n, c| n.checked_mul(10)?.checked_add(u128::from(c - b'0')))
}

/// base^exponent, with 0^0 = 1; an exponent of `None` is one beyond all bounds.
fn power(base: u128, exponent: Option<u128>) -> Option<u128> {
    match (base, exponent) {
        (_, Some(0)) => Some(1),
        (0 | 1, _) => Some(base),
        (_, exponent) => base.checked_pow(u32::try_from(exponent?).ok()?),
    }
}
