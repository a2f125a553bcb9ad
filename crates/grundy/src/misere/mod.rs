//! Misère play.

mod outcome;
pub mod quotient;

pub use outcome::OutcomeSearch;
