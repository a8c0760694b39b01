//! Choice of the move to play, and its line.

use std::cmp::Ordering;

use super::numbers::Goal;
use super::run::Run;
use super::settings::Answer;
use super::tree::{Node, NodeId, State};
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::Bound;

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Index of the root's child to play, if there are children.
    ///
    /// The highest value wins; values are finer than the grid where the evaluator is. Tactics often leave many moves
    /// with the same value. Of these the search prefers the one that takes more conspirators to lower, as harder to
    /// refute, then the one with the higher [`Game::preference`], then the leftmost. With [`Answer::Leftmost`] the
    /// leftmost of equal values is taken at once.
    pub(super) fn best_child(&self) -> Option<usize> {
        let children = 0..self.tree.children(self.tree.root()).len();
        children.min_by(|&a, &b| self.compare(a, b))
    }

    /// Indices of the root's children, in the order in which to play them.
    pub(super) fn ranked_children(&self) -> Vec<usize> {
        let mut children: Vec<usize> = (0..self.tree.children(self.tree.root()).len()).collect();
        children.sort_by(|&a, &b| self.compare(a, b));
        children
    }

    /// Compares two of the root's children; the better one is `Less`.
    fn compare(&self, a: usize, b: usize) -> Ordering {
        let position = self.line.position(0);
        let children = self.tree.children(self.tree.root());
        let (first, second) = (&children[a], &children[b]);
        let by_value = second.value.from_child().cmp(&first.value.from_child());
        if self.settings.answer == Answer::Leftmost {
            return by_value.then_with(|| a.cmp(&b));
        }
        by_value
            .then_with(|| self.safety(second).cmp(&self.safety(first)))
            .then_with(|| {
                let second = position.preference(second.m);
                second.cmp(&position.preference(first.m))
            })
            .then_with(|| a.cmp(&b))
    }

    /// Number of leaves it takes to lower a child of the root by a step of the grid.
    fn safety(&self, child: &Node<G::Move>) -> Count {
        let (push, below) = (Push::Lower, child.index.checked_sub(1));
        below.map_or(Count::INFINITY, |target| {
            self.count(child, Kind::Min, Goal { push, target })
        })
    }

    /// The nodes of the principal variation: the root, the child to play, then best children to a leaf.
    pub(super) fn principal_nodes(&self) -> Vec<NodeId> {
        self.nodes_through(self.best_child())
    }

    /// The nodes of a child's line: the root, the child, then best children to a leaf.
    pub(super) fn nodes_through(&self, child: Option<usize>) -> Vec<NodeId> {
        let mut line = vec![NodeId::ROOT];
        let mut next = child;
        let mut node = self.tree.root();
        while let Some(number) = next {
            let id = self.tree.child(node, number);
            line.push(id);
            node = self.tree.node(id);
            let best = |child: &Node<G::Move>| child.value.from_child() == node.value;
            next = self.tree.children(node).iter().position(best);
        }
        line
    }

    /// The moves of a line whose nodes begin with the root.
    pub(super) fn moves_of(&self, nodes: &[NodeId]) -> Vec<G::Move> {
        let moves = nodes[1..].iter().map(|&id| self.tree.node(id).m);
        moves.collect()
    }

    /// Type of bound that the value at the end of a line is for the root: leaves evaluated with a clipped window have
    /// only a bound.
    pub(super) fn bound_of(&self, nodes: &[NodeId]) -> Bound {
        let ply = nodes.len() - 1;
        let state = nodes.last().map(|&leaf| self.tree.node(leaf).state);
        match (state, Kind::at_ply(ply)) {
            (Some(State::AtMost), Kind::Max) | (Some(State::AtLeast), Kind::Min) => Bound::Upper,
            (Some(State::AtLeast), Kind::Max) | (Some(State::AtMost), Kind::Min) => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}
