//! Chomp through `solve`, `table`, `play` and `games` of the real binary.

mod binary;

use std::time::{Duration, Instant};

use serde_json::Value;

/// Exit code, stdout and stderr.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    binary::fed(binary::command(arguments).spawn().unwrap(), input)
}

fn json(arguments: &[&str]) -> Value {
    let (_, out, _) = run(&[arguments, &["--format", "json"]].concat(), "");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

fn names(answer: &Value) -> Vec<&str> {
    answer["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect()
}

#[test]
fn all_winning_bites_with_the_value() {
    let answer = json(&["solve", "chomp(8x10)"]);
    assert_eq!(
        (&answer["outcome"], &answer["value"], &answer["status"]),
        (&"N".into(), &51.into(), &"computed".into())
    );
    assert_eq!(names(&answer), ["(3,8)", "(4,5)"]);
    assert_eq!((&answer["moves_total"], &answer["moves_complete"]), (&2.into(), &true.into()));
    assert_eq!(answer["moves"][0]["to"], "chomp(10, 10, 10, 8, 8, 8, 8, 8)");
    // the bites of a sum go to the value of the rest
    let answer = json(&["solve", "chomp(3x4) + nim(4)"]);
    assert_eq!(answer["value"], 13);
    for m in answer["moves"].as_array().unwrap() {
        let left = json(&["solve", m["to"].as_str().unwrap()]);
        assert_eq!(left["value"], 4, "{m}");
    }
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1, "{answer}");
}

#[test]
fn explanations_say_what_is_proved() {
    let (code, out, _) = run(&["solve", "chomp(3x4)", "--explain"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("chomp(3x4) -> chomp(4, 2, 2)   (1,2)"), "{out}");
    for text in ["Strategy stealing", "does not say which", "the poison (0,0) may not be bitten", "Status: computed"] {
        assert!(out.contains(text), "{text}: {out}");
    }
    let (_, out, _) = run(&["solve", "chomp(5x5)", "--explain"], "");
    assert!(out.contains("the bite (1,1) leaves an L with equal arms"), "{out}");
    let (_, out, _) = run(&["solve", "chomp(7, 6)", "--explain"], "");
    assert!(out.contains("Status: proved") && out.contains("one square shorter"), "{out}");
    let (code, out, _) = run(&["solve", "chomp(2x2)", "--misere", "--explain"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("(0,1)") && out.contains("(1,0)") && out.contains("is normal play"), "{out}");
}

/// A theorem answers boards of any size; where there is none, the stop comes at once.
#[test]
fn huge_boards() {
    let started = Instant::now();
    for (game, bite) in [
        ("chomp(2^40)", "(0,1)"),
        ("chomp(2x1000000000000)", "(1,999999999999)"),
        ("chomp(1000000x1000000)", "(1,1)"),
        ("chomp(1000000, 1, 1)", "(0,3)"),
    ] {
        let answer = json(&["solve", game]);
        assert_eq!((&answer["outcome"], &answer["status"]), (&"N".into(), &"proved".into()), "{game}: {answer}");
        assert_eq!((names(&answer), &answer["moves_total"]), (vec![bite], &1.into()), "{game}");
    }
    // values are out of reach, lost positions are not
    let answer = json(&["solve", "chomp(70000, 5, 2)"]);
    assert_eq!(
        (&answer["outcome"], &answer["value"], &answer["status"]),
        (&"N".into(), &Value::Null, &"computed".into())
    );
    assert_eq!((names(&answer), &answer["moves_total"]), (vec!["(0,7)"], &1.into()));
    for game in ["chomp(1000000x999999)", "chomp(7x1000000)", "chomp(40x41)"] {
        let (code, out, _) = run(&["solve", game], "");
        assert_eq!(code, Some(3), "{game}: {out}");
        // strategy stealing says who wins, and no more
        assert!(out.contains("The first player wins.") && out.contains("limit"), "{game}: {out}");
        assert!(!out.contains("Grundy value"), "{game}: {out}");
    }
    let (code, out, _) = run(&["solve", "chomp(1000000x999999) + nim(3)"], "");
    assert_eq!((code, out.contains("Undecided")), (Some(3), true), "{out}");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn tables_of_values_and_of_lost_positions() {
    let answer = json(&["table", "chomp", "3x5"]);
    assert_eq!(answer["values"], serde_json::json!([[0, 1, 2, 3, 4], [1, 2, 4, 5, 7], [2, 4, 5, 9, 11]]));
    let (code, out, _) = run(&["table", "chomp", "3", "--to", "4", "--p-positions"], "");
    assert_eq!(code, Some(0));
    assert_eq!(out, "(1, 0, 0)\n(2, 1, 0)\n(2, 2, 1)\n(3, 1, 1)\n(3, 2, 0)\n(4, 2, 2)\n(4, 3, 0)\n");
    let answer = json(&["table", "chomp", "3", "--to", "4", "--p-positions"]);
    assert_eq!(answer["p_positions"].as_array().unwrap().len(), 7);
    let (_, out, _) = run(&["table", "chomp", "2", "--to", "3", "--p-positions"], "");
    assert_eq!(out, "(1, 0)\n(2, 1)\n(3, 2)\n");
    let (_, out, _) = run(&["table", "chomp", "1", "--to", "1", "--p-positions", "--misere"], "");
    assert_eq!(out, "none\n");
    // so many that they are written as they are found
    let (code, out, _) = run(&["table", "chomp", "3", "--to", "300", "--p-positions"], "");
    assert_eq!((code, out.lines().count(), out.lines().last()), (Some(0), 15_799, Some("(300, 300, 211)")));
    let (code, _, err) = run(&["table", "chomp", "3", "--to", "2000000", "--p-positions", "--time", "100ms"], "");
    assert_eq!(code, Some(3));
    assert!(err.contains("complete to a first row of"), "{err}");
    for wrong in [&["table", "chomp", "8"][..], &["table", "chomp", "3x4", "--to", "5"]] {
        assert_eq!(run(wrong, "").0, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_game_is_played_on_a_drawn_board() {
    let (code, out, _) = run(&["play", "chomp(3x4)"], "(0,0)\nbite (5, 5)\nhint\n(1,2)\nresign\n");
    assert_eq!(code, Some(0));
    for text in [
        "0  P # # #\n    1  # # # #\n    2  # # # #",
        "(0,0) is the poison, which may not be bitten",
        "There is no square (5,5) left. Rows are 0 to 2, columns 0 to 3.",
        "Hint: you can win.",
        "You: chomp(3x4) -> chomp(4, 2, 2) ((1,2))",
        "lost anyway",
    ] {
        assert!(out.contains(text), "{text}: {out}");
    }
}

#[test]
fn help_names_the_conventions() {
    let (code, out, _) = run(&["games", "chomp"], "");
    assert_eq!(code, Some(0));
    for text in ["poison", "normal play", "strategy stealing", "grundy solve 'chomp(3x4)'", "Gal74"] {
        assert!(out.contains(text), "{text}: {out}");
    }
}
