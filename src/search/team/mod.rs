//! Several threads on one search.
//!
//! One of them leads: it alone answers to the observer, and its report is the search's. The others help
//! and stop when it does. All share a table and what is learnt about moves and static values. What else
//! they do together each search chooses:
//!
//! - They go through the same tree, question by question of the root: `shared` and `marks`.
//! - Each searches the root for itself ("lazy SMP"), and finds in the table what the others have found
//!   out already. They begin at different iterations, so as not to do all the same at the same time.
//!
//! docs/threads.md says what threads bring, and what was tried.
//!
//! - `marks`: which questions threads are at.
//! - `shared`: the question at the root, and what a thread sees of the others.
//! - `signals`: what threads tell each other, and how the observer hears of them.
//! - `turns`: threads that run one at a time, for experiments.

pub(super) mod marks;
pub(super) mod shared;
mod signals;
mod turns;

use std::sync::OnceLock;
use std::thread;

use self::marks::Marks;
use self::shared::{Desk, RootTask, Shared};
use self::signals::{End, Helper, LEADER, Leader, Signals};
use self::turns::{Seat, Turns};
use super::correction::Corrections;
use super::history::History;
use super::watching::Watcher;
use super::{Limits, Observer, Report};
use crate::game::{Evaluator, Game};
use crate::workers;

/// What threads learn while they search, all of them together.
#[derive(Debug)]
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

/// Where what is learnt is kept: it takes memory once it is asked for, since not all searches learn.
#[derive(Clone, Copy)]
pub(super) struct Lessons<'a>(&'a OnceLock<Learnt>);

impl<'a> Lessons<'a> {
    /// What has been learnt in a game.
    pub(super) fn of<G: Game>(self) -> &'a Learnt {
        self.0.get_or_init(|| Learnt::new(G::HISTORY_SLOTS))
    }
}

/// What a thread is given to search with. `T` is what the leader lays out for the others.
pub(super) struct Task<'a, G: Game, E, T = RootTask<<G as Game>::Move>> {
    pub(super) evaluator: &'a mut E,
    /// All threads learn from each other.
    pub(super) learnt: Lessons<'a>,
    pub(super) limits: &'a Limits<G::Move>,
    pub(super) observer: &'a mut dyn Observer<G::Move>,
    /// Who watches, if anybody.
    pub(super) watcher: Option<&'a mut dyn Watcher<G>>,
    /// Positions between two questions to the observer, where threads take turns.
    pub(super) turn: Option<u64>,
    /// What it has in common with the others; none if there are no others.
    pub(super) shared: Option<Shared<'a, T>>,
    /// The leader's is 0.
    pub(super) number: usize,
}

impl<G: Game, E, T> Task<'_, G, E, T> {
    /// The iteration to begin with, for threads that search the root each for itself: not all the same at
    /// the same time.
    pub(super) fn first_iteration(&self) -> u32 {
        1 + self.number as u32 % 2
    }
}

/// How many threads search, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// How many; none is one.
    pub count: usize,
    /// Positions after which one gives way to the next, for experiments: only one runs at a time, and what they
    /// do depends on nothing else. `None`: each runs as it can.
    pub turn: Option<u64>,
}

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads {
        count: 1,
        turn: None,
    };

    /// So many, each running as it can.
    pub const fn of(count: usize) -> Threads {
        Threads { count, turn: None }
    }
}

/// The threads of a search; the first one leads.
#[derive(Debug)]
pub(super) struct Team<E> {
    /// The leader's evaluator.
    leader: E,
    /// The others'.
    helpers: Vec<E>,
    /// Made for the game by the first search that learns: only then the number of history slots is known.
    learnt: OnceLock<Learnt>,
    turn: Option<u64>,
}

impl<E> Team<E> {
    /// A team of so many, at least one.
    pub(super) fn new(threads: Threads, evaluator: E) -> Team<E>
    where
        E: Clone,
    {
        Team {
            helpers: vec![evaluator.clone(); threads.count.saturating_sub(1)],
            leader: evaluator,
            learnt: OnceLock::new(),
            turn: threads.turn,
        }
    }

    /// The evaluator of the first thread, for a search by that one alone.
    pub(super) fn leader(&mut self) -> &mut E {
        &mut self.leader
    }

    /// Clears what its threads have learnt.
    pub(super) fn clear(&mut self) {
        self.learnt = OnceLock::new();
    }

    /// Searches: the leader with `lead`, the other threads with `help`. Returns the leader's report, with the
    /// positions visited by all.
    ///
    /// The limit of nodes is one for all together; with helpers it may be overrun by what each visits
    /// between two questions to its observer. The leader alone is watched.
    pub(super) fn search<G: Game, T: Send + Sync>(
        &mut self,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: Option<&mut dyn Watcher<G>>,
        lead: impl Fn(Task<'_, G, E, T>) -> Report<G::Move> + Sync,
        help: impl Fn(Task<'_, G, E, T>) + Sync,
    ) -> Report<G::Move>
    where
        E: Evaluator<G> + Send,
    {
        let turn = self.turn;
        let evaluator = &mut self.leader;
        let learnt = Lessons(&self.learnt);
        if self.helpers.is_empty() {
            return lead(Task {
                evaluator,
                learnt,
                limits,
                observer,
                watcher: watcher.map(|it| it as _),
                turn,
                shared: None,
                number: LEADER,
            });
        }
        let threads = 1 + self.helpers.len();
        let signals = &Signals::new(threads, limits.nodes);
        let turns = self.turn.map(|_| Turns::new(threads));
        let seat = |number| Seat {
            turns: turns.as_ref(),
            number,
        };
        let helpers_limits = &Limits {
            nodes: None,
            ..limits.clone()
        };
        let (desk, marks) = (&Desk::new(), &Marks::new());
        let (lead, help) = (&lead, &help);
        thread::scope(|scope| {
            let mut leader = Leader {
                observer,
                signals,
                seat: seat(LEADER),
                nodes: 0,
            };
            // However this ends, by a panic too, the helpers end with it.
            let _end = End(signals);
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
                        watcher: None,
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
                watcher: watcher.map(|it| it as _),
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
        let mut team = Team::new(Threads::of(2), OpenRows);
        team.search(
            limits,
            &mut Unobserved,
            None,
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
