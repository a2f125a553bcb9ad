//! Claims proved and refuted, held against outcomes by the definition that are computed here once more.

use std::{collections::HashMap, time::Duration};

use grundy_core::{notation::formula::Claim, theory::Convention};
use proptest::prelude::*;

use super::*;
use crate::budget::Limit;

fn query(rule: &str, heaps: u8, convention: Convention, claim: &str) -> TupleQuery {
    let ruleset = TupleRuleset::read(rule).unwrap();
    let names = ruleset.names(heaps);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let claim = Claim::parse(claim, &names).unwrap().condition().clone();
    TupleQuery { ruleset, heaps, convention, claim }
}

fn search(rule: &str, heaps: u8, convention: Convention) -> TupleSearch {
    TupleSearch { ruleset: TupleRuleset::read(rule).unwrap(), heaps, convention }
}

fn prove(rule: &str, heaps: u8, convention: Convention, claim: &str) -> TupleAnswer {
    let start = std::time::Instant::now();
    let answer = Session::new().prove_tuple(&query(rule, heaps, convention, claim), &Budget::default()).unwrap();
    eprintln!("{rule} on {heaps}, {convention}: {claim}: {:?} {:?}", answer.verdict, start.elapsed());
    answer
}

const NORMAL: Convention = Convention::Normal;
const MISERE: Convention = Convention::Misere;

/// Heaps that balance, and an odd number of ones where no heap is larger.
fn misere(modulus: u8, balanced: &str) -> String {
    format!("max(a, b, c) <= 1 and (a + b + c) mod {modulus} = 1 or max(a, b, c) > 1 and {balanced}")
}

fn misere_nim() -> String {
    misere(2, "a xor b xor c = 0")
}

#[test]
fn theorems_are_proved() {
    for (rule, heaps, convention, claim) in [
        ("nim", 1, NORMAL, "a = 0"),
        ("nim", 1, MISERE, "a = 1"),
        ("nim", 2, NORMAL, "a = b"),
        ("nim", 3, NORMAL, "a xor b xor c = 0"),
        ("nim", 4, NORMAL, "a xor b xor c xor d = 0"),
        ("nimble", 3, NORMAL, "columns(a, b, c) mod 2 = 0"),
        ("nim", 3, MISERE, &misere_nim()),
        ("moore[1]", 3, MISERE, &misere_nim()),
        ("moore[2]", 3, NORMAL, "columns(a, b, c) mod 3 = 0"),
        ("moore[2]", 4, NORMAL, "columns(a, b, c, d) mod 3 = 0"),
        ("moore[3]", 4, NORMAL, "columns(a, b, c, d) mod 4 = 0"),
        ("moore[5]", 2, NORMAL, "a + b = 0"),
        ("moore[2]", 3, MISERE, &misere(3, "columns(a, b, c) mod 3 = 0")),
        ("[take 1..3]", 3, NORMAL, "(a mod 4) xor (b mod 4) xor (c mod 4) = 0"),
        ("[take 1..3]", 1, MISERE, "a mod 4 = 1"),
        ("[take odd]", 3, NORMAL, "(a + b + c) mod 2 = 0"),
        ("[take even]", 2, NORMAL, "a div 2 = b div 2"),
        ("subtraction[{1,3,4}]", 1, NORMAL, "a mod 7 = 0 or a mod 7 = 2"),
        ("[take k where 2*k <= n]", 1, NORMAL, "a = 0 or lowbit(a + 1) = a + 1"),
        ("staircase", 4, NORMAL, "b = d"),
        ("staircase", 3, MISERE, "b = 1"),
    ] {
        assert_eq!(prove(rule, heaps, convention, claim).verdict, TupleVerdict::Proved, "{rule} {heaps} {claim}");
    }
}

