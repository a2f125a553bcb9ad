//! The one place that chooses how a question is answered, and says why.
//!
//! A new engine is one more variant here and one more arm in `session.rs`.

use std::sync::Arc;

use grundy_core::{
    rulesets::{AnyComponent, HeapGame, digraph::DigraphGame, heap::HeapRule},
    theory::{Convention, nim::NimClass, period::PeriodTheorem},
};

use crate::sequence::{Engine, ManyShape, Shape};

/// How the Grundy value of a component is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePlan {
    /// A theorem gives it at once.
    Theorem,
    /// All-but set: run until its state repeats, which proves an arithmetic period.
    AllBut,
    /// Compute the sequence; a period is proved on the way where a theorem can.
    Sequence {
        /// True if a period theorem applies to the rule.
        provable: bool,
    },
    /// A row of coins: the values of its coins, one after another.
    Coins,
    /// A board of coins: the Tartan theorem on the values of its games.
    Product,
    /// A token: all vertices of its graph at once.
    Graph,
    /// A board: search for the value, pieces apart.
    Board,
    /// A board of Chomp: one sweep over all positions below.
    Boards,
    /// Positions are numbered so that options come before them: all values up to this one, in that order.
    Ranks,
    /// Search over the options.
    Search,
}

impl ValuePlan {
    /// The plan for one component.
    pub fn of(component: &AnyComponent) -> ValuePlan {
        match component {
            AnyComponent::Heap(game, _) => ValuePlan::of_heap_game(game),
            // whose theorem, by the plain arithmetic of the core, is slow on large boards
            AnyComponent::Tartan(..) => ValuePlan::Product,
            AnyComponent::Digraph(..) => ValuePlan::Graph,
            AnyComponent::Coins(game, _) if game.form().is_none() => ValuePlan::Coins,
            AnyComponent::Custom(ruleset, position) => match ruleset.rank(position) {
                Some(rank) if rank < MOST_RANKS => ValuePlan::Ranks,
                _ => ValuePlan::Search,
            },
            other if other.value_hint().is_some() => ValuePlan::Theorem,
            AnyComponent::Cram(..) | AnyComponent::Cells(..) => ValuePlan::Board,
            AnyComponent::Chomp(..) => ValuePlan::Boards,
            _ => ValuePlan::Search,
        }
    }

    /// The plan for all heaps of one game.
    pub fn of_heap_game(game: &HeapGame) -> ValuePlan {
        if game.closed_form().is_some() {
            ValuePlan::Theorem
        } else if excluded_amounts(game.rule()).is_some() {
            ValuePlan::AllBut
        } else {
            ValuePlan::Sequence { provable: game.rule().period_theorem().is_some() }
        }
    }
}

/// Ranks from here on are searched, since a table of all of them would be too large; a position far out may still have few
/// followers.
pub const MOST_RANKS: u64 = 1 << 26;

/// The finite set X of a rule "take any but X", ascending.
pub fn excluded_amounts(rule: &HeapRule) -> Option<Vec<u64>> {
    grundy_core::rulesets::heap::all_but_amounts(rule)
}

/// The engine for the sequence of a rule, by the shape of the rule.
pub fn engine_for(rule: &HeapRule) -> Engine {
    match Shape::of(rule) {
        Some(shape) if !shape.pairs.is_empty() => Engine::RareCommon,
        None if ManyShape::of(rule).is_some() => Engine::PartitionSets,
        _ => Engine::Direct,
    }
}

/// How the outcome and the winning moves of a sum are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumPlan {
    /// Normal play: xor of the Grundy values of the components.
    SpragueGrundy,
    /// Normal play that may go on for ever: the algebra of loopy values.
    LoopyValues,
    /// Misère play of one token: the outcomes of all vertices of its graph.
    MisereToken,
    /// One board of Chomp: its value where one sweep finds it, else its outcome.
    Board,
    /// One component whose outcome a theorem knows, in this convention, when its value is not known.
    OutcomeTheorem,
    /// Misère play, every component acts as a Nim heap of its value: Bouton's rule.
    MisereNim(NimClass),
    /// Misère play: search over multisets of components.
    MisereSearch,
}

impl SumPlan {
    /// The plan for a sum.
    pub fn of(components: &[AnyComponent], convention: Convention) -> SumPlan {
        match convention {
            Convention::Normal => match components {
                // a theorem must find moves too: else the values, and what it says of the outcome if they are out of reach
                [one @ AnyComponent::Chomp(..)] if one.value_hint().is_none() => SumPlan::Board,
                [one] if one.value_hint().is_none() && one.winning_options(convention).is_some() => {
                    SumPlan::OutcomeTheorem
                }
                _ if components.iter().any(AnyComponent::is_loopy) => SumPlan::LoopyValues,
                _ => SumPlan::SpragueGrundy,
            },
            Convention::Misere => {
                if let Some(heaps) = components.iter().map(AnyComponent::misere_nim_value).collect::<Option<Vec<u64>>>()
                {
                    return SumPlan::MisereNim(NimClass::of(&heaps));
                }
                match components {
                    [one @ AnyComponent::Chomp(..)] if one.winning_options(convention).is_none() => SumPlan::Board,
                    [one] if one.outcome_hint(convention).is_some() => SumPlan::OutcomeTheorem,
                    _ if only_token(components).is_some() => SumPlan::MisereToken,
                    _ => SumPlan::MisereSearch,
                }
            }
        }
    }
}

/// A token that alone can be moved.
#[derive(Clone, Copy, Debug)]
pub struct OnlyToken<'a> {
    /// Which component it is.
    pub component: usize,
    /// Its graph.
    pub game: &'a Arc<DigraphGame>,
    /// Where it lies.
    pub vertex: u32,
}

/// The token that is the only component with a move, beside empty heaps and tokens on ends: retrograde analysis of its graph
/// then knows all of the sum.
pub fn only_token(components: &[AnyComponent]) -> Option<OnlyToken<'_>> {
    let has_ended = |c: &AnyComponent| match c {
        AnyComponent::Digraph(game, v) => game.graph().successors(*v).is_empty(),
        other => other.is_empty_heap(),
    };
    let mut live = components.iter().enumerate().filter(|(_, c)| !has_ended(c));
    match (live.next(), live.next()) {
        (Some((component, AnyComponent::Digraph(game, vertex))), None) => {
            Some(OnlyToken { component, game, vertex: *vertex })
        }
        _ => None,
    }
}

/// True if a theorem can prove a period from the values alone and a move leaves at most two heaps, so that far heaps are in
/// reach.
pub(crate) fn is_fast(game: &HeapGame) -> bool {
    let theorem = game.rule().period_theorem();
    matches!(theorem, Some(PeriodTheorem::Window { .. } | PeriodTheorem::GuySmith { parts: 0..=2, .. }))
}

/// Last heap computed for a period where nothing else is said: 2^20 where a theorem can prove one and a move leaves at most
/// two heaps, else 2^10.
pub fn default_to(game: &HeapGame) -> u64 {
    if is_fast(game) { 1 << 20 } else { 1 << 10 }
}
