//! The words, numbers and signs of a rule.

use core::ops::Range;

use crate::{notation::SyntaxError, rulesets::heap::Comparison};

/// One word, number or sign; the text of a name is found by its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(u64),
    Name,
    Word(Word),
    Dots,
    Comma,
    Bar,
    Plus,
    Minus,
    Star,
    Compare(Comparison),
    Open,
    Close,
    Brace,
    End,
}

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Take,
    Split,
    Leaving,
    Into,
    Where,
    But,
    Any,
    Odd,
    Even,
    Multiples,
    Powers,
    Of,
    Squares,
    Primes,
    Fibonacci,
    Divisors,
    Mod,
    Gcd,
    And,
    Or,
    Not,
}

const WORDS: [(&str, Word); 21] = [
    ("take", Word::Take),
    ("split", Word::Split),
    ("leaving", Word::Leaving),
    ("into", Word::Into),
    ("where", Word::Where),
    ("but", Word::But),
    ("any", Word::Any),
    ("odd", Word::Odd),
    ("even", Word::Even),
    ("multiples", Word::Multiples),
    ("powers", Word::Powers),
    ("of", Word::Of),
    ("squares", Word::Squares),
    ("primes", Word::Primes),
    ("fibonacci", Word::Fibonacci),
    ("divisors", Word::Divisors),
    ("mod", Word::Mod),
    ("gcd", Word::Gcd),
    ("and", Word::And),
    ("or", Word::Or),
    ("not", Word::Not),
];

/// Signs of this language, the longer ones before their beginnings.
const SIGNS: [(&str, Token); 16] = [
    ("..", Token::Dots),
    ("==", Token::Compare(Comparison::Equal)),
    ("!=", Token::Compare(Comparison::NotEqual)),
    ("<=", Token::Compare(Comparison::LessEqual)),
    (">=", Token::Compare(Comparison::GreaterEqual)),
    ("=", Token::Compare(Comparison::Equal)),
    ("<", Token::Compare(Comparison::Less)),
    (">", Token::Compare(Comparison::Greater)),
    (",", Token::Comma),
    ("|", Token::Bar),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Star),
    ("(", Token::Open),
    (")", Token::Close),
    ("{", Token::Brace),
];

/// Signs of other languages and of paper, with what is written here; looked up before [`SIGNS`].
const FOREIGN_SIGNS: [(&str, &str); 25] = [
    ("===", "="),
    ("!==", "!="),
    ("=<", "<="),
    ("=>", ">="),
    ("<>", "!="),
    ("...", ".."),
    ("..=", ".."),
    ("&&", "and"),
    ("||", "or"),
    ("&", "and"),
    ("%", "mod"),
    (";", "|"),
    (":", "where"),
    ("\u{2026}", ".."),
    ("\u{2013}", ".."),
    ("\u{2014}", ".."),
    ("\u{2212}", "-"),
    ("\u{d7}", "*"),
    ("\u{b7}", "*"),
    ("\u{2260}", "!="),
    ("\u{2264}", "<="),
    ("\u{2265}", ">="),
    ("\u{2227}", "and"),
    ("\u{2228}", "or"),
    ("\u{ac}", "not"),
];

/// The word of the language that `name` is, in any case.
pub(super) fn word(name: &str) -> Option<Word> {
    WORDS.iter().find(|(text, _)| text.eq_ignore_ascii_case(name)).map(|(_, word)| *word)
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
        let token = word(&rest[..length]).map_or(Token::Name, Token::Word);
        return Ok((token, start..start + length));
    }
    if let Some((sign, here)) = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let message = format!("{} is not a sign of rules in words", quoted(sign));
        return Err(SyntaxError::new(message, start..start + sign.len()).with_suggestion(*here));
    }
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((*token, start..start + sign.len()));
    }
    let span = start..start + first.len_utf8();
    Err(match first {
        // not in the table of foreign signs, where they would hide "!=" and ".."
        '!' => SyntaxError::new("\"!\" is not a sign of rules in words", span).with_suggestion("not"),
        '.' => SyntaxError::new("\".\" is not a sign of rules in words", span).with_suggestion(".."),
        '^' => SyntaxError::new("only a number has a power, and a number is its exponent: 2^10", span),
        '/' => SyntaxError::new("terms have no division; multiply the other side instead", span),
        _ => SyntaxError::new(format!("unexpected character {}", quoted(&rest[..first.len_utf8()])), span),
    })
}

/// A number that begins at byte `start`: digits with `_` between them, or a power `a^b` written without spaces.
fn number(text: &str, start: usize) -> Result<(Token, Range<usize>), SyntaxError> {
    let base_end = digits(text, start)?;
    let base = decimal(&text[start..base_end]);
    let (value, end) = match text[base_end..].strip_prefix('^') {
        Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => {
            let end = digits(text, base_end + 1)?;
            let exponent = decimal(&text[base_end + 1..end]);
            (base.and_then(|base| power(base, exponent)), end)
        }
        _ => (base, base_end),
    };
    match value {
        Some(value) => Ok((Token::Number(value), start..end)),
        None => Err(SyntaxError::new("number too large: heaps are below 2^64", start..end)),
    }
}

/// The end of the digits and underscores that begin at byte `start`.
fn digits(text: &str, start: usize) -> Result<usize, SyntaxError> {
    let bytes = &text.as_bytes()[start..];
    let length = bytes.iter().take_while(|c| c.is_ascii_digit() || **c == b'_').count();
    if bytes[length - 1] == b'_' {
        let end = start + length;
        return Err(SyntaxError::new("\"_\" in a number stands between two digits", end - 1..end));
    }
    Ok(start + length)
}

/// The value of digits and underscores; `None` if it does not fit.
fn decimal(digits: &str) -> Option<u64> {
    let mut digits = digits.bytes().filter(u8::is_ascii_digit);
    digits.try_fold(0u64, |n, c| n.checked_mul(10)?.checked_add(u64::from(c - b'0')))
}

/// base^exponent, with 0^0 = 1; an exponent of `None` is one beyond all bounds.
fn power(base: u64, exponent: Option<u64>) -> Option<u64> {
    match (base, exponent) {
        (_, Some(0)) => Some(1),
        (0 | 1, _) => Some(base),
        (_, exponent) => base.checked_pow(u32::try_from(exponent?).ok()?),
    }
}
