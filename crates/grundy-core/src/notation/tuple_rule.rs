//! Rules on several heaps as a condition: `[a, b -> x, y where x < a and y = b or x = a and y < b]`.
//!
//! On the left of the arrow stand the names of the heaps of a position, on the right those of the heaps of an option, as
//! many. A move leads from the one to the other exactly if the condition holds, which is one of the language of
//! [`formula`](super::formula).
//!
//! ```text
//! rule  = "[" names "->" names "where" condition "]"
//! names = NAME { "," NAME }                            1 to 4 of them
//! ```
//!
//! All names are distinct. Case does not matter; names are printed in lower case.

use core::fmt;

use super::{
    SyntaxError,
    ast::Span,
    formula::{Claim, Condition, EvalError, is_variable_name},
    nearest,
};

/// Most heaps of a position.
pub const MOST_HEAPS: usize = 4;

/// What rules look like, for hints.
const EXAMPLE: &str = "for example [a, b -> x, y where x < a and y = b or x = a and y < b], which is Nim on two heaps";

/// Moves between positions of so many heaps, given by a condition.
///
/// Nothing is said of whether plays end.
///
/// # Examples
/// ```
/// use grundy_core::notation::TupleRule;
/// let rule = TupleRule::parse("[A,b->x , y where x<a and y == b or x = a and y < b]")?;
/// assert_eq!(rule.to_string(), "[a, b -> x, y where x < a and y = b or x = a and y < b]");
/// assert_eq!(rule.is_move(&[3, 5], &[3, 2]), Ok(true));
/// assert_eq!(rule.is_move(&[3, 5], &[2, 2]), Ok(false));
///
/// let error = TupleRule::parse("[a, b -> x where x < a]").unwrap_err();
/// assert_eq!((error.message.as_str(), error.span), ("2 heaps cannot become 1", 9..10));
/// # Ok::<(), grundy_core::notation::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupleRule {
    /// Of the heaps of the position, then of those of the option.
    claim: Claim,
}

impl TupleRule {
    /// True if a text is meant as such a rule and not as another ruleset: it begins with a square bracket, and an arrow
    /// stands before any condition.
    pub fn is_meant(text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let end = ["where", "]"].iter().filter_map(|stop| lower.find(stop)).min().unwrap_or(lower.len());
        let head = &lower[..end];
        head.trim_start().starts_with('[') && ARROWS.iter().any(|arrow| head.contains(arrow))
    }

    /// Reads a rule with its square brackets.
    ///
    /// # Complexity
    /// As for [`Claim::parse`].
    ///
    /// # Errors
    /// A [`SyntaxError`] at the first place that cannot be read.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut reader = Reader { text, at: 0 };
        reader.space();
        let open = reader.at;
        if !reader.eat("[") {
            return Err(reader.expected("\"[\"").with_hint(EXAMPLE));
        }
        let left = reader.names("a heap of the position", &[])?;
        reader.arrow()?;
        let right = reader.names("a heap of the option", &left)?;
        if left.len() != right.len() {
            let span = right[0].span.start..right[right.len() - 1].span.end;
            let heaps = if left.len() == 1 { "1 heap".to_owned() } else { format!("{} heaps", left.len()) };
            return Err(SyntaxError::new(format!("{heaps} cannot become {}", right.len()), span)
                .with_hint("as many names stand on the right as on the left; a heap that is gone is 0"));
        }
        reader.where_word()?;
        let Some(close) = text.rfind(']').filter(|close| *close >= reader.at) else {
            return Err(SyntaxError::new("this bracket is never closed", open..open + 1)
                .with_hint("add \"]\" after the condition"));
        };
        let after = close + 1;
        if !text[after..].trim().is_empty() {
            return Err(SyntaxError::new("a rule is wanted here, without a position", after..text.len())
                .with_hint("leave out what stands behind the bracket"));
        }
        let names: Vec<&str> = left.iter().chain(&right).map(|name| &*name.text).collect();
        let claim = Claim::parse(&text[reader.at..close], &names)
            .map_err(|e| SyntaxError { span: e.span.start + reader.at..e.span.end + reader.at, ..e })?;
        Ok(TupleRule { claim })
    }

    /// How many heaps a position has, from 1 to [`MOST_HEAPS`].
    pub fn heaps(&self) -> usize {
        self.claim.variables().len() / 2
    }

    /// The names of the heaps of the position.
    pub fn names(&self) -> &[String] {
        &self.claim.variables()[..self.heaps()]
    }

    /// When a move leads from the variables 0 .. k to the variables k .. 2k, k being the number of heaps.
    pub fn condition(&self) -> &Condition {
        self.claim.condition()
    }

    /// True if a move leads from one position to the other.
    ///
    /// # Complexity
    /// As for [`Condition::eval`].
    ///
    /// # Errors
    /// As for [`Claim::eval`].
    pub fn is_move(&self, from: &[u64], to: &[u64]) -> Result<bool, EvalError> {
        let mut values = [0; 2 * MOST_HEAPS];
        let given = from.len() + to.len();
        if given != 2 * self.heaps() {
            return Err(EvalError::ValueCount { expected: 2 * self.heaps(), given });
        }
        for (value, number) in values.iter_mut().zip(from.iter().chain(to)) {
            *value = i128::from(*number);
        }
        self.claim.eval(&values[..given])
    }
}

