//! Number and identity of the conspirators that can move the root to a value.

use super::grown::{GrownTree, Nature};
use super::{Conspirator, settled};
use crate::conspiracy::Push;
use crate::value::Value;

/// The conspiracies in a tree that push its root in one direction.
pub(super) struct Conspiracies<'t, T> {
    pub(super) tree: &'t T,
    pub(super) push: Push,
    /// Largest error of a leaf, in centipawns; `None` if unlimited. With a limit, leaves whose value is a proven win or
    /// loss are never wrong.
    pub(super) error: Option<i32>,
}

impl<'t, T: GrownTree> Conspiracies<'t, T> {
    /// The conspiracies that push down, and those that push up.
    pub(super) fn both(tree: &'t T, error: Option<i32>) -> [Conspiracies<'t, T>; 2] {
        [Push::Lower, Push::Raise].map(|push| Conspiracies { tree, push, error })
    }

    /// A node's value, with all wins made equal, and all losses.
    pub(super) fn value(&self, node: T::Node) -> Value {
        settled(self.tree.value(node))
    }

    /// The farthest value that a leaf can have.
    pub(super) fn extreme(&self, leaf: T::Node) -> Value {
        match (self.push, self.error) {
            (Push::Raise, None) => Value::WIN,
            (Push::Lower, None) => Value::LOSS,
            (Push::Raise, Some(error)) => self.value(leaf).offset(error),
            (Push::Lower, Some(error)) => self.value(leaf).offset(-error),
        }
    }

    /// The next value in the direction, with values `grain` centipawns apart.
    pub(super) fn next(&self, value: Value, grain: i32) -> Value {
        match self.push {
            Push::Raise => value.next_up_by(grain),
            Push::Lower => value.next_down_by(grain),
        }
    }

    /// The farther of two values in the direction.
    pub(super) fn farther(&self, a: Value, b: Value) -> Value {
        if self.push.reached(a, b) { a } else { b }
    }

    /// The nearer of two values in the direction.
    pub(super) fn nearer(&self, a: Value, b: Value) -> Value {
        if self.push.reached(a, b) { b } else { a }
    }

    /// The farthest value to which any conspiracy can bring a node.
    pub(super) fn reach(&self, node: T::Node) -> Value {
        let kind = match self.tree.nature(node) {
            Nature::Leaf => return self.extreme(node),
            Nature::Terminal => return self.value(node),
            Nature::Interior(kind) => kind,
        };
        let children = self.tree.children(node).map(|(_, child)| self.reach(child));
        let reach = if self.push.is_or_node(kind) {
            children.reduce(|a, b| self.farther(a, b))
        } else {
            children.reduce(|a, b| self.nearer(a, b))
        };
        reach.unwrap_or_else(|| self.value(node))
    }

    /// Number of leaves that must change for a node to reach `target`; `None` if no number suffices.
    pub(super) fn count(&self, node: T::Node, target: Value) -> Option<u32> {
        self.count_by(node, target, |child| self.count(child, target))
    }

    /// Number of leaves that must change for a node to reach `target`, from the numbers of its children.
    pub(super) fn count_by(
        &self,
        node: T::Node,
        target: Value,
        of_child: impl Fn(T::Node) -> Option<u32>,
    ) -> Option<u32> {
        if self.push.reached(self.value(node), target) {
            return Some(0);
        }
        let kind = match self.tree.nature(node) {
            Nature::Leaf if self.push.reached(self.extreme(node), target) => return Some(1),
            Nature::Leaf | Nature::Terminal => return None,
            Nature::Interior(kind) => kind,
        };
        let children = self.tree.children(node);
        let mut counts = children.map(|(_, child)| of_child(child));
        if self.push.is_or_node(kind) {
            counts.flatten().min()
        } else {
            counts.try_fold(0_u32, |sum, count| Some(sum.saturating_add(count?)))
        }
    }

    /// The leftmost smallest set of leaves that bring the root to `target` by having that value; empty if none has at
    /// most `most` leaves.
    pub(super) fn smallest(&self, target: Value, most: u32) -> Vec<Conspirator<Vec<T::Move>>> {
        let set = self.set(self.tree.root(), target, most, &mut Vec::new());
        set.unwrap_or_default()
    }

    /// The leftmost smallest set of leaves that bring the node at the end of `line` to `target`; `None` if it has more
    /// than `most`. Abandons sets that cannot become smaller than the best known.
    fn set(
        &self,
        node: T::Node,
        target: Value,
        most: u32,
        line: &mut Vec<T::Move>,
    ) -> Option<Vec<Conspirator<Vec<T::Move>>>> {
        if self.push.reached(self.value(node), target) {
            return Some(Vec::new());
        }
        if most == 0 {
            return None;
        }
        let kind = match self.tree.nature(node) {
            Nature::Leaf if self.push.reached(self.extreme(node), target) => {
                return Some(vec![Conspirator {
                    line: line.clone(),
                    value: self.tree.value(node),
                }]);
            }
            Nature::Leaf | Nature::Terminal => return None,
            Nature::Interior(kind) => kind,
        };
        if self.push.is_or_node(kind) {
            let (mut best, mut most) = (None, most);
            for (m, child) in self.tree.children(node) {
                line.push(m);
                if let Some(set) = self.set(child, target, most, line) {
                    // Only a smaller set is of interest now.
                    most = set.len() as u32 - 1;
                    best = Some(set);
                }
                line.pop();
            }
            best
        } else {
            let mut all = Vec::new();
            for (m, child) in self.tree.children(node) {
                line.push(m);
                let set = self.set(child, target, most - all.len() as u32, line);
                line.pop();
                all.extend(set?);
            }
            Some(all)
        }
    }
}
