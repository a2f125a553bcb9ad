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
