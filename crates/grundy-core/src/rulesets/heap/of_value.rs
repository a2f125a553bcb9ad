//! The options of one heap that have a wanted Grundy value, found without listing the others.

use core::fmt;

use super::{
    Alternative, AmountSet, Amounts, ClosedForm, HeapRule,
    breaks::{Breaks, Broken},
    cyclic::Cyclic,
    interval::interval,
    pairs::Law,
    takes::written_out,
};
use crate::{ruleset::OptionsOfValue, theory::Periodicity};

/// Steps that [`options_of_value`] spends on counting.
pub const STEPS_FOR_COUNTING: u64 = 4_000_000;
/// Most heaps of one value that are listed one by one.
const MOST_HEAPS: usize = 1 << 20;
/// Most runs of amounts whose overlaps are sorted out.
const MOST_RUNS: usize = 256;

/// The Grundy values of all heaps of one rule, in one of the forms in which they are known.
#[derive(Clone, Copy, Debug)]
pub enum HeapValues<'a> {
    /// By a theorem.
    Closed(&'a ClosedForm),
    /// By a proved period; `values` covers the heaps `0 .. preperiod + period`.
    Periodic {
        /// G(0), G(1), ….
        values: &'a [u64],
        /// What they repeat with.
        periodicity: Periodicity,
    },
    /// G(0), G(1), … as far as computed.
    Table(&'a [u64]),
    /// By another form that was proved.
    Form(&'a dyn ValueForm),
}

/// The Grundy values of all heaps in a form of which the finder of options knows nothing more.
pub trait ValueForm: fmt::Debug {
    /// G(n), if it fits in 64 bits.
    fn value(&self, n: u64) -> Option<u64>;

    /// The heaps up to `last` of value `target`, ascending; None if there are more than `most` of them.
    fn heaps_of(&self, target: u64, last: u64, most: usize) -> Option<Vec<u64>>;
}

impl HeapValues<'_> {
    /// G(n), if it is known and fits in 64 bits.
    pub fn at(&self, n: u64) -> Option<u64> {
        match self {
            HeapValues::Closed(form) => form.value(n),
            HeapValues::Periodic { values, periodicity } => periodicity.value(values, n),
            HeapValues::Table(values) => values.get(usize::try_from(n).ok()?).copied(),
            HeapValues::Form(form) => form.value(n),
        }
    }

    /// The heaps from 1 to `last` of value `target`, in disjoint sets; None if they have no short description.
    fn heaps_of(&self, target: u64, last: u64) -> Option<Vec<Cyclic>> {
        let t = target;
        let all = match *self {
            HeapValues::Closed(form) => heaps_of_form(form, t, last)?,
            HeapValues::Periodic { values, periodicity: p } => {
                let known = usize::try_from(p.preperiod.checked_add(p.period)?).ok()?;
                let values = values.get(..known)?;
                let (before, cycle) = values.split_at(p.preperiod as usize);
                let have = |part: &[u64]| -> Vec<u64> {
                    part.iter().zip(0u64..).filter(|(v, _)| **v == t).map(|(_, n)| n).collect()
                };
                let mut sets = vec![Cyclic::list(&have(before))];
                if p.saltus == 0 {
                    let intervals = have(cycle).into_iter().map(|i| (i, i)).collect();
                    sets.push(Cyclic::new(p.preperiod, u64::MAX, p.period, intervals));
                } else {
                    let on = |(i, v): (u64, &u64)| {
                        let turns = t.checked_sub(*v).filter(|d| d.is_multiple_of(p.saltus))? / p.saltus;
                        turns.checked_mul(p.period)?.checked_add(p.preperiod + i)
                    };
                    let mut heaps: Vec<u64> = (0..).zip(cycle).filter_map(on).collect();
                    heaps.sort_unstable();
                    sets.push(Cyclic::list(&heaps));
                }
                sets
            }
            HeapValues::Table(_) => return None,
            HeapValues::Form(form) => vec![Cyclic::list(&form.heaps_of(t, last, MOST_HEAPS)?)],
        };
        Some(all.into_iter().map(|set| set.between(1, last)).collect())
    }
}

/// All heaps of value t up to `last` (heap 0 and larger ones may be among them).
fn heaps_of_form(form: &ClosedForm, t: u64, last: u64) -> Option<Vec<Cyclic>> {
    let to = |period: u64, intervals: Vec<(u64, u64)>| vec![Cyclic::new(0, u64::MAX, period, intervals)];
    Some(match *form {
        ClosedForm::Identity => vec![Cyclic::interval(t, t)],
        // the exchange is its own inverse
        ClosedForm::Lasker | ClosedForm::ThreeWay => form.value(t).map_or(Vec::new(), |n| vec![Cyclic::interval(n, n)]),
        ClosedForm::Steps { step, modulus } => {
            let (step, end) = (step.max(1), modulus.map_or(u64::MAX, |q| q.max(1) - 1));
            match t.checked_mul(step).filter(|first| *first <= end) {
                None => Vec::new(),
                Some(first) => {
                    let high = first.saturating_add(step - 1).min(end);
                    match modulus {
                        None => vec![Cyclic::interval(first, high)],
                        Some(q) => to(q, vec![(first, high)]),
                    }
                }
            }
        }
        ClosedForm::Pair { a, b } => {
            let a = a.max(1);
            let q = a.checked_add(b)?;
            if usize::try_from(q / a).ok()? > MOST_HEAPS {
                return None;
            }
            let mut intervals = Vec::new();
            for turn in 0..=(q - 1) / a {
                let (low, high) = (turn * a, (turn * a).saturating_add(a - 1).min(q - 1));
                // below b the value is the parity of the turn; from b on it is 2 in place of 0
                let below = (low < b && turn % 2 == t).then(|| (low, high.min(b - 1)));
                let above = (high >= b && 2 - turn % 2 == t).then(|| (low.max(b), high));
                intervals.extend(below.into_iter().chain(above));
            }
            to(q, intervals)
        }
        ClosedForm::OneMore { m, k } => {
            let (q, next) = (k.checked_add(1)?, m.checked_add(1)?);
            if t == next {
                to(q, vec![(k, k)])
            } else if t < next && usize::try_from(k / next).ok()? < MOST_HEAPS {
                to(q, (t..k).step_by(usize::try_from(next).ok()?).map(|r| (r, r)).collect())
            } else if t > next {
                Vec::new()
            } else {
                return None;
            }
        }
        ClosedForm::Fraction { c, d } => {
            // from one heap of value t to the next, see the theorem: m = m' - floor(m' / c) - 1
            let c = c.max(1);
            let mut heaps = Vec::new();
            let mut m = t.checked_mul(c);
            while let Some(n) = m.and_then(|m| m.checked_add(d)).filter(|n| *n <= last) {
                if heaps.len() >= MOST_HEAPS {
                    return None;
                }
                heaps.push(n);
                let m_now = n - d;
                m = if c == 1 { None } else { m_now.checked_add(m_now / (c - 1)).and_then(|m| m.checked_add(1)) };
            }
            let mut sets = vec![Cyclic::list(&heaps)];
            if t == 0 && d > 0 {
                sets.push(Cyclic::interval(0, d - 1));
            }
            sets
        }
        ClosedForm::AtLeast { c, strict } => {
            // the least heap of value v + 1 is the least one whose largest option has value v
            let next = |x: u64| -> Option<u64> {
                let (c, x) = (u128::from(c), u128::from(x));
                let n = if strict { c * x / (c - 1) + 1 } else { (c * x).div_ceil(c - 1) };
                u64::try_from(n).ok()
            };
            if t == 0 {
                return Some(if c < 2 && strict {
                    vec![Cyclic::interval(0, u64::MAX)]
                } else {
                    vec![Cyclic::interval(0, 0)]
                });
            }
            if c < 2 {
                return Some(if t == 1 && !strict { vec![Cyclic::interval(1, u64::MAX)] } else { Vec::new() });
            }
            let mut low = 1u64;
            for v in 1..t {
                match next(low).filter(|n| *n <= last) {
                    Some(n) => low = n,
                    None => return Some(Vec::new()),
                }
                if v as usize >= MOST_HEAPS {
                    return None;
                }
            }
            vec![Cyclic::interval(low, next(low).map_or(u64::MAX, |n| n - 1))]
        }
        ClosedForm::Divisors { proper } => {
            let zeros = if proper { Some(t) } else { t.checked_sub(1) };
            match zeros.and_then(|z| u32::try_from(z).ok()).and_then(|z| 1u64.checked_shl(z)) {
                None => Vec::new(),
                Some(first) => match first.checked_mul(2) {
                    Some(period) => vec![Cyclic::new(first, u64::MAX, period, vec![(0, 0)])],
                    None => vec![Cyclic::interval(first, first)],
                },
            }
        }
        ClosedForm::Splits => match t {
            0 => to(2, vec![(1, 1)]),
            1 => to(2, vec![(0, 0)]),
            _ => Vec::new(),
        },
    })
}

/// The options of a heap of n with Grundy value `target`, in the order of moves: amount taken, number of parts, parts.
///
/// `values` must be the values of `rule` for all heaps below n (or n, which is never asked for); an option with a part
/// of unknown value is left out.
///
/// * Leaving one heap: the heaps of value `target` are intervals or residue classes, and so are, mostly, the amounts;
///   they are intersected without listing either.
/// * Leaving two: for values that grow by a power of two with each period (Nim, Lasker's Nim), a + b = m and G(a) xor
///   G(b) = t become A + B = M and A xor B = T for each class of residues, so A and B share the bits of (M - T) / 2 and
///   divide those of T among them in any way: 2^(number of bits of T) solutions, ascending and counted without listing.
///   For periodic values the hits of one period repeat.
/// * More parts: all but two of them are tried.
///
/// The count is exact, and None where finding it would take more than [`STEPS_FOR_COUNTING`] steps.
///
/// # Complexity
/// See the list; O(preperiod + period) to begin with. The iterator may search for long between two options: where that
/// matters, use a [`Finder`] with a limit.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::heap::{ClosedForm, HeapRule, HeapValues, options_of_value};
/// # use grundy_core::rulesets::heap::{Alternative, AmountSet, Amounts, Leave};
/// # let split = Alternative { take: Amounts::nothing(), leave: Leave::exactly(2), condition: None };
/// let lasker = HeapRule::new(vec![Alternative::taking(AmountSet::from(1)), split]);
/// // the first heap of 2^62 - 1 and 2^62 has to get the value of the second, 2^62 - 1
/// let to_win = options_of_value(&lasker, (1 << 62) - 1, (1 << 62) - 1, HeapValues::Closed(&ClosedForm::Lasker));
/// assert_eq!(to_win.count, Some((1 << 61) - 1));
/// assert_eq!(to_win.options.take(2).collect::<Vec<_>>(), [[1, (1 << 62) - 2], [2, (1 << 62) - 3]]);
/// ```
pub fn options_of_value<'a>(
    rule: &'a HeapRule,
    n: u64,
    target: u64,
    values: HeapValues<'a>,
) -> OptionsOfValue<'a, u64> {
    let finder = Finder::new(rule, n, target, values);
    OptionsOfValue {
        count: finder.clone().count_from_the_start(STEPS_FOR_COUNTING),
        options: Box::new(Unlimited(finder)),
    }
}

