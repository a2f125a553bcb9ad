//! A part of DOT, the language of Graphviz: one `digraph` of vertices and edges.
//!
//! Read are statements of vertices `a [owner=0, priority=2, green=true];`, of edges `a -> b -> c;`, names as words, numbers or texts in
//! double quotes, comments `//`, `/* */` and lines that begin with `#`. Of the attributes of a vertex `owner` (0 or 1),
//! `priority`, and `green` or `target` (true or false, 1 or 0) count; others, those of edges and of the whole graph, are passed
//! over, as are defaults. A vertex is there from its first mention on.
//!
//! Not read, and refused by name: `graph` (edges without direction), `subgraph` and braces within, ports `a:n`, texts
//! joined by `+`, texts in HTML, and defaults of vertices with one of the three attributes.

use std::{borrow::Cow, io::Write};

use grundy_core::theory::digraph::Digraph;

use super::{
    GraphFile, Names,
    cursor::Cursor,
    error::{Fault, WriteError},
    json::About,
    names::Interner,
    text::Text,
};

#[derive(Debug, PartialEq)]
enum Token<'a> {
    /// A name, and whether it stood without quotes.
    Name(Cow<'a, str>, bool),
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// A single sign.
    Sign(u8),
    End,
}

struct Tokens<'a> {
    cursor: Cursor<'a>,
    token: Token<'a>,
    /// Where it begins.
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Result<Token<'a>, Fault> {
        let next = self.read()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn read(&mut self) -> Result<Token<'a>, Fault> {
        self.skip()?;
        let cursor = &mut self.cursor;
        self.at = cursor.at;
        let rest = &cursor.bytes[cursor.at..];
        let Some(first) = rest.first() else { return Ok(Token::End) };
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
        let length = match first {
            b'"' => return self.quoted(),
            b'<' => return Err(self.refused("a text in HTML")),
            b'-' if rest.get(1) == Some(&b'>') => return self.sign(2, Token::Arrow),
            b'-' if rest.get(1) == Some(&b'-') => return self.sign(2, Token::Line),
            b'-' | b'.' | b'0'..=b'9' => {
                let number = |b: &u8| b.is_ascii_digit() || *b == b'.';
                1 + rest[1..].iter().position(|b| !number(b)).unwrap_or(rest.len() - 1)
            }
            b if is_word(b) => rest.iter().position(|b| !is_word(b)).unwrap_or(rest.len()),
            b'{' | b'}' | b'[' | b']' | b'=' | b';' | b',' | b':' | b'+' => return self.sign(1, Token::Sign(*first)),
            _ => return Err(cursor.expected("a name or a sign of DOT")),
        };
        let word = std::str::from_utf8(&rest[..length])
            .map_err(|e| Fault::new(cursor.at + e.valid_up_to(), "the name is no UTF-8"))?;
        if word.bytes().all(|b| b == b'-' || b == b'.') {
            return Err(cursor.expected("a name or a sign of DOT"));
        }
        cursor.at += length;
        Ok(Token::Name(word.into(), true))
    }

    fn sign(&mut self, length: usize, token: Token<'a>) -> Result<Token<'a>, Fault> {
        self.cursor.at += length;
        Ok(token)
    }

    fn skip(&mut self) -> Result<(), Fault> {
        let cursor = &mut self.cursor;
        loop {
            cursor.skip_space();
            let rest = &cursor.bytes[cursor.at..];
            let is_line_start = cursor.at == 0 || cursor.bytes[cursor.at - 1] == b'\n';
            if rest.starts_with(b"//") || (is_line_start && rest.starts_with(b"#")) {
                cursor.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let length = rest[2..].windows(2).position(|w| w == b"*/");
                cursor.at += 4 + length.ok_or_else(|| Fault::new(cursor.at, "this comment is not closed"))?;
            } else {
                return Ok(());
            }
        }
    }

    fn quoted(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.cursor.at + 1;
        let rest = &self.cursor.bytes[start..];
        let mut is_escaped = false;
        let length = rest
            .iter()
            .position(|b| {
                let ends = *b == b'"' && !is_escaped;
                is_escaped = *b == b'\\' && !is_escaped;
                ends
            })
            .ok_or_else(|| Fault::new(self.cursor.at, "this quote is not closed"))?;
        let text = std::str::from_utf8(&rest[..length])
            .map_err(|e| Fault::new(start + e.valid_up_to(), "the name is no UTF-8"))?;
        self.cursor.at = start + length + 1;
        Ok(Token::Name(unquoted(text), false))
    }

    #[cold]
    fn refused(&self, what: &str) -> Fault {
        Fault::new(
            self.at,
            format!("{what} is not read; DOT is read in part: one digraph with vertices, edges and attributes"),
        )
    }

    #[cold]
    fn expected(&self, what: &str) -> Fault {
        Cursor { bytes: self.cursor.bytes, at: self.at }.expected(what)
    }

    fn sign_here(&self, sign: u8) -> bool {
        self.token == Token::Sign(sign)
    }

    /// The name here, which may be no word of the language.
    fn name(&mut self, what: &str) -> Result<(usize, Cow<'a, str>), Fault> {
        let at = self.at;
        match &self.token {
            Token::Name(word, true) if is_keyword(word, "subgraph") => return Err(self.refused("a subgraph")),
            Token::Sign(b'{') => return Err(self.refused("a subgraph in braces")),
            Token::Name(..) => {}
            _ => return Err(self.expected(what)),
        }
        let Token::Name(name, _) = self.next()? else { return Err(self.expected(what)) };
        match self.token {
            Token::Sign(b':') => Err(self.refused("a port of a vertex")),
            Token::Sign(b'+') => Err(self.refused("a text joined by +")),
            _ => Ok((at, name)),
        }
    }
}

