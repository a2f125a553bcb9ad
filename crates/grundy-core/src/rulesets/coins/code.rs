//! Codes of coin-turning games: which sets of coins may be turned.
//!
//! A code is one or more elements joined by commas; a set may be turned if one element allows it. An element is a number of
//! coins (`3`, `1-3`, or `2+` for any number from 2 on), then letters: `C` the coins are consecutive, `C(5)` they lie among 5
//! consecutive ones, `E` they are equally spaced, `S` the set is symmetric, `F` it holds the leftmost coin of the row. `{1,4,9}C`
//! is short for `1C,4C,9C`.

use core::{fmt, str::FromStr};

/// How the coins of a set lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// Anyhow.
    Any,
    /// Next to each other: `C`.
    Consecutive,
    /// At equal distances: `E`.
    Equal,
    /// Symmetric about the middle between the first and the last: `S`.
    Symmetric,
}

/// One kind of sets that may be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// Least number of coins, at least 1.
    pub least: u64,
    /// Largest number of coins; None for any number.
    pub most: Option<u64>,
    /// The coins lie among so many consecutive ones: `C(5)`.
    pub within: Option<u64>,
    /// How they lie.
    pub spacing: Spacing,
    /// The leftmost coin of the row is among them: `F`.
    pub first: bool,
}

/// Which sets of coins may be turned, whatever lies on the row.
///
/// # Sources
/// The syntax of `[CGSuite]`; the games are those of `[WW]` chapter 14.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::coins::CoinCode;
/// let code: CoinCode = "1-3c(5)".parse().unwrap();
/// assert_eq!(code.to_string(), "1-3C(5)");
/// assert!(code.allows(&[4, 6, 8]) && !code.allows(&[3, 8]));
/// assert_eq!("3-1".parse::<CoinCode>().unwrap_err().message, "3-1 is an empty range");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoinCode {
    elements: Vec<Element>,
}

/// What is wrong with a code, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// In words.
    pub message: String,
    /// Byte offset of the element or letter.
    pub at: usize,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for CodeError {}

/// Most elements of a code.
const MOST_ELEMENTS: usize = 4096;

impl CoinCode {
    /// The code of one kind of sets.
    pub fn of(element: Element) -> CoinCode {
        CoinCode { elements: vec![element] }
    }

    /// The elements as written.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// True if the set, given ascending, may be turned where its last coin is heads.
    pub fn allows(&self, set: &[u64]) -> bool {
        self.elements.iter().any(|e| e.allows(set))
    }

    /// What may be turned, in words: `1 to 3 coins among 5 consecutive ones`.
    pub fn words(&self) -> String {
        let all: Vec<String> = self.elements.iter().map(Element::words).collect();
        all.join(", or ")
    }

    /// How many coins before the last one its sets reach, if that number is bounded.
    pub fn window(&self) -> Option<u64> {
        let mut widest = 0;
        for e in &self.elements {
            let span = match e.spacing {
                Spacing::Consecutive => [e.most, e.within].into_iter().flatten().min()?,
                _ if e.most == Some(1) => 1,
                _ => e.within?,
            };
            widest = widest.max(span - 1);
        }
        Some(widest)
    }
}

impl Element {
    /// True if the set, given ascending, is of this kind.
    pub fn allows(&self, set: &[u64]) -> bool {
        let (Some(first), Some(last)) = (set.first(), set.last()) else { return false };
        let count = set.len() as u64;
        let spacing = match self.spacing {
            Spacing::Any => true,
            Spacing::Consecutive => last - first == count - 1,
            Spacing::Equal => set.windows(3).all(|w| w[1] - w[0] == w[2] - w[1]),
            Spacing::Symmetric => set.iter().zip(set.iter().rev()).all(|(a, b)| a - first == last - b),
        };
        spacing
            && *first > 0
            && (self.least..=self.most.unwrap_or(u64::MAX)).contains(&count)
            && self.within.is_none_or(|w| last - first < w)
            && (!self.first || *first == 1)
    }

