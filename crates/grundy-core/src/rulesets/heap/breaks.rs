//! The moves that leave two heaps or more, searched for those of a wanted value.

use super::{
    Alternative, AmountSet, Parts,
    of_value::View,
    pairs::{Pairs, Search},
    takes::parts_allowed,
};

/// Most parts of an option that are written out.
const MOST_PARTS: u64 = 1 << 24;

/// The search through all amounts and numbers of parts.
#[derive(Clone, Debug)]
pub(super) struct Breaks<'a> {
    /// Alternatives that may leave two heaps or more.
    ways: Vec<&'a Alternative>,
    /// The amount in hand.
    pub k: u64,
    /// The alternatives that allow it.
    here: Vec<&'a Alternative>,
    /// The number of parts that is next, and the largest.
    count: u64,
    most: u64,
    block: Option<Block>,
}

/// What a search says.
pub(super) enum Broken {
    /// The parts of the next option.
    Found(Vec<u64>),
    /// The next option takes at least as much as the caller's.
    Later,
    /// The limit was reached.
    OutOfSteps,
    /// There are no more.
    Done,
}

impl<'a> Breaks<'a> {
    /// A search from the first amount on; None if there is none.
    pub fn begin(ways: Vec<&'a Alternative>, n: u64) -> Option<Breaks<'a>> {
        let mut breaks = Breaks { ways, k: 0, here: Vec::new(), count: 0, most: 0, block: None };
        breaks.start(0, n).then_some(breaks)
    }

    /// Takes up the least amount from `k` on; false if there is none.
    fn start(&mut self, k: u64, n: u64) -> bool {
        let Some(k) = self.ways.iter().filter_map(|a| a.take.next_from(k, n)).min() else { return false };
        self.k = k;
        self.here.clear();
        self.here.extend(self.ways.iter().filter(|a| a.take.contains(k, n)));
        self.count = 2;
        self.most = most(&self.here, n - k);
        self.block = None;
        true
    }

    /// The next amount; false if no later move can have the value.
    fn start_next(&mut self, view: &View<'_>) -> bool {
        let Some(k) = self.k.checked_add(1) else { return false };
        self.start(k, view.n) && self.may_succeed(view)
    }

    /// False only if neither this amount nor a larger one leads to the value.
    fn may_succeed(&self, view: &View<'_>) -> bool {
        let rest = view.n - self.k;
        view.law.may_have(view.target, rest, most(&self.ways, rest))
    }

    /// True if more amounts than `steps` have to be looked at, as far as that is seen at once.
    fn are_more_than(&self, steps: u64, view: &View<'_>) -> bool {
        let most = |rest: u64| most(&self.ways, rest);
        self.ways.iter().filter(|a| a.take.exclude.is_empty()).flat_map(|a| &a.take.include).any(|set| {
            let AmountSet::Run { first, last, step } = set else { return false };
            let far = steps.checked_mul((*step).max(1)).and_then(|s| s.checked_add(*first));
            let rest = far.filter(|k| last.is_none_or(|l| *k <= l)).and_then(|k| view.n.checked_sub(k));
            rest.is_some_and(|rest| view.law.may_have(view.target, rest, most(rest)))
        })
    }

    /// The next option that takes less than `until`; each pair and each number of parts looked at is a step.
    pub fn next(&mut self, view: &View<'_>, until: Option<u64>, steps: &mut u64) -> Broken {
        if !self.may_succeed(view) {
            return Broken::Done;
        }
        while until.is_none_or(|u| self.k < u) {
            if let Some(block) = &mut self.block {
                match block.next(view, steps) {
                    Broken::Done => self.block = None,
                    other => return other,
                }
            } else if *steps == 0 || (self.count > MOST_PARTS && self.count <= self.most) {
                *steps = 0;
                return Broken::OutOfSteps;
            } else {
                *steps -= 1;
                if !self.start_block(view) && !self.start_next(view) {
                    return Broken::Done;
                }
            }
        }
        Broken::Later
    }

    /// The number of all options to come; None if counting takes more steps.
    pub fn count(mut self, view: &View<'_>, steps: &mut u64) -> Option<u128> {
        let mut count = 0u128;
        if !self.may_succeed(view) {
            return Some(0);
        }
        if self.are_more_than(*steps, view) {
            return None;
        }
        loop {
            if let Some(block) = self.block.take() {
                count += block.count(view, steps)?;
            } else if *steps == 0 || (self.count > MOST_PARTS && self.count <= self.most) {
                return None;
            } else {
                *steps -= 1;
                if !self.start_block(view) && !self.start_next(view) {
                    return Some(count);
                }
            }
        }
    }

    /// Takes up the next number of parts, which may be an impossible one; false if there is none.
    fn start_block(&mut self, view: &View<'_>) -> bool {
        if self.count > self.most {
            return false;
        }
        let count = self.count;
        self.count += 1;
        let rest = view.n - self.k;
        let allowed: Vec<(Parts, bool)> = self
            .here
            .iter()
            .filter_map(|a| match parts_allowed(a, count) {
                Some(p) => Some((p, true)),
                None => a.leave.restriction(count).map(|p| (p, false)),
            })
            .collect();
        if allowed.is_empty() || count > rest {
            return true;
        }
        if allowed.iter().all(|(p, _)| *p == Parts::AllEqual) {
            let filter = allowed.iter().all(|(_, sure)| !sure);
            if rest.is_multiple_of(count) {
                self.block = Some(Block::Equal { part: rest / count, count, filter });
            }
            return true;
        }
        let differ = |p: Parts| p == Parts::Unequal || (count == 2 && p == Parts::NotAllEqual);
        let gap = u64::from(allowed.iter().all(|(p, _)| differ(*p)));
        let filter = !allowed.iter().any(|(p, sure)| *sure && (*p == Parts::Any || (gap == 1 && differ(*p))));
        let least = u128::from(count) + u128::from(gap) * u128::from(count) * u128::from(count - 1) / 2;
        if least > u128::from(rest) {
            if self.here.iter().all(|a| only_unequal_from(a, count)) {
                self.count = self.most.saturating_add(1);
            }
            return true;
        }
        let first = (0..count - 2).map(|i| 1 + i * gap).collect();
        let mut search = Fixed { sum: rest, first, gap, filter, pairs: Pairs::new(0, 0, 1, false) };
        if search.set_pairs(view) {
            self.block = Some(Block::Search(search));
        }
        true
    }
}

/// The most parts that the alternatives may leave of `rest`.
fn most(ways: &[&Alternative], rest: u64) -> u64 {
    ways.iter().map(|a| a.leave.most().map_or(rest, u64::from)).max().unwrap_or(0).min(rest)
}

/// True if `count` and more heaps may only be left pairwise unequal.
fn only_unequal_from(a: &Alternative, count: u64) -> bool {
    a.leave.from.is_none_or(|(_, p)| p == Parts::Unequal)
        && a.leave.exact.iter().all(|(c, p)| u64::from(*c) < count || *p == Parts::Unequal)
}

/// One amount and one number of parts.
#[derive(Clone, Debug)]
enum Block {
    /// Only equal parts: at most one option.
    Equal {
        part: u64,
        count: u64,
        filter: bool,
    },
    Search(Fixed),
}

/// All but two of the parts are fixed, the pair is searched.
#[derive(Clone, Debug)]
struct Fixed {
    /// Sum of all parts.
    sum: u64,
    /// The smallest parts, ascending.
    first: Vec<u64>,
    /// Least distance of neighbours.
    gap: u64,
    /// The rule has to be asked whether the parts are an option.
    filter: bool,
    pairs: Pairs,
}

impl Block {
    fn next(&mut self, view: &View<'_>, steps: &mut u64) -> Broken {
        match self {
            Block::Equal { part, count, filter } => {
                if *steps == 0 {
                    return Broken::OutOfSteps;
                }
                *steps -= 1;
                let xor = view.values.at(*part).map(|v| if count.is_multiple_of(2) { 0 } else { v });
                // its turn has come and gone
                let (part, size) = (*part, std::mem::take(count));
                if size < 2 || xor != Some(view.target) {
                    return Broken::Done;
                }
                let parts = vec![part; size as usize];
                if *filter && !view.rule.is_option(view.n, &parts) {
                    return Broken::Done;
                }
                Broken::Found(parts)
            }
            Block::Search(search) => search.next(view, steps),
        }
    }

