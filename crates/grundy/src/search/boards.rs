//! Values of boards, each by a search of its own that is kept.

use std::{
    collections::hash_map::Entry,
    sync::Arc,
    time::{Duration, Instant},
};

use grundy_core::rulesets::{
    AnyComponent,
    cells::{self, DeletionGame},
};
use rustc_hash::FxHashMap;

use super::nimbers::{Board, CellSet, DeletionBoard, Grid, NimberSearch, Progress, Stop};
use crate::{
    budget::{Limit, Meter, StopReason},
    oracle::Keeper,
};

/// Most cells of a board that is searched so.
pub const MOST_CELLS: usize = 256;

/// Time after which a long search is interrupted to keep what it knows; it goes on from there at once.
const KEPT_EVERY: Duration = Duration::from_secs(60);

/// The searches of the boards that were met.
#[derive(Debug, Default)]
pub struct Boards {
    grids: FxHashMap<[u64; 2], Kept>,
    games: FxHashMap<String, Vec<(Arc<DeletionGame>, Kept)>>,
    keeper: Option<Box<dyn Keeper>>,
}

/// A search with the name under which it is kept, and how much of it is kept already.
#[derive(Debug)]
struct Kept {
    search: Box<dyn Searched>,
    name: String,
    components: usize,
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
    /// The value of the cells, given as the board numbers them; None if the time for keeping has come.
    fn value(&mut self, cells: &[usize], until: Option<Instant>, meter: &mut Meter) -> Result<Option<u64>, NoValue>;
    /// Number of components of which something is known.
    fn known(&self) -> usize;
    /// All of them.
    fn entries(&self, each: &mut dyn FnMut(Vec<u64>, u64));
    /// Takes over one.
    fn learn(&mut self, words: &[u64], known: u64);
}

/// A search, and the number that it gives to a cell.
struct Numbered<B: Board, F> {
    search: NimberSearch<B>,
    cell: F,
}

impl<B: Board, F> std::fmt::Debug for Numbered<B, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} components known", self.search.known())
    }
}

impl<B: Board + Send, F: Fn(usize) -> u32 + Send> Searched for Numbered<B, F> {
    fn value(&mut self, cells: &[usize], until: Option<Instant>, meter: &mut Meter) -> Result<Option<u64>, NoValue> {
        let set = cells.iter().fold(B::Cells::EMPTY, |set, cell| set.or(B::Cells::cell((self.cell)(*cell))));
        let Progress { mut positions, mut bytes } = self.search.progress();
        let mut spend = |now: Progress| {
            let new = now.positions.saturating_sub(positions);
            meter.count_positions(new);
            meter.steps(STEPS * new).map_err(Some)?;
            meter.bytes(now.bytes.saturating_sub(bytes)).map_err(Some)?;
            (positions, bytes) = (now.positions.max(positions), now.bytes.max(bytes));
            if meter.positions_left() == 0 {
                return Err(Some(meter.stop(Limit::Positions)));
            }
            if until.is_some_and(|end| Instant::now() > end) { Err(None) } else { Ok(()) }
        };
        let found = self.search.value(set, &mut spend);
        meter.count_positions(self.search.progress().positions.saturating_sub(positions));
        match found {
            Ok(value) => Ok(Some(value.into())),
            Err(Stop::Limit(None)) => Ok(None),
            Err(Stop::Limit(Some(stop))) => Err(NoValue::Stopped(stop)),
            Err(Stop::TooLarge) => Err(NoValue::NotHere),
        }
    }

    fn known(&self) -> usize {
        let (exact, refuted) = self.search.known();
        exact + refuted
    }

    fn entries(&self, each: &mut dyn FnMut(Vec<u64>, u64)) {
        self.search.entries(each);
    }

    fn learn(&mut self, words: &[u64], known: u64) {
        self.search.learn(words, known);
    }
}

impl Kept {
    fn new(search: Box<dyn Searched>, name: String, keeper: &mut Option<Box<dyn Keeper>>) -> Kept {
        let mut kept = Kept { search, name, components: 0 };
        if let Some(keeper) = keeper {
            keeper.load(&kept.name, &mut |words, known| kept.search.learn(words, known));
            kept.components = kept.search.known();
        }
        kept
    }

    fn save(&mut self, keeper: &mut dyn Keeper) {
        if self.search.known() > self.components {
            let mut entries = Vec::with_capacity(self.search.known());
            self.search.entries(&mut |words, known| entries.push((words, known)));
            keeper.save(&self.name, &mut entries.into_iter());
            self.components = self.search.known();
        }
    }

