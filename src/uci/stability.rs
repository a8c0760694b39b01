//! Stability of the best move, and its effect on the time spent.
//!
//! A move that took most of the nodes, since all others were refuted quickly, will hardly be displaced by more nodes,
//! nor will one that has been best for long. One that has just become best, or that has rivals, deserves more time.
//! Searches count their iterations differently, so stability is measured in nodes: the best move's share of them, and
//! the factor by which they have grown since it became best.

use std::time::Duration;

use super::time_limits::TimeLimits;
use crate::games::chess::Move;
use crate::search::Report;

/// Percentage of the soft limit to use if the best move's share of the nodes is zero.
const WITHOUT_SHARE: f64 = 170.0;
/// Decrease of that percentage at a share of 1, in proportion below. Depth-first search's mean share is 0.47.
const FULL_SHARE: f64 = 150.0;
/// Factor on that percentage for a move that has just become best.
const NEW: f64 = 1.4;
/// Decrease of the factor each time that the nodes grow by a factor of e.
const LESS_PER_LOGARITHM: f64 = 0.16;
/// Least factor.
const LEAST_BY_AGE: f64 = 0.5;
/// Least number of nodes from which growth is measured.
const BEGINNING: u64 = 1_000;

/// Decides when a timed search ends, from times it is given; it reads no clock.
#[derive(Debug)]
pub(crate) struct TimeManager {
    limits: TimeLimits,
    best: Option<Choice>,
}

/// The current best move.
#[derive(Debug)]
struct Choice {
    m: Move,
    /// Nodes at the time it became best.
    since: u64,
    /// Nodes now.
    nodes: u64,
    /// Its share of the nodes, in permille, if the search counts them.
    share: Option<u16>,
}

impl TimeManager {
    /// A manager that keeps `limits`.
    pub(crate) fn new(limits: TimeLimits) -> TimeManager {
        TimeManager { limits, best: None }
    }

    /// Whether the hard limit is reached at `clock`.
    pub(crate) fn must_stop(&self, clock: Duration) -> bool {
        self.limits.hard.is_some_and(|hard| clock >= hard)
    }

    /// Whether to begin another iteration; `spent` is the time since the search began, pondering included.
    pub(crate) fn wants_another_iteration(&self, spent: Duration) -> bool {
        self.limits.soft.is_none_or(|soft| {
            let soft = soft * self.percent() / 100;
            spent < self.limits.hard.map_or(soft, |hard| soft.min(hard))
        })
    }

    /// Takes the report of a finished iteration.
    pub(crate) fn learn(&mut self, done: &Report<Move>) {
        let Some(m) = done.best_move() else {
            return;
        };
        let since = match &self.best {
            Some(last) if last.m == m => last.since,
            _ => done.nodes.max(BEGINNING),
        };
        self.best = Some(Choice {
            m,
            since,
            nodes: done.nodes,
            share: done.best_share,
        });
    }

    /// The percentage of the soft limit to use.
    fn percent(&self) -> u32 {
        let Some(best) = &self.best else {
            return 100;
        };
        let growth = best.nodes.max(best.since) as f64 / best.since as f64;
        let by_age = (NEW - LESS_PER_LOGARITHM * growth.ln()).max(LEAST_BY_AGE);
        let by_share = best.share.map_or(100.0, |permille| {
            WITHOUT_SHARE - FULL_SHARE * f64::from(permille) / 1000.0
        });
        (by_share * by_age) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game as _;
    use crate::games::chess::Position;
    use crate::value::Value;

    const SOFT: Duration = Duration::from_secs(1);
    const HARD: Duration = Duration::from_secs(5);

    fn manager(hard: Duration) -> TimeManager {
        TimeManager::new(TimeLimits {
            soft: Some(SOFT),
            hard: Some(hard),
        })
    }

    /// A report of an iteration after `nodes` nodes whose best move, the one of this number, has that share of them.
    fn done(number: usize, permille: u16, nodes: u64) -> Report<Move> {
        let m = Position::initial().legal_moves()[number];
        Report {
            nodes,
            best_share: Some(permille),
            ..Report::before_search(Value::DRAW, vec![m])
        }
    }

    /// The time, in steps of ten milliseconds, from which no iteration is begun.
    fn patience(iterations: impl IntoIterator<Item = Report<Move>>) -> Duration {
        let mut manager = manager(HARD);
        for iteration in iterations {
            manager.learn(&iteration);
        }
        let mut clock = (0..).map(|step| Duration::from_millis(10 * step));
        let end = clock.find(|&now| !manager.wants_another_iteration(now));
        end.unwrap()
    }

    #[test]
    fn a_settled_choice_is_made_sooner_and_a_new_one_later() {
        let kept_until = |nodes| {
            let last = done(1, 470, nodes);
            patience([done(7, 470, 2_000), done(1, 470, 10_000), last])
        };
        let (settled, usual) = (kept_until(400_000), kept_until(120_000));
        let fresh = patience([done(1, 470, 10_000), done(2, 470, 60_000)]);
        assert!(
            settled < usual && usual < fresh,
            "{settled:?} {usual:?} {fresh:?}"
        );
        assert!(usual.abs_diff(SOFT) <= SOFT / 20, "{usual:?}");
    }

    #[test]
    fn a_move_without_rivals_is_played_quickly() {
        let by_share = |permille| patience([done(1, permille, 900), done(1, permille, 60_000)]);
        let (alone, usual, rivals) = (by_share(950), by_share(470), by_share(100));
        assert!(
            alone < usual && usual < rivals,
            "{alone:?} {usual:?} {rivals:?}"
        );
        assert!(alone * 5 < rivals);
    }

    #[test]
    fn searches_that_count_no_shares_are_timed_by_age_alone() {
        let uncounted = |nodes| Report {
            best_share: None,
            ..done(1, 0, nodes)
        };
        let fresh = patience([uncounted(10_000)]);
        let settled = patience([uncounted(10_000), uncounted(400_000)]);
        assert!(settled < SOFT && SOFT < fresh, "{settled:?} {fresh:?}");
    }

    #[test]
    fn the_hard_limit_stands_whatever_happens() {
        let mut manager = manager(SOFT);
        manager.learn(&done(1, 500, 5_000));
        manager.learn(&done(2, 100, 9_000));
        assert!(!manager.wants_another_iteration(SOFT));
        assert!(manager.must_stop(SOFT) && !manager.must_stop(SOFT / 2));
    }

    #[test]
    fn without_a_clock_nothing_ends_the_search() {
        let mut manager = TimeManager::new(TimeLimits::default());
        manager.learn(&done(1, 900, 1_000_000));
        let long = Duration::from_secs(1_000_000);
        assert!(manager.wants_another_iteration(long) && !manager.must_stop(long));
    }
}
