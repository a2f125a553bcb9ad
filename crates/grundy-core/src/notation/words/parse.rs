//! Reading alternatives, and understanding what was meant where they cannot be read.

mod condition;

use core::ops::Range;

use super::{
    Alt, Amount, Code, MAX_DEPTH, MAX_PARTS, Set, WordRule,
    lex::{self, Token, Word, quoted},
};
use crate::notation::{SyntaxError, nearest};

type Parsed<T> = Result<T, SyntaxError>;

/// Longer suggestions help nobody.
const MAX_SUGGESTION: usize = 120;

/// What people write for the words that begin an alternative.
const OTHER_BEGINNINGS: [(&str, &str); 8] = [
    ("remove", "take"),
    ("subtract", "take"),
    ("pick", "take"),
    ("draw", "take"),
    ("divide", "split"),
    ("break", "split"),
    ("cut", "split"),
    ("separate", "split"),
];

/// What people write for `where`; two words are looked up as one.
const OTHER_WHERE: [&str; 8] = ["if", "when", "with", "whenever", "while", "provided", "such", "satisfying"];

/// Things that are counted elsewhere and not here: `take 3 coins` is `take 3`.
const COUNTED: [&str; 12] = [
    "coins", "coin", "stones", "stone", "tokens", "counters", "objects", "items", "matches", "numbers", "heaps",
    "parts",
];

const COUNTS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const AMOUNT_WORDS: [&str; 9] =
    ["any", "odd", "even", "multiples", "powers", "squares", "primes", "fibonacci", "divisors"];

/// Words that may follow an amount or names.
const FOLLOWING: [&str; 6] = ["where", "leaving", "but", "into", "and", "or"];

/// The whole text as a rule.
pub(super) fn rule(text: &str) -> Parsed<WordRule> {
    let mut parser = Parser {
        text,
        token: Token::End,
        span: 0..0,
        last: 0..0,
        depth: 0,
        taken: None,
        taken_used: false,
        parts: Vec::new(),
        in_take: false,
    };
    let mut alternatives = vec![parser.alternative()?];
    while parser.token == Token::Bar {
        alternatives.push(parser.alternative()?);
    }
    Ok(WordRule { alternatives })
}

struct Parser<'t> {
    text: &'t str,
    /// The token that comes next, and where it stands.
    token: Token,
    span: Range<usize>,
    /// Where the token before it stands.
    last: Range<usize>,
    depth: usize,
    /// The names of the alternative being read, in lower case.
    taken: Option<String>,
    taken_used: bool,
    parts: Vec<String>,
    in_take: bool,
}

