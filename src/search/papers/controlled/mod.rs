//! Controlled conspiracy-number search (U. Lorenz, V. Rottmann, R. Feldmann and P. Mysliwietz, ICCA Journal
//! 18, 1995) and controlled conspiracy-2 search (U. Lorenz, STACS 2000), the searches of Ulysses CCN and
//! P.ConNerS.
//!
//! The search does not ask which leaf to expand, but demands conspiracy numbers from the root down. It claims that the
//! best move is worth at least a separating value and that every other is worth at most as much; as many leaves as
//! demanded must be wrong to overthrow a claim. A node for which one child suffices divides its demand among the
//! children that support it; where all children are needed, each gets the whole demand. A leaf meets a demand of one;
//! if more is demanded of it, it is expanded. A claim that turns out wrong is replaced by one from the present values.
//!
//! - [`Target::Growing`]: iteration n demands n conspirators.
//! - [`Target::Two`]: two conspirators are demanded from the second iteration on, so that no single faulty leaf can
//!   overthrow the decision, and supporting leaves are searched by alpha-beta, in iteration n to depth n - 2.
//!
//! *Chosen here:* the separator lies halfway between the best value and the second best, and claims have a margin, or
//! the search would try forever to tell equal moves apart; a demand is divided evenly among all supporters, the best
//! ones first; supporters are the children whose present values agree with the claim, and no others are sought. If
//! there is one move only, its value is supported from both sides. The papers' search proves claims with an
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

use self::run::ControlledRun;
use crate::game::{Evaluator, Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};

/// Demand on the decision, by iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// One conspirator more in each iteration.
    #[default]
    Growing,
    /// Two conspirators from the second iteration on, and leaves searched one ply deeper in each iteration after it.
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

/// Controlled conspiracy-number search over an evaluator. An iteration is a number of conspirators demanded, or a depth.
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
        let run = ControlledRun::new(self.settings, root, limits, observer, &mut self.evaluator);
        run.map_or_else(|report| report, ControlledRun::finish)
    }

    fn clear(&mut self) {}
}
