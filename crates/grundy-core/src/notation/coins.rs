//! Coin-turning games as text: codes, rows and boards.

use super::{SyntaxError, ast::*, parse::size};
use crate::rulesets::coins::{CoinCode, CoinGame, ProductGame, Spacing};

/// Most coins of a board that is given by its sides.
const MOST_COINS: u128 = 1 << 20;

/// Last coin of a game whose sets may be symmetric: they are listed by their first coin.
const LAST_SYMMETRIC: u64 = 1 << 16;

/// The game that the parameters of `coins[…]` mean, printed as `name` if it has one.
///
/// # Errors
/// A bad code, with its place.
pub(super) fn game(name: Option<&str>, parameters: &[ParameterAst], span: &Span) -> Result<CoinGame, SyntaxError> {
    let [ParameterAst { value: ParameterValue::Text(text), span: place }] = parameters else {
        return Err(SyntaxError::new("coins needs a code that says which sets may be turned", span.clone())
            .with_suggestion("coins[\"1-3\"]"));
    };
    let code: CoinCode = text.parse().map_err(|e: crate::rulesets::coins::CodeError| {
        // behind the quote, if there is one
        let quote = usize::from(place.len() > text.len());
        let start = place.start + quote + e.at;
        SyntaxError::new(e.message, start..place.end.saturating_sub(quote).max(start))
            .with_hint("a code is a number of coins and letters, for example 1-3, 2+C, 3E, 4FS, 1-3C(5)")
    })?;
    let name = name.map_or_else(|| format!("coins[\"{code}\"]"), str::to_owned);
    Ok(CoinGame::new(name, code))
}

/// The heads of a row: `"THHT"` or `@{2, 3}`.
///
/// # Errors
/// What is no row, with its place.
pub(super) fn row(game: &CoinGame, position: &PositionAst) -> Result<Vec<u64>, SyntaxError> {
    let span = position.span.clone();
    let heads = match &position.value {
        PositionValue::Text(text) => match text.find('/') {
            None => heads_of(text, span.start + 1)?.into_iter().map(|(_, c)| c).collect(),
            Some(i) => {
                return Err(SyntaxError::new(
                    "a row of coins has no second line",
                    span.start + 1 + i..span.start + 2 + i,
                )
                .with_hint("boards of coins belong to products such as tartan[ruler * ruler]"));
            }
        },
        PositionValue::Heads(list) => {
            let mut heads = list.iter().map(|c| coin(*c, &span)).collect::<Result<Vec<u64>, _>>()?;
            heads.sort_unstable();
            if let Some(w) = heads.windows(2).find(|w| w[0] == w[1]) {
                return Err(SyntaxError::new(format!("coin {} is listed twice", w[0]), span)
                    .with_hint("a coin that is turned twice is as before: leave it out"));
            }
            heads
        }
        other => {
            let hint = match other {
                PositionValue::Number(n) => format!("heads are listed as {}(@{{{n}, …}})", game.name()),
                _ => format!("for example {}(\"THHT\") or {}(@{{2, 3}})", game.name(), game.name()),
            };
            return Err(SyntaxError::new("a row of coins is written by its coins or its heads", span).with_hint(hint));
        }
    };
    reachable(game, heads.last().copied(), &span)?;
    Ok(heads)
}

