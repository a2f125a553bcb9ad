//! Several games of Euclid, in all of which everybody moves at once.
//!
//! From a pair of numbers a move takes a positive multiple of the smaller from the larger one, not more than there is; a pair
//! with a 0 has ended. Each move is one in every pair that has not ended, and who finds all ended loses: the pair that lasts longest
//! decides.
//!
//! # How long a pair lasts
//!
//! Who wins a pair wants it to last, and who loses it wants it to end, so each pair has a number of moves, its *suspense number*,
//! and the first player wins exactly if the largest one is odd (`[WW]`, chapter 9). It is 0 at the end; from a position with an
//! option of even number it is one more than the largest of these, and from any other one more than the smallest odd one.
//!
//! Let e be the number of (b, r), r < b. Then (b + r, b) has that position as its only option and the number e + 1. From (2b + r, b)
//! both of these can be reached, and one of e and e + 1 is even: the number is e + 1 for even e and e + 2 for odd e, which is odd. From
//! (jb + r, b), j > 2, the even ones among the options are the same, so the number is the same. So the pair's number is found along
//! Euclid's algorithm, from its end.

use super::{Case, Ruling};
use crate::judge::error::Fault;

/// The pairs of the lists `p` and `q`.
///
/// # Complexity
/// O(log) of its numbers for a pair.
///
/// # Sources
/// `[WW]` for suspense numbers.
pub(super) fn ruling(case: &Case<'_>) -> Result<Ruling, Fault> {
    let (p, q) = (case.list("p")?, case.list("q")?);
    let longest = p.iter().zip(&q).map(|(p, q)| suspense(*p, *q)).max().unwrap_or(0);
    Ok(Ruling::of_winner(longest % 2 == 1))
}

/// How many moves a pair lasts.
fn suspense(p: u64, q: u64) -> u64 {
    let (mut a, mut b) = (p.max(q), p.min(q));
    let mut quotients = Vec::new();
    while b > 0 {
        quotients.push(a / b);
        (a, b) = (b, a % b);
    }
    quotients.iter().rev().fold(0, |end, quotient| if *quotient > 1 && end % 2 == 1 { end + 2 } else { end + 1 })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::{super::tests::run, *};
    use crate::judge::Special;

    /// Whether who is to move wins, by all moves in all pairs.
    fn wins(pairs: &[[u64; 2]], known: &mut HashMap<Vec<[u64; 2]>, bool>) -> bool {
        let mut live: Vec<[u64; 2]> = pairs.iter().filter(|p| p[0] > 0 && p[1] > 0).copied().collect();
        live.iter_mut().for_each(|p| p.sort_unstable());
        live.sort_unstable();
        if live.is_empty() {
            return false;
        }
        if let Some(won) = known.get(&live) {
            return *won;
        }
        let mut joint = vec![Vec::new()];
        for [a, b] in &live {
            let moves = (1..=b / a).map(|i| [*a, b - i * a]);
            joint = joint.iter().flat_map(|j: &Vec<_>| moves.clone().map(|m| [&j[..], &[m]].concat())).collect();
        }
        let won = joint.iter().any(|next| !wins(next, known));
        known.insert(live, won);
        won
    }

    proptest! {
        #[test]
        fn all_joint_moves_agree(pairs in proptest::collection::vec([0u64..14, 0u64..14], 0..4)) {
            let won = wins(&pairs, &mut HashMap::new());
            let longest = pairs.iter().map(|p| suspense(p[0], p[1])).max().unwrap_or(0);
            prop_assert_eq!(longest % 2 == 1, won);
        }
    }

    #[test]
    fn suspense_numbers_by_their_definition() {
        let mut known = vec![vec![0; 61]; 61];
        for sum in 2..=120usize {
            for a in 1..=60.min(sum - 1) {
                let Some(b) = (sum - a <= 60).then_some(sum - a) else { continue };
                let (low, high) = (a.min(b), a.max(b));
                let options: Vec<u64> = (1..=high / low).map(|i| known[low][high - i * low]).collect();
                let even = options.iter().filter(|o| o.is_multiple_of(2)).max();
                known[a][b] = 1 + even.unwrap_or_else(|| options.iter().min().unwrap());
                assert_eq!(suspense(a as u64, b as u64), known[a][b], "{a} {b}");
            }
        }
        // neighbours in Fibonacci's sequence, all quotients 1 but the last
        assert_eq!(suspense(12_200_160_415_121_876_738, 7_540_113_804_746_346_429), 91);
    }

    #[test]
    fn faults_have_a_place() {
        let input = "1\n4 1\n2\n5\n";
        let out = run(Special::EveryEuclid, "*{ n (p q)[n] }", input);
        assert_eq!(out, "first\ncase 2: line 5, column 1: expected a whole number, found the end of the input");
    }
}
