//! Trees to values.

use core::fmt;

use super::{Expression, Function, Kind, Node, Sign};
use crate::{
    notation::SyntaxError,
    theory::{
        Natural, Nimber,
        nimber::{LogError, OrderError, Roots, solve},
    },
};

/// What an expression may spend.
pub struct Calculation<'a> {
    /// Logarithms above 64 bits are wanted, which take some seconds and 128 MiB.
    pub long_logs: bool,
    /// Asked again and again whether to go on.
    pub go_on: &'a mut dyn FnMut() -> bool,
}

impl<'a> Calculation<'a> {
    /// The usual one, without long logarithms.
    pub fn new(go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Calculation { long_logs: false, go_on }
    }
}

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NimberValue {
    /// A nimber.
    Nimber(Nimber),
    /// An ordinary number: an order or a logarithm.
    Number(Natural),
    /// The roots of an equation.
    Roots(Roots),
}

impl NimberValue {
    /// The nimber, if it is one.
    pub fn nimber(self) -> Option<Nimber> {
        match self {
            NimberValue::Nimber(n) => Some(n),
            _ => None,
        }
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NimberError {
    /// With its place and a remedy.
    Refused(SyntaxError),
    /// [`Calculation::go_on`] said no.
    Stopped,
}

impl fmt::Display for NimberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NimberError::Refused(error) => error.fmt(f),
            NimberError::Stopped => f.write_str("stopped"),
        }
    }
}

impl core::error::Error for NimberError {}

impl From<SyntaxError> for NimberError {
    fn from(error: SyntaxError) -> Self {
        NimberError::Refused(error)
    }
}

impl Expression {
    /// The value.
    ///
    /// # Complexity
    /// That of the operations, see [`Nimber`].
    ///
    /// # Errors
    /// Division by 0, an order or a logarithm that there is not or that is not found, an ordinary number in the place of
    /// a nimber, with the place; and a stop.
    pub fn value(&self, calculation: &mut Calculation) -> Result<NimberValue, NimberError> {
        if let Kind::Call(Function::Solve, arguments) = &self.0.kind {
            let [a, b, c] = &arguments[..] else { return Err(self.0.refused("three coefficients are needed").into()) };
            let (a, b, c) = (a.nimber(calculation)?, b.nimber(calculation)?, c.nimber(calculation)?);
            return Ok(NimberValue::Roots(solve(&a, &b, &c)));
        }
        if is_ordinary(&self.0) {
            return self.0.ordinary(calculation).map(NimberValue::Number);
        }
        self.0.nimber(calculation).map(NimberValue::Nimber)
    }
}

fn is_ordinary(node: &Node) -> bool {
    matches!(node.kind, Kind::Call(Function::Order | Function::Log, _) | Kind::Minus(_))
}

impl Node {
    fn refused(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(message, self.span.clone())
    }

    fn nimber(&self, calculation: &mut Calculation) -> Result<Nimber, NimberError> {
        if !(calculation.go_on)() {
            return Err(NimberError::Stopped);
        }
        match &self.kind {
            Kind::Number(n) => Ok(n.clone().into()),
            Kind::Sum(terms) => {
                let mut sum = Nimber::ZERO;
                for term in terms {
                    sum = sum.sum(&term.nimber(calculation)?);
                }
                Ok(sum)
            }
            Kind::Product(first, rest) => {
                let mut product = first.nimber(calculation)?;
                for (sign, node) in rest {
                    let factor = node.nimber(calculation)?;
                    product = match sign {
                        Sign::Times => product.product(&factor),
                        Sign::Over => product
                            .quotient(&factor)
                            .ok_or_else(|| node.refused("division by 0, which has no inverse"))?,
                    };
                }
                Ok(product)
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, calculation),
            Kind::Minus(_) => Err(self.refused("a nimber has no sign: it is its own negative").into()),
        }
    }

