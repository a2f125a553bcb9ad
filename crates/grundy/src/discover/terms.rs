//! Terms in n: short ways to build them, and the candidates for a sequence with a period.

use grundy_core::notation::formula::{Arguments, Divisor, Operation, Shift, Term};
use rustc_hash::FxHashMap;

pub(super) fn n() -> Term {
    Term::Variable(0)
}

pub(super) fn integer(value: i128) -> Term {
    Term::Integer(value)
}

/// `t + d`, or `t - |d|`, or `t`.
pub(super) fn plus(t: Term, d: i128) -> Term {
    match d {
        0 => t,
        1.. => t.then(Operation::Plus(integer(d))),
        _ => t.then(Operation::Minus(integer(-d))),
    }
}

/// `t mod m`; m > 0.
pub(super) fn modulo(t: Term, m: i128) -> Term {
    match Divisor::new(m) {
        Some(m) => t.then(Operation::Mod(m)),
        None => t,
    }
}

/// `t div m`; m > 0.
pub(super) fn div(t: Term, m: i128) -> Term {
    match Divisor::new(m) {
        Some(m) if m.get() > 1 => t.then(Operation::Div(m)),
        _ => t,
    }
}

/// `k * n`, or `t * k` where t is longer.
pub(super) fn times(t: Term, k: i128) -> Term {
    match t {
        t if k == 1 => t,
        Term::Variable(_) => integer(k).then(Operation::Times(t)),
        t => t.then(Operation::Times(integer(k))),
    }
}

/// `t xor c`, or `t` for c = 0.
pub(super) fn xor(t: Term, c: i128) -> Term {
    if c == 0 { t } else { t.then(Operation::Xor(integer(c))) }
}

pub(super) fn bitand(t: Term, c: i128) -> Term {
    t.then(Operation::BitAnd(integer(c)))
}

pub(super) fn bitor(t: Term, c: i128) -> Term {
    t.then(Operation::BitOr(integer(c)))
}

/// `t >> s`, or `t` for s = 0.
pub(super) fn shift_right(t: Term, s: u8) -> Term {
    match Shift::new(s) {
        Some(s) if s.get() > 0 => t.then(Operation::ShiftRight(s)),
        _ => t,
    }
}

pub(super) fn min(t: Term, c: i128) -> Term {
    Arguments::new(vec![t.clone(), integer(c)]).map_or(t, Term::Min)
}

pub(super) fn max(t: Term, c: i128) -> Term {
    Arguments::new(vec![t.clone(), integer(c)]).map_or(t, Term::Max)
}

/// `t * k + d`, in the order that is easiest to read: `d - t` for k = -1.
fn affine(t: Term, k: i128, d: i128) -> Term {
    match k {
        0 => integer(d),
        -1 => integer(d).then(Operation::Minus(t)),
        ..0 => integer(d).then(Operation::Minus(times(t, -k))),
        _ => plus(times(t, k), d),
    }
}

/// `line + t * k + d`, where `line` may be left out.
fn combined(line: Option<&Term>, t: &Term, k: i128, d: i128) -> Term {
    let Some(line) = line else { return affine(t.clone(), k, d) };
    let sum = match k {
        0 => line.clone(),
        ..0 => line.clone().then(Operation::Minus(times(t.clone(), -k))),
        _ => line.clone().then(Operation::Plus(times(t.clone(), k))),
    };
    plus(sum, d)
}

/// A sequence with G(n + p) = G(n) + s from n0 on, the least such numbers, and enough of its values to tell terms apart.
pub(super) struct Data {
    /// G(0), G(1), …, at least n0 + 3p of them.
    pub values: Vec<i128>,
    /// n0.
    pub preperiod: usize,
    /// p.
    pub period: usize,
    /// s.
    pub saltus: i128,
}

/// Above this period only the plainest terms are tried.
const SMALL: usize = 256;

/// Places at which sums of a line and a periodic term are fitted, in all.
const PLACES: usize = 600_000;

impl Data {
    /// The divisors of the period, ascending.
    pub fn divisors(&self) -> Vec<i128> {
        (1..=self.period as i128).filter(|q| self.period as i128 % q == 0).collect()
    }

    /// The values of the third period, where every candidate has come to its own period.
    fn tail(&self) -> std::ops::Range<usize> {
        let from = self.preperiod + 2 * self.period;
        from..from + self.period
    }

