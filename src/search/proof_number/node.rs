//! The depth-first form: df-pn (A. Nagai, 2002).

use std::ops::ControlFlow;

use super::numbers::{Number, Numbers, Proof};
use super::question::{Horizon, ProofQuery};
use super::table::{PendingChildren, ProofTable};
use super::worker::{Finding, OpenProof, ProofContext, Worker, kind_of};
use crate::conspiracy::Kind;
use arrayvec::ArrayVec;

use crate::game::{Evaluator, Game, MAX_MOVES};
use crate::search::kit::budget::Stopped;

/// Stored for a disproof that holds only on its path: a finite number so large that other children come first.
const ON_THIS_PATH: Numbers = Numbers::new(Number::new(1 << 24), Number::ONE);

/// A child's data in the search of its parent.
pub(super) struct ProofChild<M> {
    pub(super) m: M,
    pub(super) finding: Finding,
    /// Whether it has been searched, so that more is known than of a new leaf.
    pub(super) seen: bool,
    /// Its key in the table, if looked up.
    pub(super) key: Option<u64>,
    /// Whether other threads are expanding all its open leaves.
    pub(super) taken: bool,
}

impl<M> ProofChild<M> {
    fn new(m: M, finding: Finding, seen: bool, key: Option<u64>) -> ProofChild<M> {
        ProofChild {
            m,
            finding,
            seen,
            key,
            taken: false,
        }
    }
}

/// A depth-first search of one question.
pub(super) struct DepthFirst<'w, 'a, G: Game, E> {
    pub(super) worker: &'w mut Worker<'a, G, E>,
    pub(super) table: &'w ProofTable,
    pub(super) question: ProofQuery,
    /// Ply of the position asked about.
    top: usize,
    /// Latest numbers of the position asked about.
    pub(super) top_numbers: Numbers,
    /// Winning children of the position asked about, each with an upper bound on its plies to the win.
    pub(super) winning_children: Vec<(G::Move, u16)>,
    /// Whether it ignores marks, as other threads are expanding all that is left.
    pub(super) is_hurried: bool,
    /// Whether it ignores other threads' proof of the position asked about, because the table has dropped the children
    /// that prove it.
    pub(super) is_on_its_own: bool,
}

/// Result of visiting a node: its answer if it needs no search, else the node to search.
type Opened<'n, G> = ControlFlow<Finding, OpenNode<'n, G>>;

/// A node whose children are being searched.
pub(super) struct OpenNode<'n, G: Game> {
    pub(super) position: &'n G,
    kind: Kind,
    pub(super) open_proof: OpenProof,
    pub(super) children: Vec<ProofChild<G::Move>>,
    /// The children's place.
    pub(super) below: ProofContext,
    /// Numbers last stored in the table.
    pub(super) stored: Option<Numbers>,
    /// Node count at the last store.
    pub(super) stored_at: u64,
    /// Node count at the last look at the table for other threads' results.
    pub(super) refreshed_at: u64,
}

impl<'w, 'a, G: Game, E: Evaluator<G>> DepthFirst<'w, 'a, G, E> {
    pub(super) fn new(
        worker: &'w mut Worker<'a, G, E>,
        table: &'w ProofTable,
        question: ProofQuery,
    ) -> Self {
        DepthFirst {
            worker,
            table,
            question,
            top: 0,
            top_numbers: Numbers::new(Number::ONE, Number::ONE),
            winning_children: Vec::new(),
            is_hurried: false,
            is_on_its_own: false,
        }
    }

    /// Searches a position until it is proven or disproven; if proven, finds the children that prove it.
    pub(super) fn answer(&mut self, position: &G, place: ProofContext) -> Result<Finding, Stopped> {
        loop {
            let finding = self.decide(position, place)?;
            if !finding.numbers.is_proven() || self.has_winning_children(position, place, finding) {
                return Ok(finding);
            }
            // Another thread has proven it, but the table has lost the children.
            self.is_on_its_own = true;
        }
    }

    /// Searches a position until it is proven or disproven.
    pub(super) fn decide(&mut self, position: &G, place: ProofContext) -> Result<Finding, Stopped> {
        let limit = Numbers::new(Number::INFINITE, Number::INFINITE);
        self.top = place.ply;
        let finding = loop {
            if let Some(finding) = self.work(position, place, limit)? {
                break finding;
            }
        };
        self.top_numbers = finding.numbers;
        Ok(finding)
    }

