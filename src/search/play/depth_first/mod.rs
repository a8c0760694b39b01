//! Depth-first conspiracy-number search: conspiracy numbers without a stored tree.
//!
//! Fix a value θ and ask only "is the value for the side to move at least θ?". Every position then has an answer and
//! the cost of overthrowing it. A position *holds* (answers yes) through children that *fail* (answer no), its
//! supporters; it fails if all its children hold. The driver raises the demanded cost step by step, and for each demand
//! finds the value v that holds while the next larger one fails. That v comes with two costs, of lowering and of
//! raising it, in the units of the cost model:
//!
//! - *Unit costs* count conspirators, the leaves that must be wrong: the two numbers of alpha-beta
//!   conspiracy search (D. McAllester and D. Yuret, "Alpha-beta conspiracy search", ICGA Journal 25(1),
//!   2002).
//! - *Graded costs*, the default, count no leaves. A cost is the price of the cheapest line that could
//!   overthrow the answer: an ordinary ply is one unit, a late quiet move more, a check less. Nothing adds
//!   up but a bonus for a second supporter. So a cost is a depth with fractions.
//!
//! *Kinship.* Under graded costs this is close kin to principal-variation search: null-window questions,
//! the best move settled first, the others asked once whether they are better. What is priced here has
//! its counterpart there (docs/search.md has the whole table):
//!
//! | graded costs | principal-variation search |
//! |---|---|
//! | demand, cost | depth |
//! | surcharge of late moves | late-move reductions |
//! | a leaf costs more the farther it is beyond θ (`leaf_surplus`) | reverse futility pruning |
//! | pruned quiet moves (`unseen`) and losing captures (`unseen_losing`) | late-move, futility and exchange pruning |
//! | a second supporter, and what one without it is worth | multi-cut, singular extensions |
//! | `unknown_rebate` | internal iterative reductions |
//!
//! *A cost may be less than what was demanded.* Where no move is known to begin with, less is demanded
//! (`unknown_rebate`), and at the depth limit there is nothing left to search. The table keeps the cost that
//! was found, and an answer that costs too little is worked on again when it is asked for.
//!
//! Two searches, and shared code:
//!
//! - [`graded`]: the search with graded costs.
//! - `unit`: the search with unit costs: the papers' numbers exactly.
//! - `common`: code of both: the driver, the worker, the table (`certificates`).
//!
//! *Proofs*, of wins, losses or draws, have infinite cost: nothing overthrows them. *Repetition*: a position that stood
//! on the path, or twice in the game, is a draw on this path. Under graded costs the draw costs just the demand and is
//! not stored: no proof rests on it, and larger demands search again, as the answers of its ancestors cost no more than
//! was demanded. Under unit costs it has the largest finite cost, so that its ancestors' answers stay. *The fifty-move
//! clock* is not stored: a proof that comes after the draw by rule is not used. `Forgetting` clears the table if its
//! entries may rest on such a draw that the new root does not share, and proofs found before a position stood twice in
//! the game.

mod common;
pub mod graded;
#[cfg(test)]
mod tests;
mod unit;

pub(crate) use self::common::certificates;
pub use self::common::driver::HIGHEST_DEMAND;

use std::time::Duration;

use self::certificates::{Certificates, Open};
use self::common::driver::{Driver, follow};
use self::common::worker::Worker;
use self::graded::{Graded, GradedCosts};
use self::unit::node::UnitCosts;
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::deepening::Deepening;
use crate::search::kit::team::Threads;
use crate::search::kit::watching::{Unwatched, Watchable, Watcher};
use crate::search::play::learnt::{Task, Team};
use crate::search::{Limits, Observer, Report, Searcher};

/// The cost model: the price of overthrowing an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CostModel {
    /// Every leaf is one conspirator, and conspirators add up: the papers' numbers.
    Unit,
    /// Leaves, plies and moves have prices by how likely they are to matter. A cost is the price of the
    /// cheapest line, not a number of leaves.
    Graded(Graded),
}

/// Settings of a depth-first conspiracy-number search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The cost model.
    pub model: CostModel,
    /// Memory for the table, in MiB.
    pub hash_megabytes: usize,
    /// Threads that search side by side.
    pub threads: Threads,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            model: CostModel::Graded(Graded::default()),
            hash_megabytes: 64,
            threads: Threads::ONE,
        }
    }
}

/// The search, with its table and statistics.
pub struct DepthFirst<E> {
    settings: Settings,
    team: Team<E>,
    table: Certificates,
}

impl<E: Clone> DepthFirst<E> {
    /// A search with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> DepthFirst<E> {
        DepthFirst {
            table: Certificates::new(settings.hash_megabytes),
            team: Team::new(settings.threads, evaluator),
            settings,
        }
    }
}

impl<E> DepthFirst<E> {
    /// Searches; with unit costs the watcher gets no events.
    fn run<G: Game + Sync>(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: impl Watcher<G::Move>,
    ) -> Report<G::Move>
    where
        E: Evaluator<G> + Send,
    {
        self.table.new_search();
        let table = self.table.open();
        let position = &root.position;
        match &self.settings.model {
            CostModel::Graded(graded) => {
                let lead = |task: Task<'_, G, E>| {
                    let worker = graded_worker(graded, table, root, task, watcher);
                    Driver::new(worker, position).deepen(1)
                };
                let help = |task: Task<'_, G, E>| {
                    let worker = graded_worker(graded, table, root, task, Unwatched);
                    follow(worker, position);
                };
                self.team.search(limits, observer, lead, help)
            }
            CostModel::Unit => {
                // Each thread must search whole trees, so it deepens by itself.
                let search = |task: Task<'_, G, E>| {
                    // Threads begin at different iterations, so that they do not all search the same.
                    let first = 1 + task.number as u32 % 2;
                    let alone = Task {
                        shared: None,
                        ..task
                    };
                    let worker = Worker::new(root, table, alone, UnitCosts);
                    Driver::new(worker, position).deepen(first)
                };
                let help = |task: Task<'_, G, E>| drop(search(task));
                self.team.search(limits, observer, search, help)
            }
        }
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Watchable<G> for DepthFirst<E> {
    fn search_watched(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move> {
        self.run(root, limits, observer, watcher)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Searcher<G> for DepthFirst<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.run(root, limits, observer, Unwatched)
    }

    fn clear(&mut self) {
        self.table.clear();
        self.team.clear();
    }

    fn forget_proofs(&mut self) {
        self.table.forget_proofs();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.table.touch(longest)
    }
}

/// The worker of a thread with graded costs.
fn graded_worker<'a, 'b: 'a, G: Game, E: Evaluator<G>, W>(
    graded: &'a Graded,
    table: Open<'a>,
    root: &Root<G>,
    task: Task<'b, G, E>,
    watcher: W,
) -> Worker<'a, G, E, GradedCosts<'a, W>> {
    let position = &root.position;
    let value = (!position.in_check()).then(|| task.evaluator.static_value(position));
    let grain = task.evaluator.grain();
    let costs = GradedCosts::new(graded, task.learnt.of::<G>(), value, grain, watcher);
    Worker::new(root, table, task, costs)
}