impl Parser<'_> {
    /// Reads an alternative up to the bar or the end that follows it, the parser standing at the bar before it or the
    /// start.
    fn alternative(&mut self) -> Parsed<Alt> {
        (self.taken, self.taken_used, self.parts) = (None, false, Vec::new());
        let start = self.text.len() - self.text[self.span.end..].trim_start().len();
        if let Some(code) = self.code(start)? {
            return Ok(code);
        }
        self.advance()?;
        let alternative = match self.token {
            Token::Word(Word::Take) => {
                self.in_take = true;
                self.take()?
            }
            Token::Word(Word::Split) => {
                self.in_take = false;
                self.split()?
            }
            _ => return Err(self.no_beginning()),
        };
        if !matches!(self.token, Token::Bar | Token::End) {
            let conditional =
                matches!(alternative, Alt::Take { condition: Some(_), .. } | Alt::Split { condition: Some(_), .. });
            return Err(self.stray(conditional));
        }
        Ok(alternative)
    }

    /// A code of taking and breaking at byte `start`, if one begins there.
    fn code(&mut self, start: usize) -> Parsed<Option<Alt>> {
        let rest = &self.text[start..];
        let length = Code::prefix_len(rest);
        if length == 0 {
            return Ok(None);
        }
        let code = Code::parse(&rest[..length]).map_err(|error| SyntaxError {
            message: error.message,
            span: error.span.start + start..error.span.end + start,
            hint: error.hint,
        })?;
        self.span = start..start + length;
        self.advance()?;
        match self.token {
            Token::Bar | Token::End => Ok(Some(Alt::Code(code))),
            _ => Err(self.expected("\"|\" or the end after a code")),
        }
    }

    fn take(&mut self) -> Parsed<Alt> {
        self.advance()?;
        let at = self.span.clone();
        let amount = self.amount()?;
        let mut leaving = Vec::new();
        if self.token == Token::Word(Word::Leaving) {
            leaving = self.names()?;
        }
        let condition = self.condition()?;
        if let (Amount::Named(name), false) = (&amount, self.taken_used) {
            refuse_misspelt(name, at)?;
        }
        Ok(Alt::Take { amount, leaving, condition })
    }

    fn split(&mut self) -> Parsed<Alt> {
        self.advance()?;
        let mut into = Vec::new();
        if self.token == Token::Word(Word::Into) {
            let start = self.span.start;
            into = self.names()?;
            if into.len() < 2 && self.token != Token::Name {
                let message = "a split makes at least two parts";
                let span = start..self.last.end;
                let named = if into[0] == "b" { "into a, b".to_string() } else { format!("into {}, b", into[0]) };
                return Err(SyntaxError::new(message, span).with_suggestion(named));
            }
        }
        let condition = self.condition()?;
        Ok(Alt::Split { into, condition })
    }

    fn amount(&mut self) -> Parsed<Amount> {
        if self.token == Token::Name {
            let at = self.span.clone();
            if let Some(error) = self.bound_in_words() {
                return Err(error);
            }
            let name = self.name("the amount")?;
            match self.token {
                Token::Word(Word::Of) => {
                    let found = &self.text[at.clone()];
                    let error = SyntaxError::new(format!("unknown amounts {}", quoted(found)), at);
                    return Err(guessed(error, nearest(found, ["powers", "multiples"])));
                }
                Token::Comma | Token::Dots | Token::Word(Word::But) => {
                    let found = &self.text[at.clone()];
                    let message = format!("{} is a name of the amount and stands alone after \"take\"", quoted(found));
                    return Err(guessed(SyntaxError::new(message, at), nearest(found, AMOUNT_WORDS)));
                }
                _ => {}
            }
            self.taken = Some(name.clone());
            return Ok(Amount::Named(name));
        }
        let include = self.sets()?;
        let mut but = Vec::new();
        if self.token == Token::Word(Word::But) {
            self.advance()?;
            but = self.sets()?;
        }
        Ok(Amount::Listed { include, but })
    }

    fn sets(&mut self) -> Parsed<Vec<Set>> {
        let mut sets = Vec::new();
        loop {
            let start = self.span.start;
            let set = self.set()?;
            if let Set::One(first) = set {
                self.refuse_range(start, first)?;
            }
            sets.push(set);
            match self.token {
                Token::Comma => {
                    let comma = self.span.start;
                    self.advance()?;
                    if let Token::Word(Word::Or | Word::And) = self.token {
                        let span = comma..self.span.end;
                        return Err(SyntaxError::new("amounts are listed with commas", span).with_suggestion(","));
                    }
                    if let Token::Word(Word::Take | Word::Split) = self.token {
                        let span = comma..comma + 1;
                        return Err(SyntaxError::new("alternatives are separated by \"|\"", span).with_suggestion("|"));
                    }
                }
                Token::Word(Word::Or | Word::And) => {
                    let word = self.span.clone();
                    let message = match self.peek() {
                        Token::Word(Word::Take | Word::Split) => return Err(separated_by_bar(word)),
                        _ => "amounts are listed with commas",
                    };
                    return Err(SyntaxError::new(message, word).with_suggestion(","));
                }
                _ => return Ok(sets),
            }
        }
    }

    fn set(&mut self) -> Parsed<Set> {
        let span = self.span.clone();
        let word = match self.token {
            Token::Number(first) => {
                self.advance()?;
                return self.range(first, span.start);
            }
            Token::Word(word) => word,
            Token::Brace => {
                let message = "amounts are listed without braces";
                let end = self.text[span.start..].find('}').map_or(span.end, |i| span.start + i + 1);
                let inner = self.text[span.end..end].trim_end_matches('}').trim();
                return Err(suggested(SyntaxError::new(message, span.start..end), inner.to_string()));
            }
            Token::Minus => return Err(SyntaxError::new("amounts are positive", span)),
            _ => return Err(self.expected("an amount")),
        };
        let set = match word {
            Word::Any => Set::Any,
            Word::Odd => Set::Odd,
            Word::Even => Set::Even,
            Word::Squares => Set::Squares,
            Word::Primes => Set::Primes,
            Word::Fibonacci => Set::Fibonacci,
            Word::Divisors => Set::Divisors,
            Word::Multiples => return self.of().map(Set::MultiplesOf),
            Word::Powers => return self.of().map(Set::PowersOf),
            _ => return Err(self.expected("an amount")),
        };
        self.advance()?;
        Ok(set)
    }

    /// The positive number in `multiples of 3`, the parser standing at the first word.
    fn of(&mut self) -> Parsed<u64> {
        let word = self.span.clone();
        self.advance()?;
        if self.token != Token::Word(Word::Of) {
            let error = self.expected("\"of\"");
            let here = self.span.start;
            return Err(match self.token {
                Token::Number(_) => SyntaxError { span: here..here, hint: Some(written_here("of")), ..error },
                _ => error,
            });
        }
        self.advance()?;
        match self.token {
            Token::Number(0) => {
                let message = format!("\"{} of\" takes a number from 1 on", self.text[word].to_ascii_lowercase());
                Err(SyntaxError::new(message, self.span.clone()))
            }
            Token::Number(number) => {
                self.advance()?;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// A number or a range that begins with `first` at byte `start`, the parser standing behind the number.
    fn range(&mut self, first: u64, start: usize) -> Parsed<Set> {
        let zero = "the amount 0 is no move; \"split\" breaks a heap without taking";
        if self.token != Token::Dots {
            if first == 0 {
                return Err(SyntaxError::new(zero, start..self.last.end));
            }
            return Ok(Set::One(first));
        }
        self.advance()?;
        let last = match self.token {
            Token::Number(last) => {
                self.advance()?;
                Some(last)
            }
            _ => None,
        };
        let span = start..self.last.end;
        match last {
            Some(0) => Err(SyntaxError::new(zero, span)),
            Some(last) if first == 0 => Err(SyntaxError::new(zero, span).with_suggestion(format!("1..{last}"))),
            None if first == 0 => Err(SyntaxError::new(zero, span).with_suggestion("1..")),
            Some(last) if first > last => {
                let message = "the range is empty: its first amount is the larger one";
                Err(SyntaxError::new(message, span).with_suggestion(format!("{last}..{first}")))
            }
            _ => Ok(Set::Range(first, last)),
        }
    }

    /// The error of `1-3` and `1 to 3`, the parser standing behind the 1.
    fn refuse_range(&mut self, start: usize, first: u64) -> Parsed<()> {
        let word = &self.text[self.span.clone()];
        let sign = match self.token {
            Token::Minus => true,
            Token::Name => ["to", "through", "till", "until"].iter().any(|w| word.eq_ignore_ascii_case(w)),
            _ => false,
        };
        if sign && let Token::Number(last) = self.peek() {
            self.advance()?;
            let error = SyntaxError::new("a range is written with \"..\"", start..self.span.end);
            return Err(if last >= first { error.with_suggestion(format!("{first}..{last}")) } else { error });
        }
        Ok(())
    }

    /// The error of `up to 3`, `at most 3`, `at least 3`, `from 1 to 3` and `between 1 and 3`.
    fn bound_in_words(&self) -> Option<SyntaxError> {
        let start = self.span.start;
        let mut ahead = Vec::new();
        let mut end = start;
        for _ in 0..4 {
            let (token, span) = lex::token(self.text, end).ok()?;
            end = span.end;
            ahead.push((token, self.text[span.clone()].to_ascii_lowercase(), end));
        }
        let words: Vec<&str> = ahead.iter().map(|(_, text, _)| text.as_str()).collect();
        let number = |i: usize| if let Token::Number(k) = ahead[i].0 { Some(k) } else { None };
        let (range, end) = match words[..] {
            ["up", "to", ..] | ["at", "most", ..] => (format!("1..{}", number(2)?), ahead[2].2),
            ["at", "least", ..] => (format!("{}..", number(2)?), ahead[2].2),
            ["from", _, "to", _] | ["between", _, "and", _] => (format!("{}..{}", number(1)?, number(3)?), ahead[3].2),
            _ => return None,
        };
        Some(SyntaxError::new("bounds of the amount are written as a range", start..end).with_suggestion(range))
    }

    /// The names after `leaving` or `into`, the parser standing there.
    fn names(&mut self) -> Parsed<Vec<String>> {
        self.advance()?;
        loop {
            if let Some(count) = self.count() {
                return Err(self.parts_by_number(count));
            }
            if self.parts.len() == MAX_PARTS {
                let message = format!("at most {MAX_PARTS} parts can be named");
                return Err(SyntaxError::new(message, self.span.clone()));
            }
            let name = self.name("a part")?;
            self.parts.push(name);
            match self.token {
                Token::Comma => self.advance()?,
                Token::Word(Word::And) if self.peek() == Token::Name => {
                    return Err(
                        SyntaxError::new("names are listed with commas", self.span.clone()).with_suggestion(",")
                    );
                }
                _ => return Ok(self.parts.clone()),
            }
        }
    }

    /// A new name, in lower case.
    fn name(&mut self, what: &str) -> Parsed<String> {
        let span = self.span.clone();
        let found = &self.text[span.clone()];
        match self.token {
            Token::Name => {}
            Token::Word(_) => {
                let message = format!("{} is a word of the language and cannot name {what}", quoted(found));
                return Err(SyntaxError::new(message, span));
            }
            _ => return Err(self.expected(&format!("a name for {what}"))),
        }
        let name = found.to_ascii_lowercase();
        if name == "n" {
            return Err(SyntaxError::new(format!("\"n\" is the heap and cannot name {what}"), span));
        }
        if self.taken.as_ref() == Some(&name) || self.parts.contains(&name) {
            return Err(SyntaxError::new(format!("the name {} is given twice", quoted(&name)), span));
        }
        self.advance()?;
        Ok(name)
    }

    /// The number that stands here in digits or in words, where names are due.
    fn count(&self) -> Option<u64> {
        match self.token {
            Token::Number(count) => Some(count),
            Token::Name if self.parts.is_empty() => {
                let found = &self.text[self.span.clone()];
                let place = |words: &[&str]| words.iter().position(|w| w.eq_ignore_ascii_case(found));
                if ["nothing", "none", "zero"].iter().any(|w| w.eq_ignore_ascii_case(found)) {
                    return Some(0);
                }
                // as a name it is followed by a comma or by what ends a list of names
                let alone = !matches!(self.peek(), Token::Comma | Token::Word(Word::Where));
                place(&COUNTS).filter(|_| alone).map(|i| i as u64 + 1)
            }
            _ => None,
        }
    }

    /// The error of `leaving 2` and `into three heaps`.
    fn parts_by_number(&mut self, count: u64) -> SyntaxError {
        let mut span = self.span.clone();
        if let Ok((Token::Name, next)) = lex::token(self.text, span.end)
            && is_one_of(&self.text[next.clone()], &COUNTED)
        {
            span.end = next.end;
        }
        if count == 0 {
            return SyntaxError::new("to leave nothing, write \"take k where k = n\"", span);
        }
        let error = SyntaxError::new("the parts are named, not counted", span);
        let free = ["a", "b", "c", "d", "e", "f", "g"].into_iter().filter(|name| self.taken.as_deref() != Some(*name));
        match usize::try_from(count) {
            Ok(count) if (if self.in_take { 1 } else { 2 }..=MAX_PARTS).contains(&count) => {
                error.with_suggestion(free.take(count).collect::<Vec<_>>().join(", "))
            }
            _ => error,
        }
    }

    /// The error where an alternative begins with something else.
    fn no_beginning(&self) -> SyntaxError {
        let span = self.span.clone();
        let found = &self.text[span.clone()];
        let error = self.expected("\"take\", \"split\" or a code");
        match self.token {
            Token::Name => match replacement(found, &OTHER_BEGINNINGS) {
                Some(word) => error.with_suggestion(word),
                None => guessed(error, nearest(found, ["take", "split"])),
            },
            Token::Number(_) | Token::Word(Word::Any | Word::Odd | Word::Even | Word::Multiples | Word::Powers) => {
                SyntaxError { span: span.start..span.start, ..error }.with_hint(written_here("take"))
            }
            _ => error,
        }
    }

    /// The error where an alternative is followed by something else than a bar or the end.
    fn stray(&self, conditional: bool) -> SyntaxError {
        let span = self.span.clone();
        let found = &self.text[span.clone()];
        let here = span.start..span.start;
        match self.token {
            Token::Word(Word::Take | Word::Split) => {
                return SyntaxError::new("alternatives are separated by \"|\"", here).with_hint(written_here("|"));
            }
            Token::Comma | Token::Word(Word::Or | Word::And)
                if matches!(self.peek(), Token::Word(Word::Take | Word::Split)) =>
            {
                return separated_by_bar(span);
            }
            Token::Word(Word::Leaving) if !self.in_take => {
                return SyntaxError::new("the parts of a split are named after \"into\"", span).with_suggestion("into");
            }
            Token::Word(Word::Into) if self.in_take => {
                return SyntaxError::new("the parts that a take leaves are named after \"leaving\"", span)
                    .with_suggestion("leaving");
            }
            Token::Word(Word::Leaving | Word::Into) if conditional => {
                return SyntaxError::new("the parts are named before \"where\"", span);
            }
            Token::Word(Word::Where) => return SyntaxError::new("\"where\" stands once", span).with_suggestion("and"),
            Token::Close => return SyntaxError::new("\")\" without \"(\"", span),
            _ => {}
        }
        if conditional {
            let near = if self.token == Token::Name { nearest(found, ["and", "or"]) } else { None };
            return guessed(self.expected("\"and\", \"or\", \"|\" or the end"), near);
        }
        let missing_where = || SyntaxError::new("\"where\" is missing before the condition", here.clone());
        match self.token {
            Token::Name if self.is_variable() => {
                return match self.peek() {
                    Token::Name | Token::End | Token::Bar => self.expected("\",\", \"where\", \"|\" or the end"),
                    _ => missing_where().with_hint(written_here("where")),
                };
            }
            Token::Name if is_one_of(found, &OTHER_WHERE) => {
                let mut span = span;
                // "such that", "provided that"
                if let Ok((Token::Name, next)) = lex::token(self.text, span.end)
                    && self.text[next.clone()].eq_ignore_ascii_case("that")
                {
                    span.end = next.end;
                }
                return SyntaxError::new("a condition begins with \"where\"", span).with_suggestion("where");
            }
            Token::Name if is_one_of(found, &COUNTED) => {
                let message = format!("{} is not needed after an amount", quoted(found));
                let kept = self.text[self.last.clone()].to_string();
                return suggested(SyntaxError::new(message, self.last.start..span.end), kept);
            }
            Token::Name if !self.in_take && found.eq_ignore_ascii_case("in") => {
                return SyntaxError::new("the parts of a split are named after \"into\"", span).with_suggestion("into");
            }
            Token::Name => {
                if let Some(word) = nearest(found, FOLLOWING) {
                    return SyntaxError::new(format!("unknown word {}", quoted(found)), span).with_suggestion(word);
                }
                return match self.peek() {
                    Token::Compare(_) | Token::Star | Token::Plus | Token::Minus | Token::Word(Word::Mod) => {
                        missing_where().with_hint(written_here("where"))
                    }
                    Token::Comma | Token::End | Token::Bar if !self.parts.is_empty() => {
                        SyntaxError::new("names are listed with commas", here).with_hint(written_here(","))
                    }
                    _ => SyntaxError::new(format!("unknown word {}", quoted(found)), span),
                };
            }
            Token::Number(_)
                if self.in_take
                    && self.taken.is_none()
                    && self.parts.is_empty()
                    && matches!(
                        self.peek(),
                        Token::Number(_) | Token::Comma | Token::Dots | Token::Bar | Token::End
                    ) =>
            {
                return SyntaxError::new("amounts are listed with commas", here).with_hint(written_here(","));
            }
            Token::Number(_) | Token::Open | Token::Word(Word::Not | Word::Gcd) => {}
            _ => return self.expected("\"where\", \"|\" or the end"),
        }
        missing_where().with_hint(written_here("where"))
    }
}

// Tokens
impl Parser<'_> {
    fn advance(&mut self) -> Parsed<()> {
        let (token, span) = lex::token(self.text, self.span.end)?;
        self.last = core::mem::replace(&mut self.span, span);
        self.token = token;
        Ok(())
    }

    /// The token after this one; the end where it cannot be read.
    fn peek(&self) -> Token {
        lex::token(self.text, self.span.end).map_or(Token::End, |(token, _)| token)
    }

    /// Steps over a token that opens a new level of nesting.
    fn descend(&mut self) -> Parsed<()> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            return Err(SyntaxError::new(message, self.span.clone()));
        }
        self.depth += 1;
        self.advance()
    }

    /// Steps over the parenthesis that closes the one opened at byte `open`.
    fn close(&mut self, open: usize) -> Parsed<()> {
        match self.token {
            Token::Close => {
                self.depth -= 1;
                self.advance()
            }
            Token::End => Err(SyntaxError::new("this parenthesis is not closed", open..open + 1)),
            _ => Err(self.expected("\")\"")),
        }
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.token {
            Token::End => "the end".to_string(),
            _ => quoted(&self.text[self.span.clone()]),
        };
        SyntaxError::new(format!("expected {what}, found {found}"), self.span.clone())
    }
}

