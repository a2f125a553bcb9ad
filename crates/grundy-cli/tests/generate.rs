//! `grundy graph generate` on the real binary.

mod binary;

use std::{fs, path::Path};

/// What `grundy graph` prints for an input, and its exit code.
fn run(input: &str, arguments: &[&str]) -> (String, String, Option<i32>) {
    let child = binary::command(&[&["graph"], arguments].concat()).spawn().unwrap();
    let (code, out, error) = binary::fed(child, input);
    (out, error, code)
}

#[test]
fn games_are_generated_and_solved() {
    let (out, _, code) = run("", &["generate", "grid", "--vertices", "4", "--priorities", "3", "--seed", "7"]);
    assert_eq!((out.as_str(), code), ("parity 3;\n0 0 0 1,2;\n1 1 1 3,3;\n2 0 0 3,0;\n3 0 0 0;\n", Some(0)));
    let again = run("", &["generate", "grid", "--vertices", "4", "--priorities", "3", "--seed", "7"]).0;
    assert_eq!(out, again);
    for shape in ["random", "grid", "ladder", "chain", "hub"] {
        for objective in ["parity", "buchi", "cobuchi"] {
            let (game, error, _) = run("", &["generate", shape, "--vertices", "60", "--objective", objective]);
            assert_eq!(error, "");
            let (played, error, code) = run(&game, &["-", "--objective", objective, "--verify"]);
            assert!(code == Some(0) && error.contains("accepts all"), "{error}");
            assert_eq!(played, run(&game, &["-", "--objective", "parity"]).0, "{shape} {objective}");
        }
    }
    for refused in [
        &["chain", "--green", "20", "--objective", "buchi"][..],
        &["grid", "--degree", "3"],
        &["random", "--green", "20"],
        &["random", "--objective", "loopy"],
        &["random", "--objective", "buchi", "--green", "101"],
        &["random", "--objective", "buchi", "--priorities", "3"],
        &["random", "--vertices", "10^12"],
        &["random", "--to", "graphml"],
        &["random", "--out", "game"],
    ] {
        assert_eq!(run("", &[&["generate"], refused].concat()).2, Some(2), "{refused:?}");
    }
}

#[test]
fn a_file_may_be_called_like_the_subcommand() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph-generate");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("generate");
    let args = ["graph", "generate", "ladder", "--vertices", "4", "--to", "edges", "--out"];
    let child = binary::command(&[&args[..], &[path.to_str().unwrap()]].concat()).spawn().unwrap();
    let (code, out, error) = binary::fed(child, "");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{error}");
    assert!(error.contains("left out"), "{error}");
    let mut solve = binary::command(&["graph", "./generate", "--objective", "outcome"]);
    let (code, out, error) = binary::fed(solve.current_dir(&folder).spawn().unwrap(), "");
    assert_eq!((code, out.as_str()), (Some(0), "0 Draw\n1 Draw\n2 Draw\n3 Draw\n"), "{error}");
}
