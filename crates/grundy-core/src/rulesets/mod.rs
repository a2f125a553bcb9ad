//! The built-in rulesets.

pub mod catalogue;
mod entries;
pub mod heap;
pub mod tuple;

pub use catalogue::{AnyComponent, AnyRuleset, DynRuleset, HeapGame};
