//! `kind = "row"`: heaps in a row, of which only some may be touched.

use std::{ops::ControlFlow, sync::Arc};

use grundy_core::{
    notation::{formula::Claim, read_heap_game},
    ruleset::{OptionSink, Playable},
    rulesets::{
        AnyRuleset,
        custom::{DynRuleset, DynSink},
        heap::HeapRule,
    },
};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{Wrong, inside, parse};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    about: Option<String>,
    take: Spanned<String>,
    #[serde(default)]
    from: From,
    #[serde(rename = "where")]
    condition: Option<Spanned<String>>,
    #[serde(default)]
    empty: Empty,
}

/// Which heaps may be touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum From {
    /// The first that is not empty.
    Left,
    /// The last that is not empty.
    Right,
    /// Both of these.
    Ends,
    /// All.
    #[default]
    Any,
}

/// What becomes of an empty heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Empty {
    /// It leaves the row.
    #[default]
    Removed,
    /// It keeps its place.
    Stays,
}

/// Heaps in a row under one rule.
#[derive(Debug)]
struct Row {
    name: String,
    about: String,
    rule: HeapRule,
    from: From,
    /// Of the place i, from 1, the number m of heaps, and the size n.
    condition: Option<Claim>,
    empty: Empty,
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: RowFile = parse(text)?;
    let take = file.take.get_ref().as_str();
    let (notation, shift) = match ["take", "split"].iter().any(|word| take.starts_with(word)) {
        true => (format!("[{take}]"), 1),
        false => (take.to_owned(), 0),
    };
    let game = read_heap_game(&notation).map_err(|e| inside(text, &file.take, e, shift))?;
    let breaks = game.rule().alternatives().iter().any(|a| a.leave.most().is_none_or(|most| most > 1));
    if breaks || game.is_normal_only() {
        return Err(Wrong::new("a heap of a row may not be broken into several", file.take.span())
            .hint("write a rule that leaves one heap or none, such as take = \"take any\""));
    }
    let condition = file
        .condition
        .as_ref()
        .map(|value| {
            Claim::parse(value.get_ref(), &["i", "m", "n"]).map_err(|e| {
                let error = inside(text, value, e, 0);
                let hint = "a condition on the place i, the number m of heaps and the size n, such as i = 1 or n > 2";
                if error.hint.is_some() { error } else { error.hint(hint) }
            })
        })
        .transpose()?;
    Ok(AnyRuleset::Custom(Arc::new(Row {
        name: name.into(),
        about: file.about.unwrap_or_default(),
        rule: game.rule().clone(),
        from: file.from,
        condition,
        empty: file.empty,
    })))
}

impl Row {
    /// The indices of heaps that may be touched.
    fn places(&self, position: &[u64]) -> Vec<usize> {
        let mut filled = (0..position.len()).filter(|i| position[*i] > 0);
        let ends: Vec<usize> = match self.from {
            From::Any => (0..position.len()).collect(),
            From::Left => filled.next().into_iter().collect(),
            From::Right => filled.next_back().into_iter().collect(),
            From::Ends => filled.next().into_iter().chain(filled.next_back()).collect(),
        };
        let holds = |i: &usize| {
            let values = [*i as i128 + 1, position.len() as i128, i128::from(position[*i])];
            self.condition.as_ref().is_none_or(|c| c.eval(&values).unwrap_or(false))
        };
        ends.into_iter().filter(holds).collect()
    }

    /// The row after heap `i` became `left`.
    fn after(&self, position: &[u64], i: usize, left: u64) -> Vec<u64> {
        let mut row = position.to_vec();
        match (left, self.empty) {
            (0, Empty::Removed) => drop(row.remove(i)),
            _ => row[i] = left,
        }
        row
    }
}

/// Makes rows of what is left of one heap.
struct Rows<'a> {
    row: &'a Row,
    position: &'a [u64],
    place: usize,
    sink: &'a mut dyn DynSink,
    /// Rows in which a heap is gone: several heaps may leave the same one.
    shorter: &'a mut Vec<Vec<u64>>,
}

impl OptionSink<u64> for Rows<'_> {
    fn push_sum(&mut self, parts: &[u64]) -> ControlFlow<()> {
        let row = self.row.after(self.position, self.place, parts.first().copied().unwrap_or(0));
        if row.len() < self.position.len() {
            if self.shorter.contains(&row) {
                return self.sink.tick();
            }
            self.shorter.push(row.clone());
        }
        self.sink.push(&row)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.sink.tick()
    }
}

impl DynRuleset for Row {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        let mut shorter = Vec::new();
        for place in self.places(position) {
            let mut rows = Rows { row: self, position, place, sink, shorter: &mut shorter };
            self.rule.each_option(position[place], &mut rows)?;
        }
        ControlFlow::Continue(())
    }

    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        match self.empty {
            Empty::Removed if position.contains(&0) => {
                Err(format!("empty heaps leave the row of {}: leave the 0 out", self.name))
            }
            _ => Ok(()),
        }
    }

    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let [to] = to else { return "no move".into() };
        let place = match to.len() < position.len() {
            true => self.places(position).into_iter().find(|i| self.after(position, *i, 0) == *to),
            false => position.iter().zip(to).position(|(a, b)| a != b),
        };
        let Some(i) = place else { return "no move".into() };
        let left = if to.len() < position.len() { 0 } else { to[i] };
        let left = if left == 0 { vec![] } else { vec![left] };
        format!("{} from heap {}", self.rule.move_name(&position[i], &left), i + 1)
    }
}
