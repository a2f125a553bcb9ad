use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::rulesets::heap::ValueForm;
use crate::{
    notation::read_heap_game,
    rulesets::heap::{Alternative, AmountSet, Amounts, Atom, Condition, Leave, Linear, Parts, Variable, direct_values},
};

const LIMIT: usize = 1 << 18;

fn rule(text: &str) -> HeapRule {
    read_heap_game(text).unwrap_or_else(|e| panic!("{text}: {e}")).rule().clone()
}

/// The form with this period and saltus that has the values of the rule by definition.
fn periodic(rule: &HeapRule, period: u64, saltus: u64, preperiod: u64) -> Candidate {
    Candidate::Periodic { preperiod, period, saltus, values: direct_values(rule, preperiod + period) }
}

fn check(text: &str, period: u64, saltus: u64, preperiod: u64) -> Result<(), ClosedFormError> {
    let rule = rule(text);
    check_closed_form(&rule, &periodic(&rule, period, saltus, preperiod), LIMIT)
}

/// The same function as an automaton.
fn automaton(candidate: &Candidate) -> Candidate {
    let mut go_on = || true;
    let effort = &mut Effort::new(LIMIT, &mut go_on);
    let relation = candidate.relation(N, V, effort).unwrap().determinise(effort).unwrap();
    let sink = relation.edges.len() as u32;
    assert_eq!(relation.start.len(), 1);
    // the start comes first
    let first = relation.start[0];
    let swap = |q: u32| {
        if q == first {
            0
        } else if q == 0 {
            first
        } else {
            q
        }
    };
    let mut next = vec![[sink; 4]; relation.edges.len() + 1];
    let mut accept = vec![false; relation.edges.len() + 1];
    for (q, edges) in (0u32..).zip(&relation.edges) {
        accept[swap(q) as usize] = relation.accept[q as usize];
        for (letter, to) in edges {
            let place = usize::from(letter & N != 0) + 2 * usize::from(letter & V != 0);
            next[swap(q) as usize][place] = swap(*to);
        }
    }
    Candidate::Automaton { next, accept }
}

/// Rules with a true form: period, saltus, preperiod.
const TRUE: &[(&str, u64, u64, u64)] = &[
    ("[take powers of 2]", 3, 0, 0),
    ("nim", 1, 1, 0),
    ("lasker", 4, 4, 1),
    ("[take odd]", 2, 0, 0),
    ("[take even]", 2, 1, 0),
    ("[take odd | split]", 2, 0, 1),
    ("[take 1 | split]", 0, 0, 0),
    ("[take powers of 2 | split]", 6, 0, 1),
    ("[take powers of 4]", 5, 0, 0),
    ("[take any leaving a, b | take any]", 1, 1, 0),
    ("[take any | split into a, b where a != b]", 4, 4, 1),
    ("[take any | split into a, b where a < b]", 4, 4, 1),
    ("[take k where k mod 2 = 1]", 2, 0, 0),
    ("[take 1..4 | take k where k = n]", 0, 0, 0),
    ("subtraction[{1, 3, 4}]", 7, 0, 0),
    ("subtraction[{2, 5, 9, 10}]", 0, 0, 0),
    ("allbut[{2, 3}]", 0, 0, 0),
    ("[take 1..30]", 31, 0, 0),
    ("kayles", 12, 0, 71),
    ("0.07", 34, 0, 53),
];

/// The least form that the first values suggest.
fn seen(rule: &HeapRule) -> (u64, u64, u64) {
    let values = direct_values(rule, 400);
    for preperiod in 0..60usize {
        for period in 1..100usize {
            let step = values[preperiod + period].checked_sub(values[preperiod]);
            let Some(saltus) = step else { continue };
            if (preperiod..values.len() - period).all(|n| values[n + period] == values[n] + saltus) {
                return (period as u64, saltus, preperiod as u64);
            }
        }
    }
    panic!("no form is seen")
}

