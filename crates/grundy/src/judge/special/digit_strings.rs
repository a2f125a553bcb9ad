//! Strings of digits: a move lowers a digit, or erases a 0 with all that follows it; who erases the last digit wins.
//!
//! All strings of a length are marked in the order of their numbers, after all shorter ones: a string that no lost one has
//! marked is lost, and marks all strings that lead to it. A lost string x is reached from every string that begins with x and a 0, and from
//! those that have one digit more in one place. The empty string is lost, since it is the other player who has erased the last
//! digit: so strings that begin with 0 are won.

use super::{Case, Ruling};
use crate::{budget::Meter, judge::error::Fault};

/// Most digits: a bit for each of 10^9 strings.
const LONGEST: usize = 9;

/// For each length up to some, a bit for each string: 1 if it is won.
#[derive(Debug, Default)]
pub(super) struct Strings(Vec<Vec<u64>>);

impl Strings {
    /// The string `s`.
    ///
    /// # Complexity
    /// Once for a length O(10^length) and a bit for each string; then O(length).
    pub fn ruling(&mut self, case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
        let word = case.word("s");
        if let Some(i) = word.iter().position(|b| !b.is_ascii_digit()) {
            let found: String = String::from_utf8_lossy(&word[i..]).chars().take(1).collect();
            return Err(case.fault_inside("s", 0, i, format!("expected a digit, found \"{found}\"")));
        }
        if word.first() == Some(&b'0') {
            return Ok(Ruling::of_winner(true));
        }
        if word.len() > LONGEST {
            let message = format!("{} digits are too many: strings of up to {LONGEST} are marked", word.len());
            return Err(case.fault("s", 0, message));
        }
        while self.0.len() <= word.len() {
            let marked = self.next_length(meter)?;
            self.0.push(marked);
        }
        let number = word.iter().fold(0, |n, digit| 10 * n + usize::from(digit - b'0'));
        Ok(Ruling::of_winner(is_marked(&self.0[word.len()], number)))
    }

    /// The strings one digit longer than all that are known.
    fn next_length(&self, meter: &mut Meter) -> Result<Vec<u64>, Fault> {
        let length = self.0.len() as u32;
        let count = 10usize.pow(length);
        meter.bytes(count as u64 / 8)?;
        let mut marks = vec![0u64; count.div_ceil(64)];
        for (shorter, known) in (0..length).zip(&self.0) {
            // a lost string, a 0, and anything
            let span = 10usize.pow(length - shorter - 1);
            for lost in (0..10usize.pow(shorter)).filter(|n| !is_marked(known, *n)) {
                mark(&mut marks, 10 * lost * span, span);
            }
            meter.steps(10u64.pow(shorter))?;
        }
        let mut number = 0;
        while number < count {
            if number % 64 == 0 {
                meter.steps(64)?;
                if marks[number / 64] == u64::MAX {
                    number += 64;
                    continue;
                }
            }
            if !is_marked(&marks, number) {
                let mut place = 1;
                for _ in 0..length {
                    for more in 1..=9 - number / place % 10 {
                        mark(&mut marks, number + more * place, 1);
                    }
                    place *= 10;
                }
            }
            number += 1;
        }
        Ok(marks)
    }
}

fn is_marked(marks: &[u64], number: usize) -> bool {
    marks[number / 64] >> (number % 64) & 1 == 1
}

/// Marks so many numbers from one on.
fn mark(marks: &mut [u64], from: usize, count: usize) {
    let mut at = from;
    let end = from + count;
    while at < end {
        let bits = (64 - at % 64).min(end - at);
        marks[at / 64] |= (u64::MAX >> (64 - bits)) << (at % 64);
        at += bits;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::tests::{run, run_within};
    use crate::{Budget, judge::Special};

    /// Whether who is to move wins, by the rules.
    fn wins(string: &str, known: &mut HashMap<String, bool>) -> bool {
        if let Some(won) = known.get(string) {
            return *won;
        }
        let mut won = false;
        for (i, digit) in string.char_indices() {
            let (before, after) = (&string[..i], &string[i + 1..]);
            won |= ('0'..digit).any(|d| !wins(&format!("{before}{d}{after}"), known));
            won |= digit == '0' && !wins(before, known);
        }
        known.insert(string.to_owned(), won);
        won
    }

    #[test]
    fn short_strings_by_the_rules() {
        let mut known = HashMap::new();
        for length in 1..=4usize {
            let strings: Vec<String> = (0..10u32.pow(length as u32)).map(|n| format!("{n:0length$}")).collect();
            let got = run(Special::DigitStrings, "*{ s:w }", &strings.join("\n"));
            for (string, line) in strings.iter().zip(got.lines()) {
                assert_eq!(line == "first", wins(string, &mut known), "{string}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn longer_strings_by_the_rules(strings in proptest::collection::vec("[1-4][0-3]{4}", 20)) {
            let mut known = HashMap::new();
            let got = run(Special::DigitStrings, "*{ s:w }", &strings.join("\n"));
            for (string, line) in strings.iter().zip(got.lines()) {
                prop_assert_eq!(line == "first", wins(string, &mut known), "{}", string);
            }
        }
    }

    #[test]
    fn faults_have_a_place() {
        let out = run(Special::DigitStrings, "*{ s:w }", "00\n 12x4\n");
        assert_eq!(out, "first\ncase 2: line 2, column 4: expected a digit, found \"x\"");
        let out = run(Special::DigitStrings, "*{ s:w }", "1234567890");
        assert_eq!(out, "case 1: line 1, column 1: 10 digits are too many: strings of up to 9 are marked");
        // the first digit is erased with all others
        assert_eq!(run(Special::DigitStrings, "*{ s:w }", "0234567890"), "first\n");
    }

    #[test]
    fn limits_are_kept() {
        let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
        let out = run_within(Special::DigitStrings, "*{ s:w }", "123 12345678\n", &budget);
        assert!(out.contains("\ncase 2: stopped by the memory limit"), "{out}");
    }
}
