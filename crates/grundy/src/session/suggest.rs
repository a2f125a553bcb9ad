//! What to play in a lost position: the move that resists most.

use std::ops::ControlFlow;

use grundy_core::{
    notation::print_result,
    ruleset::OptionSink,
    rulesets::{AnyComponent, cells::set},
    theory::Outcome,
};

use super::{Draft, Session, moves::list_options, small_meter};
use crate::{
    answer::Move,
    budget::{Meter, StopReason},
    query::SolveQuery,
    search::Remoteness,
};

/// A legal move and whether it is known to last longest.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The move.
    pub legal: Move,
    /// True if no move lasts longer against best play.
    pub longest: bool,
}

/// Sums up to this total size are searched for the longest play.
const SMALL_TOTAL: u64 = 80;

impl Session {
    pub(super) fn resist(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        match draft.answer.outcome {
            Some(Outcome::P) => {}
            Some(Outcome::Draw) => {
                draft.answer.suggestion = self.keeps_draw(query, meter);
                return;
            }
            _ => return,
        }
        match self.most_resisting(query, meter) {
            Ok(Some(s)) => {
                draft.answer.suggestion_is_longest = s.longest;
                draft.answer.suggestion = Some(s.legal);
            }
            Ok(None) => {}
            // the question is answered without it
            Err(_) => draft.answer.suggestion_gave_up = true,
        }
    }

    /// The legal move of a lost position that resists most: the longest play where the position is small, else the smallest
    /// move in the largest component. None if there is no move.
    ///
    /// # Errors
    /// The stop of a moment in which no move was met, though there may be one.
    pub fn most_resisting(&mut self, query: &SolveQuery, meter: &mut Meter) -> Result<Option<Suggestion>, StopReason> {
        let components = query.game.components();
        if let Some(legal) = self.longest_walk(query, meter) {
            return Ok(Some(Suggestion { legal, longest: true }));
        }
        if is_small(components) {
            let mut small = small_meter(meter, 30_000, 250);
            if let Ok(Some(legal)) = longest_play(query, &mut small) {
                return Ok(Some(Suggestion { legal, longest: true }));
            }
        }
        let mut order: Vec<usize> = (0..components.len()).collect();
        // the first of the largest
        order.sort_by_key(|i| core::cmp::Reverse(size(&components[*i])));
        // the answer is known without a suggestion, so no more than a moment is spent on one
        let mut moment = small_meter(meter, u64::MAX, 250);
        for i in order.into_iter().take(1 << 12) {
            if let Some(legal) = first_move(query, i, &mut moment)? {
                return Ok(Some(Suggestion { legal, longest: false }));
            }
        }
        Ok(None)
    }
}

/// True for sums of which the length of play can be searched at once.
pub(crate) fn is_small(components: &[AnyComponent]) -> bool {
    components.len() <= 12 && components.iter().map(size).fold(0, u64::saturating_add) <= SMALL_TOTAL
}

/// A rough size: the largest number of the position.
fn size(component: &AnyComponent) -> u64 {
    match component {
        AnyComponent::Heap(_, n) => *n,
        AnyComponent::Wythoff(_, p) | AnyComponent::Euclid(_, p) => p[0].max(p[1]),
        // the number of moves in a row of coins grows much faster than the coins
        AnyComponent::Coins(_, p) => p.last().map_or(0, |n| n.saturating_mul(6)),
        AnyComponent::Tartan(_, p) => p.iter().fold(0, |s, x| s.saturating_add(x.saturating_mul(8))),
        // of a board as many positions as half of it has ways along its edges
        AnyComponent::Chomp(_, p) => p.iter().fold(0, |s, x| s.saturating_add(x.saturating_mul(2))),
        // searches over sums do not end where play does not
        AnyComponent::Digraph(..) if component.is_loopy() => u64::MAX,
        AnyComponent::Custom(_, p) if p.len() > 1 => p.iter().fold(0, |s, x| s.saturating_add(x.saturating_mul(8))),
        AnyComponent::Digraph(game, _) => game.graph().vertices() as u64,
        // the positions below are sets of cells
        AnyComponent::Cram(_, g) => 3 * set::count(g.cells()) as u64,
        AnyComponent::Cells(_, g) => 3 * set::count(g) as u64,
        AnyComponent::Hackenbush(_, g) => 3 * set::count(g) as u64,
        AnyComponent::Geography(_, g) => 3 * (64 * g.len() as u64),
        AnyComponent::Moore(_, p)
        | AnyComponent::Nimble(_, p)
        | AnyComponent::Staircase(_, p)
        | AnyComponent::Custom(_, p) => p.iter().fold(0, |s, x| s.saturating_add(*x)),
    }
}

pub(super) fn make(query: &SolveQuery, i: usize, to: Vec<AnyComponent>) -> Move {
    let components = query.game.components();
    Move {
        component: i,
        from: components[i].clone(),
        name: components[i].move_name(&to),
        result: (components.len() <= 64).then(|| print_result(query.game.replaced(i, &to).components())),
        to,
        count: 1,
    }
}

fn first_move(query: &SolveQuery, i: usize, meter: &mut Meter) -> Result<Option<Move>, StopReason> {
    let mut first = First { found: None, meter, stop: None };
    let _ = query.game.components()[i].options(&mut first);
    first.stop.map_or(Ok(()), Err)?;
    Ok(first.found.map(|to| make(query, i, to)))
}

/// Takes the first option that comes before the meter stops.
struct First<'a> {
    found: Option<Vec<AnyComponent>>,
    meter: &'a mut Meter,
    stop: Option<StopReason>,
}

impl OptionSink<AnyComponent> for First<'_> {
    fn push_sum(&mut self, parts: &[AnyComponent]) -> ControlFlow<()> {
        self.found = Some(parts.to_vec());
        ControlFlow::Break(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.stop = self.meter.steps(16).err();
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The first move after which the winner needs longest.
fn longest_play(query: &SolveQuery, meter: &mut Meter) -> Result<Option<Move>, StopReason> {
    let components = query.game.components();
    let mut search = Remoteness::new(query.convention);
    let mut best: Option<(u32, usize, Vec<AnyComponent>)> = None;
    for (i, c) in components.iter().enumerate() {
        let mut sums = Vec::new();
        list_options(c, meter, &mut sums)?;
        for sum in sums {
            let verdict = search.verdict(query.game.replaced(i, &sum).components(), meter)?;
            if !verdict.lost && best.as_ref().is_none_or(|(r, ..)| verdict.remoteness > *r) {
                best = Some((verdict.remoteness, i, sum));
            }
        }
    }
    Ok(best.map(|(_, i, to)| make(query, i, to)))
}
