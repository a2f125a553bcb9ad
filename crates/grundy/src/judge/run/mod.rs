//! Reads the cases one by one and writes what the judge wants to see.

use std::io::{Cursor, Read, Write};

use grundy_core::theory::Convention;

use super::{
    error::{Fault, JudgeError},
    fold::{self, Trouble},
    format::Repeat,
    games::{Games, Verdict},
    preset::{Print, Winner},
    program::{Let, Program},
    scan::{Place, Scanner},
    special::{Case, Special},
    text::Value,
};
use crate::budget::{Budget, Meter};

mod printing;
mod reading;

/// Bytes of output that are gathered before they are written.
const GATHERED: usize = 1 << 16;

impl Program {
    /// Answers every case of `input`.
    ///
    /// Cases are answered while they are read, in constant memory where the heaps have a closed form and nothing else
    /// looks at them.
    ///
    /// # Complexity
    /// O(bytes of the input) for closed forms; else what the values of the games cost, each value being found once.
    ///
    /// # Errors
    /// The first thing that is wrong, with its case; the answers before it have been written.
    ///
    /// # Examples
    /// ```
    /// use grundy::{Budget, judge::{Catalogue, Found, Program}};
    /// let Found::Preset(problem) = Catalogue::built_in().find("hdu-3032") else { panic!() };
    /// let program = Program::new(problem)?;
    /// let mut out = Vec::new();
    /// // the second case announces more heaps than there are
    /// let result = program.run(&b"2\n3\n2 2 3\n2\n3"[..], &mut out, &Budget::default());
    /// assert_eq!(out, b"Alice\n");
    /// let message = result.unwrap_err().to_string();
    /// assert_eq!(message, "case 2: line 5, column 2: expected a whole number, found the end of the input");
    /// # Ok::<(), grundy::judge::JudgeError>(())
    /// ```
    pub fn run(&self, input: impl Read, output: impl Write, budget: &Budget) -> Result<(), JudgeError> {
        self.run_noting(input, usize::MAX, output, budget, &mut Games::default(), None)
    }

    /// As [`Program::run`] for an input of about `length` bytes, with games and values that were met before; notes who wins
    /// each case.
    pub(super) fn run_noting(
        &self,
        mut input: impl Read,
        length: usize,
        output: impl Write,
        budget: &Budget,
        games: &mut Games,
        verdicts: Option<&mut Vec<bool>>,
    ) -> Result<(), JudgeError> {
        match self.special {
            Some(Special::NimProducts) => return super::pairs::nim_products(input, output, budget),
            Some(Special::GreenGame) => return super::green::answer(input, output, budget),
            _ => {}
        }
        // a layout by lines has no case in an empty input, and one in an empty line
        let mut first = [0u8];
        let has_first = loop {
            match input.read(&mut first) {
                Ok(n) => break n > 0,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                // the scanner meets it again, and says so better
                Err(_) => break false,
            }
        };
        let input = Cursor::new(first).take(u64::from(has_first)).chain(input);
        let mut runner = Runner {
            program: self,
            scanner: Scanner::for_length(input, length),
            output,
            gathered: Vec::with_capacity(length.min(GATHERED + (GATHERED >> 2))),
            values: self.values(),
            pending: Vec::new(),
            last: Place::default(),
            places: vec![Vec::new(); if self.special.is_some() { self.names.len() } else { 0 }],
            is_new: true,
            is_kept: self.special.is_some_and(|s| s.kept().iter().all(|name| self.is_outer(name))),
            take: None,
            games,
            meter: Meter::new(budget),
            counters: vec![0; self.layout.levels.len()],
            line: 0,
            in_line: 0,
            tallied: 0,
            verdicts,
            is_empty: !has_first,
        };
        let result = runner.level(0).and_then(|()| runner.nothing_follows());
        let result = result.map_err(|fault| JudgeError::of(fault, &runner.case_name()));
        let written = runner.flush().map_err(|e| JudgeError::of(Fault::Write(e), ""));
        result.and(written)
    }
}

impl Program {
    /// True if the name is read outside of the innermost loop.
    fn is_outer(&self, name: &str) -> bool {
        let Some(slot) = self.names.find(name) else { return false };
        let levels = &self.layout.levels;
        levels[..levels.len() - 1].iter().flat_map(|l| &l.items).any(|item| self.slots_of(item).contains(&slot))
    }
}

