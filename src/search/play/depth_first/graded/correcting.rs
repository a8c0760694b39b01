//! Static values corrected by what searches found out about positions with the same parts.

use super::costs::GradedCosts;
use super::question::Question;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::watching::Watcher;
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::Worker;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Learns how far the static value was outside a bound found by search. Bounds by captures say nothing about static
    /// values, nor do decided values.
    pub(super) fn learn_correction(
        &mut self,
        question: &Question<G::Move>,
        answer: Certificate,
        quiet: bool,
    ) {
        let Some(places) = &question.corrections else {
            return;
        };
        let error = i32::from(answer.value.get()) - i32::from(question.static_value.get());
        let beyond = if answer.holds(question.theta) {
            error > 0 && quiet
        } else {
            error < 0
        };
        if beyond && !answer.value.is_decided() {
            let plies = question.demand / i32::from(Cost::ONE.get());
            self.costs.corrections.learn(places, error, plies);
        }
    }
}
