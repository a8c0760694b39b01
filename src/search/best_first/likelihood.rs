//! How likely conspiracies are to succeed (thesis, section 6.1.2).
//!
//! A conspiracy number does not tell how far its leaves must move. The likelihood of a smallest conspiracy does,
//! roughly: a leaf has a small whole number that falls with the distance from its value to the target, a conspiracy has
//! the sum of its leaves' numbers, and conspiracies of different sizes compare by the average per conspirator.
//!
//! The thesis stores a likelihood for each value beside each conspiracy number, which made its searches a third slower.
//! Here likelihoods are computed during the descent, for its one goal: the conspiracy numbers, however stored, already
//! tell the children that belong to a smallest conspiracy, and only those have to be visited. So all storages can use
//! them, and nothing has to be updated.

use super::numbers::{Goal, Storage};
use super::tree::{Node, Tree};
use crate::conspiracy::{Count, Kind};

/// Estimates how likely a leaf is to reach a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Estimate {
    /// Pairs of a distance, in percent of the number of values, and the likelihood up to it; 0 beyond the last.
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

    /// Likelihood that a leaf `distance` steps from the target reaches it, on a grid of `len` values.
    pub(super) fn of_leaf(self, distance: u8, len: u8) -> u32 {
        let percents = u32::from(distance) * 100;
        let within = |&&(share, _): &&(u32, u32)| percents <= share * u32::from(len);
        self.steps.iter().find(within).map_or(0, |&(_, it)| it)
    }

    /// The likelihood of a smallest conspiracy that pushes `node`, which must be relevant, to the goal: the largest
    /// among the children with the least number at an OR node, the sum over the children that stand in the way at an
    /// AND node. 0 if no conspirator is needed, or none exists, or the number saturates: then the numbers do not tell
    /// the conspirators, and the search for them would go through the whole tree.
    pub(super) fn of<M: Copy, S: Storage<M> + ?Sized>(
        self,
        tree: &Tree<M>,
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
    use super::super::settings::StorageKind;
    use super::super::tree::{NodeId, NodeState};
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

    fn grid() -> Grid {
        Grid::integers(15)
    }

    /// A storage that keeps nothing.
    fn storage() -> Box<dyn Storage<()> + Send> {
        StorageKind::Basic.storage(grid().len())
    }

    /// A tree of a root alone, on 31 values.
    fn planted() -> Tree<()> {
        let mut tree = Tree::new(1 << 20, 0, grid());
        tree.plant((), Value::DRAW);
        tree
    }

    /// Expands the node at the end of a path.
    fn expand(tree: &mut Tree<()>, way: &[NodeId], values: &[i32]) {
        let kind = Kind::at_ply(way.len());
        let leaf = |&value: &i32| tree.leaf((), kind, Value::centipawns(value), NodeState::Exact);
        let leaves: Vec<Node<()>> = values.iter().map(leaf).collect();
        tree.expand(way[way.len() - 1], &leaves);
        storage().update(tree, way);
    }

    /// MAX(MIN(5, 2), MIN(3, 4)).
    fn sample() -> Tree<()> {
        let mut tree = planted();
        expand(&mut tree, &[NodeId::ROOT], &[0, 0]);
        for (number, leaves) in [[5, 2], [3, 4]].into_iter().enumerate() {
            let child = tree.child(tree.root(), number);
            expand(&mut tree, &[NodeId::ROOT, child], &leaves);
        }
        tree
    }

    /// The likelihood of pushing a node of the sample tree to a value.
    fn likelihood(
        estimate: Estimate,
        tree: &Tree<()>,
        node: &Node<()>,
        kind: Kind,
        to: (Push, i32),
    ) -> u32 {
        let target = tree.index(Kind::Max, Value::centipawns(to.1));
        let goal = Goal { push: to.0, target };
        estimate.of(tree, &*storage(), node, kind, goal)
    }

    fn likelihoods(estimate: Estimate, push: Push, value: i32) -> (u32, [u32; 2]) {
        let tree = sample();
        let of = |node, kind| likelihood(estimate, &tree, node, kind, (push, value));
        let children = tree.children(tree.root());
        let of_children = [&children[0], &children[1]].map(|child| of(child, Kind::Min));
        (of(tree.root(), Kind::Max), of_children)
    }

    #[test]
    fn a_worked_example() {
        // To 5: the first child needs its leaf 2 (3 steps, 7), the second both leaves (7 each), and one
        // conspirator is fewer than two.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 5), (7, [7, 14]));
        // To 9 both need two: 5 by 4 and 2 by 7 steps, 3 by 6 and 4 by 5. The second is likelier.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 9), (10, [8, 10]));
        // Down to 1 both children must move, each by the likelier of its leaves.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Lower, 1), (14, [7, 7]));
        assert_eq!(likelihoods(Estimate::PRIMED, Push::Raise, 9), (2, [2, 2]));
        // The root is there already, as is its second child.
        assert_eq!(likelihoods(Estimate::PLAIN, Push::Raise, 3), (0, [7, 0]));
    }

    #[test]
    fn conspiracies_too_large_to_count_are_not_looked_for() {
        for (leaves, expected) in [(253, 7 * 253), (254, 0), (300, 0)] {
            let mut tree = planted();
            expand(&mut tree, &[NodeId::ROOT], &[0]);
            let child = tree.child(tree.root(), 0);
            expand(&mut tree, &[NodeId::ROOT, child], &vec![0; leaves]);
            let to = (Push::Raise, 2);
            let of_root = likelihood(Estimate::PLAIN, &tree, tree.root(), Kind::Max, to);
            assert_eq!(of_root, expected, "{leaves} leaves");
        }
    }
}
