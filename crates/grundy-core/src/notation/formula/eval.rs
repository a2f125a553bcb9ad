//! Values of terms and truth of conditions, in checked 128-bit arithmetic.

use core::fmt;

use super::ast::{Arguments, Chain, Columns, Condition, Operation, Term};

/// Why a formula has no value at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalError {
    /// The result of an operation does not fit into a signed 128-bit integer.
    Overflow {
        /// The operator as it is written.
        operation: &'static str,
    },
    /// An operation on binary digits met a negative number.
    Negative {
        /// The operator or function as it is written.
        operation: &'static str,
        /// The negative operand.
        operand: i128,
    },
    /// The number of values is not the number of variables.
    ValueCount {
        /// How many variables there are.
        expected: usize,
        /// How many values were given.
        given: usize,
    },
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Overflow { operation } => write!(f, "\"{operation}\" overflows 128-bit integers"),
            EvalError::Negative { operation, operand } => {
                write!(f, "\"{operation}\" is not defined for the negative number {operand}")
            }
            EvalError::ValueCount { expected, given } => write!(f, "the number of values is {given}, not {expected}"),
        }
    }
}

impl core::error::Error for EvalError {}

impl Term {
    /// The value where variable i has the value `values[i]`.
    ///
    /// # Complexity
    /// Time O(length of the term), no allocation. Recursion as deep as the term is nested.
    ///
    /// # Errors
    /// [`EvalError::Overflow`], [`EvalError::Negative`], and [`EvalError::ValueCount`] if a variable has no value.
    pub fn eval(&self, values: &[i128]) -> Result<i128, EvalError> {
        match self {
            Term::Integer(value) => Ok(*value),
            Term::Variable(i) => match values.get(*i) {
                Some(value) => Ok(*value),
                None => Err(EvalError::ValueCount { expected: self.variable_bound(), given: values.len() }),
            },
            Term::Chain(chain) => chain.eval(values),
            Term::LowBit(t) => lowbit(t.eval(values)?),
            Term::BitLength(t) => bitlength(t.eval(values)?),
            Term::Min(ts) => ts.fold(values, i128::min),
            Term::Max(ts) => ts.fold(values, i128::max),
        }
    }
}

fn lowbit(value: i128) -> Result<i128, EvalError> {
    natural("lowbit", value).map(|value| value & value.wrapping_neg())
}

fn bitlength(value: i128) -> Result<i128, EvalError> {
    natural("bitlength", value).map(|value| i128::from(i128::BITS - value.leading_zeros()))
}

impl Arguments {
    fn fold(&self, values: &[i128], choose: fn(i128, i128) -> i128) -> Result<i128, EvalError> {
        let mut best = self.terms()[0].eval(values)?;
        for t in &self.terms()[1..] {
            best = choose(best, t.eval(values)?);
        }
        Ok(best)
    }
}

impl Chain {
    // Operands are computed here and not in `apply`, so that only small frames stand on the stack in deep terms: without
    // optimisation the other way took 3 MiB for the deepest formula there is.
    fn eval(&self, values: &[i128]) -> Result<i128, EvalError> {
        let mut value = self.first().eval(values)?;
        for operation in self.operations() {
            let right = match operation.operand() {
                Some(t) => t.eval(values)?,
                None => 0,
            };
            value = operation.apply(value, right)?;
        }
        Ok(value)
    }
}

impl Operation {
    /// The operation applied to `left`, its right operand having the value `right` if it is a term.
    fn apply(&self, left: i128, right: i128) -> Result<i128, EvalError> {
        let symbol = self.symbol();
        let result = match self {
            Operation::Times(_) => left.checked_mul(right),
            Operation::Plus(_) => left.checked_add(right),
            Operation::Minus(_) => left.checked_sub(right),
            // For a positive divisor the Euclidean quotient is the floor, and neither operation overflows.
            Operation::Mod(m) => Some(left.rem_euclid(m.get())),
            Operation::Div(m) => Some(left.div_euclid(m.get())),
            // One of the 128 bits is the sign, which must stay 0.
            Operation::ShiftLeft(s) => {
                let left = natural(symbol, left)?;
                (left == 0 || left.leading_zeros() > s.get()).then_some(left << s.get())
            }
            Operation::ShiftRight(s) => Some(natural(symbol, left)? >> s.get()),
            Operation::BitAnd(_) => Some(natural(symbol, left)? & natural(symbol, right)?),
            Operation::Xor(_) => Some(natural(symbol, left)? ^ natural(symbol, right)?),
            Operation::BitOr(_) => Some(natural(symbol, left)? | natural(symbol, right)?),
        };
        result.ok_or(EvalError::Overflow { operation: symbol })
    }
}

impl Condition {
    /// True if the condition holds where variable i has the value `values[i]`.
    ///
    /// `and` and `or` go from the left and stop as soon as they are decided, so that a first part can guard the next:
    /// `n >= 3 and (n - 3) xor 1 = 5` has no error at n = 0.
    ///
    /// # Complexity
    /// Time O(length of the condition), no allocation; for `columns` of k arguments O(k · (bits of the largest)), each
    /// argument being computed once.
    ///
    /// # Errors
    /// As for [`Term::eval`]; the arguments of `columns` must not be negative.
    pub fn eval(&self, values: &[i128]) -> Result<bool, EvalError> {
        match self {
            Condition::Compare(left, comparison, right) => {
                Ok(comparison.holds(left.eval(values)?, right.eval(values)?))
            }
            Condition::Columns(columns) => columns.eval(values),
            Condition::Not(c) => Ok(!c.eval(values)?),
            Condition::And(cs) => {
                for c in cs.parts() {
                    if !c.eval(values)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Or(cs) => {
                for c in cs.parts() {
                    if c.eval(values)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

impl Columns {
    fn eval(&self, values: &[i128]) -> Result<bool, EvalError> {
        let mut sums = [0u64; 127];
        for t in self.arguments().terms() {
            let mut bits = natural("columns", t.eval(values)?)?;
            while bits != 0 {
                sums[bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
        // Column 127 and those above are empty, which is residue 0.
        let modulus = self.modulus().get();
        Ok(self.residue() == 0 && sums.iter().all(|sum| i128::from(*sum) % modulus == 0))
    }
}

/// `value` if it is not negative: two's complement must not leak into operations on binary digits.
fn natural(operation: &'static str, value: i128) -> Result<i128, EvalError> {
    if value < 0 {
        return Err(EvalError::Negative { operation, operand: value });
    }
    Ok(value)
}
