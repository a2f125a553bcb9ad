//! Moves between positions of several heaps as automatic relations: of the position x on the tracks 0 .. k and of its
//! options y on the tracks k .. 2k.

use std::ops::Range;

use grundy_core::{
    notation::TupleRule,
    rulesets::{AnyRuleset, heap::HeapRule},
};

use super::{
    TupleRuleset,
    plain::{Game, Order},
    print,
    symbolic::{least, undecided},
};
use crate::budget::Meter;
use crate::discover::{
    Halt,
    atoms::{self, Linear},
    compile::{self, HEAP, Options, VALUE},
    relation::{Relation, Track, find, project},
};

/// All pairs of a position and an option, and what is known of them all.
///
/// # Errors
/// A ruleset outside the theory, or the meter's stop.
pub(super) fn compile<'a>(
    ruleset: &'a TupleRuleset,
    heaps: u8,
    meter: &mut Meter,
) -> Result<(Relation, Game<'a>), Halt> {
    let (relation, order, raises) = match ruleset {
        TupleRuleset::Named(named) => {
            let goes_down = matches!(named, AnyRuleset::Staircase);
            (relation(named, heaps, meter)?, if goes_down { Order::Larger } else { Order::Total }, goes_down)
        }
        TupleRuleset::Own(rule) => {
            let moves = own(rule, heaps, meter)?;
            let order = order(&moves, heaps, meter)?;
            let raises = raises(&moves, heaps, meter)?;
            (moves, order, raises)
        }
    };
    Ok((relation, Game { ruleset, order, raises }))
}

/// The moves that a condition gives.
fn own(rule: &TupleRule, heaps: u8, meter: &mut Meter) -> Result<Relation, Halt> {
    let (yes, no) = compile::claim(rule.condition(), 2 * heaps, meter)?;
    if let Some(pair) = undecided(&yes, &no, meter)? {
        let (from, to) = pair.split_at(heaps.into());
        let error = rule.is_move(from, to).err().map_or(String::new(), |e| format!(" ({e})"));
        return Err(Halt::outside(format!("a rule without a value for {} -> {}{error}", print(from), print(to))));
    }
    Ok(yes.minimised(meter)?)
}

/// The smallest move for which all these conditions hold as well, as it is written.
fn some_move(moves: &Relation, heaps: u8, and: &[Relation], meter: &mut Meter) -> Result<Option<String>, Halt> {
    if !has_move(moves, and, meter)? {
        return Ok(None);
    }
    let parts = std::iter::once(moves).chain(and).cloned().collect();
    let pair = least(parts, heaps, meter)?.ok_or_else(|| Halt::outside("moves of positions beyond 64 bits"))?;
    let (from, to) = pair.split_at(heaps.into());
    Ok(Some(format!("{} -> {}", print(from), print(to))))
}

/// True if there is a move for which all these conditions hold as well.
fn has_move(moves: &Relation, and: &[Relation], meter: &mut Meter) -> Result<bool, Halt> {
    let parts: Vec<&Relation> = and.iter().chain([moves]).collect();
    Ok(find(&parts, meter)?.is_some())
}

/// What the options have in these heaps together.
#[derive(Clone, Copy)]
enum Change {
    Less,
    Equal,
    More,
}

/// The pairs of which the second has less, as much or more in these heaps together.
fn changed(heaps: u8, of: Range<Track>, change: Change, meter: &mut Meter) -> Result<Relation, Halt> {
    let sign = if matches!(change, Change::More) { -1 } else { 1 };
    let terms = of.clone().map(|i| (i, -sign)).chain(of.map(|i| (heaps + i, sign))).collect();
    Ok(match change {
        Change::Equal => atoms::equal_zero(&Linear { terms, constant: 0 }, meter)?,
        Change::Less | Change::More => atoms::at_most_zero(&Linear { terms, constant: 1 }, meter)?,
    })
}

