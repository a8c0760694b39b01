//! Basic (thesis, section 3.1 and appendix 1): stores no numbers.
//!
//! Each number is computed on demand from the leaves, by the definition. A node stores only its value; a number takes
//! time that grows with the tree.

use super::super::tree::{Node, NodeId, Tree};
use super::{Goal, Storage, best_value, combine, likely_end, refresh_path};
use crate::conspiracy::{Count, Kind, LikelyRange, Push};

/// Keeps no numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Basic {
    /// The likely range last computed. It rarely moves, so the next one is searched from it (section 3.1.3).
    last: Option<LikelyRange>,
}

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
    combine(goal, kind, counts)
}

impl<M: Copy> Storage<M> for Basic {
    fn record_bytes(&self) -> usize {
        0
    }

    fn plant(&mut self) {
        self.last = None;
    }

    fn update(&mut self, tree: &mut Tree<M>, path: &[NodeId]) -> bool {
        refresh_path(tree, path, |tree, id, ply| {
            let value = best_value(tree.children(tree.node(id)));
            tree.set_value(id, Kind::at_ply(ply), value)
        });
        // New children change the root's numbers, whatever their values.
        true
    }

    fn count(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        computed(tree, node, kind, goal)
    }

    fn takes_over(&mut self, _tree: &Tree<M>, _has_new_leaves: bool) {
        self.last = None;
    }

    fn likely_range(&mut self, tree: &Tree<M>, threshold: Count) -> LikelyRange {
        let root = tree.root();
        let (own, last) = (root.index, self.last);
        let end = |push, from| {
            likely_end(tree, push, from, |target| {
                computed(tree, root, Kind::Max, Goal { push, target }) < threshold
            })
        };
        let range = LikelyRange {
            min: end(Push::Lower, last.map_or(own, |last| last.min)),
            max: end(Push::Raise, last.map_or(own, |last| last.max)),
        };
        self.last = Some(range);
        range
    }
}