    fn count(mut self, view: &View<'_>, steps: &mut u64) -> Option<u128> {
        let mut count = 0;
        match self {
            // each of the smallest parts, up to about sum / count, takes a step
            Block::Search(search) if search.are_more_than(*steps) => None,
            Block::Search(mut search) if !search.filter => loop {
                count += search.pairs.clone().count(view.law, view.values, steps)?;
                if !search.pay(steps) {
                    return None;
                }
                if !search.next_first(view) {
                    return Some(count);
                }
            },
            _ => loop {
                match self.next(view, steps) {
                    Broken::Found(_) => count += 1,
                    Broken::OutOfSteps => return None,
                    _ => return Some(count),
                }
            },
        }
    }
}

impl Fixed {
    fn next(&mut self, view: &View<'_>, steps: &mut u64) -> Broken {
        loop {
            match self.pairs.next(view.law, view.values, steps) {
                Search::Found(a) => {
                    let rest = self.sum - self.first.iter().sum::<u64>();
                    let mut parts = Vec::with_capacity(self.first.len() + 2);
                    parts.extend_from_slice(&self.first);
                    parts.extend([a, rest - a]);
                    if !self.filter || view.rule.is_option(view.n, &parts) {
                        return Broken::Found(parts);
                    }
                }
                Search::OutOfSteps => return Broken::OutOfSteps,
                Search::Done => {
                    if !self.pay(steps) {
                        return Broken::OutOfSteps;
                    }
                    if !self.next_first(view) {
                        return Broken::Done;
                    }
                }
            }
        }
    }

