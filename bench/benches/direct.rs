//! The direct sequence engine: nanoseconds a mark.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy::{budget::Meter, sequence::DirectSequence};
use grundy_core::{notation::read_heap_game, rulesets::heap::direct_values};

fn direct(c: &mut Criterion) {
    let mut group = c.benchmark_group("direct");
    group.sample_size(10);
    for (rule, heaps) in [("0.6", 4000u64), ("4!.0", 4000), ("0.06", 4000), ("subtraction[{2, 5, 7}]", 4000)] {
        let game = read_heap_game(rule).unwrap();
        // one mark an option that leaves two heaps: about n / 2 for heap n
        group.throughput(Throughput::Elements(heaps * heaps / 4));
        group.bench_with_input(BenchmarkId::new("engine", rule), &heaps, |b, heaps| {
            b.iter(|| {
                let mut s = DirectSequence::new(game.rule());
                s.fill(*heaps, &mut Meter::unlimited()).unwrap();
                s.values().len()
            });
        });
    }
    let game = read_heap_game("0.6").unwrap();
    group.throughput(Throughput::Elements(1000 * 1000 / 4));
    group.bench_function("naive twin/0.6", |b| b.iter(|| direct_values(game.rule(), 1000).len()));
    group.finish();
}

criterion_group!(benches, direct);
criterion_main!(benches);
