//! A row of coins, numbered from 1: a move turns a set of coins that the code allows, the last of them from heads to tails.
//!
//! Which sets may be turned depends on their last coin alone, so a position is worth the xor of its heads, each taken alone.

use core::ops::ControlFlow;

use super::{code::CoinCode, form::CoinForm};
use crate::ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset};

/// A coin-turning game under the name it was typed with; a position lists the heads, ascending.
///
/// # Sources
/// `[WW]` chapter 14
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::coins::CoinGame;
/// let game = CoinGame::new("mock_turtles", "1-3".parse().unwrap());
/// assert_eq!(game.value_hint(&vec![2, 3]).unwrap().answer, 6); // 2 xor 4
/// assert_eq!(game.options_of_value(&vec![2, 3], 0).unwrap().options.collect::<Vec<_>>(), [[vec![]]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoinGame {
    name: String,
    code: CoinCode,
    form: Option<CoinForm>,
}

impl CoinGame {
    /// The game of `code`, printed as `name`.
    pub fn new(name: impl Into<String>, code: CoinCode) -> Self {
        let form = CoinForm::recognise(&code);
        CoinGame { name: name.into(), code, form }
    }

    /// The name it was typed with: `mock_turtles`, `coins["1-3"]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which sets may be turned.
    pub fn code(&self) -> &CoinCode {
        &self.code
    }

    /// The closed form of its values, where a theorem gives one.
    pub fn form(&self) -> Option<CoinForm> {
        self.form
    }
}

/// The numbers that are in one of two ascending lists, but not in both: what turning does.
pub fn turned(heads: &[u64], set: &[u64]) -> Vec<u64> {
    let mut result = Vec::with_capacity(heads.len() + set.len());
    let (mut i, mut j) = (0, 0);
    while i < heads.len() || j < set.len() {
        match (heads.get(i), set.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                result.push(*a);
                i += 1;
            }
            (_, Some(b)) => {
                result.push(*b);
                j += 1;
            }
            _ => break,
        }
    }
    result
}

fn is_ascending(coins: &[u64]) -> bool {
    coins.first().is_none_or(|c| *c > 0) && coins.windows(2).all(|w| w[0] < w[1])
}

impl Ruleset for CoinGame {
    type Position = Vec<u64>;

    /// The options by the head that is turned down, then by the set as a binary number.
    ///
    /// # Complexity
    /// O(number of heads + size of the set) for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        for n in g {
            for mut set in self.code.companions(*n) {
                set.push(*n);
                sink.push(turned(g, &set))?;
            }
            sink.tick()?;
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        let [to] = parts else { return false };
        let set = turned(g, to);
        is_ascending(to) && set.last().is_some_and(|n| g.contains(n)) && self.code.allows(&set)
    }

    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        let form = self.form?;
        let answer = g.iter().try_fold(0, |x, n| Some(x ^ form.value(*n)?))?;
        Some(ByTheorem { answer, theorem: form.theorem(), source: form.source() })
    }

    /// # Complexity
    /// O(number of heads), and O(number of heads + size of the set) for each option.
    fn options_of_value(&self, g: &Vec<u64>, target: u64) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        let form = self.form?;
        let change = self.value_hint(g)?.answer ^ target;
        let mut count = Some(0u128);
        let mut parts = Vec::new();
        for n in g {
            let found = form.companions(*n, form.value(*n)? ^ change);
            count = count.zip(found.count).map(|(a, b)| a + b);
            parts.push((*n, found.options));
        }
        let heads = g.clone();
        let options = parts.into_iter().flat_map(move |(n, sets)| {
            let heads = heads.clone();
            sets.map(move |mut set| {
                set.push(n);
                vec![turned(&heads, &set)]
            })
        });
        Some(OptionsOfValue { count, options: Box::new(options) })
    }
}

impl Playable for CoinGame {
    /// `turn coin 4`, `turn coins 1, 4`.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let set = turned(g, to.first().map_or(&[][..], Vec::as_slice));
        let listed = set.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        if set.len() == 1 { format!("turn coin {listed}") } else { format!("turn coins {listed}") }
    }

    /// `@{1, 4}`: the heads.
    fn print_position(&self, g: &Vec<u64>) -> String {
        format!("@{{{}}}", g.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::laws::laws;

    fn game(code: &str) -> CoinGame {
        CoinGame::new(format!("coins[\"{code}\"]"), code.parse().unwrap())
    }

    fn rows(length: u32) -> Vec<Vec<u64>> {
        (0..1u64 << length)
            .map(|m| (0..u64::from(length)).filter(|i| m >> i & 1 == 1).map(|i| i + 1).collect())
            .collect()
    }

    /// The head, then the set as a binary number.
    fn order(g: &[u64], to: &[Vec<u64>]) -> u128 {
        let set = turned(g, &to[0]);
        u128::from(*set.last().unwrap()) << 64 | set.iter().map(|c| 1u128 << c).sum::<u128>()
    }

    laws! {
        laws_of_turning_turtles: game("1-2"), rows(6), |g, to| order(g, to);
        laws_of_mock_turtles: game("1-3"), rows(6), |g, to| order(g, to);
        laws_of_triplets: game("3"), rows(7), |g, to| order(g, to);
        laws_of_motley: game("1+"), rows(5), |g, to| order(g, to);
        laws_of_ruler: game("1+C"), rows(6), |g, to| order(g, to);
        laws_of_rulerette: game("2+C"), rows(6), |g, to| order(g, to);
        laws_of_turnips: game("3E"), rows(7), |g, to| order(g, to);
        laws_of_sym: game("1+S"), rows(5), |g, to| order(g, to);
        laws_of_grunt: game("4FS"), rows(8), |g, to| order(g, to);
        laws_of_a_mixture: game("2E,1-3C(5)"), rows(6), |g, to| order(g, to);
    }

    #[test]
    fn far_rows() {
        let mock = game("1-3");
        let g = vec![1 << 40, 1 << 62];
        let wins = mock.options_of_value(&g, 1).unwrap();
        let first: Vec<_> = wins.options.take(2).collect();
        assert!(wins.count.unwrap() > 1 << 60);
        for option in first {
            assert_eq!(mock.value_hint(&option[0]).map(|h| h.answer), Some(1));
            assert!(mock.is_option(&g, &option));
        }
        assert_eq!(mock.value_hint(&vec![u64::MAX]), None);
    }

    #[test]
    fn names() {
        let mock = game("1-3");
        assert_eq!(mock.move_name(&vec![2, 4], &[vec![1, 2]]), "turn coins 1, 4");
        assert_eq!(mock.move_name(&vec![2, 4], &[vec![2]]), "turn coin 4");
        assert_eq!(mock.print_position(&vec![2, 4]), "@{2, 4}");
    }
}