    /// Searches a node until one of its numbers reaches the limit; `None` if others are expanding all that is left.
    fn work(
        &mut self,
        position: &G,
        place: ProofContext,
        limit: Numbers,
    ) -> Result<Option<Finding>, Stopped> {
        let open_proof = OpenProof {
            key: self.worker.key_at(place.ply, position, self.question),
            horizon: place.horizon,
            limit,
        };
        let (nodes, table) = (self.worker.nodes(), self.table);
        self.worker
            .shared_search
            .look(nodes, |it| it.answer(table))?;
        let is_for_it_alone = self.is_on_its_own && place.ply == self.top;
        let may_be_answered = self.worker.shared_search.is_any() && !is_for_it_alone;
        let index = may_be_answered.then(|| self.worker.shared_search.enter(open_proof));
        let path = self.worker.path.len();
        let result = self.open_and_settle(position, place, open_proof);
        self.worker.path.truncate(path);
        match index.and_then(|index| self.worker.shared_search.leave(index)) {
            Some(finding) => Ok(Some(finding)),
            None => result,
        }
    }

    fn open_and_settle(
        &mut self,
        position: &G,
        place: ProofContext,
        open_proof: OpenProof,
    ) -> Result<Option<Finding>, Stopped> {
        let seen = self.table.seen(open_proof.key, open_proof.horizon);
        match self.marked(open_proof, seen, |form| {
            form.open(position, place, open_proof, seen)
        })? {
            ControlFlow::Break(finding) => Ok(Some(finding)),
            ControlFlow::Continue(node) => self.settle(node),
        }
    }

