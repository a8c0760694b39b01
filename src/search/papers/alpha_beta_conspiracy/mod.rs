//! Alpha-beta conspiracy search with margins (D. McAllester and D. Yuret, "Alpha-beta conspiracy search",
//! ICGA Journal 25, 2002; drafts since 1993): alpha-beta in which every node has two depths instead of one.
//!
//! A value rests on two strategies, one for each side: one shows that the value is at least this much, the other that
//! it is at most this much. To overthrow the first, leaves must turn out worse by a margin δ until every alternative of
//! its owner along the way has failed; so where a side has several moves within δ of its best one, the number of leaves
//! that must be wrong together is multiplied, and where it has only one it is not. The search spends two *credits*,
//! logarithms of a conspiracy threshold k, one for each strategy. A move costs its mover the logarithm of the number of
//! moves within δ of the best, so that forced moves are searched more deeply; it costs the other side nothing. A line
//! ends when the credit of the strategy to which the position belongs is used up.
//!
//! *Chosen here*, as the paper's abstract leaves it open: moves within δ are counted by static values (quiescence); a
//! single one costs half a doubling rather than nothing, or forced lines would never end; a position whose
//! static value is outside the window belongs to one strategy, any other to both; both credits are equal at the root,
//! and iteration n stands for log₂ k = n/2. Costs are estimates from static values: nothing is certified, so the search
//! reports no conspiracy numbers. `depth-first-unit` reports numbers that it has certified.
//!
//! - `credit`: the two credits, and the cost of a move.
//! - `node`: the recursion.
//! - `driver`: the root, and the iterations.

mod credit;
mod driver;
mod node;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::driver::Driver;
use self::node::Worker;
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::budget::Budget;
use crate::search::kit::deepening::Deepening;
use crate::search::kit::path::Path;
use crate::search::kit::transposition_table::TranspositionTable;
use crate::search::{Limits, Observer, Report, Searcher};

/// Settings of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Memory of the table, in MiB.
    pub hash_megabytes: usize,
    /// δ, in centipawns: a move worse than the best by at most δ is an alternative to it. By default half a pawn.
    pub margin: u16,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_megabytes: 64,
            margin: 50,
        }
    }
}

/// The search, with its table. An iteration is the logarithm of a conspiracy threshold.
pub struct AlphaBetaConspiracy<E> {
    settings: Settings,
    evaluator: E,
    table: TranspositionTable,
}

impl<E> AlphaBetaConspiracy<E> {
    /// A search with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> AlphaBetaConspiracy<E> {
        AlphaBetaConspiracy {
            table: TranspositionTable::new(settings.hash_megabytes),
            settings,
            evaluator,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBetaConspiracy<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.table.new_search();
        let worker = Worker {
            evaluator: &mut self.evaluator,
            table: self.table.open(),
            budget: Budget::new(limits, observer),
            path: Path::to_root(root),
            margin: i32::from(self.settings.margin),
            seldepth: 0,
            oldest_repetition: usize::MAX,
        };
        Driver::new(worker, &root.position).deepen(1)
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.table.touch(longest)
    }
}
