//! The built-in rulesets by name, and the closed world of their components.
//!
//! Named games are one-line instances of general rules. [`AnyComponent`] enumerates the families; user rules come in by
//! its one open variant.

use core::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};
use std::sync::Arc;

use super::{
    cells::{Cram, DeletionGame, Geography, Grid, Hackenbush, Writing, set},
    chomp::Chomp,
    coins::{CoinGame, ProductGame},
    custom::{DynRuleset, DynSink, Fault},
    digraph::DigraphGame,
    heap::{ClosedForm, HeapRule, move_name},
    tuple::{Euclid, Moore, Nimble, Staircase, Variant, Wythoff},
};
use crate::{
    ruleset::{ByTheorem, OptionSink, OptionsOfValue, Playable, Ruleset},
    theory::{Convention, Outcome},
};

pub use super::entries::{Entry, PARTIZAN, entries, entry};

/// A heap game under the name it was typed with.
#[derive(Debug)]
pub struct HeapGame {
    name: String,
    rule: HeapRule,
    closed_form: Option<ClosedForm>,
    row: Option<Arc<HeapGame>>,
    subject: Option<String>,
}

impl HeapGame {
    /// The game of `rule`, printed as `name`.
    pub fn new(name: impl Into<String>, rule: HeapRule) -> Self {
        let closed_form = ClosedForm::recognise(&rule);
        HeapGame { name: name.into(), rule, closed_form, row: None, subject: None }
    }

    /// Treblecross: a row of n >= 3 squares is a heap of n + 2 in 0.007, and its options are heaps of 0.007.
    ///
    /// A mark in a free row forbids its own square and two on each side; n + 2 counts the two squares that the ends
    /// lack. Normal play only: whoever completes three in a row wins, and in misère play that is another game.
    pub fn treblecross() -> Self {
        let rule = HeapRule::octal(0, &[0, 0, 7]);
        let row = HeapGame::new("0.007", rule.clone());
        HeapGame { name: "treblecross".into(), rule, closed_form: None, row: Some(Arc::new(row)), subject: None }
    }

    /// The same game under a name of the user's own.
    pub fn renamed(&self, name: impl Into<String>) -> Self {
        HeapGame {
            name: name.into(),
            rule: self.rule.clone(),
            closed_form: self.closed_form,
            row: self.row.clone(),
            subject: Some(self.subject().to_owned()),
        }
    }

    /// The name it was typed with: `kayles`, `0.77`, `[take 1..3]`; `*` for nimbers.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The game in the notation alone, for certificates and saved values: other than its name if that is the user's own.
    pub fn subject(&self) -> &str {
        self.subject.as_deref().unwrap_or(&self.name)
    }

    /// The rule it lowers to.
    pub fn rule(&self) -> &HeapRule {
        &self.rule
    }

    /// The closed form of its values, where a theorem gives one.
    pub fn closed_form(&self) -> Option<&ClosedForm> {
        self.closed_form.as_ref()
    }

    /// The heap of [`HeapGame::rule`] that a position of size `n` is; None beyond 64 bits.
    pub fn heap_of(&self, n: u64) -> Option<u64> {
        if self.row.is_some() { n.checked_add(2) } else { Some(n) }
    }

    /// The game of which the options are heaps.
    pub fn options_game(self: &Arc<Self>) -> Arc<HeapGame> {
        self.row.clone().unwrap_or_else(|| Arc::clone(self))
    }

    /// True if misère play means something else than "who cannot move wins" would say.
    pub fn is_normal_only(&self) -> bool {
        self.row.is_some()
    }

    /// True if heap n is the nimber *n in both conventions and its moves are to every smaller heap: Nim itself.
    pub fn is_plain_nim(&self) -> bool {
        self.row.is_none()
            && self.closed_form == Some(ClosedForm::Identity)
            && self.rule.alternatives().iter().all(|a| a.leave.most().is_some_and(|m| m <= 1))
    }

