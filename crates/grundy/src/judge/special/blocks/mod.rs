//! 2x2 blocks on the free cells of a grid: who cannot place one loses.
//!
//! A *place* is where a block fits, named by its upper left cell. A block takes all places away that are at most one row and one
//! column from its own. So the game is Node Kayles on the graph of the places, in which a chess king's moves are the edges, and
//! places that do not hang together are played apart.
//!
//! # Mirrors
//!
//! Let a reflection or a half turn map a set of places to itself. If no place is within a king's move of its image, nor is its own
//! image, the second player wins by answering with the image of each move: that place is still free, since before the move all that is
//! taken was symmetric, and the move has not taken it. So the value is 0. If the half turn leaves one place fixed, the others are
//! two or more from their images, along one axis or the other, so the first player wins by taking it: what is left is a set of the
//! first kind.

use std::{collections::HashMap, sync::Arc};

use grundy_core::{
    rulesets::{
        AnyComponent,
        cells::{DeletionGame, GraphRule},
    },
    theory::undirected::Undirected,
};

use super::{Case, Ruling};
use crate::{
    budget::Meter,
    judge::error::Fault,
    search::{Boards, NoValue},
};

mod shapes;

use shapes::{canonical, has_centre, mirror_play_wins, pieces};

/// Row and column.
type Place = (u32, u32);

/// Bytes that a place costs in what is kept, about.
const BYTES: u64 = 16;

/// Pieces with fewer places go to the search of boards at once.
const FEW: usize = 24;

/// Moves that are looked at one by one before the search of boards is asked.
const MOVES: u64 = 1 << 14;

/// The values of the pieces that were met, in canonical form.
#[derive(Debug, Default)]
pub(super) struct Pieces(HashMap<Vec<Place>, u64>);

impl Pieces {
    /// The grid `b` of `n` rows and `m` columns.
    ///
    /// # Complexity
    /// Exponential in the places of the largest piece without a mirror; what is found is kept for all later cases.
    pub fn ruling(&mut self, case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
        let (rows, columns) = (case.number("n")?, case.number("m")?);
        let places = places(case, rows, columns)?;
        let mut pieces = pieces(&places);
        // two of one kind cancel
        pieces.sort_unstable_by_key(|piece| (piece.len(), canonical(piece)));
        let mut left: Vec<Vec<Place>> = Vec::new();
        for piece in pieces {
            match left.last() {
                Some(last) if canonical(last) == canonical(&piece) => drop(left.pop()),
                _ if mirror_play_wins(&piece) => {}
                _ => left.push(piece),
            }
        }
        if let [piece] = &left[..]
            && !case.wants_value
            && has_centre(piece)
        {
            return Ok(Ruling::of_winner(true));
        }
        let mut value = 0;
        for piece in left {
            value ^= self.value(piece, case, meter)?;
        }
        Ok(Ruling::of_value(value))
    }

    /// The value of a piece.
    ///
    /// Long thin pieces fall apart into few different ones, so looking at all moves is the quickest; broad ones want the search that
    /// tries to leave moves out. Which it is shows itself.
    fn value(&mut self, piece: Vec<Place>, case: &Case<'_>, meter: &mut Meter) -> Result<u64, Fault> {
        if piece.len() == 1 {
            return Ok(1);
        }
        let piece = canonical(&piece);
        if let Some(value) = self.0.get(&piece) {
            return Ok(*value);
        }
        let is_small = piece.len() < FEW;
        if !is_small && let Some(value) = self.by_all_moves(&piece, MOVES, case, meter)? {
            return Ok(value);
        }
        if let Some(value) = by_search(&piece, meter)? {
            meter.bytes(BYTES * piece.len() as u64)?;
            self.0.insert(piece, value);
            return Ok(value);
        }
        let value = self.by_all_moves(&piece, u64::MAX, case, meter)?;
        value.ok_or_else(|| case.fault("b", 0, "a piece of the grid has too many places for a block"))
    }

