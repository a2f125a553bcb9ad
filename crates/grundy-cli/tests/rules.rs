//! Rules of one's own through the real binary.

mod binary;

use std::path::PathBuf;

/// Exit code, stdout and stderr.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    binary::fed(binary::command(arguments).spawn().unwrap(), input)
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const HALVES: &str = "../../examples/my_rules/rules/halves.toml";

#[test]
fn heap_rules_go_through_all_commands() {
    let (code, out, _) = run(&["solve", "--rules", HALVES, "halves(4, 7)"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("The first player wins."), "{out}");
    let words = run(&["sequence", "[take 1..3 | split into a, b where a = b]", "--to", "1000"], "");
    assert_eq!(run(&["sequence", "halves", "--rules", HALVES, "--to", "1000"], ""), words);
    let (code, out, _) = run(&["check", "halves", "0", "--rules", HALVES], "");
    assert_eq!(code, Some(1), "{out}");
    let (code, out, _) = run(&["period", "halves", "--rules", HALVES, "--to", "500"], "");
    assert_eq!(code, Some(0), "{out}");
    let (code, _, _) = run(&["discover", "halves", "--rules", HALVES], "");
    assert_eq!(code, Some(0));
    let (code, out, _) = run(&["table", "halves", "8", "--rules", HALVES], "");
    assert_eq!(
        (code, out.lines().next()),
        (Some(0), run(&["table", "halves", "8", "--rules", HALVES], "").1.lines().next())
    );
    let (code, out, _) = run(&["play", "--rules", HALVES, "halves(4)", "--seed", "1"], "take 3\nquit\n");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("halves(1)"), "{out}");
}

#[test]
fn certificates_and_checkpoints_name_the_rule() {
    let rules = file("named.toml", "name = \"my\"\nkind = \"heap\"\nrule = \"take 1..3\"\n");
    let certificate = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("my.cert");
    let certificate = certificate.to_str().unwrap();
    let (code, _, err) = run(&["period", "my", "--rules", &rules, "--prove", "--certificate", certificate], "");
    assert_eq!(code, Some(0), "{err}");
    assert!(std::fs::read_to_string(certificate).unwrap().contains("[take 1..3]"));
    assert_eq!(run(&["verify", certificate], "").0, Some(0));
}

#[test]
fn a_cycle_is_shown_and_never_searched() {
    let walk = file("walk.toml", "name = \"walk\"\nkind = \"grid\"\nsize = [6]\nsteps = [[-2], [1]]\n");
    let (code, out, _) = run(&["rules", "check", &walk], "");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("walk(2) -> walk(0)") || out.contains("walk(0) -> walk(1)"), "{out}");
    let (code, out, _) = run(&["rules", "check", &walk, "--format", "json"], "");
    assert_eq!(code, Some(1));
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["accepted"], false);
    assert_eq!(answer["violation"]["law"], "termination");
    let cycle = answer["violation"]["cycle"].as_array().unwrap();
    assert_eq!(cycle.first(), cycle.last());
    for arguments in [
        &["solve", "--rules", &walk, "walk(3)"][..],
        &["solve", "--rules", &walk, "walk(3) + nim(2)", "--misere"],
        &["solve", "--rules", &walk, "walk(3)", "--remoteness"],
        &["sequence", "walk", "--rules", &walk, "--to", "5"],
        &["table", "walk", "5", "--rules", &walk],
        &["play", "--rules", &walk, "walk(3)"],
    ] {
        let (code, _, err) = run(arguments, "");
        assert_eq!(code, Some(2), "{arguments:?}: {err}");
        assert!(err.contains("play can go on for ever: walk("), "{arguments:?}: {err}");
    }
}

