//! The engines against the definitions.

use grundy_core::{
    ruleset::definition::{GrundyByDefinition, OutcomeByDefinition},
    rulesets::Chomp,
    theory::{Convention, Outcome, mex},
};
use proptest::prelude::*;

use super::*;
use crate::budget::{Budget, Limit, Meter};

const CONVENTIONS: [Convention; 2] = [Convention::Normal, Convention::Misere];

/// All positions below a board, itself included.
fn below(board: &[u64]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = Vec::new();
    let mut layer = vec![Vec::new()];
    for most in board {
        let longer = |g: &Vec<u64>| {
            let most = g.last().map_or(*most, |row| *most.min(row));
            let g = g.clone();
            (1..=most).map(move |row| [&g[..], &[row]].concat())
        };
        layer = layer.iter().flat_map(longer).collect();
        all.extend_from_slice(&layer);
    }
    all
}

fn values(board: &[u64]) -> Values {
    let shape = Shape::new(board, 1 << 30).unwrap();
    Values::new(&shape, &mut Meter::unlimited()).unwrap()
}

/// Everything that the engines say about the positions below a board is what the definitions say.
fn agrees(board: &[u64]) {
    let all = below(board);
    let table = values(board);
    assert_eq!(positions(table.shape()), all.len() as u64);
    let mut twin = GrundyByDefinition::new(&Chomp);
    for g in &all {
        assert_eq!(table.value(g), Some(twin.value(g)), "{g:?} below {board:?}");
    }
    for convention in CONVENTIONS {
        let mut twin = OutcomeByDefinition::new(&Chomp, convention);
        let mut boards = Boards::default();
        let found = boards.outcome(board, convention, &mut Meter::unlimited()).unwrap();
        assert_eq!(found.is_lost, twin.outcome(&[board.to_vec()]) == Outcome::P, "{convention} {board:?}");
        let wins = |(r, c): &(usize, u64)| twin.outcome(&[Chomp.bite(board, *r, *c).unwrap()]) == Outcome::P;
        let winning: Vec<_> = Chomp.bites(board).filter(wins).collect();
        assert_eq!(found.winning, winning, "{convention} {board:?}");
        if let [first, tail @ ..] = board
            && !tail.is_empty()
        {
            let tails = Shape::new(tail, 1 << 30).unwrap();
            let table = Outcomes::new(*first as usize, &tails, convention, &mut Meter::unlimited()).unwrap();
            for g in &all {
                let lost = twin.outcome(core::slice::from_ref(g)) == Outcome::P;
                assert_eq!(table.is_lost(g), Some(lost), "{convention} {g:?} below {board:?}");
            }
        }
    }
}

