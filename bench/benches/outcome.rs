//! Misère outcome search: nanoseconds a decided sum.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use grundy::{budget::Meter, misere::OutcomeSearch};
use grundy_core::{notation::read_sum, theory::Convention};

fn outcome(c: &mut Criterion) {
    let mut group = c.benchmark_group("misère outcome");
    group.sample_size(10);
    for text in ["nim(3, 5, 7) + kayles(15)", "0.07(8, 9, 10)", "kayles(22)"] {
        let sum = read_sum(text).unwrap();
        group.bench_function(text, |b| {
            b.iter(|| {
                let mut search = OutcomeSearch::new(Convention::Misere);
                search.outcome(sum.components(), &mut Meter::unlimited()).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, outcome);
criterion_main!(benches);
