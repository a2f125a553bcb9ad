//! Closed forms and the search for options of a value, on rules made at random.

use grundy_core::{
    ruleset::{definition::GrundyByDefinition, options_of},
    rulesets::heap::{
        Alternative, AmountSet, Amounts, Atom, ClosedForm, Comparison, Condition, Finder, HeapRule, HeapValues, Leave,
        Linear, Parts, Step, Variable, all_but_amounts, all_but_period, options_of_value,
    },
    theory::{Periodicity, period::proved_period},
};
use proptest::{collection::vec, option, prelude::*};

fn amount_set() -> impl Strategy<Value = AmountSet> {
    prop_oneof![
        4 => (0u64..9).prop_map(AmountSet::one),
        2 => (0u64..4).prop_map(AmountSet::from),
        3 => (0u64..8, 0u64..12, 1u64..5).prop_map(|(first, more, step)| AmountSet::Run { first, last: Some(first + more), step }),
        2 => (0u64..8, 1u64..6).prop_map(|(first, step)| AmountSet::Run { first, last: None, step }),
        1 => (0u64..6).prop_map(AmountSet::PowersOf),
        1 => prop_oneof![Just(AmountSet::Squares), Just(AmountSet::Primes), Just(AmountSet::Fibonacci), Just(AmountSet::Divisors)],
    ]
}

fn amounts() -> impl Strategy<Value = Amounts> {
    (vec(amount_set(), 1..3), prop_oneof![3 => Just(vec![]), 1 => vec(amount_set(), 1..3)])
        .prop_map(|(include, exclude)| Amounts { include, exclude })
}

fn parts() -> impl Strategy<Value = Parts> {
    prop_oneof![4 => Just(Parts::Any), 1 => Just(Parts::Unequal), 1 => Just(Parts::NotAllEqual), 1 => Just(Parts::AllEqual)]
}

fn leave() -> impl Strategy<Value = Leave> {
    let some = (proptest::collection::btree_map(0u32..4, parts(), 0..4), option::weighted(0.1, (2u32..4, parts())));
    prop_oneof![
        3 => Just(Leave::rest()),
        3 => some.prop_map(|(exact, from)| Leave {
            exact: exact.into_iter().map(|(c, p)| (c, from.map_or(p, |(_, q)| q))).collect(),
            from,
        }),
    ]
}

fn linear() -> impl Strategy<Value = Linear> {
    let atom = prop_oneof![
        Just(Atom::Variable(Variable::Heap)),
        Just(Atom::Variable(Variable::Taken)),
        Just(Atom::Variable(Variable::Taken)),
        (1u64..5).prop_map(|m| Atom::Mod(Box::new(Linear::variable(Variable::Taken)), m)),
    ];
    (vec((-3i128..4, atom), 0..3), -4i128..5).prop_map(|(terms, constant)| Linear { terms, constant })
}

