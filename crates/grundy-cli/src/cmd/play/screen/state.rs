//! What the screen knows, and what keys do to it.

use std::time::Duration;

use grundy::{
    Budget,
    play::{Advice, Assessment, Choice, Game, Level, Player, Side, read_move, walk},
};
use grundy_core::{notation::print_component, rulesets::AnyComponent};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::Spot;
use crate::render::{play as say, solve::capital};

/// Most time for the value of one past position.
const REVIEW: Duration = Duration::from_secs(1);

/// What a key asks the loop to do.
#[derive(Debug)]
pub enum Effect {
    /// Draw again.
    None,
    /// Let the computer work.
    Start(Order),
    /// Let the computer stop working: it answers with what it has.
    Cancel,
    /// Leave.
    Quit,
    /// Leave as Ctrl-C does.
    Interrupt,
}

/// What the computer is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Choose a move.
    Move,
    /// Advise the person.
    Advise,
    /// Say who was winning before the turns from this one on.
    Assess(usize),
}

/// Work for the computer on the game as it was when the order was given.
#[derive(Debug)]
pub struct Order {
    pub task: Task,
    pub game: Game,
    /// Answers to an older game are thrown away.
    pub generation: u64,
}

/// The computer's answer.
#[derive(Debug)]
pub enum Done {
    Move(Option<Choice>),
    Advice(Advice),
    Assessed(usize, Vec<Assessment>),
}

/// Does the work of an order.
pub fn perform(player: &mut Player, order: &Order, budget: &Budget) -> Done {
    let game = &order.game;
    match order.task {
        Task::Move => Done::Move(player.choose(game, budget)),
        Task::Advise => Done::Advice(player.advise(game, budget)),
        Task::Assess(from) => {
            let budget = Budget { time: Some(budget.time.map_or(REVIEW, |t| t.min(REVIEW))), ..budget.clone() };
            let known = (from..game.turns().len())
                .map(|k| player.assess(&game.position_before(k), game.convention(), &budget))
                .collect();
            Done::Assessed(from, known)
        }
    }
}

/// A game on the screen.
#[derive(Debug)]
pub struct State {
    pub game: Game,
    pub level: Level,
    pub colour: bool,
    /// The chosen component.
    pub selected: usize,
    /// The move that Enter plays: what the chosen component becomes; None if it has no such move.
    pub prepared: Option<walk::Parts>,
    /// Digits typed for an amount.
    pub typed: String,
    /// A move that is being typed in full.
    pub line: Option<String>,
    /// A square of the chosen board on which a domino was begun.
    begun: Option<(usize, usize)>,
    /// The squares by which a move was pointed at, and the move.
    pointed: Option<(Vec<(usize, usize)>, walk::Parts)>,
    /// What the computer said to its last move.
    pub said: String,
    /// The answer to the last key.
    pub message: String,
    /// Who was winning before each turn, as far as known.
    pub known: Vec<Assessment>,
    /// Whether `known` is shown.
    pub values: bool,
    /// The page of help is open.
    pub help: bool,
    /// The computer is choosing a move.
    pub thinking: bool,
    advising: bool,
    asked_to_resign: bool,
    advice: Option<Advice>,
    rung: usize,
    generation: u64,
}

impl State {
    pub fn new(game: Game, level: Level, colour: bool) -> Self {
        let mut state = State {
            game,
            level,
            colour,
            selected: 0,
            prepared: None,
            typed: String::new(),
            line: None,
            begun: None,
            pointed: None,
            said: String::new(),
            message: String::new(),
            known: Vec::new(),
            values: true,
            help: false,
            thinking: false,
            advising: false,
            asked_to_resign: false,
            advice: None,
            rung: 0,
            generation: 0,
        };
        state.settle();
        state
    }

    /// The first order: the computer may have to move first.
    pub fn begin(&mut self) -> Effect {
        self.go_on()
    }

    /// The chosen component.
    pub fn component(&self) -> Option<&AnyComponent> {
        self.game.position().components().get(self.selected)
    }

    /// What the prepared move takes from its heap.
    pub fn amount(&self) -> Option<u64> {
        walk::amount(self.component()?, self.prepared.as_ref()?)
    }

    fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    /// After every change of the position: forgets what was about the old one and prepares a first move.
    fn settle(&mut self) {
        self.generation += 1;
        self.advice = None;
        self.rung = 0;
        self.thinking = false;
        self.advising = false;
        self.typed.clear();
        self.known.truncate(self.game.turns().len());
        let all = self.game.position().components();
        if self.selected >= all.len() || !walk::has_move(&all[self.selected]) {
            self.selected = all.iter().position(walk::has_move).unwrap_or(0);
        }
        self.prepare_first();
        if let Some(text) = say::ending(&self.game) {
            self.message = format!("{text} u takes back, n plays again, q leaves.");
        }
    }

    fn prepare_first(&mut self) {
        self.typed.clear();
        (self.begun, self.pointed) = (None, None);
        self.prepared = self.component().and_then(walk::first);
    }

    fn order(&self, task: Task) -> Effect {
        Effect::Start(Order { task, game: self.game.clone(), generation: self.generation })
    }

    /// What the computer does next: its move, or a look back.
    fn go_on(&mut self) -> Effect {
        if !self.is_over() && self.game.to_move() == Side::Computer {
            self.thinking = true;
            return self.order(Task::Move);
        }
        self.look_back()
    }

    fn look_back(&self) -> Effect {
        if self.known.len() < self.game.turns().len() {
            return self.order(Task::Assess(self.known.len()));
        }
        Effect::None
    }

    /// Takes the computer's answer.
    pub fn receive(&mut self, generation: u64, done: Done) -> Effect {
        if generation != self.generation {
            return Effect::None;
        }
        match done {
            Done::Move(choice) => {
                let made = choice.as_ref().is_some_and(|c| self.game.play(c.played.component, &c.played.to).is_ok());
                match choice {
                    Some(choice) if made => self.said = say::computer_moved(&choice),
                    _ => {
                        self.said = "The computer finds no legal move within its limits and gives up.".into();
                        self.game.resign(Side::Computer);
                    }
                }
                self.message.clear();
                self.settle();
                self.look_back()
            }
            Done::Advice(advice) => {
                self.advising = false;
                self.advice = Some(advice);
                self.next_hint();
                Effect::None
            }
            Done::Assessed(from, known) => {
                if from == self.known.len() {
                    self.known.extend(known);
                }
                Effect::None
            }
        }
    }

