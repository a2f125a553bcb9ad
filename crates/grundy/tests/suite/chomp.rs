//! Chomp against the fact files.

use grundy::{
    Session,
    answer::{SolveAnswer, Status},
    budget::{Budget, Meter},
    chomp::ThreeRows,
    query::{MovesWanted, SolveQuery, TableQuery},
};
use grundy_core::{
    notation::{read_ruleset, read_sum},
    theory::{Convention, Outcome},
};
use serde_json::Value;

use crate::{Report, data};

/// The facts that these tests look at.
pub const TESTED: &[&str] = &["chomp/*", "misere_nonheap/chomp", "N21"];

fn facts(file: &str) -> Value {
    let text = std::fs::read_to_string(data::dir().join("facts").join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn solve(session: &mut Session, game: &str, convention: Convention) -> SolveAnswer {
    let query = SolveQuery::new(read_sum(game).unwrap(), convention);
    let answer = session.solve(&query, &Budget::default()).unwrap();
    assert_eq!(answer.stop, None, "{game}");
    assert!(answer.moves_complete || answer.outcome == Some(Outcome::P), "{game}");
    answer
}

/// The names of the winning moves, `(3,8)`.
fn bites(answer: &SolveAnswer) -> Vec<String> {
    answer.moves.iter().map(|m| m.name.clone()).collect()
}

fn wanted(bites: &Value) -> Vec<String> {
    let pair = |b: &Value| format!("({},{})", b[0], b[1]);
    bites.as_array().unwrap().iter().map(pair).collect()
}

/// Every rectangle to 12x12, by the table of the largest.
#[test]
fn values_and_winning_bites_of_all_rectangles() {
    let mut report = Report::default();
    let mut session = Session::new();
    solve(&mut session, "chomp(12x12)", Convention::Normal);
    for board in facts("chomp.json")["boards"].as_array().unwrap() {
        let game = format!("chomp({}x{})", board["rows"], board["cols"]);
        let answer = solve(&mut session, &game, Convention::Normal);
        report.check(&game, "value", answer.value, board["grundy"].as_u64());
        report.check(&game, "winning", bites(&answer), wanted(&board["winning"]));
    }
    report.end();
}

/// Every board by itself, without values.
#[test]
fn winning_bites_by_outcomes_alone() {
    let mut report = Report::default();
    for board in facts("chomp.json")["boards"].as_array().unwrap() {
        let (rows, columns) = (board["rows"].as_u64().unwrap(), board["cols"].as_u64().unwrap());
        if rows > 9 {
            continue;
        }
        let game = format!("{rows}x{columns}");
        let mut boards = grundy::chomp::Boards::default();
        let rows = vec![columns; rows as usize];
        let found = boards.outcome(&rows, Convention::Normal, &mut Meter::unlimited()).unwrap();
        let names: Vec<String> = found.winning.iter().map(|(r, c)| format!("({r},{c})")).collect();
        report.check(&game, "winning", names, wanted(&board["winning"]));
    }
    report.end();
}

#[test]
fn lost_positions_of_three_rows() {
    let query = TableQuery {
        ruleset: read_ruleset("chomp").unwrap(),
        shape: vec![3, 50],
        convention: Convention::Normal,
        p_positions: true,
    };
    let answer = Session::new().table(&query, &Budget::default()).unwrap();
    let fact = &facts("chomp.json")["three_row_P_positions_a_le_50"];
    let mut wanted: Vec<Vec<u64>> = serde_json::from_value(fact.clone()).unwrap();
    wanted.sort_unstable();
    assert_eq!((answer.stop, answer.header.status), (None, Status::Computed));
    assert_eq!(answer.p_positions, wanted);
}

/// Number of lost positions with a second row of at most `b`, and the sum of their first and second rows.
fn counted(b: u64) -> (u64, u64) {
    let mut meter = Meter::unlimited();
    // a first row is at most as long as three second ones
    let mut rows = ThreeRows::new([3 * b + 1, b, b], Convention::Normal, &mut meter).unwrap();
    let (mut count, mut sum) = (0, 0);
    let mut lost = Vec::new();
    while !rows.is_done() {
        lost.clear();
        rows.advance(&mut lost, &mut meter).unwrap();
        count += lost.len() as u64;
        sum += lost.iter().map(|p| u64::from(p[0])).sum::<u64>();
    }
    (count, sum)
}

#[test]
fn three_rows_to_2000() {
    assert_eq!(counted(2000).0, facts("chomp.json")["three_row_count_b_le_2000"].as_u64().unwrap());
}

#[test]
#[ignore = "some seconds"]
fn three_rows_to_10000() {
    let facts = facts("chomp.json");
    let fact = |key: &str| facts[key].as_u64().unwrap();
    assert_eq!(counted(10_000), (fact("three_row_count_b_le_10000"), fact("three_row_sum_a_b_le_10000")));
}

/// Who eats the poison loses: normal play here.
#[test]
fn the_usual_game_is_normal_play() {
    let mut report = Report::default();
    let mut session = Session::new();
    let fact = &facts("misere_nonheap.json")["chomp"];
    for (board, wins) in fact["boards"].as_object().unwrap() {
        let answer = solve(&mut session, &format!("chomp({board})"), Convention::Normal);
        report.check(board, "outcome", answer.outcome.map(Outcome::word), wins["outcome"].as_str());
        report.check(board, "winning", bites(&answer), wanted(&wins["winning_first_moves"]));
    }
    report.end();
    // misère play is another game
    let answer = solve(&mut session, "chomp(1x1)", Convention::Misere);
    assert_eq!(answer.outcome, Some(Outcome::N));
    let answer = solve(&mut session, "chomp(2x2)", Convention::Misere);
    assert_eq!(bites(&answer), ["(0,1)", "(1,0)"]);
    assert!(answer.header.method.contains("normal play"), "{}", answer.header.method);
}

#[test]
fn first_moves_and_values_of_a_paper() {
    let text = std::fs::read_to_string(data::dir().join("facts/user_needs.jsonl")).unwrap();
    let need = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()).find(|n| n["id"] == "N21").unwrap();
    let mut session = Session::new();
    for (columns, first) in need["expected"]["first"].as_object().unwrap() {
        // rows that are left
        let answer = solve(&mut session, &format!("chomp(3x{columns})"), Convention::Normal);
        let lefts: Vec<Vec<u64>> = answer
            .moves
            .iter()
            .map(|m| {
                let mut left = m.to[0].numbers().to_vec();
                left.resize(3, 0);
                left
            })
            .collect();
        assert_eq!(lefts, serde_json::from_value::<Vec<Vec<u64>>>(first.clone()).unwrap(), "3x{columns}");
    }
    for (board, value) in need["expected"]["grundy"].as_object().unwrap() {
        let query = SolveQuery {
            moves: MovesWanted::None,
            ..SolveQuery::new(read_sum(&format!("chomp({board})")).unwrap(), Convention::Normal)
        };
        let answer = session.solve(&query, &Budget::default()).unwrap();
        assert_eq!(answer.value, value.as_u64(), "{board}");
    }
}
