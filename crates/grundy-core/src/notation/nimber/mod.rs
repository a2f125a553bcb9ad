//! Expressions of nimbers: `6 * 13`, `(2^64-1) * (2^64-3)`, `solve(1, 1, 6)`.
//!
//! # The language
//!
//! ```text
//! sum      = product { "+" product }
//! product  = factor { ( "*" | "/" ) factor }
//! factor   = NUMBER | "(" sum ")" | NAME "(" sum { "," sum } ")"
//! ```
//!
//! `+` is the nim-sum, `*` and `/` are the nim product and its inverse, carried out from the left. There is no minus: every nimber
//! is its own negative.
//!
//! | function | value |
//! |---|---|
//! | `inv(a)` | the b with a * b = 1, of a that is not 0 |
//! | `square(a)`, `sqrt(a)` | a * a, and the one b with b * b = a |
//! | `pow(a, k)` | the product of k factors a; for `-k` its inverse |
//! | `log(a)`, `log(a, base)` | the least k with pow(base, k) = a; without a base that is the least primitive element of the field of a |
//! | `order(a)` | the least k >= 1 with pow(a, k) = 1 |
//! | `trace(a)`, `trace(a, w)` | the absolute trace in the field of a, or in that of w bits |
//! | `solve(a, b, c)` | the roots of a x^2 + b x + c, nowhere but as the whole expression |
//!
//! Orders, logarithms, exponents and widths are ordinary numbers: `pow(2, order(3))` is good, `order(3) + 1` is not.
//!
//! Numbers are decimal with `_` between digits if wanted, hexadecimal with `0x`, or, inside of parentheses (those of a function
//! too), ordinary powers `2^64` and differences `2^64-1`. There `2^64+1` is the nim-sum and the ordinary sum in one; where
//! the two differ, as in `(2^4+16)`, the text is refused.
//!
//! # Printing
//! `Display` prints the canonical text: numbers in decimal, one space around operators, no parentheses that can be left out. Reading
//! it gives the same tree again.

mod eval;
mod parse;
mod print;

use core::ops::Range;

use super::SyntaxError;
use crate::theory::Natural;

pub use eval::{Calculation, NimberError, NimberValue};

/// Binary digits that numbers have at most, where nothing else is said.
pub const USUAL_BITS: u64 = 4096;

/// An expression that was read.
///
/// # Examples
/// ```
/// use grundy_core::notation::nimber::{Calculation, Expression, NimberValue, USUAL_BITS};
/// let e = Expression::parse("(2^64-1)*inv( 3 )", USUAL_BITS)?;
/// assert_eq!(e.to_string(), "18446744073709551615 * inv(3)");
/// let Ok(NimberValue::Nimber(n)) = e.value(&mut Calculation::new(&mut || true)) else { panic!() };
/// assert_eq!(n, Expression::parse("(2^64-1)/3", USUAL_BITS)?.value(&mut Calculation::new(&mut || true)).unwrap().nimber().unwrap());
/// let error = Expression::parse("6 - 13", USUAL_BITS).unwrap_err();
/// assert_eq!(error.span, 2..3);
/// # Ok::<(), grundy_core::notation::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression(Node);

impl Expression {
    /// Reads an expression, whose numbers have at most so many binary digits.
    ///
    /// # Complexity
    /// O(length of the text), and the square of the length of a number.
    ///
    /// # Errors
    /// A [`SyntaxError`] with span.
    pub fn parse(text: &str, bits: u64) -> Result<Expression, SyntaxError> {
        parse::expression(text, bits).map(Expression)
    }

    /// True if `f` is called somewhere.
    pub fn calls(&self, f: Function) -> bool {
        self.0.any(&mut |node| matches!(node.kind, Kind::Call(g, _) if g == f))
    }

    /// Bits of the least field that holds all numbers of the expression but exponents and widths.
    pub fn field_bits(&self) -> u64 {
        let mut bits = 1;
        self.0.any(&mut |node| {
            if let Kind::Number(n) = &node.kind {
                bits = bits.max(n.bits());
            }
            false
        });
        bits.next_power_of_two()
    }
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    span: Range<usize>,
}

/// Trees are equal that mean the same, wherever they stood.
impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Node {}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Number(Natural),
    /// Two terms or more. A list, not a tree: a long sum must not need a deep stack.
    Sum(Vec<Node>),
    /// A first factor and one more or several.
    Product(Box<Node>, Vec<(Sign, Node)>),
    Call(Function, Vec<Node>),
    /// A negative exponent.
    Minus(Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Times,
    Over,
}

/// The functions of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `inv(a)`
    Inverse,
    /// `square(a)`
    Square,
    /// `sqrt(a)`
    Sqrt,
    /// `pow(a, k)`
    Power,
    /// `log(a)`, `log(a, base)`
    Log,
    /// `order(a)`
    Order,
    /// `trace(a)`, `trace(a, w)`
    Trace,
    /// `solve(a, b, c)`
    Solve,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 8] = [
        Function::Inverse,
        Function::Square,
        Function::Sqrt,
        Function::Power,
        Function::Log,
        Function::Order,
        Function::Trace,
        Function::Solve,
    ];

    /// The name in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Function::Inverse => "inv",
            Function::Square => "square",
            Function::Sqrt => "sqrt",
            Function::Power => "pow",
            Function::Log => "log",
            Function::Order => "order",
            Function::Trace => "trace",
            Function::Solve => "solve",
        }
    }

    /// How it is called.
    pub fn usage(self) -> &'static str {
        match self {
            Function::Inverse => "inv(a)",
            Function::Square => "square(a)",
            Function::Sqrt => "sqrt(a)",
            Function::Power => "pow(a, k)",
            Function::Log => "log(a) or log(a, base)",
            Function::Order => "order(a)",
            Function::Trace => "trace(a) or trace(a, w)",
            Function::Solve => "solve(a, b, c), for a x^2 + b x + c = 0",
        }
    }

    /// The least and the greatest number of arguments.
    fn arity(self) -> (usize, usize) {
        match self {
            Function::Inverse | Function::Square | Function::Sqrt | Function::Order => (1, 1),
            Function::Power => (2, 2),
            Function::Log | Function::Trace => (1, 2),
            Function::Solve => (3, 3),
        }
    }

    /// True if argument `i` is an ordinary number.
    fn is_ordinary(self, i: usize) -> bool {
        i == 1 && matches!(self, Function::Power | Function::Trace)
    }
}

impl Node {
    /// True if `f` says so of a node; exponents and widths are not visited.
    fn any(&self, f: &mut dyn FnMut(&Node) -> bool) -> bool {
        f(self)
            || match &self.kind {
                Kind::Number(_) => false,
                Kind::Minus(inner) => inner.any(f),
                Kind::Sum(terms) => terms.iter().any(|t| t.any(f)),
                Kind::Product(first, rest) => first.any(f) || rest.iter().any(|(_, t)| t.any(f)),
                Kind::Call(function, arguments) => arguments.iter().enumerate().any(|(i, argument)| {
                    let skipped = function.is_ordinary(i) && matches!(argument.kind, Kind::Number(_) | Kind::Minus(_));
                    !skipped && argument.any(f)
                }),
            }
    }
}

#[cfg(test)]
mod tests;
