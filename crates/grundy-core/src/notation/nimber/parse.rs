//! Text to tree.

use super::{Function, Kind, Node, Sign};
use crate::{
    notation::{SyntaxError, nearest},
    theory::Natural,
};

/// Parentheses in one another.
const DEEPEST: usize = 100;

/// Longest text that is read, in bytes.
const LONGEST: usize = 1 << 22;

pub(super) fn expression(text: &str, bits: u64) -> Result<Node, SyntaxError> {
    if text.len() > LONGEST {
        return Err(SyntaxError::new(format!("the text is longer than {LONGEST} bytes"), text.len()..text.len()));
    }
    let mut p = Parser { text, at: 0, bits, depth: 0 };
    let node = p.sum()?;
    p.space();
    if p.rest().is_empty() { Ok(node) } else { Err(p.unexpected()) }
}

/// A number that was read.
struct Literal {
    value: Natural,
    /// Written with a power.
    is_power: bool,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Binary digits of a number.
    bits: u64,
    /// Parentheses that are open.
    depth: usize,
}

impl<'a> Parser<'a> {
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

    fn sum(&mut self) -> Result<Node, SyntaxError> {
        self.space();
        let start = self.at;
        let (first, is_power) = self.product()?;
        let mut terms = vec![first];
        // the ordinary sum, as long as all terms are numbers and the first one is a power
        let mut ordinary = match &terms[0].kind {
            Kind::Number(n) if is_power => Some((n.clone(), n.clone())),
            _ => None,
        };
        loop {
            let end = self.at;
            self.space();
            if !self.eat('+') {
                self.at = end;
                break;
            }
            let (term, _) = self.product()?;
            ordinary = match (&term.kind, ordinary) {
                (Kind::Number(n), Some((plain, nim))) => {
                    let (plain, nim) = (plain.plus(n), nim_sum(&nim, n));
                    if plain != nim {
                        return Err(SyntaxError::new(
                            "the nim-sum and the ordinary sum differ here, and either may be meant",
                            start..self.at,
                        )
                        .with_hint(ways(&plain, &nim)));
                    }
                    Some((plain, nim))
                }
                _ => None,
            };
            terms.push(term);
        }
        if terms.len() == 1 {
            return Ok(terms.remove(0));
        }
        Ok(Node { kind: Kind::Sum(terms), span: start..self.at })
    }

    /// A product, and whether it is nothing but a power.
    fn product(&mut self) -> Result<(Node, bool), SyntaxError> {
        let (first, is_power) = self.factor()?;
        let start = first.span.start;
        let mut rest = Vec::new();
        loop {
            let end = self.at;
            self.space();
            let sign = if self.eat('*') {
                Sign::Times
            } else if self.eat('/') {
                Sign::Over
            } else {
                self.at = end;
                break;
            };
            rest.push((sign, self.factor()?.0));
        }
        if rest.is_empty() {
            return Ok((first, is_power));
        }
        Ok((Node { kind: Kind::Product(Box::new(first), rest), span: start..self.at }, false))
    }

    fn factor(&mut self) -> Result<(Node, bool), SyntaxError> {
        self.space();
        let start = self.at;
        match self.rest().chars().next() {
            Some('0'..='9') => {
                let literal = self.number()?;
                Ok((Node { kind: Kind::Number(literal.value), span: start..self.at }, literal.is_power))
            }
            Some('(') => {
                self.open()?;
                let inner = self.sum()?;
                self.close(start, "an operator or \")\"")?;
                Ok((Node { span: start..self.at, ..inner }, false))
            }
            Some(c) if c.is_alphabetic() || c == '_' => Ok((self.call()?, false)),
            _ => Err(self.no_factor()),
        }
    }

