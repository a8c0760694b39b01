//! Controlled conspiracy-number search (U. Lorenz, V. Rottmann, R. Feldmann and P. Mysliwietz, ICCA Journal
//! 18, 1995) and controlled conspiracy-2 search (U. Lorenz, STACS 2000), the searches of Ulysses CCN and
//! P.ConNerS.
//!
//! The search does not ask which leaf to expand, but demands conspiracy numbers from the root down. The best move must
//! be worth at least a separating value and the others at most that, each so surely that as many leaves as demanded
//! would have to be wrong. A node for which one child suffices divides its demand among the children that support it;
//! where all children are needed, each gets the whole demand. A leaf supports with one conspirator: if more is demanded
//! of it, it is expanded. A claim that turns out wrong is replaced by one with the present values.
//!
//! - [`Target::Growing`]: iteration n demands n conspirators.
//! - [`Target::Two`]: two conspirators are demanded from the second iteration on, so that no single faulty leaf can
//!   overthrow the decision, and supporting leaves are searched by alpha-beta, in iteration n to depth n - 2.
//!
//! *Settled here:* the separator lies halfway between the best value and the second best, and claims have a margin, or
//! equal moves would be told apart forever; a demand is divided evenly among all supporters, the best ones first;
//! supporters are the children whose values are on the right side, and none is searched for among the others. If there
//! is one move only, its value is to be supported from both sides. The papers' search goes on to prove with an
//! alpha-beta-like procedure without a tree; here the tree is kept, in bounded memory.
//!
//! - `envelope`: demands passed down.
//! - `leaf`: alpha-beta at leaves.
//! - `run`: the root, one search.

mod envelope;
mod leaf;
mod run;
#[cfg(test)]
mod tests;

use self::run::Run;
use crate::game::{Evaluator, Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};

/// Demand on the decision, by iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// One conspirator more in each iteration.
    #[default]
    Growing,
    /// Two conspirators from the second iteration on, and leaves searched one ply deeper in each further one.
    Two,
}

/// Settings of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Demand on the decision.
    pub target: Target,
    /// Memory of the tree, in MiB.
    pub hash_megabytes: usize,
    /// Tolerance of claims, in centipawns: moves this near to each other need not be told apart.
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
