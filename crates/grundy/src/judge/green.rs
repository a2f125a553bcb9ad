//! The green game: fields that belong to one of two players, a pawn, and the fields from which the first player wins.
//!
//! The input is `a b`, then for each field a line `z k s1 … sk`: 1 if it is green and 0 if not, and the numbers of the fields to
//! which one may go from there, at least one. Fields are numbered from 1, the first a are the first player's. Printed are how many
//! fields the first player wins from, and these, ascending, one a line.
//!
//! # Two wordings, one game
//!
//! (1) *First repetition*: the play ends when a field is visited for the second time, and the first player wins if a green field was
//! visited since it was for the first time, itself included. (2) *Infinitely often*: the play never ends, and the first player wins if
//! green fields are visited infinitely often. From each field the same player wins both. For (2) is a Büchi game, and whoever wins it
//! from a field has a strategy that looks at the present field only (`[EJ91]`). Let the winner play (1) by it. What was visited between
//! the two visits of a field is a cycle among the moves that this strategy allows. Going round that cycle for ever is a play of (2)
//! that keeps to the strategy, so it is won: a green field is on the cycle if the winner is the first player, and none if it is the
//! second. So the winner of (2) wins (1); and since each field has a winner of (2), nobody else wins (1) there.

use std::io::{Read, Write};

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{Objective, ParityGame},
};

use super::{
    error::{Fault, JudgeError, JudgeErrorKind},
    scan::Scanner,
};
use crate::{
    budget::{Budget, Meter},
    parity,
};

/// How the input is read, in the language of layouts.
pub const LAYOUT: &str = "a b x=1..a+b{ z k s[k] }";

/// Answers an input.
///
/// # Complexity
/// O(bytes) for reading, and that of [`parity::solve`] for a Büchi game; the input and the game are in memory.
///
/// # Errors
/// The first thing that is wrong with the input, with its field, line and column; nothing is written then. A limit. What the reader
/// and the writer say.
///
/// # Examples
/// ```
/// use grundy::{Budget, judge::green};
/// let mut out = Vec::new();
/// // field 2 is the second player's, who stays there, where nothing is green
/// green::answer(&b"1 1\n1 2 1 2\n0 1 2\n"[..], &mut out, &Budget::default())?;
/// assert_eq!(out, b"1\n1\n");
/// let error = green::answer(&b"1 1\n1 1 3\n0 1 2\n"[..], &mut out, &Budget::default()).unwrap_err();
/// assert_eq!(error.to_string(), "field 1: line 2, column 5: there is no field 3: they are 1 to 2");
/// # Ok::<(), grundy::judge::JudgeError>(())
/// ```
pub fn answer(mut input: impl Read, mut output: impl Write, budget: &Budget) -> Result<(), JudgeError> {
    let mut meter = Meter::new(budget);
    let mut bytes = Vec::new();
    if let Err(e) = input.read_to_end(&mut bytes) {
        return Err(JudgeError::new(JudgeErrorKind::Read, format!("the input cannot be read: {e}")));
    }
    let mut reader =
        Reader { scanner: Scanner::for_length(&bytes[..], bytes.len()), bytes: &bytes, taken: 0, field: 0 };
    let game = reader.game(&mut meter);
    let case = if reader.field == 0 { "the first line".to_owned() } else { format!("field {}", reader.field) };
    let game = game.map_err(|fault| JudgeError::of(fault, &case))?;
    let solution = parity::solve(&game, &mut meter).map_err(|stop| JudgeError::of(stop.into(), "the game"))?;
    let won: Vec<usize> = (1..).zip(&solution.winner).filter(|(_, w)| **w == 0).map(|(field, _)| field).collect();
    let mut digits = itoa::Buffer::new();
    let mut text = Vec::with_capacity(8 * won.len() + 8);
    for n in [won.len()].iter().chain(&won) {
        text.extend_from_slice(digits.format(*n).as_bytes());
        text.push(b'\n');
    }
    output.write_all(&text).and_then(|()| output.flush()).map_err(|e| JudgeError::of(Fault::Write(e), ""))
}

struct Reader<'a> {
    scanner: Scanner<&'a [u8]>,
    bytes: &'a [u8],
    /// Numbers read.
    taken: usize,
    /// The field at hand, from 1.
    field: u64,
}

