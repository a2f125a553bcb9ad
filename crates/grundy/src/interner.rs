//! Components as small numbers and sums as sorted lists of them: what searches over sums share.

use std::{ops::ControlFlow, sync::Arc};

use grundy_core::{ruleset::OptionSink, rulesets::AnyComponent};
use rustc_hash::FxHashMap;

use crate::budget::{Meter, StopReason};

/// A sum as a search sees it: identifiers ascending, components without moves left out (they change nothing in either
/// convention).
pub type State = Box<[u32]>;

/// The options of one component, each a sorted list of identifiers.
pub type OptionLists = Arc<[State]>;

/// Gives every component of a search a number and keeps its options.
#[derive(Debug, Default)]
pub struct Interner {
    ids: FxHashMap<AnyComponent, u32>,
    components: Vec<AnyComponent>,
    options: Vec<Option<OptionLists>>,
    dead: Vec<bool>,
}

impl Interner {
    /// The number of `component`, up to the order within its position.
    pub fn id(&mut self, component: &AnyComponent) -> u32 {
        let component = component.canonical();
        if let Some(id) = self.ids.get(&component) {
            return *id;
        }
        let id = u32::try_from(self.components.len()).expect("a search never holds 2^32 components");
        self.dead.push(has_no_move(&component));
        self.options.push(None);
        self.components.push(component.clone());
        self.ids.insert(component, id);
        id
    }

    /// The component of a number.
    pub fn component(&self, id: u32) -> &AnyComponent {
        &self.components[id as usize]
    }

    /// The state of a sum.
    pub fn state(&mut self, components: &[AnyComponent]) -> State {
        let mut ids: Vec<u32> = components.iter().map(|c| self.id(c)).collect();
        ids.retain(|id| !self.dead[*id as usize]);
        ids.sort_unstable();
        ids.into()
    }

    /// The options of a component, each once.
    ///
    /// # Errors
    /// The meter's stop: a component may have more options than the budget allows.
    pub fn options(&mut self, id: u32, meter: &mut Meter) -> Result<OptionLists, StopReason> {
        if let Some(options) = &self.options[id as usize] {
            return Ok(Arc::clone(options));
        }
        let component = self.components[id as usize].clone();
        let mut collect = Collect { sums: Vec::new(), meter, stop: None };
        let _ = component.options(&mut collect);
        let Collect { sums, stop, .. } = collect;
        if let Some(stop) = stop {
            return Err(stop);
        }
        let mut lists: Vec<State> = Vec::with_capacity(sums.len());
        for sum in &sums {
            // looked up, tested for moves and copied: dearer than listing
            meter.steps(1000)?;
            lists.push(self.state(sum));
        }
        // equal sums after dropping dead parts are one option of the search
        let mut seen = rustc_hash::FxHashSet::default();
        lists.retain(|l| seen.insert(l.clone()));
        let lists: OptionLists = lists.into();
        self.options[id as usize] = Some(Arc::clone(&lists));
        Ok(lists)
    }

    /// The state after component `i` of `state` became `option`.
    pub fn child(state: &[u32], i: usize, option: &[u32]) -> State {
        let mut next = Vec::with_capacity(state.len() + option.len());
        let mut rest = state[..i].iter().chain(&state[i + 1..]).copied().peekable();
        let mut new = option.iter().copied().peekable();
        loop {
            match (rest.peek(), new.peek()) {
                (Some(a), Some(b)) if a <= b => next.extend(rest.next()),
                (_, Some(_)) => next.extend(new.next()),
                (Some(_), None) => next.extend(rest.next()),
                (None, None) => return next.into(),
            }
        }
    }
}

fn has_no_move(component: &AnyComponent) -> bool {
    component.options(&mut |_: &[AnyComponent]| ControlFlow::Break(())).is_continue()
}

struct Collect<'a> {
    sums: Vec<Vec<AnyComponent>>,
    meter: &'a mut Meter,
    stop: Option<StopReason>,
}

impl Collect<'_> {
    fn listen(&mut self, result: Result<(), StopReason>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

impl OptionSink<AnyComponent> for Collect<'_> {
    fn push_sum(&mut self, parts: &[AnyComponent]) -> ControlFlow<()> {
        self.sums.push(parts.to_vec());
        let spent = self.meter.bytes(96).and_then(|()| self.meter.steps(100));
        self.listen(spent)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        let spent = self.meter.steps(16);
        self.listen(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_stay_sorted() {
        assert_eq!(&*Interner::child(&[1, 3, 5], 1, &[0, 4]), [0, 1, 4, 5]);
        assert_eq!(&*Interner::child(&[1, 1, 5], 0, &[]), [1, 5]);
        assert_eq!(&*Interner::child(&[2], 0, &[2]), [2]);
    }
}
