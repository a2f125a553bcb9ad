//! `period`, `compare`, `sweep` and `verify` as their users meet them.

use std::{fs, path::PathBuf, process::Command};

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
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_POSITIONS", "GRUNDY_THREADS", "GRUNDY_FORMAT", "HOME"] {
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
        ("0.8", [3, 1, 1], "proved"),
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
    // not asked for a proof, what was seen is no more than seen
    assert_eq!(json_of(&["period", "0.8"], 0)["status"], "observed");
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

fn temporary(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = path.to_str().expect("UTF-8").to_owned();
    (path, text)
}

#[test]
fn certificates_are_written_checked_and_refused() {
    let (path, file) = temporary("0.07.cert");
    assert_eq!(run(&["period", "0.07", "--prove", "--certificate", &file]).code, Some(0));
    let answer = json_of(&["verify", &file], 0);
    assert_eq!((&answer["accepted"], &answer["status"]), (&json!(true), &json!("proved")));
    assert_eq!(answer["checked"], "176 of 176 values");
    let sampled = json_of(&["verify", &file, "--sample", "25"], 0);
    assert_eq!((&sampled["accepted"], &sampled["checked"]), (&Value::Null, &json!("sample 25 of 176")));
    // it agrees, and the status says what that is worth
    assert_eq!(sampled["status"], "observed");
    json_of(&["verify", &file, "--sample", "25", "--positions", "3"], 3);

    let text = fs::read_to_string(&path).unwrap();
    let (changed, other) = temporary("changed.cert");
    for (from, to) in [
        ("period 34", "period 68"),
        ("period 34", "period 17"),
        ("preperiod 53", "preperiod 52"),
        ("preperiod 53", "preperiod 54"),
        ("saltus 0", "saltus 1"),
        ("bound 176", "bound 175"),
        ("subject 0.07", "subject 0.77"),
        ("subject 0.07", "subject 0.06"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&changed, text.replacen(from, to, 1)).unwrap();
        let answer = json_of(&["verify", &other], 1);
        assert_eq!(answer["accepted"], false, "{from} -> {to}");
        assert!(answer["reason"].as_str().is_some_and(|r| !r.is_empty()));
    }
    fs::write(&changed, &text[..text.len() - 5]).unwrap();
    assert_eq!(run(&["verify", &other]).code, Some(2));
    // nothing is said about the claim
    for subject in ["[take squares]", "no such game", "treblecross"] {
        for claim in [
            "1\nsubject S\nclaim period 1 preperiod 0 saltus 0",
            "3\nsubject S\nclaim form preperiod 0 period 1 saltus 0\nvalues 0",
        ] {
            let claim = claim.replace('S', subject);
            fs::write(&changed, format!("grundy certificate {claim}\nend\n")).unwrap();
            let answer = json_of(&["verify", &other], 2);
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(message.starts_with(&format!("{subject} is not checked")), "{answer}");
        }
    }
    fs::write(&changed, [0xFF, 0xFE]).unwrap();
    assert_eq!(run(&["verify", &other]).code, Some(2));
    assert_eq!(run(&["verify", "no such file"]).code, Some(4));
    let (_, unwritable) = temporary("no such folder/x.cert");
    assert_eq!(run(&["period", "0.07", "--certificate", &unwritable]).code, Some(4));
    let (absent, none) = temporary("none.cert");
    let _ = fs::remove_file(&absent);
    assert_eq!(run(&["period", "0.8", "--to", "100", "--certificate", &none]).code, Some(3));
    assert!(!absent.exists());
}

#[test]
fn certificates_beside_a_table() {
    let (_, file) = temporary("0.165.cert");
    let (table, b_file) = temporary("0.165.txt");
    assert_eq!(run(&["period", "0.165", "--certificate", &file]).code, Some(0));
    let mut values = run(&["sequence", "0.165", "--to", "14000", "--format", "bfile"]).stdout;
    fs::write(&table, &values).unwrap();
    assert_eq!(json_of(&["verify", &file, "--table", &b_file], 0)["accepted"], true);
    assert_eq!(json_of(&["verify", &file, "--table", &b_file, "--sample", "9"], 0)["accepted"], Value::Null);
    let line = values.lines().find(|l| l.starts_with("9000 ")).unwrap().to_owned();
    values = values.replace(&format!("\n{line}\n"), "\n9000 99\n");
    fs::write(&table, &values).unwrap();
    assert_eq!(json_of(&["verify", &file, "--table", &b_file], 1)["accepted"], false);
    fs::write(&table, "0 0\n1 1\n").unwrap();
    assert_eq!(run(&["verify", &file, "--table", &b_file]).code, Some(2));
}

