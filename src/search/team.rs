//! Several threads on one search ("lazy SMP").
//!
//! All of them search the same root for themselves and share a table, so that each finds there what the
//! others have found out already. One of them leads: it alone answers to the observer, and its report is
//! the search's. The others begin at different iterations, so as not to do all the same at the same
//! time, and stop when it does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::correction::Corrections;
use super::history::History;
use super::speculation::Speculation;
use super::watching::Watcher;
use super::{Limits, Observer, Report};
use crate::game::{Evaluator, Game};
use crate::workers;

/// What one thread has for itself, and keeps from one search to the next.
#[derive(Clone, Debug)]
pub(super) struct Member<E> {
    pub(super) evaluator: E,
    /// Made for the game at the first search: only then the number of history slots is known.
    learnt: Option<Learnt>,
}

/// What a thread learns while it searches.
#[derive(Clone, Debug)]
pub(super) struct Learnt {
    /// About moves.
    pub(super) history: History,
    /// About static values.
    pub(super) corrections: Corrections,
}

impl Learnt {
    /// Nothing learnt, in a game with so many history slots.
    pub(super) fn new(slots: usize) -> Learnt {
        Learnt {
            history: History::new(slots),
            corrections: Corrections::new(slots),
        }
    }
}

impl<E> Member<E> {
    /// The evaluator, and what has been learnt in a game with so many history slots.
    pub(super) fn parts(&mut self, slots: usize) -> (&mut E, &mut Learnt) {
        let learnt = self.learnt.get_or_insert_with(|| Learnt::new(slots));
        (&mut self.evaluator, learnt)
    }
}

/// What a thread is given to search with.
pub(super) struct Task<'a, G: Game, E> {
    pub(super) member: &'a mut Member<E>,
    pub(super) limits: &'a Limits<G::Move>,
    pub(super) observer: &'a mut dyn Observer<G::Move>,
    /// Who watches, if anybody.
    pub(super) watcher: Option<&'a mut dyn Watcher<G>>,
    /// The iteration to begin with.
    pub(super) first_iteration: u32,
}

/// The threads of a search; the first one leads.
#[derive(Debug)]
pub(super) struct Team<E> {
    leader: Member<E>,
    helpers: Vec<Member<E>>,
}

impl<E> Team<E> {
    /// A team of so many, at least one.
    pub(super) fn new(threads: usize, evaluator: E) -> Team<E>
    where
        E: Clone,
    {
        let leader = Member {
            evaluator,
            learnt: None,
        };
        Team {
            helpers: vec![leader.clone(); threads.saturating_sub(1)],
            leader,
        }
    }

    /// Clears what its members have learnt.
    pub(super) fn clear(&mut self) {
        self.leader.learnt = None;
        for helper in &mut self.helpers {
            helper.learnt = None;
        }
    }

    /// Searches: `search` is called by every thread with its task. Returns the leader's report, with
    /// the positions visited by all.
    ///
    /// The limit of nodes is one for all together; with helpers it may be overrun by what each visits
    /// between two questions to its observer. The leader alone is watched.
    pub(super) fn search<G: Game>(
        &mut self,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: Option<&mut dyn Watcher<G>>,
        search: impl Fn(Task<'_, G, E>) -> Report<G::Move> + Sync,
    ) -> Report<G::Move>
    where
        E: Evaluator<G> + Send,
    {
        let member = &mut self.leader;
        if self.helpers.is_empty() {
            return search(Task {
                member,
                limits,
                observer,
                watcher: watcher.map(|it| it as _),
                first_iteration: 1,
            });
        }
        let signals = &Signals::new(1 + self.helpers.len(), limits.nodes);
        let helpers_limits = &Limits {
            nodes: None,
            ..limits.clone()
        };
        let mut leader = Leader {
            observer,
            signals,
            nodes: 0,
        };
        let search = &search;
        let mut report = thread::scope(|scope| {
            // However this ends, by a panic too, the helpers end with it.
            let _end = End(signals);
            for (number, member) in (1..).zip(&mut self.helpers) {
                let help = move || {
                    search(Task {
                        member,
                        limits: helpers_limits,
                        observer: &mut Helper { signals, number },
                        watcher: None,
                        first_iteration: 1 + number as u32 % 2,
                    });
                };
                if let Err(error) = workers::thread().spawn_scoped(scope, help) {
                    log::warn!("no thread to help the search: {error}");
                    break;
                }
            }
            search(Task {
                member,
                limits,
                observer: &mut leader,
                watcher: watcher.map(|it| it as _),
                first_iteration: 1,
            })
        });
        report.nodes = leader.nodes;
        report
    }
}

/// What the threads of a search tell each other.
struct Signals {
    /// The leader is done.
    enough: AtomicBool,
    /// Positions visited by each, the leader first.
    nodes: Vec<AtomicU64>,
    /// The limit of all of them together.
    most: Option<u64>,
}

/// The leader's number.
const LEADER: usize = 0;

impl Signals {
    fn new(threads: usize, most: Option<u64>) -> Signals {
        Signals {
            enough: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            most,
        }
    }

