//! The values of the options of a rule, as a relation between the heap and a value.

use super::{
    ClosedFormError,
    arithmetic::{Sum, nim_sum, not_all_equal, powers_of_two},
    automaton::{Automaton, Effort, Letter, Stop},
};
use crate::rulesets::heap::{AmountSet, Amounts, Atom, Comparison, Condition, HeapRule, Linear, Parts, Variable};

/// The heap.
pub(super) const N: Letter = 1;
/// The value of an option.
pub(super) const T: Letter = 1 << 1;
/// The value of the heap.
pub(super) const V: Letter = 1 << 2;
/// The amount taken.
const K: Letter = 1 << 3;
/// What is left: the sum of the parts.
const M: Letter = 1 << 4;
/// A number that is only said to exist.
const Q: Letter = 1 << 5;

/// Most parts that are told apart.
const MOST_PARTS: u32 = 8;

/// The i-th part, i < [`MOST_PARTS`].
const fn part(i: u32) -> Letter {
    1 << (8 + i)
}

/// The value of the i-th part.
const fn value(i: u32) -> Letter {
    1 << (16 + i)
}

/// Amounts listed one by one, at most.
const MOST_LISTED: u64 = 1 << 12;

/// Residues gone through for one comparison, at most.
const MOST_RESIDUES: u64 = 1 << 10;

impl From<Stop> for ClosedFormError {
    fn from(stop: Stop) -> Self {
        ClosedFormError::Limit(match stop {
            Stop::States(limit) => format!("an automaton would have more than {limit} states"),
            Stop::Overflow => "the rule has coefficients beyond 127 bits".into(),
            Stop::Asked => "stopped".into(),
        })
    }
}

fn outside<T>(reason: &str) -> Result<T, ClosedFormError> {
    Err(ClosedFormError::OutOfTheory(reason.into()))
}

/// A number of parts under a restriction, and the relation between heap and amounts after which they may be left.
struct Way {
    count: u32,
    restriction: Parts,
    /// Of the heap (perhaps) and the amount.
    take: Automaton,
    /// Of heap, amount and parts, if it names parts.
    condition: Option<Automaton>,
}

/// A rule in the theory: all its ways to move.
pub(super) struct Ways(Vec<Way>);

impl Ways {
    /// Reads a rule.
    pub(super) fn of(rule: &HeapRule, effort: &mut Effort) -> Result<Ways, ClosedFormError> {
        let mut ways: Vec<Way> = Vec::new();
        for a in rule.alternatives() {
            if a.leave.from.is_some() {
                return outside("any number of heaps may be left, and only rules with a greatest number are decided");
            }
            let amounts = amounts(&a.take, effort)?;
            for (count, restriction) in &a.leave.exact {
                // a move changes the heap
                let positive = Sum::of(&[(1, K)], -i128::from(*count < 2)).compare(Comparison::GreaterEqual, effort)?;
                let mut take = Automaton::join(&[&amounts, &positive], K, effort)?;
                let mut condition = None;
                if let Some(c) = &a.condition {
                    let c = self::condition(c, *count, effort)?;
                    if c.tracks & !(N | K) == 0 {
                        take = Automaton::join(&[&take, &c], N | K, effort)?;
                    } else {
                        condition = Some(c);
                    }
                }
                let alike = |w: &&mut Way| {
                    let same = w.take.tracks == take.tracks && w.condition.is_none() && condition.is_none();
                    same && (w.count, w.restriction) == (*count, *restriction)
                };
                match ways.iter_mut().find(alike) {
                    Some(way) => {
                        let tracks = take.tracks;
                        way.take = Automaton::union(&[way.take.clone(), take], tracks).determinise(effort)?;
                    }
                    None => ways.push(Way { count: *count, restriction: *restriction, take, condition }),
                }
            }
        }
        Ok(Ways(ways))
    }

    /// For each way, the pairs of a heap n and a value t such that an option of n that way has value t, where heap n has
    /// the value that `g` relates to it (tracks N and V).
    pub(super) fn values(&self, g: &Automaton, effort: &mut Effort) -> Result<Vec<Automaton>, ClosedFormError> {
        let mut sums = Sums::of(g, effort)?;
        self.0.iter().map(|way| way.values(&mut sums, effort)).collect()
    }
}

