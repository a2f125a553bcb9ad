//! Nimble: coins on the squares 0, 1, 2, …; a move brings one coin to a smaller square.
//!
//! Coins do not hinder one another, so every coin is a Nim heap of the size of its square.

use core::ops::ControlFlow;

use super::{balanced_size, lowered_entries, lowered_heaps, print_list};
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{
        Convention, Outcome,
        nim::{NimClass, nim_sum},
    },
};

/// The ruleset; a position lists the square of each coin in the order written.
///
/// Two coins on one square are still two coins: moving either is an option of its own.
///
/// # Sources
/// `[Bou02]`
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::tuple::Nimble;
/// assert_eq!(Nimble.value_hint(&vec![0, 2, 5]).unwrap().answer, 7);
/// assert_eq!(Nimble.options_of_value(&vec![3, 3, 1], 0).unwrap().count, Some(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nimble;

impl Ruleset for Nimble {
    type Position = Vec<u64>;

    /// The options by the distance a coin moves, then by the coin.
    ///
    /// # Complexity
    /// O(number of coins) for each distance up to the largest square, and for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        let furthest = g.iter().copied().max().unwrap_or(0);
        for amount in 1..=furthest {
            for i in 0..g.len() {
                if g[i] >= amount {
                    let mut next = g.clone();
                    next[i] -= amount;
                    sink.push(next)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        matches!(parts, [to] if lowered_entries(g, to) == Some(1))
    }

    /// The squares ascending.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let mut sorted = g.clone();
        sorted.sort_unstable();
        sorted
    }

    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        Some(ByTheorem { answer: nim_sum(g), theorem: "Nim in disguise: the xor of the squares", source: "Bou02" })
    }

    /// Nim's outcome: play alone is play of the Nim heaps, in misère play too.
    fn outcome_hint(&self, g: &Vec<u64>, convention: Convention) -> Option<ByTheorem<Outcome>> {
        let answer = NimClass::of(g).outcome(convention);
        Some(ByTheorem { answer, theorem: "Nim in disguise, Bouton's theorem", source: "Bou02" })
    }

    /// # Complexity
    /// O(m log m) for m coins; a coin gives at most one option of each value.
    fn options_of_value(&self, g: &Vec<u64>, target: u64) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        let change = nim_sum(g) ^ target;
        Some(lowered_heaps(g, |s| s ^ change))
    }

    fn winning_options(&self, g: &Vec<u64>, convention: Convention) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        Some(lowered_heaps(g, balanced_size(g, convention)))
    }
}

impl Playable for Nimble {
    /// `move the coin on 5 to 3`; where several coins share the square, `move coin 2 on 5 to 3`.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let next = to.first().map_or(&[][..], Vec::as_slice);
        let Some(i) = g.iter().zip(next).position(|(a, b)| a != b) else { return String::new() };
        let (from, to) = (g[i], next[i]);
        if g.iter().filter(|s| **s == from).count() > 1 {
            format!("move coin {} on {from} to {to}", i + 1)
        } else {
            format!("move the coin on {from} to {to}")
        }
    }

    fn print_position(&self, g: &Vec<u64>) -> String {
        print_list(g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ruleset::laws::laws,
        rulesets::tuple::facts::{self, lists},
    };

    fn moved(g: &[u64], to: &[Vec<u64>]) -> u128 {
        u128::from(g.iter().sum::<u64>() - to[0].iter().sum::<u64>())
    }

    laws! {
        laws_of_nimble: Nimble, lists(0..=3, 4), |g, to| moved(g, to);
    }

    #[test]
    fn values_of_three_coins() {
        let facts =
            facts::numbers(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/nimble.json")), "cases");
        assert_eq!(facts.len(), 56 * 4);
        for case in facts.chunks(4) {
            assert_eq!(Nimble.value_hint(&case[..3].to_vec()).map(|h| h.answer), Some(case[3]), "{case:?}");
        }
    }

    #[test]
    fn huge_squares() {
        let g = vec![1 << 63, u64::MAX, 5];
        let wins: Vec<_> = Nimble.winning_options(&g, Convention::Misere).unwrap().options.collect();
        assert_eq!(wins, [[vec![1 << 63, (1 << 63) + 5, 5]]]);
        let mut first = Vec::new();
        let flow = Nimble.options(&g, &mut |parts: &[Vec<u64>]| {
            first.extend_from_slice(parts);
            if first.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(flow.is_break());
        assert_eq!(first[3], [(1 << 63) - 2, u64::MAX, 5]);
    }

    #[test]
    fn names() {
        assert_eq!(Nimble.move_name(&vec![0, 5], &[vec![0, 3]]), "move the coin on 5 to 3");
        assert_eq!(Nimble.move_name(&vec![5, 5], &[vec![5, 3]]), "move coin 2 on 5 to 3");
        assert_eq!(Nimble.print_position(&vec![0, 2, 5]), "0, 2, 5");
    }
}
