//! `grundy graph` on the real binary.

mod binary;

/// What the command prints for an input, and its exit code.
fn run(input: &str, arguments: &[&str]) -> (String, String, Option<i32>) {
    let child = binary::command(&[&["graph"], arguments].concat()).spawn().unwrap();
    let (code, out, error) = binary::fed(child, input);
    (out, error, code)
}

const LOOP: &str = "A B\nA C\nB A\nB C\nC D\n";

#[test]
fn values_of_a_loop() {
    let (out, _, code) = run(LOOP, &["-", "--from", "edges", "--objective", "loopy", "--verify"]);
    assert_eq!((out.as_str(), code), ("A inf(1)\nB inf(1)\nC 1\nD 0\n", Some(0)));
    let (_, error, code) = run(LOOP, &["-", "--from", "edges", "--objective", "grundy"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("cycle") && error.contains("--objective loopy"), "{error}");
}

#[test]
fn tokens_are_added_and_every_winning_move_is_named() {
    let (out, _, code) = run(LOOP, &["-", "--from", "edges", "--objective", "loopy", "--tokens", "A,C"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        out,
        "The first player wins. The tokens together are worth inf(0).\nWinning moves (1):\n  token 1: A -> C\n"
    );
    let (_, error, code) = run(LOOP, &["-", "--from", "edges", "--objective", "loopy", "--tokens", "A,X"]);
    assert!(code == Some(2) && error.contains("there is no vertex \"X\""), "{error}");
    let misere = ["-", "--from", "edges", "--objective", "loopy", "--tokens", "A,C", "--misere"];
    assert_eq!(run(LOOP, &misere).2, Some(2));
}

#[test]
fn outcomes_in_both_conventions() {
    let (out, _, _) = run(LOOP, &["-", "--from", "edges", "--objective", "outcome"]);
    assert_eq!(out, "A Draw\nB Draw\nC N 1\nD P 0\n");
    let (out, _, _) = run(LOOP, &["-", "--from", "edges", "--objective", "outcome", "--misere"]);
    assert_eq!(out, "A N 2\nB N 2\nC P 1\nD N 0\n");
}

#[test]
fn parity_games_with_strategies() {
    let game = "parity 1; 0 2 0 0,1; 1 1 1 0;";
    let (out, _, code) = run(game, &["-", "--from", "pg", "--objective", "parity", "--strategy", "--verify"]);
    assert_eq!(code, Some(0));
    assert!(out == "0 0 -> 0\n1 0\n" || out == "0 0 -> 1\n1 0\n", "{out}");
    let (out, _, _) = run(game, &["-", "--from", "pg", "--objective", "buchi", "--target", "0", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((json["vertices"][1]["winner"].as_u64(), json["vertices"][1]["name"].as_str()), (Some(0), Some("1")));
    let (_, error, code) = run("a b\n", &["-", "--from", "edges", "--objective", "parity"]);
    assert!(code == Some(2) && error.contains("who moves"), "{error}");
}

#[test]
fn a_malformed_file_has_a_place() {
    let (_, error, code) = run("parity 1;\n0 2 0 x;", &["-", "--from", "pg", "--objective", "parity"]);
    assert!(code == Some(2) && error.contains("line 2, column 7"), "{error}");
    assert_eq!(run("", &["/no/such/file.pg", "--objective", "parity"]).2, Some(4));
}

#[test]
#[cfg(not(feature = "cluster"))]
fn several_processes_are_a_feature() {
    let (_, error, code) = run("", &["game.pg", "--objective", "reach", "--workers", "hosts"]);
    assert!(code == Some(2) && error.contains("--features cluster"), "{error}");
}