struct Runner<'a, R, W> {
    program: &'a Program,
    scanner: Scanner<R>,
    output: W,
    gathered: Vec<u8>,
    values: Vec<Value>,
    /// Numbers read ahead to see whether they are all zero, the next one last.
    pending: Vec<(u64, Place)>,
    /// Where the number stands that was read last; only for special games.
    last: Place,
    /// For each name where its numbers stand; only for special games.
    places: Vec<Vec<Place>>,
    /// Something outside of the innermost loop was read since the case before.
    is_new: bool,
    /// What a special game keeps from case to case was read outside of the innermost loop.
    is_kept: bool,
    /// How many objects the winning move takes that a special game has found.
    take: Option<u64>,
    games: &'a mut Games,
    meter: Meter,
    /// Cases begun on each level.
    counters: Vec<u64>,
    /// Lines begun.
    line: u64,
    /// Results on the present line.
    in_line: u64,
    /// Cases won by the player whose wins are counted.
    tallied: u64,
    verdicts: Option<&'a mut Vec<bool>>,
    is_empty: bool,
}

impl<'a, R: Read, W: Write> Runner<'a, R, W> {
    /// All cases of a level.
    fn level(&mut self, k: usize) -> Result<(), Fault> {
        let program = self.program;
        self.counters[k] = 0;
        let gathers = k == program.layout.levels.len() - 1 && program.join.is_some();
        if gathers {
            self.in_line = 0;
        }
        match &program.layout.levels[k].repeat {
            Repeat::Once => self.body(k)?,
            Repeat::Counted(_) => {
                let count = self.next_number()?;
                for _ in 0..count {
                    self.body(k)?;
                }
            }
            Repeat::ToEnd => {
                while !self.scanner.at_end()? {
                    self.body(k)?;
                }
            }
            Repeat::UntilZeros(zeros) => {
                while !self.scanner.at_end()? {
                    self.pending.clear();
                    for _ in 0..*zeros {
                        let n = self.scanned_number()?;
                        self.pending.push((n, self.last));
                    }
                    if self.pending.iter().all(|(n, _)| *n == 0) {
                        self.pending.clear();
                        break;
                    }
                    self.pending.reverse();
                    self.body(k)?;
                }
            }
            Repeat::Lines => {
                while !self.is_empty {
                    self.body(k)?;
                    if let Some(_token) = self.rest_of_line()? {
                        let Place { line, column } = self.scanner.place();
                        return Err(Fault::Case(format!("line {line}, column {column}: expected the end of the line")));
                    }
                    if !self.scanner.next_line()? {
                        break;
                    }
                }
            }
            Repeat::Range { slot, from, to } => {
                let from = from.value(&self.values, &[], None).map_err(Fault::Case)?;
                let to = to.value(&self.values, &[], None).map_err(Fault::Case)?;
                for n in from..=to {
                    self.values[*slot] = Value::Number(n);
                    self.body(k)?;
                }
            }
        }
        if gathers && program.tally.is_none() {
            if self.in_line == 0 {
                self.begin_line();
            }
            self.end_line()?;
        }
        if program.tally.is_some() && k == program.layout.first_range() {
            self.begin_line();
            let tallied = std::mem::take(&mut self.tallied);
            write!(self.gathered, "{tallied}")?;
            self.end_line()?;
        }
        Ok(())
    }

    /// A case that has been read.
    fn case(&mut self) -> Result<(), Fault> {
        self.definitions()?;
        let program = self.program;
        let Runner { games, values, meter, places, .. } = self;
        let verdict = match (&program.game, program.special) {
            (Some(game), _) => Some(games.verdict(game, values, program.convention, program.wants_value, meter)?),
            (None, Some(special)) => {
                let names = &program.names;
                let is_new = self.is_new || !self.is_kept;
                let case = Case { names, values, places, is_new, wants_value: program.wants_value };
                let ruling = special.ruling(&case, &mut games.tables, meter)?;
                self.is_new = false;
                self.take = ruling.take;
                Some(Verdict { won: ruling.won, value: ruling.value })
            }
            (None, None) => None,
        };
        self.judged(verdict)
    }

    /// A case of which only the list of heaps is left to be read.
    fn streamed(&mut self, slot: usize, count: u64) -> Result<(), Fault> {
        self.definitions()?;
        let program = self.program;
        let Some(game) = &program.game else { return Ok(()) };
        let Runner { games, values, scanner, meter, .. } = self;
        let form = games.form(&game.terms[0], values, count, program.convention, meter)?;
        let (Some(form), true) = (form, self.pending.is_empty()) else {
            self.list(slot, count)?;
            let Runner { games, values, meter, .. } = self;
            let verdict = games.verdict(game, values, program.convention, program.wants_value, meter)?;
            return self.judged(Some(verdict));
        };
        let census = fold::heaps(&form, scanner, count, meter).map_err(|t| match t {
            Trouble::Scan(e) => Fault::Scan(e),
            Trouble::Stop(stop) => Fault::Stop(stop),
            Trouble::TooLarge => self.too_large(),
            Trouble::Width => Fault::Case("a Grundy value does not fit in 64 bits".into()),
        })?;
        let value = (program.convention == Convention::Normal).then_some(census.xor);
        self.judged(Some(Verdict { won: census.is_won(program.convention), value }))
    }

