//! Plays the part of a contestant's program: reads a judge's input, writes the judge's own words.
//!
//! A [`Problem`] is data: a [layout](mod@format) says how the input is read, a game in the notation (or a claim over the numbers
//! read) says who wins, and a few words say what is printed. A [`Program`] is the problem made ready; it answers a
//! stream case by case.
//!
//! ```toml
//! name = "hdu-1536"
//! layout = "until 0 { k S[k] m{ n h[n] } }"     # sets until one of 0 members, and m positions for each
//! game = "subtraction[{$S}]($h)"                # $name: what was read
//! first = "W"
//! second = "L"
//! join = ""                                     # the results of the inner loop stand on one line
//! ```
//!
//! # Parts of a problem
//!
//! | key | meaning |
//! |---|---|
//! | `layout` | how the input is read, see [`mod@format`] |
//! | `lets` | definitions, in order: `r = max(n - m, 0)`, `x = p \| sort \| gaps`, see [`lists`] |
//! | `require` | a claim: the limits outside of which the case is refused |
//! | `game` | a sum with `$name` for what was read; a list in a position stands for its members, in a rule for `1, 3, 4`; records are pairs or cells, a component each; `tartan[…]($n x $n)` is a board full of heads, whose value and number of winning moves are found without listing it |
//! | `misere` | true: who cannot move wins |
//! | `wins` | a claim: when the first player wins, where the rules are no game of the notation; `won` (1 or 0) and `g` (the Grundy value) are what came of `game`, if there is one |
//! | `special` | in place of `game`: a game that no rule of the notation says, with a program of its own, see [`Special`] |
//! | `answer`, `answers` | a formula, and words for its values 0, 1, 2, … |
//! | `print` | `winner`, `value`, `moves`, `count` or `answer` |
//! | `first`, `second` | words for the winner |
//! | `moves` | how moves are printed, see [`MoveFormat`] |
//! | `prefix` | before each line; `%d` is its number |
//! | `join` | between the results of the innermost loop, which stand on one line |
//! | `tally` | print how many cases of the innermost ranges `first` or `second` wins |
//! | `theory`, `trap` | why it is right; what contestants get wrong |
//! | `ranges` | from what test files are made |
//!
//! Formulas and claims are those of [`grundy_core::notation::formula`]; case does not matter in names. `$name` in a
//! formula is a constant, as the language wants it after `mod` and `div`.

mod against;
mod digits;
mod error;
mod fold;
pub mod format;
mod games;
pub mod generate;
pub mod green;
mod inputs;
pub mod lists;
pub mod pairs;
mod preset;
mod program;
mod run;
pub mod scan;
mod special;
mod text;

pub use against::{Failing, Outcome, Stress, StressReport};
pub use error::{JudgeError, JudgeErrorKind};
pub use generate::Balance;
pub use inputs::Given;
pub use preset::{Catalogue, Found, MoveFormat, Print, Problem, Unanswered, Winner};
pub use program::Program;
pub use special::Special;
