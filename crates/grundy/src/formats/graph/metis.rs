//! Graphs of METIS: the head `vertices edges [format [weights]]`, then a line for each vertex with its neighbours, from 1 on.
//!
//! Each edge stands in both lines and leads both ways. Weights and sizes, as the head announces them, are passed over. Lines that
//! begin with `%` are comments; an empty line is a vertex without neighbours.

use grundy_core::theory::digraph::{Digraph, MOST_VERTICES};

use super::{
    GraphFile, Names,
    cursor::{Cursor, is_space},
    error::Fault,
};

pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let mut cursor = Cursor::new(bytes);
    while cursor.peek() == b'%' || line_is_empty(&cursor) {
        next_line(&mut cursor);
    }
    blanks(&mut cursor);
    let count_at = cursor.at;
    let count = cursor.number("number of vertices")?;
    blanks(&mut cursor);
    let edges_at = cursor.at;
    let announced = cursor.number("number of edges")?;
    let [mut sizes, mut weights, mut edge_weights] = [0u64; 3];
    blanks(&mut cursor);
    if !is_end(&cursor) {
        let at = cursor.at;
        let format = cursor.number("format")?;
        [sizes, weights, edge_weights] = [format / 100, format / 10 % 10, format % 10];
        if sizes > 1 || weights > 1 || edge_weights > 1 {
            return Err(Fault::new(at, "the format has three digits that are 0 or 1"));
        }
        blanks(&mut cursor);
        if !is_end(&cursor) {
            weights *= cursor.number("number of weights of a vertex")?;
            blanks(&mut cursor);
        }
    }
    if !is_end(&cursor) {
        return Err(cursor.expected("the end of the head"));
    }
    next_line(&mut cursor);
    // a line takes a byte, but the last one may be missing its end
    if count > bytes.len() as u64 + 1 || count > MOST_VERTICES as u64 {
        return Err(Fault::new(count_at, format!("the head announces {count} vertices, the file has fewer lines")));
    }
    let mut offsets = vec![0u64];
    let mut targets = Vec::new();
    for v in 1..=count {
        while cursor.peek() == b'%' {
            next_line(&mut cursor);
        }
        if cursor.at_end() && v < count {
            return Err(Fault::new(
                cursor.at,
                format!("the head announces {count} vertices, the line of {v} is missing"),
            ));
        }
        blanks(&mut cursor);
        for _ in 0..sizes.saturating_add(weights) {
            cursor.number("weight or size of the vertex")?;
            blanks(&mut cursor);
        }
        while !is_end(&cursor) {
            let at = cursor.at;
            let to = cursor.number("number of a neighbour")?;
            if !(1..=count).contains(&to) {
                return Err(Fault::new(at, format!("there is no vertex {to}: they are 1 to {count}")));
            }
            if !is_space(cursor.peek()) && !cursor.at_end() {
                return Err(cursor.expected("a blank or the end of the line"));
            }
            targets.push((to - 1) as u32);
            blanks(&mut cursor);
            if edge_weights == 1 {
                cursor.number("weight of the edge")?;
                blanks(&mut cursor);
            }
        }
        offsets.push(targets.len() as u64);
        next_line(&mut cursor);
    }
    loop {
        cursor.skip_space();
        if cursor.peek() != b'%' {
            break;
        }
        next_line(&mut cursor);
    }
    if !cursor.at_end() {
        return Err(cursor.expected(&format!("the end of the file after the lines of {count} vertices")));
    }
    if announced.checked_mul(2) != Some(targets.len() as u64) {
        let why = format!(
            "the head announces {announced} edges, the lines have {} ends of edges and not twice as many",
            targets.len()
        );
        return Err(Fault::new(edges_at, why));
    }
    let graph = Digraph::from_rows(offsets, targets).map_err(|e| Fault::new(cursor.at, e.to_string()))?;
    if let Some((v, to)) = one_way(&graph) {
        let why = format!(
            "vertex {} has the neighbour {}, but not the other way round: METIS has no directions",
            v + 1,
            to + 1
        );
        return Err(Fault::new(edges_at, why));
    }
    Ok(GraphFile::new(graph, Names::Numbered { first: 1 }))
}

/// An edge that has no other one back; each counts as often as it is there.
fn one_way(graph: &Digraph) -> Option<(u32, u32)> {
    let back = graph.reversed();
    let sorted = |graph: &Digraph, v: u32| {
        let mut row = graph.successors(v).to_vec();
        row.sort_unstable();
        row
    };
    (0..graph.vertices() as u32).find_map(|v| {
        let (out, into) = (sorted(graph, v), sorted(&back, v));
        let differs = out.iter().zip(&into).find(|(a, b)| a != b).map(|(a, b)| (*a).min(*b));
        let longer = out.get(into.len()).or(into.get(out.len())).copied();
        let w = differs.or(longer)?;
        Some(if out.contains(&w) { (v, w) } else { (w, v) })
    })
}

fn blanks(cursor: &mut Cursor<'_>) {
    while cursor.peek() != b'\n' && is_space(cursor.peek()) {
        cursor.at += 1;
    }
}

fn is_end(cursor: &Cursor<'_>) -> bool {
    cursor.at_end() || cursor.peek() == b'\n'
}

fn line_is_empty(cursor: &Cursor<'_>) -> bool {
    let mut ahead = Cursor { bytes: cursor.bytes, at: cursor.at };
    blanks(&mut ahead);
    !ahead.at_end() && ahead.peek() == b'\n'
}

fn next_line(cursor: &mut Cursor<'_>) {
    let rest = &cursor.bytes[cursor.at..];
    cursor.at += rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |i| i + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_weighted() {
        let plain = read(b"% a comment\n 4 2\n2 3\n1\n% another\n1\n\n").unwrap();
        assert_eq!([0, 1, 2, 3].map(|v| plain.graph.successors(v)), [&[1, 2][..], &[0], &[0], &[]]);
        assert_eq!(plain.names.get(3), "4");
        let weighted = read(b"3 1 111 2\n5 1 1 2 9\n6 2 2 1 9\n7 3 3").unwrap();
        assert_eq!([0, 1, 2].map(|v| weighted.graph.successors(v)), [&[1][..], &[0], &[]]);
    }

    #[test]
    fn what_is_wrong() {
        let error = |text: &str| read(text.as_bytes()).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string();
        assert_eq!(error("2 1\n2\n3\n"), "line 3, column 1: there is no vertex 3: they are 1 to 2");
        assert_eq!(
            error("2 2\n2\n1\n"),
            "line 1, column 3: the head announces 2 edges, the lines have 2 ends of edges and not twice as many"
        );
        assert_eq!(
            error("3 1\n2\n3\n\n"),
            "line 1, column 3: vertex 1 has the neighbour 2, but not the other way round: METIS has no directions"
        );
        assert_eq!(error("3 1\n2\n"), "line 3, column 1: the head announces 3 vertices, the line of 2 is missing");
        assert_eq!(
            error("99999999999 1\n"),
            "line 1, column 1: the head announces 99999999999 vertices, the file has fewer lines"
        );
        assert_eq!(
            error("1 0\n\n7\n"),
            "line 3, column 1: expected the end of the file after the lines of 1 vertices, found \"7\""
        );
        assert_eq!(
            error("1 0 10 18446744073709551615\n1\n"),
            "line 2, column 2: expected the weight or size of the vertex, a whole number, found the end of the line"
        );
    }
}
