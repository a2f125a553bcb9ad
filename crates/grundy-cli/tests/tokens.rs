//! Tokens on graphs through `solve`, `play` and `games` of the real binary.

mod binary;

use serde_json::Value;

const CORRIDOR: &str = "../../testdata/graphs/corridor.json";

/// Exit code, stdout and stderr.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    binary::fed(binary::command(arguments).spawn().unwrap(), input)
}

fn json(arguments: &[&str], input: &str) -> Value {
    let (_, out, _) = run(&[arguments, &["--format", "json"]].concat(), input);
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

#[test]
fn a_graph_inline() {
    let (code, out, _) = run(&["solve", "digraph[{a: b c, b: c, c:}](a) + nim(1)", "--explain"], "");
    assert_eq!(code, Some(0));
    let name = "digraph[{a: b c, b: c, c:}]";
    assert!(out.contains("The first player wins. Grundy value 3."), "{out}");
    assert!(
        out.contains(&format!("{name}(\"a\") -> {name}(\"b\")   move to b   leaves {name}(\"b\") + nim(1)")),
        "{out}"
    );
    assert!(out.contains("mex of the followers"), "{out}");
}

#[test]
fn a_file_with_cycles() {
    let sum = format!("digraph[\"{CORRIDOR}\"](hall, \"stairs\") + nim(2)");
    let answer = json(&["solve", &sum], "");
    assert_eq!(answer["game"], format!("digraph[\"{CORRIDOR}\"](\"hall\", \"stairs\") + nim(2)"));
    assert_eq!((&answer["outcome"], &answer["value"]), (&"Draw".into(), &"inf()".into()));
    assert_eq!((&answer["moves_total"], &answer["moves_complete"]), (&0.into(), &true.into()));
    assert!(answer["suggestion"]["move"].is_string());
    let (code, out, _) = run(&["solve", &sum, "--explain"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("Draw: nobody can force the end. Value inf().\nNo move wins. What keeps the draw: "), "{out}");
    assert!(out.contains("Together inf(): 0 is not among the values"), "{out}");

    let one = format!("digraph[\"{CORRIDOR}\"](hall) + nim(2)");
    let answer = json(&["solve", &one, "--explain"], "");
    assert_eq!((&answer["outcome"], &answer["value"]), (&"N".into(), &"inf(0)".into()));
    assert_eq!((&answer["moves_total"], &answer["moves"][0]["move"]), (&1.into(), &"move to attic".into()));
    let steps = answer["explanation"].as_array().unwrap();
    assert!(steps.iter().any(|s| s["step"] == "loopy values" && s["sum"] == "inf(0)"), "{steps:?}");
    assert!(
        steps.iter().any(|s| s["step"] == "winning move" && s["before"] == "inf(2)" && s["after"] == 2),
        "{steps:?}"
    );
}

#[test]
fn misere_play_and_remoteness_of_one_token() {
    let token = format!("digraph[\"{CORRIDOR}\"](hall)");
    let answer = json(&["solve", &token, "--misere", "--remoteness"], "");
    assert_eq!((&answer["outcome"], &answer["value"], &answer["remoteness"]), (&"P".into(), &Value::Null, &3.into()));
    let answer = json(&["solve", &format!("digraph[\"{CORRIDOR}\"](cellar)"), "--remoteness"], "");
    assert_eq!((&answer["outcome"], &answer["remoteness"]), (&"P".into(), &2.into()));
    for more in [&["--misere"][..], &["--remoteness"]] {
        let sum = format!("{token} + nim(1)");
        let (code, _, error) = run(&[&["solve", &sum], more].concat(), "");
        assert!(code == Some(2) && error.contains("for ever") && error.contains("one token alone"), "{error}");
    }
    // from the cellar play must end, so sums are searched in both
    let answer =
        json(&["solve", &format!("digraph[\"{CORRIDOR}\"](cellar) + 2x nim(1)"), "--misere", "--remoteness"], "");
    assert!(answer["outcome"].is_string() && answer["remoteness"].is_number(), "{answer}");
}

#[test]
fn line_after_line() {
    let token = |v: &str| format!("digraph[\"{CORRIDOR}\"]({v})");
    let input =
        format!("{}\n{}\n\n{} + nim(4)\ndigraph[\"none.json\"](a)\n", token("door"), token("dor"), token("attic"));
    let (code, out, _) = run(&["solve", "-"], &input);
    assert_eq!(code, Some(2));
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&lines[0]["value"], &lines[2]["value"]), (&1.into(), &6.into()));
    assert_eq!(lines[1]["error"]["hint"], "did you mean \"door\"?");
    assert_eq!(lines[3]["error"]["code"], "file");
}

