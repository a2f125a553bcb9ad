//! Every judge problem that is answered, against its sample and against cases found by other means.

use grundy::{
    Budget,
    judge::{Catalogue, Found, Given, Problem, Program},
};
use serde_json::Value;

fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn preset(name: &str) -> &'static Problem {
    match Catalogue::built_in().find(name) {
        Found::Preset(p) => p,
        other => panic!("{name}: {other:?}"),
    }
}

fn answer(problem: &Problem, input: &str) -> String {
    let program = Program::new(problem).unwrap_or_else(|e| panic!("{}: {e} {:?}", problem.name, e.place()));
    let mut out = Vec::new();
    let result = program.run(input.as_bytes(), &mut out, &Budget::default());
    let out = String::from_utf8(out).unwrap();
    result.unwrap_or_else(|e| panic!("{}: {e}\nof {input}\nanswered {out}", problem.name));
    out
}

#[test]
fn the_list_can_be_read() {
    Catalogue::parse(include_str!("../src/judge/presets.toml")).unwrap();
    let known = Catalogue::built_in();
    assert!(known.presets.len() >= 70);
    let mut names: Vec<&String> = known.presets.iter().flat_map(|p| p.aliases.iter().chain([&p.name])).collect();
    names.extend(known.out_of_reach.iter().chain(&known.not_impartial).map(|u| &u.name));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(all, names.len(), "a name is taken twice");
    for p in &known.presets {
        assert!(!p.title.is_empty() && !p.theory.is_empty() && !p.ranges.is_empty(), "{}", p.name);
    }
}

#[test]
fn samples_are_answered_to_the_letter() {
    for sample in lines("judge_samples.jsonl") {
        let name = sample["problem"].as_str().unwrap();
        let got = answer(preset(name), sample["in"].as_str().unwrap());
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned();
        assert_eq!(trimmed(&got), trimmed(sample["out"].as_str().unwrap()), "{name}");
    }
}

#[test]
fn cases_found_by_other_means_agree() {
    for case in lines("judge_cases.jsonl") {
        let name = case["problem"].as_str().unwrap();
        // the number of the line is not what is tested here
        let problem = Problem { prefix: String::new(), ..preset(name).clone() };
        let given = |value: &Value| match value {
            Value::Array(list) => Given::List(list.iter().map(|n| n.as_u64().unwrap()).collect()),
            Value::String(word) => Given::Word(word.clone()),
            number => Given::Number(number.as_u64().unwrap()),
        };
        let values = case["values"].as_object().unwrap();
        let values: Vec<(&str, Given)> = values.iter().map(|(k, v)| (k.as_str(), given(v))).collect();
        let program = Program::new(&problem).unwrap();
        let input = program.input_of(&values).unwrap_or_else(|e| panic!("{name}: {e} {values:?}"));
        let got = answer(&problem, &input);
        assert_eq!(got.trim_end(), case["out"].as_str().unwrap(), "{name} {values:?}");
    }
}

#[test]
fn the_green_game_as_its_cases_say() {
    let folder = format!("{}/../../testdata/facts/green_game", env!("CARGO_MANIFEST_DIR"));
    let mut inputs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    inputs.retain(|f| f.extension().is_some_and(|e| e == "in"));
    assert_eq!(inputs.len(), 4);
    for path in inputs {
        let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
        assert_eq!(answer(preset("green-game"), &read(&path)), read(&path.with_extension("out")), "{}", path.display());
    }
}

#[test]
fn special_games_far_beyond_the_limits() {
    // neighbours in Fibonacci's sequence last 90 moves
    assert_eq!(run(preset("hdu-3595"), "2 7540113804746346429 4660046610375530309 6 4").0, "GG\n");
    let boxes = "1 1000000000000000000 999999999 1 1000000000000000000 999999998 0";
    assert_eq!(run(preset("hdu-1729"), boxes).0, "Case 1:\nNo\nCase 2:\nYes\n");
    assert_eq!(run(preset("hdu-2486"), "1 7540113804746346430 2").0, "Case 1: 1\n");
    // a corridor is a path of places: Dawson's Kayles with a heap as long as the corridor
    for length in [35, 36, 129, 180] {
        let row = "0".repeat(length);
        let corridor = run(preset("hdu-1760"), &format!("2 {length}\n{row}\n{row}\n")).0;
        let heap = run(preset("hdu-4664"), &format!("1\n1\n{length}\n")).0;
        assert_eq!(corridor == "Yes\n", heap == "Carol\n", "{length}");
    }
    let path: String = (0..99_999).map(|v| format!("1 {v}\n")).collect();
    let input = format!("100000\n0\n{path}2 99999 1\n1 99998\n1 99999\n0\n");
    assert_eq!(run(preset("poj-2425"), &input).0, "LOSE\nLOSE\nWIN\n");
}

