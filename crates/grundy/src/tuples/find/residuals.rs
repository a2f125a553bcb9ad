//! A guess at the automaton of a set of positions from those in a box.
//!
//! After some bits of every number an automaton must remember which higher bits complete them to members. Two beginnings with
//! the same completions, as far as the box tells, are taken for the same state; so the guess may be wrong, and is for the proof
//! to judge.
//!
//! # Sources
//! `[Myh57]`, `[Ner58]` (states as sets of completions).

use std::collections::VecDeque;

use crate::budget::{Meter, StopReason};
use crate::discover::relation::{Relation, Track};

/// Most states of a guess.
const MOST_STATES: usize = 2048;

/// Sides of the boxes of completions that are compared, by the number of heaps: the largest, and the least that tells anything.
const SIDES: [(u64, u64); 4] = [(64, 8), (16, 4), (8, 2), (4, 2)];

/// What may follow a beginning: the members in a box of so many a side.
#[derive(Clone, PartialEq, Eq)]
struct Completions {
    side: u64,
    members: Vec<bool>,
}

impl Completions {
    /// True if both agree on all positions that both know.
    fn agrees(&self, other: &Completions, heaps: usize) -> bool {
        let side = self.side.min(other.side);
        (0..side.pow(heaps as u32)).all(|at| {
            let (mut i, mut j) = (0, 0);
            for h in (0..heaps as u32).rev() {
                let n = at / side.pow(h) % side;
                i = i * self.side + n;
                j = j * other.side + n;
            }
            self.members[i as usize] == other.members[j as usize]
        })
    }
}

/// The automaton that a box of `side` a side, a power of two, suggests; None if it is too small to tell.
///
/// # Complexity
/// O(states · 2^heaps) boxes of completions, each compared with those of all states.
pub(super) fn learn_set(
    lost: &[bool],
    side: u64,
    heaps: u8,
    meter: &mut Meter,
) -> Result<Option<Relation>, StopReason> {
    let count = usize::from(heaps);
    let (most, least) = SIDES[count - 1];
    let completions = |begun: &[u64], bits: u32| {
        let known = (side >> bits).min(most);
        let member = |at: u64| {
            let place = |i: usize| begun[i] + ((at / known.pow((count - 1 - i) as u32) % known) << bits);
            lost[(0..count).fold(0, |at, i| at * side + place(i)) as usize]
        };
        Completions { side: known, members: (0..known.pow(heaps.into())).map(member).collect() }
    };
    let start = completions(&vec![0; count], 0);
    let mut states = vec![start];
    let mut open = VecDeque::from([(vec![0u64; count], 0u32)]);
    let mut edges: Vec<Vec<Option<usize>>> = Vec::new();
    while let Some((begun, bits)) = open.pop_front() {
        let mut out = Vec::new();
        for letter in 0..1u64 << heaps {
            let next: Vec<u64> = begun.iter().enumerate().map(|(i, n)| n | (letter >> i & 1) << bits).collect();
            if side >> (bits + 1) < least {
                return Ok(None);
            }
            let then = completions(&next, bits + 1);
            meter.steps(4 * then.members.len() as u64)?;
            if !then.members.contains(&true) {
                out.push(None);
                continue;
            }
            let known = states.iter().position(|s| s.agrees(&then, count));
            meter.steps(8 * (known.unwrap_or(states.len()) as u64 + 1))?;
            out.push(Some(match known {
                Some(state) => state,
                None if states.len() == MOST_STATES => return Ok(None),
                None => {
                    meter.position()?;
                    meter.bytes(then.members.len() as u64 + 96)?;
                    states.push(then);
                    open.push_back((next, bits + 1));
                    states.len() - 1
                }
            }));
        }
        edges.push(out);
    }
    meter.release(states.iter().skip(1).map(|s| s.members.len() as u64 + 96).sum());
    let tracks: Vec<Track> = (0..heaps).collect();
    let follow = |state: &usize, letter: u32| edges[*state][letter as usize];
    Ok(Some(Relation::explore(&tracks, vec![0], follow, |s| states[*s].members[0], meter)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(heaps: u8, side: u64, member: impl Fn(&[u64]) -> bool) -> Option<usize> {
        let place = |at: u64, i: u8| at / side.pow(u32::from(heaps - 1 - i)) % side;
        let all = |side: u64| 0..side.pow(heaps.into());
        let lost: Vec<bool> =
            all(side).map(|at| member(&(0..heaps).map(|i| place(at, i)).collect::<Vec<_>>())).collect();
        let m = &mut Meter::unlimited();
        let set = learn_set(&lost, side, heaps, m).unwrap()?;
        for at in all(side) {
            let p: Vec<u64> = (0..heaps).map(|i| place(at, i) * 5 / 2).collect();
            assert_eq!(set.contains(&p.iter().map(|n| u128::from(*n)).collect::<Vec<_>>()), member(&p), "{p:?}");
        }
        Some(set.minimised(m).unwrap().states())
    }

    #[test]
    fn automatic_sets_are_learnt() {
        assert_eq!(states(1, 256, |p| p[0] % 4 == 1), Some(3));
        assert_eq!(states(2, 32, |p| p[0] == p[1]), Some(1));
        assert_eq!(states(3, 16, |p| p[0] ^ p[1] ^ p[2] == 0), Some(1));
        assert!(states(2, 256, |p| p[0] % 3 == p[1] % 3).is_some());
        assert!(states(2, 64, |p| p[0] <= p[1]).is_some());
        assert!(states(4, 8, |p| (0..8).all(|i| p.iter().filter(|n| **n >> i & 1 == 1).count() % 3 == 0)).is_some());
    }
}