#[test]
fn automata_list_the_heaps_of_a_value() {
    for (text, period, saltus, preperiod) in [("lasker", 4, 4, 1), ("[take 1..3]", 4, 0, 0), ("0.3F", 6, 3, 0)] {
        let form = automaton(&periodic(&rule(text), period, saltus, preperiod));
        for last in [0, 1, 2, 6, 7, 8, 40, 200] {
            for v in [0, 1, 2, 3, 5, 8, 17, 64] {
                let expected: Vec<u64> = (0..=last).filter(|n| form.value(*n) == Some(v)).collect();
                assert_eq!(form.heaps_of(v, last, 1000), Some(expected.clone()), "{text} {v} {last}");
                let none = expected.len().checked_sub(1);
                assert_eq!(none.and_then(|most| form.heaps_of(v, last, most)), None);
            }
        }
    }
    let lasker = automaton(&periodic(&rule("lasker"), 4, 4, 1));
    assert_eq!(lasker.heaps_of(1 << 63, u64::MAX, 10), Some(vec![(1 << 63) - 1]));
    assert_eq!(lasker.heaps_of(1 << 63, (1 << 63) - 2, 10), Some(vec![]));
}

#[test]
fn true_forms_are_accepted_as_formulas_and_as_automata() {
    for (text, period, saltus, preperiod) in TRUE {
        let rule = rule(text);
        let (period, saltus, preperiod) = if *period == 0 { seen(&rule) } else { (*period, *saltus, *preperiod) };
        let form = periodic(&rule, period, saltus, preperiod);
        assert_eq!(check_closed_form(&rule, &form, LIMIT), Ok(()), "{text}");
        if period <= 20 {
            let same = automaton(&form);
            assert!((0..1000).all(|n| same.value(n) == form.value(n)), "{text}");
            assert_eq!(check_closed_form(&rule, &same, LIMIT), Ok(()), "{text}");
        }
        // a longer period is as true
        if period > 20 {
            continue;
        }
        let form = periodic(&rule, 2 * period, 2 * saltus, preperiod + 1);
        assert_eq!(check_closed_form(&rule, &form, LIMIT), Ok(()), "{text}");
    }
}

/// Codes with period, saltus and preperiod.
const CODES: &str = "\
0.008 5 1 1, 0.00F 3 1 0, 0.08 4 1 1, 0.0A 2 1 1, 0.0B 2 1 5, 0.0C 3 1 1, 0.0E 2 1 1, 0.0F 2 1 0, 0.137F 2 1 0, \
0.1A 2 1 4, 0.1B 2 1 5, 0.1F8 3 2 4, 0.3F 6 3 0, 0.48 2 1 1, 0.4A 2 1 1, 0.4C 2 1 1, 0.4E 2 1 1, 0.8 3 1 1, 0.82 2 1 1, \
0.84 3 1 1, 0.86 2 1 1, 0.88 3 1 1, 0.89 4 2 3, 0.8A 2 1 1, 0.8B 7 4 7, 0.8C 3 1 1, 0.8D 4 2 3, 0.8E 2 1 1, 0.8F 7 4 7, \
0.9B 7 4 8, 0.9E 3 2 4, 0.9F 3 2 4, 0.A8 4 2 1, 0.A9 4 2 1, 0.AA 1 1 1, 0.AB 1 1 1, 0.AC 4 2 1, 0.AD 4 2 1, 0.AE 1 1 1, \
0.AF 1 1 1, 0.B8 7 4 9, 0.BA 1 1 3, 0.BB 1 1 4, 0.BC 3 2 4, 0.BE 1 1 3, 0.BF 1 1 4, 0.C 2 1 1, 0.C2 2 1 1, 0.C4 2 1 1, \
0.C6 2 1 1, 0.C8 2 1 1, 0.C9 3 2 3, 0.CA 2 1 1, 0.CB 3 2 3, 0.CC 2 1 1, 0.CD 3 2 3, 0.CE 2 1 1, 0.CF 3 2 3, 0.E8 1 1 1, \
0.E9 1 1 1, 0.EA 1 1 1, 0.EB 1 1 1, 0.EC 1 1 1, 0.ED 1 1 1, 0.EE 1 1 1, 0.EF 1 1 1, 0.F8 6 4 7, 0.FA 1 1 3, 0.FB 1 1 5, \
0.FC 5 4 7, 0.FE 1 1 3, 0.FF 1 1 0, 8.0 2 1 1";

