//! Games on graphs solved by several processes, on one machine or on many: attractors, Büchi games and Grundy values.
//!
//! Each process has a block of neighbouring vertices (`block.rs`). What it finds in its block it follows at once, on a stack, as far
//! as the block goes; over the border goes a message for each edge (`spread.rs`, on timely dataflow). When nobody has anything left
//! to do and no message is on its way, all processes go on to the next round together (`rounds.rs`).
//!
//! | question | what is told to predecessors | known results that are a sound beginning |
//! |---|---|---|
//! | reachability, safety | that a vertex is won | any of them: the attractor grows to the same set in whatever order |
//! | Büchi, co-Büchi | the same in each of the rounds `[Tho95]`: what cannot be forced to the targets is taken away | what was taken away up to the end of a round, and any part of the attractor in the next one |
//! | Grundy values | the value | any of them: the others follow |
//!
//! So each process saves what it knows whenever it likes (`saved.rs`), without asking the others, and after a loss all begin again
//! from what each has saved. Counters are not saved: whatever is known is told again.
//!
//! # Complexity
//! Reachability, safety and values: O(vertices + edges) work in all, and a message of 4 or 8 bytes for each edge between blocks.
//! Büchi and co-Büchi: that for each round, of which there are at most as many as targets, and one. On one machine, each of two
//! processes went through a third to a fifth of the edges a second that one alone does; a play that goes to and fro between
//! blocks costs 0.1 to 0.2 ms each time it crosses the border, a round at least half a millisecond
//! (`examples/cluster_bench.rs`). So this is for games that are too much for one machine, with numbers that follow the graph
//! (neighbours near one another). All others are solved sooner by [`crate::graph::answer`].
//!
//! Memory: to begin with, each process reads the whole graph, and has it until its block is cut. Then it keeps 12 bytes
//! for each vertex of the block and 4 for each edge into it, and while it solves 10 (values: 20; Büchi and co-Büchi: 18) more a
//! vertex of the block. Messages that the others have not taken yet wait in memory, without a bound. Process 0 keeps the
//! graph for the answer; 4 bytes a vertex of all blocks are gathered there, and where strategies are asked for it finds them
//! from the layers by one pass over the graph ([`crate::parity::from_layers`]), the order within a round being found again.
//!
//! # Safety of the network
//! Whoever can reach the ports can take part, and what goes over the wire is not encrypted: keep to a trusted network. That a host is
//! gone is noticed when its connections close: one that vanishes without a word is waited for.
//!
//! # Sources
//! rounds `[Tho95]`; saving without asking the others `[own]`: what is found is a least fixed point of rules that only add, and any part
//! of it from which the rules go on leads to the same

mod attract;
mod block;
mod connect;
mod hosts;
mod part;
mod rounds;
mod saved;
mod spread;
#[cfg(test)]
mod tests;
mod values;
mod watch;

