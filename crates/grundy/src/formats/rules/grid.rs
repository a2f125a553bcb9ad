//! `kind = "grid"`: tokens on a grid, with obstacles.

use std::{collections::HashSet, ops::ControlFlow, sync::Arc};

use grundy_core::rulesets::{
    AnyRuleset,
    custom::{DynRuleset, DynSink},
};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{Wrong, parse};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GridFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    about: Option<String>,
    size: Option<Spanned<Vec<u64>>>,
    board: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    blocked: Vec<Spanned<Vec<u64>>>,
    #[serde(default)]
    steps: Vec<Spanned<Vec<i64>>>,
    #[serde(default)]
    rides: Vec<Spanned<Vec<i64>>>,
    tokens: Option<Spanned<usize>>,
}

/// Most coordinates of a square, and most tokens.
const MOST: usize = 16;

/// Tokens on the squares of a grid, which no two of them share.
///
/// A step adds its vector once; a ride as often as one likes, up to the edge, a blocked square or another token. Coordinates count
/// from 0: columns from the left, then rows from the top. A board without size has no edge but that.
#[derive(Debug)]
struct Grid {
    name: String,
    about: String,
    /// Numbers of a square.
    axes: usize,
    tokens: usize,
    size: Option<Vec<u64>>,
    blocked: HashSet<Vec<u64>>,
    steps: Vec<Vec<i64>>,
    rides: Vec<Vec<i64>>,
    /// True if two vectors point the same way, so that a square may be reached twice.
    overlap: bool,
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: GridFile = parse(text)?;
    let Some(first) = file.steps.iter().chain(&file.rides).next() else {
        return Err(Wrong::new("a token that never moves is no game", 0..0)
            .hint("write steps = [[-1, 0], [0, -1]], or rides, which go any number of steps"));
    };
    let axes = first.get_ref().len();
    if axes == 0 || axes > MOST {
        return Err(Wrong::new(format!("a vector has 1 to {MOST} numbers"), first.span()).hint("for example [-1, 0]"));
    }
    let mut blocked = HashSet::new();
    let size = match (&file.size, &file.board) {
        (Some(_), Some(board)) => {
            return Err(Wrong::new("a board that is drawn has its size", board.span()).hint("leave size out"));
        }
        (Some(size), None) if size.get_ref().len() != axes || size.get_ref().contains(&0) => {
            return Err(Wrong::new(format!("the size of this board has {axes} numbers, each at least 1"), size.span())
                .hint("for example size = [8, 8], columns and rows"));
        }
        (Some(size), None) => Some(size.get_ref().clone()),
        (None, Some(board)) => Some(drawn(board, axes, &mut blocked)?),
        (None, None) => None,
    };
    for square in &file.blocked {
        if square.get_ref().len() != axes {
            return Err(Wrong::new(format!("a square of this board has {axes} numbers"), square.span())
                .hint("as many as a vector"));
        }
        let is_outside = |size: &Vec<u64>| square.get_ref().iter().zip(size).any(|(at, side)| at >= side);
        if size.as_ref().is_some_and(is_outside) {
            return Err(Wrong::new("this square lies outside the board", square.span())
                .hint("squares are counted from 0 at the upper left: column, then row"));
        }
        blocked.insert(square.get_ref().clone());
    }
    let vectors = |list: &[Spanned<Vec<i64>>]| -> Result<Vec<Vec<i64>>, Wrong> {
        let mut all: Vec<Vec<i64>> = Vec::new();
        for v in list {
            let wrong = |what: &str, hint: &str| Err(Wrong::new(what, v.span()).hint(hint));
            let vector = v.get_ref();
            if vector.len() != axes {
                return wrong("all vectors have the same number of numbers", "for example [[-1, 0], [0, -1]]");
            }
            if vector.iter().all(|c| *c == 0) {
                return wrong("a move changes the square", "leave this vector out");
            }
            if vector.iter().any(|c| c.unsigned_abs() > 1 << 32) {
                return wrong("a vector has numbers up to 2^32", "write a shorter one");
            }
            if !all.contains(vector) {
                all.push(vector.clone());
            }
        }
        Ok(all)
    };
    let (steps, rides) = (vectors(&file.steps)?, vectors(&file.rides)?);
    if size.is_none()
        && let Some(ride) = file.rides.iter().find(|r| r.get_ref().iter().all(|c| *c >= 0))
    {
        return Err(Wrong::new("this ride has no end on a board without size", ride.span())
            .hint("write size = [8, 8], or a board, or a vector with a negative number"));
    }
    let tokens = match &file.tokens {
        Some(t) if !(1..=MOST).contains(t.get_ref()) => {
            return Err(Wrong::new(format!("there are 1 to {MOST} tokens"), t.span())
                .hint("tokens that do not meet are written as a sum, with tokens = 1"));
        }
        Some(t) => *t.get_ref(),
        None => 1,
    };
    let all: Vec<&Vec<i64>> = steps.iter().chain(&rides).collect();
    let overlap = (1..all.len()).any(|i| all[..i].iter().any(|v| is_same_way(v, all[i])));
    let about = file.about.unwrap_or_default();
    let grid = Grid { name: name.into(), about, axes, tokens, size, blocked, steps, rides, overlap };
    Ok(AnyRuleset::Custom(Arc::new(grid)))
}

