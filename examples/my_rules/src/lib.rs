//! A game of one's own: take 1 to 3 from a heap, or split it into two equal heaps. Here in Rust; the same rules stand in
//! `rules/halves.toml`, and as a WebAssembly module in `crates/grundy-wasm/examples/halves.wat`.

use std::{ops::ControlFlow, sync::Arc};

use grundy_core::{
    ruleset::{OptionSink, Ruleset},
    rulesets::{AnyRuleset, custom::Named},
};

/// The rules; there is nothing to remember.
#[derive(Clone, Copy, Debug)]
pub struct Halves;

impl Ruleset for Halves {
    /// The size of the heap.
    type Position = u64;

    fn options(&self, n: &u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
        for k in 1..=3.min(*n) {
            sink.push(n - k)?;
        }
        if *n > 0 && n.is_multiple_of(2) {
            sink.push_sum(&[n / 2, n / 2])?;
        }
        ControlFlow::Continue(())
    }
}

/// The rules as everything in grundy takes them: under a name, with names of moves, and the promise that heaps get smaller.
pub fn halves() -> AnyRuleset {
    let named = Named::new("halves", Halves)
        .about("Take 1 to 3, or split into two equal heaps.")
        .naming_moves(|_, n, parts| match parts {
            [a, _] => format!("split into {a} + {a}"),
            _ => format!("take {}", n - parts.iter().sum::<u64>()),
        })
        .counting_down();
    AnyRuleset::Custom(Arc::new(named))
}

/// The same rules as a file.
pub const TOML: &str = include_str!("../rules/halves.toml");

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::{Budget, Session, formats::rules::read_rules, rules::RulesQuery};
    use grundy_core::ruleset::definition::GrundyByDefinition;

    #[test]
    fn rust_and_toml_give_the_same_values() {
        const TO: u64 = 100_000;
        let AnyRuleset::Custom(own) = halves() else { panic!("no ruleset of one's own") };
        let (name, AnyRuleset::Heap(heap)) = read_rules(TOML).unwrap() else { panic!("no heap game") };
        assert_eq!(name, "halves");
        let mut session = Session::new();
        let in_rust = session.own_sequence(&own, TO, &Budget::default()).unwrap();
        let query = grundy::query::SequenceQuery { game: heap, to: TO };
        let in_toml = session.sequence(&query, &Budget::default());
        assert_eq!(in_rust.values.len() as u64, TO + 1);
        assert_eq!(in_rust.values, in_toml.values);
        let mut twin = GrundyByDefinition::new(&Halves);
        (0..200).for_each(|n| assert_eq!(twin.value(&n), in_rust.values[n as usize], "{n}"));
    }

    #[test]
    fn the_rules_keep_the_laws() {
        let query = RulesQuery { name: "halves".into(), ruleset: halves(), from: Vec::new(), seed: 1, positions: 2000 };
        let answer = Session::new().check_rules(&query, &Budget::default()).unwrap();
        assert_eq!((answer.accepted, answer.violation), (Some(true), None));
    }
}