    fn is_nimber(&self) -> bool {
        self.name == "*"
    }
}

impl PartialEq for HeapGame {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.rule == other.rule
    }
}

impl Eq for HeapGame {}

impl Hash for HeapGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// One component of a sum: a ruleset and a position.
#[derive(Clone, Debug)]
pub enum AnyComponent {
    /// A heap; `*n` is the heap game named `*`.
    Heap(Arc<HeapGame>, u64),
    /// Moore's Nim.
    Moore(Moore, Vec<u64>),
    /// Wythoff's game.
    Wythoff(Wythoff, [u64; 2]),
    /// Euclid.
    Euclid(Euclid, [u64; 2]),
    /// Staircase Nim.
    Staircase(Staircase, Vec<u64>),
    /// Nimble.
    Nimble(Nimble, Vec<u64>),
    /// A row of coins; the heads, ascending.
    Coins(Arc<CoinGame>, Vec<u64>),
    /// A board of coins; the heads, cell after cell.
    Tartan(Arc<ProductGame>, Vec<u64>),
    /// A token on a vertex of a graph.
    Digraph(Arc<DigraphGame>, u32),
    /// Dominoes on a board.
    Cram(Cram, Grid),
    /// Cells that are deleted; those that are left.
    Cells(Arc<DeletionGame>, Vec<u64>),
    /// A picture whose edges are cut; those that stand.
    Hackenbush(Arc<Hackenbush>, Vec<u64>),
    /// A token that never comes back; where it was, and where it is.
    Geography(Arc<Geography>, Vec<u64>),
    /// Chomp; the lengths of the rows from the top.
    Chomp(Chomp, Vec<u64>),
    /// A ruleset of the user.
    Custom(Arc<dyn DynRuleset>, Vec<u64>),
}

