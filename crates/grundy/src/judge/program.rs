//! A problem made ready to run: everything read and checked once, names turned into places.

use grundy_core::theory::Convention;

use super::{
    error::JudgeError,
    format::{Item, Kind, Layout, Repeat},
    games::{Argument, Game},
    lists::Chain,
    preset::{MoveFormat, Print, Problem, Winner},
    special::Special,
    text::{Expression, Names, Value},
};

/// A problem made ready to run.
#[derive(Debug)]
pub struct Program {
    pub(super) names: Names,
    pub(super) layout: Layout,
    pub(super) lets: Vec<(usize, Let)>,
    pub(super) require: Option<(Expression, String)>,
    pub(super) game: Option<Game>,
    pub(super) convention: Convention,
    pub(super) wins: Option<Expression>,
    pub(super) answer: Option<Expression>,
    /// What has a program of its own in place of a game.
    pub(super) special: Option<Special>,
    pub(super) answers: Vec<String>,
    pub(super) print: Print,
    pub(super) words: [String; 2],
    pub(super) moves: MoveFormat,
    /// The prefix, cut where the number of the line goes.
    pub(super) prefix: Vec<String>,
    pub(super) join: Option<String>,
    pub(super) tally: Option<Winner>,
    /// The list that ends the case and enters nothing but the game: it need not be kept.
    pub(super) streamed: Option<usize>,
    /// The claim or the answer looks at the Grundy value.
    pub(super) wants_value: bool,
}

/// A definition.
#[derive(Debug)]
pub(super) enum Let {
    /// A formula over numbers.
    Number(Expression),
    /// A formula over the members of lists of one length.
    Members(Expression, Vec<usize>),
    Chain(Chain),
}

impl Let {
    fn slots(&self) -> Vec<usize> {
        match self {
            Let::Number(e) | Let::Members(e, _) => e.slots().collect(),
            Let::Chain(c) => c.slots().collect(),
        }
    }
}

/// Names for what came of the game.
const RESULTS: [&str; 2] = ["won", "g"];

impl Program {
    /// Reads all parts of a problem.
    ///
    /// # Errors
    /// A part that cannot be read, with its place, or parts that do not fit together.
    pub fn new(problem: &Problem) -> Result<Program, JudgeError> {
        let mut names = Names::default();
        let text = &problem.layout;
        let layout = Layout::parse(text, &mut names).map_err(|e| JudgeError::definition(text, e))?;
        let mut lets = Vec::new();
        for text in &problem.lets {
            lets.push(definition(text, &mut names)?);
        }
        let claim = |text: &Option<String>, extra: &[&str]| {
            let parse = |t: &String| Expression::claim(t, &names, extra, 0).map_err(|e| JudgeError::definition(t, e));
            text.as_ref().map(parse).transpose()
        };
        let require = claim(&problem.require, &[])?.zip(problem.require.clone());
        let wins = claim(&problem.wins, &RESULTS)?;
        let formula =
            |t: &String| Expression::formula_with(t, &names, &RESULTS).map_err(|e| JudgeError::definition(t, e));
        let answer = problem.answer.as_ref().map(formula).transpose()?;
        let usual = usual_arguments(&layout);
        let game = |t: &String| Game::parse(t, &names, &usual).map_err(|e| JudgeError::definition(t, e));
        let game = problem.game.as_ref().map(game).transpose()?;
        let others = [&problem.game, &problem.wins, &problem.answer, &problem.require];
        let asks_more = others.iter().any(|o| o.is_some());
        let special = problem.special;
        let whole = special.and_then(Special::layout);
        if let Some(layout) = whole
            && (asks_more || text != layout)
        {
            return Err(JudgeError::wrong(format!(
                "{} has the layout {layout}, and nothing else is asked",
                special.map_or("", Special::name)
            )));
        }
        if let Some(special) = special {
            special.fits(&names)?;
            if game.is_some() || problem.misere {
                return Err(JudgeError::wrong(format!("{} is a game with a convention of its own", special.name()))
                    .hint("leave \"special\" out, or \"game\" and \"misere\""));
            }
        }
        if special.is_none() && game.is_none() && wins.is_none() && answer.is_none() {
            return Err(JudgeError::wrong("a problem needs a game, a claim that says who wins, or an answer")
                .hint("for example --game lasker"));
        }
        let from_game = matches!(problem.print, Print::Value | Print::Moves | Print::Count);
        let from_special = special.is_some_and(|s| match problem.print {
            Print::Value => s.has_values(),
            Print::Moves => s.has_moves(),
            _ => false,
        });
        if from_game && game.is_none() && !from_special {
            return Err(JudgeError::wrong("values and moves are those of a game, and there is none"));
        }
        if problem.print == Print::Answer && answer.is_none() {
            return Err(JudgeError::wrong("there is no formula for the answer that is to be printed"));
        }
        if problem.tally.is_some() && layout.first_range() == layout.levels.len() {
            return Err(JudgeError::wrong("what is counted are the cases of a range loop, and there is none")
                .hint("for example *{ N n=1..N{} }"));
        }
        let looks = |e: &Option<Expression>, i: usize| e.as_ref().is_some_and(|e| e.uses_extra(i));
        let asks = |i: usize| looks(&wins, i) || looks(&answer, i);
        let gives = [special.is_some_and(|_| whole.is_none()), special.is_some_and(Special::has_values)];
        if game.is_none() && (0..2).any(|i| asks(i) && !gives[i]) {
            return Err(JudgeError::wrong("\"won\" and \"g\" are what comes of the game, and there is none"));
        }
        let convention = if problem.misere { Convention::Misere } else { Convention::Normal };
        if convention == Convention::Misere && (problem.print == Print::Value || looks(&wins, 1) || looks(&answer, 1)) {
            return Err(JudgeError::wrong("Grundy values belong to normal play"));
        }
        let wants_value = problem.print == Print::Value || looks(&wins, 1) || looks(&answer, 1);
        let mut program = Program {
            names,
            layout,
            lets,
            require,
            game,
            convention,
            wins,
            answer,
            special,
            answers: problem.answers.clone(),
            print: problem.print,
            words: [problem.first.clone(), problem.second.clone()],
            moves: problem.moves.clone(),
            prefix: problem.prefix.split("%d").map(str::to_owned).collect(),
            join: problem.join.clone(),
            tally: problem.tally,
            streamed: None,
            wants_value,
        };
        program.streamed = program.streamed_list();
        Ok(program)
    }

