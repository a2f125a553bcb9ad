//! Pictures, explanations and statistics of `grundy graph` on the real binary.

mod binary;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A new directory for one test.
fn place(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("graph-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Exit code, stdout, stderr.
fn graph(dir: &Path, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let child = binary::command(&[&["graph"], args].concat()).current_dir(dir).spawn().unwrap();
    binary::fed(child, input)
}

const LOOP: &str = "A B\nA C\nB A\nB C\nC D\n";

#[test]
fn pictures_say_what_their_colours_say() {
    let dir = place("pictures");
    let args = ["-", "--from", "csv", "--objective", "outcome", "--svg", "out.svg"];
    let (code, out, _) = graph(&dir, &args, "a<b,\"q & r\"\n\"q & r\",a<b\na<b,end\n");
    assert_eq!((code, out.as_str()), (Some(0), "a<b N 1\nq & r P 2\nend P 0\n"));
    let svg = fs::read_to_string(dir.join("out.svg")).unwrap();
    for text in [
        "<title id=\"title\">Outcomes</title>",
        "role=\"img\"",
        "<title>a&lt;b: N in 1</title>",
        "<title>q &amp; r: P in 2</title>",
        ">q &amp; r</text>",
        ">N</text>",
        ">P</text>",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert_eq!(svg.matches("marker-end").count(), 3);
    graph(&dir, &args, "a<b,\"q & r\"\n\"q & r\",a<b\na<b,end\n");
    assert_eq!(svg, fs::read_to_string(dir.join("out.svg")).unwrap());
}

#[test]
fn pictures_of_two_players_show_owners_targets_and_strategies() {
    let dir = place("players");
    let game = "parity 2; 0 2 0 0,1 \"home\"; 1 1 1 0,2; 2 1 1 2;";
    let (code, ..) = graph(&dir, &["-", "--from", "pg", "--objective", "buchi", "--svg", "out.svg"], game);
    assert_eq!(code, Some(0));
    let svg = fs::read_to_string(dir.join("out.svg")).unwrap();
    assert!(svg.contains("home: player 0 moves, player 0 wins by moving to home"), "{svg}");
    // home is green: two circles; 1 and 2 are player 1's boxes
    assert_eq!((svg.matches("<circle").count(), svg.matches("<rect x=").count()), (2, 2));
    assert_eq!(svg.matches("stroke-width=\"3\" marker").count(), 3);
}

#[test]
fn large_pictures_are_refused_before_anything_is_computed() {
    let dir = place("large");
    let path: String = (0..301).map(|v| format!("{v} {}\n", v + 1)).collect();
    let args = ["-", "--from", "edges", "--objective", "grundy", "--svg", "out.svg"];
    let (code, out, error) = graph(&dir, &args, &path);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(error.contains("302 vertices") && error.contains("grundy convert writes DOT"), "{error}");
    assert!(!dir.join("out.svg").exists());
    let (code, ..) = graph(&dir, &["-", "--from", "edges", "--objective", "loopy", "--svg", "no/such/out.svg"], LOOP);
    assert_eq!(code, Some(4));
}

#[test]
fn values_are_explained_in_the_order_of_labelling() {
    let dir = place("explain");
    let explain = |objective: &str, text: &str| {
        let args = ["-", "--from", "edges", "--objective", objective, "--explain"];
        let (code, out, error) = graph(&dir, &args, text);
        assert_eq!(code, Some(0), "{error}");
        out
    };
    assert_eq!(
        explain("grundy", "b a\nb c\nc a\n"),
        "a 0: no move is left\nc 1: mex of {0 (a)}\nb 2: mex of {0 (a), 1 (c)}\n"
    );
    let text = explain("loopy", &format!("{LOOP}E A\nE D\nB B\n"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "D 0, 1st to be labelled: no move is left",
            "C 1, 2nd to be labelled: mex of {0 (D)}",
            "E 1, 3rd to be labelled: mex of {0 (D)}; its follower A, which has no value, goes back to C of value 1",
            "A inf(1): not 0, the mex of {1 (C)}, since the move to B, which is inf(1), cannot be taken back by one to 0",
            "B inf(1): not 0, the mex of {1 (C)}, since the move to A, which is inf(1), cannot be taken back by one to 0",
        ]
    );
    assert_eq!(
        explain("outcome", "A B\nB A\nB C\nC D\nC B\nE C\n"),
        "D P in 0: no move is left\nC N in 1: to D (P in 0)\n\
         E P in 2: all moves lead to won vertices, the last of them C (N in 1)\n\
         A Draw: no move leads to a lost vertex, and play can go on to B (Draw)\n\
         B Draw: no move leads to a lost vertex, and play can go on to A (Draw)\n"
    );
}

#[test]
fn winners_are_explained() {
    let dir = place("explain-games");
    let game = "parity 3; 0 1 0 1,3 \"a\"; 1 2 1 0,1 \"b\"; 2 1 1 2,0 \"c\"; 3 1 0 3 \"d\";";
    let explain = |objective: &str| {
        let args = ["-", "--from", "pg", "--objective", objective, "--explain", "--verify"];
        let (code, out, error) = graph(&dir, &args, game);
        assert!(code == Some(0) && error.contains("accepts all"), "{error}");
        out
    };
    assert_eq!(
        explain("buchi"),
        "c: player 1 wins: round 1: moves to c, from where player 0 cannot force a green vertex\n\
         d: player 1 wins: round 1: the only move stays here\n\
         b: player 0 wins: it is a green vertex; all moves lead to vertices from where another visit is forced\n\
         a: player 0 wins: moves to b, which is earlier, at most 1 move from a green vertex\n"
    );
    assert_eq!(
        explain("reach"),
        "b: player 0 wins: it is a target\n\
         a: player 0 wins: moves to b, which is earlier, at most 1 move from the decision\n\
         c: player 1 wins: moves to c, from where player 0 cannot force a target\n\
         d: player 1 wins: the only move stays here\n"
    );
    assert_eq!(
        explain("parity"),
        "a: player 0 wins: moves to b; the greatest priority of every cycle that is left is even\n\
         b: player 0 wins: all moves lead to vertices where player 0 wins\n\
         c: player 1 wins: moves to c; the greatest priority of every cycle that is left is odd\n\
         d: player 1 wins: the only move stays here\n"
    );
    let args = ["-", "--from", "pg", "--objective", "buchi", "--explain", "--format", "json"];
    let json: serde_json::Value = serde_json::from_str(&graph(&dir, &args, game).1).unwrap();
    assert_eq!(json["explanation"][0]["reason"], "avoids");
    let long: String = (0..1001).map(|v| format!("{v} {}\n", v + 1)).collect();
    let (code, out, error) = graph(&dir, &["-", "--from", "edges", "--objective", "grundy", "--explain"], &long);
    assert!(code == Some(2) && out.is_empty() && error.contains("up to 1000"), "{error}");
}

#[test]
fn what_kind_of_graph_it_is() {
    let dir = place("statistics");
    let loopy = "4 vertices, 5 edges, 1 end; loopy: 3 strongly connected components, the largest with 2 vertices";
    let (code, out, error) = graph(&dir, &["-", "--from", "edges"], LOOP);
    assert_eq!((code, out, error.as_str()), (Some(0), format!("{loopy}\n"), ""));
    let (_, _, error) = graph(&dir, &["-", "--from", "edges", "--objective", "outcome"], LOOP);
    assert!(error.starts_with(&format!("{loopy}; remoteness up to 1\n")), "{error}");
    let (_, _, error) = graph(&dir, &["-", "--from", "edges", "--objective", "loopy"], LOOP);
    assert!(error.contains("; values up to 1, 2 without a finite one\n"), "{error}");
    let (_, out, _) = graph(&dir, &["-", "--from", "edges"], "a b\nb c\n");
    assert_eq!(out, "3 vertices, 2 edges, 1 end; acyclic: the longest play takes 2 moves\n");
    let (_, out, _) = graph(&dir, &["-", "--from", "edges", "--objective", "grundy", "--format", "json"], "a b\nb c\n");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["graph"]["acyclic"], &json["graph"]["depth"]), (&true.into(), &2.into()));
    let (_, out, _) = graph(&dir, &["-", "--from", "edges", "--format", "json"], LOOP);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["graph"]["components"], &json["graph"]["ends"]), (&3.into(), &1.into()));
    // what is asked of vertices needs a question
    assert_eq!(graph(&dir, &["-", "--from", "edges", "--verify"], LOOP).0, Some(2));
}

