//! `kind = "deletion"`: vertices or edges of a graph are deleted.

use std::{collections::HashSet, ops::ControlFlow, sync::Arc};

use grundy_core::rulesets::{
    AnyRuleset,
    cells::Deletion,
    custom::{DynRuleset, DynSink},
};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{
    Wrong,
    cells::{self, CellName, CellNames, MOST_CELLS, board},
    parse,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeletionFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    about: Option<String>,
    vertices: Spanned<CellNames>,
    edges: Vec<Spanned<Vec<CellName>>>,
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
        let (a, b) = cells::pair(pair, "an edge joins two vertices")?;
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
    let mixed = [Delete::VertexWithNeighbours, Delete::Edge].iter().all(|kind| data.kind.contains(kind));
    if mixed {
        let about = file.about.unwrap_or_default();
        return Ok(AnyRuleset::Custom(Arc::new(Mixed::new(data, name, about))));
    }
    let (cells, moves) = lower(data);
    board(name, cells, moves, span)
}

/// Deletions of which a vertex with its neighbours and an edge alone are two: who is a neighbour depends on the edges that are
/// left, and so such a game does not take the same cells each time. Cells are numbered from 1, vertices before edges; a position is
/// the ascending list of those that are left.
#[derive(Debug)]
struct Mixed {
    name: String,
    about: String,
    data: DeletionData,
    cells: Vec<String>,
}

/// The names of vertices and edges.
fn cell_names(data: &DeletionData) -> Vec<String> {
    let edges = data.edges.iter().map(|(a, b)| format!("{}-{}", data.vertices[*a], data.vertices[*b]));
    data.vertices.iter().cloned().chain(edges).collect()
}

impl Mixed {
    fn new(data: DeletionData, name: &str, about: String) -> Self {
        Mixed { name: name.into(), about, cells: cell_names(&data), data }
    }

    /// The edges that are left, with their cells and their ends.
    fn edges<'a>(&'a self, position: &'a [u64]) -> impl Iterator<Item = (u64, [u64; 2])> + 'a {
        let first = position.partition_point(|c| *c <= self.data.vertices.len() as u64);
        position[first..].iter().map(|cell| {
            let (a, b) = self.data.edges[*cell as usize - self.data.vertices.len() - 1];
            (*cell, [a as u64 + 1, b as u64 + 1])
        })
    }

    /// What is left without these vertices, the edges at them and this edge.
    fn without(&self, position: &[u64], vertices: &[u64], edge: Option<u64>) -> Vec<u64> {
        let gone: Vec<u64> = self
            .edges(position)
            .filter(|(cell, ends)| Some(*cell) == edge || ends.iter().any(|end| vertices.contains(end)))
            .map(|(cell, _)| cell)
            .collect();
        position.iter().copied().filter(|c| !vertices.contains(c) && !gone.contains(c)).collect()
    }

    /// The moves by their names, with what they leave.
    fn moves(&self, position: &[u64]) -> Vec<(String, Vec<u64>)> {
        let mut moves = Vec::new();
        let word = |cell: u64| &self.cells[cell as usize - 1];
        let vertices = || position.iter().copied().take_while(|c| *c <= self.data.vertices.len() as u64);
        for kind in &self.data.kind {
            match kind {
                Delete::Vertex => {
                    moves.extend(vertices().map(|v| (format!("take {}", word(v)), self.without(position, &[v], None))));
                }
                Delete::VertexWithNeighbours => {
                    for v in vertices() {
                        let beside =
                            self.edges(position).filter(|(_, ends)| ends.contains(&v)).flat_map(|(_, ends)| ends);
                        let gone: Vec<u64> = beside.chain([v]).collect();
                        let name = format!("take {} and its neighbours", word(v));
                        moves.push((name, self.without(position, &gone, None)));
                    }
                }
                Delete::Edge => {
                    let taken = |(e, _)| (format!("take {}", word(e)), self.without(position, &[], Some(e)));
                    moves.extend(self.edges(position).map(taken));
                }
                Delete::EdgeWithEnds => moves.extend(self.edges(position).map(|(_, [a, b])| {
                    (format!("take {} and {}", word(a), word(b)), self.without(position, &[a, b], None))
                })),
            }
        }
        moves
    }
}

impl DynRuleset for Mixed {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        let mut sent = HashSet::new();
        for (_, left) in self.moves(position) {
            if sent.insert(left.clone()) { sink.push(&left)? } else { sink.tick()? }
        }
        ControlFlow::Continue(())
    }

    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        let last = self.cells.len() as u64;
        if let Some(n) = position.iter().find(|n| **n == 0 || **n > last) {
            return Err(format!("{} has cells 1 to {last}, not {n}", self.name));
        }
        if !position.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(format!("the cells of {} are written in their order, each once", self.name));
        }
        match self.edges(position).find(|(_, ends)| !ends.iter().all(|end| position.contains(end))) {
            Some((edge, _)) => Err(format!("the edge {} has lost an end", self.cells[edge as usize - 1])),
            None => Ok(()),
        }
    }

    fn start(&self) -> Option<Vec<u64>> {
        Some((1..=self.cells.len() as u64).collect())
    }

    fn number_of(&self, word: &str) -> Option<u64> {
        self.cells.iter().position(|c| c == word).map(|i| i as u64 + 1)
    }

    fn print_position(&self, position: &[u64]) -> String {
        let name = |n: &u64| match self.cells.get((*n as usize).wrapping_sub(1)) {
            Some(cell) if *cell != n.to_string() => format!("\"{cell}\""),
            _ => n.to_string(),
        };
        position.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let found = self.moves(position).into_iter().find(|(_, left)| to == [left.clone()]);
        found.map_or_else(|| "no move".into(), |(name, _)| name)
    }
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
    let cells = if has_edges { cell_names(&data) } else { data.vertices };
    (cells, moves)
}