fn accepted(codes: &str) {
    for line in codes.split(", ") {
        let words: Vec<&str> = line.split(' ').collect();
        let [period, saltus, preperiod] = [1, 2, 3].map(|i| words[i].parse().unwrap());
        assert_eq!(check(words[0], period, saltus, preperiod), Ok(()), "{line}");
        // neither the saltus nor the period may be another
        let wrong = check(words[0], period, saltus + 1, preperiod);
        assert!(matches!(wrong, Err(ClosedFormError::Refuted(_))), "{line}: {wrong:?}");
        let wrong = check(words[0], period + 1, saltus, preperiod);
        assert!(matches!(wrong, Err(ClosedFormError::Refuted(_))), "{line}: {wrong:?}");
    }
}

#[test]
fn arithmetic_periods_of_codes_are_proved() {
    accepted(CODES);
}

/// Some hundred to some thousand values in one table: as formulas, and as automata where these are not many times larger.
#[test]
#[ignore = "some minutes in a release build"]
fn forms_of_many_values_are_accepted() {
    for (text, period, saltus, preperiod, as_automaton) in [
        ("[take 1..300]", 301, 0, 0, false),
        ("0.07", 34, 0, 53, true),
        ("kayles", 12, 0, 71, true),
        ("[take 1..30]", 31, 0, 0, true),
    ] {
        let rule = rule(text);
        let form = periodic(&rule, period, saltus, preperiod);
        assert_eq!(check_closed_form(&rule, &form, 1 << 22), Ok(()), "{text}");
        if as_automaton {
            assert_eq!(check_closed_form(&rule, &automaton(&form), 1 << 22), Ok(()), "{text} as an automaton");
        }
    }
}

/// Half a minute where they are optimised.
#[test]
#[ignore = "half a minute in a release build"]
fn long_arithmetic_periods_of_codes_are_proved() {
    for (code, period, saltus, preperiod) in [("0.28", 53, 16, 1), ("0.29", 53, 16, 1), ("0.9C", 36, 16, 28)] {
        let rule = rule(code);
        let form = periodic(&rule, period, saltus, preperiod);
        assert_eq!(check_closed_form(&rule, &form, 1 << 20), Ok(()), "{code}");
    }
}

#[test]
fn wrong_forms_are_refuted_by_their_first_heap() {
    let refuted = |text: &str, preperiod: u64, saltus: u64, values: &[u64]| {
        let period = values.len() as u64 - preperiod;
        let form = Candidate::Periodic { preperiod, period, saltus, values: values.to_vec() };
        match check_closed_form(&rule(text), &form, LIMIT) {
            Err(ClosedFormError::Refuted(wrong)) => wrong,
            other => panic!("{text}: {other:?}"),
        }
    };
    let option = |n, guessed, actual, parts: &[u64]| Counterexample {
        n,
        guessed,
        actual: Some(actual),
        why: Mistake::OptionHasIt(Some(parts.to_vec())),
    };
    let missing = |n, guessed, v| Counterexample { n, guessed, actual: Some(v), why: Mistake::NoOptionHas(v) };
    assert_eq!(refuted("lasker", 0, 1, &[0]), option(3, 3, 4, &[1, 2]));
    assert_eq!(refuted("[take powers of 2]", 0, 0, &[0, 1, 2, 3]), missing(3, 3, 0));
    assert_eq!(refuted("0.8", 1, 1, &[0, 0]), missing(2, 1, 0));
    assert_eq!(refuted("nim", 0, 0, &[0]), option(1, 0, 1, &[]));
    // too far for the heaps that are tried first
    assert_eq!(refuted("[take 1..300]", 0, 1, &[0]), missing(301, 301, 0));
    assert_eq!(
        refuted("[take any | split into a, b where a = 1000]", 0, 1, &[0]),
        option(1001, 1001, 1002, &[1, 1000])
    );
    // too far for the definition
    let far = refuted("[take 1..1000000]", 0, 1, &[0]);
    assert!(far.n > 1_000_000 && far.n < 1 << 20 && far.actual.is_none());
    assert!(matches!(far.why, Mistake::NoOptionHas(v) if v < far.n - 1_000_000), "{far}");
    let wrong = refuted("[take any | split into a, b where a = 1000000]", 0, 1, &[0]);
    let Mistake::OptionHasIt(Some(parts)) = &wrong.why else { panic!("{wrong}") };
    assert!(wrong.n == parts[0] ^ parts[1] && parts.contains(&1_000_000), "{wrong}");
    let wrong = refuted("[take any | split into a, b where a = 3000000000]", 0, 1, &[0]);
    assert_eq!((wrong.why, wrong.n > 3_000_000_000), (Mistake::OptionHasIt(None), true));
}

