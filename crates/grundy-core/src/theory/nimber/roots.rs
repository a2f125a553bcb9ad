//! Equations of the second degree. Every one with a leading coefficient has its roots among the finite nimbers.

use super::{Nimber, tower};

/// The roots of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roots {
    /// None: c = 0 for a c that is not 0.
    None,
    /// Every nimber: 0 = 0.
    All,
    /// One.
    One(Nimber),
    /// Two, the smaller one first.
    Two(Nimber, Nimber),
}

impl Roots {
    /// The roots, where they are finitely many.
    pub fn list(&self) -> Option<Vec<&Nimber>> {
        match self {
            Roots::None => Some(Vec::new()),
            Roots::All => None,
            Roots::One(x) => Some(vec![x]),
            Roots::Two(x, y) => Some(vec![x, y]),
        }
    }
}

impl Nimber {
    /// The even x with x x x + x = a; the other one is x + 1.
    ///
    /// It lies in the field of a where the trace of a, its top digit there, is 0, and else in the next field, of twice the bits: with
    /// its Fermat power F and H = F / 2 it is F + y, where F x F + F = H and y solves the equation for a + H.
    ///
    /// # Complexity
    /// That of some squares.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::Nimber;
    /// assert_eq!(Nimber::from(6u64).half_root(), Nimber::from(14u64));
    /// // the trace of 8 in the field of 4 bits is 1
    /// assert_eq!(Nimber::from(8u64).half_root(), Nimber::from(16u64));
    /// ```
    pub fn half_root(&self) -> Nimber {
        let mut limbs = self.padded();
        let (width, top) = (limbs.len(), limbs.len() - 1);
        // lists of words know the fields from 64 bits on: to them smaller ones are a part, with the trace 0
        let trace = limbs[top] >> 63;
        limbs[top] &= u64::MAX >> 1;
        let mut root = tower::half_root(&limbs);
        if trace == 1 {
            root.resize(2 * width, 0);
            root[width] = 1;
        }
        Nimber::of(root)
    }
}

/// The roots of a x^2 + b x + c.
///
/// For a and b not 0 they are b/a times those of y^2 + y = a c / b^2, by [`Nimber::half_root`], and so may lie in a field of twice
/// the bits; for b = 0 it is the one square root of c / a, for a = 0 c / b. With a = b = 0 no nimber is a root, or
/// for c = 0 every one.
///
/// # Complexity
/// That of some products.
///
/// # Examples
/// ```
/// use grundy_core::theory::nimber::{Nimber, Roots, solve};
/// let n = |n: u64| Nimber::from(n);
/// assert_eq!(solve(&n(1), &n(1), &n(1)), Roots::Two(n(2), n(3)));
/// assert_eq!(solve(&n(1), &n(0), &n(3)), Roots::One(n(2)));
/// assert_eq!((solve(&n(0), &n(0), &n(5)), solve(&n(0), &n(0), &n(0))), (Roots::None, Roots::All));
/// ```
pub fn solve(a: &Nimber, b: &Nimber, c: &Nimber) -> Roots {
    let (Some(over_a), Some(over_b)) = (a.inverse(), b.inverse()) else {
        return match (a.is_zero(), b.is_zero()) {
            (true, true) if c.is_zero() => Roots::All,
            (true, true) => Roots::None,
            (true, false) => b.inverse().map_or(Roots::None, |over_b| Roots::One(c.product(&over_b))),
            _ => a.inverse().map_or(Roots::None, |over_a| Roots::One(c.product(&over_a).sqrt())),
        };
    };
    let y = a.product(c).product(&over_b.square()).half_root();
    let scale = b.product(&over_a);
    let first = scale.product(&y);
    let second = first.sum(&scale);
    if first < second { Roots::Two(first, second) } else { Roots::Two(second, first) }
}
