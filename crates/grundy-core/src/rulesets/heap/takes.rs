//! The set S of a subtraction game in a form in which theorems about it can be checked.

use super::{
    Alternative, AmountSet, Amounts, Atom, Comparison, Condition, Linear, Parts, Variable, amounts::gcd,
    interval::interval_of_any_heap,
};

/// Largest stretch of amounts that is written out to find the shape of a set.
const WRITTEN_OUT: u64 = 1 << 14;
/// Most amounts or residues that are looked at one by one.
const LOOKED_AT: u64 = 1 << 16;

/// How far a stretch of amounts goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Up to here.
    To(u64),
    /// Without end.
    Forever,
}

/// Amounts that may be taken from any heap that has them, the rest left as one heap or none.
#[derive(Clone, Debug)]
pub(super) struct Takes {
    /// The amounts exactly: the union of these sets, each under its condition on the amount.
    exact: Vec<(Amounts, Option<Condition>)>,
    /// Sets whose union holds all these amounts …
    cover: Vec<AmountSet>,
    /// … and nothing else, if this is true.
    tight: bool,
}

impl Takes {
    /// The amounts of a rule that only takes, whatever the heap is; None for every other rule.
    pub fn of(alternatives: &[Alternative]) -> Option<Takes> {
        let mut exact = Vec::new();
        for a in alternatives {
            if !is_plain(a)
                || a.take.include.contains(&AmountSet::Divisors)
                || a.take.exclude.contains(&AmountSet::Divisors)
            {
                return None;
            }
            match a.condition.as_ref().map(|c| (c, interval_of_any_heap(c))) {
                None => exact.push((a.take.clone(), None)),
                // runs are cut to the interval, so that `k <= 10^9` stays a run
                Some((_, Some((first, last)))) if a.take.include.iter().all(|s| matches!(s, AmountSet::Run { .. })) => {
                    let include = a.take.include.iter().filter_map(|s| cut(s, first, last)).collect();
                    exact.push((Amounts { include, exclude: a.take.exclude.clone() }, None));
                }
                Some((c, _)) => {
                    span_of_condition(c)?;
                    exact.push((a.take.clone(), Some(c.clone())));
                }
            }
        }
        let (cover, tight) = match written_out(&exact) {
            Some(runs) => (runs, true),
            None => {
                let tight = exact.iter().all(|(a, c)| a.exclude.is_empty() && c.is_none());
                (exact.iter().flat_map(|(a, _)| a.include.iter().cloned()).collect(), tight)
            }
        };
        Some(Takes { exact, cover, tight })
    }

    /// Sets whose union is exactly the set of amounts, disjoint if they are runs; None if none are known.
    pub fn sets(&self) -> Option<&[AmountSet]> {
        self.tight.then_some(&self.cover)
    }

    /// True if `k` may be taken.
    pub fn contains(&self, k: u64) -> bool {
        k > 0 && contains(&self.exact, k)
    }

    /// The least amount that is at least `k`, at least 1; None also if it is not found among the next candidates.
    pub fn next_from(&self, k: u64) -> Option<u64> {
        let mut k = k.max(1);
        if self.tight {
            return self.cover.iter().filter_map(|s| s.next_from(k, u64::MAX)).min();
        }
        for _ in 0..LOOKED_AT {
            k = self.cover.iter().filter_map(|s| s.next_from(k, u64::MAX)).min()?;
            if contains(&self.exact, k) {
                return Some(k);
            }
            k = k.checked_add(1)?;
        }
        None
    }

    /// The largest j such that `step, 2 step, …, j step` all are amounts; None if there is none or it was not found.
    pub fn multiples(&self, step: u64) -> Option<Reach> {
        let mut j = 0u64;
        for _ in 0..LOOKED_AT {
            let Some(next) = (j + 1).checked_mul(step) else { return Some(Reach::To(j)) };
            // a run whose distance divides the step holds all further multiples up to its end
            match self.run_with(next, step) {
                Some(Reach::To(last)) => j = last / step,
                Some(Reach::Forever) => return Some(Reach::Forever),
                None if self.contains(next) => j += 1,
                None => return (j > 0).then_some(Reach::To(j)),
            }
        }
        None
    }

