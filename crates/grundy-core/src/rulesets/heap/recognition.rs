//! Which rules a [`ClosedForm`] speaks of, seen from their structure.

use super::{
    Alternative, AmountSet, ClosedForm, Comparison, Condition, Parts,
    interval::{Affine, opposite},
    takes::{Reach, Takes, parts_allowed},
};

/// See [`ClosedForm::recognise`].
pub(super) fn recognise(alternatives: &[Alternative]) -> Option<ClosedForm> {
    if takes_any(alternatives) {
        return of_taking_any(alternatives);
    }
    if let Some(takes) = Takes::of(alternatives) {
        return of_takes(&takes);
    }
    let [one] = alternatives else { return None };
    of_condition(one).or_else(|| of_divisors(one)).or_else(|| of_splitting(one))
}

/// True if some alternative, or several together, allow to take any amount and leave the rest as one heap.
fn takes_any(alternatives: &[Alternative]) -> bool {
    [0, 1].iter().all(|count| {
        let plain: Vec<Alternative> = alternatives
            .iter()
            .filter(|a| a.leave.restriction(*count).is_some() && a.condition.as_ref().is_none_or(always))
            .map(|a| Alternative { take: a.take.clone(), ..Alternative::taking(AmountSet::one(1)) })
            .collect();
        let any = |a: &Alternative| a.take.exclude.is_empty() && a.take.include.iter().any(is_any);
        plain.iter().any(any) || Takes::of(&plain).is_some_and(|t| t.stretch(1) == Some(Reach::Forever))
    })
}

fn is_any(set: &AmountSet) -> bool {
    matches!(set, AmountSet::Run { first: 0 | 1, last: None, step: 0 | 1 })
}

/// True for conditions that hold for every amount of every heap: `k <= n`.
fn always(condition: &Condition) -> bool {
    let Some(a) = inequality(condition) else { return false };
    a.heap >= 0 && a.constant >= 0 && a.taken.checked_add(a.heap).is_some_and(|s| s >= 0)
}

/// The condition as `result >= 0`.
fn inequality(condition: &Condition) -> Option<Affine> {
    match condition {
        Condition::Compare(l, c, r) => Affine::difference(l, r)?.at_least_zero(*c),
        Condition::Not(c) => match c.as_ref() {
            Condition::Compare(l, c, r) => Affine::difference(l, r)?.at_least_zero(opposite(*c)),
            _ => None,
        },
        _ => None,
    }
}

/// Games in which any amount may be taken.
fn of_taking_any(alternatives: &[Alternative]) -> Option<ClosedForm> {
    // numbers of parts, other than equal ones, into which a heap may be broken without taking
    let mut broken: Vec<u64> = Vec::new();
    let mut surely = Vec::new();
    let mut after_taking = false;
    for a in alternatives {
        let takes = a.take.include.iter().any(|s| s.next_from(1, u64::MAX).is_some());
        let breaks = a.take.contains(0, 0);
        if a.leave.from.is_some_and(|(_, p)| p != Parts::AllEqual) {
            if breaks {
                return None;
            }
            after_taking = true;
        }
        for (count, parts) in &a.leave.exact {
            let count = u64::from(*count);
            let allowed = parts_allowed(a, count);
            if count < 2 || *parts == Parts::AllEqual || allowed == Some(Parts::AllEqual) {
                continue;
            }
            after_taking |= takes;
            if breaks {
                broken.push(count);
                if allowed.is_some() {
                    surely.push(count);
                }
            }
        }
    }
    let exchanged = |q: u64| broken.iter().all(|count| never_the_same(q, *count));
    if broken.is_empty() {
        Some(ClosedForm::Identity)
    } else if after_taking {
        None
    } else if surely.contains(&2) && exchanged(4) {
        Some(ClosedForm::Lasker)
    } else if surely.contains(&3) && exchanged(8) {
        Some(ClosedForm::ThreeWay)
    } else {
        None
    }
}

/// True if the residues modulo q show that `count` parts never have the value of the heap, see [`ClosedForm::Lasker`].
fn never_the_same(q: u64, count: u64) -> bool {
    if count > 6 {
        return false;
    }
    let d = |r: u64| if r == q - 1 { 1i64 } else { -i64::from(r == 0) };
    let g = |r: u64| (r as i64 + d(r)).rem_euclid(q as i64) as u64;
    // non-descending residues; a zero residue is a part of at least q
    let mut parts = vec![0u64; count as usize];
    loop {
        let n = parts.iter().sum::<u64>() % q;
        let xor = parts.iter().fold(0, |x, r| x ^ g(*r));
        let shift: i64 = parts.iter().map(|r| d(*r)).sum();
        let carried = parts.iter().map(|r| g(*r)).sum::<u64>() != xor;
        if g(n) == xor && (d(n) < shift || (d(n) == shift && !carried)) {
            return false;
        }
        let Some(i) = parts.iter().rposition(|r| *r < q - 1) else { return true };
        let next = parts[i] + 1;
        parts[i..].fill(next);
    }
}

