//! Clipped leaves that may make a threshold's certificate wrong; see `leaf`.

use super::numbered::Numbered;
use super::numbers::Goal;
use super::run::Run;
use super::tree::NodeId;
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::{Budget, Stopped};

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Evaluates leaves again that put the threshold's certificate in doubt; returns whether there were any, in which
    /// case the numbers may have changed.
    pub(super) fn settle_doubts(&mut self) -> Result<bool, Stopped> {
        let paths = self.doubts(SETTLED_AT_ONCE)?;
        let are_there = !paths.is_empty();
        for path in paths {
            for (ply, &id) in path.iter().enumerate().skip(1) {
                self.line.step(ply - 1, id, self.tree.node(id).m);
            }
            self.evaluate_again(path.len() - 1)?;
            if !self.has_converged() {
                break;
            }
        }
        Ok(are_there)
    }

    /// Paths to clipped leaves that may make the threshold's certificate wrong, at most `most`, all for one goal.
    pub(super) fn doubts(&mut self, most: usize) -> Result<Vec<Vec<NodeId>>, Stopped> {
        for (from, goal) in self.certificate() {
            let is_possible = match goal.push {
                Push::Lower => self.tree.account.clipped_below > goal.target + 1,
                Push::Raise => self.tree.account.clipped_above < goal.target,
            };
            // The certificate does not rest on the one child that is likely to exceed Vmin.
            let is_likely =
                |child| self.tree.count(self.tree.node(child), Kind::Min, goal) < self.threshold;
            if !is_possible || from.is_some_and(is_likely) {
                continue;
            }
            let (start, kind, mut path) = match from {
                Some(child) => (child, Kind::Min, vec![NodeId::ROOT]),
                None => (NodeId::ROOT, Kind::Max, Vec::new()),
            };
            let mut search = DoubtSearch {
                tree: self.tree,
                goal,
                budget: &mut self.budget,
                seen: 0,
                most,
                found: Vec::new(),
            };
            search.find(start, kind, self.threshold, &mut path)?;
            if !search.found.is_empty() {
                return Ok(search.found);
            }
        }
        Ok(Vec::new())
    }

    /// The certificate: goals held unlikely, each with its node. These are the root (`None`), for the values next to
    /// its range, and after a best move cutoff its children, for Vmin + 1; the likely child is among these, too.
    fn certificate(&self) -> Vec<(Option<NodeId>, Goal)> {
        let ends = [(Push::Lower, self.range.min), (Push::Raise, self.range.max)];
        let beyond = ends.into_iter().filter_map(|(push, end)| {
            let target = push.farther(end, self.tree.grid().len())?;
            Some((None, Goal { push, target }))
        });
        let mut goals: Vec<(Option<NodeId>, Goal)> = beyond.collect();
        if self.range.width() > self.settings.delta {
            let (push, target) = (Push::Raise, self.range.min + 1);
            let children = self.tree.child_ids(NodeId::ROOT);
            goals.extend(children.map(|child| (Some(child), Goal { push, target })));
        }
        goals
    }
}

/// Most doubts to settle after one walk: a walk takes far longer than they do.
const SETTLED_AT_ONCE: usize = 64;

/// Nodes of a walk between two polls of the observer: a walk may see millions, and evaluates no position.
const SEEN_AT_ONCE: u32 = 1 << 13;

/// A walk through the part of the tree that a certificate rests on.
struct DoubtSearch<'a, 'b, M> {
    tree: &'a Numbered<M>,
    goal: Goal,
    budget: &'a mut Budget<'b, M>,
    seen: u32,
    /// Most leaves to find.
    most: usize,
    /// Paths to the leaves found.
    found: Vec<Vec<NodeId>>,
}

impl<M: Copy + Eq> DoubtSearch<'_, '_, M> {
    /// Finds leaves in doubt among those by which the number of `id` reaches `demand`; `path` leads to its parent.
    fn find(
        &mut self,
        id: NodeId,
        kind: Kind,
        demand: Count,
        path: &mut Vec<NodeId>,
    ) -> Result<(), Stopped> {
        if self.seen.is_multiple_of(SEEN_AT_ONCE) {
            self.budget.ask()?;
        }
        self.seen += 1;
        let tree = self.tree;
        let node = tree.node(id);
        path.push(id);
        if node.is_doubtful(kind, self.goal) {
            self.found.push(path.clone());
        }
        // An infinite number rests on terminals alone, which are never clipped.
        let own = tree.count(node, kind, self.goal);
        let needed = if own.is_infinite() { 0 } else { demand.byte() };
        let mut left = needed;
        for (number, child) in tree.children(node).iter().enumerate() {
            if left == 0 || self.found.len() == self.most {
                break;
            }
            let of_child = tree.count(child, kind.other(), self.goal);
            let of_child = of_child.byte();
            let demand = if self.goal.push.is_or_node(kind) {
                needed
            } else {
                let demand = of_child.min(left);
                left -= demand;
                demand
            };
            let child = tree.child(node, number);
            if demand > 0 {
                self.find(child, kind.other(), Count::from_byte(demand), path)?;
            }
        }
        path.pop();
        Ok(())
    }
}
