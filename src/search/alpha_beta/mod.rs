//! Alpha-beta, with which conspiracy-number searches are compared on the same game and
//! evaluator.
//!
//! There are two presets (see [`Settings`]): *plain*, like the thesis's opponent Phoenix, and
//! *full*, with all techniques that made it stronger.
//!
//! Each of these uses only those below it (`tests/architecture.rs` checks that):
//!
//! - `driver`: iterations, aspiration windows, the root.
//! - `recursion`: one position: table, moves, principal-variation search.
//! - `sharing`: one question at the root searched by several threads.
//! - `line`: completion of principal variations.
//! - `pruning`: decisions on pruning, reductions and extensions.
//! - `entries`: reading and writing of table entries.
//! - `node`: a position and its moves about to be searched, and the updates of histories.
//! - `worker`: the state of a running search: limits, counters, the path.
//! - `reductions`, `settings`: the table of late-move reductions; the techniques and their parameters.
//! - `constants`: their names, for tuning.
//!
//! Wins and losses are proofs: no heuristic may return one, and no move is pruned
//! while all others lose (comments mark each place).

mod constants;
mod driver;
mod entries;
mod line;
mod node;
mod pruning;
mod recursion;
mod reductions;
mod settings;
mod sharing;
#[cfg(test)]
mod tests;
mod worker;

pub use settings::{
    Aspiration, MAX_DEPTH, MovePruning, NullMove, Reductions, Settings, Singular, StaticPruning,
};

use std::time::Duration;

use crate::game::{Evaluator, Game, Root};
use crate::search::events::{Unwatched, Watchable, Watcher};
use crate::search::kit::deepening::Deepening;
use crate::search::kit::histories::LazyHistories;
use crate::search::kit::prover::{Proved, Prover};
use crate::search::kit::team::{Task, Team};
use crate::search::kit::transposition_table::TranspositionTable;
use crate::search::{Limits, Observer, Report, Searcher};
use driver::{Driver, follow};
use reductions::ReductionTable;
use worker::Worker;

/// Alpha-beta over an evaluator, with its table and statistics. An iteration is a depth, in plies.
pub struct AlphaBeta<E> {
    settings: Settings,
    team: Team<E, LazyHistories>,
    table: TranspositionTable,
    reductions: ReductionTable,
}

impl<E: Clone> AlphaBeta<E> {
    /// Alpha-beta with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> AlphaBeta<E> {
        AlphaBeta {
            team: Team::new(settings.threads, evaluator),
            table: TranspositionTable::new(settings.hash_megabytes),
            reductions: ReductionTable::new(settings.reductions),
            settings,
        }
    }
}

impl<E> AlphaBeta<E> {
    /// Searches.
    fn run<G: Game + Sync>(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: impl Watcher<G::Move>,
        prover: Option<&mut dyn Prover<G::Move>>,
    ) -> Report<G::Move>
    where
        E: Evaluator<G> + Send,
    {
        self.table.new_search();
        let table = self.table.open();
        let (settings, reductions) = (&self.settings, &self.reductions);
        let lead = |task: Task<'_, G, E, LazyHistories>| {
            let worker = Worker::new(settings, reductions, table, root, task, watcher);
            let prover = prover.map(|it| it as &mut dyn Prover<G::Move>);
            Driver::new(worker, root, prover).deepen(1)
        };
        let help = |task: Task<'_, G, E, LazyHistories>| {
            let worker = Worker::new(settings, reductions, table, root, task, Unwatched);
            follow(worker, &root.position);
        };
        self.team.search(limits, observer, lead, help)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Watchable<G> for AlphaBeta<E> {
    fn search_watched(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move> {
        self.run(root, limits, observer, watcher, None)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Searcher<G> for AlphaBeta<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.run(root, limits, observer, Unwatched, None)
    }

    fn clear(&mut self) {
        self.table.clear();
        self.team.clear();
    }

    fn forget_proofs(&mut self) {
        self.table.clear();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.table.touch(longest)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Proved<G> for AlphaBeta<E> {
    fn search_beside(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        prover: &mut dyn Prover<G::Move>,
    ) -> Report<G::Move> {
        self.run(root, limits, observer, Unwatched, Some(prover))
    }
}
