//! The state of a thread's search: limits, counters, the path, the table.

use super::certificates::{Certificate, Open};
use crate::game::{Evaluator, Game, Root};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::Effort;
use crate::search::kit::path::Path;
use crate::search::kit::team::company::Company;
use crate::search::kit::team::shared::RootTask;
use crate::search::play::learnt::Task;
use crate::value::{Value, Window};

/// Most plies of a line, the root's included: far beyond what the highest demand reaches by ordinary plies.
pub(crate) const MAX_PLY: usize = 200;

/// The ply at which every position is a leaf.
pub(crate) const LAST_PLY: usize = MAX_PLY - 1;

/// A question under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    pub(crate) key: u64,
    pub(crate) theta: Value,
    /// Demanded cost, in sixteenths.
    pub(crate) demand: i32,
    /// Least cost of an answer to take from another thread, in sixteenths.
    pub(crate) accepted: i32,
    /// Plies from the position to the draw by rule.
    pub(crate) plies_to_rule_draw: usize,
}

impl UnderWay {
    /// The table's answer, if it costs at least `accepted`.
    pub(crate) fn answer(&self, table: Open<'_>, accepted: i32) -> Option<Certificate> {
        let known = table.probe(self.key)?.answer(self.theta)?;
        let is_enough = i32::from(known.cost.get()) >= accepted;
        (is_enough && known.value.ends_within(self.plies_to_rule_draw)).then_some(known)
    }
}

/// A thread's search under way, with the cost model `C`.
pub(crate) struct Worker<'a, G: Game, E, C> {
    pub(crate) evaluator: &'a mut E,
    pub(crate) table: Open<'a>,
    pub(crate) budget: Budget<'a, G::Move>,
    pub(crate) path: Path,
    pub(crate) seldepth: usize,
    /// The evaluator's grain.
    pub(crate) grain: i32,
    /// The cost model, with its own data.
    pub(crate) costs: C,
    /// The other threads that search the same question at the root.
    pub(crate) company: Company<'a, RootTask<G::Move>, UnderWay, Certificate>,
}

impl<'a, G: Game, E: Evaluator<G>, C> Worker<'a, G, E, C> {
    /// A worker at `root`.
    pub(crate) fn new<'b: 'a>(
        root: &Root<G>,
        table: Open<'a>,
        task: Task<'b, G, E>,
        costs: C,
    ) -> Worker<'a, G, E, C> {
        // Drops what an earlier search left unread.
        task.evaluator.take_max_ply();
        Worker {
            grain: task.evaluator.grain(),
            evaluator: task.evaluator,
            table,
            budget: Budget::in_turns(task.turn, task.limits, task.observer),
            path: Path::to_root(root),
            seldepth: 0,
            costs,
            company: Company::new(task.shared),
        }
    }

    /// Effort so far.
    pub(crate) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            fullness: self.table.fullness(),
        }
    }

    /// Fails at a limit, or when another thread has answered a question on the path.
    #[inline]
    pub(crate) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.budget.check()?;
        let table = self.table;
        let answer = |asked: &UnderWay| asked.answer(table, asked.accepted);
        self.company.look(self.budget.nodes(), answer)
    }

    /// The question to a child if its parent is asked "at least `theta`?": the child supports it by failing.
    pub(crate) fn question_of_child(&self, theta: Value) -> Value {
        theta.to_child().next_up_by(self.grain)
    }

    /// The evaluator's answer to "at least `theta`?".
    pub(crate) fn evaluate(
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
}
