//! Sets of cells as words of 64 bits, lowest cell first: what positions of boards are made of.

/// Words that hold so many cells.
pub fn words(cells: usize) -> usize {
    cells.div_ceil(64)
}

/// The set of cells `0 .. cells`.
pub fn full(cells: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; words(cells)];
    if let (Some(last), tail @ 1..) = (set.last_mut(), cells % 64) {
        *last = (1 << tail) - 1;
    }
    set
}

/// Whether a cell is in the set; cells beyond its words are not.
pub fn contains(set: &[u64], cell: usize) -> bool {
    set.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
}

/// Puts a cell into the set.
///
/// # Panics
/// If the set has no word for it.
pub fn insert(set: &mut [u64], cell: usize) {
    set[cell / 64] |= 1 << (cell % 64);
}

/// Takes a cell out of the set.
///
/// # Panics
/// If the set has no word for it.
pub fn remove(set: &mut [u64], cell: usize) {
    set[cell / 64] &= !(1 << (cell % 64));
}

/// Number of cells in the set.
pub fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// True if no cell is in the set.
pub fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// The cells, ascending.
pub fn iter(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        core::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(64 * i + bit)
        })
    })
}

/// The parts of a set that hang together, in the order of their least cells; `neighbours` gives the cells beside one, whether
/// they are in the set or not.
///
/// # Complexity
/// O(cells + their neighbours); memory twice the set and the parts.
pub fn parts(set: &[u64], mut neighbours: impl FnMut(usize, &mut dyn FnMut(usize))) -> Vec<Vec<u64>> {
    let mut left = set.to_vec();
    let (mut parts, mut stack) = (Vec::new(), Vec::new());
    for first in iter(set) {
        if !contains(&left, first) {
            continue;
        }
        let mut part = vec![0; set.len()];
        remove(&mut left, first);
        stack.push(first);
        while let Some(cell) = stack.pop() {
            insert(&mut part, cell);
            neighbours(cell, &mut |next| {
                if contains(&left, next) {
                    remove(&mut left, next);
                    stack.push(next);
                }
            });
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        for cells in [0, 1, 63, 64, 65, 128] {
            let mut set = full(cells);
            assert_eq!((count(&set), is_empty(&set), contains(&set, cells)), (cells, cells == 0, false));
            assert!(iter(&set).eq(0..cells));
            for cell in (0..cells).step_by(3) {
                remove(&mut set, cell);
            }
            assert!(iter(&set).eq((0..cells).filter(|c| c % 3 != 0)));
        }
    }

    #[test]
    fn parts_hang_together() {
        let mut set = full(130);
        [3, 64, 65, 129].iter().for_each(|cell| remove(&mut set, *cell));
        let beside = |cell: usize, each: &mut dyn FnMut(usize)| {
            cell.checked_sub(1).into_iter().chain([cell + 1]).for_each(each);
        };
        let parts = parts(&set, beside);
        let ranges: Vec<_> = parts.iter().map(|p| (iter(p).next().unwrap(), count(p))).collect();
        assert_eq!(ranges, [(0, 3), (4, 60), (66, 63)]);
    }
}
