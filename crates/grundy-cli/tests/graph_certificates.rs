//! Certificates of `grundy graph`, checked by `grundy verify` on the real binary.

mod binary;

use std::{
    fs,
    path::{Path, PathBuf},
};

fn place(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certificates-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Exit code, stdout, stderr.
fn grundy(dir: &Path, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let child = binary::command(args).current_dir(dir).spawn().unwrap();
    binary::fed(child, input)
}

const GAME: &str = "parity 3;\n0 2 0 1,2 \"home\";\n1 1 1 0,3;\n2 3 0 0;\n3 1 1 3;\n";
const PATH: &str = "a b\na c\nb c\nc d\n";
const LOOP: &str = "a b\na c\nb a\nc d\n";

#[test]
fn every_kind_is_accepted_and_no_changed_line_is() {
    let dir = place("kinds");
    fs::write(dir.join("game.pg"), GAME).unwrap();
    fs::write(dir.join("path.edges"), PATH).unwrap();
    fs::write(dir.join("loop.edges"), LOOP).unwrap();
    for (file, more) in [
        ("path.edges", "--objective grundy"),
        ("loop.edges", "--objective loopy"),
        ("loop.edges", "--objective outcome"),
        ("loop.edges", "--objective outcome --misere"),
        ("game.pg", "--objective parity"),
        ("game.pg", "--objective parity --min"),
        ("game.pg", "--objective buchi"),
        ("game.pg", "--objective cobuchi --target home"),
        ("game.pg", "--objective reach --target 3"),
        ("game.pg", "--objective safety"),
    ] {
        let asked: Vec<&str> = ["graph", file].into_iter().chain(more.split(' ')).collect();
        let (code, plain, _) = grundy(&dir, &asked, "");
        assert_eq!(code, Some(0), "{more}");
        let certified = [&asked[..], &["--certificate", "it.cert"]].concat();
        let (code, out, _) = grundy(&dir, &certified, "");
        assert_eq!((code, out), (Some(0), plain), "{more}");
        let (code, out, err) = grundy(&dir, &["verify", "it.cert"], "");
        assert_eq!(code, Some(0), "{more} {out} {err}");
        assert!(out.starts_with(&format!("{file}: accepted; the claim holds at every vertex.\n")), "{out}");
        // another line for a vertex, as another vertex has it
        let text = fs::read_to_string(dir.join("it.cert")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|l| l.starts_with("claim")).unwrap() + 1;
        let rows = &lines[first..lines.len() - 1];
        let mut refused = 0;
        for (i, row) in rows.iter().enumerate() {
            for other in rows.iter().filter(|other| *other != row) {
                let mut changed = lines.clone();
                changed[first + i] = other;
                fs::write(dir.join("changed.cert"), changed.join("\n") + "\n").unwrap();
                let (code, out, _) = grundy(&dir, &["verify", "changed.cert", "--format", "json"], "");
                assert_eq!(code, Some(1), "{more} {i} {other} {out}");
                assert!(out.contains("\"accepted\":false"), "{out}");
                refused += 1;
            }
        }
        assert!(refused > 0 || rows.iter().all(|row| *row == rows[0]), "{more}");
    }
}

#[test]
fn a_certificate_is_of_one_game() {
    let dir = place("game");
    fs::write(dir.join("game.pg"), GAME).unwrap();
    grundy(&dir, &["graph", "game.pg", "--objective", "buchi", "--certificate", "it.cert"], "");
    let (code, out, _) = grundy(&dir, &["verify", "it.cert", "--graph", "-", "--from", "pg"], GAME);
    assert_eq!(code, Some(0), "{out}");
    let other = GAME.replace("1 1 1 0,3", "1 1 1 3,0");
    let (code, out, _) = grundy(&dir, &["verify", "it.cert", "--graph", "-", "--from", "pg"], &other);
    assert_eq!(code, Some(1));
    assert!(out.contains("refused; the file holds another game"), "{out}");
    fs::remove_file(dir.join("game.pg")).unwrap();
    let (code, _, err) = grundy(&dir, &["verify", "it.cert"], "");
    assert_eq!(code, Some(4));
    assert!(err.contains("--graph"), "{err}");
}

#[test]
fn dead_ends_that_are_lost_stay_lost() {
    let dir = place("sinks");
    fs::write(dir.join("game.json"), r#"{"n": 2, "edges": [[0, 1]], "owner": [0, 0], "target": [0]}"#).unwrap();
    let asked = ["graph", "game.json", "--objective", "buchi", "--sinks", "lose", "--certificate", "it.cert"];
    let (code, out, _) = grundy(&dir, &asked, "");
    assert_eq!((code, out.as_str()), (Some(0), "0 1\n1 1\n"));
    assert_eq!(grundy(&dir, &["verify", "it.cert"], "").0, Some(0));
}

#[test]
fn what_is_cut_off_or_does_not_belong_is_refused() {
    let dir = place("refused");
    fs::write(dir.join("game.pg"), GAME).unwrap();
    grundy(&dir, &["graph", "game.pg", "--objective", "parity", "--certificate", "it.cert"], "");
    let text = fs::read_to_string(dir.join("it.cert")).unwrap();
    for (from, to, line) in [
        ("end\n", "", 9),
        ("claim parity\n", "claim parity\n0 x\n", 5),
        ("claim parity", "claim chess", 4),
        ("end\n", "end\nmore\n", 10),
        ("game 4", "game 5", 9),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        fs::write(dir.join("changed.cert"), changed).unwrap();
        let (code, _, err) = grundy(&dir, &["verify", "changed.cert"], "");
        assert_eq!(code, Some(2), "{to} {err}");
        assert!(err.contains(&format!("line {line}:")), "{line} {err}");
    }
    let (code, _, err) = grundy(&dir, &["verify", "it.cert", "--sample", "3"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("every vertex"), "{err}");
}

#[test]
fn outputs_replace_neither_the_graph_nor_one_another() {
    let dir = place("outputs");
    fs::write(dir.join("path.edges"), PATH).unwrap();
    for outputs in [
        &["--certificate", "path.edges"][..],
        &["--svg", "./path.edges"],
        &["--svg", "same", "--certificate", "same"],
        &["--certificate", "-"],
    ] {
        let (code, out, err) = grundy(&dir, &[&["graph", "path.edges", "--objective", "grundy"], outputs].concat(), "");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{outputs:?} {err}");
        assert!(err.contains("name a"), "{err}");
    }
    assert_eq!(fs::read_to_string(dir.join("path.edges")).unwrap(), PATH);
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
}

#[test]
fn what_was_read_is_named_and_what_was_not_checked_is_not() {
    let dir = place("named");
    fs::write(dir.join("path.edges"), PATH).unwrap();
    fs::write(dir.join("loop.edges"), LOOP).unwrap();
    grundy(&dir, &["graph", "path.edges", "--objective", "outcome", "--misere", "--certificate", "it.cert"], "");
    let (code, out, _) = grundy(&dir, &["verify", "it.cert"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("outcome and remoteness of each vertex in misère play"), "{out}");
    let (code, out, _) = grundy(&dir, &["verify", "it.cert", "--graph", "loop.edges"], "");
    assert_eq!(code, Some(1));
    assert!(out.starts_with("loop.edges: refused;") && !out.contains("Checked"), "{out}");
}
