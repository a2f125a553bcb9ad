//! Parity games in the format of PGSolver, `.pg` and `.gm`.
//!
//! ```text
//! parity 2;                            the highest number, or how many there are; may be left out
//! start 0;                             may be left out
//! 0 2 0 1,2 "a name; with anything";   number priority owner successors "name"
//! 1 1 1 0;  2 1 0 2;
//! ```
//! White space and line ends separate, nothing more; rows stand in any order. A name is what stands between two quotes, any
//! bytes of UTF-8 but a quote; it may be left out. There are no comments. The vertices are 0, 1, … without a gap, each with one
//! row and one successor at least. The highest priority that is met infinitely often decides, an even one for player 0; files
//! that mean the lowest do not say so, [`GraphFile::mirror`] turns them.

use std::{
    borrow::Cow,
    io::{self, Write},
    ops::Range,
};

use grundy_core::theory::digraph::{Digraph, MOST_VERTICES};
use rayon::prelude::*;

use super::{
    GraphFile, NameList, Names,
    cursor::{Cursor, is_space},
    error::{Fault, WriteError},
    pieces,
    text::Text,
};

/// Vertices in the order of the rows.
#[derive(Debug, Default, PartialEq)]
struct Rows {
    /// The number of the first row.
    first: u32,
    /// The number of the next row if it follows; [`NO_VERTEX`] once one did not.
    following: u32,
    /// The number of each row, once one did not follow the one before.
    ids: Option<Vec<u32>>,
    offsets: Vec<u64>,
    targets: Vec<u32>,
    owner: Vec<u8>,
    priority: Vec<u64>,
    names: Option<NameList>,
    /// The largest target.
    most: u32,
}

/// No number of a vertex.
const NO_VERTEX: u32 = u32::MAX;

impl Rows {
    fn len(&self) -> usize {
        self.owner.len()
    }

    /// One more number of a row, before the row is counted.
    #[inline(always)]
    fn push_id(&mut self, id: u32) {
        if self.following == id {
            self.following += 1;
        } else {
            self.push_another(id);
        }
    }

    /// The first number, or one that does not follow.
    fn push_another(&mut self, id: u32) {
        if let Some(ids) = &mut self.ids {
            ids.push(id);
        } else if self.len() == 0 {
            (self.first, self.following) = (id, id + 1);
        } else {
            self.ids = Some(self.numbers().chain([id]).collect());
            self.following = NO_VERTEX;
        }
    }

    /// The numbers of the rows.
    fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let (ids, first) = (self.ids.clone(), self.first);
        let count = if ids.is_some() { 0 } else { self.len() as u32 };
        ids.into_iter().flatten().chain((0..count).map(move |i| first + i))
    }

    /// The rows of all pieces.
    fn joined(pieces: Vec<Rows>) -> Rows {
        let rows = pieces.iter().map(Rows::len).sum::<usize>();
        let edges = pieces.iter().map(|p| p.targets.len()).sum::<usize>();
        let mut pieces = pieces.into_iter();
        let mut all = pieces.next().unwrap_or_default();
        all.offsets.reserve_exact(rows - all.len());
        all.owner.reserve_exact(rows - all.len());
        all.priority.reserve_exact(rows - all.len());
        all.targets.reserve_exact(edges - all.targets.len());
        pieces.for_each(|piece| all.extend(piece));
        all
    }

    fn extend(&mut self, next: Rows) {
        let follows = u64::from(self.first) + self.len() as u64 == u64::from(next.first);
        if next.len() > 0 && self.len() > 0 && !(follows && self.ids.is_none() && next.ids.is_none()) {
            self.ids = Some(self.numbers().chain(next.numbers()).collect());
        } else if self.len() == 0 {
            (self.first, self.ids) = (next.first, next.ids);
        }
        if let Some(names) = next.names {
            let mine = self.names.get_or_insert_default();
            mine.fill(self.owner.len());
            (0..names.len() as u32).for_each(|v| mine.push(names.get(v)));
        }
        let edges = self.targets.len() as u64;
        self.offsets.extend(next.offsets.iter().skip(1).map(|o| edges + o));
        self.targets.extend_from_slice(&next.targets);
        self.owner.extend_from_slice(&next.owner);
        self.priority.extend_from_slice(&next.priority);
        self.most = self.most.max(next.most);
    }
}

