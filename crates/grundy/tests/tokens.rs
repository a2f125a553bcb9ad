//! Sums of tokens on graphs and Nim heaps, through a session, against retrograde analysis of all positions of the sum.

use std::{collections::HashMap, sync::Arc};

use grundy::{
    Budget, Session,
    answer::SolveAnswer,
    budget::Meter,
    play::{Game, Level, Player, Reason, Side},
    query::SolveQuery,
    retrograde::{Verdict, outcomes},
};
use grundy_core::{
    notation::{print_component, print_sum, read_sum},
    rulesets::{AnyComponent, digraph::DigraphGame},
    theory::{
        Convention, Outcome, Sum,
        digraph::Digraph,
        loopy_value::LoopyValue,
        named_graph::{NamedGraph, VertexNames},
    },
};
use proptest::prelude::*;
use serde_json::Value;

fn game(name: &str, n: usize, edges: &[(u32, u32)]) -> Arc<DigraphGame> {
    let graph = Digraph::from_edges(n, edges).unwrap();
    let names = VertexNames::given((0..n).map(|v| format!("v{v}"))).unwrap();
    Arc::new(DigraphGame::new(name, Arc::new(NamedGraph::new(graph, names).unwrap())))
}

fn nim(n: u64) -> AnyComponent {
    read_sum(&format!("nim({n})")).unwrap().components()[0].clone()
}

fn solve(session: &mut Session, sum: &[AnyComponent], convention: Convention) -> SolveAnswer {
    let query = SolveQuery { explain: true, ..SolveQuery::new(sum.iter().cloned().collect(), convention) };
    session.solve(&query, &Budget::default()).unwrap()
}

/// All options of a sum: the component that is moved, and the position after it as numbers.
fn options(sum: &[AnyComponent], position: &[u32]) -> Vec<(usize, Vec<u32>)> {
    let mut all = Vec::new();
    for (i, c) in sum.iter().enumerate() {
        let to: Vec<u32> = match c {
            AnyComponent::Digraph(game, _) => game.followers(position[i]),
            _ => (0..position[i]).collect(),
        };
        for next in to {
            let mut after = position.to_vec();
            after[i] = next;
            all.push((i, after));
        }
    }
    all
}

fn numbers(sum: &[AnyComponent]) -> Vec<u32> {
    let number = |c: &AnyComponent| match c {
        AnyComponent::Digraph(_, v) => *v,
        other => other.numbers()[0] as u32,
    };
    sum.iter().map(number).collect()
}

/// The verdict on every position that can be reached.
fn verdicts(sum: &[AnyComponent], convention: Convention) -> HashMap<Vec<u32>, Verdict> {
    let mut index = HashMap::from([(numbers(sum), 0u32)]);
    let mut all = vec![numbers(sum)];
    let mut edges = Vec::new();
    let mut next = 0;
    while next < all.len() {
        for (_, after) in options(sum, &all[next].clone()) {
            let fresh = all.len() as u32;
            let id = *index.entry(after.clone()).or_insert(fresh);
            if id == fresh {
                all.push(after);
            }
            edges.push((next as u32, id));
        }
        next += 1;
    }
    let graph = Digraph::from_edges(all.len(), &edges).unwrap();
    let found = outcomes(&graph, &graph.reversed(), convention, &mut Meter::unlimited()).unwrap();
    all.into_iter().zip(found).collect()
}

