//! Iterative deepening as alpha-beta and depth-first conspiracy-number search share it: moves of the
//! root, and iterations one after the other.

use crate::search::kit::budget::{Budget, Stopped};
use crate::search::{Bound, Occasion, Report};
use crate::value::Value;

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(in crate::search) struct RootMove<M> {
    pub(in crate::search) m: M,
    /// Value when it was last found better than the moves before it.
    pub(in crate::search) value: Value,
    pub(in crate::search) bound: Bound,
    /// The line that goes with the value; its first move is `m`.
    pub(in crate::search) line: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    /// A move that nothing is known about but a guess at its value.
    pub(in crate::search) fn new(m: M, value: Value) -> RootMove<M> {
        RootMove {
            m,
            value,
            bound: Bound::Lower,
            line: vec![m],
        }
    }

    /// Whether the line leads all the way to the end its value promises.
    pub(in crate::search) fn shows_the_end(&self) -> bool {
        self.value
            .plies_to_end()
            .is_some_and(|plies| self.line.len() == usize::from(plies))
    }

    /// What there is to tell about it where it is the `line`-th best, from 0.
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
            bound: self.bound.told(self.value, &self.line),
            nodes: effort.nodes,
            fullness: effort.fullness,
            pv: self.line.clone(),
            conspiracy: None,
        }
    }
}

/// What a search has spent so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Effort {
    /// Deepest ply visited since the search began.
    pub(in crate::search) seldepth: usize,
    /// Positions visited.
    pub(in crate::search) nodes: u64,
    /// How full the table is, in permille.
    pub(in crate::search) fullness: u32,
}

/// The search of a root, iteration by iteration.
pub(in crate::search) trait Deepening<'a, M: Copy + 'a>: Sized {
    /// The last iteration there can be.
    const LAST: u32;

    /// One more iteration of a root that has moves. [`Deepening::last`] follows what is known about the
    /// best line.
    fn iterate(&mut self, iteration: u32) -> Result<(), Stopped>;

    /// What is known about the best line.
    fn last(&mut self) -> &mut Report<M>;

    fn budget(&mut self) -> &mut Budget<'a, M>;

    fn effort(&self) -> Effort;

    /// Iterations from `first` on, until a limit is reached or the root is decided; the final report.
    fn deepen(mut self, first: u32) -> Report<M> {
        let last = self.budget().limits.iterations;
        let last = last.unwrap_or(Self::LAST).min(Self::LAST);
        let has_moves = !self.last().pv.is_empty();
        for iteration in first..=last {
            if !has_moves || self.iterate(iteration).is_err() || iteration == last {
                break;
            }
            let done = self.last().clone();
            if self.budget().is_enough(&done) || !self.budget().wants_another_iteration(&done) {
                break;
            }
        }
        let Effort {
            seldepth,
            nodes,
            fullness,
        } = self.effort();
        let report = Report {
            occasion: Occasion::Final,
            seldepth: seldepth as u32,
            nodes,
            fullness,
            ..self.last().clone()
        };
        self.budget().report(&report);
        report
    }
}
