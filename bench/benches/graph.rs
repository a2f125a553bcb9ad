//! Games on graphs: edges and bytes a second, and the naive twin beside them.
//!
//! `cargo bench -p grundy-bench --bench graph -- --vertices=4000000 random buchi` for games of 10^7 edges; words choose among the rows.
//! Everything is made from a seed. Both ways are timed in turn, the shortest run of each is printed; every solution is checked
//! once, which is timed too. The twin of a game is Zielonka's recursion as it stands in books, on 1000 vertices; that of a reader
//! splits lines and words; that of Grundy values takes sets of followers in topological order.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use grundy::{
    budget::Meter,
    formats::graph::{self, GraphFile, GraphFormat, Names},
    parity::{self, Shape},
    retrograde,
};
use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{Objective, ParityGame, check},
    zielonka,
};

/// Names, shapes, objectives and numbers of priorities.
const ROWS: &[(&str, Shape, Objective, u32)] = &[
    ("random reachability", Shape::Random, Objective::Reachability, 2),
    ("random buchi", Shape::Random, Objective::Buchi, 2),
    ("random cobuchi", Shape::Random, Objective::CoBuchi, 2),
    ("random parity", Shape::Random, Objective::Parity, 10),
    ("grid reachability", Shape::Grid, Objective::Reachability, 2),
    ("grid buchi", Shape::Grid, Objective::Buchi, 2),
    ("grid parity", Shape::Grid, Objective::Parity, 10),
    ("chain buchi", Shape::Chain, Objective::Buchi, 2),
    ("ladder buchi", Shape::Ladder, Objective::Buchi, 2),
    ("ladder parity", Shape::Ladder, Objective::Parity, 10),
    ("hub buchi", Shape::Hub, Objective::Buchi, 2),
    ("hub parity", Shape::Hub, Objective::Parity, 10),
];

/// Vertices of the games that the twin solves too; each of its attractors passes over all of them many times.
const SMALL: usize = 1000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let smoke = std::env::args().any(|a| a == "--test");
    let given = |p: &str| std::env::args().find_map(|a| a.strip_prefix(p).and_then(|n| n.parse().ok()));
    let vertices = if smoke { 300 } else { given("--vertices=").unwrap_or(400_000) };
    let runs = if smoke { 1 } else { 5 };
    let is_wanted = |name: &str| words.iter().all(|w| name.split(' ').any(|part| part == w));
    println!("{:24} {:>10} {:>12} {:>12} {:>14}", "game", "edges", "Medges/s", "check", "twin / engine");
    for (name, shape, objective, priorities) in ROWS {
        if !is_wanted(name) {
            continue;
        }
        let make = |n| parity::generate(*shape, n, *priorities, *objective, 1).expect("no dead ends");
        let game = make(vertices);
        let edges = game.graph().edges();
        let time = shortest(runs, || engine(&game));
        let checked = shortest(1, || accepted(&game));
        let small = make(if smoke { 100 } else { SMALL });
        let ours = shortest(runs, || engine(&small));
        let twin = shortest(1, || assert_eq!(zielonka::solve(&small).winner, solved(&small)));
        let per = |t: Duration| edges as f64 / t.as_secs_f64() / 1e6;
        println!(
            "{name:24} {edges:>10} {:>12.1} {:>12.1} {:>14.0}",
            per(time),
            per(checked),
            twin.as_secs_f64() / ours.as_secs_f64()
        );
    }
    println!("\n{:24} {:>10} {:>12} {:>12} {:>14}", "file", "edges", "Medges/s", "MB/s", "twin / reader");
    for (name, format) in [("read pg", GraphFormat::PgSolver), ("read edges", GraphFormat::EdgeList)] {
        if is_wanted(name) {
            reading(name, format, vertices, runs);
        }
    }
    println!("\n{:24} {:>10} {:>12} {:>12} {:>14}", "acyclic", "edges", "Medges/s", "", "twin / engine");
    for (name, window, is_shuffled) in [
        ("acyclic near", 1 << 16, false),
        ("acyclic far", u32::MAX, false),
        ("acyclic near shuffled", 1 << 16, true),
        ("acyclic far shuffled", u32::MAX, true),
    ] {
        if is_wanted(name) {
            acyclic(name, vertices, window, is_shuffled, runs);
        }
    }
}