    /// The largest r such that `first, first + 1, …, r` all are amounts; as [`Takes::multiples`].
    pub fn stretch(&self, first: u64) -> Option<Reach> {
        let mut r = first.checked_sub(1)?;
        for _ in 0..LOOKED_AT {
            let Some(next) = r.checked_add(1) else { return Some(Reach::To(r)) };
            match self.run_with(next, 1) {
                Some(Reach::To(last)) => r = last,
                Some(Reach::Forever) => return Some(Reach::Forever),
                None if self.contains(next) => r = next,
                None => return (r >= first).then_some(Reach::To(r)),
            }
        }
        None
    }

    /// The end of a run of amounts that holds `k` and whose distance divides `step`.
    fn run_with(&self, k: u64, step: u64) -> Option<Reach> {
        self.cover.iter().filter(|_| self.tight).find_map(|s| match s {
            AmountSet::Run { last, step: d, .. } if step.is_multiple_of((*d).max(1)) && s.contains(k, k) => {
                Some(last.map_or(Reach::Forever, Reach::To))
            }
            _ => None,
        })
    }

    /// True if every amount, modulo `q`, is known to lie in one of the intervals `allowed`.
    pub fn residues_within(&self, q: u64, allowed: &[(u64, u64)]) -> bool {
        let inside = |first: u64, last: u64| allowed.iter().any(|(l, h)| *l <= first && last <= *h);
        let one = |k: u64| inside(k % q, k % q);
        self.cover.iter().all(|s| match s {
            AmountSet::Run { first, last, step } => {
                let step = (*step).max(1);
                let first = if *first == 0 { step } else { *first };
                let g = gcd(step, q);
                let to_last =
                    last.map_or(u64::MAX, |l| if l < first { 0 } else { ((l - first) / step).saturating_add(1) });
                let count = to_last.min(q / g);
                if count <= LOOKED_AT {
                    (0..count)
                        .all(|i| one(((u128::from(first) + u128::from(i) * u128::from(step)) % u128::from(q)) as u64))
                } else if let (1, Some(l)) = (step, last) {
                    (first % q).checked_add(l - first).is_some_and(|end| end < q && inside(first % q, end))
                } else {
                    // among all numbers of the same residue modulo g
                    inside(first % g, q - g + first % g)
                }
            }
            AmountSet::PowersOf(0 | 1) => one(1),
            AmountSet::PowersOf(b) => {
                // the residues end in a cycle; one that is not closed in time proves nothing
                let mut seen = std::collections::HashSet::new();
                let mut x = 1 % q;
                while seen.insert(x) {
                    if !one(x) || seen.len() as u64 > LOOKED_AT {
                        return false;
                    }
                    x = (u128::from(x) * u128::from(*b) % u128::from(q)) as u64;
                }
                true
            }
            // p is a prime other than 2 and 3, or one of these; never a multiple of a composite number
            AmountSet::Primes => q > 3 && !super::amounts::is_prime(q) && inside(1, q - 1),
            // q divides the square of q and some Fibonacci number; divisors are no amounts of a subtraction game
            AmountSet::Squares | AmountSet::Fibonacci | AmountSet::Divisors => inside(0, q - 1),
        })
    }
}

/// True if the alternative leaves the rest as one heap or nothing.
pub(super) fn is_plain(a: &Alternative) -> bool {
    a.leave.from.is_none()
        && a.leave.restriction(0).is_some()
        && a.leave.most() == Some(1)
        && a.leave.restriction(1).is_some()
}

fn contains(exact: &[(Amounts, Option<Condition>)], k: u64) -> bool {
    exact.iter().any(|(a, c)| a.contains(k, k) && c.as_ref().is_none_or(|c| c.holds(k, k, &[])))
}

/// The part of a run between `first` and `last`.
fn cut(set: &AmountSet, first: u64, last: u64) -> Option<AmountSet> {
    let AmountSet::Run { last: end, step, .. } = set else { return None };
    let first = set.next_from(first, u64::MAX)?;
    let last = end.map_or(last, |e| e.min(last));
    (first <= last).then_some(AmountSet::Run { first, last: (last < u64::MAX).then_some(last), step: (*step).max(1) })
}

