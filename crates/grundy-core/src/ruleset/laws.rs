//! The laws every ruleset obeys, tested against the naive twins.
//!
//! A law that holds because nothing was tested is a defect: give positions that cover every case of the ruleset.

use core::{fmt::Debug, ops::ControlFlow};
use std::collections::HashSet;

use super::{
    OptionsOfValue, Playable, Ruleset,
    definition::{GrundyByDefinition, OutcomeByDefinition},
    options_of,
};
use crate::theory::{Convention, Outcome};

/// Declares tests named `$name` that check [`obeyed`] for a ruleset, a list of positions and the amount of a move.
macro_rules! laws {
    ($($name:ident: $ruleset:expr, $positions:expr, $amount:expr;)+) => {
        $(
            #[test]
            fn $name() {
                $crate::ruleset::laws::obeyed(&$ruleset, &$positions, $amount);
            }
        )+
    };
}
pub(crate) use laws;

/// Panics unless `ruleset` obeys every law on `positions`; `amount` tells the amount of the move to an option.
///
/// 1. Options come once each, by amount, then number of parts, then parts ascending; a sink that breaks is obeyed.
/// 2. `canonical` is idempotent and keeps the Grundy value and both outcomes.
/// 3. `value_hint` and `outcome_hint` say what the definitions say.
/// 4. `options_of_value` and `winning_options` give exactly the options that the definitions select, in the order of
///    moves, with their number.
/// 5. Moves have names, and different options different ones.
/// 6. `is_option` accepts the options, and neither the position itself nor what two moves lead to.
pub(crate) fn obeyed<R: Playable>(
    ruleset: &R,
    positions: &[R::Position],
    amount: impl Fn(&R::Position, &[R::Position]) -> u128,
) {
    assert!(!positions.is_empty(), "no positions, no law");
    let mut grundy = GrundyByDefinition::new(ruleset);
    let mut outcomes = [Convention::Normal, Convention::Misere].map(|c| (c, OutcomeByDefinition::new(ruleset, c)));
    for g in positions {
        let options = options_of(ruleset, g);
        order_of_options(ruleset, g, &options, &amount);
        names_of_moves(ruleset, g, &options);
        recognised(ruleset, g, &options);

        let value = grundy.value(g);
        let same = ruleset.canonical(g);
        assert_eq!(ruleset.canonical(&same), same, "canonical of {g:?} is not idempotent");
        assert_eq!(grundy.value(&same), value, "canonical of {g:?} changes the value");
        if let Some(hint) = ruleset.value_hint(g) {
            assert_eq!(hint.answer, value, "value of {g:?}: {}", hint.theorem);
        }

        let values: Vec<u64> = options.iter().map(|o| o.iter().fold(0, |x, p| x ^ grundy.value(p))).collect();
        let highest = values.iter().copied().max().unwrap_or(0);
        for target in (0..=highest.saturating_add(2)).chain([u64::MAX]) {
            if let Some(found) = ruleset.options_of_value(g, target) {
                let wanted = selected(&options, values.iter().map(|v| *v == target));
                exactly(found, &wanted, &(g, "options of value", target));
            }
        }

        for (convention, twin) in &mut outcomes {
            let outcome = twin.outcome(core::slice::from_ref(g));
            let kept = twin.outcome(core::slice::from_ref(&same));
            assert_eq!(kept, outcome, "canonical of {g:?} changes the {convention} outcome");
            if let Some(hint) = ruleset.outcome_hint(g, *convention) {
                assert_eq!(hint.answer, outcome, "{convention} outcome of {g:?}: {}", hint.theorem);
            }
            if let Some(found) = ruleset.winning_options(g, *convention) {
                let wins: Vec<bool> = options.iter().map(|o| twin.outcome(o) == Outcome::P).collect();
                exactly(found, &selected(&options, wins.into_iter()), &(g, "winning options", *convention));
            }
        }
    }
}

