//! Wythoff's game: a move takes any number from one of two heaps, or the same number from both.

use core::ops::ControlFlow;

use super::print_list;
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{Convention, Outcome},
};

/// The ruleset; a position is the two heaps in the order written.
///
/// With φ the golden ratio the P-positions are the pairs (⌊dφ⌋, ⌊dφ⌋ + d), in either order, d = 0, 1, 2, …; in
/// misère play (0, 0) and (1, 2) give way to (2, 2) and (0, 1). Every number is in exactly one pair, and so is every
/// difference d. All arithmetic is exact.
///
/// # Sources
/// `[Wyt07]`; misère play `[Fra84]`
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::tuple::Wythoff;
/// use grundy_core::theory::{Convention, Outcome};
/// // floating point says 161803398874989504 for the smaller heap
/// let hint = Wythoff.outcome_hint(&[161803398874989484, 261803398874989484], Convention::Normal);
/// assert_eq!(hint.unwrap().answer, Outcome::P);
/// let wins = Wythoff.winning_options(&[5, 8], Convention::Normal).unwrap();
/// assert_eq!(wins.options.collect::<Vec<_>>(), [[[4, 7]], [[5, 3]]]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wythoff;

/// ⌊x/φ⌋: the largest y with y(y + x) < x², or 0.
///
/// # Complexity
/// 64 products of 128 bits.
fn over_phi(x: u64) -> u64 {
    let square = u128::from(x) * u128::from(x);
    // a product beyond 128 bits is beyond x² too
    let below = |y: u64| u128::from(y).checked_mul(u128::from(y) + u128::from(x)).is_some_and(|p| p < square);
    let (mut low, mut high) = (0, x);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if below(middle) { low = middle } else { high = middle }
    }
    low
}

/// The smaller number of the P-position with difference `d`, if it fits in 64 bits.
fn lower(d: u64, convention: Convention) -> Option<u64> {
    match (convention, d) {
        (Convention::Misere, 0) => Some(2),
        (Convention::Misere, 1) => Some(0),
        // φ = 1 + 1/φ
        _ => d.checked_add(over_phi(d)),
    }
}

/// The number that makes a P-position with `x`, if it fits in 64 bits.
fn mate(x: u64, convention: Convention) -> Option<u64> {
    match (convention, x) {
        (_, 0) => Some(if convention == Convention::Misere { 1 } else { 0 }),
        (Convention::Misere, 1) => Some(0),
        (Convention::Misere, 2) => Some(2),
        _ => {
            // x = ⌊dφ⌋ leaves only d = ⌈x/φ⌉; otherwise x = ⌊dφ²⌋ with d = ⌈x/φ²⌉ = x - ⌊x/φ⌋, and the mate is x - d
            let y = over_phi(x);
            let d = y + 1;
            if d.checked_add(over_phi(d)) == Some(x) { x.checked_add(d) } else { Some(y) }
        }
    }
}

fn is_p(g: [u64; 2], convention: Convention) -> bool {
    lower(g[0].abs_diff(g[1]), convention) == Some(g[0].min(g[1]))
}

/// The move from `g` to `to` takes so much: the sum over both heaps.
fn amount(g: [u64; 2], to: [u64; 2]) -> u128 {
    g.iter().zip(to).map(|(a, b)| u128::from(a.saturating_sub(b))).sum()
}

/// The theorem on normal play.
const PAIRS: &str = "Wythoff's pairs floor(k phi), floor(k phi) + k, phi being the golden ratio";

impl Ruleset for Wythoff {
    type Position = [u64; 2];

