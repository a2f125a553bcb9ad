//! Play on the whole terminal: the loop between keys, the picture and the computer.
//!
//! [`state`] turns keys into changes, [`draw`] turns the state into a picture, and both are pure; here is what is not. The
//! computer thinks in a thread of its own, so that keys are heard meanwhile.

mod draw;
mod state;

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::mpsc::{self, Receiver, Sender, TryRecvError},
    thread,
    time::Duration,
};

use grundy::{
    Budget,
    budget::CancelToken,
    play::{Game, Player},
};
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{
            self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
        },
        execute,
    },
    layout::Rect,
};

use crate::{
    failure::{Failure, code},
    limits,
    render::{
        play as say,
        solve::{convention, shorten},
    },
};
use state::{Done, Effect, Order, State, perform};

/// How long one waits for a key before looking at signals and at the computer.
const BLINK: Duration = Duration::from_millis(50);

pub fn run(game: Game, player: Player, budget: Budget) -> Result<ExitCode, Failure> {
    let mut state = State::new(game, player.level(), std::env::var_os("NO_COLOR").is_none());
    let level = say::level(&player);
    let computer = Computer::start(player, budget);
    // restores the terminal on a panic too
    let mut terminal = ratatui::try_init().inspect_err(|_| ratatui::restore()).map_err(of_terminal)?;
    let mouse = Mouse::heard();
    let result = play(&mut terminal, &mut state, computer);
    drop(mouse);
    ratatui::restore();
    let mut out = io::stdout().lock();
    writeln!(out, "{}   ({})", shorten(&state.game.print()), convention(state.game.convention()))?;
    match say::ending(&state.game) {
        Some(text) => writeln!(out, "{text} The computer played at {level}.")?,
        None => writeln!(out, "The game is not over; the computer played at {level}.")?,
    }
    result
}

/// Clicks are told to the program; to the terminal again when it is dropped, after a panic too. A terminal without a mouse is
/// played on by keys.
struct Mouse;

impl Mouse {
    fn heard() -> Mouse {
        let _ = execute!(io::stdout(), EnableMouseCapture);
        Mouse
    }
}

impl Drop for Mouse {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
    }
}

/// What a mouse event does on a screen of this size; None if it does nothing.
fn pointed(state: &mut State, area: Rect, mouse: MouseEvent) -> Option<Effect> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            draw::spot(state, area, mouse.column, mouse.row).map(|spot| state.click(spot))
        }
        MouseEventKind::ScrollDown => Some(state.scroll(true)),
        MouseEventKind::ScrollUp => Some(state.scroll(false)),
        _ => None,
    }
}

fn of_terminal(error: io::Error) -> Failure {
    Failure::stream("the terminal", &error)
}

fn play(terminal: &mut DefaultTerminal, state: &mut State, mut computer: Computer) -> Result<ExitCode, Failure> {
    let first = state.begin();
    computer.obey(first);
    loop {
        terminal.draw(|frame| draw::draw(frame, state)).map_err(of_terminal)?;
        // wait for something to happen
        loop {
            if limits::interrupted() {
                computer.cancel();
                return Ok(ExitCode::from(limits::interrupted_code()));
            }
            match computer.done.try_recv() {
                Ok((generation, done)) => {
                    let effect = state.receive(generation, done);
                    computer.obey(effect);
                    break;
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Err(Failure::usage("the computer player stopped working")),
            }
            if !event::poll(BLINK).map_err(of_terminal)? {
                continue;
            }
            match event::read().map_err(of_terminal)? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    match state.update(key) {
                        Effect::Quit => return Ok(ExitCode::SUCCESS),
                        Effect::Interrupt => {
                            computer.cancel();
                            return Ok(ExitCode::from(code::INTERRUPTED));
                        }
                        other => computer.obey(other),
                    }
                    break;
                }
                Event::Mouse(mouse) => {
                    let area = Rect::from(terminal.size().map_err(of_terminal)?);
                    if let Some(effect) = pointed(state, area, mouse) {
                        computer.obey(effect);
                        break;
                    }
                }
                Event::Resize(..) => break,
                _ => {}
            }
        }
    }
}

/// The thread in which the computer thinks.
struct Computer {
    orders: Sender<(Order, Budget)>,
    done: Receiver<(u64, Done)>,
    budget: Budget,
    running: CancelToken,
}

