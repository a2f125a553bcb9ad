//! The layout of a judge's input, a small language that reads like the problem statement.
//!
//! ```text
//! layout = { item } [ loop ]
//! item   = NAME                              a number
//!        | NAME ":w"                         a word: anything without white space
//!        | NAME "[" length "]"               a list of numbers
//!        | "(" NAME { NAME } ")" "[" length "]"   records: one list for every name, read row by row
//!        | "(" NAME NAME "[" NAME "]" ")" "[" length "]"   rows: each a number and so many more numbers
//!        | NAME ":w" "(" length ")" "[" length "]"   a grid: so many letters a row, so many rows
//!        | NAME "*"                          the numbers up to the end of the line
//! loop   = NAME "{" layout "}"               a number, then so many cases
//!        | "*" "{" layout "}"                cases up to the end of the input
//!        | "until" "0" { "0" } "{" layout "}"     cases up to one whose first numbers are so many zeros (or the end)
//!        | "lines" "{" layout "}"            one case a line
//!        | NAME "=" term ".." term "{" layout "}" reads nothing: one case for every number of a range
//!        | "{" layout "}"                    one case
//! ```
//!
//! A length or term is a formula over the numbers read before, usually one name: `c[n*m]`, `(x y)[n div 2]`. Of the rows of
//! `(k s[k])[n]`, such as the successors of each vertex of a graph, `k` is the list of their lengths and `s` that of all their
//! members; a grid `b:w(m)[n]` is a word, its rows one after another. A layout
//! ends with its loop, if it has one, so that loops are nested and never follow one another; the innermost one holds *the
//! case*. White space, also a line end, separates numbers wherever it stands; only `*` and `lines` look at lines.
//! Four layouts have names of their own, see [`NAMED`].

use std::ops::Range;

use grundy_core::notation::{SyntaxError, nearest};

use super::text::{Expression, Names};

/// Layouts with a name.
pub const NAMED: [(&str, &str); 4] = [
    ("lines", "lines{ h* }"),
    ("counted", "T{ n h[n] }"),
    ("counted-eof", "*{ n h[n] }"),
    ("until-zero", "until 0 { n h[n] }"),
];

/// Most loops inside one another.
const DEEPEST: usize = 8;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Word,
    List,
    /// A list of which the members belong together with those of other lists.
    Column,
}

/// One thing that is read.
#[derive(Debug)]
pub(super) enum Item {
    Number(usize),
    Word(usize),
    List {
        slot: usize,
        length: Expression,
    },
    Records {
        slots: Range<usize>,
        length: Expression,
    },
    /// Rows that begin with the number of their members: the list of these numbers, and all members in one list.
    Rows {
        counts: usize,
        members: usize,
        length: Expression,
    },
    /// Rows of letters, kept as one word.
    Grid {
        slot: usize,
        rows: Expression,
        columns: Expression,
    },
    Rest(usize),
}

/// How often a body is read.
#[derive(Debug)]
pub(super) enum Repeat {
    Once,
    /// The name of the count, in lower case.
    Counted(String),
    ToEnd,
    UntilZeros(usize),
    Lines,
    Range {
        slot: usize,
        from: Expression,
        to: Expression,
    },
}

/// A body without the loop in it, which is the next level.
#[derive(Debug)]
pub(super) struct Level {
    pub repeat: Repeat,
    pub items: Vec<Item>,
}

/// A layout that was read: the loops from the outermost to the innermost, the first being the whole input, read once.
#[derive(Debug)]
pub(super) struct Layout {
    pub levels: Vec<Level>,
}

impl Layout {
    /// Reads a layout and declares its names.
    pub fn parse(text: &str, names: &mut Names) -> Result<Layout, SyntaxError> {
        let long = NAMED.iter().find(|(name, _)| *name == text.trim()).map_or(text, |(_, long)| long);
        let mut parser = Parser { text: long, at: 0, names, levels: Vec::new() };
        parser.body(Repeat::Once, None)?;
        parser.space();
        if parser.at < long.len() {
            let error = parser.expected("the end: nothing follows a loop");
            // one word that is no layout is more likely a misspelt name
            return Err(match nearest(text.trim(), NAMED.iter().map(|(name, _)| *name)) {
                Some(near) => error.with_suggestion(near),
                None => error,
            });
        }
        let levels = parser.levels;
        if let [Level { items, .. }] = &levels[..]
            && let [Item::Number(_)] = &items[..]
            && let Some(near) = nearest(text.trim(), NAMED.iter().map(|(name, _)| *name))
        {
            return Err(SyntaxError::new("this layout is a single number", 0..text.len()).with_suggestion(near));
        }
        Ok(Layout { levels })
    }