#[test]
fn wrong_claims_are_refuted_at_the_smallest_position() {
    for (rule, heaps, convention, claim, smallest, member) in [
        ("moore[2]", 3, NORMAL, "a xor b xor c = 0", vec![0, 1, 1], true),
        ("moore[2]", 4, NORMAL, "columns(a, b, c, d) mod 4 = 0", vec![0, 1, 1, 1], false),
        ("nim", 3, MISERE, "a xor b xor c = 0", vec![0, 0, 0], true),
        ("nim", 2, MISERE, "a = b and a > 0", vec![0, 1], false),
        ("nim", 3, MISERE, "a xor b xor c = 0 and max(a, b, c) > 1", vec![0, 0, 1], false),
        ("wythoff", 2, NORMAL, "a = b", vec![1, 1], true),
        ("wythoff", 2, NORMAL, "a = b and a = 0", vec![1, 2], false),
        (
            "wythoff",
            2,
            NORMAL,
            "a = 0 and b = 0 or min(a, b) = 1 and max(a, b) = 2 or a + b = 8 and max(a, b) = 5",
            vec![4, 7],
            false,
        ),
        ("[take 1..3]", 2, NORMAL, "a mod 5 = b mod 5", vec![0, 4], false),
        ("nim", 2, NORMAL, "a = b or a = 300 and b = 7", vec![300, 7], true),
        ("staircase", 3, NORMAL, "a = b", vec![1, 0, 0], false),
    ] {
        let answer = prove(rule, heaps, convention, claim);
        let TupleVerdict::Refuted { position, is_member, is_smallest, .. } = &answer.verdict else { panic!("{claim}") };
        assert_eq!((position, *is_member, *is_smallest), (&smallest, member, true), "{rule} {claim}");
    }
    let TupleVerdict::Refuted { why, .. } = prove("moore[2]", 3, NORMAL, "a xor b xor c = 0").verdict else { panic!() };
    assert_eq!(why, "the claim holds there and at its option (0, 0, 0) too");
}

#[test]
fn far_away_mistakes_are_found_without_listing_all_positions() {
    let far = 1 << 40;
    let none = "the claim does not hold there, and at none of its options either";
    for (rule, claim, smallest, member, why) in [
        ("nim", "a xor b xor c = 0 and a != 2^40", vec![far, 0, far], false, none),
        (
            "nim",
            "a xor b xor c = 0 or a = 2^40 and b = 2^39 and c = 5",
            vec![far, far / 2, 5],
            true,
            "the claim holds there and at its option (549755813893, 549755813888, 5) too",
        ),
        // a rule whose amounts are all looked through
        (
            "[take k where n < 5]",
            "max(a, b, c) < 2^40 and max(a, b, c) > 4",
            vec![0, 0, 0],
            false,
            "the claim does not hold there, but no move is left, and whoever cannot move loses",
        ),
    ] {
        let answer = prove(rule, 3, NORMAL, claim);
        let TupleVerdict::Refuted { position, is_member, is_smallest, why: said } = answer.verdict else { panic!() };
        assert_eq!((position, is_member, is_smallest, said.as_str()), (smallest, member, true, why), "{claim}");
    }
}

#[test]
fn the_method_says_what_was_tested() {
    for (claim, method) in [
        ("a = b and c = 0", "a counterexample by automata, the smallest wrong position by the definition"),
        (
            "a xor b xor c = 0 or a = 2^40 and b = 2^39 and c = 5",
            "the smallest wrong position by automata, the claim tested by the definition there and at the options",
        ),
        (
            "a xor b xor c = 0 and a != 2^40",
            "the smallest wrong position by automata, which has too many options to test the claim at all of them",
        ),
    ] {
        assert_eq!(prove("nim", 3, NORMAL, claim).header.method, method, "{claim}");
    }
}

#[test]
fn limits_stop() {
    let q = query("moore[2]", 4, NORMAL, "columns(a, b, c, d) mod 3 = 0");
    for (budget, limit) in [
        (Budget { memory: Some(1000), ..Budget::default() }, Limit::Memory),
        (Budget { time: Some(Duration::ZERO), ..Budget::default() }, Limit::Time),
        (Budget { positions: Some(10), ..Budget::default() }, Limit::Positions),
    ] {
        let answer = Session::new().prove_tuple(&q, &budget).unwrap();
        assert_eq!((answer.holds(), answer.stop.unwrap().limit), (None, limit));
        let search = TupleSearch { ruleset: q.ruleset.clone(), heaps: 4, convention: NORMAL };
        let found = Session::new().discover_tuple(&search, &budget).unwrap();
        assert_eq!(found.stop.unwrap().limit, limit);
        assert_ne!(found.header.status, Status::Proved);
    }
}

