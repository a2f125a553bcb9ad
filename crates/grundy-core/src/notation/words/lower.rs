//! From what was written to the plain data of heap games, word for word.

use super::{Alt, Amount, Set, Sign, Term, Truth, WordRule};
use crate::rulesets::heap::{Alternative, AmountSet, Amounts, Atom, Condition, Leave, Linear};

impl WordRule {
    /// The alternatives exactly as written.
    pub(super) fn lowered(&self) -> Vec<Alternative> {
        let mut all = Vec::new();
        for alternative in &self.alternatives {
            match alternative {
                Alt::Take { amount, leaving, condition } => all.push(Alternative {
                    take: amounts(amount),
                    leave: if leaving.is_empty() { Leave::rest() } else { exactly(leaving) },
                    condition: condition.as_ref().map(truth),
                }),
                Alt::Split { into, condition } => all.push(Alternative {
                    take: Amounts::nothing(),
                    leave: if into.is_empty() { Leave::exactly(2) } else { exactly(into) },
                    condition: condition.as_ref().map(truth),
                }),
                Alt::Code(code) => all.extend_from_slice(code.to_rule().alternatives()),
            }
        }
        all
    }
}

fn exactly(names: &[String]) -> Leave {
    // the parser lets at most MAX_PARTS names through
    Leave::exactly(u32::try_from(names.len()).unwrap_or(u32::MAX))
}

fn amounts(amount: &Amount) -> Amounts {
    match amount {
        Amount::Named(_) => Amounts::of(set(&Set::Any)),
        Amount::Listed { include, but } => {
            Amounts { include: include.iter().map(set).collect(), exclude: but.iter().map(set).collect() }
        }
    }
}

fn set(set: &Set) -> AmountSet {
    match *set {
        Set::One(k) => AmountSet::one(k),
        Set::Range(first, last) => AmountSet::Run { first, last, step: 1 },
        Set::Any => AmountSet::from(1),
        Set::Odd => AmountSet::Run { first: 1, last: None, step: 2 },
        Set::Even => AmountSet::Run { first: 2, last: None, step: 2 },
        Set::MultiplesOf(m) => AmountSet::Run { first: m, last: None, step: m },
        Set::PowersOf(b) => AmountSet::PowersOf(b),
        Set::Squares => AmountSet::Squares,
        Set::Primes => AmountSet::Primes,
        Set::Fibonacci => AmountSet::Fibonacci,
        Set::Divisors => AmountSet::Divisors,
    }
}

fn truth(t: &Truth) -> Condition {
    match t {
        Truth::Compare(left, comparison, right) => Condition::Compare(linear(left), *comparison, linear(right)),
        Truth::Not(c) => Condition::Not(Box::new(truth(c))),
        Truth::And(members) => balanced(members.iter().map(truth).collect(), Condition::And),
        Truth::Or(members) => balanced(members.iter().map(truth).collect(), Condition::Or),
    }
}

/// The members joined two by two, so that a long chain of them is a shallow tree.
pub(super) fn balanced(
    mut members: Vec<Condition>,
    join: fn(Box<Condition>, Box<Condition>) -> Condition,
) -> Condition {
    if members.len() > 1 {
        let right = balanced(members.split_off(members.len().div_ceil(2)), join);
        return join(Box::new(balanced(members, join)), Box::new(right));
    }
    // no members at all are never asked for; 0 = 0 is the empty conjunction
    members.pop().unwrap_or(Condition::Compare(
        Linear::constant(0),
        crate::rulesets::heap::Comparison::Equal,
        Linear::constant(0),
    ))
}

/// The term as constant and coefficients. The parser has bounded every value on the way by 127 bits, hence the
/// saturating operations are exact.
fn linear(term: &Term) -> Linear {
    match term {
        Term::Integer(c) => Linear::constant(i128::from(*c)),
        Term::Variable(v) => Linear::variable(*v),
        Term::Minus(t) => scaled(linear(t), -1),
        Term::Times(a, b) => {
            let (factor, t) = if a.is_constant() { (a, b) } else { (b, a) };
            scaled(linear(t), linear(factor).constant)
        }
        Term::Mod(t, m) => {
            let t = linear(t);
            if t.terms.is_empty() {
                return Linear::constant(t.constant.rem_euclid(i128::from((*m).max(1))));
            }
            Linear { terms: vec![(1, Atom::Mod(Box::new(t), *m))], constant: 0 }
        }
        Term::Gcd(a, b) => {
            let (a, b) = (linear(a), linear(b));
            if a.terms.is_empty() && b.terms.is_empty() {
                return Linear::constant(gcd(a.constant, b.constant));
            }
            Linear { terms: vec![(1, Atom::Gcd(Box::new(a), Box::new(b)))], constant: 0 }
        }
        Term::Sum(first, rest) => rest.iter().fold(linear(first), |mut sum, (sign, t)| {
            let t = scaled(linear(t), if *sign == Sign::Plus { 1 } else { -1 });
            sum.constant = sum.constant.saturating_add(t.constant);
            sum.terms.extend(t.terms);
            sum
        }),
    }
}

fn scaled(mut term: Linear, factor: i128) -> Linear {
    term.constant = term.constant.saturating_mul(factor);
    for (coefficient, _) in &mut term.terms {
        *coefficient = coefficient.saturating_mul(factor);
    }
    term
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
