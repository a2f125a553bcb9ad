//! Closed forms: discovered from values, proved for all heaps by automata.

pub(crate) mod atoms;
mod cases;
pub(crate) mod compile;
pub(crate) mod learn;
mod partition;
mod prove;
mod readable;
pub(crate) mod relation;
mod search;
mod simple;
mod terms;

pub use readable::readable;
pub use search::{Attempt, Discovery, Form, discover};
pub use simple::simple_forms;

pub(crate) use atoms::{Linear, at_most_zero, equal_zero};
pub(crate) use compile::{HEAP, VALUE, claim, graph};
pub(crate) use prove::{Verdict, prove};
pub(crate) use relation::{Relation, exists, find};
pub(crate) use search::{graph_of, table_of};

use crate::budget::StopReason;

/// Why a question was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// A limit was reached.
    Stop(StopReason),
    /// The rule or formula lies outside the theory: what it has that automata cannot say.
    Outside(String),
}

impl Halt {
    pub(crate) fn outside(what: impl Into<String>) -> Self {
        Halt::Outside(what.into())
    }
}

impl From<StopReason> for Halt {
    fn from(stop: StopReason) -> Self {
        Halt::Stop(stop)
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::{formula::Formula, read_heap_game};

    use super::{
        prove::{Verdict, prove},
        *,
    };
    use crate::budget::Meter;

    #[test]
    fn formulas_are_proved_and_refuted() {
        let m = &mut Meter::unlimited();
        for (rule, formula, proved) in [
            ("[take powers of 2]", "n mod 3", true),
            ("nim", "n", true),
            ("lasker", "n", false),
            ("lasker", "n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n", true),
            (
                "[take any | split into a, b where a != b]",
                "n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n",
                true,
            ),
            ("[take odd]", "n mod 2", true),
            ("[take even]", "n div 2", true),
            ("[take 1..3]", "n bitand 3", true),
            ("[take any leaving a, b | take any]", "n", true),
            ("[take any leaving a, b | take any]", "n xor 1", false),
        ] {
            let game = read_heap_game(rule).unwrap();
            let f = Formula::parse(formula, &["n"]).unwrap();
            let graph = compile::graph(&f, m).unwrap();
            for n in 0..300u64 {
                let v = f.eval(&[n.into()]).unwrap();
                assert!(graph.contains(&[n.into(), v as u128]), "{formula} {n}");
                assert!(!graph.contains(&[n.into(), v as u128 + 1]), "{formula} {n}");
            }
            let verdict = prove(game.rule(), &graph, m).unwrap();
            assert_eq!(verdict == Verdict::Proved, proved, "{rule} {formula} {verdict:?}");
        }
    }
}
