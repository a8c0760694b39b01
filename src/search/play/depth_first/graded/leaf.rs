//! Ends of the game, draws by repetition or rule too, and leaves: quiescence values and their prices.

use super::costs::GradedCosts;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::Watcher;
use crate::search::play::depth_first::common::certificates::{Certificate, is_proof};
use crate::search::play::depth_first::common::worker::Worker;
use crate::value::Value;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// The value of a draw by repetition on this path or in the game, or by rule.
    pub(super) fn drawn_by_repetition_or_rule(&self, position: &G) -> Option<Value> {
        if self.path.repetition(position).is_some() {
            return Some(Value::DRAW);
        }
        if !position.is_drawn_by_rule() {
            return None;
        }
        // Mate on the last move before the draw counts as mate.
        position.outcome()
    }

    /// The quiescence value and its price, infinite for a proof: a win that holds, a loss that fails.
    pub(super) fn leaf(
        &mut self,
        position: &G,
        theta: Value,
        correction: i32,
        ply: usize,
    ) -> Result<Certificate, Stopped> {
        let value = self.evaluate(position, theta.offset(-correction), ply)?;
        let value = value.offset(correction);
        let cost = if is_proof(value, theta) {
            Cost::INFINITE
        } else {
            Cost::sixteenths(self.leaf_cost(value, theta))
        };
        Ok(Certificate::new(value, cost))
    }

    /// The cost of a leaf, which grows with its distance from the question.
    pub(super) fn leaf_cost(&self, value: Value, theta: Value) -> i32 {
        self.costs.graded.leaf_cost(self.beyond(value, theta))
    }
}
