//! Searches of boards: whole values, one and two threads, and the search over all options beside them.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use grundy::{
    budget::{Budget, Meter},
    search::{Boards, ValueSearch},
};
use grundy_core::{notation::read_sum, rulesets::AnyComponent};

fn component(text: &str) -> AnyComponent {
    read_sum(text).unwrap().into_components().remove(0)
}

fn meter(threads: usize) -> Meter {
    Meter::new(&Budget { threads: std::num::NonZeroUsize::new(threads), ..Budget::default() })
}

/// A grid of Node Kayles in the notation.
fn node_kayles(rows: usize, columns: usize) -> String {
    let row = |v: usize| {
        let beside = (!(v + 1).is_multiple_of(columns)).then(|| format!(" {}", v + 1));
        let below = (v + columns < rows * columns).then(|| format!(" {}", v + columns));
        format!("{v}:{}{}", beside.unwrap_or_default(), below.unwrap_or_default())
    };
    format!("node_kayles[{{{}}}]", (0..rows * columns).map(row).collect::<Vec<_>>().join(", "))
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    let boards = [("cram 4x7", "cram(4x7)".to_owned(), 3), ("cram 5x6", "cram(5x6)".to_owned(), 2)];
    let kayles = [("node kayles 5x6", node_kayles(5, 6), 3)];
    let is_smoke = std::env::args().any(|a| a == "--test");
    let large = [("cram 4x9", "cram(4x9)".to_owned(), 1), ("cram 5x7", "cram(5x7)".to_owned(), 1)];
    for (name, text, wanted) in boards.iter().chain(&kayles).chain(large.iter().filter(|_| !is_smoke)) {
        let board = component(text);
        for threads in [1, 2] {
            group.bench_function(BenchmarkId::new(*name, threads), |b| {
                b.iter(|| assert_eq!(Boards::default().value(&board, &mut meter(threads)).unwrap(), *wanted));
            });
        }
    }
    let small = component("cram(3x5)");
    group.bench_function("cram 3x5", |b| b.iter(|| Boards::default().value(&small, &mut meter(1)).unwrap()));
    group.bench_function("over all options/cram 3x5", |b| {
        b.iter(|| ValueSearch::default().value(&small, &mut meter(1)).unwrap());
    });
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
