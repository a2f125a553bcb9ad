//! One process's part: its block, its connections, and the run.

use std::{borrow::Cow, mem, rc::Rc, sync::Mutex, time::Instant};

use grundy_core::theory::digraph::Digraph;
use timely::{
    WorkerConfig,
    communication::{
        Allocator, AllocatorBuilder, Hooks,
        allocator::{ProcessBuilder, zero_copy::initialize::initialize_networking_from_sockets},
        initialize_from,
    },
    worker::Worker,
};

use super::{
    ClusterError, Kind, Seat,
    block::{Block, Blocks},
    connect::connect,
    rounds::{Run, Side},
    saved::{Found, Saved},
    watch::Watch,
};
use crate::{budget::Meter, formats::graph::GraphFile, graph, parity, store::Seal};

/// What one process does.
#[derive(Debug)]
pub struct Part {
    kind: Kind,
    blocks: Blocks,
    block: Block,
    /// Without vertices, if values are asked for.
    side: Side,
    /// Stands for the game: equal in all processes, and in a checkpoint.
    digest: u64,
    meter: Meter,
}

impl Part {
    /// Cuts the part out of the whole: what the file says of the vertices of its graph.
    ///
    /// # Errors
    /// The graph is not the game; the memory limit.
    pub fn cut(
        file: &GraphFile,
        graph: Cow<'_, Digraph>,
        kind: Kind,
        seat: &Seat,
        mut meter: Meter,
    ) -> Result<Part, ClusterError> {
        let blocks = Blocks::new(graph.vertices() as u32, seat.hosts.len());
        let range = blocks.range(seat.process);
        // counters and bits of the solver, beside the block
        meter.bytes(Block::bytes(&graph, &range) + 20 * range.len() as u64)?;
        let mut digest = Seal::default();
        digest.add(format!("{kind:?} {}", graph.vertices()).as_bytes());
        add_graph(&mut digest, &graph);
        let mut side = Side { own: Vec::new(), target: Vec::new() };
        let block = match kind {
            Kind::Values => Block::cut(&graph, range),
            Kind::Game(objective) => {
                let game = graph::game_of(file, graph.into_owned(), objective)?;
                let targets = parity::Targets::of(&game);
                digest.add(game.owner());
                let is_target: Vec<u8> = (0..blocks.vertices()).map(|v| targets.has(&game, v).into()).collect();
                digest.add(&is_target);
                side.own = range.clone().map(|v| game.owner()[v as usize] == targets.player()).collect();
                side.target = range.clone().map(|v| is_target[v as usize] == 1).collect();
                Block::cut(game.graph(), range)
            }
        };
        Ok(Part { kind, blocks, block, side, digest: digest.sum(), meter })
    }

    /// Solves it with the others: all layers or values in process 0, nothing elsewhere.
    ///
    /// # Errors
    /// As [`super::answer`].
    pub fn solve(self, seat: &Seat, note: &mut dyn FnMut(&str)) -> Result<(Vec<u32>, Meter), ClusterError> {
        let mut watch = Watch::new(self.meter, seat.lost.clone(), seat.every);
        let (saved, found) = match &seat.checkpoint {
            Some(dir) => {
                let seat = (seat.process, seat.hosts.len());
                let (saved, found) = Saved::open(dir, seat, self.digest, &self.block)?;
                (Some(saved), found.unwrap_or_default())
            }
            None => Default::default(),
        };
        let streams = connect(&seat.hosts, seat.process, self.digest, &mut watch, note)?;
        let no_threads = |e: String| ClusterError::Network {
            message: format!("process {}: {e}", seat.process),
            hint: "the network needs two threads for each of the others".into(),
        };
        let hooks = Hooks::default();
        let inside = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), hooks.spill.clone());
        let (builders, network) = initialize_networking_from_sockets(inside, streams, seat.process, 1, hooks)
            .map_err(|e| no_threads(e.to_string()))?;
        let task =
            Task { kind: self.kind, blocks: self.blocks, block: self.block, side: self.side, watch, saved, found };
        // handed to the one worker, on a thread of its own
        let task = Mutex::new(Some(task));
        let worker = move |allocator| {
            let task = task.lock().ok().and_then(|mut task| task.take());
            task.map_or(Err(ClusterError::Lost), |task| task.run(allocator))
        };
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let mut results = initialize_from(builders, Box::new(()), worker).map_err(no_threads)?.join();
        match results.pop() {
            Some(Ok(Ok(done))) => {
                // waits until the others have all that is theirs
                drop(network);
                Ok(done)
            }
            failed => {
                // its threads wait for others, or have panicked because they are gone
                mem::forget(network);
                failed.and_then(Result::ok).map_or(Err(ClusterError::Lost), |error| error)
            }
        }
    }
}

/// What the worker does.
struct Task {
    kind: Kind,
    blocks: Blocks,
    block: Block,
    side: Side,
    watch: Watch,
    saved: Option<Saved>,
    found: Found,
}

impl Task {
    fn run(self, allocator: Allocator) -> Result<(Vec<u32>, Meter), ClusterError> {
        let Task { kind, blocks, block, side, watch, saved, found } = self;
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let mut run = Run { worker: &mut worker, blocks, block: Rc::new(block), watch, saved };
        let numbers = match kind {
            Kind::Values => run.values(found),
            Kind::Game(objective) if objective.allows_dead_ends() => run.reach(&side, found),
            Kind::Game(_) => run.again_and_again(&side, found),
        };
        let gathered = numbers.and_then(|numbers| run.gather(numbers));
        let meter = run.watch.meter;
        gathered.map(|numbers| (numbers, meter)).inspect_err(|_| {
            // to drop it would tell the others that all is well
            mem::forget(worker);
        })
    }
}

fn add_graph(digest: &mut Seal, graph: &Digraph) {
    let mut add = |bytes: Vec<u8>| digest.add(&bytes);
    graph.offsets().chunks(1 << 12).for_each(|c| add(c.iter().flat_map(|n| n.to_le_bytes()).collect()));
    graph.targets().chunks(1 << 12).for_each(|c| add(c.iter().flat_map(|n| n.to_le_bytes()).collect()));
}
