//! Storage-intensive (thesis, section 3.2): every interior node keeps its numbers for all values.
//!
//! Leaves need none. After an expansion the nodes on the path are computed anew from their children, as
//! far up as anything changes. What a number costs to keep does not depend on whether anybody asks
//! for it, but all values of a node are computed at once by vector instructions.

use super::super::tree::{Node, NodeId, State, Tree};
use super::{Goal, Storage};
use crate::conspiracy::{Accumulator, Count, Kind, LikelyRange, Vector};
use crate::value::Value;

/// Keeps numbers for up to `N` values; those of a larger grid beyond can never be reached.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Intensive<const N: usize>;

impl<const N: usize> Intensive<N> {
    /// Computes an interior node's value and numbers from its children; says whether they are new.
    fn refresh<M: Copy>(tree: &mut Tree<M, Vector<N>>, id: NodeId, kind: Kind) -> bool {
        let mut numbers = Accumulator::new(kind);
        let mut best = -Value::INFINITY;
        for child in tree.children(tree.node(id)) {
            best = best.max(child.value.from_child());
            match (child.state, tree.numbers(child)) {
                (_, Some(of_child)) => numbers.add(child.index, of_child),
                (State::Terminal | State::AtLimit, None) => numbers.add_terminal(child.index),
                (_, None) => numbers.add_leaf(child.index),
            }
        }
        let index = tree.index(kind, best);
        let has_new_value = tree.set_value(id, kind, best);
        tree.set_numbers(id, numbers.finish(index)) || has_new_value
    }
}

impl<const N: usize> Intensive<N> {
    /// Computes the numbers of a node and of all below it anew.
    fn refresh_all<M: Copy>(tree: &mut Tree<M, Vector<N>>, id: NodeId, kind: Kind) {
        let node = tree.node(id);
        let (children, first) = (tree.children(node).len() as u32, tree.child(node, 0));
        for number in 0..children {
            Self::refresh_all(tree, NodeId(first.0 + number), kind.other());
        }
        let Node { index, state, .. } = *tree.node(id);
        if children > 0 {
            Self::refresh(tree, id, kind);
        } else if state == State::Interior {
            // Which of the children that it has lost were final is not known: it counts as a leaf again.
            tree.set_numbers(id, Vector::leaf(index));
        }
    }
}

impl<const N: usize> Storage for Intensive<N> {
    type Record = Vector<N>;

    const EMPTY: Vector<N> = Vector::ZERO;

    fn update<M: Copy>(&mut self, tree: &mut Tree<M, Vector<N>>, path: &[NodeId]) -> bool {
        for (ply, &id) in path.iter().enumerate().rev() {
            // A leaf with a new static value has nothing to be computed from.
            let is_inner = !tree.children(tree.node(id)).is_empty();
            if is_inner && !Self::refresh(tree, id, Kind::at_ply(ply)) {
                return false;
            }
        }
        true
    }

    fn takes_over<M: Copy>(&mut self, tree: &mut Tree<M, Vector<N>>, has_new_leaves: bool) {
        if has_new_leaves {
            Self::refresh_all(tree, NodeId::ROOT, Kind::Max);
        }
    }

    #[inline]
    fn count<M: Copy>(
        &self,
        tree: &Tree<M, Vector<N>>,
        node: &Node<M>,
        _kind: Kind,
        goal: Goal,
    ) -> Count {
        if goal.is_reached(node.index) {
            return Count::ZERO;
        }
        match (node.state, tree.numbers(node)) {
            (_, Some(numbers)) => numbers.get(goal.target),
            (State::Terminal | State::AtLimit, None) => Count::INFINITY,
            (_, None) => Count::ONE,
        }
    }

    fn likely_range<M: Copy>(
        &mut self,
        tree: &mut Tree<M, Vector<N>>,
        threshold: Count,
    ) -> LikelyRange {
        let root = tree.root();
        let numbers = match (root.state, tree.numbers(root)) {
            (_, Some(numbers)) => *numbers,
            (State::Terminal | State::AtLimit, None) => Vector::terminal(root.index),
            (_, None) => Vector::leaf(root.index),
        };
        numbers.likely_range(root.index, tree.grid(), threshold)
    }
}
