//! One search: one threshold after the other on one tree.

use super::growth::{GrowthPhase, Watcher};
use super::leaf_workers::Batch;
use super::line::TreeLine;
use super::numbered::Numbered;
use super::numbers::Goal;
use super::settings::{Settings, Strategy};
use super::tree::NodeId;
use crate::conspiracy::{Count, Kind, LikelyRange, Push};
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::team::shared::Shared;
use crate::search::{Limits, Observer, Occasion, Report};

/// A running search.
pub(super) struct Run<'a, G: Game, E> {
    pub(super) settings: &'a Settings,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) evaluator: &'a mut E,
    pub(super) tree: &'a mut Numbered<G::Move>,
    /// Data shared with threads that help to evaluate leaves, if there are any.
    pub(super) shared: Option<Shared<'a, Batch<G>>>,
    /// An observer of single expansions.
    pub(super) watcher: Option<&'a mut dyn Watcher>,
    pub(super) line: TreeLine<G>,
    /// The conspiracy threshold to converge at.
    pub(super) threshold: Count,
    /// The root's likely range at the threshold.
    pub(super) range: LikelyRange,
    pub(super) seldepth: u32,
    /// Last converged threshold.
    pub(super) completed: u32,
    /// Last converged threshold, or the one under way once it has reported an improvement.
    pub(super) iteration: u32,
    /// Number of the root's best child, and grid index of the root's value, as last reported.
    pub(super) reported: Option<(usize, u8)>,
}

impl<'a, G: Game, E: Evaluator<G>> Run<'a, G, E> {
    /// Plants the root, or goes on with the tree planted at `planted` if it holds the root; `None` if there is no move
    /// to search.
    pub(super) fn new(
        settings: &'a Settings,
        root: &Root<G>,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
        evaluator: &'a mut E,
        tree: &'a mut Numbered<G::Move>,
        planted: Option<&Root<G>>,
    ) -> Option<Self> {
        let moves = limits.root_moves(&root.position);
        let placeholder = *moves.first()?;
        let threshold = Count::new(2);
        let mut budget = Budget::new(limits, observer);
        let mut seldepth = 0;
        let mut range = LikelyRange {
            min: 0,
            max: settings.grid.len() - 1,
        };
        if let Some(node) = planted.and_then(|planted| tree.find(planted, root, &moves)) {
            tree.go_on(node, &mut || budget.ask().is_ok());
            seldepth = tree.account.height;
            let own = tree.root().index;
            range = tree.likely_range(threshold, LikelyRange { min: own, max: own });
        } else {
            let value = evaluator.static_value(&root.position);
            tree.plant(placeholder, value);
            tree.account.past = root.history.len();
        }
        let line = TreeLine::new(root, tree.account.past);
        Some(Run {
            settings,
            budget,
            evaluator,
            tree,
            shared: None,
            watcher: None,
            line,
            threshold,
            range,
            seldepth,
            completed: 0,
            iteration: 0,
            reported: None,
        })
    }

    /// Searches until a limit or a decision; returns the final report.
    pub(super) fn finish(mut self) -> Report<G::Move> {
        // Stopped or not, the best so far is the answer.
        let _: Result<(), Stopped> = self.deepen();
        self.emit_report(Occasion::Final)
    }

    fn deepen(&mut self) -> Result<(), Stopped> {
        let last = self.budget.limits.iterations.unwrap_or(u32::MAX);
        let last = last.min(u32::from(Count::MAX_FINITE.byte()));
        self.expand_first_plies()?;
        self.completed = 1;
        loop {
            let report = self.emit_report(Occasion::Iteration);
            if self.is_over()
                || self.completed >= last
                || !self.budget.wants_another_iteration(&report)
            {
                return Ok(());
            }
            self.set_threshold(self.completed + 1);
            self.converge()?;
            // The tree may suffice for higher thresholds too.
            loop {
                self.completed += 1;
                if self.is_over() || self.completed >= last {
                    break;
                }
                self.set_threshold(self.completed + 1);
                // A certificate is worthless if it rests on a clipped leaf that may be on the other side of the target.
                if !self.has_converged() || self.doubts(1) != Ok(Vec::new()) {
                    break;
                }
            }
            self.set_threshold(self.completed);
        }
    }

    /// Expands the root and its children (thesis, section 5.1.4): the algorithm would have to expand them anyway before
    /// it could converge even once.
    pub(super) fn expand_first_plies(&mut self) -> Result<(), Stopped> {
        if self.tree.children(self.tree.root()).is_empty() {
            self.expand(0)?;
        }
        let children = self.tree.children(self.tree.root()).len();
        for number in 0..children {
            let child = self.tree.child(self.tree.root(), number);
            if self.tree.node(child).is_leaf() && !self.is_over() {
                self.make_room();
                let child = self.tree.child(self.tree.root(), number);
                self.line.step(0, child, self.tree.node(child).m);
                self.expand(1)?;
            }
        }
        Ok(())
    }

