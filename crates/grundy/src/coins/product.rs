//! Products of coin-turning games: values of boards, and the blocks that win.

use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
    rc::Rc,
    time::Duration,
};

use grundy_core::{
    rulesets::coins::ProductGame,
    theory::nim_split::{NimField, split},
};

use super::{
    sets::{INCOMPLETE, SetFinder},
    table::CoinTable,
};
use crate::budget::{Meter, StopReason};

/// Winning moves: the positions after them, and how many there are.
#[derive(Clone, Debug, Default)]
pub struct Winning {
    /// The positions in the order of moves, as far as wanted.
    pub listed: Vec<Vec<u64>>,
    /// Exact number of moves, if it is known.
    pub total: Option<u128>,
}

/// A product with the values of the coins of its games.
pub struct Products<'a, F> {
    game: &'a ProductGame,
    field: &'a F,
    tables: Vec<&'a CoinTable>,
    finders: Vec<SetFinder<'a>>,
}

/// A set with its last coin, what turning it changes, and the inverse of that.
struct Turned {
    set: Vec<u64>,
    change: u64,
    inverse: u64,
}

/// Sets of one game by their last coin, each list made once.
type SetsOf = HashMap<(usize, u64), Rc<Vec<Turned>>>;

impl<'a, F: NimField> Products<'a, F> {
    /// For tables, one a game, that know all coins asked for.
    pub fn new(game: &'a ProductGame, tables: Vec<&'a CoinTable>, field: &'a F) -> Self {
        let finders = game.factors().iter().zip(&tables).map(|(f, t)| SetFinder::new(f, t)).collect();
        Products { game, field, tables, finders }
    }

    /// The values of the numbers of a cell, each in the game of its own.
    pub fn coordinates(&self, cell: &[u64]) -> Vec<u64> {
        self.tables.iter().zip(cell).map(|(t, c)| t.value(*c).unwrap_or_default()).collect()
    }

    /// The value of one head.
    pub fn cell(&self, cell: &[u64]) -> u64 {
        let values = self.coordinates(cell);
        values[1..].iter().fold(values[0], |x, v| self.field.product(x, *v))
    }

