//! `cargo +nightly fuzz run judge --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::judge(data));