impl Reader<'_> {
    fn game(&mut self, meter: &mut Meter) -> Result<ParityGame, Fault> {
        meter.bytes(2 * self.bytes.len() as u64)?;
        let first = self.number()?;
        let second = self.number()?;
        let fields = match first.checked_add(second) {
            Some(fields) if fields < u64::from(u32::MAX) => fields,
            _ => return Err(self.wrong(2, "these are more than 2^32 - 2 fields".into())),
        };
        // room is made for what comes, not for what is announced
        let (mut offsets, mut targets, mut priority) = (vec![0], Vec::new(), Vec::new());
        for field in 1..=fields {
            self.field = field;
            match self.number()? {
                green @ 0..=1 => priority.push(1 - green as u32),
                other => return Err(self.wrong(1, format!("expected 1 for a green field or 0, found {other}"))),
            }
            let moves = self.number()?;
            if moves == 0 {
                return Err(self.wrong(1, "no move leads away from this field, and plays must go on".into()));
            }
            let mut stray = None;
            let before = targets.len();
            self.scanner.fold_u64(moves, |to| {
                if !(1..=fields).contains(&to) {
                    stray = stray.or(Some((targets.len() - before, to)));
                }
                targets.push(to.wrapping_sub(1) as u32);
            })?;
            self.taken += targets.len() - before;
            if let Some((at, to)) = stray {
                let back = targets.len() - before - at;
                return Err(self.wrong(back, format!("there is no field {to}: they are 1 to {fields}")));
            }
            offsets.push(targets.len() as u64);
            meter.steps(4 + moves)?;
        }
        if !self.scanner.at_end()? {
            self.taken += 1;
            return Err(self.wrong(1, format!("expected the end of the input after {fields} fields")));
        }
        let owner = (0..fields).map(|v| u8::from(v >= first)).collect();
        let graph = Digraph::from_rows(offsets, targets).map_err(|e| Fault::Case(e.to_string()))?;
        ParityGame::new(graph, owner, priority, Objective::Buchi).map_err(|e| Fault::Case(e.to_string()))
    }

    fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0;
        // says what is missing, and where
        self.scanner.fold_u64(1, |n| number = n)?;
        self.taken += 1;
        Ok(number)
    }

    /// What is wrong with the number that was read so many ago, 1 for the last one.
    #[cold]
    fn wrong(&self, back: usize, message: String) -> Fault {
        let mut left = self.taken - back;
        for (line, text) in (1..).zip(self.bytes.split(|b| *b == b'\n')) {
            let mut at = 0;
            for word in text.split(u8::is_ascii_whitespace) {
                if !word.is_empty() {
                    if left == 0 {
                        return Fault::Case(format!("line {line}, column {}: {message}", at + 1));
                    }
                    left -= 1;
                }
                at += word.len() + 1;
            }
        }
        Fault::Case(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(input: &str) -> Result<String, String> {
        let mut out = Vec::new();
        answer(input.as_bytes(), &mut out, &Budget::default()).map_err(|e| e.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (input, message) in [
            ("", "the first line: line 1, column 1: expected a whole number, found the end of the input"),
            ("1 x", "the first line: line 1, column 3: expected a whole number, found \"x\""),
            ("18446744073709551615 1", "the first line: line 1, column 1: these are more than 2^32 - 2 fields"),
            ("1 1\n2 1 1", "field 1: line 2, column 1: expected 1 for a green field or 0, found 2"),
            ("1 1\n1 1 1\n1 00", "field 2: line 3, column 3: no move leads away from this field, and plays must go on"),
            ("1 1\n1 1 1\n\t1 2  1 07", "field 2: line 3, column 9: there is no field 7: they are 1 to 2"),
            ("1 0\n1 3 1 0 1", "field 1: line 2, column 7: there is no field 0: they are 1 to 1"),
            ("1 0\n1 9 1", "field 1: line 2, column 6: expected a whole number, found the end of the input"),
            ("1 0\n1 1 1\n 4", "field 1: line 3, column 2: expected the end of the input after 1 fields"),
        ] {
            assert_eq!(run(input), Err(message.to_owned()), "{input:?}");
        }
    }

    #[test]
    fn players_without_fields() {
        assert_eq!(run("0 0").unwrap(), "0\n");
        assert_eq!(run("0 2\n1 1 2\n0 2 1 2\n").unwrap(), "0\n");
        assert_eq!(run("2 0\r\n1 1 2\r\n0 2 1 2\r\n").unwrap(), "2\n1\n2\n");
    }
}
