//! Linear arithmetic as automata.

use super::automaton::{Automaton, Effort, Letter, Stop, letters};
use crate::rulesets::heap::Comparison;

/// A sum of numbers times coefficients, and a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub terms: Vec<(i128, Letter)>,
    pub constant: i128,
}

impl Sum {
    pub(super) fn of(terms: &[(i128, Letter)], constant: i128) -> Self {
        Sum { terms: terms.to_vec(), constant }
    }

    fn tracks(&self) -> Letter {
        self.terms.iter().fold(0, |all, (_, track)| all | track)
    }

    /// The constant and the coefficients of the numbers whose bit is set; None on overflow.
    fn at(&self, letter: Letter, constant: i128) -> Option<i128> {
        let set = self.terms.iter().filter(|(_, track)| letter & track != 0);
        set.map(|(c, _)| *c).try_fold(constant, i128::checked_add)
    }

    /// `sum ? 0`, deterministic.
    ///
    /// After i bits the sum of what was read is c · 2^i and a remainder below 2^i: a state is c, and whether the remainder is
    /// positive. The sign of the sum is that of c, and of the remainder if c = 0. There are about as many states as the
    /// coefficients add up to.
    pub(super) fn compare(&self, sign: Comparison, effort: &mut Effort) -> Result<Automaton, Stop> {
        let tracks = self.tracks();
        let mut made = Automaton::explore(
            tracks,
            [(self.constant, false)],
            effort,
            |(c, more), found| {
                for letter in letters(tracks) {
                    let sum = self.at(letter, *c).ok_or(Stop::Overflow)?;
                    found.push((letter, (sum >> 1, *more || sum & 1 == 1)));
                }
                Ok(())
            },
            |(c, more)| sign.holds(if *c == 0 { more.cmp(&false) } else { c.cmp(&0) }),
        )?;
        made.tidy(effort)?;
        Ok(made)
    }

    /// `sum mod m = r`, deterministic: a state is the sum of what was read and the weight of the next bit, modulo m.
    pub(super) fn residue(&self, m: u64, r: u64, effort: &mut Effort) -> Result<Automaton, Stop> {
        let tracks = self.tracks();
        let m = i128::from(m.max(1));
        let small = Sum {
            terms: self.terms.iter().map(|(c, track)| (c.rem_euclid(m), *track)).collect(),
            constant: self.constant.rem_euclid(m),
        };
        let mut made = Automaton::explore(
            tracks,
            [(small.constant, 1 % m)],
            effort,
            |(sum, weight), found| {
                for letter in letters(tracks) {
                    let added = small.at(letter, 0).and_then(|added| (added % m).checked_mul(*weight));
                    found.push((letter, ((sum + added.ok_or(Stop::Overflow)?) % m, weight * 2 % m)));
                }
                Ok(())
            },
            |(sum, _)| *sum == i128::from(r),
        )?;
        made.tidy(effort)?;
        Ok(made)
    }
}

/// Whether the numbers on these tracks are not all the same.
pub(super) fn not_all_equal(tracks: Letter) -> Automaton {
    let edges = [false, true]
        .map(|differ| letters(tracks).map(|l| (l, u32::from(differ || (l != 0 && l != tracks)))).collect::<Vec<_>>());
    Automaton { tracks, start: vec![0], edges: edges.into(), accept: vec![false, true] }
}

/// `t` is the nim-sum of the other numbers.
pub(super) fn nim_sum(others: Letter, t: Letter) -> Automaton {
    let odd = |l: Letter| if l.count_ones() % 2 == 1 { t } else { 0 };
    let edges = letters(others).map(|l| (l | odd(l), 0)).collect();
    Automaton { tracks: others | t, start: vec![0], edges: vec![edges], accept: vec![true] }
}

/// `k` is 1, b, b^2, … with b = 2^e: a single bit that is set, at a multiple of e.
pub(super) fn powers_of_two(e: u32, k: Letter) -> Automaton {
    // states 0, …, e - 1 count the bits read modulo e; state e has met the one
    let mut edges: Vec<Vec<(Letter, u32)>> = (0..e).map(|i| vec![(0, (i + 1) % e)]).collect();
    edges[0].push((k, e));
    edges.push(vec![(0, e)]);
    let accept = (0..=e).map(|i| i == e).collect();
    Automaton { tracks: k, start: vec![0], edges, accept }
}
