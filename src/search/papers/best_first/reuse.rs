//! What is kept of a tree from one search to the next.
//!
//! A game goes on by a move of either side, and the position that is to be searched then stands in the
//! tree of the search before. The branch below it is kept, with its values and numbers, which are of what
//! lies below them; the rest is given up. (The thesis plants every tree anew, as each of its positions is
//! searched but once.) What has been found on the way to a leaf stays true, since that way is the same
//! seen from the new root: positions of the game since the tree was planted come again as if they stood in it.
//!
//! Leaves at the depth limit are nearer to the root now and may be expanded. Whose turn it is at the root
//! must not change, as values are placed on the grid as the root's side sees them. Where the new root stands in
//! the tree, `numbered` finds out.

use super::reclaim::ROOT_INTERIOR;
use super::tree::{NodeId, State, Tree};

impl<M: Copy, R: Copy> Tree<M, R> {
    /// Makes a node with children the root and gives up whatever is not below it; says whether what was final
    /// has become a leaf. All other ids become invalid.
    pub(super) fn make_root(&mut self, id: NodeId) -> bool {
        if id == NodeId::ROOT {
            return false;
        }
        let root = *self.node(id);
        let mut is_below = vec![false; self.interiors.iter().count()];
        let mut open = vec![(root, 0)];
        let (mut nodes, mut interiors, mut height) = (1, 0, 0);
        while let Some((node, ply)) = open.pop() {
            is_below[node.interior as usize] = true;
            let children = self.children(&node);
            interiors += 1;
            nodes += children.len();
            height = height.max(ply + u32::from(!children.is_empty()));
            let inner = children
                .iter()
                .filter(|child| child.state == State::Interior);
            open.extend(inner.map(|&child| (child, ply + 1)));
        }
        (self.live_nodes, self.live_interiors) = (nodes, interiors);
        self.account.height = height;
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
        *self.nodes.get_mut(NodeId::ROOT.0) = root;
        self.nodes.get_mut(NodeId::ROOT.0).interior = ROOT_INTERIOR;
        self.compact();
        let has_new_leaves = std::mem::take(&mut self.account.at_limit);
        if has_new_leaves {
            for node in self.nodes.iter_mut() {
                if node.state == State::AtLimit {
                    node.state = State::Exact;
                }
            }
        }
        has_new_leaves
    }
}
