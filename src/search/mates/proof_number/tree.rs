//! The best-first form: proof-number search with its tree in memory (L. V. Allis, M. van der Meulen and
//! H. J. van den Herik, "Proof-number search", Artificial Intelligence 66, 1994).

use super::Question;
use super::horizon::Horizon;
use super::numbers::{Number, Numbers};
use super::worker::{Finding, Place, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game, Side};
use crate::profile::Snapshot;
use crate::search::kit::budget::Stopped;

/// A node; its children stand side by side.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The move that leads here; the root has none.
    m: Option<M>,
    parent: u32,
    first_child: u32,
    children: u16,
    finding: Finding,
}

/// What proof-number search knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Its numbers.
    pub numbers: Numbers,
    /// Where the attacker is proven to win: the plies it takes at most.
    pub plies: u16,
}

/// A copy of a tree that was grown to answer one question.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptProof<M> {
    /// The side that tries to win.
    pub attacker: Side,
    /// The plies within which it must have won; `None` where there is no limit.
    pub within_plies: Option<u16>,
    /// The tree.
    pub tree: Snapshot<M, Proof>,
}

/// Why a tree grows no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// A limit has been reached.
    Stopped,
    /// There is no memory for another node.
    Full,
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> End {
        End::Stopped
    }
}

/// A tree that answers one question.
pub(super) struct ProofTree<M> {
    question: Question,
    nodes: Vec<Node<M>>,
    /// Nodes that may be held.
    most: usize,
    /// The largest finite numbers the root has had, each by itself.
    largest: Numbers,
}

impl<M: Copy> ProofTree<M> {
    /// A root without children; the tree will take so many bytes at most.
    pub(super) fn new(question: Question, bytes: usize) -> ProofTree<M> {
        let most = (bytes / size_of::<Node<M>>()).clamp(1, u32::MAX as usize);
        let mut nodes = Vec::with_capacity(most);
        nodes.push(Node {
            m: None,
            parent: 0,
            first_child: 0,
            children: 0,
            finding: Finding::open(Numbers::new(Number::ONE, Number::ONE)),
        });
        ProofTree {
            question,
            nodes,
            most,
            largest: Numbers::new(Number::ONE, Number::ONE),
        }
    }

    /// What is asked.
    pub(super) fn question(&self) -> Question {
        self.question
    }

