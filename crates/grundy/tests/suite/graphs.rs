//! Games on graphs against the fact files.

use std::{collections::BTreeMap, fs};

use grundy::{budget::Meter, parity};
use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{Objective, ParityGame, check},
    zielonka,
};
use serde_json::Value;

use crate::{Report, data};

/// The facts that these tests look at.
pub const TESTED: &[&str] = &[
    // by tests/retrograde.rs
    "graph_games/loopy-*",
    "graph_games/dag-*",
    "graph_games/game-*",
    "graph_games/buchi-*",
    "graph_games/cobuchi-*",
    "graph_games/parity-*",
    "graph_games/reach-*",
    "parity/*",
    "green_game/*",
];

fn game(owner: Vec<u8>, edges: &[(u32, u32)], priority: Vec<u32>, objective: Objective) -> ParityGame {
    let graph = Digraph::from_edges(owner.len(), edges).unwrap();
    ParityGame::new(graph, owner, priority, objective).unwrap()
}

/// Checked winners; the twin's are the same.
fn winners(id: &str, game: &ParityGame, report: &mut Report) -> Vec<u8> {
    let solution = parity::solve(game, &mut Meter::unlimited()).unwrap();
    report.check(id, "certificate", check(game, &solution), Ok(()));
    report.check(id, "the twin's winners", zielonka::solve(game).winner, solution.winner.clone());
    solution.winner
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
}

fn bytes(value: &Value) -> Vec<u8> {
    numbers(value).into_iter().map(|v| v as u8).collect()
}

/// The facts of `graph_games.json` with winners, by name.
fn facts() -> BTreeMap<String, Value> {
    let text = fs::read_to_string(data::dir().join("facts/graph_games.json")).unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    let named = all.into_iter().filter(|f| f.get("winner").is_some());
    named.map(|f| (f["name"].as_str().unwrap().to_owned(), f)).collect()
}

#[test]
fn graph_games_have_their_winners() {
    let mut report = Report::default();
    let facts = facts();
    assert_eq!(facts.len(), 12);
    for (name, fact) in facts {
        let edges: Vec<(u32, u32)> =
            fact["edges"].as_array().unwrap().iter().map(numbers).map(|e| (e[0], e[1])).collect();
        let owner = bytes(&fact["owner"]);
        let n = owner.len() as u32;
        let greens = |key: &str| {
            let listed = numbers(&fact[key]);
            (0..n).map(|v| u32::from(!listed.contains(&v))).collect::<Vec<u32>>()
        };
        let wanted = bytes(&fact["winner"]);
        let (objective, priority) = match fact["kind"].as_str().unwrap() {
            "game" | "buchi" => (Objective::Buchi, greens("green")),
            // the vertices listed are those that are not green
            "cobuchi" => (Objective::CoBuchi, greens("bad").into_iter().map(|p| 1 - p).collect()),
            "reachability" => {
                assert_eq!(fact["player"], 0);
                (Objective::Reachability, greens("target"))
            }
            kind => {
                assert_eq!(kind, "parity");
                (Objective::Parity, numbers(&fact["priority"]))
            }
        };
        let played = game(owner.clone(), &edges, priority, objective);
        let found = winners(&name, &played, &mut report);
        report.check(&name, "winners", found, wanted.clone());
        if let Some(priority) = fact.get("priority") {
            // the same as a parity game
            let played = game(owner, &edges, numbers(priority), Objective::Parity);
            let found = winners(&name, &played, &mut report);
            report.check(&name, "winners of the parity game", found, wanted);
        }
    }
    report.end();
}

/// Reads `id priority owner successors;` a line, after a line with the header.
fn read_pg(text: &str) -> ParityGame {
    let rows: BTreeMap<u32, Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.trim_end_matches(';').split(' ').collect::<Vec<_>>())
        .map(|row| (row[0].parse().unwrap(), row))
        .collect();
    let edges: Vec<(u32, u32)> =
        rows.iter().flat_map(|(v, row)| row[3].split(',').map(|w| (*v, w.parse().unwrap()))).collect();
    let column = |i: usize| rows.values().map(move |row| row[i].parse::<u32>().unwrap());
    game(column(2).map(|o| o as u8).collect(), &edges, column(1).collect(), Objective::Parity)
}

#[test]
fn files_of_parity_games() {
    let mut report = Report::default();
    let facts = facts();
    let mut with_winners = 0;
    for file in fs::read_dir(data::dir().join("facts/parity")).unwrap().flatten() {
        let id = file.file_name().to_string_lossy().into_owned();
        let found = winners(&id, &read_pg(&fs::read_to_string(file.path()).unwrap()), &mut report);
        if let Some(fact) = facts.get(id.trim_end_matches(".pg")) {
            report.check(&id, "winners", found, bytes(&fact["winner"]));
            with_winners += 1;
        }
    }
    assert_eq!(with_winners, 2);
    report.end();
}

/// The play ends when a field is visited for the second time, and player 0 wins if a green one was visited since the first.
/// Whoever wins that wins the Büchi game.
#[test]
fn the_green_game() {
    let mut report = Report::default();
    let folder = data::dir().join("facts/green_game");
    let mut files = 0;
    for path in fs::read_dir(folder).unwrap().flatten().map(|f| f.path()).filter(|p| p.extension().unwrap() == "in") {
        let id = path.file_stem().unwrap().to_string_lossy().into_owned();
        let read = |path| -> Vec<Vec<u32>> {
            let text = fs::read_to_string(path).unwrap();
            text.lines().map(|l| l.split_whitespace().map(|n| n.parse().unwrap()).collect()).collect()
        };
        let rows = read(path.clone());
        let wanted: Vec<u32> = read(path.with_extension("out")).concat();
        let owner = [vec![0; rows[0][0] as usize], vec![1; rows[0][1] as usize]].concat();
        let edges: Vec<(u32, u32)> =
            (0..).zip(&rows[1..]).flat_map(|(v, row)| row[2..].iter().map(move |w| (v, w - 1))).collect();
        let priority = rows[1..].iter().map(|row| 1 - row[0]).collect();
        let game = game(owner, &edges, priority, Objective::Buchi);
        let found = winners(&id, &game, &mut report);
        let won: Vec<u32> = (1..).zip(&found).filter(|(_, w)| **w == 0).map(|(v, _)| v).collect();
        report.check(&id, "fields", won, wanted[1..].to_vec());
        for v in 0..found.len() as u32 {
            let by_repetition = 1 - u8::from(green_before_repetition(&game, &[v]));
            report.check(&id, "the game until a repetition", by_repetition, found[v as usize]);
        }
        files += 1;
    }
    assert_eq!(files, 4);
    report.end();
}

/// If player 0 wins the play that went on so far, by trying everything.
fn green_before_repetition(game: &ParityGame, path: &[u32]) -> bool {
    let at = path[path.len() - 1];
    let mut wins = game.graph().successors(at).iter().map(|w| match path.iter().position(|v| v == w) {
        Some(first) => path[first..].iter().any(|v| game.priority()[*v as usize].is_multiple_of(2)),
        None => green_before_repetition(game, &[path, &[*w]].concat()),
    });
    if game.owner()[at as usize] == 0 { wins.any(|w| w) } else { wins.all(|w| w) }
}
