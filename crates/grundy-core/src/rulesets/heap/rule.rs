//! The plain data that every heap game lowers to.

use core::ops::ControlFlow;

use super::{
    AmountSet, Amounts, Condition,
    interval::interval,
    steps::{Steps, with_restriction},
};
use crate::{
    ruleset::{OptionSink, Playable, Ruleset},
    theory::period::PeriodTheorem,
};

/// A restriction on the parts that a move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Parts {
    /// No restriction.
    Any,
    /// `!`: pairwise unequal.
    Unequal,
    /// `?`: not all equal (no restriction on fewer than two parts).
    NotAllEqual,
    /// `=`: all equal.
    AllEqual,
}

impl Parts {
    /// True if the parts, ascending, satisfy the restriction.
    pub fn allow(self, parts: &[u64]) -> bool {
        match self {
            Parts::Any => true,
            Parts::Unequal => parts.windows(2).all(|w| w[0] != w[1]),
            Parts::NotAllEqual => parts.len() < 2 || parts.first() != parts.last(),
            Parts::AllEqual => parts.first() == parts.last(),
        }
    }
}

/// How many non-empty heaps a move may leave, with the restriction of each number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Leave {
    /// Single numbers of heaps, ascending.
    pub exact: Vec<(u32, Parts)>,
    /// All numbers from here on.
    pub from: Option<(u32, Parts)>,
}

impl Leave {
    /// The rest as one heap, or nothing: the usual taking.
    pub fn rest() -> Self {
        Leave { exact: vec![(0, Parts::Any), (1, Parts::Any)], from: None }
    }

    /// Exactly `count` non-empty heaps.
    pub fn exactly(count: u32) -> Self {
        Leave { exact: vec![(count, Parts::Any)], from: None }
    }

    /// The restriction on `count` heaps, if that many may be left.
    pub fn restriction(&self, count: u64) -> Option<Parts> {
        if let Some((_, p)) = self.exact.iter().find(|(c, _)| u64::from(*c) == count) {
            return Some(*p);
        }
        self.from.filter(|(c, _)| count >= u64::from(*c)).map(|(_, p)| p)
    }

    /// True if `count` and more heaps may only be left pairwise unequal.
    fn is_unequal_from(&self, count: u64) -> bool {
        self.from.is_none_or(|(_, p)| p == Parts::Unequal)
            && self.exact.iter().all(|(c, p)| u64::from(*c) < count || *p == Parts::Unequal)
    }

    /// The most heaps left, or None without bound.
    pub fn most(&self) -> Option<u32> {
        if self.from.is_some() { None } else { Some(self.exact.iter().map(|(c, _)| *c).max().unwrap_or(0)) }
    }
}

/// One way to move: take an amount, leave some heaps, under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// What may be taken; 0 is breaking without taking (and then at least two heaps are left).
    pub take: Amounts,
    /// How many heaps may be left.
    pub leave: Leave,
    /// A condition on heap, amount and parts.
    pub condition: Option<Condition>,
}

impl Alternative {
    /// Taking amounts of `set`, leaving the rest as one heap.
    pub fn taking(set: AmountSet) -> Self {
        Alternative { take: Amounts::of(set), leave: Leave::rest(), condition: None }
    }

    fn allows(&self, n: u64, k: u64, parts: &[u64]) -> bool {
        self.leave.restriction(parts.len() as u64).is_some_and(|r| r.allow(parts))
            && self.condition.as_ref().is_none_or(|c| c.holds_unordered(n, k, parts))
    }
}

/// A heap game: the union of its alternatives.
///
/// From a heap of n one chooses an alternative, takes one of its amounts k <= n and leaves n - k in so many non-empty
/// heaps. The same option of two alternatives is one option.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct HeapRule {
    alternatives: Vec<Alternative>,
    /// The same as a list of amounts, where that is short.
    steps: Option<Steps>,
}

impl HeapRule {
    /// The rule with these alternatives. A move must change the heap, so breaking without taking into fewer than two heaps
    /// is never an option, whoever wrote it.
    ///
    /// Conditions that two parts are equal or unequal become restrictions of the parts.
    pub fn new(alternatives: Vec<Alternative>) -> Self {
        let alternatives: Vec<_> = alternatives.into_iter().map(with_restriction).collect();
        HeapRule { steps: Steps::of(&alternatives), alternatives }
    }

