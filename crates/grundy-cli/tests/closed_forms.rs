//! `discover` and `prove` as they are typed.

use std::process::{Command, Output};

fn grundy(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(words).env_remove("GRUNDY_FORMAT").env("XDG_CONFIG_HOME", "/nonexistent").output().unwrap()
}

fn text(out: &Output) -> String {
    String::from_utf8(out.stdout.clone()).unwrap()
}

fn json(words: &[&str]) -> (serde_json::Value, Option<i32>) {
    let out = grundy(&[words, &["--format", "json"]].concat());
    (serde_json::from_slice(&out.stdout).unwrap(), out.status.code())
}

#[test]
fn forms_are_discovered() {
    let (answer, code) = json(&["discover", "lasker"]);
    assert_eq!(code, Some(0));
    assert_eq!(answer["formula"], "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n");
    assert_eq!((&answer["status"], &answer["period"], &answer["saltus"]), (&"proved".into(), &4.into(), &4.into()));
    assert!(answer["proved_in_ms"].as_f64().unwrap() > 0.0);
    let (answer, code) = json(&["discover", "[take squares]"]);
    assert_eq!((code, &answer["formula"], &answer["outside"]), (Some(0), &serde_json::Value::Null, &"squares".into()));
    let (answer, _) = json(&["discover", "[take k where 2*k >= n]"]);
    assert_eq!((&answer["formula"], &answer["status"]), (&"bitlength(n)".into(), &"proved".into()));
}

#[test]
fn long_formulas_give_way_to_the_period() {
    let out = text(&grundy(&["discover", "allbut[{1,5,6}]"]));
    for line in
        ["  G(n + 18) = G(n) + 6 for n >= 0\n", "  G(0), ..., G(17) = 0, 0, 1, 1, 2, 2,", "see --format json)\n"]
    {
        assert!(out.contains(line), "{out}");
    }
    let (answer, _) = json(&["discover", "allbut[{1,5,6}]"]);
    assert!(answer["formula"].as_str().is_some_and(|f| f.len() > 160), "{answer}");
    let automaton = text(&grundy(&["discover", "[take k where n mod 2 = 0]"]));
    assert!(automaton.contains("(automaton of 5 states, "), "{automaton}");
}

#[test]
fn claims_end_with_their_exit_codes() {
    for (words, code, wanted) in [
        (&["prove", "[take powers of 2]", "n mod 3"][..], 0, "Proved: the Grundy value"),
        (&["prove", "lasker", "n"], 1, "At heap 3 the claim says 3, the value is 4"),
        (&["prove", "--equal", "lasker", "[take any | split into a, b where a != b]"], 0, "the same Grundy values"),
        (&["prove", "--equal", "lasker", "nim"], 1, "They differ first at heap 3: 4 and 3."),
        (&["prove", "--zeros", "[take 1..3]"], 0, "has value 0 if and only if n mod 4 = 0"),
        (&["prove", "--zeros", "[take odd]", "n = 0"], 1, "At heap 2"),
        (&["prove", "--bounded", "[take odd]"], 0, "the largest value is 1"),
        (&["prove", "--bounded", "nim"], 1, "they grow without bound"),
    ] {
        let out = grundy(words);
        assert_eq!(out.status.code(), Some(code), "{words:?} {}", text(&out));
        assert!(text(&out).contains(wanted), "{words:?} {}", text(&out));
    }
    for (words, wanted) in [
        (&["prove", "[take squares]", "n * 0 + 0"][..], ""),
        (&["prove", "lasker"], "a claim is needed"),
        (&["prove", "lasker", "n +"], "n +"),
        (&["prove", "--equal", "lasker"], "--equal needs two rules"),
    ] {
        let out = grundy(words);
        let error = String::from_utf8(out.stderr.clone()).unwrap();
        assert!(matches!(out.status.code(), Some(1 | 2)) && error.contains(wanted), "{words:?} {error}");
    }
    let out = grundy(&["discover", "0.28", "--positions", "5000"]);
    assert_eq!(out.status.code(), Some(3), "{}", text(&out));
    assert!(!text(&out).contains("proved in"), "{}", text(&out));
}

