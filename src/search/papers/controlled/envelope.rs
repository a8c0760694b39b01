//! Demands passed down the tree until leaves can meet them.

use super::run::{ControlledRun, EnvelopeNode};
use crate::conspiracy::{Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::kit::arena::NodeId;
use crate::search::kit::budget::Stopped;
use crate::search::kit::sorting::sort_by_key;
use crate::value::Value;

/// Ply from which on every demand counts as met.
const MAX_PLY: usize = 200;

/// A claim about a node's value, for the root's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    /// Push that overthrows the claim: `Lower` for "at least `value`", `Raise` for "at most `value`".
    pub(super) against: Push,
    /// The claimed value, as [`flat`] gives it.
    pub(super) value: i32,
}

/// A value as a number that is the same for all wins, and for all losses: their plies to the end depend on the node
/// from which they are counted.
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
    /// Whether a node's present value agrees with the claim.
    pub(super) fn holds(self, node: &EnvelopeNode) -> bool {
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

/// The reason why a demand was not met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnmetReason {
    /// The claim no longer holds.
    Wrong,
    /// Memory is full.
    Full,
    /// A limit was reached.
    Stopped,
}

impl From<Stopped> for UnmetReason {
    fn from(_: Stopped) -> UnmetReason {
        UnmetReason::Stopped
    }
}

impl<G: Game, E: Evaluator<G>> ControlledRun<'_, G, E> {
    /// Expands below a node until its claim is supported by as many leaves as demanded, each searched to the depth of
    /// the iteration.
    pub(super) fn support(
        &mut self,
        id: NodeId,
        position: &G,
        claim: Claim,
        demand: u32,
    ) -> Result<(), UnmetReason> {
        self.planted.budget.check()?;
        let ply = usize::from(self.planted.tree.node(id).ply);
        self.planted.tree.visit(id, None);
        let asked = Met {
            claim,
            demand,
            stage: self.stage,
        };
        loop {
            let node = self.planted.tree.node(id).data;
            if !claim.holds(&node) {
                return Err(UnmetReason::Wrong);
            }
            if node.is_final || node.met.is_some_and(|met| met.includes(asked)) {
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
                // Another child may support the claim, so it is checked again.
                Err(UnmetReason::Wrong) => {}
                Err(end) => return Err(end),
            }
        }
        self.planted.tree.node_mut(id).met = Some(asked);
        Ok(())
    }

    /// Passes the demand on to the children. Fails with `Wrong`, the node's value updated, once a child's claim fails.
    fn support_by_children(
        &mut self,
        id: NodeId,
        position: &G,
        claim: Claim,
        demand: u32,
    ) -> Result<(), UnmetReason> {
        let ply = usize::from(self.planted.tree.node(id).ply);
        // Where one supporter suffices for a claim, all must be overthrown to overthrow it.
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

    /// Expands a leaf.
    pub(super) fn expand(&mut self, id: NodeId, position: &G) -> Result<(), UnmetReason> {
        if !self.planted.tree.has_room() {
            return Err(UnmetReason::Full);
        }
        let ply = usize::from(self.planted.tree.node(id).ply);
        let kept = |_: &mut E, _: Option<&G>, look| EnvelopeNode::leaf(look, ply + 1);
        let result = self.planted.expand(id, position, ply, kept);
        self.back_up(id);
        Ok(result?)
    }

    /// Supports the claim at a child, then updates the parent's value.
    pub(super) fn support_below(
        &mut self,
        parent: NodeId,
        position: &G,
        child: NodeId,
        claim: Claim,
        demand: u32,
    ) -> Result<(), UnmetReason> {
        let m = self.planted.tree.node(child).m;
        self.planted.path.push(position.key());
        let result = self.support(child, &position.after(m), claim, demand);
        self.planted.path.pop();
        self.back_up(parent);
        result
    }

    /// Updates a node's value from its children.
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

/// A demand that a node has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Met {
    claim: Claim,
    demand: u32,
    stage: u32,
}

impl Met {
    /// Whether a node that has met this demand has met `asked`, too.
    fn includes(self, asked: Met) -> bool {
        self.claim == asked.claim && self.demand >= asked.demand && self.stage == asked.stage
    }
}
