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

/// The row and the column of the square that stands at a place of the picture of a board of Cram or Chomp, counted from its upper
/// left letter; whether such a square is there is another question.
pub fn square(component: &AnyComponent, line: usize, letter: usize) -> Option<(usize, usize)> {
    let (rows, columns) = match component {
        AnyComponent::Cram(_, board) => (board.rows(), board.columns()),
        AnyComponent::Chomp(_, g) => (g.len(), usize::try_from(g.first().copied().unwrap_or(0)).ok()?),
        _ => return None,
    };
    // a row of numbers stands above, a column of them before
    let digits = columns.saturating_sub(1).to_string().len();
    let side = rows.saturating_sub(1).to_string().len();
    let row = line.checked_sub(1).filter(|r| *r < rows)?;
    let column = letter.checked_sub(side + 2)? / (digits + 1);
    (column < columns).then_some((row, column))
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
        // every square is found where it is drawn
        for text in ["cram(12x3)", "cram(2x11)", "chomp(3x12)", "chomp(11x2)"] {
            let board = one(text);
            let lines = crate::render::coins::picture(&board, None, [0, 0]).unwrap();
            let mut found = 0;
            for (i, line) in lines.iter().enumerate().skip(1) {
                for (at, letter) in line.chars().enumerate().filter(|(_, c)| ".P#".contains(*c)) {
                    let (r, c) = square(&board, i, at).unwrap();
                    assert_eq!((r, line[..at].matches(['.', 'P', '#']).count()), (i - 1, c), "{text} {letter}");
                    found += 1;
                }
            }
            assert!(found > 20, "{text}");
        }
        assert_eq!((square(&one("cram(2x2)"), 0, 3), square(&one("cram(2x2)"), 3, 3)), (None, None));
    }
}
