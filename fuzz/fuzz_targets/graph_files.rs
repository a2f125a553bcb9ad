//! `cargo +nightly fuzz run graph_files --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::graph_files(data));
