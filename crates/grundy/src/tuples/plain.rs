//! Positions of several heaps by the definition: options from the rulesets, outcomes by looking at options.
//!
//! Nothing here knows of automata, so that what they say can be tested against it.

use std::ops::ControlFlow;

use grundy_core::{
    notation::{
        TupleRule,
        formula::{Condition, EvalError},
    },
    ruleset::{OptionSink, Ruleset},
    rulesets::{
        AnyRuleset,
        tuple::{Staircase, Wythoff},
    },
    theory::Convention,
};
use rustc_hash::FxHashSet;

use super::TupleRuleset;
use crate::budget::{Meter, StopReason};

/// Why every play ends: what a move does, if it does not make the total smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Every move makes the total smaller.
    Total,
    /// It leaves the total, and the first heap that changes becomes smaller.
    Smaller,
    /// It leaves the total, and the first heap that changes becomes larger.
    Larger,
}

/// A ruleset with what is known of all its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game<'a> {
    pub(super) ruleset: &'a TupleRuleset,
    /// Why every play ends.
    pub(super) order: Order,
    /// True if a move may make a heap larger.
    pub(super) raises: bool,
}

/// Sends every option of a position, at least once, to `see`, and nothing now and then while candidates are rejected; of a heap
/// game the position is one heap a number.
///
/// # Panics
/// If the ruleset is Wythoff's game and the position no pair.
pub(super) fn options(
    game: &Game,
    position: &[u64],
    see: &mut impl FnMut(Option<&[u64]>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match game.ruleset {
        TupleRuleset::Named(ruleset) => options_of_named(ruleset, position, see),
        TupleRuleset::Own(rule) => options_of_own(rule, game.raises, position, see),
    }
}

/// Positions of no larger total, and of no larger heap if no move raises one, that the condition makes options.
fn options_of_own(
    rule: &TupleRule,
    raises: bool,
    position: &[u64],
    see: &mut impl FnMut(Option<&[u64]>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let total = position.iter().fold(0u64, |total, n| total.saturating_add(*n));
    let mut to = vec![0; position.len()];
    loop {
        let is_move = rule.is_move(position, &to) == Ok(true);
        see(is_move.then_some(&to))?;
        // the next in lexicographic order
        let may_grow = |i: &usize| {
            let most = if raises { total } else { position[*i] };
            to[*i] < most && to[..=*i].iter().sum::<u64>() < total
        };
        let Some(i) = (0..to.len()).rfind(may_grow) else { return ControlFlow::Continue(()) };
        to[i] += 1;
        to[i + 1..].fill(0);
    }
}

fn options_of_named(
    ruleset: &AnyRuleset,
    position: &[u64],
    see: &mut impl FnMut(Option<&[u64]>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match ruleset {
        AnyRuleset::Heap(game) => {
            let mut option = position.to_vec();
            for (i, heap) in position.iter().enumerate() {
                game.rule().each_option(*heap, &mut OneHeap { see: &mut *see, option: &mut option, i })?;
                option[i] = *heap;
            }
            ControlFlow::Continue(())
        }
        AnyRuleset::Moore(moore) => moore.options(&position.to_vec(), &mut Whole(see)),
        AnyRuleset::Staircase => Staircase.options(&position.to_vec(), &mut Whole(see)),
        AnyRuleset::Wythoff => Wythoff.options(&[position[0], position[1]], &mut Whole(see)),
        // one coin a number, each of which moves to any square below: heaps of Nim
        AnyRuleset::Nimble => {
            let mut option = position.to_vec();
            for (i, square) in position.iter().enumerate() {
                for to in 0..*square {
                    option[i] = to;
                    see(Some(&option))?;
                }
                option[i] = *square;
            }
            ControlFlow::Continue(())
        }
        // refused before
        AnyRuleset::Euclid(_)
        | AnyRuleset::Coins(_)
        | AnyRuleset::Tartan(_)
        | AnyRuleset::Digraph(_)
        | AnyRuleset::Board(_)
        | AnyRuleset::Chomp
        | AnyRuleset::Custom(_) => ControlFlow::Continue(()),
    }
}

/// Options of one heap as those of the position.
struct OneHeap<'a, F> {
    see: &'a mut F,
    option: &'a mut [u64],
    i: usize,
}

impl<F: FnMut(Option<&[u64]>) -> ControlFlow<()>> OptionSink<u64> for OneHeap<'_, F> {
    fn push_sum(&mut self, parts: &[u64]) -> ControlFlow<()> {
        self.option[self.i] = parts.iter().sum();
        (self.see)(Some(self.option))
    }

    fn tick(&mut self) -> ControlFlow<()> {
        (self.see)(None)
    }
}

/// Options that are whole positions.
struct Whole<'a, F>(&'a mut F);

