//! Text to tree. Written by hand, because the messages are half of its worth: every error has a place and a remedy.

mod graph;

use super::{SyntaxError, TupleRule, ast::*, words::WordRule};
use crate::rulesets::heap::Code;

/// Longest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 26;

/// Reads a sum: `nim(3,5,7) + 2x kayles(15)`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn parse_sum(text: &str) -> Result<SumAst, SyntaxError> {
    let mut p = Parser::new(text)?;
    let sum = p.sum()?;
    p.end("\"+\" or the end")?;
    Ok(sum)
}

/// Reads a ruleset alone, as commands take it: `0.77`, `moore[2]`, `[take 1..3]`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn parse_ruleset(text: &str) -> Result<RulesetAst, SyntaxError> {
    let mut p = Parser::new(text)?;
    p.space();
    let ruleset = p.ruleset()?;
    p.space();
    if p.rest().starts_with('(') {
        return Err(SyntaxError::new("a ruleset is wanted here, without a position", p.at..text.len())
            .with_hint(text[..p.at].trim()));
    }
    p.end("the end")?;
    Ok(ruleset)
}

/// True for the short form of Nim: bare integers between blanks and commas (but `0` alone is the empty sum).
pub fn is_bare_nim(text: &str) -> bool {
    let text = text.trim();
    let allowed = |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '_' | '^' | ',' | '-');
    text != "0" && text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(allowed)
}

/// Reads the short form of Nim: `3 5 7`, `3,5,7`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn parse_bare_nim(text: &str) -> Result<SumAst, SyntaxError> {
    let mut p = Parser::new(text)?;
    let mut positions = Vec::new();
    loop {
        p.space();
        while p.eat(',') {
            p.space();
        }
        if p.rest().is_empty() {
            break;
        }
        let start = p.at;
        let value = p.sum_literal()?;
        positions.push(PositionAst { value: PositionValue::Number(value), span: start..p.at });
    }
    let ruleset = RulesetAst { kind: RulesetKind::Named { name: "nim".into(), parameters: Vec::new() }, span: 0..0 };
    let component = ComponentAst::Game { ruleset, positions: Some(positions) };
    Ok(SumAst { terms: vec![TermAst { copies: 1, component, span: 0..text.len() }] })
}