    /// True if the search surely takes more steps.
    fn are_more_than(&self, steps: u64) -> bool {
        let count = self.first.len() as u64 + 2;
        count > 2 && self.sum / count > steps.saturating_add(count)
    }

    /// A step for each part that may change.
    fn pay(&self, steps: &mut u64) -> bool {
        let paid = *steps > 0;
        *steps = steps.saturating_sub(1 + self.first.len() as u64);
        paid
    }

    /// Goes on to the next smallest parts that leave room for a pair; false if there are none.
    fn next_first(&mut self, view: &View<'_>) -> bool {
        let mut i = self.first.len();
        while i > 0 {
            i -= 1;
            let Some(low) = self.first[i].checked_add(1) else { continue };
            let mut part = low;
            for p in &mut self.first[i..] {
                *p = part;
                part = part.saturating_add(self.gap);
            }
            if self.set_pairs(view) {
                return true;
            }
        }
        false
    }

    /// What is left for the pair and its least part, if there is room.
    fn room(&self) -> Option<(u64, u64)> {
        let used = self.first.iter().try_fold(0u64, |t, p| t.checked_add(*p))?;
        let rest = self.sum.checked_sub(used)?;
        let low = self.first.last().map_or(Some(1), |p| p.checked_add(self.gap))?;
        let least = low.checked_mul(2)?.checked_add(self.gap)?;
        (least <= rest).then_some((rest, low))
    }

    /// Begins the search for the pair, for none if a value is not known; false if there is no room for one.
    fn set_pairs(&mut self, view: &View<'_>) -> bool {
        let Some((rest, low)) = self.room() else { return false };
        let xor = self.first.iter().try_fold(view.target, |x, p| Some(x ^ view.values.at(*p)?));
        self.pairs = match xor {
            Some(xor) => Pairs::new(rest, xor, low, self.gap == 1),
            None => Pairs::new(0, 0, 1, false),
        };
        true
    }
}
