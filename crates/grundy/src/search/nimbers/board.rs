//! What the searches ask of a game in which moves take cells away.

use super::{cells::CellSet, isomorphism::Graph};

/// Whether there are more moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// At the next stage.
    More,
    /// None.
    Done,
}

/// A game whose positions are sets of free cells, whose moves shrink the set, and in which cells that do not touch are
/// played independently.
pub trait Board: Sync {
    /// Sets of cells.
    type Cells: CellSet;

    /// Appends the cells that moves from `cells` leave, the most promising moves first: those of the stages 0, 1, … until it
    /// says that there are no more. Equal results may come more than once. Every result has fewer cells.
    fn moves(&self, cells: Self::Cells, stage: u32, out: &mut Vec<Self::Cells>) -> Stages;

    /// Appends the components of `cells` with a move, in canonical form (equal values by symmetry, equal cells), and
    /// returns the xor of the Grundy values of components that are not appended because they are known.
    ///
    /// `cells` is what a move leaves of the component `from`, or equal to `from`. Parts that no move touches may be
    /// left out, as may anything else that leaves the Grundy value as it is.
    fn split(&self, from: Self::Cells, cells: Self::Cells, out: &mut Vec<Self::Cells>) -> u32;

    /// Takes notice of the value of a component in canonical form, if that makes [`Board::split`] cheaper.
    fn keep(&self, component: Self::Cells, value: u32) {
        let _ = (component, value);
    }

    /// A number that no Grundy value of a component exceeds, such as the length of a longest play.
    fn bound(&self, component: Self::Cells) -> u32 {
        component.count()
    }

    /// Writes the graph that alone decides the value of `component` (isomorphic graphs, equal values); false if there
    /// is none.
    fn graph(&self, component: Self::Cells, graph: &mut Graph) -> bool {
        let _ = (component, graph);
        false
    }

    /// How hard a component looks, in eighths; children of small total weight are searched first.
    fn weight(&self, component: Self::Cells) -> u64 {
        let n = u64::from(component.count());
        8 * n * n * n
    }
}
