//! Moves of tokens as people type them: the vertex to which they go.

use std::sync::Arc;

use grundy_core::{
    notation::{Resolver, Unresolved, nearest, print_component},
    rulesets::{AnyComponent, AnyRuleset, catalogue::BoardRuleset, digraph::DigraphGame},
    theory::{Sum, named_graph::NamedGraph},
};

use super::{read::Misread, walk::Parts};

/// The graphs and the user's rules of a position, by the files from which they were read when it was: none is opened again.
pub(super) struct FilesOf<'a>(pub &'a Sum<AnyComponent>);

impl Resolver for FilesOf<'_> {
    fn ruleset(&self, name: &str) -> Option<AnyRuleset> {
        self.0.components().iter().find_map(|c| match c {
            AnyComponent::Custom(own, _) if own.name() == name => Some(AnyRuleset::Custom(Arc::clone(own))),
            AnyComponent::Cells(game, _) if game.name() == name => {
                Some(AnyRuleset::Board(BoardRuleset::Cells(Arc::clone(game))))
            }
            AnyComponent::Heap(game, _) if game.name() == name => Some(AnyRuleset::Heap(Arc::clone(game))),
            _ => None,
        })
    }

    fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved> {
        let name = format!("digraph[\"{file}\"]");
        let known = self.0.components().iter().find_map(|c| match c {
            AnyComponent::Digraph(game, _) if game.name() == name => Some(Arc::clone(game.board())),
            _ => None,
        });
        known.ok_or_else(|| Unresolved { message: format!("there is no {name} here"), hint: None })
    }
}

/// What a token becomes by `move to b`, `to b`, `b` or `"b"`; None for other components.
pub(super) fn moved(from: &AnyComponent, text: &str) -> Option<Result<Parts, Misread>> {
    let AnyComponent::Digraph(game, at) = from else { return None };
    let text = text.trim();
    let shorter = [text.strip_prefix("move to "), text.strip_prefix("to ")].into_iter().flatten();
    // a vertex may be called "to b"
    let found = std::iter::once(text).chain(shorter).find_map(|name| vertex(game, name));
    Some(found.map(|v| vec![AnyComponent::Digraph(Arc::clone(game), v)]).ok_or_else(|| {
        let followers = game.followers(*at);
        let names: Vec<_> = followers.iter().take(1 << 12).map(|v| game.board().names().get(*v)).collect();
        let hint = match nearest(text, names.iter().map(AsRef::as_ref)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if names.is_empty() => format!("{} has no move", print_component(from)),
            None => {
                let shown: Vec<_> = names.iter().take(8).map(AsRef::as_ref).collect();
                format!("one may go to {}{}", shown.join(", "), if names.len() > 8 { ", …" } else { "" })
            }
        };
        Misread::new(format!("there is no vertex \"{text}\""), hint)
    }))
}

/// The only token that `move to b` can mean, equal ones counting as one.
pub(super) fn only_one_to(text: &str, game: &Sum<AnyComponent>) -> Option<usize> {
    text.starts_with("move to ").then_some(())?;
    let all = game.components();
    let can = |i: &usize| matches!(moved(&all[*i], text), Some(Ok(to)) if all[*i].is_option(&to));
    let mut able = (0..all.len()).filter(can);
    let first = able.next()?;
    able.all(|i| all[i] == all[first]).then_some(first)
}

/// True if a token lies on the vertex of this name.
pub(super) fn lies_on(component: &AnyComponent, name: &str) -> bool {
    match component {
        AnyComponent::Digraph(game, v) => game.vertex(bare(name)) == Some(*v),
        AnyComponent::Geography(game, g) => game.vertex(bare(name)) == Some(game.token(g)),
        _ => false,
    }
}

/// A name without its quotes.
fn bare(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('"').and_then(|n| n.strip_suffix('"')).unwrap_or(name)
}

/// The vertex of a name, in quotes or not.
fn vertex(game: &DigraphGame, name: &str) -> Option<u32> {
    game.vertex(bare(name))
}
