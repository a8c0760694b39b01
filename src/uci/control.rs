//! Signals to a running search: stop, and start of its clock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::platform::Instant;

/// Signals from the thread that reads the GUI's commands to a running search.
#[derive(Debug)]
pub(crate) struct Control {
    stop: AtomicBool,
    /// When the clock began to run; unset while pondering.
    clock_start: OnceLock<Instant>,
}

impl Control {
    /// Signals for a search whose clock runs from `clock_start`, or from the ponder hit if `None`.
    pub(crate) fn new(clock_start: Option<Instant>) -> Control {
        Control {
            stop: AtomicBool::new(false),
            clock_start: clock_start.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a pondering search; no effect on others.
    pub(crate) fn start_clock(&self, now: Instant) {
        let _ = self.clock_start.set(now);
    }

    /// Whether the search must end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time on the clock so far; `None` while pondering.
    pub(super) fn clock(&self) -> Option<Duration> {
        self.clock_start.get().map(Instant::elapsed)
    }
}