#[test]
fn every_board_within_four_rows_of_five() {
    for board in below(&[5; 4]).iter().filter(|b| b.len() > 1) {
        agrees(board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn larger_boards(mut rows in prop::collection::vec(1u64..=7, 2..=7)) {
        rows.sort_unstable_by(|a, b| b.cmp(a));
        agrees(&rows);
    }
}

/// Values of two rows (a, b), by definition.
fn two_rows(most: usize) -> Vec<Vec<u64>> {
    let mut g = vec![vec![0; most + 1]; most + 1];
    for a in 1..=most {
        for b in 0..=a {
            let lower = (0..b).map(|c| g[a][c]);
            let both = (1..a).map(|c| g[c][b.min(c)]);
            g[a][b] = mex(lower.chain(both));
        }
    }
    g
}

#[test]
fn sets_grow_with_the_values() {
    let g = two_rows(200);
    // sets of one word and more, of two and more, and values of two bytes
    assert!(g[50][50] > 64 && g[100][100] > 128 && g[200][200] > 256);
    for most in [50, 100, 200] {
        let table = values(&[most; 2]);
        for a in 1..=most {
            for b in 0..=a {
                let rows = if b == 0 { vec![a] } else { vec![a, b] };
                assert_eq!(table.value(&rows), Some(g[a as usize][b as usize]), "{rows:?}");
            }
        }
    }
    // turned, and beyond
    let table = values(&[200; 2]);
    assert_eq!(table.value(&[2; 150]), Some(g[150][150]));
    assert_eq!((table.value(&[201]), table.value(&[3; 3]), table.value(&[])), (None, None, None));
}

#[test]
fn long_rows_below_a_short_one() {
    // one word more for the sign that the first row loses: columns around a multiple of 64
    for columns in [62, 63, 64, 65, 126, 127, 255, 256, 300] {
        let tails = Shape::new(&[5, 2], 1 << 20).unwrap();
        for convention in CONVENTIONS {
            let table = Outcomes::new(columns, &tails, convention, &mut Meter::unlimited()).unwrap();
            let mut sweep = ThreeRows::new([columns as u64, 5, 2], convention, &mut Meter::unlimited()).unwrap();
            let mut lost = Vec::new();
            while !sweep.is_done() {
                sweep.advance(&mut lost, &mut Meter::unlimited()).unwrap();
            }
            let mut found = Vec::new();
            table.each(|first, tail| {
                let mut rest = [0; 2];
                tails.unrank(0, tail, &mut rest);
                found.push([first as u32, rest[0] as u32, rest[1] as u32]);
            });
            found.sort_unstable();
            assert_eq!(lost, found, "{convention} {columns}");
        }
    }
}

#[test]
fn three_rows_are_those_of_the_sweep_over_all() {
    for convention in CONVENTIONS {
        let table = Outcomes::of_box(3, 70, convention, &mut Meter::unlimited()).unwrap();
        let mut count = 0;
        let mut before = vec![0; 3];
        each_lost(3, 70, convention, &mut Meter::unlimited(), &mut |p| {
            let full = p.iter().take_while(|row| **row > 0).count();
            assert_eq!(table.is_lost(&p[..full]), Some(true), "{convention} {p:?}");
            assert!(before[..] < *p, "{p:?} after {before:?}");
            before = p.to_vec();
            count += 1;
            core::ops::ControlFlow::Continue(())
        })
        .unwrap();
        let mut all = 0;
        table.each(|_, _| all += 1);
        assert_eq!(count, all);
    }
}

#[test]
fn boxes_are_listed_in_order() {
    let lost = |rows, columns, convention| {
        let mut all = Vec::new();
        each_lost(rows, columns, convention, &mut Meter::unlimited(), &mut |p| {
            all.push(p.to_vec());
            core::ops::ControlFlow::Continue(())
        })
        .unwrap();
        all
    };
    assert_eq!(lost(1, 9, Convention::Normal), [[1]]);
    assert_eq!(lost(1, 9, Convention::Misere), [[2]]);
    assert_eq!(lost(1, 1, Convention::Misere), [[0; 1]; 0]);
    assert_eq!(lost(2, 4, Convention::Normal), [[1, 0], [2, 1], [3, 2], [4, 3]]);
    for convention in CONVENTIONS {
        let mut twin = OutcomeByDefinition::new(&Chomp, convention);
        let wanted: Vec<Vec<u64>> = below(&[5; 4])
            .into_iter()
            .filter(|g| twin.outcome(core::slice::from_ref(g)) == Outcome::P)
            .map(|mut g| {
                g.resize(4, 0);
                g
            })
            .collect();
        let mut found = lost(4, 5, convention);
        assert!(found.is_sorted());
        let mut wanted = wanted;
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{convention}");
    }
}

#[test]
fn one_table_answers_for_all_below() {
    let mut boards = Boards::default();
    let mut meter = Meter::unlimited();
    boards.values(&[8; 6], &mut meter).unwrap();
    let seen = meter.positions_seen();
    assert_eq!(seen, 3002);
    for g in [vec![6; 8], vec![7, 7, 5], vec![2; 6], vec![8, 1]] {
        let table = boards.values(&g, &mut meter).unwrap();
        let value = table.value(&g).unwrap();
        assert_eq!(boards.outcome(&g, Convention::Normal, &mut meter).unwrap().is_lost, value == 0);
    }
    assert_eq!(meter.positions_seen(), seen);
    boards.values(&[9], &mut meter).unwrap();
    assert!(meter.positions_seen() > seen);
}

#[test]
fn limits_stop_before_anything_large_is_allocated() {
    let small = |memory, positions| Budget { memory, positions, ..Budget::default() };
    for (budget, limit) in
        [(small(Some(1 << 20), None), Limit::Memory), (small(Some(1 << 34), Some(1000)), Limit::Positions)]
    {
        for g in [vec![12; 12], vec![1 << 40; 7], vec![1 << 21; 1 << 20]] {
            let mut boards = Boards::default();
            assert_eq!(boards.values(&g, &mut Meter::new(&budget)).unwrap_err().limit, limit);
            assert!(!boards.are_values_near(&g, &Meter::new(&budget)));
            if g[0] > 12 {
                let outcome = boards.outcome(&g, Convention::Normal, &mut Meter::new(&budget));
                assert_eq!(outcome.unwrap_err().limit, limit);
            }
        }
    }
    let mut boards = Boards::default();
    let now = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
    assert_eq!(boards.values(&[12; 12], &mut Meter::new(&now)).unwrap_err().limit, Limit::Time);
    for g in [vec![1 << 20; 3], vec![12; 11]] {
        let stop = boards.outcome(&g, Convention::Normal, &mut Meter::new(&now)).unwrap_err();
        assert_eq!(stop.limit, Limit::Time);
    }
}
