//! Boards through `solve`, `play` and `games` of the real binary.

mod binary;

use std::{fs, path::PathBuf};

use serde_json::Value;

/// Exit code, stdout and stderr.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    binary::fed(binary::command(arguments).spawn().unwrap(), input)
}

fn json(arguments: &[&str]) -> Value {
    let (_, out, _) = run(&[arguments, &["--format", "json"]].concat(), "");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

/// The names of the winning moves.
fn wins(answer: &Value) -> Vec<&str> {
    answer["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect()
}

#[test]
fn values_and_all_winning_moves() {
    let answer = json(&["solve", "cram(3x4)"]);
    assert_eq!((&answer["value"], &answer["outcome"], &answer["status"]), (&1.into(), &"N".into(), &"computed".into()));
    assert_eq!(answer["moves_complete"], true);
    assert!(wins(&answer).contains(&"(1,1)-(1,2)"));
    let answer = json(&["solve", "green_hackenbush[{ground: a, a: b c, b: c, c:}] + nim(1)"]);
    assert_eq!((&answer["value"], wins(&answer)), (&3.into(), vec!["cut b-c"]));
    assert_eq!(answer["status"], "proved");
    let answer = json(&["solve", "node_kayles[{a: b c, b: c, c:, d:}]"]);
    assert_eq!(answer["outcome"], "P");
    let answer = json(&["solve", "geography[{a: b, b: c, c: d, d:}](b)"]);
    assert_eq!((&answer["value"], wins(&answer)), (&2.into(), vec!["move to a"]));
}

#[test]
fn positions_are_printed_as_they_are_read() {
    let answer = json(&["solve", "subset_takeaway(2) + cram(1x2)"]);
    assert_eq!(answer["game"], "subset_takeaway(2) + cram(1x2)");
    let left = answer["moves"][0]["result"].as_str().unwrap();
    assert_eq!(json(&["solve", left])["outcome"], "P");
    let answer = json(&["solve", "chomp(2x2x2)"]);
    assert_eq!((&answer["outcome"], answer["moves_complete"].as_bool()), (&"N".into(), Some(true)));
    assert!(json(&["solve", answer["moves"][0]["result"].as_str().unwrap()])["outcome"] == "P");
    for text in [
        "chomp(2x2x2, {(0,1,1)})",
        "vertex_edge_deletion[{a: b, b:}](\"a\", \"a-b\")",
        "poset[{a: b, b:}]",
        "cram(\".#/..\")",
    ] {
        assert_eq!(json(&["solve", text])["game"], text);
    }
}

#[test]
fn misere_play_lines_and_remoteness() {
    let (code, out, _) = run(&["solve", "cram(2x3)", "--misere", "--explain", "--remoteness"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("The second player wins.") && out.contains("A play in which the winner hurries"), "{out}");
    assert_eq!(json(&["solve", "cram(2x3)", "--remoteness"])["remoteness"], 3);
}

#[test]
fn what_is_no_board_is_marked() {
    for (text, said) in [
        ("cram(\"..x\")", "a cell is . (free) or # (blocked), not 'x'"),
        ("cram(\"../...\")", "row 1 has 3 cells, row 0 has 2"),
        ("cram(2x3x4)", "a board has two sides"),
        ("cram(2^20x2^20)", "a board has at most 1048576 cells"),
        ("node_kayles[{a: b, b:}](c)", "there is no cell \"c\""),
        ("arc_kayles[{a: a}]", "joins no two vertices"),
        ("poset[{a: b, b: a}]", "has no cycle"),
        ("geography[{a: b, b:}]", "needs a position"),
        ("green_hackenbush[{a: b, b:}](\"a-c\")", "there is no edge \"a-c\""),
        ("chomp(2x2x2, {(0,0,0)})", "no place of this box to bite"),
        ("chomp(40x40x40)", "at most 2049 cells"),
        ("domineering(4x4)", "domineering is partizan"),
        ("hackenbush[{g: a, a:}]", "nearest to it is green_hackenbush"),
        ("subset_takeaway(30)", "at most 11 elements"),
        ("subset_takeaway[\"big\"](3)", "non-empty sets"),
    ] {
        let (code, _, error) = run(&["solve", text], "");
        let plain = error.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(code == Some(2) && plain.contains(said), "{text}: {code:?} {plain}");
    }
}

#[test]
fn far_boards_stop_with_what_a_theorem_knows() {
    let (code, out, _) = run(&["solve", "cram(8x31)", "--time", "300ms"], "");
    assert_eq!(code, Some(3));
    assert!(out.contains("The first player wins.") && out.contains("Stopped by the time limit"), "{out}");
    let (code, out, _) = run(&["solve", "cram(30x30)"], "");
    assert!(code == Some(0) && out.contains("Grundy value 0"), "{out}");
}

#[test]
fn a_game_on_a_board() {
    let (code, out, error) = run(&["play", "cram(2x2)"], "0 0 0 1\nhint\n");
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("(0,0)-(0,1)"), "{out}");
    assert!(out.contains("   0 1"), "{out}");
}

#[test]
fn solved_pieces_are_kept_in_a_file() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("boards-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let place = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let table = place("table");
    let solve = |game: &str, file: &str| json(&["solve", game, "--table", file, "--moves", "none"]);
    let first = solve("cram(3x5)", &table);
    assert!(first["stats"]["positions"].as_u64().unwrap() > 0);
    let again = solve("cram(3x5)", &table);
    assert_eq!((&again["value"], &again["stats"]["positions"]), (&first["value"], &0.into()));
    // turned, and a graph
    assert_eq!(solve("cram(5x3)", &table)["stats"]["positions"], 0);
    assert_eq!(solve("node_kayles[{a: b, b: c, c: d, d: e, e: f, f:}]", &table)["value"], 1);

    let foreign = place("foreign");
    fs::write(&foreign, "nothing of ours").unwrap();
    assert_eq!(run(&["solve", "cram(2x2)", "--table", &foreign], "").0, Some(2));
    assert_eq!(run(&["solve", "cram(2x2)", "--table", &place("no/such/place")], "").0, Some(4));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn games_are_described() {
    for name in ["cram", "node_kayles", "arc_kayles", "vertex_edge_deletion", "green_hackenbush", "geography", "poset"]
    {
        let (code, out, _) = run(&["games", name], "");
        assert!(code == Some(0) && out.contains("rules"), "{out}");
    }
}
