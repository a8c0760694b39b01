//! The tree of a best-first search: values on a grid, in an arena of small nodes.

use std::ops::{Deref, DerefMut};

use crate::conspiracy::{Grid, Kind};
pub(super) use crate::search::kit::arena::NodeId;
use crate::search::kit::arena::{self, Arena, Moved};
use crate::value::Value;

/// State of a node: how its value may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeState {
    /// A leaf with its exact static value.
    Exact,
    /// A leaf whose static value is known to be at most the value, for the side to move there.
    AtMost,
    /// A leaf whose static value is known to be at least the value, for the side to move there.
    AtLeast,
    /// Final: the game is over there, or its result proven.
    Terminal,
    /// Final for this search, with its exact static value: the depth limit forbids to expand it.
    AtLimit,
    /// Expanded at least once; its children may have been dropped since.
    Interior,
}

/// The data of a node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// Minimax value for the side to move here.
    pub(super) value: Value,
    /// Index of the value on the grid, for the root's side.
    pub(super) index: u8,
    /// How the value may change.
    pub(super) state: NodeState,
}

/// A node: a move and its worth.
pub(super) type Node<M> = arena::Node<M, Worth>;

const _: () = assert!(size_of::<Node<u32>>() == 12);

impl Worth {
    /// Whether the node can be expanded for the first time.
    pub(super) fn is_leaf(&self) -> bool {
        !self.is_final() && self.state != NodeState::Interior
    }

    /// Whether the node must not be expanded, so that its value stays.
    #[inline]
    pub(super) fn is_final(&self) -> bool {
        matches!(self.state, NodeState::Terminal | NodeState::AtLimit)
    }
}

/// A game tree whose values have indices on a grid.
#[derive(Debug)]
pub(super) struct Tree<M> {
    arena: Arena<M, Worth>,
    grid: Grid,
    pub(super) account: Account,
}

/// Facts about a tree and its leaves that a search reusing it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Account {
    /// Ply of the deepest node so far.
    pub(super) height: u32,
    /// Number of the game's positions before the root at which the tree was planted.
    pub(super) past: usize,
    /// Smallest Vmax + 1 at which leaves have been clipped; `u8::MAX` if none have.
    pub(super) clipped_above: u8,
    /// Largest Vmin at which leaves have been clipped; 0 if none have.
    pub(super) clipped_below: u8,
    /// Whether the depth limit has made a leaf final.
    pub(super) at_limit: bool,
}

impl Account {
    const NEW: Account = Account {
        height: 0,
        past: 0,
        clipped_above: u8::MAX,
        clipped_below: 0,
        at_limit: false,
    };
}

impl<M> Deref for Tree<M> {
    type Target = Arena<M, Worth>;

    #[inline]
    fn deref(&self) -> &Arena<M, Worth> {
        &self.arena
    }
}

impl<M> DerefMut for Tree<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Arena<M, Worth> {
        &mut self.arena
    }
}

impl<M: Copy> Tree<M> {
    /// An empty tree on `grid`, of at most `bytes` of memory, including `record` bytes beside each interior node.
    pub(super) fn new(bytes: usize, record: usize, grid: Grid) -> Tree<M> {
        Tree {
            arena: Arena::new(bytes, record),
            grid,
            account: Account::NEW,
        }
    }

    /// Starts a new tree that consists of a root with this static value; `placeholder` stands for its move.
    pub(super) fn plant(&mut self, placeholder: M, value: Value) {
        let root = self.leaf(placeholder, Kind::Max, value, NodeState::Exact);
        self.arena.plant(root);
        self.account = Account::NEW;
    }

    /// The grid of the indices.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The grid index of a value for the side to move at a node of `kind`.
    pub(super) fn index(&self, kind: Kind, value: Value) -> u8 {
        self.grid.index(match kind {
            Kind::Max => value,
            Kind::Min => -value,
        })
    }

    fn worth(&self, kind: Kind, value: Value, state: NodeState) -> Worth {
        Worth {
            value,
            index: self.index(kind, value),
            state,
        }
    }

    /// A node of `kind` without children.
    pub(super) fn leaf(&self, m: M, kind: Kind, value: Value, state: NodeState) -> Node<M> {
        Node::new(m, self.worth(kind, value, state))
    }

    /// Sets the value of an interior node; returns whether it changed.
    pub(super) fn set_value(&mut self, id: NodeId, kind: Kind, value: Value) -> bool {
        let index = self.index(kind, value);
        let node = self.node_mut(id);
        let changed = node.value != value;
        (node.value, node.index) = (value, index);
        changed
    }

    /// Gives a leaf another static value, or makes it terminal.
    pub(super) fn revalue(&mut self, id: NodeId, kind: Kind, value: Value, state: NodeState) {
        self.node_mut(id).data = self.worth(kind, value, state);
    }

    /// Expands a node without children and returns the index of its record; `None` if the children do not fit. The
    /// node's value is not updated.
    pub(super) fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> Option<u32> {
        let record = self.arena.expand(id, children)?;
        self.node_mut(id).state = NodeState::Interior;
        Some(record)
    }

    /// Makes a node with children the root, and drops all outside its subtree while the search `goes_on`; also returns
    /// whether final nodes have become leaves.
    pub(super) fn make_root(
        &mut self,
        id: NodeId,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> (Moved, bool) {
        let (moved, height) = self.arena.make_root(id, goes_on);
        self.account.height = height.unwrap_or(self.account.height);
        let has_new_leaves = std::mem::take(&mut self.account.at_limit);
        if has_new_leaves {
            for node in self.nodes_mut().filter(|it| it.state == NodeState::AtLimit) {
                node.state = NodeState::Exact;
            }
        }
        (moved, has_new_leaves)
    }
}
