//! A whole play: the winner hurries and the loser delays.

use grundy_core::{rulesets::AnyComponent, theory::Convention};

use super::{Session, is_small, moves::list_options, small_meter};
use crate::{
    budget::{Meter, StopReason},
    explain::{LineMove, Step},
    query::SolveQuery,
    search::{Remoteness, Verdict},
};

/// Longest play that is spelled out.
const SPELLED_OUT: usize = 64;

impl Session {
    /// The shortest win against the longest resistance, move by move, on boards that are small enough to be searched.
    pub(super) fn line(&mut self, query: &SolveQuery, meter: &mut Meter) -> Option<Step> {
        let components = query.game.components();
        let is_board = |c: &AnyComponent| {
            !matches!(
                c,
                AnyComponent::Heap(..) | AnyComponent::Coins(..) | AnyComponent::Tartan(..) | AnyComponent::Digraph(..)
            ) && !c.is_tuple()
        };
        if !components.iter().any(is_board) || !is_small(components) {
            return None;
        }
        let moves = play(components.to_vec(), query.convention, &mut small_meter(meter, 60_000, 500)).ok()?;
        (!moves.is_empty()).then_some(Step::Line { moves })
    }
}

fn play(mut game: Vec<AnyComponent>, convention: Convention, meter: &mut Meter) -> Result<Vec<LineMove>, StopReason> {
    let mut search = Remoteness::new(convention);
    let mut moves = Vec::new();
    while moves.len() < SPELLED_OUT {
        let now = search.verdict(&game, meter)?;
        let mut best: Option<(Verdict, Vec<AnyComponent>, LineMove)> = None;
        for i in 0..game.len() {
            let mut options = Vec::new();
            list_options(&game[i], meter, &mut options)?;
            for to in options {
                let next = [&game[..i], &to[..], &game[i + 1..]].concat();
                let verdict = search.verdict(&next, meter)?;
                let is_better = match &best {
                    None => true,
                    Some((b, ..)) if now.lost => verdict.remoteness > b.remoteness,
                    Some((b, ..)) => (verdict.lost, b.remoteness) > (b.lost, verdict.remoteness),
                };
                if is_better {
                    let name = game[i].move_name(&to);
                    best = Some((verdict, next, LineMove { component: i, name }));
                }
            }
        }
        let Some((_, next, made)) = best else { break };
        moves.push(made);
        game = next;
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_sum;

    use super::*;

    #[test]
    fn lines_last_as_long_as_the_remoteness_says() {
        for text in
            ["cram(2x3)", "cram(3x3) + nim(2)", "node_kayles[{a: b, b: c, c: d, d: e, e:}]", "subset_takeaway(3)"]
        {
            for convention in [Convention::Normal, Convention::Misere] {
                let game = read_sum(text).unwrap().into_components();
                let verdict = Remoteness::new(convention).verdict(&game, &mut Meter::unlimited()).unwrap();
                let line = play(game, convention, &mut Meter::unlimited()).unwrap();
                assert_eq!(line.len(), verdict.remoteness as usize, "{text}");
            }
        }
    }
}
