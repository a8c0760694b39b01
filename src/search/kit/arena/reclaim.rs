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
//!
//! A large tree takes seconds for that. So the search is polled in between; if it stops, the
//! tree is complete but has less room.

use super::pool::Block;
use super::{Arena, Interior, NONE, NodeId};

/// The root's interior is the first: the root is expanded before all other nodes.
const ROOT_INTERIOR: u32 = 0;

/// Interiors, each with some thirty children, between two polls of the search.
const AT_ONCE: usize = 1 << 10;

/// Polls the search before every [`AT_ONCE`]-th step of some work.
pub(super) struct Patience<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    steps: usize,
}

impl<'a> Patience<'a> {
    fn new(goes_on: &'a mut dyn FnMut() -> bool) -> Patience<'a> {
        Patience { goes_on, steps: 0 }
    }

    /// Whether there may be another step.
    pub(super) fn lasts(&mut self) -> bool {
        self.steps += 1;
        !self.steps.is_multiple_of(AT_ONCE) || (self.goes_on)()
    }
}

/// New places of interiors after reclaiming.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moved {
    /// Pairs of old and new index, to be applied in order.
    pub(super) interiors: Vec<(u32, u32)>,
    /// Number of interiors left; they have the lowest indices.
    pub(super) left: usize,
}

impl<M: Copy, D: Copy> Arena<M, D> {
    /// Frees at least a third of the memory, as long as the search `goes_on`. All ids but the root's become invalid.
    pub(crate) fn reclaim(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Moved {
        let patience = &mut Patience::new(goes_on);
        let goal = self.budget.limit / 3 * 2;
        let mut is_done = !self.has_strays || self.give_up_strays(patience).is_some();
        while is_done && self.live_bytes() > goal {
            match self.give_up_old_frontier(patience) {
                Some(0) => break,
                given_up => is_done = given_up.is_some(),
            }
        }
        if is_done {
            self.compact(patience)
        } else {
            self.nothing_moved()
        }
    }

    /// Slides together the nodes and interiors that remain, and frees the empty chunks.
    fn compact(&mut self, patience: &mut Patience<'_>) -> Moved {
        if !self.compact_nodes(patience) {
            return self.nothing_moved();
        }
        let moved = self.compact_interiors(patience);
        self.nodes.release(&mut self.budget);
        self.interiors.release(&mut self.budget);
        moved
    }

    fn nothing_moved(&self) -> Moved {
        Moved {
            interiors: Vec::new(),
            left: self.interiors.end(),
        }
    }

    /// Drops the children of the older half of the interior nodes that have no interior children; returns the number of
    /// these nodes, `None` if patience has run out.
    fn give_up_old_frontier(&mut self, patience: &mut Patience<'_>) -> Option<usize> {
        let mut frontier = Vec::with_capacity(self.live_interiors);
        let with_children = |it: &(u32, &Interior)| it.0 != ROOT_INTERIOR && it.1.children > 0;
        for (id, interior) in self.interiors.iter().filter(with_children) {
            if !patience.lasts() {
                return None;
            }
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
        Some(older)
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

    /// Slides all blocks of siblings together, unless patience runs out.
    fn compact_nodes(&mut self, patience: &mut Patience<'_>) -> bool {
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
        let moved = self.nodes.compact(&mut blocks, || patience.lasts());
        for block in blocks[..moved].iter().skip(1) {
            self.interiors.get_mut(block.owner).first_child = block.first;
        }
        moved == blocks.len()
    }

    /// Moves the interiors with high indices into the gaps below, unless patience runs out.
    fn compact_interiors(&mut self, patience: &mut Patience<'_>) -> Moved {
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
                self.interiors.get_mut(node.interior).give_up();
                interiors.push((node.interior, gap));
                node.interior = gap;
                if !patience.lasts() {
                    let left = self.interiors.end();
                    return Moved { interiors, left };
                }
            }
        }
        self.interiors.truncate(left);
        Moved { interiors, left }
    }

    /// Makes an expanded node the root, and drops everything outside its subtree as long as the search `goes_on`; also
    /// returns the height of that subtree, in plies, if that is found out. All other ids become invalid.
    pub(crate) fn make_root(
        &mut self,
        id: NodeId,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> (Moved, Option<u32>) {
        let root = *self.node(id);
        // The root comes first among the nodes, and its interior among the interiors.
        *self.interiors.get_mut(ROOT_INTERIOR) = *self.interiors.get(root.interior);
        if root.interior != ROOT_INTERIOR {
            self.interiors.get_mut(root.interior).give_up();
        }
        *self.node_mut(NodeId::ROOT) = root;
        self.node_mut(NodeId::ROOT).interior = ROOT_INTERIOR;
        self.has_strays = true;
        let patience = &mut Patience::new(goes_on);
        let height = self.give_up_strays(patience);
        let mut moved = match height {
            Some(_) => self.compact(patience),
            None => self.nothing_moved(),
        };
        moved.interiors.insert(0, (root.interior, ROOT_INTERIOR));
        (moved, height)
    }

    /// Gives up what another root has left outside the root's subtree; returns the subtree's height, `None` if patience
    /// has run out.
    fn give_up_strays(&mut self, patience: &mut Patience<'_>) -> Option<u32> {
        let mut is_below = vec![false; self.interiors.end()];
        let mut open = vec![(*self.root(), 0)];
        let (mut nodes, mut interiors, mut height) = (1, 0, 0);
        while let Some((node, ply)) = open.pop() {
            if !patience.lasts() {
                return None;
            }
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
        self.has_strays = false;
        Some(height)
    }
}
