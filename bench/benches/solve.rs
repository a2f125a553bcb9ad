//! Whole questions: parse, plan, answer, winning moves.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use grundy::{Budget, Session, query::SolveQuery};
use grundy_core::{notation::read_game, theory::Convention};

fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(20);
    let million =
        (0..1_000_000u64).map(|i| (i.wrapping_mul(2_654_435_761) % 2_147_483_647).to_string()).collect::<Vec<_>>();
    let million = format!("nim({})", million.join(","));
    for (name, text) in [
        ("3 5 7", "3 5 7"),
        ("kayles(10^12)", "kayles(10^12)"),
        ("lasker(2^62-1, 2^62)", "lasker(2^62-1, 2^62)"),
        ("nim, 10^6 heaps", million.as_str()),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let game = read_game(text).unwrap();
                let query = SolveQuery::new(game, Convention::Normal);
                Session::new().solve(&query, &Budget::default()).unwrap().value
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
