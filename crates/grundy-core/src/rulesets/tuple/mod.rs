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

/// `3, 5`: how the notation writes a list of numbers inside the parentheses.
fn print_list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
