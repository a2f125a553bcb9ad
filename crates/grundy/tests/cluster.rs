//! Several processes find what one finds. Here they are threads, which talk over the loopback as processes do.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

use grundy::{
    budget::Budget,
    cluster::{self, ClusterError, Hosts, Seat},
    formats::graph::{GraphFile, Names},
    graph::{self, GraphAnswer, GraphObjective, GraphQuery, Vertices},
    parity::{Shape, generate},
};
use grundy_core::theory::{
    Convention,
    digraph::Digraph,
    parity_game::{Objective, ParityGame},
};

const GAMES: [Objective; 4] = [Objective::Reachability, Objective::Safety, Objective::Buchi, Objective::CoBuchi];

/// Addresses on the loopback that nobody listens at.
fn hosts(processes: usize) -> Hosts {
    let listeners: Vec<TcpListener> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines: Vec<String> = listeners.iter().map(|l| l.local_addr().unwrap().to_string()).collect();
    Hosts::parse(&lines.join("\n")).unwrap()
}

fn query(game: &ParityGame) -> GraphQuery {
    let mut file = GraphFile::new(game.graph().clone(), Names::Numbered { first: 0 });
    file.owner = Some(game.owner().to_vec());
    file.priority = Some(game.priority().iter().map(|p| u64::from(*p)).collect());
    let objective = GraphObjective::Game(game.objective());
    GraphQuery { file, objective, convention: Convention::Normal, tokens: vec![], verify: true, certificate: None }
}

fn values_query(graph: Digraph) -> GraphQuery {
    let file = GraphFile::new(graph, Names::Numbered { first: 0 });
    let (objective, convention) = (GraphObjective::Grundy, Convention::Normal);
    GraphQuery { file, objective, convention, tokens: vec![], verify: true, certificate: None }
}

