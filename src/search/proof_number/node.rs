//! The depth-first form: df-pn (A. Nagai, 2002).

use super::Question;
use super::horizon::Horizon;
use super::numbers::{Number, Numbers, Sum};
use super::table::{Known, Seen, Table};
use super::worker::{Finding, Place, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game};
use crate::search::budget::Stopped;

/// A disproof that holds on its path only is kept as a number too large to be looked at again before
/// anything else.
const ON_THIS_PATH: Numbers = Numbers::new(Number::new(1 << 24), Number::ONE);

/// A child as its parent sees it.
struct Child<M> {
    m: M,
    finding: Finding,
    /// Whether more is known than of any leaf.
    seen: bool,
}

/// The depth-first form at work.
pub(super) struct DepthFirst<'w, 'a, G: Game, E> {
    worker: &'w mut Worker<'a, G, E>,
    table: &'w mut Table,
    question: Question,
    /// The ply of the position asked about.
    top: usize,
    /// The numbers of the position asked about as they were last.
    pub(super) top_numbers: Numbers,
    /// Its children that are won, and in how many plies at most.
    pub(super) winning_children: Vec<(G::Move, u16)>,
}

impl<'w, 'a, G: Game, E: Evaluator<G>> DepthFirst<'w, 'a, G, E> {
    pub(super) fn new(
        worker: &'w mut Worker<'a, G, E>,
        table: &'w mut Table,
        question: Question,
    ) -> Self {
        DepthFirst {
            worker,
            table,
            question,
            top: 0,
            top_numbers: Numbers::new(Number::ONE, Number::ONE),
            winning_children: Vec::new(),
        }
    }

    /// Works on a position until it is proven or disproven.
    pub(super) fn answer(&mut self, position: &G, place: Place) -> Result<Finding, Stopped> {
        let limit = Numbers::new(Number::INFINITE, Number::INFINITE);
        self.top = place.ply;
        let finding = self.work(position, place, limit)?;
        self.top_numbers = finding.numbers;
        Ok(finding)
    }

    /// Works on a node until one of its numbers reaches the limit.
    fn work(&mut self, position: &G, place: Place, limit: Numbers) -> Result<Finding, Stopped> {
        let before = self.worker.nodes();
        self.worker.visit()?;
        self.worker.seldepth = self.worker.seldepth.max(place.ply);
        let kind = kind_of(position, self.question);
        let moves = self.worker.moves(position, place.ply);
        let key = self.worker.key(position, self.question);
        if let Some(finding) = self.worker.over(position, &moves, kind) {
            self.store(key, place.horizon, finding, 1);
            return Ok(finding);
        }
        let Some(horizon) = place.horizon.after_move() else {
            return Ok(Finding::disproven(true));
        };
        let below = place.below(horizon, kind, moves.len());
        self.worker.path.push(position.key());
        let seen = self.table.seen(key, place.horizon);
        let result = self.work_on_children(position, &moves, kind, below, limit, seen);
        self.worker.path.pop();
        let (finding, seen) = result?;
        let effort = (self.worker.nodes() - before).max(2);
        let known = known_everywhere(finding);
        self.table
            .store_with(key, place.horizon, known, effort, seen);
        Ok(finding)
    }

