//! The judge on one case of a million heaps: nanoseconds a heap, input already in memory.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grundy::{
    Budget,
    judge::{Catalogue, Found, Program},
};

fn judge(c: &mut Criterion) {
    let heaps = 1_000_000u64;
    let numbers: Vec<String> =
        (0..heaps).map(|i| (i.wrapping_mul(2_654_435_761) % 2_147_483_647 + 1).to_string()).collect();
    let input = format!("1\n{heaps}\n{}\n", numbers.join(" "));
    let mut group = c.benchmark_group("judge");
    group.throughput(Throughput::Elements(heaps)).sample_size(10);
    for name in ["hdu-3032", "hdu-5795", "cses-1730", "hdu-1907"] {
        let Found::Preset(problem) = Catalogue::built_in().find(name) else { panic!("{name}") };
        let program = Program::new(problem).unwrap();
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut output = Vec::new();
                program.run(input.as_bytes(), &mut output, &Budget::default()).unwrap();
                output
            });
        });
    }
    group.finish();
}

criterion_group!(benches, judge);
criterion_main!(benches);
