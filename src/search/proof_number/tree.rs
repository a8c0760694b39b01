//! The best-first form: proof-number search with its tree in memory (L. V. Allis, M. van der Meulen and
//! H. J. van den Herik, "Proof-number search", Artificial Intelligence 66, 1994).

use arrayvec::ArrayVec;

use super::numbers::{Number, Numbers, Proof};
use super::question::{Horizon, ProofQuery};
use super::worker::{Finding, ProofContext, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game, MAX_MOVES, Side};
use crate::profile::Snapshot;
use crate::search::kit::arena::{Arena, Node, NodeId};
use crate::search::kit::budget::Stopped;

/// A copy of a tree that was grown to answer one question.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptProof<M> {
    /// The side that tries to win.
    pub attacker: Side,
    /// Horizon in plies; `None` without limit.
    pub within_plies: Option<u16>,
    /// The tree.
    pub tree: Snapshot<M, Proof>,
}

/// The reason why a tree stops growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TreeEnd {
    /// A limit was reached.
    Stopped,
    /// Memory is full.
    Full,
}

impl From<Stopped> for TreeEnd {
    fn from(_: Stopped) -> TreeEnd {
        TreeEnd::Stopped
    }
}

/// The tree of one question.
pub(super) struct ProofTree<M> {
    pub(super) question: ProofQuery,
    /// The findings and the moves to them; `None` at the root.
    tree: Arena<Option<M>, Finding>,
    /// Limit on nodes.
    most: usize,
    /// The largest finite proof and disproof number of the root, each by itself.
    pub(super) largest: Numbers,
}

impl<M: Copy> ProofTree<M> {
    /// Bytes counted for each node, with a share for the fields that only interior nodes have.
    const NODE: usize = size_of::<(Option<M>, [u32; 2], u16, Finding)>();

    /// A root without children, in a tree of at most `bytes`.
    pub(super) fn new(question: ProofQuery, bytes: usize) -> ProofTree<M> {
        let open = Numbers::new(Number::ONE, Number::ONE);
        let mut tree = Arena::new(usize::MAX, 0);
        tree.plant(Node::new(None, Finding::open(open)));
        ProofTree {
            question,
            tree,
            most: (bytes / Self::NODE).clamp(1, u32::MAX as usize),
            largest: open,
        }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.len() * Self::NODE) as u64
    }

    /// Share of the memory in use, in permille.
    pub(super) fn fullness(&self) -> u32 {
        (self.len() as u64 * 1000 / self.most as u64) as u32
    }

    /// The finding at the root.
    pub(super) fn root(&self) -> Finding {
        self.tree.root().data
    }

    fn note_largest(&mut self) {
        let Numbers { proof, disproof } = self.root().numbers;
        if !proof.is_infinite() {
            self.largest.proof = self.largest.proof.max(proof);
        }
        if !disproof.is_infinite() {
            self.largest.disproof = self.largest.disproof.max(disproof);
        }
    }

    /// Expands most-proving nodes until the root is proven or disproven, or a limit is reached.
    pub(super) fn grow<G, E>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        root: &G,
    ) -> Result<(), TreeEnd>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let mut way = Vec::new();
        while !self.root().numbers.is_decided() {
            worker.visit()?;
            let mut position = root.clone();
            let mut place = ProofContext::root(self.question.horizon);
            let mut id = NodeId::ROOT;
            let path = worker.path.len();
            way.clear();
            way.push(id);
            let mut kind = kind_of(root, self.question);
            while let Some((child, m, children)) = self.most_proving_child(id, kind) {
                let horizon = place.horizon.after_move();
                place = place.below(horizon.unwrap_or(Horizon::plies(0)), kind, children);
                worker.path.push(position.key());
                position.play(m);
                kind = kind_of(&position, self.question);
                id = child;
                way.push(id);
            }
            worker.seldepth = worker.seldepth.max(place.ply);
            let expanded = self.expand(worker, &position, id, place);
            worker.path.truncate(path);
            expanded?;
            self.update(&way, kind);
            self.note_largest();
        }
        Ok(())
    }

    /// The most-proving child, first of equals, with its move and the number of children.
    fn most_proving_child(&self, id: NodeId, kind: Kind) -> Option<(NodeId, M, usize)> {
        let node = self.tree.node(id);
        let children = self.tree.children(node);
        let numbered = children.iter().enumerate();
        let (number, nearest) = numbered.min_by_key(|(_, child)| child.numbers.one(kind))?;
        Some((self.tree.child(node, number), nearest.m?, children.len()))
    }

    /// Expands a leaf, or stores the outcome where the game is over.
    fn expand<G, E>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        position: &G,
        id: NodeId,
        place: ProofContext,
    ) -> Result<(), TreeEnd>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let moves = worker.moves(position, place.ply);
        let kind = kind_of(position, self.question);
        if let Some(finding) = worker.over(position, &moves, kind) {
            self.tree.node_mut(id).data = finding;
            return Ok(());
        }
        let Some(horizon) = place.horizon.after_move() else {
            self.tree.node_mut(id).data = Finding::disproven(true);
            return Ok(());
        };
        if self.len() + moves.len() > self.most {
            return Err(TreeEnd::Full);
        }
        let below = place.below(horizon, kind, moves.len());
        let mut children = ArrayVec::<_, MAX_MOVES>::new();
        worker.path.push(position.key());
        for &m in &moves {
            let child = position.after(m);
            let finding = match worker.ruled(self.question, position, m, &child, below) {
                Some(finding) => finding,
                None => worker.first_look(self.question, position, m, &child, below)?,
            };
            children.push(Node::new(Some(m), finding));
        }
        self.tree
            .expand(id, &children)
            .map(|_| ())
            .ok_or(TreeEnd::Full)
    }

    /// Recomputes numbers from the expanded node, the last of `way`, up to the root, until nothing changes.
    fn update(&mut self, way: &[NodeId], mut kind: Kind) {
        for &id in way.iter().rev() {
            let node = self.tree.node(id);
            let children = self.tree.children(node).iter().map(|child| child.data);
            if children.len() > 0 {
                let finding = Finding::of_parent(kind, children);
                if finding == node.data {
                    return;
                }
                self.tree.node_mut(id).data = finding;
            }
            kind = kind.other();
        }
    }

    /// Copies the tree.
    pub(super) fn kept(&self) -> KeptProof<M> {
        let look = |&id: &NodeId| {
            let children = self.tree.child_ids(id);
            let children = children.filter_map(|it| Some((self.tree.node(it).m?, it)));
            let Finding { numbers, plies, .. } = self.tree.node(id).data;
            (Proof { numbers, plies }, children.collect())
        };
        KeptProof {
            attacker: self.question.attacker,
            within_plies: self.question.horizon.get(),
            tree: Snapshot::of(NodeId::ROOT, look),
        }
    }

    /// The line to the win if proven: the attacker's shortest way in the tree against the longest defence.
    pub(super) fn winning_line(&self, mut kind: Kind) -> Vec<M> {
        let mut line = Vec::new();
        let mut node = self.tree.root();
        loop {
            let wins = self.tree.children(node).iter();
            let wins = wins.filter(|child| child.numbers.is_proven());
            let next = match kind {
                Kind::Max => wins.min_by_key(|child| child.plies),
                Kind::Min => wins.rev().max_by_key(|child| child.plies),
            };
            let Some(next) = next else { return line };
            line.extend(next.m);
            node = next;
            kind = kind.other();
        }
    }
}
