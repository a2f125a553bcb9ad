//! What was typed: the low arguments, before anything is built from them.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// The workbench for impartial games: who wins, by which moves, and why.
#[derive(Debug, Parser)]
#[command(name = "grundy", version, about, propagate_version = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say who wins a position, by which moves, and why
    Solve(SolveArgs),
    /// Play a position against the computer
    Play(PlayArgs),
    /// Test a formula or a b-file against the values of a game
    Check(CheckArgs),
    /// Print Grundy values of heaps 0, 1, 2, …
    Sequence(SequenceArgs),
    /// Print Grundy values, or lost positions, of a box of positions
    Table(TableArgs),
    /// List the games, or explain one
    Games(GamesArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// Limits that every computing command takes.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Time: 500ms, 5s, 2m (bare: seconds), none
    #[arg(long, env = "GRUNDY_TIME", value_name = "T")]
    pub time: Option<String>,
    /// Memory of tables: 512MiB, 2GiB (bare: MiB), none
    #[arg(long, env = "GRUNDY_MEMORY", value_name = "M")]
    pub memory: Option<String>,
    /// Positions looked at
    #[arg(long, env = "GRUNDY_POSITIONS", value_name = "N")]
    pub positions: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MovesMode {
    /// All winning moves, up to --limit
    List,
    /// Only their number
    Count,
    /// Neither
    None,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy solve 3 5 7
  grundy solve 'nim(3, 5, 7) + kayles(15)' --misere --explain
  grundy solve '[take 1..3](12) + lasker(2, 5, 7)'
  grundy solve - < positions.txt")]
pub struct SolveArgs {
    /// A sum of games, bare integers for Nim, or - to read one a line and answer one JSON object a line
    #[arg(required = true, value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: Vec<String>,
    /// A player who cannot move wins (whoever takes the last object loses)
    #[arg(long)]
    pub misere: bool,
    /// What to print of the winning moves
    #[arg(long, value_enum, default_value = "list", value_name = "WHAT")]
    pub moves: MovesMode,
    /// Most winning moves that are listed
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
    /// Let equal heaps share one entry
    #[arg(long)]
    pub distinct: bool,
    /// Explain the answer
    #[arg(long)]
    pub explain: bool,
    /// Say how many moves the game lasts if the winner hurries and the loser delays
    #[arg(long)]
    pub remoteness: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum First {
    /// You
    Me,
    /// The computer
    Computer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayLevel {
    /// Never gives a won position away
    Perfect,
    /// A perfect move in 7 of 10 turns, else a random one
    Club,
    /// Random moves
    Beginner,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy play 3 5 7
  grundy play 'kayles(9) + nim(4)' --misere --first computer
  grundy play 'lasker(10^6, 3)' --level club --seed 7
  printf '2: take 3\\nhint\\n' | grundy play 3 5 7

On a terminal a screen opens: arrow keys choose a heap and an amount, Enter plays, ? lists the keys.
Otherwise moves are read as lines: `5 -> 3`, `2: take 3`, `2: take 2 leave 1 6`, `2: split 1 6`; help lists the commands.")]
pub struct PlayArgs {
    /// A sum of games, or bare integers for Nim
    #[arg(required = true, value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: Vec<String>,
    /// A player who cannot move wins (whoever takes the last object loses)
    #[arg(long)]
    pub misere: bool,
    /// Who moves first
    #[arg(long, value_enum, default_value = "me", value_name = "WHO")]
    pub first: First,
    /// How well the computer plays
    #[arg(long, value_enum, default_value = "perfect", value_name = "LEVEL")]
    pub level: PlayLevel,
    /// Seed of the computer's random choices (SplitMix64, equal on all machines); without it they differ from game to game
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy check lasker 'n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n'
  grundy check '[take 1..3]' 'n mod 4' --to 100000
  grundy check kayles --bfile b002186.txt

Formulas: integers, n, + - *, mod and div by constants, << >>, bitand, xor, bitor, lowbit(t), bitlength(t),
min(a, b), max(a, b); comparisons = != < <= > >=, joined by and, or, not; cases as
`condition: term; condition: term; else term`, tried in order.")]
pub struct CheckArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// The guess, a formula in n
    #[arg(required_unless_present = "bfile", allow_hyphen_values = true)]
    pub formula: Option<String>,
    /// Compare with a b-file instead
    #[arg(long, value_name = "FILE", conflicts_with = "formula")]
    pub bfile: Option<PathBuf>,
    /// Last heap that is tested
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub to: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SequenceFormat {
    /// Values between blanks
    Text,
    /// n,value lines with a head
    Csv,
    /// One JSON object a line
    Ndjson,
    /// One JSON object
    Json,
    /// The b-file of the OEIS
    Bfile,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy sequence kayles --to 100
  grundy sequence '[take primes]' --to 1000 --format bfile > b.txt")]
pub struct SequenceArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// Last heap, included; the first is 0
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub to: u64,
    /// Index printed for heap 0 in a b-file
    #[arg(long, default_value_t = 0, value_name = "K", allow_negative_numbers = true)]
    pub offset: i64,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: SequenceFormat,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy table wythoff 20x20
  grundy table wythoff 100x100 --p-positions
  grundy table kayles --to 64")]
pub struct TableArgs {
    /// A ruleset: wythoff, euclid, moore[2], kayles, …
    pub ruleset: String,
    /// The sides of the table: 20x20, or 64 for a list
    #[arg(required_unless_present = "to")]
    pub shape: Option<String>,
    /// Last position of every side, in place of the shape
    #[arg(long, value_name = "N")]
    pub to: Option<u64>,
    /// List the lost positions (outcome P)
    #[arg(long)]
    pub p_positions: bool,
    /// Misère play; lost positions only
    #[arg(long)]
    pub misere: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
pub struct GamesArgs {
    /// A name, a code or a rule; without one all names are listed
    pub name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
}

#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub struct ManArgs {
    /// Write one page a command into this directory instead of the main page to stdout
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
