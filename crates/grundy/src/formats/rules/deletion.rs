//! `kind = "deletion"`: vertices or edges of a graph are deleted.

use grundy_core::rulesets::{AnyRuleset, cells::Deletion};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{
    Wrong,
    cells::{CellName, CellNames, MOST_CELLS, board},
    parse,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeletionFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "about")]
    _about: Option<String>,
    vertices: Spanned<CellNames>,
    edges: Vec<Spanned<(CellName, CellName)>>,
    delete: Spanned<Vec<Delete>>,
}

/// What a move deletes; edges go with their ends in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delete {
    /// A vertex.
    Vertex,
    /// An edge, whose ends stay.
    Edge,
    /// A vertex with its neighbours.
    VertexWithNeighbours,
    /// An edge with its ends.
    EdgeWithEnds,
}

/// A graph and what may be deleted of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletionData {
    /// The names of the vertices.
    pub vertices: Vec<String>,
    /// The edges, each once, by the indices of their ends, the smaller first.
    pub edges: Vec<(usize, usize)>,
    /// What a move deletes: one of these.
    pub kind: Vec<Delete>,
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: DeletionFile = parse(text)?;
    let span = file.vertices.span();
    let vertices = file.vertices.into_inner().read(span.clone(), "vertices")?;
    if vertices.len() + file.edges.len() > MOST_CELLS {
        return Err(Wrong::new(format!("a board has at most {MOST_CELLS} vertices and edges"), span.clone())
            .hint("a sum of smaller boards is quicker solved, too"));
    }
    let mut edges = Vec::with_capacity(file.edges.len());
    for pair in &file.edges {
        let (a, b) = pair.get_ref();
        let (a, b) = (a.index(&vertices, pair.span())?, b.index(&vertices, pair.span())?);
        let edge = (a.min(b), a.max(b));
        if a == b {
            return Err(Wrong::new("an edge joins two different vertices", pair.span()).hint("leave the loop out"));
        }
        if edges.contains(&edge) {
            return Err(Wrong::new("this edge is there already", pair.span()).hint("write each edge once"));
        }
        edges.push(edge);
    }
    if file.delete.get_ref().is_empty() {
        return Err(Wrong::new("nothing may be deleted", file.delete.span()).hint("write delete = [\"vertex\"]"));
    }
    let data = DeletionData { vertices, edges, kind: file.delete.into_inner() };
    let (cells, moves) = lower(data);
    board(name, cells, moves, span)
}

/// The cells are the vertices, and the edges where moves look at them.
fn lower(data: DeletionData) -> (Vec<String>, Vec<Deletion>) {
    let has_edges = data.kind.iter().any(|k| matches!(k, Delete::Edge | Delete::EdgeWithEnds));
    let edge = |e: usize| (data.vertices.len() + e) as u32;
    // the vertices with all edges at them
    let with_edges = |gone: &[usize]| -> Vec<u32> {
        let mut all: Vec<u32> = gone.iter().map(|v| *v as u32).collect();
        if has_edges {
            let touched = data.edges.iter().enumerate().filter(|(_, (a, b))| gone.contains(a) || gone.contains(b));
            all.extend(touched.map(|(e, _)| edge(e)));
        }
        all.sort_unstable();
        all
    };
    // where one kind of move is all there is, its cell says enough
    let is_plain = data.kind.len() == 1;
    let mut moves = Vec::new();
    for kind in &data.kind {
        match kind {
            Delete::Vertex | Delete::VertexWithNeighbours => {
                for (v, word) in data.vertices.iter().enumerate() {
                    let mut gone = vec![v];
                    let mut name = word.clone();
                    if *kind == Delete::VertexWithNeighbours {
                        let other = |(a, b): &(usize, usize)| match v {
                            v if v == *a => Some(*b),
                            v if v == *b => Some(*a),
                            _ => None,
                        };
                        gone.extend(data.edges.iter().filter_map(other));
                        if !is_plain {
                            name.push_str(" and its neighbours");
                        }
                    }
                    moves.push(Deletion { needed: vec![v as u32], removed: with_edges(&gone), name });
                }
            }
            Delete::Edge | Delete::EdgeWithEnds => {
                for (e, (a, b)) in data.edges.iter().enumerate() {
                    let (a_word, b_word) = (&data.vertices[*a], &data.vertices[*b]);
                    let (removed, name) = match kind {
                        Delete::Edge => (vec![edge(e)], format!("{a_word}-{b_word}")),
                        _ if is_plain => (with_edges(&[*a, *b]), format!("{a_word}-{b_word}")),
                        _ => (with_edges(&[*a, *b]), format!("{a_word} and {b_word}")),
                    };
                    moves.push(Deletion { needed: vec![edge(e)], removed, name });
                }
            }
        }
    }
    let mut cells = data.vertices.clone();
    if has_edges {
        cells.extend(data.edges.iter().map(|(a, b)| format!("{}-{}", data.vertices[*a], data.vertices[*b])));
    }
    (cells, moves)
}
