//! What is said during a game.

use grundy::play::{Assessment, Choice, Game, Hint, Level, Player, Reason, Side};
use grundy_core::{
    notation::print_component,
    theory::{Convention, Outcome, nim::NimClass},
};

use super::solve::{arrow, convention, one_line};

/// The convention in as many words as a line of so many columns holds.
pub fn convention_within(rule: Convention, width: usize) -> &'static str {
    let forms = match rule {
        Convention::Normal => [
            convention(rule),
            "normal play: taking the last object wins",
            "taking the last object wins",
            "the last wins",
        ],
        Convention::Misere => [
            convention(rule),
            "misère play: taking the last object loses",
            "taking the last object loses",
            "the last loses",
        ],
    };
    forms.into_iter().find(|form| form.chars().count() <= width).unwrap_or(forms[3])
}

/// `You` or `Computer`.
pub fn name(side: Side) -> &'static str {
    match side {
        Side::You => "You",
        Side::Computer => "Computer",
    }
}

/// How the computer plays: `level club, seed 7`; the seed where chance plays a part.
pub fn level(player: &Player) -> String {
    match player.level() {
        Level::Perfect => "level perfect".into(),
        level => format!("level {}, seed {}", level.word(), player.seed()),
    }
}

/// Why the move was chosen: `nim-sum becomes 0`.
pub fn reason(choice: &Choice) -> String {
    let why = match &choice.reason {
        Reason::LastMove => return "the last move".into(),
        Reason::NimSumZero => "nim-sum becomes 0".into(),
        Reason::LeavesNim(NimClass::OddOnes) => "leaves an odd number of heaps of 1".into(),
        Reason::LeavesNim(NimClass::Balanced) => "nim-sum becomes 0, with heaps bigger than 1 left".into(),
        Reason::LeavesNim(_) | Reason::LeavesLost => "leaves a lost position".into(),
        Reason::KeepsDraw => "keeps the draw".into(),
        Reason::LastsLongest => "lost anyway: lasts longest".into(),
        Reason::GivesLittle => "lost anyway: gives little away".into(),
        Reason::Undecided(why) => format!("by rule of thumb, for who wins is undecided ({why})"),
        Reason::NotFound(why) => format!("by rule of thumb; a winning move exists but was not found ({why})"),
        Reason::Random(Level::Perfect) => "a random move".into(),
        Reason::Random(level) => format!("a random move (level {})", level.word()),
    };
    match choice.remaining {
        Some(0) => format!("{why}; then no move is left"),
        Some(1) => format!("{why}; 1 move follows"),
        Some(n) => format!("{why}; {n} moves follow under best play"),
        None => why,
    }
}

/// The computer's move with its reason.
pub fn computer_moved(choice: &Choice) -> String {
    format!("Computer: {}: {}", one_line(&choice.played), reason(choice))
}

/// A hint as a sentence.
pub fn hint(hint: &Hint) -> String {
    match hint {
        Hint::NoMove => "Hint: there is no move.".into(),
        Hint::Standing(known) => match known.outcome {
            Some(Outcome::N) => "Hint: you can win. Ask again for the heap.".into(),
            Some(Outcome::P) => {
                "Hint: every move loses if the computer plays well. Ask again for a stubborn one.".into()
            }
            Some(Outcome::Draw) => "Hint: nobody can force a win. Ask again for a move that keeps the draw.".into(),
            None => format!(
                "Hint: who wins is undecided ({}). Ask again for a move.",
                known.stop.as_deref().unwrap_or("no limit was met")
            ),
        },
        Hint::Component { index, component } => {
            format!("Hint: look at heap {}, {}. Ask again for the move.", index + 1, print_component(component))
        }
        Hint::Move(choice) => {
            let m = &choice.played;
            format!("Hint: heap {}, {} ({}): {}.", m.component + 1, arrow(m), m.name, reason(choice))
        }
    }
}

/// Who won and why; None while the game goes on.
pub fn ending(game: &Game) -> Option<String> {
    let ending = game.ending()?;
    let (winner, loser) = match ending.winner {
        Side::You => ("You win", "the computer"),
        Side::Computer => ("The computer wins", "you"),
    };
    let verb = if ending.winner == Side::You { "has" } else { "have" };
    if ending.resigned {
        return Some(format!("{winner}: {loser} {verb} resigned."));
    }
    let (mover, verb) = match game.to_move() {
        Side::You => ("You", "have"),
        Side::Computer => ("The computer", "has"),
    };
    Some(format!("{mover} {verb} no move left. {winner} ({}).", convention(game.convention())))
}

/// Who wins for the side to move, briefly: `won, value 5`.
pub fn assessment(known: &Assessment) -> String {
    let who = match known.outcome {
        Some(Outcome::N) => "won",
        Some(Outcome::P) => "lost",
        Some(Outcome::Draw) => "drawn",
        None => return "undecided".into(),
    };
    match known.value {
        Some(v) => format!("{who}, value {v}"),
        None => who.into(),
    }
}

/// As [`assessment`], in a column of a few characters: `won *5`.
pub fn assessment_in_short(known: &Assessment) -> String {
    match (known.outcome, known.value) {
        (Some(Outcome::N), Some(v)) => format!("won *{v}"),
        (Some(Outcome::N), None) => "won".into(),
        (Some(Outcome::P), _) => "lost".into(),
        (Some(Outcome::Draw), _) => "drawn".into(),
        (None, _) => "?".into(),
    }
}