fn condition() -> impl Strategy<Value = Condition> {
    use Comparison::*;
    let sign = prop_oneof![Just(Equal), Just(NotEqual), Just(Less), Just(LessEqual), Just(Greater), Just(GreaterEqual)];
    let compare = (linear(), sign, linear()).prop_map(|(l, c, r)| Condition::Compare(l, c, r));
    compare.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

fn alternative() -> impl Strategy<Value = Alternative> {
    (amounts(), leave(), option::weighted(0.2, condition())).prop_map(|(take, leave, condition)| Alternative {
        take,
        leave,
        condition,
    })
}

fn rule() -> impl Strategy<Value = HeapRule> {
    vec(alternative(), 1..4).prop_map(HeapRule::new)
}

/// Rules that only take, more often recognised.
fn taking() -> impl Strategy<Value = HeapRule> {
    let one = (amounts(), option::weighted(0.3, condition())).prop_map(|(take, condition)| Alternative {
        take,
        condition,
        leave: Leave::rest(),
    });
    vec(one, 1..3).prop_map(HeapRule::new)
}

fn finds_all(rule: &HeapRule, values: HeapValues<'_>, to: u64) -> Result<(), TestCaseError> {
    for n in 0..=to {
        let options = options_of(rule, &n);
        let value = |parts: &Vec<u64>| parts.iter().fold(0, |x, p| x ^ values.at(*p).unwrap());
        for target in 0..6 {
            let expect: Vec<Vec<u64>> = options.iter().filter(|o| value(o) == target).cloned().collect();
            let found = options_of_value(rule, n, target, values);
            prop_assert_eq!(found.count, Some(expect.len() as u128), "{} {}", n, target);
            prop_assert_eq!(&found.options.collect::<Vec<_>>(), &expect, "{} {}", n, target);
            let mut finder = Finder::new(rule, n, target, values);
            let mut slowly = Vec::new();
            loop {
                match finder.next(&mut 2) {
                    Step::Found(parts) => slowly.push(parts),
                    Step::OutOfSteps => {}
                    Step::Done => break,
                }
            }
            prop_assert_eq!(slowly, expect, "slowly {} {}", n, target);
        }
    }
    Ok(())
}

fn values_of(rule: &HeapRule, to: u64) -> Vec<u64> {
    let mut g = GrundyByDefinition::new(rule);
    (0..=to).map(|n| g.value(&n)).collect()
}

fn law(rule: &HeapRule, to: u64) -> Result<(), TestCaseError> {
    let Some(form) = ClosedForm::recognise(rule) else { return Ok(()) };
    let values = values_of(rule, to);
    for n in 0..=to {
        prop_assert_eq!(form.value(n), Some(values[n as usize]), "{:?} {}", form, n);
    }
    finds_all(rule, HeapValues::Closed(&form), to.min(20))?;
    if let Some(periodicity) = form.periodicity() {
        for n in 0..=to {
            prop_assert_eq!(periodicity.value(&values, n), form.value(n));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_recognised_rule_has_the_values(rule in rule()) {
        law(&rule, 16)?;
    }

    #[test]
    fn a_recognised_rule_that_takes_has_the_values(rule in taking()) {
        law(&rule, 60)?;
    }

    #[test]
    fn options_of_a_value(rule in rule()) {
        let values = values_of(&rule, 12);
        finds_all(&rule, HeapValues::Table(&values), 12)?;
    }

    #[test]
    fn options_of_a_value_by_taking(rule in taking()) {
        let values = values_of(&rule, 60);
        finds_all(&rule, HeapValues::Table(&values), 40)?;
        if let Some(p) = rule.period_theorem().and_then(|t| proved_period(&values, &t)) {
            finds_all(&rule, HeapValues::Periodic { values: &values, periodicity: p }, 60)?;
        }
        if let Some((p, values)) = all_but_amounts(&rule).and_then(|x| all_but_period(&x, 10_000)) {
            finds_all(&rule, HeapValues::Periodic { values: &values, periodicity: p }, 60)?;
        }
    }

    /// The values need not be those of the rule.
    #[test]
    fn options_of_a_value_of_other_sequences(
        rule in rule(),
        values in vec(0u64..8, 12),
        preperiod in 0u64..5,
        period in 1u64..7,
        saltus in prop_oneof![Just(0u64), 1u64..5, Just(8)],
    ) {
        let periodicity = Periodicity { preperiod, period, saltus };
        finds_all(&rule, HeapValues::Periodic { values: &values, periodicity }, 12)?;
    }
}

fn any_form() -> impl Strategy<Value = ClosedForm> {
    let number =
        || prop_oneof![0u64..6, Just(1 << 20), (1u64 << 62)..(1 << 62) + 9, Just(u64::MAX - 1), Just(u64::MAX)];
    prop_oneof![
        Just(ClosedForm::Identity),
        Just(ClosedForm::Lasker),
        Just(ClosedForm::ThreeWay),
        Just(ClosedForm::Splits),
        (number(), option::of(number())).prop_map(|(step, modulus)| ClosedForm::Steps { step, modulus }),
        (number(), number()).prop_map(|(a, b)| ClosedForm::Pair { a, b }),
        (number(), number()).prop_map(|(m, k)| ClosedForm::OneMore { m, k }),
        (0u64..6, number()).prop_map(|(c, d)| ClosedForm::Fraction { c, d }),
        (0u64..6, any::<bool>()).prop_map(|(c, strict)| ClosedForm::AtLeast { c, strict }),
        any::<bool>().prop_map(|proper| ClosedForm::Divisors { proper }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Heaps at the end of the range, and forms and periods that belong to no rule: any answer, but an answer.
    #[test]
    fn ends_of_the_range(
        rule in rule(),
        form in any_form(),
        n in prop_oneof![0u64..5, (1u64 << 63) - 3..(1 << 63) + 3, u64::MAX - 4..=u64::MAX],
        target in prop_oneof![0u64..5, (1u64 << 62)..(1 << 62) + 3, u64::MAX - 2..=u64::MAX],
        values in vec(prop_oneof![0u64..5, Just(u64::MAX)], 0..9),
        preperiod in prop_oneof![0u64..5, Just(u64::MAX)],
        period in prop_oneof![1u64..5, Just(u64::MAX)],
        saltus in prop_oneof![0u64..5, Just(1u64 << 63), Just(u64::MAX)],
    ) {
        // the next amount may take 2^32 divisions to find, or more if sparse amounts are excluded
        let slow = |a: &Alternative| {
            let run = |s: &AmountSet| matches!(s, AmountSet::Run { .. } | AmountSet::PowersOf(_) | AmountSet::Fibonacci);
            let all = |sets: &[AmountSet]| sets.iter().all(run);
            !(all(&a.take.include) && all(&a.take.exclude)) && (!a.take.exclude.is_empty() || a.take.include.contains(&AmountSet::Divisors))
        };
        if rule.alternatives().iter().any(slow) {
            return Ok(());
        }
        let periodicity = Periodicity { preperiod, period, saltus };
        let _ = (form.formula(), form.periodicity(), form.value(n), ClosedForm::recognise(&rule));
        for values in [HeapValues::Closed(&form), HeapValues::Periodic { values: &values, periodicity }, HeapValues::Table(&values)] {
            let mut finder = Finder::new(&rule, n, target, values);
            let mut steps = 300;
            while let Step::Found(parts) = finder.next(&mut steps) {
                prop_assert!(rule.is_option(n, &parts), "{:?}", parts);
                let xor = parts.iter().try_fold(0, |x, p| Some(x ^ values.at(*p)?));
                prop_assert_eq!(xor, Some(target), "{:?} {:?}", parts, values);
                if steps == 0 {
                    break;
                }
            }
            let _ = finder.count(300);
        }
    }
}
