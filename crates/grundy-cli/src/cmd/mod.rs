//! One file a command.

pub mod check;
pub mod completions;
pub mod games;
pub mod man;
pub mod play;
pub mod sequence;
pub mod solve;
pub mod table;
