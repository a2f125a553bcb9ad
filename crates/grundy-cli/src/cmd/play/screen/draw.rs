//! The picture of a game: heaps, history, what was said, and always the convention.

use grundy::play::Side;
use grundy_core::{
    notation::{print_component, print_sum},
    rulesets::AnyComponent,
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};

use super::state::State;
use crate::render::{boards::square, coins::picture, play as say, solve::convention};

/// Columns of the history.
const HISTORY: u16 = 32;

/// The width from which the history stands beside the heaps.
const WIDE: u16 = 72;

/// What stands where on the screen.
struct Places {
    top: Rect,
    heaps: Rect,
    history: Rect,
    said: Rect,
    bottom: Rect,
}

fn places(area: Rect) -> Places {
    // on a low screen the heaps keep at least a few lines
    let said = match area.height {
        0..12 => 1,
        12..16 => 3,
        16..24 => 6,
        _ => 7,
    };
    let [top, middle, said, bottom] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(3), Constraint::Length(said), Constraint::Length(1)])
            .areas(area);
    let [heaps, history] = if area.width >= WIDE {
        Layout::horizontal([Constraint::Min(30), Constraint::Length(HISTORY)]).areas(middle)
    } else {
        [middle, Rect::ZERO]
    };
    Places { top, heaps, history, said, bottom }
}

/// What a letter of the screen belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A component.
    Component(usize),
    /// An object of a heap: so many go with it.
    Objects(usize, u64),
    /// A square of the board of the chosen component: row and column.
    Square(usize, usize),
    /// The move that is shown.
    Prepared,
}

/// What is drawn at a place of a screen of this size.
pub fn spot(state: &State, area: Rect, x: u16, y: u16) -> Option<Spot> {
    let places = places(area);
    let at = Position { x, y };
    if places.said.contains(at) {
        return Some(Spot::Prepared);
    }
    let inner = Block::bordered().inner(places.heaps);
    if !inner.contains(at) {
        return None;
    }
    let list = List::of(state, inner);
    let (line, letter) = (usize::from(y - inner.y), usize::from(x - inner.x));
    let Some(component) = list.shown.get(line) else {
        // a blank line, and four blanks before the board
        let line = line.checked_sub(list.shown.len() + 1).filter(|_| list.board.is_some())?;
        let (row, column) = square(state.component()?, line, letter.checked_sub(INDENT)?)?;
        return Some(Spot::Square(row, column));
    };
    let i = list.start + line;
    let objects = letter.checked_sub(list.room.used());
    let object = objects.zip(list.room.letters_an_object()).map(|(letter, letters)| (letter / letters) as u64);
    match (heap(component), object) {
        (Some(n), Some(before)) if before < n => Some(Spot::Objects(i, n - before)),
        _ => Some(Spot::Component(i)),
    }
}

/// Blanks before a board.
const INDENT: usize = 4;

/// Draws the whole screen.
pub fn draw(frame: &mut Frame, state: &State) {
    let area = frame.area();
    let rule = say::convention_within(state.game.convention(), usize::from(area.width));
    let Places { top, heaps, history, said: below, bottom } = places(area);
    frame.render_widget(Paragraph::new(Span::styled(rule, Style::new().add_modifier(Modifier::BOLD))), top);
    draw_heaps(frame, state, heaps);
    if history.width > 0 {
        draw_history(frame, state, history);
    }
    draw_said(frame, state, below);
    frame.render_widget(Paragraph::new(keys(area.width)).style(Style::new().add_modifier(Modifier::DIM)), bottom);
    if state.help {
        draw_help(frame, state, area);
    }
}

fn keys(width: u16) -> &'static str {
    let all = [
        "↑↓ heap  ←→ fewer/more  0-9 amount  Enter play  h hint  u undo  r redo  ? help  q quit",
        "↑↓ heap ←→ amount 0-9 type Enter play h hint u undo r redo ? help q quit",
        "↑↓←→ 0-9 Enter h u r R ? q",
    ];
    all.into_iter().find(|k| k.chars().count() <= usize::from(width)).unwrap_or("? q")
}

fn accent(state: &State) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if state.colour { style.fg(Color::Cyan) } else { style }
}