    /// A thread has visited so many: how many that makes for all.
    fn count(&self, number: usize, nodes: u64) -> u64 {
        self.nodes[number].store(nodes, Ordering::Relaxed);
        let all = self.nodes.iter();
        all.map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Whether that is the limit.
    fn is_limit(&self, nodes: u64) -> bool {
        self.most.is_some_and(|most| nodes >= most)
    }
}

/// Tells the helpers to stop when it goes.
struct End<'a>(&'a Signals);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.enough.store(true, Ordering::Relaxed);
    }
}

/// A helper's observer.
struct Helper<'a> {
    signals: &'a Signals,
    number: usize,
}

impl<M> Observer<M> for Helper<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        let all = self.signals.count(self.number, nodes);
        self.signals.is_limit(all) || self.signals.enough.load(Ordering::Relaxed)
    }
}

/// Between the leader and the observer: what the observer hears of is the whole team's.
struct Leader<'a, M> {
    observer: &'a mut dyn Observer<M>,
    signals: &'a Signals,
    /// What the last report gave for nodes.
    nodes: u64,
}

impl<M: Copy> Leader<'_, M> {
    fn of_all(&self, report: &Report<M>) -> Report<M> {
        Report {
            nodes: self.signals.count(LEADER, report.nodes),
            ..report.clone()
        }
    }
}

impl<M: Copy> Observer<M> for Leader<'_, M> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        let all = self.signals.count(LEADER, nodes);
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

    fn time_used(&self) -> f64 {
        self.observer.time_used()
    }

    fn speculated(&mut self, speculation: &Speculation<M>) {
        self.observer.speculated(speculation);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
    use crate::search::Unobserved;
    use crate::value::Value;

    type Move = <TicTacToe as Game>::Move;

    /// Two threads: `lead` is what the first one does; the other has visited a thousand positions and
    /// waits for the end.
    fn run(
        limits: &Limits<Move>,
        lead: impl Fn(&mut dyn Observer<Move>) -> Report<Move> + Sync,
    ) -> Report<Move> {
        let mut team = Team::new(2, OpenRows);
        team.search(
            limits,
            &mut Unobserved,
            None,
            |task: Task<'_, TicTacToe, OpenRows>| {
                if task.first_iteration == 1 {
                    return lead(task.observer);
                }
                assert_eq!(task.limits.nodes, None);
                while !task.observer.should_stop(1_000) {
                    thread::yield_now();
                }
                Report::before_search(Value::DRAW, Vec::new())
            },
        )
    }

    #[test]
    fn positions_are_counted_together() {
        let report = run(&Limits::nodes(2_000), |observer| {
            assert!(!observer.should_stop(999));
            while !observer.should_stop(1_000) {
                thread::yield_now();
            }
            let report = Report {
                nodes: 1_012,
                ..Report::before_search(Value::DRAW, Vec::new())
            };
            observer.report(&report);
            report
        });
        assert_eq!(report.nodes, 2_012);
    }

    #[test]
    fn a_panic_of_the_leader_ends_the_others() {
        let run = || run(&Limits::default(), |_| panic!("on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
