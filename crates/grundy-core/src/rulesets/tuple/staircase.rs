//! Staircase Nim: coins on stairs; a move takes some coins of one stair down to the next.
//!
//! Stair 0 is the ground, where coins are out of play. The odd stairs are the heaps of a game of Nim: coins that leave an
//! odd stair leave Nim, and coins that come down onto an odd stair can be sent on at once, which undoes it.

use core::{cmp::Reverse, fmt, ops::ControlFlow};

use super::{balanced_size, print_list};
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{
        Convention, Outcome,
        nim::{NimClass, nim_sum},
    },
};

/// The ruleset; a position lists the coins of each stair from the ground up.
///
/// All coins together fit in 64 bits ([`Staircase::check`]); of a position that breaks this, options that would
/// not fit on a stair are left out.
///
/// # Sources
/// `[Fer14, I.2 exercise 6]`; the misère theorem is proved at [`Ruleset::outcome_hint`] below.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::tuple::Staircase;
/// // 0 xor 2: the coin on the ground and the three on stair 2 do not count
/// assert_eq!(Staircase.value_hint(&vec![1, 0, 3, 2]).unwrap().answer, 2);
/// // two coins from stair 3, or two from stair 2 so that stair 1 equals stair 3
/// assert_eq!(Staircase.options_of_value(&vec![1, 0, 3, 2], 0).unwrap().count, Some(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Staircase;

/// The coins of a staircase together exceed 2^64 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCoins;

impl fmt::Display for TooManyCoins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the coins of a staircase together exceed 2^64-1; use fewer")
    }
}

impl core::error::Error for TooManyCoins {}

impl Staircase {
    /// Accepts a position whose coins could all lie on one stair.
    ///
    /// # Errors
    /// [`TooManyCoins`] if the coins together exceed `u64::MAX`.
    pub fn check(&self, g: &[u64]) -> Result<(), TooManyCoins> {
        g.iter().try_fold(0u64, |sum, c| sum.checked_add(*c)).map(drop).ok_or(TooManyCoins)
    }

    /// The options after which the odd stair j holds `to(j)` coins, in the order of moves.
    ///
    /// Every move changes exactly one odd stair, so each stair gives at most one option.
    fn reached(&self, g: &[u64], to: impl Fn(usize) -> u64) -> OptionsOfValue<'_, Vec<u64>> {
        let mut moves: Vec<(u64, Reverse<usize>)> = (1..g.len())
            .filter_map(|i| {
                let amount = if i % 2 == 1 { g[i].checked_sub(to(i))? } else { to(i - 1).checked_sub(g[i - 1])? };
                (amount > 0 && after(g, i, amount).is_some()).then_some((amount, Reverse(i)))
            })
            .collect();
        moves.sort_unstable();
        let g = g.to_vec();
        OptionsOfValue {
            count: Some(moves.len() as u128),
            options: Box::new(moves.into_iter().filter_map(move |(amount, i)| Some(vec![after(&g, i.0, amount)?]))),
        }
    }
}

/// The position after `amount` coins went from stair `i` to stair i - 1, if there are so many and they fit.
fn after(g: &[u64], i: usize, amount: u64) -> Option<Vec<u64>> {
    let left = g[i].checked_sub(amount)?;
    let below = g[i - 1].checked_add(amount)?;
    let mut next = g.to_vec();
    (next[i], next[i - 1]) = (left, below);
    Some(next)
}

fn odd_stairs(g: &[u64]) -> Vec<u64> {
    g.iter().skip(1).step_by(2).copied().collect()
}

impl Ruleset for Staircase {
    type Position = Vec<u64>;