#[test]
fn what_lies_outside_is_refused() {
    for (rule, heaps, claim) in [
        ("euclid", 2, "a = b"),
        ("wythoff", 3, "a = b"),
        ("treblecross", 2, "a = b"),
        ("[take primes]", 2, "a = b"),
        ("nim", 2, "a * b = 0"),
        ("nim", 2, "bitlength(a) = b"),
        ("nim", 2, "(a - b) xor 1 = 0"),
    ] {
        let refused = Session::new().prove_tuple(&query(rule, heaps, NORMAL, claim), &Budget::default());
        eprintln!("{:?}", refused.as_ref().map_err(|r| &r.message));
        assert!(refused.is_err(), "{rule} {claim}");
    }
}

#[test]
fn sets_are_discovered() {
    for (rule, heaps, convention, claim, states) in [
        ("nim", 3, NORMAL, Some("a xor b xor c = 0"), Some(1)),
        ("nim", 2, NORMAL, Some("a = b"), Some(1)),
        ("nim", 3, MISERE, Some(&*misere_nim()), Some(4)),
        ("moore[2]", 3, NORMAL, Some("columns(a, b, c) mod 3 = 0"), Some(1)),
        ("moore[2]", 4, NORMAL, Some("columns(a, b, c, d) mod 3 = 0"), Some(1)),
        ("[take 1..3]", 2, NORMAL, Some("a mod 4 = b mod 4"), None),
        ("[take 1..3]", 3, NORMAL, Some("a mod 4 xor b mod 4 xor c mod 4 = 0"), None),
        ("[take 1..3]", 2, MISERE, None, None),
        ("[take even]", 3, NORMAL, Some("a div 2 xor b div 2 xor c div 2 = 0"), None),
        ("subtraction[{1,3,4}]", 1, NORMAL, None, None),
        ("subtraction[{1,3,4}]", 2, NORMAL, None, None),
        ("lasker", 2, NORMAL, Some("a = b"), None),
        ("lasker", 4, NORMAL, None, None),
        ("kayles", 3, NORMAL, None, None),
        ("[split]", 3, NORMAL, None, None),
        ("[take 1 | take primes]", 3, NORMAL, Some("a mod 4 xor b mod 4 xor c mod 4 = 0"), None),
        ("[take powers of 2]", 3, NORMAL, None, None),
        ("staircase", 4, NORMAL, Some("b = d"), Some(1)),
    ] {
        let start = std::time::Instant::now();
        let found = Session::new().discover_tuple(&search(rule, heaps, convention), &Budget::default()).unwrap();
        let text = found.claim.as_ref().map(Claim::to_string);
        eprintln!(
            "{rule} on {heaps}, {convention}: {text:?}, {:?} states, side {}, {:?}",
            found.states,
            found.side,
            start.elapsed()
        );
        assert_eq!(found.header.status, Status::Proved, "{rule} {heaps}");
        if claim.is_some() {
            assert_eq!(text.as_deref(), claim, "{rule} {heaps}");
        }
        if states.is_some() {
            assert_eq!(found.states, states, "{rule} {heaps}");
        }
    }
}

/// The Grundy values of heaps of a game that may leave two heaps, by the mex.
fn values(options: impl Fn(usize, &[u64]) -> Vec<u64>, to: usize) -> Vec<u64> {
    let mut values = Vec::new();
    for n in 0..=to {
        let reached = options(n, &values);
        values.push((0..).find(|v| !reached.contains(v)).unwrap());
    }
    values
}

