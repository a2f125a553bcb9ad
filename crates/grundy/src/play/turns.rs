//! Moves of coin-turning games, of Chomp and of treblecross as people type them: the coins that are turned, the square that is
//! bitten or marked.

use grundy_core::{
    notation::print_component,
    rulesets::{AnyComponent, Chomp, coins::turned},
};

use super::{read::Misread, walk::Parts};

/// What a row or a board becomes by `turn 1, 4`, `1 4`, `turn {1, 2} x {3}` or `(2, 3)`; None for other games and for what
/// is no list of coins.
pub(super) fn turn(from: &AnyComponent, text: &str) -> Option<Result<Parts, Misread>> {
    let lower = text.trim().to_ascii_lowercase();
    let rest = ["turn", "flip"].iter().find_map(|verb| lower.strip_prefix(verb)).unwrap_or(&lower).trim();
    let rest = ["coins", "coin"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest).trim();
    match from {
        AnyComponent::Chomp(_, g) => bite(g, &lower),
        AnyComponent::Heap(game, n) if game.is_normal_only() => mark(*n, &lower).map(|marked| {
            let heaps = marked?.into_iter().filter(|heap| *heap > 0);
            Ok(heaps.map(|heap| AnyComponent::Heap(game.options_game(), heap)).collect())
        }),
        AnyComponent::Coins(game, heads) => {
            let set = numbers(rest)?;
            Some(may_turn(from, &set, heads.contains(set.last()?)).and_then(|()| {
                if !game.code().allows(&set) {
                    let message = format!("{} does not allow these coins to be turned together", game.name());
                    return Err(Misread::new(message, format!("its code is {}", game.code())));
                }
                Ok(vec![AnyComponent::Coins(game.clone(), turned(heads, &set))])
            }))
        }
        AnyComponent::Tartan(game, heads) => {
            let mut sets: Vec<Vec<u64>> = rest.split(['x', '×']).map(numbers).collect::<Option<_>>()?;
            if sets.len() == 1 && rest.starts_with('(') {
                // numbers() sorts, and a cell has an order
                sets = rest.trim_matches(['(', ')']).split(',').map(numbers).collect::<Option<_>>()?;
            }
            if sets.len() != game.factors().len() {
                let message = format!("a move of {} turns {} sets", game.name(), game.factors().len());
                return Some(Err(Misread::new(message, "for example turn {1, 2} x {3}")));
            }
            let last: Vec<u64> = sets.iter().filter_map(|s| s.last().copied()).collect();
            let is_head = game.cells(heads).any(|c| c == last);
            Some(may_turn(from, &last, is_head).and_then(|()| {
                for (factor, set) in game.factors().iter().zip(&sets) {
                    if !factor.code().allows(set) {
                        let list = set.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                        let message = format!("{} does not allow {{{list}}} to be turned", factor.name());
                        return Err(Misread::new(message, format!("its code is {}", factor.code())));
                    }
                }
                Ok(vec![AnyComponent::Tartan(game.clone(), game.after(heads, &sets))])
            }))
        }
        _ => None,
    }
}

/// The squares on either side of the one that is marked by `mark square 2`, `mark the last square` or `2`; None for anything else.
fn mark(n: u64, text: &str) -> Option<Result<[u64; 2], Misread>> {
    let mut words = text.split_whitespace().filter(|word| !["mark", "the", "square"].contains(word));
    let square = match (words.next()?, words.next()) {
        ("first", None) => 1,
        ("last", None) => n,
        (number, None) => number.parse::<u64>().ok()?,
        // the name of the move: either square, for they are the same
        (number, Some("or")) => number.parse::<u64>().ok()?,
        _ => return None,
    };
    Some(if (1..=n).contains(&square) {
        Ok([(square - 1).min(n - square), (square - 1).max(n - square)])
    } else {
        Err(Misread::new(format!("there is no square {square}"), format!("the squares are 1 to {n}")))
    })
}

/// What is left of a board after `(1,2)`, `1 2` or `bite (1,2)`; None for anything but two numbers.
fn bite(g: &[u64], text: &str) -> Option<Result<Parts, Misread>> {
    let rest = ["bite", "chomp", "eat"].iter().find_map(|verb| text.strip_prefix(verb)).unwrap_or(text);
    let inner = rest.trim().trim_start_matches('(').trim_end_matches(')').replace(',', " ");
    let numbers: Vec<u64> = inner.split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
    let [r, c] = numbers[..] else { return None };
    let to = usize::try_from(r).ok().and_then(|row| Chomp.bite(g, row, c));
    Some(to.map(|to| vec![AnyComponent::Chomp(Chomp, to)]).ok_or_else(|| match (r, c) {
        (0, 0) => Misread::new("(0,0) is the poison, which may not be bitten", "bite another square, or resign"),
        _ => {
            let columns = g.first().copied().unwrap_or(0);
            let hint =
                format!("rows are 0 to {}, columns 0 to {}", g.len().saturating_sub(1), columns.saturating_sub(1));
            Misread::new(format!("there is no square ({r},{c}) left"), hint)
        }
    }))
}

fn may_turn(from: &AnyComponent, last: &[u64], is_head: bool) -> Result<(), Misread> {
    if is_head {
        return Ok(());
    }
    let (what, at) = match from {
        AnyComponent::Coins(..) => ("coin", last.last().map_or(String::new(), u64::to_string)),
        _ => ("the coin at", format!("({})", last.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))),
    };
    let hint =
        format!("the last coin that is turned goes from heads to tails; the position is {}", print_component(from));
    Err(Misread::new(format!("{what} {at} is tails"), hint))
}

/// The numbers of a list, ascending, each once; None if there is anything else, or nothing.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let plain = text.replace(['{', '}', '(', ')', ',', '+'], " ").replace(" and ", " ");
    let mut all: Vec<u64> = plain.split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
    all.sort_unstable();
    // a coin is turned once
    let distinct = all.windows(2).all(|w| w[0] < w[1]);
    (!all.is_empty() && all[0] > 0 && distinct).then_some(all)
}