    /// The options by the number taken, both heaps counted (three from both are six), then by the list.
    ///
    /// # Complexity
    /// O(1) for each option.
    fn options(&self, g: &[u64; 2], sink: &mut impl OptionSink<[u64; 2]>) -> ControlFlow<()> {
        let [a, b] = *g;
        // the last move is the one from both heaps, or the one from the larger
        let most = u128::from(a.max(b)).max(2 * u128::from(a.min(b)));
        let mut taken = 0u128;
        while taken < most {
            taken += 1;
            let one = u64::try_from(taken).ok();
            let both = if taken.is_multiple_of(2) { u64::try_from(taken / 2).ok() } else { None };
            if let Some(x) = one.and_then(|t| a.checked_sub(t)) {
                sink.push([x, b])?;
            }
            if let Some((x, y)) = both.and_then(|t| Some((a.checked_sub(t)?, b.checked_sub(t)?))) {
                sink.push([x, y])?;
            }
            if let Some(y) = one.and_then(|t| b.checked_sub(t)) {
                sink.push([a, y])?;
            } else {
                sink.tick()?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &[u64; 2], parts: &[[u64; 2]]) -> bool {
        let [to] = parts else { return false };
        match (g[0].checked_sub(to[0]), g[1].checked_sub(to[1])) {
            (Some(a), Some(b)) => (a == 0) != (b == 0) || (a == b && a > 0),
            _ => false,
        }
    }

    /// The smaller heap first.
    fn canonical(&self, g: &[u64; 2]) -> [u64; 2] {
        [g[0].min(g[1]), g[0].max(g[1])]
    }

    /// 0 on P-positions, and n on (0, n), which is a Nim heap; no other value is known by a theorem.
    fn value_hint(&self, g: &[u64; 2]) -> Option<ByTheorem<u64>> {
        if g[0] == 0 || g[1] == 0 {
            return Some(ByTheorem { answer: g[0] | g[1], theorem: "one heap is Nim", source: "Bou02" });
        }
        is_p(*g, Convention::Normal).then_some(ByTheorem { answer: 0, theorem: PAIRS, source: "Wyt07" })
    }

    fn outcome_hint(&self, g: &[u64; 2], convention: Convention) -> Option<ByTheorem<Outcome>> {
        let (theorem, source) = match convention {
            Convention::Normal => (PAIRS, "Wyt07"),
            Convention::Misere => ("Wythoff's pairs, with (0,1) and (2,2) for (0,0) and (1,2)", "Fra84"),
        };
        Some(ByTheorem { answer: if is_p(*g, convention) { Outcome::P } else { Outcome::N }, theorem, source })
    }

    /// For target 0, and for any target where one heap is empty.
    fn options_of_value(&self, g: &[u64; 2], target: u64) -> Option<OptionsOfValue<'_, [u64; 2]>> {
        match *g {
            [0, n] | [n, 0] if target >= n => Some(OptionsOfValue::none()),
            [0, _] => Some(one_by_one(vec![[0, target]])),
            [_, 0] => Some(one_by_one(vec![[target, 0]])),
            _ if target == 0 => self.winning_options(g, Convention::Normal),
            _ => None,
        }
    }

    /// At most three options: the mate of either heap, and the pair with the same difference.
    fn winning_options(&self, g: &[u64; 2], convention: Convention) -> Option<OptionsOfValue<'_, [u64; 2]>> {
        let [a, b] = *g;
        let mut found = Vec::new();
        if !is_p(*g, convention) {
            found.extend(mate(b, convention).filter(|x| *x < a).map(|x| [x, b]));
            found.extend(mate(a, convention).filter(|y| *y < b).map(|y| [a, y]));
            let less = lower(a.abs_diff(b), convention).and_then(|low| a.min(b).checked_sub(low));
            found.extend(less.filter(|t| *t > 0).map(|t| [a - t, b - t]));
        }
        found.sort_unstable_by_key(|to| (amount(*g, *to), *to));
        Some(one_by_one(found))
    }
}

fn one_by_one<'a>(found: Vec<[u64; 2]>) -> OptionsOfValue<'a, [u64; 2]> {
    OptionsOfValue { count: Some(found.len() as u128), options: Box::new(found.into_iter().map(|g| vec![g])) }
}

impl Playable for Wythoff {
    /// `take 3 from both`, `take 2 from the first heap`.
    fn move_name(&self, g: &[u64; 2], to: &[[u64; 2]]) -> String {
        let Some(to) = to.first() else { return String::new() };
        match [g[0].saturating_sub(to[0]), g[1].saturating_sub(to[1])] {
            [t, 0] => format!("take {t} from the first heap"),
            [0, t] => format!("take {t} from the second heap"),
            [t, _] => format!("take {t} from both"),
        }
    }

