//! Products of coin-turning games: coins on a board of any dimension.
//!
//! A move turns S1 x S2 x …, where Si is a set that the i-th game may turn, and the coin at the last members of all sets goes
//! from heads to tails. By the Tartan theorem a head at (x, y, …) is worth the nim product of the values of coin x in the
//! first game, coin y in the second, ….

use core::ops::ControlFlow;
use std::sync::Arc;

use super::{form::CoinForm, turning::CoinGame};
use crate::{
    ruleset::{ByTheorem, OptionSink, Playable, Ruleset},
    theory::nim_split::{NimField, PlainField},
};

/// A product of games under the name it was typed with.
///
/// A position lists the cells that are heads one after another, each with as many numbers as there are games, the cells in
/// lexicographic order.
///
/// # Sources
/// `[WW]` chapter 14, the Tartan theorem
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use grundy_core::ruleset::Ruleset;
/// use grundy_core::rulesets::coins::{CoinGame, ProductGame};
/// let ruler = Arc::new(CoinGame::new("ruler", "1+C".parse().unwrap()));
/// let rugs = ProductGame::new("rugs", vec![ruler.clone(), ruler]).unwrap();
/// assert_eq!(rugs.value_hint(&vec![2, 2, 4, 4]).unwrap().answer, 3 ^ 6); // 2 x 2 = 3, 4 x 4 = 6
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductGame {
    name: String,
    factors: Vec<Arc<CoinGame>>,
}

/// Receives the sets of a block, or None now and then.
type BlockSink<'a> = dyn FnMut(Option<&[Vec<u64>]>) -> ControlFlow<()> + 'a;

/// Most games of a product.
pub const MOST_FACTORS: usize = 8;

impl ProductGame {
    /// The product of `factors`, printed as `name`; None unless there are 1 to [`MOST_FACTORS`] of them.
    pub fn new(name: impl Into<String>, factors: Vec<Arc<CoinGame>>) -> Option<Self> {
        (1..=MOST_FACTORS).contains(&factors.len()).then(|| ProductGame { name: name.into(), factors })
    }

    /// The name it was typed with: `rugs`, `tartan[ruler * sym]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The games.
    pub fn factors(&self) -> &[Arc<CoinGame>] {
        &self.factors
    }

    /// The cells of a position.
    pub fn cells<'a>(&self, position: &'a [u64]) -> impl Iterator<Item = &'a [u64]> {
        position.chunks_exact(self.factors.len())
    }

    /// The position after the sets of a move are turned.
    pub fn after(&self, position: &[u64], sets: &[Vec<u64>]) -> Vec<u64> {
        let mut block = Vec::new();
        cross(sets, &mut Vec::new(), &mut block);
        self.differing(position, &block)
    }

    /// The cells that are in one of two positions, but not in both.
    fn differing(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut cells = self.cells(a).peekable();
        let mut others = self.cells(b).peekable();
        let mut result = Vec::with_capacity(a.len() + b.len());
        loop {
            let cell = match (cells.peek(), others.peek()) {
                (None, None) => return result,
                (Some(x), Some(y)) if x == y => {
                    cells.next();
                    others.next();
                    continue;
                }
                (Some(x), Some(y)) if x > y => others.next(),
                (None, _) => others.next(),
                _ => cells.next(),
            };
            result.extend_from_slice(cell.unwrap_or_default());
        }
    }

    /// The sets of a move, one a game, if turning from one position to the other turns such a block.
    pub fn block(&self, g: &[u64], to: &[u64]) -> Option<Vec<Vec<u64>>> {
        let turned = self.differing(g, to);
        let mut sets: Vec<Vec<u64>> = vec![Vec::new(); self.factors.len()];
        for cell in self.cells(&turned) {
            for (set, c) in sets.iter_mut().zip(cell) {
                set.push(*c);
            }
        }
        for set in &mut sets {
            set.sort_unstable();
            set.dedup();
        }
        let size = sets.iter().try_fold(self.factors.len(), |s, set| s.checked_mul(set.len()))?;
        (size == turned.len() && size > 0).then_some(sets)
    }

    /// Each way to choose sets that may be turned where the last cell is `cell`, by the first set, then the second, ….
    fn each_block(&self, cell: &[u64], sets: &mut Vec<Vec<u64>>, sink: &mut BlockSink<'_>) -> ControlFlow<()> {
        let axis = sets.len();
        if axis == self.factors.len() {
            return sink(Some(sets));
        }
        for mut set in self.factors[axis].code().companions(cell[axis]) {
            set.push(cell[axis]);
            sets.push(set);
            let flow = self.each_block(cell, sets, sink);
            sets.pop();
            flow?;
        }
        sink(None)
    }
}

/// All cells of S1 x S2 x …, in lexicographic order.
fn cross(sets: &[Vec<u64>], front: &mut Vec<u64>, cells: &mut Vec<u64>) {
    match sets.split_first() {
        None => cells.extend_from_slice(front),
        Some((set, rest)) => {
            for c in set {
                front.push(*c);
                cross(rest, front, cells);
                front.pop();
            }
        }
    }
}

impl Ruleset for ProductGame {
    type Position = Vec<u64>;

    /// The options by the head that is turned down, then by the sets, each as a binary number.
    ///
    /// # Complexity
    /// O(number of heads + size of the block) for each option.
    fn options(&self, g: &Vec<u64>, sink: &mut impl OptionSink<Vec<u64>>) -> ControlFlow<()> {
        for cell in self.cells(g) {
            self.each_block(cell, &mut Vec::new(), &mut |sets| match sets {
                Some(sets) => sink.push(self.after(g, sets)),
                None => sink.tick(),
            })?;
        }
        ControlFlow::Continue(())
    }