/// # Complexity
/// O(bytes), one pass; rows in order are where they belong, others are moved at the end.
pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let mut cursor = Cursor::new(bytes);
    let announced = header(&mut cursor, "parity", "highest number of a vertex")?;
    let start_at = cursor.at;
    let start = header(&mut cursor, "start", "vertex to start from")?;
    let body = cursor.at;
    if announced.is_none() && cursor.at_end() {
        return Err(cursor.expected("a parity game, such as `parity 1; 0 0 0 1; 1 1 1 0;`"));
    }
    let most_rows = announced.map_or(MOST_VERTICES as u64, |n| n.saturating_add(1).min(MOST_VERTICES as u64));
    let rows = rows(bytes, body, most_rows)?;
    let end = bytes.len();
    let count = rows.len();
    if let Some(n) = announced
        && (count as u64) < n
    {
        let missing = order(bytes, body, &rows).map(|_| count as u64)?;
        let why = format!("vertex {missing} has no row: the header announces {n}, there are {count}");
        return Err(Fault::new(end, why));
    }
    let order = order(bytes, body, &rows)?;
    if rows.most as usize >= count && !rows.targets.is_empty() {
        return Err(no_such_target(bytes, body, &rows));
    }
    let start = match start {
        Some(v) if v >= count as u64 => {
            return Err(Fault::new(start_at, format!("there is no vertex {v} to start from")));
        }
        start => start.map(|v| v as u32),
    };
    let rows = match order {
        Some(order) => in_order(rows, &order),
        None => rows,
    };
    let graph = Digraph::from_rows(rows.offsets, rows.targets).map_err(|e| Fault::new(end, e.to_string()))?;
    let names = rows.names.map_or(Names::Numbered { first: 0 }, |mut names| {
        names.fill(count);
        Names::of(names)
    });
    Ok(GraphFile { owner: Some(rows.owner), priority: Some(rows.priority), start, ..GraphFile::new(graph, names) })
}

/// The rows from `body` on, at most so many: pieces of a large file on all cores. Where one of them is not as it should be, all is
/// read in order, so that the first fault is found.
fn rows(bytes: &[u8], body: usize, most: u64) -> Result<Rows, Fault> {
    let pieces = pieces::at_semicolons(bytes, body);
    if pieces.len() > 1
        && let Some(rows) = rows_of_pieces(bytes, pieces, most).filter(|rows| rows.len() as u64 <= most)
    {
        return Ok(rows);
    }
    rows_in(Cursor { bytes, at: body }, most)
}

fn rows_of_pieces(bytes: &[u8], pieces: Vec<Range<usize>>, most: u64) -> Option<Rows> {
    let read = |piece: Range<usize>| rows_in(Cursor { bytes: &bytes[..piece.end], at: piece.start }, most).ok();
    pieces.into_par_iter().map(read).collect::<Option<_>>().map(Rows::joined)
}

fn rows_in(mut cursor: Cursor<'_>, most: u64) -> Result<Rows, Fault> {
    cursor.skip_space();
    let mut rows = Rows { offsets: vec![0], ..Rows::default() };
    while !cursor.at_end() {
        if rows.len() as u64 == most {
            let why = format!("a row too many: the header allows for {most} of them");
            return Err(Fault::new(cursor.at, why));
        }
        row(&mut cursor, &mut rows)?;
    }
    Ok(rows)
}

/// `word number;` if it stands here.
pub(super) fn header(cursor: &mut Cursor<'_>, word: &str, what: &str) -> Result<Option<u64>, Fault> {
    cursor.skip_space();
    let rest = &cursor.bytes[cursor.at..];
    if !rest.starts_with(word.as_bytes()) {
        return Ok(None);
    }
    cursor.at += word.len();
    if cursor.bytes[cursor.at..].starts_with(b"sol") {
        return Err(Fault::new(cursor.at - word.len(), "this is the solution of a parity game, not a game"));
    }
    gap(cursor, what)?;
    let number = cursor.number(what)?;
    cursor.skip_space();
    if !cursor.eat(b';') {
        return Err(cursor.expected(&format!("a semicolon after the {what}")));
    }
    cursor.skip_space();
    Ok(Some(number))
}

/// White space that has to be there.
#[inline(always)]
fn gap(cursor: &mut Cursor<'_>, what: &str) -> Result<(), Fault> {
    if !is_space(cursor.peek()) {
        return Err(cursor.expected(&format!("white space and the {what}")));
    }
    cursor.at += 1;
    cursor.skip_space();
    Ok(())
}