/// Reads a number as the notation writes it: `100`, `1_000`, `10^5`, `2^20-1`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn parse_number(text: &str) -> Result<u128, SyntaxError> {
    let mut p = Parser::new(text)?;
    p.space();
    if p.rest().starts_with('-') {
        return p.error("this number cannot be negative");
    }
    let value = p.sum_literal()?;
    p.space();
    if p.rest().is_empty() { Ok(value) } else { p.expected("the end") }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, SyntaxError> {
        if text.len() > MAX_TEXT {
            return Err(SyntaxError::new(format!("the text is longer than {MAX_TEXT} bytes"), MAX_TEXT..text.len()));
        }
        Ok(Parser { text, at: 0 })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        Err(SyntaxError::new(message, self.at..self.at + width))
    }

    /// "expected X, found Y" at the present place.
    fn expected<T>(&self, what: &str) -> Result<T, SyntaxError> {
        match self.rest().chars().next() {
            Some(c) => self.error(format!("expected {what}, found \"{}\"", c.escape_debug())),
            None => self.error(format!("expected {what}, found the end")),
        }
    }

    fn end(&mut self, what: &str) -> Result<(), SyntaxError> {
        self.space();
        match self.rest().chars().next() {
            None => Ok(()),
            Some(')' | ']' | '}') => self.error("this bracket was never opened"),
            Some(',') => self.error("a comma does not join games").map_err(|e: SyntaxError| e.with_hint("+")),
            Some('-') => self.error("games are added, never subtracted: every impartial game is its own negative"),
            Some(c) => {
                let error = self.expected(what);
                let hint = if self.text[..self.at].trim_end().ends_with(')') {
                    "games are joined by \"+\""
                } else if c.is_ascii_digit() {
                    "a position stands in parentheses, as in kayles(15)"
                } else {
                    return error;
                };
                error.map_err(|e: SyntaxError| e.with_hint(hint))
            }
        }
    }

    fn sum(&mut self) -> Result<SumAst, SyntaxError> {
        let mut terms = vec![self.term()?];
        loop {
            self.space();
            if !self.eat('+') {
                return Ok(SumAst { terms });
            }
            terms.push(self.term()?);
        }
    }

    fn term(&mut self) -> Result<TermAst, SyntaxError> {
        self.space();
        let start = self.at;
        let copies = self.copies()?.unwrap_or(1);
        self.space();
        let component = self.component()?;
        Ok(TermAst { copies, component, span: start..self.at })
    }

    /// `3x`, `3 x` or `10^3x`, if it stands here: the count is taken, and the x.
    fn copies(&mut self) -> Result<Option<u64>, SyntaxError> {
        let rest = self.rest();
        let after =
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '_' | '^'));
        if !rest.starts_with(|c: char| c.is_ascii_digit()) || !after.starts_with(['x', 'X', '×']) {
            return Ok(None);
        }
        let start = self.at;
        let count = self.literal()?;
        self.space();
        if !['x', 'X', '×'].into_iter().any(|x| self.eat(x)) {
            self.at = start;
            return Ok(None);
        }
        // beyond any sum that can be, which lowering refuses
        Ok(Some(u64::try_from(count).unwrap_or(u64::MAX)))
    }

    fn component(&mut self) -> Result<ComponentAst, SyntaxError> {
        if Code::prefix_len(self.rest()) == 0 && self.eat('*') {
            self.space();
            if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                return Ok(ComponentAst::Nimber(1));
            }
            let start = self.at;
            let value = self.literal()?;
            let n = size(value, start..self.at)?;
            return Ok(ComponentAst::Nimber(n));
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) && Code::prefix_len(self.rest()) == 0 {
            let start = self.at;
            let value = self.literal()?;
            if value == 0 {
                return Ok(ComponentAst::Zero);
            }
            return Err(SyntaxError::new("a number alone is no game here; a heap needs its rules", start..self.at)
                .with_suggestion(format!("nim({value})")));
        }
        let ruleset = self.ruleset()?;
        self.space();
        let on_graph = matches!(&ruleset.kind, RulesetKind::Named { name, .. } if is_on_graph(name));
        let positions = match self.rest().starts_with('(') {
            false => None,
            true if on_graph => Some(self.vertices()?),
            true => Some(self.positions()?),
        };
        Ok(ComponentAst::Game { ruleset, positions })
    }

    fn ruleset(&mut self) -> Result<RulesetAst, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        let kind = match rest.chars().next() {
            Some('[') => {
                if TupleRule::is_meant(rest) {
                    return Err(SyntaxError::new("a rule with an arrow is not played here", start..start + 1)
                        .with_hint("grundy prove and grundy discover take it, alone"));
                }
                let close = closing_bracket(rest).ok_or_else(|| {
                    SyntaxError::new("this bracket is never closed", start..start + 1)
                        .with_hint("add \"]\" after the rule")
                })?;
                let rule = WordRule::parse(&rest[1..close], start + 1)?;
                self.at += close + 1;
                RulesetKind::Words(rule)
            }
            // a digit of a code may be a letter, as in C.5
            Some(c) if c.is_ascii_alphabetic() && Code::prefix_len(rest) == 0 => {
                let len = rest.len()
                    - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-').len();
                let name = rest[..len].to_ascii_lowercase().replace('-', "_");
                if name == "take" || name == "split" {
                    return Err(SyntaxError::new("a rule in words stands in square brackets", start..start + len)
                        .with_hint("for example [take 1..3](12)"));
                }
                self.at += len;
                self.space();
                let parameters = match self.rest().starts_with('[') {
                    false => Vec::new(),
                    true if name == "coins" => vec![self.coin_code()?],
                    true if name == "tartan" => vec![self.product()?],
                    true if is_on_graph(&name) => self.graph()?,
                    true => self.parameters()?,
                };
                RulesetKind::Named { name, parameters }
            }
            Some('-') if rest[1..].trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
                return Err(self.negative());
            }
            Some(_) if Code::prefix_len(rest) > 0 => {
                let len = Code::prefix_len(rest);
                let code = Code::parse(&rest[..len]).map_err(|e| SyntaxError {
                    message: e.message,
                    span: e.span.start + start..e.span.end + start,
                    hint: e.hint,
                })?;
                self.at += len;
                RulesetKind::Code(code)
            }
            Some('(') => {
                return self
                    .error("a position needs its ruleset in front")
                    .map_err(|e: SyntaxError| e.with_suggestion("nim("));
            }
            _ => return self.expected("a game such as nim(3, 5, 7)"),
        };
        Ok(RulesetAst { kind, span: start..self.at })
    }

    fn parameters(&mut self) -> Result<Vec<ParameterAst>, SyntaxError> {
        self.list('[', ']', |p| {
            let start = p.at;
            let value = match p.rest().chars().next() {
                Some('{') => ParameterValue::Set(p.list('{', '}', |p| p.sum_literal())?),
                Some('"') => ParameterValue::Text(p.string()?),
                Some(c) if c.is_ascii_digit() => ParameterValue::Number(p.sum_literal()?),
                Some(c) if c.is_ascii_alphabetic() => {
                    let rest = p.rest();
                    let len = rest.len()
                        - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-').len();
                    p.at += len;
                    ParameterValue::Text(rest[..len].to_ascii_lowercase())
                }
                _ => return p.expected("a parameter: a number, a set {1, 3} or a text in quotes"),
            };
            Ok(ParameterAst { value, span: start..p.at })
        })
    }

    /// `["1-3"]` or `[1-3]`: a code of coins, in quotes or not.
    fn coin_code(&mut self) -> Result<ParameterAst, SyntaxError> {
        let open = self.at;
        self.at += 1;
        self.space();
        let start = self.at;
        let Some(len) = self.rest().find(']') else {
            return Err(SyntaxError::new("this bracket is never closed", open..open + 1).with_hint("add \"]\""));
        };
        let mut code = self.rest()[..len].trim();
        let span = start..start + code.len();
        self.at += len + 1;
        if let Some(inner) = code.strip_prefix('"').and_then(|c| c.strip_suffix('"')) {
            code = inner;
        }
        Ok(ParameterAst { value: ParameterValue::Text(code.to_owned()), span })
    }

    /// `[g1 * g2 * …]`: games of a product; a code in quotes is one of coins.
    fn product(&mut self) -> Result<ParameterAst, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut factors = Vec::new();
        loop {
            self.space();
            let at = self.at;
            if self.rest().starts_with('"') {
                let value = ParameterValue::Text(self.string()?);
                let span = at..self.at;
                let parameters = vec![ParameterAst { value, span: span.clone() }];
                factors.push(RulesetAst { kind: RulesetKind::Named { name: "coins".into(), parameters }, span });
            } else if self.rest().get(..6).is_some_and(|name| name.eq_ignore_ascii_case("tartan")) {
                // nor may a nesting without end exhaust the stack
                return Err(SyntaxError::new("a product of products is written as one product", at..at + 6)
                    .with_hint("tartan[twins * ruler * ruler]"));
            } else if self.rest().starts_with(|c: char| c.is_ascii_alphabetic()) {
                factors.push(self.ruleset()?);
            } else {
                return self.expected("a coin-turning game such as ruler");
            }
            self.space();
            if self.eat(']') {
                return Ok(ParameterAst { value: ParameterValue::Product(factors), span: start..self.at });
            }
            if !self.eat('*') && !self.eat('×') {
                return self.expected("\"*\" or \"]\"");
            }
        }
    }

    fn positions(&mut self) -> Result<Vec<PositionAst>, SyntaxError> {
        self.list('(', ')', |p| {
            let start = p.at;
            let value = match p.rest().chars().next() {
                Some('"') => PositionValue::Text(p.string()?),
                Some('{') if p.rest()[1..].trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
                    return p.error("a cell stands in parentheses").map_err(|e: SyntaxError| {
                        e.with_hint("the cells of a board are {(1, 2), (3, 4)}, the heads of a row @{2, 3}")
                    });
                }
                Some('{') => PositionValue::Points(p.list('{', '}', |p| p.list('(', ')', |p| p.sum_literal()))?),
                Some('@') => {
                    p.at += 1;
                    p.space();
                    if p.rest().starts_with('{') && p.rest()[1..].trim_start().starts_with('(') {
                        return p.error("the heads of a row are numbers").map_err(|e: SyntaxError| {
                            e.with_hint("the cells of a board are written without @, as {(1, 2), (3, 4)}")
                        });
                    }
                    PositionValue::Heads(p.list('{', '}', |p| p.sum_literal())?)
                }
                Some('-' | '0'..='9') => {
                    let mut sides = vec![p.sum_literal()?];
                    loop {
                        let before = p.at;
                        p.space();
                        if !p.eat('x') && !p.eat('X') {
                            p.at = before;
                            break;
                        }
                        p.space();
                        sides.push(p.sum_literal()?);
                    }
                    if sides.len() == 1 { PositionValue::Number(sides[0]) } else { PositionValue::Box(sides) }
                }
                Some('H' | 'T' | 'h' | 't') => {
                    let word = p.rest();
                    let len = word.len() - word.trim_start_matches(|c: char| "HThthT/".contains(c)).len();
                    let quoted = format!("\"{}\"", &word[..len]);
                    return Err(SyntaxError::new("a row in letters stands in quotes", p.at..p.at + len).with_hint(
                        format!("write {quoted}, and for the shell quotes of another kind around the whole"),
                    ));
                }
                _ => return p.expected("a number"),
            };
            Ok(PositionAst { value, span: start..p.at })
        })
    }

    /// `open item , item … close`, possibly empty; a missing comma or bracket is named.
    fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let start = self.at;
        if !self.eat(open) {
            return self.expected(&format!("\"{open}\""));
        }
        let mut items = Vec::new();
        self.space();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            self.space();
            items.push(item(self)?);
            self.space();
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(',') {
                return if self.rest().is_empty() {
                    Err(SyntaxError::new("this parenthesis is never closed", start..start + 1)
                        .with_hint(format!("add \"{close}\"")))
                } else {
                    self.expected(&format!("\",\" or \"{close}\""))
                };
            }
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.at += 1;
        match self.rest().find('"') {
            Some(len) => {
                let text = self.rest()[..len].to_owned();
                self.at += len + 1;
                Ok(text)
            }
            None => Err(SyntaxError::new("this text is never closed", start..start + 1).with_hint("add \"")),
        }
    }

    /// The error of a minus sign in front of a number, both marked.
    fn negative(&self) -> SyntaxError {
        let rest = &self.rest()[1..];
        let number = rest.len() - rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).len();
        negative(self.at..self.at + 1 + number)
    }

    /// A literal with `a^b+c` and `a^b-c`, as it stands in positions, parameters and sets.
    fn sum_literal(&mut self) -> Result<u128, SyntaxError> {
        let start = self.at;
        if self.rest().starts_with('-') {
            return Err(self.negative());
        }
        let mut value = self.literal()?;
        if !self.text[start..self.at].contains('^') {
            return Ok(value);
        }
        loop {
            let before = self.at;
            self.space();
            let minus = self.rest().starts_with('-');
            let digits = self.rest()[1.min(self.rest().len())..].trim_start().starts_with(|c: char| c.is_ascii_digit());
            if !(minus || self.rest().starts_with('+')) || !digits {
                self.at = before;
                return Ok(value);
            }
            self.at += 1;
            self.space();
            let term = self.literal()?;
            let next = if minus { value.checked_sub(term) } else { value.checked_add(term) };
            value = match next {
                Some(v) => v,
                None if minus => return Err(negative(start..self.at)),
                None => return Err(too_large(start..self.at)),
            };
        }
    }

    /// Digits, or a power `a^b` up to 2^127.
    fn literal(&mut self) -> Result<u128, SyntaxError> {
        let start = self.at;
        let base = self.digits()?;
        let before = self.at;
        self.space();
        if !self.eat('^') {
            self.at = before;
            return Ok(base);
        }
        self.space();
        let exponent = self.digits()?;
        let power = u32::try_from(exponent)
            .ok()
            .and_then(|e| if base <= 1 { Some(base.pow(e.min(1))) } else { base.checked_pow(e) });
        power.filter(|p| *p <= 1 << 127).ok_or_else(|| too_large(start..self.at))
    }

    fn digits(&mut self) -> Result<u128, SyntaxError> {
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_').len();
        if len == 0 || rest.starts_with('_') {
            return self.expected("a number");
        }
        let value = self.number(self.at, len)?;
        self.at += len;
        if let Some(c @ ('.' | 'e' | 'E')) = self.rest().chars().next() {
            return self.error(match c {
                '.' => "heaps are whole numbers",
                _ => "write 10^18 rather than 1e18",
            });
        }
        Ok(value)
    }

    fn number(&self, start: usize, len: usize) -> Result<u128, SyntaxError> {
        let text = &self.text[start..start + len];
        if text.ends_with('_') {
            return Err(SyntaxError::new("an underscore stands between digits", start..start + len));
        }
        text.chars()
            .filter_map(|c| c.to_digit(10))
            .try_fold(0u128, |v, d| v.checked_mul(10)?.checked_add(u128::from(d)))
            .filter(|v| *v <= 1 << 127)
            .ok_or_else(|| too_large(start..start + len))
    }
}

