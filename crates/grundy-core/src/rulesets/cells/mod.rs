//! Games on boards whose positions are sets of cells: dominoes, graphs, partially ordered sets.

mod boards;
mod cram;
mod deletion;
mod geography;
mod hackenbush;
pub mod set;

pub use boards::{GraphRule, NoBoard};
pub use cram::{Cram, Grid, MOST_CELLS, NoBoard as NoGrid};
pub use deletion::{Deletion, DeletionGame, MOST_CELLS as MOST_DELETED, Writing};
pub use geography::Geography;
pub use hackenbush::Hackenbush;
