//! Rules of few amounts as a list of them: the options without any search.

use core::ops::ControlFlow;

use super::{Alternative, AmountSet, Comparison, Condition, Leave, Linear, Parts, Variable};
use crate::ruleset::OptionSink;

/// Most amounts of such a list.
const MOST: u64 = 1 << 12;

/// Ways to leave what is left after an amount.
const NOTHING: u8 = 1;
const ONE: u8 = 2;
const TWO: u8 = 4;
const TWO_EQUAL: u8 = 8;

/// The amounts of a rule, ascending, with the ways to leave the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Steps(Vec<(u64, u8)>);

impl Steps {
    /// The list, if the amounts are few and at most two heaps are left, without conditions.
    pub fn of(alternatives: &[Alternative]) -> Option<Steps> {
        let mut steps: Vec<(u64, u8)> = Vec::new();
        for a in alternatives {
            let ways = ways(&a.leave).filter(|_| a.condition.is_none() && a.take.exclude.is_empty())?;
            for set in &a.take.include {
                let AmountSet::Run { first, last: Some(last), step } = set else { return None };
                let step = (*step).max(1);
                if first <= last && (last - first) / step >= MOST - steps.len() as u64 {
                    return None;
                }
                let amounts = (*first..=*last).step_by(usize::try_from(step).ok()?);
                steps.extend(amounts.map(|k| (k, if k == 0 { ways & (TWO | TWO_EQUAL) } else { ways })));
            }
        }
        steps.sort_unstable();
        steps.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 |= next.1;
            }
            same
        });
        Some(Steps(steps))
    }

    /// The options that take at least `first`, as [`super::HeapRule::each_option_from`] sends them.
    pub fn each_option(&self, n: u64, first: u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        for (k, ways) in &self.0 {
            let Some(rest) = n.checked_sub(*k) else { break };
            if *k < first {
                continue;
            }
            if rest == 0 {
                if ways & NOTHING != 0 {
                    sink.push_sum(&[])?;
                }
                continue;
            }
            if ways & ONE != 0 {
                sink.push_sum(&[rest])?;
            }
            if ways & TWO != 0 {
                (1..=rest / 2).try_for_each(|a| sink.push_sum(&[a, rest - a]))?;
            } else if ways & TWO_EQUAL != 0 && rest.is_multiple_of(2) {
                sink.push_sum(&[rest / 2, rest / 2])?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn ways(leave: &Leave) -> Option<u8> {
    if leave.from.is_some() {
        return None;
    }
    leave.exact.iter().try_fold(0, |ways, (count, parts)| {
        Some(
            ways | match (count, parts) {
                (0, _) => NOTHING,
                (1, _) => ONE,
                (2, Parts::Any) => TWO,
                (2, Parts::AllEqual) => TWO_EQUAL,
                _ => return None,
            },
        )
    })
}

/// The alternative with `where a = b` or `where a != b` of two parts as a restriction of the parts.
pub(super) fn with_restriction(mut a: Alternative) -> Alternative {
    let restriction = match (&a.condition, a.leave.exact.as_slice()) {
        (Some(Condition::Compare(x, comparison, y)), [(2, Parts::Any)]) if a.leave.from.is_none() => {
            let parts = [0, 1].map(|i| Linear::variable(Variable::Part(i)));
            let of_both = [x, y] == [&parts[0], &parts[1]] || [x, y] == [&parts[1], &parts[0]];
            match comparison {
                Comparison::Equal if of_both => Some(Parts::AllEqual),
                Comparison::NotEqual if of_both => Some(Parts::Unequal),
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(restriction) = restriction {
        a.leave.exact[0].1 = restriction;
        a.condition = None;
    }
    a
}