    /// The value of a position: the xor of its heads.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn value(&self, position: &[u64], meter: &mut Meter) -> Result<u64, StopReason> {
        let mut value = 0;
        for cell in self.game.cells(position) {
            meter.steps(20 * cell.len() as u64)?;
            value ^= self.cell(cell);
        }
        Ok(value)
    }

    /// A move of the head `cell` that changes the value by `change`, if the value of the head loses the highest bit of it: the
    /// sets of the games.
    ///
    /// # Complexity
    /// One [`split`] for each game beyond the first, and one set for each game.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn witness(
        &mut self,
        cell: &[u64],
        change: u64,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Vec<u64>>>, StopReason> {
        let values = self.coordinates(cell);
        // products of the first 1, 2, … values
        let mut products = vec![values[0]];
        for v in &values[1..] {
            products.push(self.field.product(products[products.len() - 1], *v));
        }
        let mut change = change;
        let mut changes = Vec::new();
        for i in (1..values.len()).rev() {
            meter.steps(20_000)?;
            let Some((front, last)) = split(self.field, change, products[i - 1], values[i]) else { return Ok(None) };
            changes.push(last);
            change = front;
        }
        if values[0] ^ change >= values[0] {
            return Ok(None);
        }
        changes.push(change);
        changes.reverse();
        let mut sets = Vec::new();
        for (i, change) in changes.into_iter().enumerate() {
            let mut found = None;
            self.finders[i].each(cell[i], values[i] ^ change, meter, &mut |set| {
                found = Some(set.to_vec());
                ControlFlow::Break(())
            })?;
            let Some(mut set) = found else { return Ok(None) };
            set.push(cell[i]);
            sets.push(set);
        }
        Ok(Some(sets))
    }

    /// The moves of `position` that change its value by `change`, not 0: at most `room` of them, and their number; only as far
    /// as there is room, if `list_only` is set.
    ///
    /// Of boards with too many moves to go through, the moves that [`Products::witness`] gives, one a head.
    ///
    /// # Complexity
    /// For each head the sets of all games but the last, each with one product, and the sets of the last game that fit.
    ///
    /// # Errors
    /// The stop comes beside what was found before it.
    pub fn winning(
        &mut self,
        position: &[u64],
        change: u64,
        room: usize,
        list_only: bool,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        let mut walk = Walk {
            position,
            room,
            list_only,
            listed: Vec::new(),
            seen: 0,
            full: false,
            numbers: 0,
            most: room_for_numbers(meter),
            debt: 0,
            is_counted: false,
        };
        // of a full board the number of moves is found without going through them
        let sides = self.full_sides(position).filter(|_| change != 0);
        let left = meter.time_left().map_or(MOMENT, |left| MOMENT.min(left / 4));
        let mut moment = meter.for_time(left);
        let counted = sides.and_then(|sides| self.full_count(&sides, change, &mut moment).ok());
        if let (Some(total), true) = (counted, room == 0) {
            return (Winning { listed: Vec::new(), total: Some(total) }, None);
        }
        walk.is_counted = counted.is_some();
        let mut cache = SetsOf::new();
        // one move a head is found without looking at others: it is there whatever the limits are
        let mut sure: BTreeMap<usize, Vec<Vec<u64>>> = BTreeMap::new();
        let far = self.is_far(position);
        if far {
            for (i, cell) in self.game.cells(position).enumerate() {
                if sure.len() >= room.max(1) {
                    break;
                }
                match self.witness(cell, change, meter) {
                    Ok(Some(sets)) if cells_of(&sets) <= LARGEST_BLOCK => drop(sure.insert(i, sets)),
                    Ok(_) => {}
                    Err(stop) => return (self.witnessed(position, sure), Some(stop.reached(INCOMPLETE))),
                }
            }
        }
        for cell in self.game.cells(position) {
            if walk.full {
                break;
            }
            if let Err(stop) = self.blocks(cell, change, &mut Vec::new(), &mut cache, &mut walk, meter) {
                let found = Winning { listed: walk.listed, total: None };
                let few = if far && found.listed.len() < sure.len() { self.witnessed(position, sure) } else { found };
                return (few, Some(stop.reached(INCOMPLETE)));
            }
        }
        let total = counted.or((!walk.full).then_some(walk.seen));
        (Winning { listed: walk.listed, total }, None)
    }

    /// The value of a board full of heads, with the number of moves that lead to value 0.
    ///
    /// The board is never listed: its value is the product of the values of its rows of heads, and a move is a set of each
    /// game.
    ///
    /// # Complexity
    /// The sets of each game, and for each game but the last the different products of what they change.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn full_board(&self, sides: &[u64], meter: &mut Meter) -> Result<(u64, u128), StopReason> {
        let mut value = 1;
        for (table, side) in self.tables.iter().zip(sides) {
            meter.steps(2 * side)?;
            let row = (1..=*side).fold(0, |x, n| x ^ table.value(n).unwrap_or_default());
            value = self.field.product(value, row);
        }
        let wins = if value == 0 { 0 } else { self.full_count(sides, value, meter)? };
        Ok((value, wins))
    }

    /// The sides of the board, if it is full of heads.
    fn full_sides(&self, position: &[u64]) -> Option<Vec<u64>> {
        let d = self.tables.len();
        let sides: Vec<u64> =
            (0..d).map(|axis| position.iter().skip(axis).step_by(d).copied().max().unwrap_or(0)).collect();
        let size = sides.iter().try_fold(d as u64, |size, side| size.checked_mul(*side));
        (size == Some(position.len() as u64)).then_some(sides)
    }

    /// How many moves change the value of a board full of heads by `change`, not 0.
    fn full_count(&self, sides: &[u64], change: u64, meter: &mut Meter) -> Result<u128, StopReason> {
        // what is left to be changed, and by how many choices so far
        let mut left: HashMap<u64, u128> = HashMap::from([(change, 1)]);
        let Some((last, front)) =
            self.tables.iter().zip(sides).collect::<Vec<_>>().split_last().map(|(l, f)| (*l, f.to_vec()))
        else {
            return Ok(0);
        };
        for (table, side) in front {
            let mut next: HashMap<u64, u128> = HashMap::new();
            for (change, sets) in table.census(*side, meter)? {
                let Some(inverse) = self.field.inverse(change) else { continue };
                for (rest, choices) in &left {
                    meter.steps(60)?;
                    let count = next.entry(self.field.product(*rest, inverse)).or_default();
                    *count = count.saturating_add(sets.saturating_mul(*choices));
                }
            }
            left = next;
        }
        // the last set has to change what is left
        let census = last.0.census(*last.1, meter)?;
        let pairs = census.into_iter().filter_map(|(change, sets)| Some(sets.saturating_mul(*left.get(&change)?)));
        Ok(pairs.fold(0, u128::saturating_add))
    }

    fn witnessed(&self, position: &[u64], sure: BTreeMap<usize, Vec<Vec<u64>>>) -> Winning {
        Winning { listed: sure.values().map(|sets| self.game.after(position, sets)).collect(), total: None }
    }

    /// True if going through the moves may take longer than there is time.
    fn is_far(&self, position: &[u64]) -> bool {
        self.game.cells(position).any(|cell| cell.iter().any(|c| *c > 1 << 10))
    }

    /// All blocks of one head, the sets of the first games chosen.
    fn blocks(
        &mut self,
        cell: &[u64],
        change: u64,
        chosen: &mut Vec<Vec<u64>>,
        cache: &mut SetsOf,
        walk: &mut Walk<'_>,
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        let axis = chosen.len();
        let coin = cell[axis];
        if axis + 1 == cell.len() {
            let target = self.tables[axis].value(coin).unwrap_or_default() ^ change;
            let game = self.game;
            if walk.room <= walk.listed.len()
                && !walk.list_only
                && let Some(count) = self.finders[axis].count(coin, target)
            {
                walk.seen += count;
                return Ok(());
            }
            // sets of a game without a formula are looked up, not sought again
            if self.tables[axis].form().is_none() {
                let sets = self.sets(axis, coin, cache, meter)?;
                for turned in sets.iter().filter(|t| t.change == change) {
                    chosen.push(turned.set.clone());
                    let flow = walk.take(game, chosen);
                    chosen.pop();
                    if flow.is_break() {
                        break;
                    }
                }
                return meter.steps(sets.len() as u64 + std::mem::take(&mut walk.debt));
            }
            meter.steps(std::mem::take(&mut walk.debt))?;
            // sets that are too large to be written down are counted, but do not come
            let (before, count) = (walk.seen, self.finders[axis].count(coin, target));
            self.finders[axis].each(coin, target, meter, &mut |set| {
                chosen.push([set, &[coin]].concat());
                let flow = walk.take(game, chosen);
                chosen.pop();
                flow
            })?;
            if let (Some(count), false) = (count, walk.full) {
                walk.seen = before + count;
            }
            return Ok(());
        }
        if self.tables[axis].form().is_some() && coin > 1 << 12 {
            // too many to keep
            let code = self.game.factors()[axis].code().clone();
            for mut set in code.companions(coin) {
                meter.steps(200 + set.len() as u64)?;
                set.push(coin);
                let worth = set.iter().fold(0, |x, c| x ^ self.tables[axis].value(*c).unwrap_or_default());
                let Some(inverse) = self.field.inverse(worth) else { continue };
                chosen.push(set);
                let found = self.blocks(cell, self.field.product(change, inverse), chosen, cache, walk, meter);
                chosen.pop();
                found?;
                if walk.full {
                    break;
                }
            }
            return Ok(());
        }
        let sets = self.sets(axis, coin, cache, meter)?;
        for turned in sets.iter().filter(|t| t.change != 0) {
            meter.steps(60)?;
            chosen.push(turned.set.clone());
            let rest = self.field.product(change, turned.inverse);
            let found = self.blocks(cell, rest, chosen, cache, walk, meter);
            chosen.pop();
            found?;
            if walk.full {
                break;
            }
        }
        Ok(())
    }

    fn sets(
        &self,
        axis: usize,
        coin: u64,
        cache: &mut SetsOf,
        meter: &mut Meter,
    ) -> Result<Rc<Vec<Turned>>, StopReason> {
        if let Some(known) = cache.get(&(axis, coin)) {
            return Ok(known.clone());
        }
        let mut sets = Vec::new();
        for mut set in self.game.factors()[axis].code().companions(coin) {
            set.push(coin);
            meter.steps(100)?;
            meter.bytes(48 + 8 * set.len() as u64)?;
            let change = set.iter().fold(0, |x, c| x ^ self.tables[axis].value(*c).unwrap_or_default());
            sets.push(Turned { set, change, inverse: self.field.inverse(change).unwrap_or_default() });
        }
        let sets = Rc::new(sets);
        cache.insert((axis, coin), sets.clone());
        Ok(sets)
    }
}

