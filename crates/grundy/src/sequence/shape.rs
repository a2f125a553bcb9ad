//! The rule as the fast engines read it: for each amount, what may be left.

use grundy_core::rulesets::heap::{AmountSet, Amounts, HeapRule, Parts};

/// A rule with finitely many amounts, at most two heaps left, and no conditions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shape {
    /// Amounts after which nothing may be left, ascending.
    pub nothing: Vec<usize>,
    /// Amounts after which one heap may be left, ascending.
    pub whole: Vec<usize>,
    /// Amounts after which two heaps may be left, ascending, any two or unequal ones.
    pub pairs: Vec<Pairs>,
}

/// An amount after which two heaps may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pairs {
    /// The amount; 0 is breaking without taking.
    pub amount: usize,
    /// True if the two must differ.
    pub unequal: bool,
}

/// Largest amount of a shape.
const MOST: u64 = 1 << 16;

/// A rule with finitely many amounts, finitely many heaps left, three or more after some amount, and no conditions.
///
/// Where three or more heaps are left, any may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManyShape {
    /// What at most two heaps may be left of.
    pub few: Shape,
    /// Numbers of heaps that may be left, at least three, each with its amount, ascending.
    pub many: Vec<Many>,
}

/// An amount after which three or more heaps may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Many {
    /// The number of heaps left.
    pub parts: usize,
    /// The amount; 0 is breaking without taking.
    pub amount: usize,
}

/// Most heaps that a move of a [`ManyShape`] leaves: those of a digit of 32 bits.
const MOST_PARTS: u32 = 31;

impl ManyShape {
    /// The shape of a rule, if it has one; `None` where no move leaves three heaps.
    pub fn of(rule: &HeapRule) -> Option<ManyShape> {
        let (few, many) = read(rule, MOST_PARTS)?;
        (!many.is_empty()).then_some(ManyShape { few, many })
    }
}

impl Shape {
    /// The shape of a rule, if it has one.
    pub fn of(rule: &HeapRule) -> Option<Shape> {
        read(rule, 2).map(|(few, _)| few)
    }

    /// The largest amount.
    pub fn span(&self) -> usize {
        let pairs = self.pairs.last().map(|p| p.amount);
        [self.nothing.last().copied(), self.whole.last().copied(), pairs].into_iter().flatten().max().unwrap_or(0)
    }
}

/// The shape of a rule that leaves at most `most` heaps: what leaves at most two, and what leaves more.
fn read(rule: &HeapRule, most: u32) -> Option<(Shape, Vec<Many>)> {
    let mut shape = Shape::default();
    let mut pairs: Vec<Pairs> = Vec::new();
    let mut many: Vec<Many> = Vec::new();
    for a in rule.alternatives() {
        if a.condition.is_some() || a.leave.most()? > most {
            return None;
        }
        let larger: Vec<usize> = a.leave.exact.iter().filter(|(c, _)| *c > 2).map(|(c, _)| *c as usize).collect();
        if a.leave.exact.iter().any(|(c, r)| *c > 2 && *r != Parts::Any) {
            return None;
        }
        let restriction = a.leave.restriction(2);
        for k in finite_amounts(&a.take)? {
            if k > 0 && a.leave.restriction(0).is_some() {
                shape.nothing.push(k);
            }
            if k > 0 && a.leave.restriction(1).is_some() {
                shape.whole.push(k);
            }
            match restriction {
                None => {}
                Some(Parts::Any) => pairs.push(Pairs { amount: k, unequal: false }),
                Some(Parts::Unequal | Parts::NotAllEqual) => pairs.push(Pairs { amount: k, unequal: true }),
                Some(Parts::AllEqual) => return None,
            }
            many.extend(larger.iter().map(|parts| Many { parts: *parts, amount: k }));
        }
    }
    pairs.sort_unstable();
    // any two of an amount include the unequal ones
    pairs.dedup_by(|later, kept| later.amount == kept.amount);
    for list in [&mut shape.nothing, &mut shape.whole] {
        list.sort_unstable();
        list.dedup();
    }
    many.sort_unstable();
    many.dedup();
    shape.pairs = pairs;
    Some((shape, many))
}

fn finite_amounts(amounts: &Amounts) -> Option<Vec<usize>> {
    let bound = amounts.bound()?;
    let plain = |s: &AmountSet| matches!(s, AmountSet::Run { .. } | AmountSet::PowersOf(_));
    if bound > MOST || !amounts.include.iter().all(plain) || !amounts.exclude.iter().all(plain) {
        return None;
    }
    Some((0..=bound).filter(|k| amounts.contains(*k, bound.max(*k))).map(|k| k as usize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::read_heap_game;

    fn shape(text: &str) -> Option<Shape> {
        Shape::of(read_heap_game(text).unwrap().rule())
    }

    fn many(text: &str) -> Option<ManyShape> {
        ManyShape::of(read_heap_game(text).unwrap().rule())
    }

    #[test]
    fn codes_have_shapes() {
        let kayles = shape("0.77").unwrap();
        let any = |amount| Pairs { amount, unequal: false };
        assert_eq!((&kayles.nothing[..], &kayles.whole[..]), (&[1, 2][..], &[1, 2][..]));
        assert_eq!(kayles.pairs, [any(1), any(2)]);
        assert_eq!(shape("4.06").unwrap().pairs, [any(0), any(2)]);
        assert_eq!(shape("grundy_game").unwrap().pairs, [Pairs { amount: 0, unequal: true }]);
        assert_eq!(shape("subtraction[{1, 4}]").unwrap().span(), 4);
        assert_eq!(shape("0.8"), None);
        assert_eq!(shape("lasker"), None);
        assert_eq!(shape("[take primes]"), None);
        assert_eq!(many("0.77"), None);
        assert_eq!(many("0.8[8]"), None);
        assert_eq!(many("0.{3!}"), None);
        assert_eq!(many("0.{2+}"), None);
        let of = |parts, amount| Many { parts, amount };
        assert_eq!(many("8.3F").unwrap().many, [of(3, 0), of(3, 2)]);
        let long = many("0.0V{2!,3}").unwrap();
        assert_eq!(long.many, [of(3, 2), of(3, 3), of(4, 2)]);
        assert_eq!(long.few.pairs, [any(2), Pairs { amount: 3, unequal: true }]);
    }
}
