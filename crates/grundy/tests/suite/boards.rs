//! Boards against the fact files: Cram, games on graphs and posets, Hackenbush.

use std::fmt::Write;

use grundy::{
    Session,
    answer::SolveAnswer,
    budget::Budget,
    query::{MovesWanted, SolveQuery},
};
use grundy_core::{
    notation::read_sum,
    theory::{Convention, Outcome},
};
use serde_json::Value;

use crate::{Report, data};

/// The facts that these tests look at.
pub const TESTED: &[&str] = &[
    "cram/*",
    "node_kayles/*",
    "green_hackenbush/*",
    "subset_takeaway/*",
    "misere_nonheap/nodekayles/*",
    "N10",
    "N11",
    "N12",
    "N17",
    "N18",
    "N20",
];

fn facts(file: &str) -> Value {
    let text = std::fs::read_to_string(data::dir().join("facts").join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn solve(session: &mut Session, game: &str, convention: Convention, moves: MovesWanted) -> SolveAnswer {
    let query = SolveQuery {
        game: read_sum(game).unwrap_or_else(|e| panic!("{game}: {e:?}")),
        convention,
        moves,
        limit: 1000,
        distinct: false,
        explain: false,
        remoteness: false,
    };
    let answer = session.solve(&query, &Budget::default()).unwrap();
    assert_eq!(answer.stop, None, "{game}");
    answer
}

fn value(session: &mut Session, game: &str) -> u64 {
    solve(session, game, Convention::Normal, MovesWanted::None).value.unwrap_or_else(|| panic!("{game} has no value"))
}

fn misere(session: &mut Session, game: &str) -> &'static str {
    letter(solve(session, game, Convention::Misere, MovesWanted::None).outcome)
}

fn letter(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::N) => "N",
        Some(Outcome::P) => "P",
        _ => "?",
    }
}

/// The notation of a graph with the vertices 0 to n - 1.
fn graph(game: &str, n: u64, edges: &[(u64, u64)]) -> String {
    let mut text = format!("{game}[{{");
    for v in 0..n {
        let _ = write!(text, "{}{v}:", if v == 0 { "" } else { ", " });
        edges.iter().filter(|e| e.0 == v).for_each(|e| {
            let _ = write!(text, " {}", e.1);
        });
    }
    text + "}]"
}

fn path(game: &str, n: u64) -> String {
    graph(game, n, &(1..n).map(|v| (v - 1, v)).collect::<Vec<_>>())
}

fn cycle(game: &str, n: u64) -> String {
    graph(game, n, &(0..n).map(|v| (v, (v + 1) % n)).collect::<Vec<_>>())
}

fn grid(game: &str, rows: u64, columns: u64) -> String {
    let along = (0..rows * columns).filter(|c| (c + 1) % columns != 0).map(|c| (c, c + 1));
    let down = (0..(rows - 1) * columns).map(|c| (c, c + columns));
    graph(game, rows * columns, &along.chain(down).collect::<Vec<_>>())
}

fn hypercube(game: &str, dimension: u64) -> String {
    let n = 1 << dimension;
    let edges = (0..n).flat_map(|v| (0..dimension).map(move |i| (v, v ^ 1 << i)).filter(|(v, w)| v < w));
    graph(game, n, &edges.collect::<Vec<_>>())
}

fn petersen(game: &str) -> String {
    let edges = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    graph(game, 10, &edges.collect::<Vec<_>>())
}

fn complete(game: &str, n: u64) -> String {
    graph(game, n, &(0..n).flat_map(|v| (v + 1..n).map(move |w| (v, w))).collect::<Vec<_>>())
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
}

/// The sides of `4x5`.
fn sides(text: &str) -> (u64, u64) {
    let (rows, columns) = text.split_once('x').unwrap();
    (rows.parse().unwrap(), columns.parse().unwrap())
}

