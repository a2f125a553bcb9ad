//! Play line by line, for pipes and scripts.

use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    process::ExitCode,
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use grundy::{
    Budget,
    play::{Advice, Game, Player, Side, read_move, walk},
};
use grundy_core::{
    notation::{print_component, print_sum},
    rulesets::AnyComponent,
};

use crate::{
    failure::Failure,
    limits,
    render::{
        coins::{extent, picture},
        play as say,
        solve::{convention, one_line},
    },
};

/// Most bytes of a line that are read as one.
const LINE: u64 = 1 << 16;

/// Most time for the value of one position after the game.
const REVIEW: Duration = Duration::from_millis(200);

/// Most moves that are listed of one heap, and of all.
const LISTED: (usize, usize) = (20, 200);

pub fn run(game: Game, player: Player, budget: Budget) -> Result<ExitCode, Failure> {
    let echo = !io::stdin().is_terminal();
    let mut out = io::stdout().lock();
    let mut dialogue = Dialogue::new(game, player, budget);
    dialogue.greet(&mut out)?;
    let input = input();
    while dialogue.game.ending().is_none() {
        if limits::interrupted() {
            return Ok(ExitCode::from(limits::interrupted_code()));
        }
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = next(&input) else {
            writeln!(out)?;
            if limits::interrupted() {
                return Ok(ExitCode::from(limits::interrupted_code()));
            }
            return Ok(ExitCode::SUCCESS);
        };
        if echo {
            // so that a transcript shows what was answered
            writeln!(out, "{}", line.as_deref().unwrap_or("?"))?;
        }
        match line {
            Ok(line) => {
                if dialogue.answer(&line, &mut out)? == Flow::Quit {
                    out.flush()?;
                    return Ok(ExitCode::SUCCESS);
                }
            }
            Err(complaint) => writeln!(out, "{complaint}")?,
        }
    }
    if limits::interrupted() {
        return Ok(ExitCode::from(limits::interrupted_code()));
    }
    dialogue.close(&mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A line, or why it is none.
type Line = Result<String, String>;

/// Reads lines in a thread of its own, so that Ctrl-C is heard while one waits for a line.
fn input() -> Receiver<Line> {
    let (lines, received) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match (&mut input).take(LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let whole = line.ends_with(b"\n") || (line.len() as u64) < LINE;
            if !whole && input.skip_until(b'\n').is_err() {
                return;
            }
            let text = match String::from_utf8(line) {
                _ if !whole => Err("This line is too long for a move. Type help.".to_owned()),
                Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
                Err(_) => Err("This line is no UTF-8 text. Type help.".to_owned()),
            };
            if lines.send(text).is_err() {
                return;
            }
        }
    });
    received
}

