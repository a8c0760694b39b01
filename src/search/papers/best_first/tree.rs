//! The tree of a best-first search: values on a grid, in an arena of small nodes.

use std::ops::{Deref, DerefMut};

use crate::conspiracy::{Grid, Kind};
pub(super) use crate::search::kit::arena::NodeId;
use crate::search::kit::arena::{self, Arena, Moved};
use crate::value::Value;

/// What may still become of a node's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// A leaf with its exact static value.
    Exact,
    /// A leaf whose static value is known to be at most the value, for the side to move there.
    AtMost,
    /// A leaf whose static value is known to be at least the value, for the side to move there.
    AtLeast,
    /// Final: the game is over or proven there.
    Terminal,
    /// Final for this search, with its exact static value: the depth limit forbids to look further.
    AtLimit,
    /// Expanded at least once; its children may have been given up since.
    Interior,
}

/// The data of a node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// Minimax value for the side to move here.
    pub(super) value: Value,
    /// Place of the value on the grid, seen from the root's side.
    pub(super) index: u8,
    /// What may become of it.
    pub(super) state: State,
}

/// A node: the root or some node's child.
pub(super) type Node<M> = arena::Node<M, Worth>;

const _: () = assert!(size_of::<Node<u32>>() == 12);

impl Worth {
    /// Whether the node has never been expanded and may be.
    pub(super) fn is_leaf(&self) -> bool {
        !self.is_final() && self.state != State::Interior
    }

    /// Whether the node may not be expanded, so that its value stays.
    #[inline]
    pub(super) fn is_final(&self) -> bool {
        matches!(self.state, State::Terminal | State::AtLimit)
    }
}

/// A node without children. `index` must be the grid's for `value`.
pub(super) fn node<M>(m: M, value: Value, index: u8, state: State) -> Node<M> {
    let worth = Worth {
        value,
        index,
        state,
    };
    Node::new(m, worth)
}

/// A game tree whose values have places on a grid.
#[derive(Debug)]
pub(super) struct Tree<M> {
    arena: Arena<M, Worth>,
    grid: Grid,
    pub(super) account: Account,
}

/// What those who go on with a tree must know of it and of what has been done to its leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Account {
    /// Ply of the deepest node there has been.
    pub(super) height: u32,
    /// Positions of the game before the one at which the tree was planted.
    pub(super) past: usize,
    /// No leaf has been clipped at a Vmax + 1 below this...
    pub(super) clipped_above: u8,
    /// ...nor at a Vmin above this.
    pub(super) clipped_below: u8,
    /// Whether the depth limit has made one final.
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
    /// An empty tree that takes at most `bytes` of memory, those of the `record` beside each interior node included.
    pub(super) fn new(bytes: usize, record: usize) -> Tree<M> {
        Tree {
            arena: Arena::new(bytes, record),
            grid: Grid::tactical(),
            account: Account::NEW,
        }
    }

    /// Starts a new tree on `grid` that consists of `root`.
    pub(super) fn plant(&mut self, grid: Grid, root: Node<M>) {
        self.arena.plant(root);
        self.grid = grid;
        self.account = Account::NEW;
    }

    /// The grid that indices refer to.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The place on the grid of a value for the side to move at a node of `kind`.
    pub(super) fn index(&self, kind: Kind, value: Value) -> u8 {
        self.grid.index(match kind {
            Kind::Max => value,
            Kind::Min => -value,
        })
    }

    /// Gives an interior node its value; says whether it is new.
    pub(super) fn set_value(&mut self, id: NodeId, kind: Kind, value: Value) -> bool {
        let index = self.index(kind, value);
        let node = self.node_mut(id);
        let changed = node.value != value;
        (node.value, node.index) = (value, index);
        changed
    }

    /// Gives a leaf another static value, or makes it a terminal.
    pub(super) fn revalue(&mut self, id: NodeId, kind: Kind, value: Value, state: State) {
        let index = self.index(kind, value);
        let worth = Worth {
            value,
            index,
            state,
        };
        self.node_mut(id).data = worth;
    }

    /// Gives a leaf, or a node whose children were given up, its children; says where its numbers stand, `None` if the
    /// children do not fit. Its value is not brought up to date.
    pub(super) fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> Option<u32> {
        let record = self.arena.expand(id, children)?;
        self.node_mut(id).state = State::Interior;
        Some(record)
    }

    /// Makes a node with children the root; says too whether what was final has become a leaf.
    pub(super) fn make_root(&mut self, id: NodeId) -> (Moved, bool) {
        let (moved, height) = self.arena.make_root(id);
        self.account.height = height;
        let has_new_leaves = std::mem::take(&mut self.account.at_limit);
        if has_new_leaves {
            for node in self.nodes_mut().filter(|it| it.state == State::AtLimit) {
                node.state = State::Exact;
            }
        }
        (moved, has_new_leaves)
    }
}