/// Refuses a name of the amount that no condition speaks of and that was hardly meant as a name: every such name means
/// any amount, so `take prime` would silently be another game.
fn refuse_misspelt(name: &str, at: Range<usize>) -> Parsed<()> {
    let error = |message: String| SyntaxError::new(message, at.clone());
    if let Some(count) = COUNTS.iter().position(|word| *word == name) {
        return Err(error("amounts are written in digits".to_string()).with_suggestion((count + 1).to_string()));
    }
    match nearest(name, AMOUNT_WORDS) {
        Some(word) if name.len() > 2 => {
            Err(error(format!("unknown amounts {}; a name is used in a condition", quoted(name))).with_suggestion(word))
        }
        _ => Ok(()),
    }
}

fn separated_by_bar(span: Range<usize>) -> SyntaxError {
    SyntaxError::new("alternatives are separated by \"|\"", span).with_suggestion("|")
}

fn is_one_of(found: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(found))
}

fn replacement(found: &str, table: &[(&'static str, &'static str)]) -> Option<&'static str> {
    table.iter().find(|(other, _)| other.eq_ignore_ascii_case(found)).map(|(_, word)| *word)
}

fn guessed(error: SyntaxError, guess: Option<&str>) -> SyntaxError {
    match guess {
        Some(guess) => error.with_suggestion(guess),
        None => error,
    }
}

/// The hint where a word or sign is missing.
fn written_here(word: &str) -> String {
    format!("write \"{word}\" here")
}

/// The error with a replacement built from the text, unless that is too long to help.
fn suggested(error: SyntaxError, replacement: String) -> SyntaxError {
    if replacement.is_empty() || replacement.len() > MAX_SUGGESTION {
        error
    } else {
        error.with_suggestion(replacement)
    }
}