    /// The finite octal code `d0.d1d2…`, for tests and examples: bit j of a digit set = j heaps may be left.
    pub fn octal(d0: u32, digits: &[u32]) -> Self {
        let leave = |digit: u32, low: u32| Leave {
            exact: (low..32).filter(|j| digit >> j & 1 == 1).map(|j| (j, Parts::Any)).collect(),
            from: None,
        };
        let mut alternatives = Vec::new();
        if d0 >> 2 != 0 {
            alternatives.push(Alternative { take: Amounts::nothing(), leave: leave(d0, 2), condition: None });
        }
        for (i, d) in digits.iter().enumerate() {
            if *d != 0 {
                let take = Amounts::of(AmountSet::one(i as u64 + 1));
                alternatives.push(Alternative { take, leave: leave(*d, 0), condition: None });
            }
        }
        HeapRule::new(alternatives)
    }

    /// The ways to move.
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// The least amount that is at least `k` and may be taken from `n` by some alternative.
    pub fn next_amount(&self, k: u64, n: u64) -> Option<u64> {
        self.alternatives.iter().filter_map(|a| a.take.next_from(k, n)).min()
    }

    /// [`HeapRule::next_amount`] among those that lie in the `limits` of their alternative, with a tick for every excluded
    /// amount that is passed over.
    fn next_amount_within(
        &self,
        limits: &[(u64, u64)],
        k: u64,
        n: u64,
        sink: &mut impl OptionSink<u64>,
    ) -> ControlFlow<(), Option<u64>> {
        let mut least: Option<u64> = None;
        for (a, (first, last)) in self.alternatives.iter().zip(limits) {
            let next = a.take.next_watched(k.max(*first), n.min(*last), n, &mut || sink.tick())?;
            least = least.into_iter().chain(next).min();
        }
        ControlFlow::Continue(least)
    }

    /// True if leaving `parts` (ascending, all positive) is a move from `n`.
    pub fn is_option(&self, n: u64, parts: &[u64]) -> bool {
        let Some(total) = parts.iter().try_fold(0u64, |t, p| t.checked_add(*p)) else { return false };
        if total > n || (total == n && parts.len() < 2) || parts.contains(&0) {
            return false;
        }
        let k = n - total;
        self.alternatives.iter().any(|a| a.take.contains(k, n) && a.allows(n, k, parts))
    }

    /// Sends every option of a heap of `n` (its parts ascending, none empty) to `sink`, in the order of moves: amount taken,
    /// number of parts, parts ascending; each multiset once.
    ///
    /// # Complexity
    /// The partitions of n - k into the allowed numbers of parts, for every amount k: O(n) for a digit below 4, O(n^2) for
    /// two parts after any amount, exponential where any number of heaps may be left. The sink can break at any time.
    pub fn each_option(&self, n: u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        self.each_option_from(n, 0, sink)
    }

    /// As [`HeapRule::each_option`], for the amounts from `first` on.
    pub fn each_option_from(&self, n: u64, first: u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        if let Some(steps) = &self.steps {
            return steps.each_option(n, first, sink);
        }
        self.each_option_by_search(n, first, sink)
    }

