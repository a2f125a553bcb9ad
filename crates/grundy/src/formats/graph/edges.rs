//! Lists of edges, one a line: between blanks or tabs (SNAP), with commas (CSV), or with tabs alone (TSV).
//!
//! The first two fields are where the edge comes from and where it leads; further fields (weights, times) are passed over. In CSV
//! and TSV a first line with the words source and target (or from and to, src and dst) says which two fields to take, and where it
//! has the word type too, edges of the type undirected lead both ways. A line of one field is a vertex. Lines that begin with `#` or `%` are comments, empty ones nothing. In CSV and TSV a field may stand in double
//! quotes, a quote in it doubled.
//!
//! Are all fields numbers, the vertices are in the order of these, and called by them; else the fields are names, and the vertices
//! in the order in which they come first. A first line without a number in it before lines of numbers is a heading.

use std::io::Write;

use grundy_core::theory::digraph::Digraph;

use super::{
    GraphFile, Names,
    cursor::{Cursor, is_space},
    error::{Fault, WriteError},
    names::{Interner, NameList},
    numbers::{self, Numbers},
    text::Text,
};

/// Longest field without quotes, in bytes: what is longer is no list.
const LONGEST: usize = 1 << 16;

/// What stands between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// Blanks and tabs, any number of them.
    Space,
    /// A comma.
    Comma,
    /// A tab.
    Tab,
}

pub(super) fn read(bytes: &[u8], between: Between) -> Result<GraphFile, Fault> {
    let mut lines = Lines { cursor: Cursor::new(bytes), between };
    let start = lines.cursor.at;
    let heading = lines.heading()?;
    let body = lines.cursor.at;
    if heading.is_none_or(|columns| columns == Columns::default())
        && let Some(file) = numbers::read(bytes, body, between)?
    {
        return Ok(file);
    }
    lines.cursor.at = if heading.is_some() { body } else { start };
    words(lines, heading)
}

/// In which fields of a line the ends of an edge stand, and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    from: usize,
    to: usize,
    kind: Option<usize>,
}

impl Default for Columns {
    fn default() -> Self {
        Columns { from: 0, to: 1, kind: None }
    }
}

struct Lines<'a> {
    cursor: Cursor<'a>,
    between: Between,
}

/// A field and where it begins.
type Field<'a> = (usize, std::borrow::Cow<'a, str>);

impl<'a> Lines<'a> {
    /// The fields of the next line that has some; none at the end of the file.
    fn next(&mut self, fields: &mut Vec<Field<'a>>) -> Result<bool, Fault> {
        fields.clear();
        skip_empty(&mut self.cursor);
        if self.cursor.at_end() {
            return Ok(false);
        }
        loop {
            let field = self.field()?;
            fields.push(field);
            self.skip_blanks();
            match (self.between, self.cursor.peek()) {
                _ if self.cursor.at_end() => break,
                (_, b'\n') => break,
                (Between::Comma, b',') | (Between::Tab, b'\t') => self.cursor.at += 1,
                (Between::Space, _) => {}
                (Between::Comma, _) => return Err(self.cursor.expected("a comma or the end of the line")),
                (Between::Tab, _) => return Err(self.cursor.expected("a tab or the end of the line")),
            }
        }
        Ok(true)
    }

    fn is_blank(&self, byte: u8) -> bool {
        byte != b'\n' && is_space(byte) && !(self.between == Between::Tab && byte == b'\t')
    }

    fn skip_blanks(&mut self) {
        while self.is_blank(self.cursor.peek()) {
            self.cursor.at += 1;
        }
    }

