//! Test files: random cases within a problem's ranges, about half of them won by either player.
//!
//! # Ranges
//!
//! | text | draws |
//! |---|---|
//! | `1..100` | a number, or the members of a list |
//! | `2..12 even` | an even number |
//! | `0..1 fixed`, `1..20 distinct fixed` | the same, whatever largest number is asked for |
//! | `0..40 ascending`, `nondecreasing`, `distinct` | a list of that shape |
//! | `+- 1..60` | a word of these letters, of that length; a grid has the lengths that its layout says |
//! | `numbers 0..7 1..8` | a word `[3,0,7]`: numbers and how many of them |
//!
//! Half of the numbers are drawn evenly, the other half with evenly drawn numbers of binary digits, so that small ones occur;
//! one in 32 is an end of the range.
//!
//! # Generator
//!
//! SplitMix64 (Steele, Lea, Flood 2014): the state grows by 0x9e3779b97f4a7c15; an output is the state z after
//! z ^= z >> 30, z *= 0xbf58476d1ce4e5b9, z ^= z >> 27, z *= 0x94d049bb133111eb, z ^= z >> 31. A number below m is the high
//! word of m times an output. The same seed gives the same file on every machine.

use std::collections::BTreeMap;

use super::{
    error::{Fault, JudgeError, JudgeErrorKind},
    format::{Item, Repeat},
    games::{Argument, Games, LARGEST},
    inputs::{Body, Field},
    preset::Problem,
    program::Program,
    text::Value,
};
use crate::budget::{Budget, Meter};

/// Tries to give a case the outcome that is wanted.
const TRIES: u32 = 300;

/// Tries to draw a case that keeps the problem's limits.
const DRAWS: u32 = 2000;

/// The documented generator.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        match (high - low).checked_add(1) {
            Some(span) => low + self.below(span),
            None => self.next(),
        }
    }
}

/// What is drawn for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: u64,
    pub high: u64,
    even: bool,
    /// A largest number that is asked for does not change it.
    is_fixed: bool,
    shape: Shape,
    /// For words: their letters, and `low..high` is their length.
    letters: Option<String>,
    /// For words of numbers: how many.
    count: Option<(u64, u64)>,
    /// One number in so many is the lowest or among the highest.
    edges: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Free,
    Ascending,
    Nondecreasing,
    Distinct,
}

impl Range {
    const fn of(low: u64, high: u64) -> Self {
        Range { low, high, even: false, is_fixed: false, shape: Shape::Free, letters: None, count: None, edges: 32 }
    }

