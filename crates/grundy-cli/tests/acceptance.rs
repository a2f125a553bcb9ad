//! The program as its users meet it: the real binary, its streams and its exit codes.

use std::{
    fs,
    io::{Read, Write},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

const GRUNDY: &str = env!("CARGO_BIN_EXE_grundy");

/// "At once", on a machine that has other work to do.
const AT_ONCE: Duration = Duration::from_secs(5);

/// What a run left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    elapsed: Duration,
}

impl Run {
    /// The only JSON object on stdout.
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {:?} {:?}", self.stdout, self.stderr))
    }

    /// One JSON value a line.
    fn lines(&self) -> Vec<Value> {
        let read = |l: &str| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"));
        self.stdout.lines().map(read).collect()
    }
}

/// The program without what the surroundings may set.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(GRUNDY);
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_POSITIONS", "GRUNDY_THREADS", "GRUNDY_FORMAT", "HOME"] {
        command.env_remove(key);
    }
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR")).env("NO_COLOR", "1").args(args);
    command
}

fn run_with(args: &[&str], input: &str) -> Run {
    let start = Instant::now();
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program reads its input");
    let out = child.wait_with_output().expect("the program ends");
    Run {
        code: out.status.code(),
        stdout: String::from_utf8(out.stdout).expect("UTF-8"),
        stderr: String::from_utf8(out.stderr).expect("UTF-8"),
        elapsed: start.elapsed(),
    }
}

fn run(args: &[&str]) -> Run {
    run_with(args, "")
}

/// `solve … --format json` with exit code 0.
fn solve(args: &[&str]) -> Value {
    let all: Vec<&str> = ["solve"].into_iter().chain(args.iter().copied()).chain(["--format", "json"]).collect();
    let run = run(&all);
    assert_eq!(run.code, Some(0), "{args:?}: {} {}", run.stdout, run.stderr);
    run.json()
}

/// As [`solve`], at once.
fn solve_at_once(args: &[&str]) -> Value {
    let start = Instant::now();
    let answer = solve(args);
    assert!(start.elapsed() < AT_ONCE, "{args:?} took {:?}", start.elapsed());
    answer
}

