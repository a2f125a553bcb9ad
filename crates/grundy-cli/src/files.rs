//! The graphs that the notation names by their files, and the rules of one's own that were named.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    path::Path,
    sync::Arc,
};

use grundy::Budget;
use grundy_core::{
    notation::{Resolver, Unresolved, read_game_with, read_heap_game_with, read_ruleset_with},
    rulesets::{AnyComponent, AnyRuleset, HeapGame},
    theory::{Sum, named_graph::NamedGraph},
};

use crate::{
    args::OwnRules,
    cmd::{convert::read_graph, rules::load},
    failure::Failure,
    limits,
};

/// Reads each file once, whatever came of it.
#[derive(Default)]
pub struct Files {
    met: RefCell<HashMap<String, Found>>,
    /// The exit code and the word of the file that failed last.
    failed: Cell<Option<(u8, &'static str)>>,
    /// Rules of one's own, by their names.
    own: Vec<(String, AnyRuleset)>,
}

#[derive(Clone)]
enum Found {
    Board(Arc<NamedGraph>),
    Failed { code: u8, kind: &'static str, why: Unresolved },
}

impl Files {
    /// With these files of rules.
    pub fn with(own: &OwnRules) -> Result<Self, Failure> {
        let mut files = Files::default();
        for path in &own.files {
            let (name, ruleset) = load(path)?;
            if files.own.iter().any(|(known, _)| *known == name) {
                return Err(Failure::usage(format!("{}: {name} is the name of two games", path.display()))
                    .hint("give one of them another name in its file"));
            }
            files.own.push((name, ruleset));
        }
        Ok(files)
    }

    /// The name and the rules of the only file.
    pub fn only_rules(&self) -> Option<(String, AnyRuleset)> {
        if let [only] = &self.own[..] { Some(only.clone()) } else { None }
    }

    /// A ruleset as it is typed.
    pub fn any_ruleset(&self, text: &str) -> Result<AnyRuleset, Failure> {
        read_ruleset_with(text, &RulesOnly(self)).map_err(|e| Failure::syntax(text, e))
    }

    /// A heap game as it is typed.
    pub fn heap_game(&self, text: &str) -> Result<Arc<HeapGame>, Failure> {
        read_heap_game_with(text, &RulesOnly(self)).map_err(|e| Failure::syntax(text, e))
    }

    /// A sum as it is typed, its files read.
    pub fn game(&self, text: &str) -> Result<Sum<AnyComponent>, Failure> {
        self.failed.set(None);
        read_game_with(text, self).map_err(|e| {
            let failure = Failure::syntax(text, e);
            match self.failed.take() {
                Some((code, kind)) => Failure { code, kind, ..failure },
                None => failure,
            }
        })
    }
}

impl Resolver for Files {
    fn ruleset(&self, name: &str) -> Option<AnyRuleset> {
        self.own.iter().find(|(known, _)| known == name).map(|(_, ruleset)| ruleset.clone())
    }

    fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved> {
        let found = self.met.borrow().get(file).cloned();
        let found = found.unwrap_or_else(|| {
            let found = open(file);
            self.met.borrow_mut().insert(file.to_owned(), found.clone());
            found
        });
        match found {
            Found::Board(board) => Ok(board),
            Found::Failed { code, kind, why } => {
                self.failed.set(Some((code, kind)));
                Err(why)
            }
        }
    }
}

/// The rules of one's own without the graphs, for commands that have no use for a graph and so open none.
struct RulesOnly<'a>(&'a Files);

impl Resolver for RulesOnly<'_> {
    fn ruleset(&self, name: &str) -> Option<AnyRuleset> {
        self.0.ruleset(name)
    }

    fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved> {
        let hint = "say what follows each vertex: digraph[{a: b c, b: c, c:}](a)".to_owned();
        Err(Unresolved { message: format!("no file is read here, not \"{file}\" either"), hint: Some(hint) })
    }
}

fn open(file: &str) -> Found {
    let failed =
        |f: Failure| Found::Failed { code: f.code, kind: f.kind, why: Unresolved { message: f.message, hint: f.hint } };
    if file == "-" {
        return failed(Failure::usage("a graph is not read from standard input here").hint("write the name of a file"));
    }
    // a signal ends the reading; the limits are those of the answer
    let read = || read_graph(Path::new(file), None);
    let board = limits::unmetered(&Budget::default(), "the graph was being read", false, read).and_then(|graph| {
        graph.into_board().map_err(|e| {
            Failure::usage(format!("{file}: {e}")).hint("tokens lie on vertices by name, so each needs one of its own")
        })
    });
    match board {
        Ok(board) => Found::Board(Arc::new(board)),
        Err(failure) => failed(failure),
    }
}