impl Computer {
    fn start(mut player: Player, budget: Budget) -> Self {
        let (orders, received) = mpsc::channel::<(Order, Budget)>();
        let (answers, done) = mpsc::channel();
        thread::spawn(move || {
            for (order, budget) in received {
                let answer = perform(&mut player, &order, &budget);
                if answers.send((order.generation, answer)).is_err() {
                    return;
                }
            }
        });
        Computer { orders, done, running: budget.cancel.clone(), budget }
    }

    fn obey(&mut self, effect: Effect) {
        match effect {
            Effect::Start(order) => {
                self.running = CancelToken::default();
                let budget = Budget { cancel: self.running.clone(), ..self.budget.clone() };
                // a thread that is gone shows in the next answer that fails to come
                let _ = self.orders.send((order, budget));
            }
            Effect::Cancel => self.cancel(),
            Effect::None | Effect::Quit | Effect::Interrupt => {}
        }
    }

    fn cancel(&self) {
        self.running.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::play::{Level, Side};
    use grundy_core::{notation::read_game, theory::Convention};
    use ratatui::{
        Terminal,
        backend::TestBackend,
        crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    };

    /// A game whose orders are done at once.
    struct Table {
        state: State,
        player: Player,
        budget: Budget,
    }

    impl Table {
        fn new(text: &str, convention: Convention, first: Side) -> Self {
            let game = Game::new(read_game(text).unwrap(), convention, first).unwrap();
            let state = State::new(game, Level::Perfect, false);
            let mut table = Table { state, player: Player::new(Level::Perfect, 1), budget: Budget::default() };
            let first = table.state.begin();
            table.obey(first);
            table
        }

        fn obey(&mut self, mut effect: Effect) {
            while let Effect::Start(order) = effect {
                let done = perform(&mut self.player, &order, &self.budget);
                effect = self.state.receive(order.generation, done);
            }
        }

        fn press(&mut self, code: KeyCode) {
            let effect = self.state.update(KeyEvent::new(code, KeyModifiers::NONE));
            self.obey(effect);
        }

        fn keys(&mut self, text: &str) {
            text.chars().for_each(|c| self.press(if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) }));
        }

