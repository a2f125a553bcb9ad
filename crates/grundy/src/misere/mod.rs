//! Misère play.

mod outcome;

pub use outcome::OutcomeSearch;