/// One row and the white space after it.
#[inline(always)]
fn row(cursor: &mut Cursor<'_>, rows: &mut Rows) -> Result<(), Fault> {
    let id = cursor.vertex("number of a vertex")?;
    gap(cursor, "priority")?;
    let priority = cursor.number("priority")?;
    gap(cursor, "owner, 0 or 1")?;
    let owner = cursor.peek().wrapping_sub(b'0');
    let after = cursor.bytes.get(cursor.at + 1).copied().unwrap_or(b' ');
    if owner > 1 || after.is_ascii_digit() {
        return Err(cursor.expected("the owner, 0 or 1"));
    }
    cursor.at += 1;
    if cursor.peek() == b';' {
        return Err(no_successor(cursor, id));
    }
    gap(cursor, "successors")?;
    if matches!(cursor.peek(), b';' | b'"') {
        return Err(no_successor(cursor, id));
    }
    loop {
        let target = cursor.vertex("number of a successor")?;
        rows.most = rows.most.max(target);
        rows.targets.push(target);
        if cursor.eat(b',') {
            if is_space(cursor.peek()) {
                cursor.skip_space();
            }
            continue;
        }
        if cursor.peek() == b';' {
            break;
        }
        cursor.skip_space();
        if !cursor.eat(b',') {
            break;
        }
        cursor.skip_space();
    }
    if cursor.peek() == b'"' {
        name(cursor, rows)?;
    }
    if !cursor.eat(b';') {
        return Err(cursor.expected("a semicolon at the end of the row"));
    }
    cursor.skip_space();
    rows.push_id(id);
    rows.offsets.push(rows.targets.len() as u64);
    rows.owner.push(owner);
    rows.priority.push(priority);
    Ok(())
}

#[cold]
fn no_successor(cursor: &Cursor<'_>, id: u32) -> Fault {
    Fault::new(cursor.at, format!("vertex {id} has no successor, which a parity game does not allow"))
}

/// The name, and the white space after it.
fn name(cursor: &mut Cursor<'_>, rows: &mut Rows) -> Result<(), Fault> {
    let start = cursor.at + 1;
    let Some(length) = cursor.bytes[start..].iter().position(|b| *b == b'"') else {
        return Err(Fault::new(cursor.at, "this quote is not closed"));
    };
    let text = std::str::from_utf8(&cursor.bytes[start..start + length])
        .map_err(|e| Fault::new(start + e.valid_up_to(), "the name is no UTF-8"))?;
    let before = rows.owner.len();
    let names = rows.names.get_or_insert_default();
    names.fill(before);
    names.push(text);
    cursor.at = start + length + 1;
    cursor.skip_space();
    Ok(())
}

/// The row of each vertex, None if they stand in order.
fn order(bytes: &[u8], body: usize, rows: &Rows) -> Result<Option<Vec<u32>>, Fault> {
    let ids = match &rows.ids {
        Some(ids) => Cow::Borrowed(ids),
        None if rows.first == 0 || rows.len() == 0 => return Ok(None),
        None => Cow::Owned(rows.numbers().collect()),
    };
    const NONE: u32 = u32::MAX;
    let mut order = vec![NONE; ids.len()];
    for (row, id) in (0..).zip(&*ids) {
        match order.get_mut(*id as usize) {
            Some(place) if *place == NONE => *place = row,
            _ => return Err(twice_or_missing(bytes, body, &ids)),
        }
    }
    Ok(Some(order))
}

#[cold]
fn twice_or_missing(bytes: &[u8], body: usize, ids: &[u32]) -> Fault {
    let mut sorted: Vec<(u32, u32)> = ids.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    if let Some(row) = sorted.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| w[1].1).min() {
        let id = ids[row as usize];
        return Fault::new(start_of_row(bytes, body, row as usize), format!("vertex {id} has a row already"));
    }
    let missing = (0..).zip(&sorted).find(|(v, (id, _))| v != id).map_or(0, |(v, _)| v);
    let (largest, row) = sorted[sorted.len() - 1];
    let why = format!("vertex {largest} has a row, but vertex {missing} has none");
    Fault::new(start_of_row(bytes, body, row as usize), why)
}

