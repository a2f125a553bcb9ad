//! Graphs as JSON: our own form, and the node-link form of NetworkX.
//!
//! Ours is one object:
//!
//! | field | holds |
//! |---|---|
//! | `n` | the number of vertices 0, 1, …, n - 1 |
//! | `edges` | `[from, to]` each |
//! | `owner` | for each vertex 0 or 1 |
//! | `priority` | for each vertex a priority |
//! | `target` or `green` | the numbers of the vertices that are targets, or green; not both |
//! | `names` | for each vertex a text |
//! | `start` | a vertex |
//!
//! All but `n` and `edges` may be left out; other fields are passed over.
//!
//! Node-link is `{"directed": true, "nodes": [{"id": …}], "links": [{"source": …, "target": …}]}`, with `edges` for `links` in newer
//! versions. An `id` is a text or a number; `owner`, `priority` and `green` or `target` (true or false) of a node are read. In an
//! undirected graph each edge leads both ways.

use std::{fmt, io::Write, marker::PhantomData};

use grundy_core::theory::digraph::Digraph;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error as _, IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{
    GraphFile, NameList, Names,
    error::{Fault, WriteError},
    names::Interner,
    text::Text,
};

/// Vertices that a file may have without saying anything about them; above that no more than its bytes.
const UNSAID: u64 = 1 << 20;

/// The fields of either form, not yet looked into.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    n: Option<&'a RawValue>,
    #[serde(borrow)]
    edges: Option<&'a RawValue>,
    #[serde(borrow)]
    owner: Option<&'a RawValue>,
    #[serde(borrow)]
    priority: Option<&'a RawValue>,
    #[serde(borrow)]
    target: Option<&'a RawValue>,
    #[serde(borrow)]
    green: Option<&'a RawValue>,
    #[serde(borrow)]
    names: Option<&'a RawValue>,
    #[serde(borrow)]
    start: Option<&'a RawValue>,
    #[serde(borrow)]
    directed: Option<&'a RawValue>,
    #[serde(borrow)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow)]
    links: Option<&'a RawValue>,
}

/// A file and how to find places in it.
struct Document<'a> {
    bytes: &'a [u8],
}

impl<'a> Document<'a> {
    fn text(bytes: &'a [u8]) -> Result<&'a str, Fault> {
        std::str::from_utf8(bytes).map_err(|e| Fault::new(e.valid_up_to(), "the file is no UTF-8"))
    }

    /// Where a part of the file begins.
    fn offset(&self, part: &str) -> usize {
        (part.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize).min(self.bytes.len())
    }

    fn fault(&self, part: &str, e: &serde_json::Error) -> Fault {
        let start =
            e.line().checked_sub(2).and_then(|skip| part.match_indices('\n').nth(skip)).map_or(0, |(i, _)| i + 1);
        let at = self.offset(part) + start + e.column().saturating_sub(1);
        let message = e.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(m, _)| m);
        Fault::new(at, message)
    }

    fn seeded<S: DeserializeSeed<'a>>(&self, part: &'a str, seed: S) -> Result<S::Value, Fault> {
        let mut reader = serde_json::Deserializer::from_str(part);
        seed.deserialize(&mut reader).map_err(|e| self.fault(part, &e))
    }

    fn value<T: Deserialize<'a>>(&self, part: Option<&'a RawValue>) -> Result<Option<T>, Fault> {
        part.map(|p| self.seeded(p.get(), PhantomData)).transpose()
    }

    fn fields(&self) -> Result<Fields<'a>, Fault> {
        let text = Document::text(self.bytes)?;
        let text = text.trim_start_matches('\u{feff}');
        serde_json::from_str(text).map_err(|e| self.fault(text, &e))
    }

    fn missing(&self, field: &str) -> Fault {
        let start = self.bytes.iter().position(|b| *b == b'{').unwrap_or(0);
        Fault::new(start, format!("the field \"{field}\" is missing"))
    }
}

