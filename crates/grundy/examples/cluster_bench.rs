//! One process and two: `cargo run --release -p grundy --features cluster --example cluster_bench [VERTICES]`.
//!
//! The two are threads of this one, which talk over the loopback; each has its own core if there are two. Times are those of whole
//! answers without strategies, but for one process, which finds them in any case. Also what it costs that a play goes to and fro
//! between the blocks, and what a round costs in which hardly anything happens.

use std::{
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use grundy::{
    Budget,
    cluster::{self, Hosts, Seat},
    formats::graph::{GraphFile, Names},
    graph::{self, GraphObjective, GraphQuery},
    parity::{Shape, generate},
};
use grundy_core::theory::{
    Convention,
    digraph::Digraph,
    parity_game::{Objective, ParityGame},
};

fn main() {
    let vertices: usize = std::env::args().nth(1).map_or(2_000_000, |a| a.parse().expect("a number of vertices"));
    for (shape, objective) in [
        (Shape::Random, Objective::Reachability),
        (Shape::Random, Objective::Buchi),
        (Shape::Grid, Objective::Reachability),
        (Shape::Grid, Objective::Buchi),
    ] {
        let game = query(&generate(shape, vertices, 2, objective, 7).expect("no dead ends"));
        let edges = game.file.graph.edges() as f64;
        let alone = alone(&game);
        let together = together(&game);
        let speed = |time: Duration| edges / 1e6 / time.as_secs_f64();
        println!(
            "{shape:?} {objective:?}: one {:.3} s, {:.0} M edges/s; two {:.3} s, {:.1} M edges/s a process",
            alone.as_secs_f64(),
            speed(alone),
            together.as_secs_f64(),
            speed(together) / 2.0
        );
    }
    let steps = 10_000;
    let time = together(&query(&to_and_fro(steps)));
    println!("to and fro: {:.3} ms a step", time.as_secs_f64() * 1e3 / f64::from(steps));
    let rounds = 1_000;
    let chain = generate(Shape::Chain, 3 * rounds, 2, Objective::Buchi, 0).expect("no dead ends");
    println!("a round: {:.2} ms", together(&query(&chain)).as_secs_f64() * 1e3 / rounds as f64);
}

fn query(game: &ParityGame) -> GraphQuery {
    let mut file = GraphFile::new(game.graph().clone(), Names::Numbered { first: 0 });
    file.owner = Some(game.owner().to_vec());
    file.priority = Some(game.priority().iter().map(|p| u64::from(*p)).collect());
    let objective = GraphObjective::Game(game.objective());
    GraphQuery { file, objective, convention: Convention::Normal, tokens: vec![], verify: false, certificate: None }
}

/// A path whose every step leads into the other half of the vertices, to a target.
fn to_and_fro(steps: u32) -> ParityGame {
    let place = |i: u32| i / 2 + i % 2 * (steps / 2);
    let edges: Vec<(u32, u32)> = (0..steps).map(|i| (place(i), place((i + 1).min(steps - 1)))).collect();
    let graph = Digraph::from_edges(steps as usize, &edges).expect("ends below the number of vertices");
    let priority = (0..steps).map(|v| u32::from(v != place(steps - 1))).collect();
    ParityGame::new(graph, vec![0; steps as usize], priority, Objective::Reachability).expect("a game")
}

fn alone(query: &GraphQuery) -> Duration {
    let query = query.clone();
    let start = Instant::now();
    graph::answer(query, &Budget::default()).expect("an answer");
    start.elapsed()
}

fn together(query: &GraphQuery) -> Duration {
    let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    let lines = listeners.map(|l| l.local_addr().expect("an address").to_string());
    let hosts = Hosts::parse(&lines.join("\n")).expect("addresses");
    let seats = [0, 1].map(|process| Seat {
        hosts: hosts.clone(),
        process,
        checkpoint: None,
        every: Duration::MAX,
        lost: Default::default(),
    });
    let queries = [query.clone(), query.clone()];
    let start = Instant::now();
    thread::scope(|scope| {
        for (seat, query) in seats.iter().zip(queries) {
            scope.spawn(move || cluster::answer(query, false, seat, &Budget::default(), &mut |_| ()).expect("no loss"));
        }
    });
    start.elapsed()
}
