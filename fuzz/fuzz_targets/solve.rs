//! `cargo +nightly fuzz run solve --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::solve(data));
