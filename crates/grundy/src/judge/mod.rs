//! Plays the part of a contestant's program: reads a judge's input, writes the winners.

mod digits;
pub mod scan;
