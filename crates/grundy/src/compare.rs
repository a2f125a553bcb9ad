//! Two heap games side by side: the first heap at which their values differ.

use std::sync::Arc;

use grundy_core::{rulesets::HeapGame, theory::Convention};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    period::{PeriodAnswer, PeriodQuery},
};

/// Do two games have the same values?
#[derive(Clone, Debug)]
pub struct CompareQuery {
    /// One game.
    pub left: Arc<HeapGame>,
    /// The other.
    pub right: Arc<HeapGame>,
    /// Last heap compared.
    pub to: u64,
}

/// The first heap at which two games differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The heap.
    pub n: u64,
    /// Its value in the one game.
    pub left: u64,
    /// Its value in the other.
    pub right: u64,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct CompareAnswer {
    /// Convention, status, method, sources, cost. Proved: equal for all heaps. Computed: equal, or different, as far as said.
    pub header: Header,
    /// The games' names.
    pub games: [String; 2],
    /// The smallest heap at which they differ.
    pub first_difference: Option<Difference>,
    /// Last heap at which they were found equal.
    pub equal_to: Option<u64>,
    /// The limit that was reached before the last heap, if one was.
    pub stop: Option<StopReason>,
}

impl CompareAnswer {
    /// True or false, or None if a limit came first.
    pub fn equal(&self) -> Option<bool> {
        match (&self.first_difference, &self.stop) {
            (Some(_), _) => Some(false),
            (None, None) => Some(true),
            (None, Some(_)) => None,
        }
    }
}

/// Why two names of one rule are equal.
const ONE_RULE: &str = "equal for all heaps: the two are one rule";

/// Heaps after which a proof of equality is looked for.
const LOOK: u64 = 1 << 12;

/// Most values of each game that are held at a time.
const BLOCK: u64 = 1 << 16;

