//! Farthest values to which one conspirator can bring a node, to which two can, and so on.

use super::count::Conspiracies;
use super::grown::{GrownTree, Nature};
use crate::value::Value;

impl<T: GrownTree> Conspiracies<'_, T> {
    /// For each number of conspirators from 0 to `most`, the farthest value to which they can bring a node: the inverse
    /// of [`Conspiracies::count`], for all numbers in one walk.
    ///
    /// At an OR node all conspirators work on one child. At an AND node the child farthest behind decides, so each
    /// further conspirator goes there.
    pub(super) fn ladder(&self, node: T::Node, most: usize) -> Vec<Value> {
        let own = self.value(node);
        let mut ladder = vec![own; most + 1];
        match self.tree.nature(node) {
            Nature::Terminal => {}
            Nature::Leaf => ladder[1..].fill(self.extreme(node)),
            Nature::Interior(kind) if self.push.is_or_node(kind) => {
                for (_, child) in self.tree.children(node) {
                    let of_child = self.ladder(child, most);
                    for (value, &of_child) in ladder.iter_mut().zip(&of_child) {
                        *value = self.farther(*value, of_child);
                    }
                }
            }
            Nature::Interior(_) => {
                let children = self.tree.children(node);
                let ladders: Vec<Vec<Value>> = children
                    .map(|(_, child)| self.ladder(child, most))
                    .collect();
                self.share_out(&ladders, &mut ladder);
            }
        }
        ladder
    }

    /// The ladder of an AND node from those of its children.
    fn share_out(&self, children: &[Vec<Value>], ladder: &mut [Value]) {
        let mut given = vec![0; children.len()];
        let worst = |given: &[usize]| {
            (0..children.len()).reduce(|a, b| {
                let [of_a, of_b] = [a, b].map(|child| children[child][given[child]]);
                if self.push.reached(of_b, of_a) { a } else { b }
            })
        };
        for value in &mut ladder[1..] {
            let Some(child) = worst(&given) else { return };
            // One conspirator more may not move this child. Then it stays the worst, and gets the further ones, too.
            given[child] += 1;
            if let Some(child) = worst(&given) {
                *value = children[child][given[child]];
            }
        }
    }
}
