//! Boards of cells, drawn.

use grundy_core::rulesets::{AnyComponent, cells::Grid};

/// Most columns and rows that are drawn.
const WIDEST: usize = 64;
const HIGHEST: usize = 32;

/// A board of Cram with the numbers of its rows and columns: `.` is free, `#` blocked, `O` what the move to `to` covers. None for
/// what is too large for a screen.
pub fn cram(board: &Grid, to: Option<&AnyComponent>) -> Option<Vec<String>> {
    let (rows, columns) = (board.rows(), board.columns());
    if columns == 0 || rows > HIGHEST || columns > WIDEST {
        return None;
    }
    let after = match to {
        Some(AnyComponent::Cram(_, after)) => Some(after),
        _ => None,
    };
    let (digits, side) = ((columns - 1).to_string().len(), (rows - 1).to_string().len());
    let numbers: Vec<String> = (0..columns).map(|c| format!("{c:>digits$} ")).collect();
    let mut lines = vec![format!("{:side$}  {}", "", numbers.concat().trim_end())];
    for r in 0..rows {
        let cell = |c: usize| match (board.free(r, c), after.is_some_and(|after| !after.free(r, c))) {
            (true, true) => 'O',
            (true, false) => '.',
            (false, _) => '#',
        };
        let cells: Vec<String> = (0..columns).map(|c| format!("{:>digits$} ", cell(c))).collect();
        lines.push(format!("{r:>side$}  {}", cells.concat().trim_end()));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_sum;

    use super::*;

    #[test]
    fn boards_are_drawn_with_the_domino_of_a_move() {
        let one = |text: &str| read_sum(text).unwrap().components()[0].clone();
        let drawn = |from: &str, to: Option<&str>| match &one(from) {
            AnyComponent::Cram(_, board) => cram(board, to.map(one).as_ref()).map(|lines| lines.join("\n")),
            _ => None,
        };
        assert_eq!(drawn("cram(\"..#/...\")", None).unwrap(), "   0 1 2\n0  . . #\n1  . . .");
        assert_eq!(drawn("cram(\"..#/...\")", Some("cram(\"#.#/#..\")")).unwrap(), "   0 1 2\n0  O . #\n1  O . .");
        assert!(drawn("cram(1x11)", None).unwrap().starts_with("    0  1  2"));
        assert_eq!(drawn("cram(40x2)", None), None);
    }
}
