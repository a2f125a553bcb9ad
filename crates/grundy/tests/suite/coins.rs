//! Coin-turning games and their products against the fact files.

use grundy::{
    Session,
    budget::{Budget, Meter},
    query::{MovesWanted, SolveQuery, TableQuery},
};
use grundy_core::{
    notation::{read_ruleset, read_sum},
    rulesets::AnyRuleset,
    theory::{Convention, Outcome, Sum},
};
use serde_json::Value;

use crate::{Report, data};

/// The facts that these tests look at.
pub const TESTED: &[&str] = &["coins/*", "tartan/*", "cgsuite_facts/31..48", "cgsuite_facts/66", "N04", "N13"];

fn table(ruleset: &str, shape: &[u64]) -> Vec<Vec<u64>> {
    let query = TableQuery {
        ruleset: read_ruleset(ruleset).unwrap(),
        shape: shape.to_vec(),
        convention: Convention::Normal,
        p_positions: false,
    };
    let answer = Session::new().table(&query, &Budget::default()).unwrap();
    assert_eq!((answer.stop, answer.first), (None, 1), "{ruleset}");
    answer.rows.into_iter().map(|row| row.into_iter().flatten().collect()).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
}

fn facts(file: &str) -> serde_json::Map<String, Value> {
    let text = std::fs::read_to_string(data::dir().join("facts").join(file)).unwrap();
    let Value::Object(map) = serde_json::from_str(&text).unwrap() else { panic!("{file}") };
    map
}

fn name(title: &str) -> String {
    title.to_lowercase().replace(' ', "_")
}

#[test]
fn coins_have_their_values() {
    let mut report = Report::default();
    for (title, fact) in facts("coins.json") {
        let wanted = numbers(&fact["grundy"]);
        let code = format!("coins[\"{}\"]", fact["code"].as_str().unwrap());
        for ruleset in [code, name(&title)] {
            report.check(&title, &ruleset, table(&ruleset, &[wanted.len() as u64]).concat(), wanted.clone());
        }
    }
    report.end();
}

#[test]
fn products_have_their_values() {
    let mut report = Report::default();
    for (title, fact) in facts("tartan.json") {
        let factors: Vec<String> = title.split(" x ").map(name).collect();
        let wanted: Vec<Vec<u64>> = fact["table"].as_array().unwrap().iter().map(numbers).collect();
        let ruleset = format!("tartan[{}]", factors.join(" * "));
        report.check(&title, "table", table(&ruleset, &[16, 16]), wanted);
    }
    report.end();
}

#[test]
fn what_another_system_says_of_coins() {
    let text = std::fs::read_to_string(data::dir().join("facts/cgsuite_facts.jsonl")).unwrap();
    let mut report = Report::default();
    for (i, line) in (1..).zip(text.lines()).filter(|(i, _)| (31..=48).contains(i) || *i == 66) {
        let fact: Value = serde_json::from_str(line).unwrap();
        let (input, expected) = (fact["input"].as_str().unwrap(), fact["expected"].as_str().unwrap());
        let quoted: Vec<&str> = input.split('"').collect();
        let ruleset = format!("coins[\"{}\"]", quoted[1]);
        let id = format!("cgsuite_facts/{i}");
        if input.contains("Options.Size") {
            let sum = read_sum(&format!("{ruleset}(@{{20}})")).unwrap();
            let mut count = 0;
            let _ = sum.components()[0].options(&mut |_: &[grundy_core::rulesets::AnyComponent]| {
                count += 1;
                std::ops::ControlFlow::Continue(())
            });
            report.check(&id, input, count.to_string(), expected.to_owned());
        } else if input.contains("Turning") {
            let sum = read_sum(&format!("{ruleset}(\"{}\")", quoted[3])).unwrap();
            let value = Session::new().valued(&sum.components()[0], &mut Meter::unlimited()).unwrap().value;
            report.check(&id, input, value.to_string(), expected.to_owned());
        } else {
            let wanted = numbers(&serde_json::from_str(expected).unwrap());
            report.check(&id, input, table(&ruleset, &[wanted.len() as u64]).concat(), wanted);
        }
    }
    report.end();
}