/// Most time for the number of moves of a full board.
const MOMENT: Duration = Duration::from_secs(1);

/// What a walk over the moves has found.
struct Walk<'p> {
    position: &'p [u64],
    room: usize,
    list_only: bool,
    listed: Vec<Vec<u64>>,
    seen: u128,
    /// True if more moves may follow than there is room for.
    full: bool,
    /// Numbers in the positions listed, and the most.
    numbers: u64,
    most: u64,
    /// Steps that have not been counted yet.
    debt: u64,
    /// True if the number of moves is known.
    is_counted: bool,
}

/// Most cells of a block that is turned in a listed move, and most numbers in all positions listed; what is larger is counted.
const LARGEST_BLOCK: u64 = 1 << 18;
const MOST_NUMBERS: u64 = 1 << 24;

/// How many numbers the listed positions may hold: a face makes texts of them, so each counts for a hundred bytes.
fn room_for_numbers(meter: &Meter) -> u64 {
    let left = meter.budget().memory.map_or(u64::MAX, |m| m.saturating_sub(meter.bytes_used()));
    MOST_NUMBERS.min(left / 100)
}

fn cells_of(sets: &[Vec<u64>]) -> u64 {
    sets.iter().fold(1, |cells, set| cells.saturating_mul(set.len() as u64))
}