    fn parse(text: &str) -> Option<Range> {
        let bounds = |t: &str| -> Option<(u64, u64)> {
            let (low, high) = t.split_once("..")?;
            let (low, high) = (low.parse().ok()?, high.parse().ok()?);
            (low <= high && high <= LARGEST).then_some((low, high))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let range = |(low, high)| Range::of(low, high);
        match words[..] {
            [b] => bounds(b).map(range),
            [.., "fixed"] if words.len() > 2 => {
                let shape = text.trim_end().strip_suffix("fixed")?;
                Some(Range { is_fixed: true, ..Range::parse(shape)? })
            }
            ["numbers", b, c] => Some(Range { count: Some(bounds(c)?), ..range(bounds(b)?) }),
            [b, "even"] => Some(Range { even: true, ..range(bounds(b)?) }),
            [b, "fixed"] => Some(Range { is_fixed: true, ..range(bounds(b)?) }),
            [b, "ascending"] => Some(Range { shape: Shape::Ascending, ..range(bounds(b)?) }),
            [b, "nondecreasing"] => Some(Range { shape: Shape::Nondecreasing, ..range(bounds(b)?) }),
            [b, "distinct"] => Some(Range { shape: Shape::Distinct, ..range(bounds(b)?) }),
            [letters, b] => Some(Range { letters: Some(letters.to_owned()), ..range(bounds(b)?) }),
            _ => None,
        }
    }

    fn number(&self, random: &mut Random) -> u64 {
        let mut n = if random.below(self.edges) == 0 {
            match random.below(4) {
                0 => self.low,
                k => self.high.saturating_sub(k - 1).max(self.low),
            }
        } else if random.next() & 1 == 0 {
            random.between(self.low, self.high)
        } else {
            let bits = u64::from((self.high - self.low + 1).ilog2()) + 1;
            let digits = random.below(bits + 1).min(63);
            self.low + random.below(1 << digits).min(self.high - self.low)
        };
        if self.even && !n.is_multiple_of(2) {
            n = if n < self.high { n + 1 } else { n - 1 };
        }
        n
    }

    /// A list of `count` numbers; None if there are not so many distinct ones.
    fn list(&self, count: usize, random: &mut Random) -> Option<Vec<u64>> {
        let mut list: Vec<u64> = Vec::new();
        let distinct = matches!(self.shape, Shape::Ascending | Shape::Distinct);
        if distinct && (self.high - self.low) < count as u64 {
            let all = self.high - self.low + 1;
            return (all == count as u64).then(|| (self.low..=self.high).collect());
        }
        while list.len() < count {
            let n = self.number(random);
            if !(distinct && list.contains(&n)) {
                list.push(n);
            } else {
                // small numbers come often, and a list of distinct ones must end some day
                let n = random.between(self.low, self.high);
                if !list.contains(&n) {
                    list.push(n);
                }
            }
        }
        self.mend(&mut list);
        Some(list)
    }

    /// Brings a list into shape again after a member was changed.
    fn mend(&self, list: &mut [u64]) {
        if matches!(self.shape, Shape::Ascending | Shape::Nondecreasing) {
            list.sort_unstable();
        }
    }

    /// True if the list is of the shape.
    pub fn allows(&self, list: &[u64]) -> bool {
        let inside = list.iter().all(|n| (self.low..=self.high).contains(n));
        inside
            && match self.shape {
                Shape::Free => true,
                Shape::Ascending => list.windows(2).all(|w| w[0] < w[1]),
                Shape::Nondecreasing => list.windows(2).all(|w| w[0] <= w[1]),
                Shape::Distinct => {
                    let mut sorted = list.to_vec();
                    sorted.sort_unstable();
                    sorted.windows(2).all(|w| w[0] < w[1])
                }
            }
    }

    fn word(&self, random: &mut Random) -> String {
        if let Some((low, high)) = self.count {
            let count = random.between(low, high);
            let numbers: Vec<String> = (0..count).map(|_| random.between(self.low, self.high).to_string()).collect();
            return format!("[{}]", numbers.join(","));
        }
        let count = random.between(self.low.max(1), self.high.max(1));
        self.letters(count as usize, random)
    }

    /// So many letters.
    fn letters(&self, count: usize, random: &mut Random) -> String {
        let letters: Vec<char> = self.letters.as_deref().unwrap_or("ab").chars().collect();
        (0..count).map(|_| letters[random.below(letters.len() as u64) as usize]).collect()
    }
}

/// The ranges of a problem, one for each slot and loop.
pub(super) struct Ranges {
    slots: Vec<Range>,
    counts: BTreeMap<String, Range>,
    /// Most numbers up to the end of a line.
    line: u64,
}

impl Ranges {
    /// The ranges of the problem's data, `1..8` for lengths and `0..100` for the rest where nothing is said; numbers that are
    /// no lengths go up to `max`, if that is given.
    pub fn new(problem: &Problem, program: &Program, max: Option<u64>) -> Result<Ranges, JudgeError> {
        let mut parsed = BTreeMap::new();
        for (name, text) in &problem.ranges {
            let range = Range::parse(text)
                .ok_or_else(|| JudgeError::wrong(format!("\"{text}\" is no range")).hint("for example 1..100"))?;
            parsed.insert(name.to_ascii_lowercase(), range);
        }
        let mut slots = Vec::new();
        for slot in 0..program.names.len() {
            let is_length = program.is_length(slot);
            let usual = if is_length { Range::of(1, 8) } else { Range::of(1, 100) };
            let mut range = parsed.get(program.names.name(slot)).cloned().unwrap_or(usual);
            if let (Some(max), false) = (max, is_length || range.is_fixed || program.is_word(slot)) {
                range.high = max.clamp(range.low, LARGEST);
            }
            slots.push(range);
        }
        Ok(Ranges { slots, counts: parsed, line: 8 })
    }

