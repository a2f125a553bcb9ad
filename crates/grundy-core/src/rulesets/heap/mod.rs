//! Heap games: every code of taking and breaking and every rule in words lowers to one plain [`HeapRule`].

mod amounts;
mod code;
mod condition;
mod direct;
mod rule;

pub use amounts::{AmountSet, Amounts};
pub use code::{Code, CodeError};
pub use condition::{Atom, Comparison, Condition, Linear, Variable};
pub use direct::direct_values;
pub use rule::{Alternative, HeapRule, Leave, Parts};
mod interim;
pub use interim::*;
pub(crate) use rule::move_name;
