//! How a running search is told of things: to stop, and that its clock runs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::platform::Instant;

/// What a running search is told: shared with the thread that listens to the GUI.
#[derive(Debug)]
pub(crate) struct Control {
    stop: AtomicBool,
    /// When the clock began to run; unset while pondering.
    clock_start: OnceLock<Instant>,
}

impl Control {
    /// For a search whose clock runs from `clock_start`, or from the ponder hit if `None`.
    pub(crate) fn new(clock_start: Option<Instant>) -> Control {
        let control = Control {
            stop: AtomicBool::new(false),
            clock_start: OnceLock::new(),
        };
        if let Some(start) = clock_start {
            control.start_clock(start);
        }
        control
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a search that ponders; without effect on others.
    pub(crate) fn start_clock(&self, now: Instant) {
        let _ = self.clock_start.set(now);
    }

    /// Whether the search has been told to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time on the clock so far; `None` while pondering.
    pub(super) fn clock(&self) -> Option<Duration> {
        self.clock_start.get().map(Instant::elapsed)
    }
}