/// The heads of a board, cell after cell: `{(2, 3), (1, 1)}`, `"THT/HHT"` for two games, or its sides if it is full of heads.
///
/// # Errors
/// What is no board, with its place.
pub(super) fn board(game: &ProductGame, position: &PositionAst) -> Result<Vec<u64>, SyntaxError> {
    let d = game.factors().len();
    let span = position.span.clone();
    let wrong = |found: usize| {
        let cell = (1..=d).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
        SyntaxError::new(format!("a cell of this game has {d} numbers, not {found}"), span.clone())
            .with_hint(format!("for example {{({cell})}}"))
    };
    let mut cells: Vec<Vec<u64>> = Vec::new();
    match &position.value {
        PositionValue::Points(points) => {
            for point in points {
                if point.len() != d {
                    return Err(wrong(point.len()));
                }
                cells.push(point.iter().map(|c| coin(*c, &span)).collect::<Result<_, _>>()?);
            }
            cells.sort_unstable();
            if let Some(w) = cells.windows(2).find(|w| w[0] == w[1]) {
                let cell = w[0].iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                return Err(SyntaxError::new(format!("the cell ({cell}) is listed twice"), span)
                    .with_hint("a coin that is turned twice is as before: leave it out"));
            }
        }
        PositionValue::Box(sides) => {
            if sides.len() != d {
                return Err(wrong(sides.len()));
            }
            if sides.contains(&0) {
                return Err(SyntaxError::new("a side of a board holds at least 1 coin", span)
                    .with_hint(format!("a board without heads is {}({{}})", game.name())));
            }
            let count = sides.iter().try_fold(1u128, |n, s| n.checked_mul(*s)).filter(|n| *n <= MOST_COINS);
            let Some(count) = count else {
                return Err(SyntaxError::new(format!("a board has at most {MOST_COINS} coins here"), span).with_hint(
                    "a judge's problem may ask for the value of a full board of any sides, as pe-459 does",
                ));
            };
            for i in 0..count {
                let mut rest = i;
                let mut cell: Vec<u64> = Vec::with_capacity(d);
                for side in sides.iter().rev() {
                    cell.push((rest % side) as u64 + 1);
                    rest /= side;
                }
                cell.reverse();
                cells.push(cell);
            }
        }
        PositionValue::Heads(heads) if d == 1 => {
            let points = heads.iter().map(|c| vec![*c]).collect();
            return board(game, &PositionAst { value: PositionValue::Points(points), span });
        }
        PositionValue::Text(text) if d <= 2 => {
            let mut lines = heads_of(text, span.start + 1)?;
            lines.sort_unstable();
            if d == 1 && lines.last().is_some_and(|(row, _)| *row > 1) {
                return Err(SyntaxError::new("this game is played on one row", span));
            }
            cells.extend(lines.into_iter().map(|(row, c)| if d == 1 { vec![c] } else { vec![row, c] }));
        }
        _ => {
            let cell = (1..=d).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
            return Err(SyntaxError::new("a board of coins is written by the cells of its heads", span)
                .with_hint(format!("for example {}({{({cell})}})", game.name())));
        }
    }
    for (axis, factor) in game.factors().iter().enumerate() {
        reachable(factor, cells.iter().map(|c| c[axis]).max(), &span)?;
    }
    Ok(cells.concat())
}

/// The row and the coin of each H, both counted from 1; rows are divided by slashes.
fn heads_of(text: &str, start: usize) -> Result<Vec<(u64, u64)>, SyntaxError> {
    let mut heads = Vec::new();
    let (mut row, mut coin) = (1, 0);
    let mut first = None;
    for (i, c) in text.char_indices().chain([(text.len(), '/')]) {
        let is_end = i == text.len();
        match c {
            '/' if *first.get_or_insert(coin) != coin => {
                let at = start + i;
                return Err(SyntaxError::new(
                    format!("row {row} has {coin} coins, and row 1 another number"),
                    at..at + 1,
                )
                .with_hint("write T for tails to the end of each row"));
            }
            '/' if is_end => {}
            'H' | 'h' => {
                coin += 1;
                heads.push((row, coin));
            }
            'T' | 't' => coin += 1,
            '/' => (row, coin) = (row + 1, 0),
            c => {
                let at = start + i;
                return Err(SyntaxError::new(format!("\"{}\" is no coin", c.escape_debug()), at..at + c.len_utf8())
                    .with_hint("write H for heads and T for tails"));
            }
        }
    }
    Ok(heads)
}

fn coin(number: u128, span: &Span) -> Result<u64, SyntaxError> {
    match size(number, span.clone())? {
        0 => Err(SyntaxError::new("coins are counted from 1", span.clone())),
        n => Ok(n),
    }
}

fn reachable(game: &CoinGame, last: Option<u64>, span: &Span) -> Result<(), SyntaxError> {
    let symmetric = game.form().is_none() && game.code().elements().iter().any(|e| e.spacing == Spacing::Symmetric);
    match last.filter(|n| symmetric && *n > LAST_SYMMETRIC) {
        None => Ok(()),
        Some(n) => {
            Err(SyntaxError::new(format!("coin {n} is too far: no formula is known for {}", game.name()), span.clone())
                .with_hint(format!(
                    "coins up to {LAST_SYMMETRIC} are in reach of the notation, if hardly of any computer"
                )))
        }
    }
}