    fn call(
        &self,
        function: Function,
        arguments: &[Node],
        calculation: &mut Calculation,
    ) -> Result<Nimber, NimberError> {
        let Some(first) = arguments.first() else { return Err(self.refused("an argument is missing").into()) };
        match function {
            Function::Order | Function::Log => Err(self
                .refused(format!("{}(…) is an ordinary number, no nimber", function.name()))
                .with_hint("it stands alone, or as the exponent of pow")
                .into()),
            Function::Solve => Err(self
                .refused("solve(…) is a list of roots, with which nothing is computed")
                .with_hint("it stands alone")
                .into()),
            Function::Inverse => {
                let a = first.nimber(calculation)?;
                let inverse = a.inverse();
                Ok(inverse.ok_or_else(|| first.refused("0 has no inverse: no nimber times 0 is 1"))?)
            }
            Function::Square => Ok(first.nimber(calculation)?.square()),
            Function::Sqrt => Ok(first.nimber(calculation)?.sqrt()),
            Function::Power => {
                let Some(exponent) = arguments.get(1) else {
                    return Err(self.refused("an exponent is missing").into());
                };
                let a = first.nimber(calculation)?;
                let (k, is_negative) = match &exponent.kind {
                    Kind::Minus(k) => (k.ordinary(calculation)?, true),
                    _ => (exponent.ordinary(calculation)?, false),
                };
                let power = a.power_while(&k, calculation.go_on).ok_or(NimberError::Stopped)?;
                if !is_negative {
                    return Ok(power);
                }
                let inverse = power.inverse();
                Ok(inverse
                    .ok_or_else(|| first.refused("0 has no inverse, and so no powers with a negative exponent"))?)
            }
            Function::Trace => {
                let a = first.nimber(calculation)?;
                let Some(width) = arguments.get(1) else {
                    return Ok(u64::from(a.trace(a.field_bits()) == Some(true)).into());
                };
                let bits = width.ordinary(calculation)?.to_u64().filter(|bits| bits.is_power_of_two());
                let Some(bits) = bits else {
                    return Err(width
                        .refused("no field has so many bits")
                        .with_hint("the widths of fields are the powers of two: 1, 2, 4, 8, …")
                        .into());
                };
                let trace = a.trace(bits).ok_or_else(|| {
                    first
                        .refused(format!("this nimber is not in the field of {bits} bits"))
                        .with_hint(format!("the least field that holds it has {}", a.field_bits()))
                })?;
                Ok(u64::from(trace).into())
            }
        }
    }

    /// An ordinary number: a literal, an order, a logarithm.
    fn ordinary(&self, calculation: &mut Calculation) -> Result<Natural, NimberError> {
        match &self.kind {
            Kind::Number(n) => Ok(n.clone()),
            Kind::Call(Function::Order, arguments) => {
                let Some(first) = arguments.first() else { return Err(self.refused("an argument is missing").into()) };
                let a = first.nimber(calculation)?;
                a.order_while(calculation.go_on).map_err(|e| match e {
                    OrderError::Stopped => NimberError::Stopped,
                    e => first.refused(e.to_string()).into(),
                })
            }
            Kind::Call(Function::Log, arguments) => {
                let Some(first) = arguments.first() else { return Err(self.refused("an argument is missing").into()) };
                let a = first.nimber(calculation)?;
                let base = match arguments.get(1) {
                    Some(base) => base.nimber(calculation)?,
                    None => Nimber::least_primitive(a.field_bits())
                        .ok_or_else(|| first.refused(LogError::TooWide.to_string()))?,
                };
                let log = a.log_while(&base, calculation.long_logs, calculation.go_on);
                log.map(Natural::from).map_err(|e| match e {
                    LogError::Stopped => NimberError::Stopped,
                    LogError::Zero if a.is_zero() => {
                        first.refused("0 has no logarithm: no power of another nimber is 0").into()
                    }
                    LogError::Zero => self.refused("0 is the base of no logarithm").into(),
                    LogError::Long => self.refused(e.to_string()).with_hint("--long-log finds it").into(),
                    LogError::NoPower => self
                        .refused(e.to_string())
                        .with_hint(format!("log({a}) alone takes the least primitive element of its field as the base"))
                        .into(),
                    e => self.refused(e.to_string()).into(),
                })
            }
            _ => Err(self
                .refused("an ordinary number has to stand here")
                .with_hint("a number, order(…) or log(…); the operators are those of nimbers")
                .into()),
        }
    }
}
