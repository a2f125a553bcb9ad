//! The computer as a player and as an adviser.

use grundy_core::{
    rulesets::AnyComponent,
    theory::{Convention, Outcome, Sum, nim::NimClass},
};

use super::{Game, Random, random_move, walk};
use crate::{
    answer::{Move, SolveAnswer},
    budget::{Budget, Meter},
    query::{MovesWanted, SolveQuery},
    search::Remoteness,
    session::{Session, is_small},
};

/// How well the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// Never gives a won position away.
    #[default]
    Perfect,
    /// A perfect move in 7 of 10 turns, else a random one.
    Club,
    /// Random moves.
    Beginner,
}

impl Level {
    /// The word for people and flags.
    pub fn word(self) -> &'static str {
        match self {
            Level::Perfect => "perfect",
            Level::Club => "club",
            Level::Beginner => "beginner",
        }
    }
}

/// Why a move was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Normal play: nobody can move after it.
    LastMove,
    /// Normal play: the xor of the values becomes 0.
    NimSumZero,
    /// Misère play of Nim-like heaps: it leaves this kind of position, which is lost.
    LeavesNim(NimClass),
    /// It leaves a lost position, by a theorem or by search.
    LeavesLost,
    /// Nobody can force a win; after it neither can the opponent.
    KeepsDraw,
    /// Every move loses; the game lasts longest with this one.
    LastsLongest,
    /// Every move loses; this one gives little away.
    GivesLittle,
    /// Nobody knows who wins: why the search stopped. By rule of thumb.
    Undecided(String),
    /// The position is won, but no winning move was found: why the search stopped. By rule of thumb.
    NotFound(String),
    /// Random, as this level plays.
    Random(Level),
}

/// A move and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, which is legal.
    pub played: Move,
    /// Why.
    pub reason: Reason,
    /// How many moves follow if the winner hurries and the loser delays, where that was cheap to find.
    pub remaining: Option<u32>,
}

/// What is known about a position and what to play in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Who wins.
    pub known: Assessment,
    /// The best move that was found; None if there is no move.
    pub best: Option<Choice>,
}

/// What is known about a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Assessment {
    /// Who wins; None if a limit was reached first.
    pub outcome: Option<Outcome>,
    /// The Grundy value; None in misère play or where only the outcome is known.
    pub value: Option<u64>,
    /// The limit that was reached, for people.
    pub stop: Option<String>,
}

/// A step of the ladder of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Who wins, from the view of the side to move; N is "you can win".
    Standing(Assessment),
    /// The component with a good move.
    Component {
        /// Index of the component.
        index: usize,
        /// The component.
        component: AnyComponent,
    },
    /// The move itself, good or, in a lost position, stubborn.
    Move(Choice),
    /// There is no move.
    NoMove,
}

impl Advice {
    /// The hint on rung 1, 2, … of the ladder; rungs above the last one repeat it.
    ///
    /// In a won position: that it is won, the component, the move. In others: that it is lost, drawn or undecided, the suggestion.
    pub fn hint(&self, rung: usize) -> Hint {
        let Some(best) = &self.best else { return Hint::NoMove };
        match (rung, self.known.outcome) {
            (0 | 1, _) => Hint::Standing(self.known.clone()),
            (2, Some(Outcome::N)) => {
                Hint::Component { index: best.played.component, component: best.played.from.clone() }
            }
            _ => Hint::Move(best.clone()),
        }
    }

    /// The number of rungs.
    pub fn rungs(&self) -> usize {
        match (&self.best, self.known.outcome) {
            (None, _) => 1,
            (_, Some(Outcome::N)) => 3,
            _ => 2,
        }
    }
}

/// The computer: a session that solves, a level, and a source of random numbers.
#[derive(Debug)]
pub struct Player {
    session: Session,
    level: Level,
    seed: u64,
    random: Random,
}

/// Winning moves that are compared by how soon they win; of more, the first ones.
const COMPARED: usize = 256;

/// The same where play may go on for ever.
const COMPARED_TOKENS: usize = 1 << 16;

impl Player {
    /// A player whose random choices follow `seed`.
    pub fn new(level: Level, seed: u64) -> Self {
        Player { session: Session::new(), level, seed, random: Random::new(seed) }
    }

    /// How well it plays.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The seed of its random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The move it makes in the position of `game`; None if it finds none.
    ///
    /// Perfect: a winning move, in small positions one that wins soonest, else the first; in a lost position the move that
    /// resists most. Club: that with probability 0.7, else as a beginner. Beginner: a random legal move.
    ///
    /// # Complexity
    /// That of [`Session::solve`] within `budget`; a random move looks at no more than about 2^13 options of a component.
    pub fn choose(&mut self, game: &Game, budget: &Budget) -> Option<Choice> {
        let by_chance = match self.level {
            Level::Perfect => false,
            Level::Club => self.random.below(10) >= 7,
            Level::Beginner => true,
        };
        if !by_chance {
            return self.advise(game, budget).best;
        }
        let played = random_move(game.position(), &mut self.random)?;
        Some(Choice { played, reason: Reason::Random(self.level), remaining: None })
    }

