//! Misère quotients as answers.

use std::sync::Arc;

use grundy_core::{rulesets::HeapGame, theory::Convention};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    misere::quotient::{Halt, Presentation, QuotientPeriod, QuotientSearch},
    session::{Refusal, refusal},
};

/// What is the misère quotient of a heap game?
#[derive(Clone, Debug)]
pub struct QuotientQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// Last heap; without it the search ends at a proof for all heaps, or at a limit.
    pub to: Option<u64>,
}

/// The misère quotient of all sums of heaps up to a size, or of all.
#[derive(Clone, Debug)]
pub struct QuotientAnswer {
    /// Convention, status, method, sources, cost. What stands here is proved for the heaps that are named.
    pub header: Header,
    /// The game.
    pub game: String,
    /// The last heap of the sums for which the quotient is proved.
    pub to: u64,
    /// The period of the classes of heaps; with it the quotient is that of all sums.
    pub period: Option<QuotientPeriod>,
    /// Number of classes.
    pub order: usize,
    /// Number of lost classes.
    pub lost: usize,
    /// Order of the least ideal.
    pub kernel: usize,
    /// Whether it is a quotient of Nim, so that misère Nim's rule decides.
    pub is_tame: bool,
    /// Generators, relations, lost classes, classes of heaps.
    pub presentation: Presentation,
    /// Why no quotient of larger heaps was found, where a guess failed.
    pub given_up: Option<String>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl Session {
    /// The misère quotient of a heap game.
    ///
    /// # Errors
    /// A [`Refusal`] if the game has no misère play.
    ///
    /// # Examples
    /// ```
    /// use grundy::{Budget, Session, quotient::QuotientQuery};
    /// use grundy_core::notation::read_heap_game;
    /// let query = QuotientQuery { game: read_heap_game("0.123").unwrap(), to: None };
    /// let answer = Session::new().quotient(&query, &Budget::default()).unwrap();
    /// assert_eq!((answer.order, answer.lost, answer.period.unwrap().period), (20, 5, 5));
    /// ```
    pub fn quotient(&mut self, query: &QuotientQuery, budget: &Budget) -> Result<QuotientAnswer, Refusal> {
        let one = grundy_core::rulesets::AnyComponent::Heap(query.game.clone(), 0);
        if let Some(refusal) = refusal(&[one], Convention::Misere) {
            return Err(refusal);
        }
        let mut meter = Meter::new(budget);
        let mut search = QuotientSearch::new(query.game.rule().clone());
        let (mut given_up, mut stop) = (None, None);
        match search.extend(query.to.unwrap_or(u64::MAX), &mut meter) {
            Ok(()) => {}
            Err(Halt::GivenUp(why)) => given_up = Some(why),
            Err(Halt::Stopped(reason)) => {
                stop = Some(reason.reached(format!("the quotient is proved for heaps up to {}", search.last())));
            }
        }
        let method = match search.period() {
            Some(_) => "quotient proved sum by sum, and its period for all heaps",
            None => "quotient proved sum by sum, for heaps up to the last one named",
        };
        Ok(QuotientAnswer {
            header: Header {
                convention: Convention::Misere,
                status: Status::Proved,
                method: method.into(),
                sources: vec!["PS08"],
                stats: Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() },
            },
            game: query.game.name().to_owned(),
            to: search.last(),
            period: search.period(),
            order: search.order(),
            lost: search.lost(),
            kernel: search.kernel(),
            is_tame: search.is_tame(),
            presentation: search.presentation(),
            given_up,
            stop,
        })
    }
}
