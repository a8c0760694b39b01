//! What the threads of a search tell each other, and how they listen to the observer: each asks an
//! observer of its own whether to stop, the leader's passes on to the one that was given.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::turns::Seat;
use crate::search::{Observer, Report};

/// What the threads of a search tell each other.
pub(super) struct Signals {
    /// The leader is done.
    enough: AtomicBool,
    /// Positions visited by each, the leader first.
    nodes: Vec<AtomicU64>,
    /// The limit of all of them together.
    most: Option<u64>,
}

/// The leader's number.
pub(super) const LEADER: usize = 0;

impl Signals {
    pub(super) fn new(threads: usize, most: Option<u64>) -> Signals {
        Signals {
            enough: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            most,
        }
    }

    /// Thread `number` has visited so many.
    fn count(&self, number: usize, nodes: u64) {
        self.nodes[number].store(nodes, Ordering::Relaxed);
    }

    /// How many all have visited, as far as they told.
    fn of_all(&self) -> u64 {
        let all = self.nodes.iter();
        all.map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Whether that is the limit.
    fn is_limit(&self, nodes: u64) -> bool {
        self.most.is_some_and(|most| nodes >= most)
    }
}

/// Tells the helpers to stop when it goes.
pub(super) struct End<'a>(pub(super) &'a Signals);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.enough.store(true, Ordering::Relaxed);
    }
}

/// A helper's observer.
pub(super) struct Helper<'a> {
    pub(super) signals: &'a Signals,
    pub(super) seat: Seat<'a>,
}

impl<M> Observer<M> for Helper<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.signals.count(self.seat.number, nodes);
        self.seat.pass();
        self.signals.is_limit(self.signals.of_all()) || self.signals.enough.load(Ordering::Relaxed)
    }
}

/// Between the leader and the observer: what the observer hears of is the whole team's.
pub(super) struct Leader<'a, M> {
    pub(super) observer: &'a mut dyn Observer<M>,
    pub(super) signals: &'a Signals,
    pub(super) seat: Seat<'a>,
    /// What the last report gave for nodes.
    pub(super) nodes: u64,
}

impl<M: Copy> Leader<'_, M> {
    fn of_all(&self, report: &Report<M>) -> Report<M> {
        self.signals.count(LEADER, report.nodes);
        Report {
            nodes: self.signals.of_all(),
            ..report.clone()
        }
    }
}

impl<M: Copy> Observer<M> for Leader<'_, M> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.signals.count(LEADER, nodes);
        self.seat.pass();
        let all = self.signals.of_all();
        self.signals.is_limit(all) || self.observer.should_stop(all)
    }

    fn wants_another_iteration(&mut self, done: &Report<M>) -> bool {
        self.observer.wants_another_iteration(&self.of_all(done))
    }

    fn no_win_within(&mut self, moves: u32) {
        self.observer.no_win_within(moves);
    }

    fn report(&mut self, report: &Report<M>) {
        let report = self.of_all(report);
        self.nodes = report.nodes;
        self.observer.report(&report);
    }
}
