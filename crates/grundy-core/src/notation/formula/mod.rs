//! Formulas and claims: what is checked, proved, discovered and turned into programs.
//!
//! A *formula* gives an integer for every value of its variables, usually the Grundy value of the heap n. A *claim* is
//! true or false of them, usually of the heaps a, b, c of a position.
//!
//! # The language
//!
//! ```text
//! n mod 3                                                    one term
//! n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n   cases: the first condition that holds decides
//! a xor b xor c = 0 or max(a, b, c) <= 1                     a claim
//! columns(a, b, c) mod 3 = 0                                 a claim about binary columns
//! ```
//!
//! ```text
//! formula   = { condition ":" term ";" } "else" term | term
//! claim     = condition
//! condition = condition "or" condition | condition "and" condition | "not" condition | "(" condition ")"
//!           | term sign term | "columns" "(" term { "," term } ")" "mod" constant "=" constant
//! sign      = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
//! term      = term operator term | term "mod" constant | term "div" constant | term "<<" constant | term ">>" constant
//!           | "lowbit" "(" term ")" | "bitlength" "(" term ")" | ( "min" | "max" ) "(" term { "," term } ")"
//!           | "(" term ")" | VARIABLE | [ "-" ] NUMBER
//! operator  = "*" | "+" | "-" | "bitand" | "xor" | "bitor"
//! constant  = a term without variables
//! ```
//!
//! From tight to loose, the operators of one line being of one level and carried out from the left:
//!
//! | operator | value |
//! |---|---|
//! | `*` `mod` `div` | product; remainder from 0 to m - 1 and quotient rounded down, by a positive constant m |
//! | `+` `-` | sum, difference |
//! | `<<` `>>` | times 2^s, divided by 2^s rounded down; by a constant s from 0 to 127 |
//! | `bitand` | the binary digits that both numbers have |
//! | `xor` | the binary digits that one of them has: the nim-sum |
//! | `bitor` | the binary digits that at least one has |
//! | `=` `!=` `<` `<=` `>` `>=` | comparisons; `==` is `=`. They do not chain: `0 < n and n < 5` |
//! | `not` | `not a = b` is `not (a = b)` |
//! | `and` | stops at the first part that is false |
//! | `or` | stops at the first part that is true |
//!
//! So `1 + 2 * n mod 3` is `1 + ((2 * n) mod 3)`, `n mod 4 * 2` is `(n mod 4) * 2`, `n xor 1 + 1` is `n xor (1 + 1)`, and
//! `n bitand 1 = 0` is `(n bitand 1) = 0` (in C it is not).
//!
//! `lowbit(t)` is the greatest power of two that divides t, `bitlength(t)` the number of binary digits of t; both are 0
//! for 0. For `columns` see [`Columns`].
//!
//! Numbers are decimal, with `_` between digits if wanted, or powers such as `2^20` in one word; `^` is no operator. A
//! minus sign may stand before a number, which comes first: `-3 mod 4` is (-3) mod 4 = 1. `2n` is written `2*n`.
//! Names are those that the caller declares; they and the words may be written in capitals. White space is free, but not
//! within a number, a name or a sign.
//!
//! All numbers are signed integers of 128 bits. A result that does not fit is an [`EvalError`], and so are `<<`, `>>`,
//! `bitand`, `xor`, `bitor`, `lowbit`, `bitlength` and `columns` of negative numbers.
//!
//! # Printing
//!
//! `Display` prints the canonical text: lower case, single spaces, `=` for `==`, no parentheses that can be left out,
//! constants computed (`n mod (2 + 2)` is `n mod 4`). Reading it gives the same tree again.

mod ast;
mod eval;
mod lex;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use ast::{Arguments, Chain, Columns, Comparison, Condition, Conditions, Divisor, Operation, Shift, Term};
pub use eval::EvalError;
pub(super) use parse::is_variable_name;
pub use print::Named;

