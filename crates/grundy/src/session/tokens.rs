//! Tokens on graphs: sums in which play may go on for ever, and single tokens, about which retrograde analysis knows all.
//!
//! In a sum of loopy values a move wins if it leaves the value 0, which is finite: with one infinite component only a move of it
//! to the xor of the others can, with two none, and without any each component may go to the xor of the others, whatever its
//! value was before.

use std::sync::Arc;

use grundy_core::{
    notation::print_component,
    rulesets::{AnyComponent, digraph::DigraphGame},
    theory::{
        Convention, Outcome,
        loopy_value::LoopyValue::{self, Finite, Infinite},
        mex,
    },
};

use super::{
    Draft, Refusal, Session,
    moves::{Collector, UNLISTED, Winning, print_parts},
    suggest::make,
};
use crate::{
    answer::{Move, Status},
    budget::{Meter, StopReason},
    explain::{LoopyComponent, Step},
    knowledge::Knowledge,
    plan::{OnlyToken, only_token},
    query::{MovesWanted, SolveQuery},
    search::Remoteness,
};

/// Largest graph, vertices and edges, on which the longest play is looked for unasked.
const AT_ONCE: usize = 1 << 20;

/// Steps of about a nanosecond for a look at a follower.
const FOLLOWER_STEPS: u64 = 64;

/// Why a sum in which play may go on for ever is not played in misère play.
pub(super) fn refused_misere(components: &[AnyComponent]) -> Option<Refusal> {
    is_beyond(components).then(|| Refusal {
        message: "in misère play a sum in which play may go on for ever is not decided by its components".into(),
        hint: Some("one token alone is answered, and so are graphs without cycles".into()),
    })
}

/// Why the remoteness of such a sum is not found.
pub(super) fn refused_remoteness(query: &SolveQuery) -> Option<Refusal> {
    (query.remoteness && is_beyond(query.game.components())).then(|| Refusal {
        message: "how long a sum lasts in which play may go on for ever does not follow from its components".into(),
        hint: Some("leave --remoteness out, or ask for one token alone".into()),
    })
}

/// True for sums that may go on for ever and are more than one token.
fn is_beyond(components: &[AnyComponent]) -> bool {
    components.iter().any(AnyComponent::is_loopy) && only_token(components).is_none()
}

/// The values of the components of a sum.
struct Values {
    each: Vec<LoopyValue>,
    /// The xor of the finite ones.
    finite: u64,
    /// Which ones are infinite.
    infinite: Vec<usize>,
}

impl Values {
    fn of(each: Vec<LoopyValue>) -> Values {
        let finite = each.iter().fold(0, |x, v| if let Finite(v) = v { x ^ v } else { x });
        let infinite = (0..each.len()).filter(|i| matches!(each[*i], Infinite(_))).collect();
        Values { each, finite, infinite }
    }

    fn sum(&self) -> LoopyValue {
        match self.infinite[..] {
            [] => Finite(self.finite),
            [i] => self.each[i].sum(&Finite(self.finite)),
            _ => Infinite(Vec::new()),
        }
    }

    /// The value to which component i is brought by a move that wins.
    fn target(&self, i: usize) -> Option<u64> {
        match (&self.each[i], &self.infinite[..]) {
            (Finite(v), []) => Some(v ^ self.finite),
            (Infinite(_), [_]) => Some(self.finite),
            _ => None,
        }
    }
}

impl Session {
    /// Normal play by the algebra of loopy values.
    pub(super) fn solve_by_loopy_values(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        draft.method(
            "loopy values: finite ones are added by xor, inf(K) + a = inf(K xor a), and two infinite ones are a draw",
        );
        draft.source("Smi66");
        draft.source("FP75");
        let mut listed = Vec::new();
        let values = match self.loopy_values(query, Some((draft, &mut listed)), meter) {
            Ok(values) => values,
            Err(stop) => return draft.stop(stop),
        };
        let sum = values.sum();
        draft.answer.outcome = Some(sum.outcome());
        match &sum {
            Finite(v) => draft.answer.value = Some(*v),
            Infinite(_) => draft.answer.infinite = Some(sum.clone()),
        }
        if query.explain {
            draft.answer.explanation.push(Step::LoopyValues { components: listed, sum: sum.clone() });
        }
        if sum.outcome() != Outcome::N || query.moves == MovesWanted::None {
            return;
        }
        self.moves_to_values(query, |i| values.target(i), draft, meter);
        if query.explain {
            let why = |m: &Move| Step::WhyWinningLoopy {
                name: m.name.clone(),
                from: print_component(&m.from),
                to: print_parts(&m.to),
                before: values.each[m.component].clone(),
                after: values.target(m.component).unwrap_or_default(),
            };
            let steps: Vec<Step> = draft.answer.moves.iter().take(4).map(why).collect();
            draft.answer.explanation.extend(steps);
        }
    }

