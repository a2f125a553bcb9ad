//! Graphs as GraphML: nodes, edges, and data of nodes by keys.
//!
//! A `<key>` for nodes whose `attr.name` (or else whose id) is `owner`, `priority`, `green` or `target` says what the `<data>` of
//! that key holds; others are passed over. An edge without a direction, by `edgedefault` or its own `directed`, leads both ways.
//! Not read, and refused by name: document types, graphs within nodes, a second graph, hyperedges and ports.

use grundy_core::theory::digraph::Digraph;
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use super::{GraphFile, error::Fault, json::About, names::Interner};

#[derive(Clone, Copy, PartialEq)]
enum Key {
    Owner,
    Priority,
    Target,
}

/// A key, its id, and its default.
struct KeyOf {
    id: String,
    key: Key,
    default: Option<(usize, String)>,
}

#[derive(Default)]
struct Parts {
    keys: Vec<KeyOf>,
    is_directed: Option<bool>,
    names: Interner,
    about: About,
    /// From, to, and whether it leads one way.
    edges: Vec<(u32, u32, bool)>,
    /// Edges from the first one on that came before one of its nodes, with their places.
    early: Vec<(String, String, bool, usize)>,
}

/// Where the text goes that comes now.
enum Into {
    Default(usize),
    Node(usize, Key),
}

pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|e| Fault::new(e.valid_up_to(), "the file is no UTF-8"))?;
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader::from_str(&text[mark..]);
    reader.config_mut().expand_empty_elements = true;
    let mut parts = Parts::default();
    let mut depth = 0usize;
    // how deep the graph, the node now open, and an element that is passed over stand
    let (mut graph, mut node, mut over): (Option<usize>, Option<(usize, u32)>, Option<usize>) = (None, None, None);
    let mut into: Option<(Into, usize, String)> = None;
    loop {
        let at = mark + reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => return Err(Fault::new(mark + reader.error_position() as usize, e.to_string())),
        };
        match event {
            Event::Start(element) => {
                depth += 1;
                if over.is_some() {
                    continue;
                }
                if depth == 1 && element.local_name().as_ref() != "graphml" {
                    return Err(Fault::new(at, format!("expected <graphml>, found <{}>", element.name().as_ref())));
                }
                let refused = |what: &str| Err(Fault::new(at, format!("{what} is not read")));
                match element.local_name().as_ref() {
                    "graphml" if depth == 1 => {}
                    "key" if depth == 2 => {
                        if !parts.key(&element, at)? {
                            over = Some(depth);
                        }
                    }
                    // of the last key: others are passed over whole
                    "default" if depth == 3 && graph.is_none() && !parts.keys.is_empty() => {
                        into = Some((Into::Default(parts.keys.len() - 1), at, String::new()));
                    }
                    "graph" if depth == 2 && parts.is_directed.is_none() => {
                        graph = Some(depth);
                        let default = attribute(&element, "edgedefault", at)?;
                        parts.is_directed = Some(default.is_none_or(|d| d != "undirected"));
                    }
                    "graph" => return refused(if node.is_some() { "a graph within a node" } else { "a second graph" }),
                    "hyperedge" => return refused("a hyperedge"),
                    "port" => return refused("a port"),
                    "node" if graph == Some(depth - 1) => node = Some((depth, parts.node(&element, at)?)),
                    "edge" if graph == Some(depth - 1) => {
                        parts.edge(&element, at)?;
                        over = Some(depth);
                    }
                    "data" => match (node, parts.key_of(&attribute(&element, "key", at)?.unwrap_or_default())) {
                        (Some((level, v)), Some(key)) if level + 1 == depth => {
                            into = Some((Into::Node(v as usize, key), at, String::new()));
                        }
                        _ => over = Some(depth),
                    },
                    _ => over = Some(depth),
                }
            }
            Event::End(_) => {
                if over == Some(depth) {
                    over = None;
                } else if over.is_none() {
                    match into.take() {
                        Some((Into::Default(key), at, text)) => parts.keys[key].default = Some((at, text)),
                        Some((Into::Node(v, key), at, text)) => parts.say(v, key, &text, at)?,
                        None => {}
                    }
                    if node.is_some_and(|(level, _)| level == depth) {
                        node = None;
                    }
                    if graph == Some(depth) {
                        graph = None;
                    }
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(piece) => {
                if let Some((_, _, text)) = &mut into {
                    text.push_str(&piece.xml10_content());
                }
            }
            Event::CData(piece) => {
                if let Some((_, _, text)) = &mut into {
                    text.push_str(&piece.xml10_content());
                }
            }
            Event::DocType(_) => return Err(Fault::new(at, "a document type is not read")),
            Event::GeneralRef(_) if into.is_some() => return Err(Fault::new(at, "a reference in a value is not read")),
            Event::GeneralRef(_) | Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof if depth > 0 || parts.is_directed.is_none() => {
                return Err(Fault::new(at, "the file ends before the graph does"));
            }
            Event::Eof => return parts.finish(bytes.len()),
        }
    }
}

