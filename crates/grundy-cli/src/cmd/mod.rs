//! One file a command.

pub mod check;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod discover;
pub mod formula;
pub mod games;
mod generate;
pub mod graph;
pub mod judge;
pub mod man;
pub mod nimber;
pub mod period;
pub mod play;
pub mod prove;
pub mod quotient;
pub mod rules;
pub mod sequence;
pub mod solve;
pub mod sweep;
pub mod table;
pub mod tuple;
pub mod verify;
