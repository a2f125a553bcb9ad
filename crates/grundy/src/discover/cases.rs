//! The shortest list of cases that covers a sequence with a period.
//!
//! The numbers are cut into *cells*: each n < n0 by itself, and from n0 on the residue classes modulo p. Every term that is
//! offered is right or wrong on a cell as a whole, and every condition holds on a cell as a whole.

use std::cmp::Reverse;

use grundy_core::notation::formula::{Case, Comparison, Condition, Formula, Term};
use rustc_hash::FxHashMap;

use super::terms::{Data, integer, modulo, n};

/// Most cells for which lists of cases are tried.
pub(super) const MOST_CELLS: usize = 256;

/// Most conditions of a list that people would still read.
const MOST_CONDITIONS: usize = 24;

/// Terms that are tried in cases, beside those without which there is no list.
const MOST_TERMS: usize = 48;

/// Pairs of a term and a condition that are tried in all.
const WORK: usize = 3_000_000;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Cells([u64; MOST_CELLS / 64]);

impl Cells {
    fn of(count: usize, holds: impl Fn(usize) -> bool) -> Cells {
        let mut cells = Cells::default();
        for i in (0..count).filter(|i| holds(*i)) {
            cells.0[i / 64] |= 1 << (i % 64);
        }
        cells
    }

