//! Rulesets whose position is a list of numbers that is not a sum of heaps.

mod euclid;
#[cfg(test)]
mod facts;
mod moore;
mod nimble;
mod staircase;
mod wythoff;

pub use euclid::{Euclid, Variant, ZeroNumber};
pub use moore::Moore;
pub use nimble::Nimble;
pub use staircase::{Staircase, TooManyCoins};
pub use wythoff::Wythoff;

use crate::{
    ruleset::OptionsOfValue,
    theory::{Convention, nim::nim_sum},
};

/// What a heap of h, one of `heaps`, would have to be for the heaps to be a P-position of Nim; h itself if they are one.
///
/// That is h xor the nim-sum; in misère play, where no *other* heap exceeds 1, it is 1 or 0, to make the number of ones
/// odd. As [`winning_size`](crate::theory::nim::winning_size), but in O(1) for each heap, and also where h would grow.
fn balanced_size(heaps: &[u64], convention: Convention) -> impl Fn(u64) -> u64 + use<> {
    let xor = nim_sum(heaps);
    let big = heaps.iter().filter(|h| **h > 1).count();
    let ones = heaps.iter().filter(|h| **h == 1).count();
    move |h| {
        if convention == Convention::Normal || big > usize::from(h > 1) {
            h ^ xor
        } else if (ones - usize::from(h == 1)).is_multiple_of(2) {
            1
        } else {
            0
        }
    }
}

/// The options that lower one number of the list, each h to `to(h)` if that is lower: by the amount, then by the list.
///
/// Lists that are equal but for one lowered entry each are ordered as these entries are, for the earlier entry makes
/// the smaller list; so the moves can be sorted without making the lists.
fn lowered_heaps<'a>(g: &[u64], to: impl Fn(u64) -> u64) -> OptionsOfValue<'a, Vec<u64>> {
    let mut moves: Vec<(u64, usize)> =
        (0..g.len()).filter(|i| to(g[*i]) < g[*i]).map(|i| (g[i] - to(g[i]), i)).collect();
    moves.sort_unstable();
    let g = g.to_vec();
    OptionsOfValue {
        count: Some(moves.len() as u128),
        options: Box::new(moves.into_iter().map(move |(amount, i)| {
            let mut next = g.clone();
            next[i] -= amount;
            vec![next]
        })),
    }
}

/// How many entries of the list `to` are below those of `g`; None if the lists differ in length or an entry grew.
fn lowered_entries(g: &[u64], to: &[u64]) -> Option<usize> {
    if g.len() != to.len() || g.iter().zip(to).any(|(a, b)| b > a) {
        return None;
    }
    Some(g.iter().zip(to).filter(|(a, b)| b < a).count())
}

/// `3, 5`: how the notation writes a list of numbers inside the parentheses.
fn print_list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
