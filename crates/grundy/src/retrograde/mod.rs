//! Impartial games on explicit graphs: a token, whose followers are the vertices to which it may be moved.
//!
//! Everything is found backwards from the ends, in time linear in the edges, or for values of graphs with cycles in one such
//! pass a value. Whole graphs are labelled; sums of tokens on one graph need one labelling only.

mod acyclic;
mod loopy;
mod outcomes;

pub use acyclic::grundy_values;
pub use grundy_core::theory::remoteness::Verdict;
pub use loopy::labels;
pub use outcomes::outcomes;
