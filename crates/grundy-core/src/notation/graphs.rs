//! Graphs and the tokens on them, from tree to meaning.

use std::{collections::HashMap, sync::Arc};

use super::{Resolver, SyntaxError, ast::*, nearest};
use crate::{
    rulesets::{AnyComponent, digraph::DigraphGame},
    theory::{
        digraph::Digraph,
        named_graph::{NamedGraph, VertexNames},
    },
};

/// Most names among which the one that was meant is looked for.
const LOOKED_THROUGH: usize = 1 << 16;

/// The graph of the parameters, and how the game on it is written.
pub(super) fn board(
    game: &str,
    parameters: &[ParameterAst],
    span: &Span,
    files: Option<&dyn Resolver>,
) -> Result<(Arc<NamedGraph>, String), SyntaxError> {
    let error = |message: String, span: &Span| {
        let [token, bare] = if matches!(game, "digraph" | "geography") { ["(\"a\")", "(a)"] } else { ["", ""] };
        Err(SyntaxError::new(message, span.clone()).with_hint(format!(
            "{game}[\"g.json\"]{token} reads a file, {game}[{{a: b c, b: c, c:}}]{bare} says what follows each vertex",
        )))
    };
    let [ParameterAst { value, span: place }] = parameters else {
        return match parameters.get(1) {
            Some(more) => error(format!("{game} takes one graph"), &more.span),
            None => error(format!("{game} needs a graph"), span),
        };
    };
    match value {
        ParameterValue::Text(file) => {
            let board = match files {
                Some(files) => files.graph(file).map_err(|e| SyntaxError {
                    message: e.message,
                    span: place.clone(),
                    hint: e.hint,
                })?,
                None => {
                    return Err(SyntaxError::new(
                        format!("no file is read here, not \"{file}\" either"),
                        place.clone(),
                    )
                    .with_hint(format!("say what follows each vertex: {game}[{{a: b c, b: c, c:}}]")));
                }
            };
            Ok((board, format!("{game}[\"{file}\"]")))
        }
        ParameterValue::Graph(rows) => {
            let (board, written) = inline(rows, place)?;
            Ok((board, format!("{game}[{written}]")))
        }
        _ => error(format!("{game} takes a graph"), place),
    }
}

/// A graph that is written out, and how.
fn inline(rows: &[FollowersAst], place: &Span) -> Result<(Arc<NamedGraph>, String), SyntaxError> {
    let mut numbers: HashMap<&str, u32> = HashMap::with_capacity(rows.len());
    for (v, row) in (0u32..).zip(rows) {
        if numbers.insert(&row.vertex.name, v).is_some() {
            return Err(SyntaxError::new(
                format!("the followers of \"{}\" stand here twice", row.vertex.name),
                row.vertex.span.clone(),
            ));
        }
    }
    let mut edges = Vec::new();
    for (v, row) in (0u32..).zip(rows) {
        for to in &row.to {
            let Some(w) = numbers.get(to.name.as_str()) else {
                let error = SyntaxError::new(format!("there is no vertex \"{}\"", to.name), to.span.clone());
                return Err(
                    match nearest(&to.name, rows.iter().take(LOOKED_THROUGH).map(|r| r.vertex.name.as_str())) {
                        Some(near) => error.with_suggestion(near),
                        None => error.with_hint(format!(
                            "a vertex that nothing follows is written too, as {}:",
                            written(&to.name)
                        )),
                    },
                );
            };
            edges.push((v, *w));
        }
    }
    let wrong = |e: &dyn core::fmt::Display| SyntaxError::new(e.to_string(), place.clone());
    let graph = Digraph::from_edges(rows.len(), &edges).map_err(|e| wrong(&e))?;
    let names = VertexNames::given(rows.iter().map(|r| &r.vertex.name)).map_err(|e| wrong(&e))?;
    let board = NamedGraph::new(graph, names).map_err(|e| wrong(&e))?;
    let row = |row: &FollowersAst| {
        let followers: String = row.to.iter().map(|to| format!(" {}", written(&to.name))).collect();
        format!("{}:{followers}", written(&row.vertex.name))
    };
    let written = format!("{{{}}}", rows.iter().map(row).collect::<Vec<_>>().join(", "));
    Ok((Arc::new(board), written))
}

/// A name, in quotes where it needs them.
fn written(name: &str) -> String {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') { name.to_owned() } else { format!("\"{name}\"") }
}

/// The token on a vertex.
pub(super) fn token(game: &Arc<DigraphGame>, position: &PositionAst) -> Result<AnyComponent, SyntaxError> {
    let span = position.span.clone();
    let PositionValue::Text(name) = &position.value else {
        return Err(SyntaxError::new("a token lies on a vertex", span).with_hint(example(game)));
    };
    if let Some(v) = game.vertex(name) {
        return Ok(AnyComponent::Digraph(game.clone(), v));
    }
    let error = SyntaxError::new(format!("there is no vertex \"{name}\""), span);
    let names: Vec<_> =
        (0..game.graph().vertices().min(LOOKED_THROUGH) as u32).map(|v| game.board().names().get(v)).collect();
    Err(match nearest(name, names.iter().map(AsRef::as_ref)) {
        Some(near) => error.with_suggestion(near),
        None if names.is_empty() => error.with_hint("the graph has no vertex"),
        None => error.with_hint(format!(
            "the first are {}",
            names.iter().take(5).map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
        )),
    })
}

