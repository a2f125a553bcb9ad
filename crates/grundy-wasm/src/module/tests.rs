use grundy_core::{
    notation::read_ruleset,
    ruleset::{OptionSink, Ruleset},
    rulesets::{
        AnyRuleset,
        custom::{Named, options_of},
    },
    theory::Mex,
};

use super::*;

const HALVES: &str = include_str!("../../examples/halves.wat");

/// The example with another body of `grundy_options`.
fn with_options(body: &str) -> WasmRuleset {
    let text = format!(
        "(module (memory (export \"memory\") 1) (data (i32.const 0) \"name bad\\nnumbers 1\\00\")
           (func (export \"grundy_about\") (result i32) (i32.const 0))
           (func (export \"grundy_buffer\") (param i32) (result i32) (i32.const 1024))
           (func (export \"grundy_options\") (param i32 i32) (result i32) {body}))"
    );
    load(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

fn fault(body: &str) -> Fault {
    let rules = with_options(body);
    assert!(options_of(&rules, &[5]).is_empty());
    let fault = rules.take_fault().expect("a fault");
    assert_eq!(rules.take_fault(), None);
    fault
}

#[test]
fn the_example_is_what_it_says() {
    let halves = load(HALVES.as_bytes()).unwrap();
    assert_eq!((halves.dimension(), halves.is_heap(), halves.rank(&[7])), (Some(1), true, Some(7)));
    assert!(halves.about().starts_with("Take 1 to 3"));
    for n in 0..200u64 {
        let mut expected: Vec<Vec<Vec<u64>>> = (1..=3.min(n)).map(|k| vec![vec![n - k]]).collect();
        if n > 0 && n % 2 == 0 {
            expected.push(vec![vec![n / 2], vec![n / 2]]);
        }
        assert_eq!(options_of(&halves, &[n]), expected, "{n}");
    }
    assert_eq!(halves.take_fault(), None);
}

/// The values of 0 to `to` by definition; every part of every option must be smaller.
fn values(rules: &dyn DynRuleset, to: u64) -> Vec<u64> {
    struct Seen<'a>(&'a [u64], u64, Mex);
    impl DynSink for Seen<'_> {
        fn part(&mut self, position: &[u64]) {
            self.1 ^= self.0[position[0] as usize];
        }
        fn option(&mut self) -> ControlFlow<()> {
            self.2.insert(std::mem::take(&mut self.1));
            ControlFlow::Continue(())
        }
    }
    let mut values = Vec::new();
    for n in 0..=to {
        let mut seen = Seen(&values, 0, Mex::default());
        let _ = rules.options(&[n], &mut seen);
        let value = seen.2.mex();
        values.push(value);
    }
    values
}

/// The example's game as a rule of heaps, whose options are listed by the core.
#[test]
fn the_example_has_the_values_of_the_rule_of_heaps() {
    let AnyRuleset::Heap(game) = read_ruleset("[take 1..3 | split into a, b where a = b]").unwrap() else {
        panic!("no heap game")
    };
    let named = Named::new("halves", game.rule().clone()).counting_down();
    let module = load(HALVES.as_bytes()).unwrap();
    assert_eq!(values(&module, 100_000), values(&named, 100_000));
    assert_eq!(module.take_fault(), None);
}

/// Prints what a listing of the options costs, in Rust at run time and in a module.
#[test]
#[ignore = "a measurement: cargo test -p grundy-wasm --features runtime -- --ignored --nocapture"]
fn cost_of_a_listing() {
    #[derive(Debug)]
    struct Halves;
    impl Ruleset for Halves {
        type Position = u64;
        fn options(&self, n: &u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
            (1..=3.min(*n)).try_for_each(|k| sink.push(n - k))?;
            if *n > 0 && n.is_multiple_of(2) { sink.push_sum(&[n / 2, n / 2]) } else { ControlFlow::Continue(()) }
        }
    }
    #[derive(Default)]
    struct Mixed(u64);
    impl DynSink for Mixed {
        fn part(&mut self, position: &[u64]) {
            self.0 = self.0.rotate_left(1) ^ position[0];
        }
        fn option(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
    let module = load(HALVES.as_bytes()).unwrap();
    let named = Named::new("halves", Halves).counting_down();
    for (name, rules) in [("Rust", &named as &dyn DynRuleset), ("module", &module)] {
        let mut shortest = u128::MAX;
        for _ in 0..200 {
            let started = std::time::Instant::now();
            let mut mixed = Mixed::default();
            (1..=1000).for_each(|n| drop(rules.options(&[n], &mut mixed)));
            std::hint::black_box(mixed.0);
            shortest = shortest.min(started.elapsed().as_nanos() / 1000);
        }
        println!("{name}: {shortest} ns a listing");
    }
}

#[test]
fn rules_that_loop_or_eat_memory_are_stopped() {
    let endless = fault("(loop $l (br $l)) (i32.const 0)");
    assert!(endless.is_limit && endless.message.contains("instructions"), "{endless:?}");
    let greedy = fault("(loop $l (drop (memory.grow (i32.const 100))) (br $l)) (i32.const 0)");
    assert!(greedy.is_limit && greedy.message.contains("64 MiB"), "{greedy:?}");
    let deep = fault("(call 2 (local.get 0) (local.get 1))");
    assert!(!deep.is_limit && deep.message.contains("stack"), "{deep:?}");
}

#[test]
fn rules_that_are_wrong_are_faults() {
    let trap = fault("(unreachable)");
    assert!(!trap.is_limit && trap.message.contains("broke off"), "{trap:?}");
    assert!(fault("(i32.const -8)").message.contains("outside the memory"));
    // an answer of one word, which announces a part that is not there
    let body = "(i64.store (i32.const 64) (i64.const 1)) (i64.store (i32.const 72) (i64.const 1)) (i32.const 64)";
    assert!(fault(body).message.contains("word 2"));
    let many = "(i64.store (i32.const 64) (i64.const -1)) (i32.const 64)";
    assert!(fault(many).message.contains("words"));
    let length = "(i64.store (i32.const 64) (i64.const 2)) (i64.store (i32.const 72) (i64.const 1))
                  (i64.store (i32.const 80) (i64.const -1)) (i32.const 64)";
    assert!(fault(length).message.contains("word 2"));
}

#[test]
fn after_a_fault_the_rules_run_again() {
    let rules = with_options(
        "(if (i64.eq (i64.load (local.get 0)) (i64.const 5)) (then (unreachable)))
         (i64.store (i32.const 64) (i64.const 0)) (i32.const 64)",
    );
    let _ = options_of(&rules, &[5]);
    assert!(rules.take_fault().is_some());
    assert!(options_of(&rules, &[4]).is_empty());
    assert_eq!(rules.take_fault(), None);
}

#[test]
fn modules_that_are_no_rules_are_refused() {
    let refused = |text: &str| load(text.as_bytes()).expect_err(text).message;
    assert!(refused("(module").contains("no WebAssembly module"));
    assert!(refused("(module (import \"env\" \"f\" (func)))").contains("imports env.f"));
    assert!(refused("(module)").contains("exports no memory"));
    assert!(refused("(module (memory (export \"memory\") 1))").contains("exports no grundy_about"));
    assert!(refused(&HALVES.replace("name halves", "game halves")).contains("names no rules"));
    assert!(refused(&HALVES.replace("numbers 1", "numbers x")).contains("is no number"));
    assert!(refused(&HALVES.replace("numbers 1", "numbers 2")).contains("positions of one number"));
    assert!(refused("(module (memory (export \"memory\") 2000))").contains("64 MiB"));
    let start = "(module (memory (export \"memory\") 1) (func $f (loop $l (br $l))) (start $f))";
    assert!(refused(start).contains("does not start"));
    assert!(load(b"\0asm\x01\0\0\0garbage").is_err());
}