/// Disjoint runs with the same amounts, if these repeat early enough.
pub(super) fn written_out(exact: &[(Amounts, Option<Condition>)]) -> Option<Vec<AmountSet>> {
    let (mut start, mut period) = (1u64, 1u64);
    let mut join = |s: u64, p: u64| {
        start = start.max(s);
        period = lcm(period, p)?;
        (start.checked_add(period)? <= WRITTEN_OUT).then_some(())
    };
    for (amounts, condition) in exact {
        for set in amounts.include.iter().chain(&amounts.exclude) {
            match set {
                AmountSet::Run { last: Some(l), .. } => join(l.checked_add(1)?, 1)?,
                AmountSet::Run { first, last: None, step } => join(*first, (*step).max(1))?,
                AmountSet::PowersOf(0 | 1) => join(2, 1)?,
                _ => return None,
            }
        }
        if let Some(c) = condition {
            let (s, p) = span_of_condition(c)?;
            join(s, p)?;
        }
    }
    // start and period as small as the amounts allow
    let is: Vec<bool> = (0..start + period).map(|k| k > 0 && contains(exact, k)).collect();
    let tail = &is[start as usize..];
    let period = (1..=tail.len())
        .filter(|p| tail.len().is_multiple_of(*p))
        .find(|p| (0..tail.len() - p).all(|i| tail[i] == tail[i + p]))?;
    let mut start = start as usize;
    while start > 1 && is[start - 1] == is[start - 1 + period] {
        start -= 1;
    }
    let mut runs = Vec::new();
    if is[start..start + period].iter().all(|x| *x) {
        runs.push(AmountSet::from(start as u64));
    } else {
        let last = None;
        let step = period as u64;
        runs.extend((start..start + period).filter(|k| is[*k]).map(|k| AmountSet::Run { first: k as u64, last, step }));
    }
    let mut k = 1;
    while k < start {
        let end = (k..start).find(|e| !is[*e]).unwrap_or(start);
        if end > k {
            runs.push(AmountSet::Run { first: k as u64, last: Some(end as u64 - 1), step: 1 });
        }
        k = end + 1;
    }
    Some(runs)
}

/// From which amount on, and with which period, a condition on the amount alone repeats; None if it speaks of anything
/// else.
fn span_of_condition(condition: &Condition) -> Option<(u64, u64)> {
    match condition {
        Condition::Not(c) => span_of_condition(c),
        Condition::And(a, b) | Condition::Or(a, b) => {
            let ((s, p), (t, q)) = (span_of_condition(a)?, span_of_condition(b)?);
            Some((s.max(t), lcm(p, q)?))
        }
        Condition::Compare(left, _, right) => {
            // slope * k + something of absolute value at most `rest`: from k > rest / |slope| on, its sign is that of
            // slope
            let (mut slope, mut rest, mut period) =
                (0i128, left.constant.checked_sub(right.constant)?.checked_abs()?, 1);
            for (sign, (c, atom)) in left.terms.iter().map(|t| (1, t)).chain(right.terms.iter().map(|t| (-1i128, t))) {
                match atom {
                    Atom::Variable(Variable::Taken) => slope = slope.checked_add(c.checked_mul(sign)?)?,
                    Atom::Mod(inner, m) if speaks_of_the_amount(inner) => {
                        rest = rest.checked_add(c.checked_abs()?.checked_mul(i128::from(*m))?)?;
                        period = lcm(period, (*m).max(1))?;
                    }
                    _ => return None,
                }
            }
            let start = if slope == 0 { 1 } else { rest / slope.checked_abs()? + 2 };
            Some((u64::try_from(start).ok()?, period))
        }
    }
}

fn speaks_of_the_amount(term: &Linear) -> bool {
    term.terms.iter().all(|(_, a)| *a == Atom::Variable(Variable::Taken))
}

/// What the condition says of two parts, if just that they are unequal (`a != b`, `a < b`, `a > b`) or equal.
pub(super) fn of_two_parts(condition: &Condition) -> Option<Parts> {
    use Comparison::{Equal, Greater, Less, NotEqual};
    let (condition, negate) = match condition {
        Condition::Not(c) => (c.as_ref(), true),
        c => (c, false),
    };
    let Condition::Compare(l, c, r) = condition else { return None };
    let is = |l: &Linear, i: u8| *l == Linear::variable(Variable::Part(i));
    if !((is(l, 0) && is(r, 1)) || (is(l, 1) && is(r, 0))) {
        return None;
    }
    match (c, negate) {
        (NotEqual | Less | Greater, false) | (Equal, true) => Some(Parts::Unequal),
        (Equal, false) | (NotEqual, true) => Some(Parts::AllEqual),
        _ => None,
    }
}

