//! Threads that evaluate leaves side by side.
//!
//! One thread grows the tree. When it expands a node, all threads evaluate the children at once; then it takes
//! over the values in the children's order, and counts the positions that each took. So the
//! tree and all reports are those of a single thread.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::game::{Evaluated, Evaluator, Game};
use crate::search::kit::budget::Budget;
use crate::search::kit::team::Task;
use crate::search::kit::team::shared::Shared;
use crate::search::{Limits, Unobserved};
use crate::value::Window;
use crate::workers::OnDrop;

/// Fewest leaves that are worth sharing among threads.
const LEAST_SHARED: usize = 3;

/// A leaf's evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluatedLeaf {
    pub(super) evaluated: Evaluated,
    /// Positions visited.
    pub(super) nodes: u64,
}

/// Leaves to be evaluated.
pub(super) struct Batch<G> {
    leaves: Vec<(G, Window)>,
    /// The first leaf that no thread has begun.
    next: AtomicUsize,
    /// Results; `None` for a leaf that needed too many positions.
    done: Vec<OnceLock<Option<EvaluatedLeaf>>>,
    /// Most positions to visit for one leaf.
    most: u64,
}

impl<G: Game> Batch<G> {
    /// Evaluates leaves until all have been begun.
    fn work<E: Evaluator<G>>(&self, evaluator: &mut E) {
        let limits: Limits<G::Move> = Limits::nodes(self.most);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some((position, window)), Some(place)) =
                (self.leaves.get(number), self.done.get(number))
            else {
                return;
            };
            // The leader awaits a result: none if the evaluation panics.
            let _owed = OnDrop(|| {
                let _ = place.set(None);
            });
            // Nobody is to be asked before the limit.
            let mut nobody = Unobserved;
            let mut budget = Budget::in_turns(Some(self.most), &limits, &mut nobody);
            let evaluated = evaluator.evaluate(position, *window, &mut budget);
            let nodes = budget.nodes();
            let leaf = evaluated.map(|evaluated| EvaluatedLeaf { evaluated, nodes });
            // It is not set yet: no other thread has this number.
            let _ = place.set(leaf.ok());
        }
    }
}

/// Evaluates leaves of every batch, on a helper thread, until the search ends.
pub(super) fn help<G: Game, E: Evaluator<G>>(task: Task<'_, G, E, (), Batch<G>>) {
    let mut budget = Budget::new(task.limits, task.observer);
    let Some(mut shared) = task.shared else {
        return;
    };
    while let Ok(batch) = shared.next_task(&mut budget) {
        batch.work(task.evaluator);
    }
}

/// Evaluates leaves with `evaluator` and all helper threads, each in at most `most` positions. Returns the results in
/// order: `None` for a leaf that needed more, and for all if they are too few to share.
pub(super) fn evaluate<G: Game, E: Evaluator<G>>(
    shared: &mut Shared<'_, Batch<G>>,
    evaluator: &mut E,
    leaves: Vec<(G, Window)>,
    most: u64,
) -> Vec<Option<EvaluatedLeaf>> {
    if leaves.len() < LEAST_SHARED {
        return vec![None; leaves.len()];
    }
    let batch = shared.publish(Batch {
        done: leaves.iter().map(|_| OnceLock::new()).collect(),
        leaves,
        next: AtomicUsize::new(0),
        most,
    });
    batch.work(evaluator);
    let results = batch.done.iter().map(|place| {
        loop {
            match place.get() {
                Some(&leaf) => break leaf,
                None => thread::yield_now(),
            }
        }
    });
    results.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Visits;
    use crate::games::chess::{Move, Position, Quiescence};
    use crate::search::Report;
    use crate::search::kit::team::{Team, Threads};
    use crate::value::Value;

    /// The positions after the first moves of a game.
    fn leaves() -> Vec<(Position, Window)> {
        let root = Position::initial();
        let moves = root.legal_moves();
        let after = moves.iter().map(|&m| (root.after(m), Window::FULL));
        after.collect()
    }

    /// Calls `grow` with three threads that help.
    fn with_help<E: Evaluator<Position> + Clone + Send>(
        evaluator: E,
        grow: impl FnOnce(&mut Shared<'_, Batch<Position>>, &mut E),
    ) {
        let mut team: Team<E> = Team::new(Threads::of(4), evaluator);
        let lead = |mut task: Task<'_, Position, E, (), Batch<Position>>| {
            grow(task.shared.as_mut().unwrap(), task.evaluator);
            Report::before_search(Value::DRAW, Vec::new())
        };
        let limits: Limits<Move> = Limits::default();
        team.search(&limits, &mut Unobserved, lead, help);
    }

    #[test]
    fn many_evaluate_what_one_does() {
        let expected: Vec<Value> = leaves()
            .iter()
            .map(|(position, window)| Quiescence::tactical().value(position, *window))
            .collect();
        with_help(Quiescence::tactical(), |shared, own| {
            for _ in 0..20 {
                let found = evaluate(shared, own, leaves(), u64::MAX);
                let values: Vec<Value> =
                    found.iter().map(|it| it.unwrap().evaluated.value).collect();
                assert_eq!(values, expected);
                // The leaf itself counts as visited.
                assert!(found.iter().all(|it| it.unwrap().nodes > 0));
            }
            let found = evaluate(shared, own, leaves(), 0);
            assert!(found.iter().all(Option::is_none));
        });
    }

    /// An evaluator that panics.
    #[derive(Clone)]
    struct Faulty;

    impl Evaluator<Position> for Faulty {
        fn evaluate<V: Visits>(
            &mut self,
            _position: &Position,
            _window: Window,
            _visits: &mut V,
        ) -> Result<Evaluated, V::Stop> {
            panic!("on purpose")
        }

        fn static_value(&mut self, _position: &Position) -> Value {
            Value::DRAW
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let run = || {
            with_help(Faulty, |shared, _| {
                for _ in 0..50 {
                    evaluate(shared, &mut Quiescence::tactical(), leaves(), u64::MAX);
                    thread::yield_now();
                }
            });
        };
        // Only helpers panic, and they may have had no work.
        let _ = std::panic::catch_unwind(run);
    }
}