/// What a [`Finder`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The parts, ascending, of the next option.
    Found(Vec<u64>),
    /// The limit was reached before the next option; ask again with more steps.
    OutOfSteps,
    /// There are no more.
    Done,
}

/// The search behind [`options_of_value`], which can be interrupted after any number of steps.
#[derive(Clone, Debug)]
pub struct Finder<'a> {
    rule: &'a HeapRule,
    n: u64,
    target: u64,
    values: HeapValues<'a>,
    law: Law,
    /// Ways to leave one heap.
    singles: Vec<Source>,
    /// The sources are exact and no two of them have an amount in common.
    disjoint: bool,
    breaks: Option<Breaks<'a>>,
    /// Nothing left is an option and has the value.
    nothing: bool,
}

/// What the parts of a finder need to know; a macro, since a method would borrow the whole finder.
macro_rules! view {
    ($finder:expr) => {
        View { rule: $finder.rule, n: $finder.n, target: $finder.target, values: &$finder.values, law: &$finder.law }
    };
}

impl<'a> Finder<'a> {
    /// A search from the first move on; see [`options_of_value`].
    pub fn new(rule: &'a HeapRule, n: u64, target: u64, values: HeapValues<'a>) -> Finder<'a> {
        let breaking = |a: &&Alternative| a.leave.most().is_none_or(|m| m >= 2);
        let ways: Vec<&Alternative> = rule.alternatives().iter().filter(breaking).collect();
        let law = if ways.is_empty() { Law::Unknown } else { Law::of(&values) };
        let mut finder = Finder {
            rule,
            n,
            target,
            values,
            law,
            singles: Vec::new(),
            disjoint: true,
            breaks: Breaks::begin(ways, n),
            nothing: target == 0 && rule.is_option(n, &[]),
        };
        finder.add_singles();
        finder
    }

    /// The next option. Each amount, heap or class of heaps looked at is a step; `steps` is lowered by those made.
    pub fn next(&mut self, steps: &mut u64) -> Step {
        loop {
            let first = self.singles.iter().enumerate().min_by_key(|(_, s)| s.at).map(|(i, s)| (i, s.at));
            let broken = self.breaks.as_ref().map(|b| b.k);
            match (first, broken) {
                // the same amount: one heap comes before two
                (Some((i, at)), broken) if broken.is_none_or(|k| at <= k) => {
                    let source = &mut self.singles[i];
                    if source.hit {
                        // the least of all; forget it wherever else it stands
                        self.singles.iter_mut().filter(|s| s.at == at).for_each(Source::pass);
                        return Step::Found(vec![self.n - at]);
                    }
                    if *steps == 0 {
                        return Step::OutOfSteps;
                    }
                    *steps -= 1;
                    let view = view!(self);
                    if !source.advance(&view) {
                        self.singles.swap_remove(i);
                    }
                }
                (first, Some(_)) => {
                    let Some(breaks) = &mut self.breaks else { continue };
                    match breaks.next(&view!(self), first.map(|(_, at)| at), steps) {
                        Broken::Found(parts) => return Step::Found(parts),
                        Broken::Later => {}
                        Broken::OutOfSteps => return Step::OutOfSteps,
                        Broken::Done => self.breaks = None,
                    }
                }
                _ => {
                    if core::mem::take(&mut self.nothing) {
                        return Step::Found(Vec::new());
                    }
                    return Step::Done;
                }
            }
        }
    }

    /// The exact number of all options of the value, also of those already found; None if counting takes more steps.
    pub fn count(&self, steps: u64) -> Option<u128> {
        Finder::new(self.rule, self.n, self.target, self.values).count_from_the_start(steps)
    }

    fn count_from_the_start(mut self, mut steps: u64) -> Option<u128> {
        let mut count = u128::from(core::mem::take(&mut self.nothing));
        if let Some(breaks) = self.breaks.take() {
            count += breaks.count(&view!(self), &mut steps)?;
        }
        if self.disjoint {
            return Some(count + self.singles.iter().map(Source::count).sum::<u128>());
        }
        loop {
            match self.next(&mut steps) {
                Step::Found(_) => count += 1,
                Step::OutOfSteps => return None,
                Step::Done => return Some(count),
            }
        }
    }

    /// Sets up the ways to leave exactly one heap.
    fn add_singles(&mut self) {
        let (n, rule) = (self.n, self.rule);
        let Some(most) = n.checked_sub(1).filter(|m| *m > 0) else { return };
        // amounts that lead to the value, as far as they can be described
        let wanted: Option<Vec<Cyclic>> =
            self.values.heaps_of(self.target, most).map(|sets| sets.iter().map(|s| s.reflected(n)).collect());
        let mut runs: Vec<Run> = Vec::new();
        for a in rule.alternatives().iter().filter(|a| a.leave.restriction(1).is_some()) {
            let limits = a.condition.as_ref().map_or(Some((1, most)), |c| interval(c, n));
            let (first, last) = limits.map_or((1, most), |(l, h)| (l.max(1), h.min(most)));
            let sets = limits.and_then(|_| runs_of(&a.take)).filter(|_| wanted.is_some());
            match sets {
                Some(sets) => runs.extend(sets.iter().filter_map(|s| Run::of(s, first, last))),
                None => {
                    self.disjoint = false;
                    let kind =
                        Kind::Scan { amounts: a.take.clone(), last, check: limits.is_none(), wanted: wanted.clone() };
                    self.singles.push(Source { at: first, hit: false, kind });
                }
            }
        }
        let Some(wanted) = wanted else { return };
        self.disjoint &= make_disjoint(&mut runs);
        for run in runs {
            for set in &wanted {
                let kind = match set.clone().thinned(run.first, run.last, run.step) {
                    Some(turns) => Kind::Exact { first: run.first, step: run.step, turns },
                    None => {
                        self.disjoint = false;
                        let set = AmountSet::Run { first: run.first, last: Some(run.last), step: run.step };
                        let wanted = Some(wanted.clone());
                        Kind::Scan { amounts: Amounts::of(set), last: run.last, check: false, wanted }
                    }
                };
                self.singles.push(Source { at: run.first, hit: false, kind });
            }
        }
    }
}