#[test]
fn limits_end_with_their_code_and_reason() {
    let sweep = run(&["sweep", "0.6d", "--positions", "100"]);
    assert_eq!((sweep.code, sweep.stdout.lines().count()), (Some(3), 9), "{}", sweep.stderr);
    assert!(sweep.stderr.contains("positions limit (100)"), "{}", sweep.stderr);
    let late = run(&["sweep", "0.6dd", "--time", "100ms"]);
    assert_eq!(late.code, Some(3));
    assert!(late.stderr.contains("time limit (100 ms)"), "{}", late.stderr);
    // what is known by then still excludes short periods
    let period = json_of(&["period", "0.6", "--to", "2^24", "--time", "300ms"], 3);
    assert_eq!(period["status"], "bounded");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("limits.cert");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(run(&["period", "0.07", "--certificate", file]).code, Some(0));
    assert_eq!(json_of(&["verify", file, "--positions", "10"], 3)["accepted"], Value::Null);
    assert_eq!(run(&["verify", file, "--sample", "0"]).code, Some(2));
}

#[test]
fn what_a_theorem_knows_is_answered_at_once() {
    for args in [
        &["compare", "0.26", "0.27", "--to", "2^63"][..],
        &["compare", "0.6", "0.60", "--to", "2^63"],
        &["check", "nim", "n", "--to", "2^63"],
    ] {
        let args: Vec<&str> = args.iter().copied().chain(["--time", "20s"]).collect();
        assert_eq!(json_of(&args, 0)["status"], "proved", "{args:?}");
    }
}

#[test]
fn certificates_of_closed_forms() {
    let (path, file) = temporary("form.cert");
    let lasker =
        "grundy certificate 3\nsubject lasker\nclaim form preperiod 1 period 4 saltus 4\nvalues 0 1 2 4 3\nend\n";
    fs::write(&path, lasker).unwrap();
    let answer = json_of(&["verify", &file], 0);
    assert_eq!((&answer["accepted"], &answer["status"]), (&json!(true), &json!("proved")));
    assert_eq!(json_of(&["verify", &file, "--positions", "10"], 3)["accepted"], Value::Null);
    assert_eq!(run(&["verify", &file, "--sample", "10"]).code, Some(2));
    assert_eq!(run(&["verify", &file, "--table", &file]).code, Some(2));
    fs::write(&path, lasker.replace("4 3", "3 4")).unwrap();
    let answer = json_of(&["verify", &file], 1);
    assert_eq!(answer["reason"], "G(3) = 4, not 3: the option to leave 1 + 2 has this value");
    fs::write(&path, lasker.replace("lasker", "[take squares]")).unwrap();
    let outside = json_of(&["verify", &file], 2);
    assert!(outside["error"]["message"].as_str().is_some_and(|m| m.contains("squares are not regular")), "{outside}");
    fs::write(&path, lasker.replace(" 3\nend", "\nend")).unwrap();
    let damaged = run(&["verify", &file]);
    assert!(damaged.code == Some(2) && damaged.stderr.contains("line 5"), "{}", damaged.stderr);
}

#[test]
fn what_is_no_certificate_is_not_read_to_its_end() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("one-line.cert");
    fs::write(&path, vec![b'1'; 3 << 20]).unwrap();
    let mut files = vec![path.to_str().unwrap()];
    files.extend(std::path::Path::new("/dev/zero").exists().then_some("/dev/zero"));
    for file in files {
        let found = run(&["verify", file]);
        assert_eq!(found.code, Some(2), "{}", found.stderr);
        assert!(found.stderr.contains("line 1 is longer than 1 MiB"), "{}", found.stderr);
    }
}