/// Subtraction games.
fn of_takes(s: &Takes) -> Option<ClosedForm> {
    let least = s.next_from(1)?;
    let stretch = s.stretch(least)?;
    let multiples = s.multiples(least);
    if stretch == Reach::Forever || multiples == Some(Reach::Forever) {
        return Some(ClosedForm::Steps { step: least, modulus: None });
    }
    let Reach::To(last) = stretch else { return None };
    let by_stretch = least.checked_add(last);
    let by_multiples = match multiples {
        Some(Reach::To(j)) => (j + 1).checked_mul(least),
        _ => None,
    };
    for q in [by_stretch, by_multiples].into_iter().flatten() {
        if s.residues_within(q, &[(least, q - least)]) {
            return Some(ClosedForm::Steps { step: least, modulus: Some(q) });
        }
    }
    let (a, b) = (least, s.next_from(least + 1)?);
    if let Some(q) = a.checked_add(b)
        && s.residues_within(q, &[(a, a), (b, b)])
    {
        return Some(ClosedForm::Pair { a, b });
    }
    let (m, k) = (last, s.next_from(last.checked_add(1)?)?);
    if least == 1
        && k.is_multiple_of(m + 1)
        && let Some(q) = k.checked_add(1)
        && s.residues_within(q, &[(1, m), (k, k)])
    {
        return Some(ClosedForm::OneMore { m, k });
    }
    None
}

/// `take k where c k <= n - d` and `take k where c k >= n`, and taking anything but the whole heap.
fn of_condition(a: &Alternative) -> Option<ClosedForm> {
    let any = a.take.exclude.is_empty() && a.take.include.iter().any(is_any);
    if !any || a.leave.most() != Some(1) || a.leave.restriction(1).is_none() {
        return None;
    }
    let whole = a.leave.restriction(0).is_some();
    let Some(condition) = &a.condition else {
        return (!whole).then_some(ClosedForm::Fraction { c: 1, d: 1 });
    };
    let mut i = inequality(condition)?;
    // a common divisor of the coefficients may be taken out; the constant is rounded to the stricter side
    let g = i128::try_from(gcd(i.taken.unsigned_abs(), i.heap.unsigned_abs())).ok().filter(|g| *g > 0)?;
    i = Affine { taken: i.taken / g, heap: i.heap / g, constant: i.constant.div_euclid(g) };
    match (i.taken, i.heap, i.constant) {
        (..=-1, 1, ..=0) => {
            let c = u64::try_from(i.taken.checked_neg()?).ok()?;
            let d = u64::try_from(i.constant.checked_neg()?).ok()?;
            // c > 1 or d > 0: something is always left
            (c > 1 || d > 0).then_some(ClosedForm::Fraction { c, d })
        }
        (1.., -1, 0) if whole => Some(ClosedForm::AtLeast { c: u64::try_from(i.taken).ok()?, strict: false }),
        (2.., -1, -1) if whole => Some(ClosedForm::AtLeast { c: u64::try_from(i.taken).ok()?, strict: true }),
        _ => None,
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Taking a divisor, or a proper one.
fn of_divisors(a: &Alternative) -> Option<ClosedForm> {
    if a.take.include != [AmountSet::Divisors] || !a.take.exclude.is_empty() {
        return None;
    }
    if a.leave.most() != Some(1) || a.leave.restriction(1).is_none() {
        return None;
    }
    let less_than_heap = |c: &Condition| match c {
        Condition::Compare(l, Comparison::NotEqual, r) => {
            Affine::difference(l, r).is_some_and(|a| a.constant == 0 && a.taken.abs() == 1 && a.taken == -a.heap)
        }
        _ => inequality(c).is_some_and(|a| (a.taken, a.heap, a.constant) == (-1, 1, -1)),
    };
    let whole = a.leave.restriction(0).is_some();
    match &a.condition {
        None => Some(ClosedForm::Divisors { proper: !whole }),
        Some(c) if less_than_heap(c) => Some(ClosedForm::Divisors { proper: true }),
        Some(c) if always(c) => Some(ClosedForm::Divisors { proper: !whole }),
        Some(_) => None,
    }
}

/// Breaking in two, and nothing else.
fn of_splitting(a: &Alternative) -> Option<ClosedForm> {
    let nothing = a.take.include.iter().all(|s| s.next_from(1, u64::MAX).is_none()) && a.take.contains(0, 0);
    let in_two = a.leave.from.is_none() && a.leave.most() == Some(2) && a.leave.restriction(2) == Some(Parts::Any);
    (nothing && in_two && a.condition.is_none()).then_some(ClosedForm::Splits)
}
