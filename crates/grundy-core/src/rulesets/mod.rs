//! The built-in rulesets.

pub mod heap;
pub mod tuple;