    fn is_option(&self, g: &Vec<u64>, parts: &[Vec<u64>]) -> bool {
        let [to] = parts else { return false };
        let d = self.factors.len();
        let cells: Vec<&[u64]> = self.cells(to).collect();
        if to.len() % d != 0 || to.contains(&0) || cells.windows(2).any(|w| w[0] >= w[1]) {
            return false;
        }
        let Some(sets) = self.block(g, to) else { return false };
        let last: Vec<u64> = sets.iter().filter_map(|s| s.last().copied()).collect();
        self.cells(g).any(|c| c == last) && self.factors.iter().zip(&sets).all(|(f, s)| f.code().allows(s))
    }

    fn value_hint(&self, g: &Vec<u64>) -> Option<ByTheorem<u64>> {
        let forms: Vec<CoinForm> = self.factors.iter().map(|f| f.form()).collect::<Option<_>>()?;
        let mut answer = 0;
        for cell in self.cells(g) {
            let mut value = 1;
            for (form, c) in forms.iter().zip(cell) {
                value = PlainField.product(value, form.value(*c)?);
            }
            answer ^= value;
        }
        let theorem = "by the Tartan theorem a head is worth the nim product of the values of its coordinates";
        Some(ByTheorem { answer, theorem, source: "WW" })
    }
}

impl Playable for ProductGame {
    /// `turn (2, 3)`, `turn {1, 2} x {3}`.
    fn move_name(&self, g: &Vec<u64>, to: &[Vec<u64>]) -> String {
        let Some(sets) = to.first().and_then(|to| self.block(g, to)) else { return String::new() };
        let list = |set: &Vec<u64>| set.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        if sets.iter().all(|s| s.len() == 1) {
            return format!("turn ({})", sets.iter().map(list).collect::<Vec<_>>().join(", "));
        }
        format!("turn {}", sets.iter().map(|s| format!("{{{}}}", list(s))).collect::<Vec<_>>().join(" x "))
    }

    /// `{(1, 2), (3, 4)}`: the heads; `3x5` for a board full of them.
    fn print_position(&self, g: &Vec<u64>) -> String {
        let d = self.factors.len();
        let sides: Vec<u64> = (0..d).map(|axis| g.iter().skip(axis).step_by(d).copied().max().unwrap_or(0)).collect();
        let full = sides.iter().try_fold(d as u64, |size, side| size.checked_mul(*side));
        if d > 1 && g.len() > d && full == Some(g.len() as u64) {
            return sides.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
        }
        let cell = |c: &[u64]| format!("({})", c.iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
        format!("{{{}}}", self.cells(g).map(cell).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::laws::laws;

    fn product(codes: &[&str]) -> ProductGame {
        let factors = codes.iter().map(|c| Arc::new(CoinGame::new(*c, c.parse().unwrap()))).collect();
        ProductGame::new("product", factors).unwrap()
    }

    /// All positions on a board of the given sides.
    fn boards(sides: &[u64]) -> Vec<Vec<u64>> {
        let all: Vec<Vec<u64>> = sides.iter().map(|s| (1..=*s).collect()).collect();
        let mut cells = Vec::new();
        cross(&all, &mut Vec::new(), &mut cells);
        let cells: Vec<&[u64]> = cells.chunks(sides.len()).collect();
        (0..1u32 << cells.len())
            .map(|m| {
                cells.iter().enumerate().filter(|(i, _)| m >> i & 1 == 1).flat_map(|(_, c)| c.iter().copied()).collect()
            })
            .collect()
    }

    fn order(game: &ProductGame, g: &[u64], to: &[Vec<u64>]) -> u128 {
        let sets = game.block(g, &to[0]).unwrap();
        let last: Vec<u64> = sets.iter().map(|s| *s.last().unwrap()).collect();
        let place = game.cells(g).position(|c| c == last).unwrap() as u128;
        sets.iter().fold(place, |key, set| key << 8 | set.iter().map(|c| 1u128 << c).sum::<u128>())
    }

    macro_rules! laws_of {
        ($($name:ident: $codes:expr, $sides:expr;)+) => {
            laws! { $($name: product(&$codes), boards(&$sides), |g, to| order(&product(&$codes), g, to);)+ }
        };
    }

    laws_of! {
        laws_of_turning_corners: ["2", "2"], [3, 3];
        laws_of_rugs: ["1+C", "1+C"], [2, 4];
        laws_of_a_tartan: ["1-3", "2+C"], [2, 4];
        laws_of_computed_factors: ["1+S", "3E"], [2, 4];
        laws_of_a_box: ["1-2", "1-2", "1-2"], [2, 2, 2];
        laws_of_a_row: ["1-3"], [6];
    }

    #[test]
    fn names() {
        let rugs = product(&["1+C", "1+C"]);
        assert_eq!(rugs.move_name(&vec![2, 2], &[vec![]]), "turn (2, 2)");
        assert_eq!(rugs.move_name(&vec![2, 2], &[vec![1, 2]]), "turn {1, 2} x {2}");
        assert_eq!(rugs.print_position(&vec![1, 2, 2, 1]), "{(1, 2), (2, 1)}");
        assert_eq!(rugs.print_position(&vec![1, 1, 1, 2, 2, 1, 2, 2]), "2x2");
        assert_eq!(rugs.print_position(&vec![1, 1]), "{(1, 1)}");
        assert_eq!(ProductGame::new("empty", vec![]), None);
    }
}