/// Vertex b is player 1's and e player 0's, and both are dead ends.
const ENDS: &str = r#"{"n": 4, "edges": [[0, 1], [0, 3], [2, 3], [2, 2]], "owner": [0, 1, 1, 0], "priority": [1, 1, 2, 4],
    "names": ["a", "b", "c", "e"]}"#;

#[test]
fn dead_ends_may_be_lost() {
    let dir = place("sinks");
    let (code, _, error) = graph(&dir, &["-", "--from", "json", "--objective", "parity"], ENDS);
    assert!(code == Some(2) && error.contains("from vertex b") && error.contains("--sinks lose"), "{error}");
    for objective in ["parity", "buchi", "cobuchi"] {
        let args = ["-", "--from", "json", "--objective", objective, "--sinks", "lose", "--verify"];
        let (code, out, error) = graph(&dir, &args, ENDS);
        assert_eq!((code, out.as_str()), (Some(0), "a 0\nb 0\nc 1\ne 1\n"), "{error}");
        assert!(error.starts_with("2 dead ends are lost for whoever must move there\n"), "{error}");
    }
    let args = ["-", "--from", "json", "--objective", "buchi", "--target", "a,e", "--sinks", "lose"];
    assert_eq!(graph(&dir, &args, ENDS).1, "a 0\nb 0\nc 1\ne 1\n");
    let (code, _, error) = graph(&dir, &["-", "--from", "json", "--objective", "reach", "--sinks", "lose"], ENDS);
    assert!(code == Some(2) && error.contains("plays end there"), "{error}");
    let (code, _, error) = graph(&dir, &["-", "--from", "edges", "--objective", "parity", "--sinks", "lose"], LOOP);
    assert!(code == Some(2) && error.contains("who moves"), "{error}");
    let convert = |args: &[&str]| {
        let child = binary::command(&[&["convert", "-", "-", "--from", "json", "--to", "pg"], args].concat());
        binary::fed({ child }.spawn().unwrap(), ENDS)
    };
    let (code, _, error) = convert(&[]);
    assert!(code == Some(2) && error.contains("--sinks lose"), "{error}");
    let (code, out, _) = convert(&["--sinks", "lose"]);
    let game = "parity 3;\n0 1 0 1,3 \"a\";\n1 4 1 1 \"b\";\n2 2 1 3,2 \"c\";\n3 1 0 3 \"e\";\n";
    assert_eq!((code, out.as_str()), (Some(0), game));
}

