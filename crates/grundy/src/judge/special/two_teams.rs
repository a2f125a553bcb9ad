//! A heap from which two teams take in turn, each player with a limit of his own; who takes the last object loses for his team.
//!
//! A position is the number of objects and the player whose turn it is. With none left the other team has just taken the last
//! one, so who is to move has won. Else a player wins exactly if he may leave the next one a position that is lost for him; the nearest
//! such position below is all that counts, so one number for each player is kept.

use super::{Case, Ruling};
use crate::{budget::Meter, judge::error::Fault};

/// The heap `s` and the limits `m` of the players in the order of their turns, an even number of them.
///
/// # Complexity
/// O(objects times players); one number a player is kept.
pub(super) fn ruling(case: &Case<'_>, meter: &mut Meter) -> Result<Ruling, Fault> {
    let (objects, limits) = (case.number("s")?, case.list("m")?);
    if let Some(player) = limits.iter().position(|limit| *limit == 0) {
        return Err(case.fault("m", player, "a player with the limit 0 can never move: limits are 1 or more"));
    }
    if limits.is_empty() || !limits.len().is_multiple_of(2) {
        let message =
            format!("{} limits: two teams of one size have an even number of players, 2 or more", limits.len());
        return Err(case.fault("m", 0, message));
    }
    // for each player the largest heap that he loses
    let mut lost = vec![None; limits.len()];
    let mut is_lost = vec![false; limits.len()];
    for left in 1..=objects {
        for (i, limit) in limits.iter().enumerate() {
            let next: Option<u64> = lost[(i + 1) % limits.len()];
            is_lost[i] = next.is_none_or(|heap| left - heap > *limit);
        }
        for (lost, _) in lost.iter_mut().zip(&is_lost).filter(|(_, is_lost)| **is_lost) {
            *lost = Some(left);
        }
        meter.steps(2 * limits.len() as u64)?;
    }
    // with nothing to take the other team is said to have taken the last object
    Ok(Ruling::of_winner(!is_lost[0]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{run, run_within};
    use crate::{Budget, judge::Special};

    const LAYOUT: &str = "until 0 { n s m[2*n] }";

    proptest! {
        #[test]
        fn a_table_by_the_rules_agrees(limits in proptest::collection::vec([1u64..8, 1u64..8], 1..5), objects in 1u64..60) {
            let limits = limits.concat();
            let mut won = vec![vec![true; limits.len()]];
            for left in 1..=objects {
                let wins = |i: usize| (1..=limits[i].min(left)).any(|t| !won[(left - t) as usize][(i + 1) % limits.len()]);
                won.push((0..limits.len()).map(wins).collect());
            }
            let words: Vec<String> = limits.iter().map(u64::to_string).collect();
            let input = format!("{} {objects} {}\n0\n", limits.len() / 2, words.join(" "));
            let expected = if won[objects as usize][0] { "first\n" } else { "second\n" };
            prop_assert_eq!(run(Special::TwoTeams, LAYOUT, &input), expected);
        }
    }

    #[test]
    fn faults_have_a_place() {
        let input = "1 7 2 0\n0\n";
        let expected = "case 1: line 1, column 7: a player with the limit 0 can never move: limits are 1 or more";
        assert_eq!(run(Special::TwoTeams, LAYOUT, input), expected);
        let odd = run(Special::TwoTeams, "*{ s n m[n] }", "7 3 1 1 1");
        assert!(odd.starts_with("case 1: line 1, column 5: 3 limits"), "{odd}");
    }

    #[test]
    fn limits_are_kept() {
        let budget = Budget { time: Some(std::time::Duration::from_millis(20)), ..Budget::default() };
        let out = run_within(Special::TwoTeams, LAYOUT, "1 1000000000000000000 3 4\n0\n", &budget);
        assert!(out.contains("stopped by the time limit"), "{out}");
    }
}