/// Where a row begins; the rows were read before.
#[cold]
fn start_of_row(bytes: &[u8], body: usize, row: usize) -> usize {
    let mut is_quoted = false;
    let mut ends = bytes[body..].iter().enumerate().filter_map(|(i, b)| {
        is_quoted ^= *b == b'"';
        (*b == b';' && !is_quoted).then_some(body + i + 1)
    });
    let mut cursor = Cursor { bytes, at: if row == 0 { body } else { ends.nth(row - 1).unwrap_or(body) } };
    cursor.skip_space();
    cursor.at
}

#[cold]
fn no_such_target(bytes: &[u8], body: usize, rows: &Rows) -> Fault {
    let count = rows.len();
    let edge = rows.targets.iter().position(|t| *t as usize >= count).unwrap_or(0);
    let row = rows.offsets.partition_point(|o| *o <= edge as u64).saturating_sub(1);
    let mut cursor = Cursor { bytes, at: start_of_row(bytes, body, row) };
    let go_to = |cursor: &mut Cursor<'_>, number: u64| {
        for skip in 0..=number {
            while !cursor.at_end() && !cursor.peek().is_ascii_digit() {
                cursor.at += 1;
            }
            while skip < number && cursor.peek().is_ascii_digit() {
                cursor.at += 1;
            }
        }
    };
    go_to(&mut cursor, 3 + edge as u64 - rows.offsets[row]);
    Fault::new(cursor.at, format!("there is no vertex {}: the rows go to {}", rows.targets[edge], count - 1))
}

/// The rows where they belong.
fn in_order(rows: Rows, order: &[u32]) -> Rows {
    let mut sorted = Rows { offsets: Vec::with_capacity(order.len() + 1), ..Rows::default() };
    sorted.offsets.push(0);
    sorted.targets.reserve_exact(rows.targets.len());
    for row in order.iter().map(|r| *r as usize) {
        let [from, to] = [rows.offsets[row], rows.offsets[row + 1]];
        sorted.targets.extend_from_slice(&rows.targets[from as usize..to as usize]);
        sorted.offsets.push(sorted.targets.len() as u64);
        sorted.owner.push(rows.owner[row]);
        sorted.priority.push(rows.priority[row]);
    }
    sorted.names = rows.names.map(|names| order.iter().map(|row| names.get(*row)).collect());
    sorted
}

pub(super) fn write(out: &mut impl Write, file: &GraphFile) -> Result<(), WriteError> {
    let refused = |why: String| Err(WriteError::Refused(why));
    let (Some(owner), Some(priority)) = (&file.owner, &file.priority) else {
        return refused("a parity game needs an owner and a priority for each vertex".into());
    };
    let graph = &file.graph;
    let count = graph.vertices() as u32;
    if let Some(v) = (0..count).find(|v| graph.successors(*v).is_empty()) {
        let name = file.names.get(v);
        return refused(format!("vertex {name} has no successor, which a parity game does not allow"));
    }
    if let Some(v) = (0..count).find(|v| file.names.get(*v).contains('"')) {
        return refused(format!("the name {} has a quote in it, which a parity game cannot hold", file.names.get(v)));
    }
    let mut text = Text::new(out);
    text.word("parity ")?.number(u64::from(count.saturating_sub(1)))?.word(";\n")?;
    if let Some(start) = file.start {
        text.word("start ")?.number(start.into())?.word(";\n")?;
    }
    for v in 0..count {
        text.number(v.into())?.word(" ")?.number(priority[v as usize])?.word(" ")?;
        text.number(owner[v as usize].into())?;
        let mut before = " ";
        for to in graph.successors(v) {
            text.word(before)?.number((*to).into())?;
            before = ",";
        }
        match &file.names {
            Names::Numbered { first: 0 } => {}
            names => {
                let is_named = !matches!(names, Names::Given(list) if list.get(v).is_empty());
                if is_named {
                    text.word(" \"")?.word(&names.get(v))?.word("\"")?;
                }
            }
        }
        text.word(";\n")?;
    }
    Ok(text.end()?)
}

/// Who wins from which vertex, and by which moves: a file `paritysol N;` with rows `vertex winner [successor];`.
///
/// # Examples
/// ```
/// use grundy::formats::graph::Solution;
/// let solution = Solution::read(b"paritysol 1;\n0 0 1;\n1 0;\n", 2).unwrap();
/// assert_eq!(solution.winner, [Some(0), Some(0)]);
/// assert_eq!(solution.strategy, [Some(1), None]);
/// let mut text = Vec::new();
/// solution.write(&mut text).unwrap();
/// assert_eq!(text, b"paritysol 1;\n0 0 1;\n1 0;\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The winner, 0 or 1, of each vertex; None where the file is silent.
    pub winner: Vec<Option<u8>>,
    /// Where the winner moves from a vertex of their own.
    pub strategy: Vec<Option<u32>>,
}