/// A finder without a limit.
struct Unlimited<'a>(Finder<'a>);

impl Iterator for Unlimited<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let mut steps = u64::MAX;
        match self.0.next(&mut steps) {
            Step::Found(parts) => Some(parts),
            // out of steps: more parts than anyone can write out
            Step::OutOfSteps | Step::Done => None,
        }
    }
}

/// What one search is about.
pub(super) struct View<'v> {
    pub rule: &'v HeapRule,
    pub n: u64,
    pub target: u64,
    pub values: &'v HeapValues<'v>,
    pub law: &'v Law,
}

/// Amounts that may leave one heap of the value.
#[derive(Clone, Debug)]
struct Source {
    /// None of the amounts below is to come.
    at: u64,
    /// `at` itself is one.
    hit: bool,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The amounts `first + step * j` for the j of a set.
    Exact { first: u64, step: u64, turns: Cyclic },
    /// Amounts that are looked at one by one …
    Scan {
        amounts: Amounts,
        last: u64,
        /// … unless the sets of all amounts that lead to the value are known.
        wanted: Option<Vec<Cyclic>>,
        /// The condition of the alternative has to be looked at too.
        check: bool,
    },
}

impl Source {
    fn pass(&mut self) {
        self.at += 1;
        self.hit = false;
    }

