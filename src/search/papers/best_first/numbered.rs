//! A tree together with its numbers, for a search that does not care how they are kept.
//!
//! A search goes by [`dyn Numbered`](Numbered), so that it is compiled once and not once for each storage.
//! A call by reference costs little beside the evaluation of the leaves; what visits many nodes for one
//! answer ([`Numbered::update`], [`Numbered::choose`]) is behind a single call.

use super::branch::{BranchRule, Choice, Fork};
use super::likelihood::Estimate;
use super::numbers::{Goal, Storage};
use super::tree::{Account, Node, NodeId, State, Tree};
use crate::conspiracy::{Count, Grid, Kind, LikelyRange};
use crate::game::{Game, Moves, Root};
use crate::value::Value;

/// A tree with its numbers, as a search sees it. What [`Tree`] and [`Storage`] have under the same name says more.
pub(super) trait Numbered<M> {
    /// Starts a new tree on `grid` that consists of `root`.
    fn plant(&mut self, grid: Grid, root: Node<M>);

    /// Goes on with the tree from a node with children, for another search.
    fn go_on(&mut self, id: NodeId);

    /// The grid that indices refer to.
    fn grid(&self) -> &Grid;

    /// What must be known of the searches on this tree.
    fn account(&self) -> &Account;

    /// The same, to be changed.
    fn account_mut(&mut self) -> &mut Account;

    /// Nodes in the tree.
    fn len(&self) -> usize;

    /// Fullness of the memory in permille.
    fn fullness(&self) -> u32;

    /// Bytes that the tree takes of its memory.
    fn live_bytes(&self) -> usize;

    /// Bytes of the nodes and interiors in use.
    fn record_bytes(&self) -> usize;

    /// A node by its id.
    fn node(&self, id: NodeId) -> &Node<M>;

    /// The children of a node, none for leaves.
    fn children(&self, node: &Node<M>) -> &[Node<M>];

    /// The id of a node's child by its number.
    fn child(&self, node: &Node<M>, number: usize) -> NodeId;

    /// Where a round robin among the children goes on.
    fn next_child(&self, node: &Node<M>) -> u16;

    /// Notes that a descent passes a node, and where its next round robin goes on.
    fn visit(&mut self, id: NodeId, next: u16);

    /// Gives a leaf another static value, or makes it a terminal.
    fn revalue(&mut self, id: NodeId, kind: Kind, value: Value, state: State);

    /// Gives a node its children; `false` if they do not fit.
    fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> bool;

    /// Whether one more expansion fits whatever its size.
    fn has_room(&self) -> bool;

    /// Frees memory. All ids but the root's become invalid.
    fn reclaim(&mut self);

    /// Brings values and numbers up to date along `path`; says whether the root's may have changed.
    fn update(&mut self, path: &[NodeId]) -> bool;

    /// The number of a relevant node for a goal.
    fn count(&self, node: &Node<M>, kind: Kind, goal: Goal) -> Count;

    /// The child that a descent to a goal goes to from a relevant node with children, by a rule with so many rounds.
    fn choose(
        &self,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
        rule: BranchRule,
        rounds: u8,
    ) -> Choice;

    /// The root's likely range at a threshold.
    fn likely_range(&mut self, threshold: Count) -> LikelyRange;
}

impl<'t, M: Copy> dyn Numbered<M> + 't {
    /// The root.
    pub(super) fn root(&self) -> &Node<M> {
        self.node(NodeId::ROOT)
    }

    /// The place on the grid of a value for the side to move at a node of `kind`.
    pub(super) fn index(&self, kind: Kind, value: Value) -> u8 {
        self.grid().index(match kind {
            Kind::Max => value,
            Kind::Min => -value,
        })
    }

