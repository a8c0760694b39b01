//! A tree together with its numbers, for a search that does not care how they are kept, and what is kept of both from
//! one search to the next.
//!
//! A search is compiled once and not once for each storage. A call by reference costs little beside the evaluation of
//! the leaves; what visits many nodes for one answer ([`Storage::update`], [`Storage::choose`]) is behind a single call.
//!
//! A game goes on by a move of either side, and the position that is to be searched then stands in the
//! tree of the search before. The branch below it is kept, with its values and numbers, which are of what
//! lies below them; the rest is given up. (The thesis plants every tree anew, as each of its positions is
//! searched but once.) What has been found on the way to a leaf stays true, since that way is the same
//! seen from the new root: positions of the game since the tree was planted come again as if they stood in it.
//!
//! Leaves at the depth limit are nearer to the root now and may be expanded. Whose turn it is at the root
//! must not change, as values are placed on the grid as the root's side sees them.

use std::ops::{Deref, DerefMut};

use super::branch::{BranchRule, Choice};
use super::numbers::{Goal, Storage};
use super::settings::Settings;
use super::tree::{Node, NodeId, Tree};
use crate::conspiracy::{Count, Grid, Kind, LikelyRange};
use crate::game::{Game, Moves, Root};

/// A tree with its numbers; it stands for the tree.
pub(super) struct Numbered<M> {
    tree: Tree<M>,
    numbers: Box<dyn Storage<M> + Send>,
}

impl<M> Deref for Numbered<M> {
    type Target = Tree<M>;

    fn deref(&self) -> &Tree<M> {
        &self.tree
    }
}

impl<M> DerefMut for Numbered<M> {
    fn deref_mut(&mut self) -> &mut Tree<M> {
        &mut self.tree
    }
}

impl<M: Copy> Numbered<M> {
    /// An empty tree that takes at most `bytes` of memory, or a few chunks if that is less.
    pub(super) fn new(settings: &Settings, bytes: usize) -> Numbered<M> {
        let numbers = settings.storage.storage(settings.grid.len());
        Numbered {
            tree: Tree::new(bytes, numbers.record_bytes()),
            numbers,
        }
    }

    /// Starts a new tree on `grid` that consists of `root`.
    pub(super) fn plant(&mut self, grid: Grid, root: Node<M>) {
        self.numbers.plant();
        self.tree.plant(grid, root);
    }

    /// Goes on with the tree from a node with children, for another search.
    pub(super) fn go_on(&mut self, id: NodeId) {
        let has_new_leaves = id != NodeId::ROOT && {
            let (moved, has_new_leaves) = self.tree.make_root(id);
            self.numbers.go_along(&moved);
            has_new_leaves
        };
        self.numbers.takes_over(&self.tree, has_new_leaves);
    }

    /// Gives a node its children; `false` if they do not fit.
    pub(super) fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> bool {
        let place = self.tree.expand(id, children);
        if let Some(place) = place {
            self.numbers.expanded(place);
        }
        place.is_some()
    }

    /// Frees memory. All ids but the root's become invalid.
    pub(super) fn reclaim(&mut self) {
        let moved = self.tree.reclaim();
        self.numbers.go_along(&moved);
        self.numbers.reclaimed(&self.tree);
    }

    /// Brings values and numbers up to date along `path`; says whether the root's may have changed.
    pub(super) fn update(&mut self, path: &[NodeId]) -> bool {
        self.numbers.update(&mut self.tree, path)
    }

    /// The number of a relevant node for a goal.
    pub(super) fn count(&self, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        self.numbers.count(&self.tree, node, kind, goal)
    }

    /// The child that a descent to a goal goes to from a relevant node with children, by a rule with so many rounds.
    pub(super) fn choose(
        &self,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
        rule: BranchRule,
        rounds: u8,
    ) -> Choice {
        self.numbers
            .choose(&self.tree, node, kind, goal, (rule, rounds))
    }

    /// The root's likely range at a threshold.
    pub(super) fn likely_range(&mut self, threshold: Count) -> LikelyRange {
        self.numbers.likely_range(&self.tree, threshold)
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