/// What stands between two quotes: `\"` is a quote, a backslash before a line end is nothing.
fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('"') => plain.push('"'),
                Some('\n') | None => {}
                Some(other) => plain.extend(['\\', other]),
            },
            (c, false) => plain.push(c),
        }
    }
    plain.into()
}

fn is_keyword(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let mut tokens = Tokens { cursor: Cursor::new(bytes), token: Token::End, at: 0 };
    tokens.next()?;
    if matches!(&tokens.token, Token::Name(word, true) if is_keyword(word, "strict")) {
        // parallel edges are one move in any case
        tokens.next()?;
    }
    match &tokens.token {
        Token::Name(word, true) if is_keyword(word, "digraph") => {}
        Token::Name(word, true) if is_keyword(word, "graph") => {
            return Err(tokens.refused("a graph without directions"));
        }
        _ => return Err(tokens.expected("digraph")),
    }
    tokens.next()?;
    if matches!(tokens.token, Token::Name(..)) {
        tokens.next()?;
    }
    if !tokens.sign_here(b'{') {
        return Err(tokens.expected("a brace after digraph"));
    }
    tokens.next()?;
    let mut parts = Parts::default();
    while !tokens.sign_here(b'}') {
        if tokens.sign_here(b';') {
            tokens.next()?;
        } else {
            statement(&mut tokens, &mut parts)?;
        }
    }
    tokens.next()?;
    if tokens.token != Token::End {
        return Err(tokens.expected("the end of the file after the graph"));
    }
    let end = tokens.at;
    let graph = Digraph::from_edges(parts.names.len(), &parts.edges).map_err(|e| Fault::new(end, e.to_string()))?;
    parts.about.into_file(graph, parts.names.into_names()).map_err(|why| Fault::new(end, why))
}

#[derive(Default)]
struct Parts {
    names: Interner,
    edges: Vec<(u32, u32)>,
    about: About,
}