    fn open(&mut self) -> Result<(), SyntaxError> {
        if self.depth == DEEPEST {
            return Err(SyntaxError::new(
                format!("more than {DEEPEST} parentheses in one another"),
                self.at..self.at + 1,
            )
            .with_hint("compute the inner part first"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn close(&mut self, open: usize, wanted: &str) -> Result<(), SyntaxError> {
        self.space();
        if self.eat(')') {
            self.depth -= 1;
            return Ok(());
        }
        if self.rest().is_empty() {
            return Err(SyntaxError::new("this parenthesis is never closed", open..open + 1).with_hint("add \")\""));
        }
        let error = self.unexpected();
        Err(if error.message.starts_with("expected") {
            SyntaxError { message: error.message.replacen("an operator or the end", wanted, 1), ..error }
        } else {
            error
        })
    }

    fn call(&mut self) -> Result<Node, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let name = rest[..len].to_lowercase();
        let Some(function) = Function::ALL.into_iter().find(|f| f.name() == name) else {
            return Err(unknown(&rest[..len], start));
        };
        self.at += len;
        self.space();
        let open = self.at;
        if !self.rest().starts_with('(') {
            return Err(SyntaxError::new(format!("\"{name}\" needs its arguments in parentheses"), start..start + len)
                .with_hint(format!("write {}", function.usage())));
        }
        self.open()?;
        let mut arguments = Vec::new();
        self.space();
        if !self.rest().starts_with(')') {
            loop {
                self.space();
                arguments.push(if function == Function::Power && arguments.len() == 1 {
                    self.exponent()?
                } else {
                    self.sum()?
                });
                self.space();
                if !self.eat(',') {
                    break;
                }
            }
        }
        self.close(open, "an operator, \",\" or \")\"")?;
        let (least, most) = function.arity();
        if !(least..=most).contains(&arguments.len()) {
            let wanted = match (least, most) {
                (1, 1) => "one argument".to_owned(),
                (least, most) if least == most => format!("{least} arguments"),
                (least, most) => format!("{least} or {most} arguments"),
            };
            return Err(SyntaxError::new(
                format!("\"{name}\" takes {wanted}, not {}", arguments.len()),
                start..self.at,
            )
            .with_hint(format!("write {}", function.usage())));
        }
        Ok(Node { kind: Kind::Call(function, arguments), span: start..self.at })
    }

    /// What may stand as an exponent: a number with or without a minus sign, or a function whose value is an ordinary number.
    fn exponent(&mut self) -> Result<Node, SyntaxError> {
        let start = self.at;
        let is_negative = self.eat('-');
        let inner = self.sum()?;
        Ok(if is_negative { Node { kind: Kind::Minus(Box::new(inner)), span: start..self.at } } else { inner })
    }

    /// A number; inside of parentheses with `a^b` and `a^b-c`.
    fn number(&mut self) -> Result<Literal, SyntaxError> {
        let start = self.at;
        let mut value = self.digits()?;
        let mut is_power = false;
        if let Some(power) = self.power(&value, start)? {
            (value, is_power) = (power, true);
        }
        loop {
            let end = self.at;
            self.space();
            let minus = self.at;
            if !is_power || !self.eat('-') {
                self.at = end;
                break;
            }
            self.space();
            let right = self.at;
            if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                self.at = minus;
                return Err(self.unexpected());
            }
            let mut term = self.digits()?;
            if let Some(power) = self.power(&term, right)? {
                term = power;
            }
            value = value.minus(&term).ok_or_else(|| {
                SyntaxError::new("a nimber cannot be negative", start..self.at)
                    .with_hint("nimbers are the whole numbers from 0 on")
            })?;
            let end = self.at;
            self.space();
            if self.rest().starts_with(['*', '/']) {
                return Err(SyntaxError::new("what is multiplied is not clear", start..self.at + 1)
                    .with_suggestion(format!("({}) {}", &self.text[start..end], &self.rest()[..1])));
            }
            self.at = end;
        }
        self.fits(&value, start)?;
        Ok(Literal { value, is_power })
    }

    /// `^ b` behind the base, if it stands here.
    fn power(&mut self, base: &Natural, start: usize) -> Result<Option<Natural>, SyntaxError> {
        let end = self.at;
        self.space();
        if !self.eat('^') {
            self.at = end;
            return Ok(None);
        }
        self.space();
        if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.no_factor());
        }
        let exponent = self.digits()?;
        if self.depth == 0 {
            let base = &self.text[start..end];
            return Err(SyntaxError::new(
                "\"^\" is the ordinary power, which is a number only inside of parentheses",
                start..self.at,
            )
            .with_hint(format!(
                "write ({}) for that number, pow({base}, {exponent}) for the product of {exponent} factors, + for xor",
                &self.text[start..self.at]
            )));
        }
        // one more, so that 2^w - 1 may have w digits
        match base.power(&exponent, self.bits + 1) {
            Some(power) => Ok(Some(power)),
            None => Err(self.too_wide(start)),
        }
    }

