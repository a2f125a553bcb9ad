//! When a process saves, and when it stops.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::ClusterError;
use crate::budget::Meter;

/// Looks at the clock, at the limits, and at whether the others are still there.
#[derive(Debug)]
pub struct Watch {
    /// The limits.
    pub meter: Meter,
    lost: Arc<AtomicBool>,
    every: Duration,
    saved: Instant,
}

impl Watch {
    /// Saves so often; `lost` is set by whoever notices that another process is gone.
    pub fn new(meter: Meter, lost: Arc<AtomicBool>, every: Duration) -> Watch {
        Watch { meter, lost, every, saved: Instant::now() }
    }

    /// True if it is time to save.
    ///
    /// # Errors
    /// A limit, or the loss of another process.
    pub fn look(&mut self) -> Result<bool, ClusterError> {
        // the limits first: when all are interrupted, the others are gone for the same reason
        self.meter.steps(u64::MAX).map_err(ClusterError::Stopped)?;
        if self.lost.load(Ordering::Relaxed) {
            return Err(ClusterError::Lost);
        }
        let due = self.saved.elapsed() >= self.every;
        if due {
            self.saved = Instant::now();
        }
        Ok(due)
    }
}
