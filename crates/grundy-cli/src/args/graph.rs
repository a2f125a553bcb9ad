//! What was typed after `grundy graph` and `grundy convert`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use grundy::formats::graph::GraphFormat;

use super::{LimitArgs, OwnRules, ProgressMode, number};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphGoal {
    /// Grundy values, on a graph without cycles
    Grundy,
    /// Values on any graph: finite, or inf(…) with the finite ones in reach
    Loopy,
    /// Who wins by moving one token: N, P or Draw, and in how many moves
    Outcome,
    /// Player 0 wants to see a target
    Reach,
    /// Player 0 wants to see targets only
    Safety,
    /// Player 0 wants to see targets infinitely often
    Buchi,
    /// Player 0 wants to see others finitely often
    Cobuchi,
    /// Player 0 wants the greatest priority seen infinitely often to be even
    Parity,
}

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
#[command(after_help = "Examples:
  grundy graph moves.csv
  grundy graph moves.csv --objective loopy
  grundy graph moves.csv --objective grundy --tokens v3,v7
  grundy graph moves.csv --objective outcome --explain
  grundy graph game.pg --objective parity --strategy
  grundy graph game.dot --objective parity --sinks lose --format paritysol
  grundy graph game.dot --objective buchi --target a,b --format json
  grundy graph game.pg --objective parity --svg game.svg
  grundy graph game.pg --objective buchi --certificate game.cert
  grundy graph game.pg --objective buchi --workers hosts --checkpoint work
  grundy graph --game 'nim(3, 4)' --objective outcome
  grundy graph --rules my.toml --game 'my(3, 4)' --objective loopy
  grundy graph generate grid --vertices 10000 --objective buchi --out grid.pg

Without --objective, how many vertices, edges and ends there are, and whether the graph is acyclic or loopy.
With it a line a vertex, in the order of the input: its name, then the value, the outcome with its remoteness, or the winner.
Targets are those of --target, else those marked in the file, else the vertices of even priority.
Plays of reach and safety may end: in reach whoever must move and cannot has lost, unless a target was
seen; in safety a play that ends on targets is won by player 0. Plays of the other games go on for ever.
A file that is called generate is ./generate. With --game vertices are called as positions are printed.

