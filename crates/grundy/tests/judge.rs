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