/// The moves as "from -> to".
fn moves(answer: &Value) -> Vec<String> {
    let text = |m: &Value, key: &str| m[key].as_str().expect("a text").to_owned();
    answer["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| format!("{} -> {}", text(m, "from"), text(m, "to")))
        .collect()
}

fn temporary(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the folder for tests can be written");
    path
}

#[test]
fn three_heaps_of_nim_in_both_conventions() {
    let normal = solve(&["3", "5", "7"]);
    assert_eq!(
        (&normal["outcome"], &normal["value"], &normal["convention"]),
        (&json!("N"), &json!(1), &json!("normal"))
    );
    assert_eq!(moves(&normal), ["nim(3) -> nim(2)", "nim(5) -> nim(4)", "nim(7) -> nim(6)"]);
    assert_eq!(normal["moves_total"], 3);
    assert_eq!(normal["moves_complete"], true);
    assert_eq!(normal["game"], "nim(3, 5, 7)");
    assert_eq!(normal["schema"], 1);

    let misere = solve(&["3", "5", "7", "--misere"]);
    assert_eq!(
        (&misere["outcome"], &misere["value"], &misere["convention"]),
        (&json!("N"), &Value::Null, &json!("misere"))
    );
    assert_eq!(moves(&misere), moves(&normal));

    for text in [["3,5,7"], ["nim(3, 5, 7)"], [" 3 5 7 "]] {
        assert_eq!(moves(&solve(&text)), moves(&normal), "{text:?}");
    }
}

#[test]
fn the_end_of_misere_nim() {
    let lost = solve(&["--misere", "1", "1", "1"]);
    assert_eq!((&lost["outcome"], &lost["moves_total"], &lost["moves"]), (&json!("P"), &json!(0), &json!([])));
    let one = solve(&["--misere", "1", "1", "2"]);
    assert_eq!((&one["outcome"], moves(&one)), (&json!("N"), vec!["nim(2) -> nim(1)".to_owned()]));
    assert_eq!((&one["moves"][0]["component"], &one["moves"][0]["result"]), (&json!(2), &json!("nim(1, 1, 1)")));
    let zero = solve(&["--misere", "1", "2"]);
    assert_eq!(zero["moves"].as_array().map(Vec::len), Some(1));
    assert_eq!((&zero["moves"][0]["from"], &zero["moves"][0]["to"]), (&json!("nim(2)"), &json!("0")));
}

#[test]
fn laskers_nim_breaks_the_seven() {
    let answer = solve(&["lasker(2,5,7)"]);
    assert_eq!((&answer["outcome"], &answer["value"]), (&json!("N"), &json!(15)));
    assert_eq!(moves(&answer), ["lasker(7) -> lasker(1, 6)", "lasker(7) -> lasker(2, 5)", "lasker(7) -> lasker(3, 4)"]);
    assert_eq!(answer["moves"][0]["result"], "lasker(2, 5, 1, 6)");
}

#[test]
fn three_rules_in_one_sum() {
    let answer = solve(&["[take 1..3](12) + [take odd](9) + nim(4,7)"]);
    assert_eq!((&answer["outcome"], &answer["value"]), (&json!("N"), &json!(2)));
    assert_eq!(answer["game"], "[take 1..3](12) + [take odd](9) + nim(4, 7)");
}

#[test]
fn nim_beside_kayles() {
    let game = "nim(3,5,7) + kayles(15)";
    let misere = solve(&["--misere", game]);
    assert_eq!(misere["outcome"], "N");
    let kayles = ["kayles(15) -> kayles(13)", "kayles(15) -> kayles(3, 10)", "kayles(15) -> kayles(6, 7)"];
    assert_eq!(moves(&misere), [["nim(5) -> nim(1)", "nim(7) -> nim(3)"].as_slice(), &kayles].concat());
    assert_eq!((&misere["moves_total"], &misere["moves_complete"]), (&json!(5), &json!(true)));
    let normal = solve(&[game]);
    assert_eq!(moves(&normal), [["nim(5) -> nim(3)", "nim(7) -> nim(1)"].as_slice(), &kayles].concat());
}

#[test]
fn nothing_to_move() {
    for game in ["0", "nim()", "nim(0,0)"] {
        for (convention, outcome) in [("normal", "P"), ("misere", "N")] {
            let args: &[&str] = if convention == "misere" { &[game, "--misere"] } else { &[game] };
            let answer = solve(args);
            assert_eq!((&answer["outcome"], &answer["moves"]), (&json!(outcome), &json!([])), "{game} {convention}");
            assert_eq!((&answer["moves_total"], &answer["suggestion"]), (&json!(0), &Value::Null), "{game}");
            assert_eq!(answer["value"], if convention == "normal" { json!(0) } else { Value::Null });
        }
    }
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    for (game, span, hint) in [
        ("nim(-1)", json!([4, 6]), ""),
        ("kayels(15)", json!([0, 6]), "kayles"),
        ("0.9Z", Value::Null, ""),
        ("nim(99999999999999999999)", json!([4, 24]), ""),
        ("grundy(5)", json!([0, 6]), "grundy_game"),
        ("10^9x kayles(5)", json!([0, 15]), "cancel"),
    ] {
        let as_json = run(&["solve", game, "--format", "json"]);
        assert_eq!(as_json.code, Some(2), "{game}");
        let answer = as_json.json();
        let error = &answer["error"];
        for key in ["code", "message", "span", "hint"] {
            assert!(error.get(key).is_some(), "{game}: no {key} in {answer}");
        }
        assert!(error["code"].is_string() && error["message"].is_string(), "{answer}");
        if !span.is_null() {
            assert_eq!(error["span"], span, "{answer}");
        }
        assert!(
            error["hint"].as_str().is_some_and(|h| !h.is_empty() && h.contains(hint)),
            "{game}: no remedy in {answer}"
        );

        let as_text = run(&["solve", game]);
        assert_eq!((as_text.code, as_text.stdout.as_str()), (Some(2), ""), "{game}");
        let caret = as_text.stderr.contains("here") && as_text.stderr.contains(&game[..3]);
        assert!(caret, "no caret: {}", as_text.stderr);
        assert!(as_text.stderr.contains(error["hint"].as_str().unwrap_or("?")), "no remedy: {}", as_text.stderr);
    }
}

#[test]
fn huge_heaps_are_answered_at_once() {
    for (game, value) in [
        ("kayles(10^12)", json!(1)),
        ("lasker(2147483647)", json!(2_147_483_648u64)),
        ("nim(2^63)", json!("9223372036854775808")),
        ("[take 1..3](10^18+3)", json!(3)),
        ("[take any but 3, 5](10^15)", json!(499_999_999_999_999u64)),
        ("allbut[{2, 3, 7}](10^18)", json!("500000000000000000")),
    ] {
        let answer = solve_at_once(&[game, "--limit", "10"]);
        assert_eq!((&answer["value"], &answer["status"]), (&value, &json!("proved")), "{game}");
    }
    let sum = solve_at_once(&["lasker(2^62-1, 2^62)", "--limit", "5"]);
    assert_eq!(sum["game"], "lasker(4611686018427387903, 4611686018427387904)");
    assert_eq!((&sum["value"], &sum["moves_total"]), (&json!("9223372036854775807"), &json!("2305843009213693952")));
    assert_eq!((sum["moves"].as_array().map(Vec::len), &sum["moves_complete"]), (Some(5), &json!(false)));
    let queen = solve_at_once(&["wythoff(10^18, 618033988749894848)"]);
    assert_eq!((&queen["outcome"], queen["moves"].as_array().map(Vec::len)), (&json!("P"), Some(0)));
    let cold = solve_at_once(&["wythoff(161803398874989484, 261803398874989484)", "--misere"]);
    assert_eq!(cold["outcome"], "P");
    solve_at_once(&["euclid(10^18+9, 10^9)"]);
    solve_at_once(&["moore[2](2^63, 2^63, 2^63)"]);
}

#[test]
fn a_heap_out_of_reach_stops_with_its_reason() {
    let run = run(&["solve", "0.06(10^12)", "--time", "300ms", "--format", "json"]);
    assert_eq!(run.code, Some(3), "{}", run.stdout);
    let answer = run.json();
    assert_eq!(
        (&answer["value"], &answer["outcome"], &answer["status"]),
        (&Value::Null, &Value::Null, &json!("stopped"))
    );
    assert!(answer["stop"]["limit"].is_string() && answer["stop"]["reached"].is_string(), "{answer}");
    assert!(run.elapsed < AT_ONCE);
    // a limit within reach of the memory is met by the clock
    let slow = self::run(&["solve", "0.06(10^7)", "--time", "300ms", "--format", "json"]);
    assert_eq!((slow.code, slow.json()["stop"]["limit"].clone()), (Some(3), json!("time")));
    assert!(slow.elapsed < AT_ONCE);
    let full = self::run(&["solve", "0.06(10^5)", "--memory", "1", "--time", "none", "--format", "json"]);
    let stop = &full.json()["stop"];
    assert_eq!((full.code, &stop["limit"]), (Some(3), &json!("memory")), "{}", full.stdout);
    assert!(stop["reached"].as_str().is_some_and(|r| r.contains("heap 100000") && r.contains("0.06")), "{stop}");
    let none = self::run(&["solve", "nim(5) + 0.06(10^5)", "--memory", "0", "--format", "json"]).json();
    assert!(none["stop"]["reached"].as_str().is_some_and(|r| r.contains("heap 100000 of 0.06")), "{none}");
    let few = self::run(&["solve", "0.06(1000)", "--positions", "10", "--format", "json"]);
    assert_eq!((few.code, few.json()["stop"]["limit"].clone()), (Some(3), json!("positions")));
}

#[test]
fn a_stream_goes_on_after_a_bad_line() {
    let run = run_with(&["solve", "-"], "3 5 7\n# a comment\n\nkayels(3)\nkayles(5)\nnim(-1)\n0\n");
    assert_eq!(run.code, Some(2));
    let lines = run.lines();
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["value"], &lines[2]["value"], &lines[4]["value"]), (&json!(1), &json!(4), &json!(0)));
    assert_eq!((&lines[1]["error"]["line"], &lines[3]["error"]["line"]), (&json!(4), &json!(6)));
    assert!(lines[1]["error"]["hint"].as_str().is_some_and(|h| h.contains("kayles")));

    let good = run_with(&["solve", "-", "--misere"], "1 1 1\n1 1 2");
    assert_eq!(good.code, Some(0));
    let outcomes: Vec<Value> = good.lines().iter().map(|l| l["outcome"].clone()).collect();
    assert_eq!(outcomes, [json!("P"), json!("N")]);
}

