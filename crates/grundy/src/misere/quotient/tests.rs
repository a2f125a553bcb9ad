//! Quotients against published and computed facts, and against plain recursion.

use std::collections::HashMap;

use grundy_core::notation::read_heap_game;

use super::*;

fn quotient(rule: &str, to: u64) -> QuotientSearch {
    let game = read_heap_game(rule).unwrap();
    let mut search = QuotientSearch::new(game.rule().clone());
    search.extend(to, &mut Meter::unlimited()).unwrap();
    search
}

/// Lost by recursion over sorted lists of heaps.
fn is_lost(rule: &HeapRule, heaps: &[u64], known: &mut HashMap<Vec<u64>, bool>) -> bool {
    if let Some(lost) = known.get(heaps) {
        return *lost;
    }
    let mut options: Vec<Vec<u64>> = Vec::new();
    for (i, heap) in heaps.iter().enumerate() {
        let _ = rule.each_option(*heap, &mut |parts: &[u64]| {
            let mut next = heaps.to_vec();
            next.remove(i);
            next.extend(parts);
            next.sort_unstable();
            options.push(next);
            std::ops::ControlFlow::Continue(())
        });
    }
    let lost = !options.is_empty() && options.iter().all(|next| !is_lost(rule, next, known));
    known.insert(heaps.to_vec(), lost);
    lost
}

#[test]
fn orders_and_periods() {
    for (rule, to, order, lost, period, preperiod) in [
        ("0.123", 60, 20, 5, 5, 5),
        ("0.75", 60, 8, 2, 2, 8),
        ("0.34", 60, 12, 3, 8, 7),
        ("0.72", 60, 24, 5, 4, 16),
        ("0.144", 60, 30, 5, 10, 12),
        ("0.53", 90, 16, 3, 9, 21),
        ("0.0122", 60, 20, 5, 7, 8),
        ("0.77", 200, 40, 9, 12, 71),
    ] {
        let q = quotient(rule, to);
        assert_eq!((q.order(), q.lost()), (order, lost), "{rule}");
        assert_eq!(q.period(), Some(QuotientPeriod { period, preperiod }), "{rule}");
        assert!(q.kernel().is_power_of_two() && !q.is_tame(), "{rule}");
    }
    let dawson = quotient("0.07", 27);
    assert_eq!((dawson.order(), dawson.lost(), dawson.period()), (176, 28, None));
    assert!(quotient("[take any]", 16).is_tame());
}

#[test]
fn a_presentation_of_a_wild_quotient() {
    let p = quotient("0.75", 60).presentation();
    assert_eq!(p.generators, [1, 2, 5]);
    let relations: Vec<String> =
        p.relations.iter().map(|r| format!("{}={}", p.print(&r.left), p.print(&r.right))).collect();
    assert_eq!(relations, ["a2=1", "bc=ab", "c2=b2", "b3=b"]);
    assert_eq!(p.lost.iter().map(|w| p.print(w)).collect::<Vec<_>>(), ["a", "b2"]);
    // of Kayles: 21 rules in 7 generators
    let kayles = quotient("0.77", 200).presentation();
    assert_eq!((kayles.generators.len(), kayles.relations.len()), (7, 21));
}

#[test]
fn all_small_sums_as_by_recursion() {
    for rule in ["0.77", "0.123", "0.07", "0.15", "4.7", "grundy_game", "0.3", "0.241", "0.6", "lasker"] {
        let game = read_heap_game(rule).unwrap();
        let mut search = QuotientSearch::new(game.rule().clone());
        search.extend(14, &mut Meter::unlimited()).unwrap();
        let mut known = HashMap::new();
        let mut sums = vec![Vec::new()];
        for heap in 1..=14u64 {
            for i in 0..sums.len() {
                let mut sum: Vec<u64> = sums[i].clone();
                while sum.iter().sum::<u64>() + heap <= 16 {
                    sum.push(heap);
                    sums.push(sum.clone());
                }
            }
        }
        for sum in sums {
            let class = search.class_of_sum(&sum).unwrap();
            assert_eq!(search.is_lost(class), is_lost(game.rule(), &sum, &mut known), "{rule} {sum:?}");
        }
    }
}

#[test]
fn a_limit_leaves_what_is_proved() {
    let game = read_heap_game("0.07").unwrap();
    let mut search = QuotientSearch::new(game.rule().clone());
    let budget = crate::Budget { memory: Some(1 << 16), ..crate::Budget::default() };
    let halt = search.extend(33, &mut Meter::new(&budget)).unwrap_err();
    assert!(matches!(halt, Halt::Stopped(_)), "{halt:?}");
    let proved = search.last();
    assert!((10..33).contains(&proved));
    search.extend(proved + 1, &mut Meter::unlimited()).unwrap();
    assert_eq!(search.last(), proved + 1);
}
