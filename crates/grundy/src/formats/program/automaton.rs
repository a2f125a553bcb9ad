//! Automata that read a number and its value side by side.

/// A complete deterministic automaton on pairs (n, v), which accepts exactly if v is the value of n.
///
/// Both are read in binary, the lowest digits first; the letter is the digit of n plus twice that of v. Zeros at the end change
/// nothing, and no n has two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    transitions: Vec<[Option<usize>; 4]>,
    accepting: Vec<bool>,
    longer: u32,
}

/// Most digits by which a value may be longer than its n.
const MOST_LONGER: u32 = 60;

impl Automaton {
    /// The automaton with start 0, transitions\[place\]\[letter\] and accepting places, reduced to what lies on a way from the
    /// start to acceptance.
    ///
    /// None if the lists differ in length, a transition leads nowhere, nothing is accepted, some n has two values because a
    /// value can be prolonged without end, or a value is more than 60 digits longer than its n.
    ///
    /// # Complexity
    /// Time O(s^2) at worst for s states.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::program::Automaton;
    /// // v = n: both digits equal, for ever
    /// let same = Automaton::new(&[[0, 1, 1, 0], [1, 1, 1, 1]], &[true, false]).unwrap();
    /// assert_eq!((same.value(25), same.transitions().len()), (Some(25), 1));
    /// ```
    pub fn new(transitions: &[[usize; 4]], accepting: &[bool]) -> Option<Automaton> {
        let count = transitions.len();
        if accepting.len() != count || transitions.iter().flatten().any(|t| *t >= count) {
            return None;
        }
        let mut is_live = accepting.to_vec();
        loop {
            let more = |i: &usize| !is_live[*i] && transitions[*i].iter().any(|t| is_live[*t]);
            let Some(i) = (0..count).find(more) else { break };
            is_live[i] = true;
        }
        if !*is_live.first()? {
            return None;
        }
        // numbered in the order in which they are met
        let mut place = vec![None; count];
        let mut order = vec![0];
        place[0] = Some(0);
        let mut kept = Vec::new();
        while let Some(i) = order.get(kept.len()).copied() {
            let row = transitions[i].map(|t| {
                if !is_live[t] {
                    return None;
                }
                let at = *place[t].get_or_insert_with(|| {
                    order.push(t);
                    order.len() - 1
                });
                Some(at)
            });
            kept.push(row);
        }
        let accepting: Vec<bool> = order.iter().map(|i| accepting[*i]).collect();
        let longer = longest_rest(&kept, &accepting)?;
        Some(Automaton { transitions: kept, accepting, longer })
    }

    /// Where each letter leads from each place; None where nothing can be accepted any more.
    pub fn transitions(&self) -> &[[Option<usize>; 4]] {
        &self.transitions
    }

    /// Where a pair may end.
    pub fn accepting(&self) -> &[bool] {
        &self.accepting
    }

    /// Most digits that a value has beyond those of its n.
    pub fn longer(&self) -> u32 {
        self.longer
    }

    /// The value of n; None if it has none.
    ///
    /// All beginnings of values that may still be right are kept, at most one a place: two that meet in a place would be two
    /// values of one number.
    ///
    /// # Complexity
    /// Time O(b s) for b binary digits and s places.
    pub fn value(&self, n: u64) -> Option<u128> {
        let mut reached = vec![None; self.transitions.len()];
        *reached.first_mut()? = Some(0u128);
        for i in 0..u64::BITS - n.leading_zeros() + self.longer {
            let digit = n.checked_shr(i).unwrap_or(0) as usize & 1;
            let mut next = vec![None; reached.len()];
            for (row, v) in self.transitions.iter().zip(&reached) {
                let Some(v) = v else { continue };
                for b in 0..2 {
                    if let Some(t) = row[digit + 2 * b] {
                        next[t] = Some(v | (b as u128) << i);
                    }
                }
            }
            reached = next;
        }
        reached.iter().zip(&self.accepting).find_map(|(v, a)| v.filter(|_| *a))
    }
}

/// The greatest number of letters (0, b), the last with b = 1, that lead to acceptance; None if there is no greatest one.
fn longest_rest(transitions: &[[Option<usize>; 4]], accepting: &[bool]) -> Option<u32> {
    let step = |from: &[bool], both: bool| -> Vec<bool> {
        let reaches =
            |row: &[Option<usize>; 4]| row[2].is_some_and(|t| from[t]) || (both && row[0].is_some_and(|t| from[t]));
        transitions.iter().map(reaches).collect()
    };
    // those from which one digit 1 ends a value, then those one digit before, …
    let mut ends = step(accepting, false);
    let mut longest = 0;
    while ends.iter().any(|e| *e) {
        longest += 1;
        if longest > MOST_LONGER {
            return None;
        }
        ends = step(&ends, true);
    }
    Some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_function_is_refused() {
        assert_eq!(Automaton::new(&[], &[]), None);
        assert_eq!(Automaton::new(&[[0, 0, 0, 0]], &[false]), None);
        assert_eq!(Automaton::new(&[[0, 0, 0, 1]], &[true]), None);
        // every v is accepted
        assert_eq!(Automaton::new(&[[0, 0, 0, 0]], &[true]), None);
    }

    #[test]
    fn values_longer_than_their_number() {
        // v = 2n: the place is the digit of n that was read last
        let double = Automaton::new(&[[0, 1, 2, 2], [2, 2, 0, 1], [2, 2, 2, 2]], &[true, false, false]).unwrap();
        assert_eq!(double.longer(), 1);
        for n in [0, 1, 5, 1000, u64::MAX] {
            assert_eq!(double.value(n), Some(2 * u128::from(n)));
        }
    }
}