fn order_of_options<R: Ruleset>(
    ruleset: &R,
    g: &R::Position,
    options: &[Vec<R::Position>],
    amount: &impl Fn(&R::Position, &[R::Position]) -> u128,
) {
    let key = |o: &Vec<R::Position>| (amount(g, o), o.len(), o.clone());
    for pair in options.windows(2) {
        assert!(key(&pair[0]) < key(&pair[1]), "{g:?}: {:?} before {:?}", pair[0], pair[1]);
    }
    for stop in 1..=options.len() {
        let mut seen = 0;
        let flow = ruleset.options(g, &mut |parts: &[R::Position]| {
            assert!(seen < stop, "{g:?}: options after the sink broke");
            assert_eq!(parts, options[seen], "{g:?}: another order the second time");
            seen += 1;
            if seen == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((seen, flow), (stop, ControlFlow::Break(())), "{g:?}");
    }
}

fn names_of_moves<R: Playable>(ruleset: &R, g: &R::Position, options: &[Vec<R::Position>]) {
    let mut names = HashSet::new();
    for o in options {
        let name = ruleset.move_name(g, o);
        assert!(!name.is_empty(), "{g:?} -> {o:?} has no name");
        assert!(names.insert(name.clone()), "{g:?}: two moves are called {name:?}");
    }
}

fn recognised<R: Ruleset>(ruleset: &R, g: &R::Position, options: &[Vec<R::Position>]) {
    let candidates = options.iter().flat_map(|o| {
        let after_two = o.iter().flat_map(|p| options_of(ruleset, p));
        after_two.chain([o.clone(), o.iter().rev().cloned().collect(), [&o[..], &o[..]].concat()])
    });
    for parts in candidates.chain([vec![], vec![g.clone()], vec![g.clone(), g.clone()]]) {
        let sorted = |parts: &[R::Position]| {
            let mut sorted = parts.to_vec();
            sorted.sort();
            sorted
        };
        let wanted = options.iter().any(|o| sorted(o) == sorted(&parts));
        assert_eq!(ruleset.is_option(g, &parts), wanted, "{g:?} -> {parts:?}");
    }
}

fn selected<P: Clone>(options: &[Vec<P>], wanted: impl Iterator<Item = bool>) -> Vec<Vec<P>> {
    options.iter().zip(wanted).filter(|(_, w)| *w).map(|(o, _)| o.clone()).collect()
}

fn exactly<P: Debug + PartialEq>(found: OptionsOfValue<'_, P>, wanted: &[Vec<P>], what: &dyn Debug) {
    assert_eq!(found.count, Some(wanted.len() as u128), "count of {what:?}");
    assert_eq!(found.options.collect::<Vec<_>>(), wanted, "{what:?}");
}

#[cfg(test)]
mod tests {
    use crate::rulesets::heap::HeapRule;

    fn taken(n: &u64, to: &[u64]) -> u128 {
        u128::from(n - to.iter().sum::<u64>())
    }

    laws! {
        nim_by_code: HeapRule::octal(0, &[3, 3, 3, 3, 3]), (0..=14).collect::<Vec<u64>>(), taken;
        kayles: HeapRule::octal(0, &[7, 7]), (0..=14).collect::<Vec<u64>>(), taken;
        dawsons_chess: HeapRule::octal(0, &[1, 3, 7]), (0..=14).collect::<Vec<u64>>(), taken;
        breaking: HeapRule::octal(4, &[3, 0, 7]), (0..=12).collect::<Vec<u64>>(), taken;
        three_parts: HeapRule::octal(8, &[0, 15]), (0..=12).collect::<Vec<u64>>(), taken;
    }

    struct OutOfOrder;

    impl super::Ruleset for OutOfOrder {
        type Position = u64;

        fn options(&self, g: &u64, sink: &mut impl crate::ruleset::OptionSink<u64>) -> super::ControlFlow<()> {
            for n in 0..*g {
                sink.push(n)?;
            }
            super::ControlFlow::Continue(())
        }
    }

    impl super::Playable for OutOfOrder {
        fn move_name(&self, g: &u64, to: &[u64]) -> String {
            format!("{g} to {to:?}")
        }

        fn print_position(&self, g: &u64) -> String {
            g.to_string()
        }
    }

    #[test]
    #[should_panic(expected = "before")]
    fn a_wrong_order_is_noticed() {
        super::obeyed(&OutOfOrder, &[3], taken);
    }
}