impl<P: AsRef<[u64]>, F: FnMut(Option<&[u64]>) -> ControlFlow<()>> OptionSink<P> for Whole<'_, F> {
    fn push_sum(&mut self, parts: &[P]) -> ControlFlow<()> {
        parts.iter().try_for_each(|p| (self.0)(Some(p.as_ref())))
    }

    fn tick(&mut self) -> ControlFlow<()> {
        (self.0)(None)
    }
}

/// What came of a search among options.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sought {
    /// This is the first.
    Found(Vec<u64>),
    /// There is none.
    None,
    /// There are more options than were allowed to be looked at.
    TooMany,
}

/// The first option that passes the test, among the first `room`.
pub(super) fn option_where(game: &Game, position: &[u64], room: u64, mut test: impl FnMut(&[u64]) -> bool) -> Sought {
    let mut sought = Sought::None;
    let mut seen = 0;
    let _ = options(game, position, &mut |option| {
        seen += 1;
        if seen > room {
            sought = Sought::TooMany;
        } else if let Some(option) = option
            && test(option)
        {
            sought = Sought::Found(option.to_vec());
        } else {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    });
    sought
}

/// True if `to` is an option, decided without listing.
pub(super) fn is_option(game: &Game, position: &[u64], to: &[u64]) -> bool {
    let ruleset = match game.ruleset {
        TupleRuleset::Named(ruleset) => ruleset,
        TupleRuleset::Own(rule) => return rule.is_move(position, to) == Ok(true),
    };
    if let AnyRuleset::Heap(_) = ruleset {
        // one heap changes
        let mut changed = position.iter().zip(to).filter(|(a, b)| a != b);
        let (Some((from, left)), None) = (changed.next(), changed.next()) else { return false };
        let Ok(heaps) = ruleset.components(&[*from, *left]) else { return false };
        return heaps[0].is_option(if *left == 0 { &[] } else { &heaps[1..] });
    }
    match (ruleset.components(position), ruleset.components(to)) {
        (Ok(from), Ok(to)) => from.len() == 1 && from[0].is_option(&to),
        _ => false,
    }
}

/// Truth of a claim at a position.
pub(super) fn holds(claim: &Condition, position: &[u64]) -> Result<bool, EvalError> {
    let numbers: Vec<i128> = position.iter().map(|n| i128::from(*n)).collect();
    claim.eval(&numbers)
}

/// The P-positions found so far, by growing totals.
pub(super) struct Outcomes<'a> {
    game: Game<'a>,
    convention: Convention,
    lost: FxHashSet<Box<[u64]>>,
    /// Options looked at.
    pub(super) work: u64,
}

/// Why the outcomes were not found out.
pub(super) enum Unknown {
    /// More options than were allowed.
    TooMuch,
    /// The meter's stop.
    Stop(StopReason),
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(game: Game<'a>, convention: Convention) -> Self {
        Outcomes { game, convention, lost: FxHashSet::default(), work: 0 }
    }

