//! What was typed: the low arguments, before anything is built from them.

mod graph;
mod quotient;
mod rules;

use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use grundy::formats::graph::GraphFormat;

use graph::graph_format;
pub use graph::{ConvertArgs, GenerateArgs, GenerateShape, GraphArgs, GraphCommand, GraphGoal, GraphOutput, Sinks};
pub use quotient::QuotientArgs;
pub use rules::{CHECKED_POSITIONS, OwnRules, RulesArgs, RulesCheckArgs, RulesCommand};

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
    /// Find the closed form of a game's values, and prove it
    Discover(DiscoverArgs),
    /// Prove a claim about all heaps of a game, or refute it
    Prove(ProveArgs),
    /// Test a formula or a b-file against the values of a game
    Check(CheckArgs),
    /// Print Grundy values of heaps 0, 1, 2, …
    Sequence(Box<SequenceArgs>),
    /// Find the period of a game's values, and say whether it is proved
    Period(PeriodArgs),
    /// Find the first heap at which two games differ
    Compare(CompareArgs),
    /// Find the misère quotient of a game: classes of sums, and which are lost
    Quotient(QuotientArgs),
    /// Find the periods of a family of codes, and which of them are equal
    Sweep(SweepArgs),
    /// Check a certificate
    Verify(VerifyArgs),
    /// Print Grundy values, or lost positions, of a box of positions
    Table(TableArgs),
    /// Print a program, or LaTeX, for the values of a game
    Formula(FormulaArgs),
    /// Compute with nimbers as a field: products, quotients, roots, logarithms
    Nimber(NimberArgs),
    /// Answer a judge's input in the judge's words, write test files, stress-test a program
    Judge(Box<JudgeArgs>),
    /// Solve a game on a graph: values, outcomes, winners of all vertices, sums of tokens
    Graph(Box<GraphArgs>),
    /// Turn a graph from one file format into another
    Convert(ConvertArgs),
    /// Check rules of one's own
    Rules(RulesArgs),
    /// List the games, or explain one
    Games(GamesArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// True if `--format` or the environment asks for JSON, for arguments that could not be read as a whole.
pub fn wants_json(arguments: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<String> = arguments.map(|a| a.to_string_lossy().into_owned()).take_while(|a| a != "--").collect();
    let typed = words.iter().enumerate().rev().find_map(|(i, word)| match word.strip_prefix("--format") {
        Some("") => words.get(i + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    });
    let format = typed.or_else(|| std::env::var("GRUNDY_FORMAT").ok());
    matches!(format.as_deref(), Some("json" | "ndjson"))
}

/// A number as the notation writes it: 1000, 1_000, 10^3.
fn number(text: &str) -> Result<u64, String> {
    let value = grundy_core::notation::parse::parse_number(text).map_err(|e| e.to_string())?;
    u64::try_from(value).map_err(|_| "this number is too large".into())
}

/// A number of threads.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.trim().parse().map_err(|_| "write a number of threads, 1 or more".into())
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
    #[arg(long, env = "GRUNDY_POSITIONS", value_name = "N", value_parser = number)]
    pub positions: Option<u64>,
    /// Threads that compute at once: a second one helps long sequences of games with many rare values [default: 1; sweep: one a
    /// core]
    #[arg(long, env = "GRUNDY_THREADS", value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
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
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub limit: u64,
    /// Let equal heaps share one entry
    #[arg(long)]
    pub distinct: bool,
    /// Explain the answer
    #[arg(long)]
    pub explain: bool,
    /// Say how many moves the game lasts if the winner hurries and the loser delays
    #[arg(long)]
    pub remoteness: bool,
    /// A file that keeps solved pieces of boards for later runs; it is made if it is not there. Saving comes after the limits, and
    /// minutes of search take some hundred megabytes
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub own: OwnRules,
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
    pub own: OwnRules,
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
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub to: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub own: OwnRules,
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
    /// Little-endian integers without a header, as wide as --width says
    Raw,
    /// One line: N, G(N), the largest value, and a checksum of all values
    Checksum,
    /// An Apache Parquet table of n and value; only in builds with the feature parquet
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A bar where standard error is a terminal
    Auto,
    /// One JSON object a line on standard error, about one a second
    Json,
    /// Nothing
    None,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy sequence kayles --to 100
  grundy sequence '[take primes]' --to 1000 --format bfile > b.txt
  grundy sequence 0.6 --to 2^24 --format checksum --checkpoint work/0.6 --checkpoint-every 5m
  grundy sequence 0.6 --to 2^26 --format raw --out 0.6.raw --checkpoint work/0.6 --resume
  grundy sequence kayles --to 10^6 --format parquet --out kayles.parquet

The checksum starts with a = b = 0; for n = 0, 1, …, N it adds G(n) to a, then a to b, both modulo 65536; it prints
65536 b + a as 8 hexadecimal digits.

A Parquet file has two columns of unsigned 64-bit integers, n and value, in row groups of 2^20; grundy.rule, grundy.convention,
grundy.status, grundy.method and, after a stop, grundy.stop stand in its metadata.

A run that a limit, Ctrl-C or SIGTERM stops prints what it found and saves its checkpoint; a run that is killed loses at most
the last interval.")]
pub struct SequenceArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// Last heap, included; the first is 0 [default: 100]
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub to: Option<u64>,
    /// Say after the values which period they have and whether it is proved, by a theorem or by automata, and where they have none
    /// which closed form (on standard error where the format is for machines); with --to by the values up to there, without
    /// it the proof may look further than they go
    #[arg(long)]
    pub prove: bool,
    /// Write a certificate of the proved period, which grundy verify checks; exit code 3 if none is proved
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub certificate: Option<PathBuf>,
    /// Index printed for heap 0 in a b-file [default: 0]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub offset: Option<i64>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: SequenceFormat,
    /// Bytes a raw value: 1, 2, 4 or 8 [default: the least that holds the largest value]
    #[arg(long, value_name = "BYTES", value_parser = ["1", "2", "4", "8"])]
    pub width: Option<String>,
    /// Write to this file, put in place only when it is complete; a run that a limit or a signal stops writes FILE.partial
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw n against G(n) into this SVG file, or FILE.partial if the run is stopped
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Save the values in this directory now and then; a new or empty one, or with --resume an old one
    #[arg(long, value_name = "DIR", help_heading = "Long runs")]
    pub checkpoint: Option<PathBuf>,
    /// Time between two checkpoints; none saves at the end only
    #[arg(long, value_name = "T", default_value = "60s", help_heading = "Long runs", requires = "checkpoint")]
    pub checkpoint_every: String,
    /// Go on from the values in the checkpoint; --to may differ
    #[arg(long, help_heading = "Long runs", requires = "checkpoint")]
    pub resume: bool,
    /// How the progress is shown
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW", help_heading = "Long runs")]
    pub progress: ProgressMode,
    #[command(flatten)]
    pub own: OwnRules,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What the commands that prove have in common.
#[derive(Debug, ClapArgs)]
pub struct ProofArgs {
    /// Ask for the P-positions of so many heaps, 1 to 4, in place of the values of one: of nim, moore[k], wythoff or a heap game
    #[arg(long, value_name = "K", conflicts_with = "certificate")]
    pub tuple: Option<u8>,
    /// Whoever cannot move wins; for several heaps
    #[arg(long)]
    pub misere: bool,
    /// Write a certificate of the proved closed form of RULE's values, which grundy verify checks; of no claim beside it
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy discover '[take powers of 2]'
  grundy discover lasker
  grundy discover 0.8C --format json
  grundy discover --tuple 3 nim --misere
  grundy discover '[a, b -> x, y where x < a and y <= b or x = a and y < b]'

Forms are tried in this order: periods, with or without a saltus; formulas with operations on binary digits; automata that read
n and the value bit by bit. A form is proved by automata: no option has the value, and every smaller one has an option, for
all heaps. The status says what the answer is worth: proved; conjectured (it fits the values, and no proof was found);
bounded (no form of these kinds fits). Rules with squares, primes, Fibonacci numbers, divisors or gcd are outside this
theory.

A rule of your own on several heaps is a condition: '[a, b -> x, y where x < a and y = b or x = a and y < b]' is Nim on two heaps,
(x, y) being what a move leaves of (a, b). So many heaps as it names, 1 to 4, need no --tuple. Every move must make the total
smaller, or leave it and make the first heap that changes smaller, which is proved first; what breaks this is shown.")]
pub struct DiscoverArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'; or a rule on several heaps
    pub rule: String,
    /// Last heap whose value is looked at [default: 4096]
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true, conflicts_with = "tuple")]
    pub to: Option<u64>,
    #[command(flatten)]
    pub own: OwnRules,
    #[command(flatten)]
    pub proof: ProofArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy prove '[take powers of 2]' 'n mod 3'
  grundy prove lasker n
  grundy prove --equal lasker '[take any | split into a, b where a != b]'
  grundy prove --zeros '[take odd]' 'n mod 2 = 0'
  grundy prove --bounded '[take 1..3]'
  grundy prove --tuple 3 nim 'a xor b xor c = 0'
  grundy prove --tuple 4 'moore[2]' 'columns(a, b, c, d) mod 3 = 0'
  grundy prove '[a, b -> x, y where x < a and y = b or x = a and y < b]' 'a = b'

Exit code 0 means proved for all heaps, 1 refuted, 2 outside the theory, 3 stopped by a limit. A refutation names the smallest
counterexample; where that is too far for plain evaluation, it only says up to which heap the claim fails, or with --tuple names
a position that may not be the smallest. For what is outside the theory grundy check tests a finite range.

A certificate holds the closed form of the values of RULE, the first one, and no more: with --equal, --zeros and --bounded the claim
itself follows from it and is not checked by grundy verify. Without --time a search ends after 10 s.

With --tuple, heap games whose moves leave several heaps of one are decided in normal play from a proved form of the values of one
heap, by Sprague-Grundy.

A rule of your own on several heaps is a condition: '[a, b -> x, y where x < a and y = b or x = a and y < b]' is Nim on two heaps,
(x, y) being what a move leaves of (a, b). So many heaps as it names, 1 to 4, need no --tuple. Every move must make the total
smaller, or leave it and make the first heap that changes smaller, which is proved first; what breaks this is shown.")]
pub struct ProveArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'; or a rule on several heaps
    pub rule: String,
    /// The claim: a formula in n for the value; with --equal another game; with --zeros a condition on n; for several heaps a
    /// condition on a, b, c, d, or on the names that the rule gives them
    #[arg(allow_hyphen_values = true)]
    pub claim: Option<String>,
    /// Claim that two games have the same values
    #[arg(long, conflicts_with_all = ["zeros", "bounded", "tuple"])]
    pub equal: bool,
    /// Claim that the condition describes the heaps of value 0; without one, say which they are
    #[arg(long, conflicts_with_all = ["bounded", "tuple"])]
    pub zeros: bool,
    /// Claim that the values are bounded
    #[arg(long, conflicts_with_all = ["claim", "tuple"])]
    pub bounded: bool,
    #[command(flatten)]
    pub own: OwnRules,
    #[command(flatten)]
    pub proof: ProofArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy period 0.07
  grundy period 0.56 --prove --certificate 0.56.cert
  grundy period '[take any | split]' --format json
  grundy period 0.8 --to 2000

The status says what the answer is worth: proved (by a theorem, which is named), observed (seen in the heaps computed, at least
three periods and half of the values; no proof), bounded (no period short enough for the theorem's bound), computed (nothing
was seen and no theorem applies). The period, preperiod and saltus are the least; heap 0 counts.")]
pub struct PeriodArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// Last heap computed [default: 2^20 where a theorem can prove a period and a move leaves at most two heaps, else 2^10]
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub to: Option<u64>,
    /// Without --to, where the default would be 2^20, go on until a period is proved or a limit is reached; and let automata prove
    /// a period that was seen and that no theorem on the values proves
    #[arg(long)]
    pub prove: bool,
    /// Write a certificate of a proved period, which grundy verify checks; exit code 3 if none is proved
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Let the certificate carry all values below its bound
    #[arg(long, requires = "certificate")]
    pub with_values: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub own: OwnRules,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy compare 0.161 0.36
  grundy compare 0.26 0.27

Exit code 1 means that they differ. Equal is said of the heaps compared, and of all heaps where the status is proved.")]
pub struct CompareArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub left: String,
    /// Another one
    pub right: String,
    #[command(flatten)]
    pub own: OwnRules,
    /// Last heap compared
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub to: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    /// code,period,… lines with a head
    Csv,
    /// One JSON object a line
    Ndjson,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy sweep 0.dd
  grundy sweep 4.ddd --to 2^14 > table.csv
  grundy sweep 0.hh --format ndjson

A record a code, in the order of the codes: code, period, preperiod, saltus, max, status, same_as. max is the greatest value:
of all heaps if the period is proved and the saltus 0, none if the values grow for ever, else of the heaps computed. same_as is
the first code before with the same values: of all heaps if the periods of both are proved, else of all heaps computed
(same_status, in JSON, says which).")]
pub struct SweepArgs {
    /// A code in which d stands for any octal digit and h for any hexadecimal one
    pub pattern: String,
    /// Last heap computed for each code [default: 2^14, or 2^10 where no theorem proves a period or a move leaves more than two heaps]
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub to: Option<u64>,
    /// Without --to, look for proofs up to heap 2^17 in place of 2^14; and let automata prove periods that were seen and that no
    /// theorem on the values proves
    #[arg(long)]
    pub prove: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "csv")]
    pub format: SweepFormat,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy period 0.07 --certificate 0.07.cert && grundy verify 0.07.cert
  grundy verify 0.104.cert --sample 1000

