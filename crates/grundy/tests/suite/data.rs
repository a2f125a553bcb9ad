//! The formats of `testdata/`; `testdata/README.md` describes them.

use std::{fs, path::PathBuf};

use serde::{Deserialize, de::DeserializeOwned};

/// A number that may be written as a string, since those of TOML end at 2^63 - 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Int {
    Number(u64),
    Text(String),
}

impl Int {
    pub fn get(&self) -> u128 {
        match self {
            Int::Number(n) => u128::from(*n),
            Int::Text(t) => t.parse().unwrap_or_else(|e| panic!("{t}: {e}")),
        }
    }
}

/// Who wins when no move is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Convention {
    #[default]
    Normal,
    Misere,
}

impl From<Convention> for grundy_core::theory::Convention {
    fn from(c: Convention) -> Self {
        match c {
            Convention::Normal => grundy_core::theory::Convention::Normal,
            Convention::Misere => grundy_core::theory::Convention::Misere,
        }
    }
}

/// A file of records.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    /// Holds for the records that name none of their own.
    pub source: Option<String>,
    #[serde(default)]
    pub case: Vec<Case>,
    #[serde(default)]
    pub sequence: Vec<Sequence>,
    #[serde(default)]
    pub table: Vec<Table>,
    #[serde(default)]
    pub reads: Vec<Reads>,
    #[serde(default)]
    pub refused: Vec<Refused>,
}

/// One position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub id: String,
    #[serde(default)]
    pub facts: Vec<String>,
    pub game: String,
    pub convention: Convention,
    pub expect: Expect,
    pub source: Option<String>,
    #[allow(dead_code)]
    pub note: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    pub outcome: Option<String>,
    pub value: Option<Int>,
    /// Every winning move, `from -> to`, equal components once.
    pub moves: Option<Vec<String>>,
    /// The number of winning moves, each component counted.
    pub moves_total: Option<Int>,
    /// Every option of the only component.
    pub options: Option<Vec<String>>,
    /// The number of moves, equal components once.
    pub options_total: Option<usize>,
    pub remoteness: Option<u64>,
}

/// Many heaps of one game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    pub id: String,
    #[serde(default)]
    pub facts: Vec<String>,
    pub game: String,
    #[serde(default)]
    pub convention: Convention,
    /// First heap of the lists.
    #[serde(default)]
    pub from: u64,
    /// Last heap of a checksum or of an observation.
    pub to: Option<u64>,
    pub values: Option<Vec<u64>>,
    pub outcomes: Option<String>,
    pub superscripts: Option<Vec<Vec<u64>>>,
    pub period: Option<Period>,
    pub observed: Option<Period>,
    /// The greatest value of all heaps.
    pub most: Option<u64>,
    pub checksum: Option<String>,
    /// No period may be claimed from the heaps up to this one.
    pub unproved: Option<u64>,
    /// A game with the same moves.
    pub same_as: Option<String>,
    pub differs_from: Option<Difference>,
    pub source: Option<String>,
    #[allow(dead_code)]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    pub period: u64,
    pub preperiod: u64,
    pub saltus: u64,
}

/// Equal values up to a heap, another value there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    pub game: String,
    pub first_at: u64,
}

/// Many positions of a ruleset that is no heap game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub id: String,
    #[serde(default)]
    pub facts: Vec<String>,
    pub game: String,
    #[serde(default)]
    pub convention: Convention,
    /// First row and first column.
    #[serde(default)]
    pub from: u64,
    pub to: Option<u64>,
    pub rows: Option<Vec<Vec<u64>>>,
    /// A position, then its value.
    pub entries: Option<Vec<Vec<u64>>>,
    /// All lost pairs (a, b), a <= b <= to.
    pub p_positions: Option<Vec<Vec<u64>>>,
    pub source: Option<String>,
}

/// A text and its canonical form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reads {
    pub id: String,
    #[serde(default)]
    pub facts: Vec<String>,
    /// A ruleset, or a sum if it has a position.
    pub text: String,
    pub prints: String,
    pub source: Option<String>,
}

/// A text that is not in the notation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub id: String,
    #[serde(default)]
    pub facts: Vec<String>,
    pub text: String,
    /// A part of the message.
    pub message: String,
    /// A part of the hint.
    pub hint: Option<String>,
    pub span: Option<[usize; 2]>,
    pub source: Option<String>,
    #[allow(dead_code)]
    pub note: Option<String>,
}

/// Known mistakes of the literature.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errata {
    pub mistake: Vec<Mistake>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    pub id: String,
    /// What is said, and where.
    pub claim: String,
    pub source: String,
    /// What is right.
    pub right: String,
    #[serde(default)]
    pub facts: Vec<String>,
    #[serde(default)]
    pub case: Vec<Case>,
    #[serde(default)]
    pub sequence: Vec<Sequence>,
    /// Certificates of what is right; those of `certificates/` are all tested.
    #[serde(default)]
    pub accepted: Vec<String>,
    /// Why nothing is tested yet.
    pub out_of_reach: Option<String>,
}

/// Facts that are no tests yet.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutOfReach {
    pub listed: Vec<Listed>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Ids; `name/*` is every id that begins so, `name/3..7` five of them.
    pub ids: Vec<String>,
    pub reason: String,
}

/// `testdata/`.
pub fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Reads one TOML file of `testdata/`.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = dir().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Names of the TOML files that hold [`Records`].
pub fn record_files() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir())
        .expect("testdata is a folder")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".toml") && n != "errata.toml" && n != "out_of_reach.toml")
        .collect();
    names.sort();
    names
}
