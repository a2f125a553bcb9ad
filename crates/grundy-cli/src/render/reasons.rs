//! Reasons for values, outcomes and winners in words, a line a vertex.

use std::io::{self, Write};

use grundy::{
    graph::{GraphAnswer, GraphObjective, Vertices},
    reasons::{Explained, How, Reason},
};
use grundy_core::theory::{Outcome, loopy_value::LoopyValue, parity_game::Objective};

/// Writes the reasons in their order.
pub fn write(out: &mut impl Write, answer: &GraphAnswer, reasons: &[Explained]) -> io::Result<()> {
    let words = Words { answer };
    for (i, Explained { vertex, reason }) in reasons.iter().enumerate() {
        writeln!(out, "{}", words.line(*vertex, reason, i + 1))?;
    }
    Ok(())
}

struct Words<'a> {
    answer: &'a GraphAnswer,
}

impl Words<'_> {
    fn line(&self, v: u32, reason: &Reason, place: usize) -> String {
        let name = self.name(v);
        match reason {
            Reason::Mex { value, followers, back } => {
                let when = match self.answer.objective {
                    GraphObjective::Loopy => format!(", {} to be labelled", ordinal(place)),
                    _ => String::new(),
                };
                if self.answer.file.graph.successors(v).is_empty() {
                    return format!("{name} {value}{when}: no move is left");
                }
                let mut line = format!("{name} {value}{when}: mex of {}", self.set(followers));
                for (follower, to) in back {
                    let worth = match self.value(*follower) {
                        Some(LoopyValue::Finite(other)) => format!(" of value {other}"),
                        _ => ", which has no value,".into(),
                    };
                    let (follower, to) = (self.name(*follower), self.name(*to));
                    line += &format!("; its follower {follower}{worth} goes back to {to} of value {value}");
                }
                line
            }
            Reason::Infinite { value, followers, way_on } => {
                let missing = grundy_core::theory::mex(followers.iter().map(|(value, _)| *value));
                let worth = self.value(*way_on).map(ToString::to_string).unwrap_or_default();
                let (set, way_on) = (self.set(followers), self.name(*way_on));
                format!(
                    "{name} {value}: not {missing}, the mex of {set}, since the move to {way_on}, which is {worth}, cannot be taken back by one to {missing}"
                )
            }
            Reason::End { outcome: Outcome::P } => format!("{name} P in 0: no move is left"),
            Reason::End { outcome } => format!("{name} {} in 0: no move is left, which wins", outcome.word()),
            Reason::Wins { remoteness, to } => format!("{name} N in {remoteness}: to {}", self.verdict(*to)),
            Reason::Loses { remoteness, last } => {
                format!(
                    "{name} P in {remoteness}: all moves lead to won vertices, the last of them {}",
                    self.verdict(*last)
                )
            }
            Reason::Draws { to } => {
                format!("{name} Draw: no move leads to a lost vertex, and play can go on to {}", self.verdict(*to))
            }
            Reason::Game { winner, how, to } => {
                format!("{name}: player {winner} wins: {}", self.game(v, *winner, *how, *to))
            }
        }
    }

    fn name(&self, v: u32) -> String {
        self.answer.file.names.get(v).into_owned()
    }

    fn value(&self, v: u32) -> Option<&LoopyValue> {
        match &self.answer.vertices {
            Some(Vertices::Values(values)) => values.get(v as usize),
            _ => None,
        }
    }

    /// Values with a vertex each: {0 (a), 1 (c)}.
    fn set(&self, followers: &[(u64, u32)]) -> String {
        let each: Vec<String> = followers.iter().map(|(value, v)| format!("{value} ({})", self.name(*v))).collect();
        format!("{{{}}}", each.join(", "))
    }

    /// A vertex with its outcome: y (P in 2).
    fn verdict(&self, v: u32) -> String {
        let name = self.name(v);
        match &self.answer.vertices {
            Some(Vertices::Outcomes(all)) if all[v as usize].outcome == Outcome::Draw => format!("{name} (Draw)"),
            Some(Vertices::Outcomes(all)) => {
                let verdict = all[v as usize];
                format!("{name} ({} in {})", verdict.outcome.word(), verdict.remoteness)
            }
            _ => name,
        }
    }

    fn game(&self, v: u32, winner: u8, how: How, to: Option<u32>) -> String {
        let GraphObjective::Game(objective) = self.answer.objective else { return String::new() };
        let (loser, to) = (1 - winner, to.map(|to| self.name(to)));
        // what one player wants to see, and the other one to avoid
        let goal = match objective {
            Objective::Reachability => "a target",
            Objective::Safety => "a vertex that is no target",
            Objective::Buchi => "a green vertex",
            Objective::CoBuchi => "a vertex that is not green",
            Objective::Parity => "",
        };
        let moves = |distance: u32| format!("{distance} move{}", if distance == 1 { "" } else { "s" });
        let in_round = |round: Option<u32>| round.map_or(String::new(), |r| format!("round {r}: "));
        let moves_from = self.answer.file.graph.successors(v);
        if how != How::Decided && to.is_none() && moves_from.iter().all(|w| *w == v) {
            let round = if let How::Nearer { round, .. } | How::Avoids { round } = how { round } else { None };
            return format!("{}the only move stays here", in_round(round));
        }
        match how {
            How::Decided => match (objective, self.answer.file.graph.successors(v).is_empty()) {
                (Objective::Reachability, _) if super::graph::is_target(self.answer, v as usize) => {
                    "it is a target".into()
                }
                (Objective::Safety, _) if winner == 1 => "it is no target".into(),
                (Objective::Reachability, true) => format!("player {loser} must move and cannot"),
                _ => "the play ends, and only targets were seen".into(),
            },
            How::Nearer { distance, round } => {
                let end = match (round, objective) {
                    (Some(_), _) => format!("where {goal} is avoided for ever"),
                    (None, Objective::Buchi | Objective::CoBuchi) => goal.into(),
                    _ => "the decision".into(),
                };
                let step = to.map_or("all moves lead to earlier vertices".into(), |to| {
                    format!("moves to {to}, which is earlier")
                });
                format!("{}{step}, at most {} from {end}", in_round(round), moves(distance))
            }
            How::Avoids { round } => {
                let step = to.map_or("all moves lead to vertices".into(), |to| format!("moves to {to},"));
                let before = if round.is_some_and(|r| r > 1) { ", or lost in a round before" } else { "" };
                format!("{}{step} from where player {loser} cannot force {goal}{before}", in_round(round))
            }
            How::Again => {
                let step = to.map_or("all moves lead to vertices".into(), |to| format!("moves to {to},"));
                format!("it is {goal}; {step} from where another visit is forced")
            }
            How::Cycles => {
                let parity = if winner == 0 { "even" } else { "odd" };
                match to {
                    Some(to) => format!("moves to {to}; the greatest priority of every cycle that is left is {parity}"),
                    None => format!("all moves lead to vertices where player {winner} wins"),
                }
            }
        }
    }
}

fn ordinal(n: usize) -> String {
    let end = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21, 112, 103].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 21st 112th 103rd"
        );
    }
}
