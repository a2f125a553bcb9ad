//! Rules in words: `take 1..3`, `split into a, b where a != b`, `take any | 4.0`.
//!
//! A rule is read to a tree of what was written ([`WordRule::parse`]), printed in canonical form (its `Display`) and
//! lowered to a [`HeapRule`] ([`WordRule::to_rule`]), the plain data of every heap game.
//!
//! The grammar:
//!
//! ```text
//! rule   = alt { "|" alt }
//! alt    = "take" amount [ "leaving" names ] [ "where" cond ] | "split" [ "into" names ] [ "where" cond ] | CODE
//! amount = set { "," set } [ "but" set { "," set } ] | NAME
//! set    = LITERAL | LITERAL ".." [ LITERAL ] | "any" | "odd" | "even" | "squares" | "primes" | "fibonacci"
//!        | "divisors" | "multiples of" LITERAL | "powers of" LITERAL
//! cond   = cond "or" cond | cond "and" cond | "not" cond | "(" cond ")" | term sign term
//! sign   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
//! term   = term ("+" | "-") term | term "*" term | term "mod" LITERAL | "-" term | "(" term ")"
//!        | LITERAL | LITERAL term | NAME | "gcd" "(" term "," term ")"
//! ```
//!
//! In conditions `not` binds tighter than `and`, `and` tighter than `or`. In terms the minus sign before a term binds
//! tightest, then `*`, `mod` and multiplication without a sign (`2 k`), all alike and from the left, then `+` and `-`:
//! `2 k mod 3` is `(2*k) mod 3`, `k mod 3*2` is `(k mod 3)*2`, `-k mod 3` is `(-k) mod 3`. A remainder is never
//! negative. Terms are linear: of two factors one is a constant. Case does not matter; names are printed in lower case.
//!
//! `n` is the heap before the move, the name after `take` the amount, the names after `leaving` or `into` the parts,
//! which are unordered: a condition holds if it holds for some way of giving the names to the parts.

mod lex;
mod lower;
mod parse;
mod print;
mod simplify;
#[cfg(test)]
mod tests;

use crate::rulesets::heap::{Code, Comparison, HeapRule, Variable};

/// A heap game in words, as it was written.
///
/// Equal rules print alike: spaces, case, `==` for `=`, `2 k` for `2*k` and the way a number is written (`2^10`,
/// `1_024`) are not kept, everything else is.
///
/// # Examples
/// ```
/// use grundy_core::notation::WordRule;
/// use grundy_core::ruleset::definition::GrundyByDefinition;
/// let rule = WordRule::parse("Take K leaving a,b where 2 K <= n  |  take 1", 0)?;
/// assert_eq!(rule.to_string(), "take k leaving a, b where 2*k <= n | take 1");
/// let rule = rule.to_rule();
/// let mut g = GrundyByDefinition::new(&rule);
/// assert_eq!((0..8).map(|n| g.value(&n)).collect::<Vec<_>>(), [0, 1, 0, 1, 2, 3, 2, 4]);
///
/// let error = WordRule::parse("take 1-3", 0).unwrap_err();
/// assert_eq!((error.span, error.hint.as_deref()), (5..8, Some("did you mean \"1..3\"?")));
/// # Ok::<(), grundy_core::notation::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordRule {
    alternatives: Vec<Alt>,
}

/// The most names of parts in one alternative: a condition is tried for every order of the parts.
const MAX_PARTS: usize = 6;

/// The most levels of nesting in a condition.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Alt {
    Take { amount: Amount, leaving: Vec<String>, condition: Option<Truth> },
    Split { into: Vec<String>, condition: Option<Truth> },
    Code(Code),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Amount {
    /// Any amount, called so in the condition.
    Named(String),
    /// Those included and not excluded.
    Listed { include: Vec<Set>, but: Vec<Set> },
}

/// A kind of amounts, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Set {
    One(u64),
    /// `first..` or `first..last`.
    Range(u64, Option<u64>),
    Any,
    Odd,
    Even,
    MultiplesOf(u64),
    PowersOf(u64),
    Squares,
    Primes,
    Fibonacci,
    Divisors,
}

