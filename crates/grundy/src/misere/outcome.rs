//! Outcomes of sums by memoised search over multisets of components: the ground truth of misère play.
//!
//! A state is the sorted list of its components; it is lost if no option of any component leads to a lost state.
//! Nothing is xored or cancelled: even two equal components stay two. The search runs on an explicit stack and keeps
//! everything it has decided, so one search answers for a position and for each of its moves.
//!
//! Cost: states times moves, at about 100 ns a move; the number of states of a sum is at most the product over the
//! distinct components of their own numbers of followers, which is what ends such searches.

use grundy_core::{
    rulesets::AnyComponent,
    theory::{Convention, Outcome},
};
use rustc_hash::FxHashMap;

use crate::{
    budget::{Meter, StopReason},
    interner::{Interner, OptionLists, State},
};

/// Decides outcomes of sums in one convention and remembers them.
#[derive(Debug)]
pub struct OutcomeSearch {
    convention: Convention,
    interner: Interner,
    /// True for P.
    decided: FxHashMap<State, bool>,
}

/// A state whose options are being looked at.
struct Frame {
    state: State,
    /// Component whose options are being tried, and how many of them are left.
    component: usize,
    left: usize,
    options: Option<OptionLists>,
}

impl Frame {
    fn new(state: State) -> Self {
        Frame { state, component: 0, left: 0, options: None }
    }
}

impl OutcomeSearch {
    /// A search that has decided nothing.
    pub fn new(convention: Convention) -> Self {
        OutcomeSearch { convention, interner: Interner::default(), decided: FxHashMap::default() }
    }

    /// The outcome of the sum of `components`.
    ///
    /// # Errors
    /// The meter's stop; what was decided before is kept.
    pub fn outcome(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<Outcome, StopReason> {
        let goal = self.interner.state(components, meter)?;
        let lost = self.is_lost(goal, meter)?;
        Ok(if lost { Outcome::P } else { Outcome::N })
    }

    /// Number of states decided so far.
    pub fn decided(&self) -> usize {
        self.decided.len()
    }

    fn is_lost(&mut self, goal: State, meter: &mut Meter) -> Result<bool, StopReason> {
        if let Some(lost) = self.decided.get(&goal) {
            return Ok(*lost);
        }
        let mut stack = vec![Frame::new(goal)];
        let mut verdict = false;
        while let Some(frame) = stack.last_mut() {
            let lost = loop {
                if frame.left == 0 {
                    // next distinct component
                    if frame.options.is_some() {
                        frame.component += 1;
                        while frame.component < frame.state.len()
                            && frame.state[frame.component] == frame.state[frame.component - 1]
                        {
                            frame.component += 1;
                        }
                    }
                    if frame.component >= frame.state.len() {
                        // every option is won by the other player, or there is none
                        break Some(!frame.state.is_empty() || self.convention == Convention::Normal);
                    }
                    let options = self.interner.options(frame.state[frame.component], meter)?;
                    frame.left = options.len();
                    frame.options = Some(options);
                    continue;
                }
                // the largest amounts first: they lead to small sums, which are soon decided
                let options = frame.options.as_ref().expect("left > 0");
                let option = &options[frame.left - 1];
                let child = Interner::child(&frame.state, frame.component, option);
                meter.steps(100)?;
                match self.decided.get(&child) {
                    Some(true) => break Some(false),
                    Some(false) => frame.left -= 1,
                    None => {
                        stack.push(Frame::new(child));
                        break None;
                    }
                }
            };
            if let Some(lost) = lost
                && let Some(frame) = stack.pop()
            {
                meter.position()?;
                meter.bytes(48 + 4 * frame.state.len() as u64)?;
                self.decided.insert(frame.state, lost);
                verdict = lost;
            }
        }
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::ruleset::definition::OutcomeByDefinition;
    use grundy_core::rulesets::{HeapGame, heap::HeapRule};
    use std::sync::Arc;

    #[test]
    fn equals_the_definition_in_both_conventions() {
        for (d0, digits) in [(0, vec![7, 7]), (0, vec![0, 7]), (4, vec![3]), (0, vec![1, 2, 3]), (8, vec![7, 1])] {
            let rule = HeapRule::octal(d0, &digits);
            let game = Arc::new(HeapGame::new("test", rule.clone()));
            for convention in [Convention::Normal, Convention::Misere] {
                let mut naive = OutcomeByDefinition::new(&rule, convention);
                let mut search = OutcomeSearch::new(convention);
                for a in 0..7u64 {
                    for b in 0..=a {
                        for c in 0..=b {
                            let heaps = [a, b, c];
                            let sum = heaps.map(|n| AnyComponent::Heap(Arc::clone(&game), n));
                            let got = search.outcome(&sum, &mut Meter::unlimited()).unwrap();
                            assert_eq!(got, naive.outcome(&heaps), "{digits:?} {heaps:?} {convention}");
                        }
                    }
                }
            }
        }
    }
}
