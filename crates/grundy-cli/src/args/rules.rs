//! Rules of one's own: the option of the commands that play them, and `grundy rules`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::{LimitArgs, TextOrJson};

/// Files of rules, of every command that reads a game.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct OwnRules {
    /// Play by the rules in this file too, under the name they have there: TOML (see grundy rules --help), or a WebAssembly module
    /// in builds with the feature wasm; may be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "A file of rules is TOML: name = \"my\", kind = one of the following, and what the kind needs. Then
grundy solve --rules my.toml 'my(4, 7)' plays it, as do play, sequence, check, discover, prove, period, table,
compare, formula and graph --game.

  kind = \"heap\"      rule = \"take 1..3 | split into a, b where a = b\"     or a code: rule = \"0.77\"
  kind = \"grid\"      steps = [[-1, 0]]  rides = [[0, -1]]   a step goes once, a ride any number of times; my(column, row)
                     size = [8, 8]  blocked = [[1, 1]]     or drawn: board = [\"..#.\", \"....\"]; tokens = 2
  kind = \"memory\"    next = \"k <= 2 * last\"  first = \"k < n\"               take k of n, last was taken before; my(n), my(n, last)
  kind = \"row\"       take = \"take any\"  from = \"left\", \"right\", \"ends\" or \"any\"
                     where = \"i = 1 or n > 2\" (place i, m heaps, size n)  empty = \"removed\" or \"stays\"
  kind = \"poset\"     elements = [\"a\", \"b\"]  covers = [[\"a\", \"b\"]]          an element goes with all above it; my is the whole
  kind = \"deletion\"  vertices = 4  edges = [[1, 2]]  delete = [\"vertex\", \"edge\", \"vertex-with-neighbours\", \"edge-with-ends\"]

Examples:
  grundy rules check my.toml
  grundy rules check my.toml --from 'my(4, 7)'
  grundy solve --rules my.toml 'my(4, 7) + kayles(9)' --explain"
)]
pub struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Look for what is wrong with rules: play without end, options that change, representatives, sums, printing, order
    Check(RulesCheckArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy rules check my.toml
  grundy rules check my.toml --from 'my(40)' --positions 100000

Without --from the walk begins with small positions, and a few random ones. Nothing is proved of positions that it does not meet;
the answer says which it met. Exit code 0: accepted; 1: a law is violated, and the first such position is shown; 3: a limit came
before anything was known.")]
pub struct RulesCheckArgs {
    /// The rules: a TOML file, or a WebAssembly module
    pub file: PathBuf,
    /// Begin with this sum
    #[arg(long, value_name = "EXPR")]
    pub from: Option<String>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Positions that are looked at where nothing else is said.
pub const CHECKED_POSITIONS: u64 = 20_000;