    /// True if a position is a P-position, those reached by its options having been decided.
    pub(super) fn decide(&mut self, position: &[u64], most: u64, meter: &mut Meter) -> Result<bool, Unknown> {
        meter.position().map_err(Unknown::Stop)?;
        let mut seen = 0u64;
        let mut stop = None;
        let (mut is_won, mut has_move) = (false, false);
        let room = most.saturating_sub(self.work);
        let _ = options(&self.game, position, &mut |option| {
            seen += 1;
            if let Some(option) = option {
                has_move = true;
                is_won = self.lost.contains(option);
            }
            if is_won || seen > room {
                return ControlFlow::Break(());
            }
            if let Err(s) = meter.steps(20) {
                stop = Some(s);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        self.work += seen + 1;
        if let Some(stop) = stop {
            return Err(Unknown::Stop(stop));
        }
        if seen > room {
            return Err(Unknown::TooMuch);
        }
        let is_lost = if !has_move { self.convention == Convention::Normal } else { !is_won };
        if is_lost {
            meter.bytes(8 * position.len() as u64 + 40).map_err(Unknown::Stop)?;
            self.lost.insert(position.into());
        }
        Ok(is_lost)
    }

    /// True if a position that was decided is a P-position.
    pub(super) fn is_lost(&self, position: &[u64]) -> bool {
        self.lost.contains(position)
    }
}

/// Every position of `heaps` numbers with this total, its options of the same total before it: in lexicographic order, in
/// the opposite one if moves make the first heap that changes larger.
pub(super) fn layer(
    heaps: usize,
    total: u64,
    order: Order,
    mut each: impl FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let is_descending = order == Order::Larger;
    let mut position = vec![0; heaps];
    position[if is_descending { 0 } else { heaps - 1 }] = total;
    loop {
        each(&position)?;
        let (i, rest) = if is_descending {
            // one less at the last place but one that can give, and all that stands behind it to the next place
            let Some(i) = (0..heaps - 1).rfind(|i| position[*i] > 0) else { return ControlFlow::Continue(()) };
            let rest = position[i + 1..].iter().sum::<u64>() + 1;
            position[i] -= 1;
            position[i + 1..].fill(0);
            (i + 1, rest)
        } else {
            // one from the last place that can give to the one before it, and the others to the end
            let Some(i) = (1..heaps).rfind(|i| position[*i] > 0) else { return ControlFlow::Continue(()) };
            let rest = position[i] - 1;
            position[i - 1] += 1;
            position[i] = 0;
            (heaps - 1, rest)
        };
        position[i] = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_complete_and_in_order() {
        let all = |heaps, total, order| {
            let mut seen: Vec<Vec<u64>> = Vec::new();
            let _ = layer(heaps, total, order, |p| {
                seen.push(p.to_vec());
                ControlFlow::Continue(())
            });
            seen
        };
        for order in [Order::Total, Order::Smaller, Order::Larger] {
            let mut seen = all(3, 4, order);
            if order == Order::Larger {
                seen.reverse();
            }
            assert_eq!(seen.len(), 15);
            assert!(seen.windows(2).all(|w| w[0] < w[1]) && seen.iter().all(|p| p.iter().sum::<u64>() == 4));
            assert_eq!(all(1, 7, order), [[7]]);
            assert_eq!(all(4, 0, order), [[0; 4]]);
        }
    }

    #[test]
    fn options_of_every_kind() {
        for (text, position, count) in [
            ("nim", vec![2, 0, 3], 5),
            ("[take 1..3]", vec![5, 1], 4),
            ("moore[2]", vec![1, 2, 0], 5),
            ("wythoff", vec![2, 3], 7),
            ("staircase", vec![4, 1, 2], 3),
            ("nimble", vec![2, 2], 4),
            ("[a -> x where x < a and a < x + 3]", vec![7], 2),
            ("[a, b -> x, y where x < a and x + y < a + b]", vec![2, 1], 5),
            ("[a, b -> x, y where x < a and x + y = a + b]", vec![2, 1], 2),
        ] {
            let ruleset = TupleRuleset::read(text).unwrap();
            let game = Game { ruleset: &ruleset, order: Order::Larger, raises: true };
            let mut seen = 0;
            let _ = options(&game, &position, &mut |o| {
                let Some(o) = o else { return ControlFlow::Continue(()) };
                seen += 1;
                assert_ne!(o, position, "{text}");
                assert!(is_option(&game, &position, o) && !is_option(&game, o, &position), "{text}");
                ControlFlow::Continue(())
            });
            assert_eq!(seen, count, "{text}");
        }
    }
}