/// Checks outcome, all winning moves and the suggestion of a sum.
fn agrees(session: &mut Session, sum: &[AnyComponent], convention: Convention) {
    let text = print_sum(sum);
    let answer = solve(session, sum, convention);
    let known = verdicts(sum, convention);
    let at = numbers(sum);
    assert_eq!(answer.outcome, Some(known[&at].outcome), "{text}");
    let wanted: Vec<(usize, u32)> = options(sum, &at)
        .into_iter()
        .filter(|(_, after)| known[after].outcome == Outcome::P)
        .map(|(i, after)| (i, after[i]))
        .collect();
    let arrives = |to: &[AnyComponent]| numbers(to).first().copied().unwrap_or(0);
    let found: Vec<(usize, u32)> = answer.moves.iter().map(|m| (m.component, arrives(&m.to))).collect();
    assert_eq!(found, wanted, "{text}");
    assert!(answer.moves_complete && answer.moves_total == Some(wanted.len() as u128), "{text}");
    match answer.outcome {
        Some(Outcome::N) => assert_eq!(answer.suggestion, None),
        Some(outcome) => match &answer.suggestion {
            Some(m) => {
                let mut after = at.clone();
                after[m.component] = arrives(&m.to);
                let leaves = if outcome == Outcome::Draw { Outcome::Draw } else { Outcome::N };
                assert_eq!(known[&after].outcome, leaves, "{text}: {m:?}");
            }
            None => assert!(options(sum, &at).is_empty(), "{text}"),
        },
        None => panic!("{text}"),
    }
    if let Some(value) = &answer.infinite {
        assert_eq!(value.outcome(), known[&at].outcome, "{text}");
    }
}

