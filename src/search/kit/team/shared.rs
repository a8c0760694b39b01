//! Data that the threads of a search share besides their table: the task at the root, which the leader publishes and
//! the helpers take up, and the [marks](super::marks). Each search defines its type of task; for values it is
//! [`RootTask`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::marks::{Mark, Marks};
use crate::search::kit::budget::{Budget, Stopped};
use crate::value::Window;

/// A question about the value of the root that all threads search together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct RootTask<M> {
    /// The moves to search, most likely first.
    pub(in crate::search) moves: Vec<M>,
    /// Index of the first of them in the list of all root moves, without those of better lines.
    pub(in crate::search) first: usize,
    pub(in crate::search) window: Window,
    /// A depth, or a demand in whole units of cost.
    pub(in crate::search) iteration: u32,
}

/// Polls for a task before a helper sleeps: the next task often comes soon, but not while the leader
/// completes the line of a mate.
const LOOKS: u64 = 1_000;

/// The leader's current task.
#[derive(Debug)]
pub(super) struct TaskBoard<T> {
    /// Number of tasks published; 0 before the first.
    number: AtomicU64,
    task: Mutex<Option<Arc<T>>>,
    /// Whether the search is over; then there are no more tasks.
    is_closed: AtomicBool,
    /// Wakes the helpers that sleep.
    called: Condvar,
    /// Whether threads take turns; then none sleeps in its own.
    in_turns: bool,
}

impl<T> TaskBoard<T> {
    pub(super) fn new(in_turns: bool) -> TaskBoard<T> {
        TaskBoard {
            number: AtomicU64::new(0),
            task: Mutex::new(None),
            is_closed: AtomicBool::new(false),
            called: Condvar::new(),
            in_turns,
        }
    }

    /// Ends the helpers' work.
    pub(super) fn close(&self) {
        // A helper that is about to sleep has the lock, and would miss the call.
        let _task = self.task();
        self.is_closed.store(true, Ordering::Relaxed);
        self.called.notify_all();
    }

    /// Whether the search is over.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    fn task(&self) -> MutexGuard<'_, Option<Arc<T>>> {
        // No code that can panic runs under the lock.
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nodes between two checks for the results of other threads.
const LOOK_INTERVAL: u64 = 64;

/// A thread's access to the shared data.
pub(in crate::search) struct Shared<'a, T> {
    board: &'a TaskBoard<T>,
    marks: &'a Marks,
    /// Number of the task it is working on.
    number: u64,
    /// Node count of the next check.
    next_look: u64,
}