/// An attribute of an element, its references resolved.
fn attribute(element: &BytesStart<'_>, name: &str, at: usize) -> Result<Option<String>, Fault> {
    let failed = |why: String| Fault::new(at, why);
    let found = element.try_get_attribute(name).map_err(|e| failed(e.to_string()))?;
    let value = found.map(|a| a.normalized_value(XmlVersion::Implicit1_0).map(|v| v.into_owned()));
    value.transpose().map_err(|e| failed(e.to_string()))
}

fn needed(element: &BytesStart<'_>, name: &str, at: usize) -> Result<String, Fault> {
    attribute(element, name, at)?
        .filter(|value| !value.is_empty())
        .ok_or_else(|| Fault::new(at, format!("this <{}> has no {name}", element.name().as_ref())))
}

impl Parts {
    /// Says whether it is one that counts.
    fn key(&mut self, element: &BytesStart<'_>, at: usize) -> Result<bool, Fault> {
        let id = needed(element, "id", at)?;
        let what = attribute(element, "for", at)?;
        if what.is_some_and(|w| w != "node" && w != "all") {
            return Ok(false);
        }
        let name = attribute(element, "attr.name", at)?.unwrap_or_else(|| id.clone());
        let key = match name.as_str() {
            "owner" => Key::Owner,
            "priority" => Key::Priority,
            "green" | "target" => Key::Target,
            _ => return Ok(false),
        };
        if self.keys.iter().any(|k| k.id == id || k.key == key) {
            return Err(Fault::new(at, format!("a second key for {name}")));
        }
        self.keys.push(KeyOf { id, key, default: None });
        Ok(true)
    }

    fn key_of(&self, id: &str) -> Option<Key> {
        self.keys.iter().find(|k| k.id == id).map(|k| k.key)
    }

    fn node(&mut self, element: &BytesStart<'_>, at: usize) -> Result<u32, Fault> {
        let id = needed(element, "id", at)?;
        let before = self.names.len();
        match self.names.id(&id) {
            Some(v) if v as usize == before => {
                for i in 0..self.keys.len() {
                    if let Some((at, text)) = self.keys[i].default.clone() {
                        self.say(before, self.keys[i].key, &text, at)?;
                    }
                }
                Ok(v)
            }
            Some(_) => Err(Fault::new(at, format!("the node {id:?} is there twice"))),
            None => Err(Fault::new(at, "more than 2^32 - 1 vertices")),
        }
    }

    fn edge(&mut self, element: &BytesStart<'_>, at: usize) -> Result<(), Fault> {
        let (from, to) = (needed(element, "source", at)?, needed(element, "target", at)?);
        let own = attribute(element, "directed", at)?.map(|d| d == "true");
        let is_directed = own.or(self.is_directed).unwrap_or(true);
        match (self.names.find(&from), self.names.find(&to)) {
            (Some(from), Some(to)) if self.early.is_empty() => self.edges.push((from, to, is_directed)),
            _ => self.early.push((from, to, is_directed, at)),
        }
        Ok(())
    }