/// What each process says.
fn together(
    query: &GraphQuery,
    processes: usize,
    checkpoint: Option<&Path>,
) -> Vec<Result<Option<GraphAnswer>, ClusterError>> {
    let hosts = hosts(processes);
    let run = |process| {
        let seat = Seat {
            hosts: hosts.clone(),
            process,
            checkpoint: checkpoint.map(Path::to_owned),
            every: Duration::from_secs(5),
            lost: Arc::new(AtomicBool::new(false)),
        };
        cluster::answer(query.clone(), true, &seat, &Budget::default(), &mut |_| ())
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..processes).map(|process| scope.spawn(move || run(process))).collect();
        all.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

/// The answer of process 0; the others have none.
fn answer_of(query: &GraphQuery, processes: usize, checkpoint: Option<&Path>) -> GraphAnswer {
    let mut all = together(query, processes, checkpoint).into_iter().map(Result::unwrap);
    let answer = all.next().flatten().unwrap();
    assert!(all.all(|other| other.is_none()));
    answer
}

/// The same from several processes as from one, with moves that the checker accepts.
fn same(query: GraphQuery, processes: usize, checkpoint: Option<&Path>) {
    let alone = graph::answer(query.clone(), &Budget::default()).unwrap();
    let answer = answer_of(&query, processes, checkpoint);
    assert_eq!((answer.verified, alone.verified), (Some(true), Some(true)), "{query:?}");
    match (answer.vertices.unwrap(), alone.vertices.unwrap()) {
        (Vertices::Winners(found), Vertices::Winners(alone)) => assert_eq!(found.winner, alone.winner, "{query:?}"),
        (found, alone) => assert_eq!(found, alone, "{query:?}"),
    }
}

/// A graph without cycles whose edges lead up and down among the numbers.
fn acyclic(vertices: u32, seed: u64) -> Digraph {
    let game = generate(Shape::Random, vertices as usize, 2, Objective::Buchi, seed).unwrap();
    // an order in which neighbours are far apart
    let place = |v: u32| (u64::from(v) * 7919 + seed) % u64::from(vertices);
    let all = (0..vertices).flat_map(|v| game.graph().successors(v).iter().map(move |w| (v, *w)));
    let edges: Vec<(u32, u32)> = all.filter(|(v, w)| place(*v) > place(*w)).collect();
    Digraph::from_edges(vertices as usize, &edges).unwrap()
}

fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("grundy-cluster-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[test]
fn games_as_one_process_solves_them() {
    for (seed, shape) in (0u64..).zip([Shape::Random, Shape::Grid, Shape::Chain, Shape::Ladder, Shape::Hub]) {
        for objective in GAMES {
            for (vertices, processes) in [(3, 2), (60, 3), (400, 2)] {
                same(query(&generate(shape, vertices, 2, objective, seed).unwrap()), processes, None);
            }
        }
    }
}

/// In a release build, a few seconds.
#[test]
#[ignore = "large"]
fn large_games_as_one_process_solves_them() {
    for objective in GAMES {
        same(query(&generate(Shape::Random, 2_000_000, 2, objective, 7).unwrap()), 2, None);
    }
    same(values_query(acyclic(2_000_000, 7)), 2, None);
}

#[test]
fn ends_of_plays_and_parallel_moves() {
    for seed in 0..8 {
        let whole = generate(Shape::Random, 40, 2, Objective::Reachability, seed).unwrap();
        // some vertices without a move, some moves twice
        let all = (0..40u32).flat_map(|v| whole.graph().successors(v).iter().map(move |w| (v, *w)));
        let mut edges: Vec<(u32, u32)> = all.filter(|(v, _)| v % 5 != 1).collect();
        edges.extend_from_within(..edges.len() / 3);
        let graph = Digraph::from_edges(40, &edges).unwrap();
        let priority: Vec<u32> = (0..40).map(|v| u32::from(v % 9 != 4)).collect();
        for objective in [Objective::Reachability, Objective::Safety] {
            let game = ParityGame::new(graph.clone(), whole.owner().to_vec(), priority.clone(), objective).unwrap();
            same(query(&game), 3, None);
        }
    }
}

#[test]
fn values_as_one_process_finds_them() {
    for (vertices, processes) in [(1, 2), (50, 1), (50, 4), (3000, 2)] {
        same(values_query(acyclic(vertices, u64::from(vertices))), processes, None);
    }
    let cycle = Digraph::from_edges(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]).unwrap();
    let refused = together(&values_query(cycle), 2, None).swap_remove(0).unwrap_err();
    assert_eq!(refused.to_string(), "the graph has a cycle: 2 -> 1 -> 2");
}

#[test]
fn questions_for_one_process() {
    let game = generate(Shape::Random, 10, 5, Objective::Parity, 1).unwrap();
    let refused = together(&query(&game), 2, None).swap_remove(1).unwrap_err();
    assert!(refused.to_string().starts_with("several processes solve"), "{refused}");
}

#[test]
fn what_is_saved_is_a_beginning() {
    let game = |objective| query(&generate(Shape::Random, 300, 2, objective, 11).unwrap());
    for (name, query) in [
        ("reach", game(Objective::Reachability)),
        ("buchi", game(Objective::Buchi)),
        ("chain", query(&generate(Shape::Chain, 90, 2, Objective::Buchi, 1).unwrap())),
        ("values", values_query(acyclic(300, 5))),
    ] {
        let dir = directory(name);
        same(query.clone(), 2, Some(&dir));
        let path = |process| dir.join(format!("process-{process}-of-2.grundy"));
        let both = [0, 1].map(|process| std::fs::read(path(process)).unwrap());
        // all of it, then what one of them has saved, the other nothing
        same(query.clone(), 2, Some(&dir));
        for process in [0, 1] {
            std::fs::remove_file(path(process)).unwrap();
            same(query.clone(), 2, Some(&dir));
            assert_eq!([0, 1].map(|process| std::fs::read(path(process)).unwrap()), both, "{name}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

#[test]
fn what_is_damaged_or_foreign_is_refused() {
    let dir = directory("refused");
    let mine = query(&generate(Shape::Random, 100, 2, Objective::Buchi, 3).unwrap());
    same(mine.clone(), 1, Some(&dir));
    let path = dir.join("process-0-of-1.grundy");
    let good = std::fs::read(&path).unwrap();
    let refusal = |bytes: &[u8], query: &GraphQuery| {
        std::fs::write(&path, bytes).unwrap();
        let error = together(query, 1, Some(&dir)).swap_remove(0).unwrap_err();
        assert!(matches!(error, ClusterError::Store(_)));
        error.to_string().split_once(": ").unwrap().1.to_owned()
    };
    for cut in [0, 5, 11] {
        assert_eq!(refusal(&good[..cut], &mine), "the file is no checkpoint of a process");
    }
    assert_eq!(refusal(&good[..40], &mine), "truncated: 40 bytes");
    let length = good.len();
    let short = refusal(&good[..length - 1], &mine);
    assert_eq!(short, format!("truncated or overlong: {} bytes instead of {length}", length - 1));
    for at in [20, 36, 50, length - 9, length - 1] {
        let mut bad = good.clone();
        bad[at] ^= 4;
        assert_eq!(refusal(&bad, &mine), "the check sum is wrong: the file was damaged");
    }
    let mut newer = good.clone();
    newer[8] = 9;
    assert_eq!(refusal(&newer, &mine), "format version 9, this program reads 1");
    let foreign = "it is of another graph, or of another objective";
    let other = query(&generate(Shape::Random, 100, 2, Objective::Buchi, 4).unwrap());
    assert_eq!(refusal(&good, &other), foreign);
    let other = query(&generate(Shape::Random, 100, 2, Objective::CoBuchi, 3).unwrap());
    assert_eq!(refusal(&good, &other), foreign);
    // of one process, under the name of one of two
    std::fs::write(dir.join("process-0-of-2.grundy"), &good).unwrap();
    let seat = Seat {
        hosts: hosts(2),
        process: 0,
        checkpoint: Some(dir.clone()),
        every: Duration::from_secs(5),
        lost: Arc::default(),
    };
    let error = cluster::answer(mine.clone(), false, &seat, &Budget::default(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().ends_with("it is of process 0 of 1"), "{error}");
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn another_game_is_noticed() {
    let game = |seed| query(&generate(Shape::Random, 50, 2, Objective::Buchi, seed).unwrap());
    let hosts = hosts(2);
    let run = |process, query| {
        let lost = Arc::default();
        let seat = Seat { hosts: hosts.clone(), process, checkpoint: None, every: Duration::from_secs(5), lost };
        let budget = Budget { time: Some(Duration::from_secs(20)), ..Budget::default() };
        cluster::answer(query, false, &seat, &budget, &mut |_| ()).unwrap_err().to_string()
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| run(0, game(1)));
        assert_eq!(run(1, game(2)), "process 0 has another graph, or another objective");
        assert_eq!(first.join().unwrap(), "process 1 has another graph, or another objective");
    });
}

#[test]
fn a_process_alone_waits_until_its_time_is_up() {
    let query = query(&generate(Shape::Random, 50, 2, Objective::Buchi, 1).unwrap());
    let seat =
        Seat { hosts: hosts(2), process: 1, checkpoint: None, every: Duration::from_secs(5), lost: Arc::default() };
    let budget = Budget { time: Some(Duration::from_millis(200)), ..Budget::default() };
    let error = cluster::answer(query, false, &seat, &budget, &mut |_| ()).unwrap_err();
    assert!(matches!(error, ClusterError::Stopped(_)), "{error}");
}