    /// Looks at one more amount; false if there is none.
    fn advance(&mut self, view: &View<'_>) -> bool {
        match &self.kind {
            Kind::Exact { first, step, turns } => {
                let turn = self.at.saturating_sub(*first).div_ceil(*step);
                let Some(j) = turns.next_from(turn) else { return false };
                self.at = first + j * step;
                self.hit = true;
            }
            Kind::Scan { amounts, last, wanted, check } => {
                let wish = match wanted {
                    None => Some(self.at),
                    Some(sets) => sets.iter().filter_map(|s| s.next_from(self.at)).min(),
                };
                let Some(wish) = wish else { return false };
                let Some(k) = amounts.next_from(wish, view.n).filter(|k| k <= last) else { return false };
                self.at = k;
                if wanted.is_some() && k != wish {
                    // amount and wish drive one another on until they meet
                    return true;
                }
                let m = view.n - k;
                self.hit = (wanted.is_some() || view.values.at(m) == Some(view.target))
                    && (!check || view.rule.is_option(view.n, &[m]));
                if !self.hit {
                    self.at += 1;
                }
            }
        }
        true
    }

    /// The number of amounts of an exact source that has not been advanced.
    fn count(&self) -> u128 {
        match &self.kind {
            Kind::Exact { turns, .. } => turns.count(),
            Kind::Scan { .. } => 0,
        }
    }
}

