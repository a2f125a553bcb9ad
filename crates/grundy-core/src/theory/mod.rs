//! Definitions and theorems that know no ruleset: mex, conventions and outcomes, sums, Nim, nim products, periods, graphs and the games on them.

pub mod convention;
pub mod digraph;
pub mod loopy_value;
pub mod matching;
pub mod mex;
pub mod named_graph;
pub mod natural;
pub mod nim;
pub mod nim_log;
pub mod nim_product;
pub mod nim_split;
pub mod nimber;
pub mod parity_game;
pub mod period;
pub mod remoteness;
pub mod scc;
pub mod sum;
pub mod undirected;
pub mod zielonka;

pub use convention::{Convention, Outcome};
pub use mex::{Mex, mex};
pub use natural::Natural;
pub use nimber::Nimber;
pub use period::Periodicity;
pub use sum::Sum;
