//! A judge's input as data: what a layout reads, before it is written down.

use std::fmt::Write;

use super::{
    error::JudgeError,
    format::{Item, Kind, Repeat},
    program::Program,
    text::Value,
};

/// What one item of a layout holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Number(u64),
    Word(String),
    List(Vec<u64>),
    /// One list for each column.
    Records(Vec<Vec<u64>>),
    /// The members of each row.
    Rows(Vec<Vec<u64>>),
    /// The rows of a grid.
    Grid(Vec<String>),
}

/// One case of a level: a field for each item, and the cases of the next level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Body {
    pub fields: Vec<Field>,
    pub inner: Vec<Body>,
}

/// A value of a case, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A number.
    Number(u64),
    /// A list.
    List(Vec<u64>),
    /// A word; the rows of a grid with white space between them.
    Word(String),
}

impl Program {
    /// The input that consists of one case with these values; numbers that are only lengths of lists may be left out.
    ///
    /// # Errors
    /// A name of the layout that has no value, or one of another kind.
    ///
    /// # Examples
    /// ```
    /// use grundy::judge::{Given, Problem, Program};
    /// let problem = Problem { layout: "until-zero".into(), game: Some("nim".into()), ..Problem::default() };
    /// let program = Program::new(&problem)?;
    /// assert_eq!(program.input_of(&[("h", Given::List(vec![3, 5]))])?, "2\n3 5\n0\n");
    /// # Ok::<(), grundy::judge::JudgeError>(())
    /// ```
    pub fn input_of(&self, values: &[(&str, Given)]) -> Result<String, JudgeError> {
        let find = |slot: usize| {
            let name = self.names.name(slot);
            values.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v)
        };
        let missing = |slot: usize| JudgeError::refused(format!("no value for \"{}\"", self.names.name(slot)));
        let list = |slot: usize| match find(slot) {
            Some(Given::List(l)) => Ok(l.clone()),
            _ => Err(missing(slot)),
        };
        let mut root: Option<Body> = None;
        for level in self.layout.levels.iter().rev() {
            let mut body = Body::default();
            for item in &level.items {
                body.fields.push(match item {
                    Item::Number(slot) => match find(*slot) {
                        Some(Given::Number(n)) => Field::Number(*n),
                        None => match self.length_of_list(*slot, &find) {
                            Some(n) => Field::Number(n),
                            None => return Err(missing(*slot)),
                        },
                        _ => return Err(missing(*slot)),
                    },
                    Item::Word(slot) => match find(*slot) {
                        Some(Given::Word(w)) => Field::Word(w.clone()),
                        _ => return Err(missing(*slot)),
                    },
                    Item::List { slot, .. } | Item::Rest(slot) => Field::List(list(*slot)?),
                    Item::Rows { counts, members, .. } => {
                        let all = list(*members)?;
                        let mut left = all.iter().copied();
                        let row = |count: u64| left.by_ref().take(count as usize).collect();
                        Field::Rows(list(*counts)?.into_iter().map(row).collect())
                    }
                    Item::Grid { slot, .. } => match find(*slot) {
                        Some(Given::Word(w)) => Field::Grid(w.split_whitespace().map(str::to_owned).collect()),
                        _ => return Err(missing(*slot)),
                    },
                    Item::Records { slots, .. } => Field::Records(slots.clone().map(list).collect::<Result<_, _>>()?),
                });
            }
            body.inner.extend(root.take());
            root = Some(body);
        }
        Ok(self.write_down(&root.unwrap_or_default()))
    }

    /// The number of members of a given list whose length the slot is.
    fn length_of_list<'a>(&self, slot: usize, find: &impl Fn(usize) -> Option<&'a Given>) -> Option<u64> {
        self.layout.levels.iter().flat_map(|l| &l.items).find_map(|item| {
            let (list, length) = match item {
                Item::List { slot, length } => (*slot, length),
                Item::Records { slots, length } => (slots.start, length),
                Item::Rows { counts, length, .. } => (*counts, length),
                _ => return None,
            };
            match find(list) {
                Some(Given::List(l)) if length.slots().eq([slot]) => Some(l.len() as u64),
                _ => None,
            }
        })
    }

    /// The text of an input.
    ///
    /// Numbers and words share a line, a list has one of its own, and so has each record; by `lines` everything of a
    /// case shares one.
    pub(super) fn write_down(&self, root: &Body) -> String {
        let mut out = String::new();
        self.write_level(0, std::slice::from_ref(root), &mut out);
        out
    }

    fn write_level(&self, k: usize, bodies: &[Body], out: &mut String) {
        let level = &self.layout.levels[k];
        let one_line = matches!(level.repeat, Repeat::Lines);
        if let Repeat::Counted(_) = level.repeat {
            end_line(out);
            let _ = writeln!(out, "{}", bodies.len());
        }
        for body in bodies {
            end_line(out);
            for field in &body.fields {
                match field {
                    Field::Number(n) => separated(out, &n.to_string()),
                    Field::Word(w) => separated(out, w),
                    Field::List(l) if one_line => l.iter().for_each(|n| separated(out, &n.to_string())),
                    Field::List(l) => {
                        end_line(out);
                        l.iter().for_each(|n| separated(out, &n.to_string()));
                        out.push('\n');
                    }
                    Field::Records(columns) => {
                        end_line(out);
                        for row in 0..columns.first().map_or(0, Vec::len) {
                            columns.iter().for_each(|c| separated(out, &c[row].to_string()));
                            out.push('\n');
                        }
                    }
                    Field::Rows(rows) => {
                        for row in rows {
                            end_line(out);
                            separated(out, &row.len().to_string());
                            row.iter().for_each(|n| separated(out, &n.to_string()));
                        }
                        end_line(out);
                    }
                    Field::Grid(rows) => {
                        for row in rows {
                            end_line(out);
                            separated(out, row);
                        }
                        end_line(out);
                    }
                }
            }
            if one_line {
                out.push('\n');
            }
            if k + 1 < self.layout.levels.len() {
                self.write_level(k + 1, &body.inner, out);
            }
        }
        end_line(out);
        if let Repeat::UntilZeros(zeros) = level.repeat {
            out.push_str(&vec!["0"; zeros].join(" "));
            out.push('\n');
        }
    }

    /// Cuts every list down to its length, and drops cases that a range does not have; None if something is missing.
    pub(super) fn fitted(&self, mut root: Body) -> Option<Body> {
        let mut values = self.values();
        self.fit(0, std::slice::from_mut(&mut root), &mut values)?;
        Some(root)
    }

    /// As [`Program::fitted`] for the bodies of one level; `values` are those of the last case then.
    pub(super) fn fit(&self, k: usize, bodies: &mut [Body], values: &mut [Value]) -> Option<()> {
        for body in bodies {
            for (field, item) in body.fields.iter_mut().zip(&self.layout.levels[k].items) {
                self.fit_field(field, item, values)?;
            }
            let Some(next) = self.layout.levels.get(k + 1) else { continue };
            if let Repeat::Range { .. } = next.repeat {
                let count = self.range_length(k + 1, values)?;
                if next.items.is_empty() {
                    body.inner.resize(if k + 2 < self.layout.levels.len() { count } else { 0 }, Body::default());
                } else if body.inner.len() < count {
                    return None;
                }
                body.inner.truncate(count);
            }
            self.fit(k + 1, &mut body.inner, values)?;
        }
        Some(())
    }

    fn fit_field(&self, field: &mut Field, item: &Item, values: &mut [Value]) -> Option<()> {
        let wanted = |length: &super::text::Expression, values: &[Value]| {
            length.value(values, &[], None).ok().and_then(|n| usize::try_from(n).ok())
        };
        let number = |n: &u64| i128::from(*n);
        match (field, item) {
            (Field::Number(n), Item::Number(slot)) => values[*slot] = Value::Number(number(n)),
            (Field::Word(w), Item::Word(slot)) => values[*slot] = Value::Word(w.clone().into_bytes()),
            (Field::List(l), Item::Rest(slot)) => values[*slot] = Value::List(l.iter().map(number).collect()),
            (Field::List(l), Item::List { slot, length }) => {
                let count = wanted(length, values).filter(|c| *c <= l.len())?;
                l.truncate(count);
                values[*slot] = Value::List(l.iter().map(number).collect());
            }
            (Field::Records(columns), Item::Records { slots, length }) => {
                let count = wanted(length, values).filter(|c| columns.iter().all(|l| *c <= l.len()))?;
                for (l, slot) in columns.iter_mut().zip(slots.clone()) {
                    l.truncate(count);
                    values[slot] = Value::List(l.iter().map(number).collect());
                }
            }
            (Field::Rows(rows), Item::Rows { counts, members, length }) => {
                let count = wanted(length, values).filter(|c| *c <= rows.len())?;
                rows.truncate(count);
                values[*counts] = Value::List(rows.iter().map(|r| r.len() as i128).collect());
                values[*members] = Value::List(rows.iter().flatten().map(number).collect());
            }
            (Field::Grid(grid), Item::Grid { slot, rows, columns }) => {
                let rows = wanted(rows, values).filter(|c| *c <= grid.len())?;
                let columns = wanted(columns, values)?;
                grid.truncate(rows);
                for row in grid.iter_mut() {
                    *row = row.get(..columns)?.to_owned();
                }
                values[*slot] = Value::Word(grid.concat().into_bytes());
            }
            _ => return None,
        }
        Some(())
    }

    /// How many cases a range level has.
    pub(super) fn range_length(&self, k: usize, values: &[Value]) -> Option<usize> {
        let Repeat::Range { from, to, .. } = &self.layout.levels[k].repeat else { return None };
        let from = from.value(values, &[], None).ok()?;
        let to = to.value(values, &[], None).ok()?;
        usize::try_from(to.checked_sub(from)?.checked_add(1)?.max(0)).ok()
    }

    /// True if the slot is the length of a list or a bound of a range.
    pub(super) fn is_length(&self, slot: usize) -> bool {
        self.layout.levels.iter().any(|level| {
            let in_items = level.items.iter().any(|item| match item {
                Item::List { length, .. } | Item::Records { length, .. } => length.slots().any(|s| s == slot),
                Item::Rows { counts, length, .. } => *counts == slot || length.slots().any(|s| s == slot),
                Item::Grid { rows, columns, .. } => rows.slots().chain(columns.slots()).any(|s| s == slot),
                _ => false,
            });
            let in_range = match &level.repeat {
                Repeat::Range { from, to, .. } => from.slots().chain(to.slots()).any(|s| s == slot),
                _ => false,
            };
            in_items || in_range
        })
    }

    /// The kinds of the columns of a field, for messages and draws: slots in the order of the field's lists.
    pub(super) fn slots_of(&self, item: &Item) -> Vec<usize> {
        match item {
            Item::Number(s) | Item::Word(s) | Item::Rest(s) => vec![*s],
            Item::List { slot: s, .. } | Item::Grid { slot: s, .. } => vec![*s],
            Item::Rows { counts, members, .. } => vec![*counts, *members],
            Item::Records { slots, .. } => slots.clone().collect(),
        }
    }

    /// True if the name stands for a word.
    pub(super) fn is_word(&self, slot: usize) -> bool {
        self.names.kind(slot) == Kind::Word
    }
}

fn separated(out: &mut String, word: &str) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push(' ');
    }
    out.push_str(word);
}

fn end_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}
