//! Every fact of `testdata/facts/` is a test, or listed in `out_of_reach.toml` with the reason.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::Value;

use crate::data::{self, Errata, OutOfReach, Records};

/// The ids of all facts; `testdata/README.md` says how they are formed.
fn all_facts() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut add = |id: String| assert!(ids.insert(id.clone()), "{id} stands for two facts");
    let folder = data::dir().join("facts");
    for entry in fs::read_dir(&folder).expect("facts is a folder") {
        let path = entry.expect("facts can be listed").path();
        let stem = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        if path.is_dir() {
            for file in fs::read_dir(&path).expect("a folder").flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                if !name.ends_with(".out") {
                    add(format!("{stem}/{name}"));
                }
            }
            continue;
        }
        let text = fs::read_to_string(&path).expect("facts are text");
        match path.extension().and_then(|e| e.to_str()) {
            Some("jsonl") => json_lines(&stem, &text, &mut add),
            Some("csv") => csv(&stem, &text, &mut add),
            Some("json") => json(&stem, &path, &text, &mut add),
            other => panic!("{}: what is {other:?}?", path.display()),
        }
    }
    ids
}

fn json_lines(stem: &str, text: &str, add: &mut impl FnMut(String)) {
    for (number, line) in (1..).zip(text.lines()) {
        let fact: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{stem}, line {number}: {e}"));
        add(fact["id"].as_str().map_or_else(|| format!("{stem}/{number}"), str::to_owned));
    }
}

fn csv(stem: &str, text: &str, add: &mut impl FnMut(String)) {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let mut before = String::new();
    for (number, line) in (1..).zip(lines) {
        if line == before {
            continue; // the same fact again
        }
        before = line.to_owned();
        let cells: Vec<&str> = line.split(',').collect();
        add(match head[..] {
            ["code", "N", ..] => format!("{stem}/{}/{}", cells[0], cells[1]),
            ["code", ..] => format!("{stem}/{}", cells[0]),
            _ => format!("{stem}/{number}"),
        });
    }
}

fn json(stem: &str, path: &Path, text: &str, add: &mut impl FnMut(String)) {
    let facts: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    match facts {
        Value::Array(list) => {
            for f in list {
                add(format!("{stem}/{}", f["name"].as_str().expect("a fact of a list has a name")));
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(_) => {}
                    Value::Object(inner) if inner.values().all(Value::is_object) => {
                        inner.keys().for_each(|k| add(format!("{stem}/{key}/{k}")));
                    }
                    Value::Array(list) if list.iter().all(Value::is_object) => {
                        (0..list.len()).for_each(|i| add(format!("{stem}/{key}/{i}")));
                    }
                    _ => add(format!("{stem}/{key}")),
                }
            }
        }
        other => panic!("{}: {other}", path.display()),
    }
}

/// Ids that a record names, as its own or among its facts.
fn tested(facts: &BTreeSet<String>) -> BTreeSet<String> {
    let mut named: Vec<String> = Vec::new();
    for file in data::record_files() {
        let r: Records = data::read(&file);
        for (id, more) in r
            .case
            .iter()
            .map(|r| (&r.id, &r.facts))
            .chain(r.sequence.iter().map(|r| (&r.id, &r.facts)))
            .chain(r.table.iter().map(|r| (&r.id, &r.facts)))
            .chain(r.reads.iter().map(|r| (&r.id, &r.facts)))
            .chain(r.refused.iter().map(|r| (&r.id, &r.facts)))
        {
            named.push(id.clone());
            named.extend(more.iter().cloned());
            more.iter().for_each(|f| assert!(facts.contains(f), "{id}: there is no fact {f}"));
        }
    }
    let errata: Errata = data::read("errata.toml");
    named.extend(errata.mistake.into_iter().filter(|m| m.out_of_reach.is_none()).flat_map(|m| m.facts));
    // tests of single users are named after their fact: f05_… is F05
    let users = include_str!("users.rs");
    named.extend(users.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("fn ")?;
        let (id, _) = name.split_once('_')?;
        Some(id.to_ascii_uppercase())
    }));
    let whole = [crate::boards::TESTED, crate::chomp::TESTED, crate::coins::TESTED, crate::graphs::TESTED].concat();
    let whole = whole.into_iter().flat_map(|p| matching(p, facts)).cloned();
    named.extend(whole.collect::<Vec<_>>());
    // whole tables that a test reads
    let whole = facts.iter().filter(|f| crate::nimbers::TABLES.iter().any(|t| f.split('/').next() == Some(*t)));
    named.into_iter().filter(|id| facts.contains(id)).chain(whole.cloned()).collect()
}

/// The facts that an entry of `out_of_reach.toml` names.
fn matching<'a>(pattern: &str, facts: &'a BTreeSet<String>) -> Vec<&'a String> {
    if let Some(start) = pattern.strip_suffix('*') {
        return facts.iter().filter(|f| f.starts_with(start)).collect();
    }
    let range = pattern.split_once("..").and_then(|(first, last)| {
        let (stem, first) = first.rsplit_once('/')?;
        Some((stem, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
    });
    if let Some((stem, first, last)) = range {
        return (first..=last).filter_map(|n| facts.get(&format!("{stem}/{n}"))).collect();
    }
    facts.get(pattern).into_iter().collect()
}

#[test]
fn every_fact_is_tested_or_listed() {
    let facts = all_facts();
    let tested = tested(&facts);
    let listed: OutOfReach = data::read("out_of_reach.toml");
    let mut wrong = Vec::new();
    let mut reasons: BTreeMap<&String, &str> = BTreeMap::new();
    for entry in &listed.listed {
        assert!(!entry.reason.is_empty(), "{:?} without a reason", entry.ids);
        for pattern in &entry.ids {
            let found = matching(pattern, &facts);
            if found.is_empty() {
                wrong.push(format!("{pattern} is listed, but there is no such fact"));
            }
            for f in found {
                if tested.contains(f) {
                    wrong.push(format!("{f} is listed by {pattern}, but it is a test already"));
                }
                if reasons.insert(f, &entry.reason).is_some() {
                    wrong.push(format!("{f} is listed twice"));
                }
            }
        }
    }
    for f in &facts {
        if !tested.contains(f) && !reasons.contains_key(f) {
            wrong.push(format!("{f} is neither a test nor listed"));
        }
    }
    eprintln!("{} facts: {} tested, {} out of reach", facts.len(), tested.len(), reasons.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
