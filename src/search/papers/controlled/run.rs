//! One search: the decision at the root, with more support in each iteration.

use std::cmp::Reverse;

use super::envelope::{Claim, Met, UnmetReason, flat};
use super::{Settings, Target};
use crate::conspiracy::Push;
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::arena::NodeId;
use crate::search::kit::planted::{FirstLook, Planted, PlantedData};
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Limits, Observer, Occasion, Report};
use crate::value::Value;

/// The last iteration.
const LAST: u32 = 250;

/// The data of a node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EnvelopeNode {
    /// Minimax value for the side to move there.
    pub(super) value: Value,
    /// Whether the value is proven.
    pub(super) is_final: bool,
    /// Plies from the root.
    pub(super) ply: u8,
    /// Depth, in plies, to which it has been searched as a leaf.
    pub(super) depth: u8,
    /// The demand it last met.
    pub(super) met: Option<Met>,
}

impl EnvelopeNode {
    pub(super) fn leaf(look: FirstLook, ply: usize) -> EnvelopeNode {
        EnvelopeNode {
            value: look.value,
            is_final: look.is_final,
            ply: u8::try_from(ply).unwrap_or(u8::MAX),
            depth: 0,
            met: None,
        }
    }
}

impl PlantedData for EnvelopeNode {
    fn value(&self) -> Value {
        self.value
    }

    fn rank(&self) -> impl Ord {
        Reverse(self.value)
    }
}

/// A running search.
pub(super) struct ControlledRun<'a, G: Game, E> {
    settings: Settings,
    pub(super) planted: Planted<'a, G, E, EnvelopeNode>,
    /// Depth, in plies, to which supporting leaves are searched.
    pub(super) depth: u8,
    /// The iteration. Demands met in earlier ones count no more.
    pub(super) stage: u32,
    /// The separating value for the root's side, as [`flat`] gives it.
    pub(super) separator: i32,
}

impl<'a, G: Game, E: Evaluator<G>> ControlledRun<'a, G, E> {
    /// Starts a search. Fails with the final report if there is no move to search.
    pub(super) fn new(
        settings: Settings,
        root: &'a Root<G>,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
        evaluator: &'a mut E,
    ) -> Result<Self, Report<G::Move>> {
        let kept = |_: &mut E, value| EnvelopeNode::leaf(FirstLook::guessed(value), 0);
        let megabytes = settings.hash_megabytes;
        Ok(ControlledRun {
            settings,
            planted: Planted::new(megabytes, root, limits, observer, evaluator, kept)?,
            depth: 0,
            stage: 0,
            separator: 0,
        })
    }

    /// Searches until a limit or a decision; returns the final report.
    pub(super) fn finish(mut self) -> Report<G::Move> {
        // Stopped or not, the best so far is the answer.
        let _: Result<(), UnmetReason> = self.deepen();
        self.planted.emit_report(Occasion::Final)
    }

    pub(super) fn deepen(&mut self) -> Result<(), UnmetReason> {
        let last = self.planted.last_iteration(LAST);
        self.expand(NodeId::ROOT, self.planted.root)?;
        for iteration in 1..=last {
            self.stage = iteration;
            let demand = match self.settings.target {
                Target::Growing => iteration,
                Target::Two => {
                    self.depth = iteration.saturating_sub(2).min(u32::from(u8::MAX)) as u8;
                    iteration.min(2)
                }
            };
            self.decide(demand)?;
            self.planted.completed = iteration;
            let report = self.planted.emit_report(Occasion::Iteration);
            if self.is_decided() || !self.planted.budget.wants_another_iteration(&report) {
                break;
            }
        }
        Ok(())
    }

    /// Searches until every claim of the decision is supported as demanded.
    fn decide(&mut self, demand: u32) -> Result<(), UnmetReason> {
        loop {
            match self.try_to_support(demand) {
                Ok(()) => return Ok(()),
                Err(UnmetReason::Wrong) => {}
                Err(UnmetReason::Full) => self.planted.make_room()?,
                Err(UnmetReason::Stopped) => return Err(UnmetReason::Stopped),
            }
            self.planted.report_if_new();
            if self.planted.budget.has_mate(self.planted.tree.root().value) {
                return Err(UnmetReason::Stopped);
            }
        }
    }

    /// Demands support for every claim of the decision; fails once one is wrong.
    fn try_to_support(&mut self, demand: u32) -> Result<(), UnmetReason> {
        let Some(best) = self.planted.best() else {
            return Ok(());
        };
        let tree = &self.planted.tree;
        let children = tree.child_ids(NodeId::ROOT);
        let mut others: Vec<NodeId> = children.filter(|&it| it != best).collect();
        sort_by_key(&mut others, |&child| (tree.node(child).value, child));
        let worth = |child: NodeId| -flat(tree.node(child).value);
        let value = worth(best);
        let second = others.first().map_or(value, |&child| worth(child));
        let separator = (value + second).div_euclid(2);
        self.separator = separator;
        let margin = i32::from(self.settings.margin);
        let claim = |against, value| Claim { against, value };
        let at_least = claim(Push::Lower, separator - margin);
        let at_most = claim(Push::Raise, separator + margin);
        if others.is_empty() {
            // The value of a single move is supported from both sides.
            others.push(best);
        }
        let root = self.planted.root;
        self.support_below(NodeId::ROOT, root, best, at_least, demand)?;
        for child in others {
            self.support_below(NodeId::ROOT, root, child, at_most, demand)?;
        }
        Ok(())
    }

    /// Whether the search can end: the root is won or lost, or the mate asked for is proven.
    fn is_decided(&self) -> bool {
        let value = self.planted.tree.root().value;
        value.is_decided() || self.planted.budget.has_mate(value)
    }
}
