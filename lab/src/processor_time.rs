//! A clock that runs only while a thread does: on a busy machine the time of day tells little about what work
//! costs.

use std::fs;
use std::time::{Duration, Instant};

/// Measures the processor time of the thread that started it; the time of day where the system does not tell.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorClock {
    start: Instant,
    processor: Option<Duration>,
}

impl ProcessorClock {
    /// Starts a clock for this thread.
    pub fn start() -> ProcessorClock {
        ProcessorClock {
            processor: used(),
            start: Instant::now(),
        }
    }

    /// What this thread has used of a processor since.
    pub fn elapsed(&self) -> Duration {
        let by_day = self.start.elapsed();
        let used = self.processor.zip(used());
        used.map_or(by_day, |(before, now)| now.saturating_sub(before))
    }

    /// Whether the system tells processor times.
    pub fn is_exact() -> bool {
        used().is_some()
    }
}

/// What this thread has used of a processor so far, as Linux tells it.
fn used() -> Option<Duration> {
    // The system brings the figure up to date when it looks for another thread to run.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_uses_no_processor() {
        let clock = ProcessorClock::start();
        let day = Instant::now();
        std::thread::sleep(Duration::from_millis(40));
        let (used, passed) = (clock.elapsed(), day.elapsed());
        assert!(used <= passed);
        if ProcessorClock::is_exact() {
            assert!(used < Duration::from_millis(20), "{used:?}");
        }
    }
}
