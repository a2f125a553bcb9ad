//! Closed forms of coin-turning games: the value of each coin, and which coins turned with it have a wanted value.

use super::code::{CoinCode, Element, Spacing};
use crate::ruleset::OptionsOfValue;

/// A game whose values a theorem gives.
///
/// Each follows by induction from the definition g(n) = mex of the values of the sets of coins before n that may be turned
/// with it; the comments say how.
///
/// # Sources
/// `[WW]` chapter 14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoinForm {
    /// Turning Turtles, one or two coins: g(n) = n, for the options are 0 and every value before.
    Turtles,
    /// Twins, two coins: g(n) = n - 1, for the options are the values before.
    Twins,
    /// Mock Turtles, up to three coins: g(n) is the n-th odious number, one with an odd number of binary ones: two odious
    /// numbers make an evil one, and every evil number below g(n), except 0, is the xor of two odious ones below.
    MockTurtles,
    /// Triplets, three coins: 0, 0, then the odious numbers: the first two coins, worth 0, stand in for coins left out.
    Triplets,
    /// Motley, any coins: g(n) = 2^(n-1), for the sets of coins before have every value below.
    Motley,
    /// Ruler, consecutive coins: g(n) is the largest power of 2 that divides n.
    Ruler,
    /// Rulerette, two or more consecutive coins: half of that, 0 for odd n: the odd coins add nothing, and coin 2m has the
    /// options of coin m in Ruler.
    Rulerette,
}

use CoinForm::*;

impl CoinForm {
    /// The form of a code, if it is one of the games.
    pub fn recognise(code: &CoinCode) -> Option<CoinForm> {
        let [e] = code.elements() else { return None };
        let Element { least, most, within: None, spacing, first: false } = *e else { return None };
        Some(match (least, most, spacing) {
            (1, Some(2), Spacing::Any | Spacing::Equal | Spacing::Symmetric) => Turtles,
            (2, Some(2), Spacing::Any | Spacing::Equal | Spacing::Symmetric) => Twins,
            (1, Some(3), Spacing::Any) => MockTurtles,
            (3, Some(3), Spacing::Any) => Triplets,
            (1, None, Spacing::Any) => Motley,
            (1, None, Spacing::Consecutive) => Ruler,
            (2, None, Spacing::Consecutive) => Rulerette,
            _ => return None,
        })
    }

    /// The theorem in a few words.
    pub fn theorem(self) -> &'static str {
        match self {
            Turtles => "coin n has value n",
            Twins => "coin n has value n - 1",
            MockTurtles => "coin n has the n-th odious number as its value (an odd number of binary ones)",
            Triplets => "coins 1 and 2 have value 0, coin n has the (n - 2)-th odious number as its value",
            Motley => "coin n has value 2^(n-1)",
            Ruler => "the value of coin n is the largest power of 2 that divides n",
            Rulerette => "the value of coin n is half the largest power of 2 that divides n, 0 for odd n",
        }
    }

    /// Key of `SOURCES.md`.
    pub fn source(self) -> &'static str {
        "WW"
    }

    /// The value of coin n, n >= 1; None beyond 64 bits.
    pub fn value(self, n: u64) -> Option<u64> {
        match self {
            Turtles => Some(n),
            Twins => Some(n - 1),
            MockTurtles => odious(n),
            Triplets if n <= 2 => Some(0),
            Triplets => odious(n - 2),
            Motley => 1u64.checked_shl(u32::try_from(n - 1).ok()?),
            Ruler => Some(n & n.wrapping_neg()),
            Rulerette => Some((n & n.wrapping_neg()) >> 1),
        }
    }

    /// The sets of coins before n that may be turned with n and have `target` as the xor of their values, in order; their
    /// number exactly. Runs of more than 2^16 coins are counted, but not listed.
    ///
    /// # Complexity
    /// O(1) for each set.
    pub fn companions(self, n: u64, target: u64) -> OptionsOfValue<'static, u64> {
        let below = |coin: Option<u64>| coin.filter(|c| (1..n).contains(c)).map(|c| vec![c]);
        let few = |sets: Vec<Vec<u64>>| OptionsOfValue {
            count: Some(sets.len() as u128),
            options: Box::new(sets.into_iter()),
        };
        match self {
            Turtles if target == 0 => few(vec![vec![]]),
            Turtles => few(below(Some(target)).into_iter().collect()),
            Twins => few(below(target.checked_add(1)).into_iter().collect()),
            MockTurtles if target == 0 => few(vec![vec![]]),
            MockTurtles if target.count_ones() % 2 == 1 => few(below(Some(target / 2 + 1)).into_iter().collect()),
            MockTurtles => odious_pairs(n, target, 0),
            Triplets if target == 0 => few(if n > 2 { vec![vec![1, 2]] } else { vec![] }),
            Triplets if target.count_ones() % 2 == 1 => {
                let coin = below(Some(target / 2 + 3));
                few(coin.into_iter().flat_map(|c| [vec![1, c[0]], vec![2, c[0]]]).collect())
            }
            Triplets => odious_pairs(n.saturating_sub(2), target, 2),
            Motley if n <= 64 && target >> (n - 1) != 0 => OptionsOfValue::none(),
            Motley => few(vec![(1..=64).filter(|i| target >> (i - 1) & 1 == 1).collect()]),
            Ruler => runs(n, ruler_run(n, target).into_iter().collect()),
            Rulerette => {
                // coin 2m of Ruler's m; each run of the m - 1, m - 2, … may end with an odd coin or not
                let lengths = match n % 2 {
                    0 if target == 0 => vec![1],
                    0 => ruler_run(n / 2, target).into_iter().flat_map(|l| [2 * l, 2 * l + 1]).collect(),
                    _ if target == 0 => vec![],
                    _ => ruler_run(n / 2 + 1, target).into_iter().flat_map(|l| [2 * l - 1, 2 * l]).collect(),
                };
                runs(n, lengths.into_iter().filter(|l| *l < n).collect())
            }
        }
    }
}