#[test]
fn outside_of_the_theory() {
    for (text, word) in [
        ("[take squares]", "squares"),
        ("[take primes]", "primes"),
        ("[take fibonacci numbers]", "Fibonacci"),
        ("[take divisors]", "divisors"),
        ("[take powers of 3]", "powers of 3"),
        ("[take k where gcd(k, n) = 1]", "common divisors"),
        ("[take any but squares]", "squares"),
        ("0.[7] + 0", ""),
        ("[split into any number]", "any number"),
    ] {
        let Ok(game) = read_heap_game(text) else { continue };
        let form = Candidate::Periodic { preperiod: 0, period: 1, saltus: 0, values: vec![0] };
        match check_closed_form(game.rule(), &form, LIMIT) {
            Err(ClosedFormError::OutOfTheory(reason)) => assert!(reason.contains(word), "{text}: {reason}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn finitely_many_amounts_may_be_named_in_any_way() {
    let rule = rule("[take 1..8 but primes]");
    let (period, saltus, preperiod) = seen(&rule);
    assert_eq!(check_closed_form(&rule, &periodic(&rule, period, saltus, preperiod), LIMIT), Ok(()));
}

#[test]
fn limits_are_no_answer() {
    let rule = rule("0.8B");
    let form = periodic(&rule, 7, 4, 7);
    for limit in [0, 1, 10, 100, 1000] {
        let got = check_closed_form(&rule, &form, limit);
        assert!(matches!(got, Err(ClosedFormError::Limit(_))), "{limit}: {got:?}");
    }
    for looks in [0, 1, 5, 50] {
        let mut left = looks;
        let mut go_on = || {
            left -= 1;
            left >= 0
        };
        let got = check_closed_form_while(&rule, &form, LIMIT, &mut go_on);
        assert!(matches!(got, Err(ClosedFormError::Limit(_))), "{looks}: {got:?}");
    }
}

#[test]
fn what_is_no_function_is_malformed() {
    let reason = |next: Vec<[u32; 4]>, accept: Vec<bool>| match check_closed_form(
        &rule("nim"),
        &Candidate::Automaton { next, accept },
        LIMIT,
    ) {
        Err(ClosedFormError::Malformed(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert!(reason(vec![], vec![]).contains("one at least"));
    assert!(reason(vec![[0; 4]], vec![]).contains("every state"));
    assert!(reason(vec![[0, 1, 1, 0]], vec![true]).contains("does not exist"));
    assert!(reason(vec![[1; 4], [1; 4]], vec![true, false]).contains("zeros"));
    // anything is the value
    assert!(reason(vec![[0; 4]], vec![true]).contains("two values for 0"));
    assert!(reason(vec![[0; 4]], vec![false]).contains("no value for 0"));
    // odd numbers have none
    assert!(reason(vec![[0, 1, 1, 1], [1; 4]], vec![true, false]).contains("no value for 1"));
    let values = vec![0, 1, 2];
    for (preperiod, period) in [(0, 0), (0, 2), (3, 0), (u64::MAX, 4), (1, 3)] {
        let form = Candidate::Periodic { preperiod, period, saltus: 0, values: values.clone() };
        let got = check_closed_form(&rule("nim"), &form, LIMIT);
        assert!(matches!(got, Err(ClosedFormError::Malformed(_))), "{got:?}");
    }
}

#[test]
fn huge_numbers_are_no_trouble() {
    let huge = u64::MAX;
    for values in [vec![huge], vec![huge, 0]] {
        for saltus in [0, huge] {
            let form =
                Candidate::Periodic { preperiod: 0, period: values.len() as u64, saltus, values: values.clone() };
            let got = check_closed_form(&rule("lasker"), &form, LIMIT);
            assert!(matches!(got, Err(ClosedFormError::Refuted(_))), "{got:?}");
        }
    }
    let one = |k| HeapRule::new(vec![Alternative::taking(AmountSet::one(k))]);
    let form = Candidate::Periodic { preperiod: 0, period: 1, saltus: 0, values: vec![0] };
    // the first heap with a move
    let wrong = check_closed_form(&one(huge), &form, LIMIT);
    assert!(matches!(wrong, Err(ClosedFormError::Refuted(Counterexample { n: u64::MAX, .. }))), "{wrong:?}");
    let run = AmountSet::Run { first: huge - 1, last: Some(huge), step: huge };
    assert!(check_closed_form(&HeapRule::new(vec![Alternative::taking(run)]), &form, LIMIT).is_err());
}

/// Rules, their forms and 2^12 values by definition, for mutants.
static MUTATED: LazyLock<Vec<(HeapRule, Candidate, Vec<u64>)>> = LazyLock::new(|| {
    let three = [("0.88", 3, 1, 1, 400), ("0.C9", 3, 2, 3, 400)];
    let others = [
        ("[take powers of 2]", 3, 0, 0),
        ("lasker", 4, 4, 1),
        ("nim", 1, 1, 0),
        ("[take odd | split]", 2, 0, 1),
        ("[take powers of 2 | split]", 6, 0, 1),
        ("subtraction[{1, 3, 4}]", 7, 0, 0),
        ("0.137", 34, 0, 52),
    ];
    let all = others.iter().map(|(t, p, s, n0)| (*t, *p, *s, *n0, 1 << 12)).chain(three);
    all.map(|(text, period, saltus, preperiod, count)| {
        let rule = rule(text);
        (rule.clone(), periodic(&rule, period, saltus, preperiod), direct_values(&rule, count))
    })
    .collect()
});

/// Accepted is only what is right, and a refutation is one.
fn judge(rule: &HeapRule, mutant: &Candidate, values: &[u64]) -> Result<(), TestCaseError> {
    let wrong = (0..).zip(values).find(|(n, v)| mutant.value(*n) != Some(**v));
    match check_closed_form(rule, mutant, LIMIT) {
        Ok(()) => prop_assert!(wrong.is_none(), "{mutant:?} is wrong at {wrong:?}"),
        Err(ClosedFormError::Refuted(found)) => {
            prop_assert_eq!(Some(found.n), wrong.map(|(n, _)| n));
            prop_assert_eq!(Some(found.guessed), mutant.value(found.n));
            prop_assert_eq!(found.actual, wrong.map(|(_, v)| *v));
        }
        Err(ClosedFormError::Malformed(_)) => {}
        Err(other) => prop_assert!(false, "{mutant:?}: {other:?}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_wrong_mutant_of_a_formula_is_accepted(
        which in 0usize..9,
        field in 0..4,
        place in any::<prop::sample::Index>(),
        change in 1u64..9,
        up in any::<bool>(),
    ) {
        let (rule, form, values) = &MUTATED[which];
        let Candidate::Periodic { mut preperiod, mut period, mut saltus, values: mut first } = form.clone() else { panic!() };
        let other = |x: u64| if up { x + change } else { x.saturating_sub(change) };
        match field {
            0 => period = other(period),
            1 => preperiod = other(preperiod),
            2 => saltus = other(saltus),
            _ => {
                let at = place.index(first.len());
                first[at] = other(first[at]);
            }
        }
        if field < 2 {
            first = values[..(preperiod + period) as usize].to_vec();
        }
        judge(rule, &Candidate::Periodic { preperiod, period, saltus, values: first }, values)?;
    }

    #[test]
    fn no_wrong_mutant_of_an_automaton_is_accepted(
        which in 0usize..9,
        place in any::<prop::sample::Index>(),
        letter in 0usize..8,
        to in any::<prop::sample::Index>(),
    ) {
        let (rule, form, values) = &MUTATED[which];
        let Candidate::Automaton { mut next, mut accept } = automaton(form) else { panic!() };
        let at = place.index(next.len());
        match letter {
            0..4 => next[at][letter] = to.index(next.len()) as u32,
            _ => accept[at] = !accept[at],
        }
        judge(rule, &Candidate::Automaton { next, accept }, values)?;
    }

    #[test]
    fn options_are_those_of_the_definition(
        rule in any_rule(),
        values in prop::collection::vec(0u64..9, 1..6),
        preperiod in 0u64..3,
        saltus in 0u64..4,
    ) {
        let preperiod = preperiod.min(values.len() as u64 - 1);
        let period = values.len() as u64 - preperiod;
        let form = Candidate::Periodic { preperiod, period, saltus, values };
        let mut go_on = || true;
        let effort = &mut Effort::new(LIMIT, &mut go_on);
        let ways = Ways::of(&rule, effort).unwrap();
        let g = form.relation(N, V, effort).unwrap();
        let options = Automaton::union(&ways.values(&g, effort).unwrap(), N | T);
        let merged = options.merge_by_past(effort).unwrap();
        for n in 0..22 {
            let mut right = [false; 128];
            let _ = rule.each_option(n, &mut |parts: &[u64]| {
                right[parts.iter().fold(0, |x, p| x ^ form.value(*p).unwrap()) as usize] = true;
                ControlFlow::Continue(())
            });
            for t in 0..128 {
                let word: Vec<Letter> = (0..7).map(|i| ((n >> i & 1) as Letter * N) | ((t >> i & 1) as Letter * T)).collect();
                prop_assert_eq!(accepts(&options, &word), right[t as usize], "{} has {}", n, t);
                prop_assert_eq!(accepts(&merged, &word), right[t as usize], "{} has {}", n, t);
            }
        }
    }
}

fn accepts(automaton: &Automaton, word: &[Letter]) -> bool {
    let mut now = automaton.start.clone();
    for letter in word {
        let edges = now.iter().flat_map(|q| &automaton.edges[*q as usize]);
        now = edges.filter(|(l, _)| l == letter).map(|(_, q)| *q).collect();
        now.sort_unstable();
        now.dedup();
    }
    now.iter().any(|q| automaton.accept[*q as usize])
}

fn any_rule() -> impl Strategy<Value = HeapRule> {
    let set = prop_oneof![
        (0u64..5, prop::option::of(0u64..9), 1u64..4).prop_map(|(first, more, step)| AmountSet::Run {
            first,
            last: more.map(|m| first + m),
            step
        }),
        prop::sample::select(vec![1, 2, 4, 8]).prop_map(AmountSet::PowersOf),
    ];
    let amounts = (prop::collection::vec(set.clone(), 1..3), prop::collection::vec(set, 0..2))
        .prop_map(|(include, exclude)| Amounts { include, exclude });
    let parts = || prop::sample::select(vec![Parts::Any, Parts::Unequal, Parts::NotAllEqual, Parts::AllEqual]);
    let leave = prop::collection::btree_map(0u32..4, parts(), 1..3)
        .prop_map(|exact| Leave { exact: exact.into_iter().collect(), from: None });
    let alternative = (amounts, leave, prop::option::of(any_condition()))
        .prop_map(|(take, leave, condition)| Alternative { take, leave, condition });
    prop::collection::vec(alternative, 1..3).prop_map(HeapRule::new)
}

fn any_condition() -> impl Strategy<Value = Condition> {
    let variable = prop::sample::select(vec![
        Variable::Heap,
        Variable::Taken,
        Variable::Part(0),
        Variable::Part(1),
        Variable::Part(2),
    ]);
    let atom = variable.prop_map(Atom::Variable);
    let plain = (prop::collection::vec((-3i128..4, atom.clone()), 0..3), -4i128..5)
        .prop_map(|(terms, constant)| Linear { terms, constant });
    let with_mod = (plain.clone(), plain.clone(), 1u64..5, -2i128..3).prop_map(|(mut outer, inner, m, c)| {
        outer.terms.push((c, Atom::Mod(Box::new(inner), m)));
        outer
    });
    let sign = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ]);
    let leaf = (prop_oneof![plain.clone(), with_mod], sign, plain).prop_map(|(l, s, r)| Condition::Compare(l, s, r));
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
            (inner.clone(), inner.clone()).prop_map(|(c, d)| Condition::And(Box::new(c), Box::new(d))),
            (inner.clone(), inner).prop_map(|(c, d)| Condition::Or(Box::new(c), Box::new(d))),
        ]
    })
}