#[test]
fn heaps_that_split_are_decided_by_their_values() {
    let parts = |g: &[u64], rest: usize| (0..=rest / 2).map(|i| g[i] ^ g[rest - i]).collect::<Vec<_>>();
    let kayles = values(|n, g| (1..=n.min(2)).flat_map(|k| parts(g, n - k)).collect(), 60);
    let lasker = values(|n, g| g.iter().copied().chain((1..n).map(|i| g[i] ^ g[n - i])).collect(), 60);
    for (rule, g, claims) in [
        ("kayles", kayles, ["a = b", "a mod 12 = b mod 12", "a = b or a + b = 5", "min(a, b) = max(a, b) and a < 70"]),
        ("lasker", lasker, ["a mod 4 = b mod 4", "a + b = 0", "a = b or max(a, b) > 50", "a = b and a != 33"]),
    ] {
        for text in claims {
            let answer = prove(rule, 2, NORMAL, text);
            let claim = Claim::parse(text, &["a", "b"]).unwrap();
            let wrong = (0..=60u64).flat_map(|total| (0..=total).map(move |a| vec![a, total - a])).find(|p| {
                let is_lost = g[p[0] as usize] == g[p[1] as usize];
                plain::holds(claim.condition(), p) != Ok(is_lost)
            });
            let TupleVerdict::Refuted { position, is_member, is_smallest: true, .. } = answer.verdict else {
                panic!("{rule} {text}: {:?}", answer.verdict)
            };
            if wrong.is_some() {
                assert_eq!(Some(&position), wrong.as_ref(), "{rule} {text}");
            }
            assert_eq!(plain::holds(claim.condition(), &position), Ok(is_member));
        }
    }
    let proved = prove("lasker", 2, NORMAL, "a = b");
    assert_eq!(proved.verdict, TupleVerdict::Proved);
    assert!(proved.header.method.starts_with("by Sprague-Grundy "), "{}", proved.header.method);
    // four copies of a period with many values stop in time
    let budget = Budget { time: Some(Duration::from_secs(3)), ..Budget::default() };
    let start = std::time::Instant::now();
    let same = query("kayles", 4, NORMAL, "a = b and c = d or a = c and b = d or a = d and b = c");
    let answer = Session::new().prove_tuple(&same, &budget).unwrap();
    assert!(matches!(answer.verdict, TupleVerdict::Refuted { is_smallest: true, .. }), "{:?}", answer.verdict);
    assert!(start.elapsed() < Duration::from_secs(30));
    // far from the first positions
    let far = prove("lasker", 2, NORMAL, "a = b and a < 10^9");
    let TupleVerdict::Refuted { position, is_smallest: true, .. } = far.verdict else { panic!("{:?}", far.verdict) };
    assert_eq!(position, [1_000_000_000, 1_000_000_000]);
    let misere = Session::new().prove_tuple(&query("lasker", 2, MISERE, "a = b"), &Budget::default()).unwrap_err();
    assert!(misere.message.contains("in misère play"), "{}", misere.message);
}

#[test]
fn what_no_formula_says_is_said_by_a_theorem() {
    let search = search("wythoff", 2, NORMAL);
    let found = Session::new().discover_tuple(&search, &Budget::default()).unwrap();
    assert_eq!((found.header.status, found.claim.is_none(), found.states), (Status::Proved, true, None));
    assert!(found.theorem.is_some_and(|theorem| theorem.contains("golden ratio")), "{:?}", found.theorem);
    assert_eq!(found.members[..4], [vec![0, 0], vec![1, 2], vec![2, 1], vec![3, 5]]);
}

/// True if a position is a P-position, by recursion on moves that are written down here.
fn is_lost(rule: usize, convention: Convention, p: &[u64], known: &mut HashMap<Vec<u64>, bool>) -> bool {
    if let Some(lost) = known.get(p) {
        return *lost;
    }
    let mut options: Vec<Vec<u64>> = Vec::new();
    for i in 0..p.len() {
        for t in 1..=p[i] {
            let mut one = p.to_vec();
            one[i] -= t;
            match rule {
                // taking 1 to 3
                1 if t > 3 => continue,
                // a second heap too, by as much or by any amount
                2 | 3 => {
                    for j in i + 1..p.len() {
                        for u in (1..=p[j]).filter(|u| rule == 3 || *u == t) {
                            let mut two = one.clone();
                            two[j] -= u;
                            options.push(two);
                        }
                    }
                }
                _ => {}
            }
            options.push(one);
        }
    }
    let lost = match options.is_empty() {
        true => convention == NORMAL,
        false => !options.iter().any(|o| is_lost(rule, convention, o, known)),
    };
    known.insert(p.to_vec(), lost);
    lost
}

const RULES: [(&str, u8); 4] = [("nim", 3), ("[take 1..3]", 2), ("wythoff", 2), ("moore[2]", 3)];

/// Positions of totals up to so much, in order.
fn in_order(heaps: u8, most: u64) -> Vec<Vec<u64>> {
    let side = most + 1;
    let all = (0..side.pow(heaps.into())).map(|at| (0..u32::from(heaps)).map(|i| at / side.pow(i) % side).collect());
    let mut all: Vec<Vec<u64>> = all.filter(|p: &Vec<u64>| p.iter().sum::<u64>() <= most).collect();
    all.sort_by_key(|p| (p.iter().sum::<u64>(), p.clone()));
    all
}

