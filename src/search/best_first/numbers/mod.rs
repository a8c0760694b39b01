//! Storages of the conspiracy numbers of a tree: the three kinds of the thesis's chapter 3.
//!
//! `basic` stores none and computes them on demand, `intensive` stores those for all values at every interior node,
//! `compromise` stores the few most used: eight around either end of the likely range, or two, the thesis's own choice.
//! All give the same numbers and so grow the same tree, node for node; they differ in time and space. (Except when
//! memory runs out: a node that has lost its children keeps its numbers for all values with `intensive`, and counts as
//! a leaf again with the others.)

mod basic;
mod compromise;
mod counts;
mod intensive;
mod window;

use basic::Basic;
use compromise::Compromise;
use intensive::Intensive;

use super::branch::{Choice, Fork};
use super::likelihood::Estimate;
use super::settings::{Settings, StorageKind};
use super::tree::{Node, NodeId, Tree};
use crate::conspiracy::{Count, Kind, Push};
use crate::search::kit::arena::Moved;
use crate::value::Value;

/// A target and the way to push a node there, such as down to an end of the likely range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    /// Direction of the push.
    pub(super) push: Push,
    /// The value to reach, as an index into the grid.
    pub(super) target: u8,
}

impl Goal {
    /// Whether a value with this index has reached the goal.
    #[inline]
    pub(super) fn is_reached(self, index: u8) -> bool {
        self.push.reached(index, self.target)
    }
}

/// A storage of conspiracy numbers.
///
/// Numbers are asked for at *relevant* nodes only: a node is relevant to a goal if none of its ancestors has reached
/// the goal, since a node that has reached it needs no help from those below (thesis, section 3.3.2). The root does not
/// count as an ancestor here: the best move cutoff asks for its children's numbers whatever its own value.
pub(super) trait Storage<M: Copy> {
    /// Bytes stored at each interior node.
    fn record_bytes(&self) -> usize {
        0
    }

    /// Called when a node has been expanded; `place` is the index of its record.
    fn expanded(&mut self, _place: u32) {}

    /// Updates the value and the numbers of a node at `ply` from its children, of which there is at least one; returns
    /// whether they may have changed.
    fn refresh(&mut self, tree: &mut Tree<M>, id: NodeId, ply: usize) -> bool;

    /// Updates values and numbers along `path`, from the root to a node with a new value or new children, from below
    /// until a node does not change; returns whether the root's may have changed.
    fn update(&mut self, tree: &mut Tree<M>, path: &[NodeId]) -> bool {
        let mut nodes = path.iter().enumerate().rev();
        // A leaf with a new static value has no children to compute from.
        nodes.all(|(ply, &id)| tree.has_no_children(id) || self.refresh(tree, id, ply))
    }

    /// Number of leaves it takes to push `node`, which must be relevant, to the goal.
    fn count(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count;

    /// Called before the root's number is asked for at a goal next to the likely range, for a storage to prepare for
    /// goals around it.
    fn prepare(&mut self, _tree: &Tree<M>, _goal: Goal) {}

    /// Called when nodes have been dropped, to free memory or because another node is the root now, and interior nodes
    /// have moved, for their records to follow. `has_new_leaves` tells whether terminals have become leaves.
    fn go_along(&mut self, _tree: &Tree<M>, _moved: &Moved, _has_new_leaves: bool) {}

    /// The child of a relevant node to which a descent for a goal goes, by the branch rule of the settings.
    fn choose(
        &self,
        tree: &Tree<M>,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
        settings: &Settings,
    ) -> Choice {
        let children = tree.children(node);
        let fork = Fork {
            children: children.len(),
            is_or_node: goal.push.is_or_node(kind),
            count: self.count(tree, node, kind, goal),
            next: tree.next_child(node),
            rounds: settings.rounds,
        };
        let rule = settings.branch_rule;
        let of_child = |number: usize| self.count(tree, &children[number], kind.other(), goal);
        let likelihood = |number: usize| {
            let of = |it: Estimate| it.of(tree, self, &children[number], kind.other(), goal);
            rule.estimate().map_or(0, of)
        };
        rule.choose(fork, of_child, likelihood)
    }
}

impl StorageKind {
    /// A storage of this kind for a grid of `len` values, which storage-intensive rounds up.
    pub(super) fn storage<M: Copy>(self, len: u8) -> Box<dyn Storage<M> + Send> {
        match (self, len) {
            (StorageKind::Basic, _) => Box::new(Basic),
            (StorageKind::Intensive, 0..=32) => Box::new(Intensive::<32>::default()),
            (StorageKind::Intensive, 33..=64) => Box::new(Intensive::<64>::default()),
            (StorageKind::Intensive, 65..=128) => Box::new(Intensive::<128>::default()),
            (StorageKind::Intensive, _) => Box::new(Intensive::<256>::default()),
            (StorageKind::Compromise, _) => Box::new(Compromise::<8>::default()),
            (StorageKind::FourNumbers, _) => Box::new(Compromise::<2>::default()),
        }
    }
}

/// The value of a node with children for the side to move there: that of its best child.
fn best_value<M: Copy>(children: &[Node<M>]) -> Value {
    let values = children.iter().map(|child| child.value.from_child());
    values.max().unwrap_or(-Value::INFINITY)
}
