//! Grundy values of any component by memoised search over its options, on an explicit stack.

use grundy_core::{rulesets::AnyComponent, theory::Mex};

use crate::{
    budget::{Meter, StopReason},
    interner::{Interner, OptionLists},
};

/// Values of components, remembered.
#[derive(Debug, Default)]
pub struct ValueSearch {
    interner: Interner,
    known: Vec<Option<u64>>,
}

impl ValueSearch {
    /// The Grundy value of `component`: by theorem where there is one, else mex over the options.
    ///
    /// # Complexity
    /// All positions below `component`, each with all its options.
    ///
    /// # Errors
    /// The meter's stop; what was found before is kept.
    pub fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, StopReason> {
        let parts = self.interner.state(std::slice::from_ref(component), meter)?;
        parts.iter().try_fold(0, |xor, part| Ok(xor ^ self.value_of(*part, meter)?))
    }

    /// The value of one part.
    fn value_of(&mut self, goal: u32, meter: &mut Meter) -> Result<u64, StopReason> {
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
                for part in lists.iter().flat_map(|o| o.iter()) {
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
            stack.pop();
        }
        Ok(self.get(goal).unwrap_or_default())
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