    fn field(&mut self) -> Result<Field<'a>, Fault> {
        self.skip_blanks();
        let start = self.cursor.at;
        if self.between != Between::Space && self.cursor.peek() == b'"' {
            return self.quoted();
        }
        let rest = &self.cursor.bytes[start..];
        let ends = |b: &u8| match self.between {
            Between::Space => is_space(*b),
            Between::Comma => matches!(b, b',' | b'\n'),
            Between::Tab => matches!(b, b'\t' | b'\n'),
        };
        let window = &rest[..rest.len().min(LONGEST + 1)];
        let length = window.iter().position(ends).unwrap_or(window.len());
        if length > LONGEST {
            return Err(Fault::new(start, format!("this field is longer than {LONGEST} bytes")));
        }
        let text = std::str::from_utf8(&rest[..length])
            .map_err(|e| Fault::new(start + e.valid_up_to(), "this field is no UTF-8"))?;
        self.cursor.at += length;
        let text = text.trim_end();
        match text.find('\r') {
            // lines of an old system would all be one
            Some(at) if self.between != Between::Space => {
                Err(Fault::new(start + at, "a carriage return within a field: lines end with a line feed"))
            }
            _ => Ok((start, text.into())),
        }
    }

    fn quoted(&mut self) -> Result<Field<'a>, Fault> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let mut text = String::new();
        loop {
            let from = self.cursor.at;
            let rest = &self.cursor.bytes[from..];
            let length =
                rest.iter().position(|b| *b == b'"').ok_or_else(|| Fault::new(start, "this quote is not closed"))?;
            let part = std::str::from_utf8(&rest[..length])
                .map_err(|e| Fault::new(from + e.valid_up_to(), "this field is no UTF-8"))?;
            text.push_str(part);
            self.cursor.at += length + 1;
            if !self.cursor.eat(b'"') {
                return Ok((start, text.into()));
            }
            text.push('"');
        }
    }

    /// Goes over a heading and says in which fields the ends stand; None if it does not say so, and was gone over if there is no
    /// number in it.
    fn heading(&mut self) -> Result<Option<Columns>, Fault> {
        skip_empty(&mut self.cursor);
        let start = self.cursor.at;
        let mut fields = Vec::new();
        if !self.next(&mut fields)? {
            return Ok(None);
        }
        let names: Vec<&str> = fields.iter().map(|(_, name)| &**name).collect();
        if let Some((from, to)) = column_of_ends(&names).filter(|_| self.between != Between::Space) {
            let kind = names.iter().position(|name| name.eq_ignore_ascii_case("type"));
            return Ok(Some(Columns { from, to, kind }));
        }
        let is_number = |(_, text): &Field<'_>| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if fields.len() < 2 || fields.iter().any(is_number) || self.rest_is_empty() {
            self.cursor.at = start;
        }
        Ok(None)
    }

    fn rest_is_empty(&mut self) -> bool {
        skip_empty(&mut self.cursor);
        self.cursor.at_end()
    }
}

/// The columns in which edges begin and end, by their names; None if these do not say so.
pub(super) fn column_of_ends(names: &[&str]) -> Option<(usize, usize)> {
    const ENDS: [[&str; 4]; 2] = [["source", "from", "src", "tail"], ["target", "to", "dst", "head"]];
    let column = |words: [&str; 4]| names.iter().position(|f| words.iter().any(|w| f.eq_ignore_ascii_case(w)));
    let [from, to] = ENDS.map(column);
    from.zip(to)
}

/// Goes over lines without fields.
pub(super) fn skip_empty(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_space();
        if !matches!(cursor.peek(), b'#' | b'%') {
            return;
        }
        to_next_line(cursor);
    }
}

pub(super) fn to_next_line(cursor: &mut Cursor<'_>) {
    let rest = &cursor.bytes[cursor.at..];
    cursor.at += rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |i| i + 1);
}

/// Refuses what other formats have on a line, which would be read as other edges than are meant.
fn looks_like_an_edge(fields: &[Field<'_>], between: Between, has_heading: bool) -> Result<(), Fault> {
    let is_more = |text: &str| text.starts_with('{') || text.parse::<f64>().is_ok();
    match (between, fields) {
        // weights are numbers, and NetworkX writes attributes in braces
        (Between::Space, [_, _, (at, third), ..]) if !is_more(third) => {
            let why = format!(
                "\"{third}\" is a third word: a line is one edge, of two words; names with blanks belong into CSV, lists of all \
                 successors of a vertex are not read"
            );
            Err(Fault::new(*at, why))
        }
        (Between::Comma, [(at, one)]) if one.contains(';') && !has_heading => {
            let why = "a semicolon and no comma: the fields of CSV stand between commas";
            Err(Fault::new(*at, why))
        }
        _ => Ok(()),
    }
}

/// The graph on the names in the order in which they come.
fn words(mut lines: Lines<'_>, heading: Option<Columns>) -> Result<GraphFile, Fault> {
    let (columns, has_heading) = (heading.unwrap_or_default(), heading.is_some());
    let mut names = Interner::default();
    let mut edges = Vec::new();
    let mut fields = Vec::new();
    while lines.next(&mut fields)? {
        looks_like_an_edge(&fields, lines.between, has_heading)?;
        let mut vertex = |(at, name): &Field<'_>| {
            if name.is_empty() {
                return Err(Fault::new(*at, "the name of the vertex is empty"));
            }
            names.id(name).ok_or_else(|| Fault::new(*at, "more than 2^32 - 1 vertices"))
        };
        match (fields.get(columns.from), fields.get(columns.to)) {
            (Some(from), Some(to)) => {
                let (from, to) = (vertex(from)?, vertex(to)?);
                edges.push((from, to));
                let kind = columns.kind.and_then(|kind| fields.get(kind));
                if kind.is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("undirected")) && from != to {
                    edges.push((to, from));
                }
            }
            _ if fields.len() == 1 => {
                vertex(&fields[0])?;
            }
            _ => {
                let last = fields.last().map_or(lines.cursor.at, |(at, _)| *at);
                let why = format!(
                    "the line has {} fields, the ends of the edge stand in {} and {}",
                    fields.len(),
                    columns.from + 1,
                    columns.to + 1
                );
                return Err(Fault::new(last, why));
            }
        }
    }
    let end = lines.cursor.at;
    let list = names.list();
    let number = |name: &str| {
        let is_plain = name.bytes().all(|b| b.is_ascii_digit()) && (name.len() == 1 || !name.starts_with('0'));
        if is_plain { name.parse().ok() } else { None }
    };
    let all_numbers: Option<Vec<u64>> = (0..list.len() as u32).map(|v| number(list.get(v))).collect();
    if let Some(numbers) = all_numbers {
        let number = |v: u32| numbers[v as usize];
        let edges = edges.iter().map(|(from, to)| (number(*from), number(*to))).collect();
        return Numbers { edges, alone: numbers.clone() }.graph(end);
    }
    let graph = Digraph::from_edges(names.len(), &edges).map_err(|e| Fault::new(end, e.to_string()))?;
    Ok(GraphFile::new(graph, names.into_names()))
}

