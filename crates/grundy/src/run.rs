//! Long runs: the values of one game from heap 0 to N, handed out as they come and never held a second time.
//!
//! A [`Run`] computes in blocks of some milliseconds, so that whoever drives it can write values, save a checkpoint and say how far
//! it has come in between; [`Run::complete`] is that loop. What is handed out comes from the engine's narrow table, from a proved
//! period, or from a closed form; only the first of them is stored.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use grundy_core::{
    rulesets::HeapGame,
    theory::{Convention, Periodicity},
};

use crate::{
    answer::{Header, Stats, Status},
    budget::{Limit, Meter, StopReason},
    formats::stream::{ValueSink, ValueSlice},
    plan::engine_for,
    sequence::{Progress, Sequence, ValueTable},
    store::{Checkpoint, StoreError},
};

/// The values of a game on the way to heap N.
#[derive(Debug)]
pub struct Run {
    game: Arc<HeapGame>,
    /// None where a closed form gives every value.
    sequence: Option<Sequence>,
    /// Heaps of the next block.
    block: u64,
}

/// Where a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Number of values handed out: those of heaps `0 .. count`.
    pub count: u64,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// What broke a run off. What was computed is safe in the checkpoint, unless that is what failed.
#[derive(Debug)]
pub enum Fault {
    /// Values could not be written.
    Output(io::Error),
    /// The checkpoint could not be saved.
    Checkpoint(StoreError),
}

/// A checkpoint that is saved now and then.
#[derive(Debug)]
pub struct Keeper {
    checkpoint: Checkpoint,
    every: Option<Duration>,
    last: Instant,
}

impl Keeper {
    /// Saves every so often, and at the end; without an interval only at the end.
    pub fn new(checkpoint: Checkpoint, every: Option<Duration>) -> Self {
        Keeper { checkpoint, every, last: Instant::now() }
    }

    fn save(&mut self, run: &Run) -> Result<(), Fault> {
        if let Some(sequence) = &run.sequence {
            self.checkpoint.save(sequence.table()).map_err(Fault::Checkpoint)?;
        }
        self.last = Instant::now();
        Ok(())
    }

