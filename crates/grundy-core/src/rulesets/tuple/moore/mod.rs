//! Moore's Nim: a move lowers at least one and at most k heaps, each by any amount.

mod columns;
mod lowerings;

use core::{num::NonZeroU64, ops::ControlFlow};

use super::{balanced_size, lowered_entries, lowered_heaps, print_list};
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{Convention, Outcome, nim::nim_sum},
};
use columns::Question;
use lowerings::Lowerings;

/// The ruleset; a position lists the heaps in the order written, zeros included.
///
/// # Sources
/// `[Moo10]`; misère play `[Yam80]`; values for one heap more than k `[JM80]`. The proofs needed to trust the answers are at
/// the methods of [`Ruleset`] below.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::tuple::Moore;
/// use grundy_core::theory::Convention;
/// let moore = Moore::new(2).unwrap();
/// // 3, 4 and 5 have columns 2, 1, 2
/// let wins = moore.winning_options(&vec![3, 4, 5], Convention::Normal).unwrap();
/// assert_eq!(wins.count, Some(1));
/// assert_eq!(wins.options.collect::<Vec<_>>(), [[[3, 3, 3]]]);
/// assert!(Moore::new(0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moore {
    k: NonZeroU64,
}

impl Moore {
    /// Up to so many numbers, options times heaps, [`Ruleset::winning_options`] are sorted into the order of moves.
    pub const SORTED: u128 = 1_000_000;

    /// Steps after which counting winning options is given up: well below a second.
    const WORK: u64 = 20_000_000;

    /// The game in which a move lowers 1 to k heaps; None for k = 0, which leaves no move.
    pub fn new(k: u64) -> Option<Moore> {
        NonZeroU64::new(k).map(|k| Moore { k })
    }

    /// The most heaps that a move lowers.
    pub fn k(&self) -> u64 {
        self.k.get()
    }

    /// k, or the number of heaps if that is less; at least 1. It makes no difference to moves, nor to columns: a sum of n
    /// digits is 0, or 1, modulo k + 1 >= n + 1 exactly if it is so modulo n + 1.
    fn most_lowered(&self, heaps: usize) -> usize {
        usize::try_from(self.k()).unwrap_or(usize::MAX).min(heaps.max(1))
    }

    fn is_p(&self, g: &[u64], convention: Convention) -> bool {
        let modulus = self.most_lowered(g.len()) + 1;
        let flat = g.iter().all(|h| *h <= 1);
        (0..u64::BITS).all(|bit| {
            let wanted = usize::from(bit == 0 && flat && convention == Convention::Misere);
            g.iter().filter(|h| **h >> bit & 1 == 1).count() % modulus == wanted
        })
    }

    /// How many heaps are not empty.
    fn nonempty(g: &[u64]) -> u64 {
        g.iter().filter(|h| **h > 0).count() as u64
    }
}

impl Ruleset for Moore {
    type Position = Vec<u64>;

    /// The options by the total taken, then by the list.
    ///
    /// # Complexity
    /// O(number of heaps) for each option; see the walk in `lowerings`.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        let mut walk = Lowerings::new(g, self.most_lowered(g.len()));
        let most = walk.largest_total();
        let mut total = 0;
        while total < most {
            total += 1;
            walk.restart(total);
            for option in &mut walk {
                sink.push(option)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        matches!(parts, [to] if lowered_entries(g, to).is_some_and(|n| (1..=self.most_lowered(g.len())).contains(&n)))
    }

    /// The heaps ascending, without the empty ones.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let mut sorted: Vec<u64> = g.iter().copied().filter(|h| *h > 0).collect();
        sorted.sort_unstable();
        sorted
    }

