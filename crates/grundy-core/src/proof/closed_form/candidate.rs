//! What a closed form may look like.

use super::{
    ClosedFormError,
    automaton::{Automaton, Effort, Letter, Stop},
};
use crate::{rulesets::heap::ValueForm, theory::Periodicity};

/// A function g given finitely, claimed to be the Grundy value of every heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Candidate {
    /// g(n + period) = g(n) + saltus from the preperiod on. That period and preperiod are the least is not claimed.
    Periodic {
        /// From here on the equation holds.
        preperiod: u64,
        /// The period, at least 1.
        period: u64,
        /// The increase from one period to the next.
        saltus: u64,
        /// g(0), …, g(preperiod + period - 1).
        values: Vec<u64>,
    },
    /// A complete automaton with start 0 that reads n and v in binary, least significant bit first and in parallel, and
    /// accepts if v = g(n); both numbers may be followed by zeros.
    Automaton {
        /// For every state the next one after each letter: bit of n + 2 · bit of v.
        next: Vec<[u32; 4]>,
        /// Whether what was read is a pair of the relation.
        accept: Vec<bool>,
    },
}

impl Candidate {
    /// g(n); None if it is not defined, or does not fit in 64 bits.
    ///
    /// # Complexity
    /// O(1) for a period; the number of states for every bit of n and g(n) for an automaton.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::proof::Candidate;
    /// let lasker = Candidate::Periodic { preperiod: 1, period: 4, saltus: 4, values: vec![0, 1, 2, 4, 3] };
    /// assert_eq!(lasker.value(2147483647), Some(2147483648));
    /// // v = n: the letters 0 and 3
    /// let nim = Candidate::Automaton { next: vec![[0, 1, 1, 0], [1; 4]], accept: vec![true, false] };
    /// assert_eq!(nim.value(u64::MAX), Some(u64::MAX));
    /// ```
    pub fn value(&self, n: u64) -> Option<u64> {
        match self {
            Candidate::Periodic { preperiod, period, saltus, values } => {
                let form = Periodicity { preperiod: *preperiod, period: *period, saltus: *saltus };
                if *period == 0 { None } else { form.value(values, n) }
            }
            Candidate::Automaton { next, accept } => by_automaton(next, accept, n),
        }
    }

    /// Checks what needs no rule: that the numbers of values and states are right, and every state exists.
    pub(super) fn check_shape(&self) -> Result<(), ClosedFormError> {
        let fail = |reason: &str| Err(ClosedFormError::Malformed(reason.into()));
        match self {
            Candidate::Periodic { period: 0, .. } => fail("a period is at least 1"),
            Candidate::Periodic { preperiod, period, values, .. } => {
                match preperiod.checked_add(*period) == Some(values.len() as u64) {
                    true => Ok(()),
                    false => fail("the values are not those of preperiod and one period"),
                }
            }
            Candidate::Automaton { next, accept } => {
                if next.is_empty() || next.len() != accept.len() {
                    return fail("every state, one at least, must say where it leads and whether it accepts");
                }
                if next.iter().flatten().any(|t| *t as usize >= next.len()) {
                    return fail("a state leads to one that does not exist");
                }
                if (0..next.len()).any(|q| accept[q] != accept[next[q][0] as usize]) {
                    return fail("zeros after the numbers change what is accepted");
                }
                Ok(())
            }
        }
    }
}

impl Candidate {
    /// The pairs n, g(n) on two tracks, of a candidate whose shape was checked.
    ///
    /// n = i + p q and g(n) = g(i) + s q with some q, whose bits are guessed: a state is what is carried on either side, first
    /// i and g(i), and whether q may be anything (from the preperiod on) or is 0. There are about as many states as values, and
    /// p + s more.
    pub(super) fn relation(&self, n: Letter, v: Letter, effort: &mut Effort) -> Result<Automaton, Stop> {
        let mut relation = match self {
            Candidate::Periodic { preperiod, period, saltus, values } => {
                let start = (0..).zip(values).map(|(i, g)| (u128::from(i), u128::from(*g), i >= *preperiod));
                let (p, s) = (u128::from(*period), u128::from(*saltus));
                Automaton::explore(
                    n | v,
                    start,
                    effort,
                    |(i, g, repeats), found| {
                        for q in 0..=u128::from(*repeats) {
                            let (i, g) = (i + q * p, g + q * s);
                            let letter = ((i & 1) as Letter * n) | ((g & 1) as Letter * v);
                            found.push((letter, (i >> 1, g >> 1, *repeats)));
                        }
                        Ok(())
                    },
                    |(i, g, _)| *i == 0 && *g == 0,
                )?
            }
            Candidate::Automaton { next, accept } => Automaton::explore(
                n | v,
                [0],
                effort,
                |q: &u32, found| {
                    let letters = [0, n, v, n | v];
                    found.extend(letters.into_iter().zip(next[*q as usize]));
                    Ok(())
                },
                |q| accept[*q as usize],
            )?,
        };
        relation.tidy(effort)?;
        Ok(relation)
    }
}

