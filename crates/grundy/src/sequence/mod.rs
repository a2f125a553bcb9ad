//! Engines for sequences of Grundy values G(0), G(1), … of one heap rule.

mod direct;

pub use direct::DirectSequence;
