//! Iterative deepening for alpha-beta and depth-first conspiracy-number searches: root moves, and the loop over
//! iterations.

use std::cmp::Reverse;

use crate::search::kit::budget::{Budget, Stopped};
use crate::search::{Bound, Occasion, Report};
use crate::value::Value;

/// A root move with its latest value and line.
#[derive(Clone, Debug)]
pub(in crate::search) struct RootMove<M> {
    pub(in crate::search) m: M,
    /// Value when it was last found better than the moves before it.
    pub(in crate::search) value: Value,
    pub(in crate::search) bound: Bound,
    /// Principal variation of that value; its first move is `m`.
    pub(in crate::search) line: Vec<M>,
    /// Nodes visited for it alone; 0 if they are not counted, or the table answered every time.
    pub(in crate::search) nodes: u64,
}

impl<M: Copy> RootMove<M> {
    /// A move with an estimate for a value.
    pub(in crate::search) fn new(m: M, value: Value) -> RootMove<M> {
        RootMove {
            m,
            value,
            bound: Bound::Lower,
            line: vec![m],
            nodes: 0,
        }
    }

    /// Whether the line reaches the end of the game that its value promises.
    pub(in crate::search) fn shows_the_end(&self) -> bool {
        self.value
            .plies_to_end()
            .is_some_and(|plies| self.line.len() == usize::from(plies))
    }

    /// Its share of all `nodes`, in permille; `None` if its own are not counted.
    fn share(&self, nodes: u64) -> Option<u16> {
        let permille = self.nodes.saturating_mul(1000).checked_div(nodes)?;
        (self.nodes > 0).then_some(permille.min(1000) as u16)
    }

    /// The report of this move as the `line`-th best, from 0.
    pub(in crate::search) fn report(
        &self,
        line: usize,
        occasion: Occasion,
        iteration: u32,
        effort: Effort,
    ) -> Report<M> {
        Report {
            occasion,
            iteration,
            seldepth: effort.seldepth as u32,
            line: line + 1,
            value: self.value,
            bound: self.bound.as_reported(self.value, &self.line),
            nodes: effort.nodes,
            best_share: self.share(effort.nodes),
            proof_share: effort.proof_share,
            fullness: effort.fullness,
            pv: self.line.clone(),
            conspiracy: None,
        }
    }
}

/// Takes over what a prover has proven of root `moves`: their values and lines. A move that wins, or the one that holds
/// out longest if all lose, becomes the first. Returns the first move if it decides the root and the `last` report does
/// not tell that, or not that no mate is nearer.
pub(in crate::search) fn decide<M: Copy + Eq>(
    moves: &mut [RootMove<M>],
    last: &Report<M>,
    budget: &Budget<'_, M>,
) -> Option<RootMove<M>> {
    budget.proof_share()?;
    let proven = budget.all_proven();
    for of_move in proven {
        if let Some(known) = moves.iter_mut().find(|it| it.m == of_move.m) {
            // Of some moves only the value is known.
            if known.value != of_move.value || known.line.len() < of_move.line.len() {
                known.line.clone_from(&of_move.line);
            }
            known.value = of_move.value;
        }
    }
    let is_proven = |it: &RootMove<M>| proven.iter().any(|of_move| of_move.m == it.m);
    let all_lose = moves.iter().all(|it| is_proven(it) && it.value.is_loss());
    let decides = |it: &RootMove<M>| all_lose || is_proven(it) && it.value.is_win();
    let decisive = (0..moves.len()).filter(|&index| decides(&moves[index]));
    let first = |&index: &usize| {
        (
            Reverse(moves[index].value),
            Reverse(moves[index].line.len()),
        )
    };
    if let Some(index) = decisive.min_by_key(first)
        && (all_lose || moves[index].value > moves[0].value)
    {
        moves[..=index].rotate_right(1);
    }
    let best = moves.first_mut()?;
    // What the search itself has found of it stands in its last report.
    let is_last = last.best_move() == Some(best.m) && last.value == best.value;
    if is_last && best.line.len() < last.pv.len() {
        best.line.clone_from(&last.pv);
    }
    let decides = decides(best);
    let bound = if decides { Bound::Exact } else { best.bound };
    best.bound = budget.bound_of(best.value, bound);
    let is_news = if is_last {
        last.bound != best.bound && best.value.is_decided() && best.bound == Bound::Exact
    } else {
        decides
    };
    is_news.then(|| best.clone())
}

/// Effort of a search so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Effort {
    /// Deepest ply visited.
    pub(in crate::search) seldepth: usize,
    /// Nodes visited.
    pub(in crate::search) nodes: u64,
    /// Share of these that a prover of mates has visited, in permille, if there is one.
    pub(in crate::search) proof_share: Option<u16>,
    /// Share of the table in use, in permille.
    pub(in crate::search) fullness: u32,
}

/// A search of a root, iteration by iteration.
pub(in crate::search) trait Deepening<'a, M: Copy + Eq + 'a>: Sized {
    /// The last possible iteration.
    const LAST: u32;

    /// Runs one more iteration on a root with legal moves and updates the report of the best line.
    fn iterate(&mut self, iteration: u32) -> Result<(), Stopped>;

    /// Takes over what a prover has proven of the root's moves by this iteration, and returns to the root.
    fn take_proofs(&mut self, _iteration: u32) {}

    /// The report of the best line, and the budget.
    fn state(&mut self) -> (&Report<M>, &mut Budget<'a, M>);

    fn effort(&self) -> Effort;

    /// Runs iterations from `first` on, until a limit is reached or the root is decided; returns the final report.
    fn deepen(mut self, first: u32) -> Report<M> {
        let (report, budget) = self.state();
        let has_moves = !report.pv.is_empty();
        let last = budget.limits.iterations.unwrap_or(Self::LAST);
        let last = last.min(Self::LAST);
        for iteration in first..=last {
            if !has_moves || self.complete(iteration).is_err() || iteration == last {
                break;
            }
            let (done, budget) = self.state();
            if budget.is_enough(done) || !budget.wants_another_iteration(done) {
                break;
            }
        }
        let iteration = self.state().0.iteration;
        self.take_proofs(iteration);
        while self.settle() {
            self.take_proofs(iteration);
        }
        let effort = self.effort();
        let (last, budget) = self.state();
        let report = Report {
            occasion: Occasion::Final,
            seldepth: effort.seldepth as u32,
            nodes: effort.nodes,
            proof_share: effort.proof_share,
            fullness: effort.fullness,
            ..last.clone()
        };
        budget.report(&report);
        report
    }

    /// Lets a prover alone look for a nearer mate, if the root is decided; returns whether there is news.
    fn settle(&mut self) -> bool {
        let (last, budget) = self.state();
        let value = last.value;
        budget.settle(value)
    }

    /// Runs an iteration, as often as the prover interrupts it; ends early if the root is settled.
    fn complete(&mut self, iteration: u32) -> Result<(), Stopped> {
        while self.iterate(iteration).is_err() {
            let (_, budget) = self.state();
            if !budget.take_news() {
                return Err(Stopped);
            }
            self.take_proofs(iteration);
            let (last, budget) = self.state();
            if budget.is_enough(last) {
                return Err(Stopped);
            }
        }
        Ok(())
    }
}