/// A linear term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    Integer(u64),
    Variable(Variable),
    Minus(Box<Term>),
    /// One of the factors is constant.
    Times(Box<Term>, Box<Term>),
    Mod(Box<Term>, u64),
    Gcd(Box<Term>, Box<Term>),
    /// The first term, then at least one more with its sign. Flat, so that a long sum is not a deep tree.
    Sum(Box<Term>, Vec<(Sign, Term)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sign {
    Plus,
    Minus,
}

/// A condition; conjunctions and disjunctions have at least two members and are flat as sums are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Truth {
    Compare(Term, Comparison, Term),
    Not(Box<Truth>),
    And(Vec<Truth>),
    Or(Vec<Truth>),
}

impl Term {
    /// True if no name stands in the term.
    fn is_constant(&self) -> bool {
        match self {
            Term::Integer(_) => true,
            Term::Variable(_) => false,
            Term::Minus(t) | Term::Mod(t, _) => t.is_constant(),
            Term::Times(a, b) | Term::Gcd(a, b) => a.is_constant() && b.is_constant(),
            Term::Sum(first, rest) => first.is_constant() && rest.iter().all(|(_, t)| t.is_constant()),
        }
    }

    /// A bound of the absolute value of the term and of everything on the way to it; None beyond 127 bits.
    fn magnitude(&self) -> Option<i128> {
        match self {
            Term::Integer(c) => Some(i128::from(*c)),
            Term::Variable(_) => Some(1 << 64),
            Term::Minus(t) => t.magnitude(),
            // at least 1 for each factor, since a product with 0 is computed nevertheless
            Term::Times(a, b) => a.magnitude()?.max(1).checked_mul(b.magnitude()?.max(1)),
            Term::Mod(t, m) => t.magnitude().map(|_| i128::from(*m)),
            Term::Gcd(a, b) => Some(a.magnitude()?.max(b.magnitude()?)),
            Term::Sum(first, rest) => {
                rest.iter().try_fold(first.magnitude()?, |sum, (_, t)| sum.checked_add(t.magnitude()?))
            }
        }
    }
}

impl WordRule {
    /// Reads a rule from the text between the outer brackets, which stands at byte `offset` of a longer text: the spans
    /// of errors are shifted by that much.
    ///
    /// # Complexity
    /// Time and memory O(length of the text). Recursion as deep as conditions are nested, at most 64 levels.
    ///
    /// # Errors
    /// A [`SyntaxError`](super::SyntaxError) at the first place that cannot be read. Refused are also: amounts of 0,
    /// numbers of 2^64 and above, empty ranges, names that are bound twice or not at all, products of two names, terms
    /// beyond 127 bits, more than 6 named parts and more than 64 levels of nesting. A name after `take` that no
    /// condition uses and that looks like a misspelt amount (`take prime`) is refused, since every such name means
    /// `any`.
    pub fn parse(text: &str, offset: usize) -> Result<WordRule, super::SyntaxError> {
        parse::rule(text).map_err(|mut error| {
            error.span = error.span.start + offset..error.span.end + offset;
            error
        })
    }

    /// The rule as plain data.
    ///
    /// Without `leaving` a take leaves the rest as one heap or nothing; names after `leaving` or `into` are exactly so
    /// many heaps, and a `split` without names makes two. Conditions that say no more than a set of amounts, a number
    /// of heaps or a restriction of the parts become that (`take k where k mod 2 = 1` is `take odd`, `a != b` makes
    /// two parts unequal), so that theorems about such rules are found; the options are the same. An alternative that
    /// never allows a move is dropped.
    ///
    /// # Complexity
    /// O(length of the text), and O(r^2) for r comparisons of the amount in one alternative.
    pub fn to_rule(&self) -> HeapRule {
        HeapRule::new(self.lowered().into_iter().filter_map(simplify::simplified).collect())
    }
}
