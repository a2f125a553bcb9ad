//! `grundy convert` as its users meet it.

mod binary;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A new directory for one test.
fn place(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("convert-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Exit code, stdout, stderr.
fn convert(dir: &Path, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let child = binary::command(&[&["convert"], args].concat()).current_dir(dir).spawn().unwrap();
    binary::fed(child, input)
}

const GAME: &str = "parity 1;\n0 2 0 0,1 \"home\";\n1 1 1 0 \"away\";\n";

#[test]
fn files_and_streams() {
    let dir = place("files");
    fs::write(dir.join("game.pg"), GAME).unwrap();
    assert_eq!(convert(&dir, &["game.pg", "game.json"], ""), (Some(0), String::new(), String::new()));
    assert_eq!(convert(&dir, &["game.json", "game.dot"], ""), (Some(0), String::new(), String::new()));
    assert_eq!(convert(&dir, &["game.dot", "-", "--to", "pg"], ""), (Some(0), GAME.into(), String::new()));
    assert_eq!(
        convert(&dir, &["-", "-", "--to", "edges"], "a,b\nb,c\n"),
        (Some(0), "a b\nb c\n".into(), String::new())
    );
    let (code, out, said) = convert(&dir, &["game.pg", "-", "--to", "csv"], "");
    assert_eq!((code, out.as_str()), (Some(0), "source,target\nhome,home\nhome,away\naway,home\n"));
    assert_eq!(said, "left out, as csv has no place for it: owner, priority\n");
}

#[test]
fn the_lowest_priority_mirrored() {
    let dir = place("min");
    let (code, out, _) = convert(&dir, &["-", "-", "--to", "pg", "--min"], "0 0 0 1; 1 1 1 2; 2 3 0 0;");
    assert_eq!((code, out.as_str()), (Some(0), "parity 2;\n0 4 0 1;\n1 3 1 2;\n2 1 0 0;\n"));
    let (code, _, said) = convert(&dir, &["-", "-", "--to", "csv", "--min"], "0 1\n");
    assert_eq!(code, Some(2));
    assert!(said.contains("there are no priorities to mirror"), "{said}");
}

#[test]
fn exit_codes() {
    let dir = place("codes");
    fs::write(dir.join("game.pg"), GAME).unwrap();
    fs::write(dir.join("old.json"), "old").unwrap();
    fs::write(dir.join("sink.csv"), "0,1\n").unwrap();
    fs::write(dir.join("noise"), [0, 1, 2]).unwrap();
    for (args, input, code, message) in [
        (&["nowhere.pg", "-", "--to", "dot"][..], "", 4, "nowhere.pg: "),
        (&["game.pg", "no/where.dot"], "", 4, "where.dot: "),
        (&["-", "old.json"], "0 0 0 1;\n0 0 0 1;", 2, "line 2, column 1: vertex 0 has a row already"),
        (&["game.pg", "game.xyz"], "", 2, "does not say by its name which format to write"),
        (&["game.pg", "game.graphml"], "", 2, "graphml is read, but not written"),
        (&["game.pg", "game.dot.gz"], "", 2, "packed files are read, but not written"),
        (&["game.pg", "-", "--to", "gml"], "", 2, "the formats are pg, edges, csv"),
        (&["sink.csv", "-", "--to", "pg"], "", 2, "needs an owner and a priority"),
        (&["noise", "-", "--to", "pg"], "", 2, "the format is not known by name or content"),
        (&["game.pg"], "", 2, "OUT"),
    ] {
        let (found, out, said) = convert(&dir, args, input);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{args:?}: {said}");
        let said =
            said.lines().map(|l| l.trim_start_matches([' ', '│', '×', '╰', '─', '▶'])).collect::<Vec<_>>().join(" ");
        assert!(said.contains(message), "{args:?}: {said}");
    }
    assert_eq!(fs::read_to_string(dir.join("old.json")).unwrap(), "old");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 4);
}
