//! Conditions that are really amounts, numbers of heaps or restrictions of the parts.
//!
//! Theorems and closed forms are found by the shape of a rule, and a condition hides the shape: `take k where k <= 3`
//! is `take 1..3`. Every step here keeps the options. In short: negations go inward, constant comparisons are
//! decided, and then each member of the outermost conjunction that speaks of the amount only, of heap less amount
//! only, or symmetrically of the parts is turned into data.

use core::ops::ControlFlow;

use super::lower::balanced;
use crate::rulesets::heap::{
    Alternative, AmountSet, Amounts, Atom, Comparison, Condition, Leave, Linear, Parts, Variable,
};

/// The most runs that a condition on the amount may become.
const MAX_RUNS: usize = 64;

/// The most different atoms in a comparison that is looked at; longer ones stay as they are.
const MAX_ATOMS: usize = 64;

/// The alternative with the same options and as little condition as possible; None if it has no options.
pub(super) fn simplified(alternative: Alternative) -> Option<Alternative> {
    let Alternative { take, leave, condition } = alternative;
    let Some(condition) = condition else { return Some(Alternative { take, leave, condition }) };
    let mut members = match decided(condition, false) {
        Decided::Always => Vec::new(),
        Decided::Never => return None,
        Decided::Open(condition) => conjuncts(condition),
    };
    let (mut take, mut leave) = (take, leave);
    if take == Amounts::of(AmountSet::from(1)) {
        take = chosen(&mut members)?;
    }
    let mut fewer = !take.contains(0, 0);
    while fewer {
        // leaving something may decide a comparison of the heap that came before
        let before = leave.clone();
        if restrict_rest(&mut leave, &mut members).is_break() {
            return None;
        }
        fewer = leave != before;
    }
    if let [(count, Parts::Any)] = leave.exact[..]
        && count >= 2
        && leave.from.is_none()
    {
        leave.exact[0].1 = symmetric(count, &mut members);
    }
    let condition = if members.is_empty() { None } else { Some(balanced(members, Condition::And)) };
    Some(Alternative { take, leave, condition })
}

/// A condition in which constant comparisons are decided.
enum Decided {
    Always,
    Never,
    Open(Condition),
}

/// The condition, or its negation, without `not` and without constant parts.
///
/// Pushing the negation inward is right although the parts are unordered: "for some order" stays outside.
fn decided(condition: Condition, negated: bool) -> Decided {
    let (a, b, conjunction) = match condition {
        Condition::Not(c) => return decided(*c, !negated),
        Condition::Compare(left, comparison, right) => {
            let comparison = if negated { negation(comparison) } else { comparison };
            return match difference(&left, &right) {
                Some(d) if d.terms.is_empty() => match comparison.holds(d.constant.cmp(&0)) {
                    true => Decided::Always,
                    false => Decided::Never,
                },
                _ => Decided::Open(Condition::Compare(left, comparison, right)),
            };
        }
        Condition::And(a, b) => (a, b, !negated),
        Condition::Or(a, b) => (a, b, negated),
    };
    match (decided(*a, negated), decided(*b, negated), conjunction) {
        (Decided::Always, other, true) | (other, Decided::Always, true) => other,
        (Decided::Never, other, false) | (other, Decided::Never, false) => other,
        (Decided::Never, _, true) | (_, Decided::Never, true) => Decided::Never,
        (Decided::Always, _, false) | (_, Decided::Always, false) => Decided::Always,
        (Decided::Open(a), Decided::Open(b), true) => Decided::Open(Condition::And(Box::new(a), Box::new(b))),
        (Decided::Open(a), Decided::Open(b), false) => Decided::Open(Condition::Or(Box::new(a), Box::new(b))),
    }
}

fn negation(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

fn conjuncts(condition: Condition) -> Vec<Condition> {
    match condition {
        Condition::And(a, b) => {
            let mut all = conjuncts(*a);
            all.extend(conjuncts(*b));
            all
        }
        other => vec![other],
    }
}

fn disjuncts(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::Or(a, b) => {
            let mut all = disjuncts(a);
            all.extend(disjuncts(b));
            all
        }
        other => vec![other],
    }
}