    fn value(
        &mut self,
        cells: impl Iterator<Item = usize>,
        keeper: &mut Option<Box<dyn Keeper>>,
        meter: &mut Meter,
    ) -> Result<u64, NoValue> {
        let cells: Vec<usize> = cells.collect();
        loop {
            let until = keeper.is_some().then(|| Instant::now() + KEPT_EVERY);
            if let Some(value) = self.search.value(&cells, until, meter)? {
                return Ok(value);
            }
            // writing all takes as long as it takes: not before half as much is new
            if let Some(keeper) = keeper
                && self.search.known() > self.components + self.components / 2
            {
                self.save(&mut **keeper);
            }
        }
    }
}

/// Elementary steps of a position, about.
const STEPS: u64 = 1000;

impl Boards {
    /// Keeps what is found from now on, and knows what was kept before.
    pub fn keep_in(&mut self, keeper: Box<dyn Keeper>) {
        *self = Boards { keeper: Some(keeper), ..Boards::default() };
    }

    /// Hands all that is known to the keeper.
    pub fn save(&mut self) {
        let Some(keeper) = &mut self.keeper else { return };
        let games = self.games.values_mut().flatten().map(|(_, kept)| kept);
        self.grids.values_mut().chain(games).for_each(|kept| kept.save(&mut **keeper));
    }

    /// The Grundy value of a board.
    ///
    /// # Complexity
    /// As [`NimberSearch`]; what was found is kept, also when a limit stops the search.
    ///
    /// # Errors
    /// The meter's stop; or this is no board for these searches.
    pub fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, NoValue> {
        let threads = meter.budget().threads();
        let keeper = &mut self.keeper;
        match component {
            AnyComponent::Cram(_, board) => {
                let sides = [board.rows() as u64, board.columns() as u64];
                let kept = match self.grids.entry(sides) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => {
                        let new = match board.rows() * board.columns() {
                            0 => return Ok(0),
                            1..=64 => grid::<u64>(board, threads),
                            65..=128 => grid::<[u64; 2]>(board, threads),
                            129..=MOST_CELLS => grid::<[u64; 4]>(board, threads),
                            _ => None,
                        };
                        // cells are numbered along the longer side, whichever it is
                        let [a, b] = [sides[0].min(sides[1]), sides[0].max(sides[1])];
                        place.insert(Kept::new(new.ok_or(NoValue::NotHere)?, format!("cram {a}x{b}"), keeper))
                    }
                };
                kept.value(cells::set::iter(board.cells()), keeper, meter)
            }
            AnyComponent::Cells(game, left) => {
                let known = self.games.entry(game.name().to_owned()).or_default();
                let at = match known.iter().position(|(other, _)| Arc::ptr_eq(other, game) || other == game) {
                    Some(at) => at,
                    None => {
                        let new = match game.cells() {
                            ..=64 => deletion::<u64>(game, threads),
                            65..=128 => deletion::<[u64; 2]>(game, threads),
                            129..=MOST_CELLS => deletion::<[u64; 4]>(game, threads),
                            _ => None,
                        };
                        let name = format!("cells {} {:016x}", game.cells(), game.digest());
                        known.push((game.clone(), Kept::new(new.ok_or(NoValue::NotHere)?, name, keeper)));
                        known.len() - 1
                    }
                };
                known[at].1.value(cells::set::iter(left), keeper, meter)
            }
            _ => Err(NoValue::NotHere),
        }
    }
}

fn grid<C: CellSet>(board: &cells::Grid, threads: usize) -> Option<Box<dyn Searched>> {
    let columns = board.columns();
    let grid = Grid::<C>::new(board.rows() as u32, columns as u32)?;
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
        let chain: Vec<String> =
            (0..70).map(|v| if v < 69 { format!("{v}: {}", v + 1) } else { "69:".into() }).collect();
        let sum = read_sum(&format!("poset[{{{}}}]", chain.join(", "))).unwrap();
        let found = Boards::default().value(&sum.components()[0], &mut Meter::unlimited());
        assert!(matches!(found, Err(NoValue::NotHere)));
        assert_eq!(ValueSearch::default().value(&sum.components()[0], &mut Meter::unlimited()), Ok(70));
        // those of a short one fit
        let chain: Vec<String> =
            (0..24).map(|v| if v < 23 { format!("{v}: {}", v + 1) } else { "23:".into() }).collect();
        let sum = read_sum(&format!("poset[{{{}}}]", chain.join(", "))).unwrap();
        assert_eq!(Boards::default().value(&sum.components()[0], &mut Meter::unlimited()).unwrap(), 24);
    }
}