impl ValueForm for Candidate {
    fn value(&self, n: u64) -> Option<u64> {
        Candidate::value(self, n)
    }

    /// O(states) for every bit, and O(1) for every bit of a heap found; None of a period, which
    /// [`HeapValues::Periodic`](crate::rulesets::heap::HeapValues::Periodic) tells better.
    fn heaps_of(&self, target: u64, last: u64, most: usize) -> Option<Vec<u64>> {
        match self {
            Candidate::Periodic { .. } => None,
            Candidate::Automaton { next, accept } => preimage(next, accept, target, last, most),
        }
    }
}

/// All n up to `last` that are accepted together with v, ascending, if there are at most `most`.
///
/// Read from the lowest bits on, a state goes with whether the bits of n read are above those of `last`. First the states
/// from which the other bits of v can lead to acceptance, from the last bit to the first; then every way along them.
fn preimage(next: &[[u32; 4]], accept: &[bool], v: u64, last: u64, most: usize) -> Option<Vec<u64>> {
    let step = |bit: usize, (q, above): (usize, bool), n: u64| {
        let above = if n == last >> bit & 1 { above } else { n == 1 };
        (next[q][(n | (v >> bit & 1) << 1) as usize] as usize, above)
    };
    // alive[bit][q][above]
    let mut alive = vec![accept.iter().map(|a| [*a, false]).collect::<Vec<_>>()];
    for bit in (0..64).rev() {
        let then = &alive[alive.len() - 1];
        let lives = |from: (usize, bool)| {
            (0..2).any(|n| {
                let (q, above) = step(bit, from, n);
                then[q][usize::from(above)]
            })
        };
        alive.push((0..next.len()).map(|q| [lives((q, false)), lives((q, true))]).collect());
    }
    alive.reverse();
    let mut ways = vec![((0, false), 0u64)];
    ways.retain(|((q, _), _)| alive[0][*q][0]);
    for (bit, then) in alive[1..].iter().enumerate() {
        let longer = |((from, n), digit): ((_, u64), u64)| {
            let to: (usize, bool) = step(bit, from, digit);
            then[to.0][usize::from(to.1)].then_some((to, n | digit << bit))
        };
        ways = ways.into_iter().flat_map(|way| [(way, 0), (way, 1)]).filter_map(longer).collect();
        // each way ends with a heap of its own
        if ways.len() > most {
            return None;
        }
    }
    let mut heaps: Vec<u64> = ways.into_iter().map(|(_, n)| n).collect();
    heaps.sort_unstable();
    Some(heaps)
}

/// The v that leads to acceptance together with n. A state is kept with the first v that reached it: if another one did,
/// and acceptance lay behind, n would have two values.
fn by_automaton(next: &[[u32; 4]], accept: &[bool], n: u64) -> Option<u64> {
    let mut reached: Vec<(u32, u64)> = vec![(0, 0)];
    for bit in 0..64 {
        if n >> bit == 0
            && let Some((_, v)) = reached.iter().find(|(q, _)| accept.get(*q as usize) == Some(&true))
        {
            return Some(*v);
        }
        let mut seen = vec![false; next.len()];
        let mut then = Vec::new();
        for (q, v) in reached {
            for b in 0..2 {
                let to = next.get(q as usize)?[((n >> bit & 1) + 2 * b) as usize];
                if !std::mem::replace(seen.get_mut(to as usize)?, true) {
                    then.push((to, v | b << bit));
                }
            }
        }
        reached = then;
    }
    reached.into_iter().find(|(q, _)| accept.get(*q as usize) == Some(&true)).map(|(_, v)| v)
}