    /// The value where a theorem gives it: on P-positions it is 0; for k = 1 the game is Nim; with at most k non-empty heaps
    /// it is the total; and with k + 1 >= 3 of them it is what Jenkyns and Mayberry found.
    ///
    /// For at most k heaps: every list that is below the heaps, entry by entry, is an option. By induction its value is its
    /// total, and every total below that of the heaps occurs, none above; so the mex is the total.
    ///
    /// For n = k + 1 heaps of total u and least heap m, put y = u - n m and z = 1 + y (y + 1) / 2. The value is u if m < z,
    /// otherwise z - 1 + ((m - z) mod (y + 1)).
    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        if self.k() == 1 {
            return Some(ByTheorem { answer: nim_sum(g), theorem: "Nim: the xor of the heaps", source: "Bou02" });
        }
        let heaps = Self::nonempty(g);
        let total: u128 = g.iter().map(|h| u128::from(*h)).sum();
        if heaps <= self.k() {
            let answer = u64::try_from(total).ok()?;
            return Some(ByTheorem { answer, theorem: "at most k heaps: their total", source: "Moo10" });
        }
        if self.is_p(g, Convention::Normal) {
            return Some(ByTheorem { answer: 0, theorem: "Moore's theorem", source: "Moo10" });
        }
        if heaps - 1 > self.k() {
            return None;
        }
        let least = u128::from(g.iter().copied().filter(|h| *h > 0).min()?);
        let spread = total - u128::from(heaps) * least;
        // beyond 2^40 the bound exceeds every heap
        let bound = if spread < 1 << 40 { 1 + spread * (spread + 1) / 2 } else { u128::MAX };
        let value = if least < bound { total } else { bound - 1 + (least - bound) % (spread + 1) };
        let answer = u64::try_from(value).ok()?;
        Some(ByTheorem { answer, theorem: "k + 1 heaps: Jenkyns and Mayberry", source: "JM80" })
    }

    /// P exactly if every binary column of the heaps has a number of ones divisible by k + 1; in misère play, where no heap
    /// exceeds 1, exactly if the number of ones is 1 modulo k + 1.
    ///
    /// Proof. Call these positions *balanced*. No move leads from one to another: if neither or both are flat (no heap above
    /// 1), the highest column that changes loses 1 to k ones; a flat position has no other options; and a balanced
    /// one that is not flat has at least k + 1 heaps above 1, not all of which can be lowered at once. From every
    /// other position with a move a balanced option is built column by column, as `columns` shows; the last column
    /// of a flat option in misère play may want one heap more than the k that can drop only if there are no
    /// heaps at all. A position without moves is balanced in normal play and not in misère play, as it should be.
    fn outcome_hint(&self, g: &Vec<u64>, convention: Convention) -> Option<ByTheorem<Outcome>> {
        let (theorem, source) = match convention {
            Convention::Normal => ("Moore's theorem", "Moo10"),
            Convention::Misere => ("Moore's theorem with its misère ending", "Yam80"),
        };
        let answer = if self.is_p(g, convention) { Outcome::P } else { Outcome::N };
        Some(ByTheorem { answer, theorem, source })
    }

    /// For target 0; for any target if k = 1 or at most k heaps are not empty.
    fn options_of_value(&self, g: &Vec<u64>, target: u64) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        if self.k() == 1 {
            let change = nim_sum(g) ^ target;
            return Some(lowered_heaps(g, |h| h ^ change));
        }
        if target == 0 {
            return self.winning_options(g, Convention::Normal);
        }
        if Self::nonempty(g) > self.k() {
            return None;
        }
        let total: u128 = g.iter().map(|h| u128::from(*h)).sum();
        let Some(taken) = total.checked_sub(u128::from(target)).filter(|t| *t > 0) else {
            return Some(OptionsOfValue::none());
        };
        let mut walk = Lowerings::new(g, self.most_lowered(g.len()));
        walk.restart(taken);
        Some(OptionsOfValue { count: lowerings::count(g, taken), options: Box::new(walk.map(|o| vec![o])) })
    }

    /// All options that are P-positions.
    ///
    /// For k = 1, and otherwise up to [`Moore::SORTED`] numbers, they come in the order of moves. More, or a number too hard to count, come lazily in the
    /// order of their binary columns: the option with the smaller highest column (read as a list of digits) first, of
    /// those the one with the smaller next column, and so on.
    ///
    /// # Complexity
    /// Counting stops after about 2·10^7 steps (then the count is None); each option takes O(64 · number of heaps).
    fn winning_options(&self, g: &Vec<u64>, convention: Convention) -> Option<OptionsOfValue<'_, Vec<u64>>> {
        if self.is_p(g, convention) || Self::nonempty(g) == 0 {
            return Some(OptionsOfValue::none());
        }
        if self.k() == 1 {
            return Some(lowered_heaps(g, balanced_size(g, convention)));
        }
        let question = Question { heaps: g.clone(), k: self.most_lowered(g.len()), convention };
        let count = question.count(Self::WORK);
        let options = question.options();
        if count.is_some_and(|c| c.saturating_mul(g.len() as u128) <= Self::SORTED) {
            // sorted when the first one is asked for, not before; most left is least taken
            let sorted = core::iter::once_with(move || {
                let mut all: Vec<Vec<u64>> = options.collect();
                let left = |o: &[u64]| o.iter().map(|h| u128::from(*h)).sum::<u128>();
                all.sort_unstable_by(|a, b| left(b).cmp(&left(a)).then_with(|| a.cmp(b)));
                all
            });
            return Some(OptionsOfValue { count, options: Box::new(sorted.flatten().map(|o| vec![o])) });
        }
        Some(OptionsOfValue { count, options: Box::new(options.map(|o| vec![o])) })
    }
}

