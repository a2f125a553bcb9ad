//! Winning moves: all of them, those to larger values too, without listing the options of huge heaps.

use std::{collections::HashMap, ops::ControlFlow, time::Duration};

use grundy_core::{
    notation::{print_component, print_result, print_sum},
    ruleset::OptionSink,
    rulesets::{
        AnyComponent,
        heap::{Finder, Step},
    },
    theory::{
        Convention, Outcome,
        nim::{NimClass, nim_sum},
    },
};

use super::{Draft, Session};
use crate::{
    answer::Move,
    budget::{Budget, Meter, StopReason},
    coins::SetFinder,
    interner::bytes_of,
    query::{MovesWanted, SolveQuery},
};

/// Winning options of one component.
#[derive(Clone, Default)]
pub(super) struct Listed<T> {
    /// What the component becomes, in the order of moves, as far as wanted.
    pub(super) listed: Vec<T>,
    /// Exact number, if it is known.
    pub(super) total: Option<u128>,
}

pub(super) type Winning = Listed<Vec<AnyComponent>>;

/// What a component becomes, printed: `lasker(1, 6)`, `0` when it vanishes.
pub(super) fn print_parts(parts: &[AnyComponent]) -> String {
    print_sum(parts)
}

/// True for a heap of Nim.
pub(super) fn is_plain_nim(component: &AnyComponent) -> bool {
    matches!(component, AnyComponent::Heap(game, _) if game.is_plain_nim())
}

/// Collects moves over components, up to the limit, and their total.
pub(super) struct Collector<'q> {
    query: &'q SolveQuery,
    moves: Vec<Move>,
    total: Option<u128>,
    /// How many components each one stands for; 0 for one that another stands for.
    multiplicity: Vec<u64>,
    /// The limit that was reached while moves were named.
    stop: Option<StopReason>,
}

impl<'q> Collector<'q> {
    pub(super) fn new(query: &'q SolveQuery) -> Self {
        let components = query.game.components();
        let mut multiplicity = vec![1; components.len()];
        if query.distinct {
            // first component with that content
            let mut seen = HashMap::new();
            for (i, c) in components.iter().enumerate() {
                let first = *seen.entry(c.clone()).or_insert(i);
                if first != i {
                    multiplicity[first] += 1;
                    multiplicity[i] = 0;
                }
            }
        }
        Collector { query, moves: Vec::new(), total: Some(0), multiplicity, stop: None }
    }

    /// Number of moves still to be listed.
    pub(super) fn room(&self) -> usize {
        match self.query.moves {
            MovesWanted::List if self.stop.is_none() => self.query.limit.saturating_sub(self.moves.len()),
            _ => 0,
        }
    }

    /// False for a component that another one stands for.
    pub(super) fn wants(&self, i: usize) -> bool {
        self.multiplicity[i] > 0
    }

    pub(super) fn add(&mut self, i: usize, winning: &Winning, meter: &mut Meter) {
        let components = self.query.game.components();
        let count = self.multiplicity[i];
        self.total = match (self.total, winning.total) {
            (Some(t), Some(w)) => w.checked_mul(u128::from(count)).and_then(|w| t.checked_add(w)),
            _ => None,
        };
        for parts in winning.listed.iter().take(self.room()) {
            let bytes = bytes_of(parts).saturating_mul(8).saturating_add(name_bytes(&components[i]));
            if let Err(stop) = meter.steps(LISTED_STEPS + bytes).and_then(|()| meter.bytes(bytes)) {
                self.stop = Some(stop.reached("the outcome is known, not all winning moves are listed"));
                return;
            }
            let result =
                (components.len() <= 64).then(|| print_result(self.query.game.replaced(i, parts).components()));
            self.moves.push(Move {
                component: i,
                from: components[i].clone(),
                to: parts.clone(),
                name: components[i].move_name(parts),
                count,
                result,
            });
        }
    }

    pub(super) fn finish(self, draft: &mut Draft) {
        let listed: u128 = self.moves.iter().map(|m| u128::from(m.count)).sum();
        draft.answer.moves_total = self.total;
        draft.answer.moves_complete = self.query.moves == MovesWanted::List && self.total == Some(listed);
        draft.answer.moves = self.moves;
        if let Some(stop) = self.stop {
            draft.stop(stop);
        }
    }
}

