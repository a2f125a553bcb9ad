//! Playing a game: the record, the computer player, hints, and moves read from text. No input or output.
//!
//! A [`Game`] is the record of one game between a person and the computer; it knows the rules and nobody's plans. A
//! [`Player`] is the computer: it chooses moves, and advises. [`read_move`] reads a move as people type it.

mod boards;
mod player;
mod random;
mod read;
mod tokens;
mod turns;
pub mod walk;

pub use player::{Advice, Assessment, Choice, Hint, Level, Player, Reason};
pub use random::{Random, random_move};
pub use read::{Misread, read_move};

use std::fmt;

use grundy_core::{
    notation::print_result,
    rulesets::AnyComponent,
    theory::{Convention, Sum},
};

use crate::{
    answer::Move,
    session::{Refusal, refusal},
};

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The person.
    You,
    /// The computer.
    Computer,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::You => Side::Computer,
            Side::Computer => Side::You,
        }
    }
}

/// A move that was made, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who moved.
    pub side: Side,
    /// The move.
    pub played: Move,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub winner: Side,
    /// True if the other side gave up; otherwise no move was left.
    pub resigned: bool,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove;

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rules do not allow this move")
    }
}

impl std::error::Error for IllegalMove {}

/// The record of a game: the first position and the turns from it, with undo and redo.
///
/// # Examples
/// ```
/// use grundy::play::{Game, Side};
/// use grundy_core::{notation::read_game, theory::Convention};
/// let mut game = Game::new(read_game("1 2").unwrap(), Convention::Misere, Side::You).unwrap();
/// game.play(1, &[]).unwrap();
/// assert_eq!(game.to_move(), Side::Computer);
/// // the last object is the computer's, and in misère play that loses
/// game.play(0, &[]).unwrap();
/// assert_eq!(game.ending().unwrap().winner, Side::You);
/// assert_eq!(game.undo_to(Side::You), 2);
/// assert_eq!(game.position().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Sum<AnyComponent>,
    current: Sum<AnyComponent>,
    convention: Convention,
    first: Side,
    turns: Vec<Turn>,
    undone: Vec<Turn>,
    resigned: Option<Side>,
    over: bool,
}

impl Game {
    /// A game that begins with `start`; `first` moves first.
    ///
    /// # Errors
    /// A [`Refusal`] if a ruleset, or a sum in which play may go on for ever, has no misère play.
    pub fn new(start: Sum<AnyComponent>, convention: Convention, first: Side) -> Result<Self, Refusal> {
        if let Some(refusal) = refusal(start.components(), convention) {
            return Err(refusal);
        }
        let over = !walk::has_moves(&start);
        Ok(Game {
            current: start.clone(),
            start,
            convention,
            first,
            turns: Vec::new(),
            undone: Vec::new(),
            resigned: None,
            over,
        })
    }

    /// The position that is to be played now.
    pub fn position(&self) -> &Sum<AnyComponent> {
        &self.current
    }

    /// Who wins when no move is left.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// The turns so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Whose turn it is, or would be if the game were not over.
    pub fn to_move(&self) -> Side {
        self.mover(self.turns.len())
    }

    /// Who makes turn `k`, counted from 0.
    fn mover(&self, k: usize) -> Side {
        if k.is_multiple_of(2) { self.first } else { self.first.other() }
    }