impl Solution {
    /// Reads the solution of a game with so many vertices; rows may be missing.
    ///
    /// # Complexity
    /// O(bytes + vertices).
    ///
    /// # Errors
    /// With the place: no solution, a vertex that is not there, or one with two rows.
    pub fn read(bytes: &[u8], vertices: usize) -> Result<Solution, super::FileError> {
        read_solution(bytes, vertices).map_err(|f| f.in_file(bytes))
    }

    /// Writes it; vertices without a winner are left out.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut text = Text::new(out);
        text.word("paritysol ")?.number(self.winner.len().saturating_sub(1) as u64)?.word(";\n")?;
        for (v, (winner, to)) in (0..).zip(self.winner.iter().zip(&self.strategy)) {
            let Some(winner) = winner else { continue };
            text.number(v)?.word(" ")?.number((*winner).into())?;
            if let Some(to) = to {
                text.word(" ")?.number((*to).into())?;
            }
            text.word(";\n")?;
        }
        text.end()
    }
}

fn read_solution(bytes: &[u8], vertices: usize) -> Result<Solution, Fault> {
    let mut cursor = Cursor::new(bytes);
    header(&mut cursor, "paritysol", "highest number of a vertex")?;
    let mut solution = Solution { winner: vec![None; vertices], strategy: vec![None; vertices] };
    let inside = |cursor: &mut Cursor<'_>| {
        let at = cursor.at;
        let v = cursor.vertex("number of a vertex")?;
        if (v as usize) < vertices { Ok(v) } else { Err(Fault::new(at, format!("there is no vertex {v}"))) }
    };
    while !cursor.at_end() {
        let at = cursor.at;
        let v = inside(&mut cursor)? as usize;
        gap(&mut cursor, "winner, 0 or 1")?;
        let place = cursor.at;
        let winner = match cursor.number("winner")? {
            winner @ 0..=1 => winner as u8,
            other => return Err(Fault::new(place, format!("expected the winner, 0 or 1, found {other}"))),
        };
        cursor.skip_space();
        if cursor.peek().is_ascii_digit() {
            solution.strategy[v] = Some(inside(&mut cursor)?);
            cursor.skip_space();
        }
        if !cursor.eat(b';') {
            return Err(cursor.expected("a semicolon at the end of the row"));
        }
        cursor.skip_space();
        if solution.winner[v].replace(winner).is_some() {
            return Err(Fault::new(at, format!("vertex {v} has a row already")));
        }
    }
    Ok(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_like_the_whole() {
        let rows = ["0 1 0 3", "1 2 1 0, 2 \"one; or, two\"", "2 0 0 1 \"\"", "3 7 1 3,0", "4 0 1 1"];
        // in order, out of order, beginning later, with a gap; a name somewhere or nowhere
        for order in [&[0, 1, 2, 3, 4][..], &[0, 3, 4], &[3, 4], &[0, 2, 1, 3, 4], &[4, 3, 2, 1, 0], &[0, 1, 3]] {
            let text: String = order.iter().map(|i| format!("{};\n", rows[*i])).collect();
            let whole = rows_in(Cursor::new(text.as_bytes()), 9).ok().unwrap();
            for length in 1..text.len() {
                let pieces = pieces::at_semicolons_by(text.as_bytes(), 0, length);
                let joined = rows_of_pieces(text.as_bytes(), pieces, 9).unwrap();
                assert_eq!(joined.numbers().collect::<Vec<_>>(), whole.numbers().collect::<Vec<_>>());
                let data = |r: &Rows| {
                    let names: Vec<_> =
                        (0..r.len() as u32).map(|v| r.names.as_ref().map(|n| n.get(v).to_owned())).collect();
                    (r.offsets.clone(), r.targets.clone(), r.owner.clone(), r.priority.clone(), names, r.most)
                };
                assert_eq!(data(&joined), data(&whole), "{text}{length}");
            }
        }
    }

    fn error(text: &str) -> String {
        read(text.as_bytes()).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string()
    }

    #[test]
    fn rows_in_any_order_with_any_names() {
        let text = "parity 3;\nstart 2;\n2 1 0 2;0 2 0 1 , 2 \"name with, ; and\nspaces\";\n\t3 18446744073709551615 1 0,3,3\n;1 1 1 0;";
        for text in [text.to_owned(), text.replace("parity 3", "parity 4"), text.replace("parity 3;", "")] {
            let file = read(text.as_bytes()).unwrap();
            assert_eq!([0, 1, 2, 3].map(|v| file.graph.successors(v)), [&[1, 2][..], &[0], &[2], &[0, 3, 3]]);
            assert_eq!(file.priority.as_deref(), Some(&[2, 1, 1, u64::MAX][..]));
            assert_eq!(file.owner.as_deref(), Some(&[0, 1, 0, 1][..]));
            assert_eq!([0, 1].map(|v| file.names.get(v).into_owned()), ["name with, ; and\nspaces", "1"]);
            assert_eq!(file.start, Some(2));
        }
        assert_eq!(read(b"parity 0;").unwrap().graph.vertices(), 0);
    }

    #[test]
    fn every_trap_has_its_message() {
        for (text, message) in [
            (
                "",
                "line 1, column 1: expected a parity game, such as `parity 1; 0 0 0 1; 1 1 1 0;`, found the end of the file",
            ),
            (
                "parity 1;\n0 0 0 1;\n1 1 1 0;\n1 0 0 0;",
                "line 4, column 1: a row too many: the header allows for 2 of them",
            ),
            (
                "parity 3;\n0 0 0 1;\n1 1 1 \n0;\n",
                "line 5, column 1: vertex 2 has no row: the header announces 3, there are 2",
            ),
            ("0 0 0 1;\n1 1 1 0;\n 1 1 1 0;", "line 3, column 2: vertex 1 has a row already"),
            ("0 0 0 0 \";\";\n2 1 1 0;", "line 2, column 1: vertex 2 has a row, but vertex 1 has none"),
            ("0 0 0 1;\n1 1 1 0,11 , 7;", "line 2, column 9: there is no vertex 11: the rows go to 1"),
            ("0 0 0 1;\n1 1 1;", "line 2, column 6: vertex 1 has no successor, which a parity game does not allow"),
            (
                "0 0 0 1;\n1 1 1 \"a\";",
                "line 2, column 7: vertex 1 has no successor, which a parity game does not allow",
            ),
            ("0 0 2 1;", "line 1, column 5: expected the owner, 0 or 1, found \"2\""),
            ("0 0 10 1;", "line 1, column 5: expected the owner, 0 or 1, found \"10\""),
            ("0 0 0 0\n1 0 0 0;", "line 2, column 1: expected a semicolon at the end of the row, found \"1\""),
            ("0 0 0 0 \"a;", "line 1, column 9: this quote is not closed"),
            ("# a\n", "line 1, column 1: expected the number of a vertex, a whole number, found \"#\""),
            ("paritysol 1;", "line 1, column 1: this is the solution of a parity game, not a game"),
            ("parity 0; start 1; 0 0 0 0;", "line 1, column 11: there is no vertex 1 to start from"),
            ("0 18446744073709551616 0 0;", "line 1, column 3: the priority is above 2^64 - 1"),
            (
                "4294967295 0 0 0;",
                "line 1, column 1: the number of a vertex is above 2^32 - 2, the largest number of a vertex",
            ),
            ("4294967294 0 0 0;", "line 1, column 1: vertex 4294967294 has a row, but vertex 0 has none"),
        ] {
            assert_eq!(error(text), message, "{text:?}");
        }
        let bytes = b"0 0 0 0 \"a\xff\";";
        assert_eq!(
            read(bytes).map(|_| ()).unwrap_err().in_file(bytes).to_string(),
            "line 1, column 11: the name is no UTF-8"
        );
    }

    #[test]
    fn solutions_are_checked() {
        let error = |text: &str| Solution::read(text.as_bytes(), 2).unwrap_err().to_string();
        assert_eq!(error("paritysol 1;\n0 0;\n0 1;"), "line 3, column 1: vertex 0 has a row already");
        assert_eq!(error("0 2;"), "line 1, column 3: expected the winner, 0 or 1, found 2");
        assert_eq!(error("0 1 2;"), "line 1, column 5: there is no vertex 2");
        let partial = Solution::read(b"1 1 0;", 2).unwrap();
        assert_eq!((partial.winner, partial.strategy), (vec![None, Some(1)], vec![None, Some(0)]));
    }
}