impl Session {
    /// Normal play: the moves after which the xor of the values is 0.
    pub(super) fn moves_to_zero(&mut self, query: &SolveQuery, values: &[u64], draft: &mut Draft, meter: &mut Meter) {
        let total = nim_sum(values);
        self.moves_to_values(query, |i| Some(values[i] ^ total), draft, meter);
    }

    /// The moves that bring component i to the value `target(i)`, for those that have one; equal components have the same.
    pub(super) fn moves_to_values(
        &mut self,
        query: &SolveQuery,
        target: impl Fn(usize) -> Option<u64>,
        draft: &mut Draft,
        meter: &mut Meter,
    ) {
        let components = query.game.components();
        let mut collector = Collector::new(query);
        let mut cache: HashMap<AnyComponent, Winning> = HashMap::new();
        for (i, c) in components.iter().enumerate() {
            let Some(target) = target(i).filter(|_| collector.wants(i)) else { continue };
            let room = collector.room();
            // an answer found with less room would be too short
            let known = cache.get(c).filter(|w| w.listed.len() >= room || w.total == Some(w.listed.len() as u128));
            let winning = match known {
                Some(w) => w.clone(),
                None => {
                    let (winning, stop) = self.options_to_value(c, target, room, query.moves, meter);
                    if let Some(stop) = stop {
                        draft.stop(stop);
                    }
                    if components.len() < 1 << 16 {
                        cache.insert(c.clone(), winning.clone());
                    }
                    winning
                }
            };
            collector.add(i, &winning, meter);
        }
        collector.finish(draft);
    }

    /// The options of one component with value `target`: at most `room` of them, and their number.
    pub(super) fn options_to_value(
        &mut self,
        component: &AnyComponent,
        target: u64,
        room: usize,
        wanted: MovesWanted,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        if let AnyComponent::Heap(game, n) = component {
            let Some(heap) = game.heap_of(*n) else { return (Winning::default(), None) };
            if is_plain_nim(component) {
                let listed =
                    if target < heap { vec![vec![AnyComponent::Heap(game.clone(), target)]] } else { Vec::new() };
                let total = Some(listed.len() as u128);
                return (Winning { listed: drop_empty(listed), total }, None);
            }
            let to = game.options_game();
            let values = self.knowledge.heap_values(game);
            let mut finder = Finder::new(game.rule(), heap, target, values);
            let count = counted(&finder, meter);
            let wrap = |parts: Vec<u64>| -> Vec<AnyComponent> {
                parts.into_iter().map(|p| AnyComponent::Heap(to.clone(), p)).collect()
            };
            return run_finder(&mut finder, count, room, wanted, wrap, meter);
        }
        let list_only = wanted == MovesWanted::List;
        if let AnyComponent::Tartan(game, heads) = component {
            // without its value nothing is known of its moves
            let value = match self.knowledge.valued(component, meter) {
                Ok(valued) => valued.value,
                Err(stop) => return (Winning::default(), Some(stop.reached(UNLISTED))),
            };
            if value == target {
                return (Winning { listed: Vec::new(), total: Some(0) }, None);
            }
            let (found, stop) = self.knowledge.products(game).winning(heads, value ^ target, room, list_only, meter);
            let wrap = |to: Vec<u64>| vec![AnyComponent::Tartan(game.clone(), to)];
            return (Winning { listed: found.listed.into_iter().map(wrap).collect(), total: found.total }, stop);
        }
        if let AnyComponent::Coins(game, heads) = component
            && game.form().is_none()
        {
            let value = match self.knowledge.valued(component, meter) {
                Ok(valued) => valued.value,
                Err(stop) => return (Winning::default(), Some(stop.reached(UNLISTED))),
            };
            if value == target {
                return (Winning { listed: Vec::new(), total: Some(0) }, None);
            }
            let Some(table) = self.knowledge.known_coins(game) else { return (Winning::default(), None) };
            let mut finder = SetFinder::new(game, table);
            let (found, stop) = finder.winning(heads, value ^ target, room, list_only, meter);
            let wrap = |to: Vec<u64>| vec![AnyComponent::Coins(game.clone(), to)];
            return (Winning { listed: found.listed.into_iter().map(wrap).collect(), total: found.total }, stop);
        }
        if let AnyComponent::Digraph(game, v) = component {
            return self.followers_to_value(game, *v, target, room, meter);
        }
        if let Some(found) = component.options_of_value(target) {
            return take_listed(found.count, found.options, room, wanted, meter);
        }
        if let AnyComponent::Chomp(_, g) = component {
            return self.bites_to_value(g, target, room, meter);
        }
        // no theory: list all options and search their values
        let mut sums = Vec::new();
        if let Err(stop) = list_options(component, meter, &mut sums) {
            return (Winning::default(), Some(stop));
        }
        let mut winning = Winning { listed: Vec::new(), total: Some(0) };
        let mut count = 0u128;
        for sum in sums {
            let mut value = 0;
            for part in &sum {
                match self.knowledge.valued(part, meter) {
                    Ok(v) => value ^= v.value,
                    Err(stop) => {
                        winning.total = None;
                        return (winning, Some(stop));
                    }
                }
            }
            if value == target {
                count += 1;
                if winning.listed.len() < room {
                    winning.listed.push(sum);
                }
            }
        }
        winning.total = Some(count);
        (winning, None)
    }

