//! The notation: the one language in which every face of grundy reads and prints games, rules, formulas and claims.
//!
//! Text that cannot be read is answered with a [`SyntaxError`], which carries the place and, where there is one, what
//! to write instead.

mod error;
mod suggest;
pub mod words;

pub use error::SyntaxError;
pub use suggest::nearest;
pub use words::WordRule;