fn draw_heaps(frame: &mut Frame, state: &State, area: Rect) {
    let turn = match (state.game.ending(), state.thinking) {
        (Some(_), _) => " the game is over ".to_owned(),
        (None, true) => format!(" the computer ({}) thinks … ", state.level.word()),
        (None, false) => match state.game.to_move() {
            Side::You => " your move ".into(),
            Side::Computer => " the computer's move ".into(),
        },
    };
    let block = Block::bordered().title(turn);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let all = state.game.position().components();
    if all.is_empty() {
        frame.render_widget(Paragraph::new("  0, nothing is left"), inner);
        return;
    }
    let list = List::of(state, inner);
    let (rows, start, shown) = (usize::from(inner.height), list.start, list.shown);
    let mut lines: Vec<Line> = shown.iter().enumerate().map(|(k, c)| row(state, start + k, c, &list.room)).collect();
    if let Some(board) = list.board {
        lines.push(Line::default());
        let text = |text| Line::from(cut(&format!("{:INDENT$}{text}", ""), list.room.width));
        lines.extend(board.into_iter().map(text));
    }
    frame.render_widget(Paragraph::new(lines), inner);
    if all.len() > rows && area.width > 24 {
        let text = format!(" heaps {}-{} of {} ", start + 1, start + shown.len(), all.len());
        let corner = Rect {
            y: area.bottom().saturating_sub(1),
            height: 1.min(area.height),
            x: area.x + 2,
            width: area.width - 4,
        };
        frame.render_widget(Paragraph::new(text), corner);
    }
}

/// The components that are seen, and the board of the chosen one below them.
struct List<'a> {
    start: usize,
    shown: &'a [AnyComponent],
    room: Room,
    board: Option<Vec<String>>,
}

impl<'a> List<'a> {
    fn of(state: &'a State, inner: Rect) -> List<'a> {
        let all = state.game.position().components();
        let rows = usize::from(inner.height);
        // the chosen heap stays in view
        let start = (state.selected + 1).saturating_sub(rows.max(1)).min(all.len().saturating_sub(1));
        let shown = &all[start..(start + rows).min(all.len())];
        let label_width = shown.iter().map(|c| print_component(c).chars().count()).max().unwrap_or(0);
        let width = usize::from(inner.width);
        let room = Room {
            digits: all.len().to_string().len(),
            label: label_width.clamp(4, (width * 3 / 5).max(4)),
            largest: shown.iter().filter_map(heap).max().unwrap_or(0),
            width,
        };
        // boards and coins as they lie, if there is room
        let to = state.prepared.as_ref().and_then(|p| p.first());
        let board = state.component().and_then(|chosen| picture(chosen, to, [0, 0]));
        let board = board.filter(|drawn| !drawn.is_empty() && shown.len() + drawn.len() < rows);
        List { start, shown, room, board }
    }
}

/// The size of a heap that is drawn as objects.
fn heap(component: &AnyComponent) -> Option<u64> {
    match component {
        AnyComponent::Heap(game, n) if !game.is_normal_only() => Some(*n),
        _ => None,
    }
}

/// Columns of a row.
struct Room {
    digits: usize,
    label: usize,
    largest: u64,
    width: usize,
}

impl Room {
    /// Columns before the objects: mark, number, label and blanks.
    fn used(&self) -> usize {
        self.digits + self.label + 5
    }

    /// Columns of an object; None where heaps are drawn as bars.
    fn letters_an_object(&self) -> Option<usize> {
        let most = self.width.saturating_sub(self.used()) as u64;
        match self.largest {
            n if n <= most / 2 => Some(2),
            n if n <= most => Some(1),
            _ => None,
        }
    }
}

/// One component: `▶ 2 nim(5)  ● ● ● ○ ○  5`.
fn row<'a>(state: &State, i: usize, component: &AnyComponent, room: &Room) -> Line<'a> {
    let chosen = i == state.selected && !state.thinking && state.game.ending().is_none();
    let style = if chosen { accent(state) } else { Style::new() };
    let mark = if chosen { "▶" } else { " " };
    let label = cut(&print_component(component), room.label);
    let pad = room.label - label.chars().count();
    let mut spans = vec![Span::styled(format!("{mark} {:>w$} {label}{:pad$}  ", i + 1, "", w = room.digits), style)];
    let rest = room.width.saturating_sub(room.used());
    match heap(component) {
        Some(n) => {
            let taken = if chosen { state.amount().unwrap_or(0).min(n) } else { 0 };
            let (kept, gone) = objects(n, taken, room, rest);
            spans.push(Span::styled(kept, style));
            let gone_style = if state.colour { Style::new().fg(Color::Red) } else { Style::new() };
            spans.push(Span::styled(gone, gone_style));
        }
        None if chosen => {
            // a position that is no heap is shown by what it becomes
            if let Some(to) = &state.prepared {
                spans.push(Span::raw(cut(&format!("-> {}", print_sum(to)), rest)));
            }
        }
        None => {}
    }
    Line::from(spans)
}

/// Objects that stay and objects that go: single ones while they fit, else bars in proportion.
fn objects(n: u64, taken: u64, room: &Room, rest: usize) -> (String, String) {
    let (largest, most) = (room.largest, rest as u64);
    let left = n - taken;
    if let Some(letters) = room.letters_an_object() {
        let blank = &" "[..letters - 1];
        let some = |object: &str, count: u64| format!("{object}{blank}").repeat(count as usize);
        return (some("●", left), some("○", taken));
    }
    if most == 0 {
        return (String::new(), String::new());
    }
    let scale = |x: u64| (u128::from(x) * u128::from(most) / u128::from(largest)) as usize;
    // what is there is seen, be it ever so little
    let whole = scale(n).max(usize::from(n > 0));
    let gone = scale(taken).max(usize::from(taken > 0)).min(whole);
    let gone = if left > 0 && gone == whole && whole > 1 { whole - 1 } else { gone };
    ("█".repeat(whole - gone), "░".repeat(gone))
}

/// The text, shortened to a number of columns.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let head: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { head } else { format!("{head}…") }
}

