//! Answers as text for people.

pub mod boards;
pub mod chomp;
pub mod coins;
pub mod explain;
pub mod form;
pub mod graph;
pub mod nimber;
pub mod period;
pub mod play;
pub mod plot;
pub mod reasons;
pub mod solve;
pub mod statistics;
