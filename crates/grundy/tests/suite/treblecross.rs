//! Treblecross by its own rule, three in a row wins, against the heaps of 0.007 that stand for it.

use grundy::{Session, budget::Budget, query::SolveQuery};
use grundy_core::{
    notation::read_game,
    theory::{Convention, Outcome},
};

/// For every row of `n` squares, as bits: does the player to move win?
fn won(n: u32) -> Vec<bool> {
    let full = (1usize << n) - 1;
    let three = |row: usize| row & row << 1 & row << 2 & full != 0;
    let mut won = vec![false; full + 1];
    for row in (0..=full).rev() {
        // a row with three in a row is over: the player before has won
        won[row] = !three(row)
            && (0..n).map(|s| row | 1 << s).filter(|next| *next != row).any(|next| three(next) || !won[next]);
    }
    won
}

#[test]
fn rows_up_to_16_by_the_full_rule() {
    let mut session = Session::new();
    for n in 3..=16u32 {
        let won = won(n);
        let sum = read_game(&format!("treblecross({n})")).expect("a game");
        let answer = session.solve(&SolveQuery::new(sum, Convention::Normal), &Budget::default()).expect("normal play");
        assert_eq!(answer.outcome == Some(Outcome::N), won[0], "{n} squares");
        // a row and its mirror image are one move, which names both squares
        let all: Vec<u32> = (0..n).filter(|s| !won[1 << s]).map(|s| s + 1).collect();
        let mut named: Vec<u32> = Vec::new();
        for m in &answer.moves {
            named.extend(m.name.split(' ').filter_map(|word| word.parse::<u32>().ok()));
        }
        named.sort_unstable();
        assert_eq!(named, all, "winning squares of {n}");
    }
}
