use std::time::Duration;

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{Objective, ParityGame, Solution, check},
    zielonka,
};
use proptest::prelude::*;

use super::*;
use crate::budget::{Budget, Limit};

const ALL: [Objective; 5] =
    [Objective::Parity, Objective::Buchi, Objective::CoBuchi, Objective::Reachability, Objective::Safety];

const SHAPES: [Shape; 5] = [Shape::Random, Shape::Grid, Shape::Chain, Shape::Ladder, Shape::Hub];

fn solved(game: &ParityGame) -> Solution {
    let mut meter = Meter::unlimited();
    let solution = solve(game, &mut meter).unwrap();
    assert_eq!(check(game, &solution), Ok(()), "{game:?} {solution:?}");
    // only the solution is still there
    assert_eq!(meter.bytes_used(), 9 * game.graph().vertices() as u64, "{:?}", game.objective());
    solution
}

fn zielonka_engine<W: subgame::Word>(game: &ParityGame) -> Solution {
    super::zielonka::solve_with::<W>(game, &mut Meter::unlimited()).unwrap().0
}

/// Games with any edges; dead ends where they are allowed.
fn any_game() -> impl Strategy<Value = ParityGame> {
    let row = |n: u32| (0u8..2, 0u32..7, prop::collection::vec(0..n, 0..5));
    (1u32..14, 0usize..5, any::<bool>()).prop_flat_map(move |(n, objective, loops)| {
        prop::collection::vec(row(n), n as usize).prop_map(move |rows| {
            let objective = ALL[objective];
            let mut edges = Vec::new();
            for (v, (_, _, to)) in (0u32..).zip(&rows) {
                let before = edges.len();
                edges.extend(to.iter().filter(|w| loops || **w != v).map(|w| (v, *w)));
                if edges.len() == before && !objective.allows_dead_ends() {
                    edges.push((v, (v + 1) % n));
                }
            }
            let (owner, priority) = rows.iter().map(|(o, p, _)| (*o, *p)).unzip();
            ParityGame::new(Digraph::from_edges(n as usize, &edges).unwrap(), owner, priority, objective).unwrap()
        })
    })
}

/// The vertices that are still in the game from which a player gets into a set, by going over all again and again.
fn forced(game: &ParityGame, player: u8, live: &[bool], mut set: Vec<bool>) -> Vec<bool> {
    loop {
        let before = set.clone();
        for v in 0..set.len() {
            let mut moves = game.moves(v as u32).iter().map(|w| *w as usize).filter(|w| live[*w]).peekable();
            let joins = moves.peek().is_some()
                && if game.owner()[v] == player { moves.any(|w| set[w]) } else { moves.all(|w| set[w]) };
            set[v] |= live[v] && joins;
        }
        if set == before {
            return set;
        }
    }
}

/// The layers of a game by their definition.
fn layers_of(game: &ParityGame) -> Vec<u32> {
    let targets = Targets::of(game);
    let is_target: Vec<bool> = (0..game.graph().vertices() as u32).map(|v| targets.has(game, v)).collect();
    let mut layers = vec![0; is_target.len()];
    let mut fill = |first: &[bool], forced: &[bool], round: u32| {
        for (v, layer) in layers.iter_mut().enumerate().filter(|(v, _)| forced[*v]) {
            *layer = 2 * round + u32::from(!first[v]);
        }
    };
    let mut live = vec![true; is_target.len()];
    if game.objective().allows_dead_ends() {
        let won = forced(game, targets.player(), &live, is_target.clone());
        fill(&is_target, &won, 1);
        return layers;
    }
    for round in 1.. {
        let seen = forced(game, targets.player(), &live, is_target.iter().zip(&live).map(|(t, l)| *t && *l).collect());
        let lost: Vec<bool> = live.iter().zip(&seen).map(|(live, seen)| *live && !*seen).collect();
        if !lost.contains(&true) {
            break;
        }
        let taken = forced(game, 1 - targets.player(), &live, lost.clone());
        fill(&lost, &taken, round);
        live.iter_mut().zip(&taken).for_each(|(live, taken)| *live &= !*taken);
    }
    layers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn layers_are_enough_for_strategies(game in any_game()) {
        if game.objective() == Objective::Parity {
            return Ok(());
        }
        let layers = layers_of(&game);
        let mut meter = Meter::unlimited();
        let solution = from_layers(&game, &layers, &mut meter).unwrap();
        prop_assert_eq!(check(&game, &solution), Ok(()), "{:?} {:?}", layers, solution);
        prop_assert_eq!(&solution.winner, &zielonka::solve(&game).winner);
        prop_assert_eq!(&solution.winner, &winners_of_layers(game.objective(), &layers));
        prop_assert_eq!(meter.bytes_used(), 9 * layers.len() as u64);
    }

    #[test]
    fn wrong_layers_give_wrong_solutions_and_no_panic(
        game in any_game(), layers in prop::collection::vec(0u32..7, 0..14),
    ) {
        let solution = from_layers(&game, &layers, &mut Meter::unlimited()).unwrap();
        let right = zielonka::solve(&game).winner;
        prop_assert!(check(&game, &solution).is_err() || solution.winner == right);
    }

    #[test]
    fn any_game_as_the_twin_solves_it(game in any_game()) {
        prop_assert_eq!(solved(&game).winner, zielonka::solve(&game).winner);
    }

    #[test]
    fn shaped_games_as_the_twin_solves_them(
        shape in 0usize..5, n in 1usize..50, priorities in 1u32..8, objective in 0usize..5, seed: u64,
    ) {
        let game = generate(SHAPES[shape], n, priorities, ALL[objective], seed).unwrap();
        prop_assert_eq!(solved(&game).winner, zielonka::solve(&game).winner);
    }

    #[test]
    fn games_of_many_priorities_as_the_twin_solves_them(shape in 0usize..5, n in 4usize..30, seed: u64) {
        let game = generate(SHAPES[shape], n, 40, Objective::Parity, seed).unwrap();
        prop_assert_eq!(solved(&game).winner, zielonka::solve(&game).winner);
    }

    #[test]
    fn words_of_both_sizes(game in any_game()) {
        if game.objective() == Objective::Parity {
            let wide = zielonka_engine::<u64>(&game);
            prop_assert_eq!(check(&game, &wide), Ok(()));
            prop_assert_eq!(wide, zielonka_engine::<u32>(&game));
        }
    }

    #[test]
    fn counters_of_both_widths(n in 250usize..300, objective in 0usize..5, seed: u64) {
        // the hub has n moves
        let game = generate(Shape::Hub, n, 4, ALL[objective], seed).unwrap();
        solved(&game);
    }

    #[test]
    fn altered_solutions_are_refused(game in any_game(), at: prop::sample::Index) {
        let right = solved(&game);
        let v = at.index(right.winner.len());
        let mut wrong = right.clone();
        wrong.winner[v] = 1 - wrong.winner[v];
        prop_assert!(check(&game, &wrong).is_err());
        let mut wrong = right.clone();
        if wrong.strategy[v].take().is_some() {
            prop_assert!(check(&game, &wrong).is_err());
        } else {
            wrong.strategy[v] = Some(right.winner.len() as u32);
            prop_assert!(check(&game, &wrong).is_err());
        }
    }

    #[test]
    fn the_players_change_places(game in any_game()) {
        if game.objective() != Objective::Parity {
            return Ok(());
        }
        let owner = game.owner().iter().map(|o| 1 - o).collect();
        let priority = game.priority().iter().map(|p| p + 1).collect();
        let turned = ParityGame::new(game.graph().clone(), owner, priority, Objective::Parity).unwrap();
        let winners: Vec<u8> = solved(&turned).winner.iter().map(|w| 1 - w).collect();
        prop_assert_eq!(solved(&game).winner, winners);
    }
}

