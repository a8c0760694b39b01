//! Depth-first conspiracy-number search with unit costs: the papers' numbers exactly. Every leaf is one conspirator, and
//! conspirators add up: the two numbers are those of alpha-beta conspiracy search (D. McAllester and D. Yuret,
//! "Alpha-beta conspiracy search", ICGA Journal 25(1), 2002).
//!
//! It asks the questions of [`depth_first`](crate::search::depth_first) and keeps the answers in the same kind of table.
//! A draw by repetition has the largest finite cost, so that the answers of its ancestors stay.
//!
//! - `driver`: demands, and the questions at the root.
//! - `node`: one position and one question.

mod driver;
mod node;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::driver::Driver;
use self::node::Worker;
use crate::game::{Evaluator, Game, Root};
use crate::search::depth_first::certificates::Certificates;
use crate::search::kit::deepening::Deepening;
use crate::search::{Limits, Observer, Report, Searcher};

/// The search, with its table. An iteration is a demand, in leaves.
pub struct UnitCosts<E> {
    evaluator: E,
    table: Certificates,
}

impl<E> UnitCosts<E> {
    /// A search with `evaluator` at the leaves and a table of `hash_megabytes` MiB.
    pub fn new(hash_megabytes: usize, evaluator: E) -> UnitCosts<E> {
        UnitCosts {
            evaluator,
            table: Certificates::new(hash_megabytes),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for UnitCosts<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.table.new_search();
        let table = self.table.open();
        let worker = Worker::new(root, table, &mut self.evaluator, limits, observer);
        Driver::new(worker, &root.position).deepen(1)
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn forget_proofs(&mut self) {
        self.table.forget_proofs();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.table.touch(longest)
    }
}
