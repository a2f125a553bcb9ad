//! Rulesets of the user in sums: what is asked of them before a search, and what is done where they break.

use std::sync::Arc;

use grundy_core::{
    rulesets::{AnyComponent, DynRuleset},
    theory::Convention,
};

use super::{Refusal, Session};
use crate::{
    answer::{Header, SequenceAnswer, SolveAnswer, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    query::SolveQuery,
};

/// What was noted before this question is no answer to it.
pub(super) fn forget_faults(components: &[AnyComponent]) {
    for c in components {
        while c.take_fault().is_some() {}
    }
}

/// Rules that are no rules of a game that ends are refused.
///
/// # Errors
/// The refusal.
pub(crate) fn refuse_broken(stop: &StopReason) -> Result<(), Refusal> {
    match stop.limit {
        Limit::Broken => Err(Refusal {
            message: stop.setting.clone(),
            hint: Some("grundy rules check FILE looks for what is wrong with rules".into()),
        }),
        _ => Ok(()),
    }
}

/// The answer, unless rules broke on the way to it: then nothing in it is to be trusted.
///
/// # Errors
/// A refusal, if the rules are wrong.
pub(super) fn settled(mut answer: SolveAnswer, query: &SolveQuery) -> Result<SolveAnswer, Refusal> {
    if !query.game.components().iter().any(is_own) {
        return Ok(answer);
    }
    if let Some(fault) = query.game.components().iter().find_map(AnyComponent::take_fault) {
        answer.stop = Some(StopReason::of_rules(fault));
        answer.outcome = None;
    }
    if let Some(stop) = &answer.stop {
        refuse_broken(stop)?;
        if stop.limit == Limit::Rules {
            answer.outcome = None;
        }
    }
    if answer.outcome.is_none() {
        answer.value = None;
        answer.infinite = None;
        answer.remoteness = None;
        answer.suggestion = None;
        answer.moves.clear();
        answer.moves_total = None;
        answer.moves_complete = false;
        answer.header.status = Status::Stopped;
    }
    Ok(answer)
}

/// Accepts rules whose positions are the numbers 0, 1, 2, …
///
/// # Errors
/// A refusal.
pub(crate) fn single_numbers(own: &Arc<dyn DynRuleset>) -> Result<(), Refusal> {
    match own.check_position(&[0]) {
        Ok(()) if own.is_heap() || own.dimension().is_none_or(|d| d == 1) => Ok(()),
        _ => Err(Refusal {
            message: format!(
                "positions of {} are no single numbers from 0 on, so its values are no sequence",
                own.name()
            ),
            hint: Some("grundy solve answers single positions, grundy table values of pairs".into()),
        }),
    }
}

fn is_own(component: &AnyComponent) -> bool {
    matches!(component, AnyComponent::Custom(..))
}

impl Session {
    /// Why a search over sums may not be begun: such searches would not end where play does not, and rules of the user may
    /// allow that.
    pub(super) fn endless(&mut self, query: &SolveQuery, meter: &mut Meter) -> Option<StopReason> {
        if query.convention == Convention::Normal && !query.remoteness {
            // values come first then, and find it
            return None;
        }
        let own = query.game.components().iter().filter(|c| is_own(c));
        let mut meter = Meter::new(&meter.rest());
        own.into_iter().find_map(|c| self.knowledge.valued(c, &mut meter).err())
    }

    /// Refuses a position of rules of the user from which play may go on for ever, as far as a short look shows.
    ///
    /// # Errors
    /// The refusal.
    pub fn look_for_cycles(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<(), Refusal> {
        for c in components.iter().filter(|c| is_own(c)) {
            if let Err(stop) = self.knowledge.valued(c, meter) {
                refuse_broken(&stop)?;
            }
        }
        Ok(())
    }

    /// Values of rules of the user at positions `0 ..= to`, for rules whose positions are single numbers.
    ///
    /// # Errors
    /// A [`Refusal`] if positions are others, or if the rules are broken.
    pub fn own_sequence(
        &mut self,
        own: &Arc<dyn DynRuleset>,
        to: u64,
        budget: &Budget,
    ) -> Result<SequenceAnswer, Refusal> {
        single_numbers(own)?;
        let mut meter = Meter::new(budget);
        let (mut values, mut stop, mut method) = (Vec::new(), None, String::new());
        for n in 0..=to {
            let component = AnyComponent::Custom(own.clone(), vec![n]);
            let valued = meter.bytes(8).and_then(|()| self.knowledge.valued(&component, &mut meter));
            match valued {
                Ok(valued) => {
                    values.push(valued.value);
                    method = valued.reason.into_owned();
                }
                Err(s) => {
                    refuse_broken(&s)?;
                    stop = Some(s.reached(format!("{} values were found", values.len())));
                    break;
                }
            }
        }
        Ok(SequenceAnswer {
            header: Header {
                convention: Convention::Normal,
                status: if values.is_empty() { Status::Stopped } else { Status::Computed },
                method,
                sources: Vec::new(),
                stats: Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() },
            },
            game: own.name().to_owned(),
            values,
            period: None,
            stop,
        })
    }
}
