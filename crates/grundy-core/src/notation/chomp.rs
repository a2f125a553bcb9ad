//! Boards of Chomp: `chomp(5x7)`, `chomp(5, 5, 3)`.

use super::{
    SyntaxError,
    ast::{PositionAst, PositionValue, Span},
    parse::size,
};
use crate::rulesets::chomp::{Chomp, NoBoard};

/// The board that the list in the parentheses means; `span` is the whole term.
pub(super) fn board(positions: &[PositionAst], span: &Span) -> Result<Vec<u64>, SyntaxError> {
    let wrong = |e: NoBoard, span: &Span| {
        let error = SyntaxError::new(e.to_string(), span.clone());
        match e {
            NoBoard::Empty => error.with_hint("for example chomp(3x4), or chomp(5, 5, 3) by the lengths of its rows"),
            NoBoard::Grows(_) => error.with_hint("write the lengths of the rows from the top, the longest first"),
            NoBoard::TooManyRows(_) => {
                error.with_hint("a board and its transpose are the same game: write the rows as columns")
            }
        }
    };
    let mut rows = Vec::with_capacity(positions.len());
    for p in positions {
        match &p.value {
            PositionValue::Number(n) => rows.push(size(*n, p.span.clone())?),
            PositionValue::Box(sides) if positions.len() > 1 => {
                let boards = "each board is a component of its own";
                let sides = sides.iter().map(u128::to_string).collect::<Vec<_>>().join("x");
                return Err(SyntaxError::new(boards, p.span.clone()).with_hint(format!("write … + chomp({sides})")));
            }
            PositionValue::Box(sides) => match sides[..] {
                [rows, columns] => {
                    let side = |n| size(n, p.span.clone());
                    return Chomp.rectangle(side(rows)?, side(columns)?).map_err(|e| wrong(e, &p.span));
                }
                _ => {
                    return Err(SyntaxError::new("chomp is played here on boards with two sides", p.span.clone())
                        .with_hint("for example chomp(3x4)"));
                }
            },
            _ => {
                return Err(SyntaxError::new("a board of chomp is written by its sides or its rows", p.span.clone())
                    .with_hint("for example chomp(3x4), or chomp(5, 5, 3) by the lengths of its rows"));
            }
        }
    }
    Chomp.board(&rows).map_err(|e| match e {
        NoBoard::Grows(r) => wrong(e, &positions[r].span),
        _ => wrong(e, span),
    })
}