    pub fn of(&self, slot: usize) -> &Range {
        &self.slots[slot]
    }

    /// The same with lengths of `most` at most.
    pub fn short(mut self, most: u64, program: &Program) -> Self {
        for (slot, range) in self.slots.iter_mut().enumerate() {
            if program.is_length(slot) || program.is_word(slot) {
                range.high = range.high.min(most.max(range.low));
            }
        }
        self.line = self.line.min(most);
        self.counts.values_mut().for_each(|c| c.high = c.high.min(most.max(c.low)));
        self
    }

    /// The same with an end of the range for every other number.
    pub fn at_the_edges(mut self) -> Self {
        self.slots.iter_mut().for_each(|r| r.edges = 2);
        self
    }

    fn count(&self, name: &str) -> Range {
        self.counts.get(name).cloned().unwrap_or(Range::of(1, 3))
    }
}

/// Draws inputs of one problem.
pub(super) struct Maker<'a> {
    pub program: &'a Program,
    pub ranges: Ranges,
    pub random: Random,
    pub games: Games,
    budget: Budget,
    /// The level of which there may be any number of cases; the number of levels if there is none.
    pub level: usize,
}

/// How many cases either player wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Cases that the first player wins.
    pub first: u64,
    /// Cases that the second player wins.
    pub second: u64,
}

impl<'a> Maker<'a> {
    pub fn new(program: &'a Program, ranges: Ranges, seed: u64, budget: &Budget) -> Self {
        let level = program.layout.first_loop().unwrap_or(program.layout.levels.len());
        Maker { program, ranges, random: Random::new(seed), games: Games::default(), budget: budget.clone(), level }
    }

    /// An input of `cases` cases, balanced as far as possible.
    pub fn input(&mut self, cases: usize) -> Result<(Body, Balance), JudgeError> {
        let mut balance = Balance::default();
        let mut root = self.drawn(1)?;
        if self.level >= self.program.layout.levels.len() {
            let mut root = root;
            self.balanced(&mut root, &mut balance)?;
            return Ok((root, balance));
        }
        let mut all = Vec::new();
        let mut meter = Meter::new(&self.budget);
        for made in 0..cases {
            // a case costs some kilobytes and tens of microseconds, far more than looking at the limits
            if let Err(stop) = meter.bytes(4096).and_then(|()| meter.steps(1 << 15)) {
                let stop = stop.reached(format!("{made} of {cases} cases were made"));
                return Err(JudgeError::of(Fault::Stop(stop), "the test file"));
            }
            self.draw_case(&mut root)?;
            self.balanced(&mut root, &mut balance)?;
            all.append(self.cases_of(&mut root));
        }
        *self.cases_of(&mut root) = all;
        Ok((root, balance))
    }

    /// Gives the input one new case in place of those of its outermost loop.
    fn draw_case(&mut self, root: &mut Body) -> Result<(), JudgeError> {
        if self.level >= self.program.layout.levels.len() {
            *root = self.drawn(1)?;
            return Ok(());
        }
        let mut values = self.program.values();
        self.outer_values(root, &mut values);
        for _ in 0..DRAWS {
            if let Some(body) = self.body(self.level, &mut values, None) {
                *self.cases_of(root) = vec![body];
                if self.judged(root)?.is_some() {
                    return Ok(());
                }
            }
        }
        Err(no_case())
    }

