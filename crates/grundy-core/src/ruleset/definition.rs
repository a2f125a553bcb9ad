//! The naive twins: Grundy values and outcomes straight from the definitions.
//!
//! Slow, plain and right: every engine and every closed form is tested against them, and the checker of certificates
//! uses nothing else. Both keep an explicit stack, so the depth of a game costs memory, never the call stack.

use core::{hash::Hash, ops::ControlFlow};
use std::collections::HashMap;

use super::{Ruleset, options_of};
use crate::theory::{Convention, Outcome, mex};

/// Grundy values by definition, G(g) = mex of the G of the options (xor over the parts of each), memoised.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::definition::GrundyByDefinition;
/// use grundy_core::rulesets::heap::HeapRule;
/// let kayles = HeapRule::octal(0, &[7, 7]);
/// let mut g = GrundyByDefinition::new(&kayles);
/// assert_eq!((0..10).map(|n| g.value(&n)).collect::<Vec<_>>(), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
/// ```
pub struct GrundyByDefinition<'a, R: Ruleset> {
    ruleset: &'a R,
    known: HashMap<R::Position, u64>,
}

impl<'a, R: Ruleset> GrundyByDefinition<'a, R> {
    /// An empty memory for `ruleset`.
    pub fn new(ruleset: &'a R) -> Self {
        GrundyByDefinition { ruleset, known: HashMap::new() }
    }

    /// The Grundy value of `g`.
    ///
    /// # Complexity
    /// All positions reachable from `g`, each with all its options.
    ///
    /// # Panics
    /// Never; on a loopy ruleset it does not end, so do not ask.
    pub fn value(&mut self, g: &R::Position) -> u64 {
        let mut stack = vec![g.clone()];
        while let Some(top) = stack.last() {
            if self.known.contains_key(top) {
                stack.pop();
                continue;
            }
            let options = options_of(self.ruleset, top);
            let before = stack.len();
            for part in options.iter().flatten() {
                if !self.known.contains_key(part) {
                    stack.push(part.clone());
                }
            }
            if stack.len() == before {
                let value = mex(options.iter().map(|o| o.iter().fold(0, |x, p| x ^ self.known[p])));
                let top = stack.pop().expect("the loop saw it");
                self.known.insert(top, value);
            }
        }
        self.known[g]
    }
}

/// Outcomes of sums by definition, in either convention, memoised over multisets of components.
///
/// No xor, no simplification: a sum is lost if no option of any component leads to a lost sum, and a sum without moves
/// is what the convention says.
pub struct OutcomeByDefinition<'a, R: Ruleset> {
    ruleset: &'a R,
    convention: Convention,
    known: HashMap<Vec<R::Position>, Outcome>,
}

impl<'a, R: Ruleset> OutcomeByDefinition<'a, R> {
    /// An empty memory for sums of `ruleset` in `convention`.
    pub fn new(ruleset: &'a R, convention: Convention) -> Self {
        OutcomeByDefinition { ruleset, convention, known: HashMap::new() }
    }

    /// The outcome of the sum of `components`.
    pub fn outcome(&mut self, components: &[R::Position]) -> Outcome {
        let goal = sorted(components.to_vec());
        let mut stack = vec![goal.clone()];
        while let Some(top) = stack.last() {
            if self.known.contains_key(top) {
                stack.pop();
                continue;
            }
            let options = options_of_sum(self.ruleset, top);
            let unknown: Vec<_> = options.iter().filter(|o| !self.known.contains_key(*o)).cloned().collect();
            if unknown.is_empty() {
                let outcome = if options.is_empty() {
                    self.convention.of_terminal()
                } else if options.iter().any(|o| self.known[o] == Outcome::P) {
                    Outcome::N
                } else {
                    Outcome::P
                };
                let top = stack.pop().expect("the loop saw it");
                self.known.insert(top, outcome);
            } else {
                stack.extend(unknown);
            }
        }
        self.known[&goal]
    }
}

fn sorted<P: Ord>(mut sum: Vec<P>) -> Vec<P> {
    sum.sort();
    sum
}

fn options_of_sum<R: Ruleset>(ruleset: &R, sum: &[R::Position]) -> Vec<Vec<R::Position>>
where
    R::Position: Hash,
{
    let mut all = Vec::new();
    for (i, g) in sum.iter().enumerate() {
        if i > 0 && sum[i - 1] == *g {
            continue;
        }
        let _ = ruleset.options(g, &mut |parts: &[R::Position]| {
            let mut next: Vec<_> = sum.to_vec();
            next.remove(i);
            next.extend_from_slice(parts);
            all.push(sorted(next));
            ControlFlow::Continue(())
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulesets::heap::HeapRule;

    #[test]
    fn misere_kayles_facts() {
        let kayles = HeapRule::octal(0, &[7, 7]);
        let mut misere = OutcomeByDefinition::new(&kayles, Convention::Misere);
        // single heaps lost in misère Kayles up to 12: 1, 4, 9, 12
        let lost: Vec<u64> = (1..=12).filter(|n| misere.outcome(&[*n]) == Outcome::P).collect();
        assert_eq!(lost, [1, 4, 9, 12]);
        assert_eq!(misere.outcome(&[]), Outcome::N);
    }
}
