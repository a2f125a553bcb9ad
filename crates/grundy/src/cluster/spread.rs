//! The dataflow: what is found at a vertex is told to its predecessors, until nothing new is found anywhere.

use std::{cell::RefCell, rc::Rc, time::Duration};

use timely::{
    ExchangeData,
    container::CapacityContainerBuilder,
    dataflow::{
        channels::pact::Exchange,
        operators::{ConnectLoop, Feedback, ToStream, generic::Operator},
    },
    worker::Worker,
};

use super::{ClusterError, block::Blocks, watch::Watch};

/// Edges that a process goes along before it looks at what came in.
const SLICE: usize = 1 << 18;

/// How long a process without work sleeps before it looks at the clock; a message wakes it at once.
const PARK: Duration = Duration::from_millis(20);

/// What a process does at the vertices of its block.
pub trait Local: 'static {
    /// What a vertex of another block is told, beside that it is meant.
    type Note: ExchangeData + Clone;

    /// A vertex of the block is told something.
    fn hear(&mut self, v: u32, note: Self::Note);

    /// Works for about `edges` edges: what concerns the block itself is done at once, the rest is sent. True if there is more.
    fn work(&mut self, edges: usize, send: impl FnMut(u32, Self::Note)) -> bool;
}

/// Lets all processes work and tell one another, until all of them are done and no message is on its way.
///
/// One operator stands in a loop: what it sends comes back to the process of the vertex that is meant. It holds a place in the
/// loop's time as long as it has work; when nobody does and no message is left, the dataflow ends everywhere at the same point.
///
/// `save` is called whenever the watch says so, and before the error is returned when the watch asks to stop.
///
/// # Errors
/// The watch's, or those of `save`; the worker is of no use then.
pub fn spread<L: Local>(
    worker: &mut Worker,
    blocks: Blocks,
    local: L,
    watch: &mut Watch,
    mut save: impl FnMut(&L) -> Result<(), ClusterError>,
) -> Result<L, ClusterError> {
    let local = Rc::new(RefCell::new(local));
    let shared = local.clone();
    worker.dataflow::<u64, _, _>(|scope| {
        let (handle, returning) = scope.feedback::<Vec<(u32, L::Note)>>(1);
        let to = Exchange::new(move |(v, _): &(u32, L::Note)| blocks.of(*v) as u64);
        let sent = returning.unary::<CapacityContainerBuilder<Vec<(u32, L::Note)>>, _, _, _>(
            to,
            "spread",
            move |capability, info| {
                let again = scope.activator_for(info.address);
                let mut held = Some(capability);
                move |input, output| {
                    let mut local = shared.borrow_mut();
                    input.for_each_stamp(|time, batches| {
                        for batch in batches {
                            batch.drain(..).for_each(|(v, note)| local.hear(v, note));
                        }
                        if held.is_none() {
                            held = time.retain_least(output.output_index());
                        }
                    });
                    let Some(time) = &held else { return };
                    let mut session = output.session(time);
                    let more = local.work(SLICE, |v, note| session.give((v, note)));
                    drop(session);
                    if more { again.activate() } else { held = None }
                }
            },
        );
        sent.connect_loop(handle);
    });
    run(worker, watch, || save(&local.borrow()))?;
    // the dataflow is gone, and its share with it
    Rc::try_unwrap(local).map(RefCell::into_inner).map_err(|_| ClusterError::Lost)
}

/// Sends each item to the process named beside it; gives what came in, in any order.
///
/// # Errors
/// The watch's; the worker is of no use then.
pub fn deliver<T: ExchangeData>(
    worker: &mut Worker,
    items: impl IntoIterator<Item = (u64, T)> + 'static,
    watch: &mut Watch,
) -> Result<Vec<T>, ClusterError> {
    let received = Rc::new(RefCell::new(Vec::new()));
    let shared = received.clone();
    worker.dataflow::<u64, _, _>(|scope| {
        let sent = items.to_stream(scope).container::<Vec<(u64, T)>>();
        sent.sink(Exchange::new(|(process, _): &(u64, T)| *process), "deliver", move |(input, _)| {
            input.for_each_stamp(|_, batches| {
                for batch in batches {
                    shared.borrow_mut().extend(batch.drain(..).map(|(_, item)| item));
                }
            });
        });
    });
    run(worker, watch, || Ok(()))?;
    Ok(received.take())
}

/// What all processes say, in any order.
///
/// # Errors
/// The watch's; the worker is of no use then.
pub fn tell_all(worker: &mut Worker, number: u64, watch: &mut Watch) -> Result<Vec<u64>, ClusterError> {
    let all: Vec<(u64, u64)> = (0..worker.peers() as u64).map(|process| (process, number)).collect();
    deliver(worker, all, watch)
}

/// Runs the one dataflow at hand to its end.
fn run(
    worker: &mut Worker,
    watch: &mut Watch,
    mut save: impl FnMut() -> Result<(), ClusterError>,
) -> Result<(), ClusterError> {
    while worker.has_dataflows() {
        worker.step_or_park(Some(PARK));
        match watch.look() {
            Ok(false) => {}
            Ok(true) => save()?,
            Err(stop) => {
                save()?;
                return Err(stop);
            }
        }
    }
    Ok(())
}
