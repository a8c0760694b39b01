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

use super::node::{Child, DepthFirst, Node, known_everywhere};
use super::numbers::Numbers;
use super::question::{Horizon, Question};
use super::table::{Seen, Table};
use super::worker::{Finding, Place, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::team::marks::Mark;

/// Nodes searched below a node between two checks for other threads' results on its children.
const REFRESH_INTERVAL: u64 = 8;

/// Address of a position in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) horizon: Horizon,
}

impl Entry {
    fn mark(self) -> Mark {
        Mark::new(self.key, u64::from(self.horizon.0))
    }
}

/// A node on the current path.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    entry: Entry,
    limit: Numbers,
}

/// A thread's state in the cooperation.
#[derive(Default)]
pub(super) struct Together {
    /// The nodes on the current path, from the root.
    under_way: Vec<UnderWay>,
    /// Index of the node to unwind to, and the other threads' finding there.
    broken_off: Option<(usize, Finding)>,
    /// Whether it ignores marks, as the others are expanding all that is left.
    pub(super) is_hurried: bool,
    /// Whether it ignores other threads' proof of the position asked about, because the table has dropped the children
    /// that prove it.
    pub(super) is_on_its_own: bool,
}

/// A thread's last store and last look at the table for one node.
pub(super) struct Told {
    /// Numbers last stored.
    numbers: Option<Numbers>,
    /// Node count at the last store.
    nodes: u64,
    /// Node count at the last look.
    heard: u64,
}

impl Told {
    /// Nothing stored; the node was begun at node count `before`.
    pub(super) fn new(before: u64) -> Told {
        Told {
            numbers: None,
            nodes: before,
            heard: before,
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// Whether there are other threads.
    pub(super) fn has_company(&self) -> bool {
        self.shared.is_some()
    }

    /// For the leader: publishes the next question.
    pub(super) fn lay_out(&mut self, question: Question) {
        if let Some(shared) = &mut self.shared {
            shared.lay_out(question);
        }
    }

    fn next_question(&mut self) -> Result<Question, Stopped> {
        let shared = self.shared.as_mut().ok_or(Stopped)?;
        shared.next_task(&mut self.budget).map(|question| *question)
    }
}

/// Searches the leader's questions until the search ends; results are in the table.
pub(super) fn follow<G: Game, E: Evaluator<G>>(
    mut worker: Worker<'_, G, E>,
    table: &Table,
    root: &G,
) {
    if !root.has_legal_move() {
        return;
    }
    while let Ok(question) = worker.next_question() {
        let mut form = DepthFirst::new(&mut worker, table, question);
        // Stopped or not, waits for the leader's next question.
        let _ = form.decide(root, Place::root(question.horizon));
    }
}

impl<G: Game, E: Evaluator<G>> DepthFirst<'_, '_, G, E> {
    /// Does `work` on a node, unless other threads bring it to its limit before.
    pub(super) fn under_way(
        &mut self,
        entry: Entry,
        limit: Numbers,
        work: impl FnOnce(&mut Self) -> Result<Option<Finding>, Stopped>,
    ) -> Result<Option<Finding>, Stopped> {
        if !self.worker.has_company() {
            return work(self);
        }
        self.look_around()?;
        let level = self.together.under_way.len();
        self.together.under_way.push(UnderWay { entry, limit });
        let result = work(self);
        self.together.under_way.truncate(level);
        match self.together.broken_off {
            Some((place, finding)) if place == level => {
                self.together.broken_off = None;
                Ok(Some(finding))
            }
            _ => result,
        }
    }

    /// Checks at intervals whether to unwind.
    fn look_around(&mut self) -> Result<(), Stopped> {
        let nodes = self.worker.nodes();
        let Some(shared) = &mut self.worker.shared else {
            return Ok(());
        };
        if !shared.is_time_to_look(nodes) {
            return Ok(());
        }
        if shared.is_outdated() {
            return Err(Stopped);
        }
        let from = usize::from(self.together.is_on_its_own);
        let under_way = self.together.under_way.iter().enumerate().skip(from);
        for (level, &UnderWay { entry, limit }) in under_way {
            let Some(known) = self.table.probe(entry.key, entry.horizon) else {
                continue;
            };
            if known.numbers.proof >= limit.proof || known.numbers.disproof >= limit.disproof {
                self.together.broken_off = Some((level, Finding::known(known)));
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Whether this thread or the table knows children that prove the win of the position asked about.
    pub(super) fn has_winning_children(
        &mut self,
        position: &G,
        place: Place,
        finding: Finding,
    ) -> bool {
        if !self.worker.has_company() || !self.winning_children.is_empty() || finding.plies == 0 {
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
        entry: Entry,
        seen: Option<Seen>,
        work: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let Some(shared) = self.worker.shared.as_ref().filter(|_| seen.is_none()) else {
            return work(self);
        };
        let result = shared.marks().during(entry.mark(), 1, || work(self));
        self.together.is_hurried = false;
        result
    }

    /// Whether another thread is expanding a node.
    pub(super) fn is_elsewhere(&self, key: Option<u64>, horizon: Horizon) -> bool {
        let (Some(shared), Some(key)) = (&self.worker.shared, key) else {
            return false;
        };
        !self.together.is_hurried && shared.marks().is_taken(Entry { key, horizon }.mark(), 1)
    }

    /// Stores a node's finding; returns what is then known of it.
    pub(super) fn tell(
        &self,
        entry: Entry,
        finding: Finding,
        children: &[Child<G::Move>],
        told: &mut Told,
    ) -> Finding {
        let seen = (0..children.len()).filter(|&index| children[index].seen);
        let mut seen = seen.fold(Seen::NONE, Seen::with);
        if self.worker.has_company() {
            // A disproof on this path alone gives way to facts.
            let is_fact = finding.numbers.is_decided() && finding.everywhere;
            let is_top = self.together.under_way.len() == 1;
            if let Some(known) = self.table.probe(entry.key, entry.horizon)
                && known.numbers.is_decided()
                && !is_fact
                && !(is_top && self.together.is_on_its_own)
            {
                return Finding::known(known);
            }
            if let Some(others) = self.table.seen(entry.key, entry.horizon) {
                seen = seen.and(others);
            }
        }
        let nodes = self.worker.nodes();
        let effort = (nodes - told.nodes).max(2);
        told.nodes = nodes;
        told.numbers = Some(finding.numbers);
        let known = known_everywhere(finding);
        self.table
            .store_with(entry.key, entry.horizon, known, effort, seen);
        finding
    }

    /// Stores a changed finding of a node still under search; returns its decision if other threads have decided it.
    pub(super) fn tell_on_the_way(
        &self,
        entry: Entry,
        finding: Finding,
        children: &[Child<G::Move>],
        told: &mut Told,
    ) -> Option<Finding> {
        if !self.worker.has_company() || told.numbers == Some(finding.numbers) {
            return None;
        }
        let known = self.tell(entry, finding, children, told);
        known.numbers.is_decided().then_some(known)
    }

    /// Reads other threads' results for the children of a node.
    pub(super) fn refresh(
        &mut self,
        node: &mut Node<'_, G>,
        told: &mut Told,
    ) -> Result<(), Stopped> {
        let nodes = self.worker.nodes();
        if !self.worker.has_company() {
            return Ok(());
        }
        node.children
            .iter_mut()
            .for_each(|child| child.taken = false);
        if nodes - told.heard < REFRESH_INTERVAL {
            return Ok(());
        }
        told.heard = nodes;
        let seen = self.table.seen(node.entry.key, node.entry.horizon);
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
