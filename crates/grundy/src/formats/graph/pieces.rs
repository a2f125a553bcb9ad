//! Large files cut into pieces that are read on all cores at once.

use std::ops::Range;

use rayon::prelude::*;

/// Fewest bytes of a piece: enough that it is worth a thread's while.
const LEAST: usize = 1 << 22;

/// The bytes of a piece: one for each thread, since what is read is put together afterwards. No threads are started for small files.
fn length(bytes: usize) -> usize {
    if bytes < 2 * LEAST { bytes.max(1) } else { bytes.div_ceil(rayon::current_num_threads()).max(LEAST) }
}

/// The bytes from `body` on in pieces that end with a line.
pub(super) fn at_line_ends(bytes: &[u8], body: usize) -> Vec<Range<usize>> {
    at_line_ends_by(bytes, body, length(bytes.len() - body))
}

pub(super) fn at_line_ends_by(bytes: &[u8], body: usize, length: usize) -> Vec<Range<usize>> {
    cut(bytes, body, length, |from| bytes[from..].iter().position(|b| *b == b'\n').map(|i| from + i + 1))
}

/// The bytes from `body` on in pieces that end with a semicolon that is not between quotes.
///
/// Every second quote closes one: the quotes of each piece are counted first.
pub(super) fn at_semicolons(bytes: &[u8], body: usize) -> Vec<Range<usize>> {
    at_semicolons_by(bytes, body, length(bytes.len() - body))
}

pub(super) fn at_semicolons_by(bytes: &[u8], body: usize, length: usize) -> Vec<Range<usize>> {
    // the last one is of no interest
    let count = (bytes.len() - body).div_ceil(length).saturating_sub(1);
    let quotes = |i: usize| quotes_in(&bytes[body + i * length..body + (i + 1) * length]);
    let quotes: Vec<usize> = if count == 0 { Vec::new() } else { (0..count).into_par_iter().map(quotes).collect() };
    // whether a quote is open where each piece would begin
    let open: Vec<bool> = quotes
        .iter()
        .scan(0, |sum, n| {
            *sum += n;
            Some(*sum % 2 == 1)
        })
        .collect();
    cut(bytes, body, length, |from| {
        let mut is_open = (from - body).checked_div(length)?.checked_sub(1).is_some_and(|i| open[i]);
        let end = bytes[from..].iter().position(|b| {
            is_open ^= *b == b'"';
            *b == b';' && !is_open
        });
        end.map(|i| from + i + 1)
    })
}

/// How many quotes there are, counted in bytes as long as they cannot overflow.
fn quotes_in(bytes: &[u8]) -> usize {
    let few = |bytes: &[u8]| bytes.iter().map(|b| u8::from(*b == b'"')).sum::<u8>();
    bytes.chunks(128).map(|bytes| usize::from(few(bytes))).sum()
}

/// Pieces of some length, each prolonged to the next end; `end` says where that is, at or after a multiple of the length.
fn cut(bytes: &[u8], body: usize, length: usize, end: impl Fn(usize) -> Option<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = body;
    let mut mark = body + length;
    while mark < bytes.len() {
        // a piece that is longer than others may have passed the mark
        if start <= mark {
            let Some(end) = end(mark) else { break };
            pieces.push(start..end);
            start = end;
        }
        mark += length;
    }
    pieces.push(start..bytes.len());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces lie one after another and end where they should.
    fn assert_pieces(bytes: &[u8], body: usize, pieces: &[Range<usize>], ends: impl Fn(usize) -> bool) {
        assert_eq!((pieces[0].start, pieces[pieces.len() - 1].end), (body, bytes.len()));
        for pair in pieces.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
            assert!(ends(pair[0].end), "{pair:?}");
        }
    }

    #[test]
    fn pieces_end_with_lines_and_rows() {
        let row = b"12 3 0 1,2,3 \"a; name\";\n";
        let bytes: Vec<u8> = row.iter().copied().cycle().take(100 * row.len()).collect();
        let lines = at_line_ends_by(&bytes, 0, 500);
        assert!(lines.len() > 2);
        assert_pieces(&bytes, 0, &lines, |end| end % row.len() == 0);
        let body = 3 * row.len();
        let rows = at_semicolons_by(&bytes, body, 500);
        assert!(rows.len() > 2);
        assert_pieces(&bytes, body, &rows, |end| end % row.len() == row.len() - 1);
    }

    #[test]
    fn what_has_no_ends_is_one_piece() {
        let bytes = vec![b'x'; 300];
        assert_pieces(&bytes, 1, &at_line_ends_by(&bytes, 1, 100), |_| false);
        assert_pieces(&bytes, 1, &at_semicolons_by(&bytes, 1, 100), |_| false);
        assert_pieces(b"", 0, &at_semicolons(b"", 0), |_| false);
    }
}
