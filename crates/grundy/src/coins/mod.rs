//! Coin-turning games of which no formula is known: values of coins, and the sets that win.
//!
//! A coin is worth the mex of the values of all sets of coins before it that may be turned with it. What that costs depends on
//! the code: sets of any coins are kept as bit sets of their values, one for each size; symmetric sets are affine subspaces,
//! of whose union the mex is found without listing a member; a bounded window makes the values periodic; the rest is listed.

mod affine;
mod levels;
mod product;
mod sets;
mod table;

pub use product::{Products, Winning};
pub use sets::SetFinder;
pub use table::CoinTable;