fn claims() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "a",
        "b",
        "a + b",
        "a xor b",
        "max(a, b)",
        "min(a, b)",
        "a mod 3",
        "b mod 4",
        "a div 2",
    ]);
    let sign = prop::sample::select(vec!["=", "!=", "<", "<="]);
    let compare =
        (name.clone(), sign, prop_oneof![name.prop_map(str::to_owned), (0..5u64).prop_map(|n| n.to_string())])
            .prop_map(|(l, s, r)| format!("{l} {s} {r}"));
    // near misses of what is true
    let near = prop::sample::select(vec![
        "a xor b = 0",
        "a = b",
        "a mod 4 = b mod 4",
        "max(a, b) <= 1 and a != b or max(a, b) > 1 and a = b",
        "columns(a, b) mod 3 = 0",
        "(a mod 4) xor (b mod 4) = 0",
    ]);
    let near = near.prop_map(str::to_owned);
    let leaf = prop_oneof![compare, near];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l}) and ({r})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l}) or ({r})")),
            inner.prop_map(|c| format!("not ({c})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_wrong_claim_is_proved(claim in claims(), rule in 0..4usize, misere: bool) {
        let (text, heaps) = RULES[rule];
        let convention = if misere { MISERE } else { NORMAL };
        let claim = if heaps == 3 { format!("({claim}) and c = 0 or c > 0 and a xor b xor c = 0") } else { claim };
        let q = query(text, heaps, convention, &claim);
        let answer = Session::new().prove_tuple(&q, &Budget::default()).unwrap();
        let mut known = HashMap::new();
        let wrong = in_order(heaps, 9).into_iter().find(|p| {
            plain::holds(&q.claim, p) != Ok(is_lost(rule, convention, p, &mut known))
        });
        match (answer.verdict, wrong) {
            (TupleVerdict::Proved, wrong) => prop_assert_eq!(wrong, None, "{} {}", text, claim),
            (TupleVerdict::Refuted { position, is_smallest, is_member, .. }, wrong) => {
                prop_assert!(is_smallest);
                prop_assert_eq!(Ok(is_member), plain::holds(&q.claim, &position));
                prop_assert_ne!(is_member, is_lost(rule, convention, &position, &mut known));
                if position.iter().sum::<u64>() <= 9 {
                    prop_assert_eq!(Some(&position), wrong.as_ref(), "{} {}", text, claim);
                } else {
                    prop_assert_eq!(wrong, None);
                }
                // by automata alone, where that is few states
                let m = &mut Meter::new(&Budget { positions: Some(5_000), ..Budget::default() });
                let (moves, _) = moves::compile(&q.ruleset, heaps, m).unwrap();
                let (yes, no) = compile::claim(&q.claim, heaps, m).unwrap();
                let same = symbolic::smallest_failing(&yes, &no, &moves, &q, m);
                if !matches!(same, Err(Halt::Stop(_))) {
                    prop_assert_eq!(same, Ok(Some(position)));
                }
            }
            (TupleVerdict::Stopped, _) => prop_assert!(false, "nothing stops it"),
        }
    }
}

const OWN_NIM: &str = "[a, b -> x, y where x < a and y = b or x = a and y < b]";
const OWN_NIM_3: &str =
    "[a, b, c -> x, y, z where x < a and y = b and z = c or x = a and y < b and z = c or x = a and y = b and z < c]";
const OWN_WYTHOFF: &str =
    "[a, b -> x, y where x < a and y = b or x = a and y < b or x < a and y < b and a - x = b - y]";
const OWN_MOORE: &str =
    "[a, b, c -> x, y, z where x <= a and y <= b and z <= c and x + y + z < a + b + c and (x = a or y = b or z = c)]";
const OWN_STAIRCASE: &str =
    "[a, b, c -> x, y, z where x + y = a + b and y < b and z = c or y + z = b + c and z < c and x = a]";

