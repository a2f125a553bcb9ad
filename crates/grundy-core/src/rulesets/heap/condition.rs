//! `where` conditions: comparisons of linear terms over the heap, the taken amount and the parts.

use core::cmp::Ordering;

/// What a linear term may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    /// The heap before the move, `n`.
    Heap,
    /// The amount taken (0 in a split).
    Taken,
    /// The i-th named part.
    Part(u8),
}

/// A variable or a remainder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A plain variable.
    Variable(Variable),
    /// `term mod m`, in 0..m also for negative terms; m >= 1.
    Mod(Box<Linear>, u64),
    /// `gcd(x, y)`, of the absolute values; gcd(0, 0) = 0.
    Gcd(Box<Linear>, Box<Linear>),
}

/// `constant + sum of coefficient * atom`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Linear {
    /// Coefficient and atom, in the order written.
    pub terms: Vec<(i128, Atom)>,
    /// The constant.
    pub constant: i128,
}

/// A comparison sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// A boolean combination of comparisons.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `left ? right`
    Compare(Linear, Comparison, Linear),
    /// `not c`
    Not(Box<Condition>),
    /// `c and d`
    And(Box<Condition>, Box<Condition>),
    /// `c or d`
    Or(Box<Condition>, Box<Condition>),
}

impl Linear {
    /// The plain variable `v`.
    pub fn variable(v: Variable) -> Self {
        Linear { terms: vec![(1, Atom::Variable(v))], constant: 0 }
    }

    /// A constant.
    pub fn constant(c: i128) -> Self {
        Linear { terms: Vec::new(), constant: c }
    }

    /// The value; None on overflow of 128 bits (coefficients of the notation stay below 2^64, so this does not happen there).
    fn eval(&self, n: u64, taken: u64, parts: &[u64]) -> Option<i128> {
        let mut total = self.constant;
        for (coefficient, atom) in &self.terms {
            let value = match atom {
                Atom::Variable(Variable::Heap) => i128::from(n),
                Atom::Variable(Variable::Taken) => i128::from(taken),
                Atom::Variable(Variable::Part(i)) => i128::from(*parts.get(usize::from(*i))?),
                Atom::Mod(t, m) => t.eval(n, taken, parts)?.rem_euclid(i128::from((*m).max(1))),
                Atom::Gcd(a, b) => gcd(a.eval(n, taken, parts)?, b.eval(n, taken, parts)?),
            };
            total = total.checked_add(coefficient.checked_mul(value)?)?;
        }
        Some(total)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(i128::MAX)
}

impl Comparison {
    /// True if `left ? right`.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterEqual => order.is_ge(),
        }
    }
}

impl Condition {
    /// True for this heap, amount and *order* of the parts.
    pub fn holds(&self, n: u64, taken: u64, parts: &[u64]) -> bool {
        match self {
            Condition::Compare(l, c, r) => match (l.eval(n, taken, parts), r.eval(n, taken, parts)) {
                (Some(l), Some(r)) => c.holds(l.cmp(&r)),
                _ => false,
            },
            Condition::Not(c) => !c.holds(n, taken, parts),
            Condition::And(a, b) => a.holds(n, taken, parts) && b.holds(n, taken, parts),
            Condition::Or(a, b) => a.holds(n, taken, parts) || b.holds(n, taken, parts),
        }
    }

    /// True for *some* order of the parts: parts are unordered, so the names may be given to them in any way.
    ///
    /// # Complexity
    /// At most j! evaluations for j parts; the notation names at most a handful.
    pub fn holds_unordered(&self, n: u64, taken: u64, parts: &[u64]) -> bool {
        if parts.len() < 2 {
            return self.holds(n, taken, parts);
        }
        let mut order = parts.to_vec();
        order.sort_unstable();
        loop {
            if self.holds(n, taken, &order) {
                return true;
            }
            if !next_permutation(&mut order) {
                return false;
            }
        }
    }
}

/// The next arrangement in lexicographic order; false after the last.
fn next_permutation(a: &mut [u64]) -> bool {
    let Some(i) = (1..a.len()).rev().find(|i| a[i - 1] < a[*i]) else { return false };
    let j = (i..a.len()).rev().find(|j| a[*j] > a[i - 1]).unwrap_or(i);
    a.swap(i - 1, j);
    a[i..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(i: u8) -> Linear {
        Linear::variable(Variable::Part(i))
    }

    #[test]
    fn names_may_be_given_in_any_order() {
        // b = 2a
        let double = Linear { terms: vec![(2, Atom::Variable(Variable::Part(0)))], constant: 0 };
        let c = Condition::Compare(part(1), Comparison::Equal, double);
        assert!(c.holds_unordered(9, 0, &[3, 6]));
        assert!(c.holds_unordered(9, 0, &[6, 3]));
        assert!(!c.holds_unordered(9, 0, &[4, 5]));
    }

    #[test]
    fn remainders_of_negative_terms_are_not_negative() {
        let t = Linear { terms: vec![(-1, Atom::Variable(Variable::Taken))], constant: 0 };
        let r = Linear { terms: vec![(1, Atom::Mod(Box::new(t), 3))], constant: 0 };
        let c = Condition::Compare(r, Comparison::Equal, Linear::constant(2));
        assert!(c.holds(9, 1, &[]) && !c.holds(9, 2, &[]));
    }

    #[test]
    fn all_arrangements_are_tried() {
        let mut a = [1, 1, 2, 3];
        let mut count = 1;
        while next_permutation(&mut a) {
            count += 1;
        }
        assert_eq!(count, 12);
    }
}