impl Way {
    fn values(&self, sums: &mut Sums, effort: &mut Effort) -> Result<Automaton, ClosedFormError> {
        let Some(condition) = &self.condition else {
            let left = sums.left(self.count, self.restriction, effort)?;
            let taken = Sum::of(&[(1, N), (-1, K), (-1, M)], 0).compare(Comparison::Equal, effort)?;
            return Ok(Automaton::join(&[&left, &taken, &self.take], N | T, effort)?);
        };
        let mut joint = sums.parts(self.count, self.restriction, effort)?;
        let terms: Vec<_> = [(1, N), (-1, K)].into_iter().chain((0..self.count).map(|i| (-1, part(i)))).collect();
        joint.push(Sum { terms, constant: 0 }.compare(Comparison::Equal, effort)?);
        joint.push(self.take.clone());
        joint.push(condition.clone());
        Ok(Automaton::join(&joint.iter().collect::<Vec<_>>(), N | T, effort)?)
    }
}

/// The values of sums of heaps: pairs of a total and a value (tracks M and T).
struct Sums {
    /// Of j heaps without restriction, j = 1, 2, ….
    any: Vec<Automaton>,
}

impl Sums {
    fn of(g: &Automaton, effort: &mut Effort) -> Result<Sums, Stop> {
        let one = g.rename(&[(N, M), (V, T)]);
        let positive = Sum::of(&[(1, M)], 0).compare(Comparison::Greater, effort)?;
        Ok(Sums { any: vec![Automaton::join(&[&one, &positive], M | T, effort)?] })
    }

    /// A heap on one track with its value on another.
    fn heap(&self, n: Letter, v: Letter) -> Automaton {
        self.any[0].rename(&[(M, n), (T, v)])
    }

    /// The values of `count` heaps that satisfy a restriction.
    fn left(&mut self, count: u32, restriction: Parts, effort: &mut Effort) -> Result<Automaton, ClosedFormError> {
        match (count, restriction) {
            (0, _) => {
                let nothing = Sum::of(&[(1, M), (1, T)], 0).compare(Comparison::Equal, effort)?;
                Ok(nothing)
            }
            (1, _) | (_, Parts::Any) => Ok(self.unrestricted(count, effort)?),
            (_, Parts::AllEqual) => {
                let equal = Sum::of(&[(1, M), (-i128::from(count), Q)], 0).compare(Comparison::Equal, effort)?;
                let heap = self.heap(Q, V);
                // the value of an even number of equal heaps is 0
                let value = Sum::of(&[(1, T), (-i128::from(count % 2), V)], 0).compare(Comparison::Equal, effort)?;
                Ok(Automaton::join(&[&heap, &equal, &value], M | T, effort)?.determinise(effort)?)
            }
            (_, Parts::Unequal | Parts::NotAllEqual) => {
                let mut joint = self.parts(count, restriction, effort)?;
                let terms: Vec<_> = [(1, M)].into_iter().chain((0..count).map(|i| (-1, part(i)))).collect();
                joint.push(Sum { terms, constant: 0 }.compare(Comparison::Equal, effort)?);
                Ok(Automaton::join(&joint.iter().collect::<Vec<_>>(), M | T, effort)?.determinise(effort)?)
            }
        }
    }

    /// Heaps are joined two at a time: three in one product would be far larger.
    fn unrestricted(&mut self, count: u32, effort: &mut Effort) -> Result<Automaton, Stop> {
        let total = Sum::of(&[(1, M), (-1, part(0)), (-1, part(1))], 0).compare(Comparison::Equal, effort)?;
        let xor = nim_sum(value(0) | value(1), T);
        let heap = self.heap(part(1), value(1));
        while self.any.len() < count as usize {
            let others = self.any[self.any.len() - 1].rename(&[(M, part(0)), (T, value(0))]);
            let joined = Automaton::join(&[&others, &heap, &total, &xor], M | T, effort)?;
            self.any.push(joined);
        }
        Ok(self.any[count as usize - 1].clone())
    }

