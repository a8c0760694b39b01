//! Copies of trees, kept after the search.

use super::count::Conspiracies;
use super::grown::{GrownTree, Nature};
use crate::conspiracy::{Kind, Push};
use crate::value::Value;

/// A tree in breadth-first order: the root comes first, the children of a node are adjacent and come after it. `K`
/// is the type of a node's data.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot<M, K> {
    nodes: Vec<SnapshotNode<M, K>>,
}

/// A node of a [`Snapshot`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SnapshotNode<M, K> {
    /// Move to the node; `None` at the root.
    pub m: Option<M>,
    /// Plies from the root.
    pub ply: u32,
    /// Index of the first child.
    pub first_child: usize,
    /// Number of children.
    pub children: usize,
    /// Data of the node.
    pub known: K,
}

/// Data of a node of conspiracy-number search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// Minimax value, or static value, for the side to move at the root.
    pub value: Value,
    /// Kind of the node, which says how its value may change.
    pub nature: Nature,
    /// Child that a round robin takes next, modulo the number of children; 0 at a leaf.
    pub turn: u16,
}

impl<M, K> Snapshot<M, K> {
    /// Copies a tree: `look` returns a node's data and its children with the moves to them.
    pub fn of<N>(root: N, mut look: impl FnMut(&N) -> (K, Vec<(M, N)>)) -> Snapshot<M, K> {
        let mut nodes = Vec::new();
        let mut level = vec![(None, root)];
        let mut ply = 0;
        while !level.is_empty() {
            let mut next = Vec::new();
            let below = nodes.len() + level.len();
            for (m, node) in level {
                let (known, children) = look(&node);
                nodes.push(SnapshotNode {
                    m,
                    ply,
                    first_child: below + next.len(),
                    children: children.len(),
                    known,
                });
                next.extend(children.into_iter().map(|(m, child)| (Some(m), child)));
            }
            (level, ply) = (next, ply + 1);
        }
        Snapshot { nodes }
    }

    /// All nodes, at least the root.
    pub fn nodes(&self) -> &[SnapshotNode<M, K>] {
        &self.nodes
    }

    /// Indices of a node's children.
    pub fn children_of(&self, node: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[node];
        node.first_child..node.first_child + node.children
    }

    /// For each node the number of nodes below it, itself included.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![1; self.nodes.len()];
        // Children come after their parents.
        for node in (0..sizes.len()).rev() {
            sizes[node] += sizes[self.children_of(node)].iter().sum::<usize>();
        }
        sizes
    }

    /// Leaves of the leftmost smallest conspiracy below a node, by each node's count and whether it is an OR node.
    pub fn conspiracy(
        &self,
        node: usize,
        counts: &[Option<u32>],
        is_or_node: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(1..) = counts[node] else { continue };
            let children = self.children_of(node);
            if children.is_empty() {
                found.push(node);
            } else if is_or_node(node) {
                let reachable = children.filter(|&child| counts[child].is_some());
                open.extend(reachable.min_by_key(|&child| counts[child]));
            } else {
                // Last in, first out: the leftmost child is next.
                open.extend(children.rev());
            }
        }
        found
    }
}

impl<M: Copy> Snapshot<M, Judged> {
    /// For each node the number of leaves below it that must change for it to reach `target`; `None` if no number
    /// suffices. Proven wins count as one value, and so do losses.
    pub fn counts(&self, push: Push, target: Value) -> Vec<Option<u32>> {
        let conspiracies = Conspiracies {
            tree: self,
            push,
            error: None,
        };
        let mut counts = vec![None; self.nodes.len()];
        // Children come after their parents.
        for number in (0..self.nodes.len()).rev() {
            counts[number] = conspiracies.count_by(number, target, |child| counts[child]);
        }
        counts
    }

    /// Leaves of the leftmost smallest conspiracy for a target of a node, by the tree's [`counts`](Snapshot::counts);
    /// empty if the node has reached it already, or cannot.
    pub fn conspirators(&self, node: usize, push: Push, counts: &[Option<u32>]) -> Vec<usize> {
        self.conspiracy(node, counts, |node| match self.nodes[node].known.nature {
            Nature::Interior(kind) => push.is_or_node(kind),
            Nature::Leaf | Nature::Terminal => true,
        })
    }

    /// Recomputes the values of interior nodes from their leaves.
    pub fn judge_again(&mut self) {
        // Children come after their parents.
        for number in (0..self.nodes.len()).rev() {
            if let Nature::Interior(kind) = self.nodes[number].known.nature {
                let children = &self.nodes[self.children_of(number)];
                let values = children.iter().map(|child| child.known.value);
                if let Some(value) = values.reduce(|a, b| kind.better(a, b)) {
                    self.nodes[number].known.value = value;
                }
            }
        }
    }
}

impl<M: Copy> GrownTree for Snapshot<M, Judged> {
    type Node = usize;
    type Move = M;

    fn root(&self) -> usize {
        0
    }

    fn value(&self, node: usize) -> Value {
        self.nodes[node].known.value
    }

    fn nature(&self, node: usize) -> Nature {
        self.nodes[node].known.nature
    }

    fn children(&self, node: usize) -> impl Iterator<Item = (M, usize)> {
        let children = self.children_of(node);
        children.filter_map(|child| Some((self.nodes[child].m?, child)))
    }
}

impl<M, K> SnapshotNode<M, K> {
    /// Kind of the node by its side to move: MAX is the root's side.
    pub fn kind(&self) -> Kind {
        Kind::at_ply(self.ply as usize)
    }
}