    /// The options by the number of coins moved, then from the highest stair down: moving from a lower stair adds to an
    /// earlier entry of the list, so that list is the greater one.
    ///
    /// # Complexity
    /// O(number of stairs) for each amount up to the largest entry, and for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        let most = g.iter().skip(1).copied().max().unwrap_or(0);
        for amount in 1..=most {
            for i in (1..g.len()).rev() {
                if g[i] < amount {
                    continue;
                }
                match after(g, i, amount) {
                    Some(next) => sink.push(next)?,
                    None => sink.tick()?,
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        let [to] = parts else { return false };
        // coins leave the higher of the two stairs that change
        let Some(i) = (1..g.len().min(to.len())).rfind(|i| to[*i] < g[*i]) else { return false };
        after(g, i, g[i] - to[i]).as_ref() == Some(to)
    }

    /// The ground swept and the empty stairs at the top taken away: neither ever matters.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let top = g.iter().rposition(|c| *c > 0).unwrap_or(0);
        if top == 0 {
            return Vec::new();
        }
        let mut same = g[..=top].to_vec();
        same[0] = 0;
        same
    }

    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            answer: nim_sum(&odd_stairs(g)),
            theorem: "staircase Nim: the xor of the odd stairs",
            source: "Fer14",
        })
    }

    /// In either convention the outcome of the odd stairs as Nim heaps.
    ///
    /// Proof for misère play. Call a position *marked* if its odd stairs are a P-position of misère Nim; a position
    /// without moves is not marked and N. A marked position has no marked option: a move from an odd stair is a Nim move,
    /// and one that raises an odd stair changes the xor, respectively the parity of the ones or a single heap into
    /// a big one, so that the odd stairs become an N-position of Nim. An unmarked position with a move has a marked
    /// option: a winning Nim move on the odd stairs if these are not all empty; otherwise one coin of an
    /// even stair down to an odd one.
    fn outcome_hint(&self, g: &Vec<u64>, convention: Convention) -> Option<ByTheorem<Outcome>> {
        Some(ByTheorem {
            answer: NimClass::of(&odd_stairs(g)).outcome(convention),
            theorem: "staircase Nim: the odd stairs played as Nim heaps",
            source: "Fer14",
        })
    }

    /// Each stair gives at most one option of each value: an odd stair j is to hold its number xor the value wanted xor
    /// the value now, by coins sent down from it or, if it is to hold more, by coins from the stair above. So
    /// values above the current one are reached too.
    ///
    /// # Complexity
    /// O(m log m) for m stairs.
    fn options_of_value(&self, g: &Vec<u64>, target: u64) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        let change = nim_sum(&odd_stairs(g)) ^ target;
        Some(self.reached(g, |j| g[j] ^ change))
    }

    /// As [`Ruleset::options_of_value`] in normal play; in misère play an odd stair is to hold the xor of the other odd
    /// stairs if one of these exceeds 1, and otherwise one coin or none, to make the number of ones odd.
    fn winning_options(&self, g: &Vec<u64>, convention: Convention) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        let wanted = balanced_size(&odd_stairs(g), convention);
        Some(self.reached(g, |j| wanted(g[j])))
    }
}

impl Playable for Staircase {
    /// `move 3 coins from stair 2 to stair 1`.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let next = to.first().map_or(&[][..], Vec::as_slice);
        let Some(below) = g.iter().zip(next).position(|(a, b)| a != b) else { return String::new() };
        let amount = next[below].saturating_sub(g[below]);
        let coins = if amount == 1 { "coin" } else { "coins" };
        format!("move {amount} {coins} from stair {} to stair {below}", below + 1)
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
        g.iter().zip(&to[0]).map(|(a, b)| u128::from(a.saturating_sub(*b))).sum()
    }

    fn few_coins() -> Vec<Vec<u64>> {
        let mut all = lists(0..=4, 3);
        all.extend(lists(5..=5, 2).into_iter().filter(|g| g[0] < 2 && g.iter().sum::<u64>() < 7));
        all
    }

    laws! {
        laws_of_staircase: Staircase, few_coins(), |g, to| moved(g, to);
    }

    #[test]
    fn values_of_five_stairs() {
        let facts = facts::numbers(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/staircase.json")),
            "cases",
        );
        assert_eq!(facts.len(), 81 * 6);
        for case in facts.chunks(6) {
            assert_eq!(Staircase.value_hint(&case[..5].to_vec()).map(|h| h.answer), Some(case[5]), "{case:?}");
        }
    }

    #[test]
    fn huge_stairs_do_not_overflow() {
        let half = 1 << 63;
        assert_eq!(Staircase.check(&[0, half - 1, half]), Ok(()));
        assert_eq!(Staircase.check(&[half, half]), Err(TooManyCoins));
        let wins: Vec<_> =
            Staircase.winning_options(&vec![0, half, 5, 3], Convention::Normal).unwrap().options.collect();
        assert_eq!(wins, [[vec![half - 3, 3, 5, 3]]]);
        // these cannot all lie on one stair: what does not fit is left out, nothing overflows
        let over = vec![u64::MAX, u64::MAX, u64::MAX];
        assert!(Staircase.options(&over, &mut Stop(1000)).is_break());
        assert_eq!(Staircase.options_of_value(&over, 0).unwrap().options.count(), 0);
    }

    /// Breaks after so many ticks.
    struct Stop(u32);

    impl OptionSink<Vec<u64>> for Stop {
        fn push_sum(&mut self, parts: &[Vec<u64>]) -> ControlFlow<()> {
            panic!("{parts:?} fits")
        }

        fn tick(&mut self) -> ControlFlow<()> {
            self.0 -= 1;
            if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn names() {
        assert_eq!(Staircase.move_name(&vec![0, 1, 4], &[vec![0, 4, 1]]), "move 3 coins from stair 2 to stair 1");
        assert_eq!(Staircase.move_name(&vec![0, 1], &[vec![1, 0]]), "move 1 coin from stair 1 to stair 0");
    }
}
