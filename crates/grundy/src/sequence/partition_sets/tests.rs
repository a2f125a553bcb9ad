use super::{
    bits::unite_moved_plain,
    rows::{any_within_plain, has_xor_plain, largest_sum_plain, largest_xor_plain},
    *,
};
use crate::{
    budget::Budget,
    sequence::{Engine, Sequence, observed_period},
};
use grundy_core::notation::read_heap_game;
use proptest::prelude::*;

fn sequence(code: &str, to: u64) -> Vec<u64> {
    let mut s = Sequence::new(read_heap_game(code).unwrap().rule(), Engine::PartitionSets);
    assert!(matches!(s.engine, super::super::Running::PartitionSets(_)), "{code}");
    s.advance(to, &mut Meter::unlimited()).unwrap();
    (0..=to).map(|n| s.value(n).unwrap()).collect()
}

/// The twin: all sets in full, as the definition has them.
fn by_whole_sets(code: &str, to: usize) -> Vec<u64> {
    let shape = ManyShape::of(read_heap_game(code).unwrap().rule()).unwrap();
    let most = shape.many.last().unwrap().parts;
    let width = 2 * to.next_power_of_two();
    let mut values = vec![0usize];
    // sets[j - 1][m] for j parts; unequal[m] for two unequal ones
    let mut sets = vec![vec![vec![false; width]]; most];
    let mut unequal = vec![vec![false; width]];
    for n in 1..=to {
        let mut pairs = vec![false; width];
        (1..n.div_ceil(2)).for_each(|a| pairs[values[a] ^ values[n - a]] = true);
        unequal.push(pairs);
        for j in 2..=most {
            let mut set = vec![false; width];
            for a in 1..n {
                let below = &sets[j - 2][n - a];
                (0..width).filter(|v| below[*v]).for_each(|v| set[v ^ values[a]] = true);
            }
            sets[j - 1].push(set);
        }
        let mut options = vec![false; width];
        let mut add = |set: &[bool]| options.iter_mut().zip(set).for_each(|(o, s)| *o |= s);
        if shape.few.nothing.contains(&n) {
            add(&[true]);
        }
        shape.few.whole.iter().filter(|k| **k < n).for_each(|k| add(&sets[0][n - k]));
        for p in shape.few.pairs.iter().filter(|p| p.amount < n) {
            add(if p.unequal { &unequal[n - p.amount] } else { &sets[1][n - p.amount] });
        }
        shape.many.iter().filter(|m| m.amount < n).for_each(|m| add(&sets[m.parts - 1][n - m.amount]));
        let mex = options.iter().position(|o| !o).unwrap();
        values.push(mex);
        let mut one = vec![false; width];
        one[mex] = true;
        sets[0].push(one);
    }
    values.into_iter().map(|v| v as u64).collect()
}

/// Arithmetic periodic games, games that look random, games with few large values, and several numbers of parts.
#[test]
fn equals_the_twin() {
    for (code, to) in [
        ("0.8", 250),
        ("0.3F", 250),
        ("0.2E", 400),
        ("0.DA", 400),
        ("0.F3F7", 300),
        ("4.8C", 200),
        ("0.A000{2!}", 250),
        ("0.OP", 150),
        ("0.0G8", 150),
        ("8.&64;", 100),
    ] {
        assert!(sequence(code, to) == by_whole_sets(code, to as usize), "{code}");
    }
}

/// However the values are found, they are the same: with every batch of translates from the start, with none, and with
/// sets made at the first look.
#[test]
fn every_way_finds_the_same() {
    for code in ["0.2E", "0.F3F7", "0.28", "0.V"] {
        let game = read_heap_game(code).unwrap();
        let expected = sequence(code, 800);
        for (batches, refuted) in [(0, 0), (3, 0), (1 << 20, 0), (0, u64::MAX)] {
            let mut engine = PartitionSets::new(ManyShape::of(game.rule()).unwrap());
            let mut table = ValueTable::new();
            for n in 0..=800 {
                (engine.batches, engine.refuted) = ([batches; 2], [refuted; 2]);
                engine.compute(&mut table, n, &mut Meter::unlimited()).unwrap();
            }
            assert!(table.iter_from(0).eq(expected.iter().copied()), "{code} {batches} {refuted}");
        }
    }
}

/// Codes with their period and saltus, observed to heap 1024 by the plain definition.
#[test]
fn known_periods_are_observed() {
    for (code, period, preperiod, saltus) in [
        ("0.008", 5, 1, 1),
        ("0.00F", 3, 0, 1),
        ("0.08", 4, 1, 1),
        ("0.0E", 2, 1, 1),
        ("0.0F", 2, 0, 1),
        ("0.137F", 2, 0, 1),
        ("0.1A", 2, 4, 1),
        ("0.1B", 2, 5, 1),
        ("0.29", 53, 1, 16),
        ("0.81", 2, 1, 0),
        ("0.82", 2, 1, 1),
        ("0.84", 3, 1, 1),
        ("0.85", 2, 1, 0),
        ("0.86", 2, 1, 1),
        ("0.8B", 7, 7, 4),
        ("0.8E", 2, 1, 1),
        ("0.9B", 7, 8, 4),
        ("0.9F", 3, 4, 2),
        ("0.A", 2, 1, 0),
        ("0.A5", 2, 1, 0),
        ("0.A8", 4, 1, 2),
        ("0.A9", 4, 1, 2),
        ("0.AB", 1, 1, 1),
        ("0.AF", 1, 1, 1),
        ("0.B", 2, 0, 0),
        ("0.B1", 2, 2, 0),
        ("0.B3", 4, 1, 0),
        ("0.BA", 1, 3, 1),
        ("0.BF", 1, 4, 1),
        ("0.C8", 2, 1, 1),
        ("0.C9", 3, 3, 2),
        ("0.CA", 2, 1, 1),
        ("0.CE", 2, 1, 1),
        ("0.CF", 3, 3, 2),
        ("0.EA", 1, 1, 1),
        ("0.EB", 1, 1, 1),
        ("0.ED", 1, 1, 1),
        ("0.EE", 1, 1, 1),
        ("0.F", 2, 0, 0),
        ("0.F2", 4, 1, 0),
        ("0.F5", 2, 1, 0),
        ("0.F8", 6, 7, 4),
        ("0.FE", 1, 3, 1),
        ("0.8", 3, 1, 1),
        ("0.3F", 6, 0, 3),
        ("0.28", 53, 1, 16),
    ] {
        let table: ValueTable = sequence(code, 1024).into_iter().collect();
        let seen = observed_period(&table, &mut Meter::unlimited()).unwrap().unwrap();
        assert_eq!((seen.period, seen.preperiod, seen.saltus), (period, preperiod, saltus), "{code}");
    }
}

