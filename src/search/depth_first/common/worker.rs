//! What both searches keep of one search under way: limits, counters, the path, the table.

use super::certificates::Open;
use crate::game::{Evaluator, Game, Root};
use crate::search::budget::{Budget, Stopped};
use crate::search::deepening::Effort;
use crate::search::path::Path;
use crate::search::watching::{Asked, Watcher};
use crate::value::{Value, Window};

/// Plies below the root at which every position is a leaf: far beyond what the highest demand reaches by
/// ordinary plies.
pub(in super::super) const MAX_PLY: usize = 200;

/// One search under way, with costs counted the way of `C`.
pub(in super::super) struct Worker<'a, G: Game, E, C> {
    pub(in super::super) evaluator: &'a mut E,
    pub(in super::super) table: Open<'a>,
    pub(in super::super) budget: Budget<'a, G::Move>,
    pub(in super::super) path: Path,
    /// Plies below the root at which the search stops expanding.
    pub(in super::super) depth_limit: usize,
    pub(in super::super) seldepth: usize,
    /// Who watches, if anybody.
    pub(in super::super) watcher: Option<&'a mut dyn Watcher<G>>,
    /// The evaluator's grain.
    pub(in super::super) grain: i32,
    /// How costs are counted, and what only that needs.
    pub(in super::super) costs: C,
}

impl<'a, G: Game, E: Evaluator<G>, C> Worker<'a, G, E, C> {
    /// A worker at `root`, which expands nothing from `depth_limit` plies on.
    pub(in super::super) fn new(
        root: &Root<G>,
        depth_limit: usize,
        evaluator: &'a mut E,
        table: Open<'a>,
        budget: Budget<'a, G::Move>,
        costs: C,
    ) -> Worker<'a, G, E, C> {
        // What an earlier search left unread is not this one's.
        evaluator.take_max_ply();
        Worker {
            grain: evaluator.grain(),
            evaluator,
            table,
            budget,
            path: Path::to_root(root),
            depth_limit: depth_limit.min(MAX_PLY - 1),
            seldepth: 0,
            watcher: None,
            costs,
        }
    }

    /// What the search has spent so far.
    pub(in super::super) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            fullness: self.table.fullness(),
        }
    }

    /// Tells the watcher about a move, if there is one.
    #[inline]
    pub(in super::super) fn tell(&mut self, asked: impl FnOnce() -> Asked<G>) {
        if let Some(watcher) = &mut self.watcher {
            watcher.asked(asked());
        }
    }

    /// Whether the search may go on.
    #[inline]
    pub(in super::super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.budget.check()
    }

    /// What a child is asked when its parent is asked "at least `theta`?": to support that, the child
    /// must fail.
    pub(in super::super) fn question_of_child(&self, theta: Value) -> Value {
        theta.to_child().next_up_by(self.grain)
    }

    /// The evaluator's answer to "at least `theta`?".
    pub(in super::super) fn evaluate(
        &mut self,
        position: &G,
        theta: Value,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let window = Window::at_least(theta);
        let value = self
            .evaluator
            .evaluate(position, window, &mut self.budget)?;
        let below = self.evaluator.take_max_ply() as usize;
        self.seldepth = self.seldepth.max(ply + below);
        Ok(value)
    }
}
