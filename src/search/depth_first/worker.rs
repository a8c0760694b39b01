//! A thread's search under way: limits, counters, the path, the table, statistics of moves, the watcher.

use super::certificates::{Certificate, Open};
use super::constants::{Constants, ONE};
use super::line::MAX_PLY;
use crate::game::{Evaluated, Evaluator, Game, Root};
use crate::search::Cost;
use crate::search::events::{Answered, By, Descent, Event, NodeQuery, Watcher};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::correction::{Places, Weighed};
use crate::search::kit::deepening::Effort;
use crate::search::kit::histories::{Histories, LazyHistories};
use crate::search::kit::history::{History, Killers, Previous, Tried};
use crate::search::kit::path::Path;
use crate::search::kit::team::Task;
use crate::search::kit::team::shared::RootTask;
use crate::search::kit::team::shared_search::SharedSearch;
use crate::value::{Value, Window};

/// Reversible plies after which a position may be part of a cycle.
const SHORTEST_CYCLE: usize = 4;

/// History bonus for each ply of the query's demand, about a hundredth of a full entry of [`History`].
const CREDIT_PER_PLY: i32 = 160;

/// Largest history bonus: that of ten plies.
const MOST_CREDIT: i32 = 10 * CREDIT_PER_PLY;

/// A node's ply and the moves that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext {
    /// Plies from the root.
    pub(super) ply: usize,
    /// The last two moves.
    pub(super) previous: Previous,
    /// Whether a null move is allowed: the move before was not one.
    pub(super) may_pass: bool,
}

impl NodeContext {
    /// The root.
    pub(super) const ROOT: NodeContext = NodeContext {
        ply: 0,
        previous: [None; 2],
        may_pass: true,
    };

    /// The child after the move with this history slot; `None` for a null move.
    pub(super) fn child(self, slot: Option<usize>) -> NodeContext {
        NodeContext {
            ply: self.ply + 1,
            previous: [slot, self.previous[0]],
            may_pass: slot.is_some(),
        }
    }
}

/// A question about a position, and what is known before any child is searched.
#[derive(Clone, Copy)]
pub(super) struct Query<M> {
    /// The question: is the value for the side to move at least this?
    pub(super) theta: Value,
    /// Demanded cost, in sixteenths of a unit.
    pub(super) demand: i32,
    pub(super) node: NodeContext,
    pub(super) in_check: bool,
    /// Corrected static value; θ in check, where there is none.
    pub(super) static_value: Value,
    /// Indices of the corrections of the static value.
    pub(super) corrections: Option<Places>,
    pub(super) endgame: bool,
    /// Whether the static value is not known to have risen since this side's last turn.
    pub(super) not_improving: bool,
    /// Whether a draw by rule is so near that moves that put it off are spared.
    pub(super) near_rule_draw: bool,
    /// Whether the table move captures or promotes.
    pub(super) table_move_captures: bool,
    /// The move to try first.
    pub(super) table_move: Option<M>,
}

/// A question under search, whose answer another thread may find first.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenQuery {
    /// Key of the position.
    pub(super) key: u64,
    /// The question: is the value at least this?
    pub(super) theta: Value,
    /// Demanded cost, in sixteenths.
    pub(super) demand: i32,
    /// Least cost of an answer to take from another thread, in sixteenths.
    pub(super) accepted: i32,
    /// Plies from the position to the draw by rule.
    pub(super) plies_to_rule_draw: usize,
}

impl OpenQuery {
    /// The table's answer, if it costs at least `least_cost`, in sixteenths.
    pub(super) fn answer(&self, table: Open<'_>, least_cost: i32) -> Option<Certificate> {
        let known = table.probe(self.key)?.answer(self.theta)?;
        let is_enough = i32::from(known.cost.get()) >= least_cost;
        (is_enough && known.value.ends_within(self.plies_to_rule_draw)).then_some(known)
    }
}

