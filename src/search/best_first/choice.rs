//! Choice of the move to play, and the lines of moves.

use std::cmp::Ordering;

use super::numbers::Goal;
use super::run::Run;
use super::settings::MoveChoice;
use super::tree::{Node, NodeId, NodeState};
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::kit::mate_line;
use crate::search::{Bound, Report};

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Index of the root's child to play, if there are children.
    ///
    /// The highest value wins; values are finer than the grid where the evaluator is. Tactics often leave many moves
    /// with the same value. Of these the search prefers the one that takes more conspirators to lower, as harder to
    /// refute, then the one with the higher [`Game::preference`], then the leftmost. With [`MoveChoice::Leftmost`] the
    /// leftmost of equal values is taken at once.
    pub(super) fn best_child(&self) -> Option<usize> {
        let children = self.tree.children(self.tree.root());
        (0..children.len()).min_by(|&a, &b| self.compare(&children[a], &children[b]))
    }

    /// Indices of the root's children, in the order in which to play them.
    pub(super) fn ranked_children(&self) -> Vec<usize> {
        let children = self.tree.children(self.tree.root());
        let mut ranked: Vec<usize> = (0..children.len()).collect();
        ranked.sort_by(|&a, &b| self.compare(&children[a], &children[b]));
        ranked
    }

    /// Compares two of the root's children; the better one is `Less`.
    fn compare(&self, a: &Node<G::Move>, b: &Node<G::Move>) -> Ordering {
        let by_value = b.value.from_child().cmp(&a.value.from_child());
        let preference = |child: &Node<G::Move>| self.line.position(0).preference(child.m);
        match self.settings.answer {
            MoveChoice::Leftmost => by_value,
            MoveChoice::Safest => by_value
                .then_with(|| self.safety(b).cmp(&self.safety(a)))
                .then_with(|| preference(b).cmp(&preference(a))),
        }
    }

    /// Number of leaves it takes to lower a child of the root by a step of the grid.
    fn safety(&self, child: &Node<G::Move>) -> Count {
        let (push, below) = (Push::Lower, child.index.checked_sub(1));
        below.map_or(Count::INFINITY, |target| {
            let goal = Goal { push, target };
            self.tree.count(child, Kind::Min, goal)
        })
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

    /// The value and the line of a child of the root, or those of the root if nothing has been evaluated yet.
    pub(super) fn line_through(&self, child: Option<usize>) -> Report<G::Move> {
        let nodes = self.nodes_through(child);
        let moves = nodes[1..].iter().map(|&id| self.tree.node(id).m);
        let mut report = Report::before_search(self.tree.root().value, moves.collect());
        report.bound = self.bound_of(&nodes);
        match nodes.get(1) {
            Some(&child) => report.value = self.tree.node(child).value.from_child(),
            None => {
                let moves = self.budget.limits.root_moves(self.line.position(0));
                report.pv.extend(moves.first());
            }
        }
        mate_line::complete_report(self.line.position(0), &mut report);
        report
    }

    /// Type of bound that the value at the end of a line is for the root: leaves evaluated with a clipped window have
    /// only a bound.
    fn bound_of(&self, nodes: &[NodeId]) -> Bound {
        let ply = nodes.len() - 1;
        let state = nodes.last().map(|&leaf| self.tree.node(leaf).state);
        match (state, Kind::at_ply(ply)) {
            (Some(NodeState::AtMost), Kind::Max) | (Some(NodeState::AtLeast), Kind::Min) => {
                Bound::Upper
            }
            (Some(NodeState::AtLeast), Kind::Max) | (Some(NodeState::AtMost), Kind::Min) => {
                Bound::Lower
            }
            _ => Bound::Exact,
        }
    }
}
