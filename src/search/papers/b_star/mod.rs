//! B*: a best-first search that ends when one move is proven better than all others (H. J. Berliner, "The
//! B* tree search algorithm: a best-first proof procedure", Artificial Intelligence 12, 1979), and its
//! hybrid with conspiracy numbers (N. Klingbeil, *Search Strategies for Conspiracy Numbers*, 1989,
//! section 7.2).
//!
//! Every node has a pessimistic and an optimistic bound besides its value. A move is proven best once its
//! pessimistic bound is at least every other move's optimistic one. There are two ways to get there:
//! PROVEBEST raises the pessimistic bound of the best move, DISPROVEREST lowers the optimistic bound of a
//! rival. Below the move chosen the search follows the child that is most promising to its mover.
//!
//! *Bounds.* B* takes them from the evaluator. Here they are its value and [`Evaluator::width`], how far
//! that may be from what a search says. Backed up alone, bounds that are all equally far apart stay so
//! forever. So the *doubt* of a leaf halves with each ply, and each iteration doubles it: one more ply has
//! to be looked at for the same proof. Berliner's evaluators had to give bounds that shrink by themselves,
//! and his search had no iterations.
//!
//! *Which way.* [`Guide::Depths`] is Berliner's rule of depths. [`Guide::Conspirators`] counts leaves
//! instead: each strategy is to bring the bounds to one side of a value that separates the best move
//! from its rivals, and takes so many leaves; the one that takes fewer is chosen, and leads to one of them.
//! A leaf whose bounds do not reach that value cannot conspire: that is what the bounds are for here.
//!
//! - `belief`: what is kept at a node, and how it comes from the children.
//! - `guide`: which leaf to expand.
//! - `run`: one search.

mod belief;
mod guide;
mod run;
#[cfg(test)]
mod tests;

use self::run::Run;
use crate::game::{Evaluator, Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};

/// How to choose between the two strategies, and where to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guide {
    /// By the depths from which the optimistic bounds come (Berliner's criterion D).
    #[default]
    Depths,
    /// By conspiracy numbers.
    Conspirators,
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How to choose between PROVEBEST and DISPROVEREST.
    pub guide: Guide,
    /// Memory for its tree, in MiB.
    pub hash_megabytes: usize,
    /// How far values may be wrong where the evaluator does not know, in centipawns, at least 1.
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

/// The search over an evaluator.
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
        match Run::new(self.settings, root, limits, observer, &mut self.evaluator) {
            Ok(run) => run.finish(),
            Err(report) => report,
        }
    }

    fn clear(&mut self) {}
}