    /// As [`HeapRule::each_option_from`], for every rule.
    fn each_option_by_search(&self, n: u64, first: u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        // amounts that a condition rules out are not looked at, where it can be read as an interval
        let limits = |a: &Alternative| a.condition.as_ref().and_then(|c| interval(c, n)).unwrap_or((0, u64::MAX));
        let limits: Vec<(u64, u64)> = self.alternatives.iter().map(limits).collect();
        let mut next = self.next_amount_within(&limits, first, n, sink)?;
        let mut parts = Vec::new();
        while let Some(k) = next {
            let ways: Vec<&Alternative> = self.alternatives.iter().filter(|a| a.take.contains(k, n)).collect();
            let rest = n - k;
            let most = ways.iter().map(|a| a.leave.most().map_or(rest, u64::from)).max().unwrap_or(0).min(rest);
            let least = if k == 0 { 2 } else { 0 };
            for count in least..=most {
                let here: Vec<&Alternative> =
                    ways.iter().copied().filter(|a| a.leave.restriction(count).is_some()).collect();
                if here.is_empty() || (count == 0) != (rest == 0) {
                    sink.tick()?;
                    continue;
                }
                let strict = |p: Parts| here.iter().all(|a| a.leave.restriction(count) == Some(p));
                if count >= 2 && strict(Parts::AllEqual) && !rest.is_multiple_of(count) {
                    sink.tick()?;
                    continue;
                }
                // j unequal parts are j parts of a smaller sum with 0, 1, …, j - 1 added
                let spread = if strict(Parts::Unequal) { 1 } else { 0 };
                let pairs = u128::from(count) * u128::from(count.saturating_sub(1)) / 2;
                let base = u64::try_from(u128::from(spread) * pairs).ok().and_then(|added| rest.checked_sub(added));
                let Some(base) = base.filter(|base| *base >= count) else {
                    // too few for unequal parts; a larger number of parts that may be equal can still fit
                    if ways.iter().all(|a| a.leave.is_unequal_from(count)) {
                        break;
                    }
                    sink.tick()?;
                    continue;
                };
                let free = here.iter().any(|a| a.condition.is_none() && a.leave.restriction(count) == Some(Parts::Any));
                partitions(base, count, spread, &mut parts, &mut |parts| {
                    if free || here.iter().any(|a| a.allows(n, k, parts)) { sink.push_sum(parts) } else { sink.tick() }
                })?;
            }
            next = match k.checked_add(1) {
                Some(k) => self.next_amount_within(&limits, k, n, sink)?,
                None => None,
            };
        }
        ControlFlow::Continue(())
    }

    /// The theorem that can prove a period of this rule from its values, if one applies.
    ///
    /// None where the amounts depend on the heap. None where parts must differ or be equal: shifting one part by a period might make it meet another, and no period
    /// of such a game is known.
    pub fn period_theorem(&self) -> Option<PeriodTheorem> {
        let mut span = 0;
        let mut parts = 1;
        let mut restricted = false;
        for a in &self.alternatives {
            if a.condition.is_some() || a.take.exclude.contains(&AmountSet::Divisors) {
                return None;
            }
            span = span.max(a.take.bound()?);
            let most = a.leave.most()?;
            parts = parts.max(most);
            restricted |= a.leave.exact.iter().any(|(c, r)| *c >= 2 && *r != Parts::Any);
        }
        match (parts < 2, restricted) {
            (true, _) => Some(PeriodTheorem::Window { span }),
            (false, true) => None,
            (false, false) => Some(PeriodTheorem::GuySmith { span, parts: u64::from(parts) }),
        }
    }
}

/// All partitions of `sum` into `count` positive parts, ascending, in lexicographic order, with `i * spread` added to part i.
fn partitions(
    sum: u64,
    count: u64,
    spread: u64,
    parts: &mut Vec<u64>,
    visit: &mut impl FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    parts.clear();
    let Ok(len) = usize::try_from(count) else { return ControlFlow::Continue(()) };
    if len > 0 {
        parts.resize(len, 1);
        parts[len - 1] = sum - (count - 1);
    }
    let mut spread_out = Vec::new();
    loop {
        if spread == 0 {
            visit(parts)?;
        } else {
            spread_out.clear();
            spread_out.extend(parts.iter().zip(0u64..).map(|(p, i)| p + i * spread));
            visit(&spread_out)?;
        }
        if !next_partition(parts) {
            return ControlFlow::Continue(());
        }
    }
}

/// The next partition of the same sum into as many parts, in lexicographic order; false after the last.
fn next_partition(parts: &mut [u64]) -> bool {
    let Some(last) = parts.len().checked_sub(1) else { return false };
    let mut tail = parts[last];
    for i in (0..last).rev() {
        // raise parts[i] by one, set everything between to the same, let the last take what is left
        tail += parts[i];
        let low = parts[i] + 1;
        let between = (last - i) as u64;
        if low.checked_mul(between + 1).is_some_and(|least| least <= tail) {
            parts[i..last].fill(low);
            parts[last] = tail - low * between;
            return true;
        }
    }
    false
}

impl Ruleset for HeapRule {
    type Position = u64;

    fn options(&self, g: &u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        self.each_option(*g, sink)
    }

