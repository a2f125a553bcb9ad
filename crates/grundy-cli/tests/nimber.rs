//! `grundy nimber` as its users meet it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command},
};

use serde_json::{Value, json};

mod binary;

fn start(args: &[&str]) -> Child {
    binary::command(&[&["nimber"], args].concat()).spawn().unwrap()
}

/// Exit code, stdout, stderr.
fn nimber_of(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    binary::fed(start(args), input)
}

fn nimber(args: &[&str]) -> (Option<i32>, String, String) {
    nimber_of(args, "")
}

fn json_of(args: &[&str]) -> Value {
    let (code, out, _) = nimber(&[args, &["--format", "json"]].concat());
    assert_eq!(code, Some(0));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn the_value_alone() {
    for (text, value) in [
        ("6 * 13", "15\n"),
        ("4 * 7", "10\n"),
        ("(2^64-1) * (2^64-3)", "14554159489527431842\n"),
        ("inv(2^32-5)", "4147990372\n"),
        ("solve(1, 1, 6)", "14\n15\n"),
        ("solve(0, 0, 3)", "none\n"),
        ("solve(0, 0, 0)", "all\n"),
        ("order(2^64-1)", "18446744073709551615\n"),
    ] {
        assert_eq!(nimber(&[text]), (Some(0), value.into(), String::new()), "{text}");
    }
    assert_eq!(nimber(&["6", "*", "13"]).1, "15\n");
}

#[test]
fn refusals_show_their_place() {
    for (text, place, reason) in [
        ("inv(0)", "input:1:5", "0 has no inverse"),
        ("7 / (3 + 3)", "input:1:5", "division by 0"),
        ("log(0)", "input:1:5", "0 has no logarithm"),
        ("log(2^64)", "input:1:1", "--long-log finds it"),
        ("log(2^128, 3)", "input:1:1", "up to 128 bits only"),
        ("1 + (2^4096)", "input:1:6", "--bits N"),
        ("6 - 13", "input:1:3", "each is its own negative"),
        ("-6", "input:1:1", "no sign"),
        ("sqr(3)", "input:1:1", "did you mean \"sqrt\"?"),
    ] {
        let (code, out, err) = nimber(&[text]);
        assert_eq!((code, &out[..]), (Some(2), ""), "{text}");
        assert!(err.contains(place) && err.contains(reason), "{text}: {err}");
    }
    assert_eq!(nimber(&["1 + (2^4096) + (2^4096)", "--bits", "8192"]).1, "1\n");
    assert_eq!(nimber(&["1", "--bits", "0"]).0, Some(2));
    assert_eq!(nimber(&[]).0, Some(2));
    assert_eq!(nimber(&["1", "--mul"]).0, Some(2));
    let (code, out, err) = nimber(&["inv(0)", "--format", "json"]);
    let error: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &error["error"]["span"], &err[..]), (Some(2), &json!([4, 5]), ""));
}

#[test]
fn json_has_exact_integers() {
    let answer = json_of(&["6 * 13"]);
    for (key, value) in [
        ("schema", json!(1)),
        ("expression", json!("6 * 13")),
        ("kind", json!("nimber")),
        ("value", json!(15)),
        ("hex", json!("0xf")),
        ("field_bits", json!(4)),
        ("status", json!("computed")),
        ("sources", json!(["ONAG"])),
    ] {
        assert_eq!(answer[key], value, "{key}");
    }
    assert_eq!(json_of(&["(2^53)"])["value"], json!("9007199254740992"));
    assert_eq!(json_of(&["(2^53-1)"])["value"], json!(9007199254740991u64));
    assert_eq!(json_of(&["solve(1, 1, 6)"])["value"], json!([14, 15]));
    assert_eq!(json_of(&["solve(0, 0, 1)"])["value"], json!([]));
    assert_eq!(json_of(&["solve(0, 0, 0)"])["value"], json!(null));
    assert_eq!(json_of(&["order(3)"])["kind"], json!("number"));
}

#[test]
fn limits_end_with_their_reason() {
    let (code, out, err) = nimber(&["pow((2^4095), 2^4095-1)", "--time", "0"]);
    assert_eq!((code, &out[..]), (Some(3), ""));
    assert!(err.contains("time limit"), "{err}");
    let (code, out, _) = nimber(&["log(2^64)", "--long-log", "--memory", "1", "--format", "json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["value"], &answer["status"]), (Some(3), &json!(null), &json!("stopped")));
}

#[test]
fn pairs_are_multiplied() {
    let input = "3\n6 13\n4 7\n18446744073709551615 18446744073709551613\n";
    assert_eq!(nimber_of(&["--mul"], input), (Some(0), "15\n10\n14554159489527431842\n".into(), String::new()));
    assert_eq!(nimber_of(&["--mul"], "0\n"), (Some(0), String::new(), String::new()));
    for (input, out, place) in [
        ("2\n6 13\n4 x\n", "15\n", "line 3, column 3"),
        ("3\n6 13\n4 7\n", "15\n10\n", "line 4, column 1"),
        ("1\n6 13\n4 7\n", "15\n", "line 3, column 1"),
        ("", "", "line 1, column 1"),
    ] {
        let (code, found, err) = nimber_of(&["--mul"], input);
        assert_eq!((code, &found[..]), (Some(2), out), "{input:?}");
        assert!(err.contains(place), "{input:?}: {err}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = start(&["--mul"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        let block = "18446744073709551615 18446744073709551613\n".repeat(1000);
        let _ = stdin.write_all(b"1000000\n");
        (0..1000).try_for_each(|_| stdin.write_all(block.as_bytes()))
    });
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "14554159489527431842\n");
    drop(stdout);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), &errors[..]), (Some(0), ""));
    let _ = writer.join();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_was_answered() {
    let mut child = start(&["--mul"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    // one block, and then nothing
    stdin.write_all(format!("100000\n{}", "6 13\n".repeat(5000)).as_bytes()).unwrap();
    let mut line = String::new();
    for _ in 0..4096 {
        line.clear();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "15\n");
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
