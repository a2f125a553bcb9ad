//! What is true about impartial games: theory, rulesets, the notation and the checker of certificates.
//!
//! No I/O, no clock, no threads, no logging, no `unsafe`. Someone who doubts an answer of grundy reads this crate
//! only: an engine may be clever, what it claims is checked against the plain definitions here.
//!
//! Modules build on one another from left to right: [`theory`] <- [`ruleset`] <- [`rulesets`] <- [`notation`] <- [`proof`].
#![forbid(unsafe_code)]

pub mod notation;
pub mod proof;
pub mod ruleset;
pub mod rulesets;
pub mod theory;
