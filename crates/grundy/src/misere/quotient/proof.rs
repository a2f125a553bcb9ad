//! The proof that a monoid is the quotient of all sums of heaps up to a size, or the least word on which it fails.
//!
//! A reduced monoid with a set P is the misère quotient if P has the properties of the lost positions: the identity is not in P; a
//! word in P has no option in P; a word with a move that is not in P has an option in P. The second is a finite test. The third speaks
//! of all words; for a word w let K(w) be the elements y outside P with `y w` outside P for w and for all of its options. A word fails
//! if the identity is in K(w), and K(w h) follows from K(w). Words of the same value with smaller K fail where others do, so that
//! finitely many are looked at.

use rustc_hash::FxHashMap;

use super::{
    bits::Bits,
    monoid::{Monoid, Options, Rows},
    word::Word,
};
use crate::budget::{Meter, StopReason};

/// The words that were looked at: what shows that there is no other.
#[derive(Debug)]
pub(super) struct Proof {
    /// The rows of the values of heaps.
    pub rows: Rows,
    states: Vec<State>,
    by_value: FxHashMap<u32, Vec<usize>>,
}

#[derive(Debug)]
struct State {
    value: u32,
    failing: Bits,
    word: Word,
}

impl State {
    fn bytes(&self) -> u64 {
        (self.failing.bytes() + 16 * self.word.0.len() + 96) as u64
    }
}

/// The elements that lead to no lost position by an option of these values.
pub(super) fn harmless(monoid: &Monoid, options: &[u32], rows: &Rows) -> Bits {
    let mut harmless = Bits::of(monoid.order, |_| true);
    for v in options {
        let lost = |row: &Vec<u32>| Bits::of(monoid.order, |y| !monoid.lost.has(row[y] as usize));
        harmless.keep(&rows.get(v).map_or_else(|| lost(&monoid.row(*v)), lost));
    }
    harmless
}

impl Proof {
    /// Proves that the monoid is right for these heaps, or gives the least word of which it is wrong.
    ///
    /// # Errors
    /// The stop of a limit.
    pub fn of(monoid: &Monoid, options: &Options, meter: &mut Meter) -> Result<Result<Proof, Word>, StopReason> {
        let mut proof = Proof { rows: monoid.rows(), states: Vec::new(), by_value: FxHashMap::default() };
        let mut harmless_of = vec![Bits::new(monoid.order)];
        for all in &options[1..] {
            let values = monoid.option_values(all, &proof.rows);
            meter.steps((values.len() * monoid.order) as u64)?;
            harmless_of.push(harmless(monoid, &values, &proof.rows));
        }
        let moving = || (1..options.len()).filter(|heap| !options[*heap].is_empty());
        // a word of P with an option in P
        let mut bound: Option<Word> = None;
        for heap in moving() {
            let row = &proof.rows[&monoid.values[heap]];
            let fails = |x: &usize| monoid.lost.has(row[*x] as usize) && !harmless_of[heap].has(*x);
            if let Some(x) = (0..monoid.order).find(fails) {
                let word = monoid.word(x as u32).times(heap);
                if bound.as_ref().is_none_or(|b| word < *b) {
                    bound = Some(word);
                }
            }
        }
        // a word outside P without an option in P; of heaps of equal value those whose options do no less are enough
        let mut letters: Vec<usize> = Vec::new();
        for heap in moving() {
            let stands_for =
                |g: &usize| monoid.values[*g] == monoid.values[heap] && harmless_of[heap].is_within(&harmless_of[*g]);
            if !letters.iter().any(stands_for) {
                letters.push(heap);
            }
        }
        let won = Bits::of(monoid.order, |y| !monoid.lost.has(y));
        proof.push(State { value: 0, failing: won, word: Word::default() });
        let mut known = proof.rows.clone();
        for heap in letters {
            let failing = proof.explore(monoid, &mut known, heap, &harmless_of[heap], bound.as_ref(), meter);
            if !matches!(failing, Ok(None)) {
                proof.forget(meter);
                return Ok(Err(failing?.unwrap_or_default()));
            }
        }
        if let Some(word) = bound {
            proof.forget(meter);
            return Ok(Err(word));
        }
        Ok(Ok(proof))
    }

    /// Gives the memory back.
    pub fn forget(&self, meter: &mut Meter) {
        meter.release(self.states.iter().map(State::bytes).sum());
    }

    /// Whether a word of this value fails only where one that was looked at does.
    pub fn is_covered(&self, value: u32, failing: &Bits) -> bool {
        let all = self.by_value.get(&value);
        all.is_some_and(|all| all.iter().any(|i| failing.is_within(&self.states[*i].failing)))
    }

    fn push(&mut self, state: State) {
        self.by_value.entry(state.value).or_default().push(self.states.len());
        self.states.push(state);
    }

    /// The words with this heap as their largest, in their order, below the bound; the first that fails.
    fn explore(
        &mut self,
        monoid: &Monoid,
        known: &mut Rows,
        heap: usize,
        harmless: &Bits,
        bound: Option<&Word>,
        meter: &mut Meter,
    ) -> Result<Option<Word>, StopReason> {
        let order = monoid.order;
        let row = self.rows[&monoid.values[heap]].clone();
        let mut harmless_after: FxHashMap<u32, Bits> = FxHashMap::default();
        let mut round = 0..self.states.len();
        while !round.is_empty() {
            let end = self.states.len();
            for i in round {
                let State { value, failing, word } = &self.states[i];
                meter.steps(order as u64)?;
                let mut next = Bits::of(order, |y| failing.has(row[y] as usize));
                if !next.is_empty() {
                    let after = harmless_after.entry(*value).or_insert_with(|| {
                        let row = known.entry(*value).or_insert_with(|| monoid.row(*value));
                        Bits::of(order, |y| harmless.has(row[y] as usize))
                    });
                    next.keep(after);
                }
                let value = row[*value as usize];
                if next.is_empty() || !next.has(0) && self.is_covered(value, &next) {
                    continue;
                }
                let word = word.times(heap);
                if bound.is_some_and(|bound| word >= *bound) {
                    return Ok(None);
                }
                if next.has(0) {
                    return Ok(Some(word));
                }
                let state = State { value, failing: next, word };
                meter.bytes(state.bytes())?;
                self.push(state);
            }
            round = end..self.states.len();
        }
        Ok(None)
    }
}