/// `left - right` with every atom once and no coefficient 0; None if there are too many atoms to look through.
fn difference(left: &Linear, right: &Linear) -> Option<Linear> {
    let mut terms: Vec<(i128, Atom)> = Vec::new();
    let right_terms = right.terms.iter().map(|(c, atom)| (c.checked_neg(), atom));
    for (c, atom) in left.terms.iter().map(|(c, atom)| (Some(*c), atom)).chain(right_terms) {
        match terms.iter().position(|(_, known)| known == atom) {
            Some(i) => terms[i].0 = terms[i].0.checked_add(c?)?,
            None if terms.len() == MAX_ATOMS => return None,
            None => terms.push((c?, atom.clone())),
        }
    }
    terms.retain(|(c, _)| *c != 0);
    Some(Linear { terms, constant: left.constant.checked_sub(right.constant)? })
}

/// The integers x with `c x + d ? 0`, for c other than 0, as an interval with included ends (None: no bound, an
/// interval whose ends are the wrong way round: none); for `!=` the interval of those excluded.
fn solution(c: i128, d: i128, comparison: Comparison) -> Option<(Option<i128>, Option<i128>)> {
    let d = d.checked_neg()?;
    // c x ? d, and for negative c the sign turns
    let floor = |d: i128| d.checked_div_euclid(c).map(|q| if c < 0 && d % c != 0 { q - 1 } else { q });
    let (below, above) = (floor(d)?, floor(d.checked_neg()?)?.checked_neg()?);
    let at_most = |x| (None, Some(x));
    let at_least = |x| (Some(x), None);
    Some(match (comparison, c > 0) {
        (Comparison::Equal | Comparison::NotEqual, _) => (Some(above), Some(below)),
        (Comparison::LessEqual, true) | (Comparison::GreaterEqual, false) => at_most(below),
        (Comparison::GreaterEqual, true) | (Comparison::LessEqual, false) => at_least(above),
        (Comparison::Less, true) | (Comparison::Greater, false) => at_most(above.checked_sub(1)?),
        (Comparison::Greater, true) | (Comparison::Less, false) => at_least(below.checked_add(1)?),
    })
}

/// `first, first + step, …` up to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    first: u64,
    last: Option<u64>,
    step: u64,
}

impl Run {
    const ALL: Run = Run { first: 1, last: None, step: 1 };

    /// The amounts from `first` to `last`, if there are any.
    fn between(first: Option<i128>, last: Option<i128>) -> Option<Run> {
        let first = u64::try_from(first.unwrap_or(1).max(1)).ok()?;
        let last = match last {
            Some(last) if last < i128::from(first) => return None,
            Some(last) => u64::try_from(last).ok(),
            None => None,
        };
        Some(Run { first, last, step: 1 })
    }

    /// The amounts that are `residue` modulo `step`.
    fn of_residue(residue: u64, step: u64) -> Run {
        Run { first: if residue == 0 { step } else { residue }, last: None, step }
    }

    /// The common amounts, of which there may be none.
    fn intersection(self, other: Run) -> Result<Option<Run>, StepTooLarge> {
        let last = match (self.last, other.last) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        // x = a mod p and x = b mod q: x = a + p t with t = (b - a) / g * (p / g)^-1 mod q / g
        let [a, p, b, q] = [self.first, self.step, other.first, other.step].map(i128::from);
        let (g, inverse) = inverse(p, q);
        let modulus = q / g;
        let step = p.checked_mul(modulus).and_then(|step| u64::try_from(step).ok()).ok_or(StepTooLarge)?;
        if (b - a) % g != 0 {
            return Ok(None);
        }
        // both below 2^64, the product below 2^128
        let product = ((b - a) / g).rem_euclid(modulus).unsigned_abs() * inverse.unsigned_abs();
        let meeting = a + p * (product % modulus.unsigned_abs()) as i128;
        let behind = (a.max(b) - meeting).max(0).unsigned_abs().div_ceil(u128::from(step));
        let first = meeting.unsigned_abs() + behind * u128::from(step);
        let Ok(first) = u64::try_from(first) else { return Ok(None) };
        Ok(Run { first, last, step }.trimmed())
    }

