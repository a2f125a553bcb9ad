//! The answer of `solve`.

use std::io::{self, Write};

use grundy::answer::{Move, SolveAnswer};
use grundy_core::{
    notation::{print_component, print_sum},
    theory::{Convention, Outcome},
};

use super::explain;

/// The convention in words, beside its name.
pub fn convention(convention: Convention) -> &'static str {
    match convention {
        Convention::Normal => "normal play: a player who cannot move loses, taking the last object wins",
        Convention::Misere => "misère play: a player who cannot move wins, taking the last object loses",
    }
}

/// Writes the whole answer.
pub fn write(out: &mut impl Write, answer: &SolveAnswer) -> io::Result<()> {
    writeln!(out, "{}   ({})", shorten(&answer.game), convention(answer.header.convention))?;
    match answer.outcome {
        Some(Outcome::N) => write!(out, "The first player wins.")?,
        Some(Outcome::P) => write!(out, "The second player wins.")?,
        Some(Outcome::Draw) => write!(out, "Draw: nobody can force the end.")?,
        None => write!(out, "Undecided.")?,
    }
    if let Some(v) = answer.value {
        write!(out, " Grundy value {v}.")?;
    }
    if let Some(v) = &answer.infinite {
        write!(out, " Value {v}.")?;
    }
    if let Some(r) = answer.remoteness {
        write!(out, " The game lasts {r} {} under best play.", if r == 1 { "move" } else { "moves" })?;
    }
    writeln!(out)?;
    moves(out, answer)?;
    if let Some(s) = &answer.suggestion {
        if answer.outcome == Some(Outcome::Draw) {
            writeln!(out, "No move wins. What keeps the draw: {}.", one_line(s))?;
        } else {
            let why = if answer.suggestion_is_longest { "lasts longest" } else { "gives little away" };
            writeln!(out, "Every move loses. What {why}: {}.", one_line(s))?;
        }
    }
    if !answer.explanation.is_empty() {
        writeln!(out)?;
        explain::write(out, &answer.explanation)?;
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "{}", capital(&stop.to_string()))?;
    }
    writeln!(out, "Status: {}.", answer.header.status.word())?;
    for method in answer.header.method.split("; ").filter(|m| !m.is_empty()).take(12) {
        writeln!(out, "  {}", shorten(method))?;
    }
    Ok(())
}

fn moves(out: &mut impl Write, answer: &SolveAnswer) -> io::Result<()> {
    if answer.outcome != Some(Outcome::N) {
        if answer.outcome == Some(Outcome::P) && answer.suggestion.is_none() {
            let none = if answer.suggestion_gave_up { "No move was met at once." } else { "There is no move." };
            writeln!(out, "{none}")?;
        }
        return Ok(());
    }
    if answer.moves.is_empty() {
        return match answer.moves_total {
            Some(0) if answer.header.convention == Convention::Misere => {
                writeln!(out, "There is no move, and that wins.")
            }
            Some(t) => writeln!(out, "Winning moves: {t}."),
            None => Ok(()),
        };
    }
    match answer.moves_total {
        Some(t) if answer.moves_complete => writeln!(out, "Winning moves ({t}):")?,
        Some(t) => writeln!(out, "Winning moves (the first {} of {t}):", answer.moves.len())?,
        None => writeln!(out, "Winning moves (the first {}, there may be more):", answer.moves.len())?,
    }
    let left = answer.moves.iter().map(|m| arrow(m).chars().count()).max().unwrap_or(0).min(48);
    let middle = answer.moves.iter().map(|m| m.name.chars().count()).max().unwrap_or(0).min(40);
    for m in &answer.moves {
        let text = arrow(m);
        let pad = left.saturating_sub(text.chars().count());
        write!(out, "  {text}{:pad$}   {}", "", m.name)?;
        if m.count > 1 {
            write!(out, "   ({} equal heaps)", m.count)?;
        } else if let Some(result) = m.result.as_ref().filter(|r| r.len() <= 60) {
            let pad = middle.saturating_sub(m.name.chars().count());
            write!(out, "{:pad$}   leaves {result}", "")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// `nim(5) -> nim(3)`
pub fn arrow(m: &Move) -> String {
    format!("{} -> {}", brief(&print_component(&m.from)), brief(&print_sum(&m.to)))
}

/// A position, of which only the head is written where it is long: the name of the move says what happens.
pub fn brief(text: &str) -> String {
    const MOST: usize = 120;
    if text.len() <= MOST { text.to_owned() } else { format!("{}…", &text[..text.floor_char_boundary(MOST / 2)]) }
}

/// `nim(5) -> nim(3) (take 2)`
pub fn one_line(m: &Move) -> String {
    format!("{} ({})", arrow(m), m.name)
}

/// The head of a text that may be a megabyte long.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 400;
    if text.len() <= MOST {
        return text.to_owned();
    }
    format!("{} … ({} characters)", &text[..text.floor_char_boundary(MOST)], text.len())
}

/// With a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
