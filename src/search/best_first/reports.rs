//! Reports of a search: at every threshold, and whenever the best move or value changes.

use super::run::Run;
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::{Conspiracy, Occasion, Report, StoredTree, Support};

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Whether the best move or its value differs from the last report.
    pub(super) fn is_news(&self) -> bool {
        let root = self.tree.root();
        self.reported.is_none_or(|(child, index)| {
            let child = self.tree.children(root).get(child);
            index != root.index || child.is_none_or(|child| child.value.from_child() < root.value)
        })
    }

    /// Reports the best line to the observer, and after an iteration the further lines; returns the best line's report.
    pub(super) fn emit_report(&mut self, occasion: Occasion) -> Report<G::Move> {
        let threshold = match occasion {
            Occasion::Improvement => self.threshold,
            Occasion::Iteration | Occasion::Final => Count::new(self.completed.max(1)),
        };
        let range = self.tree.likely_range(threshold, self.range);
        let root = self.tree.root();
        let neighbour = |push| {
            let goal = self.neighbour(push)?;
            self.tree.count(root, Kind::Max, goal).get()
        };
        let (below, above) = (neighbour(Push::Lower), neighbour(Push::Raise));
        let end = |index: u8| {
            if index == root.index {
                root.value
            } else {
                self.tree.grid().value(index)
            }
        };
        let conspiracy = Conspiracy {
            threshold: threshold.get().unwrap_or(u32::MAX),
            likely_range: (end(range.min), end(range.max)),
            support: Support::Leaves { below, above },
            tree: Some(StoredTree {
                nodes: self.tree.len() as u64,
                bytes: self.tree.live_bytes() as u64,
            }),
        };
        let best = self.best_child();
        self.reported = best.map(|child| (child, root.index));
        self.iteration = match occasion {
            Occasion::Improvement => self.completed + 1,
            Occasion::Iteration => self.completed,
            Occasion::Final => self.iteration,
        };
        let report = Report {
            occasion,
            iteration: self.iteration,
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            fullness: self.tree.fullness(),
            conspiracy: Some(conspiracy),
            ..self.line_through(best)
        };
        self.budget.report(&report);
        if occasion == Occasion::Iteration {
            let wanted = self.budget.limits.multipv;
            let ranked = self.ranked_children().into_iter().enumerate();
            for (line, child) in ranked.take(wanted).skip(1) {
                // Searched only until proven no better, so the value is often a bound.
                let of_child = self.line_through(Some(child));
                self.budget.report(&report.further(line + 1, of_child));
            }
        }
        report
    }
}
