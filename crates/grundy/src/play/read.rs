//! Moves as people type them.
//!
//! `5 -> 3`, `nim(5) -> nim(3)`, `2: take 3`, `2: take 2 leave 1 6`, `2: split 1 6`, `1: (3, 4)`, or the name of a move
//! as it is printed; the number before the colon is that of the component, counted from 1. Without it, the only component
//! that can move is meant.

use std::fmt;

use grundy_core::{
    notation::{print_component, print_sum, read_sum, read_sum_with},
    rulesets::AnyComponent,
    theory::Sum,
};

use super::{
    boards,
    tokens::{self, FilesOf},
    turns,
    walk::{self, Parts},
};
use crate::answer::Move;

/// A text that is no legal move: why, and what to type instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// What is wrong.
    pub message: String,
    /// What to type instead.
    pub hint: String,
}

impl Misread {
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Misread { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.hint)
    }
}

impl std::error::Error for Misread {}

/// Reads a legal move of the position `game`.
///
/// # Errors
/// A [`Misread`]: not understood, not legal, or ambiguous.
///
/// # Examples
/// ```
/// use grundy::play::read_move;
/// use grundy_core::notation::read_game;
/// let game = read_game("nim(3) + lasker(9)").unwrap();
/// assert_eq!(read_move("3 -> 1", &game).unwrap().name, "take 2");
/// assert_eq!(read_move("2: take 2", &game).unwrap().name, "take 2");
/// assert_eq!(read_move("2: split 1 8", &game).unwrap().name, "split into 1 + 8");
/// assert_eq!(read_move("1: take 4", &game).unwrap_err().message, "there are only 3 in nim(3)");
/// ```
pub fn read_move(text: &str, game: &Sum<AnyComponent>) -> Result<Move, Misread> {
    let text = text.trim();
    let (component, rest) = match text.split_once(':') {
        // an inline graph has colons too
        Some((number, rest)) if !number.contains('[') => (Some(heap_number(number, game)?), rest.trim()),
        _ => (None, text),
    };
    if let Some((from, to)) = rest.split_once("->") {
        return by_arrow(component, from.trim(), to.trim(), game);
    }
    let i = match component {
        Some(i) => i,
        None => match tokens::only_one_to(text, game) {
            Some(i) => i,
            None => the_only_one(text, game)?,
        },
    };
    action(i, rest, game)
}

/// The index of a component from its number, which counts from 1.
fn heap_number(text: &str, game: &Sum<AnyComponent>) -> Result<usize, Misread> {
    let text = text.trim();
    let hint = match game.len() {
        1 => "there is only heap 1".to_owned(),
        n => format!("heaps are numbered 1 to {n}"),
    };
    let index = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|i| *i < game.len());
    index.ok_or_else(|| Misread::new(format!("there is no heap \"{text}\""), hint))
}

fn the_only_one(text: &str, game: &Sum<AnyComponent>) -> Result<usize, Misread> {
    let mut able = (0..game.len()).filter(|i| walk::has_move(&game.components()[*i]));
    match (able.next(), able.next()) {
        (Some(i), None) => Ok(i),
        _ => {
            let looks_like_a_move = text.chars().any(|c| c.is_ascii_digit());
            let message =
                if looks_like_a_move { "which heap?".into() } else { format!("\"{text}\" is no move and no command") };
            Err(Misread::new(message, "type for example 1: take 1, or help"))
        }
    }
}