    /// Single heaps that satisfy a restriction, with their values and the nim-sum of these.
    fn parts(&self, count: u32, restriction: Parts, effort: &mut Effort) -> Result<Vec<Automaton>, ClosedFormError> {
        if count > MOST_PARTS {
            return Err(ClosedFormError::Limit(format!("only up to {MOST_PARTS} heaps are told apart")));
        }
        let mut joint: Vec<Automaton> = (0..count).map(|i| self.heap(part(i), value(i))).collect();
        let all = |of: fn(u32) -> Letter| (0..count).map(of).sum::<Letter>();
        joint.push(nim_sum(all(value), T));
        match restriction {
            _ if count < 2 => {}
            Parts::Any => {}
            Parts::NotAllEqual => joint.push(not_all_equal(all(part))),
            Parts::Unequal => {
                for i in 0..count {
                    joint.extend((0..i).map(|j| not_all_equal(part(i) | part(j))));
                }
            }
            Parts::AllEqual => {
                for i in 1..count {
                    joint.push(Sum::of(&[(1, part(0)), (-1, part(i))], 0).compare(Comparison::Equal, effort)?);
                }
            }
        }
        Ok(joint)
    }
}

/// The amounts that may be taken, on track K; deterministic.
fn amounts(amounts: &Amounts, effort: &mut Effort) -> Result<Automaton, ClosedFormError> {
    if amounts.include.iter().chain(&amounts.exclude).any(|s| *s == AmountSet::Divisors) {
        return outside("divisors of the heap are not regular in binary");
    }
    // of finitely many amounts the excluded ones may be anything
    if let Some(most) = amounts.bound().filter(|most| *most <= MOST_LISTED) {
        let mut listed = Vec::new();
        for k in (0..=most).filter(|k| amounts.contains(*k, *k)) {
            listed.push(Sum::of(&[(1, K)], -i128::from(k)).compare(Comparison::Equal, effort)?);
        }
        return Ok(Automaton::union(&listed, K).determinise(effort)?);
    }
    let union = |sets: &[AmountSet], effort: &mut Effort| -> Result<Automaton, ClosedFormError> {
        let sets: Result<Vec<_>, _> = sets.iter().map(|s| amount_set(s, effort)).collect();
        Ok(Automaton::union(&sets?, K).determinise(effort)?)
    };
    let include = union(&amounts.include, effort)?;
    let exclude = union(&amounts.exclude, effort)?;
    Ok(Automaton::join(&[&include, &exclude.complement()], K, effort)?)
}

fn amount_set(set: &AmountSet, effort: &mut Effort) -> Result<Automaton, ClosedFormError> {
    Ok(match set {
        AmountSet::Run { first, last, step } => {
            let steps = [(1, K), (-i128::from((*step).max(1)), Q)];
            let run = Sum::of(&steps, -i128::from(*first)).compare(Comparison::Equal, effort)?;
            match last {
                None => Automaton::join(&[&run], K, effort)?,
                Some(last) => {
                    let end = Sum::of(&[(1, K)], -i128::from(*last)).compare(Comparison::LessEqual, effort)?;
                    Automaton::join(&[&run, &end], K, effort)?
                }
            }
        }
        AmountSet::PowersOf(0 | 1) => Sum::of(&[(1, K)], -1).compare(Comparison::Equal, effort)?,
        AmountSet::PowersOf(b) if b.is_power_of_two() => powers_of_two(b.trailing_zeros(), K),
        AmountSet::PowersOf(b) => return outside(&format!("the powers of {b} are not regular in binary")),
        AmountSet::Squares => return outside("the squares are not regular in binary"),
        AmountSet::Primes => return outside("the primes are not regular in binary"),
        AmountSet::Fibonacci => return outside("the Fibonacci numbers are not regular in binary"),
        AmountSet::Divisors => return outside("divisors of the heap are not regular in binary"),
    })
}