impl Playable for Moore {
    /// `take 1 from heap 1 and 3 from heap 4`, heaps counted from 1.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let next = to.first().map_or(&[][..], Vec::as_slice);
        let taken: Vec<String> = g
            .iter()
            .zip(next)
            .zip(1..)
            .filter(|((h, x), _)| x < h)
            .map(|((h, x), i)| format!("{} from heap {i}", h - x))
            .collect();
        match taken.as_slice() {
            [] => String::new(),
            [one] => format!("take {one}"),
            [first @ .., last] => format!("take {} and {last}", first.join(", ")),
        }
    }

    fn print_position(&self, g: &Vec<u64>) -> String {
        print_list(g)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        ruleset::{laws::laws, options_of},
        rulesets::tuple::facts::lists,
    };

    fn moore(k: u64) -> Moore {
        Moore::new(k).expect("k is positive")
    }

    fn taken(g: &[u64], to: &[Vec<u64>]) -> u128 {
        g.iter().zip(&to[0]).map(|(a, b)| u128::from(a - b)).sum()
    }

    /// All short lists of small heaps, and longer ones of few counters.
    fn few_heaps() -> Vec<Vec<u64>> {
        let mut all = lists(0..=3, 4);
        all.extend(lists(4..=4, 3).into_iter().filter(|g| g.iter().sum::<u64>() <= 8));
        all.extend(lists(5..=5, 2).into_iter().filter(|g| g.iter().sum::<u64>() <= 7 && g[0] <= g[1]));
        all
    }

    laws! {
        laws_of_moore_1: moore(1), few_heaps(), |g, to| taken(g, to);
        laws_of_moore_2: moore(2), few_heaps(), |g, to| taken(g, to);
        laws_of_moore_3: moore(3), few_heaps(), |g, to| taken(g, to);
        laws_of_moore_4: moore(4), few_heaps(), |g, to| taken(g, to);
        laws_of_moore_without_bound: moore(u64::MAX), lists(0..=3, 3), |g, to| taken(g, to);
    }

    fn wins(rule: Moore, g: &[u64], convention: Convention) -> (Option<u128>, Vec<Vec<u64>>) {
        let found = rule.winning_options(&g.to_vec(), convention).unwrap();
        (found.count, found.options.flatten().collect())
    }

    #[test]
    fn larger_heaps_against_the_theorem() {
        for (k, g) in
            [(2, vec![9, 14, 7, 3]), (3, vec![12, 5, 9, 10]), (2, vec![1, 1, 6, 1, 2]), (1, vec![9, 14, 7, 3])]
        {
            for convention in [Convention::Normal, Convention::Misere] {
                let rule = moore(k);
                let mut wanted = options_of(&rule, &g);
                wanted.retain(|o| rule.is_p(&o[0], convention));
                let (count, found) = wins(rule, &g, convention);
                assert_eq!(count, Some(wanted.len() as u128), "{k} {g:?}");
                assert_eq!(found, wanted.concat(), "{k} {g:?}");
            }
        }
    }

    #[test]
    fn values_of_k_plus_one_heaps() {
        // larger than the laws go, and all in one table
        for (k, most) in [(2, 14), (3, 6)] {
            let rule = moore(k);
            let mut twin = crate::ruleset::definition::GrundyByDefinition::new(&rule);
            let length = k as usize + 1;
            for g in lists(length..=length, most).into_iter().filter(|g| g.is_sorted()) {
                assert_eq!(rule.value_hint(&g).map(|h| h.answer), Some(twin.value(&g)), "{k} {g:?}");
            }
        }
    }

    #[test]
    fn huge_heaps() {
        let big = 1u64 << 63;
        // at most k heaps: one winning option, in misère play one for each heap that keeps a counter
        assert_eq!(wins(moore(3), &[big, u64::MAX], Convention::Normal), (Some(1), vec![vec![0, 0]]));
        assert_eq!(wins(moore(3), &[big, 7], Convention::Misere), (Some(2), vec![vec![0, 1], vec![1, 0]]));
        assert_eq!(moore(3).value_hint(&vec![big, big]), None, "the total does not fit");
        assert_eq!(moore(3).outcome_hint(&vec![big, big], Convention::Normal).unwrap().answer, Outcome::N);
        let (count, found) = wins(moore(2), &[big, big, 5, 9], Convention::Normal);
        assert_eq!(count, Some(found.len() as u128));
        assert!(found.iter().all(|o| moore(2).is_p(o, Convention::Normal)) && !found.is_empty());
        let mut seen = 0;
        let flow = moore(2).options(&vec![big, big, u64::MAX], &mut |_: &[Vec<u64>]| {
            seen += 1;
            if seen == 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(flow.is_break());
    }

    #[test]
    fn many_options_come_lazily_each_once() {
        let g: Vec<u64> = (0..12).map(|i| (1 << 40) + i * 987_654_321).collect();
        let (four, twenty) = (moore(4), moore(20));
        for convention in [Convention::Normal, Convention::Misere] {
            let found = four.winning_options(&g, convention).unwrap();
            assert!(found.count.is_some_and(|c| c > Moore::SORTED), "{:?}", found.count);
            let first: Vec<Vec<u64>> = found.options.take(2000).flatten().collect();
            assert_eq!(first.iter().collect::<HashSet<_>>().len(), 2000);
            for o in &first {
                assert!(four.is_p(o, convention));
                let lowered = o.iter().zip(&g).filter(|(x, h)| x < h).count();
                assert!((1..=4).contains(&lowered) && o.iter().zip(&g).all(|(x, h)| x <= h));
            }
        }
        // too many sets to count, but the options are there
        let g: Vec<u64> = (0..60).map(|i| u64::MAX - i * i * 1_000_003).collect();
        let found = twenty.winning_options(&g, Convention::Normal).unwrap();
        assert_eq!(found.count, None);
        assert!(found.options.take(10).flatten().all(|o| twenty.is_p(&o, Convention::Normal)));
    }

    #[test]
    fn names() {
        let g = vec![3, 4, 5, 6];
        assert_eq!(moore(2).move_name(&g, &[vec![2, 4, 5, 3]]), "take 1 from heap 1 and 3 from heap 4");
        assert_eq!(moore(3).move_name(&g, &[vec![2, 2, 5, 3]]), "take 1 from heap 1, 2 from heap 2 and 3 from heap 4");
        assert_eq!(moore(1).move_name(&g, &[vec![3, 0, 5, 6]]), "take 4 from heap 2");
        assert_eq!(moore(1).print_position(&g), "3, 4, 5, 6");
    }
}
