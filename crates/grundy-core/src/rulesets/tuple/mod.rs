//! Rulesets whose position is a list of numbers that is not a sum of heaps.
