//! Bounds of all that a formula computes on the way: which n a program may be given, and where numbers may be negative.

use grundy_core::notation::formula::{Condition, Formula, Operation, Term};

/// Where n lies, and how many bits, the sign included, a number may have.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// 0 <= n < 2^bits.
    pub bits: u32,
    /// 64 or 128.
    pub width: u32,
}

impl Bounds {
    /// The bounds with the most bits of n, at most 62, and within them the narrowest type that is offered.
    pub fn of(formula: &Formula, widths: &[u32]) -> Bounds {
        let fitting = |width: u32| (0..=62).rev().find(|bits| Bounds { bits: *bits, width }.hold(formula)).unwrap_or(0);
        let mut best = Bounds { bits: fitting(widths[0]), width: widths[0] };
        for width in &widths[1..] {
            let bits = fitting(*width);
            if bits > best.bits {
                best = Bounds { bits, width: *width };
            }
        }
        best
    }

    fn hold(self, formula: &Formula) -> bool {
        let of_term = |t: &Term| self.of_term(t).is_some();
        let cases = formula.cases().iter().all(|c| self.of_condition(&c.condition) && of_term(&c.value));
        cases && of_term(formula.otherwise())
    }

    fn of_condition(self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(a, _, b) => self.of_term(a).is_some() && self.of_term(b).is_some(),
            Condition::Columns(c) => c.arguments().terms().iter().all(|t| self.of_term(t).is_some()),
            Condition::Not(c) => self.of_condition(c),
            Condition::And(cs) | Condition::Or(cs) => cs.parts().iter().all(|c| self.of_condition(c)),
        }
    }

    fn fit(self, (low, high): (i128, i128)) -> Option<(i128, i128)> {
        let most = i128::MAX >> (128 - self.width);
        (-most <= low && high <= most).then_some((low, high))
    }

    /// The least and the greatest value; None if something on the way does not fit.
    ///
    /// Operands of operations on binary digits are taken to be at least 0: others have no value.
    pub fn of_term(self, term: &Term) -> Option<(i128, i128)> {
        let bounds = match term {
            Term::Integer(v) => (*v, *v),
            Term::Variable(_) => (0, (1 << self.bits) - 1),
            Term::Chain(chain) => {
                let mut left = self.of_term(chain.first())?;
                for operation in chain.operations() {
                    left = self.after(left, operation)?;
                }
                left
            }
            Term::LowBit(t) => (0, self.of_term(t)?.1.max(0)),
            Term::BitLength(t) => {
                self.of_term(t)?;
                (0, 128)
            }
            Term::Min(ts) | Term::Max(ts) => {
                let all: Vec<_> = ts.terms().iter().map(|t| self.of_term(t)).collect::<Option<_>>()?;
                let lows = all.iter().map(|b| b.0);
                let highs = all.iter().map(|b| b.1);
                match term {
                    Term::Min(_) => (lows.min()?, highs.min()?),
                    _ => (lows.max()?, highs.max()?),
                }
            }
        };
        self.fit(bounds)
    }

    /// The bounds after an operation on a value within `left`.
    pub fn after(self, left: (i128, i128), operation: &Operation) -> Option<(i128, i128)> {
        let right = match operation.operand() {
            Some(t) => self.of_term(t)?,
            None => (0, 0),
        };
        let (a, b) = (left.0.max(0), left.1.max(0));
        let full = |high: i128| if high <= 0 { 0 } else { i128::MAX >> (high.leading_zeros() - 1) };
        let bounds = match operation {
            Operation::Plus(_) => (left.0.checked_add(right.0)?, left.1.checked_add(right.1)?),
            Operation::Minus(_) => (left.0.checked_sub(right.1)?, left.1.checked_sub(right.0)?),
            Operation::Times(_) => {
                let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
                let products: Vec<i128> = corners.iter().map(|(x, y)| x.checked_mul(*y)).collect::<Option<_>>()?;
                (*products.iter().min()?, *products.iter().max()?)
            }
            Operation::Mod(m) if left.0 >= 0 && left.1 < m.get() => left,
            Operation::Mod(m) => {
                // the divisor is a number of the program too
                self.fit((0, m.get()))?;
                (0, m.get() - 1)
            }
            Operation::Div(m) => {
                self.fit((0, m.get()))?;
                (left.0.div_euclid(m.get()), left.1.div_euclid(m.get()))
            }
            Operation::ShiftLeft(s) => {
                let shifted = |v: i128| (v == 0 || v.leading_zeros() > s.get()).then(|| v << s.get());
                (shifted(a)?, shifted(b)?)
            }
            Operation::ShiftRight(s) => (a >> s.get(), b >> s.get()),
            Operation::BitAnd(_) => (0, b.min(right.1.max(0))),
            Operation::Xor(_) | Operation::BitOr(_) => (0, full(b | right.1.max(0))),
        };
        self.fit(bounds)
    }
}