    /// The same for what lies below, and which of the children are worth a look next time.
    fn work_on_children(
        &mut self,
        position: &G,
        moves: &[G::Move],
        kind: Kind,
        below: Place,
        limit: Numbers,
        seen: Option<Seen>,
    ) -> Result<(Finding, Seen), Stopped> {
        let mut children: Vec<Child<G::Move>> = Vec::with_capacity(moves.len());
        for (index, &m) in moves.iter().enumerate() {
            let child = if seen.is_none_or(|seen| seen.has(index)) {
                self.look(position, m, below)?
            } else {
                Child {
                    m,
                    finding: self.worker.leaf(kind, below),
                    seen: false,
                }
            };
            let numbers = child.finding.numbers;
            let decides = numbers.one(kind) == Number::ZERO;
            let at_once = kind == Kind::Min || child.finding.plies == 0;
            children.push(child);
            if decides && at_once {
                break;
            }
        }
        loop {
            let findings = children.iter().map(|child| child.finding);
            let finding = Finding::of_parent(kind, self.worker.settings.sum, findings);
            let numbers = finding.numbers;
            let is_top = below.ply == self.top + 1;
            if is_top {
                self.top_numbers = numbers;
            }
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                if is_top {
                    let won = children
                        .iter()
                        .filter(|child| child.finding.numbers.is_proven());
                    self.winning_children =
                        won.map(|child| (child.m, child.finding.plies)).collect();
                }
                let seen = (0..children.len()).filter(|&index| children[index].seen);
                return Ok((finding, seen.fold(Seen::NONE, Seen::with)));
            }
            let (best, rival) = best_two(kind, &children);
            let m = children[best].m;
            if !children[best].seen {
                let leaf = children[best].finding;
                children[best] = self.look(position, m, below)?;
                children[best].seen = true;
                if children[best].finding != leaf {
                    continue;
                }
            }
            let best_numbers = children[best].finding.numbers;
            // The child may take what the parent has left, and a little more than its rival needs.
            let one = limit.one(kind).min(rival.and_a_quarter());
            let needed = best_numbers.every(kind);
            let others = match self.worker.settings.sum {
                Sum::Plain => numbers.every(kind).minus(needed),
                Sum::Weak => Number::new(open_children(kind, &children) - 1),
            };
            let every = limit
                .every(kind)
                .minus(others)
                .max(needed.plus(Number::ONE));
            let child_limit = Numbers::of(kind, one, every);
            let child = position.after(m);
            children[best].finding = self.work(&child, below, child_limit)?;
        }
    }

    /// What is known of the position after a move without working on it.
    fn look(&mut self, parent: &G, m: G::Move, place: Place) -> Result<Child<G::Move>, Stopped> {
        let question = self.question;
        let position = parent.after(m);
        let ruled = self.worker.ruled(question, parent, m, &position, place);
        let key = self.worker.key(&position, question);
        let finding = ruled.or_else(|| {
            let Known { numbers, plies } = self.table.probe(key, place.horizon)?;
            Some(Finding {
                numbers,
                plies,
                everywhere: true,
            })
        });
        if let Some(finding) = finding {
            let seen = true;
            return Ok(Child { m, finding, seen });
        }
        let before = self.worker.nodes();
        let finding = self
            .worker
            .first_look(question, parent, m, &position, place)?;
        let seen = self.worker.nodes() > before;
        if seen {
            self.store(key, place.horizon, finding, 1);
        }
        Ok(Child { m, finding, seen })
    }

    fn store(&mut self, key: u64, horizon: Horizon, finding: Finding, effort: u64) {
        let known = known_everywhere(finding);
        self.table.store(key, horizon, known, effort);
    }
}

/// What is kept of a finding: what holds on its path only is not kept as a fact.
fn known_everywhere(finding: Finding) -> Known {
    let numbers = if finding.everywhere {
        finding.numbers
    } else {
        ON_THIS_PATH
    };
    Known {
        numbers,
        plies: finding.plies,
    }
}

/// How many children are not done yet where every one is needed.
fn open_children<M>(kind: Kind, children: &[Child<M>]) -> u32 {
    let open = |child: &&Child<M>| child.finding.numbers.every(kind) > Number::ZERO;
    children.iter().filter(open).count().max(1) as u32
}

/// The index of the child to work on, and the number of the next best.
fn best_two<M>(kind: Kind, children: &[Child<M>]) -> (usize, Number) {
    let (mut best, mut least, mut rival) = (0, Number::INFINITE, Number::INFINITE);
    for (index, child) in children.iter().enumerate() {
        let number = child.finding.numbers.one(kind);
        if number < least {
            rival = least;
            (best, least) = (index, number);
        } else {
            rival = rival.min(number);
        }
    }
    (best, rival)
}
