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

use super::history::History;
use super::table::TranspositionTable;
use super::{Limits, Observer, Report, Searcher};
use crate::game::{Evaluator, Game, Root};
use pruning::ReductionTable;
use worker::Worker;

/// Deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// Alpha-beta over an evaluator, with what it remembers from one search to the next.
pub struct AlphaBeta<E> {
    settings: Settings,
    evaluator: E,
    table: TranspositionTable,
    /// Made for the game at the first search: only then the number of history slots is known.
    history: Option<History>,
    reductions: ReductionTable,
}

impl<E> AlphaBeta<E> {
    /// Alpha-beta with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> AlphaBeta<E> {
        AlphaBeta {
            table: TranspositionTable::new(settings.hash_megabytes),
            reductions: ReductionTable::new(settings.reductions),
            history: None,
            settings,
            evaluator,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.table.new_search();
        let mut history = self
            .history
            .take()
            .unwrap_or_else(|| History::new(G::HISTORY_SLOTS));
        let report = Worker::new(self, &mut history, root, limits, observer).deepen(root);
        self.history = Some(history);
        report
    }

    fn forget(&mut self) {
        self.table.clear();
        self.history = None;
    }
}
