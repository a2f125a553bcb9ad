//! Outcomes of the vertices of a graph with the length of the game, and when they are right.

use super::{Convention, Outcome, digraph::Digraph};

/// What is known of one vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins; a draw where neither can force the end.
    pub outcome: Outcome,
    /// Moves until the end when the winner hurries and the loser delays; 0 for a draw.
    pub remoteness: u32,
}

impl Verdict {
    /// This outcome after so many moves.
    pub const fn new(outcome: Outcome, remoteness: u32) -> Self {
        Verdict { outcome, remoteness }
    }
}

/// What is wrong with outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongVerdict {
    /// There is not one for each vertex.
    Length,
    /// The verdict of this vertex does not follow from those of its followers.
    DoesNotFollow(u32),
}

impl core::fmt::Display for WrongVerdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            WrongVerdict::Length => f.write_str("there is not one outcome for each vertex"),
            WrongVerdict::DoesNotFollow(v) => {
                write!(f, "the outcome of vertex {v} does not follow from those of its followers")
            }
        }
    }
}

impl core::error::Error for WrongVerdict {}

/// Whether these are the outcomes and lengths of all vertices.
///
/// It is enough to look at each vertex: without followers it is decided after 0 moves by the convention; it is an N-position in one
/// move more than the soonest P-follower; a P-position in one more than the longest of its followers, which are all
/// N-positions; and a draw if there is no P-follower, but a draw among the followers. Outcomes that are decided follow by induction on
/// their lengths, and from a draw neither player can leave the draws without losing.
///
/// # Complexity
/// O(vertices + edges).
///
/// # Errors
/// [`WrongVerdict`].
///
/// # Examples
/// ```
/// use grundy_core::theory::{Convention, Outcome, digraph::Digraph, remoteness::{Verdict, WrongVerdict, check}};
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).unwrap();
/// let right = [Verdict::new(Outcome::P, 2), Verdict::new(Outcome::N, 1), Verdict::new(Outcome::P, 0)];
/// assert_eq!(check(&graph, Convention::Normal, &right), Ok(()));
/// assert_eq!(check(&graph, Convention::Misere, &right), Err(WrongVerdict::DoesNotFollow(2)));
/// ```
pub fn check(graph: &Digraph, convention: Convention, verdicts: &[Verdict]) -> Result<(), WrongVerdict> {
    if verdicts.len() != graph.vertices() {
        return Err(WrongVerdict::Length);
    }
    for (v, verdict) in (0..).zip(verdicts) {
        if follows(graph.successors(v).iter().map(|w| verdicts[*w as usize]), convention) != Some(*verdict) {
            return Err(WrongVerdict::DoesNotFollow(v));
        }
    }
    Ok(())
}

/// The verdict that follows from those of the followers; none if a game would be too long for its length.
fn follows(followers: impl Iterator<Item = Verdict>, convention: Convention) -> Option<Verdict> {
    let (mut soonest, mut longest, mut draw, mut any) = (None::<u32>, 0, false, false);
    for Verdict { outcome, remoteness } in followers {
        any = true;
        match outcome {
            Outcome::P => soonest = Some(soonest.map_or(remoteness, |s| s.min(remoteness))),
            Outcome::N => longest = longest.max(remoteness),
            Outcome::Draw => draw = true,
        }
    }
    Some(match (soonest, draw) {
        _ if !any => Verdict::new(convention.of_terminal(), 0),
        (Some(soonest), _) => Verdict::new(Outcome::N, soonest.checked_add(1)?),
        (None, true) => Verdict::new(Outcome::Draw, 0),
        (None, false) => Verdict::new(Outcome::P, longest.checked_add(1)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_verdict_is_refused() {
        // a way to the end, a loop beside it, and a pair that goes on for ever
        let graph = Digraph::from_edges(5, &[(0, 1), (1, 2), (1, 1), (3, 4), (4, 3), (4, 0)]).unwrap();
        for convention in [Convention::Normal, Convention::Misere] {
            let all = |n: u32| [Outcome::N, Outcome::P, Outcome::Draw].map(|o| Verdict::new(o, n));
            let choices: Vec<Verdict> = (0..5).flat_map(all).collect();
            // found by trying: exactly one choice for all vertices is accepted
            let mut accepted = 0;
            let mut at = [0usize; 5];
            'all: loop {
                let verdicts: Vec<Verdict> = at.iter().map(|i| choices[*i]).collect();
                accepted += usize::from(check(&graph, convention, &verdicts).is_ok());
                for place in &mut at {
                    *place += 1;
                    if *place < choices.len() {
                        continue 'all;
                    }
                    *place = 0;
                }
                break;
            }
            assert_eq!(accepted, 1, "{convention:?}");
        }
        assert_eq!(check(&graph, Convention::Normal, &[]), Err(WrongVerdict::Length));
    }
}
