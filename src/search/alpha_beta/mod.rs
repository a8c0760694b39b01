//! Alpha-beta, the referee: the opponent conspiracy-number searches are measured against, on the same
//! game and the same evaluator.
//!
//! One code, two presets (see [`Settings`]): *plain*, what the thesis's opponent Phoenix was, and
//! *full*, the strongest we know to make it.
//!
//! - `deepening`: iterations, aspiration windows, the root.
//! - `node`: one position: table, moves, principal-variation search.
//! - `pruning`: what is left out, reduced or extended, and by how much.
//! - `line`: principal variations made complete.
//! - `worker`: the state all of them share: limits, counters, the path.
//!
//! Wins and losses are proofs: no technique that guesses may return one, and no move is left out
//! while all others lose (each place says so).

mod deepening;
mod line;
mod node;
mod pruning;
mod settings;
#[cfg(test)]
mod tests;
mod worker;

pub use settings::{
    Aspiration, MovePruning, NullMove, Reductions, Settings, Singular, StaticPruning,
};

use super::table::TranspositionTable;
use super::team::{Task, Team};
use super::{Limits, Observer, Report, Searcher};
use crate::game::{Evaluator, Game, Root};
use pruning::ReductionTable;
use worker::Worker;

/// Deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// Alpha-beta over an evaluator, with what it remembers from one search to the next.
pub struct AlphaBeta<E> {
    settings: Settings,
    team: Team<E>,
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

impl<G: Game + Sync, E: Evaluator<G> + Send> Searcher<G> for AlphaBeta<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.table.new_search();
        let table = self.table.open();
        let (settings, reductions) = (&self.settings, &self.reductions);
        self.team.search(limits, observer, |task: Task<'_, G, E>| {
            let first = task.first_iteration;
            Worker::new(settings, reductions, table, root, task).deepen(root, first)
        })
    }

    fn clear(&mut self) {
        self.table.clear();
        self.team.clear();
    }

    fn prepare(&mut self) {
        self.table.touch();
    }
}
