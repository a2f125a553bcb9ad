//! The graphs that the notation names by their files.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    path::Path,
    sync::Arc,
};

use grundy::Budget;
use grundy_core::{
    notation::{Resolver, Unresolved, read_game_with},
    rulesets::AnyComponent,
    theory::{Sum, named_graph::NamedGraph},
};

use crate::{cmd::convert::read_graph, failure::Failure, limits};

/// Reads each file once, whatever came of it.
#[derive(Default)]
pub struct Files {
    met: RefCell<HashMap<String, Found>>,
    /// The exit code and the word of the file that failed last.
    failed: Cell<Option<(u8, &'static str)>>,
}

#[derive(Clone)]
enum Found {
    Board(Arc<NamedGraph>),
    Failed { code: u8, kind: &'static str, why: Unresolved },
}

impl Files {
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
