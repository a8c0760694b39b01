//! A prover of mates beside a search for values: it gets a share of the positions, and what it has proven about root
//! moves the search need not look at any more.
//!
//! The search's [budget](super::budget) steps the prover while it counts positions, so the prover needs no thread of its
//! own and one thread does the same every time. News of a root move that concern the search under way interrupt it; the
//! driver takes them over and goes on with the same iteration.

use crate::game::{Game, Root};
use crate::search::{Bound, Limits, Observer, Report, Searcher};
use crate::value::Value;

/// A root move that is proven to win or to lose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct ProvenMove<M> {
    /// The move.
    pub(in crate::search) m: M,
    /// The value of the root after it, for its side to move: the winner may win sooner.
    pub(in crate::search) value: Value,
    /// From this move to the end of the game.
    pub(in crate::search) line: Vec<M>,
}

impl<M: Copy> ProvenMove<M> {
    /// The positions below the root on its line, each with the value that the proof gives it, the question "at least θ?"
    /// that this answers most exactly, and the next move.
    pub(in crate::search) fn positions<G: Game<Move = M>>(
        &self,
        root: &G,
    ) -> impl Iterator<Item = (G, Value, Value, M)> {
        let mut position = root.clone();
        let plies = self.line.len();
        let steps = self.line.iter().enumerate().map(move |(index, &m)| {
            let left = (plies - index) as u16;
            let (value, theta) = match left % 2 {
                0 => (Value::loss_in(left), Value::loss_in(left).next_up_by(1)),
                _ => (Value::win_in(left), Value::win_in(left)),
            };
            let step = (position.clone(), value, theta, m);
            position.play(m);
            step
        });
        steps.skip(1)
    }
}

/// A search for mates from one root that is done in steps.
pub(in crate::search) trait Prover<M> {
    /// Its share of all nodes, in percent.
    fn share(&self) -> u32;

    /// Whether nothing is left to prove.
    fn is_over(&self) -> bool;

    /// Goes on for at most `quota` positions; returns the number visited.
    fn step(&mut self, quota: u64) -> u64;

    /// The root moves proven so far, in no order.
    fn proven(&self) -> &[ProvenMove<M>];

    /// The root's value, once that is proven and the winner cannot win sooner.
    fn exact(&self) -> Option<Value>;

    /// Notes what the search reports of its best line: a mate need not be proven again, only shortened.
    fn note(&mut self, report: &Report<M>);
}

/// Fewest positions spent on showing that no mate is nearer.
const LEAST_TO_SETTLE: u64 = 20_000;

/// Positions of a step, at most.
const MOST_OF_A_STEP: u64 = 4_096;
/// Positions of a step, at least.
const LEAST_OF_A_STEP: u64 = 256;
/// A step is this part of the positions visited so far, within these bounds: early ones are short, so that the prover's
/// share is kept from the beginning on.
const STEPS: u64 = 100;

/// A prover with its share of a search's positions.
pub(super) struct Share<'a, M> {
    prover: &'a mut dyn Prover<M>,
    /// The prover's share of all positions, in percent.
    percent: u64,
    /// Positions that the prover has visited.
    nodes: u64,
    /// Count of all nodes up to which it goes on when nothing else is left to search.
    until: Option<u64>,
    /// The root move that the search is looking at.
    current: Option<M>,
    /// Root moves proven, and whether the root was settled, when the search last took over what was.
    known: (Vec<(M, Value)>, bool),
}

impl<'a, M: Copy + Eq> Share<'a, M> {
    /// A prover that has done nothing yet.
    pub(super) fn new(prover: &'a mut dyn Prover<M>) -> Share<'a, M> {
        Share {
            percent: prover.share().into(),
            prover,
            nodes: 0,
            until: None,
            current: None,
            known: (Vec::new(), false),
        }
    }

    /// Positions that the prover has visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Gives the prover what it is owed after so many `nodes` of the whole search, of which at most `left` more may be
    /// visited; returns the number that it has visited.
    pub(super) fn step(&mut self, nodes: u64, left: u64) -> u64 {
        let step = (nodes / STEPS).clamp(LEAST_OF_A_STEP, MOST_OF_A_STEP);
        let owed = match self.until {
            None => (nodes * self.percent / 100).saturating_sub(self.nodes),
            Some(_) => step,
        };
        if owed < step / 2 || self.prover.is_over() {
            return 0;
        }
        let visited = self.prover.step(owed.clamp(step, MOST_OF_A_STEP).min(left));
        self.nodes += visited;
        visited
    }

    /// Whether the search must be interrupted: its root move is proven, or another one to win, or the root is settled.
    pub(super) fn has_news(&self) -> bool {
        let (known, was_settled) = &self.known;
        let concerns = |proven: &ProvenMove<M>| {
            let is_new = !known.contains(&(proven.m, proven.value));
            is_new && (proven.value.is_win() || self.current == Some(proven.m))
        };
        self.is_settled() != *was_settled || self.prover.proven().iter().any(concerns)
    }

    /// Takes note that the search knows what is proven so far.
    pub(super) fn take_news(&mut self) {
        let proven = self.prover.proven().iter();
        self.known = (
            proven.map(|it| (it.m, it.value)).collect(),
            self.is_settled(),
        );
    }

    /// Returns the proof of a root move, if there is one; without one the search looks at the move now.
    pub(super) fn of_move(&mut self, m: M) -> Option<&ProvenMove<M>> {
        self.current = Some(m);
        self.prover.proven().iter().find(|it| it.m == m)
    }

    /// All root moves proven so far.
    pub(super) fn proven(&self) -> &[ProvenMove<M>] {
        self.prover.proven()
    }

    /// The bound of a value that the search calls `bound`: of a proven win or loss it is exact only if the prover has shown
    /// that no win is nearer. All others stay as they are.
    pub(super) fn bound(&self, value: Value, bound: Bound) -> Bound {
        let is_nearest = value.plies_to_end().is_some_and(|plies| plies <= 2);
        if !bound.proves(value) {
            bound
        } else if is_nearest || self.prover.exact() == Some(value) {
            Bound::Exact
        } else {
            Bound::of_proof(value)
        }
    }

    /// Gives the prover all nodes from now on, since nothing else is left to search: as many as the search has taken, and at
    /// least [`LEAST_TO_SETTLE`].
    pub(super) fn take_all(&mut self, nodes: u64) {
        self.until.get_or_insert(nodes + nodes.max(LEAST_TO_SETTLE));
    }

    /// Whether it still has something to prove after so many `nodes` of the whole search, now that it has them all.
    pub(super) fn goes_on(&self, nodes: u64) -> bool {
        let may_go_on = self.until.is_some_and(|until| nodes < until);
        may_go_on && !self.is_settled() && !self.prover.is_over()
    }

    /// Whether the root's value is proven and no nearer mate exists.
    pub(super) fn is_settled(&self) -> bool {
        self.prover.exact().is_some()
    }

    /// Passes a report of the best line on.
    pub(super) fn note(&mut self, report: &Report<M>) {
        if report.line == 1 {
            self.prover.note(report);
        }
    }
}

/// A search that can give a prover its share.
pub(in crate::search) trait Proved<G: Game>: Searcher<G> {
    /// Searches like [`Searcher::search`], beside a prover.
    fn search_beside(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        prover: &mut dyn Prover<G::Move>,
    ) -> Report<G::Move>;
}
