use std::ops::ControlFlow;

use grundy_core::{
    notation::read_ruleset,
    rulesets::custom::{DynRuleset, DynSink},
};

use super::*;
use crate::formats::rules::read_rules;

fn checked(name: &str, ruleset: AnyRuleset) -> RulesAnswer {
    let query = RulesQuery { name: name.into(), ruleset, from: Vec::new(), seed: 1, positions: 1500 };
    Session::new().check_rules(&query, &Budget::default()).unwrap()
}

/// A game of one heap whose moves are told by a function.
#[derive(Debug)]
struct Told {
    options: fn(u64, &std::sync::atomic::AtomicU64) -> Vec<Vec<u64>>,
    counter: std::sync::atomic::AtomicU64,
    canonical: fn(u64) -> u64,
    ranked: bool,
}

impl DynRuleset for Told {
    fn name(&self) -> &str {
        "told"
    }
    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        for option in (self.options)(position[0], &self.counter) {
            sink.push_sum(option.chunks(1))?;
        }
        ControlFlow::Continue(())
    }
    fn dimension(&self) -> Option<usize> {
        Some(1)
    }
    fn canonical(&self, position: &[u64]) -> Vec<u64> {
        vec![(self.canonical)(position[0])]
    }
    fn rank(&self, position: &[u64]) -> Option<u64> {
        self.ranked.then_some(position[0])
    }
    fn unrank(&self, rank: u64) -> Option<Vec<u64>> {
        Some(vec![rank])
    }
}

fn told(options: fn(u64, &std::sync::atomic::AtomicU64) -> Vec<Vec<u64>>) -> Told {
    Told { options, counter: Default::default(), canonical: |n| n, ranked: false }
}

fn law(told: Told) -> Option<(Law, String)> {
    let answer = checked("told", AnyRuleset::Custom(std::sync::Arc::new(told)));
    assert_eq!(answer.accepted, Some(answer.violation.is_none()));
    answer.violation.map(|v| (v.law, v.what))
}

#[test]
fn each_law_is_seen_to_be_broken() {
    use std::sync::atomic::Ordering::Relaxed;
    let down: fn(u64, &std::sync::atomic::AtomicU64) -> Vec<Vec<u64>> = |n, _| (0..n).map(|k| vec![k]).collect();
    assert_eq!(law(told(down)), None);
    let (broken, what) =
        law(told(|n, _| if n == 2 { vec![vec![3]] } else { (0..n).map(|k| vec![k]).collect() })).unwrap();
    assert_eq!((broken, what.as_str()), (Law::Termination, "play can go on for ever: told(2) -> told(3) -> told(2)"));
    let twice = told(|n, counter| if n == 5 { vec![vec![counter.fetch_add(1, Relaxed) % 5]] } else { vec![] });
    assert_eq!(law(twice).unwrap().0, Law::Determinism);
    assert_eq!(law(told(|n, _| if n == 4 { vec![vec![1], vec![1]] } else { vec![] })).unwrap().0, Law::Options);
    assert_eq!(law(Told { canonical: |n| n / 2, ..told(down) }).unwrap().0, Law::Canonical);
    let (broken, what) = law(Told { canonical: |n| n & !1, ..told(down) }).unwrap();
    assert_eq!(broken, Law::Canonical, "{what}");
    assert!(what.contains("another Grundy value"), "{what}");
    let up = Told { ranked: true, ..told(|n, _| if n == 3 { vec![vec![4]] } else { vec![] }) };
    assert_eq!(law(up).unwrap().0, Law::Rank);
}

#[test]
fn games_of_the_notation_keep_the_laws() {
    for text in ["kayles", "[take any | split]", "nim", "wythoff", "moore[2]"] {
        let name = text.split('[').next().unwrap();
        let answer = checked(name, read_ruleset(text).unwrap());
        assert_eq!((answer.accepted, &answer.violation), (Some(true), &None), "{text}");
        let sums = answer.tried.iter().find(|(law, _)| *law == Law::Sums).unwrap().1;
        assert!(sums > 0, "{text}");
    }
}

#[test]
fn files_keep_the_laws_or_are_refused() {
    let check = |text: &str| {
        let (name, ruleset) = read_rules(text).unwrap();
        checked(&name, ruleset)
    };
    for text in [
        "name = \"h\"\nkind = \"heap\"\nrule = \"take 1..3 | split into a, b where a = b\"",
        "name = \"g\"\nkind = \"grid\"\nsize = [5, 5]\nblocked = [[1, 1]]\nrides = [[-1, 0], [0, -1]]\nsteps = [[-2, 1]]",
        "name = \"t\"\nkind = \"grid\"\nsize = [6]\nrides = [[-1]]\ntokens = 2",
        "name = \"m\"\nkind = \"memory\"\nfirst = \"k < n\"\nnext = \"k <= 2 * last\"",
        "name = \"r\"\nkind = \"row\"\ntake = \"take any\"\nfrom = \"ends\"",
        "name = \"s\"\nkind = \"row\"\ntake = \"take 1..2\"\nfrom = \"left\"\nempty = \"stays\"",
        "name = \"p\"\nkind = \"poset\"\nelements = [\"a\", \"b\", \"c\", \"d\"]\ncovers = [[\"a\", \"b\"], [\"a\", \"c\"], [\"b\", \"d\"]]",
        "name = \"d\"\nkind = \"deletion\"\nvertices = 4\nedges = [[1, 2], [2, 3], [3, 4]]\ndelete = [\"vertex\", \"edge\"]",
    ] {
        let answer = check(text);
        assert_eq!((answer.accepted, &answer.violation), (Some(true), &None), "{text}");
    }
    let round = check("name = \"g\"\nkind = \"grid\"\nsize = [4]\nsteps = [[1], [-1]]");
    let violation = round.violation.unwrap();
    assert_eq!((violation.law, violation.cycle.len()), (Law::Termination, 3));
    // and a search that meets the cycle refuses, never hangs
    let (_, ruleset) = read_rules("name = \"g\"\nkind = \"grid\"\nsize = [4]\nsteps = [[1], [-1]]").unwrap();
    let sum = ruleset.components(&[0]).unwrap();
    for (convention, remoteness) in [(Convention::Normal, true), (Convention::Misere, false)] {
        let query = crate::query::SolveQuery {
            remoteness,
            ..crate::query::SolveQuery::new(sum.iter().cloned().collect(), convention)
        };
        let refusal = Session::new().solve(&query, &Budget::default()).unwrap_err();
        assert!(refusal.message.contains("play can go on for ever: g("), "{refusal}");
    }
    // play that grows for ever has no cycle: nothing is known then
    let grows = check("name = \"g\"\nkind = \"grid\"\nsteps = [[1]]");
    assert_eq!(grows.accepted, None);
}
