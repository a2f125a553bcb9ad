//! Parsing by precedence.
//!
//! Terms and conditions are read by one routine and told apart afterwards: after `(` nobody knows which of the two
//! follows, and going back for a second try would cost exponential time in nested parentheses. It also makes better
//! messages, since a condition in the place of a number is understood before it is refused.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashMap;

use crate::notation::{SyntaxError, nearest};

use super::ast::{Arguments, Columns, Comparison, Condition, Divisor, Level, Operation, Shift, Term};
use super::lex::{self, Token, quoted};
use super::{Case, Claim, Formula};

/// The greatest length of a text in bytes.
pub(super) const MAX_LENGTH: usize = 1 << 18;

/// The greatest number of parentheses, calls and `not` inside one another.
pub(super) const MAX_DEPTH: usize = 128;

/// Longer suggestions help nobody.
const MAX_SUGGESTION: usize = 120;

impl Formula {
    /// Reads a formula in the given variables.
    ///
    /// # Complexity
    /// Time and memory O(length of the text + number of names), the search for a similar name in an error aside.
    /// Recursion as deep as the text is nested, at most 128 levels.
    ///
    /// # Errors
    /// A [`SyntaxError`] at the first place that cannot be read; texts longer than 2^18 bytes and more than 128
    /// levels of nesting are refused. Variables have to be distinct lower-case names that are no words of the language.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::notation::formula::Formula;
    /// let lasker = Formula::parse("n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n", &["n"])?;
    /// assert_eq!(lasker.eval(&[2_147_483_647]), Ok(2_147_483_648));
    /// assert_eq!(lasker.to_string(), "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n");
    ///
    /// let error = Formula::parse("2n + 1", &["n"]).unwrap_err();
    /// assert_eq!((error.span, error.hint.as_deref()), (0..2, Some("did you mean \"2*n\"?")));
    /// # Ok::<(), grundy_core::notation::SyntaxError>(())
    /// ```
    pub fn parse(text: &str, variables: &[&str]) -> Result<Self, SyntaxError> {
        Parser::new(text, variables)?.formula(variables)
    }
}

impl Claim {
    /// Reads a claim in the given variables.
    ///
    /// # Complexity
    /// As for [`Formula::parse`].
    ///
    /// # Errors
    /// As for [`Formula::parse`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::notation::formula::Claim;
    /// let moore = Claim::parse("columns(a, b, c) mod 3 = 0", &["a", "b", "c"])?;
    /// assert_eq!(moore.eval(&[5, 5, 5]), Ok(true));
    /// assert_eq!(moore.eval(&[1, 2, 3]), Ok(false));
    /// # Ok::<(), grundy_core::notation::SyntaxError>(())
    /// ```
    pub fn parse(text: &str, variables: &[&str]) -> Result<Self, SyntaxError> {
        Parser::new(text, variables)?.claim(variables)
    }
}

/// True if `name` may be the name of a variable.
pub(in crate::notation) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_')
        && lex::word(name).is_none()
}

/// What was read, before it is known to be in its place, and where: parentheses around it included.
struct Operand {
    node: Node,
    span: Range<usize>,
}

enum Node {
    Number(Term),
    Truth(Condition),
}

/// What was read up to where its right operand has to follow; the last field is where it starts.
enum Waiting {
    Not(usize),
    Junction(Condition, Level, usize),
    Comparison(Term, Token, usize),
    Operation(Term, Token, usize),
}