/// A finite run of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    first: u64,
    last: u64,
    step: u64,
}

impl Run {
    /// The amounts of a run between `first` and `last`; None if there are none.
    fn of(set: &AmountSet, first: u64, last: u64) -> Option<Run> {
        let AmountSet::Run { last: end, step, .. } = set else { return None };
        let first = set.next_from(first, last)?;
        let (last, step) = (end.map_or(last, |e| e.min(last)), (*step).max(1));
        let last = last - (last - first) % step;
        Some(Run { first, last, step: if first == last { 1 } else { step } })
    }

    fn holds(&self, other: &Run) -> bool {
        self.first <= other.first
            && other.last <= self.last
            && (other.first - self.first).is_multiple_of(self.step)
            && (other.first == other.last || other.step.is_multiple_of(self.step))
    }

    fn meets(&self, other: &Run) -> bool {
        let mine = Cyclic::new(self.first, self.last, self.step, vec![(0, 0)]);
        mine.thinned(other.first, other.last, other.step).is_none_or(|common| common.count() > 0)
    }
}

/// The amounts as runs, if they are that.
fn runs_of(take: &Amounts) -> Option<Vec<AmountSet>> {
    if take.exclude.is_empty() && take.include.iter().all(|s| matches!(s, AmountSet::Run { .. })) {
        return Some(take.include.clone());
    }
    written_out(&[(take.clone(), None)])
}

/// Drops runs that lie in others; true if no amount is left that two runs share.
fn make_disjoint(runs: &mut Vec<Run>) -> bool {
    runs.sort_unstable();
    runs.dedup();
    if runs.len() > MOST_RUNS {
        return false;
    }
    let mut kept: Vec<Run> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        if !runs.iter().enumerate().any(|(j, other)| i != j && other.holds(run)) {
            kept.push(*run);
        }
    }
    *runs = kept;
    runs.iter().enumerate().all(|(i, a)| runs[..i].iter().all(|b| !a.meets(b)))
}

#[cfg(test)]
mod tests {
    use super::super::{Comparison, Condition, Leave, Linear, Parts, Variable, all_but_period};
    use super::*;
    use crate::{
        ruleset::{definition::GrundyByDefinition, options_of},
        theory::period::proved_period,
    };

    fn run(first: u64, last: Option<u64>, step: u64) -> AmountSet {
        AmountSet::Run { first, last, step }
    }

    fn table(rule: &HeapRule, to: u64) -> Vec<u64> {
        let mut g = GrundyByDefinition::new(rule);
        (0..=to).map(|n| g.value(&n)).collect()
    }

