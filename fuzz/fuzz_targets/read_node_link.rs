//! `cargo +nightly fuzz run read_node_link --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::graph_file(grundy::formats::graph::GraphFormat::NodeLink, data));
