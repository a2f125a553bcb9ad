//! Chomp: nanoseconds a position.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy::{
    budget::Meter,
    chomp::{Outcomes, Shape, ThreeRows, Values, positions},
};
use grundy_core::{ruleset::definition::GrundyByDefinition, rulesets::Chomp, theory::Convention};

fn chomp(c: &mut Criterion) {
    let mut group = c.benchmark_group("chomp");
    group.sample_size(10);
    for (rows, columns) in [(8usize, 10u64), (12, 12), (13, 13), (8, 16), (4, 40)] {
        let name = format!("{rows}x{columns}");
        let shape = Shape::new(&vec![columns; rows], 1 << 40).unwrap();
        group.throughput(Throughput::Elements(positions(&shape)));
        group.bench_with_input(BenchmarkId::new("values", &name), &shape, |b, shape| {
            b.iter(|| Values::new(shape, &mut Meter::unlimited()).unwrap().value(&vec![columns; rows]));
        });
        let tails = Shape::new(&vec![columns; rows - 1], 1 << 40).unwrap();
        group.bench_with_input(BenchmarkId::new("outcomes", &name), &tails, |b, tails| {
            b.iter(|| {
                Outcomes::new(columns as usize, tails, Convention::Normal, &mut Meter::unlimited()).unwrap().bytes()
            });
        });
    }
    for columns in [1000u64, 4000] {
        let run = || {
            let mut meter = Meter::unlimited();
            let mut rows = ThreeRows::new([columns; 3], Convention::Normal, &mut meter).unwrap();
            let (mut count, mut lost) = (0, Vec::new());
            while !rows.is_done() {
                lost.clear();
                rows.advance(&mut lost, &mut meter).unwrap();
                count += lost.len() as u64;
            }
            count
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(BenchmarkId::new("three rows", columns), |b| b.iter(run));
    }
    let shape = Shape::new(&[6; 5], 1 << 20).unwrap();
    group.throughput(Throughput::Elements(positions(&shape)));
    group.bench_function("naive twin/5x6", |b| b.iter(|| GrundyByDefinition::new(&Chomp).value(&vec![6; 5])));
    group.finish();
}

criterion_group!(benches, chomp);
criterion_main!(benches);
