//! Best-first conspiracy-number search (McAllester 1988; N. Klingbeil, *Search Strategies for
//! Conspiracy Numbers*, 1989, chapters 2, 3, 5 and 6).
//!
//! The search keeps the whole tree. At a conspiracy threshold CT the root has a likely range of
//! values, those it takes fewer than CT leaves to reach; step by step the search picks an end of the
//! range, descends to a leaf of a smallest conspiracy for it, and expands that leaf, until the range
//! has shrunk to one value. Then CT goes up by one, on the same tree.
//!
//! Files: `tree` and `pool` the arena, `reclaim` what
//! happens when it is full, `numbers` how numbers are kept, `branch`
//! which way to descend, `leaf` evaluation and clipped windows, `run` the
//! control, `choice` the move to play.

mod branch;
mod choice;
mod leaf;
mod line;
mod numbers;
mod pool;
mod reclaim;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use branch::BranchRule;
pub use settings::{LeafWindow, Settings, SonOrder, Strategy};

use numbers::{Intensive, Storage};
use run::Run;
use tree::Tree;

use super::{Limits, Observer, Report, Searcher};
use crate::game::{Evaluator, Game, Root};

/// Best-first conspiracy-number search over an evaluator, storage-intensive, with numbers for up to
/// `N` values.
pub struct BestFirst<G: Game, E, const N: usize = 32> {
    settings: Settings,
    evaluator: E,
    tree: Tree<G::Move, <Intensive<N> as Storage>::Record>,
}

impl<G: Game, E: Evaluator<G>, const N: usize> BestFirst<G, E, N> {
    /// A search that takes at most `megabytes` MiB for its tree (a little under 1 at least). Should
    /// the grid of `settings` have more values than `N`, those beyond can never be reached.
    pub fn new(settings: Settings, megabytes: usize, evaluator: E) -> Self {
        BestFirst {
            settings,
            evaluator,
            tree: Tree::new(megabytes << 20),
        }
    }
}

impl<G: Game, E: Evaluator<G>, const N: usize> Searcher<G> for BestFirst<G, E, N> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let run = Run::new(
            &self.settings,
            root,
            limits,
            observer,
            &mut self.evaluator,
            &mut self.tree,
            Intensive::<N>,
        );
        if let Some(run) = run {
            run.finish()
        } else {
            let report = run::nothing_to_search(root);
            observer.report(&report);
            report
        }
    }

    fn forget(&mut self) {
        // Every search plants its tree anew.
    }
}
