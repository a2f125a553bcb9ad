//! The sets that may be turned with a given last coin, one after another.
//!
//! The order is that of the sets as binary numbers, coin i standing for 2^i: a set precedes another if the largest coin in
//! which they differ belongs to the other. Nothing is listed in advance, except that symmetric sets keep one generator for
//! each first coin.

use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::code::{CoinCode, Element, Spacing};

/// Iterates over the sets; an item lists the coins beside the last one, ascending.
#[derive(Debug)]
pub struct Companions {
    heap: BinaryHeap<Reverse<Source>>,
    last: Option<Vec<u64>>,
}

/// One generator with the set that it has ready, coins descending.
#[derive(Debug)]
struct Source {
    ready: Vec<u64>,
    generator: Generator,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.ready == other.ready
    }
}

impl Eq for Source {}

impl PartialOrd for Source {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Source {
    /// Descending lists compare as the binary numbers do: the first difference decides, and a prefix is smaller.
    fn cmp(&self, other: &Self) -> Ordering {
        self.ready.cmp(&other.ready)
    }
}

impl CoinCode {
    /// The sets with the last coin n.
    ///
    /// # Complexity
    /// O(size of the set) for each set of the kinds any, consecutive and equally spaced; symmetric sets take O(n) memory, and
    /// O(log n) more for each set.
    pub fn companions(&self, n: u64) -> Companions {
        let mut heap = BinaryHeap::new();
        for e in self.elements() {
            Generator::all(e, n, |mut generator| {
                if let Some(ready) = generator.next() {
                    heap.push(Reverse(Source { ready, generator }));
                }
            });
        }
        Companions { heap, last: None }
    }
}

impl Iterator for Companions {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        loop {
            let mut top = self.heap.peek_mut()?;
            let found = match top.0.generator.next() {
                Some(next) => core::mem::replace(&mut top.0.ready, next),
                None => std::collections::binary_heap::PeekMut::pop(top).0.ready,
            };
            // two elements may allow the same set
            if self.last.as_ref() != Some(&found) {
                let mut set = found.clone();
                set.reverse();
                self.last = Some(found);
                return Some(set);
            }
        }
    }
}

/// The sets of one kind, as descending lists without the last coin, in order.
#[derive(Debug)]
enum Generator {
    /// Any `least ..= most` coins of `low ..= high`, and the coin `forced` beside them.
    Subsets { subsets: Subsets, forced: Option<u64> },
    /// The runs of `next ..= most` coins before n.
    Runs { n: u64, next: u64, most: u64 },
    /// Coins n - s, n - 2s, … for a distance s that falls to 1.
    Spaced { n: u64, spacing: u64, count: u64, least: u64, most: u64, reach: u64, first: bool },
    /// Symmetric sets from `first` to n: pairs a + i, n - i, and perhaps the middle.
    Mirrored { first: u64, n: u64, subsets: Subsets, least: u64, most: u64 },
    /// The coin n alone.
    Alone(bool),
}

impl Generator {
    /// The generators of one element.
    fn all(e: &Element, n: u64, mut add: impl FnMut(Generator)) {
        if n == 0 {
            return;
        }
        let (least, most) = (e.least - 1, e.most.map_or(u64::MAX, |m| m - 1));
        // the smallest coin that the last one may be turned with
        let low = e.within.map_or(1, |w| n.saturating_sub(w - 1).max(1));
        let reach = n - low;
        match e.spacing {
            Spacing::Any if e.first && n > 1 => {
                if low == 1 && most >= 1 {
                    let subsets = Subsets::new(2, n - 1, least.saturating_sub(1), most - 1);
                    add(Generator::Subsets { subsets, forced: Some(1) });
                }
            }
            Spacing::Any => add(Generator::Subsets { subsets: Subsets::new(low, n - 1, least, most), forced: None }),
            Spacing::Consecutive => {
                let longest = most.min(reach);
                match e.first {
                    false => add(Generator::Runs { n, next: least, most: longest }),
                    true if longest == n - 1 && least < n => add(Generator::Runs { n, next: n - 1, most: n - 1 }),
                    true => {}
                }
            }
            Spacing::Equal => {
                if least == 0 && (!e.first || n == 1) {
                    add(Generator::Alone(false));
                }
                let least = least.max(1);
                let first = e.first;
                add(Generator::Spaced { n, spacing: reach / least, count: least, least, most, reach, first });
            }
            Spacing::Symmetric => {
                if least == 0 && (!e.first || n == 1) {
                    add(Generator::Alone(false));
                }
                let highest = if e.first { 1 } else { n - 1 };
                for first in low..=highest.min(n - 1) {
                    // a place for each pair, above one for the middle
                    let (pairs, middle) = ((n - first - 1) / 2, (n - first - 1) % 2);
                    let limit = (most.saturating_sub(1) / 2).saturating_add(middle);
                    if most >= 1 && least <= 2 * pairs + middle + 1 {
                        let subsets = Subsets::new(1 - middle, pairs, 0, limit);
                        add(Generator::Mirrored { first, n, subsets, least, most });
                    }
                }
            }
        }
    }