    fn zip(self, other: Cells, f: impl Fn(u64, u64) -> u64) -> Cells {
        Cells(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn and(self, other: Cells) -> Cells {
        self.zip(other, |a, b| a & b)
    }

    fn without(self, other: Cells) -> Cells {
        self.zip(other, |a, b| a & !b)
    }

    fn is_empty(self) -> bool {
        self.0 == [0; MOST_CELLS / 64]
    }

    fn is_within(self, other: Cells) -> bool {
        self.without(other).is_empty()
    }

    fn len(self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
}

/// A term and the cells on which it is right.
struct Value {
    term: Term,
    length: usize,
    right: Cells,
}

/// A condition and the cells on which it holds.
struct Test {
    condition: Condition,
    length: usize,
    holds: Cells,
    /// Those among them that are residue classes.
    residues: Cells,
    /// What it is about: single heaps come first, then residues, then residues with a guard.
    order: (u8, u64),
}

/// A list in the making: conditions with terms, the cells that no condition has met, the length of the text.
#[derive(Clone)]
struct Draft {
    rest: Cells,
    length: usize,
    cases: Vec<(usize, usize)>,
}

impl Draft {
    /// Cases that the reader sees: conditions of one value after another are joined by `or`.
    fn count(&self) -> usize {
        1 + self.cases.windows(2).filter(|w| w[0].1 != w[1].1).count()
    }
}

/// A complete list; the best compares least.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct List {
    /// Length; cells on which the `else` is right, the most first; number of cases.
    rank: (usize, Reverse<usize>, usize),
    cases: Vec<(usize, usize)>,
    otherwise: usize,
}

impl List {
    fn new(draft: &Draft, otherwise: usize, value: &Value) -> List {
        let rank = (draft.length + value.length, Reverse(value.right.len()), draft.count());
        List { rank, cases: draft.cases.clone(), otherwise }
    }
}

fn text_length(term: &Term) -> usize {
    term.display(&["n".to_owned()]).to_string().len()
}

/// The shortest formula that was found for the sequence, made of the candidates.
///
/// # Complexity
/// One evaluation of each candidate at O(n0 + p) places, then a beam search within a fixed amount of work.
pub(super) fn shortest(data: &Data) -> Option<Formula> {
    let (candidates, plain) = data.candidates();
    let whole = |t: &Term| data.values.iter().enumerate().all(|(n, v)| t.eval(&[n as i128]) == Ok(*v));
    let candidates = candidates.into_iter().filter(whole);
    let single = candidates.map(|t| (text_length(&t), t)).min_by_key(|(length, _)| *length);
    let cells = data.preperiod + data.period;
    let bound = single.as_ref().map_or(usize::MAX, |(length, _)| *length);
    // no list is shorter than "n = 0: 0; else n"
    if cells <= MOST_CELLS && bound > 16 {
        let values = values(data, cells, plain);
        let tests = tests(data, cells);
        if let Some(list) = search(Cells::of(cells, |_| true), &values, &tests, bound) {
            return written(list, &values, &tests);
        }
    }
    formula(Vec::new(), single?.1)
}

/// The terms that are right somewhere, without those that another one beats.
fn values(data: &Data, cells: usize, terms: Vec<Term>) -> Vec<Value> {
    let (n0, p) = (data.preperiod, data.period);
    let right_at = |t: &Term, at: usize| t.eval(&[at as i128]) == Ok(data.values[at]);
    let right =
        |t: &Term| Cells::of(cells, |i| right_at(t, i) && (i < n0 || (right_at(t, i + p) && right_at(t, i + 2 * p))));
    let mut found: Vec<Value> = Vec::new();
    for term in terms {
        let (right, length) = (right(&term), text_length(&term));
        found.push(Value { term, length, right });
    }
    // the best first: then only what stands before can beat a term
    found.sort_by_key(|v| (v.length, Reverse(v.right.len())));
    let mut kept: Vec<Value> = Vec::new();
    for v in found {
        if !kept.iter().any(|k| v.right.is_within(k.right)) && !v.right.is_empty() {
            kept.push(v);
        }
    }
    // a greedy cover first, so that a list exists, then the terms that pay most for their length
    let mut missing = Cells::of(cells, |_| true);
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let worth = kept.iter().enumerate().map(|(at, v)| (at, v.right.and(missing).len() * 1000 / v.length));
        let Some((at, _)) = worth.max_by_key(|(at, worth)| (*worth, Reverse(*at))).filter(|(_, worth)| *worth > 0)
        else {
            break;
        };
        let v = kept.remove(at);
        missing = missing.without(v.right);
        chosen.push(v);
    }
    kept.sort_by_key(|v| (Reverse(v.right.len() * 1000 / (v.length + 4)), v.length));
    chosen.extend(kept.into_iter().take(MOST_TERMS));
    chosen
}

fn tests(data: &Data, cells: usize) -> Vec<Test> {
    use Comparison::{Equal, Greater, Less};
    let n0 = data.preperiod;
    let names = ["n".to_owned()];
    let mut found: Vec<Test> = Vec::new();
    let mut push = |condition: Condition, order: (u8, u64), holds: Cells| {
        let length = condition.display(&names).to_string().len();
        if !holds.is_empty() {
            let residues = holds.and(Cells::of(cells, |i| i >= n0));
            found.push(Test { condition, length, holds, residues, order });
        }
    };
    let compare = |t: Term, c: Comparison, k: usize| Condition::Compare(t, c, integer(k as i128));
    let above = |k: usize| Cells::of(cells, |i| i > k);
    for k in 0..n0 {
        push(compare(n(), Equal, k), (0, k as u64), Cells::of(cells, |i| i == k));
        if k > 0 {
            push(compare(n(), Less, k + 1), (1, k as u64), Cells::of(cells, |i| i <= k));
        }
        push(compare(n(), Greater, k), (4, k as u64), above(k));
    }
    // a guard keeps a residue apart from the values before the period
    let guards: Vec<usize> = if n0 <= 8 { (0..n0).collect() } else { vec![n0 - 1] };
    for q in data.divisors().into_iter().filter(|q| *q > 1) {
        let m = q as usize;
        let residue = || modulo(n(), q);
        for r in 0..m {
            let mut kinds = vec![(Equal, r, Cells::of(cells, |i| i % m == r))];
            if 1 < r && r < m - 1 {
                kinds.push((Less, r, Cells::of(cells, |i| i % m < r)));
            }
            if r + 2 < m {
                kinds.push((Greater, r, Cells::of(cells, |i| i % m > r)));
            }
            for (comparison, r, holds) in kinds {
                let order = if comparison == Equal { 2 } else { 3 };
                let place = (m * MOST_CELLS + r) as u64;
                let condition = compare(residue(), comparison, r);
                push(condition.clone(), (order, place), holds);
                for k in &guards {
                    // only where the guard changes something
                    if !holds.without(above(*k)).is_empty() {
                        let guarded = condition.clone().and(compare(n(), Greater, *k));
                        push(guarded, (5, place), holds.and(above(*k)));
                    }
                }
            }
        }
    }
    found
}

const COLON: usize = 2;
const SEMICOLON: usize = 2;
const OR: usize = 4;
const ELSE: usize = 5;

/// A condition and a term to go on with: text for a cell, text, condition, term, the cells that are left.
type Step = (usize, usize, usize, usize, Cells);

/// The shortest list below the bound.
fn search(all: Cells, values: &[Value], tests: &[Test], bound: usize) -> Option<List> {
    let mut best: Option<List> = None;
    let mut beam = vec![Draft { rest: all, length: ELSE, cases: Vec::new() }];
    let mut work = 0;
    let (width, branches) = if all.len() <= 32 { (24, 300) } else { (8, 64) };
    for _ in 0..MOST_CONDITIONS {
        let mut next: FxHashMap<Cells, Draft> = FxHashMap::default();
        for draft in &beam {
            let mut steps: Vec<Step> = Vec::new();
            for (v, value) in values.iter().enumerate() {
                work += tests.len();
                let last = draft.cases.last().is_some_and(|(_, w)| *w == v);
                for (t, test) in tests.iter().enumerate() {
                    // single heaps may be taken away by cases before; residues say the truth by themselves
                    let met = test.holds.and(draft.rest);
                    if met.is_empty() || !met.is_within(value.right) || !test.residues.is_within(value.right) {
                        continue;
                    }
                    let more = if last { OR + test.length } else { test.length + COLON + value.length + SEMICOLON };
                    let rest = draft.rest.without(met);
                    if !rest.is_empty() {
                        steps.push((more * 1000 / met.len(), more, t, v, rest));
                    }
                }
            }
            // the least text for a cell first
            if steps.len() > branches {
                steps.select_nth_unstable(branches);
                steps.truncate(branches);
            }
            for (_, more, t, v, rest) in steps {
                let length = draft.length + more;
                let mut cases = draft.cases.clone();
                cases.push((t, v));
                let made = Draft { rest, length, cases };
                match next.get_mut(&rest) {
                    Some(old) if (old.length, &old.cases) <= (length, &made.cases) => {}
                    Some(old) => *old = made,
                    None => {
                        next.insert(rest, made);
                    }
                }
            }
            if work > WORK {
                break;
            }
        }
        let mut ranked: Vec<(usize, Draft)> = Vec::with_capacity(next.len());
        for draft in next.into_values() {
            let mut hope = usize::MAX;
            for (v, value) in values.iter().enumerate() {
                let wrong = draft.rest.without(value.right).len();
                hope = hope.min(draft.length + value.length + wrong * 12);
                let made = List::new(&draft, v, value);
                if wrong == 0 && made.rank.0 < bound && best.as_ref().is_none_or(|b| made < *b) {
                    best = Some(made);
                }
            }
            ranked.push((hope, draft));
        }
        // what is as long as the best already leads to nothing shorter
        let shortest = best.as_ref().map_or(bound, |b| b.rank.0);
        ranked.retain(|(_, d)| d.length < shortest);
        ranked.sort_by(|(a, d), (b, e)| (a, d.length, &d.cases).cmp(&(b, e.length, &e.cases)));
        ranked.truncate(width);
        beam = ranked.into_iter().map(|(_, d)| d).collect();
        if beam.is_empty() || work > WORK {
            break;
        }
    }
    best
}

fn formula(cases: Vec<Case>, otherwise: Term) -> Option<Formula> {
    Formula::new(vec!["n".to_owned()], cases, otherwise)
}

/// The list as a formula, cases that do not overlap being put in a pleasant order.
fn written(list: List, values: &[Value], tests: &[Test]) -> Option<Formula> {
    // groups of conditions with one value
    let mut groups: Vec<(Vec<usize>, usize)> = Vec::new();
    for (t, v) in list.cases {
        match groups.last_mut() {
            Some((ts, w)) if *w == v => ts.push(t),
            _ => groups.push((vec![t], v)),
        }
    }
    for (ts, _) in &mut groups {
        ts.sort_by_key(|t| tests[*t].order);
    }
    let holds = |ts: &[usize]| ts.iter().fold(Cells::default(), |c, t| c.zip(tests[*t].holds, |a, b| a | b));
    for end in (1..groups.len()).rev() {
        for i in 0..end {
            let (a, b) = (&groups[i], &groups[i + 1]);
            let apart = holds(&a.0).and(holds(&b.0)).is_empty();
            if apart && tests[b.0[0]].order < tests[a.0[0]].order {
                groups.swap(i, i + 1);
            }
        }
    }
    let cases = groups.into_iter().filter_map(|(ts, v)| {
        let condition = ts.into_iter().map(|t| tests[t].condition.clone()).reduce(Condition::or)?;
        Some(Case { condition, value: values[v].term.clone() })
    });
    formula(cases.collect(), values[list.otherwise].term.clone())
}
