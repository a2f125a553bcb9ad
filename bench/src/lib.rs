//! Benchmarks of the engines; see `bench/README.md`.