    fn next(&mut self) -> Option<Vec<u64>> {
        match self {
            Generator::Subsets { subsets, forced } => {
                let mut set = subsets.next()?;
                set.extend(*forced);
                Some(set)
            }
            Generator::Runs { n, next, most } => {
                if *next > *most {
                    return None;
                }
                let run = (*n - *next..*n).rev().collect();
                *next += 1;
                Some(run)
            }
            Generator::Spaced { n, spacing, count, least, most, reach, first } => loop {
                if *spacing == 0 {
                    return None;
                }
                let (s, c) = (*spacing, *count);
                let longest = (*reach / s).min(*most);
                if c > longest {
                    (*spacing, *count) = (s - 1, *least);
                    continue;
                }
                *count += 1;
                if *first && c * s != *n - 1 {
                    continue;
                }
                return Some((1..=c).map(|i| *n - i * s).collect());
            },
            Generator::Mirrored { first, n, subsets, least, most } => loop {
                let chosen = subsets.next()?;
                let (pairs, middle) = ((*n - *first - 1) / 2, (*n - *first).is_multiple_of(2));
                let with_middle = chosen.last() == Some(&0);
                let count = 1 + 2 * chosen.len() as u64 - u64::from(with_middle);
                if !(*least..=*most).contains(&count) {
                    continue;
                }
                debug_assert!(middle || !with_middle);
                // place p of 1 ..= pairs stands for the coins n - (pairs + 1 - p) and first + (pairs + 1 - p)
                let inner = || chosen.iter().filter(|p| **p > 0).map(|p| pairs + 1 - *p);
                let mut set: Vec<u64> = inner().map(|i| *n - i).collect();
                if with_middle {
                    set.push(*first + (*n - *first) / 2);
                }
                let mut lower: Vec<u64> = inner().map(|i| *first + i).collect();
                lower.reverse();
                set.extend(lower);
                set.push(*first);
                return Some(set);
            },
            Generator::Alone(done) => (!core::mem::replace(done, true)).then(Vec::new),
        }
    }
}

/// The sets of `least ..= most` numbers of `low ..= high`, as descending lists, in the order of binary numbers.
#[derive(Debug)]
struct Subsets {
    low: u64,
    high: u64,
    least: u64,
    most: u64,
    at: Option<Vec<u64>>,
    fresh: bool,
}

impl Subsets {
    fn new(low: u64, high: u64, least: u64, most: u64) -> Self {
        let room = (high + 1).saturating_sub(low);
        let at = (least <= most && least <= room).then(Vec::new);
        Subsets { low, high, least, most, at, fresh: true }
    }

    /// Adds the lowest numbers that are missing, until there are enough: the next set that has so many.
    fn fill(set: &mut Vec<u64>, low: u64, least: u64) {
        let missing = least.saturating_sub(set.len() as u64);
        let mut from = low;
        let mut added: Vec<u64> = Vec::new();
        while (added.len() as u64) < missing {
            if !set.contains(&from) {
                added.push(from);
            }
            from += 1;
        }
        set.extend(added);
        set.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn next(&mut self) -> Option<Vec<u64>> {
        let set = self.at.as_mut()?;
        if !core::mem::replace(&mut self.fresh, false) {
            // add the lowest place, or where no more numbers may be chosen the lowest chosen one: the sets between have more
            let full = set.len() as u64 == self.most;
            let mut carry = match (full, set.last()) {
                (true, Some(last)) => *last,
                (true, None) => {
                    self.at = None;
                    return None;
                }
                (false, _) => self.low,
            };
            while set.last() == Some(&carry) {
                set.pop();
                carry += 1;
            }
            if carry > self.high || self.low > self.high {
                self.at = None;
                return None;
            }
            set.push(carry);
        }
        if (set.len() as u64) < self.least {
            Subsets::fill(set, self.low, self.least);
            if set.first().is_some_and(|top| *top > self.high) {
                self.at = None;
                return None;
            }
        }
        Some(set.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: &[&str] = &[
        "1", "2", "1-2", "1-3", "3", "4", "2-4", "1+", "2+", "1+C", "2+C", "1-5C", "3C", "1-3C(5)", "3C(5)", "1+C(4)",
        "3E", "1+E", "2-3E", "2+E", "1+EC(6)", "4FS", "1+S", "2+S", "3S", "4S", "1-4S", "1+SC(7)", "1+FS", "1+F", "3F",
        "2-3F", "1+FC", "3FE", "2+FE", "1+FC(4)", "1,3", "2,1+C", "1+S,3E", "1-2,4FS", "5C(5)", "3-4C(6)F",
    ];

    #[test]
    fn every_allowed_set_comes_once_in_order() {
        for text in CODES {
            let code: CoinCode = text.parse().unwrap();
            for n in 1..=11u64 {
                let all: Vec<Vec<u64>> = (0..1u64 << (n - 1))
                    .map(|mask| (1..n).filter(|i| mask >> (i - 1) & 1 == 1).collect::<Vec<u64>>())
                    .filter(|set| code.allows(&[&set[..], &[n]].concat()))
                    .collect();
                assert_eq!(code.companions(n).collect::<Vec<_>>(), all, "{text} {n}");
            }
        }
    }

    #[test]
    fn counts_of_moves() {
        for (text, count) in [("1-3", 191), ("3", 171), ("1+C", 20), ("1-3C(5)", 11), ("3C(5)", 6), ("4FS", 9)] {
            assert_eq!(text.parse::<CoinCode>().unwrap().companions(20).count(), count, "{text}");
        }
    }

    #[test]
    fn far_coins_start_at_once() {
        for (text, second) in [("1-3", vec![1]), ("1+C", vec![u64::MAX - 1]), ("1+", vec![1])] {
            let code: CoinCode = text.parse().unwrap();
            assert_eq!(code.companions(u64::MAX).nth(1), Some(second), "{text}");
        }
        let turnips: CoinCode = "3E".parse().unwrap();
        assert_eq!(turnips.companions(1 << 40).next(), Some(vec![2, (1 << 39) + 1]));
    }
}
