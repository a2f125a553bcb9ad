//! Moves between positions of several heaps as automatic relations: of the position x on the tracks 0 .. k and of its
//! options y on the tracks k .. 2k.

use grundy_core::rulesets::{AnyRuleset, heap::HeapRule};

use crate::budget::Meter;
use crate::discover::{
    Halt, atoms,
    compile::{HEAP, Options, VALUE},
    relation::{Relation, Track, project},
};

/// All pairs of a position and an option.
///
/// # Errors
/// A ruleset outside the theory, or the meter's stop.
pub(super) fn relation(ruleset: &AnyRuleset, heaps: u8, meter: &mut Meter) -> Result<Relation, Halt> {
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
        let fewer = atoms::at_most_zero(&atoms::Linear { terms: vec![(x, -1), (y, 1)], constant: 1 }, meter)?;
        let moved = atoms::Linear { terms: vec![(x - 1, 1), (x, 1), (y - 1, -1), (y, -1)], constant: 0 };
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

    use grundy_core::notation::read_ruleset;

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
        ] {
            let ruleset = read_ruleset(text).unwrap();
            let m = &mut Meter::unlimited();
            let moves = relation(&ruleset, heaps, m).unwrap();
            for x in box_of(heaps.into(), side) {
                let mut options = std::collections::HashSet::new();
                let _ = plain::options(&ruleset, &x, &mut |o| {
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
            let ruleset = read_ruleset(text).unwrap();
            assert!(matches!(relation(&ruleset, 2, &mut Meter::unlimited()), Err(Halt::Outside(_))), "{text}");
        }
    }
}