    /// Who wins the position of `game`, and the move that the perfect player would make.
    pub fn advise(&mut self, game: &Game, budget: &Budget) -> Advice {
        let position = game.position().clone();
        // all of them: the one that ends the game may be the last
        let limit = if position.components().iter().any(AnyComponent::is_loopy) { COMPARED_TOKENS } else { COMPARED };
        let query = SolveQuery { limit, ..SolveQuery::new(position, game.convention()) };
        let answer = match self.session.solve(&query, budget) {
            Ok(answer) => answer,
            Err(refusal) => {
                let known = Assessment { stop: Some(refusal.message.clone()), ..Assessment::default() };
                return Advice { known, best: self.by_rule_of_thumb(&query, Reason::Undecided(refusal.message)) };
            }
        };
        let known = assessment(&answer);
        let stop = known.stop.clone().unwrap_or_default();
        let best = match answer.outcome {
            Some(Outcome::N) if !answer.moves.is_empty() => {
                let nearest = self.session.nearest_end(&query, &answer.moves, &mut Meter::new(budget));
                Some(winning(&query, answer, nearest))
            }
            Some(Outcome::N) => self.by_rule_of_thumb(&query, Reason::NotFound(stop)),
            Some(Outcome::P) => answer.suggestion.map(|played| Choice {
                remaining: answer.suggestion_is_longest.then(|| remaining(&query, &played)).flatten(),
                played,
                reason: if answer.suggestion_is_longest { Reason::LastsLongest } else { Reason::GivesLittle },
            }),
            Some(Outcome::Draw) => {
                let kept = answer.suggestion;
                kept.map(|played| Choice { played, reason: Reason::KeepsDraw, remaining: None })
            }
            None => self.by_rule_of_thumb(&query, Reason::Undecided(stop)),
        };
        Advice { known, best }
    }

    fn by_rule_of_thumb(&mut self, query: &SolveQuery, reason: Reason) -> Option<Choice> {
        // the position is too hard for the limits already; a moment is enough for a rule of thumb
        let mut meter = Meter::new(&Budget { positions: Some(1000), ..Budget::default() });
        let suggested = self.session.most_resisting(query, &mut meter).ok().flatten().map(|s| s.legal);
        let played = suggested.or_else(|| random_move(&query.game, &mut self.random))?;
        Some(Choice { played, reason, remaining: None })
    }

    /// Who wins `position`.
    pub fn assess(&mut self, position: &Sum<AnyComponent>, convention: Convention, budget: &Budget) -> Assessment {
        let query = SolveQuery { moves: MovesWanted::None, ..SolveQuery::new(position.clone(), convention) };
        match self.session.solve(&query, budget) {
            Ok(answer) => assessment(&answer),
            Err(refusal) => Assessment { stop: Some(refusal.message), ..Assessment::default() },
        }
    }

    /// What is known about the position before each turn, and about the last one; `budget` is that of one position.
    pub fn review(&mut self, game: &Game, budget: &Budget) -> Vec<Assessment> {
        (0..=game.turns().len()).map(|k| self.assess(&game.position_before(k), game.convention(), budget)).collect()
    }
}

fn assessment(answer: &SolveAnswer) -> Assessment {
    Assessment {
        outcome: answer.outcome,
        value: answer.value,
        stop: answer
            .stop
            .as_ref()
            .filter(|_| answer.outcome.is_none() || answer.moves.is_empty())
            .map(|s| s.to_string()),
    }
}

/// The winning move of the answer that wins soonest, or the first where that is not cheap to find; `nearest` where play may go
/// on for ever.
fn winning(query: &SolveQuery, mut answer: SolveAnswer, nearest: Option<usize>) -> Choice {
    let mut best = (nearest.unwrap_or(0), None);
    if nearest.is_none()
        && let Some(lengths) = lengths(query, &answer.moves)
    {
        best = (0, lengths.first().copied());
        for (i, length) in lengths.into_iter().enumerate() {
            if best.1.is_none_or(|b| length < b) {
                best = (i, Some(length));
            }
        }
    }
    let played = answer.moves.swap_remove(best.0);
    let after = query.game.replaced(played.component, &played.to);
    let reason = match query.convention {
        Convention::Normal if !walk::has_moves(&after) => Reason::LastMove,
        Convention::Normal if answer.value.is_some() => Reason::NimSumZero,
        Convention::Normal => Reason::LeavesLost,
        Convention::Misere => {
            let heaps: Option<Vec<u64>> = after.components().iter().map(AnyComponent::misere_nim_value).collect();
            heaps.map_or(Reason::LeavesLost, |heaps| Reason::LeavesNim(NimClass::of(&heaps)))
        }
    };
    Choice { played, reason, remaining: best.1 }
}

