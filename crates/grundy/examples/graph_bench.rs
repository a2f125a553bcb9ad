//! Reads and writes a large graph: `cargo run --release -p grundy --example graph_bench [VERTICES]`.
//!
//! The graph is random, with 10 edges a vertex, and made in memory; each line says the format, its size, and the speed of reading
//! (median of 7) and of writing.

use std::time::{Duration, Instant};

use grundy::formats::graph::{GraphFile, GraphFormat, Names, read, write};
use grundy_core::theory::digraph::Digraph;

fn main() {
    let vertices: usize = std::env::args().nth(1).map_or(1_300_000, |a| a.parse().expect("a number of vertices"));
    let file = random(vertices);
    for format in GraphFormat::ALL {
        let mut text = Vec::new();
        let start = Instant::now();
        if write(&mut text, &file, *format).is_err() {
            continue;
        }
        let writing = start.elapsed();
        let mut times: Vec<Duration> = (0..7)
            .map(|_| {
                let start = Instant::now();
                let back = read(&text, *format).expect("what was written is read");
                let time = start.elapsed();
                assert_eq!(back.graph.edges(), file.graph.edges());
                time
            })
            .collect();
        times.sort_unstable();
        let speed = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
        let megabytes = text.len() as f64 / 1e6;
        let name = format.name();
        println!(
            "{name:10} {megabytes:6.1} MB   read {:5.0} MB/s   written {:5.0} MB/s",
            speed(times[3]),
            speed(writing)
        );
    }
}

/// SplitMix64 decides.
fn random(vertices: usize) -> GraphFile {
    let mut seed = 0u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as u32
    };
    let edges: Vec<(u32, u32)> = (0..vertices as u32).flat_map(|v| [v; 10]).map(|v| (v, next(vertices))).collect();
    let graph = Digraph::from_edges(vertices, &edges).expect("ends below the number of vertices");
    let owner = (0..vertices).map(|_| next(2) as u8).collect();
    let priority = (0..vertices).map(|_| u64::from(next(10))).collect();
    GraphFile { owner: Some(owner), priority: Some(priority), ..GraphFile::new(graph, Names::Numbered { first: 0 }) }
}
