//! Rulesets brought as WebAssembly modules, for builds with the feature `runtime`; without it this crate is empty, since its
//! compiler of modules takes minutes to build.
//!
//! # What a module exports
//!
//! | export | what it does |
//! |---|---|
//! | `memory` | the memory in which both sides read and write |
//! | `grundy_about() -> i32` | the address of a text of lines `key value`, ended by a byte 0 |
//! | `grundy_buffer(words: i32) -> i32` | the address of room for so many numbers of 64 bits, into which a position is written |
//! | `grundy_options(position: i32, count: i32) -> i32` | the address of the options of the position of `count` numbers |
//!
//! Keys of the text: `name` (required; as in the notation), `numbers` (how many a position has; without it any number), `smaller
//! yes` (positions are single numbers, and all options are smaller: values are then found in order, without search), `about` (a
//! sentence for people).
//!
//! Options are words of 64 bits, little-endian: the number of words that follow, then each option as the number of its parts and
//! each part as the number of its numbers and those numbers. The empty sum is an option of 0 parts.
//!
//! ```text
//! position (4), options (3), (2), (1) and (2) + (2):   14   1 1 3   1 1 2   1 1 1   2 1 2 1 2
//! ```
//!
//! A module imports nothing. Each call may run 10^8 instructions, and a module may hold 64 MiB; more is a fault that is a
//! limit. Traps and answers that are no options are faults too.

#![forbid(unsafe_code)]

#[cfg(feature = "runtime")]
mod module;

#[cfg(feature = "runtime")]
pub use module::{FUEL, LoadError, MOST_MEMORY, WasmRuleset, load};
