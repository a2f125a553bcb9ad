//! `cargo +nightly fuzz run read_metis --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::graph_file(grundy::formats::graph::GraphFormat::Metis, data));
