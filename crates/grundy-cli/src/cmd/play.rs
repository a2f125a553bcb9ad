//! `grundy play`: a screen on a terminal, plain lines otherwise.

mod lines;
mod screen;

use std::{
    hash::{BuildHasher, RandomState},
    io::{self, IsTerminal},
    process::ExitCode,
};

use grundy::{
    Session,
    budget::Meter,
    play::{Game, Level, Player, Side},
};
use grundy_core::theory::Convention;

use crate::{
    args::{First, PlayArgs, PlayLevel},
    failure::Failure,
    files::Files,
    limits,
};

pub fn run(args: PlayArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Interactive)?;
    let text = args.expression.join(" ");
    let start = Files::with(&args.own)?.game(&text)?;
    // a game that may go on for ever is not begun
    Session::new().look_for_cycles(start.components(), &mut Meter::new(&budget))?;
    let convention = if args.misere { Convention::Misere } else { Convention::Normal };
    let first = match args.first {
        First::Me => Side::You,
        First::Computer => Side::Computer,
    };
    let level = match args.level {
        PlayLevel::Perfect => Level::Perfect,
        PlayLevel::Club => Level::Club,
        PlayLevel::Beginner => Level::Beginner,
    };
    let game = Game::new(start, convention, first)?;
    // without a seed every game is another one
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
    let player = Player::new(level, seed);
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        screen::run(game, player, budget)
    } else {
        lines::run(game, player, budget)
    }
}