#[test]
fn solutions_for_other_programs() {
    let dir = place("paritysol");
    let game = "parity 2; 0 2 0 0,1 \"home\"; 1 1 1 0,2; 2 1 1 2;";
    let args = ["-", "--from", "pg", "--objective", "parity", "--format", "paritysol"];
    let (code, out, error) = graph(&dir, &args, game);
    assert_eq!((code, out.as_str()), (Some(0), "paritysol 2;\n0 0 0;\n1 1 2;\n2 1 2;\n"), "{error}");
    let args = ["-", "--from", "pg", "--objective", "outcome", "--format", "paritysol"];
    let (code, out, error) = graph(&dir, &args, game);
    assert!(code == Some(2) && out.is_empty() && error.contains("paritysol has winners"), "{error}");
}

#[test]
fn graphs_without_vertices() {
    let dir = place("empty");
    for objective in ["grundy", "loopy", "outcome"] {
        let args = ["-", "--from", "json", "--objective", objective, "--svg", "out.svg", "--explain"];
        let (code, out, error) = graph(&dir, &args, r#"{"n": 0, "edges": []}"#);
        assert_eq!((code, out.as_str()), (Some(0), ""), "{error}");
        assert!(fs::read_to_string(dir.join("out.svg")).unwrap().ends_with("</svg>\n"));
    }
    let (_, out, _) = graph(&dir, &["-", "--from", "json"], r#"{"n": 0, "edges": []}"#);
    assert_eq!(out, "0 vertices, 0 edges, 0 ends; acyclic: the longest play takes 0 moves\n");
}

#[test]
fn options_without_meaning_are_refused() {
    let dir = place("refused");
    let refused = |args: &[&str], input: &str, word: &str| {
        let (code, out, err) = graph(&dir, &[&["-", "--from", "json"], args].concat(), input);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(err.contains(word), "{args:?} {err}");
    };
    let path = r#"{"n": 2, "edges": [[0, 1]]}"#;
    refused(&["--objective", "grundy", "--strategy"], path, "two players");
    refused(&["--objective", "grundy", "--target", "0"], path, "targets");
    let game = r#"{"n": 1, "edges": [[0, 0]], "owner": [0], "priority": [0]}"#;
    refused(&["--objective", "parity", "--target", "0"], game, "targets");
    refused(&["--objective", "parity", "--misere"], game, "cannot move");
    let twins = r#"{"n": 2, "edges": [[0, 1]], "names": ["a", "a"]}"#;
    refused(&["--objective", "grundy", "--tokens", "a"], twins, "two vertices are called");
}

#[test]
fn limits_on_positions_are_kept() {
    let dir = place("positions");
    let (code, out, _) = graph(&dir, &["-", "--from", "edges", "--objective", "loopy", "--positions", "3"], LOOP);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert_eq!(graph(&dir, &["-", "--from", "edges", "--objective", "loopy", "--positions", "4"], LOOP).0, Some(0));
}

#[test]
fn a_dead_end_that_is_lost_is_explained() {
    let dir = place("stays");
    let game = r#"{"n": 1, "edges": [], "owner": [0], "priority": [0]}"#;
    let args = ["-", "--from", "json", "--objective", "parity", "--sinks", "lose", "--explain"];
    let (code, out, _) = graph(&dir, &args, game);
    assert_eq!((code, out.as_str()), (Some(0), "0: player 1 wins: the only move stays here\n"));
}
