//! The notation: one language for every face.
//!
//! Text becomes an [`ast`] with spans ([`parse`]), the tree becomes a [`Sum`](crate::theory::Sum) of components exactly as
//! written ([`lower`]), and [`mod@print`] writes it back: `print(lower(parse(t)))` is canonical and reads as the same sum.

pub mod ast;
mod boards;
mod chomp;
mod coins;
mod error;
pub mod formula;
mod graphs;
pub mod lower;
pub mod nimber;
pub mod parse;
pub mod print;
mod suggest;
pub mod tuple_rule;
pub mod words;

pub use error::SyntaxError;
pub use lower::{
    Resolver, Unresolved, read_game, read_game_with, read_heap_game, read_heap_game_with, read_ruleset,
    read_ruleset_with, read_sum, read_sum_with,
};
pub use print::{print_component, print_result, print_sum};
pub use suggest::nearest;
pub use tuple_rule::TupleRule;
pub use words::WordRule;