    /// Terms that may be right, wholly or on some residues: every value of the sequence is the value of one of them.
    ///
    /// Each T is linear on every residue class modulo p from n0 + p on, so that three values of a class from n0 on tell
    /// whether it is right on all of it.
    ///
    /// The second list holds those that are plain enough to stand in a case: constants, lines, residues and their like.
    pub fn candidates(&self) -> (Vec<Term>, Vec<Term>) {
        let mut found = Vec::new();
        let mut plain = Vec::new();
        let mut places = 0;
        let lines = self.lines();
        let whole = modulo(n(), self.period as i128);
        let bases = if self.period <= SMALL { self.bases() } else { self.plain_bases() };
        for line in &lines {
            let rest = self.rest(line.as_ref());
            let steps = self.period <= SMALL;
            if steps {
                // the line and every constant that occurs beside it
                let first = std::ptr::eq(line, &lines[0]);
                for d in most_frequent(rest.iter().copied(), if first { SMALL } else { 3 }) {
                    let term = combined(line.as_ref(), &integer(0), 0, d);
                    if first || (self.saltus % self.period as i128 == 0 && plain.len() < 2 * SMALL) {
                        plain.push(term.clone());
                    }
                    found.push(term);
                }
            } else if rest.iter().all(|r| *r == rest[0]) {
                found.push(combined(line.as_ref(), &integer(0), 0, rest[0]));
            }
            // what is alike everywhere needs no more
            if rest.iter().all(|r| *r == rest[0]) {
                continue;
            }
            for (base, shape) in &bases {
                if places > PLACES {
                    break;
                }
                places += shape.len() + 8;
                for (k, d) in fits(shape, &rest) {
                    found.push(combined(line.as_ref(), base, k, d));
                }
                let differences = || shape.iter().zip(&rest).map(|(x, r)| r - x);
                if let (None, Term::Chain(c)) = (line, base)
                    && c.operations().len() == 1
                {
                    // n mod q with all that is often added to it, (n + 1) mod q and the like as they are
                    let most = if *c.first() == n() { 4 } else { 0 };
                    let ds = most_frequent(differences(), most);
                    plain.extend(ds.into_iter().chain([0]).map(|d| combined(None, base, 1, d)));
                }
                // beside n div p * s stands n mod p
                let is_whole = self.saltus % self.period as i128 != 0 && *base == whole;
                if is_whole && std::ptr::eq(line, &lines[0]) {
                    let ds = most_frequent(differences(), 4);
                    plain.extend(ds.into_iter().map(|d| combined(line.as_ref(), base, 1, d)));
                }
            }
        }
        self.starts(&mut found, &mut plain);
        (found, plain)
    }

    /// Terms with the slope of the sequence; none stands for slope 0.
    fn lines(&self) -> Vec<Option<Term>> {
        let (p, s) = (self.period as i128, self.saltus);
        if s == 0 {
            return vec![None];
        }
        let mut lines = Vec::new();
        if s % p == 0 {
            lines.push(times(n(), s / p));
        } else {
            lines.push(times(div(n(), p), s));
        }
        if self.period > SMALL {
            return lines.into_iter().map(Some).collect();
        }
        if s == p {
            for q in self.divisors().into_iter().filter(|q| q.count_ones() == 1 && *q > 1) {
                // c of this size, so that smaller ones are not repeated
                for c in (q / 2..q).take(64) {
                    lines.push(xor(n(), c));
                    lines.extend((1..q.min(16)).map(|d| xor(plus(n(), d), c)));
                }
            }
        }
        for q in self.divisors().into_iter().filter(|q| *q > 1 && s * q % p == 0) {
            for d in shifts(q) {
                lines.push(times(div(plus(n(), d), q), s * q / p));
            }
        }
        let g = gcd(s, p);
        let (a, b) = (s / g, p / g);
        if a > 1 && b > 1 {
            lines.extend(shifts(b).map(|d| div(plus(times(n(), a), d), b)));
        }
        lines.into_iter().map(Some).collect()
    }

    /// The tail less a term of its slope: one period of a periodic sequence, as it stands in the third period.
    fn rest(&self, line: Option<&Term>) -> Vec<i128> {
        let value = |at: usize| line.map_or(Some(0), |t| t.eval(&[at as i128]).ok());
        self.tail().map(|at| self.values[at] - value(at).unwrap_or(0)).collect()
    }

    /// Periodic terms whose period divides p, with their values in the third period.
    fn bases(&self) -> Vec<(Term, Vec<i128>)> {
        let mut found = Vec::new();
        let few = self.period <= 12;
        for q in self.divisors().into_iter().filter(|q| *q > 1) {
            for d in shifts(q).filter(|d| self.period <= 64 || d.abs() <= 1) {
                let residue = modulo(plus(n(), d), q);
                found.push(residue.clone());
                if !few && d.abs() > 1 {
                    continue;
                }
                found.extend((2..q).filter(|k| few || q % k == 0).map(|k| div(residue.clone(), k)));
                found.extend((2..q).filter(|k| q % k != 0).map(|k| modulo(residue.clone(), k)));
                found.extend((2..q).filter(|k| q % k == 0).map(|k| modulo(div(plus(n(), d), k), q / k)));
                if d == 0 {
                    found.extend((1..q - 1).map(|c| min(residue.clone(), c)));
                    found.extend((1..q - 1).map(|c| max(residue.clone(), c)));
                }
            }
            if q.count_ones() == 1 && q <= 64 {
                found.extend((2..q).map(|c| bitand(n(), c)));
                found.extend((1..q).map(|c| xor(modulo(n(), q), c)));
            }
        }
        self.with_values(found)
    }

