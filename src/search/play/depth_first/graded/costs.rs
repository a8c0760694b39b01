//! Graded costs as one search uses them: the constants, and what is learnt about moves to price them.

use super::constants::Graded;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::{Answered, Asked, Event, Step, Watcher};
use crate::search::play::correction::Corrections;
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::{MAX_PLY, Worker};
use crate::search::play::history::{History, Killers, Previous, Tried};
use crate::search::play::learnt::Learnt;
use crate::value::{Value, Window};

/// What a move is credited with for each ply that the question was worth, in the units of [`History`]; a
/// hundred such credits fill it.
const CREDIT_PER_PLY: i32 = 160;

/// The most that a move is credited with at once: that of ten plies.
const MOST_CREDIT: i32 = 10 * CREDIT_PER_PLY;

/// Leaves, plies and moves have prices by how likely they are to matter.
pub(crate) struct GradedCosts<'a, W> {
    pub(super) graded: &'a Graded,
    pub(super) history: &'a History,
    pub(super) corrections: &'a Corrections,
    /// Moves that refuted a question at this ply, as codes.
    pub(super) killers: Vec<Killers>,
    /// Static values of the positions on the path, by ply; none in check.
    pub(super) static_values: Vec<Option<Value>>,
    /// Who watches the search.
    pub(super) watcher: W,
}

impl<'a, W> GradedCosts<'a, W> {
    /// For the search of a root with that static value, none in check.
    pub(crate) fn new(
        graded: &'a Graded,
        learnt: &'a Learnt,
        root_value: Option<Value>,
        watcher: W,
    ) -> GradedCosts<'a, W> {
        // Killers of grandchildren are cleared, so there are two plies more.
        let mut static_values = vec![None; MAX_PLY + 2];
        static_values[0] = root_value;
        GradedCosts {
            graded,
            history: &learnt.history,
            corrections: &learnt.corrections,
            killers: vec![Killers::NONE; MAX_PLY + 2],
            static_values,
            watcher,
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Tells of the question whether a position so many plies from the root is worth at least `theta`.
    #[inline]
    pub(super) fn tell_asked(
        &mut self,
        step: Step<G::Move>,
        position: &G,
        theta: Value,
        demand: i32,
        ply: usize,
    ) {
        let nodes = self.budget.nodes();
        self.costs.watcher.tell(|| {
            Event::Asked(Asked {
                key: position.key(),
                ply,
                step,
                window: Window::at_least(theta),
                demand,
                nodes,
            })
        });
    }

    /// Tells the answer to the question under way.
    #[inline]
    pub(super) fn tell_answer(&mut self, answer: Result<Certificate, Stopped>) {
        let nodes = self.budget.nodes();
        self.costs.watcher.tell(|| {
            Event::Answered(Answered {
                value: answer.ok().map(|it| it.value),
                cost: answer.map_or(Cost::ZERO, |it| it.cost),
                nodes,
            })
        });
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
        let costs = &mut self.costs;
        if position.is_quiet(m) {
            costs.killers[ply].remember(G::move_code(m));
        }
        let bonus = (CREDIT_PER_PLY * plies).clamp(0, MOST_CREDIT);
        let others = tried.iter().filter(|&&other| other != m);
        let others = others.map(|&other| Tried::new(position, other));
        costs.history.credit(position, m, previous, bonus, others);
    }
}