impl fmt::Display for TupleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = self.claim.variables().split_at(self.heaps());
        write!(f, "[{} -> {} where {}]", left.join(", "), right.join(", "), self.claim)
    }
}

/// The arrow, and what is written for it elsewhere.
const ARROWS: [&str; 4] = ["->", "=>", "\u{2192}", "\u{21d2}"];

/// A name in lower case, and where it stands.
struct Name {
    text: String,
    span: Span,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// The length of the word that stands here.
    fn word(&self) -> usize {
        let rest = self.rest();
        rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
    }

    /// "expected X, found Y" at the present place.
    fn expected(&self, what: &str) -> SyntaxError {
        let Some(c) = self.rest().chars().next() else {
            return SyntaxError::new(format!("expected {what}, found the end"), self.at..self.at);
        };
        let len = self.word().max(c.len_utf8());
        let found = &self.rest()[..len];
        SyntaxError::new(format!("expected {what}, found \"{}\"", found.escape_debug()), self.at..self.at + len)
    }

    /// Names between commas, distinct from one another and from those before.
    fn names(&mut self, what: &str, before: &[Name]) -> Result<Vec<Name>, SyntaxError> {
        let mut names: Vec<Name> = Vec::new();
        loop {
            self.space();
            let span = self.at..self.at + self.word();
            if span.is_empty() {
                let error = self.expected(&format!("a name for {what}"));
                return Err(if self.rest().starts_with('(') {
                    error.with_hint("names stand without parentheses: [a, b -> x, y where ...]")
                } else {
                    error.with_hint(EXAMPLE)
                });
            }
            let text = self.text[span.clone()].to_ascii_lowercase();
            if !is_variable_name(&text) || text == "where" {
                return Err(SyntaxError::new(format!("\"{text}\" cannot be the name of a heap"), span)
                    .with_hint("names begin with a letter and are no words of the language, such as a, b, x, y"));
            }
            if names.iter().chain(before).any(|name| name.text == text) {
                return Err(SyntaxError::new(format!("\"{text}\" is the name of another heap"), span)
                    .with_hint("the heaps of the option have names of their own, as in [a, b -> x, y where ...]"));
            }
            if names.len() == MOST_HEAPS {
                return Err(SyntaxError::new(format!("a position has at most {MOST_HEAPS} heaps"), span)
                    .with_hint("leave this one out"));
            }
            self.at = span.end;
            names.push(Name { text, span });
            self.space();
            if !self.eat(",") {
                return Ok(names);
            }
        }
    }

    fn arrow(&mut self) -> Result<(), SyntaxError> {
        if self.eat(ARROWS[0]) {
            return Ok(());
        }
        match ARROWS.iter().find(|arrow| self.rest().starts_with(*arrow)) {
            Some(other) => {
                Err(SyntaxError::new(format!("\"{other}\" is not the arrow"), self.at..self.at + other.len())
                    .with_suggestion(ARROWS[0]))
            }
            None => Err(self.expected("\",\" or \"->\"").with_hint(EXAMPLE)),
        }
    }