/// The next line; None at the end of input and after Ctrl-C.
fn next(input: &Receiver<Line>) -> Option<Line> {
    loop {
        match input.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if limits::interrupted() => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Whether to go on after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Go,
    Quit,
}

/// A game and what was asked about its position so far.
struct Dialogue {
    game: Game,
    player: Player,
    budget: Budget,
    /// Moves listed for this position, in the order of their numbers.
    listed: Vec<(usize, walk::Parts)>,
    advice: Option<Advice>,
    rung: usize,
    /// Rows and columns of the largest board at the beginning: coins stay where they lie.
    board: [u64; 2],
}

impl Dialogue {
    fn new(game: Game, player: Player, budget: Budget) -> Self {
        let board = extent(game.position().components());
        Dialogue { game, player, budget, listed: Vec::new(), advice: None, rung: 0, board }
    }

    fn greet(&mut self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", convention(self.game.convention()))?;
        let first = match self.game.to_move() {
            Side::You => "You move first",
            Side::Computer => "The computer moves first",
        };
        writeln!(out, "{first}; the computer plays at {}. Type a move or help.", say::level(&self.player))?;
        self.turn(out)
    }

    /// Lets the computer move if it is its turn, and shows the position.
    fn turn(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.listed.clear();
        self.advice = None;
        self.rung = 0;
        if self.game.ending().is_none() && self.game.to_move() == Side::Computer {
            if let Some(choice) = self.player.choose(&self.game, &self.budget) {
                if limits::interrupted() {
                    return Ok(());
                }
                writeln!(out, "{}", say::computer_moved(&choice))?;
                if self.game.play(choice.played.component, &choice.played.to).is_err() {
                    self.game.resign(Side::Computer);
                }
            } else {
                writeln!(out, "The computer finds no legal move within its limits and gives up.")?;
                self.game.resign(Side::Computer);
            }
        }
        if self.game.ending().is_none() {
            self.show(out)?;
        }
        Ok(())
    }

    /// The heaps with their numbers.
    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        const SHOWN: usize = 100;
        const WIDTH: usize = 78;
        let all = self.game.position().components();
        let mut column = 0;
        for (i, c) in all.iter().enumerate().filter(|(_, c)| !c.is_empty_heap()).take(SHOWN) {
            let text = format!("  {}: {}", i + 1, print_component(c));
            let width = text.chars().count();
            if column > 0 && column + width > WIDTH {
                writeln!(out)?;
                column = 0;
            }
            write!(out, "{text}")?;
            column += width;
        }
        writeln!(out)?;
        for c in all.iter().take(SHOWN) {
            for line in picture(c, None, self.board).unwrap_or_default() {
                writeln!(out, "    {line}")?;
            }
        }
        if all.len() > SHOWN {
            writeln!(out, "  … {} heaps in all", all.len())?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str, out: &mut impl Write) -> io::Result<Flow> {
        let line = line.trim();
        let mut words = line.split_whitespace();
        let (Some(first), rest) = (words.next(), words.collect::<Vec<_>>()) else { return Ok(Flow::Go) };
        match (first.to_ascii_lowercase().as_str(), &rest[..]) {
            ("quit" | "q" | "exit", []) => return Ok(Flow::Quit),
            ("help" | "?" | "h?", []) => out.write_all(HELP.as_bytes())?,
            ("hint" | "h", []) => self.hint(out)?,
            ("moves" | "m", []) => self.list(None, out)?,
            ("moves" | "m", [heap]) => self.list(Some(heap), out)?,
            ("show" | "s", []) => self.show(out)?,
            ("review", []) => self.review(out)?,
            ("undo" | "u", []) => match self.game.undo_to(Side::You) {
                0 => writeln!(out, "There is no move of yours to take back.")?,
                n => {
                    writeln!(out, "Taken back: {n} {}.", moves(n))?;
                    self.turn(out)?;
                }
            },
            ("redo" | "r", []) => match self.game.redo_to(Side::You) {
                0 => writeln!(out, "There is nothing to do again; undo comes first.")?,
                n => {
                    writeln!(out, "Made again: {n} {}.", moves(n))?;
                    self.turn(out)?;
                }
            },
            ("resign", []) => self.game.resign(Side::You),
            _ => self.play(line, out)?,
        }
        Ok(Flow::Go)
    }

    fn play(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        let number = line.parse::<usize>().ok();
        let chosen = number.and_then(|n| self.listed.get(n.checked_sub(1)?));
        let read = match (chosen, number) {
            (Some((i, to)), _) => {
                walk::legal_move(self.game.position(), *i, to).ok_or_else(|| "This move is not legal now.".to_owned())
            }
            (None, Some(_)) if !self.listed.is_empty() => {
                Err(format!("There are moves 1 to {} in the list.", self.listed.len()))
            }
            _ => read_move(line, self.game.position()).map_err(|e| match number {
                Some(n) if e.message == "which heap?" => {
                    format!("Which heap? Type for example 1: take {n}; or moves, and then the number of a move.")
                }
                _ => sentence(&e.message, &e.hint),
            }),
        };
        match read {
            Err(complaint) => writeln!(out, "{complaint}"),
            Ok(m) => {
                writeln!(out, "You: {}", one_line(&m))?;
                match self.game.play(m.component, &m.to) {
                    Ok(_) => self.turn(out),
                    Err(e) => writeln!(out, "{e}"),
                }
            }
        }
    }

    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.advice.is_none() {
            self.advice = Some(self.player.advise(&self.game, &self.budget));
        }
        self.rung += 1;
        match &self.advice {
            Some(advice) => writeln!(out, "{}", say::hint(&advice.hint(self.rung))),
            None => Ok(()),
        }
    }

    fn list(&mut self, heap: Option<&str>, out: &mut impl Write) -> io::Result<()> {
        let all = self.game.position().components();
        let wanted =
            match heap.map(|h| h.trim_end_matches(':').parse::<usize>().ok().filter(|n| (1..=all.len()).contains(n))) {
                None => None,
                Some(Some(n)) => Some(n - 1),
                Some(None) => return writeln!(out, "Heaps are numbered 1 to {}; type for example moves 1.", all.len()),
            };
        let most = if wanted.is_some() { LISTED.1 } else { LISTED.0 };
        self.listed.clear();
        let mut complete = true;
        for (i, c) in all.iter().enumerate().filter(|(i, _)| wanted.is_none_or(|w| w == *i)) {
            if self.listed.len() >= LISTED.1 {
                complete = false;
                break;
            }
            let (options, all_of_them) = walk::list(c, most.min(LISTED.1 - self.listed.len()));
            for to in &options {
                writeln!(
                    out,
                    "{:5}  {}: {} -> {} ({})",
                    self.listed.len() + 1,
                    i + 1,
                    print_component(c),
                    left(to),
                    c.move_name(to)
                )?;
                self.listed.push((i, to.clone()));
            }
            if !all_of_them {
                complete = false;
                writeln!(out, "       {}: … more moves of {}", i + 1, print_component(c))?;
            }
        }
        if !complete {
            let example = match self.listed.last() {
                Some((i, to)) => format!("{}: {}", i + 1, all[*i].move_name(to)),
                None => "1: take 100".into(),
            };
            writeln!(out, "These are not all; others can be typed, for example {example}.")?;
        }
        Ok(())
    }

    /// The course of the game with who was winning before each move.
    fn review(&mut self, out: &mut impl Write) -> io::Result<()> {
        let budget = Budget { time: Some(self.budget.time.map_or(REVIEW, |t| t.min(REVIEW))), ..self.budget.clone() };
        let known = self.player.review(&self.game, &budget);
        let turns = self.game.turns();
        for (k, (turn, before)) in turns.iter().zip(&known).enumerate() {
            let who = say::name(turn.side);
            writeln!(out, "{:4}  {who:9} {}   before it: {}", k + 1, one_line(&turn.played), say::assessment(before))?;
        }
        if let (Some(last), None) = (known.last(), self.game.ending()) {
            writeln!(
                out,
                "      now: {} for {}",
                say::assessment(last),
                say::name(self.game.to_move()).to_lowercase()
            )?;
        }
        Ok(())
    }

    fn close(&mut self, out: &mut impl Write) -> io::Result<()> {
        if let Some(text) = say::ending(&self.game) {
            writeln!(out, "{text}")?;
        }
        if self.game.turns().is_empty() {
            return Ok(());
        }
        writeln!(out, "The game in review, who wins from the view of the mover:")?;
        self.review(out)
    }
}

