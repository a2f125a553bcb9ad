//! Games of a template, with values at hand: what stands between a case and the session.

use std::collections::HashMap;

use grundy_core::{
    notation::{SyntaxError, read_ruleset},
    rulesets::{AnyComponent, AnyRuleset, heap::ClosedForm},
    theory::{Convention, Outcome, Sum},
};

use super::{
    error::Fault,
    fold::{Census, Form, Periodic},
    format::Kind,
    special::Tables,
    text::{Names, Template, Value},
};
use crate::{
    answer::{Move, SolveAnswer},
    budget::{Meter, StopReason},
    query::{MovesWanted, SequenceQuery, SolveQuery},
    session::Session,
};

/// Games that are kept; when there are more, all are forgotten, and with them the session's tables.
const KEPT: usize = 4096;

/// Values in lists that are kept, of all games together.
const KEPT_VALUES: usize = 1 << 23;

/// Values of heaps below this are kept in a list.
const DENSE: u64 = 1 << 20;

/// Heaps of one game from which on its period is worth looking for.
const MANY: u64 = 1000;

/// Values among which it is looked for.
const PERIOD_WITHIN: u64 = 4096;

/// Largest number in a position.
pub(super) const LARGEST: u64 = 1 << 63;

/// A sum in the notation with `$name` in it: `[take 1..$m]($n)`, `wythoff($a, $b)`, `staircase(0, $x)`.
///
/// In a position a list stands for all its members; in a rule it stands for `1, 3, 4`. Where a rule looks at a column of
/// records, there is one component for each record.
#[derive(Debug)]
pub(super) struct Game {
    pub terms: Vec<Term>,
}

#[derive(Debug)]
pub(super) struct Term {
    pub rule: Template,
    /// One component for each record of these columns.
    pub rows: Option<usize>,
    pub arguments: Vec<Argument>,
    /// True if the arguments are the sides of a board full of heads: `$n x $n`.
    pub is_full: bool,
}

#[derive(Debug)]
pub(super) enum Argument {
    Number(u64),
    Slot(usize),
}

impl Argument {
    /// The slot of a name.
    pub fn slot(&self) -> Option<usize> {
        if let Argument::Slot(s) = self { Some(*s) } else { None }
    }
}

impl Game {
    /// Reads a template; a ruleset without a position is played on `usual`.
    pub fn parse(text: &str, names: &Names, usual: &[usize]) -> Result<Game, SyntaxError> {
        let mut terms = Vec::new();
        for (start, end) in pieces(text, b'+') {
            let piece = &text[start..end];
            let trimmed = piece.trim_end();
            let mut is_full = false;
            let (rule, arguments) = match position(trimmed) {
                Some(open) => {
                    let mut arguments = Vec::new();
                    let inside = &trimmed[open + 1..trimmed.len() - 1];
                    if inside.contains(" x ") {
                        is_full = true;
                        let mut at = start + open + 1;
                        for side in inside.split(" x ") {
                            arguments.push(argument(side, at, names)?);
                            at += side.len() + 3;
                        }
                    }
                    let inside = if is_full { "" } else { inside };
                    for (a, b) in pieces(inside, b',') {
                        let at = start + open + 1 + a;
                        if inside.trim().is_empty() {
                            continue;
                        }
                        arguments.push(argument(&inside[a..b], at, names)?);
                    }
                    (&trimmed[..open], arguments)
                }
                None => (trimmed, usual.iter().map(|s| Argument::Slot(*s)).collect()),
            };
            let template = Template::parse(rule, names, start)?;
            let is_column = |s: &usize| names.kind(*s) == Kind::Column;
            let mut rows = template.slots().find(is_column);
            if template.is_fixed() {
                let ruleset = read_ruleset(rule)
                    .map_err(|e| SyntaxError { span: e.span.start + start..e.span.end + start, ..e })?;
                if matches!(ruleset, AnyRuleset::Digraph(_) | AnyRuleset::Board(_)) {
                    let what = if matches!(ruleset, AnyRuleset::Digraph(_)) { "tokens on a graph" } else { "boards" };
                    return Err(SyntaxError::new(format!("a layout cannot read {what}"), start..start + rule.len())
                        .with_hint("grundy solve takes them, one sum a line"));
                }
                // a record is a cell or a pair
                if ruleset.dimension().is_some_and(|d| d > 1) {
                    rows = rows.or_else(|| arguments.iter().filter_map(Argument::slot).find(is_column));
                }
            }
            terms.push(Term { rule: template, rows, arguments, is_full });
        }
        Ok(Game { terms })
    }
}

