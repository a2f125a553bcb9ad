//! Directed graphs whose vertices have names: what a file or an inline list of followers gives.

use core::hash::BuildHasher;
use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    hash::RandomState,
};

use super::digraph::Digraph;

/// A graph with the names of its vertices, and what follows from it at once.
#[derive(Debug)]
pub struct NamedGraph {
    graph: Digraph,
    names: VertexNames,
    endless: Option<Vec<bool>>,
    digest: u64,
}

impl NamedGraph {
    /// The graph with these names, one for each vertex.
    ///
    /// # Complexity
    /// O(vertices + edges + names).
    ///
    /// # Errors
    /// There are not as many names as vertices.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::{digraph::Digraph, named_graph::{NamedGraph, VertexNames}};
    /// let graph = Digraph::from_edges(2, &[(0, 1)]).unwrap();
    /// let named = NamedGraph::new(graph, VertexNames::given(["home", "end"]).unwrap()).unwrap();
    /// assert_eq!((named.names().find("end", 2), named.is_endless(0)), (Some(1), false));
    /// ```
    pub fn new(graph: Digraph, names: VertexNames) -> Result<NamedGraph, NoName> {
        if names.len().is_some_and(|named| named != graph.vertices()) {
            return Err(NoName::Count);
        }
        let endless = graph.endless();
        let mut digest = graph.offsets().iter().fold(0, |d, o| stirred(d, *o));
        digest = graph.targets().iter().fold(digest, |d, t| stirred(d, (*t).into()));
        digest = match &names {
            VertexNames::Numbered { first } => stirred(digest, *first),
            VertexNames::Given(list) => list.text.bytes().fold(digest, |d, b| stirred(d, b.into())),
        };
        Ok(NamedGraph { graph, names, endless, digest })
    }

    /// The graph.
    pub fn graph(&self) -> &Digraph {
        &self.graph
    }

    /// What its vertices are called.
    pub fn names(&self) -> &VertexNames {
        &self.names
    }

    /// Whether there is a cycle.
    pub fn has_cycle(&self) -> bool {
        self.endless.is_some()
    }

    /// Whether a walk from v may go on for ever.
    pub fn is_endless(&self, v: u32) -> bool {
        self.endless.as_ref().is_some_and(|all| all[v as usize])
    }

    /// A number of 64 bits that tells graphs with names apart, the same wherever they come from; no proof against forgery.
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

/// The digest with one more number in it; the same on all machines and in all versions.
fn stirred(digest: u64, number: u64) -> u64 {
    let mixed = (digest ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

impl PartialEq for NamedGraph {
    fn eq(&self, other: &Self) -> bool {
        // different contents nearly always differ in it already
        self.digest == other.digest && self.graph == other.graph && self.names == other.names
    }
}

impl Eq for NamedGraph {}

/// What the vertices 0, 1, … are called: no two alike.
#[derive(Debug)]
pub enum VertexNames {
    /// Vertex v is called v + first.
    Numbered {
        /// The name of vertex 0.
        first: u64,
    },
    /// Each has its own name.
    Given(GivenNames),
}

/// Why names do not name vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoName {
    /// There are not as many as vertices.
    Count,
    /// Two vertices have this one.
    Twice(String),
    /// The notation cannot write this one: it holds a quotation mark, or nothing.
    Unwritable(String),
}

impl core::fmt::Display for NoName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            NoName::Count => f.write_str("there are not as many names as vertices"),
            NoName::Twice(name) => write!(f, "two vertices are called \"{name}\""),
            NoName::Unwritable(name) if name.is_empty() => f.write_str("a vertex has an empty name"),
            NoName::Unwritable(name) => write!(f, "the name {name:?} of a vertex holds a quotation mark"),
        }
    }
}

impl core::error::Error for NoName {}

/// Names one after another in one text, and where each is found.
#[derive(Debug)]
pub struct GivenNames {
    /// Every name and a quotation mark, which no name holds.
    text: String,
    ends: Vec<usize>,
    /// By hash; of names with the same hash the first, which practically never happens. Random: no file can bring it about.
    found: HashMap<u64, u32>,
    hasher: RandomState,
}

