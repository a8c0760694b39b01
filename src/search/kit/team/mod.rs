//! Several threads on one search.
//!
//! One of them leads: its report is the search's, and only it reports to the observer. The others help
//! and stop when it does. All share the table and the statistics. There are two ways of cooperation:
//!
//! - All search the same tree, one question at the root after the other: `shared` and `marks`.
//! - Each searches the root by itself ("lazy SMP") and profits from the others' table entries.
//!   They begin at different iterations, so that they do not all search the same at the same time.
//!
//! docs/threads.md has the gains of threads, lab/docs/threads.md the trials.
//!
//! - `shared_search`: a thread among others on the same question at the root.
//! - `marks`: marks on questions under search.
//! - `shared`: the question at the root, and a thread's view of the others.
//! - `signals`: counters that the threads share, and polling of the observer.
//! - `turns`: threads that run one at a time, for experiments.

pub(in crate::search) mod marks;
pub(in crate::search) mod shared;
pub(in crate::search) mod shared_search;
mod signals;
mod turns;

use std::thread;

use self::marks::Marks;
use self::shared::{RootTask, Shared, TaskBoard};
use self::signals::{Helper, LEADER, Leader, Signals};
use self::turns::{TurnSlot, Turns};
use crate::game::{Evaluator, Game};
use crate::platform;
use crate::search::{Limits, Observer, Report};
use crate::workers::{self, OnDrop};

/// A thread's part of a search. `L` are the shared statistics, `T` is the type of the leader's tasks.
pub(in crate::search) struct Task<'a, G: Game, E, L = (), T = RootTask<<G as Game>::Move>> {
    pub(in crate::search) evaluator: &'a mut E,
    /// Statistics that all threads share.
    pub(in crate::search) statistics: &'a L,
    pub(in crate::search) limits: &'a Limits<G::Move>,
    pub(in crate::search) observer: &'a mut dyn Observer<G::Move>,
    /// Positions between polls of the observer, if threads take turns.
    pub(in crate::search) turn: Option<u64>,
    /// Data shared with the other threads; `None` if there are none.
    pub(in crate::search) shared: Option<Shared<'a, T>>,
    /// Number of the thread; 0 is the leader.
    pub(in crate::search) number: usize,
}

/// Number of threads, and their turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// Number of threads; 0 counts as 1.
    pub count: usize,
    /// Nodes after which a thread hands over to the next, for experiments: one runs at a time, so that results can be
    /// reproduced. `None`: all run freely.
    pub turn: Option<u64>,
}

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads {
        count: 1,
        turn: None,
    };

    /// `count` threads, all running freely.
    pub const fn of(count: usize) -> Threads {
        Threads { count, turn: None }
    }
}

/// The threads of a search; the first one leads. `L` has the statistics that all share.
#[derive(Debug)]
pub(in crate::search) struct Team<E, L = ()> {
    /// The leader's evaluator.
    leader: E,
    /// The helpers' evaluators.
    helpers: Vec<E>,
    statistics: L,
    turn: Option<u64>,
}

impl<E, L: Default> Team<E, L> {
    /// A team of `threads`, at least one, with copies of `evaluator`.
    pub(in crate::search) fn new(threads: Threads, evaluator: E) -> Team<E, L>
    where
        E: Clone,
    {
        let helpers = platform::threads(threads.count).saturating_sub(1);
        Team {
            helpers: vec![evaluator.clone(); helpers],
            turn: threads.turn,
            ..Team::alone(evaluator)
        }
    }

    /// A team of one.
    pub(in crate::search) fn alone(evaluator: E) -> Team<E, L> {
        Team {
            leader: evaluator,
            helpers: Vec::new(),
            statistics: L::default(),
            turn: None,
        }
    }

    /// The task of the leader in a search without helpers.
    pub(in crate::search) fn task<'a, G: Game, T>(
        &'a mut self,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
    ) -> Task<'a, G, E, L, T> {
        Task {
            evaluator: &mut self.leader,
            statistics: &self.statistics,
            limits,
            observer,
            turn: self.turn,
            shared: None,
            number: LEADER,
        }
    }

    /// The leader's evaluator, for a search without helpers.
    pub(in crate::search) fn leader(&mut self) -> &mut E {
        &mut self.leader
    }

    /// The leader's evaluator, for another team.
    pub(in crate::search) fn into_leader(self) -> E {
        self.leader
    }

    /// Clears the statistics.
    pub(in crate::search) fn clear(&mut self) {
        self.statistics = L::default();
    }

    /// Searches: the leader with `lead`, the other threads with `help`. Returns the leader's report, with the
    /// positions visited by all.
    ///
    /// The limit on nodes is for all together; with helpers it may be exceeded by the nodes between two polls of
    /// each.
    pub(in crate::search) fn search<G: Game, T: Send + Sync>(
        &mut self,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        lead: impl FnOnce(Task<'_, G, E, L, T>) -> Report<G::Move>,
        help: impl Fn(Task<'_, G, E, L, T>) + Sync,
    ) -> Report<G::Move>
    where
        E: Evaluator<G> + Send,
        L: Sync,
    {
        if self.helpers.is_empty() {
            return lead(self.task(limits, observer));
        }
        let turn = self.turn;
        let evaluator = &mut self.leader;
        let statistics = &self.statistics;
        let threads = 1 + self.helpers.len();
        let signals = &Signals::new(threads, limits.nodes);
        let turns = self.turn.map(|_| Turns::new(threads));
        let turn_slot = |number| TurnSlot {
            turns: turns.as_ref(),
            number,
        };
        let helpers_limits = &Limits {
            nodes: None,
            least_iterations: 0,
            ..limits.clone()
        };
        let (board, marks) = (&TaskBoard::new(turn.is_some()), &Marks::new());
        let help = &help;
        thread::scope(|scope| {
            let mut leader = Leader {
                observer,
                signals,
                turn_slot: turn_slot(LEADER),
                nodes: 0,
            };
            // The helpers end with the leader, even if it panics.
            let _end = OnDrop(|| board.close());
            for (number, evaluator) in (1..).zip(&mut self.helpers) {
                let mut helper = Helper {
                    board,
                    signals,
                    turn_slot: turn_slot(number),
                };
                let shared = Some(Shared::new(board, marks));
                let help = move || {
                    helper.turn_slot.begin();
                    help(Task {
                        evaluator,
                        statistics,
                        limits: helpers_limits,
                        observer: &mut helper,
                        turn,
                        shared,
                        number,
                    });
                };
                // A thread that cannot be started leaves the turns.
                if let Err(error) = workers::thread().spawn_scoped(scope, help) {
                    log::warn!("no thread to help the search: {error}");
                }
            }
            let mut report = lead(Task {
                evaluator,
                statistics,
                limits,
                observer: &mut leader,
                turn,
                shared: Some(Shared::new(board, marks)),
                number: LEADER,
            });
            report.nodes = leader.nodes;
            report
        })
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
        let mut team: Team<OpenRows> = Team::new(Threads::of(2), OpenRows);
        team.search(
            limits,
            &mut Unobserved,
            |task: Task<'_, TicTacToe, OpenRows>| lead(task.observer),
            |task: Task<'_, TicTacToe, OpenRows>| {
                assert_eq!(task.limits.nodes, None);
                while !task.observer.should_stop(1_000) {
                    thread::yield_now();
                }
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