#[test]
fn arithmetic_periods_are_proved_and_swept() {
    let (answer, code) = json(&["period", "0.8C", "--prove"]);
    assert_eq!(
        (code, &answer["status"], &answer["period"], &answer["saltus"]),
        (Some(0), &"proved".into(), &3.into(), &1.into())
    );
    let out = grundy(&["sweep", "0.Eh", "--prove"]);
    assert_eq!(out.status.code(), Some(0));
    for row in ["0.E8,1,1,1,,proved", "0.EF,1,1,1,,proved"] {
        assert!(text(&out).contains(row), "{}", text(&out));
    }
}

#[test]
fn certificates_of_forms_are_verified() {
    let dir = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("closed_forms");
    std::fs::create_dir_all(&dir).unwrap();
    for (name, words) in [
        ("a", &["discover", "lasker"][..]),
        ("b", &["period", "0.8C", "--prove"]),
        ("c", &["prove", "[take powers of 2]", "n mod 3"]),
        ("d", &["discover", "[take k where n mod 2 = 0]"]),
    ] {
        let path = dir.join(name);
        let file = path.to_str().unwrap();
        let out = grundy(&[words, &["--certificate", file]].concat());
        assert_eq!(out.status.code(), Some(0), "{words:?} {}", text(&out));
        let (answer, code) = json(&["verify", file]);
        assert_eq!((code, &answer["accepted"]), (Some(0), &true.into()), "{words:?} {answer}");
        let certificate = std::fs::read_to_string(&path).unwrap();
        let subject = certificate.lines().find(|l| l.starts_with("subject")).unwrap();
        std::fs::write(&path, certificate.replace(subject, "subject 0.6")).unwrap();
        assert_eq!(grundy(&["verify", file]).status.code(), Some(1), "{words:?}");
    }
    // what a theorem proves and automata cannot is certified by that theorem
    for (name, words) in [
        ("e", &["discover", "[take powers of 3]"][..]),
        ("f", &["discover", "0.165"]),
        ("g", &["prove", "--bounded", "0.56"]),
    ] {
        let path = dir.join(name);
        let file = path.to_str().unwrap();
        let out = grundy(&[words, &["--certificate", file]].concat());
        assert_eq!(out.status.code(), Some(0), "{words:?} {}", text(&out));
        let (answer, code) = json(&["verify", file]);
        assert_eq!((code, &answer["accepted"]), (Some(0), &true.into()), "{words:?} {answer}");
    }
    let file = dir.join("none");
    let out = grundy(&["prove", "--equal", "0.6", "0.6", "--certificate", file.to_str().unwrap()]);
    assert_eq!((out.status.code(), file.exists()), (Some(3), false), "no form of the values is proved");
    let out = grundy(&["discover", "[take squares]", "--certificate", file.to_str().unwrap()]);
    assert_eq!((out.status.code(), file.exists()), (Some(3), false));
}

#[test]
fn a_check_points_to_a_proof_that_is_in_reach() {
    let out = grundy(&["check", "[take k where k mod 3 = 1]", "n mod 3 + 0 * (n div 5)", "--to", "300"]);
    assert!(!text(&out).contains("grundy prove"), "what does not hold is not to be proved: {}", text(&out));
    let out = grundy(&["check", "[take 1, 2 | take 5]", "n mod 3 - 0", "--to", "300"]);
    assert!(
        text(&out).contains("For all heaps it is decided by: grundy prove '[take 1, 2 | take 5]' '"),
        "{}",
        text(&out)
    );
    // squares and products of n are beyond automata
    for (rule, formula) in [("[take squares]", "n mod 2"), ("[take 1..2]", "n * n - n * n + n mod 3")] {
        let out = grundy(&["check", rule, formula, "--to", "1"]);
        assert!(!text(&out).contains("grundy prove"), "{rule}: {}", text(&out));
    }
    let (answer, _) = json(&["check", "[take 1, 2 | take 5]", "n mod 3 - 0", "--to", "10"]);
    assert_eq!((&answer["provable"], &answer["status"]), (&true.into(), &"conjectured".into()));
}

