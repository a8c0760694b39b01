//! How likely conspiracies are to succeed (thesis, section 6.1.2).
//!
//! A conspiracy number does not say how far its leaves must move. The likelihood of a smallest
//! conspiracy does, roughly: a leaf has a small whole number that falls with the distance from its
//! value to the target, a conspiracy the sum of its leaves', and conspiracies of different sizes
//! compare by the average per conspirator.
//!
//! The thesis keeps a likelihood for each value beside each conspiracy number, which made its
//! searches a third slower. Here they are computed on the way down, for the one goal of the descent:
//! the conspiracy numbers, whichever way they are kept, already tell the children that belong to a
//! smallest conspiracy, and only those have to be visited. So all storages can use them, and nothing
//! has to be kept up to date.

use super::numbers::{Goal, Storage};
use super::tree::{Node, Tree};
use crate::conspiracy::{Count, Kind};

/// Estimates how likely a leaf is to reach a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Estimate {
    /// Likelihoods by distance: up to this many percent of the size of the range, this likelihood;
    /// beyond the last, 0.
    steps: &'static [(u32, u32)],
}

impl Estimate {
    /// The thesis's *likelihoods*.
    pub(super) const PLAIN: Estimate = Estimate {
        steps: &[(0, 8), (10, 7), (20, 5), (35, 3), (50, 1)],
    };
    /// The thesis's *likelihoods'*, with fewer distinctions, so that more leaves have their turn
    /// (section 6.5).
    pub(super) const PRIMED: Estimate = Estimate {
        steps: &[(0, 2), (35, 1)],
    };

    /// For a leaf so many steps of the grid from the target, on a grid of `len` values.
    pub(super) fn of_leaf(self, distance: u8, len: u8) -> u32 {
        let percents = u32::from(distance) * 100;
        let within = |&&(share, _): &&(u32, u32)| percents <= share * u32::from(len);
        self.steps.iter().find(within).map_or(0, |&(_, it)| it)
    }

    /// The likelihood of a smallest conspiracy that pushes `node`, which must be relevant, to the
    /// goal: the largest among the children with the least number at an OR node, the sum over the children
    /// that stand in the way at an AND node. 0 where there is nothing to conspire for, or nobody, or where so many
    /// have to conspire that their number is not known any more: then nothing tells which, and to
    /// look for them would go through the whole tree.
    pub(super) fn of<M: Copy, S: Storage>(
        self,
        tree: &Tree<M, S::Record>,
        storage: &S,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
    ) -> u32 {
        if goal.is_reached(node.index) || node.is_final() {
            return 0;
        }
        let children = tree.children(node).iter();
        if children.len() == 0 {
            return self.of_leaf(node.index.abs_diff(goal.target), tree.grid().len());
        }
        let least = storage.count(tree, node, kind, goal);
        if least >= Count::MAX_FINITE {
            return 0;
        }
        let of_child = |child: &Node<M>| self.of(tree, storage, child, kind.other(), goal);
        if goal.push.is_or_node(kind) {
            let is_least =
                |child: &&Node<M>| storage.count(tree, child, kind.other(), goal) == least;
            children.filter(is_least).map(of_child).max().unwrap_or(0)
        } else {
            children.map(of_child).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::Basic;
    use super::super::tree::{NodeId, State};
    use super::*;
    use crate::conspiracy::{Grid, Push};
    use crate::value::Value;

    #[test]
    fn leaves_far_from_the_target_are_less_likely_to_reach_it() {
        // 31 values: 10 % are 3.1 steps, 20 % 6.2, 35 % 10.85, 50 % 15.5.
        let row = |estimate: Estimate| -> Vec<u32> {
            (0..20)
                .map(|distance| estimate.of_leaf(distance, 31))
                .collect()
        };
        assert_eq!(
            row(Estimate::PLAIN),
            [8, 7, 7, 7, 5, 5, 5, 3, 3, 3, 3, 1, 1, 1, 1, 1, 0, 0, 0, 0]
        );
        assert_eq!(
            row(Estimate::PRIMED),
            [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
    }

    /// MAX(MIN(5, 2), MIN(3, 4)) on 31 values.
    fn sample() -> Tree<(), ()> {
        let mut tree = Tree::new(1 << 20);
        let node = |tree: &Tree<(), ()>, kind, value| {
            let value = Value::centipawns(value);
            Node::new((), value, tree.index(kind, value), State::Exact)
        };
        let root = Node::new(
            (),
            Value::DRAW,
            Grid::integers(15).index(Value::DRAW),
            State::Exact,
        );
        tree.plant(Grid::integers(15), root);
        let children = [0, 0].map(|value| node(&tree, Kind::Min, value));
        tree.expand(NodeId::ROOT, &children, ());
        for (number, leaves) in [[5, 2], [3, 4]].into_iter().enumerate() {
            let child = tree.child(tree.root(), number);
            let leaves = leaves.map(|value| node(&tree, Kind::Max, value));
            tree.expand(child, &leaves, ());
            Basic::default().update(&mut tree, &[NodeId::ROOT, child]);
        }
        tree
    }

    fn likelihoods(estimate: Estimate, push: Push, value: i32) -> (u32, [u32; 2]) {
        let tree = sample();
        let target = tree.index(Kind::Max, Value::centipawns(value));
        let goal = Goal { push, target };
        let of = |node, kind| estimate.of(&tree, &Basic::default(), node, kind, goal);
        let children = tree.children(tree.root());
        let of_children = [&children[0], &children[1]].map(|child| of(child, Kind::Min));
        (of(tree.root(), Kind::Max), of_children)
    }

    #[test]
    fn a_worked_example() {
        // To 5: the first child needs its 2 (3 steps, 7), the second both leaves (7 each), and one
        // conspirator is fewer than two.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 5), (7, [7, 14]));
        // To 9 both need two: 5 by 4 and 2 by 7 steps, 3 by 6 and 4 by 5. The second is likelier.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 9), (10, [8, 10]));
        // Down to 1 both children must move, each by the likelier of its leaves.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Lower, 1), (14, [7, 7]));
        assert_eq!(likelihoods(Estimate::PRIMED, Push::Raise, 9), (2, [2, 2]));
        // The root is there already, and so is its second child.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 3), (0, [7, 0]));
    }

    #[test]
    fn conspiracies_too_large_to_count_are_not_looked_for() {
        for (leaves, likelihood) in [(253, 7 * 253), (254, 0), (300, 0)] {
            let mut tree = Tree::new(1 << 20);
            let grid = Grid::integers(15);
            let root = Node::new((), Value::DRAW, grid.index(Value::DRAW), State::Exact);
            tree.plant(grid, root);
            let leaf = Node::new(
                (),
                Value::DRAW,
                tree.index(Kind::Min, Value::DRAW),
                State::Exact,
            );
            tree.expand(NodeId::ROOT, &[leaf], ());
            let child = tree.child(tree.root(), 0);
            let leaf = Node::new(
                (),
                Value::DRAW,
                tree.index(Kind::Max, Value::DRAW),
                State::Exact,
            );
            tree.expand(child, &vec![leaf; leaves], ());
            Basic::default().update(&mut tree, &[NodeId::ROOT, child]);
            let target = tree.index(Kind::Max, Value::centipawns(2));
            let push = Push::Raise;
            let goal = Goal { push, target };
            let of_root =
                Estimate::PLAIN.of(&tree, &Basic::default(), tree.root(), Kind::Max, goal);
            assert_eq!(of_root, likelihood, "{leaves} leaves");
        }
    }
}