fn argument(text: &str, at: usize, names: &Names) -> Result<Argument, SyntaxError> {
    let at = at + text.len() - text.trim_start().len();
    let text = text.trim();
    if let Some(name) = text.strip_prefix('$') {
        let slot = names.known(name, at + 1)?;
        if names.kind(slot) == Kind::Word {
            return Err(SyntaxError::new("a word is no position", at..at + text.len())
                .with_hint("turn it into a list first, for example x = s | runs('+')"));
        }
        return Ok(Argument::Slot(slot));
    }
    let number = text.parse().ok().filter(|n| *n <= LARGEST);
    number.map(Argument::Number).ok_or_else(|| {
        SyntaxError::new("expected a number or a name after \"$\"", at..at + text.len())
            .with_hint("for example staircase(0, $x)")
    })
}

/// The pieces between separators that stand outside of all brackets and quotes.
fn pieces(text: &str, separator: u8) -> Vec<(usize, usize)> {
    let (mut depth, mut quoted, mut start, mut found) = (0i32, false, 0, Vec::new());
    for (i, c) in text.bytes().enumerate() {
        match c {
            b'"' => quoted = !quoted,
            b'(' | b'[' | b'{' if !quoted => depth += 1,
            b')' | b']' | b'}' if !quoted => depth -= 1,
            _ if c == separator && depth == 0 && !quoted => {
                found.push((start, i));
                start = i + 1;
            }
            _ => {}
        }
    }
    found.push((start, text.len()));
    found
}

