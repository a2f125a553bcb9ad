//! `cargo +nightly fuzz run rules --features libfuzzer`
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::rules(data));