    /// What a key does.
    pub fn update(&mut self, key: KeyEvent) -> Effect {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Effect::Interrupt } else { Effect::None };
        }
        if self.help {
            self.help = false;
            return Effect::None;
        }
        if self.line.is_some() {
            return self.edit_line(key.code);
        }
        if std::mem::take(&mut self.asked_to_resign) {
            self.message.clear();
            if matches!(key.code, KeyCode::Char('y' | 'Y' | 'R')) {
                self.game.resign(Side::You);
                self.settle();
                return self.look_back();
            }
            return Effect::None;
        }
        match key.code {
            KeyCode::Char('q') => return Effect::Quit,
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char('v') => self.values = !self.values,
            KeyCode::Esc if self.thinking => return Effect::Cancel,
            _ if self.thinking => self.message = "The computer is thinking; Esc makes it move now.".into(),
            KeyCode::Char('u') => return self.undo(),
            KeyCode::Char('r') => return self.redo(),
            KeyCode::Char('n') if self.is_over() => return self.again(),
            _ if self.is_over() => self.message = "The game is over. u takes back, n plays again, q leaves.".into(),
            code => {
                self.message.clear();
                return self.at_move(code);
            }
        }
        Effect::None
    }

    /// What a click does.
    pub fn click(&mut self, spot: Spot) -> Effect {
        if self.help || self.line.is_some() || self.asked_to_resign || self.thinking || self.is_over() {
            // as any other key
            return self.update(KeyEvent::new(KeyCode::Null, KeyModifiers::NONE));
        }
        self.message.clear();
        match spot {
            Spot::Prepared => return self.play_prepared(),
            Spot::Component(i) => self.select(i),
            Spot::Objects(i, k) => {
                let is_shown = self.selected == i && self.amount() == Some(k);
                if is_shown {
                    return self.play_prepared();
                }
                self.select(i);
                if self.selected == i && self.prepared_is_amount() {
                    self.typed = k.to_string();
                    self.prepare_typed();
                }
            }
            Spot::Square(row, column) => return self.click_square((row, column)),
        }
        Effect::None
    }

    fn select(&mut self, i: usize) {
        match self.game.position().components().get(i) {
            Some(component) if walk::has_move(component) => {
                self.selected = i;
                self.prepare_first();
            }
            Some(component) => self.message = format!("{} has no move.", print_component(component)),
            None => {}
        }
    }

    /// A square is bitten, or covered together with the one beside it that was clicked before; one click more plays the move.
    fn click_square(&mut self, square: (usize, usize)) -> Effect {
        let is_pointed =
            |(squares, to): &(Vec<_>, walk::Parts)| squares.contains(&square) && self.prepared.as_ref() == Some(to);
        if self.pointed.as_ref().is_some_and(is_pointed) {
            return self.play_prepared();
        }
        let begun = self.begun.take();
        let squares = match (self.component(), begun) {
            (Some(AnyComponent::Cram(_, board)), begun) => match begun {
                Some(first) if first.0.abs_diff(square.0) + first.1.abs_diff(square.1) == 1 => {
                    vec![first.min(square), first.max(square)]
                }
                _ if board.free(square.0, square.1) => {
                    self.begun = Some(square);
                    self.message = "Now a free cell beside it.".into();
                    return Effect::None;
                }
                _ => {
                    self.message = "This cell is not free.".into();
                    return Effect::None;
                }
            },
            _ => vec![square],
        };
        let name = squares.iter().map(|(r, c)| format!("({r},{c})")).collect::<Vec<_>>().join("-");
        match read_move(&format!("{}: {name}", self.selected + 1), self.game.position()) {
            Ok(m) => {
                self.typed.clear();
                self.prepared = Some(m.to.clone());
                self.pointed = Some((squares, m.to));
                self.message = "Click there again to play it.".into();
            }
            Err(e) => self.message = format!("{}: {}.", capital(&e.message), e.hint),
        }
        Effect::None
    }

    /// The wheel goes through the moves of the chosen component.
    pub fn scroll(&mut self, down: bool) -> Effect {
        self.update(KeyEvent::new(if down { KeyCode::Right } else { KeyCode::Left }, KeyModifiers::NONE))
    }

    /// Keys that prepare and make a move.
    fn at_move(&mut self, code: KeyCode) -> Effect {
        match code {
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.choose(-1),
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.choose(1),
            KeyCode::Right | KeyCode::Char('l' | '+') => self.step(walk::next),
            KeyCode::Left | KeyCode::Char('-') => self.step(walk::previous),
            KeyCode::PageDown => (0..10).for_each(|_| self.step_amount(true)),
            KeyCode::PageUp => (0..10).for_each(|_| self.step_amount(false)),
            KeyCode::Home => self.prepare_first(),
            KeyCode::End => {
                self.typed.clear();
                self.prepared = self.component().and_then(walk::last);
            }
            KeyCode::Char(digit) if digit.is_ascii_digit() => {
                if self.typed.len() < 20 {
                    self.typed.push(digit);
                    self.prepare_typed();
                }
            }
            KeyCode::Backspace => {
                self.typed.pop();
                if self.typed.is_empty() { self.prepare_first() } else { self.prepare_typed() }
            }
            KeyCode::Esc => self.prepare_first(),
            KeyCode::Enter => return self.play_prepared(),
            KeyCode::Char('m' | ':') => self.line = Some(String::new()),
            KeyCode::Char('h') => return self.hint(),
            KeyCode::Char('R') => {
                self.asked_to_resign = true;
                self.message = "Give up? y or n".into();
            }
            _ => self.message = "This key does nothing here; ? lists the keys.".into(),
        }
        Effect::None
    }

    /// Goes to the next or previous component that can move.
    fn choose(&mut self, step: isize) {
        let all = self.game.position().components();
        let len = all.len() as isize;
        let next = (1..=len).map(|d| (self.selected as isize + step * d).rem_euclid(len) as usize);
        if let Some(i) = next.into_iter().find(|i| walk::has_move(&all[*i])) {
            self.selected = i;
        }
        self.prepare_first();
    }

    fn step(&mut self, walk: fn(&AnyComponent, &[AnyComponent]) -> Option<walk::Parts>) {
        self.typed.clear();
        let Some(component) = self.component() else { return };
        match &self.prepared {
            Some(parts) => {
                if let Some(next) = walk(component, parts) {
                    self.prepared = Some(next);
                }
            }
            None => self.prepare_first(),
        }
    }

    /// To the next or previous amount, whatever is left of the heap; one move further where moves are no amounts.
    fn step_amount(&mut self, up: bool) {
        let (Some(component), Some(amount)) = (self.component(), self.amount()) else {
            return self.step(if up { walk::next } else { walk::previous });
        };
        let next = if up {
            amount.checked_add(1).and_then(|k| walk::of_amount(component, k))
        } else {
            walk::of_amount(component, amount).and_then(|first| walk::previous(component, &first))
        };
        self.typed.clear();
        if next.is_some() {
            self.prepared = next;
        }
    }

    fn prepare_typed(&mut self) {
        let Some(component) = self.component().cloned() else { return };
        let component = &component;
        let number: Option<u64> = self.typed.parse().ok();
        let is_heap = self.prepared_is_amount();
        self.prepared = number.and_then(|n| {
            if is_heap {
                walk::of_amount(component, n).filter(|to| walk::amount(component, to) == Some(n))
            } else {
                walk::nth(component, n.checked_sub(1)?)
            }
        });
        if self.prepared.is_none() {
            let name = print_component(component);
            self.message = if is_heap {
                format!("One may not take {} from {name}.", self.typed)
            } else {
                format!("{name} has no move number {}.", self.typed)
            };
        }
    }

    /// True if digits are an amount to take, not the number of a move.
    pub fn prepared_is_amount(&self) -> bool {
        self.component().is_some_and(|c| walk::amount(c, &[]).is_some())
    }

    fn play_prepared(&mut self) -> Effect {
        let Some(to) = self.prepared.clone() else {
            self.message = "There is no such move; arrow keys go through the moves.".into();
            return Effect::None;
        };
        self.make(self.selected, &to)
    }

    fn make(&mut self, i: usize, to: &[AnyComponent]) -> Effect {
        match self.game.play(i, to) {
            Ok(_) => {
                self.said.clear();
                self.settle();
                self.go_on()
            }
            Err(e) => {
                self.message = capital(&format!("{e}."));
                Effect::None
            }
        }
    }

    fn edit_line(&mut self, code: KeyCode) -> Effect {
        const LONGEST: usize = 200;
        let Some(line) = &mut self.line else { return Effect::None };
        match code {
            KeyCode::Esc => self.line = None,
            KeyCode::Backspace => {
                line.pop();
            }
            KeyCode::Char(c) if line.len() < LONGEST && !c.is_control() => line.push(c),
            KeyCode::Enter => {
                let line = self.line.take().unwrap_or_default();
                if line.trim().is_empty() {
                    return Effect::None;
                }
                match read_move(&line, self.game.position()) {
                    Ok(m) => return self.make(m.component, &m.to),
                    Err(e) => self.message = format!("{}: {}.", capital(&e.message), e.hint),
                }
            }
            _ => {}
        }
        Effect::None
    }

    fn hint(&mut self) -> Effect {
        if self.advice.is_some() {
            self.next_hint();
            return Effect::None;
        }
        if self.advising {
            return Effect::None;
        }
        self.advising = true;
        self.message = "Thinking about a hint …".into();
        self.order(Task::Advise)
    }

    fn next_hint(&mut self) {
        if let Some(advice) = &self.advice {
            self.rung = (self.rung + 1).min(advice.rungs());
            self.message = say::hint(&advice.hint(self.rung));
            if let grundy::play::Hint::Component { index, .. } = advice.hint(self.rung) {
                self.selected = index;
                self.prepare_first();
            }
        }
    }

    fn undo(&mut self) -> Effect {
        match self.game.undo_to(Side::You) {
            0 => self.message = "There is no move of yours to take back.".into(),
            n => self.changed(format!("Taken back: {n} {}. r makes them again.", moves(n))),
        }
        self.look_back()
    }

    fn redo(&mut self) -> Effect {
        match self.game.redo_to(Side::You) {
            0 => self.message = "There is nothing to do again.".into(),
            n => self.changed(format!("Made again: {n} {}.", moves(n))),
        }
        self.look_back()
    }

    fn changed(&mut self, message: String) {
        self.said.clear();
        self.message = message;
        self.settle();
    }

    /// The same position once more.
    fn again(&mut self) -> Effect {
        let first =
            if self.game.turns().len().is_multiple_of(2) { self.game.to_move() } else { self.game.to_move().other() };
        match Game::new(self.game.position_before(0), self.game.convention(), first) {
            Ok(game) => self.game = game,
            Err(refusal) => self.message = refusal.message,
        }
        self.known.clear();
        self.changed("A new game.".into());
        self.go_on()
    }
}

fn moves(n: usize) -> &'static str {
    if n == 1 { "move" } else { "moves" }
}
