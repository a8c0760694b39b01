//! A tree that grows under somebody's eyes: the search without a game around it, for experiments
//! (thesis, chapter 4).
//!
//! Here the algorithm of the thesis's figure 2.1 runs alone, for one threshold after the other and
//! from the bare root. There are no reports, no best move, no first plies expanded beforehand; and
//! a tree that no longer fits its memory is given up rather than thinned out.

use std::ops::{ControlFlow, RangeInclusive};

use super::run::Run;
use crate::conspiracy::{LikelyRange, Push};
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;

/// The kinds of work that an expansion consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Choosing an end of the range and finding a leaf.
    Descend,
    /// Generating, evaluating and ordering children.
    Expand,
    /// Bringing values and numbers up to date.
    Update,
    /// Finding Vmin and Vmax, with the numbers kept around them.
    Range,
    /// Anything else.
    Rest,
}

/// What has been done and what the tree is like after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Expansion {
    /// The conspiracy threshold.
    pub threshold: u32,
    /// The end of the range to be ruled out: raising rules out Vmax.
    pub push: Push,
    /// Ply of the node that was expanded.
    pub ply: usize,
    /// That node's number: the root's is 0, and children are numbered as they come.
    pub node: u32,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Bytes they take, with their numbers.
    pub bytes: usize,
    /// The root's value as an index into the grid.
    pub value: u8,
    /// The root's likely range.
    pub range: LikelyRange,
}

/// Why a tree has stopped growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The last threshold has converged.
    Converged,
    /// No leaf is left that could change the root's value.
    Decided,
    /// The watcher has seen enough.
    Enough,
    /// Memory is used up.
    Full,
    /// The root has no children.
    Nothing,
}

/// Somebody who watches a tree grow. It may look at a clock, which a search does not.
pub trait Watcher {
    /// Work of this kind begins.
    fn enters(&mut self, _phase: Phase) {}

    /// The range at a threshold, before the first expansion for it.
    fn begins(&mut self, _threshold: u32, _range: LikelyRange) {}

    /// A leaf has been expanded; says whether to go on.
    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()>;
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Grows the tree through the thresholds.
    pub(super) fn grow(&mut self, thresholds: RangeInclusive<u32>) -> End {
        for threshold in thresholds {
            self.set_threshold(threshold);
            let range = self.range;
            if let Some(watcher) = &mut self.watcher {
                watcher.begins(threshold, range);
            }
            while !self.has_converged() {
                if self.is_over() {
                    return End::Decided;
                }
                if !self.tree.has_room() {
                    return End::Full;
                }
                match self.step() {
                    Ok(step) => {
                        if self.show(threshold, step.goal.push, step.ply).is_break() {
                            return End::Enough;
                        }
                    }
                    Err(Stopped) => return End::Enough,
                }
            }
        }
        End::Converged
    }

    fn show(&mut self, threshold: u32, push: Push, ply: usize) -> ControlFlow<()> {
        let expansion = Expansion {
            threshold,
            push,
            ply,
            node: self.line.nodes(ply)[ply].0,
            nodes: self.tree.len(),
            bytes: self.tree.record_bytes(),
            value: self.tree.root().index,
            range: self.range,
        };
        match &mut self.watcher {
            Some(watcher) => watcher.expanded(&expansion),
            None => ControlFlow::Continue(()),
        }
    }
}