fn on(n: u32, edges: Vec<(u32, u32)>, acyclic: bool) -> Vec<(u32, u32)> {
    let inside = edges.into_iter().map(|(a, b)| (a % n, b % n));
    inside.filter(|(a, b)| !acyclic || a > b).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sums_of_tokens_and_heaps(
        edges in prop::collection::vec((0u32..8, 0u32..8), 0..24),
        others in prop::collection::vec((0u32..5, 0u32..5), 0..10),
        acyclic in any::<bool>(),
        heap in 0u64..5,
    ) {
        let one = game("digraph[\"one\"]", 8, &on(8, edges, acyclic));
        let two = game("digraph[\"two\"]", 5, &on(5, others, acyclic));
        let mut session = Session::new();
        for a in 0..8 {
            let b = (a * 3 + 1) % 8;
            let token = |v| AnyComponent::Digraph(one.clone(), v);
            let other = AnyComponent::Digraph(two.clone(), a % 5);
            agrees(&mut session, &[token(a)], Convention::Normal);
            agrees(&mut session, &[token(a)], Convention::Misere);
            agrees(&mut session, &[token(a), nim(heap)], Convention::Normal);
            agrees(&mut session, &[token(a), token(b)], Convention::Normal);
            agrees(&mut session, &[nim(3), token(a), other.clone(), nim(heap)], Convention::Normal);
            if acyclic {
                agrees(&mut session, &[token(a), other, nim(heap)], Convention::Misere);
            }
        }
    }

    #[test]
    fn remoteness_of_one_token(edges in prop::collection::vec((0u32..9, 0u32..9), 0..24)) {
        let one = game("digraph[\"one\"]", 9, &edges);
        let mut session = Session::new();
        for convention in [Convention::Normal, Convention::Misere] {
            for v in 0..9 {
                let sum = [AnyComponent::Digraph(one.clone(), v), nim(0)];
                let query = SolveQuery { remoteness: true, ..SolveQuery::new(sum.iter().cloned().collect(), convention) };
                let answer = session.solve(&query, &Budget::default()).unwrap();
                let wanted = verdicts(&sum, convention)[&numbers(&sum)];
                let ends = wanted.outcome != Outcome::Draw;
                prop_assert_eq!(answer.remoteness, ends.then_some(u64::from(wanted.remoteness)));
            }
        }
    }

    /// Whoever has won and follows the advice wins in the end, whatever the other side does.
    #[test]
    fn the_perfect_player_comes_to_an_end(
        edges in prop::collection::vec((0u32..8, 0u32..8), 8..24), a in 0u32..8, b in 0u32..8, heap in 0u64..4, seed in any::<u64>(),
    ) {
        let one = game("digraph[\"one\"]", 8, &edges);
        let sum = [AnyComponent::Digraph(one.clone(), a), AnyComponent::Digraph(one, b), nim(heap)];
        let start: Sum<AnyComponent> = sum.iter().cloned().collect();
        let mut perfect = Player::new(Level::Perfect, 0);
        let first = match perfect.assess(&start, Convention::Normal, &Budget::default()).outcome {
            Some(Outcome::N) => Side::Computer,
            Some(Outcome::P) => Side::You,
            _ => return Ok(()),
        };
        let mut random = grundy::play::Random::new(seed);
        let mut game = Game::new(start, Convention::Normal, first).unwrap();
        for _ in 0..200 {
            let played = match (game.ending(), game.to_move()) {
                (Some(end), _) => {
                    prop_assert_eq!(end.winner, Side::Computer);
                    return Ok(());
                }
                (None, Side::Computer) => perfect.choose(&game, &Budget::default()).unwrap().played,
                (None, Side::You) => grundy::play::random_move(game.position(), &mut random).unwrap(),
            };
            game.play(played.component, &played.to).unwrap();
        }
        prop_assert!(false, "no end of {}", print_sum(&sum));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Nor can the other side lead the advice round in circles: the lost positions that are left one after another never recur.
    #[test]
    fn no_advice_goes_round_in_circles(edges in prop::collection::vec((0u32..6, 0u32..6), 6..18), heap in 0u64..3) {
        let one = game("digraph[\"one\"]", 6, &edges);
        let mut player = Player::new(Level::Perfect, 0);
        // which lost positions may be left after a lost position
        let mut after: HashMap<Vec<u32>, Vec<Vec<u32>>> = HashMap::new();
        let at = |v: &[u32]| -> Sum<AnyComponent> {
            let token = |v| AnyComponent::Digraph(one.clone(), v);
            [token(v[0]), token(v[1]), nim(v[2].into())].into_iter().collect()
        };
        let whole = [AnyComponent::Digraph(one.clone(), 0), AnyComponent::Digraph(one.clone(), 0), nim(heap)];
        for place in (0..36).map(|p| vec![p / 6, p % 6, heap as u32]) {
            let lost = |p: &mut Player| p.assess(&at(&place), Convention::Normal, &Budget::default()).outcome == Some(Outcome::P);
            let mut stack = if lost(&mut player) { vec![place] } else { Vec::new() };
            while let Some(left) = stack.pop() {
                if after.contains_key(&left) {
                    continue;
                }
                let mut next = Vec::new();
                for (_, moved) in options(&whole, &left) {
                    let game = Game::new(at(&moved), Convention::Normal, Side::Computer).unwrap();
                    let m = player.choose(&game, &Budget::default()).unwrap().played;
                    let mut answered = moved;
                    answered[m.component] = numbers(&m.to).first().copied().unwrap_or(0);
                    next.push(answered);
                }
                stack.extend(next.iter().cloned());
                after.insert(left, next);
            }
        }
        let places: Vec<&Vec<u32>> = after.keys().collect();
        let index: HashMap<&Vec<u32>, u32> = places.iter().copied().zip(0..).collect();
        let edges: Vec<(u32, u32)> =
            after.iter().flat_map(|(from, to)| to.iter().map(|t| (index[from], index[t])).collect::<Vec<_>>()).collect();
        let circle = Digraph::from_edges(places.len(), &edges).unwrap().topological_order();
        prop_assert!(circle.is_ok(), "{:?}", circle.unwrap_err().iter().map(|v| places[*v as usize]).collect::<Vec<_>>());
    }
}

#[test]
fn a_draw_is_kept() {
    let game = game("digraph[\"ring\"]", 3, &[(0, 1), (1, 0), (1, 2)]);
    let sum: Sum<AnyComponent> =
        [AnyComponent::Digraph(game.clone(), 0), AnyComponent::Digraph(game, 0)].into_iter().collect();
    let game = Game::new(sum, Convention::Normal, Side::You).unwrap();
    let advice = Player::new(Level::Perfect, 0).advise(&game, &Budget::default());
    assert_eq!(advice.known.outcome, Some(Outcome::P), "two tokens of value 0");
    let loose = self::game("digraph[\"loose\"]", 2, &[(0, 0), (0, 1), (1, 0)]);
    let sum: Sum<AnyComponent> = [AnyComponent::Digraph(loose.clone(), 0), nim(1)].into_iter().collect();
    assert_eq!(
        solve(&mut Session::new(), sum.components(), Convention::Normal).infinite,
        Some(LoopyValue::Infinite(vec![]))
    );
    let game = Game::new(sum, Convention::Normal, Side::You).unwrap();
    let advice = Player::new(Level::Perfect, 0).advise(&game, &Budget::default());
    assert_eq!((advice.known.outcome, advice.rungs()), (Some(Outcome::Draw), 2));
    assert_eq!(advice.best.unwrap().reason, Reason::KeepsDraw);
}

#[test]
fn what_does_not_follow_from_the_components_is_refused() {
    let ring = game("digraph[\"ring\"]", 3, &[(0, 1), (1, 0), (1, 2), (0, 2)]);
    let token = |v| AnyComponent::Digraph(ring.clone(), v);
    let ask = |sum: Vec<AnyComponent>, convention, remoteness| {
        let query = SolveQuery { remoteness, ..SolveQuery::new(Sum::new(sum), convention) };
        Session::new().solve(&query, &Budget::default())
    };
    assert!(ask(vec![token(0), nim(1)], Convention::Misere, false).unwrap_err().message.contains("misère"));
    assert!(ask(vec![token(0), token(1)], Convention::Normal, true).unwrap_err().message.contains("how long"));
    assert!(Game::new(Sum::new(vec![token(0), nim(1)]), Convention::Misere, Side::You).is_err());
    // what cannot move does not count, and what must end is searched
    assert!(ask(vec![token(0), nim(0), token(2)], Convention::Misere, true).is_ok());
    assert!(ask(vec![token(2), nim(1)], Convention::Misere, true).is_ok());
}

#[test]
fn collected_facts() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/graph_games.json");
    let facts: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut seen = 0;
    for fact in facts.as_array().unwrap() {
        let kind = fact["kind"].as_str().unwrap();
        if !matches!(kind, "loopy-grundy" | "dag-grundy") {
            continue;
        }
        seen += 1;
        let edges: Vec<(u32, u32)> = serde_json::from_value(fact["edges"].clone()).unwrap();
        let n = fact["n"].as_u64().unwrap() as usize;
        let played = game(fact["name"].as_str().unwrap(), n, &edges);
        let letter = |a: &SolveAnswer| a.outcome.map(|o| if o == Outcome::Draw { "D" } else { o.word() });
        let mut session = Session::new();
        for v in 0..n {
            let sum = [AnyComponent::Digraph(played.clone(), v as u32)];
            let normal = solve(&mut session, &sum, Convention::Normal);
            match &fact["value"][v] {
                Value::Number(k) => assert_eq!((normal.value, &normal.infinite), (k.as_u64(), &None)),
                set => {
                    let set = serde_json::from_value(set["inf"].clone()).unwrap();
                    assert_eq!((normal.value, &normal.infinite), (None, &Some(LoopyValue::Infinite(set))));
                }
            }
            if kind == "loopy-grundy" {
                assert_eq!(letter(&normal), fact["outcome"][v].as_str(), "{}", print_component(&sum[0]));
            }
            let misere = solve(&mut session, &sum, Convention::Misere);
            assert_eq!(letter(&misere), fact["misere_outcome"][v].as_str(), "{}", print_component(&sum[0]));
        }
    }
    assert!(seen >= 10);
}
