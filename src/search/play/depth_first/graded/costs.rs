//! Graded costs of a running search: constants, statistics of moves, the watcher.

use super::constants::Graded;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::{Answered, Asked, Event, Step, Watcher};
use crate::search::play::correction::Weighed;
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::{MAX_PLY, Worker};
use crate::search::play::history::{History, Killers, Previous, Tried};
use crate::search::play::learnt::Learnt;
use crate::value::{Value, Window};

/// History bonus for each ply of the question's demand, in the units of [`History`]; a hundred such bonuses fill an
/// entry.
const CREDIT_PER_PLY: i32 = 160;

/// Largest history bonus: that of ten plies.
const MOST_CREDIT: i32 = 10 * CREDIT_PER_PLY;

/// The graded cost model of one search.
pub(crate) struct GradedCosts<'a, W> {
    pub(super) graded: &'a Graded,
    pub(super) history: &'a History,
    pub(super) corrections: Weighed<'a>,
    /// Refutations by ply, as move codes.
    pub(super) killers: Vec<Killers>,
    /// Static values of the positions on the path, by ply; none in check.
    pub(super) static_values: Vec<Option<Value>>,
    /// The watcher of the search.
    pub(super) watcher: W,
}

impl<'a, W> GradedCosts<'a, W> {
    /// Costs for a search of a root with this static value, `None` in check, by an evaluator of this grain.
    pub(crate) fn new(
        graded: &'a Graded,
        learnt: &'a Learnt,
        root_value: Option<Value>,
        grain: i32,
        watcher: W,
    ) -> GradedCosts<'a, W> {
        // Room for every ply, and two to spare.
        let mut static_values = vec![None; MAX_PLY + 2];
        static_values[0] = root_value;
        GradedCosts {
            graded,
            history: &learnt.history,
            corrections: learnt.corrections.weighed(graded.correction, grain),
            killers: vec![Killers::NONE; MAX_PLY + 2],
            static_values,
            watcher,
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Tells the watcher the question whether a position at `ply` is worth at least `theta`.
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

    /// Tells the watcher the answer to the current question.
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

    /// Distance of a value from the question "at least `theta`?", in centipawns: positive if it holds, negative if it
    /// fails; 0 for the least value that holds and the largest that fails.
    pub(super) fn beyond(&self, value: Value, theta: Value) -> i32 {
        let surplus = i32::from(value.get()) - i32::from(theta.get());
        if surplus >= 0 {
            surplus
        } else {
            (surplus + self.grain).min(0)
        }
    }

    /// Updates the histories: `m` answered a question with a demand of `plies` plies, the moves tried before did not.
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
