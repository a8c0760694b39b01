//! Reclaims memory when it is full, and when another node becomes the root.
//!
//! To go on within its memory, a search gives up *children, not results*: an interior node whose children are dropped
//! keeps its result and its records, and so answers for the leaves it once had. Nothing changes anywhere else in the
//! tree. A node's records take a tenth of the memory of its children. Should a descent ever reach such a node to expand
//! something below it, the node itself is expanded anew, like a leaf.
//!
//! Children are dropped bottom up and by age: of the interior nodes with no interior children, the half that descents
//! have visited longest ago, again and again until a third of the memory is free. These cost least to rebuild, one
//! expansion each, and the search has moved away from them. The children of the root always stay.
//!
//! Then everything is slid together, so there is no fragmentation and no free list, and chunks that have become empty
//! may serve either pool.

use super::pool::Block;
use super::{Arena, Interior, NONE, NodeId};

/// The root's interior is the first: the root is expanded before all other nodes.
const ROOT_INTERIOR: u32 = 0;

/// New places of interiors after reclaiming.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moved {
    /// Pairs of old and new index, to be applied in order.
    pub(super) interiors: Vec<(u32, u32)>,
    /// Number of interiors left; they have the lowest indices.
    pub(super) left: usize,
}

impl<M: Copy, D: Copy> Arena<M, D> {
    /// Ensures that one more expansion of any size fits. All ids but the root's may become invalid.
    pub(crate) fn make_room(&mut self) {
        if !self.has_room() {
            self.reclaim();
        }
    }

    /// Frees at least a third of the memory. All ids but the root's become invalid.
    pub(crate) fn reclaim(&mut self) -> Moved {
        let goal = self.budget.limit() / 3 * 2;
        while self.live_bytes() > goal && self.give_up_old_frontier() {}
        self.compact()
    }

    /// Slides the nodes and interiors left together, and frees the empty chunks.
    fn compact(&mut self) -> Moved {
        self.compact_nodes();
        let moved = self.compact_interiors();
        self.nodes.release(&mut self.budget, Self::NODE_CHUNK);
        let chunk = self.interior_chunk();
        self.interiors.release(&mut self.budget, chunk);
        moved
    }

    /// Drops the children of the older half of the interior nodes that have no interior children; `false` if there is
    /// no such node.
    fn give_up_old_frontier(&mut self) -> bool {
        let mut frontier = Vec::with_capacity(self.live_interiors);
        let with_children = |it: &(u32, &Interior)| it.0 != ROOT_INTERIOR && it.1.children > 0;
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
            if let Some(of_child) = self.nodes.get(interior.first_child + child).record() {
                self.interiors.get_mut(of_child).give_up();
                self.live_interiors -= 1;
            }
        }
        self.live_nodes -= usize::from(interior.children);
        self.interiors.get_mut(id).children = 0;
    }

    /// Slides all blocks of siblings together.
    fn compact_nodes(&mut self) {
        let root = Block {
            first: NodeId::ROOT.0,
            len: 1,
            owner: NONE,
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

    /// Moves the interiors with high indices into the gaps below.
    fn compact_interiors(&mut self) -> Moved {
        let left = self.live_interiors;
        let is_gap = |it: &(u32, &Interior)| (it.0 as usize) < left && it.1.visited == NONE;
        let mut gaps = Vec::with_capacity(left);
        gaps.extend(self.interiors.iter().filter(is_gap).map(|(id, _)| id));
        let mut gaps = gaps.into_iter();
        let mut interiors = Vec::with_capacity(gaps.len());
        for node in self.nodes.iter_mut() {
            if node.record().is_some_and(|it| it as usize >= left)
                && let Some(gap) = gaps.next()
            {
                *self.interiors.get_mut(gap) = *self.interiors.get(node.interior);
                interiors.push((node.interior, gap));
                node.interior = gap;
            }
        }
        self.interiors.truncate(left);
        Moved { interiors, left }
    }

    /// Makes an expanded node the root and drops everything outside its subtree; also returns the height of that
    /// subtree, in plies. All other ids become invalid.
    pub(crate) fn make_root(&mut self, id: NodeId) -> (Moved, u32) {
        let root = *self.node(id);
        let mut is_below = vec![false; self.interiors.end()];
        let mut open = vec![(root, 0)];
        let (mut nodes, mut interiors, mut height) = (1, 0, 0);
        while let Some((node, ply)) = open.pop() {
            is_below[node.interior as usize] = true;
            let children = self.children(&node);
            interiors += 1;
            nodes += children.len();
            height = height.max(ply + u32::from(!children.is_empty()));
            let inner = children.iter().filter(|child| child.record().is_some());
            open.extend(inner.map(|&child| (child, ply + 1)));
        }
        (self.live_nodes, self.live_interiors) = (nodes, interiors);
        for (interior, is_below) in self.interiors.iter_mut().zip(is_below) {
            if !is_below {
                interior.give_up();
            }
        }
        // The root comes first among the nodes, and its interior among the interiors.
        *self.interiors.get_mut(ROOT_INTERIOR) = *self.interiors.get(root.interior);
        if root.interior != ROOT_INTERIOR {
            self.interiors.get_mut(root.interior).give_up();
        }
        *self.node_mut(NodeId::ROOT) = root;
        self.node_mut(NodeId::ROOT).interior = ROOT_INTERIOR;
        let mut moved = self.compact();
        moved.interiors.insert(0, (root.interior, ROOT_INTERIOR));
        (moved, height)
    }
}
