//! Where the tree ends under the graded model: the game is over on this path, or the quiescence value will do.

use super::costs::GradedCosts;
use crate::game::{Evaluator, Game};
use crate::search::budget::Stopped;
use crate::search::depth_first::common::certificates::{Certificate, is_proof};
use crate::search::depth_first::common::cost::Cost;
use crate::search::depth_first::common::worker::Worker;
use crate::value::Value;

/// The farthest that values can be apart, in centipawns: what is farther costs the most anyway.
const FARTHEST: f32 = 2.0 * Value::WIN.get() as f32;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E, GradedCosts<'_>> {
    /// The value of a position where the game ends on this path: repetition, draw by rule.
    pub(super) fn drawn_or_over(&self, position: &G, in_check: bool) -> Option<Value> {
        if self.path.repetition(position).is_some() {
            return Some(Value::DRAW);
        }
        if !position.is_drawn_by_rule() {
            return None;
        }
        // Mate on the last move before the draw counts as mate.
        let mated = in_check && !position.has_legal_move();
        Some(if mated {
            position.terminal_value()
        } else {
            Value::DRAW
        })
    }

    /// The quiescence value and its price; a decided value is a proof.
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
            Cost::sixteenths(self.leaf_cost(position, value, theta))
        };
        Ok(Certificate { value, cost })
    }

    /// What a leaf with that value costs: more, the farther it is from the question, and the surer its value.
    pub(super) fn leaf_cost(&mut self, position: &G, value: Value, theta: Value) -> i32 {
        let beyond = self.beyond(value, theta);
        let graded = self.costs.graded;
        if beyond == 0 || graded.leaf_width == 0 {
            return graded.leaf_cost(beyond);
        }
        let width = self.evaluator.width(position);
        let weight = width.map_or(1.0, |width| graded.leaf_width as f32 / width);
        graded.leaf_cost((beyond as f32 * weight).clamp(-FARTHEST, FARTHEST) as i32)
    }
}