    fn print_position(&self, g: &[u64; 2]) -> String {
        print_list(g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ruleset::laws::laws, rulesets::tuple::facts};

    const FACTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wythoff.json"));

    fn square(side: u64) -> Vec<[u64; 2]> {
        (0..=side).flat_map(|a| (0..=side).map(move |b| [a, b])).collect()
    }

    laws! {
        laws_of_wythoff: Wythoff, square(12), |g: &[u64; 2], to: &[[u64; 2]]| amount(*g, to[0]);
    }

    #[test]
    fn values_of_the_table() {
        let values = facts::numbers(FACTS, "grundy");
        let mut twin = crate::ruleset::definition::GrundyByDefinition::new(&Wythoff);
        for (g, value) in square(20).iter().zip(&values) {
            assert_eq!(twin.value(g), *value, "{g:?}");
            match Wythoff.value_hint(g) {
                Some(hint) => assert_eq!(hint.answer, *value, "{g:?}"),
                None => assert_ne!(*value, 0, "{g:?}"),
            }
        }
        assert_eq!(values.len(), 21 * 21);
        let p: Vec<u64> =
            square(20).into_iter().filter(|g| g[0] <= g[1] && is_p(*g, Convention::Misere)).flatten().collect();
        assert_eq!(p, facts::numbers(FACTS, "misere_p"));
    }

    #[test]
    fn both_outcomes_by_definition_to_60() {
        for convention in [Convention::Normal, Convention::Misere] {
            let mut lost = std::collections::HashSet::new();
            for g in square(60) {
                // the square is walked row by row, so all options are known
                let [a, b] = g;
                let options = (0..a).map(|x| [x, b]).chain((0..b).map(|y| [a, y]));
                let mut options = options.chain((1..=a.min(b)).map(|t| [a - t, b - t]));
                let outcome = if g == [0, 0] {
                    convention.of_terminal() == Outcome::P
                } else {
                    !options.any(|o| lost.contains(&o))
                };
                if outcome {
                    lost.insert(g);
                }
                assert_eq!(is_p(g, convention), outcome, "{convention} {g:?}");
            }
        }
    }

    #[test]
    fn golden_ratio_to_the_last_bit() {
        // neighbours of Fibonacci numbers: ⌊F(n)/φ⌋ is F(n-1) for odd n, one less for even n
        let (mut f, mut next, mut even) = (1u64, 1u64, true); // F(1), F(2)
        for _ in 0..90 {
            assert_eq!(over_phi(next), if even { f - 1 } else { f }, "{next}");
            (f, next, even) = (next, f + next, !even);
        }
        let max = u64::MAX;
        let y = over_phi(max);
        assert!(u128::from(y) * (u128::from(y) + u128::from(max)) < u128::from(max).pow(2));
        assert_eq!(y, 11400714819323198485);
        for x in [max, max - 1, 1 << 63, (1 << 63) - 1, (1 << 62) + 12345] {
            if let Some(m) = mate(x, Convention::Normal) {
                assert!(is_p([x, m], Convention::Normal) && mate(m, Convention::Normal) == Some(x), "{x}");
            }
            for convention in [Convention::Normal, Convention::Misere] {
                let mut wins = Wythoff.winning_options(&[x, max], convention).unwrap().options.flatten();
                assert!(wins.all(|o| is_p(o, convention)));
            }
        }
    }

    #[test]
    fn huge_heaps_are_listed_lazily() {
        let g = [1 << 63, u64::MAX];
        let mut first = Vec::new();
        let flow = Wythoff.options(&g, &mut |o: &[[u64; 2]]| {
            first.push(o[0]);
            if first.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(flow.is_break());
        let [a, b] = g;
        assert_eq!(first, [[a - 1, b], [a, b - 1], [a - 2, b], [a - 1, b - 1], [a, b - 2]]);
    }

    #[test]
    fn names() {
        assert_eq!(Wythoff.move_name(&[5, 8], &[[2, 5]]), "take 3 from both");
        assert_eq!(Wythoff.move_name(&[5, 8], &[[5, 3]]), "take 5 from the second heap");
        assert_eq!(Wythoff.print_position(&[5, 8]), "5, 8");
    }
}