    /// The index of the first of the range loops at the bottom; the number of levels if there is none.
    pub fn first_range(&self) -> usize {
        let ranges = self.levels.iter().rev().take_while(|l| matches!(l.repeat, Repeat::Range { .. })).count();
        self.levels.len() - ranges
    }

    /// The index of the level of which a test file may hold any number, if there is one.
    pub fn first_loop(&self) -> Option<usize> {
        let reads = |l: &Level| !matches!(l.repeat, Repeat::Once | Repeat::Range { .. });
        self.levels.iter().position(reads)
    }

    /// The body that is the case.
    pub fn last(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a mut Names,
    levels: Vec<Level>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        let found = match self.rest().chars().next() {
            Some(c) => format!("\"{c}\""),
            None => "the end of the layout".into(),
        };
        SyntaxError::new(format!("expected {what}, found {found}"), self.at..self.at + width)
    }

    fn name(&mut self) -> Option<(&'a str, Range<usize>)> {
        self.space();
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let span = self.at..self.at + length;
        self.at += length;
        Some((&rest[..length], span))
    }

    /// A body up to its closing brace or the end; `counter` is the slot of a range's number.
    fn body(&mut self, repeat: Repeat, open: Option<usize>) -> Result<(), SyntaxError> {
        if self.levels.len() == DEEPEST {
            return Err(SyntaxError::new(format!("loops are nested at most {DEEPEST} deep"), self.at..self.at));
        }
        let level = self.levels.len();
        self.levels.push(Level { repeat, items: Vec::new() });
        loop {
            self.space();
            let start = self.at;
            let item = match self.rest().chars().next() {
                None | Some('}') => break,
                Some('{') => {
                    self.braces(Repeat::Once)?;
                    break;
                }
                Some('*') => {
                    self.at += 1;
                    self.braces(Repeat::ToEnd)?;
                    break;
                }
                Some('(') => self.records()?,
                Some(c) if c.is_ascii_alphabetic() => {
                    let (name, span) = self.name().unwrap_or_default();
                    if name.eq_ignore_ascii_case("until") && self.eat("0") {
                        let mut zeros = 1;
                        while self.eat("0") {
                            zeros += 1;
                        }
                        self.braces(Repeat::UntilZeros(zeros))?;
                        break;
                    }
                    self.space();
                    match self.rest().chars().next() {
                        Some('{') if name.eq_ignore_ascii_case("lines") => {
                            self.braces(Repeat::Lines)?;
                            break;
                        }
                        Some('{') => {
                            // the count itself is of no further use; its name may be used again
                            self.braces(Repeat::Counted(name.to_ascii_lowercase()))?;
                            break;
                        }
                        Some('=') => {
                            self.at += 1;
                            let from = self.until("..")?;
                            let to = self.until("{")?;
                            self.at -= 1;
                            let slot = self.declare(name, span, Kind::Number)?;
                            self.braces(Repeat::Range { slot, from, to })?;
                            break;
                        }
                        Some('[') => {
                            self.at += 1;
                            let length = self.until("]")?;
                            Item::List { slot: self.declare(name, span, Kind::List)?, length }
                        }
                        Some('*') => {
                            self.at += 1;
                            Item::Rest(self.declare(name, span, Kind::List)?)
                        }
                        Some(':') => {
                            self.at += 1;
                            if !self.eat("w") {
                                return Err(self.expected("\"w\" for a word"));
                            }
                            let slot = self.declare(name, span, Kind::Word)?;
                            if self.eat("(") {
                                let columns = self.until(")")?;
                                if !self.eat("[") {
                                    return Err(self.expected("\"[\" and the number of rows"));
                                }
                                Item::Grid { slot, rows: self.until("]")?, columns }
                            } else {
                                Item::Word(slot)
                            }
                        }
                        _ => Item::Number(self.declare(name, span, Kind::Number)?),
                    }
                }
                Some(_) => {
                    return Err(self.expected("a name, \"(\", \"{\" or \"*{\"").with_hint("for example T{ n h[n] }"));
                }
            };
            if let Item::Rest(_) = item {
                self.space();
                if !matches!(self.rest().chars().next(), None | Some('}')) {
                    return Err(SyntaxError::new(
                        "nothing can follow the numbers up to the end of a line",
                        start..self.at,
                    ));
                }
            }
            self.levels[level].items.push(item);
        }
        match open {
            None => Ok(()),
            Some(_) if self.eat("}") => Ok(()),
            Some(open) if self.rest().is_empty() => {
                Err(SyntaxError::new("this brace is never closed", open..open + 1).with_hint("add \"}\""))
            }
            Some(_) => Err(self.expected("\"}\": nothing follows a loop")),
        }
    }