    fn say(&mut self, v: usize, key: Key, text: &str, at: usize) -> Result<(), Fault> {
        let text = text.trim();
        let number =
            || text.parse::<u64>().map_err(|_| Fault::new(at, format!("expected a whole number, found {text:?}")));
        let said = match key {
            Key::Owner => self.about.of(v, Some(number()?), None, None),
            Key::Priority => self.about.of(v, None, Some(number()?), None),
            Key::Target => {
                let is_target = match text.to_ascii_lowercase().as_str() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return Err(Fault::new(at, format!("expected true or false, found {text:?}"))),
                };
                self.about.of(v, None, None, Some(is_target))
            }
        };
        said.map_err(|why| Fault::new(at, why))
    }

    fn finish(self, end: usize) -> Result<GraphFile, Fault> {
        let Parts { names, about, mut edges, early, .. } = self;
        for (from, to, is_directed, at) in early {
            let node =
                |name: &str| names.find(name).ok_or_else(|| Fault::new(at, format!("there is no node {name:?}")));
            edges.push((node(&from)?, node(&to)?, is_directed));
        }
        let both = |(from, to, is_directed): (u32, u32, bool)| {
            [Some((from, to)), (!is_directed && from != to).then_some((to, from))].into_iter().flatten()
        };
        let edges: Vec<(u32, u32)> = edges.into_iter().flat_map(both).collect();
        let graph = Digraph::from_edges(names.len(), &edges).map_err(|e| Fault::new(end, e.to_string()))?;
        about.into_file(graph, names.into_names()).map_err(|why| Fault::new(end, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<key id=\"d0\" for=\"node\" attr.name=\"owner\" \
                        attr.type=\"int\"><default>1</default></key>\n<key id=\"d1\" for=\"node\" attr.name=\"green\" attr.type=\"boolean\"/>\n<key id=\"w\" \
                        for=\"edge\" attr.name=\"priority\"><default>9</default></key>\n";

    #[test]
    fn nodes_edges_and_data() {
        let text = format!(
            "{HEAD}<graph edgedefault=\"directed\"><edge source=\"b\" target=\"a&amp;\"/><node id=\"a&amp;\"><data key=\"d0\">0</data><data \
             key=\"other\"><x><y/>z</x></data></node><node id=\"b\"><data key=\"d1\">true</data></node><edge source=\"b\" target=\"b\" \
             directed=\"false\"><data key=\"w\">3</data></edge><edge directed=\"false\" source=\"a&amp;\" target=\"b\"/></graph></graphml>"
        );
        let file = read(text.as_bytes()).unwrap_or_else(|e| panic!("{}", e.in_file(text.as_bytes())));
        assert_eq!((file.graph.successors(0), file.graph.successors(1)), (&[1][..], &[0, 1, 0][..]));
        assert_eq!((file.owner, file.target, file.priority), (Some(vec![0, 1]), Some(vec![false, true]), None));
        assert_eq!(file.names.get(0), "a&");
    }

    #[test]
    fn what_is_wrong() {
        let error = |text: &str| read(text.as_bytes()).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string();
        let graph = |inner: &str| format!("<graphml><graph>\n{inner}</graph></graphml>");
        for (text, message) in [
            (graph("<node id=\"a\"/><node id=\"a\"/>"), "line 2, column 15: the node \"a\" is there twice"),
            (graph("<node/>"), "line 2, column 1: this <node> has no id"),
            (graph("<node id=\"a\"/><edge source=\"a\" target=\"c\"/>"), "line 2, column 15: there is no node \"c\""),
            (graph("<node id=\"a\"><graph/></node>"), "line 2, column 14: a graph within a node is not read"),
            (graph("<hyperedge/>"), "line 2, column 1: a hyperedge is not read"),
            ("<!DOCTYPE x>\n<graphml/>".into(), "line 1, column 1: a document type is not read"),
            ("<svg/>".into(), "line 1, column 1: expected <graphml>, found <svg>"),
            ("<graphml>".into(), "line 1, column 10: the file ends before the graph does"),
            (
                format!("{HEAD}<graph><node id=\"a\">\n<data key=\"d0\">x</data></node></graph></graphml>"),
                "line 7, column 1: expected a whole number, found \"x\"",
            ),
        ] {
            assert_eq!(error(&text), message);
        }
        assert!(error("<graphml><graph></graphml>").starts_with("line 1, column 17: "));
    }
}
