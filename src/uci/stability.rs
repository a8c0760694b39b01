//! Stability of the best move, and its effect on the time spent.
//!
//! A move that has been best for most of the search will hardly be displaced by a little more of it; one that has just
//! become best, or whose value falls, deserves more time. Searches count their iterations differently, so stability is
//! measured in nodes: those spent since the move became best, as a multiple of those spent until then.

use std::time::Duration;

use super::time::TimeLimits;
use crate::search::Report;
use crate::value::Value;

/// Rows of a limit on stability (nodes since the move became best, as a multiple of those until then) and the percentage of
/// the soft limit; the first row whose limit is not exceeded counts.
const BY_EFFORT: [(u64, u32); 5] = [(1, 150), (3, 120), (7, 100), (31, 80), (u64::MAX, 65)];
/// Percentage for an easy move: best from the beginning, with a steady value.
const EASY_PERCENT: u32 = 40;
/// Multiple of those nodes after which a move can be easy.
const EASY_EFFORT: u64 = 100;
/// Nodes that count as the beginning of a search.
const BEGINNING: u64 = 1_000;
/// Largest change of an easy move's value, in centipawns.
const EASY_SWING: i32 = 20;
/// Fall of the value since the last iteration, in centipawns, and the percentage of time it adds.
const FALLS: [(i32, u32); 2] = [(80, 60), (30, 25)];

/// Decides when a timed search ends, from times it is given; it reads no clock.
#[derive(Debug)]
pub(crate) struct TimeManager<M> {
    limits: TimeLimits,
    best: Option<Choice<M>>,
}

/// The current best move.
#[derive(Debug)]
struct Choice<M> {
    m: M,
    value: Value,
    /// Nodes at the time it became best.
    since: u64,
    /// Nodes now.
    nodes: u64,
    /// Lowest and highest value since it became best.
    range: (Value, Value),
    /// Fall of the value in the last iteration, in centipawns, whatever the move.
    fall: i32,
}

impl<M: Copy + Eq> TimeManager<M> {
    /// A manager that keeps `limits`.
    pub(crate) fn new(limits: TimeLimits) -> TimeManager<M> {
        TimeManager { limits, best: None }
    }

    /// Whether the hard limit is reached at `clock`.
    pub(crate) fn must_stop(&self, clock: Duration) -> bool {
        self.limits.hard.is_some_and(|hard| clock >= hard)
    }

    /// Whether to begin another iteration; `spent` is the time since the search began, on either side's clock.
    pub(crate) fn wants_another_iteration(&self, spent: Duration) -> bool {
        self.limits.soft.is_none_or(|soft| {
            let soft = soft * self.percent() / 100;
            spent < self.limits.hard.map_or(soft, |hard| soft.min(hard))
        })
    }

    /// Takes the report of a finished iteration.
    pub(crate) fn learn(&mut self, done: &Report<M>) {
        let Some(m) = done.best_move() else {
            return;
        };
        let (value, nodes) = (done.value, done.nodes);
        let mut choice = Choice {
            m,
            value,
            since: nodes.max(BEGINNING),
            nodes,
            range: (value, value),
            fall: 0,
        };
        if let Some(last) = &self.best {
            choice.fall = i32::from(last.value.get()) - i32::from(value.get());
            if last.m == m {
                choice.since = last.since;
                choice.range = (last.range.0.min(value), last.range.1.max(value));
            }
        }
        self.best = Some(choice);
    }

    /// The share of the soft limit to use, in percent.
    fn percent(&self) -> u32 {
        let Some(best) = &self.best else {
            return 100;
        };
        let effort = best.nodes.saturating_sub(best.since) / best.since;
        let swing = i32::from(best.range.1.get()) - i32::from(best.range.0.get());
        if best.since == BEGINNING && effort >= EASY_EFFORT && swing <= EASY_SWING {
            return EASY_PERCENT;
        }
        let row = BY_EFFORT.iter().find(|&&(most, _)| effort <= most);
        let percent = row.map_or(100, |&(_, percent)| percent);
        let fall = FALLS.iter().find(|&&(least, _)| best.fall >= least);
        percent + fall.map_or(0, |&(_, more)| more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOFT: Duration = Duration::from_secs(1);
    const HARD: Duration = Duration::from_secs(5);

    fn manager() -> TimeManager<u16> {
        TimeManager::new(TimeLimits {
            soft: Some(SOFT),
            hard: Some(HARD),
        })
    }

    fn done(m: u16, centipawns: i32, nodes: u64) -> Report<u16> {
        Report {
            nodes,
            ..Report::before_search(Value::centipawns(centipawns), vec![m])
        }
    }

    /// The time, in steps of ten milliseconds, from which no iteration is begun.
    fn patience(iterations: &[(u16, i32, u64)]) -> Duration {
        let mut manager = manager();
        for &(m, centipawns, nodes) in iterations {
            manager.learn(&done(m, centipawns, nodes));
        }
        let mut clock = (0..).map(|step| Duration::from_millis(10 * step));
        let end = clock.find(|&now| !manager.wants_another_iteration(now));
        end.unwrap()
    }

    #[test]
    fn a_settled_choice_is_made_sooner_and_a_new_one_later() {
        let settled = patience(&[(7, 0, 2_000), (1, 50, 10_000), (1, 90, 400_000)]);
        let usual = patience(&[(7, 0, 2_000), (1, 50, 10_000), (1, 90, 60_000)]);
        let fresh = patience(&[(1, 50, 10_000), (2, 55, 60_000)]);
        assert!(
            settled < usual && usual < fresh,
            "{settled:?} {usual:?} {fresh:?}"
        );
        assert_eq!(usual, SOFT);
    }

    #[test]
    fn a_falling_value_is_looked_into() {
        let level = patience(&[(1, 50, 10_000), (1, 50, 60_000)]);
        let little = patience(&[(1, 50, 10_000), (1, 10, 60_000)]);
        let much = patience(&[(1, 50, 10_000), (1, -200, 60_000)]);
        let rising = patience(&[(1, 50, 10_000), (1, 200, 60_000)]);
        assert!(
            level < little && little < much,
            "{level:?} {little:?} {much:?}"
        );
        assert_eq!(rising, level);
    }

    #[test]
    fn an_easy_move_is_played_quickly() {
        let easy = patience(&[(1, 300, 50), (1, 300, 900), (1, 310, 200_000)]);
        let found_late = patience(&[(2, 0, 50), (1, 300, 1_500), (1, 310, 300_000)]);
        assert!(
            easy < found_late && found_late < SOFT,
            "{easy:?} {found_late:?}"
        );
    }

    #[test]
    fn the_hard_limit_stands_whatever_happens() {
        let mut manager = TimeManager::new(TimeLimits {
            soft: Some(SOFT),
            hard: Some(SOFT),
        });
        manager.learn(&done(1, 100, 5_000));
        manager.learn(&done(2, -500, 9_000));
        assert!(!manager.wants_another_iteration(SOFT));
        assert!(manager.must_stop(SOFT) && !manager.must_stop(SOFT / 2));
    }

    #[test]
    fn without_a_clock_nothing_ends_the_search() {
        let mut manager = TimeManager::new(TimeLimits::default());
        manager.learn(&done(1, 0, 1_000_000));
        let long = Duration::from_secs(1_000_000);
        assert!(manager.wants_another_iteration(long) && !manager.must_stop(long));
    }
}