/// Most coins of a run that is written down.
const LONGEST_RUN: u64 = 1 << 16;

/// The runs of these lengths before coin n; too long ones are counted, but not listed.
fn runs(n: u64, lengths: Vec<u64>) -> OptionsOfValue<'static, u64> {
    let count = Some(lengths.len() as u128);
    let listed = lengths.into_iter().filter(|l| *l <= LONGEST_RUN).map(move |l| (n - l..n).collect());
    OptionsOfValue { count, options: Box::new(listed) }
}

/// The n-th odious number, n >= 1: n - 1 with a last binary digit that makes the number of ones odd.
fn odious(n: u64) -> Option<u64> {
    let front = n - 1;
    front.checked_mul(2).map(|double| double | u64::from(front.count_ones().is_multiple_of(2)))
}

/// The pairs of coins below n of Mock Turtles, numbered from `shift` + 1 on, whose values have the xor `target`, an evil number
/// above 0: the one with the highest bit of the target, and the other.
fn odious_pairs(n: u64, target: u64, shift: u64) -> OptionsOfValue<'static, u64> {
    // of two coins c = v / 2 + 1 the fronts c - 1 have the xor target / 2
    let front = target >> 1;
    if front == 0 || n < 2 {
        return OptionsOfValue::none();
    }
    let bit = 1u64 << front.ilog2();
    // the larger front has the bit and stays below n - 1
    let with_bit = move |f: u64| if f & bit == 0 { (f | bit) & !(bit - 1) } else { f };
    let count = {
        // numbers below n - 1 that have the bit
        let (whole, rest) = ((n - 1) / bit / 2, (n - 1) % bit.saturating_mul(2));
        u128::from(whole) * u128::from(bit) + u128::from(rest.saturating_sub(bit))
    };
    let mut next = Some(bit);
    let options = core::iter::from_fn(move || {
        let larger = with_bit(next?);
        if larger >= n - 1 {
            next = None;
            return None;
        }
        next = larger.checked_add(1);
        let smaller = larger ^ front;
        Some(vec![smaller + 1 + shift, larger + 1 + shift])
    });
    OptionsOfValue { count: Some(count), options: Box::new(options) }
}

/// The length of the run of coins n - 1, n - 2, … of Ruler whose values have the xor `target`; there is at most one.
///
/// The xor of the first k values is k xor (k >> 1) shifted so that it is injective in k: the Gray code of k.
fn ruler_run(n: u64, target: u64) -> Option<u64> {
    let gray = |k: u64| k ^ k >> 1;
    let mut k = gray(n - 1) ^ target;
    for shift in [1, 2, 4, 8, 16, 32] {
        k ^= k >> shift;
    }
    (n - 1).checked_sub(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    const GAMES: [&str; 7] = ["1-2", "2", "1-3", "3", "1+", "1+C", "2+C"];

    fn form(text: &str) -> CoinForm {
        CoinForm::recognise(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn values_are_those_of_the_definition() {
        for text in GAMES {
            let (code, form): (CoinCode, _) = (text.parse().unwrap(), form(text));
            for n in 1..=if text == "1+" { 14 } else { 40 } {
                let values = code.companions(n).map(|set| set.iter().fold(0, |x, c| x ^ form.value(*c).unwrap()));
                assert_eq!(form.value(n), Some(mex(values)), "{text} {n}");
            }
        }
        for text in ["1-2E", "2S", "1-2S"] {
            assert!(CoinForm::recognise(&text.parse().unwrap()).is_some(), "{text}");
        }
        for text in ["1-2C(3)", "1-3E", "4", "1", "1+F", "1-2,3"] {
            assert_eq!(CoinForm::recognise(&text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn companions_are_all_that_have_the_value() {
        for text in GAMES {
            let (code, form): (CoinCode, _) = (text.parse().unwrap(), form(text));
            for n in 1..=if text == "1+" { 9 } else { 24 } {
                for target in 0..600 {
                    let worth = |set: &Vec<u64>| set.iter().fold(0, |x, c| x ^ form.value(*c).unwrap());
                    let wanted: Vec<Vec<u64>> = code.companions(n).filter(|set| worth(set) == target).collect();
                    let found = form.companions(n, target);
                    assert_eq!(found.count, Some(wanted.len() as u128), "{text} {n} {target}");
                    assert_eq!(found.options.collect::<Vec<_>>(), wanted, "{text} {n} {target}");
                }
            }
        }
    }

    #[test]
    fn far_coins() {
        assert_eq!(form("1-3").value(1 << 62), Some((1 << 63) - 2 + u64::from(62 % 2 == 0)));
        assert_eq!(form("1-3").value(u64::MAX), None);
        assert_eq!((form("1+").value(64), form("1+").value(65)), (Some(1 << 63), None));
        let pairs = form("1-3").companions(1 << 62, 3 << 40);
        assert_eq!(pairs.count, Some((1 << 61) - 1));
        assert_eq!(pairs.options.take(1).collect::<Vec<_>>(), [[(1 << 39) + 1, (1 << 40) + 1]]);
    }
}