#[test]
fn rulesets_written_as_conditions_are_the_same() {
    for (own, named, heaps, claims) in [
        (
            OWN_NIM,
            "nim",
            2,
            &["a = b", "max(a, b) <= 1 and a != b or max(a, b) > 1 and a = b", "a < b", "a = b or a = 300"][..],
        ),
        (
            OWN_NIM_3,
            "nim",
            3,
            &["a xor b xor c = 0", &misere_nim(), "a = b and c = 0", "a xor b xor c = 0 and a < 2^40"],
        ),
        (
            OWN_WYTHOFF,
            "wythoff",
            2,
            &["a = b", "a = b and a = 0", "a = 0 and b = 0 or min(a, b) = 1 and max(a, b) = 2"],
        ),
        (
            OWN_MOORE,
            "moore[2]",
            3,
            &["columns(a, b, c) mod 3 = 0", &misere(3, "columns(a, b, c) mod 3 = 0"), "a xor b xor c = 0"],
        ),
        (OWN_STAIRCASE, "staircase", 3, &["b = 0", "b = 1", "a = b"]),
    ] {
        for claim in claims {
            for convention in [NORMAL, MISERE] {
                let (one, other) = (prove(own, heaps, convention, claim), prove(named, heaps, convention, claim));
                assert_eq!((one.verdict, one.claim), (other.verdict, other.claim), "{own} {convention} {claim}");
            }
        }
    }
}