/// `FROM -> TO`, FROM may be missing if the heap is known.
fn by_arrow(known: Option<usize>, from: &str, to: &str, game: &Sum<AnyComponent>) -> Result<Move, Misread> {
    let all = game.components();
    let meant: Vec<usize> = match known {
        Some(i) if from.is_empty() => vec![i],
        Some(i) => matching(from, game, &[i])?,
        None if from.is_empty() => vec![the_only_one("->", game)?],
        None => matching(from, game, &(0..all.len()).collect::<Vec<_>>())?,
    };
    let mut legal: Vec<Move> = Vec::new();
    let mut refused = None;
    for i in meant {
        if i > 0 && all[i - 1] == all[i] && (refused.is_some() || !legal.is_empty()) {
            // as the one before it
            continue;
        }
        match parts(to, &all[i], game) {
            Ok(parts) => match walk::legal_move(game, i, &parts) {
                Some(m) if legal.iter().all(|l| l.from != m.from) => legal.push(m),
                Some(_) => {}
                None => {
                    refused.get_or_insert_with(|| illegal(&all[i], &parts));
                }
            },
            Err(e) => {
                refused.get_or_insert(e);
            }
        }
    }
    match legal.len() {
        1 => Ok(legal.swap_remove(0)),
        0 => Err(refused.unwrap_or_else(|| Misread::new("this is no move", "type help"))),
        _ => {
            let (a, b) = (&legal[0], &legal[1]);
            let hint =
                format!("type {} -> {} or {}: -> {to}", print_component(&a.from), print_sum(&a.to), b.component + 1);
            Err(Misread::new(format!("{} and {} both can", print_component(&a.from), print_component(&b.from)), hint))
        }
    }
}

/// The components of `among` that FROM means.
fn matching(from: &str, game: &Sum<AnyComponent>, among: &[usize]) -> Result<Vec<usize>, Misread> {
    let all = game.components();
    let on_it: Vec<usize> = among.iter().copied().filter(|i| tokens::lies_on(&all[*i], from)).collect();
    let found: Vec<usize> = match bare_numbers(from) {
        _ if !on_it.is_empty() => on_it,
        Some(numbers) => {
            among.iter().copied().filter(|i| walk::numbers(&all[*i]).is_some_and(|n| n == numbers)).collect()
        }
        None => {
            let read = read_sum_with(from, &FilesOf(game)).map_err(|e| {
                let hint = e.hint.unwrap_or_else(|| "write a heap such as 5 or nim(5) before the arrow".into());
                Misread::new(e.message, hint)
            })?;
            match read.components() {
                [one] => among.iter().copied().filter(|i| all[*i] == *one).collect(),
                _ => return Err(Misread::new("a move changes one heap", "write one heap before the arrow")),
            }
        }
    };
    if found.is_empty() {
        return Err(Misread::new(format!("there is no {from} here"), format!("the position is {}", shown(game))));
    }
    Ok(found)
}

fn shown(game: &Sum<AnyComponent>) -> String {
    let all = game.components();
    if all.len() <= 12 { print_sum(all) } else { format!("{} + …", print_sum(&all[..12])) }
}

/// What stands behind the arrow, or the list of heaps left.
fn parts(text: &str, from: &AnyComponent, game: &Sum<AnyComponent>) -> Result<Parts, Misread> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    // a name, or else a token in full
    let by_name = tokens::moved(from, text).or_else(|| match from {
        AnyComponent::Geography(..) => boards::moved(from, text),
        _ => None,
    });
    if let Some(to) = by_name.filter(|to| to.is_ok() || !text.contains('[')) {
        return to;
    }
    if let Some(numbers) = bare_numbers(text) {
        return parts_of(numbers, from);
    }
    let sum = read_sum_with(text, &FilesOf(game)).map_err(|e| {
        let hint = e.hint.unwrap_or_else(|| "write what is left of the heap, such as 3, nim(3) or 1 6".into());
        Misread::new(e.message, hint)
    })?;
    Ok(sum.into_components())
}

fn parts_of(numbers: Vec<u64>, from: &AnyComponent) -> Result<Parts, Misread> {
    if numbers.iter().all(|n| *n == 0) && matches!(from, AnyComponent::Heap(..)) {
        return Ok(Vec::new());
    }
    let one = |n: Vec<u64>| {
        walk::with_numbers(from, n).ok_or_else(|| {
            Misread::new(
                format!("{} is no list of numbers", print_component(from)),
                "write the position that is left in full, or type moves and then a move's number",
            )
        })
    };
    match from {
        AnyComponent::Heap(..) => numbers.into_iter().filter(|n| *n > 0).map(|n| one(vec![n])).collect(),
        _ => Ok(vec![one(numbers)?]),
    }
}

/// `1 6`, `1, 6`, `1 + 6`, `(3, 4)`, `1 and 6`: numbers without a game; None for anything else.
fn bare_numbers(text: &str) -> Option<Vec<u64>> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text);
    let inner = inner.replace(" and ", " ").replace([',', '+'], " ");
    let numbers: Option<Vec<u64>> = inner.split_whitespace().map(number).collect();
    numbers.filter(|n| !n.is_empty())
}

