//! Demands handed down through the tree, until leaves can meet them.

use super::run::{Node, Run};
use crate::conspiracy::{Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::kit::arena::NodeId;
use crate::search::kit::budget::Stopped;
use crate::search::kit::sorting::sort_by_key;
use crate::value::Value;

/// Plies below the root at which every demand counts as met.
const MAX_PLY: usize = 200;

/// What is said of a node's value, for the root's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    /// What would overthrow it: lowering a value that is said to be at least `value`, raising one that is
    /// said to be at most that.
    pub(super) against: Push,
    /// The value, as [`flat`] has it.
    pub(super) value: i32,
}

/// A value as a number by which all wins are alike, and all losses: how soon they come depends on where
/// in the tree one stands.
pub(super) fn flat(value: Value) -> i32 {
    let decided = i32::from(Value::MAX_CENTIPAWNS) + 1;
    if value.is_win() {
        decided
    } else if value.is_loss() {
        -decided
    } else {
        i32::from(value.get())
    }
}

impl Claim {
    /// Whether it is true of a node, by the value it has.
    pub(super) fn holds(self, node: &Node) -> bool {
        let value = match Kind::at_ply(usize::from(node.ply)) {
            Kind::Max => flat(node.value),
            Kind::Min => -flat(node.value),
        };
        match self.against {
            Push::Lower => value >= self.value,
            Push::Raise => value <= self.value,
        }
    }
}

/// Why the work on a demand ends before it is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The claim no longer holds.
    Wrong,
    /// There is no room for another expansion.
    Full,
    /// A limit has been reached.
    Stopped,
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> End {
        End::Stopped
    }
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Works on a node until its claim is supported by as many leaves as demanded, each searched as deeply
    /// as the iteration asks.
    pub(super) fn support(
        &mut self,
        id: NodeId,
        position: &G,
        claim: Claim,
        demand: u32,
    ) -> Result<(), End> {
        self.planted.budget.check()?;
        let ply = usize::from(self.planted.tree.node(id).ply);
        self.planted.tree.visit(id, None);
        loop {
            let node = self.planted.tree.node(id).data;
            if !claim.holds(&node) {
                return Err(End::Wrong);
            }
            if node.is_final
                || node
                    .met
                    .is_some_and(|met| met.meets(claim, demand, self.stage))
            {
                return Ok(());
            }
            if self.planted.tree.has_no_children(id) {
                if node.depth < self.depth && ply < MAX_PLY {
                    self.search_leaf(id, position)?;
                    continue;
                }
                if demand <= 1 || ply >= MAX_PLY {
                    break;
                }
                self.expand(id, position)?;
                continue;
            }
            match self.support_by_children(id, position, claim, demand) {
                Ok(()) => break,
                // Another child may do: the claim is looked at again.
                Err(End::Wrong) => {}
                Err(end) => return Err(end),
            }
        }
        let stage = self.stage;
        self.planted.tree.node_mut(id).met = Some(Met {
            claim,
            demand,
            stage,
        });
        Ok(())
    }

    /// Hands the demand down. Ends with `Wrong` if some child's claim was: the node has its new value.
    fn support_by_children(
        &mut self,
        id: NodeId,
        position: &G,
        claim: Claim,
        demand: u32,
    ) -> Result<(), End> {
        let ply = usize::from(self.planted.tree.node(id).ply);
        // What overthrows a claim takes all supporters where one of them is enough for the claim.
        let is_shared = !claim.against.is_or_node(Kind::at_ply(ply));
        let tree = &self.planted.tree;
        let mut children: Vec<NodeId> = tree.child_ids(id).collect();
        let mut left = demand;
        if is_shared {
            children.retain(|&child| claim.holds(tree.node(child)));
            sort_by_key(&mut children, |&child| (tree.node(child).value, child));
            if let Some(proven) = children.iter().copied().find(|&it| tree.node(it).is_final) {
                children = vec![proven];
            }
        }
        let mut others = children.len() as u32;
        for child in children {
            if left == 0 {
                break;
            }
            let share = if is_shared {
                let share = left.div_ceil(others.max(1));
                left -= share;
                others = others.saturating_sub(1);
                share
            } else {
                demand
            };
            self.support_below(id, position, child, claim, share)?;
        }
        Ok(())
    }

    /// Searches a leaf to the depth of the iteration.
    fn search_leaf(&mut self, id: NodeId, position: &G) -> Result<(), Stopped> {
        let (depth, ply) = (self.depth, usize::from(self.planted.tree.node(id).ply));
        let look = self.value_to_depth(position, depth, ply)?;
        let node = self.planted.tree.node_mut(id);
        (node.value, node.is_final, node.depth) = (look.value, look.is_final, depth);
        node.met = None;
        Ok(())
    }

    /// Gives a leaf its children.
    pub(super) fn expand(&mut self, id: NodeId, position: &G) -> Result<(), End> {
        if !self.planted.tree.has_room() {
            return Err(End::Full);
        }
        let ply = usize::from(self.planted.tree.node(id).ply);
        let kept = |_: &mut E, _: Option<&G>, look| Node::leaf(look, ply + 1);
        let result = self.planted.expand(id, position, ply, kept);
        self.back_up(id);
        Ok(result?)
    }

    /// Works on the child of a node; the node has its new value then.
    pub(super) fn support_below(
        &mut self,
        parent: NodeId,
        position: &G,
        child: NodeId,
        claim: Claim,
        demand: u32,
    ) -> Result<(), End> {
        let m = self.planted.tree.node(child).m;
        self.planted.path.push(position.key());
        let result = self.support(child, &position.after(m), claim, demand);
        self.planted.path.pop();
        self.back_up(parent);
        result
    }

    /// Brings a node up to date with its children.
    pub(super) fn back_up(&mut self, id: NodeId) {
        let tree = &mut self.planted.tree;
        let children = tree.children(tree.node(id)).iter();
        if let Some(value) = children.map(|child| child.value.from_child()).max() {
            let node = tree.node_mut(id);
            node.value = value;
            node.met = None;
        }
    }
}

/// What a node is known to support.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Met {
    claim: Claim,
    demand: u32,
    stage: u32,
}

impl Met {
    fn meets(self, claim: Claim, demand: u32, stage: u32) -> bool {
        self.claim == claim && self.demand >= demand && self.stage == stage
    }
}