#[test]
fn users_ask_for_rulerette_and_for_the_flipping_game() {
    assert_eq!(table("rulerette", &[16]).concat(), [0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 8]);
    for (n, wins) in [(1u64, 1u128), (2, 0), (5, 8), (100, 31395)] {
        let (squares, triangles): (Vec<String>, Vec<String>) = (
            (1..).map(|k| k * k).take_while(|k| *k <= n).map(|k| k.to_string()).collect(),
            (1..).map(|k| k * (k + 1) / 2).take_while(|k| *k <= n).map(|k| k.to_string()).collect(),
        );
        let rule = format!("tartan[\"{{{}}}C\" * \"{{{}}}C\"]", squares.join(","), triangles.join(","));
        let AnyRuleset::Tartan(game) = read_ruleset(&rule).unwrap() else { panic!("{rule}") };
        let mut session = Session::new();
        assert_eq!(session.full_board(&game, &[n, n], &mut Meter::unlimited()).unwrap().1, wins);
        if n < 10 {
            let board = read_sum(&format!("{rule}({n}x{n})")).unwrap();
            let query = SolveQuery { moves: MovesWanted::Count, ..SolveQuery::new(board, Convention::Normal) };
            let answer = session.solve(&query, &Budget::default()).unwrap();
            assert_eq!(answer.moves_total, Some(wins), "{n}");
        }
    }
}

/// Grundy value and misère outcome of whole positions by the definition.
#[test]
fn whole_boards_by_brute_force() {
    use grundy_core::ruleset::definition::{GrundyByDefinition, OutcomeByDefinition};
    let boards: [(&str, u64, u64); 5] = [
        ("turning_corners", 3, 4),
        ("rugs", 3, 4),
        ("tartan[mock_turtles * ruler]", 3, 4),
        ("tartan[sym * turnips]", 3, 4),
        ("tartan[twins * rulerette]", 2, 6),
    ];
    for (text, rows, columns) in boards {
        let AnyRuleset::Tartan(game) = read_ruleset(text).unwrap() else { panic!("{text}") };
        let mut by_definition = GrundyByDefinition::new(&*game);
        let mut misere = OutcomeByDefinition::new(&*game, Convention::Misere);
        let mut session = Session::new();
        let cells: Vec<[u64; 2]> = (1..=rows).flat_map(|r| (1..=columns).map(move |c| [r, c])).collect();
        for mask in 0..1u32 << cells.len() {
            let heads = cells.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).flat_map(|(_, c)| *c);
            let position: Vec<u64> = heads.collect();
            let component = grundy_core::rulesets::AnyComponent::Tartan(game.clone(), position.clone());
            let sum = Sum::new(vec![component]);
            let query = SolveQuery { limit: 8, ..SolveQuery::new(sum.clone(), Convention::Normal) };
            let answer = session.solve(&query, &Budget::default()).unwrap();
            assert_eq!(answer.value, Some(by_definition.value(&position)), "{text} {position:?}");
            for m in &answer.moves {
                let grundy_core::rulesets::AnyComponent::Tartan(_, to) = &m.to[0] else { panic!("{m:?}") };
                assert_eq!(by_definition.value(to), 0, "{text} {position:?} -> {to:?}");
            }
            if mask % 64 == 5 {
                let query = SolveQuery { moves: MovesWanted::Count, ..SolveQuery::new(sum, Convention::Misere) };
                let answer = session.solve(&query, &Budget::default()).unwrap();
                let outcome = misere.outcome(std::slice::from_ref(&position));
                assert_eq!(answer.outcome, Some(outcome), "{text} {position:?}");
                assert_eq!(answer.value, None);
                // without a move, the player to move has won
                let ended = grundy_core::ruleset::options_of(&*game, &position).is_empty();
                assert_eq!(answer.moves_total.is_some_and(|m| m > 0), outcome == Outcome::N && !ended);
            }
        }
    }
}