/// What the alternative says of `count` parts, where a condition on two parts is one of [`Parts`]; None if it may not
/// leave that many, or under a condition of another kind.
pub(super) fn parts_allowed(a: &Alternative, count: u64) -> Option<Parts> {
    let parts = a.leave.restriction(count)?;
    match &a.condition {
        None => Some(parts),
        Some(c) if count == 2 => match (parts, of_two_parts(c)?) {
            (Parts::Any, said) => Some(said),
            (Parts::Unequal | Parts::NotAllEqual, Parts::Unequal) => Some(Parts::Unequal),
            (Parts::AllEqual, Parts::AllEqual) => Some(Parts::AllEqual),
            _ => None,
        },
        Some(_) => None,
    }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b).max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: u64, last: Option<u64>, step: u64) -> AmountSet {
        AmountSet::Run { first, last, step }
    }

    fn takes(include: &[AmountSet], exclude: &[AmountSet]) -> Takes {
        let take = Amounts { include: include.to_vec(), exclude: exclude.to_vec() };
        Takes::of(&[Alternative { take, ..Alternative::taking(AmountSet::one(1)) }]).unwrap()
    }

    #[test]
    fn one_set_in_many_forms() {
        let odd = [run(1, None, 2)];
        assert_eq!(takes(&odd, &[]).sets().unwrap(), odd);
        assert_eq!(takes(&[AmountSet::from(1)], &[run(2, None, 2)]).sets().unwrap(), odd);
        assert_eq!(takes(&[run(1, None, 4), run(3, None, 4), AmountSet::one(7)], &[]).sets().unwrap(), odd);
        let modulo =
            Linear { terms: vec![(1, Atom::Mod(Box::new(Linear::variable(Variable::Taken)), 2))], constant: 0 };
        let condition = Some(Condition::Compare(modulo, Comparison::Equal, Linear::constant(1)));
        let a = Alternative { condition, ..Alternative::taking(AmountSet::from(1)) };
        assert_eq!(Takes::of(&[a]).unwrap().sets().unwrap(), odd);
    }

    #[test]
    fn huge_runs_stay_runs() {
        let few = Linear::constant(1_000_000_000_000);
        let condition = Some(Condition::Compare(Linear::variable(Variable::Taken), Comparison::LessEqual, few));
        let a = Alternative { condition, ..Alternative::taking(AmountSet::from(1)) };
        let t = Takes::of(&[a]).unwrap();
        assert_eq!(t.stretch(1), Some(Reach::To(1_000_000_000_000)));
        assert!(t.residues_within(1_000_000_000_001, &[(1, 1_000_000_000_000)]));
        assert!(!t.residues_within(1_000_000_000_000, &[(1, 1_000_000_000_000)]));
    }

    #[test]
    fn residues_by_looking() {
        let q_and_sets = [
            (7, vec![run(1, None, 7), run(6, Some(6), 1)]),
            (6, vec![run(2, None, 3), AmountSet::PowersOf(4)]),
            (9, vec![AmountSet::Primes]),
            (5, vec![AmountSet::PowersOf(4), run(3, Some(40), 5)]),
        ];
        for (q, sets) in q_and_sets {
            let t = takes(&sets, &[]);
            for low in 0..q {
                for high in low..q {
                    let slow = (1..2000).filter(|k| t.contains(*k)).all(|k| (low..=high).contains(&(k % q)));
                    let fast = t.residues_within(q, &[(low, high)]);
                    assert!(slow || !fast, "{sets:?} mod {q} in {low}..={high}");
                }
            }
        }
        assert!(takes(&[AmountSet::PowersOf(2)], &[]).residues_within(3, &[(1, 2)]));
        assert!(takes(&[AmountSet::Primes], &[]).residues_within(4, &[(1, 3)]));
        assert!(!takes(&[AmountSet::Primes], &[]).residues_within(5, &[(1, 4)]));
    }
}