/// A number as the notation writes it inside parentheses: `12`, `1_000`, `10^18`, `2^40-1`.
fn number(word: &str) -> Option<u64> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match read_sum(&format!("nim({word})")).ok()?.components() {
        [AnyComponent::Heap(_, n)] => Some(*n),
        _ => None,
    }
}

/// `take 3`, `3`, `take 2 leave 1 6`, `split 1 6`, a position for a list of numbers, or the name of a move.
fn action(i: usize, text: &str, game: &Sum<AnyComponent>) -> Result<Move, Misread> {
    let from = &game.components()[i];
    if let Some(to) =
        turns::turn(from, text).or_else(|| tokens::moved(from, text)).or_else(|| boards::moved(from, text))
    {
        let to = to?;
        return walk::legal_move(game, i, &to).ok_or_else(|| illegal(from, &to));
    }
    if let Some(m) = named(i, text, game) {
        return Ok(m);
    }
    let lower = text.to_ascii_lowercase();
    let lower = lower.trim();
    let example = || {
        walk::first(from).map_or("type moves".into(), |to| format!("for example {}: {}", i + 1, from.move_name(&to)))
    };
    if text.is_empty() {
        return Err(Misread::new(format!("what is to be done with {}?", print_component(from)), example()));
    }
    let Some((_, heap)) = walk::takes(from) else {
        let to = lower.strip_prefix("to ").unwrap_or(lower);
        let to = parts(to, from, game).map_err(|e| {
            Misread::new(format!("{} has no move \"{text}\"", print_component(from)), {
                if walk::numbers(from).is_some() { example() } else { e.hint }
            })
        })?;
        return walk::legal_move(game, i, &to).ok_or_else(|| illegal(from, &to));
    };
    let list = |text: &str| -> Result<Vec<u64>, Misread> {
        let text = text.trim().trim_end_matches(" heaps");
        bare_numbers(text).ok_or_else(|| {
            Misread::new(format!("\"{text}\" is no list of heaps"), "write for example 2: take 2 leave 1 6")
        })
    };
    let to = if let Some(rest) = lower.strip_prefix("split") {
        parts_of(list(rest.trim_start().strip_prefix("into ").unwrap_or(rest))?, from)?
    } else if let Some(rest) = lower.strip_prefix("to ") {
        parts(rest, from, game)?
    } else {
        let rest = ["take ", "remove "].iter().find_map(|verb| lower.strip_prefix(verb)).unwrap_or(lower);
        let (amount, left) = match rest.split_once("leav") {
            Some((amount, left)) => (amount, Some(left.trim_start_matches("ing").trim_start_matches('e'))),
            None => (rest, None),
        };
        let amount = amount.trim().trim_end_matches(',').trim();
        let taken = number(amount).ok_or_else(|| Misread::new(format!("\"{text}\" is not understood"), example()))?;
        let Some(rest) = heap.checked_sub(taken) else {
            let are = if heap == 1 { "is" } else { "are" };
            let message = format!("there {are} only {heap} in {}", print_component(from));
            return Err(Misread::new(message, amounts_hint(from)));
        };
        let left = match left {
            Some(left) => list(left)?,
            None => vec![rest],
        };
        let total = left.iter().fold(0u128, |t, n| t + u128::from(*n));
        if total != u128::from(rest) {
            let message = format!("{heap} less {taken} is {rest}, not {total}");
            return Err(Misread::new(message, format!("the heaps that are left must add up to {rest}")));
        }
        parts_of(left, from)?
    };
    walk::legal_move(game, i, &to).ok_or_else(|| illegal(from, &to))
}