    /// The node of `root` in this tree, planted at `planted`, if the tree may be gone on with from there:
    /// it has been expanded by just these `moves`.
    pub(super) fn find<G: Game<Move = M>>(
        &self,
        planted: &Root<G>,
        root: &Root<G>,
        moves: &Moves<M>,
    ) -> Option<NodeId>
    where
        M: PartialEq,
    {
        let since = root.history.strip_prefix(planted.history.as_slice())?;
        if since.len() % 2 == 1 {
            return None;
        }
        let mut keys = since.iter().copied().chain([root.position.key()]);
        let mut position = planted.position.clone();
        if keys.next() != Some(position.key()) {
            return None;
        }
        let mut id = NodeId::ROOT;
        for key in keys {
            let node = self.node(id);
            let children = self.children(node).iter();
            let after = children.map(|child| position.after(child.m));
            let (number, child) = after.enumerate().find(|(_, child)| child.key() == key)?;
            (id, position) = (self.child(node, number), child);
        }
        // The key does not tell how near a draw by rule is.
        let is_as_near = position.plies_to_rule_draw() == root.position.plies_to_rule_draw()
            && position.reversible_plies() == root.position.reversible_plies();
        let children = self.children(self.node(id));
        let has_its_children =
            children.len() == moves.len() && children.iter().all(|it| moves.contains(&it.m));
        (is_as_near && has_its_children).then_some(id)
    }
}

/// A tree with its numbers kept in `S`'s way.
pub(super) struct TreeOf<M, S: Storage> {
    pub(super) tree: Tree<M, S::Record>,
    storage: S,
}

impl<M: Copy, S: Storage> TreeOf<M, S> {
    /// An empty tree that takes at most `bytes` of memory, or a few chunks if that is less.
    pub(super) fn new(bytes: usize) -> TreeOf<M, S> {
        TreeOf {
            tree: Tree::new(bytes),
            storage: S::default(),
        }
    }
}

impl<M: Copy, S: Storage> Numbered<M> for TreeOf<M, S> {
    fn plant(&mut self, grid: Grid, root: Node<M>) {
        self.storage = S::default();
        self.tree.plant(grid, root);
    }

    fn go_on(&mut self, id: NodeId) {
        self.storage = S::default();
        let has_new_leaves = self.tree.make_root(id);
        self.storage.takes_over(&mut self.tree, has_new_leaves);
    }

    fn grid(&self) -> &Grid {
        self.tree.grid()
    }

    fn account(&self) -> &Account {
        &self.tree.account
    }

    fn account_mut(&mut self) -> &mut Account {
        &mut self.tree.account
    }

    fn len(&self) -> usize {
        self.tree.len()
    }

    fn fullness(&self) -> u32 {
        self.tree.fullness()
    }

    fn live_bytes(&self) -> usize {
        self.tree.live_bytes()
    }

    fn record_bytes(&self) -> usize {
        self.tree.record_bytes()
    }

    fn node(&self, id: NodeId) -> &Node<M> {
        self.tree.node(id)
    }

    fn children(&self, node: &Node<M>) -> &[Node<M>] {
        self.tree.children(node)
    }

    fn child(&self, node: &Node<M>, number: usize) -> NodeId {
        self.tree.child(node, number)
    }

    fn next_child(&self, node: &Node<M>) -> u16 {
        self.tree.next_child(node)
    }

    fn visit(&mut self, id: NodeId, next: u16) {
        self.tree.visit(id, next);
    }

    fn revalue(&mut self, id: NodeId, kind: Kind, value: Value, state: State) {
        self.tree.revalue(id, kind, value, state);
    }

    fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> bool {
        self.tree.expand(id, children, S::EMPTY)
    }

    fn has_room(&self) -> bool {
        self.tree.has_room()
    }

    fn reclaim(&mut self) {
        self.tree.reclaim();
        self.storage.reclaimed(&mut self.tree);
    }

    fn update(&mut self, path: &[NodeId]) -> bool {
        self.storage.update(&mut self.tree, path)
    }

    fn count(&self, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        self.storage.count(&self.tree, node, kind, goal)
    }

    fn choose(
        &self,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
        rule: BranchRule,
        rounds: u8,
    ) -> Choice {
        let children = self.tree.children(node);
        let fork = Fork {
            children: children.len(),
            is_or_node: goal.push.is_or_node(kind),
            count: self.count(node, kind, goal),
            next: self.tree.next_child(node),
            rounds,
        };
        let of_child = |number: usize| self.count(&children[number], kind.other(), goal);
        let likelihood = |number: usize| {
            let of = |it: Estimate| {
                let child = &children[number];
                it.of(&self.tree, &self.storage, child, kind.other(), goal)
            };
            rule.estimate().map_or(0, of)
        };
        rule.choose(fork, of_child, likelihood)
    }

    fn likely_range(&mut self, threshold: Count) -> LikelyRange {
        self.storage.likely_range(&mut self.tree, threshold)
    }
}
