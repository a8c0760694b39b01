//! What all parts of one search share: limits, counters, the path, and what has been learnt.

use super::certificates::{Certificate, Open};
use super::graded::Graded;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::budget::{Budget, Stopped};
use crate::search::deepening::Effort;
use crate::search::history::{History, Killers, Previous, Tried};
use crate::search::path::Path;
use crate::value::{Value, Window};

/// Plies below the root at which every position is a leaf.
pub(super) const MAX_PLY: usize = 200;

/// What a move is credited with for each ply that the question was worth, in the units of [`History`]; a
/// hundred such credits fill it.
const CREDIT_PER_PLY: i32 = 160;

/// The most that a move is credited with at once: that of ten plies.
const MOST_CREDIT: i32 = 10 * CREDIT_PER_PLY;

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

    /// What the search has spent so far.
    pub(super) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.nodes(),
            fullness: self.table.fullness(),
        }
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

    /// `m` answered the question, worth so many plies, where the moves tried before it did not: remember
    /// both.
    pub(super) fn credit(
        &mut self,
        position: &G,
        plies: i32,
        ply: usize,
        previous: Previous,
        m: G::Move,
        tried: &[G::Move],
    ) {
        if position.is_quiet(m) {
            self.killers[ply].remember(G::move_code(m));
        }
        let bonus = (CREDIT_PER_PLY * plies).clamp(0, MOST_CREDIT);
        let others = tried.iter().filter(|&&other| other != m);
        let others = others.map(|&other| Tried::new(position, other));
        self.history.credit(position, m, previous, bonus, others);
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