    /// The value of each component; methods go to the draft, the first few values to the list.
    fn loopy_values(
        &mut self,
        query: &SolveQuery,
        mut told: Option<(&mut Draft, &mut Vec<LoopyComponent>)>,
        meter: &mut Meter,
    ) -> Result<Values, StopReason> {
        let components = query.game.components();
        let mut each: Vec<LoopyValue> = Vec::with_capacity(components.len());
        for (i, c) in components.iter().enumerate() {
            // neighbours are often equal
            let before = i.checked_sub(1).map(|j| &components[j]);
            if before == Some(c) && !query.explain {
                each.push(each[i - 1].clone());
                continue;
            }
            let (value, status, reason, sources) = match c {
                AnyComponent::Digraph(game, v) => {
                    let (reason, sources) = Knowledge::graph_method(game);
                    (self.knowledge.token(game, *v, meter)?, Status::Computed, reason, sources.to_vec())
                }
                other => {
                    let valued = self.knowledge.valued(other, meter)?;
                    let sources = valued.source.into_iter().collect();
                    (Finite(valued.value), valued.status, valued.reason.into_owned(), sources)
                }
            };
            meter.steps(FOLLOWER_STEPS)?;
            if let Some((draft, listed)) = &mut told {
                draft.weaken(status);
                sources.into_iter().for_each(|key| draft.source(key));
                if !before.is_some_and(|b| b.same_ruleset(c)) {
                    draft.method(format!("{}: {reason}", c.ruleset_name()));
                }
                if query.explain && listed.len() < 64 {
                    listed.push(LoopyComponent { text: print_component(c), value: value.clone(), reason });
                }
            }
            each.push(value);
        }
        Ok(Values::of(each))
    }

    /// Misère play of one token.
    pub(super) fn solve_misere_token(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let components = query.game.components();
        let Some(token) = only_token(components) else { return };
        let text = "misère play of one token: who wins from each vertex of the graph, from the ends backwards";
        draft.method(text);
        draft.source("Smi66");
        draft.weaken(Status::Computed);
        let outcome = match self.knowledge.token_verdict(token.game, token.vertex, Convention::Misere, meter) {
            Ok(verdict) => verdict.outcome,
            Err(stop) => return draft.stop(stop),
        };
        draft.answer.outcome = Some(outcome);
        if query.explain {
            draft.answer.explanation.push(Step::Theorem { text: text.into(), outcome });
        }
        if outcome == Outcome::N && query.moves != MovesWanted::None {
            let mut collector = Collector::new(query);
            let mut winning = Winning { listed: Vec::new(), total: None };
            match self.followers_of_outcome(token, query.convention, Outcome::P, meter) {
                Ok(won) => {
                    winning.total = Some(won.len() as u128);
                    winning.listed =
                        won.into_iter().take(collector.room()).map(|(to, _)| placed(token.game, to)).collect();
                }
                Err(stop) => draft.stop(stop.reached(UNLISTED)),
            }
            collector.add(token.component, &winning, meter);
            collector.finish(draft);
        }
        if query.explain {
            self.compare_with_normal(query, draft, meter);
        }
    }

    /// The followers of a token of one outcome, alone, with their remoteness.
    fn followers_of_outcome(
        &mut self,
        token: OnlyToken<'_>,
        convention: Convention,
        outcome: Outcome,
        meter: &mut Meter,
    ) -> Result<Vec<(u32, u32)>, StopReason> {
        let mut found = Vec::new();
        for to in token.game.followers(token.vertex) {
            meter.steps(FOLLOWER_STEPS)?;
            let verdict = self.knowledge.token_verdict(token.game, to, convention, meter)?;
            if verdict.outcome == outcome {
                found.push((to, verdict.remoteness));
            }
        }
        Ok(found)
    }

    /// The followers of a vertex with the finite value `target`: at most `room` of them, and their number.
    pub(super) fn followers_to_value(
        &mut self,
        game: &Arc<DigraphGame>,
        v: u32,
        target: u64,
        room: usize,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        let mut winning = Winning { listed: Vec::new(), total: None };
        let mut count = 0;
        for to in game.followers(v) {
            let value = meter.steps(FOLLOWER_STEPS).and_then(|()| self.knowledge.token(game, to, meter));
            match value {
                Ok(Finite(value)) if value == target => {
                    count += 1;
                    if winning.listed.len() < room {
                        winning.listed.push(placed(game, to));
                    }
                }
                Ok(_) => {}
                Err(stop) => return (winning, Some(stop.reached("the outcome is known, not all winning moves are"))),
            }
        }
        winning.total = Some(count);
        (winning, None)
    }