#[test]
fn boxes_of_cram_have_their_values() {
    let facts = facts("cram.json");
    let (mut session, mut report) = (Session::new(), Report::default());
    for board in facts["computed_here"].as_array().unwrap() {
        let (rows, columns) =
            (board["rows"].as_u64().unwrap(), board["columns"].as_u64().or(board["cols"].as_u64()).unwrap());
        let game = format!("cram({rows}x{columns})");
        report.check("cram", &game, value(&mut session, &game), board["nimber"].as_u64().unwrap());
    }
    report.end();
}

/// A game for each number.
type Family = &'static dyn Fn(u64) -> String;

#[test]
fn games_on_graphs_have_their_values() {
    let facts = facts("node_kayles.json");
    let (mut session, mut report) = (Session::new(), Report::default());
    let mut check =
        |what: &str, game: String, wanted: u64| report.check(what, &game, value(&mut session, &game), wanted);
    let lists: [(&str, u64, Family); 8] = [
        ("node_kayles_path_1..17", 1, &|n| path("node_kayles", n)),
        ("node_kayles_cycle_3..18", 3, &|n| cycle("node_kayles", n)),
        ("arc_kayles_path_vertices_1..10", 1, &|n| path("arc_kayles", n)),
        ("arc_kayles_cycle_3..11", 3, &|n| cycle("arc_kayles", n)),
        ("arc_kayles_complete_1..6", 1, &|n| complete("arc_kayles", n)),
        ("node_kayles_hypercube_3..5", 3, &|n| hypercube("node_kayles", n)),
        ("poset_boolean_lattice_nonempty_subsets_with_top_1..5", 1, &|n| format!("subset_takeaway({n})")),
        ("node_kayles_petersen", 0, &|_| petersen("node_kayles")),
    ];
    for (what, first, game) in lists {
        let wanted = facts[what].as_u64().map_or_else(|| numbers(&facts[what]), |one| vec![one]);
        for (n, wanted) in (first..).zip(wanted) {
            check(what, game(n), wanted);
        }
    }
    check("arc_kayles_petersen", petersen("arc_kayles"), facts["arc_kayles_petersen"].as_u64().unwrap());
    for (shape, board) in facts["node_kayles_grid"].as_object().unwrap() {
        let (rows, columns) = sides(shape);
        check(shape, grid("node_kayles", rows, columns), board["grundy"].as_u64().unwrap());
    }
    report.end();
}

#[test]
fn subsets_have_their_values() {
    let facts = facts("subset_takeaway.json");
    let (mut session, mut report) = (Session::new(), Report::default());
    for (key, game) in [("with_top", "subset_takeaway"), ("proper_only", "subset_takeaway[\"proper\"]")] {
        for (n, wanted) in (1..).zip(numbers(&facts[key])) {
            let game = format!("{game}({n})");
            report.check(key, &game, value(&mut session, &game), wanted);
        }
    }
    report.end();
}

/// The edges of a tree whose vertex 0 is the ground, from nested lists.
fn tree(children: &Value, at: u64, next: &mut u64, edges: &mut Vec<(u64, u64)>) {
    for child in children.as_array().unwrap() {
        *next += 1;
        let vertex = *next;
        edges.push((at, vertex));
        tree(child, vertex, next, edges);
    }
}

#[test]
fn pictures_have_their_values() {
    let facts = facts("green_hackenbush.json");
    let (mut session, mut report) = (Session::new(), Report::default());
    let trees = facts["trees"]["cases"].as_array().unwrap();
    assert_eq!(trees.len(), 200);
    for case in trees {
        let (mut edges, mut last) = (Vec::new(), 0);
        tree(&case[0], 0, &mut last, &mut edges);
        let game = graph("green_hackenbush", last + 1, &edges);
        report.check("trees", &game, value(&mut session, &game), case[1].as_u64().unwrap());
    }
    for (name, case) in facts["graphs"].as_object().unwrap() {
        let list = case["edges"].as_array().unwrap().iter().map(numbers);
        let edges: Vec<(u64, u64)> = list.map(|e| (e[0].min(e[1]), e[0].max(e[1]))).collect();
        let last = edges.iter().map(|e| e.1).max().unwrap();
        let game = graph("green_hackenbush", last + 1, &edges);
        report.check(name, &game, value(&mut session, &game), case["grundy"].as_u64().unwrap());
    }
    report.end();
}

