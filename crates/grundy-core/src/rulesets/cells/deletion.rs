//! Games that delete cells of a board for good: a move needs some cells and takes away those that go with them.
//!
//! Node Kayles, Arc Kayles, deleting vertices or edges, and all games on partially ordered sets (Chomp in any number of dimensions,
//! subset take-away) are of this kind.

use core::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};

use super::set;
use crate::ruleset::{OptionSink, Playable, Ruleset};

/// Most cells of a board, since neighbours are kept as sets.
pub const MOST_CELLS: usize = 2048;

/// One move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Cells that must be there.
    pub needed: Vec<u32>,
    /// Cells that are gone afterwards, whichever of them were there; the needed ones are among them.
    pub removed: Vec<u32>,
    /// Its name for people.
    pub name: String,
}

/// How a position is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writing {
    /// Nothing for the whole board, else the names of the cells that are left.
    Names,
    /// So many elements, of which the cells are sets, and the names of the cells that are left unless all are.
    Subsets(u32),
    /// The sides of a box, and the places where it was bitten.
    Box(Vec<u32>),
}

/// A board and its moves; a position is the set of cells that are left.
///
/// Each move is a star: one needed cell is beside all others of the move, so that cells which no move connects through cells that
/// are left are games of their own.
///
/// # Examples
/// ```
/// use grundy_core::notation::read_sum;
/// use grundy_core::ruleset::{Ruleset, definition::GrundyByDefinition};
/// use grundy_core::rulesets::AnyComponent;
/// let path = read_sum("node_kayles[{a: b, b: c, c: d, d: e, e:}]").unwrap();
/// let AnyComponent::Cells(game, whole) = &path.components()[0] else { panic!() };
/// assert_eq!(GrundyByDefinition::new(&**game).value(whole), 3);
/// // without c nothing connects a and b with d and e
/// assert_eq!(game.split(&vec![0b11011]), Some(vec![vec![0b00011], vec![0b11000]]));
/// ```
#[derive(Clone, Debug)]
pub struct DeletionGame {
    name: String,
    names: Vec<String>,
    moves: Vec<Deletion>,
    neighbours: Vec<Vec<u32>>,
    writing: Writing,
    /// Different moves may lead to the same position.
    has_twins: bool,
}

impl DeletionGame {
    /// The game printed as `name` with cells of these names; None beyond [`MOST_CELLS`].
    ///
    /// Each move must be a star about its first needed cell.
    ///
    /// # Complexity
    /// O(sizes of moves), sorted.
    pub fn new(
        name: impl Into<String>,
        names: Vec<String>,
        moves: Vec<Deletion>,
        writing: Writing,
    ) -> Option<DeletionGame> {
        if names.len() > MOST_CELLS {
            return None;
        }
        let mut neighbours = vec![Vec::new(); names.len()];
        let mut has_twins = false;
        for m in &moves {
            let Some(centre) = m.needed.first().copied() else { continue };
            has_twins |= m.needed.len() == 1;
            for cell in m.removed.iter().copied().filter(|c| *c != centre) {
                neighbours[centre as usize].push(cell);
                neighbours[cell as usize].push(centre);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Some(DeletionGame { name: name.into(), names, moves, neighbours, writing, has_twins })
    }

    /// The name it was typed with: `node_kayles["g.json"]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of cells of the whole board.
    pub fn cells(&self) -> usize {
        self.names.len()
    }

    /// The names of the cells.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All moves of the board.
    pub fn moves(&self) -> &[Deletion] {
        &self.moves
    }

    /// The cells that some move connects with one, ascending.
    pub fn neighbours(&self, cell: usize) -> &[u32] {
        &self.neighbours[cell]
    }

    /// How positions are written.
    pub fn writing(&self) -> &Writing {
        &self.writing
    }

    /// A number of 64 bits that tells the moves of games apart, the same on all machines; no proof against forgery.
    pub fn digest(&self) -> u64 {
        let stirred = |digest: u64, number: u32| {
            let mixed = (digest ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        };
        self.moves.iter().fold(self.names.len() as u64, |digest, m| {
            let numbers = m.needed.iter().chain([&u32::MAX]).chain(&m.removed).chain([&u32::MAX]);
            numbers.fold(digest, |digest, number| stirred(digest, *number))
        })
    }

    /// The position with all cells.
    pub fn whole(&self) -> Vec<u64> {
        set::full(self.cells())
    }

    /// Whether all cells are left.
    pub fn is_whole(&self, g: &[u64]) -> bool {
        set::count(g) == self.cells()
    }

    fn is_legal(m: &Deletion, g: &[u64]) -> bool {
        m.needed.iter().all(|cell| set::contains(g, *cell as usize))
    }

    /// Where a move leads; None if it is not legal.
    pub fn option(m: &Deletion, g: &[u64]) -> Option<Vec<u64>> {
        DeletionGame::is_legal(m, g).then(|| {
            let mut to = g.to_vec();
            m.removed.iter().for_each(|cell| set::remove(&mut to, *cell as usize));
            to
        })
    }

    /// The legal moves, each with the position it leads to.
    fn legal<'a>(&'a self, g: &'a [u64]) -> impl Iterator<Item = (&'a Deletion, Vec<u64>)> {
        self.moves.iter().filter_map(|m| Some((m, DeletionGame::option(m, g)?)))
    }

    /// The parts of a position that can still be moved in.
    fn parts(&self, g: &[u64]) -> Vec<Vec<u64>> {
        let mut alive = vec![0; g.len()];
        for m in self.moves.iter().filter(|m| DeletionGame::is_legal(m, g)) {
            m.removed
                .iter()
                .map(|c| *c as usize)
                .filter(|c| set::contains(g, *c))
                .for_each(|c| set::insert(&mut alive, c));
        }
        set::parts(&alive, |cell, each| self.neighbours[cell].iter().for_each(|c| each(*c as usize)))
    }
}

impl PartialEq for DeletionGame {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.names == other.names && self.moves == other.moves
    }
}

impl Eq for DeletionGame {}

impl Hash for DeletionGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Ruleset for DeletionGame {
    type Position = Vec<u64>;

