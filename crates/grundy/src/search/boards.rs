//! Values of boards, each by a search of its own that is kept.

use grundy_core::rulesets::{
    AnyComponent,
    cells::{self, DeletionGame},
};
use rustc_hash::FxHashMap;

use super::nimbers::{Board, CellSet, DeletionBoard, Grid, NimberSearch, Progress, Stop, Taking};
use crate::budget::{Meter, StopReason};

/// Most cells of a board that is searched so.
pub const MOST_CELLS: usize = 256;

/// The searches of the boards that were met.
#[derive(Debug, Default)]
pub struct Boards {
    grids: FxHashMap<[u64; 2], Box<dyn Searched>>,
    games: FxHashMap<String, Vec<(std::sync::Arc<DeletionGame>, Box<dyn Searched>)>>,
}

/// Why a board has no value.
#[derive(Debug)]
pub enum NoValue {
    /// A limit was reached.
    Stopped(StopReason),
    /// These searches are not for it: it has too many cells, or values above 63.
    NotHere,
}

/// A search whose sets of cells have some width.
trait Searched: std::fmt::Debug + Send {
    /// The value of the cells, given as the board numbers them.
    fn value(&mut self, cells: &mut dyn Iterator<Item = usize>, meter: &mut Meter) -> Result<u64, NoValue>;
}

/// A search, and the number that it gives to a cell.
struct Numbered<B: Board, F> {
    search: NimberSearch<B>,
    cell: F,
}

impl<B: Board, F> std::fmt::Debug for Numbered<B, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} components known", self.search.known())
    }
}

impl<B: Board + Send, F: Fn(usize) -> u32 + Send> Searched for Numbered<B, F> {
    fn value(&mut self, cells: &mut dyn Iterator<Item = usize>, meter: &mut Meter) -> Result<u64, NoValue> {
        let set = cells.fold(B::Cells::EMPTY, |set, cell| set.or(B::Cells::cell((self.cell)(cell))));
        let Progress { mut positions, mut bytes } = self.search.progress();
        let mut spend = |now: Progress| {
            let new = now.positions.saturating_sub(positions);
            meter.count_positions(new);
            meter.steps(1000 * new)?;
            meter.bytes(now.bytes.saturating_sub(bytes))?;
            (positions, bytes) = (now.positions.max(positions), now.bytes.max(bytes));
            // the last ones that are left are not looked at one by one
            if meter.positions_left() == 0 { Err(meter.stop(crate::budget::Limit::Positions)) } else { Ok(()) }
        };
        let found = self.search.value(set, &mut spend);
        meter.count_positions(self.search.progress().positions.saturating_sub(positions));
        match found {
            Ok(value) => Ok(value.into()),
            Err(Stop::Limit(stop)) => Err(NoValue::Stopped(stop)),
            Err(Stop::TooLarge) => Err(NoValue::NotHere),
        }
    }
}

impl Boards {
    /// The Grundy value of a board.
    ///
    /// # Complexity
    /// As [`NimberSearch`]; what was found is kept, also when a limit stops the search.
    ///
    /// # Errors
    /// The meter's stop; or this is no board for these searches.
    pub fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, NoValue> {
        let threads = meter.budget().threads();
        match component {
            AnyComponent::Cram(_, board) => {
                let sides = [board.rows() as u64, board.columns() as u64];
                let search = match self.grids.entry(sides) {
                    std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                    std::collections::hash_map::Entry::Vacant(place) => {
                        let new = match board.rows() * board.columns() {
                            0 => return Ok(0),
                            ..=64 => grid::<u64>(board, threads),
                            65..=128 => grid::<[u64; 2]>(board, threads),
                            129..=MOST_CELLS => grid::<[u64; 4]>(board, threads),
                            _ => None,
                        };
                        place.insert(new.ok_or(NoValue::NotHere)?)
                    }
                };
                search.value(&mut cells::set::iter(board.cells()), meter)
            }
            AnyComponent::Cells(game, left) => {
                let known = self.games.entry(game.name().to_owned()).or_default();
                let at = match known.iter().position(|(other, _)| std::sync::Arc::ptr_eq(other, game) || other == game) {
                    Some(at) => at,
                    None => {
                        let new = match game.cells() {
                            ..=64 => deletion::<u64>(game, threads),
                            65..=128 => deletion::<[u64; 2]>(game, threads),
                            129..=MOST_CELLS => deletion::<[u64; 4]>(game, threads),
                            _ => None,
                        };
                        known.push((game.clone(), new.ok_or(NoValue::NotHere)?));
                        known.len() - 1
                    }
                };
                known[at].1.value(&mut cells::set::iter(left), meter)
            }
            _ => Err(NoValue::NotHere),
        }
    }
}

fn grid<C: CellSet>(board: &cells::Grid, threads: usize) -> Option<Box<dyn Searched>> {
    let columns = board.columns();
    let grid = Grid::<C>::new(Taking::Domino, board.rows() as u32, columns as u32)?;
    let numbers = grid.clone();
    let cell = move |cell: usize| numbers.cell((cell / columns) as u32, (cell % columns) as u32);
    Some(Box::new(Numbered { search: NimberSearch::new(grid, threads), cell }))
}

fn deletion<C: CellSet>(game: &DeletionGame, threads: usize) -> Option<Box<dyn Searched>> {
    let board = DeletionBoard::<C>::new(game)?;
    Some(Box::new(Numbered { search: NimberSearch::new(board, threads), cell: |cell| cell as u32 }))
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_sum;

    use super::*;
    use crate::search::ValueSearch;

    #[test]
    fn boards_have_the_values_of_the_search_over_all_options() {
        let mut boards = Boards::default();
        let mut random = 7u64;
        let mut next = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        for round in 0..160 {
            let game = ["node_kayles", "arc_kayles", "vertex_edge_deletion", "poset", "cram"][round % 5];
            let text = if game == "cram" {
                let columns = 1 + next(5);
                let row = |next: &mut dyn FnMut(u64) -> u64| -> String {
                    (0..columns).map(|_| if next(4) == 0 { '#' } else { '.' }).collect()
                };
                let rows: Vec<String> = (0..1 + next(3)).map(|_| row(&mut next)).collect();
                format!("cram(\"{}\")", rows.join("/"))
            } else {
                let n = 1 + next(7);
                let mut rows = Vec::new();
                for v in 0..n {
                    let to: String = (v + 1..n).filter(|_| next(3) == 0).map(|w| format!(" {w}")).collect();
                    rows.push(format!("{v}:{to}"));
                }
                format!("{game}[{{{}}}]", rows.join(", "))
            };
            let sum = read_sum(&text).unwrap();
            let [component] = sum.components() else { panic!("{text}") };
            let wanted = ValueSearch::default().value(component, &mut Meter::unlimited()).unwrap();
            assert_eq!(boards.value(component, &mut Meter::unlimited()).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn a_chain_has_more_values_than_fit() {
        let chain: Vec<String> = (0..70).map(|v| if v < 69 { format!("{v}: {}", v + 1) } else { "69:".into() }).collect();
        let sum = read_sum(&format!("poset[{{{}}}]", chain.join(", "))).unwrap();
        let found = Boards::default().value(&sum.components()[0], &mut Meter::unlimited());
        assert!(matches!(found, Err(NoValue::NotHere)));
        assert_eq!(ValueSearch::default().value(&sum.components()[0], &mut Meter::unlimited()), Ok(70));
    }
}