/// A list whose entries are taken one by one.
struct Each<F, T>(F, &'static str, PhantomData<T>);

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> DeserializeSeed<'de> for Each<F, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> Visitor<'de> for Each<F, T> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some(entry) = entries.next_element()? {
            (self.0)(entry).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

fn each<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>>(what: &'static str, take: F) -> Each<F, T> {
    Each(take, what, PhantomData)
}

pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let document = Document { bytes };
    let fields = document.fields()?;
    let n: u64 = document.value(fields.n)?.ok_or_else(|| document.missing("n"))?;
    if n > UNSAID.max(bytes.len() as u64) || n >= u64::from(u32::MAX) {
        let at = fields.n.map_or(0, |p| document.offset(p.get()));
        return Err(Fault::new(at, format!("{n} vertices are more than a file of {} bytes is read for", bytes.len())));
    }
    let n = n as usize;
    let edges = fields.edges.ok_or_else(|| document.missing("edges"))?;
    let is_vertex = |v: u64| if v < n as u64 { Ok(v as u32) } else { Err(format!("there is no vertex {v}: n is {n}")) };
    let mut list = Vec::new();
    let take = |(from, to): (u64, u64)| {
        list.push((is_vertex(from)?, is_vertex(to)?));
        Ok(())
    };
    document.seeded(edges.get(), each("a list of edges [from, to]", take))?;
    let graph = Digraph::from_edges(n, &list).map_err(|e| Fault::new(document.offset(edges.get()), e.to_string()))?;
    drop(list);
    let mut file = GraphFile::new(graph, Names::Numbered { first: 0 });
    if let Some(part) = fields.owner {
        let mut owner = Vec::new();
        let take = |o: u8| if o < 2 { full(&mut owner, o, n) } else { Err(format!("the owner is 0 or 1, not {o}")) };
        document.seeded(part.get(), each("a list of owners", take))?;
        file.owner = Some(whole(&document, part, owner, n)?);
    }
    if let Some(part) = fields.priority {
        let mut priority = Vec::new();
        document.seeded(part.get(), each("a list of priorities", |p: u64| full(&mut priority, p, n)))?;
        file.priority = Some(whole(&document, part, priority, n)?);
    }
    if let Some(part) = fields.names {
        let mut names = NameList::default();
        let take = |name: std::borrow::Cow<'_, str>| {
            names.push(&name);
            if names.len() > n { Err(format!("more than n = {n} entries")) } else { Ok(()) }
        };
        document.seeded(part.get(), each("a list of names", take))?;
        whole(&document, part, vec![(); names.len()], n)?;
        file.names = Names::of(names);
    }
    let target = match (fields.target, fields.green) {
        (Some(_), Some(green)) => {
            return Err(Fault::new(
                document.offset(green.get()),
                "there are both \"target\" and \"green\"; one of them is read",
            ));
        }
        (target, green) => target.or(green),
    };
    if let Some(part) = target {
        let mut is_target = vec![false; n];
        let take = |v: u64| {
            is_target[is_vertex(v)? as usize] = true;
            Ok(())
        };
        document.seeded(part.get(), each("a list of vertices", take))?;
        file.target = Some(is_target);
    }
    if let Some(start) = document.value(fields.start)? {
        let at = fields.start.map_or(0, |p| document.offset(p.get()));
        file.start = Some(is_vertex(start).map_err(|why| Fault::new(at, why))?);
    }
    Ok(file)
}

fn full<T>(list: &mut Vec<T>, entry: T, n: usize) -> Result<(), String> {
    list.push(entry);
    if list.len() > n { Err(format!("more than n = {n} entries")) } else { Ok(()) }
}

fn whole<T>(document: &Document<'_>, part: &RawValue, list: Vec<T>, n: usize) -> Result<Vec<T>, Fault> {
    if list.len() == n {
        return Ok(list);
    }
    Err(Fault::new(document.offset(part.get()), format!("{} entries in place of n = {n}", list.len())))
}

/// Which of the two forms it is: only node-link has `nodes`.
pub(super) fn which(bytes: &[u8]) -> super::GraphFormat {
    match (Document { bytes }).fields() {
        Ok(fields) if fields.nodes.is_some() && fields.n.is_none() => super::GraphFormat::NodeLink,
        _ => super::GraphFormat::Json,
    }
}