    /// The options in the order of the moves of the board; moves that lead to the same position stand where the first of them does.
    ///
    /// # Complexity
    /// O(words) for each option, and a look at the positions before where moves may coincide.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        let mut seen = std::collections::HashSet::new();
        for m in &self.moves {
            let Some(to) = DeletionGame::option(m, g) else {
                sink.tick()?;
                continue;
            };
            if !self.has_twins || seen.insert(to.clone()) {
                if set::is_empty(&to) {
                    sink.push_sum(&[])?
                } else {
                    sink.push(to)?
                };
            }
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        match parts {
            [] => self.legal(g).any(|(_, option)| set::is_empty(&option)),
            [to] => !set::is_empty(to) && self.legal(g).any(|(_, option)| option == *to),
            _ => false,
        }
    }

    /// Cells that no move touches any more are left out.
    fn canonical(&self, g: &Vec<u64>) -> Vec<u64> {
        let mut alive = vec![0; g.len()];
        for part in self.parts(g) {
            alive.iter_mut().zip(part).for_each(|(a, p)| *a |= p);
        }
        alive
    }

    fn split(&self, g: &Vec<u64>) -> Option<Vec<Vec<u64>>> {
        let parts = self.parts(g);
        (parts.len() != 1).then_some(parts)
    }
}

impl Playable for DeletionGame {
    /// `take a`, or `take a, b or c` if these moves lead to the same position.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let nothing = vec![0; g.len()];
        let to = to.first().unwrap_or(&nothing);
        let names: Vec<&str> = self.legal(g).filter(|(_, option)| option == to).map(|(m, _)| m.name.as_str()).collect();
        match names.split_last() {
            Some((last, [])) => format!("take {last}"),
            Some((last, before)) => format!("take {} or {last}", before.join(", ")),
            None => String::new(),
        }
    }

    fn print_position(&self, g: &Vec<u64>) -> String {
        let left = || set::iter(g).map(|cell| format!("\"{}\"", self.names[cell]));
        match &self.writing {
            Writing::Names => left().collect::<Vec<_>>().join(", "),
            Writing::Subsets(n) if self.is_whole(g) => n.to_string(),
            Writing::Subsets(n) if set::is_empty(g) => format!("{n}, \"\""),
            Writing::Subsets(n) => [n.to_string()].into_iter().chain(left()).collect::<Vec<_>>().join(", "),
            Writing::Box(sides) => {
                let sides = sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
                if self.is_whole(g) {
                    return sides;
                }
                // the places from which all is gone are named by the least ones
                let mut covered = vec![0; g.len()];
                let mut bites = Vec::new();
                for (cell, m) in self.moves.iter().enumerate() {
                    let cell_is_gone = !set::contains(g, cell) && !set::contains(&covered, cell);
                    if cell_is_gone {
                        m.removed.iter().for_each(|c| set::insert(&mut covered, *c as usize));
                        bites.push(self.names[cell].as_str());
                    }
                }
                format!("{sides}, {{{}}}", bites.join(", "))
            }
        }
    }
}
