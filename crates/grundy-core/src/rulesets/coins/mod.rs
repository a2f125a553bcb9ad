//! Coin-turning games: a row of coins, a family of sets that may be turned, and products of such games.

mod code;
mod form;
mod product;
mod sets;
mod turning;

pub use code::{CodeError, CoinCode, Element, Spacing};
pub use form::CoinForm;
pub use product::{MOST_FACTORS, ProductGame};
pub use sets::Companions;
pub use turning::{CoinGame, turned};
