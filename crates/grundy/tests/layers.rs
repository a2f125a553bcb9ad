//! Fails on an arrow between modules that `ARCHITECTURE.md` does not draw.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// In each group a module may use itself, what stands before it, and (engines) nothing of its own line.
const CORE: &[&[&str]] = &[&["theory"], &["ruleset"], &["rulesets"], &["notation"], &["proof"]];

/// Modules of one line do not know one another.
const GRUNDY: &[&[&str]] = &[
    &["budget"],
    &["frontier", "interner", "oracle"],
    &["sequence", "search", "misere", "discover", "nimfield", "coins", "chomp", "retrograde", "parity"],
    &["explain", "plan"],
    &["answer", "query"],
    &["knowledge"],
    &["session"],
];

/// Faces of the crate: they may use everything above and each other as listed.
const FACES: &[(&str, &[&str])] = &[
    ("check", &["formats"]),
    ("compare", &["period"]),
    ("closed_form", &[]),
    ("drawing", &[]),
    ("form", &["period", "formats", "closed_form"]),
    (
        "formats",
        &[
            "check",
            "closed_form",
            "compare",
            "graph",
            "nimber",
            "period",
            "prove",
            "quotient",
            "reasons",
            "rules",
            "statistics",
            "sweep",
            "tuples",
            "verify",
        ],
    ),
    ("prove", &["check", "closed_form", "compare"]),
    ("tuples", &["closed_form"]),
    ("judge", &["formats", "check"]),
    ("graph", &["formats", "verify"]),
    ("cluster", &["formats", "graph", "store"]),
    ("nimber", &[]),
    ("period", &[]),
    ("play", &[]),
    ("sweep", &["period"]),
    ("verify", &["period", "play"]),
    ("plot", &["formats"]),
    ("positions", &["formats"]),
    ("reasons", &["graph"]),
    ("quotient", &[]),
    ("rules", &["play"]),
    ("run", &["formats", "store"]),
    ("statistics", &[]),
    ("store", &[]),
];

#[test]
fn core_layers() {
    check_layers(Path::new("../grundy-core/src"), CORE, &[]);
}

#[test]
fn engine_layers() {
    check_layers(Path::new("src"), GRUNDY, FACES);
}

#[test]
fn core_touches_nothing() {
    for file in sources(Path::new("../grundy-core/src")).into_iter().filter(|f| !f.ends_with("tests.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in ["std::fs", "std::io", "std::time", "std::thread", "std::env", "println!", "eprintln!", "unsafe {"]
        {
            assert!(!code.contains(word), "{} uses {word}", file.display());
        }
    }
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found
}

fn check_layers(root: &Path, groups: &[&[&str]], faces: &[(&str, &[&str])]) {
    let level = |m: &str| groups.iter().position(|g| g.contains(&m));
    for file in sources(root) {
        let relative = file.strip_prefix(root).unwrap();
        let module = relative.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        if module == "lib" || relative.ends_with("tests.rs") {
            continue;
        }
        let face = faces.iter().find(|(f, _)| *f == module);
        assert!(level(&module).is_some() || face.is_some(), "{module} is in no layer; draw it in ARCHITECTURE.md");
        let text = fs::read_to_string(&file).unwrap();
        // unit tests may look anywhere
        let code = text.split("#[cfg(test)]").next().unwrap();
        for used in used_modules(code) {
            if used == module {
                continue;
            }
            let Some(below) = level(&used) else {
                let allowed = face.is_some_and(|(_, may)| may.contains(&used.as_str()));
                assert!(allowed || !faces.iter().any(|(f, _)| *f == used), "{}: {module} uses {used}", file.display());
                continue;
            };
            let fine = face.is_some() || level(&module).is_some_and(|mine| below < mine);
            assert!(fine, "{}: {module} may not use {used}", file.display());
        }
    }
}

/// First path segments after `crate::`, nested braces included.
fn used_modules(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: String = code.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + 7..];
        if let Some(inner) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            let mut fresh = true;
            for c in inner.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => fresh = true,
                    c if depth == 0 && fresh && (c.is_alphanumeric() || c == '_') => word.push(c),
                    _ => {}
                }
                if depth == 0 && fresh && !word.is_empty() && !(c.is_alphanumeric() || c == '_') {
                    found.push(std::mem::take(&mut word));
                    fresh = c == ',';
                }
            }
            found.extend((!word.is_empty()).then_some(word));
        } else {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found
}