    /// Every target of every heap: the list, its order and the count agree with the filtered list of all options.
    fn check(rule: &HeapRule, values: HeapValues<'_>, heaps: impl IntoIterator<Item = u64>) {
        for n in heaps {
            let options = options_of(rule, &n);
            let value = |parts: &Vec<u64>| parts.iter().fold(0, |x, p| x ^ values.at(*p).unwrap());
            let most = options.iter().map(value).max().unwrap_or(0);
            for target in 0..=most + 2 {
                let expect: Vec<Vec<u64>> = options.iter().filter(|o| value(o) == target).cloned().collect();
                let found = options_of_value(rule, n, target, values);
                let what = || format!("heap {n} target {target} of {rule:?} by {values:?}");
                assert_eq!(found.count, Some(expect.len() as u128), "{}", what());
                assert_eq!(found.options.collect::<Vec<_>>(), expect, "{}", what());
                // a few steps at a time nothing is lost or found twice
                let mut finder = Finder::new(rule, n, target, values);
                let mut slowly = Vec::new();
                loop {
                    match finder.next(&mut 3) {
                        Step::Found(parts) => slowly.push(parts),
                        Step::OutOfSteps => {}
                        Step::Done => break,
                    }
                }
                assert_eq!(slowly, expect, "slowly: {}", what());
                if let Some(short) = Finder::new(rule, n, target, values).count(7) {
                    assert_eq!(short, expect.len() as u128);
                }
            }
        }
    }