#[test]
fn what_is_no_graph() {
    let refused = |text: &str, wanted_code, what: &str| {
        let (code, _, error) = run(&["solve", text], "");
        let plain = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(wanted_code) && plain.contains(what), "{text}: {code:?} {error}");
    };
    refused("digraph[\"none.json\"](a)", 4, "none.json");
    refused("digraph[\"../../README.md\"](a)", 2, "README.md");
    refused("digraph[\"-\"](a)", 2, "standard input");
    refused(&format!("digraph[\"{CORRIDOR}\"]"), 2, "say on which vertices");
    refused(&format!("digraph[\"{CORRIDOR}\"](hal)"), 2, "did you mean \"hall\"?");
    let twice = std::env::temp_dir().join(format!("grundy-twice-{}.json", std::process::id()));
    std::fs::write(&twice, r#"{"n": 2, "names": ["x", "x"], "edges": [[0, 1]]}"#).unwrap();
    refused(&format!("digraph[\"{}\"](x)", twice.display()), 2, "two vertices are called \"x\"");
    std::fs::remove_file(twice).unwrap();
}

#[test]
fn other_commands_say_what_they_do_not_take() {
    let graph = "digraph[{a: b, b:}]";
    for (arguments, what) in [
        (&["table", graph, "4"][..], "grundy graph"),
        (&["sequence", graph], "a heap game is wanted"),
        (&["period", graph], "a heap game is wanted"),
        (&["prove", graph, "a = b", "--tuple", "2"], "tokens on a graph"),
        (&["judge", "--game", graph, "--layout", "counted"], "tokens on a graph"),
        (&["table", "digraph[\"g.json\"]", "4"], "no file is read here"),
    ] {
        let (code, out, error) = run(arguments, "1\n1\n1\n");
        let plain = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(2) && plain.contains(what), "{arguments:?}: {code:?} {out} {error}");
    }
    let (code, out, _) = run(&["games", "digraph"], "");
    assert!(code == Some(0) && out.contains("grundy solve 'digraph[{"), "{out}");
}

#[test]
fn a_game_of_tokens() {
    let sum = format!("digraph[\"{CORRIDOR}\"](cellar) + nim(1)");
    let lines = "hint\nhint\nhint\n1: strret\n1: street\ncellar -> door\nmoves\n";
    let (code, out, _) = run(&["play", &sum], lines);
    assert_eq!(code, Some(0), "{out}");
    for said in [
        "Hint: you can win.",
        "look at heap 1",
        "There is no vertex \"strret\". One may go to door.",
        "is no legal move. For example move to door.",
        "You: digraph[\"../../testdata/graphs/corridor.json\"](\"cellar\") -> digraph[",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let drawn = "digraph[{a: b, b: a}](a)";
    let (code, out, _) = run(&["play", drawn], "hint\nhint\nmove to b\n1: b\nquit\n");
    assert_eq!(code, Some(0), "{out}");
    for said in ["nobody can force a win", "keeps the draw", "Computer: ", "You: "] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let (code, _, error) = run(&["play", "digraph[{a: b, b: a}](a) + nim(1)", "--misere"], "");
    assert!(code == Some(2) && error.contains("for ever"), "{error}");
}