    /// The value of a piece in canonical form by all moves of all pieces that come of it; None after so many moves.
    fn by_all_moves(
        &mut self,
        piece: &[Place],
        mut moves: u64,
        case: &Case<'_>,
        meter: &mut Meter,
    ) -> Result<Option<u64>, Fault> {
        // a piece, its moves that are done, and their values
        let mut open: Vec<(Vec<Place>, usize, u128)> = vec![(piece.to_vec(), 0, 0)];
        while let Some((piece, next, seen)) = open.last_mut() {
            let Some((r, c)) = piece.get(*next).copied() else {
                let value = u64::from(seen.trailing_ones());
                if let Some((piece, ..)) = open.pop() {
                    meter.bytes(BYTES * piece.len() as u64)?;
                    self.0.insert(piece, value);
                }
                continue;
            };
            moves = moves.saturating_sub(1);
            if moves == 0 {
                return Ok(None);
            }
            meter.steps(100 * piece.len() as u64)?;
            let is_left = |p: &Place| p.0.abs_diff(r) > 1 || p.1.abs_diff(c) > 1;
            let rest: Vec<Place> = piece.iter().copied().filter(is_left).collect();
            let mut value = 0;
            let mut unknown = None;
            for part in pieces(&rest) {
                match part.len() {
                    1 | 2 => value ^= 1,
                    _ if mirror_play_wins(&part) => {}
                    _ => {
                        let part = canonical(&part);
                        match self.0.get(&part) {
                            Some(known) => value ^= known,
                            None => {
                                unknown = Some(part);
                                break;
                            }
                        }
                    }
                }
            }
            match unknown {
                Some(part) => open.push((part, 0, 0)),
                None if value < 128 => {
                    *seen |= 1 << value;
                    *next += 1;
                }
                None => return Err(case.fault("b", 0, "a Grundy value above 127 is met")),
            }
        }
        Ok(self.0.get(piece).copied())
    }
}

/// The value of a piece by the search of boards; None if it is too large for that.
fn by_search(piece: &[Place], meter: &mut Meter) -> Result<Option<u64>, Fault> {
    let index: HashMap<Place, u32> = piece.iter().copied().zip(0..).collect();
    let below = |(r, c): Place| [(r, c + 1), (r + 1, c + 1), (r + 1, c), (r + 1, c.wrapping_sub(1))];
    let edges = piece.iter().zip(0..).flat_map(|(p, v)| below(*p).map(|q| index.get(&q).map(|w| [v, *w])));
    let edges: Vec<[u32; 2]> = edges.flatten().collect();
    let graph = Undirected::new(piece.len(), &edges);
    let name = |v: u32| v.to_string();
    let Ok(game) = DeletionGame::on_graph("places", GraphRule::NodeKayles, &graph, name) else { return Ok(None) };
    let whole = game.whole();
    match Boards::default().value(&AnyComponent::Cells(Arc::new(game), whole), meter) {
        Ok(value) => Ok(Some(value)),
        Err(NoValue::Stopped(stop)) => Err(Fault::Stop(stop)),
        Err(NoValue::NotHere) => Ok(None),
    }
}