impl VertexNames {
    /// These names, in the order of the vertices.
    ///
    /// # Complexity
    /// O(their length).
    ///
    /// # Errors
    /// A name that stands twice, or that the notation cannot write.
    pub fn given<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Result<VertexNames, NoName> {
        let names = names.into_iter();
        let least = names.size_hint().0;
        let mut list = GivenNames {
            text: String::new(),
            ends: Vec::with_capacity(least),
            found: HashMap::with_capacity(least),
            hasher: RandomState::new(),
        };
        for (v, name) in (0u32..).zip(names) {
            let name = name.as_ref();
            if name.is_empty() || name.contains('"') {
                return Err(NoName::Unwritable(name.to_owned()));
            }
            let is_new = match list.found.entry(list.hasher.hash_one(name)) {
                Entry::Vacant(place) => *place.insert(v) == v,
                Entry::Occupied(_) => false,
            };
            if !is_new && list.find(name).is_some() {
                return Err(NoName::Twice(name.to_owned()));
            }
            list.text.push_str(name);
            list.ends.push(list.text.len());
            list.text.push('"');
        }
        Ok(VertexNames::Given(list))
    }

    /// The name of vertex v.
    pub fn get(&self, v: u32) -> Cow<'_, str> {
        match self {
            VertexNames::Numbered { first } => (first + u64::from(v)).to_string().into(),
            VertexNames::Given(list) => list.get(v).into(),
        }
    }

    /// The vertex of a name, of the first `vertices`.
    ///
    /// # Complexity
    /// O(length of the name).
    pub fn find(&self, name: &str, vertices: usize) -> Option<u32> {
        let v = match self {
            VertexNames::Numbered { first } => {
                let v = name.parse::<u64>().ok()?.checked_sub(*first)?;
                // 007 is no name of 7
                u32::try_from(v).ok().filter(|v| self.get(*v) == name)
            }
            VertexNames::Given(list) => list.find(name),
        };
        v.filter(|v| (*v as usize) < vertices)
    }

    /// How many; None for numbers, which go on for ever.
    fn len(&self) -> Option<usize> {
        match self {
            VertexNames::Numbered { .. } => None,
            VertexNames::Given(list) => Some(list.ends.len()),
        }
    }
}

impl PartialEq for VertexNames {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (VertexNames::Numbered { first: a }, VertexNames::Numbered { first: b }) => a == b,
            (VertexNames::Given(a), VertexNames::Given(b)) => a.text == b.text,
            _ => false,
        }
    }
}

impl GivenNames {
    fn get(&self, v: u32) -> &str {
        let v = v as usize;
        let start = v.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        &self.text[start..self.ends[v]]
    }

    fn find(&self, name: &str) -> Option<u32> {
        let v = *self.found.get(&self.hasher.hash_one(name))?;
        if self.get(v) == name {
            return Some(v);
        }
        (0..self.ends.len() as u32).find(|v| self.get(*v) == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_stand_once() {
        let names = VertexNames::given(["a", "bc", "b"]).unwrap();
        assert_eq!([names.get(0), names.get(1), names.get(2)], ["a", "bc", "b"]);
        assert_eq!((names.find("b", 3), names.find("bc", 3), names.find("c", 3)), (Some(2), Some(1), None));
        assert_eq!(VertexNames::given(["a", "b", "a"]).unwrap_err(), NoName::Twice("a".into()));
        assert_eq!(VertexNames::given(["a", ""]).unwrap_err(), NoName::Unwritable(String::new()));
        assert!(VertexNames::given(["a\"b"]).unwrap_err().to_string().contains("quotation mark"));
    }

    #[test]
    fn numbers_are_names() {
        let names = VertexNames::Numbered { first: 1 };
        assert_eq!(names.get(0), "1");
        assert_eq!(
            (names.find("3", 3), names.find("4", 3), names.find("0", 3), names.find("03", 3)),
            (Some(2), None, None, None)
        );
    }

    #[test]
    fn contents_are_told_apart() {
        let graph = |edges: &[(u32, u32)], names: &[&str]| {
            NamedGraph::new(Digraph::from_edges(2, edges).unwrap(), VertexNames::given(names).unwrap()).unwrap()
        };
        let one = graph(&[(0, 1)], &["a", "bc"]);
        assert_eq!(one, graph(&[(0, 1)], &["a", "bc"]));
        assert_eq!(one.digest(), graph(&[(0, 1)], &["a", "bc"]).digest());
        assert_ne!(one, graph(&[(1, 0)], &["a", "bc"]));
        assert_ne!(one, graph(&[(0, 1)], &["ab", "c"]));
        assert!(graph(&[(0, 1), (1, 0)], &["a", "b"]).is_endless(0));
        let few = VertexNames::given(["a"]).unwrap();
        assert_eq!(NamedGraph::new(Digraph::from_edges(2, &[]).unwrap(), few), Err(NoName::Count));
    }
}