#[test]
fn equal_heaps_are_listed_or_counted() {
    let each = solve(&["1", "1", "1"]);
    assert_eq!(moves(&each), ["nim(1) -> 0"; 3]);
    let components: Vec<&Value> = each["moves"].as_array().unwrap().iter().map(|m| &m["component"]).collect();
    assert_eq!(components, [&json!(0), &json!(1), &json!(2)]);
    assert!(each["moves"].as_array().unwrap().iter().all(|m| m["count"] == 1));

    let distinct = solve(&["1", "1", "1", "--distinct"]);
    assert_eq!(moves(&distinct), ["nim(1) -> 0"]);
    assert_eq!((&distinct["moves"][0]["count"], &distinct["moves_total"]), (&json!(3), &json!(3)));
    assert_eq!(distinct["moves_complete"], true);

    let copies = solve(&["3x kayles(5) + nim(2)", "--misere", "--distinct"]);
    assert_eq!(copies["game"], "kayles(5, 5, 5) + nim(2)");
    let power = solve(&["10^3 x kayles(5) + 2 x nim(2)"]);
    assert_eq!((&power["outcome"], power["game"].as_str().map(|g| g.matches('5').count())), (&json!("P"), Some(1000)));
}

#[test]
fn moves_counted_cut_or_left_out() {
    let count = solve(&["3 5 7", "--moves", "count"]);
    assert_eq!(
        (&count["moves"], &count["moves_total"], &count["moves_complete"]),
        (&json!([]), &json!(3), &json!(false))
    );
    let none = solve(&["3 5 7", "--moves", "none"]);
    assert_eq!((&none["moves"], &none["outcome"]), (&json!([]), &json!("N")));
    let cut = solve(&["3 5 7", "--limit", "2"]);
    assert_eq!(moves(&cut), ["nim(3) -> nim(2)", "nim(5) -> nim(4)"]);
    assert_eq!((&cut["moves_total"], &cut["moves_complete"]), (&json!(3), &json!(false)));
    let misere = solve(&["kayles(5, 5)", "--misere", "--moves", "count"]);
    assert_eq!((&misere["moves_total"], &misere["moves"]), (&json!(2), &json!([])));
}

