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

const MISERE_NIM: &str = "max(a, b, c) <= 1 and (a + b + c) mod 2 = 1 or max(a, b, c) > 1 and a xor b xor c = 0";

#[test]
fn theorems_are_proved() {
    for (rule, heaps, convention, claim) in [
        ("nim", 1, NORMAL, "a = 0"),
        ("nim", 1, MISERE, "a = 1"),
        ("nim", 2, NORMAL, "a = b"),
        ("nim", 3, NORMAL, "a xor b xor c = 0"),
        ("nim", 4, NORMAL, "a xor b xor c xor d = 0"),
        ("nimble", 3, NORMAL, "columns(a, b, c) mod 2 = 0"),
        ("nim", 3, MISERE, MISERE_NIM),
        ("moore[1]", 3, MISERE, MISERE_NIM),
        ("moore[2]", 3, NORMAL, "columns(a, b, c) mod 3 = 0"),
        ("moore[2]", 4, NORMAL, "columns(a, b, c, d) mod 3 = 0"),
        ("moore[3]", 4, NORMAL, "columns(a, b, c, d) mod 4 = 0"),
        ("moore[5]", 2, NORMAL, "a + b = 0"),
        (
            "moore[2]",
            3,
            MISERE,
            "max(a, b, c) <= 1 and (a + b + c) mod 3 = 1 or max(a, b, c) > 1 and columns(a, b, c) mod 3 = 0",
        ),
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
        ("kayles", 2, "a = b"),
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
        ("nim", 3, MISERE, Some(MISERE_NIM), Some(4)),
        ("moore[2]", 3, NORMAL, Some("columns(a, b, c) mod 3 = 0"), Some(1)),
        ("moore[2]", 4, NORMAL, Some("columns(a, b, c, d) mod 3 = 0"), Some(1)),
        ("[take 1..3]", 2, NORMAL, Some("a mod 4 = b mod 4"), None),
        ("[take 1..3]", 3, NORMAL, Some("a mod 4 xor b mod 4 xor c mod 4 = 0"), None),
        ("[take 1..3]", 2, MISERE, None, None),
        ("[take even]", 3, NORMAL, Some("a div 2 xor b div 2 xor c div 2 = 0"), None),
        ("subtraction[{1,3,4}]", 1, NORMAL, None, Some(21)),
        ("subtraction[{1,3,4}]", 2, NORMAL, None, None),
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

#[test]
fn where_nothing_is_found_the_members_are_listed() {
    let search = search("wythoff", 2, NORMAL);
    let budget = Budget { time: Some(Duration::from_secs(60)), ..Budget::default() };
    let found = Session::new().discover_tuple(&search, &budget).unwrap();
    assert_eq!((found.header.status, found.claim.is_none(), found.states), (Status::Computed, true, None));
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
