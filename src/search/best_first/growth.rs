//! Growth of a tree step by step, without a move to find, for experiments (thesis, chapter 4).
//!
//! The algorithm of the thesis's figure 2.1 runs alone, threshold by threshold from the bare root: without reports,
//! best move, or first plies expanded beforehand. A tree that outgrows its memory stops growing and loses no nodes.

use std::ops::{ControlFlow, RangeInclusive};

use super::run::Run;
use crate::conspiracy::{LikelyRange, Push};
use crate::game::{Evaluator, Game};

/// Phases of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrowthPhase {
    /// Choosing an end of the range and finding a leaf.
    Descend,
    /// Generating, evaluating and ordering children.
    Expand,
    /// Updating values and numbers.
    Update,
    /// Finding Vmin and Vmax, and updating the numbers stored around them.
    Range,
    /// Anything else.
    Rest,
}

/// One expansion, and the tree after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Expansion {
    /// The conspiracy threshold.
    pub threshold: u32,
    /// Push towards the end of the range to rule out: `Raise` for Vmax.
    pub push: Push,
    /// Ply of the expanded node.
    pub ply: usize,
    /// Index of the expanded node: the root's is 0, and children are numbered as they are added.
    pub node: u32,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Memory of the nodes and their numbers, in bytes.
    pub bytes: usize,
    /// The root's value as an index into the grid.
    pub value: u8,
    /// The root's likely range.
    pub range: LikelyRange,
}

/// The reason why a tree has stopped growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrowthEnd {
    /// The last threshold has converged.
    Converged,
    /// No leaf is left that could change the root's value.
    Decided,
    /// The watcher has ended the growth.
    Enough,
    /// Memory is used up.
    Full,
    /// The root has no legal move.
    Nothing,
}

/// Observes a growing tree. Unlike a search it may read a clock.
pub trait Watcher {
    /// Called when a phase begins.
    fn enters(&mut self, _phase: GrowthPhase) {}

    /// Called with the range at a threshold, before its first expansion.
    fn begins(&mut self, _threshold: u32, _range: LikelyRange) {}

    /// Called after an expansion; returns whether to go on.
    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()>;
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Grows the tree through a range of thresholds.
    pub(super) fn grow(&mut self, thresholds: RangeInclusive<u32>) -> GrowthEnd {
        for threshold in thresholds {
            self.set_threshold(threshold);
            let range = self.range;
            if let Some(watcher) = &mut self.watcher {
                watcher.begins(threshold, range);
            }
            while !self.has_converged() {
                if self.is_over() {
                    return GrowthEnd::Decided;
                }
                if !self.tree.has_room() {
                    return GrowthEnd::Full;
                }
                let Ok((goal, ply)) = self.step() else {
                    return GrowthEnd::Enough;
                };
                let expansion = Expansion {
                    threshold,
                    push: goal.push,
                    ply,
                    node: self.line.nodes(ply)[ply].0,
                    nodes: self.tree.len(),
                    bytes: self.tree.record_bytes(),
                    value: self.tree.root().index,
                    range: self.range,
                };
                if let Some(watcher) = &mut self.watcher
                    && watcher.expanded(&expansion).is_break()
                {
                    return GrowthEnd::Enough;
                }
            }
        }
        GrowthEnd::Converged
    }
}
