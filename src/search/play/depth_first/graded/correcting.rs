//! Static values corrected by what searches found out about positions with the same parts.

use super::costs::GradedCosts;
use super::question::{Place, Question};
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::watching::Watcher;
use crate::search::play::correction::Places;
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::Worker;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Indices of the corrections of a position's static value; `None` if it is not corrected.
    #[inline]
    pub(super) fn corrections_at(&self, position: &G, place: Place) -> Option<Places> {
        if self.costs.graded.correction == 0 || self.grain > 1 {
            return None;
        }
        self.costs.corrections.places(position, place.previous)
    }

    /// The correction to add to the static value, in centipawns.
    pub(super) fn correction(&self, places: Option<Places>) -> i32 {
        let weight = self.costs.graded.correction;
        places.map_or(0, |places| self.costs.corrections.of(&places, weight))
    }

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
