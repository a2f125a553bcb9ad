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
    ///
    /// # Errors
    /// The meter's stop: it may take long to see that a component has no move.
    pub fn id(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u32, StopReason> {
        let component = component.canonical();
        if let Some(id) = self.ids.get(&component) {
            return Ok(*id);
        }
        let dead = has_no_move(&component, meter)?;
        let id = u32::try_from(self.components.len()).expect("a search never holds 2^32 components");
        self.dead.push(dead);
        self.options.push(None);
        self.components.push(component.clone());
        self.ids.insert(component, id);
        Ok(id)
    }

    /// The component of a number.
    pub fn component(&self, id: u32) -> &AnyComponent {
        &self.components[id as usize]
    }

    /// The state of a sum.
    ///
    /// # Errors
    /// As [`Interner::id`].
    pub fn state(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<State, StopReason> {
        let mut ids: Vec<u32> = Vec::with_capacity(components.len());
        for c in components {
            match c.split() {
                Some(parts) => {
                    for part in &parts {
                        ids.push(self.id(part, meter)?);
                    }
                }
                None => ids.push(self.id(c, meter)?),
            }
        }
        ids.retain(|id| !self.dead[*id as usize]);
        ids.sort_unstable();
        Ok(ids.into())
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
        let mut collect = Collect { parts: Vec::new(), ends: Vec::new(), meter, stop: None };
        let _ = component.options(&mut collect);
        let Collect { parts, ends, stop, .. } = collect;
        if let Some(stop) = stop.or_else(|| component.take_fault().map(StopReason::of_rules)) {
            return Err(stop);
        }
        let mut lists: Vec<State> = Vec::with_capacity(ends.len());
        let mut start = 0;
        for end in ends {
            // looked up, tested for moves and copied: dearer than listing
            meter.steps(1000)?;
            lists.push(self.state(&parts[start..end], meter)?);
            start = end;
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

fn has_no_move(component: &AnyComponent, meter: &mut Meter) -> Result<bool, StopReason> {
    struct Seek<'a> {
        meter: &'a mut Meter,
        stop: Option<StopReason>,
    }
    impl OptionSink<AnyComponent> for Seek<'_> {
        fn push_sum(&mut self, _: &[AnyComponent]) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        fn tick(&mut self) -> ControlFlow<()> {
            match self.meter.steps(16) {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => {
                    self.stop = Some(stop);
                    ControlFlow::Break(())
                }
            }
        }
    }
    let mut seek = Seek { meter, stop: None };
    let ended = component.options(&mut seek).is_continue();
    let stop = seek.stop.or_else(|| component.take_fault().map(StopReason::of_rules));
    stop.map_or(Ok(ended), Err)
}

/// Options one after another in one list: there may be millions, and as many lists would take long to drop.
struct Collect<'a> {
    parts: Vec<AnyComponent>,
    /// Where each option ends.
    ends: Vec<usize>,
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
        self.parts.extend_from_slice(parts);
        self.ends.push(self.parts.len());
        let spent = self.meter.bytes(bytes_of(parts)).and_then(|()| self.meter.steps(100 + size_of(parts)));
        self.listen(spent)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        let spent = self.meter.steps(16);
        self.listen(spent)
    }
}

/// Numbers in the positions of a sum.
fn size_of(parts: &[AnyComponent]) -> u64 {
    parts.iter().map(|p| p.numbers().len() as u64).sum()
}

/// About what a list of options keeps for one of them, in bytes.
pub(crate) fn bytes_of(parts: &[AnyComponent]) -> u64 {
    96 + 8 * size_of(parts)
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