    /// The same amounts with the greatest one as `last`, and step 1 where there is but one; None if there is none.
    fn trimmed(mut self) -> Option<Run> {
        if let Some(last) = self.last {
            let length = last.checked_sub(self.first)?;
            self.last = Some(last - length % self.step);
            if self.last == Some(self.first) {
                self.step = 1;
            }
        }
        Some(self)
    }

    fn amounts(self) -> AmountSet {
        AmountSet::Run { first: self.first, last: self.last, step: self.step }
    }
}

/// The common amounts of two runs are further apart than 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StepTooLarge;

/// gcd(a, m) and the x of 0..m / gcd with a x = gcd modulo m, for positive a and m.
fn inverse(a: i128, m: i128) -> (i128, i128) {
    let (mut r, mut next) = (m, a % m);
    let (mut x, mut next_x) = (0, 1);
    while next != 0 {
        let q = r / next;
        (r, next) = (next, r - q * next);
        (x, next_x) = (next_x, x - q * next_x);
    }
    (r, x.rem_euclid(m / r))
}

/// The amounts that satisfy `condition`, or those that do not (the flag set), as a union of runs; None if it is not
/// about the amount alone or of another form.
fn runs(condition: &Condition) -> Option<(Vec<Run>, bool)> {
    let (left, comparison, right) = match condition {
        Condition::Not(_) => return None,
        Condition::Compare(left, comparison, right) => (left, *comparison, right),
        Condition::And(a, b) => {
            let (a, b) = (positive(runs(a)?)?, positive(runs(b)?)?);
            return Some((intersections(&a, &b)?, false));
        }
        Condition::Or(a, b) => {
            let mut all = positive(runs(a)?)?;
            all.extend(positive(runs(b)?)?);
            return (all.len() <= MAX_RUNS).then_some((all, false));
        }
    };
    let difference = difference(left, right)?;
    let [(c, atom)] = &difference.terms[..] else { return None };
    let excluded = comparison == Comparison::NotEqual;
    let (low, high) = solution(*c, difference.constant, comparison)?;
    match atom {
        Atom::Variable(Variable::Taken) => Some((Run::between(low, high).into_iter().collect(), excluded)),
        Atom::Mod(term, modulus) => {
            let [(sign @ (1 | -1), Atom::Variable(Variable::Taken))] = term.terms[..] else { return None };
            let last = i128::from(*modulus) - 1;
            let (low, high) = (low.unwrap_or(0).max(0), high.unwrap_or(last).min(last));
            if low > high {
                return Some((Vec::new(), excluded));
            }
            if high - low == last {
                return Some((vec![Run::ALL], excluded));
            }
            if high - low >= MAX_RUNS as i128 {
                return None;
            }
            // sign k + s = r modulo m, hence k = sign (r - s)
            let residue = |r: i128| (sign * (r - term.constant % (last + 1))).rem_euclid(last + 1);
            let residues = (low..=high).map(|r| u64::try_from(residue(r)).ok());
            let runs = residues.map(|r| Some(Run::of_residue(r?, *modulus))).collect::<Option<Vec<Run>>>()?;
            Some((runs, excluded))
        }
        _ => None,
    }
}

/// The runs of a set that is given as its complement, if those are easily told.
fn positive((runs, excluded): (Vec<Run>, bool)) -> Option<Vec<Run>> {
    if !excluded {
        return Some(runs);
    }
    match runs[..] {
        [] => Some(vec![Run::ALL]),
        [Run { first, last: Some(last), step: 1 }] if first == last => {
            let below = Run::between(None, Some(i128::from(first) - 1));
            let above = Run::between(Some(i128::from(last) + 1), None);
            Some(below.into_iter().chain(above).collect())
        }
        [Run { first, last: None, step: 2 }] => Some(vec![Run::of_residue(u64::from(first == 2), 2)]),
        _ => None,
    }
}

fn intersections(a: &[Run], b: &[Run]) -> Option<Vec<Run>> {
    if a.len() * b.len() > MAX_RUNS * MAX_RUNS {
        return None;
    }
    let mut all = Vec::new();
    for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
        all.extend(a.intersection(*b).ok()?);
    }
    all.sort_unstable();
    all.dedup();
    (all.len() <= MAX_RUNS).then_some(all)
}