#[test]
fn sequences_are_proved_by_automata_where_no_theorem_is() {
    let out = grundy(&["sequence", "[take powers of 2 | split]", "--to", "60", "--prove"]);
    assert!(text(&out).contains("period 6, preperiod 1\n") && text(&out).contains("Status: proved."), "{}", text(&out));
    // no period, but a form
    let file = std::env::temp_dir().join(format!("grundy-form-{}.cert", std::process::id()));
    let path = file.to_str().unwrap();
    let rule = "[take 1 | take k where 2*k = n]";
    let out = grundy(&["sequence", rule, "--to", "60", "--prove", "--format", "checksum", "--certificate", path]);
    let error = String::from_utf8(out.stderr.clone()).unwrap();
    assert!(out.status.code() == Some(0) && text(&out).lines().count() == 1, "{}", text(&out));
    assert!(error.contains("for every heap n") && error.contains("Status: proved."), "{error}");
    let checked = grundy(&["verify", path]);
    let _ = std::fs::remove_file(&file);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked));
}

const NIM: &str = "[a, b -> x, y where x < a and y = b or x = a and y < b]";
const TOTAL: &str = "[p, q -> x, y where x + y < p + q and p + q <= x + y + 3]";

#[test]
fn rules_on_several_heaps_are_conditions() {
    let (answer, code) = json(&["prove", NIM, "a = b"]);
    assert_eq!((code, &answer["holds"], &answer["game"]), (Some(0), &true.into(), &NIM.into()));
    let (answer, code) = json(&["prove", NIM, "a = b", "--tuple", "2", "--misere"]);
    assert_eq!((code, &answer["holds"], &answer["convention"]), (Some(1), &false.into(), &"misere".into()));
    assert_eq!(answer["counterexample"]["position"], serde_json::json!([0, 0]));
    let (answer, code) = json(&["discover", TOTAL, "--misere"]);
    assert_eq!((code, &answer["claim"], &answer["status"]), (Some(0), &"(p + q) mod 4 = 1".into(), &"proved".into()));
    assert_eq!(answer["heaps"], serde_json::json!(["p", "q"]));
    let out = grundy(&["discover", TOTAL]);
    let first = format!("{TOTAL}(p, q) is a P-position exactly if (p + q) mod 4 = 0 (status: proved).\n");
    assert!(out.status.success() && text(&out).starts_with(&first), "{}", text(&out));
}

#[test]
fn mistakes_in_rules_on_several_heaps_are_refused() {
    for (words, wanted) in [
        (&["prove", "[a, b -> x, y where x < a]", "a = b"][..], "the move (1, 0) -> (0, 2) makes the total larger"),
        (&["discover", "[a, b -> x, y where x <= a and y <= b]"], "leaves the position as it is"),
        (&["discover", "[a -> x where (a - x) xor 1 = 0]"], "a rule without a value for (0) -> (1)"),
        (&["prove", "[a, b => x, y where x < a]", "a = b"], "did you mean \"->\"?"),
        (&["prove", "[a, b -> x where x < a]", "a = b"], "2 heaps cannot become 1"),
        (&["prove", NIM, "n = b"], "unknown name \"n\" (the variables are a, b)"),
        (&["prove", NIM, "a = b", "--tuple", "3"], "leave --tuple out, or say --tuple 2"),
        (&["prove", NIM], "a claim is needed"),
        (&["prove", NIM, "--bounded"], "--bounded is not for a rule on several heaps"),
        (&["discover", NIM, "--to", "5"], "--to is not for a rule on several heaps"),
        (&["discover", NIM, "--certificate", "/dev/null"], "--certificate is not for a rule on several heaps"),
        (&["discover", "nim", "--misere"], "--misere needs --tuple K"),
        (&["discover", "nim", "--tuple", "2", "--to", "5"], "cannot be used with"),
        (&["prove", "--equal", "nim", "nim", "--tuple", "2"], "cannot be used with"),
        (&["solve", "[a -> x where x < a](5)"], "a rule with an arrow is not played here"),
    ] {
        let out = grundy(words);
        let error = String::from_utf8(out.stderr.clone()).unwrap();
        let flat = error.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(out.status.code() == Some(2) && flat.contains(wanted), "{words:?} {error}");
    }
}