/// Where the position of a component begins: the parenthesis that the last character closes.
fn position(text: &str) -> Option<usize> {
    if !text.ends_with(')') {
        return None;
    }
    let mut depth = 0;
    for (i, c) in text.bytes().enumerate().rev() {
        match c {
            b')' => depth += 1,
            b'(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Who wins a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub won: bool,
    /// The Grundy value, in normal play and where it is known.
    pub value: Option<u64>,
}

/// A ruleset that was met, with its values.
#[derive(Debug)]
struct Known {
    ruleset: AnyRuleset,
    closed: Option<ClosedForm>,
    dense: Vec<u64>,
    /// Heaps that were asked for.
    asked: u64,
    /// The period, where one is proved.
    periodic: Option<Periodic>,
    is_period_tried: bool,
}

/// Not known yet; no value of a heap is that large.
const UNKNOWN: u64 = u64::MAX;

/// The games of a run.
#[derive(Default)]
pub(super) struct Games {
    session: Session,
    by_text: HashMap<String, usize>,
    known: Vec<Known>,
    /// Values in the lists of all games.
    listed: usize,
    text: String,
    numbers: Vec<u64>,
    /// What the games with programs of their own have found.
    pub tables: Tables,
}

impl Games {
    /// What gives the values of the next `count` heaps of the template's one term, if anything does.
    ///
    /// A period is looked for once a game has been asked for many heaps.
    pub fn form(
        &mut self,
        term: &Term,
        values: &[Value],
        count: u64,
        convention: Convention,
        meter: &Meter,
    ) -> Result<Option<Form<'_>>, Fault> {
        let index = self.game(term, values, None)?;
        let known = &mut self.known[index];
        if let Some(closed) = known.closed {
            let is_enough = convention == Convention::Normal || closed.misere_is_nim();
            return Ok(is_enough.then_some(Form::Closed(closed)));
        }
        known.asked = known.asked.saturating_add(count);
        if known.asked >= MANY && !known.is_period_tried && convention == Convention::Normal {
            known.is_period_tried = true;
            if let AnyRuleset::Heap(game) = &known.ruleset
                && !game.is_normal_only()
                && game.rule().period_theorem().is_some()
            {
                let query = SequenceQuery { game: game.clone(), to: PERIOD_WITHIN };
                let answer = self.session.sequence(&query, meter.budget());
                known.periodic = answer.period.and_then(|p| Periodic::new(p, answer.values));
            }
        }
        Ok(known.periodic.as_ref().map(Form::Periodic))
    }

    /// Who wins the sum; with its value if that is wanted and there is one.
    pub fn verdict(
        &mut self,
        game: &Game,
        values: &[Value],
        convention: Convention,
        wants_value: bool,
        meter: &mut Meter,
    ) -> Result<Verdict, Fault> {
        let mut census = Census::default();
        let mut only = None;
        let mut components = 0usize;
        for term in &game.terms {
            for row in rows(term, values)? {
                let known = self.game(term, values, row)?;
                self.numbers(term, values, row)?;
                if term.is_full && convention == Convention::Normal {
                    components += 1;
                    census.add(self.full_board(known, meter)?.0);
                    continue;
                }
                if matches!(self.known[known].ruleset, AnyRuleset::Heap(_)) {
                    if convention == Convention::Misere && !self.known[known].closed.is_some_and(|c| c.misere_is_nim())
                    {
                        return self.searched(game, values, convention, meter);
                    }
                    components += self.numbers.len();
                    for i in 0..self.numbers.len() {
                        census.add(self.heap(known, self.numbers[i], meter)?);
                    }
                    continue;
                }
                if convention == Convention::Misere {
                    return self.searched(game, values, convention, meter);
                }
                for c in self.known[known].ruleset.components(&self.numbers).map_err(Fault::Case)? {
                    components += 1;
                    let is_board = matches!(c, AnyComponent::Tartan(..));
                    if let Some(hint) = if is_board { None } else { c.value_hint() } {
                        census.add(hint.answer);
                    } else if components == 1 && !wants_value && !is_board && c.outcome_hint(convention).is_some() {
                        only = Some(c);
                    } else {
                        census.add(self.session.valued(&c, meter)?.value);
                    }
                }
            }
        }
        if let Some(c) = only {
            if components == 1 {
                let won = c.outcome_hint(convention).is_some_and(|h| h.answer == Outcome::N);
                return Ok(Verdict { won, value: (!won).then_some(0) });
            }
            census.add(self.session.valued(&c, meter)?.value);
        }
        let won = census.is_won(convention);
        Ok(Verdict { won, value: (convention == Convention::Normal).then_some(census.xor) })
    }

    /// The number of winning moves; one list of plain Nim heaps is counted at once.
    pub fn count(
        &mut self,
        game: &Game,
        values: &[Value],
        convention: Convention,
        meter: &mut Meter,
    ) -> Result<u128, Fault> {
        if let ([term], Convention::Normal) = (&game.terms[..], convention)
            && term.rows.is_none()
            && let index = self.game(term, values, None)?
            && let AnyRuleset::Heap(heaps) = &self.known[index].ruleset
            && heaps.name() == "nim"
        {
            self.numbers(term, values, None)?;
            let xor = self.numbers.iter().fold(0, |x, h| x ^ h);
            return Ok(self.numbers.iter().filter(|h| **h ^ xor < **h).count() as u128);
        }
        if let ([term], Convention::Normal) = (&game.terms[..], convention)
            && term.is_full
        {
            let index = self.game(term, values, None)?;
            self.numbers(term, values, None)?;
            return Ok(self.full_board(index, meter)?.1);
        }
        let answer = self.solved(game, values, convention, MovesWanted::Count, meter)?;
        answer.moves_total.ok_or_else(|| Fault::Case("the winning moves are too many to count".into()))
    }

    /// The cells, column by column, of a lost board that a move of the board of all records leads to.
    pub fn lost_board(&mut self, game: &Game, values: &[Value], meter: &mut Meter) -> Option<Vec<Vec<u64>>> {
        let [term] = &game.terms[..] else { return None };
        term.rows?;
        let mut cells: Vec<Vec<u64>> = Vec::new();
        let mut ruleset = None;
        for row in rows(term, values).ok()? {
            ruleset = Some(self.game(term, values, row).ok()?);
            self.numbers(term, values, row).ok()?;
            cells.push(self.numbers.clone());
        }
        let AnyRuleset::Tartan(product) = self.known[ruleset?].ruleset.clone() else { return None };
        cells.sort_unstable();
        // a cell that is listed twice is as before
        let heads = cells.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 == 1).flat_map(|run| run[0].clone());
        let board = AnyComponent::Tartan(product.clone(), heads.collect());
        let query = SolveQuery { limit: 1, ..SolveQuery::new(Sum::new(vec![board]), Convention::Normal) };
        let answer = self.session.solve(&query, meter.budget()).ok()?;
        let [AnyComponent::Tartan(_, to)] = &answer.moves.first()?.to[..] else { return None };
        let d = product.factors().len();
        Some((0..d).map(|axis| to.iter().skip(axis).step_by(d).copied().collect()).collect())
    }

    /// The value of a board full of heads whose sides are at hand, with the number of its winning moves.
    fn full_board(&mut self, index: usize, meter: &mut Meter) -> Result<(u64, u128), Fault> {
        let AnyRuleset::Tartan(product) = &self.known[index].ruleset else {
            return Err(Fault::Case("only products of coin-turning games are played on a board full of heads".into()));
        };
        if product.factors().len() != self.numbers.len() {
            return Err(Fault::Case(format!("a board of {} has {} sides", product.name(), product.factors().len())));
        }
        let product = product.clone();
        Ok(self.session.full_board(&product, &self.numbers, meter)?)
    }

    /// The winning moves in the order of moves, with their components.
    pub fn moves(
        &mut self,
        game: &Game,
        values: &[Value],
        convention: Convention,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Fault> {
        Ok(self.solved(game, values, convention, MovesWanted::List, meter)?.moves)
    }

    fn searched(
        &mut self,
        game: &Game,
        values: &[Value],
        convention: Convention,
        meter: &mut Meter,
    ) -> Result<Verdict, Fault> {
        let answer = self.solved(game, values, convention, MovesWanted::None, meter)?;
        Ok(Verdict { won: answer.outcome == Some(Outcome::N), value: answer.value })
    }

    fn solved(
        &mut self,
        game: &Game,
        values: &[Value],
        convention: Convention,
        moves: MovesWanted,
        meter: &mut Meter,
    ) -> Result<SolveAnswer, Fault> {
        let mut components = Vec::new();
        for term in &game.terms {
            if term.is_full {
                return Err(Fault::Case(
                    "a board full of heads has a value and a number of winning moves here, no list".into(),
                ));
            }
            for row in rows(term, values)? {
                let known = self.game(term, values, row)?;
                self.numbers(term, values, row)?;
                components.extend(self.known[known].ruleset.components(&self.numbers).map_err(Fault::Case)?);
            }
        }
        let query = SolveQuery { moves, limit: usize::MAX, ..SolveQuery::new(Sum::new(components), convention) };
        let mut budget = meter.budget().clone();
        budget.time = budget.time.map(|t| t.saturating_sub(meter.elapsed()));
        let answer = self.session.solve(&query, &budget).map_err(|r| Fault::Case(r.message))?;
        match answer.stop {
            Some(stop) => Err(Fault::Stop(stop)),
            None => Ok(answer),
        }
    }

    /// The ruleset of a term with the values of the case.
    fn game(&mut self, term: &Term, values: &[Value], row: Option<usize>) -> Result<usize, Fault> {
        term.rule.fill(values, row, &mut self.text);
        if let Some(index) = self.by_text.get(self.text.as_str()) {
            return Ok(*index);
        }
        let ruleset = read_ruleset(&self.text).map_err(|e| Fault::Case(format!("{}: {}", self.text, e.message)))?;
        if self.known.len() >= KEPT || self.listed > KEPT_VALUES {
            self.known.clear();
            self.by_text.clear();
            self.listed = 0;
            self.session = Session::new();
        }
        let closed = match &ruleset {
            AnyRuleset::Heap(game) if !game.is_normal_only() => game.closed_form().copied(),
            _ => None,
        };
        self.known.push(Known { ruleset, closed, dense: Vec::new(), asked: 0, periodic: None, is_period_tried: false });
        self.by_text.insert(self.text.clone(), self.known.len() - 1);
        Ok(self.known.len() - 1)
    }

    /// The position of a term.
    fn numbers(&mut self, term: &Term, values: &[Value], row: Option<usize>) -> Result<(), Fault> {
        self.numbers.clear();
        for a in &term.arguments {
            match a {
                Argument::Number(n) => self.numbers.push(*n),
                Argument::Slot(s) => match (&values[*s], row) {
                    (Value::Number(n), _) => self.numbers.push(size(*n)?),
                    (Value::List(l), Some(row)) => self.numbers.push(size(l.get(row).copied().unwrap_or(0))?),
                    (Value::List(l), None) => {
                        for n in l {
                            self.numbers.push(size(*n)?);
                        }
                    }
                    (Value::Word(_), _) => {}
                },
            }
        }
        Ok(())
    }

    /// The value of one heap.
    fn heap(&mut self, game: usize, n: u64, meter: &mut Meter) -> Result<u64, Fault> {
        let known = &mut self.known[game];
        if let Some(value) = known.closed.and_then(|form| form.value(n)) {
            return Ok(value);
        }
        if let Some(value) = known.periodic.as_ref().and_then(|p| p.value(n)) {
            return Ok(value);
        }
        if let Some(value) = known.dense.get(n as usize).filter(|v| n < DENSE && **v != UNKNOWN) {
            return Ok(*value);
        }
        let value = match &known.ruleset.components(&[n]).map_err(Fault::Case)?[..] {
            [one] => self.session.valued(one, meter)?.value,
            _ => 0,
        };
        if n < DENSE {
            if known.dense.len() <= n as usize {
                let length = (n as usize + 1).next_power_of_two();
                self.listed += length - known.dense.len();
                known.dense.resize(length, UNKNOWN);
            }
            known.dense[n as usize] = value;
        }
        Ok(value)
    }
}

/// The rows of a term: one for each record, or none in particular.
fn rows(term: &Term, values: &[Value]) -> Result<impl Iterator<Item = Option<usize>> + use<>, Fault> {
    let count = term.rows.map(|slot| values[slot].list().len());
    let rows = count.unwrap_or(0);
    Ok((0..rows).map(Some).chain(std::iter::repeat_n(None, usize::from(count.is_none()))))
}

fn size(n: i128) -> Result<u64, Fault> {
    match u64::try_from(n) {
        Ok(n) if n <= LARGEST => Ok(n),
        _ if n < 0 => Err(Fault::Case(format!("a position holds the negative number {n}"))),
        _ => Err(Fault::Case(format!("{n} is too large; the largest heap is 2^63"))),
    }
}

impl From<StopReason> for Fault {
    fn from(stop: StopReason) -> Self {
        Fault::Stop(stop)
    }
}

/// The numbers of a component for move formats, in one order for equal positions.
pub(super) fn canonical_numbers(component: &AnyComponent) -> String {
    component.canonical().print_position().replace(", ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        for (name, kind) in [("n", Kind::Number), ("h", Kind::List), ("a", Kind::Column), ("k", Kind::Column)] {
            names.declare(name, kind).unwrap();
        }
        names
    }

    fn value(text: &str) -> Result<Option<u64>, String> {
        let list = |l: &[i128]| Value::List(l.to_vec());
        let values = [Value::Number(7), list(&[1, 2]), list(&[10, 9]), list(&[1, 3])];
        let game = Game::parse(text, &names(), &[0]).map_err(|e| e.message)?;
        let verdict = Games::default().verdict(&game, &values, Convention::Normal, true, &mut Meter::unlimited());
        verdict.map(|v| v.value).map_err(|e| format!("{e:?}"))
    }

    #[test]
    fn templates_are_sums() {
        assert_eq!(value("nim($n, $h) + [take 1..3]($n)"), Ok(Some(7 ^ 1 ^ 2 ^ 3)));
        // the list in a rule, the list in a position, a ruleset without a position
        assert_eq!(value("subtraction[{$h}]($n) + nim(0, 5)"), Ok(Some(1 ^ 5)));
        assert_eq!(value("lasker"), Ok(Some(8)));
        assert_eq!(value("nim()"), Ok(Some(0)));
        // one component for each record: at most a k-th of the heap
        assert_eq!(value("[take x where $k*x <= n]($a)"), Ok(Some(10 ^ 3)));
        // (7, 3) has the options (4, 3), of value 0, and (1, 3), of value 3
        assert_eq!(value("euclid[\"to-zero\"]($n, 3)"), Ok(Some(1)));
        assert_eq!(value("staircase(0, $h, $n)"), Ok(Some(1 ^ 7)));
    }

    #[test]
    fn wrong_templates_are_refused() {
        assert!(value("nim($x)").unwrap_err().contains("unknown name"));
        assert!(value("nim(n)").unwrap_err().contains("expected a number or a name"));
        assert!(value("kayels($n)").unwrap_err().contains("unknown game"));
        assert!(value("wythoff($n)").unwrap_err().contains("pair"));
    }
}