/// Why every play ends.
///
/// # Errors
/// If it does not, or not for a reason that is looked for: moves that break the order are named.
fn order(moves: &Relation, heaps: u8, meter: &mut Meter) -> Result<Order, Halt> {
    let all = 0..heaps;
    let larger = changed(heaps, all.clone(), Change::More, meter)?;
    if let Some(example) = some_move(moves, heaps, &[larger], meter)? {
        return Err(Halt::outside(format!("the move {example} makes the total larger")));
    }
    let mut level = vec![changed(heaps, all.clone(), Change::Equal, meter)?];
    let (mut smaller, mut larger) = (None, None);
    for heap in all {
        // this heap is the first that changes
        let here = heap..heap + 1;
        for (example, change) in [(&mut smaller, Change::Less), (&mut larger, Change::More)] {
            if example.is_none() {
                level.push(changed(heaps, here.clone(), change, meter)?);
                *example = some_move(moves, heaps, &level, meter)?;
                level.pop();
            }
        }
        level.push(changed(heaps, here, Change::Equal, meter)?);
    }
    if let Some(example) = some_move(moves, heaps, &level, meter)? {
        return Err(Halt::outside(format!("the move {example} leaves the position as it is")));
    }
    match (smaller, larger) {
        (None, None) => Ok(Order::Total),
        (Some(_), None) => Ok(Order::Smaller),
        (None, Some(_)) => Ok(Order::Larger),
        (Some(down), Some(up)) => Err(Halt::outside(format!(
            "the moves {down} and {up} leave the total, one makes the first heap that changes smaller, one larger"
        ))),
    }
}