/// A rule as a condition and once more as a function of a, b, x, y.
type Pairs = (&'static str, fn([u64; 4]) -> bool);

const PAIRS: [Pairs; 7] = [
    // both heaps, by amounts that differ by at most one
    ("[a, b -> x, y where x < a and y < b and a - x <= b - y + 1 and b - y <= a - x + 1]", |[a, b, x, y]| {
        x < a && y < b && (a - x).abs_diff(b - y) <= 1
    }),
    // from one heap, and less of it back to the other
    ("[a, b -> x, y where (x < a and y >= b or x >= a and y < b) and x + y < a + b]", |[a, b, x, y]| {
        (x < a) == (y >= b) && (x < a || y < b) && x + y < a + b
    }),
    // one to three in all, and the rest divided anew
    ("[a, b -> x, y where x + y < a + b and a + b <= x + y + 3]", |[a, b, x, y]| {
        (x + y + 1..=x + y + 3).contains(&(a + b))
    }),
    // the lowest one of the binary digits of a heap
    (
        "[a, b -> x, y where x + lowbit(a) = a and x < a and y = b or x = a and y + lowbit(b) = b and y < b]",
        |[a, b, x, y]| a > 0 && x == a & (a - 1) && y == b || b > 0 && x == a && y == b & (b - 1),
    ),
    // half of a heap is kept
    ("[a, b -> x, y where a > 0 and x = a div 2 and y = b or b > 0 and y = b div 2 and x = a]", |[a, b, x, y]| {
        a > 0 && x == a / 2 && y == b || b > 0 && x == a && y == b / 2
    }),
    // any amount to the left, or one away on the right
    ("[a, b -> x, y where x + y = a + b and x > a or x = a and y + 1 = b]", |[a, b, x, y]| {
        x + y == a + b && y < b || x == a && y + 1 == b
    }),
    // to the right, or both lowered alike
    ("[a, b -> x, y where x + y = a + b and x < a or a - x = b - y and x < a and y < b]", |[a, b, x, y]| {
        x + y == a + b && x < a || x < a && y < b && a - x == b - y
    }),
];

/// The P-positions of totals up to so much, by trying all moves that the function has.
fn lost_pairs(is_move: fn([u64; 4]) -> bool, convention: Convention, most: u64) -> HashMap<Vec<u64>, bool> {
    fn is_lost(
        is_move: fn([u64; 4]) -> bool,
        convention: Convention,
        p: &[u64],
        known: &mut HashMap<Vec<u64>, bool>,
    ) -> bool {
        if let Some(lost) = known.get(p) {
            return *lost;
        }
        let (mut is_won, mut has_move) = (false, false);
        for o in in_order(2, p[0] + p[1]) {
            if is_move([p[0], p[1], o[0], o[1]]) {
                has_move = true;
                is_won |= is_lost(is_move, convention, &o, known);
            }
        }
        let lost = if has_move { !is_won } else { convention == NORMAL };
        known.insert(p.to_vec(), lost);
        lost
    }
    let mut known = HashMap::new();
    for p in in_order(2, most) {
        is_lost(is_move, convention, &p, &mut known);
    }
    known
}

#[test]
fn rules_of_ones_own_are_discovered_and_proved() {
    let mut proved = 0;
    for (rule, is_move) in PAIRS {
        for convention in [NORMAL, MISERE] {
            let lost = lost_pairs(is_move, convention, 14);
            let start = std::time::Instant::now();
            let budget = Budget { time: Some(Duration::from_secs(60)), ..Budget::default() };
            let found = Session::new().discover_tuple(&search(rule, 2, convention), &budget).unwrap();
            let text = found.claim.as_ref().map(Claim::to_string);
            eprintln!(
                "{rule}, {convention}: {text:?}, {:?} states, side {}, {:?}",
                found.states,
                found.side,
                start.elapsed()
            );
            let is_inside = |p: &Vec<u64>| p[0] + p[1] <= 14;
            let mut members: Vec<&Vec<u64>> = lost.iter().filter(|(_, lost)| **lost).map(|(p, _)| p).collect();
            members.sort_by_key(|p| (p[0] + p[1], *p));
            let listed: Vec<&Vec<u64>> = found.members.iter().filter(|p| is_inside(p)).collect();
            assert_eq!(listed[..], members[..listed.len()], "{rule} {convention}");
            if found.header.status == Status::Proved {
                proved += 1;
            }
            if let Some(claim) = &found.claim {
                for (p, lost) in &lost {
                    assert_eq!(plain::holds(claim.condition(), p), Ok(*lost), "{rule} {convention} {p:?}");
                }
                assert_eq!(prove(rule, 2, convention, &claim.to_string()).verdict, TupleVerdict::Proved);
            }
            // wrong claims, at the first position at which they are
            for wrong in ["a = b", "min(a, b) = 0", "(a + b) mod 3 = 0", "a + b < 9 and a = b"] {
                let q = query(rule, 2, convention, wrong);
                let first = in_order(2, 14).into_iter().find(|p| plain::holds(&q.claim, p) != Ok(lost[p]));
                match (Session::new().prove_tuple(&q, &Budget::default()).unwrap().verdict, first) {
                    (TupleVerdict::Refuted { position, is_smallest, is_member, .. }, Some(first)) => {
                        assert_eq!(
                            (&position, is_smallest, is_member),
                            (&first, true, !lost[&first]),
                            "{rule} {wrong}"
                        );
                    }
                    (verdict, None) => assert!(verdict == TupleVerdict::Proved, "{rule} {wrong} {verdict:?}"),
                    (verdict, first) => panic!("{rule} {convention} {wrong}: {verdict:?}, {first:?}"),
                }
            }
        }
    }
    assert!(proved >= 10, "{proved}");
}

#[test]
fn far_positions_of_ones_own_rule_are_found_by_automata() {
    for (rule, claim, smallest, why) in [
        (
            OWN_NIM,
            "a = b or a = 2^40 and b = 5",
            vec![1 << 40, 5],
            "the claim holds there and at its option (5, 5) too",
        ),
        // none of the pairs below is an option, and they are too many to look at
        (
            "[a, b -> x, y where x + 1 = a and y = b and a <= 2^40]",
            "a mod 2 = 0 and a <= 2^40 or a > 2^40 + 1",
            vec![(1 << 40) + 1, 0],
            "the claim does not hold there, but no move is left, and whoever cannot move loses",
        ),
    ] {
        let TupleVerdict::Refuted { position, is_smallest, why: said, .. } = prove(rule, 2, NORMAL, claim).verdict
        else {
            panic!("{claim}")
        };
        assert_eq!((position, is_smallest, said.as_str()), (smallest, true, why), "{claim}");
    }
}

#[test]
fn rules_that_may_not_end_are_refused() {
    for (rule, message) in [
        ("[a, b -> x, y where x < a]", "outside the theory: the move (1, 0) -> (0, 2) makes the total larger"),
        ("[a -> x where x <= a]", "outside the theory: the move (0) -> (0) leaves the position as it is"),
        ("[a -> x where a * x = 0]", "outside the theory: a product of two terms with variables"),
        (
            "[a -> x where (a - x) xor 1 = 0]",
            "outside the theory: a rule without a value for (0) -> (1) (\"xor\" is not defined for the negative number -1)",
        ),
    ] {
        let heaps = TupleRuleset::read(rule).unwrap().heaps().unwrap();
        let refused = Session::new().prove_tuple(&query(rule, heaps, NORMAL, "a = 0"), &Budget::default()).unwrap_err();
        assert_eq!(refused.message, message, "{rule}");
        assert!(Session::new().discover_tuple(&search(rule, heaps, NORMAL), &Budget::default()).is_err());
    }
    let refused = Session::new().prove_tuple(&query(OWN_NIM, 3, NORMAL, "a = b"), &Budget::default()).unwrap_err();
    assert_eq!(refused.message, "the rule is for 2 heaps, not for 3");
}
