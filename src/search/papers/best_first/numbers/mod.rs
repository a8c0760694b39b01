//! How the conspiracy numbers of a tree are kept: the three storages of the thesis's chapter 3.
//!
//! `basic` keeps none and computes them when asked, `intensive` keeps those for all values at every
//! interior node, `compromise` keeps the few that the search asks for most: eight around either end of the
//! likely range, or two, which is the thesis's own choice. They answer alike, so
//! they grow the same tree, node for node; they differ in time and space. (Only when memory runs
//! out do they part: a node whose children have been given up keeps its numbers for all values with
//! `intensive`, and counts as a leaf again with the others.)

mod basic;
mod compromise;
mod counts;
mod intensive;
mod window;

pub(super) use basic::Basic;
pub(super) use compromise::Compromise;
pub(super) use intensive::Intensive;

use super::tree::{Node, NodeId, Tree};
use crate::conspiracy::{Count, Kind, LikelyRange, Push};
use crate::value::Value;

/// What the root, or any node, is to be pushed to: an end of the likely range, say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    /// The way to push.
    pub(super) push: Push,
    /// The value to reach, as an index into the grid.
    pub(super) target: u8,
}

impl Goal {
    /// Whether a value with this index is where the goal wants it.
    #[inline]
    pub(super) fn is_reached(self, index: u8) -> bool {
        self.push.reached(index, self.target)
    }
}

/// A way to keep numbers.
///
/// Numbers are asked for at *relevant* nodes only: a node is relevant to a goal if none of its
/// ancestors has reached the goal, since a node that has needs no help from those below it (thesis,
/// section 3.3.2). The root does not count here: the best move cutoff asks for its children' numbers
/// whatever its own value.
pub(super) trait Storage: Default {
    /// What is kept at each interior node.
    type Record: Copy + PartialEq;

    /// Stands in at a node that has just been expanded.
    const EMPTY: Self::Record;

    /// Brings values and numbers up to date along `path`, from the root to a node that has a new
    /// value or new children; says whether the root's may have changed.
    fn update<M: Copy>(&mut self, tree: &mut Tree<M, Self::Record>, path: &[NodeId]) -> bool;

    /// How many leaves it takes to push `node`, which must be relevant, to the goal.
    fn count<M: Copy>(
        &self,
        tree: &Tree<M, Self::Record>,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
    ) -> Count;

    /// The root's likely range at a threshold. A storage may prepare for goals around it.
    fn likely_range<M: Copy>(
        &mut self,
        tree: &mut Tree<M, Self::Record>,
        threshold: Count,
    ) -> LikelyRange;

    /// Told before anything else that the tree is another search's, whose numbers it has; and whether
    /// terminals have become leaves since.
    fn takes_over<M: Copy>(&mut self, tree: &mut Tree<M, Self::Record>, has_new_leaves: bool);

    /// Told when children have been given up, and ids have changed, to free memory.
    fn reclaimed<M: Copy>(&mut self, _tree: &mut Tree<M, Self::Record>) {}
}

/// The value of a node with children for the side to move there: that of its best child.
fn best_value<M: Copy>(children: &[Node<M>]) -> Value {
    let values = children.iter().map(|child| child.value.from_child());
    values.max().unwrap_or(-Value::INFINITY)
}

/// The number of a node that has not reached the goal from its children' numbers: the least of them at
/// an OR node, their sum at an AND node, where the number of a child that stands in nobody's way is 0
/// (thesis, section 2.2).
fn combine(goal: Goal, kind: Kind, children: impl Iterator<Item = Count>) -> Count {
    if goal.push.is_or_node(kind) {
        children.min().unwrap_or(Count::INFINITY)
    } else {
        children.sum()
    }
}