/// Takes out of `members` what speaks of the amount only; the amounts it describes, None if there are none.
fn chosen(members: &mut Vec<Condition>) -> Option<Amounts> {
    let mut include = vec![Run::ALL];
    let mut exclude: Vec<Run> = Vec::new();
    members.retain(|member| {
        match runs(member) {
            Some((excluded, true)) => match positive((excluded.clone(), true)) {
                // `even` and `2..` are simpler than all but `odd` and all but 1
                Some(others) if others.len() == 1 => match intersections(&include, &others) {
                    Some(narrower) => include = narrower,
                    None => return true,
                },
                _ => exclude.extend(excluded),
            },
            Some((wanted, false)) => match intersections(&include, &wanted) {
                Some(narrower) => include = narrower,
                None => return true,
            },
            None => return true,
        }
        false
    });
    exclude.sort_unstable();
    exclude.dedup();
    // only what is left out of something needs to be said
    exclude.retain(|e| include.iter().any(|run| run.intersection(*e) != Ok(None)));
    let nothing = include.iter().all(|run| exclude.iter().any(|e| run.intersection(*e) == Ok(run.trimmed())));
    if nothing {
        return None;
    }
    Some(Amounts {
        include: include.into_iter().map(Run::amounts).collect(),
        exclude: exclude.into_iter().map(Run::amounts).collect(),
    })
}

