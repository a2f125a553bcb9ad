//! Nim with a limit by the move before: the first move takes less than the whole heap, every other one at most k times what the one
//! before it took.
//!
//! # The lost openings
//!
//! Let H1 = 1, and H(m + 1) = Hm + Hj with the least j for which k Hj >= Hm (`[Sch70]`). For k = 1 these are the powers of 2, for
//! k = 2 the Fibonacci numbers. A sum of these numbers is *spaced* if each part is more than k times the next smaller one.
//!
//! *A spaced sum whose largest part is Hm is less than H(m + 1).* Its next part Hl has k Hl < Hm, so l < j for the j of Hm, and by
//! induction all that follows Hm is less than H(l + 1) <= Hj. *Every n > 0 is one spaced sum.* Take the largest Hm up to n; the rest is
//! below H(m + 1) - Hm = Hj, so its parts are smaller than Hj and less than Hm / k. No other choice of Hm is possible, by the bound.
//!
//! *A heap n of which up to q may be taken is won exactly if q is at least the smallest part of n.* If it is, take that part, x: all
//! parts of what is left are larger than k x, so by induction the answer loses. Now let q be smaller than the smallest part Hi, and let
//! x <= q be taken. The parts of n - x are those of n above Hi and those of Hi - x, which are below Hi. Let Hs be the smallest one. If
//! k x were less than Hs, the parts of x and those of Hi - x together would be a spaced sum for Hi with parts below Hi, against the
//! bound. So k x >= Hs, and the answer wins.
//!
//! So the first player, who may take up to n - 1, loses exactly the heaps Hm, and else his smallest winning move takes the smallest part
//! of n: after fewer than that his opponent wins, and a move that takes it wins.

use super::{Case, Ruling};
use crate::{budget::Meter, judge::error::Fault};

/// Most lost openings that are listed: about k log n of them lie below n.
const MOST: usize = 1 << 26;

/// The lost openings of the k that was asked for last.
#[derive(Debug, Default)]
pub(super) struct Openings {
    k: u64,
    lost: Vec<u64>,
    /// The index of the one that was added last.
    added: usize,
    /// Bytes that the meter knows of.
    counted: u64,
}

impl Openings {
    /// The heap `n` with the factor `k`; a winning move is the smallest one.
    ///
    /// # Complexity
    /// O(lost openings up to n), once for a k; 8 bytes each. O(log n) where they are known.
    ///
    /// # Sources
    /// `[Sch70]`
    pub fn ruling(&mut self, case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
        let (n, k) = (case.number("n")?, case.number("k")?);
        if n == 0 {
            return Err(case.fault("n", 0, "a heap of 0 has no first move: n is 1 or more"));
        }
        if k == 0 {
            return Err(case.fault("k", 0, "0 times the move before allows nothing: k is 1 or more"));
        }
        // whatever is taken first, the rest may be taken then
        if n - 1 <= k {
            return Ok(Ruling::of_winner(false));
        }
        self.reach(n, k, case, meter)?;
        let mut rest = n;
        loop {
            // 1 is lost, so there is a largest one up to the rest
            let largest = self.lost[self.lost.partition_point(|h| *h <= rest).saturating_sub(1)];
            rest -= largest;
            if rest == 0 {
                let won = largest < n;
                return Ok(Ruling { won, value: None, take: won.then_some(largest) });
            }
        }
    }

    /// Lists the lost openings beyond n.
    fn reach(&mut self, n: u64, k: u64, case: &Case<'_>, meter: &mut Meter) -> Result<(), Fault> {
        if self.k != k {
            meter.release(self.counted);
            *self = Openings { k, lost: vec![1], added: 0, counted: 0 };
        }
        loop {
            let last = self.lost[self.lost.len() - 1];
            if last > n {
                return Ok(());
            }
            while u128::from(k) * u128::from(self.lost[self.added]) < u128::from(last) {
                self.added += 1;
            }
            if self.lost.len().is_multiple_of(1024) {
                if self.lost.len() >= MOST {
                    let message = format!("there are more than {MOST} lost openings up to this heap");
                    return Err(case.fault("n", 0, message));
                }
                meter.bytes(8 * 1024)?;
                self.counted += 8 * 1024;
                meter.steps(4 * 1024)?;
            }
            // both are at most n, a number that was read, so at most 2^63
            self.lost.push(last.saturating_add(self.lost[self.added]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use crate::{
        Budget,
        judge::{MoveFormat, Print, Problem, Program, Special},
    };

    fn moves(input: &str) -> String {
        let moves = MoveFormat { lost: "lose".into(), each: "{take}".into(), ..MoveFormat::default() };
        let layout = "T{ n k }".into();
        let problem =
            Problem { special: Some(Special::KNim), layout, print: Print::Moves, moves, ..Problem::default() };
        let mut out = Vec::new();
        Program::new(&problem).unwrap().run(input.as_bytes(), &mut out, &Budget::default()).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The least amount that wins from n with any limit at all: a larger limit keeps the moves.
    fn smallest_winning(most: usize, k: usize) -> Vec<usize> {
        let mut least = vec![usize::MAX];
        for n in 1..=most {
            // after x the answer needs least[n - x], and may take k x
            least.push((1..=n).find(|x| k * x < least[n - x]).unwrap_or(usize::MAX));
        }
        least
    }

    #[test]
    fn all_first_moves_agree() {
        for k in 1..=9 {
            let least = smallest_winning(300, k);
            let input: String = (1..=300).map(|n| format!("{n} {k}\n")).collect();
            let got = moves(&format!("300\n{input}"));
            for (n, line) in (1..=300).zip(got.lines()) {
                let expected = if least[n] < n { least[n].to_string() } else { "lose".into() };
                assert_eq!(line, expected, "{n} {k}");
            }
        }
    }

    #[test]
    fn far_heaps() {
        // powers of 2, Fibonacci numbers, and what k allows at once
        let input = "6\n4611686018427387904 1\n4611686018427387905 1\n7540113804746346429 2\n7540113804746346430 2\n9 8\n10 8\n";
        assert_eq!(moves(input), "lose\n1\nlose\n1\nlose\n1\n");
    }

    #[test]
    fn faults_have_a_place() {
        let expected = "second\ncase 2: line 3, column 3: 0 times the move before allows nothing: k is 1 or more";
        assert_eq!(run(Special::KNim, "T{ n k }", "2\n4 1\n5 0\n"), expected);
        assert!(run(Special::KNim, "T{ n k }", "1\n0 1\n").starts_with("case 1: line 2, column 1: a heap of 0"));
    }
}
