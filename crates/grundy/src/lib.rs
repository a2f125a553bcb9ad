//! How grundy finds answers: budgets, engines, the plan that chooses among them, sessions, answers and formats.
//!
//! Arrows as drawn in `ARCHITECTURE.md`: engines never import one another, nor formats.

pub mod budget;
pub mod sequence;
