//! The time a search takes: a clock that ends it, and how times and speeds are told.

use std::time::Duration;

use super::limit::Limit;
use crate::platform::Instant;
use crate::search::Observer;

/// A clock that runs from its making, and the time at which the search is over, if there is one.
///
/// By itself it is the observer of a search that is to end by the clock and to be heard of no more;
/// other observers ask it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Instant,
    movetime: Option<Duration>,
}

impl Stopwatch {
    /// Starts the clock of a search with this limit.
    pub fn start(limit: &Limit) -> Stopwatch {
        Stopwatch::started(Instant::now(), limit.movetime_ms)
    }

    /// A clock that has been running since `start`, and is over after so many milliseconds, or never.
    pub fn started(start: Instant, movetime_ms: Option<u64>) -> Stopwatch {
        Stopwatch {
            start,
            movetime: movetime_ms.map(Duration::from_millis),
        }
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.movetime
            .is_some_and(|movetime| self.start.elapsed() >= movetime)
    }

    /// Milliseconds gone, see [`milliseconds`].
    pub fn ms(&self) -> f64 {
        milliseconds(self.start.elapsed())
    }
}

impl<M> Observer<M> for Stopwatch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.is_over()
    }
}

/// Ends a search by the clock, and tells how far it is.
pub(crate) struct Watched<F> {
    clock: Stopwatch,
    is_timed: bool,
    reach: F,
}

impl<F: FnMut(u64)> Watched<F> {
    /// Starts the clock; `reach` is told the milliseconds gone if the limit has any, else the nodes visited.
    pub(crate) fn new(limit: &Limit, reach: F) -> Watched<F> {
        Watched {
            clock: Stopwatch::start(limit),
            is_timed: limit.movetime_ms.is_some(),
            reach,
        }
    }
}

impl<M, F: FnMut(u64)> Observer<M> for Watched<F> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        (self.reach)(if self.is_timed {
            self.clock.ms() as u64
        } else {
            nodes
        });
        self.clock.is_over()
    }
}

/// Milliseconds, with microseconds as decimals.
pub fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// Speed in whole nodes per second; what ran for less than a microsecond ran for one.
pub(crate) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_never_divided_by_nothing() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn a_clock_is_over_when_its_time_is() {
        let start = Instant::now();
        assert!(Stopwatch::started(start, Some(0)).is_over());
        assert!(!Stopwatch::started(start, Some(u64::MAX)).is_over());
        assert!(!Stopwatch::started(start, None).is_over());
    }
}