impl Session {
    /// Compares the values of two games heap by heap.
    ///
    /// Equal for all heaps is *proved* if both periods are proved and equal (preperiod n0, period p and saltus alike), and
    /// the values of heaps 0 .. n0 + p agree: these determine all others. Two least periods that differ are of two
    /// sequences that differ somewhere, perhaps beyond the last heap compared.
    ///
    /// # Complexity
    /// That of the values of both games, up to the first difference, blocks growing.
    pub fn compare(&mut self, query: &CompareQuery, budget: &Budget) -> CompareAnswer {
        let mut meter = Meter::new(budget);
        let mut answer = CompareAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Computed,
                method: String::new(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            games: [query.left.name().to_owned(), query.right.name().to_owned()],
            first_difference: None,
            equal_to: None,
            stop: None,
        };
        if query.left.rule() == query.right.rule() && query.left.heap_of(0) == query.right.heap_of(0) {
            answer.header.status = Status::Proved;
            answer.header.method = ONE_RULE.into();
            answer.equal_to = Some(query.to);
            answer.header.stats.elapsed = meter.elapsed();
            return answer;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let end = query.to.saturating_add(1);
        let mut start = 0;
        let mut step = 64;
        // a proof is looked for once on the way, so that far heaps need not be compared
        let mut look_at = LOOK;
        while start < end && answer.first_difference.is_none() && answer.stop.is_none() {
            let range = start..end.min(start + step);
            let knowledge = self.knowledge();
            let stops = [
                knowledge.values_of(&query.left, range.clone(), &mut meter, &mut left).err(),
                knowledge.values_of(&query.right, range.clone(), &mut meter, &mut right).err(),
            ];
            for (n, (l, r)) in (start..).zip(left.iter().zip(&right)) {
                if l != r {
                    answer.first_difference = Some(Difference { n, left: *l, right: *r });
                    break;
                }
                answer.equal_to = Some(n);
            }
            answer.stop = stops.into_iter().flatten().next();
            start = range.end;
            step = (step * 2).min(BLOCK);
            if start >= look_at && answer.stop.is_none() {
                look_at = u64::MAX;
                self.judge_equality(query, &mut answer, &mut meter);
                if answer.header.status == Status::Proved {
                    answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
                    return answer;
                }
            }
        }
        if answer.first_difference.is_some() {
            answer.stop = None;
        }
        let last = answer.equal_to;
        answer.stop = answer.stop.map(|s| match last {
            Some(n) => s.reached(format!("the values agree to heap {n}")),
            None => s.reached("no value was compared"),
        });
        self.judge_equality(query, &mut answer, &mut meter);
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        answer
    }

    /// Says what follows beyond the heaps compared.
    fn judge_equality(&mut self, query: &CompareQuery, answer: &mut CompareAnswer, meter: &mut Meter) {
        let Some(last) = answer.equal_to.filter(|_| answer.first_difference.is_none()) else {
            answer.header.method = "heap by heap".into();
            if answer.first_difference.is_none() {
                answer.header.status = Status::Stopped;
            }
            return;
        };
        let remaining =
            Budget { time: meter.budget().time.map(|t| t.saturating_sub(meter.elapsed())), ..meter.budget().clone() };
        let mut ask = |game: &Arc<HeapGame>| {
            self.period(&PeriodQuery { game: Arc::clone(game), to: Some(last), prove: false }, &remaining)
        };
        let periods = [ask(&query.left), ask(&query.right)];
        let proved = |a: &PeriodAnswer| a.period().filter(|_| a.header.status == Status::Proved);
        answer.header.method = match (proved(&periods[0]), proved(&periods[1])) {
            (Some(l), Some(r))
                if l == r && l.preperiod.checked_add(l.period).is_some_and(|known| last >= known - 1) =>
            {
                answer.header.status = Status::Proved;
                answer.header.sources.extend(periods.iter().flat_map(|p| p.header.sources.clone()));
                answer.header.sources.dedup();
                // a limit that was reached after the last heap that matters
                answer.stop = None;
                format!("equal for all heaps: both have {l}, proved, and the values agree up to there")
            }
            (Some(l), Some(r)) if l != r => {
                format!("heap by heap; beyond heap {last} they differ somewhere, for one has {l}, the other {r}")
            }
            _ => format!("heap by heap; nothing is claimed beyond heap {last}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::read_heap_game;

    fn ask(left: &str, right: &str, to: u64) -> CompareAnswer {
        let game = |text| read_heap_game(text).unwrap();
        Session::new().compare(&CompareQuery { left: game(left), right: game(right), to }, &Budget::default())
    }

    #[test]
    fn differences() {
        let answer = ask("0.161", "0.36", 1000);
        assert_eq!((answer.equal(), answer.equal_to), (Some(false), Some(518)));
        let d = answer.first_difference.unwrap();
        assert_eq!(d.n, 519);
        assert_ne!(d.left, d.right);
        assert_eq!(ask("0.161", "0.36", 518).equal(), Some(true));
        assert_eq!(ask("nim", "lasker", 10).first_difference, Some(Difference { n: 3, left: 3, right: 4 }));
    }

    #[test]
    fn equal_for_ever_or_as_far_as_seen() {
        let status = |l: &str, r: &str, to| {
            let answer = ask(l, r, to);
            assert_eq!(answer.equal(), Some(true), "{l} {r}");
            answer.header.status
        };
        assert_eq!(status("0.26", "0.27", 100), Status::Proved);
        assert_eq!(status("0.6", "officers", 100), Status::Proved);
        assert_eq!(status("0.77", "kayles", 10), Status::Proved);
        assert_eq!(status("0.71", "0.73", 1), Status::Computed);
        assert_eq!(status("0.161", "0.36", 500), Status::Computed);
        // periods 12 and 34 proved, no difference up to heap 0
        let answer = ask("0.77", "0.07", 0);
        assert_eq!((answer.equal(), answer.header.status), (Some(true), Status::Computed));
    }

    #[test]
    fn a_limit_leaves_the_question_open() {
        let game = |text| read_heap_game(text).unwrap();
        let query = CompareQuery { left: game("0.161"), right: game("0.36"), to: 1000 };
        let budget = Budget { positions: Some(300), ..Budget::default() };
        let answer = Session::new().compare(&query, &budget);
        assert_eq!((answer.equal(), answer.first_difference), (None, None));
        assert!(answer.equal_to.is_some() && answer.stop.is_some());
    }
}
