//! What a ruleset is: one required method, `options`; the rest is provided.
//!
//! A ruleset is a value, a position is plain data, and neither stores Grundy values. An option is a *sum* of
//! positions of the same ruleset: a move that breaks nothing leads to a sum of one, a move that ends the component to
//! the empty sum.

pub mod definition;
#[cfg(test)]
pub(crate) mod laws;

use core::{fmt::Debug, hash::Hash, ops::ControlFlow};

use crate::theory::{Convention, Outcome};

/// Receives the options of a position, one call each; answers `Break` when it has seen enough.
pub trait OptionSink<P> {
    /// An option that is the sum of `parts`; the slice is only lent.
    fn push_sum(&mut self, parts: &[P]) -> ControlFlow<()>;

    /// An option that is a single position.
    fn push(&mut self, option: P) -> ControlFlow<()> {
        self.push_sum(core::slice::from_ref(&option))
    }

    /// Called now and then while many candidates are rejected, so that a search for options can be stopped too.
    fn tick(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<P, F: FnMut(&[P]) -> ControlFlow<()>> OptionSink<P> for F {
    fn push_sum(&mut self, parts: &[P]) -> ControlFlow<()> {
        self(parts)
    }
}

/// A statement about a position that a theorem gives without looking at other positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByTheorem<T> {
    /// What the theorem says.
    pub answer: T,
    /// The theorem in a few words, for people.
    pub theorem: &'static str,
    /// Key of `SOURCES.md`.
    pub source: &'static str,
}

impl<T> ByTheorem<T> {
    /// The same theorem with the answer rewritten.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> ByTheorem<U> {
        ByTheorem { answer: f(self.answer), theorem: self.theorem, source: self.source }
    }
}

/// The options of one position that have one wanted Grundy value, without listing the others.
pub struct OptionsOfValue<'a, P> {
    /// Their exact number, if counting is feasible.
    pub count: Option<u128>,
    /// The options in the order of moves, each once; lazy, since there may be 2^61 of them.
    pub options: Box<dyn Iterator<Item = Vec<P>> + 'a>,
}

impl<'a, P: 'a> OptionsOfValue<'a, P> {
    /// No option has the value.
    pub fn none() -> Self {
        OptionsOfValue { count: Some(0), options: Box::new(core::iter::empty()) }
    }
}

/// The rules of an impartial game.
pub trait Ruleset {
    /// A position: plain data.
    type Position: Clone + Eq + Ord + Hash + Debug;

    /// Sends every option of `g` to `sink`, each (as a multiset of positions) once, in the order of moves: by the amount
    /// taken, then by the number of parts, then by the parts ascending; stops when the sink breaks.
    fn options(&self, g: &Self::Position, sink: &mut impl OptionSink<Self::Position>) -> ControlFlow<()>;

    // The rest is provided.

    /// True if the sum of `parts` is an option of `g`, whatever their order.
    ///
    /// By default the options are looked through; rulesets with huge positions decide it at once.
    fn is_option(&self, g: &Self::Position, parts: &[Self::Position]) -> bool {
        let sorted = |parts: &[Self::Position]| {
            let mut sorted = parts.to_vec();
            sorted.sort();
            sorted
        };
        let wanted = sorted(parts);
        let seen = self.options(g, &mut |option: &[Self::Position]| {
            if sorted(option) == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        seen.is_break()
    }

    /// A representative of all positions that are the same up to order or symmetry; idempotent.
    fn canonical(&self, g: &Self::Position) -> Self::Position {
        g.clone()
    }

    /// The positions whose sum `g` is, where it falls into such; none of them falls further. None if it is one piece.
    ///
    /// Options are pushed whole, as players see the board; searches split them.
    fn split(&self, g: &Self::Position) -> Option<Vec<Self::Position>> {
        let _ = g;
        None
    }

    /// True if play may go on for ever.
    fn is_loopy(&self) -> bool {
        false
    }

    /// The Grundy value, where a theorem gives it at once.
    fn value_hint(&self, g: &Self::Position) -> Option<ByTheorem<u64>> {
        let _ = g;
        None
    }

    /// The outcome of `g` played alone, where a theorem gives it at once.
    ///
    /// By default the one that follows from [`Ruleset::value_hint`] in normal play.
    fn outcome_hint(&self, g: &Self::Position, convention: Convention) -> Option<ByTheorem<Outcome>> {
        match convention {
            Convention::Normal => Some(self.value_hint(g)?.map(|v| if v == 0 { Outcome::P } else { Outcome::N })),
            Convention::Misere => None,
        }
    }

    /// The options of value `target` without listing all options, where a theorem finds them.
    fn options_of_value(&self, g: &Self::Position, target: u64) -> Option<OptionsOfValue<'_, Self::Position>> {
        let _ = (g, target);
        None
    }

    /// The options of outcome P for `g` played alone, where a theorem finds them; in normal play those of value 0.
    fn winning_options(
        &self,
        g: &Self::Position,
        convention: Convention,
    ) -> Option<OptionsOfValue<'_, Self::Position>> {
        match convention {
            Convention::Normal => self.options_of_value(g, 0),
            Convention::Misere => None,
        }
    }
}

/// A ruleset whose positions and moves can be shown to people.
pub trait Playable: Ruleset {
    /// The name of the move from `g` to the sum of `to`, as a player would say it: `take 2, leave 1 + 6`.
    ///
    /// `to` must be an option of `g`; for anything else the text is meaningless.
    fn move_name(&self, g: &Self::Position, to: &[Self::Position]) -> String;

    /// The position as the notation writes it inside the parentheses: `3`, `3, 5`.
    fn print_position(&self, g: &Self::Position) -> String;
}

/// All options as owned sums, in the order of [`Ruleset::options`]; for tests and small positions.
pub fn options_of<R: Ruleset>(ruleset: &R, g: &R::Position) -> Vec<Vec<R::Position>> {
    let mut all = Vec::new();
    let _ = ruleset.options(g, &mut |parts: &[R::Position]| {
        all.push(parts.to_vec());
        ControlFlow::Continue(())
    });
    all
}
