//! Values of terms and truth of conditions, in checked 128-bit arithmetic.

use core::fmt;

use super::ast::{Arguments, Columns, Condition, Operation, Term};

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
            EvalError::ValueCount { expected, given } => {
                write!(f, "{expected} variables need as many values, not {given}")
            }
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
            Term::Variable(i) => values
                .get(*i)
                .copied()
                .ok_or(EvalError::ValueCount { expected: self.variable_bound(), given: values.len() }),
            Term::Chain(chain) => {
                let mut value = chain.first().eval(values)?;
                for operation in chain.operations() {
                    value = operation.apply(value, values)?;
                }
                Ok(value)
            }
            Term::LowBit(t) => {
                let value = natural("lowbit", t.eval(values)?)?;
                Ok(value & value.wrapping_neg())
            }
            Term::BitLength(t) => {
                let value = natural("bitlength", t.eval(values)?)?;
                Ok(i128::from(i128::BITS - value.leading_zeros()))
            }
            Term::Min(ts) => ts.fold(values, i128::min),
            Term::Max(ts) => ts.fold(values, i128::max),
        }
    }
}

impl Arguments {
    fn fold(&self, values: &[i128], choose: fn(i128, i128) -> i128) -> Result<i128, EvalError> {
        let (first, rest) = self.terms().split_first().expect("arguments are never empty");
        rest.iter().try_fold(first.eval(values)?, |best, t| Ok(choose(best, t.eval(values)?)))
    }
}

impl Operation {
    /// The operation applied to `left`, which was computed before the right operand is.
    fn apply(&self, left: i128, values: &[i128]) -> Result<i128, EvalError> {
        let symbol = self.symbol();
        let overflow = EvalError::Overflow { operation: symbol };
        match self {
            Operation::Times(t) => left.checked_mul(t.eval(values)?).ok_or(overflow),
            Operation::Plus(t) => left.checked_add(t.eval(values)?).ok_or(overflow),
            Operation::Minus(t) => left.checked_sub(t.eval(values)?).ok_or(overflow),
            // For a positive divisor the Euclidean quotient is the floor, and neither operation overflows.
            Operation::Mod(m) => Ok(left.rem_euclid(m.get())),
            Operation::Div(m) => Ok(left.div_euclid(m.get())),
            Operation::ShiftLeft(s) => {
                let left = natural(symbol, left)?;
                // One of the 128 bits is the sign, which must stay 0.
                if left != 0 && left.leading_zeros() <= s.get() {
                    return Err(overflow);
                }
                Ok(left << s.get())
            }
            Operation::ShiftRight(s) => Ok(natural(symbol, left)? >> s.get()),
            Operation::BitAnd(t) => Ok(natural(symbol, left)? & natural(symbol, t.eval(values)?)?),
            Operation::Xor(t) => Ok(natural(symbol, left)? ^ natural(symbol, t.eval(values)?)?),
            Operation::BitOr(t) => Ok(natural(symbol, left)? | natural(symbol, t.eval(values)?)?),
        }
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