The checker recomputes all values that the theorem needs, by plain code that knows no engine. Exit code 1 means refused. The lines
bound, split, block and values are hints: wrong ones are refused, without them the claim is checked in full all the same. A
sample takes the values from the certificate or from the engines and checks some heaps by their definition: it can refuse, but
never accept. Where it agrees, exit code 0 says only that; the status is observed, and accepted is null in JSON.")]
pub struct VerifyArgs {
    /// The certificate, a file that --certificate of grundy period, discover, prove or graph wrote
    pub file: PathBuf,
    /// The graph of a certificate of grundy graph [default: the file that it names]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sample", "table"])]
    pub graph: Option<PathBuf>,
    /// Format of the graph [default: by its name, or else by its content]
    #[arg(long, value_name = "F", value_parser = graph_format, conflicts_with_all = ["sample", "table"])]
    pub from: Option<GraphFormat>,
    /// Check so many heaps, chosen at random, in place of all
    #[arg(long, value_name = "K", value_parser = number, allow_negative_numbers = true)]
    pub sample: Option<u64>,
    /// Seed of the choice (SplitMix64, equal on all machines)
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// A b-file of the values from heap 0 on, to be checked beside the certificate
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy table wythoff 20x20
  grundy table wythoff 100x100 --p-positions
  grundy table kayles --to 64
  grundy table chomp 8x10
  grundy table chomp 3 --to 100 --p-positions")]
pub struct TableArgs {
    /// A ruleset: wythoff, euclid, moore[2], kayles, …
    pub ruleset: String,
    /// The sides of the table: 20x20, or 64 for a list; the number of rows of boards before --to
    #[arg(required_unless_present = "to")]
    pub shape: Option<String>,
    /// Last position of every side, in place of the shape; the longest row of boards
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
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
    pub own: OwnRules,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgramLanguage {
    /// C99
    C,
    /// C++11
    #[value(alias = "c++")]
    Cpp,
    /// Rust
    Rust,
    /// Python 3
    #[value(alias = "py")]
    Python,
    /// JavaScript with BigInt
    #[value(alias = "javascript")]
    Js,
    /// A display with amsmath
    #[value(alias = "tex")]
    Latex,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy formula lasker --lang c
  grundy formula '[take powers of 2]' --lang latex
  grundy formula kayles --lang python --out kayles.py

Prints a function grundy(n): the formula of a theorem, or the period of the values, as a formula where a short one is found and as
a table elsewhere. The comment on top says whether it is proved, by what, and for which n. A period that was only observed is
printed too, and its comment says so. Exit code 3 means that no form is known; then nothing is printed.")]
pub struct FormulaArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// What to print
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: ProgramLanguage,
    #[command(flatten)]
    pub own: OwnRules,
    /// Write to this file, put in place only when it is complete
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy nimber '6 * 13'
  grundy nimber '(2^64-1) * (2^64-3) + inv(2^32-5)'
  grundy nimber 'solve(1, 1, 6)'
  grundy nimber 'log(77, 18)' --format json
  grundy nimber --mul < pairs > products

Expressions:
  a + b           the nim-sum, or xor; also the difference
  a * b, a / b    the nim product and its inverse, from the left, before +
  inv(a)          1 / a
  square(a)       a * a             sqrt(a)   the one b with b * b = a
  pow(a, k)       the product of k factors; pow(a, -k) is its inverse
  order(a)        the least k >= 1 with pow(a, k) = 1, up to 4096 bits
  log(a, base)    the least k with pow(base, k) = a, up to 64 bits; log(a) takes for the base the least primitive element
                  of the field of a: 1, 2, 4, 18, 258, 65540, 2^32+6, 2^64+2 for 1, 2, 4, 8, 16, 32, 64, 128 bits
  trace(a)        the absolute trace of a in its field, 0 or 1; trace(a, w) in the field of w bits
  solve(a, b, c)  the roots of a x^2 + b x + c, one a line; some lie in a field of twice the bits. \"none\" and \"all\" say
                  that no nimber is a root, or every one
Orders, logarithms and the exponent k are ordinary numbers. Numbers are decimal or 0x…; inside of parentheses also ordinary
powers and differences, (2^64) or (2^64-1). The field of a nimber is that of all nimbers below 2^w, w the least power of two
for which it holds the nimber: bits are those of w.

--mul reads T, then T pairs of numbers below 2^64, and prints T products, one a line, as the Library Checker's problem Nim
Product wants it. Nothing stops it but --time and Ctrl-C.")]
pub struct NimberArgs {
    /// The expression
    #[arg(required_unless_present = "mul", value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: Vec<String>,
    /// Multiply pairs from standard input: T, then T lines "a b"
    #[arg(long, conflicts_with = "expression")]
    pub mul: bool,
    /// Say in which field the value lies, print it in hexadecimal, and how it was found
    #[arg(long, conflicts_with = "mul")]
    pub explain: bool,
    /// Binary digits that numbers may have, at most 2^17; the time of a product grows with their power 1.58
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = number, conflicts_with = "mul")]
    pub bits: u64,
    /// Find logarithms from 64 to 128 bits too, in some seconds and 128 MiB
    #[arg(long, conflicts_with = "mul")]
    pub long_log: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JudgePrint {
    /// The word for the winner
    Winner,
    /// The Grundy value
    Value,
    /// The winning moves, one a line
    Moves,
    /// The number of winning moves
    Count,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy judge hdu-3032 < in > out
  grundy judge --game lasker --layout counted --say Alice,Bob < in > out
  grundy judge --game '[take 1..$m]($n)' --layout 'T{ n m }' --prefix 'Case #%d: ' < in
  grundy judge hdu-3032 --generate 100 --seed 7 > in
  grundy judge hdu-3032 --against ./a.out --rounds 500

Limits hold for each case.

Layouts:
  lines          heaps of one position a line
  counted        T, then T times N and N heaps, like T{ n h[n] }
  counted-eof    N and N heaps to the end of the input, like *{ n h[n] }
  until-zero     the same until N = 0, like until 0 { n h[n] }
  others are built of
    n            a number              s:w          a word
    h[n]         a list of n numbers   (x y)[n]     n records of a list x and a list y
    (k s[k])[n]  n rows of a number k and k numbers             b:w(m)[n]  a grid: n rows of m letters
    h*           the numbers up to the end of the line
    T{ … }       a count, and so many cases         *{ … }     cases to the end of the input
    until 0 0 { … }  cases up to one that begins with two zeros
    lines{ … }   one case a line                    x=1..n{ … }  reads nothing: x = 1, 2, …, n
  Loops are nested, and nothing follows a loop.

Games: a ruleset alone is played on all numbers of the case that are no lengths; else $name stands for what was
read: 'subtraction[{$S}]($h)', 'wythoff($a, $b)', 'staircase(0, $x)'.")]
pub struct JudgeArgs {
    /// A problem of --list, such as hdu-3032; options change its parts
    #[arg(value_name = "PRESET", required_unless_present_any = ["list", "game", "wins"])]
    pub preset: Option<String>,
    /// The game, with $name for what the layout reads
    #[arg(long, value_name = "GAME", help_heading = "Problem")]
    pub game: Option<String>,
    /// When the first player wins: a claim about the numbers, in place of a game
    #[arg(long, value_name = "CLAIM", help_heading = "Problem")]
    pub wins: Option<String>,
    /// A definition: 'x = p | sort | gaps', 'r = max(n - m, 0)'; repeatable
    #[arg(long = "let", value_name = "DEFINITION", help_heading = "Problem")]
    pub lets: Vec<String>,
    /// How the input is read [default: lines]
    #[arg(long, value_name = "LAYOUT", help_heading = "Problem")]
    pub layout: Option<String>,
    /// The words when the first and when the second player wins [default: first,second]
    #[arg(long, value_name = "A,B", help_heading = "Problem")]
    pub say: Option<String>,
    /// Before each line; %d is its number, \n a line end
    #[arg(long, value_name = "TEXT", help_heading = "Problem")]
    pub prefix: Option<String>,
    /// Print the results of the innermost loop on one line, with this between them
    #[arg(long, value_name = "TEXT", help_heading = "Problem")]
    pub join: Option<String>,
    /// What is printed for a case [default: winner]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Problem")]
    pub print: Option<JudgePrint>,
    /// A player who cannot move wins
    #[arg(long, help_heading = "Problem")]
    pub misere: bool,
    /// Look the preset up in a file of your own first, in the form of the built-in list
    #[arg(long, value_name = "FILE", help_heading = "Problem")]
    pub file: Option<PathBuf>,
    /// List the problems
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// Tell what the problem is, how its input is read and why the answers are right
    #[arg(long, conflicts_with_all = ["generate", "against"])]
    pub about: bool,
    /// Write a test file of so many cases, about half of them won by either player
    #[arg(long, value_name = "N", help_heading = "Tests", conflicts_with = "against")]
    pub generate: Option<usize>,
    /// Test a program against the right answers, and print the smallest failing input that is found
    #[arg(long, value_name = "COMMAND", help_heading = "Tests")]
    pub against: Option<String>,
    /// Seed of the random cases
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Tests")]
    pub seed: u64,
    /// Largest number in a random case (lengths aside)
    #[arg(long, value_name = "M", help_heading = "Tests")]
    pub max: Option<u64>,
    /// Inputs on which a program is tested
    #[arg(long, value_name = "R", default_value_t = 200, help_heading = "Tests")]
    pub rounds: u64,
    /// Longest run of a program that is tested
    #[arg(long, value_name = "T", default_value = "2s", help_heading = "Tests")]
    pub timeout: String,
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