    fn braces(&mut self, repeat: Repeat) -> Result<(), SyntaxError> {
        self.space();
        let open = self.at;
        if !self.eat("{") {
            return Err(self.expected("\"{\""));
        }
        let zeros = if let Repeat::UntilZeros(zeros) = repeat { zeros } else { 0 };
        let level = self.levels.len();
        self.body(repeat, Some(open))?;
        let is_number = |i: &&Item| !matches!(i, Item::Word(_) | Item::Rest(_) | Item::Grid { .. });
        let numbers = self.levels[level].items.iter().take_while(is_number);
        if zeros > 0 && numbers.count() == 0 {
            return Err(SyntaxError::new("the cases of \"until\" begin with a number", open..self.at));
        }
        Ok(())
    }

    fn records(&mut self) -> Result<Item, SyntaxError> {
        self.at += 1;
        let mut found = Vec::new();
        while let Some(name) = self.name() {
            found.push(name);
            if let [(count, count_span), (name, span)] = &found[..]
                && self.eat("[")
            {
                return self.rows((count, count_span.clone()), (name, span.clone()));
            }
        }
        if found.is_empty() || !self.eat(")") {
            return Err(self.expected("names and \")\""));
        }
        if !self.eat("[") {
            return Err(self.expected("\"[\" and the number of records"));
        }
        let length = self.until("]")?;
        let first = self.names.len();
        for (name, span) in found {
            self.declare(name, span, Kind::Column)?;
        }
        Ok(Item::Records { slots: first..self.names.len(), length })
    }

    /// The rest of rows after `(k s[`.
    fn rows(&mut self, count: (&str, Range<usize>), list: (&str, Range<usize>)) -> Result<Item, SyntaxError> {
        let counts = self.declare(count.0, count.1.clone(), Kind::List)?;
        let members = self.declare(list.0, list.1, Kind::List)?;
        let is_count = self.name().is_some_and(|(name, _)| name.eq_ignore_ascii_case(count.0));
        if !(is_count && self.eat("]") && self.eat(")")) {
            let found = format!("the rows of {name} have {name} members: ({name} s[{name}])[n]", name = count.0);
            return Err(SyntaxError::new(found, count.1.start..self.at));
        }
        if !self.eat("[") {
            return Err(self.expected("\"[\" and the number of rows"));
        }
        Ok(Item::Rows { counts, members, length: self.until("]")? })
    }

    /// The formula up to `end`, which is consumed.
    fn until(&mut self, end: &str) -> Result<Expression, SyntaxError> {
        let Some(length) = self.rest().find(end) else {
            self.at = self.text.len();
            return Err(self.expected(&format!("\"{end}\"")));
        };
        let start = self.at;
        self.at += length + end.len();
        Expression::formula(&self.text[start..start + length], self.names, start)
    }