/// Runs the same code for every family of the closed world.
macro_rules! for_family {
    ($component:expr, heap($game:pat, $n:pat) => $heap:expr, tuple($ruleset:ident, $position:ident, $wrap:ident) => $tuple:expr, custom($custom:pat, $at:pat) => $user:expr $(,)?) => {
        match $component {
            AnyComponent::Heap($game, $n) => $heap,
            AnyComponent::Moore($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Moore($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Wythoff($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: [u64; 2]| AnyComponent::Wythoff($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Euclid($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: [u64; 2]| AnyComponent::Euclid($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Staircase($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Staircase($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Nimble($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Nimble($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Coins($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Coins($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Tartan($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Tartan($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Digraph($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |v: u32| AnyComponent::Digraph($ruleset.clone(), v);
                $tuple
            }
            AnyComponent::Cram($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Grid| AnyComponent::Cram($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Cells($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Cells($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Hackenbush($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Hackenbush($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Geography($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Geography($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Chomp($ruleset, $position) => {
                #[allow(unused)]
                let $wrap = |p: Vec<u64>| AnyComponent::Chomp($ruleset.clone(), p);
                $tuple
            }
            AnyComponent::Custom($custom, $at) => $user,
        }
    };
}

/// Options of one wanted kind, as components: exact count where feasible, lazy list.
pub type ComponentOptions<'a> = OptionsOfValue<'a, AnyComponent>;

impl AnyComponent {
    /// The ruleset as it is printed: `kayles`, `moore[2]`.
    pub fn ruleset_name(&self) -> String {
        match self {
            AnyComponent::Heap(game, _) => game.name.clone(),
            AnyComponent::Moore(m, _) => format!("moore[{}]", m.k()),
            AnyComponent::Wythoff(..) => "wythoff".into(),
            AnyComponent::Euclid(e, _) => match e.variant {
                Variant::ToZero => "euclid".into(),
                Variant::ToEqual => "euclid[\"to-equal\"]".into(),
            },
            AnyComponent::Staircase(..) => "staircase".into(),
            AnyComponent::Nimble(..) => "nimble".into(),
            AnyComponent::Coins(game, _) => game.name().into(),
            AnyComponent::Tartan(game, _) => game.name().into(),
            AnyComponent::Digraph(game, _) => game.name().into(),
            AnyComponent::Cram(..) => "cram".into(),
            AnyComponent::Cells(game, _) => game.name().into(),
            AnyComponent::Hackenbush(game, _) => game.name().into(),
            AnyComponent::Geography(game, _) => game.name().into(),
            AnyComponent::Chomp(..) => "chomp".into(),
            AnyComponent::Custom(c, _) => c.name().to_owned(),
        }
    }

    /// The position as it is printed inside the parentheses.
    pub fn print_position(&self) -> String {
        for_family!(self,
            heap(_, n) => n.to_string(),
            tuple(r, p, _w) => r.print_position(p),
            custom(c, p) => c.print_position(p),
        )
    }

    /// True if it is printed without parentheses: a whole board, of which the name says all.
    pub(crate) fn is_whole_board(&self) -> bool {
        match self {
            AnyComponent::Cells(game, g) => *game.writing() == Writing::Names && game.is_whole(g),
            AnyComponent::Hackenbush(game, g) => game.is_whole(g),
            _ => false,
        }
    }

    /// True for an empty heap or board, which printing drops from results.
    pub fn is_empty_heap(&self) -> bool {
        match self {
            AnyComponent::Heap(_, n) => *n == 0,
            AnyComponent::Cram(_, g) => set::is_empty(g.cells()),
            AnyComponent::Cells(_, g) | AnyComponent::Hackenbush(_, g) => set::is_empty(g),
            _ => false,
        }
    }

    /// The components whose sum this one is, where it falls into such.
    pub fn split(&self) -> Option<Vec<AnyComponent>> {
        for_family!(self,
            heap(_, _) => None,
            tuple(r, p, wrap) => Some(r.split(p)?.into_iter().map(wrap).collect()),
            custom(_, _) => None,
        )
    }

    /// Sends every option, a sum of components, to the sink in the order of moves.
    pub fn options(&self, sink: &mut impl OptionSink<AnyComponent>) -> ControlFlow<()> {
        for_family!(self,
            heap(game, n) => {
                let Some(heap) = game.heap_of(*n) else { return ControlFlow::Continue(()) };
                let to = game.options_game();
                game.rule.each_option(heap, &mut Wrapped { sink, wrap: |p: &u64| AnyComponent::Heap(to.clone(), *p), out: Vec::new() })
            },
            tuple(r, p, wrap) => r.options(p, &mut Wrapped { sink, wrap: |q: &_| wrap(Clone::clone(q)), out: Vec::new() }),
            custom(c, p) => c.options(p, &mut OfCustom { sink, ruleset: c, out: Vec::new() }),
        )
    }

    /// True if the sum of `parts` is an option, whatever their order; decided without listing for heaps and for the
    /// built-in games on lists of numbers.
    pub fn is_option(&self, parts: &[AnyComponent]) -> bool {
        let lists = || {
            let alike = parts.iter().all(|p| self.same_ruleset(p));
            alike.then(|| parts.iter().map(|p| p.numbers().to_vec()).collect::<Vec<Vec<u64>>>())
        };
        let pairs = || {
            let alike = parts.iter().all(|p| self.same_ruleset(p));
            alike.then(|| parts.iter().filter_map(|p| p.numbers().try_into().ok()).collect::<Vec<[u64; 2]>>())
        };
        match self {
            AnyComponent::Heap(game, n) => {
                let to = game.options_game();
                let sizes = parts.iter().map(|p| match p {
                    AnyComponent::Heap(other, size) if *other == to => Some(*size),
                    _ => None,
                });
                let sizes: Option<Vec<u64>> = sizes.collect();
                let heap = game.heap_of(*n);
                heap.zip(sizes).is_some_and(|(heap, sizes)| Ruleset::is_option(&game.rule, &heap, &sizes))
            }
            AnyComponent::Moore(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Staircase(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Nimble(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Coins(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Tartan(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Chomp(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Wythoff(r, p) => pairs().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Euclid(r, p) => pairs().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Digraph(r, v) => match parts {
                [to @ AnyComponent::Digraph(_, w)] => self.same_ruleset(to) && r.is_option(v, &[*w]),
                _ => false,
            },
            AnyComponent::Cram(r, p) => {
                let boards =
                    parts.iter().map(|c| if let AnyComponent::Cram(_, q) = c { Some(q.clone()) } else { None });
                boards.collect::<Option<Vec<Grid>>>().is_some_and(|to| r.is_option(p, &to))
            }
            AnyComponent::Cells(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Hackenbush(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Geography(r, p) => lists().is_some_and(|to| r.is_option(p, &to)),
            AnyComponent::Custom(..) => {
                let same = |a: &[AnyComponent], b: &[AnyComponent]| {
                    let count = |of: &[AnyComponent], c| of.iter().filter(|x| *x == c).count();
                    a.len() == b.len() && a.iter().all(|c| count(a, c) == count(b, c))
                };
                let seen = self.options(&mut |option: &[AnyComponent]| {
                    if same(option, parts) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                seen.is_break()
            }
        }
    }

    /// The name of the move to `parts`, which must be an option.
    pub fn move_name(&self, parts: &[AnyComponent]) -> String {
        let sizes = || -> Vec<u64> {
            parts.iter().filter_map(|c| if let AnyComponent::Heap(_, n) = c { Some(*n) } else { None }).collect()
        };
        match self {
            AnyComponent::Heap(game, n) if game.row.is_some() => {
                // a mark on square s leaves heaps of s - 1 and n - s
                let square = match sizes()[..] {
                    [left, _] => left + 1,
                    [_] => 1,
                    _ => n.div_ceil(2),
                };
                // the board looks the same from its other end
                match n + 1 - square {
                    mirrored if mirrored != square => format!("mark square {square} or {mirrored}"),
                    _ => format!("mark square {square}"),
                }
            }
            AnyComponent::Heap(_, n) => move_name(*n, &sizes()),
            AnyComponent::Moore(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Moore(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Wythoff(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Wythoff(_, q) = c { Some(*q) } else { None })
            }
            AnyComponent::Euclid(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Euclid(_, q) = c { Some(*q) } else { None })
            }
            AnyComponent::Staircase(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Staircase(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Nimble(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Nimble(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Coins(r, p) => {
                tuple_name(&**r, p, parts, |c| if let AnyComponent::Coins(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Tartan(r, p) => {
                tuple_name(&**r, p, parts, |c| if let AnyComponent::Tartan(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Digraph(r, v) => {
                tuple_name(&**r, v, parts, |c| if let AnyComponent::Digraph(_, w) = c { Some(*w) } else { None })
            }
            AnyComponent::Cram(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Cram(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Cells(r, p) => {
                tuple_name(&**r, p, parts, |c| if let AnyComponent::Cells(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Hackenbush(r, p) => {
                tuple_name(
                    &**r,
                    p,
                    parts,
                    |c| if let AnyComponent::Hackenbush(_, q) = c { Some(q.clone()) } else { None },
                )
            }
            AnyComponent::Geography(r, p) => {
                tuple_name(
                    &**r,
                    p,
                    parts,
                    |c| if let AnyComponent::Geography(_, q) = c { Some(q.clone()) } else { None },
                )
            }
            AnyComponent::Chomp(r, p) => {
                tuple_name(r, p, parts, |c| if let AnyComponent::Chomp(_, q) = c { Some(q.clone()) } else { None })
            }
            AnyComponent::Custom(c, p) => {
                c.move_name(p, &parts.iter().map(|part| part.numbers().to_vec()).collect::<Vec<_>>())
            }
        }
    }

    /// The Grundy value where a theorem gives it at once.
    pub fn value_hint(&self) -> Option<ByTheorem<u64>> {
        for_family!(self,
            heap(game, n) => {
                let form = game.closed_form.as_ref()?;
                if game.is_plain_nim() {
                    return Some(ByTheorem { answer: *n, theorem: "a heap of n has value n", source: "Bou02" });
                }
                Some(ByTheorem { answer: form.value(game.heap_of(*n)?)?, theorem: form.theorem(), source: form.source() })
            },
            tuple(r, p, _w) => r.value_hint(p),
            custom(_, _) => None,
        )
    }

    /// The outcome of this component alone where a theorem gives it at once.
    pub fn outcome_hint(&self, convention: Convention) -> Option<ByTheorem<Outcome>> {
        for_family!(self,
            heap(_, _) => match convention {
                Convention::Normal => Some(self.value_hint()?.map(|v| if v == 0 { Outcome::P } else { Outcome::N })),
                Convention::Misere => None,
            },
            tuple(r, p, _w) => r.outcome_hint(p, convention),
            custom(_, _) => None,
        )
    }

    /// The options of value `target` where a theorem finds them; heaps are searched by their own finder instead.
    pub fn options_of_value(&self, target: u64) -> Option<ComponentOptions<'_>> {
        for_family!(self,
            heap(_, _) => None,
            tuple(r, p, wrap) => {
                let found = r.options_of_value(p, target)?;
                Some(OptionsOfValue { count: found.count, options: Box::new(found.options.map(move |o| o.into_iter().map(wrap).collect())) })
            },
            custom(_, _) => None,
        )
    }

    /// The options of outcome P, played alone, where a theorem finds them.
    pub fn winning_options(&self, convention: Convention) -> Option<ComponentOptions<'_>> {
        for_family!(self,
            heap(_, _) => None,
            tuple(r, p, wrap) => {
                let found = r.winning_options(p, convention)?;
                Some(OptionsOfValue { count: found.count, options: Box::new(found.options.map(move |o| o.into_iter().map(wrap).collect())) })
            },
            custom(_, _) => None,
        )
    }

    /// True if misère play of this component is refused, with the reason.
    pub fn refuses_misere(&self) -> Option<&'static str> {
        match self {
            AnyComponent::Heap(game, _) if game.is_normal_only() => Some(
                "treblecross is won by completing three in a row, so its misère play is not \"who cannot move wins\"; \
                 ask for 0.007 if you mean that",
            ),
            _ => None,
        }
    }

    /// True if play of this component may go on for ever; false for rulesets of the user, of which nothing is known.
    pub fn is_loopy(&self) -> bool {
        matches!(self, AnyComponent::Digraph(game, v) if game.board().is_endless(*v))
    }

    /// True for the built-in games on lists of numbers.
    pub fn is_tuple(&self) -> bool {
        matches!(
            self,
            AnyComponent::Moore(..)
                | AnyComponent::Wythoff(..)
                | AnyComponent::Euclid(..)
                | AnyComponent::Staircase(..)
                | AnyComponent::Nimble(..)
        )
    }

    /// The vertex on which a token lies.
    fn vertex(&self) -> Option<u32> {
        if let AnyComponent::Digraph(_, v) = self { Some(*v) } else { None }
    }

    /// The numbers of the position: what equality and hashing look at beside the ruleset. None of them for a token, whose
    /// vertex has a name instead.
    pub fn numbers(&self) -> &[u64] {
        match self {
            AnyComponent::Heap(_, n) => core::slice::from_ref(n),
            AnyComponent::Moore(_, p)
            | AnyComponent::Staircase(_, p)
            | AnyComponent::Nimble(_, p)
            | AnyComponent::Coins(_, p)
            | AnyComponent::Tartan(_, p)
            | AnyComponent::Cells(_, p)
            | AnyComponent::Hackenbush(_, p)
            | AnyComponent::Geography(_, p)
            | AnyComponent::Chomp(_, p)
            | AnyComponent::Custom(_, p) => p,
            AnyComponent::Cram(_, g) => g.numbers(),
            AnyComponent::Wythoff(_, p) | AnyComponent::Euclid(_, p) => p,
            AnyComponent::Digraph(..) => &[],
        }
    }

    /// True if both components are of the same ruleset.
    pub fn same_ruleset(&self, other: &Self) -> bool {
        match (self, other) {
            (AnyComponent::Heap(a, _), AnyComponent::Heap(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Moore(a, _), AnyComponent::Moore(b, _)) => a == b,
            (AnyComponent::Euclid(a, _), AnyComponent::Euclid(b, _)) => a == b,
            (AnyComponent::Wythoff(..), AnyComponent::Wythoff(..)) => true,
            (AnyComponent::Staircase(..), AnyComponent::Staircase(..)) => true,
            (AnyComponent::Nimble(..), AnyComponent::Nimble(..)) => true,
            (AnyComponent::Coins(a, _), AnyComponent::Coins(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Tartan(a, _), AnyComponent::Tartan(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Digraph(a, _), AnyComponent::Digraph(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Cram(..), AnyComponent::Cram(..)) => true,
            (AnyComponent::Cells(a, _), AnyComponent::Cells(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Hackenbush(a, _), AnyComponent::Hackenbush(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Geography(a, _), AnyComponent::Geography(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (AnyComponent::Chomp(..), AnyComponent::Chomp(..)) => true,
            (AnyComponent::Custom(a, _), AnyComponent::Custom(b, _)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// True if neighbours of this ruleset are printed in one pair of parentheses.
    pub(crate) fn joins_neighbours(&self) -> bool {
        match self {
            AnyComponent::Heap(game, _) => !game.is_nimber(),
            AnyComponent::Digraph(..) => true,
            AnyComponent::Custom(c, _) => c.is_heap(),
            _ => false,
        }
    }

    /// True for `*n`.
    pub(crate) fn as_nimber(&self) -> Option<u64> {
        match self {
            AnyComponent::Heap(game, n) if game.is_nimber() => Some(*n),
            _ => None,
        }
    }

    /// The size of the Nim heap that this component acts as in misère sums of such components, where a theorem says so
    /// ([`ClosedForm::misere_is_nim`]).
    pub fn misere_nim_value(&self) -> Option<u64> {
        match self {
            AnyComponent::Heap(game, n) if game.row.is_none() => {
                game.closed_form.as_ref().filter(|f| f.misere_is_nim())?.value(*n)
            }
            _ => None,
        }
    }

    /// A representative up to order within the position.
    pub fn canonical(&self) -> AnyComponent {
        for_family!(self,
            heap(_, _) => self.clone(),
            tuple(r, p, wrap) => wrap(r.canonical(p)),
            custom(c, p) => AnyComponent::Custom(c.clone(), c.canonical(p)),
        )
    }

    /// What went wrong in rules of the user since this was last asked: their options are then not to be trusted.
    pub fn take_fault(&self) -> Option<Fault> {
        if let AnyComponent::Custom(c, _) = self { c.take_fault() } else { None }
    }
}

fn tuple_name<R: Playable>(
    ruleset: &R,
    position: &R::Position,
    parts: &[AnyComponent],
    unwrap: impl Fn(&AnyComponent) -> Option<R::Position>,
) -> String {
    let to: Vec<R::Position> = parts.iter().filter_map(unwrap).collect();
    ruleset.move_name(position, &to)
}

/// Turns options of one ruleset into options of components.
struct Wrapped<'a, S, F> {
    sink: &'a mut S,
    wrap: F,
    out: Vec<AnyComponent>,
}

impl<P, S: OptionSink<AnyComponent>, F: FnMut(&P) -> AnyComponent> OptionSink<P> for Wrapped<'_, S, F> {
    fn push_sum(&mut self, parts: &[P]) -> ControlFlow<()> {
        self.out.clear();
        self.out.extend(parts.iter().map(&mut self.wrap));
        self.sink.push_sum(&self.out)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.sink.tick()
    }
}

/// Turns options of a ruleset of the user into options of components.
struct OfCustom<'a, S> {
    sink: &'a mut S,
    ruleset: &'a Arc<dyn DynRuleset>,
    out: Vec<AnyComponent>,
}

impl<S: OptionSink<AnyComponent>> DynSink for OfCustom<'_, S> {
    fn part(&mut self, position: &[u64]) {
        self.out.push(AnyComponent::Custom(self.ruleset.clone(), position.to_vec()));
    }

    fn option(&mut self) -> ControlFlow<()> {
        let seen = self.sink.push_sum(&self.out);
        self.out.clear();
        seen
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.sink.tick()
    }
}

impl PartialEq for AnyComponent {
    fn eq(&self, other: &Self) -> bool {
        self.numbers() == other.numbers() && self.vertex() == other.vertex() && self.same_ruleset(other)
    }
}

impl Eq for AnyComponent {}

impl Hash for AnyComponent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::mem::discriminant(self).hash(state);
        self.numbers().hash(state);
        self.vertex().hash(state);
    }
}

/// A ruleset without a position, as commands about rules take it.
#[derive(Clone, Debug)]
pub enum AnyRuleset {
    /// A heap game.
    Heap(Arc<HeapGame>),
    /// Moore's Nim.
    Moore(Moore),
    /// Wythoff's game.
    Wythoff,
    /// Euclid.
    Euclid(Euclid),
    /// Staircase Nim.
    Staircase,
    /// Nimble.
    Nimble,
    /// A coin-turning game.
    Coins(Arc<CoinGame>),
    /// A product of coin-turning games.
    Tartan(Arc<ProductGame>),
    /// Tokens on the vertices of a graph.
    Digraph(Arc<DigraphGame>),
    /// A game on a board.
    Board(BoardRuleset),
    /// Chomp.
    Chomp,
    /// A ruleset of the user.
    Custom(Arc<dyn DynRuleset>),
}

/// The rulesets on boards.
#[derive(Clone, Debug)]
pub enum BoardRuleset {
    /// Dominoes.
    Cram,
    /// Cells that are deleted.
    Cells(Arc<DeletionGame>),
    /// Pictures whose edges are cut.
    Hackenbush(Arc<Hackenbush>),
    /// A token that never comes back.
    Geography(Arc<Geography>),
    /// Subset take-away; `proper` if the whole set is no move. Its board follows from the position.
    SubsetTakeaway {
        /// Only proper subsets.
        proper: bool,
    },
}

impl BoardRuleset {
    /// The name that it is printed under.
    pub fn name(&self) -> &str {
        match self {
            BoardRuleset::Cram => "cram",
            BoardRuleset::Cells(game) => game.name(),
            BoardRuleset::Hackenbush(game) => game.name(),
            BoardRuleset::Geography(game) => game.name(),
            BoardRuleset::SubsetTakeaway { proper: false } => "subset_takeaway",
            BoardRuleset::SubsetTakeaway { proper: true } => "subset_takeaway[\"proper\"]",
        }
    }
}

impl AnyRuleset {
    /// The least number of a position: coins are counted from 1, heaps from 0.
    pub fn first_number(&self) -> u64 {
        u64::from(matches!(self, AnyRuleset::Coins(_) | AnyRuleset::Tartan(_)))
    }

    /// How many numbers a position has in a table; None where it may have any number.
    pub fn dimension(&self) -> Option<usize> {
        match self {
            AnyRuleset::Coins(_) | AnyRuleset::Digraph(_) | AnyRuleset::Board(_) => Some(1),
            AnyRuleset::Wythoff | AnyRuleset::Euclid(_) => Some(2),
            AnyRuleset::Tartan(game) => Some(game.factors().len()),
            AnyRuleset::Heap(_)
            | AnyRuleset::Moore(_)
            | AnyRuleset::Staircase
            | AnyRuleset::Nimble
            | AnyRuleset::Chomp => None,
            AnyRuleset::Custom(c) if !c.is_heap() => c.dimension(),
            AnyRuleset::Custom(_) => None,
        }
    }

    /// The components that a list of numbers in parentheses means.
    ///
    /// Heap rulesets make one component a number, coin-turning games too (one head each); the others one component of all
    /// numbers, which for a product of games is one head.
    ///
    /// # Errors
    /// What is wrong with the list, in words.
    pub fn components(&self, numbers: &[u64]) -> Result<Vec<AnyComponent>, String> {
        let pair = |name: &str| -> Result<[u64; 2], String> {
            <[u64; 2]>::try_from(numbers)
                .map_err(|_| format!("{name} is played with a pair of numbers, not {}", numbers.len()))
        };
        Ok(match self {
            AnyRuleset::Heap(game) => {
                if game.row.is_some()
                    && let Some(n) = numbers.iter().find(|n| **n < 3)
                {
                    return Err(format!(
                        "a row of {n} squares cannot hold three in a row; treblecross needs at least 3 squares"
                    ));
                }
                numbers.iter().map(|n| AnyComponent::Heap(game.clone(), *n)).collect()
            }
            AnyRuleset::Moore(m) => vec![AnyComponent::Moore(*m, numbers.to_vec())],
            AnyRuleset::Wythoff => vec![AnyComponent::Wythoff(Wythoff, pair("wythoff")?)],
            AnyRuleset::Euclid(e) => {
                let p = pair("euclid")?;
                e.check(&p).map_err(|e| e.to_string())?;
                vec![AnyComponent::Euclid(*e, p)]
            }
            AnyRuleset::Staircase => {
                Staircase.check(numbers).map_err(|e| e.to_string())?;
                vec![AnyComponent::Staircase(Staircase, numbers.to_vec())]
            }
            AnyRuleset::Nimble => vec![AnyComponent::Nimble(Nimble, numbers.to_vec())],
            AnyRuleset::Board(game) => return Err(format!("{} is played on a board, not with numbers", game.name())),
            AnyRuleset::Chomp => {
                vec![AnyComponent::Chomp(Chomp, Chomp.board(numbers).map_err(|e| e.to_string())?)]
            }
            AnyRuleset::Custom(c) if c.is_heap() => numbers
                .iter()
                .map(|n| c.check_position(&[*n]).map(|()| AnyComponent::Custom(c.clone(), vec![*n])))
                .collect::<Result<_, _>>()?,
            AnyRuleset::Custom(c) => {
                c.check_position(numbers)?;
                vec![AnyComponent::Custom(c.clone(), numbers.to_vec())]
            }
            AnyRuleset::Digraph(_) => {
                return Err("a token lies on a vertex, which has a name and is no heap".into());
            }
            AnyRuleset::Coins(_) | AnyRuleset::Tartan(_) if numbers.contains(&0) => {
                return Err("coins are counted from 1".into());
            }
            AnyRuleset::Coins(game) => numbers.iter().map(|n| AnyComponent::Coins(game.clone(), vec![*n])).collect(),
            AnyRuleset::Tartan(game) => match numbers.len() == game.factors().len() {
                true => vec![AnyComponent::Tartan(game.clone(), numbers.to_vec())],
                false => {
                    return Err(format!(
                        "a cell of {} has {} numbers, not {}",
                        game.name(),
                        game.factors().len(),
                        numbers.len()
                    ));
                }
            },
        })
    }
}
