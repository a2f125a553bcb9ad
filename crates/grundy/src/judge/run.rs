//! Reads the cases one by one and writes what the judge wants to see.

use std::io::{Cursor, Read, Write};

use grundy_core::{rulesets::AnyComponent, theory::Convention};

use super::{
    error::{Fault, JudgeError},
    fold::{self, Trouble},
    format::{Item, Repeat},
    games::{Games, LARGEST, Verdict, canonical_numbers},
    preset::{Print, Winner},
    program::{Let, Program},
    scan::{Place, Scanner},
    text::Value,
};
use crate::{
    answer::Move,
    budget::{Budget, Meter},
};

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
        if self.nim_products {
            return super::pairs::nim_products(input, output, budget);
        }
        if self.green_game {
            return super::green::answer(input, output, budget);
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

struct Runner<'a, R, W> {
    program: &'a Program,
    scanner: Scanner<R>,
    output: W,
    gathered: Vec<u8>,
    values: Vec<Value>,
    /// Numbers read ahead to see whether they are all zero, the next one last.
    pending: Vec<u64>,
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
                        self.pending.push(n);
                    }
                    if self.pending.iter().all(|n| *n == 0) {
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

    /// One case of a level, with the levels inside.
    fn body(&mut self, k: usize) -> Result<(), Fault> {
        let program = self.program;
        self.counters[k] += 1;
        self.meter.steps(64)?;
        for item in &program.layout.levels[k].items {
            match item {
                Item::Number(slot) => {
                    let n = self.next_number()?;
                    self.values[*slot] = Value::Number(i128::from(n));
                }
                Item::Word(slot) => {
                    let Some(word) = self.scanner.next_word()? else {
                        let Place { line, column } = self.scanner.place();
                        return Err(Fault::Case(format!(
                            "line {line}, column {column}: expected a word, found the end of the input"
                        )));
                    };
                    match &mut self.values[*slot] {
                        Value::Word(w) => {
                            w.clear();
                            w.extend_from_slice(word);
                        }
                        other => *other = Value::Word(word.to_vec()),
                    }
                }
                Item::List { slot, length } => {
                    let count = self.length(length)?;
                    if program.streamed == Some(*slot) {
                        return self.streamed(*slot, count);
                    }
                    self.list(*slot, count)?;
                }
                Item::Records { slots, length } => {
                    let count = self.length(length)?;
                    for slot in slots.clone() {
                        self.values[slot].cleared();
                    }
                    for _ in 0..count {
                        for slot in slots.clone() {
                            let n = self.next_number()?;
                            if let Value::List(list) = &mut self.values[slot] {
                                list.push(i128::from(n));
                            }
                        }
                    }
                }
                Item::Rest(slot) => {
                    let mut list = std::mem::replace(&mut self.values[*slot], Value::Number(0));
                    let numbers = list.cleared();
                    while let Some(n) = self.pending.pop() {
                        numbers.push(i128::from(n));
                    }
                    while let Some(n) = self.scanner.next_in_line()? {
                        if n > LARGEST {
                            return Err(self.too_large());
                        }
                        numbers.push(i128::from(n));
                    }
                    self.values[*slot] = list;
                }
            }
        }
        if k + 1 < program.layout.levels.len() { self.level(k + 1) } else { self.case() }
    }

    /// A case that has been read.
    fn case(&mut self) -> Result<(), Fault> {
        self.definitions()?;
        let program = self.program;
        let verdict = match &program.game {
            Some(game) => {
                let Runner { games, values, meter, .. } = self;
                Some(games.verdict(game, values, program.convention, program.wants_value, meter)?)
            }
            None => None,
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
                let Some(game) = &program.game else { return Ok(()) };
                if verdict.is_some_and(|v| v.won) {
                    let moves = self.games.moves(game, &self.values, program.convention, &mut self.meter)?;
                    self.print_moves(&moves)?;
                } else {
                    self.gathered.extend_from_slice(program.moves.lost.as_bytes());
                }
            }
        }
        if program.join.is_none() {
            self.end_line()?;
        }
        Ok(())
    }

    fn answer(&mut self, results: &[i128]) -> Result<(), Fault> {
        let program = self.program;
        let Some(formula) = &program.answer else { return Ok(()) };
        let n = formula.value(&self.values, results, None).map_err(Fault::Case)?;
        if program.answers.is_empty() {
            write!(self.gathered, "{n}")?;
            return Ok(());
        }
        let word = usize::try_from(n).ok().and_then(|n| program.answers.get(n));
        let word = word.ok_or_else(|| Fault::Case(format!("there is no word for the answer {n}")))?;
        self.gathered.extend_from_slice(word.as_bytes());
        Ok(())
    }

    fn print_moves(&mut self, moves: &[Move]) -> Result<(), Fault> {
        let format = &self.program.moves;
        self.gathered.extend_from_slice(format.won.as_bytes());
        let mut order: Vec<&Move> = moves.iter().collect();
        if format.both_first {
            order.sort_by_key(|m| !takes_from_both(m));
        }
        let mut printed = Vec::new();
        let mut text = String::new();
        let mut is_first = true;
        for m in order {
            text.clear();
            move_text(&format.each, m, &mut text);
            if format.distinct {
                if printed.contains(&text) {
                    continue;
                }
                printed.push(text.clone());
            }
            if !is_first {
                self.gathered.extend_from_slice(format.join.as_bytes());
            }
            is_first = false;
            self.gathered.extend_from_slice(text.as_bytes());
            if self.gathered.len() >= GATHERED {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn begin_line(&mut self) {
        self.line += 1;
        let mut parts = self.program.prefix.iter();
        if let Some(first) = parts.next() {
            self.gathered.extend_from_slice(first.as_bytes());
        }
        for part in parts {
            // a vector takes everything
            let _ = write!(self.gathered, "{}{part}", self.line);
        }
    }

    fn end_line(&mut self) -> Result<(), Fault> {
        self.gathered.push(b'\n');
        if self.gathered.len() >= GATHERED {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.output.write_all(&self.gathered)?;
        self.gathered.clear();
        self.output.flush()
    }

    fn next_number(&mut self) -> Result<u64, Fault> {
        match self.pending.pop() {
            Some(n) => Ok(n),
            None => self.scanned_number(),
        }
    }

    fn scanned_number(&mut self) -> Result<u64, Fault> {
        match self.scanner.next_u64()? {
            Some(n) if n <= LARGEST => Ok(n),
            Some(_) => Err(self.too_large()),
            // reading one number more than there are says that they have ended, and where
            None => match self.scanner.fold_u64(1, |_| ()) {
                Err(e) => Err(Fault::Scan(e)),
                Ok(()) => Err(Fault::Case("the input changed while it was read".into())),
            },
        }
    }

    fn list(&mut self, slot: usize, count: u64) -> Result<(), Fault> {
        let mut list = std::mem::replace(&mut self.values[slot], Value::Number(0));
        let numbers = list.cleared();
        let mut left = count;
        while left > 0 && !self.pending.is_empty() {
            numbers.push(i128::from(self.pending.pop().unwrap_or(0)));
            left -= 1;
        }
        let mut large = false;
        self.scanner.fold_u64(left, |n| {
            large |= n > LARGEST;
            numbers.push(i128::from(n));
        })?;
        if large {
            return Err(self.too_large());
        }
        self.values[slot] = list;
        Ok(())
    }

    fn length(&mut self, length: &super::text::Expression) -> Result<u64, Fault> {
        let n = length.value(&self.values, &[], None).map_err(Fault::Case)?;
        u64::try_from(n).map_err(|_| Fault::Case(format!("a list cannot have {n} members")))
    }

    fn too_large(&self) -> Fault {
        let Place { line, column } = self.scanner.place();
        Fault::Case(format!("line {line}, before column {column}: a number is too large; the largest heap is 2^63"))
    }

    /// A number where the line should have ended.
    fn rest_of_line(&mut self) -> Result<Option<u64>, Fault> {
        let ends = matches!(self.program.layout.last().items.last(), Some(Item::Rest(_)));
        if ends { Ok(None) } else { Ok(self.scanner.next_in_line()?) }
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

fn size(component: &AnyComponent) -> u64 {
    if let AnyComponent::Heap(_, n) = component { *n } else { 0 }
}

fn takes_from_both(m: &Move) -> bool {
    match (&m.from, &m.to[..]) {
        (AnyComponent::Wythoff(_, a), [AnyComponent::Wythoff(_, b)]) => a[0] != b[0] && a[1] != b[1],
        _ => false,
    }
}

fn move_text(format: &str, m: &Move, out: &mut String) {
    let mut rest = format;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}') else { break };
        match &rest[open + 1..open + close] {
            "index" => out.push_str(&(m.component + 1).to_string()),
            "before" => out.push_str(&m.from.print_position().replace(", ", " ")),
            "after" if m.to.is_empty() => out.push('0'),
            "after" => {
                let parts: Vec<String> = m.to.iter().map(canonical_numbers).collect();
                out.push_str(&parts.join(" "));
            }
            "take" => {
                let left: u64 = m.to.iter().map(size).sum();
                out.push_str(&size(&m.from).saturating_sub(left).to_string());
            }
            "move" => out.push_str(&m.name),
            other => {
                out.push('{');
                out.push_str(other);
                out.push('}');
            }
        }
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
}