    /// One component, decided by a theorem about outcomes.
    pub(super) fn moves_by_theorem(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let component = &query.game.components()[0];
        let mut collector = Collector::new(query);
        let (winning, stop) = match component.winning_options(query.convention) {
            Some(found) => take_listed(found.count, found.options, collector.room(), query.moves, meter),
            None => {
                // every option by its own theorem, or by its value
                let mut sums = Vec::new();
                let mut stop = list_options(component, meter, &mut sums).err();
                let mut listed = Vec::new();
                let mut count = 0;
                for sum in sums {
                    let lost = match &sum[..] {
                        [] => Some(query.convention.of_terminal() == Outcome::P),
                        [one] => one.outcome_hint(query.convention).map(|h| h.answer == Outcome::P),
                        _ => None,
                    };
                    match lost {
                        Some(true) => {
                            count += 1;
                            if listed.len() < collector.room() {
                                listed.push(sum);
                            }
                        }
                        Some(false) => {}
                        None => {
                            stop.get_or_insert_with(|| meter.stop(crate::budget::Limit::Positions));
                        }
                    }
                }
                (Winning { listed, total: stop.is_none().then_some(count) }, stop)
            }
        };
        if let Some(stop) = stop {
            draft.stop(stop);
        }
        collector.add(0, &winning, meter);
        collector.finish(draft);
    }

    /// The only component's value was out of reach: moves to positions that a theorem knows to be lost. One is enough to win, and
    /// there may be others.
    pub(super) fn moves_out_of_reach(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &Meter) {
        const MOST: u64 = 1 << 14;
        let [component] = query.game.components() else { return };
        if draft.answer.outcome.is_some_and(|outcome| outcome != Outcome::N) {
            return;
        }
        // the limits are reached; a moment more finds a move, or none
        let mut moment = Meter::new(&Budget {
            time: Some(Duration::from_millis(200)),
            positions: Some(MOST),
            ..meter.budget().clone()
        });
        let mut sums = Vec::new();
        let _ = list_options(component, &mut moment, &mut sums);
        let mut listed = Vec::new();
        for sum in sums {
            let [one] = &sum[..] else { continue };
            let Ok(()) = moment.steps(1000) else { break };
            let Some(hint) = one.outcome_hint(query.convention).filter(|hint| hint.answer == Outcome::P) else {
                continue;
            };
            if draft.answer.outcome.is_none() {
                draft.answer.outcome = Some(Outcome::N);
                draft.method(format!(
                    "{}: a move leaves a lost position, for {}",
                    component.ruleset_name(),
                    hint.theorem
                ));
                draft.source(hint.source);
            }
            listed.push(sum);
        }
        if listed.is_empty() || query.moves == MovesWanted::None {
            return;
        }
        let mut collector = Collector::new(query);
        listed.truncate(collector.room());
        collector.add(0, &Winning { listed, total: None }, &mut moment);
        collector.finish(draft);
    }