#[test]
fn a_lost_position_gets_a_suggestion() {
    let answer = solve(&["nim(3, 3)"]);
    assert_eq!(answer["outcome"], "P");
    assert!(answer["suggestion"]["from"].is_string(), "{answer}");
    let won = solve(&["nim(3)"]);
    assert_eq!(won["suggestion"], Value::Null);
}

#[test]
fn explanations_and_remoteness_on_request() {
    let plain = solve(&["3 5 7"]);
    assert!(plain.get("explanation").is_none() && plain.get("remoteness").is_none());
    let explained = solve(&["--explain", "--remoteness", "nim(3,5,7) + kayles(15)", "--misere"]);
    assert!(explained["explanation"].as_array().is_some_and(|e| !e.is_empty()));
    assert_eq!(solve(&["--remoteness", "nim(2)"])["remoteness"], 1);
    assert_eq!(solve(&["--remoteness", "nim(2)", "--misere"])["remoteness"], 2);
    let text = run(&["solve", "--explain", "3 5 7"]);
    assert!(text.stdout.contains("taking the last object wins"), "{}", text.stdout);
}

#[test]
fn treblecross_has_no_misere_play() {
    assert_eq!(solve(&["treblecross(6)"])["outcome"], "P");
    let refused = run(&["solve", "treblecross(6)", "--misere", "--format", "json"]);
    assert_eq!((refused.code, refused.json()["error"]["code"].clone()), (Some(2), json!("refused")));
}

#[test]
fn wrong_usage_ends_with_two() {
    assert_eq!(run(&["solve"]).code, Some(2));
    assert_eq!(run(&["frobnicate"]).code, Some(2));
    assert_eq!(run(&["solve", "3", "--time", "soon"]).code, Some(2));
    assert_eq!(run(&["--version"]).code, Some(0));
    assert_eq!(run(&["--help"]).code, Some(0));
    // flags that would have no effect
    for (args, remedy) in [
        (&["sequence", "kayles", "--offset", "1"][..], "--format bfile"),
        (&["sequence", "kayles", "--width", "2", "--format", "csv"], "--format raw"),
        (&["verify", "kayles.cert", "--seed", "7"], "--sample"),
    ] {
        let refused = run(args);
        assert!(refused.code == Some(2) && refused.stderr.contains(remedy), "{args:?}: {}", refused.stderr);
    }
}