/// True if a move makes a heap larger.
fn raises(moves: &Relation, heaps: u8, meter: &mut Meter) -> Result<bool, Halt> {
    for heap in 0..heaps {
        let larger = changed(heaps, heap..heap + 1, Change::More, meter)?;
        if has_move(moves, &[larger], meter)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn relation(ruleset: &AnyRuleset, heaps: u8, meter: &mut Meter) -> Result<Relation, Halt> {
    match ruleset {
        AnyRuleset::Heap(game) if game.is_normal_only() => {
            Err(Halt::outside("treblecross, whose heaps are those of another game (0.007)"))
        }
        AnyRuleset::Heap(game) => one_heap(&heap_step(game.rule(), meter)?, heaps, meter),
        AnyRuleset::Moore(moore) => lowered(heaps, moore.k(), meter),
        AnyRuleset::Nimble => lowered(heaps, 1, meter),
        AnyRuleset::Wythoff => wythoff(meter),
        AnyRuleset::Staircase => staircase(heaps, meter),
        AnyRuleset::Euclid(_) => Err(Halt::outside("multiples of one number that are taken from another")),
        AnyRuleset::Digraph(_) => Err(Halt::outside("tokens on a graph, whose vertices are no heaps")),
        AnyRuleset::Board(_) => Err(Halt::outside("a game on a board, whose cells are no heaps")),
        AnyRuleset::Chomp => Err(Halt::outside("boards of chomp, whose rows are no heaps")),
        AnyRuleset::Custom(_) => Err(Halt::outside("rules of which only single moves are known")),
        AnyRuleset::Coins(_) | AnyRuleset::Tartan(_) => Err(Halt::outside("coins that are turned, which are no heaps")),
    }
}

/// The pairs (n, m), on the tracks 0 and 1, of a heap and what a move leaves of it, nothing being 0.
fn heap_step(rule: &HeapRule, meter: &mut Meter) -> Result<Relation, Halt> {
    if rule.alternatives().iter().any(|a| a.leave.most().is_none_or(|most| most > 1)) {
        return Err(Halt::outside("moves that leave two heaps or more of one"));
    }
    // if a heap is its own value, the value of an option is the heap that is left
    let identity = atoms::columnwise(&[HEAP, VALUE], |bits| bits == 0 || bits == 3, meter)?;
    Options::new(rule, &identity).all(meter)
}

/// A move of one heap by `step`: which heap that is, is guessed at the start.
fn one_heap(step: &Relation, heaps: u8, meter: &mut Meter) -> Result<Relation, Halt> {
    let (next, accepting) = step.table(meter)?;
    let dead = step.is_empty();
    let starts = if dead { Vec::new() } else { (0..heaps).map(|i| (i, 0u32)).collect() };
    let follow = |(heap, state): &(u8, u32), letter: u32| {
        let (x, y) = halves(letter, heaps);
        if (x ^ y) & !(1 << heap) != 0 {
            return None;
        }
        Some((*heap, next[*state as usize][(x >> heap & 1 | (y >> heap & 1) << 1) as usize]))
    };
    Ok(Relation::explore(&tracks(heaps), starts, follow, |(_, s)| accepting[*s as usize], meter)?)
}

/// One heap to `most` heaps lowered. Of each heap a state knows whether y is below, at or above x in the bits read.
fn lowered(heaps: u8, most: u64, meter: &mut Meter) -> Result<Relation, Halt> {
    // heaps that differ, and those of them that are below
    let follow = |(differ, below): &(u32, u32), letter: u32| {
        let (x, y) = halves(letter, heaps);
        let differ = differ | (x ^ y);
        let below = below & !(x ^ y) | x & !y;
        (u64::from(differ.count_ones()) <= most).then_some((differ, below))
    };
    let accepts = |(differ, below): &(u32, u32)| *differ != 0 && differ == below;
    Ok(Relation::explore(&tracks(heaps), vec![(0, 0)], follow, accepts, meter)?)
}

/// One heap lowered, or both by the same amount.
fn wythoff(meter: &mut Meter) -> Result<Relation, Halt> {
    let one = lowered(2, 1, meter)?;
    // amount = x - y with a borrow for each heap; the amount's bit is the difference of the other bits
    let follow = |(borrows, positive): &(u32, bool), letter: u32| {
        let (x, y) = halves(letter, 2);
        let bits = x ^ y ^ borrows;
        if bits != 0 && bits != 3 {
            return None;
        }
        let next = !x & y | !(x ^ y) & borrows;
        Some((next & 3, *positive || bits != 0))
    };
    let both = Relation::explore(
        &tracks(2),
        vec![(0, false)],
        follow,
        |(borrows, positive)| *borrows == 0 && *positive,
        meter,
    )?;
    Ok(one.or(&both, meter)?)
}

/// Coins of one stair to the next one down; on stair 0 they stay.
fn staircase(heaps: u8, meter: &mut Meter) -> Result<Relation, Halt> {
    let tracks = tracks(heaps);
    let mut whole = atoms::all(&tracks, meter)?.not(meter)?;
    for stair in 1..heaps {
        let (x, y) = (stair, heaps + stair);
        let fewer = atoms::at_most_zero(&Linear { terms: vec![(x, -1), (y, 1)], constant: 1 }, meter)?;
        let moved = Linear { terms: vec![(x - 1, 1), (x, 1), (y - 1, -1), (y, -1)], constant: 0 };
        let moved = atoms::equal_zero(&moved, meter)?;
        let mut parts = vec![fewer, moved];
        for other in (0..heaps).filter(|s| *s != stair && *s != stair - 1) {
            parts.push(atoms::columnwise(&[other, heaps + other], |bits| bits == 0 || bits == 3, meter)?);
        }
        let parts: Vec<&Relation> = parts.iter().collect();
        whole = whole.or(&project(&parts, &tracks, meter)?, meter)?;
    }
    Ok(whole)
}

fn tracks(heaps: u8) -> Vec<Track> {
    (0..2 * heaps).collect()
}

/// The bits of x and those of y.
fn halves(letter: u32, heaps: u8) -> (u32, u32) {
    (letter & ((1 << heaps) - 1), letter >> heaps)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::{super::plain, *};

    /// All positions of so many heaps below `side`.
    fn box_of(heaps: usize, side: u64) -> Vec<Vec<u64>> {
        (0..side.pow(heaps as u32)).map(|i| (0..heaps as u32).map(|h| i / side.pow(h) % side).collect()).collect()
    }

    #[test]
    fn relations_are_the_options_of_the_rulesets() {
        for (text, heaps, side) in [
            ("nim", 1, 12),
            ("nim", 2, 6),
            ("nim", 3, 4),
            ("[take 1..3]", 2, 7),
            ("subtraction[{1,3,4}]", 2, 7),
            ("[take k where 2*k <= n]", 2, 7),
            ("[take odd but 3]", 2, 7),
            ("0.13", 2, 7),
            ("[take k where k mod 2 = n mod 2]", 2, 6),
            ("moore[1]", 2, 5),
            ("moore[2]", 3, 4),
            ("moore[3]", 2, 5),
            ("moore[2]", 4, 3),
            ("wythoff", 2, 7),
            ("staircase", 1, 5),
            ("staircase", 3, 4),
            ("nimble", 2, 5),
            ("[n -> m where m < n and n < m + 4]", 1, 12),
            ("[a, b -> x, y where x < a and y = b or x = a and y < b]", 2, 6),
            ("[a, b -> x, y where x < a and y < b and a - x <= b - y + 1 and b - y <= a - x + 1]", 2, 7),
            ("[a, b -> x, y where x < a and b <= y and x + y < a + b]", 2, 7),
            ("[a, b -> x, y where x + y = a + b and x < a]", 2, 7),
            ("[a, b -> x, y where x + y = a + b and y < b or x + y + 3 = a + b]", 2, 7),
            (
                "[a, b, c -> x, y, z where max(x, y, z) < min(a, b, c) or (x + y + z) mod 3 = 0 and x < a and y < b and z < c]",
                3,
                4,
            ),
        ] {
            let ruleset = TupleRuleset::read(text).unwrap();
            let m = &mut Meter::unlimited();
            let (moves, game) = compile(&ruleset, heaps, m).unwrap();
            for x in box_of(heaps.into(), side) {
                let mut options = std::collections::HashSet::new();
                let _ = plain::options(&game, &x, &mut |o| {
                    options.extend(o.map(<[u64]>::to_vec));
                    ControlFlow::Continue(())
                });
                for y in box_of(heaps.into(), side) {
                    let pair: Vec<u128> = x.iter().chain(&y).map(|n| u128::from(*n)).collect();
                    assert_eq!(moves.contains(&pair), options.contains(&y), "{text} {x:?} {y:?}");
                }
            }
        }
    }

    #[test]
    fn what_lies_outside_is_said() {
        for text in ["kayles", "lasker", "euclid", "treblecross", "[take squares]"] {
            let ruleset = TupleRuleset::read(text).unwrap();
            assert!(matches!(compile(&ruleset, 2, &mut Meter::unlimited()), Err(Halt::Outside(_))), "{text}");
        }
    }

    #[test]
    fn every_play_ends_for_a_reason() {
        for (condition, reason) in [
            ("x < a and y = b", Order::Total),
            ("x + y < a + b", Order::Total),
            ("x + y = a + b and x < a", Order::Smaller),
            ("x = a and y < b or x + y = a + b and x > a", Order::Larger),
            // no move at all
            ("x < a and x > a", Order::Total),
        ] {
            let rule = TupleRuleset::read(&format!("[a, b -> x, y where {condition}]")).unwrap();
            assert_eq!(compile(&rule, 2, &mut Meter::unlimited()).unwrap().1.order, reason, "{condition}");
        }
        for (condition, message) in [
            ("x < a", "the move (1, 0) -> (0, 2) makes the total larger"),
            ("x <= a and y <= b", "the move (0, 0) -> (0, 0) leaves the position as it is"),
            (
                "x + y = a + b and x != a",
                "the moves (1, 0) -> (0, 1) and (0, 1) -> (1, 0) leave the total, one makes the first heap that changes \
                 smaller, one larger",
            ),
            ("x < a and y = b and (a - y) xor 1 = 1", "a rule without a value for"),
            ("x * y < a and x + y < a", "a product of two terms with variables"),
        ] {
            let rule = TupleRuleset::read(&format!("[a, b -> x, y where {condition}]")).unwrap();
            let Err(Halt::Outside(said)) = compile(&rule, 2, &mut Meter::unlimited()) else { panic!("{condition}") };
            assert!(said.starts_with(message), "{condition}: {said}");
        }
    }
}