#[test]
fn resumes_anywhere_and_keeps_what_a_limit_leaves() {
    let expected = sequence("0.DA", 2500);
    let rule = read_heap_game("0.DA").unwrap().rule().clone();
    for cut in [1, 64, 999, 2000] {
        let mut s = Sequence::resume(&rule, Engine::PartitionSets, expected[..cut].iter().copied().collect());
        s.advance(2500, &mut Meter::unlimited()).unwrap();
        assert!(s.table().iter_from(0).eq(expected.iter().copied()), "{cut}");
    }
    let mut s = Sequence::new(&rule, Engine::PartitionSets);
    let mut meter = Meter::new(&Budget { memory: Some(200_000), ..Budget::default() });
    assert_eq!(s.advance(2500, &mut meter).unwrap_err().limit, Limit::Memory);
    let known = s.table().len();
    assert!((500..2500).contains(&known), "{known}");
    let mut meter = Meter::new(&Budget { positions: Some(100), ..Budget::default() });
    assert_eq!(s.advance(2500, &mut meter).unwrap_err().limit, Limit::Positions);
    assert_eq!(s.table().len(), known + 100);
    s.advance(2500, &mut Meter::unlimited()).unwrap();
    assert!(s.table().iter_from(0).eq(expected.iter().copied()));
}

#[test]
fn values_outgrow_their_words() {
    let values = sequence("0.8", 20_000);
    assert!((1..=19_997).all(|n| values[n + 3] == values[n] + 1));
    assert_eq!(values[20_000], 6666);
    // values of somebody else's that are too wide
    let rule = read_heap_game("0.8").unwrap().rule().clone();
    let wide = Sequence::resume(&rule, Engine::PartitionSets, [0, 1 << 30].into_iter().collect());
    assert!(matches!(wide.engine, super::super::Running::Direct(_)));
}

proptest! {
    #[test]
    fn wide_and_plain_compares_are_one(
        pairs in prop::collection::vec((0i32..600, -1i32..600), 0..300),
        v in 0i32..1024,
    ) {
        let (forward, backward): (Vec<i32>, Vec<i32>) = pairs.iter().copied().unzip();
        let (f, b): (&[i32], Vec<i32>) = (&forward, backward.iter().rev().copied().collect());
        let positive: Vec<i32> = b.iter().map(|y| *y.max(&0)).collect();
        let xors = || pairs.iter().map(|(x, y)| x ^ y.max(&0));
        prop_assert_eq!(largest_xor(f, &positive), xors().max().unwrap_or(-1));
        prop_assert_eq!(largest_xor_plain(f, &positive), xors().max().unwrap_or(-1));
        prop_assert_eq!(has_xor(f, &positive, v), xors().any(|x| x == v));
        prop_assert_eq!(has_xor_plain(f, &positive, v), xors().any(|x| x == v));
        let sum = pairs.iter().filter(|(_, y)| *y >= 0).map(|(x, y)| x + y).max().unwrap_or(-1);
        prop_assert_eq!(largest_sum(f, &b), sum);
        prop_assert_eq!(largest_sum_plain(f, &b), sum);
        let within = pairs.iter().any(|(x, y)| x ^ v <= *y);
        prop_assert_eq!(any_within(f, &b, v), within);
        prop_assert_eq!(any_within_plain(f, &b, v), within);
    }
}

#[test]
fn words_and_bits_change_places() {
    for g in [0, 1, 7, 63, 64, 300, 511, 700] {
        let values = [0, 1, 5, 63, 64, 130, 511];
        let mut from = vec![0u64; 8];
        values.iter().for_each(|v| insert(&mut from, *v));
        let mut to = vec![0u64; 16];
        unite_moved(&mut to, &from, g / 64);
        let mut plain = vec![0u64; 16];
        unite_moved_plain(&mut plain, &from, g / 64);
        assert_eq!(to, plain, "{g}");
        to.iter_mut().for_each(|w| *w = xor_bits(*w, (g % 64) as u64));
        let mut expected = vec![0u64; 16];
        values.iter().for_each(|v| insert(&mut expected, v ^ g));
        assert_eq!(to, expected, "{g}");
    }
    assert_eq!(next_missing(&[u64::MAX, 7], 5), 67);
    assert_eq!(next_missing(&[u64::MAX; 2], 0), 128);
    assert_eq!((largest_of(&[0, 0]), largest_of(&[1, 4])), (-1, 66));
}
