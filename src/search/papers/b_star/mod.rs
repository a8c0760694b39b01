//! B*: a best-first search that ends when one move is proven better than all others (H. J. Berliner, "The
//! B* tree search algorithm: a best-first proof procedure", Artificial Intelligence 12, 1979), and its
//! hybrid with conspiracy numbers (N. Klingbeil, *Search Strategies for Conspiracy Numbers*, 1989,
//! section 7.2).
//!
//! Every node has a pessimistic and an optimistic bound besides its value. A move is proven best once its pessimistic
//! bound is at least every other move's optimistic one. Two strategies lead there: PROVEBEST raises the pessimistic
//! bound of the best move, DISPROVEREST lowers the optimistic bound of a rival. Below the chosen move the search
//! follows the child most promising to its mover.
//!
//! *Bounds.* B* takes them from the evaluator. Here they are its value plus and minus its possible error,
//! [`Evaluator::width`]. If the bounds of all leaves are equally far apart, so are all that are backed up. So the
//! *doubt* of a leaf halves with each ply, and each iteration doubles it: the same proof then takes one more ply.
//! Berliner's evaluators had to give bounds that shrink by themselves, and his search had no iterations.
//!
//! *Strategy.* [`Guide::Depths`] is Berliner's criterion of depths. [`Guide::Conspirators`] counts leaves instead: each
//! strategy must bring bounds to one side of a value that separates the best move from its rivals, which takes a number
//! of leaves; the strategy that takes fewer is chosen, and one of its leaves expanded. A leaf whose bounds do not
//! reach that value cannot conspire: that is the use of bounds here.
//!
//! - `belief`: the data of a node, and backing up.
//! - `guide`: the leaf to expand.
//! - `run`: one search.

mod belief;
mod guide;
mod run;
#[cfg(test)]
mod tests;

use self::run::BStarRun;
use crate::game::{Evaluator, Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};

/// Rule that chooses the strategy, PROVEBEST or DISPROVEREST, and the leaf to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guide {
    /// By the depths of the optimistic bounds (Berliner's criterion D).
    #[default]
    Depths,
    /// By conspiracy numbers.
    Conspirators,
}

/// Settings of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Rule that chooses the strategy and the leaf.
    pub guide: Guide,
    /// Memory of the tree, in MiB.
    pub hash_megabytes: usize,
    /// Possible error of values if the evaluator gives none, in centipawns, at least 1.
    pub width: u16,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            guide: Guide::default(),
            hash_megabytes: 64,
            width: 100,
        }
    }
}

/// B* over an evaluator. An iteration is a doubling of the doubt.
pub struct BStar<E> {
    settings: Settings,
    evaluator: E,
}

impl<E> BStar<E> {
    /// A search with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> BStar<E> {
        BStar {
            settings,
            evaluator,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for BStar<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let run = BStarRun::new(self.settings, root, limits, observer, &mut self.evaluator);
        run.map_or_else(|report| report, BStarRun::finish)
    }

    fn clear(&mut self) {}
}