    fn words(&self) -> String {
        let kind = match self.spacing {
            Spacing::Any => "",
            Spacing::Consecutive => "consecutive ",
            Spacing::Equal => "equally spaced ",
            Spacing::Symmetric => "symmetrically lying ",
        };
        let mut text = match self.most {
            None => format!("{} or more {kind}coins", self.least),
            Some(1) => "1 coin".into(),
            Some(most) if most == self.least => format!("{most} {kind}coins"),
            Some(most) => format!("{} to {most} {kind}coins", self.least),
        };
        if let Some(within) = self.within {
            text.push_str(&format!(" among {within} consecutive ones"));
        }
        if self.first {
            text.push_str(", the leftmost coin of the row among them");
        }
        text
    }

    fn parse(text: &str, at: usize) -> Result<Element, CodeError> {
        let error = |message: String| Err(CodeError { message, at });
        let letters = text.find(|c: char| !(c.is_ascii_digit() || c == '+' || c == '-')).unwrap_or(text.len());
        let (range, rest) = text.split_at(letters);
        let number = |digits: &str| -> Result<u64, CodeError> {
            match digits.parse::<u64>() {
                Ok(n) if n > 0 && n <= MOST_COINS => Ok(n),
                Ok(0) => Err(CodeError { message: "a move turns at least 1 coin".into(), at }),
                Err(_) if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) => Err(CodeError {
                    message: format!("\"{text}\" does not start with a number of coins such as 3, 1-3 or 2+"),
                    at,
                }),
                _ => Err(CodeError { message: format!("{digits} coins are too many"), at }),
            }
        };
        let (least, most) = if let Some(least) = range.strip_suffix('+') {
            (number(least)?, None)
        } else if let Some((least, most)) = range.split_once('-') {
            (number(least)?, Some(number(most)?))
        } else {
            (number(range)?, Some(number(range)?))
        };
        if most.is_some_and(|m| m < least) {
            return error(format!("{range} is an empty range"));
        }
        let mut element = Element { least, most, within: None, spacing: Spacing::Any, first: false };
        let mut rest = rest;
        while let Some(letter) = rest.chars().next() {
            let place = at + text.len() - rest.len();
            let twice = Err(CodeError { message: format!("\"{letter}\" contradicts a letter before it"), at: place });
            rest = &rest[letter.len_utf8()..];
            let spacing = match letter.to_ascii_uppercase() {
                'C' if rest.starts_with('(') => {
                    let Some(close) = rest.find(')') else { return error("a parenthesis is never closed".into()) };
                    if element.within.is_some() {
                        return twice;
                    }
                    let within = number(&rest[1..close])?;
                    if within < least {
                        return error(format!("{least} coins do not fit among {within}"));
                    }
                    element.within = Some(within);
                    rest = &rest[close + 1..];
                    continue;
                }
                'C' => Spacing::Consecutive,
                'E' => Spacing::Equal,
                'S' => Spacing::Symmetric,
                'F' if element.first => return twice,
                'F' => {
                    element.first = true;
                    continue;
                }
                other => {
                    return Err(CodeError {
                        message: format!("\"{other}\" is no letter of a code; C, C(5), E, S and F are"),
                        at: place,
                    });
                }
            };
            if element.spacing != Spacing::Any {
                let message = "a set is consecutive (C), equally spaced (E) or symmetric (S), one of them".into();
                return Err(CodeError { message, at: place });
            }
            element.spacing = spacing;
        }
        if element.spacing == Spacing::Any && least > MOST_LEAST {
            return error(format!("moves that must turn {least} coins are out of reach; {MOST_LEAST} is the most"));
        }
        Ok(element)
    }
}

/// Most coins that a move may have to turn, if they may lie anyhow.
const MOST_LEAST: u64 = 1 << 12;

/// Largest number in a code.
const MOST_COINS: u64 = 1 << 32;