    /// An input with so many cases that keeps the limits; nothing is balanced.
    pub fn drawn(&mut self, cases: usize) -> Result<Body, JudgeError> {
        for _ in 0..DRAWS {
            let mut values = self.program.values();
            if let Some(root) = self.body(0, &mut values, Some(cases))
                && self.judged(&root)?.is_some()
            {
                return Ok(root);
            }
        }
        Err(no_case())
    }

    /// The cases of the outermost loop.
    pub fn cases_of<'b>(&self, root: &'b mut Body) -> &'b mut Vec<Body> {
        let mut body = root;
        for _ in 1..self.level {
            body = &mut body.inner[0];
        }
        &mut body.inner
    }

    /// Who wins the cases; None if the input is not within the limits.
    pub fn judged(&mut self, root: &Body) -> Result<Option<Vec<bool>>, JudgeError> {
        if self.ends_early(0, root) {
            return Ok(None);
        }
        let text = self.program.write_down(root);
        let mut verdicts = Vec::new();
        let sink = std::io::sink();
        match self.program.run_noting(
            text.as_bytes(),
            text.len(),
            sink,
            &self.budget,
            &mut self.games,
            Some(&mut verdicts),
        ) {
            Ok(()) => Ok(Some(verdicts)),
            Err(e) if e.kind() == JudgeErrorKind::Input => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// True if a case reads like the zeros that end a loop.
    fn ends_early(&self, k: usize, body: &Body) -> bool {
        let zeros = if let Repeat::UntilZeros(z) = self.program.layout.levels[k].repeat { z } else { 0 };
        let mut numbers = body.fields.iter().flat_map(|field| match field {
            Field::Number(n) => vec![*n],
            Field::List(l) => l.clone(),
            Field::Records(columns) => columns.iter().map(|c| c.first().copied().unwrap_or(0)).collect(),
            Field::Rows(rows) => rows.iter().flat_map(|r| std::iter::once(r.len() as u64).chain(r.clone())).collect(),
            Field::Word(_) | Field::Grid(_) => Vec::new(),
        });
        let is_end = zeros > 0 && numbers.by_ref().take(zeros).all(|n| n == 0);
        is_end || body.inner.iter().any(|b| self.ends_early(k + 1, b))
    }

    /// Numbers read before the outermost loop.
    fn outer_values(&self, root: &Body, values: &mut [Value]) {
        let mut body = root;
        for k in 0..self.level {
            for (field, item) in body.fields.iter().zip(&self.program.layout.levels[k].items) {
                if let (Field::Number(n), Item::Number(slot)) = (field, item) {
                    values[*slot] = Value::Number(i128::from(*n));
                }
            }
            match body.inner.first() {
                Some(inner) if k + 1 < self.level => body = inner,
                _ => break,
            }
        }
    }

    /// Changes the one case of `root` until the player who has won fewer cases wins it, or the tries are used up.
    fn balanced(&mut self, root: &mut Body, balance: &mut Balance) -> Result<(), JudgeError> {
        let wants_first = match balance.first.cmp(&balance.second) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => self.random.next() & 1 == 0,
        };
        let first_wins = |verdicts: &[bool]| verdicts.iter().filter(|w| **w).count() * 2 > verdicts.len();
        let mut verdicts = self.judged(root)?.unwrap_or_default();
        if !wants_first
            && first_wins(&verdicts)
            && let Some(next) = self.after_a_winning_move(root)
            && let Some(new) = self.judged(&next)?
            && !first_wins(&new)
        {
            (*root, verdicts) = (next, new);
        }
        let mut current = root.clone();
        for attempt in 0..TRIES {
            if first_wins(&verdicts) == wants_first || verdicts.is_empty() {
                break;
            }
            if attempt % 16 == 15 {
                // some lengths have one outcome only
                self.draw_case(root)?;
                verdicts = self.judged(root)?.unwrap_or_default();
                current = root.clone();
                continue;
            }
            let mut next = current.clone();
            self.change(&mut next);
            let Some(next) = self.program.fitted(next) else { continue };
            let Some(new) = self.judged(&next)? else { continue };
            if first_wins(&new) == wants_first {
                *root = next;
                verdicts = new;
                break;
            }
            current = next;
        }
        balance.first += verdicts.iter().filter(|w| **w).count() as u64;
        balance.second += verdicts.iter().filter(|w| !**w).count() as u64;
        Ok(())
    }

    /// A position that a winning move leads to, for games of tuples, in which lost positions are rare.
    fn after_a_winning_move(&mut self, root: &Body) -> Option<Body> {
        let game = self.program.game.as_ref()?;
        let [term] = &game.terms[..] else { return None };
        let slots: Vec<usize> = term.arguments.iter().filter_map(Argument::slot).collect();
        if term.rows.is_some() {
            return self.lost_board(root);
        }
        if slots.len() != term.arguments.len() || slots.len() < 2 {
            return None;
        }
        let mut next = root.clone();
        let mut values = self.program.values();
        self.program.fit(0, std::slice::from_mut(&mut next), &mut values)?;
        let mut meter = Meter::new(&self.budget);
        let moves = self.games.moves(game, &values, self.program.convention, &mut meter).ok()?;
        let chosen = moves.get(self.random.below(moves.len().max(1) as u64) as usize)?;
        let [to] = &chosen.to[..] else { return None };
        let numbers: Vec<u64> = to.print_position().split(", ").filter_map(|n| n.parse().ok()).collect();
        if numbers.len() != slots.len() {
            return None;
        }
        let mut body = &mut next;
        for level in &self.program.layout.levels {
            for (field, item) in body.fields.iter_mut().zip(&level.items) {
                if let Item::Number(slot) = item
                    && let Some(i) = slots.iter().position(|s| s == slot)
                {
                    *field = Field::Number(numbers[i]);
                }
            }
            match body.inner.first_mut() {
                Some(inner) => body = inner,
                None => break,
            }
        }
        Some(next)
    }

    /// A lost board that a winning move leads to, where a case is a list of cells.
    fn lost_board(&mut self, root: &Body) -> Option<Body> {
        let game = self.program.game.as_ref()?;
        let mut next = root.clone();
        let mut values = self.program.values();
        self.program.fit(0, std::slice::from_mut(&mut next), &mut values)?;
        let mut meter = Meter::new(&self.budget);
        let columns = self.games.lost_board(game, &values, &mut meter)?;
        let count = columns.first()?.len() as u64;
        let mut body = &mut next;
        for level in &self.program.layout.levels {
            for (field, item) in body.fields.iter_mut().zip(&level.items) {
                match item {
                    Item::Records { slots, .. } if slots.len() == columns.len() => {
                        *field = Field::Records(columns.clone());
                    }
                    Item::Number(slot) if self.program.is_length(*slot) => {
                        let range = self.ranges.of(*slot);
                        (range.low..=range.high).contains(&count).then_some(())?;
                        *field = Field::Number(count);
                    }
                    _ => {}
                }
            }
            match body.inner.first_mut() {
                Some(inner) => body = inner,
                None => break,
            }
        }
        Some(next)
    }

    /// Changes one number or word of the case: to another draw, to its neighbour, to the xor of the other members of its
    /// list or nearly so, to another member.
    fn change(&mut self, root: &mut Body) {
        let mut body = root;
        let mut k = 0;
        let deepest = self.program.layout.levels.len() - 1;
        // any level from the outermost loop on
        while k < deepest && !body.inner.is_empty() && (k < self.level || self.random.next() & 3 != 0) {
            let i = self.random.below(body.inner.len() as u64) as usize;
            body = &mut body.inner[i];
            k += 1;
        }
        let items = &self.program.layout.levels[k].items;
        if items.is_empty() {
            return;
        }
        let i = self.random.below(items.len() as u64) as usize;
        let slots = self.program.slots_of(&items[i]);
        match &mut body.fields[i] {
            // lengths stay
            Field::Number(_) if self.program.is_length(slots[0]) => {}
            Field::Number(n) => {
                let range = self.ranges.of(slots[0]).clone();
                *n = match self.random.below(3) {
                    0 => n.saturating_add(1).min(range.high),
                    1 => n.saturating_sub(1).max(range.low),
                    _ => range.number(&mut self.random),
                };
            }
            Field::Word(w) => *w = self.ranges.of(slots[0]).word(&mut self.random),
            Field::List(list) => {
                let range = self.ranges.of(slots[0]).clone();
                self.change_list(list, &range);
            }
            Field::Records(columns) => {
                let c = self.random.below(columns.len() as u64) as usize;
                let range = self.ranges.of(slots[c]).clone();
                self.change_list(&mut columns[c], &range);
            }
            Field::Rows(rows) if rows.is_empty() => {}
            Field::Rows(rows) => {
                let row = self.random.below(rows.len() as u64) as usize;
                let count = self.ranges.of(slots[0]).clone().number(&mut self.random) as usize;
                let range = self.ranges.of(slots[1]).clone();
                if self.random.next() & 1 == 0 {
                    self.change_list(&mut rows[row], &range);
                } else if let Some(new) = range.list(count, &mut self.random) {
                    rows[row] = new;
                }
            }
            Field::Grid(rows) if rows.is_empty() => {}
            Field::Grid(rows) => {
                let row = self.random.below(rows.len() as u64) as usize;
                rows[row] = self.ranges.of(slots[0]).clone().letters(rows[row].chars().count(), &mut self.random);
            }
        }
    }

    fn change_list(&mut self, list: &mut [u64], range: &Range) {
        if list.is_empty() {
            return;
        }
        let before = list.to_vec();
        let j = self.random.below(list.len() as u64) as usize;
        let others = list.iter().enumerate().filter(|(i, _)| *i != j).fold(0, |x, (_, n)| x ^ n);
        let member = list[self.random.below(list.len() as u64) as usize];
        let n = match self.random.below(8) {
            0 | 1 => others,
            2 => others.saturating_add(1),
            3 => others.saturating_sub(1),
            4 => member,
            5 => list[j].saturating_add(1),
            6 => list[j].saturating_sub(1),
            _ => range.number(&mut self.random),
        };
        list[j] = n;
        range.mend(list);
        if !range.allows(list) {
            list.copy_from_slice(&before);
        }
    }

    /// Draws a body; None if it cannot be.
    fn body(&mut self, k: usize, values: &mut [Value], cases: Option<usize>) -> Option<Body> {
        let program = self.program;
        let level = &program.layout.levels[k];
        let mut body = Body::default();
        for item in &level.items {
            let field = match item {
                Item::Number(slot) => {
                    let n = self.ranges.of(*slot).clone().number(&mut self.random);
                    values[*slot] = Value::Number(i128::from(n));
                    Field::Number(n)
                }
                Item::Word(slot) => Field::Word(self.ranges.of(*slot).clone().word(&mut self.random)),
                Item::Rest(slot) => {
                    let count = 1 + self.random.below(self.ranges.line.max(1)) as usize;
                    Field::List(self.ranges.of(*slot).clone().list(count, &mut self.random)?)
                }
                Item::List { slot, length } => {
                    let count = usize::try_from(length.value(values, &[], None).ok()?).ok()?;
                    Field::List(self.ranges.of(*slot).clone().list(count, &mut self.random)?)
                }
                Item::Records { slots, length } => {
                    let count = usize::try_from(length.value(values, &[], None).ok()?).ok()?;
                    let mut columns = Vec::new();
                    for slot in slots.clone() {
                        columns.push(self.ranges.of(slot).clone().list(count, &mut self.random)?);
                    }
                    Field::Records(columns)
                }
                Item::Rows { counts, members, length } => {
                    let (lengths, range) = (self.ranges.of(*counts).clone(), self.ranges.of(*members).clone());
                    let mut rows = Vec::new();
                    for _ in 0..length.value(values, &[], None).ok()? {
                        let count = lengths.number(&mut self.random) as usize;
                        rows.push(range.list(count, &mut self.random)?);
                    }
                    Field::Rows(rows)
                }
                Item::Grid { slot, rows, columns } => {
                    let range = self.ranges.of(*slot).clone();
                    let count = usize::try_from(columns.value(values, &[], None).ok()?).ok()?;
                    let rows = 0..rows.value(values, &[], None).ok()?;
                    Field::Grid(rows.map(|_| range.letters(count, &mut self.random)).collect())
                }
            };
            body.fields.push(field);
        }
        let Some(next) = program.layout.levels.get(k + 1) else { return Some(body) };
        let is_outermost = k + 1 == self.level;
        let count = match &next.repeat {
            Repeat::Once => 1,
            Repeat::Range { .. } if next.items.is_empty() && k + 2 == program.layout.levels.len() => 0,
            Repeat::Range { .. } => program.range_length(k + 1, values)?,
            _ if is_outermost => cases.unwrap_or(1),
            Repeat::Counted(name) => self.ranges.count(name).number(&mut self.random) as usize,
            _ => 1,
        };
        for i in 0..count {
            if let Repeat::Range { slot, from, .. } = &next.repeat {
                let from = from.value(values, &[], None).ok()?;
                values[*slot] = Value::Number(from + i as i128);
            }
            let inner = self.body(k + 1, values, cases)?;
            body.inner.push(inner);
        }
        Some(body)
    }
}

