//! Rules as a WebAssembly module, in builds with the feature `wasm`.

mod binary;

use std::path::PathBuf;

const HALVES: &str = "../grundy-wasm/examples/halves.wat";

/// Exit code, stdout and stderr.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    binary::fed(binary::command(arguments).spawn().unwrap(), "")
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_same_values_as_the_file_of_rules() {
    let toml = "../../examples/my_rules/rules/halves.toml";
    let values = |rules: &str| {
        let (code, out, err) = run(&["sequence", "halves", "--rules", rules, "--to", "100000", "--format", "checksum"]);
        assert_eq!(code, Some(0), "{err}");
        out
    };
    assert_eq!(values(HALVES), values(toml));
}

#[test]
fn modules_are_played_and_checked() {
    let (code, out, _) = run(&["solve", "--rules", HALVES, "halves(4, 7) + nim(2)"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("halves: all positions before it"), "{out}");
    let (code, out, _) = run(&["rules", "check", HALVES]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("halves: accepted"), "{out}");
}

#[test]
fn modules_that_loop_are_stopped_and_those_that_break_refused() {
    let text = std::fs::read_to_string(HALVES).unwrap();
    let inside = "(local.set $k (i64.const 1))";
    let endless = file("endless.wat", &text.replace(inside, "(loop $l (br $l))"));
    let (code, out, err) = run(&["solve", "--rules", &endless, "halves(4)"]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(format!("{out}{err}").contains("instructions in one call"), "{out}{err}");
    let broken = file("broken.wat", &text.replace(inside, "(unreachable)"));
    let (code, _, err) = run(&["solve", "--rules", &broken, "halves(4)"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("the rules broke off"), "{err}");
    let (code, _, err) = run(&["solve", "--rules", &file("no.wat", "(module"), "halves(4)"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("no WebAssembly module"), "{err}");
    // options that are larger than promised
    let larger = text.replace("(i64.sub (local.get $n) (local.get $k))", "(i64.add (local.get $n) (local.get $k))");
    let (code, out, _) = run(&["rules", "check", &file("larger.wat", &larger)]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("does not come before it"), "{out}");
}