impl<'a, T> Shared<'a, T> {
    pub(super) fn new(board: &'a TaskBoard<T>, marks: &'a Marks) -> Shared<'a, T> {
        Shared {
            board,
            marks,
            number: 0,
            next_look: 0,
        }
    }

    /// Publishes the next task, on the leader.
    pub(in crate::search) fn publish(&mut self, task: T) -> Arc<T> {
        let task = Arc::new(task);
        let mut on_board = self.board.task();
        *on_board = Some(Arc::clone(&task));
        self.number += 1;
        self.board.number.store(self.number, Ordering::Release);
        self.board.called.notify_all();
        task
    }

    /// Waits for the next task, on a helper.
    pub(in crate::search) fn next_task<M: Copy + Eq>(
        &mut self,
        budget: &mut Budget<'_, M>,
    ) -> Result<Arc<T>, Stopped> {
        for looks in 0_u64.. {
            let mut on_board = self.board.task();
            if looks >= LOOKS && !self.board.in_turns {
                let is_idle = |_: &mut _| !self.board.is_closed() && !self.is_outdated();
                let slept = self.board.called.wait_while(on_board, is_idle);
                on_board = slept.unwrap_or_else(PoisonError::into_inner);
            }
            if self.board.is_closed() {
                break;
            }
            if let Some(task) = on_board.as_ref().filter(|_| self.is_outdated()) {
                self.number = self.board.number.load(Ordering::Acquire);
                return Ok(Arc::clone(task));
            }
            drop(on_board);
            budget.ask()?;
            thread::yield_now();
        }
        Err(Stopped)
    }

    /// Whether the leader has published a newer task than this thread's.
    pub(in crate::search) fn is_outdated(&self) -> bool {
        self.board.number.load(Ordering::Acquire) != self.number
    }

    /// Whether to check for other threads' results, at this node count.
    #[inline]
    pub(in crate::search) fn is_time_to_look(&mut self, nodes: u64) -> bool {
        let is_time = nodes >= self.next_look;
        if is_time {
            self.next_look = nodes + LOOK_INTERVAL;
        }
        is_time
    }

    /// The mark of a question about a position within the current root task.
    #[inline]
    pub(in crate::search) fn mark(&self, key: u64, window: Window) -> Mark {
        let [alpha, beta] = [window.alpha, window.beta].map(|it| u64::from(it.get() as u16));
        Mark::new(key, self.number << 32 | alpha << 16 | beta)
    }

    pub(in crate::search) fn marks(&self) -> &'a Marks {
        self.marks
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Limits, Observer, Unobserved};
    use crate::value::Value;

    fn task(iteration: u32) -> RootTask<u16> {
        RootTask {
            moves: vec![1, 2],
            first: 0,
            window: Window::at_least(Value::DRAW),
            iteration,
        }
    }

    #[test]
    fn what_is_laid_out_is_taken_up_once_by_each() {
        let (board, marks) = (TaskBoard::new(false), Marks::new());
        let mut leader = Shared::new(&board, &marks);
        let limits: Limits<u16> = Limits::default();
        let mut observer = Unobserved;
        let mut budget = Budget::new(&limits, &mut observer);
        for iteration in 1..4 {
            leader.publish(task(iteration));
            assert!(!leader.is_outdated());
            let mut helper = Shared::new(&board, &marks);
            assert!(helper.is_outdated());
            let found = helper.next_task(&mut budget).unwrap();
            assert_eq!(*found, task(iteration));
            assert!(!helper.is_outdated());
        }
    }

    /// Counts the questions put to it.
    #[derive(Default)]
    struct Asked(u64);

    impl Observer<u16> for Asked {
        fn should_stop(&mut self, _nodes: u64) -> bool {
            self.0 += 1;
            false
        }
    }

    #[test]
    fn a_helper_without_work_sleeps_until_there_is_some_or_the_search_is_over() {
        // There is work at once, or after time for several hundred naps, were there any.
        for pause in [0, 200].map(Duration::from_millis) {
            let (board, marks) = (&TaskBoard::<RootTask<u16>>::new(false), &Marks::new());
            thread::scope(|scope| {
                let helper = scope.spawn(|| {
                    let (limits, mut observer) = (Limits::default(), Asked::default());
                    let mut budget = Budget::new(&limits, &mut observer);
                    let mut shared = Shared::new(board, marks);
                    let task = shared.next_task(&mut budget).unwrap();
                    let end = shared.next_task(&mut budget);
                    (task.iteration, end, observer.0)
                });
                thread::sleep(pause);
                Shared::new(board, marks).publish(task(7));
                // Time to take it up, and for several hundred naps again.
                thread::sleep(Duration::from_millis(200));
                board.close();
                let (iteration, end, asked) = helper.join().unwrap();
                assert_eq!((iteration, end), (7, Err(Stopped)));
                assert!(asked <= 2 * LOOKS, "asked {asked} times");
            });
        }
    }

    #[test]
    fn marks_belong_to_the_question_at_the_root() {
        let (board, marks) = (TaskBoard::new(false), Marks::new());
        let mut leader = Shared::new(&board, &marks);
        leader.publish(task(1));
        let window = Window::at_least(Value::DRAW);
        let first = leader.mark(5, window);
        assert_eq!(first, leader.mark(5, window));
        assert_ne!(first, leader.mark(6, window));
        assert_ne!(first, leader.mark(5, Window::at_least(Value::win_in(3))));
        leader.publish(task(1));
        assert_ne!(first, leader.mark(5, window));
    }
}