    /// Moves until the end when the winner hurries and the loser delays; None for a draw.
    pub(super) fn remoteness(
        &mut self,
        components: &[AnyComponent],
        convention: Convention,
        meter: &mut Meter,
    ) -> Result<Option<u64>, StopReason> {
        if let Some(token) = only_token(components) {
            let verdict = self.knowledge.token_verdict(token.game, token.vertex, convention, meter)?;
            return Ok((verdict.outcome != Outcome::Draw).then_some(verdict.remoteness.into()));
        }
        // which would not end where play does not; the query was refused then
        if components.iter().any(AnyComponent::is_loopy) {
            return Ok(None);
        }
        Remoteness::new(convention).verdict(components, meter).map(|v| Some(v.remoteness.into()))
    }

    /// The move of a lost token that makes play last longest, where the graph is not too large to look at unasked.
    pub(super) fn longest_walk(&mut self, query: &SolveQuery, meter: &mut Meter) -> Option<Move> {
        let token = only_token(query.game.components())?;
        if token.game.graph().vertices() + token.game.graph().edges() > AT_ONCE {
            return None;
        }
        let lost = self.followers_of_outcome(token, query.convention, Outcome::N, meter).ok()?;
        let most = lost.iter().map(|(_, remoteness)| *remoteness).max()?;
        let (to, _) = lost.into_iter().find(|(_, remoteness)| *remoteness == most)?;
        Some(make(query, token.component, placed(token.game, to)))
    }

    /// A move of a drawn sum after which it is still drawn.
    ///
    /// With two infinite components there is always a move of one of them to an infinite value; with one, inf(K) beside the xor x,
    /// there is such a move to a set without x if x is the mex of K, and else a move of the others to that mex.
    pub(super) fn keeps_draw(&mut self, query: &SolveQuery, meter: &mut Meter) -> Option<Move> {
        let components = query.game.components();
        if query.convention == Convention::Misere {
            let token = only_token(components)?;
            let (to, _) = *self.followers_of_outcome(token, query.convention, Outcome::Draw, meter).ok()?.first()?;
            return Some(make(query, token.component, placed(token.game, to)));
        }
        let values = self.loopy_values(query, None, meter).ok()?;
        for i in &values.infinite {
            let AnyComponent::Digraph(game, v) = &components[*i] else { continue };
            for to in game.followers(*v) {
                meter.steps(FOLLOWER_STEPS).ok()?;
                let is_drawn = match self.knowledge.token(game, to, meter).ok()? {
                    Infinite(set) => values.infinite.len() > 1 || !set.contains(&values.finite),
                    Finite(_) => false,
                };
                if is_drawn {
                    return Some(make(query, *i, placed(game, to)));
                }
            }
        }
        let [only] = values.infinite[..] else { return None };
        let Infinite(set) = &values.each[only] else { return None };
        let change = values.finite ^ mex(set.iter().copied());
        for (i, c) in components.iter().enumerate() {
            let Finite(value) = values.each[i] else { continue };
            let (found, _) = self.options_to_value(c, value ^ change, 1, MovesWanted::List, meter);
            if let Some(to) = found.listed.into_iter().next() {
                return Some(make(query, i, to));
            }
        }
        None
    }

    /// Which of the winning `moves` of a sum brings its end nearer, where play may go on for ever; None for other sums.
    ///
    /// Winning moves alone could go round in circles. One token goes where the end is nearest. In a sum a move of a component that
    /// must end is good, for there are finitely many; else the one that leaves vertices that were labelled earliest: whatever the
    /// opponent does then, some answer leaves vertices that were labelled still earlier.
    pub fn nearest_end(&mut self, query: &SolveQuery, moves: &[Move], meter: &mut Meter) -> Option<usize> {
        let components = query.game.components();
        if !components.iter().any(AnyComponent::is_loopy) {
            return None;
        }
        if let Some(token) = only_token(components) {
            let mut remoteness = |m: &Move| match &m.to[..] {
                [AnyComponent::Digraph(_, to)] => {
                    self.knowledge.token_verdict(token.game, *to, query.convention, meter).ok().map(|v| v.remoteness)
                }
                _ => None,
            };
            let all: Option<Vec<u32>> = moves.iter().map(&mut remoteness).collect();
            return all.and_then(|all| (0..all.len()).min_by_key(|i| all[*i]));
        }
        if let Some(must_end) = moves.iter().position(|m| !m.from.is_loopy()) {
            return Some(must_end);
        }
        let counter = |c: &AnyComponent| match c {
            AnyComponent::Digraph(game, v) => self.knowledge.token_counter(game, *v).map_or(0, i64::from),
            _ => 0,
        };
        let gain = |m: &Move| m.to.iter().map(&counter).sum::<i64>() - counter(&m.from);
        (0..moves.len()).min_by_key(|i| gain(&moves[*i]))
    }
}

fn placed(game: &Arc<DigraphGame>, v: u32) -> Vec<AnyComponent> {
    vec![AnyComponent::Digraph(Arc::clone(game), v)]
}
