//! `grundy quotient` from outside.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_grundy")).args(["quotient"]).args(arguments).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_wild_quotient_is_printed() {
    let (code, out, _) = run(&["0.75"]);
    assert_eq!(code, Some(0));
    for line in [
        "quotient of 0.75   (misère play: a player who cannot move wins, taking the last object loses)",
        "8 classes, 2 of them lost; wild; the kernel has 4.",
        "Of all heaps: their classes have period 2 from heap 8 on.",
        "Letters: a heap 1, b heap 2, c heap 5",
        "Rules: a2 = 1, bc = ab, c2 = b2, b3 = b",
        "Lost: a, b2",
        "Status: proved.",
    ] {
        assert!(out.contains(line), "{line} is missing:\n{out}");
    }
    let (code, out, _) = run(&["kayles", "--format", "json"]);
    assert_eq!(code, Some(0));
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&answer["order"], &answer["lost"], &answer["kernel"]), (&40.into(), &9.into(), &16.into()));
    assert_eq!(
        (&answer["period"], &answer["preperiod"], &answer["proved_to"]),
        (&12.into(), &71.into(), &"all".into())
    );
    assert_eq!(answer["convention"], "misere");
}

#[test]
fn what_is_not_reached_is_said() {
    // one more element than these would be a proof of more than is known
    let (code, out, _) = run(&["4.7", "--to-heap", "12"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("Of sums of heaps up to 12."), "{out}");
    let (code, out, _) = run(&["0.07", "--memory", "1MiB"]);
    assert_eq!(code, Some(3));
    assert!(out.contains("Stopped by the memory limit"), "{out}");
    let (code, _, err) = run(&["treblecross"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("misère"), "{err}");
    let (code, _, err) = run(&["wythoff"]);
    assert_eq!(code, Some(2), "{err}");
}
