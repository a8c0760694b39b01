//! The interface of a tree that can be profiled.

use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree;
use crate::value::Value;

/// A tree grown by a search, or by hand.
pub trait GrownTree {
    /// A node, as cheap to copy as a number.
    type Node: Copy;
    /// A move from a node to a child.
    type Move: Copy;

    /// The root.
    fn root(&self) -> Self::Node;

    /// The node's minimax value, or static value, for the side to move at the root.
    fn value(&self, node: Self::Node) -> Value;

    /// Kind of a node, which says how its value may change.
    fn nature(&self, node: Self::Node) -> Nature;

    /// The children of an interior node, at least one.
    fn children(&self, node: Self::Node) -> impl Iterator<Item = (Self::Move, Self::Node)>;
}

/// Kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// A leaf: its static value may be wrong.
    Leaf,
    /// Its value is final.
    Terminal,
    /// A node whose value is its best child's, or its worst.
    Interior(Kind),
}

/// Explicit trees: moves are indices of children from 0, values centipawns.
impl<'t> GrownTree for &'t Tree {
    type Node = &'t Tree;
    type Move = usize;

    fn root(&self) -> &'t Tree {
        self
    }

    fn value(&self, node: &'t Tree) -> Value {
        Value::centipawns(node.value())
    }

    fn nature(&self, node: &'t Tree) -> Nature {
        match node {
            Tree::Leaf(_) => Nature::Leaf,
            Tree::Terminal(_) => Nature::Terminal,
            Tree::Interior(kind, _) => Nature::Interior(*kind),
        }
    }

    fn children(&self, node: &'t Tree) -> impl Iterator<Item = (usize, &'t Tree)> {
        let children = match node {
            Tree::Interior(_, children) => children.as_slice(),
            Tree::Leaf(_) | Tree::Terminal(_) => &[],
        };
        children.iter().enumerate()
    }
}