With --workers the objectives reach, safety, buchi, cobuchi and grundy are solved by one process for
each line of HOSTFILE (host:port; # begins a comment). Those of this machine are started, and started
again from what they saved when one of them dies; on each other host start the same command with
--process K, in any order. Process 0 prints the answer. It pays only where one machine does not do.
Whoever can reach the ports can take part: keep to a trusted network.")]
pub struct GraphArgs {
    #[command(subcommand)]
    pub command: Option<GraphCommand>,
    /// The graph: a file in a format that grundy convert reads, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "game")]
    pub file: Option<PathBuf>,
    /// In place of FILE the graph of all positions that play can reach from this one; cycles are allowed
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["file", "from", "min", "workers", "certificate"])]
    pub game: Option<String>,
    #[command(flatten)]
    pub own: OwnRules,
    /// What is asked of every vertex [default: nothing, only what kind of graph it is]
    #[arg(long, value_enum)]
    pub objective: Option<GraphGoal>,
    /// Vertices with a token each, by name: who wins their sum, and by which moves
    #[arg(long, value_name = "V,V", value_delimiter = ',', requires = "objective")]
    pub tokens: Vec<String>,
    /// Targets by name, in place of those of the file
    #[arg(long, value_name = "V,V", value_delimiter = ',', requires = "objective")]
    pub target: Vec<String>,
    /// Misère play of one token: who cannot move wins
    #[arg(long, requires = "objective")]
    pub misere: bool,
    /// Print where the winner of a vertex goes from there
    #[arg(long, requires = "objective")]
    pub strategy: bool,
    /// Say why, a line a vertex in the order in which vertices are decided, up to 1000 of them
    #[arg(long, conflicts_with = "tokens", requires = "objective")]
    pub explain: bool,
    /// Draw the graph with its answers into this file, up to 300 vertices and 2000 edges
    #[arg(long, value_name = "OUT.svg", requires = "objective")]
    pub svg: Option<PathBuf>,
    /// Let the checker, which knows no solver, look at all of it
    #[arg(long, requires = "objective")]
    pub verify: bool,
    /// Write a certificate of all that was found, which grundy verify checks against FILE
    #[arg(long, value_name = "OUT", requires = "objective")]
    pub certificate: Option<PathBuf>,
    /// Find cycles and components also of graphs with more than 100000 edges, for what is said beside the answer
    #[arg(long)]
    pub stats: bool,
    /// What a dead end means in parity, Büchi and co-Büchi games, which else must have none
    #[arg(long, value_enum, value_name = "WHAT", requires = "objective")]
    pub sinks: Option<Sinks>,
    /// In FILE the lowest priority decides
    #[arg(long)]
    pub min: bool,
    /// Format of FILE [default: by its name, or else by its content]
    #[arg(long, value_name = "F", value_parser = graph_format)]
    pub from: Option<GraphFormat>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: GraphOutput,
    /// Let several processes solve it, one for each host:port of this file; only in builds with the feature cluster
    #[arg(long, value_name = "HOSTFILE", help_heading = "Several processes", requires = "objective")]
    pub workers: Option<PathBuf>,
    /// Be process K of them, counted from 0
    #[arg(long, value_name = "K", help_heading = "Several processes", requires = "workers")]
    pub process: Option<usize>,
    /// Save what each process has found to a file in DIR, and begin with what is there
    #[arg(long, value_name = "DIR", help_heading = "Several processes", requires = "workers")]
    pub checkpoint: Option<PathBuf>,
    /// Time between two saves
    #[arg(long, value_name = "T", default_value = "5s", help_heading = "Several processes", requires = "checkpoint")]
    pub checkpoint_every: String,
    /// Started by a supervisor, which holds standard input open as long as the process is to go on
    #[arg(long, hide = true, requires = "process")]
    pub supervised: bool,
    /// How the progress is shown
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressMode,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphOutput {
    /// For people, a line a vertex
    Text,
    /// One JSON object
    Json,
    /// Winners and strategy as PGSolver and Oink write them, vertices numbered from 0
    Paritysol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sinks {
    /// Who must move there and cannot loses: a loop with the greatest priority that is the other player's, not green for player 0
    /// and green for player 1
    Lose,
}

#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Write a random game, the same for a seed on all machines
    Generate(GenerateArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GenerateShape {
    /// 1 to --degree moves from each vertex to anywhere
    Random,
    /// A square: moves to the right and down, and back to a random place from the last row and column
    Grid,
    /// Two rails: a move one rung up and one across
    Ladder,
    /// Triples of which the classical way of solving Büchi games needs a round for each; nothing is random but many priorities
    Chain,
    /// Random, but one vertex has moves to all, and all have one to it
    Hub,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy graph generate random --vertices 1000 --degree 5 --priorities 10 --seed 7 --out game.pg
  grundy graph generate chain --vertices 60000 --objective buchi | grundy graph - --objective buchi
  grundy graph game.pg --objective buchi --certificate game.cert
  grundy graph generate grid --objective safety --green 80 --to dot

Every vertex has a move. In parity games the highest priority decides. In a Büchi game written so, green vertices have priority
2 and others 1; for the other objectives they have 0 and 1: then parity, Büchi and co-Büchi games have the same winners when
they are solved as parity games.
Random numbers are those of SplitMix64 (Steele, Lea, Flood 2014), one below n the high word of n times an output.")]
pub struct GenerateArgs {
    /// What the graph looks like
    #[arg(value_enum, value_name = "SHAPE")]
    pub shape: GenerateShape,
    /// Number of vertices; grids are filled up to a square, chains to triples, ladders to pairs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number)]
    pub vertices: u64,
    /// Most moves of a vertex, for random [default: 4]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub degree: Option<u32>,
    /// Priorities 0 to K - 1, for parity games [default: 4]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub priorities: Option<u32>,
    /// What player 0 will play for: parity, buchi, cobuchi, reach or safety
    #[arg(long, value_enum, value_name = "GOAL", default_value = "parity", hide_possible_values = true)]
    pub objective: GraphGoal,
    /// Green vertices, or targets, in a hundred, for other games than parity [default: 10]
    #[arg(long, value_name = "P", value_parser = percent)]
    pub green: Option<u32>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Format of the file [default: by its name, pg for standard output]
    #[arg(long, value_name = "F", value_parser = graph_format)]
    pub to: Option<GraphFormat>,
    /// The file to write, put in place when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A percentage, with or without its sign.
fn percent(text: &str) -> Result<u32, String> {
    match text.strip_suffix('%').unwrap_or(text).parse() {
        Ok(share @ 0..=100) => Ok(share),
        _ => Err("write a number from 0 to 100".into()),
    }
}

/// A format of graphs by its word.
pub(super) fn graph_format(text: &str) -> Result<GraphFormat, String> {
    GraphFormat::ALL.iter().copied().find(|f| f.name() == text).ok_or_else(|| {
        let names: Vec<&str> = GraphFormat::ALL.iter().map(|f| f.name()).collect();
        format!("the formats are {}", names.join(", "))
    })
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy convert game.pg game.dot
  grundy convert wiki.txt.gz wiki.json
  grundy convert game.json - --to pg | oink
  grundy convert min.pg max.pg --min
  grundy convert ends.dot game.pg --sinks lose

Formats, with the ends of names that stand for them:
  pg         parity games of PGSolver, .pg .gm; the highest priority decides
  edges      an edge a line between blanks or tabs, # and % begin comments, .edges .edgelist .el .snap
  csv, tsv   an edge a line, with or without a heading (source, target), .csv .tsv
  dot        one digraph of vertices and edges with owner=, priority=, green=, .dot .gv; no subgraphs, ports or HTML
  json       {\"n\": 2, \"edges\": [[0, 1]], \"owner\": [0, 1], \"priority\", \"target\", \"names\"}, .json
  graphml    read only, .graphml
  node-link  of NetworkX, read only, .json
  metis      without directions, read only, .metis .graph
Files packed by gzip are unpacked. What OUT has no place for is left out, and standard error says so.")]
pub struct ConvertArgs {
    /// The file to read, or - for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write, put in place when it is complete, or - for standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Format of IN [default: by its name, or else by its content]
    #[arg(long, value_name = "F", value_parser = graph_format)]
    pub from: Option<GraphFormat>,
    /// Format of OUT [default: by its name]
    #[arg(long, value_name = "F", value_parser = graph_format)]
    pub to: Option<GraphFormat>,
    /// Give dead ends a loop, as a parity game must have
    #[arg(long, value_enum, value_name = "WHAT")]
    pub sinks: Option<Sinks>,
    /// In IN the lowest priority decides: mirror the priorities, so that in OUT the highest does
    #[arg(long)]
    pub min: bool,
}
