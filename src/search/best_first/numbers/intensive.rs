//! Storage-intensive (thesis, section 3.2): every interior node stores its numbers for all values.
//!
//! Leaves need none. After an expansion the nodes on the path are recomputed from their children until nothing changes.
//! Numbers are updated even if they are never used, but vector instructions compute all values of a node at once.

use super::super::tree::{Node, NodeId, Tree};
use super::{Goal, Storage};
use crate::conspiracy::{Accumulator, Count, Kind, Vector};
use crate::search::kit::arena::{Moved, Records};
use crate::value::Value;

/// Stores numbers for up to `N` values; the grid must not have more.
#[derive(Debug, Default)]
pub(super) struct Intensive<const N: usize> {
    records: Records<Vector<N>>,
}

impl<const N: usize> Intensive<N> {
    /// The numbers stored for a node; `None` if it was never expanded.
    #[inline]
    fn numbers<M: Copy>(&self, node: &Node<M>) -> Option<&Vector<N>> {
        node.record().map(|place| self.records.get(place))
    }

    /// Computes an interior node's value and numbers from its children.
    fn computed<M: Copy>(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind) -> (Value, Vector<N>) {
        let mut numbers = Accumulator::new(kind);
        let mut best = -Value::INFINITY;
        for child in tree.children(node) {
            best = best.max(child.value.from_child());
            match self.numbers(child) {
                Some(of_child) => numbers.add(child.index, of_child),
                None if child.is_final() => numbers.add_terminal(child.index),
                None => numbers.add_leaf(child.index),
            }
        }
        (best, numbers.finish(tree.index(kind, best)))
    }

    /// Recomputes the numbers of a subtree.
    fn refresh_all<M: Copy>(&mut self, tree: &Tree<M>, node: &Node<M>, kind: Kind) {
        for child in tree.children(node) {
            self.refresh_all(tree, child, kind.other());
        }
        let Some(place) = node.record() else { return };
        let numbers = if tree.children(node).is_empty() {
            // Dropped children that were final may be leaves now, so the old numbers may be wrong: it counts as a leaf.
            Vector::leaf(node.index)
        } else {
            self.computed(tree, node, kind).1
        };
        self.records.set(place, numbers);
    }
}

impl<M: Copy, const N: usize> Storage<M> for Intensive<N> {
    fn record_bytes(&self) -> usize {
        Records::<Vector<N>>::BYTES
    }

    fn expanded(&mut self, place: u32) {
        self.records.begin(place, Vector::ZERO);
    }

    fn refresh(&mut self, tree: &mut Tree<M>, id: NodeId, ply: usize) -> bool {
        let (node, kind) = (tree.node(id), Kind::at_ply(ply));
        let place = node.record();
        let (value, numbers) = self.computed(tree, node, kind);
        let has_new_value = tree.set_value(id, kind, value);
        place.is_some_and(|it| self.records.set(it, numbers)) || has_new_value
    }

    fn go_along(&mut self, tree: &Tree<M>, moved: &Moved, has_new_leaves: bool) {
        self.records.go_along(moved);
        if has_new_leaves {
            self.refresh_all(tree, tree.root(), Kind::Max);
        }
    }

    #[inline]
    fn count(&self, _tree: &Tree<M>, node: &Node<M>, _kind: Kind, goal: Goal) -> Count {
        if goal.is_reached(node.index) {
            return Count::ZERO;
        }
        match self.numbers(node) {
            Some(numbers) => numbers.get(goal.target),
            None if node.is_final() => Count::INFINITY,
            None => Count::ONE,
        }
    }
}
