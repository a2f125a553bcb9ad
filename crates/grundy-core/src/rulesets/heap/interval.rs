//! Linear conditions on the amount taken, read as intervals of amounts.

use super::{Atom, Comparison, Condition, Linear, Variable};

/// `taken * k + heap * n + constant`, without parts, remainders and gcds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    /// Coefficient of the amount taken.
    pub taken: i128,
    /// Coefficient of the heap.
    pub heap: i128,
    /// The constant.
    pub constant: i128,
}

impl Affine {
    /// `left - right`; None if a term speaks of anything but the heap and the amount, or overflows.
    pub fn difference(left: &Linear, right: &Linear) -> Option<Affine> {
        let mut sum = Affine { taken: 0, heap: 0, constant: left.constant.checked_sub(right.constant)? };
        let signed = left.terms.iter().map(|t| (1, t)).chain(right.terms.iter().map(|t| (-1i128, t)));
        for (sign, (coefficient, atom)) in signed {
            let c = coefficient.checked_mul(sign)?;
            match atom {
                Atom::Variable(Variable::Taken) => sum.taken = sum.taken.checked_add(c)?,
                Atom::Variable(Variable::Heap) => sum.heap = sum.heap.checked_add(c)?,
                _ => return None,
            }
        }
        Some(sum)
    }

    fn negated(self) -> Option<Affine> {
        Some(Affine {
            taken: self.taken.checked_neg()?,
            heap: self.heap.checked_neg()?,
            constant: self.constant.checked_neg()?,
        })
    }

    /// The inequality `result >= 0` that says the same over the integers, for the four comparisons that are one.
    pub fn at_least_zero(self, comparison: Comparison) -> Option<Affine> {
        let strict = |a: Affine| Some(Affine { constant: a.constant.checked_sub(1)?, ..a });
        match comparison {
            Comparison::GreaterEqual => Some(self),
            Comparison::Greater => strict(self),
            Comparison::LessEqual => self.negated(),
            Comparison::Less => strict(self.negated()?),
            Comparison::Equal | Comparison::NotEqual => None,
        }
    }
}

/// The comparison that holds exactly if `c` does not.
pub(super) fn opposite(c: Comparison) -> Comparison {
    match c {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

/// No amount at all.
const EMPTY: (u64, u64) = (1, 0);

/// The amounts (first, last) for which `condition` holds at a heap of `n`, if they are an interval that can be read
/// off: conjunctions of linear comparisons of the amount, the heap and constants. `first > last` means none.
///
/// # Complexity
/// O(size of the condition).
pub(super) fn interval(condition: &Condition, n: u64) -> Option<(u64, u64)> {
    of(condition, false, &|a| {
        let shift = a.heap.checked_mul(i128::from(n))?;
        Some((a.taken, a.constant.checked_add(shift)?))
    })
}

/// As [`interval`], for conditions that do not speak of the heap.
pub(super) fn interval_of_any_heap(condition: &Condition) -> Option<(u64, u64)> {
    of(condition, false, &|a| (a.heap == 0).then_some((a.taken, a.constant)))
}

fn of(condition: &Condition, negate: bool, at: &impl Fn(Affine) -> Option<(i128, i128)>) -> Option<(u64, u64)> {
    match (condition, negate) {
        (Condition::Compare(l, c, r), _) => {
            let c = if negate { opposite(*c) } else { *c };
            let difference = Affine::difference(l, r)?;
            match c {
                Comparison::NotEqual => None,
                Comparison::Equal => {
                    let low = half_line(at(difference)?);
                    let high = half_line(at(difference.negated()?)?);
                    Some(meet(low, high))
                }
                _ => Some(half_line(at(difference.at_least_zero(c)?)?)),
            }
        }
        (Condition::Not(c), _) => of(c, !negate, at),
        (Condition::And(a, b), false) | (Condition::Or(a, b), true) => {
            Some(meet(of(a, negate, at)?, of(b, negate, at)?))
        }
        _ => None,
    }
}

/// All k >= 0 with slope * k + shift >= 0.
fn half_line((slope, shift): (i128, i128)) -> (u64, u64) {
    let unsigned = |x: i128| u64::try_from(x).ok();
    match slope {
        0 if shift >= 0 => (0, u64::MAX),
        0 => EMPTY,
        // k >= -shift / slope, rounded up
        1.. => match shift.div_euclid(slope).checked_neg() {
            Some(least) if least <= 0 => (0, u64::MAX),
            least => least.and_then(unsigned).map_or(EMPTY, |l| (l, u64::MAX)),
        },
        // k <= shift / -slope, rounded down
        _ if shift < 0 => EMPTY,
        _ => (0, u64::try_from(shift.unsigned_abs() / slope.unsigned_abs()).unwrap_or(u64::MAX)),
    }
}

fn meet(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.max(b.0), a.1.min(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(taken: i128, heap: i128, constant: i128) -> Linear {
        let terms = vec![(taken, Atom::Variable(Variable::Taken)), (heap, Atom::Variable(Variable::Heap))];
        Linear { terms, constant }
    }

    #[test]
    fn intervals_are_what_the_condition_says() {
        use Comparison::*;
        for c in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual] {
            for taken in -3..=3 {
                for heap in -2..=2 {
                    for constant in -7..=7 {
                        let one = Condition::Compare(linear(taken, heap, constant), c, linear(1, 0, 0));
                        let five = Condition::Compare(linear(1, 0, 0), LessEqual, linear(0, 0, 5));
                        for condition in [
                            one.clone(),
                            Condition::Not(Box::new(one.clone())),
                            Condition::And(Box::new(one.clone()), Box::new(five.clone())),
                            Condition::Not(Box::new(Condition::Or(Box::new(one), Box::new(five)))),
                        ] {
                            let Some((first, last)) = interval(&condition, 6) else { continue };
                            for k in 0..20 {
                                let inside = (first..=last).contains(&k);
                                assert_eq!(inside, condition.holds(6, k, &[]), "{condition:?} {k} in {first}..={last}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn parts_and_alternatives_are_not_read() {
        let part = Linear::variable(Variable::Part(0));
        let c = Condition::Compare(part, Comparison::Less, Linear::constant(3));
        assert_eq!(interval(&c, 6), None);
        let k = Condition::Compare(linear(1, 0, 0), Comparison::Less, Linear::constant(3));
        assert_eq!(interval(&Condition::Or(Box::new(k.clone()), Box::new(k.clone())), 6), None);
        assert_eq!(interval_of_any_heap(&k), Some((0, 2)));
    }
}