impl Parts {
    fn vertex(&mut self, (at, name): (usize, Cow<'_, str>)) -> Result<u32, Fault> {
        if name.is_empty() {
            return Err(Fault::new(at, "the name of the vertex is empty"));
        }
        self.names.id(&name).ok_or_else(|| Fault::new(at, "more than 2^32 - 1 vertices"))
    }
}

fn statement(tokens: &mut Tokens<'_>, parts: &mut Parts) -> Result<(), Fault> {
    if let Token::Name(word, true) = &tokens.token
        && let Some(of) = ["node", "edge", "graph"].into_iter().find(|k| is_keyword(word, k))
    {
        tokens.next()?;
        return attributes(tokens, &mut |at, name, _| {
            if of == "node" && ["owner", "priority", "green", "target"].contains(&name) {
                return Err(Fault::new(
                    at,
                    format!("a default {name} of vertices is not read; write it for each vertex"),
                ));
            }
            Ok(())
        });
    }
    let first = tokens.name("a vertex or }")?;
    if tokens.sign_here(b'=') {
        tokens.next()?;
        tokens.name("the value of the attribute")?;
        return Ok(());
    }
    let mut from = parts.vertex(first)?;
    let mut is_edge = false;
    loop {
        match tokens.token {
            Token::Line => return Err(tokens.refused("an edge without a direction")),
            Token::Arrow => {}
            _ => break,
        }
        tokens.next()?;
        let name = tokens.name("a vertex after the arrow")?;
        let to = parts.vertex(name)?;
        parts.edges.push((from, to));
        is_edge = true;
        from = to;
    }
    attributes(tokens, &mut |at, name, value| {
        let v = from as usize;
        let told = |wanted: &str| Fault::new(at, format!("the {name} is {wanted}, not {value:?}"));
        let (mut owner, mut priority, mut target) = (None, None, None);
        match name {
            _ if is_edge => return Ok(()),
            "owner" => owner = Some(value.parse().ok().filter(|o| *o < 2).ok_or_else(|| told("0 or 1"))?),
            "priority" => priority = Some(value.parse().map_err(|_| told("a whole number below 2^64"))?),
            "green" | "target" => {
                let is_true = ["true", "1", "yes"].iter().any(|w| value.eq_ignore_ascii_case(w));
                if !is_true && !["false", "0", "no"].iter().any(|w| value.eq_ignore_ascii_case(w)) {
                    return Err(told("true or false"));
                }
                target = Some(is_true);
            }
            _ => return Ok(()),
        }
        parts.about.of(v, owner, priority, target).map_err(|why| Fault::new(at, why))
    })
}

/// Lists `[name=value, …]`, any number of them; gives the place of each value.
fn attributes(
    tokens: &mut Tokens<'_>,
    take: &mut dyn FnMut(usize, &str, &str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    while tokens.sign_here(b'[') {
        tokens.next()?;
        while !tokens.sign_here(b']') {
            let (_, name) = tokens.name("an attribute or ]")?;
            if !tokens.sign_here(b'=') {
                return Err(tokens.expected("= and the value of the attribute"));
            }
            tokens.next()?;
            let (at, value) = tokens.name("the value of the attribute")?;
            take(at, &name, &value)?;
            if matches!(tokens.token, Token::Sign(b',' | b';')) {
                tokens.next()?;
            }
        }
        tokens.next()?;
    }
    Ok(())
}

pub(super) fn write(out: &mut impl Write, file: &GraphFile) -> Result<(), WriteError> {
    let graph = &file.graph;
    let count = graph.vertices() as u32;
    let names: Vec<String> = match file.names {
        Names::Numbered { .. } => Vec::new(),
        Names::Given(_) => (0..count).map(|v| quoted(&file.names.get(v))).collect::<Result<_, _>>()?,
    };
    let first = if let Names::Numbered { first } = file.names { first } else { 0 };
    let mut text = Text::new(out);
    let put = |text: &mut Text<'_, _>, v: u32| match names.get(v as usize) {
        Some(name) => text.word(name).map(drop),
        None => text.number(first + u64::from(v)).map(drop),
    };
    text.word("digraph {\n")?;
    for v in 0..count {
        text.word("  ")?;
        put(&mut text, v)?;
        let mut before = " [";
        if let Some(owner) = &file.owner {
            text.word(before)?.word("owner=")?.number(owner[v as usize].into())?;
            before = ", ";
        }
        if let Some(priority) = &file.priority {
            text.word(before)?.word("priority=")?.number(priority[v as usize])?;
            before = ", ";
        }
        if let Some(target) = &file.target {
            text.word(before)?.word("target=")?.word(if target[v as usize] { "true" } else { "false" })?;
            before = ", ";
        }
        text.word(if before == ", " { "];\n" } else { ";\n" })?;
    }
    for v in 0..count {
        for to in graph.successors(v) {
            text.word("  ")?;
            put(&mut text, v)?;
            text.word(" -> ")?;
            put(&mut text, *to)?;
            text.word(";\n")?;
        }
    }
    text.word("}\n")?;
    Ok(text.end()?)
}

/// A name in quotes; not every name can be written, as a backslash cannot be doubled.
fn quoted(name: &str) -> Result<String, WriteError> {
    let inner = name.replace('"', "\\\"");
    let mut ends = 0;
    let is_whole = inner.bytes().fold(false, |escaped, b| {
        ends += usize::from(b == b'"' && !escaped);
        b == b'\\' && !escaped
    });
    if is_whole || ends > 0 || unquoted(&inner) != name {
        return Err(WriteError::Refused(format!("the name {name:?} has a backslash where DOT cannot hold one")));
    }
    Ok(format!("\"{inner}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_is_read() {
        let text = "# made by hand\n/* two\nlines */ digraph \"g\" { rankdir=LR; node [shape=box]; edge[color=red]\n a [owner=0,priority=\"3\" green=true];\n \
                    b [owner=1; priority=2][label=\"x\\\"]\"]; a -> b -> a [w=1] // end\n \"b\" -> \"b\" é [owner=1 priority=0] }";
        let file = read(text.as_bytes()).unwrap_or_else(|e| panic!("{}", e.in_file(text.as_bytes())));
        assert_eq!([0, 1, 2].map(|v| file.graph.successors(v)), [&[1][..], &[0, 1], &[]]);
        assert_eq!([0, 1, 2].map(|v| file.names.get(v).into_owned()), ["a", "b", "é"]);
        assert_eq!((file.owner, file.priority), (Some(vec![0, 1, 1]), Some(vec![3, 2, 0])));
        assert_eq!(file.target, Some(vec![true, false, false]));
        assert_eq!(read(b"digraph{3->1;2}").unwrap().graph.vertices(), 3);
        assert_eq!(read(b"strict digraph \"\" { a -> b; }").unwrap().graph.edges(), 1);
    }

    #[test]
    fn what_is_refused_by_name() {
        let part = " is not read; DOT is read in part: one digraph with vertices, edges and attributes";
        let error = |text: &str| read(text.as_bytes()).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string();
        for (text, place, what) in [
            ("graph { a -- b }", "1, column 1", "a graph without directions"),
            ("strict graph {}", "1, column 8", "a graph without directions"),
            ("digraph {\n a -> {b c}}", "2, column 7", "a subgraph in braces"),
            ("digraph {\n subgraph x {}}", "2, column 2", "a subgraph"),
            ("digraph { a:n -> b }", "1, column 12", "a port of a vertex"),
            ("digraph { \"a\" + \"b\" }", "1, column 15", "a text joined by +"),
            ("digraph { a [label=<b>] }", "1, column 20", "a text in HTML"),
            ("digraph { a -- b }", "1, column 13", "an edge without a direction"),
        ] {
            assert_eq!(error(text), format!("line {place}: {what}{part}"));
        }
        for (text, message) in [
            ("digraph { a", "line 1, column 12: expected a vertex or }, found the end of the file"),
            ("digraph { a [owner=2] }", "line 1, column 20: the owner is 0 or 1, not \"2\""),
            (
                "digraph { node [owner=1] }",
                "line 1, column 23: a default owner of vertices is not read; write it for each vertex",
            ),
            ("digraph { a [owner=1]; b }", "line 1, column 27: vertex b has no owner, others have one"),
            ("digraph { \"a }", "line 1, column 11: this quote is not closed"),
            ("digraph { \"\" }", "line 1, column 11: the name of the vertex is empty"),
        ] {
            assert_eq!(error(text), message);
        }
    }
}
