//! Positions of several heaps by the definition: options from the rulesets, outcomes by looking at options.
//!
//! Nothing here knows of automata, so that what they say can be tested against it.

use std::ops::ControlFlow;

use grundy_core::{
    notation::formula::{Condition, EvalError},
    ruleset::Ruleset,
    rulesets::{
        AnyRuleset,
        tuple::{Staircase, Wythoff},
    },
    theory::Convention,
};
use rustc_hash::FxHashSet;

use crate::budget::{Meter, StopReason};

/// Sends every option of a position, at least once, to `see`; of a heap game the position is one heap a number.
///
/// # Panics
/// If the ruleset is Wythoff's game and the position no pair.
pub(super) fn options(
    ruleset: &AnyRuleset,
    position: &[u64],
    see: &mut impl FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut first = |parts: &[Vec<u64>]| parts.iter().try_for_each(|p| see(p));
    match ruleset {
        AnyRuleset::Heap(game) => {
            let mut option = position.to_vec();
            for (i, heap) in position.iter().enumerate() {
                game.rule().each_option(*heap, &mut |parts: &[u64]| {
                    option[i] = parts.iter().sum();
                    see(&option)
                })?;
                option[i] = *heap;
            }
            ControlFlow::Continue(())
        }
        AnyRuleset::Moore(moore) => moore.options(&position.to_vec(), &mut first),
        AnyRuleset::Staircase => Staircase.options(&position.to_vec(), &mut first),
        AnyRuleset::Wythoff => {
            let pair = [position[0], position[1]];
            Wythoff.options(&pair, &mut |parts: &[[u64; 2]]| parts.iter().try_for_each(|p| see(p)))
        }
        // one coin a number, each of which moves to any square below: heaps of Nim
        AnyRuleset::Nimble => {
            let mut option = position.to_vec();
            for (i, square) in position.iter().enumerate() {
                for to in 0..*square {
                    option[i] = to;
                    see(&option)?;
                }
                option[i] = *square;
            }
            ControlFlow::Continue(())
        }
        // refused before
        AnyRuleset::Euclid(_) => ControlFlow::Continue(()),
    }
}

/// The first option that passes the test, if one does.
pub(super) fn option_where(
    ruleset: &AnyRuleset,
    position: &[u64],
    mut test: impl FnMut(&[u64]) -> bool,
) -> Option<Vec<u64>> {
    let mut found = None;
    let _ = options(ruleset, position, &mut |option| {
        if test(option) {
            found = Some(option.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// Truth of a claim at a position.
pub(super) fn holds(claim: &Condition, position: &[u64]) -> Result<bool, EvalError> {
    let numbers: Vec<i128> = position.iter().map(|n| i128::from(*n)).collect();
    claim.eval(&numbers)
}

/// The P-positions found so far, by growing totals.
pub(super) struct Outcomes<'a> {
    ruleset: &'a AnyRuleset,
    convention: Convention,
    lost: FxHashSet<Box<[u64]>>,
    /// Options looked at.
    pub(super) work: u64,
}

/// Why the outcomes were not found out.
pub(super) enum Unknown {
    /// More options than were allowed.
    TooMuch,
    /// The meter's stop.
    Stop(StopReason),
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(ruleset: &'a AnyRuleset, convention: Convention) -> Self {
        Outcomes { ruleset, convention, lost: FxHashSet::default(), work: 0 }
    }

    /// True if a position is a P-position, those reached by its options having been decided.
    pub(super) fn decide(&mut self, position: &[u64], most: u64, meter: &mut Meter) -> Result<bool, Unknown> {
        meter.position().map_err(Unknown::Stop)?;
        let mut seen = 0u64;
        let mut stop = None;
        let mut is_won = false;
        let room = most.saturating_sub(self.work);
        let _ = options(self.ruleset, position, &mut |option| {
            seen += 1;
            is_won = self.lost.contains(option);
            if is_won || seen > room {
                return ControlFlow::Break(());
            }
            if let Err(s) = meter.steps(20) {
                stop = Some(s);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        self.work += seen;
        if let Some(stop) = stop {
            return Err(Unknown::Stop(stop));
        }
        if seen > room {
            return Err(Unknown::TooMuch);
        }
        let is_lost = if seen == 0 { self.convention == Convention::Normal } else { !is_won };
        if is_lost {
            meter.bytes(8 * position.len() as u64 + 40).map_err(Unknown::Stop)?;
            self.lost.insert(position.into());
        }
        Ok(is_lost)
    }

    /// True if a position that was decided is a P-position.
    pub(super) fn is_lost(&self, position: &[u64]) -> bool {
        self.lost.contains(position)
    }
}

/// Every position of `heaps` numbers with sum `total`, in descending lexicographic order: a move of a staircase leaves the
/// sum as it is and makes the list greater, any other move makes the sum less.
pub(super) fn layer(heaps: usize, total: u64, mut each: impl FnMut(&[u64]) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut position = vec![0; heaps];
    position[0] = total;
    loop {
        each(&position)?;
        // one less at the last place but one that can give, and all that stands behind it to the next place
        let Some(i) = (0..heaps - 1).rfind(|i| position[*i] > 0) else { return ControlFlow::Continue(()) };
        let rest: u64 = position[i + 1..].iter().sum();
        position[i] -= 1;
        position[i + 1..].fill(0);
        position[i + 1] = rest + 1;
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_ruleset;

    use super::*;

    #[test]
    fn layers_are_complete_and_in_order() {
        let mut seen: Vec<Vec<u64>> = Vec::new();
        let _ = layer(3, 4, |p| {
            seen.push(p.to_vec());
            ControlFlow::Continue(())
        });
        assert_eq!(seen.len(), 15);
        assert!(seen.windows(2).all(|w| w[0] > w[1]) && seen.iter().all(|p| p.iter().sum::<u64>() == 4));
        let mut one = 0;
        let _ = layer(1, 7, |p| {
            one += 1;
            assert_eq!(p, [7]);
            ControlFlow::Continue(())
        });
        assert_eq!(one, 1);
    }

    #[test]
    fn options_of_every_kind() {
        for (text, position, count) in [
            ("nim", vec![2, 0, 3], 5),
            ("[take 1..3]", vec![5, 1], 4),
            ("moore[2]", vec![1, 2, 0], 5),
            ("wythoff", vec![2, 3], 7),
            ("staircase", vec![4, 1, 2], 3),
            ("nimble", vec![2, 2], 4),
        ] {
            let ruleset = read_ruleset(text).unwrap();
            let mut seen = 0;
            let _ = options(&ruleset, &position, &mut |o| {
                seen += 1;
                assert_ne!(o, position, "{text}");
                ControlFlow::Continue(())
            });
            assert_eq!(seen, count, "{text}");
        }
    }
}
