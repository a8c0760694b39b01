//! The time a search takes: a clock that ends it, and the formats of times and speeds.

use std::time::Duration;

use super::limit::Limit;
use crate::platform::Instant;
use crate::search::Observer;

/// A running clock, with a time limit or none.
///
/// By itself it is a silent observer that ends a search by the clock; other observers contain one.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Instant,
    movetime: Option<Duration>,
}

impl Stopwatch {
    /// Starts the clock of a search with this limit.
    pub fn start(limit: &Limit) -> Stopwatch {
        Stopwatch {
            start: Instant::now(),
            movetime: limit.movetime_ms.map(Duration::from_millis),
        }
    }

    /// Whether the limit is reached.
    pub fn is_over(&self) -> bool {
        self.movetime
            .is_some_and(|movetime| self.start.elapsed() >= movetime)
    }

    /// Elapsed milliseconds, rounded to microseconds.
    pub fn ms(&self) -> f64 {
        milliseconds(self.start.elapsed())
    }
}

impl<M> Observer<M> for Stopwatch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.is_over()
    }
}

/// An observer that ends a search by the clock and reports its progress.
pub(crate) struct Watched<F> {
    clock: Stopwatch,
    reach: F,
}

impl<F: FnMut(u64)> Watched<F> {
    /// Starts the clock; `reach` receives the elapsed milliseconds if the limit is a time, else the nodes.
    pub(crate) fn new(limit: &Limit, reach: F) -> Watched<F> {
        Watched {
            clock: Stopwatch::start(limit),
            reach,
        }
    }
}

impl<M, F: FnMut(u64)> Observer<M> for Watched<F> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        let ms = self.clock.movetime.map(|_| self.clock.ms() as u64);
        (self.reach)(ms.unwrap_or(nodes));
        self.clock.is_over()
    }
}

/// A duration in milliseconds, rounded to microseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// Speed in nodes per second; a time of less than a microsecond counts as one.
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
        for (movetime_ms, is_over) in [(Some(0), true), (Some(u64::MAX), false), (None, false)] {
            let limit = Limit {
                movetime_ms,
                ..Limit::default()
            };
            assert_eq!(Stopwatch::start(&limit).is_over(), is_over);
        }
    }
}
