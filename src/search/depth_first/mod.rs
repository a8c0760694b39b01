//! Depth-first conspiracy-number search: conspiracy numbers without a stored tree.
//!
//! Fix a value θ and ask only "is the value for the side to move at least θ?". Every position then has an answer and
//! the cost of overthrowing it. A position *holds* (answers yes, fails high) through children that *fail* (answer no, fail low), its
//! supporters; it fails if all its children hold. The driver raises the demanded cost step by step, and for each demand
//! finds a value v that holds while one less than `range` centipawns above it fails. That v comes with two costs, of lowering and of
//! raising it.
//!
//! *Costs are prices.* The papers count leaves, and sum them: [`unit_costs`](super::papers::unit_costs) is that search.
//! Plain sums treat all leaves as equally likely to be wrong and independent. Neither is true: a quiet move that comes
//! twentieth rarely overthrows anything, a leaf three pawns away from the question less often than one beside it, and
//! one threat refutes many supporters at once. So this search prices the cheapest line to an overthrow: an ordinary ply
//! is one unit, a late quiet move more, a check less. A second supporter does not add its cost: the two together cost
//! what was demanded. The result is a depth with fractions and no number of leaves.
//!
//! *Kinship.* This is close kin to principal-variation search: null-window questions, the best move settled first, the
//! others asked once whether they are better. docs/search.md has a table of what is priced here and its counterpart there.
//!
//! *A cost may be less than what was demanded.* Where no move is known to begin with, less is demanded
//! (`unknown_rebate`), and at the depth limit there is nothing left to search. The table keeps the cost that
//! was found, and an answer that costs too little is worked on again when it is asked for.
//!
//! From the root to the leaf:
//!
//! - `kit::team`: the threads; one leads, the others help.
//! - `worker`: the state of a thread: limits, path, table, statistics.
//! - `driver`: demands, and the questions at the root, the best move first; `kit::deepening` has the loop.
//! - `root_moves`: the root's moves, first in the order of their evaluations, and their reports; `line` reads principal
//!   variations from the table.
//! - `settling`: the next question for a demand, until the value is settled.
//! - `node`: one position and one question, with all steps in their order; `kit::budget` counts it.
//! - `certificates`: the table of answers and costs.
//! - `moves`: the move loop: order (`kit::ordering`), prices, pruning, deferred moves.
//! - `constants`: the constants, and the prices that depend on them alone.
//! - `sharing`: one question at the root searched by several threads; with a single thread it does nothing.
//!
//! The leaf is the evaluator's: for chess `games::chess::quiescence`.
//!
//! *Proofs*, of wins, losses or draws, have infinite cost: nothing overthrows them. *Repetition*: a position that stood
//! on the path, or twice in the game, is a draw on this path. The draw costs just the demand and is not stored: no proof
//! rests on it, and larger demands search again, as the answers of its ancestors cost no more than was demanded. *The
//! fifty-move clock* is not stored: a proof that comes after the draw by rule is not used. `kit::forgetting` clears the table
//! if its entries may rest on such a draw that the new root does not share, and proofs found before a position stood
//! twice in the game.

pub(in crate::search) mod certificates;
mod constants;
mod driver;
pub(in crate::search) mod line;
mod moves;
mod node;
pub(in crate::search) mod root_moves;
pub(in crate::search) mod settling;
mod sharing;
#[cfg(test)]
mod tests;
mod worker;

pub use self::constants::Constants;
pub use self::driver::HIGHEST_DEMAND;

use std::time::Duration;

use self::certificates::Certificates;
use self::driver::{Driver, follow};
use self::worker::Worker;
use crate::game::{Evaluator, Game, Root};
use crate::search::events::{Unwatched, Watchable, Watcher};
use crate::search::kit::deepening::Deepening;
use crate::search::kit::histories::LazyHistories;
use crate::search::kit::prover::{Proved, Prover};
use crate::search::kit::team::Threads;
use crate::search::kit::team::{Task, Team};
use crate::search::{Limits, Observer, Report, Searcher};

/// Settings of a depth-first conspiracy-number search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The constants of prices.
    pub constants: Constants,
    /// Memory for the table, in MiB.
    pub hash_megabytes: usize,
    /// Threads that search side by side.
    pub threads: Threads,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            constants: Constants::default(),
            hash_megabytes: 64,
            threads: Threads::ONE,
        }
    }
}

/// The search, with its table and statistics. An iteration is a demand, in units.
pub struct DepthFirst<E> {
    settings: Settings,
    team: Team<E, LazyHistories>,
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
    /// Searches; the watcher receives the queries of the first thread.
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
        let (constants, table) = (&self.settings.constants, self.table.open());
        let position = &root.position;
        let lead = |task: Task<'_, G, E, LazyHistories>| {
            let worker = Worker::new(constants, table, root, task, watcher);
            let prover = prover.map(|it| it as &mut dyn Prover<G::Move>);
            Driver::new(worker, position, prover).deepen(1)
        };
        let help = |task: Task<'_, G, E, LazyHistories>| {
            let worker = Worker::new(constants, table, root, task, Unwatched);
            follow(worker, position);
        };
        self.team.search(limits, observer, lead, help)
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
        self.run(root, limits, observer, watcher, None)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Searcher<G> for DepthFirst<E> {
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
        self.table.forget_proofs();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.table.touch(longest)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Proved<G> for DepthFirst<E> {
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