/// An integer for every value of the variables: cases that are tried in order, and a term for all the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    variables: Vec<String>,
    cases: Vec<Case>,
    otherwise: Term,
}

/// One case of a formula, `condition: value;`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// When this case applies, if no earlier one does.
    pub condition: Condition,
    /// The value of the formula then.
    pub value: Term,
}

impl Formula {
    /// The formula with these parts, for those who build it and do not read it.
    ///
    /// `None` if a variable of the parts has no name in `variables`, or if the names are not distinct lower-case names
    /// other than the words of the language. What is nested more than 128 levels deep can be printed but not read again.
    pub fn new(variables: Vec<String>, cases: Vec<Case>, otherwise: Term) -> Option<Self> {
        let bounds = cases.iter().map(|case| case.condition.variable_bound().max(case.value.variable_bound()));
        let bound = bounds.max().unwrap_or(0).max(otherwise.variable_bound());
        (bound <= variables.len() && names_are_good(&variables)).then_some(Formula { variables, cases, otherwise })
    }

    /// The declared names; variable i of the terms is the i-th of them.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The cases in the order in which they are tried; empty if the formula is one term.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The term that gives the value if no case applies.
    pub fn otherwise(&self) -> &Term {
        &self.otherwise
    }

    /// The value where the variables have these values, in the order of [`Formula::variables`].
    ///
    /// Only the conditions up to the first that holds are computed, and the term that belongs to it.
    ///
    /// # Complexity
    /// Time O(length of the formula), no allocation.
    ///
    /// # Errors
    /// [`EvalError::ValueCount`] if there are not as many values as variables; [`EvalError::Overflow`] and
    /// [`EvalError::Negative`] where an operation has no value.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::notation::formula::{EvalError, Formula};
    /// let f = Formula::parse("n > 0: n - 1 xor 1; else 0", &["n"])?;
    /// assert_eq!(f.eval(&[0]), Ok(0));
    /// assert_eq!(f.eval(&[4]), Ok(2));
    /// let g = Formula::parse("(n - 1) xor 1", &["n"])?;
    /// assert_eq!(g.eval(&[0]), Err(EvalError::Negative { operation: "xor", operand: -1 }));
    /// # Ok::<(), grundy_core::notation::SyntaxError>(())
    /// ```
    pub fn eval(&self, values: &[i128]) -> Result<i128, EvalError> {
        check_count(&self.variables, values)?;
        for case in &self.cases {
            if case.condition.eval(values)? {
                return case.value.eval(values);
            }
        }
        self.otherwise.eval(values)
    }
}

/// A condition on the values of the variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    variables: Vec<String>,
    condition: Condition,
}

impl Claim {
    /// The claim that `condition` holds; `None` under the conditions of [`Formula::new`].
    pub fn new(variables: Vec<String>, condition: Condition) -> Option<Self> {
        (condition.variable_bound() <= variables.len() && names_are_good(&variables))
            .then_some(Claim { variables, condition })
    }

    /// The declared names; variable i of the condition is the i-th of them.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// What is claimed.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// True if the claim holds where the variables have these values, in the order of [`Claim::variables`].
    ///
    /// # Complexity
    /// As for [`Condition::eval`].
    ///
    /// # Errors
    /// As for [`Formula::eval`].
    pub fn eval(&self, values: &[i128]) -> Result<bool, EvalError> {
        check_count(&self.variables, values)?;
        self.condition.eval(values)
    }
}

fn check_count(variables: &[String], values: &[i128]) -> Result<(), EvalError> {
    if variables.len() != values.len() {
        return Err(EvalError::ValueCount { expected: variables.len(), given: values.len() });
    }
    Ok(())
}

fn names_are_good(names: &[String]) -> bool {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    names.iter().all(|name| parse::is_variable_name(name)) && sorted.windows(2).all(|pair| pair[0] != pair[1])
}