/// The places of a grid.
fn places(case: &Case<'_>, rows: u64, columns: u64) -> Result<Vec<Place>, Fault> {
    let grid = case.word("b");
    let width = usize::try_from(columns).unwrap_or(usize::MAX);
    if let Some(at) = grid.iter().position(|cell| !matches!(cell, b'0' | b'1')) {
        let found: String = String::from_utf8_lossy(&grid[at..]).chars().take(1).collect();
        let message = format!("expected 0 for a free cell or 1, found \"{found}\"");
        return Err(case.fault_inside("b", at / width.max(1), at % width.max(1), message));
    }
    if rows.checked_mul(columns) != Some(grid.len() as u64) || rows.max(columns) >= u64::from(u32::MAX) {
        return Err(case.fault("b", 0, format!("{} cells are no grid of {rows} x {columns}", grid.len())));
    }
    let is_free = |r: usize, c: usize| grid[r * width + c] == b'0';
    let mut found = Vec::new();
    for r in 1..rows as usize {
        let fits = |c: usize| is_free(r - 1, c - 1) && is_free(r - 1, c) && is_free(r, c - 1) && is_free(r, c);
        found.extend((1..width).filter(|c| fits(*c)).map(|c| (r as u32 - 1, c as u32 - 1)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_core::theory::mex;
    use proptest::prelude::*;

    use super::super::tests::{run, run_within};
    use crate::{
        Budget,
        judge::{Print, Problem, Program, Special},
    };

    const LAYOUT: &str = "*{ n m b:w(m)[n] }";

    /// The value of a grid by the rules; true is free.
    fn naive(grid: &[Vec<bool>], known: &mut HashMap<Vec<Vec<bool>>, u64>) -> u64 {
        if let Some(value) = known.get(grid) {
            return *value;
        }
        let mut options = Vec::new();
        for r in 1..grid.len() {
            for c in 1..grid[0].len() {
                let cells = [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)];
                if cells.iter().all(|(r, c)| grid[*r][*c]) {
                    let mut next = grid.to_vec();
                    cells.iter().for_each(|(r, c)| next[*r][*c] = false);
                    options.push(naive(&next, known));
                }
            }
        }
        let value = mex(options);
        known.insert(grid.to_vec(), value);
        value
    }

    fn text(grid: &[Vec<bool>]) -> String {
        let row =
            |row: &Vec<bool>| row.iter().map(|free| if *free { '0' } else { '1' }).chain(['\n']).collect::<String>();
        format!("{} {}\n{}", grid.len(), grid[0].len(), grid.iter().map(row).collect::<String>())
    }

    proptest! {
        #[test]
        fn all_moves_agree(
            grid in (1usize..6, 1usize..7).prop_flat_map(|(n, m)| {
                proptest::collection::vec(proptest::collection::vec(proptest::bool::weighted(0.85), m), n)
            })
        ) {
            let value = naive(&grid, &mut HashMap::new());
            let input = text(&grid);
            let problem = Problem {
                special: Some(Special::Blocks), layout: LAYOUT.into(), print: Print::Value, ..Problem::default()
            };
            let mut out = Vec::new();
            Program::new(&problem).unwrap().run(input.as_bytes(), &mut out, &Budget::default()).unwrap();
            prop_assert_eq!(String::from_utf8(out).unwrap(), format!("{value}\n"));
            let winner = if value == 0 { "second\n" } else { "first\n" };
            prop_assert_eq!(run(Special::Blocks, LAYOUT, &input), winner);
        }
    }

    #[test]
    fn empty_grids() {
        let mut known = HashMap::new();
        for (n, m) in (1..=6).flat_map(|n| (1..=6).map(move |m| (n, m))) {
            let grid = vec![vec![true; m]; n];
            let winner = if naive(&grid, &mut known) == 0 { "second\n" } else { "first\n" };
            assert_eq!(run(Special::Blocks, LAYOUT, &text(&grid)), winner, "{n} x {m}");
        }
        // a block in the middle, and then the half turn of each move
        assert_eq!(run(Special::Blocks, LAYOUT, &text(&vec![vec![true; 50]; 50])), "first\n");
    }

    #[test]
    fn faults_have_a_place() {
        let out = run(Special::Blocks, LAYOUT, "2 2\n00\n00\n2 3\n000\n0 0\n");
        assert_eq!(out, "first\ncase 2: line 6, column 1: expected a row of 3 letters, found \"0\"");
        let out = run(Special::Blocks, LAYOUT, "2 3\n000\n 0.0\n");
        assert_eq!(out, "case 1: line 3, column 3: expected 0 for a free cell or 1, found \".\"");
        let out = run(Special::Blocks, LAYOUT, "2 3\n000\n");
        assert_eq!(out, "case 1: line 3, column 1: expected a word, found the end of the input");
    }

    #[test]
    fn limits_are_kept() {
        let budget = Budget { time: Some(std::time::Duration::from_millis(50)), ..Budget::default() };
        let out =
            run_within(Special::Blocks, LAYOUT, &text(&vec![vec![true; 15]; 16]).replacen("000", "001", 1), &budget);
        assert!(out.contains("case 1: stopped by the time limit"), "{out}");
    }
}
