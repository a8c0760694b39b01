//! Signals between the threads of a search. Each thread polls an observer of its own; the leader's forwards to the
//! caller's observer.

use std::sync::atomic::{AtomicU64, Ordering};

use super::shared::TaskBoard;
use super::turns::TurnSlot;
use crate::search::{Observer, Report};

/// Counters that all threads read.
pub(super) struct Signals {
    /// Nodes visited by each thread, the leader first.
    nodes: Vec<AtomicU64>,
    /// Limit on the nodes of all threads together.
    most: Option<u64>,
}

/// The leader's number.
pub(super) const LEADER: usize = 0;

impl Signals {
    pub(super) fn new(threads: usize, most: Option<u64>) -> Signals {
        Signals {
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            most,
        }
    }

    /// Records the nodes that thread `number` has visited.
    fn count(&self, number: usize, nodes: u64) {
        self.nodes[number].store(nodes, Ordering::Relaxed);
    }

    /// Nodes visited by all threads, as last recorded.
    fn of_all(&self) -> u64 {
        let all = self.nodes.iter();
        all.map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Whether this many nodes reach the limit.
    fn is_limit(&self, nodes: u64) -> bool {
        self.most.is_some_and(|most| nodes >= most)
    }
}

/// A helper's observer.
pub(super) struct Helper<'a, T> {
    pub(super) board: &'a TaskBoard<T>,
    pub(super) signals: &'a Signals,
    pub(super) turn_slot: TurnSlot<'a>,
}

impl<M, T> Observer<M> for Helper<'_, T> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.signals.count(self.turn_slot.number, nodes);
        self.turn_slot.pass();
        self.signals.is_limit(self.signals.of_all()) || self.board.is_closed()
    }
}

/// The leader's observer: reports the whole team's nodes to the caller's observer.
pub(super) struct Leader<'a, M> {
    pub(super) observer: &'a mut dyn Observer<M>,
    pub(super) signals: &'a Signals,
    pub(super) turn_slot: TurnSlot<'a>,
    /// Nodes of the last report.
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
        self.turn_slot.pass();
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
