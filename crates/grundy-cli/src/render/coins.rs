//! Coins drawn as a row or a board.

use grundy_core::rulesets::AnyComponent;

use super::chomp;

/// Most coins of a row, and rows of a board, that are drawn.
const WIDEST: u64 = 64;
const HIGHEST: u64 = 32;

/// Rows and columns of the smallest board on which all components lie, those that are drawn.
pub fn extent(components: &[AnyComponent]) -> [u64; 2] {
    let mut board = [1, 0];
    for c in components {
        match c {
            AnyComponent::Coins(_, p) => board[1] = p.last().copied().unwrap_or(0).max(board[1]),
            AnyComponent::Tartan(game, p) if game.factors().len() == 2 => {
                for cell in game.cells(p) {
                    board = [board[0].max(cell[0]), board[1].max(cell[1])];
                }
            }
            _ => {}
        }
    }
    board
}

/// The coins of a component with their numbers, line by line, on a row or a board of at least the given rows and
/// columns; a star behind each that the move to `to` turns; a board of Chomp as [`chomp::picture`] draws it. None for
/// other games, boards of more than two dimensions, and what is too large for a screen.
pub fn picture(component: &AnyComponent, to: Option<&AnyComponent>, least: [u64; 2]) -> Option<Vec<String>> {
    if let AnyComponent::Cram(_, board) = component {
        return super::boards::cram(board, to);
    }
    if let AnyComponent::Chomp(_, g) = component {
        return chomp::picture(g, to);
    }
    let pair = |p: &[u64]| [p[0], p[1]];
    let (heads, after): (Vec<[u64; 2]>, Option<Vec<[u64; 2]>>) = match (component, to) {
        (AnyComponent::Coins(_, p), to) => {
            let row = |p: &[u64]| p.iter().map(|n| [1, *n]).collect();
            let after = if let Some(AnyComponent::Coins(_, q)) = to { Some(row(q)) } else { None };
            (row(p), after)
        }
        (AnyComponent::Tartan(game, p), to) if game.factors().len() == 2 => {
            let after = if let Some(AnyComponent::Tartan(game, q)) = to {
                Some(game.cells(q).map(pair).collect())
            } else {
                None
            };
            (game.cells(p).map(pair).collect(), after)
        }
        _ => return None,
    };
    let is_row = matches!(component, AnyComponent::Coins(..));
    let last = |axis: usize| heads.iter().map(|c| c[axis]).max().unwrap_or(0);
    let (rows, columns) = (if is_row { 1 } else { last(0).max(least[0]) }, last(1).max(least[1]));
    if columns == 0 || heads.is_empty() && least[1] == 0 || rows > HIGHEST || columns > WIDEST {
        return None;
    }
    let digits = columns.to_string().len();
    let side = if is_row { 0 } else { rows.to_string().len() };
    let mut lines = Vec::new();
    let numbers: Vec<String> = (1..=columns).map(|c| format!("{c:>digits$} ")).collect();
    lines.push(format!("{:side$}  {}", "", numbers.concat().trim_end()));
    for r in 1..=rows {
        let coins: Vec<String> = (1..=columns)
            .map(|c| {
                let up = heads.contains(&[r, c]);
                let turned = after.as_ref().is_some_and(|after| after.contains(&[r, c]) != up);
                format!("{:>digits$}{}", if up { "H" } else { "T" }, if turned { "*" } else { " " })
            })
            .collect();
        let number = if is_row { String::new() } else { r.to_string() };
        lines.push(format!("{number:>side$}  {}", coins.concat().trim_end()));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::read_sum;

    fn drawn(from: &str, to: Option<&str>) -> Option<String> {
        let one = |text: &str| read_sum(text).unwrap().components()[0].clone();
        picture(&one(from), to.map(one).as_ref(), [0, 0]).map(|lines| lines.join("\n"))
    }

    #[test]
    fn rows_and_boards_are_drawn() {
        assert_eq!(drawn("mock_turtles(@{2, 4})", None).unwrap(), "  1 2 3 4\n  T H T H");
        assert_eq!(drawn("mock_turtles(@{2, 4})", Some("mock_turtles(@{1, 2})")).unwrap(), "  1 2 3 4\n  T*H T H*");
        assert_eq!(drawn("rugs(\"HT/TH\")", None).unwrap(), "   1 2\n1  H T\n2  T H");
        assert!(drawn("ruler(@{10})", None).unwrap().ends_with("   T  T  T  T  T  T  T  T  T  H"));
    }

    #[test]
    fn what_has_no_picture() {
        for text in ["nim(3)", "ruler(@{})", "ruler(@{65})", "rugs({(33, 1)})", "light_switching({(1, 1, 1)})"] {
            assert_eq!(drawn(text, None), None, "{text}");
        }
    }
}