pub(super) fn write(out: &mut impl Write, file: &GraphFile, between: Between) -> Result<(), WriteError> {
    let graph = &file.graph;
    let count = graph.vertices() as u32;
    let is_numbered = matches!(file.names, Names::Numbered { .. });
    let given: NameList =
        if is_numbered { NameList::default() } else { (0..count).map(|v| file.names.get(v)).collect() };
    let first = if let Names::Numbered { first } = file.names { first } else { 0 };
    let mut text = Text::new(out);
    let name = |v: u32| field(given.get(v), between);
    for v in 0..given.len() as u32 {
        name(v).map_err(WriteError::Refused)?;
    }
    let separator = match between {
        Between::Space => " ",
        Between::Comma => ",",
        Between::Tab => "\t",
    };
    let mut entered = vec![false; count as usize];
    graph.targets().iter().for_each(|t| entered[*t as usize] = true);
    if between != Between::Space && !is_numbered {
        text.word("source")?.word(separator)?.word("target\n")?;
    }
    // names are numbered in the order in which they come: where that is not theirs, they come first
    let is_in_order = is_numbered || comes_in_order(graph);
    for v in 0..count {
        if !is_in_order || (graph.successors(v).is_empty() && !entered[v as usize]) {
            put(&mut text, v, is_numbered, first, &name)?.word("\n")?;
        }
    }
    for v in 0..count {
        for to in graph.successors(v) {
            put(&mut text, v, is_numbered, first, &name)?.word(separator)?;
            put(&mut text, *to, is_numbered, first, &name)?.word("\n")?;
        }
    }
    Ok(text.end()?)
}

fn put<'t, 'a, W: Write>(
    text: &'t mut Text<'a, W>,
    v: u32,
    is_numbered: bool,
    first: u64,
    name: &dyn Fn(u32) -> Result<String, String>,
) -> Result<&'t mut Text<'a, W>, WriteError> {
    Ok(if is_numbered {
        text.number(first + u64::from(v))?
    } else {
        text.word(&name(v).map_err(WriteError::Refused)?)?
    })
}

/// Whether the vertices come in their order along the edges, none of them without an edge.
fn comes_in_order(graph: &Digraph) -> bool {
    let mut next = 0;
    for v in 0..graph.vertices() as u32 {
        for end in graph.successors(v).iter().flat_map(|to| [v, *to]) {
            if end > next {
                return false;
            }
            next += u32::from(end == next);
        }
    }
    next as usize == graph.vertices()
}