impl Waiting {
    fn level(&self) -> Level {
        match self {
            Waiting::Not(_) => Level::Not,
            Waiting::Junction(_, level, _) => *level,
            Waiting::Comparison(..) => Level::Compare,
            Waiting::Operation(_, operator, _) => operator.level().unwrap_or(Level::Primary),
        }
    }
}

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'t> {
    text: &'t str,
    variables: &'t [&'t str],
    places: HashMap<&'t str, usize>,
    /// The token that comes next, and where it stands.
    token: Token,
    span: Range<usize>,
    /// Where the token before it stands.
    last: Range<usize>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, variables: &'t [&'t str]) -> Parsed<Self> {
        if text.len() > MAX_LENGTH {
            let mut from = MAX_LENGTH;
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            let message = format!("the text is longer than {MAX_LENGTH} bytes");
            return Err(SyntaxError::new(message, from..text.len()));
        }
        let mut places = HashMap::with_capacity(variables.len());
        for (i, name) in variables.iter().enumerate() {
            if !is_variable_name(name) {
                return Err(SyntaxError::new(format!("{} cannot be the name of a variable", quoted(name)), 0..0));
            }
            if places.insert(*name, i).is_some() {
                return Err(SyntaxError::new(format!("the variable {} is declared twice", quoted(name)), 0..0));
            }
        }
        let (token, span) = lex::token(text, 0)?;
        Ok(Parser { text, variables, places, token, span, last: 0..0, depth: 0 })
    }

    fn formula(mut self, variables: &[&str]) -> Parsed<Formula> {
        let mut cases = Vec::new();
        let otherwise = loop {
            if self.token == Token::Else {
                self.advance()?;
                if self.token == Token::Colon {
                    return Err(SyntaxError::new("\"else\" is followed by a term without \":\"", self.span));
                }
                let operand = self.expression(Level::Or)?;
                break self.number(operand)?;
            }
            if self.token == Token::End && !cases.is_empty() {
                let message = "the cases end without \"else\" and a term";
                return Err(SyntaxError::new(message, self.span));
            }
            let operand = self.expression(Level::Or)?;
            match operand.node {
                Node::Number(term) if cases.is_empty() && self.token != Token::Colon => break term,
                Node::Number(_) if self.token == Token::End => {
                    let replacement = format!("else {}", &self.text[operand.span.clone()]);
                    let message = "the term for all other cases has \"else\" before it";
                    return Err(suggest(SyntaxError::new(message, operand.span), replacement));
                }
                _ => {}
            }
            let condition = self.truth(operand)?;
            self.expect(Token::Colon, "\":\" and a term after the condition")?;
            let operand = self.expression(Level::Or)?;
            let value = self.number(operand)?;
            self.expect(Token::Semicolon, "\";\" after the term of a case")
                .map_err(|error| if self.token == Token::Else { error.with_suggestion("; else") } else { error })?;
            cases.push(Case { condition, value });
        };
        self.end()?;
        Ok(Formula { variables: variables.iter().map(|name| name.to_string()).collect(), cases, otherwise })
    }

    fn claim(mut self, variables: &[&str]) -> Parsed<Claim> {
        let operand = self.expression(Level::Or)?;
        let condition = self.truth(operand)?;
        self.end()?;
        Ok(Claim { variables: variables.iter().map(|name| name.to_string()).collect(), condition })
    }

    /// Reads operators at least as tight as `floor` with their operands.
    ///
    /// What waits for its right operand is kept in a list, the tightest last, and not on the call stack: one level of
    /// parentheses may hold operators of all ten levels, and the call stack is short.
    fn expression(&mut self, floor: Level) -> Parsed<Operand> {
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            while self.token == Token::Not {
                if waiting.last().map_or(floor, Waiting::level) > Level::Not {
                    return Err(self.expected("a number"));
                }
                waiting.push(Waiting::Not(self.span.start));
                self.descend()?;
            }
            let mut operand = self.primary()?;
            let next = self.token.level().filter(|level| *level >= floor);
            while let Some(top) = waiting.pop_if(|top| next.is_none_or(|next| top.level() >= next)) {
                if let (Waiting::Comparison(_, _, start), Some(Level::Compare)) = (&top, next) {
                    let negated = matches!(waiting.last(), Some(Waiting::Not(_)));
                    return Err(self.chained(*start, operand.span, negated));
                }
                operand = self.complete(top, operand)?;
            }
            let Some(level) = next else {
                if self.token.begins_operand() {
                    return Err(self.missing_operator());
                }
                return Ok(operand);
            };
            let start = operand.span.start;
            waiting.push(match level {
                Level::Or | Level::And => Waiting::Junction(self.truth(operand)?, level, start),
                Level::Compare => Waiting::Comparison(self.number(operand)?, self.token, start),
                _ => Waiting::Operation(self.number(operand)?, self.token, start),
            });
            self.advance()?;
        }
    }

    /// What was waiting, with its right operand.
    fn complete(&mut self, waiting: Waiting, right: Operand) -> Parsed<Operand> {
        let end = right.span.end;
        let (node, start) = match waiting {
            Waiting::Not(start) => {
                self.depth -= 1;
                (Node::Truth(self.truth(right)?.negated()), start)
            }
            Waiting::Junction(left, Level::Or, start) => (Node::Truth(left.or(self.truth(right)?)), start),
            Waiting::Junction(left, _, start) => (Node::Truth(left.and(self.truth(right)?)), start),
            Waiting::Comparison(left, sign, start) => {
                let comparison = match sign {
                    Token::NotEqual => Comparison::NotEqual,
                    Token::Less => Comparison::Less,
                    Token::LessOrEqual => Comparison::LessOrEqual,
                    Token::Greater => Comparison::Greater,
                    Token::GreaterOrEqual => Comparison::GreaterOrEqual,
                    _ => Comparison::Equal,
                };
                let right = self.number(right)?;
                (Node::Truth(Condition::Compare(left, comparison, right)), start)
            }
            Waiting::Operation(left, operator, start) => {
                (Node::Number(left.then(self.operation(operator, right)?)), start)
            }
        };
        Ok(Operand { node, span: start..end })
    }

    fn operation(&self, operator: Token, right: Operand) -> Parsed<Operation> {
        Ok(match operator {
            Token::Mod => Operation::Mod(self.divisor(right, "mod")?),
            Token::Div => Operation::Div(self.divisor(right, "div")?),
            Token::ShiftLeft => Operation::ShiftLeft(self.shift(right, "<<")?),
            Token::ShiftRight => Operation::ShiftRight(self.shift(right, ">>")?),
            Token::Star => Operation::Times(self.number(right)?),
            Token::Plus => Operation::Plus(self.number(right)?),
            Token::Minus => Operation::Minus(self.number(right)?),
            Token::BitAnd => Operation::BitAnd(self.number(right)?),
            Token::Xor => Operation::Xor(self.number(right)?),
            _ => Operation::BitOr(self.number(right)?),
        })
    }

    /// The error of `a < b < c`, the parser standing at the second sign; it suggests `a < b and b < c`, in
    /// parentheses after `not`.
    fn chained(&mut self, start: usize, second: Range<usize>, negated: bool) -> SyntaxError {
        let message = "comparisons do not chain";
        let mut span = start..self.span.end;
        let mut replacement = self.text[start..second.end].to_string();
        let mut left = second;
        while self.token.level() == Some(Level::Compare) {
            let sign = self.span.clone();
            let right = match self.advance().and_then(|()| self.expression(Level::Compare.tighter())) {
                Ok(operand) => operand.span,
                Err(_) => return SyntaxError::new(message, span),
            };
            span.end = right.end;
            if replacement.len() <= MAX_SUGGESTION {
                let (left, sign) = (&self.text[left], &self.text[sign]);
                replacement += &format!(" and {left} {sign} {}", &self.text[right.clone()]);
            }
            left = right;
        }
        if negated {
            replacement = format!("({replacement})");
        }
        suggest(SyntaxError::new(message, span), replacement)
    }

    /// A number, a variable, a call, or anything in parentheses.
    fn primary(&mut self) -> Parsed<Operand> {
        match self.token {
            Token::Number(magnitude) => {
                let span = self.span.clone();
                self.advance()?;
                match i128::try_from(magnitude) {
                    Ok(value) => Ok(number_at(span, Term::Integer(value))),
                    Err(_) => Err(lex::too_large(span)),
                }
            }
            Token::Minus => self.negative(),
            Token::Name => self.variable(),
            Token::Open => self.parenthesis(),
            Token::LowBit | Token::BitLength | Token::Min | Token::Max | Token::Columns => self.call(),
            Token::Else => Err(SyntaxError::new("\"else\" stands after a \";\"", self.span.clone())),
            _ => Err(self.expected("a number, a variable or a parenthesis")),
        }
    }

    fn parenthesis(&mut self) -> Parsed<Operand> {
        let start = self.span.start;
        self.descend()?;
        let mut inner = self.expression(Level::Or)?;
        inner.span = start..self.close(start)?;
        Ok(inner)
    }

    /// A function with its arguments. They are read in a small frame, since calls nest, and judged in another.
    fn call(&mut self) -> Parsed<Operand> {
        let (name, function) = (self.span.clone(), self.token);
        let arguments = self.arguments()?;
        match function {
            Token::Columns => self.columns(name.start, arguments),
            _ => self.function(name, function, arguments),
        }
    }

    fn function(&self, name: Range<usize>, function: Token, mut arguments: Vec<Operand>) -> Parsed<Operand> {
        let span = name.start..self.last.end;
        let term = match function {
            Token::Min => Term::Min(self.numbers(arguments)?),
            Token::Max => Term::Max(self.numbers(arguments)?),
            _ => {
                if let Some(extra) = arguments.get(1) {
                    let message = format!("{} takes one argument", quoted(&self.text[name]));
                    return Err(SyntaxError::new(message, extra.span.clone()));
                }
                let argument = Box::new(self.number(arguments.remove(0))?);
                if function == Token::LowBit { Term::LowBit(argument) } else { Term::BitLength(argument) }
            }
        };
        Ok(number_at(span, term))
    }

    /// A negative number; a minus sign before anything else is refused, since `-n mod 4` is read in two ways.
    fn negative(&mut self) -> Parsed<Operand> {
        let start = self.span.start;
        let minus = self.span.clone();
        self.advance()?;
        let span = start..self.span.end;
        if let Token::Number(magnitude) = self.token {
            self.advance()?;
            // Right for -2^127 too: 2^127 wraps to the least integer, which is its own negative.
            let value = (magnitude as i128).wrapping_neg();
            return Ok(number_at(span, Term::Integer(value)));
        }
        let message = "a minus sign stands between two terms or before a number";
        if self.token == Token::Name {
            let replacement = format!("(0 - {})", &self.text[self.span.clone()]);
            return Err(suggest(SyntaxError::new(message, span), replacement));
        }
        Err(SyntaxError::new(message, minus))
    }

    fn variable(&mut self) -> Parsed<Operand> {
        let span = self.span.clone();
        let name = &self.text[span.clone()];
        let place = self.places.get(&*lower(name)).copied();
        let Some(place) = place else {
            let called = self.text[span.end..].trim_start().starts_with('(');
            let functions = lex::FUNCTIONS.iter().map(|(word, _)| *word);
            let (kind, guess) = if called {
                ("function", nearest(name, functions))
            } else {
                ("name", nearest(name, self.variables.iter().copied().chain(functions)))
            };
            let mut message = format!("unknown {kind} {}", quoted(name));
            message += &match self.variables {
                [one] if !called => format!(" (the variable is {one})"),
                all if !called && (2..=4).contains(&all.len()) => format!(" (the variables are {})", all.join(", ")),
                _ => String::new(),
            };
            let error = SyntaxError::new(message, span);
            return Err(match lex::foreign_word(name).or(guess) {
                Some(here) => error.with_suggestion(here),
                None => error,
            });
        };
        self.advance()?;
        Ok(number_at(span, Term::Variable(place)))
    }

    /// What follows the arguments of `columns`.
    fn columns(&mut self, start: usize, arguments: Vec<Operand>) -> Parsed<Operand> {
        let arguments = self.numbers(arguments)?;
        self.expect(Token::Mod, "\"mod m = r\" after the columns")?;
        let modulus = self.expression(Level::Primary)?;
        let modulus = self.divisor(modulus, "mod")?;
        self.expect(Token::Equal, "\"=\" and the residue of the columns")?;
        let residue = self.expression(Level::Compare.tighter())?;
        let place = residue.span.clone();
        let residue = self.constant(residue, "the residue of the columns is a constant")?;
        let Some(columns) = Columns::new(arguments, modulus, residue) else {
            let message = format!("a residue modulo {} is at least 0 and below {0}", modulus.get());
            let error = SyntaxError::new(message, place);
            return Err(suggest(error, residue.rem_euclid(modulus.get()).to_string()));
        };
        Ok(Operand { node: Node::Truth(Condition::Columns(columns)), span: start..place.end })
    }

    /// The parenthesis of a call, the parser standing at the name.
    fn arguments(&mut self) -> Parsed<Vec<Operand>> {
        let name = self.span.clone();
        self.advance()?;
        if self.token != Token::Open {
            let message = format!("\"(\" and arguments after {}", quoted(&self.text[name]));
            return Err(self.expected(&message));
        }
        let open = self.span.start;
        self.descend()?;
        let mut arguments = vec![self.expression(Level::Or)?];
        while self.token == Token::Comma {
            self.advance()?;
            arguments.push(self.expression(Level::Or)?);
        }
        self.close(open)?;
        Ok(arguments)
    }

    fn numbers(&self, arguments: Vec<Operand>) -> Parsed<Arguments> {
        let terms = arguments.into_iter().map(|operand| self.number(operand));
        let terms = terms.collect::<Parsed<Vec<Term>>>()?;
        Ok(Arguments::new(terms).expect("a call has at least one argument"))
    }

    fn divisor(&self, operand: Operand, operator: &str) -> Parsed<Divisor> {
        let span = operand.span.clone();
        let needs = format!("\"{operator}\" takes a positive constant on its right");
        let value = self.constant(operand, &needs)?;
        Divisor::new(value).ok_or_else(|| SyntaxError::new(format!("{needs}, not {value}"), span))
    }

    fn shift(&self, operand: Operand, operator: &str) -> Parsed<Shift> {
        let span = operand.span.clone();
        let needs = format!("\"{operator}\" takes a constant from 0 to {} on its right", Shift::MAX);
        let value = self.constant(operand, &needs)?;
        let shift = u8::try_from(value).ok().and_then(Shift::new);
        shift.ok_or_else(|| SyntaxError::new(format!("{needs}, not {value}"), span))
    }

    /// The value of a term without variables.
    fn constant(&self, operand: Operand, needs: &str) -> Parsed<i128> {
        let span = operand.span.clone();
        let term = self.number(operand)?;
        if !term.is_constant() {
            return Err(SyntaxError::new(needs, span));
        }
        term.eval(&[]).map_err(|error| SyntaxError::new(error.to_string(), span))
    }

    fn number(&self, operand: Operand) -> Parsed<Term> {
        match operand.node {
            Node::Number(term) => Ok(term),
            Node::Truth(_) => Err(SyntaxError::new("expected a number, found a condition", operand.span)),
        }
    }

    fn truth(&self, operand: Operand) -> Parsed<Condition> {
        match operand.node {
            Node::Truth(condition) => Ok(condition),
            Node::Number(_) => {
                let replacement = format!("{} != 0", &self.text[operand.span.clone()]);
                let error = SyntaxError::new("expected a condition, found a number", operand.span);
                Err(suggest(error, replacement))
            }
        }
    }

    fn advance(&mut self) -> Parsed<()> {
        let (token, span) = lex::token(self.text, self.span.end)?;
        self.last = core::mem::replace(&mut self.span, span);
        self.token = token;
        Ok(())
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

    /// Steps over the parenthesis that closes the one opened at byte `open`; its end.
    fn close(&mut self, open: usize) -> Parsed<usize> {
        match self.token {
            Token::Close => {
                self.depth -= 1;
                self.advance()?;
                Ok(self.last.end)
            }
            Token::End => Err(SyntaxError::new("this parenthesis is not closed", open..open + 1)),
            _ => Err(self.expected("\")\"")),
        }
    }

    fn expect(&mut self, token: Token, what: &str) -> Parsed<()> {
        if self.token != token {
            return Err(self.expected(what));
        }
        self.advance()
    }

    fn end(&self) -> Parsed<()> {
        match self.token {
            Token::End => Ok(()),
            Token::Close => Err(SyntaxError::new("\")\" without \"(\"", self.span.clone())),
            _ => Err(self.expected("the end of the text")),
        }
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.token {
            Token::End => "the end of the text".to_string(),
            _ => quoted(&self.text[self.span.clone()]),
        };
        SyntaxError::new(format!("expected {what}, found {found}"), self.span.clone())
    }

    /// The error where one operand follows another.
    fn missing_operator(&self) -> SyntaxError {
        let here = &self.text[self.span.clone()];
        if self.token == Token::Not {
            return self.expected("an operator");
        }
        if self.token == Token::Name && !self.places.contains_key(&*lower(here)) {
            let operators = lex::OPERATORS.iter().map(|(word, _)| *word);
            let error = SyntaxError::new(format!("unknown operator {}", quoted(here)), self.span.clone());
            return match lex::foreign_word(here).or_else(|| nearest(here, operators)) {
                Some(word) => error.with_suggestion(word),
                None => error,
            };
        }
        let before = &self.text[self.last.clone()];
        let message = format!("missing operator between {} and {}", quoted(before), quoted(here));
        let error = SyntaxError::new(message, self.last.start..self.span.end);
        suggest(error, format!("{before}*{here}"))
    }
}

fn number_at(span: Range<usize>, term: Term) -> Operand {
    Operand { node: Node::Number(term), span }
}

/// `error` with a text to write in place of its span, unless that is too long to be read.
fn suggest(error: SyntaxError, replacement: String) -> SyntaxError {
    if replacement.len() > MAX_SUGGESTION { error } else { error.with_suggestion(replacement) }
}

/// `name` in lower case.
fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|c| c.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
