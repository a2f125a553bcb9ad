//! A guess at the automaton of a function from its first values.
//!
//! What an automaton that reads n and g(n) bit by bit must remember after k bits that spell (a, b) is the partial function
//! n' -> (g(a + 2^k n') - b) / 2^k, defined where that is a whole number. Two prefixes whose functions agree on all that is
//! known are taken for the same state. So the guess is right for all values that decide, and may be wrong beyond: it is for
//! `prove` to tell.
//!
//! # Sources
//! `[Myh57]`, `[Ner58]` (states as residual functions).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{
    compile::{HEAP, VALUE},
    relation::Relation,
};
use crate::budget::{Meter, StopReason};

/// Most states of a guess.
const MOST_STATES: usize = 512;

/// What stands where no number continues the prefix.
const NONE: i128 = -1;

/// Values of a residual function that must be known to tell it from others.
const LEAST: usize = 12;

/// The automaton that the values suggest, if it has few states and the values suffice to know them.
///
/// # Complexity
/// O(states · N) for N values.
pub(crate) fn learn(values: &[u64], meter: &mut Meter) -> Result<Option<Relation>, StopReason> {
    let mut states: Vec<Vec<i128>> = Vec::new();
    let mut names: FxHashMap<Vec<i128>, usize> = FxHashMap::default();
    let first: Vec<i128> = values.iter().map(|v| i128::from(*v)).collect();
    let mut open = VecDeque::from([0usize]);
    states.push(first.clone());
    let most = 48.min(first.len());
    names.insert(first[..most].to_vec(), 0);
    let mut edges: Vec<(usize, u32, usize)> = Vec::new();
    while let Some(state) = open.pop_front() {
        for letter in 0..4u32 {
            let (a, b) = (letter as usize & 1, i128::from(letter >> 1));
            let old = &states[state];
            meter.steps(old.len() as u64)?;
            let half = |v: &i128| if *v >= 0 && v % 2 == b { v / 2 } else { NONE };
            let next: Vec<i128> = old.iter().skip(a).step_by(2).map(half).collect();
            if next.iter().all(|v| *v == NONE) {
                continue;
            }
            if next.len() < LEAST {
                return Ok(None);
            }
            // a known state that agrees on all that both know
            let key = next[..next.len().min(most)].to_vec();
            let known = names.get(&key).copied().or_else(|| {
                let short = key.len() < most;
                states.iter().position(|s| short && s.len() >= key.len() && s[..key.len()] == key[..])
            });
            let to = match known {
                Some(to) => to,
                None => {
                    if states.len() == MOST_STATES {
                        return Ok(None);
                    }
                    meter.position()?;
                    names.insert(key, states.len());
                    states.push(next);
                    open.push_back(states.len() - 1);
                    states.len() - 1
                }
            };
            edges.push((state, letter, to));
        }
    }
    // g = 0 on what is left is the end of a number
    let next = |s: &usize, letter: u32| edges.iter().find(|e| e.0 == *s && e.1 == letter).map(|e| e.2);
    Ok(Some(Relation::explore(&[HEAP, VALUE], vec![0], next, |s| states[*s][0] == 0, meter)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(g: impl Fn(u64) -> u64) -> Option<usize> {
        let values: Vec<u64> = (0..4096).map(&g).collect();
        let learnt = learn(&values, &mut Meter::unlimited()).unwrap()?;
        for n in 0..5000 {
            assert!(learnt.contains(&[n.into(), g(n).into()]), "{n}");
            assert!(!learnt.contains(&[n.into(), u128::from(g(n)) + 1]), "{n}");
        }
        Some(learnt.minimised(&mut Meter::unlimited()).unwrap().states())
    }

    #[test]
    fn synchronised_functions_are_learnt() {
        assert_eq!(states(|n| n), Some(1));
        assert_eq!(states(|n| n % 3), Some(6));
        assert_eq!(states(|n| n ^ 5), Some(4));
        assert!(
            states(|n| if n % 4 == 3 {
                n + 1
            } else if n % 4 == 0 && n > 0 {
                n - 1
            } else {
                n
            })
            .is_some()
        );
        assert!(states(|n| n / 2).is_some());
        assert!(states(|n| n & n.wrapping_neg()).is_some());
    }
}