/// The name of a node of NetworkX.
struct Id(String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Id, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Id;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E>(self, text: &str) -> Result<Id, E> {
                Ok(Id(text.to_owned()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
        }
        reader.deserialize_any(Any)
    }
}

#[derive(Deserialize)]
struct Node {
    id: Id,
    owner: Option<u8>,
    priority: Option<u64>,
    green: Option<bool>,
    target: Option<bool>,
}

#[derive(Deserialize)]
struct Link {
    source: Id,
    target: Id,
    #[serde(rename = "key")]
    _key: Option<IgnoredAny>,
}

pub(super) fn read_node_link(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let document = Document { bytes };
    let fields = document.fields()?;
    let nodes = fields.nodes.ok_or_else(|| document.missing("nodes"))?;
    let links = match (fields.links, fields.edges) {
        (Some(_), Some(edges)) => {
            return Err(Fault::new(
                document.offset(edges.get()),
                "there are both \"links\" and \"edges\"; one of them is read",
            ));
        }
        (links, edges) => links.or(edges).ok_or_else(|| document.missing("links"))?,
    };
    let is_directed = document.value(fields.directed)?.unwrap_or(true);
    let mut names = Interner::default();
    let mut about = About::default();
    let take = |node: Node| {
        if node.id.0.is_empty() {
            return Err("the id of the node is empty".into());
        }
        let v = names.len();
        let id = names.id(&node.id.0).ok_or("more than 2^32 - 1 vertices")?;
        if id as usize != v {
            return Err(format!("the node {:?} is there twice", node.id.0));
        }
        about.of(v, node.owner.map(u64::from), node.priority, node.green.or(node.target))
    };
    document.seeded(nodes.get(), each("a list of nodes", take))?;
    let mut edges = Vec::new();
    let take = |link: Link| {
        let end = |Id(name): &Id| names.find(name).ok_or_else(|| format!("there is no node {name:?}"));
        let (from, to) = (end(&link.source)?, end(&link.target)?);
        edges.push((from, to));
        if !is_directed && from != to {
            edges.push((to, from));
        }
        Ok(())
    };
    document.seeded(links.get(), each("a list of links", take))?;
    let at = document.offset(links.get());
    let graph = Digraph::from_edges(names.len(), &edges).map_err(|e| Fault::new(at, e.to_string()))?;
    about.into_file(graph, names.into_names()).map_err(|why| Fault::new(document.offset(nodes.get()), why))
}

/// What is said about vertices one by one, in any order.
#[derive(Default)]
pub(super) struct About {
    owner: Vec<Option<u8>>,
    priority: Vec<Option<u64>>,
    target: Vec<Option<bool>>,
}

impl About {
    /// Something about vertex v.
    pub(super) fn of(
        &mut self,
        v: usize,
        owner: Option<u64>,
        priority: Option<u64>,
        target: Option<bool>,
    ) -> Result<(), String> {
        fn put<T>(list: &mut Vec<Option<T>>, v: usize, said: Option<T>) {
            if said.is_some() {
                if list.len() <= v {
                    list.resize_with(v + 1, || None);
                }
                list[v] = said;
            }
        }
        if let Some(owner) = owner {
            let owner = u8::try_from(owner).ok().filter(|o| *o < 2);
            put(&mut self.owner, v, Some(owner.ok_or("the owner is 0 or 1")?));
        }
        put(&mut self.priority, v, priority);
        put(&mut self.target, v, target);
        Ok(())
    }

    /// The file; what is not a target is none, but owners and priorities are said of all or of none.
    pub(super) fn into_file(self, graph: Digraph, names: Names) -> Result<GraphFile, String> {
        let n = graph.vertices();
        fn all<T>(mut list: Vec<Option<T>>, n: usize, what: &str, names: &Names) -> Result<Option<Vec<T>>, String> {
            if list.is_empty() {
                return Ok(None);
            }
            list.resize_with(n, || None);
            match list.iter().position(Option::is_none) {
                Some(v) => Err(format!("vertex {} has no {what}, others have one", names.get(v as u32))),
                None => Ok(Some(list.into_iter().flatten().collect())),
            }
        }
        let owner = all(self.owner, n, "owner", &names)?;
        let priority = all(self.priority, n, "priority", &names)?;
        let mut target = self.target;
        let target = (!target.is_empty()).then(|| {
            target.resize(n, None);
            target.into_iter().map(|t| t == Some(true)).collect()
        });
        Ok(GraphFile { owner, priority, target, ..GraphFile::new(graph, names) })
    }
}

pub(super) fn write(out: &mut impl Write, file: &GraphFile) -> Result<(), WriteError> {
    let graph = &file.graph;
    let count = graph.vertices() as u32;
    let mut text = Text::new(out);
    text.word("{\"n\":")?.number(count.into())?;
    if let Some(owner) = &file.owner {
        numbers(&mut text, ",\n\"owner\":[", owner.iter().map(|o| u64::from(*o)))?;
    }
    if let Some(priority) = &file.priority {
        numbers(&mut text, ",\n\"priority\":[", priority.iter().copied())?;
    }
    if let Some(target) = &file.target {
        let targets = (0..).zip(target).filter(|(_, is_target)| **is_target).map(|(v, _)| v);
        numbers(&mut text, ",\n\"target\":[", targets)?;
    }
    if let Some(start) = file.start {
        text.word(",\n\"start\":")?.number(start.into())?;
    }
    if file.names != (Names::Numbered { first: 0 }) {
        let mut before = ",\n\"names\":[";
        for v in 0..count {
            let name = match &file.names {
                // an empty name stays one
                Names::Given(list) => list.get(v).into(),
                names => names.get(v),
            };
            let name = serde_json::to_string(&name).map_err(std::io::Error::from)?;
            text.word(before)?.word(&name)?;
            before = ",";
        }
        text.word(if count == 0 { ",\n\"names\":[]" } else { "]" })?;
    }
    text.word(",\n\"edges\":[")?;
    let mut before = "[";
    for v in 0..count {
        for to in graph.successors(v) {
            text.word(before)?.number(v.into())?.word(",")?.number((*to).into())?.word("]")?;
            before = ",\n[";
        }
    }
    text.word("]}\n")?;
    Ok(text.end()?)
}

fn numbers<W: Write>(text: &mut Text<'_, W>, head: &str, numbers: impl Iterator<Item = u64>) -> std::io::Result<()> {
    text.word(head)?;
    let mut before = "";
    for number in numbers {
        text.word(before)?.number(number)?;
        before = ",";
    }
    text.word("]")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(read: fn(&[u8]) -> Result<GraphFile, Fault>, text: &str) -> String {
        read(text.as_bytes()).map(|_| ()).unwrap_err().in_file(text.as_bytes()).to_string()
    }

    #[test]
    fn our_own_form() {
        let text = "{\"name\": \"x\", \"n\": 3, \"edges\": [[0, 1], [2, 0], [0, 2]], \"owner\": [0, 1, 1], \"green\": [2], \"names\": [\"a\", \"\\u00e9\", \"c\"], \"winner\": [[]]}";
        let file = read(text.as_bytes()).unwrap();
        assert_eq!((file.graph.successors(0), file.target), (&[1, 2][..], Some(vec![false, false, true])));
        assert_eq!((file.owner, file.names.get(1).as_ref()), (Some(vec![0, 1, 1]), "é"));
    }

    #[test]
    fn places_in_our_own_form() {
        for (text, message) in [
            ("{\"edges\": []}", "line 1, column 1: the field \"n\" is missing"),
            ("{\"n\": 2,\n \"edges\": [[0, 1],\n  [0, 2]]}", "line 3, column 9: there is no vertex 2: n is 2"),
            ("{\"n\": 2,\n \"edges\": [],\n \"owner\": [0]}", "line 3, column 11: 1 entries in place of n = 2"),
            ("{\"n\": 1, \"edges\": [], \"owner\": [2]}", "line 1, column 34: the owner is 0 or 1, not 2"),
            (
                "{\"n\": 4000000000, \"edges\": []}",
                "line 1, column 7: 4000000000 vertices are more than a file of 30 bytes is read for",
            ),
            (
                "{\"n\": 1, \"edges\": [], \"green\": [], \"target\": []}",
                "line 1, column 32: there are both \"target\" and \"green\"; one of them is read",
            ),
            ("{\"n\": 1,\n\"edges\": [}", "line 2, column 11: expected value"),
        ] {
            assert_eq!(error(read, text), message, "{text}");
        }
    }

    #[test]
    fn node_link_old_and_new() {
        for word in ["links", "edges"] {
            let text = format!(
                "{{\"directed\": false, \"multigraph\": false, \"graph\": {{}}, \"nodes\": [{{\"id\": \"a\", \"owner\": 0}}, {{\"id\": 7, \"owner\": 1, \
                 \"green\": true}}], \"{word}\": [{{\"source\": 7, \"target\": \"a\", \"weight\": 1.5, \"key\": 0}}]}}"
            );
            let file = read_node_link(text.as_bytes()).unwrap();
            assert_eq!((file.graph.successors(0), file.graph.successors(1)), (&[1][..], &[0][..]));
            assert_eq!((file.owner, file.target), (Some(vec![0, 1]), Some(vec![false, true])));
        }
        let text = "{\"nodes\": [{\"id\": 1},\n{\"id\": 1}], \"links\": []}";
        assert_eq!(error(read_node_link, text), "line 2, column 10: the node \"1\" is there twice");
        let text = "{\"nodes\": [{\"id\": 1, \"owner\": 0}, {\"id\": 2}], \"links\": []}";
        assert_eq!(error(read_node_link, text), "line 1, column 11: vertex 2 has no owner, others have one");
    }
}
