//! Random numbers that are the same on every machine, and random legal moves.

use grundy_core::{
    rulesets::{
        AnyComponent,
        heap::{Alternative, HeapRule},
    },
    theory::Sum,
};

use super::walk::{self, Parts};
use crate::answer::Move;

/// The generator SplitMix64: a counter that grows by a constant, each value well stirred. It passes the usual tests, has the
/// period 2^64, and gives the same numbers for a seed on all machines. It is no secret: not for cryptography.
///
/// x := x + 9E3779B97F4A7C15; z := (x ⊕ (x >> 30)) · BF58476D1CE4E5B9; z := (z ⊕ (z >> 27)) · 94D049BB133111EB;
/// the number is z ⊕ (z >> 31), all modulo 2^64, constants in hexadecimal, and x begins with the seed.
///
/// # Sources
/// `[SLF14]`
///
/// # Examples
/// ```
/// use grundy::play::Random;
/// let mut random = Random::new(1234567);
/// assert_eq!(random.next(), 6457827717110365317);
/// assert_eq!(Random::new(5).below(1), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    x: u64,
}

impl Random {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Self {
        Random { x: seed }
    }

    /// A number below 2^64, each with the same chance.
    #[allow(clippy::should_implement_trait)] // an endless source, not an iterator
    pub fn next(&mut self) -> u64 {
        self.x = self.x.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.x ^ (self.x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, each with the same chance; 0 for `n` = 0.
    ///
    /// The upper half of a product of 128 bits, with the few products rejected that would favour some numbers.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let rejected = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            if product as u64 >= rejected {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number up to `n`, `n` included.
    pub fn up_to(&mut self, n: u64) -> u64 {
        if n == u64::MAX { self.next() } else { self.below(n + 1) }
    }

    /// A place in a list of `len`, 0 if it is empty.
    fn place(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }
}

/// Options of a whole position that are counted for a uniform choice.
const COUNTED: u64 = 1 << 13;

/// A random legal move; None if none was found.
///
/// Uniform over all legal moves, equal components counted each, where these are at most 2^13. Otherwise a component with a
/// move is drawn, each with the same chance, and in it an amount and a remainder are drawn without listing the options; this
/// is not uniform over the moves.
pub fn random_move(game: &Sum<AnyComponent>, random: &mut Random) -> Option<Move> {
    let components = game.components();
    let mut ends = Vec::new();
    let mut total = 0;
    for (i, c) in components.iter().enumerate() {
        let count = match i.checked_sub(1) {
            // neighbours are often equal
            Some(j) if components[j] == *c => ends[j] - j.checked_sub(1).map_or(0, |j| ends[j]),
            _ => match walk::count(c, COUNTED) {
                Some(count) => count,
                None => return of_some_component(game, random),
            },
        };
        total += count;
        ends.push(total);
        if total > COUNTED {
            return of_some_component(game, random);
        }
    }
    if total == 0 {
        return None;
    }
    let k = random.below(total);
    let i = ends.partition_point(|end| *end <= k);
    let before = i.checked_sub(1).map_or(0, |j| ends[j]);
    walk::legal_move(game, i, &walk::nth(&components[i], k - before)?)
}

fn of_some_component(game: &Sum<AnyComponent>, random: &mut Random) -> Option<Move> {
    let all = game.components();
    let start = random.place(all.len());
    // most components have a move; a long run of dead ones is rare and only makes the choice less even
    let drawn = (0..32).map(|_| random.place(all.len())).collect::<Vec<_>>();
    let order = drawn.into_iter().chain((0..all.len()).map(|d| (start + d) % all.len()));
    for i in order.filter(|i| walk::has_move(&all[*i])) {
        let to = match walk::count(&all[i], COUNTED) {
            Some(count) => walk::nth(&all[i], random.below(count)),
            None => drawn_option(&all[i], random),
        };
        if let Some(played) = to.and_then(|to| walk::legal_move(game, i, &to)) {
            return Some(played);
        }
    }
    None
}

/// An option of a component that has too many to list.
fn drawn_option(component: &AnyComponent, random: &mut Random) -> Option<Parts> {
    const TRIES: usize = 256;
    let drawn = (0..TRIES).find_map(|_| {
        let parts = match walk::takes(component) {
            Some((rule, heap)) => remainder(rule, heap, random)?
                .into_iter()
                .map(|n| walk::with_numbers(component, vec![n]))
                .collect::<Option<Parts>>()?,
            None => vec![walk::with_numbers(component, lowered(walk::numbers(component)?, random)?)?],
        };
        component.is_option(&parts).then_some(parts)
    });
    drawn.or_else(|| {
        let (mut first, _) = walk::list(component, 1 << 12);
        (!first.is_empty()).then(|| first.swap_remove(random.place(first.len())))
    })
}

/// Heaps that some alternative of the rule may leave; the rule may still refuse them.
fn remainder(rule: &HeapRule, heap: u64, random: &mut Random) -> Option<Vec<u64>> {
    let all = rule.alternatives();
    let way: &Alternative = all.get(random.place(all.len()))?;
    let from = random.up_to(heap);
    let taken = way.take.next_from(from, heap).or_else(|| way.take.next_from(0, heap))?;
    let rest = heap - taken;
    let mut counts: Vec<u64> = way.leave.exact.iter().map(|(count, _)| u64::from(*count)).collect();
    counts.extend(way.leave.from.iter().flat_map(|(count, _)| (0..3).map(|more| u64::from(*count) + more)));
    counts.retain(|count| (*count == 0) == (rest == 0) && *count <= rest.min(64));
    let count = *counts.get(random.place(counts.len()))?;
    let mut cuts: Vec<u64> = (1..count).map(|_| random.up_to(rest)).collect();
    cuts.sort_unstable();
    cuts.push(rest);
    let mut last = 0;
    let parts = cuts.into_iter().map(|cut| cut - std::mem::replace(&mut last, cut));
    let mut parts: Vec<u64> = parts.filter(|_| count > 0).collect();
    parts.sort_unstable();
    Some(parts)
}

/// A list of numbers such as a move may lead to: one number lowered, two lowered alike, some moved to the number before,
/// or a multiple of the smallest taken off.
fn lowered(numbers: &[u64], random: &mut Random) -> Option<Vec<u64>> {
    let mut next = numbers.to_vec();
    let i = random.place(next.len());
    let amount = 1 + random.below(*next.get(i)?);
    match random.below(4) {
        0 => next[i] = next[i].checked_sub(amount)?,
        1 => {
            for n in &mut next {
                *n = n.checked_sub(amount)?;
            }
        }
        2 => {
            next[i] = next[i].checked_sub(amount)?;
            let below = i.checked_sub(1)?;
            next[below] = next[below].checked_add(amount)?;
        }
        _ => {
            let least = numbers.iter().copied().filter(|n| *n > 0).min()?;
            let times = 1 + random.below(next[i] / least);
            next[i] = next[i].checked_sub(times.checked_mul(least)?)?;
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::{print_component, read_sum};
    use std::collections::HashMap;

    #[test]
    fn splitmix64_as_published() {
        let mut random = Random::new(1234567);
        let numbers: Vec<u64> = (0..5).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
        );
    }

    #[test]
    fn below_is_even() {
        let mut random = Random::new(1);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
        assert!((0..100).all(|_| random.below(3 << 62) < 3 << 62));
        assert_eq!((random.below(0), random.below(1), random.up_to(0)), (0, 0, 0));
    }

    #[test]
    fn each_legal_move_has_the_same_chance() {
        let game = read_sum("kayles(4) + nim(0, 1) + wythoff(1, 1)").unwrap();
        let mut random = Random::new(7);
        let mut seen: HashMap<(usize, Parts), u32> = HashMap::new();
        for _ in 0..8000 {
            let m = random_move(&game, &mut random).unwrap();
            *seen.entry((m.component, m.to)).or_default() += 1;
        }
        assert_eq!(seen.len(), 4 + 1 + 3);
        assert!(seen.values().all(|n| (850..1150).contains(n)), "{seen:?}");
        assert_eq!(random_move(&read_sum("nim(0) + kayles(0)").unwrap(), &mut random), None);
    }

    #[test]
    fn huge_positions_are_drawn_from() {
        let mut random = Random::new(3);
        for text in [
            "nim(10^18)",
            "lasker(10^18)",
            "[take squares](10^18)",
            "[take any leaving a, b where a != b](10^18)",
            "4!.0(10^18)",
            "0.[*](10^18)",
            "kayles(10^18)",
            "wythoff(10^18, 10^17)",
            "euclid(10^18, 7)",
            "nimble(10^18, 3)",
            "staircase(0, 5, 10^18)",
            "moore[2](10^18, 10^18, 3)",
        ] {
            let game = read_sum(text).unwrap();
            let mut seen = std::collections::HashSet::new();
            for _ in 0..50 {
                let m = random_move(&game, &mut random).unwrap_or_else(|| panic!("{text}"));
                seen.insert(m.to.iter().map(print_component).collect::<Vec<_>>());
            }
            assert!(seen.len() > 20, "{text}: {seen:?}");
        }
    }
}