fn draw_history(frame: &mut Frame, state: &State, area: Rect) {
    let title = if state.values { " moves, and who was winning " } else { " moves " };
    let block = Block::bordered().title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = usize::from(inner.height);
    let width = usize::from(inner.width);
    let turns = state.game.turns();
    let start = turns.len().saturating_sub(rows);
    let lines: Vec<Line> = turns
        .iter()
        .enumerate()
        .skip(start)
        .map(|(k, turn)| {
            let who = if turn.side == Side::You { "you" } else { "it " };
            let value = match state.known.get(k) {
                Some(known) if state.values => say::assessment_in_short(known),
                _ => String::new(),
            };
            let value = cut(&value, 12);
            let room = width.saturating_sub(value.chars().count() + 1);
            let text = cut(&format!("{:>2} {who} {}: {}", k + 1, turn.played.component + 1, turn.played.name), room);
            let pad = width.saturating_sub(text.chars().count() + value.chars().count());
            let style = if turn.side == Side::You { accent(state) } else { Style::new() };
            Line::from(vec![Span::styled(text, style), Span::raw(format!("{:pad$}{value}", ""))])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn draw_said(frame: &mut Frame, state: &State, area: Rect) {
    let inner = if area.height > 3 {
        let block = Block::bordered();
        let inner = block.inner(area);
        frame.render_widget(block, area);
        inner
    } else {
        area
    };
    let mut lines = Vec::new();
    if let Some(line) = &state.line {
        lines.push(Line::from(vec![
            Span::styled("Move: ", accent(state)),
            Span::raw(line.clone()),
            Span::raw("_"),
            Span::styled("   such as 2: take 3, or 9 -> 1 6; Esc leaves", Style::new().add_modifier(Modifier::DIM)),
        ]));
    } else if state.game.ending().is_none() && !state.thinking {
        lines.push(Line::from(vec![Span::styled("Enter: ", accent(state)), Span::raw(prepared(state))]));
    }
    if !state.message.is_empty() {
        lines.push(Line::raw(state.message.clone()));
    }
    if !state.said.is_empty() {
        lines.push(Line::raw(state.said.clone()));
    }
    if inner.height == 1 && lines.len() > 1 && state.line.is_none() {
        // the heaps show the move already
        lines.remove(0);
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inner);
}

/// The move that Enter would play.
fn prepared(state: &State) -> String {
    let Some(component) = state.component() else { return "nothing".into() };
    match &state.prepared {
        Some(to) => {
            let arrow = format!("{} -> {}", print_component(component), print_sum(to));
            let name = component.move_name(to);
            if state.typed.is_empty() {
                format!("{name}   {arrow}")
            } else {
                format!("{name}   {arrow}   (typed {})", state.typed)
            }
        }
        None if state.typed.is_empty() => "no move".into(),
        None => format!("{} is no move", state.typed),
    }
}

fn draw_help(frame: &mut Frame, state: &State, area: Rect) {
    let text = [
        convention(state.game.convention()),
        "",
        "Up, Down      choose a heap (or another component)",
        "Right, Left   more or fewer; through all its moves, splits too",
        "PgDn, PgUp    ten amounts further or back; Home, End: the first, the last",
        "0-9           type an amount, or a move's number where moves take nothing",
        "Enter         play the move that is shown",
        "Mouse         click the objects to take, the square to bite, the cells to cover; again: play",
        "m             type a move in full, such as 9 -> 1 6",
        "h             hint: who wins; again: the heap; again: the move",
        "u, r          take back your last move and its answer; make them again",
        "v             hide or show who was winning before each move",
        "R             give up",
        "q, Ctrl-C     leave",
        "",
        "won *5: the side to move could win, the Grundy value was 5",
        "Any key closes this page.",
    ];
    let width = area.width.min(78);
    let height = area.height.min(text.len() as u16 + 2);
    let page = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    frame.render_widget(Clear, page);
    let lines: Vec<Line> = text.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), page);
}