/// A move by its printed name.
fn named(i: usize, text: &str, game: &Sum<AnyComponent>) -> Option<Move> {
    const LOOKED_THROUGH: usize = 4096;
    let plain = |name: &str| {
        let words: String = name.to_ascii_lowercase().replace([',', '+', '(', ')'], " ");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let from = &game.components()[i];
    let wanted = plain(text);
    // a heap is quicker asked for the amount; only rulesets with names of their own are looked through
    if walk::takes(from).is_some() || !wanted.contains(|c: char| c.is_alphabetic()) {
        return None;
    }
    let (all, _) = walk::list(from, LOOKED_THROUGH);
    let to = all.into_iter().find(|to| plain(&from.move_name(to)) == wanted)?;
    walk::legal_move(game, i, &to)
}

/// Why the rules do not allow the component to become `to`, and what they allow.
fn illegal(from: &AnyComponent, to: &[AnyComponent]) -> Misread {
    let name = print_component(from);
    let no_move = || Misread::new(format!("{name} has no move"), "choose another heap");
    let Some(first) = walk::first(from) else { return no_move() };
    let Some((_, heap)) = walk::takes(from) else {
        let message = format!("{name} -> {} is no legal move", print_sum(to));
        return Misread::new(message, format!("for example {}", from.move_name(&first)));
    };
    let kept: Vec<&AnyComponent> = to.iter().filter(|c| !c.is_empty_heap()).collect();
    if let Some(other) = kept.iter().find(|c| !c.same_ruleset(&first.first().cloned().unwrap_or_else(|| from.clone())))
    {
        let message = format!("a heap of {} does not become {}", from.ruleset_name(), print_component(other));
        return Misread::new(message, format!("for example {}", from.move_name(&first)));
    }
    let Some(taken) = walk::amount(from, to) else {
        return Misread::new(format!("{} is more than there is in {name}", print_sum(to)), amounts_hint(from));
    };
    if taken == 0 && kept.len() < 2 {
        return Misread::new("a move must change the heap", amounts_hint(from));
    }
    let same = walk::of_amount(from, taken).filter(|parts| walk::amount(from, parts) == Some(taken));
    match (same, taken) {
        (Some(parts), _) => {
            let message = match taken {
                0 => format!("{name} may not be split so"),
                _ => format!("after taking {taken} from {name} one may not leave {}", sizes(to)),
            };
            Misread::new(message, format!("for example {}", from.move_name(&parts)))
        }
        (None, 0) => Misread::new(format!("{name} may not be split without taking"), amounts_hint(from)),
        (None, _) => {
            Misread::new(format!("one may not take {taken} from {heap} in {}", from.ruleset_name()), amounts_hint(from))
        }
    }
}

fn sizes(parts: &[AnyComponent]) -> String {
    let sizes: Vec<String> = parts.iter().map(AnyComponent::print_position).collect();
    if sizes.is_empty() { "nothing".into() } else { sizes.join(" + ") }
}

/// Which amounts the rules allow.
fn amounts_hint(from: &AnyComponent) -> String {
    const SHOWN: usize = 8;
    let all = walk::amounts(from, 1, SHOWN + 1);
    if all.is_empty() {
        return match walk::first(from) {
            Some(to) => format!("for example {}", from.move_name(&to)),
            None => "choose another heap".into(),
        };
    }
    // a run of neighbours reads better as one
    let heap = walk::takes(from).map_or(0, |(_, n)| n);
    let run = all.windows(2).all(|w| w[1] - w[0] == 1);
    let largest = walk::last(from).and_then(|to| walk::amount(from, &to));
    match (&all[..], largest) {
        ([one], _) => format!("one may take {one}"),
        ([first, .., last], Some(largest))
            if run
                && (all.len() <= SHOWN
                    || largest == heap && matches!(from, AnyComponent::Heap(game, _) if game.is_plain_nim())) =>
        {
            format!("one may take {first} to {}", if all.len() <= SHOWN { *last } else { largest })
        }
        _ => {
            let shown: Vec<String> = all.iter().take(SHOWN).map(u64::to_string).collect();
            format!("one may take {}{}", shown.join(", "), if all.len() > SHOWN { ", …" } else { "" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::read_game;

    fn reads(game: &str, text: &str) -> String {
        match read_move(text, &read_game(game).unwrap()) {
            Ok(m) => format!("{} {} -> {}", m.component, print_component(&m.from), print_sum(&m.to)),
            Err(e) => format!("{e}"),
        }
    }

    #[test]
    fn forms_of_moves() {
        for (game, text, wanted) in [
            ("3 5 7", "5 -> 3", "1 nim(5) -> nim(3)"),
            ("3 5 7", "nim(5) -> nim(3)", "1 nim(5) -> nim(3)"),
            ("3 5 7", "7->0", "2 nim(7) -> 0"),
            ("3 5 7", "7 ->", "2 nim(7) -> 0"),
            ("3 5 7", "2: take 3", "1 nim(5) -> nim(2)"),
            ("3 5 7", " 2 : 3 ", "1 nim(5) -> nim(2)"),
            ("3 5 7", "2: -> 3", "1 nim(5) -> nim(3)"),
            ("3 5 7", "2: to 3", "1 nim(5) -> nim(3)"),
            ("3 5 5", "5 -> 3", "1 nim(5) -> nim(3)"),
            ("*3 + *5", "*5 -> *3", "1 *5 -> *3"),
            ("nim(10^18)", "take 10^18-1", "0 nim(1000000000000000000) -> nim(1)"),
            ("nim(10^18)", "10^18 -> 10^17", "0 nim(1000000000000000000) -> nim(100000000000000000)"),
            ("nim(5) + lasker(9)", "2: take 2 leave 7", "1 lasker(9) -> lasker(7)"),
            ("lasker(9)", "split 1 8", "0 lasker(9) -> lasker(1, 8)"),
            ("lasker(9)", "1: split into 8 + 1", "0 lasker(9) -> lasker(1, 8)"),
            ("lasker(9)", "9 -> lasker(8, 1)", "0 lasker(9) -> lasker(1, 8)"),
            ("0.07(9)", "1: take 2 leave 1 6", "0 0.07(9) -> 0.07(1, 6)"),
            ("0.07(9)", "Take 2, leaving 1 and 6", "0 0.07(9) -> 0.07(1, 6)"),
            ("0.07(9)", "9 -> 1 6", "0 0.07(9) -> 0.07(1, 6)"),
            ("wythoff(3, 5)", "(3, 5) -> (1, 3)", "0 wythoff(3, 5) -> wythoff(1, 3)"),
            ("wythoff(3, 5)", "1: 3 2", "0 wythoff(3, 5) -> wythoff(3, 2)"),
            ("nimble(10^18, 4)", "1: (5, 4)", "0 nimble(1000000000000000000, 4) -> nimble(5, 4)"),
            ("nimble(5, 4)", "move the coin on 5 to 3", "0 nimble(5, 4) -> nimble(3, 4)"),
            ("moore[2](3, 4)", "take 1 from heap 1 and 3 from heap 2", "0 moore[2](3, 4) -> moore[2](2, 1)"),
            ("treblecross(5)", "mark square 2", "0 treblecross(5) -> 0.007(1, 3)"),
            ("treblecross(5)", "4", "0 treblecross(5) -> 0.007(1, 3)"),
            ("treblecross(5)", "mark square 2 or 4", "0 treblecross(5) -> 0.007(1, 3)"),
            ("treblecross(5)", "mark the last square", "0 treblecross(5) -> 0.007(4)"),
            ("nim(5) + kayles(5)", "kayles(5) -> kayles(4)", "1 kayles(5) -> kayles(4)"),
            ("nim(5) + kayles(5)", "5 -> 2", "0 nim(5) -> nim(2)"),
            ("digraph[{a: b, b:}](a)", "a -> b", "0 digraph[{a: b, b:}](\"a\") -> digraph[{a: b, b:}](\"b\")"),
            (
                "nim(3) + digraph[{a: b, b:}](a)",
                "2: -> b",
                "1 digraph[{a: b, b:}](\"a\") -> digraph[{a: b, b:}](\"b\")",
            ),
            (
                "nim(3) + digraph[{a: b, b:}](a)",
                "digraph[{a: b, b:}](a) -> digraph[{a: b, b:}](b)",
                "1 digraph[{a: b, b:}](\"a\") -> digraph[{a: b, b:}](\"b\")",
            ),
            ("digraph[{1: 2, 2:}](1)", "1 -> 2", "0 digraph[{1: 2, 2:}](\"1\") -> digraph[{1: 2, 2:}](\"2\")"),
            (
                "nim(3) + digraph[{a: b, b:}](a)",
                "move to b",
                "1 digraph[{a: b, b:}](\"a\") -> digraph[{a: b, b:}](\"b\")",
            ),
            ("digraph[{1: 2, 2:}](1)", "2", "0 digraph[{1: 2, 2:}](\"1\") -> digraph[{1: 2, 2:}](\"2\")"),
        ] {
            assert_eq!(reads(game, text), wanted, "{game}: {text}");
        }
    }

    #[test]
    fn wrong_moves_come_with_a_remedy() {
        for (game, text, wanted) in [
            ("3 5 7", "9 -> 3", "there is no 9 here; the position is nim(3, 5, 7)"),
            ("3 5 7", "5 -> 5", "a move must change the heap; one may take 1 to 5"),
            ("3 5 7", "5 -> 6", "nim(6) is more than there is in nim(5); one may take 1 to 5"),
            ("3 5 7", "4: take 1", "there is no heap \"4\"; heaps are numbered 1 to 3"),
            ("3 5 7", "0: take 1", "there is no heap \"0\"; heaps are numbered 1 to 3"),
            ("3 5 7", "2: take 6", "there are only 5 in nim(5); one may take 1 to 5"),
            ("1 5", "1: take 2", "there is only 1 in nim(1); one may take 1"),
            ("3 5 7", "2: take 0", "a move must change the heap; one may take 1 to 5"),
            ("3 5 7", "take 2", "which heap?; type for example 1: take 1, or help"),
            ("3 5 7", "banana", "\"banana\" is no move and no command; type for example 1: take 1, or help"),
            ("3 5 7", "2: banana", "\"banana\" is not understood; for example 2: take 1"),
            ("3 5 7", "2:", "what is to be done with nim(5)?; for example 2: take 1"),
            ("3 5 7", "2: take -1", "\"take -1\" is not understood; for example 2: take 1"),
            ("3 5 7", "nin(5) -> 3", "unknown game \"nin\"; did you mean \"nim\"?"),
            ("3 5 7", "2: split 1 4", "nim(5) may not be split without taking; one may take 1 to 5"),
            ("3 5 7", "5 -> kayles(3)", "a heap of nim does not become kayles(3); for example take 1"),
            ("kayles(9)", "take 3", "one may not take 3 from 9 in kayles; one may take 1 to 2"),
            ("kayles(9)", "take 2 leave 1 5", "9 less 2 is 7, not 6; the heaps that are left must add up to 7"),
            (
                "[take squares](99)",
                "take 3",
                "one may not take 3 from 99 in [take squares]; one may take 1, 4, 9, 16, 25, 36, 49, 64, …",
            ),
            ("grundy_game(8)", "split 4 4", "grundy_game(8) may not be split so; for example split into 1 + 7"),
            ("0.3(9)", "take 1 leave 2 6", "after taking 1 from 0.3(9) one may not leave 2 + 6; for example take 1"),
            (
                "wythoff(3, 5)",
                "1: (1, 4)",
                "wythoff(3, 5) -> wythoff(1, 4) is no legal move; for example take 1 from the first heap",
            ),
            (
                "digraph[{a: c, b: c, c:}](a, b)",
                "move to c",
                "\"move to c\" is no move and no command; type for example 1: take 1, or help",
            ),
            ("digraph[{a: b, b:}](a)", "1: c", "there is no vertex \"c\"; did you mean \"b\"?"),
            (
                "digraph[{a: b, b:}](a)",
                "a -> a",
                "digraph[{a: b, b:}](\"a\") -> digraph[{a: b, b:}](\"a\") is no legal move; for example move to b",
            ),
            ("nim(5) + kayles(5)", "5 -> 4", "nim(5) and kayles(5) both can; type nim(5) -> nim(4) or 2: -> 4"),
        ] {
            assert_eq!(reads(game, text), wanted, "{game}: {text}");
        }
    }

    #[test]
    fn printed_names_are_read() {
        for text in [
            "digraph[{a: b c, b: c, c:}](a)",
            "nim(6)",
            "lasker(7)",
            "8.37(8)",
            "wythoff(3, 4)",
            "euclid(9, 2)",
            "staircase(1, 2, 2)",
            "moore[2](2, 2)",
        ] {
            let game = read_game(text).unwrap();
            let from = &game.components()[0];
            for to in walk::list(from, 1000).0 {
                let name = from.move_name(&to);
                assert_eq!(read_move(&format!("1: {name}"), &game).map(|m| m.to), Ok(to), "{text}: {name}");
            }
        }
    }
}