/// A condition on heap, amount and the first `count` parts in this order; deterministic.
fn condition(condition: &Condition, count: u32, effort: &mut Effort) -> Result<Automaton, ClosedFormError> {
    Ok(match condition {
        Condition::Compare(left, sign, right) => {
            let difference = left.terms.iter().cloned();
            let mut terms: Vec<(i128, Atom)> = difference.collect();
            for (c, atom) in &right.terms {
                terms.push((c.checked_neg().ok_or(Stop::Overflow)?, atom.clone()));
            }
            let constant = left.constant.checked_sub(right.constant).ok_or(Stop::Overflow)?;
            if terms.iter().any(|(_, atom)| names_beyond(atom, count)) {
                // a comparison that speaks of a part that is not there does not hold
                return Ok(Automaton { tracks: 0, start: Vec::new(), edges: Vec::new(), accept: Vec::new() });
            }
            linear(&terms, constant, Test::Sign(*sign), MOST_RESIDUES, effort)?
        }
        Condition::Not(c) => self::condition(c, count, effort)?.complement(),
        Condition::And(c, d) => {
            let (c, d) = (self::condition(c, count, effort)?, self::condition(d, count, effort)?);
            Automaton::join(&[&c, &d], c.tracks | d.tracks, effort)?
        }
        Condition::Or(c, d) => {
            let (c, d) = (self::condition(c, count, effort)?, self::condition(d, count, effort)?);
            either(&c, &d, effort)?
        }
    })
}

fn either(a: &Automaton, b: &Automaton, effort: &mut Effort) -> Result<Automaton, Stop> {
    Ok(Automaton::join(&[&a.complement(), &b.complement()], a.tracks | b.tracks, effort)?.complement())
}

fn names_beyond(atom: &Atom, count: u32) -> bool {
    let any = |l: &Linear| l.terms.iter().any(|(_, atom)| names_beyond(atom, count));
    match atom {
        Atom::Variable(Variable::Part(i)) => u32::from(*i) >= count,
        Atom::Variable(_) => false,
        Atom::Mod(l, _) => any(l),
        Atom::Gcd(a, b) => any(a) || any(b),
    }
}

/// What is asked of a linear term.
#[derive(Clone, Copy)]
enum Test {
    /// How it compares with 0.
    Sign(Comparison),
    /// Modulo the first number it is the second.
    Residue(u64, u64),
}

/// A test of a linear term. A remainder in it is replaced by each value that it can have: the remainder is r, and the term
/// with r in its place passes the test, for some r.
fn linear(
    terms: &[(i128, Atom)],
    constant: i128,
    test: Test,
    residues: u64,
    effort: &mut Effort,
) -> Result<Automaton, ClosedFormError> {
    let mut plain = Sum { terms: Vec::new(), constant };
    for (i, (c, atom)) in terms.iter().enumerate() {
        let track = match atom {
            Atom::Variable(Variable::Heap) => N,
            Atom::Variable(Variable::Taken) => K,
            Atom::Variable(Variable::Part(i)) if u32::from(*i) < MOST_PARTS => part(u32::from(*i)),
            Atom::Variable(Variable::Part(_)) => {
                return Err(ClosedFormError::Limit(format!("only up to {MOST_PARTS} heaps are told apart")));
            }
            Atom::Gcd(..) => return outside("greatest common divisors are not regular in binary"),
            Atom::Mod(inner, m) => {
                let m = (*m).max(1);
                if m > residues {
                    return Err(ClosedFormError::Limit(format!(
                        "more than {MOST_RESIDUES} residues would be gone through for one comparison"
                    )));
                }
                let rest: Vec<_> = terms[..i].iter().chain(&terms[i + 1..]).cloned().collect();
                let mut some = Automaton { tracks: 0, start: Vec::new(), edges: Vec::new(), accept: Vec::new() };
                for r in 0..m {
                    let is = linear(&inner.terms, inner.constant, Test::Residue(m, r), residues / m, effort)?;
                    let constant = c.checked_mul(r.into()).and_then(|c| c.checked_add(constant));
                    let then = linear(&rest, constant.ok_or(Stop::Overflow)?, test, residues / m, effort)?;
                    let both = Automaton::join(&[&is, &then], is.tracks | then.tracks, effort)?;
                    some = either(&some, &both, effort)?;
                }
                return Ok(some);
            }
        };
        match plain.terms.iter_mut().find(|(_, t)| *t == track) {
            Some((sum, _)) => *sum = sum.checked_add(*c).ok_or(Stop::Overflow)?,
            None => plain.terms.push((*c, track)),
        }
    }
    Ok(match test {
        Test::Sign(sign) => plain.compare(sign, effort)?,
        Test::Residue(m, r) => plain.residue(m, r, effort)?,
    })
}