    /// Visits a node: returns its answer if it needs no search, else its children up to the first that decides it.
    fn open<'n>(
        &mut self,
        position: &'n G,
        place: ProofContext,
        open_proof: OpenProof,
        seen: Option<PendingChildren>,
    ) -> Result<Opened<'n, G>, Stopped> {
        let before = self.worker.nodes();
        self.worker.visit()?;
        self.worker.seldepth = self.worker.seldepth.max(place.ply);
        let kind = kind_of(position, self.question);
        let moves = self.worker.moves(position, place.ply);
        if let Some(finding) = self.worker.over(position, &moves, kind) {
            self.store(open_proof.key, open_proof.horizon, finding);
            return Ok(ControlFlow::Break(finding));
        }
        let Some(horizon) = place.horizon.after_move() else {
            return Ok(ControlFlow::Break(Finding::disproven(true)));
        };
        let below = place.below(horizon, kind, moves.len());
        self.worker.path.push(position.key());
        // At first only moves that may win at once are looked at, all others when their turn comes.
        let is_looked_at = |index: usize| match seen {
            Some(seen) => seen.has(index),
            None => kind == Kind::Max && position.may_win(moves[index]),
        };
        let looked_at: ArrayVec<bool, MAX_MOVES> = (0..moves.len()).map(is_looked_at).collect();
        for (&m, _) in moves.iter().zip(&looked_at).filter(|it| *it.1) {
            let key = self.worker.likely_key_after(position, m, self.question);
            self.table.prefetch(key);
        }
        let mut children: Vec<ProofChild<G::Move>> = Vec::with_capacity(moves.len());
        for (&m, &is_looked_at) in moves.iter().zip(&looked_at) {
            let child = if is_looked_at {
                self.look(position, m, below)?
            } else {
                ProofChild::new(m, self.worker.leaf(kind, below), false, None)
            };
            let numbers = child.finding.numbers;
            let decides = numbers.one(kind) == Number::ZERO;
            let at_once = kind == Kind::Min || child.finding.plies == 0;
            children.push(child);
            if decides && at_once {
                break;
            }
        }
        Ok(ControlFlow::Continue(OpenNode {
            position,
            kind,
            open_proof,
            children,
            below,
            stored: None,
            stored_at: before,
            refreshed_at: before,
        }))
    }

    /// Searches a node's children until the node reaches its limit.
    fn settle(&mut self, mut node: OpenNode<'_, G>) -> Result<Option<Finding>, Stopped> {
        let OpenNode { kind, below, .. } = node;
        let limit = node.open_proof.limit;
        let is_top = self.is_top(&node);
        loop {
            let findings = node.children.iter().map(|child| child.finding);
            let finding = Finding::of_parent(kind, findings);
            let numbers = finding.numbers;
            if is_top {
                self.top_numbers = numbers;
            }
            if numbers.reach(limit) {
                if is_top {
                    let won = node
                        .children
                        .iter()
                        .filter(|child| child.finding.numbers.is_proven());
                    self.winning_children =
                        won.map(|child| (child.m, child.finding.plies)).collect();
                }
                return Ok(Some(self.publish(&mut node, finding)));
            }
            if let Some(answer) = self.store_on_the_way(&mut node, finding) {
                return Ok(Some(answer));
            }
            let children = &mut node.children;
            let Some((best, rival)) = best_two(kind, children) else {
                if !is_top {
                    return Ok(None);
                }
                // Joins the other threads instead of waiting.
                self.is_hurried = true;
                children.iter_mut().for_each(|child| child.taken = false);
                continue;
            };
            let m = children[best].m;
            if !children[best].seen {
                let leaf = children[best].finding;
                children[best] = self.look(node.position, m, below)?;
                children[best].seen = true;
                if children[best].finding != leaf {
                    continue;
                }
            }
            if self.is_elsewhere(children[best].key, below.horizon) {
                children[best].taken = true;
                continue;
            }
            let best_numbers = children[best].finding.numbers;
            // The child's limit: the parent's remainder, and a little more than its rival's number.
            let one = limit.one(kind).min(rival.and_a_quarter());
            let needed = best_numbers.every(kind);
            let others = numbers.every(kind).minus(needed);
            let every = limit
                .every(kind)
                .minus(others)
                .max(needed.plus(Number::ONE));
            let child_limit = Numbers::of(kind, one, every);
            let child = node.position.after(m);
            match self.work(&child, below, child_limit)? {
                Some(finding) => {
                    children[best].finding = finding;
                    self.refresh(&mut node)?;
                }
                None => children[best].taken = true,
            }
        }
    }

    /// Whether a node is the position asked about.
    pub(super) fn is_top(&self, node: &OpenNode<'_, G>) -> bool {
        node.below.ply == self.top + 1
    }

    /// The child after a move, with a finding by the rules, the table or a first look.
    pub(super) fn look(
        &mut self,
        parent: &G,
        m: G::Move,
        place: ProofContext,
    ) -> Result<ProofChild<G::Move>, Stopped> {
        let question = self.question;
        let position = parent.after(m);
        let ruled = self.worker.ruled(question, parent, m, &position, place);
        let key = self.worker.key(&position, question);
        let finding = ruled.or_else(|| self.table.probe(key, place.horizon).map(Finding::known));
        if let Some(finding) = finding {
            let key = ruled.is_none().then_some(key);
            return Ok(ProofChild::new(m, finding, true, key));
        }
        let before = self.worker.nodes();
        let finding = self
            .worker
            .first_look(question, parent, m, &position, place)?;
        let seen = self.worker.nodes() > before;
        if seen {
            self.store(key, place.horizon, finding);
        }
        Ok(ProofChild::new(m, finding, seen, Some(key)))
    }

    /// Stores the finding of a single position.
    fn store(&mut self, key: u64, horizon: Horizon, finding: Finding) {
        let known = known_everywhere(finding);
        self.table.store(key, horizon, known, 1);
    }
}

/// The form of a finding in the table: what holds on its path only is not stored as a fact.
pub(super) fn known_everywhere(finding: Finding) -> Proof {
    let numbers = if finding.everywhere {
        finding.numbers
    } else {
        ON_THIS_PATH
    };
    Proof {
        numbers,
        plies: finding.plies,
    }
}

/// Index of the most promising child not taken, and the number of the next one. `None` if only taken children have the
/// least number: the others would not be searched before these fail.
fn best_two<M>(kind: Kind, children: &[ProofChild<M>]) -> Option<(usize, Number)> {
    let (mut best, mut least, mut rival) = (None, Number::INFINITE, Number::INFINITE);
    let mut least_taken = Number::INFINITE;
    for (index, child) in children.iter().enumerate() {
        let number = child.finding.numbers.one(kind);
        if child.taken {
            least_taken = least_taken.min(number);
        } else if best.is_none() || number < least {
            rival = least;
            (best, least) = (Some(index), number);
        } else {
            rival = rival.min(number);
        }
    }
    let best = best.filter(|_| least <= least_taken)?;
    Some((best, rival))
}
