//! The lines of the output.

use std::io::{Read, Write};

use grundy_core::rulesets::AnyComponent;

use super::{
    super::{error::Fault, games::canonical_numbers},
    GATHERED, Runner,
};
use crate::answer::Move;

impl<R: Read, W: Write> Runner<'_, R, W> {
    pub(super) fn end_result(&mut self) -> Result<(), Fault> {
        if self.program.join.is_none() { self.end_line() } else { Ok(()) }
    }

    /// The winning move of a special game, which takes so many objects.
    pub(super) fn print_take(&mut self, won: bool) {
        let format = &self.program.moves;
        match self.take {
            Some(take) if won => {
                self.gathered.extend_from_slice(format.won.as_bytes());
                self.gathered.extend_from_slice(format.each.replace("{take}", &take.to_string()).as_bytes());
            }
            _ => self.gathered.extend_from_slice(format.lost.as_bytes()),
        }
    }

    pub(super) fn answer(&mut self, results: &[i128]) -> Result<(), Fault> {
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

    pub(super) fn print_moves(&mut self, moves: &[Move]) -> Result<(), Fault> {
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

    pub(super) fn begin_line(&mut self) {
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

    pub(super) fn end_line(&mut self) -> Result<(), Fault> {
        self.gathered.push(b'\n');
        if self.gathered.len() >= GATHERED {
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        self.output.write_all(&self.gathered)?;
        self.gathered.clear();
        self.output.flush()
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
