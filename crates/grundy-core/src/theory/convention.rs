//! Normal and misère play, and the outcome of a position.

use core::fmt;

/// Who wins when no move is left.
///
/// | convention | a player who cannot move | taking the last object |
/// |---|---|---|
/// | `Normal` | loses | wins |
/// | `Misere` | wins | loses |
///
/// # Sources
/// `[ONAG, ch. 12]`, `[Sie13, ch. V]`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Convention {
    /// The player who cannot move loses.
    #[default]
    Normal,
    /// The player who cannot move wins.
    Misere,
}

impl Convention {
    /// The word used in every answer: `"normal"` or `"misere"`.
    pub fn word(self) -> &'static str {
        match self {
            Convention::Normal => "normal",
            Convention::Misere => "misere",
        }
    }

    /// The outcome of a position without moves.
    pub fn of_terminal(self) -> Outcome {
        match self {
            Convention::Normal => Outcome::P,
            Convention::Misere => Outcome::N,
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Who wins under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The next player, the one to move, wins.
    N,
    /// The previous player, the one not to move, wins.
    P,
    /// Neither can force a win (loopy games only).
    Draw,
}

impl Outcome {
    /// The word used in every answer: `"N"`, `"P"` or `"Draw"`.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::N => "N",
            Outcome::P => "P",
            Outcome::Draw => "Draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
