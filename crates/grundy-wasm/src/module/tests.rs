use grundy_core::rulesets::custom::options_of;

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

#[test]
fn rust_toml_and_webassembly_give_the_same_values() {
    use grundy::{Budget, Session, formats::rules::read_rules, query::SequenceQuery};
    use grundy_core::rulesets::AnyRuleset;
    use std::sync::Arc;

    const TO: u64 = 100_000;
    let mut session = Session::new();
    let module: Arc<dyn DynRuleset> = Arc::new(load(HALVES.as_bytes()).unwrap());
    let AnyRuleset::Custom(in_rust) = my_rules::halves() else { panic!("no ruleset of one's own") };
    let Ok((_, AnyRuleset::Heap(game))) = read_rules(my_rules::TOML) else { panic!("no heap game") };
    let by_module = session.own_sequence(&module, TO, &Budget::default()).unwrap();
    let by_rust = session.own_sequence(&in_rust, TO, &Budget::default()).unwrap();
    let by_file = session.sequence(&SequenceQuery { game, to: TO }, &Budget::default());
    assert_eq!(by_module.values.len() as u64, TO + 1);
    assert_eq!(by_module.values, by_rust.values);
    assert_eq!(by_module.values, by_file.values);
    for (name, stats) in
        [("module", by_module.header.stats), ("rust", by_rust.header.stats), ("file", by_file.header.stats)]
    {
        println!("{name}: {:?}", stats.elapsed);
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