#[test]
fn large_games_have_their_certificates() {
    for shape in [Shape::Random, Shape::Grid, Shape::Ladder, Shape::Hub] {
        for (objective, priorities) in ALL.into_iter().map(|o| (o, 2)).chain([(Objective::Parity, 10)]) {
            let game = generate(shape, 20_000, priorities, objective, 7).unwrap();
            solved(&game);
        }
    }
}

/// Every triple needs a round, 100 000 rounds; each as long as the game is large they would take some minutes.
#[test]
fn a_chain_of_many_rounds_is_not_slow() {
    for (objective, winner) in [(Objective::Buchi, 1), (Objective::CoBuchi, 1), (Objective::Parity, 1)] {
        let game = generate(Shape::Chain, 300_000, 2, objective, 0).unwrap();
        let mut meter = Meter::new(&Budget { time: Some(Duration::from_secs(20)), ..Budget::default() });
        let solution = solve(&game, &mut meter).unwrap();
        assert_eq!(check(&game, &solution), Ok(()));
        assert_eq!(solution.winner, vec![winner; 300_000]);
    }
}

#[test]
fn deep_recursions_need_no_stack() {
    // a path that leads round, priorities alternating upwards: a component with a recursion as deep as it is long
    let n = 3_000u32;
    let edges: Vec<(u32, u32)> = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, v.saturating_sub(1).max(1) - 1)]).collect();
    let graph = Digraph::from_edges(n as usize, &edges).unwrap();
    let owner = (0..n).map(|v| (v / 2 % 2) as u8).collect();
    solved(&ParityGame::new(graph, owner, (0..n).collect(), Objective::Parity).unwrap());
}

#[test]
fn limits_stop_with_a_reason() {
    for (objective, priorities) in ALL.into_iter().map(|o| (o, 2)).chain([(Objective::Parity, 10)]) {
        let game = generate(Shape::Random, 40_000, priorities, objective, 1).unwrap();
        let stop = |budget: Budget| solve(&game, &mut Meter::new(&budget)).unwrap_err().limit;
        assert_eq!(stop(Budget { time: Some(Duration::ZERO), ..Budget::default() }), Limit::Time);
        assert_eq!(stop(Budget { memory: Some(1 << 19), ..Budget::default() }), Limit::Memory);
        let budget = Budget::default();
        budget.cancel.cancel();
        assert_eq!(stop(budget), Limit::Cancelled);
    }
}

#[test]
fn blocks_of_priorities() {
    assert_eq!(blocks(&[]), Blocks::One(0));
    assert_eq!(blocks(&[3, 5, 1]), Blocks::One(1));
    assert_eq!(blocks(&[3, 4, 1, 6]), Blocks::Two(4));
    assert_eq!(blocks(&[0, 3, 2, 5]), Blocks::Two(3));
    assert_eq!(blocks(&[1, 2, 3]), Blocks::More);
    let empty = || Digraph::from_edges(0, &[]).unwrap();
    for objective in ALL {
        solved(&ParityGame::new(empty(), vec![], vec![], objective).unwrap());
    }
}