fn no_case() -> JudgeError {
    JudgeError::refused("no case within the ranges keeps the problem's limits")
        .hint("see the ranges with --about, or give another --max")
}

impl Program {
    /// A test file of `cases` random cases, about half of them won by either player as far as possible, and how many are.
    ///
    /// Numbers that are no lengths go up to `max`, if that is given, else as far as the problem's ranges say.
    ///
    /// # Complexity
    /// A few answers a case; at most some hundreds where an outcome is rare.
    ///
    /// # Errors
    /// If the layout holds one case only and more are wanted, if the ranges leave no case, or a limit was reached.
    pub fn generate(
        &self,
        problem: &Problem,
        cases: usize,
        seed: u64,
        max: Option<u64>,
        budget: &Budget,
    ) -> Result<(String, Balance), JudgeError> {
        let mut maker = Maker::new(self, Ranges::new(problem, self, max)?, seed, budget);
        if maker.level >= self.layout.levels.len() && cases != 1 {
            return Err(JudgeError::refused("an input of this problem holds one case").hint("--generate 1"));
        }
        let (root, balance) = maker.input(cases)?;
        Ok((self.write_down(&root), balance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_documented_one() {
        // the first outputs for seed 1234567 that the authors' reference program prints
        let mut random = Random::new(1_234_567);
        let got: Vec<u64> = (0..5).map(|_| random.next()).collect();
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(got, reference);
    }

    #[test]
    fn ranges_are_read_and_kept() {
        let mut random = Random::new(1);
        for (text, count) in
            [("1..5 distinct", 5), ("0..40 ascending fixed", 8), ("3..9 nondecreasing", 12), ("2..12 even", 3)]
        {
            let range = Range::parse(text).unwrap();
            for _ in 0..200 {
                assert!(range.allows(&range.list(count, &mut random).unwrap()), "{text}");
            }
        }
        let word = Range::parse("+- 1..4").unwrap().word(&mut random);
        assert!((1..=4).contains(&word.len()) && word.chars().all(|c| "+-".contains(c)));
        assert_eq!(Range::parse("5..1"), None);
        assert_eq!(Range::parse("1..2 odd numbers here"), None);
        assert!(Range::parse("1..5 ascending").unwrap().list(6, &mut random).is_none());
    }
}