    /// Grows the tree until the threshold has converged or the game is decided (thesis, figure 2.1).
    pub(super) fn converge(&mut self) -> Result<(), Stopped> {
        while !self.is_over() && (!self.has_converged() || self.settle_doubts()?) {
            if !self.has_converged() {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Expands a leaf of a smallest conspiracy for the next goal, or only evaluates it again if that settles it; returns
    /// the goal and the leaf's ply.
    pub(super) fn step(&mut self) -> Result<(Goal, usize), Stopped> {
        self.make_room();
        self.enter(GrowthPhase::Descend);
        let goal = self.goal();
        let ply = self.descend(goal);
        let id = self.line.nodes(ply)[ply];
        if self.tree.node(id).is_doubtful(Kind::at_ply(ply), goal) {
            self.evaluate_again(ply)?;
            let node = self.tree.node(id);
            if !node.is_leaf() || goal.is_reached(node.index) {
                return Ok((goal, ply));
            }
        }
        self.expand(ply)?;
        Ok((goal, ply))
    }

    /// Tells the watcher that a phase begins.
    pub(super) fn enter(&mut self, phase: GrowthPhase) {
        if let Some(watcher) = &mut self.watcher {
            watcher.enters(phase);
        }
    }

    /// Whether the verdict is final: the root is won or lost, the mate asked for is proven, or no conspiracy can change
    /// the root's value.
    pub(super) fn is_over(&self) -> bool {
        let root = self.tree.root();
        // Targets in the likely range have finite numbers, so numbers are needed only for those outside.
        let is_likely = |goal: Goal| (self.range.min..=self.range.max).contains(&goal.target);
        let is_out_of_reach =
            |goal| !is_likely(goal) && self.tree.count(root, Kind::Max, goal).is_infinite();
        let neighbours = [Push::Lower, Push::Raise];
        self.budget.has_mate(root.value)
            || neighbours
                .into_iter()
                .filter_map(|push| self.neighbour(push))
                .all(is_out_of_reach)
    }

    /// The goal one step of the grid from the root's value; `None` at the end of the grid.
    pub(super) fn neighbour(&self, push: Push) -> Option<Goal> {
        let own = self.tree.root().index;
        let target = push.farther(own, self.tree.grid().len())?;
        Some(Goal { push, target })
    }

    pub(super) fn set_threshold(&mut self, threshold: u32) {
        self.threshold = Count::new(threshold);
        self.range = self.tree.likely_range(self.threshold, self.range);
    }

    /// Whether the range is narrow enough, or only a single root move is likely to exceed Vmin (best move cutoff,
    /// thesis, section 6.2). The cutoff needs another move that could exceed Vmin: otherwise there was no choice, and
    /// the value would rest on nothing.
    pub(super) fn has_converged(&self) -> bool {
        if self.range.width() <= self.settings.delta {
            return true;
        }
        if !self.settings.best_move_cutoff {
            return false;
        }
        let goal = Goal {
            push: Push::Raise,
            target: self.range.min + 1,
        };
        let children = self.tree.children(self.tree.root()).iter();
        let counts = children.map(|child| self.tree.count(child, Kind::Min, goal));
        let (mut likely, mut unlikely) = (0, 0);
        for count in counts.filter(|count| !count.is_infinite()) {
            if count < self.threshold {
                likely += 1;
            } else {
                unlikely += 1;
            }
        }
        likely == 1 && unlikely > 0
    }

    /// The next goal of the root.
    fn goal(&self) -> Goal {
        let root = self.tree.root();
        let to = |push, target| Goal { push, target };
        let min = to(Push::Lower, self.range.min);
        let max = to(Push::Raise, self.range.max);
        let count = |goal| self.tree.count(root, Kind::Max, goal);
        let raise = match self.settings.strategy {
            Strategy::Distance => max.target - root.index > root.index - min.target,
            Strategy::HigherNumber => count(max) > count(min),
            Strategy::MinimumWindows => {
                let up = self.neighbour(Push::Raise);
                let down = self.neighbour(Push::Lower);
                return match (down, up) {
                    (Some(down), Some(up)) if count(up) < count(down) => up,
                    (Some(down), _) => down,
                    (None, up) => up.unwrap_or(max),
                };
            }
        };
        if raise { max } else { min }
    }

    /// Descends from the root to a node to expand for the goal (thesis, figure 2.6); returns its ply.
    fn descend(&mut self, goal: Goal) -> usize {
        let mut id = NodeId::ROOT;
        let mut ply = 0;
        loop {
            let kind = Kind::at_ply(ply);
            let node = self.tree.node(id);
            let children = self.tree.children(node);
            if children.is_empty() {
                return ply;
            }
            let choice = self.tree.choose(node, kind, goal, self.settings);
            let (m, child) = (
                children[choice.child].m,
                self.tree.child(node, choice.child),
            );
            self.tree.visit(id, Some(choice.next));
            self.line.step(ply, child, m);
            (id, ply) = (child, ply + 1);
        }
    }

    /// Ensures that an expansion fits, unless the search is stopped meanwhile.
    pub(super) fn make_room(&mut self) {
        if !self.tree.has_room() {
            for id in self.nodes_through(self.best_child()) {
                self.tree.visit(id, None);
            }
            let budget = &mut self.budget;
            self.tree.reclaim(&mut || budget.ask().is_ok());
            self.line.cut(0);
        }
    }

    /// Updates the tree after a change at the line's `ply`, and reports a new best move or value.
    pub(super) fn update(&mut self, ply: usize) {
        self.enter(GrowthPhase::Update);
        if self.tree.update(self.line.nodes(ply)) {
            self.enter(GrowthPhase::Range);
            self.range = self.tree.likely_range(self.threshold, self.range);
        }
        self.enter(GrowthPhase::Rest);
        if self.completed > 0 && self.is_news() {
            self.emit_report(Occasion::Improvement);
        }
    }
}
