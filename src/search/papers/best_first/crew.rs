//! Threads that evaluate leaves side by side.
//!
//! One thread grows the tree. When it expands a node the children are evaluated by all threads at once,
//! and it takes the values in the children's order, with as many positions visited as each took. So the
//! tree, and all that is told of it, is the one that a single thread would have grown.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::game::{Evaluator, Game, Visits};
use crate::search::kit::budget::Stopped;
use crate::value::{Value, Window};
use crate::workers;

/// Fewer leaves than this are not worth telling anybody of.
const LEAST_SHARED: usize = 3;

/// So often a thread looks for work before it goes to sleep: expansions follow each other within
/// microseconds, while waking up takes tens of them.
const LOOKS: usize = 2_000;

/// What has come of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluated {
    pub(super) value: Value,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Deepest ply below it.
    pub(super) max_ply: u32,
}

/// Leaves to be evaluated.
struct Batch<G> {
    leaves: Vec<(G, Window)>,
    /// The first that nobody has begun with.
    next: AtomicUsize,
    /// Those that are done with; nothing where it would have taken too many positions.
    done: Vec<OnceLock<Option<Evaluated>>>,
    /// Positions that any of them may take.
    most: u64,
}

impl<G: Game> Batch<G> {
    /// Evaluates what is left of them.
    fn work<E: Evaluator<G>>(&self, evaluator: &mut E, enough: &AtomicBool) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some((position, window)), Some(place)) =
                (self.leaves.get(number), self.done.get(number))
            else {
                return;
            };
            let _owed = Owed(place);
            let mut visits = Counted {
                nodes: 0,
                most: self.most,
                enough,
            };
            let value = evaluator.evaluate(position, *window, &mut visits);
            let max_ply = evaluator.take_max_ply();
            let evaluated = value.ok().map(|value| Evaluated {
                value,
                nodes: visits.nodes,
                max_ply,
            });
            // Nobody else has this number.
            let _ = place.set(evaluated);
        }
    }
}

/// A result that somebody waits for: there is none if the evaluation panics.
struct Owed<'a>(&'a OnceLock<Option<Evaluated>>);

impl Drop for Owed<'_> {
    fn drop(&mut self) {
        let _ = self.0.set(None);
    }
}

/// Counts, up to a limit.
struct Counted<'a> {
    nodes: u64,
    most: u64,
    enough: &'a AtomicBool,
}

impl Visits for Counted<'_> {
    type Stop = Stopped;

    #[inline]
    fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.most || self.enough.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }
}

/// The threads that help, and what they are at.
pub(super) struct Crew<G> {
    batch: Mutex<Option<Arc<Batch<G>>>>,
    /// Counts the batches, so that a look costs little.
    number: AtomicU64,
    called: Condvar,
    enough: AtomicBool,
}

impl<G: Game + Send + Sync> Crew<G> {
    /// Calls `grow` with a crew of as many threads as there are evaluators; they end with it.
    pub(super) fn with<E: Evaluator<G> + Send, R>(
        evaluators: &mut [E],
        grow: impl FnOnce(&Crew<G>) -> R,
    ) -> R {
        let crew = &Crew {
            batch: Mutex::new(None),
            number: AtomicU64::new(0),
            called: Condvar::new(),
            enough: AtomicBool::new(false),
        };
        thread::scope(|scope| {
            // However this ends, by a panic too, the threads end with it.
            let _end = End(crew);
            for evaluator in evaluators {
                let help = || crew.help(evaluator);
                if let Err(error) = workers::thread().spawn_scoped(scope, help) {
                    log::warn!("no thread to help the search: {error}");
                    break;
                }
            }
            grow(crew)
        })
    }
}

impl<G: Game> Crew<G> {
    fn batch(&self) -> MutexGuard<'_, Option<Arc<Batch<G>>>> {
        // No code that can panic runs under the lock.
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates what there is to evaluate, until the end.
    fn help<E: Evaluator<G>>(&self, evaluator: &mut E) {
        let mut seen = 0;
        while let Some(batch) = self.next(&mut seen) {
            batch.work(evaluator, &self.enough);
        }
    }