    /// Misère play where every component acts as a Nim heap of its value, `heaps`.
    ///
    /// A move leaves a lost position if some value exceeds 1 and the xor is 0, or if no value exceeds 1 and an odd
    /// number of them is 1: the option has one of two values, and the values of its parts decide.
    pub(super) fn moves_misere_nim(&mut self, query: &SolveQuery, heaps: &[u64], draft: &mut Draft, meter: &mut Meter) {
        let components = query.game.components();
        let census = Census::of(heaps);
        let mut collector = Collector::new(query);
        let mut cache: HashMap<AnyComponent, Winning> = HashMap::new();
        for (i, c) in components.iter().enumerate() {
            let AnyComponent::Heap(game, n) = c else { continue };
            if !collector.wants(i) {
                continue;
            }
            if is_plain_nim(c) {
                let to = census.winning_size(*n);
                let listed = drop_empty(to.into_iter().map(|t| vec![AnyComponent::Heap(game.clone(), t)]).collect());
                let total = Some(listed.len() as u128);
                collector.add(i, &Winning { listed, total }, meter);
                continue;
            }
            if !cache.contains_key(c) {
                let rest = census.without(heaps[i]);
                let (winning, stop) = self.misere_options(c, rest, collector.room(), meter);
                if let Some(stop) = stop {
                    draft.stop(stop);
                }
                cache.insert(c.clone(), winning);
            }
            collector.add(i, &cache[c], meter);
        }
        collector.finish(draft);
    }

    /// The options of one component that leave a lost position beside components counted in `rest`.
    fn misere_options(
        &self,
        component: &AnyComponent,
        rest: Census,
        room: usize,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        let AnyComponent::Heap(game, n) = component else { return (Winning::default(), None) };
        let breaks = game.rule().alternatives().iter().any(|a| a.leave.most().is_none_or(|m| m > 1));
        let wins = |parts: &[u64]| {
            let values: Option<Vec<u64>> =
                parts.iter().map(|p| AnyComponent::Heap(game.clone(), *p).misere_nim_value()).collect();
            values.is_some_and(|v| rest.with(&v).class().outcome(Convention::Misere) == Outcome::P)
        };
        // big parts and xor 0, or small parts and an odd number of ones
        let mut targets = vec![rest.xor, 1 - rest.ones % 2];
        targets.dedup();
        let mut sums: Vec<Vec<u64>> = Vec::new();
        let mut total = Some(0u128);
        for target in targets {
            let mut finder = Finder::new(game.rule(), *n, target, self.knowledge.heap_values(game));
            if !breaks {
                // single heaps: one look decides for all options of the value
                let mut steps = u64::MAX;
                match finder.next(&mut steps) {
                    Step::Found(parts) if wins(&parts) => {}
                    _ => continue,
                }
                finder = Finder::new(game.rule(), *n, target, self.knowledge.heap_values(game));
                let count = counted(&finder, meter);
                let (found, stop) = run_finder(&mut finder, count, room, MovesWanted::List, |p| p, meter);
                total = total.zip(found.total).map(|(a, b)| a + b);
                sums.extend(found.listed);
                if stop.is_some() {
                    return (finish_misere(component, sums, None), stop);
                }
                continue;
            }
            let mut seen = 0;
            loop {
                let mut steps = FINDER_STEPS;
                match finder.next(&mut steps) {
                    Step::Found(parts) if wins(&parts) => {
                        seen += 1;
                        if seen <= room {
                            sums.push(parts);
                        }
                    }
                    Step::Done => break,
                    Step::Found(_) | Step::OutOfSteps => {}
                }
                total = total.filter(|_| seen <= room);
                if seen > room && room > 0 {
                    break;
                }
                if let Err(stop) = meter.steps((FINDER_STEPS - steps).max(16)) {
                    let stop = stop.reached("the outcome is known, not all winning moves are");
                    return (finish_misere(component, sums, None), Some(stop));
                }
            }
            total = total.map(|t| t + seen as u128);
        }
        (finish_misere(component, sums, total), None)
    }

    /// Misère play by search: every option of every component.
    pub(super) fn moves_misere_search(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let components = query.game.components();
        let mut collector = Collector::new(query);
        let mut cache: HashMap<AnyComponent, Winning> = HashMap::new();
        'components: for (i, c) in components.iter().enumerate() {
            if !collector.wants(i) {
                continue;
            }
            let winning = match cache.get(c) {
                Some(w) => w.clone(),
                None => {
                    let mut sums = Vec::new();
                    if let Err(stop) = list_options(c, meter, &mut sums) {
                        draft.stop(stop);
                        collector.total = None;
                        break;
                    }
                    let mut listed = Vec::new();
                    for sum in sums {
                        let next = query.game.replaced(i, &sum);
                        match self.misere.outcome(next.components(), meter) {
                            Ok(Outcome::P) => listed.push(sum),
                            Ok(_) => {}
                            Err(stop) => {
                                draft.stop(stop.reached("the outcome is known, not all winning moves are"));
                                collector.add(i, &Winning { listed, total: None }, meter);
                                break 'components;
                            }
                        }
                    }
                    let total = Some(listed.len() as u128);
                    let winning = Winning { listed, total };
                    cache.insert(c.clone(), winning.clone());
                    winning
                }
            };
            collector.add(i, &winning, meter);
        }
        collector.finish(draft);
    }
}