    fn save_if_due(&mut self, run: &Run) -> Result<(), Fault> {
        match self.every {
            Some(every) if self.last.elapsed() >= every => self.save(run),
            _ => Ok(()),
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunProgress {
    /// Number of values handed out.
    pub count: u64,
    /// What the engine says; None where a closed form gives the values.
    pub engine: Option<Progress>,
    /// The period, once it is proved.
    pub period: Option<Periodicity>,
}

/// A block takes about this long.
const BLOCK_TIME: Duration = Duration::from_millis(10);

/// Least and largest number of heaps in a block.
const BLOCK_HEAPS: (u64, u64) = (32, 1 << 22);

/// Values handed out at a time.
const PIECE: u64 = 1 << 14;

/// Values handed out between two reports.
const ROUND: u64 = 1 << 20;

impl Run {
    /// A run of which nothing is known yet.
    pub fn new(game: Arc<HeapGame>) -> Self {
        Run::resume(game, ValueTable::new())
    }

    /// Goes on from values of the game's rule that were computed before; they are believed.
    pub fn resume(game: Arc<HeapGame>, table: ValueTable) -> Self {
        // the closed form of a row of squares is that of its heaps, which start elsewhere
        let is_closed = game.closed_form().is_some() && game.heap_of(0) == Some(0);
        let sequence = (!is_closed).then(|| Sequence::resume(game.rule(), engine_for(game.rule()), table));
        Run { game, sequence, block: 1024 }
    }

    /// Number of values up to heap `to` that can be handed out now.
    pub fn known(&self, to: u64) -> u64 {
        let all = to.saturating_add(1);
        match &self.sequence {
            Some(s) if s.proved().is_none() => {
                let first = self.game.heap_of(0).unwrap_or(0);
                (s.table().len() as u64).saturating_sub(first).min(all)
            }
            _ => all,
        }
    }

    /// The period, once it is proved.
    pub fn period(&self) -> Option<Periodicity> {
        let first = self.game.heap_of(0).unwrap_or(0);
        let period = self.sequence.as_ref().and_then(Sequence::proved);
        period.map(|p| Periodicity { preperiod: p.preperiod.saturating_sub(first), ..p })
    }

    /// The sequence of the game's rule, for further questions; None where a closed form gives every value.
    pub fn into_sequence(self) -> Option<Sequence> {
        self.sequence
    }

    /// What the engine says of itself; None where a closed form gives the values.
    pub fn engine(&self) -> Option<Progress> {
        self.sequence.as_ref().map(Sequence::progress)
    }

    /// Computes one block towards heap `to`. What was computed before a stop is kept.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn advance(&mut self, to: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let Some(sequence) = &mut self.sequence else { return Ok(()) };
        let last = self.game.heap_of(to).ok_or_else(|| meter.stop(Limit::Width))?;
        let start = Instant::now();
        // blocks end at multiples of their size, so that engines that work in blocks of their own are not cut short
        let end = (sequence.table().len() as u64 / self.block + 1).saturating_mul(self.block) - 1;
        sequence.advance(last.min(end), meter)?;
        let elapsed = start.elapsed();
        if elapsed < BLOCK_TIME {
            self.block = (self.block * 2).min(BLOCK_HEAPS.1);
        } else if elapsed > 2 * BLOCK_TIME {
            self.block = (self.block / 2).max(BLOCK_HEAPS.0);
        }
        Ok(())
    }

    /// Hands the values of heaps `from .. to` out, as far as they are known and the meter allows.
    ///
    /// Returns the heap after the last one handed out, and the stop.
    ///
    /// # Errors
    /// The sink's.
    pub fn emit(
        &self,
        from: u64,
        to: u64,
        sink: &mut dyn ValueSink,
        meter: &mut Meter,
    ) -> io::Result<(u64, Option<StopReason>)> {
        let mut buffer = Vec::new();
        let mut next = from;
        while next < to {
            let most = PIECE.min(to - next);
            let piece = meter.steps(2 * most).and_then(|()| self.piece(next, most, &mut buffer, meter));
            match piece {
                Ok(values) if values.is_empty() => break,
                Ok(values) => {
                    sink.take(next, values)?;
                    next += values.len() as u64;
                }
                Err(stop) => return Ok((next, Some(stop))),
            }
        }
        Ok((next, None))
    }

    /// Some values from heap n on, at most `most`; none if that of n is not known.
    fn piece<'a>(
        &'a self,
        n: u64,
        most: u64,
        buffer: &'a mut Vec<u64>,
        meter: &mut Meter,
    ) -> Result<ValueSlice<'a>, StopReason> {
        buffer.clear();
        let Some(sequence) = &self.sequence else {
            let form = self.game.closed_form();
            for heap in n..n + most {
                let value = meter
                    .position()
                    .and_then(|()| form.and_then(|f| f.value(heap)).ok_or_else(|| meter.stop(Limit::Width)));
                match value {
                    Ok(value) => buffer.push(value),
                    Err(stop) if buffer.is_empty() => return Err(stop),
                    Err(_) => break,
                }
            }
            return Ok(ValueSlice::U64(buffer));
        };
        let table = sequence.table();
        let heap = self.game.heap_of(n).ok_or_else(|| meter.stop(Limit::Width))?;
        let known = table.len() as u64;
        if heap < known {
            return Ok(ValueSlice::of(table, heap as usize..known.min(heap.saturating_add(most)) as usize));
        }
        let Some(Periodicity { preperiod, period, saltus }) = sequence.proved() else {
            return Ok(ValueSlice::U64(buffer));
        };
        let (turns, at) = ((heap - preperiod) / period, preperiod + (heap - preperiod) % period);
        if saltus == 0 && period >= most / 4 {
            return Ok(ValueSlice::of(table, at as usize..(preperiod + period).min(at + most) as usize));
        }
        let mut more = saltus.checked_mul(turns).ok_or_else(|| meter.stop(Limit::Width))?;
        let mut i = at;
        for _ in 0..most {
            let value = table.get(i as usize).and_then(|v| v.checked_add(more));
            let Some(value) = value else { break };
            buffer.push(value);
            i += 1;
            if i == preperiod + period {
                i = preperiod;
                let Some(sum) = more.checked_add(saltus) else { break };
                more = sum;
            }
        }
        if buffer.is_empty() { Err(meter.stop(Limit::Width)) } else { Ok(ValueSlice::U64(buffer)) }
    }

    /// Computes the values of heaps `0 ..= to`, hands them to the sink as they come, saves checkpoints and reports.
    ///
    /// A stop by the meter is an ending with its reason: what was computed before has been handed out and saved.
    ///
    /// # Complexity
    /// That of the engine; memory for its table, and one block.
    ///
    /// # Errors
    /// A [`Fault`]; if the output fails, the checkpoint is saved first.
    pub fn complete(
        &mut self,
        to: u64,
        meter: &mut Meter,
        sink: &mut dyn ValueSink,
        mut keeper: Option<&mut Keeper>,
        report: &mut dyn FnMut(&RunProgress),
    ) -> Result<Ending, Fault> {
        let all = to.saturating_add(1);
        let mut next = 0;
        let mut stop = None;
        while next < all && stop.is_none() {
            if next >= self.known(to) {
                stop = self.advance(to, meter).err();
            }
            let known = self.known(to);
            // what came before a stop is handed out whole: it is a block at most
            let written = match stop {
                Some(_) => self.emit(next, known, sink, &mut Meter::unlimited()).map(|(n, _)| (n, None)),
                None => self.emit(next, known.min(next.saturating_add(ROUND)), sink, meter),
            };
            match written {
                Ok((n, halt)) => {
                    next = n;
                    stop = stop.or(halt);
                }
                Err(error) => {
                    let _ = keeper.map(|k| k.save(self));
                    return Err(Fault::Output(error));
                }
            }
            report(&RunProgress { count: next, engine: self.engine(), period: self.period() });
            if let Some(keeper) = &mut keeper {
                keeper.save_if_due(self)?;
            }
        }
        if let Some(keeper) = keeper {
            keeper.save(self)?;
        }
        let reached = match next.checked_sub(1) {
            None => "no value was computed".into(),
            Some(last) => format!("values are known to heap {last}"),
        };
        Ok(Ending { count: next, stop: stop.map(|s| s.reached(reached)) })
    }