    /// How the game ended; None while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(side) = self.resigned {
            return Some(Ending { winner: side.other(), resigned: true });
        }
        let winner = match self.convention {
            Convention::Normal => self.to_move().other(),
            Convention::Misere => self.to_move(),
        };
        self.over.then_some(Ending { winner, resigned: false })
    }

    /// Makes the move of component `i` to the sum of `to` for the side to move. What was undone can no longer be redone.
    ///
    /// # Errors
    /// [`IllegalMove`] if the game is over or the rules do not allow the move; nothing changes then.
    pub fn play(&mut self, i: usize, to: &[AnyComponent]) -> Result<&Turn, IllegalMove> {
        if self.ending().is_some() {
            return Err(IllegalMove);
        }
        let played = walk::legal_move(&self.current, i, to).ok_or(IllegalMove)?;
        self.undone.clear();
        let side = self.to_move();
        self.make(Turn { side, played });
        Ok(&self.turns[self.turns.len() - 1])
    }

    fn make(&mut self, turn: Turn) {
        self.current = self.current.replaced(turn.played.component, &turn.played.to);
        self.turns.push(turn);
        self.over = !walk::has_moves(&self.current);
    }

    /// Takes the last turn back, or a resignation before it; false if there is nothing to take back.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        let Some(turn) = self.turns.pop() else { return false };
        self.current = before(&self.current, &turn.played);
        self.over = false;
        self.undone.push(turn);
        true
    }

    /// Makes the turn again that was undone last; false if there is none.
    pub fn redo(&mut self) -> bool {
        if self.resigned.is_some() {
            return false;
        }
        let Some(turn) = self.undone.pop() else { return false };
        self.make(turn);
        true
    }

    /// Takes turns back until `side` is to move; the number of turns, 0 if it is not possible (nothing changes then). A
    /// resignation taken back counts as one.
    pub fn undo_to(&mut self, side: Side) -> usize {
        if self.resigned.is_some() && self.undo() {
            return 1;
        }
        let Some(back) = (1..=self.turns.len()).find(|n| self.mover(self.turns.len() - n) == side) else { return 0 };
        (0..back).take_while(|_| self.undo()).count()
    }

    /// Makes undone turns again until `side` is to move or none is left; the number of turns.
    pub fn redo_to(&mut self, side: Side) -> usize {
        let mut made = 0;
        while self.redo() {
            made += 1;
            if self.to_move() == side {
                break;
            }
        }
        made
    }

    /// `side` gives up; a game that is over stays as it is.
    pub fn resign(&mut self, side: Side) {
        if self.ending().is_none() {
            self.resigned = Some(side);
        }
    }

    /// The position before turn `k`, counted from 0; that after the last turn for `k` equal to the number of turns.
    pub fn position_before(&self, k: usize) -> Sum<AnyComponent> {
        let turns = &self.turns[..k.min(self.turns.len())];
        turns.iter().fold(self.start.clone(), |sum, t| sum.replaced(t.played.component, &t.played.to))
    }

    /// The position in the notation, empty heaps left out.
    pub fn print(&self) -> String {
        print_result(self.current.components())
    }
}

/// The sum before `played` was made.
fn before(after: &Sum<AnyComponent>, played: &Move) -> Sum<AnyComponent> {
    let all = after.components();
    let end = played.component + played.to.len();
    all[..played.component].iter().chain([&played.from]).chain(&all[end..]).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::{print_sum, read_game};

    fn game(text: &str, convention: Convention, first: Side) -> Game {
        Game::new(read_game(text).unwrap(), convention, first).unwrap()
    }

    fn parts(text: &str) -> Vec<AnyComponent> {
        read_game(text).unwrap().into_components()
    }

    #[test]
    fn parts_go_where_the_heap_was_and_back() {
        let mut g = game("nim(1) + kayles(7) + nim(2)", Convention::Normal, Side::You);
        g.play(1, &parts("kayles(5, 1)")).unwrap();
        assert_eq!(print_sum(g.position().components()), "nim(1) + kayles(1, 5) + nim(2)");
        assert_eq!(g.play(1, &parts("kayles(1)")), Err(IllegalMove));
        assert_eq!(g.play(9, &[]), Err(IllegalMove));
        assert!(g.undo() && !g.undo());
        assert_eq!(print_sum(g.position().components()), "nim(1) + kayles(7) + nim(2)");
        assert!(g.redo() && !g.redo());
        assert_eq!(g.turns().len(), 1);
    }

    #[test]
    fn a_new_move_drops_what_was_undone() {
        let mut g = game("5", Convention::Normal, Side::You);
        g.play(0, &parts("3")).unwrap();
        g.play(0, &parts("2")).unwrap();
        assert_eq!(g.undo_to(Side::You), 2);
        g.play(0, &parts("4")).unwrap();
        assert_eq!(g.redo_to(Side::You), 0);
        assert_eq!(g.print(), "nim(4)");
    }

    #[test]
    fn undo_stops_where_you_are_to_move() {
        let mut g = game("5", Convention::Normal, Side::Computer);
        g.play(0, &parts("4")).unwrap();
        assert_eq!(g.undo_to(Side::You), 0, "only the computer has moved");
        assert_eq!(g.turns().len(), 1);
        g.play(0, &parts("3")).unwrap();
        assert_eq!(g.undo_to(Side::You), 1);
        g.resign(Side::You);
        assert_eq!(g.ending(), Some(Ending { winner: Side::Computer, resigned: true }));
        assert_eq!(g.undo_to(Side::You), 1, "a resignation is taken back alone");
        assert_eq!(g.print(), "nim(4)");
    }

    #[test]
    fn who_wins_without_a_move_is_the_convention() {
        for (convention, winner) in [(Convention::Normal, Side::Computer), (Convention::Misere, Side::You)] {
            let g = game("nim(0)", convention, Side::You);
            assert_eq!(g.ending(), Some(Ending { winner, resigned: false }));
        }
        let treblecross = read_game("treblecross(5)").unwrap();
        assert!(Game::new(treblecross, Convention::Misere, Side::You).is_err());
    }
}