/// Heaps of a Nim position counted by kind, so that one heap can be exchanged in O(1).
#[derive(Clone, Copy, Debug)]
struct Census {
    ones: u64,
    big: u64,
    xor: u64,
}

impl Census {
    fn of(heaps: &[u64]) -> Census {
        Census { ones: 0, big: 0, xor: 0 }.with(heaps)
    }

    fn with(mut self, heaps: &[u64]) -> Census {
        for h in heaps {
            self.ones += u64::from(*h == 1);
            self.big += u64::from(*h > 1);
            self.xor ^= h;
        }
        self
    }

    fn without(mut self, heap: u64) -> Census {
        self.ones -= u64::from(heap == 1);
        self.big -= u64::from(heap > 1);
        self.xor ^= heap;
        self
    }

    fn class(self) -> NimClass {
        match (self.big, self.ones % 2, self.xor) {
            (0, 1, _) => NimClass::OddOnes,
            (0, _, _) => NimClass::EvenOnes,
            (1, _, _) => NimClass::OneBig,
            (_, _, 0) => NimClass::Balanced,
            _ => NimClass::Unbalanced,
        }
    }

    /// The size to which a heap of `h` of this position is lowered to win in misère play; see
    /// [`grundy_core::theory::nim::winning_size`].
    fn winning_size(self, h: u64) -> Option<u64> {
        match self.class() {
            NimClass::OddOnes | NimClass::Balanced => None,
            NimClass::EvenOnes => (h == 1).then_some(0),
            NimClass::OneBig => (h > 1).then_some(1 - self.ones % 2),
            NimClass::Unbalanced => Some(h ^ self.xor).filter(|to| *to < h),
        }
    }
}

/// Options found for two values, in the order of moves.
fn finish_misere(component: &AnyComponent, mut sums: Vec<Vec<u64>>, total: Option<u128>) -> Winning {
    sums.sort_by(|a, b| {
        let left = |s: &[u64]| s.iter().fold(0u64, |t, p| t.saturating_add(*p));
        left(b).cmp(&left(a)).then(a.len().cmp(&b.len())).then(a.cmp(b))
    });
    let AnyComponent::Heap(game, _) = component else { return Winning::default() };
    let wrap = |parts: Vec<u64>| parts.into_iter().map(|p| AnyComponent::Heap(game.clone(), p)).collect();
    Winning { listed: sums.into_iter().map(wrap).collect(), total }
}

/// What the name of a component takes in each result that is printed: that of a graph may be as long as the graph.
fn name_bytes(component: &AnyComponent) -> u64 {
    match component {
        AnyComponent::Digraph(game, _) => game.name().len() as u64,
        _ => 0,
    }
}

/// Empty heaps among the parts vanish.
fn drop_empty(sums: Vec<Vec<AnyComponent>>) -> Vec<Vec<AnyComponent>> {
    sums.into_iter().map(|s| s.into_iter().filter(|c| !c.is_empty_heap()).collect()).collect()
}

/// All options of a component, as far as the meter allows.
pub(super) fn list_options(
    component: &AnyComponent,
    meter: &mut Meter,
    sums: &mut Vec<Vec<AnyComponent>>,
) -> Result<(), StopReason> {
    struct List<'a> {
        sums: &'a mut Vec<Vec<AnyComponent>>,
        meter: &'a mut Meter,
        stop: Option<StopReason>,
    }
    impl List<'_> {
        fn spend(&mut self, spent: Result<(), StopReason>) -> ControlFlow<()> {
            match spent {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => {
                    self.stop = Some(stop);
                    ControlFlow::Break(())
                }
            }
        }
    }
    impl OptionSink<AnyComponent> for List<'_> {
        fn push_sum(&mut self, parts: &[AnyComponent]) -> ControlFlow<()> {
            self.sums.push(parts.to_vec());
            let bytes = bytes_of(parts);
            let spent = self.meter.bytes(bytes).and_then(|()| self.meter.steps(bytes));
            self.spend(spent)
        }
        fn tick(&mut self) -> ControlFlow<()> {
            let spent = self.meter.steps(16);
            self.spend(spent)
        }
    }
    let mut list = List { sums, meter, stop: None };
    let _ = component.options(&mut list);
    match list.stop {
        None => Ok(()),
        Some(stop) => Err(stop.reached(format!("{} has too many options to list", print_component(component)))),
    }
}

