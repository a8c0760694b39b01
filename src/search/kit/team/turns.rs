//! Threads that take turns, for experiments: one runs at a time, each for the same number of nodes.
//!
//! Results then depend neither on the machine nor on its load, so the nodes of many threads can be counted on one
//! core. A round, one turn of each thread, models threads that run at once, each on a processor of its own.

use std::sync::PoisonError;

use crate::search::kit::sync::{Condvar, Mutex, MutexGuard};

/// Decides whose turn it is.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnState>,
    /// Signal for each thread that its turn has come.
    called: Vec<Condvar>,
}

#[derive(Debug)]
struct TurnState {
    whose: usize,
    /// Whether each thread still takes part.
    present: Vec<bool>,
}

impl Turns {
    /// Turns for `threads` threads; thread 0 begins.
    pub(super) fn new(threads: usize) -> Turns {
        Turns {
            state: Mutex::new(TurnState {
                whose: 0,
                present: vec![true; threads],
            }),
            called: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is the turn of thread `number`.
    fn wait(&self, number: usize, mut state: MutexGuard<'_, TurnState>) {
        while state.whose != number {
            state = self.called[number]
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives the turn to the next thread after `number`; leaves it with `number` if no other takes part.
    fn call_next(&self, number: usize, state: &mut TurnState) {
        let threads = self.called.len();
        let others = (1..threads).map(|step| (number + step) % threads);
        let next = others.into_iter().find(|&other| state.present[other]);
        if let Some(next) = next {
            state.whose = next;
            self.called[next].notify_one();
        }
    }
}

/// A thread's place in the turns; dropping it makes the thread leave. Without turns it does nothing.
pub(super) struct TurnSlot<'a> {
    pub(super) turns: Option<&'a Turns>,
    pub(super) number: usize,
}

impl TurnSlot<'_> {
    /// Waits for the first turn.
    pub(super) fn begin(&self) {
        if let Some(turns) = self.turns {
            turns.wait(self.number, turns.state());
        }
    }

    /// Ends this thread's turn, and waits for its next one.
    pub(super) fn pass(&self) {
        if let Some(turns) = self.turns {
            let mut state = turns.state();
            turns.call_next(self.number, &mut state);
            turns.wait(self.number, state);
        }
    }
}

impl Drop for TurnSlot<'_> {
    fn drop(&mut self) {
        if let Some(turns) = self.turns {
            let mut state = turns.state();
            state.present[self.number] = false;
            if state.whose == self.number {
                turns.call_next(self.number, &mut state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn threads_run_one_after_the_other_and_may_leave() {
        let turns = &Turns::new(3);
        let told = &Mutex::new(Vec::new());
        thread::scope(|scope| {
            for number in 0..3 {
                scope.spawn(move || {
                    let turn_slot = TurnSlot {
                        turns: Some(turns),
                        number,
                    };
                    turn_slot.begin();
                    // Thread 1 leaves early.
                    for round in 0..if number == 1 { 2 } else { 4 } {
                        told.lock().unwrap().push(10 * round + number);
                        turn_slot.pass();
                    }
                });
            }
        });
        let told = told.lock().unwrap();
        assert_eq!(*told, [0, 1, 2, 10, 11, 12, 20, 22, 30, 32]);
    }

    #[cfg(loom)]
    mod in_any_order {
        use loom::sync::Arc;
        use loom::sync::atomic::{AtomicUsize, Ordering};
        use loom::thread;

        use super::super::*;

        /// One thread runs at a time, none is forgotten, and none waits for one that has left.
        #[test]
        fn turns_are_taken() {
            loom::model(|| {
                let turns = Arc::new(Turns::new(2));
                let running = Arc::new(AtomicUsize::new(0));
                let threads = [1, 2].map(|rounds| {
                    let (turns, running) = (Arc::clone(&turns), Arc::clone(&running));
                    thread::spawn(move || {
                        let turn_slot = TurnSlot {
                            turns: Some(&turns),
                            number: rounds - 1,
                        };
                        turn_slot.begin();
                        for _ in 0..rounds {
                            assert_eq!(running.fetch_add(1, Ordering::Relaxed), 0);
                            running.fetch_sub(1, Ordering::Relaxed);
                            turn_slot.pass();
                        }
                    })
                });
                for thread in threads {
                    thread.join().unwrap();
                }
            });
        }
    }
}
