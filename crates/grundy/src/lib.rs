//! How grundy finds answers: budgets, engines, the plan that chooses among them, sessions, answers and formats.
//!
//! Arrows as drawn in `ARCHITECTURE.md`: engines never import one another, nor formats.

pub mod answer;
pub mod budget;
pub mod check;
pub mod chomp;
pub mod closed_form;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod coins;
pub mod compare;
pub mod discover;
pub mod drawing;
pub mod explain;
pub mod form;
pub mod formats;
mod frontier;
pub mod graph;
mod interner;
pub mod judge;
mod knowledge;
pub mod misere;
pub mod nimber;
pub mod nimfield;
pub mod oracle;
pub mod parity;
pub mod period;
pub mod plan;
pub mod play;
pub mod plot;
pub mod positions;
pub mod prove;
pub mod query;
pub mod quotient;
pub mod reasons;
pub mod retrograde;
pub mod rules;
pub mod run;
pub mod search;
pub mod sequence;
pub mod session;
pub mod statistics;
pub mod store;
pub mod sweep;
pub mod tuples;
pub mod verify;

pub use answer::Answer;
pub use budget::Budget;
pub use knowledge::Valued;
pub use query::Query;
pub use session::Session;

/// The page about rules of one's own, whose code is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/own-rules.md")]
pub struct OwnRulesPage;
