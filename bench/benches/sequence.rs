//! Whole runs of sequences, values summed as by `sequence --format checksum`: nanoseconds a value.
//!
//! `cargo bench -p grundy-bench --bench sequence -- 0.6 0.104` runs the games named; `--test` runs all of them, short;
//! `--threads=1,2` runs each with one thread and with two, in turn.
#![allow(missing_docs)]

use std::{
    num::NonZeroUsize,
    time::{Duration, Instant},
};

use grundy::{
    budget::{Budget, Meter},
    formats::checksum::Checksum,
    run::Run,
};
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
    let threads = words.iter().find_map(|w| w.strip_prefix("--threads=")).unwrap_or("1");
    let threads: Vec<NonZeroUsize> = threads.split(',').map(|n| n.parse().expect("a number of threads")).collect();
    println!("{:12} {:>9} {:>7} {:>10} {:>10}  N G(N) max checksum", "game", "to", "threads", "seconds", "ns/value");
    for (name, to) in GAMES.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        let to = if is_smoke { SHORT } else { *to };
        let mut best = vec![Duration::MAX; threads.len()];
        let mut sum = Checksum::default();
        for _ in 0..if is_smoke { 1 } else { 3 } {
            // in turn, so that noise meets all of them
            for (best, threads) in best.iter_mut().zip(&threads) {
                let start = Instant::now();
                let game = read_heap_game(name).expect("a game");
                sum = Checksum::default();
                let mut meter = Meter::new(&Budget { threads: Some(*threads), ..Budget::default() });
                let ending = Run::new(game).complete(to, &mut meter, &mut sum, None, &mut |_| {});
                assert_eq!(ending.expect("nothing is written").count, to + 1);
                *best = start.elapsed().min(*best);
            }
            if best[0] > LONG {
                break;
            }
        }
        for (best, threads) in best.iter().zip(&threads) {
            let seconds = best.as_secs_f64();
            let ns = seconds * 1e9 / (to + 1) as f64;
            println!("{name:12} {to:>9} {threads:>7} {seconds:>10.4} {ns:>10.2}  {sum}");
        }
    }
}
