//! The sets of coins that change the value of a row as wanted.

use std::{collections::HashMap, ops::ControlFlow};

use grundy_core::rulesets::coins::{CoinGame, Element, Spacing, turned};

use super::{affine::solve, product::Winning, table::CoinTable};
use crate::budget::{Meter, StopReason};

/// Finds the sets of coins before coin n that may be turned with it and have a wanted xor of values.
#[derive(Debug)]
pub struct SetFinder<'a> {
    game: &'a CoinGame,
    table: &'a CoinTable,
    /// Coins by their value, and pairs by the xor of theirs, the larger coin first; for coins up to `indexed`.
    singles: HashMap<u64, Vec<u64>>,
    pairs: HashMap<u64, Vec<[u64; 2]>>,
    indexed: u64,
}

/// Receives the coins beside n, ascending, set after set in the order of binary numbers.
pub type SetSink<'a> = dyn FnMut(&[u64]) -> ControlFlow<()> + 'a;

/// Largest coin below which pairs are indexed.
const MOST_INDEXED: u64 = 1 << 12;

/// Largest coin of symmetric sets that are found by linear algebra.
const MOST_MIRRORED: u64 = 250;

impl<'a> SetFinder<'a> {
    /// For a table that knows all coins asked for.
    pub fn new(game: &'a CoinGame, table: &'a CoinTable) -> Self {
        SetFinder { game, table, singles: HashMap::new(), pairs: HashMap::new(), indexed: 0 }
    }

    fn value(&self, coin: u64) -> u64 {
        self.table.value(coin).unwrap_or_default()
    }

    /// The only kind of sets, if there is one.
    fn element(&self) -> Option<Element> {
        match self.game.code().elements() {
            [e] => Some(*e),
            _ => None,
        }
    }

    /// The number of the sets, where it is known without finding them.
    pub fn count(&self, n: u64, target: u64) -> Option<u128> {
        self.game.form()?.companions(n, target).count
    }

