//! A file's graph as the board of a ruleset.

use grundy_core::theory::named_graph::{NamedGraph, NoName, VertexNames};

use super::{GraphFile, Names};

impl GraphFile {
    /// The graph with its names alone, as rulesets take it; what else the file says of vertices is left out.
    ///
    /// # Complexity
    /// O(vertices + edges + names).
    ///
    /// # Errors
    /// Two vertices have one name, or the notation cannot write one.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::{GraphFormat, read};
    /// let board = read(b"a b\na c\n", GraphFormat::EdgeList).unwrap().into_board().unwrap();
    /// assert_eq!(board.names().get(2), "c");
    /// ```
    pub fn into_board(self) -> Result<NamedGraph, NoName> {
        let names = match &self.names {
            Names::Numbered { first } => VertexNames::Numbered { first: *first },
            given => VertexNames::given((0..self.graph.vertices() as u32).map(|v| given.get(v)))?,
        };
        NamedGraph::new(self.graph, names)
    }
}
