//! Reading conditions.
//!
//! Terms and conditions are read by one routine and told apart afterwards: after `(` nobody knows which of the two
//! follows, and going back for a second try would cost exponential time in nested parentheses.

use core::ops::Range;

use super::{MAX_SUGGESTION, Parsed, Parser, guessed, is_one_of, separated_by_bar, suggested};
use crate::{
    notation::{
        SyntaxError, nearest,
        words::{
            MAX_DEPTH, Sign, Term, Truth,
            lex::{self, Token, Word, quoted},
        },
    },
    rulesets::heap::Variable,
};

/// What was read, before it is known to be in its place, and where: parentheses around it included.
struct Operand {
    node: Node,
    span: Range<usize>,
    /// Height of the tree.
    height: usize,
}

enum Node {
    Number(Term),
    Truth(Truth),
}

impl Parser<'_> {
    /// The condition of an alternative, if it has one.
    pub(super) fn condition(&mut self) -> Parsed<Option<Truth>> {
        if self.token != Token::Word(Word::Where) {
            return Ok(None);
        }
        self.advance()?;
        let operand = self.disjunction()?;
        self.truth(operand).map(Some)
    }

    fn disjunction(&mut self) -> Parsed<Operand> {
        self.junction(Word::Or)
    }

    /// A chain of `or`, or of `and`.
    fn junction(&mut self, word: Word) -> Parsed<Operand> {
        let member = |p: &mut Self| if word == Word::Or { p.junction(Word::And) } else { p.negation() };
        let first = member(self)?;
        if self.token != Token::Word(word) {
            return Ok(first);
        }
        let start = first.span.start;
        let mut height = first.height;
        let mut members = vec![self.truth(first)?];
        while self.token == Token::Word(word) {
            if let Token::Word(Word::Take | Word::Split) = self.peek() {
                return Err(separated_by_bar(self.span.clone()));
            }
            self.advance()?;
            let next = member(self)?;
            height = height.max(next.height);
            members.push(self.truth(next)?);
        }
        let node = Node::Truth(if word == Word::Or { Truth::Or(members) } else { Truth::And(members) });
        self.operand(node, start, height)
    }

    fn negation(&mut self) -> Parsed<Operand> {
        if self.token != Token::Word(Word::Not) {
            return self.comparison();
        }
        let start = self.span.start;
        self.descend()?;
        let inner = self.negation()?;
        self.depth -= 1;
        let height = inner.height;
        let node = Node::Truth(Truth::Not(Box::new(self.truth(inner)?)));
        self.operand(node, start, height)
    }

    fn comparison(&mut self) -> Parsed<Operand> {
        let left = self.sum()?;
        let Token::Compare(comparison) = self.token else {
            return match left.node {
                Node::Number(_) if self.token == Token::Name => Err(self.comparison_in_words(&left)),
                _ => Ok(left),
            };
        };
        let first = left.span.clone();
        let height = left.height;
        let left = self.number(left)?;
        self.advance()?;
        let right = self.sum()?;
        let second = right.span.clone();
        if let Token::Compare(_) = self.token {
            return Err(self.chained(first, second));
        }
        let height = height.max(right.height);
        let right = self.number(right)?;
        let bounds = left.magnitude().zip(right.magnitude());
        if bounds.and_then(|(l, r)| l.checked_add(r)).is_none() {
            let message = "the numbers in this comparison may grow beyond 127 bits";
            return Err(SyntaxError::new(message, first.start..second.end));
        }
        self.operand(Node::Truth(Truth::Compare(left, comparison, right)), first.start, height)
    }

    /// The error of `k is odd`, the parser standing at the second word.
    fn comparison_in_words(&self, left: &Operand) -> SyntaxError {
        let found = &self.text[self.span.clone()];
        let term = &self.text[left.span.clone()];
        let error = |message: &str, end| SyntaxError::new(message, left.span.start..end);
        if is_one_of(found, &["is", "equals", "are"]) {
            if let Ok((Token::Word(word @ (Word::Odd | Word::Even)), next)) = lex::token(self.text, self.span.end) {
                let message = "remainders are compared with \"mod\"";
                let replacement = format!("{term} mod 2 = {}", u8::from(word == Word::Odd));
                return suggested(error(message, next.end), replacement);
            }
            return SyntaxError::new("numbers are compared with \"=\"", self.span.clone()).with_suggestion("=");
        }
        if found.eq_ignore_ascii_case("divides") {
            return SyntaxError::new("write \"x mod c = 0\" for \"c divides x\"", self.span.clone());
        }
        let error = SyntaxError::new(format!("unknown operator {}", quoted(found)), self.span.clone());
        match found.to_ascii_lowercase().as_str() {
            "modulo" | "rem" => error.with_suggestion("mod"),
            "times" => error.with_suggestion("*"),
            "plus" => error.with_suggestion("+"),
            "minus" => error.with_suggestion("-"),
            _ => guessed(error, nearest(found, ["mod", "and", "or"])),
        }
    }

    /// The error of `a < b < c`, the parser standing at the second sign; it suggests `a < b and b < c`.
    fn chained(&mut self, first: Range<usize>, second: Range<usize>) -> SyntaxError {
        let message = "comparisons do not chain";
        let mut span = first.start..self.span.end;
        let mut replacement = self.text[first.start..second.end].to_string();
        let mut left = second;
        while let Token::Compare(_) = self.token {
            let sign = self.span.clone();
            let right = match self.advance().and_then(|()| self.sum()) {
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
        suggested(SyntaxError::new(message, span), replacement)
    }

    fn sum(&mut self) -> Parsed<Operand> {
        let first = self.product()?;
        let mut rest = Vec::new();
        if !matches!(self.token, Token::Plus | Token::Minus) {
            return Ok(first);
        }
        let start = first.span.start;
        let mut height = first.height;
        let first = Box::new(self.number(first)?);
        while let Token::Plus | Token::Minus = self.token {
            let sign = if self.token == Token::Plus { Sign::Plus } else { Sign::Minus };
            self.advance()?;
            let next = self.product()?;
            height = height.max(next.height);
            rest.push((sign, self.number(next)?));
        }
        self.operand(Node::Number(Term::Sum(first, rest)), start, height)
    }

    fn product(&mut self) -> Parsed<Operand> {
        let mut literal = matches!(self.token, Token::Number(_) | Token::Minus);
        let mut left = self.minus()?;
        loop {
            let start = left.span.start;
            let height = left.height;
            match self.token {
                Token::Star => {
                    self.advance()?;
                    literal = matches!(self.token, Token::Number(_) | Token::Minus);
                }
                Token::Word(Word::Mod) => {
                    let term = self.number(left)?;
                    self.advance()?;
                    let Token::Number(modulus) = self.token else {
                        return Err(self.expected("a number after \"mod\""));
                    };
                    if modulus == 0 {
                        return Err(SyntaxError::new("\"mod\" takes a number from 1 on", self.span.clone()));
                    }
                    self.advance()?;
                    literal = false;
                    left = self.operand(Node::Number(Term::Mod(Box::new(term), modulus)), start, height)?;
                    continue;
                }
                // `2 k`: a literal may be followed by another factor without a sign
                Token::Name | Token::Open | Token::Word(Word::Gcd) if literal && self.follows_number() => {
                    if self.token == Token::Name && self.is_meant_as_operator() {
                        return Ok(left);
                    }
                    literal = false;
                }
                Token::Number(_) | Token::Open | Token::Word(Word::Gcd) => {
                    let here = self.span.start..self.span.start;
                    return Err(SyntaxError::new("an operator is missing", here));
                }
                Token::Name if self.is_variable() => {
                    let here = self.span.start..self.span.start;
                    return Err(SyntaxError::new("an operator is missing", here));
                }
                _ => return Ok(left),
            }
            let left_term = self.number(left)?;
            let right = self.minus()?;
            let height = height.max(right.height);
            let span = start..right.span.end;
            let right = self.number(right)?;
            if !left_term.is_constant() && !right.is_constant() {
                let message = "terms are linear: one factor of a product is a constant";
                return Err(SyntaxError::new(message, span));
            }
            left = self.operand(Node::Number(Term::Times(Box::new(left_term), Box::new(right))), start, height)?;
        }
    }

    /// True if the token before this one is a number.
    fn follows_number(&self) -> bool {
        self.text[self.last.clone()].starts_with(|c: char| c.is_ascii_digit())
    }

    /// True if a name that is known stands here.
    pub(super) fn is_variable(&self) -> bool {
        self.variable(&self.text[self.span.clone()]).is_some()
    }

    /// True for a word that was meant to stand between two terms.
    fn is_meant_as_operator(&self) -> bool {
        let found = &self.text[self.span.clone()];
        !self.is_variable()
            && (is_one_of(found, &["is", "equals", "are", "divides", "modulo", "rem", "times", "plus", "minus"])
                || nearest(found, ["mod", "and", "or"]).is_some())
    }

    fn minus(&mut self) -> Parsed<Operand> {
        if self.token != Token::Minus {
            return self.primary();
        }
        let start = self.span.start;
        self.descend()?;
        let inner = self.minus()?;
        self.depth -= 1;
        let height = inner.height;
        let node = Node::Number(Term::Minus(Box::new(self.number(inner)?)));
        self.operand(node, start, height)
    }

    /// A number, a name, a gcd, or anything in parentheses.
    fn primary(&mut self) -> Parsed<Operand> {
        let span = self.span.clone();
        let node = match self.token {
            Token::Number(value) => Node::Number(Term::Integer(value)),
            Token::Name => Node::Number(Term::Variable(self.resolved()?)),
            Token::Open => {
                self.descend()?;
                let inner = self.disjunction()?;
                self.close(span.start)?;
                return Ok(Operand { span: span.start..self.last.end, ..inner });
            }
            Token::Word(Word::Gcd) => return self.gcd(),
            Token::Word(Word::Not) => return Err(self.expected("a number")),
            _ => return Err(self.expected("a number, a name or a parenthesis")),
        };
        self.advance()?;
        Ok(Operand { node, span, height: 1 })
    }

    fn gcd(&mut self) -> Parsed<Operand> {
        let start = self.span.start;
        self.advance()?;
        if self.token != Token::Open {
            return Err(self.expected("\"(\" after \"gcd\""));
        }
        let open = self.span.start;
        self.descend()?;
        let a = self.sum()?;
        let height = a.height;
        let a = self.number(a)?;
        if self.token != Token::Comma {
            return Err(self.expected("\",\" and a second number"));
        }
        self.advance()?;
        let b = self.sum()?;
        let height = height.max(b.height);
        let b = self.number(b)?;
        self.close(open)?;
        self.operand(Node::Number(Term::Gcd(Box::new(a), Box::new(b))), start, height)
    }

    /// The variable that is named here.
    fn resolved(&mut self) -> Parsed<Variable> {
        let found = &self.text[self.span.clone()];
        if let Some(variable) = self.variable(found) {
            self.taken_used |= variable == Variable::Taken;
            return Ok(variable);
        }
        let names: Vec<&str> =
            core::iter::once("n").chain(self.taken.as_deref()).chain(self.parts.iter().map(String::as_str)).collect();
        let mut message = format!("unknown name {} (known: {})", quoted(found), names.join(", "));
        if self.in_take && self.taken.is_none() {
            message += "; to speak of the amount, name it: \"take k where …\"";
        }
        let error = SyntaxError::new(message, self.span.clone());
        // a name of one letter is near to every other
        Err(guessed(error, nearest(found, names).filter(|name| found.len() > 1 || name.len() > 1)))
    }

    fn variable(&self, name: &str) -> Option<Variable> {
        if name.eq_ignore_ascii_case("n") {
            return Some(Variable::Heap);
        }
        if self.taken.as_ref().is_some_and(|taken| taken.eq_ignore_ascii_case(name)) {
            return Some(Variable::Taken);
        }
        let i = self.parts.iter().position(|part| part.eq_ignore_ascii_case(name))?;
        u8::try_from(i).ok().map(Variable::Part)
    }

    /// What was read from byte `start` on, one level higher than its highest part.
    fn operand(&self, node: Node, start: usize, height: usize) -> Parsed<Operand> {
        let span = start..self.last.end;
        if height >= MAX_DEPTH {
            return Err(SyntaxError::new(format!("more than {MAX_DEPTH} operations inside one another"), span));
        }
        Ok(Operand { node, span, height: height + 1 })
    }

    fn number(&self, operand: Operand) -> Parsed<Term> {
        match operand.node {
            Node::Number(term) => Ok(term),
            Node::Truth(_) => Err(SyntaxError::new("expected a number, found a condition", operand.span)),
        }
    }

    fn truth(&self, operand: Operand) -> Parsed<Truth> {
        match operand.node {
            Node::Truth(truth) => Ok(truth),
            Node::Number(_) => Err(SyntaxError::new("expected a comparison, found a number", operand.span)),
        }
    }
}
