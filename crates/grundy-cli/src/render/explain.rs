//! Explanations in words.

use std::io::{self, Write};

use grundy::explain::Step;
use grundy_core::theory::{Convention, Outcome, loopy_value::LoopyValue, nim::NimClass};

use super::solve::{brief, capital, convention};

/// Writes the steps as short paragraphs.
pub fn write(out: &mut impl Write, steps: &[Step]) -> io::Result<()> {
    for step in steps {
        one(out, step)?;
    }
    Ok(())
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "the player to move wins",
        Outcome::P => "the player to move loses",
        Outcome::Draw => "nobody can force a win",
    }
}

fn one(out: &mut impl Write, step: &Step) -> io::Result<()> {
    match step {
        Step::Convention(c) => writeln!(out, "{}.", capital(convention(*c))),
        Step::Rules { text } => writeln!(out, "{}.", capital(text)),
        Step::NoMoves(c) => writeln!(out, "Nobody can move here, so {} at once.", winner(c.of_terminal())),
        Step::Components(all) => {
            writeln!(out, "What each component is worth (a component of value v acts like a Nim heap of v, *v):")?;
            let width = all.iter().map(|c| c.text.chars().count()).max().unwrap_or(0);
            for c in all {
                let pad = width - c.text.chars().count();
                writeln!(out, "  {}{:pad$}  = *{}   {}", c.text, "", c.value, c.reason)?;
            }
            Ok(())
        }
        Step::Heads { component, heads, value } => {
            writeln!(out, "{} is worth the xor of its heads, as if each lay there alone:", brief(component))?;
            for h in heads {
                let join = |numbers: &[u64], by: &str| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(by);
                match h.at.len() {
                    1 => writeln!(out, "  coin {}: {}", h.at[0], h.value)?,
                    _ => writeln!(
                        out,
                        "  ({}): the nim product {} = {}",
                        join(&h.at, ", "),
                        join(&h.coordinates, " x "),
                        h.value
                    )?,
                }
            }
            if heads.len() == 1 {
                return Ok(());
            }
            let all: Vec<String> = heads.iter().map(|h| h.value.to_string()).collect();
            writeln!(out, "  together {} = {value}", all.join(" xor "))
        }
        Step::Columns { values, sum } => {
            writeln!(
                out,
                "In binary, column by column; the last line is 1 where the column holds an odd number of ones:"
            )?;
            let bits = values.iter().chain([sum]).map(|v| 64 - v.leading_zeros()).max().unwrap_or(1).max(1) as usize;
            let width = values.iter().chain([sum]).map(|v| v.to_string().len()).max().unwrap_or(1);
            for v in values {
                writeln!(out, "  {v:>width$}  {v:0bits$b}")?;
            }
            writeln!(out, "  {:>width$}  {}", "", "-".repeat(bits))?;
            let verdict = if *sum == 0 { "balanced: every column is even" } else { "unbalanced: the nim-sum" };
            writeln!(out, "  {sum:>width$}  {sum:0bits$b}   {verdict}")
        }
        Step::Pair(x) => {
            writeln!(out, "The pair ({x}, {x}) is balanced by itself, so it changes no column and may be set aside.")
        }
        Step::Triple([a, b, c]) => {
            let family = if *a == 1 && *c == b + 1 { " (1, 2x, 2x + 1)" } else { "" };
            writeln!(out, "The triple ({a}, {b}, {c}){family} is balanced by itself, so it may be set aside.")
        }
        Step::Class { class, outcome, convention } => class_text(out, *class, *outcome, *convention),
        Step::WhyWinning { name, from, to, before, after } => {
            let (from, to) = (brief(from), brief(to));
            if to == "0" {
                writeln!(out, "{from}: {name}. Its value goes from {before} to {after}, and the nim-sum becomes 0.")
            } else {
                writeln!(
                    out,
                    "{from} -> {to}: {name}. Its value goes from {before} to {after}, and the nim-sum becomes 0."
                )
            }
        }
        Step::LoopyValues { components, sum } => {
            writeln!(
                out,
                "What each component is worth: an integer, or inf(K) where play may go on for ever, K being the integers that one may go to:"
            )?;
            let width = components.iter().map(|c| brief(&c.text).chars().count()).max().unwrap_or(0);
            for c in components {
                let text = brief(&c.text);
                let pad = width - text.chars().count();
                writeln!(out, "  {text}{:pad$}  = {}   {}", "", c.value, c.reason)?;
            }
            let why = match sum {
                LoopyValue::Finite(0) => {
                    "every move can be answered by one that makes the sum 0 again, and this comes to an end"
                }
                LoopyValue::Finite(_) => "some move makes the sum 0",
                LoopyValue::Infinite(set) if set.first() == Some(&0) => "0 is among the values that one may go to",
                LoopyValue::Infinite(_) => "0 is not among the values that one may go to, and one may go on for ever",
            };
            writeln!(out, "Together {sum}: {why}, so {}.", winner(sum.outcome()))
        }
        Step::WhyWinningLoopy { name, from, to, before, after } => writeln!(
            out,
            "{} -> {}: {name}. Its value goes from {before} to {after}, and the sum becomes 0.",
            brief(from),
            brief(to)
        ),
        Step::WhyLost => writeln!(
            out,
            "The nim-sum is 0. A move changes the value of one component and so makes the nim-sum other than 0, and the \
             opponent can always make it 0 again."
        ),
        Step::Theorem { text, outcome } => writeln!(out, "{}: {}.", capital(text), winner(*outcome)),
        Step::MooreColumns { k, heaps, sums } => {
            writeln!(
                out,
                "A move lowers up to {k} heaps, so the binary columns are added modulo {}:",
                u128::from(*k) + 1
            )?;
            let bits = sums.len().max(1);
            let width = heaps.iter().map(|h| h.to_string().len()).max().unwrap_or(1);
            for h in heaps {
                writeln!(out, "  {h:>width$}  {h:0bits$b}")?;
            }
            let line: Vec<String> = sums.iter().rev().map(u64::to_string).collect();
            let even = sums.iter().all(|s| u128::from(*s) % (u128::from(*k) + 1) == 0);
            writeln!(
                out,
                "  column sums: {}   {}",
                line.join(" "),
                if even { "all divisible: lost in normal play" } else { "not all divisible: won in normal play" }
            )
        }
        Step::Line { moves } => {
            let many = moves.iter().any(|m| m.component > 0);
            let named = moves.iter().map(|m| match many {
                true => format!("{}: {}", m.component + 1, m.name),
                false => m.name.clone(),
            });
            let line = named.collect::<Vec<_>>().join("; ");
            writeln!(out, "A play in which the winner hurries and the loser delays: {line}.")
        }
        Step::Searched { states } => writeln!(
            out,
            "Misère play of such sums has no xor rule; the outcome was found by looking at all {states} sums that can arise."
        ),
        Step::XorMisleads { normal, misere, trap } => {
            if normal != misere {
                writeln!(
                    out,
                    "Do not trust the xor here: in normal play {}, in misère play {}.",
                    winner(*normal),
                    winner(*misere)
                )?;
            }
            match trap {
                Some(t) => writeln!(out, "For example {t} wins in normal play and loses in misère play."),
                None => Ok(()),
            }
        }
    }
}

fn class_text(out: &mut impl Write, class: NimClass, outcome: Outcome, convention: Convention) -> io::Result<()> {
    let what = match class {
        NimClass::OddOnes => "only heaps of 1, an odd number of them",
        NimClass::EvenOnes => "only heaps of 1, an even number of them",
        NimClass::OneBig => "exactly one heap bigger than 1",
        NimClass::Balanced => "at least two heaps bigger than 1, balanced (nim-sum 0)",
        NimClass::Unbalanced => "at least two heaps bigger than 1, unbalanced (nim-sum not 0)",
    };
    writeln!(out, "The kind of position: {what}; {}.", winner(outcome))?;
    let leave = match convention {
        Convention::Normal => {
            "Leave a balanced position or an even number of ones: the nim-sum must be 0 after your move."
        }
        Convention::Misere => {
            "Leave a balanced position with at least two heaps bigger than 1, or an odd number of ones. The player who \
             meets the last heap bigger than 1 chooses: lower it to 1 or to 0 so that an odd number of ones is left."
        }
    };
    writeln!(out, "{leave}")
}
