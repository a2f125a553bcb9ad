//! Searches over positions that have no theory of their own.

mod ranks;
mod remoteness;
mod values;

pub use ranks::RankTable;
pub use remoteness::{Remoteness, Verdict};
pub use values::ValueSearch;
