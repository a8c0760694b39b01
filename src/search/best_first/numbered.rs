//! A tree together with its numbers, in any storage, and the reuse of both by the next search.
//!
//! The storage is called dynamically, so that a search is compiled once and not for each storage. That costs little
//! beside the evaluation of leaves; [`Storage::update`] and [`Storage::choose`], which visit many nodes, are one call.
//!
//! After a move by each side the new root stands in the tree of the last search. Its subtree is kept with values and
//! numbers, which depend only on what lies below; the rest is dropped. (The thesis plants every tree anew, as each of
//! its positions is searched but once.) Draws by repetition remain valid, since the path to a leaf is the same from the
//! new root: positions of the game since the tree was planted count as if they still stood in the tree.
//!
//! Leaves at the depth limit are nearer to the root now and may be expanded. The side to move at the root must stay the
//! same, as grid indices are for the root's side.

use std::ops::{Deref, DerefMut};

use super::branch::Choice;
use super::numbers::{Goal, Storage};
use super::settings::Settings;
use super::tree::{Node, NodeId, Tree};
use crate::conspiracy::{Count, Kind, LikelyRange, Push};
use crate::game::{Game, Moves, Root};

/// A tree with its numbers; dereferences to the tree.
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
    /// An empty tree of at most `bytes` of memory, or of a few chunks if `bytes` is less.
    pub(super) fn new(settings: &Settings, bytes: usize) -> Numbered<M> {
        let numbers = settings.storage.storage(settings.grid.len());
        Numbered {
            tree: Tree::new(bytes, numbers.record_bytes(), settings.grid),
            numbers,
        }
    }

    /// Makes a node with children the root for the next search, and drops all outside its subtree while that `goes_on`.
    pub(super) fn go_on(&mut self, id: NodeId, goes_on: &mut dyn FnMut() -> bool) {
        if id != NodeId::ROOT {
            let (moved, has_new_leaves) = self.tree.make_root(id, goes_on);
            self.numbers.go_along(&self.tree, &moved, has_new_leaves);
        }
    }

    /// Expands a node; `false` if the children do not fit.
    pub(super) fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> bool {
        let place = self.tree.expand(id, children);
        if let Some(place) = place {
            self.numbers.expanded(place);
        }
        place.is_some()
    }

    /// Frees memory by dropping children, while the search `goes_on`. All ids but the root's become invalid.
    pub(super) fn reclaim(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        let moved = self.tree.reclaim(goes_on);
        self.numbers.go_along(&self.tree, &moved, false);
    }

    /// Updates values and numbers along `path`; returns whether the root's may have changed.
    pub(super) fn update(&mut self, path: &[NodeId]) -> bool {
        self.numbers.update(&mut self.tree, path)
    }

    /// The conspiracy number of a node for a goal to which it is relevant (see [`Storage`]).
    pub(super) fn count(&self, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        self.numbers.count(&self.tree, node, kind, goal)
    }

    /// The child of a relevant node to which a descent for a goal goes, by the branch rule of the settings.
    pub(super) fn choose(
        &self,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
        settings: &Settings,
    ) -> Choice {
        self.numbers.choose(&self.tree, node, kind, goal, settings)
    }

    /// The root's likely range at a threshold. It rarely moves, so it is searched from the `last` one (thesis, section
    /// 3.1.3).
    pub(super) fn likely_range(&mut self, threshold: Count, last: LikelyRange) -> LikelyRange {
        LikelyRange {
            min: self.likely_end(Push::Lower, last.min, threshold),
            max: self.likely_end(Push::Raise, last.max, threshold),
        }
    }

    /// The end of the likely range in the direction of `push`, searched from `from`.
    fn likely_end(&mut self, push: Push, from: u8, threshold: Count) -> u8 {
        let (own, len) = (self.tree.root().index, self.tree.grid().len());
        let mut is_likely = |target: u8| {
            let (tree, goal) = (&self.tree, Goal { push, target });
            self.numbers.prepare(tree, goal);
            self.numbers.count(tree, tree.root(), Kind::Max, goal) < threshold
        };
        // The root's own value is likely, and so is every value between it and a likely one.
        let start = if push.reached(from, own) { from } else { own };
        let mut end = start;
        while end != own && !is_likely(end) {
            end = push.nearer(end);
        }
        if end == start {
            while let Some(next) = push.farther(end, len).filter(|&next| is_likely(next)) {
                end = next;
            }
        }
        end
    }

    /// The node of `root` in this tree, which was planted at `planted`, if the next search can start there: the node
    /// must have been expanded with exactly `moves`.
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
        // The key does not tell the distance to a draw by rule.
        let is_as_near = position.plies_to_rule_draw() == root.position.plies_to_rule_draw()
            && position.reversible_plies() == root.position.reversible_plies();
        let children = self.children(self.node(id));
        let has_its_children =
            children.len() == moves.len() && children.iter().all(|it| moves.contains(&it.m));
        (is_as_near && has_its_children).then_some(id)
    }
}
