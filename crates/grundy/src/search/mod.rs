//! Searches over positions that have no theory of their own.

mod boards;
pub mod nimbers;
mod remoteness;
mod values;

pub use boards::{Boards, NoValue};
pub use remoteness::{Remoteness, Verdict};
pub use values::ValueSearch;