    /// Nodes held.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Memory they take, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Node<M>>()) as u64
    }

    /// Share of the memory in use, in permille.
    pub(super) fn fullness(&self) -> u32 {
        (self.nodes.len() as u64 * 1000 / self.most as u64) as u32
    }

    /// What is known of the root.
    pub(super) fn root(&self) -> Finding {
        self.nodes[0].finding
    }

    /// The largest finite numbers the root has had, each by itself.
    pub(super) fn largest(&self) -> Numbers {
        self.largest
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

    /// Expands most-proving nodes until the root is proven or disproven, or something ends it.
    pub(super) fn grow<G, E>(&mut self, worker: &mut Worker<'_, G, E>, root: &G) -> Result<(), End>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let is_open =
            |finding: Finding| !finding.numbers.is_proven() && !finding.numbers.is_disproven();
        while is_open(self.root()) {
            worker.visit()?;
            let mut position = root.clone();
            let mut place = Place::root(self.question.horizon);
            let mut node = 0;
            let path = worker.path.len();
            while self.nodes[node].children > 0 {
                let kind = kind_of(&position, self.question);
                let children = usize::from(self.nodes[node].children);
                let horizon = place.horizon.after_move();
                place = place.below(horizon.unwrap_or(Horizon::plies(0)), kind, children);
                node = self.most_proving_child(node, kind);
                worker.path.push(position.key());
                if let Some(m) = self.nodes[node].m {
                    position.play(m);
                }
            }
            worker.seldepth = worker.seldepth.max(place.ply);
            let expanded = self.expand(worker, &position, node, place);
            worker.path.truncate(path);
            expanded?;
            self.update(node, kind_of(&position, self.question));
            self.note_largest();
        }
        Ok(())
    }

    /// Of the children one of which suffices, the nearest to it, the first of equals.
    fn most_proving_child(&self, node: usize, kind: Kind) -> usize {
        let children = self.children(node);
        let nearest = children.min_by_key(|&child| self.nodes[child].finding.numbers.one(kind));
        nearest.unwrap_or(node)
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[node];
        let first = node.first_child as usize;
        first..first + usize::from(node.children)
    }

    /// Gives a leaf its children; or, where the game is over, its outcome.
    fn expand<G, E>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        position: &G,
        node: usize,
        place: Place,
    ) -> Result<(), End>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let moves = worker.moves(position, place.ply);
        let kind = kind_of(position, self.question);
        if let Some(finding) = worker.over(position, &moves, kind) {
            self.nodes[node].finding = finding;
            return Ok(());
        }
        let Some(horizon) = place.horizon.after_move() else {
            self.nodes[node].finding = Finding::disproven(true);
            return Ok(());
        };
        if self.nodes.len() + moves.len() > self.most {
            return Err(End::Full);
        }
        let below = place.below(horizon, kind, moves.len());
        let first_child = self.nodes.len();
        worker.path.push(position.key());
        for &m in &moves {
            let child = position.after(m);
            let ruled = worker.ruled(self.question, position, m, &child, below);
            let finding = match ruled {
                Some(finding) => Ok(finding),
                None => worker.first_look(self.question, position, m, &child, below),
            };
            let finding = match finding {
                Ok(finding) => finding,
                Err(stopped) => {
                    self.nodes.truncate(first_child);
                    return Err(stopped.into());
                }
            };
            self.nodes.push(Node {
                m: Some(m),
                parent: node as u32,
                first_child: 0,
                children: 0,
                finding,
            });
        }
        self.nodes[node].first_child = first_child as u32;
        self.nodes[node].children = moves.len() as u16;
        Ok(())
    }

    /// Numbers from the expanded node up to the root, as far as they change.
    fn update(&mut self, mut node: usize, mut kind: Kind) {
        loop {
            if self.nodes[node].children > 0 {
                let children = self.children(node).map(|child| self.nodes[child].finding);
                let finding = Finding::of_parent(kind, children);
                if finding == self.nodes[node].finding {
                    return;
                }
                self.nodes[node].finding = finding;
            }
            if node == 0 {
                return;
            }
            node = self.nodes[node].parent as usize;
            kind = kind.other();
        }
    }

    /// A copy of the tree.
    pub(super) fn kept(&self) -> KeptProof<M> {
        let look = |&node: &usize| {
            let children = self
                .children(node)
                .filter_map(|it| Some((self.nodes[it].m?, it)));
            let Finding { numbers, plies, .. } = self.nodes[node].finding;
            (Proof { numbers, plies }, children.collect())
        };
        KeptProof {
            attacker: self.question.attacker,
            within_plies: self.question.horizon.get(),
            tree: Snapshot::of(0, look),
        }
    }

    /// A line to the win if it is proven: the attacker's shortest way in the tree, against the longest
    /// defence.
    pub(super) fn winning_line(&self, mut kind: Kind) -> Vec<M> {
        let mut line = Vec::new();
        let mut node = 0;
        while self.nodes[node].children > 0 {
            let wins = self.children(node);
            let wins = wins.filter(|&child| self.nodes[child].finding.numbers.is_proven());
            let plies = |child: &usize| self.nodes[*child].finding.plies;
            let next = match kind {
                Kind::Max => wins.min_by_key(plies),
                Kind::Min => wins.rev().max_by_key(plies),
            };
            let Some(next) = next else { break };
            line.extend(self.nodes[next].m);
            node = next;
            kind = kind.other();
        }
        line
    }
}
