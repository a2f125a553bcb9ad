//! Misère play of larger sums of one heap game by its quotient.

use std::collections::HashMap;

use grundy_core::{
    rulesets::AnyComponent,
    theory::{Convention, Outcome},
};

use super::{
    Draft, Session,
    moves::{Collector, Winning, list_options},
};
use crate::{
    budget::{Budget, Meter},
    explain::Step,
    misere::quotient::QuotientSearch,
    query::{MovesWanted, SolveQuery},
};

/// Heaps of so many objects together are searched, which says how long play lasts too.
const FEW: u64 = 64;
/// Most different heaps.
const MOST_DIFFERENT: usize = 1000;

impl Session {
    /// Decides a sum of heaps of one game by its quotient; false if that is not proved for them within half of what is left.
    pub(super) fn solve_by_quotient(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) -> bool {
        let components = query.game.components();
        let Some(AnyComponent::Heap(game, _)) = components.first() else { return false };
        let heap = |c: &AnyComponent| match c {
            AnyComponent::Heap(other, n) if other.name() == game.name() && !game.is_normal_only() => Some(*n),
            _ => None,
        };
        let Some(heaps) = components.iter().map(heap).collect::<Option<Vec<u64>>>() else { return false };
        let mut sorted = heaps.clone();
        sorted.sort_unstable();
        let mut different = sorted.clone();
        different.dedup();
        if heaps.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)) <= FEW || different.len() > MOST_DIFFERENT {
            return false;
        }
        let budget = meter.budget();
        let mut half = Meter::new(&Budget {
            time: meter.time_left().map(|t| t / 2),
            memory: budget.memory.map(|m| m / 2),
            ..budget.clone()
        });
        let place = self.quotients.iter().position(|(name, _)| name == game.name()).unwrap_or_else(|| {
            self.quotients.push((game.name().to_owned(), QuotientSearch::new(game.rule().clone())));
            self.quotients.len() - 1
        });
        let search = &mut self.quotients[place].1;
        if search.extend(different[different.len() - 1], &mut half).is_err() {
            return false;
        }
        let search = &self.quotients[place].1;
        let Some(whole) = search.class_of_sum(&heaps) else { return false };
        let reach = match search.period() {
            Some(_) => "all heaps".to_owned(),
            None => format!("heaps up to {}", search.last()),
        };
        let method = format!(
            "misère quotient of {}: {} classes, {} of them lost, proved for {reach}",
            game.name(),
            search.order(),
            search.lost()
        );
        draft.source("PS08");
        let outcome = if search.is_lost(whole) { Outcome::P } else { Outcome::N };
        draft.answer.outcome = Some(outcome);
        if query.explain {
            draft.answer.explanation.push(Step::Theorem { text: method.clone(), outcome });
        }
        draft.method(method);
        if outcome == Outcome::N && query.moves != MovesWanted::None {
            moves(search, query, &heaps, draft, meter);
        }
        true
    }
}

/// The moves to lost classes.
fn moves(search: &QuotientSearch, query: &SolveQuery, heaps: &[u64], draft: &mut Draft, meter: &mut Meter) {
    let components = query.game.components();
    let mut collector = Collector::new(query);
    let mut known: HashMap<u64, Winning> = HashMap::new();
    for (i, component) in components.iter().enumerate() {
        if !collector.wants(i) {
            continue;
        }
        let winning = known.entry(heaps[i]).or_insert_with(|| {
            let mut rest = heaps.to_vec();
            rest.remove(i);
            let rest = search.class_of_sum(&rest);
            let leads_to_lost = |sum: &Vec<AnyComponent>| {
                let class = sum.iter().try_fold(rest?, |x, part| search.times(x, part.numbers()[0]));
                Some(search.is_lost(class?))
            };
            let mut sums = Vec::new();
            let stop = list_options(component, meter, &mut sums).err();
            sums.retain(|sum| leads_to_lost(sum) == Some(true));
            let total = stop.is_none().then_some(sums.len() as u128);
            if let Some(stop) = stop {
                draft.stop(stop.reached("the outcome is known, not all winning moves are listed"));
            }
            Winning { listed: sums, total }
        });
        let listed = winning.listed.iter().take(collector.room()).cloned().collect();
        collector.add(i, &Winning { listed, total: winning.total }, meter);
    }
    collector.finish(draft);
    debug_assert_eq!(query.convention, Convention::Misere);
}
