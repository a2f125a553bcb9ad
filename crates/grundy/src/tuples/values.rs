//! Several heaps of one game in normal play by Sprague-Grundy: a P-position is one whose heaps have values of xor 0.
//!
//! So a proved form of the values of one heap decides every claim, also where a move leaves several heaps of one.
//!
//! # Complexity
//! One product of the claim with as many copies of the form as there are heaps.

use std::ops::ControlFlow;

use grundy_core::{notation::formula::Formula, rulesets::AnyRuleset, theory::Convention};

use super::{
    TupleAnswer, TupleQuery, TupleRuleset, TupleVerdict, no_value,
    plain::{self, Order},
    symbolic::{self, least, position},
};
use crate::{
    Session,
    answer::Status,
    budget::{Budget, Meter},
    closed_form::{DISCOVER_TO, DiscoverQuery},
    discover::{
        Form, Halt, atoms, compile, graph_of,
        relation::{Relation, Track, exists},
        table_of,
    },
};

/// Positions, by growing totals, at which a claim is tried before automata are asked.
const FIRST_POSITIONS: u64 = 1 << 15;

/// The values of one heap, for all heaps.
pub(super) struct HeapValues {
    /// What they are.
    pub(super) form: Form,
    graph: Relation,
    /// What the proof of the form rests on.
    method: String,
    /// Keys of that.
    pub(super) sources: Vec<&'static str>,
}

/// `G(a) xor G(b) xor G(c) = 0`
pub(super) fn claim(names: &[String]) -> String {
    match names {
        [one, two] => format!("G({one}) = G({two})"),
        names => {
            let terms: Vec<String> = names.iter().map(|name| format!("G({name})")).collect();
            format!("{} = 0", terms.join(" xor "))
        }
    }
}

/// The reason why a rule is outside the theory, with what would have brought it in.
pub(super) fn outside(what: String, ruleset: &TupleRuleset, convention: Convention) -> Halt {
    Halt::Outside(match (ruleset, convention) {
        (TupleRuleset::Named(AnyRuleset::Heap(_)), Convention::Normal) => {
            format!("{what}, and no form of the values of one heap is proved that automata can read")
        }
        (TupleRuleset::Named(AnyRuleset::Heap(_)), Convention::Misere) => {
            format!("{what}, in misère play, where the values of the heaps do not decide")
        }
        _ => what,
    })
}