    /// Sends every set to the sink, until it breaks.
    ///
    /// # Complexity
    /// O(1) a set for the games with a closed form; the sets of up to t any coins O(n^(t-3)) beside them, after O(n^2) for
    /// the index; symmetric sets of any size O(n^3) beside them; else all sets that may be turned are looked through.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn each(&mut self, n: u64, target: u64, meter: &mut Meter, sink: &mut SetSink<'_>) -> Result<(), StopReason> {
        if let Some(form) = self.game.form() {
            for set in form.companions(n, target).options {
                meter.steps(50)?;
                if sink(&set).is_break() {
                    break;
                }
            }
            return Ok(());
        }
        match self.element() {
            Some(e) if e.spacing == Spacing::Any && e.within.is_none() && !e.first && n <= MOST_INDEXED => {
                self.index(n, meter)?;
                let (least, most) = (e.least as usize - 1, e.most.map_or(usize::MAX, |m| m as usize - 1));
                let mut search = Search { finder: self, least, most, chosen: Vec::new(), meter, stop: None, sink };
                let _ = search.below(n, target);
                search.stop.map_or(Ok(()), Err)
            }
            Some(e) if e.spacing == Spacing::Symmetric && e.most.is_none() && e.least <= 2 && n <= MOST_MIRRORED => {
                self.mirrored(e, n, target, meter, sink)
            }
            _ => {
                for set in self.game.code().companions(n) {
                    meter.steps(100 + 4 * set.len() as u64)?;
                    if set.iter().fold(target, |x, c| x ^ self.value(*c)) == 0 && sink(&set).is_break() {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// Takes the coins below n into the index.
    fn index(&mut self, n: u64, meter: &mut Meter) -> Result<(), StopReason> {
        for y in self.indexed + 1..n {
            meter.bytes(48 * y)?;
            meter.steps(40 * y)?;
            let value = self.value(y);
            for x in 1..y {
                self.pairs.entry(value ^ self.value(x)).or_default().push([y, x]);
            }
            self.singles.entry(value).or_default().push(y);
            self.indexed = y;
        }
        Ok(())
    }

    /// Symmetric sets of any size: for each first coin a system of linear equations.
    fn mirrored(
        &self,
        e: Element,
        n: u64,
        target: u64,
        meter: &mut Meter,
        sink: &mut SetSink<'_>,
    ) -> Result<(), StopReason> {
        let low = e.within.map_or(1, |w| n.saturating_sub(w - 1).max(1));
        let highest = if e.first { 1 } else { n - 1 };
        if e.least == 1 && (!e.first || n == 1) && target == 0 && sink(&[]).is_break() {
            return Ok(());
        }
        let mut systems = Vec::new();
        for first in low..=highest.min(n - 1) {
            // the middle, if there is one, is the lowest column, the outermost pair the highest
            let (pairs, middle) = ((n - first - 1) / 2, (n - first).is_multiple_of(2));
            let mut columns: Vec<u64> = middle.then(|| self.value(first + (n - first) / 2)).into_iter().collect();
            columns.extend((1..=pairs).rev().map(|i| self.value(first + i) ^ self.value(n - i)));
            meter.steps(20 * columns.len() as u64 * columns.len() as u64 + 50)?;
            if let Some(solutions) = solve(&columns, target ^ self.value(first)) {
                systems.push((first, solutions));
            }
        }
        let set_of = |first: u64, mask: u128| {
            let (pairs, middle) = ((n - first - 1) / 2, (n - first).is_multiple_of(2));
            let mut set = vec![first];
            for i in 1..=pairs {
                if mask >> (u64::from(middle) + pairs - i) & 1 == 1 {
                    set.extend([first + i, n - i]);
                }
            }
            if middle && mask & 1 == 1 {
                set.push(first + (n - first) / 2);
            }
            set.sort_unstable();
            set
        };
        // the streams of all first coins, merged
        let mut streams: Vec<_> = systems.iter().map(|(first, s)| (*first, s.masks())).collect();
        let mut heap = std::collections::BinaryHeap::new();
        for (i, (first, masks)) in streams.iter_mut().enumerate() {
            if let Some(mask) = masks.next() {
                heap.push(std::cmp::Reverse((descending(set_of(*first, mask)), i)));
            }
        }
        while let Some(std::cmp::Reverse((mut set, i))) = heap.pop() {
            meter.steps(200)?;
            set.reverse();
            if sink(&set).is_break() {
                break;
            }
            let (first, masks) = &mut streams[i];
            if let Some(mask) = masks.next() {
                heap.push(std::cmp::Reverse((descending(set_of(*first, mask)), i)));
            }
        }
        Ok(())
    }

    /// The moves of the row `heads` that change its value by `change`: at most `room` of them, and their number; where that is
    /// not known without finding them, only as far as there is room, if `list_only` is set.
    ///
    /// # Errors
    /// The stop comes beside what was found before it.
    pub fn winning(
        &mut self,
        heads: &[u64],
        change: u64,
        room: usize,
        list_only: bool,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        let mut listed = Vec::new();
        let mut total = heads.iter().try_fold(0u128, |t, n| Some(t + self.count(*n, self.value(*n) ^ change)?));
        let mut seen = 0u128;
        for n in heads {
            if listed.len() >= room && (total.is_some() || list_only && room > 0) {
                return (Winning { listed, total }, None);
            }
            let target = self.value(*n) ^ change;
            let mut ended = true;
            let known = total.is_some();
            let found = self.each(*n, target, meter, &mut |set| {
                if listed.len() >= room && (known || list_only && room > 0) {
                    ended = false;
                    return ControlFlow::Break(());
                }
                seen += 1;
                if listed.len() < room && listed.len() * heads.len() <= 1 << 24 {
                    listed.push(turned(heads, &[set, &[*n]].concat()));
                }
                ControlFlow::Continue(())
            });
            if let Err(stop) = found {
                return (Winning { listed, total }, Some(stop.reached(INCOMPLETE)));
            }
            if !ended {
                return (Winning { listed, total }, None);
            }
        }
        total.get_or_insert(seen);
        (Winning { listed, total }, None)
    }
}

/// What is known when the search for moves was stopped.
pub(super) const INCOMPLETE: &str = "the outcome is known, not all winning moves are";

fn descending(mut set: Vec<u64>) -> Vec<u64> {
    set.reverse();
    set
}

/// Depth first over sets of any coins, the largest coin first; the last two come from the index.
struct Search<'a, 'f, 'm, 's> {
    finder: &'a SetFinder<'f>,
    least: usize,
    most: usize,
    /// Descending.
    chosen: Vec<u64>,
    meter: &'m mut Meter,
    stop: Option<StopReason>,
    sink: &'m mut SetSink<'s>,
}

impl Search<'_, '_, '_, '_> {
    fn emit(&mut self, more: &[u64]) -> ControlFlow<()> {
        let mut set: Vec<u64> = self.chosen.iter().chain(more).copied().collect();
        set.reverse();
        (self.sink)(&set)
    }

    /// All sets that go on with coins below `end` of xor `target`.
    fn below(&mut self, end: u64, target: u64) -> ControlFlow<()> {
        if let Err(stop) = self.meter.steps(60) {
            self.stop = Some(stop);
            return ControlFlow::Break(());
        }
        let used = self.chosen.len();
        if self.most - used > 2 {
            if target == 0 && used >= self.least {
                self.emit(&[])?;
            }
            for c in 1..end {
                self.chosen.push(c);
                let flow = self.below(c, target ^ self.finder.value(c));
                self.chosen.pop();
                flow?;
            }
            return ControlFlow::Continue(());
        }
        if target == 0 && used >= self.least {
            self.emit(&[])?;
        }
        let finder = self.finder;
        let (least, most) = (self.least, self.most);
        let fits = move |more: usize| (least..=most).contains(&(used + more));
        let singles = finder.singles.get(&target).map_or(&[][..], Vec::as_slice);
        let pairs = finder.pairs.get(&target).map_or(&[][..], Vec::as_slice);
        let mut singles = singles.iter().take_while(|c| **c < end).filter(|_| fits(1)).peekable();
        let mut pairs = pairs.iter().take_while(|p| p[0] < end).filter(|_| fits(2)).peekable();
        loop {
            // a coin alone precedes its pairs
            match (singles.peek(), pairs.peek()) {
                (Some(c), p) if p.is_none_or(|p| **c <= p[0]) => {
                    let c = **c;
                    singles.next();
                    self.emit(&[c])?;
                }
                (_, Some(p)) => {
                    let p = **p;
                    pairs.next();
                    self.emit(&p)?;
                }
                _ => return ControlFlow::Continue(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_finds_the_sets_of_the_definition() {
        for text in [
            "1-2", "1-3", "3", "1+", "1+C", "2+C", "1-4", "1-5", "4", "2-5", "1-7", "2+", "3E", "1+E", "4FS", "1+S",
            "2+S", "1+FS", "1+SC(6)", "1-4S", "1-3C(5)", "1,3E", "3F",
        ] {
            let game = CoinGame::new("coins", text.parse().unwrap());
            let mut table = CoinTable::new(game.code());
            let last = 12;
            table.advance(last, &mut Meter::unlimited()).unwrap();
            let mut finder = SetFinder::new(&game, &table);
            for n in 1..=last {
                for target in 0..40 {
                    let worth = |s: &Vec<u64>| s.iter().fold(0, |x, c| x ^ table.value(*c).unwrap());
                    let wanted: Vec<Vec<u64>> = game.code().companions(n).filter(|s| worth(s) == target).collect();
                    let mut found = Vec::new();
                    let mut sink = |set: &[u64]| {
                        found.push(set.to_vec());
                        ControlFlow::Continue(())
                    };
                    finder.each(n, target, &mut Meter::unlimited(), &mut sink).unwrap();
                    assert_eq!(found, wanted, "{text} {n} {target}");
                    if let Some(count) = finder.count(n, target) {
                        assert_eq!(count, wanted.len() as u128);
                    }
                }
            }
        }
    }

    #[test]
    fn many_coins_and_large_sets_are_found_in_time() {
        for (text, n) in [("1+S", 60u64), ("1-7", 40)] {
            let game = CoinGame::new("coins", text.parse().unwrap());
            let mut table = CoinTable::new(game.code());
            table.advance(n, &mut Meter::unlimited()).unwrap();
            let value = table.value(n).unwrap();
            let (winning, stop) = SetFinder::new(&game, &table).winning(&[n], value, 3, true, &mut Meter::unlimited());
            assert_eq!((stop, winning.listed.is_empty()), (None, false), "{text}");
            for to in winning.listed {
                assert_eq!(to.iter().fold(0, |x, c| x ^ table.value(*c).unwrap()), 0, "{text}");
            }
        }
    }
}
