//! How long a game lasts: the winner hurries, the loser delays.
//!
//! The remoteness of a position without moves is 0; of a won one 1 + the least remoteness of its lost options; of a lost
//! one 1 + the greatest remoteness of its options. Every option must be seen, so this is for small positions.
//!
//! # Sources
//! `[Smi66]`, `[WW]`

use grundy_core::{
    rulesets::{AnyComponent, custom::Fault},
    theory::Convention,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    budget::{Meter, StopReason},
    interner::{Interner, State},
};

/// Outcome and length of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The player to move loses.
    pub lost: bool,
    /// Moves until the end.
    pub remoteness: u32,
}

/// Decides sums with their remoteness in one convention.
#[derive(Debug)]
pub struct Remoteness {
    convention: Convention,
    interner: Interner,
    decided: FxHashMap<State, Verdict>,
}

impl Remoteness {
    /// Nothing decided yet.
    pub fn new(convention: Convention) -> Self {
        Remoteness { convention, interner: Interner::default(), decided: FxHashMap::default() }
    }

    /// The verdict on the sum of `components`.
    ///
    /// # Errors
    /// The meter's stop, or that play can come back to a sum, which only rules of the user allow.
    pub fn verdict(&mut self, components: &[AnyComponent], meter: &mut Meter) -> Result<Verdict, StopReason> {
        let goal = self.interner.state(components, meter)?;
        // the sums from the goal to the present one
        let mut open: FxHashSet<State> = FxHashSet::default();
        let mut stack = vec![(goal.clone(), false)];
        while let Some((state, expanded)) = stack.last_mut() {
            if self.decided.contains_key(state) {
                stack.pop();
                continue;
            }
            let state = state.clone();
            let children = self.children(&state, meter)?;
            if !*expanded {
                *expanded = true;
                if children.contains(&state) || children.iter().any(|c| open.contains(c)) {
                    let message = "play can go on for ever".into();
                    return Err(StopReason::of_rules(Fault { is_limit: false, message }));
                }
                let before = stack.len();
                stack.extend(children.iter().filter(|c| !self.decided.contains_key(*c)).map(|c| (c.clone(), false)));
                if stack.len() > before {
                    open.insert(state);
                    continue;
                }
            }
            let won = self.convention == Convention::Misere;
            let mut best = Verdict { lost: !won, remoteness: 0 };
            if !children.is_empty() {
                best = Verdict { lost: true, remoteness: 0 };
                for child in &children {
                    let v = self.decided[child];
                    if v.lost {
                        let better = best.lost || v.remoteness + 1 < best.remoteness;
                        if better {
                            best = Verdict { lost: false, remoteness: v.remoteness + 1 };
                        }
                    } else if best.lost {
                        best.remoteness = best.remoteness.max(v.remoteness + 1);
                    }
                }
            }
            meter.position()?;
            meter.bytes(56 + 4 * state.len() as u64)?;
            open.remove(&state);
            self.decided.insert(state, best);
            stack.pop();
        }
        Ok(self.decided[&goal])
    }

    fn children(&mut self, state: &[u32], meter: &mut Meter) -> Result<Vec<State>, StopReason> {
        let mut children = Vec::new();
        for (i, id) in state.iter().enumerate() {
            if i > 0 && state[i - 1] == *id {
                continue;
            }
            let options = self.interner.options(*id, meter)?;
            meter.steps(100 * options.len() as u64)?;
            children.extend(options.iter().map(|o| Interner::child(state, i, o)));
        }
        Ok(children)
    }
}