/// Takes out of `members` what speaks of heap less amount only and means a number of heaps (`k < n` leaves something,
/// `k = n` nothing) or is always true, and comparisons of the heap alone that always hold; breaks where one never
/// holds.
fn restrict_rest(leave: &mut Leave, members: &mut Vec<Condition>) -> ControlFlow<()> {
    let mut impossible = false;
    members.retain(|member| {
        let Condition::Compare(left, comparison, right) = member else { return true };
        let Some(d) = difference(left, right) else { return true };
        // with one member of the pair missing, its coefficient is 0
        let coefficient = |v| d.terms.iter().find(|(_, atom)| *atom == Atom::Variable(v)).map_or(0, |(c, _)| *c);
        let (heap, taken) = (coefficient(Variable::Heap), coefficient(Variable::Taken));
        let known = usize::from(heap != 0) + usize::from(taken != 0);
        if heap == 0 || known != d.terms.len() {
            return true;
        }
        let rest = *leave == Leave::rest();
        let least = match leave.exact.iter().map(|(count, _)| *count).min() {
            // the heap is at least what is left and the amount, of at least 1
            Some(count) if taken == 0 => i128::from(count) + 1,
            Some(count) if heap.checked_add(taken) == Some(0) => i128::from(count),
            _ => return true,
        };
        let Some((low, high)) = solution(heap, d.constant, *comparison) else { return true };
        let (low, high) = (low.unwrap_or(least).max(least), high);
        let none = high.is_some_and(|high| high < low);
        let every = low == least && high.is_none();
        let only_least = high == Some(least);
        match (*comparison == Comparison::NotEqual, none, every, only_least) {
            (true, true, ..) | (false, _, true, _) => false,
            (true, _, true, _) | (false, true, ..) => {
                impossible = true;
                false
            }
            (unequal, _, _, true) if rest && taken != 0 => {
                *leave = Leave::exactly(u32::from(unequal));
                false
            }
            _ if rest && taken != 0 && low == 1 && high.is_none() => {
                *leave = Leave::exactly(1);
                false
            }
            _ => true,
        }
    });
    if impossible { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A comparison of two parts: the first, the sign, the second.
type Edge = (u8, Comparison, u8);

fn edge(condition: &Condition) -> Option<Edge> {
    let Condition::Compare(left, comparison, right) = condition else { return None };
    let d = difference(left, right)?;
    if d.constant != 0 {
        return None;
    }
    match d.terms[..] {
        [(c, Atom::Variable(Variable::Part(a))), (e, Atom::Variable(Variable::Part(b)))]
            if c.checked_neg() == Some(e) =>
        {
            Some(if c > 0 { (a, *comparison, b) } else { (b, *comparison, a) })
        }
        _ => None,
    }
}

/// Takes out of `members` what says of `count` parts, whatever their order, that all are equal, not all are equal or
/// all are unequal.
fn symmetric(count: u32, members: &mut Vec<Condition>) -> Parts {
    let edges = |sign: Comparison, members: &[Condition]| -> Vec<Edge> {
        members.iter().filter_map(edge).filter(|(_, c, _)| *c == sign).collect()
    };
    if connects(count, &edges(Comparison::Equal, members)) {
        members.retain(|member| edge(member).is_none_or(|(_, c, _)| c != Comparison::Equal));
        return Parts::AllEqual;
    }
    let unequal = edges(Comparison::NotEqual, members);
    let pair =
        |a: u32, b: u32| unequal.iter().any(|(x, _, y)| [(a, b), (b, a)].contains(&(u32::from(*x), u32::from(*y))));
    if (0..count).all(|b| (0..b).all(|a| pair(a, b))) {
        members.retain(|member| edge(member).is_none_or(|(_, c, _)| c != Comparison::NotEqual));
        return Parts::Unequal;
    }
    // a chain of strict inequalities through all parts: some order satisfies it if and only if the parts are unequal
    let about_parts: Vec<bool> = members.iter().map(speaks_of_parts).collect();
    let ordered: Option<Vec<Edge>> = members.iter().filter(|m| speaks_of_parts(m)).map(edge).collect();
    if let Some(ordered) = ordered
        && let Some(parts) = by_order(count, &ordered)
    {
        let mut about_parts = about_parts.into_iter();
        members.retain(|_| !about_parts.next().unwrap_or(false));
        return parts;
    }
    let not_all_equal = |member: &Condition| {
        let edges = disjuncts(member).into_iter().map(edge).collect::<Option<Vec<Edge>>>();
        edges.is_some_and(|edges| edges.iter().all(|(_, c, _)| *c == Comparison::NotEqual) && connects(count, &edges))
    };
    if let Some(i) = members.iter().position(not_all_equal) {
        members.remove(i);
        return Parts::NotAllEqual;
    }
    Parts::Any
}

/// True if the edges connect all of `count` parts.
fn connects(count: u32, edges: &[Edge]) -> bool {
    let mut reached = 1u32;
    for _ in 0..count {
        for (a, _, b) in edges {
            if reached >> a & 1 == 1 || reached >> b & 1 == 1 {
                reached |= 1 << a | 1 << b;
            }
        }
    }
    reached.count_ones() == count
}

/// What inequalities between the parts, all strict or none, say of parts in any order.
fn by_order(count: u32, edges: &[Edge]) -> Option<Parts> {
    let mut below = [0u32; 32];
    let mut strict = None;
    for (a, comparison, b) in edges {
        let (low, high) = match comparison {
            Comparison::Less | Comparison::LessEqual => (*a, *b),
            Comparison::Greater | Comparison::GreaterEqual => (*b, *a),
            _ => return None,
        };
        let this = matches!(comparison, Comparison::Less | Comparison::Greater);
        if *strict.get_or_insert(this) != this {
            return None;
        }
        *below.get_mut(usize::from(high))? |= 1 << low;
    }
    let strict = strict?;
    // put the parts in an order; in a chain each one is directly above the one before
    let (mut placed, mut before, mut chain) = (0u32, None::<u32>, true);
    for _ in 0..count {
        let free = |i: &u32| placed >> i & 1 == 0 && below[*i as usize] & !placed == 0;
        let next = (0..count).find(free)?;
        chain &= before.is_none_or(|b| below[next as usize] >> b & 1 == 1);
        placed |= 1 << next;
        before = Some(next);
    }
    match (strict, chain) {
        (true, true) => Some(Parts::Unequal),
        (true, false) => None,
        (false, _) => Some(Parts::Any),
    }
}

fn speaks_of_parts(condition: &Condition) -> bool {
    fn term(t: &Linear) -> bool {
        t.terms.iter().any(|(_, atom)| match atom {
            Atom::Variable(v) => matches!(v, Variable::Part(_)),
            Atom::Mod(t, _) => term(t),
            Atom::Gcd(a, b) => term(a) || term(b),
        })
    }
    match condition {
        Condition::Compare(left, _, right) => term(left) || term(right),
        Condition::Not(c) => speaks_of_parts(c),
        Condition::And(a, b) | Condition::Or(a, b) => speaks_of_parts(a) || speaks_of_parts(b),
    }
}