#[test]
fn wrong_usage_is_an_object_where_json_is_wanted() {
    for args in [
        &["solve", "--format", "json"][..],
        &["solve", "3", "--format=json", "--misère"],
        &["sequence", "--format", "ndjson", "kayles", "--tow", "5"],
        &["period", "--format", "json", "kayles", "--to", "-1"],
    ] {
        let wrong = run(args);
        let error = wrong.json()["error"].clone();
        assert_eq!((wrong.code, wrong.stderr.as_str(), &error["code"]), (Some(2), "", &json!("usage")), "{args:?}");
        let message = error["message"].as_str().expect("a message");
        assert!(!message.is_empty() && !message.starts_with("error") && !message.contains('\n'), "{args:?}: {error}");
        // the remedy stands in the message where clap has no more to say
        assert!(error["hint"].is_string() || message.contains("invalid value"), "{args:?}: {error}");
    }
    let from_environment = program(&["solve"]).env("GRUNDY_FORMAT", "json").output().expect("the program runs");
    assert!(from_environment.stdout.starts_with(b"{\"error\""));
    // help stays help
    let help = run(&["solve", "--format", "json", "--help"]);
    assert!(help.code == Some(0) && help.stdout.contains("Usage"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_named() {
    for args in [&["solve", "3", "5"][..], &["sequence", "kayles"], &["games"], &["--help"]] {
        let full = fs::File::options().write(true).open("/dev/full").expect("the device");
        let output = program(args).stdout(full).output().expect("the program runs");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(4), "{args:?}: {stderr}");
        assert!(stderr.contains("standard output: No space left on device"), "{args:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = program(&["sequence", "kayles", "--to", "3000000", "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = child.stdout.take().expect("piped");
    let mut head = [0; 8];
    out.read_exact(&mut head).expect("some lines come");
    drop(out);
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!((child.wait().expect("it ends").code(), stderr.as_str()), (Some(0), ""));
    assert_eq!(&head, b"n,value\n");
}

/// Sends a signal by the system's own program, so that no crate is needed for it; standard input stays open meanwhile.
#[cfg(unix)]
fn signalled(args: &[&str], input: &str, signal: &str) -> (Option<i32>, String) {
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut open = child.stdin.take().expect("piped");
    open.write_all(input.as_bytes()).expect("the program reads its input");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success(), "the program had ended before the signal");
    let mut stdout = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut stdout).expect("UTF-8");
    let code = child.wait().expect("it ends").code();
    drop(open);
    (code, stdout)
}

#[cfg(unix)]
#[test]
fn interrupted_runs_say_so() {
    let args = ["solve", "0.06(10^8)", "--time", "none", "--format", "json"];
    let (code, stdout) = signalled(&args, "", "-INT");
    assert_eq!(code, Some(130), "{stdout}");
    let answer: Value = serde_json::from_str(&stdout).expect("an answer with its stop");
    assert_eq!((&answer["stop"]["limit"], &answer["value"]), (&json!("interrupted"), &Value::Null));
    let (code, _) = signalled(&args, "", "-TERM");
    assert_eq!(code, Some(143));
    // while it waits for a line, what was answered before is out already
    let (code, stdout) = signalled(&["solve", "-"], "3 5 7\n", "-INT");
    assert_eq!((code, stdout.lines().count()), (Some(130), 1));
}

#[test]
fn check_holds_or_gives_the_smallest_counterexample() {
    let holds = run(&["check", "lasker", "n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n", "--format", "json"]);
    assert_eq!(holds.code, Some(0), "{}", holds.stdout);
    let answer = holds.json();
    assert_eq!(
        (&answer["holds"], &answer["counterexample"], &answer["checked_to"]),
        (&json!(true), &Value::Null, &json!(10_000))
    );

    let fails = run(&["check", "lasker", "n", "--format", "json"]);
    assert_eq!(fails.code, Some(1));
    let answer = fails.json();
    assert_eq!(answer["holds"], false);
    let c = &answer["counterexample"];
    assert_eq!((&c["n"], &c["guessed"], &c["actual"]), (&json!(3), &json!(3), &json!(4)));
    assert!(c["why"].as_str().is_some_and(|w| w.contains("lasker(1, 2)")), "{c}");

    let high = run(&["check", "[take 1..3]", "n mod 5", "--format", "json"]).json();
    assert_eq!(high["counterexample"]["n"], 4);
    assert!(high["counterexample"]["why"].as_str().is_some_and(|w| w.contains("no option")), "{high}");

    let negative = run(&["check", "nim", "n - 1", "--format", "json"]).json();
    assert_eq!((&negative["counterexample"]["n"], &negative["counterexample"]["guessed"]), (&json!(0), &json!(-1)));

    let text = run(&["check", "[take 1..3]", "n bitand 3", "--to", "10^3"]);
    assert!(text.code == Some(0) && text.stdout.contains("no proof"), "{}", text.stdout);
    let theorem = run(&["check", "[take 1..3]", "n mod 4"]);
    assert!(theorem.code == Some(0) && theorem.stdout.contains("status: proved"), "{}", theorem.stdout);

    let wrong = run(&["check", "nim", "n mod", "--format", "json"]);
    assert_eq!((wrong.code, wrong.json()["error"]["code"].clone()), (Some(2), json!("syntax")));
    let tuple = run(&["check", "wythoff", "n", "--format", "json"]);
    assert_eq!(tuple.code, Some(2));
}

#[test]
fn check_reads_bfiles_strictly() {
    let good = temporary("good.txt", "# values of Kayles\n0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n");
    let path = good.to_str().expect("UTF-8");
    let run_it = |path: &str| run(&["check", "kayles", "--bfile", path, "--format", "json"]);
    let holds = run_it(path);
    assert_eq!((holds.code, holds.json()["holds"].clone()), (Some(0), json!(true)), "{}", holds.stdout);

    let gap = temporary("gap.txt", "0 0\n1 1\n3 3\n");
    let refused = run_it(gap.to_str().expect("UTF-8"));
    assert_eq!(refused.code, Some(2));
    let answer = refused.json();
    assert!(
        answer["error"]["message"].as_str().is_some_and(|m| m.contains("gap: expected n=2, got 3 on line 3")),
        "{answer}"
    );

    let wrong = temporary("wrong.txt", "0 0\n1 1\n2 2\n3 3\n4 4\n");
    let fails = run_it(wrong.to_str().expect("UTF-8"));
    assert_eq!(fails.code, Some(1));
    let c = &fails.json()["counterexample"];
    assert_eq!((&c["n"], &c["actual"], &c["line"]), (&json!(4), &json!(1), &json!(5)));

    let missing = run_it("/nonexistent/b-file.txt");
    assert_eq!((missing.code, missing.json()["error"]["code"].clone()), (Some(4), json!("file")));
}

#[test]
fn sequences_in_every_format() {
    let in_format = |format: &str| run(&["sequence", "kayles", "--to", "5", "--format", format]);
    assert_eq!(in_format("text").stdout, "0 1 2 3 1 4\n");
    assert_eq!(in_format("csv").stdout, "n,value\n0,0\n1,1\n2,2\n3,3\n4,1\n5,4\n");
    assert_eq!(in_format("bfile").stdout, "0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n");
    let records: Vec<Value> = [0, 1, 2, 3, 1, 4].iter().enumerate().map(|(n, v)| json!({"n": n, "value": v})).collect();
    assert_eq!(in_format("ndjson").lines(), records);
    let object = in_format("json").json();
    assert_eq!((&object["values"], &object["game"]), (&json!([0, 1, 2, 3, 1, 4]), &json!("kayles")));
    let long = run(&["sequence", "0.77", "--to", "400", "--format", "json"]).json();
    assert_eq!(long["period"], json!({"period": 12, "preperiod": 71, "saltus": 0}));
    assert_eq!(long["values"].as_array().map(Vec::len), Some(401));
    let offset = run(&["sequence", "nim", "--to", "2", "--format", "bfile", "--offset", "-1"]);
    assert_eq!(offset.stdout, "-1 0\n0 1\n1 2\n");
    let stopped = run(&["sequence", "0.06", "--to", "1000000", "--time", "300ms", "--format", "json"]);
    assert_eq!((stopped.code, stopped.json()["stop"]["limit"].clone()), (Some(3), json!("time")));
    // what bfile writes, check reads
    let written = temporary("kayles.txt", &run(&["sequence", "kayles", "--to", "200", "--format", "bfile"]).stdout);
    assert_eq!(run(&["check", "kayles", "--bfile", written.to_str().expect("UTF-8")]).code, Some(0));
}

#[test]
fn what_a_command_does_not_do_another_is_named_for() {
    let seen = run(&["period", "0.3F", "--to", "300"]);
    assert!(
        seen.stdout.ends_with("  grundy period '0.3F' --prove looks for a proof, by automata too\n"),
        "{}",
        seen.stdout
    );
    assert!(!run(&["period", "0.3F", "--to", "300", "--prove"]).stdout.contains("looks for"));
    let half = run(&["formula", "[take k where 2*k <= n]", "--lang", "c"]);
    assert_eq!(half.code, Some(3));
    let recurrence = "a recurrence is proved, G(n): n mod 2 = 0: n div 2; else G(n - n div 2 - 1)\n";
    assert!(half.stderr.contains(recurrence), "{}", half.stderr);
    let period = run(&["period", "[take k where 2*k <= n]"]).stdout;
    assert!(period.contains("recurrence, G(n): n mod 2 = 0: n div 2; else G("), "{period}");
}

#[test]
fn lost_pairs_of_heaps_are_listed_in_both_orders() {
    let misere = run(&["table", "nim", "4x4", "--misere", "--p-positions"]).stdout;
    assert_eq!(misere, "(0, 1)\n(1, 0)\n(2, 2)\n(3, 3)\n");
    // as far as the box goes
    let kayles =
        |shape| run(&["table", "kayles", shape, "--p-positions", "--format", "json"]).json()["p_positions"].clone();
    assert_eq!(kayles("5x2"), json!([[0, 0], [1, 1], [4, 1]]));
    assert_eq!(kayles("2x5"), json!([[0, 0], [1, 1], [1, 4]]));
}

#[test]
fn tables_of_wythoff() {
    let table = run(&["table", "wythoff", "8x8", "--format", "json"]);
    assert_eq!(table.code, Some(0));
    let rows = table.json()["values"].clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(8));
    assert_eq!(rows[3], json!([3, 4, 5, 6, 2, 0, 1, 9]));
    assert_eq!(rows[7], json!([7, 8, 6, 9, 0, 1, 4, 5]));
    let text = run(&["table", "wythoff", "3x3"]).stdout;
    assert_eq!(text, "  | 0 1 2\n--+------\n0 | 0 1 2\n1 | 1 2 0\n2 | 2 0 1\n");
    assert_eq!(run(&["table", "kayles", "--to", "5"]).stdout, "0 1 2 3 1 4\n");
    let lost = run(&["table", "wythoff", "8x8", "--p-positions", "--format", "json"]).json();
    let lost: Vec<Value> = lost["p_positions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|p| p[0].as_u64() <= p[1].as_u64())
        .cloned()
        .collect();
    assert_eq!(json!(lost), json!([[0, 0], [1, 2], [3, 5], [4, 7]]));
    let misere = run(&["table", "wythoff", "4x4", "--p-positions", "--misere"]).stdout;
    assert!(misere.contains("(2, 2)") && !misere.contains("(0, 0)"), "{misere}");
    let list = run(&["table", "kayles", "6", "--format", "json"]).json();
    assert_eq!(list["values"], json!([0, 1, 2, 3, 1, 4]));
    for shape in ["8by8", "0", "0x5", "3x3x3"] {
        assert_eq!(run(&["table", "wythoff", shape]).code, Some(2), "{shape}");
    }
    // numbers as everywhere, and a limit that is named
    assert_eq!(run(&["table", "wythoff", "2^1x3"]).stdout.lines().count(), 4);
    for shape in [&["10^9x10^9"][..], &["2^64"], &["--to", "10^9"]] {
        let large = run(&[&["table", "wythoff"], shape].concat());
        assert!(large.code == Some(2) && large.stderr.contains("at most 268435456 entries"), "{}", large.stderr);
    }
}

#[test]
fn the_catalogue_and_the_manual() {
    let games = run(&["games"]);
    assert!(games.code == Some(0) && games.stdout.contains("lasker") && games.stdout.contains("wythoff"));
    let listed = run(&["games", "--format", "json"]).json();
    let examples: Vec<String> = listed["games"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|g| g["example"].as_str().expect("an example").to_owned())
        .collect();
    assert!(examples.len() >= 14);
    for example in &examples {
        assert_eq!(run(&["solve", example]).code, Some(0), "{example}");
    }
    assert_eq!(run(&["games", "lasker", "--format", "json"]).json()["code"], "4.[3]");
    assert_eq!(run(&["games", "kayels"]).code, Some(2));
    let completions = run(&["completions", "bash"]);
    assert!(completions.code == Some(0) && completions.stdout.contains("_grundy"));
    let page = run(&["man"]);
    assert!(page.code == Some(0) && page.stdout.contains(".TH grundy"));
}