use std::{
    borrow::Cow,
    fmt, mem,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use grundy_core::{
    proof::GraphClaim,
    theory::parity_game::{Objective, Solution},
};

use self::{part::Part, values::UNKNOWN};
use crate::{
    budget::{Budget, Meter, StopReason},
    graph::{self, Found, GraphAnswer, GraphObjective, GraphQuery, NotThisGame},
    parity,
    store::StoreError,
};

pub use hosts::Hosts;

/// One process of those that solve a game together.
#[derive(Clone, Debug)]
pub struct Seat {
    /// All of them.
    pub hosts: Hosts,
    /// Which one this is, counted from 0.
    pub process: usize,
    /// Where to save, and to begin from what is saved.
    pub checkpoint: Option<PathBuf>,
    /// Time between two saves.
    pub every: Duration,
    /// Set by whoever notices that another process is gone: a thread of the network panics then, and a panic hook should set this and
    /// keep the thread from unwinding, so that the process can save before it ends.
    pub lost: Arc<AtomicBool>,
}

/// Why a process has no answer.
#[derive(Debug)]
pub enum ClusterError {
    /// The graph is not the game that was asked about, or the question is none for several processes.
    NotThisGame(NotThisGame),
    /// A limit was reached, or somebody asked to stop.
    Stopped(StopReason),
    /// Another process is gone.
    Lost,
    /// The checkpoint is of no use.
    Store(StoreError),
    /// The others cannot be reached, or solve something else.
    Network {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::NotThisGame(e) => e.fmt(f),
            ClusterError::Stopped(e) => e.fmt(f),
            ClusterError::Lost => f.write_str("another process is gone"),
            ClusterError::Store(e) => e.fmt(f),
            ClusterError::Network { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for ClusterError {}

impl From<StoreError> for ClusterError {
    fn from(e: StoreError) -> Self {
        ClusterError::Store(e)
    }
}

impl From<NotThisGame> for ClusterError {
    fn from(e: NotThisGame) -> Self {
        ClusterError::NotThisGame(e)
    }
}

impl From<StopReason> for ClusterError {
    fn from(e: StopReason) -> Self {
        ClusterError::Stopped(e)
    }
}

/// Answers a question about a graph together with the other processes, each of which is asked the same: process 0 has the answer,
/// the others `None`. Winners come with their moves if `strategies` says so, or if the answer is to be verified or certified. `note` is told when
/// the process waits for another.
///
/// After an error some threads of the network stay behind: the process is expected to end, as the others do when they notice.
///
/// # Complexity
/// See the [module](self).
///
/// # Errors
/// [`ClusterError`]: what [`graph::answer`] refuses; loopy values, outcomes and parity games, which are not solved so; a limit
/// or another process that is gone, after saving; a checkpoint that is damaged or of another game; no connection.
///
/// # Examples
/// ```no_run
/// use grundy::{Budget, cluster::{self, Hosts, Seat}, formats::graph::{GraphFormat, read}};
/// use grundy::graph::{GraphObjective, GraphQuery, Vertices};
/// use grundy_core::theory::{Convention, parity_game::Objective};
///
/// let query = GraphQuery {
///     file: read(b"parity 2; 0 1 0 1,2; 1 1 1 1; 2 2 0 0;", GraphFormat::PgSolver).unwrap(),
///     objective: GraphObjective::Game(Objective::Buchi),
///     convention: Convention::Normal,
///     tokens: vec![],
///     verify: true,
///     certificate: None,
/// };
/// // another process does the same as number 1
/// let seat = Seat {
///     hosts: Hosts::parse("localhost:4001\nlocalhost:4002").unwrap(),
///     process: 0,
///     checkpoint: Some("work".into()),
///     every: std::time::Duration::from_secs(5),
///     lost: Default::default(),
/// };
/// let answer = cluster::answer(query, true, &seat, &Budget::default(), &mut |_| ()).unwrap().unwrap();
/// let Some(Vertices::Winners(solution)) = answer.vertices else { unreachable!() };
/// assert_eq!((solution.winner, solution.strategy), (vec![0, 1, 0], vec![Some(2), None, Some(0)]));
/// ```
pub fn answer(
    mut query: GraphQuery,
    strategies: bool,
    seat: &Seat,
    budget: &Budget,
    note: &mut dyn FnMut(&str),
) -> Result<Option<GraphAnswer>, ClusterError> {
    let kind = Kind::of(&query)?;
    let meter = Meter::new(budget);
    let (part, query) = if seat.process == 0 {
        let part = Part::cut(&query.file, Cow::Borrowed(&query.file.graph), kind, seat, meter)?;
        (part, Some(query))
    } else {
        // the others need neither the graph nor its names any more
        let graph = mem::take(&mut query.file.graph);
        (Part::cut(&query.file, Cow::Owned(graph), kind, seat, meter)?, None)
    };
    let (numbers, mut meter) = part.solve(seat, note)?;
    let Some(query) = query else { return Ok(None) };
    let found = match kind {
        Kind::Values => values(&query, &numbers)?,
        Kind::Game(objective) => winners(&query, objective, &numbers, strategies, &mut meter)?,
    };
    let (way, sources): (_, &[_]) = match kind {
        Kind::Values => ("mex of the followers", &["Spr35", "Gru39"]),
        Kind::Game(Objective::Buchi | Objective::CoBuchi) => ("rounds of attractors", &["Tho95"]),
        Kind::Game(_) => ("an attractor", &["EJ91"]),
    };
    let processes = seat.hosts.len();
    let method = format!("{way}, by {processes} process{}", if processes == 1 { "" } else { "es" });
    Ok(Some(graph::put_together(query, found, method, sources, &meter)?))
}

/// A mark for each process's file in a directory of checkpoints; it changes whenever something new is saved, and is `None` where
/// there is no file.
pub fn saved_marks(dir: &Path, hosts: &Hosts) -> Vec<Option<u64>> {
    let processes = hosts.len();
    (0..processes).map(|process| saved::mark(&dir.join(saved::name(process, processes)))).collect()
}

/// How a question is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Values,
    Game(Objective),
}

impl Kind {
    fn of(query: &GraphQuery) -> Result<Kind, NotThisGame> {
        graph::fits(query)?;
        match query.objective {
            GraphObjective::Grundy => Ok(Kind::Values),
            GraphObjective::Game(objective) if objective != Objective::Parity => Ok(Kind::Game(objective)),
            _ => Err(NotThisGame {
                message: "several processes solve reachability, safety, Büchi and co-Büchi games and Grundy values"
                    .into(),
                hint: "ask for one of these, or leave the others to one process".into(),
            }),
        }
    }
}

fn values(query: &GraphQuery, numbers: &[u32]) -> Result<Found, NotThisGame> {
    if numbers.contains(&UNKNOWN)
        && let Err(cycle) = query.file.graph.topological_order()
    {
        return Err(graph::has_cycle(&query.file, &cycle));
    }
    Ok(Found {
        claim: Ok(GraphClaim::Grundy(numbers.iter().map(|v| u64::from(*v)).collect())),
        game: None,
        rounds: None,
    })
}

fn winners(
    query: &GraphQuery,
    objective: Objective,
    layers: &[u32],
    strategies: bool,
    meter: &mut Meter,
) -> Result<Found, ClusterError> {
    if !strategies && !query.verify && query.certificate.is_none() {
        let winner = parity::winners_of_layers(objective, layers);
        let strategy = vec![None; layers.len()];
        return Ok(Found {
            claim: Ok(GraphClaim::Winners(objective, Solution { winner, strategy })),
            game: None,
            rounds: None,
        });
    }
    let game = graph::game_of(&query.file, query.file.graph.clone(), objective)?;
    let solution = parity::from_layers(&game, layers, meter)?;
    Ok(Found { claim: Ok(GraphClaim::Winners(objective, solution)), game: Some(game), rounds: None })
}
