//! Rules of one's own: nanoseconds to list the options of a heap once, by each door, and times as long as by rules in Rust
//! that are chosen at run time, as those of all doors are.
//!
//! The game takes 1 to 3 or splits into equal halves. All doors list the options of heaps 1 to 1000 in turn, in short bursts; the
//! shortest burst of each counts.
#![allow(missing_docs)]

use std::{
    hint::black_box,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use grundy::formats::rules::read_rules;
use grundy_core::{
    ruleset::Ruleset,
    rulesets::{
        AnyRuleset,
        custom::{DynRuleset, DynSink},
        heap::HeapRule,
    },
};
use my_rules::{Halves, TOML, halves};

const HEAPS: u64 = 1000;

/// Mixes all numbers that it is sent.
#[derive(Default)]
struct Mixed(u64);

impl DynSink for Mixed {
    fn part(&mut self, position: &[u64]) {
        position.iter().for_each(|n| self.0 = self.0.rotate_left(1) ^ n);
    }
    fn option(&mut self) -> ControlFlow<()> {
        self.0 = self.0.wrapping_add(1);
        ControlFlow::Continue(())
    }
}

fn of_ruleset<R: Ruleset<Position = u64>>(rules: &R) -> u64 {
    let mut mixed = Mixed::default();
    for n in 1..=HEAPS {
        let _ = rules.options(&n, &mut |parts: &[u64]| {
            parts.iter().for_each(|p| mixed.part(std::slice::from_ref(p)));
            mixed.option()
        });
    }
    mixed.0
}

fn of_own(rules: &dyn DynRuleset) -> u64 {
    let mut mixed = Mixed::default();
    for n in 1..=HEAPS {
        let _ = rules.options(&[n], &mut mixed);
    }
    mixed.0
}

/// The place among the doors of the one that the others are compared with.
const AT_RUN_TIME: usize = 1;

/// A door, and what lists the options of all heaps by it.
type Door = (&'static str, Box<dyn FnMut() -> u64>);

fn doors() -> Vec<Door> {
    let AnyRuleset::Custom(own) = halves() else { panic!("no ruleset of one's own") };
    let Ok((_, AnyRuleset::Heap(heap))) = read_rules(TOML) else { panic!("no heap game") };
    let rule: HeapRule = heap.rule().clone();
    #[allow(unused_mut)]
    let mut doors: Vec<Door> = vec![
        ("Rust, the trait itself", Box::new(|| of_ruleset(black_box(&Halves)))),
        ("Rust, at run time", Box::new(move || of_own(&*own))),
        ("TOML, kind = \"heap\"", Box::new(move || of_ruleset(&rule))),
    ];
    #[cfg(feature = "wasm")]
    {
        let module = grundy_wasm::load(include_bytes!("../../crates/grundy-wasm/examples/halves.wat"))
            .unwrap_or_else(|e| panic!("{e}"));
        doors.push(("WebAssembly", Box::new(move || of_own(&module))));
    }
    doors
}

fn main() {
    let is_smoke_run = std::env::args().any(|a| a == "--test");
    let mut doors = doors();
    let mut shortest = vec![Duration::MAX; doors.len()];
    let rounds = if is_smoke_run { 1 } else { 400 };
    for _ in 0..rounds {
        for (i, (_, list)) in doors.iter_mut().enumerate() {
            let started = Instant::now();
            black_box(list());
            shortest[i] = shortest[i].min(started.elapsed());
        }
    }
    let nanos = |d: &Duration| d.as_nanos() as f64 / HEAPS as f64;
    for ((name, _), time) in doors.iter().zip(&shortest) {
        println!("{name:24} {:8.1} ns a listing   {:5.2} x", nanos(time), nanos(time) / nanos(&shortest[AT_RUN_TIME]));
    }
}
