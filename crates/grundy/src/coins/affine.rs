//! Affine subspaces over GF(2): the least number outside their union, and solutions of linear equations.

use crate::budget::{Meter, StopReason};

/// offset + span of the basis, whose members have distinct highest bits.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    offset: u64,
    /// Descending.
    basis: Vec<u64>,
}

impl Affine {
    /// One number.
    pub fn point(offset: u64) -> Self {
        Affine { offset, basis: Vec::new() }
    }

    /// Adds a generator.
    pub fn generate(&mut self, mut by: u64) {
        for b in &self.basis {
            by = by.min(by ^ b);
        }
        if by > 0 {
            let at = self.basis.partition_point(|b| *b > by);
            self.basis.insert(at, by);
        }
    }
}

/// The least number in none of the subspaces; None if they hold all numbers of 64 bits.
///
/// Bits are fixed from the highest down, 0 before 1. A subspace with a basis member of that highest bit goes on in both
/// branches, another only in that of its offset; a branch is covered once one subspace fills it, and free once none is left.
///
/// # Complexity
/// O(subspaces) for each branch entered; a branch that one subspace fills is never entered.
///
/// # Errors
/// The meter's stop.
pub(super) fn mex_of_union(spaces: &[Affine], meter: &mut Meter) -> Result<Option<u64>, StopReason> {
    let widest = spaces.iter().map(|s| s.offset | s.basis.first().copied().unwrap_or(0)).max().unwrap_or(0);
    let bits = u64::BITS - widest.leading_zeros();
    let alive: Vec<(u64, &[u64])> = spaces.iter().map(|s| (s.offset, &s.basis[..])).collect();
    match free(&alive, bits, meter)? {
        Some(found) => Ok(Some(found)),
        None => Ok(1u64.checked_shl(bits)),
    }
}

/// The least number below 2^bits in none of the subspaces, of which only those bits are looked at.
fn free(alive: &[(u64, &[u64])], bits: u32, meter: &mut Meter) -> Result<Option<u64>, StopReason> {
    meter.steps(4 * alive.len() as u64 + 8)?;
    if alive.is_empty() {
        return Ok(Some(0));
    }
    if alive.iter().any(|(_, basis)| basis.len() as u32 == bits) {
        return Ok(None);
    }
    let top = bits - 1;
    for branch in 0..2u64 {
        let next: Vec<(u64, &[u64])> = alive
            .iter()
            .filter_map(|(offset, basis)| {
                let agrees = offset >> top & 1 == branch;
                match basis.first() {
                    Some(b) if b >> top & 1 == 1 => Some((if agrees { *offset } else { offset ^ b }, &basis[1..])),
                    _ => agrees.then_some((*offset, *basis)),
                }
            })
            .collect();
        if let Some(found) = free(&next, top, meter)? {
            return Ok(Some(branch << top | found));
        }
    }
    Ok(None)
}

/// The sets of the `columns`, as masks, whose xor is `target`: their number is 2^dimension, their order that of binary
/// numbers.
#[derive(Debug)]
pub(super) struct Solutions {
    least: u128,
    /// Masks with xor 0, each with a highest bit that no other has, ascending.
    kernel: Vec<u128>,
}

/// Solves; None if no set has that xor. At most 128 columns.
pub(super) fn solve(columns: &[u64], target: u64) -> Option<Solutions> {
    debug_assert!(columns.len() <= 128);
    let mut basis: Vec<(u64, u128)> = Vec::new();
    let mut kernel: Vec<u128> = Vec::new();
    let reduce = |basis: &[(u64, u128)], mut value: u64, mut mask: u128| {
        for (b, m) in basis {
            if value ^ b < value {
                (value, mask) = (value ^ b, mask ^ m);
            }
        }
        (value, mask)
    };
    for (i, column) in columns.iter().enumerate() {
        let (value, mask) = reduce(&basis, *column, 1 << i);
        if value == 0 {
            // the newest column is the highest bit, and no later mask has it
            kernel.push(mask);
        } else {
            let at = basis.partition_point(|(b, _)| *b > value);
            basis.insert(at, (value, mask));
        }
    }
    let (rest, mut least) = reduce(&basis, target, 0);
    if rest != 0 {
        return None;
    }
    for i in (0..kernel.len()).rev() {
        let top = 127 - kernel[i].leading_zeros();
        if least >> top & 1 == 1 {
            least ^= kernel[i];
        }
        for j in i + 1..kernel.len() {
            if kernel[j] >> top & 1 == 1 {
                kernel[j] ^= kernel[i];
            }
        }
    }
    Some(Solutions { least, kernel })
}

impl Solutions {
    /// Their number.
    pub fn count(&self) -> u128 {
        1u128.checked_shl(self.kernel.len() as u32).unwrap_or(u128::MAX)
    }

    /// The solutions, ascending.
    pub fn masks(&self) -> impl Iterator<Item = u128> + '_ {
        (0..self.count()).map(|i| {
            let chosen = self.kernel.iter().enumerate().filter(|(k, _)| i >> k & 1 == 1);
            chosen.fold(self.least, |mask, (_, m)| mask ^ m)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_mex_is_that_of_the_members(spaces in prop::collection::vec((0u64..64, prop::collection::vec(0u64..64, 0..6)), 0..8)) {
            let mut members = [false; 65];
            let mut affine = Vec::new();
            for (offset, generators) in &spaces {
                let mut space = Affine::point(*offset);
                for g in generators {
                    space.generate(*g);
                }
                for chosen in 0..1u32 << generators.len() {
                    let picked = generators.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
                    members[picked.fold(*offset, |x, (_, g)| x ^ g) as usize] = true;
                }
                affine.push(space);
            }
            let mex = members.iter().position(|m| !m).unwrap() as u64;
            prop_assert_eq!(mex_of_union(&affine, &mut Meter::unlimited()).unwrap(), Some(mex));
        }

        #[test]
        fn solutions_are_all_sets_with_the_xor(columns in prop::collection::vec(0u64..16, 0..9), target in 0u64..16) {
            let worth = |mask: u128| columns.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).fold(0, |x, (_, c)| x ^ c);
            let wanted: Vec<u128> = (0..1u128 << columns.len()).filter(|m| worth(*m) == target).collect();
            let found: Vec<u128> = solve(&columns, target).map_or(Vec::new(), |s| s.masks().collect());
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn all_of_a_field_of_bits() {
        let mut all = Affine::point(5);
        for i in 0..64 {
            all.generate(1 << i);
        }
        assert_eq!(mex_of_union(&[all], &mut Meter::unlimited()).unwrap(), None);
    }
}