fn left(to: &[AnyComponent]) -> String {
    print_sum(to)
}

fn moves(n: usize) -> &'static str {
    if n == 1 { "move" } else { "moves" }
}

/// Message and remedy as two sentences.
fn sentence(message: &str, hint: &str) -> String {
    let capital = crate::render::solve::capital;
    let stop = |text: String| if text.ends_with(['?', '.', '!']) { text } else { format!("{text}.") };
    // a name in the notation keeps its small letter
    let begin = |text: &str| {
        let first = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        let is_name = first == "grundy" || first.contains('_') || text[first.len()..].starts_with(['(', '[']);
        if is_name { text.to_owned() } else { capital(text) }
    };
    format!("{} {}", stop(begin(message)), stop(begin(hint)))
}

const HELP: &str = "\
Moves:
  5 -> 3, nim(5) -> nim(3)      what a heap becomes; nothing after the arrow takes it away
  2: take 3                     take 3 from heap 2
  2: take 2 leave 1 6           take 2 from heap 2 and leave heaps of 1 and 6
  2: split 1 6                  split heap 2
  1: (3, 4)                     the numbers after the move, where a position is a list of numbers
  1: turn 2, 4                  turn coins of row 1; on a board turn {1, 2} x {3}
  a -> b, 1: b                  the vertex to which a token goes
  take 3                        without a number where only one heap can move
  7                             number 7 of the list that moves has shown
Commands:
  hint       who wins; again: the heap; again: the move
  moves [2]  list the legal moves [of heap 2]
  show       the position
  undo       take back your last move and the answer to it
  redo       make them again
  review     the moves so far and who was winning before each
  resign     give up
  quit       leave
";
