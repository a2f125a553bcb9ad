//! The search against the definition and known values.

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::{Board, CellSet, Grid, NimberSearch, Progress, Stages, Stop};

/// The Grundy value by mex over all options of unsplit sets of cells.
fn by_definition<B: Board>(board: &B, cells: B::Cells, known: &mut FxHashMap<B::Cells, u32>) -> u32 {
    if let Some(value) = known.get(&cells) {
        return *value;
    }
    let mut moves = Vec::new();
    let _ = (0..).find(|stage| board.moves(cells, *stage, &mut moves) == Stages::Done);
    let values: Vec<u32> = moves.into_iter().map(|next| by_definition(board, next, known)).collect();
    let mex = (0..).find(|v| !values.contains(v)).expect("some number is missing");
    known.insert(cells, mex);
    mex
}

fn endless(_: Progress) -> Result<(), ()> {
    Ok(())
}

fn value<B: Board>(search: &mut NimberSearch<B>, cells: B::Cells) -> u32 {
    search.value(cells, &mut endless).expect("no limit")
}

fn box_value(rows: u32, columns: u32, threads: usize) -> u32 {
    let board = Grid::<u64>::new(rows, columns).expect("small");
    let all = board.all();
    value(&mut NimberSearch::new(board, threads), all)
}

/// All sets of cells of a small rectangle, against the definition.
fn all_shapes<C: CellSet>(rows: u32, columns: u32) {
    let board = Grid::<C>::new(rows, columns).expect("small");
    let mut search = NimberSearch::new(board.clone(), 1);
    let mut known = FxHashMap::default();
    for bits in 0..1u64 << (rows * columns) {
        let cells = C::from_words(|i| if i == 0 { bits } else { 0 });
        let wanted = by_definition(&board, cells, &mut known);
        assert_eq!(value(&mut search, cells), wanted, "{rows}x{columns} {bits:b}");
    }
}

#[test]
fn every_shape_in_small_rectangles_has_the_value_by_definition() {
    for (rows, columns) in [(1, 12), (2, 6), (3, 4), (4, 3), (6, 2)] {
        all_shapes::<u64>(rows, columns);
    }
    all_shapes::<[u64; 2]>(3, 4);
    all_shapes::<[u64; 3]>(1, 11);
}

#[test]
fn every_shape_of_sixteen_cells_of_cram() {
    all_shapes::<u64>(4, 4);
}

#[test]
fn boxes_of_cram() {
    // 1 x n is Dawson's Kayles by the pairs that are taken
    let rows: [&[u32]; 6] = [
        &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2],
        &[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0],
        &[1, 1, 0, 1, 1, 4, 1, 3, 1, 2, 0, 1],
        &[2, 0, 1, 0, 2, 0, 3, 0, 1],
        &[0, 1, 1, 2, 0, 2, 1],
        &[3, 0, 4, 0, 2, 0],
    ];
    for (rows, values) in (1..).zip(rows) {
        for (columns, wanted) in (1..).zip(values) {
            if rows == 5 && columns == 7 && cfg!(debug_assertions) {
                continue;
            }
            assert_eq!(box_value(rows, columns, 1), *wanted, "{rows}x{columns}");
        }
    }
}

#[test]
fn wide_sets_agree_with_narrow_ones() {
    for (rows, columns) in [(3, 8), (4, 6), (5, 5), (2, 12)] {
        let board = Grid::<[u64; 2]>::new(rows, columns).expect("small");
        let all = board.all();
        let wide = value(&mut NimberSearch::new(board, 1), all);
        assert_eq!(wide, box_value(rows, columns, 1), "{rows}x{columns}");
    }
}

#[test]
fn a_long_strip_is_dawsons_kayles() {
    // octal 0.07: period 34
    let board = Grid::<[u64; 3]>::new(1, 160).expect("fits");
    let mut search = NimberSearch::new(board, 1);
    let values: Vec<u32> = (1..=160).map(|n| value(&mut search, CellSet::below(n))).collect();
    let mut wanted = vec![0u32, 0];
    for n in 2..=160usize {
        let options: Vec<u32> = (0..=n - 2).map(|i| wanted[i] ^ wanted[n - 2 - i]).collect();
        wanted.push((0..).find(|v| !options.contains(v)).expect("some number is missing"));
    }
    assert_eq!(values, wanted[1..]);
}

#[test]
fn a_stopped_search_leaves_nothing_wrong() {
    let board = Grid::<u64>::new(5, 6).expect("small");
    let all = board.all();
    for threads in [1, 2] {
        let mut search = NimberSearch::new(board.clone(), threads);
        let mut stops = 0;
        let value = loop {
            let start = search.progress().positions;
            let mut limit = |p: Progress| if p.positions > start + 3000 { Err("enough") } else { Ok(()) };
            match search.value(all, &mut limit) {
                Ok(value) => break value,
                Err(stop) => assert_eq!(stop, Stop::Limit("enough")),
            }
            stops += 1;
        };
        assert_eq!(value, 2);
        assert!(stops > 2, "{stops}");
    }
}

#[test]
fn membership_is_answered_without_the_value() {
    let board = Grid::<u64>::new(4, 7).expect("small");
    let all = board.all();
    for (set, wanted) in [(0b1000, Some(3)), (0b0111, None), (!0, Some(3)), (1, None), (0, None)] {
        assert_eq!(NimberSearch::new(board.clone(), 1).is_in(all, set, &mut endless), Ok(wanted), "{set:b}");
    }
}

proptest! {
    #[test]
    fn any_shape_is_in_the_sets_that_hold_its_value(bits in 0u64..1 << 20, set in any::<u64>()) {
            let board = Grid::<u64>::new(4, 5).expect("small");
        let wanted = by_definition(&board, bits, &mut FxHashMap::default());
        let set = set & 0xff;
        let mut search = NimberSearch::new(board, 1);
        let answer = search.is_in(bits, set, &mut endless).expect("no limit");
        prop_assert_eq!(answer, (set >> wanted & 1 == 1).then_some(wanted));
        prop_assert_eq!(value(&mut search, bits), wanted);
    }
}
