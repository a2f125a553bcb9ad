//! Moves on boards as people type them: the cells, edges or vertices of which they speak.

use grundy_core::{notation::nearest, rulesets::AnyComponent};

use super::{
    read::Misread,
    walk::{self, Parts},
};

/// Most moves that are looked through.
const LOOKED_THROUGH: usize = 1 << 14;

/// What a board becomes by the name of a move, with or without its verb; None for other components.
///
/// Moves that lead to the same position have a common name, `take a, b or c`, and each name alone is understood too.
pub(super) fn moved(from: &AnyComponent, text: &str) -> Option<Result<Parts, Misread>> {
    let on_board = matches!(
        from,
        AnyComponent::Cram(..) | AnyComponent::Cells(..) | AnyComponent::Hackenbush(..) | AnyComponent::Geography(..)
    );
    // a position in full is no name
    if !on_board || text.contains('[') || text.starts_with("cram") {
        return None;
    }
    let wanted = plain(text);
    let (all, _) = walk::list(from, LOOKED_THROUGH);
    let names: Vec<String> = all.iter().map(|to| from.move_name(to)).collect();
    // a domino may be named from either end
    let turned = match (from, &wanted.split(' ').collect::<Vec<_>>()[..]) {
        (AnyComponent::Cram(..), [a, b, c, d]) => Some([*c, *d, *a, *b].join(" ")),
        _ => None,
    };
    let is_meant = |name: &String| means(name, &wanted) || turned.as_ref().is_some_and(|turned| means(name, turned));
    if let Some(i) = names.iter().position(is_meant) {
        return Some(Ok(all[i].clone()));
    }
    let hint = match nearest(text, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => match &names[..] {
            [] => "it has no move".into(),
            names => format!("one may {}", names.iter().take(5).cloned().collect::<Vec<_>>().join("; ")),
        },
    };
    Some(Err(Misread::new(format!("there is no move \"{text}\""), hint)))
}

/// The words of a text, in lower case, the signs between them dropped; a leading verb too.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || "(),-".contains(c)).filter(|w| !w.is_empty()).collect();
    let verbs = ["take", "cut", "move", "to", "delete", "place"];
    let from = words.iter().take(2).take_while(|w| verbs.contains(w)).count();
    words[if from < words.len() { from } else { 0 }..].join(" ")
}

/// Whether a move is meant by its plain name, or by one of its alternatives.
fn means(name: &str, wanted: &str) -> bool {
    plain(name) == wanted || name.replace(" or ", ", ").split(", ").any(|one| plain(one) == wanted)
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_sum;

    use crate::play::read_move;

    #[test]
    fn moves_are_named_by_their_cells() {
        let moved =
            |game: &str, text: &str| read_move(text, &read_sum(game).unwrap()).map(|m| m.name).map_err(|e| e.message);
        let kayles = "node_kayles[{a: b c, b: c, c:, d:}]";
        for (game, text, name) in [
            ("cram(2x3)", "(0,1)-(1,1)", "(0,1)-(1,1)"),
            ("cram(2x3)", "0 1 1 1", "(0,1)-(1,1)"),
            ("cram(2x3)", "(1,1)-(0,1)", "(0,1)-(1,1)"),
            ("cram(1x2)", "(0,0)-(0,1)", "(0,0)-(0,1)"),
            (kayles, "take b", "take a, b or c"),
            (kayles, "d", "take d"),
            ("green_hackenbush[{g: a, a: b, b:}]", "a-b", "cut a-b"),
            ("green_hackenbush[{g: a, a: b, b:}]", "cut g-a", "cut g-a"),
            ("geography[{a: b, b: c, c:}](a)", "move to b", "move to b"),
            ("geography[{a: b, b: c, c:}](a)", "a -> b", "move to b"),
            ("geography[{a: b, b: c, c:}](a)", "1: b", "move to b"),
            ("subset_takeaway(2) + nim(0)", "take 12", "take 12"),
        ] {
            assert_eq!(moved(game, text), Ok(name.to_owned()), "{game} {text}");
        }
        assert_eq!(moved(kayles, "take e"), Err("there is no move \"take e\"".into()));
        assert_eq!(moved("cram(2x2)", "(0,0)-(1,1)"), Err("there is no move \"(0,0)-(1,1)\"".into()));
    }
}
