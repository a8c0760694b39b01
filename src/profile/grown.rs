//! What a tree must tell about itself to be profiled.

use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree;
use crate::value::Value;

/// A tree that a search, or somebody else, has grown.
pub trait GrownTree {
    /// A node, as cheap to copy as a number.
    type Node: Copy;
    /// What leads from a node to a child.
    type Move: Copy;

    /// The root.
    fn root(&self) -> Self::Node;

    /// The node's minimax value, or static value, for the side to move at the root.
    fn value(&self, node: Self::Node) -> Value;

    /// What may become of the node's value.
    fn nature(&self, node: Self::Node) -> Nature;

    /// The children of an interior node, at least one.
    fn children(&self, node: Self::Node) -> impl Iterator<Item = (Self::Move, Self::Node)>;
}

/// What may become of a node's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// A leaf: its static value may be wrong.
    Leaf,
    /// Its value is final.
    Terminal,
    /// It is worth its best child, or its worst.
    Interior(Kind),
}

/// Explicit trees: moves are the numbers of children from 0, values centipawns.
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
