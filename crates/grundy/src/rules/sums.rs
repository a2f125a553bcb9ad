//! Sums that are never split: their values by definition, against the xor of the values of their parts.

use std::collections::HashMap;

use grundy_core::{notation::print_sum, theory::mex};

use super::{Halt, Law, Violation, walk::Walk};
use crate::{budget::Meter, play::Random};

/// Sums of each kind that are compared, and the most options that are looked at below one.
const COMPARED: usize = 16;
const MOST_OPTIONS: usize = 1 << 16;

/// The first splits met among which is chosen: those of small positions.
const SPLITS: usize = 64;

impl Walk<'_> {
    /// Compares random sums: options that are sums, and pairs of positions.
    pub(super) fn sums(&mut self, random: &mut Random, meter: &mut Meter) -> Result<(), Halt> {
        let done: Vec<u32> = (0..self.positions.len() as u32).filter(|i| self.value[*i as usize].is_some()).collect();
        let known = |o: &Vec<u32>| o.iter().all(|p| self.value[*p as usize].is_some());
        let mut sums: Vec<Vec<u32>> = Vec::new();
        let splits: Vec<&Vec<u32>> =
            self.options.iter().flatten().filter(|o| o.len() > 1 && known(o)).take(SPLITS).collect();
        if !splits.is_empty() {
            sums.extend((0..COMPARED).map(|_| splits[random.below(splits.len() as u64) as usize].clone()));
        }
        // small positions, since those below a pair are many
        let few = done.len().min(16) as u64;
        if few > 0 {
            let mut one = || done[random.below(few) as usize];
            sums.extend((0..COMPARED).map(|_| vec![one(), one()]));
        }
        for mut sum in sums {
            sum.sort_unstable();
            let Some(value) = self.unsplit(&sum, meter)? else { continue };
            self.count(Law::Sums);
            let by_xor = sum.iter().fold(0, |x, p| x ^ self.value[*p as usize].unwrap_or_default());
            if value != by_xor {
                let parts: Vec<_> = sum.iter().map(|p| self.positions[*p as usize].clone()).collect();
                let what = format!("its value is {value} when it is not split, and {by_xor} by the parts");
                let position = print_sum(&parts);
                return Err(Halt::Violated(Violation { law: Law::Sums, position, what, cycle: Vec::new() }));
            }
        }
        Ok(())
    }

    /// The value of a sum by definition, over all sums below it; None if these are too many.
    fn unsplit(&self, goal: &[u32], meter: &mut Meter) -> Result<Option<u64>, Halt> {
        let mut known: HashMap<Vec<u32>, u64> = HashMap::new();
        let mut stack = vec![goal.to_vec()];
        let mut listed = 0;
        while let Some(top) = stack.last() {
            if known.contains_key(top) {
                stack.pop();
                continue;
            }
            let mut options: Vec<Vec<u32>> = Vec::new();
            for i in 0..top.len() {
                for option in &self.options[top[i] as usize] {
                    let mut sum: Vec<u32> = top[..i].iter().chain(&top[i + 1..]).chain(option).copied().collect();
                    sum.sort_unstable();
                    options.push(sum);
                }
            }
            meter.steps(200 * options.len() as u64 + 100)?;
            listed += options.len();
            if listed > MOST_OPTIONS {
                return Ok(None);
            }
            let unknown: Vec<Vec<u32>> = options.iter().filter(|o| !known.contains_key(*o)).cloned().collect();
            match unknown.is_empty() {
                true => {
                    let value = mex(options.iter().map(|o| known[o]));
                    if let Some(top) = stack.pop() {
                        known.insert(top, value);
                    }
                }
                false => stack.extend(unknown),
            }
        }
        Ok(known.get(goal).copied())
    }
}