/// What a problem answers, and what it says is wrong.
fn run(problem: &Problem, input: &str) -> (String, Option<String>) {
    let mut out = Vec::new();
    let result = Program::new(problem).unwrap().run(input.as_bytes(), &mut out, &Budget::default());
    (String::from_utf8(out).unwrap(), result.err().map(|e| e.to_string()))
}

fn nim(layout: &str) -> Problem {
    Problem { layout: layout.into(), game: Some("nim".into()), ..Problem::default() }
}

#[test]
fn layouts_with_a_name() {
    assert_eq!(run(&nim("lines"), "1 2 3\n\n4\r\n"), ("second\nsecond\nfirst\n".into(), None));
    assert_eq!(run(&nim("lines"), ""), (String::new(), None));
    assert_eq!(run(&nim("lines"), "\n"), ("second\n".into(), None));
    assert_eq!(run(&nim("counted"), "2\n1 5\n2\n3\n3"), ("first\nsecond\n".into(), None));
    assert_eq!(run(&nim("counted-eof"), "1 5 2 3 3 0"), ("first\nsecond\nsecond\n".into(), None));
    assert_eq!(run(&nim("until-zero"), "1 5 0 7 7"), ("first\n".into(), None));
    // the zero may be missing
    assert_eq!(run(&nim("until-zero"), "1 5\n"), ("first\n".into(), None));
}

#[test]
fn faults_of_the_input_have_a_case_and_a_place() {
    let fault = |layout: &str, input: &str| run(&nim(layout), input).1.unwrap();
    assert_eq!(fault("counted", "1\n2\n5 x"), "case 1: line 3, column 3: expected a whole number, found \"x\"");
    let ended = "expected a whole number, found the end of the input";
    assert_eq!(fault("counted", "3\n1\n5\n2\n7"), format!("case 2: line 5, column 2: {ended}"));
    assert_eq!(fault("counted", "2\n1\n5\n"), format!("case 2: line 4, column 1: {ended}"));
    assert_eq!(fault("counted", ""), format!("case 1: line 1, column 1: {ended}"));
    assert!(fault("counted", "1\n1\n5\n8").starts_with("case 1: line 4, column 1: expected the end of the input"));
    assert!(fault("lines", "1\n9223372036854775809").contains("the largest heap is 2^63"));
    assert!(fault("counted", "1\n2\n1 9223372036854775809").contains("the largest heap is 2^63"));
    assert!(fault("counted", "1\n1\n-1").contains("without a sign"));
    let nested = Problem { game: Some("subtraction[{$S}]($h)".into()), ..nim("until 0 { k S[k] m{ n h[n] } }") };
    assert!(run(&nested, "1 2 1 1 5\n1 3 2 1 5 1").1.unwrap().starts_with("case 2.2: line 2, column 12: "));
    // what was announced is not made room for
    assert!(fault("counted", "1\n9223372036854775808\n1").contains(ended));
    let moves = Problem { print: grundy::judge::Print::Moves, ..nim("counted") };
    assert!(run(&moves, "1\n9223372036854775808\n1").1.unwrap().contains(ended));
}

#[test]
fn answers_before_a_fault_are_written() {
    assert_eq!(run(&nim("counted"), "2\n1\n5\n1\nx").0, "first\n");
}

#[test]
fn cases_outside_of_the_limits_are_refused() {
    assert_eq!(run(preset("cf-768e"), "1\n66").1.unwrap(), "case 1: the problem's limits are not kept: m <= 65");
    assert!(run(preset("poj-3537"), "2").1.unwrap().contains("treblecross needs at least 3 squares"));
}

