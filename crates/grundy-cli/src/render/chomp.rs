//! Boards of Chomp in characters.

use grundy_core::rulesets::AnyComponent;

/// Most columns and rows that are drawn.
const WIDEST: u64 = 64;
const HIGHEST: usize = 32;

/// The squares of a board under the numbers of their columns and behind those of their rows: `P` is the poison; a
/// star behind each that the move to `to` takes. None for what is too large for a screen.
pub fn picture(g: &[u64], to: Option<&AnyComponent>) -> Option<Vec<String>> {
    let columns = g.first().copied().unwrap_or(0);
    if g.len() > HIGHEST || columns > WIDEST {
        return None;
    }
    let left = if let Some(AnyComponent::Chomp(_, left)) = to { Some(left) } else { None };
    let digits = columns.saturating_sub(1).to_string().len();
    let side = (g.len().saturating_sub(1)).to_string().len();
    let numbers: Vec<String> = (0..columns).map(|c| format!("{c:>digits$} ")).collect();
    let mut lines = vec![format!("{:side$}  {}", "", numbers.concat().trim_end())];
    for (r, row) in g.iter().enumerate() {
        let squares: Vec<String> = (0..*row)
            .map(|c| {
                let is_taken = left.is_some_and(|left| left.get(r).is_none_or(|row| c >= *row));
                let square = if (r, c) == (0, 0) { 'P' } else { '#' };
                format!("{square:>digits$}{}", if is_taken { "*" } else { " " })
            })
            .collect();
        lines.push(format!("{r:>side$}  {}", squares.concat().trim_end()));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::rulesets::Chomp;

    #[test]
    fn boards_are_drawn() {
        let to = AnyComponent::Chomp(Chomp, vec![3, 1]);
        assert_eq!(picture(&[3, 3, 2], Some(&to)).unwrap().join("\n"), "   0 1 2\n0  P # #\n1  # #*#*\n2  #*#*");
        assert_eq!(picture(&[2, 1], None).unwrap().join("\n"), "   0 1\n0  P #\n1  #");
        assert_eq!((picture(&[65], None), picture(&[1; 33], None)), (None, None));
    }
}
