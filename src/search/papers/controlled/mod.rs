//! Controlled conspiracy-number search (U. Lorenz, V. Rottmann, R. Feldmann and P. Mysliwietz, ICCA Journal
//! 18, 1995) and controlled conspiracy-2 search (U. Lorenz, STACS 2000), the searches of Ulysses CCN and
//! P.ConNerS.
//!
//! The search does not ask which leaf to expand, but demands conspiracy numbers, from the root down. The best
//! move shall be worth at least a separating value and the others at most that, each so surely that
//! as many leaves as demanded would have to be wrong. A node that one child suffices for shares its demand
//! out among the children that support it; where all children are needed, each gets the whole demand. A
//! leaf supports with one conspirator: where more is demanded of it, it is expanded. When a claim turns
//! out wrong, it is made anew with the values there are now.
//!
//! - [`Target::Growing`]: iteration n demands n conspirators.
//! - [`Target::Two`]: two conspirators are demanded from the second iteration on, so that no single faulty
//!   leaf can overthrow the decision, and the leaves that are relied upon are searched by alpha-beta, in
//!   iteration n to a depth of n - 2.
//!
//! *Settled here:* the separator lies halfway between the best value and the second best, and what is said of
//! values is said with a margin, or moves that are alike would be told apart forever; a demand is shared
//! out evenly among all supporters, the best ones first; supporters are the children whose values are on the
//! right side, so none is looked for among the others. Where there is one move only, its value is to be
//! supported from both sides. The papers' search goes on to prove with an alpha-beta-like
//! procedure without a tree; here the tree is kept, in bounded memory.
//!
//! - `envelope`: demands handed down.
//! - `leaf`: small searches at leaves.
//! - `run`: the root, one search.

mod envelope;
mod leaf;
mod run;
#[cfg(test)]
mod tests;

use self::run::Run;
use crate::game::{Evaluator, Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};

/// What is demanded of the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// One conspirator more in each iteration.
    #[default]
    Growing,
    /// Two conspirators after the first iteration, and leaves searched one ply deeper in each one more.
    Two,
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What is demanded.
    pub target: Target,
    /// Memory for its tree, in MiB.
    pub hash_megabytes: usize,
    /// By how much a claim may be missed, in centipawns: moves as near to each other need not be told apart.
    pub margin: u16,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            target: Target::default(),
            hash_megabytes: 64,
            margin: 25,
        }
    }
}

/// The search over an evaluator.
pub struct Controlled<E> {
    settings: Settings,
    evaluator: E,
}

impl<E> Controlled<E> {
    /// A search with `evaluator` at the leaves.
    pub fn new(settings: Settings, evaluator: E) -> Controlled<E> {
        Controlled {
            settings,
            evaluator,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Controlled<E> {
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