#[test]
fn definitions_that_do_not_fit_are_refused() {
    let wrong = |p: Problem| Program::new(&p).unwrap_err().to_string();
    let claim = |text: &str| Some(text.to_owned());
    assert!(wrong(Problem { layout: "*{ n }".into(), ..Problem::default() }).contains("needs a game"));
    assert!(
        wrong(Problem { wins: claim("g = 0"), ..Problem { layout: "*{ n }".into(), ..Problem::default() } })
            .contains("there is none")
    );
    assert!(
        wrong(Problem { misere: true, print: grundy::judge::Print::Value, ..nim("lines") }).contains("normal play")
    );
    assert!(wrong(Problem { tally: Some(grundy::judge::Winner::First), ..nim("lines") }).contains("range loop"));
    assert!(wrong(Problem { lets: vec!["x".into()], ..nim("lines") }).contains("no definition"));
    assert!(wrong(Problem { game: claim("nim($x)"), ..nim("lines") }).contains("unknown name"));
    assert!(
        wrong(Problem { layout: "*{ s:w }".into(), game: claim("nim($s)"), ..Problem::default() }).contains("word")
    );
}

#[test]
fn everything_can_be_printed() {
    use grundy::judge::Print;
    let print = |what, input: &str| run(&Problem { print: what, ..nim("lines") }, input).0;
    assert_eq!(print(Print::Value, "1 2 4\n1 1"), "7\n0\n");
    assert_eq!(print(Print::Count, "1 2 4\n1 1"), "1\n0\n");
    assert_eq!(print(Print::Moves, "1 2 4\n1 1"), "4 3\n-\n");
    let misere = Problem { misere: true, ..nim("lines") };
    assert_eq!(run(&misere, "1 1\n1\n\n2 2").0, "first\nsecond\nfirst\nsecond\n");
    let joined = Problem { join: Some(" ".into()), prefix: "#%d: ".into(), ..nim("*{ m{ n h[n] } }") };
    assert_eq!(run(&joined, "2 1 5 1 0 0 1 2 3 3").0, "#1: first second\n#2: \n#3: second\n");
    let kayles = Problem { game: Some("kayles".into()), print: Print::Value, ..nim("lines") };
    assert_eq!(run(&kayles, "12\n13 1\n1000000000").0, "4\n0\n1\n");
}

#[test]
fn test_files_are_balanced_and_the_same_for_the_same_seed() {
    let budget = Budget::default();
    for name in ["hdu-3032", "hdu-1907", "cf-1194d", "hdu-1536", "hdu-1527", "leetcode-294", "luogu-p3480", "arc-091f"]
    {
        let problem = preset(name);
        let program = Program::new(problem).unwrap();
        let cases = if name == "arc-091f" { 1 } else { 40 };
        let (text, balance) = program.generate(problem, cases, 7, None, &budget).unwrap();
        assert_eq!(text, program.generate(problem, cases, 7, None, &budget).unwrap().0, "{name}");
        assert_ne!(text, program.generate(problem, cases, 8, None, &budget).unwrap().0, "{name}");
        assert!(balance.first.abs_diff(balance.second) <= 6, "{name} {balance:?}");
        answer(problem, &text);
    }
    let problem = preset("hdu-3032");
    let (text, _) = Program::new(problem).unwrap().generate(problem, 20, 1, Some(9), &budget).unwrap();
    let numbers = text.split_whitespace().map(|n| n.parse::<u64>().unwrap());
    assert!(numbers.clone().all(|n| n <= 20) && numbers.count() > 20);
}

#[test]
fn every_problem_has_ranges_that_leave_cases() {
    for problem in &Catalogue::built_in().presets {
        let program = Program::new(problem).unwrap();
        for seed in 0..3 {
            let result = program.generate(problem, 1, seed, None, &Budget::default());
            let (text, _) = result.unwrap_or_else(|e| panic!("{}: {e}", problem.name));
            answer(problem, &text);
        }
        // every range is that of a name
        for name in problem.ranges.keys() {
            let layout = problem.layout.replace("counted", "n h").replace("until-zero", "n h").replace("-eof", "");
            assert!(layout.to_lowercase().contains(name.as_str()), "{} has no {name}", problem.name);
        }
    }
}