        /// Clicks on the first place of a screen of 80 by 24 where the text stands, so many letters into it.
        fn click(&mut self, text: &str, letters: usize) {
            let picture = self.picture(80, 24);
            let (y, line) = picture.lines().enumerate().find(|(_, line)| line.contains(text)).expect(text);
            let x = line[..line.find(text).unwrap()].chars().count() + letters;
            let mouse = MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column: x as u16,
                row: y as u16,
                modifiers: KeyModifiers::NONE,
            };
            if let Some(effect) = pointed(&mut self.state, Rect::new(0, 0, 80, 24), mouse) {
                self.obey(effect);
            }
        }

        fn picture(&self, width: u16, height: u16) -> String {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw::draw(frame, &self.state)).unwrap();
            let buffer = terminal.backend().buffer();
            let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
            (0..height).map(|y| line(y).trim_end().to_owned() + "\n").collect()
        }

        fn position(&self) -> String {
            self.state.game.print()
        }
    }

    fn shows(picture: &str, wanted: &[&str]) {
        for w in wanted {
            assert!(picture.contains(w), "{w} is missing:\n{picture}");
        }
    }

    #[test]
    fn a_first_picture() {
        let t = Table::new("3 5 7", Convention::Misere, Side::You);
        let p = t.picture(80, 24);
        shows(
            &p,
            &[
                "misère play: a player who cannot move wins, taking the last object loses",
                "▶ 1 nim(3)  ● ● ○",
                "  2 nim(5)  ● ● ● ● ●",
                "your move",
                "Enter: take 1   nim(3) -> nim(2)",
                "? help",
            ],
        );
    }

    #[test]
    fn arrows_choose_a_heap_and_an_amount() {
        let mut t = Table::new("3 5 7", Convention::Normal, Side::You);
        t.press(KeyCode::Down);
        t.press(KeyCode::Right);
        shows(&t.picture(80, 24), &["▶ 2 nim(5)  ● ● ● ○ ○", "take 2   nim(5) -> nim(3)"]);
        t.press(KeyCode::Left);
        t.press(KeyCode::Left);
        assert_eq!(t.state.amount(), Some(1), "there is nothing before the first move");
        t.press(KeyCode::Up);
        t.press(KeyCode::Up);
        assert_eq!(t.state.selected, 2, "round the corner");
        t.press(KeyCode::End);
        assert_eq!(t.state.amount(), Some(7));
        t.press(KeyCode::PageUp);
        assert_eq!(t.state.amount(), Some(1));
        t.press(KeyCode::PageDown);
        assert_eq!(t.state.amount(), Some(7));
        t.press(KeyCode::Home);
        t.keys("6");
        assert_eq!(t.state.amount(), Some(6));
        t.press(KeyCode::Enter);
        // 3 xor 5 xor 1 = 7 is not 0: the computer answers
        assert_eq!(t.state.game.turns().len(), 2);
        let p = t.picture(80, 24);
        shows(&p, &["1 you 3: take 6", "won *1", "Computer: nim(5) -> nim(2) (take 3): nim-sum becomes 0"]);
    }

    #[test]
    fn clicks_choose_heaps_and_objects() {
        let mut t = Table::new("3 5 7", Convention::Normal, Side::You);
        t.click("2 nim(5)", 0);
        shows(&t.picture(80, 24), &["▶ 2 nim(5)  ● ● ● ● ○"]);
        // the fourth of seven objects goes with the three behind it
        t.click("● ● ● ● ● ● ●", 6);
        shows(&t.picture(80, 24), &["▶ 3 nim(7)  ● ● ● ○ ○ ○ ○", "take 4"]);
        assert_eq!(t.state.game.turns().len(), 0);
        t.click("○ ○ ○ ○", 0);
        assert_eq!(t.state.game.turns()[0].played.name, "take 4");
        t.click("Enter: take", 3);
        assert_eq!(t.state.game.turns().len(), 4, "a click on the move plays it, and the computer answers");
        t.state.help = true;
        t.click(" keys ", 0);
        assert!(!t.state.help);
        let mut t = Table::new("nim(10^18)", Convention::Normal, Side::You);
        t.click("████", 2);
        assert_eq!((t.state.amount(), t.state.game.turns().len()), (Some(1), 0), "bars are no objects");
    }

    #[test]
    fn clicks_bite_and_cover_squares() {
        let mut t = Table::new("chomp(3x4) + cram(2x3)", Convention::Normal, Side::You);
        t.click("1  #", 5);
        shows(&t.picture(80, 24), &["1  # #*#*#*", "Click there again"]);
        assert_eq!(t.state.game.turns().len(), 0);
        t.click("1  # #*#*#*", 5);
        assert_eq!(t.state.game.turns()[0].played.name, "(1,1)");
        let mut t = Table::new("cram(\"..#/...\")", Convention::Normal, Side::You);
        t.click("0  ", 7);
        shows(&t.picture(80, 24), &["This cell is not free."]);
        t.click("1  ", 3);
        shows(&t.picture(80, 24), &["Now a free cell beside it."]);
        t.click("1  ", 7);
        shows(&t.picture(80, 24), &["Now a free cell beside it."]);
        t.click("1  ", 5);
        shows(&t.picture(80, 24), &["1  . O O", "(1,1)-(1,2)"]);
        // the arrows may choose another move, which a click does not play
        t.press(KeyCode::Left);
        t.click("1  ", 5);
        assert_eq!(t.state.game.turns().len(), 0);
        t.click("1  ", 7);
        t.click("1  ", 7);
        assert_eq!(t.state.game.turns()[0].played.name, "(1,1)-(1,2)");
        let mut t = Table::new("chomp(2x2)", Convention::Normal, Side::You);
        t.click("0  P", 3);
        shows(&t.picture(80, 24), &["poison"]);
    }

    #[test]
    fn typed_amounts() {
        let mut t = Table::new("nim(10^18) + kayles(5)", Convention::Normal, Side::You);
        t.keys("123456789012345678");
        assert_eq!(t.state.amount(), Some(123_456_789_012_345_678));
        shows(&t.picture(80, 24), &["typed 123456789012345678", "█", "░"]);
        t.keys("0000");
        assert_eq!(t.state.prepared, None);
        t.press(KeyCode::Enter);
        assert_eq!(t.state.game.turns().len(), 0);
        t.press(KeyCode::Esc);
        assert_eq!((t.state.amount(), t.state.typed.as_str()), (Some(1), ""));
        t.press(KeyCode::Down);
        t.keys("3");
        shows(&t.picture(80, 24), &["3 is no move", "One may not take 3 from kayles(5)."]);
        t.press(KeyCode::Backspace);
        t.keys("1");
        t.press(KeyCode::Right);
        t.press(KeyCode::Enter);
        assert_eq!(t.state.game.turns()[0].played.name, "take 1, leave 1 + 3");
    }

    #[test]
    fn other_rulesets_are_text() {
        let mut t = Table::new("wythoff(3, 5) + treblecross(7)", Convention::Normal, Side::You);
        shows(&t.picture(80, 24), &["▶ 1 wythoff(3, 5)", "-> wythoff(2, 5)"]);
        t.keys("4");
        shows(&t.picture(80, 24), &["typed 4"]);
        t.press(KeyCode::Down);
        shows(&t.picture(80, 24), &["mark square 1 or 7"]);
        t.keys("m1: (1, 3)\n");
        assert_eq!(t.state.game.turns().len(), 2);
        t.keys("mbanana\n");
        shows(&t.picture(80, 24), &["banana", "your move"]);
    }

    #[test]
    fn hints_undo_redo_and_the_end() {
        let mut t = Table::new("1 2", Convention::Misere, Side::You);
        t.keys("h");
        shows(&t.picture(80, 24), &["Hint: you can win."]);
        t.keys("h");
        shows(&t.picture(80, 24), &["look at heap 2", "▶ 2 nim(2)"]);
        t.keys("h");
        shows(&t.picture(80, 24), &["Hint: heap 2, nim(2) -> 0 (take 2)"]);
        t.keys("2\n");
        shows(
            &t.picture(80, 24),
            &["You have no move left. You win (misère play", "the game is over", "nothing is left"],
        );
        t.keys("\n");
        shows(&t.picture(80, 24), &["The game is over."]);
        t.keys("u");
        assert_eq!(t.position(), "nim(1, 2)");
        t.keys("r");
        assert_eq!(t.position(), "0");
        t.keys("n");
        assert_eq!((t.position().as_str(), t.state.game.turns().len()), ("nim(1, 2)", 0));
        t.keys("Rn");
        assert!(t.state.game.ending().is_none());
        t.keys("Ry");
        shows(&t.picture(80, 24), &["The computer wins: you have resigned."]);
    }

    #[test]
    fn the_computer_begins_and_explains() {
        let t = Table::new("3 5 7", Convention::Normal, Side::Computer);
        assert_eq!(t.state.game.turns().len(), 1);
        shows(&t.picture(80, 24), &["nim-sum becomes 0", " 1 it  ", "won *1"]);
    }

    #[test]
    fn keys_while_the_computer_thinks() {
        let game = Game::new(read_game("3 5").unwrap(), Convention::Normal, Side::Computer).unwrap();
        let mut state = State::new(game, Level::Club, false);
        let Effect::Start(order) = state.begin() else { panic!("the computer moves first") };
        let press = |state: &mut State, code| state.update(KeyEvent::new(code, KeyModifiers::NONE));
        assert!(matches!(press(&mut state, KeyCode::Enter), Effect::None));
        assert!(state.message.contains("thinking"));
        assert!(matches!(press(&mut state, KeyCode::Esc), Effect::Cancel));
        assert!(matches!(press(&mut state, KeyCode::Char('q')), Effect::Quit));
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert!(matches!(state.update(interrupt), Effect::Interrupt));
        // an answer to another game is dropped
        assert!(matches!(state.receive(order.generation + 1, Done::Move(None)), Effect::None));
        assert!(state.thinking && state.game.ending().is_none());
        state.receive(order.generation, Done::Move(None));
        assert_eq!(state.game.ending().map(|e| e.winner), Some(Side::You));
    }

    #[test]
    fn every_size_is_drawn() {
        let mut t = Table::new("40x nim(9) + wythoff(3, 4) + kayles(300)", Convention::Misere, Side::You);
        for help in [false, true] {
            t.state.help = help;
            for (w, h) in [(80, 24), (40, 12), (20, 6), (1, 1), (3, 2), (200, 60), (72, 5)] {
                let p = t.picture(w, h);
                if w >= 40 && !help {
                    shows(&p, &["taking the last object loses"]);
                }
            }
        }
        t.state.help = false;
        t.press(KeyCode::Char('x'));
        shows(&t.picture(50, 14), &["Enter: take 1", "This key does nothing here"]);
        shows(&t.picture(50, 10), &["This key does nothing here"]);
        for _ in 0..30 {
            t.press(KeyCode::Down);
        }
        shows(&t.picture(80, 24), &["▶ 31 nim(9)", "of 42"]);
        t.keys("v?");
        shows(&t.picture(80, 24), &["choose a heap"]);
    }
}
