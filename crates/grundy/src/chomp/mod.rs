//! Chomp without a search: every position below a board gets its value, or its outcome, in one sweep over all of them.
//!
//! * `sweep.rs`: the order of the sweep, and how the sets of a position follow from those of positions before it;
//! * [`Values`]: Grundy values, so all moves to any value, also in sums;
//! * [`Outcomes`]: lost positions, of a whole dimension less work, in both conventions;
//! * [`ThreeRows`]: lost positions of three rows, in a few nanoseconds each;
//! * [`Boards`]: chooses among them and keeps the tables for the next question.

mod boards;
mod lost;
mod nimbers;
mod outcomes;
mod shape;
mod sweep;
mod three_rows;

pub use boards::{Boards, Lost};
pub use lost::each_lost;
pub use nimbers::{Values, positions};
pub use outcomes::Outcomes;
pub use shape::Shape;
pub use three_rows::ThreeRows;

#[cfg(test)]
mod tests;
