//! Answers and sequences as text: JSON, CSV, NDJSON, b-files.

pub mod bfile;
pub mod json;