    /// The same for a long period, with constants that are read off the values.
    fn plain_bases(&self) -> Vec<(Term, Vec<i128>)> {
        let p = self.period as i128;
        let residue = modulo(n(), p);
        let start = (self.preperiod / self.period + 1) * self.period;
        let turn = &self.values[start..start + self.period];
        let mut found = vec![residue.clone()];
        if let Some(k) = turn.iter().position(|v| *v != turn[0]) {
            found.push(div(residue.clone(), k as i128));
        }
        if let Some(k) = (1..turn.len()).find(|i| turn[*i] == turn[0]) {
            found.push(modulo(residue, k as i128));
        }
        self.with_values(found)
    }

    fn with_values(&self, terms: Vec<Term>) -> Vec<(Term, Vec<i128>)> {
        let values = |t: &Term| self.tail().map(|at| t.eval(&[at as i128]).ok()).collect::<Option<Vec<i128>>>();
        terms.into_iter().filter_map(|t| values(&t).map(|v| (t, v))).collect()
    }

    /// Terms for the values before the period, and terms that come to rest.
    fn starts(&self, found: &mut Vec<Term>, plain: &mut Vec<Term>) {
        let head = &self.values[..self.preperiod.min(SMALL)];
        plain.extend(most_frequent(head.iter().copied(), SMALL).into_iter().map(integer));
        for (k, d) in most_frequent(
            (1..head.len()).map(|i| (head[i] - head[i - 1], head[i] - i as i128 * (head[i] - head[i - 1]))),
            2,
        ) {
            plain.push(affine(n(), k, d));
        }
        if self.period == 1 && self.saltus == 0 {
            let rest = self.values[self.preperiod];
            let steps = (1..head.len()).find(|i| head[*i] != head[0]);
            let slopes = steps.into_iter().map(|k| div(n(), k as i128));
            let near = [-1, 1].map(|d| plus(n(), d));
            for t in [n(), times(n(), 2)].into_iter().chain(near).chain(slopes) {
                found.push(min(t.clone(), rest));
                // falling to its rest
                let first = self.values[0];
                found.push(max(integer(first).then(Operation::Minus(t)), rest));
            }
        }
        if self.preperiod > 0 {
            let first = self.values[0];
            let lines: Vec<Term> = self.lines().into_iter().flatten().take(64).collect();
            for line in lines {
                let d = most_frequent(self.rest(Some(&line)).into_iter(), 1);
                found.extend(d.into_iter().map(|d| max(plus(line.clone(), d), first)));
            }
        }
    }
}

/// 0, 1, -1, 2, … : one of each residue modulo q.
fn shifts(q: i128) -> impl Iterator<Item = i128> {
    (0..q).map(move |i| if i % 2 == 1 { i / 2 + 1 } else { -(i / 2) })
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The most frequent items, at most so many; the first of equals.
fn most_frequent<T: Copy + Eq + std::hash::Hash>(items: impl Iterator<Item = T>, most: usize) -> Vec<T> {
    let mut counts: FxHashMap<T, (usize, usize)> = FxHashMap::default();
    for (at, item) in items.enumerate() {
        counts.entry(item).or_insert((0, at)).0 += 1;
    }
    let mut sorted: Vec<(T, (usize, usize))> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, (count, at))| (usize::MAX - count, *at));
    sorted.into_iter().take(most).map(|(item, _)| item).collect()
}

/// The k and d for which `k * shape + d` is `rest` at many places; at least two distinct values must be met.
fn fits(shape: &[i128], rest: &[i128]) -> Vec<(i128, i128)> {
    let slopes = shape.windows(2).zip(rest.windows(2)).filter_map(|(a, b)| {
        let (dx, dy) = (a[1] - a[0], b[1] - b[0]);
        (dx != 0 && dy != 0 && dy % dx == 0).then(|| dy / dx)
    });
    let mut found = Vec::new();
    for k in most_frequent(slopes, 2) {
        let d = most_frequent(shape.iter().zip(rest).map(|(x, y)| y - k * x), 1)[0];
        let mut met = shape.iter().zip(rest).filter(|(x, y)| k * **x + d == **y).map(|(x, _)| *x);
        let first = met.next();
        if met.any(|x| Some(x) != first) {
            found.push((k, d));
        }
    }
    found
}
