//! Several threads on one question: marks on leaves being expanded, and exchange of results.
//!
//! All threads search the same tree and share the table, as in T. Kaneko, "Parallel depth first proof number search"
//! (AAAI 2010), and J. Pawlewicz and R. Hayward, "Scalable parallel DFPN search" (Computers and Games 2013). Both papers
//! worsen the numbers of a node under search, so that other threads go elsewhere; here numbers stay as they are.
//! Instead a thread marks the leaf that it expands, and others avoid marked leaves. They choose another child with
//! equally good numbers. If there is none they treat the node as marked, too, and look farther up. A thread that
//! comes to the root this way ignores the marks. So no thread waits, and none searches a child that a single thread
//! would leave for later.
//!
//! - A thread stores the numbers of a node whenever they change, not only when it leaves it.
//! - It checks at intervals whether others have found more about the children of its node, or have brought a node on
//!   its path to its limit. In the second case it unwinds to that node, however deep it is.
//!
//! Marks and numbers only direct threads. Only its children's results prove or disprove a node, as with one thread.

use super::node::{DepthFirst, OpenNode, known_everywhere};
use super::question::Horizon;
use super::table::{PendingChildren, ProofTable};
use super::worker::{Finding, OpenProof, ProofContext, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::team::marks::Mark;

/// Nodes searched below a node between two checks for other threads' results on its children.
const REFRESH_INTERVAL: u64 = 8;

/// The mark of the question about a position within a horizon.
fn mark(key: u64, horizon: Horizon) -> Mark {
    Mark::new(key, u64::from(horizon.0))
}

/// Searches the leader's questions until the search ends; results are in the table.
pub(super) fn follow<G: Game, E: Evaluator<G>>(
    mut worker: Worker<'_, G, E>,
    table: &ProofTable,
    root: &G,
) {
    if !root.has_legal_move() {
        return;
    }
    while let Some(question) = worker.shared_search.next_task(&mut worker.budget) {
        let mut form = DepthFirst::new(&mut worker, table, *question);
        // Stopped or not, waits for the leader's next question.
        let _ = form.decide(root, ProofContext::root(question.horizon));
    }
}

impl<G: Game, E: Evaluator<G>> DepthFirst<'_, '_, G, E> {
    /// Whether this thread or the table knows children that prove the win of the position asked about.
    pub(super) fn has_winning_children(
        &mut self,
        position: &G,
        place: ProofContext,
        finding: Finding,
    ) -> bool {
        let is_alone = !self.worker.shared_search.is_any();
        if is_alone || !self.winning_children.is_empty() || finding.plies == 0 {
            return true;
        }
        let moves = self.worker.moves(position, place.ply);
        let count = moves.len();
        let wins = moves.into_iter().filter_map(|m| {
            let child = position.after(m);
            let plies = self.worker.win(self.table, &child, self.question)?;
            (plies < finding.plies).then_some((m, plies))
        });
        let wins: Vec<(G::Move, u16)> = wins.collect();
        let are_enough = match kind_of(position, self.question) {
            Kind::Max => !wins.is_empty(),
            Kind::Min => wins.len() == count,
        };
        if are_enough {
            self.winning_children = wins;
        }
        are_enough
    }

    /// Marks a node while `work` runs on it, if it has not been expanded before.
    pub(super) fn marked<T>(
        &mut self,
        open_proof: OpenProof,
        seen: Option<PendingChildren>,
        work: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let Some(marks) = self.worker.shared_search.marks().filter(|_| seen.is_none()) else {
            return work(self);
        };
        let mark = mark(open_proof.key, open_proof.horizon);
        let result = marks.during(mark, 1, || work(self));
        self.is_hurried = false;
        result
    }

    /// Whether another thread is expanding a node.
    pub(super) fn is_elsewhere(&self, key: Option<u64>, horizon: Horizon) -> bool {
        let (Some(marks), Some(key)) = (self.worker.shared_search.marks(), key) else {
            return false;
        };
        !self.is_hurried && marks.is_taken(mark(key, horizon), 1)
    }

    /// Stores a node's finding; returns what is then known of it.
    pub(super) fn publish(&self, node: &mut OpenNode<'_, G>, finding: Finding) -> Finding {
        let OpenProof { key, horizon, .. } = node.open_proof;
        let children = &node.children;
        let seen = (0..children.len()).filter(|&index| children[index].seen);
        let mut seen = seen.fold(PendingChildren::NONE, PendingChildren::with);
        if self.worker.shared_search.is_any() {
            // A disproof on this path alone gives way to facts.
            let is_fact = finding.numbers.is_decided() && finding.everywhere;
            if let Some(known) = self.table.probe(key, horizon)
                && known.numbers.is_decided()
                && !is_fact
                && !(self.is_on_its_own && self.is_top(node))
            {
                return Finding::known(known);
            }
            if let Some(others) = self.table.seen(key, horizon) {
                seen = seen.and(others);
            }
        }
        let nodes = self.worker.nodes();
        let effort = (nodes - node.stored_at).max(2);
        (node.stored, node.stored_at) = (Some(finding.numbers), nodes);
        let known = known_everywhere(finding);
        self.table.store_with(key, horizon, known, effort, seen);
        finding
    }

    /// Stores a changed finding of a node still under search; returns its decision if other threads have decided it.
    pub(super) fn store_on_the_way(
        &self,
        node: &mut OpenNode<'_, G>,
        finding: Finding,
    ) -> Option<Finding> {
        if !self.worker.shared_search.is_any() || node.stored == Some(finding.numbers) {
            return None;
        }
        let known = self.publish(node, finding);
        known.numbers.is_decided().then_some(known)
    }

    /// Reads other threads' results for the children of a node.
    pub(super) fn refresh(&mut self, node: &mut OpenNode<'_, G>) -> Result<(), Stopped> {
        if !self.worker.shared_search.is_any() {
            return Ok(());
        }
        node.children
            .iter_mut()
            .for_each(|child| child.taken = false);
        let nodes = self.worker.nodes();
        if nodes - node.refreshed_at < REFRESH_INTERVAL {
            return Ok(());
        }
        node.refreshed_at = nodes;
        let seen = self
            .table
            .seen(node.open_proof.key, node.open_proof.horizon);
        for index in 0..node.children.len() {
            let child = &mut node.children[index];
            let decided = child.finding.numbers.is_decided();
            if decided && (child.finding.everywhere || child.key.is_none()) {
                continue;
            }
            match child.key {
                Some(key) => {
                    // A disproof on this path alone stays, unless the table has a fact.
                    if let Some(known) = self.table.probe(key, node.below.horizon)
                        && (!decided || known.numbers.is_decided())
                    {
                        child.finding = Finding::known(known);
                        child.seen = true;
                    }
                }
                None if !child.seen && index < 64 && seen.is_some_and(|seen| seen.has(index)) => {
                    let m = child.m;
                    node.children[index] = self.look(node.position, m, node.below)?;
                    node.children[index].seen = true;
                }
                None => {}
            }
        }
        Ok(())
    }
}
