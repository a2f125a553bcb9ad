//! `cargo +nightly fuzz run graph_certificate --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::graph_certificate(data));