    fn declare(&mut self, name: &str, span: Range<usize>, kind: Kind) -> Result<usize, SyntaxError> {
        self.names.declare(name, kind).map_err(|e| SyntaxError { span, ..e })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(text: &str) -> Vec<String> {
        let mut names = Names::default();
        let layout = Layout::parse(text, &mut names).unwrap();
        let repeat = |r: &Repeat| match r {
            Repeat::Once => "once".to_owned(),
            Repeat::Counted(_) => "counted".to_owned(),
            Repeat::ToEnd => "to end".to_owned(),
            Repeat::UntilZeros(k) => format!("until {k}"),
            Repeat::Lines => "lines".to_owned(),
            Repeat::Range { slot, .. } => format!("range {}", names.name(*slot)),
        };
        let item = |i: &Item| match i {
            Item::Number(s) => names.name(*s).to_owned(),
            Item::Word(s) => format!("{}:w", names.name(*s)),
            Item::List { slot, .. } => format!("{}[]", names.name(*slot)),
            Item::Records { slots, .. } => format!("{}..[]", names.name(slots.start)),
            Item::Rows { counts, members, .. } => format!("{}+{}[]", names.name(*counts), names.name(*members)),
            Item::Grid { slot, .. } => format!("{}:w()[]", names.name(*slot)),
            Item::Rest(s) => format!("{}*", names.name(*s)),
        };
        let line =
            |l: &Level| format!("{}: {}", repeat(&l.repeat), l.items.iter().map(item).collect::<Vec<_>>().join(" "));
        layout.levels.iter().map(line).collect()
    }

    #[test]
    fn layouts_are_read() {
        assert_eq!(levels("counted"), ["once: ", "counted: n h[]"]);
        assert_eq!(levels("lines"), ["once: ", "lines: h*"]);
        assert_eq!(levels("until 0 { k S[k] m{ n h[n] } }"), ["once: ", "until 1: k s[]", "counted: n h[]"]);
        assert_eq!(levels("N T{h[N]}"), ["once: n", "counted: h[]"]);
        assert_eq!(levels("n m c[n*m]"), ["once: n m c[]"]);
        assert_eq!(levels("{ N L R a[N] }"), ["once: ", "once: n l r a[]"]);
        assert_eq!(levels("*{ n P[n] x=1..n{} }"), ["once: ", "to end: n p[]", "range x: "]);
        assert_eq!(levels("N (A K)[N]"), ["once: n a..[]"]);
        assert_eq!(levels("*{ s:w }"), ["once: ", "to end: s:w"]);
        assert_eq!(levels("until 0 0 { a b }"), ["once: ", "until 2: a b"]);
        let graph = ["once: ", "to end: n k+s[]", "until 1: m t[]"];
        assert_eq!(levels("*{ N (k s[k])[N] until 0 { m t[m] } }"), graph);
        assert_eq!(levels("*{ n m b:w(m)[n] }"), ["once: ", "to end: n m b:w()[]"]);
    }

    fn error(text: &str) -> (String, Range<usize>, Option<String>) {
        let e = Layout::parse(text, &mut Names::default()).unwrap_err();
        (e.message, e.span, e.hint)
    }

    #[test]
    fn errors_have_a_place() {
        assert_eq!(error("T{ n h[n] ").1, 1..2);
        assert_eq!(error("T{ n h[k] }").1, 7..8);
        assert_eq!(error("T{ n n }").1, 5..6);
        assert_eq!(error("T{ n } m").0, "expected the end: nothing follows a loop, found \"m\"");
        assert_eq!(error("T{ a{ b } c }").0, "expected \"}\": nothing follows a loop, found \"c\"");
        assert_eq!(error("countd").2.as_deref(), Some("did you mean \"counted\"?"));
        assert_eq!(error("lines{ h* n }").0, "nothing can follow the numbers up to the end of a line");
        assert_eq!(error("until 0 { s:w }").0, "the cases of \"until\" begin with a number");
        assert_eq!(error("n (k s[n])[n]").0, "the rows of k have k members: (k s[k])[n]");
        assert!(error("n (k s[k])").0.starts_with("expected \"[\" and the number of rows"));
        assert!(error("n b:w(n)").0.starts_with("expected \"[\" and the number of rows"));
        assert!(error(&"{".repeat(100)).0.contains("nested"));
    }
}
