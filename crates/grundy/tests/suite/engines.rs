//! Every engine that can decide a position, behind one signature: the answer, or None where the engine does not claim it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    ops::ControlFlow,
    time::Duration,
};

use grundy::{
    budget::{Budget, Meter},
    misere::OutcomeSearch,
    search::{Remoteness, ValueSearch},
    sequence::DirectSequence,
};
use grundy_core::{
    ruleset::{
        OptionSink, Ruleset,
        definition::{GrundyByDefinition, OutcomeByDefinition},
        options_of,
    },
    rulesets::AnyComponent,
    theory::{Convention, Outcome, Sum},
};

/// How often each engine decided; an engine that never does is no witness.
pub type Tally = BTreeMap<&'static str, usize>;

/// Most sums below a position that goes through the naive twins.
const SMALL: usize = 1500;

/// What an engine may spend on one position.
pub fn allowance() -> Budget {
    Budget {
        time: Some(Duration::from_secs(20)),
        memory: Some(256 << 20),
        positions: Some(100_000),
        ..Budget::default()
    }
}

/// All components as one ruleset for the naive twins, which need positions in an order.
#[derive(Default)]
pub struct Anything {
    ids: RefCell<HashMap<AnyComponent, u32>>,
    all: RefCell<Vec<AnyComponent>>,
}

impl Anything {
    pub fn id(&self, component: &AnyComponent) -> u32 {
        let mut all = self.all.borrow_mut();
        *self.ids.borrow_mut().entry(component.clone()).or_insert_with(|| {
            all.push(component.clone());
            (all.len() - 1) as u32
        })
    }

    fn component(&self, id: u32) -> AnyComponent {
        self.all.borrow()[id as usize].clone()
    }
}

impl Ruleset for Anything {
    type Position = u32;

    fn options(&self, g: &u32, sink: &mut impl OptionSink<u32>) -> ControlFlow<()> {
        self.component(*g).options(&mut |parts: &[AnyComponent]| {
            let ids: Vec<u32> = parts.iter().map(|p| self.id(p)).collect();
            sink.push_sum(&ids)
        })
    }
}

/// True if all options of a component are soon listed.
pub fn is_small(component: &AnyComponent) -> bool {
    component.print_position().split(", ").all(|n| n.parse::<u64>().is_ok_and(|n| n <= 2000))
}

/// True if there is an option.
pub fn has_option(component: &AnyComponent) -> bool {
    component.options(&mut |_: &[AnyComponent]| ControlFlow::Break(())).is_break()
}

/// All options of a component.
pub fn options(component: &AnyComponent) -> Vec<Vec<AnyComponent>> {
    let mut all = Vec::new();
    let _ = component.options(&mut |parts: &[AnyComponent]| {
        all.push(parts.to_vec());
        ControlFlow::Continue(())
    });
    all
}

/// The naive twins over one position, if it is small.
pub struct Twins {
    rules: Anything,
    position: Vec<u32>,
}

impl Twins {
    pub fn of(components: &[AnyComponent]) -> Option<Twins> {
        if !components.iter().all(is_small) {
            return None;
        }
        let rules = Anything::default();
        let sorted = |mut v: Vec<u32>| {
            v.sort_unstable();
            v
        };
        let position: Vec<u32> = components.iter().map(|c| rules.id(c)).collect();
        let mut seen = HashSet::from([sorted(position.clone())]);
        let mut queue = VecDeque::from_iter(seen.clone());
        while let Some(sum) = queue.pop_front() {
            for (i, g) in sum.iter().enumerate() {
                let mut too_many = false;
                let _ = rules.options(g, &mut |parts: &[u32]| {
                    let mut next = sum.clone();
                    next.remove(i);
                    next.extend_from_slice(parts);
                    let next = sorted(next);
                    if seen.insert(next.clone()) {
                        queue.push_back(next);
                    }
                    too_many = seen.len() > SMALL;
                    if too_many { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if too_many {
                    return None;
                }
            }
        }
        Some(Twins { rules, position })
    }

    pub fn outcome(&self, convention: Convention) -> Outcome {
        OutcomeByDefinition::new(&self.rules, convention).outcome(&self.position)
    }

    pub fn value(&self) -> u64 {
        let mut twin = GrundyByDefinition::new(&self.rules);
        self.position.iter().fold(0, |x, g| x ^ twin.value(g))
    }

    /// All winning moves in the order of moves: the component and what it becomes.
    pub fn winning(&self, convention: Convention) -> Vec<(usize, Vec<AnyComponent>)> {
        let mut twin = OutcomeByDefinition::new(&self.rules, convention);
        let mut all = Vec::new();
        for (i, g) in self.position.iter().enumerate() {
            for option in options_of(&self.rules, g) {
                let mut next = self.position.clone();
                next.splice(i..=i, option.iter().copied());
                if twin.outcome(&next) == Outcome::P {
                    all.push((i, option.iter().map(|p| self.rules.component(*p)).collect()));
                }
            }
        }
        all
    }
}

/// What every engine but the session says about the outcome.
pub fn outcomes(sum: &Sum<AnyComponent>, convention: Convention, tally: &mut Tally) -> Vec<(&'static str, Outcome)> {
    let components = sum.components();
    let mut said = Vec::new();
    let mut meter = Meter::new(&allowance());
    if components.iter().all(is_small)
        && let Ok(o) = OutcomeSearch::new(convention).outcome(components, &mut meter)
    {
        said.push(("outcome search", o));
    }
    if let Some(twins) = Twins::of(components) {
        said.push(("outcome by definition", twins.outcome(convention)));
        let mut meter = Meter::new(&allowance());
        if let Ok(verdict) = Remoteness::new(convention).verdict(components, &mut meter) {
            said.push(("remoteness", if verdict.lost { Outcome::P } else { Outcome::N }));
        }
    }
    if let [one] = components
        && let Some(hint) = one.outcome_hint(convention)
    {
        said.push(("theorem on the outcome", hint.answer));
    }
    for (engine, _) in &said {
        *tally.entry(*engine).or_default() += 1;
    }
    said
}

/// What every engine but the session says about the value of a sum.
pub fn values(sum: &Sum<AnyComponent>, tally: &mut Tally) -> Vec<(&'static str, u64)> {
    let components = sum.components();
    let mut said = Vec::new();
    let xor = |of: &mut dyn FnMut(&AnyComponent) -> Option<u64>| components.iter().try_fold(0, |x, c| Some(x ^ of(c)?));
    let mut search = ValueSearch::default();
    let mut meter = Meter::new(&allowance());
    if let Some(v) = xor(&mut |c| is_small(c).then(|| search.value(c, &mut meter).ok())?) {
        said.push(("value search", v));
    }
    if let Some(v) = xor(&mut |c| Some(c.value_hint()?.answer)).filter(|_| !components.is_empty()) {
        said.push(("theorem on the value", v));
    }
    if let Some(twins) = Twins::of(components) {
        said.push(("value by definition", twins.value()));
    }
    let mut meter = Meter::new(&allowance());
    let direct = &mut |c: &AnyComponent| {
        let AnyComponent::Heap(game, n) = c else { return None };
        let heap = game.heap_of(*n).filter(|h| *h <= 2000)?;
        let mut sequence = DirectSequence::new(game.rule());
        sequence.advance(heap, &mut meter).ok()?;
        sequence.value(heap)
    };
    if let Some(v) = xor(direct).filter(|_| !components.is_empty()) {
        said.push(("direct sequence", v));
    }
    for (engine, _) in &said {
        *tally.entry(*engine).or_default() += 1;
    }
    said
}