    fn digits(&mut self) -> Result<Natural, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let skipped = if is_hexadecimal { 2 } else { 0 };
        let body = &rest[skipped..];
        let is_digit = |c: char| c == '_' || if is_hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
        let body = &body[..body.len() - body.trim_start_matches(is_digit).len()];
        self.at += skipped + body.len();
        if body.starts_with('_') || body.ends_with('_') {
            return Err(SyntaxError::new("an underscore stands between digits", start..self.at));
        }
        if body.is_empty() {
            return Err(
                SyntaxError::new("hexadecimal digits are missing", start..self.at).with_hint("for example 0xff")
            );
        }
        match self.rest().chars().next() {
            Some('.') => {
                return Err(SyntaxError::new("nimbers are whole numbers", start..self.at + 1));
            }
            Some(c) if c.is_alphanumeric() => {
                let end = self.at + c.len_utf8();
                let error = SyntaxError::new(format!("\"{c}\" is no digit"), self.at..end);
                return Err(match c {
                    'x' | 'X' => error.with_suggestion("*"),
                    'e' | 'E' if !is_hexadecimal => error.with_hint("write (10^18) rather than 1e18"),
                    c if c.is_ascii_hexdigit() => error.with_hint("hexadecimal numbers begin with 0x"),
                    _ => error,
                });
            }
            _ => {}
        }
        let digits: String = body.trim_start_matches('0').chars().filter(|c| *c != '_').collect();
        // a decimal digit is at least 3.3 binary ones, and reading them takes the square of the time
        let (tenths, limit) = (if is_hexadecimal { 40 } else { 33 }, self.bits + 1);
        if (digits.len() as u64).saturating_sub(1) * tenths / 10 > limit {
            return Err(self.too_wide(start));
        }
        let value = if is_hexadecimal { Natural::from_hexadecimal(&digits) } else { Natural::from_decimal(&digits) };
        Ok(value.unwrap_or(Natural::ZERO))
    }

    fn fits(&self, value: &Natural, start: usize) -> Result<(), SyntaxError> {
        if value.bits() <= self.bits { Ok(()) } else { Err(self.too_wide(start)) }
    }

    fn too_wide(&self, start: usize) -> SyntaxError {
        SyntaxError::new(format!("this number has more than {} binary digits", self.bits), start..self.at)
            .with_hint("--bits N allows numbers of N binary digits")
    }

    /// Where a number, a parenthesis or a function has to stand.
    fn no_factor(&self) -> SyntaxError {
        let here = |c: char| self.at..self.at + c.len_utf8();
        let wanted = "expected a number, \"(\" or a function";
        match self.rest().chars().next() {
            None => SyntaxError::new(format!("{wanted}, found the end"), self.at..self.at),
            Some('-') => SyntaxError::new("a nimber has no sign: it is its own negative", here('-')),
            Some('*') => SyntaxError::new(format!("{wanted}, found \"*\""), here('*'))
                .with_hint("the nimber *5 is written 5 here"),
            Some(c) => SyntaxError::new(format!("{wanted}, found \"{}\"", c.escape_debug()), here(c)),
        }
    }

    /// What follows a whole operand and is no operator.
    fn unexpected(&self) -> SyntaxError {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else {
            return SyntaxError::new("expected an operator or the end, found the end", self.at..self.at);
        };
        let here = self.at..self.at + c.len_utf8();
        match c {
            '-' => SyntaxError::new("nimbers are not subtracted: each is its own negative, so a - b is a + b", here)
                .with_suggestion("+"),
            '^' => SyntaxError::new("\"^\" stands only between two numbers", here)
                .with_hint("pow(a, k) is the product of k factors a, + the xor"),
            '×' | '⊗' | '·' | '⋅' => SyntaxError::new("the product is written \"*\"", here).with_suggestion("*"),
            '⊕' | '|' | '&' => SyntaxError::new("the nim-sum, or xor, is written \"+\"", here).with_suggestion("+"),
            ')' => SyntaxError::new("this bracket was never opened", here),
            ',' => SyntaxError::new("a comma stands between the arguments of a function", here),
            _ if rest.to_ascii_lowercase().starts_with("xor") => {
                SyntaxError::new("the nim-sum, or xor, is written \"+\"", self.at..self.at + 3).with_suggestion("+")
            }
            'x' | 'X' => SyntaxError::new("the product is written \"*\"", here).with_suggestion("*"),
            c => {
                let error =
                    SyntaxError::new(format!("expected an operator or the end, found \"{}\"", c.escape_debug()), here);
                match c {
                    '(' => error.with_hint("a product is written with \"*\""),
                    '%' => error.with_hint("a field has no remainders: / is exact"),
                    _ => error,
                }
            }
        }
    }
}

fn nim_sum(a: &Natural, b: &Natural) -> Natural {
    crate::theory::Nimber::from(a.clone()).sum(&b.clone().into()).size().clone()
}

fn ways(plain: &Natural, nim: &Natural) -> String {
    if plain.bits() > 128 {
        return "write each power in parentheses of its own for the nim-sum".into();
    }
    format!(
        "the ordinary sum is {plain}, the nim-sum {nim}; for the nim-sum write each power in parentheses of its own"
    )
}

fn unknown(word: &str, start: usize) -> SyntaxError {
    let error = SyntaxError::new(format!("unknown function \"{word}\""), start..start + word.len());
    let other = match &word.to_lowercase()[..] {
        "inverse" | "reciprocal" => Some("inv"),
        "power" | "exp" => Some("pow"),
        "root" => Some("sqrt"),
        "sq" => Some("square"),
        "dlog" | "ln" => Some("log"),
        "quad" | "quadratic" | "roots" => Some("solve"),
        _ => None,
    };
    match other.or_else(|| nearest(word, Function::ALL.map(Function::name))) {
        Some(near) => error.with_suggestion(near),
        None => error.with_hint("the functions are inv, square, sqrt, pow, log, order, trace and solve"),
    }
}
