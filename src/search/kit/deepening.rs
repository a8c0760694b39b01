//! Iterative deepening for alpha-beta and depth-first conspiracy-number searches: root moves, and the loop over
//! iterations.

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
    fn share(&self, nodes: u64) -> Option<u32> {
        let permille = self.nodes.saturating_mul(1000).checked_div(nodes)?;
        (self.nodes > 0).then_some(permille.min(1000) as u32)
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
            fullness: effort.fullness,
            pv: self.line.clone(),
            conspiracy: None,
        }
    }
}

/// Effort of a search so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Effort {
    /// Deepest ply visited.
    pub(in crate::search) seldepth: usize,
    /// Nodes visited.
    pub(in crate::search) nodes: u64,
    /// Share of the table in use, in permille.
    pub(in crate::search) fullness: u32,
}

/// A search of a root, iteration by iteration.
pub(in crate::search) trait Deepening<'a, M: Copy + 'a>: Sized {
    /// The last possible iteration.
    const LAST: u32;

    /// Runs one more iteration on a root with legal moves and updates the report of the best line.
    fn iterate(&mut self, iteration: u32) -> Result<(), Stopped>;

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
            if !has_moves || self.iterate(iteration).is_err() || iteration == last {
                break;
            }
            let (done, budget) = self.state();
            if budget.is_enough(done) || !budget.wants_another_iteration(done) {
                break;
            }
        }
        let effort = self.effort();
        let (last, budget) = self.state();
        let report = Report {
            occasion: Occasion::Final,
            seldepth: effort.seldepth as u32,
            nodes: effort.nodes,
            fullness: effort.fullness,
            ..last.clone()
        };
        budget.report(&report);
        report
    }
}
