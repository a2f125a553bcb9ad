//! Searches over positions that have no theory of their own.

mod remoteness;
mod values;

pub use remoteness::{Remoteness, Verdict};
pub use values::ValueSearch;
