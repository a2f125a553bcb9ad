//! `period`, `compare`, `sweep` and `verify` as their users meet them.

use std::process::Command;

use serde_json::{Value, json};

/// What a run left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {:?} {:?}", self.stdout, self.stderr))
    }
}

fn run(args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_POSITIONS", "GRUNDY_FORMAT", "HOME"] {
        command.env_remove(key);
    }
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR")).env("NO_COLOR", "1").args(args);
    let out = command.output().expect("the program ends");
    Run {
        code: out.status.code(),
        stdout: String::from_utf8(out.stdout).expect("UTF-8"),
        stderr: String::from_utf8(out.stderr).expect("UTF-8"),
    }
}

fn json_of(args: &[&str], code: i32) -> Value {
    let all: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    let run = run(&all);
    assert_eq!(run.code, Some(code), "{args:?}: {} {}", run.stdout, run.stderr);
    run.json()
}

#[test]
fn periods_with_their_status() {
    // game; period, preperiod, saltus; status
    let rows = [
        ("0.07", [34, 53, 0], "proved"),
        ("0.77", [12, 71, 0], "proved"),
        ("0.165", [1550, 5181, 0], "proved"),
        ("0.356", [142, 7315, 0], "proved"),
        ("4.[3]", [4, 1, 4], "proved"),
        ("nim", [1, 0, 1], "proved"),
        ("allbut[{1, 5, 6}]", [18, 0, 6], "proved"),
        ("0.8", [3, 1, 1], "observed"),
    ];
    for (game, [period, preperiod, saltus], status) in rows {
        let answer = json_of(&["period", game, "--prove"], 0);
        let found = [&answer["period"], &answer["preperiod"], &answer["saltus"]];
        assert_eq!(found, [&json!(period), &json!(preperiod), &json!(saltus)], "{game}");
        assert_eq!(answer["status"], status, "{game}");
        assert_eq!(answer["theorem"].is_string(), status == "proved", "{game}");
        assert_eq!(answer["schema"], 1);
    }
    assert_eq!(json_of(&["period", "0.07"], 0)["bound"], 176);
}

#[test]
fn a_prefix_proves_nothing() {
    let answer = json_of(&["period", "0.6", "--to", "1000"], 0);
    assert_eq!((&answer["status"], &answer["bound"]), (&json!("bounded"), &json!(1001)));
    assert_eq!((&answer["period"], &answer["saltus"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["statement"], "no period p with preperiod n0 >= 1 satisfies 2 (n0 + p) + 1 <= 1001");
    let stopped = json_of(&["period", "0.6", "--prove", "--positions", "200"], 3);
    assert_eq!((&stopped["bound"], &stopped["stop"]["limit"]), (&json!(200), &json!("positions")));
}

#[test]
fn periods_as_text() {
    let text = run(&["period", "0.07"]).stdout;
    assert!(text.contains("period 34, preperiod 53") && text.contains("Status: proved."), "{text}");
    let wrong = run(&["period", "0.7x"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
}

#[test]
fn comparisons() {
    let answer = json_of(&["compare", "0.161", "0.36", "--to", "1000"], 1);
    assert_eq!((&answer["equal"], &answer["first_difference"]["n"]), (&json!(false), &json!(519)));
    assert_ne!(answer["first_difference"]["left"], answer["first_difference"]["right"]);
    let answer = json_of(&["compare", "0.161", "0.36", "--to", "518"], 0);
    assert_eq!((&answer["equal"], &answer["first_difference"]), (&json!(true), &Value::Null));
    assert_eq!(answer["status"], "computed");
    let answer = json_of(&["compare", "0.26", "0.27"], 0);
    assert_eq!((&answer["equal"], &answer["status"]), (&json!(true), &json!("proved")));
    let answer = json_of(&["compare", "0.161", "0.36", "--positions", "100"], 3);
    assert_eq!(answer["equal"], Value::Null);
    assert_eq!(run(&["compare", "0.161", "no game"]).code, Some(2));
}

#[test]
fn sweeps_in_order() {
    let csv = run(&["sweep", "0.dd", "--to", "1000"]);
    assert_eq!(csv.code, Some(0), "{}", csv.stderr);
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (65, "code,period,preperiod,saltus,max,status,same_as"));
    assert!(lines.contains(&"0.77,12,71,0,8,proved,") && lines.contains(&"0.27,4,1,0,3,proved,0.26"), "{}", csv.stdout);
    let codes: Vec<&str> = lines[1..].iter().map(|l| l.split(',').next().unwrap()).collect();
    assert!(codes.is_sorted(), "{codes:?}");
    let ndjson = run(&["sweep", "0.8h", "--to", "200", "--format", "ndjson"]);
    let records: Vec<Value> = ndjson.stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!((records.len(), &records[0]["code"], &records[15]["code"]), (16, &json!("0.80"), &json!("0.8F")));
    assert_eq!((&records[0]["saltus"], &records[0]["status"]), (&json!(1), &json!("observed")));
    assert_eq!(run(&["sweep", "0.xd"]).code, Some(2));
    assert_eq!(run(&["sweep", "0.ddd", "--time", "20ms"]).code, Some(3));
}