impl Walk<'_> {
    fn take(&mut self, game: &ProductGame, sets: &[Vec<u64>]) -> ControlFlow<()> {
        let size = self.position.len() as u64;
        let has_room = self.listed.len() < self.room && self.numbers + size <= self.most;
        if !has_room && (self.is_counted || self.list_only && self.room > 0) {
            self.full = true;
            return ControlFlow::Break(());
        }
        self.seen += 1;
        if has_room && cells_of(sets) <= LARGEST_BLOCK {
            let after = game.after(self.position, sets);
            self.numbers += after.len() as u64;
            self.debt += 4 * after.len() as u64;
            self.listed.push(after);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::{
        notation::read_ruleset,
        ruleset::{Ruleset, options_of},
        rulesets::AnyRuleset,
        theory::nim_split::PlainField,
    };
    use std::sync::Arc;

    fn product(text: &str) -> Arc<ProductGame> {
        match read_ruleset(text).unwrap() {
            AnyRuleset::Tartan(game) => game,
            other => panic!("{other:?}"),
        }
    }

    fn tables(game: &ProductGame, last: u64) -> Vec<CoinTable> {
        let table = |f: &Arc<grundy_core::rulesets::coins::CoinGame>| {
            let mut table = CoinTable::new(f.code());
            table.advance(last, &mut Meter::unlimited()).unwrap();
            table
        };
        game.factors().iter().map(table).collect()
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }

        fn board(&mut self, sides: &[u64], heads: u64) -> Vec<u64> {
            let mut cells: Vec<Vec<u64>> =
                (0..heads).map(|_| sides.iter().map(|s| 1 + self.below(*s)).collect()).collect();
            cells.sort();
            cells.dedup();
            cells.concat()
        }
    }

    #[test]
    fn ten_thousand_boards_are_won_by_the_witness() {
        let games = [
            "turning_corners",
            "rugs",
            "tartan[mock_turtles * mock_turtles]",
            "tartan[twins * ruler]",
            "tartan[triplets * triplets]",
            "tartan[turnips * turnips]",
            "tartan[rulerette * ruler]",
            "tartan[grunt * grunt]",
            "tartan[mock_turtles * sym]",
            "tartan[moebius * motley]",
        ];
        let mut random = Random(5);
        for text in games {
            let game = product(text);
            let tables = tables(&game, 16);
            let mut products = Products::new(&game, tables.iter().collect(), &PlainField);
            for _ in 0..1000 {
                let heads = 1 + random.below(40);
                let g = random.board(&[16, 16], heads);
                let value = products.value(&g, &mut Meter::unlimited()).unwrap();
                let mut offered = 0;
                for cell in game.cells(&g) {
                    let Some(sets) = products.witness(cell, value, &mut Meter::unlimited()).unwrap() else { continue };
                    let to = game.after(&g, &sets);
                    assert!(game.is_option(&g, std::slice::from_ref(&to)), "{text} {g:?} -> {to:?}");
                    assert_eq!(products.value(&to, &mut Meter::unlimited()).unwrap(), 0, "{text} {g:?} -> {to:?}");
                    offered += 1;
                    if offered > 2 {
                        break;
                    }
                }
                assert_eq!(offered > 0, value != 0, "{text} {g:?}");
            }
        }
    }

    #[test]
    fn moves_too_large_to_be_written_down_are_counted() {
        let game = product("rugs");
        let n = 200_000;
        let tables = tables(&game, 1);
        let mut products = Products::new(&game, tables.iter().collect(), &PlainField);
        // the run of the last 100 000 coins, and a run of three
        for length in [100_000, 3] {
            let change = (n - length + 1..=n).fold(0, |x, c| x ^ tables[1].value(c).unwrap());
            let (found, stop) = products.winning(&[1, n], change, 10, false, &mut Meter::unlimited());
            assert_eq!((stop, found.total), (None, Some(1)), "{length}");
            assert_eq!(found.listed.len(), usize::from(length == 3));
        }
    }

    #[test]
    fn all_moves_are_those_that_the_definition_selects() {
        let mut random = Random(7);
        let games = [
            ("turning_corners", vec![7, 7]),
            ("rugs", vec![6, 6]),
            ("tartan[mock_turtles * sym]", vec![5, 6]),
            ("tartan[turnips * quadruplets]", vec![7, 7]),
            ("tartan[rulerette * \"1-3C(5)\"]", vec![6, 6]),
            ("light_switching", vec![4, 3, 4]),
            ("tartan[motley * turnips * ruler]", vec![3, 4, 3]),
        ];
        for (text, sides) in games {
            let game = product(text);
            let tables = tables(&game, 8);
            let mut products = Products::new(&game, tables.iter().collect(), &PlainField);
            let full = {
                let board = sides.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
                grundy_core::notation::read_sum(&format!("{text}({board})")).unwrap().into_components()
            };
            let grundy_core::rulesets::AnyComponent::Tartan(_, cells) = &full[0] else { panic!("{full:?}") };
            let value = products.value(cells, &mut Meter::unlimited()).unwrap();
            let wins = match value {
                0 => Some(0),
                _ => products.winning(cells, value, 0, false, &mut Meter::unlimited()).0.total,
            };
            let at_once = products.full_board(&sides, &mut Meter::unlimited()).unwrap();
            assert_eq!((at_once.0, Some(at_once.1)), (value, wins), "{text}");
            for _ in 0..30 {
                let heads = 1 + random.below(7);
                let g = random.board(&sides, heads);
                let value = products.value(&g, &mut Meter::unlimited()).unwrap();
                for target in [0, 1, 2, 5] {
                    let change = value ^ target;
                    if change == 0 {
                        continue;
                    }
                    let wanted: Vec<Vec<u64>> = options_of(&*game, &g)
                        .into_iter()
                        .map(|o| o[0].clone())
                        .filter(|o| products.value(o, &mut Meter::unlimited()).unwrap() == target)
                        .collect();
                    let (found, stop) = products.winning(&g, change, usize::MAX, false, &mut Meter::unlimited());
                    assert_eq!((stop, found.total), (None, Some(wanted.len() as u128)), "{text} {g:?}");
                    assert_eq!(found.listed, wanted, "{text} {g:?}");
                    let (count, _) = products.winning(&g, change, 0, false, &mut Meter::unlimited());
                    assert_eq!(count.total, Some(wanted.len() as u128));
                    let (few, _) = products.winning(&g, change, 2, true, &mut Meter::unlimited());
                    assert_eq!(few.listed, wanted[..wanted.len().min(2)]);
                }
            }
        }
    }
}
