//! Which move to play, and the line behind it.

use super::numbers::{Goal, Storage};
use super::run::Run;
use super::tree::{Node, NodeId};
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};

impl<G: Game, E: Evaluator<G>, S: Storage> Run<'_, G, E, S> {
    /// The number of the root's son to play, if it has sons.
    ///
    /// Best is the highest value; it is finer than the grid where the evaluator is. Tactics often
    /// leave many moves with the same value. Among those the one whose value it takes more
    /// conspirators to lower is harder to refute, and after that the game's own taste
    /// ([`Game::preference`]) decides; the order of generation only if even that is the same.
    pub(super) fn best_son(&self) -> Option<usize> {
        let root = self.tree.root();
        let position = self.line.position(0);
        let sons = self.tree.sons(root).iter().enumerate();
        let best = sons.max_by(|(a_number, a), (b_number, b)| {
            a.value
                .from_son()
                .cmp(&b.value.from_son())
                .then_with(|| self.safety(a).cmp(&self.safety(b)))
                .then_with(|| position.preference(a.m).cmp(&position.preference(b.m)))
                .then_with(|| b_number.cmp(a_number))
        });
        best.map(|(number, _)| number)
    }

    /// How many leaves it takes to lower the value of a son of the root.
    fn safety(&self, son: &Node<G::Move>) -> Count {
        match son.index.checked_sub(1) {
            Some(target) => {
                let push = Push::Lower;
                self.count(son, Kind::Min, Goal { push, target })
            }
            None => Count::INFINITY,
        }
    }

    /// The best line: the move to play, then best sons to a leaf.
    pub(super) fn principal_nodes(&self) -> Vec<NodeId> {
        let mut line = vec![NodeId::ROOT];
        let mut next = self.best_son();
        let mut node = self.tree.root();
        while let Some(number) = next {
            let id = self.tree.son(node, number);
            line.push(id);
            node = self.tree.node(id);
            let best = |son: &Node<G::Move>| son.value.from_son() == node.value;
            next = self.tree.sons(node).iter().position(best);
        }
        line
    }

    /// The moves of the best line.
    pub(super) fn principal_variation(&self) -> Vec<G::Move> {
        let nodes = self.principal_nodes();
        let moves = nodes[1..].iter().map(|&id| self.tree.node(id).m);
        moves.collect()
    }
}