#[test]
fn misere_outcomes_of_boards() {
    let facts = facts("misere_nonheap.json");
    let (mut session, mut report) = (Session::new(), Report::default());
    for (name, case) in facts["nodekayles"].as_object().unwrap() {
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (kind, size) = name.split_at(digits);
        let game = match kind {
            "path" => path("node_kayles", size.parse().unwrap()),
            "cycle" => cycle("node_kayles", size.parse().unwrap()),
            "grid" => grid("node_kayles", sides(size).0, sides(size).1),
            "petersen" => petersen("node_kayles"),
            other => panic!("{other}"),
        };
        report.check(name, "misère", misere(&mut session, &game), case["misere"].as_str().unwrap());
        let normal = if value(&mut session, &game) == 0 { "P" } else { "N" };
        report.check(name, "normal", normal, case["normal"].as_str().unwrap());
    }
    report.end();
}

#[test]
fn what_users_asked_for() {
    let (mut session, mut report) = (Session::new(), Report::default());
    let mut values = |what: &str, games: Vec<String>, wanted: &[u64]| {
        assert_eq!(games.len(), wanted.len());
        for (game, wanted) in games.iter().zip(wanted) {
            report.check(what, game, value(&mut session, game), *wanted);
        }
    };
    let circles = (3..=20).map(|n| cycle("node_kayles", n)).collect();
    values("N10", circles, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    values("N11", (0..=4).map(|d| hypercube("node_kayles", d)).collect(), &[1, 1, 0, 0, 0]);
    values("N11", vec![petersen("node_kayles")], &[1]);
    values("N11", (1..=8).map(|n| grid("node_kayles", 2, n)).collect(), &[1, 0, 1, 0, 1, 0, 1, 0]);
    values("N11", (1..=6).map(|n| grid("node_kayles", 3, n)).collect(), &[2, 1, 1, 0, 3, 3]);
    let deletion = "vertex_edge_deletion";
    let graphs =
        vec![cycle(deletion, 3), cycle(deletion, 4), cycle(deletion, 5), path(deletion, 4), complete(deletion, 4)];
    values("N12", graphs, &[0, 0, 0, 2, 1]);
    let boxes = ["1x5", "2x2", "2x3", "2x4", "2x5", "3x3", "3x4", "3x5", "4x4"].map(|b| format!("cram({b})"));
    values("N18", boxes.to_vec(), &[0, 0, 1, 0, 1, 0, 1, 1, 0]);
    let boxes = [("2x2", "N"), ("2x3", "P"), ("2x4", "N"), ("2x5", "P"), ("3x3", "N"), ("3x4", "P"), ("4x4", "P")];
    for (shape, outcome) in boxes {
        report.check("N17", shape, misere(&mut session, &format!("cram({shape})")), outcome);
    }

    // a tree of value 5 and stalks of 2, 3 and 2: e(ee(e;e);e(eee;ee);e(ee;e))
    let tree = "green_hackenbush[{g: a, a: b e i, b: c, c: d1 d2, d1:, d2:, e: f1 h1, f1: f2, f2: f3, f3:, h1: h2, h2:, \
                i: j1 k, j1: j2, j2:, k:}]";
    let stalk = |n: u64| path("green_hackenbush", n + 1);
    let game = format!("{tree} + {} + {} + {}", stalk(2), stalk(3), stalk(2));
    let answer = solve(&mut session, &game, Convention::Normal, MovesWanted::List);
    report.check("N20", "total", answer.value, Some(6));
    let names: Vec<&str> = answer.moves.iter().map(|m| m.name.as_str()).collect();
    report.check("N20", "cuts", (answer.moves_complete, names), (true, vec!["cut e-h1", "cut f1-f2", "cut i-j1"]));
    report.end();
}
