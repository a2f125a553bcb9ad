//! Grundy values of any component by memoised search over its options, on an explicit stack.

use grundy_core::{
    notation::print_component,
    rulesets::{AnyComponent, custom::Fault},
    theory::Mex,
};

use crate::{
    budget::{Meter, StopReason},
    interner::{Interner, OptionLists},
};

/// Values of components, remembered.
#[derive(Debug, Default)]
pub struct ValueSearch {
    interner: Interner,
    known: Vec<Option<u64>>,
    /// True for what the search stands on: the positions from the goal to the present one.
    open: Vec<bool>,
}

impl ValueSearch {
    /// The Grundy value of `component`: by theorem where there is one, else mex over the options.
    ///
    /// # Complexity
    /// All positions below `component`, each with all its options.
    ///
    /// # Errors
    /// The meter's stop; what was found before is kept. Also a stop if play can come back to a position, which only rules of
    /// the user allow, with the way round.
    pub fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, StopReason> {
        let parts = self.interner.state(std::slice::from_ref(component), meter)?;
        parts.iter().try_fold(0, |xor, part| Ok(xor ^ self.value_of(*part, meter)?))
    }

    /// The value of one part.
    fn value_of(&mut self, goal: u32, meter: &mut Meter) -> Result<u64, StopReason> {
        self.open.clear();
        let mut stack: Vec<(u32, Option<OptionLists>)> = vec![(goal, None)];
        let mut mex = Mex::default();
        while let Some((id, options)) = stack.last_mut() {
            let id = *id;
            if self.get(id).is_some() {
                stack.pop();
                continue;
            }
            let Some(options) = options else {
                if let Some(hint) = self.interner.component(id).value_hint() {
                    self.set(id, hint.answer, meter)?;
                    stack.pop();
                    continue;
                }
                let lists = self.interner.options(id, meter)?;
                *options = Some(lists.clone());
                self.set_open(id, true);
                for part in lists.iter().flat_map(|o| o.iter()) {
                    if self.open.get(*part as usize) == Some(&true) {
                        return Err(StopReason::of_rules(self.cycle(&stack, *part)));
                    }
                    if self.get(*part).is_none() {
                        stack.push((*part, None));
                    }
                }
                meter.steps(lists.len() as u64)?;
                continue;
            };
            mex.clear();
            for option in options.iter() {
                mex.insert(option.iter().fold(0, |x, p| x ^ self.get(*p).unwrap_or_default()));
            }
            meter.steps(options.len() as u64)?;
            self.set(id, mex.mex(), meter)?;
            self.set_open(id, false);
            stack.pop();
        }
        Ok(self.get(goal).unwrap_or_default())
    }

    fn set_open(&mut self, id: u32, is_open: bool) {
        if self.open.len() <= id as usize {
            self.open.resize(id as usize + 1, false);
        }
        self.open[id as usize] = is_open;
    }

    /// The positions from `again` to the last one of the stack, from which a move leads back to it.
    fn cycle(&self, stack: &[(u32, Option<OptionLists>)], again: u32) -> Fault {
        const SHOWN: usize = 16;
        // positions whose options are still to be looked at lie between those of the way
        let way: Vec<u32> = stack.iter().filter(|(_, options)| options.is_some()).map(|(id, _)| *id).collect();
        let from = way.iter().position(|id| *id == again).unwrap_or(0);
        let print = |id: &u32| print_component(self.interner.component(*id));
        let mut names: Vec<String> = way[from..].iter().take(SHOWN).map(print).collect();
        if way.len() - from > SHOWN {
            names.push("…".into());
        }
        names.push(print(&again));
        Fault { is_limit: false, message: format!("play can go on for ever: {}", names.join(" -> ")) }
    }

    fn get(&self, id: u32) -> Option<u64> {
        self.known.get(id as usize).copied().flatten()
    }

    fn set(&mut self, id: u32, value: u64, meter: &mut Meter) -> Result<(), StopReason> {
        meter.position()?;
        meter.bytes(64)?;
        if self.known.len() <= id as usize {
            self.known.resize(id as usize + 1, None);
        }
        self.known[id as usize] = Some(value);
        Ok(())
    }
}
