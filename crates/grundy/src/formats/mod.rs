//! Answers and sequences as text or bytes: JSON, CSV, NDJSON, b-files, raw integers, a checksum.

pub mod bfile;
pub mod checksum;
pub mod json;
pub mod stream;