/// The size of a board that is drawn row by row, with its blocked squares.
fn drawn(
    board: &Spanned<Vec<Spanned<String>>>,
    axes: usize,
    blocked: &mut HashSet<Vec<u64>>,
) -> Result<Vec<u64>, Wrong> {
    let rows = board.get_ref();
    if axes != 2 {
        return Err(Wrong::new("a board that is drawn has vectors of two numbers", board.span()).hint("write size"));
    }
    let columns = rows.first().map_or(0, |r| r.get_ref().chars().count());
    if columns == 0 {
        return Err(Wrong::new("this board has no square", board.span()).hint("for example board = [\"..#\", \"...\"]"));
    }
    for (y, row) in rows.iter().enumerate() {
        if row.get_ref().chars().count() != columns {
            return Err(Wrong::new(format!("this row has not {columns} squares, as the first one"), row.span())
                .hint("all rows are of one length"));
        }
        for (x, c) in row.get_ref().chars().enumerate() {
            match c {
                '.' => {}
                '#' => drop(blocked.insert(vec![x as u64, y as u64])),
                _ => {
                    return Err(Wrong::new(format!("\"{}\" is no square", c.escape_debug()), row.span())
                        .hint("a free square is \".\", a blocked one \"#\""));
                }
            }
        }
    }
    Ok(vec![columns as u64, rows.len() as u64])
}

/// True if one vector is a positive multiple of the other.
fn is_same_way(a: &[i64], b: &[i64]) -> bool {
    let wide = |v: &[i64], i: usize| i128::from(v[i]);
    (0..a.len()).all(|i| {
        wide(a, i).signum() == wide(b, i).signum() && (0..i).all(|j| wide(a, i) * wide(b, j) == wide(a, j) * wide(b, i))
    })
}

impl Grid {
    /// The square after one step, if it is on the board and not blocked.
    fn step(&self, square: &[u64], vector: &[i64]) -> Option<Vec<u64>> {
        let to: Vec<u64> = square.iter().zip(vector).map(|(x, d)| x.checked_add_signed(*d)).collect::<Option<_>>()?;
        self.is_free(&to).then_some(to)
    }

    fn is_free(&self, square: &[u64]) -> bool {
        let inside = self.size.as_ref().is_none_or(|size| square.iter().zip(size).all(|(x, s)| x < s));
        inside && !self.blocked.contains(square)
    }

    fn squares<'a>(&self, position: &'a [u64]) -> impl Iterator<Item = &'a [u64]> {
        position.chunks_exact(self.axes)
    }

    /// The position after token `t` went to `square`, tokens in their order.
    fn after(&self, position: &[u64], t: usize, square: &[u64]) -> Vec<u64> {
        let mut squares: Vec<&[u64]> = self.squares(position).collect();
        squares[t] = square;
        squares.sort_unstable();
        squares.concat()
    }

    fn print_square(square: &[u64]) -> String {
        format!("({})", square.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
    }
}

impl DynRuleset for Grid {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn dimension(&self) -> Option<usize> {
        Some(self.axes * self.tokens)
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        for (t, square) in self.squares(position).enumerate() {
            let is_taken = |to: &[u64]| self.squares(position).any(|s| s == to);
            let mut sent: HashSet<Vec<u64>> = HashSet::new();
            let ways = self.rides.iter().map(|v| (v, true)).chain(self.steps.iter().map(|v| (v, false)));
            for (vector, rides) in ways {
                let mut at = square.to_vec();
                while let Some(to) = self.step(&at, vector).filter(|to| !is_taken(to)) {
                    if !self.overlap || sent.insert(to.clone()) {
                        sink.push(&self.after(position, t, &to))?;
                    } else {
                        sink.tick()?;
                    }
                    if !rides {
                        break;
                    }
                    at = to;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        let wanted = self.axes * self.tokens;
        if position.len() != wanted {
            return Err(grundy_core::rulesets::custom::wrong_length(&self.name, wanted, position.len()));
        }
        let mut seen = HashSet::new();
        for square in self.squares(position) {
            let name = Grid::print_square(square);
            if self.blocked.contains(square) {
                return Err(format!("square {name} is blocked"));
            }
            if !self.is_free(square) {
                let size = self.size.iter().flatten().map(u64::to_string).collect::<Vec<_>>().join(" x ");
                return Err(format!("square {name} is not on the board of {size}, whose coordinates count from 0"));
            }
            if !seen.insert(square) {
                return Err(format!("two tokens may not share square {name}"));
            }
        }
        Ok(())
    }

    fn canonical(&self, position: &[u64]) -> Vec<u64> {
        let mut squares: Vec<&[u64]> = self.squares(position).collect();
        squares.sort_unstable();
        squares.concat()
    }

    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let [to] = to else { return "no move".into() };
        let is_in = |of: &[u64], s: &[u64]| self.squares(of).any(|x| x == s);
        let from = self.squares(position).find(|s| !is_in(to, s));
        let moved = self.squares(to).find(|s| !is_in(position, s));
        match (from, moved) {
            (Some(from), Some(moved)) if self.tokens > 1 => {
                format!("{} to {}", Grid::print_square(from), Grid::print_square(moved))
            }
            (_, Some(moved)) => format!("to {}", Grid::print_square(moved)),
            _ => "no move".into(),
        }
    }
}