    /// The list that need not be kept, if there is one.
    fn streamed_list(&self) -> Option<usize> {
        let [term] = &self.game.as_ref()?.terms[..] else { return None };
        let [Argument::Slot(slot)] = term.arguments[..] else { return None };
        let last = self.layout.last().items.last()?;
        let is_last = matches!(last, Item::List { slot: s, .. } if *s == slot);
        let in_rule = term.rule.slots().any(|s| s == slot);
        let expressions = [&self.wins, &self.answer].into_iter().flatten().chain(self.require.iter().map(|(e, _)| e));
        let elsewhere = expressions.flat_map(|e| e.slots().collect::<Vec<_>>());
        let elsewhere = elsewhere.chain(self.lets.iter().flat_map(|(_, l)| l.slots())).any(|s| s == slot);
        let asks_for_moves = matches!(self.print, Print::Moves | Print::Count);
        (is_last && !in_rule && !elsewhere && !asks_for_moves && term.rows.is_none()).then_some(slot)
    }

    /// Values to start with.
    pub(super) fn values(&self) -> Vec<Value> {
        (0..self.names.len()).map(|s| Value::of(self.names.kind(s))).collect()
    }
}

/// What a ruleset without a position is played on: the names of the case that are no lengths.
fn usual_arguments(layout: &Layout) -> Vec<usize> {
    let mut lengths = Vec::new();
    for level in &layout.levels {
        for item in &level.items {
            match item {
                Item::List { length, .. } | Item::Records { length, .. } => lengths.extend(length.slots()),
                Item::Rows { counts, length, .. } => lengths.extend(length.slots().chain([*counts])),
                Item::Grid { rows, columns, .. } => lengths.extend(rows.slots().chain(columns.slots())),
                Item::Number(_) | Item::Word(_) | Item::Rest(_) => {}
            }
        }
        if let Repeat::Range { from, to, .. } = &level.repeat {
            lengths.extend(from.slots().chain(to.slots()));
        }
    }
    let last = layout.last();
    let mut found = Vec::new();
    if let Repeat::Range { slot, .. } = last.repeat {
        found.push(slot);
    }
    for item in &last.items {
        match item {
            Item::Number(slot) | Item::List { slot, .. } | Item::Rest(slot) => found.push(*slot),
            Item::Records { slots, .. } => found.extend(slots.clone()),
            Item::Rows { members, .. } => found.push(*members),
            Item::Word(_) | Item::Grid { .. } => {}
        }
    }
    found.retain(|s| !lengths.contains(s));
    found
}

/// Reads `name = formula` or `name = list | step | …` and declares the name.
fn definition(text: &str, names: &mut Names) -> Result<(usize, Let), JudgeError> {
    let wrong = |e| JudgeError::definition(text, e);
    let Some((name, right)) = text.split_once('=') else {
        return Err(JudgeError::wrong(format!("\"{text}\" is no definition")).hint("for example x = h | sort"));
    };
    let at = name.len() + 1;
    let (made, kind) = if right.contains('|') {
        let chain = Chain::parse(right, names, at).map_err(wrong)?;
        let kind = chain.kind();
        (Let::Chain(chain), kind)
    } else {
        let formula = Expression::formula(right, names, at).map_err(wrong)?;
        let lists: Vec<usize> = formula.slots().filter(|s| names.kind(*s) != Kind::Number).collect();
        match lists.first() {
            None => (Let::Number(formula), Kind::Number),
            Some(s) => {
                let kind = names.kind(*s);
                (Let::Members(formula, lists), kind)
            }
        }
    };
    let slot = names.declare(name.trim(), kind).map_err(|e| {
        let start = name.len() - name.trim_start().len();
        wrong(grundy_core::notation::SyntaxError { span: start..start + name.trim().len(), ..e })
    })?;
    Ok((slot, made))
}
