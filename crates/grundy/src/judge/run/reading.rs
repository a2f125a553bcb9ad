//! The numbers and words of a case, as the layout says.

use std::io::{Read, Write};

use super::{
    super::{
        error::Fault,
        format::Item,
        games::LARGEST,
        scan::Place,
        text::{Expression, Value},
    },
    Runner,
};

impl<R: Read, W: Write> Runner<'_, R, W> {
    /// One case of a level, with the levels inside.
    pub(super) fn body(&mut self, k: usize) -> Result<(), Fault> {
        let program = self.program;
        self.counters[k] += 1;
        self.is_new |= k + 1 < program.layout.levels.len();
        self.meter.steps(64)?;
        for item in &program.layout.levels[k].items {
            match item {
                Item::Number(slot) => {
                    self.forget_places(*slot);
                    let n = self.next_number()?;
                    self.note_place(*slot);
                    self.values[*slot] = Value::Number(i128::from(n));
                }
                Item::Word(slot) => {
                    self.forget_places(*slot);
                    let mut word = self.cleared_word(*slot);
                    self.word(&mut word)?;
                    self.note_place(*slot);
                    self.values[*slot] = Value::Word(word);
                }
                Item::Grid { slot, rows, columns } => {
                    let (rows, columns) = (self.length(rows)?, self.length(columns)?);
                    self.forget_places(*slot);
                    let mut word = self.cleared_word(*slot);
                    for _ in 0..rows {
                        let length = self.word(&mut word)?;
                        if length as u64 != columns {
                            let Place { line, column } = self.scanner.place_of_last();
                            let row = String::from_utf8_lossy(&word[word.len() - length..]);
                            let row: String = row.chars().take(40).collect();
                            return Err(Fault::Case(format!(
                                "line {line}, column {column}: expected a row of {columns} letters, found \"{row}\""
                            )));
                        }
                        self.note_place(*slot);
                    }
                    self.values[*slot] = Value::Word(word);
                }
                Item::Rows { counts, members, length } => {
                    let count = self.length(length)?;
                    for slot in [*counts, *members] {
                        self.forget_places(slot);
                        self.values[slot].cleared();
                    }
                    for _ in 0..count {
                        let length = self.listed(*counts)?;
                        for _ in 0..length {
                            self.listed(*members)?;
                        }
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
                        self.forget_places(slot);
                        self.values[slot].cleared();
                    }
                    for _ in 0..count {
                        for slot in slots.clone() {
                            self.listed(slot)?;
                        }
                    }
                }
                Item::Rest(slot) => {
                    let mut list = std::mem::replace(&mut self.values[*slot], Value::Number(0));
                    let numbers = list.cleared();
                    while let Some((n, _)) = self.pending.pop() {
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

    pub(super) fn next_number(&mut self) -> Result<u64, Fault> {
        match self.pending.pop() {
            Some((n, place)) => {
                self.last = place;
                Ok(n)
            }
            None => self.scanned_number(),
        }
    }

    /// A number that goes into the list of the slot; it is returned.
    pub(super) fn listed(&mut self, slot: usize) -> Result<u64, Fault> {
        let n = self.next_number()?;
        self.note_place(slot);
        if let Value::List(list) = &mut self.values[slot] {
            list.push(i128::from(n));
        }
        Ok(n)
    }

    /// Appends the next word; its length is returned.
    pub(super) fn word(&mut self, word: &mut Vec<u8>) -> Result<usize, Fault> {
        let Some(next) = self.scanner.next_word()? else {
            let Place { line, column } = self.scanner.place();
            return Err(Fault::Case(format!(
                "line {line}, column {column}: expected a word, found the end of the input"
            )));
        };
        word.extend_from_slice(next);
        let length = next.len();
        if self.program.special.is_some() {
            self.last = self.scanner.place_of_last();
        }
        Ok(length)
    }

    /// The word of a slot, taken out and emptied.
    pub(super) fn cleared_word(&mut self, slot: usize) -> Vec<u8> {
        match std::mem::replace(&mut self.values[slot], Value::Number(0)) {
            Value::Word(mut word) => {
                word.clear();
                word
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn forget_places(&mut self, slot: usize) {
        if let Some(places) = self.places.get_mut(slot) {
            places.clear();
        }
    }

    pub(super) fn note_place(&mut self, slot: usize) {
        if let Some(places) = self.places.get_mut(slot) {
            places.push(self.last);
        }
    }

    pub(super) fn scanned_number(&mut self) -> Result<u64, Fault> {
        match self.scanner.next_u64()? {
            Some(n) if n <= LARGEST => {
                if self.program.special.is_some() {
                    self.last = self.scanner.place_of_last();
                }
                Ok(n)
            }
            Some(_) => Err(self.too_large()),
            // reading one number more than there are says that they have ended, and where
            None => match self.scanner.fold_u64(1, |_| ()) {
                Err(e) => Err(Fault::Scan(e)),
                Ok(()) => Err(Fault::Case("the input changed while it was read".into())),
            },
        }
    }

    pub(super) fn list(&mut self, slot: usize, count: u64) -> Result<(), Fault> {
        if self.program.special.is_some() {
            self.forget_places(slot);
            self.values[slot].cleared();
            return (0..count).try_for_each(|_| self.listed(slot).map(|_| ()));
        }
        let mut list = std::mem::replace(&mut self.values[slot], Value::Number(0));
        let numbers = list.cleared();
        let mut left = count;
        while left > 0 && !self.pending.is_empty() {
            numbers.extend(self.pending.pop().map(|(n, _)| i128::from(n)));
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

    pub(super) fn length(&mut self, length: &Expression) -> Result<u64, Fault> {
        let n = length.value(&self.values, &[], None).map_err(Fault::Case)?;
        u64::try_from(n).map_err(|_| Fault::Case(format!("a list cannot have {n} members")))
    }

    pub(super) fn too_large(&self) -> Fault {
        let Place { line, column } = self.scanner.place();
        Fault::Case(format!("line {line}, before column {column}: a number is too large; the largest heap is 2^63"))
    }

    /// A number where the line should have ended.
    pub(super) fn rest_of_line(&mut self) -> Result<Option<u64>, Fault> {
        let ends = matches!(self.program.layout.last().items.last(), Some(Item::Rest(_)));
        if ends { Ok(None) } else { Ok(self.scanner.next_in_line()?) }
    }
}
