//! How the conspiracy numbers of a tree are kept (thesis, chapter 3).

use super::tree::{Node, NodeId, State, Tree};
use crate::conspiracy::{Accumulator, Count, Kind, LikelyRange, Push, Vector};
use crate::value::Value;

/// What the root, or any node, is to be pushed to: an end of the likely range, say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    /// The way to push.
    pub(super) push: Push,
    /// The value to reach, as an index into the grid.
    pub(super) target: u8,
}

/// A way to keep numbers. All of them answer the same questions alike, so all grow the same tree;
/// they differ in time and space.
pub(super) trait Storage {
    /// What is kept at each interior node.
    type Record: Copy + PartialEq;

    /// Stands in at a node that has just been expanded.
    const EMPTY: Self::Record;

    /// Brings values and numbers up to date along `path`, from the root to a node that has a new
    /// value or new sons; says whether the root's have changed.
    fn update<M: Copy>(&mut self, tree: &mut Tree<M, Self::Record>, path: &[NodeId]) -> bool;

    /// How many leaves it takes to push `node` to the goal.
    fn count<M: Copy>(
        &self,
        tree: &Tree<M, Self::Record>,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
    ) -> Count;

    /// The root's likely range at a threshold.
    fn likely_range<M: Copy>(
        &mut self,
        tree: &mut Tree<M, Self::Record>,
        threshold: Count,
    ) -> LikelyRange;
}

/// Storage-intensive (thesis, section 3.2): every interior node keeps its numbers for all values.
/// Leaves need none. After an expansion the nodes on the path are computed anew from their sons, as
/// far up as anything changes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Intensive<const N: usize>;

impl<const N: usize> Intensive<N> {
    /// Computes an interior node's value and numbers from its sons; says whether they are new.
    fn refresh<M: Copy>(tree: &mut Tree<M, Vector<N>>, id: NodeId, kind: Kind) -> bool {
        let mut numbers = Accumulator::new(kind);
        let mut best = -Value::INFINITY;
        for son in tree.sons(tree.node(id)) {
            best = best.max(son.value.from_son());
            match (son.state, tree.numbers(son)) {
                (_, Some(of_son)) => numbers.add(son.index, of_son),
                (State::Terminal, None) => numbers.add_terminal(son.index),
                (_, None) => numbers.add_leaf(son.index),
            }
        }
        let index = tree.index(kind, best);
        tree.set(id, kind, best, numbers.finish(index))
    }
}

impl<const N: usize> Storage for Intensive<N> {
    type Record = Vector<N>;

    const EMPTY: Vector<N> = Vector::ZERO;

    fn update<M: Copy>(&mut self, tree: &mut Tree<M, Vector<N>>, path: &[NodeId]) -> bool {
        let is_inner = |id: NodeId, tree: &Tree<M, Vector<N>>| !tree.sons(tree.node(id)).is_empty();
        for (ply, &id) in path.iter().enumerate().rev() {
            // A leaf with a new static value has nothing to be computed from.
            if is_inner(id, tree) && !Self::refresh(tree, id, Kind::at_ply(ply)) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn count<M: Copy>(
        &self,
        tree: &Tree<M, Vector<N>>,
        node: &Node<M>,
        _kind: Kind,
        goal: Goal,
    ) -> Count {
        if goal.push.reached(node.index, goal.target) {
            return Count::ZERO;
        }
        match (node.state, tree.numbers(node)) {
            (_, Some(numbers)) => numbers.get(goal.target),
            (State::Terminal, None) => Count::INFINITY,
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
            (State::Terminal, None) => Vector::terminal(root.index),
            (_, None) => Vector::leaf(root.index),
        };
        numbers.likely_range(root.index, tree.grid(), threshold)
    }
}