/// A thread's search under way.
pub(super) struct Worker<'a, G: Game, E, W> {
    pub(super) evaluator: &'a mut E,
    pub(super) table: Open<'a>,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) path: Path,
    pub(super) seldepth: usize,
    /// The evaluator's grain.
    pub(super) grain: i32,
    /// The constants of prices.
    pub(super) constants: &'a Constants,
    pub(super) history: &'a History,
    pub(super) corrections: Weighed<'a>,
    /// Refutations by ply, as move codes.
    pub(super) killers: Vec<Killers>,
    /// Static values of the positions on the path, by ply; none in check.
    pub(super) static_values: Vec<Option<Value>>,
    pub(super) watcher: W,
    /// The other threads that search the same question at the root.
    pub(super) shared_search: SharedSearch<'a, RootTask<G::Move>, OpenQuery, Certificate>,
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'a, G, E, W> {
    /// A worker at `root`.
    pub(super) fn new<'b: 'a>(
        constants: &'a Constants,
        table: Open<'a>,
        root: &Root<G>,
        task: Task<'b, G, E, LazyHistories>,
        watcher: W,
    ) -> Worker<'a, G, E, W> {
        let position = &root.position;
        let histories = task.statistics.get_or_init(Histories::new::<G>);
        let grain = task.evaluator.grain();
        // Room for every ply, and two to spare.
        let mut static_values = vec![None; MAX_PLY + 2];
        static_values[0] = (!position.in_check()).then(|| task.evaluator.static_value(position));
        Worker {
            evaluator: task.evaluator,
            table,
            budget: Budget::in_turns(task.turn, task.limits, task.observer),
            path: Path::to_root(root),
            seldepth: 0,
            grain,
            constants,
            history: &histories.history,
            corrections: histories.corrections.weighed(constants.correction, grain),
            killers: vec![Killers::NONE; MAX_PLY + 2],
            static_values,
            watcher,
            shared_search: SharedSearch::new(task.shared),
        }
    }

    /// Effort so far.
    pub(super) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            proof_share: self.budget.proof_share(),
            fullness: self.table.fullness(),
        }
    }

    /// Returns [`Stopped`] at a limit, when the leader has moved on, or when another thread has answered a query on the path.
    #[inline]
    pub(super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.budget.check()?;
        let table = self.table;
        let answer = |query: &OpenQuery| query.answer(table, query.accepted);
        self.shared_search.look(self.budget.nodes(), answer)
    }

    /// The question to a child if its parent is asked "at least `theta`?": the child supports it by failing.
    pub(super) fn question_of_child(&self, theta: Value) -> Value {
        theta.to_child().next_up_by(self.grain)
    }

    /// The evaluator's answer to "at least `theta`?".
    pub(super) fn evaluate(
        &mut self,
        position: &G,
        theta: Value,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let window = Window::at_least(theta);
        let Evaluated { value, plies } =
            self.evaluator
                .evaluate(position, window, &mut self.budget)?;
        self.seldepth = self.seldepth.max(ply + plies as usize);
        Ok(value)
    }

    /// Emits the query whether a position at `ply` is worth at least `theta`.
    #[inline]
    pub(super) fn emit_query(
        &mut self,
        descent: Descent<G::Move>,
        position: &G,
        theta: Value,
        demand: i32,
        ply: usize,
    ) {
        let nodes = self.budget.nodes();
        self.watcher.emit(|| {
            Event::Asked(NodeQuery {
                key: position.key(),
                ply,
                descent,
                window: Window::at_least(theta),
                demand,
                nodes,
            })
        });
    }

    /// Emits the answer to the current query.
    #[inline]
    pub(super) fn emit_answer(&mut self, answer: Result<Certificate, Stopped>) {
        let nodes = self.budget.nodes();
        self.watcher.emit(|| {
            Event::Answered(Answered {
                value: answer.ok().map(|it| it.value),
                cost: answer.map_or(Cost::ZERO, |it| it.cost),
                nodes,
            })
        });
    }

    /// Emits and returns the table's answer; unless it is a proof, its cost is capped at the demand if the position may be
    /// part of a cycle. Answers round a cycle support one another, each a ply dearer than the next: at
    /// full cost they would outgrow every demand, and an error would never be searched again.
    #[inline]
    pub(super) fn by_table(
        &mut self,
        position: &G,
        known: Certificate,
        demand: i32,
    ) -> Certificate {
        self.watcher.emit_source(By::Table(known.cost));
        if known.cost.is_infinite() || position.reversible_plies() < SHORTEST_CYCLE {
            return known;
        }
        let demand = Cost::sixteenths(demand.max(1));
        Certificate::new(known.value, known.cost.min(demand))
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

    /// Updates killers, history, continuation history and countermove: `m` answered the query. The moves considered before
    /// it, pruned ones included, are debited.
    pub(super) fn credit(
        &mut self,
        position: &G,
        query: &Query<G::Move>,
        m: G::Move,
        considered: &[G::Move],
    ) {
        let NodeContext { ply, previous, .. } = query.node;
        if position.is_quiet(m) {
            self.killers[ply].remember(G::move_code(m));
        }
        let bonus = (CREDIT_PER_PLY * (query.demand / ONE)).clamp(0, MOST_CREDIT);
        let others = considered.iter().filter(|&&other| other != m);
        let others = others.map(|&other| Tried::new(position, other));
        self.history.credit(position, m, previous, bonus, others);
    }

    /// Updates correction history: how far the static value was outside a bound found by search. Bounds by captures say nothing about static
    /// values, nor do decided values.
    pub(super) fn learn_correction(
        &mut self,
        query: &Query<G::Move>,
        answer: Certificate,
        quiet: bool,
    ) {
        let Some(places) = &query.corrections else {
            return;
        };
        let error = i32::from(answer.value.get()) - i32::from(query.static_value.get());
        let is_outside = if answer.holds(query.theta) {
            error > 0 && quiet
        } else {
            error < 0
        };
        if is_outside && !answer.value.is_decided() {
            let plies = query.demand / ONE;
            self.corrections.learn(places, error, plies);
        }
    }
}