#[test]
fn other_kinds_are_solved_and_played() {
    let fib = file("fib.toml", "name = \"fib\"\nkind = \"memory\"\nfirst = \"k < n\"\nnext = \"k <= 2 * last\"\n");
    let (code, out, _) = run(&["solve", "--rules", &fib, "fib(20)"], "");
    assert_eq!(code, Some(0));
    // 20 = 13 + 5 + 2
    assert!(out.contains("fib(20) -> fib(18, 2)") && out.contains("take 2"), "{out}");
    assert!(run(&["solve", "--rules", &fib, "fib(21)"], "").1.contains("The second player wins."));
    let (code, out, err) = run(&["play", "--rules", &fib, "fib(20)", "--seed", "1"], "take 2\nquit\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("fib(18, 2)"), "{out}");
    let poset = file(
        "poset.toml",
        "name = \"pos\"\nkind = \"poset\"\nelements = [\"a\", \"b\", \"c\"]\ncovers = [[\"a\", \"b\"]]\n",
    );
    let (_, out, _) = run(&["solve", "--rules", &poset, "pos"], "");
    assert!(out.starts_with("pos   (normal play"), "{out}");
    assert!(out.contains("take b"), "{out}");
    let both = run(&["solve", "--rules", &poset, "--rules", &fib, "pos(\"a\", \"b\") + fib(3)", "--misere"], "");
    assert_eq!(both.0, Some(0), "{both:?}");
    let (code, out, _) = run(&["rules", "check", &poset], "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("all 5 positions from the whole board"), "{out}");
    let (code, out, _) = run(&["rules", "check", &fib, "--from", "fib(9)"], "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("positions from fib(9)"), "{out}");
}

#[test]
fn graphs_of_positions_and_comparisons_take_rules_of_ones_own() {
    let cycle = file("ring.toml", "name = \"ring\"\nkind = \"grid\"\nsize = [3, 1]\nsteps = [[1, 0], [-1, 0]]\n");
    let (code, out, err) = run(&["graph", "--rules", &cycle, "--game", "ring(0, 0)", "--objective", "outcome"], "");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("ring(1, 0)") && out.contains("Draw"), "{out}");
    let (code, out, err) = run(&["graph", "--rules", HALVES, "--game", "halves(5)", "--objective", "grundy"], "");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("halves(5)"), "{out}");
    assert!(err.contains("acyclic"), "{err}");
    let (code, _, err) =
        run(&["graph", "--game", "nim(99, 99, 99)", "--objective", "grundy", "--positions", "1000"], "");
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("1000 so far"), "{err}");
    assert_eq!(run(&["graph", "--rules", HALVES, "x.pg"], "").0, Some(2));
    let (code, out, _) = run(&["compare", "--rules", HALVES, "halves", "[take 1..3]"], "");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("differ first at heap"), "{out}");
    assert_ne!(run(&["formula", "--rules", HALVES, "halves", "--lang", "rust"], "").0, Some(2));
}

#[test]
fn boards_of_files_are_taken_apart() {
    // a path of 40 vertices is a heap of Dawson's Kayles, in the same time as a small one
    let edges: Vec<String> = (1..40).map(|i| format!("[{i}, {}]", i + 1)).collect();
    let text = format!(
        "name = \"path\"\nkind = \"deletion\"\nvertices = 40\nedges = [{}]\ndelete = [\"vertex-with-neighbours\"]\n",
        edges.join(", ")
    );
    let path = file("path.toml", &text);
    let (code, out, err) = run(&["solve", "--rules", &path, "path + 0.07(41)", "--moves", "none"], "");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("The second player wins."), "{out}");
    let (code, out, err) = run(&["play", "--rules", &path, "path(1, 2, 3)", "--seed", "1"], "take 2\nquit\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("You win") || out.contains("you win"), "{out}");
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let wrong = file("wrong.toml", "name = \"my\"\nkind = \"heap\"\nrule = \"take 1..3 | spilt\"\n");
    let (code, _, err) = run(&["solve", "--rules", &wrong, "my(3)"], "");
    assert_eq!(code, Some(2));
    // in the message and above the lines that are shown
    assert_eq!(err.matches("wrong.toml:3:21").count(), 2, "{err}");
    assert!(err.contains("help:"), "{err}");
    assert_eq!(run(&["solve", "--rules", "missing.toml", "my(3)"], "").0, Some(4));
    let module = file("my.wat", "(module)");
    assert_eq!(run(&["solve", "--rules", &module, "my(3)"], "").0, Some(2));
    let (code, _, err) = run(&["solve", "--rules", HALVES, "--rules", HALVES, "halves(3)"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("name of two games"), "{err}");
    let (code, _, err) = run(
        &["period", "fib", "--rules", &file("fib2.toml", "name = \"fib\"\nkind = \"memory\"\nnext = \"k <= last\"\n")],
        "",
    );
    assert_eq!(code, Some(2));
    assert!(err.contains("no rule of heaps"), "{err}");
    let (code, out, _) = run(&["rules", "check", &wrong, "--format", "json"], "");
    assert_eq!(code, Some(2));
    assert!(out.contains("\"code\":\"rules\""), "{out}");
}
