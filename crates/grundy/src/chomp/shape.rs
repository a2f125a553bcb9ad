//! A board of Chomp and the numbers of the positions below it.

/// The rows of a board, top down, with the number of tails below each row.
///
/// A *tail from row i* is what may be left of the rows i, i + 1, …: lengths that do not grow and do not exceed those
/// of the board. Tails are numbered in lexicographic order, so that the tails with one length of their first row
/// stand side by side, and among them those of the rows below it in the same order again: all sweeps run over blocks
/// of neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    rows: Vec<usize>,
    /// `counts[i][v]`: tails from row i whose first row has at most v squares.
    counts: Vec<Vec<usize>>,
}

impl Shape {
    /// The shape of non-increasing `rows` without empty ones, unless there are none or it has more than `most` tails.
    ///
    /// # Complexity
    /// Time and memory of one number a square, at most some of `most`.
    pub fn new(rows: &[u64], most: u64) -> Option<Shape> {
        if rows.is_empty() {
            return None;
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut counts: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
        for row in rows.iter().rev() {
            let row = usize::try_from(*row).ok().filter(|r| *r < most)?;
            let mut total = 0usize;
            let mut line = Vec::with_capacity(row + 1);
            for v in 0..=row {
                let rest = counts.last().map_or(1, |below| below[v.min(below.len() - 1)]);
                total = total.checked_add(rest).filter(|t| *t <= most)?;
                line.push(total);
            }
            counts.push(line);
        }
        counts.reverse();
        Some(Shape { rows: rows.iter().map(|r| *r as usize).collect(), counts })
    }

    /// The lengths of the rows.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Number of tails from row `i` whose first row has at most `v` squares; 1, the empty tail, below the last row.
    pub fn tails(&self, i: usize, v: usize) -> usize {
        self.counts.get(i).map_or(1, |line| line[v.min(line.len() - 1)])
    }

    /// Number of tails from row `i`.
    pub fn all_tails(&self, i: usize) -> usize {
        self.tails(i, usize::MAX)
    }

    /// Number of tails from row `i` whose first row has fewer than `v` squares: where the block of v begins.
    pub fn before(&self, i: usize, v: usize) -> usize {
        if v == 0 { 0 } else { self.tails(i, v - 1) }
    }

    /// The number of the tail from row `i` with these lengths; missing ones are 0. They must be those of a tail.
    pub fn rank(&self, i: usize, lengths: impl IntoIterator<Item = usize>) -> usize {
        lengths.into_iter().enumerate().map(|(j, v)| self.before(i + j, v)).sum()
    }

    /// The lengths of the tail of a number from row `i`, as many as there is room for.
    pub fn unrank(&self, i: usize, number: usize, lengths: &mut [u64]) {
        let mut left = number;
        for (line, length) in self.counts[i..].iter().zip(lengths) {
            // the length whose block has the number
            let v = line.partition_point(|tails| *tails <= left);
            left -= if v == 0 { 0 } else { line[v - 1] };
            *length = v as u64;
        }
    }

    /// True if `rows` is a board with no row longer than here.
    pub fn holds(&self, rows: &[u64]) -> bool {
        rows.len() <= self.rows.len() && rows.iter().zip(&self.rows).all(|(q, p)| *q <= *p as u64)
    }
}

/// The board seen from its other side: columns become rows. Empty for a board with more than `most` columns.
pub fn transposed(rows: &[u64], most: u64) -> Option<Vec<u64>> {
    let columns = rows.first().copied().unwrap_or(0);
    if columns > most {
        return None;
    }
    let mut height = rows.len();
    let mut turned = Vec::with_capacity(columns as usize);
    for c in 0..columns {
        while height > 0 && rows[height - 1] <= c {
            height -= 1;
        }
        turned.push(height as u64);
    }
    Some(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_numbered_in_order() {
        let shape = Shape::new(&[4, 3, 3, 1], 1 << 20).unwrap();
        let mut all = Vec::new();
        for a in 0..=3 {
            for b in 0..=a {
                all.extend((0..=b.min(1)).map(|c| [a, b, c]));
            }
        }
        assert_eq!(shape.all_tails(1), all.len());
        for (n, tail) in all.iter().enumerate() {
            assert_eq!(shape.rank(1, *tail), n, "{tail:?}");
            let mut back = [9; 3];
            shape.unrank(1, n, &mut back);
            assert_eq!(back.map(|v| v as usize), *tail);
        }
        // 13 over 26 paths
        assert_eq!(Shape::new(&[13; 13], 1 << 30).unwrap().all_tails(0), 10_400_600);
        assert_eq!(Shape::new(&[13; 13], 10_400_599), None);
        assert_eq!(Shape::new(&[1 << 20; 1 << 10], 1 << 40), None);
    }

    #[test]
    fn turning_twice_changes_nothing() {
        for rows in [vec![], vec![5, 5, 3], vec![1, 1, 1], vec![7, 2, 2, 1]] {
            let turned = transposed(&rows, 100).unwrap();
            assert_eq!(transposed(&turned, 100).unwrap(), rows);
        }
        assert_eq!(transposed(&[7, 2, 2, 1], 7).unwrap(), [4, 3, 1, 1, 1, 1, 1]);
        assert_eq!(transposed(&[8], 7), None);
    }
}