    fn is_option(&self, g: &u64, parts: &[u64]) -> bool {
        let mut ascending = parts.to_vec();
        ascending.sort_unstable();
        HeapRule::is_option(self, *g, &ascending)
    }
}

impl Playable for HeapRule {
    fn move_name(&self, g: &u64, to: &[u64]) -> String {
        move_name(*g, to)
    }

    fn print_position(&self, g: &u64) -> String {
        g.to_string()
    }
}

/// `take 2`, `take 2, leave 1 + 6` or `split into 1 + 6`.
pub(crate) fn move_name(n: u64, to: &[u64]) -> String {
    let left: u64 = to.iter().sum();
    let sum = to.iter().map(u64::to_string).collect::<Vec<_>>().join(" + ");
    match (n.saturating_sub(left), to.len()) {
        (0, _) => format!("split into {sum}"),
        (k, 0 | 1) => format!("take {k}"),
        (k, _) => format!("take {k}, leave {sum}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::options_of;

    fn options(rule: &HeapRule, n: u64) -> Vec<Vec<u64>> {
        let listed = options_of(rule, &n);
        for parts in &listed {
            assert!(rule.is_option(n, parts), "{n} -> {parts:?}");
        }
        listed
    }

    #[test]
    fn order_of_moves() {
        let kayles = HeapRule::octal(0, &[7, 7]);
        assert_eq!(options(&kayles, 5), [vec![4], vec![1, 3], vec![2, 2], vec![3], vec![1, 2]] as [Vec<u64>; 5]);
        assert_eq!(options(&kayles, 1), [vec![]] as [Vec<u64>; 1]);
        assert_eq!(options(&kayles, 0), Vec::<Vec<u64>>::new());
    }

    #[test]
    fn three_parts_in_order() {
        let rule = HeapRule::octal(8, &[]);
        assert_eq!(options(&rule, 7), [vec![1, 1, 5], vec![1, 2, 4], vec![1, 3, 3], vec![2, 2, 3]] as [Vec<u64>; 4]);
    }

    #[test]
    fn unequal_parts_are_enumerated_directly() {
        let distinct = Leave { exact: vec![], from: Some((2, Parts::Unequal)) };
        let rule = HeapRule::new(vec![Alternative { take: Amounts::nothing(), leave: distinct, condition: None }]);
        assert_eq!(options(&rule, 6), [vec![1, 5], vec![2, 4], vec![1, 2, 3]] as [Vec<u64>; 3]);
        assert_eq!(options(&rule, 60).len(), 10880 - 1); // OEIS A000009(60), less the heap itself
    }

    #[test]
    fn more_parts_may_fit_where_fewer_unequal_ones_do_not() {
        let leave = Leave { exact: vec![(4, Parts::Unequal), (5, Parts::NotAllEqual)], from: None };
        let rule = HeapRule::new(vec![Alternative { take: Amounts::nothing(), leave, condition: None }]);
        assert_eq!(options(&rule, 6), [vec![1, 1, 1, 1, 2]] as [Vec<u64>; 1]);
    }

    #[test]
    fn a_rare_amount_is_found_at_once() {
        use crate::rulesets::heap::{Atom, Comparison, Linear, Variable};
        let double = Linear { terms: vec![(2, Atom::Variable(Variable::Taken))], constant: 0 };
        let heap = Linear { terms: vec![(1, Atom::Variable(Variable::Heap))], constant: 0 };
        let condition = Some(Condition::Compare(double, Comparison::Equal, heap));
        let rule = HeapRule::new(vec![Alternative { condition, ..Alternative::taking(AmountSet::from(1)) }]);
        assert_eq!(options(&rule, 1 << 62), [vec![1 << 61]] as [Vec<u64>; 1]);
        assert_eq!(options(&rule, 7), Vec::<Vec<u64>>::new());
    }

    #[test]
    fn excluded_amounts_are_ticks() {
        struct Ticks(u64);
        impl OptionSink<u64> for Ticks {
            fn push_sum(&mut self, _: &[u64]) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
            fn tick(&mut self) -> ControlFlow<()> {
                self.0 += 1;
                if self.0 < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }
        }
        let odd = AmountSet::Run { first: 1, last: None, step: 2 };
        let take = Amounts { include: vec![AmountSet::Primes], exclude: vec![odd] };
        let rule = HeapRule::new(vec![Alternative { take, ..Alternative::taking(AmountSet::one(1)) }]);
        assert!(rule.each_option(1 << 40, &mut Ticks(0)).is_break());
    }

    #[test]
    fn one_option_of_two_alternatives_is_one() {
        let rule = HeapRule::new(vec![
            Alternative::taking(AmountSet::from(1)),
            Alternative::taking(AmountSet::one(2)),
            Alternative { take: Amounts::nothing(), leave: Leave::exactly(1), condition: None },
        ]);
        assert_eq!(options(&rule, 2), [vec![1], vec![]] as [Vec<u64>; 2]);
    }

    #[test]
    fn a_list_of_amounts_gives_the_options_of_the_search() {
        use crate::rulesets::heap::{Comparison, Linear, Variable};
        let few = |first, last| Amounts::of(AmountSet::Run { first, last: Some(last), step: 2 });
        let equal = Leave { exact: vec![(2, Parts::AllEqual)], from: None };
        let parts = |i| Linear::variable(Variable::Part(i));
        let split = |comparison| Alternative {
            take: Amounts::nothing(),
            leave: Leave::exactly(2),
            condition: Some(Condition::Compare(parts(1), comparison, parts(0))),
        };
        let rules = [
            HeapRule::octal(0, &[7, 7]),
            HeapRule::octal(4, &[1, 2, 3, 5, 6, 0, 7]),
            HeapRule::new(vec![Alternative { take: few(1, 7), leave: equal.clone(), condition: None }]),
            HeapRule::new(vec![
                Alternative { take: few(0, 6), leave: equal, condition: None },
                Alternative { take: few(2, 4), leave: Leave::rest(), condition: None },
            ]),
            HeapRule::new(vec![split(Comparison::Equal), Alternative::taking(AmountSet::one(3))]),
        ];
        for rule in &rules {
            assert!(rule.steps.is_some(), "{rule:?}");
            for n in 0..30 {
                for first in [0, 1, 3] {
                    let mut by_search = Vec::new();
                    let _ = rule.each_option_by_search(n, first, &mut |parts: &[u64]| {
                        by_search.push(parts.to_vec());
                        ControlFlow::Continue(())
                    });
                    let mut listed = Vec::new();
                    let _ = rule.each_option_from(n, first, &mut |parts: &[u64]| {
                        listed.push(parts.to_vec());
                        ControlFlow::Continue(())
                    });
                    assert_eq!(listed, by_search, "{n} from {first}: {rule:?}");
                }
            }
        }
        let unequal = HeapRule::new(vec![split(Comparison::NotEqual)]);
        assert_eq!(options(&unequal, 6), [vec![1, 5], vec![2, 4]] as [Vec<u64>; 2]);
        assert_eq!(HeapRule::new(vec![Alternative::taking(AmountSet::from(1))]).steps, None);
    }

    #[test]
    fn names() {
        assert_eq!(move_name(7, &[1, 6]), "split into 1 + 6");
        assert_eq!(move_name(9, &[1, 6]), "take 2, leave 1 + 6");
        assert_eq!(move_name(7, &[]), "take 7");
        assert_eq!(move_name(7, &[6]), "take 1");
    }

    #[test]
    fn theorems_that_apply() {
        assert_eq!(HeapRule::octal(0, &[7, 7]).period_theorem(), Some(PeriodTheorem::GuySmith { span: 2, parts: 2 }));
        let s = HeapRule::new([1, 3, 4].map(|k| Alternative::taking(AmountSet::one(k))).to_vec());
        assert_eq!(s.period_theorem(), Some(PeriodTheorem::Window { span: 4 }));
        assert_eq!(HeapRule::new(vec![Alternative::taking(AmountSet::Squares)]).period_theorem(), None);
        let few = AmountSet::Run { first: 1, last: Some(4), step: 1 };
        let take = Amounts { include: vec![few], exclude: vec![AmountSet::Divisors] };
        let but_divisors = Alternative { take, leave: Leave::rest(), condition: None };
        assert_eq!(HeapRule::new(vec![but_divisors]).period_theorem(), None);
    }
}
