//! Reports of a search: at every threshold, and whenever the best move or value changes.

use super::run::Run;
use crate::conspiracy::{Count, Kind, Push};
use crate::game::{Evaluator, Game};
use crate::search::mates::mate_line;
use crate::search::{Conspiracy, Occasion, Report, StoredTree, Support};

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Whether the best move or its value differs from the last report.
    pub(super) fn is_news(&self) -> bool {
        let root = self.tree.root();
        self.told.is_none_or(|(child, index)| {
            let child = self.tree.children(root).get(child);
            index != root.index || child.is_none_or(|child| child.value.from_child() < root.value)
        })
    }

    /// Reports to the observer.
    pub(super) fn tell(&mut self, occasion: Occasion) -> Report<G::Move> {
        let root = self.tree.root();
        let (value, index) = (root.value, root.index);
        let neighbour = |push| {
            let goal = self.neighbour(push)?;
            self.count(root, Kind::Max, goal).get()
        };
        let (below, above) = (neighbour(Push::Lower), neighbour(Push::Raise));
        let threshold = match occasion {
            Occasion::Improvement => self.threshold,
            Occasion::Iteration | Occasion::Final => Count::new(self.completed.max(1)),
        };
        let range = self.tree.likely_range(threshold);
        let principal = self.principal_nodes();
        let bound = self.bound_of(&principal);
        let mut pv = self.moves_of(&principal);
        if pv.is_empty() {
            // Stopped before any evaluation.
            pv.extend(self.budget.limits.root_moves(self.line.position(0)).first());
        }
        self.told = self.best_child().map(|child| (child, index));
        self.iteration = match occasion {
            Occasion::Improvement => self.completed + 1,
            Occasion::Iteration => self.completed,
            Occasion::Final => self.iteration,
        };
        let ends = |index: u8| match self.tree.root() {
            root if root.index == index => root.value,
            _ => self.tree.grid().value(index),
        };
        let mut report = Report {
            occasion,
            iteration: self.iteration,
            seldepth: self.seldepth,
            line: 1,
            value,
            bound,
            nodes: self.budget.nodes(),
            best_share: None,
            fullness: self.tree.fullness(),
            pv,
            conspiracy: Some(Conspiracy {
                threshold: threshold.get().unwrap_or(u32::MAX),
                likely_range: (ends(range.min), ends(range.max)),
                support: Support::Leaves { below, above },
                tree: Some(StoredTree {
                    nodes: self.tree.len() as u64,
                    bytes: self.tree.live_bytes() as u64,
                }),
            }),
        };
        mate_line::complete_report(self.line.position(0), &mut report);
        self.budget.report(&report);
        if occasion == Occasion::Iteration {
            self.tell_further_lines(&report);
        }
        report
    }

    /// Reports as many of the root's other moves as asked for. They were searched only until proven no better, so their
    /// values are often bounds.
    fn tell_further_lines(&mut self, best: &Report<G::Move>) {
        let wanted = self.budget.limits.multipv;
        let ranked = self.ranked_children().into_iter().enumerate();
        for (line, child) in ranked.take(wanted).skip(1) {
            let nodes = self.nodes_through(Some(child));
            let value = self.tree.node(nodes[1]).value.from_child();
            let mut report = Report {
                line: line + 1,
                value,
                bound: self.bound_of(&nodes),
                pv: self.moves_of(&nodes),
                conspiracy: None,
                ..best.clone()
            };
            mate_line::complete_report(self.line.position(0), &mut report);
            self.budget.report(&report);
        }
    }
}
