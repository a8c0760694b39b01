//! What a search may still spend: one count of its positions, and one place that asks whether to go
//! on.

use super::{Limits, Observer, Report};
use crate::value::Value;

/// A limit has been reached, or the observer said stop; what was under way is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Positions between two questions to the observer.
const POLL_INTERVAL: u64 = 256;

/// The limits of one search, the observer it answers to, and the positions it has visited.
///
/// An evaluator counts its own positions for as long as it lives, so its count is handed in where
/// the whole is asked for.
pub(super) struct Budget<'a, M> {
    pub(super) limits: &'a Limits<M>,
    pub(super) observer: &'a mut dyn Observer<M>,
    /// Positions visited that the evaluator has not counted.
    interior: u64,
    /// The evaluator's count when the search began.
    evaluated_before: u64,
    next_poll: u64,
}

impl<'a, M> Budget<'a, M> {
    /// The budget of a search that begins when its evaluator has counted `evaluated` positions.
    pub(super) fn new(
        limits: &'a Limits<M>,
        observer: &'a mut dyn Observer<M>,
        evaluated: u64,
    ) -> Budget<'a, M> {
        Budget {
            limits,
            observer,
            interior: 0,
            evaluated_before: evaluated,
            next_poll: 0,
        }
    }

    /// Counts a position that the evaluator does not.
    #[inline]
    pub(super) fn count_interior(&mut self) {
        self.interior += 1;
    }

    /// Positions visited, those of quiescence included, now that the evaluator has counted
    /// `evaluated`.
    #[inline]
    pub(super) fn nodes(&self, evaluated: u64) -> u64 {
        self.interior + evaluated - self.evaluated_before
    }

    /// To be called before each position: whether there may be another.
    #[inline]
    pub(super) fn check(&mut self, evaluated: u64) -> Result<(), Stopped> {
        let nodes = self.nodes(evaluated);
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Err(Stopped);
        }
        if nodes >= self.next_poll {
            self.next_poll = nodes + POLL_INTERVAL;
            if self.observer.should_stop(nodes) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Whether `value` proves the mate that was asked for.
    pub(super) fn has_mate(&self, value: Value) -> bool {
        self.limits.mate.is_some_and(|most| {
            let mate = value.mate_in_moves();
            mate.is_some_and(|moves| moves.unsigned_abs() <= most)
        })
    }

    /// Tells the observer.
    pub(super) fn report(&mut self, report: &Report<M>) {
        self.observer.report(report);
    }

    /// Asks, after an iteration, whether there shall be another.
    pub(super) fn wants_another_iteration(&mut self, done: &Report<M>) -> bool {
        self.observer.wants_another_iteration(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says stop from the second question on.
    #[derive(Default)]
    struct Impatient {
        asked: Vec<u64>,
    }

    impl Observer<u16> for Impatient {
        fn should_stop(&mut self, nodes: u64) -> bool {
            self.asked.push(nodes);
            self.asked.len() > 1
        }
    }

    #[test]
    fn the_node_limit_is_kept_exactly() {
        let limits = Limits::nodes(3);
        let mut observer = Impatient::default();
        let mut budget = Budget::new(&limits, &mut observer, 100);
        assert_eq!(budget.check(100), Ok(()));
        budget.count_interior();
        assert_eq!(budget.check(101), Ok(()));
        assert_eq!(budget.nodes(102), 3);
        assert_eq!(budget.check(102), Err(Stopped));
        assert_eq!(observer.asked, [0]);
    }

    #[test]
    fn the_observer_is_asked_at_intervals() {
        let limits = Limits::default();
        let mut observer = Impatient::default();
        let mut budget = Budget::new(&limits, &mut observer, 0);
        let last = (0..).find(|&evaluated| budget.check(evaluated).is_err());
        assert_eq!(last, Some(POLL_INTERVAL));
        assert_eq!(observer.asked, [0, POLL_INTERVAL]);
    }
}
