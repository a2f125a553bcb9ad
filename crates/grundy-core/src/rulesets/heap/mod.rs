//! Heap games: every code of taking and breaking and every rule in words lowers to one plain [`HeapRule`].

mod all_but;
mod amounts;
mod breaks;
mod closed_form;
mod code;
mod condition;
mod cyclic;
mod direct;
mod interval;
mod of_value;
mod pairs;
mod recognition;
mod rule;
mod steps;
mod takes;

pub use all_but::{all_but_amounts, all_but_period};
pub use amounts::{AmountSet, Amounts};
pub use closed_form::ClosedForm;
pub use code::{Code, CodeError};
pub use condition::{Atom, Comparison, Condition, Linear, Variable};
pub use direct::direct_values;
pub use of_value::{Finder, HeapValues, STEPS_FOR_COUNTING, Step, ValueForm, options_of_value};
pub(crate) use rule::move_name;
pub use rule::{Alternative, HeapRule, Leave, Parts};