/// A random game as a file, read from memory.
fn reading(name: &str, format: GraphFormat, vertices: usize, runs: usize) {
    let game = parity::generate(Shape::Random, vertices, 2, Objective::Buchi, 1).expect("no dead ends");
    let mut file = GraphFile::new(game.graph().clone(), Names::Numbered { first: 0 });
    file.owner = Some(game.owner().to_vec());
    file.priority = Some(game.priority().iter().map(|p| u64::from(*p)).collect());
    let mut text = Vec::new();
    graph::write(&mut text, &file, format).expect("a vector takes all");
    let time = shortest(runs, || assert!(graph::read(&text, format).is_ok()));
    let read = graph::read(&text, format).expect("it was written just now");
    assert_eq!(read.graph, file.graph);
    let words = std::str::from_utf8(&text).expect("numbers");
    let twin = shortest(1, || assert_eq!(read_plainly(words), file.graph));
    let per = |n: usize| n as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{name:24} {:>10} {:>12.1} {:>12.1} {:>14.1}",
        file.graph.edges(),
        per(file.graph.edges()),
        per(text.len()),
        twin.as_secs_f64() / time.as_secs_f64()
    );
}

/// The successors of lines `from priority owner to,to;` or `from to`.
fn read_plainly(text: &str) -> Digraph {
    let mut edges = Vec::new();
    let mut vertices = 0;
    for line in text.lines().filter(|l| !l.starts_with("parity")) {
        let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
        let from: u32 = words[0].parse().expect("a number");
        vertices = vertices.max(from + 1);
        for to in words[words.len() - 1].split(',') {
            let to: u32 = to.parse().expect("a number");
            vertices = vertices.max(to + 1);
            edges.push((from, to));
        }
    }
    Digraph::from_edges(vertices as usize, &edges).expect("edges between them")
}

/// Grundy values of a random graph whose edges lead at most so far on.
fn acyclic(name: &str, vertices: usize, window: u32, is_shuffled: bool, runs: usize) {
    let n = vertices as u32;
    let mut seed = 1u64;
    let mut below = |bound: u32| {
        seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((u128::from(seed.rotate_left(29)) * u128::from(bound)) >> 64) as u32
    };
    let mut number: Vec<u32> = (0..n).collect();
    if is_shuffled {
        (1..n).rev().for_each(|i| number.swap(i as usize, below(i + 1) as usize));
    }
    let mut edges = Vec::with_capacity(3 * vertices);
    for v in 0..n - 1 {
        let room = (n - 1 - v).min(window);
        for _ in 0..1 + below(5) {
            edges.push((number[v as usize], number[(v + 1 + below(room)) as usize]));
        }
    }
    let graph = Digraph::from_edges(vertices, &edges).expect("edges between them");
    let values = || retrograde::grundy_values(&graph, &mut Meter::unlimited()).expect("there is no limit");
    let time = shortest(runs, || assert!(std::hint::black_box(values()).is_ok()));
    let twin = shortest(1, || assert_eq!(Ok(values_plainly(&graph)), values()));
    println!(
        "{name:24} {:>10} {:>12.1} {:>12} {:>14.1}",
        graph.edges(),
        graph.edges() as f64 / time.as_secs_f64() / 1e6,
        "",
        twin.as_secs_f64() / time.as_secs_f64()
    );
}

fn values_plainly(graph: &Digraph) -> Vec<u32> {
    let mut values = vec![0; graph.vertices()];
    for v in graph.topological_order().expect("no cycle").into_iter().rev() {
        let seen: HashSet<u32> = graph.successors(v).iter().map(|w| values[*w as usize]).collect();
        values[v as usize] = (0..).find(|g| !seen.contains(g)).expect("the set is finite");
    }
    values
}

fn solved(game: &ParityGame) -> Vec<u8> {
    parity::solve(game, &mut Meter::unlimited()).expect("there is no limit").winner
}

fn engine(game: &ParityGame) {
    std::hint::black_box(solved(game));
}

/// Solves and checks; the time of both.
fn accepted(game: &ParityGame) {
    let solution = parity::solve(game, &mut Meter::unlimited()).expect("there is no limit");
    assert_eq!(check(game, &solution), Ok(()));
}

fn shortest(runs: usize, mut run: impl FnMut()) -> Duration {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}
