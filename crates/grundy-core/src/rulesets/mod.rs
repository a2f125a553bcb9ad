//! The built-in rulesets.

pub mod catalogue;
pub mod cells;
pub mod chomp;
pub mod coins;
pub mod custom;
pub mod digraph;
mod entries;
pub mod heap;
pub mod tuple;

pub use catalogue::{AnyComponent, AnyRuleset, HeapGame};
pub use chomp::Chomp;
pub use custom::DynRuleset;