    /// A form of which nothing but its values is known.
    #[derive(Debug)]
    struct Listed<'a>(&'a [u64]);

    impl ValueForm for Listed<'_> {
        fn value(&self, n: u64) -> Option<u64> {
            self.0.get(n as usize).copied()
        }

        fn heaps_of(&self, target: u64, last: u64, most: usize) -> Option<Vec<u64>> {
            let all: Vec<u64> = (0..=last).filter(|n| self.value(*n) == Some(target)).collect();
            (all.len() <= most).then_some(all)
        }
    }

    /// By a table, by a form of another kind, by the theorem and its period if there is one, by a proved period if there is one.
    fn check_all(rule: &HeapRule, heaps: impl IntoIterator<Item = u64> + Clone, to: u64) {
        let table = table(rule, to);
        check(rule, HeapValues::Table(&table), heaps.clone());
        check(rule, HeapValues::Form(&Listed(&table)), heaps.clone());
        if let Some(form) = ClosedForm::recognise(rule) {
            check(rule, HeapValues::Closed(&form), heaps.clone());
            if let Some(periodicity) = form.periodicity() {
                check(rule, HeapValues::Periodic { values: &table, periodicity }, heaps.clone());
            }
        }
        if let Some(p) = rule.period_theorem().and_then(|t| proved_period(&table, &t)) {
            check(rule, HeapValues::Periodic { values: &table, periodicity: p }, heaps);
        }
    }

    fn breaking(count: u32, parts: Parts) -> Alternative {
        let leave = Leave { exact: vec![(count, parts)], from: None };
        Alternative { take: Amounts::nothing(), leave, condition: None }
    }

    fn rule(takes: &[AmountSet], more: &[Alternative]) -> HeapRule {
        HeapRule::new(takes.iter().cloned().map(Alternative::taking).chain(more.iter().cloned()).collect())
    }

    fn leaving(set: AmountSet, leave: Leave) -> Alternative {
        Alternative { take: Amounts::of(set), leave, condition: None }
    }

    #[test]
    fn octal_codes() {
        for code in [&[7, 7][..], &[0, 7], &[1, 3, 7], &[6], &[1, 5], &[3, 3, 3], &[5, 6], &[4, 4], &[2, 2]] {
            check_all(&HeapRule::octal(0, code), (0..24).chain([40]), 300);
            check_all(&HeapRule::octal(4, code), (0..16).chain([31]), 100);
        }
    }

    #[test]
    fn hexadecimal_codes() {
        for code in [&[8][..], &[15], &[3, 15], &[9, 4], &[0, 8]] {
            check_all(&HeapRule::octal(0, code), (0..16).chain([26]), 40);
        }
        check_all(&HeapRule::octal(8, &[3]), 0..18, 30);
        check_all(&HeapRule::octal(28, &[]), 0..13, 20);
    }

    #[test]
    fn arithmetic_periods() {
        // 0.8 and 0.3F, with saltus 1 and 3 (not a power of 2), and 0.28 after 53 values with saltus 16
        for (code, period, preperiod, saltus) in [(&[8][..], 3, 1, 1), (&[3, 15], 6, 0, 3)] {
            let rule = HeapRule::octal(0, code);
            let values = table(&rule, 40);
            let periodicity = Periodicity { preperiod, period, saltus };
            for n in 0..40 {
                assert_eq!(periodicity.value(&values, n), Some(values[n as usize]));
            }
            check(&rule, HeapValues::Periodic { values: &values, periodicity }, 0..20);
        }
    }

    #[test]
    fn amounts_of_all_kinds() {
        let sets: Vec<Vec<AmountSet>> = vec![
            vec![run(1, Some(4), 1)],
            vec![run(3, Some(5), 1)],
            vec![run(2, None, 2)],
            vec![run(1, None, 2)],
            vec![run(1, None, 2), AmountSet::one(4), run(3, Some(5), 1)],
            vec![AmountSet::one(3), run(5, None, 3), run(4, None, 6)],
            vec![AmountSet::PowersOf(2)],
            vec![AmountSet::PowersOf(4)],
            vec![AmountSet::Squares],
            vec![AmountSet::Fibonacci, AmountSet::Primes],
            vec![AmountSet::Divisors],
            vec![AmountSet::one(1), AmountSet::one(2), AmountSet::one(9)],
            vec![AmountSet::one(2), AmountSet::one(7)],
            vec![AmountSet::from(1)],
            vec![AmountSet::from(4)],
        ];
        for set in sets {
            check_all(&rule(&set, &[]), (0..30).chain([57, 100]), 120);
        }
    }

    #[test]
    fn all_but() {
        for excluded in [&[2u64, 3][..], &[1, 5, 6], &[1, 3]] {
            let exclude = excluded.iter().map(|k| AmountSet::one(*k)).collect();
            let take = Amounts { include: vec![AmountSet::from(1)], exclude };
            let rule = HeapRule::new(vec![Alternative { take, ..Alternative::taking(AmountSet::one(1)) }]);
            let (periodicity, values) = all_but_period(excluded, 1000).unwrap();
            check(&rule, HeapValues::Periodic { values: &values, periodicity }, (0..40).chain([101]));
        }
    }

    #[test]
    fn conditions_on_the_amount() {
        let linear = |taken, heap, constant| {
            use super::super::Atom;
            let terms = vec![(taken, Atom::Variable(Variable::Taken)), (heap, Atom::Variable(Variable::Heap))];
            Linear { terms, constant }
        };
        for (taken, heap, constant) in [(-2, 1, 0), (-2, 1, -1), (-3, 1, -2), (2, -1, 0), (3, -1, -1), (-3, 2, 1)] {
            let c = Condition::Compare(linear(taken, heap, constant), Comparison::GreaterEqual, Linear::constant(0));
            let not_five = Condition::Compare(linear(1, 0, 0), Comparison::NotEqual, Linear::constant(5));
            for condition in [c.clone(), Condition::And(Box::new(c), Box::new(not_five))] {
                let a = Alternative { condition: Some(condition), ..Alternative::taking(AmountSet::from(1)) };
                check_all(&HeapRule::new(vec![a]), (0..30).chain([64]), 70);
            }
        }
    }

    #[test]
    fn breaking_rules() {
        let any = [AmountSet::from(1)];
        for parts in [Parts::Any, Parts::Unequal, Parts::NotAllEqual, Parts::AllEqual] {
            check_all(&rule(&any, &[breaking(2, parts)]), (0..40).chain([63, 64]), 64);
            check_all(&rule(&any, &[breaking(3, parts)]), 0..24, 24);
            check_all(&rule(&[AmountSet::one(2)], &[breaking(2, parts)]), 0..30, 30);
            check_all(&rule(&[], &[breaking(2, parts), breaking(3, Parts::Unequal)]), 0..24, 24);
        }
        check_all(&rule(&any, &[leaving(AmountSet::from(1), Leave::exactly(2))]), 0..30, 30);
        check_all(&rule(&any, &[leaving(AmountSet::from(1), Leave::exactly(3))]), 0..16, 16);
        check_all(&rule(&[AmountSet::Squares], &[leaving(AmountSet::Primes, Leave::exactly(2))]), 0..24, 24);
    }

    #[test]
    fn any_number_of_heaps() {
        for parts in [Parts::Any, Parts::Unequal, Parts::NotAllEqual, Parts::AllEqual] {
            let some = Leave { exact: vec![], from: Some((2, parts)) };
            check_all(&rule(&[], &[Alternative { leave: some.clone(), ..breaking(2, parts) }]), 0..15, 15);
            let all = Leave { exact: vec![(1, Parts::Any)], from: Some((3, parts)) };
            check_all(&rule(&[], &[leaving(run(1, Some(2), 1), all), breaking(2, Parts::Unequal)]), 0..13, 13);
        }
    }

    #[test]
    fn conditions_on_parts() {
        use super::super::Atom;
        let part = |i| Linear::variable(Variable::Part(i));
        let double = Linear { terms: vec![(2, Atom::Variable(Variable::Part(0)))], constant: 0 };
        for (c, right) in
            [(Comparison::LessEqual, double.clone()), (Comparison::Equal, double), (Comparison::NotEqual, part(0))]
        {
            let condition = Some(Condition::Compare(part(1), c, right));
            let split = Alternative { condition, ..breaking(2, Parts::Any) };
            let both = leaving(run(1, Some(2), 1), Leave { exact: vec![(1, Parts::Any), (2, Parts::Any)], from: None });
            check_all(&rule(&[], core::slice::from_ref(&split)), 0..24, 24);
            check_all(&rule(&[], &[split, both]), 0..24, 24);
        }
    }

    #[test]
    fn ways_that_overlap() {
        let either = [
            Alternative::taking(run(1, Some(6), 1)),
            Alternative::taking(run(2, None, 3)),
            leaving(AmountSet::one(3), Leave { exact: vec![(0, Parts::Any), (2, Parts::Any)], from: None }),
            leaving(run(1, Some(3), 2), Leave::exactly(2)),
            breaking(2, Parts::Unequal),
            breaking(2, Parts::AllEqual),
        ];
        check_all(&HeapRule::new(either.to_vec()), 0..30, 30);
    }

    #[test]
    fn huge_lasker() {
        let lasker = rule(&[AmountSet::from(1)], &[breaking(2, Parts::Any)]);
        let form = ClosedForm::recognise(&lasker).unwrap();
        let values = HeapValues::Closed(&form);
        let (a, b) = ((1u64 << 62) - 1, 1u64 << 62);
        let (x, y) = (form.value(a).unwrap(), form.value(b).unwrap());
        assert_eq!((x, y), (1 << 62, (1 << 62) - 1));
        for (n, target) in [(a, y), (b, x)] {
            let found = options_of_value(&lasker, n, target, values);
            let first: Vec<Vec<u64>> = found.options.take(1000).collect();
            assert_eq!(first.len() as u128, found.count.unwrap().min(1000), "{n} {target}");
            assert!(first.is_sorted_by(|p, q| p.len() > q.len() || (p.len() == q.len() && p < q)));
            for parts in &first {
                assert!(lasker.is_option(n, parts));
                assert_eq!(parts.iter().fold(0, |x, p| x ^ form.value(*p).unwrap()), target, "{parts:?}");
            }
        }
        // 2^(e-1) - 1 ways to break 2^e - 1; the second heap has one move, taking 1
        for e in 3..12 {
            let small = options_of_value(&lasker, (1 << e) - 1, (1 << e) - 1, values);
            assert_eq!(small.count, Some((1 << (e - 1)) - 1));
            assert_eq!(small.options.count() as u128, (1 << (e - 1)) - 1);
        }
        assert_eq!(options_of_value(&lasker, a, y, values).count, Some((1 << 61) - 1));
        assert_eq!(options_of_value(&lasker, b, x, values).options.collect::<Vec<_>>(), [[a]]);
    }

    #[test]
    fn huge_heaps_of_other_rules() {
        let n = (1u64 << 62) + 12345;
        let cases = [
            (rule(&[run(1, Some(1_000_000_000), 1)], &[]), 1),
            (rule(&[run(1, None, 2)], &[]), 1u128 << 61),
            (rule(&[run(3, None, 3)], &[]), 1),
        ];
        for (rule, least) in cases {
            let form = ClosedForm::recognise(&rule).unwrap();
            let target = if form.value(n) == Some(0) { 1 } else { 0 };
            let found = options_of_value(&rule, n, target, HeapValues::Closed(&form));
            assert!(found.count.is_some_and(|c| c >= least), "{form:?} {:?}", found.count);
            for parts in found.options.take(100) {
                assert!(rule.is_option(n, &parts));
                assert_eq!(parts.first().map_or(Some(0), |p| form.value(*p)), Some(target));
            }
            // odd amounts never lead to the same parity: known without looking at 2^61 of them
            let none = form.value(n).unwrap();
            let found = options_of_value(&rule, n, none, HeapValues::Closed(&form));
            assert_eq!((found.count, found.options.count()), (Some(0), 0));
        }
    }

    #[test]
    fn a_long_search_can_be_interrupted() {
        let any = rule(&[AmountSet::from(1)], &[leaving(AmountSet::from(1), Leave::exactly(2))]);
        let values = HeapValues::Closed(&ClosedForm::Identity);
        // two parts of such a xor have a bit of their sum less than the xor clear: not before 2^41 is taken
        let mut finder = Finder::new(&any, u64::MAX, (1 << 40) + 1, values);
        let mut steps = 100_000;
        assert_eq!(finder.next(&mut steps), Step::OutOfSteps);
        assert_eq!(steps, 0);
        let mut easy = Finder::new(&any, u64::MAX, 1, values);
        assert_eq!(easy.next(&mut 100), Step::Found(vec![(1 << 63) - 2, (1 << 63) - 1]));
        let squares = rule(&[AmountSet::Squares], &[]);
        let mut squares = Finder::new(&squares, 1 << 62, 3, HeapValues::Table(&[]));
        assert_eq!(squares.next(&mut 1000), Step::OutOfSteps);
    }
}