/// How many moves follow each of `moves`, in positions small enough to know at once.
fn lengths(query: &SolveQuery, moves: &[Move]) -> Option<Vec<u32>> {
    // no clock: the choice must be the same on every machine
    let mut meter = Meter::new(&Budget { positions: Some(20_000), ..Budget::default() });
    if !is_small(query.game.components()) {
        return None;
    }
    let mut search = Remoteness::new(query.convention);
    let length = |m: &Move| {
        let after = query.game.replaced(m.component, &m.to);
        search.verdict(after.components(), &mut meter).ok().map(|v| v.remoteness)
    };
    moves.iter().map(length).collect()
}

fn remaining(query: &SolveQuery, played: &Move) -> Option<u32> {
    lengths(query, std::slice::from_ref(played))?.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Side;
    use grundy_core::notation::read_game;

    fn advise(text: &str, convention: Convention) -> Advice {
        let game = Game::new(read_game(text).unwrap(), convention, Side::You).unwrap();
        Player::new(Level::Perfect, 0).advise(&game, &Budget::default())
    }

    #[test]
    fn the_ladder_has_three_rungs_in_a_won_position_and_two_in_a_lost_one() {
        let won = advise("3 5 7", Convention::Normal);
        assert!(matches!(won.hint(1), Hint::Standing(Assessment { outcome: Some(Outcome::N), value: Some(1), .. })));
        let Hint::Component { index, .. } = won.hint(2) else { panic!("{won:?}") };
        let Hint::Move(choice) = won.hint(3) else { panic!("{won:?}") };
        assert_eq!((choice.played.component, won.hint(9), won.rungs()), (index, won.hint(3), 3));
        assert_eq!(choice.reason, Reason::NimSumZero);

        let lost = advise("1 2 3", Convention::Misere);
        assert!(matches!(lost.hint(1), Hint::Standing(Assessment { outcome: Some(Outcome::P), .. })));
        assert!(matches!(lost.hint(2), Hint::Move(Choice { reason: Reason::LastsLongest, remaining: Some(_), .. })));
        assert_eq!((lost.hint(3), lost.rungs()), (lost.hint(2), 2));
        assert_eq!(advise("nim(0)", Convention::Misere).hint(1), Hint::NoMove);
    }

    #[test]
    fn wins_soonest() {
        // leaving nothing of the heap wins at once; the value of both moves is 0
        let a = advise("lasker(5) + nim(0)", Convention::Normal);
        assert_eq!(a.best.unwrap().reason, Reason::LastMove);
        // one heap of 1 is left, or the even heaps by a longer way
        let a = advise("1 5", Convention::Misere).best.unwrap();
        assert_eq!((a.played.name.as_str(), a.remaining), ("take 5", Some(1)));
        assert_eq!(a.reason, Reason::LeavesNim(NimClass::OddOnes));
    }

    #[test]
    fn limits_are_named() {
        let game = Game::new(read_game("kayles(40, 41, 39)").unwrap(), Convention::Misere, Side::You).unwrap();
        // fewer than heaps of the quotient, which would know
        let budget = Budget { positions: Some(20), ..Budget::default() };
        let advice = Player::new(Level::Perfect, 0).advise(&game, &budget);
        assert_eq!(advice.known.outcome, None);
        let best = advice.best.clone().unwrap();
        assert!(matches!(&best.reason, Reason::Undecided(why) if why.contains("limit")), "{best:?}");
        assert!(walk::legal_move(game.position(), best.played.component, &best.played.to).is_some());
        assert!(matches!(advice.hint(2), Hint::Move(_)));
    }

    #[test]
    fn huge_heaps() {
        let a = advise("nim(10^18, 5)", Convention::Misere).best.unwrap();
        assert_eq!(a.played.name, "take 999999999999999995");
        assert_eq!(a.reason, Reason::LeavesNim(NimClass::Balanced));
        let a = advise("nim(10^18, 10^18)", Convention::Normal).best.unwrap();
        assert_eq!((a.played.name.as_str(), a.reason), ("take 1", Reason::GivesLittle));
    }

    #[test]
    fn levels_draw_as_they_say() {
        let game = Game::new(read_game("nim(3, 5, 7)").unwrap(), Convention::Normal, Side::Computer).unwrap();
        let mut club = Player::new(Level::Club, 11);
        let random = (0..500)
            .filter(|_| matches!(club.choose(&game, &Budget::default()).unwrap().reason, Reason::Random(Level::Club)))
            .count();
        assert!((110..190).contains(&random), "{random}");
        let moves = |seed| {
            let mut p = Player::new(Level::Beginner, seed);
            (0..20).map(|_| p.choose(&game, &Budget::default()).unwrap().played.name).collect::<Vec<_>>()
        };
        assert_eq!(moves(4), moves(4));
        assert_ne!(moves(4), moves(5));
    }
}