/// A name as a field.
fn field(name: &str, between: Between) -> Result<String, String> {
    let is_plain = !name.is_empty()
        && !name.starts_with(['#', '%', '"', '\u{feff}'])
        && !name.contains(|c: char| c.is_whitespace() || c.is_ascii_whitespace() || c == '\u{b}');
    match between {
        Between::Space if is_plain => Ok(name.to_owned()),
        Between::Space => {
            Err(format!("the name {name:?} does not fit into a list of edges between blanks; CSV can hold it"))
        }
        Between::Comma | Between::Tab if is_plain && !name.contains([',', '"']) => Ok(name.to_owned()),
        Between::Comma | Between::Tab => Ok(format!("\"{}\"", name.replace('"', "\"\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str, between: Between) -> GraphFile {
        read(text.as_bytes(), between).unwrap_or_else(|e| panic!("{text:?}: {}", e.in_file(text.as_bytes())))
    }

    fn edges(file: &GraphFile) -> String {
        let edge = |v: u32| {
            file.graph.successors(v).iter().map(move |t| format!("{}>{}", file.names.get(v), file.names.get(*t)))
        };
        (0..file.graph.vertices() as u32).flat_map(edge).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_from_zero_or_one_or_anywhere() {
        let snap = file("# Directed graph\n# FromNodeId\tToNodeId\n0\t2\r\n2 1 0.5\n% x\n\n1 0", Between::Space);
        assert_eq!((edges(&snap).as_str(), &snap.names), ("0>2 1>0 2>1", &Names::Numbered { first: 0 }));
        let one = file("1 3\n2 3\n", Between::Space);
        assert_eq!((edges(&one).as_str(), &one.names), ("1>3 2>3", &Names::Numbered { first: 1 }));
        assert_eq!(edges(&file("10 12\n12 10\n", Between::Space)), "10>12 12>10");
        assert_eq!(edges(&file("18446744073709551615 7\n7 0\n5", Between::Space)), "7>0 18446744073709551615>7");
        assert_eq!(file("0 1\n3\n2\n", Between::Space).graph.vertices(), 4);
    }

    #[test]
    fn headings_and_names() {
        assert_eq!(edges(&file("weight,target,source\n3,b,a\n1,a,b\n", Between::Comma)), "a>b b>a");
        assert_eq!(edges(&file("x,y\n1,2\n", Between::Comma)), "1>2");
        assert_eq!(edges(&file("a,b\nb , c\n", Between::Comma)), "a>b b>c");
        assert_eq!(edges(&file("\"say \"\"no\"\"\",\"b,\nc\"\n", Between::Comma)), "say \"no\">b,\nc");
        assert_eq!(edges(&file("a b\tc d\n", Between::Tab)), "a b>c d");
        assert_eq!(edges(&file("1 a\n2 b", Between::Space)), "1>a 2>b");
        // names of their own, and no heading
        assert_eq!(edges(&file("007 7\n7 8\n", Between::Space)), "007>7 7>8");
        assert_eq!(edges(&file("\"07\",\"7\"\n\"7\",\"8\"\n", Between::Comma)), "07>7 7>8");
        assert_eq!(edges(&file("source target\ntarget end\n", Between::Space)), "source>target target>end");
        assert_eq!(edges(&file("FromNodeId ToNodeId\n1 2\n", Between::Space)), "1>2");
        let gephi = "Source,Target,Type\n1,2,Undirected\n2,3,Directed\n";
        assert_eq!(edges(&file(gephi, Between::Comma)), "1>2 2>1 2>3");
    }

    #[test]
    fn lists_of_other_things_are_refused() {
        let refused = |text: &str, between| {
            read(text.as_bytes(), between).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string()
        };
        assert!(refused("a b c\nb c\n", Between::Space).starts_with("line 1, column 5: \"c\" is a third word"));
        assert!(refused("A -> B\n", Between::Space).contains("third word"));
        assert!(refused("A: B C\nB: C\n", Between::Space).contains("third word"));
        assert!(refused("\"New York\" Boston\n", Between::Space).contains("third word"));
        assert!(refused("from;to\na;b\n", Between::Comma).contains("semicolon"));
        // weights, and the attributes of NetworkX
        assert_eq!(edges(&file("a b {'weight': 3}\nb c 0.5 7\n", Between::Space)), "a>b b>c");
    }

    #[test]
    fn endless_fields_are_refused() {
        let error = read(&vec![b'x'; LONGEST + 1], Between::Space).map(|_| ()).unwrap_err().in_file(b"");
        assert_eq!(error.message(), "this field is longer than 65536 bytes");
        assert_eq!(read(&vec![b'x'; LONGEST], Between::Comma).unwrap().graph.vertices(), 1);
    }

    #[test]
    fn places_of_what_is_wrong() {
        let error = |text: &str, between| {
            read(text.as_bytes(), between).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string()
        };
        assert_eq!(error("a,b\nc,\n", Between::Comma), "line 2, column 3: the name of the vertex is empty");
        assert_eq!(error("a,b\n\"c,d\n", Between::Comma), "line 2, column 1: this quote is not closed");
        assert!(error("a,b\rc,d\r", Between::Comma).contains("a carriage return within a field"));
        assert_eq!(
            error("source,w,target\na,b\n", Between::Comma),
            "line 2, column 3: the line has 2 fields, the ends of the edge stand in 1 and 3"
        );
        assert_eq!(
            error("a,\"b\"c\n", Between::Comma),
            "line 1, column 6: expected a comma or the end of the line, found \"c\""
        );
    }
}