impl Session {
    /// The values of one heap of a heap game in normal play, where a form of them is proved within the budget.
    pub(super) fn heap_values(
        &mut self,
        ruleset: &TupleRuleset,
        convention: Convention,
        budget: &Budget,
        meter: &mut Meter,
    ) -> Result<Option<HeapValues>, Halt> {
        let (TupleRuleset::Named(AnyRuleset::Heap(game)), Convention::Normal) = (ruleset, convention) else {
            return Ok(None);
        };
        if game.heap_of(0) != Some(0) {
            return Ok(None);
        }
        if let Some(theorem) = game.closed_form()
            && let Ok(formula) = Formula::parse(&theorem.formula(), &["n"])
        {
            match compile::graph(&formula, meter) {
                Ok(graph) => {
                    let form = Form { candidate: table_of(&graph, meter)?, formula: Some(formula) };
                    let (method, sources) = (theorem.theorem().into(), vec![theorem.source()]);
                    return Ok(Some(HeapValues { form, graph, method, sources }));
                }
                Err(Halt::Outside(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        let found = self.discover(&DiscoverQuery { game: game.clone(), to: DISCOVER_TO }, budget);
        match (found.form, found.header.status, found.stop) {
            (Some(form), Status::Proved, _) => {
                let (method, sources) = (found.header.method, found.header.sources);
                // copies with many starts would have far more together
                let graph = graph_of(&form, meter)?.minimised(meter)?;
                Ok(Some(HeapValues { graph, form, method, sources }))
            }
            (_, _, Some(stop)) => Err(stop.into()),
            (_, _, None) => Ok(None),
        }
    }

    /// Decides a claim by the values of one heap; `what` says why the moves do not decide it.
    pub(super) fn decide_by_values(
        &mut self,
        query: &TupleQuery,
        what: String,
        answer: &mut TupleAnswer,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        let budget = Budget { time: meter.time_left(), ..meter.budget().clone() };
        let Some(values) = self.heap_values(&query.ruleset, query.convention, &budget, meter)? else {
            return Err(outside(what, &query.ruleset, query.convention));
        };
        let (yes, no) = compile::claim(&query.claim, query.heaps, meter)?;
        if let Some(position) = symbolic::undecided(&yes, &no, meter)? {
            return Err(Halt::Outside(no_value(query, &position)));
        }
        let (position, is_smallest) = match values.smallest_of_first(query, meter) {
            Some(position) => (position, true),
            None => match values.failing(&yes, &no, query.heaps, meter)? {
                Some(failing) => match values.smallest_by_automata(&yes, &no, query.heaps, meter) {
                    Ok(Some(position)) => (position, true),
                    _ => (failing, false),
                },
                None => {
                    answer.verdict = TupleVerdict::Proved;
                    answer.header.status = Status::Proved;
                    answer.header.method = format!("{}; the claim is compared with that by automata", values.method());
                    answer.header.sources = values.sources;
                    return Ok(());
                }
            },
        };
        let is_member = plain::holds(&query.claim, &position).map_err(|e| Halt::outside(e.to_string()))?;
        let why = values.told(&position);
        answer.verdict = TupleVerdict::Refuted { position, is_member, why, is_smallest };
        answer.header.status = Status::Computed;
        answer.header.method = values.method();
        answer.header.sources = values.sources;
        Ok(())
    }
}

impl HeapValues {
    /// What a claim by these values rests on.
    pub(super) fn method(&self) -> String {
        format!(
            "by Sprague-Grundy the P-positions are those whose heaps have values of xor 0; the values of one heap: {}",
            self.method
        )
    }

    /// True if it is a P-position; None if a value is beyond 64 bits.
    pub(super) fn is_lost(&self, position: &[u64]) -> Option<bool> {
        Some(position.iter().try_fold(0, |sum, n| Some(sum ^ self.form.value(*n)?))? == 0)
    }

    /// A position at which a claim is wrong.
    pub(super) fn failing(
        &self,
        yes: &Relation,
        no: &Relation,
        heaps: u8,
        meter: &mut Meter,
    ) -> Result<Option<Vec<u64>>, Halt> {
        for (set, is_lost) in [(yes, false), (no, true)] {
            let parts = self.with_sum(set, is_lost, heaps, meter)?;
            let parts: Vec<&Relation> = parts.iter().collect();
            if let Some(found) = position(&parts, &tracks(heaps), meter)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The positions of the set whose values have the xor 0, or another, with these values on tracks of their own.
    fn with_sum(&self, set: &Relation, is_zero: bool, heaps: u8, meter: &mut Meter) -> Result<Vec<Relation>, Halt> {
        let values: Vec<Track> = (heaps..2 * heaps).collect();
        let zero = atoms::columnwise(&values, |bits| bits.count_ones() % 2 == 0, meter)?;
        let mut parts = vec![set.clone(), if is_zero { zero } else { zero.not(meter)? }];
        for value in &values {
            parts.push(self.graph.renamed(&[value - heaps, *value], meter)?);
        }
        Ok(parts)
    }

    /// The smallest wrong position, if it is among the first.
    fn smallest_of_first(&self, query: &TupleQuery, meter: &mut Meter) -> Option<Vec<u64>> {
        let mut left = FIRST_POSITIONS;
        let mut found = None;
        (0..).find(|total| {
            let flow = plain::layer(query.heaps.into(), *total, Order::Total, |position| {
                if left == 0 || meter.steps(100).is_err() {
                    return ControlFlow::Break(());
                }
                left -= 1;
                if plain::holds(&query.claim, position).ok() == self.is_lost(position) {
                    return ControlFlow::Continue(());
                }
                found = Some(position.to_vec());
                ControlFlow::Break(())
            });
            flow.is_break()
        });
        found
    }

    /// The smallest wrong position; None if it is beyond 64 bits.
    fn smallest_by_automata(
        &self,
        yes: &Relation,
        no: &Relation,
        heaps: u8,
        meter: &mut Meter,
    ) -> Result<Option<Vec<u64>>, Halt> {
        let mut wrong = Vec::new();
        for (set, is_lost) in [(yes, false), (no, true)] {
            let parts = self.with_sum(set, is_lost, heaps, meter)?;
            let parts: Vec<&Relation> = parts.iter().collect();
            wrong.push(exists(&parts, &tracks(heaps), meter)?);
        }
        least(vec![wrong[0].or(&wrong[1], meter)?], heaps, meter)
    }

    /// `the heaps have the values 4 and 3, whose xor is 7`
    fn told(&self, position: &[u64]) -> String {
        let values: Option<Vec<u64>> = position.iter().map(|n| self.form.value(*n)).collect();
        match values.as_deref() {
            None => "a value is beyond 64 bits".into(),
            Some([value]) => format!("the heap has the value {value}"),
            Some(values) => {
                let list: Vec<String> = values.iter().map(u64::to_string).collect();
                let xor = values.iter().fold(0, |sum, v| sum ^ v);
                format!("the heaps have the values {}, whose xor is {xor}", list.join(", "))
            }
        }
    }
}

fn tracks(heaps: u8) -> Vec<Track> {
    (0..heaps).collect()
}