    /// The next batch after the one with number `seen`; none at the end.
    fn next(&self, seen: &mut u64) -> Option<Arc<Batch<G>>> {
        let mut looks = 0;
        while self.number.load(Ordering::Acquire) == *seen {
            looks += 1;
            if looks < LOOKS {
                thread::yield_now();
                continue;
            }
            let batch = self.batch();
            let is_idle =
                |_: &mut Option<Arc<Batch<G>>>| self.number.load(Ordering::Acquire) == *seen;
            let woken = self.called.wait_while(batch, is_idle);
            drop(woken.unwrap_or_else(PoisonError::into_inner));
        }
        let batch = self.batch();
        *seen = self.number.load(Ordering::Acquire);
        if self.enough.load(Ordering::Relaxed) {
            return None;
        }
        batch.clone()
    }

    fn tell(&self, batch: Option<Arc<Batch<G>>>) {
        let mut place = self.batch();
        *place = batch;
        self.number.fetch_add(1, Ordering::Release);
        drop(place);
        self.called.notify_all();
    }

    /// Evaluates leaves with `evaluator` and the whole crew, none with more than `most` positions: in their
    /// order what has come of them, nothing where those were not enough.
    pub(super) fn evaluate<E: Evaluator<G>>(
        &self,
        evaluator: &mut E,
        leaves: Vec<(G, Window)>,
        most: u64,
    ) -> Vec<Option<Evaluated>> {
        if leaves.len() < LEAST_SHARED {
            return vec![None; leaves.len()];
        }
        let batch = Arc::new(Batch {
            done: leaves.iter().map(|_| OnceLock::new()).collect(),
            leaves,
            next: AtomicUsize::new(0),
            most,
        });
        self.tell(Some(Arc::clone(&batch)));
        batch.work(evaluator, &self.enough);
        let results = batch.done.iter().map(|place| {
            loop {
                match place.get() {
                    Some(&evaluated) => break evaluated,
                    None => thread::yield_now(),
                }
            }
        });
        results.collect()
    }
}

/// Sends the threads home when it goes.
struct End<'a, G: Game>(&'a Crew<G>);

impl<G: Game> Drop for End<'_, G> {
    fn drop(&mut self) {
        self.0.enough.store(true, Ordering::Relaxed);
        self.0.tell(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::{Position, Quiescence};

    /// The positions after the first moves of a game.
    fn leaves() -> Vec<(Position, Window)> {
        let root = Position::initial();
        let moves = root.legal_moves();
        let after = moves.iter().map(|&m| (root.after(m), Window::FULL));
        after.collect()
    }

    #[test]
    fn many_evaluate_what_one_does() {
        let expected: Vec<Value> = leaves()
            .iter()
            .map(|(position, window)| Quiescence::tactical().value(position, *window))
            .collect();
        let mut helpers = vec![Quiescence::tactical(); 3];
        Crew::with(&mut helpers, |crew| {
            let mut own = Quiescence::tactical();
            for _ in 0..20 {
                let found = crew.evaluate(&mut own, leaves(), u64::MAX);
                let values: Vec<Value> = found.iter().map(|it| it.unwrap().value).collect();
                assert_eq!(values, expected);
                // The position itself is one that is visited.
                assert!(found.iter().all(|it| it.unwrap().nodes > 0));
            }
            assert!(
                crew.evaluate(&mut own, leaves(), 0)
                    .iter()
                    .all(Option::is_none)
            );
        });
    }

    /// An evaluator that fails.
    struct Faulty;

    impl Evaluator<Position> for Faulty {
        fn evaluate<V: Visits>(
            &mut self,
            _position: &Position,
            _window: Window,
            _visits: &mut V,
        ) -> Result<Value, V::Stop> {
            panic!("on purpose")
        }

        fn static_value(&mut self, _position: &Position) -> Value {
            Value::DRAW
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let run = || {
            Crew::with(&mut [Faulty], |crew| {
                while crew.number.load(Ordering::Relaxed) < 50 {
                    crew.evaluate(&mut Quiescence::tactical(), leaves(), u64::MAX);
                    thread::yield_now();
                }
            });
        };
        // It may have had nothing to do.
        let _ = std::panic::catch_unwind(run);
    }
}