/// The error of a graph without tokens.
pub(super) fn no_tokens(game: &DigraphGame, span: &Span) -> SyntaxError {
    SyntaxError::new("say on which vertices of the graph tokens lie", span.clone()).with_hint(example(game))
}

fn example(game: &DigraphGame) -> String {
    const SHORT: usize = 80;
    if game.graph().vertices() == 0 {
        return "the graph has no vertex".into();
    }
    let name = if game.name().len() > SHORT { "digraph[…]" } else { game.name() };
    format!("for example {name}(\"{}\")", game.board().names().get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Unresolved, print_sum, read_sum, read_sum_with};

    /// A file called `g` with the vertices 1 and 2.
    struct OneFile;

    impl Resolver for OneFile {
        fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved> {
            if file != "g" {
                return Err(Unresolved { message: format!("no {file}"), hint: Some("take g".into()) });
            }
            let graph = Digraph::from_edges(2, &[(0, 1)]).unwrap();
            Ok(Arc::new(NamedGraph::new(graph, VertexNames::Numbered { first: 1 }).unwrap()))
        }
    }

    #[test]
    fn what_is_printed_reads_as_the_same() {
        for (text, wanted) in [
            ("Digraph[ {a:b c ,b : c,c:} ]( a,\"c\" ) + nim(4)", "digraph[{a: b c, b: c, c:}](\"a\", \"c\") + nim(4)"),
            ("digraph[{\"x y\": \"x y\", 7: }](7)", "digraph[{\"x y\": \"x y\", 7:}](\"7\")"),
            (
                "2x digraph[{H: T, T:}](H) + digraph[{H:, T:}](T)",
                "digraph[{H: T, T:}](\"H\", \"H\") + digraph[{H:, T:}](\"T\")",
            ),
            ("digraph[\"g\"](1, 2)", "digraph[\"g\"](\"1\", \"2\")"),
            ("digraph[{a:}]()", "0"),
        ] {
            let sum = read_sum_with(text, &OneFile).unwrap();
            assert_eq!(print_sum(sum.components()), wanted);
            let again = read_sum_with(wanted, &OneFile).unwrap();
            assert!(sum == again && print_sum(again.components()) == wanted, "{wanted}");
        }
    }

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        let refused = |text: &str| {
            let e = read_sum_with(text, &OneFile).unwrap_err();
            format!("{} | {} | {}", &text[e.span.clone()], e.message, e.hint.unwrap_or_default())
        };
        let both =
            "digraph[\"g.json\"](\"a\") reads a file, digraph[{a: b c, b: c, c:}](a) says what follows each vertex";
        for (text, wanted) in [
            ("digraph[{home: end, end:}](hme)", "hme | there is no vertex \"hme\" | did you mean \"home\"?"),
            ("digraph[{a: b, b:}](zzz)", "zzz | there is no vertex \"zzz\" | the first are a, b"),
            ("digraph[{a: c, b:}](a)", "c | there is no vertex \"c\" | did you mean \"a\"?"),
            (
                "digraph[{aa: cc, b:}](a)",
                "cc | there is no vertex \"cc\" | a vertex that nothing follows is written too, as cc:",
            ),
            ("digraph[{a:, a:}](a)", "a | the followers of \"a\" stand here twice | "),
            ("digraph[{a b:}](a)", "b | expected \":\" and what follows \"a\", found \"b\" | "),
            (
                "digraph[{a: b-c, b:}](a)",
                "b-c | this name of a vertex stands in quotes | write \"b-c\"; only letters, digits and _ need none",
            ),
            (
                "digraph[{a:}]",
                "digraph[{a:}] | say on which vertices of the graph tokens lie | for example digraph[{a:}](\"a\")",
            ),
            ("digraph[{a: a](a)", "] | expected \",\" or \"}\", found \"]\" | "),
            ("digraph[{\"\": }](a)", "{\"\": } | a vertex has an empty name | "),
            ("digraph", &format!("digraph | digraph needs a graph | {both}")),
            ("digraph[\"g\", \"g\"](a)", &format!("\"g\" | digraph takes one graph | {both}")),
            (
                "digraph[g.json](a)",
                "g.json | the name of a file stands in quotes | write \"g.json\", and for the shell quotes of another kind around the whole",
            ),
            ("digraph[\"h\"](a)", "\"h\" | no h | take g"),
            ("digraph[\"g\"](3)", "3 | there is no vertex \"3\" | did you mean \"1\"?"),
        ] {
            assert_eq!(refused(text), wanted, "{text}");
        }
        let unread = read_sum("digraph[\"g\"](1)").unwrap_err();
        assert!(unread.message.contains("no file is read here") && unread.hint.unwrap().contains("digraph[{"));
    }
}
