//! Answers and sequences as text or bytes: JSON, CSV, NDJSON, b-files, raw integers, a checksum; Parquet with the feature `parquet`.
//! Graphs from files and back: [`graph`].

pub mod bfile;
pub mod checksum;
pub mod graph;
pub mod json;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod program;
pub mod rules;
pub mod stream;
