use grundy_core::theory::{
    Convention,
    digraph::Digraph,
    mex,
    parity_game::{Objective, ParityGame, check},
};
use proptest::prelude::*;

use super::*;
use crate::{
    budget::Budget,
    formats::graph::{GraphFile, Names},
    graph::{GraphObjective, GraphQuery, answer},
};

const GAMES: [Objective; 5] =
    [Objective::Reachability, Objective::Safety, Objective::Buchi, Objective::CoBuchi, Objective::Parity];

fn ask(file: GraphFile, objective: GraphObjective) -> GraphAnswer {
    let query = GraphQuery {
        file,
        objective,
        convention: Convention::Normal,
        tokens: vec![],
        verify: false,
        certificate: None,
    };
    answer(query, &Budget::default()).unwrap()
}

fn plain(n: usize, edges: &[(u32, u32)]) -> GraphFile {
    GraphFile::new(Digraph::from_edges(n, edges).unwrap(), Names::Numbered { first: 0 })
}

fn edges() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0u32..9, 0u32..9), 0..24)
}

/// What a reason says of a vertex, given those before it.
fn holds(graph: &Digraph, reason: &Reason, v: u32, values: &[LoopyValue], before: &[u32]) -> bool {
    let follows = |w: u32| graph.successors(v).contains(&w);
    let shown = |followers: &[(u64, u32)]| {
        followers.iter().all(|(value, w)| follows(*w) && values[*w as usize] == LoopyValue::Finite(*value))
    };
    match reason {
        Reason::Mex { value, followers, back } => {
            let replies = graph.successors(v).iter().all(|w| match &values[*w as usize] {
                LoopyValue::Finite(other) if other <= value => before.contains(w),
                _ => back.iter().any(|(from, _)| from == w),
            });
            let earlier =
                |(_, to): &(u32, u32)| before.contains(to) && values[*to as usize] == LoopyValue::Finite(*value);
            shown(followers) && mex(followers.iter().map(|f| f.0)) == *value && replies && back.iter().all(earlier)
        }
        Reason::Infinite { value, followers, way_on } => {
            let missing = mex(followers.iter().map(|f| f.0));
            let LoopyValue::Infinite(own) = value else { return false };
            let LoopyValue::Infinite(next) = &values[*way_on as usize] else { return false };
            shown(followers) && own.len() == followers.len() && follows(*way_on) && !next.contains(&missing)
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn values_are_explained_by_what_came_before(edges in edges()) {
        let answer = ask(plain(9, &edges), GraphObjective::Loopy);
        let Some(Vertices::Values(values)) = &answer.vertices else { panic!() };
        let all = reasons(&answer).unwrap();
        prop_assert_eq!(all.len(), 9);
        let mut before = Vec::new();
        for Explained { vertex, reason } in &all {
            prop_assert!(holds(&answer.file.graph, reason, *vertex, values, &before), "{vertex} {reason:?}");
            before.push(*vertex);
        }
    }

    #[test]
    fn outcomes_are_explained_by_what_came_before(edges in edges()) {
        let answer = ask(plain(9, &edges), GraphObjective::Outcome);
        let graph = &answer.file.graph;
        let mut lost = Vec::new();
        let mut won = Vec::new();
        for Explained { vertex, reason } in reasons(&answer).unwrap() {
            let successors = graph.successors(vertex);
            let right = match reason {
                Reason::End { outcome } => outcome == Outcome::P && successors.is_empty(),
                Reason::Wins { to, .. } => successors.contains(&to) && lost.contains(&to),
                Reason::Loses { last, .. } => successors.contains(&last) && successors.iter().all(|w| won.contains(w)),
                Reason::Draws { to } => successors.contains(&to) && !lost.contains(&to) && !won.contains(&to),
                _ => false,
            };
            prop_assert!(right, "{vertex} {reason:?}");
            match reason {
                Reason::Wins { .. } => won.push(vertex),
                Reason::Draws { .. } => {}
                _ => lost.push(vertex),
            }
        }
    }

    /// The moves of the reasons are a strategy that the checker accepts.
    #[test]
    fn reasons_for_winners_are_a_strategy(edges in edges(), owners in 0u32..512, greens in 0u32..512, game in 0usize..5) {
        let bit = |bits: u32, v: u32| bits >> v & 1;
        let mut edges = edges;
        if !GAMES[game].allows_dead_ends() {
            edges.extend((0..9).map(|v| (v, (v + 4) % 9)));
        }
        let file = GraphFile {
            owner: Some((0..9).map(|v| bit(owners, v) as u8).collect()),
            priority: Some((0..9).map(|v| u64::from(bit(greens, v) + v / 3)).collect()),
            ..plain(9, &edges)
        };
        let answer = ask(file, GraphObjective::Game(GAMES[game]));
        let Some(Vertices::Winners(found)) = &answer.vertices else { panic!() };
        let mut strategy = vec![None; 9];
        let mut winner = vec![2; 9];
        for Explained { vertex, reason } in reasons(&answer).unwrap() {
            let Reason::Game { winner: w, to, how } = reason else { panic!() };
            winner[vertex as usize] = w;
            strategy[vertex as usize] = to;
            prop_assert_eq!(how == How::Cycles, GAMES[game] == Objective::Parity);
        }
        prop_assert_eq!(&winner, &found.winner);
        let priority = answer.file.priority.clone().unwrap().into_iter().map(|p| p as u32).collect();
        let owner = answer.file.owner.clone().unwrap();
        let game = ParityGame::new(answer.file.graph.clone(), owner, priority, GAMES[game]).unwrap();
        prop_assert_eq!(check(&game, &grundy_core::theory::parity_game::Solution { winner, strategy }), Ok(()));
    }
}

#[test]
fn without_cycles_the_order_is_from_the_ends() {
    let answer = ask(plain(4, &[(0, 1), (0, 2), (1, 2), (3, 0)]), GraphObjective::Grundy);
    let all = reasons(&answer).unwrap();
    assert_eq!(all[0], Explained { vertex: 2, reason: Reason::Mex { value: 0, followers: vec![], back: vec![] } });
    let last = Reason::Mex { value: 0, followers: vec![(2, 0)], back: vec![] };
    assert_eq!(all[3], Explained { vertex: 3, reason: last });
    let large = ask(plain(1001, &[]), GraphObjective::Grundy);
    assert_eq!(reasons(&large), Err(TooLarge(1001)));
}
