//! One search: iterations of growing doubt on one tree.

use super::belief::{Belief, Doubt};
use super::guide;
use super::{Guide, Settings};
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::arena::NodeId;
use crate::search::kit::budget::Stopped;
use crate::search::kit::planted::{FirstLook, Planted};
use crate::search::{Limits, Observer, Occasion, Report};
use crate::value::Value;

/// The last iteration. In it the doubt exceeds all values, but for very deep leaves.
const LAST: u32 = 60;

/// A running search.
pub(super) struct BStarRun<'a, G: Game, E> {
    settings: Settings,
    pub(super) planted: Planted<'a, G, E, Belief>,
    pub(super) doubt: Doubt,
}

impl<'a, G: Game, E: Evaluator<G>> BStarRun<'a, G, E> {
    /// Starts a search. Fails with the final report if there is no move to search.
    pub(super) fn new(
        settings: Settings,
        root: &'a Root<G>,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
        evaluator: &'a mut E,
    ) -> Result<Self, Report<G::Move>> {
        let doubt = Doubt {
            iteration: 1,
            grain: evaluator.grain(),
            separator: Value::DRAW,
        };
        let megabytes = settings.hash_megabytes;
        let kept = |evaluator: &mut E, value| {
            let width = width(evaluator, &root.position, settings);
            Belief::leaf(value, width, 0, doubt)
        };
        Ok(BStarRun {
            settings,
            planted: Planted::new(megabytes, root, limits, observer, evaluator, kept)?,
            doubt,
        })
    }

    /// Searches until a limit or a decision; returns the final report.
    pub(super) fn finish(mut self) -> Report<G::Move> {
        // Stopped or not, the best so far is the answer.
        let _: Result<(), Stopped> = self.deepen();
        self.planted.emit_report(Occasion::Final)
    }

    pub(super) fn deepen(&mut self) -> Result<(), Stopped> {
        let last = self.planted.last_iteration(LAST);
        self.grow(&[NodeId::ROOT])?;
        for iteration in 1..=last {
            self.doubt.iteration = iteration;
            self.doubt_everything();
            while !self.is_settled() {
                self.step()?;
            }
            self.planted.completed = iteration;
            let report = self.planted.emit_report(Occasion::Iteration);
            if self.is_decided() || !self.planted.budget.wants_another_iteration(&report) {
                break;
            }
        }
        Ok(())
    }

    /// Whether the iteration is over: one move is proven best, and the root's bounds are not too far apart.
    fn is_settled(&self) -> bool {
        guide::is_separated(&self.planted.tree, self.planted.best()) && !self.is_loose()
    }

    /// Whether the root's bounds are at least as far apart as the evaluator's possible error at the root.
    fn is_loose(&self) -> bool {
        let root = self.planted.tree.root();
        let apart = i32::from(root.high.get()) - i32::from(root.low.get());
        apart >= i32::from(root.width)
    }

    /// Whether the search can end: the root is won or lost in a known number of plies, or the mate asked for is proven.
    fn is_decided(&self) -> bool {
        let root = self.planted.tree.root();
        let is_known = root.value.is_decided() && !root.is_open();
        is_known || self.has_mate()
    }

    fn has_mate(&self) -> bool {
        let value = self.planted.tree.root().value;
        self.planted.budget.has_mate(value)
    }

    /// Chooses a leaf and expands it.
    fn step(&mut self) -> Result<(), Stopped> {
        self.planted.make_room()?;
        let (tree, best) = (&self.planted.tree, self.planted.best());
        let best = best.filter(|_| !guide::is_separated(tree, best));
        let choice = best.map(|best| guide::choose(tree, best, self.settings.guide));
        let (child, aim) = choice.unwrap_or((NodeId::ROOT, None));
        let mut way = guide::descend(tree, child, aim);
        if child != NodeId::ROOT {
            way.insert(0, NodeId::ROOT);
        }
        self.grow(&way)
    }

    /// Expands the last node of a path from the root and backs up along it.
    fn grow(&mut self, way: &[NodeId]) -> Result<(), Stopped> {
        let planted = &mut self.planted;
        let mut position = planted.root.clone();
        let before = planted.path.len();
        for &id in &way[1..] {
            planted.path.push(position.key());
            position.play(planted.tree.node(id).m);
        }
        for &id in way {
            planted.tree.visit(id, None);
        }
        let (settings, doubt, ply) = (self.settings, self.doubt, way.len() - 1);
        let kept = |evaluator: &mut E, position: Option<&G>, look: FirstLook| {
            let open = position.filter(|_| !look.is_final);
            let width = open.map_or(0, |open| width(evaluator, open, settings));
            Belief::leaf(look.value, width, ply + 1, doubt)
        };
        let result = planted.expand(way[ply], &position, ply, kept);
        planted.path.truncate(before);
        for &id in way.iter().rev() {
            self.back_up(id);
        }
        self.move_separator();
        result?;
        if self.has_mate() {
            return Err(Stopped);
        }
        self.planted.report_if_new();
        Ok(())
    }

    /// Backs up the children of a node; returns whether it has any.
    fn back_up(&mut self, id: NodeId) -> bool {
        let tree = &mut self.planted.tree;
        let node = tree.node(id);
        let children = tree.children(node);
        let has_children = !children.is_empty();
        if has_children {
            let mut belief = node.data;
            belief.back_up(children.iter().map(|child| &child.data));
            tree.node_mut(id).data = belief;
        }
        has_children
    }

    /// Recomputes all nodes after a change of the doubt or the separator.
    fn doubt_everything(&mut self) {
        let (doubt, tree) = (self.doubt, &mut self.planted.tree);
        // Most nodes are leaves, which need no order; the others come later, children before parents.
        let leaves = tree.nodes_mut().filter(|node| node.record().is_none());
        leaves.for_each(|leaf| leaf.doubt(doubt));
        let expanded = tree.nodes().filter(|(_, node)| node.record().is_some());
        let inner: Vec<NodeId> = expanded.map(|(id, _)| id).collect();
        for id in inner.into_iter().rev() {
            if !self.back_up(id) {
                self.planted.tree.node_mut(id).doubt(doubt);
            }
        }
    }

    /// Moves the separator halfway between the best two values, unless it lies between them already.
    fn move_separator(&mut self) {
        if self.settings.guide != Guide::Conspirators {
            return;
        }
        let best = self.planted.best();
        let gap = best.and_then(|best| guide::gap(&self.planted.tree, best));
        let Some((second, best)) = gap else {
            return;
        };
        let most = Value::centipawns(i32::from(Value::MAX_CENTIPAWNS));
        let (second, best) = (second.clamp(-most, most), best.clamp(-most, most));
        if !(second..=best).contains(&self.doubt.separator) {
            let middle = (i32::from(second.get()) + i32::from(best.get())).div_euclid(2);
            self.doubt.separator = Value::centipawns(middle);
            self.doubt_everything();
        }
    }
}

/// Possible error of a position's value, in centipawns, at least 1.
fn width<G: Game, E: Evaluator<G>>(evaluator: &mut E, position: &G, settings: Settings) -> u16 {
    let most = f32::from(Value::MAX_CENTIPAWNS);
    let width = evaluator.width(position);
    width.map_or(settings.width.max(1), |width| width.clamp(1.0, most) as u16)
}