/// Largest size of a heap: 2^63.
pub const MAX_SIZE: u64 = 1 << 63;

fn negative(span: Span) -> SyntaxError {
    SyntaxError::new("a heap cannot be negative", span).with_hint("sizes are the whole numbers from 0 on")
}

fn too_large(span: Span) -> SyntaxError {
    SyntaxError::new("this number is too large", span).with_hint("heaps go up to 2^63 = 9223372036854775808")
}

/// A number of the text as the size of a heap.
///
/// # Errors
/// Beyond 2^63.
pub fn size(value: u128, span: Span) -> Result<u64, SyntaxError> {
    u64::try_from(value).ok().filter(|n| *n <= MAX_SIZE).ok_or_else(|| too_large(span))
}

/// The place of the `]` that closes the `[` at the start, quotes respected.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quoted = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Games that have a graph as parameter and names in their positions; partizan ones among them, which are refused by name.
const ON_GRAPHS: [&str; 11] = [
    "digraph",
    "node_kayles",
    "arc_kayles",
    "vertex_edge_deletion",
    "green_hackenbush",
    "geography",
    "poset",
    "hackenbush",
    "red_blue_hackenbush",
    "col",
    "snort",
];

fn is_on_graph(game: &str) -> bool {
    ON_GRAPHS.contains(&game)
}
