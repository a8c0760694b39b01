//! Several threads on one search.
//!
//! One of them leads: it alone answers to the observer, and its report is the search's. The others help
//! and stop when it does. All share a table and what they learn. What else they do together each search chooses:
//!
//! - They go through the same tree, question by question of the root: `shared` and `marks`.
//! - Each searches the root for itself ("lazy SMP"), and finds in the table what the others have found
//!   out already. They begin at different iterations, so as not to do all the same at the same time.
//!
//! docs/threads.md says what threads bring, lab/docs/threads.md what was tried.
//!
//! - `marks`: which questions threads are at.
//! - `shared`: the question at the root, and what a thread sees of the others.
//! - `signals`: what threads tell each other, and how the observer hears of them.
//! - `turns`: threads that run one at a time, for experiments.

pub(in crate::search) mod marks;
pub(in crate::search) mod shared;
mod signals;
mod turns;

use std::thread;

use self::marks::Marks;
use self::shared::{Closing, Desk, RootTask, Shared};
use self::signals::{End, Helper, LEADER, Leader, Signals};
use self::turns::{Seat, Turns};
use crate::game::{Evaluator, Game};
use crate::platform;
use crate::search::{Limits, Observer, Report};
use crate::workers;

/// What a thread is given to search with. `L` is what all learn, `T` what the leader lays out for the others.
pub(in crate::search) struct Task<'a, G: Game, E, L = (), T = RootTask<<G as Game>::Move>> {
    pub(in crate::search) evaluator: &'a mut E,
    /// All threads learn from each other.
    pub(in crate::search) learnt: &'a L,
    pub(in crate::search) limits: &'a Limits<G::Move>,
    pub(in crate::search) observer: &'a mut dyn Observer<G::Move>,
    /// Positions between two questions to the observer, where threads take turns.
    pub(in crate::search) turn: Option<u64>,
    /// What it has in common with the others; none if there are no others.
    pub(in crate::search) shared: Option<Shared<'a, T>>,
    /// The leader's is 0.
    pub(in crate::search) number: usize,
}

impl<G: Game, E, L, T> Task<'_, G, E, L, T> {
    /// The iteration to begin with, for threads that search the root each for itself: not all the same at
    /// the same time.
    pub(in crate::search) fn first_iteration(&self) -> u32 {
        1 + self.number as u32 % 2
    }
}

/// How many threads search, and how.
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
    /// The others'.
    helpers: Vec<E>,
    learnt: L,
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
            learnt: L::default(),
            turn: None,
        }
    }

    /// The task of the first thread where it searches alone.
    pub(in crate::search) fn task<'a, G: Game, T>(
        &'a mut self,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
    ) -> Task<'a, G, E, L, T> {
        Task {
            evaluator: &mut self.leader,
            learnt: &self.learnt,
            limits,
            observer,
            turn: self.turn,
            shared: None,
            number: LEADER,
        }
    }

    /// The evaluator of the first thread, for a search by that one alone.
    pub(in crate::search) fn leader(&mut self) -> &mut E {
        &mut self.leader
    }

    /// The same for another team.
    pub(in crate::search) fn into_leader(self) -> E {
        self.leader
    }

    /// Clears what its threads have learnt.
    pub(in crate::search) fn clear(&mut self) {
        self.learnt = L::default();
    }

    /// Searches: the leader with `lead`, the other threads with `help`. Returns the leader's report, with the
    /// positions visited by all.
    ///
    /// The limit of nodes is one for all together; with helpers it may be overrun by what each visits
    /// between two questions to its observer.
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
        let learnt = &self.learnt;
        let threads = 1 + self.helpers.len();
        let signals = &Signals::new(threads, limits.nodes);
        let turns = self.turn.map(|_| Turns::new(threads));
        let seat = |number| Seat {
            turns: turns.as_ref(),
            number,
        };
        let helpers_limits = &Limits {
            nodes: None,
            least_iterations: 0,
            ..limits.clone()
        };
        let (desk, marks) = (&Desk::new(turn.is_some()), &Marks::new());
        let help = &help;
        thread::scope(|scope| {
            let mut leader = Leader {
                observer,
                signals,
                seat: seat(LEADER),
                nodes: 0,
            };
            // However this ends, by a panic too, the helpers end with it.
            let _end = (End(signals), Closing(desk));
            for (number, evaluator) in (1..).zip(&mut self.helpers) {
                let mut helper = Helper {
                    signals,
                    seat: seat(number),
                };
                let shared = Some(Shared::new(desk, marks));
                let help = move || {
                    helper.seat.begin();
                    help(Task {
                        evaluator,
                        learnt,
                        limits: helpers_limits,
                        observer: &mut helper,
                        turn,
                        shared,
                        number,
                    });
                };
                // One that cannot be had gives up its seat.
                if let Err(error) = workers::thread().spawn_scoped(scope, help) {
                    log::warn!("no thread to help the search: {error}");
                }
            }
            let mut report = lead(Task {
                evaluator,
                learnt,
                limits,
                observer: &mut leader,
                turn,
                shared: Some(Shared::new(desk, marks)),
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
