//! The values of all sets of j coins, for each j up to a bound, as bit sets.

use grundy_core::theory::nim::xor_bits;

use crate::budget::{Meter, StopReason};

/// Grows by one coin after another; the option values of the next coin are those of the levels `first ..`.
#[derive(Debug)]
pub(super) struct Levels {
    /// Bit v of set j: some j coins have the xor v; the last set may stand for that many coins or more.
    sets: Vec<Vec<u64>>,
    first: usize,
    open: bool,
    /// The mex so far: options are never lost, so that it never falls.
    at: u64,
}

impl Levels {
    /// For sets of `least ..= most` coins beside the one turned down; without a bound if `most` is None.
    pub fn new(least: usize, most: Option<usize>) -> Self {
        let mut sets = vec![vec![0]; most.unwrap_or(least) + 1];
        sets[0][0] = 1;
        Levels { sets, first: least, open: most.is_none(), at: 0 }
    }

    /// The value of the next coin.
    ///
    /// # Complexity
    /// O(levels x largest value / 64) in all, beside the coins added.
    pub fn value(&mut self) -> u64 {
        let words = self.sets[0].len() as u64;
        while self.at < 64 * words {
            let word = (self.at / 64) as usize;
            let seen = self.sets[self.first..].iter().fold(0, |all, set| all | set[word]) | ((1 << (self.at % 64)) - 1);
            if seen != u64::MAX {
                self.at = 64 * word as u64 + u64::from(seen.trailing_ones());
                return self.at;
            }
            self.at = 64 * (word as u64 + 1);
        }
        self.at
    }

    /// Adds a coin of that value.
    ///
    /// # Complexity
    /// O(levels x range / 64), where the range is the power of 2 above the largest value.
    ///
    /// # Errors
    /// The meter's stop; nothing was added.
    pub fn add(&mut self, value: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let words = self.sets[0].len();
        let needed = ((value / 64 + 1) as usize).next_power_of_two();
        if needed > words {
            meter.bytes(8 * (needed - words) as u64 * self.sets.len() as u64)?;
            for set in &mut self.sets {
                set.resize(needed, 0);
            }
        }
        meter.steps((self.sets.len() * self.sets[0].len()) as u64)?;
        let top = self.sets.len() - 1;
        if self.open {
            or_translated_self(&mut self.sets[top], value);
        }
        for j in (0..top).rev() {
            let (below, above) = self.sets.split_at_mut(j + 1);
            or_translated(&mut above[0], &below[j], value);
        }
        Ok(())
    }
}

/// into |= {v xor by : v of from}.
fn or_translated(into: &mut [u64], from: &[u64], by: u64) {
    let high = (by / 64) as usize;
    for (w, word) in from.iter().enumerate() {
        into[w ^ high] |= xor_bits(*word, by);
    }
}

/// set |= {v xor by : v of set}.
fn or_translated_self(set: &mut [u64], by: u64) {
    let high = (by / 64) as usize;
    for w in 0..set.len() {
        if w <= w ^ high {
            let (a, b) = (set[w], set[w ^ high]);
            set[w] |= xor_bits(b, by);
            set[w ^ high] |= xor_bits(a, by);
        }
    }
}
