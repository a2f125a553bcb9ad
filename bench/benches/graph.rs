//! Games on graphs: edges a second, and the naive twin beside them where it ends.
//!
//! The games are made from a seed. Both ways are timed in turn, the shortest run of each is printed; every solution is checked
//! once, which is timed too.

use std::time::{Duration, Instant};

use grundy::{
    budget::Meter,
    parity::{self, Shape},
};
use grundy_core::theory::{
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
    println!("{:20} {:>10} {:>12} {:>12} {:>14}", "game", "edges", "Medges/s", "check", "twin / engine");
    for (name, shape, objective, priorities) in ROWS {
        if !words.iter().all(|w| name.split(' ').any(|part| part == w)) {
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
            "{name:20} {edges:>10} {:>12.1} {:>12.1} {:>14.0}",
            per(time),
            per(checked),
            twin.as_secs_f64() / ours.as_secs_f64()
        );
    }
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