    /// What an answer says of itself, after the run.
    pub fn header(&self, ending: &Ending, meter: &Meter) -> Header {
        let (status, method, source) = match self.game.closed_form() {
            Some(form) => (Status::Proved, form.theorem().to_owned(), Some(form.source())),
            None => (Status::Computed, engine_for(self.game.rule()).method().to_owned(), None),
        };
        Header {
            convention: Convention::Normal,
            status: if ending.stop.is_some() && ending.count == 0 { Status::Stopped } else { status },
            method,
            sources: source.into_iter().collect(),
            stats: Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{budget::Budget, formats::checksum::Checksum, query::SequenceQuery, session::Session};
    use grundy_core::notation::read_heap_game;

    /// Keeps what it takes.
    #[derive(Default)]
    struct Kept(Vec<u64>);

    impl ValueSink for Kept {
        fn take(&mut self, first: u64, values: ValueSlice<'_>) -> io::Result<()> {
            assert_eq!(first, self.0.len() as u64);
            values.each(|v| self.0.push(v));
            Ok(())
        }
    }

    fn values(run: &mut Run, to: u64, budget: &Budget) -> (Vec<u64>, Ending) {
        let mut kept = Kept::default();
        let ending = run.complete(to, &mut Meter::new(budget), &mut kept, None, &mut |_| {}).unwrap();
        assert_eq!(ending.count, kept.0.len() as u64);
        (kept.0, ending)
    }

    #[test]
    fn equals_the_answer_of_a_session() {
        for (rule, to) in [
            ("kayles", 30_000),
            ("0.165", 20_000),
            ("0.06", 700),
            ("treblecross", 500),
            ("nim", 40_000),
            ("lasker", 9),
            ("[take primes]", 300),
            ("subtraction[{1}]", 5000),
            ("[take any but 3, 5]", 400),
        ] {
            let game = read_heap_game(rule).unwrap();
            let expected = Session::new().sequence(&SequenceQuery { game: game.clone(), to }, &Budget::default());
            let (found, ending) = values(&mut Run::new(game.clone()), to, &Budget::default());
            assert!(found == expected.values, "{rule}");
            assert_eq!(ending, Ending { count: to + 1, stop: None }, "{rule}");
            let mut run = Run::new(game);
            let (first, _) = values(&mut run, to / 3, &Budget::default());
            assert!(first == expected.values[..=to as usize / 3], "{rule}");
            assert!(values(&mut run, to, &Budget::default()).0 == expected.values, "{rule}");
        }
    }

    #[test]
    fn a_stop_hands_out_what_was_found() {
        let game = read_heap_game("0.06").unwrap();
        let all = values(&mut Run::new(game.clone()), 700, &Budget::default()).0;
        let budget = Budget { positions: Some(500), ..Budget::default() };
        let (found, ending) = values(&mut Run::new(game), 700, &budget);
        assert_eq!(found, all[..500]);
        let stop = ending.stop.unwrap();
        assert_eq!((stop.limit, stop.reached.as_str()), (Limit::Positions, "values are known to heap 499"));
        let (none, ending) =
            values(&mut Run::new(read_heap_game("nim").unwrap()), 9, &Budget { positions: Some(0), ..budget });
        assert_eq!((none.len(), ending.stop.unwrap().reached.as_str()), (0, "no value was computed"));
    }

    #[test]
    fn a_proved_period_needs_no_storage() {
        let mut run = Run::new(read_heap_game("0.77").unwrap());
        let mut sum = Checksum::default();
        run.complete(3_000_000, &mut Meter::unlimited(), &mut sum, None, &mut |_| {}).unwrap();
        assert_eq!(sum.count(), 3_000_001);
        assert!(run.sequence.as_ref().is_some_and(|s| s.table().len() < 2000));
        assert_eq!(run.period(), Some(Periodicity { preperiod: 71, period: 12, saltus: 0 }));
    }
}
