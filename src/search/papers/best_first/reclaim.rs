//! What happens when the memory is full.
//!
//! The search must go on within its memory, so part of the tree has to go. Given up are *children, not
//! results*: an interior node whose children are dropped keeps its backed-up value and its conspiracy
//! numbers and so goes on answering for the leaves it once had. Nothing changes anywhere else in
//! the tree, no value falls back and no threshold that has converged is undone. A node's numbers
//! take a tenth of the memory of its children. Should the search ever come to such a node to expand
//! something below it, the node itself is expanded anew, like a leaf.
//!
//! Whose children go is decided bottom up and by age: of the interior nodes with no interior children, the
//! half that descents have passed by longest ago, again and again until a third of the memory is
//! free. These are the nodes that cost least to build again, one expansion each, and the search has
//! moved away from them. The children of the root always stay, and before reclaiming the search visits
//! its principal variation so that this is never old.
//!
//! Then everything is slid together, so there is no fragmentation and no free list, and the chunks
//! that have become empty may serve either pool.

use super::pool::Block;
use super::tree::{Interior, NodeId, State, Tree};

/// The mark of an interior whose node is gone.
pub(super) const GONE: u32 = u32::MAX;
/// The root is the first node to be expanded.
pub(super) const ROOT_INTERIOR: u32 = 0;

impl<M: Copy, R: Copy> Tree<M, R> {
    /// Frees at least a third of the memory. All node ids but the root's become invalid.
    pub(super) fn reclaim(&mut self) {
        let goal = self.budget.limit() / 3 * 2;
        while self.live_bytes() > goal && self.give_up_old_frontier() {}
        self.compact();
    }

    /// Slides what is left together, and gives back what that frees.
    pub(super) fn compact(&mut self) {
        self.compact_nodes();
        self.compact_interiors();
        self.nodes.release(&mut self.budget, Self::NODE_CHUNK);
        self.interiors
            .release(&mut self.budget, Self::INTERIOR_CHUNK);
    }

    /// Drops the children of the older half of the interior nodes that have no interior children; `false`
    /// if there is none.
    fn give_up_old_frontier(&mut self) -> bool {
        let mut frontier = Vec::with_capacity(self.live_interiors);
        let with_children = |it: &(u32, &Interior<R>)| it.0 != ROOT_INTERIOR && it.1.children > 0;
        for (id, interior) in self.interiors.iter().filter(with_children) {
            let first = interior.first_child;
            let children = self.nodes.block(first, usize::from(interior.children));
            if children.iter().all(|child| self.children(child).is_empty()) {
                frontier.push((interior.visited, id));
            }
        }
        let older = frontier.len().div_ceil(2);
        if older < frontier.len() {
            frontier.select_nth_unstable(older);
        }
        for &(_, id) in &frontier[..older] {
            self.give_up_children(id);
        }
        older > 0
    }

    fn give_up_children(&mut self, id: u32) {
        let interior = *self.interiors.get(id);
        for child in 0..u32::from(interior.children) {
            let child = self.nodes.get(interior.first_child + child);
            if child.state == State::Interior {
                self.interiors.get_mut(child.interior).give_up();
                self.live_interiors -= 1;
            }
        }
        self.live_nodes -= usize::from(interior.children);
        self.interiors.get_mut(id).children = 0;
    }

    /// Slides the children of all interior nodes together.
    fn compact_nodes(&mut self) {
        let root = Block {
            first: NodeId::ROOT.0,
            len: 1,
            owner: GONE,
        };
        let mut blocks = Vec::with_capacity(self.live_interiors + 1);
        blocks.push(root);
        for (owner, interior) in self.interiors.iter() {
            if interior.children > 0 {
                blocks.push(Block {
                    first: interior.first_child,
                    len: u32::from(interior.children),
                    owner,
                });
            }
        }
        blocks.sort_unstable();
        self.nodes.compact(&mut blocks);
        for block in &blocks[1..] {
            self.interiors.get_mut(block.owner).first_child = block.first;
        }
    }

    /// Moves the interiors with high numbers into the gaps below.
    fn compact_interiors(&mut self) {
        let live = self.live_interiors as u32;
        let is_gap = |it: &(u32, &Interior<R>)| it.0 < live && it.1.visited == GONE;
        let gaps: Vec<u32> = {
            let mut gaps = Vec::with_capacity(self.live_interiors);
            gaps.extend(self.interiors.iter().filter(is_gap).map(|(id, _)| id));
            gaps
        };
        let mut gaps = gaps.into_iter();
        for node in self.nodes.iter_mut() {
            if node.state == State::Interior
                && node.interior >= live
                && let Some(gap) = gaps.next()
            {
                *self.interiors.get_mut(gap) = *self.interiors.get(node.interior);
                node.interior = gap;
            }
        }
        self.interiors.truncate(self.live_interiors);
    }
}
