//! Whole runs of sequences, values summed as by `sequence --format checksum`: nanoseconds a value.
//!
//! `cargo bench -p grundy-bench --bench sequence -- 0.6 0.104` runs the games named; `--test` runs all of them, short.
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use grundy::{budget::Meter, formats::checksum::Checksum, run::Run};
use grundy_core::notation::read_heap_game;

/// Games with the last heap of a run.
const GAMES: [(&str, u64); 16] = [
    ("0.6", 1_000_000),
    ("0.161", 300_000),
    ("0.36", 300_000),
    ("0.166", 300_000),
    ("0.104", 10_000_000),
    ("0.167", 1_000_000),
    ("0.354", 1_000_000),
    ("0.16", 1_000_000),
    ("0.77", 100_000),
    ("0.06", 100_000),
    ("grundy_game", 100_000),
    ("0.8", 100_000),
    ("0.28", 100_000),
    ("0.2048", 30_000),
    ("0.2E", 20_000),
    ("0.F7", 20_000),
];

/// Last heap of a smoke run.
const SHORT: u64 = 2000;

/// A game that takes longer than this is run once, else three times.
const LONG: Duration = Duration::from_secs(5);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_smoke = words.iter().any(|w| w == "--test");
    let wanted: Vec<&String> = words.iter().filter(|w| !w.starts_with("--")).collect();
    println!("{:12} {:>9} {:>10} {:>10}  N G(N) max checksum", "game", "to", "seconds", "ns/value");
    for (name, to) in GAMES.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        let to = if is_smoke { SHORT } else { *to };
        let mut best = Duration::MAX;
        let mut sum = Checksum::default();
        for _ in 0..if is_smoke { 1 } else { 3 } {
            let start = Instant::now();
            let game = read_heap_game(name).expect("a game");
            sum = Checksum::default();
            let ending = Run::new(game).complete(to, &mut Meter::unlimited(), &mut sum, None, &mut |_| {});
            assert_eq!(ending.expect("nothing is written").count, to + 1);
            best = best.min(start.elapsed());
            if best > LONG {
                break;
            }
        }
        let seconds = best.as_secs_f64();
        println!("{name:12} {to:>9} {seconds:>10.4} {:>10.2}  {sum}", seconds * 1e9 / (to + 1) as f64);
    }
}
