//! The searches that speculation is made of, as the outer observer's budget sees them.

use super::MAIN_SHARE;
use super::rule::Call;
use super::study::Study;
use crate::search::speculation::Speculation;
use crate::search::{Observer, Occasion, Report};

/// The main search: news is passed on, but for its last report, and there is a pause as soon as its
/// share of the budget is gone and the position calls for speculation.
pub(super) struct MainPhase<'a, M> {
    outer: &'a mut dyn Observer<M>,
    call: Call,
    /// Positions visited before it.
    before: u64,
    most_nodes: Option<u64>,
    latest: Option<Report<M>>,
    was_stopped: bool,
}

impl<'a, M> MainPhase<'a, M> {
    /// With so many nodes at most, not counting those that are spent.
    pub(super) fn new(
        rest: &'a mut Rest<'_, M>,
        call: Call,
        most_nodes: Option<u64>,
    ) -> MainPhase<'a, M> {
        MainPhase {
            before: rest.spent,
            outer: &mut *rest.observer,
            call,
            most_nodes,
            latest: None,
            was_stopped: false,
        }
    }

    /// Whether the outer observer said stop, so that nothing else may be searched.
    pub(super) fn was_stopped(&self) -> bool {
        self.was_stopped
    }

    /// A report as the outer observer is to see it, with all nodes that are spent.
    fn told(&self, report: &Report<M>) -> Report<M>
    where
        M: Clone,
    {
        Report {
            nodes: self.before + report.nodes,
            ..report.clone()
        }
    }

    fn pauses(&self, nodes: u64) -> bool {
        let of_nodes = self
            .most_nodes
            .map_or(0.0, |most| nodes as f64 / most as f64);
        of_nodes.max(self.outer.time_used()) >= MAIN_SHARE
            && self.latest.as_ref().is_some_and(|it| self.call.is_for(it))
    }
}

impl<M: Clone> Observer<M> for MainPhase<'_, M> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        if self.outer.should_stop(self.before + nodes) {
            self.was_stopped = true;
        }
        self.was_stopped || self.pauses(nodes)
    }

    fn wants_another_iteration(&mut self, done: &Report<M>) -> bool {
        let told = self.told(done);
        self.outer.wants_another_iteration(&told) && !self.pauses(done.nodes)
    }

    fn report(&mut self, report: &Report<M>) {
        if report.occasion != Occasion::Final {
            let told = self.told(report);
            self.outer.report(&told);
            self.latest = Some(report.clone());
        }
    }

    fn time_used(&self) -> f64 {
        self.outer.time_used()
    }

    fn no_win_within(&mut self, moves: u32) {
        self.outer.no_win_within(moves);
    }

    fn speculated(&mut self, speculation: &Speculation<M>) {
        self.outer.speculated(speculation);
    }
}

/// What is left of the budget.
pub(super) struct Rest<'a, M> {
    pub(super) observer: &'a mut dyn Observer<M>,
    /// Most nodes of all searches together.
    pub(super) most: Option<u64>,
    pub(super) spent: u64,
}

impl<M> Rest<'_, M> {
    /// As many of the nodes asked for as there are left.
    pub(super) fn grant(&self, asked: u64) -> u64 {
        let left = self.most.map(|most| most.saturating_sub(self.spent));
        left.map_or(asked, |left| left.min(asked))
    }
}

/// A search aside: it is listened to, and nothing of it is passed on.
pub(super) struct SidePhase<'a, M> {
    outer: &'a mut dyn Observer<M>,
    before: u64,
    was_stopped: bool,
    study: Study<M>,
}

impl<'a, M> SidePhase<'a, M> {
    pub(super) fn new(rest: &'a mut Rest<'_, M>) -> SidePhase<'a, M> {
        SidePhase {
            before: rest.spent,
            outer: &mut *rest.observer,
            was_stopped: false,
            study: Study::default(),
        }
    }

    /// What was heard, and whether the outer observer said stop.
    pub(super) fn finish(self) -> (Study<M>, bool) {
        (self.study, self.was_stopped)
    }
}

impl<M: Copy> Observer<M> for SidePhase<'_, M> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        if self.outer.should_stop(self.before + nodes) {
            self.was_stopped = true;
        }
        self.was_stopped
    }

    fn report(&mut self, report: &Report<M>) {
        self.study.listen(report);
    }
}
