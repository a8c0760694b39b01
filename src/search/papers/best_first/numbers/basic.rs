//! Basic (thesis, section 3.1 and appendix 1): stores no numbers.
//!
//! Each number is computed by the definition down to the leaves. A node stores only its value, and time grows with the
//! tree.

use super::super::tree::{Node, NodeId, Tree};
use super::{Goal, Storage, best_value, combine};
use crate::conspiracy::{Count, Kind, LikelyRange, Push};
use crate::search::kit::arena::Moved;

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

impl Basic {
    /// The end of the likely range in the direction of `push`.
    fn end<M: Copy>(tree: &Tree<M>, push: Push, threshold: Count, last: Option<u8>) -> u8 {
        let root = tree.root();
        let is_likely = |target| computed(tree, root, Kind::Max, Goal { push, target }) < threshold;
        let farther = |end| push.farther(end, tree.grid().len());
        // The root's own value is likely, and so is every value between it and a likely one.
        let mut end = match last {
            Some(last) if push.reached(last, root.index) => last,
            _ => root.index,
        };
        if end == root.index || is_likely(end) {
            while let Some(next) = farther(end).filter(|&next| is_likely(next)) {
                end = next;
            }
        } else {
            end = push.nearer(end);
            while end != root.index && !is_likely(end) {
                end = push.nearer(end);
            }
        }
        end
    }
}

impl<M: Copy> Storage<M> for Basic {
    fn record_bytes(&self) -> usize {
        0
    }

    fn plant(&mut self) {
        self.last = None;
    }

    fn expanded(&mut self, _place: u32) {}

    fn go_along(&mut self, _moved: &Moved) {}

    fn update(&mut self, tree: &mut Tree<M>, path: &[NodeId]) -> bool {
        for (ply, &id) in path.iter().enumerate().rev() {
            let children = tree.children(tree.node(id));
            if !children.is_empty() {
                let value = best_value(children);
                if !tree.set_value(id, Kind::at_ply(ply), value) {
                    break;
                }
            }
        }
        true
    }

    fn count(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        computed(tree, node, kind, goal)
    }

    fn takes_over(&mut self, _tree: &Tree<M>, _has_new_leaves: bool) {
        self.last = None;
    }

    fn likely_range(&mut self, tree: &Tree<M>, threshold: Count) -> LikelyRange {
        let end = |push, last| Self::end(tree, push, threshold, last);
        let range = LikelyRange {
            min: end(Push::Lower, self.last.map(|last| last.min)),
            max: end(Push::Raise, self.last.map(|last| last.max)),
        };
        self.last = Some(range);
        range
    }
}