impl FromStr for CoinCode {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let mut elements: Vec<Element> = Vec::new();
        let mut add = |element: Element, at: usize| {
            if elements.len() == MOST_ELEMENTS {
                return Err(CodeError { message: format!("a code has at most {MOST_ELEMENTS} elements"), at });
            }
            if !elements.contains(&element) {
                elements.push(element);
            }
            Ok(())
        };
        let mut rest = text;
        loop {
            let at = text.len() - rest.trim_start().len();
            rest = &text[at..];
            if let Some(list) = rest.strip_prefix('{') {
                // one element for each number of the list
                let Some(close) = list.find('}') else {
                    return Err(CodeError { message: "a brace is never closed".into(), at });
                };
                let end = close + list[close..].find(',').unwrap_or(list.len() - close);
                let letters = list[close + 1..end].trim();
                let mut place = at + 1;
                for number in list[..close].split(',') {
                    add(Element::parse(&format!("{}{letters}", number.trim()), place)?, place)?;
                    place += number.len() + 1;
                }
                rest = &list[end..];
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                add(Element::parse(rest[..end].trim(), at)?, at)?;
                rest = &rest[end..];
            }
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return Ok(CoinCode { elements }),
            }
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.least)?;
        match self.most {
            None => f.write_str("+")?,
            Some(most) if most != self.least => write!(f, "-{most}")?,
            Some(_) => {}
        }
        match self.spacing {
            Spacing::Any => {}
            Spacing::Consecutive => f.write_str("C")?,
            Spacing::Equal => f.write_str("E")?,
            Spacing::Symmetric => {}
        }
        if let Some(within) = self.within {
            write!(f, "C({within})")?;
        }
        if self.first {
            f.write_str("F")?;
        }
        if self.spacing == Spacing::Symmetric {
            f.write_str("S")?;
        }
        Ok(())
    }
}

impl fmt::Display for CoinCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.elements.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{e}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> CoinCode {
        text.parse().unwrap()
    }

    #[test]
    fn codes_round_trip() {
        for text in ["1-3", "3", "1+", "1+C", "2+C", "1-5C", "1-3C(5)", "3C(5)", "3E", "4FS", "1+S", "1+FS", "1,3-4E"] {
            assert_eq!(code(text).to_string(), text);
            assert_eq!(code(&text.to_lowercase()), code(text));
        }
        assert_eq!(code("3-3, 4sf").to_string(), "3,4FS");
        assert_eq!(code("{1, 4,9}C, 2E").to_string(), "1C,4C,9C,2E");
        assert_eq!("{1,4".parse::<CoinCode>().unwrap_err().at, 0);
        assert_eq!("{1,x}C".parse::<CoinCode>().unwrap_err().at, 3);
    }

    #[test]
    fn bad_codes_are_refused_with_their_place() {
        for (text, at) in [
            ("", 0),
            ("C", 0),
            ("0", 0),
            ("1-0", 0),
            ("3-1", 0),
            ("1,x", 2),
            ("3EC", 2),
            ("3FF", 2),
            ("3X", 1),
            ("3C(2)", 0),
            ("3C(5", 0),
            ("1-", 0),
            ("1-2-3", 0),
            ("99999999999999999999", 0),
            ("3é", 1),
        ] {
            let error = text.parse::<CoinCode>().unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
        }
    }

    #[test]
    fn sets_are_allowed_by_their_kind() {
        assert!(code("3E").allows(&[1, 4, 7]) && !code("3E").allows(&[1, 4, 8]));
        assert!(code("4FS").allows(&[1, 3, 6, 8]) && !code("4FS").allows(&[2, 3, 6, 7]));
        assert!(code("1+S").allows(&[2, 4, 6]) && code("1+S").allows(&[5]) && !code("1+S").allows(&[2, 3, 6]));
        assert!(code("2,1+C").allows(&[1, 9]) && code("2,1+C").allows(&[7, 8, 9]) && !code("2,1+C").allows(&[1, 2, 9]));
        assert!(!code("1+").allows(&[]) && !code("1+").allows(&[0, 1]));
    }

    #[test]
    fn codes_in_words() {
        assert_eq!(code("1-3C(5)").words(), "1 to 3 coins among 5 consecutive ones");
        assert_eq!(code("1,2+E").words(), "1 coin, or 2 or more equally spaced coins");
        assert_eq!(code("4FS").words(), "4 symmetrically lying coins, the leftmost coin of the row among them");
    }

    #[test]
    fn windows_are_known() {
        let windows = [("1-3", None), ("1-5C", Some(4)), ("1+C", None), ("1-3C(5)", Some(4)), ("1,3C", Some(2))];
        for (text, window) in windows {
            assert_eq!(code(text).window(), window, "{text}");
        }
    }
}