    fn where_word(&mut self) -> Result<(), SyntaxError> {
        let end = self.at + self.word();
        let word = &self.text[self.at..end];
        if word.eq_ignore_ascii_case("where") {
            self.at = end;
            return Ok(());
        }
        let error = self.expected("\",\" or \"where\" and a condition");
        Err(match word.to_ascii_lowercase().as_str() {
            "if" | "iff" | "when" | "with" => error.with_suggestion("where"),
            misspelt if nearest(misspelt, ["where"]).is_some() => error.with_suggestion("where"),
            _ if self.rest().starts_with([':', '|', ';']) => error.with_suggestion("where"),
            _ => error.with_hint(EXAMPLE),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_and_reading_are_inverse() {
        for (text, printed) in [
            ("[n -> m where m<n]", "[n -> m where m < n]"),
            (" [ P,q->  x,y WHERE X<p and y=Q ] ", "[p, q -> x, y where x < p and y = q]"),
            (
                "[a, b, c -> x, y, z where x + y + z < a + b + c and (x = a or not y = b)]",
                "[a, b, c -> x, y, z where x + y + z < a + b + c and (x = a or not y = b)]",
            ),
            (
                "[a, b, c, d -> w, x, y, z where columns(w, x) mod 3 == 0 and max(y, z) <= min(c, d) mod 4]",
                "[a, b, c, d -> w, x, y, z where columns(w, x) mod 3 = 0 and max(y, z) <= min(c, d) mod 4]",
            ),
        ] {
            let rule = TupleRule::parse(text).unwrap();
            assert_eq!(rule.to_string(), printed);
            assert_eq!(TupleRule::parse(printed).as_ref(), Ok(&rule));
        }
    }

    #[test]
    fn moves_are_where_the_condition_holds() {
        let rule = TupleRule::parse("[a, b -> x, y where x < a and y <= b + 1]").unwrap();
        assert_eq!((rule.heaps(), rule.names()), (2, &["a".to_owned(), "b".to_owned()][..]));
        assert_eq!(rule.is_move(&[2, 0], &[1, 1]), Ok(true));
        assert_eq!(rule.is_move(&[2, 0], &[1, 2]), Ok(false));
        assert_eq!(rule.is_move(&[u64::MAX, 0], &[u64::MAX - 1, 1]), Ok(true));
        assert_eq!(rule.is_move(&[2], &[1, 2]), Err(EvalError::ValueCount { expected: 4, given: 3 }));
        let rule = TupleRule::parse("[a -> x where (a - x) xor 1 = 0]").unwrap();
        assert_eq!(rule.is_move(&[2], &[1]), Ok(true));
        assert_eq!(rule.is_move(&[1], &[2]), Err(EvalError::Negative { operation: "xor", operand: -1 }));
    }

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        for (text, span, message, hint) in [
            ("a -> x", 0..1, "expected \"[\", found \"a\"", "for example [a, b"),
            ("[a, b => x, y where x < a]", 6..8, "\"=>\" is not the arrow", "\"->\""),
            ("[a, b → x, y where x < a]", 6..9, "\"→\" is not the arrow", "\"->\""),
            ("[a b -> x, y where x < a]", 3..4, "expected \",\" or \"->\", found \"b\"", "for example [a, b"),
            ("[(a, b) -> (x, y) where x < a]", 1..2, "expected a name for a heap of the position", "parentheses"),
            ("[a, -> x, y where x < a]", 4..5, "expected a name for a heap of the position", "for example"),
            ("[a, b -> ", 9..9, "expected a name for a heap of the option, found the end", "for example"),
            ("[a, b -> a, b where a < b]", 9..10, "\"a\" is the name of another heap", "names of their own"),
            ("[a, A -> x, y where x < a]", 4..5, "\"a\" is the name of another heap", "names of their own"),
            ("[a, max -> x, y where x < a]", 4..7, "\"max\" cannot be the name of a heap", "begin with a letter"),
            ("[a, 3 -> x, y where x < a]", 4..5, "\"3\" cannot be the name of a heap", "begin with a letter"),
            ("[a, b -> x, where x < a]", 12..17, "\"where\" cannot be the name of a heap", "begin with a letter"),
            ("[a, b, c -> x, y where x < a]", 12..16, "3 heaps cannot become 2", "as many names"),
            ("[a -> x, y where x < a]", 6..10, "1 heap cannot become 2", "as many names"),
            ("[a, b, c, d, e -> x where x < a]", 13..14, "a position has at most 4 heaps", "leave this one out"),
            ("[a, b -> x, y]", 13..14, "expected \",\" or \"where\" and a condition, found \"]\"", "for example"),
            ("[a, b -> x, y if x < a]", 14..16, "expected \",\" or \"where\" and a condition", "\"where\""),
            ("[a, b -> x, y wheer x < a]", 14..19, "expected \",\" or \"where\" and a condition", "\"where\""),
            ("[a, b -> x, y: x < a]", 13..14, "expected \",\" or \"where\" and a condition", "\"where\""),
            ("[a, b -> x, y where x < a", 0..1, "this bracket is never closed", "add \"]\""),
            ("[a, b -> x, y where x < a](3, 5)", 26..32, "a rule is wanted here, without a position", "leave out"),
            ("[a, b -> x, y where x < n]", 24..25, "unknown name \"n\" (the variables are a, b, x, y)", ""),
            ("[a, b -> x, y where x ≤ a]", 22..25, "\"≤\" is not a sign of formulas", "\"<=\""),
            ("[a, b -> x, y where x]", 20..21, "", ""),
            ("[a, b -> x, y where ]", 20..20, "", ""),
            ("[a, b -> x, y where x < a < b]", 20..29, "comparisons do not chain", "\"x < a and a < b\""),
        ] {
            let error = TupleRule::parse(text).expect_err(text);
            assert_eq!(error.span, span, "{text}: {error}");
            assert!(error.message.starts_with(message), "{text}: {error}");
            assert!(error.hint.unwrap_or_default().contains(hint), "{text}");
        }
    }

    #[test]
    fn rules_with_an_arrow_are_meant() {
        for (text, meant) in [
            ("[a, b -> x, y where x < a]", true),
            (" [a=>x", true),
            ("[take 1..3]", false),
            ("[take k where k => 2]", false),
            ("[take 1..3](5) + [a -> x where x < a](5)", false),
            ("[a => x if x < a]", true),
            ("moore[2]", false),
            ("a -> b", false),
        ] {
            assert_eq!(TupleRule::is_meant(text), meant, "{text}");
        }
    }
}