/// What is known where the search for moves was stopped before it began.
pub(super) const UNLISTED: &str = "the outcome is known, the winning moves are not";

/// What a listed move costs with its names: bytes, and steps of about a nanosecond.
const LISTED_BYTES: u64 = 512;
const LISTED_STEPS: u64 = 1000;

/// Steps that counting may take where no formula counts.
const COUNT_STEPS: u64 = 1 << 20;

/// Steps that a finder may take between two looks at the meter.
const FINDER_STEPS: u64 = 4096;

/// The number of options that a finder has to find, if it is counted soon. Steps that look at a condition or run an automaton
/// take many times as long as others, so it is tried with few steps first.
fn counted(finder: &Finder<'_>, meter: &mut Meter) -> Option<u128> {
    let mut steps = COUNT_STEPS >> 8;
    loop {
        let before = meter.elapsed();
        if let Some(count) = finder.count(steps) {
            return Some(count);
        }
        let next = 8 * (meter.elapsed() - before);
        if steps >= COUNT_STEPS || meter.time_left().is_some_and(|left| next > left) || meter.steps(steps).is_err() {
            return None;
        }
        steps *= 4;
    }
}

fn run_finder<T>(
    finder: &mut Finder<'_>,
    count: Option<u128>,
    room: usize,
    wanted: MovesWanted,
    wrap: impl Fn(Vec<u64>) -> T,
    meter: &mut Meter,
) -> (Listed<T>, Option<StopReason>) {
    let mut winning = Listed { listed: Vec::new(), total: count };
    let mut seen = 0u128;
    loop {
        if winning.total.is_some_and(|t| seen == t) || (winning.total.is_some() && winning.listed.len() >= room) {
            return (winning, None);
        }
        if winning.listed.len() >= room && wanted == MovesWanted::List && room > 0 {
            // more may follow: their number stays unknown
            return (winning, None);
        }
        let mut steps = FINDER_STEPS;
        let found = finder.next(&mut steps);
        let spent = meter.steps((FINDER_STEPS - steps).max(1) * 4);
        match found {
            Step::Found(parts) => {
                seen += 1;
                if winning.listed.len() < room {
                    if let Err(stop) = meter.bytes(LISTED_BYTES).and_then(|()| meter.steps(LISTED_STEPS)) {
                        return (winning, Some(stop.reached("the outcome is known, not all winning moves are")));
                    }
                    winning.listed.push(wrap(parts));
                }
            }
            Step::Done => {
                winning.total = Some(seen);
                return (winning, None);
            }
            Step::OutOfSteps => {}
        }
        if let Err(stop) = spent {
            return (winning, Some(stop.reached("the outcome is known, not all winning moves are")));
        }
    }
}

fn take_listed(
    count: Option<u128>,
    options: Box<dyn Iterator<Item = Vec<AnyComponent>> + '_>,
    room: usize,
    wanted: MovesWanted,
    meter: &mut Meter,
) -> (Winning, Option<StopReason>) {
    let mut winning = Winning { listed: Vec::new(), total: count };
    let mut seen = 0u128;
    let mut ended = true;
    for option in options {
        if winning.listed.len() >= room && (count.is_some() || wanted == MovesWanted::List && room > 0) {
            ended = false;
            break;
        }
        seen += 1;
        let mut spent = meter.steps(64);
        if winning.listed.len() < room {
            spent = spent.and_then(|()| meter.bytes(LISTED_BYTES)).and_then(|()| meter.steps(LISTED_STEPS));
            winning.listed.push(option);
        }
        if let Err(stop) = spent {
            return (winning, Some(stop.reached("the outcome is known, not all winning moves are")));
        }
    }
    if ended && count.is_none() {
        winning.total = Some(seen);
    }
    (winning, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::nim::winning_size;

    #[test]
    fn census_follows_the_rule_for_whole_positions() {
        for code in 0..6u64.pow(3) {
            let heaps = [code % 6, code / 6 % 6, code / 36];
            let census = Census::of(&heaps);
            assert_eq!(census.class(), NimClass::of(&heaps));
            for (i, h) in heaps.iter().enumerate().filter(|(_, h)| **h > 0) {
                assert_eq!(census.winning_size(*h), winning_size(&heaps, i, Convention::Misere), "{heaps:?}");
            }
        }
    }
}