    /// The definitions, and the limits within which the rest is true.
    fn definitions(&mut self) -> Result<(), Fault> {
        for (slot, rule) in &self.program.lets {
            match rule {
                Let::Number(formula) => {
                    let n = formula.value(&self.values, &[], None).map_err(Fault::Case)?;
                    self.values[*slot] = Value::Number(n);
                }
                Let::Chain(chain) => chain.run(&mut self.values, *slot).map_err(Fault::Case)?,
                Let::Members(formula, lists) => {
                    let count = self.values[lists[0]].list().len();
                    if lists.iter().any(|s| self.values[*s].list().len() != count) {
                        return Err(Fault::Case("a formula joins lists of different lengths".into()));
                    }
                    let mut target = std::mem::replace(&mut self.values[*slot], Value::Number(0));
                    let members = target.cleared();
                    for row in 0..count {
                        members.push(formula.value(&self.values, &[], Some(row)).map_err(Fault::Case)?);
                    }
                    self.values[*slot] = target;
                }
            }
        }
        if let Some((claim, text)) = &self.program.require
            && claim.value(&self.values, &[], None).map_err(Fault::Case)? == 0
        {
            return Err(Fault::Case(format!("the problem's limits are not kept: {text}")));
        }
        Ok(())
    }

    /// Who wins is known as far as the game says it; the claim has the last word.
    fn judged(&mut self, verdict: Option<Verdict>) -> Result<(), Fault> {
        let program = self.program;
        let results = verdict.map_or([0, 0], |v| [i128::from(v.won), i128::from(v.value.unwrap_or(0))]);
        let won = match &program.wins {
            Some(claim) => claim.value(&self.values, &results, None).map_err(Fault::Case)? == 1,
            None => verdict.is_some_and(|v| v.won),
        };
        // the cases of a range are not for anybody to choose
        let is_decided = program.wins.is_some() || verdict.is_some();
        if let Some(verdicts) = self.verdicts.as_deref_mut()
            && is_decided
            && program.layout.first_range() == program.layout.levels.len()
        {
            verdicts.push(won);
        }
        if let Some(winner) = program.tally {
            self.tallied += u64::from(won == (winner == Winner::First));
            return Ok(());
        }
        match &program.join {
            Some(join) if self.in_line > 0 => self.gathered.extend_from_slice(join.as_bytes()),
            _ => self.begin_line(),
        }
        self.in_line += 1;
        match program.print {
            Print::Winner => self.gathered.extend_from_slice(program.words[usize::from(!won)].as_bytes()),
            Print::Value => {
                let value = verdict.and_then(|v| v.value);
                let value = value.ok_or_else(|| Fault::Case("the Grundy value is not known".into()))?;
                write!(self.gathered, "{value}")?;
            }
            Print::Answer => self.answer(&results)?,
            Print::Count => {
                let Some(game) = &program.game else { return Ok(()) };
                let count = match verdict {
                    Some(v) if !v.won => 0,
                    _ => self.games.count(game, &self.values, program.convention, &mut self.meter)?,
                };
                write!(self.gathered, "{count}")?;
            }
            Print::Moves => {
                let Some(game) = &program.game else {
                    self.print_take(won);
                    return self.end_result();
                };
                if verdict.is_some_and(|v| v.won) {
                    let moves = self.games.moves(game, &self.values, program.convention, &mut self.meter)?;
                    self.print_moves(&moves)?;
                } else {
                    self.gathered.extend_from_slice(program.moves.lost.as_bytes());
                }
            }
        }
        self.end_result()
    }

    /// After a counted number of cases nothing but white space may follow.
    fn nothing_follows(&mut self) -> Result<(), Fault> {
        let outermost = self.program.layout.levels.iter().find(|l| !matches!(l.repeat, Repeat::Once));
        let is_counted = outermost.is_none_or(|l| matches!(l.repeat, Repeat::Counted(_) | Repeat::Range { .. }));
        if is_counted && !self.scanner.at_end()? {
            let Place { line, column } = self.scanner.place();
            let word = self.scanner.next_word()?.unwrap_or_default();
            let word: String = String::from_utf8_lossy(word).chars().take(40).collect();
            return Err(Fault::Case(format!(
                "line {line}, column {column}: expected the end of the input after the last case, found \"{word}\""
            )));
        }
        Ok(())
    }

    /// What messages call the present case.
    fn case_name(&self) -> String {
        let levels = self.program.layout.levels.iter().zip(&self.counters);
        let reading = levels.filter(|(l, _)| !matches!(l.repeat, Repeat::Once | Repeat::Range { .. }));
        let numbers: Vec<String> = reading.map(|(_, c)| *c).take_while(|c| *c > 0).map(|c| c.to_string()).collect();
        if numbers.is_empty() { "case 1".into() } else { format!("case {}", numbers.join(".")) }
    }
}
