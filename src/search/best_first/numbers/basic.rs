//! Basic (thesis, section 3.1 and appendix 1): stores no numbers.
//!
//! Each number is computed on demand from the leaves, by the definition. A node stores only its value; a number takes
//! time that grows with the tree.

use super::super::tree::{Node, NodeId, Tree};
use super::{Goal, Storage, best_value};
use crate::conspiracy::{Count, Kind};

/// Keeps no numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basic;

/// Number of leaves it takes to push `node` to the goal, computed bottom up. A node that has lost its children counts
/// as a leaf again.
pub(super) fn computed<M: Copy>(tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
    if goal.is_reached(node.index) {
        return Count::ZERO;
    }
    if node.is_final() {
        return Count::INFINITY;
    }
    let children = tree.children(node);
    if children.is_empty() {
        return Count::ONE;
    }
    let counts = children
        .iter()
        .map(|child| computed(tree, child, kind.other(), goal));
    // The least at an OR node, the sum at an AND node, where a child that need not change has 0 (thesis, section 2.2).
    if goal.push.is_or_node(kind) {
        counts.min().unwrap_or(Count::INFINITY)
    } else {
        counts.sum()
    }
}

impl<M: Copy> Storage<M> for Basic {
    fn refresh(&mut self, tree: &mut Tree<M>, id: NodeId, ply: usize) -> bool {
        let value = best_value(tree.children(tree.node(id)));
        tree.set_value(id, Kind::at_ply(ply), value);
        // New children change the numbers of all nodes above, whatever their values.
        true
    }

    fn count(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        computed(tree, node, kind, goal)
    }
}
