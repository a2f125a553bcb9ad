//! Searches over positions that have no theory of their own.

mod boards;
pub mod nimbers;
mod ranks;
mod remoteness;
mod values;

pub use boards::{Boards, NoValue};
pub use ranks::RankTable;
pub use remoteness::{Remoteness, Verdict};
pub use values::ValueSearch;
