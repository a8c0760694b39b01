//! What all parts of one search share: limits, counters, the path, and what has been learnt.

use super::certificates::{Certificate, Open};
use super::graded::Graded;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::budget::{Budget, Stopped};
use crate::search::history::{History, Killers, Previous, Refuters};
use crate::search::ordering::Rating;
use crate::search::path::Path;
use crate::value::{Value, Window};

/// Plies below the root at which every position is a leaf.
pub(super) const MAX_PLY: usize = 200;

/// One search under way.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) table: Open<'a>,
    pub(super) history: &'a mut History,
    pub(super) graded: &'a Graded,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) path: Path,
    /// Moves that refuted a question at this ply, as codes.
    pub(super) killers: Vec<Killers>,
    /// Static values of the positions on the path, by ply; none in check.
    pub(super) static_values: Vec<Option<Value>>,
    /// Plies below the root at which the search stops expanding.
    pub(super) depth_limit: usize,
    pub(super) seldepth: usize,
    /// The evaluator's grain.
    pub(super) grain: i32,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Positions visited: those expanded and those of quiescence.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// Whether the search may go on.
    #[inline]
    pub(super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.budget.check()
    }

    /// Centipawns by which a value is beyond "at least `theta`?", or short of it if negative: how
    /// much it would have to change for the answer to be in doubt. None for the least value that
    /// holds and for the largest that fails.
    pub(super) fn beyond(&self, value: Value, theta: Value) -> i32 {
        let surplus = i32::from(value.get()) - i32::from(theta.get());
        if surplus >= 0 {
            surplus
        } else {
            (surplus + self.grain).min(0)
        }
    }

    /// What a child is asked when its parent is asked "at least `theta`?": to support that, the child
    /// must fail.
    pub(super) fn question_of_child(&self, theta: Value) -> Value {
        theta.to_child().next_up_by(self.grain)
    }

    /// The evaluator's answer to "at least `theta`?", with what it costs to be wrong about it.
    pub(super) fn evaluate(
        &mut self,
        position: &G,
        theta: Value,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let window = Window::at_least(theta);
        let value = self
            .evaluator
            .evaluate(position, window, &mut self.budget)?;
        let below = self.evaluator.take_max_ply() as usize;
        self.seldepth = self.seldepth.max(ply + below);
        Ok(value)
    }

    /// `m` answered the question where the moves tried before it did not: remember both.
    pub(super) fn credit(
        &mut self,
        position: &G,
        plies: i32,
        ply: usize,
        previous: Previous,
        m: G::Move,
        tried: &[G::Move],
    ) {
        let bonus = (160 * plies).clamp(0, 1600);
        let quiet = position.is_quiet(m);
        let slot = position.history_slot(m);
        if quiet {
            let code = G::move_code(m);
            self.killers[ply].remember(code);
            self.history.set_countermove(previous, code);
            self.history.update_quiet(slot, bonus);
            self.history.update_continuation(previous, slot, bonus);
        } else {
            self.history.update_capture(slot, bonus);
        }
        for &other in tried.iter().filter(|&&other| other != m) {
            let slot = position.history_slot(other);
            if !position.is_quiet(other) {
                self.history.update_capture(slot, -bonus);
            } else if quiet {
                self.history.update_quiet(slot, -bonus);
                self.history.update_continuation(previous, slot, -bonus);
            }
        }
    }
}

/// Whether a bound on a value answers the question for good: a win that holds, a loss that fails.
pub(super) fn is_proof(value: Value, theta: Value) -> bool {
    let bound = if value >= theta {
        Bound::Lower
    } else {
        Bound::Upper
    };
    bound.proves(value)
}

/// Whether `answer` says yes.
pub(super) fn holds(answer: Certificate, theta: Value) -> bool {
    answer.value >= theta
}

/// Moves rated by what they did elsewhere in the tree.
pub(super) struct ByRecord<'a> {
    pub(super) history: &'a History,
    pub(super) refuters: Refuters,
    pub(super) previous: Previous,
}

/// How many points of a capture's record weigh as much as one of its order.
const RECORD_PER_ORDER: i32 = 64;

impl<G: Game> Rating<G> for ByRecord<'_> {
    fn quiet(&self, position: &G, m: G::Move) -> i32 {
        self.refuters.rating(G::move_code(m)).unwrap_or_else(|| {
            let slot = position.history_slot(m);
            self.history.quiet(slot) + self.history.continuation(self.previous, slot)
        })
    }

    fn capture(&self, position: &G, m: G::Move) -> i32 {
        let record = self.history.capture(position.history_slot(m));
        RECORD_PER_ORDER * position.capture_order(m) + record
    }
}
